"""Reports as pages: first the answer in words, then tables and figures, and the provenance last.

A page is one HTML file, which loads nothing from a network. All text from files of games and systems is escaped.
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
from counting.numbers import many
from counting.reports.assets import asset, template
from counting.reports.explorer import Explorer, scripts
from counting.reports.page_tables import layout
from counting.sweep import Plan
from counting.version import __version__

WHAT_EDGES_ARE = (
    "Every edge is the bettor's exact edge for the unseen cards; a positive edge favours the bettor. A perfect "
    "counter knows the edge before every coup (hand), stakes one unit exactly when the edge is positive, and sits out "
    "otherwise. No counter can win more with one unit. The number after ± is one standard error, worked out from the "
    "spread between shoes or between parts of the sweep. A mean or a share in a table that did not vary in these "
    "shoes is printed without ±. A share of exactly 0 in a table means that the event never came up in these shoes; "
    "it may still be possible. Gains per shoe and per hour are for one counter at one table. A counter who moves "
    "between K equal tables wins at most K times these gains."
)


@dataclass(frozen=True)
class Section:
    """A section of a page, with a text, a figure, a table, or several of them.

    `labels`: the number of columns, from the left, that hold names; these are aligned left. `words`: all cells are
    text, and aligned left. `flagged`: the rows to highlight. `sentences`: a list of points below the text; the `note`
    comes after them. `explorer`: controls with which a reader changes settings (`counting.reports.explorer`).
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
        """Whether the table has names with their values, and no headings."""
        return tuple(self.columns) == ("", "")

    @property
    def paragraphs(self) -> bool:
        return tuple(self.columns) == ("",)

    @cached_property
    def layout(self) -> str:
        """The CSS classes of the table."""
        return layout(self.columns, self.rows)


@dataclass(frozen=True, kw_only=True)
class Report:
    """The contents of a page and of its JSON file; `publish` writes both.

    - `procedure`: the line under the title. `stamp`: names and values below the title.
    - `sentences`: the first is the answer, and begins with the `verdict` if there is one.
    - `sections`: the first section comes right after the answer, and a section with an explorer may follow it. Then
      come the other sentences under the heading `details`, and the `note` on how to read the numbers.
    - `tables` and `figures` (SVG): further files in the page's folder, by path without the ending. `data`: the data of
      the JSON file.
    - `headings`: for each table, the page's words for its columns (`counting.reports.headings`).
    - `names`: for each column, words for the names in its cells, such as titles of bets. A workbook shows the words;
      CSV and JSON files keep the names.
    - `sheets`: print in small type, to fit on this number of A4 sheets, 1 to 3; 0 for type of the usual size.
    - `quoted`: tables contain texts from a log, which a spreadsheet must not evaluate as formulas.
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


def quoted(bets: Iterable[str], titles: Mapping[str, str]) -> str:
    """The page's names for bets, each in quotation marks, for use in a sentence."""
    return " and ".join(f'"{titles[bet]}"' for bet in bets)


def procedure(plan: Plan) -> str:
    """The line under the title: how the shoes were dealt, and how hands with a choice were played."""
    penetration = percent(plan.dealing.penetration, 1)
    dealt = f"{plan.dealing.words}. The penetration is {penetration}. {many(plan.shoes, 'shoe')}."
    taken = plan.game.tableau.taken.removeprefix(" (").removesuffix(")")
    return f"{dealt} {taken}.{plan.game.caveat}" if taken else dealt


def signatures() -> Section:
    """A section with lines for signatures."""
    rows = [(role, "", "", "") for role in ("prepared", "reviewed", "approved")]
    return Section("Signed", columns=("signed", "name", "date", "signature"), rows=rows, words=True)


def source(plan: Plan) -> str:
    """The line below a figure: the game, the dealing procedure and the number of shoes."""
    shoes = f"{many(plan.shoes, 'shoe')} from seed {plan.seed}"
    return f"{plan.game.heading}; {plan.dealing.words}; {shoes}. counting {__version__}"


def provenance_of_game(game: Game, command: str, *more: tuple[str, str]) -> list[tuple[str, str]]:
    """The provenance of a game's exact values, as rows. `more`: further rows, which come before the last two."""
    return [
        ("game", f"{game.heading} ({game.name})"),
        ("source of the rules", game.source),
        ("digest of the game", game.digest),
        *more,
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]


def provenance(plan: Plan, command: str) -> list[tuple[str, str]]:
    """The provenance of a plan's results, as rows. Systems with the same source share a row."""
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
            f"{many(plan.shoes, 'shoe')} from seed {plan.seed}; a shoe's cards depend only on the decks, the seed and "
            "the shoe's number",
        ),
        ("made by", f"counting {__version__}"),
        ("to make it again", command),
    ]
