"""The vertices of the stakes that a table's rules allow on a coup: points that the constraints fix.

Amounts are in units of the largest side bet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np

from counting.arrays import Bools, Floats
from counting.errors import InputError

Seat = Literal["any", "main"] | tuple[str, ...]

MOST_CANDIDATES = 4_000_000  # the most points that the search for vertices looks at
_PER_CANDIDATE = 3  # the most sets of side stakes that are tried, as a multiple of the most candidates
_NEAR = 1e-9


@lru_cache(maxsize=256)  # a question has some hundred cases, and goes through them several times
def vertices_of(
    sides: tuple[str, ...],
    main: tuple[str, ...],
    least: Fraction,
    least_main: Fraction,
    most_main: Fraction,
    tie_in: Fraction,
    side_tie_in: Fraction,
    main_needed: bool,
    seat: Seat,
    kept_up: Fraction | None,
) -> tuple[Floats, Bools, Bools]:
    """`vertices`, `seated` and `on_side` of the `Stakes` with this key. The arrays are read-only."""
    ends, needs = (float(least), float(least_main), float(most_main)), (float(tie_in), float(side_tie_in))
    table = _AllowedStakes(len(sides), len(main), *ends, *needs, main_needed)
    points = table.points(0.0 if kept_up is None else float(kept_up))
    points = np.vstack([np.zeros(points.shape[1]), points])
    s = len(sides)
    if kept_up is not None:
        seated = _at_least(points[:, s:].sum(axis=1), float(kept_up)) | _at_least(points[:, :s], 1).any(axis=1)
    else:
        named = set((*sides, *main) if seat == "any" else () if seat == "main" else seat)
        holding = np.array([bet in named for bet in sides] + [seat == "main" or bet in named for bet in main], bool)
        seated = (points[:, holding] > _NEAR).any(axis=1) | table.lightly(points, holding)
    allowed = points.any(axis=1) | seated  # if any amount holds the seat, making no bet counts as holding it
    points, seated = points[allowed], seated[allowed]
    kept = np.zeros(len(points), bool)
    for of_kind in (seated, ~seated):  # the stakes of each kind are a union of polytopes
        kept[of_kind] = _extreme(points[of_kind])
    points, seated = points[kept], seated[kept]
    bets = tuple(dict.fromkeys((*sides, *main)))
    stakes = np.zeros((len(points), len(bets)))
    for i, bet in enumerate((*sides, *main)):
        stakes[:, bets.index(bet)] += points[:, i]
    on_side = np.asarray((points[:, :s] > _NEAR).any(axis=1))
    for array in (stakes, seated, on_side):
        array.setflags(write=False)
    return stakes, seated, on_side


@dataclass(frozen=True)
class _AllowedStakes:
    """The stakes allowed on `sides` side bets and `mains` main bets. Bets have no names here, only numbers."""

    sides: int
    mains: int
    least: float
    least_main: float
    most_main: float
    tie_in: float
    side_tie_in: float
    main_needed: bool

    @property
    def side_ends(self) -> list[float]:
        """The least and the largest amount allowed on a side bet, and 0: the ends of a side bet."""
        return sorted({0.0, self.least, 1.0})

    @property
    def main_ends(self) -> list[float]:
        """The least and the largest amount allowed on a main bet, and 0: the ends of a main bet."""
        return sorted({0.0, self.least_main, self.most_main})

    def allowed(self, points: Floats) -> Bools:
        """Whether each of these points (points, bets) is allowed. The point without any bet is not allowed."""
        side, main = points[:, : self.sides], points[:, self.sides :]
        on_side, on_main = side > _NEAR, main > _NEAR
        total, largest = main.sum(axis=1), side.max(axis=1, initial=0)
        constraints = {
            "no amount below 0": (points >= 0).all(axis=1),
            "some bet": on_side.any(axis=1) | on_main.any(axis=1),
            "side bets between their ends": (~on_side | (_at_least(side, self.least) & _at_most(side, 1))).all(axis=1),
            "main bets between theirs": (
                ~on_main | (_at_least(main, self.least_main) & _at_most(main, self.most_main))
            ).all(axis=1),
            "what all side bets require": _at_least(total, self.tie_in * side.sum(axis=1)),
            "what each side bet requires": _at_least(total, self.side_tie_in * largest),
            "a main bet with any side bet": ~on_side.any(axis=1) | on_main.any(axis=1) | (not self.main_needed),
        }
        return np.asarray(np.logical_and.reduce(list(constraints.values())))

    def lightly(self, points: Floats, holding: Bools) -> Bools:
        """Whether each of these points holds the seat once an arbitrarily small bet is added. `holding` are the bets
        that hold it."""
        by_main = holding[self.sides :].any() and not self.least_main
        by_side = holding[: self.sides].any() and not self.least
        needs = self.main_needed or self.tie_in > 0 or self.side_tie_in > 0
        # A small side bet would hold the seat, but it needs a main bet, and no main bet can be as small.
        if by_side and needs and (self.least_main or not self.mains):
            return np.asarray(by_main | (points[:, self.sides :] > _NEAR).any(axis=1))
        return np.full(len(points), by_main or by_side)

    def points(self, kept_up: float) -> Floats:
        """Points (points, bets) that include all vertices. They include the vertices with a total of `kept_up` on the
        main bets.

        At a vertex, the number of tight independent constraints is the number of bets made. Most bets are at one of
        their ends (`side_ends`, `main_ends`). The exceptions are:

        - one main bet, because constraints on side and main bets together depend only on the total of the main bets
        - side bets whose own requirement is tight
        - one more side bet, if the requirement of all side bets together is tight"""
        looked = tried = 0
        mains_by_total: dict[float, Floats] = {}
        for total in self._totals(kept_up):
            mains = self._mains_with(total)
            if len(mains):
                mains_by_total[total] = mains
                of_sides = len(self._ends_beside(total)) ** self.sides
                looked, tried = looked + len(mains) * of_sides, tried + of_sides * (1 + self.sides)
            if looked > MOST_CANDIDATES or tried > _PER_CANDIDATE * MOST_CANDIDATES:
                raise self._too_many()
        sets: list[Floats] = []
        looked = 0
        for total, mains in mains_by_total.items():
            sides = self._sides_beside(total)
            looked += len(mains) * len(sides)
            if looked > MOST_CANDIDATES:
                raise self._too_many()
            both = np.hstack([np.repeat(sides, len(mains), axis=0), np.tile(mains, (len(sides), 1))])
            sets.append(both[self.allowed(both)])
        return np.unique(np.round(np.concatenate(sets), 12), axis=0)

    def _totals(self, kept_up: float) -> list[float]:
        """The totals of main bets that a vertex may have, rising. There is one for each constraint that may fix the
        total."""
        if len(self.side_ends) ** self.sides * len(self.main_ends) ** self.mains > MOST_CANDIDATES:
            raise self._too_many()
        sides, at_ends = (
            {round(sum(some), 12) for some in product(ends, repeat=bets)}
            for ends, bets in ((self.side_ends, self.sides), (self.main_ends, self.mains))
        )
        one_requires = {self.side_tie_in * end for end in self.side_ends}
        all_require = {self.tie_in * side for side in sides}
        both_require = set()  # both requirements are tight: for each of k side bets, and for all side bets together
        for k in range(1, self.sides + 1) if self.tie_in and self.side_tie_in else ():
            rest = 1 - self.tie_in * k / self.side_tie_in
            if abs(rest) > _NEAR:
                both_require |= {self.tie_in * side / rest for side in sides}
        totals = {kept_up} | at_ends | one_requires | all_require | both_require
        if len(totals) * self.mains * len(self.main_ends) ** self.mains > MOST_CANDIDATES:
            raise self._too_many()
        return sorted({round(total, 12) for total in totals if total >= 0})

    def _mains_with(self, total: float) -> Floats:
        """Main bets (points, mains) with this total. At each point, at most one bet is not at one of its ends."""
        at_ends = list(product(self.main_ends, repeat=self.mains))
        of_total = {some for some in at_ends if abs(sum(some) - total) < _NEAR}
        return _up_to(self.most_main, of_total | _one_moved(at_ends, total), self.mains)

    def _ends_beside(self, total: float) -> list[float]:
        """The ends of a side bet, and the largest amount that this total of main bets allows each side bet."""
        each = {total / self.side_tie_in} if 0 < total <= self.side_tie_in * (1 + _NEAR) else set()
        return sorted({*self.side_ends, *each})

    def _sides_beside(self, total: float) -> Floats:
        """Side bets (points, sides) that go with this total of main bets. At most one of them has the amount at which
        the requirement of all side bets together is tight."""
        at_ends = list(product(self._ends_beside(total), repeat=self.sides))
        moved = _one_moved(at_ends, total / self.tie_in) if self.tie_in else set()
        return _up_to(1, moved.union(at_ends), self.sides)

    def _too_many(self) -> InputError:
        return InputError(
            f"side bets: {self.sides} at once, with {self.mains} main bets, should be fewer: their stakes are too "
            "many to go through"
        )


def _at_least(amounts: Floats, least: float | Floats) -> Bools:
    return np.asarray(amounts >= least - _NEAR)


def _at_most(amounts: Floats, most: float) -> Bools:
    return np.asarray(amounts <= most + _NEAR)


def _one_moved(points: Iterable[tuple[float, ...]], total: float) -> set[tuple[float, ...]]:
    """Copies of these points with one amount changed, so that the sum is this total. The new amount is above 0."""
    return {
        (*some[:i], rest, *some[i + 1 :])
        for some in points
        for i in range(len(some))
        if (rest := total - sum(some) + some[i]) > 0
    }


def _up_to(most: float, points: set[tuple[float, ...]], bets: int) -> Floats:
    """The points (points, bets) that have no amount above `most`, in order."""
    amounts = np.array(sorted(points)).reshape(len(points), bets)
    return amounts[_at_most(amounts, most).all(axis=1)]


def _extreme(points: Floats) -> Bools:
    """Whether each point (points, bets) is extreme. A point is not extreme if it lies between two other points that
    differ from it on one and the same bet only.

    Such a point is not a vertex, so no vertex is lost. Some points that are kept are not vertices."""
    kept = np.ones(len(points), bool)
    for bet in range(points.shape[1]):
        rest = np.delete(points, bet, axis=1)
        _, line = np.unique(rest, axis=0, return_inverse=True)
        line = line.reshape(-1)
        low, high = np.full(line.max(initial=0) + 1, np.inf), np.full(line.max(initial=0) + 1, -np.inf)
        np.minimum.at(low, line, points[:, bet])
        np.maximum.at(high, line, points[:, bet])
        kept &= ~((points[:, bet] > low[line] + _NEAR) & (points[:, bet] < high[line] - _NEAR))
    return kept
