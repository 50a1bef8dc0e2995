"""A page that a manager can read: first the answer in words, then tables and figures, and provenance last.

A page is one HTML file without external requests. All text from a game's or a system's file is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.games import Game
from counting.io.tables import percent
from counting.reports.assets import asset, template
from counting.reports.explorer import Explorer, scripts
from counting.reports.page_tables import layout
from counting.sweep import Plan
from counting.version import __version__

WHAT_EDGES_ARE = (
    "Every edge is the bettor's exact edge for the unseen cards; positive favours the bettor. A perfect counter knows "
    "the edge before every coup (hand), stakes one unit exactly when it is positive, and sits out otherwise: no "
    "counter can win more with one unit. After ± comes one standard error, from the spread between shoes or between "
    "parts of the sweep. A figure without a standard error did not vary in the shoes dealt: a share of 0 was never "
    "seen, but is not ruled out. Gains per shoe and per hour are for one counter at one table; a counter who moves "
    "between K equal tables wins at most K times the figure."
)


@dataclass(frozen=True)
class Section:
    """A section of the page: text, a figure, a table, or several of these.

    `labels`: the number of first columns with names, aligned left. `words`: cells are text, aligned left. `flagged`:
    rows that stand out. `sentences`: a list of points below the text, with a `note`. `explorer`: controls whose figures
    follow the reader's settings (`counting.reports.explorer`).
    """

    title: str
    text: str = ""
    figure: Markup | None = None
    caption: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[Any]] = ()
    labels: int = 1
    words: bool = False
    flagged: frozenset[int] = frozenset()
    sentences: Sequence[str] = ()
    note: str = ""
    explorer: Explorer | None = None

    @property
    def pairs(self) -> bool:
        """Whether the table has names with their values, without a head."""
        return tuple(self.columns) == ("", "")

    @property
    def paragraphs(self) -> bool:
        return tuple(self.columns) == ("",)

    @cached_property
    def layout(self) -> str:
        """The classes of the table."""
        return layout(self.columns, self.rows)


@dataclass(frozen=True, kw_only=True)
class Report:
    """An answer in words, tables and figures, for a page and its JSON file; `publish` writes them.

    - `procedure`: the line under the title. `stamp`: names and values below the title.
    - `sentences`: the first is the answer, and begins with the `verdict` if there is one.
    - `sections`: the first follows the answer, with an explorer after it. Then come, under the heading `details`, the
      other sentences and the `note` on how to read the figures.
    - `tables` and `figures` (SVG): files beside the page, by path without the ending. `data`: the data of the JSON
      file.
    - `headings`: for each table, the page's words for its columns (`counting.reports.headings`).
    - `names`: for each column, the page's words for the names in it, such as titles of bets. A workbook shows these;
      CSV files and the JSON file keep the names.
    - `sheets`: the number of A4 sheets for which its small print is meant, 1 to 3; 0 for type of the usual size.
    - `quoted`: tables contain other people's text, which a spreadsheet must not evaluate.
    - `refresh`: seconds until a browser loads the page again, unless its reader stops this; 0 for never.
    """

    title: str
    procedure: str
    sentences: Sequence[str]
    note: str
    sections: Sequence[Section]
    data: Mapping[str, Any]
    verdict: str = ""
    details: str = "In detail"
    stamp: Sequence[tuple[str, str]] = ()
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)
    headings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    sheets: int = 0
    quoted: bool = False
    refresh: int = 0


def render(report: Report) -> str:
    """The page as HTML."""
    headline, *sentences = report.sentences
    lead = [section for i, section in enumerate(report.sections[:2]) if not i or section.explorer]
    details = Section(report.details, sentences=sentences, note=report.note)
    return template("page.html").render(
        title=report.title,
        procedure=report.procedure,
        verdict=report.verdict,
        headline=headline.removeprefix(f"{report.verdict}. "),
        stamp=report.stamp,
        sections=[*lead, details, *report.sections[len(lead) :]],
        sheets=report.sheets,
        refresh=report.refresh,
        style=Markup(asset("page.css"))
        + Markup(asset("uplot/uPlot.min.css")) * any(section.explorer for section in report.sections),
        script=scripts((section.explorer for section in report.sections if section.explorer), report.refresh > 0),
    )


def labels(game: Game) -> dict[str, str]:
    """The page's name of each bet."""
    return {bet.name: bet.title or bet.name.replace("-", " ").capitalize() for bet in game.bets}


def title_of(bets: Iterable[str], titles: Mapping[str, str]) -> str:
    """The page's name for a bet, or for several bets together."""
    return " and ".join(titles[bet] for bet in bets)


def procedure(plan: Plan) -> str:
    """How the shoes were dealt, and any choices taken."""
    penetration = percent(plan.dealing.penetration, 1)
    dealt = f"{plan.dealing.words} ({penetration} penetration). {plan.shoes:,} shoe{'s' * (plan.shoes > 1)}."
    taken = plan.game.tableau.taken.removeprefix(" (").removesuffix(")")
    return f"{dealt} {taken}.{plan.game.caveat}" if taken else dealt


def signatures() -> Section:
    """The lines for signatures."""
    rows = [(role, "", "", "") for role in ("prepared", "reviewed", "approved")]
    return Section("Signed", columns=("signed", "name", "date", "signature"), rows=rows, words=True)


def source(plan: Plan) -> str:
    """The line below a figure: the game, the dealing, the shoes."""
    return (
        f"{plan.game.heading}; {plan.dealing.words}; {plan.shoes:,} shoes from seed {plan.seed}. counting {__version__}"
    )


def provenance_of_game(game: Game, command: str, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """The rows on where exact figures of a game come from, with `more` rows before the last two."""
    return [
        ("game", f"{game.heading} ({game.name})"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *more,
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]


def provenance(plan: Plan, command: str) -> list[tuple[str, str]]:
    """The sources of the figures; systems with the same source share a line."""
    by_source: dict[str, list[str]] = {}
    for system in plan.systems:
        by_source.setdefault(system.source, []).append(system.name)
    return [
        ("game", f"{plan.game.heading} ({plan.game.name})"),
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
