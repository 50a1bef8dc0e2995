"""Results alone: what can be judged in a log that records winners but no cards."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from counting.cards import MOST_DECKS
from counting.errors import whole
from counting.games import Game, as_game
from counting.games.conditions import WINNERS
from counting.logs import NO_CARD, PLACES, UNREAD, Log
from counting.review.chances import full_shoe, winner_chances
from counting.review.significance import chi_squared_tail

_HANDS = ("player", "banker", "cards", *PLACES)


class Results(NamedTuple):
    """A test of the recorded winners, without any cards.

    - `number`: how often each winner came
    - `expected`: how often each winner comes on average, by the chances of the first coup of a full shoe. Every coup
      that a shoe is sure to reach has the same chances
    - `p`: the approximate chance of results at least this far from the expected numbers, by chi-squared with two
      degrees of freedom
    - `payouts`: the number of payouts that the winner settles; `wrong`: how many of these are wrong"""

    number: Mapping[str, int]
    expected: Mapping[str, float]
    p: float
    payouts: int
    wrong: int


def results_alone(log: Log, game: Game | str | Path, decks: int) -> Results | None:
    """The results of a log without cards.

    None if a card was read, if no winner was read, or if hands are written in a way that could not be read. Raises
    `InputError` for an unknown game, and for a number of decks out of range."""
    game, decks = as_game(game), whole(decks, "decks", 1, MOST_DECKS)
    winners = log.coups["winner"].cast(pl.String).drop_nulls()
    codes = log.coups.select(PLACES).to_numpy()
    hands = log.remarks.filter(pl.col("file") == "coups", pl.col("column").is_in(_HANDS))
    if not len(winners) or hands.height or not np.isin(codes, (UNREAD, NO_CARD)).all():
        return None
    chances = winner_chances(game.tableau, full_shoe(decks))
    number = {winner: int((winners == winner).sum()) for winner in WINNERS}
    expected = {winner: float(len(winners) * chances[winner]) for winner in WINNERS}
    off = sum((number[winner] - expected[winner]) ** 2 / expected[winner] for winner in WINNERS)
    return Results(number, expected, chi_squared_tail(off, len(WINNERS) - 1), *_payouts(log, game))


def _payouts(log: Log, game: Game) -> tuple[int, int]:
    """How many payouts the winner alone settles, and how many of these are wrong by a hundredth or more."""
    placed = log.bet_rows >= 0
    bets = log.bets.filter(pl.Series(placed))
    bets = bets.with_columns(winner=log.coups["winner"].cast(pl.String).gather(log.bet_rows[placed]))
    judged = wrong = 0
    for (name, winner), rows in bets.drop_nulls(["winner", "won"]).group_by("bet", "winner", maintain_order=True):
        own = game.main_bet(str(name))
        if own not in game.bet_names:
            continue
        pays = game.bet(own).may_pay(game.tableau.by_winner[str(winner)])
        if len(pays) == 1:
            pay = pays.pop()
            off = pl.col("won") * pay.denominator - pl.col("amount") * pay.numerator
            judged += rows.height
            wrong += rows.filter(off.abs() >= pay.denominator).height
    return judged, wrong
