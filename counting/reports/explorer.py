"""What-if controls on a page: cut card, requirement, largest bet, counter, coups per hour, number of counters.

The figures for every setting are in the page as JSON; nothing is fetched. Gains are those of cuts and requirements
that were worked out, never interpolated. Money is exact for every number of coups per hour and of counters, as it is
proportional to each, and for every largest bet where a table's minimum and maximum do not matter; where they do, the
largest bets are those that were worked out. Without a script the page is the static one: the controls stay hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from math import isfinite
from typing import Any

from markupsafe import Markup

from counting.reports.assets import asset, inlined

_DIGITS = 10  # significant digits of the figures in the page: more than it prints


@dataclass(frozen=True)
class Course:
    """What a counter wins under a rule, by cut.

    `bet`, `counter` and `requirement` (units on the main bets for each unit of the side bet) name the rule.
    `per_shoe` and `per_100_coups` have the columns `value` and `error`, or for two figures `lower`, `lower_error`,
    `upper`, `upper_error`; and, where there are limits, `least` and `most`, both of 99%. Units are of the largest side
    bet; None is not known. `frequency`: share of coups with a bet. `worked_out`: whether the figures are of this very
    cut or are bounds from its neighbours; all are if it is empty. `stake`: the only largest bet for which this holds,
    None if it holds for every one; `unit` is then the money that a unit is, which a table's maximum may keep below the
    largest bet.
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

    `cuts`: cards behind the cut card, and `coups`: coups per shoe at each. `cards`: of the shoe. `bound`: amount and
    unit (`hour`, `shoe`, `100-coups`) of the limit that a verdict is on, None for no verdict. `names`: of bets.
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
        """Where the script puts the controls."""
        return '<div class="explorer" hidden></div>'


def scripts(explorers: Iterable[Explorer], refreshed: bool = False) -> Markup:
    """The page's script: sortable tables, a pause where it is `refreshed`, and the explorers with their data."""
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
    """As JSON: figures to the digits that are kept, null for what is not known."""
    if is_dataclass(data):
        data = vars(data)
    if isinstance(data, dict):
        return {key: _packed(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_packed(value) for value in data]
    if isinstance(data, float):
        return float(f"{data:.{_DIGITS}g}") if isfinite(data) else None
    return data
