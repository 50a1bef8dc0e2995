"""How often a bank that pays 5% commission has an edge in equilibrium if both sides count: a lower and an upper bound.

The lower bound is how often the bank is sure of an edge (`counting.chemin.least_bank_profit`). The upper bound is how
often the largest profit in any equilibrium (`counting.chemin.most_bank_profit`) is above 0. Both are for cards left of
six decks. Up to LAST cards, they are exact over all compositions; for more cards, they are from random shoes. Writes
`equilibria.csv` and a table of `notes.md`. Up to 12 cards take about ten minutes.

    python -m experiments.chemin_law.equilibria [LAST]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from math import comb, prod
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe
from counting.cards import COUP
from counting.chemin import least_bank_profit, most_bank_profit
from experiments._notes import put

HERE = Path(__file__).parent
DECKS, COMMISSION, SEED, SHOES = 6, Fraction(1, 20), 2031, 10_000
BEYOND = (16, 20, 26)


def compositions(cards: int, values: int = 10) -> Iterator[tuple[int, ...]]:
    if values == 1:
        yield (cards,)
        return
    for n in range(cards + 1):
        yield from ((n, *rest) for rest in compositions(cards - n, values - 1))


def edges(counts: tuple[int, ...]) -> tuple[bool, bool, Fraction]:
    """Whether the bank is sure of an edge, whether it may have an edge in equilibrium, and the difference of the two
    bounds on its profit."""
    shoe = Shoe.from_values(counts)
    sure, most = least_bank_profit(shoe, COMMISSION), most_bank_profit(shoe, COMMISSION)
    return sure > 0, most > 0, most - sure


def exact(cards: int) -> dict[str, object]:
    """Means over all compositions, weighted by their probabilities."""
    deck = Shoe.decks(DECKS).values
    sums = [Fraction(0)] * 3
    for counts in compositions(cards):
        ways = prod(comb(there, n) for there, n in zip(deck, counts, strict=True))
        sums = [total + ways * part for total, part in zip(sums, edges(counts), strict=True)]
    least, most, beyond = (float(total / comb(sum(deck), cards)) for total in sums)
    return {
        "cards_left": cards,
        "shoes": comb(cards + 9, 9),
        "exact": True,
        "least": least,
        "most": most,
        "gap": beyond,
    }


def sampled(cards: int) -> dict[str, object]:
    """The same means from random shoes."""
    rng = np.random.default_rng([SEED, cards])
    drawn = rng.multivariate_hypergeometric(Shoe.decks(DECKS).values, cards, SHOES).tolist()
    least, most, beyond = np.array([list(map(float, edges(tuple(counts)))) for counts in drawn]).mean(axis=0)
    return {"cards_left": cards, "shoes": SHOES, "exact": False, "least": least, "most": most, "gap": beyond}


def main() -> None:
    last = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    rows = [*(exact(cards) for cards in range(COUP, last + 1)), *(sampled(cards) for cards in BEYOND)]
    pl.DataFrame(rows).write_csv(HERE / "equilibria.csv", float_precision=10)
    lines = []
    for row in rows:
        shares = [100 * float(str(row[name])) for name in ("least", "most")]
        errors = ["" if row["exact"] else f" ± {(p * (100 - p) / SHOES) ** 0.5:.2f}" for p in shares]
        digits = 4 if row["exact"] else 2
        lines.append(
            [
                str(row["cards_left"]),
                f"{row['shoes']:,}",
                *(f"{p:.{digits}f}{error}" for p, error in zip(shares, errors, strict=True)),
                f"{100 * float(str(row['gap'])):.4f}",
            ]
        )
    head = ["cards left", "shoes", "an edge in every equilibrium, at least, %", "in some equilibrium, at most, %"]
    head.append("distance of the bounds, %")
    put(HERE / "notes.md", head, lines, "equilibria")


if __name__ == "__main__":
    main()
