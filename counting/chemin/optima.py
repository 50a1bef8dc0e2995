"""All optimal plays of a game, rather than a single optimum.

Let x be an optimal play of Player's. Then y is optimal exactly if y is a best reply to x, and x is a best reply to y.
Let Banker's slope w_j(x) be what drawing in cell j costs Banker (`saddle`). Let g_i(y) be what drawing in cell i is
worth to Player.

- y is a best reply to x if y_j is 0 where w_j(x) is positive, and 1 where w_j(x) is negative.
- x is a best reply to y if g_i(y) is 0 where x_i is between 0 and 1, at most 0 where x_i is 0, and at least 0 where x_i
  is 1.

So one optimal x describes all optimal y by linear equations and inequalities, and one optimal y describes all optimal
x.

Suppose that for every j either w_j(x) is 0 or y_j is at 0 or 1, but not both. Suppose the same for every i, with g_i(y)
and x_i. Then no inequality holds with equality for all optima, and the dimensions of the two sets of optima can be read
off. Such a pair of optimal x and y always exists (Goldman and Tucker). To find it, the game is tilted so little that an
optimum of the tilted game is also an optimum of the original game. The tilt selects an optimum in which y_j is not at
its end, or w_j(x) is not 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, lcm
from operator import mul
from typing import Generic, NamedTuple, TypeVar

from counting.chemin.saddle import saddle

Cell = TypeVar("Cell")
Vector = list[Fraction]
Linear = tuple[tuple[Fraction, ...], Fraction]

_MOST_CORNERS = 2000  # how many sets of inequalities are tried at most


@dataclass(frozen=True)
class Optima(Generic[Cell]):
    """All optimal strategies of one side.

    `strategy` is an inner optimum: a cell draws with probability 0 or 1 only if it does so in every optimum. Other
    optima differ from `strategy` only in the probabilities p of `cells`. These p are exactly the p from 0 to 1 that
    meet these conditions:

        sum(a * p) = b for each (a, b) of `equations`,
        sum(a * p) <= b for each (a, b) of `inequalities`.

    The equations are independent.
    """

    strategy: dict[Cell, Fraction]
    cells: tuple[Cell, ...]
    dimension: int
    equations: tuple[Linear, ...]
    inequalities: tuple[Linear, ...]

    @property
    def unique(self) -> bool:
        return self.dimension == 0

    @cached_property
    def vertices(self) -> tuple[dict[Cell, Fraction], ...] | None:
        """The corners of the set of optima. Every optimum is a weighted mean of corners. None if finding the corners
        would take too long."""
        if self.unique:
            return (self.strategy,)
        n = len(self.cells)
        units = [[int(i == j) for i in range(n)] for j in range(n)]
        rows = [[*u, 1] for u in units] + [[*(-e for e in u), 0] for u in units]
        rows += [_whole([*a, b]) for a, b in self.inequalities]
        if comb(len(rows), self.dimension) > _MOST_CORNERS:
            return None
        always: _System = []
        for a, b in self.equations:
            always = _with(always, _whole([*a, b])) or always
        corners = set()
        for system in _systems(always, rows, self.dimension):
            p = [Fraction(row[n], row[column]) for column, row in sorted(system)]
            scale, *whole = _whole([1, *p])
            if all(sum(map(mul, a, whole)) <= b * scale for *a, b in rows):
                corners.add(tuple(p))
        return tuple(self.strategy | dict(zip(self.cells, p, strict=True)) for p in sorted(corners))


# independent equations; each with the index of an unknown that occurs in no other equation
_System = list[tuple[int, list[int]]]


def _systems(system: _System, rows: Sequence[list[int]], more: int) -> Iterator[_System]:
    """Every system of independent equations that consists of `system` and `more` further equations from `rows`."""
    if not more:
        yield system
        return
    for i, row in enumerate(rows[: len(rows) - more + 1]):
        if longer := _with(system, row):
            yield from _systems(longer, rows[i + 1 :], more - 1)


def _with(system: _System, row: list[int]) -> _System | None:
    """The system with a further equation; None if this equation depends on the others, or contradicts them."""
    for column, other in system:
        row = _cleared(row, other, column)
    pivot = next((column for column, e in enumerate(row[:-1]) if e), None)
    return (
        None if pivot is None else [(column, _cleared(other, row, pivot)) for column, other in system] + [(pivot, row)]
    )


def _cleared(row: list[int], lead: list[int], column: int) -> list[int]:
    """A multiple of the row, minus a multiple of the lead, so that the entry in this column is 0."""
    factor, pivot = row[column], lead[column]
    if not factor:
        return row
    cleared = [pivot * e - factor * p for e, p in zip(row, lead, strict=True)]
    size = gcd(*cleared) or 1
    return [e // size for e in cleared]


def _whole(row: Sequence[Fraction | int]) -> list[int]:
    """The row times the least common denominator of its entries."""
    scale = lcm(*(e.denominator for e in row))
    return [e.numerator * (scale // e.denominator) for e in row]


def _dot(a: Sequence[Fraction | int], b: Sequence[Fraction | int]) -> Fraction:
    return sum((Fraction(x) * y for x, y in zip(a, b, strict=True) if x), Fraction())


def _reduced(rows: Sequence[Sequence[Fraction | int]]) -> list[tuple[int, Vector]]:
    """The reduced echelon form of equations: each row with the index of its leading 1."""
    remaining = [list(map(Fraction, row)) for row in rows]
    reduced: list[tuple[int, Vector]] = []
    for column in range(len(remaining[0]) if remaining else 0):
        pivot = next((row for row in remaining if row[column]), None)
        if pivot is None:
            continue
        remaining.remove(pivot)
        lead = [e / pivot[column] for e in pivot]
        reduced = [(pivot_column, _less(row, lead, column)) for pivot_column, row in reduced] + [(column, lead)]
        remaining = [_less(row, lead, column) for row in remaining]
    return reduced


def _less(row: Vector, lead: Vector, column: int) -> Vector:
    factor = row[column]
    return [e - factor * p for e, p in zip(row, lead, strict=True)] if factor else row


class _SolvedForm:
    """The bilinear form of `saddle`, with lists of optimal x and of optimal y. `x` and `y` are the means of the
    lists."""

    def __init__(self, a: Sequence[Sequence[int]], x: Vector, y: Vector) -> None:
        self.a = a
        self.across = list(zip(*a, strict=True))
        self.xs, self.ys = [list(x)], [list(y)]
        self.value = self.least(x)

    @property
    def x(self) -> Vector:
        return [sum(values, Fraction()) / len(self.xs) for values in zip(*self.xs, strict=True)]

    @property
    def y(self) -> Vector:
        return [sum(values, Fraction()) / len(self.ys) for values in zip(*self.ys, strict=True)]

    def slopes(self, x: Vector) -> Vector:
        """w_0 and all w_j."""
        return [_dot(column, [1, *x]) for column in self.across]

    def gains(self, y: Vector) -> Vector:
        """g_0 and all g_i."""
        return [_dot(row, [1, *y]) for row in self.a]

    def least(self, x: Vector) -> Fraction:
        constant, *slopes = self.slopes(x)
        return constant + sum(w for w in slopes if w < 0)

    def most(self, y: Vector) -> Fraction:
        constant, *gains = self.gains(y)
        return constant + sum(g for g in gains if g > 0)

    def tilted(self, rows: Sequence[int], columns: Sequence[int]) -> tuple[Vector, Vector]:
        """A saddle point of a tilted form. The tilted form is the form times a large weight, with `rows` added to the
        coefficients of x, and `columns` to the coefficients of y. The weight is so large that x is optimal for the form
        itself, if `rows` are not zero. The same holds for y, if `columns` are not zero."""
        bits = 128
        while True:
            a = [[e << bits for e in row] for row in self.a]
            for i, more in enumerate(rows):
                a[i + 1][0] += more
            for j, more in enumerate(columns):
                a[0][j + 1] += more
            solved = saddle(a)
            x, y = ([Fraction(v, solved.det) for v in side] for side in (solved.x, solved.y))
            if (not any(rows) or self.least(x) == self.value) and (not any(columns) or self.most(y) == self.value):
                return x, y
            bits *= 2

    def part_banker(self, j: int) -> None:
        """If w_j = 0 and y_j is at 0 or 1: add an optimum in which y_j is not at this end or w_j is not 0."""
        way = 1 if self.ys[0][j - 1] == 0 else -1
        _, y = self.tilted([], [-way * (i == j) for i in range(1, len(self.across))])
        if y[j - 1] != self.ys[0][j - 1]:
            self.ys.append(y)
        else:
            self.xs.append(self.tilted([way * e for e in self.across[j][1:]], [])[0])

    def part_player(self, i: int) -> None:
        """If g_i = 0 and x_i is at 0 or 1: add an optimum in which x_i is not at this end or g_i is not 0."""
        way = 1 if self.xs[0][i - 1] == 0 else -1
        x, _ = self.tilted([way * (j == i) for j in range(1, len(self.a))], [])
        if x[i - 1] != self.xs[0][i - 1]:
            self.xs.append(x)
        else:
            self.ys.append(self.tilted([], [way * e for e in self.a[i][1:]])[1])

    def faces(self) -> tuple[OptimalFace, OptimalFace]:
        """The optimal faces, from the optima known so far."""
        x, y = self.x, self.y
        w, g = self.slopes(x)[1:], self.gains(y)[1:]
        return _face(x, g, y, self.across[1:], -1), _face(y, w, x, self.a[1:], 1)

    def part(self) -> None:
        """Add optima until an inequality is tight at their mean only if it is tight at every optimum."""
        for points, lines in ((self.xs, self.a), (self.ys, self.across)):
            for i, line in enumerate(lines[1:]):
                if not any(line):
                    points[0][i] = Fraction(1, 2)  # the value of this coordinate has no effect
        while True:
            x, y = self.x, self.y
            w, g = self.slopes(x), self.gains(y)
            if tied := [j for j in range(1, len(w)) if w[j] == 0 and y[j - 1] in (0, 1)]:
                self.part_banker(tied[0])
            elif tied := [i for i in range(1, len(g)) if g[i] == 0 and x[i - 1] in (0, 1)]:
                self.part_player(tied[0])
            else:
                return


class OptimalFace(NamedTuple):
    """The optimal points of one side: an inner point, the indices of the coordinates in which other optimal points
    differ from it (`places`), and the conditions on these coordinates (see `Optima`)."""

    point: Vector
    places: list[int]
    equations: list[Linear]
    inequalities: list[Linear]


def optimal_faces(a: Sequence[Sequence[int]], x: Vector, y: Vector) -> tuple[OptimalFace, OptimalFace]:
    """All optimal x and all optimal y of the form `a` (see `saddle`), found from one optimal x and one optimal y."""
    form = _SolvedForm(a, x, y)
    sides = form.faces()
    if any(face.places for face in sides):
        form.part()
        sides = form.faces()
    return sides


def _face(inner: Vector, worth: Vector, other: Vector, rows: Sequence[Sequence[int]], sign: int) -> OptimalFace:
    """The optimal points of one side. They differ from `inner` only in the coordinates for which `worth` is 0, and
    `other` is a best reply to them. So the value of each row at an optimal point is 0 if the row's entry in `other` is
    between 0 and 1. The value does not have the sign `sign` if this entry is 0, nor the opposite sign if it is 1."""
    places = [i for i, w in enumerate(worth) if w == 0]
    fixed = [Fraction(0) if w == 0 else p for w, p in zip(worth, inner, strict=True)]
    equations, bounds = [], []
    for share, row in zip(other, rows, strict=True):
        constant = _dot(row, [1, *fixed])
        line = [*(Fraction(row[1 + i]) for i in places), -constant]
        if 0 < share < 1:
            equations.append(line)
        else:
            bounds.append([(-sign if share else sign) * e for e in line])
    reduced = _reduced([line for line in equations if any(line)])
    for column, lead in reduced:
        bounds = [_less(line, lead, column) for line in bounds]
    pinned = {column for column, lead in reduced if not any(e for i, e in enumerate(lead[:-1]) if i != column)}
    kept = [i for i in range(len(places)) if i not in pinned]
    return OptimalFace(
        inner,
        [places[i] for i in kept],
        [(tuple(lead[i] for i in kept), lead[-1]) for column, lead in reduced if column not in pinned],
        list(dict.fromkeys(_scaled([line[i] for i in kept], line[-1]) for line in bounds if _binds(line))),
    )


def _binds(line: Vector) -> bool:
    """Whether sum(a * p) > b for some p from 0 to 1."""
    return sum((e for e in line[:-1] if e > 0), Fraction()) > line[-1]


def _scaled(a: Vector, b: Fraction) -> Linear:
    size = abs(next(e for e in a if e))
    return tuple(e / size for e in a), b / size
