"""A figure: an amount that some counter wins under a rule, and an amount that no counter exceeds, with their limits.

Each limit holds with 99% confidence. Let V be what the best counter wins.

- A verdict on a bound fixed beforehand is wrong in at most 1% of samples. If V is above the bound, only MET is wrong,
  and MET needs an upper limit below V. If V is not above the bound, only NOT MET is wrong, and NOT MET needs a lower
  limit above V.
- Both limits hold at once in at least 98% of samples (Boole's inequality: the chance that one of them misses is at most
  the sum of both chances).
- In some samples the lower limit is above the upper limit. Then at least one limit misses, which happens in at most 2%
  of samples by Boole's inequality. In other samples only the lower estimate is above the upper estimate. `Figure.of`
  restores the order: it raises the upper limit, lowers the lower estimate, and lowers the lower limit to this estimate.
  Raising an upper limit or lowering a lower limit never makes it miss more often, so all of the above stays true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from counting.bounds.bounds import Per
from counting.bounds.means import Estimate, Mean

SEEN = 1e-300
"""The lower limit of a gain that is known to be above 0, if only by a little. It is known because a coup with a
positive edge was dealt, and the counter may skip all other coups."""


@dataclass(frozen=True, eq=False)
class Figure:
    """What counters win under a rule, `per` shoe, 100 coups or hour. The fields of an estimate are numbers, or arrays
    with an entry for each cut.

    - `lower`: what some counter wins; its limit is a lower limit
    - `upper`: an amount that no counter exceeds; its limit is an upper limit

    In a figure made by `of`, lower.limit <= lower.value <= upper.value <= upper.limit, where they are known."""

    lower: Estimate
    upper: Estimate
    per: Per = Per.SHOE

    @classmethod
    def of(cls, lower: Estimate, upper: Estimate, per: Per = Per.SHOE) -> Figure:
        """The figure made of two estimates, put in order. A lower estimate above the upper estimate is replaced by the
        upper estimate and its error, as no counter wins more than the best."""
        most = np.maximum(upper.limit, lower.limit)
        best = np.fmin(upper.value, most)
        above = np.greater(lower.value, best)
        some, error = np.where(above, best, lower.value), np.where(above, upper.error, lower.error)
        return cls(Estimate(some, error, np.fmin(lower.limit, some)), Estimate(best, upper.error, most), per)

    @classmethod
    def of_best(cls, gain: Estimate, quantile: float, seen: Any) -> Figure:
        """The figure per shoe of the best counter of a kind.

        Both estimates are `gain`, and the upper limit is the limit of `gain`. The lower limit is `quantile` standard
        errors below the gain. It is at least `SEEN` if the gain is above 0 and was `seen` (as in `of_means`)."""
        least = gain.value - quantile * gain.error
        least = np.where(np.logical_and(seen, np.greater(gain.value, 0)), np.fmax(least, SEEN), least)
        return cls.of(gain._replace(limit=least), gain)

    @classmethod
    def of_means(cls, lower: Mean, upper: Mean, per: Per = Per.SHOE, seen: bool = False) -> Figure:
        """The figure of two means. `seen`: both means are for a counter who may skip any coup. A lower mean above 0
        then proves that something can be won."""
        least = lower.at_least
        if seen and lower.value > 0:
            least = least._replace(limit=max(least.limit, SEEN))
        return cls.of(least, upper.at_most, per).converted(per, float)

    def converted(self, per: Per, convert: Callable[[Any], Any]) -> Figure:
        """The figure in another unit. `convert` must multiply by a number above 0."""
        return Figure(Estimate(*map(convert, self.lower)), Estimate(*map(convert, self.upper)), per)

    @staticmethod
    def names(unit: str) -> tuple[str, ...]:
        """The columns of a figure in this unit: value, error and limit of the lower estimate, then of the upper
        estimate."""
        return *Estimate.names(f"lower_{unit}"), *Estimate.names(f"upper_{unit}")

    def columns(self, unit: str = "") -> dict[str, Any]:
        """The figure as columns, or as fields of a row. By default they are named after the figure's unit."""
        return dict(zip(self.names(unit or self.per.unit), (*self.lower, *self.upper), strict=True))
