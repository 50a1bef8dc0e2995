"""Do stakes follow the edge, beyond results, totals, third cards, pairs, money and time? An exact test.

Each shoe is rearranged in many ways that leave the record as it is (`arrangements`). A patron who goes by results,
totals, third cards, pairs, money, time or chance would have staked the same in every arrangement, so the shoe as dealt
is any of them with the same chance. A counter's stakes fit the one that was dealt.

The statistic of a shoe is the sum over its coups of the stake's residual times a score of the edge: the residual on
time, its square and cube, the arrangements' mean edge, its square and its product with time, which all follow from
the record; the score 1 / (1 + exp(-2 edge / sd)), with sd the deviation of all edges of all arrangements of the
bettor's shoes (of the first shoes, where there are too many to keep: `streamed_edges`). The p-value is the share of
sums of scores, with a random arrangement of each shoe, that are at least the observed one (Besag and Clifford 1989):
exact for any statistic. The choice of statistic decides only how soon a counter is detected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.review import _permute
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.permutation_test import BOUND, ENOUGH
from counting.review.significance import SMALLEST, sequential_p

FEW_SHOES = {1: 9_999, 2: 999, 3: 199}  # arrangements drawn per shoe, for few shoes
ARRANGED = 39
_STEEP = 2.0
TOLERANCE = 1e-9
_TILTS = np.geomspace(0.01, 100, 60)


class CoupStakes(NamedTuple):
    """One bettor's stakes on a bet, at each coup of the shoes (numbers) that they bet in."""

    shoes: Ints
    rows: Ints
    amounts: Floats


class EdgeTest(NamedTuple):
    """`p`, and its least possible value with these arrangements; `excess`, the sum of residual times score
    beyond its mean over arrangements, in deviations of theirs."""

    p: float
    least_p: float
    excess: float


NOTHING = EdgeTest(1.0, 1.0, 0.0)


class Scored:
    """A bet's edges over all arrangements of a log's shoes, scored, with the record's regressors of each coup."""

    def __init__(self, arrangements: Arrangements, bet: str, shoes: Sequence[int] | Ints, number: int = ARRANGED):
        self.arrangements = arrangements
        self._edges = dict(zip(map(int, shoes), arrangements.edges(bet, shoes, number), strict=True))
        self._means = {shoe: edge.mean(axis=0) for shoe, edge in self._edges.items()}
        self._scores = lru_cache(maxsize=1)(self._scored)

    def test(self, staked: CoupStakes, most: int, seed: int, stream: int) -> EdgeTest:
        """The test of one bettor's stakes, with at most `most` sums drawn."""
        shoes = staked.shoes.tolist()
        sd, scores = self._scores(tuple(shoes))
        if not scores:
            return NOTHING
        mean = np.concatenate([self._means[shoe] for shoe in shoes])
        known = ~np.isnan(mean)
        cards = self.arrangements.unseen.cards
        regressors = regressors_of(cards[staked.rows[known]] / cards.max(), mean[known] / sd)
        residual = np.zeros(len(mean))
        residual[known] = _residual(staked.amounts[known], regressors)
        sums, end = [], 0
        for shoe in shoes:
            own = slice(end, end + len(self._means[shoe]))
            end = own.stop
            if shoe in scores:
                sums.append(scores[shoe][:, known[own]] @ residual[own][known[own]])
        size = float(known.sum())  # stakes of a mean size 1
        return picked(np.array(sums), size, most, seed, stream)

    def _scored(self, shoes: tuple[int, ...]) -> tuple[float, dict[int, Floats]]:
        """The deviation of all edges of these shoes, and the scores of each, none where edges do not vary."""
        edges = {shoe: self._edges[shoe] for shoe in shoes if not np.isnan(self._edges[shoe]).all()}
        every = [edge[:, ~np.isnan(edge[0])] for edge in edges.values()]
        number = sum(edge.size for edge in every)
        mean = sum(float(edge.sum()) for edge in every) / max(number, 1)
        sd = float(np.sqrt(sum(float(((edge - mean) ** 2).sum()) for edge in every) / max(number, 1)))
        if sd <= TOLERANCE:
            return sd, {}
        return sd, {shoe: score_of(edge, sd) for shoe, edge in edges.items()}


def score_of(edges: Floats, sd: float) -> Floats:
    score: Floats = 1 / (1 + np.exp(np.minimum(-_STEEP * edges / sd, 700)))
    return score


def regressors_of(time: Floats, mean: Floats) -> Floats:
    """The record's regressors of coups (rows), one column each, of size 1 or so: `mean` is the arrangements' mean edge
    in deviations."""
    return np.stack([np.ones(len(time)), time, time**2, time**3, mean, mean**2, mean * time], axis=1)


def _residual(amounts: Floats, regressors: Floats) -> Floats:
    """The residuals of stakes, of a mean size 1, after least squares."""
    amounts = amounts / max(float(np.abs(amounts).mean()), np.finfo(float).tiny)
    residuals: Floats = amounts - regressors @ least_squares(regressors.T @ regressors, regressors.T @ amounts)
    return residuals


def least_squares(products: Floats, with_amounts: Floats) -> Floats:
    """The coefficients by the normal equations: seven columns of size 1, and a direction that hardly varies is left
    out."""
    inverse = np.linalg.pinv(products, rcond=1e-12, hermitian=True)
    coefficients: Floats = inverse @ with_amounts
    return coefficients


def picked(sums: Floats, size: float, most: int, seed: int, stream: int) -> EdgeTest:
    """The test, from the sum of each shoe's stakes on each of its arrangements (shoes, arrangements), the one dealt
    first. Sums that differ by less than a billionth of `size` are taken for equal, and count as large."""
    if not sums.size:
        return NOTHING
    off = sums - sums.mean(axis=1, keepdims=True)
    slack = TOLERANCE * size
    deviation = float(np.sqrt((off**2).mean(axis=1).sum()))
    least = 1.0
    for shoe in off:
        least *= float((shoe >= shoe.max() - slack).mean())
    if deviation <= slack:
        return NOTHING
    seen = float(off[:, 0].sum())
    proved = _chernoff(off, seen, deviation)
    if proved > BOUND:
        large, drawn = _permute.picked(seed, stream, off, seen - slack, ENOUGH, most)
        proved = sequential_p(large, drawn, ENOUGH)
    return EdgeTest(proved, least, seen / deviation)


def _chernoff(off: Floats, seen: float, deviation: float) -> float:
    """A bound on the chance of a sum as large (Chernoff 1952): for any tilt above 0 the product over shoes of the mean
    of exp(tilt * part), less exp(tilt * sum), with the parts' exact distributions."""
    if seen <= 0:
        return 1.0
    best = 0.0
    for tilt in _TILTS / deviation:
        tilted = tilt * off
        top = tilted.max(axis=1, keepdims=True)
        best = min(best, float((np.log(np.exp(tilted - top).mean(axis=1)) + top[:, 0]).sum() - tilt * seen))
    return max(float(np.exp(best)), SMALLEST)


def tiers(shoes: Sequence[Ints]) -> dict[int, list[int]]:
    """The places of bettors, by their shoes, by the number of arrangements drawn of each of their shoes."""
    by_number: dict[int, list[int]] = {}
    for i, of_bettor in enumerate(shoes):
        by_number.setdefault(FEW_SHOES.get(len(of_bettor), ARRANGED), []).append(i)
    return by_number
