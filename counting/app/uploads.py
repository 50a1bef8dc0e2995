"""Uploads: a file that a browser sends is put into the room of logs, complete or not at all."""

from __future__ import annotations

import os
from hashlib import sha256
from itertools import chain, count
from pathlib import Path
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from counting.app.studies import Studies, file_name
from counting.io.folders import digest_of
from counting.io.outputs import clear_temporary, temporary_in

MOST_BYTES = 1 << 28  # the most bytes of a file
MOST_FILES = 200  # the most files in the room of logs
_STALE = 3600  # seconds after which an unfinished file is removed
_naming = Lock()


async def upload(studies: Studies, request: Request) -> Response:
    """Take a file whose name is in the address, and whose bytes are the body. The answer is the file's path in the
    folder, or a line on why the file was refused."""
    try:
        return PlainTextResponse(await _taken(studies.folder / "logs", request))
    except HTTPException as error:
        return PlainTextResponse(f"{error.detail}\n", error.status_code)
    except ClientDisconnect:
        return Response(status_code=400)


async def _taken(logs: Path, request: Request) -> str:
    name = file_name(request.path_params["name"])
    too_large = HTTPException(413, f"{name}: should have at most {MOST_BYTES >> 20} MB; it may be packed by gzip")
    if int(request.headers.get("content-length", 0)) > MOST_BYTES:
        raise too_large
    clear_temporary(logs, _STALE)
    if sum(1 for _ in logs.iterdir()) >= MOST_FILES:
        raise HTTPException(400, f"{name}: logs holds {MOST_FILES} files, should hold fewer: move some elsewhere")
    temporary, digest, size = temporary_in(logs), sha256(), 0
    try:
        with temporary.open("xb") as file:
            async for piece in request.stream():
                size += len(piece)
                if size > MOST_BYTES:
                    raise too_large
                digest.update(piece)
                file.write(piece)
        if not size:
            raise HTTPException(400, f"{name}: is empty, should be a log")
        return await run_in_threadpool(_named, temporary, Path(name), digest.hexdigest())
    except OSError as error:
        raise HTTPException(400, f"{name}: cannot be written: {error.strerror}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _named(temporary: Path, name: Path, digest: str) -> str:
    """Give an uploaded file its name. If other files have this name, (2), (3) and so on is added. If one of these files
    has the same bytes, its path is returned, and no file is added."""
    with _naming:
        for each in chain([name.name], (f"{name.stem} ({number}){name.suffix}" for number in count(2))):
            path = temporary.with_name(each)
            if not os.path.lexists(path):
                temporary.rename(path)
                return f"logs/{each}"
            if path.is_file() and digest_of(path) == digest:
                return f"logs/{each}"
    raise AssertionError("names have no end")
