"""Who asks: where words, progress and folders of a request go."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import Timer
from time import monotonic
from typing import Any
from weakref import finalize

from counting.errors import path

Progress = Callable[[int, int], None]


class Host:
    """A caller in Python: what is said is kept in `said`, results go to the folder asked for or to one that lasts as
    long as the answer.

    `command`: the command line that asks the same, for the page's provenance.
    """

    def __init__(self, command: str, progress: bool = False) -> None:
        self.command, self.progress = command, progress
        self.said: list[str] = []
        self.kept: object = None

    def say(self, *lines: str) -> None:
        """Take lines that a person should read."""
        self.said += lines

    def tell(self, _line: str) -> None:
        """Take what is known already while the answer is worked out; a caller in Python waits for the answer."""

    space: Callable[[int], None] | None = None
    """Called with the bytes that a sweep takes on the disk."""

    def bar(
        self, what: str, unit: str = "blocks of shoes", after: float = 0
    ) -> AbstractContextManager[Progress | None]:
        """A progress bar, if the caller wants one and the work takes more than `after` seconds."""
        return progress_bar(what, unit, after) if self.progress else nullcontext()

    def folder(self, out: Path | str | None, _default: Callable[[], Path]) -> Path:
        """Where the results go."""
        if out is not None:
            return path(out, "out")
        self.kept = kept = _Kept()
        return kept.folder


class _Kept:
    """A folder that is removed with this object, or at the end of the process."""

    def __init__(self) -> None:
        self.folder = Path(mkdtemp(prefix="counting-"))
        finalize(self, rmtree, self.folder, True)


@contextmanager
def resumable() -> Iterator[None]:
    """For work that is kept as it is done: after Ctrl-C the error line says that the command can be resumed."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt("the same command resumes where it stopped") from None


@contextmanager
def progress_bar(what: str, unit: str = "blocks of shoes", after: float = 0) -> Iterator[Progress | None]:
    """A progress bar with an estimate of the time left: on a terminal, or in a notebook, and if the work takes more
    than `after` seconds."""
    if _notebook() is not None:
        yield _in_notebook(what, unit, after)
        return
    if not sys.stderr.isatty():
        yield None
        return
    import rich.progress
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(f"{unit}, left"),
        TimeRemainingColumn(),
    )
    shown = rich.progress.Progress(*columns, console=Console(stderr=True))
    task = shown.add_task(what, total=None)
    begin = Timer(after, shown.start)
    begin.daemon = True
    begin.start()
    try:
        yield lambda done, total: shown.update(task, completed=done, total=total)
    finally:
        begin.cancel()
        begin.join()
        shown.stop()


def _notebook() -> Any:
    """The notebook's kernel that this process is; None if it is none."""
    ipython = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return ipython if getattr(ipython, "kernel", None) is not None else None


def _in_notebook(what: str, unit: str, after: float) -> Progress:
    """A bar in a cell's output, drawn four times a second at most."""
    shown: Any = import_module("IPython.display")

    begun, handle, drawn = monotonic(), None, 0.0

    def update(done: int, total: int) -> None:
        nonlocal handle, drawn
        now = monotonic()
        if now - begun < after or (now - drawn < 0.25 and done < total):
            return
        drawn = now
        left = (now - begun) / done * (total - done) if done else 0
        bar = shown.HTML(
            f"{what} <progress value={done} max={total}></progress> {done:,} of {total:,} {unit}, {left:.0f} s left"
        )
        if handle is None:
            handle = shown.display(bar, display_id=True)
        else:
            handle.update(bar)

    return update
