"""Banque with Players apart, who each play for their own stake: what drawing is worth to each Player and to Banker, in
whole numbers.

The first Player draws on five with probability x. The second Player draws on five with a probability y in each case. A
case is the first's third card, or that the first stood. If the second ignores the first's third card, there is only one
case. Banker draws with a probability q in each cell.

What each of the three gains by drawing is affine in each probability of the other two. Banker's cells whose
coefficients are in proportion are undecided at the same x and y, so they are merged. Cells in which Banker's move makes
no difference are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd
from typing import NamedTuple

import numpy as np

from counting.chemin.banque.coups_dealt import TwoCell
from counting.chemin.banque.tableaux import Tableaux

Affine = tuple[int, int]  # a constant, and what the variable adds


class Cell(NamedTuple):
    """Banker's cells whose coefficients are in proportion, merged. `cost` is how much more drawing in these cells costs
    Banker than standing: a constant and the coefficients of x, y and xy. `first` and `second` are what Banker's drawing
    adds to the Players' gains by drawing. `first` is affine in y, `second` affine in x."""

    cells: tuple[TwoCell, ...]
    cost: tuple[int, int, int, int]
    first: Affine
    second: Affine


class ThirdCardCase(NamedTuple):
    """A case of the second Player. `state` is what the second knows of the first: the third card, STOOD, or None if the
    second ignores it. `first` and `second` are the Players' gains by drawing if Banker stands in all `cells` of the
    case."""

    state: int | None
    first: Affine
    second: Affine
    cells: tuple[Cell, ...]


def cases(dealt: Tableaux, theta: Fraction, uses_third: bool) -> list[ThirdCardCase]:
    """The cases that can be dealt, with the part `theta` of the stakes on the first Player. Gains are sums over
    `dealt.deals`. Costs are too, and are also multiplied by the denominator of theta."""
    stakes = theta.numerator, theta.denominator - theta.numerator
    # For each move, tableau and cell: the coefficients of 1, x, y and xy instead of 1, x, u = xy and v = (1 - x) y.
    alone, x, u, v = np.moveaxis(dealt.worth, -1, 0)
    worth = np.stack([alone, x, v, u - v], axis=-1)
    stand = worth[0]
    drawing = worth[1] - stand
    states = np.unique(dealt.first[dealt.possible]).tolist() if uses_third else [None]
    result = []
    for state in states:
        at = np.flatnonzero(dealt.possible if state is None else dealt.possible & (dealt.first == state)).tolist()
        first, second = stand[:, at].sum(axis=1).tolist() if at else ([0] * 4, [0] * 4)
        alike: dict[tuple[int, ...], tuple[int, list[TwoCell]]] = {}
        for i in at:
            row = [*drawing[0, i].tolist(), *drawing[1, i].tolist()]
            if size := gcd(*row):
                key = tuple(n // size for n in row)
                so_far, members = alike.get(key, (0, []))
                alike[key] = so_far + size, [*members, dealt.cells[i]]
        cells = [_cell(members, [size * n for n in key], stakes) for key, (size, members) in alike.items()]
        result.append(ThirdCardCase(state, (first[1], first[3]), (second[2], second[3]), tuple(cells)))
    return result


def _cell(members: Iterable[TwoCell], row: list[int], stakes: tuple[int, int]) -> Cell:
    first, second = row[:4], row[4:]
    a, b, c, d = (stakes[0] * n + stakes[1] * m for n, m in zip(first, second, strict=True))
    return Cell(tuple(members), (a, b, c, d), (first[1], first[3]), (second[2], second[3]))
