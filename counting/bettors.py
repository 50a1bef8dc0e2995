"""Bettors under a table's rules: who counts, how much must stand on the main bets, and whether he may sit out.

One unit is staked on each side bet. `tie_in` units stand on a main bet with it, on one coup as many for all side bets
together. Gains are exact edges, in units of the side bet, at every coup.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting import _bettors
from counting.errors import InputError, Mistakes, number, whole
from counting.rules import Game
from counting.shoe import Coups

MOST_UNITS = 1000
SUM_BITS = 62 - 25  # a part has fewer than 2^25 coups: 50,000 shoes of 27 decks at four cards a coup
FINEST = 40  # bits of a unit

_RANGES = {
    "tie_in": (0, MOST_UNITS),
    "idle": (0, MOST_UNITS),
    "rebate": (0, 1),
    "loss_rebate": (0, 1),
    "missed": (0, 1),
    "leaves": (-1, 0),
}

Floats = NDArray[np.float64]


def unit_of(bits: int) -> float:
    """The unit in which a part's sum of figures of so many bits stays below 2^62: a power of two."""
    return float(2.0 ** -min(FINEST, SUM_BITS - bits))


def units_of(tie_in: object) -> Fraction:
    """A tie-in, the number as it is written."""
    return number(tie_in, "tie-in", MOST_UNITS, "number of units")


@dataclass(frozen=True)
class Bettor:
    """A bettor and what the rules let him do.

    He plays a coup, with a unit on the side bets and `tie_in` units on a main bet, when the edge of both together is
    positive; a perfect counter puts them on the main bet that costs least. Of several side bets he takes those with a
    positive edge. `skips` is how many coups in a row he may skip (None: any number, he sits out; 0: none, he plays
    all). On a coup that he may not skip he may have `idle` units on the main bet alone, by default the tie-in.
    Where nobody enters in mid-shoe he may leave for the rest of the shoe: he `leaves` when he may not skip the coup and
    the best side bet's edge is at or below that. `rebate` is paid back on every unit staked, `loss_rebate` on each unit
    that he has lost when the shoe ends. Where main bets `stand` after a push, his stays for the next coup.

    With a `system` he knows his count only: he takes the side bets whose trigger it has reached, and his main bet is
    the first of `main`, with a side bet `main_on_count` where that is given. Of the cards that he sees he misses the
    share `missed`, each by chance.
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
    leaves: Fraction | None = None
    loss_rebate: Fraction = Fraction()
    missed: Fraction = Fraction()
    main_on_count: str | None = None

    def __post_init__(self) -> None:
        mistakes = Mistakes()
        for name, (least, most) in _RANGES.items():
            given = getattr(self, name)
            if given is None and name in ("idle", "leaves"):
                continue
            try:
                value = Fraction(given)
                if not least <= value <= most:
                    raise ValueError
                object.__setattr__(self, name, value)
            except (ValueError, TypeError, ZeroDivisionError):
                mistakes.append(f"{self.name}: {name}: {given}, should be from {least} to {most}")
        if self.skips is not None:
            with mistakes.gathered():
                whole(self.skips, f"{self.name}: skips", 0, 1000)
        if not self.sides:
            mistakes.append(f"{self.name}: side bets: none, should be one or more")
        if self.leaves is not None and (self.skips is None or self.system is not None):
            mistakes.append(f"{self.name}: leaves: {self.leaves}, should be of a perfect counter who may not sit out")
        for name in ("missed", "main_on_count"):
            if getattr(self, name) and self.system is None:
                mistakes.append(f"{self.name}: {name}: {getattr(self, name)}, should be of one who has a system")
        if self.main_on_count is not None and self.main_on_count not in self.main:
            mistakes.append(
                f"{self.name}: main_on_count: {self.main_on_count}, should be one of {', '.join(self.main)}"
            )
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
        most += self.loss_rebate * most + self.rebate * (len(self.sides) + on_main)
        return unit_of(ceil(most).bit_length())

    def play(
        self, coups: Coups, edges: dict[str, Floats], pays: dict[str, Floats], triggered: dict[str, NDArray[np.bool_]]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """His gain at each coup, and whether he skipped it (0), had side bets (1) or main bets alone (2).

        `edges` and `pays` by bet, each (rows): exact edges, and what the bet paid as dealt. `triggered`, for a system,
        by side bet: its count has reached the bet's trigger.
        """
        rebate = float(self.rebate)
        each = np.stack([edges[bet] + rebate for bet in self.sides])
        knows, rows = self.system is None, np.arange(each.shape[1])
        taken = each > 0 if knows else np.stack([triggered[bet] for bet in self.sides])
        chosen = taken.any(axis=0)
        if knows:  # if he must, he takes the least bad
            taken = taken | (~chosen & (np.arange(len(each))[:, np.newaxis] == each.argmax(axis=0)))
        side = (each * taken).sum(axis=0)
        won_side = (np.stack([pays[bet] for bet in self.sides]) * taken).sum(axis=0)
        mains = np.stack([edges[bet] + rebate for bet in self.main] or [np.zeros(len(rows))], axis=1)
        won_mains = np.stack([pays[bet] for bet in self.main] or [np.zeros(len(rows))], axis=1)
        if knows:
            best = mains.argmax(axis=1)
        else:
            best = chosen * (self.main.index(self.main_on_count) if self.main_on_count else 0)
        joint = side + float(self.tie_in) * mains[rows, best]
        gain, staked = np.empty(len(rows)), np.empty(len(rows), np.uint8)
        _bettors.follow(
            coups.shoe,
            np.asarray(joint > 0 if knows else chosen, np.uint8),
            side,
            mains,
            best.astype(np.int32),
            won_side,
            won_mains,
            float(self.tie_in),
            float(self._idle),
            -1 if self.skips is None else self.skips,
            float("-inf") if self.leaves is None else float(self.leaves),
            self.stand,
            float(self.loss_rebate),
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
