"""Which count do stakes follow? A count is named only if it explains the stakes, and if the mean edge of the patron's
larger bets is near enough to the mean edge of bets by the count.

These are the two conditions:

- The shoes are rearranged as in `arrangements`. The best likelihood ratio over all counts and triggers (`best_count`)
  is compared with the best ratio in random arrangements. The share of arrangements with at least this ratio is a
  p-value, which must be at most `LEVEL`. It is exact for any patron who bets by the record, whichever count fits best
  (Besag and Clifford 1989).
- Three mean edges are compared: u for random stakes on any coups of the log, c for bets by the count in the patron's
  shoes, and b for the patron's larger bets, each weighted by its excess over the usual stake. The conditions are c > u
  and b >= u + `NEAR` (c - u)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from counting.arrays import Bools, Floats, Ints
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.best_count import Counts, ToldBy, ratios, told_by
from counting.review.patrons.edge_following import ARRANGED
from counting.review.significance import monte_carlo_p
from counting.systems import PERFECT, System
from counting.workers import in_threads

LEVEL = 0.01  # the level of the test whether a count explains the stakes
NEAR = 0.5
SHOES = 100  # at most this number of a patron's first shoes are tested, which is enough
_DRAWN = 999


class NamedCount(NamedTuple):
    """The count, as in `ToldBy`; its p-value `p_count`; and `edge_count`, the mean edge of bets by the count in the
    same shoes. All are None if no count is named."""

    count_used: str | None = None
    trigger: float | None = None
    bets_at_trigger: float | None = None
    coups_at_trigger: float | None = None
    p_count: float | None = None
    edge_count: float | None = None


class PricedStakes(NamedTuple):
    """Stakes on a bet at the coups of some shoes that can be priced: rows of the log, stakes and edges, each
    (rows,)."""

    rows: Ints
    stakes: Floats
    edges: Floats

    @property
    def above_usual(self) -> Floats:
        """How much each stake is above the median stake; 0 if it is not."""
        above: Floats = (self.stakes - (np.median(self.stakes) if len(self.stakes) else 0)).clip(0)
        return above


def named_count(
    bet: str, staked: PricedStakes, usual: float, arrangements: Arrangements, counts: Counts, seed: int, stream: int
) -> NamedCount:
    """The count that stakes on a bet follow. `usual` is the mean edge of random stakes."""
    reached = counts.of(bet)
    best = told_by(staked.above_usual > 0, staked.edges, [(system, every[staked.rows]) for system, every in reached])
    own = _own_bets(best, bet, staked, counts)
    if own is None or not own.any():
        return NamedCount()
    above = staked.above_usual
    edge, near = float(above @ staked.edges / above.sum()), float(staked.edges[own].mean())
    if near <= usual or edge - usual < NEAR * (near - usual):
        return NamedCount()
    p = _p_count(bet, staked, arrangements, [system for system, _ in reached], seed, stream)
    return NamedCount(*best, p, near) if p <= LEVEL else NamedCount()


def _own_bets(best: ToldBy, bet: str, staked: PricedStakes, counts: Counts) -> Bools | None:
    """Whether a counter who uses the best count bets, at each coup. The counter bets at the count's own trigger, which
    need not be the trigger in `best`."""
    if best.count_used is None:
        return None
    if best.count_used == PERFECT:
        positive: Bools = staked.edges > 0
        return positive
    system, reached = next((s, r) for s, r in counts.of(bet) if s.name == best.count_used)
    at_trigger: Bools = reached[staked.rows] > system.scored.index(system.on(bet))
    return at_trigger


def _p_count(
    bet: str, staked: PricedStakes, arrangements: Arrangements, systems: Sequence[System], seed: int, stream: int
) -> float:
    """The p-value of the test whether a count explains the stakes. In each arrangement, the count that fits the stakes
    best is found. The p-value is the share of arrangements in which its fit is at least as good as in the arrangement
    as dealt, which counts too."""
    shoe = arrangements.unseen.shoe[staked.rows]
    shoes = np.unique(shoe)[:SHOES]
    more = staked.above_usual > 0
    draw = np.random.Generator(np.random.Philox(key=np.array([seed, stream], np.uint64)))
    picked = np.concatenate([np.zeros((1, len(shoes)), np.int64), draw.integers(0, ARRANGED + 1, (_DRAWN, len(shoes)))])
    own = [shoe == number for number in shoes.tolist()]

    def splits(i: int) -> tuple[Floats, Floats]:
        place = staked.rows[own[i]] - arrangements.rows(int(shoes[i])).start
        (edges,) = arrangements.edges_of([bet], shoes[i : i + 1], ARRANGED)
        return _splits(int(shoes[i]), place, more[own[i]], edges[:, :, 0], arrangements, systems)

    coups: Floats | float = 0.0
    bets: Floats | float = 0.0
    for i, (in_shoe, with_bet) in enumerate(in_threads(splits, range(len(shoes)))):
        coups, bets = coups + in_shoe[picked[:, i]], bets + with_bet[picked[:, i]]
    in_shoes = np.isin(shoe, shoes)
    every, with_more = int(in_shoes.sum()), int(more[in_shoes].sum())
    if not 0 < with_more < every:
        return 1.0
    fits = ratios(np.asarray(coups), np.asarray(bets), every, float(with_more)).max(axis=1)
    return monte_carlo_p(fits)


def _splits(
    shoe: int,
    place: Ints,
    larger: Bools,
    edges: Floats,
    arrangements: Arrangements,
    systems: Sequence[System],
) -> tuple[Floats, Floats]:
    """Two arrays (arrangements, triggers) for a shoe. The triggers are the perfect counter's, then the triggers of all
    counts.

    The first array has the number of coups at or above the trigger. The second has the number of these coups with more
    than the usual stake."""
    unseen = arrangements.unseen
    cards = unseen.cards[arrangements.rows(shoe)].clip(1)
    decks = int(unseen.decks_of[shoe])
    above = [(edges[:, place] > 0)[:, :, np.newaxis]]
    knows = {system.knows for system in systems}
    every = {each: arrangements.left(shoe, each, len(edges) - 1).clip(0) for each in knows}
    for system in systems:
        left = every[system.knows]
        running = system.running(left.reshape(-1, left.shape[2]), decks)
        each = np.tile(cards, len(left))
        reached = system.reached(running, each, each).reshape(len(left), -1)
        if system.knows != "value":
            reached = reached * unseen.known_in(arrangements.rows(shoe), system.knows)
        above.append(reached[:, place, np.newaxis] > np.arange(len(system.scored)))
    split = np.concatenate(above, axis=2)
    return split.sum(axis=1).astype(float), split[:, larger].sum(axis=1).astype(float)
