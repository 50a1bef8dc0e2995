"""Do stakes know the coming cards? A wager that no honest patron can expect to win, sorter, tip or marks aside.

Stakes that look back only, even a perfect counter's, cannot distinguish the next cards from other unseen ones. So an
observer who at each coup wagers a share of a capital, at exact odds, that larger stakes go with better cards plays a
fair game, whatever the patron does. The final capital is a measure of evidence, an
e-value: its mean is at most 1, so that the chance of 1,000 or more is at most one in a thousand (Markov's inequality),
and 1 over it is a p-value (Vovk and Wang 2021).

The capital is split evenly over wagers of `SHARES` of it: on the edge that Player's first card leaves, or Banker's, by
the stake beside the mean so far in the shoe; and on what the bet paid, by the stake beside the largest so far in the
shoe. A part of each goes through all shoes; of the rest, `APART`, each shoe has its own. Within a shoe coups have an
order; the order of shoes does not matter, since a wager looks at its own shoe only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.audit.edge_following import SMALLEST
from counting.audit.payouts import may_have_paid
from counting.audit.unseen_cards import KIND, UnseenCards, edges
from counting.exact import BANKER, PLAYER, given_first, needs, pay_law
from counting.games import Game
from counting.logs import UNREAD, Log, card_codes, shoe_starts

PAYOUTS = "payouts"
SOURCES = ("player-first", "banker-first", PAYOUTS)
SHARES = (0.1, 0.4, 0.9)
APART = 0.2
_CHUNK = 50_000


class Odds(NamedTuple):
    """For one source, at each coup (rows), how much the bet's edge changed once it was seen: `low` and `high`, the
    same unless unread cards leave it open, 0 where nothing is wagered; and the `least` and the `most` that it could
    be."""

    low: Floats
    high: Floats
    least: Floats
    most: Floats


class Foreknown(NamedTuple):
    """`p`; the `evidence`, the decimal logarithm of the capital, 0 where it shrank; and the source that made most of
    it."""

    p: float
    evidence: float
    source: str


NOBODY = Foreknown(1.0, 0.0, SOURCES[0])


class Known(NamedTuple):
    """The sources of a bet that the log has, and the shoes of its coups (rows)."""

    sources: dict[str, Odds]
    shoe: Ints

    def law(self, rows: Ints, stakes: Floats) -> Foreknown:
        """The wager on one bettor: the stakes at each coup (rows) of the shoes they bet in."""
        if not len(rows) or not stakes.any():
            return NOBODY
        shoe = self.shoe[rows]
        start = shoe_starts(shoe)
        beside, centred = _wagers(shoe, stakes)
        grown: list[Floats] = []
        for source, odds in self.sources.items():
            low, high, least, most = (part[rows] for part in odds)
            wager = beside if source == PAYOUTS else centred
            worst = np.where(wager > 0, -least, most)  # what a unit wagered can lose
            some = np.flatnonzero((wager != 0) & (worst > 0))
            off = np.where(wager > 0, low, high)[some]
            gain = np.zeros(len(rows))
            gain[some] = np.maximum(wager[some] * off / worst[some], -1)
            grown += [np.add.reduceat(np.log1p(share * gain), start) for share in SHARES]
        of_shoe = np.array(grown)
        through = of_shoe.sum(axis=1)
        whole, apart = _log_mean(through) + np.log(1 - APART), _log_mean(of_shoe.reshape(-1)) + np.log(APART)
        capital = np.logaddexp(whole, apart)
        if capital <= 0:
            return NOBODY
        best = through if whole > apart else of_shoe.max(axis=1)
        source = list(self.sources)[int(best.argmax()) // len(SHARES)]
        return Foreknown(max(float(np.exp(-capital)), SMALLEST), float(capital / np.log(10)), source)


def _log_mean(logs: Floats) -> float:
    """The logarithm of the mean of numbers with these logarithms."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def _wagers(shoe: Ints, stakes: Floats) -> tuple[Floats, Floats]:
    """Two wagers from -1 to 1 for each coup, of what is known before it: the stake beside the largest so far in the
    shoe; and how far above or below the mean of the shoe's coups so far."""
    so_far = pl.DataFrame({"shoe": shoe, "stake": stakes}).select(
        largest=pl.col("stake").cum_max().over("shoe"),
        staked=pl.col("stake").cum_sum().over("shoe") - pl.col("stake"),
        coups=pl.int_range(pl.len()).over("shoe"),
    )
    largest, staked, coups = (so_far[name].to_numpy() for name in so_far.columns)
    beside = np.divide(stakes, largest, out=np.zeros(len(stakes)), where=largest > 0)
    mean = np.divide(staked, coups, out=np.zeros(len(stakes)), where=coups > 0)
    larger = np.maximum(stakes, mean)
    centred = np.divide(stakes - mean, larger, out=np.zeros(len(stakes)), where=larger > 0)
    return beside, centred


def known(log: Log, unseen: UnseenCards, game: Game, bet: str) -> Known:
    """What may be known before a coup of this bet, and what came, at each coup of a log. First cards are used for bets
    settled by totals.

    A first card that was not read wagers nothing, and so does a payout where one of the first four cards was not. An
    unread third card counts as the worst one for the wager: that there was one depends on the others.
    """
    edge = edges(unseen, game, bet)
    rows = np.flatnonzero(~np.isnan(edge))
    left = np.ascontiguousarray(unseen.left(needs(game.bet(bet)))[rows])
    codes = card_codes(log.coups)[rows]
    sources = {}
    if game.bet(bet).shows == "outcome":
        for source, hand, place in zip(SOURCES, (PLAYER, BANKER), (0, 3), strict=False):
            first = np.where(codes[:, place] >= 0, KIND["value"][codes[:, place].clip(0)], -1)
            parts = [_first(game, bet, hand, left[at], edge[rows[at]], first[at]) for at in _chunks(len(rows))]
            sources[source] = _spread(parts, rows, len(edge))
    least, most = (of[rows] for of in may_have_paid(log, game, bet))
    read = (codes[:, [0, 1, 3, 4]] != UNREAD).all(axis=1)
    parts = [_paid(game, bet, left[at], edge[rows[at]], least[at], most[at], read[at]) for at in _chunks(len(rows))]
    sources[PAYOUTS] = _spread(parts, rows, len(edge))
    return Known(sources, unseen.shoe)


def _chunks(number: int) -> Iterator[slice]:
    for at in range(0, number, _CHUNK):
        yield slice(at, at + _CHUNK)


def _first(game: Game, bet: str, hand: int, left: NDArray[np.int32], edge: Floats, first: Ints) -> Odds:
    chances, after = given_first(game, bet, hand, left)
    off = after - edge[:, np.newaxis]
    possible = chances > 0
    every = np.arange(len(off))
    seen = np.where((first >= 0) & possible[every, first.clip(0)], off[every, first.clip(0)], 0)
    return Odds(seen, seen, np.where(possible, off, np.inf).min(axis=1), np.where(possible, off, -np.inf).max(axis=1))


def _paid(
    game: Game, bet: str, left: NDArray[np.int32], edge: Floats, least: Floats, most: Floats, read: Bools
) -> Odds:
    """With the least and the most that the bet may have paid, where the first four cards were read."""
    pays, chances = pay_law(game, bet, left)
    off, possible = pays - edge[:, np.newaxis], chances > 0
    bottom, top = np.where(possible, off, np.inf).min(axis=1), np.where(possible, off, -np.inf).max(axis=1)
    low, high = (np.where(read, (paid - edge).clip(bottom, top), 0) for paid in (least, most))
    return Odds(low, high, bottom, top)


def _spread(parts: list[Odds], rows: Ints, number: int) -> Odds:
    columns = []
    for column in zip(*parts, strict=True):
        every = np.zeros(number)
        every[rows] = np.concatenate(column)
        columns.append(every)
    return Odds(*columns) if columns else Odds(*np.zeros((len(Odds._fields), number)))
