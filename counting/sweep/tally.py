"""From coups to sums: a block's coups priced exactly, and each bettor's bets and gains on them.

The sums of blocks add up to the sweep's sums, whichever worker plays a block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s
from counting.cards import DECK
from counting.exact import settlement
from counting.games import Game
from counting.instruction_sets import chosen
from counting.simulation import LEAST_COUP, Coups
from counting.sweep import _bettor, _tally, spread, tables
from counting.sweep.bettors import CountingBettor
from counting.sweep.scoring import Priced, Scoring, triggers_reached
from counting.sweep.tables import BETTORS, DEALT, DEPTH, LEDGER, PENETRATION, Columns

TALLIES = (LEDGER, DEPTH, DEALT, PENETRATION, BETTORS)


class Tally(NamedTuple):
    """The tables of a block. The figures of all blocks add up to the sweep's figures. `penetration` and `bettors` are
    empty unless the plan has them."""

    ledger: pl.DataFrame
    depth: pl.DataFrame
    dealt: pl.DataFrame
    penetration: pl.DataFrame
    bettors: pl.DataFrame


class BlockSums:
    """A block's coups, with every bet priced once at the start of each coup.

    For each of the `cuts`, the coups that are dealt with this cut are added up by bettor, by cards left and by coup
    number. With a `grid` of rising cuts, gains are also added up by the largest cut of the grid at which the coup is
    still dealt. `penetration`: whether to make the table of that name. Coups are added to `spreads`, which
    `spread.no_coups` makes."""

    def __init__(
        self,
        scoring: Scoring,
        cuts: Sequence[int],
        grid: NDArray[np.int64] | None = None,
        penetration: bool = True,
        spreads: Int32s | None = None,
    ) -> None:
        self.scoring = scoring
        self.by_cut = [_BlockSumsAtCut(scoring, cut, grid, penetration, spreads) for cut in cuts]

    def add(self, coups: Coups) -> None:
        """Add the coups of whole shoes. A call should have few coups, so that they stay in the processor's cache."""
        priced = self.scoring.priced(coups)
        for sums in self.by_cut:
            dealt = coups.last_cut >= sums.cut
            if dealt.all():
                sums.add(coups, priced)
            else:
                sums.add(coups.only(dealt), priced.only(dealt))

    def tally(self, block: int) -> Tally:
        """The tables of the block. `block` is its number."""
        frames_by_cut = [sums.frames(block) for sums in self.by_cut]
        if len(frames_by_cut) == 1:
            return frames_by_cut[0]
        return Tally(*(pl.concat(frames) for frames in zip(*frames_by_cut, strict=True)))


class _BlockSumsAtCut:
    """The sums of a block over the coups that are dealt with one cut."""

    def __init__(
        self, scoring: Scoring, cut: int, grid: NDArray[np.int64] | None, penetration: bool, spreads: Int32s | None
    ) -> None:
        self.scoring, self.cut = scoring, cut
        self.grid = np.zeros(0, np.int64) if grid is None else grid
        # For each `last_cut`: the index, in the grid, of the largest cut at which such a coup is still dealt; -1 if
        # there is none.
        self.place_of = np.searchsorted(self.grid, np.arange(DECK * scoring.decks + 1), side="right") - 1
        layout, bets, cards = scoring.layout, len(scoring.bets), DECK * scoring.decks
        ledger_columns, depth_columns, columns_by_cut = _tally.columns()
        self.layout = _tally.Layout(
            layout.first_cell, layout.first_by_cut, layout.scored, layout.start, layout.triggers, 1 / scoring.units
        )
        self.ledger = np.zeros((len(layout.keys), ledger_columns))
        self.depth = np.zeros((bets, cards + 1, depth_columns))
        self.coups = np.zeros(3)
        cells_by_cut = len(layout.keys_by_cut) if len(self.grid) and penetration else 0
        self.by_cut = np.zeros((len(self.grid), cells_by_cut, columns_by_cut), np.int64)
        self.counting = [
            (i, bettor)
            for i, bettor in enumerate(scoring.bettors)
            if isinstance(bettor, CountingBettor) and scoring.alike[i] == i
        ]
        self.by_bettor = np.zeros((len(scoring.bettors), 4, len(self.grid)), np.int64)
        self.by_cards = np.zeros(cards + 1, np.int64)
        self.spread = np.zeros((bets, cards // spread.GROUP + 1, 0), np.int32) if spreads is None else spreads
        numbers = cards // LEAST_COUP + 1  # index: the coup's number in its shoe, from 0
        self.by_coup = [np.zeros((numbers, of), np.int64) for of in settlement(scoring.game).sizes]

    def add(self, coups: Coups, priced: Priced) -> None:
        if not len(priced.edges):
            return
        scoring = self.scoring
        settled = settlement(scoring.game, scoring.bets)
        edges = np.ascontiguousarray(priced.edges.T)
        place = self.place_of[coups.last_cut]
        if scoring.bettors and len(self.grid):
            self._add_bettors(coups, priced, dict(zip(scoring.bets, edges, strict=True)), place)
        _tally.tally(
            self.layout,
            edges,
            np.ascontiguousarray(priced.squares.T),
            np.ascontiguousarray(priced.classes.T),
            np.ascontiguousarray(priced.reached.T),
            coups.shoe,
            coups.coup,
            coups.cards_left,
            place.astype(np.int32),
            np.ascontiguousarray(settled.pays.T),
            settled.column,
            self.ledger,
            self.depth,
            self.coups,
            self.by_cut,
            self.spread,
            spread.LOWEST,
        )
        self.by_cards += np.bincount(coups.cards_left, minlength=len(self.by_cards))
        for sums, classes in zip(self.by_coup, priced.classes.T, strict=True):
            key = coups.coup.astype(np.int64) * sums.shape[1] + classes
            sums += np.bincount(key, minlength=sums.size).reshape(sums.shape)

    def _add_bettors(self, coups: Coups, priced: Priced, edges: Mapping[str, Floats], place: NDArray[np.intp]) -> None:
        scoring = self.scoring
        won: dict[str, Floats] = {}
        if self.counting:
            paid = settlement(scoring.game, scoring.bets).paid_by(priced.classes)
            won = dict(zip(scoring.bets, paid.T, strict=True))
        systems = {system.name: (k, system) for k, system in enumerate(scoring.systems)}
        self.by_bettor[:, 0] += np.bincount(place, minlength=len(self.grid))
        for i, bettor in self.counting:
            k, system = systems[bettor.system]
            reached = priced.reached[:, k]
            if bettor.missed:
                reached = triggers_reached(system, coups, scoring.decks, float(bettor.missed))
            triggered = {bet: reached > system.scored.index(system.on(bet)) for bet in bettor.sides}
            gain, staked = bettor.play(coups, edges, won, triggered)
            _bettor.add(gain, staked, place, scoring.bettor_units[i], self.by_bettor[i, 1:])
        level = chosen(_bettor.best_level())
        for bets, perfect in scoring.perfect.items():
            of_bets = np.stack([edges[bet] for bet in bets])
            _bettor.add_best(of_bets, *perfect, place, self.by_bettor, level)

    def frames(self, block: int) -> Tally:
        scoring, keys = self.scoring, self.scoring.layout.keys
        columns = (
            _ledger_columns(self.ledger, keys, self.coups),
            _depth_columns(self.depth, scoring.bets, self.by_cards),
            _dealt_columns(scoring.game, self.by_coup),
            self._by_cut_columns(),
            self._bettors_columns(),
        )
        return Tally(*(tables.frame(table, of, block, self.cut) for table, of in zip(TALLIES, columns, strict=True)))

    def _bettors_columns(self) -> Columns:
        bettors, by_bettor = self.scoring.bettors, self.by_bettor[self.scoring.alike]
        bettor, cut = np.nonzero(by_bettor[:, 0])
        sums = by_bettor[bettor, :, cut]
        return {
            "bettor": pl.Series([each.name for each in bettors], dtype=pl.String)[bettor],
            "cut": self.grid[cut],
            **{name: sums[:, i].copy() for i, name in enumerate(("coups", "played", "sides", "gain"))},
            "gain_unit": self.scoring.bettor_units[bettor],
        }

    def _by_cut_columns(self) -> Columns:
        """A row for each cell and cut with coups, in the order of cells and then of cuts."""
        cell, cut = np.nonzero(self.by_cut[:, :, 0].T)
        system, bin_, trigger, bet = zip(*self.scoring.layout.keys_by_cut, strict=True)
        of_bet = np.array([self.scoring.bets.index(name) for name in bet])[cell]
        sums = self.by_cut[cut, cell]
        return {
            "system": pl.Series(system, dtype=pl.String)[cell],
            "bet": pl.Series(bet, dtype=pl.String)[cell],
            "bin": np.array(bin_)[cell],
            "trigger": pl.Series(trigger, dtype=pl.Float64)[cell],
            "gain_unit": self.scoring.units[0][of_bet],
            "square_unit": self.scoring.units[1][of_bet],
            "cut": self.grid[cut],
            **{name: sums[:, i].copy() for i, name in enumerate(("coups", "positive", "gain", "square"))},
        }


def _ledger_columns(ledger: Floats, keys: list[tuple[str, float | None, str]], sums: Floats) -> Columns:
    system, trigger, bet = zip(*keys, strict=True)
    order = ["bets", "positive_bets", "gain", "shoes_betting", "first_coup"]
    order += ["bets_sq", "gain_sq", "bets_gain", "bets_coups", "gain_coups", "square", "won", "won_sq"]
    return {
        "system": list(system),
        "trigger": pl.Series(trigger, dtype=pl.Float64),
        "bet": list(bet),
        **{name: int(total) for name, total in zip(("shoes", "coups", "coups_sq"), sums, strict=True)},
        **{name: np.ascontiguousarray(ledger[:, i]) for i, name in enumerate(order)},
    }


def _depth_columns(depth: Floats, bets: Sequence[str], coups: NDArray[np.int64]) -> Columns:
    (reached,) = np.nonzero(coups)
    order = ("positive_coups", "gain", "gain_sq", "edge", "first_positive")
    return {
        "bet": [bet for bet in bets for _ in reached],
        "cards_left": np.tile(reached, len(bets)),
        "coups": np.tile(coups[reached], len(bets)),
        **{name: depth[:, reached, i].reshape(-1) for i, name in enumerate(order)},
    }


def _dealt_columns(game: Game, by_coup: Sequence[NDArray[np.int64]]) -> Columns:
    coups = by_coup[0].sum(axis=1)
    happened = np.column_stack([by_coup[k][:, among].sum(axis=1) for k, among in settlement(game).events.values()])
    numbers = np.flatnonzero(coups)
    return {
        "coup": np.repeat(numbers, len(game.events)),
        "event": list(game.events) * len(numbers),
        "coups": np.repeat(coups[numbers], len(game.events)),
        "happened": happened[numbers].reshape(-1),
    }
