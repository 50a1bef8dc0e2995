"""A mean of many shoes with its error, and the limits between which the truth lies with 99% confidence each.

Gains per shoe are skewed: most shoes give little, some a lot. A sample that lacks the large ones has too small a mean
and too small an error at once, so that a normal limit is too low too often. The upper limit is widened by the third
moment (N. Johnson, Journal of the American Statistical Association 73, 1978, p. 536); the lower one is not narrowed.
"""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z99 = 2.3263478740408408


class Mean(NamedTuple):
    """A mean, its standard error, and how far the limits are from it for its skew (a part of the error)."""

    value: float
    error: float
    shift: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Mean:
        """Of independent values, one a shoe; no error of one alone."""
        count = len(values)
        mean = float(values.mean())
        if count < 2:
            return cls(mean, nan, nan)
        apart = values - mean
        variance = float(apart @ apart) / (count - 1)
        if variance <= 1e-28 * max(mean * mean, 1e-300):
            return cls(mean, 0.0, 0.0)
        third = float((apart**3).sum()) / count
        return cls(mean, sqrt(variance / count), max(0.0, third) / (6 * variance * count) * (1 + 2 * Z99**2))

    @classmethod
    def ratio(cls, values: NDArray[np.float64], base: NDArray[np.float64]) -> Mean:
        """Of the sum of values over that of the base, by the deviations from it shoe by shoe."""
        ratio, per = float(values.sum() / base.sum()), float(base.mean())
        apart = cls.of(values - ratio * base)
        return cls(ratio, apart.error / per, apart.shift / per)

    def times(self, factor: float) -> Mean:
        """The mean of so many times each value; a factor above 0."""
        return Mean(self.value * factor, self.error * factor, self.shift * factor)

    @property
    def below(self) -> float:
        """The truth is below this with 99% confidence; without bound where there is no error."""
        return inf if self.error != self.error else self.value + Z99 * self.error + self.shift

    @property
    def above(self) -> float:
        """The truth is above this with 99% confidence."""
        return -inf if self.error != self.error else self.value - Z99 * self.error
