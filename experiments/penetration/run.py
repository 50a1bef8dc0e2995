"""How much each further card behind the cut card takes from a counter: every cut from 6 to 208 of 416 cards, from one
sweep of each game.

Writes `penetration.csv`, the table of `notes.md` and `penetration-*.svg`. Sweeps are played into FOLDER, or used from
there.

    python -m experiments.penetration.run FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from counting import load_game
from counting.analysis import by_penetration
from counting.reports import drawing, plots
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.systems import load_system
from experiments._notes import put

HERE = Path(__file__).parent
SHOES = 1_000_000
TABLE = (6, 14, 20, 26, 39, 52, 78, 104, 156, 208)


def plan(game: str, dealing: Dealing, bets: tuple[str, ...], systems: tuple[str, ...]) -> Plan:
    return Plan(load_game(game), dealing, SHOES, 1, tuple(map(load_system, systems)), bets, keep_rows=0)


PLANS = {
    "louisiana": plan(
        "louisiana",
        Dealing(cut=6),
        ("seven-seven-45", "seven-seven-40", "tie-9"),
        ("seven-seven-45-level-1", "seven-seven-40-level-1", "tie-9-level-1"),
    ),
    "dragon-7": plan(
        "ez-baccarat",
        Dealing(cut=6, burn="first-card"),
        ("dragon-7",),
        ("dragon-7", "dragon-7-level-1"),
    ),
}
BETTORS = {
    "louisiana": {
        ("perfect", "seven-seven-45"): "7-7 at 45 to 1, perfect",
        ("seven-seven-45-level-1", "seven-seven-45"): "7-7 at 45 to 1, level 1",
        ("perfect", "seven-seven-40"): "7-7 at 40 to 1, perfect",
        ("seven-seven-40-level-1", "seven-seven-40"): "7-7 at 40 to 1, level 1",
        ("perfect", "tie-9"): "Tie at 9 to 1, perfect",
        ("tie-9-level-1", "tie-9"): "Tie at 9 to 1, level 1",
    },
    "dragon-7": {
        ("perfect", "dragon-7"): "Dragon 7, perfect",
        ("dragon-7", "dragon-7"): "Dragon 7, published count",
        ("dragon-7-level-1", "dragon-7"): "Dragon 7, level 1",
    },
}


def curves(name: str, folder: Path) -> pl.DataFrame:
    """What the perfect counter, and each count at its best trigger for the cut, win at every cut up to half of the
    shoe."""
    plan = PLANS[name]
    sweep = run(plan, folder / name)
    found = by_penetration(sweep, range(6, 209))
    best = pl.col("units_per_shoe").rank("ordinal", descending=True).over("system", "bet", "cut")
    return found.filter(best == 1)


def _figure(gain: float, error: float) -> str:
    return f"{gain:.4f} ± {error:.4f}" if gain >= 0.005 else f"{gain:.6f}" if gain >= 0.00001 else "less than 0.00001"


def main() -> None:
    folder = Path(sys.argv[1])
    found = {name: curves(name, folder) for name in PLANS}
    pl.concat(found.values()).write_csv(HERE / "penetration.csv", float_precision=8)
    lines = []
    for name, frame in found.items():
        for (system, bet), title in BETTORS[name].items():
            of = frame.filter((pl.col("system") == system) & (pl.col("bet") == bet))
            at = {row["cut"]: row for row in of.to_dicts()}
            lines.append([title, *(_figure(at[c]["units_per_shoe"], at[c]["units_per_shoe_se"]) for c in TABLE)])
    put(HERE / "notes.md", ["bet and counter", *map(str, TABLE)], lines)
    for name, frame in found.items():
        labelled = frame.with_columns(
            pl.struct("system", "bet")
            .map_elements(lambda row, name=name: BETTORS[name][row["system"], row["bet"]], return_dtype=pl.String)
            .alias("bet")
        )
        titles = list(BETTORS[name].values())
        figure = drawing.single(
            plots.gain_by_cut, labelled, titles, {title: title for title in titles}, "units per shoe"
        )
        (HERE / f"penetration-{name}.svg").write_text(drawing.svg(figure))


if __name__ == "__main__":
    main()
