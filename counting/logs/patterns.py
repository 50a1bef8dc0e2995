"""Lines and fields that a pattern takes apart: a regular expression whose named groups are columns.

The engine is polars': a finite automaton without backtracking, which reads a text once however the pattern is nested
(Thompson 1968). Its time is the text's length times the automaton's size: the length of a line is bounded, and so are
the pattern's length and the counts of its groups, which multiply the size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import prod
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.remarks import Reason, short
from counting.logs.sources import SAMPLE, Skip, Skipped, Source

LONGEST = 1000  # characters of a line or field that is taken apart
_LONGEST_PATTERN, _MOST_REPEATED = 1000, 20
_NAMED = re.compile(r"\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>")
_COUNTS = re.compile(r"\)\s*\{\s*([0-9]+)?\s*,?\s*([0-9]+)?\s*\}")  # of groups


def groups_in(pattern: str) -> tuple[str, ...]:
    """The names of a pattern's groups, which are columns. Raises `ValueError`, in words, for what is no pattern."""
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"should be a pattern of at most {_LONGEST_PATTERN:,} characters")
    if prod(max(int(count or 1) for count in counts) for counts in _COUNTS.findall(pattern)) > _MOST_REPEATED:
        raise ValueError(f"should repeat groups at most {_MOST_REPEATED} times, as (..){{3}}, all counts multiplied")
    try:
        names = _parted(pl.Series([""], dtype=pl.String), pattern).columns
    except pl.exceptions.PolarsError as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = said[-1].removeprefix("error: ")
        raise ValueError(f"should be a regular expression: {short(why, 120)}") from None
    named = tuple(name for name in names if name in _NAMED.findall(pattern))
    if not named:
        raise ValueError("should have named groups, as (?P<coup>[0-9]+)")
    return named


def _parted(texts: pl.Series, pattern: str) -> pl.DataFrame:
    groups = texts.alias("text").to_frame().select(pl.col("text").str.extract_groups(pattern))
    return groups.to_series().struct.unnest()


@lru_cache(maxsize=64)
def pattern_of(text: str) -> Pattern:
    """A pattern, made once."""
    return Pattern(text)


class Pattern:
    """A regular expression with named groups; `names` are these."""

    def __init__(self, text: str) -> None:
        self._text, self.names = text, groups_in(text)

    def frame(self, texts: pl.Series) -> pl.DataFrame:
        """What the groups have in each text, a column each; null in a text that does not fit, or is too long."""
        bounded = (
            texts.alias("text")
            .to_frame()
            .select(pl.when(pl.col("text").str.len_chars() <= LONGEST).then(pl.col("text")))
        )
        parted = _parted(bounded.to_series(), self._text)
        every = parted.select(pl.any_horizontal(pl.all().is_not_null()).alias("fits")).to_series()
        chosen = parted.select(pl.col(self.names).str.strip_chars())
        return chosen.with_columns(pl.when(every).then(pl.col(name).fill_null("")) for name in self.names)

    def groups(self, text: str) -> dict[str, str] | None:
        """What the groups have in one text; null where it does not fit."""
        row: dict[str, str | None] = self.frame(pl.Series([text], dtype=pl.String)).row(0, named=True)
        return None if None in row.values() else {name: value or "" for name, value in row.items()}


class PatternLines(Source):
    """A text file whose lines a pattern takes apart; a line that does not fit is no coup, which is remarked on."""

    def __init__(self, path: Path, pieces: Iterator[bytes], pattern: str) -> None:
        """`pieces`: the lines, in UTF-8, each ended by one line feed."""
        self.path, self._pattern = path, pattern_of(pattern)
        self.names = list(self._pattern.names)
        self._rest = self._read(pieces)
        self._first = next(self._rest, None)
        if self._first is None:
            raise InputError(f"{path}: empty, should have a coup a line")

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
        """The lines that fit, and the others."""
        line = 1
        for piece in pieces:
            texts = pl.Series("text", piece.decode(errors="replace").split("\n")[:-1], dtype=pl.String)
            numbered = pl.int_range(line, line + len(texts), dtype=pl.Int32, eager=True).alias("line")
            line += len(texts)
            rows = self._pattern.frame(texts).insert_column(0, numbered)
            fits = rows[self.names[0]].is_not_null()
            blank = texts.str.strip_chars() == ""
            others = pl.DataFrame([numbered, texts]).filter(~fits & ~blank)
            yield rows.filter(fits), [(at, short(text, 80), _unlike(text)) for at, text in others.iter_rows()]


def _named(rows: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    return rows.select("line", **{name: pl.col(own) for name, own in columns.items()})


def _unlike(text: str) -> Reason:
    if len(text) > LONGEST:
        return Reason("length", f"is too long, should be at most {LONGEST:,} characters")
    return Reason("pattern", "does not fit the layout's pattern; read as no coup")
