"""The longest stretch that two shoes have in common, against every pair of places."""

from itertools import combinations, permutations, product

import numpy as np
import polars as pl
import pytest

from counting.review.shuffle.repeated_stretches import chance_of_stretch, longest_stretch
from counting.review.shuffle.shoe_orders import ShoeOrders


def orders_of(cards: np.ndarray, known: np.ndarray) -> ShoeOrders:
    names = pl.DataFrame({"table": ["1"] * len(cards), "shoe": [*map(str, range(len(cards)))]})
    none = np.zeros((len(cards), 2), np.uint8)
    return ShoeOrders(1, "card", cards.astype(np.uint8), known, [], none, names, [], 0, 0, [])


def by_hand(cards: np.ndarray, known: np.ndarray) -> int:
    """The length of the longest stretch, by every pair of places in every two shoes."""
    longest, size = 0, cards.shape[1]
    alike = np.where(known, cards, -1)
    for a, b in combinations(range(len(cards)), 2):
        for i, j in product(range(size), repeat=2):
            n = 0
            while max(i, j) + n < size and alike[a, i + n] == cards[b, j + n] and known[b, j + n]:
                n += 1
            longest = max(longest, n)
    return longest


@pytest.mark.parametrize("case", range(20))
def test_the_longest_stretch_is_found_and_no_longer_one(case: int) -> None:
    rng = np.random.default_rng(case)
    cards = rng.integers(0, 3 + case % 5, (3, 20 + case))
    known = rng.random(cards.shape) < (1 if case % 2 else 0.9)
    if case % 3 == 0:
        cards[2, 4:15], known[2, 4:15], known[0, 2:13] = cards[0, 2:13], True, True
    stretch = longest_stretch(orders_of(cards, known))
    assert stretch is not None
    assert stretch.cards == by_hand(cards, known)
    (a, b), (i, j) = stretch.shoes, stretch.places
    assert a != b
    assert np.array_equal(cards[a, i - 1 : i - 1 + stretch.cards], cards[b, j - 1 : j - 1 + stretch.cards])


def test_shoes_without_a_card_in_common_have_none() -> None:
    cards = np.array([[0, 1, 2, 3], [4, 5, 6, 7]])
    assert longest_stretch(orders_of(cards, np.ones_like(cards, bool))) is None


@pytest.mark.parametrize("length", [1, 2, 3])
def test_the_bound_is_the_expected_number_of_common_stretches(length: int) -> None:
    deck = (0, 0, 1, 1, 2)
    orders = list(permutations(deck))
    windows = [order[i : i + length] for order in orders for i in range(len(deck) - length + 1)]
    alike = sum(windows.count(window) for window in set(windows) for _ in range(windows.count(window)))
    expected = 3 * alike / len(orders) ** 2
    assert chance_of_stretch(length, 3, np.array([2, 2, 1])) == pytest.approx(min(1.0, expected))
    if length == 3:
        assert chance_of_stretch(length, 2, np.array([2, 2, 1])) == pytest.approx(min(1.0, expected / 3))


def test_long_stretches_have_a_small_bound() -> None:
    full = np.full(52, 8)
    bounds = [chance_of_stretch(n, 1000, full) for n in (6, 8, 10, 60, 400)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 1
    assert 0 < bounds[-1] == bounds[-2] < 1e-80
    assert chance_of_stretch(5, 1, full) == 1
