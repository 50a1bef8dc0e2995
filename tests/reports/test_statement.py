"""House rules and the statement on them: play follows the file, and the statement describes this play."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil, inf
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import LONG, long_or
from hypothesis import given
from hypothesis import strategies as st
from plain_tables import plain

from counting import InputError, edges
from counting.bounds import (
    Z99,
    Amount,
    Bound,
    Bracket,
    Gap,
    HouseRules,
    Limits,
    Mean,
    Per,
    Rebated,
    Statement,
    Verdict,
    bracket,
    load_house,
    statement_settings,
    statements,
)
from counting.cli import main
from counting.io.folders import claimed
from counting.io.tables import as_json
from counting.io.toml import shipped
from counting.reports import render
from counting.reports.numbers import amount, at_least, money
from counting.reports.publish import publish
from counting.reports.statement import conditions, report, sentences
from counting.simulation import Dealing, play
from counting.sweep import Plan

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


def again(statement: Statement, bound: str | None, **changes: Any) -> Statement:
    """The statement with the same figures under other rules, which differ only in keys that change no figure, such
    as the bound."""
    house = statement.rules.house.model_copy(update={"bound": bound and Bound.parse(bound), **changes})
    return replace(statement, rules=HouseRules(house, statement.rules.game, statement.rules.dealing))


def state(rules: HouseRules, plan: Plan, folder: Path, command: str, fit: int | None = None) -> Statement:
    """A statement with its page in a folder, as the command makes it."""
    with claimed(folder, "statement", statement_settings(rules, plan, fit), was="brackets"):
        statement = statements.state(rules, plan, folder, fit=fit)
        publish(report(statement, command), folder, "statement")
    return statement


SEATED = long_or(2000, 1000)  # shoes for a seat that must be held; they are several blocks
pytestmark = pytest.mark.usefixtures("undrawn")

FITTED = 300
FREE = {"most_skipped": None, "mid_shoe_entry": None, "stand": None}  # any coup may be skipped: the best gain is exact


@pytest.fixture(scope="module", autouse=True)
def _few_weighted(few_weighted_throughout: None) -> None:
    """Use few weighted shoes throughout, so the limits of rare bets, such as main bets alone, are wider."""


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Statement, Path]:
    """The statement on the rules above. The seat must be held, and main bets stay on the table after a push."""
    folder = tmp_path_factory.mktemp("seated")
    rules = load_house(written(folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("counting.bounds.evaluation._CHOSEN_ON", 200)
        patch.setattr("counting.bounds.statements.LEAST_SHOES", SEATED)
        statement = state(rules, rules.plan(2000, 3), folder / "out", "counting statement pit.toml", fit=FITTED)
    return statement, folder / "out"


@pytest.fixture(scope="module")
def free(tmp_path_factory: pytest.TempPathFactory) -> Statement:
    """A statement under rules that let a counter skip any coup. Of its two side bets one is also a main bet, and is
    named twice."""
    folder = tmp_path_factory.mktemp("free")
    names = '["seven-seven-45", "tie-9", "tie-9"]'
    rules = load_house(written(folder, side_bets=names, main_bets=None, bound='"1.5/shoe"', **FREE))
    return state(rules, rules.plan(2000, 3), folder / "out", "")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats that must be held are worked out on few shoes, for tests that do not depend on their figures."""
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", long_or(400, 100))
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_BETS", 0)
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_PER_SHOE", 0.0)
    monkeypatch.setattr("counting.bounds.evaluation._CHOSEN_ON", long_or(200, 50))


def test_the_file_is_what_is_played(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path))
    assert rules.dealing == Dealing(6, 26, "first-card", (1, 1))
    # Each of two main bets is at most 40, and their sum at least twice the side bet. So a side bet of 30 is possible;
    # with one main bet it is at most 20.
    assert rules.stake == 30
    assert load_house(written(tmp_path, main_bets='["player"]')).stake == 20
    assert load_house(written(tmp_path, most_bet="50")).stake == 40
    rules = load_house(written(tmp_path))
    seat, limits = rules.seat, rules.limits
    assert (seat.most_skipped, seat.leaves, seat.rebate, seat.loss_rebate) == (2, True, 0.005, 0)
    assert (seat.stakes.sides, seat.stakes.main) == (("seven-seven-45",), ("player", "banker"))
    assert (limits.minimum, limits.maximum, limits.least_bet) == (25, 40, 1)
    assert (limits.tie_in, limits.side_share, limits.main_needed) == (Fraction(1, 2), Fraction(1, 2), False)
    assert (limits.covers, limits.seat) == ("all", "any")
    money = 30 * seat.stakes.vertices
    side, on_main = money[:, 0], money[:, 1:]
    assert side.max() == pytest.approx(30)
    assert ((on_main == 0) | ((on_main > 25 - 1e-6) & (on_main < 40 + 1e-6))).all()
    assert (on_main.sum(axis=1) >= 2 * side - 1e-6).all()
    plan = rules.plan(2000, 3)
    assert (plan.shoes, plan.seed, plan.bets) == (2000, 3, ("seven-seven-45", "player", "banker"))


@pytest.mark.parametrize(
    ("changes", "skips", "hangs"),
    [
        ({"most_skipped": None, "mid_shoe_entry": None}, None, False),
        ({"most_skipped": "0"}, 0, True),
        ({"most_skipped": None}, 0, True),
        ({}, 2, True),
        ({"tie_in": None, "side_share": None}, 2, True),
    ],
)
def test_the_seat_that_the_rules_allow(
    changes: dict[str, str | None], skips: int | None, hangs: bool, tmp_path: Path
) -> None:
    seat = load_house(written(tmp_path, **changes)).seat
    assert (seat.most_skipped, seat.hangs_together, seat.leaves) == (skips, hangs, True)


@pytest.mark.parametrize(
    ("holds", "held", "said"),
    [
        ('"any"', {(0.2, 0), (1, 0), (0, 2.5), (1, 2.5)}, "any bet"),
        ('"main"', {(0, 2.5), (1, 2.5)}, "a main bet"),
        ('["seven-seven-45"]', {(0.2, 0), (1, 0), (0.2, 2.5), (1, 2.5)}, "7-7, 45 to 1"),
    ],
)
def test_what_holds_a_seat(holds: str, held: set[tuple[float, float]], said: str, tmp_path: Path) -> None:
    """The side bet is 2 to 10 and the main bet 25. `held` are the bets that hold the seat, in units of 10."""
    changes = {"tie_in": None, "side_share": None, "maximum": None, "most_bet": "10", "main_bets": '["banker"]'}
    rules = load_house(written(tmp_path, holds_seat=holds, least_bet="2", **changes))
    stakes = rules.seat.stakes
    assert {tuple(row) for row in stakes.vertices[stakes.seated].tolist()} == held
    assert dict(conditions(rules))["what holds a seat"] == said


@pytest.mark.parametrize(
    ("changes", "covers"),
    [
        ({}, "all"),
        ({"maximum": None}, "side"),
        ({"most_bet": None}, "all"),  # the maximum bounds the side bet
        ({"tie_in": None, "side_share": None}, "all"),
        ({"tie_in": None, "side_share": None, "most_bet": None}, "side"),
        ({"bound_covers": '"side"'}, "side"),
        ({"bound_covers": '"all"'}, "all"),
    ],
)
def test_what_the_bound_covers(changes: dict[str, str | None], covers: str, tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, **changes))
    assert rules.house.covers == rules.limits.covers == covers
    said = {"all": "all bets", "side": "side bets, with the main bets they require"}[covers]
    assert ("the limit covers", said) in conditions(rules)


def test_what_is_stated_is_what_they_win(seated: tuple[Statement, Path], whole_page: Callable[[str], None]) -> None:
    statement, folder = seated
    rules, plan = statement.rules, statement.plan
    own = bracket(rules.seat, SEATED, 3, folder / "brackets" / "0", stand=True, fitted=FITTED)
    (row,) = statement.sides.iter_rows(named=True)
    assert (row["bet"], row["shoes"], row["fitted"], row["exact"]) == ("seven-seven-45", SEATED, FITTED, False)
    for name in ("lower", "upper"):
        mean: Mean = getattr(own, name)
        assert row[f"{name}_per_shoe"] == pytest.approx(mean.value)
        assert row[f"{name}_per_shoe_se"] == pytest.approx(mean.error)
        assert row[f"{name}_per_shoe_99"] == pytest.approx(mean.below if name == "upper" else mean.above)
    assert row["lower_per_shoe"] < row["upper_per_shoe"] < row["upper_per_shoe_99"]
    assert row["coups_per_shoe"] > row["played_per_shoe"] > row["sides_per_shoe"] > 0
    assert statement.mains["bet"].to_list() == ["player", "banker"]
    assert (statement.mains["units_per_shoe"] >= 0).all()
    assert (statement.mains["units_per_shoe_99"] > statement.mains["units_per_shoe"]).all()
    assert statement.verdict is Verdict.of(0.5, row["lower_per_shoe_99"], row["upper_per_shoe_99"])
    assert statement.met is (statement.verdict is Verdict.MET)
    page = (folder / "statement.html").read_text()
    data = json.loads((folder / "statement.json").read_text())
    assert data["stated"] == sentences(statement)
    assert (data["met"], data["rules"]["cut"], data["plan_digest"]) == (statement.met, 26, plan.digest)
    assert (data["verdict"], data["bound"], data["bound_covers"]) == (statement.verdict.value, "0.5/shoe", "all")
    assert data["sides"] == statement.sides.to_dicts()
    assert data["mains"] == statement.mains.to_dicts()
    assert "Baccarat pit &lt;b&gt;2027&lt;/b&gt;" in page
    assert "<b>2027" not in page
    whole_page(page)
    for text in (rules.house.digest, rules.game.digest, plan.digest, "counting statement pit.toml", "signature"):
        assert text in page
    for said in ("26 cards behind the cut card", "1/2 times the main bets", "stay for the next coup", "2 in a row"):
        assert said in page
    for said in (
        "with a strategy that was fitted to other shoes",
        "comes from play that follows the results of the coups as they were dealt",
        "This statement covers main bets of up to 40 each",
    ):
        assert said in page


def test_a_statement_that_was_killed_goes_on(
    seated: tuple[Statement, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", SEATED)
    statement, folder = seated[0], Path(shutil.copytree(seated[1], tmp_path / "out"))
    before = {path: path.stat().st_mtime_ns for path in (folder / "brackets").rglob("*.parquet")}
    same = state(statement.rules, statement.plan, folder, "counting statement pit.toml", fit=FITTED)
    assert same.sides.equals(statement.sides)
    assert before == {path: path.stat().st_mtime_ns for path in (folder / "brackets").rglob("*.parquet")}
    with pytest.raises(
        InputError, match=r"holds a statement that differs in fit \(300 in the folder, 600 now\), should be another"
    ):
        state(statement.rules, statement.plan, folder, "", fit=600)


@pytest.mark.long
def test_in_every_unit(seated: tuple[Statement, Path], free: Statement) -> None:
    for statement in (seated[0], free):
        for row, seat_bracket in zip(statement.sides.to_dicts(), statement.brackets, strict=True):
            for name in ("lower", "upper"):
                per_coup = seat_bracket.shoes[name].sum() / seat_bracket.shoes["coups"].sum()
                assert row[f"{name}_per_100_coups"] == pytest.approx(100 * per_coup)
                money = per_coup * 70 * float(statement.rules.stake or 0)
                assert row[f"{name}_money_per_hour"] == pytest.approx(money)
            assert row["lower_money_per_hour_99"] == pytest.approx(
                row["lower_money_per_hour"] - Z99 * row["lower_money_per_hour_se"]
            )


def test_where_any_coup_may_be_skipped_the_figure_is_the_sum_of_the_best_stakes(free: Statement) -> None:
    coups = play(free.rules.game.tableau, free.rules.dealing, 3, 0, 300)
    for seat_bracket in free.brackets:
        assert seat_bracket.exact
        assert seat_bracket.fitted == 0
        priced = edges(free.rules.game, coups.left, seat_bracket.seat.stakes.bets) + 0.005
        best = (priced @ seat_bracket.seat.stakes.vertices.T).max(axis=1).clip(0)
        by_shoe = np.bincount(coups.shoe, best)
        assert seat_bracket.shoes["lower"][:300].to_list() == pytest.approx(by_shoe.tolist())
        assert seat_bracket.shoes["upper"].equals(seat_bracket.shoes["lower"].alias("upper"))
        for bet in ("player", "banker", "tie-9"):
            edge = edges(free.rules.game, coups.left, (bet,))[:, 0] + 0.005
            alone = np.bincount(coups.shoe, edge.clip(0))
            assert seat_bracket.shoes[f"alone-{bet}"][:300].to_list() == pytest.approx(alone.tolist())


def test_a_counter_who_must_play_has_the_minimum_where_nothing_is_required(tmp_path: Path) -> None:
    """A main bet is 25 beside a side bet of 30, whether the file requires no main bet or a main bet of any size."""
    rules = load_house(written(tmp_path, tie_in=None, side_share=None, maximum=None))
    needed = load_house(written(tmp_path, tie_in='"minimum"', side_share=None, maximum=None))
    for seat_bracket in (rules, needed):
        on_main = seat_bracket.seat.stakes.vertices[:, 1:]
        assert on_main[on_main > 0].tolist() == pytest.approx([25 / 30] * int((on_main > 0).sum()))
    assert (rules.seat.stakes.vertices[:, 1:].sum(axis=1) == 0).any()
    assert (needed.seat.stakes.vertices[:, 1:].sum(axis=1) > 0).all()
    assert ("main-bet requirement", "a main bet with any side bet") in conditions(needed)
    assert ("main-bet requirement", "none") in conditions(rules)
    assert ("coups per hour", "70") in conditions(rules)
    assert ("limit", "0.5/shoe") in conditions(rules)


def test_a_main_bet_with_any_side_bet_is_no_requirement_without_a_largest_side_bet(tmp_path: Path) -> None:
    """A main bet at the minimum is negligible beside a side bet without a maximum."""
    rules = load_house(written(tmp_path, tie_in='"minimum"', side_share=None, maximum=None, most_bet=None))
    assert rules.stake is None
    assert rules.limits.main_needed
    assert {tuple(row) for row in rules.seat.stakes.vertices.tolist()} == {(0, 0, 0), (1, 0, 0)}
    assert rules.seat.stakes.free(np.array([[0.02, -0.01, -0.01]]))[0] == pytest.approx(0.02)


@pytest.mark.long
@pytest.mark.usefixtures("quick")
def test_a_side_bet_without_a_maximum_knows_no_minimum(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_bet=None, maximum=None, side_share=None, tie_in="1"))
    assert rules.stake is None
    stakes = rules.seat.stakes
    assert {tuple(row) for row in stakes.vertices.tolist()} >= {(1, 1, 0), (1, 0, 1), (0, 0, 0)}
    assert stakes.seated.all()  # a bet of any size holds the seat
    statement = statements.state(rules, rules.plan(2000, 3), tmp_path, fit=FITTED)
    assert statement.per == "shoe"
    assert "money" not in " ".join(statement.sides.columns)
    assert "Side bets are of any size" in sentences(statement)[-3]
    anywhere = load_house(written(tmp_path, most_bet=None, maximum=None, side_share=None, tie_in="1", **FREE))
    best = bracket(anywhere.seat, 2000, 3)
    assert statement.sides["upper_per_shoe"].item() > best.upper.value - 3 * best.upper.error
    assert (
        statement.sides["lower_per_shoe"].item() > best.upper.value - 3 * best.upper.error
    )  # holding the seat costs nothing


@pytest.mark.usefixtures("quick")
def test_a_loss_rebate_is_in_the_gains_and_has_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.bounds.net_evaluation._CHOSEN_ON", long_or(1000, 100))
    few = {} if LONG else {"decks": "3"}
    rules = load_house(written(tmp_path, loss_rebate='"1/10"', **FREE, **few))
    assert rules.seat.loss_rebate == 0.1
    assert ("rebate on losses", "1/10 of a shoe's loss") in conditions(rules)
    statement = statements.state(rules, rules.plan(2000, 3), tmp_path, fit=FITTED)
    plain = bracket(load_house(written(tmp_path, **FREE, **few)).seat, 2000, 3)
    assert not statement.judged.exact
    assert plain.lower.value < statement.judged.lower.value  # no worse than play that ignores the rebate
    assert statement.judged.lower.value < statement.judged.upper.value
    assert plain.upper.value < statement.judged.upper.value
    assert statement.verdict is Verdict.NOT_MET


MAINS = """
title = "Loss rebate"
game = "punto-banco"
side_bets = ["dragon-7"]
main_bets = ["player", "banker-5"]
decks = 2
cut = 14
most_bet = 100
minimum = 100
maximum = 1000
bound_covers = "all"
bound = "100/hour"
"""


@pytest.mark.usefixtures("worth_once")
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (
            {"loss_rebate": '"1%"'},
            ["The rebate of these rules is 1.00%.", "The rebate gives no edge to a patron who does not count."],
        ),
        (
            {"loss_rebate": '"5%"'},
            [
                "The rebate of these rules is 5.00%.",
                "can win about 13 per shoe",
                "only the part of a loss above 650 got",
            ],
        ),
        (
            {"loss_rebate": '"5%"', "loss_rebate_above": "700", "loss_rebate_over": "2"},
            ["of a loss above 700. Even with 650 in place of this amount, the rebate gives no edge"],
        ),
        (
            {"loss_rebate": '"5%"', "rebate": '"2%"'},
            [
                '"Player" has no house edge with the rebate on every unit staked.',
                "and when to leave. This patron would also win without the rebate on losses.",
            ],
        ),
    ],
)
def test_what_a_rebate_is_worth_without_counting_is_said(
    rules: dict[str, str], said: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", 40)
    monkeypatch.setattr("counting.bounds.net_evaluation._CHOSEN_ON", 250)
    loaded = load_house(written(tmp_path, MAINS, **rules))
    statement = statements.state(loaded, loaded.plan(2000, 3), tmp_path, fit=200)
    lines = sentences(statement)
    over = int(rules.get("loss_rebate_over", "1"))
    paid_on_stakes = "rebate" in rules
    assert ("A rebate of up to 2.3" in lines[-2]) is not paid_on_stakes
    assert (
        'the house edge of "Banker, 5% commission" divided by the mean loss of this bet' in lines[-2]
    ) is not paid_on_stakes
    settled_apart = "If the rebate is settled separately for each counter at each table, K counters together"
    assert sum(settled_apart in line for line in lines) == ("loss_rebate_above" in rules)
    for words in said:
        assert any(words in line for line in lines[-2:]), (words, lines)
    page = report(statement)
    assert list(page.data["loss_rebate"]) == ["break_even", "without_counting", "win_exit"]
    least = 0 if paid_on_stakes else 0.023267  # with two decks
    assert page.data["loss_rebate"]["break_even"]["banker-5"] == pytest.approx(least, abs=1e-6)
    assert (page.data["loss_rebate"]["win_exit"] is None) is paid_on_stakes
    assert statement.judged.dealt == statement.judged.seat.loss_over * len(statement.judged.shoes)
    assert statement.judged.seat.loss_over == over
    assert statement.sides["shoes"].item() == statement.judged.dealt
    computation = plain(render(page))
    assert ("added up over 2 shoes" in computation) == (over == 2)
    assert "best bets depend on the result of the shoe so far" in computation


def unseen(seat_bracket: Bracket, **seat: Any) -> Bracket:
    """The bracket as it would be if no coup of its shoes had had a bet. `seat`: what to change in its seat."""
    return replace(
        seat_bracket,
        seat=replace(seat_bracket.seat, **seat),
        shoes=seat_bracket.shoes.with_columns(chances=pl.lit(0.0)),
    )


def limits(gain: float, error: float, upper: float) -> Limits:
    figures = (np.array([x]) for x in (26, gain, error, upper, 80, 0.1))
    return Limits(*figures, ("weighted",), "from weighted shoes")


def test_bets_that_no_shoe_shows_have_limits_from_weighted_shoes(
    seated: tuple[Statement, Path], free: Statement, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These limits are for a counter who may skip any coup, because no other counter wins more. If the rules let a
    counter skip any coup, both figures of the statement are this counter's."""
    asked: list[Rebated] = []

    def upper_limits(game: Any, dealing: Any, worth: Rebated, plain: Any, **how: Any) -> Limits:
        assert plain.few.all()
        asked.append(worth)
        return limits(3.0, 0.25, 4.0)

    monkeypatch.setattr("counting.bounds.statements.upper_limits", upper_limits)
    for statement, exact in ((seated[0], False), (free, True)):
        few = unseen(statement.judged)
        assert few.few
        assert not statement.judged.few
        kept = tmp_path / f"{exact}.json"
        assert statements._rare(statement.judged, statement.plan, kept, {}) is None
        rare = statements._rare(few, statement.plan, kept, {})
        assert asked.pop() == Rebated(few.seat.stakes, 0.005)
        assert rare is not None
        again_rare = statements._rare(few, statement.plan, kept, {})  # read from the file
        assert again_rare is not None
        assert again_rare.to_dict() == rare.to_dict()
        assert not asked
        few = replace(few, rare=rare)
        of_rare = replace(statement, brackets=(few,))
        figures = of_rare.figure(few)
        assert (figures.upper.value, figures.upper.error, figures.upper.limit) == pytest.approx((3, 0.25, 4))
        assert figures.lower.value == (3 if exact else few.lower.value)
        assert of_rare.figure(few, Per.COUPS).upper.limit == pytest.approx(400 / few.per_shoe("coups"))
        undecided = again(of_rare, bound="3.01/shoe")
        if exact:  # one weighted shoe is dealt for every five of the statement's shoes
            assert isinstance(undecided.deciding, int)
        else:
            assert undecided.deciding is Gap.SEAT
            assert sentences(undecided)[0].endswith(
                " More shoes do not close the gap between this bound and what the others win."
            )
        proved = replace(few, rare=replace(rare, source=("proved",)))
        assert again(replace(of_rare, brackets=(proved,)), bound="3.01/shoe").deciding is Gap.PROVED


def test_each_limit_from_other_shoes_names_its_bets(free: Statement) -> None:
    few = replace(limits(3.0, 0.25, 4.0), how="With 26 cards behind the cut card it is from weighted shoes.")
    proven = replace(few, how="It is a proven bound.")
    seven_seven, *others = free.brackets
    rare = replace(free, brackets=(replace(seven_seven, rare=proven), *others), alone={"banker": few, "player": few})
    (section,) = (s for s in report(rare).sections if s.title == "Computation")
    assert section.text.endswith(
        'These limits are worked out separately: for "7-7, 45 to 1". It is a proven bound. These limits are worked '
        'out separately: for "Banker, loses on 7-7" as the only bet; for "Player" as the only bet. With 26 cards '
        "behind the cut card it is from weighted shoes."
    )
    (plain,) = (s for s in report(replace(free, alone={})).sections if s.title == "Computation")
    assert section.text.startswith(plain.text)


@pytest.mark.parametrize("name", ["rare.json", "alone-banker.json"])
def test_kept_limits_that_were_damaged_are_worked_out_again(
    name: str, seated: tuple[Statement, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The damage: a hundred flipped bits in the limits and in their record, limits of another name, and half a file."""
    asked: list[str] = []

    def upper_limits(*_: Any, **__: Any) -> Limits:
        asked.append(name)
        return limits(3.0, 0.25, 4.0)

    monkeypatch.setattr("counting.bounds.statements.upper_limits", upper_limits)
    few, plan, kept = unseen(seated[0].judged), seated[0].plan, tmp_path / name

    def worked_out() -> dict[str, Any]:
        worth = Rebated(few.seat.stakes, few.seat.rebate)
        return statements._limits_of(worth, few, plan, kept, {}).to_dict()

    right = worked_out()
    whole = {file: file.read_bytes() for file in (kept, tmp_path / ".sha256")}
    other = as_json(limits(1.0, 0.1, 2.0).to_dict()).encode()
    cases = [(kept, other), (kept, whole[kept][:50]), (kept, b"")]
    for number in range(100):
        file = list(whole)[number % 2]
        flipped = bytearray(whole[file])
        flipped[number * 7919 % len(flipped)] ^= 1 << number % 8
        cases.append((file, bytes(flipped)))
    for file, content in cases:
        for each, there in whole.items():
            each.write_bytes(there)
        file.write_bytes(content)
        asked.clear()
        assert worked_out() == right
        assert asked
        assert kept.read_bytes() == whole[kept]
        asked.clear()
        assert worked_out() == right
        assert not asked


@pytest.mark.drawn
def test_with_a_rebate_on_losses_nothing_is_known_of_bets_that_no_shoe_shows(seated: tuple[Statement, Path]) -> None:
    seat_bracket, statement = unseen(seated[0].judged, loss_rebate=0.1), seated[0]
    assert statements._rare(seat_bracket, statement.plan, seated[1] / "none.json", {}) is None
    of_rare = again(replace(statement, brackets=(seat_bracket, seat_bracket)), bound="99/shoe")
    for per in Per:
        assert of_rare.figure(seat_bracket, per).upper.limit == inf
    assert of_rare.verdict is Verdict.UNDECIDED
    said = sentences(of_rare)
    most = "(99% confidence), but what others win at most is not known"
    per = "units of the side bet per shoe at this table"
    least = at_least(of_rare.figure(seat_bracket).lower.limit)
    assert said[0] == (
        f"UNDECIDED. Under these rules, a counter wins {least} {per} {most}. The limit is 99 units per shoe. "
        "Profitable bets are too rare in these shoes to give a bound. With a rebate on a shoe's loss, no other bound "
        "is known."
    )
    assert said[-1] == f'With side bets on "7-7, 45 to 1" only, a counter wins {least} {per} {most}.'
    never = tuple(replace(bet, shoes=bet.shoes.with_columns(lower=pl.lit(0.0))) for bet in of_rare.brackets)
    assert "Under these rules, it is not known what counters win" in sentences(replace(of_rare, brackets=never))[0]
    assert plain(render(report(of_rare))).count("<td>not known</td>") == 4
    assert json.loads(as_json(report(of_rare).data))["sides"][0]["upper_per_shoe_99"] is None


def test_a_counter_who_makes_every_bet_is_held_to_the_bound(free: Statement) -> None:
    """This holds also if one of the side bets is a main bet and is named twice."""
    gains = dict(free.sides.select("bet", "upper_per_shoe").rows())
    assert list(gains) == ["seven-seven-45", "tie-9", "seven-seven-45 + tie-9"]
    assert gains["seven-seven-45 + tie-9"] >= gains["seven-seven-45"] > gains["tie-9"]
    assert free.judged.sides == ("seven-seven-45", "tie-9")
    limits = free.sides["upper_per_shoe_99"].to_list()
    lower = free.sides["lower_per_shoe_99"].to_list()[2]
    for bound, verdict in ((limits[2] * 1.01, "MET"), (limits[2] * 0.999, "UNDECIDED"), (lower * 0.99, "NOT MET")):
        bounded = again(free, bound=f"{bound:.6f}/shoe")
        assert bounded.verdict is not None
        assert bounded.verdict.value == verdict
        assert bounded.met is (verdict == "MET")
        assert sentences(bounded)[0].startswith(f"{verdict}. Under these rules, ")
    assert free.mains["bet"].to_list() == ["player", "banker", "tie-9"]
    singly = sentences(free)[1:]
    assert [line.partition('"')[2].partition('"')[0] for line in singly[-2:]] == ["7-7, 45 to 1", "Tie, 9 to 1"]
    assert f"no counter wins more than {amount(limits[0], True)} (each with 99% confidence)" in singly[-2]


def test_a_bound_that_more_shoes_may_decide(
    free: Statement, seated: tuple[Statement, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = free.figure(free.judged)
    needed = []
    for between in ((figures.upper.value + figures.upper.limit) / 2, (figures.lower.value + figures.lower.limit) / 2):
        said = sentences(again(free, bound=f"{between:.6f}/shoe"))[0]
        assert said.startswith("UNDECIDED. ")
        (about,) = re.findall(r"About ([0-9,]+) shoes would probably decide between MET and NOT MET\.", said)
        needed.append(int(about.replace(",", "")))
    assert 4000 < min(needed) <= max(needed) < 400_000
    near = again(free, bound=f"{figures.lower.value + 1e-6:.9f}/shoe")
    assert isinstance(near.deciding, int)
    assert near.deciding > max(needed)
    monkeypatch.setattr("counting.bounds.deciding.MOST_ADVISED", max(needed))
    assert near.deciding is Gap.CLOSE
    assert "is so close to what the best counter wins that even" in sentences(near)[0]
    monkeypatch.undo()
    (seat_bracket,) = seated[0].brackets
    apart = replace(
        seat_bracket, shoes=seat_bracket.shoes.with_columns(upper=pl.col("upper") + 1)
    )  # the figures differ by 14 errors or more
    figures = seated[0].figure(apart)
    bound = f"{(figures.lower.value + figures.upper.value) / 2:.6f}/shoe"
    between = again(replace(seated[0], brackets=(apart,)), bound=bound)
    assert between.deciding is Gap.METHOD
    assert sentences(between)[0].endswith("comes from the method, not from the sample, so more shoes do not close it.")
    later = replace(
        seat_bracket, error=10 * seat_bracket.upper.error
    )  # the error comes from other shoes, as for a rebate over a day
    figures = seated[0].figure(later)
    bound = f"{(figures.upper.value + figures.upper.limit) / 2:.6f}/shoe"
    assert again(replace(seated[0], brackets=(later,)), bound=bound).deciding is Gap.METHOD


@pytest.mark.parametrize(("bound", "verdict"), [("99/shoe", "MET"), ("0.0001/shoe", "NOT MET"), ("9999/hour", "MET")])
def test_the_bound_is_held_against_both_figures(seated: tuple[Statement, Path], bound: str, verdict: str) -> None:
    statement = again(seated[0], bound=bound)
    assert statement.verdict is Verdict(verdict)
    said = sentences(statement)[0]
    assert said.startswith(f"{verdict}. Under these rules")
    limit, per = bound.split("/")
    assert said.endswith(f". The limit is {float(limit):,.10g} {'units ' * (per == 'shoe')}per {per}.")


def test_without_a_bound_there_is_no_verdict(seated: tuple[Statement, Path]) -> None:
    statement = again(seated[0], bound=None)
    assert (statement.verdict, statement.met, statement.per) == (None, None, "hour")
    assert sentences(statement)[0].startswith("Under these rules with bets of up to ")


def test_in_money(free: Statement) -> None:
    statement = again(free, bound="1000/hour", coups_per_hour=Amount("60"))
    figures = statement.figure(statement.judged)
    coups = statement.judged.shoes["coups"].sum()
    won = statement.judged.shoes["upper"].sum() / coups * 60 * float(statement.rules.stake or 0)
    assert figures.lower.value == figures.upper.value == pytest.approx(won)
    assert sentences(statement)[0] == (
        'MET. Under these rules with bets of up to 30 on "7-7, 45 to 1" and "Tie, 9 to 1", no counter wins more than '
        f"{ceil(figures.upper.limit)} per hour at this table (99% confidence). The limit is 1,000 per hour."
    )


@pytest.mark.parametrize(
    ("value", "up", "said"),
    [
        (1.2341, True, "1.24"),
        (1.2341, False, "1.23"),
        (1.2341, None, "1.23"),
        (0.12341, True, "0.124"),
        (0.012341, True, "0.0124"),
        (-0.5, True, "-0.500"),
        (0.0, True, "0"),
        (0.00001, True, "0.0001"),
        (0.00001, None, "less than 0.0001"),
        (-0.00001, None, "> -0.0001"),
        (1234.5, None, "1,234.50"),
        (1.23, True, "1.23"),
    ],
)
def test_a_limit_is_rounded_away_from_what_it_bounds(value: float, up: bool | None, said: str) -> None:
    assert amount(value, up) == said


@pytest.mark.parametrize(
    ("value", "bound", "up", "said"),
    [
        (10.1187, 10, True, "10.12"),  # not rounded to 11, because the limit is 10
        (10.1187, None, True, "11"),
        (1000.004, 1000, None, "1,000.004"),
        (999.5, 1000, False, "999.50"),
        (998.7, 1000, True, "999"),
        (1001.2, 1000, False, "1,001"),
        (1200.4, 1000, None, "1,200"),
        (9.5, 1000, True, "9.50"),
    ],
)
def test_money_is_whole_unless_it_is_within_1_of_the_bound(
    value: float, bound: float | None, up: bool | None, said: str
) -> None:
    assert money(value, bound, up) == said


@given(st.integers(0, 10**6), st.integers(-3000, 3000), st.sampled_from([None, True, False]))
def test_money_stays_on_its_side_of_the_bound(bound: int, thousandths: int, up: bool | None) -> None:
    value = bound + thousandths / 1000
    shown = float(money(value, bound, up).replace(",", ""))
    assert (shown > bound, shown < bound) == (value > bound, value < bound)
    assert up is None or (shown >= value - 1e-8 if up else shown <= value + 1e-8)


@pytest.mark.usefixtures("quick")
def test_a_side_bet_that_cannot_hold_a_seat_is_not_judged_alone(tmp_path: Path) -> None:
    """Only one of two side bets holds the seat, so the other can be made only together with it."""
    changes = {
        "tie_in": None,
        "side_share": None,
        "maximum": None,
        "stand": None,
        "most_skipped": "0",
        "decks": "3",
        "cut": "60",
    }
    names = '["seven-seven-45", "big-win-player-35"]'
    rules = load_house(written(tmp_path, side_bets=names, holds_seat='["seven-seven-45"]', **changes))
    statement = statements.state(rules, rules.plan(2000, 3), tmp_path, fit=300)
    assert statement.sides["bet"].to_list() == ["seven-seven-45", "seven-seven-45 + big-win-player-35"]
    assert (
        'A bet on "7-7, 45 to 1" holds the seat. Side bets are assumed to be 1 or more, because the rules name no least'
        in sentences(statement)[3]
    )
    one, both = statement.sides.iter_rows(named=True)
    assert both["upper_per_shoe_99"] > one["lower_per_shoe"]


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
    names = [name for name in shipped("bounds/houses") if name.startswith("louisiana")]
    assert names == ["louisiana-40", "louisiana-45-most-25", "louisiana-45-quarter", "louisiana-45-shuffle-75"]
    rules = {name: load_house(name) for name in names}
    assert [rules[name].limits.needed for name in names] == [1, 0, 4, 0]
    assert [rules[name].dealing.cut for name in names] == [14, 14, 14, 104]
    assert rules[names[1]].stake == 25


def test_the_shipped_rules_of_macau_are_dealt_by_its_procedures() -> None:
    names = [name for name in shipped("bounds/houses") if name.startswith("macau")]
    rules = {name: load_house(name) for name in names}
    assert {name: each.dealing for name, each in rules.items()} == {
        "macau-lucky-6": Dealing.named("macau"),
        "macau-pairs": Dealing.named("macau-first-card"),
    }
    assert all(each.stake is None and not each.house.tied for each in rules.values())


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"cut": None}, "cut: missing"),
        ({"cut": "500"}, "cut: 500, should be a whole number from 0 to 301"),
        ({"cut": '"half"'}, 'cut = "half": should be a whole number of cards, or decks as "1.5 decks"'),
        ({"cut": "26.5"}, "cut = 26.5: should be a whole number"),
        ({"title": None}, "title: missing"),
        ({"game": '"louisana"'}, "game 'louisana': should be one of .*; did you mean 'louisiana'"),
        ({"side_bets": '["seven-seven"]'}, "bet 'seven-seven': louisiana has"),
        ({"side_bets": '"seven-seven-45"'}, "side_bets = .*: should be a list of names of bets, one or more"),
        ({"main_bets": '["dealer"]'}, "bet 'dealer': louisiana has"),
        ({"tie_in": "-1"}, 'tie_in = -1: should be a number of units from 0 to 1,000, as 1, 0.5 or 1/3, or "minimum"'),
        ({"tie_in": "true"}, "tie_in = true: should be a number of units from 0"),
        ({"tie_in": '"minimum"', "minimum": None}, "minimum: missing, should be the least main bet"),
        ({"side_share": "0"}, "side_share = 0: should be a number above 0"),
        ({"minimum": "50"}, "maximum = 40: should be the minimum, 50, or more"),
        ({"most_bet": None, "bound": '"5/hour"'}, "most_bet: missing, a bound in money needs it"),
        ({"bound": '"5"'}, 'bound = "5": should be an amount per shoe'),
        ({"burn": '"two"'}, 'burn = "two": should be none, first-card, or 1 to 52 cards'),
        ({"bound": '"5, 6"'}, 'bound = "5, 6": should be an amount per shoe'),
        ({"after_cut": '"3"'}, 'after_cut = "3": should be one of 0,0'),
        ({"most_skipped": "1.5"}, "most_skipped = 1.5: should be a whole number from 0 to 1,000, or left out"),
        ({"rebate": "2"}, "rebate = 2: should be a number from 0, at most 1"),
        ({"minimum": None, "tie_in": None, "side_share": None}, "minimum: missing, should be the least main bet"),
        ({"loss_rebate": "1.5"}, "loss_rebate = 1.5: should be a number from 0, at most 1"),
        ({"loss_rebate_above": "5"}, "loss_rebate_above: needs loss_rebate, the share of the loss that is paid back"),
        (
            {"loss_rebate": '"5%"', "loss_rebate_over": "0"},
            "loss_rebate_over = 0: should be a whole number of shoes from 1 to 20",
        ),
        (
            {"loss_rebate": '"5%"', "loss_rebate_above": "5", "most_bet": None},
            r"most_bet: missing, a loss in money \(loss_rebate_above\) needs it",
        ),
        ({"least_bet": "0"}, "least_bet = 0: should be a number above 0"),
        (
            {"least_bet": "45", "most_bet": "50"},
            "least_bet = 45: should be 40 or less, the most that the maximum and the requirement allow",
        ),
        ({"least_bet": "31"}, "least_bet = 31: should be most_bet, 30, or less"),
        (
            {"holds_seat": '"side"'},
            'holds_seat = "side": should be "any", "main" for the main bets, or a list of names',
        ),
        ({"holds_seat": "[]"}, r'holds_seat = \[\]: should be "any", "main"'),
        ({"holds_seat": '["tie-8"]'}, "holds_seat: 'tie-8', should be one of seven-seven-45, player, banker"),
        ({"holds_seat": '["bankr"]'}, "holds_seat: 'bankr', should be one of .*; did you mean 'banker'"),
        (
            {"holds_seat": '"main"', "mid_shoe_entry": None, "most_skipped": None},
            "holds_seat: needs mid_shoe_entry = false: with mid-shoe entry no seat has to be held",
        ),
        ({"bound_covers": '"main"'}, "bound_covers = \"main\": should be 'all' or 'side'"),
        ({"bound_covers": '"all"', "maximum": None}, 'bound_covers = "all": needs maximum: without it nothing bounds'),
        (
            {"bound_covers": '"all"', "most_bet": None, "tie_in": None, "side_share": None},
            'most_bet: missing, should be the largest side bet in money where bound_covers = "all"',
        ),
        ({"most_skipped": "0", "minimum": None}, "minimum: missing, should be the least main bet, in money"),
        ({"after_cut": "[1, 0]"}, "after_cut = .*: should be one of 0,0"),
        (
            {"mid_shoe_entry": None},
            "most_skipped: needs mid_shoe_entry = false: with mid-shoe entry any coup can be skipped",
        ),
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
    said = capsys.readouterr().err
    assert said.startswith(f"counting: {path}: ")
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("quick")
def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["statement", "louisiana-45-shuffle-75", "--shoes", "2000", "--out", str(tmp_path / "out")]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("Under these rules, a counter wins at least 0.")
    assert main([*command, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["stated"][0] in printed
    assert main([*command, "--format", "csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1 + 1
    assert main(["statement", "louisiana-45-quarter", "--shoes", "2000", "--out", str(tmp_path / "out")]) == 2
    assert "another" in capsys.readouterr().err
    assert main([*command[:2], "--shoes", "1999", "--out", str(tmp_path / "few")]) == 2
    assert capsys.readouterr().err.startswith("counting: shoes: 1999, should be 2,000 or more")
    assert main([*command[:2], "--strict", "--out", str(tmp_path / "few")]) == 2
    assert capsys.readouterr().err == ("counting: --strict: needs a bound, louisiana-45-shuffle-75 has none\n")
    assert not (tmp_path / "few").exists()


def test_strict_is_of_a_bound_that_is_met(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--shoes", "2000", "--out", str(tmp_path / "out")]
    for bound, verdict, status in (("99/shoe", "MET", 0), ("0.001/shoe", "NOT MET", 1), ("1.36/shoe", "UNDECIDED", 1)):
        path = written(tmp_path, bound=f'"{bound}"', **FREE)
        assert main(["statement", str(path), "--strict", *out]) == status
        assert capsys.readouterr().out.startswith(f"{verdict}. ")
        assert main(["statement", str(path), *out]) == 0
        capsys.readouterr()


@pytest.mark.usefixtures("quick")
def test_a_wider_fit_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, stand=None, cut="150", decks=long_or("6", "4"))
    command = ["statement", str(path), "--shoes", "2000", "--out", str(tmp_path / "out"), "--format", "json"]
    assert main([*command, "--fit", "300"]) == 0
    assert json.loads(capsys.readouterr().out)["sides"][0]["fitted"] == 300
    assert main([*command[:4], "--fit", "100", "--out", str(tmp_path / "other")]) == 2
    assert capsys.readouterr().err == "counting: shoes to fit to: 100, should be a whole number from 200 to 200,000\n"


@pytest.mark.usefixtures("quick")
def test_a_counter_who_can_only_lose_stays_away(tmp_path: Path) -> None:
    rules = load_house(written(tmp_path, most_skipped="0", cut="150", rebate=None))
    statement = statements.state(rules, rules.plan(2000, 3), tmp_path, fit=300)
    assert statement.sides["lower_per_shoe"].item() >= 0
    gone = Statement(rules, statement.plan, (_never(statement),))
    assert gone.verdict is Verdict.UNDECIDED  # seeing no shoe with a gain does not prove that there is none
    assert gone.figure(gone.judged).upper.limit == inf


def _never(statement: Statement) -> Any:
    return replace(statement.judged, shoes=statement.judged.shoes.with_columns(lower=pl.lit(0.0), upper=pl.lit(0.0)))


def test_the_statement_says_what_it_assumes(free: Statement) -> None:
    lines, dealing = sentences(free), free.rules.dealing
    (assumed,) = (line for line in lines if line.startswith("The shoes are dealt in this way: "))
    for words in (f"{dealing.decks} decks", f"{dealing.cut} cards behind", "well shuffled", "edge sorting"):
        assert words in assumed
    assert lines == report(free).data["stated"]
    (computation,) = (each.text for each in report(free).sections if each.title == "Computation")
    assert "8/√k standard errors" in computation
    assert "found by tests on skewed samples; it is not proved" in computation
    of_others = replace(free, brackets=tuple(replace(each, rare=limits(3, 0.25, 4)) for each in free.brackets))
    assert not any("8/√k" in each.text for each in report(of_others).sections)
