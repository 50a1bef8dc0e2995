"""The net result over independent coups, on a lattice of money.

**The distribution after n coups** comes from the n-th power of the Fourier transform of a coup's distribution. For
1,000 coups, its error is about 1e-13 of the largest probability, so small tails would be noise. A tail is therefore
computed from a tilted distribution of a coup, with weights e^(theta x). With the right theta, the mean of the tilted
result lies where the tail begins. Afterwards the weights are divided out. For 1,000 coups, the relative error is then
about 1e-13, wherever the tail begins.

**Events at any time** within n coups are followed coup by coup. Paths that have reached an end are removed. Only
positive numbers are added, so small chances keep their relative error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, floor, gcd, lcm, sqrt

import numpy as np

from counting.arrays import Floats, Ints

_MOST_POINTS = 1 << 21  # the most points of a distribution
MOST_MOVES = 3 * 10**9  # the most additions that following paths may take
_WIDE, _SEEN = 60, 14  # in standard deviations: how much a distribution spans, and how far paths are followed
_GONE = 1e-18  # paths are followed until a smaller share of them is left


def money(places: Ints, step: Fraction) -> Floats:
    """The amounts of money at places of the lattice. Each amount is rounded once."""
    return np.asarray(places * step.numerator / step.denominator)


@dataclass(frozen=True, eq=False)
class Distribution:
    """A distribution of money. `chances` are the chances of successive amounts, `step` apart; the first is `low`
    steps."""

    low: int
    step: Fraction
    chances: Floats

    @cached_property
    def amounts(self) -> Floats:
        return money(self.low + np.arange(len(self.chances)), self.step)

    @cached_property
    def below(self) -> Floats:
        """The chance of each amount or less."""
        return np.cumsum(self.chances)

    def quantile(self, share: float) -> float:
        """The least amount x for which a result of x or less has a chance of `share` or more."""
        return float(self.amounts[min(int(np.searchsorted(self.below, share)), len(self.chances) - 1)])

    def mean(self, of: Callable[[Floats], Floats]) -> float:
        """The mean of a function of the amount."""
        return float(self.chances @ of(self.amounts))

    @property
    def above_zero(self) -> float:
        return float(self.chances[self.amounts > 0].sum())


@dataclass(frozen=True)
class Ends:
    """How paths end if they stop at an upper and at a lower end: the chance of each end, and of reaching neither within
    the coups. `coups` is the mean number of coups played."""

    upper: float
    lower: float
    neither: float
    coups: float


@dataclass(frozen=True, eq=False)
class Walk:
    """How a coup moves the net result on a lattice of money: the jumps, in steps of the lattice, and their chances.

    `exact`: whether all pays are whole steps. Otherwise a pay between two points is replaced by a random draw of one of
    these points, whose mean is the pay."""

    step: Fraction
    jumps: Ints
    chances: Floats
    exact: bool = True

    @classmethod
    def of(cls, chances: Mapping[Fraction, Fraction], coups: int, reach: Fraction | None = Fraction()) -> Walk:
        """The walk of a coup's pays. `chances` gives the chance of each pay.

        The lattice is the coarsest that contains all pays. If it is too fine to compute the distribution after `coups`
        coups, or to follow paths as far as `reach`, a coarser lattice is used. With a `reach` of None, no paths are
        followed."""
        amounts = [pay for pay in chances if pay]
        step = Fraction(gcd(*(a.numerator for a in amounts)), lcm(*(a.denominator for a in amounts)))
        jumps = np.array([int(pay / step) for pay in chances], np.int64)
        walk = cls(step, jumps, np.array([float(chance) for chance in chances.values()]))
        while not walk._fits(coups, reach):
            walk = walk.coarser()
        return walk

    def coarser(self) -> Walk:
        """The walk on every second point. A jump to a point between two of these goes to each of them with a chance of
        1/2."""
        below = self.jumps // 2
        odd = self.jumps % 2
        jumps = np.concatenate([below, below + odd])
        places, place = np.unique(jumps, return_inverse=True)
        chances = np.bincount(place.reshape(-1), np.tile(self.chances / 2, 2), len(places))
        return Walk(2 * self.step, places, np.asarray(chances, np.float64), exact=False)

    def _fits(self, coups: int, reach: Fraction | None) -> bool:
        most = int(self.jumps.max() - self.jumps.min()) + 1
        points = min(coups * most, ceil(_WIDE * self.deviation * sqrt(coups)) + 4 * most)
        if reach is None:
            return points <= _MOST_POINTS
        far = max(_SEEN * self.deviation * sqrt(coups), 2 * float(reach / self.step))
        return points <= _MOST_POINTS and min(coups * most, far + most) * coups * len(self.jumps) <= MOST_MOVES

    @property
    def mean(self) -> float:
        """The mean of a coup, in steps."""
        return float(self.chances @ self.jumps)

    @property
    def deviation(self) -> float:
        return sqrt(max(float(self.chances @ (self.jumps - self.mean) ** 2), 0.0))

    def after(self, coups: int) -> Distribution:
        """The distribution of the net result after `coups` coups."""
        return Distribution(*self._power(self.chances, coups))

    def at_least(self, amount: Fraction, coups: int) -> float:
        """The chance that the net result is `amount` or more after `coups` coups."""
        return self._tail(ceil(amount / self.step), coups, 1)

    def at_most(self, amount: Fraction, coups: int) -> float:
        """The chance that the net result is `amount` or less after `coups` coups."""
        return self._tail(floor(amount / self.step), coups, -1)

    def ever_at_least(self, amount: Fraction, coups: int) -> float:
        """The chance that the net result is `amount` or more at any time within `coups` coups."""
        return 1.0 if amount <= 0 else self.ends(None, amount, coups).upper

    def ever_at_most(self, amount: Fraction, coups: int) -> float:
        """The chance that the net result is `amount` or less at any time within `coups` coups."""
        return 1.0 if amount >= 0 else self.ends(amount, None, coups).lower

    def ends(self, lower: Fraction | None, upper: Fraction | None, coups: int) -> Ends:
        """How paths end if they stop at a net result of `lower` or less (below 0), or of `upper` or more (above 0). If
        one of the two is None, paths do not stop on that side."""
        reach = coups * abs(self.mean) + _SEEN * self.deviation * sqrt(coups) + int(abs(self.jumps).max()) + 1
        least, most = (coups * max(int(side), 0) + 1 for side in (-self.jumps.min(), self.jumps.max()))
        low = -ceil(min(reach if lower is None else ceil(-lower / self.step), least))
        high = ceil(min(reach if upper is None else ceil(upper / self.step), most))
        size = high - low - 1
        alive, ended, played = np.zeros(size), {True: 0.0, False: 0.0}, 0.0
        alive[-low - 1] = left = 1.0
        for _ in range(coups):
            played += left
            after = np.zeros(size)
            for jump, chance in zip(self.jumps.tolist(), self.chances.tolist(), strict=True):
                stay = max(size - abs(jump), 0)
                if jump >= 0:
                    after[size - stay :] += chance * alive[:stay]
                else:
                    after[:stay] += chance * alive[size - stay :]
                if jump:
                    gone = alive[stay:] if jump > 0 else alive[: size - stay]
                    ended[jump > 0] += chance * float(gone.sum())
            alive = after
            left = float(alive.sum())
            if left < _GONE:
                break
        return Ends(ended[True], ended[False], left, played)

    def _tail(self, place: int, coups: int, side: int) -> float:
        """The chance to be at a place or beyond it: above it if `side` is 1, below it if `side` is -1."""
        jumps = side * self.jumps
        place *= side
        if place > coups * int(jumps.max()):
            return 0.0
        tilt = self._tilt(jumps, place / coups)
        if tilt <= 0:  # the tail contains the mean, so its chance is not small
            plain = self.after(coups)
            places = side * (plain.low + np.arange(len(plain.chances)))
            return min(float(plain.chances[places >= place].sum()), 1.0)
        weights, log_mean = _tilted(self.chances, jumps, tilt)
        low, _, chances = self._power(weights, coups)
        beyond = side * (low + np.arange(len(chances))) - place
        kept = beyond >= 0
        total = float(chances[kept] @ np.exp(-tilt * beyond[kept]))
        return total * exp(coups * log_mean - tilt * place)

    def _tilt(self, jumps: Ints, mean: float) -> float:
        """The tilt that gives a coup this mean."""
        low, high = -1.0, 1.0
        while self._mean_tilted(jumps, high) < mean and high < 64:
            high *= 2
        while self._mean_tilted(jumps, low) > mean and low > -64:
            low *= 2
        for _ in range(80):
            middle = (low + high) / 2
            low, high = (middle, high) if self._mean_tilted(jumps, middle) < mean else (low, middle)
        return high

    def _mean_tilted(self, jumps: Ints, tilt: float) -> float:
        return float(_tilted(self.chances, jumps, tilt)[0] @ jumps)

    def _power(self, chances: Floats, coups: int) -> tuple[int, Fraction, Floats]:
        """The distribution of the sum of `coups` coups with these chances: its first place, its step, and its
        chances."""
        width = int(self.jumps.max() - self.jumps.min())
        mean = float(chances @ self.jumps)
        spread = sqrt(max(float(chances @ (self.jumps - mean) ** 2), 0.0) * coups)
        needed = min(coups * width + 1, ceil(_WIDE * spread) + 4 * width + 1)
        size = 1 << max(needed - 1, 1).bit_length()
        centre = round(mean)
        of_coup = np.zeros(size)
        np.add.at(of_coup, (self.jumps - centre) % size, chances)
        summed = np.fft.irfft(np.fft.rfft(of_coup) ** coups, size)
        low = max(coups * int(self.jumps.min()), round(coups * mean) - size // 2)
        most = min(size, coups * int(self.jumps.max()) - low + 1)
        places = (low - coups * centre + np.arange(most)) % size
        return low, self.step, np.maximum(summed[places], 0.0)


def _tilted(chances: Floats, jumps: Ints, tilt: float) -> tuple[Floats, float]:
    """The chances, tilted towards high places, and the logarithm of the mean of e^(tilt x)."""
    logs = np.log(chances) + tilt * jumps
    top = float(logs.max())
    weights = np.exp(logs - top)
    total = float(weights.sum())
    return weights / total, top + float(np.log(total))
