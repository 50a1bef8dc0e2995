"""Inputs that grow: whole lines of a file from a place on, or of standard input, whatever they are encoded in."""

from __future__ import annotations

import os
import re
import select
import sys
from pathlib import Path
from typing import BinaryIO, Protocol
from zlib import crc32

from counting.errors import InputError
from counting.io.beside import beside
from counting.logs.texts import GZIP, encoding_of, with_byte_order
from counting.watch.records import Line, Record

PIECE = 1 << 16  # bytes read at a time: some hundred lines, so that alerts do not wait for thousands
LONGEST = 1 << 20  # bytes of a line; a longer one is cut
STDIN = "-"
_KNOWN = 1024  # bytes at the start of a file, and of those read last, by which it is known again
_SEEN = 200  # bytes looked at for what is no text of lines
_ENOUGH = 16  # bytes that show it, where there is not yet a line
_ROWS = "which has no lines to follow: should be CSV or JSON lines; see counting audit for a whole file"
_NOT_LINES = {
    GZIP: "packed by gzip, which cannot be followed: should come unpacked, gzip -dc FILE | counting watch .. --coups -",
    b"SQLite format 3\0": f"an SQLite database, {_ROWS}",
    b"PAR1": f"a Parquet file, {_ROWS}",
    b"PK\x03\x04": f"a workbook or an archive, {_ROWS}",
    b"\xd0\xcf\x11\xe0": f"an Excel file, {_ROWS}",
}
_ONE_VALUE = re.compile(r"[\s\ufeff]*(\[\s*\{|[\[{]\s*\n)")  # JSON of several records, or over several lines


class Input(Protocol):
    """Something to read lines from: `waits` is whether a line has begun that has not ended."""

    over: bool
    waits: bool

    def read(self) -> list[Line]:
        """The whole lines that have come since."""
        ...

    def resume(self, record: Record) -> None:
        """Go on after the line that this record of the journal is of."""
        ...

    def close(self) -> None:
        """Read no more."""
        ...


class _Lines:
    """Bytes parted into lines. What they are encoded in is known from the first of them."""

    def __init__(self, of: int, name: str, encoding: str | None, is_whole: bool) -> None:
        """`is_whole`: the layout finds its records within one JSON value."""
        self.of, self.end, self.number, self.rest = of, 0, 0, b""
        self._name, self._encoding, self._is_whole = name, encoding, is_whole
        self._break = b""  # not known yet

    def anew(self) -> _Lines:
        return _Lines(self.of, self._name, self._encoding, self._is_whole)

    def begin(self, start: bytes) -> bool:
        """Find out from the first bytes how lines end; false while these are too few. Raises `InputError` for what has
        no lines."""
        if self._break or (len(start) < _ENOUGH and b"\n" not in start):
            return bool(self._break)
        for mark, what in _NOT_LINES.items():
            if start.startswith(mark):
                raise InputError(f"{self._name}: {what}")
        encoding = with_byte_order(self._encoding or encoding_of(start) or "utf-8", start)
        text = start[:_SEEN].decode(encoding, errors="replace")
        if "\0" in text:
            raise InputError(f"{self._name}: no text, should be CSV, JSON lines or frames in hex")
        if _ONE_VALUE.match(text) or (self._is_whole and text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")):
            raise InputError(
                f"{self._name}: one JSON value, which can be read only when it is whole: should be JSON lines, a "
                "record per line; see counting audit for a whole file"
            )
        self._break = "\n".encode(encoding)
        return True

    def go_on(self, record: Record, raw: bytes) -> None:
        """Go on after what this record is of, which may be a part of a line."""
        within = bool(raw) and not raw.endswith(self._break)
        self.end, self.number, self.rest = record["end"], record["line"] - within, b""

    def parted(self, data: bytes, is_over: bool = False) -> list[Line]:
        """The lines that have ended; with `is_over` the last one too."""
        data = self.rest + data
        if not self.begin(data if not is_over else data + b"\n"):
            self.rest = data
            return []
        if is_over and data:
            data += self._break
        parts = _split(data, self._break)
        lines = []
        for raw in parts[:-1]:
            self.end += len(raw) + len(self._break)
            self.number += 1
            lines.append(Line(self.of, raw[:LONGEST] + self._break, self.end, self.number))
        self.rest = parts[-1]
        return lines


def _split(data: bytes, mark: bytes) -> list[bytes]:
    """Bytes parted at a mark, which stands at multiples of its own length."""
    if len(mark) == 1:
        return data.split(mark)
    parts, begin, at = [], 0, data.find(mark)
    while at >= 0:
        if at % len(mark):
            at = data.find(mark, at + 1)
            continue
        parts.append(data[begin:at])
        begin = at + len(mark)
        at = data.find(mark, begin)
    return [*parts, data[begin:]]


class _Passed:
    """The bytes at the start of a file and the last that were read, by which the file is known again."""

    def __init__(self, first: bytes = b"", last: bytes = b"", place: int = 0) -> None:
        self._first, self._last, self._place = first[:_KNOWN], last[-_KNOWN:], place

    def add(self, data: bytes) -> None:
        """More was read."""
        self._place += len(data)
        self._last = (self._last + data)[-_KNOWN:]
        if len(self._first) < _KNOWN:
            self._first = (self._first + data)[:_KNOWN]

    def is_in(self, file: BinaryIO) -> bool:
        """Whether these bytes are still there."""
        place = file.tell()
        file.seek(self._place - len(self._last))
        is_same = file.read(len(self._last)) == self._last
        file.seek(0)
        is_same = is_same and file.read(len(self._first)) == self._first
        file.seek(place)
        return is_same


class GrowingFile:
    """A file that another program adds to. One that is cut short, or filled anew, or put in the place of the old begins
    anew: it is known by the bytes at its start and those that were read last, not by its length."""

    def __init__(
        self, path: Path, of: int, from_end: bool = False, encoding: str | None = None, is_whole: bool = False
    ) -> None:
        self.path, self.of = path, of
        self.over, self.waits = False, False
        self._lines = _Lines(of, str(path), encoding, is_whole)
        self._anew: list[Line] = []
        self._file = self._opened()
        self._passed = _Passed()
        try:
            self._begin()
        except InputError:
            self.close()
            raise
        if from_end:
            self._skip()

    def _opened(self) -> BinaryIO:
        try:
            return self.path.open("rb", buffering=0)  # no bytes of a former content
        except FileNotFoundError:
            raise InputError(f"{self.path}: no such file{beside(self.path)}") from None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None

    def _begin(self) -> None:
        self._file.seek(0)
        self._lines.begin(self._file.read(_SEEN))
        self._file.seek(0)

    def _skip(self) -> None:
        """Go to the end of the last whole line; the first, which may name columns, is read."""
        self._anew = self._lines.parted(self._file.read())[:1]
        self._lines.rest = b""
        self._take_up(self._lines.end)

    def resume(self, record: Record) -> None:
        start, end = record["end"] - record.get("bytes", 0), record["end"]
        self._anew = []
        self._file.seek(start)
        raw = self._file.read(end - start)
        if crc32(raw) == record.get("crc", 0):
            self._lines.go_on(record, raw)
            self._take_up(end)
        else:
            self._begin_anew()

    def _take_up(self, place: int) -> None:
        """Go on at a place to which the file was read."""
        self._file.seek(0)
        first = self._file.read(min(place, _KNOWN))
        self._file.seek(max(0, place - _KNOWN))
        self._passed = _Passed(first, self._file.read(min(place, _KNOWN)), place)

    def close(self) -> None:
        self._file.close()

    def _begin_anew(self) -> None:
        self._lines, self._passed = self._lines.anew(), _Passed()
        self._begin()
        self._anew.append(Line(self.of, None, 0, 0))

    def read(self) -> list[Line]:
        lines, self._anew = self._anew, []
        data = self._file.read(PIECE)
        if self._has_begun_anew(at_end=not data):
            lines += self._anew
            self._anew = []
            data = self._file.read(PIECE)
        if data:
            self._passed.add(data)
            lines += self._lines.parted(data)
            self.waits = bool(self._lines.rest)
        return lines

    def _has_begun_anew(self, at_end: bool) -> bool:
        if not self._passed.is_in(self._file):
            self._begin_anew()
            return True
        if not at_end:
            return False
        try:
            now = os.stat(self.path)
        except FileNotFoundError:  # between two: the next has yet to be made
            return False
        own = os.fstat(self._file.fileno())
        if (now.st_ino, now.st_dev) != (own.st_ino, own.st_dev):
            self._file.close()
            self._file = self._opened()
            self._begin_anew()
            return True
        return False


class StandardInput:
    """Lines of standard input; after a restart it begins where its writer does, and what was read before is known by
    its table, shoe and coup."""

    def __init__(self, of: int, encoding: str | None = None, is_whole: bool = False) -> None:
        self.over, self.waits = False, False
        self._lines = _Lines(of, "standard input", encoding, is_whole)
        self._at = sys.stdin.fileno()

    def resume(self, record: Record) -> None:
        self._lines.end, self._lines.number = record["end"], record["line"]

    def read(self) -> list[Line]:
        if self.over or not select.select([self._at], [], [], 0)[0]:
            return []
        data = os.read(self._at, PIECE)
        self.over = not data
        lines = self._lines.parted(data, self.over)
        self.waits = bool(self._lines.rest)
        return lines

    def close(self) -> None:
        self.over = True


def open_input(
    name: str, of: int, from_end: bool = False, encoding: str | None = None, is_whole: bool = False
) -> Input:
    """The input of a file's path, or of `-` for standard input.

    `encoding`: of the layout, by default UTF-8, or UTF-16 by its mark or zeros. `is_whole`: the layout finds its
    records within one JSON value. Raises `InputError` for what cannot be followed line by line.
    """
    if name == STDIN:
        return StandardInput(of, encoding, is_whole)
    return GrowingFile(Path(name), of, from_end, encoding, is_whole)
