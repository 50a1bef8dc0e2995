"""How many coups a review must see to bound a dealer's rate of errors, or to tell two dealers apart.

Both plans, the bound and the comparison, use exact chances. A bound rules out a rate if the review finds at most a
given number of errors. The plan takes the fewest coups for which a dealer with this rate has a chance of at most 1 -
confidence of making this number of errors or fewer.

The power of a comparison is the chance that Fisher's exact test rejects. It is a sum over all pairs of numbers of
errors, one number for each dealer: the chances of the pairs for which the test rejects. Pairs far from the mean are
left out, and together they have a chance below 1e-12. If the rates are equal, the first dealer's number of errors,
given the sum of both numbers, is hypergeometric whatever the rate is. So the test's level holds for every rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log1p, sqrt

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError, keyword, real, whole
from counting.review.significance import binomial_sum, hypergeometric_sum

PER = 100_000  # rates are per this number of coups
MOST_ERRORS = 1000  # the most errors that a bound may allow
_MOST_COUPS = 10**9
_MOST_EXPECTED = 10_000  # the largest expected number of errors, of both dealers together, that a comparison tries
# The power is summed over both dealers' total number of errors, up to 9 standard deviations plus 20 errors to each side
# of its mean. The rest has a chance below 1e-12.
_DEVIATIONS, _BESIDE = 9, 20


@dataclass(frozen=True)
class BoundPlan:
    """A plan that bounds a rate.

    - `coups`: the fewest coups for which `errors` errors or fewer rule out the rate
    - `confidence`: the confidence that is reached
    - `passes`: the chance of passing for a dealer whose rate is `SamplePlan.rate_to_pass`"""

    errors: int
    coups: int
    confidence: float
    passes: float


@dataclass(frozen=True)
class ComparisonPlan:
    """A plan that tells two dealers' rates apart.

    - `coups`: the number of coups for each dealer
    - `power`: the power that is reached
    - `power_before`: the power with one coup less for each dealer
    - `level`: the chance that the test rejects if both dealers have the mean of the two rates"""

    coups: int
    power: float
    level: float
    power_before: float


@dataclass(frozen=True)
class SamplePlan:
    """What a review must be able to show, and how many coups it needs for this.

    - `rate`: the rate per 100,000 coups that is ruled out, with this `confidence`, if the review finds 0 to `errors`
      errors
    - `true_rate`: the rate of a dealer who should pass
    - `compare`: two rates per 100,000 coups, which a two-sided test at this `level` must tell apart with this `power`
    - `coups_per_hour`: converts coups into hours; the plans do not depend on it"""

    rate: float | None = None
    errors: int = 3
    confidence: float = 0.95
    true_rate: float | None = None
    compare: tuple[float, float] | None = None
    level: float = 0.05
    power: float = 0.8
    coups_per_hour: float = 70

    @property
    def rate_to_pass(self) -> float | None:
        """The true rate of a dealer who should pass. By default it is a tenth of `rate`."""
        return self.rate / 10 if self.true_rate is None and self.rate is not None else self.true_rate

    @cached_property
    def bounds(self) -> list[BoundPlan]:
        """A plan for each number of errors, from 0 to `errors`."""
        if self.rate is None:
            return []
        true = (self.rate_to_pass or 0) / PER
        plans = []
        for errors in range(self.errors + 1):
            coups = coups_to_bound(errors, self.rate / PER, self.confidence)
            beyond = binomial_sum(0, errors, coups, self.rate / PER)
            plans.append(BoundPlan(errors, coups, 1 - beyond, binomial_sum(0, errors, coups, true)))
        return plans

    @cached_property
    def comparison(self) -> ComparisonPlan | None:
        if self.compare is None:
            return None
        first, second = (rate / PER for rate in self.compare)
        return coups_to_compare(first, second, self.level, self.power)

    @cached_property
    def passes_extended(self) -> float:
        """How often a dealer at the rate to be ruled out passes an extended review. Whenever such a review finds too
        many errors, it goes on to the next number of coups in `bounds`.

        If `errors` is above 0, the result is above 1 - confidence, unless nearly half of the coups, or more, have
        errors."""
        left, passed, seen = np.array([1.0]), 0.0, 0
        for plan in self.bounds:
            more = _binomial(plan.coups - seen, (self.rate or 0) / PER, self.errors + 1)
            left, seen = np.convolve(left, more)[: self.errors + 1], plan.coups
            passed += float(left[: plan.errors + 1].sum())
            left[: plan.errors + 1] = 0
        return passed


def coups_to_bound(errors: int, chance: float, confidence: float) -> int:
    """The fewest coups for which the chance of `errors` errors or fewer is at most 1 - `confidence`. The chance of an
    error in a coup is `chance`.

    For 0 errors, the result is ln(1 - confidence) / ln(1 - chance), rounded up. Raises `InputError` if more than 10^9
    coups would be needed, if `chance` or `confidence` is not above 0 and below 1, or if `errors` is not a whole number
    from 0 to 10^9.

    >>> from counting.review import coups_to_bound
    >>> coups_to_bound(0, 10 / 100_000, 0.95), coups_to_bound(1, 10 / 100_000, 0.95)
    (29956, 47437)
    """
    errors = whole(errors, keyword("errors"), 0, _MOST_COUPS)
    _between(chance, "chance of an error")
    _between(confidence, keyword("confidence"))
    guess = ceil(min(log1p(-confidence) / log1p(-chance), _MOST_COUPS))
    return _fewest(
        guess,
        lambda coups: binomial_sum(0, errors, coups, chance) <= 1 - confidence,
        InputError(f"{keyword('rate')}: more than 10^9 coups would be needed, should be a larger rate"),
        errors + 1,
    )


def coups_to_compare(first: float, second: float, level: float, power: float) -> ComparisonPlan:
    """How many coups each of two dealers must deal before Fisher's exact test can tell the dealers apart. `first` and
    `second` are the dealers' chances of an error per coup.

    The test is made at `level`, and its power is at least `power`. With one coup less for each dealer, the power is
    below `power`. With still fewer coups it may be above `power` again, because the power dips wherever the test starts
    to need one more error to reject. At level 0.05, the dips are below 0.004 for chances of 0.01 and 0.05, and up to
    0.07 for chances of 0.3 and 0.7. Raises `InputError` if the rates are too close, or if a chance, `level` or `power`
    is not above 0 and below 1. One of the chances may be 0.

    >>> from counting.review import coups_to_compare
    >>> plan = coups_to_compare(10 / 100_000, 30 / 100_000, 0.05, 0.8)
    >>> plan.coups, round(plan.power, 4), round(plan.level, 3)
    (84332, 0.8, 0.032)
    """
    chances = [real(chance, "chance of an error", 0, 1) for chance in (first, second)]
    _between(max(chances), "chance of an error")
    _between(level, keyword("level"))
    _between(power, keyword("power"))
    coups = _fewest(
        ceil(1 / (first + second)),
        lambda coups: rejects(coups, first, second, level) >= power,
        InputError(
            f"{keyword('compare')}: the rates are too close: telling them apart would take more than "
            f"{_MOST_EXPECTED:,} errors, should be farther apart"
        ),
        most=int(_MOST_EXPECTED / (first + second)),
    )
    mean = (first + second) / 2
    return ComparisonPlan(
        coups, rejects(coups, first, second, level), rejects(coups, mean, mean, level),
        rejects(coups - 1, first, second, level),
    )  # fmt: skip


def rejects(coups: int, first: float, second: float, level: float) -> float:
    """How often Fisher's exact test finds that two dealers differ, if each deals `coups` coups with these chances of an
    error.

    The test is two-sided: its p-value is twice the smaller tail. The result is the test's power, or its level if the
    two chances are equal."""
    if coups < 1:
        return 0.0
    mean = coups * (first + second)
    reach = _DEVIATIONS * sqrt(mean) + _BESIDE
    least, most = max(0, int(mean - reach)), min(2 * coups, int(mean + reach))
    one, other = (_binomial(coups, chance, min(coups, most) + 1) for chance in (first, second))
    total, critical = 0.0, least // 2
    for both in range(least, most + 1):
        critical = max(critical, -(-both // 2))
        while critical <= both and 2 * hypergeometric_sum(critical, both, coups, both, 2 * coups) > level:
            critical += 1
        few, many = max(0, both - coups), min(both, coups)
        for low, high in ((max(critical, few), many), (few, min(both - critical, many))):
            if low <= high:
                total += float(one[low : high + 1] @ other[both - high : both - low + 1][::-1])
    return total


def _binomial(coups: int, chance: float, number: int) -> Floats:
    """The chances of 0 to `number` - 1 errors in these coups."""
    mode = min(int((coups + 1) * chance), number - 1)
    errors = np.arange(number - 1, dtype=float)
    ratios = (coups - errors) / (errors + 1) * (chance / (1 - chance))
    below = np.cumprod(1 / ratios[:mode][::-1])[::-1]
    above = np.cumprod(ratios[mode:])
    return binomial_sum(mode, mode, coups, chance) * np.concatenate([below, [1.0], above])


def _between(value: float, name: str) -> None:
    """Check that a value is a number above 0 and below 1."""
    if real(value, name, 0, 1) in (0, 1):
        raise InputError(f"{name}: {value}", "a number above 0 and below 1")


def _fewest(
    guess: int, reached: Callable[[int], bool], too_many: InputError, least: int = 1, most: int = _MOST_COUPS
) -> int:
    """The fewest coups from `least` to `most` for which `reached` is true. In a comparison, `reached` may be true for
    one number of coups and false for a larger number. The result is then some number for which `reached` is true, and
    for one coup less it is false. Raises `too_many` if no number is found."""
    low, high = least - 1, min(max(guess, least), most)
    while not reached(high):
        if high >= most:
            raise too_many
        low, high = high, min(2 * high, most)
    while high - low > 1:
        between = (low + high) // 2
        low, high = (low, between) if reached(between) else (between, high)
    return high
