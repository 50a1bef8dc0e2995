"""Sums that several bets share. An event is a set of classes of coups for which a bet pays the same. Each event's count
is added up once for all bets.

Nearly every bet of the catalog depends on a few events, such as Player's win or a tie of six. Most events are unions of
smaller events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from counting.arrays import Floats, Ints


class SharedSums(NamedTuple):
    """Combinations of counts, rewritten as combinations of the counts of events.

    `parts` lists, for each event, the counts and the earlier events that add up to its count. Both are listed by
    number: the counts are numbered first, and the events after them. Each entry of `combinations` is a list of pairs
    (event, coefficient), in which no two events have a count in common. The last count is the number of all deals. It
    is an event by itself, so that no event's count exceeds it.
    """

    parts: list[list[int]]
    combinations: list[list[tuple[int, float]]]

    @classmethod
    def of(cls, coefficients: Ints | Floats) -> SharedSums:
        """Rewrite the combinations given by the columns of `coefficients` (counts, combinations)."""
        combinations = [_levels(column.tolist()) for column in coefficients.T]
        events = sorted(
            {event for levels in combinations for event in levels}, key=lambda event: (event.bit_count(), event)
        )
        place = {event: i for i, event in enumerate(events)}
        parts: list[list[int]] = []
        for i, event in enumerate(events):
            of_event, rest = [], event
            for j in range(i - 1, -1, -1):  # the largest events first
                if events[j] & rest == events[j]:
                    of_event.append(len(coefficients) + j)
                    rest ^= events[j]
            parts.append(of_event + _members(rest))
        return cls(parts, [[(place[event], value) for event, value in levels.items()] for levels in combinations])


def _levels(column: Sequence[float]) -> dict[int, float]:
    """The sets of counts that have the same coefficient other than 0, each with this coefficient. A set has a bit for
    each count; the last count is a set by itself."""
    sets: dict[float, int] = {}
    for i, value in enumerate(column[:-1]):
        if value:
            sets[value] = sets.get(value, 0) | 1 << i
    levels = {event: value for value, event in sets.items()}
    return levels | ({1 << len(column) - 1: column[-1]} if column[-1] else {})


def _members(event: int) -> list[int]:
    return [i for i in range(event.bit_length()) if event >> i & 1]
