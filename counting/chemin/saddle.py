"""The saddle point of a bilinear form on two cubes, in whole numbers.

    F(x, y) = sum_ij a[i][j] x_i y_j,   x_0 = y_0 = 1, every other x_i and y_j from 0 to 1

Player chooses x to make F large, Banker chooses y to make F small. Against x, Banker's best y_j is 1 where the slope
w_j = sum_i a[i][j] x_i is below zero, and 0 where it is above. So what x wins against Banker's best reply is a concave
and piecewise linear function of x. The simplex method climbs this function from kink to kink, on Tucker's tableau
without fractions (Edmonds). A step continues past kinks while F rises. A step that cannot raise F follows Bland's rule,
so the method always ends.

At any time, k of the x_i and w_j are the coordinates, and the tableau has a row for each coordinate. The first entry of
a row or column is its head.

- A row belongs to an x_i at 0 or 1, and its head is what x_i is worth. Or it belongs to a kink w_j = 0, and its head is
  the -y_j that keeps Player at the kink.
- A column belongs to a y_j at 0 or 1, and its head is w_j. Or it belongs to an x_i that is no coordinate, and its head
  is x_i.

Heads have their values at the present point. The entry in the corner is F at this point. All entries are numerators
over the denominator `det`.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import mul
from typing import NamedTuple


class Saddle(NamedTuple):
    """An optimal x and y, without x_0 and y_0, times `det`. `lower` is what x wins against Banker's best reply, `upper`
    what Player's best reply wins against y, both times `det`. The two are equal, because neither side gains by another
    play."""

    x: list[int]
    y: list[int]
    det: int
    lower: int
    upper: int


def saddle(a: Sequence[Sequence[int]]) -> Saddle:
    """An optimal x and y. `a` has a row for each x_i and a column for each y_j, first for x_0 and y_0."""
    climb = _Climb(a)
    while climb.step():
        pass
    x, y = climb.optimum()
    return Saddle(x, y, climb.det, against_banker(a, x, climb.det), against_player(a, y, climb.det))


def against_banker(a: Sequence[Sequence[int]], x: Sequence[int], det: int) -> int:
    """What the play x / det wins against Banker's best reply, times `det`."""
    first, *slopes = _summed(a, x, det)
    return first + sum([w for w in slopes if w < 0])


def against_player(a: Sequence[Sequence[int]], y: Sequence[int], det: int) -> int:
    """What Player's best reply wins against the play y / det, times `det`."""
    parts = [det, *y]
    first, *gains = [int(sum(map(mul, row, parts))) for row in a]
    return first + sum([g for g in gains if g > 0])


def _summed(a: Sequence[Sequence[int]], x: Sequence[int], det: int) -> list[int]:
    """The slopes of the columns at x / det, times `det`."""
    always = list(map(sum, zip(a[0], *(row for row, p in zip(a[1:], x, strict=True) if p == det), strict=True)))
    slopes = [det * w for w in always] if det != 1 else always
    for row, p in zip(a[1:], x, strict=True):
        if 0 < p < det:
            slopes = [w + p * e for w, e in zip(slopes, row, strict=True)]
    return slopes


def proved_saddle(a: Sequence[Sequence[int]], x: Sequence[int], y: Sequence[int]) -> Saddle | None:
    """The saddle point that the arguments describe: an entry 0 or 1 stands for an x_i or y_j that has this value, an
    entry 2 for a value between 0 and 1. None if it is not proved to be the only saddle point.

    It is the only saddle point if every x_i and y_j at an end would lose by leaving the end, and the equations of the
    other x_i and y_j have a single solution.
    """
    rows, columns = ([i + 1 for i, at in enumerate(side) if at == 2] for side in (x, y))
    if len(rows) != len(columns) or len(rows) > 2:
        return None
    worth = list(map(sum, zip(a[0], *(row for row, at in zip(a[1:], x, strict=True) if at == 1), strict=True)))
    drawn = [True, *[at == 1 for at in y]]
    gains = [sum(compress(row, drawn)) for row in a]
    if len(rows) == 0:
        det, mine, hers = 1, [], []
    elif len(rows) == 1:
        (i,), (j,) = rows, columns
        det, mine, hers = a[i][j], [-worth[j]], [-gains[i]]
    else:
        (i, k), (j, m) = rows, columns
        det = a[i][j] * a[k][m] - a[i][m] * a[k][j]
        mine = [a[k][j] * worth[m] - a[k][m] * worth[j], a[i][m] * worth[j] - a[i][j] * worth[m]]
        hers = [a[i][m] * gains[k] - a[k][m] * gains[i], a[k][j] * gains[i] - a[i][j] * gains[k]]
    if det < 0:
        det, mine, hers = -det, [-p for p in mine], [-p for p in hers]
    if det == 0 or not all(0 < p < det for p in (*mine, *hers)):
        return None
    slopes, pulls = [det * w for w in worth], [det * g for g in gains]
    for i, p in zip(rows, mine, strict=True):
        slopes = [w + p * e for w, e in zip(slopes, a[i], strict=True)]
    for j, p in zip(columns, hers, strict=True):
        pulls = [g + p * row[j] for g, row in zip(pulls, a, strict=True)]
    if not all(w > 0 if at == 0 else w < 0 if at == 1 else w == 0 for w, at in zip(slopes[1:], y, strict=True)):
        return None
    if not all(g < 0 if at == 0 else g > 0 if at == 1 else g == 0 for g, at in zip(pulls[1:], x, strict=True)):
        return None
    whole, other = [at * det for at in x], [at * det for at in y]
    for i, p in zip(rows, mine, strict=True):
        whole[i - 1] = p
    for j, p in zip(columns, hers, strict=True):
        other[j - 1] = p
    lower, upper = slopes[0] + sum([w for w in slopes[1:] if w < 0]), pulls[0] + sum([g for g in pulls[1:] if g > 0])
    return Saddle(whole, other, det, lower, upper)


class _Climb:
    def __init__(self, a: Sequence[Sequence[int]]) -> None:
        self.k, self.m = len(a) - 1, len(a[0]) - 1
        self.t = [list(row) for row in a]
        self.det = 1
        # Variables are numbered: x_i is i; the pair y_j and w_j is k + j. `at` gives the value, 0 or 1, of each
        # variable that is at an end.
        self.rows = list(range(self.k + 1))
        self.columns = [0, *range(self.k + 1, self.k + self.m + 1)]
        self.at = [0] * (self.k + self.m + 1)
        for i in range(1, self.k + 1):
            self._flip_row(i)
        for j in range(1, self.m + 1):
            if self.t[0][j] < 0:
                self._flip_column(j)

    def _flip_row(self, i: int) -> None:
        """Move an x_i from one end of its range to the other."""
        v = self.rows[i]
        sign = -1 if self.at[v] else 1
        self.at[v] ^= 1
        top = self.t[0]
        for j, entry in enumerate(self.t[i]):
            top[j] += sign * entry

    def _flip_column(self, j: int) -> None:
        """Move a y_j from one end of its range to the other."""
        v = self.columns[j]
        sign = -1 if self.at[v] else 1
        self.at[v] ^= 1
        for row in self.t:
            row[0] += sign * row[j]

    def _way(self, i: int) -> int:
        """1 if Player gains by moving the coordinate of row i up, -1 if Player gains by moving it down, otherwise 0."""
        head, v = self.t[i][0], self.rows[i]
        if v > self.k:
            return 1 if head > 0 else -1 if head < -self.det else 0
        return (1 if head > 0 else 0) if not self.at[v] else (-1 if head < 0 else 0)

    def step(self) -> bool:
        """Climb along a coordinate that Player gains by moving; of several, along the one with the lowest number.
        Returns False at the top."""
        gaining = [(self.rows[i], i) for i in range(1, self.k + 1) if self._way(i)]
        if not gaining:
            return False
        v, i = min(gaining)
        way, top, row = self._way(i), self.t[0], self.t[i]
        slope = way * row[0] - (self.det if v > self.k and way < 0 else 0)
        # Kinks ahead: (numerator and denominator of the distance, the variable's number, column). Column 0 is the other
        # end of the moving coordinate.
        ahead = [] if v > self.k else [(1, 1, v, 0)]
        for j in range(1, self.m + 1):
            rate, u = way * row[j], self.columns[j]
            if rate and u <= self.k:
                ahead.append((top[j] if rate < 0 else self.det - top[j], abs(rate), u, j))
            elif rate and (rate > 0) == bool(self.at[u]):
                ahead.append((abs(top[j]), abs(rate), u, j))
        still = [kink for kink in ahead if kink[0] == 0]
        passed: list[int] = []
        while True:
            near = ahead[0]
            for kink in ahead:
                if kink[0] * near[1] < near[0] * kink[1]:
                    near = kink
            _, rate, u, j = near
            slope -= rate
            if u <= self.k or slope <= 0:
                break
            passed.append(j)
            ahead.remove(near)
        if near[0] == 0:
            u, j = min((u, j) for _, _, u, j in still)
            passed = []
        if j == 0:
            self._flip_row(i)
        else:
            self._exchange(i, j, leaving=int(way < 0), entering=int(way * row[j] > 0))
        for j in passed:
            self._flip_column(j)
        return True

    def _exchange(self, r: int, s: int, leaving: int, entering: int) -> None:
        """Exchange the variables of row r and column s. If the row belongs to a kink, the kink's y_j is at `leaving`
        afterwards. If the column belongs to an x_i, this x_i is at `entering` afterwards."""
        v, u = self.rows[r], self.columns[s]
        t, det = self.t, self.det
        # Within the exchange, variables at an end are measured from that end.
        if v > self.k and leaving:
            t[r][0] += det
        if u <= self.k and entering:
            t[0][s] -= det
        row = t[r]
        pivot = row[s]
        for i, other in enumerate(t):
            if i != r:
                factor = other[s]
                t[i] = [(pivot * e - factor * p) // det for e, p in zip(other, row, strict=True)]
                t[i][s] = -factor
        row[s] = det
        if pivot < 0:
            self.t = t = [[-e for e in row] for row in t]
        self.det = abs(pivot)
        if v <= self.k and self.at[v]:
            t[0][s] += self.det
        if u > self.k and self.at[u]:
            t[r][0] -= self.det
        self.rows[r], self.columns[s] = u, v
        if v > self.k:
            self.at[v] = leaving
        if u <= self.k:
            self.at[u] = entering

    def optimum(self) -> tuple[list[int], list[int]]:
        """x and y, times `det`."""
        value = [at * self.det for at in self.at]
        for i in range(1, self.k + 1):
            if self.rows[i] > self.k:
                value[self.rows[i]] = -self.t[i][0]
        for j in range(1, self.m + 1):
            if self.columns[j] <= self.k:
                value[self.columns[j]] = self.t[0][j]
        return value[1 : self.k + 1], value[self.k + 1 :]
