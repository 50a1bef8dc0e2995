"""House rules and the statement on them: what the file says is what is played, and what is played is stated."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import polars as pl
import pytest

from counting import InputError
from counting.bettors import Bettor
from counting.cli import main
from counting.config import shipped
from counting.house import LEAVES, Rules, load_house
from counting.limits import Bound, judged, totals
from counting.plan import Plan
from counting.shoe import Dealing
from counting.statement import Statement, conditions, sentences, state, way
from counting.sweep import run
from counting.swept import Sweep

RULES = """
title = "Baccarat pit <b>2027</b>"
game = "louisiana"
side_bets = ["seven-seven-45"]
main_bets = ["player", "banker"]
decks = 6
cut = 26
burn = "first-card"
after_cut = "1,1"
tie_in = 0.5
side_share = "1/2"
most_bet = 30
minimum = 25
maximum = 40
stand = true
most_skipped = 2
mid_shoe_entry = false
rebate = 0.005
bound = "0.5/shoe"
"""


def written(folder: Path, text: str = RULES, **changes: str | None) -> Path:
    for key, value in changes.items():
        text = re.sub(rf"^{key} = .*\n", "", text, flags=re.MULTILINE)
        text = f"{key} = {value}\n{text}" if value is not None else text
    path = folder / "pit.toml"
    path.write_text(text)
    return path


def test_the_file_is_what_is_played(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path))
    assert rules.dealing == Dealing(6, 26, "first-card", (1, 1))
    # At most 40 on a main bet with at least twice the side bet on it: a side bet of 20, 40 tied in; 25 while he waits.
    assert rules.stake == 20
    kept = {"rebate": Fraction(1, 200), "stand": True}
    main_bets = ("player", "banker")
    assert [replace(bettor, name="") for bettor in rules.terms.bettors if bettor.leaves is None] == [
        Bettor("", ("seven-seven-45",), Fraction(2), main_bets, 2, idle, **kept)  # type: ignore[arg-type]
        for idle in (None, Fraction(5, 4))
    ]
    assert [bettor.leaves for bettor in rules.terms.bettors][2:] == [Fraction(edge) for edge in LEAVES]
    assert [bettor.sides for bettor in rules.alone.bettors] == [("player",), ("banker",)]
    assert {bettor.rebate for bettor in rules.alone.bettors} == {Fraction(1, 200)}


@pytest.mark.parametrize(
    ("changes", "models"),
    [
        ({"most_skipped": None, "mid_shoe_entry": None}, ["sit-out"]),
        ({"most_skipped": "0"}, ["play-all", "play-all:minimum", *(f"play-all:minimum@{e}" for e in LEAVES)]),
        ({"most_skipped": None}, ["play-all", "play-all:minimum", *(f"play-all:minimum@{e}" for e in LEAVES)]),
        ({}, ["skip-2", "skip-2:minimum", *(f"skip-2:minimum@{e}" for e in LEAVES)]),
        ({"tie_in": None, "side_share": None}, ["skip-2:minimum", *(f"skip-2:minimum@{e}" for e in LEAVES)]),
    ],
)
def test_every_way_that_the_rules_allow(changes: dict[str, str | None], models: list[str], tmp_path: Path) -> None:
    found = [rule.model.name for rule, _ in load_house(written(tmp_path, **changes)).terms.rules()]
    assert found == models
    assert all("tie-in" in way(m) or "minimum" in way(m) or "bets only" in way(m) or "leaves" in way(m) for m in found)


def test_what_is_stated_is_what_they_win(tmp_path: Path, whole_page: Callable[[str], None]) -> None:
    rules = load_house(written(tmp_path))
    plan = rules.plan(2000, 3)
    found = state(rules, plan, tmp_path / "out", "counting statement pit.toml")
    own = Plan(rules.game, rules.dealing, 2000, 3, (), plan.bets, 0, False, rules.terms.bettors)
    t = totals(Sweep(run(own, tmp_path / "own"), own), (26,))
    assert found.sides["units_per_shoe"].to_list() == pytest.approx((t.gain[:, 0] / 2000).tolist())
    assert found.mains["bet"].to_list() == ["player", "banker"]
    assert (found.mains["units_per_shoe"] >= 0).all()
    best = max(found.sides["units_per_shoe_99"])
    assert found.best[0]["units_per_shoe_99"] == best
    assert found.met == (best < 0.5)
    page = (tmp_path / "out" / "statement.html").read_text()
    data = json.loads((tmp_path / "out" / "statement.json").read_text())
    assert data["stated"] == sentences(found)
    assert (data["met"], data["rules"]["cut"], data["plan_digest"]) == (found.met, 26, plan.digest)
    assert "Baccarat pit &lt;b&gt;2027&lt;/b&gt;" in page
    assert "<b>2027" not in page
    whole_page(page)
    for text in (rules.house.digest, rules.game.digest, plan.digest, "counting statement pit.toml", "signature"):
        assert text in page
    for said in ("26 cards behind the cut card", "1/2 times the main bets", "stay for the next coup", "2 in a row"):
        assert said in page


def test_who_must_play_has_the_minimum_where_nothing_is_tied_in(tmp_path: Path) -> None:
    """However the file says that nothing is tied in: on the coups between he has 25 with a side bet of 30."""
    rules = load_house(written(tmp_path, tie_in=None, side_share=None, maximum=None))
    assert {(bettor.tie_in, bettor.idle) for bettor in rules.terms.bettors} == {(0, Fraction(25, 30))}
    needed = load_house(written(tmp_path, tie_in='"minimum"', side_share=None, maximum=None))
    assert {(bettor.tie_in, bettor.idle) for bettor in needed.terms.bettors} == {
        (Fraction(25, 30), None), (Fraction(25, 30), Fraction(25, 30))
    }  # fmt: skip
    assert ("tied in", "0.833333 units on a main bet with each unit of the side bet") in conditions(needed)
    assert ("tied in", "nothing") in conditions(rules)
    assert ("coups an hour", "70") in conditions(rules)
    assert ("bound", "0.5/shoe") in conditions(rules)


def test_a_side_bet_as_large_as_one_likes_knows_no_minimum(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_bet=None, maximum=None, side_share=None, tie_in="1"))
    assert rules.stake is None
    assert {(bettor.tie_in, bettor.idle) for bettor in rules.terms.bettors} == {(1, None), (1, 0)}


def test_a_loss_rebate_is_in_the_gains(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, bound=None, loss_rebate='"1/10"'))
    assert {bettor.loss_rebate for bettor in rules.terms.bettors} == {Fraction(1, 10)}
    assert ("rebate on a shoe's loss", "1/10, in the gains; no counter plays for it") in conditions(rules)


def test_one_who_plays_every_side_bet_is_held_to_the_bound_too(tmp_path: Path) -> None:
    """Also a main bet among the side bets, and one named twice."""
    names = '["seven-seven-45", "tie-9", "tie-9"]'
    rules = load_house(
        written(tmp_path, side_bets=names, most_skipped=None, mid_shoe_entry=None, main_bets=None, bound='"1.5/shoe"')
    )
    found = state(rules, rules.plan(2000, 3), tmp_path / "out", "")
    gains = dict(found.sides.select("bet", "units_per_shoe").rows())
    assert list(gains) == ["seven-seven-45", "tie-9", "seven-seven-45 + tie-9"]
    assert gains["seven-seven-45 + tie-9"] > gains["seven-seven-45"] > gains["tie-9"]
    limits = found.sides["units_per_shoe_99"].to_list()
    for bound, met in ((limits[2] * 1.01, True), (limits[2] * 0.99, False)):
        again = Rules(rules.house.model_copy(update={"bound": f"{bound:.6f}/shoe"}), rules.game, rules.dealing)
        assert max(limits[:2]) < bound
        sides = judged(found.sides, Bound.parse(f"{bound:.6f}/shoe"), 70)
        assert Statement(again, found.plan, sides, found.mains).met is met
    assert found.mains["bet"].to_list() == ["player", "banker", "tie-9"]


def test_a_bound_that_more_shoes_may_decide(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_skipped=None, mid_shoe_entry=None))
    found = state(rules, rules.plan(2000, 3), tmp_path / "out", "")
    row = found.best[0]
    between = (row["units_per_shoe"] + row["units_per_shoe_99"]) / 2
    for amount, said in ((between, "more shoes may decide"), (row["units_per_shoe"] / 2, "is NOT met.")):
        house = rules.house.model_copy(update={"bound": f"{amount:.6f}/shoe"})
        again = Rules(house, rules.game, rules.dealing)
        assert (
            said
            in sentences(Statement(again, found.plan, judged(found.sides, Bound.parse(house.bound), 70), found.mains))[
                -1
            ]
        )


def test_the_bound_is_judged_by_every_way(tmp_path: Path) -> None:
    for bound, met in (("99/shoe", True), ("0.0001/shoe", False), ("9999/hour", True)):
        rules = load_house(written(tmp_path, bound=f'"{bound}"', cut="20"))
        found = state(rules, rules.plan(2000, 3), tmp_path / bound.replace("/", "-"), "")
        assert found.met is met
        assert sentences(found)[-1] == f"The bound of {bound} is {'met' if met else 'NOT met'}."


def test_in_money(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_skipped=None, mid_shoe_entry=None, coups_per_hour="60"))
    found = state(rules, rules.plan(2000, 3), tmp_path / "out", "")
    money = found.best[0]["units_per_100_coups_99"] * 0.6 * 20
    assert f"in money, with side bets of 20, at most {money:.4g} an hour" in sentences(found)[0]


def test_own_pay_tables_and_games_beside_the_file(tmp_path: Path) -> None:
    pays = '[[bets]]\nname = "seven-seven-45"\npays = [{ winner = "tie", player_total = 7, odds = "46:1" }]\n'
    more = '[[bets]]\nname = "tie-only"\npays = [{ winner = "tie", odds = "8:1" }]\n'
    rules = load_house(written(tmp_path, RULES + pays + more))
    assert rules.game.bet("seven-seven-45").pays[0].odds == "46:1"
    assert "tie-only" in rules.game.bet_names
    assert rules.game.digest != load_house(written(tmp_path)).game.digest
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.toml").write_text(shipped("games")["punto-banco"].read_text())
    own = load_house(written(tmp_path, game='"games/mine.toml"', side_bets='["dragon-7"]'))
    assert own.game.title == "Punto banco"


def test_the_shipped_rules_are_the_recommendations() -> None:
    names = list(shipped("houses"))
    assert names == ["louisiana-40", "louisiana-45-most-25", "louisiana-45-quarter", "louisiana-45-shuffle-75"]
    bettors = {name: load_house(name).terms.bettors[0] for name in names}
    assert [bettors[name].tie_in for name in names] == [1, 0, 4, 0]
    assert [load_house(name).dealing.cut for name in names] == [14, 14, 14, 104]
    assert load_house(names[1]).stake == 25


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cut": None}, "cut: missing"),
        ({"cut": "500"}, "cut: 500, should be a whole number from 0 to 301"),
        ({"cut": '"26"'}, 'cut = "26": should be a whole number'),
        ({"title": None}, "title: missing"),
        ({"game": '"louisana"'}, "game 'louisana': should be one of .*; did you mean 'louisiana'"),
        ({"side_bets": '["seven-seven"]'}, "bet 'seven-seven': louisiana has"),
        ({"side_bets": '"seven-seven-45"'}, "side_bets = .*: should be a list of names of bets, one or more"),
        ({"main_bets": '["dealer"]'}, "bet 'dealer': louisiana has"),
        ({"tie_in": "-1"}, 'tie_in = -1: should be a number of units from 0 to 1,000, as 1, 0.5 or 1/3, or "minimum"'),
        ({"tie_in": "true"}, "tie_in = true: should be a number of units from 0"),
        ({"tie_in": '"minimum"', "minimum": None}, "minimum: missing, should say what a bettor must have"),
        ({"side_share": "0"}, "side_share = 0: should be a number above 0"),
        ({"minimum": "50"}, "maximum = 40: should be the minimum, 50, or more"),
        ({"most_bet": None, "bound": '"5/hour"'}, "most_bet: missing, a bound in money needs it"),
        ({"bound": '"5"'}, 'bound = "5": should be an amount a shoe'),
        ({"burn": '"two"'}, "burn = \"two\": should be 'none' or 'first-card'"),
        ({"after_cut": '"3"'}, 'after_cut = "3": should be one of 0,0'),
        ({"most_skipped": "1.5"}, "most_skipped = 1.5: should be a whole number from 0 to 1,000, or left out"),
        ({"rebate": "2"}, "rebate = 2: should be a number from 0, at most 1"),
        ({"minimum": None, "tie_in": None, "side_share": None}, "minimum: missing, should say what a bettor must have"),
        ({"loss_rebate": "0.1"}, "bound: should be left out with a loss_rebate: what the best counter makes of that"),
        ({"most_skipped": "0", "minimum": None}, "minimum: missing, should say what a bettor must have on a main bet"),
        ({"after_cut": "[1, 0]"}, "after_cut = .*: should be one of 0,0"),
        ({"mid_shoe_entry": None}, "most_skipped: needs mid_shoe_entry = false: who may come back in mid-shoe"),
        ({"cutt": "26"}, "cutt = 26: unknown key, should be one of title, .*; did you mean 'cut'"),
        ({"bets": '"none"'}, r'bets = "none": should be tables \[\[bets\]\]'),
        ({"bets": '[{ name = "x" }]'}, "bets 1, pays: missing"),
        ({"decks": "40"}, "decks: 40, should be a whole number from 1 to 27"),
    ],
)
def test_rules_that_cannot_be_read(
    changes: dict[str, str | None], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, **changes)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: {says}"):
        load_house(path)
    assert main(["statement", str(path), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.startswith(f"counting: {path}: ")
    assert not (tmp_path / "out").exists()


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["statement", "louisiana-45-shuffle-75", "--shoes", "2000", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("7-7, 45 to 1: the best counter, who bets only when it pays, earns 0.")
    assert main([*command, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["stated"][0] in printed
    assert main([*command, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 1 + 3
    assert main(["statement", "louisiana-45-quarter", "--shoes", "2000", "--out", str(tmp_path / "out")]) == 2
    assert "another" in capsys.readouterr().err
    assert main([*command[:2], "--shoes", "1999", "--out", str(tmp_path / "few")]) == 2
    assert capsys.readouterr().err.startswith("counting: shoes: 1999, should be 2,000 or more")


def test_a_counter_who_can_only_lose_stays_away(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_skipped="0", cut="150", minimum="0.01", rebate=None))
    found = state(rules, rules.plan(2000, 3), tmp_path / "out", "")
    assert found.sides.filter(pl.col("model") == "play-all")["units_per_shoe_99"].item() < 0
    alone = found.sides.filter(pl.col("model") == "play-all")
    assert "he would stay away" in sentences(Statement(rules, found.plan, alone, found.mains))[0]
