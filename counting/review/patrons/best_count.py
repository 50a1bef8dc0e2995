"""The count that best predicts when a patron bets more than usual."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.review.unseen_cards import UnseenCards
from counting.systems import PERFECT, System, counts_for
from counting.workers import in_threads

Reached = tuple[System, NDArray[Any]]


class Counts:
    """For each count that suits a bet, how many of its triggers it has reached at each coup. These numbers are worked
    out when they are needed."""

    def __init__(self, unseen: UnseenCards, systems: Sequence[System] = ()) -> None:
        self.unseen, self.systems = unseen, systems
        self._last: tuple[str, list[Reached]] | None = None  # the arrays are large: only the last bet's are kept

    def of(self, bet: str) -> list[Reached]:
        """The library's counts for the bet, and the user's. Each count comes with the number of its triggers that it
        has reached at each coup (rows,)."""
        if self._last is None or self._last[0] != bet:
            self._last = None
            systems = self.systems_of(bet)
            self._last = bet, list(zip(systems, in_threads(self._reached, systems), strict=True))
        return self._last[1]

    def systems_of(self, bet: str) -> list[System]:
        own = (s for s in self.systems if s.bets is None or bet in s.bets)
        return list({system.name: system for system in (*counts_for(bet), *own)}.values())

    def running(self, system: System) -> NDArray[np.int32]:
        """The running count at the start of each coup (rows,)."""
        running = np.empty(len(self.unseen.shoe), np.int32)
        for rows in self.unseen.blocks():
            running[rows] = self._running(rows, system)
        return running

    def _running(self, rows: slice, system: System) -> NDArray[np.int32]:
        """The running count at the start of these coups (rows,)."""
        unseen = self.unseen
        left = unseen.left_in(rows, system.knows).clip(0)
        of_row = unseen.decks_of[unseen.shoe[rows]]
        running = np.empty(len(left), np.int32)
        for decks in np.unique(of_row).tolist():
            some = of_row == decks
            running[some] = system.running(left[some], decks)
        return running

    def _reached(self, system: System) -> NDArray[Any]:
        reached = np.empty(len(self.unseen.shoe), np.min_scalar_type(len(system.scored)))
        for rows in self.unseen.blocks():
            cards = self.unseen.cards[rows].clip(1)
            reached[rows] = system.reached(self._running(rows, system), cards, cards)
            if system.knows != "value":  # cards not known well enough cannot be counted, so no trigger is reached
                reached[rows] *= self.unseen.known_in(rows, system.knows)
        return reached


class ToldBy(NamedTuple):
    """The count that best predicts when the patron bets more than usual, and its trigger.

    - `bets_at_trigger`: the share of the larger bets that are made at or above the trigger
    - `coups_at_trigger`: the share of the coups at or above the trigger that have a larger bet"""

    count_used: str | None = None
    trigger: float | None = None
    bets_at_trigger: float | None = None
    coups_at_trigger: float | None = None


def told_by(more: NDArray[np.bool_], edge: Floats, counts: Sequence[Reached]) -> ToldBy:
    """The count that best predicts when the patron bets more than usual: the count with the largest likelihood ratio.
    `more` (rows,) marks the coups with more than the usual bet.

    A ratio compares how often the patron bets more when the count is at or above a trigger, and when it is below. The
    perfect counter is tried first; its trigger is an edge above 0."""
    if not 0 < more.sum() < len(more):
        return ToldBy()
    best, best_count = 0.0, ToldBy()
    known: list[tuple[str, tuple[float, ...], NDArray[Any]]] = [(PERFECT, (0.0,), (edge > 0).astype(np.int32))]
    for name, triggers, reached in [*known, *((s.name, s.scored, r) for s, r in counts)]:
        each = np.bincount(reached, minlength=len(triggers) + 1)
        with_more = np.bincount(reached, more, len(triggers) + 1)
        coups, bets = (x[::-1].cumsum()[::-1][1:].astype(float) for x in (each, with_more))
        for i, ratio in enumerate(ratios(coups, bets, len(more), float(more.sum()))):
            if ratio > best * (1 + 1e-12):
                best = ratio
                best_count = ToldBy(name, triggers[i], bets[i] / float(more.sum()), bets[i] / coups[i])
    return best_count


def ratios(coups: Floats, bets: Floats, all_coups: int, all_bets: float) -> Floats:
    """Log likelihood ratios for splits of coups in two. `coups` and `bets` are the numbers of coups and of bets above
    each split, in arrays of any shape.

    A ratio is 0 if the patron does not bet more often above the split."""
    ratio = np.zeros(coups.shape)
    usual = all_bets / all_coups
    for n, k, sign in ((coups, bets, 1), (all_coups - coups, all_bets - bets, -1)):
        with np.errstate(divide="ignore", invalid="ignore"):
            share = k / n
            part = np.where(k > 0, k * np.log(share / usual), 0)
            part = part + np.where(n > k, (n - k) * np.log((1 - share) / (1 - usual)), 0)
            ratio += np.where(n > 0, part, 0)
            ratio[(n > 0) & (sign * (share - usual) < 0)] = -np.inf
    return ratio.clip(0)
