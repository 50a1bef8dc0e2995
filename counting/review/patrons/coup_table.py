"""A row for every coup of a log: the unseen cards, the edge of every bet, every count, and the stakes of patrons."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from counting.arrays import Floats
from counting.games import Game
from counting.logs import PLACES, Log, card_name, coup_rows
from counting.review.patrons.best_count import Counts
from counting.review.unseen_cards import UnseenCards, unseen_edges

STAKE = pl.Struct({"patron": pl.String, "bet": pl.String, "amount": pl.Float64, "won": pl.Float64,
                   "expected": pl.Float64})  # fmt: skip


def every_coup(log: Log, game: Game, decks: int) -> pl.DataFrame:
    """A row for each coup of a log: its cards, what was known before it, and the stakes on it.

    - `line`, `table`, `shoe` and `coup`: as logged
    - `player` and `banker`: the cards as dealt; `winner`: as logged
    - `cards_left`: the number of unseen cards at the coup's start
    - `left_0` to `left_9`: the number of unseen cards of each value (0 for tens and faces)
    - `edge_` and the name of a bet: the bettor's exact edge for the unseen cards; null if these cards are impossible,
      too few for a coup, or not known well enough. There is a column for each bet of the game and, in an audit, for
      each further bet in the log.
    - `count_` and the name of a count: the running count at the coup's start, for each shipped count of these bets
    - `stakes`: a list of the patrons' stakes, each with `patron`, `bet`, `amount`, `won` (null if not logged) and
      `expected`, the amount times the edge
    - `staked` and `expected`: the sums over this list; a stake without a known edge adds nothing to `expected`"""
    unseen = UnseenCards(log, decks)
    names = [PLACES[:3], PLACES[3:]]
    hands = {
        side: [" ".join(card_name(code) for code in row if code != -1) for row in log.coups.select(places).iter_rows()]
        for side, places in zip(("player", "banker"), names, strict=True)
    }
    values = unseen.values
    known = {bet: unseen_edges(unseen, game, bet) for bet in game.bet_names}
    counts = _counts(unseen, game)
    frame = log.coups.select("line", pl.col("table", "shoe").cast(pl.String), "coup").with_columns(
        **{side: pl.Series(texts, dtype=pl.String) for side, texts in hands.items()},
        winner=log.coups["winner"].cast(pl.String),
        cards_left=pl.Series(unseen.cards, dtype=pl.Int32),
        **{f"left_{value}": pl.Series(values[:, value], dtype=pl.Int32) for value in range(10)},
        **{f"edge_{bet}": pl.Series(edge).fill_nan(None) for bet, edge in known.items()},
        **counts,
    )
    return frame.hstack(_stakes(log, game, known))


def best_shoe(log: Log, unseen: UnseenCards, game: Game, patron: str, bet: str) -> tuple[str, str, pl.DataFrame]:
    """The shoe in which a patron's stakes on a bet had the largest expected win by the exact edge.

    The result is its table, its name, and a row for each of its coups, with `coup`, `edge` and `stake`. An edge that is
    not known is null, and counts as 0 in the expected win."""
    known = unseen_edges(unseen, game, bet)
    own = log.bets.filter(pl.col("patron") == patron)
    own = own.filter(pl.Series([game.main_bet(name) == bet for name in own["bet"].cast(pl.String)], dtype=pl.Boolean))
    row = coup_rows(own, log.coups)
    stake = np.bincount(row[row >= 0], own["amount"].to_numpy()[row >= 0] / 100, log.coups.height)
    worth = np.bincount(unseen.shoe, stake * np.nan_to_num(known), len(unseen.start))
    staked = np.bincount(unseen.shoe, stake, len(unseen.start)) > 0
    best = int(np.where(staked, worth, -np.inf).argmax())
    rows = slice(int(unseen.start[best]), int(unseen.end[best]))
    coups = pl.DataFrame({"coup": log.coups["coup"][rows], "edge": known[rows], "stake": stake[rows]})
    table, shoe = log.coups.select(pl.col("table", "shoe").cast(pl.String)).row(rows.start)
    return table, shoe, coups.with_columns(pl.col("edge").fill_nan(None))


def _counts(unseen: UnseenCards, game: Game) -> dict[str, pl.Series]:
    """The running count of every shipped system for a bet of the game."""
    counts = Counts(unseen)
    systems = {system.name: system for bet in game.bet_names for system in counts.systems_of(bet)}
    return {f"count_{name}": pl.Series(counts.running(system)) for name, system in systems.items()}


def _stakes(log: Log, game: Game, known: Mapping[str, Floats]) -> pl.DataFrame:
    """The stakes on each coup, and their sums."""
    row = log.bet_rows
    bets = log.bets.select(
        pl.col("patron", "bet").cast(pl.String),
        amount=pl.col("amount") / 100,
        won=pl.col("won") / 100,
        row=pl.Series(row, dtype=pl.Int64),
    ).filter(pl.col("row") >= 0)
    main = {name: game.main_bet(name) for name in bets["bet"].unique()}
    bets = bets.with_columns(bet=pl.col("bet").replace(main))
    edge = np.full(bets.height, np.nan)
    for (bet,), of_bet in bets.with_row_index("at").group_by("bet"):
        if bet in known:
            edge[of_bet["at"].to_numpy()] = known[str(bet)][of_bet["row"].to_numpy()]
    bets = bets.with_columns(expected=pl.Series(edge).fill_nan(None) * pl.col("amount"))
    by_coup = bets.group_by("row", maintain_order=True).agg(
        stakes=pl.struct("patron", "bet", "amount", "won", "expected"),
        staked=pl.col("amount").sum(),
        expected=pl.col("expected").sum(),
    )
    every = pl.DataFrame({"row": pl.Series(range(log.coups.height), dtype=pl.Int64)})
    joined = every.join(by_coup, on="row", how="left", maintain_order="left")
    return joined.select(
        pl.col("stakes").cast(pl.List(STAKE)).fill_null([]), pl.col("staked", "expected").fill_null(0.0)
    )
