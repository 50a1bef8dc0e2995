"""The main job, end to end: exact edges, a sweep, its summary, figures, and the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from counting.analysis import by_penetration, summary
from counting.cards import Shoe
from counting.errors import InputError
from counting.exact import exact_edges, probabilities
from counting.io.folders import claimed, write_text
from counting.io.tables import as_json
from counting.reports import pages
from counting.reports.pages import QUANTILES, Findings
from counting.sweep import LEFT, Plan, Progress, Sweep, run
from counting.systems import PERFECT

KIND = "study"  # of folder

_BIN = 4  # unseen cards to a point of a figure


def findings(sweep: Sweep) -> Findings:
    """Every table of the page from a finished sweep: without quantiles where it kept no rows, without other cuts where
    it has no sums by cut."""
    plan = sweep.plan
    ledger, depth, dealt = sweep.tallies
    bets = summary.by_bet(ledger).collect()
    featured = pages.featured(bets)
    shoe = Shoe.decks(plan.dealing.decks)
    edges = exact_edges(plan.game, shoe)
    return Findings(
        plan,
        {bet: edges[bet] for bet in plan.bets},
        bets,
        summary.by_cards_left(depth, ledger).collect(),
        summary.by_system(ledger).collect(),
        summary.dealing(dealt, probabilities(plan.game, shoe), plan.dealing.certain_coups).collect(),
        _spread(sweep, featured),
        _elsewhere(sweep, featured),
    )


def _spread(sweep: Sweep, bets: Sequence[str]) -> pl.DataFrame:
    """Quantiles of edges by unseen cards; a bet at a time, as they hold every value of theirs."""
    if not sweep.plan.keep_rows:
        return pl.DataFrame()
    composition = sweep.coups.select("cards_left", *LEFT[sweep.plan.knows])
    return pl.concat(
        summary.quantiles(summary.price(composition, sweep.plan.game, [bet]), [bet], QUANTILES, _BIN).collect()
        for bet in bets
    )


def _elsewhere(sweep: Sweep, bets: Sequence[str]) -> pl.DataFrame:
    """What a perfect counter wins with other cuts."""
    if not sweep.plan.penetration:
        return pl.DataFrame()
    return (
        by_penetration(sweep, sweep.plan.dealing.usual_cuts)
        .filter((pl.col("system") == PERFECT) & pl.col("bet").is_in(bets))
        .select("bet", "cut", "coups_per_shoe", "coups_per_shoe_se", "units_per_shoe", "units_per_shoe_se")
    )


def as_data(found: Findings) -> dict[str, Any]:
    """The page's JSON twin."""
    plan = found.plan
    headline, said = pages.sentences(found)
    return {
        "game": plan.game.name,
        "plan": plan.to_dict(),
        "plan_digest": plan.digest,
        "answer": [headline, *said],
        "dealing": pages.dealing_reading(found.dealing),
        "edges": {bet: {"edge": float(edge), "exact": str(edge)} for bet, edge in found.edges.items()},
        "bets": found.bets.to_dicts(),
        "cuts": found.cuts.to_dicts(),
        "systems": found.systems.to_dicts(),
    }


def study(plan: Plan, folder: Path, command: str, progress: Progress | None = None, **playing: Any) -> Findings:
    """Sweep into `folder/sweep`, and write tables, figures, `report.html` and `report.json` beside it."""
    with claimed(folder, KIND, {}, was="sweep"):
        return publish(run(plan, folder / "sweep", progress=progress, **playing), folder, command)


def publish(sweep: Sweep, folder: Path, command: str) -> Findings:
    """Tables, figures, `report.html` and `report.json` of a finished sweep, into a folder that was claimed for them.

    Raises `InputError` for a sweep of bettors: its page is the one of the command that played it.
    """
    if sweep.plan.bettors:
        raise InputError(f"{sweep.folder}: played for limits, whose page stands beside it already")
    found = findings(sweep)
    drawn = pages.figures(found)
    tables = {"bets": found.bets, "cards-left": found.cards_left, "systems": found.systems, "dealing": found.dealing}
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "figures").mkdir(exist_ok=True)
    for name, frame in tables.items():
        write_text(folder / "tables" / f"{name}.csv", frame.write_csv())
    for name, (frame, drawing) in drawn.items():
        write_text(folder / "figures" / f"{name}.csv", frame.write_csv())
        write_text(folder / "figures" / f"{name}.svg", drawing)
    write_text(folder / "report.html", pages.page(found, drawn, command))
    write_text(folder / "report.json", as_json(as_data(found)))
    return found
