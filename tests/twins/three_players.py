"""A slow reference implementation of banque for tiny shoes: every deal is enumerated, and the three sides play
independently.

Each side gets one card in turn, twice. Then come naturals, the first Player's third card, the second Player's, and
Banker's. Every single deal of values is tried. The package is used only for the rest of a coup after a natural, which
is solved as chemin de fer.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import perm

from counting import Shoe
from counting.chemin import Solution, solve

STOOD = 10

Hand = tuple[int, int]
Cell = tuple[int | Hand, int, int]
Alone = Callable[[Hand, Hand, Hand, list[int]], Fraction]


class Three:
    """The worth of each of Banker's cells. `worth`: for each cell and each pair of the Players' pure plays on five,
    four whole numbers over `scale`: the worth to the first and the second Player if Banker stands, then if Banker
    draws. `settled`: the worth to both Players of coups with a natural."""

    def __init__(self, counts: tuple[int, ...], by_hand: bool, alone: Alone) -> None:
        self.by_hand, cards = by_hand, sum(counts)
        self.worth: dict[Cell, dict[tuple[bool, bool], list[int]]] = defaultdict(
            lambda: {plays: [0] * 4 for plays in product((False, True), repeat=2)}
        )
        self.scale = perm(cards, 9)  # a coup uses at most nine cards; unused cards may be any
        self.settled = [Fraction(0), Fraction(0)]
        for hands, ways, left in _hands(list(counts)):
            one, two, banker = hands
            a, b, t = (sum(hand) % 10 for hand in hands)
            if t >= 8 or (a >= 8 and b >= 8):
                net = Fraction(_sign(a - t)), Fraction(_sign(b - t))
            elif a >= 8:
                net = Fraction(1), alone(two, banker, one, left)
            elif b >= 8:
                net = alone(one, banker, two, left), Fraction(1)
            else:
                coups: dict[tuple[bool, bool], list[tuple[Cell, list[int]]]] = {}
                for plays in product((False, True), repeat=2):
                    draws = a < 5 or (a == 5 and plays[0]), b < 5 or (b == 5 and plays[1])
                    if draws not in coups:
                        coups[draws] = list(self._coup(hands, draws, left))
                    for cell, worth in coups[draws]:
                        at = self.worth[cell][plays]
                        self.worth[cell][plays] = [w + ways * n for w, n in zip(at, worth, strict=True)]
                continue
            p = Fraction(ways, perm(cards, 6))
            self.settled = [w + p * n for w, n in zip(self.settled, net, strict=True)]

    def cases(self, uses_third: bool) -> list[int | None]:
        """What the second Player sees of the first: the third cards that are possible, and STOOD. Without `uses_third`,
        there is one case, None."""
        return sorted({cell[1] for cell in self.worth}) if uses_third else [None]

    def _coup(
        self, hands: tuple[Hand, Hand, Hand], draws: tuple[bool, bool], left: list[int]
    ) -> Iterator[tuple[Cell, list[int]]]:
        a, b, t = (sum(hand) % 10 for hand in hands)
        own = hands[2] if self.by_hand else t
        for one, n, fewer in _third(draws[0], left):
            for two, m, last in _third(draws[1], fewer):
                totals = [k if card == STOOD else (k + card) % 10 for k, card in ((a, one), (b, two))]
                stand = [sum(last) * _sign(total - t) for total in totals]
                draw = [sum(k * _sign(total - (t + card) % 10) for card, k in enumerate(last)) for total in totals]
                ways = n * m * perm(sum(last) - 1, 2 - sum(draws))
                yield (own, one, two), [ways * k for k in (*stand, *draw)]

    def at(self, cell: Cell, x: Fraction, y: Fraction) -> list[Fraction]:
        """The worth of a cell to the first and the second Player if Banker stands, then if Banker draws. `x` and `y`:
        the probabilities that the first and the second Player draw on five."""
        of_one = {True: x.numerator, False: x.denominator - x.numerator}
        of_two = {True: y.numerator, False: y.denominator - y.numerator}
        sums = [0] * 4
        for (one, two), worth in self.worth[cell].items():
            if p := of_one[one] * of_two[two]:  # usually 0, as pure plays are tried
                sums = [w + p * n for w, n in zip(sums, worth, strict=True)]
        scale = self.scale * x.denominator * y.denominator
        return [Fraction(n, scale) for n in sums]

    def profits(
        self, x: Fraction, ys: Mapping[int | None, Fraction], qs: Mapping[Cell, Fraction]
    ) -> tuple[Fraction, Fraction]:
        return self._in_all(self._nets(x, qs), ys)

    def _nets(self, x: Fraction, qs: Mapping[Cell, Fraction]) -> Callable[[Cell, Fraction], list[Fraction]]:
        """A function that gives the worth of a cell to both Players, from the cell and the second Player's play in
        it."""

        @cache
        def net(cell: Cell, y: Fraction) -> list[Fraction]:
            q, worth = qs[cell], self.at(cell, x, y)
            return [(1 - q) * stand + q * draw for stand, draw in zip(worth[:2], worth[2:], strict=True)]

        return net

    def _in_all(
        self, net: Callable[[Cell, Fraction], list[Fraction]], ys: Mapping[int | None, Fraction]
    ) -> tuple[Fraction, Fraction]:
        first, second = self.settled
        for cell in self.worth:
            to_first, to_second = net(cell, _in_case(ys, cell))
            first += to_first
            second += to_second
        return first, second

    def gains(
        self, theta: Fraction, x: Fraction, ys: Mapping[int | None, Fraction], qs: Mapping[Cell, Fraction]
    ) -> tuple[Fraction, Fraction, Fraction]:
        """What each of the three sides would gain by changing to its best pure play. All pure plays of the Players are
        tried. Banker's best play is found cell by cell, as the gains of cells add up."""
        first, second = self.profits(x, ys, qs)
        ends = (Fraction(0), Fraction(1))
        of_first = max(self.profits(end, ys, qs)[0] for end in ends) - first
        every = (dict(zip(ys, plays, strict=True)) for plays in product(ends, repeat=len(ys)))
        net = self._nets(x, qs)
        of_second = max(self._in_all(net, plays)[1] for plays in every) - second
        of_banker = Fraction(0)
        for cell, q in qs.items():
            worth = self.at(cell, x, _in_case(ys, cell))
            stand, draw = (theta * worth[i] + (1 - theta) * worth[i + 1] for i in (0, 2))
            of_banker += (1 - q) * stand + q * draw - min(stand, draw)
        return of_first, of_second, of_banker


@cache
def dealt(text: str, model: str) -> Three:
    """The enumeration for a tiny shoe. After a natural, the rest of the coup is chemin de fer, solved for the shoe
    without the natural's cards."""
    shoe = Shoe.parse(text)

    @cache
    def solved(natural: Hand) -> Solution:
        left = list(shoe.values)
        for card in natural:
            left[card] -= 1
        return solve(Shoe.from_values(left), model)

    def alone(hand: Hand, banker: Hand, natural: Hand, left: list[int]) -> Fraction:
        play, t = solved(natural), sum(banker) % 10
        own = banker if model == "B2" else t
        p = play.player[5] if sum(hand) % 10 == 5 else Fraction(sum(hand) % 10 < 5)
        worth = Fraction(0)
        for card, chance in [(STOOD, 1 - p), *((c, p * Fraction(n, sum(left))) for c, n in enumerate(left))]:
            if chance:
                total, fewer = sum(hand) % 10, list(left)
                if card != STOOD:
                    total, fewer[card] = (total + card) % 10, fewer[card] - 1
                q = play.banker[own, card]
                draws = sum(n * _sign(total - (t + c) % 10) for c, n in enumerate(fewer))
                worth += chance * ((1 - q) * _sign(total - t) + q * Fraction(draws, sum(fewer)))
        return worth

    return Three(shoe.values, model == "B2", alone)


def _in_case(ys: Mapping[int | None, Fraction], cell: Cell) -> Fraction:
    return ys[None] if None in ys else ys[cell[1]]


def _sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def _third(draws: bool, left: list[int]) -> Iterator[tuple[int, int, list[int]]]:
    if not draws:
        yield STOOD, 1, left
        return
    for card, n in enumerate(left):
        if n:
            yield card, n, [m - (i == card) for i, m in enumerate(left)]


def _hands(counts: list[int]) -> Iterator[tuple[tuple[Hand, Hand, Hand], int, list[int]]]:
    """The three hands of two cards, each as sorted values, with the number of ways to deal them and the cards left."""
    ways: dict[tuple[Hand, Hand, Hand], int] = defaultdict(int)
    lefts = {}
    for cards, n, left in _dealt(counts, 6):
        one, two, banker = ((min(cards[i::3]), max(cards[i::3])) for i in range(3))
        ways[one, two, banker] += n
        lefts[one, two, banker] = left
    for hands, n in ways.items():
        yield hands, n, lefts[hands]


def _dealt(left: list[int], cards: int) -> Iterator[tuple[tuple[int, ...], int, list[int]]]:
    """Every sequence of `cards` values, with the number of ways to deal it and the cards left."""
    if not cards:
        yield (), 1, left
        return
    for card, n in enumerate(left):
        if n:
            fewer = [m - (i == card) for i, m in enumerate(left)]
            for others, more, last in _dealt(fewer, cards - 1):
                yield (card, *others), n * more, last
