"""The sums of a round of a fit, compared with their definition."""

from itertools import product
from math import exp, fsum

import numpy as np
import pytest

from counting.instruction_sets import LEVELS
from counting.simulation import _fits

MACHINE = range(len(LEVELS[: _fits.best_level() + 1]))


def by_hand(cards: np.ndarray, weights: np.ndarray, logs: np.ndarray) -> np.ndarray:
    """The sums over the compositions, each by its definition."""
    shares = []
    for composition in cards.T.tolist():
        log = [fsum([*(f * n for f, n in zip(row, composition, strict=False)), row[-1]]) for row in logs.tolist()]
        powers = [exp(one - max(log)) for one in log]
        shares.append([power / fsum(powers) for power in powers])
    return np.array([
        [fsum(w * share[t] * n for w, share, n in zip(weights.tolist(), shares, of_kind, strict=True))
         for of_kind in [*cards.tolist(), [1.0] * len(weights)]]
        for t in range(len(logs))
    ])  # fmt: skip


def summed(cards: np.ndarray, weights: np.ndarray, logs: np.ndarray, level: int) -> np.ndarray:
    out = np.full((len(logs), len(cards) + 1), np.nan)
    _fits.sums(cards, weights, logs, out, level)
    return out


@pytest.mark.parametrize("size", [300, 128, 63, 1])
@pytest.mark.parametrize(("tilts", "kinds"), [(32, 10), (5, 3), (1, 1)])
@pytest.mark.parametrize("spread", [0.05, 30.0])
def test_sums_are_those_of_the_definition(size: int, tilts: int, kinds: int, spread: float) -> None:
    """With the large spread, most chances are 0 or 1 to the last place. Some weights are 0, and every instruction set
    gives the same bits."""
    random = np.random.default_rng(size)
    cards = random.integers(0, 30, (kinds, size)).astype(float)
    weights = random.random(size) * (random.random(size) < 0.9)
    logs = spread * random.normal(size=(tilts, kinds + 1))
    found = [summed(cards, weights, logs, level) for level in MACHINE]
    np.testing.assert_allclose(found[0], by_hand(cards, weights, logs), rtol=1e-11, atol=1e-12 * weights.sum() + 1e-300)
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


def test_no_compositions_and_no_tilts() -> None:
    for size, tilts, level in product((0, 3), (0, 2), MACHINE):
        out = summed(np.ones((4, size)), np.ones(size), np.zeros((tilts, 5)), level)
        assert (out == (size / tilts if tilts else 0)).all()
