"""A sweep's folder: the plan, the parts, their record and the manifest. A part is a file with some rows of one table.
It is written completely or not at all. The manifest is written last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from counting.errors import InputError, whole
from counting.io.folders import (
    Record,
    default_folder,
    read_json,
    refuse_differing,
    refuse_other,
)
from counting.io.outputs import write_bytes, write_text
from counting.simulation import BLOCK
from counting.sweep import tables
from counting.sweep.plan import MOST_BLOCKS, MOST_SHOES, Plan
from counting.sweep.tables import LEDGER, TableSchema


def part_name(table: TableSchema, batch: int) -> str:
    return f"{table.name}/part-{batch:06d}.parquet"


def part_path(folder: Path, table: TableSchema, batch: int) -> Path:
    """The path of a table's part. `batch` is one of `Plan.batches`."""
    return folder / part_name(table, batch)


def write_parts(folder: Path, parts: Mapping[str, bytes]) -> dict[str, str]:
    """Write a batch's parts. Returns their digests."""
    for place, content in parts.items():
        write_bytes(folder / place, content, recorded=True)
    return {place: hashlib.sha256(content).hexdigest() for place, content in parts.items()}


def known_parts(plan: Plan, folder: Path) -> dict[str, str]:
    """The digests of a finished sweep's parts. There are none if the sweep is not finished or has another plan."""
    of_plan, parts = _manifest(folder)
    return parts if of_plan == plan.digest else {}


def _manifest(folder: Path) -> tuple[str, dict[str, str]]:
    """The plan's digest and the parts' digests, from the manifest. Both are empty if there is no manifest that can be
    read."""
    try:
        manifest = read_json(folder / "manifest.json")
        return str(manifest["plan"]), dict(manifest["parts"])
    except (InputError, KeyError, TypeError, ValueError):
        return "", {}


def part_names(plan: Plan) -> list[str]:
    return [part_name(table, batch) for table in plan.tables for batch in plan.batches]


def write_plan(plan: Plan, folder: Path) -> None:
    """Write the plan, and make a folder for each table."""
    write_text(folder / "plan.json", json.dumps(plan.to_dict(), indent=2) + "\n")
    for table in plan.tables:
        (folder / table.name).mkdir(exist_ok=True)


def _plan_in(folder: Path) -> dict[str, Any] | None:
    """The plan of the folder's sweep, as data. Its number of shoes is checked. None if there is no plan."""
    path = folder / "plan.json"
    if not path.exists():
        return None
    plan = read_json(path)
    shoes = whole(plan.get("shoes"), f"{path}: shoes", 1, MOST_SHOES)
    return {**plan, "shoes": shoes, "block": plan.get("block")}


def in_its_blocks(plan: Plan, folder: Path) -> Plan:
    """The plan, with the block size of the sweep in the folder unless the plan names a size.

    Raises `InputError` if further shoes would make too many blocks of that size."""
    held = _plan_in(folder)
    if held is None or plan.blocks_of:
        return plan
    block = _block(plan, held, folder)
    blocks = -(-plan.shoes // block)
    if held["shoes"] < plan.shoes and blocks > MOST_BLOCKS:
        raise InputError(
            f"{folder}: holds a sweep in blocks of {block:,} shoes; {plan.shoes:,} shoes would take {blocks:,} "
            f"of these blocks, should be at most {MOST_BLOCKS:,}; another folder (--out) has larger blocks"
        )
    return plan if block == plan.block else replace(plan, blocks_of=block)


def begun(plan: Plan, folder: Path) -> Plan:
    """The plan, with the number of shoes of the sweep in the folder. If the folder has no sweep, the plan is returned
    as it is.

    Raises `InputError` if the folder's sweep differs in anything else, has more shoes than the plan, or has parts of
    another plan."""
    held, wanted = _plan_in(folder), plan.to_dict()
    if held is None:
        return plan
    held["block"] = _block(plan, held, folder)
    more = ["shoes"] * (held["shoes"] < plan.shoes)
    refuse_differing(folder, "sweep", held, wanted, ("game_digest", "tables", "blocks_in_batch", *more))
    before = replace(plan, shoes=held["shoes"], blocks_of=plan.block)
    if (stamp := _stamp(folder)[0]) and stamp != before.stamp:
        raise InputError(
            f"{folder}: its plan and its parts are not of the same sweep (one was changed), should be another folder "
            "(--out)"
        )
    return before


def _block(plan: Plan, held: Mapping[str, Any], folder: Path) -> int:
    """The number of shoes in the folder's blocks.

    It is the number in the folder's plan, unless the stamp of the parts is for another number. If there is no undamaged
    part and `plan` names no number, it is the usual number."""
    stamp, shoes = _stamp(folder)
    if not stamp and not plan.blocks_of:
        return plan.block
    for size in (held["block"], plan.block, shoes):
        is_size = type(size) is int and 1 <= size <= BLOCK
        if is_size and stamp == replace(plan, shoes=held["shoes"], blocks_of=size).stamp:
            return int(size)
    return whole(held["block"], f"{folder / 'plan.json'}: block", 1, BLOCK)


def _stamp(folder: Path) -> tuple[str, int]:
    """The stamp of an undamaged part of the ledger, and the number of shoes in this part's largest block. An empty text
    and 0 if every part is missing or damaged.

    The largest block is a whole block, unless the part has only the sweep's last block."""
    record = Record(folder)
    record.digests = record.digests or _manifest(folder)[1]
    for place in sorted(place for place in record.digests if place.startswith(f"{LEDGER.name}/")):
        if record.is_good(place):
            stamp = tables.stamp(folder / place) or {}
            is_ledger = stamp.get("table") == LEDGER.name
            shoes = pl.read_parquet(folder / place, columns=["shoes"]).max().item() if is_ledger else 0
            return str(stamp.get("plan", "")), shoes
    return "", 0


def is_written(plan: Plan, folder: Path) -> bool:
    """Whether the plan in the folder is this plan, in every field."""
    return _plan_in(folder) == plan.to_dict()


def folder_for(plan: Plan, name: str, kind: str) -> Path:
    """The default folder of a result. The result keeps a sweep of this plan in its subfolder `sweep`."""

    def has(folder: Path, shoes: int) -> None:
        refuse_other(folder, kind, {}, was="sweep")
        played = begun(in_its_blocks(plan, folder / "sweep"), folder / "sweep")
        whole(played.shoes, "shoes", shoes, plan.shoes)

    return default_folder(name, plan.digest, lambda folder: has(folder, plan.shoes), lambda folder: has(folder, 1))


def kept(before: Plan, plan: Plan, record: Record) -> dict[str, str]:
    """The record's entries that are valid for the plan. If a sweep is extended, these are the parts of batches that do
    not grow."""
    if before.shoes == plan.shoes:
        return record.digests
    same = [batch for batch in before.batches if before.shoes_in_batch(batch) == plan.shoes_in_batch(batch)]
    places = [part_name(table, batch) for table in plan.tables for batch in same]
    return {
        place: record.digests[place]
        for place in places
        if record.is_good(place) and (tables.stamp(record.folder / place) or {}).get("plan") == plan.stamp
    }


def manifest(plan: Plan, digests: Mapping[str, str]) -> str:
    parts = {place: digests[place] for place in part_names(plan)}
    return json.dumps({"plan": plan.digest, "parts": parts}, indent=1) + "\n"
