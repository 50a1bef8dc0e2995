"""The triggers that many counting systems have reached, from one pass over the compositions.

`System.running` and `System.reached` say the same of one system, with numpy.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Int32s, Ints
from counting.cards import DECK
from counting.systems import _triggers
from counting.systems.system import System


class Triggers:
    """The scored triggers of several systems, for shoes of `decks` decks whose unseen cards are counted in `width`
    numbers: 10 by value, 13 by rank, 52 by card.

    Raises `InputError` for a system that counts ranks if the width is 10.
    """

    def __init__(self, systems: Sequence[System], decks: int, width: int) -> None:
        counts: dict[Hashable, int] = {}
        self._divisors: dict[Hashable, System] = {}
        count_of, divisor_of, scale, centre, triggers, first = [], [], [], [], [], [0]
        for system in systems:
            tags, begun = system.tags_and_start(width, decks)
            count_of.append(counts.setdefault((*tags.tolist(), int(begun)), len(counts)))
            self._divisors.setdefault(system.divided_by, system)
            divisor_of.append([*self._divisors].index(system.divided_by))
            common, exact, distance_from = system.exact_triggers
            scale.append(common * DECK if system.count == "true" else common)
            centre.append(_triggers.end() if distance_from is None else distance_from)
            triggers += [-_triggers.end(), *exact.tolist(), _triggers.end()]
            first.append(len(triggers))
        tags_and_starts = np.array([*counts], np.int32).reshape(len(counts), width + 1)
        self._counts = np.ascontiguousarray(tags_and_starts[:, :-1].T), np.ascontiguousarray(tags_and_starts[:, -1])
        self._places = np.array(count_of, np.int32), np.array(divisor_of, np.int32)
        self._scored = np.array(scale, np.int64), np.array(centre, np.int64), np.array(triggers, np.int64)
        self._first = np.array(first, np.int32)

    def reached(self, compositions: Int32s, cards_left: Ints, undealt: NDArray[Any]) -> Int32s:
        """How many of each system's triggers its count is at or above (rows, systems), in exact arithmetic.

        `compositions` (rows, width): the unseen cards; `cards_left`, `undealt`: as in `System.reached`.
        """
        reached = np.empty((len(compositions), len(self._first) - 1), np.int32)
        divisors = np.empty((len(compositions), len(self._divisors)), np.int64)
        for i, system in enumerate(self._divisors.values()):
            divisors[:, i] = system.divisor(cards_left, undealt)
        left = np.ascontiguousarray(compositions)
        _triggers.reached(left, divisors, *self._counts, *self._places, *self._scored, self._first, reached)
        return reached
