"""Cards, ranks, values and shoes. A shoe is the composition of the unseen cards.

A shoe knows the number of each card (A of spades ... K of clubs), or of each rank (A, 2 ... K), or only of each point
value (0 to 9; tens and faces have value 0). Each shoe can be written as a text. `8d` is eight full decks. `8d-7h-Ks`
lacks the seven of hearts and the king of spades, and `8d-7-K` lacks a seven and a king of unknown suits. `c:`, `r:` and
`v:` list the counts by card, by rank and by value.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast

from counting.errors import InputError, instance, whole, written

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
VALUE_OF_RANK = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)
SUITS = ("s", "h", "d", "c")
DECK = len(RANKS) * len(SUITS)
VALUE_OF_CARD = tuple(value for value in VALUE_OF_RANK for _ in SUITS)
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)  # the index of a card is 4 * rank + suit
MOST_DECKS = 27  # with more decks, the number of ordered six-card deals does not fit in 63 bits
COUP = 6  # a coup uses at most this many cards
MOST_COUPS_PER_DECK = DECK // 4  # a coup uses four cards or more

Knows = Literal["card", "rank", "value"]
WIDTH: dict[Knows, int] = {"value": 10, "rank": len(RANKS), "card": DECK}  # number of counts, coarsest kind first

_RANK_OF = {rank: i for i, rank in enumerate(RANKS)} | {"T": 9}
_LISTED = 12  # with more cards removed, `str` lists the counts instead of writing `8d-7h-Ks`
_SHORT = 60  # the repr of a shoe leaves out a text longer than this
_LETTER: dict[str, Knows] = {"v": "value", "r": "rank", "c": "card"}


def rank_of(card: str) -> int:
    """The index of a card's rank, from 0 for A to 12 for K. The card is written A, 2 ... 9, 10 or T, J, Q, K, in upper
    or lower case."""
    try:
        return _RANK_OF[card.strip().upper()]
    except (KeyError, AttributeError):
        raise InputError(f"card {card!r}: should be one of A 2 3 4 5 6 7 8 9 10 (or T) J Q K") from None


def card_of(card: str) -> tuple[int, int | None]:
    """The index of a card's rank, and the index of its suit if the text has one, as in `7h` or `10s`. If it has none,
    the second result is None."""
    written = card.strip().lower() if isinstance(card, str) else ""
    if written[-1:] in SUITS and written[:-1]:
        return rank_of(written[:-1]), SUITS.index(written[-1])
    return rank_of(card), None


def _counts(counts: Iterable[object], length: int, what: str) -> tuple[int, ...]:
    try:
        listed = list(counts)
    except TypeError:
        raise InputError(f"{what}: {counts!r}, should be a list of {length} counts") from None
    if len(listed) != length:
        raise InputError(f"{what}: {len(listed)} counts, should be {length}")
    for i, count in enumerate(listed):
        try:
            whole = operator.index(cast("int", count))
        except TypeError:
            raise InputError(f"{what}: count {i} is {count!r}, should be a whole number") from None
        if whole < 0:
            raise InputError(f"{what}: count {i} is {written(whole)}, should be 0 or more")
        listed[i] = whole
    return cast("tuple[int, ...]", tuple(listed))


def refuse_unknown(knows: str) -> None:
    """Raise `InputError` if `knows` is not a kind of composition."""
    if knows not in WIDTH:
        raise InputError(f"knows: {knows!r}, should be {', '.join(list(WIDTH)[:-1])} or {list(WIDTH)[-1]}")


def finest(kinds: Iterable[Knows]) -> Knows:
    """The finest of these kinds of composition: "card", or else "rank", or else "value"."""
    return max(kinds, key=list(WIDTH).index)


def coarser(counts: tuple[int, ...], to: Knows) -> tuple[int, ...]:
    """Add up counts to get counts of the coarser kind `to`. Counts that are no finer than `to` are returned
    unchanged."""
    if len(counts) == DECK and to != "card":
        counts = tuple(sum(counts[i : i + len(SUITS)]) for i in range(0, DECK, len(SUITS)))
    if len(counts) == len(RANKS) and to == "value":
        counts = (sum(counts[9:]), *counts[:9])
    return counts


def as_shoe(shoe: Shoe | str) -> Shoe:
    """The shoe that a text describes, as read by `Shoe.parse`. A `Shoe` is returned unchanged."""
    return Shoe.parse(shoe) if isinstance(shoe, str) else instance(shoe, Shoe, "shoe", "Shoe.parse('8d')")


@dataclass(frozen=True, init=False, repr=False)
class Shoe:
    """The composition of the unseen cards: 52 counts by card, 13 counts by rank, or 10 counts by point value.

    Make one with `Shoe.decks`, `Shoe.from_cards`, `Shoe.from_ranks`, `Shoe.from_values` or `Shoe.parse`. Two shoes are
    equal if they have the same kind of counts and the same counts.

    >>> from counting import Shoe
    >>> Shoe.parse("8d-7h-Ks")
    <Shoe 8d-7h-Ks: 414 cards, known by card>
    >>> Shoe.parse("8d-7-7-K").values
    (127, 32, 32, 32, 32, 32, 32, 30, 32, 32)
    """

    knows: Knows
    counts: tuple[int, ...]

    def __init__(self, knows: Knows, counts: Iterable[int]) -> None:
        if not isinstance(knows, str) or knows not in WIDTH:
            raise InputError(f"knows: {knows!r}, should be 'card', 'rank' or 'value'")
        vars(self).update(knows=knows, counts=_counts(counts, WIDTH[knows], f"counts by {knows}"))

    @classmethod
    def decks(cls, decks: int) -> Shoe:
        """A full shoe of 1 to 27 decks of 52 cards, known by card."""
        return cls("card", (whole(decks, "decks", 1, MOST_DECKS),) * DECK)

    @classmethod
    def from_cards(cls, counts: Iterable[int]) -> Shoe:
        """A shoe from 52 counts: the aces of spades, hearts, diamonds and clubs, then the twos, ... and the kings."""
        return cls("card", counts)

    @classmethod
    def from_ranks(cls, counts: Iterable[int]) -> Shoe:
        """A shoe from 13 counts, in the order A, 2 ... K."""
        return cls("rank", counts)

    @classmethod
    def from_values(cls, counts: Iterable[int]) -> Shoe:
        """A shoe from 10 counts, in the order 0 (tens and faces), 1 (aces), 2 ... 9."""
        return cls("value", counts)

    @classmethod
    def parse(cls, text: str) -> Shoe:
        """Read a text such as `8d` or `8d-7h-K`, or `c:` with 52 counts, `r:` with 13, or `v:` with 10. Spaces are
        ignored."""
        if not isinstance(text, str):
            raise InputError(f"shoe {text!r}: should be a text, as 8d-7-7-K")
        kind, colon, rest = text.replace(" ", "").partition(":")
        if colon and kind.lower() in _LETTER:
            fields = rest.split(",")
            if bad := [f for f in fields if not re.fullmatch(r"[0-9]{1,6}", f)]:
                raise InputError(f"shoe {text!r}: count {bad[0]!r} should be a whole number from 0 to 999,999")
            try:
                return cls(_LETTER[kind.lower()], tuple(map(int, fields)))
            except InputError as error:
                raise InputError(f"shoe {text!r}: {error}") from None
        full, *removed = text.replace(" ", "").split("-")
        match = re.fullmatch(r"([0-9]{1,6})d", full.lower())
        if not match:
            raise InputError(
                f"shoe {text!r}: should be decks with cards removed, as 8d, 8d-7-7-K or 8d-7h-Ks, or counts by value, "
                "as v:128,32,32,32,32,32,32,32,32,32, 13 counts by rank after r: or 52 by card after c:"
            )
        try:
            return cls.decks(int(match[1])).without(removed)
        except InputError as error:
            raise InputError(f"shoe {text!r}: {error}") from None

    def without(self, cards: str | Iterable[str]) -> Shoe:
        """The shoe after these cards have been seen. `cards`: a text such as `"7 7 K"` or `"7h,Ks"`, or a list.

        If this shoe is known by card and a card is written without its suit, the new shoe is known only by rank. Raises
        `InputError` for a text that is not a card, and for a card that the shoe does not have.
        """
        if not isinstance(cards, Iterable):
            raise InputError(f"cards: {cards!r}, should be a text as '7 7 K' or a list of cards")
        names = re.split(r"[\s,]+", cards.strip()) if isinstance(cards, str) else list(cards)
        seen = [(card, *card_of(card)) for card in names if not (isinstance(cards, str) and card == "")]
        knows = self.knows
        if knows == "card" and any(suit is None for _, _, suit in seen):
            knows = "rank"
        counts = list(coarser(self.counts, knows))
        for card, rank, suit in seen:
            place = rank if knows == "rank" else VALUE_OF_RANK[rank]
            if knows == "card":
                place = rank * len(SUITS) + cast("int", suit)
            if counts[place] == 0:
                raise InputError(f"card {card!r}: none is left in the shoe")
            counts[place] -= 1
        return Shoe(knows, tuple(counts))

    @cached_property
    def values(self) -> tuple[int, ...]:
        """The 10 counts by point value: tens and faces, aces, 2 ... 9."""
        return coarser(self.counts, "value")

    @property
    def ranks(self) -> tuple[int, ...]:
        """The 13 counts by rank. Raises `InputError` for a shoe that is known only by value."""
        if self.knows == "value":
            raise InputError(
                f"shoe {self}: knows point values only, its ranks are not known; should be a shoe by rank or card"
            )
        return coarser(self.counts, "rank")

    @property
    def cards(self) -> tuple[int, ...]:
        """The 52 counts by card. Raises `InputError` for a shoe that is not known by card."""
        if self.knows != "card":
            raise InputError(
                f"shoe {self}: knows counts by {self.knows} only, its suits are not known; should be a shoe by card"
            )
        return self.counts

    @property
    def cards_left(self) -> int:
        return sum(self.counts)

    def __repr__(self) -> str:
        text = str(self)
        named = f" {text}: {self.cards_left} cards" if len(text) <= _SHORT else f" of {self.cards_left} cards"
        return f"<Shoe{named}, known by {self.knows}>"

    def __str__(self) -> str:
        listed = f"{self.knows[0]}:" + ",".join(map(str, self.counts))
        if self.knows == "value":
            return listed
        names, copies = (CARDS, 1) if self.knows == "card" else (RANKS, len(SUITS))
        decks = -(-max(self.counts) // copies)
        missing = [name for name, n in zip(names, self.counts, strict=True) for _ in range(copies * decks - n)]
        # A full shoe known by rank is written with its counts, because `8d` means a shoe known by card.
        if not 1 <= decks <= MOST_DECKS or len(missing) > _LISTED or (self.knows == "rank" and not missing):
            return listed
        return "-".join([f"{decks}d", *missing])
