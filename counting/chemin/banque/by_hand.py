"""Baccara banque in model 3: each Player sees the two cards of their hand, and may choose on the five hands whose total
is five.

The two Players are a team. The second Player also knows the first's third card, or that the first stood, unless this is
left unused. A pure plan of the team has two parts: the set of hands on which the first draws, one of 32, and the
second's move in each of 55 cells.
Against a mix of Banker's, the best plan is found directly: for each of the 32 sets, the second makes the better move in
every cell. Then the best of the 32 plans is taken. Against a mix of plans, Banker's best reply is the better move in
every cell.

The search begins with a small game, in which the team has few plans. Each round adds the best plan against Banker's mix
in this game, until no plan wins more than the game's value. The search is made in floating point first, where each
round adds the best plans, four at most. The plans that the team mixes at the end of this search start the same search
in whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import compress
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe, as_shoe
from counting.chemin import _deals, _guess
from counting.chemin.banque.by_hand_certificate import ByHandCertificate, TeamPlan
from counting.chemin.banque.coups_dealt import BY_HAND, MOST_CARDS, TwoCell, check_banque_model
from counting.chemin.banque.solved import SolvedTableaux
from counting.chemin.banque.tableaux import LOW, LOW_HANDS, ShownNaturals, ways_before
from counting.chemin.game import SIGN, dealt_from, ways_to_deal
from counting.chemin.rules import CLASSICAL, THIRDS, Hand, Model
from counting.chemin.saddle import saddle
from counting.games import STOOD

_COLUMN = {"D": 0, "S": -1}
_FIVES = tuple(hand for hand in LOW if CLASSICAL.player[sum(hand) % 10] == "*")
_MOST_STEPS, _MOST_ROUNDS, _AT_ONCE = 2_000, 300, 4
_MOST_STAKES = 1_000


@dataclass(frozen=True, eq=False)
class BanqueByHand(SolvedTableaux[ByHandCertificate]):
    """A shoe at two tableaux, solved in a model in which the Players see their hands (A3 or B3). `plans` and `banker`
    come from the certificate."""

    @property
    def plans(self) -> tuple[TeamPlan, ...]:
        return self.certificate.plans


def banque_by_hand(
    shoe: Shoe | str, theta: Fraction | str = Fraction(1, 2), model: str = "B3", *, uses_third: bool = True
) -> BanqueByHand:
    """Solve a shoe at two tableaux if each Player sees two cards. The arguments and errors are as for `banque`, but the
    model is A3 or B3."""
    shoe = as_shoe(shoe)
    seen, stake = check_banque_model(shoe, theta, model, BY_HAND, uses_third)
    dealt = _tableaux(shoe, seen)
    form = _PlanForm.of(dealt, stake, uses_third)
    plans = _guessed(form)
    while True:
        mix = _mixed(form, plans)
        totals, draws = form.replies(mix.q, mix.det)
        best = int(totals.argmax())
        if totals[best] <= mix.value:
            break
        plans.append(_Pure(best, draws[best]))
    deals = stake.denominator * dealt.deals
    lower, upper = (dealt.apart + Fraction(int(bound), mix.det * deals) for bound in (mix.value, totals[best]))
    if lower != upper:
        raise ArithmeticError(f"shoe {shoe}, {model}: bounds {lower} and {upper} should be equal")
    drawn = form.drawn.astype(object) * mix.det
    drawn[form.opened] = mix.q
    together = _together(plans, mix.chances)
    certificate = ByHandCertificate(
        tuple(dealt.plan(first, *worth, mix.det, uses_third) for first, worth in together.items()),
        {
            cell: Fraction(q, mix.det)
            for cell, q, possible in zip(_CELLS, drawn.ravel(), dealt.possible.ravel(), strict=True)
            if possible
        },
        {hand: solution.certificate for hand, solution in dealt.solved.items()},
        lower.numerator,
        upper.numerator,
        lower.denominator,
    )
    of = mix.det * mix.det * dealt.deals
    first, second = (dealt.apart + Fraction(n, of) for n in dealt.by_tableau(together, drawn, mix.det))
    undecided = tuple(compress(_CELLS, form.opened.ravel()))
    return BanqueByHand(shoe, stake, model, uses_third, lower, (first, second), certificate, undecided, dealt.solved)


_CELLS: list[TwoCell] = [(hand, first, second) for hand in LOW for first in range(THIRDS) for second in range(THIRDS)]


@dataclass(frozen=True, eq=False)
class _HandTableaux(ShownNaturals):
    """A shoe's coups without a natural, for any stakes. A Player may choose on the k hands of `fives`.

    - `worth` (moves, tableaux, hands, thirds, thirds, 2^k, 1 + k): what Banker's standing and Banker's drawing are
      worth to each Player. The axes `hands, thirds, thirds` are Banker's hand and both Players' third cards. The axis
      2^k is the set of hands on which the first Player draws, as bits. The last axis has a constant, then the
      coefficients of the second's draws on each hand.
    - `before` (hands, thirds, thirds): the number of ways to deal what Banker sees, and the cards that the coup does
      not use. Multiplied by `before`, the worths are sums over `deals`.
    - `possible` (hands, thirds, thirds): whether a deal reaches Banker's cell.
    - `reached` (thirds, k): whether the second Player can hold each of `fives` after each third card of the first's.
    """

    fives: tuple[Hand, ...]
    worth: NDArray[np.int64]
    before: NDArray[np.object_]
    possible: NDArray[np.bool_]
    reached: NDArray[np.bool_]
    deals: int

    @classmethod
    def of(cls, shoe: Shoe, model: Model) -> _HandTableaux:
        counts, taken = dealt_from(shoe, model)
        letters = [CLASSICAL.player[sum(hand) % 10] for hand in LOW]
        column = [
            1 + _FIVES.index(hand) if letter == "*" else _COLUMN[letter]
            for hand, letter in zip(LOW, letters, strict=True)
        ]
        size = 1 + len(_FIVES)
        counted = np.zeros((3, 2, len(LOW), THIRDS, THIRDS, size, size), np.int64)
        _deals.banque(counts, taken, SIGN, LOW_HANDS, np.array(column, np.int32), counted)
        before = np.array([ways_before(counts, taken, hand) for hand in LOW])
        come = counted[2, 0] * (before != 0)[..., None, None].astype(np.int64)
        reached = come.any(axis=(0, 2, 3))
        kept = [0, *(b for b in range(1, size) if reached[:, b].any())]
        counted, k = counted[..., kept, :][..., kept], len(kept) - 1
        draws = _bits(k)
        does = np.ones((THIRDS, 1 << k, 1 + k), np.int64)
        does[:STOOD, :, 1:], does[STOOD, :, 1:] = draws, 1 - draws
        worth = np.einsum("mtgsdab,sia->mtgsdib", counted[:2], does)
        stood = worth[:, :, :, :, STOOD]
        stood[..., 0] += stood[..., 1:].sum(axis=-1)
        stood[..., 1:] *= -1
        return cls(
            shoe,
            model,
            tuple(_FIVES[b - 1] for b in kept[1:]),
            worth,
            before,
            come.any(axis=(-1, -2)),
            reached[:, kept[1:]],
            ways_to_deal(counts, taken, MOST_CARDS) // 8,
        )

    def plan(self, first: int, chance: int, second: NDArray[np.object_], det: int, uses_third: bool) -> TeamPlan:
        """The certificate's entry for a plan of the first Player's that is played `chance` times in `det`. `second`
        (groups, k): how many times in `det` this plan is played and the second Player draws."""
        states = list(enumerate(self.reached)) if uses_third else [(None, self.reached.any(axis=0))]
        draws = {
            (hand, state): Fraction(second[group, b], chance)
            for b, hand in enumerate(self.fives)
            for group, (state, reached) in enumerate(states)
            if reached[b]
        }
        hands = frozenset(hand for b, hand in enumerate(self.fives) if first >> b & 1)
        return TeamPlan(Fraction(chance, det), hands, draws)

    def by_tableau(self, plans: Mapping[int, _Weight], draws: NDArray[np.object_], det: int) -> list[int]:
        """What each Player wins, summed over `deals` and times the square of det."""
        worth = np.zeros((2, 2, *self.before.shape), object)
        for first, (chance, second) in plans.items():
            for state in range(THIRDS):
                mix = np.array([chance, *second[state % len(second)]], object)
                worth[:, :, :, state] += self.worth[:, :, :, state, :, first].astype(object) @ mix
        sums = (worth[0] * (det - draws) + worth[1] * draws) * self.before
        return [int(part.sum()) for part in sums]


_tableaux = lru_cache(maxsize=2)(_HandTableaux.of)
# how often a plan of the first Player's is played, and how often it is played and the second draws (groups, k)
_Weight = tuple[int, NDArray[np.object_]]


def _bits(k: int) -> NDArray[np.int64]:
    """For each plan of the first Player's, whether it draws on each hand (2^k, k)."""
    return np.arange(1 << k)[:, None] >> np.arange(k) & 1


class _Pure(NamedTuple):
    """A pure plan of the team: the first Player's plan, and whether the second draws in each group on each hand
    (groups, k). Groups are explained at `_PlanForm`."""

    first: int
    second: NDArray[np.bool_]


class _PlanForm(NamedTuple):
    """What the team's plans are worth. A group is a third card of the first Player's, or that the first stood. If the
    second ignores the card, there is only one group.

    - `base` (groups, 2^k, 1 + k): what plans are worth if Banker stands in the opened cells.
    - `cells` (m, 2^k, 1 + k): what Banker's drawing in each of the m opened cells adds.
    - `group` (m,): the group of each opened cell.
    - `opened` (hands, thirds, thirds): the cells in which Banker's better move depends on the plan.
    - `drawn` (hands, thirds, thirds): the other cells in which Banker draws.
    """

    base: NDArray[Any]
    cells: NDArray[Any]
    group: NDArray[np.intp]
    opened: NDArray[np.bool_]
    drawn: NDArray[np.bool_]

    @classmethod
    def of(cls, dealt: _HandTableaux, theta: Fraction, uses_third: bool) -> _PlanForm:
        first, second = theta.numerator, theta.denominator - theta.numerator
        # With N cards, a cell has fewer than N^5 / 4 deals. Differences and their sums are below N^5 times the stakes,
        # and so below 2^63 for at most 27 decks.
        worth = dealt.worth if theta.denominator <= _MOST_STAKES else dealt.worth.astype(object)
        stand, draw = first * worth[:, 0] + second * worth[:, 1]
        drawing = draw - stand
        least = (drawing[..., 0] + np.minimum(drawing[..., 1:], 0).sum(axis=-1)).min(axis=-1)
        most = (drawing[..., 0] + np.maximum(drawing[..., 1:], 0).sum(axis=-1)).max(axis=-1)
        opened = ((least < 0) & (most > 0)).astype(bool) & dealt.possible
        drawn = ~opened & (least < 0).astype(bool)
        fixed = np.where(drawn[..., None, None], draw, stand).astype(object)
        base = np.array([np.tensordot(dealt.before[:, s], fixed[:, s], 2) for s in range(THIRDS)])
        cells = drawing[opened].astype(object) * dealt.before[opened][:, None, None]
        if not uses_third:
            return cls(base.sum(axis=0)[None], cells, np.zeros(len(cells), np.intp), opened, drawn)
        return cls(base, cells, np.nonzero(opened)[1], opened, drawn)

    def floats(self) -> _PlanForm:
        """The form in floating point, divided by the largest amount that drawing adds."""
        size = max(1, np.abs(self.cells).max(initial=0))
        return self._replace(base=(self.base / size).astype(float), cells=(self.cells / size).astype(float))

    def replies(self, q: Sequence[Any] | NDArray[Any], det: int = 1) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """For each plan of the first Player's: the most that the team wins (2^k,), times det, and the second's draws
        that win it (2^k, groups, k). Banker draws in each opened cell with probability q / det."""
        mix = np.array(q, self.cells.dtype)
        worth = self.base * det
        np.add.at(worth, self.group[mix != 0], self.cells[mix != 0] * mix[mix != 0][:, None, None])
        gains = worth[:, :, 1:]
        draws = (gains > 0).astype(bool)
        return (worth[:, :, 0] + np.where(draws, gains, 0).sum(axis=-1)).sum(axis=0), draws.transpose(1, 0, 2)

    def column(self, plan: _Pure) -> NDArray[Any]:
        """What the plan is worth if Banker draws in no opened cell, then what drawing in each opened cell adds (1 +
        m,)."""
        base, cells = self.base[:, plan.first], self.cells[:, plan.first]
        slopes = cells[:, 0] + (cells[:, 1:] * plan.second[self.group]).sum(axis=1)
        return np.array([base[:, 0].sum() + (base[:, 1:] * plan.second).sum(), *slopes], self.cells.dtype)


def _game(columns: NDArray[Any]) -> NDArray[Any]:
    """The form that `saddle` takes, for the game in which the team has these plans. After the constants, it has a row
    for the chance of each plan except the first plan, whose chance is what remains. It has a column for each cell, and
    one more column, the wall. If the chances of the rows sum to more than 1, the wall costs the team more than it
    gains."""
    less = columns[1:] - columns[0]
    height = 1 + np.abs(less).sum(axis=1).max(initial=0)
    walls = np.array([[height], *([-height] for _ in less)], columns.dtype)
    return np.hstack([np.vstack([columns[:1], less]), walls])


def _guessed(form: _PlanForm) -> list[_Pure]:
    """The plans that the team mixes at the saddle point, found in floating point. They start the exact search, and
    prove nothing."""
    floats = form.floats()
    plans: list[_Pure] = []
    columns: list[NDArray[Any]] = []
    known: set[tuple[int, bytes]] = set()
    q, value, chances = np.zeros(len(form.cells)), -np.inf, np.zeros(0)
    for _ in range(_MOST_ROUNDS):
        totals, draws = floats.replies(q)
        better = [i for i in np.argsort(-totals, kind="stable")[:_AT_ONCE].tolist() if totals[i] > value]
        fresh = [_Pure(i, draws[i]) for i in better if (i, draws[i].tobytes()) not in known]
        if not fresh:
            break
        for plan in fresh:
            known.add((plan.first, plan.second.tobytes()))
            plans.append(plan)
            columns.append(floats.column(plan))
        game = _game(np.array(columns))
        mixes = np.zeros(sum(game.shape) - 1)
        if not _guess.mixes(game, _MOST_STEPS, mixes):
            break
        x, q = mixes[1 : len(plans)], mixes[len(plans) : -1]
        chances = np.array([1 - x.sum(), *x])
        slopes = chances @ np.array(columns)
        value = slopes[0] + np.minimum(slopes[1:], 0).sum()
    played = [plan for plan, p in zip(plans, chances, strict=False) if p > 1e-9]
    return played or plans[:1]


class _Mix(NamedTuple):
    """The chances of the plans and of Banker's draws in the opened cells, and the game's value, all times det."""

    chances: list[int]
    q: list[int]
    det: int
    value: int


def _mixed(form: _PlanForm, plans: Sequence[_Pure]) -> _Mix:
    """The saddle point, in whole numbers, of the game in which the team has only these plans."""
    columns = np.array([form.column(plan) for plan in plans])
    slopes = columns[:, 1:]
    least, most = slopes.min(axis=0), slopes.max(axis=0)
    opened = ((least < 0) & (most > 0)).astype(bool)
    drawn = ~opened & (least < 0).astype(bool)
    fixed = columns[:, :1] + slopes[:, drawn].sum(axis=1)[:, None]
    point = saddle(_game(np.hstack([fixed, slopes[:, opened]])).tolist())
    q = drawn.astype(object) * point.det
    q[opened] = point.y[:-1]
    return _Mix([point.det - sum(point.x), *point.x], q.tolist(), point.det, point.lower)


def _together(plans: Sequence[_Pure], chances: Sequence[int]) -> dict[int, _Weight]:
    """For each plan of the first's: how often it is played, and how often the second draws with it."""
    weights: dict[int, _Weight] = {}
    for plan, p in zip(plans, chances, strict=True):
        if p:
            so_far, second = weights.get(plan.first, (0, np.zeros(plan.second.shape, object)))
            weights[plan.first] = so_far + p, second + p * plan.second.astype(object)
    return dict(sorted(weights.items()))
