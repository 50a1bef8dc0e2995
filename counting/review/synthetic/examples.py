"""The log that comes with the toolkit: one table, and three patrons of known habits."""

from __future__ import annotations

import polars as pl

from counting.games import load_game
from counting.review.synthetic.dealt_table import deal
from counting.review.synthetic.log_of_table import log_frames
from counting.review.synthetic.patrons import Counter, Flat, Visitor
from counting.simulation import Dealing
from counting.systems import load_system

_SEED = 7


def example_log() -> tuple[pl.DataFrame, pl.DataFrame]:
    """The coups and the bets, as `log_frames` has them, of 30 shoes of EZ Baccarat: the first card is burned, 14 cards
    are behind the cut card.

    P-1 bets 100 on Player in every coup. P-2 bets 25 on the Dragon 7 from the fiftieth coup of a shoe on. P-3 counts:
    100 on the Dragon 7 whenever the published count is at its trigger or above.
    """
    game = load_game("ez-baccarat")
    table = deal(game, Dealing(cut=14, burn="first-card"), _SEED, first_shoe=0, shoes=30)
    patrons = {
        "P-1": Flat("player", 100),
        "P-2": Visitor("dragon-7", 25, first=50),
        "P-3": Counter("dragon-7", 100, load_system("dragon-7")),
    }
    return log_frames(table, patrons, game, _SEED)
