"""Means of skewed gains: the upper limit is above the truth as often as it says."""

import numpy as np
import pytest

from counting.bounds import Z99, Mean

SIZES = {
    "alike": lambda random, shape: np.ones(shape),
    "exponential": lambda random, shape: random.exponential(1.0, shape),
    "squared exponential": lambda random, shape: random.exponential(1.0, shape) ** 2 / 2,
}


@pytest.mark.parametrize("sizes", SIZES)
@pytest.mark.parametrize(("shoes", "share"), [(1500, 0.04), (2000, 0.05), (2000, 0.5), (1500, 1.0)])
def test_the_upper_limit_misses_in_one_sample_of_a_hundred_or_fewer(shoes: int, share: float, sizes: str) -> None:
    random = np.random.default_rng([shoes, int(1000 * share)])
    shape = (1000, shoes)
    gains = (random.random(shape) < share) * SIZES[sizes](random, shape)
    limits = [Mean.of(row) for row in gains]
    missed = sum(limit.below < share for limit in limits)
    assert missed <= 18  # at most 10 are expected, plus 2.5 of their standard errors
    if share < 0.1 and sizes != "alike":  # a normal limit misses too often
        assert sum(limit.value + Z99 * limit.error < share for limit in limits) > 18


def test_the_lower_limit_of_gains_skewed_to_the_right() -> None:
    random = np.random.default_rng(5)
    gains = (random.random((1000, 1500)) < 0.1) * random.exponential(1.0, (1000, 1500))
    assert sum(Mean.of(row).above > 0.1 for row in gains) <= 18


def test_of_normal_figures_the_limits_are_nearly_normal() -> None:
    mean = Mean.of(np.random.default_rng(1).normal(0, 1, 20_000))
    assert mean.below - mean.value == pytest.approx(mean.value - mean.above, rel=0.05)


def test_by_hand() -> None:
    mean = Mean.of(np.array([0.0, 0, 0, 4]))
    assert mean.value == 1
    assert mean.error == pytest.approx(1.0)  # variance 4, four shoes
    assert mean.shift == pytest.approx(8 * np.sqrt(84) / 12)
    assert mean.below == pytest.approx(1 + Z99 + 8 * np.sqrt(84) / 12)
    twice = mean.times(2)
    assert (twice.value, twice.error, twice.shift) == (2, 2 * mean.error, 2 * mean.shift)
    ratio = Mean.ratio(np.array([0.0, 0, 0, 4]), np.full(4, 2.0))
    assert (ratio.value, ratio.error, ratio.shift) == pytest.approx((0.5, 0.5, mean.shift / 2))


def test_of_one_shoe_and_of_shoes_all_alike() -> None:
    assert Mean.of(np.array([1.0])).below == np.inf
    assert Mean.of(np.array([1.0])).above == -np.inf
    assert Mean.of(np.ones(5)) == (1, 0, 0)


def test_independent_errors_add_as_squares() -> None:
    assert Mean(1.0, 3.0, 0.5).beside(4.0) == Mean(1.0, 5.0, 0.5)
    assert Mean(1.0, 3.0, 0.5).beside(0.0) == Mean(1.0, 3.0, 0.5)
    random = np.random.default_rng(3)
    first, second = (Mean.of(random.normal(1, spread, 500)) for spread in (1, 2))
    both = (random.normal(0, error, 100_000) for error in (first.error, second.error))
    assert first.beside(second.error).error == pytest.approx(sum(both).std(), rel=0.02)  # type: ignore[union-attr]
