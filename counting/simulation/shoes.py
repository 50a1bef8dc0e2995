"""Dealt shoes: a row for each coup, with the composition before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from counting.cards import DECK, MOST_DECKS, SUITS, VALUE_OF_RANK, WIDTH, Knows, refuse_unknown
from counting.errors import InputError, instance, whole
from counting.exact import SHOWN, cards_of, counts_by_value, tableau_arrays
from counting.games import Tableau
from counting.simulation import _deal
from counting.simulation.dealing import MOST_SEED, Dealing

BLOCK = 50_000  # the most shoes of one call of the kernel


_MOST_SHOE = 2**63 - 1 - BLOCK  # the largest number of a first shoe


_MOST_DRAWN = 10**9  # the most coups of one call, each from a full deck


PIECE = 200  # shoes whose coups stay in a processor's cache; smaller pieces take longer, because each call has a cost


_FIRST_CARD = -1  # tells the kernel that the first card's value is the number burned
# The value, rank or card of each of the 52 cards.
_KIND: dict[Knows, NDArray[np.uint8]] = {
    "value": np.repeat(np.array(VALUE_OF_RANK, np.uint8), len(SUITS)),
    "rank": np.repeat(np.arange(WIDTH["rank"], dtype=np.uint8), len(SUITS)),
    "card": np.arange(DECK, dtype=np.uint8),
}


_SHUFFLED = np.empty((0, 1), np.uint8)  # without orders, the kernel shuffles


@dataclass(frozen=True, eq=False)
class Coups:
    """Coups in the order dealt, a row each.

    - `left` (rows, 10, 13 or 52): unseen cards of each value, rank or card at the coup's start, including cards burned
      face down
    - `shown` (rows, 11): what the coup showed, in the columns below
    - `undealt`: cards still in the shoe
    - `last_cut`: the most cards behind the cut card at which the coup is still dealt
    - `shoe` and `coup`: the shoe's number is `first_shoe + shoe`; `coup` counts from 1

    The columns of `shown`:

    - two columns: Player's total and Banker's total
    - two columns: Player's number of cards and Banker's
    - the code of what the first two cards of both hands show (see `coup.First`)
    - six columns: six cards from the coup's first card on, 0 to 51, whether or not the coup uses them all"""

    first_shoe: int
    shoe: NDArray[np.uint16]
    coup: NDArray[np.uint16]
    undealt: NDArray[np.uint16]
    last_cut: NDArray[np.uint16]
    left: NDArray[np.int32]
    shown: NDArray[np.uint8]

    @property
    def knows(self) -> Knows:
        return next(kind for kind, width in WIDTH.items() if width == self.left.shape[1])

    @cached_property
    def values(self) -> NDArray[np.int32]:
        """Unseen cards of each value (rows, 10)."""
        return counts_by_value(self.left)

    @cached_property
    def cards_left(self) -> NDArray[np.int64]:
        """The number of unseen cards (rows,)."""
        return cards_of(self.left)

    def noticed(self, missed: float, observer: int = 0) -> NDArray[np.int32]:
        """The unseen cards (rows, 10, 13 or 52) as counted by an observer who misses the share `missed` of the cards
        dealt.

        Cards are missed at random. Whether a card is missed depends on the shoe, the coup and the number of the
        `observer` (below 2^63). It also depends on the card's place among the coup's cards, sorted by kind. A card
        missed at one share is missed at every larger share."""
        same = np.append(self.shoe[1:] == self.shoe[:-1], False)
        dealt = np.where(same[:, np.newaxis], self.left - np.roll(self.left, -1, axis=0), 0)
        cell = np.repeat(np.arange(dealt.size), dealt.reshape(-1))
        row = cell // dealt.shape[1]
        place = np.arange(len(cell)) - np.searchsorted(row, row)
        number = (self.first_shoe + self.shoe[row].astype(np.uint64) << np.uint64(16)) + self.coup[row] * np.uint64(8)
        unseen = cell[_uniform(number + place.astype(np.uint64) ^ np.uint64(observer)) < missed]
        lost = np.bincount(unseen, minlength=dealt.size).reshape(dealt.shape).cumsum(axis=0)
        before = np.vstack([np.zeros_like(lost[:1]), lost[:-1]])
        first = np.searchsorted(self.shoe, self.shoe)
        return np.asarray(self.left + before - before[first], np.int32)

    def pieces(self, shoes: int = PIECE) -> Iterator[Coups]:
        """The coups in pieces of `shoes` whole shoes."""
        starts = np.flatnonzero(np.diff(self.shoe, prepend=np.uint16(0))).tolist()
        for start, end in pairwise([0, *starts[shoes - 1 :: shoes], len(self.shoe)]):
            yield self.only(slice(start, end))

    def only(self, rows: NDArray[np.bool_] | slice) -> Coups:
        return Coups(
            self.first_shoe,
            self.shoe[rows],
            self.coup[rows],
            self.undealt[rows],
            self.last_cut[rows],
            self.left[rows],
            self.shown[rows],
        )


def _uniform(number: NDArray[np.uint64]) -> NDArray[np.float64]:
    """A pseudorandom number from 0 to 1 for each of these numbers, made by SplitMix64's finalizer (Steele, Lea and
    Flood 2014)."""
    x = number * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ (x >> np.uint64(shift))) * np.uint64(factor)
    return (x ^ (x >> np.uint64(31))).astype(np.float64) / 2.0**64


def play(tableau: Tableau, dealing: Dealing, seed: int, first_shoe: int, shoes: int, knows: Knows = "value") -> Coups:
    """Play the shoes `first_shoe`, `first_shoe + 1` ... until the cut card ends each.

    `knows` is how the unseen cards are counted. It does not change the cards dealt."""
    refuse_unknown(knows)
    instance(dealing, Dealing, "dealing", "Dealing(cut=14) or Dealing.named('jacobson')")
    seed, first_shoe = whole(seed, "seed", 0, MOST_SEED), whole(first_shoe, "first shoe", 0, _MOST_SHOE)
    return _play(tableau, dealing, seed, first_shoe, whole(shoes, "shoes", 0, BLOCK), _SHUFFLED, knows)


def play_orders(
    tableau: Tableau, dealing: Dealing, orders: NDArray[np.uint8], first_shoe: int = 0, knows: Knows = "value"
) -> Coups:
    """Play shoes of these `orders` until the cut card ends each. Orders are (shoes, cards), with cards 0 to 51 in the
    order dealt.

    Raises `InputError` for orders of another number of cards, for orders of more than 50,000 shoes, and for cards
    beyond 51."""
    refuse_unknown(knows)
    orders = np.asarray(orders)
    if orders.ndim != 2 or orders.shape[1] != DECK * dealing.decks:
        raise InputError(f"orders: shape {orders.shape}, should be (shoes, {DECK * dealing.decks})")
    whole(len(orders), "shoes", 0, BLOCK)
    first_shoe = whole(first_shoe, "first shoe", 0, _MOST_SHOE)
    cards = np.ascontiguousarray(orders, np.uint8)
    if (cards >= DECK).any() or (cards != orders).any():
        raise InputError(f"orders: should be of cards from 0 to {DECK - 1}")
    return _play(tableau, dealing, 0, first_shoe, len(cards), cards, knows)


def kinds_of(cards: NDArray[np.uint8], knows: Knows) -> NDArray[np.uint8]:
    """The value, rank or card of each of these cards (0 to 51)."""
    return _KIND[knows][cards]


def arranged(
    seed: int, first_shoe: int, last: NDArray[np.int32], decks: int = 8, knows: Knows = "value"
) -> NDArray[np.uint8]:
    """Random shoes (shoes, cards) in the order dealt, with given last cards.

    `last` (shoes, 10, 13 or 52) counts the last cards of each shoe by value, rank or card. All orders with these counts
    are equally likely. The orders depend only on the seed, the shoe, the decks and the counts. Raises `InputError` for
    counts beyond the full shoe's."""
    refuse_unknown(knows)
    decks = whole(decks, "decks", 1, MOST_DECKS)
    seed, first_shoe = whole(seed, "seed", 0, MOST_SEED), whole(first_shoe, "first shoe", 0, _MOST_SHOE)
    kind = np.tile(_KIND[knows], decks)
    last = np.asarray(last)
    whole(last.ndim, "dimensions of the last cards' counts", 2, 2)
    out = np.empty((whole(len(last), "shoes", 0, BLOCK), DECK * decks), np.uint8)
    deck = np.argsort(kind, kind="stable") % DECK
    full = np.bincount(kind, minlength=WIDTH[knows])
    if last.shape[1:] != full.shape or (last < 0).any() or (last > full).any():
        raise InputError(f"last: should be counts (shoes, {len(full)}) by {knows}, within {decks} decks")
    _deal.arrange(
        seed, first_shoe, deck.astype(np.uint8), full.astype(np.int32), np.ascontiguousarray(last, np.int32), out
    )
    return out


def _play(
    tableau: Tableau, dealing: Dealing, seed: int, first_shoe: int, shoes: int, orders: NDArray[np.uint8], knows: Knows
) -> Coups:
    most = shoes * dealing.most_coups
    left = np.empty((most, WIDTH[knows]), np.int32)
    rows, shown = np.empty((4, most), np.uint16), np.empty((most, SHOWN), np.uint8)
    n = _deal.play(
        seed,
        first_shoe,
        shoes,
        dealing.decks,
        _FIRST_CARD if dealing.burn == "first-card" else dealing.burned_by_number[0],
        dealing.burned_by_number[1],
        dealing.cut,
        *dealing.after_cut,
        *tableau_arrays(tableau),
        _KIND[knows],
        orders,
        left,
        rows,
        shown,
    )
    shoe, coup, undealt, last_cut = rows[:, :n]
    return Coups(first_shoe, shoe, coup, undealt, last_cut, left[:n], shown[:n])


def play_with_replacement(tableau: Tableau, seed: int, stream: int, coups: int) -> NDArray[np.uint8]:
    """What each of `coups` coups shows if every card is drawn from a full deck (see `Coups.shown`)."""
    seed, stream = whole(seed, "seed", 0, MOST_SEED), whole(stream, "stream", 0, _MOST_SHOE)
    shown = np.empty((whole(coups, "coups", 0, _MOST_DRAWN), SHOWN), np.uint8)
    _deal.play_with_replacement(seed, stream, *tableau_arrays(tableau), shown)
    return shown
