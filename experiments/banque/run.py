"""Baccara banque with Players who play together: their value and their plan, by how the stakes are divided between
them.

The game is solved with replacement and from six decks. The first Player has 0, 1, 2 ... 20 twentieths of the stakes.
The second Player uses the first Player's third card, or ignores it. For six decks, the game is also solved if the
Players see their two cards (B3). Then one to twelve decks are solved, at equal stakes and with all stakes on one
Player. Certificates at equal stakes are checked. At the end, random shoes left of six decks are solved: do the Players
ever have an edge? Writes `banque.csv`, `banque.svg` and the tables of `notes.md`. This takes a few minutes.

    python -m experiments.banque.run
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe
from counting.chemin import solve
from counting.chemin.banque import BY_HAND, Banque, BanqueByHand, banque, banque_by_hand, check_banque
from counting.chemin.banque.coups_dealt import MOST_CARDS
from counting.reports import drawing, plots
from counting.reports.chemin import banque_rows
from experiments._notes import put

HERE = Path(__file__).parent
MODELS = {"A2": "with replacement", "B2": "six decks", "B3": "six decks, two cards"}
STEPS = 20
DECKS = range(1, 13)
SHOES = 500


def solved(shoe: Shoe, theta: Fraction | str, model: str, uses_third: bool) -> Banque | BanqueByHand:
    return (banque_by_hand if model in BY_HAND else banque)(shoe, theta, model, uses_third=uses_third)


def row(found: Banque | BanqueByHand) -> dict[str, object]:
    """The row that the command prints, with `alone` added: whether the Players' moves can be independent of each
    other."""
    return {
        "model": found.model,
        "uses_third": found.uses_third,
        **banque_rows([found])[0],
        "theta": float(found.theta),
        "undecided": len(found.undecided),
        "alone": found.independent if isinstance(found, Banque) else None,
        "exact": str(found.value),
    }


def at_random(model: str, uses_third: bool) -> list[str]:
    """A row of the table of random shoes, which have nine or more cards left of six decks. Theta is 0 for the first
    shoe, 1/20 for the second and so on up to 1; then it starts at 0 again. The seed is the digit in the model's name,
    with `uses_third`."""
    rng, full = np.random.default_rng([int(model[1]), uses_third]), Shoe.decks(6)
    values = []
    for i in range(SHOES):
        cards = int(rng.integers(MOST_CARDS, full.cards_left + 1))
        shoe = Shoe.from_values(rng.multivariate_hypergeometric(full.values, cards).tolist())
        values.append(solved(shoe, Fraction(i % (STEPS + 1), STEPS), model, uses_third).value)
    assert max(values) <= 0, model
    used = "used" if uses_third else "ignored"
    return [model, used, f"{SHOES:,}", f"{float(sum(values) / SHOES):.6f}", f"{float(max(values)):.6f}"]


def main() -> None:
    rows = []
    for model in MODELS:
        for uses_third in (False, True):
            for i in range(STEPS + 1):
                found = solved(Shoe.decks(6), Fraction(i, STEPS), model, uses_third)
                rows.append(row(found))
                if 2 * i == STEPS:
                    check_banque(found.certificate, Shoe.decks(6), found.theta, model)
    table = pl.DataFrame(rows, infer_schema_length=None)
    table.write_csv(HERE / "banque.csv")
    uses = pl.when("uses_third").then(pl.lit(", third card used")).otherwise(pl.lit(""))
    drawn = table.with_columns(line=pl.col("model").replace_strict(MODELS) + uses)
    base = drawn.filter(pl.col("line") == MODELS["A2"]).select("theta", base="value")
    drawn = drawn.join(base, on="theta", maintain_order="left").with_columns(
        beyond=pl.col("value") - pl.col("base"),
        first_draws=pl.when(pl.col("theta") > 0).then("first_draws"),  # no draws for a Player without a stake
    )
    panels = {
        "value": "value to the Players",
        "beyond": "beyond that with replacement",
        "first_draws": "the first draws on five",
    }
    (HERE / "banque.svg").write_text(drawing.svg(plots.line_panels(drawn, "theta", panels, "line")))
    lines = []
    for theta in (Fraction(i, STEPS) for i in range(STEPS + 1)):
        at = table.filter(pl.col("theta") == float(theta))
        values = [f"{v:.8f}" for v in at["value"]]
        mine = at.filter((pl.col("model") == "A2") & ~pl.col("uses_third")).row(0, named=True)
        parts = (f"{mine[column]:.4f}" for column in ("first_draws", "second_draws", "alike"))
        lines.append([str(theta), *values, *parts, "yes" if mine["alone"] else "no"])
    head = ["theta", *(f"{name}{used}" for name in MODELS.values() for used in ("", ", used"))]
    put(HERE / "notes.md", [*head, "first draws", "second draws", "alike", "alone"], lines, "theta")
    decks = []
    for d in DECKS:
        shoe = Shoe.decks(d)
        aside, used, first, second = (
            float(banque(shoe, theta, "B2", uses_third=uses_third).value)
            for theta, uses_third in (("1/2", False), ("1/2", True), ("1", False), ("0", False))
        )
        cards = [float(banque_by_hand(shoe, uses_third=uses_third).value) for uses_third in (False, True)]
        alone = float(solve(shoe, "B2").value)
        decks.append(
            [
                str(d),
                *(f"{v:.8f}" for v in (aside, used, *cards, first, alone)),
                f"{first - alone:.2g}",
                f"{second - alone:.2g}",
            ]
        )
    head = [
        "decks",
        "equal stakes",
        "third card used",
        "two cards",
        "two cards, used",
        "theta 1",
        "chemin de fer",
        "theta 1 less chemin de fer",
        "theta 0 less chemin de fer",
    ]
    put(HERE / "notes.md", head, decks, "decks")
    head = ["model", "third card", "shoes", "mean value", "largest value"]
    lines = [at_random(model, uses_third) for model in ("B1", "B2", "B3") for uses_third in (False, True)]
    put(HERE / "notes.md", head, lines, "random")


if __name__ == "__main__":
    main()
