"""Which game was dealt at a logged table? The shipped games are compared with its payouts and draws."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import polars as pl

from counting.games import Game, load_game
from counting.io.toml import shipped
from counting.logs import Log
from counting.numbers import many
from counting.review.dealing.dealer_errors import dealing_errors
from counting.review.hands import DRAWS


class GameFit(NamedTuple):
    """How badly a game fits a log.

    - `payouts`: the number of logged payouts that differ from the game's
    - `unknown`: the number of bets that neither the game nor the catalog has
    - `draws`: the number of third cards drawn or not drawn against the game's rules"""

    game: str
    payouts: int
    unknown: int
    draws: int

    @property
    def wrong(self) -> int:
        return self.payouts + self.unknown + self.draws

    @property
    def words(self) -> str:
        """What is wrong, in words, such as "32 wrong payouts, 7 unknown bets and 53 wrong draws". Unknown bets and
        wrong draws are left out if there are none."""
        parts = (self.payouts, "wrong payout"), (self.unknown, "unknown bet"), (self.draws, "wrong draw")
        said = [many(n, what) for n, what in parts if n or what == "wrong payout"]
        return " and ".join([", ".join(said[:-1]), said[-1]] if len(said) > 1 else said)


@lru_cache(maxsize=1)
def fits(log: Log) -> tuple[GameFit, ...]:
    """The fit of every shipped game, the best first."""
    rows = []
    for name in shipped("games"):
        game = load_game(name)
        counted = dealing_errors(log, game, game.decks)["rule"].value_counts()
        of = dict(counted.rows())
        rows.append(
            GameFit(name, of.get("payment", 0), of.get("unknown-bet", 0), sum(of.get(rule, 0) for rule in DRAWS))
        )
    return tuple(sorted(rows, key=lambda fit: fit.wrong))


def best_fits(log: Log) -> list[GameFit]:
    """The shipped games with the fewest misfits to a log: all shipped games, if all fit equally well."""
    every = fits(log)
    return [fit for fit in every if fit.wrong == every[0].wrong]


def missing_game(log: Log) -> str:
    """The error line if a log is given without a game. It names the shipped games that fit the log best, then the
    others."""
    every, best = fits(log), best_fits(log)
    if len(best) == len(every):
        names = ", ".join(fit.game for fit in every)
        return f"GAME: missing, and the log fits every shipped game alike; should be one of {names}, or a TOML file"
    alike = len({fit.words for fit in best}) == 1
    named = " and ".join(fit.game if alike else f"{fit.game}, with {fit.words}," for fit in best)
    others = [f"{fit.game} {fit.words}" for fit in every if fit not in best]
    rest = ("; " if any(", " in words for words in others) else ", ").join(others)
    return (
        f"GAME: missing; of the shipped games {named} fit{'s' * (len(best) == 1)} the log best"
        f"{f', with {best[0].words}' * alike} ({rest}): counting audit {best[0].game} ..."
    )


def better_game(log: Log, game: Game, errors: pl.DataFrame, share: float = 0.01) -> GameFit | None:
    """A shipped game that fits the log much better than the audited game: with at most a tenth of the errors.

    None if there is no such game, or if the audited game has errors in at most the share `share` of the lines."""
    wrong = errors.filter(pl.col("rule").is_in(["payment", "unknown-bet", *DRAWS])).height
    if wrong <= share * (log.bets.height + log.coups.height):
        return None
    best = min((fit for fit in fits(log) if fit.game != game.name), key=lambda fit: fit.wrong)
    return best if 10 * best.wrong <= wrong else None
