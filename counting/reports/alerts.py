"""The page of a watch's alerts: how often bets won on the coups after an alert, compared with their exact chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counting.live import AlertHits
from counting.numbers import many
from counting.reports import pages
from counting.reports.numbers import figure
from counting.reports.pages import Report, Section

BY_RULE = "Alerts and wins, by rule and bet"
PRINTED = (BY_RULE,)  # the tables on a terminal
LEVEL = 0.01  # the significance level, for all rows together
_ASSUMED = (
    "Three things are assumed. Every alert was given before its coup was dealt. Each bet wins a coup with its exact "
    "chance, given the cards unseen before the coup. No journal was left out or ended because of its wins."
)
_NOTE = (
    "A coup counts for a rule and a bet if it comes after an alert and the rule still held before the coup. For a rule "
    "on placed bets, a coup counts if an alert was given for a bet placed on it. A coup that is logged twice counts "
    "once. The expected wins are the sum of the exact chances, given the cards unseen before each coup. The p-value is "
    "twice the smaller of two chances: the chance of at most this number of wins, and the chance of at least this "
    "number. Both assume that coups are won independently, each with its exact chance. The p-value for all rows is "
    "adjusted for the number of rows by Holm's method. The columns with units are for one unit bet on each of these "
    "coups: what it is expected to win in all, and what it won."
)
_WORDS = {
    "rule": "rule", "bet": "bet", "journal": "journal", "table": "table", "alerts": "alerts", "withdrawn": "withdrawn",
    "coups": "coups after an alert", "wins": "bet wins", "expected": "expected wins", "sd": "standard deviation",
    "z": "standard deviations from expected", "p": "p-value", "p_holm": "p-value, all rows (Holm)",
    "expected_units": "expected units", "units": "units won", "chance": "chance to win", "edge": "edge",
    "won": "bet won", "paid": "paid, units",
}  # fmt: skip
_SHORT = {"coups": "coups after", "p_holm": "p-value, all rows", "expected": "expected"}
_BESIDE = ("withdrawn", "sd", "z")  # columns without their own heading on the page


def report(hits: AlertHits, command: str = "") -> Report:
    """The page of alerts; `command`: the command that makes it again."""
    by_journal, by_table = (hits.summed([name, *("rule", "bet")]) for name in ("journal", "table"))
    tables = {"alerts": hits.by_rule, "by-journal": by_journal, "by-table": by_table, "coups": hits.coups}
    lines = sentences(hits)
    return Report(
        title="What alerts were worth",
        procedure=f"{hits.game.heading}. {many(len(hits.journals), 'journal')}, "
        f"{many(hits.coups['table'].n_unique(), 'table')} with coups after an alert.",
        sentences=lines,
        note=_NOTE,
        sections=[
            Section(BY_RULE, columns=_columns(hits.by_rule), rows=_rows(hits.by_rule), labels=2),
            *_by("By journal", by_journal, len(hits.journals)),
            *_by("By table", by_table, by_table["table"].n_unique()),
            Section(
                "Provenance", columns=("", ""), words=True,
                rows=pages.provenance_of_game(
                    hits.game, command,
                    *((f"journal {each.name}", f"{many(each.records, 'record')}, the last of digest {each.digest}")
                      for each in hits.journals),
                ),
            ),
        ],
        data={
            "game": hits.game.name, "answer": lines, "alerts": hits.by_rule.to_dicts(),
            "by_journal": by_journal.to_dicts(), "by_table": by_table.to_dicts(),
            "left_out": hits.left_out, "other_alerts": hits.other,
            "journals": [each._asdict() for each in hits.journals],
        },
        tables=tables,
        headings=dict.fromkeys(tables, _WORDS),
        sheets=2,
        quoted=True,
    )  # fmt: skip


def sentences(hits: AlertHits) -> list[str]:
    """Sentences: whether any rule's wins are unusual, the assumptions, the results of each rule, and what is left
    out."""
    rows = hits.by_rule.to_dicts()
    lines = [_answer(rows), _ASSUMED, *map(_of_rule, rows)]
    if hits.left_out:
        left = "; ".join(f"{number:,} ({why})" for why, number in sorted(hits.left_out.items()))
        lines.append(f"Some coups after alerts are left out, each counted once for each rule and bet: {left}.")
    if hits.other:
        other = "; ".join(f'{number:,} "{rule}"' for rule, number in sorted(hits.other.items()))
        lines.append(f"Alerts that concern no bet are not counted here: {other}.")
    return lines


def _answer(rows: Sequence[Mapping[str, Any]]) -> str:
    tested = [row for row in rows if row["p"] is not None]
    if not tested:
        return "No coup after an alert can be judged."
    odd = sorted((row for row in tested if row["p_holm"] < LEVEL), key=lambda row: row["p"])
    if not odd:
        least = min(row["p_holm"] for row in tested)
        return (
            "After alerts the bets won about as often as their exact chances predict: no rule's wins are unusual "
            f"(the smallest p-value is {_chance(least)}, adjusted for {many(len(tested), 'row')})."
        )
    first = odd[0]
    what = "more" if first["wins"] > first["expected"] else "fewer"
    return (
        f'After alerts of rule "{first["rule"]}", {first["bet"]} won {what} coups than expected by chance: '
        f"it won {first['wins']:,} of {first['coups']:,}, and {_number(first['expected'])} were expected (p-value "
        f"{_chance(first['p_holm'])}, adjusted for {many(len(tested), 'row')})."
    )


def _of_rule(row: Mapping[str, Any]) -> str:
    given = f'Rule "{row["rule"]}" on {row["bet"]} gave {many(row["alerts"] + row["withdrawn"], "alert")}'
    if row["withdrawn"]:
        given += f", of which {row['withdrawn']:,} withdrawn later"
    if not row["coups"]:
        return f"{given}. No coup after an alert counts here."
    units = "" if row["units"] is None else f", and won {row['units']:+,.2f} units"
    return (
        f"{given}. The bet won {row['wins']:,} of {many(row['coups'], 'coup')} after an alert, and "
        f"{_number(row['expected'])} ± {_number(row['sd'])} were expected (p-value {_chance(row['p'])}). One unit "
        f"bet on each of these coups was expected to win {row['expected_units']:+,.2f} units{units}."
    )


def _by(title: str, frame: pl.DataFrame, number: int) -> list[Section]:
    """The wins by journal or table, if there are several."""
    if number < 2:
        return []
    return [Section(title, columns=_columns(frame), rows=_rows(frame), labels=3)]


def _columns(frame: pl.DataFrame) -> list[str]:
    """The headings of a table on the page. The standard deviation has no heading: it is printed after ± in the cell of
    the expected wins."""
    return [_SHORT.get(name, _WORDS[name]) for name in frame.columns if name not in _BESIDE]


def _rows(frame: pl.DataFrame) -> list[list[str]]:
    return [
        [
            f"{_cell(name, value)} ± {_cell('sd', row['sd'])}" if name == "expected" else _cell(name, value)
            for name, value in row.items()
            if name not in _BESIDE
        ]
        for row in frame.iter_rows(named=True)
    ]


def _cell(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if name in ("p", "p_holm"):
        return _chance(value)
    if name == "z":
        return f"{value:+.2f}"
    return f"{value:,}" if isinstance(value, int) else _number(value)


def _chance(p: float) -> str:
    return figure(p, None) if p >= 0.0001 else "< 0.0001"


def _number(value: float) -> str:
    return f"{value:,.2f}"
