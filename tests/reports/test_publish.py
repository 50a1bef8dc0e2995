"""A report is a value. Publishing it writes a folder with the page, the same data as JSON, tables and figures."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from counting.bounds import Terms, joint_name
from counting.reports import Report, Section, render
from counting.reports.pages import title_of
from counting.reports.publish import publish

REPORT = Report(
    title="Which <b>?",
    procedure="8 decks.",
    sentences=["First & last.", "Second."],
    note="In units.",
    sections=[Section("Rows", columns=("bet", "edge"), rows=[("tie", "-14%")])],
    data={"answer": "First & last.", "limit": float("inf")},
    tables={"rows": pl.DataFrame({"bet": ["=1+1"], "edge": [-0.125]}), "tables/more": pl.DataFrame({"n": [1]})},
    figures={"figures/one": "<svg/>"},
)


def test_a_page_needs_no_folder(whole_page: Callable[[str], None]) -> None:
    page = render(REPORT)
    whole_page(page)
    assert "<h1>Which &lt;b&gt;?</h1>" in page
    order = ('<p class="headline">First &amp; last.</p>', "<h2>Rows", "<h2>In detail", "<li>Second.</li>", "In units.")
    assert sorted(order, key=page.index) == list(order)
    assert "9.2px" not in page
    assert "9.2px" in render(replace(REPORT, sheets=1))


def test_what_is_published(tmp_path: Path) -> None:
    publish(REPORT, tmp_path)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert files == {"report.html", "report.json", "rows.csv", "tables/more.csv", "figures/one.svg"}
    assert (tmp_path / "report.html").read_text() == render(REPORT)
    assert json.loads((tmp_path / "report.json").read_text()) == {"answer": "First & last.", "limit": None}
    assert (tmp_path / "rows.csv").read_text() == "\ufeffbet,edge\n=1+1,-0.125\n"
    assert (tmp_path / "figures" / "one.svg").read_text() == "<svg/>"


def test_names_of_a_page_and_its_twin(tmp_path: Path) -> None:
    publish(replace(REPORT, tables={}, figures={}), tmp_path, "statement", "limits")
    assert {path.name for path in tmp_path.iterdir()} == {"statement.html", "limits.json"}


def test_texts_of_others_are_quoted_for_a_spreadsheet(tmp_path: Path) -> None:
    publish(replace(REPORT, quoted=True), tmp_path)
    assert (tmp_path / "rows.csv").read_text() == "\ufeffbet,edge\n'=1+1,-0.125\n"
    publish(replace(REPORT, quoted=True, tables={"rows": REPORT.tables["rows"].clear()}), tmp_path)
    assert (tmp_path / "rows.csv").read_text() == "\ufeffbet,edge\n"


@pytest.mark.parametrize("bets", [("tie-9",), ("tie-9", "player"), ("tie-9", "player", "banker")])
def test_bets_taken_together_have_one_name_and_one_title(bets: tuple[str, ...]) -> None:
    terms = Terms(bets=bets, main=("player",), tie_ins=(Fraction(),), together=True)
    assert terms.sides == {joint_name(bets): bets}
    titles = {bet: bet.capitalize() for bet in bets}
    assert title_of(bets, titles) == " and ".join(titles.values())
