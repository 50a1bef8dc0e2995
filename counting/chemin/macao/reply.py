"""How a punter plays at macao with each hand and each number of rejected cards, and the distribution of what the punter
wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations_with_replacement
from math import sqrt
from typing import NamedTuple

import numpy as np

from counting.arrays import Bools, Ints
from counting.cards import Shoe
from counting.chemin.macao.rules import VALUES, Macao

Hand = tuple[int, ...]


@cache
def hands_of_size(size: int) -> tuple[Hand, ...]:
    """Every hand of `size` cards, as its values in rising order."""
    return tuple(combinations_with_replacement(range(VALUES), size))


@cache
def counts_of(size: int) -> Ints:
    """The number of cards of each value in each hand of `hands_of_size`: (hands, 10)."""
    counts = np.array([[hand.count(v) for v in range(VALUES)] for hand in hands_of_size(size)])
    counts.flags.writeable = False
    return counts


@cache
def hand_places(size: int) -> Ints:
    """The index of each hand in `hands_of_size`. The array is indexed by the hand's values in rising order, read as the
    digits of a number."""
    places = np.zeros(VALUES**size, np.int64)
    for i, hand in enumerate(hands_of_size(size)):
        places[int("".join(map(str, hand)))] = i
    places.flags.writeable = False
    return places


class Play(NamedTuple):
    """The play in a state: whether to draw, and whether to reject a ten or face that is drawn. Either is None if there
    is no choice."""

    draws: bool | None
    rejects: bool | None


@dataclass(frozen=True)
class MacaoOdds:
    """The probability of each amount won per unit staked. The probabilities add up to 1."""

    probabilities: Mapping[int, Fraction]

    @cached_property
    def value(self) -> Fraction:
        """The punter's expected profit on a coup, per unit staked. Pushes count as coups."""
        return sum((units * chance for units, chance in self.probabilities.items()), Fraction())

    @cached_property
    def deviation(self) -> float:
        """The standard deviation of the profit on a coup, per unit staked."""
        return sqrt(sum(units**2 * chance for units, chance in self.probabilities.items()) - self.value**2)


class ReplyTable(NamedTuple):
    """The play after a given number of cards drawn, in arrays (hands, numbers of rejected cards). `draws` and
    `rejects`: whether to draw, and whether to reject a ten or face that is then drawn. `asked_draws` and
    `asked_rejects`: whether the punter ever has to make this choice."""

    draws: Bools
    rejects: Bools
    asked_draws: Bools
    asked_rejects: Bools


@dataclass(frozen=True, eq=False)
class Reply:
    """A punter's play on a shoe, with a table for each number of cards drawn so far, and what the play wins."""

    shoe: Shoe
    rules: Macao
    odds: MacaoOdds
    tables: tuple[ReplyTable, ...]

    @property
    def value(self) -> Fraction:
        return self.odds.value

    @property
    def probabilities(self) -> Mapping[int, Fraction]:
        return self.odds.probabilities

    @cached_property
    def plays(self) -> dict[tuple[Hand, int], Play]:
        """The play in every state in which the punter has to choose. A state is the punter's cards, from the lowest up,
        and the number of rejected cards."""
        plays = {}
        for drawn, table in enumerate(self.tables):
            every = hands_of_size(self.rules.cards + drawn)
            for i, rejected in np.argwhere(table.asked_draws | table.asked_rejects).tolist():
                at = i, rejected
                plays[every[i], rejected] = Play(
                    bool(table.draws[at]) if table.asked_draws[at] else None,
                    bool(table.rejects[at]) if table.asked_rejects[at] else None,
                )
        return plays

    def draws(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether to draw to each hand (n,). `hands` has the values of each hand's cards (n, k); `drawn` is the number
        of cards drawn so far, `rejected` the number rejected (n,)."""
        return self.tables[drawn].draws[_places(hands), rejected]

    def refuses(self, drawn: int, hands: Ints, rejected: Ints) -> Bools:
        """Whether to reject a ten or face that is drawn to each hand (n,)."""
        return self.tables[drawn].rejects[_places(hands), rejected]


def _places(hands: Ints) -> Ints:
    size = hands.shape[1]
    places: Ints = hand_places(size)[np.sort(hands, axis=1) @ VALUES ** np.arange(size)[::-1]]
    return places
