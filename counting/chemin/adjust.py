"""Counting at chemin de fer: what a side gains by playing to the cards that are left, against one who does not.

The other side plays what is optimal for a reference shoe, mostly the full one, whatever was dealt. Against a fixed
strategy the best reply in each cell is the better of two moves, so no game has to be solved.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from counting.cards import Shoe
from counting.chemin.game import Game
from counting.chemin.solve import Solution
from counting.errors import InputError


@dataclass(frozen=True)
class Adjusted:
    """A shoe, a play for another and the best replies: expected profit per unit to Player, pushes included.

    `value` where both keep to the reference; `player`, where Player plays his best against that, and `banker` where
    Banker does. So `player - value` is what a Player who counts gains, and `value - banker` what a Banker does.
    `banker_wins` is how often Banker wins where both keep to it: his profit under a commission is that times it less.
    """

    value: Fraction
    player: Fraction
    banker: Fraction
    banker_wins: Fraction

    def to_banker(self, commission: Fraction) -> Fraction:
        """Banker's expected profit where both keep to the reference, after commission on his wins."""
        return -self.value - commission * self.banker_wins


def adjusted(shoe: Shoe, reference: Solution) -> Adjusted:
    """What this shoe is worth to those who play the optimum of a reference, and to one who does better.

    In a cell that the reference cannot deal, whoever keeps to it stands. Raises `InputError` as `solve` does, and for
    a reference that is none.
    """
    if not isinstance(reference, Solution):
        raise InputError(f"reference: {reference!r}, should be a Solution, as counting.chemin.solve gives")
    of = reference.game
    game = Game.of(shoe, of.model.name, of.rules)
    dx, dy = (lcm(*(p.denominator for p in plays.values()), 1) for plays in (reference.player, reference.banker))
    x = [dx, *(int(reference.player.get(cell, 0) * dx) for cell in game.cells.player)]
    settled, stand_ties, draw_ties = game.ties()
    value, banker, ties = 0, 0, settled * dx * dy  # over dx * dy
    columns = [0] * len(x)  # what each of Player's cells is worth against Banker's play, over dy
    moves = zip(game.stand.tolist(), game.draw.tolist(), stand_ties.tolist(), draw_ties.tolist(), strict=True)
    there = np.asarray(game.reach.any(axis=1), np.bool_).tolist()
    for i, (stand, draw, stand_tied, draw_tied) in enumerate(moves):
        if not there[i]:
            continue
        free = bool(game.cells.free[i])
        y = int(reference.banker.get(game.cells.banker[i], 0) * dy) if free else dy * bool(game.cells.drawn[i])
        stands, draws = _at(stand, x), _at(draw, x)
        kept = (dy - y) * stands + y * draws
        value += kept
        banker += dy * min(stands, draws) if free else kept
        ties += (dy - y) * _at(stand_tied, x) + y * _at(draw_tied, x)
        columns = [c + (dy - y) * s + y * d for c, s, d in zip(columns, stand, draw, strict=True)]
    player = columns[0] + sum(max(0, c) for c in columns[1:])
    deals = game.deals * dx * dy
    won = Fraction(deals - ties - value, 2 * deals)
    return Adjusted(Fraction(value, deals), Fraction(player, game.deals * dy), Fraction(banker, deals), won)


def _at(coefficients: list[int], x: list[int]) -> int:
    return sum(c * p for c, p in zip(coefficients, x, strict=True))
