"""Games as data: what a coup shows, the drawing rules, the pay tables; the catalog of bets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from counting.faces import lazily

if TYPE_CHECKING:
    from counting.games.bets import MOST_METER as MOST_METER
    from counting.games.bets import MOST_UNITS as MOST_UNITS
    from counting.games.bets import NAME as NAME
    from counting.games.bets import Bet as Bet
    from counting.games.bets import Line as Line
    from counting.games.bets import LineHit as LineHit
    from counting.games.bets import Shown as Shown
    from counting.games.bets import bet_texts as bet_texts
    from counting.games.bets import catalog as catalog
    from counting.games.bets import catalog_families as catalog_families
    from counting.games.bets import is_written as is_written
    from counting.games.bets import lines_of_outcomes as lines_of_outcomes
    from counting.games.bets import odds_of as odds_of
    from counting.games.bets import on_hands as on_hands
    from counting.games.bets import unfit as unfit
    from counting.games.bets import units_of as units_of
    from counting.games.conditions import condition_choices as condition_choices
    from counting.games.conditions import condition_value as condition_value
    from counting.games.coup import FIRSTS as FIRSTS
    from counting.games.coup import First as First
    from counting.games.coup import Outcome as Outcome
    from counting.games.game import MAIN_EVENTS as MAIN_EVENTS
    from counting.games.game import Decks as Decks
    from counting.games.game import Game as Game
    from counting.games.game import as_game as as_game
    from counting.games.game import game_beside as game_beside
    from counting.games.game import games_with as games_with
    from counting.games.game import load_game as load_game
    from counting.games.tableau import NATURAL as NATURAL
    from counting.games.tableau import STOOD as STOOD
    from counting.games.tableau import Choice as Choice
    from counting.games.tableau import Tableau as Tableau
else:
    __all__, __getattr__, __dir__ = lazily(
        __name__,
        {
            "bets": "Bet Line LineHit MOST_METER MOST_UNITS NAME Shown bet_texts catalog catalog_families is_written "
            "lines_of_outcomes odds_of on_hands unfit units_of",
            "conditions": "condition_choices condition_value",
            "coup": "FIRSTS First Outcome",
            "tableau": "Choice NATURAL STOOD Tableau",
            "game": "Decks Game MAIN_EVENTS as_game game_beside games_with load_game",
        },
    )
