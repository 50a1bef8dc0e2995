"""Files that people and spreadsheets wrote: CSV or Parquet, read line by line, every line by itself.

A line that cannot be read is remarked on and skipped; a file that cannot be what it should is refused.
"""

from __future__ import annotations

import csv
import os
import threading
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from counting.errors import InputError, Mistakes
from counting.output import FORMULA

Schema = dict[str, pl.DataType | type[pl.DataType]]
Parser = Callable[[str], tuple[object, str | None]]  # a value, or None, and what there is to say of it
REMARKS: Schema = {"file": pl.String, "line": pl.Int32, "column": pl.String, "value": pl.String, "reason": pl.String}
GONE = "line skipped"
MOST_TEXT = 80

_MOST_LINE, _MOST_SHOWN = 100_000, 40
_COMMA = r"^(-?[0-9]+),([0-9]{1,2})$"  # not 1,000, which may be a thousand
_CHUNK = 1 << 16  # lines at a time
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


@dataclass
class LogFile:
    """A file while it is read: a column of trimmed texts for each column known, `line` first; the remarks so far."""

    form: Form
    texts: pl.DataFrame = field(default_factory=pl.DataFrame)
    remarks: list[pl.DataFrame] = field(default_factory=list)

    def remark(self, rows: pl.DataFrame, column: str | None, value: pl.Expr | str, reason: pl.Expr | str) -> None:
        """Note a reason against each row (`line` and whatever value and reason are made of)."""
        said = {"file": pl.lit(self.form.name), "line": pl.col("line"), "column": pl.lit(column, pl.String)}
        said["value"] = pl.lit(value) if isinstance(value, str) else value
        said["reason"] = pl.lit(reason) if isinstance(reason, str) else reason
        if rows.height:
            self.remarks.append(rows.select(expr.cast(REMARKS[name]).alias(name) for name, expr in said.items()))

    def read(self, parsers: Mapping[str, Parser], types: Schema) -> pl.DataFrame:
        """The columns known, parsed, each distinct text once, and the rows kept that have every value; an optional
        column that the file lacks is empty.

        A parser gives a value, or None, and what there is to say of it, if anything. A row is lost by a None that has
        something said of it, unless the column is one that a row may lack.
        """
        found = self.texts.select("line")
        lost = pl.repeat(False, self.texts.height, eager=True)
        for name in self.form.known:
            texts = self.texts.get_column(name, default=pl.repeat("", self.texts.height, eager=True).alias(name))
            distinct = texts.unique(maintain_order=True)
            read = [parsers[name](text) for text in distinct]
            values = pl.Series([value for value, _ in read], dtype=types[name])
            reasons = pl.Series([reason for _, reason in read], dtype=pl.String)
            known = pl.DataFrame({name: distinct, "value": values, "reason": reasons})
            rows = found.select("line").with_columns(texts).join(known, on=name, how="left", maintain_order="left")
            self.remark(rows.filter(pl.col("reason").is_not_null()), name, pl.col(name), pl.col("reason"))
            if name not in self.form.may_lack:
                lost |= rows["value"].is_null() & rows["reason"].is_not_null()
            found = found.with_columns(rows["value"].alias(name))
        return found.filter(~lost)

    def formulas(self, frame: pl.DataFrame, columns: Sequence[str]) -> None:
        """One remark for each text of these columns that a spreadsheet would take for a formula."""
        for name in columns:
            begins = pl.col(name).str.slice(0, 1).is_in(list(FORMULA))
            taken = frame.filter(begins).unique(name, keep="first", maintain_order=True)
            self.remark(taken, name, pl.col(name), "kept as text; a spreadsheet would take it for a formula")


def opened(form: Form, path: Path) -> LogFile:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path}: a folder, should be a CSV or Parquet file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    data = data.removeprefix(BOM_UTF8)
    if not data.strip():
        raise InputError(f"{path}: empty, should begin with a line of column names")
    if data.startswith(b"PAR1") or path.suffix.lower() in (".parquet", ".pq"):
        return _parquet(form, path)
    return _csv(form, path, data)


def _csv(form: Form, path: Path, data: bytes) -> LogFile:
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise InputError(f"{path}: in UTF-16, should be a CSV in UTF-8 or a Parquet file")
    if data.startswith(b"PK\x03\x04"):
        raise InputError(f"{path}: a workbook or archive, should be saved as a CSV in UTF-8 or a Parquet file")
    lines = enumerate(data.splitlines(), 1)
    top, raw = next((number, raw) for number, raw in lines if raw.strip())
    try:
        head = raw.decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8: byte {error.start} is {raw[error.start]:#04x}") from None
    if "\0" in head:
        raise InputError(f"{path}: not a text in UTF-8 (UTF-16?): its first line has zero bytes")
    if len(head) > _MOST_LINE:
        raise InputError(f"{path}: its first line has {len(head):,} characters, should be column names")
    read = [(_fields(head, mark) or [], mark) for mark in ",;\t"]
    names, mark = max(read, key=lambda found: sum(_plain(column) in form.known for column in found[0]))
    if not names:
        raise InputError(f"{path}: line {top}: a quote is not closed, should be column names")
    file = LogFile(form)
    places = _header(file, path, names, top)
    wrong: list[tuple[int, str, str]] = []
    rows = _rows(lines, mark, len(names), wrong)
    schema: Schema = {"line": pl.Int32, **dict.fromkeys(places, pl.String)}
    chunks = [pl.DataFrame(schema=schema)]
    while chunk := _columns(islice(rows, _CHUNK), len(names), places):
        chunks.append(pl.DataFrame(chunk, schema))
    file.texts = pl.concat(chunks).with_columns(pl.col(pl.String).str.strip_chars())
    if mark == ";":
        comma = pl.col(name for name in form.money if name in places).str.replace(_COMMA, "$1.$2")
        file.texts = file.texts.with_columns(comma) if form.money else file.texts
    said = pl.DataFrame(wrong, {"line": pl.Int32, "value": pl.String, "reason": pl.String}, orient="row")
    file.remark(said, None, pl.col("value"), pl.col("reason"))
    return file


def _rows(
    lines: Iterator[tuple[int, bytes]], mark: str, width: int, wrong: list[tuple[int, str, str]]
) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that has so many; what is wrong with the others."""
    for number, raw in lines:
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            bad = f"not UTF-8: byte {error.start} is {raw[error.start]:#04x}; {GONE}"
            wrong.append((number, raw[:_MOST_LINE].decode(errors="replace"), bad))
            continue
        reason = None
        fields = text.split(mark) if '"' not in text else None
        if "\0" in text:
            reason = "has a zero byte"
        elif len(text) > _MOST_LINE:
            reason = f"has {len(text):,} characters, should be at most {_MOST_LINE:,}"
        elif fields is None and (fields := _fields(text, mark)) is None:
            reason = "a quote is not closed on its line, or text stands beside one"
        elif len(fields) != width and text.strip():
            reason = f"has {len(fields)} fields, should be {width}"
        if reason:
            wrong.append((number, text[: 2 * _MOST_SHOWN], f"{reason}; {GONE}"))
        elif len(fields or ()) == width and text.strip():
            yield number, fields or []


def _columns(rows: Iterable[tuple[int, list[str]]], width: int, places: dict[str, int]) -> dict[str, list[Any]]:
    """Rows turned into the columns at these places; nothing for no rows."""
    numbers: list[int] = []
    fields: list[str] = []  # one long list, as many short ones keep Python's collector busy
    for number, row in rows:
        numbers.append(number)
        fields += row
    return {"line": numbers, **{name: fields[at::width] for name, at in places.items()}} if numbers else {}


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
    found = [_plain(name) for name in names]
    mistakes = Mistakes()
    if missing := [name for name in needed if name not in found]:
        has = short(", ".join(found), 2 * MOST_TEXT)
        mistakes.append(f"{path}: column{'s' * (len(missing) > 1)} {', '.join(missing)} missing; found {has}")
    mistakes += [f"{path}: column {name} stands there twice" for name in known if found.count(name) > 1]
    mistakes.report()
    if unknown := [name for name in found if name not in known]:
        said = pl.DataFrame({"line": [line]})
        file.remark(said, None, ", ".join(unknown), f"not a log's columns, ignored; known are {', '.join(known)}")
    return {name: found.index(name) for name in known if name in found}


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep off the terminal what polars' library writes there, past Python, of a damaged file before it raises."""
    with ExitStack() as undo, _ALONE:
        with suppress(OSError):  # no stderr, or no more files: it is written, then
            nowhere, kept = os.open(os.devnull, os.O_WRONLY), os.dup(2)
            undo.callback(os.close, nowhere)
            undo.callback(os.close, kept)
            undo.callback(os.dup2, kept, 2)
            os.dup2(nowhere, 2)
        yield


def _parquet(form: Form, path: Path) -> LogFile:
    try:
        with _quiet():
            frame = pl.read_parquet(path, glob=False)
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        said = short((str(error).splitlines() or ["damaged"])[0], MOST_TEXT)
        raise InputError(f"{path}: not a Parquet file that can be read: {said}") from None
    file = LogFile(form)
    places = _header(file, path, frame.columns, 1)
    mistakes = Mistakes()
    texts = [pl.Series("line", range(1, frame.height + 1), pl.Int32)]
    for column, place in places.items():
        with mistakes.gathered():
            texts.append(_as_texts(frame.to_series(place), column in form.numbers, str(path)))
    mistakes.report()
    file.texts = pl.DataFrame(texts)
    return file


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
    """A float in the fewest digits that tell it, without an exponent; a whole one without a point."""
    number = Decimal(str(value))
    whole = number.is_finite() and number == number.to_integral_value()
    return format(number, ".0f" if whole else "f") if number.is_finite() else str(value)


def short(text: str, most: int = _MOST_SHOWN) -> str:
    """A text in at most so many printable characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."


def shortened(remarks: pl.DataFrame) -> pl.DataFrame:
    """In the order of the files' lines, values shortened."""
    distinct = remarks["value"].unique()
    named = pl.DataFrame({"value": distinct, "short": pl.Series(map(short, distinct), dtype=pl.String)})
    return (
        remarks.join(named, on="value", how="left", maintain_order="left")
        .with_columns(value=pl.col("short"))
        .select(list(REMARKS))
        .sort(pl.col("file") == "bets", "line", maintain_order=True)
    )
