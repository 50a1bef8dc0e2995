"""Laws of permutation against every permutation written out, and their p-values on patrons of whom it is known."""

from itertools import permutations, product
from math import sqrt
from typing import Any

import numpy as np
import pytest

from counting.review import _permute
from counting.review.patrons.permutation_test import (
    BOUND,
    CARDS,
    ENOUGH,
    PermutationTest,
    _along,
    _bernstein,
    _deviation,
    _Groups,
    _within,
)

RNG = np.random.default_rng(5)


def by_hand(stakes: list[list[float]], edges: list[list[float]]) -> tuple[float, float, float, float]:
    """Gain, mean and deviation within shoes, and the p-value, over every way to deal the stakes of each shoe out."""
    sums = [
        [sum(a * e for a, e in zip(way, shoe, strict=True)) for way in permutations(staked)]
        for staked, shoe in zip(stakes, edges, strict=True)
    ]
    totals = [sum(ways) for ways in product(*sums)]
    mean = sum(totals) / len(totals)
    seen = sum(a * e for staked, shoe in zip(stakes, edges, strict=True) for a, e in zip(staked, shoe, strict=True))
    deviation = sqrt(sum((t - mean) ** 2 for t in totals) / len(totals))
    return seen, mean, deviation, sum(t >= seen - 1e-9 for t in totals) / len(totals)


def flat(shoes: list[list[float]]) -> Any:
    return np.array([x for shoe in shoes for x in shoe], float)


def asked(stakes: list[list[float]], edges: list[list[float]], most: int = 100_000, seed: int = 1) -> PermutationTest:
    shoe = np.repeat(np.arange(len(stakes)), [len(s) for s in stakes])
    dealt = flat([[5 * i for i in range(len(s))] for s in stakes])
    return PermutationTest.of(flat(stakes), flat(edges), shoe, dealt.astype(np.int64), shoe, most, seed, 7)


@pytest.mark.parametrize("case", range(8))
def test_within_shoes_is_every_permutation(case: int) -> None:
    rng = np.random.default_rng(case)
    lengths = [4, 5, 3][: 1 + case % 3]
    stakes = [rng.choice([0, 0, 1, 3] if case % 2 else [2, 2, 2, 7], n).astype(float).tolist() for n in lengths]
    edges = [rng.normal(size=n).round(2).tolist() for n in lengths]
    seen, mean, deviation, p = by_hand(stakes, edges)
    test = asked(stakes, edges)
    assert (test.gain, test.random) == pytest.approx((seen, mean))
    if deviation < 1e-9:
        assert test == PermutationTest(test.gain, test.random, 0, 1, 1, 1)
        return
    assert test.z == pytest.approx((seen - mean) / deviation)
    # Drawn until 30 sums were as large: the p-value is known to a fifth or so.
    assert abs(test.p_within - p) < 4 * p / sqrt(ENOUGH) + 1e-4


@pytest.mark.parametrize("case", range(5))
def test_across_shoes_is_every_permutation(case: int) -> None:
    rng = np.random.default_rng(case)
    stakes, edges = rng.choice([0.0, 1.0, 2.0], (5, 6)), rng.normal(size=(5, 6))
    sums = stakes @ (edges - edges.mean(axis=0)).T
    totals = [sum(sums[s, t] for s, t in enumerate(way)) for way in permutations(range(5))]
    p = np.mean([t >= np.trace(sums) - 1e-9 for t in totals])
    test = asked(stakes.tolist(), edges.tolist())
    assert abs(test.p_across - p) < 4 * p / sqrt(ENOUGH) + 1e-4


def test_a_sum_beyond_all_drawn() -> None:
    edges = np.sort(RNG.normal(size=(10, 20)))
    stakes = (edges == edges.max(axis=1, keepdims=True)).astype(float)
    edges = edges + np.arange(10)[:, np.newaxis]  # the level of a shoe is no matter within it
    test = asked(stakes.tolist(), edges.tolist(), most=999)
    assert test.p_within == 1 / 1000
    assert test.z > 5


@pytest.mark.parametrize("stake", [0.0, 25.0])
def test_who_stakes_the_same_everywhere_says_nothing(stake: float) -> None:
    edges = RNG.normal(size=(4, 10)).tolist()
    test = asked([[stake] * 10] * 4, edges)
    assert (test.z, test.p) == (0, 1)
    assert test.gain == pytest.approx(test.random)


def test_p_values_are_as_they_should_be_for_who_bets_at_random() -> None:
    tests = []
    for i in range(400):
        rng = np.random.default_rng(1000 + i)
        edges = rng.normal(size=(12, 30)) * np.linspace(0.1, 3, 30)  # straying further late in the shoe
        stakes = (rng.random((12, 30)) < 0.1) * rng.choice([1.0, 5.0], (12, 30))
        tests.append(asked(stakes.tolist(), edges.tolist(), most=2000, seed=i))
    for name in ("p_within", "p_across"):
        p = np.array([getattr(test, name) for test in tests])
        for level in (0.05, 0.2, 0.5):
            assert (p <= level).mean() <= level + 4 * sqrt(level * (1 - level) / 400)
        assert (p <= 0.5).mean() > 0.4
    assert all(test.p >= test.p_within for test in tests)


def test_a_bound_takes_the_place_of_draws_far_out() -> None:
    """Bernstein's bound is above the share of sums drawn, and p-values beyond those drawn come from it."""
    rng = np.random.default_rng(2)
    edges = rng.normal(size=(200, 20))
    for follows in (0.1, 0.2, 0.3):
        stakes = ((edges > 0.8) & (rng.random((200, 20)) < follows)) | (rng.random((200, 20)) < 0.1)
        shoe, at = np.repeat(np.arange(200), 20), np.tile(np.arange(20) * 5, 200)
        a, e = stakes.reshape(-1).astype(float), edges.reshape(-1)
        off = e - np.repeat(edges.mean(axis=1), 20)
        groups = _Groups.of(a, e, shoe)
        deviation, seen = _deviation(a, off, shoe), float(a @ off)
        assert (groups.deviation, groups.seen) == pytest.approx((deviation, seen))
        for share in (0.1, 0.3, 1.0):
            bound = _bernstein(a, off, shoe, deviation, share * seen)
            drawn = _within(groups, share * seen, 20_000, 1, 1)
            assert bound > drawn or drawn == 1 / 20_001
        test_result = PermutationTest.of(a, e, shoe, at, shoe, 20_000, 1, 1)
        assert (
            test_result.p_within == pytest.approx(_bernstein(a, off, shoe, deviation, seen))
            or test_result.p_within > BOUND
        )
    assert test_result.p_within < 1e-12


def test_habits_of_time_are_no_counting() -> None:
    """Who comes late in every shoe: within shoes his bets are the ones that stray, across shoes they are no others'."""
    extreme_within = extreme = 0
    for i in range(300):
        rng = np.random.default_rng(i)
        edges = rng.normal(size=(6, 40)) * np.linspace(0.01, 3, 40)
        edges += rng.normal() * np.linspace(0, 1, 40)  # this table's shoes lean one way
        stakes = np.tile(np.arange(40) >= 35, (6, 1)).astype(float)
        test = asked(stakes.tolist(), edges.tolist(), most=1000, seed=i)
        extreme_within += test.p_within < 0.01
        extreme += test.p < 0.01
    assert extreme_within > 20
    assert extreme <= 300 * 0.01 + 4 * sqrt(300 * 0.01)


def test_who_goes_by_results_is_no_counter() -> None:
    """Stakes that are a function of the run say nothing by results, however edges go with the run; stakes that follow
    the edge among equal runs do."""
    rng = np.random.default_rng(6)
    shoe, dealt = np.repeat(np.arange(100), 40), np.tile(np.arange(40) * 5, 100)
    results = rng.integers(-6, 3, 4000)
    edges = rng.normal(size=4000) - 0.5 * results
    chases = np.array([1.0, 2, 4, 8, 1, 2, 4, 8, 1])[results]
    test_result = PermutationTest.of(chases, edges, shoe, dealt, results, 5000, 1, 3)
    assert test_result.z > 5
    assert test_result.p_results == test_result.p == 1
    counts = (edges > 2.5).astype(float)
    test_result = PermutationTest.of(counts, edges, shoe, dealt, results, 5000, 1, 3)
    assert test_result.p < 1e-3
    both = PermutationTest.of(chases + counts, edges, shoe, dealt, results, 5000, 1, 3)
    assert both.p < 1e-3


def test_by_results_is_every_permutation() -> None:
    rng = np.random.default_rng(11)
    stakes, edges = rng.choice([0.0, 1.0, 2.0], 9), rng.normal(size=9)
    results = np.array([0, 1, 0, 1, 0, -1, 0, -1, 1])
    groups = [[i for i in range(9) if results[i] == r] for r in (-1, 0, 1)]
    *_, p = by_hand([stakes[g].tolist() for g in groups], [edges[g].tolist() for g in groups])
    test_result = PermutationTest.of(
        stakes, edges, np.repeat([0, 1, 2], 3), np.tile([0, 5, 10], 3), results, 100_000, 3, 9
    )
    assert abs(test_result.p_results - p) < 4 * p / sqrt(ENOUGH) + 1e-4


def test_shoes_of_different_lengths_and_hidden_starts() -> None:
    rng = np.random.default_rng(3)
    shoe = np.repeat([4, 9, 11], [10, 3, 20])
    dealt = np.concatenate([np.arange(10) * 5, 100 + np.arange(3) * 5, np.arange(20) * 6])
    stakes, edges = rng.random(33), rng.normal(size=33)
    results = rng.integers(-3, 3, 33)
    test_result = PermutationTest.of(stakes, edges, shoe, dealt, results, 500, 1, 0)
    assert test_result == PermutationTest.of(stakes, edges, shoe, dealt, results, 500, 1, 0)
    assert test_result != PermutationTest.of(stakes, edges, shoe, dealt, results, 500, 2, 0)
    assert 0 < test_result.p_across <= 1
    first = PermutationTest.of(stakes[:10], edges[:10], shoe[:10], dealt[:10], results[:10], 500, 1, 0)
    assert first.p_across == 1  # one shoe: there is no other


def test_groups_of_shoes() -> None:
    """Stakes move within their group alone: sums of one group by another's are never asked for."""
    sums = np.array([0.0, 1, 1, 0, 5, 0, 0, 5])  # two groups of two: crossed is 2, as dealt 10 in the second
    bounds, order = np.array([0, 2, 4], np.int32), np.array([0, 1, 0, 1], np.int32)
    totals = [_permute.across(s, 0, sums, bounds, order.copy(), 11.5, 10**6, 4000) for s in (1, 2)]
    for large, drawn in totals:
        assert drawn == 4000
        assert abs(large / drawn - 0.25) < 0.03
    assert totals[0] != totals[1]
    assert CARDS == 5


def test_between_two_coups_the_edge_is_that_of_the_one_before() -> None:
    at = np.array([0, 0, 0, 1, 1, 2])
    place = np.array([0, 2, 5, 1, 3, 0])
    edges = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    none = np.nan
    expected = [
        [0.1, 0.1, 0.2, 0.2, 0.2, 0.3],
        [none, 0.4, 0.4, 0.5, none, none],
        [0.6, none, none, none, none, none],
    ]
    assert np.array_equal(_along(edges, at, place, 3, 6), expected, equal_nan=True)
    two = _along(np.array([0.1, 0.3, 0.7]), np.array([0, 0, 0]), np.array([0, 1, 1]), 1, 2)
    assert two.tolist() == [[0.1, 0.5]]  # two coups that begin there have their mean
