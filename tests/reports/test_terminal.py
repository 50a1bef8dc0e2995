"""A page's tables on a terminal have the page's headings and cells, and fit any width."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from extent import LONG
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

import counting
from counting.cli import main
from counting.io import tables
from counting.reports import terminal
from counting.reports.pages import Section
from counting.reports.terminal import rows_table, section_table, table

COLUMNS = ("counter", "bet frequency", "units per 100 coups")
ROWS = [["perfect", "12.13 ± 0.33%", "1.036 ± 0.033"], ["dragon-7-unbalanced", "9.1 ± 1.0%", ""]]


@pytest.fixture
def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    def of_width(width: int | None) -> None:
        for module in (terminal, tables):
            monkeypatch.setattr(module, "terminal_width", lambda: width)

    return of_width


def test_a_pipe_has_every_row_on_one_line() -> None:
    assert table(COLUMNS, ROWS) == (
        "counter              bet frequency  units per 100 coups\n"
        "-------------------  -------------  -------------------\n"
        "perfect              12.13 ± 0.33%        1.036 ± 0.033\n"
        "dragon-7-unbalanced     9.1 ± 1.0%\n"
    )


def test_headings_are_broken_first_then_errors_are_below_their_figures() -> None:
    assert table(COLUMNS, ROWS, width=54) == (
        "                                    units per 100\n"
        "counter              bet frequency          coups\n"
        "-------------------  -------------  -------------\n"
        "perfect              12.13 ± 0.33%  1.036 ± 0.033\n"
        "dragon-7-unbalanced     9.1 ± 1.0%\n"
    )
    assert table(COLUMNS, ROWS, width=44) == (
        "                           bet  units per\n"
        "counter              frequency  100 coups\n"
        "-------------------  ---------  ---------\n"
        "perfect                  12.13      1.036\n"
        "                       ± 0.33%    ± 0.033\n"
        "dragon-7-unbalanced        9.1\n"
        "                        ± 1.0%\n"
    )


def test_a_few_rows_are_turned_and_of_many_the_last_columns_are_named() -> None:
    columns, rows = ("model", *(f"column-{i}" for i in range(8))), [["sit-out", *"abcdefgh"], ["play-all", *"ijklmnop"]]
    turned = table(columns, rows, width=40).splitlines()
    assert turned[0] == "model     sit-out  play-all"
    assert turned[2:] == [f"column-{i}  {rows[0][i + 1]}        {rows[1][i + 1]}" for i in range(8)]
    many = table(columns, rows * 5, width=42).splitlines()
    assert many[0] == "model     column-0  column-1  column-2"
    assert many[2] == "sit-out          a         b         c"
    assert " ".join(many[12:]) == (
        "The terminal is 42 characters wide, so these columns are left out: "
        + ", ".join(columns[4:])
        + ". --format json has them."
    )


def test_rows_of_figures_have_words_above_and_errors_beside(on_terminal: Callable[[int | None], None]) -> None:
    row = {"bet": "tie-8", "trigger": 4.0, "coups": 12345, "bet_share": 0.0991, "bet_share_se": 0.0029,
           "units_per_shoe": 0.70353, "units_per_shoe_se": 0.02734, "n0": None, "hidden_se": 0.5}  # fmt: skip
    on_terminal(None)
    assert rows_table([row, row | {"bet_share_se": None, "units_per_shoe": 0.0}]).splitlines() == [
        "bet    trigger   coups     bet share  units per shoe  n0",
        "-----  -------  ------  ------------  --------------  --",
        "tie-8        4  12,345  9.91 ± 0.29%   0.704 ± 0.027",
        "tie-8        4  12,345        9.910%               0",
    ]
    assert rows_table([]) == "nothing\n"


@given(
    st.lists(st.lists(st.text("ab ±1", min_size=0, max_size=24), min_size=5, max_size=5), min_size=1, max_size=12),
    st.integers(26, 150),
)
def test_no_line_is_wider_and_every_heading_is_there(cells: list[list[str]], width: int) -> None:
    headings = ("one", "two words", "three", "four of them", "five")
    shown = table(headings, cells, width=width)
    assert all(len(line) <= max(width, 24) for line in shown.splitlines())
    assert all(word in shown for heading in headings for word in heading.split())


def test_cells_are_those_of_the_page_without_its_marks(on_terminal: Callable[[int | None], None]) -> None:
    on_terminal(60)
    section = Section("Bets", columns=("bet", "edge"), rows=[["tie", Markup("<b>1.2</b>")], ["a\x1b[2J", "3"]])
    assert section_table(section) == "Bets\n\nbet       edge\n--------  ----\ntie        1.2\na\\x1b[2J     3\n"


@pytest.mark.usefixtures("few_weighted", "undrawn")
@pytest.mark.parametrize(
    "command",
    [
        "limits louisiana --bet seven-seven-45 --bound 0.05/shoe --tie-in 0 --deepest 20 --shoes 2000",
        "vulnerability ez-baccarat dragon-7 --system dragon-7 --shoes 400",
        "study ez-baccarat --shoes 200",
        "effects ez-baccarat dragon-7 --system dragon-7 --decks 1",
        "effects punto-banco player-pair --second",
        "census punto-banco tie-8 --cards 6:12 --system tie-8-level-1",
        "score played --bankroll 20000 --stake 100 --horizon 1000 --check",
        "estimate punto-banco tie-8 --cards 60:100:20 --samples 1000",
        "chemin removal --decks 1 --model B1",
        "chemin bank --decks 1 --model B1",
        "chemin decks 1:3 --model B1",
        "chemin gains 6 --decks 2",
        "chemin own louisiana --cards 6",
        "chemin macao --decks 1",
        "chemin banque --model A1 --theta 0 1/2",
        "chemin banque --model A1 --theta 0 1/4 --apart",
        "census ez-baccarat --bet dragon-7 panda-8 --cards 6:9 --histogram 6",
    ],
)
def test_reports_fit_a_terminal_and_have_no_raw_names(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    on_terminal: Callable[[int | None], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if command.startswith("score"):
        counting.run(counting.Plan("ez-baccarat", counting.Dealing(), 60, 1, ["dragon-7"], ["dragon-7"], 1), "played")
    for width in (60, 80, 120) if LONG or command.startswith("census") else (60,):
        on_terminal(width)
        assert main(command.split()) == 0
        printed = capsys.readouterr().out
        lines = [line for line in printed.splitlines() if not line.startswith("The page")]
        assert max(map(len, lines)) <= width
        assert len(lines) < 100
        assert "_" not in printed
