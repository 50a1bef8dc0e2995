"""How many shoes it takes to detect each fault of a shuffle in nine of ten logs (`experiments/shuffle`)."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple

from counting.cards import Knows

POWER_DECKS, POWER_CUT, POWER_LEVEL = 8, 14, 0.05  # the settings of the experiment's tests


class ShoesNeeded(NamedTuple):
    """How many shoes it takes to detect a fault in 90% of logs. `shoes` is None if `most`, the largest number that was
    tried, is too small.

    - `assumed`: the assumption under which this holds
    - `largest_log`: if only one shoe of the log has the fault, the most shoes for which this was simulated. Among more
      shoes, the shoe needs a smaller p-value to be flagged. None if every shoe has the fault.
    - `in_a_row`: whether the shoes must follow one another at a table
    - `logs`: the number of logs that were tried for each figure"""

    fault: str
    assumed: str
    largest_log: int | None
    in_a_row: bool
    shoes: int | None
    most: int
    logs: int


@cache
def shoes_needed(knows: Knows) -> tuple[ShoesNeeded, ...]:
    """The shoes needed for each fault that was tried, if the cards of a log are known in this detail."""
    text = (resources.files("counting.review.shuffle") / "shuffle_power.csv").read_text()
    rows = csv.DictReader(text.splitlines())
    return tuple(
        ShoesNeeded(row["fault"], row["assumed"], int(row["largest_log"]) if row["largest_log"] else None,
                    row["in_a_row"] == "true", int(row["shoes"]) if row["shoes"] else None, int(row["most"]),
                    int(row["logs"]))
        for row in rows
        if row["knows"] == knows
    )  # fmt: skip
