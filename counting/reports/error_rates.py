"""Sentences and sections of an audit on errors of dealing and paying: how frequent they are, which dealers, tables and
shifts differ, and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counting.io.tables import percent
from counting.reports.numbers import many, money
from counting.reports.pages import Section
from counting.review import CONFIDENCE, KINDS, Audit

_RATE, _COST = "How often errors come", "What errors cost"
_LISTED = 60  # the most rows on the page; the CSV file has all rows
_SURE = percent(CONFIDENCE, 0)
_NAMED = 5
_LACKS = {"dealer": "without a dealer's name", "shift": "without a time of day that could be read"}
_BY = {"dealer": "dealer", "shift": "time of day"}


def sentences(audit: Audit) -> list[str]:
    """Sentences: the rates with their limits, the dealers, tables and shifts that differ, and what errors cost."""
    whole = audit.rates.of_all
    if not whole:
        return []
    lines = [_rate(row) for row in whole]
    lines += _differ(audit)
    if audit.rates.unseen:
        lines.append(
            f"In {audit.rates.unseen:,} of {many(audit.coverage['coups'], 'coup')} the log cannot show an error of "
            "dealing: a card was not read, the record contradicts itself or repeats, or the fifth card's hand was "
            "inferred from the drawing rules. These coups are left out of all rates."
        )
    return lines + _costs(audit)


def _rate(row: Mapping[str, Any]) -> str:
    seen = (
        f"{many(row['coups'], 'coup')} {'that can be judged' if row['of'] == 'dealing' else 'with the result of a bet'}"
    )
    what = "an error of dealing" if row["of"] == "dealing" else "a wrong payout"
    if not row["errors"]:
        return (
            f"None of {seen} has {what}: with {_SURE} confidence the rate is at most "
            f"{money(row['at_most'], up=True)} per 100,000 coups if errors come independently (rule of three: about 3 "
            "divided by the number of coups)."
        )
    return (
        f"{row['errors']:,} of {seen} {'has' if row['errors'] == 1 else 'have'} {what}: {_per(row['per_100k'])} per "
        f"100,000 coups ({_SURE} interval {_interval(row)}, exact if errors are independent and come at one rate)."
    )


def _differ(audit: Audit) -> list[str]:
    rows, level = audit.rates.rows, f"{audit.settings.level:.4g}"
    tested = rows.filter(pl.col("p").is_not_null())
    differ = tested.filter(pl.col("differs").is_not_null()).sort("p_holm", maintain_order=True)
    worse = differ.filter(differs="more")
    lines = [
        f"{row['by'].capitalize()} {row['name']} has {row['differs']} errors of {row['of']} than the other "
        f"{row['by']}s together: {_per(row['per_100k'])} per 100,000 coups against {_per(row['others_per_100k'])} (p "
        f"for all tests together {_p(row['p_holm'])})."
        for row in (differ if worse.is_empty() else worse).head(_NAMED).iter_rows(named=True)
    ]
    if differ.height:
        lines.append(
            "A dealer's errors count for the dealer's table and shift too. A difference may also come from the pace, "
            "the patrons or the record."
        )
    elif tested.height:
        compared = _listed([f"{by}s" for by in tested["by"].unique(maintain_order=True)])
        lines.append(
            f"No rate differs from the others' rate among {compared}, at a level of {level} for all tests together. "
            "With few coups this does not prove that the rates are equal: counting sample gives the number of coups "
            "that it takes to show a difference."
        )
    lacks = [f"by {_BY[by]}, {n:,} {_LACKS[by]}" for by, n in audit.rates.lacks.items()]
    if lacks:
        lines.append(f"Left out of the comparisons, of {many(audit.coverage['coups'], 'coup')}: {'; '.join(lacks)}.")
    if audit.log.coups["dealer"].drop_nulls().n_unique() == 1:
        lines.append("The log names only one dealer: there is no other to compare with.")
    return lines


def _costs(audit: Audit) -> list[str]:
    rows = audit.costs.rows
    money = rows.drop_nulls("expected")
    if money.is_empty():
        return []
    total, dealt = float(money["expected"].sum()), float(money["dealt"].sum())
    return [
        "At the moment of each error, the priced errors changed what the patrons of the log could expect to win, by "
        f"{total:+,.2f} in all. With the cards as they then fell, the patrons' win differs from the expectation by the "
        f"rules by {dealt:+,.2f}, if hands were paid as dealt. A figure above 0 is a loss of the house."
    ]


def sections(audit: Audit) -> list[Section]:
    """The table of rates and, if there are errors, the table of their costs."""
    rows, costs = audit.rates.rows, audit.costs.rows
    if rows.is_empty():
        return []
    wrong = rows.filter((pl.col("by") == "all") & (pl.col("errors") > 0))["of"].implode()
    shown = rows.filter((pl.col("by") == "all") | pl.col("of").is_in(wrong))
    cut = f" {_LISTED} of {shown.height:,} rows; rates.csv has all." * (shown.height > _LISTED)
    made = [
        Section(
            _RATE,
            f"Each rate is the number of coups in error per 100,000, with its exact {_SURE} interval (Clopper and "
            "Pearson). p tests whether the rate equals the rate of all the others together (Fisher's exact test, "
            "adjusted for all tests by Holm's method). A rate that is higher at the level of the audit is in "
            f"bold.{cut}",
            columns=("coups", "errors of", "judged", "in error", "per 100,000", f"{_SURE} interval", "p, all tests"),
            rows=[
                (
                    _name(row), row["of"], f"{row['coups']:,}", f"{row['errors']:,}", _per(row["per_100k"]),
                    _interval(row), "" if row["p_holm"] is None else _p(row["p_holm"]),
                )
                for row in shown.head(_LISTED).iter_rows(named=True)
            ],
            labels=2,
            flagged=frozenset(i for i, differs in enumerate(shown["differs"].head(_LISTED)) if differs == "more"),
        )
    ]  # fmt: skip
    if costs.height:
        reasons = "; ".join(f"{reason} ({number:,})" for reason, number in audit.costs.reasons.items())
        made.append(
            Section(
                _COST,
                "Each figure is the change of the patrons' expectation; + is in their favour. A wrong third card is "
                "priced by what was known at that moment: the expectation after the wrong move, with all later moves "
                "by the rules, less the expectation with all moves by the rules. As dealt: the pay of the hands as "
                "dealt, or the payment made, less the expectation by the rules. Per unit: the mean over the priced "
                f"errors.{f' Not priced: {reasons}.' * bool(reasons)}",
                columns=("error", "errors", "priced", "per unit on Player", "on Banker", "in money", "as dealt"),
                rows=[
                    (
                        KINDS[row["kind"]], f"{row['errors']:,}", f"{row['priced']:,}",
                        *("" if row[name] is None else f"{row[name]:+.4f}" for name in ("player", "banker")),
                        *("" if row[name] is None else f"{row[name]:+,.2f}" for name in ("expected", "dealt")),
                    )
                    for row in costs.iter_rows(named=True)
                ],
            )
        )  # fmt: skip
    return made


def data(audit: Audit) -> dict[str, Any]:
    """The data of both tables for the page's JSON file."""
    return {
        "rates": audit.rates.rows.to_dicts(),
        "coups_without_rate": audit.rates.unseen,
        "coups_unnamed": dict(audit.rates.lacks),
        "costs": audit.costs.rows.to_dicts(),
        "not_priced": dict(audit.costs.reasons),
    }


def _name(row: Mapping[str, Any]) -> str:
    return "all" if row["by"] == "all" else f"{row['by']} {row['name']}"


def _interval(row: Mapping[str, Any]) -> str:
    """An exact interval. The lower limit is rounded down, and the upper limit is rounded up."""
    low = money(row["low"], up=False) if row["low"] else "0"
    return f"{low} to {money(row['high'], up=True)}"


def _per(rate: float) -> str:
    """A rate per 100,000 coups, to three digits."""
    return "0" if rate == 0 else f"{rate:,.0f}" if rate >= 100 else f"{rate:.3g}"


def _p(value: float) -> str:
    return "< 0.0001" if value < 1e-4 else f"{value:.2g}"


def _listed(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
