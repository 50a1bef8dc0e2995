"""The reference implementation: it counts events by the rule sheet, in plain Python integers.

It deals cards one at a time out of the composition and looks at what a dealer looks at. It shares only the game's data
with the evaluator. Only tests, experiments and `verify` use it. Both orders of a hand's first two cards are equally
frequent. So only the order with the lower card first is dealt, and it is counted twice if the cards differ.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, product
from math import prod
from typing import Any

import numpy as np

from counting.cards import Shoe
from counting.games import STOOD, Bet, First, Game, LineHit, Outcome, Shown, on_hands
from counting.verify import pay_lines

Hand = tuple[int, ...]


def _draws(left: list[int], least: int = 0) -> Iterator[tuple[int, int]]:
    """Draw a card of each value in turn, from the value `least` up. Yields the value, and how many cards of this value
    the card was drawn from. The drawn card is out of the shoe until the next draw."""
    for value in range(least, 10):
        ways = left[value]
        if ways:
            left[value] -= 1
            yield value, ways
            left[value] += 1


def outcomes(game: Game, shoe: Shoe) -> Counter[Outcome]:
    """The number of ordered six-card deals with each outcome, for a shoe of six cards or more."""
    left = list(shoe.values)
    counts: Counter[tuple[int, int, int, int]] = Counter()
    for p1, n1 in _draws(left):
        for b1, n2 in _draws(left):
            for p2, n3 in _draws(left, p1):
                for b2, n4 in _draws(left, b1):
                    ways = n1 * n2 * n3 * n4 * _ways_round(p1, p2) * _ways_round(b1, b2)
                    _finish(game, left, (p1 + p2) % 10, (b1 + b2) % 10, ways, counts)
    return Counter({Outcome(*shown): n for shown, n in counts.items()})


def _ways_round(first: int, second: int) -> int:
    """How many orders of a hand's first two cards a deal stands for. Only the order with the lower card first is dealt,
    so the deal is counted twice if the cards differ."""
    return 2 if first < second else 1


def _finish(
    game: Game, left: list[int], player: int, banker: int, ways: int, counts: Counter[tuple[int, int, int, int]]
) -> None:
    """Deal third cards by the tableau, and add the coups that begin with these two-card totals to `counts`. Six cards
    are always dealt, and those that the coup does not use may be any of the cards left."""
    unused = sum(left)
    two_unused = unused * (unused - 1)
    tableau = game.tableau
    if not tableau.player_draws(player, banker):
        if not tableau.banker_draws(player, banker, STOOD):
            counts[player, banker, 2, 2] += ways * two_unused
            return
        for card, n in enumerate(left):
            if n:
                counts[player, (banker + card) % 10, 2, 3] += ways * n * (unused - 1)
        return
    for third, n in enumerate(left):
        total = (player + third) % 10
        if not n:
            continue
        if not tableau.banker_draws(player, banker, third):
            counts[total, banker, 3, 2] += ways * n * (unused - 1)
            continue
        for card, m in enumerate(left):
            if m - (card == third):
                counts[total, (banker + card) % 10, 3, 3] += ways * n * (m - (card == third))


def firsts(shoe: Shoe) -> Counter[First]:
    """The number of ordered six-card deals for each combination of what the first two cards of the two hands show
    (`First`).

    The shoe is known by card or by rank. If it is known by rank, no two cards count as cards of the same suit.
    """
    suits = 4 if shoe.knows == "card" else 1
    left = [(i // suits, i % suits if suits > 1 else None, n) for i, n in enumerate(shoe.counts) if n]
    cards = [(rank, suit) for rank, suit, _ in left]
    counts = [n for _, _, n in left]
    by_first: Counter[First] = Counter()
    unused = sum(counts) - 4
    for p1 in range(len(cards)):
        for b1 in range(len(cards)):
            for p2 in range(len(cards)):
                for b2 in range(len(cards)):
                    ways = 1
                    for i in (p1, b1, p2, b2):
                        ways *= counts[i]
                        counts[i] -= 1
                    for i in (p1, b1, p2, b2):
                        counts[i] += 1
                    player, banker = _alike(cards[p1], cards[p2]), _alike(cards[b1], cards[b2])
                    by_first[First(*player, *banker)] += ways * unused * (unused - 1)
    return by_first


def hands(shoe: Shoe, game: Game, lines: Sequence[Mapping[str, Any]]) -> list[int]:
    """The number of ordered six-card deals in which each line is the first that the hands meet. The shoe must be known
    by card, with few different cards, because every deal is looked at."""
    return lines_met(every_deal(shoe, game), lines)


def every_deal(shoe: Shoe, game: Game) -> Counter[tuple[Hand, Hand]]:
    """The number of ordered six-card deals that make each pair of hands, for a shoe as in `hands`. The first two cards
    of a hand are in rising order."""
    counts: Counter[tuple[Hand, Hand]] = Counter()
    for deal, ways in _deals(shoe, [range(52)] * 6, rising=True):
        counts[dealt_hands(game, deal)] += ways * _ways_round(deal[0], deal[2]) * _ways_round(deal[1], deal[3])
    return counts


def _deals(
    shoe: Shoe, allowed: Sequence[Collection[int]], rising: bool = False
) -> Iterator[tuple[tuple[int, ...], int]]:
    """The deals of six cards, 0 to 51, with an allowed card at each place. Each deal comes with the number of ways in
    which it is dealt. `rising`: only deals in which the first two cards of both hands are in rising order."""
    present = [card for card, n in enumerate(shoe.cards) if n]
    for deal in product(*([card for card in present if card in cards] for cards in allowed)):
        if rising and (deal[2] < deal[0] or deal[3] < deal[1]):
            continue
        left, ways = list(shoe.cards), 1
        for card in deal:
            ways *= left[card]
            left[card] -= 1
        if ways:
            yield deal, ways


def lines_met(deals: Mapping[tuple[Hand, Hand], int], lines: Sequence[Mapping[str, Any]]) -> list[int]:
    """The number of these deals in which the hands meet each line first."""
    counts = [0] * (len(lines) + 1)
    for (player, banker), ways in deals.items():
        counts[pay_lines.first_met(lines, player, banker)] += ways
    return counts[:-1]


def dealt_hands(game: Game, deal: Sequence[int]) -> tuple[Hand, Hand]:
    """Player's cards and Banker's cards, if six cards, 0 to 51, are dealt in this order."""
    outcome = _outcome(game, list(map(_value, deal)))
    rest = list(deal[4:])
    player = [deal[0], deal[2], *([rest.pop(0)] if outcome.player_cards == 3 else [])]
    banker = [deal[1], deal[3], *([rest.pop(0)] if outcome.banker_cards == 3 else [])]
    return tuple(player), tuple(banker)


def _met(game: Game, deal: Sequence[int]) -> set[LineHit]:
    """Which pay table line the hands dealt from these six cards meet, for each of the game's bets that the hands
    settle."""
    return {hands_met(game, bet, deal) for bet in on_hands(game.bets)}


def bets_by_hands(bets: Sequence[Bet]) -> list[Bet]:
    """The bets among these that the hands settle."""
    lines = {bet.conditions for bet in on_hands(bets)}
    return [bet for bet in bets if bet.conditions in lines]


def hands_met(game: Game, bet: Bet, deal: Sequence[int]) -> LineHit:
    """Which pay table line the hands dealt from these six cards meet, for a bet that the hands settle."""
    return bet.met[pay_lines.first_met(plain_lines(bet), *dealt_hands(game, deal))]


def plain_lines(bet: Bet) -> list[dict[str, Any]]:
    """The conditions of a bet's lines as plain data."""
    return [json.loads(met.line) for met in bet.met[:-1]]


def known_events(game: Game, shoe: Shoe, allowed: Sequence[Collection[int]]) -> dict[str, int]:
    """The same as `counting.events` with known cards. allowed[place] has the cards, 0 to 51, that may be at a place.

    The shoe must be known by card, with few different cards, because every deal of six cards is looked at.
    """
    counts = dict.fromkeys(game.events, 0)
    for deal, ways in _deals(shoe, allowed):
        shown = {*_shown(game, deal), *_met(game, deal)}
        for name, event in game.events.items():
            if shown & event:
                counts[name] += ways
    return counts


def shuffled(words: Iterator[int], decks: int) -> list[int]:
    """A shoe in dealing order, cards 0 to 51, from a stream of 32-bit words. Lemire's unbiased draw picks each card
    from the cards not yet dealt. The cards not yet dealt stay in the order of their decks, with one exception: in each
    draw, the first of them moves to the place of the drawn card."""
    cards = list(range(52)) * decks
    for i in range(len(cards)):
        left = len(cards) - i
        drawn = next(words) * left
        while drawn % 2**32 < 2**32 % left:
            drawn = next(words) * left
        j = i + drawn // 2**32
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def order(seed: int, shoe: int, decks: int) -> list[int]:
    """The cards of a shoe in dealing order, from the words of numpy's Philox."""
    words = np.random.Philox(key=np.array([seed, shoe], np.uint64)).random_raw(52 * decks).tolist()
    return shuffled(chain.from_iterable((word % 2**32, word >> 32) for word in words), decks)


def coups_at(dealt: Sequence[tuple[int, int]], cut: int, after_cut: tuple[int, int]) -> int:
    """The number of coups dealt with `cut` cards behind the cut card. `dealt` has two numbers for each coup of a shoe
    that is dealt to its end: how many cards are undealt when the coup begins, and how many cards the coup takes.
    `after_cut` has two numbers of further coups: the first applies if the cut card comes out inside a coup, the second
    if it is the first card of a coup."""
    inside, first = after_cut
    for number, (undealt, taken) in enumerate(dealt, 1):
        if undealt - taken < cut:
            return min(number + (first if undealt == cut else inside), len(dealt))
    return len(dealt)


def dealt_coups(game: Game, cards: Sequence[int], burn: str) -> Iterator[tuple[int, list[int], Outcome, First]]:
    """The coups of a shoe with its cards in this order, dealt to the end. For each coup: the number of undealt cards at
    its start, the unseen cards of each value, and what the coup shows.

    `burn` is none, a number of cards as 3 (face down) or 3-shown (face up), or first-card. With first-card, the first
    card is burned face up, then a number of cards equal to its value (10 for a ten or face) face down.
    """
    unseen = Counter(map(_value, cards))
    start = 0
    if burn == "first-card":
        unseen[_value(cards[0])] -= 1
        start = 1 + (_value(cards[0]) or 10)
    elif burn != "none":
        start = int(burn.split("-", maxsplit=1)[0])
        unseen.subtract(map(_value, cards[:start] if burn.endswith("shown") else []))
    while len(cards) - start >= 6:
        outcome, first = _shown(game, cards[start : start + 6])
        yield len(cards) - start, [unseen[value] for value in range(10)], outcome, first
        unseen.subtract(map(_value, cards[start : start + outcome.cards]))
        start += outcome.cards


def _value(card: int) -> int:
    return card // 4 + 1 if card < 36 else 0


def _shown(game: Game, deal: Sequence[int]) -> tuple[Outcome, First]:
    """The outcome of six cards, 0 to 51, in dealing order, and what the first two cards of each hand show."""
    cards = [(card // 4, card % 4) for card in deal]
    first = First(*_alike(cards[0], cards[2]), *_alike(cards[1], cards[3]))
    return _outcome(game, list(map(_value, deal))), first


def _outcome(game: Game, deal: Sequence[int]) -> Outcome:
    player, banker, rest = (deal[0] + deal[2]) % 10, (deal[1] + deal[3]) % 10, list(deal[4:])
    first, third, cards = player, STOOD, 2
    if game.tableau.player_draws(player, banker):
        third, cards = rest.pop(0), 3
        player = (player + third) % 10
    if game.tableau.banker_draws(first, banker, third):
        return Outcome(player, (banker + rest[0]) % 10, cards, 3)
    return Outcome(player, banker, cards, 2)


def _alike(a: tuple[int, int | None], b: tuple[int, int | None]) -> tuple[bool, bool]:
    """Whether two cards have the same rank, and whether they have the same suit."""
    return a[0] == b[0], a[1] is not None and a[1] == b[1]


def _all_shown(game: Game, shoe: Shoe) -> Counter[Shown]:
    counts: Counter[Shown] = Counter(outcomes(game, shoe))
    if any(isinstance(shown, First) for event in game.events.values() for shown in event):
        counts.update(firsts(shoe))
    total = prod(range(shoe.cards_left - 5, shoe.cards_left + 1))
    for bet in on_hands(game.bets):
        by_line = hands(shoe, game, plain_lines(bet))
        counts.update(dict(zip(bet.met, [*by_line, total - sum(by_line)], strict=True)))
    return counts


def events(game: Game, shoe: Shoe, counted: Mapping[Shown, int] | None = None) -> dict[str, int]:
    """The same as `counting.events`. `counted` may give the counts on the shoe, from another game with this tableau, to
    save time."""
    if counted is None:
        counted = _all_shown(game, shoe)
    return {name: sum(counted.get(shown, 0) for shown in event) for name, event in game.events.items()}


def exact_edges(game: Game, shoe: Shoe) -> dict[str, Fraction]:
    """The same as `counting.exact_edges`: each coup is paid by the first pay table line that it meets."""
    counts = _all_shown(game, shoe)
    total = prod(range(shoe.cards_left - 5, shoe.cards_left + 1))
    edges = {}
    for bet in game.bets:
        paid: Counter[Fraction] = Counter()
        for shown in bet.happening(game.tableau):
            paid[bet.pay(shown)] += counts[shown]
        edges[bet.name] = sum((pay * ways for pay, ways in paid.items()), Fraction()) / total
    return edges
