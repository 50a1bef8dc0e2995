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
_SURE = 2  # known headings, of which a row of headings has at least this number
_MOST_PASSED = 3  # wide rows with numbers that may be above the headings, as the day and the table in rows of their own
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
        cards = {
            part for hand in SIDES for name in card_columns(hand, self.names) for part in column_key(name).split(AND)
        }
        return len({column_key(name) for name in self.names} & self._known | cards)

    @cached_property
    def tells(self) -> bool:
        """Whether the headings name hands, winners or bets, as a table of coups or of bets does."""
        if all(card_columns(hand, self.names) for hand in SIDES):
            return True
        by_name = any(all(columns_of(field, self.names) for field in fields) for fields in _TOLD)
        return by_name or all(columns_of(field, self.names, bets=True) for field in _OF_BETS)


def first_row(rows: Sequence[Sequence[str]], known: frozenset[str]) -> HeadingRow:
    """The headings if the first row that is not blank has them. `rows`: the texts of the cells of a table's first rows.
    `known`: known headings in lower case."""
    return _with_parts(rows, next((at for at, row in enumerate(rows) if any(row)), 0), known)


def is_sound(row: HeadingRow, rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row has the headings: it has two that are known, or it names hands, winners or bets, and is not
    much narrower than most rows."""
    return row.known >= _SURE or (row.tells and 2 * _width(row.names) > _usual(rows))


def lower_row(rows: Sequence[Sequence[str]], known: frozenset[str]) -> HeadingRow | None:
    """The headings below titles, if the first row does not have them. None if there are none.

    These are the headings with the most known names, if there are three, or two that name hands, winners or bets.
    Otherwise they are the first row with more than half as many texts as most rows. A row of headings holds no numbers
    and no cards. No row above it has cards, and most rows below it have more than half as many texts.
    """
    first, usual = next((at for at, row in enumerate(rows) if any(row)), 0), _usual(rows)
    passed, found = 0, []
    for at, row in enumerate(rows):
        if at > first and any(row) and not _holds_data(row) and _fits_below(_width(row), rows[at + 1 :]):
            found.append(_with_parts(rows, at, known))
        passed += _holds_data(row) and 2 * _width(row) > usual
        if passed > _MOST_PASSED or any(map(_are_cards, row)):
            break
    best = max(found, key=lambda row: (row.tells, row.known), default=None)
    if best is not None and best.known >= (_SURE if best.tells else _SURE + 1):
        return best
    wide = next((at for at, row in enumerate(rows) if 2 * _width(row) > usual), first)
    return next((row for row in found if row.at == wide), None)


def _width(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def _usual(rows: Sequence[Sequence[str]]) -> int:
    """The number of texts that most rows have."""
    widths = Counter(width for row in rows if (width := _width(row)))
    return widths.most_common(1)[0][0] if widths else 0


def _fits_below(width: int, below: Sequence[Sequence[str]]) -> bool:
    """Whether most of the rows below have more than half as many texts. True if there are none."""
    widths = [of_row for row in below if (of_row := _width(row))]
    return 2 * sum(2 * of_row > width for of_row in widths) >= len(widths)


def _holds_data(row: Sequence[str]) -> bool:
    """Whether a row has a number or cards, which headings do not have."""
    return any(_NUMBER.fullmatch(text) or _are_cards(text) for text in row)


def _are_cards(text: str) -> bool:
    """Whether a text is cards with suits, or several cards with blanks between them. `q1` is no hand."""
    codes, bad = hand_codes(text) if len(text) < 40 else ([], [])
    return bool(codes) and not bad and (all(code < DECK for code in codes) or (len(codes) > 1 and " " in text))


def _with_parts(rows: Sequence[Sequence[str]], at: int, known: frozenset[str]) -> HeadingRow:
    """The row at this place as headings, with the rows below it that name the parts of its groups."""
    found = HeadingRow(at, rows[at], known)
    while found.last + 1 < len(rows) and len(set(found.names)) < len(found.names):
        below = rows[found.last + 1]
        joined = _joined(found.names, below)
        if (
            joined is None
            or all(part in ("", name) for name, part in zip(joined, below, strict=True))  # titles, and no groups
            or any(text not in ("1", "2", "3") and _holds_data([text]) for text in below)
        ):
            break
        longer = HeadingRow(at, joined, known, found.last + 1)
        if not _in_order(joined) or longer.known < found.known + _SURE or not longer.tells:
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
