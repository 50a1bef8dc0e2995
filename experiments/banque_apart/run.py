"""Baccara banque in which each Player plays alone: the game of three sides, compared with the best common plan of both
Players.

Full shoes of six and eight decks are solved in models 1 and 2, at five values of theta. The second Player uses the
first Player's third card, or ignores it. With replacement, only A1 is solved, because A2 is the same. Its certificates
are checked by dealing the cards again. Writes `banque-apart.csv` and a table of `notes.md`. This takes a few minutes.

    python -m experiments.banque_apart.run
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import polars as pl

from counting import Shoe
from counting.chemin.banque import Apart, apart, banque
from counting.reports.chemin import mixed_cells
from experiments._notes import put

HERE = Path(__file__).parent
GAMES = (("A1", 6), ("B1", 6), ("B1", 8), ("B2", 6), ("B2", 8))
THETAS = tuple(Fraction(i, 4) for i in range(5))


def rows(solution: Apart, decks: int, together: Fraction) -> list[dict[str, object]]:
    result: list[dict[str, object]] = []
    for one in solution.equilibria:
        proof = one.certificate
        first, second = proof.profits
        result.append(
            {
                "model": solution.model,
                "decks": decks,
                "uses_third": solution.uses_third,
                "theta": str(solution.theta),
                "all": solution.is_all,
                "first_percent": 100 * float(first),
                "second_percent": 100 * float(second),
                "apart_percent": 100 * float(solution.theta * first + (1 - solution.theta) * second),
                "together_percent": 100 * float(together),
                "first_draws": float(proof.first),
                "second_draws_least": float(min(proof.second.values())),
                "second_draws_most": float(max(proof.second.values())),
                "banker_mixes": len(mixed_cells(proof.banker)),
                "gain": float(one.epsilon),
            }
        )
    return result


def main() -> None:
    found: list[dict[str, object]] = []
    for uses_third in (True, False):
        for model, decks in GAMES:
            shoe = Shoe.decks(decks)
            for theta in THETAS:
                solution = apart(shoe, theta, model, uses_third=uses_third)
                if model == "A1":  # the other models are not checked: a check takes up to a minute
                    solution.check()
                together = banque(shoe, theta, model, uses_third=uses_third).value
                found += rows(solution, decks, together)
                print(model, decks, theta, uses_third, flush=True)
    pl.DataFrame(found).write_csv(HERE / "banque-apart.csv", float_precision=8)
    lines = []
    for row in found:
        drawn = [f"{row[name]:.4f}" for name in ("first_draws", "second_draws_least", "second_draws_most")]
        lines.append(
            [
                f"{row['model']}, {'with replacement' if row['model'] == 'A1' else row['decks']}",
                "used" if row["uses_third"] else "ignored",
                str(row["theta"]),
                *(f"{row[f'{name}_percent']:.5f}" for name in ("first", "second", "apart", "together")),
                drawn[0],
                drawn[1] if drawn[1] == drawn[2] else f"{drawn[1]} to {drawn[2]}",
                "exact" if row["gain"] == 0 else f"{row['gain']:.0e}",
                "yes" if row["all"] else "no",
            ]
        )
    head = [
        *("model, decks", "third card", "theta", "first, %", "second, %", "both, alone, %", "both, common plan, %"),
        *("first draws", "second draws", "gain", "no other"),
    ]
    put(HERE / "notes.md", head, lines, "full")


if __name__ == "__main__":
    main()
