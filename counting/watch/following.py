"""Inputs that grow: whole lines of a file from a place on, or of standard input."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path
from typing import BinaryIO, Protocol
from zlib import crc32

from counting.errors import InputError
from counting.io.beside import beside
from counting.logs.texts import GZIP
from counting.watch.records import Line, Record

PIECE = 1 << 16  # bytes read at a time: some hundred lines, so that alerts do not wait for thousands
LONGEST = 1 << 20  # bytes of a line; a longer one is cut
STDIN = "-"
_SEEN = 200  # bytes looked at for what is no text of lines


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
    """Bytes parted into lines."""

    def __init__(self, of: int) -> None:
        self.of, self.end, self.number, self.rest = of, 0, 0, b""

    def parted(self, data: bytes) -> list[Line]:
        lines = []
        parts = (self.rest + data).split(b"\n")
        for raw in parts[:-1]:
            self.end += len(raw) + 1
            self.number += 1
            lines.append(Line(self.of, raw[:LONGEST] + b"\n", self.end, self.number))
        self.rest = parts[-1]
        return lines


class GrowingFile:
    """A file that another program adds to. One that is cut short or put in the place of the old begins anew."""

    def __init__(self, path: Path, of: int, from_end: bool = False) -> None:
        self.path, self.of = path, of
        self.over, self.waits = False, False
        self._lines = _Lines(of)
        self._anew: list[Line] = []
        self._file = self._opened()
        start = self._file.read(_SEEN)
        if start.startswith(GZIP) or b"\0" in start:
            self.close()
            what = "packed by gzip" if start.startswith(GZIP) else "in UTF-16, or no text"
            raise InputError(f"{path}: {what}, should be a text in UTF-8 with a line per coup; see counting audit")
        self._file.seek(0)
        if from_end:
            self._skip()

    def _opened(self) -> BinaryIO:
        try:
            return self.path.open("rb")
        except FileNotFoundError:
            raise InputError(f"{self.path}: no such file{beside(self.path)}") from None
        except OSError as error:
            raise InputError(f"{self.path}: cannot be read: {error.strerror}") from None

    def _skip(self) -> None:
        """Go to the end of the last whole line; the first, which may name columns, is read."""
        first = self._file.readline()
        data = self._file.read()
        self._lines.end = len(first)
        self._lines.number = 1
        cut = data.rfind(b"\n") + 1
        self._anew = [Line(self.of, first, len(first), 1)] if first.endswith(b"\n") else []
        self._lines.end += cut
        self._lines.number += data.count(b"\n")
        self._file.seek(self._lines.end)

    def resume(self, record: Record) -> None:
        start, end = record["end"] - record.get("bytes", 0), record["end"]
        self._anew = []
        self._file.seek(start)
        if crc32(self._file.read(end - start)) == record.get("crc", 0):
            self._lines.end, self._lines.number = end, record["line"]
        else:
            self._begin_anew()

    def close(self) -> None:
        self._file.close()

    def _begin_anew(self) -> None:
        self._file.seek(0)
        self._lines = _Lines(self.of)
        self._anew.append(Line(self.of, None, 0, 0))

    def read(self) -> list[Line]:
        lines, self._anew = self._anew, []
        data = self._file.read(PIECE)
        if not data and self._has_begun_anew():
            lines += self._anew
            self._anew = []
            data = self._file.read(PIECE)
        if data:
            lines += self._lines.parted(data)
            self.waits = bool(self._lines.rest)
        return lines

    def _has_begun_anew(self) -> bool:
        try:
            now = os.stat(self.path)
        except FileNotFoundError:  # between two: the next has yet to be made
            return False
        own = os.fstat(self._file.fileno())
        if now.st_size < self._file.tell() and now.st_ino == own.st_ino:
            self._begin_anew()
            return True
        if (now.st_ino, now.st_dev) != (own.st_ino, own.st_dev):
            self._file.close()
            self._file = self._opened()
            self._begin_anew()
            return True
        return False


class StandardInput:
    """Lines of standard input; after a restart it begins where its writer does, and what was read before is known by
    its table, shoe and coup."""

    def __init__(self, of: int) -> None:
        self.over, self.waits = False, False
        self._lines = _Lines(of)
        self._at = sys.stdin.fileno()

    def resume(self, record: Record) -> None:
        self._lines.end, self._lines.number = record["end"], record["line"]

    def read(self) -> list[Line]:
        if self.over or not select.select([self._at], [], [], 0)[0]:
            return []
        data = os.read(self._at, PIECE)
        if not data:
            self.over = True
            data = b"\n" if self._lines.rest else b""
        lines = self._lines.parted(data) if data else []
        self.waits = bool(self._lines.rest)
        return lines

    def close(self) -> None:
        self.over = True


def open_input(name: str, of: int, from_end: bool = False) -> Input:
    """The input of a file's path, or of `-` for standard input."""
    return StandardInput(of) if name == STDIN else GrowingFile(Path(name), of, from_end)
