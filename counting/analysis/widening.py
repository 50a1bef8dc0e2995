"""Play a sweep again with wider triggers, if a count's best trigger is the lowest or the highest that was scored.

First, all of the sweep's shoes are dealt again to find the best of all whole-number triggers. Then the shoes are played
again, also with the triggers around it. These triggers are in the plan of the new sweep, so every figure has its
standard error, as in any sweep."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

import numpy as np

from counting.analysis.scores import at_best, score
from counting.arrays import Floats, Ints
from counting.errors import InputError
from counting.exact import edges
from counting.io.folders import read_json
from counting.simulation import PIECE, Coups, play
from counting.sweep import Plan, Progress, Sweep, open_sweep, replay, running_count
from counting.systems import BestTrigger, System, best_trigger, gains_by_count
from counting.workers import in_order, pool, threads

WIDER = "wider"  # a folder inside the sweep's folder


def widened(
    sweep: Sweep, *, executor: Executor | None = None, workers: int | None = None, shared: bool = True,
    progress: Progress | None = None,
) -> Sweep:  # fmt: skip
    """The sweep itself or, if the best trigger of a count is the lowest or highest that was scored, a sweep of the same
    shoes with wider triggers.

    The new sweep also has the triggers around the best whole-number trigger. It is in the folder `wider` inside the
    sweep's folder, and keeps no rows. A count that is read from a wrong start, or that wins nothing at any whole-number
    trigger, keeps its triggers. If the wider plan would have too many cells in the table `penetration`, nothing is
    played. The executor and the workers are as for `counting.sweep.run`."""
    with pool(executor, threads(workers)) as players:
        systems = _wider_systems(sweep, players)
        plan = None if systems is None else _with(sweep.plan, systems)
        folder = sweep.folder / WIDER
        if plan is None:
            shutil.rmtree(folder, ignore_errors=True)
            return sweep
        if (folder / "plan.json").exists() and read_json(folder / "plan.json").get("systems") != _listed(plan):
            shutil.rmtree(folder)
        return replay(sweep, plan, folder, executor=players, shared=shared, workers=workers, progress=progress)


def widest(sweep: Sweep, rows: bool = False) -> Sweep:
    """The sweep that `widened` made, if the sweep's folder holds one that is finished and has the same plan apart from
    triggers and kept rows. Otherwise the sweep itself.

    With `rows`, the result is the sweep itself, with its rows, and with the wider triggers in its plan."""
    try:
        wider = open_sweep(sweep.folder / WIDER)
    except InputError:
        return sweep
    listed = {system.name: system.triggers for system in wider.plan.systems}
    own = [system.model_copy(update={"triggers": listed.get(system.name)}) for system in sweep.plan.systems]
    if wider.plan != _with(sweep.plan, own):
        return sweep
    return replace(sweep, plan=replace(sweep.plan, systems=wider.plan.systems)) if rows else wider


def whole_counts(system: System, coups: Coups, decks: int) -> Ints:
    """The count before each coup (rows,), rounded down."""
    return system.whole_count(running_count(system, coups, decks), coups.cards_left, coups.undealt)


def _listed(plan: Plan) -> dict[str, Any]:
    systems: dict[str, Any] = plan.to_dict()["systems"]
    return systems


def _with(plan: Plan, systems: Sequence[System]) -> Plan | None:
    """The plan with these systems and without rows. None if it would have too many cells in the table `penetration`."""
    spread = plan.spread or bool(plan.keep_rows)
    try:
        return replace(plan, systems=tuple(systems), keep_rows=0, spread=spread)
    except InputError:
        return None


def _wider_systems(sweep: Sweep, executor: Executor) -> list[System] | None:
    """The sweep's systems with wider triggers. None if no count's best trigger is the lowest or the highest that was
    scored, or if all counts with such a best trigger win nothing at any whole-number trigger."""
    plan = sweep.plan
    if not plan.systems:
        return None
    rows = at_best(score(sweep.ledger)).collect().to_dicts()
    ends = [
        (system, row["bet"])
        for system in plan.systems
        for row in rows
        if row["system"] == system.name and system.is_end(row["trigger"]) and not system.drifts(plan.dealing.decks)
    ]
    best: dict[str, list[int]] = {}
    for (system, _), trigger in zip(ends, _best_of_all(plan, ends, executor), strict=True):
        if trigger is not None:
            best.setdefault(system.name, []).append(trigger.trigger)
    if not best:
        return None
    return [system.scored_around(best.get(system.name, ())) for system in plan.systems]


def _best_of_all(plan: Plan, counted: Sequence[tuple[System, str]], executor: Executor) -> Iterator[BestTrigger | None]:
    """The best whole-number trigger of each system on its bet, over all shoes of a plan. `counted`: each system with
    its bet."""
    if not counted:
        return iter(())
    bets = tuple(dict.fromkeys(bet for _, bet in counted))
    systems = tuple({system.name: system for system, _ in counted}.values())
    priced = replace(plan, bets=bets, systems=systems, bettors=(), keep_rows=0, penetration=False)
    blocks = range(priced.blocks)
    parts = list(in_order(executor, _gains, [priced] * len(blocks), [tuple(counted)] * len(blocks), blocks))
    return (best_trigger(*_together(of_one)) for of_one in zip(*parts, strict=True))


def _gains(plan: Plan, counted: Sequence[tuple[System, str]], block: int) -> list[tuple[Ints, Floats]]:
    """For each system and its bet, `gains_by_count` over a block of shoes."""
    pieces: list[list[tuple[Ints, Floats]]] = []
    first = block * plan.block
    last = first + plan.shoes_in(block)
    for start in range(first, last, PIECE):
        coups = play(plan.game.tableau, plan.dealing, plan.seed, start, min(PIECE, last - start), plan.knows)
        priced = dict(zip(plan.bets, edges(plan.game, coups.left, plan.bets).T, strict=True))
        counts = {system.name: whole_counts(system, coups, plan.dealing.decks) for system in plan.systems}
        pieces.append([gains_by_count(counts[system.name], priced[bet]) for system, bet in counted])
    return [_together(of_one) for of_one in zip(*pieces, strict=True)]


def _together(parts: Iterable[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """The gains of all parts, added up for each count in the order of the parts."""
    counts, gains = zip(*parts, strict=True)
    return gains_by_count(np.concatenate(counts), np.concatenate(gains))
