"""The shoes of a log in the order dealt, completed so that every order is equally likely if they were well shuffled.

A shoe is seen from its first card to its last, or to its first gap: a missing coup, a card that could not be read. How
many cards are seen depends on these cards, never on the cards that follow (a cut card, a gap and a dealer who closes
the table do not know them). So if all orders of a shoe are equally likely, all orders of its unseen cards are, and a
shoe that is completed by its unseen cards in random order is in each order with the same probability. This is exact,
for every place of the cut card and every drawing rule. What comes after a gap is not used: the number of cards in a
missing coup, and who drew after an unread card, tell something about the cards that are missing.

Burned cards that are logged come first, hidden ones as unseen cards. If they are not logged, the shoe begins with its
first logged card. Where the first card burned sets the number of burned cards, the last card dealt then tells a little
about that one card: no p-value of 3,000 simulated logs shows it (`experiments/shuffle`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.audit.coverage import Part
from counting.audit.unseen_cards import KIND
from counting.cards import DECK, RANKS, WIDTH, Knows, Shoe, coarser
from counting.logs import NO_CARD, TEN_OR_FACE, UNREAD, ZERO, Log, card_codes, shoe_numbers, shoe_starts

NEARLY_ALL = 0.99  # of the cards: known by suit, so that a card without one is a gap
LEAST_SHARE = 0.25  # of a shoe, in coups of five cards: a shoe with less than this seen before a gap is not used
_DEALT = (0, 3, 1, 4, 2, 5)  # places of a coup's cards in the order dealt: P1 B1 P2 B2 P3 B3
_FIRST_FOUR = 4
_TENS = slice(RANKS.index("10"), None)
_SURE = 40  # cards without a jack, a queen or a king in a log of tens: values, not ranks


class Surplus(NamedTuple):
    """A shoe that shows more of a card, rank or value than its decks have."""

    table: str
    shoe: str
    kind: int
    seen: int


@dataclass(frozen=True, eq=False)
class ShoeOrders:
    """Whole shoes in the order dealt.

    `cards` (shoes, cards of a shoe): the kinds of cards, 0 to 9, 12 or 51 by value, rank or card (`knows`); `known`
    (shoes, cards): the places that were seen. `follows` (shoes, 2): whether the shoe one row, and two rows, above is
    that shoe before at the same table. `shoes`: `table` and `shoe` of each row. `surplus`: shoes that cannot be of
    these decks, left out; `short`: the number of shoes left out as too little of them was seen before a gap; `after`:
    the number of cards left out as they come after a gap. `parts`: what could not be read.
    """

    decks: int
    knows: Knows
    cards: NDArray[np.uint8]
    known: Bools
    follows: NDArray[np.uint8]
    shoes: pl.DataFrame
    surplus: list[Surplus]
    short: int
    after: int
    parts: list[Part]

    @property
    def number(self) -> int:
        return len(self.cards)

    @cached_property
    def seen(self) -> Ints:
        """The number of cards seen in each shoe."""
        return np.asarray(self.known.sum(axis=1), np.int64)

    def name(self, row: int) -> str:
        table, shoe = self.shoes.row(row)
        return f"shoe {shoe} of table {table}"


def shoe_orders(log: Log, decks: int, seed: int) -> ShoeOrders:
    """The shoes of a log, of `decks` decks each. The random order of unseen cards depends on the seed and the number of
    the shoe in the log."""
    codes = card_codes(log.coups)[:, _DEALT]
    knows = known_by(codes)
    kind = KIND[knows]
    shoe = shoe_numbers(log.coups)
    start = shoe_starts(shoe)
    end = np.append(start[1:], len(shoe))
    gap = _gaps(log, codes, shoe, start, knows)
    full = np.array(coarser(Shoe.decks(decks).counts, knows))
    burns = log.coups["burn"][start].to_list()
    names = log.coups.select(pl.col("table", "shoe").cast(pl.String))[start]
    cards: list[NDArray[np.uint8]] = []
    known: list[Bools] = []
    kept: list[int] = []
    surplus: list[Surplus] = []
    short = after = 0
    for i in range(len(start)):
        read = codes[start[i] : gap[i]]
        after += int((codes[gap[i] : end[i]] >= 0).sum())
        if len(read) * 5 < LEAST_SHARE * full.sum():
            short += 1
            continue
        order = np.concatenate([np.array(burns[i] or [], np.int64), read[read != NO_CARD].astype(np.int64)])
        kinds = np.where(order >= 0, kind[order], WIDTH[knows])  # a hidden burned card has no kind
        too_many = np.bincount(kinds, minlength=WIDTH[knows] + 1)[:-1] - full
        if too_many.max() > 0 or len(kinds) > full.sum():
            table, name = names.row(i)
            surplus += [Surplus(table, name, int(k), int(full[k] + too_many[k])) for k in np.flatnonzero(too_many > 0)]
            continue
        filled, seen = completed(kinds, full, np.random.default_rng([seed, i]))
        cards.append(filled)
        known.append(seen)
        kept.append(i)
    size = int(full.sum())
    return ShoeOrders(
        decks,
        knows,
        np.array(cards, np.uint8).reshape(-1, size),
        np.array(known, bool).reshape(-1, size),
        _follows(kept, names),
        names[kept],
        surplus,
        short,
        after,
        _parts(log, codes, shoe, start, end),
    )


def known_by(codes: NDArray[np.int8]) -> Knows:
    """What nearly all cards of a log are known by. A log with tens and no jack, queen or king has values."""
    read = codes[codes >= 0].astype(np.int64)
    if (read == TEN_OR_FACE).any():
        return "value"
    if len(read) and (KIND["card"][read] < DECK).mean() >= NEARLY_ALL:
        return "card"
    by_rank = np.bincount(KIND["rank"][read], minlength=len(RANKS))[: len(RANKS)]
    tens = by_rank[_TENS]
    return "value" if by_rank.sum() >= _SURE and tens[0] and not tens[1:].any() else "rank"


def completed(kinds: Ints, full: Ints, random: np.random.Generator) -> tuple[NDArray[np.uint8], Bools]:
    """A shoe of these counts, `full`, that begins with these cards, and which of its places were seen.

    A kind beyond the last is a card that was not seen. Unseen cards are in random order.
    """
    order = np.full(int(full.sum()), len(full))
    order[: len(kinds)] = kinds
    known = order < len(full)
    left = full - np.bincount(order[known], minlength=len(full))
    order[~known] = random.permutation(np.repeat(np.arange(len(full)), left))
    return order.astype(np.uint8), known


def _gaps(log: Log, codes: NDArray[np.int8], shoe: Ints, start: Ints, knows: Knows) -> Ints:
    """The row of each shoe's first gap, or of its end."""
    rows = np.arange(len(shoe))
    bad = (codes == UNREAD).any(axis=1) | (codes[:, :_FIRST_FOUR] == NO_CARD).any(axis=1)
    bad |= log.coups["more"].is_not_null().to_numpy()
    bad |= log.coups["coup"].to_numpy() != rows - start[shoe] + 1
    bad |= log.coups["burn"].is_not_null().to_numpy() & (rows != start[shoe])  # before or after the coup?
    bad |= ((codes >= 0) & (KIND[knows][codes] >= WIDTH[knows])).any(axis=1)
    at = np.where(bad, rows, len(rows))
    end = np.append(start[1:], len(shoe))[: len(start)]
    first: Ints = np.minimum.reduceat(at, start) if len(start) else at
    return np.asarray(np.minimum(first, end), np.int64)


def _follows(kept: list[int], names: pl.DataFrame) -> NDArray[np.uint8]:
    follows = np.zeros((len(kept), 2), np.uint8)
    number, table = np.array(kept, np.int64), names["table"][kept].to_numpy()
    for lag in (1, 2):
        follows[lag:, lag - 1] = (number[lag:] - number[:-lag] == lag) & (table[lag:] == table[:-lag])
    return follows


def _parts(log: Log, codes: NDArray[np.int8], shoe: Ints, start: Ints, end: Ints) -> list[Part]:
    """The parts of the log that a verdict on the shuffling needs, as `coverage.parts` has them."""
    coups = log.coups.height
    missing = int(log.coups["coup"].to_numpy()[end[: len(start)] - 1].sum()) - coups
    lost = max(missing, log.skipped.get("coups", 0))
    lines = coups + log.skipped.get("coups", 0) + log.remarked("again", column="coup")
    return [
        Part("cards not read", int((codes == UNREAD).sum()), int((codes != NO_CARD).sum())),
        Part("coups not read or missing", lost, coups + lost),
        Part("lines that are not UTF-8", log.remarked("encoding"), lines, 0.0),
        Part("lines with a coup number of 0", log.remarked(ZERO), lines, 0.0),
    ]
