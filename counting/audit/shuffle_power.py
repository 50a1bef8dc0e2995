"""The number of shoes that shows each fault of a shuffle in nine of ten logs, from `experiments/shuffle`."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

from counting.cards import Knows

POWER_DECKS, POWER_CUT, POWER_LEVEL = 8, 14, 0.05  # of the logs that were tried
_SHUFFLED_AGAIN = ("shoe before", "batches by turns", "by parts")


class ShoesNeeded(NamedTuple):
    """The shoes that show a fault in 90% of logs, None where `most`, the most tried, do not; and the test `by` which
    most are flagged."""

    fault: str
    shoes: int | None
    most: int
    by: str

    @property
    def in_a_row(self) -> bool:
        """Whether the fault shows in shoes that follow one another at a table only."""
        return any(words in self.fault for words in _SHUFFLED_AGAIN)


@cache
def shoes_needed(knows: Knows) -> tuple[ShoesNeeded, ...]:
    """Of each fault that was tried, in a log of cards known so."""
    text = (resources.files("counting.audit") / "shuffle_power.csv").read_text()
    rows = csv.DictReader(text.splitlines())
    return tuple(
        ShoesNeeded(row["fault"], int(row["shoes"]) if row["shoes"] else None, int(row["most"]), row["by"])
        for row in rows
        if row["knows"] == knows
    )
