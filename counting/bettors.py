"""Bettors under a table's rules: who counts, how much must stand on the main bets, and whether he may sit out.

One unit is staked on each side bet. `tie_in` units stand on a main bet with it, on one coup as many for all side bets
together. Gains are exact edges, in units of the side bet, at every coup.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting import _bettors
from counting.errors import InputError, Mistakes, whole
from counting.rules import Game
from counting.shoe import Coups

MOST_UNITS = 1000
SUM_BITS = 62 - 25  # a part has fewer than 2^25 coups: 50,000 shoes of 27 decks at four cards a coup
FINEST = 40  # bits of a unit

Floats = NDArray[np.float64]


def unit_of(bits: int) -> float:
    """The unit in which a part's sum of figures of so many bits stays below 2^62: a power of two."""
    return float(2.0 ** -min(FINEST, SUM_BITS - bits))


def units_of(tie_in: object) -> Fraction:
    """A tie-in, the number as it is written: 0.1 is a tenth."""
    if re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?", str(tie_in)) and Fraction(str(tie_in)) <= MOST_UNITS:
        return Fraction(str(tie_in))
    raise InputError(f"tie-in: {tie_in}, should be a number of units from 0 to {MOST_UNITS:,}, as 1, 0.5 or 1/3")


@dataclass(frozen=True)
class Bettor:
    """A bettor and what the rules let him do.

    He plays a coup, with a unit on the side bets and `tie_in` units on a main bet, when the edge of both together is
    positive; a perfect counter puts them on the main bet that costs least. Of several side bets he takes those with a
    positive edge. `skips` is how many coups in a row he may skip (None: any number, he sits out; 0: none, he plays
    all). On a coup that he may not skip he may have `idle` units on the main bet alone, by default the tie-in.
    `rebate` is paid back on every unit staked. Where main bets `stand` after a push, his stays for the next coup.

    With a `system` he knows his count only: he takes the side bets whose trigger it has reached, and his main bet is
    the first of `main`.
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

    def __post_init__(self) -> None:
        mistakes = Mistakes()
        for name in ("tie_in", "idle", "rebate"):
            given = getattr(self, name)
            if given is None and name == "idle":
                continue
            most = 1 if name == "rebate" else MOST_UNITS
            try:
                value = Fraction(given)
                if not 0 <= value <= most:
                    raise ValueError
                object.__setattr__(self, name, value)
            except (ValueError, TypeError, ZeroDivisionError):
                mistakes.append(f"{self.name}: {name}: {given!r}, should be from 0 to {most}")
        if self.skips is not None:
            with mistakes.gathered():
                whole(self.skips, f"{self.name}: skips", 0, 1000)
        if not self.sides:
            mistakes.append(f"{self.name}: side bets: none, should be one or more")
        mistakes.report()
        if not self.main and (self.tie_in or self._idle):
            raise InputError(f"{self.name}: main bets: none, should be one or more for a tie-in")

    @property
    def _idle(self) -> Fraction:
        return self.tie_in if self.idle is None else self.idle

    @property
    def bets(self) -> tuple[str, ...]:
        """What must be priced for him."""
        return tuple(dict.fromkeys((*self.sides, *self.main)))

    def unit(self, game: Game) -> float:
        """The unit of his gains in the table `bettors`, a power of two: no sum of a part passes 2^62."""
        odds = {bet: max(Fraction(1), *(line.pay for line in game.bet(bet).pays)) for bet in self.bets}
        on_main = max(self.tie_in, self._idle)
        most = sum(odds[bet] for bet in self.sides) + on_main * max((odds[bet] for bet in self.main), default=0)
        most += self.rebate * (len(self.sides) + on_main)
        return unit_of(ceil(most).bit_length())

    def play(
        self, coups: Coups, edges: dict[str, Floats], pays: dict[str, Floats], triggered: dict[str, NDArray[np.bool_]]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """His gain at each coup, and whether he skipped it (0), had side bets (1) or main bets alone (2).

        `edges` and `pays` by bet, each (rows): exact edges, and what the bet paid as dealt. `triggered`, for a system,
        by side bet: its count has reached the bet's trigger.
        """
        rebate, tie_in, idle = float(self.rebate), float(self.tie_in), float(self._idle)
        each = np.stack([edges[bet] + rebate for bet in self.sides])
        knows = self.system is None
        chosen = each > 0 if knows else np.stack([triggered[bet] for bet in self.sides])
        side = (each * chosen).sum(axis=0)
        if knows:  # if he must, he takes the least bad
            side = np.where(chosen.any(axis=0), side, each.max(axis=0))
        mains = np.stack([edges[bet] + rebate for bet in self.main] or [np.zeros(len(side))], axis=1)
        best = mains.argmax(axis=1).astype(np.int32) if knows else np.zeros(len(side), np.int32)
        joint = side + tie_in * mains[np.arange(len(best)), best]
        wants: NDArray[np.uint8] = np.asarray(joint > 0 if knows else chosen.any(axis=0), np.uint8)
        pushed = np.stack([pays[bet] == 0 for bet in self.main] or [np.zeros(len(side), bool)], axis=1)
        gain, staked = np.empty(len(side)), np.empty(len(side), np.uint8)
        _bettors.follow(
            coups.shoe,
            wants,
            side,
            mains,
            best,
            pushed.astype(np.uint8),
            tie_in,
            idle,
            -1 if self.skips is None else self.skips,
            self.stand,
            knows,
            gain,
            staked,
        )
        return gain, staked

    def to_dict(self) -> dict[str, Any]:
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            k: str(v) if isinstance(v, Fraction) else list(v) if isinstance(v, tuple) else v for k, v in found.items()
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Bettor:
        given: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
        return cls(**given)
