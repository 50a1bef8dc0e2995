"""Numerators as polynomials: at a fixed number of cards, of degree six in the counts of the nine values 1 to 9.

The basis is the products of C(n_v, k_v), so that coefficients are whole numbers: Newton's forward differences of the
numerators on 5,005 shoes. The tables that the census's kernel looks up are made here too.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import COUP

VALUES, DEGREE = 9, COUP


@lru_cache(maxsize=1)
def orders() -> list[NDArray[np.int64]]:
    """For r = 0 to 9 values the exponents (coefficients, r) of a polynomial of degree six, by rising degree."""
    by_values = [np.zeros((1, 0), np.int64)]
    for _ in range(VALUES):
        below = by_values[-1]
        pairs = [(*row, k) for row in below.tolist() for k in range(DEGREE - sum(row) + 1)]
        by_values.append(np.array(sorted(pairs, key=lambda e: (sum(e), e)), np.int64))
    return by_values


@lru_cache(maxsize=1)
def planes() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each r the places of its coefficients by the exponent of the last value, then in the order of r - 1."""
    parts, start = [np.zeros(0, np.int32)], [0, 0]
    for order, below in zip(orders()[1:], orders(), strict=False):
        place = {tuple(e): i for i, e in enumerate(order.tolist())}
        parts.append(
            np.array(
                [place[(*e, k)] for k in range(DEGREE + 1) for e in below.tolist() if sum(e) + k <= DEGREE], np.int32
            )
        )
        start.append(start[-1] + len(parts[-1]))
    return np.concatenate(parts), np.array(start, np.int32)


class Tables(NamedTuple):
    """What `_census.Tables` holds: the cards of a value, binomials, and pairs of counts by rising sum."""

    most: int
    choose: Floats
    choose_ways: Floats
    pair_counts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    basis: Floats
    ways: Floats
    ways_start: NDArray[np.int64]


@lru_cache(maxsize=8)
def tables(cards: int, decks: int) -> Tables:
    most, order = 4 * decks, orders()[2].tolist()
    choose = np.array([[comb(d, k) for k in range(DEGREE + 1)] for d in range(most + 1)], float)
    choose_ways = np.array([comb(most, d) for d in range(most + 1)], float)
    pairs = [(s - b, b) for s in range(cards + 1) for b in range(s + 1)]
    basis = np.zeros((-(-len(pairs) // 8), len(order), 8))
    for i, (a, b) in enumerate(pairs):
        basis[i // 8, :, i % 8] = [comb(a, x) * comb(b, y) for x, y in order]
    up_to = np.cumsum([s + 1 for s in range(cards + 1)]).astype(np.int32)
    ways, start = [], [0]
    for left, end in enumerate(up_to):
        row = [comb(most, a) * comb(most, b) * comb(4 * most, left - a - b) for a, b in pairs[:end]]
        ways.append(np.array(row + [0] * (-len(row) % 8), float))
        start.append(start[-1] + len(ways[-1]))
    counts = np.zeros((8 * len(basis), 2), np.int32)
    counts[: len(pairs)] = pairs
    basis, every = _aligned(basis), _aligned(np.concatenate(ways))
    return Tables(most, choose, choose_ways, counts, up_to, basis, every, np.array(start, np.int64))


def _aligned(array: Floats) -> Floats:
    """A copy whose blocks of eight are cache lines, which saves a tenth of the time."""
    padded = np.empty(array.size + 7)
    start = -padded.ctypes.data % 64 // 8
    copy = padded[start : start + array.size].reshape(array.shape)
    copy[...] = array
    return copy


@lru_cache(maxsize=1)
def _steps() -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The steps of forward differences, one value after the other: the places to subtract from, and those
    subtracted."""
    order = orders()[VALUES]
    place = {tuple(e): i for i, e in enumerate(order.tolist())}
    steps = []
    for v in range(VALUES):
        below = np.array([place.get((*e[:v], e[v] - 1, *e[v + 1 :]), -1) for e in map(tuple, order.tolist())])
        for k in range(1, DEGREE + 1):
            above = np.flatnonzero(order[:, v] >= k)
            steps.append((above, below[above]))
    return steps


def differences(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Newton's coefficients (5005, bets) of polynomials from their values at the exponents of `orders()[9]`."""
    coefficients = values.copy()
    for above, below in _steps():
        coefficients[above] = coefficients[above] - coefficients[below]
    return coefficients
