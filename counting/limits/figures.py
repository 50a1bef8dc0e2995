"""The two figures of a rule with their limits: what some counter wins at least, and what no counter wins more than.

Each limit holds with 99% confidence. Let V be what the best counter wins.

- A verdict on a bound fixed beforehand is wrong in at most 1% of samples. If V is above the bound, only MET is wrong,
  and it needs an upper limit below V. If V is not above it, only NOT MET is wrong, and it needs a lower limit above V.
- Both limits hold at once in at least 98% of samples (Boole's inequality: the chances of missing add up at most).
- In some samples the lower limit comes out above the upper one, or an estimate on the wrong side of the other. Then at
  least one limit misses, which Boole's inequality gives at most 2% of samples. `Figures.of` puts them in order by
  raising the upper limit and lowering the lower one. A limit that is moved away from V only holds more often, so all of
  the above stays true.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from counting.limits.means import Mean

SEEN = 1e-300
"""The lower limit of a gain that is known to be above 0, however little: a coup with a positive edge was dealt, and the
counter may skip all others."""


class Figures(NamedTuple):
    """What counters win under a rule, in one unit; numbers or arrays of numbers.

    `lower`: what some counter wins, and `upper`: what no counter wins more than, each an estimate with its standard
    error `..._se` (NaN if it is not known) and its limit `..._99` (infinite if it is not known). Always
    lower_99 <= lower <= upper <= upper_99, where they are known.
    """

    lower: Any
    lower_se: Any
    lower_99: Any
    upper: Any
    upper_se: Any
    upper_99: Any

    @classmethod
    def of(cls, lower: Any, lower_se: Any, lower_99: Any, upper: Any, upper_se: Any, upper_99: Any) -> Figures:
        """The figures in order. An estimate of what a counter wins that is above the estimate for all counters is
        replaced by that estimate, with its error: no counter wins more than the best."""
        upper_99 = np.maximum(upper_99, lower_99)
        upper = np.fmin(upper, upper_99)
        above = np.greater(lower, upper)
        lower, lower_se = np.where(above, upper, lower), np.where(above, upper_se, lower_se)
        lower_99 = np.fmin(lower_99, lower)
        return cls(lower, lower_se, lower_99, upper, upper_se, upper_99)

    @classmethod
    def of_one(cls, gain: Any, error: Any, limit: Any, quantile: float, seen: Any) -> Figures:
        """The figures of a counter who is the best of their kind, so that both are the same: the gain with its error
        and its upper limit; the lower limit is this quantile of the error below. `seen` as in `of_means`."""
        least = gain - quantile * error
        least = np.where(np.logical_and(seen, np.greater(gain, 0)), np.fmax(least, SEEN), least)
        return cls.of(gain, error, least, gain, error, limit)

    @classmethod
    def of_means(cls, lower: Mean, upper: Mean, seen: bool = False) -> Figures:
        """The figures of two means. `seen`: both are those of a counter who may skip any coup, so that a lower figure
        above 0 shows that there is something to win."""
        least = max(lower.above, SEEN) if seen and lower.value > 0 else lower.above
        figures = cls.of(lower.value, lower.error, least, upper.value, upper.error, upper.below)
        return cls(*map(float, figures))

    def times(self, factor: Any) -> Figures:
        """Every figure times a factor above 0."""
        return Figures(*(figure * factor for figure in self))
