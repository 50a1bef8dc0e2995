"""The sums of a round of a fit, compared with their definition."""

from itertools import product
from math import exp, fsum

import numpy as np
import pytest

from counting import load_game
from counting.exact import settlement
from counting.instruction_sets import LEVELS
from counting.simulation import _fits
from counting.simulation.importance import Sampler, _Sampled
from counting.simulation.tilts import Tilt, Tilts

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


def test_a_fit_finds_the_tilts_that_compositions_are_drawn_from() -> None:
    """A third is from one tilt and two thirds from another. The start is the same distribution twice, but for a few
    cards of one value."""
    full = np.array([128] + 9 * [32], np.int32)
    few_tens, few_fives = np.full(10, 0.3), np.full(10, 0.3)
    few_tens[0], few_fives[5] = 0.15, 0.1
    sampler = Sampler(settlement(load_game("punto-banco"), ("player",)), full, 120, 1)
    tilts = Tilts.of([Tilt(full, few_tens, 120), Tilt(full, few_fives, 120)], np.ones(2))
    drawn = tilts.draw(np.repeat([0, 1], [1000, 2000]), sampler.stream(9))
    start = np.full((2, 10), 120 / 416)
    start[:, 0] += 0.01, -0.01
    chances, shares = sampler._fit(_Sampled(drawn, np.ones(3000), np.ones(3000)), start, np.ones(2), 40)
    order = np.argsort(chances[:, 5])
    np.testing.assert_allclose(shares[order], [2 / 3, 1 / 3], atol=0.01)
    for found, which in zip(chances[order], (drawn[1000:], drawn[:1000]), strict=True):
        np.testing.assert_allclose(found, which.mean(axis=0) / full, atol=0.01)
