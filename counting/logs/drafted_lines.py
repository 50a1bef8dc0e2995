"""Patterns for lines of text, such as chat messages, found from the first lines. There is a pattern for lines with two
hands of cards, and one for lines that begin a shoe."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import polars as pl

from counting.games import Tableau
from counting.logs.cards import hand_codes, value_of
from counting.logs.deal_order import lawful_share, places_of
from counting.logs.layouts import HANDS
from counting.logs.patterns import LONGEST, WINNER, pattern_of
from counting.logs.shoe_lines import shoe_pattern_of

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
_LEAST = 2  # a pattern is made from at least this number of lines
_MARKS = "✅✔☑🏆🥇👑⭐🌟🔥🟢💰*"
_SURE = 0.9  # marks mean the winner if, in this share of lines or more, they are at the hand with the higher total
_NEW = r"new|next|fresh|start|begin|open|neuer|neue|nouveau|nuevo|nuova|nuovo|novo|nova|новый|новая|新|새"
_SHOE = r"shoe|boot|sabot|schuh|zapato|zapata|sapato|шуз|башмак|靴|シュー|슈"
_SHUFFLE = r"(?:re-?)?shuffl\w*|gemischt|mischen|mélange\w*|baraj\w*|mescola\w*|тасов\w*|洗牌|シャッフル|셔플"
_BEGINS = re.compile(
    rf"(?i)(?:(?:{_NEW})[\s:#-]{{0,3}})?(?:{_SHOE})(?:[\s:#№.-]{{0,4}}(?P<shoe>[0-9]{{1,9}}))?|(?:{_SHUFFLE})"
)


class LinePattern(NamedTuple):
    """The patterns for a text file's lines. `pattern` is for the lines of coups, and `shoe_line` for the lines that
    begin a shoe. `shoe_line` is None if coups name their shoe, or if no line begins a shoe. `others` are the kinds of
    other lines, the commonest first: for each, the number of lines and the first line."""

    pattern: str
    shoe_line: str | None
    others: tuple[tuple[int, str], ...]


class _CoupLine(NamedTuple):
    """A line with two hands: the text, and the match of each hand in it."""

    text: str
    hands: tuple[re.Match[str], re.Match[str]]

    @property
    def brackets(self) -> tuple[str, str]:
        first, second = (self.text[hand.start() - 1 : hand.start()] for hand in self.hands)
        return first, second


def pattern_for(lines: Sequence[str], tableau: Tableau) -> LinePattern | None:
    """A pattern that splits these lines into fields; None if too few of them have two hands of cards."""
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
    number = _coup_number(alike, head)
    parts = [*sorted(head), *([number] if number is not None else [])]
    before = [part for _, part in sorted(parts)]
    plain = _pattern(before, hands, brackets)
    marked = (
        _pattern(before, hands, brackets, mark, is_before) for mark in _marks(alike) for is_before in (True, False)
    )
    pattern = next((each for each in marked if _marks_winners(each, [coup.text for coup in alike])), plain)
    rows = pattern_of(pattern).rows(lines)
    unread = [text for text, row in zip(lines, rows, strict=True) if row is None]
    has_shoes = "shoe" in pattern_of(pattern).names
    shoe_line = None if has_shoes else _shoe_line(unread)
    if shoe_line is not None:
        begun = shoe_pattern_of(shoe_line, pattern).begun(pl.Series(unread))
        unread = [text for text, line in zip(unread, begun, strict=True) if line is None]
    return LinePattern(pattern, shoe_line, _kinds(unread))


def _pattern(
    before: Sequence[str], hands: Sequence[str], brackets: Sequence[str], mark: str = "", is_before: bool = True
) -> str:  # fmt: skip
    """A pattern for the parts `before` the hands, then both hands. If there is a `mark`, it may be before or after
    either hand, and means that this hand won."""
    body = []
    for name, bracket in zip(hands, brackets, strict=True):
        won = rf"(?P<{name}_won>{literal(mark)})?\x{{fe0f}}?" if mark else ""
        hand = _hand(name, bracket)
        body.append((rf"{won}\s?[0-9]{{0,2}}\s?{hand}" if is_before else rf"{hand}\s?{won}") if mark else hand)
    return ".*?".join([*before, *body])


def _marks(coups: Sequence[_CoupLine]) -> list[str]:
    """The signs in these lines that may mark a winner, the commonest first."""
    found = Counter(sign for coup in coups for sign in set(coup.text) & set(_MARKS))
    return [mark for mark, number in found.most_common() if number >= _LEAST]


def _marks_winners(pattern: str, texts: Sequence[str]) -> bool:
    """Whether the marks in a pattern are marks of the winner. Some lines must mark Player and some must mark Banker,
    and nearly always the marked hand must have the higher total."""
    won = []
    for groups in pattern_of(pattern).rows(texts):
        if groups is None:
            return False
        if groups[WINNER] in HANDS:
            player, banker = (sum(value_of(code) or 0 for code in hand_codes(groups[hand])[0]) % 10 for hand in HANDS)
            won.append((groups[WINNER], groups[WINNER] == ("player" if player > banker else "banker")))
    return len({side for side, _ in won}) == len(HANDS) and sum(right for _, right in won) >= _SURE * len(won)


def _shoe_line(texts: Sequence[str]) -> str | None:
    """A pattern for the commonest lines that begin a shoe. Such a line numbers a shoe, reports a new shoe, or reports a
    shuffle. In choosing the commonest lines, each line that gives a shoe's number is counted twice. None if no line
    begins a shoe."""
    found = Counter[tuple[bool, str]]()
    for text in texts:
        match = _BEGINS.search(text)
        if match is None or len(text) > LONGEST:
            continue
        named = match["shoe"] is not None
        words = match.string[match.start() : match.start("shoe") if named else match.end()]
        if named or not re.fullmatch(rf"(?i){_SHOE}", words):  # the word "shoe" alone may be chat
            found[named, f"{literal(words)}{'(?P<shoe>[0-9]+)' * named}"] += 1
    return max(found, key=lambda each: found[each] * (1 + each[0]))[1] if found else None


def _kinds(texts: Sequence[str]) -> tuple[tuple[int, str], ...]:
    """The kinds of these lines, each with its number of lines and its first line. Lines of a kind differ only in
    numbers and in words with digits."""
    kinds: dict[str, list[str]] = {}
    for text in texts:
        kinds.setdefault(re.sub(r"\w*[0-9]\w*", "0", text[:LONGEST]).strip(), []).append(text.strip())
    return tuple(sorted(((len(alike), alike[0]) for alike in kinds.values()), key=lambda kind: -kind[0]))


def _coup_in(text: str) -> _CoupLine | None:
    for hand in _HANDS:
        found = list(hand.finditer(text))
        if len(found) == 2:
            return _CoupLine(text, (found[0], found[1]))
    return None


def _hand(name: str, bracket: str) -> str:
    """The part of a pattern for a hand: everything within brackets, or two or three cards in a row."""
    if bracket in _BRACKETS:
        inner = _BRACKETS[bracket].replace("]", r"\]")
        end = literal(_BRACKETS[bracket])
        return rf"{literal(bracket)}(?P<{name}>[^{inner}]*){end}"
    card = r"(?:10|[0-9AJQKTajqkt])[♠♥♦♣♤♡♢♧shdcSHDC]\x{fe0f}?"
    return rf"(?P<{name}>{card}(?:[ ,;|+-]{{0,3}}{card}){{1,2}})"


def _named(coups: Sequence[_CoupLine]) -> list[tuple[int, str]]:
    """The parts of a pattern for a shoe and for a table, if every line names them before the hands. Each part comes
    with its place in the first line."""
    parts = []
    for field, name in _NAMED.items():
        found = [name.search(coup.text, 0, coup.hands[0].start()) for coup in coups]
        if all(match is not None and match[1] == (found[0] or match)[1] for match in found):
            first = found[0]
            assert first is not None
            parts.append((first.start(), rf"{literal(first[1])}[^0-9]{{0,3}}(?P<{field}>[0-9]+)"))
    return parts


def _coup_number(coups: Sequence[_CoupLine], taken: Sequence[tuple[int, str]]) -> tuple[int, str] | None:
    """The part of a pattern for the coup's number, with its place in the first line. The coup's number is taken to be a
    number before the hands that rises from one line to the next in at least 80% of cases, and that the part finds in
    every line. None if there is no such number. `taken`: the parts that were found, each with its place."""
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
            if not any(begin and part.startswith(begin) for _, part in taken):
                place = matches[0].start() - len(lead)
                before = [part for at, part in sorted(taken) if at < place]
                pattern = re.compile(".*?".join([*before, f"{begin}(?P<coup>[0-9]+)"]))
                found = [pattern.search(coup.text) for coup in coups]
                if all(first and first["coup"] == match[0] for first, match in zip(found, matches, strict=True)):
                    return place, f"{begin}(?P<coup>[0-9]+)"
    return None


def literal(text: str) -> str:
    """The text with the special characters of patterns escaped."""
    return re.sub(r"([\\.^$|?*+()\[\]{}])", r"\\\1", text)


def _lead(number: re.Match[str]) -> str:
    """The characters right before a number: at most eight that are neither blanks nor digits, and a blank after them if
    there is one."""
    before = number.string[: number.start()]
    found = re.search(r"[^\s0-9]{1,8}\s?\Z", before)
    return found[0] if found else ""


def _player_first(coups: Sequence[_CoupLine], tableau: Tableau) -> bool:
    """Whether the first hand is Player's. True unless more coups agree with the drawing rules when the first hand is
    taken for Banker's."""
    first, second = ([hand_codes(coup.hands[at][0])[0] for coup in coups] for at in range(2))
    shares = [lawful_share(places_of(*hands), "places", tableau) for hands in ((first, second), (second, first))]
    return shares[0] >= shares[1]
