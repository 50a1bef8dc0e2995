"""Baccara banque: two Players' hands against one of Banker's, the part theta of the stakes on the first.

Naturals are shown at once. Banker's, or both Players', ends the coup; after one Player's, the other tableau continues
as chemin de fer with the cards left. Settled coups cancel: each Player's hand and Banker's have the same distribution.
So only coups without a natural are new. The first Player, then the second, stands or draws by the total, with a free
choice on five only; then Banker, who sees both third cards.

The Players share their winnings, and agree on a plan, possibly a random one, that Banker does not see. The first's play
is x, the probability of drawing; the second's may depend on it: u, the probability that both draw, and v, that only the
second draws, in each case that the second distinguishes. So 0 <= u <= x and 0 <= v <= 1 - x, and the worth of a deal is
affine in them. The two bounds that make this not a cube are walls: the first Player's gain from passing one is less
than its cost, a column of the form for Banker's answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.chemin import _deals
from counting.chemin.banque.certificate import MOST_CARDS, BanqueCertificate, PlayersMix, TwoCell, fitting_banque
from counting.chemin.game import SIGN, cells, dealt_from, ways
from counting.chemin.rules import CLASSICAL, HANDS, THIRDS, TOTALS, Hand, Model
from counting.chemin.saddle import saddle
from counting.chemin.solution import Solution, solve
from counting.errors import InputError
from counting.games import STOOD

_LOW: tuple[Hand, ...] = tuple(hand for hand in HANDS if sum(hand) % 10 < TOTALS)
_LOW_HANDS = np.array(_LOW, np.int32)

# Affine forms in (x, u, v), the constant first: the chance that the first and the second do so. A Player
# whose total leaves no choice is None.
_ONE, _X, _U, _V = np.eye(4, dtype=np.int64)
_CHANCE = {
    (None, None): _ONE,
    (None, True): _U + _V,
    (None, False): _ONE - _U - _V,
    (True, None): _X,
    (False, None): _ONE - _X,
    (True, True): _U,
    (True, False): _X - _U,
    (False, True): _V,
    (False, False): _ONE - _X - _V,
}
# (first stood, second stood, his hand was five or not times theirs, form), and (form, pure plan).
_AFFINE = np.array(
    [
        [[_CHANCE[a, b] for a in (None, first) for b in (None, second)] for second in (True, False)]
        for first in (True, False)
    ]
).astype(object)
_PLANS = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1], [1, 0, 0, 0]]).T.astype(object)


@dataclass(frozen=True, eq=False)
class Banque:
    """A solved shoe at two tableaux.

    `value` is the Players' joint expectation per unit staked by both, pushes included; `tableaux` each one's
    expectation per unit staked on the hand, with these strategies. They are in the certificate, which proves the value:
    `players` and `banker`. `undecided` are the cells of Banker's in which neither move is as good as the other whatever
    the Players do, while no hand is a natural; `naturals` the tableau that goes on after a Player's natural.
    """

    shoe: Shoe
    theta: Fraction
    model: str
    uses_third: bool
    value: Fraction
    tableaux: tuple[Fraction, Fraction]
    certificate: BanqueCertificate
    undecided: tuple[TwoCell, ...]
    naturals: Mapping[Hand, Solution]

    @property
    def players(self) -> Mapping[int | None, PlayersMix]:
        return self.certificate.players

    @property
    def banker(self) -> Mapping[TwoCell, Fraction]:
        return self.certificate.banker

    @property
    def independent(self) -> bool:
        """Whether the second Player's move is independent of the first's in this plan."""
        return all(mix.both * mix.neither == mix.first * mix.second for mix in self.players.values())


def banque(shoe: Shoe, theta: Fraction | str = Fraction(1, 2), model: str = "B2", *, uses_third: bool = True) -> Banque:
    """Solve a shoe at two tableaux, with the part `theta` of the stakes on the first Player, the rest on the second.

    That the second Player uses the first's third card, or leaves it aside, is an assumption, as is that they play
    together. The A models draw with replacement from full decks, whatever the shoe.

    Raises `InputError` for a shoe of fewer than nine cards or more than 27 decks, a theta outside 0 to 1, and a model
    in which the Players see more than their totals.
    """
    seen, stake = fitting_banque(shoe, theta, model)
    if not isinstance(uses_third, bool):
        raise InputError(f"uses_third: {uses_third!r}, should be True or False")
    dealt = _tableaux(shoe, seen)
    form = _Form.of(dealt, stake, uses_third)
    x, y, det = saddle(form.rows)
    apart = sum((share * dealt.solved[hand].value for hand, share in dealt.naturals.items()), Fraction(0))
    of = det * stake.denominator * dealt.deals
    lower, upper = (apart + Fraction(bound, of) for bound in form.bounds(x, y, det))
    if lower != upper:
        raise ArithmeticError(f"shoe {shoe}, {model}: bounds {lower} and {upper} should be equal")
    plans = {state: [det, x[0], x[at - 1], x[at]] for state, at in form.places.items()}
    draws = det * form.drawn.astype(object)
    for i, p in zip(form.opened, y, strict=False):
        draws[i] = p
    certificate = BanqueCertificate(
        {state: _mix(*(Fraction(p, det) for p in plan[1:])) for state, plan in plans.items()},
        {cell: Fraction(draws[i], det) for i, cell in enumerate(dealt.cells) if dealt.possible[i]},
        {hand: solution.certificate for hand, solution in dealt.solved.items()},
        lower.numerator,
        upper.numerator,
        lower.denominator,
    )
    first, second = (apart + Fraction(n, det * det * dealt.deals) for n in dealt.by_tableau(plans, draws, det))
    undecided = tuple(dealt.cells[i] for i in form.opened)
    return Banque(shoe, stake, model, uses_third, lower, (first, second), certificate, undecided, dealt.solved)


def _mix(x: Fraction, u: Fraction, v: Fraction) -> PlayersMix:
    return PlayersMix(u, x - u, v, 1 - x - v)


@dataclass(frozen=True, eq=False)
class _Tableaux:
    """A shoe's coups without a natural, whatever the stakes.

    `worth` (moves, tableaux, cells, form): what Banker's standing, and drawing, are worth to each Player, as affine
    forms in (x, u, v), summed over `deals`; `first` (cells,) the first Player's third card; `possible` (cells,) whether
    a deal reaches it. `naturals`: the chance that a Player has each, `solved` the chemin de fer that follows.
    """

    cells: list[TwoCell]
    first: NDArray[np.intp]
    possible: NDArray[np.bool_]
    worth: NDArray[np.object_]
    deals: int
    naturals: dict[Hand, Fraction]
    solved: dict[Hand, Solution]

    @classmethod
    def of(cls, shoe: Shoe, model: Model) -> _Tableaux:
        counts, taken = dealt_from(shoe, model)
        seen = cells(model, CLASSICAL)
        n = len(_LOW)
        counted = np.zeros((3, 2, n, THIRDS, THIRDS, 2, 2), np.int64)
        _deals.banque(counts, taken, SIGN, _LOW_HANDS, seen.column[:n], counted)
        before = np.array([_ways_before(counts, taken, hand) for hand in _LOW])
        # By Banker's hand, and from now on by what Banker sees of it.
        by_hand = counted.reshape(3, 2, n, THIRDS, THIRDS, 4) * before[..., None]
        worth = np.zeros((2, 2, len(seen.banker) // THIRDS, THIRDS, THIRDS, 4), object)
        possible = np.zeros(worth.shape[2:5], bool)
        stood = [slice(0, STOOD), slice(STOOD, None)]
        for hand, row in enumerate(seen.row[:n].tolist()):
            possible[row] |= (by_hand[2, 0, hand] != 0).any(axis=-1)
            for a, one in enumerate(stood):
                for b, two in enumerate(stood):
                    worth[:, :, row, one, two] += by_hand[:2, :, hand, one, two] @ _AFFINE[a, b]
        own = [cell for cell, third in seen.banker if third == 0]
        every = [(cell, one, two) for cell in own for one in range(THIRDS) for two in range(THIRDS)]
        return cls(
            every,
            np.array([one for _, one, _ in every]),
            possible.ravel(),
            worth.reshape(2, 2, -1, 4),
            ways(counts, taken, MOST_CARDS) // 8,
            *_after_naturals(shoe, model),
        )

    def by_tableau(self, plans: Mapping[int | None, list[int]], draws: NDArray[np.object_], det: int) -> list[int]:
        """What each Player has, over `deals` and times the square of det, by 1, x, u and v in each case and how often
        Banker draws in each cell, all times det."""
        stand, draw = self.worth
        worth = det * stand + (draw - stand) * draws[:, None]
        sums = [0, 0]
        for state, plan in plans.items():
            at = worth if state is None else worth[:, self.first == state]
            sums = [total + int(at[i].sum(axis=0) @ plan) for i, total in enumerate(sums)]
        return sums


def _ways_before(counts: NDArray[np.int64], taken: int, hand: Hand) -> NDArray[np.object_]:
    """(11, 11): to deal this hand and these two third cards, and the cards after that the coup does not use."""
    left: list[int] = counts.tolist()
    n, ways_before = sum(left), np.zeros((THIRDS, THIRDS), object)
    pair = _ways_to(hand, left, taken)
    for card in hand:
        left[card] -= taken
    for one in range(THIRDS):
        for two in range(THIRDS):
            first = 1 if one == STOOD else left[one]
            second = 1 if two == STOOD else left[two] - taken * (one == two)
            idle = prod(n - taken * i for i in range(MOST_CARDS - (one == STOOD) - (two == STOOD), MOST_CARDS))
            ways_before[one, two] = pair * first * second * idle
    return ways_before


def _ways_to(hand: Hand, left: Sequence[int], taken: int) -> int:
    """To deal this hand, its two cards in any order."""
    a, b = hand
    return left[a] * (left[a] - taken) // 2 if a == b else left[a] * left[b]


def _after_naturals(shoe: Shoe, model: Model) -> tuple[dict[Hand, Fraction], dict[Hand, Solution]]:
    """The chance of each natural, and what follows it."""
    counts, taken = dealt_from(shoe, model)
    left: list[int] = counts.tolist()
    chances, solved = {}, {}
    for hand in HANDS[len(_LOW) :]:
        if pairs := _ways_to(hand, left, taken):
            fewer = list(shoe.values)
            for card in hand:
                fewer[card] -= taken
            chances[hand] = Fraction(2 * pairs, ways(counts, taken, 2))
            solved[hand] = solve(Shoe.from_values(fewer), model.name)
    return chances, solved


_tableaux = lru_cache(maxsize=4)(_Tableaux.of)


class _Form(NamedTuple):
    """The form of `saddle`: a row for x, and from `places` on one for the u and one for the v of each case that the
    second Player tells apart; a column for each `opened` cell of Banker's, then two walls a case. Of the other cells he
    draws in those `drawn`."""

    rows: list[list[int]]
    places: dict[int | None, int]
    opened: list[int]
    drawn: NDArray[np.bool_]

    @classmethod
    def of(cls, dealt: _Tableaux, theta: Fraction, uses_third: bool) -> _Form:
        first, second = theta.numerator, theta.denominator - theta.numerator
        stand, draw = first * dealt.worth[:, 0] + second * dealt.worth[:, 1]
        drawing = draw - stand
        pure = drawing @ _PLANS
        least, most = pure.min(axis=1), pure.max(axis=1)
        unsure = ((least < 0) & (most > 0)).astype(bool)
        drawn = ~unsure & (least < 0).astype(bool)
        opened = np.flatnonzero(unsure).tolist()
        states = np.unique(dealt.first[dealt.possible]).tolist() if uses_third else [None]
        places = {state: 2 + 2 * i for i, state in enumerate(states)}
        size = 2 + 2 * len(places)
        fixed = stand + drawing * drawn[:, None]
        constant = [0] * size
        for state, at in places.items():
            some = fixed if state is None else fixed[dealt.first == state]
            one, x, u, v = some.sum(axis=0).tolist()
            constant[0] += one
            constant[1] += x
            constant[at : at + 2] = [u, v]
        columns = [constant]
        for i in opened:
            column, at = [0] * size, places[dealt.cells[i][1] if uses_third else None]
            column[0], column[1], column[at], column[at + 1] = drawing[i].tolist()
            columns.append(column)
        for at in places.values():
            for row, wall in ((at, (0, 1)), (at + 1, (1, -1))):
                height = 1 + sum(abs(column[row]) for column in columns[: 1 + len(opened)])
                column = [0] * size
                column[0], column[1], column[row] = wall[0] * height, wall[1] * height, -height
                columns.append(column)
        return cls([list(row) for row in zip(*columns, strict=True)], places, opened, drawn)

    def bounds(self, x: Sequence[int], y: Sequence[int], det: int) -> tuple[int, int]:
        """The plan's value against Banker's best reply, and Banker's mix's against the Players', times det."""
        cells = 1 + len(self.opened)
        plan, mix = [det, *x], [det, *y][:cells]
        worth = [sum(row[j] * p for row, p in zip(self.rows, plan, strict=True)) for j in range(cells)]
        gain = [sum(e * q for e, q in zip(row, mix, strict=False)) for row in self.rows]
        if_draws = gain[1] + sum(max(0, gain[at]) for at in self.places.values())
        if_stands = sum(max(0, gain[at + 1]) for at in self.places.values())
        return worth[0] + sum(w for w in worth[1:] if w < 0), gain[0] + max(if_draws, if_stands)
