"""Keeps the capitals of many bettors while coups are dealt. For each capital, it also keeps a bound that is quick to
update.

`foreknowledge.capital_log` gives a capital at any moment, but goes through all shoes in which the bettor bets. The
bound is updated from coup to coup. Apart from rounding, it is an upper bound on the capital. It exceeds the capital
only because components that have lost nearly all of their share count for a little more than they have left. If a bound
is below a threshold, the capital is below the threshold too."""

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

ROUNDING = 1e-6  # rounding may make the logarithm of a bound too low, by at most this

_HELD = sum(weights.size for weights in WEIGHTS)
_WEIGHTS = np.concatenate([weights.ravel() for weights in WEIGHTS])
_SPLIT = np.log(np.outer([MAIN, 1 - MAIN], [1.0, APART / len(RISKED)]))


class ShoeCapital:
    """Both parts of a bettor's capital in a shoe that is being dealt."""

    def __init__(self) -> None:
        self.numbers = np.concatenate([np.ones(_HELD), np.zeros(len(PARTS) * (2 + len(RISKED)))])  # for the kernel

    @property
    def parts(self) -> list[Floats]:
        """For each part, what its components have made of a capital of 1."""
        return _split(self.numbers)


class CapitalBound:
    """A bound on a bettor's capital, including the shoes that are being dealt."""

    def __init__(self, capitals: Sequence[Capital], shoes: Sequence[ShoeCapital]) -> None:
        """`capitals` are both parts' capitals after whole shoes. `shoes` are the shoes that are still being dealt."""
        now = [capital.after(*(shoe.parts[part] for shoe in shoes)) for part, capital in enumerate(capitals)]
        tops = [float(capital.through.max()) for capital in now]
        self.numbers = np.concatenate([np.empty(_HELD), tops, *(capital.apart for capital in now)])
        for held, capital, weights, top in zip(_split(self.numbers), now, WEIGHTS, tops, strict=True):
            np.maximum((1 - APART) * weights * np.exp(capital.through - top), np.finfo(float).tiny, out=held)


def _split(numbers: Floats) -> list[Floats]:
    """The first numbers as two arrays, one for each part, in the shape of the part's weights (rows, components)."""
    middle = WEIGHTS[0].size
    return [numbers[:middle].reshape(WEIGHTS[0].shape), numbers[middle:_HELD].reshape(WEIGHTS[1].shape)]


def deal_coup(
    odds: Sequence[Floats],
    shoes: Sequence[ShoeCapital],
    bounds: Sequence[CapitalBound],
    taken: NDArray[np.int16],
    size: Floats,
) -> Floats:
    """Deal a coup to bettors in one shoe.

    - `odds`: the coup's ratios (bets, 2, sets) for each part
    - `shoes` and `bounds`: each bettor's capital in this shoe, and bound; both are updated
    - `taken` (bettors, 2): the place of the bet in each part, -1 for none
    - `size` (bettors, 2): the stake in hundredths

    Returns the logarithms of the bounds after the coup (bettors,)."""
    logs = np.empty(len(shoes))
    _foreknowledge.coup(
        list(odds), [shoe.numbers for shoe in shoes], [bound.numbers for bound in bounds], taken, size, SCALES,
        ONE_SIDED, GUESSES, _WEIGHTS, RISKED, _SPLIT, logs,
    )  # fmt: skip
    return logs
