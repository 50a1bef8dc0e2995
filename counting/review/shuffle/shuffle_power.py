"""The number of shoes that shows each fault of a shuffle in nine of ten logs, from `experiments/shuffle`."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

from counting.cards import Knows

POWER_DECKS, POWER_CUT, POWER_LEVEL = 8, 14, 0.05  # of the logs that were tried


class ShoesNeeded(NamedTuple):
    """The shoes that show a fault in 90% of logs, None where `most`, the most tried, do not.

    `assumed`: how the discards are gathered and shuffled, where it matters. `in_a_row`: whether the shoes must follow
    one another at a table. `logs`: the number of logs of each cell.
    """

    fault: str
    assumed: str
    in_a_row: bool
    shoes: int | None
    most: int
    logs: int


@cache
def shoes_needed(knows: Knows) -> tuple[ShoesNeeded, ...]:
    """Of each fault that was tried, in a log of cards known so."""
    text = (resources.files("counting.review.shuffle") / "shuffle_power.csv").read_text()
    rows = csv.DictReader(text.splitlines())
    return tuple(
        ShoesNeeded(row["fault"], row["assumed"], row["in_a_row"] == "true",
                    int(row["shoes"]) if row["shoes"] else None, int(row["most"]), int(row["logs"]))
        for row in rows
        if row["knows"] == knows
    )  # fmt: skip
