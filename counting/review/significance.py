"""Tests: p-values of drawn permutations, tails of distributions, and many tests at one level, by p-values and e-values.

Whose stakes follow the edge, and whether shoes were shuffled, are p-values: Holm's method, valid under any dependence.
Who knows the coming cards is an e-value for each patron: closed testing with means (Vovk and Wang 2021). A patron is
tested for both: half of the level goes to each question, so that by the union bound the chance of any false flag is at
most the level.

Closed testing. For a set S of patrons let H_S say that all of S are honest, that is, know past cards only. Under H_S

    e_S = (sum of e_i over patrons i in S + sum of w_G e_G over groups G in S) / (|S| + 1),  or e_i if S is i alone,

has a mean of at most 1, as a mixture of e-values with weights fixed beforehand: w_G >= 0 with a sum of at most 1 over
all groups, and a group that was not worked out counts 0, for whatever reason. A set R, one patron or a group, is
flagged if e_S >= 2 / level for every S that contains R. If T are the patrons who are honest, a false flag is an R in T;
it needs e_T >= 2 / level, which has a chance of at most half of the level (Markov's inequality). So however the
e-values depend on each other, and whoever else knows the cards, the chance that any honest patron, or any group of
honest patrons, is flagged is at most half of the level.

What `adjusted_e` returns is at most the least e_S over S that contain R, as groups that are not in R count 0. It is
never below what Holm's method on 1 / e gives for one test more, and where others have lost most of their capital it is
larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import erfc, exp, fsum, lgamma, log, sqrt

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError

SMALLEST = 1e-300  # a p-value is not written smaller
MOST_E = 1e290  # larger e-values count as this: sums stay finite
LEAST_LEVEL = 1e-4  # of all tests together
FAMILIES = 2  # questions about a patron: half of the level each
_ROUNDING = 1e-9  # values that differ by less are equal


# p-values


def monte_carlo_p(values: Floats, both_sides: bool = False) -> float:
    """The share of values at least as extreme as the first, which is among them; twice the smaller on both sides."""
    slack = _ROUNDING * (1 + abs(values[0]))
    above = float((values >= values[0] - slack).mean())
    if not both_sides:
        return above
    return min(1.0, 2 * min(above, float((values <= values[0] + slack).mean())))


def sequential_p(large: int, drawn: int, enough: int | None = None) -> float:
    """The p-value with `large` of `drawn` values at least as extreme, where drawing stops at `enough` of these (Besag
    and Clifford, Biometrika 78, 1991, p. 301): valid whatever number was drawn."""
    return large / drawn if large == enough else (large + 1) / (drawn + 1)


def chi_squared_tail(square: float, freedom: int) -> float:
    """The probability of a chi-squared at least as large (Abramowitz and Stegun, 26.4.4 and 26.4.5)."""
    half, odd = square / 2, freedom % 2
    if half <= 0:
        return 1.0
    terms = (exp((i + odd / 2) * log(half) - half - lgamma(i + odd / 2 + 1)) for i in range((freedom - odd) // 2))
    return min(1.0, (erfc(sqrt(half)) if odd else 0.0) + sum(terms))


def poisson_tail(number: int, mean: float) -> float:
    """An upper bound on the chance of a Poisson number to be at least so large, above it by at most a factor of
    (number + 1) / (number + 1 - mean); 1 up to the mean."""
    if number == 0 or mean <= 0:
        return 1.0 if number == 0 else 0.0
    if number <= mean:
        return 1.0
    first = exp(number * log(mean) - mean - lgamma(number + 1))
    return min(1.0, first / (1 - mean / (number + 1)))


def wins_tails(chances: Floats, wins: int) -> tuple[float, float]:
    """The chances of at most, and of at least, so many wins of independent bets with these chances of their own."""
    parts = [np.array([1 - chance, chance]) for chance in chances.tolist()] or [np.ones(1)]
    while len(parts) > 1:
        joined = [np.convolve(one, other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*joined, *parts[len(parts) // 2 * 2 :]]
    return min(1.0, fsum(parts[0][: wins + 1])), min(1.0, fsum(parts[0][wins:]))


# Many tests


def refuse_level(level: float) -> None:
    """Raise `InputError` for what cannot be the level of all tests together."""
    is_number = isinstance(level, int | float)
    if not (is_number and LEAST_LEVEL <= level < 1):
        raise InputError(
            f"level: {f'{level:g}' if is_number else repr(level)}, should be from {LEAST_LEVEL:g} to below 1"
        )


def holm(p: Floats, weights: Floats | None = None) -> Floats:
    """Holm's adjusted p-values: the level at which each test would be rejected among all of these; with weights, the
    tests' shares of the level (Holm, Scandinavian Journal of Statistics 6, 1979, p. 65)."""
    weights = np.ones(len(p)) if weights is None else weights
    order = np.argsort(p / weights, kind="stable")
    own = weights[order]
    left = np.subtract.accumulate([fsum(weights), *own[:-1]])  # weights of the tests from each on
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] / own * np.maximum(left[: len(p)], own)).clip(max=1)
    return adjusted


def e_values(log10: Sequence[float]) -> Floats:
    """e-values from their decimal logarithms, at most `MOST_E`."""
    return np.asarray(10.0 ** np.minimum(np.array(log10, float), np.log10(MOST_E)))


def adjusted_e(e: Floats, members: Sequence[int], of_groups: float = 0.0) -> float:
    """The adjusted e-value of one patron or a group, the least mean over all sets of patrons with these `members`;
    `of_groups` is the sum of w_G e_G over groups among them."""
    others = np.append(0.0, np.sort(np.delete(e, list(members))).cumsum())
    own = float(e[list(members)].sum()) + of_groups
    patrons = len(members) + np.arange(len(others))
    return float(((own + others) / np.where(patrons == 1, 1, patrons + 1)).min())
