"""counting new asks thirteen questions and writes house rules that counting statement takes."""

import io
import os
import pty
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from counting.bounds import Amount, load_house
from counting.cli import main

ANSWERS = ["louisiana", "seven-seven-45, dragon-7", "6", "1.5 decks", "$10", "1k", "3", "$12.50 / hour"]
NAMES = ["first-card", "EUR", "Grand Casino", "12", "2027-01-31"]


@pytest.fixture(autouse=True)
def _in_a_new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def answered(monkeypatch: pytest.MonkeyPatch, answers: list[str], file: str = "pit.toml") -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    return main(["new", file])


def test_answers_make_the_file(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(monkeypatch, ANSWERS) == 0
    said = "pit.toml is written. For the statement on these rules: counting statement pit.toml\n"
    assert capsys.readouterr().out == said
    house = load_house("pit.toml").house
    assert (house.title, house.game, house.side_bets) == (
        "Louisiana Baccarat, house rules", "louisiana", ("seven-seven-45", "dragon-7"),
    )  # fmt: skip
    assert (house.decks, house.cut, house.minimum, house.most_bet) == (6, 78, 10, 1000)
    assert (house.mid_shoe_entry, house.most_skipped, str(house.bound)) == (False, 3, "12.5/hour")
    text = Path("pit.toml").read_text()
    assert "\nmost_bet = 1000 " in text
    assert all("#" in line for line in text.splitlines() if line)


def test_answers_that_are_left_out_are_the_defaults_and_the_statement_takes_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], few_weighted: None, undrawn: None
) -> None:
    assert answered(monkeypatch, []) == 0
    assert answered(monkeypatch, [""] * 13, "again.toml") == 0
    assert load_house("pit.toml").house == load_house("again.toml").house
    assert main(["statement", "pit.toml", "--shoes", "2000"]) == 0
    assert "NOT MET" in capsys.readouterr().out


@pytest.mark.long
def test_names_currency_date_and_burn_are_asked_and_stand_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, ANSWERS + NAMES) == 0
    house = load_house("pit.toml").house
    assert (house.burn, house.currency, house.casino, house.table, house.date) == tuple(NAMES)
    assert answered(monkeypatch, [*ANSWERS, *["none"] * 5], "bare.toml") == 0
    house = load_house("bare.toml").house
    assert (house.burn, house.currency, house.casino, house.table, house.date) == ("none", None, None, None, None)
    assert answered(monkeypatch, [*ANSWERS, *["none"] * 4, "today"], "dated.toml") == 0
    assert load_house("dated.toml").house.date == date.today().isoformat()


def test_without_side_bets_the_largest_main_bet_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, ["no-commission", "none", "", "", "25", "2000"]) == 0
    house = load_house("pit.toml").house
    assert (house.side_bets, house.maximum, house.most_bet, house.burn) == ((), 2000, None, "none")


def test_every_shipped_game_has_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("punto-banco", "no-commission", "ez-baccarat", "louisiana", "louisiana-stand-5"):
        assert answered(monkeypatch, [game], f"{game}.toml") == 0
        assert load_house(f"{game}.toml").game.name == game


def test_a_remark_that_is_made_a_line_is_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, []) == 0
    text, house = Path("pit.toml").read_text(), load_house("pit.toml").house
    head, _, more = text.partition("# More rules")
    rules = [line.removeprefix("# ") for line in more.splitlines()[1:]]
    assert len(rules) == 10
    Path("pit.toml").write_text(head + "\n".join(rules))
    same = load_house("pit.toml").house
    unset = {"least_bet": None, "hours": None, "tables": None}
    assert same.model_copy(update=unset) == house.model_copy(update={"coups_per_hour": Amount("70")})


@pytest.mark.parametrize(
    ("answers", "says"),
    [
        (["ez"], "answer 1, ez: game 'ez': should be one of "),
        (["dragon-7"], "answer 1, dragon-7: game 'dragon-7': is a bet, should be a game"),
        (["", "dragon"], "answer 2, dragon: bet 'dragon': ez-baccarat has "),
        (["", ","], "answer 2, ,: should be names of bets, with commas between them, or none"),
        (["", "", "80"], "answer 3, 80: decks: 80, should be a whole number from 1 to 27"),
        (["", "", "six"], "answer 3, six: 'six' should be a whole number"),
        (["", "", "", "1,5d"], "answer 4, 1,5d: '1,5d' should be a whole number of cards, or decks as 1.5d"),
        (["", "", "", "500"], "answer 4, 500: cut: 500, should be a whole number from 0 to"),
        (["", "", "", "", "5%"], 'answer 5, 5%: minimum = "5%": should be a number from 0'),
        (["", "", "", "", "", "0"], 'answer 6, 0: most_bet = "0": should be a number above 0'),
        (["", "", "", "", "", "", "maybe"], "answer 7, maybe: maybe: should be yes, no, or the coups in a row"),
        (["", "", "", "", "", "", "", "10"], "answer 8, 10: bound = \"10\": should be an amount per shoe"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_refused_and_nothing_is_written(
    answers: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(monkeypatch, answers) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith(f"counting: {says}")
    assert not list(Path().iterdir())


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("pit.toml", "pit.toml: is there already, should be a new file"),
        ("pit", "pit: should be a name that ends in .toml, as pit.toml"),
        ("none/pit.toml", "FILE none/pit.toml: the folder none is not there"),
    ],
)
def test_only_a_new_file_is_written(
    file: str, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("pit.toml").write_text("kept")
    assert answered(monkeypatch, ANSWERS, file) == 2
    assert capsys.readouterr().err == f"counting: {says}\n"
    assert Path("pit.toml").read_text() == "kept"


@pytest.mark.long
def test_on_a_terminal_a_wrong_answer_is_asked_again() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "counting.cli", "new", "pit.toml"],
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        os.write(ours, b"louisana\nlouisiana\n\n\nhalf\n26\n\n\n\n\n\n\n\n\n\n")
        out, err = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert out == "pit.toml is written. For the statement on these rules: counting statement pit.toml\n"
    assert err.count("1 of 13. Which game") == 2
    assert "did you mean 'louisiana'?" in err
    assert err.count("4 of 13.") == 2
    assert load_house("pit.toml").house.cut == 26
