"""The state of a watch, kept beside its journal, so that the next watch need not read every record of the journal.

The state is written between two looks at the inputs, a few tables and patrons at a time, so that no alert waits for it.
Each table and each patron has a line of JSON. A line has the number of a record of the journal, and the state of the
table or patron before this record. The file's last line is a digest of all lines before it.

A watch that takes up the state reads the journal's records from the place at which the writing of the state began. For
each table and patron, it skips the records that the state on its line already includes. A state that is damaged, or of
another journal or version, is not taken up, and all records of the journal are read. The same happens if the digest in
the state shows that the journal's earlier records have changed. Reading all records then ends in an error that names
the changed line."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import IO

from counting.io.outputs import Kind, Output
from counting.live.journal import Journal, JournalPlace
from counting.live.knowing import WatchedPatron
from counting.live.records import Record
from counting.live.tables import LiveTable
from counting.live.watching import Watch
from counting.version import __version__

EVERY = 50_000  # records between two states; after a kill, reading the records since the last state takes seconds
TURN = 0.0002  # seconds of writing between two looks at the inputs; a table or patron that was begun is finished
_FORM = 6  # the number of the file's form
_SUM = 64  # the digits of the file's digest
_BEGIN = b'{"form":'


class Keeper:
    """Keeps the state of a watch while the watch goes on."""

    def __init__(self, watch: Watch, journal: Journal, every: int | None = None) -> None:
        self._watch, self._journal = watch, journal
        self._every = every or EVERY
        self._next = journal.place.number - journal.read + self._every
        self._file: IO[bytes] | None = None
        self._sum = hashlib.sha256()
        self._tables: Iterator[LiveTable] = iter(())
        self._patrons: Iterator[tuple[str, WatchedPatron]] = iter(())
        self._kept: Future[None] | None = None

    def turn(self, seconds: float = TURN) -> None:
        """Write a part of the state. Does nothing until it is time for the next state."""
        is_time = self._file is None and self._journal.place.number >= self._next
        if is_time and (self._kept is None or self._kept.done()):
            self.begin()
        if self._file is not None:
            self._write(self._file, seconds)

    def begin(self) -> None:
        """Begin to write a state. If another state was begun, it is given up."""
        self.close()
        self._next = self._journal.place.number + self._every
        self._file = _new(self._journal).open("wb")
        self._sum = hashlib.sha256()
        self._tables, self._patrons = iter(list(self._watch.tables)), iter(list(self._watch.patrons.items()))
        journal = self._journal
        head = {
            "form": _FORM, "version": __version__, "from": journal.place, "before": journal.digest,
            "patrons": self._watch.patrons_seen,
        }  # fmt: skip
        self._put(self._file, head)

    def _write(self, file: IO[bytes], seconds: float) -> None:
        until = time.perf_counter() + seconds
        for table in self._tables:
            self._put(file, {"n": self._journal.place.number, "table": table.kept()})
            if time.perf_counter() > until:
                return
        for name, patron in self._patrons:
            self._put(file, {"n": self._journal.place.number, "patron": name, "kept": patron.kept()})
            if time.perf_counter() > until:
                return
        journal = self._journal
        self._put(
            file, {"to": journal.place, "ends": journal.ends, "lines": journal.lines, "watch": self._watch.kept()}
        )
        file.write(f"{self._sum.hexdigest()}\n".encode())
        self._file = None
        self._kept = journal.after_sync(lambda: _put_in_place(file, journal))

    def _put(self, file: IO[bytes], record: Record) -> None:
        line = json.dumps(record, separators=(",", ":")).encode() + b"\n"
        self._sum.update(line)
        file.write(line)

    def whole(self) -> None:
        """Keep the whole state now, and wait until it is on disk."""
        self.begin()
        self.turn(math.inf)
        self.close()

    def close(self) -> None:
        """Give up a state that was begun. Wait for a state that is being written to the disk."""
        if self._kept is not None:
            self._kept.result()
        if self._file is not None:
            self._file.close()
            self._file = None


def _put_in_place(file: IO[bytes], journal: Journal) -> None:
    file.flush()
    os.fsync(file.fileno())
    file.close()
    os.replace(_new(journal), _path(journal))


def keep(watch: Watch, journal: Journal) -> None:
    """Keep the whole state of a watch now."""
    Keeper(watch, journal).whole()


def restored(watch: Watch, journal: Journal) -> JournalPlace | None:
    """Take up the state that was kept, if it is whole and of this journal.

    Returns the place in the journal after which records are to be read, or None if all are to be read. Raises
    `InputError` if a file with the state's name is not a state."""
    for path in (_path(journal), _new(journal)):
        Output(path, Kind("the state that a watch keeps beside its journal", _is_state), "--journal")
    try:
        data = _path(journal).read_bytes()
    except OSError:
        return None
    if data[-_SUM - 1 :] != f"{hashlib.sha256(data[: -_SUM - 1]).hexdigest()}\n".encode():
        return None
    first, *parts, last = map(json.loads, data.splitlines()[:-1])
    if (first["form"], first["version"]) != (_FORM, __version__) or not journal.has(to := JournalPlace(*last["to"])):
        return None
    after = JournalPlace(*first["from"])
    if not journal.has_before(after, first["before"]):
        return None
    journal.ends = {int(of): each for of, each in last["ends"].items()}
    journal.lines = {int(of): each for of, each in last["lines"].items()}
    watch.restore(last["watch"], to.number, first["patrons"])
    for each in parts:
        if "patron" in each:
            watch.restore_patron(each["patron"], each["kept"], each["n"])
        else:
            watch.restore_table(each["table"], each["n"])
    return after


def _is_state(path: Path) -> bool:
    """Whether a file begins or ends like a state. Its other end may be damaged, or not written yet."""
    with path.open("rb") as file:
        begins = file.read(len(_BEGIN)) == _BEGIN
        file.seek(max(0, path.stat().st_size - _SUM - 1))
        return begins or re.fullmatch(rb"[0-9a-f]{%d}\n" % _SUM, file.read()) is not None


def files_beside(journal: Path) -> dict[str, Path]:
    """The files that a watch keeps beside its journal.

    - `told`: the numbers of its last alerts
    - `state`: the state
    - `new`: the state while it is being written"""
    names = {"told": "told", "state": "state", "new": "state.new"}
    return {name: journal.with_name(f"{journal.name}.{ending}") for name, ending in names.items()}


def _path(journal: Journal) -> Path:
    return files_beside(journal.path)["state"]


def _new(journal: Journal) -> Path:
    return files_beside(journal.path)["new"]
