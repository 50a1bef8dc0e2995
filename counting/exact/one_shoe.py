"""One shoe: the edges of bets and the probabilities of events, as fractions. Cards of the next coup may be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm, prod, sqrt
from operator import mul
from pathlib import Path

import numpy as np

from counting.cards import COUP, DECK, RANKS, SUITS, VALUE_OF_CARD, Shoe, as_shoe, finest
from counting.errors import InputError, whole
from counting.exact import first_cards
from counting.exact import linear_forms as forms
from counting.exact.evaluators import line_counter
from counting.exact.known_cards import ANY, KnownCards, as_known, ways_to_draw
from counting.exact.outcomes import MOST_CARDS, KnownCounter, deals, known_counter
from counting.exact.settlements import event_counter, lines_of_events, refuse_coarse
from counting.games import FIRSTS, MAIN_EVENTS, First, Game, as_game, on_hands


def events(
    game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, int]:
    """The number of ordered six-card deals in which each event of the game happens.

    The first three are `player-win`, `banker-win` and `tie`, whose numbers add up to the number of all deals,
    `deals(shoe.cards_left)`. The others are the events on which the game's pay table lines settle. With `known` cards
    of the next coup (see `KnownCards`), only deals that agree with the known cards count. `bets` names bets of the game
    or the catalog, or writes them out (`Game.asked`); by default they are all bets of the game.

    Raises `InputError` for an unknown bet, fewer than six or more than 1,404 cards, or known cards that the shoe does
    not have. Raises it too if the shoe does not know what a bet or the known cards need: ranks for a pair, suits for a
    perfect pair.

    >>> from counting import Shoe, events
    >>> list(events("punto-banco", Shoe.parse("8d-7-7-K")))[:3]
    ['player-win', 'banker-win', 'tie']
    """
    game = as_game(game) if bets is None else as_game(game).only(bets)
    shoe, known = as_shoe(shoe), as_known(known)
    if not COUP <= shoe.cards_left <= MOST_CARDS:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP} to {MOST_CARDS:,}")
    refuse_coarse(game.bets, shoe.knows, f"shoe {shoe}")
    if known is not None:
        return _known_events(game, shoe, known)
    counts = event_counter(game).classes(shoe.values)
    by_event = {name: sum(counts[place] for place in places) for name, places in _classes_of_events(game).items()}
    if on_first := _on_first(game):
        counted = [*first_cards.counts(np.array([shoe.counts], np.int32))[0].tolist(), deals(shoe.cards_left)]
        by_event |= {name: sum(map(mul, combined, counted)) for name, combined in on_first.items()}
    if of_lines := lines_of_events(game):
        composition = np.array([shoe.counts], np.int32)
        by_bet = [line_counter(bet, game.tableau).counts(composition)[0].tolist() for bet in on_hands(game.bets)]
        by_event |= {name: by_bet[k][line] for name, (k, line) in of_lines.items()}
    return by_event


@lru_cache(maxsize=32)
def _on_first(game: Game) -> dict[str, list[int]]:
    """The events on first cards, as combinations of closed forms."""
    on_first = {name: event for name, event in game.events.items() if event <= {*FIRSTS}}
    return {
        name: first_cards.combination((first, 1) for first in event if isinstance(first, First)).tolist()
        for name, event in on_first.items()
    }


def _known_events(game: Game, shoe: Shoe, known: KnownCards) -> dict[str, int]:
    """Events counted over the deals that agree with what is known.

    Outcomes look at values. If a place may hold only some cards of a value, deals are first counted as if it could hold
    every card of this value. If the shoe tells these cards apart, the count is then multiplied by the share of these
    deals in which every place with a card of this value holds an allowed card. This share does not depend on the places
    of other values. If the shoe does not tell the cards apart, the share is the same for all events and is left out.
    """
    on_first = {name: event for name, event in game.events.items() if event <= {*FIRSTS}}
    of_lines = lines_of_events(game)
    needed = known.tells if on_first or of_lines else known.needs
    if finest((needed, shoe.knows)) != shoe.knows:
        raise InputError(f"known {known}: needs a shoe known by {needed}; {shoe} knows {shoe.knows}s only")
    counted_fully = finest((known.tells, shoe.knows)) == shoe.knows
    amounts = dict.fromkeys(game.events, Fraction())
    for values, cards in known.by_value():
        counted = _known_counter(game, values)
        share = Fraction(1)
        for value in {VALUE_OF_CARD[min(some)] for some in cards if some != ANY}:
            some = [c for c in cards if c != ANY and VALUE_OF_CARD[min(c)] == value]
            drawn = prod(range(shoe.values[value] - len(some) + 1, shoe.values[value] + 1))
            if counted_fully:
                counts = shoe.counts if shoe.knows == "card" else shoe.ranks
                kinds = [frozenset(c // (DECK // len(counts)) for c in allowed) for allowed in some]
                share *= Fraction(ways_to_draw(counts, kinds), drawn) if drawn else 0
        for cls, n in zip(counted.outcomes, counted.classes(shoe.values), strict=True):
            for name, event in game.events.items():
                if cls[0] in event:
                    amounts[name] += share * n
    for name, event in on_first.items():
        amounts[name] = Fraction(first_cards.known_count(shoe, known, [f for f in event if isinstance(f, First)]))
    if of_lines:
        from counting.exact.known_hands import known_lines  # few games have such bets

        by_bet = [known_lines(bet, game.tableau, shoe, known) for bet in on_hands(game.bets)]
        amounts |= {name: Fraction(by_bet[k][line]) for name, (k, line) in of_lines.items()}
    if not any(amounts.values()):
        raise NoSuchCardsError(f"known {known}: the shoe {shoe} has no such cards")
    return {name: int(n) for name, n in amounts.items()}


@lru_cache(maxsize=256)
def _known_counter(game: Game, values: tuple[frozenset[int], ...]) -> KnownCounter:
    sets = list(game.events.values())
    return known_counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes], values)


class NoSuchCardsError(InputError):
    """What is known of the coup names cards that the shoe does not have."""


@dataclass(frozen=True)
class PricedShoe:
    """A game's bets on one shoe, exactly: the `counts` of its events among the ordered six-card deals, as `events`
    returns them.

    >>> from counting import price_shoe
    >>> shoe = price_shoe("punto-banco", "8d-9-9")
    >>> round(float(shoe.hit_frequencies["tie-8"]), 6), round(shoe.standard_deviations["tie-8"], 4)
    (0.095254, 2.6421)
    """

    game: Game
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """The number of all deals that agree with the known cards: Player's wins, Banker's wins and ties."""
        return sum(self.counts[name] for name in MAIN_EVENTS)

    @cached_property
    def probabilities(self) -> dict[str, Fraction]:
        """The probability of each event."""
        return {name: Fraction(count, self.total) for name, count in self.counts.items()}

    @cached_property
    def edges(self) -> dict[str, Fraction]:
        """The bettor's edge of each bet: expected profit per unit staked, pushes included."""
        total = self.total
        return {
            bet: Fraction(sum(self.counts[event] * back for event, back in returns) - stake * total, stake * total)
            for bet, (stake, returns) in _whole_returns(self.game).items()
        }

    @cached_property
    def hit_frequencies(self) -> dict[str, Fraction]:
        """The probability that each bet wins, which means that more than the stake comes back."""
        return {
            bet: Fraction(sum(self.counts[event] for event, pay in lines if pay > 0), self.total)
            for bet, lines in self.game.settlement.items()
        }

    @cached_property
    def standard_deviations(self) -> dict[str, float]:
        """The standard deviation of each bet's profit per unit staked."""
        squares = {
            bet: 1 + sum((pay * pay - 1) * self.probabilities[event] for event, pay in lines)
            for bet, lines in self.game.settlement.items()
        }
        return {bet: sqrt(square - self.edges[bet] ** 2) for bet, square in squares.items()}


@lru_cache(maxsize=64)
def _classes_of_events(game: Game) -> dict[str, list[int]]:
    """The classes of outcomes that make up each event. A class is given by its index in `event_counter`."""
    first = [outcomes[0] for outcomes in event_counter(game).outcomes]
    return {name: [i for i, outcome in enumerate(first) if outcome in event] for name, event in game.events.items()}


@lru_cache(maxsize=64)
def _whole_returns(game: Game) -> dict[str, tuple[int, list[tuple[str, int]]]]:
    """For each bet: the least stake that is paid in whole units on every event. Also what comes back on each event:
    this stake plus the win."""
    stakes = {bet: lcm(*(pay.denominator for _, pay in lines)) for bet, lines in game.settlement.items()}
    return {
        bet: (stakes[bet], [(event, int(stakes[bet] * (pay + 1))) for event, pay in lines])
        for bet, lines in game.settlement.items()
    }


def price_shoe(
    game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None, bets: Iterable[str] | None = None
) -> PricedShoe:
    """Count the events on one shoe, with the probabilities and edges that follow. Arguments and errors are as for
    `events`.

    >>> from counting import price_shoe
    >>> price_shoe("punto-banco", "8d", bets=["tie-8"]).edges["tie-8"]
    Fraction(-103841353768, 723147898655)
    """
    game = as_game(game) if bets is None else as_game(game).only(bets)
    return PricedShoe(game, events(game, shoe, known))


def probabilities(
    game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, Fraction]:
    """The exact probability of each of the game's events. Arguments and errors are as for `events`."""
    return price_shoe(game, shoe, known, bets).probabilities


def bet_edges(game: Game, probabilities: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The edges of the bets from the probabilities of the game's events."""
    return {
        bet: sum(((pay + 1) * probabilities[event] for event, pay in lines), Fraction(-1))
        for bet, lines in game.settlement.items()
    }


def exact_edges(
    game: Game | str | Path, shoe: Shoe | str, known: KnownCards | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, Fraction]:
    """The bettor's exact edge of each bet: expected profit per unit staked, pushes included.

    `known`: known cards of the next coup, as "P1=9" or "P1=6-9 B2=K" (see `KnownCards`). `bets` names the bets, as for
    `events`. The result has each of them once, in this order. Errors are as for `events`.

    >>> from counting import Shoe, exact_edges
    >>> {bet: round(float(edge), 6) for bet, edge in exact_edges("punto-banco", Shoe.decks(8), bets=["tie-8"]).items()}
    {'tie-8': -0.143596}
    >>> exact_edges("ez-baccarat", Shoe.parse("v:16,4,4,4,4,4,4,4,4,4"), "P1=9", bets=["player"])
    {'player': Fraction(632153, 2936325)}
    """
    return price_shoe(game, shoe, known, bets).edges


def edges_after_seeing(
    game: Game | str | Path, shoe: Shoe | str, place: int, known: KnownCards | str | None = None
) -> dict[str, tuple[Fraction, dict[str, Fraction]]]:
    """The edges after one card of the coup is seen, at a place from 0 to 5 in dealing order.

    The result has, for each rank that the card may have, the rank's probability and the edges of the bets. For a shoe
    known by value, it has them for each value. Errors are as for `events`, and for a place that is not 0 to 5.

    >>> from counting import edges_after_seeing
    >>> chance, edges = edges_after_seeing("punto-banco", "8d", 0)["9"]
    >>> chance, round(float(edges["player"]), 4)
    (Fraction(1, 13), 0.2153)
    """
    game, shoe, place = as_game(game), as_shoe(shoe), whole(place, "place", 0, COUP - 1)
    known = as_known(known) or KnownCards()
    total = price_shoe(game, shoe, known).total
    if shoe.knows == "value":
        seen = {RANKS[v - 1] if v else "T": frozenset(c for c in ANY if VALUE_OF_CARD[c] == v) for v in range(10)}
    else:
        seen = {rank: frozenset(range(len(SUITS) * r, len(SUITS) * (r + 1))) for r, rank in enumerate(RANKS)}
    after = {}
    for name, cards in seen.items():
        more = known.also(place, cards)
        try:
            priced = price_shoe(game, shoe, more)
        except NoSuchCardsError:
            continue
        after[name] = (Fraction(priced.total, total), priced.edges)
    return after


def with_replacement(game: Game | str | Path) -> dict[str, Fraction]:
    """The exact probability of each event with an infinite shoe: every card is drawn from a full deck.

    >>> from counting import with_replacement
    >>> with_replacement("punto-banco")["tie"]
    Fraction(460601, 4826809)
    """
    game = as_game(game)
    chances: dict[str, Fraction] = {}
    orders = [prod(4 if v == 0 else 1 for v in m) for m in forms.multisets()]
    counted = event_counter(game)
    ways = [sum(int(w) * n for w, n in zip(row, orders, strict=True)) for row in counted.weights]
    for name, event in game.events.items():
        by_outcome = sum(n for n, cls in zip(ways, counted.outcomes, strict=True) if cls[0] in event)
        by_first = sum(first_cards.ways_with_replacement(first) for first in event if isinstance(first, First))
        chances[name] = Fraction(by_outcome, 13**COUP) + Fraction(by_first, DECK**2)
    by_bet = [line_counter(bet, game.tableau).with_replacement() for bet in on_hands(game.bets)]
    chances |= {name: by_bet[k][line] for name, (k, line) in lines_of_events(game).items()}
    return chances


def break_even_rebate(pays: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    """The rate up to which a rebate on the net loss gives no edge to a patron who does not count.

    `pays` has the pay and the chance of each outcome of a coup. The rate is the house edge divided by the mean loss per
    coup. It is 0 if the patron has the edge, or never loses.
    """
    pays = list(pays)
    mean = sum((pay * chance for pay, chance in pays), Fraction())
    lost = sum((-pay * chance for pay, chance in pays if pay < 0), Fraction())
    return max(-mean, Fraction()) / lost if lost else Fraction()
