"""Inputs that grow: files, which are read from a given place on, and standard input. Whole lines are read, in any
encoding."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
from collections.abc import Sequence
from io import FileIO
from pathlib import Path
from typing import Protocol
from zlib import crc32

from counting.errors import InputError
from counting.io.beside import did_you_mean
from counting.live.records import InputLine, Record
from counting.logs.records import LONGEST
from counting.logs.texts import GZIP, encoding_of, with_byte_order

PIECE = 1 << 16  # bytes read at a time: several hundred lines, so that alerts need not wait for thousands
_KEPT = LONGEST + 8  # bytes kept from the end of a line that is too long, so that a restart recognises the line
_MARK = 1 << 8  # a file is recognised by this number of bytes at its start, and right before the place reached
STDIN = "-"
_SEEN = 200  # the first bytes of a file, in this number, show whether it has lines of text
_ENOUGH = 16  # with fewer bytes and no line break, this cannot be seen yet
_ROWS = "which has no lines to follow: should be CSV or JSON lines; see counting audit for a whole file"
_NOT_LINES = {
    GZIP: "packed by gzip, which cannot be followed: should come unpacked, gzip -dc FILE | counting watch .. --coups -",
    b"SQLite format 3\0": f"an SQLite database, {_ROWS}",
    b"PAR1": f"a Parquet file, {_ROWS}",
    b"PK\x03\x04": f"a workbook or an archive, {_ROWS}",
    b"\xd0\xcf\x11\xe0": f"an old Excel or Word file, {_ROWS}",
}
_ONE_VALUE = re.compile(r"[\s\ufeff]*(\[\s*\{|[\[{]\s*\n)")  # JSON with several records, or over several lines


class Input(Protocol):
    """A source of lines.

    - `over`: whether no more lines will come
    - `waits`: whether a line has begun and has not ended
    - `idle`: whether the last look found nothing"""

    over: bool
    waits: bool
    idle: bool

    def read(self) -> list[InputLine]:
        """Whole lines that have come since the last call, from at most `PIECE` further bytes."""
        ...

    def resume(self, record: Record, lines: Sequence[Record] = ()) -> None:
        """Go on after the line of this record of the journal.

        A file is read from its start unless this line and all of `lines` are still in it. `lines` are the input's first
        lines, and the last lines before this line."""
        ...

    def close(self) -> None:
        """Read no more."""
        ...


class _InputLines:
    """Bytes divided into lines. The first bytes show the encoding."""

    def __init__(self, of: int, name: str, encoding: str | None) -> None:
        self.of, self.end, self.number, self.rest = of, 0, 0, b""
        self._name, self._encoding = name, encoding
        self._break = b""  # the line break; empty until it is known
        self._left_out = 0  # bytes left out of a line that is too long

    def anew(self) -> _InputLines:
        return _InputLines(self.of, self._name, self._encoding)

    def begin(self, start: bytes) -> bool:
        """Find out from the first bytes how lines end. False if there are too few bytes yet.

        Raises `InputError` for data without lines."""
        if self._break or (len(start) < _ENOUGH and b"\n" not in start):
            return bool(self._break)
        for mark, what in _NOT_LINES.items():
            if start.startswith(mark):
                raise InputError(f"{self._name}: {what}")
        encoding = with_byte_order(self._encoding or encoding_of(start) or "utf-8", start)
        text = start[:_SEEN].decode(encoding, errors="replace")
        if "\0" in text.partition("\n")[0]:
            raise InputError(f"{self._name}: no text, should be CSV, JSON lines or frames in hex")
        if _ONE_VALUE.match(text):
            raise InputError(
                f"{self._name}: one JSON value, which can be read only when it is whole: should be JSON lines, a "
                "record per line; see counting audit for a whole file"
            )
        self._break = "\n".encode(encoding)
        return True

    def go_on(self, record: Record, raw: bytes) -> None:
        """Go on after the line of this record, or after a part of a line if the record is about the part. `raw` is the
        line, or the part, as it is now."""
        within = bool(raw) and not raw.endswith(self._break)
        self.end, self.number, self.rest, self._left_out = record["end"], record["line"] - within, b"", 0

    def parted(self, data: bytes, is_over: bool = False) -> list[InputLine]:
        """The lines that have ended. With `is_over`, the last line counts as ended."""
        data = self.rest + data
        if not self.begin(data if not is_over else data + b"\n"):
            self.rest = data
            return []
        if is_over and data:
            data += self._break
        parts = _split(data, self._break)
        lines = []
        for raw in parts[:-1]:
            self.end += self._left_out + len(raw) + len(self._break)
            self._left_out = 0
            self.number += 1
            lines.append(InputLine(self.of, raw[-_KEPT:] + self._break, self.end, self.number))
        self.rest = parts[-1]
        if len(self.rest) > 2 * _KEPT:
            self._left_out += len(self.rest) - _KEPT
            self.rest = self.rest[-_KEPT:]
        return lines


def _split(data: bytes, mark: bytes) -> list[bytes]:
    """The bytes between the marks. A mark counts only at a multiple of its length."""
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


class GrowingFile:
    """A file that another program adds to. It is read anew if it was cut short, rewritten or replaced.

    The watch recognises a file by its first bytes and by the bytes before the place that was reached."""

    def __init__(self, path: Path, of: int, from_end: bool = False, encoding: str | None = None) -> None:
        self.path, self.of = path, of
        self.over, self.waits, self.idle = False, False, False
        self._lines = _InputLines(of, str(path), encoding)
        self._anew: list[InputLine] = []
        self._file = self._opened()
        self._first = self._last = b""  # the first bytes of the file, and the last bytes read
        try:
            self._begin()
        except InputError:
            self.close()
            raise
        if from_end:
            self._skip()

    def _opened(self) -> FileIO:
        try:
            if not stat.S_ISREG(self.path.stat().st_mode) and not self.path.is_dir():
                raise InputError(f"{self.path}: a pipe or a device, should be a file, or - for standard input")
            return self.path.open("rb", buffering=0)
        except FileNotFoundError:
            raise InputError(f"{self.path}: no such file{did_you_mean(self.path)}") from None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None

    def _begin(self) -> None:
        self._file.seek(0)
        self._lines.begin(self._file.read(_SEEN))
        self._file.seek(0)

    def _skip(self) -> None:
        """Go to the end of the last whole line. The first line is read, because it may name columns."""
        while data := self._file.read(1 << 20):
            lines = self._lines.parted(data)
            self._anew = self._anew or lines[:1]
        self._lines.rest = b""
        self._go_to(self._lines.end)

    def _go_to(self, place: int) -> None:
        """Go on from this place of the file."""
        self._file.seek(0)
        self._first = self._file.read(min(place, _MARK))
        self._file.seek(max(0, place - _MARK))
        self._last = self._file.read(min(place, _MARK))

    def resume(self, record: Record, lines: Sequence[Record] = ()) -> None:
        self._anew = []
        if all(crc32(self._raw(each)) == each.get("crc", 0) for each in (*lines, record)):
            self._lines.go_on(record, self._raw(record))
            self._go_to(record["end"])
        else:
            self._begin_anew()

    def _raw(self, record: Record) -> bytes:
        """The bytes that are now at the place of a record's line."""
        number = record.get("bytes", 0)
        self._file.seek(record["end"] - number)
        return self._file.read(number)

    def close(self) -> None:
        self._file.close()

    def _begin_anew(self) -> None:
        self._lines = self._lines.anew()
        self._begin()
        self._first = self._last = b""
        self._anew.append(InputLine(self.of, None, 0, 0))

    def read(self) -> list[InputLine]:
        data = self._more()
        if data is None or (not data and self._is_another()):
            self._begin_anew()
            data = self._more()
        lines, self._anew = self._anew, []
        self.idle = not data
        if data:
            lines += self._lines.parted(data)
            self.waits = bool(self._lines.rest)
        return lines

    def _more(self) -> bytes | None:
        """The bytes after the place that was reached. None if the bytes before it, or the file's first bytes, have
        changed."""
        place = self._file.tell()
        self._file.seek(place - len(self._last))
        data = self._file.read(len(self._last) + PIECE)
        if not data.startswith(self._last):
            return None
        more = data[len(self._last) :]
        here = self._file.tell()
        self._file.seek(0)
        first = self._file.read(_MARK)
        self._file.seek(here)
        if not first.startswith(self._first):
            return None
        self._first, self._last = first[: min(here, _MARK)], data[-_MARK:]
        return more

    def _is_another(self) -> bool:
        """Whether the name now belongs to another file. If it does, this opens that file."""
        try:
            now = os.stat(self.path)
        except FileNotFoundError:  # the old file is gone, and the next is not there yet
            return False
        own = os.fstat(self._file.fileno())
        if (now.st_ino, now.st_dev) == (own.st_ino, own.st_dev):
            return False
        self._file.close()
        self._file = self._opened()
        return True


class StandardInput:
    """Lines of standard input. After a restart of the watch, the program that writes the lines decides where they
    begin. Lines that were read before are recognised by table, shoe and coup."""

    def __init__(self, of: int, encoding: str | None = None) -> None:
        self.over, self.waits, self.idle = False, False, False
        self._lines = _InputLines(of, "standard input", encoding)
        self._at = sys.stdin.fileno()

    def resume(self, record: Record, lines: Sequence[Record] = ()) -> None:
        self._lines.end, self._lines.number = record["end"], record["line"]

    def read(self) -> list[InputLine]:
        self.idle = self.over or not select.select([self._at], [], [], 0)[0]
        if self.idle:
            return []
        data = os.read(self._at, PIECE)
        self.over = not data
        lines = self._lines.parted(data, self.over)
        self.waits = bool(self._lines.rest)
        return lines

    def close(self) -> None:
        self.over = True


def open_input(name: str, of: int, from_end: bool = False, encoding: str | None = None) -> Input:
    """The input for the path of a file, or for `-`, which is standard input.

    `encoding` is the layout's encoding. Without it, the encoding is UTF-8, or UTF-16 if a byte-order mark or zero bytes
    show it. Raises `InputError` for a file that cannot be followed line by line."""
    if name == STDIN:
        return StandardInput(of, encoding)
    return GrowingFile(Path(name), of, from_end, encoding)
