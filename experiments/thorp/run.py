"""With how many unseen cards do the edges of bets turn positive? Up to 52 cards, a census of every composition answers
this; for more cards, whole shoes are dealt.

There are eight bets and 8 decks. Writes `thorp.csv` (the census), `thorp-shoes.csv` (the coups of the shoes, by unseen
cards), `thorp-bets.csv` (a row for each bet), the tables of `notes.md` and `thorp.svg`. The shoes take two minutes on
two cores. The census takes half an hour, and is then kept in the cache (COUNTING_CACHE).

    python -m experiments.thorp.run FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from counting import load_game
from counting.analysis import by_bet, by_cards_left
from counting.exact import census
from counting.reports import drawing
from counting.simulation import Dealing
from counting.sweep import Plan, run
from experiments import _plots
from experiments._notes import put_frame

HERE = Path(__file__).parent
CARDS = range(6, 53)
LAST, CUT, FULL = 20, 14, 8 * 52
DEALING = Dealing(decks=8, cut=0, after_cut=(0, 0))  # a shoe is dealt until fewer than six cards are left
SEED, SHOES = 38, 2_000_000
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
TITLES = {bet: title for title, (_, bet) in BETS.items()}
Z = 1.96


def exactly() -> pl.DataFrame:
    """The census, with a row for each bet and number of unseen cards."""
    return pl.concat(
        [
            census(game, bet, CARDS).select(pl.lit(title).alias("title"), pl.lit(bet).alias("bet"), pl.all())
            for title, (game, bet) in BETS.items()
        ]
    )


def dealt(folder: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Results of whole shoes at both games, in two frames: a row for each bet and number of unseen cards, and a row for
    each bet."""
    depths, bets = [], []
    for game in dict.fromkeys(game for game, _ in BETS.values()):
        names = tuple(bet for at, bet in BETS.values() if at == game)
        plan = Plan(load_game(game), DEALING, SHOES, SEED, bets=names, keep_rows=False)
        ledger, depth, _ = run(plan, folder / game).tallies
        depths.append(by_cards_left(depth, ledger).collect())
        bets.append(by_bet(ledger).collect())
    positive = (pl.col("positive_share") * pl.col("coups")).round().cast(pl.Int64)
    depth = pl.concat(depths).select(
        "bet", pl.col("cards_left").cast(pl.Int64), "coups", positive.alias("positive_coups"), "positive_share",
        "mean_edge", "mean_positive_edge", "units_per_shoe",
    )  # fmt: skip
    return depth, pl.concat(bets)


def windows(depth: pl.DataFrame) -> pl.DataFrame:
    """The shares of positive coups, for larger numbers of unseen cards than in the census, with 95% limits (E. B.
    Wilson, 1927). Shares from fewer than ten positive coups are left out.

    A coup takes at least four cards, so at most one coup of a shoe begins in a window of four numbers of cards. The
    coups of a window are therefore from different shoes, and independent, as the limits require.
    """
    found, start = [], CARDS[-1] + 1
    while start + 3 <= FULL:
        inside = depth.filter(pl.col("cards_left").is_between(start, start + 3)).group_by("bet")
        found.append(inside.agg(pl.lit(start + 1.5).alias("cards_left"), pl.col("coups", "positive_coups").sum()))
        start = round(1.1 * start)
    n, x = pl.col("coups"), pl.col("positive_coups")
    middle, half = (x + Z**2 / 2) / (n + Z**2), Z * (x * (n - x) / n + Z**2 / 4).sqrt() / (n + Z**2)
    return (
        pl.concat(found)
        .sort("bet", "cards_left")
        .filter((x >= 10).cast(int).cum_min().over("bet") == 1)
        .with_columns((x / n).alias("positive_share"), (middle - half).alias("low"), (middle + half).alias("high"))
    )


def of_bets(exact: pl.DataFrame, depth: pl.DataFrame, bets: pl.DataFrame) -> pl.DataFrame:
    """A row for each bet: how rare and how late its positive coups are, what they are worth in the dealt shoes, and how
    far coups that begin with n cards left differ from n random cards in the census."""
    coups, x, gain, n = (pl.col(name) for name in ("coups", "positive_coups", "units_per_shoe", "cards_left"))
    late = n <= LAST
    in_shoes = depth.group_by("bet").agg(
        n.filter(x > 0).max().alias("most_cards_left"),
        n.sort().filter(x.sort_by(n).cum_sum() >= 0.95 * x.sum()).first().alias("cards_left_95"),
        (x.filter(late).sum() / x.sum()).alias("late_positive_share"),
        (gain.filter(late).sum() / gain.sum()).alias("late_gain_share"),
        ((pl.col("mean_positive_edge") * x).filter(~late).sum() / x.filter(~late).sum()).alias("mean_early_edge"),
        gain.filter(n >= CUT).sum().alias("units_per_shoe_cut_14"),
    )
    p, z = pl.col("p_positive"), pl.col("z")
    random = (
        depth.join(exact.select("bet", "cards_left", "p_positive", "mean_positive_part"), on=["bet", "cards_left"])
        .with_columns((pl.col("positive_share") - p).alias("difference"))
        .with_columns((pl.col("difference") / (p * (1 - p) / coups).sqrt()).alias("z"))
        .group_by("bet")
        .agg(
            pl.col("difference", "cards_left", "z").sort_by(pl.col("difference").abs()).last(),
            (z**2).sum().alias("chi_square"),
            (gain.sum() / (coups / SHOES * pl.col("mean_positive_part")).sum()).alias("gain_ratio"),
        )
        .rename({"cards_left": "at"})
    )
    return (
        pl.DataFrame({"bet": [*TITLES], "title": [*TITLES.values()]})
        .join(bets.drop("cut"), on="bet", maintain_order="left")
        .join(in_shoes, on="bet", maintain_order="left")
        .join(random, on="bet", maintain_order="left")
    )


def main(folder: Path) -> None:
    exact = exactly()
    depth, bets = dealt(folder)
    found = of_bets(exact, depth, bets)
    exact.write_csv(HERE / "thorp.csv")
    depth.write_csv(HERE / "thorp-shoes.csv", float_precision=9)
    found.write_csv(HERE / "thorp-bets.csv")
    put_frame(
        HERE / "notes.md",
        {
            "bet": "{title}",
            "positive coups": "{positive_share:.3%}",
            "their mean edge": "{mean_positive_edge:.2%}",
            "share in the last 20 cards": "{late_positive_share:.1%}",
            "share of the gain there": "{late_gain_share:.1%}",
            "95% are in the last": "{cards_left_95}",
            "mean edge before the last 20": "{mean_early_edge:.2%}",
            "first seen with": "{most_cards_left}",
            "units per shoe": "{units_per_shoe:.5f} ± {units_per_shoe_se:.5f}",
            "14 cards cut off": "{units_per_shoe_cut_14:.5f}",
        },
        found,
        "bets",
    )
    put_frame(
        HERE / "notes.md",
        {
            "bet": "{title}",
            "largest difference of the share": "{difference:+.2%}",
            "with": "{at} cards",
            "in standard errors": "{z:+.1f}",
            "chi-square of 47": "{chi_square:.0f}",
            "gain, coups over census": "{gain_ratio:.4f}",
        },
        found,
        "difference",
    )
    wide = exact.pivot("title", index="cards_left", values="p_positive")
    put_frame(
        HERE / "notes.md",
        {"cards left": "{cards_left}"} | {title: f"{{{title}:.6f}}" for title in BETS},
        wide,
        "census",
    )
    figure = drawing.single(_plots.turning_positive, exact, windows(depth), TITLES, LAST, size=(9, 5))
    (HERE / "thorp.svg").write_text(drawing.svg(figure))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
