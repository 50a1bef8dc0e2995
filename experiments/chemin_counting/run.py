"""Counting at chemin de fer: what each side gains by playing best for the cards left, for several numbers of cards.

Shoes are cards drawn at random from six decks, in model B3. The other side plays best for the full shoe. For each
number of cards, the results are the mean gain of a counter, how often the bank has an edge after commission, and how
much a side wins if it may pass. Writes `chemin-counting.csv`, `chemin-counting-cells.csv`, a figure and the tables of
`notes.md`.

    python -m experiments.chemin_counting.run
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe
from counting.chemin import adjusted, solve
from counting.reports import drawing
from counting.reports.chemin import banker_cell, player_cell
from experiments import _plots
from experiments._notes import put, put_frame

HERE = Path(__file__).parent
DECKS, SEED, SHOES = 6, 2028, 2000
LEFT = (260, 208, 156, 104, 78, 52, 39, 26, 20, 13, 10)
COMMISSION = Fraction(1, 20)
SHOWN, CELLS = (104, 52, 26), 16


def of_cards(cards: int, moved: list[dict[str, object]]) -> dict[str, float]:
    """Means over random shoes of `cards` cards, in percent of the stake. Also adds rows to `moved` on how each cell is
    played in these shoes."""
    rng, full = np.random.default_rng([SEED, cards]), solve(Shoe.decks(DECKS))
    draws = rng.multivariate_hypergeometric(Shoe.decks(DECKS).values, cards, SHOES)
    rows: list[list[float]] = []
    plays: dict[str, list[float]] = {}  # for each cell: the probabilities of drawing, less the full shoe's probability
    for counts in draws.tolist():
        shoe = Shoe.from_values(counts)
        found, best = adjusted(shoe, full, COMMISSION), solve(shoe)
        for side, mine, theirs, name in (
            ("Player", best.player, full.player, player_cell), ("Banker", best.banker, full.banker, banker_cell),
        ):  # fmt: skip
            for cell, p in mine.items():
                plays.setdefault(f"{side} {name(cell)}", []).append(float(p - theirs[cell]))
        same = sum(p == full.banker.get(cell) for cell, p in best.banker.items()) / max(len(best.banker), 1)
        rows.append(
            [
                float(found.value), float(found.player - found.value), float(found.value - found.banker),
                float(max(found.player, Fraction())),
                *(part for bank in (found.bank, found.bank_counts) for part in (float(bank > 0), float(max(bank, 0)))),
                1 - same,
            ]
        )  # fmt: skip
    for cell, changes in plays.items():
        if len(changes) >= SHOES // 2:
            change = np.array(changes)
            moved.append({"cards_left": cards, "cell": cell, "mean": change.mean(), "share": (change != 0).mean()})
    table = 100 * np.array(rows)
    mean, error = table.mean(axis=0), table.std(axis=0, ddof=1) / SHOES**0.5
    names = (
        "value",
        "player_gains",
        "banker_gains",
        "player_chooses",
        "bank_positive",
        "bank_chooses",
        "counting_bank_positive",
        "counting_bank_chooses",
        "cells_changed",
    )
    found_means = dict(zip(names, mean.tolist(), strict=True))
    return {"cards_left": cards, **found_means, **{f"{n}_se": e for n, e in zip(names, error.tolist(), strict=True)}}


def main() -> None:
    moved: list[dict[str, object]] = []
    table = pl.DataFrame([of_cards(cards, moved) for cards in LEFT])
    cells = pl.DataFrame(moved)
    cells.write_csv(HERE / "chemin-counting-cells.csv", float_precision=4)
    most = cells.filter(pl.col("cards_left") == SHOWN[0]).top_k(CELLS, by="share")["cell"].to_list()
    wide = cells.filter(pl.col("cell").is_in(most)).pivot("cards_left", index="cell", values=["share", "mean"])
    lines = [
        [row["cell"], *(f"{100 * row[f'share_{n}']:.0f}% ({row[f'mean_{n}']:+.2f})" for n in SHOWN)]
        for row in sorted(wide.to_dicts(), key=lambda row: -row[f"share_{SHOWN[0]}"])
    ]
    put(HERE / "notes.md", ["cell", *(f"{n} cards" for n in SHOWN)], lines, "cells")
    table.write_csv(HERE / "chemin-counting.csv", float_precision=6)
    figure = drawing.single(_plots.adjusting, table, size=(9, 4))
    (HERE / "chemin-counting.svg").write_text(drawing.svg(figure))
    how = {
        "cards left": "{cards_left}",
        "Player gains by counting, %": "{player_gains:.3f} ± {player_gains_se:.3f}",
        "Banker gains by counting, %": "{banker_gains:.3f} ± {banker_gains_se:.3f}",
        "a Player who counts and may pass wins, %": "{player_chooses:.3f} ± {player_chooses_se:.3f}",
        "a bank that does not count has an edge, % of shoes": "{bank_positive:.2f} ± {bank_positive_se:.2f}",
        "and wins if it may pass, %": "{bank_chooses:.3f} ± {bank_chooses_se:.3f}",
        "a bank that counts has an edge, % of shoes": "{counting_bank_positive:.2f} ± {counting_bank_positive_se:.2f}",
        "and this bank wins if it may pass, %": "{counting_bank_chooses:.3f} ± {counting_bank_chooses_se:.3f}",
        "Banker's cells played differently, %": "{cells_changed:.1f}",
    }
    put_frame(HERE / "notes.md", how, table)


if __name__ == "__main__":
    main()
