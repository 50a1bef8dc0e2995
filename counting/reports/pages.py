"""A page that a manager can read: the answer in words first, then tables and figures, provenance last.

One HTML file without external requests; all text from a game file or a system file is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from math import ceil, log10
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from counting.games import Game
from counting.io.tables import percent
from counting.limits import bets_of
from counting.sweep import Plan
from counting.version import __version__

WHAT_EDGES_ARE = (
    "Every edge is the bettor's exact edge for the unseen cards; positive favours the bettor. A perfect counter knows "
    "the edge before every coup (hand), stakes one unit exactly when it is positive, and sits out otherwise: no "
    "counter can win more with one unit. After ± stands one standard error, from the spread between shoes or between "
    "parts of the sweep. A figure without a standard error did not vary in the shoes dealt: a share of 0 was never "
    "seen, but is not ruled out."
)


@dataclass(frozen=True)
class Section:
    """A section of the page: text, a figure, a table, or several of these."""

    title: str
    text: str = ""
    figure: Markup | None = None
    caption: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    labels: int = 1  # columns of names, aligned left
    words: bool = False  # cells of text: aligned left, with line breaks


@dataclass(frozen=True, kw_only=True)
class Report:
    """An answer in words, tables and figures, for a page and its JSON twin; `publish` writes them.

    `procedure`: the line under the title. `sentences`: the first is the answer. `note`: how to read the figures.
    `tables` and `figures` (SVG): files beside the page, by path without the ending. `data`: the JSON twin. `one_page`:
    prints smaller. `quoted`: tables contain text of others, which a spreadsheet must not evaluate.
    """

    title: str
    procedure: str
    sentences: Sequence[str]
    note: str
    sections: Sequence[Section]
    data: Mapping[str, Any]
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    one_page: bool = False
    quoted: bool = False


def render(report: Report) -> str:
    """The page as HTML."""
    loader = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = loader.from_string((resources.files("counting.reports") / "templates" / "page.html").read_text())
    headline, *sentences = report.sentences
    return template.render(
        title=report.title,
        procedure=report.procedure,
        headline=headline,
        note=report.note,
        sections=report.sections,
        sentences=sentences,
        one_page=report.one_page,
    )


def labels(game: Game) -> dict[str, str]:
    """The page's name of each bet."""
    return {bet.name: bet.title or bet.name.replace("-", " ").capitalize() for bet in game.bets}


def title_of(name: str, titles: Mapping[str, str]) -> str:
    """The page's name of a single bet, or of bets taken together by their `joint_name`."""
    return " and ".join(titles[bet] for bet in bets_of(name))


def figure(value: float, error: float | None) -> str:
    """A figure with its standard error, to the error's first two digits: `2.349 ± 0.011`."""
    if error is None or error <= 0 or value == 0:
        return f"{value:.4g}"
    digits = min(max(1 - int(log10(error) // 1), 0), 9)
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def amount(value: float, up: bool | None = None) -> str:
    """A figure with three digits or more; `up`: a limit rounded up (True) or down (False)."""
    step = 10.0 ** -max(0, 2 if abs(value) >= 1 else 3 if abs(value) >= 0.1 else 4)
    if up is not None:
        value = (ceil(value / step - 1e-9) if up else -ceil(-value / step - 1e-9)) * step
    if 0 < abs(value) < 0.0001:
        return "less than 0.0001"
    return f"{value:,.{2 if step == 0.01 else 3 if step == 0.001 else 4}f}"


def share(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share in percent with its standard error, to the error's first two digits: `18.934 ± 0.021%`."""
    if value is None or not error:
        return percent(value, digits)
    return f"{figure(100 * value, 100 * error)}%"


def procedure(plan: Plan) -> str:
    """How the shoes were dealt."""
    penetration = percent(plan.dealing.penetration, 1)
    return f"{plan.dealing.words} ({penetration} penetration). {plan.shoes:,} shoe{'s' * (plan.shoes > 1)}."


def provenance(plan: Plan, command: str) -> list[tuple[str, str]]:
    """The sources of the figures; systems with the same source together."""
    by_source: dict[str, list[str]] = {}
    for system in plan.systems:
        by_source.setdefault(system.source, []).append(system.name)
    return [
        ("game", f"{plan.game.title} ({plan.game.name})"),
        ("source of the rules", plan.game.source),
        *((f"source of {', '.join(names)}", source) for source, names in by_source.items()),
        ("digest of the game", plan.game.digest),
        ("digest of the sweep's plan", plan.digest),
        (
            "shoes and seed",
            f"{plan.shoes:,} shoes from seed {plan.seed}; a shoe's cards depend on the seed and its number alone",
        ),
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]
