"""Statistics for tests: p-values from random draws, tails of distributions, rates, and p-values and e-values that are
adjusted for many tests at one level.

Two questions have p-values: whose stakes follow the edge, and whether shoes were shuffled. Both use Holm's method,
which is valid under any dependence. A third question, who knows the coming cards, has an e-value for each patron. Its
tests are adjusted by closed testing with means (Vovk and Wang 2021). The first and the third question, which are about
patrons, get half of the level each. So by the union bound the chance of any false flag of a patron is at most the
level.

Closed testing. For a set S of patrons, let H_S be the hypothesis that all of S are honest: they know only past cards.
Let e_i be the e-value of patron i, e_G the e-value of a group G of patrons, and |S| the number of patrons in S. Then

    e_S = (sum of e_i over patrons i in S + sum of w_G e_G over groups G in S) / (|S| + 1)

or e_i if S is the patron i alone. The weights w_G >= 0 are fixed beforehand, and add up to 1 or less over all groups.
So under H_S the mean of e_S is at most 1, because e_S is a mixture of e-values. A group whose e-value was not worked
out, for whatever reason, counts as 0.

A set R, one patron or a group, is flagged only if e_S >= 2 / level for every S that contains R. Let T be the honest
patrons. A false flag is a flagged R within T. It needs e_T >= 2 / level, which has a chance of at most half of the
level (Markov's inequality). So the chance that any honest patron, or any group of honest patrons, is flagged is at most
half of the level. This holds however the e-values depend on each other, and whoever else knows the cards.

The result of `adjusted_e` is at most the least e_S over all S that contain R, because groups that are not in R count as
0. For one patron, Holm's method gives a comparison. Let p be the patron's adjusted p-value by this method, applied to
the p-values 1 / e of all patrons and one more p-value of 1. If p is below 1, the result is at least 1 / p. It is 1 / p
if there are other patrons and the e-value of each of them is 0. Larger e-values of other patrons can only raise the
result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erfc, exp, fsum, lgamma, log, log1p, sqrt

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError

SMALLEST = 1e-300  # no p-value from a Chernoff bound or from evidence is smaller than this
MOST_E = 1e290  # a larger e-value counts as this, so that sums stay finite
LEAST_LEVEL = 1e-4  # the least level that may be set for all tests together
FAMILIES = 2  # two questions about each patron; each has half of the level
_FEW, _AT_ONCE = 64, 128
_NOTHING = 1e-18  # terms below this share of the sum's largest term are left out
_ROUNDING = 1e-9  # values count as equal if they differ by less than this, times 1 + their size


# p-values


def monte_carlo_p(values: Floats, both_sides: bool = False) -> float:
    """The p-value of the first value among all values: the share of values that are at least the first value, the first
    included. With `both_sides`, the share of values that are at most the first value is worked out too, and the p-value
    is twice the smaller share, but at most 1."""
    slack = _ROUNDING * (1 + abs(values[0]))
    above = float((values >= values[0] - slack).mean())
    if not both_sides:
        return above
    return min(1.0, 2 * min(above, float((values <= values[0] + slack).mean())))


def sequential_p(large: int, drawn: int, enough: int | None = None) -> float:
    """The p-value of an observed value, from `drawn` values of which `large` are at least as extreme. Drawing stops
    once `enough` of them are as extreme, or after a number fixed beforehand.

    It is valid for any `enough` and any fixed number (Besag and Clifford, Biometrika 78, 1991, p. 301)."""
    return large / drawn if large == enough else (large + 1) / (drawn + 1)


def chi_squared_tail(square: float, freedom: int) -> float:
    """The probability of a chi-squared value of at least `square`, with `freedom` degrees of freedom (Abramowitz and
    Stegun, 26.4.4 and 26.4.5)."""
    half, odd = square / 2, freedom % 2
    if half <= 0:
        return 1.0
    terms = (exp((i + odd / 2) * log(half) - half - lgamma(i + odd / 2 + 1)) for i in range((freedom - odd) // 2))
    return min(1.0, (erfc(sqrt(half)) if odd else 0.0) + sum(terms))


def poisson_tail(number: int, mean: float) -> float:
    """An upper bound on the chance that a Poisson variable is at least `number`.

    For a number up to the mean, the bound is 1. For a larger number, the bound is too large by at most the factor
    (number + 1) / (number + 1 - mean)."""
    if number == 0 or mean <= 0:
        return 1.0 if number == 0 else 0.0
    if number <= mean:
        return 1.0
    first = exp(number * log(mean) - mean - lgamma(number + 1))
    return min(1.0, first / (1 - mean / (number + 1)))


def wins_tails(chances: Floats, wins: int) -> tuple[float, float]:
    """The chance of at most `wins` wins of independent bets with these chances, and the chance of at least `wins`
    wins."""
    parts = [np.array([1 - chance, chance]) for chance in chances.tolist()] or [np.ones(1)]
    while len(parts) > 1:
        joined = [np.convolve(one, other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*joined, *parts[len(parts) // 2 * 2 :]]
    return min(1.0, fsum(parts[0][: wins + 1])), min(1.0, fsum(parts[0][wins:]))


# Error rates: each coup has an error or none


def binomial_sum(first: int, last: int, trials: int, chance: float) -> float:
    """The probability of `first` to `last` successes, both included, in independent trials with this chance."""
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
    """The probability of `first` to `last` errors among `drawn` coups, drawn at random from `coups` coups of which
    `errors` have an error."""
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
    if number <= _FEW:  # for small numbers, logarithms of factorials lose digits
        return fsum(log((among - i) / (number - i)) for i in range(number))
    return lgamma(among + 1) - lgamma(number + 1) - lgamma(among - number + 1)


def _sum_of_terms(
    first: int, last: int, mode: int, logarithm: Callable[[int], float], ratio: Callable[[Floats], Floats]
) -> float:
    """The sum of the terms `first` to `last`, which get smaller away from the `mode`. `logarithm` gives a term's
    logarithm; `ratio` gives the next term divided by this term."""
    top = min(max(mode, first), last)
    above = _falling(top, last, ratio)
    below = _falling(0, top - first, lambda at: 1 / ratio(top - 1 - at))
    return min(1.0, exp(logarithm(top)) * (1 + above + below))


def _falling(first: int, last: int, ratio: Callable[[Floats], Floats]) -> float:
    """The sum of the terms that follow a first term of 1, until a term is negligible."""
    total, term = 0.0, 1.0
    for begin in range(first, last, _AT_ONCE):
        terms = term * np.cumprod(ratio(np.arange(begin, min(begin + _AT_ONCE, last), dtype=float)))
        total, term = total + float(terms.sum()), float(terms[-1])
        if term < _NOTHING:
            break
    return total


def rate_interval(errors: int, coups: int, confidence: float = 0.95) -> tuple[float, float]:
    """The exact interval of Clopper and Pearson (Biometrika 26, 1934, p. 404) for the chance of an error per coup.

    Each end is on the wrong side of the true chance with a probability of at most half of 1 - `confidence`, for any
    true chance. Without a coup, the interval is 0 to 1.

    >>> from counting.review.significance import rate_interval
    >>> [round(100_000 * end, 1) for end in rate_interval(3, 40_000)]
    [1.5, 21.9]
    """
    half = (1 - confidence) / 2
    return rate_below(errors - 1, coups, half), rate_above(errors, coups, half)


def rate_above(errors: int, coups: int, tail: float) -> float:
    """The upper confidence limit of an error rate per coup, after `errors` errors in `coups` coups. If the limit were
    the true rate, `errors` errors or fewer would have the probability `tail`.

    Without errors, the limit is 1 - tail ** (1 / coups). For a tail of 5% and many coups, this is about 3 / coups (the
    rule of three). The limit is 1 if every coup has an error, or if there is no coup."""
    if errors >= coups:
        return 1.0
    return _crossing(lambda chance: binomial_sum(0, errors, coups, chance) <= tail)[1]


def rate_below(errors: int, coups: int, tail: float) -> float:
    """The lower confidence limit of an error rate per coup, after `errors` + 1 errors in `coups` coups. If the limit
    were the true rate, more than `errors` errors would have the probability `tail`."""
    if errors < 0:
        return 0.0
    return _crossing(lambda chance: binomial_sum(errors + 1, coups, coups, chance) >= tail)[0]


def _crossing(reached: Callable[[float], bool]) -> tuple[float, float]:
    """Two chances, as close to each other as rounding allows: the condition `reached` fails at the first and holds at
    the second. The condition must fail at 0 and hold at 1. If it holds at a chance, it must hold at every larger
    chance."""
    low, high = 0.0, 1.0
    while (between := (low + high) / 2) not in (low, high) and high - low > _ROUNDING * 1e-4 * high:
        low, high = (low, between) if reached(between) else (between, high)
    return low, high


def same_rate_p(errors: int, coups: int, all_errors: int, all_coups: int) -> float:
    """The exact two-sided p-value of the hypothesis that a part of the coups has the same chance of an error as the
    others.

    Under this hypothesis, and given the total number of errors, the coups of the part are drawn at random without
    replacement from all coups. This is Fisher's exact test; the p-value is twice the smaller tail."""
    fewer = hypergeometric_sum(0, errors, coups, all_errors, all_coups)
    more = hypergeometric_sum(errors, all_errors, coups, all_errors, all_coups)
    return min(1.0, 2 * min(fewer, more))


# Many tests


def refuse_level(level: float) -> None:
    """Raise `InputError` for an invalid level of all tests together."""
    is_number = isinstance(level, int | float)
    if not (is_number and LEAST_LEVEL <= level < 1):
        raise InputError(
            f"level: {f'{level:g}' if is_number else repr(level)}, should be from {LEAST_LEVEL:g} to below 1"
        )


def holm(p: Floats, weights: Floats | None = None) -> Floats:
    """Holm's adjusted p-values (Holm, Scandinavian Journal of Statistics 6, 1979, p. 65).

    A test's adjusted p-value is the least level of all these tests together at which this test would reject. `weights`
    are the tests' shares of the level."""
    weights = np.ones(len(p)) if weights is None else weights
    order = np.argsort(p / weights, kind="stable")
    own = weights[order]
    left = np.subtract.accumulate([fsum(weights), *own[:-1]])  # the total weight of a test and all later tests
    adjusted = np.empty(len(p))
    adjusted[order] = np.maximum.accumulate(p[order] / own * np.maximum(left[: len(p)], own)).clip(max=1)
    return adjusted


def e_values(log10: Sequence[float]) -> Floats:
    """The e-values with these decimal logarithms, at most `MOST_E`."""
    return np.asarray(10.0 ** np.minimum(np.array(log10, float), np.log10(MOST_E)))


def adjusted_e(e: Floats, members: Sequence[int], of_groups: float = 0.0) -> float:
    """The adjusted e-value of a patron or a group: the least e_S over all sets S that contain these `members`. Other
    groups count as 0. `of_groups` is the sum of w_G e_G over groups of these members."""
    others = np.append(0.0, np.sort(np.delete(e, list(members))).cumsum())
    own = float(e[list(members)].sum()) + of_groups
    patrons = len(members) + np.arange(len(others))
    return float(((own + others) / np.where(patrons == 1, 1, patrons + 1)).min())
