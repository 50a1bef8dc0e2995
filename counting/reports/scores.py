"""The page of a sweep's scores: what each counter bets and wins, the spread of the results, and what the results mean
for a bankroll."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.analysis import Bankroll
from counting.io.tables import percent
from counting.numbers import many
from counting.reports import drawing, pages, plots
from counting.reports.numbers import figure, in_percent, money, number, share, unrounded
from counting.reports.pages import Report, Section
from counting.reports.vulnerability import MEASURES, standard_score
from counting.sweep import Plan
from counting.systems import PERFECT

WON, SWING, PURSE = "What the counters win", "How the results swing", "Bankroll"
PRINTED = (WON, SWING, PURSE)  # the tables on a terminal
_DRAWN = 6  # the most counts in the figure


def report(
    plan: Plan,
    scored: pl.DataFrame,
    rows: Sequence[Mapping[str, Any]],
    purse: Bankroll | None = None,
    remarks: Sequence[str] = (),
    command: str = "",
    drawn: bool = True,
) -> Report:
    """The page of scores. `scored`: every counter at every trigger. `rows`: the rows to show. If there is a bankroll
    (`purse`), they also have the risk of ruin and the chance of being ahead. `drawn`: with the figure."""
    tables = {"scores": pl.DataFrame(rows, infer_schema_length=None)}
    figures = {}
    if drawn and rows:
        tables["gain"], figures["gain"] = _figure(plan, scored, rows)
    return Report(
        title=f"{plan.game.heading}: what counters win",
        procedure=pages.procedure(plan),
        sentences=[*_sentences(plan, rows, purse), *remarks],
        note=f"{pages.WHAT_EDGES_ARE} {MEASURES}",
        sections=[
            *_sections(plan, rows, purse, figures),
            Section("Provenance", columns=("", ""), rows=pages.provenance(plan, command), words=True),
        ],
        data={"game": plan.game.name, "plan_digest": plan.digest, "scores": list(rows)},
        tables=tables,
        figures=figures,
        names={"bet": pages.labels(plan.game)},
        sheets=2,
    )


def _sentences(plan: Plan, rows: Sequence[Mapping[str, Any]], purse: Bankroll | None) -> list[str]:
    """Sentences on who wins most, and on what this means for the bankroll."""
    counts = [row for row in rows if row["system"] != PERFECT]
    best = max(counts or rows, key=lambda row: row["units_per_shoe"], default=None)
    if best is None or best["units_per_shoe"] <= 0:
        return ["No count here wins anything." if counts else "The perfect counter wins nothing."]
    names, count = pages.labels(plan.game), {system.name: system for system in plan.systems}.get(best["system"])
    who = "the perfect counter" if count is None else f"the count {count.name}, betting at {count.at(best['trigger'])},"
    lines = [
        f'On "{names[best["bet"]]}", {who} bets on {percent(best["bet_share"])} of coups and wins '
        f"{figure(best['units_per_100_coups'], best['units_per_100_coups_se'])} units per 100 coups"
        + ("." if count is None else f", which is {percent(best['captured_share'], 1)} of what perfect play wins.")
    ]
    if purse is not None and best["risk_by_horizon"] is not None:
        ruined, ahead = in_percent(best["risk_by_horizon"]), in_percent(best["chance_ahead"])
        lines.append(
            f"With {_rule(purse)}, the risk of ruin within {many(purse.horizon, 'coup')} is {ruined}, and the chance "
            f"of being ahead after these coups is {ahead}."
        )
    return lines


def _rule(purse: Bankroll) -> str:
    rule = f"{unrounded(purse.stake)} per bet" if purse.stake is not None else f"{purse.kelly:g} of the Kelly stake"
    return f"a bankroll of {unrounded(purse.money)} and {rule}"


def _sections(
    plan: Plan, rows: Sequence[Mapping[str, Any]], purse: Bankroll | None, figures: Mapping[str, str]
) -> list[Section]:
    names = pages.labels(plan.game)

    def counter(row: Mapping[str, Any]) -> list[str]:
        return [names[row["bet"]], row["system"], "" if row["trigger"] is None else f"{row['trigger']:g}"]

    who = ("bet", "counter", "trigger")
    sections = [
        Section(
            WON,
            figure=Markup(figures["gain"]) if figures else None,
            caption=_caption(rows) * bool(figures),
            columns=(*who, "own or best trigger", "bet frequency", "average edge", "units per 100 coups",
                     "betting efficiency, % of perfect play"),
            rows=[
                [
                    *counter(row),
                    row["which"],
                    share(row["bet_share"], row["bet_share_se"]),
                    share(row["mean_edge"], row["mean_edge_se"]),
                    figure(row["units_per_100_coups"], row["units_per_100_coups_se"]),
                    share(row["captured_share"], row["captured_share_se"], 1),
                ]
                for row in rows
            ],
            labels=2,
        ),
        Section(
            SWING,
            columns=(*who, "units per shoe", "bets with a positive edge", "standard deviation per bet", "DI", "SCORE",
                     "N0, coups"),
            rows=[
                [
                    *counter(row),
                    figure(row["units_per_shoe"], row["units_per_shoe_se"]),
                    share(row["truly_positive_share"], row["truly_positive_share_se"], 1),
                    number(row["sd_per_bet"]),
                    _two(row["desirability_index"]),
                    _two(standard_score(row)),
                    "" if row["n0"] is None else f"{row['n0']:,.0f}",
                ]
                for row in rows
            ],
            labels=2,
        ),
    ]  # fmt: skip
    if purse is not None:
        sections.append(_bankroll(rows, purse, [counter(row) for row in rows], who))
    return sections


def _caption(rows: Sequence[Mapping[str, Any]]) -> str:
    if all(row["system"] == PERFECT for row in rows):
        return (
            "The figure shows the units won per shoe, with 95% intervals. One unit is staked on each coup with a "
            "positive edge, and nothing on the others."
        )
    return (
        "Each line is a count, and each point is a trigger that wins; the highest trigger is on the left. The point of "
        "the best trigger is filled."
    )


def _two(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _bankroll(
    rows: Sequence[Mapping[str, Any]], purse: Bankroll, counters: Sequence[list[str]], who: Sequence[str]
) -> Section:
    checked = any("sessions" in row for row in rows)
    return Section(
        PURSE,
        f"The table is for {_rule(purse)}, over {many(purse.horizon, 'coup')}."
        + " The columns “as dealt” give the same figures from the sweep's results, in sessions of this number of coups."
        * checked,
        columns=(
            *who, "Kelly stake", "risk of ruin", f"risk of ruin within {many(purse.horizon, 'coup')}",
            "chance of being ahead then",
            *(["sessions dealt", "ruined as dealt", "ahead as dealt"] * checked),
        ),
        rows=[
            [
                *counter,
                "" if row["kelly_stake"] is None else money(row["kelly_stake"]),
                *(in_percent(row[name]) for name in ("risk_of_ruin", "risk_by_horizon", "chance_ahead")),
                *([
                    f"{row['sessions']:,}",
                    *(share(row[name], row[f"{name}_se"], 1) for name in ("played_risk_by_horizon",
                                                                          "played_chance_ahead")),
                ] if checked else []),
            ]
            for row, counter in zip(rows, counters, strict=True)
        ],
        labels=2,
    )  # fmt: skip


def _figure(plan: Plan, scored: pl.DataFrame, rows: Sequence[Mapping[str, Any]]) -> tuple[pl.DataFrame, str]:
    """The figure's table and its drawing as SVG. It shows what the counts win on one bet, the bet with the largest win
    of any count. Without counts, it shows the perfect counter's win on each bet."""
    names = pages.labels(plan.game)
    counted = sorted(
        (row for row in rows if row["system"] != PERFECT), key=lambda row: row["units_per_shoe"], reverse=True
    )
    if not counted:
        perfect = scored.filter(pl.col("system") == PERFECT, pl.col("bet").is_in([row["bet"] for row in rows]))
        table = perfect.select("bet", "units_per_shoe", "units_per_shoe_se")
        drawn = drawing.single(plots.gain_per_shoe, table, names, size=(9, 1.2 + 0.32 * table.height))
        return table, drawing.svg(drawn, "What a perfect counter wins per shoe", pages.source(plan))
    bet = counted[0]["bet"]
    systems = list(dict.fromkeys(row["system"] for row in counted if row["bet"] == bet))[:_DRAWN]
    table = scored.filter(pl.col("system").is_in([PERFECT, *systems]), pl.col("bet") == bet, pl.col("bets") > 0).select(
        "system", "trigger", "best", "bet_share", "units_per_100_coups", "units_per_100_coups_se"
    )
    drawn = drawing.single(plots.gain_by_frequency, table, systems, size=(9, 3.4))
    return table, drawing.svg(drawn, f"{names[bet]}: gain of each count against its bet frequency", pages.source(plan))
