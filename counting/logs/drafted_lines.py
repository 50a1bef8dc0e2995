"""A pattern for lines of text that hold two hands of cards, as messages of a chat do, from the first lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from counting.games import Tableau
from counting.logs.cards import NO_CARD, hand_codes
from counting.logs.deal_order import lawful_share
from counting.logs.patterns import LONGEST, pattern_of

_CARD = r"(?:10|[2-9AJQKTajqkt])(?:[♠♥♦♣♤♡♢♧]️?|[shdcSHDC](?![a-zA-Z]))"
_BACK = r"(?:[♠♥♦♣♤♡♢♧]️?|(?<![a-zA-Z])[SHDC])(?:10|[2-9AJQKT](?![a-zA-Z]))"
_GAP = r"[ ,;|+-]{0,3}"
_HANDS = tuple(re.compile(rf"{card}(?:{_GAP}{card}){{1,2}}") for card in (_CARD, _BACK))
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_NUMBER = re.compile(r"[0-9]{1,15}")
_NAMED = {
    "shoe": re.compile(r"(?i)(shoe|boot|sabot|schuh|zapato|шуз|башмак|靴|シュー|슈)([^0-9\s]{0,2}\s?)([0-9]{1,9})"),
    "table": re.compile(r"(?i)(table|tisch|mesa|tavolo|стол|桌|テーブル|테이블)([^0-9\s]{0,2}\s?)([0-9]{1,9})"),
}
_LEAST = 2  # lines alike


class Lines(NamedTuple):
    """A pattern for the lines of coups, the fields that it has, and how many of the lines seen it fits."""

    pattern: str
    fields: tuple[str, ...]
    fits: int


class _Coup(NamedTuple):
    """A line with two hands: where they stand, and the bracket before each."""

    text: str
    hands: tuple[re.Match[str], re.Match[str]]

    @property
    def brackets(self) -> tuple[str, str]:
        first, second = (self.text[hand.start() - 1 : hand.start()] for hand in self.hands)
        return first, second


def pattern_for(lines: Sequence[str], tableau: Tableau) -> Lines | None:
    """A pattern that takes these lines apart; null where too few of them have two hands of cards each."""
    coups = [coup for text in lines if len(text) <= LONGEST and (coup := _coup_in(text)) is not None]
    if len(coups) < _LEAST:
        return None
    of_kind = Counter(coup.brackets for coup in coups)
    brackets, _ = of_kind.most_common(1)[0]
    alike = [coup for coup in coups if coup.brackets == brackets]
    if len(alike) < _LEAST:
        return None
    hands = ("player", "banker") if _player_first(alike, tableau) else ("banker", "player")
    head = _named(alike)
    number = _coup_number(alike, [part for _, part in head])
    parts = [*sorted(head), *([number] if number is not None else [])]
    before = [part for _, part in sorted(parts)]
    body = [_hand(name, bracket) for name, bracket in zip(hands, brackets, strict=True)]
    pattern = ".*?".join([*before, *body])
    fits = sum(pattern_of(pattern).groups(text) is not None for text in lines)
    return Lines(pattern, pattern_of(pattern).names, fits)


def _coup_in(text: str) -> _Coup | None:
    for hand in _HANDS:
        found = list(hand.finditer(text))
        if len(found) == 2:
            return _Coup(text, (found[0], found[1]))
    return None


def _hand(name: str, bracket: str) -> str:
    """The part of a pattern that is a hand: all in its brackets, or a run of cards."""
    if bracket in _BRACKETS:
        inner = _BRACKETS[bracket].replace("]", r"\]")
        end = literal(_BRACKETS[bracket])
        return rf"{literal(bracket)}(?P<{name}>[^{inner}]*){end}"
    card = r"(?:10|[0-9AJQKTajqkt])[♠♥♦♣♤♡♢♧shdcSHDC]\x{fe0f}?"
    return rf"(?P<{name}>{card}(?:[ ,;|+-]{{0,3}}{card}){{1,2}})"


def _named(coups: Sequence[_Coup]) -> list[tuple[int, str]]:
    """Where a shoe or a table is named before the hands in every line, and the part of a pattern for it."""
    parts = []
    for field, name in _NAMED.items():
        found = [name.search(coup.text, 0, coup.hands[0].start()) for coup in coups]
        if all(match is not None and match[1] == (found[0] or match)[1] for match in found):
            first = found[0]
            assert first is not None
            parts.append((first.start(), rf"{literal(first[1])}[^0-9]{{0,3}}(?P<{field}>[0-9]+)"))
    return parts


def _coup_number(coups: Sequence[_Coup], taken: Sequence[str]) -> tuple[int, str] | None:
    """Where a number that rises from line to line stands before the hands, and the part of a pattern for it."""
    rows = [list(_NUMBER.finditer(coup.text, 0, coup.hands[0].start())) for coup in coups]
    for at in range(min(map(len, rows))):
        matches = [row[at] for row in rows]
        values = [int(match[0]) for match in matches]
        rises = sum(after > before for before, after in pairwise(values))
        if 10 * rises < 8 * (len(values) - 1):
            continue
        leads = {_lead(match) for match in matches}
        lead = leads.pop() if len(leads) == 1 else ""
        if lead or matches[0].start() == 0:
            begin = literal(lead) if lead else "^"
            if not any(begin and part.startswith(begin) for part in taken):
                return matches[0].start() - len(lead), f"{begin}(?P<coup>[0-9]+)"
    return None


def literal(text: str) -> str:
    """A text as a pattern has it."""
    return re.sub(r"([\\.^$|?*+()\[\]{}])", r"\\\1", text)


def _lead(number: re.Match[str]) -> str:
    """The signs right before a number, back to the last blank or digit."""
    before = number.string[: number.start()]
    found = re.search(r"[^\s0-9]{1,8}\s?\Z", before)
    return found[0] if found else ""


def _player_first(coups: Sequence[_Coup], tableau: Tableau) -> bool:
    """Whether the drawing rules deal more of the coups with the first hand for Player's."""
    hands = [[hand_codes(hand[0])[0] for hand in coup.hands] for coup in coups]
    shares = []
    for order in ((0, 1), (1, 0)):
        codes = np.full((len(hands), 8), NO_CARD, np.int8)
        for row, both in enumerate(hands):
            for side, hand in enumerate(order):
                for place, code in enumerate(both[hand][:3]):
                    codes[row, 2 * place + side] = code
        shares.append(lawful_share(codes, "places", tableau))
    return shares[0] >= shares[1]
