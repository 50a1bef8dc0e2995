"""Sweeps: a plan, its batches of shoes, and a folder of Parquet parts that survives interruption.

A batch is one or several blocks of shoes. It has one part of each table. The parts depend only on the plan and the
batch's number. The parts of a whole batch do not depend on the number of shoes, so that more shoes can be played later.

A part is written under a temporary name and renamed. Then it is recorded with its digest. A sweep that was killed, or
that lost parts in a power cut, goes on with the batches whose parts are missing or changed. The result is the same, bit
for bit, with any number of workers. The record becomes the manifest, which is written last."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.errors import InputError, instance, path
from counting.games import on_hands
from counting.io.folders import Record, claimed
from counting.io.outputs import write_text
from counting.numbers import in_bytes
from counting.simulation import PIECE, play
from counting.sweep import spread, tables
from counting.sweep.coup_rows import rows_of_coups
from counting.sweep.folder import (
    begun,
    in_its_blocks,
    is_written,
    kept,
    known_parts,
    manifest,
    part_name,
    part_path,
    write_parts,
    write_plan,
)
from counting.sweep.plan import Plan
from counting.sweep.result import Sweep
from counting.sweep.tables import COUPS, LEDGER, PENETRATION, SPREAD
from counting.sweep.tally import TALLIES, BlockSums
from counting.systems import PERFECT
from counting.version import __version__
from counting.workers import WAKE, in_order, pool, threads

_AHEAD = 4  # batches handed out per worker: enough that none waits, few enough that memory is bounded

Progress = Callable[[int, int], None]
Encode = Callable[[Plan, int], dict[str, bytes]]


def encode_batch(plan: Plan, batch: int, version: str = __version__) -> dict[str, bytes]:
    """Play a batch of shoes. Returns its parts: Parquet files, by their paths in the folder. The call may be repeated,
    and may run on any machine."""
    if version != __version__:
        raise InputError(f"a worker has version {__version__}, should be {version}")
    return _encoded(plan, batch, frames_of(plan, batch))


def encode_again(played: Path, changed: frozenset[str], plan: Plan, batch: int) -> dict[str, bytes]:
    """A batch's parts, for a sweep that differs little from the sweep in the folder `played`.

    Only the sums that the earlier sweep lacks are played: the sums of the `changed` counting systems and, if it was not
    kept, the spread of edges. Mean squares of bets that are priced without the other bets may differ in the last
    digit."""
    systems = tuple(system for system in plan.systems if system.name in changed)
    lacking = [table for table in plan.tables if not part_path(played, table, batch).exists()]
    wanted = {bet for system in systems for bet in system.bets or plan.bets}
    bets = plan.bets if lacking else tuple(bet for bet in plan.bets if bet in wanted)
    again = frames_of(replace(plan, systems=systems, bets=bets, bettors=()), batch)
    frames = {}
    for table in plan.tables:
        if table in lacking:
            frames[table.name] = again[table.name]
            continue
        frames[table.name] = pl.read_parquet(part_path(played, table, batch))
        if table in (LEDGER, PENETRATION):
            own, other = (
                frame.partition_by("part", "system", as_dict=True, maintain_order=True)
                for frame in (frames[table.name], again[table.name])
            )
            names = [PERFECT, *(system.name for system in plan.systems)]
            keys = [(block, name) for block in plan.blocks_in(batch) for name in names]
            chosen = ((key, other if key[1] in changed else own) for key in keys)
            frames[table.name] = pl.concat(of[key] for key, of in chosen if key in of)
    return _encoded(plan, batch, frames)


def frames_of(plan: Plan, batch: int) -> dict[str, pl.DataFrame]:
    """Play a batch of shoes. Returns its tables by name."""
    blocks = plan.blocks_in(batch)
    grid = plan.dealing.cuts if plan.penetration or plan.bettors else None
    spreads = spread.no_coups(plan.game, plan.bets, plan.dealing.decks) if plan.spread else None
    tallies, kept = [], []
    for block in blocks:
        sums = BlockSums(plan.scoring, [plan.dealing.cut], grid, plan.penetration, spreads)
        first, end = block * plan.block, block * plan.block + plan.shoes_in(block)
        for start in range(first, end, PIECE):
            coups = play(plan.game.tableau, plan.dealing, plan.seed, start, min(PIECE, end - start), plan.knows)
            sums.add(coups)
            if plan.keep_rows:
                chosen = (coups.shoe + np.int64(start)) % plan.keep_rows == 0
                these = coups if chosen.all() else coups.only(chosen)
                kept.append(rows_of_coups(these, plan.systems, plan.dealing.decks, bool(on_hands(plan.game.bets))))
        tallies.append(sums.tally(block))
    frames = {table.name: pl.concat(made) for table, made in zip(TALLIES, zip(*tallies, strict=True), strict=True)}
    if spreads is not None:
        frames[SPREAD.name] = tables.frame(SPREAD, spread.columns(spreads, plan.bets), batch, plan.dealing.cut)
    if plan.keep_rows:
        frames[COUPS.name] = pl.concat(kept)
    return frames


def _encoded(plan: Plan, batch: int, frames: Mapping[str, pl.DataFrame]) -> dict[str, bytes]:
    return {
        part_name(table, batch): tables.encode(frames[table.name], table, part_name(table, batch), plan.stamp)
        for table in plan.tables
    }


def play_batch(plan: Plan, folder: Path, batch: int, encode: Encode = encode_batch) -> dict[str, str]:
    """Play a batch of shoes and write its parts. Returns the parts' digests. The call may be repeated."""
    return write_parts(folder, encode(plan, batch))


def run(
    plan: Plan,
    folder: str | Path,
    *,
    executor: Executor | None = None,
    shared: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
    space: Callable[[int], None] | None = None,
) -> Sweep:
    """Play the sweep, or its missing batches, into the folder.

    If the folder has a sweep of fewer shoes, that sweep is extended, in blocks of the same size.

    - `executor`: a `concurrent.futures.Executor`; by default a pool of threads: `workers`, or one per core. Processes
      must be started by spawn or forkserver: `ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))`.
    - `shared`: False if the executor's workers do not see the folder; they then send parts back
    - `progress`: called with the number of shoes played and the number of all shoes
    - `space`: called before any part is written, with the approximate number of bytes still needed on disk

    Raises `InputError` for an executor that forks, a folder that is in use or holds something else, or a disk with less
    room than needed. Raises `OSError` if the disk becomes full. Parts that were written stay.

    >>> from counting import Dealing, Plan, run
    >>> run(Plan("louisiana", Dealing.named("jacobson"), 50), "fifty").ledger.collect().height
    13
    """
    instance(plan, Plan, "plan", "Plan('ez-baccarat', Dealing(), 1000)")
    return _run(plan, path(folder, "folder"), executor, shared, workers, progress, space)


def replay(
    sweep: Sweep,
    plan: Plan,
    folder: Path,
    *,
    executor: Executor | None = None,
    shared: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """The same as `run`, for a plan that keeps no rows and differs from the sweep's plan only in triggers.

    Workers that see the sweep's folder read the sums of systems with unchanged triggers from that folder."""
    changed = frozenset(system.name for system in plan.systems if system not in sweep.plan.systems)
    encode = partial(encode_again, sweep.folder, changed) if shared else encode_batch
    return _run(plan, folder, executor, shared, workers, progress, None, encode)


def _run(
    plan: Plan,
    folder: Path,
    executor: Executor | None,
    shared: bool,
    workers: int | None,
    progress: Progress | None,
    space: Callable[[int], None] | None,
    encode: Encode = encode_batch,
) -> Sweep:
    workers = threads(workers)
    players = pool(executor, workers)
    with claimed(folder, "sweep"):
        plan = in_its_blocks(plan, folder)
        before = begun(plan, folder)
        record = Record(folder)
        finished = known_parts(before, folder)
        record.digests = finished or record.digests
        record.digests = kept(before, plan, record)
        places = {batch: [part_name(table, batch) for table in plan.tables] for batch in plan.batches}
        left = [batch for batch, parts in places.items() if not all(map(record.is_good, parts))]
        if left or not finished:
            good = set(plan.batches).difference(left)
            record.restart({place: record.digests[place] for batch in good for place in places[batch]})
            (folder / "manifest.json").unlink(missing_ok=True)  # the record lists the parts that remain
            write_plan(plan, folder)
            left.sort(key=plan.shoes_in_batch, reverse=True)
            with players as started:
                for digests in _begin(plan, folder, left, workers, started, shared, space, encode):
                    record.add(digests)
                done = sum(map(plan.shoes_in_batch, [*good, *left[:workers]]))
                for shoes, digests in _played(plan, folder, left[workers:], started, _AHEAD * workers, shared, encode):
                    record.add(digests)
                    done += shoes
                    if progress:
                        progress(done, plan.shoes)
            write_text(folder / "manifest.json", manifest(plan, record.digests))
        elif not is_written(plan, folder):
            write_plan(plan, folder)
        record.path.unlink(missing_ok=True)
    return Sweep(folder, plan)


def _begin(
    plan: Plan,
    folder: Path,
    left: Sequence[int],
    most: int,
    pool: Executor,
    shared: bool,
    space: Callable[[int], None] | None,
    encode: Encode,
) -> Iterator[Mapping[str, str]]:
    """Play the first batches that are left, at most `most`. Yields the digests of each batch's parts.

    Before any batch is written, the size of the first batch shows whether the disk has room for all batches."""
    first = left[:most]
    versions = () if shared else ([__version__] * len(first),)
    for place, parts in enumerate(in_order(pool, encode, [plan] * len(first), first, *versions)):
        if place == 0:
            _check_room(plan, folder, sum(map(len, parts.values())) * len(left), space)
        yield write_parts(folder, parts)


def _check_room(plan: Plan, folder: Path, needed: int, space: Callable[[int], None] | None) -> None:
    free = shutil.disk_usage(folder).free
    if space:
        space(needed)
    if needed > free:
        less = ["rows of fewer shoes"] * bool(plan.keep_rows) + ["no table of penetration"] * plan.penetration
        raise InputError(
            f"{folder}: needs about {in_bytes(needed)} on disk, {in_bytes(free)} are free: should have "
            f"{' or '.join(['more room', *less])}"
        )


def _played(
    plan: Plan, folder: Path, left: Sequence[int], pool: Executor, most: int, shared: bool, encode: Encode
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Hand out batches, at most `most` at a time. Yields the number of shoes of each written batch, and the digests of
    its parts. The first yield is 0 shoes and no parts.

    If the folder is `shared`, the worker writes the batch's parts."""
    running: dict[Future[Any], int] = {}
    waiting = iter(left)
    yield 0, {}
    try:
        while True:
            for batch in islice(waiting, most - len(running)):
                played = (
                    pool.submit(play_batch, plan, folder, batch, encode)
                    if shared
                    else pool.submit(encode_batch, plan, batch, __version__)
                )
                running[played] = plan.shoes_in_batch(batch)
            if not running:
                return
            for future in wait(running, timeout=WAKE, return_when=FIRST_COMPLETED).done:
                shoes, parts = running.pop(future), future.result()
                yield shoes, parts if shared else write_parts(folder, parts)
    finally:
        for future in running:
            future.cancel()
