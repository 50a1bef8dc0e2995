"""The page of a frontier: what counters win under each rule, and the cheapest rule that keeps them under the bound.

Beside it `limits.json`, the frontier as CSV, and its figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.limits import LimitsAnswer, LimitsQuestion, bets_of, rounded_down, some_cuts
from counting.reports import pages, plots
from counting.reports.pages import Report, Section, figure

KIND = "frontier"  # of folder

_UNIT = {"shoe": "units per shoe", "100-coups": "units per 100 coups", "hour": "money per hour"}
UNITS = {per: f"{unit}, upper 99% limit" for per, unit in _UNIT.items()}
_WORDS = {
    "bet": "side bet", "counter": "counter", "model": "model", "tie_in": "main-bet requirement",
    "most_bet": "largest bet",
}  # fmt: skip
_NOTE = (
    "Units are of the largest side bet. A perfect counter knows the exact edge of every bet before every coup "
    "(hand) and makes any of them at once, in any amounts within the rules: side bets with the main bets they "
    "require, and main bets alone up to the requirement or the table's minimum. A counter with a system knows the "
    "count alone. Sit-out (back-counting): any coup may be skipped. Play-all: none, and nobody leaves. Skip-3: at "
    "most three in a row, or the counter is out till the next shoe. No-entry: every coup until the counter "
    "leaves. Where two figures are given, the first is what a counter wins and the second what none wins more "
    "than; one figure is both. Each side bet is judged by itself, or together with the others where that was "
    "asked. Counters who must keep a seat are worked out at six cuts; between these the figures of the cuts next "
    "to them hold, which are sure to be below and above. After ± stands one standard error."
)


def _names(found: LimitsAnswer) -> dict[str, str]:
    """What the page calls side bets, those together too."""
    labels = pages.labels(found.asked.plan.game)
    return {bet: pages.title_of(bet, labels) for bet in found.changes["bet"]}


def _keys(found: LimitsAnswer) -> tuple[str, ...]:
    """The columns of a rule that differ."""
    return tuple(_WORDS)[: 5 if len(found.asked.terms.most_bets) > 1 else 4]


def report(found: LimitsAnswer, command: str = "") -> Report:
    """The page of an answer; `command` is what makes it again."""
    asked, said, drawn = found.asked, sentences(found), figures(found)
    return Report(
        title=f"{asked.plan.game.title}: which rules keep a counter under {asked.bound}",
        procedure=pages.procedure(asked.plan),
        sentences=said,
        note=_NOTE,
        sections=_sections(found, drawn, command),
        data=_data(found, said),
        tables={"frontier": found.found, "mains": found.mains},
        figures={f"figures/{name}": svg for name, (_, svg) in drawn.items()},
    )


def sentences(found: LimitsAnswer) -> list[str]:
    """A sentence for each side bet: the verdict on the rule in force, and the cheapest rule that meets the bound."""
    said, asked = [], found.asked
    unit = _UNIT[asked.bound.per]
    for row in found.changes.filter(pl.col("model") == "all").iter_rows(named=True):
        rule = f"{row['cut']} cards behind the cut card and {_tied(row['tie_in'])}"
        team = f"team of {asked.team} counters" if asked.team > 1 else "counter"
        counters = team if len(found.found["model"].unique()) == 1 else f"{team} of these models"
        now = f"{row['verdict']}. {_names(found)[row['bet']]}: with {rule}"
        if asked.bound.per == "hour":
            now += f" and side bets up to {row['most_bet']:g}"
        if row["limit"] == inf:
            now += ", it is not known what counters win: bets that gain are too rare to be seen in these shoes; "
        else:
            now += f", no {counters} wins more than {row['limit']:.3g} {unit} (99% confidence); "
        now += f"the limit is {asked.bound.amount:g}."
        most = row.get("most_side_bet")
        if most == 0:
            now += " No side bet meets it."
        elif most is not None:
            now += f" With side bets up to {rounded_down(most):.4g} it is met."
        if row["new_cut"] is None:
            said.append(f"{now} No rule asked for keeps every counter under {asked.bound}.")
        elif not all(row[f"new_{name}"] == row[name] for name in ("cut", "tie_in", "most_bet")):
            said.append(
                f"{now} The cheapest rule that keeps every counter under {asked.bound}: {row['new_cut']} cards behind "
                f"the cut card and {_tied(row['new_tie_in'])}{_up_to(row, found)}, {row['coups_lost_per_shoe']:.1f} "
                "coups fewer per shoe."
            )
        else:
            said.append(now)
    return said


def _tied(units: float) -> str:
    return f"a main-bet requirement of {units:g}" if units else "no main-bet requirement"


def _up_to(row: Mapping[str, Any], found: LimitsAnswer) -> str:
    return f", side bets up to {row['new_most_bet']:g}" if len(found.asked.terms.most_bets) > 1 else ""


def figures(found: LimitsAnswer) -> dict[str, tuple[str, str]]:
    """By name a title and SVG, one a side bet and largest bet: contours over cuts and tie-ins, lines for one tie-in."""
    asked, drawn = found.asked, {}
    if len(asked.cuts) < 2:
        return {}
    upper = asked.bound.judges[1]
    of_team = found.found
    highest = max([asked.bound.amount, *of_team[upper].filter(of_team[upper].is_finite())])
    of_team = of_team.with_columns(pl.col(upper).replace(inf, 2 * highest))  # what is not known, as high as anything
    if asked.bound.per != "hour":  # money is the team's already
        of_team = of_team.with_columns(asked.team * pl.col(upper))
    for (bet, most), rows in of_team.group_by("bet", "most_bet", maintain_order=True):
        name, title = "-".join(bets_of(str(bet))), _names(found)[str(bet)]
        if len(asked.terms.most_bets) > 1:
            name, title = f"{name}-{most:g}", f"{title}, bets up to {most:g}"
        how = (upper, asked.bound.amount, UNITS[asked.bound.per])
        one = len(asked.terms.tie_ins) == 1
        drawing = plots.single(plots.limit_lines, rows, *how) if one else plots.limit_panels(rows, *how)
        drawn[name] = title, plots.svg(drawing)
    return drawn


def _sections(found: LimitsAnswer, drawn: Mapping[str, tuple[str, str]], command: str) -> list[Section]:
    asked = found.asked
    one, some = len(asked.terms.tie_ins) == 1, some_cuts(asked.cuts)
    return [
        Section(
            "The cheapest rules",
            "From the rule in force to one that meets the bound and loses the fewest coups.",
            columns=(
                "side bet", "counter", "model", "verdict now", "units per shoe now",
                f"{_UNIT[asked.bound.per]} now, at most", "cards behind the cut card",
                *(_WORDS[key] for key in _keys(found)[3:]), f"{_UNIT[asked.bound.per]} then, at most",
                "coups lost per shoe",
            ),
            rows=[_change(row, found) for row in found.changes.iter_rows(named=True)],
            labels=3,
        ),
        *(
            Section(
                f"Where the bound is met: {title}",
                figure=Markup(svg),  # drawn here
                caption=UNITS[asked.bound.per].capitalize()
                + ("." if one else f"; white where it is below {asked.bound}."),
            )
            for title, svg in drawn.values()
        ),
        *_most_bets(found),
        *_mains(found),
        Section(
            "What counters win",
            f"At some cuts; frontier.csv has all {len(found.found):,} rows.",
            columns=(*(_WORDS[key] for key in _of_gains(found)), *(f"{cut} cards" for cut in some)),
            rows=_gains(found),
            labels=3,
        ),
        Section("What was asked", columns=("", ""), rows=_asked(asked), words=True),
        *([Section("Upper limits", " ".join(found.how))] if found.how else []),
        Section("Provenance", columns=("", ""), rows=pages.provenance(asked.plan, command), words=True),
    ]  # fmt: skip


def _change(row: Mapping[str, Any], found: LimitsAnswer) -> list[str]:
    now = [_names(found)[row["bet"]], row["counter"], row["model"], row["verdict"]]
    now += [_between(row["lower_units_per_shoe"], row["upper_units_per_shoe"]), _limit(row["limit"])]
    rule = [f"new_{key}" for key in _keys(found)[3:]]
    if row["new_cut"] is None:
        return [*now, "none meets it", *[""] * len(rule), "", ""]
    then = [_limit(row["new_limit"]), f"{row['coups_lost_per_shoe']:.1f}"]
    return [*now, str(row["new_cut"]), *(f"{row[key]:g}" for key in rule), *then]


def _limit(limit: float) -> str:
    return "not known" if limit == inf else f"{limit:.3g}"


def _between(lower: float, upper: float) -> str:
    """Two figures, or the one that both are."""
    return f"{lower:.3g}" if lower == upper else f"{lower:.3g} to {upper:.3g}"


def _of_gains(found: LimitsAnswer) -> tuple[str, ...]:
    return _keys(found) if found.units_differ else _keys(found)[:4]


def _gains(found: LimitsAnswer) -> list[list[str]]:
    rows = []
    at = found.found.filter(pl.col("cut").is_in(some_cuts(found.asked.cuts)))
    if not found.units_differ:
        at = at.filter(pl.col("most_bet").eq_missing(at["most_bet"].max()))
    for (bet, counter, model, *rule), of_rule in at.group_by(*_of_gains(found), maintain_order=True):
        gains = [_gain(row) for row in of_rule.iter_rows(named=True)]
        rows.append([_names(found)[str(bet)], str(counter), str(model), *(f"{value:g}" for value in rule), *gains])
    return rows


def _gain(row: Mapping[str, Any]) -> str:
    lower, upper = (figure(row[f"{of}_units_per_shoe"], row[f"{of}_units_per_shoe_se"]) for of in ("lower", "upper"))
    return lower if lower == upper else f"{lower}; {upper}"


def _mains(found: LimitsAnswer) -> list[Section]:
    """What each main bet wins by itself, by cut."""
    cuts, rows = some_cuts(found.asked.cuts), []
    names = pages.labels(found.asked.plan.game)
    for (bet,), of_bet in found.mains.filter(pl.col("cut").is_in(cuts)).group_by("bet", maintain_order=True):
        rows.append(
            [names[str(bet)], *(figure(*row) for row in of_bet.select("units_per_shoe", "units_per_shoe_se").rows())]
        )
    text = (
        "Units per shoe of one unit on one main bet by itself, whenever its edge is positive; mains.csv has every cut."
    )
    return [Section("Main bets alone", text, columns=("bet", *(f"{cut} cards" for cut in cuts)), rows=rows)]


def _most_bets(found: LimitsAnswer) -> list[Section]:
    """For a bound in money, the largest side bet that meets it."""
    if found.asked.bound.per != "hour":
        return []
    cuts, rows = some_cuts(found.asked.cuts), []
    at = found.found.filter(pl.col("cut").is_in(cuts), pl.col("most_bet") == found.found["most_bet"].max())
    for (bet, counter, model, tie_in), of_rule in at.group_by(*_keys(found)[:4], maintain_order=True):
        most = [_most(row) for row in of_rule.iter_rows(named=True)]
        rows.append([_names(found)[str(bet)], str(counter), str(model), f"{tie_in:g}", *most])
    text = (
        f"Side bets up to this keep the counter under {found.asked.bound}, nothing else changed; any, where the "
        "counter can only lose; a dash where the minimum matters and smaller bets are not worked out, or where "
        "it is not known what the counter wins."
    )
    columns = (*(_WORDS[key] for key in _keys(found)[:4]), *(f"{cut} cards" for cut in cuts))
    return [Section("The largest side bet that meets the bound", text, columns=columns, rows=rows, labels=3)]


def _most(row: Mapping[str, Any]) -> str:
    if row["most_side_bet"] is None:
        return "any" if row["upper_units_per_100_coups_99"] <= 0 else "–"
    return f"{rounded_down(row['most_side_bet']):.4g}"


def _asked(asked: LimitsQuestion) -> list[tuple[str, str]]:
    terms, table = asked.terms, asked.terms.table
    listed = [
        ("bound", str(asked.bound)),
        ("main bets", ", ".join(terms.main)),
        ("main-bet requirements, units", ", ".join(f"{float(units):g}" for units in terms.tie_ins)),
        ("largest side bets, money", ", ".join("any" if bet is None else f"{float(bet):g}" for bet in terms.most_bets)),
        ("main bet at least, money", float(table.minimum) or None),
        ("side bet at least, money", float(table.least_bet) if asked.terms.most_bets != (None,) else None),
        ("main bet at most, money", table.maximum and float(table.maximum)),
        ("side bet at most, times the main bets", table.side_share and str(table.side_share)),
        ("cards missed by a counter with a system", float(terms.missed) or None),
        ("rebate on every unit staked", float(terms.rebate) or None),
        ("rebate on a shoe's loss", float(terms.loss_rebate) or None),
        ("main bets after a push", "stay for the next coup" if terms.stand else None),
        ("coups per hour", f"{asked.coups_per_hour:g}"),
        ("counters at the table", asked.team if asked.team > 1 else None),
    ]
    return [(name, str(value)) for name, value in listed if value is not None]


def _data(found: LimitsAnswer, said: Sequence[str]) -> dict[str, Any]:
    """The page's JSON twin."""
    asked = found.asked
    return {
        "game": asked.plan.game.name,
        "plan": asked.plan.to_dict(),
        "plan_digest": asked.plan.digest,
        "bound": str(asked.bound),
        "main_bets": list(asked.terms.main),
        "answer": list(said),
        "upper_limits": list(found.how),
        "cheapest": found.changes.to_dicts(),
        "frontier": found.found.to_dicts(),
        "mains": found.mains.to_dicts(),
    }
