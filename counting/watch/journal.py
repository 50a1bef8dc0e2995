"""The journal: a line of JSON for every line read, only ever added to, each with a number and the digest of the one
before.

A line of the input is one record with all that it did, so that a watch that is killed at any moment has either read a
line or not. A record that was not written whole is cut off, and its line is read again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO

from counting.errors import InputError, printable
from counting.watch.records import Record

FORM = 1  # of the journal's records
_DIGITS = 16
_SHOWN = 60
_LONGEST = 1 << 22  # bytes of a record


class Journal:
    """A journal that is open for writing, locked for this process."""

    def __init__(self, path: Path, settings: Record) -> None:
        """Open a journal with these settings, or begin it. Raises `InputError` for one of other settings, one that
        another process writes, and one that was changed by another hand."""
        self.path = path
        self._settings = settings
        self.number, self.size, self._before = 0, 0, ""
        self.read = 0  # records that were taken up from it
        self.ends: dict[int, Record] = {}  # the last record of each input
        self._dirty = False
        self._thread = ThreadPoolExecutor(1)
        self._syncing: Future[None] | None = None
        if path.is_dir():
            raise InputError(f"{path}: a folder, should be the name of a file (--journal)")
        try:
            self._file: IO[bytes] = path.open("ab+")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        try:
            _lock(self._file, path)
        except InputError:
            self._file.close()
            raise

    def records(self, after: int = 0) -> Iterator[Record]:
        """The records that are in it from this byte on, once, in order; begins it where it is new."""
        self._file.seek(0)
        for raw in self._file:
            if not raw.endswith(b"\n"):
                break
            record = self._read(raw)
            if self.number == 1:
                self._refuse_other(record)
                if after:
                    self._skip(after)
            else:
                self.read += 1
                yield record
        if self._file.seek(0, os.SEEK_END) > self.size:
            self._file.truncate(self.size)
        if self.number == 0:
            self.append([{"watch": FORM, **self._settings}])

    def last(self, size: int) -> Record | None:
        """The record that ends at this byte, if one does."""
        start = max(0, size - _LONGEST)
        self._file.seek(start)
        data = self._file.read(size - start)
        if len(data) < size - start or not data.endswith(b"\n"):
            return None
        raw = data[data.rfind(b"\n", 0, -1) + 1 :]
        try:
            record = json.loads(raw)
        except ValueError:
            return None
        return record | {"digest": _digest(raw)} if isinstance(record, dict) else None

    def _skip(self, size: int) -> None:
        record = self.last(size)
        assert record is not None  # `last` was asked before
        self.number, self._before, self.size = record["n"] + 1, record["digest"], size
        self._file.seek(size)

    def _read(self, raw: bytes) -> Record:
        try:
            record = json.loads(raw)
            assert isinstance(record, dict)
        except (ValueError, AssertionError):
            record = {}
        if record.get("n") != self.number or record.get("before") != self._before:
            raise InputError(
                f"{self.path}: line {self.number + 1} is not the record after the one before it: should be a "
                "journal of counting watch that nobody edited, or another name (--journal)"
            )
        self._passed(raw, record)
        return record

    def _passed(self, raw: bytes, record: Record) -> None:
        self.number, self._before, self.size = self.number + 1, _digest(raw), self.size + len(raw)
        if "input" in record:
            self.ends[record["input"]] = record

    def _refuse_other(self, record: Record) -> None:
        held = {name: value for name, value in record.items() if name not in ("n", "before", "watch")}
        wanted = json.loads(json.dumps(self._settings))
        for name in dict.fromkeys((*wanted, *held)):
            if held.get(name) != wanted.get(name):
                values = [json.dumps(of.get(name)) for of in (held, wanted)]
                short = ", ".join(printable(value)[:_SHOWN] for value in values)
                raise InputError(
                    f"{self.path}: a journal of a watch with another {name.replace('_', ' ')} ({short}), should be "
                    "another file (--journal)"
                )

    def append(self, records: Iterable[Record]) -> None:
        """Add records; they survive this process from here on, and a power cut from `sync` on."""
        lines = []
        for record in records:
            whole = {"n": self.number, **record, "before": self._before}
            raw = json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode(errors="replace") + b"\n"
            self._passed(raw, whole)
            lines.append(raw)
        if lines:
            self._file.write(b"".join(lines))
            self._file.flush()
            self._dirty = True

    def sync(self) -> None:
        """Begin to have the records on disk, beside what goes on here; raises what an earlier sync met."""
        if self._dirty and (self._syncing is None or self._syncing.done()):
            if self._syncing is not None:
                self._syncing.result()
            self._dirty = False
            self._syncing = self._thread.submit(os.fsync, self._file.fileno())

    def after_sync(self, then: Callable[[], None]) -> Future[None]:
        """Have the records on disk and do this after, beside what goes on here."""

        def both() -> None:
            os.fsync(self._file.fileno())
            then()

        return self._thread.submit(both)

    def close(self) -> None:
        """Have all records on disk."""
        self._thread.shutdown()
        os.fsync(self._file.fileno())
        self._file.close()


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:_DIGITS]


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # no flock on this system
        pass
    except OSError:
        raise InputError(f"{path}: another watch is writing it, should be another file (--journal)") from None
