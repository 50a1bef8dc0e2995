"""A mean over many shoes with its standard error, and a lower and an upper limit, each with 99% confidence.

Gains per shoe are skewed: most shoes give little, some a lot. In a sample without the large gains, both the mean and
its error are too small. So an upper limit from the normal distribution is below the truth too often. Let d be the
deviations from the mean. The number of shoes from which most of the error comes is about

    k = (sum d^2)^2 / sum d^4

For normal deviations, k is a third of the shoes. If a few large gains dominate, k is a small number. The upper limit is
2.33 + 8 / sqrt(k) errors above the mean. The factor 8 is measured (`tests/bounds/test_means.py`): if 60 or more shoes
have a gain, the limit is below the truth in 1% of samples or less. This holds for gains whose tails are no heavier than
the tail of a squared exponential variable. The lower limit is 2.33 errors below the mean. With skew to the right, this
errs on the safe side."""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z99, Z995 = 2.3263478740408408, 2.5758293035489004
LEAST_GAINING = 60  # the fewest shoes with a gain for which the upper limit holds: measured, see above
_WIDENED = 8.0


def skew_at(z: float) -> float:
    """What skew adds to a limit at the normal quantile `z`, as a multiple of what it adds to a 99% limit. This is
    Cornish and Fisher's term."""
    return (2 * z**2 + 1) / (2 * Z99**2 + 1)


class Estimate(NamedTuple):
    """An estimate of a mean: its value, its standard error, and a lower or an upper 99% limit. Each is a number, or an
    array with an entry for each cut. An error that is not known is NaN; a limit that is not known is infinite."""

    value: Any
    error: Any
    limit: Any

    @staticmethod
    def names(unit: str) -> tuple[str, str, str]:
        """The columns of an estimate in this unit: value, error, limit."""
        return unit, f"{unit}_se", f"{unit}_99"

    def columns(self, unit: str) -> dict[str, Any]:
        """The estimate as columns, or as fields of a row."""
        return dict(zip(self.names(unit), self, strict=True))


class Mean(NamedTuple):
    """A mean, its standard error, and `shift`, the amount that skew adds to a 99% upper limit."""

    value: float
    error: float
    shift: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Mean:
        """The mean of independent values, one per shoe. The error of a single value is NaN."""
        count = len(values)
        mean = float(values.mean())
        if count < 2:
            return cls(mean, nan, nan)
        deviations = values - mean
        variance = float(deviations @ deviations) / (count - 1)
        if variance <= 1e-28 * max(mean * mean, 1e-300):
            return cls(mean, 0.0, 0.0)
        error, squares = sqrt(variance / count), deviations * deviations
        return cls(mean, error, _WIDENED * error * sqrt(float(squares @ squares)) / float(squares.sum()))

    @classmethod
    def ratio(cls, values: NDArray[np.float64], base: NDArray[np.float64]) -> Mean:
        """The sum of the values over the sum of the base. The error is from the deviations shoe by shoe."""
        ratio, per = float(values.sum() / base.sum()), float(base.mean())
        deviation = cls.of(values - ratio * base)
        return cls(ratio, deviation.error / per, deviation.shift / per)

    def times(self, factor: float) -> Mean:
        """The mean of the values if each is multiplied by a factor above 0."""
        return Mean(self.value * factor, self.error * factor, self.shift * factor)

    def beside(self, error: float) -> Mean:
        """The mean with another, independent standard error added (the squares add up)."""
        return Mean(self.value, sqrt(self.error**2 + error**2), self.shift) if error else self

    @property
    def at_least(self) -> Estimate:
        """The mean with its lower limit."""
        return Estimate(self.value, self.error, self.above)

    @property
    def at_most(self) -> Estimate:
        """The mean with its upper limit."""
        return Estimate(self.value, self.error, self.below)

    @property
    def below(self) -> float:
        """The upper limit with 99% confidence. It is infinite if the error is not known."""
        return self.upper(Z99)

    def upper(self, z: float) -> float:
        """The upper limit with the confidence of the normal quantile `z`. It is infinite if the error is not known."""
        return inf if self.error != self.error else self.value + z * self.error + skew_at(z) * self.shift

    @property
    def above(self) -> float:
        """The lower limit with 99% confidence. It is minus infinity if the error is not known."""
        return -inf if self.error != self.error else self.value - Z99 * self.error
