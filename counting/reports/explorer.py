"""The explorer: controls on a page with which a reader may change the cut card, the main-bet requirement, the largest
bet, the counter, the coups per hour and the number of counters.

The values for every setting are in the page as JSON; nothing is fetched. There are values only for the cuts and
requirements of the page's own results; nothing is interpolated between them. Money is proportional to the coups per
hour and to the number of counters, so changing these two settings needs no new values. Money is also proportional to
the largest bet, if the table's minimum and maximum do not matter. If they do, only the largest bets in these results
are offered. Without JavaScript, the controls stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from math import isfinite
from typing import Any

from markupsafe import Markup

from counting.reports.assets import asset, inlined

_DIGITS = 10  # significant digits of values in the page: more than it prints


@dataclass(frozen=True)
class Course:
    """What a counter wins under a rule at each cut. Lists have an item for each cut.

    - `bet`, `counter` and `requirement` (units on the main bets for each unit of the side bet) name the rule.
    - `per_shoe` and `per_100_coups`: the win in units of the largest side bet. The keys are `value` and `error`; or, if
      the win is between two estimates, `lower`, `lower_error`, `upper` and `upper_error`. `least` and `most` are 99%
      limits. None means that a value is not known.
    - `frequency`: the share of coups with a bet.
    - `worked_out`: whether the values were worked out for this cut; otherwise they are bounds from neighbouring cuts.
      Empty if all were worked out.
    - `stake`: the largest bet for which the course holds; None if it holds for every largest bet. `unit`: what one unit
      is in money, with this `stake`. A table's maximum may make the unit less than the largest bet.
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
    """The courses of all rules, and the settings with which the controls start.

    `cards`: the number of cards in the shoe. `cuts`: cards behind the cut card. `coups`: coups per shoe at each cut.
    `bound`: the amount and the unit (`hour`, `shoe`, `100-coups`) of the bound; None if there is no verdict. `names`:
    the page's names of bets.
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
    """The page's scripts, for sortable tables and for explorers, with their data. A `refreshed` page also gets a pause
    button."""
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
    """Data for JSON: numbers with `_DIGITS` digits, and null for an unknown number."""
    if is_dataclass(data):
        data = vars(data)
    if isinstance(data, dict):
        return {key: _packed(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_packed(value) for value in data]
    if isinstance(data, float):
        return float(f"{data:.{_DIGITS}g}") if isfinite(data) else None
    return data
