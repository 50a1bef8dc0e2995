"""Do stakes follow the edge, beyond results, totals, third cards, pairs, money and time? An exact test.

Each shoe is rearranged in many ways that keep the record (`arrangements`). A patron who goes by results, totals, third
cards, pairs, money, time or chance would have staked the same in every arrangement. So the shoe as dealt is any of them
with the same chance. A counter's stakes fit the arrangement that was dealt.

The statistic of a shoe is a sum over its coups: the stake's residual times a score of the edge. The residual is taken
on time, its square and cube, and on the arrangements' mean edge, its square and its product with time. All of these
follow from the record. The score is 1 / (1 + exp(-2 edge / sd)). Here sd is the deviation of all edges of all
arrangements of the bettor's shoes; of the first shoes, if there are too many to keep (`streamed_edges`).

Sums of scores are drawn with a random arrangement of each shoe. The p-value is the share of sums that are at least the
observed sum (Besag and Clifford 1989). It is exact for any statistic; the choice of statistic only decides how soon a
counter is detected.
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
    """One bettor's stakes on a bet, at each coup of the shoes in which they bet, with the numbers of these shoes."""

    shoes: Ints
    rows: Ints
    amounts: Floats


class EdgeTest(NamedTuple):
    """`p`, the p-value; `least_p`, its least possible value with these arrangements; `excess`, the observed sum less
    its mean over arrangements, in standard deviations over arrangements."""

    p: float
    least_p: float
    excess: float


NOTHING = EdgeTest(1.0, 1.0, 0.0)


class Scored:
    """A bet's scored edges over all arrangements of a log's shoes, with the record's regressors of each coup."""

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
        size = float(known.sum())  # stakes have the mean size 1
        return picked(np.array(sums), size, most, seed, stream)

    def _scored(self, shoes: tuple[int, ...]) -> tuple[float, dict[int, Floats]]:
        """The standard deviation of all edges of these shoes, and the scores of each shoe; none if edges do not
        vary."""
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
    """The record's regressors of coups (rows), one column each, of a size near 1. `mean`: the arrangements' mean edge
    in standard deviations."""
    return np.stack([np.ones(len(time)), time, time**2, time**3, mean, mean**2, mean * time], axis=1)


def _residual(amounts: Floats, regressors: Floats) -> Floats:
    """The residuals of stakes after least squares. The stakes are scaled to the mean size 1."""
    amounts = amounts / max(float(np.abs(amounts).mean()), np.finfo(float).tiny)
    residuals: Floats = amounts - regressors @ least_squares(regressors.T @ regressors, regressors.T @ amounts)
    return residuals


def least_squares(products: Floats, with_amounts: Floats) -> Floats:
    """The coefficients by the normal equations, for seven columns of size 1. A direction that hardly varies is left
    out."""
    inverse = np.linalg.pinv(products, rcond=1e-12, hermitian=True)
    coefficients: Floats = inverse @ with_amounts
    return coefficients


def picked(sums: Floats, size: float, most: int, seed: int, stream: int) -> EdgeTest:
    """The test, from each shoe's sum on each of its arrangements (shoes, arrangements), with the arrangement as dealt
    first. Sums that differ by less than a billionth of `size` are equal, and count as at least the observed sum. A
    Chernoff bound of at most `BOUND` is taken as the p-value, and nothing is drawn."""
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
    """A bound on the chance of a sum of at least this size (Chernoff 1952). For any tilt above 0, it is the product
    over shoes of the mean of exp(tilt * part), divided by exp(tilt * sum), with the parts' exact distributions."""
    if seen <= 0:
        return 1.0
    best = 0.0
    for tilt in _TILTS / deviation:
        tilted = tilt * off
        top = tilted.max(axis=1, keepdims=True)
        best = min(best, float((np.log(np.exp(tilted - top).mean(axis=1)) + top[:, 0]).sum() - tilt * seen))
    return max(float(np.exp(best)), SMALLEST)


def tiers(shoes: Sequence[Ints]) -> dict[int, list[int]]:
    """The places of bettors, by the number of arrangements that are drawn for each of their shoes."""
    by_number: dict[int, list[int]] = {}
    for i, of_bettor in enumerate(shoes):
        by_number.setdefault(FEW_SHOES.get(len(of_bettor), ARRANGED), []).append(i)
    return by_number
