"""Importance sampling: compositions at which a bet is positive are drawn more often than by chance and given less
weight.

Let n cards be unseen in a shoe of N cards. Of the N cards, m_v have the value v. The probability that n_v unseen cards
have the value v, for every v, is

    p = prod C(m_v, n_v) / C(N, n)

Far from the end of the shoe, compositions with a positive edge are rare, and they lie in several directions. For
example, the Tie's edge is nearly a quadratic form in the composition. So compositions are drawn from a mixture that
favours these directions. Each composition is weighted by the ratio of p to its probability in the mixture. This is
importance sampling, which is unbiased whatever the mixture.

One component of the mixture is p itself, which bounds every weight (Hesterberg 1995). The others are exponential tilts
of p, in proportion to prod C(m_v, n_v) exp(t_v n_v). This is Fisher's noncentral multivariate hypergeometric
distribution. The tilts are placed in three steps:

1. Chains walk by exchanges of one card for another (Metropolis, for the distribution p). They stay above a level of the
   edge, and this level rises to zero. At each level the lower half of the chains continues from the places of the upper
   half (subset simulation, Au and Beck 2001). So each direction keeps its share of the probability. To favour only the
   likeliest positive composition would mislead, because most of the probability lies in directions in which the edge is
   flatter.
2. Tilts are fitted to the chains' compositions by expectation and maximisation (EM). The fit starts from compositions
   that are far apart.
3. The tilts are fitted again to a weighted pilot sample. Its weights are exact, while the chains' shares are rough.

Every draw is from a Philox stream with the address (seed, n, step, component, block). Each component has a fixed number
of samples, so the variance of an estimate is only the variance within components."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s
from counting.exact import Settlement
from counting.instruction_sets import chosen
from counting.simulation import _fits, _tilts
from counting.simulation.tilts import Tilt, Tilts, chances_near, even
from counting.workers import threads

_PLAIN = 0.2  # the share of the samples drawn from p itself, so that no weight exceeds 5
_TILTS = 32
_EVEN = 0.3  # the part of the tilts' samples that is shared evenly, so that no remote sample weighs much
_PILOT = 30_000
_FITS = 20, 10  # rounds of EM: on the chains, on the pilot
_BLOCK = 1 << 16  # samples drawn at a time
_CHAINS, _STEPS = 2_000, 10  # chains, and steps at each level
_LOOKS, _APART = 3, 20  # how often chains are looked at when all are positive; the steps before each look
_CHAIN, _STARTED, _PILOTED, _SAMPLED = 1, 2, 3, 4  # steps of the streams' addresses

COUNTS = ("cards_left", "samples", "positive_samples")
COLUMNS = (
    *COUNTS,
    "p_positive",
    "p_positive_se",
    "mean_positive_part",
    "mean_positive_part_se",
    "mean_positive_edge",
    "mean_positive_edge_se",
    "mean_edge",
)


def _by_kind(compositions: NDArray[Any]) -> Floats:
    """The compositions as an array (kinds, compositions). Sums over compositions then run along memory, some three
    times as fast."""
    return np.ascontiguousarray(compositions.T, np.float64)


@dataclass(frozen=True)
class Mixture:
    """The plain distribution and its tilts, with their shares of the samples (1 + tilts,)."""

    tilts: tuple[Tilt, ...]
    shares: Floats

    @classmethod
    def of(cls, full: Int32s, cards_left: int, chances: Floats, shares: Floats) -> Mixture:
        """A mixture of tilts with these chances (tilts, kinds). The tilts' part of the samples is spread partly evenly,
        and partly in proportion to `shares`. Without tilts, the mixture is the plain distribution."""
        plain = even(full, cards_left)
        tilted = shares
        if len(shares):
            tilted = (1 - _PLAIN) * ((1 - _EVEN) * shares / shares.sum() + _EVEN / len(shares))
        tilts = [Tilt(full, np.array(row), cards_left) for row in (plain, *chances)]
        return cls(tuple(tilts), np.array([1 - tilted.sum(), *tilted]))

    @cached_property
    def side_by_side(self) -> Tilts:
        """The tilts and their shares, to draw compositions from."""
        return Tilts.of(self.tilts, self.shares)

    def sizes(self, samples: int) -> NDArray[np.int64]:
        """The number of samples of each component, two or more."""
        sizes = np.maximum((self.shares * samples).astype(np.int64), 2)
        sizes[0] += samples - sizes.sum()
        return sizes

    @cached_property
    def _logs(self) -> tuple[Floats, Floats]:
        leans, levels = zip(*(tilt.logs for tilt in self.tilts), strict=True)
        return np.array(leans) - leans[0], np.array(levels) - levels[0]

    def ratios(self, compositions: Int32s) -> Floats:
        """The probability of each composition in each component, divided by its plain probability (compositions, 1 +
        tilts)."""
        leans, levels = self._logs
        logs = np.einsum("tv,vc->tc", leans, _by_kind(compositions)) + levels[:, np.newaxis]
        plain = self.tilts[0]
        if any(tilt.curve for tilt in self.tilts):
            off = compositions - plain.full * (plain.cards_left / plain.full.sum())
            logs += np.outer([tilt.curve for tilt in self.tilts], (off**2).sum(axis=1))
        with np.errstate(over="ignore"):  # beyond 1e308, a weight is 0
            ratios: Floats = np.exp(logs).T
        return ratios

    def weights(self, compositions: Int32s, sizes: NDArray[np.int64]) -> Floats:
        """The plain probability of each composition, divided by its probability in the mixture. The quotient is at most
        1 over the plain distribution's share."""
        weights: Floats = 1 / np.einsum("ct,t->c", self.ratios(compositions), sizes / sizes.sum())
        return weights


class _Sampled(NamedTuple):
    compositions: Int32s
    weights: Floats
    edges: Floats


def _of_one_bet(edges: Floats) -> Floats:
    return edges[:, 0]


@dataclass(frozen=True)
class Sampler:
    """Draws compositions of `cards_left` cards at which a figure is positive. By default, this figure is one bet's
    edge.

    `height` maps edges (rows, bets) to heights (rows,). The compositions sought have a positive height, which is the
    figure to estimate. For other compositions, the height is larger the nearer they are to a composition sought."""

    priced: Settlement
    full: Int32s
    cards_left: int
    seed: int
    height: Callable[[Floats], Floats] = _of_one_bet

    def stream(self, step: int, component: int = 0, block: int = 0) -> np.random.Generator:
        key = np.array([self.seed, self.cards_left], np.uint64)
        return np.random.Generator(np.random.Philox(key=key, counter=[0, block, component, step]))

    def edges(self, compositions: Int32s) -> Floats:
        return self.height(self.priced.edges(compositions))

    def draw(self, mixture: Mixture, sizes: NDArray[np.int64], step: int, component: int, block: int = 0) -> _Sampled:
        """A block of the samples of a component. Their weights are for the whole mixture."""
        size = min(_BLOCK, int(sizes[component]) - block * _BLOCK)
        compositions = mixture.tilts[component].draw(self.stream(step, component, block), size)
        return _Sampled(compositions, mixture.weights(compositions, sizes), self.edges(compositions))

    def mixture(self) -> Mixture:
        """A mixture fitted to compositions with a positive height. It is the plain distribution alone if these are
        common, or if none is reached."""
        plain = Mixture.of(self.full, self.cards_left, np.empty((0, 10)), np.empty(0))
        walked = self._walk(plain.tilts[0])
        if walked is None:
            return plain
        apart = self._chances(self._apart(walked.compositions))
        fitted = Mixture.of(self.full, self.cards_left, *self._fit(walked, apart, np.ones(_TILTS), _FITS[0]))
        sizes = fitted.sizes(_PILOT)
        drawn = [self.draw(fitted, sizes, _PILOTED, i) for i in range(len(sizes))]
        pilot = _Sampled(*(np.concatenate(part) for part in zip(*drawn, strict=True)))
        chances = np.array([tilt.chances for tilt in fitted.tilts[1:]])
        return Mixture.of(self.full, self.cards_left, *self._fit(pilot, chances, fitted.shares[1:], _FITS[1]))

    def _walk(self, plain: Tilt) -> _Sampled | None:
        """Chains at a positive height. None if more than half of the plain distribution has a positive height, or if no
        chain reaches one."""
        stream, level = self.stream(_CHAIN), -np.inf
        at = plain.draw(stream, _CHAINS)
        edges = self.edges(at)
        if np.median(edges) > 0:
            return None
        while level < 0:
            level = min(float(np.quantile(edges, 0.5, method="lower")), 0.0)
            above = np.flatnonzero(edges > level)
            if len(above) == 0:
                return None
            chosen = above[np.arange(_CHAINS) * len(above) // _CHAINS]
            at, edges = at[chosen], edges[chosen]
            self._step(stream, at, edges, level, _STEPS)
        looks = []
        for _ in range(_LOOKS):
            self._step(stream, at, edges, level, _APART)
            looks.append((at.copy(), edges.copy()))
        compositions, edges = map(np.concatenate, zip(*looks, strict=True))
        return _Sampled(compositions, np.ones(len(edges)), edges)

    def _step(self, stream: np.random.Generator, at: Int32s, edges: Floats, level: float, steps: int) -> None:
        """Make Metropolis steps in place. Each step tries a random exchange. The exchange is accepted with a chance set
        by the ratio of probabilities, and only if the height stays above the level."""
        tried, moved = np.empty(len(at), np.int32), np.empty_like(at)
        for _ in range(steps):
            which, chance = stream.random(len(at)), stream.random(len(at))
            number = _tilts.exchanges(at, self.full, which, chance, tried, moved)
            worth = self.edges(moved[:number])
            good = np.flatnonzero(worth > level)
            chains = tried[good]
            at[chains], edges[chains] = moved[good], worth[good]

    def _apart(self, compositions: Int32s) -> Int32s:
        """A start for each tilt. Each is likely to be far from the earlier starts, in standard deviations
        (k-means++)."""
        places = compositions / np.sqrt(self.full)
        distance, chosen = np.full(len(places), 1.0), []
        for u in self.stream(_STARTED).random(_TILTS):
            up_to = distance.cumsum()
            chosen.append(min(int(np.searchsorted(up_to, u * up_to[-1], side="right")), len(places) - 1))
            from_it = ((places - places[chosen[-1]]) ** 2).sum(axis=1)
            distance = from_it if len(chosen) == 1 else np.minimum(distance, from_it)
        return compositions[chosen]

    def _chances(self, compositions: NDArray[Any]) -> Floats:
        """The share of the cards of each kind that is unseen, kept away from 0 and 1 by a quarter of a card."""
        return chances_near(self.full, compositions)

    def _fit(self, drawn: _Sampled, chances: Floats, shares: Floats, rounds: int) -> tuple[Floats, Floats]:
        """Tilts (chances, shares) fitted to the compositions with a positive height. Half of the weight in the fit
        follows the compositions' probability, and half follows their part of the figure to estimate.

        The chance that the binomials add up to `cards_left` is approximated by a normal distribution. This affects the
        fit, but not the weights."""
        positive = drawn.edges > 0
        if not positive.any():
            return chances, shares
        weights, edges, by_kind = drawn.weights[positive], drawn.edges[positive], _by_kind(drawn.compositions[positive])
        weights = weights / weights.sum() + weights * edges / (weights * edges).sum()
        sums = np.empty((len(chances), len(self.full) + 1))
        for _ in range(rounds):
            out = np.log1p(-chances)
            spread = (self.full * chances * (1 - chances)).sum(axis=1)
            levels = (self.full * out).sum(axis=1) + np.log(spread) / 2 + np.log(shares)
            logs = np.column_stack([np.log(chances) - out, levels])
            _fits.sums(by_kind, weights, logs, sums, chosen(_fits.best_level()))
            shares = np.maximum(sums[:, -1], 1e-9)
            chances = self._chances(sums[:, :-1] / shares[:, np.newaxis])
        return chances, shares / shares.sum()

    def row(self, samples: int, workers: int | None) -> dict[str, Any]:
        """The columns of `estimate`, without the mean edge."""
        mixture = self.mixture()
        sizes = mixture.sizes(samples)
        tasks = [(i, block) for i, size in enumerate(sizes) for block in range(-(-int(size) // _BLOCK))]

        def sums(task: tuple[int, int]) -> tuple[int, Floats, Floats]:
            drawn = self.draw(mixture, sizes, _SAMPLED, *task)
            both = drawn.weights * np.stack([drawn.edges > 0, drawn.edges.clip(0)])
            return int((drawn.edges > 0).sum()), both.sum(axis=1), np.einsum("is,js->ij", both, both)

        positive, total, squares = 0, np.zeros((len(sizes), 2)), np.zeros((len(sizes), 2, 2))
        with ThreadPoolExecutor(threads(workers)) as pool:
            for (i, _), (count, sum_, square) in zip(tasks, pool.map(sums, tasks), strict=True):
                positive += count
                total[i] += sum_
                squares[i] += square
        # The variance of a sum of independent samples, from the variance within each component.
        within = squares - total[:, :, np.newaxis] * total[:, np.newaxis, :] / sizes[:, np.newaxis, np.newaxis]
        variance = (within * (sizes / (sizes - 1))[:, np.newaxis, np.newaxis]).sum(axis=0) / samples**2
        chance, part = (float(x) for x in total.sum(axis=0) / samples)
        row: dict[str, Any] = dict.fromkeys(COLUMNS)
        row |= {"cards_left": self.cards_left, "samples": samples, "positive_samples": positive}
        row |= {"p_positive": chance, "mean_positive_part": part}
        row |= {"p_positive_se": _root(variance[0, 0]), "mean_positive_part_se": _root(variance[1, 1])}
        if chance > 0:
            ratio = part / chance
            lean = np.array([-ratio, 1]) / chance
            row |= {"mean_positive_edge": ratio, "mean_positive_edge_se": _root(lean @ variance @ lean)}
        return row


def _root(variance: float) -> float | None:
    """The root of a variance. None if the samples are all equal, or too small to be squared."""
    return sqrt(variance) if variance > 1e-290 else None
