"""Arguments for figures per shift and for all tables of a pit."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from counting.errors import InputError, keyword, whole
from counting.numbers import money, positive
from counting.requests.request import Arguments, Whole, Written, as_whole, exact_text

if TYPE_CHECKING:
    from counting.bounds import Per, Pit


@dataclass(frozen=True, kw_only=True)
class PitArguments(Arguments):
    """The length of a shift, and the number of tables in a pit.

    Parameters
    ----------
    hours
        Hours of a shift, as 8. Counters' wins per shift are then given too: the wins per hour times the hours.
    tables
        The number of tables that deal by these rules at the same time, as 6. The limit for all tables together is then
        given too: one table's limit times the number of tables.
    """

    hours: Written | None = None
    tables: Whole | None = None

    def pit(self, given: Pit | None = None) -> Pit:
        """The pit with these arguments. A missing argument is taken from `given`, the pit of the house rules. If
        `given` is None too, the missing argument is one hour or one table."""
        from counting.bounds import MOST_HOURS, MOST_TABLES, Pit

        hours, tables = (given.hours, given.tables) if given else (Fraction(1), 1)
        if self.hours is not None:
            hours = positive(exact_text(self.hours), keyword("hours"), MOST_HOURS, money)
        if self.tables is not None:
            tables = whole(as_whole(self.tables, "tables"), keyword("tables"), 1, MOST_TABLES)
        return Pit(tables, hours)


def refuse_units(pit: Pit, per: Per, instead: str) -> None:
    """Raise `InputError` if the length of a shift is given, but figures are not per hour."""
    from counting.bounds import Per

    if pit.hours != 1 and per is not Per.HOUR:
        raise InputError(f"{keyword('hours')}: figures are in units, not per hour, should have {instead}")
