"""The counts of results in shoes that are dealt by the rules: what the tests compare a log with.

The coups of a shoe are exchangeable, because its cards are in random order. Any m coups that the shoe is sure to have
show each result with the same chance as its first m coups. So the counts in m logged coups of a shoe are compared with
the first m coups of a dealt shoe. It does not matter where in the shoe the logged coups were, or which are missing. If
a dealt shoe has fewer than m coups, the first coups of the next dealt shoe are added.

The shoes of a log end at a cut card, which comes after fewer coups if the coups have many cards. So the number of coups
depends on the cards. But every coup that begins has nearly the same chances. So the differences between counts and
their exact means still average very nearly 0. The variance of a difference is the variance for a fixed number of coups
(Wald's identities), apart from the effect of the shoe's memory."""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.games import Tableau
from counting.review.chances import full_shoe
from counting.review.winners.features import Feature
from counting.simulation import Dealing, play

SHOES = 20_000  # the number of dealt shoes; they are dealt to their last cards
_CELLS = 1 << 21  # the most shoes times draws that are worked out at a time


@lru_cache(maxsize=4)
def dealt_shoes(tableau: Tableau, decks: int, seed: int) -> DealtShoes:
    """The dealt shoes for a tableau, a number of decks and a seed. The last four results are kept for further calls."""
    return DealtShoes(tableau, decks, seed)


class DealtShoes:
    """Shoes dealt by a tableau from a number of decks, as one stream of coups."""

    def __init__(self, tableau: Tableau, decks: int, seed: int) -> None:
        self.tableau, self.decks, self.seed = tableau, decks, seed
        self._streams: dict[Feature, tuple[Ints, Ints]] = {}
        self._chances: dict[Feature, Floats] = {}
        self._moments: dict[tuple[Feature, int], tuple[Floats, Floats]] = {}

    @cached_property
    def _dealt(self) -> tuple[Ints, NDArray[np.uint8]]:
        coups = play(self.tableau, Dealing(self.decks, 0), self.seed, 0, SHOES)
        return np.flatnonzero(np.diff(coups.shoe.astype(np.int64), prepend=-1)), coups.shown

    def chances(self, feature: Feature) -> Floats:
        """The exact chance of each category."""
        if feature not in self._chances:
            self._chances[feature] = feature.chances(self.tableau, full_shoe(self.decks))
        return self._chances[feature]

    def _stream(self, feature: Feature) -> tuple[Ints, Ints]:
        """The stream of the dealt coups that have the feature, in two arrays.

        The first array has the places in the stream at which shoes begin. The second (coups + 1, categories - 1)
        counts, for each category but the last, how often it came before each coup of the stream."""
        if feature not in self._streams:
            starts, shown = self._dealt
            codes = feature.dealt(shown)
            has = codes >= 0
            came = codes[has, np.newaxis] == np.arange(len(feature.categories) - 1)
            sums = np.vstack([np.zeros_like(came[:1], np.int32), came.cumsum(axis=0, dtype=np.int32)])
            self._streams[feature] = np.append(0, has.cumsum())[starts], sums
        return self._streams[feature]

    def _starts(self, feature: Feature, most: int) -> Ints:
        """The places in the stream at which a shoe begins and from which at least `most` coups of the stream are
        left."""
        starts, sums = self._stream(feature)
        return starts[: np.searchsorted(starts, len(sums) - 1 - most, side="right")]

    def moments(self, feature: Feature, coups: int) -> tuple[Floats, Floats]:
        """The mean and the covariance of the counts in the first `coups` coups of a shoe."""
        key = feature, coups
        if key not in self._moments:
            (_, sums), starts = self._stream(feature), self._starts(feature, coups)
            counts = sums[starts + coups] - sums[starts]
            self._moments[key] = counts.mean(axis=0), np.atleast_2d(np.cov(counts.T))
        return self._moments[key]

    def drawn(self, feature: Feature, coups: Ints, draws: int, rng: np.random.Generator) -> Floats:
        """Random counts less their means (draws, categories - 1). A draw adds up the counts in the first coups of
        random dealt shoes: one shoe for each of the numbers in `coups`."""
        (_, sums), starts = self._stream(feature), self._starts(feature, int(coups.max()))
        total = np.zeros((draws, sums.shape[1]))
        for first in range(0, len(coups), max(1, _CELLS // draws)):
            some = coups[first : first + max(1, _CELLS // draws)]
            begin = starts[rng.integers(len(starts), size=(draws, len(some)))]
            total += (sums[begin + some] - sums[begin]).sum(axis=1)
        numbers, often = np.unique(coups, return_counts=True)
        return np.asarray(total - often @ np.array([self.moments(feature, number)[0] for number in numbers.tolist()]))
