"""The headings of a workbook's tables, and the reason that an audit's first line gives for naming a patron."""

from __future__ import annotations

import pytest

from counting.reports.audit_text import _why
from counting.reports.headings import headings
from counting.reports.workbook import number_format


def test_the_pages_columns_are_first_each_error_after_its_figure() -> None:
    columns = ["bet", "exact", "upper_per_shoe", "upper_per_shoe_se", "upper_per_shoe_99", "unit"]
    words = {"bet": "bets", "upper_per_shoe": "best possible play", "unit": ""}
    assert headings(columns, words) == {
        "bet": "bets",
        "upper_per_shoe": "best possible play",
        "upper_per_shoe_se": "± best possible play",
        "exact": "as a fraction",
        "upper_per_shoe_99": "counters win at most (99%), units per shoe",
    }


@pytest.mark.parametrize(
    ("column", "value", "written"),
    [
        ("upper_money_per_hour", 30.623, "#,##0.00"),
        ("upper_money_per_hour_99", 32.4529, "#,##0.0000"),
        ("evidence", -0.0737671, "0.0"),
        ("coups", 2456, "#,##0"),
        ("on_positive", 1.0, "0.00%"),
        ("line", 12345, "0"),
    ],
)
def test_numbers_have_the_format_of_their_unit(column: str, value: float, written: str) -> None:
    assert number_format(column, [value, None]) == written


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("a", "follows the edge", None)], ', whose bets on "A" follow the edge'),
        (
            [("a", "follows the edge", None), ("b", "follows the edge", None)],
            ', whose bets on "A" and "B" follow the edge',
        ),
        ([("a", "knows the coming cards", None)], ", who seems to know the coming cards"),
        (
            [("a", "knows the coming cards", "P-2, P-4")],
            ", in a team with P-2 and P-4, of which one or more seem to know the coming cards",
        ),
        (
            [("a", "follows the edge, knows the coming cards", None), ("b", "knows the coming cards", None)],
            ', whose bets on "A" follow the edge, and who seems to know the coming cards',
        ),
    ],
)
def test_a_patron_is_named_with_every_reason(rows: list[tuple[str, str, str | None]], reason: str) -> None:
    flagged = [dict(zip(("bet", "flagged_for", "flagged_with"), row, strict=True)) for row in rows]
    assert _why(flagged, {"a": "A", "b": "B"}) == reason
