"""Bettors under a table's rules: counting method, stakes, main-bet requirement, and how many coups may be skipped.

Two kinds: the perfect counter, who knows every edge and makes the best stakes of every coup by itself
(`counting.sweep.stakes`), and the counter who knows a count only. Gains are exact edges, in units of the side bet, at
every coup.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.errors import InputError, Mistakes, whole_field
from counting.games import MOST_UNITS, Game
from counting.simulation import MOST_SKIPS, Coups
from counting.sweep import _bettor
from counting.sweep.stakes import Stakes

SUM_BITS = 62 - 25  # a part has fewer than 2^25 coups: 50,000 shoes of 27 decks at four cards a coup
FINEST = 40  # bits of a unit

_RANGES = {
    "tie_in": (0, MOST_UNITS),
    "idle": (0, MOST_UNITS),
    "rebate": (0, 1),
    "loss_rebate": (0, 1),
    "missed": (0, 1),
}


def unit_of(bits: int) -> float:
    """The unit, a power of two, in which a part's sum of figures below 2^`bits` stays below 2^62."""
    return float(2.0 ** -min(FINEST, SUM_BITS - bits))


@dataclass(frozen=True)
class Bettor:
    """A bettor and what the rules allow.

    With `stakes` the bettor knows every edge and makes the best of these stakes at every coup, or none if the coup may
    be skipped: `skips` is the number of coups in a row, 0 for none, None for any number.

    With a `system` the bettor knows its count only: one unit on each side bet whose trigger the count has reached, with
    `tie_in` units on a main bet, on a coup the same for all side bets together. The main bet is the first of `main`, or
    `main_on_count`, if set, with a side bet. On a coup that may not be skipped without a side bet, `idle` units are on
    the main bet, by default `tie_in`. `loss_rebate` is paid back on each unit lost when the shoe ends. With `stand`,
    main bets stay for the next coup after a push. The share `missed` of the cards dealt is missed, each by chance.

    `rebate` is paid back on every unit staked.
    """

    name: str
    sides: tuple[str, ...]
    tie_in: Fraction = Fraction()
    main: tuple[str, ...] = ()
    skips: int | None = None
    idle: Fraction | None = None
    rebate: Fraction = Fraction()
    stand: bool = False
    system: str | None = None
    loss_rebate: Fraction = Fraction()
    missed: Fraction = Fraction()
    main_on_count: str | None = None
    stakes: Stakes | None = None

    def __post_init__(self) -> None:
        mistakes = Mistakes()
        for name, (least, most) in _RANGES.items():
            amount = getattr(self, name)
            if amount is None and name == "idle":
                continue
            try:
                written = Fraction(amount)
                value = Fraction(int(written.numerator), int(written.denominator))  # numpy's whole numbers overflow
                if not least <= value <= most:
                    raise ValueError
                object.__setattr__(self, name, value)
            except (ValueError, TypeError, ZeroDivisionError):
                mistakes.append(f"{self.name}: {name}: {amount}, should be from {least} to {most}")
        if self.skips is not None:
            with mistakes.gathered():
                whole_field(self, "skips", f"{self.name}: skips", 0, MOST_SKIPS)
        if (self.system is None) == (self.stakes is None):
            mistakes.append(f"{self.name}: needs either a system or stakes, not both")
        if self.stakes is None and not self.sides:
            mistakes.append(f"{self.name}: side bets: none, should be one or more")
        if self.stakes is not None and (self.stand or self.loss_rebate or self.skips):
            mistakes.append(f"{self.name}: stakes: cannot be used with stand, loss_rebate or skips above 0")
        for name in ("missed", "main_on_count"):
            if getattr(self, name) and self.system is None:
                mistakes.append(f"{self.name}: {name}: {getattr(self, name)}, needs a system")
        if self.main_on_count is not None and self.main_on_count not in self.main:
            mistakes.append(
                f"{self.name}: main_on_count: {self.main_on_count}, should be one of {', '.join(self.main)}"
            )
        mistakes.report()
        if self.stakes is None and not self.main and (self.tie_in or self._idle):
            raise InputError(f"{self.name}: main bets: none, a tie-in needs one or more")

    @property
    def _idle(self) -> Fraction:
        return self.tie_in if self.idle is None else self.idle

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that must be priced."""
        staked = self.stakes.bets if self.stakes is not None else ()
        return tuple(dict.fromkeys((*self.sides, *self.main, *staked)))

    def unit(self, game: Game) -> float:
        """The unit of the gains in the table `bettors`, a power of two: no sum of a part passes 2^62."""
        odds = {bet: max(Fraction(1), *(line.pay for line in game.bet(bet).pays)) for bet in self.bets}
        if self.stakes is not None:
            sizes = np.array([float(odds[bet]) for bet in self.stakes.bets])
            largest = float((self.stakes.vertices @ (sizes + float(self.rebate))).max(initial=1.0))
            return unit_of(ceil(largest).bit_length())
        on_main = max(self.tie_in, self._idle)
        most = sum(odds[bet] for bet in self.sides) + on_main * max((odds[bet] for bet in self.main), default=0)
        most += self.loss_rebate * most + self.rebate * (len(self.sides) + on_main)
        return unit_of(ceil(most).bit_length())

    def play(
        self, coups: Coups, edges: dict[str, Floats], pays: dict[str, Floats], triggered: dict[str, NDArray[np.bool_]]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """The gain of each coup, and whether it was skipped (0), had side bets (1) or main bets alone (2).

        `edges` and `pays` by bet, each (rows): exact edges, and what the bet paid as dealt. `triggered`, for a system,
        by side bet: its count has reached the bet's trigger.
        """
        if self.stakes is not None:
            of_bets = np.stack([edges[bet] for bet in self.stakes.bets], axis=1)
            return self.stakes.best(of_bets, float(self.rebate), self.skips is not None)
        rebate, rows = float(self.rebate), len(next(iter(edges.values())))
        taken = np.stack([triggered[bet] for bet in self.sides])
        chosen = taken.any(axis=0)
        none = np.zeros(rows)
        side = (np.stack([edges[bet] + rebate for bet in self.sides]) * taken).sum(axis=0)
        won_side = (np.stack([pays[bet] for bet in self.sides]) * taken).sum(axis=0)
        mains = np.stack([edges[bet] + rebate for bet in self.main] or [none], axis=1)
        won_mains = np.stack([pays[bet] for bet in self.main] or [none], axis=1)
        main = np.where(chosen, self.main.index(self.main_on_count) if self.main_on_count else 0, 0)
        gain, staked = np.empty(rows), np.empty(rows, np.uint8)
        _bettor.follow(
            coups.shoe,
            np.asarray(chosen, np.uint8),
            side,
            mains,
            main.astype(np.int32),
            won_side,
            won_mains,
            float(self.tie_in),
            float(self._idle),
            -1 if self.skips is None else self.skips,
            self.stand,
            float(self.loss_rebate),
            gain,
            staked,
        )
        return gain, staked

    def to_dict(self) -> dict[str, Any]:
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        kept = {
            k: str(v) if isinstance(v, Fraction) else list(v) if isinstance(v, tuple) else v for k, v in values.items()
        }
        return kept | {"stakes": None if self.stakes is None else self.stakes.to_dict()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Bettor:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        stakes = None if values["stakes"] is None else Stakes.from_dict(values["stakes"])
        return cls(**values | {"stakes": stakes})
