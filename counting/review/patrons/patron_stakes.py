"""Each patron's stakes on a bet, at every coup of the shoes in which they bet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.games import Game
from counting.logs import Log
from counting.review.unseen_cards import UnseenCards


class PatronStakes(NamedTuple):
    """A patron's stakes on a bet, over all coups of the `shoes` in which the patron made any bet.

    - `start` and `end` (shoes,): the rows of the log's coups for each shoe, from `start` up to but not including `end`
    - `place`: where each bet is among these coups, in rising order
    - `hundredths`: the amount of each bet
    - `won`: the actual win; None if some result is not logged

    `place` and `hundredths` are in small integer types."""

    patron: str
    bet: str
    shoes: Ints
    start: Ints
    end: Ints
    place: Int32s
    hundredths: NDArray[Any]
    won: float | None

    @property
    def rows(self) -> Ints:
        """The rows of all coups."""
        return rows_between(self.start, self.end)

    @property
    def stakes(self) -> Floats:
        """The stake at each coup; 0 if there is none."""
        return self.at(0, int((self.end - self.start).sum()))

    def at(self, first: int, last: int) -> Floats:
        """The stakes at the coups numbered from `first` up to but not including `last`."""
        some = slice(*np.searchsorted(self.place, [first, last]))
        amounts = self.hundredths[some] / 100
        return np.asarray(np.bincount(self.place[some] - first, amounts, last - first), float)

    def of_first(self, shoes: int) -> PatronStakes:
        """The stakes in the first `shoes` shoes only. `won` is still the win over all shoes."""
        start, end = self.start[:shoes], self.end[:shoes]
        some = slice(int(np.searchsorted(self.place, (end - start).sum())))
        place, hundredths = self.place[some], self.hundredths[some]
        return self._replace(shoes=self.shoes[:shoes], start=start, end=end, place=place, hundredths=hundredths)


def rows_between(start: Ints, end: Ints) -> Ints:
    """The rows from each start up to but not including its end, one shoe after another."""
    coups = end - start
    rows: Ints = np.arange(int(coups.sum())) + np.repeat(start - (np.cumsum(coups) - coups), coups)
    return rows


class Visits:
    """The shoes in which some patrons bet: one visit per patron and shoe, sorted by shoe.

    For each visit, `shoe` is the shoe's place in `shoes`, and `patron` the patron's place in `staked`."""

    def __init__(self, staked: Sequence[PatronStakes]) -> None:
        self.staked = staked
        number = [len(own.shoes) for own in staked]
        every = np.concatenate([np.zeros(0, np.int64), *(own.shoes for own in staked)])
        self.shoes, shoe = np.unique(every, return_inverse=True)
        order = np.argsort(shoe, kind="stable")
        self.shoe: Ints = shoe[order]
        self.patron: Ints = np.repeat(np.arange(len(staked)), number)[order]
        coups = [own.end - own.start for own in staked]
        self._coups = np.concatenate([np.zeros(0, np.int64), *coups])[order]
        self._at = np.concatenate([np.zeros(0, np.int64), *(np.cumsum(of) - of for of in coups)])[order]

    def of(self, shoes: range) -> range:
        """The visits to a range of shoes, given by their places in `shoes`."""
        return range(*np.searchsorted(self.shoe, [shoes.start, shoes.stop]).tolist())

    def stakes(self, visit: int) -> Floats:
        """The stakes at each coup of the visit's shoe."""
        at = int(self._at[visit])
        return self.staked[int(self.patron[visit])].at(at, at + int(self._coups[visit]))


def stakes_of(log: Log, unseen: UnseenCards, game: Game) -> Iterator[PatronStakes]:
    """Each patron's stakes on each bet of `game`. Patrons come in the order in which they first appear, and so do the
    bets of a patron."""
    row, bets = log.bet_rows, log.bets.select("patron", "amount", "won")
    for of_patron in _by_patron(log.bets, row, game):
        shoe = unseen.shoe[row[np.concatenate([lines for _, lines in of_patron])]]
        shoes = np.unique(shoe)
        start, end = unseen.start[shoes], unseen.end[shoes]
        begin = np.cumsum(end - start) - (end - start)  # where each shoe begins among the stakes
        for bet, lines in of_patron:
            shoe = unseen.shoe[row[lines]]
            place = row[lines] + (begin - start)[np.searchsorted(shoes, shoe)]
            order = np.argsort(place, kind="stable")
            placed = bets[lines[order]]
            won = None if placed["won"].null_count() else float(placed["won"].sum()) / 100
            amounts = placed["amount"].to_numpy()
            by_place = place[order].astype(np.int32), amounts.astype(np.min_scalar_type(int(amounts.max())))
            yield PatronStakes(str(placed["patron"][0]), bet, shoes, start, end, *by_place, won)


def _by_patron(bets: pl.DataFrame, row: Int32s, game: Game) -> Iterator[list[tuple[str, Ints]]]:
    """For each patron, the patron's bets. Each bet comes with its rows in the log's bets. Rows whose coup is not in the
    log are left out."""
    named = bets["bet"].unique(maintain_order=True)
    main = [game.main_bet(str(name)) for name in named]
    known = list(dict.fromkeys(bet for bet in main if bet in game.bet_names))
    if not known:
        return
    category = named.to_physical().to_numpy()
    number = np.full(int(category.max()) + 1, -1, np.int32)
    number[category] = [known.index(bet) if bet in known else -1 for bet in main]
    of_bet = number[bets["bet"].to_physical().to_numpy()]
    placed = np.flatnonzero((row >= 0) & (of_bet >= 0)).astype(np.uint32)
    if not len(placed):
        return
    key = bets["patron"].to_physical().to_numpy()[placed].astype(np.int64) * len(known) + of_bet[placed]
    key = key.astype(np.min_scalar_type(int(key.max())))  # small keys are sorted in less time and memory
    order = np.argsort(key, kind="stable")
    at, key = placed[order], key[order]
    starts = np.flatnonzero(np.append(True, np.diff(key) != 0))
    groups: dict[int, list[tuple[int, int, int]]] = {}
    for first, last in zip(starts.tolist(), [*starts[1:].tolist(), len(at)], strict=True):
        groups.setdefault(int(key[first]) // len(known), []).append((int(at[first]), first, last))
    for of_patron in sorted(map(sorted, groups.values())):
        yield [(known[int(key[first]) % len(known)], at[first:last].astype(np.int64)) for _, first, last in of_patron]
