"""Baccara banque by the stakes: the value to two Players who play together, and how they do it.

Solves the game with replacement and from six decks for one twentieth of the stakes after another on the first Player,
with the second using the first's third card or leaving it aside; then one to twelve decks at equal and at one-sided
stakes. The certificates at equal stakes are checked. Writes `banque.csv`, `figures/banque.svg` and the tables of
`banque.md`. About a minute.

    python experiments/banque.py
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import polars as pl
from markdown import put

from counting import Shoe, plots
from counting.chemin import Banque, banque, check_banque, solve
from counting.chemin.banque_words import banque_rows

HERE = Path(__file__).parent
MODELS = {"A2": "with replacement", "B2": "six decks"}
STEPS = 20
DECKS = range(1, 13)


def row(found: Banque) -> dict[str, object]:
    """As the verb has it; `alone`: whether each can play his part for himself."""
    return {
        "model": found.model,
        "uses_third": found.uses_third,
        **banque_rows([found])[0],
        "theta": float(found.theta),
        "undecided": len(found.undecided),
        "alone": found.independent,
        "exact": str(found.value),
    }


def main() -> None:
    rows = []
    for model in MODELS:
        for uses_third in (False, True):
            for i in range(STEPS + 1):
                found = banque(Shoe.decks(6), Fraction(i, STEPS), model, uses_third=uses_third)
                rows.append(row(found))
                if 2 * i == STEPS:
                    check_banque(found.certificate, Shoe.decks(6), found.theta, model)
    table = pl.DataFrame(rows, infer_schema_length=None)
    table.write_csv(HERE / "banque.csv")
    uses = pl.when("uses_third").then(pl.lit(", third card used")).otherwise(pl.lit(""))
    drawn = table.with_columns(line=pl.col("model").replace_strict(MODELS) + uses)
    panels = {"value": "value to the Players", "first_draws": "the first draws on five", "alike": "they do alike"}
    (HERE / "figures" / "banque.svg").write_text(plots.svg(plots.line_panels(drawn, "theta", panels, "line")))
    lines = []
    for theta in (Fraction(i, STEPS) for i in range(STEPS + 1)):
        at = table.filter(pl.col("theta") == float(theta))
        values = [f"{v:.8f}" for v in at["value"]]
        mine = at.filter((pl.col("model") == "A2") & ~pl.col("uses_third")).row(0, named=True)
        parts = (f"{mine[column]:.4f}" for column in ("first_draws", "second_draws", "alike"))
        lines.append([str(theta), *values, *parts, "yes" if mine["alone"] else "no"])
    head = ["theta", *(f"{name}{used}" for name in MODELS.values() for used in ("", ", used"))]
    put(HERE / "banque.md", [*head, "first draws", "second draws", "alike", "alone"], lines, "theta")
    decks = []
    for d in DECKS:
        shoe = Shoe.decks(d)
        aside, used, first, second = (
            float(banque(shoe, theta, "B2", uses_third=uses_third).value)
            for theta, uses_third in (("1/2", False), ("1/2", True), ("1", False), ("0", False))
        )
        alone = float(solve(shoe, "B2").value)
        decks.append(
            [
                str(d),
                *(f"{v:.8f}" for v in (aside, used, first, alone)),
                f"{first - alone:.2g}",
                f"{second - alone:.2g}",
            ]
        )
    head = [
        "decks",
        "equal stakes",
        "third card used",
        "theta 1",
        "chemin de fer",
        "theta 1 less that",
        "theta 0 less that",
    ]
    put(HERE / "banque.md", head, decks, "decks")


if __name__ == "__main__":
    main()
