"""Rows of figures to a person, a spreadsheet or a program: `table`, `csv` or `json`, on stdout."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

from counting.errors import printable

Format = Literal["table", "json", "csv"]
FORMULA = "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
"""First characters of a spreadsheet's formula; some programs take the full-width signs for the plain ones."""

Rows = Sequence[Mapping[str, Any]]


def cell(value: object) -> str:
    """A figure as a person reads it: six significant digits, empty for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "nan" if math.isnan(value) else f"{value:.6g}"
    return printable(str(value))


def percent(share: float | None, digits: int = 2) -> str:
    return "" if share is None else f"{100 * share:.{digits}f}%"


def as_table(rows: Rows) -> str:
    """Columns lined up, figures to the right, words to the left."""
    if not rows:
        return "nothing\n"
    names = list(rows[0])
    lines = [[cell(row[name]) for name in names] for row in rows]
    right = [all(isinstance(row[name], int | float | None) for row in rows) for name in names]
    widths = [max(len(name), *(len(line[i]) for line in lines)) for i, name in enumerate(names)]

    def line(fields: Sequence[str]) -> str:
        padded = (f.rjust(w) if r else f.ljust(w) for f, w, r in zip(fields, widths, right, strict=True))
        return "  ".join(padded).rstrip() + "\n"

    return "".join([line(names), *map(line, lines)])


def as_csv(rows: Rows, columns: Sequence[str] = ()) -> str:
    """A header, then one line per row; cells that a spreadsheet would take for a formula are quoted as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    if columns or rows:
        writer.writerow(columns or list(rows[0]))
    writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return out.getvalue()


def _plain(value: object) -> object:
    if isinstance(value, str) and value and value[0] in FORMULA + "\t\r" and not re.fullmatch(r"-[0-9./]+", value):
        return "'" + value
    return value


def as_html(rows: Rows, title: str = "") -> str:
    """A plain table for a notebook, with a line above it: figures as `as_table` has them."""
    names = list(rows[0]) if rows else []
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell(row[name]))}</td>" for name in names) + "</tr>" for row in rows)
    return f"<p>{escape(title)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_json(data: object) -> str:
    """As JSON, which has no infinity: an unknown figure, or a limit that does not exist, is null."""
    return json.dumps(_finite(data), indent=2, allow_nan=False) + "\n"


def _finite(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def put(rows: Rows, data: object, format: Format, columns: Sequence[str] = ()) -> None:
    """Print rows as a table or as CSV, or the whole data as JSON. `columns`: CSV's header, for when there are no
    rows."""
    if format == "json":
        sys.stdout.write(as_json(data))
    else:
        sys.stdout.write(as_csv(rows, columns) if format == "csv" else as_table(rows))
