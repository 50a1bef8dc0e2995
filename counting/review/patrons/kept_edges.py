"""The edges of bets over all arrangements of some of a log's shoes.

Bets are priced together, which takes about half of the time. The edges of the first bet are kept in memory, and the
others' in a temporary file."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from mmap import mmap
from tempfile import TemporaryFile, gettempdir
from threading import Lock
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.errors import InputError
from counting.review.patrons.arrangements import Arrangements
from counting.review.unseen_cards import UnseenCards
from counting.workers import in_threads


class BetEdges(NamedTuple):
    """A bet's edges.

    - `shoes` (shoes,): the numbers of the shoes, rising; `borders` (shoes + 1,): where the coups of each shoe begin
    - `edges` (coups, arrangements), and their means over the arrangements; NaN at a coup that cannot be priced
    - `spreads` (shoes, 3): for each shoe, the number of its edges, their mean, and the sum of the squares of their
      differences from it"""

    unseen: UnseenCards
    shoes: Ints
    borders: Ints
    edges: Floats
    means: Floats
    spreads: Floats

    def coups(self, shoes: Ints) -> list[slice]:
        """For each of some shoes, where its coups are in the arrays."""
        at = np.searchsorted(self.shoes, shoes)
        return list(map(slice, self.borders[at].tolist(), self.borders[at + 1].tolist()))

    def priced(self, coups: slice) -> Floats:
        """The edges at the coups of a shoe that can be priced. `coups` are all coups of the shoe."""
        return _priced(self.edges[coups], self.means[coups])


class KeptEdges:
    """The edges of some bets that need the same of the cards. `number` arrangements are drawn per shoe. Raises
    `InputError` if the temporary file cannot be written."""

    def __init__(
        self, arrangements: Arrangements, bets: Sequence[str], shoes: Sequence[int] | Ints, number: int
    ) -> None:
        self._bets, self._unseen = list(bets), arrangements.unseen
        self._shoes = np.asarray(shoes, np.int64)
        self._borders = np.append(0, np.cumsum(self._unseen.end[self._shoes] - self._unseen.start[self._shoes]))
        self._shape = int(self._borders[-1]), number + 1
        self._means = np.empty((len(bets), self._shape[0]))
        self._spreads = np.empty((len(bets), len(self._shoes), 3))
        self._first, self._alone = self._room(), Lock()
        self._others = TemporaryFile() if len(bets) > 1 else BytesIO()  # noqa: SIM115, closed by `close`

        def price(part: Ints) -> None:
            first = int(np.searchsorted(self._shoes, part[0]))
            for place, edges in enumerate(arrangements.edges_of(bets, part, number), first):
                for i in range(len(bets)):
                    self._keep(i, place, edges[:, :, i])

        for _ in in_threads(price, arrangements.parts(self._shoes, number, len(bets))):
            pass

    def of(self, bet: str) -> BetEdges:
        """The edges of one bet."""
        i, edges = self._bets.index(bet), self._first
        if i:
            edges = self._room()
            self._others.seek((i - 1) * edges.nbytes)
            self._others.readinto(edges.data)
        return BetEdges(self._unseen, self._shoes, self._borders, edges, self._means[i], self._spreads[i])

    def close(self) -> None:
        """Remove the temporary file."""
        self._others.close()

    def _room(self) -> Floats:
        """Room for a bet's edges: a memory map, whose pages go back to the system as soon as they are not needed."""
        size = self._shape[0] * self._shape[1]
        return np.frombuffer(mmap(-1, 8 * max(size, 1)), float)[:size].reshape(self._shape)

    def _keep(self, i: int, place: int, edges: Floats) -> None:
        """Keep the edges (arrangements, coups) of the i-th bet in a shoe."""
        first, end = self._borders[place : place + 2].tolist()
        means = self._means[i, first:end] = edges.mean(axis=0)
        by_coup = np.ascontiguousarray(edges.T)
        self._spreads[i, place] = _spread(_priced(by_coup, means))
        if i == 0:
            self._first[first:end] = by_coup
            return
        with self._alone:
            self._others.seek(((i - 1) * self._shape[0] + first) * self._first.strides[0])
            try:
                self._others.write(by_coup.data)
            except OSError as error:
                size = (len(self._bets) - 1) * self._first.nbytes
                raise InputError(
                    f"temporary folder {gettempdir()}: {error.strerror}, should have room for {size / 1e6:,.0f} MB, or "
                    "TMPDIR should name another folder"
                ) from None


def _priced(edges: Floats, means: Floats) -> Floats:
    """The edges (coups, arrangements) of a shoe's coups without those that cannot be priced."""
    known = ~np.isnan(means)
    return edges if known.all() else edges[known]


def _spread(edges: Floats) -> tuple[int, float, float]:
    """The number of a shoe's edges, their mean, and the sum of the squares of their differences from it."""
    if not edges.size:
        return 0, 0.0, 0.0
    mean = float(edges.mean())
    return edges.size, mean, float(((edges - mean) ** 2).sum())
