"""Samples of coups with exact edges of bets, from which the gain of any count is estimated.

Whole shoes are dealt, and every bet is priced at every coup. For each bet, some of the coups are kept at random. About
half of the kept coups have a positive edge; their chance to be kept is roughly in proportion to the edge. Among the
other coups, the coups that a count may mistake for positive ones have larger chances. They are coups with a small loss,
and coups whose number of unseen cards, or a linear score of them, often occurs with a positive edge. A kept coup is
weighted by the inverse of its chance, so that sums over the kept coups are unbiased estimates of sums over all coups.
If a bet rarely has a positive edge, all its positive coups are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s
from counting.cards import DECK, SUITS, WIDTH, Knows
from counting.exact import edges, required_detail
from counting.games import Game
from counting.simulation import Dealing, play

DECKS, DEALING = 8, "jacobson"
BLOCK = 5_000  # shoes priced in a block
ROWS = 200_000  # about this number of coups is kept for a bet
ROWS_OF = (ROWS / 2, 3 * ROWS / 8, ROWS / 8)  # numbers of kept coups: with a positive edge, close to it, any others

Counts = tuple[int, ...]  # tags of A, 2 ... 9, T; of A, 2 ... K; or of s, h, d, c; the smallest tag is 0
Kinds = Literal["value", "rank", "suit", "card"]  # the kinds of cards that a count tells apart

_UP = 1 - 1e-3  # to round up: fractions are 1/416 or more, and float32 errs by less than 1e-4
_SELDOM = 1e-3  # the least share of positive coups that is assumed, relative to the largest share


class Sample:
    """A sample of coups. `worth`: the edge of the bet times the weight of the coup.

    The load of a count is the sum of the tags of the unseen cards, per 52 unseen cards. If the start is chosen so that
    the running count ends at zero, the true count is minus the load. If a number is added to all tags, the load is only
    shifted; so the smallest tag may be 0. The counter bets if the load is at most minus the trigger.
    """

    def __init__(self, left: Int32s, worth: Floats) -> None:
        """`left`: the unseen cards (rows, kinds), by the kinds that counts tell apart. `worth`: (rows,)."""
        per_deck = left.T * (DECK / left.sum(axis=1))
        self.unseen = np.ascontiguousarray(per_deck, dtype=np.float32)  # (kinds, rows)
        self.worth = worth
        self.perfect = float(worth[worth > 0].sum())
        # Buffers: new arrays for every candidate would take most of the time.
        self._room = np.empty(len(worth), np.float32), np.empty(len(worth), np.intp)

    @property
    def kinds(self) -> int:
        return len(self.unseen)

    def equals(self, other: Sample) -> bool:
        """Whether two samples have the same coups and the same edges."""
        return np.array_equal(self.worth, other.worth) and np.array_equal(self.unseen, other.unseen)

    def load(self, tags: Counts) -> NDArray[np.float32]:
        """The load (rows,) of the count with these tags."""
        return np.array(tags, np.float32) @ self.unseen

    def best(self, load: NDArray[np.float32], moved: int = 0) -> tuple[float, int]:
        """The gain at the best whole trigger, as a share of a perfect counter's gain, and the largest load at which the
        counter then bets.

        `moved`: a number that is added to all tags.
        """
        up, place = self._room
        np.add(load, np.float32(DECK * moved + _UP), out=up)
        np.copyto(place, up, casting="unsafe")
        by_load = np.bincount(place, self.worth).cumsum()
        most = int(by_load.argmax())
        return float(by_load[most]) / self.perfect, most

    def gain(self, tags: Counts, most: int) -> float:
        """The gain, as a share of a perfect counter's gain, if the counter bets at loads of at most `most`."""
        return float(self._won(tags, most).sum()) / self.perfect

    def error(self, tags: Counts, most: int) -> float:
        """The standard error of `gain`, as if all coups were from different shoes."""
        return float(np.sqrt((self._won(tags, most) ** 2).sum())) / self.perfect

    def _won(self, tags: Counts, most: int) -> Floats:
        return self.worth[self.load(tags) + np.float32(_UP) < most + 1]


def counted(bet_knows: Knows) -> tuple[Kinds, ...]:
    """The kinds of cards that counts for a bet tell apart: values; ranks, if the bet depends on ranks; ranks or suits,
    if it depends on suits."""
    kinds: dict[Knows, tuple[Kinds, ...]] = {"value": ("value",), "rank": ("rank",), "card": ("rank", "suit")}
    return kinds[bet_knows]


def by_kind(left: Int32s, kinds: Kinds) -> Int32s:
    """The unseen cards by kind (rows, kinds), in the order of `Counts`. `left`: counts by card, rank or value."""
    if left.shape[1] == DECK and kinds != "card":
        left = left.reshape(len(left), -1, len(SUITS)).sum(axis=1 if kinds == "suit" else 2)
    return np.roll(left, -1, axis=1) if left.shape[1] == WIDTH["value"] else left


class _Keeper:
    """Computes for each coup the chance to be kept for a bet. The chances follow from the first block of shoes."""

    def __init__(self, shoes: int, first: Floats, cards_left: NDArray[np.int64], per_deck: NDArray[np.float32]) -> None:
        up = first > 0
        self.scale = float(first[up].mean()) if up.any() else max(float(-first.mean()), 1e-9)
        coups = np.bincount(cards_left, minlength=DECK * DECKS + 1)
        of_left = np.bincount(cards_left[up], minlength=len(coups)) / coups.clip(1)
        wide = np.convolve(of_left, np.ones(9) / 9, "same")
        self.by_left = np.sqrt(wide / (wide.max() or 1) + _SELDOM)
        self.slopes, self.ends, self.by_score = np.zeros(len(per_deck)), np.zeros(1), np.ones(2)
        if up.any():
            self._like_positive_ones(up, cards_left, per_deck)
        liking = self._likings(first, cards_left, per_deck).sum(axis=1)
        self.shares = np.array(ROWS_OF) / (liking.clip(1e-300) * shoes / BLOCK)

    def _like_positive_ones(
        self, up: NDArray[np.bool_], cards_left: NDArray[np.int64], per_deck: NDArray[np.float32]
    ) -> None:
        """Fit a linear score of the unseen cards that separates positive coups from others with similar numbers of
        unseen cards. Also find how often coups are positive, by this score."""
        weights = np.where(up, 1 / up.sum(), self.by_left[cards_left] ** 2 / (self.by_left[cards_left] ** 2).sum())
        some = np.flatnonzero(up | (weights > 0))
        root = np.sqrt(weights[some]).astype(np.float32)
        signs = np.where(up[some], 1.0, -1.0).astype(np.float32)
        self.slopes = np.linalg.lstsq((per_deck[:, some] * root).T, signs * root, rcond=None)[0]
        score = self.slopes.astype(np.float32) @ per_deck
        self.ends = np.unique(np.quantile(score[up], np.linspace(0, 1, 33)))
        place = np.searchsorted(self.ends, score)
        every, positive = (np.bincount(place[rows], minlength=len(self.ends) + 1) for rows in (slice(None), up))
        often = positive / every.clip(1)
        self.by_score = np.sqrt(often / (often.max() or 1) + _SELDOM)

    def _likings(self, priced: Floats, cards_left: NDArray[np.int64], per_deck: NDArray[np.float32]) -> Floats:
        """Three weights for the chance of each coup to be kept (3, coups): as a positive coup, as a coup close to
        positive, and as any other coup."""
        size, up = np.abs(priced) + 0.1 * self.scale, priced > 0
        close = np.exp(priced.clip(max=0) / (4 * self.scale)) * self.by_left[cards_left]
        close *= self.by_score[np.searchsorted(self.ends, self.slopes.astype(np.float32) @ per_deck)]
        return np.stack([size * up, size * close * ~up, size * ~up])

    def chances(self, priced: Floats, cards_left: NDArray[np.int64], per_deck: NDArray[np.float32]) -> Floats:
        chances: Floats = np.minimum(1, self.shares @ self._likings(priced, cards_left, per_deck))
        return chances


def samples(game: Game, bets: Sequence[str], shoes: int, seed: int, kinds: Kinds | None = None) -> Mapping[str, Sample]:
    """A sample for each bet, from the same shoes. The bets must need the same detail of cards (`required_detail`).
    `kinds`: the kinds of cards that counts tell apart, by default the first of `counted`."""
    game = game.only(bets)
    knows = required_detail(game.bet(bets[0]))
    rng, keepers = np.random.default_rng(seed), dict[str, _Keeper]()
    kept: dict[str, list[tuple[Int32s, Floats]]] = {bet: [] for bet in bets}
    for first in range(0, shoes, BLOCK):
        left = play(game.tableau, Dealing.named(DEALING, DECKS), seed, first, BLOCK, knows).left
        priced, cards_left = edges(game, left, list(bets)), left.sum(axis=1)
        drawn = rng.random(len(left))
        counts = by_kind(left, kinds or counted(knows)[0]).astype(np.int16)
        per_deck = (counts.T * (DECK / cards_left)).astype(np.float32)
        for bet, column in zip(bets, priced.T, strict=True):
            column = np.ascontiguousarray(column)
            if bet not in keepers:
                keepers[bet] = _Keeper(shoes, column, cards_left, per_deck)
            chances = keepers[bet].chances(column, cards_left, per_deck)
            keep = drawn < chances
            kept[bet].append((counts[keep], column[keep] / chances[keep]))
    return {bet: Sample(*map(np.concatenate, zip(*parts, strict=True))) for bet, parts in kept.items()}
