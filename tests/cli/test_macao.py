"""Macao from the command line, and mistakes."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import counting
from counting import Shoe
from counting.chemin.macao import Chart, best_reply, load_macao, odds
from counting.chemin.macao.reply import Play
from counting.cli import main
from counting.reports.chemin import changes, reply_rows
from counting.reports.chemin.macao import as_chart

RULES = load_macao("macao")
FILE = Path(counting.__file__).parent / "chemin" / "macao" / "macao.toml"


def asked(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    assert main(["chemin", "macao", *command, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_best_reply_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "macao"]) == 0
    head, exact, source, _, won, _, *law, _, top, _, none_drawn, one_drawn, legend, first, second = (
        capsys.readouterr().out.splitlines()
    )
    assert head.startswith("Macao, shoe 2d, the punter's best play: value per unit staked ")
    assert head.endswith(f"{float(best_reply(Shoe.decks(2), RULES).value):.10g}, standard deviation 1.29987.")
    assert exact == f"Exact value: {best_reply(Shoe.decks(2), RULES).value}"
    assert source == f"Rules: {RULES.source}."
    assert won.split("  ") == ["units won", "probability"]
    assert [line.split()[0] for line in law] == ["-1", "1", "2", "3"]
    assert top.split() == ["drawn", *map(str, range(10)), "ten"]
    assert none_drawn.split() == ["0", *"DDDDDDDSSSR"]
    assert one_drawn.split() == ["1", *"DDDDDSSSSSR"]
    assert legend.startswith("D draws, S stands")
    assert first == (
        "With 1 card drawn and a total of 5, the play depends on the number of rejected cards: * from 7 on, D from 12 "
        "on."
    )
    assert second.startswith("With 1 card drawn and a total of 6, the play depends on the number of rejected cards: *")


def test_where_rejected_cards_change_his_play_all_of_it_is_said() -> None:
    reply = best_reply(Shoe.decks(2), RULES)
    said = {}
    for sentence in changes(reply):
        drawn, total, turns = re.match(r"With (\d) cards? drawn and a total of (\d), .*: (.*)\.", sentence).groups()  # type: ignore[union-attr]
        said[int(drawn), int(total)] = [(turn[0], int(turn[7:-3])) for turn in turns.split(", ")]
    rows = reply_rows(reply)
    for drawn in range(2):
        for total in range(10):
            for rejected in range(33):
                plays = {
                    play.draws
                    for (hand, n), play in reply.plays.items()
                    if (len(hand) - 1, sum(hand) % 10, n) == (drawn, total, rejected) and play.draws is not None
                }
                letter = rows[drawn][str(total)]
                for other, at in said.get((drawn, total), []):
                    letter = other if at <= rejected else letter
                if plays:
                    assert letter == ("*" if len(plays) > 1 else "SD"[plays.pop()]), (drawn, total, rejected)


def test_the_best_reply_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    data = asked(capsys, "victoria", "--shoe", "1d-7-K")
    reply = best_reply(Shoe.parse("1d-7-K"), load_macao("victoria"))
    assert {int(units): Fraction(p) for units, p in data["law"].items()} == reply.probabilities
    assert Fraction(data["value"]) == reply.value == sum(int(u) * Fraction(p) for u, p in data["law"].items())
    assert data["rules"]["cards"] == 2
    word = {"": None, "yes": True, "no": False}
    assert {
        (tuple(map(int, state["cards"].split())), state["rejected"]): Play(word[state["draws"]], word[state["rejects"]])
        for state in data["states"]
    } == reply.plays
    assert main(["chemin", "macao", "victoria", "--shoe", "1d-7-K", "--format", "csv"]) == 0
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == [
        {name: str(value) for name, value in state.items()} for state in data["states"]
    ]


def test_a_chart_and_dealt_coups(capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["DDDDDDSSSS", "DDDSSSSSSS"]
    data = asked(capsys, "--decks", "1", "--chart", *rows, "--keep-tens", "--simulate", "30000", "--seed", "3")
    law = odds(Shoe.decks(1), RULES, Chart(tuple(rows), False)).probabilities
    assert {int(units): Fraction(p) for units, p in data["law"].items()} == law
    assert data["played_chart"] == {"rows": rows, "rejects": False}
    played = data["played"]
    assert played["seed"] == 3
    assert sum(played["counts"].values()) == played["coups"] == 30_000
    for units, chance in law.items():
        n, p = played["counts"][str(units)], float(chance)
        z = (n - 30_000 * p) / (30_000 * p * (1 - p)) ** 0.5
        assert played["z"][str(units)] == pytest.approx(z)
        assert abs(z) < 4
    assert main(["chemin", "macao", "--chart", *rows, "--simulate", "1000"]) == 0
    said = capsys.readouterr().out
    assert "In 1,000 coups dealt, the mean win is " in said
    assert "by the chart" in said
    assert "D draws" not in said
    assert main(["chemin", "macao", "--simulate", "1000", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("won,probability,exact,coups,z\n-1,0.47")


def test_rules_of_ones_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file := tmp_path / "mine.toml").write_text(FILE.read_text().replace("pays_nine = 3", "pays_nine = 2"))
    assert Fraction(asked(capsys, str(file))["value"]) == best_reply(Shoe.decks(2), RULES.varied(pays_nine=2)).value


def test_where_the_reply_goes_by_more_than_the_total() -> None:
    reply = best_reply(Shoe.decks(2), load_macao("victoria").varied(rejects="nobody"))
    _, second = reply_rows(reply)
    assert (second["4"], second["5"], second["ten"]) == ("*", "S", ".")
    assert changes(reply) == []
    by_total = as_chart(reply)
    assert by_total.rows == ("DDDDDDSSSS", "DDDDDSSSSS")
    assert odds(reply.shoe, reply.rules, by_total).value < reply.value


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (
            ["victorai"],
            "game 'victorai': should be one of early-macao, macao, victoria, or the path of a TOML file; "
            "did you mean 'victoria'?",
        ),
        (["none.toml"], "none.toml: no such file"),
        (["--decks", "9"], "decks: 9, should be a whole number from 1 to 8"),
        (["--shoe", "9d"], "shoe 9d: 468 cards, should be 416 at most"),
        (["--decks", "2", "--shoe", "2d"], "--decks 2 and --shoe 2d: should be one or the other"),
        (["--shoe", "v:9,1,1,1,1,1,0,0,0,0"], "shoe v:9,1,1,1,1,1,0,0,0,0: 5 cards other than tens and faces, should"),
        (["--chart", "DDDDDSSSSS"], "chart DDDDDSSSSS: should have 2 rows, one for each card that may be drawn"),
        (["--chart", "DDDDD", "DDDDDSSSSS"], "chart 'DDDDD': should be 10 letters, for totals 0 to 9"),
        (["--chart"], "--chart: should be followed by one value or more"),
        (["--keep-tens"], "--keep-tens: needs --chart"),
        (["--seed", "5"], "--seed 5: needs --simulate"),
        (["--simulate", "0"], "coups: 0, should be a whole number from 1 to 1,000,000,000"),
        (["--simulate", "9", "--seed", "-1"], "seed: -1, should be a whole number from 0 to"),
    ],
)
def test_mistakes(command: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "macao", *command]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"counting: {says}")
    assert said.count("\n") == 1
