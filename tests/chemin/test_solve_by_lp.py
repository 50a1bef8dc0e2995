"""Chemin de fer as a linear program in floats: another library solves it, from deals of the certificate's check, and
finds the same values."""

import numpy as np
import pytest
from extent import long_or
from twins.linear_programs import NO_LIMIT, least

from counting import Shoe
from counting.chemin import CLASSICAL, solve
from counting.chemin.certificate import CheminDeals

SCALE = 1e6  # values are scaled up, because the library's tolerances are absolute


def value(dealt: CheminDeals) -> float:
    """The value, by a linear program. Its variables are Player's probabilities x and, for each of Banker's cells, a
    number t that is at most what either of Banker's moves is worth to Player. The sum of all t is maximized."""
    order = {cell: j for j, cell in enumerate(dealt.player_cells)}
    cells, k = len(dealt.net), len(order)
    worth = np.zeros(
        (2, cells, 1 + k)
    )  # worth to Player if Banker stands and if Banker draws: a constant, then the coefficients of x
    for i, ((letter, _), moves) in enumerate(dealt.net.items()):
        for (cell, draws), nets in moves.items():
            for move in (0, 1):
                net = SCALE * nets[(move, 0, 1)["*SD".index(letter)]] / dealt.deals
                if cell is None:
                    worth[move, i, 0] += net
                else:
                    worth[move, i, 1 + order[cell]] += net if draws else -net
                    worth[move, i, 0] += 0 if draws else net
    both = worth.reshape(2 * cells, 1 + k)
    below = np.hstack([-both[:, 1:], np.tile(np.eye(cells), (2, 1))])
    lost = least(
        np.append(np.zeros(k), -np.ones(cells)),
        at_most=(below, both[:, 0]),
        ranges=[(0, 1)] * k + [(-NO_LIMIT, NO_LIMIT)] * cells,
    )
    assert lost is not None
    return -lost / SCALE + dealt.naturals / dealt.deals


@pytest.mark.long
@pytest.mark.parametrize(("model", "shoes"), [("B1", long_or(50, 6)), ("B2", long_or(50, 6)), ("B3", long_or(200, 10))])
def test_a_linear_program_agrees(model: str, shoes: int) -> None:
    rng = np.random.default_rng(12)
    for i in range(shoes):
        cards = int(rng.integers(6, 313))
        shoe = Shoe.from_values(rng.multivariate_hypergeometric(Shoe.decks(6).values, cards).tolist())
        exact = float(solve(shoe, model).value)
        assert value(CheminDeals(shoe, model, CLASSICAL)) == pytest.approx(exact, abs=1e-12), i


@pytest.mark.parametrize("model", ["A1", "A2", "A3"])
def test_with_replacement_too(model: str) -> None:
    exact = float(solve(Shoe.decks(6), model).value)
    assert value(CheminDeals(Shoe.decks(6), model, CLASSICAL)) == pytest.approx(exact, abs=1e-12)
