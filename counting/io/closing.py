"""Close a folder of results: record a name, a date and the digest of each file, so that any later change to a file can
be detected."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from counting.errors import InputError, printable
from counting.io.folders import CLOSED, digest_of, read_json
from counting.io.outputs import write_text

_LONGEST = 120  # the longest name allowed, in characters


def close(folder: Path, name: str, date: str) -> Mapping[str, Any]:
    """Close a folder: record a name, a date and the SHA-256 of each file, and make the files read-only. Hidden files
    and inner folders are left out. Returns the record. The record is no signature, because anyone who can write to the
    folder can change it.

    `date`: a date such as 2027-01-31. Raises `InputError` for an empty name or one of more than 120 characters, for a
    date in any other form, and for a closed folder.
    """
    name = printable(name.strip())
    if not 0 < len(name) <= _LONGEST:
        raise InputError(f"name: {name!a}, should be a name of 1 to {_LONGEST} characters")
    try:
        if not re.fullmatch(r"\d{4}-\d\d-\d\d", date.strip()):
            raise ValueError
        day = datetime.strptime(date.strip(), "%Y-%m-%d").date()
    except ValueError:
        raise InputError(f"date: {date!a}, should be a date as 2027-01-31") from None
    if (folder / CLOSED).exists():
        raise InputError(f"{folder}: is closed already")
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and path.name[0] != "."]
    record = {
        "holds": "closed results",
        "name": name,
        "date": day.isoformat(),
        "recorded": datetime.now().astimezone().isoformat(" ", "seconds"),
        "files": {path.name: digest_of(path) for path in files},
    }
    write_text(folder / CLOSED, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    for path in (*files, folder / CLOSED):
        with suppress(OSError):  # the file system may not support permissions
            path.chmod(0o444)
    return record


def record_of(folder: Path) -> Mapping[str, Any] | None:
    """The record of a closed folder; None for a folder that is not closed. Raises `InputError` for a damaged record."""
    if not (folder / CLOSED).is_file():
        return None
    record = read_json(folder / CLOSED)
    if not isinstance(record.get("files"), dict) or not isinstance(record.get("name"), str):
        raise InputError(f"{folder / CLOSED}: is no record of closed results")
    return record


def differences(folder: Path, record: Mapping[str, Any]) -> list[str]:
    """A line for each recorded file that has changed or is missing. The list is empty if all files are unchanged."""
    return [
        f"{name}: {'has changed' if (folder / name).is_file() else 'is not there'}"
        for name, digest in record["files"].items()
        if not (folder / name).is_file() or digest_of(folder / name) != digest
    ]


def is_as_closed(file: Path) -> tuple[bool, Mapping[str, Any]]:
    """Whether a file is unchanged since its folder was closed, and the folder's record. A file whose name is not in the
    record is compared with all recorded files, because it may have been renamed. Raises `InputError` if the file does
    not exist, or if the folder has no record."""
    if not file.is_file():
        raise InputError(f"{file}: is not there, should be a file of a closed folder")
    record = record_of(file.parent)
    if record is None:
        raise InputError(
            f"{file}: no {CLOSED} beside it: only answers that were closed in counting app have that record. To check "
            f'any other answer, run the command under "to make it again" and compare the files'
        )
    digest = digest_of(file)
    return digest in (
        [record["files"][file.name]] if file.name in record["files"] else record["files"].values()
    ), record
