"""A statement's sentence and table on remedies. A remedy changes one rule so that the bound is met."""

from __future__ import annotations

from math import ceil
from typing import Any

from counting.bounds import MOST_TIED, Lack, Per, Remedy, Statement
from counting.cards import DECK
from counting.reports.numbers import amount, at_most, in_currency, unrounded
from counting.reports.pages import Section

_RULES = {
    "most_bet": "largest side bet",
    "maximum": "largest main bet",
    "cut": "cards behind the cut card",
    "tie_in": "main-bet requirement",
}
_UNITS = {"most_bet": "money", "maximum": "money", "cut": "cards", "tie_in": "units"}
_NEAREST = (
    "Only one rule is changed. Of all values that meet the limit on the same shoes, the value shown is the nearest to "
    "the rule in force."
)
_CONFIRMED = (
    "Only one rule is changed. Each value meets the limit, even for counters who may skip any coup. A value nearer to "
    "the rule in force may meet it too."
)
_ABOUT = "Only one rule is changed. The value meets the limit; a nearer value may meet it too."


def sentence(statement: Statement) -> str:
    """A sentence on the remedies; empty if none were worked out."""
    changes = [_change(statement, remedy) for remedy in statement.remedies if remedy.value is not None]
    if not statement.remedies:
        return ""
    if not changes:
        return "No change of a single rule is known to meet the limit."
    return (
        f"{'Each of these changes alone' if len(changes) > 1 else 'This change alone'} meets the limit: "
        f"{'; '.join(changes)}."
    )


def section(statement: Statement) -> list[Section]:
    """A section with a table of the remedies. If no value of a rule is a remedy, the table gives the reason."""
    if not statement.remedies:
        return []
    known = [remedy for remedy in statement.remedies if remedy.value is not None]
    text = _NEAREST if all(remedy.nearest for remedy in known) else _CONFIRMED
    if statement.rules.house.loss_rebate:
        text = _ABOUT
    return [
        Section(
            "What would meet the limit",
            text * bool(known),
            columns=("rule", "in force", "meets the limit", "counters then win at most (99%)"),
            rows=[_row(statement, remedy) for remedy in statement.remedies],
            words=True,
        )
    ]


def data(statement: Statement) -> dict[str, Any]:
    """Data for the page's JSON file. For each rule: the value that would meet the bound, and the upper limit with this
    value, in the verdict's unit; or, if there is no such value, the reason."""
    return {
        **dict.fromkeys(("most_bet", "cut", "tie_in")),
        **{remedy.rule: remedy.value for remedy in statement.remedies},
        "nearest": all(remedy.nearest for remedy in statement.remedies),
        "upper_99": {remedy.rule: remedy.limit for remedy in statement.remedies if remedy.value is not None},
        "reasons": dict.fromkeys(() if statement.rules.side_bets else ("most_bet", "tie_in"), "there is no side bet")
        | {remedy.rule: _reason(statement, remedy.lack) for remedy in statement.remedies if remedy.lack},
    }


def table(statement: Statement) -> list[dict[str, Any]]:
    """A row for each rule, with its name and its unit.

    - `in_force`: its value in force; None if there is none, or if the requirement is the table's minimum
    - `meets`: the value that would meet the bound
    - `upper_99`: the upper limit with this value
    - `why_none`: the reason why there is no value"""
    return [
        {
            "rule": _RULES[remedy.rule],
            "unit": _UNITS[remedy.rule],
            "in_force": _in_force(statement, remedy),
            "meets": remedy.value,
            "upper_99": remedy.limit,
            "why_none": _reason(statement, remedy.lack) if remedy.lack else None,
        }
        for remedy in statement.remedies
    ]


def _in_force(statement: Statement, remedy: Remedy) -> float | None:
    rules = statement.rules
    if remedy.rule == "cut":
        return rules.dealing.cut
    value = rules.house.tie_in if remedy.rule == "tie_in" else rules.most_bet
    return None if value is None or isinstance(value, str) else float(value)


def _change(statement: Statement, remedy: Remedy) -> str:
    """A change in words, to follow "meets the limit: "."""
    value = remedy.value
    return {
        "most_bet": f"side bets of up to {_money(statement, value)}",
        "maximum": f"main bets of up to {_money(statement, value)}",
        "cut": f"{value} cards behind the cut card",
        "tie_in": f"a main-bet requirement of {value} unit{'s' * (value != 1)}",
    }[remedy.rule]


def _row(statement: Statement, remedy: Remedy) -> list[str]:
    rules, bound = statement.rules, statement.bound
    assert bound is not None
    most = "none" if rules.most_bet is None else _money(statement, float(rules.most_bet))
    in_force = {
        "most_bet": most,
        "maximum": most,
        "cut": str(rules.dealing.cut),
        "tie_in": "minimum" if isinstance(rules.house.tie_in, str) else f"{float(rules.house.tie_in):g}",
    }[remedy.rule]
    name = _RULES[remedy.rule]
    if remedy.lack:
        return [name, in_force, f"none: {_reason(statement, remedy.lack)}", ""]
    assert remedy.value is not None
    assert remedy.limit is not None
    value = _money(statement, remedy.value) if remedy.rule in ("most_bet", "maximum") else str(remedy.value)
    currency = (rules.house.currency or "") if bound.per is Per.HOUR else None
    limit = at_most(remedy.limit, bound.amount, currency) if remedy.limit > 0 else amount(0.0)
    return [name, in_force, value, f"{limit} {bound.per.words}"]


def _money(statement: Statement, value: float | None) -> str:
    return "" if value is None else in_currency(unrounded(float(value)), statement.rules.house.currency or "")


def _reason(statement: Statement, lack: Lack) -> str:
    """Why there is no value, in words to follow "none: "."""
    rules, half = statement.rules, DECK * statement.rules.dealing.decks // 2
    bet, smallest = ("side", rules.limits.least_bet) if rules.side_bets else ("main", rules.limits.minimum)
    least = max(1, ceil(smallest))
    free = "" if rules.free.house == rules.house else " for counters who may skip any coup"
    return {
        Lack.UNITS: f"the limit is in units of the {bet} bet, so the size of this bet does not matter",
        Lack.LEAST_BET: f"not even {bet} bets of {_money(statement, least)} are shown to meet the limit{free}",
        Lack.HALF_OF_SHOE: f"not even {half} cards, half of the shoe, are shown to meet the limit{free}",
        Lack.MOST_TIED: f"no larger requirement up to {MOST_TIED} units is shown to meet the limit{free}",
        Lack.REBATE: "not worked out for rules with a rebate on losses",
        Lack.NOT_CONFIRMED: "no value was confirmed to meet the limit on these shoes",
        Lack.NO_CHANGE: "no change needed: the limit is met even for counters who may skip any coup, and other "
        "counters win no more than they do",
    }[lack]
