"""Write files safely. A file is replaced as a whole or not at all. A command replaces only empty files and files of the
kind that it writes.

An `Output` is a single file. For folders of results, see `counting.io.folders`.
"""

from __future__ import annotations

import os
import shlex
import stat
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from counting.errors import InputError, refuse_other_encoding

_PREFIX, _ENDING = ".counting-", ".part"  # temporary files are named like this; no other files are ever removed
_HEAD = 4096  # how many bytes at the start of a file are searched for a mark


class Kind(NamedTuple):
    """A kind of file. `words`: its name in error lines. `is_one`: a function that tells whether the file at a path is
    of this kind. `had_no_mark`: true if versions up to 0.2 wrote such files without the mark that `is_one` looks
    for."""

    words: str
    is_one: Callable[[Path], bool]
    had_no_mark: bool = False


def marked(words: str, mark: str) -> Kind:
    """The kind of text file that has the text `mark` near its start, such as the `generator` of an HTML page."""

    def is_one(path: Path) -> bool:
        with path.open("rb") as file:
            return mark.encode() in file.read(_HEAD)

    return Kind(words, is_one, had_no_mark=True)


class Output:
    """A single file that a command writes."""

    def __init__(self, path: Path, kind: Kind, option: str, others: Iterable[Path | str | None] = ()) -> None:
        """Raises `InputError` if the path cannot be used. It must be a new file in an existing folder, an empty file,
        or a file of this kind. A link counts as its target. The path must not be standard input, output or error, nor
        one of `others`, the command's inputs and other outputs.
        """
        refuse_other_encoding(str(path))
        self.named, self._kind, self._option = path, kind, option
        self._others = [Path(other) for other in others if other is not None]
        try:
            self.path = path.resolve()
        except (OSError, RuntimeError, ValueError):  # a loop of links, or a name with a null character
            self._refuse("no path of a file, should be a new file")
        self.check()

    def check(self) -> None:
        """Check the path again, because another program may have written a file there after the first check."""
        try:
            self._check()
        except OSError as error:
            self._refuse(f"cannot be written: {error.strerror}")

    def _check(self) -> None:
        for other in self._others:
            if other.resolve() == self.path or _are_same(other, self.path):
                self._refuse(f"this command uses {other} for something else, should be another file")
        if not self.path.parent.is_dir():
            self._refuse(f"the folder {self.named.parent} is not there")
        if not self.path.exists():
            return
        wanted = f"should be a new file or {self._kind.words}"
        if not self.path.is_file():
            self._refuse(f"a folder or a device, {wanted}")
        if _is_stream(self.path):
            self._refuse(f"this command reads or prints to it, {wanted}")
        if self.path.stat().st_size and not self._kind.is_one(self.path):
            older = f"; if version 0.2 wrote it: rm {shlex.quote(str(self.named))}" if self._kind.had_no_mark else ""
            self._refuse(f"holds other data, {wanted}{older}")

    def _refuse(self, why: str) -> None:
        raise InputError(f"{self._option} {self.named}: {why}")

    def write(self, content: bytes) -> None:
        """Write the file. Raises `InputError` if another program has put a file of another kind at the path after the
        last check."""
        self.check()
        write_bytes(self.path, content)


def _are_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to the same file, directly or through symbolic or hard links."""
    with suppress(OSError, ValueError):
        return one.samefile(other)
    return False


def _is_stream(path: Path) -> bool:
    """Whether a file is this process's standard input, output or error."""
    here = path.stat()
    for number in range(3):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), here):
                return True
    return False


def write_bytes(path: Path, content: bytes, *, recorded: bool = False) -> None:
    """Write a file whole or not at all: it is written under a temporary name, flushed to disk and renamed. An existing
    file keeps its permissions and, if possible, its owner. `recorded`: true if the caller records the file's digest.
    The file is then not flushed: if a power cut damages it, its digest no longer agrees, and the file is made again."""
    temporary = temporary_in(path.parent)
    try:
        with temporary.open("xb") as file:
            _take_permissions(temporary, path)
            file.write(content)
            if not recorded:
                file.flush()
                os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            temporary.unlink()  # fails if the file was renamed


def _take_permissions(file: Path, of: Path) -> None:
    """Give a file the permissions and the owner of the file `of`, if the file `of` exists."""
    try:
        there = of.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(there.st_mode):
        return
    if sys.platform != "win32" and (there.st_uid, there.st_gid) != (os.geteuid(), os.getegid()):
        with suppress(PermissionError):
            os.chown(file, there.st_uid, there.st_gid)
    file.chmod(stat.S_IMODE(there.st_mode))


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all. The bytes are the same on every system."""
    write_bytes(path, text.encode())


def add_lines(path: Path, lines: str) -> None:
    """Add whole lines to a file. If its last line was cut short, for example by a power cut, a line end is added
    first."""
    try:
        with path.open("ab+") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            is_torn = file.read() not in (b"", b"\n")
            file.write(("\n" * is_torn + lines).encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def temporary_in(folder: Path) -> Path:
    """A new path in a folder, for a file that is being written."""
    return folder / f"{_PREFIX}{os.urandom(8).hex()}{_ENDING}"


def clear_temporary(folder: Path, older: float = 0.0) -> None:
    """Remove the half-written files of killed processes from a folder, if they are at least `older` seconds old."""
    for stray in folder.glob(f"{_PREFIX}*{_ENDING}"):
        with suppress(FileNotFoundError):
            if time.time() - stray.stat().st_mtime >= older:
                stray.unlink()
