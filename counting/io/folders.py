"""Folders of results. A folder is reserved before it is filled. Each file is written whole or not at all, and is
recognised by its SHA-256."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from counting.errors import InputError, printable
from counting.io.outputs import add_lines, clear_temporary, write_bytes, write_text

_MARK = ".counting.json"  # the file that states the kind of results in a folder, and their settings
_MARKS = {"sweep": "plan.json", "bracket": "bracket.json"}  # for these kinds, another file is the mark
CLOSED = "closed.json"
"""The file that marks a folder as closed (`counting.io.closing`). Nothing more is written into such a folder."""
_LONGEST = 255  # the longest name in usual file systems, in bytes
_SHOWN = 40  # the longest setting shown in an error line, in characters


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock a folder for this process, and remove half-written files of processes that were killed.

    Inner folders are cleaned too, unless they have a lock. Raises `InputError` if the folder is closed, or if another
    process has locked it.
    """
    if (folder / CLOSED).exists():
        raise InputError(f"{folder}: its results are closed, should be another folder (--out)")
    with (folder / ".lock").open("a") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no locks on this system; two runs of one command would write the same bytes
            pass
        except OSError:
            raise InputError(f"{folder}: another command is running in it") from None
        within = [path for path in folder.iterdir() if path.is_dir() and not (path / ".lock").exists()]
        for path in (folder, *within):
            clear_temporary(path)
        yield


@contextmanager
def claimed(
    folder: Path, kind: str, settings: Mapping[str, Any] | None = None, was: str = "", private: bool = False
) -> Iterator[None]:
    """Reserve a folder for results of one kind with these settings: make it if it does not exist, and lock it.

    The folder's mark is written first, so that the same command can be repeated after an interruption. If `settings` is
    None, the caller checks and writes the mark. `private`: a new folder can be read only by its owner; an existing
    folder keeps its permissions. Raises `InputError` if the folder cannot be made, and wherever `refuse_impossible`,
    `refuse_other` or `alone` raises it.
    """
    refuse_impossible(folder)
    try:
        folder.mkdir(0o700 if private else 0o777, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
    refuse_other(folder, kind, settings, was)
    with alone(folder):
        mark = folder / _MARKS.get(kind, _MARK)
        if settings is not None and _held(folder)[0] != kind:  # there is no mark, or one without a kind
            write_text(mark, json.dumps({"holds": kind, **settings}, indent=1) + "\n")
        yield


def refuse_impossible(folder: Path) -> None:
    """Raise `InputError` if results cannot be written to this path: the name is not plain or is too long, a part of the
    path is a file, or the nearest existing folder on the path is not writable. Nothing is created."""
    name = str(folder)
    if name == "." or name.startswith("-") or not name.isprintable() or name.encode(errors="replace").decode() != name:
        raise InputError(f"{name!a}: should be the name of a new or empty folder (--out)")
    shown = name if len(name) <= _LONGEST else f"{name[:_SHOWN]}..."
    if any(len(part.encode()) > _LONGEST for part in folder.parts):
        raise InputError(f"{shown}: a name is too long, should have at most {_LONGEST} bytes (--out)")
    for path in (folder, *folder.parents):
        try:
            is_folder = stat.S_ISDIR(path.stat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise InputError(f"{shown}: cannot be made: {error.strerror}, should be another folder (--out)") from None
        if not is_folder:
            file = "it is a file" if path == folder else f"{path} is a file"
            raise InputError(f"{folder}: cannot be made: {file}, should be a new or empty folder (--out)")
        if not os.access(path, os.W_OK):
            raise InputError(f"{folder}: {path} is not writable, should be another folder (--out)")
        return


def refuse_other(folder: Path, kind: str, settings: Mapping[str, Any] | None = None, was: str = "") -> None:
    """Raise `InputError` if a folder has anything but results of this kind with these settings. If `settings` is None,
    the results may have any settings. Hidden files do not count.

    Version 0.1.0 wrote no marks. A folder without a mark is accepted if it has an inner folder with the name given as
    `was`.
    """
    held, settings_held = _held(folder)
    if held == kind:
        refuse_differing(folder, kind, settings_held, settings_held if settings is None else settings)
    elif held:
        raise InputError(f"{folder}: holds {_a(held)}, should be a new or empty folder (--out)")
    elif _is_used(folder) and not (was and (folder / was).is_dir()):
        raise InputError(f"{folder}: holds other files and no {kind}, should be a new or empty folder (--out)")


def _held(folder: Path) -> tuple[str, dict[str, Any]]:
    """The kind and the settings in a folder's mark; both are empty if the folder has no mark."""
    for kind, mark in _MARKS.items():
        if (folder / mark).exists():
            return kind, read_json(folder / mark)
    settings = read_json(folder / _MARK) if (folder / _MARK).exists() else {}
    return printable(str(settings.pop("holds", ""))), settings


def refuse_differing(
    folder: Path, kind: str, held: Mapping[str, Any], wanted: Mapping[str, Any], but: Sequence[str] = ()
) -> None:
    """Raise an `InputError` that names the settings that differ, if any do. `held`: the folder's settings. `wanted`:
    the settings of the present command. Settings in `but` may differ."""
    but = ("holds", *but)
    keys = [k for k in dict.fromkeys((*held, *wanted)) if held.get(k) != wanted.get(k) and k not in but]
    if not keys:
        return
    words = ", ".join(printable(key.replace("_", " ")) for key in keys[:3]) + f" and {len(keys) - 3} more" * (
        len(keys) > 3
    )
    values = [json.dumps(of.get(keys[0])) for of in (held, wanted)]
    if len(keys) == 1 and max(map(len, values)) <= _SHOWN:
        words += f" ({values[0]} in the folder, {values[1]} now)"
    raise InputError(f"{folder}: holds {_a(kind)} that differs in {words}, should be another folder (--out)")


def _a(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"


def _is_used(folder: Path) -> bool:
    return (folder / _MARK).exists() or any(file.name[0] != "." for file in folder.iterdir())


def default_folder(name: str, plan: str, *checks: Callable[[Path], object]) -> Path:
    """A folder for the results of the plan with the digest `plan`: `name` or, if this name is in use, `name` with a
    hyphen and eight digits of the digest. A folder in use with a name of either form is preferred if a function in
    `checks` accepts it, that is, raises no `InputError`. The functions are tried in order."""
    first = Path(name)
    named = [first, *sorted(first.parent.glob(glob.escape(first.name) + "-" + 8 * "[0-9a-f]"))]
    used = [folder for folder in named if folder.is_dir() and _is_used(folder)]
    for check in checks:
        for folder in used:
            with suppress(InputError):
                check(folder)
                return folder
    names = [first, *(Path(f"{name}-{plan[at : at + 8]}") for at in range(0, len(plan), 8))]
    return next(path for path in names if not path.exists() or (path.is_dir() and path not in used))


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path}: cannot be read as JSON") from None


def has_digest(path: Path, expected: str | None) -> bool:
    """Whether the file exists and has the expected SHA-256."""
    return path.is_file() and digest_of(path) == expected


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digests_by_name(files: Sequence[Path]) -> dict[str, str]:
    """The SHA-256 of each file. The keys are the files' names without their folders. If two files have the same name,
    the folders above them are added to all names until the names differ."""
    paths = [file.resolve() for file in files]
    for depth in range(1, max((len(path.parts) for path in paths), default=1) + 1):
        names = ["/".join(path.parts[-depth:]) for path in paths]
        if len({*names}) == len({*paths}):
            break
    return {name: digest_of(path) for name, path in zip(names, paths, strict=True)}


class Record:
    """The record of a folder whose files are used again by later runs. It has a line for each file, in the format of
    `sha256sum`.

    A file's line is added when the file is complete. A file is good if its digest agrees with its line. A file without
    a whole line is made again.
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
        """The content of a file; None if the file is missing or not good."""
        return (self.folder / place).read_bytes() if self.is_good(place) else None

    def add(self, digests: Mapping[str, str]) -> None:
        self.digests |= digests
        add_lines(self.path, _lines(digests))

    def write(self, place: str, content: bytes) -> None:
        """Write a file and record it."""
        write_bytes(self.folder / place, content, recorded=True)
        self.add({place: hashlib.sha256(content).hexdigest()})


def _lines(digests: Mapping[str, str]) -> str:
    return "".join(f"{digest}  {place}\n" for place, digest in digests.items())
