"""Where Player's mixes can be part of an equilibrium: regions in which all but one of the plays are forced.

The cube of Player's probabilities is halved again and again. In a box, Banker's cells in which one move is better at
every point are decided; then a cell of Player's in which one move is better whatever the undecided cells do is forced
to it, and a box that leaves no room for that has no equilibrium. All comparisons are exact and strict, so no
equilibrium is lost. A box is done when at most one play is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from counting.chemin.charged import Charged, Linear

_MOST_WORK = 1_500_000  # products of a coefficient and a bound


class Region(NamedTuple):
    """Player's group `open` draws with a probability from `low` to `high`; the `others` are forced, 0 or 1."""

    open: int
    others: dict[int, Fraction]
    low: Fraction
    high: Fraction


class _Box(NamedTuple):
    """Bounds of Player's probabilities, over `unit`; Banker's undecided cells, their costs and what they are worth to
    Player; and what Player's drawing is worth with the decided cells, while the undecided cells stand."""

    bounds: list[tuple[int, int]]
    unit: int
    cells: list[tuple[Linear, Linear]]
    worth: Linear


def regions(charged: Charged) -> list[Region] | None:
    """Regions that hold all equilibria, joined where they touch; None if the search is too long, as it is where two
    plays mix at once."""
    worth = list(charged.net)
    for cell in charged.free:
        worth = [w + s for w, s in zip(worth, cell.stand, strict=True)]
    count = len(charged.groups)
    boxes = [_Box([(0, 1)] * count, 1, [(c.costs, c.gains) for c in charged.free], worth)]
    found: list[Region] = []
    work = 0
    while boxes:
        box = boxes.pop()
        work += 2 * count * (1 + len(box.cells))
        if work > _MOST_WORK:
            return None
        forced = _forced(box)
        if forced is None:
            continue
        opened = [i for i, (low, high) in enumerate(forced.bounds) if low < high]
        if len(opened) > 1:
            boxes += _halves(forced, max(opened, key=lambda i: forced.bounds[i][1] - forced.bounds[i][0]))
        else:
            found.append(_region(forced, opened[0] if opened else 0))
    return _joined(found)


def _forced(box: _Box) -> _Box | None:
    """A box with all that is forced in it; None if it has no equilibrium."""
    bounds, cells, worth = list(box.bounds), box.cells, box.worth
    while True:
        undecided = []
        for costs, gains in cells:
            least, most = _range(costs, bounds, box.unit)
            if most < 0:
                worth = [w + g for w, g in zip(worth, gains, strict=True)]
            elif least <= 0:
                undecided.append((costs, gains))
        cells, before = undecided, list(bounds)
        for i, (low, high) in enumerate(bounds):
            steps = [gains[1 + i] for _, gains in cells]
            if low < high and worth[1 + i] + sum(s for s in steps if s < 0) > 0:
                if high < box.unit:
                    return None
                bounds[i] = (high, high)
            elif low < high and worth[1 + i] + sum(s for s in steps if s > 0) < 0:
                if low > 0:
                    return None
                bounds[i] = (low, low)
        if bounds == before:
            return _Box(bounds, box.unit, cells, worth)


def _range(row: Linear, bounds: Sequence[tuple[int, int]], unit: int) -> tuple[int, int]:
    """The least and the largest of a linear function in a box, times `unit`."""
    least = most = row[0] * unit
    for step, (low, high) in zip(row[1:], bounds, strict=True):
        least += step * (low if step > 0 else high)
        most += step * (high if step > 0 else low)
    return least, most


def _halves(box: _Box, side: int) -> list[_Box]:
    doubled = [(2 * low, 2 * high) for low, high in box.bounds]
    low, high = doubled[side]
    middle = (low + high) // 2
    return [
        box._replace(bounds=[*doubled[:side], part, *doubled[side + 1 :]], unit=2 * box.unit)
        for part in ((middle, high), (low, middle))
    ]


def _region(box: _Box, opened: int) -> Region:
    ends = [(Fraction(low, box.unit), Fraction(high, box.unit)) for low, high in box.bounds]
    others = {i: low for i, (low, _) in enumerate(ends) if i != opened}
    return Region(opened, others, *ends[opened])


def _joined(found: Sequence[Region]) -> list[Region]:
    joined: list[Region] = []
    for region in sorted(found, key=lambda region: (region.open, sorted(region.others.items()), region.low)):
        last = joined[-1] if joined else None
        if last is not None and (last.open, last.others, last.high) == (region.open, region.others, region.low):
            joined[-1] = last._replace(high=region.high)
        else:
            joined.append(region)
    return joined
