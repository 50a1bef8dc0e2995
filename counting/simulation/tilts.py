"""Tilts: distributions of the composition of a given number of cards, which favour some compositions. This module also
draws compositions from them.

An exponential tilt of the multivariate hypergeometric distribution is in proportion to prod C(m_v, n_v) exp(t_v n_v).
It is the distribution of independent binomials given their sum, also called Fisher's noncentral multivariate
hypergeometric distribution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import comb, log
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s
from counting.simulation import _tilts

_CELLS = 1 << 12  # the most cells of a table of sums (see `_tilts.pyx`): the sums keep 40 bits after the point


class Tilt:
    """The counts of the kinds of cards as independent binomials, given that they add up to `cards_left`.

    - `full` (kinds,): the cards of each value, rank or card
    - `chances` (kinds,), above 0 and below 1: the chance that a card of the kind is unseen. Their log odds are the
      tilt, up to a constant. Equal chances make the multivariate hypergeometric distribution.
    - `curve`: each binomial is multiplied by exp(curve * (count - mean)^2), with the mean under equal chances. This
      makes counts more uneven than in a shuffled shoe, in any direction.
    - `binomials` (kinds, counts): the distributions of the counts, up to `cards_left`
    - `rest` (kinds + 1, cards): rest[v] has the chances that the kinds v and later have 0, 1 ... cards together"""

    def __init__(self, full: Int32s, chances: Floats, cards_left: int, curve: float = 0.0) -> None:
        self.full, self.chances, self.cards_left, self.curve = full, chances, cards_left, curve
        ways = _ways(tuple(full.tolist()))
        self.binomials = np.empty(ways.shape)
        _tilts.tables(full, ways, chances, self.binomials)
        self.binomials[:, cards_left + 1 :] = 0
        self._level = float(full @ np.log1p(-chances))
        if curve:
            for row, cards, mean in zip(self.binomials, full, full * (cards_left / full.sum()), strict=True):
                binomial = row[: min(cards, cards_left) + 1]
                curved = binomial * np.exp(curve * (np.arange(len(binomial)) - mean) ** 2)
                binomial[:] = curved / curved.sum()
                self._level -= log(curved.sum())
        self.rest = np.empty((len(full) + 1, cards_left + 1))
        _tilts.sums(full, self.binomials, self.rest)

    @property
    def logs(self) -> tuple[Floats, float]:
        """`lean` and `level`, from which a composition's log probability follows. Without a curve, the log probability
        is

            log(prod C(m_v, n_v)) + counts @ lean + level

        With a curve, `curve` times the sum of squared distances from the means is added."""
        out = np.log1p(-self.chances)
        return np.log(self.chances) - out, self._level - log(self.rest[0][self.cards_left])

    def draw(self, stream: np.random.Generator, size: int) -> Int32s:
        """Random compositions (size, kinds)."""
        return self._alone.draw(np.zeros(size, np.intp), stream)

    @cached_property
    def _alone(self) -> Tilts:
        return Tilts.of((self,), np.ones(1))


class Tilts(NamedTuple):
    """Tilts side by side, to draw compositions from. In a mixture, the plain distribution comes first.

    - `shares` (tilts,): the shares of the draws
    - `cards` (tilts,): the number of cards that each tilt draws
    - `binomials` (kinds, tilts, counts) and `rest` (kinds + 1, tilts, cards): as in `Tilt`; the first axis is the kind,
      because a draw goes through the kinds one after another"""

    shares: Floats
    cards: NDArray[np.int64]
    binomials: Floats
    rest: Floats

    @classmethod
    def of(cls, tilts: Sequence[Tilt], shares: Floats) -> Tilts:
        kinds, counts = len(tilts[0].full), int(tilts[0].full.max()) + 1
        cards = np.array([tilt.cards_left for tilt in tilts])
        binomials = np.zeros((kinds, len(tilts), counts))
        rest = np.zeros((kinds + 1, len(tilts), int(cards.max()) + 1))
        for i, tilt in enumerate(tilts):
            binomials[:, i], rest[:, i, : tilt.cards_left + 1] = tilt.binomials, tilt.rest
        return cls(shares, cards, binomials, rest)

    def spread(self, first: int, size: int, of: int, stream: np.random.Generator) -> NDArray[np.intp]:
        """The tilts of the draws `first`, `first + 1` ... out of `of` draws. Each tilt has its share of all draws, to
        within two draws.

        The shares are laid end to end and divided into `of` equal parts. Draw i is at a random point of part i. So a
        draw picked at random is a draw from the mixture."""
        up_to = self.shares.cumsum()
        at = (np.arange(first, first + size) + stream.random(size)) / of
        which = np.searchsorted(up_to, at * up_to[-1], side="right")
        return np.asarray(np.minimum(which, len(up_to) - 1))

    def draw(self, which: NDArray[np.intp], stream: np.random.Generator) -> Int32s:
        """A composition (rows, kinds) from each of these tilts. One count is drawn at a time, given the cards that are
        left."""
        kinds = len(self.binomials)
        drawn, left = np.empty((len(which), kinds), np.int32), self.cards[which]
        counts = np.empty(len(which), np.int32)
        for v in range(kinds - 1):
            chance = stream.random(len(which))
            _tilts.counts(which, left, chance, self.binomials[v], self.rest[v + 1], _CELLS, counts)
            drawn[:, v] = counts
            left = left - counts
        drawn[:, -1] = left
        return drawn


def even(full: Int32s, cards_left: int) -> Floats:
    """Equal chances (kinds,), which make the plain distribution."""
    cards = int(full.sum())
    return np.full(len(full), min(cards_left / cards, 1 - 0.5 / cards))


def chances_near(full: Int32s, compositions: NDArray[Any]) -> Floats:
    """The share of the cards of each kind that is unseen, kept away from 0 and 1 by a quarter of a card."""
    chances: Floats = np.clip(compositions, 0.25, full - 0.25) / full
    return chances


@lru_cache(maxsize=128)
def _ways(full: tuple[int, ...]) -> Floats:
    """The binomial coefficients (kinds, counts) of each kind's number of cards."""
    ways = np.array([[comb(cards, count) for count in range(max(full) + 1)] for cards in full], float)
    ways.flags.writeable = False
    return ways
