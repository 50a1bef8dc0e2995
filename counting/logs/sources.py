"""Sources: the columns of a log's file as texts, whether the file is CSV, JSON, JSON lines, Parquet, Excel, SQLite, a
road, lines with a pattern, or the frames of an electronic shoe.

`open_source` recognises the form from the file's content, and a damaged Parquet file from its name. A source is read
once, in pieces. Before that, its first thousand rows may be read as a sample.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.remarks import Reason, short

SAMPLE = 1000  # rows of a sample
AND = "+"  # joins the names of two columns, for a card's rank and its suit
Column = str | int  # a column's name in the file, or its place in the file
Skipped = tuple[int, str, Reason]  # the number of a line, its first characters, and why it has a remark
Skip = Callable[[Sequence[Skipped]], None]


class Source(ABC):
    """A file that is being read. `names`: the names of its columns. `top`: the number of the line with these names.
    `above`: the number and the text of the first line above it; (0, "") if there is none."""

    path: Path
    names: list[str]
    top = 1
    above = (0, "")
    look = ""  # a sentence on the form of the file, if it is to be reported
    nested = False  # if True, columns that are not read get no remark, as for paths in JSON records

    @abstractmethod
    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        """The first rows. The frame has `line`, and a column of trimmed texts for each item of `columns`: the key is
        the new name, and the value is the file's name."""

    @abstractmethod
    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        """All rows, in frames like the one from `sample`. Lines that cannot be split are passed to `skip`. `numbers`:
        the columns that may have numbers in place of texts."""

    def column(self, name: str) -> str | None:
        """The file's own spelling of a column's name. Upper and lower case, and blanks around the name, do not matter.
        None if there is no such column."""
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
    """A source for a file, whose form is recognised from its content. `known`: names of columns to look for, which
    decide the separator, the table or the records. `rows`: the table, the sheet, or the path of the records.
    `separator`: the mark between fields. `names`: the names of the columns, if the file has none.

    Raises `InputError` for an empty file, for a PDF, an image or a web page, and for a file of an unknown form that is
    not a text. Any other text is opened as CSV.
    """
    from counting.logs import csv_files, json_files, parquet_files, ruled_texts, tables
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
        raise InputError(f"{path}: an Office file from before 2007, should be saved as .xlsx or CSV")
    if not names and are_roads(start):
        return Roads(path, pieces_of(path, encoding))
    pieces = pieces_of(path, encoding)
    if not names and separator is None:
        first = next(pieces, b"")
        pieces, ruler = chain([first], pieces), ruled_texts.ruler_of(first)
        if ruler is not None:
            return csv_files.Csv(path, ruled_texts.parted(pieces, ruler), known, ruled_texts.MARK, names)
    return csv_files.Csv(path, pieces, known, separator, names)


NO_TABLES: Mapping[str, tuple[bytes, ...]] = {
    "a PDF": (b"%PDF-",),
    "an image": (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"II*\0", b"MM\0*"),
    "a web page": (b"<!doctype html", b"<html"),
    "a text document": (b"{\\rtf",),
}
"""Kinds of files without a table, each with the bytes at its beginning."""


def no_table(path: Path, kind: str) -> InputError:
    """The error for a file without a table."""
    return InputError(f"{path}: this is {kind}, should be the table: CSV, Excel, JSON")


def source_of(
    name: str, lines: Sequence[bytes], known: frozenset[str], separator: str | None = None, names: Sequence[str] = (),
    rows: str | None = None,
) -> Source:  # fmt: skip
    """A source made from the first lines of an input, in UTF-8. `name`: the input's name in error lines."""
    from counting.logs import csv_files, json_files

    pieces = iter([b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines)])
    if is_json(lines[0]):
        return json_files.Json(Path(name), json_files.json_lines(pieces), rows, names, known)
    return csv_files.Csv(Path(name), pieces, known, separator, names)


def is_json(line: bytes) -> bool:
    """Whether a line in UTF-8 begins like JSON."""
    return line.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[")
