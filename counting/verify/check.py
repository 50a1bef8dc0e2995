"""A check of `verify`: its verdict, and how large the difference, or how unlikely the deviation, was."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isnan

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Check:
    """One row of `verify`: figures compared with others. `worst` is the largest difference, or the normal deviate of
    the least likely comparison, and `at` is its place. A statistical test has the `chance` of a deviate at least this
    large among its comparisons, and passes if the chance is above `bound`. An exact check passes if `worst` is not
    above `bound`."""

    check: str
    subject: str
    comparisons: int
    worst: float
    at: str = ""
    chance: float | None = None
    bound: float = 0

    @property
    def dealt(self) -> bool:
        """Whether it is a test with dealt shoes, which a correct machine may fail by chance."""
        return self.chance is not None

    @property
    def agrees(self) -> bool:
        return self.chance > self.bound if self.chance is not None else self.worst <= self.bound


class LargestDifference:
    """The largest of many differences, and its place."""

    def __init__(self) -> None:
        self.comparisons, self.worst, self.at = 0, 0.0, ""

    def see(self, difference: float, at: str, comparisons: int = 1) -> None:
        self.comparisons += comparisons
        if not abs(difference) <= self.worst:  # true also if the difference is not a number
            self.worst, self.at = inf if isnan(difference) else float(abs(difference)), at

    def check(self, check: str, subject: str, bound: float = 0) -> Check:
        return Check(check, subject, self.comparisons, self.worst, self.at, None, bound)


def by_chance(check: str, subject: str, deviations: Sequence[tuple[float, float, str]]) -> Iterator[Check]:
    """The check of these comparisons (chance, deviate, place). Its chance is the smallest of these chances, times their
    number, at most 1. A chance that is not a number counts as 0. Without comparisons there is no check."""
    if deviations:
        least, z, at = min((0.0 if isnan(likely) else likely, z, at) for likely, z, at in deviations)
        yield Check(check, subject, len(deviations), abs(z), at, min(1.0, len(deviations) * least))
