"""Exact chances of a coup's outcomes, if none of the shoe's cards is seen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from counting.arrays import Ints
from counting.cards import SUITS, VALUE_OF_RANK
from counting.exact import joint_distribution
from counting.games import Outcome, Tableau


def full_shoe(decks: int) -> Ints:
    """The number of cards of each value in a full shoe (10,)."""
    return np.asarray(decks * len(SUITS) * np.bincount(VALUE_OF_RANK), np.int64)


def outcome_chances(tableau: Tableau, shoe: Ints) -> Mapping[Outcome, Fraction]:
    """The chance of each outcome of a coup. `shoe` (10,) has the number of cards of each value, six or more in all.

    Cards are exchangeable, so every coup that the shoe is sure to reach has these chances."""
    deals = joint_distribution(tableau).outcomes(np.ascontiguousarray(shoe[np.newaxis], np.int32))[0].tolist()
    every = sum(deals)
    return {outcome: Fraction(count, every) for outcome, count in zip(tableau.outcomes, deals, strict=True)}


def winner_chances(tableau: Tableau, shoe: Ints) -> Mapping[str, Fraction]:
    """The chance of each winner: player, banker and tie."""
    chances = {"player": Fraction(), "banker": Fraction(), "tie": Fraction()}
    for outcome, chance in outcome_chances(tableau, shoe).items():
        chances[outcome.winner] += chance
    return chances
