"""The state of a watch, kept beside its journal, so that the next need not read the whole journal.

It is written a few tables at a time, between two looks at the inputs, so that no alert waits for it: a line of JSON for
each table, with the number of the journal's record before which it is so. A watch that takes it up reads the journal
from where the writing began, and passes over the records that a table already has.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import IO

from counting.version import __version__
from counting.watch.journal import Journal
from counting.watch.records import Record
from counting.watch.tables import Table
from counting.watch.watching import Watch

EVERY = 50_000  # records from one state to the next: what a killed watch reads again, some two seconds
TURN = 0.0002  # seconds of each look at the inputs, at most, beside one table
_FORM = 1  # of the file


class Keeper:
    """Keeps the state of a watch while it goes on."""

    def __init__(self, watch: Watch, journal: Journal, every: int | None = None) -> None:
        self._watch, self._journal, self._every = watch, journal, every or EVERY
        self._next = journal.number - journal.read + self._every
        self._file: IO[bytes] | None = None
        self._tables: Iterator[Table] = iter(())
        self._kept: Future[None] | None = None

    def turn(self, seconds: float = TURN) -> None:
        """Write some of it, where it is time to."""
        if self._file is None and self._journal.number >= self._next and (self._kept is None or self._kept.done()):
            self.begin()
        if self._file is not None:
            self._write(self._file, seconds)

    def begin(self) -> None:
        """Begin a state; one that was begun is given up."""
        self.close()
        self._next = self._journal.number + self._every
        self._file = _new(self._journal).open("wb")
        self._tables = iter(list(self._watch.tables))
        self._put(self._file, {"form": _FORM, "version": __version__, "from": self._journal.size})

    def _write(self, file: IO[bytes], seconds: float) -> None:
        until = time.perf_counter() + seconds
        for table in self._tables:
            self._put(file, {"n": self._journal.number, "table": table.kept()})
            if time.perf_counter() > until:
                return
        journal = self._journal
        self._put(file, {"n": journal.number, "size": journal.size, "ends": journal.ends, "watch": self._watch.kept()})
        self._file = None
        self._kept = journal.after_sync(lambda: _put_in_place(file, journal))

    def _put(self, file: IO[bytes], record: Record) -> None:
        file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")

    def whole(self) -> None:
        """Keep all of it now, and wait until it is on disk."""
        self.begin()
        self.turn(math.inf)
        self.close()

    def close(self) -> None:
        """Give up a state that was begun, and wait for one that is on its way to the disk."""
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
    """Keep the state of a watch now."""
    Keeper(watch, journal).whole()


def restored(watch: Watch, journal: Journal) -> int:
    """Take up the state that was kept, if it is of this journal; the byte of the journal after which its records are to
    be read, 0 for all of them."""
    try:
        first, *tables, last = map(json.loads, _path(journal).read_bytes().splitlines())
        if (first.get("form"), first.get("version")) != (_FORM, __version__) or not last["ends"]:
            return 0
    except (OSError, ValueError, KeyError, AttributeError):  # none, or not whole
        return 0
    record = journal.last(last["size"])
    ends = max(last["ends"].values(), key=lambda each: int(each["n"]))
    if record is None or {name: value for name, value in record.items() if name != "digest"} != ends:
        return 0
    journal.ends = {int(of): each for of, each in last["ends"].items()}
    watch.restore(last["watch"], last["n"])
    for each in tables:
        watch.restore_table(each["table"], each["n"])
    return int(first["from"])


def _path(journal: Journal) -> Path:
    return journal.path.with_name(f"{journal.path.name}.state")


def _new(journal: Journal) -> Path:
    return journal.path.with_name(f"{journal.path.name}.state.new")
