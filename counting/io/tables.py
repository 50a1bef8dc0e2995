"""Print rows on stdout: as a table for a person, as CSV for a spreadsheet, or as JSON for a program."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from itertools import zip_longest
from shutil import get_terminal_size
from textwrap import fill, wrap
from typing import Any, Literal

from counting.errors import printable

Format = Literal["table", "json", "csv"]
FORMULA = "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
"""If a cell begins with one of these characters, a spreadsheet takes it for a formula. Some programs also accept
full-width signs."""

_FEW = 8  # up to this number of rows, a wide table is written with one column per line
_WORDY = 20  # columns wider than this, in characters, are left out first
_PLAIN = frozenset([str, int, float, bool, type(None)])
_NARROWEST = 20  # the least width of a value, in characters, if each column is on its own line

Rows = Sequence[Mapping[str, Any]]


def cell(value: object) -> str:
    """A value as text: a float with six significant digits, and an empty text for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{value:.6g}"
    return printable(str(value))


def percent(share: float | None, digits: int = 2) -> str:
    return "" if share is None else f"{100 * share:.{digits}f}%"


def as_table(rows: Rows, width: int | None = None) -> str:
    """A table with aligned columns: numbers to the right, words to the left. A table wider than `width` is written with
    one column per line if it has few rows, or if fewer than two columns fit. Otherwise only the columns that fit are
    written, and a note names the others."""
    if not rows:
        return "nothing\n"
    table = _lined_up(rows)
    if width is None or _width(table) <= width:
        return table
    names = _main_columns(rows, width)
    if len(rows) <= _FEW or len(names) < 2:
        return "\n".join(_record(row, width) for row in rows)
    return _lined_up(_columns(rows, names)) + left_out([name for name in rows[0] if name not in names], width)


def left_out(columns: Sequence[str], width: int) -> str:
    """The note below a table on the columns that do not fit in `width` characters."""
    others = ", ".join(columns)
    note = f"The terminal is {width} characters wide, so these columns are left out: {others}. --format json has them."
    return fill(note, width, break_on_hyphens=False) + "\n"


def _main_columns(rows: Rows, width: int) -> list[str]:
    """The columns that fit into `width`. Wide columns are left out first, except the first two columns; then columns
    from the right are left out."""
    names = list(rows[0])
    widths = {name: _width(_lined_up(_columns(rows, [name]))) for name in names}
    wordy = [name for name in names[2:] if widths[name] > _WORDY]
    for name in (*sorted(wordy, key=lambda name: -widths[name]), *reversed(names)):
        if name in names and sum(widths[kept] + 2 for kept in names) - 2 > width:
            names.remove(name)
    return names


def terminal_width() -> int | None:
    """The width of the terminal; None if stdout is a pipe or a file."""
    return get_terminal_size().columns if sys.stdout.isatty() else None


def for_terminal(rows: Rows) -> str:
    """The table that `as_table` makes, fitted to the width of the terminal if there is one."""
    return as_table(rows, terminal_width())


def prose(*paragraphs: str) -> str:
    """Paragraphs, wrapped to the width of the terminal if there is one."""
    width = terminal_width()
    if width is None:
        return "\n".join(paragraphs)
    lines = [line for paragraph in paragraphs for line in paragraph.split("\n")]
    fixed = (line.replace(" ± ", "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}") for line in lines)
    return "\n".join(fill(line, width, break_on_hyphens=False) for line in fixed).replace("\N{NO-BREAK SPACE}", " ")


def _width(table: str) -> int:
    return max(map(len, table.split("\n")))


def _columns(rows: Rows, names: Sequence[str]) -> Rows:
    return [{name: row[name] for name in names} for row in rows]


def _record(row: Mapping[str, Any], width: int) -> str:
    """A row with one column per line. Long values continue on the next lines."""
    left = max(map(len, row))
    text = ""
    for name, value in row.items():
        lines = wrap(cell(value), max(width - left - 2, _NARROWEST), break_on_hyphens=False) or [""]
        text += "".join(
            f"{head:<{left}}  {line}".rstrip() + "\n" for head, line in zip_longest([name], lines, fillvalue="")
        )
    return text


def _lined_up(rows: Rows) -> str:
    names = list(rows[0])
    lines = [[cell(row[name]) for name in names] for row in rows]
    right = [all(isinstance(row[name], int | float | None) for row in rows) for name in names]
    widths = [max(len(name), *(len(line[i]) for line in lines)) for i, name in enumerate(names)]

    def line(fields: Sequence[str]) -> str:
        padded = (f.rjust(w) if r else f.ljust(w) for f, w, r in zip(fields, widths, right, strict=True))
        return "  ".join(padded).rstrip() + "\n"

    return "".join([line(names), *map(line, lines)])


def as_csv(rows: Rows, columns: Sequence[str] = ()) -> str:
    """Rows as CSV, with a header. If a spreadsheet would take a cell for a formula, an apostrophe is put before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if columns or rows:
        writer.writerow(columns or list(rows[0]))
    writer.writerows([_plain(value) if isinstance(value, str) else value for value in row.values()] for row in rows)
    return out.getvalue()


def _plain(text: str) -> str:
    formula = text[:1] in tuple(FORMULA + "\t\r") and not re.fullmatch(r"-[0-9./]+", text)
    return "'" + text if formula else text


def as_html(rows: Rows, title: str = "") -> str:
    """A plain HTML table for a notebook, with a title above it. Values are written as in `as_table`."""
    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell(row[name]))}</td>" for name in names) + "</tr>" for row in rows)
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_json(data: object) -> str:
    """Data as JSON. Infinity and NaN, which stand for unknown values and missing limits, become null."""
    return _indented(data, "\n") + "\n"


def _indented(data: Any, margin: str) -> str:
    """The JSON of `json.dumps` with an indent of 2. `margin`: a line break and the indent of the data's last line. A
    row of plain values is written in one call without an indent, which is twice as fast as with one."""
    inner = margin + "  "
    if not isinstance(data, dict | list | tuple) or not data:
        return json.dumps(_finite(data), allow_nan=False)
    if not _PLAIN.issuperset(map(type, data.values() if isinstance(data, dict) else data)):
        if isinstance(data, dict):
            parts = [f"{json.dumps(_key(key))}: {_indented(value, inner)}" for key, value in data.items()]
            return f"{{{inner}{f',{inner}'.join(parts)}{margin}}}"
        return f"[{inner}{f',{inner}'.join([_indented(value, inner) for value in data])}{margin}]"
    separators = f",{inner}", ": "
    try:
        text = json.dumps(data, separators=separators, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(data), separators=separators, allow_nan=False)
    return f"{text[0]}{inner}{text[1:-1]}{margin}{text[-1]}"


def _key(key: object) -> str:
    """A key of an object as a text."""
    return key if isinstance(key, str) else json.dumps(key)


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def put(rows: Rows, data: object, format: Format, columns: Sequence[str] = ()) -> None:
    """Print `rows` as a table or as CSV, or `data` as JSON. `columns`: the header of CSV, needed if there may be no
    rows."""
    if format == "json":
        sys.stdout.write(as_json(data))
    else:
        sys.stdout.write(as_csv(rows, columns) if format == "csv" else for_terminal(rows))
