"""Files that a command writes. A file is replaced as a whole or not at all, and only if it is of the kind that the
command writes.

A folder of results has a mark (`counting.io.folders`); a single file is an `Output`.
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

from counting.errors import InputError

_PREFIX, _ENDING = ".counting-", ".part"  # in a temporary file's name, so that nobody else's file is ever cleared
_HEAD = 4096  # bytes in which a mark is looked for


class Kind(NamedTuple):
    """A kind of file. `words`: its name. `is_one`: whether the file at a path is of this kind. `had_no_mark`: versions
    up to 0.2 wrote this kind without the mark that `is_one` looks for."""

    words: str
    is_one: Callable[[Path], bool]
    had_no_mark: bool = False


def marked(words: str, mark: str) -> Kind:
    """A kind of text file that has a mark near its start, such as the `generator` of a page."""

    def is_one(path: Path) -> bool:
        with path.open("rb") as file:
            return mark.encode() in file.read(_HEAD)

    return Kind(words, is_one, had_no_mark=True)


class Output:
    """A single file that a command writes."""

    def __init__(self, path: Path, kind: Kind, option: str, others: Iterable[Path | str | None] = ()) -> None:
        """Raises `InputError` unless the path is new in an existing folder, or an empty file, or a file of this kind;
        a link counts as its target. `others`: the command's inputs and other outputs; the path may be none of them.
        """
        self.named, self._kind, self._option = path, kind, option
        self._others = [Path(other) for other in others if other is not None]
        try:
            self.path = path.resolve()
        except (OSError, RuntimeError, ValueError):  # links in a ring, a name with a null
            self._refuse("no path of a file, should be a new file")
        self.check()

    def check(self) -> None:
        """Check the path again: another program may have put a file there since."""
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
        """Replace the file, unless another program has put a file there since."""
        self.check()
        write_bytes(self.path, content)


def _are_same(one: Path, other: Path) -> bool:
    """Whether two paths lead to one file, by links of either kind."""
    with suppress(OSError, ValueError):
        return one.samefile(other)
    return False


def _is_stream(path: Path) -> bool:
    """Whether standard input, output or error is this file."""
    here = path.stat()
    for number in range(3):
        with suppress(OSError):
            if os.path.samestat(os.fstat(number), here):
                return True
    return False


def write_bytes(path: Path, content: bytes, *, recorded: bool = False) -> None:
    """Write a file whole or not at all: under a temporary name, flushed to disk, renamed. An existing file keeps its
    permissions, and its owner if that is allowed; a new file has the umask's permissions. A file that is `recorded`
    with its digest is not flushed: if a power cut damages the file, the digest shows it, and the file is made again."""
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
            temporary.unlink()  # it is still there only if it was not renamed


def _take_permissions(file: Path, of: Path) -> None:
    """Take the permissions and the owner of another file, if it exists."""
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
    """Write a file whole or not at all, the same bytes on every system."""
    write_bytes(path, text.encode())


def add_lines(path: Path, lines: str) -> None:
    """Add whole lines to a file. A last line that was cut short, as by a power cut, is ended first."""
    try:
        with path.open("ab+") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            is_torn = file.read() not in (b"", b"\n")
            file.write(("\n" * is_torn + lines).encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def temporary_in(folder: Path) -> Path:
    """A new name in a folder for a file while it is written."""
    return folder / f"{_PREFIX}{os.urandom(8).hex()}{_ENDING}"


def clear_temporary(folder: Path, older: float = 0.0) -> None:
    """Remove the half-written files of a process that was killed, if they are `older` seconds old or more."""
    for stray in folder.glob(f"{_PREFIX}*{_ENDING}"):
        with suppress(FileNotFoundError):
            if time.time() - stray.stat().st_mtime >= older:
                stray.unlink()
