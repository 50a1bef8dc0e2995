"""The regions of Player's cube that can contain equilibria. The cube has a coordinate for each of Player's groups of
cells (`charged.CellGroup`), here called a play: the probability of drawing in this group. In a region, a few of these
plays are open, which means that they can be any probability, and all others are at 0 or 1.

Which hand makes up Player's total matters little to Banker, so Player's mean probability of drawing decides most of
Banker's cells. The cube is cut into slices by this mean. In each slice:

1. A cell of Banker's is decided if one move is better at every point of the slice.
2. A play of Player's is at 0 or 1 if one move is better, whatever Banker does in the undecided cells.
3. In some pairs of Player's groups, drawing in the second is worth more than 0 wherever drawing in the first is worth 0
   or more. So in an equilibrium the first play is at 0 or the second at 1, and the slice is split into these two cases.
4. If more than two plays are still open, the slice is halved, eight times at most. After that, up to six plays may stay
   open.

All comparisons are exact and strict, so no equilibrium is lost.
"""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

from counting.chemin.charged import Charged, Linear
from counting.chemin.mixes import TooManyError

_FEW_OPEN = 2  # a slice with at most this many open plays is not cut further
_MOST_OPEN = 6  # how many plays of a region may be open; a region with six has 2^6 corners
_MOST_WORK = 3_000_000  # roughly how many products the search computes at most
_MOST_HALVES = 8


class Region(NamedTuple):
    """Player's groups in `open` draw with any probabilities; the `others` are at 0 or 1."""

    open: tuple[int, ...]
    others: dict[int, int]

    def holds(self, region: Region) -> bool:
        return all(region.others.get(i) == p for i, p in self.others.items())


class _Slice(NamedTuple):
    """The points with `low` <= mean * 2^`halved` <= `high` at which each of Player's groups in `at` draws with the
    probability, 0 or 1, that `at` gives.

    `cells` are Banker's undecided cells, each as a pair: what Banker's drawing costs Banker, and what it is worth to
    Player. `worth` is what Player's drawing is worth if Banker moves as decided in the decided cells and stands in the
    others.
    """

    low: int
    high: int
    halved: int
    at: dict[int, int]
    cells: list[tuple[Linear, Linear]]
    worth: Linear


def regions(charged: Charged) -> list[Region]:
    """Regions that together hold all equilibria. No region lies within another. Raises `TooManyError` if the search
    takes too long, or if more than six plays stay open in a slice."""
    search = _Search(charged)
    kept: list[Region] = []
    while search.left:
        part = search.next()
        if search.work > _MOST_WORK:
            raise TooManyError
        region = None if part is None else search.split(part)
        if region is not None and not any(other.holds(region) for other in kept):
            kept = [other for other in kept if not region.holds(other)] + [region]
    return kept


class _Search:
    def __init__(self, charged: Charged) -> None:
        worth = list(charged.net)
        for cell in charged.free:
            worth = [w + s for w, s in zip(worth, cell.stand, strict=True)]
        self.groups = range(len(charged.groups))
        self.weights = [max(1, sum(abs(c.costs[1 + i]) for c in charged.free)) for i in self.groups]
        self.total = sum(self.weights)
        self.left = [_Slice(0, 1, 0, {}, [(c.costs, c.gains) for c in charged.free], worth)]
        self.work = 0

    def next(self) -> _Slice | None:
        """The next slice, after deciding every cell and every play in it that can be decided. None if the slice
        contains no equilibrium."""
        part = self.left.pop()
        while self._has_points(part):
            decided = self._decided(part)
            at = dict(part.at)
            for i in self._opened(part):
                low, high = (
                    decided.worth[1 + i] + sum(end(gains[1 + i], 0) for _, gains in decided.cells) for end in (min, max)
                )
                if low > 0 or high < 0:
                    at[i] = int(low > 0)
            self.work += len(self.groups) * (1 + len(decided.cells))
            if at == part.at:
                return decided
            part = decided._replace(at=at)
        return None

    def split(self, part: _Slice) -> Region | None:
        """The slice as a region, if at most two plays are open or the slice has been halved eight times; otherwise
        None, and its parts are queued."""
        opened = self._opened(part)
        if len(opened) <= _FEW_OPEN or part.halved >= _MOST_HALVES:
            if len(opened) > _MOST_OPEN:
                raise TooManyError
            return Region(tuple(opened), part.at)
        for first, second in permutations(opened, 2):
            if self._follows(part, first, second):
                self.left += [part._replace(at=part.at | {first: 0}), part._replace(at=part.at | {second: 1})]
                return None
        middle = part.low + part.high
        for low, high in ((middle, 2 * part.high), (2 * part.low, middle)):
            self.left.append(part._replace(low=low, high=high, halved=part.halved + 1))
        return None

    def _opened(self, part: _Slice) -> list[int]:
        return [i for i in self.groups if i not in part.at]

    def _ends(self, part: _Slice) -> tuple[int, int]:
        """The bounds of the weighted sum of the open plays, times 2^halved."""
        fixed = sum(self.weights[i] for i, p in part.at.items() if p) << part.halved
        return part.low * self.total - fixed, part.high * self.total - fixed

    def _has_points(self, part: _Slice) -> bool:
        low, high = self._ends(part)
        return high >= 0 and low <= sum(self.weights[i] for i in self._opened(part)) << part.halved

    def _decided(self, part: _Slice) -> _Slice:
        undecided, worth = [], part.worth
        for costs, gains in part.cells:
            if self._negative(part, costs):
                worth = [w + g for w, g in zip(worth, gains, strict=True)]
            elif not self._negative(part, [-e for e in costs]):
                undecided.append((costs, gains))
        return part._replace(cells=undecided, worth=worth)

    def _negative(self, part: _Slice, row: Linear) -> bool:
        """Whether a linear function is negative everywhere in a slice. The test subtracts a multiple of the weighted
        sum of plays, and adds the largest value of this multiple in the slice. If the result is negative everywhere in
        the cube, the function is negative in the slice. For every function that is negative in the slice, there is a
        multiple that shows it (duality in linear programming). It is enough to try 0 and one multiple for each open
        play."""
        opened = self._opened(part)
        constant = row[0] + sum(row[1 + i] for i, p in part.at.items() if p)
        self.work += (1 + len(opened)) ** 2
        if constant + sum(max(row[1 + i], 0) for i in opened) < 0:
            return True
        ends = self._ends(part)
        for step, weight in ((row[1 + i], self.weights[i]) for i in opened):
            rest = sum(max(row[1 + i] * weight - step * self.weights[i], 0) for i in opened)
            if ((constant * weight + rest) << part.halved) + step * ends[step > 0] < 0:
                return True
        return False

    def _follows(self, part: _Slice, first: int, second: int) -> bool:
        """Whether drawing in the second of two groups is worth more than 0 wherever drawing in the first is worth 0 or
        more. The test looks for a multiple with this property: what drawing in the second is worth, minus the multiple
        of what drawing in the first is worth, is positive whatever Banker does in the undecided cells."""
        pairs = [(gains[1 + first], gains[1 + second]) for _, gains in part.cells]
        self.work += len(pairs) ** 2
        for p, q in ((abs(b), abs(a)) for a, b in pairs if a * b > 0):
            least = q * part.worth[1 + second] - p * part.worth[1 + first]
            if least + sum(min(q * b - p * a, 0) for a, b in pairs) > 0:
                return True
        return False
