"""Rebates on losses, by stakes and rebate: what a counter wins, and an amount that no counter's win exceeds.

For each case (stakes with a rebate), the play is fitted to 4,000 shoes, and SHOES other shoes are played: by default
2,500, and a third of these if the seat must be held. Each row is added to `rebates.csv` when it is done, so that an
interrupted run can continue. At the end, the tables of `notes.md` are written. This takes about a quarter of an hour on
one core.

    python -m experiments.rebates.run [SHOES]
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from time import process_time

import numpy as np
import polars as pl

from counting import load_game
from counting.bounds import Mean, Seat
from counting.bounds.net_evaluation import BLOCK, evaluate_net, fit_net
from counting.simulation import Dealing
from counting.sweep import Stakes
from experiments._notes import put_frame

HERE = Path(__file__).parent
CSV = HERE / "rebates.csv"
UNIT = 100.0  # a unit in money: the largest side bet
FITTED, SHOES = 4_000, 2_500
GAME = load_game("punto-banco").also(("dragon-7",))
PER_HOUR = 70.0

WITH_DRAGON = "Player, Banker to 1,000, Dragon 7 to 100"
_AMOUNTS = {"least": Fraction(1, 100), "least_main": Fraction(1), "most_main": Fraction(10)}
STAKES = {
    "Player, Banker, Tie to 1,000, Dragon 7 to 100": Stakes.of(
        ("dragon-7",), ("player", "banker-5", "tie-8"), **_AMOUNTS
    ),
    "Player, Banker to 1,000": Stakes.of((), ("player", "banker-5"), **_AMOUNTS),
    WITH_DRAGON: Stakes.of(("dragon-7",), ("player", "banker-5"), **_AMOUNTS),
}
ALL = next(iter(STAKES))


@dataclass(frozen=True)
class Cell:
    """A case: stakes and a rebate, the number of coups in a row that may be skipped (None: any number), and the number
    of shoes over which a loss is added up."""

    stakes: str
    rebate: float
    skipped: int | None = None
    over: int = 1

    @property
    def seat(self) -> Seat:
        dealing = Dealing(8, 14, "first-card")
        return Seat(GAME, dealing, STAKES[self.stakes], self.skipped, loss_rebate=self.rebate, loss_over=self.over)


CELLS = [Cell(stakes, rebate) for stakes in STAKES if stakes != WITH_DRAGON for rebate in (0.01, 0.05, 0.1, 0.2)]
CELLS += [Cell(ALL, rebate, over=3) for rebate in (0.05, 0.1)]
CELLS += [Cell(WITH_DRAGON, 0.05, skipped) for skipped in (None, 0, 2)]
CELLS += [Cell(WITH_DRAGON, rebate) for rebate in (0.01, 0.1, 0.2)]
CELLS += [Cell(ALL, 0.2, over=3)]


def worked_out(cell: Cell, shoes: int) -> dict[str, object]:
    """The results of a cell, in money per shoe."""
    begun = process_time()
    fitted = fit_net(cell.seat, False, 1, FITTED, 1)
    days = shoes // 3 if cell.over > 1 or cell.skipped is not None else shoes
    lower, upper, taken, played, coups, crude, without, plain = (np.zeros(days) for _ in range(8))
    for first in range(0, days, BLOCK):
        count = min(BLOCK, days - first)
        one, at = evaluate_net(fitted, False, 1, first, count), slice(first, first + count)
        rows, game = one.rows, fitted.game
        lower[at], upper[at], taken[at] = one.lower, one.upper, one.taken

        def by_day(figures: np.ndarray, rows=rows, count=count) -> np.ndarray:
            return np.bincount(rows.shoe // cell.over, figures, count)

        edges = rows.before[: len(cell.seat.stakes.bets)].T
        losing = edges + cell.rebate * game.losing(game.pays.chances(rows.left))
        played[at], coups[at] = by_day(one.played), by_day(np.ones(len(rows.shoe)))
        crude[at], plain[at] = (by_day(cell.seat.stakes.free(of)) for of in (losing, edges))
        without[at] = by_day((losing @ game.stakes.T).max(axis=1))
    figures = {"lower": lower, "upper": upper, "crude": crude, "crude_undominated": without, "plain": plain}
    means = {name: Mean.of(UNIT * figure / cell.over) for name, figure in figures.items()}
    means["upper"] = means["upper"].beside(UNIT * fitted.error / cell.over)
    columns = {name: mean.value for name, mean in means.items()} | {f"{n}_se": mean.error for n, mean in means.items()}
    zeros = Mean.of(taken)
    per_coup = PER_HOUR / float(coups.mean() / cell.over)
    named = {"stakes": cell.stakes, "rebate": cell.rebate, "skipped": cell.skipped, "over": cell.over}
    return {
        **named,
        "shoes": days * cell.over,
        **columns,
        "apart": 100 * (means["upper"].value / means["lower"].value - 1),
        "played": float(played.mean() / cell.over),
        "z": zeros.value / zeros.error,
        **{f"{name}_per_hour": means[name].value * per_coup for name in ("lower", "upper", "crude")},
        "least": float((upper - lower).min()) if cell.over == 1 else None,
        "seconds": process_time() - begun,
    }


_TYPES = {"skipped": pl.Int64, "least": pl.Float64}


def main(shoes: int = SHOES) -> None:
    done = pl.read_csv(CSV, schema_overrides=_TYPES) if CSV.exists() else pl.DataFrame()
    for cell in CELLS:
        key = {"stakes": cell.stakes, "rebate": cell.rebate, "skipped": cell.skipped, "over": cell.over}
        if len(done) and len(done.filter(pl.col(name).eq_missing(value) for name, value in key.items())):
            continue
        row = pl.DataFrame([worked_out(cell, shoes)], schema_overrides=_TYPES)
        done = pl.concat([done, row]) if len(done) else row
        done.write_csv(CSV, float_precision=6)
        print(row.to_dicts()[0], flush=True)
    notes(done)


def notes(table: pl.DataFrame) -> None:
    """Write the tables of the notes."""
    columns = {
        "rebate": "{rebate:.0%}",
        "a counter wins": "{lower:,.2f} ± {lower_se:.2f}",
        "none wins more than": "{upper:,.2f} ± {upper_se:.2f}",
        "apart": "{apart:.1f}%",
        "version 0.2": "{crude:,.1f}",
        "no rebate": "{plain:.2f}",
        "coups played": "{played:.1f}",
        "z": "{z:.1f}",
        "shoes": "{shoes:,}",
    }
    single = pl.col("skipped").is_null() & (pl.col("over") == 1)
    put_frame(HERE / "notes.md", {"stakes": "{stakes}", **columns}, table.filter(single))
    put_frame(HERE / "notes.md", columns, table.filter(pl.col("over") > 1), "days")
    seats = table.filter(pl.col("skipped").is_not_null())
    put_frame(HERE / "notes.md", {"skipped in a row": "{skipped}", **columns}, seats, "seats")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
