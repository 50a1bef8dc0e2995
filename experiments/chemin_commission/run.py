"""Chemin de fer with a commission on Banker's wins: what each side wins in equilibrium, on full shoes and on random
shoes.

Full shoes of six and eight decks are solved in all six models at four commissions, under the classical and the modern
rules. Then a hundred random shoes left of six decks are solved for each model without replacement, at 5%. Every
certificate is checked by dealing the cards again. Writes `chemin-commission.csv`, `random-shoes.csv` and the tables of
`notes.md`. The times in them depend on the machine.

    python -m experiments.chemin_commission.run
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import numpy as np
import polars as pl

from counting import Shoe
from counting.chemin import CLASSICAL, MODELS, MODERN, CheminRules, CommissionSolution, solve, under_commission
from counting.reports.chemin import banker_cell, mixed_cells, player_cell, plays_data
from experiments._notes import put

HERE = Path(__file__).parent
DECKS = (6, 8)
COMMISSIONS = ("0", "0.01", "0.025", "0.05")
RULES = {"classical": CLASSICAL, "modern": MODERN}
SEED, SHOES, RATE = 2029, 100, Fraction(1, 20)
SIDES = ("player", "banker", "house")


def timed(shoe: Shoe, model: str, rules: CheminRules, rate: Fraction | str) -> tuple[CommissionSolution, float, float]:
    """A checked solution, the milliseconds to find all equilibria, and the milliseconds to find one equilibrium by
    pivoting."""
    seconds = []
    for search in (False, True):
        start = perf_counter()
        solution = under_commission(shoe, model, rules, rate, search)
        seconds.append(perf_counter() - start)
        solution.check()
        if not Fraction(rate):
            value = solve(shoe, model, rules).value
            assert all(one.to_player == value == -one.to_banker for one in solution.certificates)
    return solution, seconds[1] * 1000, seconds[0] * 1000


def of_full_shoes() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, rules in RULES.items():
        for model in MODELS:
            for decks in DECKS:
                for commission in COMMISSIONS:
                    solution, every, single = timed(Shoe.decks(decks), model, rules, commission)
                    (one,) = solution.certificates  # fails for a shoe with several sets of equilibria
                    rows.append(
                        {
                            "rules": name,
                            "model": model,
                            "decks": decks,
                            "commission": float(commission),
                            "sets": None if solution.equilibria is None else len(solution.equilibria),
                            "to_player": str(one.to_player),
                            "to_banker": str(one.to_banker),
                            "to_house": str(one.to_house),
                            **{f"to_{s}_percent": 100 * float(getattr(one, f"to_{s}")) for s in SIDES},
                            "player_mixes": str(plays_data(mixed_cells(one.player), player_cell)),
                            "banker_mixes": str(plays_data(mixed_cells(one.banker), banker_cell)),
                            "all_ms": every,
                            "one_ms": single,
                        }
                    )
    return rows


def of_random_shoes(model: str) -> list[dict[str, object]]:
    rng, full = np.random.default_rng([SEED, list(MODELS).index(model)]), Shoe.decks(6)
    rows: list[dict[str, object]] = []
    for _ in range(SHOES):
        cards = int(rng.integers(6, full.cards_left + 1))
        shoe = Shoe.from_values(rng.multivariate_hypergeometric(full.values, cards).tolist())
        solution, every, single = timed(shoe, model, CLASSICAL, RATE)
        one = solution.certificates[0]
        rows.append(
            {
                "model": model,
                "shoe": str(shoe),
                "cards_left": cards,
                "sets": None if solution.equilibria is None else len(solution.equilibria),
                "cells_player_mixes": len(mixed_cells(one.player)),
                **{f"to_{s}_percent": 100 * float(getattr(one, f"to_{s}")) for s in SIDES},
                "all_ms": every,
                "one_ms": single,
            }
        )
    return rows


def main() -> None:
    full = pl.DataFrame(of_full_shoes())
    full.drop("all_ms", "one_ms").write_csv(HERE / "chemin-commission.csv", float_precision=6)
    lines = [
        [
            row["rules"],
            row["model"] if row["model"][0] == "B" else f"{row['model']} (with replacement)",
            str(row["decks"]) if row["model"][0] == "B" else "any",
            f"{100 * row['commission']:g}%",
            *(f"{row[f'to_{s}_percent']:.5f}" for s in SIDES),
            "yes" if row["sets"] is not None else "not searched out",
        ]
        for row in full.to_dicts()
        if row["model"][0] == "B" or row["decks"] == DECKS[0]
    ]
    head = ["rules", "model", "decks", "commission", "to Player, %", "to Banker, %", "to the house, %", "the only set"]
    put(HERE / "notes.md", head, lines, "full")
    random = [row for model in MODELS if model[0] == "B" for row in of_random_shoes(model)]
    pl.DataFrame(random).drop("all_ms", "one_ms").write_csv(HERE / "random-shoes.csv", float_precision=6)
    lines = []
    for model in (model for model in MODELS if model[0] == "B"):
        rows = [row for row in random if row["model"] == model]
        every, single = ([float(str(row[name])) for row in rows] for name in ("all_ms", "one_ms"))
        lines.append(
            [
                model,
                str(len(rows)),
                str(sum(row["sets"] is not None for row in rows)),
                str(sum(row["sets"] not in (None, 1) for row in rows)),
                str(sum(float(str(row["to_banker_percent"])) > 0 for row in rows)),
                *(f"{mean(float(str(row[f'to_{s}_percent'])) for row in rows):.4f}" for s in SIDES),
                f"{median(every):.0f}",
                f"{max(every):.0f}",
                f"{median(single):.0f}",
            ]
        )
    head = [
        *("model", "shoes", "with all equilibria", "with several sets", "Banker has an edge"),
        *("mean to Player, %", "to Banker, %", "to the house, %"),
        *("all, median ms", "longest", "one, median ms"),
    ]
    put(HERE / "notes.md", head, lines, "random")


if __name__ == "__main__":
    main()
