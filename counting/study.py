"""The main job, end to end: exact edges, a sweep, its summary, figures, and the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl

from counting import report, summary
from counting.cards import Shoe
from counting.errors import InputError
from counting.exact import exact_edges, probabilities
from counting.folders import claim, write_text
from counting.frames import LEFT
from counting.output import as_json
from counting.penetration import by_penetration
from counting.report import QUANTILES, Findings
from counting.sweep import Plan, Progress, Sweep, run
from counting.systems import PERFECT

_BIN = 4  # unseen cards to a point of a figure


def findings(sweep: Sweep) -> Findings:
    """Every table of the page from a finished sweep that kept its rows."""
    plan = sweep.plan
    ledger, depth, dealt = sweep.tallies
    bets = summary.by_bet(ledger).collect()
    featured = report.featured(bets)
    elsewhere = by_penetration(sweep, plan.dealing.usual_cuts).filter(
        (pl.col("system") == PERFECT) & pl.col("bet").is_in(featured)
    )
    composition = sweep.coups.select("cards_left", *LEFT[plan.knows])
    # A bet at a time: quantiles hold every value of theirs.
    spread = [
        summary.quantiles(summary.price(composition, plan.game, [bet]), [bet], QUANTILES, _BIN).collect()
        for bet in featured
    ]
    shoe = Shoe.decks(plan.dealing.decks)
    edges = exact_edges(plan.game, shoe)
    return Findings(
        plan,
        {bet: edges[bet] for bet in plan.bets},
        bets,
        summary.by_cards_left(depth, ledger).collect(),
        summary.by_system(ledger).collect(),
        summary.dealing(dealt, probabilities(plan.game, shoe), plan.dealing.certain_coups).collect(),
        pl.concat(spread),
        elsewhere.select("bet", "cut", "coups_per_shoe", "units_per_shoe", "units_per_shoe_se"),
    )


def as_data(found: Findings) -> dict[str, Any]:
    """The page's JSON twin."""
    plan = found.plan
    headline, said = report.sentences(found)
    return {
        "game": plan.game.name,
        "plan": plan.to_dict(),
        "plan_digest": plan.digest,
        "answer": [headline, *said],
        "dealing": report.dealing_reading(found.dealing),
        "edges": {bet: {"edge": float(edge), "exact": str(edge)} for bet, edge in found.edges.items()},
        "bets": found.bets.to_dicts(),
        "cuts": found.cuts.to_dicts(),
        "systems": found.systems.to_dicts(),
    }


def study(plan: Plan, folder: Path, command: str, progress: Progress | None = None, **playing: Any) -> Findings:
    """Sweep into `folder/sweep`, and write tables, figures, `report.html` and `report.json` beside it."""
    if (folder / "plan.json").exists():
        raise InputError(f"{folder}: holds a sweep of its own, should be a new or empty folder")
    claim(folder, "sweep", "study")
    found = findings(Sweep(run(plan, folder / "sweep", progress=progress, **playing), plan))
    drawn = report.figures(found)
    tables = {"bets": found.bets, "cards-left": found.cards_left, "systems": found.systems, "dealing": found.dealing}
    (folder / "tables").mkdir(exist_ok=True)
    (folder / "figures").mkdir(exist_ok=True)
    for name, frame in tables.items():
        write_text(folder / "tables" / f"{name}.csv", frame.write_csv())
    for name, (frame, drawing) in drawn.items():
        write_text(folder / "figures" / f"{name}.csv", frame.write_csv())
        write_text(folder / "figures" / f"{name}.svg", drawing)
    write_text(folder / "report.html", report.page(found, drawn, command))
    write_text(folder / "report.json", as_json(as_data(found)))
    return found
