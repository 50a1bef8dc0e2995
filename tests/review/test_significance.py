"""p-values and e-values, and many tests at one level, by hand and against every case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, permutations
from math import exp, factorial, inf

import numpy as np
import pytest
from mpmath import gammainc

from counting.review.significance import (
    MOST_E,
    adjusted_e,
    chi_squared_tail,
    e_values,
    holm,
    monte_carlo_p,
    poisson_tail,
    sequential_p,
)

# p-values


def test_a_p_value_is_the_share_of_values_as_extreme_the_log_among_them() -> None:
    values = np.array([3.0, 1, 2, 3, 4])
    assert monte_carlo_p(values, both_sides=False) == 0.6
    assert monte_carlo_p(values, both_sides=True) == 1
    assert monte_carlo_p(np.array([9.0, 1, 2, 3]), both_sides=True) == 0.5
    assert monte_carlo_p(np.array([0.0, 1, 2, 3]), both_sides=True) == 0.5


def test_a_sequential_p_value_is_exact_in_every_order_of_draws() -> None:
    """An observed value and five draws, in every order. Drawing stops once two draws are larger than the observed
    value. For each possible p-value x, P(p <= x) is x."""
    times: Counter[float] = Counter()
    for seen, *draws in permutations(range(6)):
        large = np.cumsum([draw > seen for draw in draws])
        drawn = int(np.searchsorted(large, 2)) + 1 if large[-1] >= 2 else len(draws)
        times[sequential_p(int(large[drawn - 1]), drawn, 2)] += 1
    reached = np.cumsum([times[p] for p in sorted(times)]) / factorial(6)
    assert sorted(times) == pytest.approx([1 / 6, 2 / 6, 2 / 5, 2 / 4, 2 / 3, 1])
    assert reached == pytest.approx(sorted(times))


def test_a_p_value_of_a_fixed_number_of_draws_counts_the_observed_one() -> None:
    assert sequential_p(0, 9) == 0.1
    assert sequential_p(9, 9) == 1


@pytest.mark.parametrize("freedom", [1, 2, 27, 36])
def test_the_tail_of_chi_squared(freedom: int) -> None:
    for square in (0.0, 0.5, 10.0, 36.0, 100.0, 5000.0):
        tail = float(gammainc(freedom / 2, square / 2, inf, regularized=True))
        assert chi_squared_tail(square, freedom) == pytest.approx(tail, abs=1e-12)


def test_the_tail_of_a_poisson_number() -> None:
    """The bound is never below the exact chance, and at most (number + 1) / (number + 1 - mean) times as large."""
    for mean in (0.01, 0.7, 3.0, 12.5):
        for number in range(1, 40):
            tail = sum(exp(-mean) * mean**k / factorial(k) for k in range(number, 100))
            bound = poisson_tail(number, mean)
            assert bound >= tail * (1 - 1e-12)
            assert bound <= tail * (number + 1) / (number + 1 - mean) * (1 + 1e-12) if number > mean else bound == 1
    assert poisson_tail(0, 2.0) == poisson_tail(0, 0.0) == 1
    assert poisson_tail(3, 0.0) == 0


# Many tests


def test_holm_by_hand() -> None:
    assert holm(np.array([0.03, 0.001, 0.5, 0.004, 1.0])).tolist() == pytest.approx([0.09, 0.005, 1, 0.016, 1])


def test_holm_raises_each_p_value_by_the_weights_left() -> None:
    """Holm 1979: take the p / w in rising order and multiply each by the sum of the weights not yet used."""
    p, weights = np.array([0.02, 0.9, 0.002]), np.array([4.0, 1.0, 2 / 3])
    assert holm(p, weights).tolist() == pytest.approx([0.02 / 4 * 5, 0.9, 0.002 * 1.5 * (4 + 1 + 2 / 3)])
    assert holm(p, np.full(3, 0.25)) == pytest.approx(holm(p))
    assert holm(np.zeros(0)).tolist() == []


def closed(e: Sequence[float], members: Sequence[int], groups: dict[tuple[int, ...], float]) -> float:
    """The least e-value of any set that contains the members, from a loop over all these sets."""
    others = [i for i in range(len(e)) if i not in members]
    least = np.inf
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            together = {*members, *more}
            if len(together) == 1:
                least = min(least, e[next(iter(together))])
                continue
            teams = sum(of for group, of in groups.items() if together >= set(group))
            least = min(least, (sum(e[i] for i in together) + teams) / (len(together) + 1))
    return float(least)


def test_closed_testing_over_all_sets() -> None:
    """The adjusted e-value is at most the least e-value over all sets of patrons, and equal to it if no further team
    was computed. For a patron's e-value of 8 or more, it is at least 7/8 of the value by Holm's method on 1 / e with
    one more test."""
    rng = np.random.default_rng(1)
    for _ in range(60):
        e = np.exp(rng.normal(0, 3, 6))
        groups = {group: float(np.exp(rng.normal(0, 2))) for size in (2, 3) for group in combinations(range(6), size)}
        e_values = np.array([adjusted_e(e, [i]) for i in range(6)])
        for i in range(6):
            assert e_values[i] == pytest.approx(closed(e.tolist(), [i], {}))
            assert e_values[i] <= closed(e.tolist(), [i], groups) * (1 + 1e-12)
        for group in ((0, 3), (1, 2, 5)):
            within = sum(of for other, of in groups.items() if set(group) >= set(other))
            alone = {other: of for other, of in groups.items() if set(group) >= set(other)}
            assert adjusted_e(e, group, within) == pytest.approx(closed(e.tolist(), group, alone))
            assert adjusted_e(e, group, within) <= closed(e.tolist(), group, groups) * (1 + 1e-12)
        stepped = 1 / holm(np.append((1 / e).clip(max=1), 1.0))[:6]
        assert (e_values >= stepped * 7 / 8 * (1 - 1e-12))[e >= 8].all()


def test_e_values_are_capped() -> None:
    assert e_values([-1.0, 0.0, 2.0, 400.0]).tolist() == pytest.approx([0.1, 1, 100, MOST_E])
