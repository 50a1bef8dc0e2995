"""Sums, limits and tests of rates against exact rational arithmetic, term by term."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb

import pytest

from counting.review.significance import (
    binomial_sum,
    hypergeometric_sum,
    rate_above,
    rate_interval,
    same_rate_p,
)


@cache
def binomial(number: int, trials: int, chance: Fraction) -> Fraction:
    return comb(trials, number) * chance**number * (1 - chance) ** (trials - number)


def hypergeometric(number: int, drawn: int, errors: int, coups: int) -> Fraction:
    others = drawn - number
    if not 0 <= others <= coups - errors or not 0 <= number <= errors:
        return Fraction()
    return Fraction(comb(errors, number) * comb(coups - errors, others), comb(coups, drawn))


@pytest.mark.parametrize(("trials", "chance"), [(7, Fraction(1, 3)), (300, Fraction(1, 50)), (1000, Fraction(3, 1000))])
def test_a_sum_of_the_binomial_is_that_of_its_terms(trials: int, chance: Fraction) -> None:
    for first, last in ((0, 0), (0, 3), (2, 9), (5, 40), (-3, 2), (4, trials + 9)):
        exact = sum(binomial(number, trials, chance) for number in range(max(first, 0), min(last, trials, 60) + 1))
        assert binomial_sum(first, last, trials, float(chance)) == pytest.approx(float(exact), rel=1e-9)
    assert (
        binomial_sum(3, 2, trials, 0.1) == binomial_sum(1, 2, trials, 0) == binomial_sum(0, trials - 1, trials, 1) == 0
    )
    assert binomial_sum(0, 2, trials, 0) == binomial_sum(1, trials, trials, 1) == 1


@pytest.mark.parametrize(("coups", "errors", "drawn"), [(9, 4, 6), (500, 20, 100), (4000, 50, 3000)])
def test_a_sum_of_the_hypergeometric_is_that_of_its_terms(coups: int, errors: int, drawn: int) -> None:
    for first, last in ((0, 0), (0, 3), (2, 9), (1, errors), (errors, errors), (-2, 1)):
        exact = sum(hypergeometric(number, drawn, errors, coups) for number in range(max(first, 0), last + 1))
        assert hypergeometric_sum(first, last, drawn, errors, coups) == pytest.approx(
            float(exact), rel=1e-9, abs=1e-300
        )


@pytest.mark.parametrize(("errors", "coups"), [(0, 12), (1, 12), (3, 400), (40, 400), (90, 90), (5, 1000)])
def test_each_end_of_an_interval_leaves_half_of_the_rest_outside(errors: int, coups: int) -> None:
    low, high = rate_interval(errors, coups, 0.9)
    of_low = sum(binomial(number, coups, Fraction(low)) for number in range(errors))
    of_high = sum(binomial(number, coups, Fraction(high)) for number in range(errors + 1))
    assert (low == 0) if errors == 0 else float(1 - of_low) == pytest.approx(0.05, rel=1e-8)
    assert (high == 1) if errors == coups else float(of_high) == pytest.approx(0.05, rel=1e-8)


def test_an_interval_covers_every_rate_at_least_as_often_as_it_says() -> None:
    """The chance that the interval covers the rate, summed over all numbers of errors. The rates tested lie just beside
    the ends of the intervals, where this chance is least."""
    for coups in (1, 9, 40):
        intervals = [rate_interval(errors, coups, 0.9) for errors in range(coups + 1)]
        for end in {end for ends in intervals for end in ends if 0 < end < 1}:
            for rate in (end * (1 - 1e-7), end * (1 + 1e-7)):
                covered = [low <= rate <= high for low, high in intervals]
                chances = (binomial_sum(errors, errors, coups, rate) for errors in range(coups + 1))
                assert sum(chance for chance, inside in zip(chances, covered, strict=True) if inside) >= 0.9 - 1e-6


def test_without_errors_the_limit_is_the_rule_of_three() -> None:
    for coups in (1, 10, 30_000):
        assert rate_above(0, coups, 0.05) == pytest.approx(1 - 0.05 ** (1 / coups), rel=1e-9)
    assert 30_000 * rate_above(0, 30_000, 0.05) == pytest.approx(3, abs=0.01)
    assert rate_interval(0, 0) == (0, 1)


def test_two_parts_have_one_p_value_and_it_is_fishers() -> None:
    coups, errors, part = 60, 9, 20
    for inside in range(errors + 1):
        fewer = sum(hypergeometric(number, part, errors, coups) for number in range(inside + 1))
        more = sum(hypergeometric(number, part, errors, coups) for number in range(inside, errors + 1))
        p = same_rate_p(inside, part, errors, coups)
        assert p == pytest.approx(float(min(1, 2 * min(fewer, more))), rel=1e-9)
        assert p == pytest.approx(same_rate_p(errors - inside, coups - part, errors, coups), rel=1e-9)
