"""Exact pricing: compositions in; counts, edges and probabilities out.

Every coup is settled by the first six cards of the remaining order, so an event is counted over the
N(N-1)...(N-5) ordered six-card deals of the N unseen cards. Events are counted first, as integers;
a bet's edge is an integer combination of such counts over one denominator, divided once at the end.
Its sign is the integer's: an edge is positive, or zero, exactly when the fraction is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counting.arrays import Floats
from counting.cards import COUP, DECK, MOST_DECKS, RANKS, SUITS, WIDTH, Knows, Shoe, finest
from counting.errors import InputError
from counting.exact import _settle, first_cards
from counting.exact import linear_forms as forms
from counting.exact.known_cards import ANY, VALUE_OF_CARD, Known, ways
from counting.exact.outcomes import OutcomeCounter, counter, deals
from counting.games import FIRSTS, MAIN_EVENTS, Bet, First, Game, Outcome, as_game

MOST_CARDS = MOST_DECKS * DECK

_ALL_FIRSTS = frozenset(FIRSTS)
_MOST_COEFFICIENTS = 1 << 30  # see `_settle.pyx`: the sum of their sizes


@lru_cache(maxsize=32)
def _event_counter(game: Game) -> OutcomeCounter:
    sets = list(game.events.values())
    return counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes])


def _first_classes(game: Game) -> tuple[tuple[First, ...], ...]:
    """What first cards show, in classes that no event of the game tells apart; one class if no event looks at them."""
    by_class: dict[tuple[bool, ...], list[First]] = {}
    for first in FIRSTS:
        by_class.setdefault(tuple(first in event for event in game.events.values()), []).append(first)
    return tuple(map(tuple, by_class.values()))


def event_classes(game: Game) -> list[tuple[Outcome, First]]:
    """What coups show, in classes that no event, and so no bet, of the game tells apart: one example of each class."""
    return [(cls[0], first[0]) for cls in _event_counter(game).outcomes for first in _first_classes(game)]


def event_weights(game: Game) -> dict[str, NDArray[np.int64]]:
    """For each event that is a set of outcomes, its weights (5005,) in the order of `linear_forms.multisets`: in how
    many orders of the six values it happens. An event on first cards has none."""
    counted = _event_counter(game)
    return {
        name: counted.weights[[cls[0] in event for cls in counted.outcomes]].sum(axis=0, dtype=np.int64)
        for name, event in game.events.items()
        if not event <= _ALL_FIRSTS
    }


@lru_cache(maxsize=32)
def pays(game: Game, bets: tuple[str, ...]) -> Floats:
    """What a coup of each class pays (classes, bets), per unit staked."""
    by_class = [
        [float(bet.pay(first if bet.shows == "first" else outcome)) for bet in map(game.bet, bets)]
        for outcome, first in event_classes(game)
    ]
    return np.array(by_class)


def classify(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The class, a place in `event_classes`, of what each coup showed, (rows, 5) as in `dealing.Coups`."""
    player, banker, player_cards, banker_cards, first = shown.T.astype(np.intp)
    place: NDArray[np.int32] = _event_counter(game).class_of[player, banker, player_cards - 2, banker_cards - 2]
    classes = _first_classes(game)
    if len(classes) > 1:
        class_of = np.zeros(len(FIRSTS), np.int32)
        for i, cls in enumerate(classes):
            class_of[[f.code for f in cls]] = i
        place = place * np.int32(len(classes)) + class_of[first]
    return place


# Places of bets, counts of forms on shoes, and coefficients of the bets' pays and of their squares.
_Counted = tuple[list[int], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Pricer:
    """Edges of some bets of a game on many shoes.

    The bets settled by outcomes are form counts of `outcomes` times `coefficients`; those settled by
    first cards, the closed forms of `first_cards` times `first_coefficients`. `by_outcome` and `by_first` are the
    bets' places; `squares` and `first_squares` are coefficients of squared pays.
    """

    game: Game
    bets: tuple[str, ...]
    counter: OutcomeCounter
    coefficients: NDArray[np.int64]
    first_coefficients: NDArray[np.int64]
    squares: NDArray[np.float64]
    first_squares: NDArray[np.float64]
    denominators: NDArray[np.float64]
    by_outcome: list[int]
    by_first: list[int]

    def edges(self, compositions: NDArray[np.int32]) -> NDArray[np.float64]:
        """Edges (shoes, bets) for checked compositions (shoes, 10, 13 or 52)."""
        return self._edges(compositions, self._counts(compositions))

    def numerators(self, compositions: NDArray[np.int32]) -> NDArray[np.int64]:
        """Edges times deals and the bets' denominators (shoes, bets), of bets by outcome on shoes by value.

        Raises `InputError` where they might not fit in 64 bits.
        """
        deals_of = all_deals(compositions)
        sizes = np.abs(self.coefficients).sum(axis=0)
        if self.by_first or int(sizes.max()) * int(deals_of.max(initial=0)) >= 1 << 62:
            raise InputError(f"bets {', '.join(self.bets)}: should be settled by outcome, on shoes of fewer cards")
        forms = self.counter.forms(compositions)
        numerators: NDArray[np.int64] = forms @ self.coefficients[:-1] + deals_of[:, np.newaxis] * self.coefficients[-1]
        return numerators

    def moments(self, compositions: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets).

        Both come from exact counts; a mean square is a sum of floats, to some 13 digits.
        """
        counted = self._counts(compositions)
        squares = np.empty((len(compositions), len(self.bets)))
        cards = compositions.sum(axis=1, dtype=np.int64)
        for places, counts, _, of_squares in counted:
            part = np.empty((len(squares), len(places)))
            _settle.square(cards, counts, of_squares, self.denominators[places], part)
            squares[:, places] = part
        return self._edges(compositions, counted), squares

    def _counts(self, compositions: NDArray[np.int32]) -> list[_Counted]:
        parts = []
        if self.by_outcome:
            forms = self.counter.forms(values_of(compositions))
            parts.append((self.by_outcome, forms, self.coefficients, self.squares))
        if self.by_first:
            parts.append((self.by_first, first_cards.counts(compositions), self.first_coefficients, self.first_squares))
        return parts

    def _edges(self, compositions: NDArray[np.int32], counted: list[_Counted]) -> NDArray[np.float64]:
        out = np.empty((len(compositions), len(self.bets)))
        cards = compositions.sum(axis=1, dtype=np.int64)
        for places, counts, coefficients, _ in counted:
            part = np.empty((len(out), len(places)))
            _settle.settle(cards, counts, coefficients, self.denominators[places], part)
            out[:, places] = part
        return out


def all_deals(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of ordered six-card deals of each shoe."""
    cards = compositions.sum(axis=1, dtype=np.int64)
    products: NDArray[np.int64] = np.prod([cards - i for i in range(COUP)], axis=0)
    return products


@lru_cache(maxsize=32)
def pricer(game: Game, bets: tuple[str, ...]) -> Pricer:
    chosen = [game.bet(name) for name in bets]
    places: dict[str, list[int]] = {"outcome": [], "first": []}
    for i, bet in enumerate(chosen):
        places[bet.shows].append(i)
    on_outcome, on_first = ([chosen[i] for i in of] for of in places.values())
    counted = counter(game.tableau, [tuple(bet.pay(o) for bet in on_outcome) for o in game.tableau.outcomes])
    pays = [[_whole_pay(bet, cls[0]) for bet in on_outcome] for cls in counted.outcomes]
    by_class = np.array(pays, np.int64).reshape(len(counted.outcomes), len(on_outcome))
    coefficients = counted.of_class.T @ by_class
    squares = np.ascontiguousarray(counted.of_class.T @ by_class.astype(float) ** 2)
    first_coefficients, first_squares = (
        np.array([_on_first(bet, power) for bet in on_first], np.int64)
        .reshape(len(on_first), len(first_cards.BY_CARD) + 1)
        .T
        for power in (1, 2)
    )
    for table in (coefficients, first_coefficients):
        assert np.abs(table).sum(axis=0).max(initial=0) <= _MOST_COEFFICIENTS  # by bets.MOST_PAY
    return Pricer(
        game,
        bets,
        counted,
        np.ascontiguousarray(coefficients),
        np.ascontiguousarray(first_coefficients),
        squares,
        np.ascontiguousarray(first_squares, float),
        np.array([bet.denominator for bet in chosen], float),
        places["outcome"],
        places["first"],
    )


def _on_first(bet: Bet, power: int = 1) -> NDArray[np.int64]:
    """The pays of a bet on first cards, or their squares, as a combination of closed forms."""
    return first_cards.combination((first, _whole_pay(bet, first) ** power) for first in FIRSTS)


def _whole_pay(bet: Bet, shown: Outcome | First) -> int:
    """What the bet pays on the least stake that it pays in whole units."""
    return int(bet.pay(shown) * bet.denominator)


def values_of(compositions: NDArray[np.int32]) -> NDArray[np.int32]:
    """Counts by value (shoes, 10) from counts by value, by rank (13) or by card (52)."""
    if compositions.shape[1] == WIDTH["value"]:
        return compositions
    if compositions.shape[1] == WIDTH["card"]:
        compositions = compositions.reshape(-1, WIDTH["rank"], len(SUITS)).sum(axis=2, dtype=np.int32)
    values = np.empty((len(compositions), WIDTH["value"]), np.int32)
    values[:, 0] = compositions[:, 9:].sum(axis=1)
    values[:, 1:] = compositions[:, :9]
    return values


def needs(bet: Bet) -> Knows:
    """The coarsest kind of composition that prices the bet."""
    return first_cards.needs(_on_first(bet)) if bet.shows == "first" else "value"


def refuse_coarse(bets: Iterable[Bet], knows: Knows, what: str) -> None:
    """Raise `InputError` if a bet needs a finer composition than the known one."""
    lacking = [bet for bet in bets if finest((needs(bet), knows)) != knows]
    if lacking:
        needed = finest(map(needs, lacking))
        names = ", ".join(bet.name for bet in lacking)
        known = "point values only, not ranks" if knows == "value" else "ranks only, not suits"
        raise InputError(
            f"{what}: knows {known}, and {names} should be priced on a shoe known by {needed}"
            + (" (or rank and suit)" if needed == "rank" else ", rank and suit")
        )


def events(
    game: Game | str | Path, shoe: Shoe, known: Known | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, int]:
    """The number of ordered six-card deals in which each event of the game happens.

    The first three are `player-win`, `banker-win` and `tie`, which make up all deals,
    `deals(shoe.cards_left)`; the others are what the game's pay lines pay on. With
    `known` cards of the coup about to be dealt (see `Known`), only the deals that agree count; a shoe known by
    value takes values only. `bets` names bets of the game or the catalog, by default all of the game's.
    Raises `InputError` for fewer than six cards, more than 27 decks, a shoe that does not know what a bet
    needs (its ranks for a pair, its suits for a perfect pair: `bets` leaves it out), or knowledge that
    the shoe rules out.

    >>> from counting import Shoe, events
    >>> list(events("punto-banco", Shoe.parse("8d-7-7-K")))[:3]
    ['player-win', 'banker-win', 'tie']
    """
    game = as_game(game) if bets is None else as_game(game).only(bets)
    if not isinstance(shoe, Shoe):
        raise InputError(f"shoe: {shoe!r}, should be a Shoe, as Shoe.parse('8d') makes")
    if not COUP <= shoe.cards_left <= MOST_CARDS:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP} to {MOST_CARDS:,}")
    refuse_coarse(game.bets, shoe.knows, f"shoe {shoe}")
    if known is not None:
        return _known_events(game, shoe, Known.parse(known) if isinstance(known, str) else known)
    counts = dict(zip(_event_counter(game).outcomes, _event_counter(game).classes(shoe.values), strict=True))
    by_event = {name: sum(n for cls, n in counts.items() if cls[0] in event) for name, event in game.events.items()}
    on_first = {name: event for name, event in game.events.items() if event <= _ALL_FIRSTS}
    if on_first:
        counted = [*map(int, first_cards.counts(np.array([shoe.counts], np.int32))[0]), deals(shoe.cards_left)]
        for name, event in on_first.items():
            combined = first_cards.combination((first, 1) for first in event if isinstance(first, First))
            by_event[name] = sum(int(c) * n for c, n in zip(combined, counted, strict=True))
    return by_event


def _known_events(game: Game, shoe: Shoe, known: Known) -> dict[str, int]:
    """Events counted over the deals that agree with what is known.

    Outcomes look at values. If a place may have some cards of a value only, a case has that value in the place, and
    the share of its deals that have one of those cards there does not depend on the other places.
    """
    on_first = {name: event for name, event in game.events.items() if event <= _ALL_FIRSTS}
    needed = known.tells if on_first else known.needs
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
                kinds = [frozenset(c // (DECK // len(counts)) for c in one) for one in some]
                share *= Fraction(ways(counts, kinds), drawn) if drawn else 0
        for cls, n in zip(counted.outcomes, counted.classes(shoe.values), strict=True):
            for name, event in game.events.items():
                if cls[0] in event:
                    amounts[name] += share * n
    for name, event in on_first.items():
        amounts[name] = Fraction(first_cards.known_count(shoe, known, [f for f in event if isinstance(f, First)]))
    if not any(amounts.values()):
        raise InputError(f"known {known}: the shoe {shoe} has no such cards")
    return {name: int(n) for name, n in amounts.items()}


@lru_cache(maxsize=256)
def _known_counter(game: Game, values: tuple[frozenset[int], ...]) -> OutcomeCounter:
    sets = list(game.events.values())
    return counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes], values)


def probabilities(
    game: Game | str | Path, shoe: Shoe, known: Known | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, Fraction]:
    """The exact probability of each of the game's events; arguments and errors as for `events`."""
    counts = events(game, shoe, known, bets)
    total = sum(counts[name] for name in MAIN_EVENTS)
    return {name: Fraction(count, total) for name, count in counts.items()}


def bet_edges(game: Game, probabilities: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The edges of the bets from the probabilities of the game's events."""
    return {
        bet: sum(((pay + 1) * probabilities[event] for event, pay in lines), Fraction(-1))
        for bet, lines in game.settlement.items()
    }


def exact_edges(
    game: Game | str | Path, shoe: Shoe, known: Known | str | None = None, bets: Iterable[str] | None = None
) -> dict[str, Fraction]:
    """The bettor's exact edge of each bet: expected profit per unit staked, pushes included.

    `known`: known cards of the coup about to be dealt, as "P1=9" or "P1=6-9 B2=K" (see `Known`). `bets`
    names bets of the game or the catalog, in this order, by default all of the game's. Errors as for `events`.

    >>> from counting import Shoe, exact_edges
    >>> {bet: round(float(edge), 6) for bet, edge in exact_edges("punto-banco", Shoe.decks(8), bets=["tie-8"]).items()}
    {'tie-8': -0.143596}
    >>> exact_edges("ez-baccarat", Shoe.parse("v:16,4,4,4,4,4,4,4,4,4"), "P1=9", bets=["player"])
    {'player': Fraction(632153, 2936325)}
    """
    game = as_game(game) if bets is None else as_game(game).only(bets)
    return bet_edges(game, probabilities(game, shoe, known))


def seeing(
    game: Game | str | Path, shoe: Shoe, place: int, known: Known | None = None
) -> dict[str, tuple[Fraction, dict[str, Fraction]]]:
    """The edges after one card of the coup is seen, at a place from 0 to 5 in dealing order: for each rank that it may
    have (each value, for a shoe known by value) its probability and the edges of the bets. Errors as for `events`."""
    game, known = as_game(game), known or Known()
    whole = sum(events(game, shoe, known)[name] for name in MAIN_EVENTS)
    if shoe.knows == "value":
        seen = {RANKS[v - 1] if v else "T": frozenset(c for c in ANY if VALUE_OF_CARD[c] == v) for v in range(10)}
    else:
        seen = {rank: frozenset(range(len(SUITS) * r, len(SUITS) * (r + 1))) for r, rank in enumerate(RANKS)}
    after = {}
    for name, cards in seen.items():
        more = known.also(place, cards)
        try:
            counts = events(game, shoe, more)
        except InputError:
            continue
        total = sum(counts[main] for main in MAIN_EVENTS)
        edges = bet_edges(game, {event: Fraction(n, total) for event, n in counts.items()})
        after[name] = (Fraction(total, whole), edges)
    return after


def edges(game: Game | str | Path, values: ArrayLike, bets: Iterable[str] | None = None) -> NDArray[np.float64]:
    """The bettor's edges on many shoes: float64 of shape (shoes, bets).

    `values` is an integer array of shape (shoes, 10): cards left of values 0, 1 ... 9; or (shoes, 13):
    of ranks A, 2 ... K, which bets on pairs need; or (shoes, 52): of each card, rank by rank in the order
    spades, hearts, diamonds, clubs, which bets on suits need. Each shoe has 6 to 1,404 cards (27 decks).
    `bets` names bets of the game or the catalog, by default all of the game's in its order. An edge is
    correct to a few units in the last place; it is exactly zero, or positive, when the fraction is.

    >>> import counting
    >>> counting.edges("punto-banco", [[128, *[32] * 9]], ["player", "banker-5"]).round(6).tolist()
    [[-0.012351, -0.010579]]
    """
    game = as_game(game)
    if isinstance(bets, str):
        raise InputError(f"bets: {bets!r} should be a list of names")
    names = game.bet_names if bets is None else tuple(bets)
    game = game.also(names)
    compositions = _compositions(values)
    kind = next(kind for kind, width in WIDTH.items() if width == compositions.shape[1])
    refuse_coarse([game.bet(name) for name in names], kind, f"values of shape {compositions.shape}")
    return pricer(game, names).edges(compositions)


def _compositions(values: ArrayLike) -> NDArray[np.int32]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError("values: rows differ in length, each should have 10 counts (or 13, or 52)") from None
    if array.ndim != 2 or array.shape[1] not in WIDTH.values():
        raise InputError(
            f"values: shape {array.shape}, should be (shoes, 10), by rank (shoes, 13), by card (shoes, 52)"
        )
    if array.dtype.kind not in "iu" and array.size:
        raise InputError(f"values: of type {array.dtype}, should be integers")
    wrong = np.flatnonzero(((array < 0) | (array > MOST_CARDS)).any(axis=1))
    if len(wrong):
        counts = array[wrong[0]].tolist()
        raise InputError(f"values: shoe {wrong[0]} is {counts}, counts should be 0 to {MOST_CARDS}")
    array = np.ascontiguousarray(array, np.int32)
    cards = array.sum(axis=1)
    wrong = np.flatnonzero((cards < COUP) | (cards > MOST_CARDS))
    if len(wrong):
        raise InputError(
            f"values: shoe {wrong[0]} has {cards[wrong[0]]} cards, should have {COUP} to {MOST_CARDS:,} (27 decks)"
        )
    return array


def with_replacement(game: Game | str | Path) -> dict[str, Fraction]:
    """The exact probability of each event with an infinite shoe: every card is drawn from a full deck."""
    game = as_game(game)
    chances = {}
    orders = [prod(4 if v == 0 else 1 for v in m) for m in forms.multisets()]
    counted = _event_counter(game)
    ways = [sum(int(w) * n for w, n in zip(row, orders, strict=True)) for row in counted.weights]
    for name, event in game.events.items():
        by_outcome = sum(n for n, cls in zip(ways, counted.outcomes, strict=True) if cls[0] in event)
        by_first = sum(first_cards.ways_with_replacement(first) for first in event if isinstance(first, First))
        chances[name] = Fraction(by_outcome, 13**COUP) + Fraction(by_first, DECK**2)
    return chances
