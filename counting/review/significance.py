"""Tests: p-values of drawn permutations, tails of distributions, rates, and many tests at one level, by p-values and
e-values.

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

from collections.abc import Callable, Sequence
from math import erfc, exp, fsum, lgamma, log, log1p, sqrt

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError

SMALLEST = 1e-300  # a p-value is not written smaller
MOST_E = 1e290  # larger e-values count as this: sums stay finite
LEAST_LEVEL = 1e-4  # of all tests together
FAMILIES = 2  # questions about a patron: half of the level each
_FEW, _AT_ONCE = 64, 128
_NOTHING = 1e-18  # of the largest term of a sum
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


# Rates: errors in a number of coups, each with an error or without


def binomial_sum(first: int, last: int, trials: int, chance: float) -> float:
    """The probability of `first` to `last` of independent trials that each have this chance, both included."""
    first, last = max(first, 0), min(last, trials)
    if first > last:
        return 0.0
    if chance <= 0 or chance >= 1:
        return float(first <= (0 if chance <= 0 else trials) <= last)
    odds = log(chance) - log1p(-chance)

    def logarithm(number: int) -> float:
        return _log_choose(number, trials) + number * odds + trials * log1p(-chance)

    ratio = exp(odds)
    return _sum_of_terms(
        first, last, int((trials + 1) * chance), logarithm, lambda number: (trials - number) / (number + 1) * ratio
    )


def hypergeometric_sum(first: int, last: int, drawn: int, errors: int, coups: int) -> float:
    """The probability that `first` to `last` of the `errors` among `coups` are in `drawn` of these at random."""
    first, last = max(first, drawn + errors - coups, 0), min(last, drawn, errors)
    if first > last:
        return 0.0
    whole = _log_choose(drawn, coups)

    def logarithm(number: int) -> float:
        return _log_choose(number, errors) + _log_choose(drawn - number, coups - errors) - whole

    return _sum_of_terms(
        first, last, (drawn + 1) * (errors + 1) // (coups + 2), logarithm,
        lambda i: (drawn - i) * (errors - i) / ((i + 1) * (coups - errors - drawn + i + 1)),
    )  # fmt: skip


def _log_choose(number: int, among: int) -> float:
    number = min(number, among - number)
    if number <= _FEW:  # large logarithms of factorials would leave few digits
        return fsum(log((among - i) / (number - i)) for i in range(number))
    return lgamma(among + 1) - lgamma(number + 1) - lgamma(among - number + 1)


def _sum_of_terms(
    first: int, last: int, mode: int, logarithm: Callable[[int], float], ratio: Callable[[Floats], Floats]
) -> float:
    """The sum of terms that fall on both sides of the `mode`, from the largest; `ratio`: of the next term to a term."""
    top = min(max(mode, first), last)
    above = _falling(top, last, ratio)
    below = _falling(0, top - first, lambda at: 1 / ratio(top - 1 - at))
    return min(1.0, exp(logarithm(top)) * (1 + above + below))


def _falling(first: int, last: int, ratio: Callable[[Floats], Floats]) -> float:
    """The sum of the terms after a first of 1, until they are nothing."""
    total, term = 0.0, 1.0
    for begin in range(first, last, _AT_ONCE):
        terms = term * np.cumprod(ratio(np.arange(begin, min(begin + _AT_ONCE, last), dtype=float)))
        total, term = total + float(terms.sum()), float(terms[-1])
        if term < _NOTHING:
            break
    return total


def rate_interval(errors: int, coups: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of Clopper and Pearson (Biometrika 26, 1934, p. 404) for the chance of an error per coup: each
    end is outside with at most half of 1 - `confidence`, whatever the chance. 0 to 1 without a coup.

    >>> from counting.review.significance import rate_interval
    >>> [round(100_000 * end, 1) for end in rate_interval(3, 40_000)]
    [1.5, 21.9]
    """
    half = (1 - confidence) / 2
    return rate_below(errors - 1, coups, half), rate_above(errors, coups, half)


def rate_above(errors: int, coups: int, tail: float) -> float:
    """The upper limit of a rate: the chance per coup at which so few errors or fewer have the probability `tail`;
    without errors 1 - tail ** (1 / coups), the rule of three."""
    if errors >= coups:
        return 1.0
    return _crossing(lambda chance: binomial_sum(0, errors, coups, chance) <= tail)[1]


def rate_below(errors: int, coups: int, tail: float) -> float:
    """The lower limit of a rate: the chance at which more than this number of errors have the probability `tail`."""
    if errors < 0:
        return 0.0
    return _crossing(lambda chance: binomial_sum(errors + 1, coups, coups, chance) >= tail)[0]


def _crossing(reached: Callable[[float], bool]) -> tuple[float, float]:
    """The chances, next to each other, between which a condition that holds at 1 begins to hold."""
    low, high = 0.0, 1.0
    while (between := (low + high) / 2) not in (low, high) and high - low > _ROUNDING * 1e-4 * high:
        low, high = (low, between) if reached(between) else (between, high)
    return low, high


def same_rate_p(errors: int, coups: int, all_errors: int, all_coups: int) -> float:
    """The exact p-value of a part of the coups having the same chance of an error as the others, on both sides:
    conditional on all errors, they are in the part as a draw without replacement has them (Fisher's exact test, with
    twice the smaller tail)."""
    fewer = hypergeometric_sum(0, errors, coups, all_errors, all_coups)
    more = hypergeometric_sum(errors, all_errors, coups, all_errors, all_coups)
    return min(1.0, 2 * min(fewer, more))


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
