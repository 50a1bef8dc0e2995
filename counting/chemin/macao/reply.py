"""What a punter does at macao, as he sees his own cards and those he rejected, and the law of what he wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import sqrt
from typing import NamedTuple

import numpy as np

from counting.cards import Shoe
from counting.chemin.macao.rules import VALUES, Bools, Ints, Macao

Hand = tuple[int, ...]


@cache
def hands_of(size: int) -> tuple[Hand, ...]:
    """Every hand of so many cards: its values from the lowest up."""
    return tuple(combinations_with_replacement(range(VALUES), size))


@cache
def place(size: int) -> Ints:
    """Where a hand stands in `hands_of`, by its values read as one number."""
    found = np.zeros(VALUES**size, np.int64)
    for i, hand in enumerate(hands_of(size)):
        found[int("".join(map(str, hand)))] = i
    return found


class Play(NamedTuple):
    """In one state: whether he draws, and whether he rejects a ten or face that comes; None where it is not asked."""

    draws: bool | None
    rejects: bool | None


@dataclass(frozen=True)
class Odds:
    """`law`: the probability of each amount won per unit staked; they add up to 1."""

    law: Mapping[int, Fraction]

    @cached_property
    def value(self) -> Fraction:
        """The punter's expected profit per unit staked, pushes included."""
        return sum((units * chance for units, chance in self.law.items()), Fraction())

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of a coup."""
        return sqrt(sum(units**2 * chance for units, chance in self.law.items()) - self.value**2)


class Table(NamedTuple):
    """With so many cards drawn, for each hand and number of cards rejected so far (hands, rejected + 1): whether he
    draws and whether he rejects, whether he comes to be asked either."""

    draws: Bools
    rejects: Bools
    asked_draws: Bools
    asked_rejects: Bools


@dataclass(frozen=True, eq=False)
class Reply:
    """How a punter plays a shoe, and what it is worth: a table for each number of cards drawn so far."""

    shoe: Shoe
    rules: Macao
    odds: Odds
    tables: tuple[Table, ...]

    @property
    def value(self) -> Fraction:
        return self.odds.value

    @property
    def law(self) -> Mapping[int, Fraction]:
        return self.odds.law

    @cached_property
    def plays(self) -> dict[tuple[Hand, int], Play]:
        """What he does in every state that comes to be: by his cards, from the lowest up, and how many he rejected."""
        found = {}
        for drawn, table in enumerate(self.tables):
            every = hands_of(self.rules.cards + drawn)
            for i, rejected in np.argwhere(table.asked_draws | table.asked_rejects).tolist():
                at = i, rejected
                found[every[i], rejected] = Play(
                    bool(table.draws[at]) if table.asked_draws[at] else None,
                    bool(table.rejects[at]) if table.asked_rejects[at] else None,
                )
        return found

    def draws(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether he draws to each hand, a row of values (n, k), after so many cards drawn and rejected (n,)."""
        return self.tables[drawn].draws[_places(hands), rejected]

    def refuses(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether he rejects a ten or face that he drew to each hand."""
        return self.tables[drawn].rejects[_places(hands), rejected]


def _places(hands: Ints) -> Ints:
    size = hands.shape[1]
    places: Ints = place(size)[np.sort(hands, axis=1) @ VALUES ** np.arange(size)[::-1]]
    return places
