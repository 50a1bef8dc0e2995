"""Files that people and spreadsheets wrote: CSV or Parquet, every line read by itself, in pieces of bounded size.

An unreadable line gets a remark and is skipped; a file of the wrong form is refused, and so is one that is nearly all
unreadable, as early as possible.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import threading
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from itertools import chain
from pathlib import Path

import numpy as np
import polars as pl

from counting.audit.remarks import SKIPPED, Reason, Remarks, Schema, short
from counting.errors import InputError, Mistakes
from counting.io.tables import FORMULA

Parser = Callable[[str], tuple[object, Reason | None]]  # a value, or None, and the reason for a remark, if any
MOST_TEXT = 80

_MOST_LINE, _MOST_SHOWN = 100_000, 80
_COMMA = r"^(-?[0-9]+),([0-9]{1,2})$"  # not 1,000, which may be a thousand
_FIRST, _PIECE = 1 << 18, 1 << 23  # bytes read at a time: few first, to see whether it is a log at all, then doubled
_LONGEST = 1 << 20  # bytes kept of a line
_ROWS = 1 << 18  # of Parquet at a time
_MOST_KNOWN = 1 << 20  # texts of a column remembered
_FEW, _LEAST_READ = 1000, 0.01  # lines before a file can be refused, and the share of them to be read
_READ = """
import sys
import polars as pl
path, rows = sys.argv[1], int(sys.argv[2])
scan = pl.scan_parquet(path, glob=False)
for first in range(0, scan.select(pl.len()).collect().item(), rows):
    if not scan.slice(first, rows).collect().height:
        break
"""
_ALONE = threading.Lock()  # stderr is the whole process's


@dataclass(frozen=True)
class Form:
    """What a file is to have: columns `needed` and `optional`; which may be numbers in Parquet, which a row may lack,
    and which are `money`: parted by semicolons, as where the decimal sign is a comma, they may have one."""

    name: str
    needed: tuple[str, ...]
    optional: tuple[str, ...]
    numbers: frozenset[str]
    may_lack: frozenset[str] = frozenset()
    money: frozenset[str] = frozenset()

    @property
    def known(self) -> tuple[str, ...]:
        return self.needed + self.optional


class Known:
    """The texts of a column, each parsed once while it is remembered."""

    def __init__(self, parser: Parser, dtype: pl.DataType | type[pl.DataType]) -> None:
        self._parser = parser
        self._schema: Schema = {"text": pl.String, "value": dtype, "kind": pl.String, "reason": pl.String}
        self._read = pl.DataFrame(schema=self._schema)

    def of(self, texts: pl.Series) -> pl.DataFrame:
        """`text`, `value`, `kind` and `reason`, the last two null without a remark (rows)."""
        texts = texts.alias("text")
        anew = (texts != texts.shift()).fill_null(True)
        if 4 * anew.sum() < len(texts):  # tables, shoes and patrons are mostly those of the line before
            return self._of(texts.filter(anew))[anew.cum_sum() - 1]
        return self._of(texts)

    def _of(self, texts: pl.Series) -> pl.DataFrame:
        frame = texts.to_frame()
        new = frame.join(self._read, on="text", how="anti")["text"].unique(maintain_order=True)
        if len(new):
            read = [self._parser(text) for text in new]
            reasons = [reason or (None, None) for _, reason in read]
            parsed = pl.DataFrame([
                new,
                pl.Series("value", [value for value, _ in read], dtype=self._schema["value"]),
                pl.Series("kind", [kind for kind, _ in reasons], dtype=pl.String),
                pl.Series("reason", [text for _, text in reasons], dtype=pl.String),
            ])  # fmt: skip
            if self._read.height > _MOST_KNOWN:
                self._read = self._read.join(frame.unique(), on="text", how="semi")
            self._read = pl.concat([self._read, parsed])
        return frame.join(self._read, on="text", how="left", maintain_order="left")


class LogFile:
    """A file while it is read: in pieces, a column of trimmed texts for each column known, `line` first."""

    def __init__(self, form: Form, path: Path | None) -> None:
        """Raises `InputError` for a file that cannot be one of this form; no path is a file without lines."""
        self.form = form
        self.path = path
        self.remarks = Remarks(form.name)
        self._tried = self._kept = 0
        self._pieces = iter(()) if path is None else _pieces(self, path)
        self._first = next(self._pieces, pl.DataFrame({"line": []}, {"line": pl.Int32}))

    def read(self, parsers: Mapping[str, Parser], types: Schema) -> pl.DataFrame:
        """The columns known, parsed, each distinct text once, and the rows kept that have every value; an optional
        column that the file lacks is empty.

        A parser returns a value, or None, and the reason for a remark, if any. A row with a None that has a reason is
        lost, unless the column is one that a row may lack. Raises `InputError` if less than a hundredth of the first
        thousand lines can be read.
        """
        shared = {parser: Known(parser, types[name]) for name, parser in parsers.items() if name in self.form.known}
        known = {name: shared[parsers[name]] for name in self.form.known}
        rows = []
        for texts in chain([self._first], self._pieces):
            rows.append(self._parsed(texts, known, types))
            self._tried += texts.height
            self._kept += rows[-1].height
            self._refuse_rubbish()
        return pl.concat(rows, rechunk=False)

    def _parsed(self, texts: pl.DataFrame, known: Mapping[str, Known], types: Schema) -> pl.DataFrame:
        line = texts["line"]
        columns = [line]
        lost = pl.repeat(False, texts.height, eager=True)
        for name in self.form.known:
            if name not in texts.columns:
                columns.append(pl.Series(name, [None], types[name]).new_from_index(0, texts.height))
                continue
            read = known[name].of(texts[name])
            columns.append(read["value"].alias(name))
            bad = read["reason"].is_not_null()
            if not bad.any():
                continue
            self.remarks.add_each(read.with_columns(line).filter(bad), name)
            if name not in self.form.may_lack:
                lost |= bad & read["value"].is_null()
        self.remarks.skipped += int(lost.sum())
        rows = pl.DataFrame(columns)
        return rows.filter(~lost) if lost.any() else rows

    def skip(self, lines: Sequence[tuple[int, str, Reason]]) -> None:
        """Lines that have no fields: their numbers, how they begin, and why."""
        self.remarks.skipped += len(lines)
        schema: Schema = {"line": pl.Int32, "text": pl.String, "kind": pl.String, "reason": pl.String}
        rows = [(line, text, kind, f"{reason}; {SKIPPED}") for line, text, (kind, reason) in lines]
        self.remarks.add_each(pl.DataFrame(rows, schema, orient="row"), None)
        self._tried += len(lines)

    def _refuse_rubbish(self) -> None:
        if self._tried >= _FEW and self._kept < _LEAST_READ * self._tried:
            first = self.remarks.listed().row(0, named=True)
            column = "" if first["column"] is None else f", {first['column']}: {first['value']!r}"
            raise InputError(
                f"{self.path}: of its first {self._tried:,} lines {self._kept:,} can be read, should be a log of "
                f"{self.form.name}; line {first['line']}{column}: {first['reason'].removesuffix(f'; {SKIPPED}')}"
            )

    def formulas(self, frame: pl.DataFrame, columns: Sequence[str]) -> None:
        """One remark for each text of these columns that a spreadsheet would take for a formula."""
        for name in columns:
            texts = frame[name].unique().cast(pl.String)
            formulas = texts.filter(texts.str.slice(0, 1).is_in(list(FORMULA)))
            if len(formulas):
                rows = frame.select("line", pl.col(name).cast(pl.String)).filter(pl.col(name).is_in(formulas.implode()))
                rows = rows.unique(name, keep="first", maintain_order=True)
                reason = "kept as text; a spreadsheet would take it for a formula"
                self.remarks.add(rows, name, "formula", pl.col(name), reason)


def _pieces(file: LogFile, path: Path) -> Iterator[pl.DataFrame]:
    """The texts of a file, a piece at a time."""
    try:
        with path.open("rb") as opened:
            start = opened.read(_FIRST).removeprefix(BOM_UTF8)
            if start.startswith(b"PAR1") or (path.suffix.lower() in (".parquet", ".pq") and start.strip()):
                yield from _parquet(file, path)
            else:
                yield from _csv(file, path, _whole_lines(start, opened.read))
    except InputError:
        raise
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder, should be a CSV or Parquet file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _whole_lines(start: bytes, more: Callable[[int], bytes]) -> Iterator[bytes]:
    """The bytes of a file in pieces of whole lines, each ended by one line feed; of a very long line the beginning."""
    rest, size = start, len(start)
    while rest:
        size = min(2 * size, _PIECE)
        data = more(size)
        # A carriage return at the end may be half of a line's end.
        whole, rest = (rest[:-1], rest[-1:]) if data and rest.endswith(b"\r") else (rest, b"")
        if b"\r" in whole:
            whole = whole.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if not data:
            yield whole if whole.endswith(b"\n") else whole + b"\n"
            return
        cut = whole.rfind(b"\n") + 1
        if cut:
            yield whole[:cut]
        kept = whole[cut:]
        if len(kept) > _LONGEST:
            end = re.search(rb"[\r\n]", rest + data)
            kept, data = kept[:_LONGEST], (rest + data)[end.start() :] if end else b""
            rest = b""
        rest = kept + rest + data


def _csv(file: LogFile, path: Path, pieces: Iterator[bytes]) -> Iterator[pl.DataFrame]:
    top = 1
    data = b""
    for data in pieces:
        if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
            raise InputError(f"{path}: in UTF-16, should be a CSV in UTF-8 or a Parquet file")
        if data.startswith(b"PK\x03\x04"):
            raise InputError(f"{path}: a workbook or archive, should be saved as a CSV in UTF-8 or a Parquet file")
        if data.strip():
            break
        top += data.count(b"\n")
    before = len(data) - len(data.lstrip())
    top += data.count(b"\n", 0, before)
    data = data[data.rfind(b"\n", 0, before) + 1 :]
    if not data.strip():
        raise InputError(f"{path}: empty, should begin with a line of column names")
    raw, _, data = data.partition(b"\n")
    names, mark = _column_names(file.form, path, raw, top)
    places = _header(file, path, names, top)
    yield _texts(file, data, top + 1, mark, len(names), places)
    line = top + 1 + data.count(b"\n")
    for data in pieces:
        yield _texts(file, data, line, mark, len(names), places)
        line += data.count(b"\n")


def _column_names(form: Form, path: Path, raw: bytes, line: int) -> tuple[list[str], str]:
    """The column names, and the mark that parts them."""
    try:
        head = raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8: byte {error.start} is {raw[error.start]:#04x}") from None
    if "\0" in head:
        raise InputError(f"{path}: not a text in UTF-8 (UTF-16?): its first line has zero bytes")
    if len(head) > _MOST_LINE:
        raise InputError(f"{path}: its first line has {len(head):,} characters, should be column names")
    read = [(_fields(head, mark) or [], mark) for mark in ",;\t"]
    names, mark = max(read, key=lambda one: sum(_plain(column) in form.known for column in one[0]))
    if not names:
        raise InputError(f"{path}: line {line}: a quote is not closed, should be column names")
    return names, mark


def _texts(file: LogFile, data: bytes, first: int, mark: str, width: int, places: Mapping[str, int]) -> pl.DataFrame:
    """The trimmed fields of each line of a piece with the header's number of fields, lines counted from `first`; others
    are skipped, blank ones without a remark."""
    clean = data if data.isascii() else _decodable(file, data, first)
    lines = pl.read_lines(BytesIO(clean)).to_series() if clean else pl.Series([], dtype=pl.String)
    numbered = pl.DataFrame([pl.int_range(first, first + len(lines), dtype=pl.Int32, eager=True).alias("line"),
                             lines.alias("text")])  # fmt: skip
    text = pl.col("text")
    plain = (text.str.count_matches(mark, literal=True) == width - 1) & (text.str.len_bytes() <= _MOST_LINE)
    for sign in ('"', "\0"):
        if sign.encode() in clean:
            plain &= ~text.str.contains(sign, literal=True)
    numbered = numbered.with_columns(plain=plain)
    odd = numbered.filter(~pl.col("plain")) if not numbered["plain"].all() else numbered.clear()
    parted = (numbered.filter("plain") if odd.height else numbered).select(
        "line", text.str.split_exact(mark, width - 1).struct.unnest()
    )
    schema: Schema = {"line": pl.Int32, **{f"field_{at}": pl.String for at in range(width)}}
    mended = _odd(file, odd, mark, width)
    if mended:
        parted = pl.concat([parted, pl.DataFrame(mended, schema, orient="row")]).sort("line")
    texts = parted.select("line", **{name: f"field_{at}" for name, at in places.items()})
    if _may_have_blanks(clean, mark) or mended:
        texts = texts.with_columns(pl.col(pl.String).str.strip_chars())
    money = file.form.money.intersection(places)
    return texts.with_columns(pl.col(*money).str.replace(_COMMA, "$1.$2")) if mark == ";" and money else texts


def _decodable(file: LogFile, data: bytes, first: int) -> bytes:
    """A piece without the lines that are not UTF-8, which are skipped."""
    try:
        data.decode()
        return data
    except UnicodeDecodeError:
        pass
    lines = data.split(b"\n")
    bad: list[tuple[int, str, Reason]] = []
    for at, raw in enumerate(lines):
        try:
            raw.decode()
        except UnicodeDecodeError as error:
            reason = Reason("encoding", f"not UTF-8: byte {error.start} is {raw[error.start]:#04x}")
            bad.append((first + at, raw[: 4 * _MOST_SHOWN].decode(errors="replace")[:_MOST_SHOWN], reason))
            lines[at] = b""
    file.skip(bad)
    return b"\n".join(lines)


def _odd(file: LogFile, odd: pl.DataFrame, mark: str, width: int) -> list[tuple[int, *tuple[str, ...]]]:
    """Line and fields of lines with quotes; what is wrong with the others."""
    good: list[tuple[int, *tuple[str, ...]]] = []
    bad: list[tuple[int, str, Reason]] = []
    for line, text in odd.select("line", "text").iter_rows():
        fields = text.split(mark) if '"' not in text else _fields(text, mark)
        if "\0" in text:
            reason = Reason("zero-byte", "has a zero byte")
        elif len(text) > _MOST_LINE:
            reason = Reason("length", f"is too long, should be at most {_MOST_LINE:,} characters")
        elif fields is None:
            reason = Reason("quote", "a quote is not closed on its line, or text stands beside one")
        elif len(fields) != width:
            reason = Reason("fields", f"has {len(fields)} fields, should be {width}")
        else:
            good.append((line, *fields))
            continue
        if text.strip():
            bad.append((line, text[:_MOST_SHOWN], reason))
    if bad:
        file.skip(bad)
    return good


def _may_have_blanks(data: bytes, mark: str) -> bool:
    """Whether a field of a piece may begin or end with a blank."""
    if not data.isascii():
        return True
    byte = np.frombuffer(b"\n" + data, np.uint8)
    end = (byte == ord(mark)) | (byte == ord("\n"))
    blank = (byte == ord(" ")) | (byte == ord("\t")) | (byte == ord("\v")) | (byte == ord("\f"))
    return bool((end[1:] & blank[:-1] | blank[1:] & end[:-1]).any())


def _fields(text: str, mark: str) -> list[str] | None:
    try:
        return next(csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True))
    except csv.Error:
        return None


def _plain(column: str) -> str:
    return column.strip().lower()


def _header(file: LogFile, path: Path, names: Sequence[str], line: int) -> dict[str, int]:
    """The place of each column that is known, in the log's order; a remark names the others."""
    needed, known = file.form.needed, file.form.known
    plain = [_plain(name) for name in names]
    mistakes = Mistakes()
    if missing := [name for name in needed if name not in plain]:
        has = short(", ".join(plain), 2 * MOST_TEXT)
        mistakes.append(f"{path}: column{'s' * (len(missing) > 1)} {', '.join(missing)} missing; the file has {has}")
    mistakes += [f"{path}: column {name} occurs twice, should occur once" for name in known if plain.count(name) > 1]
    mistakes.report()
    if unknown := [name for name in plain if name not in known]:
        row = pl.DataFrame({"line": [line]})
        reason = f"not a log's columns, ignored; known are {', '.join(known)}"
        file.remarks.add(row, None, "columns", ", ".join(unknown), reason)
    return {name: plain.index(name) for name in known if name in plain}


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the messages about a damaged file off the terminal, which polars' library writes past Python before it
    raises."""
    with ExitStack() as undo, _ALONE:
        with suppress(OSError):  # no stderr, or no more files: it is written, then
            nowhere, kept = os.open(os.devnull, os.O_WRONLY), os.dup(2)
            undo.callback(os.close, nowhere)
            undo.callback(os.close, kept)
            undo.callback(os.dup2, kept, 2)
            os.dup2(nowhere, 2)
        yield


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """The error of polars for a file that is not Parquet, or damaged, in one line."""
    try:
        with _quiet():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        reason = short((str(error).splitlines() or ["damaged"])[0], MOST_TEXT)
        raise InputError(f"{path}: not a Parquet file that can be read: {reason}") from None


def _refuse_deadly(path: Path) -> None:
    """Refuse a damaged Parquet file that ends the process that reads it: polars aborts where a length in it asks for
    more memory than there is. So another process reads it first."""
    command = [sys.executable, "-c", _READ, str(path), str(_ROWS)]
    if subprocess.run(command, check=False, stdin=subprocess.DEVNULL, capture_output=True).returncode < 0:
        raise InputError(f"{path}: not a Parquet file that can be read: damaged")


def _parquet(file: LogFile, path: Path) -> Iterator[pl.DataFrame]:
    _refuse_deadly(path)
    with _damaged(path):
        scan = pl.scan_parquet(path, glob=False)
        names = scan.collect_schema().names()
        height = scan.select(pl.len()).collect().item()
    places = _header(file, path, names, 1)
    for first in range(0, max(1, height), _ROWS):
        with _damaged(path):
            rows = scan.select(names[place] for place in places.values()).slice(first, _ROWS).collect()
        if first and not rows.height:  # the number of rows was wrong
            return
        mistakes = Mistakes()
        texts = [pl.int_range(first + 1, first + rows.height + 1, dtype=pl.Int32, eager=True).alias("line")]
        for column, values in zip(places, rows, strict=True):
            with mistakes.gathered():
                texts.append(_as_texts(values, column in file.form.numbers, str(path)))
        mistakes.report()
        yield pl.DataFrame(texts)


def _as_texts(values: pl.Series, numbers: bool, where: str) -> pl.Series:
    """A column of Parquet as the texts that a CSV would have; a null is an empty one."""
    dtype, column = values.dtype, values.name.strip().lower()
    number = dtype.is_numeric() and numbers
    if dtype != pl.Null and not number and not isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        allowed = "String or a number" if numbers else "String"
        raise InputError(f"{where}: column {column} is {dtype}, should be {allowed}")
    if dtype.is_float():
        distinct = values.unique().drop_nulls()
        texts = [_digits(value) for value in distinct.to_numpy()]
        values = values.to_frame("value").join(
            pl.DataFrame({"value": distinct, "text": pl.Series(texts, dtype=pl.String)}),
            on="value", how="left", maintain_order="left",
        )["text"]  # fmt: skip
    return values.cast(pl.String).fill_null("").str.strip_chars().alias(column)


def _digits(value: object) -> str:
    """A float in the fewest digits that determine it, without an exponent; a whole one without a point."""
    number = Decimal(str(value))
    whole = number.is_finite() and number == number.to_integral_value()
    return format(number, ".0f" if whole else "f") if number.is_finite() else str(value)
