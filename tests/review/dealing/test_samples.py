"""Plans of a review against a second program: every pair of numbers of errors in rational arithmetic."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import pytest

from counting import InputError
from counting.review import SamplePlan, coups_to_bound, coups_to_compare
from counting.review.dealing.samples import PER, rejects


@cache
def chance_of(errors: int, coups: int, rate: Fraction) -> Fraction:
    return comb(coups, errors) * rate**errors * (1 - rate) ** (coups - errors)


def at_most(errors: int, coups: int, rate: Fraction) -> Fraction:
    """Over one denominator: sums of fractions that large are slow."""
    top, rest, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
    ways = sum(comb(coups, n) * top**n * rest ** (coups - n) for n in range(errors + 1))
    return Fraction(ways, whole**coups)


@pytest.mark.parametrize("errors", [0, 1, 4])
@pytest.mark.parametrize(
    ("rate", "confidence"), [(Fraction(1, 4), Fraction(9, 10)), (Fraction(1, 1000), Fraction(19, 20))]
)
def test_the_fewest_coups_bound_the_rate_and_one_less_does_not(
    errors: int, rate: Fraction, confidence: Fraction
) -> None:
    coups = coups_to_bound(errors, float(rate), float(confidence))
    assert at_most(errors, coups, rate) <= 1 - confidence < at_most(errors, coups - 1, rate)


def test_the_rule_of_three_at_ten_errors_in_a_hundred_thousand_coups() -> None:
    rate, coups = Fraction(10, PER), coups_to_bound(0, 10 / PER, 0.95)
    assert coups == 29_956
    assert (1 - rate) ** coups <= Fraction(1, 20) < (1 - rate) ** (coups - 1)


@cache
def fisher(first: int, both: int, coups: int) -> Fraction:
    """Twice the smaller tail."""
    ways = [comb(coups, n) * comb(coups, both - n) for n in range(both + 1)]
    return min(Fraction(1), 2 * Fraction(min(sum(ways[: first + 1]), sum(ways[first:])), sum(ways)))


def rejected(coups: int, first: Fraction, second: Fraction, level: Fraction) -> Fraction:
    return sum(
        (
            chance_of(a, coups, first) * chance_of(b, coups, second)
            for a in range(coups + 1)
            for b in range(coups + 1)
            if fisher(a, a + b, coups) <= level
        ),
        Fraction(),
    )


@pytest.mark.parametrize(("first", "second"), [(Fraction(1, 10), Fraction(1, 2)), (Fraction(3, 10), Fraction(3, 10))])
def test_power_and_level_are_sums_over_every_pair(first: Fraction, second: Fraction) -> None:
    for coups in (6, 18):
        exact = rejected(coups, first, second, Fraction(1, 10))
        assert rejects(coups, float(first), float(second), 0.1) == pytest.approx(float(exact), rel=1e-9)


def test_the_fewest_coups_tell_two_dealers_apart_and_one_less_does_not() -> None:
    first, second, level = Fraction(1, 20), Fraction(2, 5), Fraction(1, 20)
    plan = coups_to_compare(float(first), float(second), 0.05, 0.8)
    assert float(rejected(plan.coups, first, second, level)) == pytest.approx(plan.power, rel=1e-9)
    assert plan.power >= 0.8 > plan.power_before == pytest.approx(float(rejected(plan.coups - 1, first, second, level)))
    mean = (first + second) / 2
    assert plan.level == pytest.approx(float(rejected(plan.coups, mean, mean, level)), rel=1e-9)
    assert plan.level <= 0.05


def test_dealers_change_places() -> None:
    one, other = coups_to_compare(2e-4, 9e-4, 0.05, 0.7), coups_to_compare(9e-4, 2e-4, 0.05, 0.7)
    assert one.coups == other.coups
    assert one.power == pytest.approx(other.power, rel=1e-12)


def test_a_review_that_goes_on_row_by_row_passes_more_dealers() -> None:
    plan = SamplePlan(rate=20_000, errors=2, confidence=0.9)
    ends = [bound.coups for bound in plan.bounds]
    rate, left, passed = Fraction(1, 5), {0: Fraction(1)}, Fraction()
    for coup in range(1, ends[-1] + 1):  # coup by coup
        left = {n: left.get(n, Fraction()) * (1 - rate) + left.get(n - 1, Fraction()) * rate for n in range(4)}
        if coup in ends:
            allowed = ends.index(coup)
            passed += sum((left.pop(n, Fraction()) for n in range(allowed + 1)), Fraction())
    assert plan.passes_extended == pytest.approx(float(passed), rel=1e-9)
    assert plan.passes_extended > 0.1 >= 1 - plan.bounds[0].confidence


def test_rates_that_are_too_close_or_too_small_are_a_line() -> None:
    with pytest.raises(InputError, match="too close"):
        coups_to_compare(100 / PER, 101 / PER, 0.05, 0.8)
    with pytest.raises(InputError, match="a larger rate"):
        coups_to_bound(0, 1e-12, 0.95)
    with pytest.raises(InputError, match="a larger rate"):
        coups_to_bound(0, 5e-324, 0.95)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.5, float("nan"), "0.1", True])
def test_chances_a_level_and_a_power_are_between_0_and_1(value: Any) -> None:
    for name, plan in (
        ("chance of an error", lambda: coups_to_bound(0, value, 0.95)),
        ("confidence", lambda: coups_to_bound(0, 0.1, value)),
        ("chance of an error", lambda: coups_to_compare(value, value, 0.05, 0.8)),
        ("level", lambda: coups_to_compare(0.1, 0.2, value, 0.8)),
        ("power", lambda: coups_to_compare(0.1, 0.2, 0.05, value)),
    ):
        with pytest.raises(InputError, match=f"^{name}: .*, should be a number (from 0 to 1|above 0 and below 1)$"):
            plan()
    with pytest.raises(InputError, match=r"^errors: .*, should be a whole number from 0"):
        coups_to_bound(value if value != 0 else -1, 0.1, 0.95)
    assert coups_to_compare(0.0, 0.1, 0.05, 0.8).coups == 78
