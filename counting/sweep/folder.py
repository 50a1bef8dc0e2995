"""A sweep's folder: plan, parts written completely or not at all, their record, and the manifest at last."""

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
    write_bytes,
    write_text,
)
from counting.simulation import BLOCK
from counting.sweep import tables
from counting.sweep.plan import MOST_BLOCKS, MOST_SHOES, Plan, usual_block
from counting.sweep.tables import LEDGER, Table


def place(table: Table, block: int) -> str:
    return f"{table.name}/part-{block:06d}.parquet"


def part_path(folder: Path, table: Table, block: int) -> Path:
    return folder / place(table, block)


def write_parts(folder: Path, parts: Mapping[str, bytes]) -> dict[str, str]:
    """Write a block's parts; returns their digests."""
    for place, content in parts.items():
        write_bytes(folder / place, content)
    return {place: hashlib.sha256(content).hexdigest() for place, content in parts.items()}


def known_parts(plan: Plan, folder: Path) -> dict[str, str]:
    """The digests of a finished sweep's parts; none of one that is not finished or is of another plan."""
    of_plan, parts = _manifest(folder)
    return parts if of_plan == plan.digest else {}


def _manifest(folder: Path) -> tuple[str, dict[str, str]]:
    """The digest of the plan and those of the parts; nothing without a manifest that can be read."""
    try:
        manifest = read_json(folder / "manifest.json")
        return str(manifest["plan"]), dict(manifest["parts"])
    except (InputError, KeyError, TypeError, ValueError):
        return "", {}


def every_place(plan: Plan) -> list[str]:
    return [place(table, block) for table in plan.tables for block in range(plan.blocks)]


def write_plan(plan: Plan, folder: Path) -> None:
    """The plan, and a folder for each table."""
    write_text(folder / "plan.json", json.dumps(plan.to_dict(), indent=2) + "\n")
    for table in plan.tables:
        (folder / table.name).mkdir(exist_ok=True)


def _there(folder: Path) -> dict[str, Any] | None:
    """The plan of the folder's sweep as data, with the size of blocks, which version 0.1.0 did not write."""
    path = folder / "plan.json"
    if not path.exists():
        return None
    there = read_json(path)
    shoes = whole(there.get("shoes"), f"{path}: shoes", 1, MOST_SHOES)
    return {**there, "shoes": shoes, "block": there.get("block", usual_block(shoes))}


def in_its_blocks(plan: Plan, folder: Path) -> Plan:
    """The plan in blocks of the size with which the folder's sweep was begun, unless it names its own.

    Raises `InputError` where many more shoes would take very many of such blocks.
    """
    there = _there(folder)
    if there is None or plan.blocks_of:
        return plan
    block = _block(plan, there, folder)
    blocks = -(-plan.shoes // block)
    if there["shoes"] < plan.shoes and blocks > MOST_BLOCKS:
        raise InputError(
            f"{folder}: holds a sweep in blocks of {block:,} shoes, of which {plan.shoes:,} shoes would take "
            f"{blocks:,}, should be at most {MOST_BLOCKS:,}: another folder (--out), where blocks are larger"
        )
    return plan if block == plan.block else replace(plan, blocks_of=block)


def begun(plan: Plan, folder: Path) -> Plan:
    """The plan with the number of shoes for which the folder's sweep was last played: as many, or fewer.

    Raises `InputError` where the folder holds a sweep that differs in anything else, or one of more shoes.
    """
    there, asked = _there(folder), plan.to_dict()
    if there is None:
        return plan
    there["block"] = _block(plan, there, folder)
    more = ["shoes"] * (there["shoes"] < plan.shoes)
    refuse_differing(folder, "sweep", there, asked, ("game_digest", "tables", *more))
    before = replace(plan, shoes=there["shoes"], blocks_of=plan.block)
    if (stamp := _stamp(folder)[0]) and stamp not in _stamps(before):
        raise InputError(
            f"{folder}: its plan and its parts are not of one sweep, one of them was changed; should be another folder "
            "(--out)"
        )
    return before


def _block(plan: Plan, there: Mapping[str, Any], folder: Path) -> int:
    """The size of the folder's blocks: what its plan says, unless its parts were stamped with another, and as usual
    where no part is good yet."""
    stamp, shoes = _stamp(folder)
    if not stamp and not plan.blocks_of:
        return plan.block
    for size in (there["block"], plan.block, shoes):
        is_size = type(size) is int and 1 <= size <= BLOCK
        if is_size and stamp in _stamps(replace(plan, shoes=there["shoes"], blocks_of=size)):
            return int(size)
    return whole(there["block"], f"{folder / 'plan.json'}: block", 1, BLOCK)


def _stamp(folder: Path) -> tuple[str, int]:
    """The stamp of a part of the ledger that is as it was recorded, and its shoes: those of a whole block, unless it is
    the last. Nothing where no part is good."""
    record = Record(folder)
    record.digests = record.digests or _manifest(folder)[1]
    for place in sorted(place for place in record.digests if place.startswith(f"{LEDGER.name}/")):
        if record.is_good(place):
            stamp = tables.stamp(folder / place) or {}
            is_ledger = stamp.get("table") == LEDGER.name
            shoes = pl.read_parquet(folder / place, columns=["shoes"]).max().item() if is_ledger else 0
            return str(stamp.get("plan", "")), shoes
    return "", 0


def _stamps(plan: Plan) -> tuple[str, str]:
    """By which parts of the plan are known: this version's and that of version 0.1.0, with the number of shoes."""
    return plan.stamp, plan.digest


def is_written(plan: Plan, folder: Path) -> bool:
    """Whether the folder's plan, which `begun` has let pass, says all that it should."""
    return _there(folder) == plan.to_dict()


def folder_for(plan: Plan, name: str, kind: str) -> Path:
    """The default folder of what is made from the plan's sweep, which is in a folder `sweep` within it."""

    def has(folder: Path, shoes: int) -> None:
        refuse_other(folder, kind, {}, was="sweep")
        there = begun(in_its_blocks(plan, folder / "sweep"), folder / "sweep")
        whole(there.shoes, "shoes", shoes, plan.shoes)

    return default_folder(name, plan.digest, lambda folder: has(folder, plan.shoes), lambda folder: has(folder, 1))


def kept(before: Plan, plan: Plan, record: Record) -> dict[str, str]:
    """What of the record is good for the plan: of a sweep that is extended the parts of whole blocks, unless version
    0.1.0 wrote them, which stamped them with the number of shoes."""
    if before.shoes == plan.shoes:
        return record.digests
    places = [place(table, block) for table in plan.tables for block in range(before.shoes // before.block)]
    return {
        place: record.digests[place]
        for place in places
        if record.is_good(place) and (tables.stamp(record.folder / place) or {}).get("plan") == plan.stamp
    }


def manifest(plan: Plan, digests: Mapping[str, str]) -> str:
    parts = {place: digests[place] for place in every_place(plan)}
    return json.dumps({"plan": plan.digest, "parts": parts}, indent=1) + "\n"
