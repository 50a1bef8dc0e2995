"""Find the row of headings in a table. Exports often have titles above it: the name of the report, the day, a row that
groups the columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from counting.logs.headings import SIDES, card_columns
from counting.logs.sources import column_key

TITLES = 20  # headings are looked for in this number of rows that are not blank
_SURE = 2  # this number of known headings more than in another row make a row the headings


class HeadingRow(NamedTuple):
    """The row of headings. `at`: its place among the rows. `names`: the headings. `known`: how many of them are
    known."""

    at: int
    names: list[str]
    known: int


def heading_row(rows: Sequence[Sequence[str]], known: frozenset[str]) -> HeadingRow:
    """The row of headings among a table's first rows, of which at least one is not blank. `rows`: the texts of their
    cells. `known`: known headings in lower case.

    It is the first row with more than half as many texts as the fullest row. Another row is taken if it has at least
    two known headings more. Where a heading comes more than once, or is empty, it is named with the text above it, as
    `Player` and `Card 1` in two rows become `Player Card 1`.
    """
    widths = [sum(map(bool, row)) for row in rows]
    full = next(at for at, width in enumerate(widths) if 2 * width > max(widths))
    found = [_named(rows, at, known) for at in range(len(rows))]
    best = max(found, key=lambda row: row.known)
    return best if best.known >= found[full].known + _SURE else found[full]


def _named(rows: Sequence[Sequence[str]], at: int, known: frozenset[str]) -> HeadingRow:
    """The row at this place as headings, with the groups in the row above if they make more names distinct."""
    names = list(rows[at])
    above = next((row for row in reversed(rows[:at]) if any(row)), None)
    if above is not None and len(set(names)) < len(names):
        joined, group = [], ""
        for name, text in zip_longest(names, above[: len(names)], fillvalue=""):
            group = text or group
            joined.append(f"{group} {name}".strip() if not name or names.count(name) > 1 else name)
        names = joined if len(set(joined)) > len(set(names)) else names
    cards = {column_key(name) for hand in SIDES for name in card_columns(hand, names)}
    return HeadingRow(at, names, len({column_key(name) for name in names} & known | cards))
