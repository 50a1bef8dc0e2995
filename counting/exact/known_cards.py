"""What is known of a coup's cards before it is dealt: a hole card, the top card, a range that the backs show.

Places are counted in dealing order: P1, B1, P2, B2, then the fifth and the sixth card. These two are third cards or, if
no hand draws them, cards of the next coup. `P1=9` means that a card is known, `B2=6-9` a range, `5=A,K,7h` a set of
cards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from math import factorial, prod

from counting.cards import COUP, DECK, RANKS, SUITS, VALUE_OF_CARD, Knows, card_of
from counting.errors import InputError, Mistakes

MOST_CASES = 100
PLACES = ("P1", "B1", "P2", "B2", "5", "6")
ANY = frozenset(range(DECK))


def as_known(known: KnownCards | str | None) -> KnownCards | None:
    """What is known of a coup's cards, from a text that `KnownCards.parse` reads. `KnownCards` and None are returned
    unchanged."""
    return known if known is None or isinstance(known, KnownCards) else KnownCards.parse(known)


_WORDS = {name.lower(): i for i, name in enumerate(PLACES)} | {str(i + 1): i for i in range(COUP)}


@dataclass(frozen=True)
class KnownCards:
    """The cards, 0 to 51, that each of the six places may hold.

    >>> from counting import exact_edges
    >>> from counting.exact import KnownCards
    >>> round(float(exact_edges("punto-banco", "8d", KnownCards.parse("P1=9"))["player"]), 4)
    0.2153
    """

    cards: tuple[frozenset[int], ...] = (ANY,) * COUP

    @classmethod
    def parse(cls, text: str) -> KnownCards:
        """Read `P1=9`, `P1=6-9 B2=K` or `5=A,7h`: several places are separated by spaces.

        Raises `InputError` with a line for each part of the text that has a mistake.
        """
        if not isinstance(text, str):
            raise InputError(f"known {text!r}: should be a text, as P1=9")
        cards = [ANY] * COUP
        mistakes = Mistakes()
        for part in re.sub(r"\s*([=,-])\s*", r"\1", text).split():
            name, equals, listed = part.partition("=")
            with mistakes.gathered():
                if not equals or name.lower() not in _WORDS:
                    hint = "; the fifth card is Player's third, or Banker's where Player stands"
                    third = name.lower() in ("p3", "b3")
                    raise InputError(
                        f"known {part!r}: should be a place and its cards, as P1=9 or B2=6-9; "
                        f"places are {', '.join(PLACES)} (or 1 to 6){hint if third else ''}"
                    )
                place = _WORDS[name.lower()]
                if cards[place] != ANY:
                    raise InputError(f"known {part!r}: {PLACES[place]} occurs twice, should occur once")
                cards[place] = _cards(listed, part)
        mistakes.report()
        return cls(tuple(cards))

    @classmethod
    def asked(cls, texts: Iterable[str]) -> tuple[int | None, KnownCards | None]:
        """From the texts of a command line: the place that is asked for (`P1=?` asks for P1), and what is known of
        other places. Either may be None."""
        others, place = [], None
        for text in texts:
            name, equals, what = text.partition("=")
            if equals and what.strip() == "?" and name.strip().lower() in _WORDS:
                if place is not None:
                    raise InputError(
                        f"known {text!r}: a second `=?`, should be one place only; {PLACES[place]} has one"
                    )
                place = _WORDS[name.strip().lower()]
            else:
                others.append(text)
        return place, cls.parse(" ".join(others)) if others else None

    def also(self, place: int, cards: frozenset[int]) -> KnownCards:
        """This knowledge together with the knowledge that the card at `place` is one of `cards`."""
        return KnownCards(tuple(have & cards if i == place else have for i, have in enumerate(self.cards)))

    @property
    def tells(self) -> Knows:
        """How the knowledge tells cards of one value apart: "rank" or "card" if it does, otherwise "value"."""
        return _tells(self.cards)

    @property
    def needs(self) -> Knows:
        """The coarsest kind of shoe on which bets on outcomes can be priced with this knowledge.

        Outcomes look at values. A place needs a finer shoe if it may hold cards of several values, but not all cards of
        each of them.
        """
        return _tells(cards for cards in self.cards if len({VALUE_OF_CARD[card] for card in cards}) > 1)

    def by_value(self) -> list[tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]]:
        """What is known, split into cases by point value. A case has two tuples: for each place the values that its
        card may have, and for each place a set of cards.

        At a place, either all cards of the listed values are possible, and the set of cards is `ANY`. Or a single value
        is listed, and the set has the possible cards of this value. Raises `InputError` for more than 100 cases.
        """
        cases: list[tuple[tuple[frozenset[int], ...], tuple[frozenset[int], ...]]] = [((), ())]
        for cards in self.cards:
            whole, partial = _split(cards)
            choices = [(frozenset({value}), card_set) for value, card_set in sorted(partial.items())]
            if whole or not partial:
                choices.append((whole, ANY))
            if len(cases) * len(choices) > MOST_CASES:
                raise InputError(
                    f"known {self}: more than {MOST_CASES} cases, should name whole values, or fewer single cards"
                )
            cases = [((*v, values), (*c, card_set)) for v, c in cases for values, card_set in choices]
        return cases

    def __str__(self) -> str:
        parts = []
        for name, cards in zip(PLACES, self.cards, strict=True):
            if cards != ANY:
                whole = [r for r in range(len(RANKS)) if cards >= {r * len(SUITS) + s for s in range(len(SUITS))}]
                rest = sorted(c for c in cards if c // len(SUITS) not in whole)
                named = [RANKS[r] for r in whole] + [RANKS[c // len(SUITS)] + SUITS[c % len(SUITS)] for c in rest]
                parts.append(f"{name}={','.join(named)}")
        return " ".join(parts)


def _cards(listed: str, part: str) -> frozenset[int]:
    cards: set[int] = set()
    for item in listed.split(","):
        low, dash, high = item.partition("-")
        try:
            (first, suit), (last, other) = card_of(low), card_of(high if dash else low)
        except InputError as error:
            raise InputError(f"known {part!r}: {error}") from None
        if dash and (suit is not None or other is not None or first > last):
            raise InputError(
                f"known {part!r}: range {item!r} should rise in the order {' '.join(RANKS)}, without suits"
            )
        suits = range(len(SUITS)) if suit is None else (suit,)
        cards |= {rank * len(SUITS) + s for rank in range(first, last + 1) for s in suits}
    return frozenset(cards)


def _values(cards: frozenset[int]) -> frozenset[int]:
    return frozenset(VALUE_OF_CARD[card] for card in cards)


def _split(cards: frozenset[int]) -> tuple[frozenset[int], dict[int, frozenset[int]]]:
    """The values whose cards are all in the set and, for each other value in the set, its cards in the set."""
    by_value: dict[int, set[int]] = {}
    for card in cards:
        by_value.setdefault(VALUE_OF_CARD[card], set()).add(card)
    whole = frozenset(value for value, card_set in by_value.items() if len(card_set) == VALUE_OF_CARD.count(value))
    return whole, {value: frozenset(card_set) for value, card_set in by_value.items() if value not in whole}


def _tells(sets: Iterable[frozenset[int]]) -> Knows:
    partial = [cards for cards in sets if _split(cards)[1]]
    if not partial:
        return "value"
    ranks = [{card // len(SUITS) for card in cards} for cards in partial]
    by_rank = all(len(cards) == len(SUITS) * len(rank_cards) for cards, rank_cards in zip(partial, ranks, strict=True))
    return "rank" if by_rank else "card"


def ways_to_draw(counts: Sequence[int], sets: Sequence[Collection[int]]) -> int:
    """The number of ways to draw different cards, one from each set of kinds, from counts[kind] cards of each kind.

    A set of one kind takes a card of this kind; a set of every kind takes any card that is left. For the other sets,
    the number of ways is a sum over the partitions of these sets into blocks. A term is the product of a factor for
    each block. The factor is the number of cards that are in every set of the block, times (-1)^(size - 1) (size - 1)!,
    where size is the number of sets in the block.
    """
    counts_left, present = list(counts), {kind for kind, n in enumerate(counts) if n}
    product, several, free = 1, [], 0
    for kinds in sets:
        held = present.intersection(kinds)
        if len(held) == 1:
            (kind,) = held
            product *= counts_left[kind]
            counts_left[kind] -= 1
        elif len(held) == len(present):
            free += 1
        else:
            several.append(held)
        if not (held and product):
            return 0
    unseen = sum(counts_left) - len(several)
    return product * prod(range(unseen - free + 1, unseen + 1)) * _matched(counts_left, several)


def _matched(counts_left: Sequence[int], sets: Sequence[set[int]]) -> int:
    """The sum over partitions in `ways_to_draw`. It is computed for every subset of `sets`, from the sums of smaller
    subsets. `places` has a bit for each set of the subset."""
    common, of_block, matched = [set[int]()], [0], [1]
    for places in range(1, 1 << len(sets)):
        first = places & -places
        others = places ^ first
        held = sets[first.bit_length() - 1]
        common.append(common[others] & held if others else held)
        size = others.bit_count()
        of_block.append((-1) ** size * factorial(size) * sum(counts_left[kind] for kind in common[-1]))
        total, beside = 0, others
        while True:  # the block of the first set consists of this set and the sets that are not in `beside`
            total += of_block[places ^ beside] * matched[beside]
            if not beside:
                break
            beside = (beside - 1) & others
        matched.append(total)
    return matched[-1]
