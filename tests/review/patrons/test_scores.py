"""The sums of scored edges, compared with the definition of the score."""

from math import exp, fsum

import numpy as np
import pytest

from counting.instruction_sets import LEVELS
from counting.review import _scores

MACHINE = range(len(LEVELS[: _scores.best_level() + 1]))
LARGEST = 1e9  # an edge far from the others, in units of 1 / steep


def summed(edges: np.ndarray, steep: float, amounts: np.ndarray, first: int, level: int) -> np.ndarray:
    out = np.full((len(amounts), edges.shape[1]), np.nan)
    _scores.sums(edges, steep, amounts, first, out, level)
    return out


@pytest.mark.parametrize(("coups", "arrangements"), [(60, 40), (7, 1000), (5, 13), (3, 1), (0, 40)])
@pytest.mark.parametrize("steep", [2.0, 40.0])
def test_sums_are_those_of_the_definition(coups: int, arrangements: int, steep: float) -> None:
    """The edges include 0, edges whose scores are 0 or 1 to the last place, and edges far beyond these. The shoe's
    amounts are in the middle of longer rows, and every instruction set gives the same bits."""
    random = np.random.default_rng(1)
    edges = random.normal(size=(coups, arrangements)) * random.choice([0, 1e-3, 1, 18, LARGEST], size=(coups, 1))
    amounts, first = random.normal(size=(9, coups + 5)), 3
    own = amounts[:, first : first + coups]
    score = [[1 / (1 + exp(-min(max(steep * e, -700), 700))) for e in row] for row in edges.tolist()]
    exact = [
        [fsum(a * score[coup][i] for coup, a in enumerate(row)) for i in range(arrangements)] for row in own.tolist()
    ]
    sizes = np.abs(own).sum(axis=1, keepdims=True)
    found = [summed(edges, steep, amounts, first, level) for level in MACHINE]
    assert (np.abs(found[0] - np.array(exact).reshape(found[0].shape)) <= 2e-15 * sizes).all()
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


@pytest.mark.parametrize("level", MACHINE)
def test_scores_are_within_four_units_in_the_last_place(level: int) -> None:
    edges = np.concatenate([np.linspace(-40, 40, 9001), np.linspace(-0.01, 0.01, 1001)])[np.newaxis]
    found = summed(edges, 1.0, np.ones((1, 1)), 0, level)[0]
    exact = np.array([1 / (1 + exp(-edge)) for edge in edges[0].tolist()])
    assert (np.abs(found - exact) <= 4 * np.spacing(exact)).all()


@pytest.mark.parametrize("level", MACHINE)
def test_equal_arrangements_have_equal_sums(level: int) -> None:
    """Also where the first is in a full vector and the last is beyond the last full vector."""
    edges = np.repeat(np.random.default_rng(2).normal(size=(50, 1)), 43, axis=1)
    found = summed(edges, 2.0, np.random.default_rng(3).normal(size=(3, 50)), 0, level)
    assert (found == found[:, :1]).all()
