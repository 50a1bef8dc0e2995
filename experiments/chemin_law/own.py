"""A hand of your own at Louisiana Baccarat with n cards left of 8 decks, exact over all compositions.

The results are how often a bet on Player has an edge, and what it wins if it is made only then. The bet is on the
table's hand, or on a hand of your own, which is played best by its cards or by its total. Writes `own.csv` and a table
of `notes.md`. Numbers of cards that are in the file already are skipped.

    python -m experiments.chemin_law.own [LAST]
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from counting import load_game
from counting.cards import COUP
from counting.exact import own_hand_gains
from experiments._notes import put_frame

HERE = Path(__file__).parent
GAME, DECKS, LAST = load_game("louisiana"), 8, 16
SHOWN = {"table": "the table's hand", "total": "own hand, by its total", "hand": "own hand, by its cards"}


def law(cards: int) -> list[dict[str, object]]:
    """The results for a number of cards left, with a row for each kind of hand."""
    return [
        {
            "cards_left": cards,
            "bet": of.on,
            **{name: float(getattr(of, name)) for name in ("positive", "mean", "gain")},
            **{f"{name}_exact": str(getattr(of, name)) for name in ("positive", "mean", "gain")},
        }
        for of in own_hand_gains(GAME, cards, DECKS)
    ]


def main() -> None:
    path = HERE / "own.csv"
    rows = pl.read_csv(path).to_dicts() if path.exists() else []
    for cards in range(COUP, int(sys.argv[1]) + 1 if len(sys.argv) > 1 else LAST + 1):
        if cards not in {row["cards_left"] for row in rows}:
            rows += law(cards)
            pl.DataFrame(rows).write_csv(path)
    table = pl.DataFrame(rows).pivot("bet", index="cards_left", values=["positive", "gain"])
    shown = table.with_columns(pl.exclude("cards_left") * 100).filter(pl.col("cards_left") % 2 == 0)
    how = {"cards left": "{cards_left}"}
    how |= {f"{name}: has an edge, %": f"{{positive_{kind}:.3f}}" for kind, name in SHOWN.items()}
    how |= {f"{name}: wins, %": f"{{gain_{kind}:.4f}}" for kind, name in SHOWN.items()}
    put_frame(HERE / "notes.md", how, shown, "own")


if __name__ == "__main__":
    main()
