"""A counter at a watched table: how many coups does it take until an alert, and how many alerts are false?

At tables of EZ Baccarat, three patrons count for the Dragon 7 and 17 patrons do not count. The lines of each table,
with bets before their coup, go to a watch with seven rules. Writes `alerts.csv` with a row for each patron and rule,
two figures and the tables of `notes.md`.

    python -m experiments.watch.run [PROCESSES]
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each process needs only one thread

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import polars as pl

from counting import load_game
from counting.live import InputLine, Watch, WatchSettings, parse_rules
from counting.reports.drawing import single, svg
from counting.review.synthetic import Counter, Flat, Patron, Progressive, Trend, Visitor, deal, log_frames
from counting.simulation import Dealing
from counting.systems import load_system
from experiments._notes import put
from experiments._plots import first_alerts

HERE = Path(__file__).parent
GAME, DEALING, SEED = load_game("ez-baccarat"), Dealing.named("jacobson", 8), 2031
SIDE = "dragon-7"
COUNT, LEVEL_1 = load_system("dragon-7"), load_system("dragon-7-level-1")
TABLES, SHOES = 40, 50
STAKE = 100
RULES = {
    "any bet, edge > 0": f"stake > 0 and edge > 0 for {SIDE}",
    "100, edge > 0": f"stake >= {STAKE} and edge > 0 for {SIDE}",
    "100, edge > 2%": f"stake >= {STAKE} and edge > 2% for {SIDE}",
    "100, trigger": f"stake >= {STAKE} and trigger dragon-7 for {SIDE}",
    "raise > 3, edge > 0": f"raise > 3 and edge > 0 for {SIDE}",
    "100, 3 bets, all positive": f"stake >= {STAKE} and bets >= 3 and positive >= 100% for {SIDE}",
    "100, 3 bets, 80% positive": f"stake >= {STAKE} and bets >= 3 and positive >= 80% for {SIDE}",
}
COUNTERS: dict[str, Patron] = {
    "a: bets only when it pays": Counter(SIDE, STAKE, COUNT),
    "b: 30% cover bets of 25": Counter(SIDE, STAKE, COUNT, cover=0.3, cover_stake=25),
    "c: a level-1 count": Counter(SIDE, STAKE, LEVEL_1),
}
KINDS = (*COUNTERS, "flat, 100", "flat, 25", "visitor", "progression", "on streaks")
MAX_SHOWN = 400  # the most coups in the figure
FIGURES = {"watch-single": "100, edge > 0", "watch-pattern": "100, 3 bets, 80% positive"}
LOOKS = (80, 400, 2000)  # numbers of coups for the tables


def innocents(rng: np.random.Generator) -> dict[str, Patron]:
    """Seventeen patrons who do not count. They bet at random, come at the same time in each shoe, raise after losses,
    or follow streaks."""
    patrons: dict[str, Patron] = {}
    for i in range(4):
        patrons[f"flat, 100 {i}"] = Flat(SIDE, STAKE, float(rng.uniform(0.02, 0.6)))
        patrons[f"flat, 25 {i}"] = Flat(SIDE, 25, float(rng.uniform(0.02, 0.6)))
    for i in range(3):
        first = int(rng.integers(1, 60))
        patrons[f"visitor {i}"] = Visitor(SIDE, STAKE, first, first + int(rng.integers(5, 40)))
        patrons[f"on streaks {i}"] = Trend(("player", "banker", SIDE), STAKE, int(rng.integers(1, 4)))
        patrons[f"progression {i}"] = Progressive(SIDE, 25, float(rng.uniform(1.1, 1.5)), 1000)
    return patrons


def kind_of(patron: str) -> str:
    return next(kind for kind in KINDS if patron.startswith(kind))


def lines(table: int) -> tuple[list[InputLine], dict[str, int]]:
    """The lines of a table's log in the order of play, and each patron's number of bets on the Dragon 7."""
    patrons = COUNTERS | innocents(np.random.default_rng([SEED, table]))
    name = f"table {table}"
    dealt = deal(GAME, DEALING, SEED, table * SHOES, SHOES)
    coups, bets = log_frames(dealt, patrons, GAME, SEED, name)
    placed = dict(bets.filter(pl.col("bet") == SIDE).group_by("patron").len().rows())
    of_coup: dict[tuple[int, int], list[dict[str, object]]] = {}
    for bet in bets.drop("won").to_dicts():
        of_coup.setdefault((bet["shoe"], bet["coup"]), []).append(bet)
    listed: list[InputLine] = []
    for coup in coups.to_dicts():
        for record in (*of_coup.get((coup["shoe"], coup["coup"]), ()), coup):
            listed.append(InputLine(0, json.dumps(record).encode(), 0, len(listed) + 1))
    return listed, {patron: placed.get(patron, 0) for patron in patrons}


def watched(table: int) -> pl.DataFrame:
    """Watch one table. Each patron and rule has a row with the number of alerts, and the coup of the first alert. Coups
    are counted from the beginning of the first shoe."""
    rules = parse_rules(tuple(RULES.values()), GAME, (COUNT,), False)
    watch = Watch(WatchSettings(GAME, DEALING.decks, (COUNT,), rules))
    listed, placed = lines(table)
    coups = 0
    first: dict[tuple[str, str], int] = {}
    number: dict[tuple[str, str], int] = {}
    shoes: dict[tuple[str, str], set[str]] = {}
    for at in range(0, len(listed), 500):
        for said in watch.take(listed[at : at + 500]):
            coups += said.record["did"] == "coup"
            for alert in said.alerts:
                key = alert["patron"], alert["rule"]
                first.setdefault(key, coups + 1)
                number[key] = number.get(key, 0) + 1
                shoes.setdefault(key, set()).add(alert["shoe"])
    return pl.DataFrame(
        [
            {
                "table": table, "patron": patron, "kind": kind_of(patron), "counts": patron in COUNTERS, "rule": rule,
                "coups": coups, "bets": bets, "alerts": number.get((patron, text), 0),
                "shoes_with_alert": len(shoes.get((patron, text), ())), "first_alert_coup": first.get((patron, text)),
            }
            for patron, bets in placed.items() for rule, text in RULES.items()
        ],
        {"table": pl.Int64, "patron": pl.String, "kind": pl.String, "counts": pl.Boolean, "rule": pl.String,
         "coups": pl.Int64, "bets": pl.Int64, "alerts": pl.Int64, "shoes_with_alert": pl.Int64,
         "first_alert_coup": pl.Int64},
    )  # fmt: skip


def by_kind(rows: pl.DataFrame) -> pl.DataFrame:
    """For each kind of patron and each rule: alerts per shoe, coups until the first alert, and the share of patrons
    with an alert within the numbers of coups in `LOOKS`."""
    seen = [(pl.col("first_alert_coup") <= look).fill_null(False).mean().alias(f"by_{look}") for look in LOOKS]
    order = pl.col("kind").cast(pl.Enum(KINDS)), pl.col("rule").cast(pl.Enum(list(RULES)))
    return (
        rows.with_columns(*order)
        .group_by("kind", "rule")
        .agg(
            pl.len().alias("patrons"), (pl.col("alerts").sum() / (pl.len() * SHOES)).alias("alerts_per_shoe"),
            (pl.col("bets").sum() / (pl.len() * SHOES)).alias("bets_per_shoe"),
            pl.col("first_alert_coup").fill_null(pl.col("coups") + 1).median().alias("median_first"),
            pl.col("first_alert_coup").is_not_null().mean().alias("ever"), *seen,
        )
        .sort("kind", "rule")
    )  # fmt: skip


def precision(rows: pl.DataFrame) -> pl.DataFrame:
    """For each rule: alerts on counters and on others, per table and shoe, and the share of alerts that are on
    counters."""
    per = TABLES * SHOES
    return (
        rows.group_by(pl.col("rule").cast(pl.Enum(list(RULES))))
        .agg(
            (pl.col("alerts").filter("counts").sum() / per).alias("true"),
            (pl.col("alerts").filter(~pl.col("counts")).sum() / per).alias("false"),
            pl.col("first_alert_coup").filter(pl.col("patron") == KINDS[0]).median().alias("median_first"),
        )
        .with_columns(share=pl.col("true") / (pl.col("true") + pl.col("false")))
        .sort("rule")
    )


def curves(rows: pl.DataFrame, rule: str) -> pl.DataFrame:
    """For each kind of patron: the share of patrons with an alert up to each coup."""
    of = rows.filter(pl.col("rule") == rule)
    points = []
    for kind in KINDS:
        first = of.filter(pl.col("kind") == kind)["first_alert_coup"].to_numpy()
        points += [{"kind": kind, "coup": coup, "alerted": float((first <= coup).mean())}
                   for coup in range(0, MAX_SHOWN + 1, 5)]  # fmt: skip
    return pl.DataFrame(points)


def main() -> None:
    processes = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        rows = pl.concat(pool.map(watched, range(TABLES)))
    rows.write_csv(HERE / "alerts.csv")
    note(rows)


def note(rows: pl.DataFrame) -> None:
    """Write the tables of the notes, and the figures."""
    frame, exact = by_kind(rows), precision(rows)
    headings = ["patron", "bets per shoe", *RULES]
    table = [
        [str(kind), f"{of['bets_per_shoe'][0]:.1f}", *(f"{value:.2f}" for value in of["alerts_per_shoe"])]
        for (kind,), of in frame.group_by("kind", maintain_order=True)
    ]
    put(HERE / "notes.md", headings, table, "alerts")
    table = [
        [str(kind), *(_coups(*row) for row in of.select("median_first", "ever", "by_2000").rows())]
        for (kind,), of in frame.group_by("kind", maintain_order=True)
    ]
    put(HERE / "notes.md", ["patron", *RULES], table, "first")
    table = [
        [row["rule"], f"{row['true']:.2f}", f"{row['false']:.2f}", f"{100 * row['share']:.0f}%"]
        for row in exact.to_dicts()
    ]
    put(HERE / "notes.md", ["rule", "true per table and shoe", "false", "share of true alerts"], table, "precision")
    for name, rule in FIGURES.items():
        (HERE / f"{name}.svg").write_text(svg(single(first_alerts, curves(rows, rule), size=(9, 3.2))))


def _coups(median: float, ever: float, alerted: float) -> str:
    return f"{median:,.0f} ({100 * alerted:.0f}%)" if ever > 0.5 else f"- ({100 * alerted:.0f}%)"


if __name__ == "__main__":
    main()
