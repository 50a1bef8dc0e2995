"""Capitals as coups are dealt: many bettors, each in some shoes, and a bound of each capital that costs little.

What a capital is at any moment, `foreknowledge.capital_log` says: it goes through all shoes that the bettor is in. The
bound is of their product, kept from coup to coup. It is not below the capital but for rounding, and above it only by
components that had lost nearly all: who is below a threshold by the bound is below it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.review import _foreknowledge
from counting.review.patrons.foreknowledge import (
    APART,
    GUESSES,
    MAIN,
    ONE_SIDED,
    PARTS,
    RISKED,
    SCALES,
    WEIGHTS,
    Capital,
)

ROUNDING = 1e-6  # by which the logarithm of a bound may be too low, at most

_HELD = sum(weights.size for weights in WEIGHTS)
_WEIGHTS = np.concatenate([weights.ravel() for weights in WEIGHTS])
_SPLIT = np.log(np.outer([MAIN, 1 - MAIN], [1.0, APART / len(RISKED)]))


class ShoeCapital:
    """Both parts of a bettor's capital in a shoe that is being dealt."""

    def __init__(self) -> None:
        self.numbers = np.concatenate([np.ones(_HELD), np.zeros(len(PARTS) * (2 + len(RISKED)))])  # for the kernel

    @property
    def parts(self) -> list[Floats]:
        """Of both parts what each component has made of 1."""
        return _split(self.numbers)


class CapitalBound:
    """A bound of a bettor's capital with the shoes that are being dealt."""

    def __init__(self, capitals: Sequence[Capital], shoes: Sequence[ShoeCapital]) -> None:
        """The capitals after whole shoes, of both parts, and the shoes."""
        now = [capital.after(*(shoe.parts[part] for shoe in shoes)) for part, capital in enumerate(capitals)]
        tops = [float(capital.through.max()) for capital in now]
        self.numbers = np.concatenate([np.empty(_HELD), tops, *(capital.apart for capital in now)])
        for held, capital, weights, top in zip(_split(self.numbers), now, WEIGHTS, tops, strict=True):
            np.maximum((1 - APART) * weights * np.exp(capital.through - top), np.finfo(float).tiny, out=held)


def _split(numbers: Floats) -> list[Floats]:
    """Both parts of the first numbers, each as its weights (rows, components)."""
    middle = WEIGHTS[0].size
    return [numbers[:middle].reshape(WEIGHTS[0].shape), numbers[middle:_HELD].reshape(WEIGHTS[1].shape)]


def deal_coup(
    odds: Sequence[Floats],
    shoes: Sequence[ShoeCapital],
    bounds: Sequence[CapitalBound],
    taken: NDArray[np.int16],
    size: Floats,
) -> Floats:
    """Deal a coup to bettors in one shoe: its ratios for both parts, each (bets, 2, sets); of each bettor the shoe so
    far, the bound, and for both parts the place of the bet taken (-1: none) and the stake in hundredths (bettors, 2).
    The logarithms of the bounds after it (bettors,)."""
    logs = np.empty(len(shoes))
    _foreknowledge.coup(
        list(odds), [shoe.numbers for shoe in shoes], [bound.numbers for bound in bounds], taken, size, SCALES,
        ONE_SIDED, GUESSES, _WEIGHTS, RISKED, _SPLIT, logs,
    )  # fmt: skip
    return logs
