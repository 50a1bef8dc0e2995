"""Bettors under a table's rules: what they know, their stakes, and which coups they may skip.

There are two kinds. The perfect bettor knows every edge, and at every coup makes the stakes with the largest gain on
that coup (`counting.sweep.stakes`). The counting bettor knows only a count. The gain of a coup is the sum of exact
edges times stakes, in units of the side bet."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats
from counting.errors import InputError, Mistakes, instance, text, texts, whole
from counting.games import MOST_UNITS, Game, as_game
from counting.simulation import MOST_SKIPS, Coups
from counting.sweep import _bettor
from counting.sweep.stakes import Stakes

SUM_BITS = 62 - 25  # a part has fewer than 2^25 coups, even with 50,000 shoes of 27 decks and four cards a coup
FINEST = 40  # no unit is below 2^-40

Amount = Fraction | float | str

_AS_DATA: dict[str, Any] = {
    "name": None, "sides": [], "tie_in": "0", "main": [], "skips": None, "idle": None, "rebate": "0", "stand": False,
    "system": None, "loss_rebate": "0", "missed": "0", "main_on_count": None, "stakes": None,
}  # fmt: skip
"""Both kinds of bettor have these keys as plain data. In the data of one kind, a key that belongs only to the other
kind has the value given here."""


def unit_of(bits: int) -> float:
    """The unit of a sum, a power of two. A part's sum in this unit is below 2^62 if every figure is below 2^`bits`."""
    return float(2.0 ** -min(FINEST, SUM_BITS - bits))


@dataclass(frozen=True, init=False)
class PerfectBettor:
    """A bettor who knows every edge, and makes the best of the allowed `stakes` at every coup.

    If the bettor `may_skip` any coup, the choice is among all stakes and no stake. Otherwise it is among the stakes
    that hold the seat. `rebate` is paid back on every unit staked.

    >>> from counting.sweep import PerfectBettor, Stakes
    >>> PerfectBettor("best", Stakes.of(("dragon-7",), ("player",))).bets
    ('dragon-7', 'player')
    """

    name: str
    stakes: Stakes
    may_skip: bool
    rebate: Fraction

    def __init__(self, name: str, stakes: Stakes, may_skip: bool = True, rebate: Amount = 0) -> None:
        text(name, "name", "'perfect'")
        instance(stakes, Stakes, "stakes", "Stakes.of(['tie-9'], ['player'])")
        vars(self).update(name=name, stakes=stakes, may_skip=may_skip, rebate=_amount(rebate, f"{name}: rebate", 1))

    @property
    def sides(self) -> tuple[str, ...]:
        return self.stakes.sides

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that must be priced."""
        return self.stakes.bets

    @property
    def wins(self) -> Hashable:
        """A key made of everything that the gains depend on. Two bettors with equal keys win the same on every coup."""
        best = self.stakes.best_of_all if self.may_skip else self.stakes.best_holding_seat
        return self.bets, best, self.may_skip, self.rebate

    def unit(self, game: Game) -> float:
        """The unit of the gains in the table `bettors`: a power of two, large enough that no sum of a part passes
        2^62."""
        sizes = np.array([float(odds) for odds in _best_odds(game, self.bets).values()])
        largest = float((self.stakes.vertices @ (sizes + float(self.rebate))).max(initial=1.0))
        return unit_of(ceil(largest).bit_length())

    def play(self, edges: Mapping[str, Floats]) -> tuple[Floats, NDArray[np.uint8]]:
        """The gain of each coup (rows,), and what was staked on it: nothing (0), a side bet (1) or only main bets (2).
        `edges` maps each bet to its edges (rows,)."""
        by_bet = np.stack([edges[bet] for bet in self.bets])
        return self.stakes.best_by_bet(by_bet, float(self.rebate), seated=not self.may_skip)

    def to_dict(self) -> dict[str, Any]:
        return _AS_DATA | {
            "name": self.name,
            "sides": list(self.stakes.sides),
            "main": list(self.stakes.main),
            "skips": None if self.may_skip else 0,
            "rebate": str(self.rebate),
            "stakes": self.stakes.to_dict(),
        }


@dataclass(frozen=True, init=False)
class CountingBettor:
    """A bettor who knows only the count of a `system`.

    The bettor stakes one unit on each side bet whose trigger the count has reached. With one or more side bets, the
    bettor also stakes `tie_in` units on a main bet.

    - `main`: the main bets; the bettor uses the first of them
    - `main_on_count`: the main bet that goes with a side bet, if it is not the first of `main`
    - `skips`: the most coups in a row that may be skipped; None for any number
    - `idle`: the units on the main bet on a coup that may not be skipped, if there is no side bet; by default `tie_in`
    - `rebate`: the share of every unit staked that is paid back
    - `loss_rebate`: the share of a shoe's net loss that is paid back when the shoe ends
    - `stand`: whether main bets stay for the next coup after a push
    - `missed`: the chance that the bettor misses a card

    >>> from counting import CountingBettor
    >>> CountingBettor("counts", ["dragon-7"], "dragon-7", tie_in=1, main=["player"]).bets
    ('dragon-7', 'player')
    """

    name: str
    sides: tuple[str, ...]
    system: str
    tie_in: Fraction
    main: tuple[str, ...]
    skips: int | None
    idle: Fraction | None
    rebate: Fraction
    stand: bool
    loss_rebate: Fraction
    missed: Fraction
    main_on_count: str | None

    def __init__(
        self,
        name: str,
        sides: Iterable[str],
        system: str,
        *,
        tie_in: Amount = 0,
        main: Iterable[str] = (),
        skips: int | None = None,
        idle: Amount | None = None,
        rebate: Amount = 0,
        stand: bool = False,
        loss_rebate: Amount = 0,
        missed: Amount = 0,
        main_on_count: str | None = None,
    ) -> None:
        mistakes, made = Mistakes(), vars(self)
        text(name, "name", "'counter'")
        text(system, "system", "'dragon-7'")
        made |= {"name": name, "system": system, "skips": skips, "stand": stand, "main_on_count": main_on_count}
        amounts = (
            ("tie_in", tie_in, MOST_UNITS),
            ("idle", idle, MOST_UNITS),
            ("rebate", rebate, 1),
            ("loss_rebate", loss_rebate, 1),
            ("missed", missed, 1),
        )
        for key, amount, most in amounts:
            with mistakes.gathered():
                made[key] = None if amount is None and key == "idle" else _amount(amount, f"{name}: {key}", most)
        if skips is not None:
            with mistakes.gathered():
                made["skips"] = whole(skips, f"{name}: skips", 0, MOST_SKIPS)
        made |= {"sides": texts(sides, f"{name}: sides"), "main": texts(main, f"{name}: main")}
        if not self.sides:
            mistakes.append(f"{name}: side bets: none, should be one or more")
        if main_on_count is not None and main_on_count not in self.main:
            mistakes.append(f"{name}: main_on_count: {main_on_count}, should be one of {', '.join(self.main)}")
        mistakes.report()
        if not self.main and (self.tie_in or self._idle):
            raise InputError(f"{self.name}: main bets: none, a tie-in needs one or more")

    @property
    def _idle(self) -> Fraction:
        return self.tie_in if self.idle is None else self.idle

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets that must be priced."""
        return tuple(dict.fromkeys((*self.sides, *self.main)))

    @property
    def wins(self) -> Hashable:
        """A key made of everything that the gains depend on, as for the perfect bettor."""
        return tuple(getattr(self, own.name) for own in fields(self) if own.name != "name")

    def unit(self, game: Game) -> float:
        """The unit of the gains in the table `bettors`: a power of two, large enough that no sum of a part passes
        2^62."""
        odds, on_main = _best_odds(as_game(game), self.bets), max(self.tie_in, self._idle)
        most = sum(odds[bet] for bet in self.sides) + on_main * max((odds[bet] for bet in self.main), default=0)
        most += self.loss_rebate * most + self.rebate * (len(self.sides) + on_main)
        return unit_of(ceil(most).bit_length())

    def play(
        self, coups: Coups, edges: Mapping[str, Floats], pays: Mapping[str, Floats], triggered: Mapping[str, Bools]
    ) -> tuple[Floats, NDArray[np.uint8]]:
        """The gain of each coup (rows,), and what was staked on it: nothing (0), a side bet (1) or only main bets (2).

        - `edges`: the exact edges of each bet (rows,)
        - `pays`: what each bet paid as dealt (rows,)
        - `triggered`: whether the count has reached the trigger of each side bet (rows,)"""
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
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return _AS_DATA | {
            k: str(v) if isinstance(v, Fraction) else list(v) if isinstance(v, tuple) else v for k, v in values.items()
        }


Bettor = PerfectBettor | CountingBettor


def bettor_of(data: Mapping[str, Any]) -> Bettor:
    """The bettor that `to_dict` wrote."""
    if data["stakes"] is not None:
        stakes = Stakes.from_dict(data["stakes"])
        return PerfectBettor(data["name"], stakes, data["skips"] is None, Fraction(data["rebate"]))
    values: dict[str, Any] = {each.name: data[each.name] for each in fields(CountingBettor)}
    return CountingBettor(**values)


def _amount(amount: Amount | None, name: str, most: int) -> Fraction:
    """An amount from 0 to `most` as a fraction."""
    try:
        written = Fraction(-1 if amount is None else amount)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        written = Fraction(-1)
    value = Fraction(int(written.numerator), int(written.denominator))  # numpy's whole numbers overflow
    if not 0 <= value <= most:
        raise InputError(f"{name}: {amount}, should be from 0 to {most}")
    return value


def _best_odds(game: Game, bets: Iterable[str]) -> dict[str, Fraction]:
    return {bet: max(Fraction(1), *(line.pay for line in game.bet(bet).pays)) for bet in bets}
