"""How much of a log was read: above what share unread there is no verdict."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from counting.errors import InputError
from counting.logfiles import GONE
from counting.logs import NO_CARD, UNREAD, Log, card_codes
from counting.rules import Game
from counting.unseen import Unseen

ALLOWED = 0.01
_SAME = "the same as line"  # a line that was read before is not lost


class Part(NamedTuple):
    """A part of a log: so many of them, in words, and how many of those the audit cannot go by."""

    what: str
    unread: int
    of: int

    @property
    def share(self) -> float:
        return self.unread / self.of if self.of else float(self.unread > 0)


def parts(log: Log, unseen: Unseen, game: Game) -> list[Part]:
    """What was to be read of a log, and what was not.

    A card not read; a coup whose line was skipped or whose number is missing in its shoe; a coup before which more of a
    card had been seen than the shoe has; a bet whose line was skipped, or of a name that neither the game nor the
    catalog has; a result or winner that could not be read.
    """
    codes = card_codes(log.coups)
    more = log.coups["more"].drop_nulls().explode()
    cards = int((codes != NO_CARD).sum()) + len(more.drop_nulls())
    coups, bets = log.coups.height, log.bets.height
    lost = max(unseen.missing, skipped(log, "coups"))
    gone, unknown = skipped(log, "bets"), _unknown(log, game)
    impossible = int((unseen.values < 0).any(axis=1).sum())
    return [
        Part("cards", int((codes == UNREAD).sum()) + int((more == UNREAD).sum()), cards),
        Part("coups", lost, coups + lost),
        Part(f"coups, given what {unseen.decks} decks have", impossible, coups),
        Part("bets", gone + unknown, bets + gone),
        Part("results of bets", _remarked(log, "won"), bets),
        Part("winners", _remarked(log, "winner"), coups),
    ]


def too_much(read: list[Part], allowed: float) -> list[Part]:
    """The parts of which a larger share is unread than allowed, whatever that is where no coup was read."""
    nothing = any(part.what == "coups" and part.unread == part.of for part in read)
    if nothing:
        return [part for part in read if part.unread or part.what == "coups"]
    return [part for part in read if part.share > allowed]


def skipped(log: Log, file: str) -> int:
    """How many lines of a file, coups or bets, were skipped."""
    gone = log.remarks.filter(
        pl.col("file") == file, pl.col("reason").str.ends_with(GONE), ~pl.col("reason").str.starts_with(_SAME)
    )
    return gone["line"].n_unique()


def _remarked(log: Log, column: str) -> int:
    read = log.remarks.filter(pl.col("column") == column, pl.col("reason").str.contains("not logged"))
    return read["line"].n_unique()


def _unknown(log: Log, game: Game) -> int:
    """Bets whose names are not known."""
    counted = log.bets["bet"].value_counts(name="number")
    known = {game.main_bet(bet) for bet in counted["bet"]} & set(game.bet_names)
    return sum(number for bet, number in counted.rows() if game.main_bet(bet) not in known)


def allowed_share(share: float) -> float:
    """The share of cards, coups or bets that may be unread, or an `InputError`."""
    if not (isinstance(share, int | float) and np.isfinite(share) and 0 <= share <= 1):
        raise InputError(f"--allow-unread: {share}, should be a share from 0 to 1, as 0.05")
    return float(share)
