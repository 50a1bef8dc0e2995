"""The command that starts the application."""

from __future__ import annotations

import sys
from contextvars import Context
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from counting.cli.options import Whole
from counting.errors import whole


def app(
    folder: Path | None = None,
    *,
    port: Whole = 0,
    open: Annotated[bool, Parameter(negative="--no-open")] = True,
) -> None:
    """Start the application: forms in the browser for rules, bets, logs and tables, and an archive of the answers.

    The application runs on this machine only, until Ctrl-C. Its folder holds rules, logs, reports and statements as
    ordinary files, which the other commands read and write too.

    Example: counting app

    Example: counting app pit-studies --port 8000 --no-open

    Parameters
    ----------
    folder
        The folder of the studies: new, empty, or made by the application; by default "Baccarat studies" in your
        documents.
    port
        The port on 127.0.0.1; by default any free port.
    open
        Open the browser; --no-open leaves that to you.
    """
    from counting.app import serve

    whole(port, "--port", 0, 65535)
    own = documents() / "Baccarat studies" if folder is None else folder
    Context().run(serve, own, port, open)  # error lines then name the fields of forms, not options


def documents() -> Path:
    """The user's folder for documents."""
    home = Path.home()
    if sys.platform == "win32":
        import winreg

        key = r"Software\Microsoft\Windows\CurrentVersion\Explorer\User Shell Folders"
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:  # the folder may have been moved
            return Path(winreg.ExpandEnvironmentStrings(winreg.QueryValueEx(opened, "Personal")[0]))
    for name in ("Documents", "documents"):
        if (home / name).is_dir():
            return home / name
    return home
