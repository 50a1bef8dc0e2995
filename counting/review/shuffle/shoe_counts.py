"""Counts for tests of the order of shoes. They are taken from the shoes of a log, and from the same number of
well-shuffled shoes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Ints
from counting.cards import DECK, SUITS, WIDTH, Knows, Shoe, coarser
from counting.review import _shoe_counts
from counting.review.unseen_cards import KIND
from counting.workers import in_order, pool, threads

FIRST = 10  # the number of first places of a shoe that are counted one by one
QUARTERS = 4
_STREAM = 2**62  # the first random stream of the draws; lower streams are for dealt shoes
_MOST_ROWS = 100
_CHUNK = 20_000  # the most shoes that the kernel takes at a time, unless one draw has more


class CountLayout(NamedTuple):
    """The layout of a row of counts: whether cards are known by value, rank or card, and the decks of a shoe.

    The counts are in this order:

    - ranks (or values) by quarter
    - ranks at each of the first places
    - for each rank, the square of its number in a quarter, added up over quarters and shoes
    - cards among the last cards, for each number of last cards in `tails`
    - how often each rank follows each rank
    - turns from rising to falling ranks and back
    - neighbours of one suit"""

    knows: Knows
    decks: int

    @property
    def cards(self) -> int:
        return DECK * self.decks

    @property
    def full(self) -> Ints:
        """How many cards of each kind a shoe has."""
        return np.array(coarser(Shoe.decks(self.decks).counts, self.knows))

    @property
    def by_rank(self) -> Ints:
        """How many cards of each rank, or of each value, a shoe has."""
        return np.array(coarser(Shoe.decks(self.decks).counts, "value" if self.knows == "value" else "rank"))

    @property
    def rank(self) -> NDArray[np.uint8]:
        """The rank, or value, of each kind of card."""
        return np.arange(WIDTH[self.knows], dtype=np.uint8) // np.uint8(len(SUITS) if self.knows == "card" else 1)

    @property
    def new(self) -> NDArray[np.uint8]:
        """The kinds of the cards of new decks, in order: suit after suit, from ace to king."""
        deck = np.arange(DECK).reshape(-1, len(SUITS)).T.ravel()
        return np.tile(KIND[self.knows][deck].astype(np.uint8), self.decks)

    @property
    def tails(self) -> NDArray[np.int32]:
        """How many of the last cards of a shoe are looked at: four numbers, from a thirty-second to a quarter of the
        shoe. Each kind of card is counted among each of these numbers of last cards."""
        return np.unique([max(1, self.cards // part) for part in (32, 16, 8, 4)]).astype(np.int32)

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        ranks, kinds = len(self.by_rank), len(self.full)
        return {
            "quarters": (QUARTERS, ranks),
            "first": (FIRST, ranks),
            "squares": (ranks,),
            "tails": (len(self.tails), kinds),
            "pairs": (ranks, ranks),
            "turns": (),
            "suits": (),
        }

    @property
    def width(self) -> int:
        return sum(int(np.prod(shape)) for shape in self.shapes.values())

    def read(self, rows: Ints) -> dict[str, Ints]:
        """Rows of counts (rows, width) as arrays by name, each (rows, ...)."""
        tables, at = {}, 0
        for name, shape in self.shapes.items():
            size = int(np.prod(shape))
            tables[name] = rows[:, at : at + size].reshape(-1, *shape)
            at += size
        return tables


def count_shoes(layout: CountLayout, shoes: NDArray[np.uint8]) -> Ints:
    """The counts (width,) of these shoes (shoes, cards)."""
    out = np.zeros(layout.width, np.int64)
    _shoe_counts.counts(np.ascontiguousarray(shoes), *_arguments(layout), out)
    return out


def draw_counts(layout: CountLayout, shoes: int, draws: int, seed: int, workers: int | None = None) -> Iterator[Ints]:
    """The counts (rows, width) of `draws` draws, in parts. Each draw shuffles `shoes` shoes.

    A draw depends only on the seed and its number."""
    rows = max(1, min(_MOST_ROWS, _CHUNK // max(1, shoes)))

    def chunk(first: int) -> Ints:
        out = np.zeros((min(rows, draws - first), layout.width), np.int64)
        _shoe_counts.drawn(seed, _STREAM + first, layout.new, shoes, *_arguments(layout), out)
        return out

    number = threads(workers)
    with pool(None, number) as executor:
        yield from in_order(executor, chunk, range(0, draws, rows))


def _arguments(layout: CountLayout) -> tuple[NDArray[np.uint8], int, int, bool, NDArray[np.int32]]:
    return layout.rank, len(layout.by_rank), FIRST, layout.knows == "card", layout.tails
