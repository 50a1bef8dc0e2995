"""Hosts: a host is the caller of a request. It receives the lines for a person and the progress, and provides the
folder for the results."""

from __future__ import annotations

import sys
from bisect import bisect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Timer
from time import monotonic
from typing import Any
from weakref import finalize

from counting.errors import path
from counting.numbers import duration, in_bytes

# The time left is given only
_MEASURED = 3.0  # after this number of seconds,
_SHARE = 0.1  # after this share of the whole time,
_STEPS = 5  # after more than this number of calls,
_AGREE = 0.2  # and if the pace of the later half differs from the pace of the whole time by less than this share
_OFTEN = 0.25  # seconds between two reports


@dataclass(frozen=True)
class Stage:
    """How far a stage of the work is.

    `done` of `total` units, for example shoes, are done; `total` is 0 until it is known. `left`: the seconds that the
    rest takes at the measured pace, None until there is a pace. `size`: about how many bytes the stage takes on the
    disk, None if it writes none or the number is not known yet."""

    subject: str
    unit: str
    done: int = 0
    total: int = 0
    left: float | None = None
    size: int | None = None

    @property
    def how_far(self) -> str:
        """The progress in words: 12,000 of 20,000 shoes, about 20 s left."""
        if not self.total:
            return ""
        left = "" if self.left is None else f", about {duration(self.left)} left"
        return f"{self.done:,} of {self.total:,} {self.unit}{left}"

    @property
    def expected(self) -> str:
        """A sentence on the time and the disk space that the stage takes; empty until the pace is known."""
        if self.left is None:
            return ""
        disk = "" if self.size is None else f", {in_bytes(self.size)} on disk"
        return f"{self.subject}, {self.total:,} {self.unit}: about {duration(self.left)} left{disk}."


class Pace:
    """Measures a stage, and reports it. It is called like a sweep's `progress`, with the number of units done and the
    number of all units. If units differ in cost, the call also passes `work`: the work done and the whole work, in any
    measure. Units that an interrupted run had done before the first call do not count in the pace.

    The time left follows from the pace in the later half of the time so far. The time left is None until this pace
    agrees with the pace of the whole time, as steps may differ in cost. After the last unit, it is None again.
    """

    def __init__(self, stage: Stage, told: Callable[[Stage], object]) -> None:
        self.stage, self._told = stage, told
        self._times: list[float] = []
        self._work: list[float] = []
        self._steady, self._last = False, monotonic()
        told(stage)

    def __call__(self, done: int, total: int, work: tuple[float, float] | None = None) -> None:
        now = monotonic()
        spent, whole = work or (done, total)
        self._times.append(now)
        self._work.append(spent)
        self.stage = replace(self.stage, done=done, total=total, left=self._left(whole - spent))
        if now - self._last >= _OFTEN or done == total:
            self._last = now
            self._told(self.stage)

    def _left(self, work: float) -> float | None:
        times, spent = self._times, self._work
        half = bisect(times, (times[0] + times[-1]) / 2) - 1
        seconds, of_half = times[-1] - times[0], times[-1] - times[half]
        made, in_half = spent[-1] - spent[0], spent[-1] - spent[half]
        if seconds < _MEASURED or len(times) <= _STEPS or not half or not in_half or work <= 0:
            return None
        rest = of_half / in_half * work
        agree = abs(in_half * seconds / (made * of_half) - 1) < _AGREE
        self._steady = self._steady or (agree and seconds >= _SHARE * (seconds + rest))
        return rest if self._steady else None

    def space(self, size: int) -> None:
        """Report the number of bytes that the stage needs on the disk."""
        self.stage = replace(self.stage, size=size)
        self._told(self.stage)


class Host:
    """A host for a caller in Python. It keeps the lines for a person in `said`. Results go to the folder `out` of the
    request, or to a folder that lasts as long as the answer.

    `command`: the equivalent command line, which the page shows. `progress`: whether to draw a bar.
    """

    def __init__(self, command: str, progress: bool = False) -> None:
        self.command, self.progress = command, progress
        self.said: list[str] = []
        self.kept: object = None

    def say(self, *lines: str) -> None:
        """Keep lines that a person should read."""
        self.said += lines

    def tell(self, _line: str) -> None:
        """Take a line that is ready before the answer. This host drops the line, as a caller in Python waits for the
        answer."""

    def follow(self, stage: Stage) -> None:
        """Take the progress of the work, at the start of each stage and then at most four times a second. If this
        method raises an error, the work ends. Blocks of shoes that have been played are kept in the folder `out`, and
        the same request, made again, continues from them."""

    def stage(self, subject: str, unit: str = "shoes", after: float = 0) -> AbstractContextManager[Pace]:
        """A context for a stage of the work. A bar is drawn if the caller wants one and the stage takes more than
        `after` seconds."""
        return measured(subject, unit, self.follow, after if self.progress else None)

    def folder(self, out: Path | str | None, _default: Callable[[], Path]) -> Path:
        """The folder for the results."""
        if out is not None:
            return path(out, "out")
        self.kept = kept = _Kept()
        return kept.folder


class _Kept:
    """A temporary folder, removed when this object is deleted or when the process ends."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="counting-"))
        finalize(self, rmtree, self.folder, True)


@contextmanager
def resumable() -> Iterator[None]:
    """A context for work whose finished parts are kept. After Ctrl-C, the error line says that the same command resumes
    the work."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the same command resumes where it stopped") from None


@contextmanager
def measured(subject: str, unit: str, follow: Callable[[Stage], object], after: float | None) -> Iterator[Pace]:
    """The pace of a stage. The stage is reported to `follow`. A bar is drawn on a terminal or in a notebook if the
    stage takes more than `after` seconds, and never if `after` is None."""
    with nullcontext() if after is None else _drawn(subject, after) as draw:

        def told(stage: Stage) -> None:
            follow(stage)
            if draw:
                draw(stage)

        yield Pace(Stage(subject, unit), told)


@contextmanager
def _drawn(subject: str, after: float) -> Iterator[Callable[[Stage], None] | None]:
    """A function that draws a bar with the time left; None if there is neither a terminal nor a notebook."""
    if _notebook() is not None:
        yield _in_notebook(after)
        return
    if not sys.stderr.isatty():
        yield None
        return
    import rich.progress
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[how_far]}"))
    shown = rich.progress.Progress(*columns, console=Console(stderr=True))
    task = shown.add_task(subject, total=None, how_far="")
    begin = Timer(after, shown.start)
    begin.daemon = True
    begin.start()
    try:
        yield lambda stage: shown.update(task, completed=stage.done, total=stage.total or None, how_far=stage.how_far)
    finally:
        begin.cancel()
        begin.join()
        shown.stop()


def _notebook() -> Any:
    """The module IPython if this process is a notebook's kernel, otherwise None."""
    ipython = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return ipython if getattr(ipython, "kernel", None) is not None else None


def _in_notebook(after: float) -> Callable[[Stage], None]:
    """A function that draws a bar in a notebook's cell."""
    shown: Any = import_module("IPython.display")
    begun, handle = monotonic(), None

    def draw(stage: Stage) -> None:
        nonlocal handle
        if monotonic() - begun < after or not stage.total:
            return
        bar = shown.HTML(f"{stage.subject} <progress value={stage.done} max={stage.total}></progress> {stage.how_far}")
        if handle is None:
            handle = shown.display(bar, display_id=True)
        else:
            handle.update(bar)

    return draw
