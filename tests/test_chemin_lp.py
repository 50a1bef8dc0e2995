"""Chemin de fer as a linear program of floats, solved by another library: values agree on random shoes."""

import numpy as np
import pytest
from scipy.optimize import linprog

from counting import Shoe
from counting.chemin import CLASSICAL, solve
from counting.chemin.game import Game

SHOES = 200
SCALE = 1e6  # the library's tolerances are absolute


def value(game: Game) -> float:
    """Player's x and, for each of Banker's cells, t at most what either of his moves is worth: the largest sum of t."""
    stand, draw = (SCALE * (moves / game.deals) for moves in (game.stand, game.draw))
    cells, k = len(stand), stand.shape[1] - 1
    worth = np.vstack([stand, draw])
    below = np.hstack([-worth[:, 1:], np.tile(np.eye(cells), (2, 1))])
    found = linprog(
        np.concatenate([np.zeros(k), -np.ones(cells)]), below, worth[:, 0],
        bounds=[(0, 1)] * k + [(None, None)] * cells, method="highs-ds",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    assert found.success
    return float(-found.fun) / SCALE


@pytest.mark.parametrize("model", ["B1", "B3"])
def test_a_linear_program_agrees(model: str) -> None:
    rng = np.random.default_rng(12)
    for i in range(SHOES // 2 if model == "B1" else SHOES):
        cards = int(rng.integers(6, 313))
        shoe = Shoe.from_values(rng.multivariate_hypergeometric(Shoe.decks(6).values, cards).tolist())
        exact = float(solve(shoe, model).value)
        assert value(Game.of(shoe, model, CLASSICAL)) == pytest.approx(exact, abs=1e-12), i
