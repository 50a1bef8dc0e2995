"""CSV files, read line by line, so that a bad line does not affect the next."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl

from counting.errors import InputError
from counting.logs import row_breaks
from counting.logs.heading_rows import TITLES, first_row, is_sound, lower_row
from counting.logs.records import text_of
from counting.logs.remarks import Reason, Schema
from counting.logs.row_breaks import quoted_fields
from counting.logs.sources import SAMPLE, Skip, Skipped, Source, column_key

_MOST_LINE, _MOST_SHOWN, _MOST_COLUMNS = 100_000, 80, 1000
_MOST_ABOVE = 2 * TITLES  # column names are looked for in this number of lines, blank lines among them
_MARKS = ",;\t|"
_RULE = "---"  # part of a line between rows
_BETWEEN = "-+=|:,; \t\x1f"  # the characters of a line between rows, as `----+----`
_FOOTER = re.compile(  # what a database's client prints below rows, as `(58 rows)` or `58 rows selected.`
    r"\(?[0-9,]+ (?:rows?|records?)(?: (?:selected|affected|in set))?\)?\.?(?: \([0-9.]+ sec\))?", re.IGNORECASE
)
Piece = TypeVar("Piece")


class Csv(Source):
    """A CSV file with fields separated by commas, semicolons, tabs or bars, or by a mark that is stated."""

    def __init__(
        self, path: Path, pieces: Iterator[bytes], known: frozenset[str], separator: str | None, names: Sequence[str]
    ) -> None:
        self.path = path
        self._pieces = pieces
        data = self._begin()
        if names:
            self.names, self.mark = list(names), separator or _likely(data, len(names))
            self.top -= 1
        else:
            self.names, self.mark, at, is_below = _column_names(known, path, data, self.top, separator)
            lines = data.split(b"\n", at + 1)
            if is_below:
                self.above = self.top, text_of(lines[0])[0].strip()
            self.top, data = self.top + at, lines[at + 1] if len(lines) > at + 1 else b""
        self._pieces = row_breaks.joined(chain([data], pieces), self.mark, len(self.names))
        self._first = next(self._pieces, b"")
        self._begun: tuple[pl.DataFrame, list[Skipped]] | None = None

    def _begin(self) -> bytes:
        """The first piece of the file, without the blank lines at its beginning."""
        self.top, data = 1, b""
        for data in self._pieces:
            if data.strip():
                break
            self.top += data.count(b"\n")
        before = len(data) - len(data.lstrip())
        self.top += data.count(b"\n", 0, before)
        data = data[data.rfind(b"\n", 0, before) + 1 :]
        if not data.strip():
            raise InputError(f"{self.path}: empty, should begin with a line of column names")
        return data

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        fields, _ = self._beginning()
        return self._named(fields.filter(pl.col("line") <= self.top + SAMPLE), columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        fields, skipped = self._beginning()
        self._begun = None
        if skipped:
            skip(skipped)
        yield self._named(fields, columns)
        for fields, skipped in _ahead(self._rest()):
            if skipped:
                skip(skipped)
            yield self._named(fields, columns)

    def _rest(self) -> Iterator[tuple[pl.DataFrame, list[Skipped]]]:
        """For each piece after the first, the fields and the skipped lines."""
        line = self.top + 1 + self._first.count(b"\n")
        for data in self._pieces:
            skipped: list[Skipped] = []
            yield self._fields(data, line, skipped.extend), skipped
            line += data.count(b"\n")

    def _beginning(self) -> tuple[pl.DataFrame, list[Skipped]]:
        """The fields and the skipped lines of the first piece. They are kept, because the sample and the whole file
        both need them."""
        if self._begun is None:
            skipped: list[Skipped] = []
            self._begun = self._fields(self._first, self.top + 1, skipped.extend), skipped
        return self._begun

    def _named(self, fields: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
        return fields.select("line", **{name: f"field_{self.names.index(own)}" for name, own in columns.items()})

    def _fields(self, data: bytes, first: int, skip: Skip) -> pl.DataFrame:
        """The trimmed fields of each line that can be split into one field for each column. Other lines are skipped,
        with a remark unless they are blank. `first` is the number of the first line."""
        mark, width = self.mark, len(self.names)
        clean = data if data.isascii() else _decodable(data, first, skip)
        lines = pl.read_lines(BytesIO(clean)).to_series() if clean else pl.Series([], dtype=pl.String)
        numbered = pl.DataFrame([pl.int_range(first, first + len(lines), dtype=pl.Int32, eager=True).alias("line"),
                                 lines.alias("text")])  # fmt: skip
        text = pl.col("text")
        whole = (text.str.count_matches(mark, literal=True) == width - 1) & (text.str.len_bytes() <= _MOST_LINE)
        for sign in ('"', "\0", _RULE):
            if sign.encode() in clean:
                whole &= ~text.str.contains(sign, literal=True)
        if width == 1:
            whole &= text.str.strip_chars() != ""
        numbered = numbered.with_columns(plain=whole)
        mended = []
        if not numbered["plain"].all():
            mended = _odd(numbered.filter(~pl.col("plain")), mark, width, skip)
            numbered = numbered.filter("plain")
        parted = numbered.select("line", text.str.split_exact(mark, width - 1).struct.unnest())
        if mended:
            schema: Schema = {"line": pl.Int32, **{f"field_{at}": pl.String for at in range(width)}}
            parted = pl.concat([parted, pl.DataFrame(mended, schema, orient="row")]).sort("line")
        blanks = mended or _may_have_blanks(clean, mark)
        return parted.with_columns(pl.col(pl.String).str.strip_chars()) if blanks else parted


def _ahead(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The same pieces. The next piece is made in a thread while the caller uses the present one."""
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(next, pieces, None)
        while (piece := made.result()) is not None:
            made = pool.submit(next, pieces, None)
            yield piece


def _column_names(
    known: frozenset[str], path: Path, data: bytes, line: int, separator: str | None
) -> tuple[list[str], str, int, bool]:
    """The column names, the mark that separates them, the index of their last line, and whether other lines are above
    them. `line`: the number of the first line, which is not blank."""
    _, _, rest = data.partition(b"\n")
    lines = _first_lines(path, data.split(b"\n", _MOST_ABOVE)[:_MOST_ABOVE], _is_binary(rest))
    split = {mark: [quoted_fields(text, mark) or [] for text in lines.values()] for mark in separator or _MARKS}
    split = {mark: rows for mark, rows in split.items() if rows[0]}
    if not split:
        raise InputError(f"{path}: line {line}: a quote is not closed, should be column names")
    mark = max(split, key=lambda mark: (sum(column_key(name) in known for name in split[mark][0]), len(split[mark][0])))
    if len(split[mark][0]) > _MOST_COLUMNS:
        number = len(split[mark][0])
        raise InputError(f"{path}: line {line}: {number:,} column names, should be at most {_MOST_COLUMNS:,}")
    row = first_row(split[mark], known)
    if not is_sound(row, split[mark]):
        narrow = [way for way in split.items() if max(map(len, way[1])) <= _MOST_COLUMNS]
        lower = [(found, by) for by, rows in narrow if (found := lower_row(rows, known)) is not None]
        row, mark = max(lower, key=lambda way: (way[0].known, len(way[0].names)), default=(row, mark))
    return row.names, mark, list(lines)[row.last], row.at > 0


def _first_lines(path: Path, raw: Sequence[bytes], is_binary: bool) -> dict[int, str]:
    """The texts of the first lines that are not blank, by their place in the file. A line with breaks within quotes is
    one text, at the place of its last line. Raises `InputError` if the first line cannot be a text of column names."""
    lines: dict[int, str] = {}
    at = 0
    while at < len(raw) and len(lines) < TITLES:
        line, at = raw[at], at + 1
        for more in raw[at : at + row_breaks.MOST] if line.count(b'"') % 2 else ():  # a line break within quotes
            if more.count(b'"') % 2:
                joined = raw[at : raw.index(more, at) + 1]
                line, at = b" ".join([line, *joined]), at + len(joined)
                break
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            text = line.decode("cp1252", errors="replace")
            if not lines and (is_binary or not text.replace("\t", " ").isprintable()):
                raise InputError(
                    f"{path}: not a text in UTF-8: byte {error.start} is {line[error.start]:#04x}"
                ) from None
        if not lines and "\0" in text:
            raise InputError(f"{path}: not a text in UTF-8 (UTF-16?): its first line has zero bytes")
        if not lines and len(text) > _MOST_LINE:
            raise InputError(f"{path}: its first line has {len(text):,} characters, should be column names")
        if text.strip() and len(text) <= _MOST_LINE:
            lines[at - 1] = text
    return lines


def _is_binary(data: bytes) -> bool:
    """Whether the first 200 bytes have control characters that do not occur in text."""
    return any(byte < ord(" ") and byte not in b"\t\n\r" for byte in data[:200])


def _likely(data: bytes, width: int) -> str:
    """The mark that splits the first line into `width` fields; a comma if none does."""
    head = data.partition(b"\n")[0].decode(errors="replace")
    return next((mark for mark in _MARKS if len(quoted_fields(head, mark) or []) == width), ",")


def _decodable(data: bytes, first: int, skip: Skip) -> bytes:
    """A piece of the file as UTF-8. Lines that are not UTF-8 are read as Windows-1252, with a remark, or are
    skipped."""
    try:
        data.decode()
        return data
    except UnicodeDecodeError:
        pass
    lines = data.split(b"\n")
    bad: list[tuple[int, str, Reason]] = []
    for at, raw in enumerate(lines):
        text, reason = text_of(raw)
        if reason is not None:
            lines[at] = text.encode() if reason.kind == "windows-1252" else b""
            bad.append((first + at, text[:_MOST_SHOWN], reason))
    skip(bad)
    return b"\n".join(lines)


def _odd(odd: pl.DataFrame, mark: str, width: int, skip: Skip) -> list[tuple[int, *tuple[str, ...]]]:
    """The numbers and fields of unusual lines, for example with quotes. Lines that cannot be split are skipped, with a
    remark on the mistake."""
    good: list[tuple[int, *tuple[str, ...]]] = []
    bad: list[tuple[int, str, Reason]] = []
    for line, text in odd.select("line", "text").iter_rows():
        fields = fields_of(text, mark, width)
        if isinstance(fields, Reason):
            bad.append((line, text[:_MOST_SHOWN], fields))
        elif text.strip():
            good.append((line, *fields))
    if bad:
        skip(bad)
    return good


def fields_of(text: str, mark: str, width: int) -> list[str] | Reason:
    """The fields of a line, or the reason why it has none: it cannot be split, or it is no row of the log. A blank line
    may have any number of fields."""
    fields = text.split(mark) if '"' not in text else quoted_fields(text, mark)
    if not text.strip():
        return fields or []
    if "\0" in text:
        return Reason("zero-byte", "has a zero byte")
    if len(text) > _MOST_LINE:
        return Reason("length", f"is too long, should be at most {_MOST_LINE:,} characters")
    if fields is None:
        return Reason("quote", "a quote is not closed on its line, or has text beside it")
    if is_no_row(text):
        return Reason("footer", "no row of the log: a count of rows, or a line between rows", kept=True)
    if len(fields) != width:
        return Reason("fields", f"has {len(fields)} fields, should be {width}")
    return fields


def is_no_row(text: str) -> bool:
    """Whether a line is a count of rows, or a line between rows."""
    if _RULE in text and not text.strip(_BETWEEN):
        return True
    return len(text) < 80 and _FOOTER.fullmatch(text.strip()) is not None


def _may_have_blanks(data: bytes, mark: str) -> bool:
    """Whether a field of a piece may begin or end with a blank."""
    if not data.isascii():
        return True
    if mark in " \t\v\f":
        return True
    kinds = bytearray(256)
    kinds[ord(mark)] = kinds[ord("\n")] = 1
    for blank in b" \t\v\f":
        kinds[blank] = 2
    read = np.frombuffer((b"\n" + data).translate(kinds), np.uint8)
    return bool((read[:-1] + read[1:] == 3).any())
