"""Counting at chemin de fer: what each side gains by playing to the cards that are left, by their number.

Random cards left of six decks, model B3; the other side plays the full shoe's optimum. For each number of cards the
mean of what a counter gains, how often the bank has an edge after commission, and what one gains who may pass. Writes
`chemin-counting.csv`, its figure and the table of `chemin-counting.md`.

    python experiments/chemin_counting.py
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
from markdown import put_frame

from counting import Shoe, plots
from counting.chemin import adjusted, solve

HERE = Path(__file__).parent
DECKS, SEED, SHOES = 6, 2028, 2000
LEFT = (260, 208, 156, 104, 78, 52, 39, 26, 20, 13, 10)
COMMISSION = Fraction(1, 20)


def of_cards(cards: int) -> dict[str, float]:
    """Means over random shoes of so many cards, in percent of the stake."""
    rng, full = np.random.default_rng([SEED, cards]), solve(Shoe.decks(DECKS))
    draws = rng.multivariate_hypergeometric(Shoe.decks(DECKS).values, cards, SHOES)
    rows = []
    for counts in draws.tolist():
        shoe = Shoe.from_values(counts)
        found, best = adjusted(shoe, full), solve(shoe)
        bank = found.to_banker(COMMISSION)
        same = sum(p == full.banker.get(cell) for cell, p in best.banker.items()) / max(len(best.banker), 1)
        rows.append(
            [
                float(found.value), float(found.player - found.value), float(found.value - found.banker),
                float(max(found.player, Fraction())), float(bank > 0), float(max(bank, Fraction())), 1 - same,
            ]
        )  # fmt: skip
    table = 100 * np.array(rows)
    mean, error = table.mean(axis=0), table.std(axis=0, ddof=1) / SHOES**0.5
    names = (
        "value",
        "player_gains",
        "banker_gains",
        "player_chooses",
        "bank_positive",
        "bank_chooses",
        "cells_changed",
    )
    found_means = dict(zip(names, mean.tolist(), strict=True))
    return {"cards_left": cards, **found_means, **{f"{n}_se": e for n, e in zip(names, error.tolist(), strict=True)}}


def main() -> None:
    table = pl.DataFrame([of_cards(cards) for cards in LEFT])
    table.write_csv(HERE / "chemin-counting.csv", float_precision=6)
    figure = plots.single(plots.adjusting, table, size=(9, 4))
    (HERE / "figures" / "chemin-counting.svg").write_text(plots.svg(figure))
    how = {
        "cards left": "{cards_left}",
        "Player gains, %": "{player_gains:.3f} ± {player_gains_se:.3f}",
        "Banker gains, %": "{banker_gains:.3f} ± {banker_gains_se:.3f}",
        "a Player who may pass, %": "{player_chooses:.3f} ± {player_chooses_se:.3f}",
        "the bank has an edge after 5%, % of shoes": "{bank_positive:.1f} ± {bank_positive_se:.1f}",
        "a bank that may pass, %": "{bank_chooses:.3f} ± {bank_chooses_se:.3f}",
        "Banker's cells played otherwise, %": "{cells_changed:.1f}",
    }
    put_frame(HERE / "chemin-counting.md", how, table)


if __name__ == "__main__":
    main()
