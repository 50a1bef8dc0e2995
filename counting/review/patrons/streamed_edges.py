"""The test of `edge_following` for shoes with too many edges to keep: no edge is kept.

A shoe's sums of residual times score are linear in the residual. The residual is the stake less the regressors times
their coefficients. So it is enough to keep these sums:

- for each shoe, score times stake, and score times each regressor
- for each bettor, the normal equations

The coefficients are worked out last.

One thing differs from the test that keeps all edges. There, the score is scaled by the deviation of all edges of the
bettor's shoes. Here, it is scaled by the deviation of about `SCALING_EDGES` edges from the first shoes. All
arrangements of these shoes enter this deviation equally. So it does not depend on which arrangement was dealt, and the
test is still exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.edge_following import (
    NOTHING,
    TOLERANCE,
    EdgeTest,
    inverse,
    picked,
    regressors_of,
    scored_sums,
)
from counting.review.patrons.patron_stakes import PatronStakes, Visits
from counting.workers import in_threads

SCALING_EDGES = 1 << 22
_REGRESSORS = 7


def streamed(
    arrangements: Arrangements, bet: str, staked: Sequence[PatronStakes], number: int, most: int, seed: int,
    streams: Sequence[int],
) -> list[EdgeTest]:  # fmt: skip
    """The test of each bettor's stakes on a bet. `number` arrangements are drawn per shoe, and at most `most` sums per
    bettor."""
    visits = Visits(staked)
    sd = _edge_deviation(arrangements, bet, visits.shoes, number)
    if sd <= TOLERANCE:
        return [NOTHING] * len(staked)
    sums = _EdgeSums(arrangements, bet, visits, number, sd)
    for normal in in_threads(sums.add, arrangements.parts(visits.shoes, number)):
        sums.count(normal)
    return [picked(sums.of(bettor), float(sums.coups[bettor]), most, seed, own) for bettor, own in enumerate(streams)]


def _edge_deviation(arrangements: Arrangements, bet: str, shoes: Ints, number: int) -> float:
    """The standard deviation of about `SCALING_EDGES` edges. They are from the first shoes that can be priced."""
    size, total, squares = 0, 0.0, 0.0
    for edge in arrangements.edges(bet, shoes, number):
        priced = edge[:, ~np.isnan(edge[0])]
        size, total, squares = size + priced.size, total + float(priced.sum()), squares + float((priced**2).sum())
        if size >= SCALING_EDGES:
            break
    mean = total / max(size, 1)
    return float(np.sqrt(max(squares / max(size, 1) - mean**2, 0)))


class _Normal(NamedTuple):
    """Sums for some visits.

    - `bettor`: the bettor of each visit
    - `products`: the products of regressors with each other and, in the last column, with the stakes
    - `staked`: the sum of the stakes
    - `coups`: the number of coups"""

    bettor: Ints
    products: Floats
    staked: Floats
    coups: Ints


class _EdgeSums:
    """The sums that are kept.

    - `with_stake` (visits, arrangements): score times stake
    - `with_regressor` (shoes, arrangements, regressors): score times regressor
    - `products`, `total` and `coups`: the sums of `_Normal` for each bettor"""

    def __init__(self, arrangements: Arrangements, bet: str, visits: Visits, number: int, sd: float) -> None:
        self.arrangements, self.bet, self.visits = arrangements, bet, visits
        self.number, self.sd = number, sd
        self._time = arrangements.unseen.cards, float(arrangements.unseen.cards.max())
        self.with_stake = np.zeros((len(visits.shoe), number + 1))
        self.with_regressor = np.zeros((len(visits.shoes), number + 1, _REGRESSORS))
        self.priced = np.zeros(len(visits.shoes), np.bool_)
        self.products = np.zeros((len(visits.staked), _REGRESSORS, _REGRESSORS + 1))
        self.total, self.coups = np.zeros(len(visits.staked)), np.zeros(len(visits.staked), np.int64)

    def add(self, shoes: Ints) -> _Normal:
        """Price some shoes and keep their sums. The result is what they add to the bettors' sums. Results are to be
        added in the order of the shoes, so that rounding does not depend on threads."""
        visits = self.visits
        first = int(np.searchsorted(visits.shoes, shoes[0]))
        borders = np.searchsorted(visits.shoe, np.arange(first, first + len(shoes) + 1))
        products = np.zeros((int(borders[-1] - borders[0]), _REGRESSORS, _REGRESSORS + 1))
        staked, coups = np.zeros(len(products)), np.zeros(len(products), np.int64)
        for at, of_bet in enumerate(self.arrangements.edges_of([self.bet], shoes, self.number)):
            edges = of_bet[:, :, 0]
            low, high = int(borders[at]), int(borders[at + 1])
            priced = ~np.isnan(edges[0])
            if not priced.any():
                continue
            self.priced[first + at] = True
            known = np.ascontiguousarray(edges.T if priced.all() else edges[:, priced].T)
            cards, most = self._time
            time = cards[self.arrangements.rows(int(shoes[at]))][priced] / most
            regressors = regressors_of(time, known.mean(axis=1) / self.sd)
            amounts = np.stack([visits.stakes(visit)[priced] for visit in range(low, high)])
            both = np.ascontiguousarray(np.concatenate([regressors.T, amounts]))
            sums, of_shoe = np.empty((len(both), known.shape[1])), both @ regressors
            scored_sums(known, self.sd, both, 0, sums)
            self.with_regressor[first + at] = sums[:_REGRESSORS].T
            self.with_stake[low:high] = sums[_REGRESSORS:]
            own = slice(low - int(borders[0]), high - int(borders[0]))
            products[own, :, :-1] = of_shoe[:_REGRESSORS]
            products[own, :, -1] = of_shoe[_REGRESSORS:]
            staked[own], coups[own] = np.abs(amounts).sum(axis=1), len(known)
        return _Normal(visits.patron[borders[0] : borders[-1]], products, staked, coups)

    def count(self, normal: _Normal) -> None:
        np.add.at(self.products, normal.bettor, normal.products)
        np.add.at(self.total, normal.bettor, normal.staked)
        np.add.at(self.coups, normal.bettor, normal.coups)

    def of(self, bettor: int) -> Floats:
        """A bettor's sums of residual times score (shoes, arrangements). The stakes are scaled to a mean size of 1."""
        own = np.flatnonzero((self.visits.patron == bettor) & self.priced[self.visits.shoe])
        scale = max(float(self.total[bettor]) / max(int(self.coups[bettor]), 1), np.finfo(float).tiny)
        products = self.products[bettor]
        coefficients = inverse(products[:, :-1]) @ (products[:, -1] / scale)
        sums: Floats = self.with_stake[own] / scale - self.with_regressor[self.visits.shoe[own]] @ coefficients
        return sums
