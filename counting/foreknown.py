"""Do stakes know the coming cards? A wager that no honest patron can expect to win, sorter, tip or marks aside.

Stakes that look back only, even a perfect counter's, cannot tell the next cards from any others unseen. So at each
coup somebody who wagers a share of his capital, at exact odds, that a larger stake goes with better cards than a
smaller one plays a fair game, whatever the patron does. What his capital has come to is a measure of evidence, an
e-value: the chance that it ever reaches 1,000 times what he began with is at most one in a thousand (Ville 1939), at
any time and for any patron who looks back only, so that 1 over the most that it ever was is a p-value.

He splits his capital evenly over `WAGERS`: on the edge that Player's first card leaves, or Banker's, or on what the
bet paid; on the stake beside the largest so far, or beside the mean so far; and on shares of the capital.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.coming import BANKER, PLAYER, given_first, pay_law
from counting.exact import needs
from counting.logs import Log, card_codes
from counting.rules import Game
from counting.unseen import KIND, Results, Unseen, edges

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

SOURCES = ("player-first", "banker-first", "payouts")
SHARES = (0.03, 0.1, 0.3, 0.9)
_CHUNK = 50_000
_SMALLEST = 1e-300  # a p-value is not written smaller


class Odds(NamedTuple):
    """Of one source: at each coup what the bet's edge was off by, once it was seen (0 where the log does not tell, or
    tells what cannot be), and the least and the most that could be (rows)."""

    off: Floats
    least: Floats
    most: Floats


class Foreknown(NamedTuple):
    """`p`; the `evidence`, the decimal logarithm of the most that the wager's capital came to; and the source that
    made most of it."""

    p: float
    evidence: float
    source: str


NOBODY = Foreknown(1.0, 0.0, SOURCES[0])


class Known(NamedTuple):
    """The sources of a bet that the log has."""

    sources: dict[str, Odds]

    def law(self, rows: Ints, stakes: Floats, present: Bools) -> Foreknown:
        """The wager on one bettor: his stakes at each coup (rows) of the shoes he bet in, in order; `present` from his
        first bet of any kind in the shoe on."""
        if not len(rows) or not stakes.any():
            return NOBODY
        wagers = _wagers(stakes, present)
        grown: list[tuple[str, Floats]] = []
        for source, odds in self.sources.items():
            off, least, most = (part[rows] for part in odds)
            for wager in wagers:
                worst = np.where(wager > 0, -least, most)  # what a unit wagered can lose
                some = np.flatnonzero((wager != 0) & (worst > 0))
                gain = np.zeros(len(rows))
                gain[some] = wager[some] * off[some] / worst[some]
                grown += [(source, np.log1p(share * gain).cumsum()) for share in SHARES]
        paths = np.array([path for _, path in grown])
        top = paths.max(axis=0)
        capital = np.log(np.exp(paths - top).mean(axis=0)) + top
        best = int(capital.argmax())
        if capital[best] <= 0:
            return NOBODY
        source = grown[int(paths[:, best].argmax())][0]
        return Foreknown(max(float(np.exp(-capital[best])), _SMALLEST), float(capital[best] / np.log(10)), source)


def _wagers(stakes: Floats, present: Bools) -> list[Floats]:
    """Two wagers from -1 to 1 for each coup, of what is known before it: the stake beside the largest so far; and more
    or less than the mean of the coups so far at which he was there."""
    largest = np.maximum.accumulate(stakes)
    beside = np.divide(stakes, largest, out=np.zeros(len(stakes)), where=largest > 0)
    before = np.concatenate([[0], np.cumsum(present * stakes)[:-1]])
    coups = np.concatenate([[0], np.cumsum(present)[:-1]])
    mean = np.divide(before, coups, out=np.zeros(len(stakes)), where=coups > 0)
    larger = np.maximum(stakes, mean)
    centred = np.divide(stakes - mean, larger, out=np.zeros(len(stakes)), where=present & (larger > 0))
    return [beside, centred]


def known(log: Log, unseen: Unseen, game: Game, bet: str, results: Results) -> Known:
    """What may be known before a coup of this bet, and what came, at each coup of a log. First cards tell of bets that
    are settled by totals."""
    edge = edges(unseen, game, bet)
    rows = np.flatnonzero(~np.isnan(edge))
    knows = needs(game.bet(bet))
    left = np.ascontiguousarray(unseen.left(knows)[rows])
    codes = card_codes(log.coups)[rows]
    sources = {}
    if game.bet(bet).shows == "outcome":
        for source, hand, place in zip(SOURCES, (PLAYER, BANKER), (0, 3), strict=False):
            first = np.where(codes[:, place] >= 0, KIND["value"][codes[:, place].clip(0)], -1)
            parts = [_first(game, bet, hand, left[at], edge[rows[at]], first[at]) for at in _chunks(len(rows))]
            sources[source] = _spread(parts, rows, len(edge))
    paid, told = results.paid(bet)
    parts = [_paid(game, bet, left[at], edge[rows[at]], paid[rows[at]], told[rows[at]]) for at in _chunks(len(rows))]
    sources[SOURCES[2]] = _spread(parts, rows, len(edge))
    return Known(sources)


def _chunks(number: int) -> Iterator[slice]:
    for at in range(0, number, _CHUNK):
        yield slice(at, at + _CHUNK)


def _first(game: Game, bet: str, hand: int, left: NDArray[np.int32], edge: Floats, first: Ints) -> Odds:
    chances, given = given_first(game, bet, hand, left)
    off = given - edge[:, np.newaxis]
    there = chances > 0
    every = np.arange(len(off))
    seen = np.where((first >= 0) & there[every, first.clip(0)], off[every, first.clip(0)], 0)
    return Odds(seen, np.where(there, off, np.inf).min(axis=1), np.where(there, off, -np.inf).max(axis=1))


def _paid(game: Game, bet: str, left: NDArray[np.int32], edge: Floats, paid: Floats, told: Bools) -> Odds:
    pays, chances = pay_law(game, bet, left)
    off, there = pays - edge[:, np.newaxis], chances > 0
    least, most = np.where(there, off, np.inf).min(axis=1), np.where(there, off, -np.inf).max(axis=1)
    could = ((paid[:, np.newaxis] == pays) & there).any(axis=1)
    return Odds(np.where(told & could, paid - edge, 0), least, most)


def _spread(parts: list[Odds], rows: Ints, number: int) -> Odds:
    found = []
    for column in zip(*parts, strict=True):
        every = np.zeros(number)
        every[rows] = np.concatenate(column)
        found.append(every)
    return Odds(*found) if found else Odds(*np.zeros((3, number)))
