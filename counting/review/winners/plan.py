"""How many coups it takes to detect a fault from results alone: the power of the tests, worked out from exact
chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from math import exp, lgamma, log
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats
from counting.games import Tableau
from counting.review.chances import full_shoe
from counting.review.significance import chi_squared_tail
from counting.review.winners.features import TIE, WINNERS, Feature

POWER = 0.8  # the power of the tests in a plan
MISSING = 4  # the most nines that a plan takes out of the shoe; at least one is left
MISRECORDED = 0.01  # the share of ties that a plan records as wins
_NINE = 9
_MOST = 1e15


class Fault(NamedTuple):
    """A fault, and how many coups it takes to detect it.

    - `fault`: the fault in words
    - `feature`: the feature that shows it
    - `chance` and `shifted`: a category's chance without and with the fault
    - `coups` and `coups_holm`: how many coups it takes to detect the fault in the share `POWER` of logs, first if this
      test is the only one, then if it is one of all the tests of this log"""

    fault: str
    feature: str
    chance: float
    shifted: float
    coups: float
    coups_holm: float


def power(noncentrality: float, freedom: int, level: float) -> float:
    """The chance that a chi-squared test rejects.

    It is a mixture of the tails of central chi-squared distributions. The weights are a Poisson distribution whose mean
    is half of the noncentrality."""
    critical, half = _critical(freedom, level), noncentrality / 2
    if not half:
        return level
    tail, total = level, 0.0
    for i in range(int(half + 12 * half**0.5 + 30)):
        total += exp(i * log(half) - half - lgamma(i + 1)) * tail
        places = freedom / 2 + i  # two more degrees of freedom for each i
        tail += exp(places * log(critical / 2) - critical / 2 - lgamma(places + 1))
    return total


@lru_cache(maxsize=64)
def _critical(freedom: int, level: float) -> float:
    return _solved(lambda square: level - chi_squared_tail(square, freedom), 400.0)


def needed(freedom: int, level: float) -> float:
    """The noncentrality at which a test has the power `POWER`."""
    return _solved(lambda noncentrality: power(noncentrality, freedom, level) - POWER, 400.0)


def _solved(rises: Callable[[float], float], high: float) -> float:
    """The number between 0 and `high` at which a rising function is 0."""
    low = 0.0
    for _ in range(50):
        middle = (low + high) / 2
        if rises(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def distance(chances: Floats, shifted: Floats) -> float:
    """The noncentrality per coup of a chi-squared test of `chances`, if coups have the chances `shifted`."""
    return float(((shifted - chances) ** 2 / chances).sum())


def moved(chances: Floats, at: int, shift: float) -> Floats:
    """The chances, with the chance of category `at` raised by `shift` and the others lowered in proportion."""
    shifted = chances * (1 - shift / (1 - chances[at]))
    shifted[at] = chances[at] + shift
    return np.asarray(shifted)


class Plan:
    """The plan for a game, its decks and the features of a log."""

    def __init__(
        self, tableau: Tableau, decks: int, features: Sequence[Feature], change: float, level: float, tests: int
    ) -> None:
        self.tableau, self.decks, self.features = tableau, decks, features
        self.change, self.level, self.tests = change, level, max(tests, 1)
        self._shoe = full_shoe(decks)
        self._needed: dict[tuple[int, float], float] = {}

    @cached_property
    def rows(self) -> list[Fault]:
        """The plan's faults: a winner, a pair or a natural that comes more often, then faults of the shoe and of the
        record."""
        rows = []
        for feature in self.features:
            chances = feature.chances(self.tableau, self._shoe)
            if len(chances) > len(WINNERS):
                continue
            for at, name in enumerate(feature.categories[: None if feature.name == "winner" else 1]):
                of = name.capitalize() if feature.name == "winner" else feature.title
                rows.append(self._row(f"{of} comes more often", feature, chances, moved(chances, at, self.change), at))
        return [*rows, *self._faults]

    @property
    def _faults(self) -> list[Fault]:
        short = self._shoe.copy()
        missing = min(MISSING, int(short[_NINE]) - 1)
        short[_NINE] -= missing
        other = 6 if self.decks != 6 else 8
        rows = []
        for feature in self.features:
            chances = feature.chances(self.tableau, self._shoe)
            if feature.of_outcome is not None:
                faults = {f"{missing} nines missing from the shoe": feature.chances(self.tableau, short)}
                faults[f"{other} decks, not {self.decks}"] = feature.chances(self.tableau, full_shoe(other))
                if feature.name == "winner" and TIE in feature.categories:
                    faults[f"{MISRECORDED:.0%} of ties recorded as Player's"] = _misrecorded(chances)
                for fault, shifted in faults.items():
                    at = int(np.argmax(np.abs(shifted - chances)[: 1 if len(chances) == 2 else None]))
                    rows.append(self._row(fault, feature, chances, shifted, at))
        return rows

    def _row(self, fault: str, feature: Feature, chances: Floats, shifted: Floats, at: int) -> Fault:
        each, freedom = distance(chances, shifted), len(chances) - 1
        coups = [
            min(_MOST, self.noncentrality(freedom, level) / each) for level in (self.level, self.level / self.tests)
        ]
        return Fault(fault, feature.name, float(chances[at]), float(shifted[at]), *coups)

    def noncentrality(self, freedom: int, level: float) -> float:
        """The result of `needed`, which is worked out once and kept."""
        if (freedom, level) not in self._needed:
            self._needed[freedom, level] = needed(freedom, level)
        return self._needed[freedom, level]

    def least_change(self, coups: int) -> dict[str, float]:
        """For each winner, the least rise of its chance that can be detected in `coups` coups.

        A rise can be detected if the test of winners, adjusted for all tests of this log, detects it in the share
        `POWER` of logs. The result is only approximate if it is large."""
        winner = self.features[0]
        chances = winner.chances(self.tableau, self._shoe)
        wanted = self.noncentrality(len(chances) - 1, self.level / self.tests)
        each = [1e6 * distance(chances, moved(chances, at, 1e-3)) for at in range(len(chances))]
        return {name: (wanted / (coups * one)) ** 0.5 for name, one in zip(winner.categories, each, strict=True)}


def _misrecorded(chances: Floats) -> Floats:
    off = MISRECORDED * chances[WINNERS.index(TIE)]
    return np.asarray(chances + np.array([off, 0, -off]))
