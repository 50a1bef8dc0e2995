"""Every verb takes a bet that is written out, or another commission, as it takes the same bet or game from a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import left_out
import pytest

import counting
from counting import InputError, Shoe, exact_edges, load_game
from counting.bounds import load_house
from counting.cli import main
from counting.requests import Host, LimitsRequest, WatchArguments

pytestmark = pytest.mark.usefixtures("undrawn")
TIE = "big-tie: tie player_total=8-9 = 30 to 1; tie = push"
FILE = """like = "punto-banco"
commission = "2.5%"
[[bets]]
name = "big-tie"
pays = [{ winner = "tie", player_total = "8-9", odds = "30:1" }, { winner = "tie", odds = "push" }]
"""


@pytest.fixture(autouse=True)
def _left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out.depths(monkeypatch)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "punto-banco.toml").write_text(FILE)
    return tmp_path / "punto-banco.toml"


def test_edges_of_a_bet_written_out_are_those_of_the_file(mine: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--bet", "banker-2-5", TIE, "--format", "json"]
    assert main(["edges", "punto-banco", "--commission", "2.5%", *words]) == 0
    written = json.loads(capsys.readouterr().out)
    assert main(["edges", str(mine), "--bet", "banker-2-5", "big-tie", "--format", "json"]) == 0
    assert written == json.loads(capsys.readouterr().out)


@pytest.mark.long
@pytest.mark.parametrize(
    ("verb", "asked", "name"),
    [
        ("census", {"cards": "6:7", "decks": 1, "cache": False}, "bet"),
        ("effects", {"decks": 1, "cards_left": 26}, "bet"),
        ("known", {"decks": 1}, "bet"),
    ],
)
def test_a_verb_answers_alike(mine: Path, verb: str, asked: dict[str, Any], name: str) -> None:
    ask = getattr(counting, verb)
    written = ask("punto-banco", **{name: TIE}, commission="2.5%", **asked)
    of_file = ask(str(mine), **{name: "big-tie"}, **asked)
    assert written.sentences == of_file.sentences
    assert all(written.tables[key].equals(frame) for key, frame in of_file.tables.items())


def test_a_trip_takes_the_amount_at_the_end(mine: Path) -> None:
    written = counting.trip("punto-banco", bet=[f"{TIE} : 500@50%", "banker-2-5:100"], commission=0.025, coups=20)
    of_file = counting.trip(str(mine), bet=["big-tie:500@50%", "banker-2-5:100"], coups=20)
    assert written.sentences == of_file.sentences
    with pytest.raises(InputError, match="should be a bet and an amount, as banker-5:30000"):
        counting.trip("punto-banco", bet=TIE, coups=20)


def test_limits_and_a_study_keep_the_bet_in_their_plans(mine: Path) -> None:
    asked = LimitsRequest(game="punto-banco", bet=TIE, bound="1/shoe", shoes=2000, commission="2.5%")
    study = counting.study("punto-banco", bet=["player", TIE], shoes=20, commission="2.5%")
    for plan in (asked.question(Host("counting limits")).plan, study.result.plan):
        assert exact_edges(plan.game.only(["big-tie"]), Shoe.decks(8)) == exact_edges(
            load_game(mine).only(["big-tie"]), Shoe.decks(8)
        )
        assert "banker-2-5" in plan.game.bet_names
    assert study.tables["bets"]["bet"].to_list() == ["player", "big-tie"]


def test_house_rules_and_a_watch_take_it_too(mine: Path) -> None:
    rules = {"title": "Pit", "game": mine.name, "side_bets": ["x: tie = 12 to 1"], "bound": "1/shoe", "cut": 14}
    house = load_house(rules)
    assert house.side_bets == ("x",)
    assert house.game.bet_names == (*load_game(mine).bet_names, "x")
    watched = WatchArguments(game="punto-banco", coups="live.csv", also=TIE, commission="3%").settings.game
    assert watched.bet_names[-1] == "big-tie"
    assert "banker-3" in watched.bet_names


@pytest.mark.parametrize(
    "words",
    [
        ["edges", "punto-banco", "--commission", "250%"],
        ["edges", "punto-banco", "--bet", "big-tie: tie = 30"],
        ["study", "no-commission", "--commission", "2%"],
        ["vulnerability", "punto-banco", "big-tie: ties = 30:1"],
        ["limits", "punto-banco", "--bet", "dragon-7: tie = 30:1", "--bound", "1/shoe"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(mine: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    (line,) = capsys.readouterr().err.strip().split("\n")
    assert "should " in line
