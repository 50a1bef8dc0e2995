"""The result of a check of `verify`: whether it passes, and either the largest difference or the chance of the least
likely deviation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isnan

Tick = Callable[[float], None]


@dataclass(frozen=True)
class Check:
    """One row of `verify`: a group of comparisons, each of two numbers.

    In an exact check, `worst` is the largest difference, and the check passes if `worst` is not above `bound`. In a
    statistical test, `worst` is the normal deviate of the least likely comparison, without its sign. `chance` is an
    upper bound on the chance that any comparison is at least this unlikely, and the test passes if `chance` is above
    `bound`. `at` is the place of the worst comparison.
    """

    check: str
    subject: str
    comparisons: int
    worst: float
    at: str = ""
    chance: float | None = None
    bound: float = 0

    @property
    def dealt(self) -> bool:
        """Whether the check is a statistical test with dealt shoes. A correct machine may fail such a test by
        chance."""
        return self.chance is not None

    @property
    def agrees(self) -> bool:
        return self.chance > self.bound if self.chance is not None else self.worst <= self.bound


class LargestDifference:
    """The size of the largest of many differences, and its place."""

    def __init__(self) -> None:
        self.comparisons, self.worst, self.at = 0, 0.0, ""

    def see(self, difference: float, at: str, comparisons: int = 1) -> None:
        self.comparisons += comparisons
        if not abs(difference) <= self.worst:  # true also if the difference is NaN
            self.worst, self.at = inf if isnan(difference) else float(abs(difference)), at

    def check(self, check: str, subject: str, bound: float = 0) -> Check:
        return Check(check, subject, self.comparisons, self.worst, self.at, None, bound)


def by_chance(check: str, subject: str, deviations: Sequence[tuple[float, float, str]]) -> Iterator[Check]:
    """A statistical test of these comparisons (chance, deviate, place), as one check. Its chance is the smallest chance
    of a comparison times the number of comparisons, at most 1. A chance that is NaN counts as 0. Yields nothing if
    there are no comparisons."""
    if deviations:
        least, z, at = min((0.0 if isnan(likely) else likely, z, at) for likely, z, at in deviations)
        yield Check(check, subject, len(deviations), abs(z), at, min(1.0, len(deviations) * least))
