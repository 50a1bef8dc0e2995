"""A command in a process of its own that ends with the application: `python -m counting.app.companion watch GAME ..`.

Standard input is the application's: a letter on it ends the command as Ctrl-C would, between two lines; its end, when
the application was killed, ends the command at once, which its journal allows.
"""

from __future__ import annotations

import os
import runpy
import signal
import sys
from threading import Thread


def end_with_application() -> None:
    """Listen to the application, in a thread of its own."""
    Thread(target=_listen, daemon=True).start()


def _listen() -> None:
    if sys.stdin.read(1):
        signal.raise_signal(signal.SIGTERM)
    else:
        os._exit(1)


if __name__ == "__main__":
    end_with_application()
    sys.argv[0] = "counting"
    runpy.run_module("counting.cli", run_name="__main__")
