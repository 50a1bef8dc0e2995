"""Folders of results: one is claimed before it is filled, and its files are written whole."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from counting.errors import InputError


def claim(folder: Path, mark: str, what: str) -> None:
    """Make the folder, or refuse one that holds other files and not the mark of what it is to hold."""
    name = str(folder)
    if name == "." or name.startswith("-") or not name.isprintable() or name.encode(errors="replace").decode() != name:
        raise InputError(f"{name!a}: should be the name of a new or empty folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
    if not (folder / mark).exists() and any(f.name[0] != "." for f in folder.iterdir()):
        raise InputError(f"{folder}: holds other files and no {what}, should be a new or empty folder")


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: under a temporary name, flushed to disk, renamed."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, the same bytes on every system."""
    write_bytes(path, text.encode())
