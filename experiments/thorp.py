"""When do bets turn positive, by unseen cards, with no sampling error: a census of 6 to 40 cards of eight bets.

Writes `thorp.csv`, the table of `thorp.md` and `figures/thorp.svg`; three minutes on two cores.

    python experiments/thorp.py
"""

from __future__ import annotations

from pathlib import Path

import polars as pl
from markdown import put

from counting import census, plots

HERE = Path(__file__).parent
CARDS = range(6, 41)
BETS = {
    "Player": ("punto-banco", "player"),
    "Banker, 5%": ("punto-banco", "banker-5"),
    "Tie, 8 to 1": ("punto-banco", "tie-8"),
    "Tie, 9 to 1": ("punto-banco", "tie-9"),
    "7-7, 40 to 1": ("louisiana", "seven-seven-40"),
    "7-7, 45 to 1": ("louisiana", "seven-seven-45"),
    "Dragon 7": ("punto-banco", "dragon-7"),
    "Panda 8": ("punto-banco", "panda-8"),
}


def main() -> None:
    found = pl.concat(
        [
            census(game, bet, CARDS).select(pl.lit(title).alias("title"), pl.lit(bet).alias("bet"), pl.all())
            for title, (game, bet) in BETS.items()
        ]
    )
    found.write_csv(HERE / "thorp.csv")
    wide = found.pivot("title", index="cards_left", values="p_positive")
    put(
        HERE / "thorp.md",
        ["cards left", *BETS],
        [[str(row[0]), *(f"{p:.6f}" for p in row[1:])] for row in wide.rows()],
    )
    shares = found.select("bet", "cards_left", pl.col("p_positive").alias("positive_share"))
    names = {bet: title for title, (_, bet) in BETS.items()}
    (HERE / "figures" / "thorp.svg").write_text(plots.svg(plots.single(plots.positive_share, shares, [*names], names)))


if __name__ == "__main__":
    main()
