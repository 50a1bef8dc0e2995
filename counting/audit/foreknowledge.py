"""Do stakes know the coming cards? A wager that no honest patron can expect to win, sorter, tip or marks aside.

Stakes that look back only, even a perfect counter's, cannot distinguish the next cards from other unseen ones. So an
observer plays a fair game, whatever the patron does, by wagering a share of a capital at each coup, at exact odds, that
larger stakes go with better cards. The final capital is a measure of evidence, an
e-value: its mean is at most 1, so that the chance of 1,000 or more is at most one in a thousand (Markov's inequality),
and 1 over it is a p-value (Vovk and Wang 2021).

The capital is split evenly over wagers of `SHARES` of it: on the edge that Player's first card leaves, or Banker's, by
the stake beside the mean so far in the shoe; and on what the bet paid, by the stake beside the largest so far in the
shoe. A part of each goes through all shoes, for a patron who knows cards in every shoe. The rest, `APART`, is for one
who knows them in few: in each shoe only a share of it, one of `RISKED`, is wagered, split evenly anew. Within a shoe
coups have an order; the order of shoes does not matter, since a wager looks at its own shoe only, nor does it matter
when the patron stops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.audit.edge_following import SMALLEST
from counting.audit.hands import CoupsShown
from counting.audit.patron_stakes import PatronStakes, Visits
from counting.audit.payouts import may_have_paid
from counting.audit.threads import in_threads
from counting.audit.unseen_cards import BLOCK, KIND, UnseenCards, edges
from counting.exact import BANKER, PLAYER, given_first, needs, pay_law
from counting.games import Game
from counting.logs import UNREAD, Log, shoe_starts

PAYOUTS = "payouts"
SOURCES = ("player-first", "banker-first", PAYOUTS)
SHARES = (0.1, 0.4, 0.9)
APART = 0.5
RISKED = (1 / 4, 1 / 32, 1 / 256)


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


class Known:
    """The sources of a bet that a log has."""

    def __init__(self, unseen: UnseenCards, game: Game, bet: str, edge: Floats, shown: CoupsShown) -> None:
        """`edge` of the bet, and what is `shown`, at each coup of the log (rows)."""
        self.unseen, self.game, self.bet, self.edge, self.shown = unseen, game, bet, edge, shown
        self.names = SOURCES if game.bet(bet).shows == "outcome" else SOURCES[2:]

    @cached_property
    def sources(self) -> dict[str, Odds]:
        """The odds of each source at every coup of the log (rows)."""
        parts = [self.odds(rows) for rows in self.unseen.blocks()]
        return {
            name: Odds(
                *(np.concatenate([np.zeros(0), *each]) for each in zip(*(part[name] for part in parts), strict=True))
            )
            for name in self.names
        }

    def law(self, rows: Ints, stakes: Floats) -> Foreknown:
        """The wager on one bettor: the stakes at each coup (rows) of the shoes they bet in. Odds are kept."""
        if not len(rows) or not stakes.any():
            return NOBODY
        shoe = self.unseen.shoe[rows]
        grown = _grown(self._wagers(shoe, stakes), rows, shoe_starts(shoe), self.sources)
        return self._law(np.ascontiguousarray(grown.T))

    def laws(self, staked: Sequence[PatronStakes]) -> list[Foreknown]:
        """The wager on each patron, over the shoes they bet in; each shoe is worked out once."""
        visits = Visits(staked)
        grown = np.zeros((len(visits.shoe), len(self.names) * len(SHARES)))

        def grow(places: range) -> None:
            own = visits.of(places)
            grown[own.start : own.stop] = self._grown_in(visits, places, own)

        for _ in in_threads(grow, self._places(visits.shoes)):
            pass
        return [
            self._law(np.ascontiguousarray(grown[visits.patron == patron].T)) if own.stakes.any() else NOBODY
            for patron, own in enumerate(staked)
        ]

    def odds(self, rows: slice, wanted: Mapping[str, Bools] | None = None) -> dict[str, Odds]:
        """The odds of each source at the coups of some shoes; 0 where they are not wanted."""
        game, bet, edge = self.game, self.bet, self.edge[rows]
        left = self.unseen.left_in(rows, needs(game.bet(bet)))
        codes = self.unseen.codes[rows]
        read = (codes[:, [0, 1, 3, 4]] != UNREAD).all(axis=1)
        least, most = may_have_paid(self.shown, rows, game, bet)
        sources = {}
        for source in self.names:
            some = np.flatnonzero(~np.isnan(edge) & (True if wanted is None else wanted[source]))
            if source == PAYOUTS:
                odds = _paid(game, bet, left[some], edge[some], least[some], most[some], read[some])
            else:
                hand, place = (PLAYER, 0) if source == SOURCES[0] else (BANKER, 3)
                code = codes[some, place]
                first = np.where(code >= 0, KIND["value"][code.clip(0)], -1)
                odds = _first(game, bet, hand, left[some], edge[some], first)
            sources[source] = _spread(odds, some, len(edge))
        return sources

    def _places(self, shoes: Ints) -> Iterator[range]:
        """The places among these shoes, in parts of about `BLOCK` coups of the log from the first to the last."""
        start, end = self.unseen.start[shoes], self.unseen.end[shoes]
        first = 0
        while first < len(shoes):
            last = max(int(np.searchsorted(end, start[first] + BLOCK, "right")), first + 1)
            yield range(first, last)
            first = last

    def _grown_in(self, visits: Visits, places: range, own: range) -> Floats:
        """The logarithm of the capital of each wager in each of these visits (visits, sources and shares)."""
        unseen = self.unseen
        rows = slice(int(unseen.start[visits.shoes[places[0]]]), int(unseen.end[visits.shoes[places[-1]]]))
        stakes = [visits.stakes(visit) for visit in own]
        coups = np.array([len(each) for each in stakes])
        start = np.cumsum(coups) - coups
        shoe = visits.shoes[visits.shoe[own.start : own.stop]]
        row = np.arange(int(coups.sum())) + np.repeat(unseen.start[shoe] - rows.start - start, coups)
        wagers = self._wagers(np.repeat(np.arange(len(own)), coups), np.concatenate(stakes))
        odds = self.odds(rows, {source: _any(row, wager, rows) for source, wager in wagers.items()})
        return _grown(wagers, row, start, odds)

    def _wagers(self, shoe: Ints, stakes: Floats) -> dict[str, Floats]:
        """What is wagered on each source, with stakes at the coups of these shoes."""
        beside, centred = _wagers(shoe, stakes)
        return {source: beside if source == PAYOUTS else centred for source in self.names}

    def _law(self, of_shoe: Floats) -> Foreknown:
        """The wager on one patron, from the logarithms of the capital in each shoe (sources and shares, shoes)."""
        through = of_shoe.sum(axis=1)
        whole, apart = _log_mean(through) + np.log(1 - APART), _log_mean(_anew(of_shoe)) + np.log(APART)
        capital = np.logaddexp(whole, apart)
        if capital <= 0:
            return NOBODY
        best = through if whole > apart else of_shoe.max(axis=1)
        source = self.names[int(best.argmax()) // len(SHARES)]
        return Foreknown(max(float(np.exp(-capital)), SMALLEST), float(capital / np.log(10)), source)


def _grown(wagers: Mapping[str, Floats], row: Ints, start: Ints, odds: Mapping[str, Odds]) -> Floats:
    """The logarithm of the capital of each wager (shoes, sources and shares): of the coups at these rows of the odds,
    those of a shoe from each start on."""
    grown = []
    for source, wager in wagers.items():
        low, high, least, most = (part[row] for part in odds[source])
        worst = np.where(wager > 0, -least, most)  # what a unit wagered can lose
        some = np.flatnonzero((wager != 0) & (worst > 0))
        off = np.where(wager > 0, low, high)[some]
        gain = np.zeros(len(row))
        gain[some] = np.maximum(wager[some] * off / worst[some], -1)
        grown += [np.add.reduceat(np.log1p(share * gain), start) for share in SHARES]
    return np.stack(grown, axis=1)


def _any(row: Ints, wager: Floats, rows: slice) -> Bools:
    """The coups on which anything is wagered."""
    return np.asarray(np.bincount(row[wager != 0], minlength=rows.stop - rows.start) > 0)


def _log_mean(logs: Floats) -> float:
    """The logarithm of the mean of numbers with these logarithms."""
    top = float(logs.max())
    return top + float(np.log(np.exp(logs - top).mean()))


def _anew(of_shoe: Floats) -> Floats:
    """The logarithms of the capitals (shares risked) of which a share is risked in each shoe, split evenly over the
    wagers, from those of the wagers in each shoe (sources and shares, shoes)."""
    top = of_shoe.max(axis=0)
    even = top + np.log(np.exp(of_shoe - top).mean(axis=0))
    risked = np.array(RISKED)[:, np.newaxis]
    logs: Floats = np.logaddexp(np.log1p(-risked), np.log(risked) + even).sum(axis=1)
    return logs


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
    return Known(unseen, game, bet, edges(unseen, game, bet), CoupsShown.of(log.coups, game.tableau))


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


def _spread(odds: Odds, rows: Ints, number: int) -> Odds:
    every = np.zeros((len(Odds._fields), number))
    every[:, rows] = odds
    return Odds(*every)
