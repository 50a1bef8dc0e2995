"""Find faults in the sentences of a statement. They are read as a person reads them, from the words alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any

_NUMBER = r"[$€£]?(-?\d[\d,]*(?:\.\d+)?)"
_LEAST = re.compile(rf"wins (?:at least {_NUMBER}|(more than 0)) ")
_MOST = re.compile(rf"no counter wins more than {_NUMBER}")
_BOUND = re.compile(rf"\. The limit is {_NUMBER}(?: [A-Z]+)?(?: units)? per (?:shoe|hour|100 coups)\.(?: |$)")
_NOTHING = "no counter wins anything"


def number(text: str) -> float:
    return float(text.replace(",", ""))


def _first(pattern: re.Pattern[str], line: str) -> tuple[float, int] | None:
    """The number that a pattern finds in a line, and how many decimals it has."""
    match = pattern.search(line)
    text = match and match[1]
    return (number(text), len(text.partition(".")[2])) if text else None


def faults(lines: Sequence[str], data: Mapping[str, Any]) -> list[str]:
    """The faults in the headline and in the lines on single bets, compared with the statement's JSON."""
    wrong = [f"power of ten: {line}" for line in lines if re.search(r"\d[eE][-+]?\d", line)]
    alone = [line for line in lines if line.startswith("With side bets ")]
    figures = [data, *data["sides"][:-1]]
    if len(alone) != len(figures) - 1:
        wrong.append("not every bet has its line")
    for line, of_line in zip([lines[0], *alone], figures, strict=False):
        wrong += [f"{fault}: {line}" for fault in _of_line(line, of_line, data["bound"])]
    return wrong + [f"{fault}: {lines[0]}" for fault in _of_verdict(lines[0], data)]


def _of_line(line: str, figures: Mapping[str, Any], bound: str | None) -> list[str]:
    wrong = []
    least, most = _first(_LEAST, line), _first(_MOST, line)
    lower, upper = figures["lower_99"], figures["upper_99"]
    if least and most and least[0] > most[0]:
        wrong.append("the first figure exceeds the second")
    if lower is not None and upper is not None and not lower <= figures["lower"] <= figures["upper"] <= upper:
        wrong.append("the figures are not in order")
    if least and not _is_rounded(least, lower, floor):
        wrong.append(f"not the lower limit {lower}")
    if most and not _is_rounded(most, upper, ceil):
        wrong.append(f"not the upper limit {upper}")
    if not least and "more than 0 " in line and not (lower or 0) > 0:
        wrong.append(f"more than 0 for {lower}")
    if most is None and upper is not None and upper > 0:
        wrong.append("no upper limit")
    if bound is not None:
        limit = number(bound.partition("/")[0])
        for shown, value in ((least, lower), (most, upper)):
            if shown and (shown[0] > limit, shown[0] < limit) != (value > limit, value < limit):
                wrong.append(f"{shown[0]} stands on the other side of {limit} than {value}")
    return wrong


def _is_rounded(shown: tuple[float, int], value: float | None, rounded: Any) -> bool:
    """Whether a printed number is the value, rounded down or up to the printed decimals. Rounding errors of floats are
    allowed."""
    if value is None:
        return False
    step = 10.0 ** -shown[1]
    return abs(shown[0] - rounded(value / step) * step) <= step * 1e-6 + abs(value) * 1e-14 or (
        abs(shown[0] - value) <= step * 1e-6
    )


def _of_verdict(line: str, data: Mapping[str, Any]) -> list[str]:
    """The faults in the words of a verdict, given its bound."""
    if data["bound"] is None:
        return [] if line.startswith("Under these rules") else ["a verdict without a bound"]
    wrong, said = [], _first(_BOUND, line)
    if said is None or said[0] != number(data["bound"].partition("/")[0]):
        return [f"the limit is not {data['bound']}"]
    least, most, verdict = _first(_LEAST, line), _first(_MOST, line), line.partition(".")[0]
    if verdict != data["verdict"]:
        wrong.append(f"the verdict is {data['verdict']}")
    if verdict == "MET" and _NOTHING not in line and not (most and most[0] < said[0]):
        wrong.append("met, by what is printed it is not")
    if verdict == "NOT MET" and not (least and least[0] > said[0]) and not ("more than 0 " in line and said[0] == 0):
        wrong.append("not met, by what is printed it may be")
    if verdict == "UNDECIDED" and ((most and most[0] < said[0]) or (least and least[0] > said[0])):
        wrong.append("undecided, by what is printed it is not")
    return wrong
