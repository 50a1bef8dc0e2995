"""How many of their triggers many counting systems have reached, from one pass over the compositions.

`System.running` and `System.reached` compute the same for one system, with numpy.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Int32s, Ints
from counting.cards import DECK
from counting.instruction_sets import chosen
from counting.systems import _triggers
from counting.systems.system import System


class Triggers:
    """The scored triggers of several systems, for shoes of `decks` decks. The unseen cards are counted in `width`
    numbers: 10 by value, 13 by rank, 52 by card.

    Raises `InputError` for a system that counts finer kinds of cards than these numbers distinguish.
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
            centre.append(nan if distance_from is None else distance_from)
            triggers += exact.tolist()
            first.append(len(triggers))
        tags_and_starts = np.array([*counts], np.int32).reshape(len(counts), width + 1)
        self._counts = np.ascontiguousarray(tags_and_starts[:, :-1].T), np.ascontiguousarray(tags_and_starts[:, -1])
        self._places = np.array(count_of, np.int32), np.array(divisor_of, np.int32)
        self._scored = np.array(scale, float), np.array(centre, float), np.array(triggers, float)
        self._first = np.array(first, np.int32)

    def reached(self, compositions: Int32s, cards_left: Ints, undealt: NDArray[Any]) -> Int32s:
        """How many of its scored triggers each system's count has reached (rows, systems), in exact arithmetic. The
        numbers of one system are contiguous in memory.

        `compositions` (rows, width) has the unseen cards. `cards_left` and `undealt` are as in `System.reached`.
        """
        reached = np.empty((len(self._first) - 1, len(compositions)), np.int32)
        divisors = np.empty((len(self._divisors), len(compositions)))
        for i, system in enumerate(self._divisors.values()):
            divisors[i] = system.divisor(cards_left, undealt)
        left, of = np.ascontiguousarray(compositions), chosen(_triggers.best_level())
        _triggers.reached(left, divisors, *self._counts, *self._places, *self._scored, self._first, reached, of)
        return reached.T
