"""A sweep's folder: plan, parts written completely or not at all, their record, and the manifest at last."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from counting import frames
from counting.errors import InputError, whole
from counting.folders import Record, default_folder, read_json, refuse_differing, refuse_other, write_bytes, write_text
from counting.frames import Table
from counting.plan import MOST_SHOES, Plan, usual_block


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
    try:
        manifest = read_json(folder / "manifest.json")
        return dict(manifest["parts"]) if manifest["plan"] == plan.digest else {}
    except (InputError, KeyError, TypeError, ValueError):
        return {}


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
    """The plan in blocks of the size with which the folder's sweep was begun, unless it names its own."""
    there = _there(folder)
    if there is None or plan.blocks_of or there["block"] == plan.block:
        return plan
    return replace(plan, blocks_of=there["block"])


def begun(plan: Plan, folder: Path) -> Plan:
    """The plan with the number of shoes for which the folder's sweep was last played: as many, or fewer.

    Raises `InputError` where the folder holds a sweep that differs in anything else, or one of more shoes.
    """
    there, asked = _there(folder), plan.to_dict()
    if there is None:
        return plan
    more = ["shoes"] * (there["shoes"] < plan.shoes)
    refuse_differing(folder, "sweep", there, asked, ("game_digest", "tables", *more))
    return replace(plan, shoes=there["shoes"], blocks_of=plan.block)


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
        if record.is_good(place) and (frames.stamp(record.folder / place) or {}).get("plan") == plan.stamp
    }


def manifest(plan: Plan, digests: Mapping[str, str]) -> str:
    parts = {place: digests[place] for place in every_place(plan)}
    return json.dumps({"plan": plan.digest, "parts": parts}, indent=1) + "\n"
