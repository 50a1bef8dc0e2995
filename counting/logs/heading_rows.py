"""Find the row of headings in a table. Exports often have titles above it: the name of the report, the day, a row that
groups the columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from counting.cards import DECK
from counting.logs.cards import hand_codes
from counting.logs.headings import SIDES, card_columns, columns_of
from counting.logs.sources import AND, column_key

TITLES = 20  # headings are looked for in this number of rows that are not blank
_SURE = 2  # headings known in a row beyond those of the first row, if neither row names hands, winners or bets
_MOST_PASSED = 3  # rows with numbers that may be above the headings, as the day and the table in rows of their own
_NUMBER = re.compile(r"[-+(]?[0-9][0-9.,:/'-]*[)%]?")
_TOLD = (("player", "banker"), ("cards",), ("winner",))  # fields of which a table of coups has one set
_OF_BETS = ("patron", "bet", "amount")


class HeadingRow:
    """A row as headings. `at`: its place among the rows. `names`: the headings, each in one line. `last`: the place of
    the last row of headings."""

    def __init__(self, at: int, names: Sequence[str], known: frozenset[str], last: int | None = None) -> None:
        self.at, self.last = at, at if last is None else last
        self.names = [" ".join(name.split()) for name in names]
        self._known = known

    @cached_property
    def known(self) -> int:
        """The number of known headings."""
        cards = {column_key(name) for hand in SIDES for name in card_columns(hand, self.names)}
        return len({column_key(name) for name in self.names} & self._known | cards)

    @cached_property
    def tells(self) -> bool:
        """Whether the headings name hands, winners or bets, as a table of coups or of bets does."""
        if all(card_columns(hand, self.names) for hand in SIDES):
            return True
        by_name = any(all(columns_of(field, self.names) for field in fields) for fields in _TOLD)
        return by_name or all(columns_of(field, self.names, bets=True) for field in _OF_BETS)


def heading_row(rows: Sequence[Sequence[str]], known: frozenset[str]) -> HeadingRow:
    """The row of headings among a table's first rows, none of which is blank. `rows`: the texts of their cells.
    `known`: known headings in lower case.

    The first row has the headings if it names hands, winners or bets. If it does not, a row further down is taken: one
    that names them, or that has two known headings more than the first, or the first row with more than half as many
    texts as most rows. A row that holds numbers or cards is never taken, nor a row below several such rows. Headings in
    two or more rows become one, as `Player` and `Card 1` become `Player Card 1`.
    """
    first = _with_parts(rows, 0, known)
    usual = Counter(sum(map(bool, row)) for row in rows).most_common(1)[0][0]
    if first.tells and 2 * sum(map(bool, first.names)) > usual:
        return first
    passed, found = 0, []
    for at, row in enumerate(rows):
        if at and not _holds_data(row):
            found.append(_with_parts(rows, at, known))
        passed += _holds_data(row) and 2 * sum(map(bool, row)) > usual
        if passed > _MOST_PASSED:
            break
    best = max(found, key=lambda row: (row.tells, row.known), default=first)
    if best.tells or best.known >= first.known + _SURE:
        return best
    wide = next(at for at, row in enumerate(rows) if 2 * sum(map(bool, row)) > usual)
    return next((row for row in found if row.at == wide), first)


def _holds_data(row: Sequence[str]) -> bool:
    """Whether a row has a number or a hand of cards, which headings do not have."""
    return any(_NUMBER.fullmatch(text) or _are_cards(text) for text in row)


def _are_cards(text: str) -> bool:
    codes, bad = hand_codes(text) if len(text) < 40 else ([], [])
    return len(codes) > 1 and not bad and (" " in text or all(code < DECK for code in codes))  # q1 is no hand


def _with_parts(rows: Sequence[Sequence[str]], at: int, known: frozenset[str]) -> HeadingRow:
    """The row at this place as headings, with the rows below it that name the parts of its groups."""
    found = HeadingRow(at, rows[at], known)
    while found.last + 1 < len(rows) and len(set(found.names)) < len(found.names):
        below = rows[found.last + 1]
        joined = _joined(found.names, below)
        if (
            joined is None
            or joined == list(below)
            or any(text not in ("1", "2", "3") and _holds_data([text]) for text in below)
        ):
            break
        longer = HeadingRow(at, joined, known, found.last + 1)
        if len(set(joined)) <= len(set(found.names)) or not _in_order(joined) or longer.known < found.known:
            break
        if found.tells and not longer.tells:
            break
        found = longer
    return found


def _joined(upper: Sequence[str], lower: Sequence[str]) -> list[str] | None:
    """The headings of two rows as one. A group is a text with empty cells to its right, or a text that comes again
    there. Its name is put before a part that several groups have. None if a text that is no group has a text below, as
    titles have."""
    if len(upper) != len(lower):
        return None
    names, group = [], ""
    for at, (name, part) in enumerate(zip(upper, lower, strict=True)):
        if name:
            is_group = name in upper[max(0, at - 1) : at] or any(
                after in ("", name) for after in upper[at + 1 : at + 2]
            )
            group = name if is_group else ""
            if part and not group:
                return None
        if not part:
            names.append(name)
        else:
            names.append(f"{group} {part}" if group and lower.count(part) > 1 else part)
    return names


def _in_order(names: Sequence[str]) -> bool:
    """Whether the columns of each hand's cards are in order. They are not if a group's name is above its middle."""
    place = {name: at for at, name in reversed([*enumerate(names)])}
    hands = [[part for name in card_columns(hand, names) for part in (name, *name.split(AND))] for hand in SIDES]
    places = [[place[part] for part in parts if part in place] for parts in hands]
    return all(of_hand == sorted(of_hand) for of_hand in places)
