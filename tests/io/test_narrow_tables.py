"""Tables are no wider than the terminal; in a pipe they have every column. CSV contains no formula."""

import os
import pty
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.cli import main
from counting.io.tables import as_csv, as_table

WIDE = [
    {"bet": f"bet-{i}", "title": "A long title of a bet", "edge": -i / 7, "hit": i, "needs": "cards"} for i in range(20)
]
COLUMNS = list(WIDE[0])


def test_a_table_that_fits_is_as_it_was() -> None:
    full = as_table(WIDE)
    width = max(map(len, full.splitlines()))
    assert as_table(WIDE, width) == full
    assert as_table(WIDE, width - 1) != full
    assert as_table([], 10) == "nothing\n"


def test_many_rows_lose_long_words_first_and_then_their_last_columns() -> None:
    for width, kept, others in (
        (50, ["bet", "title", "edge", "hit"], "needs"),
        (40, ["bet", "title", "edge"], "hit, needs"),
    ):
        lines = as_table(WIDE, width).splitlines()
        assert lines[:21] == as_table([{name: row[name] for name in kept} for row in WIDE]).splitlines()
        note = f"The terminal is {width} characters wide, so these columns are left out: {others}. --format json has "
        note += "them."
        assert " ".join(lines[21:]) == note
    rows = [{"family": "a", **row} for row in WIDE]
    kept = ["family", "bet", "edge", "hit", "needs"]
    assert as_table(rows, 45).splitlines()[:21] == as_table([{n: r[n] for n in kept} for r in rows]).splitlines()


def test_a_few_rows_are_written_one_column_a_line() -> None:
    assert as_table(WIDE[1:3], 40) == (
        "bet    bet-1\ntitle  A long title of a bet\nedge   -0.142857\nhit    1\nneeds  cards\n\n"
        "bet    bet-2\ntitle  A long title of a bet\nedge   -0.285714\nhit    2\nneeds  cards\n"
    )
    assert as_table(WIDE[1:2], 27).splitlines()[1:3] == ["title  A long title of a", "       bet"]


@given(
    st.lists(st.lists(st.text("ab c-", max_size=30), min_size=4, max_size=4), min_size=1, max_size=12),
    st.integers(30, 150),
)
def test_no_line_is_wider_than_the_terminal_and_every_column_is_there(cells: list[list[str]], width: int) -> None:
    rows = [dict(zip(("one", "two", "three", "four"), row, strict=True)) for row in cells]
    shown = as_table(rows, width)
    assert all(len(line) <= max(width, 20 + 7) for line in shown.splitlines())
    assert all(name in shown for name in rows[0])


def run_on_terminal(columns: int, *command: str) -> list[str]:
    """The lines that a command prints on a terminal of this width."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "counting.cli", *command], stdout=theirs, stderr=theirs, env=environment
    ) as process:
        os.close(theirs)
        printed = b""
        while True:
            try:
                printed += os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
    os.close(ours)
    assert process.returncode == 0
    return printed.decode().replace("\r\n", "\n").splitlines()


@pytest.mark.long
def test_a_command_fits_its_terminal_and_a_pipe_has_every_column(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("systems", "dragon-7")
    narrow = run_on_terminal(60, *command)
    assert max(map(len, narrow)) <= 60
    monkeypatch.setenv("COLUMNS", "60")
    assert not sys.stdout.isatty()
    assert main([*command]) == 0
    piped = capfd.readouterr().out.splitlines()
    assert max(map(len, piped)) > 60
    assert run_on_terminal(max(map(len, piped)), *command) == piped


@pytest.mark.parametrize(
    "first", ["=", "+", "-", "@", "\t", "\r", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}"]
)
def test_a_cell_that_begins_as_a_formula_is_quoted_in_csv_and_a_number_is_not(first: str) -> None:
    rows = [{"name": f"{first}1+1", "plain": f"1{first}1", "fraction": "-3/4", "number": -1.5, "none": None}]
    assert as_csv(rows).split("\n")[1] == f"'{first}1+1,1{first}1,-3/4,-1.5,"
