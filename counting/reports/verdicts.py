"""The wording of what counters win under a rule, for statements, limits and recommendations alike.

Sentences give the two limits of `counting.bounds.figures`, and no estimate. A lower limit is rounded down, and an upper
limit is rounded up. The explorer has the same wording in `templates/explorer.js`.
"""

from __future__ import annotations

from math import inf

from counting.bounds import Per
from counting.numbers import many
from counting.reports.numbers import at_least, at_most

UNSEEN = "it is not known what counters win, because profitable bets are too rare to show in these shoes"
NOTHING = "no counter wins anything, and staying away is best"
ONE_TABLE = (
    "Unless stated otherwise, figures are for one counter at one table. K counters together win at most K times the "
    "upper bound, and so does one counter who moves between K such tables."
)
ONE_TABLE_SETTLED_APART = (
    "Unless stated otherwise, figures are for one counter at one table. If the rebate is settled separately for each "
    "counter at each table, K counters together win at most K times the upper bound, and so does one counter who moves "
    "between K such tables. If losses are added up first, some of them may get a rebate that they would not get "
    "separately."
)
"""Used in place of `ONE_TABLE` if a rebate is paid only on the part of a loss above an amount."""

LINES = (
    "Each line runs from a lower to an upper limit, each with 99% confidence. Some counter wins at least the lower "
    "limit. No counter wins more than the upper limit, which is marked by a bar. The dot is the estimate."
)
"""The caption of a figure that draws both limits."""


def behind(cut: int) -> str:
    """Words on the place of the cut card: `1 card behind the cut card`."""
    return f"{many(cut, 'card')} behind the cut card"


def unit_after(amount: float, per: Per) -> str:
    """The unit in words, in the form that follows this amount: `unit per shoe` after 1."""
    return per.words.replace("units", "unit") if amount == 1 else per.words


def winnings(
    lower_99: float,
    upper_99: float,
    unit: str,
    bound: float | None = None,
    *,
    met: bool = False,
    currency: str | None = None,
    counter: str = "a counter",
    others: str = "no counter",
) -> str:
    """What counters win at this table, as a clause without a full stop. `met`: the bound is met, so only the upper
    limit is printed. `currency`: the sign or name printed with money, which may be empty; None for units."""
    unit = f"{unit} at this table"
    if upper_99 <= 0:
        return NOTHING
    some = f"{counter} wins {at_least(lower_99, bound, currency)} {unit}" if lower_99 > 0 else ""
    if upper_99 == inf:
        return f"{some} (99% confidence), but what others win at most is not known" if some else UNSEEN
    most = f"more than {at_most(upper_99, bound, currency)}"
    if met:
        return f"{others} wins {most} {unit} (99% confidence)"
    if some:
        return f"{some}, and {others} wins {most} (each with 99% confidence)"
    return f"no winning way to play was found, and {others} wins {most} {unit} (99% confidence)"
