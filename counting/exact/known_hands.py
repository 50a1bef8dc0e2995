"""Bets settled by the hands, if cards of the coup are known before it is dealt.

There are two ways to count. The first way goes through the first two cards of both hands, by kinds of cards, and
through the ends of the coup. An end says which third cards the hands draw, if any. Third cards that neither the bet nor
the tableau tells apart make one end.

The second way is used if the first way would have too many pairs of hands and ends. It counts hands separately by how
they agree with what is known: by the number of orders in which their first two cards agree, and by whether their third
card agrees. If the fifth or the sixth card is known, hands are also counted separately by how many of the possible
cards of these places they use.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from math import perm, prod

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.cards import COUP, Shoe
from counting.errors import InputError
from counting.exact.hand_counts import counter_of
from counting.exact.known_cards import ANY, KnownCards
from counting.games import STOOD, Bet, Tableau
from counting.games.conditions import SIDES
from counting.games.hand_tables import hand_tables
from counting.games.hands import (
    CARD,
    CARDS,
    RANK,
    VALUE,
    Feature,
    looks_of,
    meets,
    number_in,
    orders_in,
    third_in,
)

_FEW, _MOST = 1 << 26, 1 << 28  # pairs of hands times ends that take the first way about a second, and some seconds
_NO = -1  # no third card


def known_lines(bet: Bet, tableau: Tableau, shoe: Shoe, known: KnownCards) -> list[int]:
    """The number of ordered six-card deals of each line that agree with what is known. Raises `InputError` if there is
    too much to count."""
    first_cards = _FirstCards(bet, tableau, shoe, known)
    if first_cards.work <= _FEW:
        return first_cards.totals()
    try:
        return _lines(bet, tableau, shoe, known)
    except InputError:
        if first_cards.work > _MOST:
            raise
        return first_cards.totals()


def _kind(shoe: Shoe, card: int) -> int:
    """The index of a card in the shoe's counts."""
    return {"card": CARD, "rank": RANK, "value": VALUE}[shoe.knows][card]


def _lines(bet: Bet, tableau: Tableau, shoe: Shoe, known: KnownCards) -> list[int]:
    """The counts of `known_lines`, in the second way."""
    conditions = bet.conditions
    p1, b1, p2, b2, fifth, sixth = known.cards
    orders = {"player": orders_in(p1, p2), "banker": orders_in(b1, b2)}
    wanted = {("player", orders["player"]), ("banker", orders["banker"])} if {p1, p2, b1, b2} != {ANY} else set()
    later = fifth != ANY or sixth != ANY
    of_fifth, of_sixth, of_both = (number_in(cards) for cards in (fifth, sixth, fifth & sixth))
    if later:
        wanted |= {("player", third_in(fifth)), ("banker", third_in(fifth)), ("banker", third_in(sixth))}
        wanted |= {(side, feature) for side in SIDES for feature in (CARDS, of_fifth, of_sixth, of_both)}
    apart = tuple(sorted(wanted, key=lambda look: (look[0], look[1].name)))
    try:
        tables = hand_tables(conditions, tableau, apart)
        counter = counter_of(tables)
    except InputError:
        raise InputError(
            f"known {known}: too much to count with bet {bet.name}, which is settled by the hands; should be fewer "
            "places, or fewer cards in the fifth and sixth, as 5=10c"
        ) from None
    by_dealt = counter.by_cards_dealt(np.array([shoe.counts], np.int32))[0]
    by_dealt = by_dealt.reshape(len(conditions), len(tables.parts), -1)
    totals = [0] * len(conditions)
    for j, part in enumerate(tables.parts):
        shown = dict(zip(apart, part, strict=True))
        # how many of the four orders of the hands' first two cards agree
        agreeing = prod(shown.get((side, orders[side]), 2) for side in SIDES)
        for dealt in range(2, COUP + 1):
            undealt = _undealt(shoe, known, shown, dealt) if later else perm(shoe.cards_left - dealt, COUP - dealt)
            for line in range(len(conditions)):
                totals[line] += int(by_dealt[line, j, dealt - 2]) * agreeing * undealt
    return [total // 4 for total in totals]


def _undealt(shoe: Shoe, known: KnownCards, shown: dict[tuple[str, Feature], int], dealt: int) -> int:
    """The number of ways to choose the fifth and the sixth card, or only the sixth if the fifth is dealt, so that they
    agree with what is known. It is 1 if both are dealt, and 0 if a dealt third card does not agree."""
    fifth, sixth = known.cards[4:]
    player_drew, banker_drew = (shown[side, CARDS] == 3 for side in SIDES)
    thirds: Sequence[int] = ()
    if player_drew:
        thirds = [shown["player", third_in(fifth)], *([shown["banker", third_in(sixth)]] if banker_drew else [])]
    elif banker_drew:
        thirds = [shown["banker", third_in(fifth)]]
    if not all(thirds):
        return 0

    def left(cards: frozenset[int]) -> int:
        return _number(shoe, cards) - sum(shown[side, number_in(cards)] for side in SIDES)

    if dealt == COUP:
        return 1
    if dealt == COUP - 1:
        return left(sixth)
    return left(fifth) * left(sixth) - left(fifth & sixth)


class _FirstCards:
    """The first two cards of both hands that agree with what is known. Cards are of one kind if neither the bet nor the
    tableau nor what is known tells them apart. Arrays have an axis for Player's hands and an axis for Banker's hands.
    `example` has one card of each kind; the number of a kind is its index in `example`."""

    def __init__(self, bet: Bet, tableau: Tableau, shoe: Shoe, known: KnownCards) -> None:
        self.conditions, self.tableau = bet.conditions, tableau
        self.looks = dict.fromkeys(look for line in bet.conditions for look in looks_of(line))
        looked_at = [look for _, feature in self.looks for look in (*feature.first, *(feature.third or ()))]
        told = [VALUE, *looked_at, *([card in cards for card in CARD] for cards in known.cards)]
        numbers = {tuple(cards): _number(shoe, frozenset(cards)) for cards in _alike(CARD, told)}
        kinds = {cards: number for cards, number in numbers.items() if number}  # the kinds that the shoe has
        self.example = np.array([cards[0] for cards in kinds])
        self.counts = np.array([*kinds.values()], np.int64)
        p1, b1, p2, b2, *later = known.cards
        self.later = [[k for k, card in enumerate(self.example.tolist()) if card in cards] for cards in later]
        (a, b, of_player), (c, d, of_banker) = self._hands(p1, p2), self._hands(b1, b2)
        self.player, self.banker = (a[:, np.newaxis], b[:, np.newaxis]), (c, d)
        self.orders = of_player[:, np.newaxis] * of_banker

    def _hands(self, one: frozenset[int], other: frozenset[int]) -> tuple[Ints, Ints, Ints]:
        """The pairs of kinds that the first two cards of a hand may have, with the second kind not before the first.
        Also, for each pair, the number of orders in which one card is in the set `one` and the next in the set `other`.
        Pairs of kinds without such an order are left out."""
        first, second = np.triu_indices(len(self.counts))
        of_one, of_other = (np.array([card in cards for card in self.example], np.int64) for cards in (one, other))
        orders = of_one[first] * of_other[second] + (first != second) * of_one[second] * of_other[first]
        return first[orders > 0], second[orders > 0], orders[orders > 0]

    @property
    def work(self) -> int:
        """The number of pairs of hands to go through, times the ends of a coup."""
        fifth, sixth = self.later
        after = 1 + len(self._by_look("banker", sixth))
        return int(self.orders.size) * (
            1 + len(self._by_look("banker", fifth)) + len(self._by_look("player", fifth)) * after
        )

    def totals(self) -> list[int]:
        """The number of ordered six-card deals of each line."""
        totals, deals = [0] * len(self.conditions), self._deals()
        for here, player, banker, fifth, sixth in self._ends():
            line = self._lines(player, banker)
            number = self._left(fifth, sixth)
            number *= deals
            totals = [total + int(number[here & (line == i)].sum()) for i, total in enumerate(totals)]
        return totals

    def _deals(self) -> Ints:
        """The number of ways in which the two hands are dealt."""
        (a, b), (c, d), n = self.player, self.banker, self.counts
        of_player = n[a] * (n[b] - (a == b))
        of_banker = (n[c] - (c == a) - (c == b)) * (n[d] - (d == a) - (d == b) - (d == c))
        deals: Ints = self.orders * of_player * of_banker  # a factor below 0 always has a factor of 0 before it
        return deals

    def _left(self, fifth: Sequence[int], sixth: Sequence[int]) -> Ints:
        """The number of ways in which a fifth and a sixth card of these kinds follow the hands."""

        def left(kinds: Iterable[int]) -> Ints:
            among = np.isin(np.arange(len(self.counts)), [*kinds]).astype(np.int64)
            of_player, of_banker = (among[one] + among[other] for one, other in (self.player, self.banker))
            number: Ints = (among @ self.counts - of_player) - of_banker
            return number

        number = left(fifth)
        number *= left(sixth)
        if both := {*fifth} & {*sixth}:
            number -= left(both)
        return number

    def _ends(self) -> Iterator[tuple[Bools, int, int, list[int], list[int]]]:
        """How coups end. For each end: which hands have it, the kinds of Player's and Banker's third cards (-1 for
        none), and the kinds of the fifth and the sixth card, which may be undealt."""
        fifth, sixth = self.later
        value = np.array(VALUE)[self.example]
        totals = tuple((value[one] + value[other]) % 10 for one, other in (self.player, self.banker))
        ten = range(10)
        player = np.array([[self.tableau.player_draws(p, b) for b in ten] for p in ten])[totals]

        @cache
        def banker(third: int) -> Bools:
            draws: Bools = np.array([[self.tableau.banker_draws(p, b, third) for b in ten] for p in ten])[totals]
            return draws

        yield ~player & ~banker(STOOD), _NO, _NO, fifth, sixth
        for of_fifth in self._by_look("banker", fifth):
            yield ~player & banker(STOOD), _NO, of_fifth[0], of_fifth, sixth
        for of_fifth in self._by_look("player", fifth):
            after = banker(int(value[of_fifth[0]]))
            yield player & ~after, of_fifth[0], _NO, of_fifth, sixth
            for of_sixth in self._by_look("banker", sixth):
                yield player & after, of_fifth[0], of_sixth[0], of_fifth, of_sixth

    def _by_look(self, side: str, kinds: Sequence[int]) -> list[list[int]]:
        """These kinds of a third card, in groups of kinds that the bet and the tableau do not tell apart."""
        looks = [look for of, feature in self.looks if of == side for look in feature.third or ()]
        cards = {int(self.example[kind]): kind for kind in kinds}
        alike = _alike(cards, [*looks, *([VALUE] if side == "player" else [])])
        return [[cards[card] for card in group] for group in alike]

    def _lines(self, player: int, banker: int) -> NDArray[np.uint16]:
        """The line that the hands meet with third cards of these kinds, or without third cards. If they meet no line,
        it is the number of lines."""
        shown = {}
        for side, feature in self.looks:
            (first, second), third = (self.player, player) if side == "player" else (self.banker, banker)
            last = np.full(first.shape, -1 if third == _NO else self.example[third])
            shown[side, feature] = np.asarray(feature.of(self.example[first], self.example[second], last))
        line = np.full(self.orders.shape, len(self.conditions), np.uint16)
        for i in range(len(self.conditions) - 1, -1, -1):
            line[meets(self.conditions[i], shown, self.orders.shape)] = i
        return line


def _alike(cards: Iterable[int], looks: Sequence[Sequence[int]]) -> list[list[int]]:
    """Cards in groups of cards that these looks do not tell apart."""
    groups: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for card in cards:
        groups[tuple(look[card] for look in looks)].append(card)
    return [*groups.values()]


def _number(shoe: Shoe, cards: frozenset[int]) -> int:
    """How many of the shoe's cards are among `cards`. If the shoe is known by value or by rank, `cards` must have all
    cards of a value or a rank, or none."""
    return sum(shoe.counts[kind] for kind in {_kind(shoe, card) for card in cards})
