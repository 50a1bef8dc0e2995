"""Own cards at Louisiana Baccarat: a bettor on Player who is dealt a hand of his own, and draws or stands as he likes.

The bank draws against his hand by the tableau, so that he alone chooses: best in each cell by itself.
"""

from __future__ import annotations

from fractions import Fraction

from counting.cards import Shoe
from counting.chemin.rules import TOTALS, Rules
from counting.chemin.solution import Solution, solve
from counting.errors import InputError
from counting.games import Game

SEES = {"total": "B1", "hand": "B3"}


def own_rules(game: Game) -> Rules:
    """The bank by the game's tableau, the bettor free on every total but naturals."""
    fixed = Rules.of(game.tableau, game.title, game.source)
    return fixed.free(f"{game.title}, own cards", game.source, player=range(TOTALS))


def the_tables_hand(game: Game, shoe: Shoe) -> Fraction:
    """What a bet on Player is worth at even money, pushes on ties, on the hand that the tableau plays."""
    return solve(shoe, "B1", Rules.of(game.tableau, game.title, game.source)).value


def own_cards(game: Game, shoe: Shoe, sees: str = "hand") -> Solution:
    """What a bet on an own hand is worth at even money, pushes on ties, and when to draw: by the hand's cards or its
    total, for these unseen cards.

    Raises `InputError` for what he sees that is neither `hand` nor `total`, and as `solve` does.
    """
    if sees not in SEES:
        raise InputError(f"sees: {sees!r}, should be hand or total")
    return solve(shoe, SEES[sees], own_rules(game))
