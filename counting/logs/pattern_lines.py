"""Text files, such as chat messages, whose lines are split by a pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.patterns import LONGEST, pattern_of
from counting.logs.remarks import Reason, short
from counting.logs.shoe_lines import SHOE, Shoes, shoe_pattern_of
from counting.logs.sources import SAMPLE, Skip, Skipped, Source


class PatternLines(Source):
    """A text file as a source: each line that fits the pattern is a coup. Other lines get a remark, unless they are
    blank or begin a shoe."""

    def __init__(self, path: Path, pieces: Iterator[bytes], pattern: str, shoe_line: str | None = None) -> None:
        """`pieces`: the file's lines in UTF-8, each ended by a line feed."""
        self.path, self._pattern = path, pattern_of(pattern)
        self._begins = None if shoe_line is None else shoe_pattern_of(shoe_line, pattern)
        self._shoes = Shoes()
        self.names = [*self._pattern.names, *([] if shoe_line is None else [SHOE])]
        self._rest = self._read(pieces)
        self._first = next(self._rest, None)
        if self._first is None:
            raise InputError(f"{path}: empty, should have one coup on each line")

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        assert self._first is not None
        rows, _ = self._first
        return _named(rows.head(SAMPLE), columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        assert self._first is not None
        for rows, others in chain([self._first], self._rest):
            if others:
                skip(others)
            yield _named(rows, columns)

    def _read(self, pieces: Iterator[bytes]) -> Iterator[tuple[pl.DataFrame, Sequence[Skipped]]]:
        """For each piece: a frame of the lines that fit, and a list of the other lines with reasons."""
        line = 1
        for piece in pieces:
            texts = pl.Series("text", piece.decode(errors="replace").split("\n")[:-1], dtype=pl.String)
            numbered = pl.int_range(line, line + len(texts), dtype=pl.Int32, eager=True).alias("line")
            line += len(texts)
            rows = self._pattern.frame(texts).insert_column(0, numbered)
            fits = rows[self._pattern.names[0]].is_not_null()
            blank = texts.str.strip_chars() == ""
            rows, others = rows.filter(fits), pl.DataFrame([numbered, texts]).filter(~fits & ~blank)
            if self._begins is not None:
                rows, others = self._with_shoes(rows, others)
            yield rows, [(at, short(text, 80), _unlike(text)) for at, text in others.iter_rows()]

    def _with_shoes(self, rows: pl.DataFrame, others: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
        """The rows, with the column `shoe` added, and the other lines except the lines that begin a shoe."""
        assert self._begins is not None
        begun = self._begins.begun(others["text"])
        tables = rows[self._begins.table] if self._begins.table else [""] * rows.height
        lines = [(at, line) for at, line in zip(others["line"], begun, strict=True) if line is not None]
        names = self._shoes.of(zip(rows["line"], tables, strict=True), lines)
        begins_none = pl.Series([line is None for line in begun], dtype=pl.Boolean)
        return rows.with_columns(pl.Series(SHOE, names, dtype=pl.String)), others.filter(begins_none)


def _named(rows: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    return rows.select("line", **{name: pl.col(own) for name, own in columns.items()})


def _unlike(text: str) -> Reason:
    if len(text) > LONGEST:
        return Reason("length", f"is too long, should be at most {LONGEST:,} characters")
    return Reason("pattern", "does not fit the layout's pattern; not read as a coup", kept=True)
