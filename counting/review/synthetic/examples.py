"""The logs that come with the toolkit: a table with three patrons of known habits, and the results of two tables."""

from __future__ import annotations

import numpy as np
import polars as pl

from counting.games import load_game
from counting.review.synthetic.dealt_table import deal
from counting.review.synthetic.log_of_table import log_frames
from counting.review.synthetic.patrons import Counter, Flat, Visitor
from counting.simulation import Dealing, play
from counting.systems import load_system

_SEED = 7


def example_log() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The coups and the bets, as in `log_frames`, of 30 shoes of EZ Baccarat.

    The value of the first card sets the number of burned cards, and 14 cards are behind the cut card. Three patrons
    bet:

    - P-1 bets 100 on Player in every coup.
    - P-2 bets 25 on the Dragon 7 from the fiftieth coup of a shoe on.
    - P-3 counts, and bets 100 on the Dragon 7 whenever the published count is at its trigger or above."""
    game = load_game("ez-baccarat")
    table = deal(game, Dealing(cut=14, burn="first-card"), _SEED, first_shoe=0, shoes=30)
    patrons = {
        "P-1": Flat("player", 100),
        "P-2": Visitor("dragon-7", 25, first=50),
        "P-3": Counter("dragon-7", 100, load_system("dragon-7")),
    }
    return log_frames(table, patrons, game, _SEED)


def example_results() -> pl.DataFrame:
    """The results of 60 shoes of punto banco at two tables, as a board shows them.

    The columns are table, shoe, coup, dealer, time, winner, player_pair and banker_pair. Four dealers take turns of
    twenty minutes. D-3 enters a tie as a win for Player with a chance of 60%."""
    coups = play(load_game("punto-banco").tableau, Dealing(cut=14, burn="first-card"), _SEED, 0, 60)
    shown, number, coup = coups.shown, coups.shoe.astype(np.int64), coups.coup.astype(np.int64)
    table, shoe = number % 2, number // 2
    minutes = 12 * 60 + shoe * 75 + coup * 60 // 70
    dealer = (minutes // 20 + table) % 4 + 1
    names = np.array(["tie", "player", "banker"])
    won = np.sign(shown[:, 0].astype(np.int64) - shown[:, 1])
    entered = np.where((won == 0) & (dealer == 3) & (np.random.default_rng(_SEED).random(len(won)) < 0.6), 1, won)
    return pl.DataFrame({
        "table": [f"B-{at + 1}" for at in table], "shoe": shoe + 1, "coup": coup,
        "dealer": [f"D-{at}" for at in dealer], "time": [f"{at // 60 % 24:02}:{at % 60:02}" for at in minutes.tolist()],
        "winner": names[entered], "player_pair": shown[:, 4] & 1, "banker_pair": shown[:, 4] >> 2 & 1,
    })  # fmt: skip
