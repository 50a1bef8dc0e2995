"""The headings of tables in a workbook, in words. CSV and JSON files have the columns' names instead.

A page states headings for some columns in `Report.headings`; this module has the words for all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from counting.bounds import Per

AT_LEAST, AT_MOST = "at least (99%)", "at most (99%)"
GAINS = {Per.SHOE: "units per shoe", Per.COUPS: "units per 100 coups", Per.HOUR: "money per hour"}
_WORDS = {
    "system": "counter", "best": "the best trigger", "cut": "cards behind the cut card", "bet_share": "bet frequency",
    "mean_edge": "average edge", "captured_share": "betting efficiency, % of perfect play",
    "truly_positive_share": "bets at a positive edge", "sd_per_bet": "standard deviation of a bet, units",
    "sd_bets_per_shoe": "standard deviation of a shoe's bets, units",
    "sd_per_100_coups": "standard deviation of 100 coups, units", "desirability_index": "DI (desirability index)",
    "n0": "N0, coups", "score": "SCORE", "tie_in": "main-bet requirement, units", "stake": "bet, money",
    "tied": "main-bet requirement with the minimum, units", "most_bet": "largest side bet, money",
    "most_side_bet": "largest side bet that meets the limit, money", "fitted": "shoes the play was fitted to",
    "exact": "as a fraction", "worked_out": "worked out at this cut", "met": "limit met",
    "by_minimum": "the minimum matters", "played_per_shoe": "coups with a bet, per shoe",
    "sides_per_shoe": "coups with a side bet, per shoe", "theo_per_shoe": "theoretical win per shoe, money",
    "theo_per_hour": "theoretical win per hour, money", "coups_lost_per_shoe": "coups lost per shoe",
    "theo_given_up_per_shoe": "theoretical win given up per shoe, money", "bound": "limit",
    "least": f"a counter wins {AT_LEAST}, in the limit's unit",
    "limit": f"counters win {AT_MOST}, in the limit's unit",
    "new_cut": "new rule: cards behind the cut card", "new_tie_in": "new rule: main-bet requirement, units",
    "new_most_bet": "new rule: largest side bet, money", "chance_exact": "chance, as a fraction",
    "new_limit": f"new rule: counters win {AT_MOST}, in the limit's unit",
    "effect": "effect of removal", "effect_exact": "effect of removal, as a fraction", "off": "paid too much, money",
    "found": "finding", "not_compared": "why it is not compared",
}  # fmt: skip
_OF_UNIT = {per.unit.removeprefix("units_"): words for per, words in GAINS.items()}
_GAIN = re.compile(rf"(new_)?(?:(lower|upper)_)?(?:units_)?({'|'.join(_OF_UNIT)})(_99)?")


def column_heading(column: str) -> str:
    """A column's name in words: `units_per_shoe_se`, a standard error, is "± units per shoe"."""
    if column.endswith("_se"):
        return f"± {column.removesuffix('_se').replace('_', ' ')}"
    return column.replace("_", " ")


def headings(columns: Sequence[str], words: Mapping[str, str] | None = None) -> dict[str, str]:
    """The heading of each shown column, in order: first the columns in `words`, the page's headings, then the others.
    Each standard error follows its value. A column with an empty heading is left out."""
    words = words or {}
    ordered = [*(name for name in words if name in columns), *(name for name in columns if name not in words)]
    return {name: words.get(name) or _heading(name, words) for name in _errors_beside(ordered) if words.get(name, name)}


def _heading(column: str, words: Mapping[str, str]) -> str:
    if column.endswith("_se"):
        figure = column.removesuffix("_se")
        return f"± {words.get(figure) or _heading(figure, words)}"
    if column in _WORDS:
        return _WORDS[column]
    if column.startswith("played_"):
        return f"as dealt: {_heading(column.removeprefix('played_'), words)}"
    gain = _GAIN.fullmatch(column)
    if gain is None:
        return column_heading(column)
    new, side, unit, limit = gain.groups()
    subject = {"lower": "a counter wins", "upper": "counters win" if limit else "no counter wins more than"}.get(
        side, ""
    )
    bound = (AT_LEAST if side == "lower" else AT_MOST) if limit else ""
    said = " ".join(filter(None, (subject, bound)))
    return "new rule: " * bool(new) + ", ".join(filter(None, (said, _OF_UNIT[unit])))


def _errors_beside(columns: Sequence[str]) -> list[str]:
    """The columns, reordered: each standard error follows its value."""
    errors = {name for name in columns if name.endswith("_se") and name.removesuffix("_se") in columns}
    order: list[str] = []
    for name in columns:
        if name not in errors:
            order += [name, *([f"{name}_se"] if f"{name}_se" in errors else [])]
    return order
