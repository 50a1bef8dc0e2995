"""A hand that the bettor plays. At Louisiana Baccarat, a bettor on Player has a hand of their own, and draws or stands
freely.

The bank draws against this hand by the tableau. So only the bettor chooses, and makes the better move in each cell.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from counting.cards import Shoe
from counting.chemin.rules import TOTALS, CheminRules
from counting.chemin.solution import Solution, solve
from counting.errors import InputError
from counting.games import Game, as_game

SEES = {"total": "B1", "hand": "B3"}


@lru_cache(maxsize=8)
def own_rules(game: Game) -> CheminRules:
    """Rules in which the bank plays by the game's tableau, and the bettor may choose on every total but naturals."""
    return _tableaus_rules(game).free(f"{game.title}, own cards", game.source, player=range(TOTALS))


@lru_cache(maxsize=8)
def _tableaus_rules(game: Game) -> CheminRules:
    return CheminRules.of(game.tableau, game.title, game.source)


def the_tables_hand(game: Game | str | Path, shoe: Shoe | str) -> Fraction:
    """The edge of an even-money bet on Player that pushes on ties, if the tableau plays Player's hand."""
    game = as_game(game)
    return solve(shoe, "B1", _tableaus_rules(game)).value


def own_cards(game: Game | str | Path, shoe: Shoe | str, sees: str = "hand") -> Solution:
    """Solve an even-money bet on a hand that the bettor plays, with `shoe` as the unseen cards. Ties push. The solution
    gives the bet's edge, and says when to draw, depending on the hand's cards or on its total (`sees`).

    Raises `InputError` if `sees` is neither `hand` nor `total`, for a game whose tableau draws on naturals, and as
    `solve` does.
    """
    game = as_game(game)
    if sees not in SEES:
        raise InputError(f"sees: {sees!r}, should be hand or total")
    return solve(shoe, SEES[sees], own_rules(game))
