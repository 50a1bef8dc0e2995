"""Rank all bets by what a perfect counter wins, and compare the win of every count of the library with it, on the same
shoes.

Shoes have 8 decks, a first card burned, and 14 cards behind the cut card. Writes `ranking.csv` and `counts.csv` in this
folder, `ranking.svg`, and the tables of `notes.md` and `own_counts/notes.md`.

    python -m experiments.ranking.run FOLDER [SHOES [BET ...]]

If bets are named, only their counts are played, on the same shoes. Other rows are not changed.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import polars as pl

from counting import Shoe, load_game
from counting.analysis import at_best, score, widened
from counting.exact.hand_counts import hand_counter
from counting.games import Bet, Game, catalog, unfit
from counting.reports import drawing
from counting.reports.bet_facts import moments
from counting.reports.pages import labels
from counting.reports.published import published_gain
from counting.simulation import Dealing
from counting.sweep import Plan, Sweep, run
from counting.systems import PERFECT, library
from experiments import _plots
from experiments._notes import put_frame

HERE = Path(__file__).parent
DECKS, SEED = 8, 404
MOST_WORK = 10_000  # bets with more draws to count per coup are played on a tenth of the shoes


def plans(shoes: int, named: Sequence[str] = ()) -> list[Plan]:
    """The plans: the catalog and the main bets at punto banco, with slow bets in a separate plan; and the 7-7 bets of
    Louisiana Baccarat. If bets are named, the plans have only these."""
    punto, louisiana = load_game("punto-banco"), load_game("louisiana")
    every = [*punto.bet_names, *(name for name, bet in catalog().items() if not unfit(bet, punto.tableau))]
    hands = {bet.name: bet for bet in catalog().values() if bet.shows == "hands"}
    long = [bet for bet in every if bet in hands and work(hands[bet], punto) > MOST_WORK]
    sevens = [name for name in louisiana.bet_names if name.startswith("seven-seven")]
    parts = [(punto, [bet for bet in every if bet not in long], shoes), (punto, long, shoes // 10)]
    wanted = [
        (game, [bet for bet in bets if not named or bet in named], of)
        for game, bets, of in (*parts, (louisiana, sevens, shoes))
    ]
    return [plan(*part) for part in wanted if part[1]]


def work(bet: Bet, game: Game) -> int:
    return hand_counter(bet.conditions, game.tableau).work


def plan(game: Game, bets: list[str], shoes: int) -> Plan:
    systems = tuple(system for system in library() if set(system.bets or ()) & {*bets})
    dealing = Dealing.named("jacobson", DECKS)
    return Plan(game.also(bets), dealing, shoes, SEED, systems, tuple(bets), keep_rows=False, penetration=False)


def rows(sweep: Sweep) -> Iterable[dict[str, Any]]:
    """The rows of a sweep at the best triggers, with facts on the bet and the count."""
    game = sweep.plan.game
    titles, systems = labels(game), {system.name: system for system in sweep.plan.systems}
    full = {bet: moments(game, bet, Shoe.decks(DECKS)) for bet in sweep.plan.bets}
    for row in at_best(score(sweep.ledger)).collect().to_dicts():
        system = systems.get(row["system"])
        yield row | {
            "game": game.name,
            "title": titles[row["bet"]],
            "house_edge": float(-full[row["bet"]][0]),
            "standard_deviation": full[row["bet"]][1],
            "level": system.level if system else None,
            "tags": system.tag_line if system else None,
            "start": str(system.start) if system else None,
            "published": published_gain(system) if system else None,
        }


def main(folder: Path, shoes: int = 300_000, named: Sequence[str] = ()) -> None:
    played = plans(shoes, named)
    found = pl.DataFrame(
        [row for i, made in enumerate(played) for row in rows(widened(run(made, folder / f"{made.game.name}-{i}")))],
        infer_schema_length=None,
    )
    perfect = found.filter(pl.col("system") == PERFECT).sort("units_per_100_coups", "bet", descending=[True, False])
    counts = found.filter(pl.col("system") != PERFECT)
    if named:
        before = pl.read_csv(HERE / "counts.csv", infer_schema_length=None)
        others = before.filter(~pl.col("bet").is_in(named)).with_columns(pl.col("published").fill_null(""))
        counts = pl.concat([others, counts.select(others.columns)], how="vertical_relaxed")
        counts = counts.sort(pl.col("game") == "louisiana", "bet", maintain_order=True)
        perfect = pl.read_csv(HERE / "ranking.csv").select(pl.exclude("rank", "^level_.$"))
    level = pl.col("system").str.extract(r"-level-(\d)$")
    own = counts.select("bet", pl.format("level_{}", level).alias("level"), "captured_share").drop_nulls("level")
    kept = own.pivot("level", index="bet")
    ranking = perfect.with_row_index("rank", 1).join(kept, on="bet", how="left", maintain_order="left")
    of_counts = ("trigger", "best", "captured_share", "level", "tags", "start", "published")
    ranking.drop(of_counts, strict=False).write_csv(HERE / "ranking.csv")
    counts.write_csv(HERE / "counts.csv")
    names = dict(zip(ranking["bet"], ranking["title"], strict=True))
    if not named:  # the figure shows perfect play
        figure = drawing.single(_plots.gain_per_100_coups, ranking, names, size=(9, 0.5 + 0.165 * ranking.height))
        (HERE / "ranking.svg").write_text(drawing.svg(figure))
    levels = [f"level_{level}" for level in (1, 2, 3, 4)]
    shown = ranking.with_columns(
        pl.col("house_edge", "bet_share", "mean_edge") * 100,
        pl.format(" ".join(["{}%"] * 4), *((pl.col(level) * 100).round().cast(int) for level in levels)).alias("kept"),
    ).with_columns(pl.col("kept").fill_null("no count"))
    put_frame(
        HERE / "notes.md",
        {
            "rank": "{rank}",
            "bet": "{title}",
            "house edge": "{house_edge:.3f}%",
            "coups positive": "{bet_share:.2f}%",
            "mean edge there": "{mean_edge:.2f}%",
            "units per 100 coups": "{units_per_100_coups:.4f} ± {units_per_100_coups_se:.4f}",
            "units per shoe": "{units_per_shoe:.4f}",
            "index": "{desirability_index:.2f}",
            "N0": "{n0:,.0f}",
            "share that counts of level 1 to 4 keep": "{kept}",
        },
        shown,
    )
    shown = counts.with_columns(
        pl.col("bet_share", "mean_edge", "captured_share") * 100, pl.col("published").fill_null("")
    )
    put_frame(
        HERE.parent / "own_counts" / "notes.md",
        {
            "bet": "{bet}",
            "count": "{system}",
            "tags A 2 ... 10 J Q K": "{tags}",
            "best trigger": "{trigger:g}",
            "frequency": "{bet_share:.2f}%",
            "average edge": "{mean_edge:.2f}%",
            "units per 100 coups": "{units_per_100_coups:.4f} ± {units_per_100_coups_se:.4f}",
            "units per shoe": "{units_per_shoe:.4f}",
            "share of a perfect counter's gain": "{captured_share:.1f}%",
            "index": "{desirability_index:.2f}",
            "published": "{published}",
        },
        shown.sort("bet", "level", "system"),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:3]), named=sys.argv[3:])
