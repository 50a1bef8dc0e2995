"""Usual headings of a log's columns, and the field that each heading means.

Headings are compared without case, blanks and hyphens: `hand_number`, `Hand Number` and `handNumber` are the same. In
JSON records, a heading may be the end of a path. If a column is found in this way, and its name is not the field's
name, it is reported as a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path

from counting.io.toml import read_toml

SIDES = {  # for each hand, a pattern for the words that name it
    "player": r"(?:players?|pl|p|punto|ponto|spieler|joueur|jugador|giocatore|jogador|[闲閒]家?|플레이어|"
              r"プレイヤー|игрок)",
    "banker": r"(?:bankers?|bank|bk|b|banco|banca|banque|banquier|banchiere|[庄莊]家?|뱅커|バンカー|банкир)",
}  # fmt: skip
_CARD = r"(?:cards?|c|hand|handcards?|karte|carte|carta|牌|카드|カード|карта)?"
_ORDINALS = {"1": "1|first|1st|one|第一", "2": "2|second|2nd|two|第二", "3": "3|third|3rd|three|draw|extra|第三"}
_RANK = r"(?:rank|r|face|value|val|v|num|number|rang|点|點|点数|數字)"
_SUIT = r"(?:suit|s|suite|kind|colou?r|farbe|couleur|palo|seme|naipe|花色|무늬)"
_MARKS = re.compile(r"[\s_.\-/#:()\[\]]+")


def squeezed(heading: str) -> str:
    """A heading in small letters, with blanks, hyphens and other marks removed."""
    return _MARKS.sub("", heading).lower()


@lru_cache(maxsize=2)
def _fields(bets: bool) -> Mapping[str, Mapping[str, int]]:
    """For each field, its headings with their rank; the surest heading has rank 0."""
    return {
        field: {squeezed(word): at for at, word in reversed(list(enumerate(words.split())))}
        for field, words in _headings(bets).items()
    }


def _headings(bets: bool) -> Mapping[str, str]:
    """The headings of each field, as one text. These are the fields of coups or, with `bets`, the fields of bets, which
    include the table, shoe, coup and dealer."""
    tables = _tables()
    shared = {field: tables["coups"][field] for field in ("table", "shoe", "coup", "dealer")}
    return shared | tables["bets"] if bets else tables["coups"]


def _tables() -> dict[str, dict[str, str]]:
    return read_toml(Path(str(resources.files("counting") / "logs/headings.toml")))


@lru_cache(maxsize=1)
def total_words() -> list[str]:
    """The words for a total below the rows of a table, in small letters."""
    return [word.replace("_", " ") for word in _tables()["rows"]["total"].split()]


@lru_cache(maxsize=2)
def synonyms(bets: bool = False) -> frozenset[str]:
    """The headings that mean a field, in small letters. The words of a heading may be separated by underscores, blanks,
    hyphens or nothing."""
    words = [word for words in _headings(bets).values() for word in words.split()]
    if not bets:
        words += [f"{side}_{card}{at}" for side in ("player", "banker", "p", "b", "bank", "punto", "banco")
                  for card in ("card_", "card", "") for at in range(1, 4)]  # fmt: skip
    return frozenset(word.replace("_", mark) for word in words for mark in ("_", "", " ", "-"))


@lru_cache(maxsize=1 << 16)  # a file's columns are compared with each field
def _ends(heading: str) -> tuple[str, ...]:
    """The squeezed forms of a heading that are compared: the whole heading and, for a path, its last parts."""
    parts = heading.split(".")
    return tuple(dict.fromkeys(squeezed("".join(parts[at:])) for at in range(len(parts))))


def columns_of(field: str, names: Sequence[str], bets: bool = False) -> list[str]:
    """A file's columns that may be a field, the likeliest first."""
    words = _fields(bets).get(field, {})
    ranked = sorted(
        (min(words[end] + 1000 * depth for depth, end in enumerate(_ends(name)) if end in words), at)
        for at, name in enumerate(names) if any(end in words for end in _ends(name))
    )  # fmt: skip
    return [names[at] for _, at in ranked]


def card_columns(hand: str, names: Sequence[str]) -> tuple[str, ...]:
    """The columns of a hand's cards. Each is the name of a card's column, or the names of its columns of rank and suit
    joined by a plus. Empty if the first or the second card has no column."""
    columns = []
    for ordinal in _ORDINALS.values():
        whole, rank, suit = (
            next((name for name in names if any(pattern.fullmatch(end) for end in _ends(name))), None)
            for pattern in _patterns(hand, ordinal)
        )
        column = f"{rank}+{suit}" if rank is not None and suit is not None else whole or rank
        if column is None:
            break
        columns.append(column)
    return tuple(columns) if len(columns) >= 2 else ()


@lru_cache(maxsize=8)
def _patterns(hand: str, ordinal: str) -> tuple[re.Pattern[str], ...]:
    """Three patterns: for the heading of a card, of its rank and of its suit."""
    side = SIDES[hand]
    card = rf"(?:{side}{_CARD}(?:{ordinal}){_CARD}|(?:{ordinal}){side}{_CARD}|{_CARD}(?:{ordinal}){side})"
    return tuple(
        re.compile(text)
        for text in (
            card,
            rf"{card}{_RANK}|{side}{_RANK}(?:{ordinal})|{_RANK}{side}(?:{ordinal})",
            rf"{card}{_SUIT}|{side}{_SUIT}(?:{ordinal})|{_SUIT}{side}(?:{ordinal})",
        )
    )
