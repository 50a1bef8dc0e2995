"""An equilibrium of a game on two cubes, in whole numbers, by complementary pivoting (Lemke).

    Player chooses x to make sum_ij a[i][j] x_i y_j large, Banker y to make sum_ij b[i][j] x_i y_j small,
    x_0 = y_0 = 1, every other x_i and y_j from 0 to 1

The method lets Banker pay a fine f for drawing in any cell. If f is large, Banker never draws, and Player has a single
best reply. If f is far below zero, Banker always draws. The equilibria for all fines are points (x, y, f), and these
points form lines. Without ties, a line neither ends nor branches. As x and y are bounded, a line can be unbounded only
in f. So the line that comes from large f, where each f has one equilibrium, leads to f far below zero. It passes
f = 0, where the walk stops.

Ties are broken by the lexicographic rule: each slope is compared with a tiny number instead of 0. Each slope has a
different tiny number, far smaller than the number of the slope before. So the walk always ends.

A play is an x_i or y_j, the probability of drawing in a cell. A slope is what drawing costs in a cell: Banker's slopes
are w_j = sum_i b[i][j] x_i + f, Player's slopes are w_i = -sum_j a[i][j] y_j. One table expresses Banker's slopes in
terms of Player's plays and the fine. The other table expresses Player's slopes in terms of Banker's plays. In every
cell, the play is at 0 or 1, or the slope is 0.

A cell's play and its slope are variables. One variable moves at a time, until some variable of the same table reaches
an end of its range. That variable belongs to a cell; the other variable of this cell moves next, in the other table.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

Variable = tuple[Literal["play", "slope", "fine"], int]
_FINE: Variable = ("fine", 0)


class _MoveEnd(NamedTuple):
    """What ends a move. `row`: the row whose variable reached an end; None if the moving play reached its other end.
    `end`: the end that a play reached, 0 or 1."""

    row: int | None
    end: int


def nash(a: Sequence[Sequence[int]], b: Sequence[Sequence[int]]) -> tuple[list[Fraction], list[Fraction]]:
    """An equilibrium: an x and a y, without x_0 and y_0, such that neither side gains by changing its play. `a` and `b`
    have a row for each x_i and a column for each y_j, first for x_0 and y_0."""
    k, m = len(a) - 1, len(a[0]) - 1
    costs = _Dictionary([[*(row[j] for row in b), 1] for j in range(1, m + 1)], k)
    costs.columns.append(_FINE)
    gains = _Dictionary([[-e for e in row] for row in a[1:]], m)
    for i, row in enumerate(gains.rows):
        costs.at["play", i] = int(row[0] <= 0)
    costs.other, gains.other = gains, costs
    worst = min((head, j) for j, head in enumerate(costs.heads())) if m else (0, 0)
    if worst[0] < 0:
        costs.exchange(worst[1], _FINE)
        _walk(gains, ("play", worst[1]), 1)
    return costs.plays(k), gains.plays(m)


def _walk(table: _Dictionary, moving: Variable, way: int) -> None:
    """Follow the line until the fine is 0."""
    while True:
        row, end = table.first_stop(moving, way)
        left = moving if row is None else table.basic[row]
        if row is not None:
            table.exchange(row, moving)
        if left == _FINE:
            return
        if left[0] == "play":
            table.at[left] = end
        table = table.other
        if left[0] == "slope":  # the slope is now 0, so the play leaves its end
            moving = ("play", left[1])
            way = -1 if table.at[moving] else 1
        else:
            moving, way = ("slope", left[1]), -1 if end else 1


class _Dictionary:
    """One of the two tables. Each row expresses a variable of `basic` as a sum over the variables of `columns`; the
    first column is a constant. All entries are numerators over the denominator `det`. A play in a column is at the end,
    0 or 1, that `at` gives. A slope in a column is 0. `other` is the other side's table; it has the plays in the cells
    of this table's slopes."""

    other: _Dictionary

    def __init__(self, rows: list[list[int]], plays: int) -> None:
        self.rows, self.det = rows, 1
        self.basic: list[Variable] = [("slope", j) for j in range(len(rows))]
        self.columns: list[Variable | None] = [None, *(("play", i) for i in range(plays))]
        self.at: dict[Variable, int] = {("play", i): 0 for i in range(plays)}

    def heads(self) -> list[int]:
        """The present value of each row's variable, times `det`."""
        ones = [c for c, v in enumerate(self.columns) if v is None or (v[0] == "play" and self.at[v])]
        return [sum(row[c] for c in ones) for row in self.rows]

    def plays(self, count: int) -> list[Fraction]:
        values = {v: Fraction(head, self.det) for v, head in zip(self.basic, self.heads(), strict=True)}
        keys: list[Variable] = [("play", i) for i in range(count)]
        return [values[v] if v in values else Fraction(self.at[v]) for v in keys]

    def first_stop(self, moving: Variable, way: int) -> _MoveEnd:
        """What stops the variable `moving` of a column first, if it moves up (`way` 1) or down (`way` -1)."""
        column = self.columns.index(moving)
        ahead = [] if moving[0] != "play" else [(Fraction(1), _MoveEnd(None, int(way > 0)), 1)]
        for r, head in enumerate(self.heads()):
            rate, (kind, i) = way * self.rows[r][column], self.basic[r]
            is_stopped = kind == "play" or (rate > 0 if kind == "slope" and self.other.at["play", i] else rate < 0)
            if rate and is_stopped:
                end = int(kind == "play" and rate > 0)
                ahead.append((Fraction(end * self.det - head, rate), _MoveEnd(r, end), rate))
        nearest = min(distance for distance, *_ in ahead)
        tied = [(stop, rate) for distance, stop, rate in ahead if distance == nearest]
        return tied[0][0] if len(tied) == 1 else min(tied, key=lambda stop: self._later(*stop))[0]

    def _later(self, stop: _MoveEnd, rate: int) -> list[Fraction]:
        """How much later a row stops the move if each slope ends at a tiny number instead of 0. The result has a
        coefficient for each of the tiny numbers, from the largest number down."""
        shifts = [Fraction()] * len(self.other.at)
        if stop.row is not None:
            for v, e in zip(self.columns, self.rows[stop.row], strict=True):
                if v is not None and v[0] == "slope":
                    shifts[v[1]] = Fraction(-e, rate)
            kind, i = self.basic[stop.row]
            if kind == "slope":
                shifts[i] = Fraction(self.det, rate)
        return shifts

    def exchange(self, r: int, moving: Variable) -> None:
        """Exchange the row's variable with the moving variable of a column, without fractions (Edmonds)."""
        c = self.columns.index(moving)
        row, det = self.rows[r], self.det
        pivot = row[c]
        for i, other in enumerate(self.rows):
            if i != r:
                factor = other[c]
                self.rows[i] = [(pivot * e - factor * p) // det for e, p in zip(other, row, strict=True)]
                self.rows[i][c] = factor
        self.rows[r] = [-p for p in row]
        self.rows[r][c] = det
        if pivot < 0:
            self.rows = [[-e for e in row] for row in self.rows]
        self.det = abs(pivot)
        self.basic[r], self.columns[c] = moving, self.basic[r]
