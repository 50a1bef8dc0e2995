"""Sentences and sections of an audit on errors of dealing and paying: how frequent they are, which dealers, tables and
shifts differ, and what errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from counting.io.tables import percent
from counting.numbers import many
from counting.reports.numbers import money
from counting.reports.pages import Section
from counting.review import CONFIDENCE, KINDS, Audit

_RATE, _COST = "How often errors occur", "What errors cost"
_LISTED = 60  # the most rows on the page; the CSV file has all rows
_SURE = percent(CONFIDENCE, 0)
_NAMED = 5
_LACKS = {"dealer": "without a dealer's name", "shift": "without a readable time of day"}
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
            "dealing. Either a card was not read, or the record contradicts itself or repeats the coup before, or the "
            "hand of the fifth card was inferred from the drawing rules. These coups are left out of all rates."
        )
    return lines + _costs(audit)


def _rate(row: Mapping[str, Any]) -> str:
    judged = "that can be judged" if row["of"] == "dealing" else "with a recorded result of a bet"
    seen = f"{many(row['coups'], 'coup')} {judged}"
    what = "an error of dealing" if row["of"] == "dealing" else "a wrong payout"
    if not row["errors"]:
        return (
            f"None of {seen} has {what}. If errors occur independently, then with {_SURE} confidence the rate is at "
            f"most {money(row['at_most'], up=True)} per 100,000 coups. (This is the rule of three: the limit is about "
            "3 divided by the number of coups.)"
        )
    return (
        f"{row['errors']:,} of {seen} {'has' if row['errors'] == 1 else 'have'} {what}. This is "
        f"{_per(row['per_100k'])} per 100,000 coups ({_SURE} interval {_interval(row)}). The interval is exact if "
        "errors are independent and occur at one constant rate."
    )


def _differ(audit: Audit) -> list[str]:
    rows, level = audit.rates.rows, f"{audit.settings.level:.4g}"
    tested = rows.filter(pl.col("p").is_not_null())
    differ = tested.filter(pl.col("differs").is_not_null()).sort("p_holm", maintain_order=True)
    worse = differ.filter(differs="more")
    lines = [
        f"{row['by'].capitalize()} {row['name']} has {row['differs']} errors of {row['of']} per coup than the "
        f"other {row['by']}s together: {_per(row['per_100k'])} per 100,000 coups against "
        f"{_per(row['others_per_100k'])} (p-value for all tests together: {_p(row['p_holm'])})."
        for row in (differ if worse.is_empty() else worse).head(_NAMED).iter_rows(named=True)
    ]
    if differ.height:
        lines.append(
            "A dealer's errors also count for the dealer's table and shift. The cause of a difference may also be the "
            "pace, the patrons or the record."
        )
    elif tested.height:
        compared = _listed([f"{by}s" for by in tested["by"].unique(maintain_order=True)])
        lines.append(
            f"Among {compared}, no rate differs significantly from the rate of the others, at a level of {level} "
            "for all tests together. With few coups this does not prove that the rates are equal. The command counting "
            "sample gives the number of coups that it takes to show a difference."
        )
    lacks = [f"the comparison by {_BY[by]} leaves out {n:,} {_LACKS[by]}" for by, n in audit.rates.lacks.items()]
    if lacks:
        lines.append(f"Of {many(audit.coverage['coups'], 'coup')}, {', and '.join(lacks)}.")
    if audit.log.coups["dealer"].drop_nulls().n_unique() == 1:
        lines.append("The log names only one dealer, so dealers cannot be compared.")
    return lines


def _costs(audit: Audit) -> list[str]:
    rows = audit.costs.rows
    money = rows.drop_nulls("expected")
    if money.is_empty():
        return []
    total, dealt = float(money["expected"].sum()), float(money["dealt"].sum())
    return [
        "Each error that is priced changed what the patrons in the log could expect to win at that moment. These "
        f"changes add up to {total:+,.2f}. With the cards that were then dealt, and hands paid as dealt, the patrons' "
        f"win differs by {dealt:+,.2f} from what they could expect under the rules. A figure above 0 is a loss for the "
        "house."
    ]


def sections(audit: Audit) -> list[Section]:
    """The table of rates and, if there are errors, the table of their costs."""
    rows, costs = audit.rates.rows, audit.costs.rows
    if rows.is_empty():
        return []
    wrong = rows.filter((pl.col("by") == "all") & (pl.col("errors") > 0))["of"].implode()
    shown = rows.filter((pl.col("by") == "all") | pl.col("of").is_in(wrong))
    cut = f" The page has {_LISTED} of {shown.height:,} rows; rates.csv has all of them." * (shown.height > _LISTED)
    made = [
        Section(
            _RATE,
            f"Each rate is the number of coups with an error per 100,000 coups, with its exact {_SURE} interval "
            "(Clopper and Pearson). The p-value tests whether a row's rate equals the rate of all other rows of its "
            "kind together, such as all other dealers. It comes from Fisher's exact test, and is adjusted for all "
            "tests by Holm's method. A rate is in bold if it is significantly higher than the rate of the others, at "
            f"the audit's level.{cut}",
            columns=("coups", "errors of", "judged", "with an error", "per 100,000", f"{_SURE} interval",
                     "p, all tests"),
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
                "Each figure is a change in the patrons' expectation; + is in the patrons' favour. A wrong third card "
                "is priced by what was known at that moment. Its price is the expectation after the wrong move, with "
                "all later moves by the rules, less the expectation with all moves by the rules. The column “as "
                "dealt” gives the pay of the hands as dealt, or the payment made, less the expectation by the rules. "
                "The two columns “per unit” give means over the priced errors."
                f"{f' Some errors or bets are not priced, for these reasons: {reasons}.' * bool(reasons)}",
                columns=("error", "errors", "priced", "per unit on Player", "per unit on Banker", "in money",
                         "as dealt"),
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
    """The data of the tables of rates and of costs, for the page's JSON file."""
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
