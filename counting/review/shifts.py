"""Shifts: the parts of the day by which a log's coups are counted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from counting.errors import InputError

_DAY = 24 * 60  # minutes of a day
_SHIFTS = 3  # shifts of eight hours each, if only one beginning is given


@dataclass(frozen=True)
class Shifts:
    """Parts of the day, the same on every day. `starts`: the minutes of the day at which they begin, in rising order.

    >>> from counting.review import Shifts
    >>> Shifts.written("06:00").names
    ('06:00-14:00', '14:00-22:00', '22:00-06:00')
    """

    starts: tuple[int, ...] = (6 * 60, 14 * 60, 22 * 60)

    @classmethod
    def written(cls, text: str, name: str = "shifts") -> Shifts:
        """Shifts that begin at these times, written as 06:00,18:00. A single time begins three shifts of eight hours.

        Raises `InputError` for a text that is not a list of times, and for a time that occurs twice."""
        starts = []
        for word in text.split(","):
            match = re.fullmatch(r"\s*([0-9]{1,2})(?::([0-9]{2}))?\s*", word)
            if match is None or int(match[1]) >= 24 or int(match[2] or 0) >= 60:
                raise InputError(f"{name}: {word.strip()!r}", "times of the day, as 06:00 or 06:00,14:00,22:00")
            starts.append(60 * int(match[1]) + int(match[2] or 0))
        if len(starts) == 1:
            starts = [(starts[0] + _DAY // _SHIFTS * number) % _DAY for number in range(_SHIFTS)]
        if len({*starts}) < len(starts):
            raise InputError(f"{name}: {text!r}", "a different time for each shift")
        return cls(tuple(sorted(starts)))

    @property
    def names(self) -> tuple[str, ...]:
        times = [f"{start // 60:02}:{start % 60:02}" for start in (*self.starts, self.starts[0])]
        return tuple(f"{begin}-{end}" for begin, end in pairwise(times))

    def of(self, times: pl.Series) -> pl.Series:
        """The name of the shift in which each time falls. A time is in minutes since midnight; a missing time gives
        null."""
        place = np.searchsorted(self.starts, times.fill_null(0).to_numpy(), "right") - 1
        named = pl.Series(np.array(self.names)[place], dtype=pl.String)  # -1: the last shift, which passes midnight
        return named.zip_with(times.is_not_null(), pl.Series([None], dtype=pl.String).new_from_index(0, len(named)))
