"""The unseen cards at the start of each coup of a log, the exact edges then, and winning and losing streaks.

Missing coups and unread cards stay unseen, as they are for a patron who did not see them.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.audit.hands import RANK_OF_CODE, VALUE_OF_CODE
from counting.cards import COUP, DECK, RANKS, WIDTH, Knows, Shoe, coarser
from counting.exact import needs, pricer
from counting.games import Game
from counting.logs import UNREAD, Log, card_codes, decks_by_shoe, shoe_numbers, shoe_starts

_CHUNK = 50_000  # coups priced at a time

# What a code of a card, 0 to 65, counts as; WIDTH for one whose rank or suit is needed and not known.
KIND: dict[Knows, Ints] = {
    "value": VALUE_OF_CODE,
    "rank": RANK_OF_CODE,
    "card": np.array([*range(DECK), *[DECK] * (len(RANKS) + 1)]),
}


class UnseenCards:
    """The unseen cards at the start of each coup of a log."""

    def __init__(self, log: Log, decks: int) -> None:
        coups = log.coups
        self.decks = decks
        self.shoe = shoe_numbers(coups)
        self.start: Ints = shoe_starts(self.shoe)
        self.decks_of = decks_by_shoe(coups, self.start, decks)
        codes = card_codes(coups)
        rows, places = np.nonzero(codes >= 0)
        more = coups.select(pl.int_range(pl.len()).alias("row"), "more").drop_nulls().explode("more")
        more = more.filter(pl.col("more") >= 0)
        self._rows = np.concatenate([rows, more["row"].to_numpy()]).astype(np.int64)
        self._codes = np.concatenate([codes[rows, places], more["more"].to_numpy()]).astype(np.int64)
        burned = coups.select(pl.int_range(pl.len()).alias("row"), "burn").drop_nulls().explode("burn")
        burned = burned.filter(pl.col("burn") >= 0)
        row, code = (burned[name].to_numpy().astype(np.int64) for name in burned.columns)
        first = self.start[self.shoe[row]] == row if len(row) else np.zeros(0, np.bool_)
        self._burned = self.shoe[row[first]], code[first]
        # What is burned before a later coup is gone after the one before.
        self._rows = np.append(self._rows, row[~first] - 1)
        self._codes = np.append(self._codes, code[~first])
        self.unread = int((codes == UNREAD).sum()) + int((coups["more"].explode() == UNREAD).sum())
        self.end: Ints = np.append(self.start[1:], len(self.shoe))[: len(self.start)]
        last = self.end - 1
        numbers = coups["coup"].to_numpy().astype(np.int64)
        self.missing = int(numbers[last].sum()) - len(self.shoe) if len(self.shoe) else 0

    def left(self, knows: Knows) -> NDArray[np.int32]:
        """Unseen cards (rows, 10, 13 or 52) at each coup's start; below 0 for cards that the shoe cannot have had."""
        width, kind = WIDTH[knows], KIND[knows]
        full = np.outer(self.decks_of, coarser(Shoe.decks(1).counts, knows))
        of_code, fits = kind[self._codes], kind[self._codes] < width
        dealt = np.bincount(self._rows[fits] * width + of_code[fits], minlength=len(self.shoe) * width)
        dealt = dealt.reshape(-1, width)
        before = np.cumsum(dealt, axis=0) - dealt
        shoe, code = self._burned
        fits = kind[code] < width
        burned = np.bincount(shoe[fits] * width + kind[code][fits], minlength=len(self.start) * width)
        first = before[self.start] - burned.reshape(-1, width)
        return np.asarray((full + first)[self.shoe] - before, np.int32)

    def priced(self, knows: Knows) -> NDArray[np.bool_]:
        """Where a bet that needs this can be priced (rows): the cards seen can be of this shoe, with their suits if
        need be, and enough are left."""
        left = self.left(knows)
        possible: NDArray[np.bool_] = (left >= 0).all(axis=1) & (left.sum(axis=1) >= COUP)
        return possible & self.known(knows)

    @cached_property
    def values(self) -> NDArray[np.int32]:
        return self.left("value")

    @cached_property
    def cards(self) -> Ints:
        """The number of unseen cards (rows)."""
        return np.asarray(self.values.sum(axis=1), np.int64)

    def known(self, knows: Knows) -> NDArray[np.bool_]:
        """Whether every card seen before the coup in its shoe is known well enough (rows)."""
        beyond = KIND[knows] == WIDTH[knows]
        without = np.bincount(self._rows, beyond[self._codes], len(self.shoe))
        before = without.cumsum() - without
        shoe, code = self._burned
        burned = np.bincount(shoe, beyond[code], len(self.start))
        known: NDArray[np.bool_] = before - before[self.start][self.shoe] + burned[self.shoe] == 0
        return known


def edges(unseen: UnseenCards, game: Game, bet: str) -> Floats:
    """The exact edge of a bet at each coup's start; not-a-number if the seen cards cannot be of this shoe, or
    their suits are needed and not known."""
    knows = needs(game.bet(bet))
    left = unseen.left(knows)
    edges_then = np.full(len(left), np.nan)
    price = pricer(game, (bet,))
    rows = np.flatnonzero(unseen.priced(knows))
    for at in range(0, len(rows), _CHUNK):
        some = rows[at : at + _CHUNK]
        edges_then[some] = price.edges(np.ascontiguousarray(left[some]))[:, 0]
    return edges_then
