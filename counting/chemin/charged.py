"""A shoe's game with a commission on Banker's wins, in whole numbers: what Banker's moves in each cell are worth to
both sides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from counting.chemin.game import CheminGame
from counting.chemin.rules import BankerCell, PlayerCell

Linear = list[int]  # a constant, then the coefficient of the probability of drawing in each of Player's groups


class CellGroup(NamedTuple):
    """Player's cells in which drawing is worth the same per deal, whatever Banker does. Only the weighted mean of the
    cells' probabilities of drawing matters. Most groups have a single cell."""

    cells: tuple[PlayerCell, ...]
    weights: tuple[int, ...]


class FreeCell(NamedTuple):
    """A cell in which Banker chooses. `stand` and `draw` are what Banker's standing and Banker's drawing are worth to
    Player. `costs` is how much more drawing costs Banker than standing."""

    cell: BankerCell
    stand: Linear
    draw: Linear
    costs: Linear

    @property
    def gains(self) -> Linear:
        """How much more Banker's drawing is worth to Player than Banker's standing."""
        return [d - s for d, s in zip(self.draw, self.stand, strict=True)]


class Charged:
    """The game in whole numbers. `free` are the cells in which Banker chooses; cells that no deal reaches are left out.
    `net` is what Player wins in the other cells. `cost` is what all coups cost Banker if Banker stands in the free
    cells. All numbers are sums over `deals`; Banker's costs are also multiplied by `scale`."""

    def __init__(self, game: CheminGame, rate: Fraction) -> None:
        a, b = rate.numerator, rate.denominator
        settled, *ties = game.ties()
        self.deals, self.scale = game.deals, 2 * b
        self.groups, columns = _groups(game, ties)
        nets = [[_gathered(row, columns) for row in net.tolist()] for net in (game.stand, game.draw)]
        tied = [[_gathered(row, columns) for row in tie.tolist()] for tie in ties]
        reach = [_gathered(row, columns) for row in game.reach.tolist()]
        # Banker wins (deals - ties - net) / 2 of the deals, so each tie saves half of the commission on a win.
        costs = [
            [
                [(2 * b - a) * n + a * (r - t) for n, r, t in zip(*rows, strict=True)]
                for rows in zip(nets[move], reach, tied[move], strict=True)
            ]
            for move in (0, 1)
        ]
        naturals = game.deals - sum(row[0] for row in reach)
        self.net = [0] * (1 + len(columns))
        self.cost = [a * (naturals - settled), *([0] * len(columns))]
        self.free: list[FreeCell] = []
        for i, cell in enumerate(game.cells.banker):
            free = bool(game.cells.free[i])
            move = int(game.cells.drawn[i] and not free)
            self.cost = _added(self.cost, costs[move][i])
            if free and any(reach[i]):
                beyond = [d - s for d, s in zip(costs[1][i], costs[0][i], strict=True)]
                self.free.append(FreeCell(cell, nets[0][i], nets[1][i], beyond))
            else:
                self.net = _added(self.net, nets[move][i])


def _groups(game: CheminGame, ties: Sequence[np.ndarray]) -> tuple[list[CellGroup], list[list[int]]]:
    """Player's cells that can be dealt, in groups: two cells are in the same group if their columns in the game's
    arrays are proportional. Also, for each group, the indices of its columns."""
    by_worth: dict[bytes, list[tuple[int, int]]] = {}
    for column in range(1, game.reach.shape[1]):
        worth = np.concatenate([at[:, column] for at in (game.reach, game.stand, game.draw, *ties)])
        if weight := int(np.gcd.reduce(worth)):
            by_worth.setdefault((worth // weight).tobytes(), []).append((column, weight))
    cells = game.cells.player
    groups = [
        CellGroup(tuple(cells[column - 1] for column, _ in alike), tuple(weight for _, weight in alike))
        for alike in by_worth.values()
    ]
    return groups, [[column for column, _ in alike] for alike in by_worth.values()]


def _gathered(row: Sequence[int], columns: Sequence[Sequence[int]]) -> Linear:
    return [row[0], *(sum(row[column] for column in alike) for alike in columns)]


def _added(row: Linear, other: Linear) -> Linear:
    return [n + m for n, m in zip(row, other, strict=True)]
