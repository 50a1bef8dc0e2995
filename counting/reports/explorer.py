"""What-if controls on a page: cut card, requirement, largest bet, counter, coups per hour, number of counters.

The figures for every setting are in the page as JSON; nothing is fetched. Gains are only given for cuts and
requirements that were worked out, never interpolated. Money is proportional to the coups per hour and to the number of
counters, so it is exact for every number. It is exact for every largest bet if a table's minimum and maximum do not
matter. Otherwise only the largest bets that were worked out are offered. Without a script the controls stay hidden, and
the page is static.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from math import isfinite
from typing import Any

from markupsafe import Markup

from counting.reports.assets import asset, inlined

_DIGITS = 10  # significant digits of the figures' data: more than the page prints


@dataclass(frozen=True)
class Course:
    """What a counter wins under a rule, by cut.

    - `bet`, `counter` and `requirement` (units on the main bets for each unit of the side bet) name the rule.
    - `per_shoe` and `per_100_coups` have the columns `value` and `error`, or for two figures `lower`, `lower_error`,
      `upper` and `upper_error`. If there are limits, they also have `least` and `most`, both of 99%. Units are of the
      largest side bet. None: the figure is not known.
    - `frequency`: the share of coups with a bet.
    - `worked_out`: whether the figures are for this cut, or are bounds from its neighbours. Empty: all figures are for
      their own cut.
    - `stake`: the only largest bet for which the course holds, None if it holds for every largest bet. `unit`: the
      money of a unit with this `stake`; a table's maximum may keep it below the largest bet.
    """

    bet: str
    counter: str
    per_shoe: Mapping[str, Sequence[float | None]]
    per_100_coups: Mapping[str, Sequence[float | None]]
    requirement: float = 0.0
    stake: float | None = None
    frequency: Sequence[float | None] = ()
    unit: float | None = None
    worked_out: Sequence[bool] = ()


@dataclass(frozen=True)
class Explorer:
    """The courses of all rules, with the settings at the start.

    `cuts`: cards behind the cut card; `coups`: coups per shoe at each cut. `cards`: the shoe's cards. `bound`: the
    amount and unit (`hour`, `shoe`, `100-coups`) of the limit for a verdict, None without a verdict. `names`: the names
    of bets.
    """

    cards: int
    cuts: Sequence[int]
    coups: Sequence[float]
    courses: Sequence[Course]
    cut: int
    names: Mapping[str, str]
    stake: float = 100.0
    coups_per_hour: float = 70.0
    team: int = 1
    bound: tuple[float, str] | None = None
    requirement: float = 0.0
    notes: Sequence[str] = field(default_factory=tuple)

    def __html__(self) -> str:
        """The element in which the script puts the controls."""
        return '<div class="explorer" hidden></div>'


def scripts(explorers: Iterable[Explorer], refreshed: bool = False) -> Markup:
    """The page's scripts: sortable tables, a pause button if the page is `refreshed`, and the explorers with their
    data."""
    parts, listed = [_script(asset("tables.js")), *([_script(asset("refresh.js"))] * refreshed)], list(explorers)
    if listed:
        data = inlined([_packed(explorer) for explorer in listed])
        parts += [
            Markup('<script type="application/json" id="explorers">{}</script>\n').format(data),
            _script(asset("uplot/uPlot.iife.min.js")),
            _script(asset("numbers.js")),
            _script(asset("explorer.js")),
        ]
    return Markup("").join(parts)


def _script(text: str) -> Markup:
    return Markup("<script>\n{}</script>\n").format(Markup(text))


def _packed(data: Any) -> Any:
    """Data for JSON: figures to `_DIGITS` digits, null for an unknown figure."""
    if is_dataclass(data):
        data = vars(data)
    if isinstance(data, dict):
        return {key: _packed(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_packed(value) for value in data]
    if isinstance(data, float):
        return float(f"{data:.{_DIGITS}g}") if isfinite(data) else None
    return data
