"""Do stakes follow the edge more than results, totals, third cards, pairs, money and time explain? An exact test.

Each shoe is rearranged in many ways that leave the record unchanged (`arrangements`). Take a patron who bets by
results, totals, third cards, pairs, money, time or chance. This patron would have staked the same in every arrangement.
So for this patron, every arrangement is equally likely to be the shoe as dealt. A counter's stakes, however, fit the
arrangement that was dealt better than the others.

The statistic of a shoe is the sum over its coups of the stake's residual times a score of the edge. The residual is
what remains of the stake after a regression on a constant and:

- time, its square and its cube
- the arrangements' mean edge, its square, and its product with time

All of these regressors follow from the record. The score is

    1 / (1 + exp(-2 edge / sd))

Here sd is the standard deviation of all edges, over all arrangements of the bettor's shoes. If there are too many of
these edges to keep, sd is worked out from the first of them (`streamed_edges`).

Sums over the shoes are drawn, each with a random arrangement of every shoe. The p-value is the share of sums that are
at least the observed sum. The observed sum counts as one of these sums (Besag and Clifford 1989). If a proved bound on
this share is at most `BOUND`, the bound is the p-value. The test is valid for any statistic. The choice of statistic
only decides how soon a counter is detected."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from counting.arrays import Bools, Floats, Ints
from counting.instruction_sets import chosen
from counting.review import _permute, _scores
from counting.review.patrons.kept_edges import BetEdges
from counting.review.patrons.patron_stakes import rows_between
from counting.review.patrons.permutation_test import BOUND, ENOUGH
from counting.review.significance import SMALLEST, sequential_p

FEW_SHOES = {1: 9_999, 2: 999, 3: 199}  # the arrangements drawn per shoe, by the bettor's number of shoes
ARRANGED = 39
_STEEP = 2.0
TOLERANCE = 1e-9
_TILTS = np.geomspace(0.01, 100, 60)


class EdgeTest(NamedTuple):
    """The result of a test.

    - `p`: the p-value
    - `least_p`: the least p-value that is possible with these arrangements
    - `excess`: how far the observed sum is above its mean over arrangements, in standard deviations of the sum over
      arrangements"""

    p: float
    least_p: float
    excess: float


NOTHING = EdgeTest(1.0, 1.0, 0.0)


class Scored:
    """A bet's edges over all arrangements of some of a log's shoes, and the tests of bettors in these shoes."""

    def __init__(self, kept: BetEdges) -> None:
        self._kept = kept
        self._last: tuple[bytes, _Priced] | None = None  # kept for the next bettors in the same shoes

    def tests(
        self, shoes: Ints, stakes: Sequence[Floats], most: int, seed: int, streams: Sequence[int]
    ) -> list[EdgeTest]:
        """A test for each of several bettors in the same shoes. `stakes` has each bettor's stake at each coup of these
        shoes. At most `most` sums are drawn per test."""
        known = self._last
        if known is None or known[0] != shoes.tobytes():
            known = self._last = shoes.tobytes(), self._priced(shoes)
        priced = known[1]
        if priced.sd <= TOLERANCE:
            return [NOTHING] * len(stakes)
        residuals, first = np.stack([priced.residual(amounts) for amounts in stakes]), 0
        sums = np.empty((len(priced.edges), len(stakes), self._kept.edges.shape[1]))
        for edges, of_shoe in zip(priced.edges, sums, strict=True):
            scored_sums(edges, priced.sd, residuals, first, of_shoe)
            first += len(edges)
        size = float(len(priced.regressors))  # the mean size of a stake is 1
        return [picked(sums[:, i], size, most, seed, stream) for i, stream in enumerate(streams)]

    def _priced(self, shoes: Ints) -> _Priced:
        kept, unseen = self._kept, self._kept.unseen
        coups = kept.coups(shoes)
        means = np.concatenate([kept.means[of_shoe] for of_shoe in coups])
        known = ~np.isnan(means)
        edges = [edge for edge in map(kept.priced, coups) if len(edge)]
        sd = _deviation(kept.spreads[np.searchsorted(kept.shoes, shoes)])
        rows, cards = rows_between(unseen.start[shoes], unseen.end[shoes])[known], unseen.cards
        regressors = regressors_of(cards[rows] / cards.max(), means[known] / max(sd, TOLERANCE))
        return _Priced(sd, edges, known, regressors, inverse(regressors.T @ regressors))


class _Priced(NamedTuple):
    """The coups of some shoes that can be priced.

    - `sd`: the standard deviation of all edges
    - `edges`: an array (coups, arrangements) for each shoe with priced coups
    - `known`: which of all coups are priced
    - `regressors` (priced coups, 7): see `regressors_of`
    - `inverse`: the inverse of the regressors' products"""

    sd: float
    edges: list[Floats]
    known: Bools
    regressors: Floats
    inverse: Floats

    def residual(self, stakes: Floats) -> Floats:
        """The residuals of least squares at the priced coups. `stakes` has the stakes of all coups. They are scaled to
        a mean size of 1."""
        amounts = stakes[self.known]
        amounts /= max(float(np.abs(amounts).mean()), np.finfo(float).tiny)
        residuals: Floats = amounts - self.regressors @ (self.inverse @ (self.regressors.T @ amounts))
        return residuals


def scored_sums(edges: Floats, sd: float, amounts: Floats, first: int, out: Floats) -> None:
    """Fill `out` (columns, arrangements) with sums over the coups of a shoe, of amount times score. `edges` (coups,
    arrangements) has the shoe's edges. `amounts` (columns, coups of all shoes) has the amounts; the shoe's coups begin
    at `first`."""
    _scores.sums(edges, _STEEP / sd, amounts, first, out, chosen(_scores.best_level()))


def _deviation(spreads: Floats) -> float:
    """The standard deviation of the edges of several shoes, from the spread of each shoe (shoes, 3)."""
    number, mean, squares = spreads.T
    every = max(float(number.sum()), 1)
    off = mean - (number * mean).sum() / every
    return float(np.sqrt((squares + number * off**2).sum() / every))


def regressors_of(time: Floats, mean: Floats) -> Floats:
    """The seven regressors of some coups (coups, 7). `mean` is the arrangements' mean edge in standard deviations. All
    regressors have a size near 1."""
    return np.stack([np.ones(len(time)), time, time**2, time**3, mean, mean**2, mean * time], axis=1)


def inverse(products: Floats) -> Floats:
    """The inverse of the regressors' products (7, 7). A direction in which the regressors hardly vary is left out."""
    return np.asarray(np.linalg.pinv(products, rcond=1e-12, hermitian=True))


def picked(sums: Floats, size: float, most: int, seed: int, stream: int) -> EdgeTest:
    """The test, from the sum of each shoe in each of its arrangements (shoes, arrangements). The first arrangement is
    the one that was dealt.

    A sum that is below the observed sum by less than a billionth of `size` counts as equal to it. If a Chernoff bound
    is at most `BOUND`, the bound is the p-value, and no sums are drawn."""
    if not sums.size:
        return NOTHING
    off = sums - sums.mean(axis=1, keepdims=True)
    slack = TOLERANCE * size
    deviation = float(np.sqrt((off**2).mean(axis=1).sum()))
    least = prod((off >= off.max(axis=1, keepdims=True) - slack).mean(axis=1).tolist())
    if deviation <= slack:
        return NOTHING
    seen = float(off[:, 0].sum())
    proved = _chernoff(off, seen, deviation)
    if proved > BOUND:
        large, drawn = _permute.picked(seed, stream, off, seen - slack, ENOUGH, most)
        proved = sequential_p(large, drawn, ENOUGH)
    return EdgeTest(proved, least, seen / deviation)


def _chernoff(off: Floats, seen: float, deviation: float) -> float:
    """A bound on the chance of a sum of at least `seen` (Chernoff 1952).

    For any tilt above 0, take each shoe's mean of exp(tilt * `off`) over its arrangements. The product of these means
    over the shoes, divided by exp(tilt * `seen`), is a bound. The least bound over `_TILTS` is taken."""
    if seen <= 0:
        return 1.0
    best = 0.0
    for tilt in _TILTS / deviation:
        tilted = tilt * off
        top = tilted.max(axis=1, keepdims=True)
        bound = float((np.log(np.exp(tilted - top).mean(axis=1)) + top[:, 0]).sum() - tilt * seen)
        if bound > best + 1:  # the bound is convex in the tilt, so larger tilts give larger bounds
            break
        best = min(best, bound)
    return max(float(np.exp(best)), SMALLEST)


def tiers(shoes: Sequence[Ints]) -> dict[int, list[int]]:
    """The bettors, as places in `shoes`, grouped by the number of arrangements that is drawn for each of their
    shoes."""
    by_number: dict[int, list[int]] = {}
    for i, of_bettor in enumerate(shoes):
        by_number.setdefault(FEW_SHOES.get(len(of_bettor), ARRANGED), []).append(i)
    return by_number
