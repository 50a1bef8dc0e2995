"""Read a log's file in pieces. The parsed texts of a column are kept, so that a text that comes again is seldom parsed
again.

An unreadable line gets a remark and is skipped. A file of the wrong form, or a file that is nearly all unreadable, is
refused as early as possible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import polars as pl

from counting.errors import InputError
from counting.io.tables import FORMULA
from counting.logs.fields import NONE, Parser
from counting.logs.headings import total_words
from counting.logs.remarks import SKIPPED, Reason, Remarks, Schema
from counting.logs.sources import AND, Source, column_key

_MOST_KNOWN = 1 << 20  # distinct texts kept of a column; beyond this, texts that the present piece lacks are dropped
_FEW_TEXTS = 256  # up to this number of texts, parsing is faster than a join
_KEPT, _LONGEST_KEPT = 1 << 14, 40  # for reading row by row: the texts that a parser caches, and their greatest length
# Columns that may mark voided lines.
_STATES = frozenset(["void", "voided", "cancelled", "canceled", "deleted", "reversed", "status", "state"])
_NAMES = ("table", "shoe", "coup", "patron")  # the columns that name a row
# What a row says of its coup or bet.
_TOLD = ("player", "banker", "player_1", "banker_1", "cards", "winner", "event", "bet")
_HEADINGS = 3  # headings are looked for in the middle of a file with at least this number of columns
_FEW, _LEAST_READ = 1000, 0.01  # after this number of lines, refuse a file if less than this share can be read


@dataclass(frozen=True)
class Form:
    """How the fields of a log are read from a file. Each field has a column, a parser and a type of value. `numbers`:
    fields that may be numbers in Parquet. `may_lack`: fields that a row may lack. `may_be_none`: hands that may have no
    cards; a row with such a hand is not lost at this stage. `prepared`: a function that may add columns and remove rows
    before the texts are parsed."""

    name: str
    columns: Mapping[str, str]
    parsers: Mapping[str, Parser]
    types: Schema
    numbers: frozenset[str] = frozenset()
    may_lack: frozenset[str] = frozenset()
    prepared: Callable[[pl.DataFrame], pl.DataFrame] = lambda texts: texts
    may_be_none: frozenset[str] = frozenset()

    def row(self, texts: Mapping[str, str]) -> dict[str, Any] | Lost:
        """The values of one row, parsed as in `LogFile.read`; or why the row is lost."""
        values: dict[str, Any] = {}
        for name, of_short, of_any, may_lack in self._kept:
            text = texts.get(name)
            if text is None:
                continue
            if may_lack and not text:
                values[name] = None
                continue
            value, reason = (of_short if len(text) <= _LONGEST_KEPT else of_any)(text)
            lost = value is None and reason is not None and not may_lack
            if lost and reason is not None and not (reason.kind == NONE and name in self.may_be_none):
                return Lost(name, text, reason)
            values[name] = value
        return values

    @cached_property
    def _kept(self) -> list[tuple[str, Parser, Parser, bool]]:
        """For each field: its name, two parsers, and whether a row may lack the field. The first parser has a cache and
        is for short texts."""
        kept = {parser: lru_cache(maxsize=_KEPT)(parser) for parser in self.parsers.values()}
        return [(name, kept[self.parsers[name]], self.parsers[name], name in self.may_lack) for name in self.types]


class Lost(NamedTuple):
    """Why a row is lost: the name of the field, its text, and the reason."""

    name: str
    text: str
    reason: Reason


class ParsedTexts:
    """A parser with a table of the texts that it has read."""

    def __init__(self, parser: Parser, dtype: pl.DataType | type[pl.DataType]) -> None:
        self._parser, self._dtype = parser, dtype
        self._read = self._parsed(pl.Series("text", [], pl.String))

    def of(self, texts: pl.Series) -> pl.DataFrame:
        """A row for each text, with the columns `text`, `value`, `kind` and `reason`. `kind` and `reason` are null if
        there is no remark."""
        texts = texts.alias("text")
        if len(texts) <= _FEW_TEXTS:
            rows = texts.to_list()
            read = {text: self._parser(text) for text in dict.fromkeys(rows)}
            return self._frame(texts, [read[text] for text in rows])
        anew = (texts != texts.shift()).fill_null(True)
        if 4 * anew.sum() < len(texts):  # as with tables, shoes and patrons, most texts equal the one before
            places = self._places(texts.filter(anew))[anew.cum_sum() - 1]
        else:
            places = self._places(texts)
        columns = [texts, self._read["value"].gather(places)]
        for name in ("kind", "reason"):
            of_texts = self._read[name]
            is_empty = of_texts.null_count() == len(of_texts)
            columns.append(of_texts.clear(len(texts)) if is_empty else of_texts.gather(places))
        return pl.DataFrame(columns)

    def _places(self, texts: pl.Series) -> pl.Series:
        """For each text, its row in the table of the texts read so far. New texts are parsed and added to the table."""
        frame = texts.to_frame()
        places = self._found(frame)
        if places.null_count():
            new = texts.filter(places.is_null()).unique(maintain_order=True)
            if self._read.height > _MOST_KNOWN:
                self._read = self._read.join(frame.unique(), on="text", how="semi")
            self._read = pl.concat([self._read, self._parsed(new)])
            places = self._found(frame)
        return places

    def _found(self, texts: pl.DataFrame) -> pl.Series:
        listed = self._read.select("text").with_row_index("place")
        return texts.join(listed, on="text", how="left", maintain_order="left")["place"]

    def _parsed(self, texts: pl.Series) -> pl.DataFrame:
        return self._frame(texts, list(map(self._parser, texts)))

    def _frame(self, texts: pl.Series, read: Sequence[tuple[Any, Reason | None]]) -> pl.DataFrame:
        """A frame of texts and their parsed values."""
        reasons = [(reason.kind, reason.text) if reason else (None, None) for _, reason in read]
        return pl.DataFrame([
            texts,
            pl.Series("value", [value for value, _ in read], dtype=self._dtype),
            pl.Series("kind", [kind for kind, _ in reasons], dtype=pl.String),
            pl.Series("reason", [text for _, text in reasons], dtype=pl.String),
        ])  # fmt: skip


class LogFile:
    """Reads a file in pieces, and collects the remarks. A piece has the column `line`, then a column of trimmed texts
    for each field that the file has."""

    def __init__(self, form: Form, source: Source | None, told: Callable[[int], object] = lambda _: None) -> None:
        """If `source` is None, there is no file and no lines. `told` is called after each piece with the number of its
        last line, or with 0 if no line of the piece can be split."""
        self.form, self.source, self._told = form, source, told
        self.remarks = Remarks(form.name)
        self.lacks: list[str] = []  # sentences on what leaves the file in doubt
        self._tried = self._kept = 0

    def read(self) -> pl.DataFrame:
        """The parsed fields of all rows that are not lost. A field that the file lacks is null.

        A row is lost if the parser of a field returns None with a reason. The exceptions are a field that a row may
        lack, and a hand that may have no cards. Raises `InputError` if, after a thousand lines or more, fewer than one
        in a hundred could be read.
        """
        form = self.form
        shared = {(form.parsers[name], str(form.types[name])): ParsedTexts(form.parsers[name], form.types[name])
                  for name in form.types if name in form.parsers}  # fmt: skip
        known = {name: shared[form.parsers[name], str(form.types[name])] for name in form.parsers}
        rows = []
        if self.source is not None:
            self._remark_above(self.source)
            for texts in self.source.pieces(form.columns, form.numbers, self.skip):
                prepared = form.prepared(self._without_totals(self._without_headings(texts)))
                rows.append(self._parsed(prepared, known))
                self._tried += prepared.height  # without events, which are no coups
                self._kept += rows[-1].height
                self._refuse_rubbish()
                self._told(int(texts["line"][-1]) if texts.height else 0)
        return pl.concat(rows or [self._parsed(pl.DataFrame(schema={"line": pl.Int32}), known)], rechunk=False)

    def _remark_above(self, source: Source) -> None:
        """Add a remark on the lines above the column names, if there are any."""
        line, text = source.above
        if line:
            reason = f"above the column names, which are in line {source.top}"
            self.remarks.add(pl.DataFrame({"line": [line]}), None, "titles", text, reason)

    def _without_headings(self, texts: pl.DataFrame) -> pl.DataFrame:
        """The rows of a piece without headings that come again, as where files were put together or on each page.
        Raises `InputError` for headings in another order."""
        columns = {name: column for name, column in self.form.columns.items() if name in texts.columns}
        if len(columns) < _HEADINGS:
            return texts
        name_of = {column_key(column): name for name, column in columns.items()}
        first = "coup" if "coup" in columns else next(iter(columns))
        again = []
        may_be = pl.col(first).str.to_lowercase().is_in([*name_of, ""])
        for row in texts.filter(may_be).iter_rows(named=True):
            named = [name_of.get(column_key(row[name])) for name in columns]
            if named == list(columns) or _are_headings({column: row[name] for name, column in columns.items()}):
                again.append(row["line"])
            elif sorted(map(str, named)) == sorted(columns):
                raise InputError(
                    f"{self.source and self.source.path}: line {row['line']}: the headings again, in another order, "
                    "should be in one order; the lines from there on should be a file of their own"
                )
        if not again:
            return texts
        is_heading = pl.col("line").is_in(again) & may_be
        reason = "the headings again, which are no row of the log"
        self.remarks.add(texts.filter(is_heading), None, "headings", pl.col(first), reason)
        return texts.filter(~is_heading)

    def _without_totals(self, texts: pl.DataFrame) -> pl.DataFrame:
        """The rows of a piece without totals. In a row of totals, one of the columns table, shoe, coup and patron has a
        word for a total at its end, and the row has neither a hand, a winner, an event nor a bet."""
        names, told = ([name for name in group if name in texts.columns and texts[name].dtype == pl.String]
                       for group in (_NAMES, _TOLD))  # fmt: skip
        if len(names) < 2:
            return texts
        empty = [pl.col(name) == "" for name in told or names]
        is_empty = pl.all_horizontal(empty) if told else pl.any_horizontal(empty)
        word = rf"(?i)^(.* )?({'|'.join(map(re.escape, total_words()))})[ :.*]*$"
        is_word = pl.any_horizontal(pl.col(name).str.contains(word) for name in names)
        totals = texts.filter(is_empty).filter(is_word)  # few rows say nothing
        if not totals.height:
            return texts
        said = pl.concat_str([pl.col(name) for name in names], separator=" ").str.strip_chars()
        self.remarks.add(totals, None, "totals", said, "a total, which is no row of the log")
        return texts.filter(~(is_empty & is_word))

    def _parsed(self, texts: pl.DataFrame, known: Mapping[str, ParsedTexts]) -> pl.DataFrame:
        line = texts["line"]
        columns = [line]
        lost = pl.Series([False]).new_from_index(0, texts.height)
        for name, dtype in self.form.types.items():
            if name not in texts.columns:
                columns.append(pl.Series(name, [None], dtype).new_from_index(0, texts.height))
                continue
            read = known[name].of(texts[name])
            columns.append(read["value"].alias(name))
            if read["reason"].null_count() == texts.height:
                continue
            bad = read["reason"].is_not_null()
            self.remarks.add_each(read.with_columns(line).filter(bad), name)
            if name in self.form.may_be_none:
                bad &= (read["kind"] != NONE).fill_null(True)
            if name not in self.form.may_lack:
                lost |= bad & read["value"].is_null()
        self.remarks.skipped += int(lost.sum())
        rows = pl.DataFrame(columns)
        return rows.filter(~lost) if lost.any() else rows

    def skip(self, lines: Sequence[tuple[int, str, Reason]]) -> None:
        """Add remarks on whole lines: lines that cannot be split, and lines that are kept although something is odd.
        Each of `lines` has its number, its first characters, and a reason."""
        lost = sum(not reason.kept for _, _, reason in lines)
        self.remarks.skipped += lost
        schema: Schema = {"line": pl.Int32, "text": pl.String, "kind": pl.String, "reason": pl.String}
        rows = [
            (line, text, reason.kind, reason.text if reason.kept else f"{reason.text}; {SKIPPED}")
            for line, text, reason in lines
        ]
        self.remarks.add_each(pl.DataFrame(rows, schema, orient="row"), None)
        self._tried += lost

    def remark_ignored(self, known: Iterable[str]) -> None:
        """Add a remark on the columns that are ignored. `known`: names of the columns that could be read."""
        if self.source is None or self.source.nested:
            return
        used = {column_key(part) for column in self.form.columns.values() for part in (column, *column.split(AND))}
        unknown = [column_key(name) for name in self.source.names if column_key(name) not in {*used, ""}]
        if unknown:
            row = pl.DataFrame({"line": [self.source.top]})
            reason = f"not a log's columns, ignored; known are {', '.join(known)}"
            if some := [name for name in unknown if column_key(name) in _STATES]:
                rows = "bets_file" if self.form.name == "bets" else "file"
                reason += f'; a layout may keep lines by {some[0]}, as [{rows}] only = {{ {some[0]} = "VALUE" }}'
            self.remarks.add(row, None, "columns", ", ".join(unknown), reason)

    def _refuse_rubbish(self) -> None:
        if self._tried >= _FEW and self._kept < _LEAST_READ * self._tried:
            first = self.remarks.listed().row(0, named=True)
            column = "" if first["column"] is None else f", {first['column']}: {first['value']!r}"
            raise InputError(
                f"{self.source and self.source.path}: of its first {self._tried:,} lines {self._kept:,} can be read, "
                f"should be a log of {self.form.name}; line {first['line']}{column}: "
                f"{first['reason'].removesuffix(f'; {SKIPPED}')}"
            )

    def formulas(self, frame: pl.DataFrame, columns: Sequence[str]) -> None:
        """Add a remark on each text in these columns that a spreadsheet would take for a formula."""
        begins = pl.col(columns).unique().cast(pl.String).str.slice(0, 1)
        has = frame.select(begins.is_in(list(FORMULA)).any())
        for name in columns:
            if has[name].item():
                text = pl.col(name).cast(pl.String)
                rows = frame.select("line", text).filter(text.str.slice(0, 1).is_in(list(FORMULA)))
                rows = rows.unique(name, keep="first", maintain_order=True)
                reason = "kept as text; a spreadsheet would take it for a formula"
                self.remarks.add(rows, name, "formula", pl.col(name), reason)


def _are_headings(texts: Mapping[str, str]) -> bool:
    """Whether a row is one of several rows of headings: each text is the beginning or the end of its column's name, or
    empty. `texts`: the text in each column."""
    told = {column_key(column): column_key(text) for column, text in texts.items() if text}
    parts = [
        f" {column} ".startswith(f" {text} ") or f" {column} ".endswith(f" {text} ") for column, text in told.items()
    ]
    return len(told) > 1 and all(parts)
