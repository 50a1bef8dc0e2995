"""A page's sentences and table on what counters win per shift and at several tables (`counting.bounds.pits`).

The sentences follow the page's sentence on an hour at one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

from counting.bounds import AN_HOUR, Per, Pit
from counting.reports.headings import AT_LEAST, AT_MOST
from counting.reports.numbers import amount, at_least, at_most, in_currency, money
from counting.reports.pages import Section
from counting.reports.verdicts import NOTHING, winnings

_ONE_OF = {Per.SHOE: "one shoe", Per.COUPS: "100 coups"}
Limits = tuple[float, float]  # the lower and upper limit of counters' wins, each with 99% confidence


@dataclass(frozen=True)
class PitFigures:
    """What counters win over the hours and at the tables of a `pit`. `limits`: the limits at one table, by the name of
    the bets.

    `per`: the unit of the limits: an hour, a shoe or 100 coups. `currency`: the sign or name printed with money; it may
    be empty. None for units, and for money without a currency. `team`: the number of counters at a table. `settled`:
    the limits include a rebate on losses. `above`: this rebate is paid on the part of a loss above an amount.
    """

    pit: Pit
    per: Per
    limits: Mapping[str, Limits]
    currency: str | None = None
    team: int = 1
    settled: bool = False
    above: bool = False

    def sentences(self, bets: str) -> list[str]:
        """Sentences for these bets: on a shift at one table, and on all tables together. No sentence for an hour at one
        table."""
        named = f'For "{bets}" ' if len(self.limits) > 1 else ""
        lines = [self._shift(named, *self.limits[bets])] if self.pit.hours != 1 else []
        return [*lines, *(self._tables(named, *self.limits[bets]) if self.pit.tables > 1 else [])]

    def all_sentences(self) -> list[str]:
        return [line for bets in self.limits for line in self.sentences(bets)]

    def _shift(self, named: str, lower: float, upper: float) -> str:
        """A sentence on a counter at one table over a shift."""
        hours, counter = float(self.pit.hours), self._counter
        won = winnings(
            hours * lower, hours * upper, f"per {self.pit.shift}",
            currency=self.currency, counter=f"a {counter}", others=f"no {counter}",
        )  # fmt: skip
        return f"{f'{named.rstrip()}, on' if named else 'On'} average over whole shoes, {won}."

    def _tables(self, named: str, lower: float, upper: float) -> list[str]:
        """Sentences on all tables: with a counter at each table, and with a counter who moves between tables."""
        pit, unit = self.pit, self._unit
        head = f"{named}{'with' if named else 'With'} {pit.tables:,} tables dealt at once"
        head += f"{',' if self.above else ' and'} one {self._counter} at each"
        head += " and each table settled separately" * self.above
        if upper <= 0:
            return [f"{head}, {NOTHING}."]
        all_win = f"all {self._counter.partition(' ')[0]}s together win"
        least = f"{all_win} {at_least(self._of_all(lower), None, self.currency)} {unit}" if lower > 0 else ""
        if upper == inf:
            if least:
                return [f"{head}, {least} (99% confidence), but what they win at most is not known."]
            return [f"{head}, it is not known what {all_win}."]
        most = at_most(self._of_all(upper), None, self.currency)
        if least:
            lines = [f"{head}, {least}, and at most {most} (each with 99% confidence)."]
        else:
            lines = [f"{head}, {all_win} at most {most} {unit} (99% confidence)."]
        lines.append(
            f"The bound for all {pit.tables:,} tables, {most}, is the sum of the tables' bounds. It also holds for one "
            f"{self._counter} moving between the tables, because the cards of one table show nothing about another "
            "table's shoe."
        )
        lines.append(
            "A counter who moves between tables is at only one table at a time, and wins less if the best coups of two "
            "tables come at the same time. No lower bound is proved for this counter."
        )
        if self.above:
            return [*lines, "If losses are added up over the tables before the rebate, the upper bound may not hold."]
        return lines + ["A rebate on losses is settled at each table separately."] * self.settled

    @property
    def _counter(self) -> str:
        return f"team of {self.team} counters" if self.team > 1 else "counter"

    @property
    def _unit(self) -> str:
        """The unit of sums over all tables."""
        if self.per is Per.HOUR:
            return f"per {self.pit.shift}"
        return f"units for {_ONE_OF[self.per]} at each table"

    def _of_all(self, limit: float) -> float:
        return self.pit.times * limit

    def rows(self) -> list[dict[str, Any]]:
        """Rows for each bet: for one table and for all tables, and each for an hour and for a shift. If the limits are
        per shoe or per 100 coups, they are added up over the tables but not over time, and `hours` is null."""
        pit, money_per_hour = self.pit, self.per is Per.HOUR
        return [
            {
                "bet": bets,
                "tables": tables,
                "hours": float(hours) if money_per_hour else None,
                "unit": "money" if money_per_hour else self.per.unit,
                "least": max(float(tables * hours) * lower, 0.0),
                "most": float(tables * hours) * upper,
            }
            for bets, (lower, upper) in self.limits.items()
            for tables in sorted({1, pit.tables})
            for hours in sorted({Fraction(1), pit.hours})
        ]

    def section(self) -> list[Section]:
        """A section with the rows as a table; none for an hour at one table."""
        if self.pit == AN_HOUR or not self.limits:
            return []
        text = f"A row for one table gives what one {self._counter} wins."
        if self.pit.tables > 1:
            text += (
                f" A row for several tables adds up what one {self._counter} at each table wins. Its upper limit also "
                f"holds for one {self._counter} moving between the tables."
            )
            text += " The rebate on losses is settled at each table separately." * self.settled
        return [
            Section(
                "A shift, and several tables",
                text,
                columns=("bets", "tables", "per", AT_LEAST, AT_MOST),
                rows=[self._row(row) for row in self.rows()],
                labels=3,
            )
        ]

    def _row(self, row: Mapping[str, Any]) -> list[str]:
        tables, hours = row["tables"], row["hours"]
        whose = f"one {self._counter} at one table" if tables == 1 else f"{tables:,} tables together"
        per = self.per.words.partition("per ")[2] if hours is None else "hour" if hours == 1 else self.pit.shift
        return [row["bet"], whose, per, self._printed(row["least"], False), self._printed(row["most"], True)]

    def _printed(self, value: float, up: bool) -> str:
        if value == inf:
            return "not known"
        if self.currency is None:
            return amount(max(value, 0.0), up)
        return in_currency(money(max(value, 0.0), None, up), self.currency)

    def data(self) -> dict[str, Any]:
        """Data for the page's JSON file; empty for an hour at one table."""
        return {} if self.pit == AN_HOUR or not self.limits else {"pit": self.rows()}


HEADINGS = {
    "pit": {
        "bet": "bets", "tables": "tables dealt at once", "hours": "hours", "unit": "unit", "least": AT_LEAST,
        "most": AT_MOST,
    }
}  # fmt: skip
