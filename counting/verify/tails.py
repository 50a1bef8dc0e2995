"""Tails of distributions. They are exact for the normal, binomial and chi-square distributions; for means they come
from a saddlepoint approximation.

A test of many comparisons takes the smallest p-value times the number of comparisons (Bonferroni). This is valid for
any dependence between the comparisons, if the tails are accurate far from the mean. A normal approximation for rare
events is not accurate there.
"""

from __future__ import annotations

from math import copysign, erfc, exp, inf, lgamma, log, log1p, sqrt

import numpy as np

from counting.arrays import Floats


def normal(z: float) -> float:
    """The chance that a normal deviate is at least as far from zero as z."""
    return erfc(abs(z) / sqrt(2))


def binomial(happened: int, trials: int, probability: float) -> float:
    """Twice the exact chance that a binomial number is on the same side of the mean as `happened`, and at least as far
    from it; at most 1. For a probability of 0 or 1, the result is 1 if `happened` is the only possible number,
    otherwise 0."""
    n, x, p = trials, happened, probability
    if not 0 < p < 1:
        return float(x == round(n * p))
    log_here = lgamma(n + 1) - lgamma(x + 1) - lgamma(n - x + 1) + x * log(p) + (n - x) * log1p(-p)
    far = int(12 * sqrt(n * p * (1 - p))) + 100  # further terms are negligible compared with the first
    if x >= n * p:
        i = np.arange(min(n - x, far))
        ratios = (n - x - i) / (x + i + 1) * (p / (1 - p))
    else:
        i = np.arange(min(x, far))
        ratios = (x - i) / (n - x + i + 1) * ((1 - p) / p)
    return min(1.0, 2 * exp(log_here) * (1 + float(np.cumprod(ratios).sum())))


def chi_square(square: float, freedom: int) -> float:
    """Twice the smaller of two chances, at most 1: that a chi-square is at most `square`, and that it is at least
    `square`. So an agreement that is too close counts like a difference that is too large."""
    below = _gamma_below(freedom / 2, square / 2)
    return min(1.0, 2 * min(below, _gamma_above(freedom / 2, square / 2)))


def _gamma_below(a: float, x: float) -> float:
    """The regularised incomplete gamma function P(a, x). It is computed by its series if this converges fast, otherwise
    as 1 - Q(a, x)."""
    if x <= 0:
        return 0.0
    if x > a + 1:
        return 1 - _gamma_above(a, x)
    term = total = 1 / a
    n = a
    while term > 1e-17 * total:
        n += 1
        term *= x / n
        total += term
    return min(1.0, total * exp(a * log(x) - x - lgamma(a)))


def _gamma_above(a: float, x: float) -> float:
    """Q(a, x) = 1 - P(a, x). It is computed by its continued fraction (Lentz) if this converges fast, otherwise from
    P(a, x)."""
    if x <= a + 1:
        return 1 - _gamma_below(a, x)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    product = d
    for i in range(1, 100_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        product *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return min(1.0, product * exp(a * log(x) - x - lgamma(a)))


def signed_root(happened: int, trials: int, probability: float) -> float:
    """The signed root of a binomial's deviance: it is close to a normal deviate even if few occurrences are
    expected."""
    n, x, p = trials, happened, probability
    deviance = sum(count * log(count / expected) for count, expected in ((x, n * p), (n - x, n * (1 - p))) if count)
    return float(np.sign(x - n * p)) * sqrt(max(0.0, 2 * deviance))


def mean_root(values: Floats, probabilities: Floats, mean: float, trials: int) -> float:
    """A normal deviate for the mean of `trials` independent draws from a distribution: r* of the saddlepoint
    approximation.

    The normal tail of r* agrees closely with the tail of Lugannani and Rice (Advances in Applied Probability 12, 1980,
    p. 475). Both keep the skew of a distribution that is mostly zero. r* is Barndorff-Nielsen's r + log(u / r) / r.
    The result is infinite for a mean at an end of the distribution's range, or beyond it.
    """
    if not values.min() < mean < values.max():
        return copysign(inf, mean - float(values.min()))
    true = float(probabilities @ values)
    variance = float(probabilities @ (values - true) ** 2)
    plain = (mean - true) / sqrt(variance / trials)
    if abs(plain) < 0.01:
        return plain

    def tilted(t: float) -> tuple[float, float, float]:
        """The logarithm of the moment generating function, its slope and its curvature."""
        top = max(t * float(values.max()), t * float(values.min()))
        weights = probabilities * np.exp(t * values - top)
        total = float(weights.sum())
        slope = float(weights @ values) / total
        return top + log(total), slope, float(weights @ (values - slope) ** 2) / total

    near, far = 0.0, float(np.sign(plain)) / sqrt(trials * variance)
    while (tilted(far)[1] - mean) * plain < 0:
        near, far = far, 2 * far
    t = far
    for _ in range(60):  # the slope rises with t: Newton's method, or bisection, finds where it equals the mean
        cumulant, slope, curvature = tilted(t)
        if abs(slope - mean) < 1e-12 * abs(mean):
            break
        near, far = (t, far) if (slope - mean) * plain < 0 else (near, t)
        step = t + (mean - slope) / curvature if curvature else near
        t = step if min(near, far) < step < max(near, far) else (near + far) / 2
    root = float(np.sign(t)) * sqrt(2 * trials * max(0.0, t * mean - cumulant))
    u = t * sqrt(trials * curvature)
    return root + log(u / root) / root if root and u else plain
