"""Words for ranks and suits in many languages, and cards whose rank and suit are separate words.

Such a card is rewritten as one word with `~` between rank and suit: `King~Hearts`. The rank and the suit may come from
an object in JSON, from two columns of a table, or from a text such as `King of Hearts`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path

from counting.cards import RANKS, SUITS
from counting.io.toml import read_toml

BETWEEN = "~"
NOTHING = frozenset(["", "-", "--", "null", "none", "nil", "nan", "na", "n/a", "<na>", "-1"])
Names = Mapping[str, str]  # maps a log's words for ranks and suits to the usual letters

_OF = frozenset(["of", "de", "di", "del", "da", "do", "du", "von"])  # words between a rank and a suit
_LONGEST_KEY = 40  # the longest key of an object, in characters
_NO_MARKS = re.compile(r"[\s,;/|+&_\[\](){}\"'~.-]+")


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, list[str]]]:
    return read_toml(Path(str(resources.files("counting") / "logs/card_words.toml")))


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, int], dict[str, int]]:
    """Two mappings: from words in lower case to the numbers of suits, and from words and letters to the numbers of
    ranks."""
    words = _tables()
    suits = {word: SUITS.index(suit) for suit, of in words["suits"].items() for word in of}
    ranks = {word: RANKS.index(rank) for rank, of in words["ranks"].items() for word in of}
    return suits, ranks | {rank.lower(): at for at, rank in enumerate(RANKS)} | {"t": 9, "0": 9} | {
        str(number): number - 1 for number in range(1, 14)
    }


def suit_of_word(word: str, names: Names) -> int | None:
    """The number of the suit that a word means, or None. `names`, the log's own words, are tried first."""
    own = names.get(word)
    if own is not None:
        return SUITS.index(own) if own in SUITS else None
    word = word.strip("\ufe0f").lower()
    return SUITS.index(word) if word in SUITS and len(word) == 1 else _table()[0].get(word)


def rank_of_word(word: str, names: Names) -> int | None:
    """The number of the rank that a word means, or None. `names`, the log's own words, are tried first."""
    own = names.get(word)
    if own is not None:
        return RANKS.index(own) if own in RANKS else None
    return _table()[1].get(word.lower())


def pair(rank: str, suit: str) -> str:
    """One word for a card, from the texts of its rank and its suit. The word is empty if both texts mean "none", and
    `?` if there is only a suit. If both texts are comma-separated lists of the same length, the result is a
    comma-separated list of words."""
    if "," in rank or "," in suit:
        ranks, suits = rank.split(","), suit.split(",")
        if len(ranks) == len(suits):
            return ",".join(map(pair, ranks, suits))
    rank, suit = rank.strip(), suit.strip()
    if rank.lower() in NOTHING:
        return "" if suit.lower() in NOTHING else "?"
    rank, suit = _NO_MARKS.sub("", re.sub(r"\.0+\Z", "", rank)), _NO_MARKS.sub("", suit)
    return f"{rank}{BETWEEN}{suit}" if suit and suit.lower() not in NOTHING else rank


def parts_of(word: str, names: Names) -> tuple[int, int | None] | None:
    """The numbers of the rank and the suit in one word, such as `K~Hearts`, `KHearts` or `HeartsK`. The suit is None if
    it is not known. None for any other word."""
    if BETWEEN in word:
        rank, _, suit = word.partition(BETWEEN)
        of_rank = rank_of_word(rank, names)
        return None if of_rank is None else (of_rank, suit_of_word(suit, names))
    for at in range(1, len(word)):
        for rank, suit in ((word[:at], word[at:]), (word[at:], word[:at])):
            of_suit = suit_of_word(suit, names) if len(suit) > 1 or not suit.isascii() or suit in names else None
            of_rank = None if of_suit is None else rank_of_word(rank, names)
            if of_rank is not None:
                return of_rank, of_suit
    return None


def paired(words: Sequence[str], names: Names) -> list[str]:
    """The words of a hand, after each separate suit is joined with the rank next to it."""
    if not any(len(word) > 2 or not word.isascii() or word in names for word in words):
        return list(words)
    suits = [_is_suit(word, names) for word in words]
    if not any(suits):
        return list(words)
    step = 1 if suits[0] else -1  # the rank is after its suit if the first word is a suit, otherwise before it
    kept = [word for at, word in enumerate(words) if not (word.lower() in _OF and 0 < at < len(words) - 1)]
    suits = [_is_suit(word, names) for word in kept]
    result: list[str | None] = list(kept)
    for at, is_suit in enumerate(suits):
        rank = at + step
        if is_suit and 0 <= rank < len(kept) and not suits[rank] and result[rank] is not None:
            result[min(at, rank)], result[max(at, rank)] = pair(kept[rank], kept[at]), None
    return [word for word in result if word is not None]


def _is_suit(word: str, names: Names) -> bool:
    """Whether a word is only a suit. A single ASCII letter may be a rank; it is a suit only if the layout defines it as
    a suit."""
    if word in names:
        return names[word] in SUITS
    return (len(word) > 1 or not word.isascii()) and suit_of_word(word, names) is not None


def object_text(card: Mapping[str, object], text_of: Callable[[object], str]) -> str | None:
    """The word for a card that JSON writes as an object; None if the object is not a card. `text_of` turns the object's
    values into texts."""
    keys = {_squeezed(key): key for key in card if len(key) <= _LONGEST_KEY}
    rank, suit, whole = (
        next((keys[key] for key in known if key in keys), None) for known in _tables()["keys"].values()
    )
    if rank is not None and suit is not None:
        return pair(text_of(card[rank]), text_of(card[suit]))
    whole = rank if whole is None else whole
    return None if whole is None else text_of(card[whole])


@lru_cache(maxsize=1 << 14)
def _squeezed(key: str) -> str:
    return _NO_MARKS.sub("", key.lower())
