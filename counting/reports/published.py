"""Compare the published results of counts with the toolkit's results for the same dealing procedure and rules.

A count is played at its own trigger, on shoes dealt by the published procedure. If the report's own shoes were dealt by
that procedure, they are used. Otherwise new shoes are dealt for the comparison, at most `MOST_SHOES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from counting.analysis import score
from counting.games import Bet, Game, catalog, load_game
from counting.reports.numbers import figure, share
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.systems import System

MOST_SHOES = 10_000  # the most shoes dealt for the comparison

# The procedures of published results, by their text in the system's file. Texts that leave part of the procedure open
# are not listed.
PROCEDURES = {"8 decks, first card burned, 14 cards behind the cut card": Dealing.named("jacobson", 8)}
_RULES = "punto-banco"  # published results are for this game's drawing rules
_FIGURES = {
    "units_per_shoe": "units per shoe",
    "units_per_100_coups": "units per 100 coups",
    "bet_share": "bet frequency",
    "mean_edge": "average edge",
}


HEADINGS = {
    f"{column}_{name}": f"{words}, {figure}"
    for name, figure in _FIGURES.items()
    for column, words in {"published": "published", "played": "played as published"}.items()
}


@dataclass(frozen=True)
class PublishedComparison:
    """A published count with its `trigger`. `row`: the row of `scores.score` for the count played as published, on
    `shoes` shoes. If the count is not compared, `row` is None, and `why_not` is the reason."""

    system: System
    trigger: float
    row: dict[str, Any] | None = None
    shoes: int = 0
    why_not: str = ""

    @property
    def figures(self) -> dict[str, float]:
        """The published results, each by the name of its column in `scores.score`."""
        listed = {name: getattr(self.system.published, name) for name in _FIGURES}
        return {name: value for name, value in listed.items() if value is not None}

    def cells(self) -> list[list[str]]:
        """Rows for the page: count, trigger, name of the result, published result, result as played here."""
        return [
            [self.system.name, f"{self.trigger:g}", _FIGURES[name], _printed(name, value), self._played(name)]
            for name, value in self.figures.items()
        ]

    def _played(self, name: str) -> str:
        if self.row is None:
            return "not compared"
        write = share if name in ("bet_share", "mean_edge") else figure
        return write(self.row[name], self.row[f"{name}_se"])

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain data, for the page's JSON file."""
        assert self.system.published is not None
        own = {} if self.row is None else {n: self.row[n] for f in self.figures for n in (f, f"{f}_se")}
        return {
            "system": self.system.name,
            "trigger": self.trigger,
            "dealing": self.system.published.dealing,
            "published": self.figures,
            "shoes": self.shoes,
            "played": own or None,
            "not_compared": self.why_not or None,
        }


def published_gain(system: System) -> str:
    """The published gain of a system, with its unit; empty if none was published."""
    figures = system.published
    if figures is None:
        return ""
    if figures.units_per_100_coups is not None:
        return f"{figures.units_per_100_coups:g} per 100 coups"
    return "" if figures.units_per_shoe is None else f"{figures.units_per_shoe:g} per shoe"


def _printed(name: str, value: float) -> str:
    return f"{100 * value:.4g}%" if name in ("bet_share", "mean_edge") else f"{value:g}"


def compare_with_published(plan: Plan, scored: pl.DataFrame, workers: int | None = None) -> list[PublishedComparison]:
    """A comparison for each published count of a plan with one bet.

    `scored`: the plan's scores. They are used if the plan deals by the published procedure.
    """
    bet, compared = plan.bets[0], []
    for system in plan.systems:
        if system.published is not None:
            why_not = _why_not(plan.game, bet, system)
            compared.append(PublishedComparison(system, system.on(bet), why_not=why_not))
    to_play: dict[Dealing, list[System]] = {}
    for count in compared:
        if not count.why_not:
            to_play.setdefault(_procedure(count.system), []).append(count.system)
    rows: dict[str, tuple[dict[str, Any], int]] = {}
    for dealing, systems in to_play.items():
        frame, shoes = (scored, plan.shoes) if dealing == plan.dealing else _played(plan, dealing, systems, workers)
        for system in systems:
            at = (pl.col("system") == system.name) & (pl.col("trigger") == system.on(bet))
            rows[system.name] = frame.row(by_predicate=at, named=True), shoes
    return [
        replace(count, row=rows[count.system.name][0], shoes=rows[count.system.name][1]) if not count.why_not else count
        for count in compared
    ]


def _played(plan: Plan, dealing: Dealing, systems: Sequence[System], workers: int | None) -> tuple[pl.DataFrame, int]:
    """Deal shoes by this procedure, and score systems at their own triggers. Returns the scores and the number of
    shoes."""
    shoes, bet = min(plan.shoes, MOST_SHOES), plan.bets[0]
    at_own = tuple(system.model_copy(update={"triggers": (system.on(bet),)}) for system in systems)
    as_published = Plan(plan.game, dealing, shoes, plan.seed, at_own, (bet,), keep_rows=0, penetration=False)
    with TemporaryDirectory() as folder:
        return score(run(as_published, folder, workers=workers).ledger).collect(), shoes


def _procedure(system: System) -> Dealing:
    assert system.published is not None
    return PROCEDURES[system.published.dealing]


def _why_not(game: Game, bet: str, system: System) -> str:
    """Why a published count is not compared; empty if it is compared."""
    assert system.published is not None
    if system.published.dealing not in PROCEDURES:
        return "the source does not give the whole dealing procedure"
    if game.tableau != load_game(_RULES).tableau:
        return "the game's drawing rules differ from the source"
    if bet not in catalog() or _pays(game, game.bet(bet)) != _pays(game, catalog()[bet]):
        return "the bet's pay table may differ from the source"
    return ""


def _pays(game: Game, bet: Bet) -> list[Any]:
    """The pays of a bet for every result of a coup, to compare two bets."""
    return [bet.pay(shown) for shown in bet.happening(game.tableau)]


def sentences(compared: Sequence[PublishedComparison]) -> str:
    """The section's text: how the counts were played, and why some are not compared."""
    parts = []
    for dealing, shoes in dict.fromkeys((_procedure(c.system), c.shoes) for c in compared if not c.why_not):
        names = [c.system.name for c in compared if not c.why_not and _procedure(c.system) == dealing]
        played = f"played on {shoes:,} shoes, dealt as in the publication ({dealing.words})"
        one = len(names) == 1
        parts.append(
            f"The count {names[0]} was {played}." if one else f"These counts were {played}: {', '.join(names)}."
        )
    for c in compared:
        if c.why_not:
            assert c.system.published is not None
            parts.append(
                f"The count {c.system.name} is not compared, because {c.why_not}. Its results were published for "
                f'"{c.system.published.dealing}".'
            )
    return " ".join(parts)
