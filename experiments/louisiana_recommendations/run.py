"""The recommendations of the Louisiana analysis, each tried against counters who may skip coups and counters who may
not.

Writes `recommendations.csv` and a table of `notes.md`. Sweeps and brackets of 100,000 shoes each are kept in FOLDER,
and used again. This takes about ten minutes on two cores.

    python -m experiments.louisiana_recommendations.run FOLDER
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import polars as pl

from counting import load_game
from counting.bounds import CounterModel, Terms, frontier, plan_of
from counting.bounds.frontiers import brackets_of
from counting.reports.numbers import figure
from counting.simulation import Dealing
from counting.sweep import Plan, run
from experiments._notes import put

HERE = Path(__file__).parent
GAME = load_game("louisiana")
SHOES = 100_000
CUTS = (14, 26, 104)
OTHERS = tuple(name for name in GAME.bet_names if name.startswith("big-win"))
MODELS = tuple(map(CounterModel.parse, ("sit-out", "play-all", "play-all:1", "no-entry")))
SEVENS = ("seven-seven-45", "seven-seven-40")
WITH_TIE = tuple(GAME.main_bets.values())
TERMS = {
    "Player, Banker, Tie": Terms(
        bets=SEVENS, main=WITH_TIE, tie_ins=tuple(map(Fraction, (0, 1, 4))), models=MODELS
    ),
    "Player, Banker": Terms(bets=SEVENS, main=WITH_TIE[:2], tie_ins=(Fraction(1), Fraction(4)), models=MODELS),
    "none": Terms(bets=("tie-9", *OTHERS), main=("player",), tie_ins=(Fraction(0),), models=MODELS[:1]),
}  # fmt: skip


def main() -> None:
    folder, found = Path(sys.argv[1]), []
    for i, (mains, terms) in enumerate(TERMS.items()):
        plan = plan_of(Plan(GAME, Dealing(cut=14), SHOES, 1), terms)
        sweep = run(plan, folder / str(i))
        brackets = brackets_of(terms, plan, CUTS, folder / f"brackets-{i}")
        found.append(frontier(sweep, terms, CUTS, brackets).with_columns(pl.lit(mains).alias("main_bets")))
        print(found[-1], flush=True)
    table = pl.concat(found)
    table.write_csv(HERE / "recommendations.csv", float_precision=8)
    lines = []
    for (mains, bet, tie_in, model), rows in table.group_by("main_bets", "bet", "tie_in", "model", maintain_order=True):
        lines.append([str(mains), str(bet), f"{tie_in:g}", str(model), *map(_gain, rows.iter_rows(named=True))])
    head = ["main bets", "side bet", "requirement", "counter", *(f"{cut} cards" for cut in CUTS)]
    put(HERE / "notes.md", head, lines)


def _gain(row: dict[str, float]) -> str:
    lower, upper = (figure(row[f"{of}_units_per_shoe"], row[f"{of}_units_per_shoe_se"]) for of in ("lower", "upper"))
    return lower if lower == upper else f"{lower} to {upper}"


if __name__ == "__main__":
    main()
