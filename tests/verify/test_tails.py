"""The chance of a deviation, against exact distributions that are added up term by term."""

from fractions import Fraction
from math import comb, erfc, exp, factorial, inf, sqrt

import numpy as np
import pytest

from counting.verify import tails

LAW = np.array([0.99, 0.007, 0.0, 0.002, 0.0, 0.0, 0.0, 0.0, 0.001])  # the chances of 0 to 8 units


@pytest.mark.parametrize(
    ("n", "x", "p"), [(50, 3, 0.2), (50, 20, 0.2), (1000, 6, 0.0005), (1000, 0, 0.01), (10, 10, 0.5), (9, 4, 0.5)]
)
def test_binomial_tails_are_exact(n: int, x: int, p: float) -> None:
    part, whole = p.as_integer_ratio()
    ways = [comb(n, k) * part**k * (whole - part) ** (n - k) for k in range(x + 1)]
    tail = whole**n - sum(ways[:-1]) if x >= n * p else sum(ways)
    assert tails.binomial(x, n, p) == pytest.approx(min(1, float(Fraction(2 * tail, whole**n))), rel=1e-9)


def test_what_must_happen_or_cannot_is_certain() -> None:
    assert [tails.binomial(x, 9, p) for x, p in ((0, 0.0), (1, 0.0), (9, 1.0), (8, 1.0))] == [1, 0, 1, 0]


@pytest.mark.parametrize(("square", "freedom"), [(30, 10), (3, 10), (130, 100), (60, 100), (1200, 1000), (850, 1000)])
def test_chi_square_of_even_freedom_is_a_sum_of_poissons(square: float, freedom: int) -> None:
    half = Fraction(square) / 2
    above = exp(-square / 2) * float(sum(half**j / factorial(j) for j in range(freedom // 2)))
    assert tails.chi_square(square, freedom) == pytest.approx(2 * min(above, 1 - above), rel=1e-9)


def test_chi_square_of_one_is_a_normal_deviate_squared() -> None:
    for z in (1.5, 3.0, 6.0):
        assert tails.chi_square(z * z, 1) == pytest.approx(2 * tails.normal(z), rel=1e-9)
    assert tails.normal(-2) == tails.normal(2) == pytest.approx(erfc(sqrt(2)))
    assert tails.chi_square(0, 5) == 0


def exact_tails(n: int, at_least: int) -> tuple[float, float]:
    """The chances that the sum of n draws from `LAW` is more than `at_least` units, and at least this number."""
    law = np.array([1.0])
    for _ in range(n):
        law = np.convolve(law, LAW)
    return law[at_least + 1 :].sum(), law[at_least:].sum()


@pytest.mark.parametrize("units", [20, 30, 45, 60])
def test_the_mean_of_a_skewed_law_has_the_tail_of_its_deviate(units: int) -> None:
    n, values = 400, np.arange(9.0)
    more, least = exact_tails(n, units)
    z = tails.mean_root(values, LAW, units / n, n)
    assert 0.9 * more < tails.normal(z) / 2 < 1.1 * least
    plain = (units / n - LAW @ values) / sqrt((LAW @ values**2 - (LAW @ values) ** 2) / n)
    assert tails.normal(plain) / 2 < 0.6 * more  # the tail if the skew is ignored


def test_a_low_mean_has_a_negative_deviate() -> None:
    z = tails.mean_root(np.arange(9.0), LAW, 1 / 400, 400)
    assert z < -1.5
    _, least = exact_tails(400, 1)
    more, _ = exact_tails(400, 1)
    assert 0.9 * (1 - least) < tails.normal(z) / 2 < 1.1 * (1 - more)


def test_deviates_at_the_middle_and_beyond_the_ends() -> None:
    values = np.arange(9.0)
    assert tails.mean_root(values, LAW, float(LAW @ values), 100) == 0
    assert tails.mean_root(values, LAW, 8.5, 100) == inf
    assert tails.mean_root(values, LAW, 7.99, 100) > 30
    assert tails.signed_root(50, 100, 0.5) == 0
    assert tails.signed_root(40, 100, 0.5) == pytest.approx(-tails.signed_root(60, 100, 0.5))
    assert tails.signed_root(60, 100, 0.5) == pytest.approx(2.0, abs=0.02)
