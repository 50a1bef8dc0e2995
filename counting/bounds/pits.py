"""A shift and a pit: from what is won at one table in an hour, to what is won over several hours and at several tables
that are dealt at the same time.

Hours: each hour has the same expectation, as an average over whole shoes. So the expectation of a shift is the
expectation of one hour times the number of hours.

Tables: each table has a separate shoe, and the rules are the same. What a counter knows of other tables says nothing
about the cards of this table. A counter who plays only at this table could make the same bets. So the expectation of
these bets is at most the table's bound. The sum of the tables' bounds holds for all tables together, with a counter at
each.

A rebate on losses is taken to be settled at each table separately. If losses were added up over the tables first, and
the rebate paid on the part above an amount, the sum would not be a bound.

The sum also holds for a counter who moves between tables and plays some coups of each. For this counter, who bets at
one table at a time, no lower limit is proved. If the best coups of the tables come at different times, this counter may
win nearly as much as a counter at each table."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from counting.numbers import plain

MOST_TABLES = 1000
MOST_HOURS = 10_000


@dataclass(frozen=True)
class Pit:
    """Tables that deal at the same time by the same rules, and the hours of a shift. The default is an hour at one
    table.

    >>> from fractions import Fraction
    >>> from counting.bounds import Pit
    >>> Pit(4, Fraction(8)).words
    'shift of 8 hours at 4 tables'
    """

    tables: int = 1
    hours: Fraction = Fraction(1)

    @property
    def times(self) -> float:
        """The number of table hours: the tables times the hours."""
        return float(self.tables * self.hours)

    @property
    def shift(self) -> str:
        """The hours in words, as they follow "per"."""
        return "hour" if self.hours == 1 else f"shift of {plain(self.hours)} hours"

    @property
    def words(self) -> str:
        return self.shift if self.tables == 1 else f"{self.shift} at {self.tables:,} tables"


AN_HOUR = Pit()
"""An hour at one table."""
