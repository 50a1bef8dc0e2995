"""Counting at chemin de fer: what a side gains by adjusting its play to the cards left, if the other side does not.

Whatever was dealt, the other side plays the optimal strategy of a reference shoe, usually the full shoe. Against a
fixed strategy, the best reply in each cell is the better of two moves. So only the reference shoe has to be solved.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from operator import mul

import numpy as np

from counting.cards import Shoe, as_shoe
from counting.chemin.commission import commission_share
from counting.chemin.game import CheminGame
from counting.chemin.solution import Solution
from counting.errors import InputError


@dataclass(frozen=True)
class Adjusted:
    """Expected profits on a shoe, per unit staked, pushes included. Each side plays the optimum of a reference shoe, or
    one side makes the best reply to the other side's optimum.

    Player's profit is `value` if both sides play the optimum, `player` if Player makes the best reply, and `banker` if
    Banker makes the best reply. So `player - value` is the gain of a Player who counts, and `value - banker` the gain
    of a Banker who counts.

    A bank that pays a commission on its wins has the profit `bank` if both sides play the optimum. Its profit is
    `bank_counts` if Banker makes the best reply after commission.
    """

    value: Fraction
    player: Fraction
    banker: Fraction
    bank: Fraction
    bank_counts: Fraction


def adjusted(shoe: Shoe | str, reference: Solution, commission: Fraction | str = Fraction(1, 20)) -> Adjusted:
    """The profits on this shoe if both sides play the optimum of a reference shoe, and if one side makes the best
    reply.

    In a cell with a choice that the reference shoe cannot deal, a side that plays the optimum stands. Raises
    `InputError` as `solve` does, for an invalid reference, and for a commission that is not a share.
    """
    shoe = as_shoe(shoe)
    if not isinstance(reference, Solution):
        raise InputError(f"reference: {reference!r}, should be a Solution, as counting.chemin.solve gives")
    rate, of = commission_share(commission), reference.game
    game = CheminGame.of(shoe, of.model.name, of.rules)
    x, ys, dy = _whole(reference)
    dx, (settled, *ties) = x[0], game.ties()
    at = np.flatnonzero(game.reach.any(axis=1))
    moves = zip(at.tolist(), *(worth[at].tolist() for worth in (game.stand, game.draw, *ties)), strict=True)
    value, banker = 0, 0  # Player's profits, times dx * dy and the number of deals
    # Twice what the bank loses to Player and pays to the house, times b, dx * dy and the number of deals.
    a, b = rate.numerator, rate.denominator
    keeps = counts = a * (game.deals - settled) * dx * dy
    # what Player wins against Banker's play, times dy and the number of deals: a constant, and what drawing in each of
    # Player's cells adds
    columns = [0] * len(x)
    for i, stand, draw, stand_tied, draw_tied in moves:
        free, y = bool(game.cells.free[i]), ys[i]
        stands, draws = _at(stand, x), _at(draw, x)
        value += (kept := (dy - y) * stands + y * draws)
        banker += dy * min(stands, draws) if free else kept
        # Banker wins (deals - ties - net) / 2 of the deals, so each tie saves half of the commission on a win.
        costs = [(2 * b - a) * net - a * _at(tied, x) for net, tied in ((stands, stand_tied), (draws, draw_tied))]
        keeps += (cost := (dy - y) * costs[0] + y * costs[1])
        counts += dy * min(costs) if free else cost
        columns = [c + (dy - y) * s + y * d for c, s, d in zip(columns, stand, draw, strict=True)]
    player = columns[0] + sum(max(0, c) for c in columns[1:])
    deals = game.deals * dx * dy
    return Adjusted(
        Fraction(value, deals),
        Fraction(player, game.deals * dy),
        Fraction(banker, deals),
        Fraction(-keeps, 2 * b * deals),
        Fraction(-counts, 2 * b * deals),
    )


@lru_cache(maxsize=4)
def _whole(reference: Solution) -> tuple[list[int], list[int], int]:
    """The reference's probabilities of drawing, in whole numbers. The first list is Player's common denominator,
    followed by a numerator for each of Player's cells. The second list has a numerator for each of Banker's cells. The
    last number is Banker's common denominator."""
    cells = reference.game.cells
    dx, dy = (lcm(*(p.denominator for p in plays.values()), 1) for plays in (reference.player, reference.banker))
    drawn = [
        reference.banker.get(cell, 0) if free else int(draws)
        for cell, free, draws in zip(cells.banker, cells.free.tolist(), cells.drawn.tolist(), strict=True)
    ]
    return [dx, *(int(reference.player.get(cell, 0) * dx) for cell in cells.player)], [int(p * dy) for p in drawn], dy


def _at(coefficients: list[int], x: list[int]) -> int:
    return sum(map(mul, coefficients, x))
