"""The columns of a log's file, as texts, in pieces. The file is CSV, JSON, JSON lines, Parquet, Excel or SQLite.

`open_source` finds out the form by the content. A source is read once, in pieces of bounded size. Its sample, the first
thousand rows, may be read before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.remarks import Reason, short

SAMPLE = 1000  # rows
AND = "+"  # between the columns of a card's rank and of its suit
Column = str | int  # a column's name in the file, or its place in the file
Skipped = tuple[int, str, Reason]  # the number of a line, how it begins, and why it is skipped
Skip = Callable[[Sequence[Skipped]], None]


class Source(ABC):
    """A file: its `path`, the `names` of its columns, and the number of the line with these names, `top`."""

    path: Path
    names: list[str]
    top = 1
    look = ""  # what the file looks like, in words, if this is reported
    nested = False  # its columns are paths in records

    @abstractmethod
    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        """The first rows: `line`, and the trimmed texts of the columns, under the names given for them."""

    @abstractmethod
    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        """All rows, in the form of `sample`. A line without fields is passed to `skip`. `numbers`: the columns that may
        be numbers."""

    def column(self, name: str) -> str | None:
        """The file's name of a column, whatever its case and the blanks around it; None if there is no such column."""
        try:
            return self.names[self.plain_names.index(column_key(name))]
        except ValueError:
            return None

    @cached_property
    def plain_names(self) -> list[str]:
        return list(map(column_key, self.names))

    def has(self) -> str:
        return short(", ".join(map(column_key, self.names)), 160)


def column_key(column: str) -> str:
    return column.strip().lower()


def open_source(
    path: Path, known: frozenset[str], rows: str | None = None, separator: str | None = None,
    encoding: str | None = None, names: Sequence[str] = (),
) -> Source:  # fmt: skip
    """A file's source, by its content. `known`: names of columns, by which the mark between fields is found. `rows`:
    the table, sheet or path of the records. `names`: names for the columns of a file that does not name them.

    Raises `InputError` for a file of none of these forms.
    """
    from counting.logs import csv_files, json_files, parquet_files, tables
    from counting.logs.roads import Roads, are_roads
    from counting.logs.texts import beginning, pieces_of

    start = beginning(path)
    if start.startswith(b"PAR1") or (path.suffix.lower() in (".parquet", ".pq") and start.strip()):
        return parquet_files.Parquet(path)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for kind, marks in NO_TABLES.items():
        if start.startswith(marks) or text.startswith(marks):
            raise no_table(path, kind)
    if start.startswith(b"SQLite format 3\0"):
        return tables.database(path, rows, known)
    if start.startswith(b"PK\x03\x04"):
        return tables.workbook_source(path, rows, known)
    if is_json(start.replace(b"\0", b"").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff")):
        return json_files.open_json(path, rows, encoding, names, known)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        raise InputError(f"{path}: an Excel file of before 2007, should be saved as .xlsx or CSV")
    if not names and are_roads(start):
        return Roads(path, pieces_of(path, encoding))
    return csv_files.Csv(path, pieces_of(path, encoding), known, separator, names)


NO_TABLES: Mapping[str, tuple[bytes, ...]] = {
    "a PDF": (b"%PDF-",),
    "an image": (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"),
    "a web page": (b"<!doctype html", b"<html"),
    "a text document": (b"{\\rtf",),
}
"""Files that hold no table, and how each begins."""


def no_table(path: Path, kind: str) -> InputError:
    """The error line for a file that holds no table."""
    return InputError(f"{path}: this is {kind}, should be the table: CSV, Excel, JSON")


def source_of(
    name: str, lines: Sequence[bytes], known: frozenset[str], separator: str | None = None, names: Sequence[str] = (),
    rows: str | None = None,
) -> Source:  # fmt: skip
    """The first lines of an input, in UTF-8, as a source. `name` is used in error lines."""
    from counting.logs import csv_files, json_files

    pieces = iter([b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines)])
    if is_json(lines[0]):
        return json_files.Json(Path(name), json_files.json_lines(pieces), rows, names, known)
    return csv_files.Csv(Path(name), pieces, known, separator, names)


def is_json(line: bytes) -> bool:
    """Whether a line in UTF-8 begins as JSON does."""
    return line.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
