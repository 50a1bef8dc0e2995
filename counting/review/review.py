"""The audit of a logged table: patrons whose bets follow the edge or show knowledge of the coming cards, and dealing
and payment errors.

The edge of every bet is exact for the cards that are still unseen before the coup (`unseen_cards`). Patrons are tested
in `patrons`, dealing and paying in `dealer_errors`. If too little of a log was read, there is no verdict
(`coverage`)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import polars as pl

from counting.cards import MOST_DECKS
from counting.errors import InputError, instance, whole
from counting.games import Game, as_game
from counting.logs import Log
from counting.review.coverage import ALLOWED, LogPart, allowed_share, parts, too_much
from counting.review.dealing.dealer_errors import dealing_errors
from counting.review.dealing.error_costs import ErrorCosts, costs_of_errors
from counting.review.dealing.error_rates import ErrorRates, rates_of_errors
from counting.review.dealing.payments import Rounding
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.informed import Informed
from counting.review.patrons.patron_tests import PatronSettings, Progress, patrons
from counting.review.shifts import Shifts
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing


@dataclass(frozen=True)
class Audit:
    """A reviewed log.

    - `errors`: the errors that `dealer_errors.dealing_errors` finds
    - `rates`: the error rates, over all coups and by dealer, table and shift
    - `costs`: what each kind of error cost
    - `patrons`: a row per patron and bet, from `patron_tests.patrons`; empty if too much of the log cannot be used
      (`unread`)
    - `informed`: each patron's evidence of knowing the coming cards, and who is flagged for it
    - `moving`: the share of hands whose first two cards can change places with another hand's; None if no patron was
      tested"""

    log: Log
    game: Game
    decks: int
    dealing: Dealing | None
    settings: PatronSettings
    coverage: dict[str, int]
    parts: list[LogPart]
    allowed: float
    moving: float | None
    errors: pl.DataFrame
    rates: ErrorRates
    costs: ErrorCosts
    patrons: pl.DataFrame
    informed: Informed

    @property
    def unread(self) -> list[LogPart]:
        """The parts of the log of which too much cannot be used (`coverage.too_much`). If there are any, there is no
        verdict."""
        return too_much(self.parts, self.allowed)

    @property
    def flagged(self) -> pl.DataFrame:
        return self.patrons.filter("flagged")


def audit(
    log: Log,
    game: Game | str | Path,
    decks: int,
    dealing: Dealing | None = None,
    settings: PatronSettings | None = None,
    allow_unread: float = ALLOWED,
    rounding: Rounding | None = None,
    shifts: Shifts | None = None,
    progress: Progress | None = None,
) -> Audit:
    """Review a log: was it dealt by this game's rules, with shoes of `decks` decks, and whose bets follow the edge?

    Bets of the log that the game lacks are added to the game if the catalog has them and each line of their pay tables
    can occur in the game.

    - `rounding`: the house's rule for wins that are not whole amounts
    - `shifts`: the parts of the day by which errors are counted
    - `allow_unread`: the share of cards, coups or bets that may be unread; above this share, patrons are not tested.
      For some parts of a log, the allowed share is fixed (`coverage.parts`).
    - `progress`: called with the number of steps done and the number of all steps

    Raises `InputError` for a share that is not from 0 to 1, and in the cases of `dealing_errors`."""
    log, game = instance(log, Log, "log", "read_log('coups.csv')"), as_game(game)
    settings = settings or PatronSettings()
    decks = whole(decks, "decks", 1, MOST_DECKS)
    allowed = allowed_share(allow_unread)
    errors = dealing_errors(log, game, decks, dealing, rounding)
    game = game.also(bet for bet in log.bets["bet"].unique(maintain_order=True) if _fits(game, bet))
    unseen = UnseenCards(log, decks)
    read = parts(log, unseen, game, errors)
    coverage = {
        "tables": log.coups["table"].n_unique(),
        "shoes": len(unseen.start),
        "coups": log.coups.height,
        "missing_coups": unseen.missing,
        "unread_cards": unseen.unread,
        "bets": log.bets.height,
        "patrons": log.bets["patron"].n_unique(),
        "coup_lines_skipped": log.skipped.get("coups", 0),
        "bet_lines_skipped": log.skipped.get("bets", 0),
        "remarks": log.remarked(),
        "left_at_end": _left_at_end(unseen),
    }
    arrangements = Arrangements(log, unseen, game, settings.seed)
    of_log = replace(log, bets=log.bets.clear()) if too_much(read, allowed) else log
    tested, knowing = patrons(of_log, arrangements, settings, progress)
    moving = arrangements.moving if tested.height else None
    rates = rates_of_errors(log, errors, shifts, settings.level)
    costs = costs_of_errors(log, game, unseen, errors)
    return Audit(
        log, game, decks, dealing, settings, coverage, read, allowed, moving, errors, rates, costs, tested, knowing
    )


def _left_at_end(unseen: UnseenCards) -> int:
    """The number of unseen cards after a shoe's last coup: the median over shoes, rounded down. It is 0 if the log has
    no shoe."""
    last, (beyond, _) = unseen.end - 1, unseen.beyond
    dealt = (unseen.codes[last] >= 0).sum(axis=1) + np.searchsorted(beyond, last, "right")
    dealt -= np.searchsorted(beyond, last)
    return int(np.median(unseen.cards[last] - dealt)) if len(last) else 0


def _fits(game: Game, bet: str) -> bool:
    try:
        game.also([game.main_bet(bet)])
    except InputError:
        return False
    return game.main_bet(bet) not in game.main_bets.values()
