"""A part of Player's cube, cut by Banker's cells into the faces on which Banker's best replies are the same.

In each cell of Banker's the points at which drawing and standing cost the same lie on a plane. If a plane cuts a part,
the cell's move is decided on either side of the plane. A part is dropped if no replies in the undecided cells keep
Player there. If all replies keep a play of Player's at 0, or at 1, only that side of the part is kept. In a part that
no plane cuts, all faces are listed: its inside, its sides and their sides, down to the corners. Points are fractions,
so that all comparisons are exact.

A part is given by its corners, with the sides through each. Two corners are joined by an edge if no other corner is on
all of the sides that the two share. A plane that separates them makes a new corner on that edge.
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

_MOST_WORK = 1_000_000  # costs of cells at corners

Point = tuple[Fraction, ...]  # the probability of drawing in each of Player's groups
Side = tuple[int, int] | BankerCell  # a group at 0 or 1, or the plane of a cell
Corners = Mapping[Point, frozenset[Side]]


class Face(NamedTuple):
    """A face by its corners; all means of the corners belong to it. On the whole face, Banker's best replies are `sure`
    in some cells, and Banker is indifferent in the `mixed` cells. Inside the face, `sure` are the only best replies.
    `worth` is what the sure replies are worth to Player if Banker stands in the mixed cells: a constant, and what each
    group's drawing adds."""

    corners: tuple[Point, ...]
    sure: Mapping[BankerCell, bool]
    mixed: tuple[FreeCell, ...]
    worth: Linear


class _UndecidedPart(NamedTuple):
    """A part of Player's cube, Banker's `sure` replies on it, and Banker's undecided `cells`. `worth` is what the sure
    replies are worth to Player if Banker stands in the undecided cells."""

    corners: Corners
    sure: dict[BankerCell, bool]
    cells: list[FreeCell]
    worth: Linear


def faces(charged: Charged, region: Region) -> Iterator[Face]:
    """The faces of a region that can have equilibria, and maybe others. `TooManyError` if that is too much work."""
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
    """A linear function at a point."""
    whole = _whole(point)
    return Fraction(sum(map(mul, row, whole)), whole[0])


def _whole(point: Point) -> list[int]:
    """A common denominator of a point's plays, and their numerators over it."""
    scale = lcm(*(p.denominator for p in point))
    return [scale, *(p.numerator * (scale // p.denominator) for p in point)]


def _corners(groups: int, region: Region) -> Corners:
    ends = [(region.others[i],) if i in region.others else (0, 1) for i in range(groups)]
    return {tuple(map(Fraction, corner)): frozenset(enumerate(corner)) for corner in product(*ends)}


def _decided(part: _UndecidedPart) -> tuple[_UndecidedPart, FreeCell | None]:
    """The part after every cell is decided that can be decided. Also the cell that matters most to Player among the
    cells whose planes cut the part; None if no plane does."""
    sure, undecided, worth = dict(part.sure), [], part.worth
    cut: tuple[int, FreeCell | None] = (-1, None)
    corners = [_whole(corner) for corner in part.corners]
    for cell in part.cells:
        costs = [sum(map(mul, cell.costs, corner)) for corner in corners]  # each times a scale of its own
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
    """The corners of a part at which Player may stay. If drawing in a group gains whatever Banker does in the undecided
    cells, these are the corners where the group is at 1; if drawing costs, where it is at 0."""
    corners = part.corners
    columns = zip(part.worth, *(cell.gains for cell in part.cells), strict=True)
    for i, (constant, *steps) in enumerate(list(columns)[1:]):
        low, high = (constant + sum(end(step, 0) for step in steps) for end in (min, max))
        if low > 0 or high < 0:
            corners = {corner: sides for corner, sides in corners.items() if corner[i] == (low > 0)}
    return corners


def _cut(corners: Corners, cell: FreeCell, way: int) -> Corners:
    """The corners of the part on one side of a cell's plane."""
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
    """Each face by its corners: all corners of the part, or the corners that lie on all of one or more of its sides."""
    sides = {side for theirs in corners.values() for side in theirs}
    faces_of_part = {frozenset(corners)}
    for side in sides:
        on = frozenset(corner for corner, theirs in corners.items() if side in theirs)
        faces_of_part |= {on & face for face in faces_of_part}
    return faces_of_part - {frozenset()}


def _face(part: _UndecidedPart, corners: Sequence[Point]) -> Face:
    """The face of a part that no plane cuts, on which each cell's costs have the same sign."""
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
