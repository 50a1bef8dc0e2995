"""Processes that end when the application ends: `python -m counting.app.companion counting.cli watch GAME ..`.

A process gets its standard input from the application. If a letter arrives there, the process ends between two lines,
as after Ctrl-C. If the input is closed, the application was killed, and the process ends at once. Nothing is lost by
this, as journals and results are written step by step.
"""

from __future__ import annotations

import os
import runpy
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic

_SECONDS = 5.0  # seconds within which a process should end
_APART = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # on Windows: the process gets no Ctrl-C from the terminal


class Companion:
    """A process that runs a module in a folder. `words`: the module's name and its command line.

    `hear` is called with each line that the process prints on standard error, and returns whether it has used the line.
    `last` is the last line that `hear` has not used. `ended` is called after the process has ended, with the exit
    `status` set. `hear` and `ended` are called in a thread."""

    def __init__(
        self, folder: Path, words: list[str], hear: Callable[[str], bool], ended: Callable[[Companion], None]
    ) -> None:
        self.last, self.status = "", 0
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "counting.app.companion", *words], cwd=folder, stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
            start_new_session=True, creationflags=_APART,  # Ctrl-C on the terminal goes only to the application
        )  # fmt: skip
        Thread(target=self._follow, args=[hear, ended], daemon=True).start()

    def _follow(self, hear: Callable[[str], bool], ended: Callable[[Companion], None]) -> None:
        with self._process as process:
            for line in process.stderr or ():
                self.last = self.last if hear(line) else line.strip() or self.last
        self.status = process.returncode
        ended(self)

    def kill(self) -> None:
        """End the process at once."""
        self._process.kill()

    @staticmethod
    def end(companions: Iterable[Companion | None]) -> None:
        """Tell these processes to end between two lines. After some seconds, kill those that still run."""
        processes, until = [each._process for each in companions if each is not None], monotonic() + _SECONDS
        for process in processes:
            assert process.stdin is not None
            with suppress(OSError, ValueError):  # the process has ended already
                process.stdin.write(".")
                process.stdin.close()
        for process in processes:
            try:
                process.wait(max(0.0, until - monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _listen() -> None:
    """End this process when the application asks for it or has ended."""
    if sys.stdin.read(1):
        signal.raise_signal(signal.SIGTERM)
    else:
        os._exit(1)


if __name__ == "__main__":
    Thread(target=_listen, daemon=True).start()
    _, module, *words = sys.argv
    sys.argv = ["counting", *words]
    runpy.run_module(module, run_name="__main__")
