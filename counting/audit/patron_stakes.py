"""Who staked what: each patron's stakes on a bet, at every coup of the shoes he bet in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.audit.log import COUP_KEY, Log
from counting.audit.unseen_cards import Unseen
from counting.games import Game

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Staked(NamedTuple):
    """A patron's stakes on a bet: over all coups of the shoes he bet in, by row of the log's coups.

    `won` is what he won in fact, None where some result is not logged.
    """

    patron: str
    bet: str
    rows: Ints
    stakes: Floats
    won: float | None


def stakes_of(log: Log, unseen: Unseen, game: Game) -> Iterator[Staked]:
    """Each patron and bet of the game's or the catalog's that he made, in the order in which they first appear."""
    row_of = log.coups.select(COUP_KEY).with_row_index("row")
    names = {name: game.main_bet(name) for name in log.bets["bet"].unique(maintain_order=True)}
    known = {name: bet for name, bet in names.items() if bet in game.bet_names}
    placed = (
        log.bets.filter(pl.col("bet").is_in(list(known)))
        .with_columns(pl.col("bet").cast(pl.String).replace(known))
        .join(row_of, on=COUP_KEY, how="inner", maintain_order="left")
    )
    for (patron,), his in placed.group_by("patron", maintain_order=True):
        row = his["row"].to_numpy().astype(np.int64)
        shoes = np.unique(unseen.shoe[row])
        rows = np.concatenate([np.arange(a, b) for a, b in zip(unseen.start[shoes], unseen.end[shoes], strict=True)])
        for (bet,), bets in his.group_by("bet", maintain_order=True):
            place = np.searchsorted(rows, bets["row"].to_numpy())
            stakes: Floats = np.bincount(place, bets["amount"].to_numpy() / 100, len(rows)).astype(float)
            won = None if bets["won"].null_count() else float(bets["won"].sum()) / 100
            yield Staked(str(patron), str(bet), rows, stakes, won)
