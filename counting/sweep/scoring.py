"""What a sweep scores (bettors, bets, and systems with their triggers), and where the sums are kept."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import MOST_DECKS
from counting.errors import InputError, whole_field
from counting.exact import settlement
from counting.games import Game, catalog
from counting.simulation import Coups
from counting.sweep._bettor import Allowed
from counting.sweep.bettors import Bettor, PerfectBettor, unit_of
from counting.systems import PERFECT, System, Triggers


class Priced(NamedTuple):
    """Priced coups, a row for each.

    - `edges` and `squares` (rows, bets): exact edges and mean squared profits
    - `classes` (rows, columns): the coup's classes, as in `exact.Settlement`
    - `reached` (rows, systems): the number of triggers that each system's count has reached"""

    edges: Floats
    squares: Floats
    classes: NDArray[np.int32]
    reached: NDArray[np.int32]

    def only(self, rows: NDArray[np.bool_]) -> Priced:
        return Priced(self.edges[rows], self.squares[rows], self.classes[rows], self.reached[rows])


def triggers_reached(system: System, coups: Coups, decks: int, missed: float = 0) -> NDArray[np.int32]:
    """The number of the system's scored triggers that its count has reached at each coup (rows,). The counter misses
    the share `missed` of the cards dealt."""
    seen = replace(coups, left=coups.noticed(missed)) if missed else coups
    return system.reached(running_count(system, seen, decks), coups.cards_left, coups.undealt)


def running_count(system: System, coups: Coups, decks: int) -> NDArray[np.int32]:
    """The running count before each coup (rows,)."""
    return system.running(coups.values if system.knows == "value" else coups.left, decks)


def scored_bets(system: System, game: Game, bets: Sequence[str]) -> list[str]:
    """The bets that a system is scored on: the bets that it names and that are priced, or all priced bets if it names
    none.

    Raises `InputError` if no bet of the system is priced, or if a bet is neither the game's nor the catalog's."""
    if system.bets is None:
        return list(bets)
    for name in system.bets:
        if name not in game.bet_names and name not in catalog():
            raise InputError(f"system {system.label}: bets = {name!r}: {game.name} has {', '.join(game.bet_names)}")
    own = [name for name in bets if name in system.bets]
    if not own:
        counts, priced = ", ".join(system.bets), ", ".join(bets)
        raise InputError(
            f"system {system.label}: counts for {counts}, should count for one of the bets priced: {priced}"
        )
    return own


class SumLayout(NamedTuple):
    """Where the sums are kept. There is a cell for each (system, trigger, bet). The sums by cut have a cell for each
    (system, bin, bet)."""

    keys: list[tuple[str, float | None, str]]
    first_cell: NDArray[np.int32]
    scored: NDArray[np.int32]
    start: NDArray[np.int32]
    triggers: NDArray[np.int32]
    keys_by_cut: list[tuple[str, int, float | None, str]]
    first_by_cut: NDArray[np.int32]


class Perfect(NamedTuple):
    """Perfect bettors: their stakes, rebates and units of gains, and their numbers among all bettors."""

    stakes: list[Allowed]
    rebates: Floats
    units: Floats
    numbers: NDArray[np.int64]


@dataclass(frozen=True)
class Scoring:
    """What is scored: bets of a game, and the systems that bet on them. Shoes have `decks` decks."""

    game: Game
    bets: tuple[str, ...]
    systems: tuple[System, ...]
    decks: int
    bettors: tuple[Bettor, ...] = ()

    def __post_init__(self) -> None:
        whole_field(self, "decks", "decks", 1, MOST_DECKS)

    @cached_property
    def layout(self) -> SumLayout:
        keys: list[tuple[str, float | None, str]] = [(PERFECT, None, bet) for bet in self.bets]
        by_cut: list[tuple[str, int, float | None, str]] = [
            (PERFECT, i, None, bet) for bet in self.bets for i in (0, 1)
        ]
        first_cell, first_by_cut, start, scored = [], [], [0], []
        for system in self.systems:
            first_cell.append(len(keys))
            first_by_cut.append(len(by_cut))
            own = scored_bets(system, self.game, self.bets)
            scored += [self.bets.index(bet) for bet in own]
            start.append(len(scored))
            keys += [(system.name, trigger, bet) for trigger in system.scored for bet in own]
            bins = enumerate((None, *system.scored))
            by_cut += [(system.name, i, trigger, bet) for i, trigger in bins for bet in own]
        triggers = [len(system.scored) for system in self.systems]
        places = ([*first_cell, len(keys)], scored, start, triggers, [*first_by_cut, len(by_cut)])
        cells, of_bets, starts, of_systems, cells_by_cut = (np.array(place, np.int32) for place in places)
        return SumLayout(keys, cells, of_bets, starts, of_systems, by_cut, cells_by_cut)

    @cached_property
    def units(self) -> NDArray[np.float64]:
        """The units of gains and of mean squares in the table `penetration` (2, bets). They are powers of two; a
        comment at that table explains why."""
        bits = [max(1, ceil(max(line.pay for line in self.game.bet(bet).pays))).bit_length() for bet in self.bets]
        return np.array([[unit_of(power * b) for b in bits] for power in (1, 2)])

    @cached_property
    def bettor_units(self) -> NDArray[np.float64]:
        """The units of gains in the table `bettors` (bettors,)."""
        return np.array([bettor.unit(self.game) for bettor in self.bettors])

    @cached_property
    def alike(self) -> list[int]:
        """For each bettor, the number of the first bettor who wins the same on every coup."""
        first: dict[Hashable, int] = {}
        return [first.setdefault(bettor.wins, i) for i, bettor in enumerate(self.bettors)]

    @cached_property
    def perfect(self) -> dict[tuple[str, ...], Perfect]:
        """The perfect bettors by their bets. Of several bettors who win the same on every coup, only the first is
        listed."""
        by_bets: dict[tuple[str, ...], list[tuple[int, PerfectBettor]]] = {}
        for i, bettor in enumerate(self.bettors):
            if isinstance(bettor, PerfectBettor) and self.alike[i] == i:
                by_bets.setdefault(bettor.bets, []).append((i, bettor))
        return {
            bets: Perfect(
                [bettor.stakes.allowed(seated=not bettor.may_skip) for _, bettor in some],
                np.array([float(bettor.rebate) for _, bettor in some]),
                self.bettor_units[[i for i, _ in some]],
                np.array([i for i, _ in some]),
            )
            for bets, some in by_bets.items()
        }

    def priced(self, coups: Coups) -> Priced:
        """Price these coups. For each system, also find the number of triggers that its count has reached."""
        settled = settlement(self.game, self.bets)
        edges, squares = settled.moments(coups.left)
        width = coups.left.shape[1]
        if width not in self._triggers:
            self._triggers[width] = Triggers(self.systems, self.decks, width)
        reached = self._triggers[width].reached(coups.left, coups.cards_left, coups.undealt)
        return Priced(edges, squares, settled.classes(coups.shown), reached)

    @cached_property
    def _triggers(self) -> dict[int, Triggers]:
        """The systems' triggers, by the width of compositions."""
        return {}
