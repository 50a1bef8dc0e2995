"""The recommendations of the Louisiana analysis, each against a counter who may sit out and one who may not.

Writes `recommendations.csv` and the table of `recommendations.md`. Sweeps that are in the folder given are taken, else
played there: a million shoes each, six minutes on two cores.

    python experiments/recommendations.py FOLDER
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import polars as pl
from markdown import put

from counting import load_game
from counting.limits import Model, Terms, frontier, plan_of
from counting.plan import Plan
from counting.shoe import Dealing
from counting.sweep import run
from counting.swept import Sweep

HERE = Path(__file__).parent
GAME = load_game("louisiana")
SHOES = 1_000_000
CUTS = (14, 26, 104)
OTHERS = tuple(name for name in GAME.bet_names if name.startswith("big-win"))
MODELS = tuple(map(Model.parse, ("sit-out", "play-all", "play-all:1")))
WITH_TIE = tuple(GAME.main_bets.values())
TERMS = {
    "Player, Banker, Tie": Terms(
        ("seven-seven-45", "seven-seven-40"), WITH_TIE, tuple(map(Fraction, (0, 1, 4))), MODELS
    ),
    "Player, Banker": Terms(("seven-seven-45", "seven-seven-40"), WITH_TIE[:2], (Fraction(1), Fraction(4)), MODELS),
    "none": Terms(("tie-9", *OTHERS), ("player",), (Fraction(0),), MODELS[:1]),
}


def main() -> None:
    folder, found = Path(sys.argv[1]), []
    for i, (mains, terms) in enumerate(TERMS.items()):
        plan = plan_of(Plan(GAME, Dealing(cut=14), SHOES, 1), terms)
        sweep = Sweep(run(plan, folder / str(i)), plan)
        found.append(frontier(sweep, terms, CUTS).with_columns(pl.lit(mains).alias("main_bets")))
    table = pl.concat(found)
    table.write_csv(HERE / "recommendations.csv", float_precision=8)
    lines = []
    for (mains, bet, tie_in, model), rows in table.group_by("main_bets", "bet", "tie_in", "model", maintain_order=True):
        gains = [f"{g:+.4f} ± {e:.4f}" for g, e in rows.select("units_per_shoe", "units_per_shoe_se").rows()]
        lines.append([str(mains), str(bet), f"{tie_in:g}", str(model), *gains])
    head = ["main bets", "side bet", "tie-in", "counter", *(f"{cut} cards" for cut in CUTS)]
    put(HERE / "recommendations.md", head, lines)


if __name__ == "__main__":
    main()
