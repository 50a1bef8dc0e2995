"""The address of a running server, kept in its folder: a second start leads to the first."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import sleep
from urllib.parse import urlsplit

from counting.errors import InputError

_FILE = ".address"
_LOOKS = 30  # tries to read the address of a server that is starting, a tenth of a second apart
_LONGEST = 200  # characters of an address
_SECONDS = 5.0  # a server's time to answer


@contextmanager
def kept_address(folder: Path, address: str) -> Iterator[None]:
    """Keep the address in a file that only its owner can read, while the server runs.

    The file is new and stays open until the end, so that two servers cannot both have it. Windows does not lock
    folders, but it does not remove an open file either. Raises `InputError` if another server has it.
    """
    file = folder / _FILE
    try:
        file.unlink(missing_ok=True)  # left by a server that was killed
        handle = os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except OSError:
        raise InputError(f"{folder}: another application has it open") from None
    try:
        os.write(handle, address.encode())
        yield
    finally:
        os.close(handle)
        file.unlink(missing_ok=True)


def running_address(folder: Path) -> str:
    """The address of the server that has the folder open: the file's address, if a server there accepts its token.
    Empty if there is none."""
    with suppress(OSError, ValueError, http.client.HTTPException):
        address = (folder / _FILE).read_text(encoding="ascii")[:_LONGEST]
        parts = urlsplit(address)
        if parts.scheme != "http" or parts.hostname != "127.0.0.1":
            return ""
        connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=_SECONDS)
        try:
            connection.request("GET", f"/?{parts.query}")
            answer = connection.getresponse()
            if answer.status == 303 and parts.query.removeprefix("token=") in (answer.getheader("Set-Cookie") or "-"):
                return address
        finally:
            connection.close()
    return ""


def awaited_address(folder: Path) -> str:
    """`running_address`, also for a server that is starting; empty if there is none after some seconds."""
    for _ in range(_LOOKS):
        if address := running_address(folder):
            return address
        sleep(0.1)
    return ""
