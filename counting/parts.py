"""A sweep's folder: parts that are whole or not there, a lock, the plan, and the manifest that is written last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from counting import frames
from counting.config import digest
from counting.errors import InputError
from counting.folders import claim, write_bytes, write_text
from counting.frames import Table
from counting.plan import Plan


def place(table: Table, block: int) -> str:
    return f"{table.name}/part-{block:06d}.parquet"


def part_path(folder: Path, table: Table, block: int) -> Path:
    return folder / place(table, block)


def write_parts(folder: Path, parts: Mapping[str, bytes]) -> None:
    for place, content in parts.items():
        write_bytes(folder / place, content)


def known_parts(plan: Plan, folder: Path) -> dict[str, str]:
    """The digests of a finished sweep's parts; none of one that is not finished or is of another plan."""
    try:
        manifest = read_json(folder / "manifest.json")
        return dict(manifest["parts"]) if manifest["plan"] == plan.digest else {}
    except (InputError, KeyError, TypeError, ValueError):
        return {}


def is_good(plan: Plan, folder: Path, place: str, known: Mapping[str, str]) -> bool:
    """Whether a part is there: by its content where it is known, else by its stamp."""
    if known:
        return (folder / place).is_file() and known.get(place) == file_digest(folder / place)
    stamp = frames.stamp(folder / place)
    return stamp is not None and stamp["plan"] == plan.digest


def every_place(plan: Plan) -> list[str]:
    return [place(table, block) for table in plan.tables for block in range(plan.blocks)]


def file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def locked(plan: Plan, folder: Path) -> Iterator[None]:
    """The folder, made or checked to be this plan's, for this process alone."""
    claim(folder, "plan.json", "sweep")
    with (folder / ".lock").open("w") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # no flock on this system: two sweeps of one plan write the same bytes
            pass
        except OSError:
            raise InputError(f"{folder}: another sweep is running in it") from None
        if (folder / "plan.json").exists():
            _refuse_other(plan, folder)
        else:
            write_text(folder / "plan.json", json.dumps(plan.to_dict(), indent=2) + "\n")
        for table in plan.tables:
            (folder / table.name).mkdir(exist_ok=True)
        for stray in (*folder.glob(".*.json.*"), *folder.glob("*/.part-*")):
            stray.unlink()
        yield


def _refuse_other(plan: Plan, folder: Path) -> None:
    there, asked = read_json(folder / "plan.json"), plan.to_dict()
    differing = [
        f"{key} is {_brief(there.get(key))} there, {_brief(asked.get(key))} asked"
        for key in dict.fromkeys((*there, *asked))
        if there.get(key) != asked.get(key) and key not in ("game_digest", "tables")
    ]
    if differing:
        raise InputError(
            f"{folder}: holds a sweep with other settings, should be another folder: {'; '.join(differing)}"
        )


def _brief(value: object) -> str:
    """A setting in a few words: a game and each system by name and the start of its digest."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return ", ".join(bettor["name"] for bettor in value)
    if isinstance(value, dict):
        named = {value["name"]: value} if "tableau" in value else value
        return ", ".join(f"{name} ({digest(data)[:8]})" for name, data in named.items()) or "none"
    return json.dumps(value)


def read_json(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, RecursionError):
        raise InputError(f"{path}: cannot be read as JSON") from None


def manifest(plan: Plan, folder: Path) -> str:
    parts = {place: file_digest(folder / place) for place in every_place(plan)}
    return json.dumps({"plan": plan.digest, "parts": parts}, indent=1) + "\n"
