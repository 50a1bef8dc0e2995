"""A page that a manager can read: the answer in words first, then tables and figures, provenance last.

One HTML file, no external request; everything that comes from a game or a system file is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import resources
from math import erf, log10, sqrt
from typing import Any

import jinja2
import polars as pl
from markupsafe import Markup

from counting.games import Game
from counting.io.tables import percent
from counting.reports import plots
from counting.sweep import Plan
from counting.version import __version__

FEATURED = 5  # bets with figures of their own: those worth most to a counter
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
WHAT_EDGES_ARE = (
    "Every edge is the bettor's, exact, for the cards that are still unseen; positive favours the bettor. A perfect "
    "counter knows it before every coup, stakes one unit exactly when it is positive, and may sit out otherwise: no "
    "counter can win more with one unit. After ± stands one standard error, from the spread between shoes, or between "
    "parts of the sweep. A figure without one did not vary in the shoes dealt: a share of 0 was never seen, but is not "
    "ruled out."
)


@dataclass(frozen=True)
class Findings:
    """What the page is made of; every figure and sentence comes from these tables."""

    plan: Plan
    edges: Mapping[str, Fraction]
    bets: pl.DataFrame
    cards_left: pl.DataFrame
    systems: pl.DataFrame
    dealing: pl.DataFrame
    quantiles: pl.DataFrame
    cuts: pl.DataFrame

    @property
    def game(self) -> Game:
        return self.plan.game

    @property
    def featured(self) -> list[str]:
        return featured(self.bets)


def ranked(bets: pl.DataFrame) -> pl.DataFrame:
    """Bets by what they are worth to a counter, most first."""
    return bets.sort("units_per_shoe", descending=True)


def featured(bets: pl.DataFrame) -> list[str]:
    """The bets worth most to a counter, best first."""
    return ranked(bets)["bet"].head(FEATURED).to_list()


@dataclass(frozen=True)
class Section:
    """A part of the page: words, a figure, a table, or some of them."""

    title: str
    text: str = ""
    figure: Markup | None = None
    caption: str = ""
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    labels: int = 1  # columns of names, to the left
    words: bool = False  # cells to be read rather than compared: to the left, with line breaks


def labels(game: Game) -> dict[str, str]:
    """What the page calls each bet."""
    return {bet.name: bet.title or bet.name.replace("-", " ").capitalize() for bet in game.bets}


def together(bet: str, names: Mapping[str, str]) -> str:
    """What the page calls side bets that are played together, `a + b`, or one alone."""
    return " and ".join(names[one] for one in bet.split(" + "))


def figure(value: float, error: float | None) -> str:
    """A figure with its standard error, to the error's first two digits: `2.349 ± 0.011`."""
    if error is None or error <= 0 or value == 0:
        return f"{value:.4g}"
    digits = min(max(1 - int(log10(error) // 1), 0), 9)
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def share(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share in percent with its standard error, to the error's first two digits: `18.934 ± 0.021%`."""
    if value is None or not error:
        return percent(value, digits)
    return f"{figure(100 * value, 100 * error)}%"


def procedure(plan: Plan) -> str:
    """How the shoes were dealt."""
    penetration = percent(plan.dealing.penetration, 1)
    return f"{plan.dealing.words} ({penetration} penetration). {plan.shoes:,} shoe{'s' * (plan.shoes > 1)}."


def _half_won(cards_left: pl.DataFrame, bet: str) -> int:
    """The number of unseen cards below which half of the counter's gain is won."""
    rows = cards_left.filter(pl.col("bet") == bet).sort("cards_left")
    won = rows["units_per_shoe"].cum_sum()
    return int(rows["cards_left"][int((won < won[-1] / 2).sum())])


def sentences(found: Findings) -> tuple[str, list[str]]:
    """The headline, and a sentence for each featured bet and one for the rest."""
    names = labels(found.game)
    rows = {row["bet"]: row for row in found.bets.iter_rows(named=True)}
    order = ranked(found.bets)["bet"].to_list()
    said = []
    for bet in found.featured:
        row = rows[bet]
        house = percent(-float(found.edges[bet]), 3)
        if row["positive_share"] == 0:
            said.append(f"{names[bet]} (house edge {house} on a full shoe): never positive in {row['coups']:,} coups.")
            continue
        said.append(
            f"{names[bet]} (house edge {house} on a full shoe): positive in {percent(row['positive_share'])} of coups, "
            f"by {percent(row['mean_positive_edge'])} on average. It turns positive in "
            f"{percent(row['shoes_positive_share'], 1)} of shoes, for the first time at coup "
            f"{row['mean_first_positive_coup']:.0f} on average. A perfect counter wins "
            f"{figure(row['units_per_shoe'], row['units_per_shoe_se'])} units a shoe "
            f"({figure(row['units_per_100_coups'], row['units_per_100_coups_se'])} per 100 coups), "
            f"half of it with {_half_won(found.cards_left, bet)} cards or fewer unseen."
        )
    rest = order[len(found.featured) :]
    if rest:
        most = rows[rest[0]]["units_per_shoe"]
        said.append(
            f"Each of the other {len(rest)} bets is worth less: at most {most:.3f} units a shoe ({names[rest[0]]})."
        )
    top = rows[order[0]]
    if top["units_per_shoe"] == 0:
        return "No bet ever turned positive.", said
    headline = (
        f"{names[order[0]]} is the bet most exposed to counting: positive in {percent(top['positive_share'], 1)} of "
        f"coups, and worth {top['units_per_shoe']:.2f} units a shoe to a perfect counter who may sit out."
    )
    return headline, said


def dealing_reading(dealing: pl.DataFrame) -> str:
    """One clear reading of the z-scores: is the largest one what chance gives?"""
    if dealing.is_empty():
        return "No coup number is certain to be reached by every shoe."
    z, n = float(dealing["z_rare"].abs().max() or 0), dealing.height  # type: ignore[arg-type]
    chance = 1 - erf(z / sqrt(2)) ** n
    coups, events = int(dealing["coup"].n_unique()), dealing["event"].n_unique()
    verdict = "agrees with" if chance > 0.001 else "DISAGREES with"
    return (
        f"The dealing {verdict} the exact probabilities: over the first {coups} coups, which every shoe is certain to "
        f"reach, and {events} events, the largest of {n:,} z-scores is {z:.2f}; "
        f"chance alone gives one as large in about {percent(chance, 1)} of such sweeps."
    )


def figures(found: Findings) -> dict[str, tuple[pl.DataFrame, str]]:
    """Each figure's table and its drawing as SVG."""
    names, featured = labels(found.game), found.featured
    gain = found.bets.select("bet", "units_per_shoe", "units_per_shoe_se")
    share = binned(found.cards_left, featured)
    size = (9, 1.2 + 0.32 * gain.height)
    drawn = {
        "gain-per-shoe": (gain, plots.svg(plots.single(plots.gain_per_shoe, gain, names, size=size))),
        "positive-share": (share, plots.svg(plots.single(plots.positive_share, share, featured, names))),
    }
    if len(found.cuts):
        drawn["gain-by-cut"] = found.cuts, plots.svg(plots.single(plots.gain_by_cut, found.cuts, featured, names))
    if len(found.quantiles):
        drawn["edge-quantiles"] = found.quantiles, plots.svg(plots.edge_panels(found.quantiles, featured, names))
    return drawn


def page(found: Findings, drawn: Mapping[str, tuple[pl.DataFrame, str]], command: str) -> str:
    """The page as HTML, with the figures that `figures` drew. `command` is what makes it again."""
    plan, game, names = found.plan, found.game, labels(found.game)
    headline, said = sentences(found)
    sections = [
        Section(
            "What a perfect counter wins",
            figure=Markup(drawn["gain-per-shoe"][1]),
            caption="Units a shoe with 95% intervals; one unit staked on exactly the coups with a positive edge.",
            columns=(
                "bet", "house edge, full shoe", "coups positive", "mean edge of those", "units a shoe",
                "per 100 coups", "shoes in which it turns positive", "first at coup",
            ),
            rows=[_bet_row(row, names, found.edges) for row in ranked(found.bets).iter_rows(named=True)],
        ),
        Section(
            "With the cut card elsewhere",
            "The same shoes, dealt to other cut cards: units a shoe that a perfect counter wins. The coups that are no "
            "longer dealt are the ones that he waits for.",
            _figure(drawn, "gain-by-cut"),
            "Units a shoe by cards behind the cut card (logarithmic scale).",
            columns=("cards behind the cut card", "coups a shoe", *(names[bet] for bet in found.featured)),
            rows=_cut_rows(found.cuts, found.featured) if len(found.cuts) else (),
        ),
        Section(
            "When in the shoe",
            "The fewer cards are unseen, the further a bet's edge strays from that of the full shoe.",
            Markup(drawn["positive-share"][1]),
            "Share of coups with a positive edge, by unseen cards at the coup's start (bins of four).",
        ),
        Section(
            "How far",
            figure=_figure(drawn, "edge-quantiles"),
            caption="The bettor's edge by unseen cards: median and the middle 50% and 90% of coups (bins of four).",
        ),
        Section(
            "Counting systems",
            "A counter with a system bets when its count reaches the trigger, whatever the exact edge is.",
            columns=(
                "system", "trigger", "bet", "bets a shoe", "mean edge", "units a shoe", "share of the perfect gain",
                "bets truly positive",
            ),
            rows=[_system_row(row, names) for row in found.systems.iter_rows(named=True)],
        ),
        Section(
            "Exact edges, full shoe",
            columns=("bet", f"edge, {plan.dealing.decks} decks", "exact"),
            rows=[[names[bet], percent(float(edge), 4), f"{edge}"] for bet, edge in found.edges.items()],
        ),
        Section("The dealing, checked", dealing_reading(found.dealing)),
        Section("Provenance", columns=("", ""), rows=provenance(plan, command), words=True),
    ]  # fmt: skip
    sections = [section for section in sections if section.rows or section.figure or "checked" in section.title]
    title = f"{game.title}: when do its bets turn positive?"
    return render(title, procedure(plan), headline, WHAT_EDGES_ARE, sections, said)


def _figure(drawn: Mapping[str, tuple[pl.DataFrame, str]], name: str) -> Markup | None:
    return Markup(drawn[name][1]) if name in drawn else None


def render(
    title: str,
    procedure: str,
    headline: str,
    note: str,
    sections: Sequence[Section],
    sentences: Sequence[str] = (),
    one_page: bool = False,
) -> str:
    """A page from its parts; `one_page` prints it smaller."""
    loader = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = loader.from_string((resources.files("counting.reports") / "templates" / "page.html").read_text())
    return template.render(
        title=title,
        procedure=procedure,
        headline=headline,
        note=note,
        sections=sections,
        sentences=sentences,
        one_page=one_page,
    )


def provenance(plan: Plan, command: str) -> list[tuple[str, str]]:
    """Where the figures are from; systems of one source together."""
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
        ("made again by", command),
    ]


def _cut_rows(cuts: pl.DataFrame, bets: Sequence[str]) -> list[list[str]]:
    rows = []
    for (cut,), part in cuts.sort("cut").group_by("cut", maintain_order=True):
        by_bet = {row["bet"]: row for row in part.iter_rows(named=True)}
        gains = [figure(by_bet[bet]["units_per_shoe"], by_bet[bet]["units_per_shoe_se"]) for bet in bets]
        coups = figure(by_bet[bets[0]]["coups_per_shoe"], by_bet[bets[0]]["coups_per_shoe_se"])
        rows.append([str(cut), coups, *gains])
    return rows


def _system_row(row: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
    return [
        row["system"],
        f"{row['trigger']:g}",
        names[row["bet"]],
        figure(row["bets_per_shoe"], row["bets_per_shoe_se"]),
        share(row["mean_edge"], row["mean_edge_se"]),
        figure(row["units_per_shoe"], row["units_per_shoe_se"]),
        share(row["captured_share"], row["captured_share_se"], 1),
        share(row["truly_positive_share"], row["truly_positive_share_se"], 1),
    ]


def _bet_row(row: Mapping[str, Any], names: Mapping[str, str], edges: Mapping[str, Fraction]) -> list[str]:
    first = row["mean_first_positive_coup"]
    return [
        names[row["bet"]],
        percent(-float(edges[row["bet"]]), 3),
        share(row["positive_share"], row["positive_share_se"]),
        share(row["mean_positive_edge"], row["mean_positive_edge_se"]),
        figure(row["units_per_shoe"], row["units_per_shoe_se"]),
        figure(row["units_per_100_coups"], row["units_per_100_coups_se"]),
        share(row["shoes_positive_share"], row["shoes_positive_share_se"], 1),
        "" if first is None else f"{first:.0f}",
    ]


def binned(cards_left: pl.DataFrame, bets: Sequence[str], every: int = 4) -> pl.DataFrame:
    """Shares by bins of unseen cards, weighted by coups."""
    return (
        cards_left.filter(pl.col("bet").is_in(list(bets)))
        .group_by("bet", (pl.col("cards_left") // every * every).alias("cards_left"))
        .agg((pl.col("positive_share") * pl.col("coups")).sum() / pl.col("coups").sum())
        .sort("bet", "cards_left")
    )
