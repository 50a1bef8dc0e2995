"""The journal: one line of JSON, a record, for every event in the input lines that were read. Records are only added.
Each record has a number and a digest. The digest covers the record and the digest of the record before.

Each event of an input line is one record, with all that the event did. An input line without events is a record too. So
even if a watch is killed, each event is recorded either whole or not at all. A record that was not written whole is cut
off, and its input line is read again."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, NamedTuple, NoReturn

from counting.errors import InputError, printable
from counting.io.outputs import Kind, Output
from counting.live.records import Record

FORM = 1  # the number of the records' form
_DIGITS = 16
_SHOWN = 60
_FIRST, _LINES = 4, 12  # how many lines of an input are kept: first lines, and lines in all
_PIECE = 1 << 20  # bytes read at a time, to see whether they changed
_CLOSING = b',"digest":"%s"}\n'  # how a record ends
_ALERTS = b',"alerts":['
_CLOSED = len(_CLOSING) - len("%s") + _DIGITS


class JournalPlace(NamedTuple):
    """A place in a journal, between two records.

    - `number` and `size`: the number of records before it, and their size in bytes
    - `digest`: the digest of the last record before it"""

    number: int = 0
    size: int = 0
    digest: str = ""


class Journal:
    """A journal that is open for writing, locked for this process."""

    def __init__(self, path: Path, settings: Record, others: Iterable[Path | str] = ()) -> None:
        """Open a journal for a watch with these settings. `records` then reads the journal, or begins a new one.

        Raises `InputError` if the journal cannot be written, if another process writes it, or if it is one of the files
        `others`."""
        self.path = path
        self._settings = settings
        self.place = JournalPlace()  # the journal's end
        self.read = 0  # the number of records that were read from it
        self.ends: dict[int, Record] = {}  # the last record of each input
        self.lines: dict[int, list[Record]] = {}  # for each input, its first and last lines, which identify it
        self._sum = hashlib.sha256()  # the digest of all bytes before `place`
        self._dirty = False
        self._thread = ThreadPoolExecutor(1)
        self._syncing: Future[None] | None = None
        if path.is_dir():
            raise InputError(f"{path}: a folder, should be the name of a file (--journal)")
        # Any file is accepted here, because `records` checks the lines.
        Output(path, Kind("a journal of counting watch", lambda _: True), "--journal", others)
        try:
            self._file: IO[bytes] = path.open("ab+")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        try:
            _lock(self._file, path)
        except InputError:
            self._file.close()
            raise

    def records(self, after: JournalPlace | None = None) -> Iterator[Record]:
        """The records after the place `after`, in order. Without `after`, all records. If the journal is empty, its
        first record is written. The method may be called only once, and `has_before` must have checked `after`. Raises
        `InputError` if the journal has other settings, or if a record is not as it was written."""
        self._file.seek(0)
        for raw in self._file:
            if not raw.endswith(b"\n"):
                if self.place.number == 0 and not self._written(self._first())[1].startswith(raw):
                    self._refuse()  # a file of another kind
                break
            record = self._read(raw)
            if self.place.number == 1:
                self._refuse_other(record)
                if after is not None:
                    self.place = after
                    self._file.seek(after.size)
                    continue
            self._sum.update(raw)
            if self.place.number > 1:
                self.read += 1
                yield record
        if self._file.seek(0, os.SEEK_END) > self.place.size:
            self._file.truncate(self.place.size)
        if self.place.number == 0:
            self.append([self._first()])

    def _first(self) -> Record:
        return {"watch": FORM, **self._settings}

    def has(self, place: JournalPlace) -> bool:
        """Whether a record that ends at this place has the place's digest."""
        self._file.seek(max(0, place.size - _CLOSED))
        return self._file.read(_CLOSED) == _closing(place.digest)

    @property
    def digest(self) -> str:
        """The SHA-256 of all records."""
        return self._sum.hexdigest()

    def has_before(self, place: JournalPlace, digest: str) -> bool:
        """Whether all records before this place have this SHA-256."""
        self._file.seek(0)
        bytes_left, self._sum = place.size, hashlib.sha256()
        while piece := self._file.read(min(bytes_left, _PIECE)):
            self._sum.update(piece)
            bytes_left -= len(piece)
        if self.digest == digest:
            return True
        self._sum = hashlib.sha256()
        return False

    def alerts_before(self, place: JournalPlace, number: int) -> Iterator[Record]:
        """The alerts in the records before a place, if an alert's number is greater than `number`. `has_before` must
        have checked the place."""
        self._file.seek(0)
        size = 0
        for raw in self._file:
            size += len(raw)
            if size > place.size:
                return
            if _ALERTS in raw:  # true of few records
                yield from (alert for alert in json.loads(raw).get("alerts", ()) if alert["alert"] > number)

    def _read(self, raw: bytes) -> Record:
        body = raw[:-_CLOSED]
        place = self._after(body)
        if raw[-_CLOSED:] != _closing(place.digest):
            self._refuse()
        record: Record = json.loads(raw)
        self._pass(place, record)
        return record

    def _written(self, record: Record) -> tuple[JournalPlace, bytes]:
        """The place after the next record, and the record's line."""
        numbered = {"n": self.place.number, **record}
        text = json.dumps(numbered, separators=(",", ":"), ensure_ascii=False)
        body = text.encode(errors="replace")[:-1]
        place = self._after(body)
        return place, body + _closing(place.digest)

    def _after(self, body: bytes) -> JournalPlace:
        """The place after the next record. `body` is this record without its digest."""
        number, size, before = self.place
        return JournalPlace(number + 1, size + len(body) + _CLOSED, _chained(before, body))

    def _pass(self, place: JournalPlace, record: Record) -> None:
        self.place = place
        if "input" in record:
            number = record["input"]
            self.ends[number] = record
            if record["did"] == "anew":
                self.lines[number] = []
            elif record.get("bytes"):
                lines = self.lines.setdefault(number, [])
                lines.append({name: record[name] for name in ("end", "bytes", "crc")})
                if len(lines) > _LINES:
                    del lines[_FIRST]

    def _refuse(self) -> NoReturn:
        raise InputError(
            f"{self.path}: line {self.place.number + 1} is not as counting watch wrote it: should be whole and "
            "unchanged; under another name (--journal) the input is read from its start"
        )

    def _refuse_other(self, record: Record) -> None:
        held = {name: value for name, value in record.items() if name not in ("n", "digest", "watch")}
        wanted = json.loads(json.dumps(self._settings))
        for name in dict.fromkeys((*wanted, *held)):
            if held.get(name) != wanted.get(name):
                values = [json.dumps(settings.get(name)) for settings in (held, wanted)]
                short = ", ".join(printable(value)[:_SHOWN] for value in values)
                raise InputError(
                    f"{self.path}: a journal of a watch with another {name.replace('_', ' ')} ({short}), should be "
                    "another file (--journal)"
                )

    def append(self, records: Iterable[Record]) -> None:
        """Add records. They survive the end of this process. Once `sync` has written them to the disk, they survive a
        power cut too."""
        lines = []
        for record in records:
            place, line = self._written(record)
            self._pass(place, record)
            lines.append(line)
        if lines:
            written = b"".join(lines)
            self._sum.update(written)
            self._file.write(written)
            self._file.flush()
            self._dirty = True

    def sync(self) -> None:
        """Begin to write the records to the disk, in another thread. If this failed in an earlier call, the error is
        raised now."""
        if self._dirty and (self._syncing is None or self._syncing.done()):
            if self._syncing is not None:
                self._syncing.result()
            self._dirty = False
            self._syncing = self._thread.submit(os.fsync, self._file.fileno())

    def after_sync(self, then: Callable[[], None]) -> Future[None]:
        """In another thread, write the records to the disk, then call `then`."""

        def both() -> None:
            os.fsync(self._file.fileno())
            then()

        return self._thread.submit(both)

    def close(self) -> None:
        """Write all records to the disk, and close the journal."""
        self._thread.shutdown()
        os.fsync(self._file.fileno())
        self._file.close()


def read_journal(path: Path) -> Iterator[Record]:
    """The records of a journal. The first has the settings of the watch.

    A last record that is not whole is left out, because a watch may still be writing the journal. Raises `InputError`
    for a file that is not a journal, and for a record that is not as it was written."""
    before = ""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file):
                if not raw.endswith(b"\n"):
                    return
                body = raw[:-_CLOSED]
                before = _chained(before, body)
                if raw[-_CLOSED:] != _closing(before):
                    what = f"line {number + 1} is not as counting watch wrote it" if number else "not a journal"
                    raise InputError(f"{path}: {what}: should be a whole journal of counting watch (--journal)")
                yield json.loads(raw)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def _chained(before: str, body: bytes) -> str:
    """The digest of a record together with the digest of the record before."""
    return hashlib.sha256(before.encode() + body).hexdigest()[:_DIGITS]


def _closing(digest: str) -> bytes:
    return _CLOSING % digest.encode()


def _lock(file: IO[bytes], path: Path) -> None:
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # this system has no flock
        pass
    except OSError:
        raise InputError(f"{path}: another watch is writing it, should be another file (--journal)") from None
