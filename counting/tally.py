"""From coups to additive sums: a block's coups priced exactly, and what each bettor makes of them.

The sums of blocks add up to those of a sweep, whoever played them and in whatever order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting import _tally
from counting.bets import catalog
from counting.errors import InputError
from counting.exact import classify, event_classes, pricer
from counting.frames import DEALT, DEPTH, LEDGER, LEFT, SHOWN, Table
from counting.rules import Game
from counting.shoe import Coups
from counting.systems import PERFECT, System

Floats = NDArray[np.float64]


class Tally(NamedTuple):
    ledger: pl.DataFrame
    depth: pl.DataFrame
    dealt: pl.DataFrame


class _Priced(NamedTuple):
    """What a row's coup is worth: edges and mean squares (rows, bets), the class of what it showed, and how many
    triggers each system's count has reached (rows, systems)."""

    edges: Floats
    squares: Floats
    classes: NDArray[np.int32]
    reached: NDArray[np.int32]


def rows(coups: Coups, systems: Sequence[System], decks: int) -> pl.DataFrame:
    """The table `coups`: a row a coup, with the running count of each system."""
    frame: dict[str, Any] = {
        "shoe": coups.shoe.astype(np.uint32) + np.uint32(coups.first_shoe),
        "coup": coups.coup,
        "cards_left": coups.cards_left.astype(np.uint16),
        "undealt": coups.undealt,
        "last_cut": coups.last_cut,
        **{name: coups.left[:, i].astype(np.uint16) for i, name in enumerate(LEFT[coups.knows])},
        **{name: np.ascontiguousarray(coups.shown[:, i]) for i, name in enumerate(SHOWN)},
    }
    frame |= {f"count_{system.name}": _running(system, coups, decks) for system in systems}
    return pl.DataFrame(frame)


def coups_of(frame: pl.DataFrame) -> Coups:
    """The way back from a part of the table `coups`."""
    first = int(frame["shoe"].min() or 0)  # type: ignore[arg-type]
    return Coups(
        first,
        (frame["shoe"].to_numpy() - np.uint32(first)).astype(np.uint16),
        frame["coup"].to_numpy(),
        frame["undealt"].to_numpy(),
        frame["last_cut"].to_numpy(),
        left_of(frame),
        np.stack([frame[name].to_numpy() for name in SHOWN], axis=1),
    )


def left_of(frame: pl.DataFrame) -> NDArray[np.int32]:
    """The compositions (rows, 10, 13 or 52) of the table `coups`."""
    names = next(names for names in LEFT.values() if set(names) <= set(frame.columns))
    return np.stack([frame[name].to_numpy() for name in names], axis=1).astype(np.int32)


def triggers_reached(system: System, coups: Coups, decks: int) -> NDArray[np.int32]:
    """How many of the system's scored triggers its count has reached at each coup."""
    return system.reached(_running(system, coups, decks), coups.cards_left, coups.undealt)


def _running(system: System, coups: Coups, decks: int) -> NDArray[np.int32]:
    return system.running(coups.values if system.knows == "value" else coups.left, decks)


def bets_of(system: System, game: Game, bets: Sequence[str]) -> list[str]:
    """The bets that a system is scored on: its own of those priced, or all.

    Raises `InputError` where it has none of them, or one that neither the game nor the catalog knows.
    """
    if system.bets is None:
        return list(bets)
    for name in system.bets:
        if name not in game.bet_names and name not in catalog():
            raise InputError(f"system {system.name}: bets = {name!r}: {game.name} has {', '.join(game.bet_names)}")
    own = [name for name in bets if name in system.bets]
    if not own:
        counts, priced = ", ".join(system.bets), ", ".join(bets)
        raise InputError(f"system {system.name}: counts for {counts}, should for one of those priced: {priced}")
    return own


@dataclass(frozen=True)
class Scoring:
    """What is scored: the bets of a game, and systems on them, for shoes of so many decks."""

    game: Game
    bets: tuple[str, ...]
    systems: tuple[System, ...]
    decks: int

    def tally(self, coups: Coups, *, cuts: Sequence[int], part: int) -> Tally:
        """Price every bet at the start of every coup, once, and add up by bettor, by cards left and by coup
        number, for each cut the coups that it deals."""
        edges, squares = pricer(self.game, self.bets).moments(coups.left)
        classes = classify(self.game, coups.shown)
        reached = np.empty((len(edges), len(self.systems)), np.int32)
        for k, system in enumerate(self.systems):
            reached[:, k] = triggers_reached(system, coups, self.decks)
        found = []
        for cut in cuts:
            dealt = coups.last_cut >= cut
            priced = _Priced(edges[dealt], squares[dealt], classes[dealt], reached[dealt])
            found.append(self._added(coups.only(dealt), priced, cut, part))
        return Tally(*(pl.concat(frames) for frames in zip(*found, strict=True)))

    def _added(self, coups: Coups, priced: _Priced, cut: int, part: int) -> Tally:
        cards_left = coups.cards_left
        keys: list[tuple[str, float | None, str]] = [(PERFECT, None, bet) for bet in self.bets]
        first_cell, start, scored = [], [0], []
        for system in self.systems:
            first_cell.append(len(keys))
            own = bets_of(system, self.game, self.bets)
            scored += [self.bets.index(bet) for bet in own]
            start.append(len(scored))
            keys += [(system.name, trigger, bet) for trigger in system.scored for bet in own]
        cell_columns, ledger_columns, depth_columns = _tally.columns()
        ledger = np.zeros((len(keys), ledger_columns))
        most = int(cards_left.max(initial=0))
        depth = np.zeros((len(self.bets), most + 1, depth_columns))
        sums = np.zeros(3)
        if len(priced.edges):
            _tally.tally(
                priced.edges,
                priced.squares,
                priced.classes,
                pays(self.game, self.bets),
                coups.shoe,
                coups.coup,
                cards_left,
                priced.reached,
                np.array(first_cell, np.int32),
                np.array(scored, np.int32),
                np.array(start, np.int32),
                np.zeros((len(keys), cell_columns)),
                ledger,
                depth,
                sums,
            )
        by_cards = np.bincount(cards_left, minlength=most + 1)
        return Tally(
            _typed(_ledger_frame(ledger, keys, sums), LEDGER, cut, part),
            _typed(_depth_frame(depth, self.bets, by_cards), DEPTH, cut, part),
            _typed(_dealt_frame(self.game, coups, priced.classes), DEALT, cut, part),
        )


@lru_cache(maxsize=32)
def pays(game: Game, bets: tuple[str, ...]) -> Floats:
    """What a coup of each class pays (classes, bets), per unit staked."""
    by_class = [
        [float(bet.pay(first if bet.shows == "first" else outcome)) for bet in map(game.bet, bets)]
        for outcome, first in event_classes(game)
    ]
    return np.array(by_class)


def _typed(frame: pl.DataFrame, table: Table, cut: int, part: int) -> pl.DataFrame:
    """The frame with its part and cut, its columns in the table's order and of its types."""
    numbered = frame.with_columns(pl.lit(part).alias("part"), pl.lit(cut).alias("cut"))
    return numbered.select(pl.col(name).cast(dtype) for name, dtype in table.schema.items())


def _ledger_frame(ledger: Floats, keys: list[tuple[str, float | None, str]], sums: Floats) -> pl.DataFrame:
    system, trigger, bet = zip(*keys, strict=True)
    order = ["bets", "positive_bets", "gain", "shoes_betting", "first_coup"]
    order += ["bets_sq", "gain_sq", "bets_gain", "bets_coups", "gain_coups", "square", "won", "won_sq"]
    frame = pl.DataFrame({"system": system, "trigger": trigger, "bet": bet}, schema_overrides={"trigger": pl.Float64})
    totals = zip(("shoes", "coups", "coups_sq"), sums, strict=True)
    return frame.with_columns(
        *(pl.lit(total).alias(name) for name, total in totals),
        *(pl.Series(name, np.ascontiguousarray(ledger[:, i])) for i, name in enumerate(order)),
    )


def _depth_frame(depth: Floats, bets: Sequence[str], coups: NDArray[np.int64]) -> pl.DataFrame:
    (reached,) = np.nonzero(coups)
    order = ("positive_coups", "gain", "gain_sq", "edge", "first_positive")
    return pl.DataFrame(
        {
            "bet": [bet for bet in bets for _ in reached],
            "cards_left": np.tile(reached, len(bets)),
            "coups": np.tile(coups[reached], len(bets)),
            **{name: depth[:, reached, i].reshape(-1) for i, name in enumerate(order)},
        },
        schema_overrides={"bet": pl.String},
    )


def _dealt_frame(game: Game, coups: Coups, class_of: NDArray[np.int32]) -> pl.DataFrame:
    classes = event_classes(game)
    of_event = np.array([[not event.isdisjoint(cls) for event in game.events.values()] for cls in classes], np.int64)
    key = coups.coup.astype(np.int64) * len(classes) + class_of
    most = (int(coups.coup.max(initial=0)) + 1) * len(classes)
    by_coup = np.bincount(key, minlength=most).reshape(-1, len(classes))
    numbers = np.flatnonzero(by_coup.sum(axis=1))
    return pl.DataFrame(
        {
            "coup": np.repeat(numbers, len(game.events)),
            "event": list(game.events) * len(numbers),
            "coups": np.repeat(by_coup.sum(axis=1)[numbers], len(game.events)),
            "happened": (by_coup[numbers] @ of_event).reshape(-1),
        },
        schema_overrides={"event": pl.String},
    )
