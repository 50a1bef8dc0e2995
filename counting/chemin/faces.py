"""Cut a region of Player's cube into faces on which Banker's best replies are the same. A point of the cube is a play
of Player's: a probability of drawing for each of Player's groups of cells.

Each of Banker's cells has a plane: the points at which drawing and standing cost Banker the same. A plane cuts the
region into two parts, and Banker's move in the cell is decided in each part. Further planes cut these parts. Suppose
that in some group of cells, one of Player's moves is better on a part, whatever Banker does in the undecided cells.
Then only the points of the part at which Player always makes this move are kept. If there are none, the part is
dropped.

If no plane cuts a part, all faces of the part are listed: the part itself, its sides, the sides of its sides, down to
the corners. Coordinates of points are fractions, so all comparisons are exact.

A part is given by its corners, each with the sides on which it lies. Two corners are joined by an edge if no other
corner is on all of the sides that the two share. A plane that separates the two corners makes a new corner on the edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from operator import mul
from typing import NamedTuple

from counting.chemin.charged import Charged, FreeCell, Linear
from counting.chemin.mixes import TooManyError
from counting.chemin.regions import Region
from counting.chemin.rules import BankerCell

_MOST_WORK = 1_000_000  # about how many costs are computed at most; a cost is for one cell at one corner

Point = tuple[Fraction, ...]  # the probability of drawing in each of Player's groups
Side = tuple[int, int] | BankerCell  # a group at 0 or 1, or the plane of a cell
Corners = Mapping[Point, frozenset[Side]]


class Face(NamedTuple):
    """A face, given by its corners; all weighted means of the corners belong to it. `sure` gives Banker's best replies
    in the cells in which they are the same on the whole face. Inside the face, they are the only best replies. In the
    `mixed` cells, Banker is indifferent on the whole face. `worth` is what Player wins if Banker makes the sure replies
    and stands in the mixed cells."""

    corners: tuple[Point, ...]
    sure: Mapping[BankerCell, bool]
    mixed: tuple[FreeCell, ...]
    worth: Linear


class _UndecidedPart(NamedTuple):
    """A part of Player's cube, Banker's `sure` replies on the part, and Banker's undecided `cells`. `worth` is what
    Player wins if Banker makes the sure replies and stands in the undecided cells."""

    corners: Corners
    sure: dict[BankerCell, bool]
    cells: list[FreeCell]
    worth: Linear


def faces(charged: Charged, region: Region) -> Iterator[Face]:
    """All faces of a region that can have equilibria, and maybe other faces. Raises `TooManyError` if the search takes
    too long."""
    worth = [sum(column) for column in zip(charged.net, *(cell.stand for cell in charged.free), strict=True)]
    left = [_UndecidedPart(_corners(len(charged.groups), region), {}, charged.free, worth)]
    listed: set[frozenset[Point]] = set()
    work = 0
    while left:
        work += len(left[-1].corners) * (1 + len(left[-1].cells))
        if work > _MOST_WORK:
            raise TooManyError
        part, plane = _decided(left.pop())
        kept = _kept(part)
        if len(kept) < len(part.corners):
            left += [part._replace(corners=kept)] if kept else []
        elif plane is not None:
            left += [part._replace(corners=_cut(part.corners, plane, way)) for way in (1, -1)]
        else:
            for corners in _faces(part.corners) - listed:
                listed.add(corners)
                yield _face(part, sorted(corners))


def value_at(row: Sequence[int], point: Point) -> Fraction:
    """The value of a linear function at a point."""
    whole = _whole(point)
    return Fraction(sum(map(mul, row, whole)), whole[0])


def _whole(point: Point) -> list[int]:
    """A common denominator of a point's coordinates, then the numerators over it."""
    scale = lcm(*(p.denominator for p in point))
    return [scale, *(p.numerator * (scale // p.denominator) for p in point)]


def _corners(groups: int, region: Region) -> Corners:
    ends = [(region.others[i],) if i in region.others else (0, 1) for i in range(groups)]
    return {tuple(map(Fraction, corner)): frozenset(enumerate(corner)) for corner in product(*ends)}


def _decided(part: _UndecidedPart) -> tuple[_UndecidedPart, FreeCell | None]:
    """The part, with Banker's move decided in each cell whose costs have the same sign at all corners. Also the cell
    that matters most to Player among the cells whose planes cut the part, or None if no plane cuts the part."""
    sure, undecided, worth = dict(part.sure), [], part.worth
    cut: tuple[int, FreeCell | None] = (-1, None)
    corners = [_whole(corner) for corner in part.corners]
    for cell in part.cells:
        # the cost at each corner, times the corner's denominator
        costs = [sum(map(mul, cell.costs, corner)) for corner in corners]
        low, high = min(costs), max(costs)
        if low > 0 or high < 0:
            sure[cell.cell] = high < 0
            worth = _added(worth, cell.gains) if high < 0 else worth
            continue
        undecided.append(cell)
        if low < 0 < high:
            matters = sum(abs(gain) for gain in cell.gains[1:])
            cut = max(cut, (matters, cell), key=lambda each: each[0])
    return _UndecidedPart(part.corners, sure, undecided, worth), cut[1]


def _kept(part: _UndecidedPart) -> Corners:
    """The corners of a part at which Player may stay. Suppose that drawing in a group is better than standing, whatever
    Banker does in the undecided cells. Then Player may stay only at the corners where the group is at 1. If standing is
    better, Player may stay only at the corners where the group is at 0."""
    corners = part.corners
    columns = zip(part.worth, *(cell.gains for cell in part.cells), strict=True)
    for i, (constant, *steps) in enumerate(list(columns)[1:]):
        low, high = (constant + sum(end(step, 0) for step in steps) for end in (min, max))
        if low > 0 or high < 0:
            corners = {corner: sides for corner, sides in corners.items() if corner[i] == (low > 0)}
    return corners


def _cut(corners: Corners, cell: FreeCell, way: int) -> Corners:
    """The corners of one of the two parts that a cell's plane makes of a part. With `way` 1 it is the part in which
    drawing costs Banker more than standing, with `way` -1 the other."""
    heights = [(corner, sides, way * value_at(cell.costs, corner)) for corner, sides in corners.items()]
    kept = {corner: sides | {cell.cell} if height == 0 else sides for corner, sides, height in heights if height >= 0}
    for a, sides, high in heights:
        for b, others, low in heights:
            shared = sides & others
            if low < 0 < high and all(corner in (a, b) or not shared <= theirs for corner, theirs in corners.items()):
                between = tuple((high * q - low * p) / (high - low) for p, q in zip(a, b, strict=True))
                kept[between] = shared | {cell.cell}
    return kept


def _faces(corners: Corners) -> set[frozenset[Point]]:
    """All faces of a part, each as its corners. A face is the part itself, or the set of corners that lie on one side,
    or on several sides at once."""
    sides = {side for theirs in corners.values() for side in theirs}
    faces_of_part = {frozenset(corners)}
    for side in sides:
        on = frozenset(corner for corner, theirs in corners.items() if side in theirs)
        faces_of_part |= {on & face for face in faces_of_part}
    return faces_of_part - {frozenset()}


def _face(part: _UndecidedPart, corners: Sequence[Point]) -> Face:
    """The face with these corners, of a part that no plane cuts. So no cell's cost has different signs on the face."""
    sure, mixed, worth = dict(part.sure), [], part.worth
    for cell in part.cells:
        cost = sum(value_at(cell.costs, corner) for corner in corners)
        if cost:
            sure[cell.cell] = cost < 0
            worth = _added(worth, cell.gains) if cost < 0 else worth
        else:
            mixed.append(cell)
    return Face(tuple(corners), sure, tuple(mixed), worth)


def _added(row: Linear, other: Linear) -> Linear:
    return [n + m for n, m in zip(row, other, strict=True)]
