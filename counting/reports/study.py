"""The page of a study: when the edges of a game's bets are positive, and what this is worth to a counter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import erf, sqrt
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.analysis import remarks, summary
from counting.cards import Shoe
from counting.errors import InputError
from counting.exact import exact_edges, probabilities
from counting.games import Game
from counting.io.tables import percent
from counting.numbers import many
from counting.reports import courses, drawing, pages, plots
from counting.reports.explorer import Explorer
from counting.reports.numbers import amount, figure, in_percent, share
from counting.reports.pages import WHAT_EDGES_ARE, Report, Section, labels, procedure, provenance
from counting.sweep import DEPTH, Plan, Sweep
from counting.systems import PERFECT

KIND = "study"  # the kind of folder in which the page is written
FEATURED = 5  # how many bets get a sentence and a line in figures; they are the bets most valuable to a counter
TITLES = {
    "gain-per-shoe": "What a perfect counter wins per shoe",
    "positive-share": "Share of coups with a positive edge, by unseen cards",
    "gain-by-cut": "What a perfect counter wins, by cards behind the cut card",
    "edge-quantiles": "How large the edges get, by unseen cards",
}  # the titles of figures
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Findings:
    """The tables of the page, from which all figures and sentences are made."""

    plan: Plan
    edges: Mapping[str, Fraction]
    bets: pl.DataFrame
    cards_left: pl.DataFrame
    systems: pl.DataFrame
    dealing: pl.DataFrame
    quantiles: pl.DataFrame
    cuts: pl.DataFrame
    remarks: Sequence[str] = ()  # remarks on the scored counts
    explorer: Explorer | None = None

    @property
    def game(self) -> Game:
        return self.plan.game

    @property
    def featured(self) -> list[str]:
        return featured(self.bets)


def findings(sweep: Sweep) -> Findings:
    """The tables of the page, from a finished sweep. Quantiles need the sweep's rows or its spread of edges; results
    for other cuts need its sums by cut."""
    plan = sweep.plan
    ledger, _, dealt = sweep.tallies
    bets = summary.by_bet(ledger).collect()
    best = featured(bets)
    systems = summary.by_system(ledger).collect()
    by_cut = courses.at_every_cut(sweep, courses.best_triggers(systems))
    shoe = Shoe.decks(plan.dealing.decks)
    edges = exact_edges(plan.game, shoe)
    return Findings(
        plan,
        {bet: edges[bet] for bet in plan.bets},
        bets,
        summary.by_cards_left(sweep.parts(DEPTH), ledger).collect(),
        systems,
        summary.dealing_table(dealt, probabilities(plan.game, shoe), plan.dealing.certain_coups).collect(),
        _quantiles_by_cards(sweep, best),
        _other_cuts(plan, by_cut, best),
        remarks(sweep),
        courses.of_sweep(plan, by_cut, labels(plan.game)),
    )


def _quantiles_by_cards(sweep: Sweep, bets: Sequence[str]) -> pl.DataFrame:
    """Quantiles of edges by unseen cards, from the sweep's spread of edges or its rows; empty without both."""
    parts = sweep.spread_of(bets)
    return pl.DataFrame() if parts is None else summary.spread_quantiles(parts, bets, QUANTILES)


def _other_cuts(plan: Plan, by_cut: pl.DataFrame, bets: Sequence[str]) -> pl.DataFrame:
    """What a perfect counter wins at some other cuts."""
    if by_cut.is_empty():
        return by_cut
    of_bets = (pl.col("system") == PERFECT) & pl.col("bet").is_in(bets)
    return by_cut.filter(of_bets, pl.col("cut").is_in(plan.dealing.usual_cuts)).select(
        "bet", "cut", "coups_per_shoe", "coups_per_shoe_se", "units_per_shoe", "units_per_shoe_se"
    )


def report(sweep: Sweep, command: str = "") -> Report:
    """The page of a finished sweep. `command`: the command that makes the page again.

    Raises `InputError` for a sweep of bettors: `counting limits` writes its page.
    """
    if sweep.plan.bettors:
        raise InputError(f"{sweep.folder}: was played for limits: counting limits writes its page")
    return report_of(findings(sweep), command)


def report_of(study: Findings, command: str = "") -> Report:
    """The page from its tables."""
    lines, reading, drawn = sentences(study), dealing_reading(study.dealing), figures(study)
    tables = {"bets": study.bets, "cards-left": study.cards_left, "systems": study.systems, "dealing": study.dealing}
    return Report(
        title=f"{study.game.heading}: when do its bets turn positive?",
        procedure=procedure(study.plan),
        sentences=[*lines, *study.remarks],
        note=WHAT_EDGES_ARE,
        sections=_sections(study, drawn, reading, command),
        data=_data(study, lines, reading),
        tables={f"tables/{name}": frame for name, frame in tables.items()}
        | {f"figures/{name}": frame for name, (frame, _) in drawn.items()},
        figures={f"figures/{name}": drawing for name, (_, drawing) in drawn.items()},
        names={"bet": labels(study.game), "event": {name: name.replace("-", " ") for name in study.game.events}},
        sheets=3,
    )


def sentences(study: Findings) -> list[str]:
    """Sentences: the headline, one on each featured bet, and one on the other bets."""
    names = labels(study.game)
    rows = {row["bet"]: row for row in study.bets.iter_rows(named=True)}
    order = ranked(study.bets)["bet"].to_list()
    lines = []
    for bet in study.featured:
        row = rows[bet]
        house = percent(-float(study.edges[bet]), 3)
        if row["positive_share"] == 0:
            lines.append(
                f"{names[bet]} (house edge {house} on a full shoe): the edge was never positive in "
                f"{many(row['coups'], 'coup')}."
            )
            continue
        lines.append(
            f"{names[bet]} (house edge {house} on a full shoe): the edge is positive in "
            f"{percent(row['positive_share'])} of coups, and averages {percent(row['mean_positive_edge'])} on these "
            f"coups. It turns positive in {percent(row['shoes_positive_share'], 1)} of shoes, on average first at coup "
            f"{row['mean_first_positive_coup']:.0f}. A perfect counter wins "
            f"{figure(row['units_per_shoe'], row['units_per_shoe_se'])} units per shoe "
            f"({figure(row['units_per_100_coups'], row['units_per_100_coups_se'])} per 100 coups). Half of this win "
            f"comes from coups with {_half_won(study.cards_left, bet)} or fewer cards unseen."
        )
    rest = order[len(study.featured) :]
    if rest:
        most = amount(rows[rest[0]]["units_per_shoe"], up=True)
        lines.append(
            f"On these shoes, none of the {len(rest)} other bets is worth more than {most} units per shoe to a perfect "
            "counter."
            if len(rest) > 1
            else f"On these shoes, the last bet ({names[rest[0]]}) is worth {most} units per shoe to a perfect counter."
        )
    top = rows[order[0]]
    if top["units_per_shoe"] == 0:
        return ["No bet ever turned positive.", *lines]
    often, worth = percent(top["positive_share"], 1), f"{top['units_per_shoe']:.2f}"
    if top["positive_share"] < 0.001 or top["units_per_shoe"] < 0.01:  # too small for these decimals
        often, worth = in_percent(top["positive_share"]), figure(top["units_per_shoe"], None)
    headline = (
        f"The bet most exposed to counting is {names[order[0]]}. Its edge is positive in {often} of coups. To a "
        f"perfect counter who may sit out, this bet is worth {worth} units per shoe."
    )
    return [headline, *lines]


def _half_won(cards_left: pl.DataFrame, bet: str) -> int:
    """The least number n such that at least half of the counter's win comes from coups with n or fewer unseen cards."""
    rows = cards_left.filter(pl.col("bet") == bet).sort("cards_left")
    won = rows["units_per_shoe"].cum_sum()
    return int(rows["cards_left"][int((won < won[-1] / 2).sum())])


def ranked(bets: pl.DataFrame) -> pl.DataFrame:
    """The bets in order of their value to a counter, the highest first."""
    return bets.sort("units_per_shoe", descending=True)


def featured(bets: pl.DataFrame) -> list[str]:
    """The names of the bets most valuable to a counter, in order."""
    return ranked(bets)["bet"].head(FEATURED).to_list()


def dealing_reading(dealing: pl.DataFrame) -> str:
    """Sentences on whether the dealing agrees with the exact probabilities, judged by the largest z-score; or a
    sentence that nothing could be checked."""
    if dealing.is_empty():
        return "The dealing was not checked, because there is no coup that every shoe is certain to reach."
    z, n = float(dealing["z_rare"].abs().max() or 0), dealing.height  # type: ignore[arg-type]
    chance = 1 - erf(z / sqrt(2)) ** n
    coups, events = int(dealing["coup"].n_unique()), dealing["event"].n_unique()
    verdict = "agrees with" if chance > 0.001 else "DISAGREES with"
    return (
        f"The dealing {verdict} the exact probabilities. The frequencies of {events} events were compared with them on "
        f"the first {coups} coups, which every shoe is certain to reach. This gives {n:,} z-scores. The largest is "
        f"{z:.2f}. In about {percent(chance, 1)} of correct simulations, the largest z-score is this large or larger."
    )


def figures(study: Findings) -> dict[str, tuple[pl.DataFrame, str]]:
    """Each figure's table and its drawing as SVG."""
    names, featured = labels(study.game), study.featured
    gain = study.bets.select("bet", "units_per_shoe", "units_per_shoe_se")
    share = binned(study.cards_left, featured)
    size = (9, 1.2 + 0.32 * gain.height)
    source = pages.source(study.plan)
    drawn = {
        "gain-per-shoe": (gain, drawing.single(plots.gain_per_shoe, gain, names, size=size)),
        "positive-share": (share, drawing.single(plots.positive_share, share, featured, names)),
    }
    if len(study.cuts):
        drawn["gain-by-cut"] = study.cuts, drawing.single(plots.gain_by_cut, study.cuts, featured, names)
    if len(study.quantiles):
        drawn["edge-quantiles"] = study.quantiles, plots.edge_panels(study.quantiles, featured, names)
    return {name: (frame, drawing.svg(figure, TITLES[name], source)) for name, (frame, figure) in drawn.items()}


def binned(cards_left: pl.DataFrame, bets: Sequence[str]) -> pl.DataFrame:
    """Shares of coups in bins of four unseen cards, with standard errors. A coup has four cards or more, so no shoe has
    two coups in the same bin."""
    share = pl.col("positive_share")
    return (
        cards_left.filter(pl.col("bet").is_in(list(bets)))
        .group_by("bet", (pl.col("cards_left") // 4 * 4).alias("cards_left"))
        .agg((pl.col("positive_share") * pl.col("coups")).sum() / pl.col("coups").sum(), coups=pl.col("coups").sum())
        .sort("bet", "cards_left")
        .with_columns(positive_share_se=summary.varied((share * (1 - share) / pl.col("coups")).sqrt()))
        .drop("coups")
    )


def _sections(
    study: Findings, drawn: Mapping[str, tuple[pl.DataFrame, str]], reading: str, command: str
) -> list[Section]:
    """The page's sections. Empty sections are left out."""
    names = labels(study.game)
    sections = [
        Section(
            "What a perfect counter wins",
            figure=Markup(drawn["gain-per-shoe"][1]),
            caption="Units won per shoe, with 95% intervals. The counter stakes one unit on exactly the coups with a "
            "positive edge.",
            columns=(
                "bet", "house edge, full shoe", "bet frequency", "average edge when positive", "units per shoe",
                "units per 100 coups", "shoes in which it turns positive", "first positive at coup",
            ),
            rows=[_bet_row(row, names, study.edges) for row in ranked(study.bets).iter_rows(named=True)],
        )
    ]  # fmt: skip
    if study.explorer:
        sections.append(Section("What if: another cut card, larger bets, more counters", explorer=study.explorer))
    if len(study.cuts):
        sections.append(
            Section(
                "Moving the cut card",
                "The table gives what a perfect counter would win on the same shoes if the cut card were in another "
                "place. An earlier shuffle removes the coups that the counter waits for.",
                Markup(drawn["gain-by-cut"][1]),
                "Units won per shoe (logarithmic scale), by the number of cards behind the cut card.",
                columns=("cards behind the cut card", "coups per shoe", *(names[bet] for bet in study.featured)),
                rows=_cut_rows(study.cuts, study.featured),
            )
        )
    sections.append(
        Section(
            "Where in the shoe the bets turn positive",
            "The fewer cards are left, the more the edges swing.",
            Markup(drawn["positive-share"][1]),
            "Share of coups with a positive edge, by the number of unseen cards before the coup (in bins of four).",
        )
    )
    if len(study.quantiles):
        sections.append(
            Section(
                "How large the edges get",
                figure=Markup(drawn["edge-quantiles"][1]),
                caption="The bettor's edge by the number of unseen cards (in bins of four): the median, and the ranges "
                "of the middle 50% and of the middle 90% of coups. All bets have the same scale, which is logarithmic "
                "above 1% and below -1%.",
            )
        )
    if len(study.systems):
        sections.append(
            Section(
                "Counting systems",
                "A counter who uses a counting system bets when its count reaches the trigger, whatever the exact edge "
                "is.",
                columns=(
                    "system", "trigger", "bet", "bets per shoe", "average edge", "units per shoe",
                    "betting efficiency, % of perfect play", "bets with a positive edge",
                ),
                rows=[_system_row(row, names) for row in study.systems.iter_rows(named=True)],
            )
        )  # fmt: skip
    return [
        *sections,
        Section(
            "Exact edges, full shoe",
            columns=("bet", f"edge, {many(study.plan.dealing.decks, 'deck')}", "exact"),
            rows=[[names[bet], percent(float(edge), 4), f"{edge}"] for bet, edge in study.edges.items()],
        ),
        Section("Check of the simulated dealing", reading),
        Section("Provenance", columns=("", ""), rows=provenance(study.plan, command), words=True),
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


def _data(study: Findings, lines: Sequence[str], reading: str) -> dict[str, Any]:
    """The data of the page's JSON file."""
    plan = study.plan
    return {
        "game": plan.game.name,
        "plan": plan.to_dict(),
        "plan_digest": plan.digest,
        "answer": list(lines),
        "dealing": reading,
        "edges": {bet: {"edge": float(edge), "exact": str(edge)} for bet, edge in study.edges.items()},
        "bets": study.bets.to_dicts(),
        "cuts": study.cuts.to_dicts(),
        "systems": study.systems.to_dicts(),
    }
