"""The server of the application: on this machine alone."""

from __future__ import annotations

import os
import socket
import webbrowser
from contextlib import closing
from pathlib import Path
from threading import Timer

import uvicorn

from counting.app.guard import Guard
from counting.app.jobs import Jobs
from counting.app.routes import served
from counting.app.studies import Studies
from counting.app.views import Application
from counting.errors import InputError


def serve(folder: Path, port: int = 0, browse: bool = True) -> None:
    """Serve the application on 127.0.0.1 until Ctrl-C. Prints its address, with the token of this start, on a line of
    its own. `port`: 0 for any that is free. Raises `InputError` for a folder or a port that is taken."""
    folder = folder.expanduser().resolve()
    studies = Studies(folder)
    with (
        studies.opened(),
        closing(socket.socket(proto=socket.IPPROTO_TCP)) as bound,
    ):  # asyncio sends at once on TCP by name
        if os.name == "posix":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", port))
        except OSError as error:
            raise InputError(f"--port {port}: {error.strerror}, should be another, or left out") from None
        bound.listen(128)  # whoever reads the address below is answered
        port = bound.getsockname()[1]
        os.chdir(folder)  # paths of files are relative to it, as for a command that runs there
        application = Application(studies, Jobs(studies))
        guarded = Guard(served(application), port)
        address = f"http://127.0.0.1:{port}/?token={guarded.token}"
        print(f"Baccarat studies in {folder}. To end: Ctrl-C. The address:")
        print(address, flush=True)
        opener = Timer(0.3, webbrowser.open, [address])
        if browse:
            opener.start()
        settings = uvicorn.Config(
            guarded, log_level="error", access_log=False, lifespan="off", ws="none", http="h11", loop="asyncio",
            server_header=False, timeout_graceful_shutdown=1,
        )  # fmt: skip
        try:
            uvicorn.Server(settings).run(sockets=[bound])
        except KeyboardInterrupt:
            pass
        finally:
            opener.cancel()
            application.close()
