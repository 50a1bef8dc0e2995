"""Read cards in the many ways in which logs write them.

Letters and symbols for rank and suit may come in either order: `9h`, `h9`, `C.9`, `♥9`. Unicode playing cards are read
too. What a bare number means depends on the log: 10 may be a ten or any card of value 0, and 12 may be a queen or a
card's code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

from counting.cards import CARDS, DECK, RANKS, SUITS, VALUE_OF_RANK
from counting.logs.card_words import BETWEEN, NOTHING, paired, parts_of, rank_of_word

NO_CARD, UNREAD = -1, -2
TEN_OR_FACE = DECK + len(RANKS)  # the code of a card known only to be a 10, J, Q or K
MOST_CODE = TEN_OR_FACE

Written = Literal["cards", "values", "ranks", "codes"]
Codes = TypeVar("Codes")  # the type of a function's result for a word

_RANK = {**{name: i for i, name in enumerate(RANKS)}, "T": 9, "1": 0, "0": 9, "11": 10, "12": 11, "13": 12}
_SUIT = {
    **{suit: i for i, suit in enumerate(SUITS)},
    **dict(zip("♠♥♦♣", range(4), strict=True)), **dict(zip("♤♡♢♧", range(4), strict=True)),
}  # fmt: skip
_R, _S = r"(10|11|12|13|[0-9ATJQK])", "([shdcSHDC♠♥♦♣♤♡♢♧])\ufe0f?"
_RANK_FIRST, _SUIT_FIRST = re.compile(rf"{_R}[. ]?{_S}", re.IGNORECASE), re.compile(rf"{_S}[. ]?{_R}", re.IGNORECASE)
_PLAYING = range(0x1F0A0, 0x1F0E0)  # Unicode's playing cards: sixteen for each suit
_FACES = {"T", "J", "Q", "K"}
_LONGEST_KEPT = 40  # results are cached only for words of at most this length
# Where a hand is split into words. A hyphen, blank or comma may be between cards; a dot is only within a card.
_BETWEEN = re.compile(r"[\s,;/|+&_\[\](){}\"'-]+")
_JOINED = (re.compile(rf"(?:{_R}{_S})+", re.IGNORECASE), re.compile(rf"(?:{_S}{_R})+", re.IGNORECASE),
           re.compile(r"(?:10|[1-9ATJQK])+", re.IGNORECASE))  # fmt: skip
_PARTS = (re.compile(rf"{_R}{_S}", re.IGNORECASE), re.compile(rf"{_S}{_R}", re.IGNORECASE),
          re.compile(r"10|[1-9ATJQK]", re.IGNORECASE))  # fmt: skip


class CardWords(NamedTuple):
    """How a log writes its cards.

    `written` is one of four forms: "cards" (`9h`, `h9`, `K`); "values" (0 or 10 for tens and faces, 1 for an ace);
    "ranks", from 1 to 13; "codes", 52 numbers from `first_code` on. `suits` is the order of the suits among codes, as
    `codes` in `CardNotation`; empty if unknown. `joined`: each digit of a word may be a card, as in `98`. `none`: words
    for no card. `names`: the log's words for ranks and suits, each with the usual letter.
    """

    written: Written = "cards"
    joined: bool = False
    none: frozenset[str] = frozenset()
    suits: str = ""
    names: tuple[tuple[str, str], ...] = ()
    first_code: int = 1


PLAIN = CardWords()
_FLOAT = re.compile(r"(?<![0-9A-Za-z.])([0-9]{1,2})\.0+(?![0-9A-Za-z.])")  # a table with empty cells writes 9 as 9.0
_ALONE = r"[\s,;/|\[\](){}\"']"  # no other characters may be next to -1, n/a or <na>
_NO_CARDS = re.compile(rf"(?i)(?<!(?!{_ALONE}).)(?:-1|n/a|<na>)(?!(?!{_ALONE}).)")


def whole_numbers(text: str) -> str:
    """A text with whole numbers in place of floats, as 9 for 9.0."""
    return _FLOAT.sub(r"\1", text) if ".0" in text else text


def is_no_card(word: str, by: CardWords = PLAIN) -> bool:
    """Whether a word stands for no card."""
    return word in by.none or word.lower() in NOTHING


def _kept(of_word: Callable[[str, CardWords], Codes]) -> Callable[[str, CardWords], Codes]:
    """The function with a cache of its results for short words. Long words are not cached, because a damaged log may
    have many of them."""
    of_short_word = lru_cache(maxsize=1 << 14)(of_word)

    def kept(word: str, by: CardWords) -> Codes:
        return of_short_word(word, by) if len(word) <= _LONGEST_KEPT else of_word(word, by)

    return kept


def card_code(word: str, by: CardWords = PLAIN) -> int | None:
    """The code of a card: 0 to 51; 52 plus the rank if the suit is not known; `TEN_OR_FACE`; or `UNREAD` for a mark
    such as `?`. None for any other word that is not a card."""
    return _code(word, by)


@_kept
def _code(word: str, by: CardWords) -> int | None:
    names = dict(by.names)
    if BETWEEN in word:
        return _in_parts(word, names)
    if by.names:
        word = _renamed(word, names)
    if word in ("?", "??") or word.upper() == "X":
        return UNREAD
    if len(word) == 1 and ord(word) in _PLAYING:
        return _playing_card(ord(word))
    for pattern, rank_at in ((_RANK_FIRST, 1), (_SUIT_FIRST, 2)):
        match = pattern.fullmatch(word)
        if match:
            return _RANK[match[rank_at].upper()] * len(SUITS) + _SUIT[match[3 - rank_at].lower()]
    code = _without_suit(word.upper(), by)
    return _in_parts(word, names) if code is None and len(word) > 1 and not word.isdecimal() else code


def _in_parts(word: str, names: Mapping[str, str]) -> int | None:
    """The code of a card whose rank, or whose rank and suit, are words."""
    if len(word) > _LONGEST_KEPT:
        return None
    if word.strip(f"?{BETWEEN}") == "":
        return UNREAD
    parts = parts_of(word, names)
    if parts is None:
        rank = None if BETWEEN in word else rank_of_word(word, names)
        return None if rank is None else DECK + rank
    rank, suit = parts
    return DECK + rank if suit is None else rank * len(SUITS) + suit


def _renamed(word: str, names: Mapping[str, str]) -> str:
    return names.get(word) or "".join(names.get(letter, letter) for letter in word)


def _playing_card(point: int) -> int | None:
    suit, place = divmod(point - _PLAYING.start, 16)
    place -= place > 12  # Unicode has a knight between the jack and the queen
    return (place - 1) * len(SUITS) + suit if 1 <= place <= len(RANKS) and (point & 15) != 12 else None


def _without_suit(word: str, by: CardWords) -> int | None:
    if not word.isdecimal() or not word.isascii():
        if word in _FACES and by.written == "values":
            return TEN_OR_FACE
        return DECK + _RANK[word] if word in _FACES or word == "A" else None
    if len(word) > 2 or (len(word) == 2 and word[0] == "0" and by.written != "values"):
        return None
    number = int(word)
    match by.written:
        case "values":
            return TEN_OR_FACE if number in (0, 10) else DECK + number - 1 if number < 10 else None
        case "ranks":
            return DECK + number - 1 if 1 <= number <= len(RANKS) else None
        case "codes":
            return _coded(number - by.first_code, by.suits)
    return DECK + number - 1 if 1 <= number <= 10 else None


def _coded(code: int, suits: str) -> int | None:
    """The toolkit's code for the card that the log calls `code`, counted from 0. The first thirteen of the log's codes
    are one suit, the next thirteen the next suit, and so on. If `suits` begins with "by rank", the first four of the
    log's codes are the aces, the next four the twos, and so on. Without `suits`, only the rank is known."""
    if not 0 <= code < DECK:
        return None
    if suits.startswith("by rank "):
        return code // len(SUITS) * len(SUITS) + SUITS.index(suits[-4:][code % len(SUITS)])
    suit, rank = divmod(code, len(RANKS))
    return rank * len(SUITS) + SUITS.index(suits[suit]) if suits else DECK + rank


def words_of(hand: str, by: CardWords = PLAIN) -> list[str]:
    """The words in a hand's text: 9h and Kd for `["9h","Kd"]`, and 9~Hearts for `9 of Hearts`."""
    if hand.replace(" ", "").isalnum():  # a text without marks, such as 9h Kd
        words = hand.split()
    else:
        words = [word for word in _BETWEEN.split(_NO_CARDS.sub(" ", whole_numbers(hand))) if word]
    return paired(words, dict(by.names))


def parted(word: str, by: CardWords = PLAIN) -> list[str]:
    """The cards of a word without gaps: `9hKd` gives 9h and Kd. Any other word gives a list of only this word."""
    if len(word) > 1 and all(ord(sign) in _PLAYING for sign in word):
        return list(word)
    if word.isdecimal() and not (by.joined and by.written in ("cards", "values")):
        return [word]
    if word.isdecimal() and by.written == "values":
        return list(word)
    for whole, part in zip(_JOINED, _PARTS, strict=True):
        if whole.fullmatch(word):
            return [match[0] for match in part.finditer(word)]
    return [word]


def hand_codes(hand: str, by: CardWords = PLAIN) -> tuple[list[int], list[str]]:
    """The codes of a hand's cards, and a list of the words that are not cards. Such words also have a code,
    `UNREAD`."""
    codes: list[int] = []
    bad = []
    for word in words_of(hand, by):
        of_word = _word_codes(word, by)
        if of_word is None:
            codes.append(UNREAD)
            bad.append(word)
        else:
            codes += of_word
    return codes, bad


@_kept
def _word_codes(word: str, by: CardWords) -> tuple[int, ...] | None:
    """The codes of the cards in a word. A word without gaps, such as `9hKd`, has several codes. A word that means "no
    card" has no codes. None for a word that is not a card."""
    if is_no_card(word, by):
        return ()
    code = card_code(word, by)
    apart = by.joined and len(word) > 1 and word.isdecimal() and (word != "10" or by.written == "values")
    if code is not None and not apart:
        return (code,)
    parts = [card_code(part, by) for part in parted(word, by)]
    if None not in parts:
        return tuple(part for part in parts if part is not None)
    return None if code is None else (code,)


def card_name(code: int) -> str:
    """The text of a card's code: `9h`; `9` if the suit is not known; `0` for `TEN_OR_FACE`; `?` for an unread card."""
    if 0 <= code < DECK:
        return CARDS[code]
    return "0" if code == TEN_OR_FACE else RANKS[code - DECK] if code >= DECK else "?"


def value_of(code: int) -> int | None:
    """The point value of a card's code; None where it is not known."""
    if code < 0:
        return None
    if code == TEN_OR_FACE:
        return 0
    return VALUE_OF_RANK[code // len(SUITS) if code < DECK else code - DECK]


STYLES = {
    "rank first, as 9h": _RANK_FIRST,
    "suit first, as h9": re.compile(rf"{_S}{_R}", re.IGNORECASE),
    "suit first with a dot, as H.9": re.compile(rf"{_S}[. ]{_R}", re.IGNORECASE),
    "rank and suit in words": re.compile(rf".+{BETWEEN}.+"),
    "Unicode playing cards": re.compile(f"[{chr(_PLAYING.start)}-{chr(_PLAYING.stop - 1)}]"),
    "ranks, as 9 or K": re.compile(r"10|[2-9ATJQK]", re.IGNORECASE),
}


def style_of(word: str) -> str | None:
    """How a card is written, in words; None for a word in none of the `STYLES`."""
    return next((style for style, pattern in STYLES.items() if pattern.fullmatch(word)), None)
