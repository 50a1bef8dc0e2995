"""Each patron's stakes on a bet, at every coup of the shoes that they bet in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from counting.arrays import Floats, Ints
from counting.audit.unseen_cards import UnseenCards
from counting.games import Game
from counting.logs import Log, coup_rows


class PatronStakes(NamedTuple):
    """A patron's stakes on a bet: over all coups of the shoes that they bet in, by row of the log's coups.

    `won` is the actual win, None if some result is not logged.
    """

    patron: str
    bet: str
    rows: Ints
    stakes: Floats
    won: float | None


def stakes_of(log: Log, unseen: UnseenCards, game: Game) -> Iterator[PatronStakes]:
    """The stakes of each patron on each bet of the game or the catalog, in the order in which they first appear."""
    row = coup_rows(log.bets, log.coups)
    names = {name: game.main_bet(name) for name in log.bets["bet"].unique(maintain_order=True)}
    known = {name: bet for name, bet in names.items() if bet in game.bet_names}
    placed = (
        log.bets.with_columns(row=row)
        .filter(pl.col("bet").is_in(list(known)), pl.col("row") >= 0)
        .with_columns(pl.col("bet").cast(pl.String).replace(known))
    )
    for (patron,), of_patron in placed.group_by("patron", maintain_order=True):
        shoes = np.unique(unseen.shoe[of_patron["row"].to_numpy()])
        rows = np.concatenate([np.arange(a, b) for a, b in zip(unseen.start[shoes], unseen.end[shoes], strict=True)])
        for (bet,), bets in of_patron.group_by("bet", maintain_order=True):
            place = np.searchsorted(rows, bets["row"].to_numpy())
            stakes: Floats = np.bincount(place, bets["amount"].to_numpy() / 100, len(rows)).astype(float)
            won = None if bets["won"].null_count() else float(bets["won"].sum()) / 100
            yield PatronStakes(str(patron), str(bet), rows, stakes, won)
