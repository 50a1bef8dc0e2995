"""The server of the application, on this machine only. Its address is kept in the folder, so that a second start shows
the same server."""

from __future__ import annotations

import http.client
import os
import secrets
import signal
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import sleep
from urllib.parse import urlsplit

import uvicorn

from counting.app.application import Application
from counting.app.guard import Guard
from counting.app.jobs import Jobs
from counting.app.routes import served
from counting.app.studies import Studies
from counting.app.watches import Watches
from counting.errors import InputError

_FILE = ".address"
_LOOKS = 30  # tries, at intervals of 0.1 s, to read the address of a server that is starting
_LONGEST = 200  # the most characters of an address
_SECONDS = 5.0  # seconds within which a server should answer


def serve(folder: Path, port: int = 0, browse: bool = True) -> None:
    """Serve the application on 127.0.0.1 until Ctrl-C. Prints the address on a separate line; it contains a token that
    is made at each start. If another server has opened the folder already, its address is printed instead. `port`: 0
    for any free port. Raises `InputError` if the folder or the port is in use."""
    folder = folder.expanduser().resolve()
    studies = Studies(folder)
    if address := running_address(folder):
        _show(f"{folder}, open already.", address, browse)
        return
    with socket.socket(proto=socket.IPPROTO_TCP) as bound, ExitStack() as undo:
        # with TCP named explicitly, asyncio sends each answer at once
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", port))
        except OSError as error:
            raise InputError(f"--port {port}: {error.strerror}, should be another port, or left out") from None
        bound.listen(128)  # requests to the address wait from now on until they are answered
        port, token = bound.getsockname()[1], secrets.token_urlsafe(24)
        address = f"http://127.0.0.1:{port}/?token={token}"
        try:
            undo.enter_context(studies.opened())
            undo.enter_context(kept_address(folder, address))
        except InputError:
            if not ((folder / ".lock").exists() and (other := awaited_address(folder))):
                raise
            _show(f"{folder}, open already.", other, browse)
            return
        os.chdir(folder)  # paths are relative to the folder
        application = Application(studies, Jobs(studies), Watches(studies))
        guarded = Guard(served(application), port, token)
        _show(f"{folder}. To end: Ctrl-C.", address, browse)
        settings = uvicorn.Config(
            guarded, log_level="error", access_log=False, lifespan="off", ws="none", http="h11", loop="asyncio",
            server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # uvicorn sends SIGTERM again when it has ended
        try:
            uvicorn.Server(settings).run(sockets=[bound])
        except KeyboardInterrupt:
            pass
        finally:
            application.close()


def _show(where: str, address: str, browse: bool) -> None:
    """Print the address of a server. If `browse` is true, open the address in the browser, in a thread, as this may
    last until the browser is closed."""
    print(f"Baccarat studies in {where} The address:")
    print(address, flush=True)
    if browse:
        Thread(target=webbrowser.open, args=[address]).start()


@contextmanager
def kept_address(folder: Path, address: str) -> Iterator[None]:
    """Keep the address of a running server in a file that only its owner can read.

    The file must be new and stays open, so that two servers cannot both have it. On Windows folders are not locked, but
    an open file cannot be removed. Raises `InputError` if another server has the file.
    """
    file = folder / _FILE
    try:
        file.unlink(missing_ok=True)  # the file of a server that was killed
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
    """The address in the folder's file, if a server answers there and accepts the token; otherwise empty."""
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
    """`running_address`, repeated for some seconds, as the server may still be starting."""
    for _ in range(_LOOKS):
        if address := running_address(folder):
            return address
        sleep(0.1)
    return ""
