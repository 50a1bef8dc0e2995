"""A shift and a pit: figures per hour times the hours, the bound for several tables, and whom a figure is about."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any

import pytest

import counting
from counting import InputError, load_house
from counting.bounds import AN_HOUR, Per, Pit
from counting.bounds.statements import statement_settings
from counting.cli import main
from counting.reports.pits import PitFigures
from counting.reports.statement import report, sentences

pytestmark = pytest.mark.usefixtures("undrawn")
EIGHT, PIT = Pit(1, Fraction(8)), Pit(4, Fraction(8))
RULES = {
    "title": "Pit 3", "game": "louisiana", "side_bets": ["seven-seven-45"], "cut": 14, "most_bet": "25",
}  # fmt: skip


def figures(pit: Pit, lower: float, upper: float, per: Per = Per.HOUR, **given: Any) -> PitFigures:
    return PitFigures(pit, per, {"Dragon 7": (lower, upper)}, **given)


def test_a_shift_is_of_one_counter_at_one_table() -> None:
    (line,) = figures(EIGHT, 8.0, 8.6, currency="$").all_sentences()
    assert line == (
        "On average over whole shoes, a counter wins at least $64 per shift of 8 hours at this table, and no counter "
        "wins more than $69 (each with 99% confidence)."
    )


def test_tables_are_of_counters_at_each_and_of_one_who_moves() -> None:
    _, together, bound, why = figures(PIT, 8.0, 8.6, currency="$").all_sentences()
    assert together == (
        "With 4 tables dealt at once and one counter at each, all counters together win at least $256 per shift of 8 "
        "hours, and at most $276 (each with 99% confidence)."
    )
    assert bound.startswith("The bound for all 4 tables, $276, is the sum of the tables' bounds.")
    assert "one counter moving" in bound
    assert "only one table at a time" in why
    assert "No lower bound is proved" in why


def test_units_are_summed_over_the_tables() -> None:
    lines = figures(Pit(3), 0.5, 0.7, Per.SHOE).all_sentences()
    assert lines[0].endswith(
        "at least 1.50 units for one shoe at each table, and at most 2.10 (each with 99% confidence)."
    )


@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        (-1.0, 3.0, "all counters together win at most 12"),
        (-1.0, 0.0, "no counter wins anything"),
        (1.0, inf, "what they win at most is not known"),
        (-1.0, inf, "one counter at each, it is not known what all counters together win"),
    ],
)
def test_what_is_not_won_or_not_known_is_said(lower: float, upper: float, says: str) -> None:
    assert says in " ".join(figures(Pit(4), lower, upper).all_sentences())


def test_rebates_are_of_each_table() -> None:
    assert figures(Pit(2), 1.0, 2.0, settled=True).all_sentences()[-1] == (
        "A rebate on losses is settled at each table separately."
    )
    for tables, is_said in ((1, False), (2, True)):
        (section,) = figures(Pit(tables, Fraction(8)), 1.0, 2.0, settled=True).section()
        assert section.text.endswith(" The rebate on losses is settled at each table separately.") == is_said
        assert ("several tables" in section.text) == is_said


def test_a_rebate_above_an_amount_bounds_tables_only_if_each_is_settled_separately() -> None:
    """Example: a patron at one table wins 9 or loses 10, with equal chances, so the mean is -0.5. Of a loss
    above 12, half of the part above 12 is returned. So the mean of two tables added up is 0, not -1."""
    page = figures(Pit(2), 1.0, 2.0, settled=True, above=True)
    together, *_, last = page.all_sentences()
    assert together.startswith("With 2 tables dealt at once, one counter at each and each table settled separately, ")
    assert last == "If losses are added up over the tables before the rebate, the upper bound may not hold."
    nothing = figures(Pit(2), -1.0, -0.5, settled=True, above=True).all_sentences()
    assert nothing[0].startswith(
        "With 2 tables dealt at once, one counter at each and each table settled separately, no "
    )
    assert page.section()[0].text.endswith(" The rebate on losses is settled at each table separately.")


def test_an_hour_at_one_table_adds_nothing() -> None:
    none = figures(AN_HOUR, 1.0, 2.0)
    assert (none.all_sentences(), none.section(), none.data()) == ([], [], {})


def test_rows_are_an_hour_and_a_shift_at_one_table_and_at_all() -> None:
    rows = figures(PIT, 8.0, 8.6).rows()
    assert [(row["tables"], row["hours"], row["least"], row["most"]) for row in rows] == [
        (1, 1, 8, 8.6), (1, 8, 64, pytest.approx(68.8)), (4, 1, 32, 34.4), (4, 8, 256, pytest.approx(275.2)),
    ]  # fmt: skip


@pytest.mark.usefixtures("undrawn", "few_weighted")
def test_a_statement_has_a_shift_by_its_rules_or_an_option(tmp_path: Path) -> None:
    answer = counting.statement(RULES | {"decks": 2}, shoes=2000, hours="8", tables=4)
    stated = answer.result
    assert stated.pit == load_house(RULES | {"decks": 2, "hours": 8, "tables": 4}).pit
    assert answer.data["pit"][-1]["most"] == pytest.approx(32 * stated.figure(stated.judged).upper.limit)
    plain = replace(stated, pit=AN_HOUR)
    said, page = sentences(plain), report(plain)
    assert [line for line in answer.sentences if line not in said] == list(answer.sentences[1:5])
    assert "pit" not in page.data
    assert page.data["rules_digest"] == answer.data["rules_digest"]
    house = load_house(RULES | {"hours": 8}), load_house(RULES)
    first, second = (statement_settings(each, each.plan(2000, 1), None) for each in house)
    assert first == second  # so no shoe is dealt again for a shift
    assert answer.to_xlsx(tmp_path / "pit.xlsx").is_file()


@pytest.mark.usefixtures("undrawn", "few_weighted")
def test_the_dragon_7_per_shift_in_one_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = [
        "vulnerability",
        "ez-baccarat",
        "dragon-7",
        "--system",
        "dragon-7",
        "--decks",
        "2",
        "--cut",
        "26",
        "--stake",
        "25",
        "--hours",
        "8",
        "--tables",
        "3",
    ]
    assert main([*asked, "--shoes", "2000", "--out", str(tmp_path / "page")]) == 0
    said = capsys.readouterr().out
    assert "per shift of 8 hours at this table" in said
    assert "The bound for all 3 tables" in said
    assert "money per shift of 8 hours" in said


@pytest.mark.usefixtures("undrawn", "few_weighted")
def test_limits_has_the_pit_in_the_unit_of_its_bound() -> None:
    options = {"bet": "dragon-7", "tie_in": 0, "model": "sit-out", "deepest": 14, "shoes": 2000, "bound": "1/shoe"}
    options["decks"] = 1
    answer = counting.limits("ez-baccarat", tables=2, **options)
    row, (one, both) = answer.data["cheapest"][-1], answer.data["pit"]
    assert (one["most"], both["most"]) == (row["limit"], 2 * row["limit"])
    assert (one["hours"], one["unit"]) == (None, "units_per_shoe")
    with pytest.raises(InputError, match="hours: figures are in units, not per hour, should have a bound per hour"):
        counting.limits("ez-baccarat", hours=8, **options)


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"hours": 0}, "hours = 0: should be a number above 0"),
        ({"hours": "8h"}, 'hours = "8h"'),
        ({"tables": 0}, "tables = 0: should be a whole number of tables from 1 to 1,000"),
        ({"hours": 8, "most_bet": None}, "most_bet: missing, hours need it"),
    ],
)
def test_mistakes_in_rules_are_named(keys: dict[str, Any], says: str) -> None:
    rules = {name: value for name, value in (RULES | keys).items() if value is not None}
    with pytest.raises(InputError, match=says):
        load_house(rules)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--hours", "0"], "--hours: 0, should be more than 0"),
        (["--tables", "0"], "--tables: 0, should be a whole number from 1 to 1,000"),
        (["--bound", "1/shoe", "--hours", "8"], "--hours: figures are in units"),
    ],
)
def test_mistakes_in_options_are_named(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["vulnerability", "ez-baccarat", "dragon-7", "--shoes", "100", *options]) == 2
    assert says in capsys.readouterr().err
