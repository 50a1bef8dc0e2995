"""Chemin de fer from the command line: the published tables as printed, and mistakes."""

import csv
import io
import json
import re
import tomllib
from fractions import Fraction
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from counting import Shoe
from counting.chemin import CLASSICAL, equilibria, least_bank_profit, most_bank_profit, solve
from counting.chemin import banque as banques
from counting.chemin.banque import banque, banque_by_hand
from counting.cli import main
from counting.reports.chemin import banker_cell, comparisons, plays_data
from counting.reports.chemin.chemin_de_fer import linear

SOLVED = {name: cache(getattr(banques, name)) for name in ("banque", "banque_by_hand", "apart")}
GOLDEN = tomllib.loads((Path(__file__).parents[1] / "golden" / "chemin.toml").read_text())
COLUMNS = [*map(str, range(10)), "stood"]


@pytest.fixture
def solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands that ask the same question about banque solve it once."""
    for name, once in SOLVED.items():
        monkeypatch.setattr(banques, name, once)


def asked(capsys: pytest.CaptureFixture[str], *command: str) -> Any:
    assert main(["chemin", *command, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def expanded(rows: list[dict[str, str]]) -> dict[tuple[int, str], str]:
    """The letters of each row, by total and hand. The hand is empty in models where Banker sees only the total."""
    return {
        (int(row["total"]), hand): " ".join(row[column] for column in COLUMNS)
        for row in rows
        for hand in (row["hands"].split("), ") if row["hands"] else [""])
    }


def published(kind: str) -> dict[str, str]:
    """The published rows of "Banker strategy under Model B3, d = 6" by hand. The hand (0, 4) is written "0 4"."""
    cells = {}
    for a in range(10):
        for b in range(a, 10):
            total = (a + b) % 10
            if total < 8:
                row = next((r["row"] for r in GOLDEN["B3"]["hands"] if f"{a} {b}" in r["hands"]), None)
                cells[f"{a} {b}"] = row if kind == "rows" and row else GOLDEN["B3"][kind][total]
    return cells


def test_the_undecided_table_of_six_decks_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    rows = expanded(asked(capsys, "table", "--decks", "6", "--undecided")["rows"])
    letters_of = {hand.strip("()").replace(", ", " "): letters for (_, hand), letters in rows.items()}
    assert letters_of == published("rows")


def test_the_solved_table_of_six_decks_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    rows = expanded(asked(capsys, "table", "--decks", "6")["rows"])
    letters_of = {hand.strip("()").replace(", ", " "): letters.split() for (_, hand), letters in rows.items()}
    for hand, letters in published("solved").items():
        expected = letters.split()
        if sum(map(int, hand.split())) % 10 == 5:  # the footnotes under the table
            expected[4] = "D" if hand in ("0 5", "6 9", "7 8") else "S"
        if sum(map(int, hand.split())) % 10 == 6:
            expected[10] = {"0 6": "*", "8 8": "D"}.get(hand, "S")
        assert letters_of[hand] == expected


def test_the_table_with_replacement_as_published(capsys: pytest.CaptureFixture[str]) -> None:
    rows = expanded(asked(capsys, "table", "--model", "A1", "--undecided")["rows"])
    assert [rows[total, ""] for total in range(8)] == GOLDEN["A1"]["rows"]


def test_a_solution_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "solve", "--decks", "6"]) == 0
    said = capsys.readouterr().out
    value = GOLDEN["B3"]["value"]
    for text in (
        "Player has 2^5 pure strategies, and Banker has 2^484. In 18 of Banker's cells, the best move depends",
        f"Value to Player: {value} = -0.01284101392",
        "Player draws on (1, 4) with probability 35003/74880 = 0.467454594",
        "Banker draws on (0, 6) when Player stood with probability 18885571/36781056 = 0.513459184",
        "Player has no other optimal strategy.",
        f"Proved: the lower and the upper bound are both {value}.",
    ):
        assert text in said
    data = asked(capsys, "solve", "--decks", "6")
    assert (data["value"], [side["unique"] for side in data["optima"].values()]) == (value, [True, True])
    assert sum(map(Fraction, data["probabilities"].values())) == 1
    assert data["bounds"]["lower"] == data["bounds"]["upper"]
    assert main(["chemin", "solve", "--model", "A3"]) == 0
    said = capsys.readouterr().out
    assert "cards drawn with replacement" in said
    assert (
        "Player has optimal strategies in 4 dimensions: any probabilities p of drawing on (0, 5), (1, 4), (2, 3), "
        "(6, 9), (7, 8) for which 44 p(0, 5) + 11 p(1, 4) + 11 p(2, 3) + 11 p(6, 9) + 11 p(7, 8) = 72.\n" in said
    )
    assert main(["chemin", "solve", "--shoe", "v:2,1,0,0,3,0,1,0,0,0", "--format", "csv"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head == "side,cell,draws"
    assert len(lines) > 1
    assert main(["chemin", "solve", "--shoe", "v:0,0,0,0,8,0,0,0,0,0", "--format", "csv"]) == 0
    assert capsys.readouterr().out == "side,cell,draws\n"  # every hand is a natural


def test_optima_of_one_dimension_and_of_many_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "solve", "--shoe", "v:2,1,1,0,1,2,0,0,2,1"]) == 0
    said = capsys.readouterr().out
    assert (
        "in 1 dimension. The probabilities of drawing at the two ends are: on (0, 5) 3/16; on (0, 5) 1/3. All" in said
    )
    assert main(["chemin", "solve", "--shoe", "v:1,2,2,1,1,0,0,0,0,1", "--model", "B2"]) == 0
    said = capsys.readouterr().out
    assert "Banker has optimal strategies in 23 dimensions. They differ in 23 cells, which JSON lists.\n" in said
    assert "Value to Player: 0\n" in said


@pytest.mark.parametrize("command", [["--model", "A2"], ["--model", "A3"], ["--shoe", "v:2,1,0,0,3,0,1,0,0,0"]])
def test_all_optima_as_data(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """All listed vertices and the optimum inside meet every condition, and at least one of them meets it with
    equality."""
    data = asked(capsys, "solve", *command)
    solution = solve(Shoe.parse(data["shoe"] or "6d"), data["model"])
    for side, optima in (("player", solution.player_optima), ("banker", solution.banker_optima)):
        optimum = data["optima"][side]
        assert (optimum["unique"], optimum["dimension"]) == (optima.unique, optima.dimension)
        assert len(optimum["vertices"]) == len(optima.vertices)
        assert {cell: optimum["inside"][cell] for cell in data[side] if cell not in optimum["cells"]} == {
            cell: p for cell, p in data[side].items() if cell not in optimum["cells"]
        }
        for row in optimum["equations"] + optimum["inequalities"]:
            sums = [
                sum(Fraction(a) * Fraction(p[cell]) for cell, a in row["coefficients"].items())
                for p in (optimum["inside"], *optimum["vertices"])
            ]
            bound = Fraction(row["equals"] if "equals" in row else row["at_most"])
            assert max(sums) == bound
            assert "at_most" in row or min(sums) == bound


def test_equilibria_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "solve", "--model", "A1", "--commission", "0.05"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "Classical parlor game, model A1, cards drawn with replacement: 1 equilibrium with a commission of 0.05:\n"
        "Player draws on five with probability 179/214 = 0.8364"
    )
    (equilibrium,) = asked(capsys, "solve", "--model", "B2", "--commission", "1/20")["equilibria"]
    (same,) = equilibria(Shoe.decks(6), "B2", commission=Fraction(1, 20), rules=solve(Shoe.decks(6), "B2").game.rules)
    assert (equilibrium["draws_from"], equilibrium["player_most"], equilibrium["banker_least"]) == tuple(
        map(str, (same.draws[0], same.player[1], same.banker[0]))
    )
    assert main(["chemin", "solve", "--model", "B1", "--rules", "punto-banco", "--commission", "0.05"]) == 0
    assert "Player has no choice\n" in capsys.readouterr().out
    assert main(["chemin", "solve", "--model", "A2", "--commission", "0.05"]) == 0
    assert "or with any probabilities p on (0, 6) when Player stood, (1, 5) when" in (said := capsys.readouterr().out)
    assert said.split("for which ")[1].splitlines()[0] == " + ".join(
        f"{weight} p({hand} when Player stood)"
        for weight, hand in (
            (1144, "(0, 6)"), (286, "(1, 5)"), (286, "(2, 4)"), (143, "(3, 3)"), (286, "(7, 9)"), (143, "(8, 8)")
        )
    ) + " = 859"  # fmt: skip
    (equilibrium,) = asked(capsys, "solve", "--model", "A2", "--commission", "0.05")["equilibria"]
    assert len(equilibrium["extreme_replies"]) == equilibrium["extremes"] == 40


def test_equilibria_of_the_casino_game(capsys: pytest.CaptureFixture[str]) -> None:
    """Model B3: each side's profit, whether all equilibria are found, and what is printed if the search is too long."""
    assert main(["chemin", "solve", "--decks", "6", "--commission", "0.05"]) == 0
    said = capsys.readouterr().out
    for text in (
        "model B3, shoe 6d: 1 equilibrium with a commission of 0.05:\nPlayer draws on (1, 4) with probability 221683/",
        "\nPlayer never draws on (2, 3)\n",
        "\n  Banker draws on (0, 6) when Player stood with probability 18885571/36781056 = 0.513459184\n",
        f"\n  Profit of Player: {GOLDEN['B3']['value']} = -0.01284101392\n  Profit of Banker: ",
        "= 0.02299939213\nNo other equilibria exist.\nChecked by dealing the cards again: no side gains by another ",
    ):
        assert text in said
    two = ["solve", "--shoe", "v:13,4,4,4,1,4,3,3,4,4", "--commission", "5%"]
    assert main(["chemin", *two]) == 0
    said = capsys.readouterr().out
    assert "1 equilibrium with a commission of 5%:\nPlayer draws on (0, 5) with probability " in said
    assert "\nPlayer draws on (7, 8) with probability 58829/140305 = " in said
    assert "No other equilibria exist.\n" in said
    data = asked(capsys, *two)
    (equilibrium,) = data["equilibria"]
    assert data["complete"]
    assert (equilibrium["draws_from"], equilibrium["extreme_draws"]) == (None, [equilibrium["player_draws"]])
    assert equilibrium["player_draws"]["on (7, 8)"] == "58829/140305"
    many = ["solve", "--shoe", "v:4,0,1,1,0,0,0,1,1,1", "--commission", "5%"]
    assert main(["chemin", *many]) == 0
    said = capsys.readouterr().out
    assert (
        "an equilibrium with a commission of 5%. Others may exist, because the search for all was too long.\n" in said
    )
    shoe = Shoe.parse("v:4,0,1,1,0,0,0,1,1,1")
    assert f"In any equilibrium, Banker's profit is at least {least_bank_profit(shoe)} = " in said
    assert f" and at most {most_bank_profit(shoe)} = " in said
    data = asked(capsys, *many)
    (equilibrium,) = data["equilibria"]
    assert not data["complete"]
    assert sum(Fraction(equilibrium[f"{side}_least"]) for side in ("player", "banker", "house")) == 0
    assert main(["chemin", "solve", "--model", "A3", "--commission", "0.05"]) == 0
    said = capsys.readouterr().out
    assert "for which 428 p(0, 5) + 107 p(1, 4) + 107 p(2, 3) + 107 p(6, 9) + 107 p(7, 8) = 716\n" in said
    full = asked(capsys, "solve", "--model", "A3", "--commission", "0.05")
    assert full["complete"]
    assert set(full["equilibria"][0]) == set(equilibrium)
    assert main(["chemin", "solve", "--rules", "modern", "--decks", "6", "--commission", "0.05"]) == 0
    assert "Player always draws on (0, 5)\n" in capsys.readouterr().out


@pytest.mark.long
def test_by_decks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In B1, B2 and B3, for 1 to 12 decks, the fractions are the same as in the experiment."""
    figure = tmp_path / "decks.svg"
    command = ["chemin", "decks", "1:12", "--model", "B1", "B2", "B3"]
    assert main([*command, "--figure", str(figure), "--format", "csv"]) == 0
    lines = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    with (Path(__file__).parents[2] / "experiments" / "chemin_by_decks" / "chemin.csv").open() as file:
        kept = list(csv.DictReader(file))
    exact = ("model", "decks", "value", "player", "p", "banker", "q", "undecided")
    assert [[row[name] for name in exact] for row in lines] == [[row[name] for name in exact] for row in kept]
    (published,) = (row for row in lines if (row["model"], row["decks"]) == ("B3", "6"))
    assert (published["value"], published["p"]) == (GOLDEN["B3"]["value"], "35003/74880")
    assert figure.read_text().startswith("<svg")
    assert "Player draws" in figure.read_text()
    (tmp_path / "letter.svg").write_text("not an SVG")
    for wrong, why in {
        tmp_path / "letter.svg": "holds other data, should be a new file or a figure of counting chemin decks; "
        f"if version 0.2 wrote it: rm {tmp_path / 'letter.svg'}",
        tmp_path / "none" / "decks.svg": f"the folder {tmp_path / 'none'} is not there",
        tmp_path / "decks.png": "should be a new file ending in .svg",
    }.items():
        assert main([*command, "--figure", str(wrong)]) == 2
        assert capsys.readouterr().err == f"counting: --figure {wrong}: {why}\n"
    assert (tmp_path / "letter.svg").read_text() == "not an SVG"
    for _ in range(2):
        assert main(["chemin", "decks", "2", "--rules", "modern", "--figure", str(figure)]) == 0
        assert "Player draws" not in figure.read_text()  # neither side mixes
    capsys.readouterr()
    (row,) = asked(capsys, "decks", "1", "--rules", "punto-banco")["decks"]
    assert (row["player"], row["p"], row["p_float"], row["q_float"]) == ("", "", None, None)


def test_by_decks_where_several_cells_mix(monkeypatch: pytest.MonkeyPatch) -> None:
    """No full shoe that was tried has several mixed cells, so this is one deck without one of its fours."""
    solution = solve(Shoe.parse("1d-4"))
    monkeypatch.setattr(comparisons, "solve", lambda *_: solution)
    (row,) = comparisons.deck_rows([1], ["B3"], CLASSICAL)
    assert (row["player"], row["p_float"]) == ("on (6, 9), on (7, 8)", None)
    assert row["q"].split(", ") == [str(p) for p in solution.banker.values() if 0 < p < 1]


def test_effects_of_removal(capsys: pytest.CaptureFixture[str]) -> None:
    data = asked(capsys, "removal", "--shoe", "2d-7-7-7-7-7-7-7-7", "--model", "B2")
    cards = {row["card"]: row for row in data["removals"]}
    assert "7" not in cards  # no 7 is left
    full = solve(Shoe.parse(data["shoe"]), "B2")
    for card, row in cards.items():
        solved = solve(full.game.shoe.without("K" if card == "10, J, Q, K" else card), "B2")
        assert Fraction(row["exact"]) == solved.value - full.value
        sure = {cell: p for cell, p in solved.banker.items() if cell not in solved.banker_optima.cells}
        changed = {cell: p for cell, p in sure.items() if p != full.banker[cell]}
        assert row["changed"]["banker"] == plays_data(changed, banker_cell)
        for cell, p in changed.items():
            turned = f"Banker {banker_cell(cell)} {'D' if p else 'S'}"
            assert (turned in row["otherwise"].split("; ")) == (p in (0, 1))
        assert row["turned"] == len(list(filter(None, row["otherwise"].split("; "))))
    assert any(row["turned"] for row in cards.values())
    assert data["value"] == str(full.value)
    assert main(["chemin", "removal", "--decks", "6"]) == 0
    said = capsys.readouterr().out
    assert "Player on (1, 4) 0.5141" in said
    title, _, head, _, *lines = said.splitlines()
    assert title == "Classical parlor game, model B3, shoe 6d, one card removed."
    assert re.split("  +", head) == [
        "card", "effect of removal", "value to Player", "cells turned", "mixes: chance of drawing",
    ]  # fmt: skip
    assert lines[0].split()[:4] == ["A", "-0.003013%", "-1.287%", "0"]
    assert [line.split("Player")[0].split()[-1] for line in lines] == ["0"] * 10  # one card of six decks turns no cell


def test_a_cell_that_may_as_well_be_played_as_before_is_not_turned(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = Shoe.parse("v:4,1,0,1,2,0,0,0,1,1")
    (row,) = (row for row in comparisons.removal_rows(solve(shoe, "B1")) if row["card"] == "10, J, Q, K")
    before, after = solve(shoe, "B1"), solve(shoe.without("K"), "B1")
    assert before.banker[5, 9] != after.banker[5, 9]
    assert (row["turned"], row["otherwise"], row["changed"]) == (0, "", {"player": {}, "banker": {}})


def test_conditions_in_whole_numbers() -> None:
    third, cells = Fraction(1, 3), ["on 5", "on (0, 6)", "on 3 against 9"]
    assert linear([third, Fraction(-1), Fraction(0)], cells, "<=", third) == "p(5) - 3 p(0, 6) <= 1"
    assert linear([-third, Fraction(0), third], cells, "<=", third) == "p(5) - p(3 against 9) >= -1"
    assert linear([-third, Fraction(0), third], cells, "=", Fraction(0)) == "p(5) - p(3 against 9) = 0"


@pytest.mark.usefixtures("solved_once")
def test_banque_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", "banque", "--model", "A1", "--leaves-third"]) == 0
    said = capsys.readouterr().out
    solution = SOLVED["banque"](Shoe.decks(6), "1/2", "A1", uses_third=False)
    for text in (
        "cards drawn with replacement: 1/2 of the stakes on the first Player.",
        "the second Player ignores the first Player's third card",
        f"Value to the Players together: {solution.value} = -0.008613291129",
        "tells the first Player to draw with probability 2759/5384 = 0.5124442793, and to stand otherwise.",
        'draws with probability 1.000000 if the number says "draw", and 0.000000 if the number says "stand"',
        f"Banker draws on 3 with probability {solution.banker[3, 9, 8]} = 0.1239784547 if the first Player drew 9 and",
        f"Proved: the lower and the upper bound are both {solution.value}.",
    ):
        assert text in said
    assert main(["chemin", "banque", "--model", "A1", "--leaves-third", "--theta", "1/2", "1"]) == 0
    title, *_, head, _, half, one = capsys.readouterr().out.splitlines()
    assert title.startswith("Baccara banque, model A1, ")
    assert re.split("  +", head) == [
        "stakes on the first Player", "value to both", "to the first", "to the second", "first draws on five",
        "second draws on five", "both or neither", "cells in which Banker mixes",
    ]  # fmt: skip
    assert half.split()[4:] == ["51.24%", "51.24%", "100.0%", "1"]
    assert one.split()[:3] == ["1", "-1.280%", "-1.280%"]
    shoe = ["--shoe", "v:9,2,1,2,3,4,2,1,1,2"]
    data = asked(capsys, "banque", *shoe, "--theta", "1/3", "0.75", "--model", "B2")
    for one, theta in zip(data["thetas"], ("1/3", "3/4"), strict=True):
        solution = banque(Shoe.parse(shoe[1]), theta)
        assert (one["theta"], one["value"]) == (theta, str(solution.value))
        assert Fraction(one["players"]["stood"]["both"]) == solution.players[10].both
        assert len(one["banker"]) == len(solution.banker)
    assert main(["chemin", "banque", *shoe, "--theta", "1/3", "3/4", "--format", "csv"]) == 0
    plays = [
        {(row["after"], row["side"], row["cell"], row["does"]): row["probability"] for row in rows}
        for _, rows in groupby(csv.DictReader(io.StringIO(capsys.readouterr().out)), lambda row: row["theta"])
    ]
    for one, rows in zip(data["thetas"], plays, strict=True):
        assert rows["", "players", "stood", "both draw"] == one["players"]["stood"]["both"]
        assert {cell: p for (after, side, cell, _), p in rows.items() if side == "banker" and not after} == one[
            "banker"
        ]
        for hand, after in one["naturals"].items():
            for side in ("player", "banker"):
                assert {c: p for (a, s, c, _), p in rows.items() if (a, s) == (hand, side)} == after[side]
    assert main(["chemin", "banque", "--shoe", "v:40,0,0,0,0,0,0,0,0,40"]) == 0
    assert "No Player can have five, so the Players have no choice." in capsys.readouterr().out


@pytest.mark.usefixtures("solved_once")
def test_banque_by_hand_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = ["--shoe", "v:3,1,0,1,1,3,1,0,0,1"]
    assert main(["chemin", "banque", *shoe, "--model", "B3"]) == 0
    solution = banque_by_hand(Shoe.parse(shoe[1]))
    says = capsys.readouterr().out
    assert f"Value to the Players together: {solution.value} = " in says
    assert f"Proved: the lower and the upper bound are both {solution.value}." in says
    assert "mixed team strategy on five, while no hand is a natural, is one of these plans at random." in says
    for number, plan in enumerate(solution.plans, 1):
        start = f"Plan {number}, with probability {plan.chance}"
        line = next(line for line in says.splitlines() if line.startswith(start))
        hands = ", ".join(map(str, sorted(plan.first)))
        assert line.endswith(f"first Player draws on {hands};" if plan.first else "stands;")
    data = asked(capsys, "banque", *shoe, "--theta", "1/3", "0.75", "--model", "B3")
    assert main(["chemin", "banque", *shoe, "--theta", "1/3", "3/4", "--model", "B3", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for theta_data in data["thetas"]:
        solution = banque_by_hand(Shoe.parse(shoe[1]), theta_data["theta"])
        assert (
            theta_data["value"]
            == str(solution.value)
            == str(Fraction(int(theta_data["bounds"]["lower"]), solution.value.denominator))
        )
        assert len(theta_data["banker"]) == len(solution.banker)
        of_theta = {
            (row["side"], row["cell"]): row["probability"] for row in rows if row["theta"] == theta_data["theta"]
        }
        for number, (shown, plan) in enumerate(zip(theta_data["plans"], solution.plans, strict=True), 1):
            assert of_theta["players", f"plan {number}"] == shown["chance"] == str(plan.chance)
            assert shown["first"] == list(map(str, sorted(plan.first)))
            assert len(shown["second"]) == len(plan.second)
            for (hand, card), p in plan.second.items():
                cell = f"on {hand} after {'stood' if card == 10 else card}"
                assert shown["second"][cell] == of_theta["second", f"plan {number} {cell}"] == str(p)
                assert of_theta["first", f"plan {number} on {hand}"] == str(int(hand in plan.first))
    assert main(["chemin", "banque", *shoe, "--model", "B3", "--leaves-third", "--theta", "0", "1"]) == 0
    *_, head, _, _, theta_data = capsys.readouterr().out.splitlines()
    assert re.split("  +", head) == [
        "stakes on the first Player", "value to both", "to the first", "to the second", "plans mixed",
        "cells in which Banker mixes",
    ]  # fmt: skip
    assert theta_data.split()[1] == theta_data.split()[2]
    assert main(["chemin", "banque", "--model", "B3", "--leaves-third"]) == 0
    says = capsys.readouterr().out
    assert "the second Player on (0, 5) draws\n" in says
    assert "the second Player on (1, 4) stands\n" in says


@pytest.mark.usefixtures("solved_once")
def test_players_apart_at_banque_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    shoe = ["--shoe", "v:2,1,3,0,0,6,0,0,0,0", "--model", "B1", "--leaves-third", "--apart"]
    assert main(["chemin", "banque", *shoe]) == 0
    said = capsys.readouterr().out
    for text in (
        "Baccara banque, Players apart, model B1, shoe v:2,1,3,0,0,6,0,0,0,0: 1/2 of the stakes on the first Player.",
        "the second Player ignores the first Player's third card.",
        "3 equilibria found. There is no equilibrium in which the first Player draws with another probability.",
        "On five, the first Player draws with probability 0.\n  On five, the second Player draws with probability 2/3",
        "  None of the three sides gains by playing otherwise.",
        "  This is not an exact equilibrium. With the best other play, the first Player gains ",
        "Value to both Players together, per unit of all stakes, with the best common plan: -281/9240 = -0.0304112554",
        "Checked by dealing the cards again.",
    ):
        assert text in said
    data = asked(capsys, "banque", *shoe, "--theta", "1/2", "1")
    solution = SOLVED["apart"](Shoe.parse(shoe[1]), "1/2", "B1", uses_third=False)
    half = data["thetas"][0]
    assert half["all"] is True
    assert [equilibrium["first"]["any"] for equilibrium in half["equilibria"]] == [
        str(e.certificate.first) for e in solution.equilibria
    ]
    assert [Fraction(equilibrium["profits"][0]) for equilibrium in half["equilibria"]] == [
        e.certificate.profits[0] for e in solution.equilibria
    ]
    assert half["together"] == "-281/9240"
    assert main(["chemin", "banque", *shoe, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {row["equilibrium"] for row in rows} == {"1", "2", "3"}
    assert {row["side"] for row in rows} == {"first", "second", "banker"}
    assert (
        main(["chemin", "banque", "--shoe", "v:5,0,0,1,0,0,3,0,0,2", "--model", "B1", "--apart", "--theta", "0", "3/4"])
        == 0
    )
    assert "most gained by another play" in capsys.readouterr().out


def test_bankers_cells_at_banque(capsys: pytest.CaptureFixture[str]) -> None:
    solution = banque(Shoe.decks(6), "1/2", "B1")
    rows = asked(capsys, "banque", "--model", "B1", "--cells")["rows"]
    letters = {
        (int(row["total"]), COLUMNS.index(first), second): row[name]
        for row in rows
        for first in row["first"].split()
        for second, name in enumerate(COLUMNS)
    }
    assert letters == {cell: "*" if 0 < p < 1 else "SD"[int(p)] for cell, p in solution.banker.items()}


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["solve", "--model", "C9"], "model 'C9': should be one of A1, A2, A3, B1, B2, B3"),
        (
            ["solve", "--rules", "modrn"],
            "rules 'modrn': should be one of classical, modern, punto-banco, or the path of a TOML file; did you mean ",
        ),
        (["solve", "--decks", "6", "--shoe", "6d"], "--decks 6 and --shoe 6d: should be one or the other"),
        (["solve", "--shoe", "v:1,1,1,0,0,0,0,0,0,0"], "shoe v:1,1,1,0,0,0,0,0,0,0: 3 cards, should be 6 to 1,404"),
        (["solve", "--decks", "6", "--model", "A1"], "--decks 6: should be left out, model A1 draws with replacement"),
        (["table", "--shoe", "6d", "--model", "A2"], "--shoe 6d: should be left out, model A2 draws with replacement"),
        (["banque", "--shoe", "6d", "--model", "A2"], "--shoe 6d: should be left out, model A2 draws with replace"),
        (["solve", "--decks", "28"], "decks: 28, should be a whole number from 1 to 27"),
        (["solve", "--model", "A1", "--commission", "105%"], "commission: '105%', should be from 0 to less than 1"),
        (["banque", "--theta"], "--theta: should be followed by one value or more"),
        (["banque", "--theta", "2"], "theta: '2', the first Player's part of the stakes, should be from 0 to 1"),
        (["banque", "--model", "B4"], "model 'B4': should be one of A1, A2, A3, B1, B2, B3"),
        (["banque", "--model", "b3"], "model 'b3': should be one of A1, A2, A3, B1, B2, B3; did you mean 'B3'?"),
        (["banque", "--model", "B3", "--apart"], "model 'B3': should be one of A1, A2, B1, B2, in which the Players"),
        (["banque", "--cells", "--apart"], "--cells: should be left out with --apart"),
        (["banque", "--theta", "0", "1", "--cells"], "--cells: 2 thetas given, should be one"),
        (["decks", "1:12", "--model", "A1"], "model A1: draws with replacement, should be B1, B2 or B3"),
        (["decks", "0:3"], "decks: 0, should be a whole number from 1 to 27"),
        (["decks", "many"], "NUMBERS many: should be a number of decks, or a range like 1:12 or 2:8:2"),
        (["removal", "--model", "A1"], "model A1: draws with replacement, no card is ever missing"),
        (["removal", "--shoe", "v:6,0,0,0,0,0,0,0,0,0"], "shoe v:6,0,0,0,0,0,0,0,0,0: 6 cards, should be 7 or more"),
    ],
)
def test_mistakes(command: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chemin", *command]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"counting: {says}")
    assert said.count("\n") == 1
