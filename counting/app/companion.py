"""A command in a process of its own that ends with the application: `python -m counting.app.companion watch GAME ..`.

Standard input comes from the application. A letter on it ends the command between two lines, as Ctrl-C does. Its end,
when the application was killed, ends the command at once; its journal allows this.
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
