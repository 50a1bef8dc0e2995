"""Simple players for `best_play.simulate`. Each wins more than version 0.1.0 stated as the most that any counter can
win.

The players decide by edges that include the rebate. A case has house rules, a player, and what the player won on many
shoes. No bound on all players may be below this.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from twins.best_play import Floats, Player, Rules, View

from counting import Game, load_game
from counting.simulation import Dealing

COUPS_PER_HOUR = 70


def holds_with_one(rules: Rules, leaves: float = -np.inf) -> Player:
    """A player who bets on every coup: the largest side bet if its edge is positive, otherwise the least side bet, to
    hold the seat. The player leaves at an edge of `leaves` or below."""

    def player(view: View) -> Floats:
        edge = view.edges[:, 0] + rules.rebate
        stakes = np.zeros_like(view.edges)
        stakes[:, 0] = np.where(edge > 0, rules.most_bet, rules.least_bet)
        stakes[edge <= leaves] = np.nan
        return stakes

    return player


def holds_with_the_cheaper(rules: Rules, main: str) -> Player:
    """A player who makes the largest side bet if its edge is positive. Otherwise the player skips, while this is
    allowed. If it is not, the player holds the seat with the least side bet or the least main bet, whichever costs
    less."""
    at = rules.bets.index(main)

    def player(view: View) -> Floats:
        edges = view.edges + rules.rebate
        stakes = np.zeros_like(edges)
        wants = edges[:, 0] > 0
        by_side = rules.least_bet * edges[:, 0] >= rules.minimum * edges[:, at]
        stakes[:, 0] = np.where(wants, rules.most_bet, np.where(by_side, rules.least_bet, 0))
        stakes[:, at] = np.where(wants | by_side, 0, rules.minimum)
        stakes[~wants & (view.skipped < rules.most_skipped)] = 0
        return stakes

    return player


def also_plays_main_bets_alone(rules: Rules) -> Player:
    """A player who makes the largest main bet at the best main edge and, if its edge is positive, also the largest side
    bet. If these bets would lose on average, the player skips while this is allowed. If it is not, the player makes
    them anyway."""
    main = np.flatnonzero(rules.is_main)

    def player(view: View) -> Floats:
        edges = view.edges + rules.rebate
        rows = np.arange(len(edges))
        best = main[edges[:, main].argmax(axis=1)]
        alone = rules.cap * edges[rows, best]
        both = rules.most_bet * edges[:, 0] + alone
        with_side = edges[:, 0] > 0
        stakes = np.zeros_like(edges)
        stakes[rows, best] = rules.cap
        stakes[with_side, 0] = rules.most_bet
        gains = np.maximum(both, alone) > 0
        stakes[~gains & (view.skipped < rules.most_skipped)] = 0
        return stakes

    return player


def one_bet_when_positive(rules: Rules, bet: str) -> Player:
    """A player who makes the largest allowed bet if its edge is positive, and otherwise no bet."""
    at = rules.bets.index(bet)

    def player(view: View) -> Floats:
        stakes = np.zeros_like(view.edges)
        stakes[:, at] = np.where(view.edges[:, at] + rules.rebate > 0, rules.most[at], 0)
        return stakes

    return player


@dataclass(frozen=True)
class Case:
    """House rules, a player, and the player's gain in money per hour with its standard error."""

    game: Game
    dealing: Dealing
    rules: Rules
    player: Player
    per_hour: float
    error: float


def _case(
    game: str, side: str, dealing: Dealing, rules: dict[str, object], plays: tuple[object, ...], per_hour: float,
    error: float,
) -> Case:  # fmt: skip
    loaded = load_game(game)
    allowed = Rules((side,), loaded.mains(None), **rules)  # type: ignore[arg-type]
    make, *more = plays
    return Case(loaded, dealing, allowed, make(allowed, *more), per_hour, error)  # type: ignore[operator]


EZ, DRAGON = "ez-baccarat", "dragon-7"

CASES = {
    "a side bet of one unit holds the seat": _case(
        EZ, DRAGON, Dealing(8, 20, "first-card"),
        {"minimum": 100, "most_bet": 25, "least_bet": 1, "mid_shoe_entry": False},
        (holds_with_one,), 7.14, 0.042,
    ),
    "a seat held by one unit is left in a poor shoe": _case(
        EZ, DRAGON, Dealing(8, 20, "first-card"),
        {"minimum": 100, "most_bet": 25, "least_bet": 1, "mid_shoe_entry": False},
        (holds_with_one, -0.2), 7.96, 0.041,
    ),
    "the cheaper bet holds the seat": _case(
        EZ, DRAGON, Dealing(8, 20, "first-card"),
        {"minimum": 25, "most_bet": 100, "least_bet": 1, "mid_shoe_entry": False, "most_skipped": 2},
        (holds_with_the_cheaper, "banker"), 50.24, 0.16,
    ),
    "a main bet alone is played when it gains": _case(
        "louisiana", "seven-seven-45", Dealing(8, 14),
        {"minimum": 100, "most_bet": 25, "side_share": 0.25, "mid_shoe_entry": False, "most_skipped": 1},
        (also_plays_main_bets_alone,), 31.14, 0.14,
    ),
    "a main bet is played to the table's maximum": _case(
        "louisiana", "big-win-player-25", Dealing(8, 14),
        {"minimum": 25, "most_bet": 25, "maximum": 5000, "covers": "all"},
        (one_bet_when_positive, "tie-9"), 432.9, 1.8,
    ),
    "a rebate makes a main bet alone gain": _case(
        EZ, DRAGON, Dealing(8, 104, "first-card"),
        {"minimum": 25, "most_bet": 5, "maximum": 5000, "rebate": 0.012, "covers": "all"},
        (one_bet_when_positive, "banker"), 683.1, 0.64,
    ),
}  # fmt: skip
