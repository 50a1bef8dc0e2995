"""Watches of tables. Each watch runs the ordinary command in a separate process. Its files are in the room `live`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from shlex import split
from threading import RLock
from typing import Any

from counting.app.companion import Companion
from counting.app.studies import Studies, slug
from counting.errors import InputError
from counting.io.outputs import add_lines, write_text
from counting.requests import WatchArguments

ROOMS = ("live", "logs")
"""The rooms that may have a table's file."""
MOST = 20
"""The most watches that are on at the same time."""
_ENDINGS = (
    ".json", ".journal", ".journal.told", ".journal.state", ".alerts", ".acknowledged", ".html", ".pdf", ".alerts.pdf",
)  # fmt: skip
_LONGEST = 120  # the most characters of a person's name

Numbered = Mapping[int, dict[str, Any]]


def numbered(path: Path) -> Numbered:
    """The complete lines of a file of JSON lines. Each line is about an alert, and the keys are the numbers of these
    alerts. If several lines are about the same alert, the first is taken."""
    with suppress(FileNotFoundError):
        stat = path.stat()
        return _read(path, stat.st_mtime_ns, stat.st_size)
    return {}


@lru_cache(maxsize=4 * MOST)
def _read(path: Path, _changed: int, _size: int) -> Numbered:
    lines: dict[int, dict[str, Any]] = {}
    for line in path.read_bytes().split(b"\n")[:-1]:
        with suppress(ValueError, TypeError, KeyError, RecursionError):  # a damaged line is ignored
            record = json.loads(line)
            lines.setdefault(int(record["alert"]), record)
    return lines


class TableWatch:
    """A watch. `arguments`: the arguments of its request. `on`: whether it is on. `error`: the error line with which it
    ended."""

    def __init__(
        self, studies: Studies, name: str, arguments: Mapping[str, Any], on: bool = False, error: str = ""
    ) -> None:
        self.name, self.arguments, self.on, self.error = name, arguments, on, error
        self._studies, self._lock = studies, RLock()
        self._process: Companion | None = None
        files = "".join(f" --{kind} live/{name}.{kind}" for kind in ("journal", "alerts"))
        self.command = f"{WatchArguments(**arguments).command}{files} --page live/{name}.html --format none"

    def file(self, ending: str) -> Path:
        """The path of one of the watch's files, by its ending: alerts, acknowledged, html, pdf or json."""
        return self._studies.folder / f"live/{self.name}.{ending}"

    @property
    def alerts(self) -> Numbered:
        """The alerts by their numbers."""
        return numbered(self.file("alerts"))

    @property
    def acknowledged(self) -> Numbered:
        """For each acknowledged alert, by its number: the `name` of the person and the `time`."""
        return numbered(self.file("acknowledged"))

    def page(self) -> str:
        """The present page of the tables. Raises `InputError` if the watch has not yet written it."""
        return (self._studies.folder / self._studies.file(f"live/{self.name}.html")).read_text(encoding="utf-8")

    @property
    def state(self) -> str:
        """A text that changes whenever the watch's page must change: whether the watch is on, how many alerts it has,
        how many of them are acknowledged, and the time of its page."""
        page = self.file("html")
        written = page.stat().st_mtime_ns if page.exists() else 0
        return f"{self.on} {len(self.alerts)} {len(self.acknowledged)} {written}"

    def acknowledge(self, alert: int, by: str) -> None:
        """Record that a person has seen an alert. Only the first person is recorded. Raises `InputError` if there is no
        such alert, and for an empty or long name."""
        by = " ".join(by.split())
        if not by or len(by) > _LONGEST or not by.isprintable():
            raise InputError(f"name: {by!a}, should be your name, of {_LONGEST} characters at most")
        with self._lock:
            if alert not in self.alerts:
                raise InputError(f"alert {alert}: is not there")
            if alert not in self.acknowledged:
                now = datetime.now().astimezone().isoformat(" ", "seconds")
                record = {"alert": alert, "name": by, "time": now}
                add_lines(self.file("acknowledged"), json.dumps(record, ensure_ascii=False) + "\n")

    def start(self) -> None:
        """Start the process. The watch continues where it stopped. Raises `InputError` if the table's file is not in
        the folder."""
        with self._lock:
            if self._process is not None:
                return
            try:
                self._studies.file(self.arguments["coups"], *ROOMS)
            except InputError as error:
                raise InputError(f"coups: {error}") from None
            self._keep(True)
            words = ["counting.cli", *split(self.command)[1:]]
            self._process = Companion(self._studies.folder, words, lambda line: line.startswith("ALERT "), self._ended)

    def _ended(self, process: Companion) -> None:
        """Record the last line of a watch whose process has ended."""
        self.fail(process.last.removeprefix("counting: ") or f"ended with exit status {process.status}", process)

    def fail(self, error: str, process: Companion | None = None) -> None:
        """Record why the watch is off, unless another process has been started in the meantime."""
        with self._lock:
            if self._process is process:
                self._process = None
                self._keep(False, error)

    def stop(self) -> None:
        """End the watch between two lines."""
        with self._lock:
            self._keep(False)
            process = self.let_go()
        Companion.end([process])

    def let_go(self) -> Companion | None:
        """Forget the watch's process, and return it without ending it. None if the watch has no process."""
        with self._lock:
            process, self._process = self._process, None
            return process

    def _keep(self, on: bool, error: str = "") -> None:
        kept = {"arguments": self.arguments, "on": on, "error": error}
        write_text(self.file("json"), json.dumps(kept, indent=1) + "\n")
        self.on, self.error = on, error


class Watches:
    """All watches. A watch that is on starts and ends with the application. Thanks to its journal, it gives the same
    alerts as if it had not been interrupted."""

    def __init__(self, studies: Studies) -> None:
        self.studies = studies
        self._all: dict[str, TableWatch] = {}
        self._lock = RLock()
        for path in sorted((studies.folder / "live").glob("*.json")):
            with suppress(ValueError, TypeError, OSError):  # the file may be damaged, or not a watch's file
                self._all[path.stem] = TableWatch(studies, path.stem, **json.loads(path.read_text(encoding="utf-8")))
        for watch in self:
            try:
                if watch.on:
                    watch.start()
            except InputError as error:
                watch.fail(str(error))

    def __iter__(self) -> Iterator[TableWatch]:
        with self._lock:
            return iter(list(self._all.values()))

    def __getitem__(self, name: str) -> TableWatch:
        """The watch with a name. Raises `InputError` if there is none."""
        if name not in self._all:
            raise InputError(f"{name!a}: is no watch")
        return self._all[name]

    def logs(self) -> list[str]:
        """The files that may be tables' files: all files of both rooms, except the files that watches write."""
        own = {f"live/{watch.name}{ending}" for watch in self for ending in _ENDINGS}
        return [file for room in ROOMS for file in self.studies.files(room) if file not in own]

    def begin(self, arguments: Mapping[str, Any]) -> str:
        """Begin a watch with these arguments, and return its name. If there is a watch with the same arguments, it is
        started again. The name of a new watch is the log's name, with -2, -3 and so on if it is taken."""
        with self._lock:
            same = [watch.name for watch in self if watch.arguments == arguments]
            stem, live = slug(Path(arguments["coups"]).stem), self.studies.folder / "live"
            names = chain(same, [stem], (f"{stem}-{number}" for number in count(2)))
            name = next(n for n in names if n in same or not any((live / f"{n}{end}").exists() for end in _ENDINGS))
            watch = self._all.get(name) or TableWatch(self.studies, name, dict(arguments))
            self.start(watch)
            self._all[name] = watch
            return name

    def start(self, watch: TableWatch) -> None:
        """Start a watch. Raises `InputError` if `MOST` other watches are on."""
        with self._lock:
            if sum(each.on for each in self if each is not watch) >= MOST:
                raise InputError(f"{MOST} watches are on, should be fewer: stop one first")
            watch.start()

    def close(self) -> None:
        """End the processes of all watches. After the next start of the application, watches that were on continue."""
        Companion.end([watch.let_go() for watch in self])
