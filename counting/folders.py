"""Folders of results: reserved before they are filled, each file written atomically, and known by its SHA-256."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

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


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError):
        raise InputError(f"{path}: cannot be read as JSON") from None


def has_digest(path: Path, expected: str | None) -> bool:
    """Whether the file is there, and its SHA-256 is the one expected."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == expected


class Record:
    """The SHA-256 of each file that a folder keeps from one run to the next, as lines of `sha256sum`.

    A line is added when its file is whole. A file is good if it is as its line says; one that has no line, or whose
    line was cut short, is made again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / ".sha256"
        text = self.path.read_bytes().decode(errors="replace") if self.path.is_file() else ""
        self.digests = {place: digest for digest, place in re.findall("^([0-9a-f]{64})  (.+)$", text, re.MULTILINE)}

    def is_good(self, place: str) -> bool:
        return place in self.digests and has_digest(self.folder / place, self.digests[place])

    def restart(self, digests: Mapping[str, str]) -> None:
        """Record these files and no others."""
        self.digests = dict(digests)
        write_text(self.path, _lines(digests))

    def drop_bad(self) -> None:
        self.restart({place: digest for place, digest in self.digests.items() if self.is_good(place)})

    def read(self, place: str) -> bytes | None:
        """A file's content, or None if it is not there or not good."""
        return (self.folder / place).read_bytes() if self.is_good(place) else None

    def add(self, digests: Mapping[str, str]) -> None:
        self.digests |= digests
        try:
            with self.path.open("ab") as file:
                file.write(_lines(digests).encode())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def write(self, place: str, content: bytes) -> None:
        """Write a file and record it."""
        write_bytes(self.folder / place, content)
        self.add({place: hashlib.sha256(content).hexdigest()})


def _lines(digests: Mapping[str, str]) -> str:
    return "".join(f"{digest}  {place}\n" for place, digest in digests.items())
