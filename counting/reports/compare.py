"""The page that compares two sets of house rules: how they change a counter's win and the theoretical win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import polars as pl
from markupsafe import Markup

from counting.bounds import AN_HOUR, Comparison, Figure, Per, Statement
from counting.numbers import many
from counting.reports import drawing, pages, plots, statement
from counting.reports.headings import AT_LEAST, AT_MOST
from counting.reports.numbers import amount, at_least, at_most, figure, in_currency, money
from counting.reports.pages import Report, Section
from counting.reports.verdicts import LINES
from counting.version import __version__

KIND = "comparison"  # the kind of folder in which the page is written
_UNIT = {Per.SHOE: "units per shoe", Per.HOUR: "per hour"}
_NOTE = (
    "Each limit of what counters win holds with 99% confidence, and the limits of a change hold with 98% confidence. "
    "Figures are for one counter at one table, unless their row says otherwise. One unit is the largest side bet or, "
    "without side bets, the largest main bet. This amount may differ between the two sets of rules. Theoretical win "
    "(theo) is what ordinary players are expected to lose, before rebates. The number of coups per hour is taken to be "
    "the same for every cut card."
)


def report(comparison: Comparison, command: str = "") -> Report:
    """The page of a comparison; `command`: the command that makes it again."""
    lines, frame = sentences(comparison), table(comparison)
    first, second = names(comparison)
    return Report(
        title=f'What changes from "{first}" to "{second}"',
        procedure=_procedure(comparison),
        sentences=lines,
        note=f"{_NOTE} The theoretical win assumes {comparison.patronage}, on every coup.",
        sections=_sections(comparison, command),
        data=_data(comparison, lines, frame),
        tables={KIND: frame},
        sheets=1,
    )


def _procedure(comparison: Comparison) -> str:
    """How the shoes were dealt, if this is the same for both sets of rules. Otherwise only the number of shoes and the
    seed: the table of differences shows both dealing procedures."""
    first, second = (each.plan for each in _both(comparison))
    if pages.procedure(first) == pages.procedure(second):
        return pages.procedure(first)
    return f"Under each set of rules, {first.shoes:,} shoes are dealt as the rules say, from seed {first.seed}."


def _both(comparison: Comparison) -> tuple[Statement, Statement]:
    return comparison.first, comparison.second


def names(comparison: Comparison) -> tuple[str, str]:
    """The names of the two sets of rules: their titles or, if the titles are the same, "First rules" and "Second
    rules"."""
    first, second = (each.rules.house.title for each in _both(comparison))
    return (first, second) if first != second else ("First rules", "Second rules")


def _quoted(comparison: Comparison) -> tuple[str, str]:
    """The names, quoted for use in a sentence."""
    first, second = names(comparison)
    return f'"{first}"', f'"{second}"'


def sentences(comparison: Comparison) -> list[str]:
    """Sentences: the verdicts and what changes for a counter, the theoretical win, and the answer of each statement."""
    return [
        " ".join([*_verdicts(comparison), _gains(comparison)]),
        _theo(comparison),
        *(
            f"The statement on {name}: {statement.sentences(each)[0]}"
            for name, each in zip(_quoted(comparison), _both(comparison), strict=True)
        ),
    ]


def _currency(comparison: Comparison) -> str | None:
    """The currency of counters' wins, empty if the rules have different currencies; None if wins are not money."""
    first, second = (each.rules.house.currency or "" for each in _both(comparison))
    return None if comparison.per is not Per.HOUR else first if first == second else ""


def _gains(comparison: Comparison) -> str:
    """A sentence on what changes for a counter."""
    (first, second), unit, currency = comparison.figures, _UNIT[comparison.per], _currency(comparison)
    before, after = _quoted(comparison)
    least, most = comparison.change
    if most < 0 < first.lower.limit:
        return (
            f"Counters at a table win less with {after}: no counter wins more than "
            f"{_at_most(second, currency)} {unit} with these rules. With {before}, a counter wins "
            f"{at_least(first.lower.limit, None, currency)}."
        )
    if least > 0 and second.lower.limit > 0:
        return (
            f"Counters at a table win more with {after}: a counter wins "
            f"{at_least(second.lower.limit, None, currency)} {unit} with these rules. With {before}, no counter wins "
            f"more than {_at_most(first, currency)}."
        )
    limits = (_at_most(each, currency) for each in (first, second))
    no_more = " and ".join(f"{limit} with {name}" for limit, name in zip(limits, (before, after), strict=True))
    return (
        "These shoes show no difference in what counters win at a table. The upper limit of what a counter wins "
        f"({unit}) is {no_more}."
    )


def _at_most(won: Figure, currency: str | None) -> str:
    limit = float(won.upper.limit)
    return at_most(max(limit, 0.0), None, currency) if isfinite(limit) else "not known"


def _verdicts(comparison: Comparison) -> list[str]:
    """Sentences on the verdicts, for rules that have a bound."""
    said = [
        f"{each.verdict.value} with {name}"
        for name, each in zip(_quoted(comparison), _both(comparison), strict=True)
        if each.verdict is not None
    ]
    return [f"The verdict is {' and '.join(said)}."] if said else []


def _theo(comparison: Comparison) -> str:
    first, second = comparison.worths
    before, after = _quoted(comparison)
    change = second.theo_per_shoe - first.theo_per_shoe
    more = f"{_money(comparison, abs(change))} {'more' if change > 0 else 'less'}" if change else "the same amount"
    return (
        f"The table's theoretical win per shoe is {_money(comparison, first.theo_per_shoe)} with {before} and "
        f"{_money(comparison, second.theo_per_shoe)} with {after}. The second rules give {more}. A shoe has "
        f"{first.coups_per_shoe:.1f} coups with the first rules and {second.coups_per_shoe:.1f} with the second."
    )


def _money(comparison: Comparison, value: float) -> str:
    currencies = {each.rules.house.currency or "" for each in _both(comparison)}
    return in_currency(money(value), currencies.pop() if len(currencies) == 1 else "")


def table(comparison: Comparison) -> pl.DataFrame:
    """A row for each set of rules: the verdict, both estimates of counters' wins with their limits, coups and
    theoretical win."""
    rows = []
    for name, each, won, worth in zip(
        names(comparison), _both(comparison), comparison.figures, comparison.worths, strict=True
    ):
        verdict, bound = each.verdict, each.bound
        row = {"rules": name, "bound": None if bound is None else str(bound)}
        row |= {"verdict": None if verdict is None else verdict.value}
        rows.append(row | won.columns() | worth._asdict())
    return pl.DataFrame(rows, infer_schema_length=None)


def _sections(comparison: Comparison, command: str) -> list[Section]:
    first, second = comparison.first, comparison.second
    return [
        Section(
            "Side by side",
            figure=_drawn(comparison),
            caption=LINES,
            columns=("figure", *names(comparison), "change"),
            rows=_rows(comparison),
        ),
        Section("Rules that differ", columns=("rule", *names(comparison)), rows=differing(comparison), words=True),
        Section(
            "Provenance",
            columns=("", ""),
            rows=[
                *(
                    (f"digest of {name}", each.rules.house.digest)
                    for name, each in zip(_quoted(comparison), (first, second), strict=True)
                ),
                *_other_game(comparison),
                *pages.provenance(first.plan, command),
            ],
            words=True,
        ),
    ]


def _other_game(comparison: Comparison) -> list[tuple[str, str]]:
    """The provenance of the second rules' game, if it differs from the first rules' game."""
    first, second = (each.plan.game for each in _both(comparison))
    if first.digest == second.digest:
        return []
    _, name = _quoted(comparison)
    return [
        (f"game of {name}", f"{second.heading} ({second.name})"),
        (f"source of the rules of {name}", second.source),
        (f"digest of the game of {name}", second.digest),
    ]


def _rows(comparison: Comparison) -> list[list[str]]:
    unit, both = _UNIT[comparison.per], _both(comparison)
    figures, worths, (least, most) = comparison.figures, comparison.worths, comparison.change
    between = f"{amount(least, False)} to {amount(most, True)}" if isfinite(least) and isfinite(most) else "not known"

    def change(values: Sequence[float]) -> str:
        return f"{values[1] - values[0]:+,.2f}"

    coups, per_shoe, per_hour = ([worth[i] for worth in worths] for i in range(3))
    return [
        ["verdict", *(each.verdict.value if each.verdict else "no limit" for each in both), ""],
        ["limit", *(str(each.bound or "none") for each in both), ""],
        [f"a counter wins (estimate), {unit}", *(figure(won.lower.value, won.lower.error) for won in figures), ""],
        [AT_LEAST, *(amount(max(won.lower.limit, 0.0), False) for won in figures), ""],
        [f"no counter wins more than (estimate), {unit}", *(_known(won) for won in figures), ""],
        [AT_MOST, *(_at_most(won, None) for won in figures), ""],
        [f"change in what the best counter wins, {unit}", "", "", between],
        ["coups per shoe", *(f"{value:.1f}" for value in coups), f"{coups[1] - coups[0]:+.1f}"],
        ["theoretical win per shoe", *(f"{value:,.2f}" for value in per_shoe), change(per_shoe)],
        ["theoretical win per hour", *(f"{value:,.2f}" for value in per_hour), change(per_hour)],
        *_of_pits(comparison),
    ]


def _of_pits(comparison: Comparison) -> list[list[str]]:
    """Rows for the hours and tables of each set of rules: what counters win with a counter at each table, and the
    theoretical win of the tables. No rows if both sets are for an hour at one table."""
    both, currency = _both(comparison), _currency(comparison)
    pits = [each.pit for each in both]
    if all(pit == AN_HOUR for pit in pits):
        return []
    hourly = comparison.per is Per.HOUR
    times = [pit.times if hourly else float(pit.tables) for pit in pits]
    won = [(k * each.lower.limit, k * each.upper.limit) for k, each in zip(times, comparison.figures, strict=True)]
    theo = [pit.times * each.theo_per_hour for pit, each in zip(pits, comparison.worths, strict=True)]
    settled = [each.rules.house for each in both if each.rules.house.loss_rebate and each.pit.tables > 1]
    above = any(house.loss_rebate_above for house in settled)
    apart = ", with the rebate settled at each table separately"
    some = (amount(max(lower, 0.0), False) for lower, _ in won)
    most = (at_most(max(upper, 0.0), None, currency) if isfinite(upper) else "not known" for _, upper in won)
    return [
        ["hours and tables", *(f"per {pit.words}" if hourly else many(pit.tables, "table") for pit in pits), ""],
        [f"a counter at each table{apart * bool(settled)}, {AT_LEAST}", *some, ""],
        [f"a counter at each table, or one who moves{apart * above}, {AT_MOST}", *most, ""],
        *([["theoretical win of these tables", *(f"{v:,.2f}" for v in theo), f"{theo[1] - theo[0]:+,.2f}"]] * hourly),
    ]


def _known(won: Figure) -> str:
    return figure(won.upper.value, won.upper.error) if isfinite(float(won.upper.limit)) else "not known"


def differing(comparison: Comparison) -> list[tuple[str, str, str]]:
    """The rules that differ: the name, the first value and the second value."""
    first, second = (dict(statement.conditions(each.rules)) for each in _both(comparison))
    return [
        (name, first.get(name, "none"), second.get(name, "none"))
        for name in dict.fromkeys((*first, *second))
        if first.get(name) != second.get(name)
    ]


def _drawn(comparison: Comparison) -> Markup | None:
    """A drawing of counters' wins under both sets of rules, with the bound if both have the same bound; None if a win
    is not known."""
    if not all(isfinite(limit) for won in comparison.figures for limit in (won.lower.limit, won.upper.limit)):
        return None
    rows = [
        (name, *map(float, (won.lower.limit, won.lower.value, won.upper.limit)))
        for name, won in zip(names(comparison), comparison.figures, strict=True)
    ]
    bounds = {each.bound for each in _both(comparison)}
    bound = bounds.pop() if len(bounds) == 1 else None
    shown = bound.amount if bound is not None and bound.per is comparison.per else None
    frame = pl.DataFrame(rows, ["bet", "least", "value", "most"], orient="row")
    unit, plan = " ".join(filter(None, (_currency(comparison), _UNIT[comparison.per]))), comparison.first.plan
    plot = drawing.single(plots.against_bound, frame, shown, unit, size=(9, 2.1))
    source = f"{plan.shoes:,} shoes under both rules, from seed {plan.seed}. counting {__version__}"
    return Markup(drawing.svg(plot, "What counters win under both rules", source))


def _data(comparison: Comparison, lines: Sequence[str], frame: pl.DataFrame) -> dict[str, Any]:
    """The data of the page's JSON file."""
    (least, most), pits = comparison.change, [each.pit for each in _both(comparison)]
    return {
        "answer": list(lines),
        "comparison": frame.to_dicts(),
        "unit": comparison.per.unit,
        "change": {"at_least": least, "at_most": most},
        **({"pits": [{"tables": p.tables, "hours": float(p.hours)} for p in pits]} if set(pits) != {AN_HOUR} else {}),
        "differing": [
            {"rule": rule, "first": first, "second": second} for rule, first, second in differing(comparison)
        ],
        "patronage": asdict(comparison.patronage),
        **{
            name: {
                "rules": each.rules.house.model_dump(mode="json", exclude_none=True),
                "rules_digest": each.rules.house.digest,
                "plan": each.plan.to_dict(),
                "plan_digest": each.plan.digest,
            }
            for name, each in zip(("first", "second"), _both(comparison), strict=True)
        },
    }
