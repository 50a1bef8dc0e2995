"""Watches of tables: each is the ordinary command in a process of its own, with its files in the folder's `live`."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from shlex import split
from threading import RLock, Thread
from time import monotonic
from typing import Any

from counting.app.studies import Studies, slug
from counting.errors import InputError
from counting.io.outputs import write_text
from counting.requests import WatchArguments

ROOMS = ("live", "logs")
"""Where a table's file can be."""
MOST = 20
"""Watches that may be on at a time."""
_ENDINGS = (".json", ".journal", ".journal.told", ".journal.state", ".alerts", ".acknowledged", ".html", ".pdf")
_SECONDS = 5.0  # that a watch has to end
_LONGEST = 120  # characters of a person's name
_APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows


class NumberedLines:
    """The lines of a growing file of JSON lines by the number of the alert that each is about; the first one counts."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: dict[int, bytes] = {}
        self._size = 0  # of what was read

    def look(self) -> Mapping[int, bytes]:
        """The whole lines that are there now."""
        with suppress(FileNotFoundError), self.path.open("rb") as file:
            if file.seek(0, 2) < self._size:
                self._lines, self._size = {}, 0
            file.seek(self._size)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self._size += len(line)
                with suppress(ValueError, TypeError, KeyError, RecursionError):  # a damaged line is left out
                    self._lines.setdefault(int(json.loads(line)["alert"]), line)
        return self._lines

    def add(self, record: Mapping[str, Any]) -> None:
        """Add a line."""
        with self.path.open("ab+") as file:
            file.seek(max(0, file.seek(0, 2) - 1))
            torn = file.read() not in (b"", b"\n")  # by a power cut
            file.write(b"\n" * torn + json.dumps(record, ensure_ascii=False).encode() + b"\n")


class TableWatch:
    """A watch: the arguments of its request, whether it is on, and the line with which it ended by a mistake."""

    def __init__(
        self, studies: Studies, name: str, arguments: Mapping[str, Any], on: bool = False, error: str = ""
    ) -> None:
        self.name, self.arguments, self.on, self.error = name, arguments, on, error
        self.page, self.printed = f"live/{name}.html", f"live/{name}.pdf"
        self._studies, self._lock = studies, RLock()
        self._alerts, self._acknowledged = (
            NumberedLines(studies.folder / f"live/{name}.{ending}") for ending in ("alerts", "acknowledged")
        )
        self._process: subprocess.Popen[str] | None = None

    @property
    def command(self) -> str:
        """The command line that watches the same."""
        place = f"live/{self.name}"
        files = f"--journal {place}.journal --alerts {place}.alerts --page {place}.html --format none"
        return f"{WatchArguments(**self.arguments).command} {files}"

    @property
    def state(self) -> str:
        """What its page shows anew when it changes: whether it is on, and how many alerts there are and are
        acknowledged."""
        return f"{self.on} {' '.join(map(str, self.numbers()))}"

    @property
    def written(self) -> int:
        """When the page of the tables was written, in nanoseconds; 0 before."""
        with suppress(FileNotFoundError):
            return (self._studies.folder / self.page).stat().st_mtime_ns
        return 0

    def numbers(self) -> tuple[int, int]:
        """How many alerts there are, and how many of them are acknowledged."""
        with self._lock:
            return len(self._alerts.look()), len(self._acknowledged.look())

    def alerts(self) -> dict[int, dict[str, Any]]:
        """The alerts by their numbers; one that was acknowledged has `seen`, with `name` and `time`."""
        with self._lock:
            seen = {number: json.loads(line) for number, line in self._acknowledged.look().items()}
            return {
                number: json.loads(line) | {"seen": seen.get(number)} for number, line in self._alerts.look().items()
            }

    def acknowledge(self, alert: int, by: str) -> None:
        """Record that a person has seen an alert; the first who does counts. Raises `InputError` for an alert that is
        not there, and for a name that is none."""
        by = " ".join(by.split())
        if not by or len(by) > _LONGEST or not by.isprintable():
            raise InputError(f"name: {by!a}, should be your name, of {_LONGEST} characters at most")
        with self._lock:
            if alert not in self._alerts.look():
                raise InputError(f"alert {alert}: is not there")
            if alert not in self._acknowledged.look():
                now = datetime.now().astimezone().isoformat(" ", "seconds")
                self._acknowledged.add({"alert": alert, "name": by, "time": now})

    def start(self) -> None:
        """Watch, from where it stopped. Raises `InputError` where the table's file is not in the folder."""
        with self._lock:
            if self._process is not None:
                return
            self._studies.file(self.arguments["coups"], *ROOMS)
            words = [sys.executable, "-P", "-m", "counting.app.companion", *split(self.command)[1:]]
            self.keep(True)
            self._process = subprocess.Popen(
                words, cwd=self._studies.folder, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
                start_new_session=True, creationflags=_APART,  # Ctrl-C on the terminal is for the application
            )  # fmt: skip
            Thread(target=self._follow, args=[self._process], daemon=True).start()

    def _follow(self, process: subprocess.Popen[str]) -> None:
        """Keep the last line of a watch that ends by itself."""
        assert process.stderr is not None
        last = ""
        for line in process.stderr:
            last = last if line.startswith("ALERT ") else line.strip() or last
        status = process.wait()
        process.stderr.close()
        with self._lock:
            if self._process is process:
                self._process = None
                self.keep(False, last.removeprefix("counting: ") or f"ended with exit status {status}")

    def stop(self) -> None:
        """End the watch between two lines."""
        with self._lock:
            self.keep(False)
            process = self.let_go()
        wait_for([process])

    def let_go(self) -> subprocess.Popen[str] | None:
        """Tell the watch's process to end, and take no more notice of it."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None and process.stdin is not None:
                with suppress(OSError):
                    process.stdin.write(".")
                    process.stdin.close()
            return process

    def keep(self, on: bool, error: str = "") -> None:
        """Keep whether the watch is on, and why it ended, in its file too."""
        self.on, self.error = on, error
        kept = {"arguments": self.arguments, "on": on, "error": error}
        write_text(self._studies.folder / f"live/{self.name}.json", json.dumps(kept, indent=1) + "\n")


def wait_for(processes: list[subprocess.Popen[str] | None]) -> None:
    """Wait some seconds for processes that were told to end, and kill the others."""
    until = monotonic() + _SECONDS
    for process in filter(None, processes):
        try:
            process.wait(max(0.0, until - monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Watches:
    """All watches. One that is on is started with the application, and ends with it: with its journal it gives the same
    alerts as if it had gone on."""

    def __init__(self, studies: Studies) -> None:
        self.studies = studies
        self._all: dict[str, TableWatch] = {}
        self._lock = RLock()
        for path in sorted((studies.folder / "live").glob("*.json")):
            with suppress(ValueError, TypeError, OSError):  # another file, or a damaged one
                watch = TableWatch(studies, path.stem, **json.loads(path.read_text(encoding="utf-8")))
                if watch.command:
                    self._all[path.stem] = watch
        for watch in self:
            if watch.on:
                try:
                    watch.start()
                except InputError as error:
                    watch.keep(False, str(error))

    def __iter__(self) -> Iterator[TableWatch]:
        with self._lock:
            return iter(list(self._all.values()))

    def __getitem__(self, name: str) -> TableWatch:
        """Raises `InputError` for a name that no watch has."""
        if name not in self._all:
            raise InputError(f"{name!a}: is no watch")
        return self._all[name]

    def logs(self) -> list[str]:
        """The files that tables may write: those of both rooms but the watches' own."""
        own = {f"live/{watch.name}{ending}" for watch in self for ending in _ENDINGS}
        return [file for room in ROOMS for file in self.studies.files(room) if file not in own]

    def begin(self, arguments: Mapping[str, Any]) -> str:
        """The name of a watch with these arguments, which is on: that of its log, or with -2, -3 and so on."""
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
        """Start a watch. Raises `InputError` where as many are on as may be."""
        with self._lock:
            if sum(each.on for each in self if each is not watch) >= MOST:
                raise InputError(f"{MOST} watches are on, should be fewer: stop one first")
            watch.start()

    def states(self) -> dict[str, str]:
        """The state of each by name, and when its page was written."""
        return {watch.name: f"{watch.state} {watch.written}" for watch in self}

    def close(self) -> None:
        """End those that are on; the next start goes on with them."""
        wait_for([watch.let_go() for watch in self])
