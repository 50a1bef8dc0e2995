"""What counting gains at chemin de fer with n cards left of six decks, exact over all compositions.

Every composition of up to LAST cards is solved or bounded (`counting.chemin.census`), and weighted by its probability.
For more cards, random shoes are solved. Writes `law.csv`, `samples.csv`, a figure and the tables of `notes.md`. Numbers
of cards that are in the CSV file already are skipped. The results of a census, by class, are kept in FOLDER. On one
core, this takes a minute for 20 cards, about seven minutes for 26 cards, and half an hour for all numbers up to 26.

    python -m experiments.chemin_law.run FOLDER [LAST]
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import polars as pl
import polars.selectors as cs

from counting import Shoe
from counting.cards import COUP
from counting.chemin import ChosenStakes, adjusted, least_bank_profit, solve
from counting.chemin.census import MOST_CARDS, Kernel, Tallies, gains_of
from counting.reports import drawing
from experiments import _plots
from experiments._notes import put_frame

HERE = Path(__file__).parent
DECKS, COMMISSION, SEED, SHOES = 6, Fraction(1, 20), 2029, 2000
BEYOND = (30, 39, 52, 78, 104, 156, 208)
SIDES = ("player", "bank", "both_player", "both_bank")


def tallies(kernel: Kernel, path: Path) -> Tallies:
    """The results of a census, read from the file `path` or computed and written there."""
    if not path.exists():
        part = path.with_suffix(".part.npz")
        np.savez_compressed(part, **kernel.tallies()._asdict())
        part.rename(path)
    with np.load(path) as kept:
        return Tallies(*(kept[name] for name in Tallies._fields))


def row(one: ChosenStakes) -> dict[str, object]:
    """A row of the CSV file: exact fractions, and means as floats with the width of their bounds."""
    out: dict[str, object] = {
        "cards_left": one.cards_left, "compositions": one.compositions, "solved": float(one.solved)
    }  # fmt: skip
    for side in SIDES:
        of = getattr(one, side)
        out |= {f"{side}_positive": float(of.positive), f"{side}_even": float(of.even)}
        for name, (least, most) in (("mean", of.mean), ("gain", of.gain)):
            out |= {f"{side}_{name}": float((least + most) / 2), f"{side}_{name}_width": float(most - least)}
        out |= {f"{side}_positive_exact": str(of.positive), f"{side}_even_exact": str(of.even)}
    return out


def sampled(cards: int) -> dict[str, float]:
    """A row with the same columns as `row`, from random shoes, with standard errors."""
    rng, full = np.random.default_rng([SEED, cards]), solve(Shoe.decks(DECKS))
    edges = []
    for counts in rng.multivariate_hypergeometric(Shoe.decks(DECKS).values, cards, SHOES).tolist():
        shoe = Shoe.from_values(counts)
        one = adjusted(shoe, full, COMMISSION)
        edges.append(
            list(map(float, (one.player, one.bank_counts, solve(shoe).value, least_bank_profit(shoe, COMMISSION))))
        )
    out: dict[str, float] = {"cards_left": cards}
    for side, edge in zip(SIDES, np.array(edges).T, strict=True):
        for name, of in (("positive", edge > 0), ("mean", edge), ("gain", np.maximum(edge, 0))):
            out |= {f"{side}_{name}": of.mean(), f"{side}_{name}_se": of.std(ddof=1) / SHOES**0.5}
    return out


def main() -> None:
    folder, last = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MOST_CARDS
    folder.mkdir(parents=True, exist_ok=True)
    path, beyond = HERE / "law.csv", HERE / "samples.csv"
    full = solve(Shoe.decks(DECKS))
    rows = pl.read_csv(path).to_dicts() if path.exists() else []
    for cards in range(COUP, last + 1):
        if cards not in {row["cards_left"] for row in rows}:
            kernels = [Kernel(cards, full), Kernel(cards, full, (20, 19))]
            even, charged = (tallies(of, folder / f"{cards}-{of.win}-{of.lose}.npz") for of in kernels)
            rows.append(row(gains_of(full, kernels[0], even, kernels[1], charged)))
            pl.DataFrame(rows).write_csv(path)
    exact = pl.DataFrame(rows)
    if not beyond.exists():
        pl.DataFrame([sampled(cards) for cards in BEYOND]).write_csv(beyond, float_precision=8)
    samples = pl.read_csv(beyond)
    (HERE / "law.svg").write_text(drawing.svg(drawing.single(_plots.edges_by_cards, exact, samples, size=(8, 4.2))))
    shown = exact.with_columns(cs.matches("_(positive|even|mean|gain)$") * 100)
    how = {
        "cards left": "{cards_left}",
        "compositions": "{compositions:,}",
        "Player counts: has an edge, %": "{player_positive:.4f}",
        "wins, %": "{player_gain:.5f}",
        "bank counts: has an edge after 5%, %": "{bank_positive:.4f}",
        "wins, % ": "{bank_gain:.5f}",
    }
    put_frame(HERE / "notes.md", how, shown)
    how = {
        "cards left": "{cards_left}",
        "solved, %": "{solved:.1f}",
        "Player's value, %": "{both_player_mean:.5f}",
        "a fair game, %": "{both_player_even:.6f}",
        "bank sure of an edge after 5%, %": "{both_bank_positive:.4f}",
        "and sure to win, %": "{both_bank_gain:.5f}",
    }
    put_frame(HERE / "notes.md", how, shown.with_columns(pl.col("solved") * 100), "both")
    how = {"cards left": "{cards_left}"}
    how |= {
        f"{text}, %": f"{{{name}:.{digits}f}} ± {{{name}_se:.{digits}f}}"
        for name, text, digits in (
            ("player_positive", "Player counts: has an edge", 2), ("player_gain", "wins", 4),
            ("bank_positive", "bank counts: has an edge after 5%", 2), ("bank_gain", "wins ", 4),
            ("both_player_mean", "Player's value", 4), ("both_bank_positive", "both count: bank sure of an edge", 2),
        )
    }  # fmt: skip
    put_frame(HERE / "notes.md", how, samples.with_columns(pl.exclude("cards_left") * 100), "samples")


if __name__ == "__main__":
    main()
