"""What a count wins at every whole trigger at once.

A whole trigger is reached exactly if the count, rounded down, is at or above it. So the gain at a whole trigger is the
sum of the gains at all rounded counts from this trigger up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints


class BestTrigger(NamedTuple):
    """A whole trigger, and what the count wins by betting at or above it."""

    trigger: int
    gain: float


def gains_by_count(counts: Ints, gains: Floats) -> tuple[Ints, Floats]:
    """The whole counts that occur, rising, and for each count the sum of its rows' gains."""
    occurring, place = np.unique(counts, return_inverse=True)
    by_count: Floats = np.bincount(place, gains, len(occurring)).astype(float, copy=False)
    return occurring, by_count


def best_trigger(counts: Ints, gains: Floats) -> BestTrigger | None:
    """The whole trigger at which a count wins most; of equally good triggers, the highest. `counts` are the whole
    counts, rising, and `gains` the gain at each count. None if the count wins nothing at any trigger."""
    from_here = gains[::-1].cumsum()
    if not (from_here > 0).any():
        return None
    best = int(from_here.argmax())
    return BestTrigger(int(counts[::-1][best]), float(from_here[best]))
