"""The mixes of one side against which the other side cannot gain by changing its play. A mix p has a probability of
drawing for each cell. The set of these mixes is a box, cut by a few linear conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Literal, NamedTuple

Number = int | Fraction
Mix = tuple[Fraction, ...]
Relation = Literal["=", "<=", ">="]

_MOST_MIXED = 12  # with at most one condition, extreme mixes are listed for at most this many cells
_MOST_TRIED = 25_000  # with several conditions, at most this many candidates for extreme mixes are tried


class TooManyError(Exception):
    """There are too many results to list."""


class Condition(NamedTuple):
    """The condition that constant + sum(steps * p) has this relation to 0."""

    constant: Number
    steps: tuple[Number, ...]
    relation: Relation

    @property
    def bounds(self) -> tuple[int | None, int | None]:
        """The least and the largest sum that the condition allows; None for no limit."""
        return (None if self.relation == "<=" else 0), (None if self.relation == ">=" else 0)

    @property
    def ends(self) -> tuple[Number, Number]:
        """The least and the largest sum over all p from 0 to 1."""
        low, high = (sum((end(s, 0) for s in self.steps), self.constant) for end in (min, max))
        return low, high

    def at(self, mix: Sequence[Number]) -> Number:
        return sum((s * p for s, p in zip(self.steps, mix, strict=True) if p), self.constant)

    def allows(self, low: Number, high: Number) -> bool:
        """Whether the condition allows all sums from `low` to `high`."""
        return (self.relation == "<=" or low >= 0) and (self.relation == ">=" or high <= 0)

    def over(self, unit: int) -> Condition:
        return Condition(Fraction(self.constant, unit), tuple(Fraction(s, unit) for s in self.steps), self.relation)

    def excludes(self, low: Number, high: Number) -> bool:
        """Whether the condition allows no sum from `low` to `high`."""
        return (self.relation != "<=" and high < 0) or (self.relation != ">=" and low > 0)


@dataclass(frozen=True)
class Mixes:
    """All p from 0 to 1 that meet the `conditions`. Each condition excludes some p.

    `extremes` are the extreme p; every other p is a weighted mean of them. `extremes` is None if there are too many,
    which can happen only with fewer than two conditions. `some` is one p that meets the conditions.
    """

    conditions: tuple[Condition, ...]
    extremes: tuple[Mix, ...] | None
    some: Mix

    @classmethod
    def of(cls, conditions: Sequence[Condition], cells: int) -> Mixes | None:
        """The mixes for a number of cells; None if no p meets all conditions. Raises `TooManyError` if there are too
        many candidates to try."""
        needed = tuple(c for c in conditions if not c.allows(*c.ends))
        if any(c.excludes(*c.ends) for c in needed):
            return None
        if len(needed) < 2:
            by = (*needed, *conditions, Condition(0, (0,) * cells, "="))[0]
            # the mix with the least sum that the condition allows
            some = best_mix([-s for s in by.steps], by.constant, by.steps, *by.bounds)
            return cls(needed, tuple(_extremes(needed, cells)) if cells <= _MOST_MIXED else None, some)
        at_once = range(min(len(needed), cells) + 1)
        if sum(comb(len(needed), n) * comb(cells, n) << (cells - n) for n in at_once) > _MOST_TRIED:
            raise TooManyError
        extremes = tuple(_extremes(needed, cells))
        return cls(needed, extremes, extremes[0]) if extremes else None

    def reach(self, worth: Sequence[Number]) -> tuple[Number, Number]:
        """The least and the largest sum(worth * p)."""
        if len(self.conditions) < 2:
            (by,) = self.conditions or (Condition(0, (0,) * len(worth), "="),)
            ends = tuple(best_mix([way * w for w in worth], by.constant, by.steps, *by.bounds) for way in (-1, 1))
        else:
            ends = self.extremes or ()
        sums = [sum((w * p for w, p in zip(worth, mix, strict=True) if p), Fraction()) for mix in ends]
        return min(sums), max(sums)


def best_mix(
    worth: Sequence[Number], slope: Number, steps: Sequence[Number], least: int | None, most: int | None
) -> Mix:
    """Of all p from 0 to 1 that meet this condition, the p with the largest sum(worth * p):

        least <= slope + sum(steps * p) <= most

    At least one p must meet the condition. The search starts from the best p without the condition. It changes entries
    of p until the condition holds, and begins with the entry whose change costs least for its effect on the condition.
    """
    best = [Fraction(w > 0) for w in worth]
    at = slope + sum((s * p for s, p in zip(steps, best, strict=True)), Fraction())
    goal = least if least is not None and at < least else most if most is not None and at > most else at
    for i in sorted((i for i, s in enumerate(steps) if s), key=lambda i: abs(Fraction(worth[i]) / steps[i])):
        p = min(max(best[i] + (goal - at) / steps[i], Fraction(0)), Fraction(1))
        at += steps[i] * (p - best[i])
        best[i] = p
    return tuple(best)


def _extremes(conditions: Sequence[Condition], cells: int) -> Iterable[Mix]:
    """The extreme p. If n entries of an extreme p are neither 0 nor 1, then n conditions hold with equality, and these
    determine the n entries."""
    extremes: dict[Mix, None] = {}
    for n in range(min(len(conditions), cells) + 1):
        for binding, between in product(combinations(conditions, n), combinations(range(cells), n)):
            for corner in product((0, 1), repeat=cells - n):
                mix: list[Number] = list(corner)
                for i in between:
                    mix.insert(i, 0)
                solved = _solved([[*(c.steps[i] for i in between), c.at(mix)] for c in binding])
                if solved is None or not all(0 <= p <= 1 for p in solved):
                    continue
                for i, p in zip(between, solved, strict=True):
                    mix[i] = p
                if all(c.allows(at, at) for c, at in ((c, c.at(mix)) for c in conditions)):
                    extremes[tuple(map(Fraction, mix))] = None
    return extremes


def _solved(equations: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """The p that solves every equation sum(e * p) + constant = 0. The last entry of an equation is its constant. The
    numbers of equations and unknowns are equal. None if there is no solution, or more than one."""
    rows = [[Fraction(e) for e in row] for row in equations]
    for i in range(len(rows)):
        pivot = next((row for row in rows[i:] if row[i]), None)
        if pivot is None:
            return None
        rows.remove(pivot)
        lead = [e / pivot[i] for e in pivot]
        rows = [[e - row[i] * p for e, p in zip(row, lead, strict=True)] for row in rows]
        rows.insert(i, lead)
    return [-row[-1] for row in rows]
