"""The unseen cards at the start of each coup of a log, and the exact edges for these cards.

The cards of missing coups, and unread cards, stay unseen, as for a patron who did not see them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import COUP, DECK, RANKS, WIDTH, Knows, Shoe, coarser
from counting.exact import required_detail, settlement
from counting.games import Game
from counting.logs import UNREAD, Log, card_codes, decks_by_shoe, missing_coups, shoe_numbers, shoe_starts
from counting.review.hands import RANK_OF_CODE, VALUE_OF_CODE
from counting.workers import in_threads

BLOCK = 16_000  # about the number of coups worked out at a time; shoes stay whole

# The kind of each card, indexed by its code, 0 to 65. It is WIDTH if this detail needs a rank or suit that is not
# known.
KIND: dict[Knows, Ints] = {
    "value": VALUE_OF_CODE,
    "rank": RANK_OF_CODE,
    "card": np.array([*range(DECK), *[DECK] * (len(RANKS) + 1)]),
}


class UnseenCards:
    """The unseen cards at the start of each coup of a log.

    A table of the unseen cards before every coup is large. So `left_in` gives these cards for some shoes only, and
    `blocks` gives slices of whole shoes."""

    def __init__(self, log: Log, decks: int) -> None:
        coups = log.coups
        self.decks = decks
        self.shoe = shoe_numbers(coups)
        self.start: Ints = shoe_starts(self.shoe)
        self.decks_of = decks_by_shoe(coups, self.start, decks)
        self.codes = card_codes(coups)
        more_rows, more_codes = listed(coups, "more")
        row, code = listed(coups, "burn")
        first = self.start[self.shoe[row]] == row if len(row) else np.zeros(0, np.bool_)
        self._burned = self.shoe[row[first]], code[first]
        # Cards may also be burned later in a shoe, between two coups. They count as leaving the shoe right after the
        # earlier coup.
        rows = np.append(more_rows, row[~first] - 1)
        order = np.argsort(rows, kind="stable")
        self.beyond = rows[order], np.append(more_codes, code[~first])[order]
        self.unread = int((self.codes == UNREAD).sum()) + int((coups["more"].explode() == UNREAD).sum())
        self.end: Ints = np.append(self.start[1:], len(self.shoe))[: len(self.start)]
        self.missing = missing_coups(coups, self.start)

    def blocks(self, size: int | None = None) -> Iterator[slice]:
        """Slices of the log's rows, each of whole shoes. A slice has at most `size` coups, or is a single shoe."""
        yield from (self.rows(first, last) for first, last in self.shoe_blocks(size))

    def shoe_blocks(self, size: int | None = None) -> Iterator[tuple[int, int]]:
        """The first shoe of each block, and the shoe after its last. A block has at most `size` coups, or is a single
        shoe."""
        first, size = 0, size or BLOCK
        while first < len(self.start):
            last = max(int(np.searchsorted(self.end, self.start[first] + size, "right")), first + 1)
            yield first, last
            first = last

    def rows(self, first: int, last: int) -> slice:
        """The rows of all coups in the shoes from `first` up to but not including `last`."""
        return slice(int(self.start[first]), int(self.end[last - 1]))

    def left(self, knows: Knows) -> NDArray[np.int32]:
        """The unseen cards at each coup's start (rows, kinds). Seen cards that are not known in this detail are not
        subtracted. If a number is below 0, the shoe cannot have had the seen cards."""
        cards_left = np.empty((len(self.shoe), WIDTH[knows]), np.int32)
        for rows in self.blocks():
            cards_left[rows] = self.left_in(rows, knows)
        return cards_left

    def left_in(self, rows: slice, knows: Knows) -> NDArray[np.int32]:
        """`left` for a slice of whole shoes."""
        width = WIDTH[knows]
        first, last = self._shoes(rows)
        shoe_row = self.shoe[rows] - first
        full = np.outer(self.decks_of[first:last], coarser(Shoe.decks(1).counts, knows))
        cards_left = full[shoe_row] - _before(self._dealt(rows, knows)[:, :width])
        burned = self._burned_in(first, last, knows)[:, :width]
        cards_left -= (cards_left[self.start[first:last] - rows.start] - full + burned)[shoe_row]
        return np.asarray(cards_left, np.int32)

    def full_of(self, shoes: Ints, knows: Knows) -> NDArray[np.int32]:
        """The unseen cards at the start of the first coup of each of these shoes (shoes, kinds). The shoes are in
        rising order."""
        width = WIDTH[knows]
        full = np.outer(self.decks_of[shoes], coarser(Shoe.decks(1).counts, knows)).astype(np.int32)
        shoe, code = self._burned
        within = slice(*np.searchsorted(shoe, [shoes[0], shoes[-1] + 1]))
        shoe_row, kind = np.searchsorted(shoes, shoe[within]), KIND[knows][code[within]]
        counted = (shoes[shoe_row] == shoe[within]) & (kind < width)
        np.subtract.at(full, (shoe_row[counted], kind[counted]), 1)
        return full

    def known_in(self, rows: slice, knows: Knows) -> NDArray[np.bool_]:
        """Whether every card of the shoe that was seen before the coup is known in this detail (rows,)."""
        first, last = self._shoes(rows)
        shoe_row = self.shoe[rows] - first
        before = _before(self._dealt(rows, knows)[:, WIDTH[knows]])
        unknown = before - before[self.start[first:last] - rows.start][shoe_row]
        known: NDArray[np.bool_] = unknown + self._burned_in(first, last, knows)[shoe_row, WIDTH[knows]] == 0
        return known

    def priced_in(self, rows: slice, knows: Knows, left: NDArray[np.int32] | None = None) -> NDArray[np.bool_]:
        """Whether a bet that needs this detail can be priced at the coup (rows,).

        It can be priced if no number in `left` is below 0, the seen cards are known in this detail, and enough cards
        are left. `left` is the result of `left_in`, if the caller already has it."""
        left = self.left_in(rows, knows) if left is None else left
        possible: NDArray[np.bool_] = (left >= 0).all(axis=1) & (left.sum(axis=1) >= COUP)
        return possible & self.known_in(rows, knows)

    def priced(self, knows: Knows) -> NDArray[np.bool_]:
        """`priced_in` for every coup."""
        return np.concatenate([np.zeros(0, np.bool_), *(self.priced_in(rows, knows) for rows in self.blocks())])

    @cached_property
    def values(self) -> NDArray[np.int32]:
        return self.left("value")

    @cached_property
    def cards(self) -> NDArray[np.int32]:
        """The number of unseen cards at each coup's start (rows,)."""
        number = np.empty(len(self.shoe), np.int32)
        for rows in self.blocks():
            number[rows] = self.left_in(rows, "value").sum(axis=1)
        return number

    def _shoes(self, rows: slice) -> tuple[int, int]:
        return int(self.shoe[rows.start]), int(self.shoe[rows.stop - 1]) + 1

    def _dealt(self, rows: slice, knows: Knows) -> NDArray[np.int32]:
        """How many cards of each kind leave the shoe in each coup (rows, kinds + 2).

        The second-to-last column has the cards that are not known in this detail. The last column has unread cards and
        places without a card."""
        columns = WIDTH[knows] + 1
        kinds = _KIND_OF[knows][self.codes[rows] + 2]
        dealt = np.zeros((len(kinds), columns + 1), np.int32)
        every = np.arange(len(kinds))
        for kind in kinds.T:
            dealt[every, kind] += 1
        row, code = self.beyond
        within = slice(*np.searchsorted(row, [rows.start, rows.stop]))
        np.add.at(dealt, (row[within] - rows.start, KIND[knows][code[within]]), 1)
        return dealt

    def _burned_in(self, first: int, last: int, knows: Knows) -> Ints:
        """How many cards of each kind were burned before the first coup of each of these shoes (shoes, kinds + 1). The
        last column has the cards that are not known in this detail."""
        columns = WIDTH[knows] + 1
        shoe, code = self._burned
        within = slice(*np.searchsorted(shoe, [first, last]))
        cells = (shoe[within] - first) * columns + KIND[knows][code[within]]
        return np.bincount(cells, minlength=(last - first) * columns).reshape(-1, columns)


# Indexed by code + 2. Unread cards and places without a card share the last column.
_KIND_OF: dict[Knows, Ints] = {knows: np.array([width + 1, width + 1, *KIND[knows]]) for knows, width in WIDTH.items()}


def listed(coups: pl.DataFrame, name: str) -> tuple[Ints, Ints]:
    """The cards in a column of lists: their rows and their codes. Unread cards are left out."""
    lists = coups[name]
    rows = np.flatnonzero(lists.is_not_null().to_numpy())
    listed = pl.DataFrame({"row": pl.Series(rows), "code": lists.filter(lists.is_not_null())}).explode("code")
    listed = listed.filter(pl.col("code") >= 0)
    return listed["row"].to_numpy().astype(np.int64), listed["code"].to_numpy().astype(np.int64)


def _before(dealt: NDArray[np.int32]) -> NDArray[np.int32]:
    before: NDArray[np.int32] = np.cumsum(dealt, axis=0, dtype=np.int32) - dealt
    return before


def unseen_edges(unseen: UnseenCards, game: Game, bet: str) -> Floats:
    """The exact edge of a bet at each coup's start; NaN if the bet cannot be priced there (`UnseenCards.priced_in`)."""
    knows = required_detail(game.bet(bet))
    price = settlement(game, (bet,))
    edges_then = np.full(len(unseen.shoe), np.nan)

    def fill(rows: slice) -> None:
        cards_left = unseen.left_in(rows, knows)
        possible = np.flatnonzero(unseen.priced_in(rows, knows, cards_left))
        if len(possible):
            edges_then[rows][possible] = price.edges(np.ascontiguousarray(cards_left[possible]))[:, 0]

    for _ in in_threads(fill, unseen.blocks()):
        pass
    return edges_then
