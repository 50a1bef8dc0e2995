"""The page on a table in Macau: its commands print what the page shows, and its table has their results."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest
from documents import DOCS, blocks
from extent import LONG, long_or, one_of_each

from counting.cli import main

PAGE = DOCS / "how-to" / "macau.md"
SHOWN = [(command.text.strip(), text.text) for command, text in zip(blocks(PAGE), blocks(PAGE)[1:], strict=False)][::2]
SECTIONS = re.split(r"(?m)^(?=## )", PAGE.read_text())
BETS = {"What the burn is worth": "ez-baccarat --bet dragon-7", "Louisiana": "louisiana --bet seven-seven-45"}
DEALT = [
    (BETS[begun], options, units, error)
    for section in SECTIONS
    for begun in BETS
    if section.startswith(f"## {begun}")
    for options, units, error in re.findall(r"(?m)^\| `(--[^`]+)` \| [^|]+ \| ([\d.]+) ± ([\d.]+) \|$", section)
]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_page_shows_what_six_commands_print() -> None:
    assert [command.split()[1] for command, _ in SHOWN] == [
        "edges",
        "edges",
        "statement",
        "statement",
        "sweep",
        "sweep",
    ]
    assert len(DEALT) == 8 + 3


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(("command", "shown"), SHOWN if LONG else SHOWN[:2])
def test_a_command_prints_what_the_page_shows(command: str, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)[1:]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    for part in shown.split("[...]"):
        assert " ".join(part.split()) in printed


def kind(dealt: tuple[str, str, str, str]) -> tuple[str, str]:
    """Louisiana's rows differ in the burn alone, as the rows of the other game do."""
    bet, options, *_ = dealt
    return bet, "" if "louisiana" in bet else options


@pytest.mark.parametrize(("bet", "options", "units", "error"), one_of_each(DEALT, kind))
def test_a_dealing_is_worth_what_the_page_says(
    bet: str, options: str, units: str, error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --long, all digits must agree; otherwise fewer shoes are dealt, and results must agree within the errors."""
    shoes = long_or(100_000, 3000)
    command = f"sweep {bet} --no-rows --no-penetration --format csv {options} --shoes {shoes} --out sweep"
    assert main(command.split()) == 0
    row = pl.read_csv(capsys.readouterr().out.encode()).row(0, named=True)
    if LONG:
        digits = len(error.partition(".")[2])
        shown = [f"{row[key]:.{digits}f}" for key in ("units_per_shoe", "units_per_shoe_se")]
        assert shown == [units, error]
    assert abs(row["units_per_shoe"] - float(units)) < 4 * row["units_per_shoe_se"] < 0.13 * float(units)


def test_the_page_compares_the_figures_of_its_table() -> None:
    worth = {options: float(units) for _, options, units, _ in DEALT}
    without = worth["--dealing macau --burn none"]
    shares = [without / worth[options] - 1 for options in ("--dealing macau-first-card", "--dealing macau")]
    assert re.findall(r"(\d+%) too high if", " ".join(PAGE.read_text().split())) == [f"{share:.0%}" for share in shares]
