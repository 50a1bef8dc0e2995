"""Write tables into the Markdown files of experiments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from string import Formatter
from typing import Any

import polars as pl


def put(path: Path, columns: Sequence[str], rows: Iterable[Sequence[str]], name: str = "table") -> None:
    """Put a table after the mark `<!-- name -->` in a Markdown file. A table that is there is replaced."""
    lines = ["| " + " | ".join(columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    table = "".join(f"{line}\n" for line in lines)
    head, mark, rest = path.read_text().partition(f"<!-- {name} -->\n")
    if not mark:
        raise ValueError(f"{path}: has no mark <!-- {name} -->")
    after = re.sub(r"\A\n*(\|.*\n)*\n*", "", rest)
    path.write_text(f"{head}{mark}\n{table}" + (f"\n{after}" if after else ""))


def put_frame(path: Path, columns: Mapping[str, str], frame: pl.DataFrame, name: str = "table") -> None:
    """Put a frame into a Markdown file as a table (see `put`). `columns`: for each heading, the format string that
    makes the cell from a row. A cell is `none` if a value is missing."""
    put(path, list(columns), [[_cell(how, row) for how in columns.values()] for row in frame.to_dicts()], name)


def _cell(how: str, row: Mapping[str, Any]) -> str:
    fields = [field for _, field, _, _ in Formatter().parse(how) if field]
    return "none" if any(row[field] is None for field in fields) else how.format(**row)
