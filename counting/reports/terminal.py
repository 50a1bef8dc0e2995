"""Print a page's tables on a terminal, with the same columns, headings and cells, within the terminal's width."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any

from markupsafe import Markup

from counting.errors import printable
from counting.io.tables import Format, Rows, cell, left_out, put, terminal_width
from counting.reports.headings import column_heading
from counting.reports.numbers import figure
from counting.reports.pages import Report, Section
from counting.reports.workbook import is_share

_GAP = 2  # characters between columns
_AS_GIVEN = ("trigger",)  # columns whose numbers are printed unrounded
_FEW = 8  # a table of at most this many rows may be transposed to fit
_SHORT = 14  # a name of at most this many characters is not broken into lines
_FIXED, _NEW_LINE = "\N{NO-BREAK SPACE}", "\n"

Grid = Sequence[Sequence[str]]


def tables_of(report: Report, titles: Collection[str]) -> str:
    """The tables of the report's sections with these titles. Empty tables are left out."""
    return "\n".join(section_table(each) for each in report.sections if each.title in titles and each.rows)


def section_table(section: Section) -> str:
    """A section's title and table, at the terminal's width. In a pipe, every row is one line."""
    rows = [[printable(Markup.striptags(each) if isinstance(each, Markup) else str(each)) for each in row]
            for row in section.rows]  # fmt: skip
    labels = range(len(section.columns) if section.words else section.labels)
    return f"{section.title}\n\n{table(section.columns, rows, labels, terminal_width())}"


def put_table(
    rows: Rows, data: object, format: Format, headings: Mapping[str, str] | None = None, shares: Collection[str] = ()
) -> None:
    """Print like `put`, except that the format "table" is printed by `rows_table`."""
    if format == "table":
        print(rows_table(rows, headings, shares), end="")
    else:
        put(rows, data, format)


def rows_table(rows: Rows, headings: Mapping[str, str] | None = None, shares: Collection[str] = ()) -> str:
    """A table with each value and its standard error in one column, as `value ± error`. Shares are in percent.
    `headings`: the heading of each shown column, by its name; without them, all columns are shown, under their names in
    words. `shares`: columns that are shares, besides those whose names show it."""
    if not rows:
        return "nothing\n"
    names = [name for name in headings or rows[0] if name in rows[0] and not name.endswith("_se")]
    labels = {i for i, name in enumerate(names) if all(isinstance(row[name], str | None) for row in rows)}
    cells = [[_cell(name, row, name in shares or is_share(name)) for name in names] for row in rows]
    columns = [(headings or {}).get(name, column_heading(name)) for name in names]
    return table(columns, cells, labels, terminal_width())


def _cell(name: str, row: Mapping[str, Any], in_percent: bool) -> str:
    value, error = row[name], row.get(f"{name}_se")
    if name == "z" and isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float) or not math.isfinite(value) or name in _AS_GIVEN:
        return cell(value)
    return f"{figure(100 * value, error and 100 * error)}%" if in_percent else figure(value, error)


def table(columns: Sequence[str], rows: Grid, labels: Collection[int] = (0,), width: int | None = None) -> str:
    """A table with aligned columns and headings in several lines. `labels`: the columns that are aligned left.

    If the columns do not fit in `width` characters, standard errors are put below their values. If this is not enough,
    a table of few rows is transposed. If that does not fit either, or there are many rows, only the first columns are
    written, and a note names the others.
    """
    grid = [list(columns), *map(list, rows)]
    if width is None:
        return _lines(grid, [max(map(len, column)) for column in zip(*grid, strict=True)], labels)
    for broken in (False, True):
        cells = _pieces(grid, broken)
        if widths := _widths(cells, width):
            return _lines(cells, widths, labels)
    for broken in (False, True) if len(rows) <= _FEW else ():
        turned = _pieces([list(column) for column in zip(*grid, strict=True)], broken)
        if widths := _widths(turned, width):
            return _lines(turned, widths, range(len(widths)))
    cells = _pieces(grid, True)
    kept = next(n for n in range(len(columns), 0, -1) if n == 1 or _widths([row[:n] for row in cells], width))
    first = [row[:kept] for row in cells]
    widths = _widths(first, width) or [width]
    return _lines(first, widths, labels) + left_out(columns[kept:], width)


def _pieces(grid: Grid, broken: bool) -> list[list[str]]:
    """The cells, prepared for breaking into lines: a standard error stays on the line of its value or, if `broken`,
    begins a second line."""
    sign = f"{_NEW_LINE if broken else _FIXED}±{_FIXED}"
    return [[cell.replace(" ± ", sign) for cell in row] for row in grid]


def _widths(grid: Grid, width: int) -> list[int]:
    """The widths of the columns that give the fewest lines; empty if even the least widths do not fit."""
    columns = list(zip(*grid, strict=True))
    widths = list(map(_least_of, columns))
    spare = width - sum(widths) - _GAP * (len(widths) - 1)
    if spare < 0:
        return []
    lines = [_height(column, widths[i]) for i, column in enumerate(columns)]
    for _ in range(spare):
        highest = max(range(len(columns)), key=lines.__getitem__)
        if lines[highest] == (1, 1):
            break
        widths[highest] += 1
        lines[highest] = _height(columns[highest], widths[highest])
    return [_narrowest(column, width) for column, width in zip(columns, widths, strict=True)]


def _narrowest(column: Sequence[str], width: int) -> int:
    """The least width at which a column has no more lines than at `width`."""
    lines = _height(column, width)
    return next(each for each in range(_least_of(column), width + 1) if _height(column, each) == lines)


def _least_of(column: Sequence[str]) -> int:
    return max(_least(column[0]), *(_least(cell, _SHORT) for cell in column[1:]), 1)


def _least(text: str, short: int = 0) -> int:
    """The least width of a text: its longest word, or the whole text if it is short."""
    parts = text.split(_NEW_LINE) if len(text) <= short else re.split(f"[ {_NEW_LINE}]", text)
    return max(map(len, parts))


def _height(column: Sequence[str], width: int) -> tuple[int, int]:
    """Two numbers: the most lines of a cell in the column, and the lines of its heading."""
    head, *cells = (len(_broken(cell, width)) for cell in column)
    return max(cells, default=1), head


def _broken(text: str, width: int) -> list[str]:
    lines = (wrap(part, width, break_on_hyphens=False, break_long_words=False) for part in text.split(_NEW_LINE))
    return [line for part in lines for line in part] or [""]


def _lines(grid: Grid, widths: Sequence[int], labels: Collection[int]) -> str:
    def row(cells: Sequence[str], to_the_foot: bool = False) -> list[str]:
        parts = [_broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
        height = max(map(len, parts))
        if to_the_foot:
            parts = [[""] * (height - len(part)) + part for part in parts]
        return [
            (" " * _GAP)
            .join(text.ljust(widths[i]) if i in labels else text.rjust(widths[i]) for i, text in enumerate(line))
            .rstrip()
            for line in zip_longest(*parts, fillvalue="")
        ]

    head, *rows = grid
    rule = (" " * _GAP).join("-" * width for width in widths)
    listed = [*row(head, to_the_foot=True), rule, *(line for cells in rows for line in row(cells))]
    return "\n".join(listed).replace(_FIXED, " ") + "\n"
