"""Cards, ranks, values and the shoe: the cards that have not been seen.

A shoe knows either the count of each rank (A, 2 ... K) or only the count of each point value
(0 to 9, tens and faces 0). Both have a text form: `8d-7-7-K` is eight decks without two sevens and a
king; `r:` and `v:` list the counts by rank and by value.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from counting.errors import InputError, whole

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
VALUE_OF_RANK = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
SUITS = 4
DECK = len(RANKS) * SUITS
MOST_DECKS = 27  # beyond, a count of ordered six-card deals no longer fits 63 bits
COUP = 6  # a coup uses at most this many cards

_RANK_OF = {rank: i for i, rank in enumerate(RANKS)} | {"T": 9}
_LISTED = 12  # removals that the `8d-...` form spells out before `r:` is shorter to read

Knows = Literal["rank", "value"]


def rank_of(card: str) -> int:
    """The rank's index (A is 0, K is 12) of a card written A, 2 ... 9, 10 or T, J, Q, K, in any case."""
    try:
        return _RANK_OF[card.strip().upper()]
    except (KeyError, AttributeError):
        raise InputError(f"card {card!r}: should be one of A 2 3 4 5 6 7 8 9 10 (or T) J Q K") from None


def _counts(counts: Iterable[object], length: int, what: str) -> tuple[int, ...]:
    try:
        given = list(counts)
    except TypeError:
        raise InputError(f"{what}: {counts!r} is not a list of {length} counts") from None
    if len(given) != length:
        raise InputError(f"{what}: {len(given)} counts given, should be {length}")
    for i, count in enumerate(given):
        try:
            whole = operator.index(cast("int", count))
        except TypeError:
            raise InputError(f"{what}: count {i} is {count!r}, should be a whole number") from None
        if whole < 0:
            raise InputError(f"{what}: count {i} is {whole}, should be 0 or more")
        given[i] = whole
    return cast("tuple[int, ...]", tuple(given))


@dataclass(frozen=True)
class Shoe:
    """The composition of the unseen cards, as a value: 13 counts by rank or 10 counts by point value.

    Make one with `Shoe.decks`, `Shoe.from_ranks`, `Shoe.from_values` or `Shoe.parse`. Two shoes are
    equal when they know the same counts of the same kind.
    """

    knows: Knows
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.knows not in ("rank", "value"):
            raise InputError(f"knows: {self.knows!r}, should be 'rank' or 'value'")
        length = len(RANKS) if self.knows == "rank" else 10
        object.__setattr__(self, "counts", _counts(self.counts, length, f"counts by {self.knows}"))

    @classmethod
    def decks(cls, decks: int) -> Shoe:
        """A full shoe of 1 to 27 decks of 52 cards, known by rank."""
        return cls("rank", (SUITS * whole(decks, "decks", 1, MOST_DECKS),) * len(RANKS))

    @classmethod
    def from_ranks(cls, counts: Iterable[int]) -> Shoe:
        """Thirteen counts in the order A, 2 ... K."""
        return cls("rank", counts)  # type: ignore[arg-type]  # made a tuple there

    @classmethod
    def from_values(cls, counts: Iterable[int]) -> Shoe:
        """Ten counts in the order 0 (tens and faces), 1 (aces), 2 ... 9."""
        return cls("value", counts)  # type: ignore[arg-type]  # made a tuple there

    @classmethod
    def parse(cls, text: str) -> Shoe:
        """Read `8d`, `8d-7-7-K`, `r:` and 13 counts, or `v:` and 10 counts; spaces are ignored."""
        if not isinstance(text, str):
            raise InputError(f"shoe {text!r}: should be a text, as 8d-7-7-K")
        kind, colon, rest = text.replace(" ", "").partition(":")
        if colon and kind.lower() in ("v", "r"):
            fields = rest.split(",")
            if bad := [f for f in fields if not re.fullmatch(r"[0-9]{1,6}", f)]:
                raise InputError(f"shoe {text!r}: count {bad[0]!r} should be a whole number, 0 or more")
            try:
                return (cls.from_values if kind.lower() == "v" else cls.from_ranks)(map(int, fields))
            except InputError as error:
                raise InputError(f"shoe {text!r}: {error}") from None
        full, *removed = text.replace(" ", "").split("-")
        match = re.fullmatch(r"([0-9]{1,6})d", full.lower())
        if not match:
            raise InputError(
                f"shoe {text!r}: should be decks with cards removed, as 8d or 8d-7-7-K, "
                "or counts by value, as v:128,32,32,32,32,32,32,32,32,32, or 13 counts by rank after r:"
            )
        try:
            return cls.decks(int(match[1])).without(removed)
        except InputError as error:
            raise InputError(f"shoe {text!r}: {error}") from None

    def without(self, cards: str | Iterable[str]) -> Shoe:
        """The shoe after these cards were seen: a text such as `"7 7 K"` (or `"7,7,K"`), or a list of cards.

        A shoe known by value loses the card's value. Raises `InputError` for a card that is not there.
        """
        if not isinstance(cards, Iterable):
            raise InputError(f"cards: {cards!r}, should be a text as '7 7 K' or a list of cards")
        given = re.split(r"[\s,]+", cards.strip()) if isinstance(cards, str) else list(cards)
        counts = list(self.counts)
        for card in given:
            if card == "" and isinstance(cards, str):
                continue
            rank = rank_of(card)
            place = rank if self.knows == "rank" else VALUE_OF_RANK[rank]
            if counts[place] == 0:
                raise InputError(f"card {card!r}: none is left in the shoe")
            counts[place] -= 1
        return Shoe(self.knows, tuple(counts))

    @cached_property
    def values(self) -> tuple[int, ...]:
        """Ten counts by point value: tens and faces, aces, 2 ... 9."""
        if self.knows == "value":
            return self.counts
        counts = [0] * 10
        for value, count in zip(VALUE_OF_RANK, self.counts, strict=True):
            counts[value] += count
        return tuple(counts)

    @property
    def ranks(self) -> tuple[int, ...]:
        """Thirteen counts by rank. Raises `InputError` for a shoe that knows values only."""
        if self.knows == "value":
            raise InputError(f"shoe {self}: knows point values only, its ranks are not known")
        return self.counts

    @property
    def cards_left(self) -> int:
        return sum(self.counts)

    def __str__(self) -> str:
        if self.knows == "value":
            return "v:" + ",".join(map(str, self.counts))
        decks = -(-max(self.counts) // SUITS)
        missing = [rank for rank, n in zip(RANKS, self.counts, strict=True) for _ in range(SUITS * decks - n)]
        if not 1 <= decks <= MOST_DECKS or len(missing) > _LISTED:
            return "r:" + ",".join(map(str, self.counts))
        return "-".join([f"{decks}d", *missing])
