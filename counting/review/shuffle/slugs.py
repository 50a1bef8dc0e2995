"""Stretches of a shoe that repeat coups of an earlier shoe, or of the shoe itself, in any order within each coup.

A slug that was not shuffled comes out of the shoe coup after coup, forwards or backwards. Within a coup, the cards may
be in any order.

The p-value of a shoe is a union bound. It bounds the expected number of stretches in a shuffled shoe that are at least
as unlikely as the least likely stretch of this shoe. The bound is divided by a share of the level (`_SHARES`).
`_chains.pyx` works out the chance of each stretch. If a stretch repeats coups of the same shoe, its chance is the
chance given all cards before the stretch. A chain is a series of coups that a stretch may repeat, forwards or
backwards. In a shoe of N cards, at most N^2 chains of its own coups can begin, counted over all places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.cards import DECK, RANKS, SUITS, VALUE_OF_RANK, WIDTH, Knows, Shoe, coarser
from counting.review import _chains
from counting.review.shuffle.shoe_orders import Pile

FORMER = 3  # a shoe is searched for the coups of this number of earlier shoes at its table
_HIDDEN = 255
_CERTAIN = 1e-6  # more than the rounding error of sums of logarithms
# Shares of a shoe's level. A key says whether cards are compared by card, rank or value, and whether the shoe's own
# coups are searched. Comparing by rank or value also finds slugs whose suits or ranks were changed.
_SHARES: Mapping[Knows, Mapping[tuple[Knows, bool], float]] = {
    "card": {
        ("card", False): 0.6, ("rank", False): 0.1, ("value", False): 0.1,
        ("card", True): 0.1, ("rank", True): 0.05, ("value", True): 0.05,
    },
    "rank": {("rank", False): 0.6, ("value", False): 0.2, ("rank", True): 0.1, ("value", True): 0.1},
    "value": {("value", False): 0.8, ("value", True): 0.2},
}  # fmt: skip


class Slug(NamedTuple):
    """The least likely stretch of a shoe.

    - `place` and `cards`: its first place, from 0, and the number of its cards
    - `former`: the shoe that it repeats: 0 for the shoe before, 1 for the second shoe before, and so on; None for the
      shoe itself
    - `first_coup` and `last_coup`: the rows of the coups at which the repetition begins and ends
    - `knows`: whether cards are compared by card, rank or value
    - `p`: the p-value of the shoe over all stretches"""

    place: int
    cards: int
    former: int | None
    first_coup: int
    last_coup: int
    knows: Knows
    p: float

    @property
    def backwards(self) -> bool:
        return self.last_coup < self.first_coup


class _PiledCoups(NamedTuple):
    """The coups of several piles, one pile after another.

    - `cards` (coups, 6) and `sizes` (coups,)
    - `links` (coups, 2): the coup dealt next and the coup dealt before, -1 for none
    - `pile` and `row`: the pile of each coup, and the coup's row in this pile
    - `ended`: the place after the coup's last card"""

    cards: NDArray[np.uint8]
    sizes: Int32s
    links: Int32s
    pile: Ints
    row: Ints
    ended: Int32s


def slug(
    shoe: NDArray[np.uint8], known: NDArray[np.bool_], own: Pile, former: Sequence[Pile], decks: int, knows: Knows
) -> Slug | None:
    """The least likely stretch of a shoe (places,) that repeats coups. None if there is no such stretch.

    `known` (places,): whether each place was seen. `own`: the shoe's coups. `former`: the coups of the shoes before,
    the latest shoe first."""
    best: Slug | None = None
    for (level, inside), share in _SHARES[knows].items():
        piles = [own] if inside else former[:FORMER]
        coarse = _coarser(knows, level)
        coups = _together(piles, coarse)
        if not len(coups.sizes):
            continue
        cards = np.where(known, coarse[shoe], _HIDDEN).astype(np.uint8)
        full = np.zeros(DECK, np.int32)
        full[: WIDTH[level]] = coarser(Shoe.decks(decks).counts, level)
        falling = _falling(len(shoe))
        logs = np.zeros((len(coups.sizes), 7))
        _chains.sequences(coups.cards, coups.sizes, full, logs)
        where = np.zeros(5, np.int32)
        least = _chains.least(
            cards, coups.cards, coups.sizes, coups.links, coups.ended, full, logs, falling, inside, where
        )
        if least == 0:
            continue
        if inside:
            expected = exp(min(0.0, least + 2 * log(len(shoe))))
        else:
            expected = _chains.expected(least + _CERTAIN, coups.sizes, coups.links, logs, falling)
        p = min(1.0, expected / share)
        if best is None or p < best.p:
            place, first, way, begun, length = where.tolist()
            best = Slug(place, length, None if inside else int(coups.pile[first]), int(coups.row[first]),
                        int(coups.row[_last(coups, first, way, begun, length)]), level, p)  # fmt: skip
    return best


def _last(coups: _PiledCoups, first: int, way: int, begun: int, length: int) -> int:
    """The last coup of a chain."""
    at, left = first, length - begun
    while left > 0:
        at = int(coups.links[at, way])
        left -= int(coups.sizes[at])
    return at


def _together(piles: Sequence[Pile], coarse: Ints) -> _PiledCoups:
    parts = []
    offset = 0
    for number, pile in enumerate(piles):
        cards = np.where(pile.coups >= 0, coarse[pile.coups], _HIDDEN)
        cards = np.take_along_axis(cards, np.argsort(pile.coups < 0, axis=1, kind="stable"), axis=1)
        row = np.arange(len(cards))
        following = np.where(pile.linked, row + 1 + offset, -1)
        before = np.append(-1, following[:-1])
        before = np.where(before >= 0, row - 1 + offset, -1)
        links = np.column_stack([following, before])
        parts.append((cards, pile.sizes, links, np.full(len(cards), number), row, pile.first + pile.sizes))
        offset += len(cards)
    if not parts:
        empty = np.zeros(0, np.int64)
        return _PiledCoups(np.zeros((0, 6), np.uint8), empty.astype(np.int32), np.zeros((0, 2), np.int32), empty, empty,
                      empty.astype(np.int32))  # fmt: skip
    every, sizes, every_link, piles_of, rows, ended = (np.concatenate(of) for of in zip(*parts, strict=True))
    return _PiledCoups(
        np.ascontiguousarray(every, np.uint8), sizes.astype(np.int32), np.ascontiguousarray(every_link, np.int32),
        piles_of, rows, ended.astype(np.int32),
    )  # fmt: skip


def _coarser(knows: Knows, to: Knows) -> Ints:
    """For each kind in the detail `knows`, its kind in the coarser detail `to`. One more kind, at the end, is for
    unseen places."""
    ranks = {"card": np.arange(DECK) // len(SUITS), "rank": np.arange(len(RANKS)), "value": np.arange(10)}[knows]
    kinds = np.arange(WIDTH[knows])
    if to != knows:
        kinds = np.array(VALUE_OF_RANK)[ranks] if to == "value" else ranks
    return np.append(kinds, 0).astype(np.int64)


def _falling(cards: int) -> Floats:
    """The logarithms of the falling factorials (N)_L, for L from 0 to N. N is `cards`."""
    return np.concatenate([[0.0], np.cumsum(np.log(np.arange(cards, 0, -1)))])
