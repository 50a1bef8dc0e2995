"""The page of limits: what counters win under each rule, and the cheapest rule that keeps them under the bound.

The page's folder also has `limits.json`, the frontier (what counters win under every rule compared) as CSV and, if
several cuts are compared, a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from math import inf
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.bounds import (
    Figure,
    LimitsAnswer,
    LimitsQuestion,
    Per,
    Verdict,
    greatest_most_bet,
    rounded_down,
    some_cuts,
)
from counting.numbers import many, stated
from counting.reports import courses, drawing, pages, plots
from counting.reports.headings import AT_MOST, GAINS
from counting.reports.numbers import amount, at_least, at_most, figure, unrounded
from counting.reports.pages import Report, Section
from counting.reports.pits import HEADINGS, PitFigures
from counting.reports.verdicts import ONE_TABLE, behind, unit_after, winnings

KIND = "frontier"  # the kind of folder in which the page is written

UNITS = {per: f"{unit}, at most (99%)" for per, unit in GAINS.items()}
_WORDS = {
    "bet": "side bet", "counter": "counter", "model": "model", "tie_in": "main-bet requirement",
    "most_bet": "largest bet",
}  # fmt: skip
_GRAVEST = (Verdict.NOT_MET.value, Verdict.UNDECIDED.value, Verdict.MET.value)
_NOTE = (
    "One unit is the largest side bet allowed. A perfect counter knows the exact edge of every bet before every coup "
    "(hand). This counter may make several bets at once, in any amounts within the rules. Side bets come with the "
    "main bets that they require. Main bets without a side bet may be as large as the requirement or the table's "
    "minimum. A counter who uses a counting system knows only the count that the system gives. The model states which "
    "coups a counter may skip: any coup with sit-out (back-counting), none with play-all, and at most three in a row "
    "with skip-3. A counter who skips more, or who leaves with no-entry, cannot bet again until the next shoe. If a "
    "cell shows two figures, some counter wins the lower figure, and no counter wins more than the upper figure. A "
    "single figure is both. For counters who must keep a seat, the figures are computed at six cuts at most. At the "
    "cuts between these, the figures of the neighbouring cuts are used. At such a cut the lower figure may be too low "
    "and the upper figure too high, but never the reverse. The number after ± is one standard error."
)


def _names(answer: LimitsAnswer) -> dict[str, str]:
    """The page's names of side bets, or of all side bets together."""
    labels = pages.labels(answer.question.plan.game)
    return {name: pages.title_of(bets, labels) for name, bets in answer.question.terms.sides.items()}


def _quoted(answer: LimitsAnswer, bet: str) -> str:
    """The page's name of a side bet, or of all side bets together, quoted for use in a sentence."""
    labels = pages.labels(answer.question.plan.game)
    return pages.quoted(answer.question.terms.sides[bet], labels)


def _keys(answer: LimitsAnswer) -> tuple[str, ...]:
    """The columns of the frontier that identify a rule."""
    return tuple(_WORDS)[: 5 if len(answer.question.terms.most_bets) > 1 else 4]


def report(answer: LimitsAnswer, command: str = "") -> Report:
    """The page of an answer; `command`: the command that makes it again."""
    question, lines, drawn = answer.question, sentences(answer), figures(answer)
    rows = answer.changes.filter(pl.col("model") == "all").to_dicts()
    verdict = min((row["verdict"] for row in rows), key=_GRAVEST.index)
    gravest_first = sorted(zip(rows, lines, strict=True), key=lambda pair: pair[0]["verdict"] != verdict)
    return Report(
        title=f"{question.plan.game.heading}: which rules keep counters under {_bound(question)}?",
        procedure=pages.procedure(question.plan),
        sentences=[
            _headline(gravest_first[0][0], answer),
            *_of_pit(answer).all_sentences(),
            *(line for _, line in gravest_first),
        ],
        verdict=verdict,
        note=f"{_NOTE} {_of_team(question.team) if question.team > 1 else ONE_TABLE}",
        sections=_sections(answer, drawn, command),
        data=_data(answer, lines),
        tables={"frontier": answer.frontier, "mains": answer.mains},
        figures={f"figures/{name}": svg for name, svg in drawn.items()},
        headings=HEADINGS,
        names={"bet": pages.labels(question.plan.game) | _names(answer)},
        sheets=2,
    )


def _of_team(team: int) -> str:
    """A sentence that says which figures are for one counter, and which are for the whole team."""
    return (
        "Wins in units, and wins with main bets alone, are for one counter. Verdicts, 99% limits and money per hour "
        f"are for the team of {team:,} counters at one table."
    )


def sentences(answer: LimitsAnswer) -> list[str]:
    """A sentence for each side bet: the verdict on the rule in force, and the cheapest rule that meets the bound."""
    lines, question = [], answer.question
    for row in answer.changes.filter(pl.col("model") == "all").iter_rows(named=True):
        cut, requirement = behind(row["cut"]), _tied(row["tie_in"])
        rule = f"{cut} and {requirement}"
        if question.bound.per is Per.HOUR:
            rule = f"{cut}, {requirement} and side bets of up to {unrounded(row['most_bet'])}"
        team = f"team of {question.team} counters" if question.team > 1 else "counter"
        counters = team if len(answer.frontier["model"].unique()) == 1 else f"{team} of the compared models"
        met, least = row["verdict"] == Verdict.MET.value, -inf if row["least"] is None else row["least"]
        won = winnings(
            least, row["limit"], question.bound.per.words, question.bound.amount,
            met=met, counter=f"a {counters}", others=f"no {counters}",
        )  # fmt: skip
        line = f"{row['verdict']}. For {_quoted(answer, row['bet'])} with {rule}, {won}. "
        line += f"The limit is {_bound(question)}."
        most = row.get("most_side_bet")
        if most == 0:
            line += " No side bet meets the limit."
        elif most is not None:
            line += f" The limit is met with side bets of up to {unrounded(rounded_down(most))}."
        if row["new_cut"] is None:
            lines.append(f"{line} None of the rules compared meets the limit.")
        elif not all(row[f"new_{name}"] == row[name] for name in ("cut", "tie_in", "most_bet")):
            lines.append(
                f"{line} The cheapest rule that keeps every {team} under {_bound(question)} has "
                f"{behind(row['new_cut'])} and {_tied(row['new_tie_in'])}{_up_to(row, answer)}. It gives up "
                f"{row['theo_given_up_per_shoe']:,.2f} of the table's theoretical win of {row['theo_per_shoe']:,.2f} "
                f"per shoe, and {row['coups_lost_per_shoe']:.1f} coups per shoe."
            )
        else:
            lines.append(line)
    return lines


def _headline(row: Mapping[str, Any], answer: LimitsAnswer) -> str:
    """The verdict on the rule in force, with the limit that decides it, in about 30 words."""
    bound, least = answer.question.bound, -inf if row["least"] is None else row["least"]
    team = f"team of {answer.question.team} counters" if answer.question.team > 1 else "counter"
    most = "" if row["limit"] == inf else f"more than {at_most(row['limit'], bound.amount)} {bound.per.words}"
    some = f"{at_least(least, bound.amount)} {bound.per.words}"
    if row["verdict"] == Verdict.MET.value:
        said = f"no {team} wins {most if row['limit'] > 0 else 'anything'} (99% confidence)"
    elif row["verdict"] == Verdict.NOT_MET.value:
        said = f"a {team} wins {some} (99% confidence)"
    elif row["limit"] == inf:
        said = "it is not known what counters win"
        if least > 0:
            said = f"a {team} wins {some} (99% confidence), and what others win at most is not known"
    else:
        found = f"some {team} wins {some}" if least > 0 else f"no {team} was found that wins"
        said = f"no {team} wins {most}, and {found} (99% confidence)"
    rule = f"Under the rule in force for {_quoted(answer, row['bet'])}"
    return f"{row['verdict']}. {rule}, {said}. The limit is {_bound(answer.question)}."


def _of_pit(answer: LimitsAnswer) -> PitFigures:
    """What counters win under the rule in force, for the hours and tables of the pit."""
    question, rows = answer.question, answer.changes.filter(pl.col("model") == "all").to_dicts()
    limits = {
        _names(answer)[row["bet"]]: (-inf if row["least"] is None else row["least"], row["limit"]) for row in rows
    }
    settled = bool(question.terms.loss_rebate)
    return PitFigures(question.pit, question.bound.per, limits, team=question.team, settled=settled)


def _bound(question: LimitsQuestion) -> str:
    """The bound with its unit."""
    amount = question.bound.amount
    return f"{unrounded(amount)} {unit_after(amount, question.bound.per)}"


def _tied(units: float) -> str:
    return f"a main-bet requirement of {units:g}" if units else "no main-bet requirement"


def _up_to(row: Mapping[str, Any], answer: LimitsAnswer) -> str:
    if len(answer.question.terms.most_bets) < 2:
        return ""
    most = row["new_most_bet"]
    return ", with side bets of any size" if most is None else f", with side bets of up to {unrounded(most)}"


def figures(answer: LimitsAnswer) -> dict[str, str]:
    """The figure of what counters win at each cut, as SVG, by its name; empty for a single cut. It shows contours over
    cuts and main-bet requirements or, for a single requirement, lines. There are separate panels for each side bet and
    each largest bet."""
    question = answer.question
    if len(question.cuts) < 2:
        return {}
    *_, value, error, upper = Figure.names(question.bound.per.unit)
    of_team = answer.frontier
    # An unknown win is drawn above all others.
    highest = max([question.bound.amount, *of_team[upper].filter(of_team[upper].is_finite())])
    of_team = of_team.with_columns(pl.col(upper).replace(inf, 2 * highest), known=pl.col(upper).is_finite())
    # Wins in units are for one counter; wins in money already include all counters of the team.
    if question.bound.per is not Per.HOUR:
        of_team = of_team.with_columns(pl.col(value, error, upper) * question.team)
    rules = of_team.select("bet", "most_bet").unique(maintain_order=True).rows()
    titles = [_names(answer)[bet] + _up_to_most(most, answer) for bet, most in rules]
    of_rules = pl.DataFrame(rules, {"bet": pl.String, "most_bet": pl.Float64}, orient="row")
    of_rules = of_rules.with_columns(rule=pl.Series(titles))
    of_team = of_rules.join(of_team, ["bet", "most_bet"], nulls_equal=True, maintain_order="left_right")
    how = ((value, error, upper), question.bound.amount, UNITS[question.bound.per])
    if len(question.terms.tie_ins) > 1:
        plot = plots.limit_panels(of_team, *how)
    elif len(rules) > 1:
        plot = plots.line_panels_of_limits(of_team, *how)
    else:
        plot = drawing.single(plots.limit_lines, of_team, *how)
    name, title = ("-".join(question.terms.sides[rules[0][0]]), titles[0]) if len(rules) == 1 else ("limits", "")
    title = ": ".join(filter(None, ("Where the limit is met", title)))
    return {name: drawing.svg(plot, title, pages.source(question.plan))}


def _up_to_most(most: float | None, answer: LimitsAnswer) -> str:
    """Words on the largest bet, if several are compared; otherwise empty."""
    return f", bets up to {stated(most)}" if most is not None and len(answer.question.terms.most_bets) > 1 else ""


def _number_or_any(value: Any, written: Callable[[float], str] = stated) -> str:
    """The text of a main-bet requirement or of a largest bet; "any" if there is no largest bet."""
    return "any" if value is None else written(value)


def _sections(answer: LimitsAnswer, drawn: Mapping[str, str], command: str) -> list[Section]:
    question, explorer = answer.question, courses.of_limits(answer, _names(answer))
    single, some = len(question.terms.tie_ins) == 1, some_cuts(question.cuts)
    alone = next(iter(_names(answer).values())) if len(_names(answer)) == 1 else ""
    caption = f"{alone}: {UNITS[question.bound.per]}" if alone else UNITS[question.bound.per].capitalize()
    caption += "." if single else f". In the white regions this upper limit is below {_bound(question)}."
    caption += f" The models compared are: {'; '.join(model.words for model in question.terms.models)}."
    return [
        Section(
            "The cheapest rules",
            "The table compares the rule in force with the cheapest rule. This is the rule that meets the limit and "
            "gives up the least theoretical win. "
            + assumed(question),
            Markup(next(iter(drawn.values()))) if drawn else None,  # made by drawing.svg
            caption if drawn else "",
            columns=(
                "side bet", "counter", "model", "verdict now", "units per shoe now",
                f"{AT_MOST} now, {GAINS[question.bound.per]}", "new rule: cards behind the cut card",
                *(f"new rule: {_WORDS[key]}" for key in _keys(answer)[3:]),
                f"{AT_MOST} then, {GAINS[question.bound.per]}", "coups lost per shoe",
                "theoretical win given up per shoe",
            ),
            rows=[_change(row, answer) for row in answer.changes.iter_rows(named=True)],
            labels=3,
        ),
        *([Section("What if: another rule", explorer=explorer)] if explorer else []),
        *_of_pit(answer).section(),
        *_by_most_bet(answer),
        *_most_bets(answer),
        *_mains(answer),
        _by_rule(
            "What counters win",
            f"Wins are in units per shoe, with {len(some)} of the {many(len(question.cuts), 'cut')} compared; the file "
            f"frontier.csv has all {len(answer.frontier):,} rows.",
            (*(_WORDS[key] for key in _of_gains(answer)), *(f"{cut} cards" for cut in some)),
            _gains(answer),
        ),
        Section("What is compared", columns=("", ""), rows=_terms(question), words=True),
        *([Section("Upper bounds", _how(answer), sentences=answer.how)] if answer.how else []),
        Section("Provenance", columns=("", ""), rows=pages.provenance(question.plan, command), words=True),
    ]  # fmt: skip


def _change(row: Mapping[str, Any], answer: LimitsAnswer) -> list[str]:
    now = [_names(answer)[row["bet"]], row["counter"], row["model"], row["verdict"]]
    now += [_between(row["lower_units_per_shoe"], row["upper_units_per_shoe"]), _limit(row["limit"], answer)]
    rule = [f"new_{key}" for key in _keys(answer)[3:]]
    if row["new_cut"] is None:
        return [*now, "none found", *[""] * len(rule), "", "", ""]
    then = [
        _limit(row["new_limit"], answer),
        f"{row['coups_lost_per_shoe']:.1f}",
        f"{row['theo_given_up_per_shoe']:,.2f}",
    ]
    return [*now, str(row["new_cut"]), *(_number_or_any(row[key]) for key in rule), *then]


def assumed(question: LimitsQuestion) -> str:
    """A sentence on the assumed ordinary players."""
    game = question.plan.game
    titles = pages.labels(game) | {name: side.capitalize() for side, name in game.main_bets.items()}
    mains = [titles[bet] for bet in question.theo.main_bets]
    share = {1: "all", 2: "half"}.get(len(mains), f"1/{len(mains)}")
    bets = " and ".join(f"{share} on {bet}" for bet in mains)
    return (
        f"Theoretical win (theo) is what ordinary players are expected to lose. It is worked out for "
        f"{question.patronage}, on every coup. The main bets are {bets}. The sizes of side bets are assumed to have an "
        "exponential distribution about their average. A player whose side bet is above a rule's largest bet is "
        "assumed to lower it to that size."
    )


def _by_most_bet(answer: LimitsAnswer) -> list[Section]:
    """A table of the cheapest rule for each largest bet, if several are compared."""
    if len(answer.question.terms.most_bets) < 2:
        return []
    rows = []
    for row in answer.by_most_bet.iter_rows(named=True):
        rule = [_names(answer)[row["bet"]], _number_or_any(row["most_bet"], unrounded)]
        if row["cut"] is None:
            rows.append([*rule, "none found", "", "", "", ""])
            continue
        costs = [f"{row['coups_lost_per_shoe']:.1f}", f"{row['theo_given_up_per_shoe']:,.2f}"]
        rows.append([*rule, str(row["cut"]), f"{row['tie_in']:g}", _limit(row["limit"], answer), *costs])
    columns = (
        "side bet", "largest bet", "cards behind the cut card", "main-bet requirement",
        f"{AT_MOST}, {GAINS[answer.question.bound.per]}", "coups lost per shoe",
        "theoretical win given up per shoe",
    )  # fmt: skip
    text = (
        "For each largest bet, the table gives the cheapest rule. This is the rule that keeps every counter under the "
        "limit and gives up the least theoretical win."
    )
    return [Section("The cheapest rule for each largest bet", text, columns=columns, rows=rows, labels=2)]


def _how(answer: LimitsAnswer) -> str:
    """A line on how the upper limits were worked out, to be printed above a list of the methods; empty for a single
    method."""
    if len(answer.how) > 1:
        return (
            "How an upper bound was worked out depends on the number of coups with a bet under the rule. The rules "
            f"compared fall into {len(answer.how)} groups:"
        )
    return ""


def _limit(limit: float, answer: LimitsAnswer) -> str:
    """The text of an upper limit, in the bound's unit."""
    return "not known" if limit == inf else at_most(limit, answer.question.bound.amount)


def _between(lower: float, upper: float) -> str:
    """The text of a range, or of one number if both ends are equal."""
    return amount(lower) if lower == upper else f"{amount(lower)} to {amount(upper)}"


def _of_gains(answer: LimitsAnswer) -> tuple[str, ...]:
    return _keys(answer) if answer.units_differ else _keys(answer)[:4]


def _gains(answer: LimitsAnswer) -> list[list[str]]:
    rows = []
    at = answer.frontier.filter(pl.col("cut").is_in(some_cuts(answer.question.cuts)))
    if not answer.units_differ:
        at = at.filter(pl.col("most_bet").eq_missing(greatest_most_bet(at)))
    for (bet, counter, model, *rule), of_rule in at.group_by(*_of_gains(answer), maintain_order=True):
        gains = [_gain(row) for row in of_rule.iter_rows(named=True)]
        rows.append([_names(answer)[str(bet)], str(counter), str(model), *map(_number_or_any, rule), *gains])
    return rows


def _by_rule(title: str, text: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Section:
    """A table with columns for bets, counters and models, and the given `columns`. Rows that differ only in the model
    are merged into one row, which names all their models. If there is only one counter, the column of counters is left
    out."""
    together: dict[tuple[str, ...], list[str]] = {}
    for bet, counter, model, *rest in rows:
        together.setdefault((bet, counter, *rest), []).append(model)
    every = len({row[2] for row in rows})
    shown = [
        [bet, counter, "all" if len(models) == every > 1 else ", ".join(models), *rest]
        for (bet, counter, *rest), models in together.items()
    ]
    if len({row[1] for row in shown}) == 1:
        columns, shown = [*columns[:1], *columns[2:]], [[*row[:1], *row[2:]] for row in shown]
        return Section(title, text, columns=columns, rows=shown, labels=2)
    return Section(title, text, columns=columns, rows=shown, labels=3)


def _gain(row: Mapping[str, Any]) -> str:
    gain, gain_error, _, most, most_error, _ = Figure.names(Per.SHOE.unit)
    lower, upper = figure(row[gain], row[gain_error]), figure(row[most], row[most_error])
    return lower if lower == upper else f"{lower}; {upper}"


def _mains(answer: LimitsAnswer) -> list[Section]:
    """A table of what a counter wins with each single main bet, by cut."""
    cuts, rows = some_cuts(answer.question.cuts), []
    names = pages.labels(answer.question.plan.game)
    for (bet,), of_bet in answer.mains.filter(pl.col("cut").is_in(cuts)).group_by("bet", maintain_order=True):
        rows.append(
            [names[str(bet)], *(figure(*row) for row in of_bet.select("units_per_shoe", "units_per_shoe_se").rows())]
        )
    text = (
        "The table shows what a perfect counter wins, in units per shoe, by staking one unit on a single main bet "
        f"whenever its edge is positive. It has {len(cuts)} of the {many(len(answer.question.cuts), 'cut')} compared; "
        "the file mains.csv has all."
    )
    return [Section("Main bets alone", text, columns=("bet", *(f"{cut} cards" for cut in cuts)), rows=rows)]


def _most_bets(answer: LimitsAnswer) -> list[Section]:
    """A table of the largest side bets that meet the bound, for a bound in money."""
    if answer.question.bound.per is not Per.HOUR:
        return []
    cuts, rows = some_cuts(answer.question.cuts), []
    at = answer.frontier.filter(pl.col("cut").is_in(cuts), pl.col("most_bet") == greatest_most_bet(answer.frontier))
    for (bet, counter, model, tie_in), of_rule in at.group_by(*_keys(answer)[:4], maintain_order=True):
        most = [_most(row) for row in of_rule.iter_rows(named=True)]
        rows.append([_names(answer)[str(bet)], str(counter), str(model), f"{tie_in:g}", *most])
    text = (
        f"Side bets of up to the amount shown keep the counter under {_bound(answer.question)}, if the rest of the "
        'rule is unchanged. The word "any" means that the counter can only lose. A dash means that this amount is not '
        "known. Either the counter's win is not known, or the amount would depend on the table's minimum; smaller "
        "bets are not worked out in that case."
    )
    columns = (*(_WORDS[key] for key in _keys(answer)[:4]), *(f"{cut} cards" for cut in cuts))
    return [_by_rule("The largest side bet that meets the limit", text, columns, rows)]


def _most(row: Mapping[str, Any]) -> str:
    if row["most_side_bet"] is None:
        return "any" if row["upper_units_per_100_coups_99"] <= 0 else "–"
    return unrounded(rounded_down(row["most_side_bet"]))


def _terms(question: LimitsQuestion) -> list[tuple[str, str]]:
    terms, table = question.terms, question.terms.table
    listed = [
        ("limit", str(question.bound)),
        ("main bets", "; ".join(map(pages.labels(question.plan.game).__getitem__, terms.main))),
        ("main-bet requirements, units", ", ".join(f"{float(units):g}" for units in terms.tie_ins)),
        ("largest side bets, money", ", ".join("any" if bet is None else stated(bet) for bet in terms.most_bets)),
        ("main bet at least, money", float(table.minimum) or None),
        ("side bet at least, money", float(table.least_bet) if question.terms.most_bets != (None,) else None),
        ("main bet at most, money", table.maximum and float(table.maximum)),
        ("side bet at most, times the main bets", table.side_share and str(table.side_share)),
        ("cards missed by a counter with a system", float(terms.missed) or None),
        ("rebate on every unit staked", float(terms.rebate) or None),
        ("rebate on a shoe's loss", float(terms.loss_rebate) or None),
        ("main bets after a push", "stay for the next coup" if terms.stand else None),
        ("coups per hour", stated(question.coups_per_hour)),
        ("counters at the table", question.team if question.team > 1 else None),
    ]
    return [(name, str(value)) for name, value in listed if value is not None]


def _data(answer: LimitsAnswer, lines: Sequence[str]) -> dict[str, Any]:
    """The data of the page's JSON file."""
    question = answer.question
    return {
        "game": question.plan.game.name,
        "plan": question.plan.to_dict(),
        "plan_digest": question.plan.digest,
        "bound": str(question.bound),
        "main_bets": list(question.terms.main),
        "answer": list(lines),
        "upper_limits": list(answer.how),
        "cheapest": answer.changes.to_dicts(),
        "cheapest_by_most_bet": answer.by_most_bet.to_dicts(),
        "patronage": asdict(question.patronage),
        "frontier": answer.frontier.to_dicts(),
        "mains": answer.mains.to_dicts(),
        **_of_pit(answer).data(),
    }
