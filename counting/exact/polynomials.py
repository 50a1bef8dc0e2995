"""A bet's edge as a polynomial in the numbers n_v of cards of the nine values v = 1 to 9.

The edge is a numerator over the number of six-card deals. For a fixed number of cards, the numerator is a polynomial of
degree six. It is a sum of coefficients times products of binomials C(n_v, k_v), with one binomial for each value v. The
5,005 coefficients are whole numbers: Newton's forward differences of the numerators on 5,005 shoes.

This module also makes the lookup tables of the census's kernel.
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
    """The exponents (coefficients, r) of a polynomial of degree six in r variables, for each r from 0 to 9. Rows are
    sorted by their sum, which is the degree."""
    by_values = [np.zeros((1, 0), np.int64)]
    for _ in range(VALUES):
        below = by_values[-1]
        pairs = [(*row, k) for row in below.tolist() for k in range(DEGREE - sum(row) + 1)]
        by_values.append(np.array(sorted(pairs, key=lambda e: (sum(e), e)), np.int64))
    return by_values


@lru_cache(maxsize=1)
def planes() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The coefficients of each `orders()[r]`, for r from 1 to 9, in another order: sorted by the exponent of the last
    variable, and then in the order of `orders()[r - 1]`. The first array has the row numbers in `orders()[r]`, first
    for r = 1, then for r = 2, and so on. Entry r of the second array is the index in the first at which r begins."""
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


class CensusTables(NamedTuple):
    """Lookup tables of the census's kernel. `_census.Tables` holds all of them but `pairs`.

    A full shoe has `most` cards of each value 1 to 9, and 4 `most` tens. A pair (a, b) means a cards of value 1 and b
    cards of value 2. The pairs are listed for each number `left` of cards that the values 1 and 2 and the tens have
    together.

    - `choose[d, k]` is C(d, k), and `choose_ways[d]` is C(most, d).
    - `binomials[i, a]` is C(a, i).
    - `lines[left]` is the number of pairs for `left`; the first of them is at `start[left]`.
    - `ways` has, for each pair, C(most, a) C(most, b) C(4 most, left - a - b), or 0 if a + b > left.

    Pairs come in groups of one pair for each lane. A group has neighbouring counts a and the same b. If the least a of
    a group is c, there are groups for b from 0 to left - c.
    """

    most: int
    choose: Floats
    choose_ways: Floats
    binomials: Floats
    lines: NDArray[np.int32]
    start: NDArray[np.int64]
    ways: Floats
    pairs: NDArray[np.int32]


@lru_cache(maxsize=8)
def census_tables(cards: int, decks: int, lanes: int) -> CensusTables:
    most = 4 * decks
    choose = np.array([[comb(d, k) for k in range(DEGREE + 1)] for d in range(most + 1)], float)
    choose_ways = np.array([comb(most, d) for d in range(most + 1)], float)
    binomials = np.array([[comb(a, i) for a in range(cards + 8)] for i in range(DEGREE + 1)], float)
    pairs: list[tuple[int, int]] = []
    start, ways = [], []
    for left in range(cards + 1):
        start.append(len(pairs))
        firsts = range(0, left + 1, lanes)
        pairs += [(a + lane, b) for a in firsts for b in range(left - a + 1) for lane in range(lanes)]
        ways += [
            comb(most, a) * comb(most, b) * comb(4 * most, left - a - b) if a + b <= left else 0
            for a, b in pairs[start[-1] :]
        ]
    lines = np.diff([*start, len(pairs)]).astype(np.int32)
    every, at = _aligned(np.array(ways, float)), np.array(start, np.int64)
    return CensusTables(most, choose, choose_ways, binomials, lines, at, every, np.array(pairs, np.int32))


def _aligned(array: Floats) -> Floats:
    """A copy that begins at a cache line, which saves a tenth of the time."""
    padded = np.empty(array.size + 7)
    start = -padded.ctypes.data % 64 // 8
    copy = padded[start : start + array.size].reshape(array.shape)
    copy[...] = array
    return copy


@lru_cache(maxsize=1)
def _steps() -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The steps of forward differences, value by value. A step has two arrays of row numbers: from each coefficient of
    the first array, the coefficient of the second array is subtracted."""
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
    """Newton's coefficients (5005, bets) of polynomials, from their values at the points n_v = k_v that the rows of
    `orders()[9]` give."""
    coefficients = values.copy()
    for above, below in _steps():
        coefficients[above] = coefficients[above] - coefficients[below]
    return coefficients
