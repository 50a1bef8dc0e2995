"""One error for one figure: wherever a report gives a value with its standard error, it gives the same error."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from counting.cli import main

pytestmark = pytest.mark.usefixtures("undrawn", "few_weighted")


def pairs(data: Any) -> Iterator[tuple[float, float]]:
    """Each value in plain data that has a standard error, with this error: `name` with `name_se`."""
    if isinstance(data, dict):
        for name, error in data.items():
            value = data.get(name.removesuffix("_se"))
            if name.endswith("_se") and error is not None and value is not None:
                yield float(value), float(error)
        data = list(data.values())
    if isinstance(data, list):
        for part in data:
            yield from pairs(part)


def what_ifs(page: str) -> Iterator[tuple[float, float]]:
    """Each value in the data of a page's what-if controls that has an error, with this error."""
    match = re.search(r'<script type="application/json" id="explorers">(.*?)</script>', page, re.DOTALL)
    for explorer in json.loads(match[1]) if match else ():
        for course in explorer["courses"]:
            for columns in (course["per_shoe"], course["per_100_coups"]):
                for value, error in (("value", "error"), ("lower", "lower_error"), ("upper", "upper_error")):
                    for pair in zip(columns.get(value, ()), columns.get(error, ()), strict=True):
                        if None not in pair:
                            yield pair


def errors_of(folder: Path, data: str = "report") -> tuple[dict[str, set[str]], int]:
    """For each value, to nine digits: its errors, to six digits. And how many values occur in more than one place."""
    errors: dict[str, set[str]] = {}
    places: dict[str, int] = {}
    everything = [*pairs(json.loads((folder / f"{data}.json").read_text()))]
    html = folder / ("statement.html" if data == "statement" else "report.html")
    for value, error in [*everything, *what_ifs(html.read_text())]:
        if value not in (0, 1):
            key = f"{value:.9g}"
            errors.setdefault(key, set()).add(f"{error:.6g}")
            places[key] = places.get(key, 0) + 1
    return errors, sum(count > 1 for count in places.values())


@pytest.mark.long
@pytest.mark.parametrize(
    ("command", "data", "twice"),
    [
        ("study punto-banco --decks 1 --cut 8 --shoes 450", "report", 10),
        ("vulnerability ez-baccarat dragon-7 --decks 1 --cut 8 --shoes 2000", "report", 6),
        ("limits ez-baccarat --bet dragon-7 --bound 10/hour --tie-in 0 --most-bet 50 --decks 1 --cut 8 --deepest 12 "
         "--shoes 2000 --model sit-out play-all", "limits", 10),
    ],
)  # fmt: skip
def test_a_figure_has_one_error_in_all_of_a_report(command: str, data: str, twice: int, tmp_path: Path) -> None:
    assert main([*command.split(), "--out", str(tmp_path / "out"), "--format", "json"]) == 0
    errors, repeated = errors_of(tmp_path / "out", data)
    assert {value: of_value for value, of_value in errors.items() if len(of_value) > 1} == {}
    assert repeated >= twice
