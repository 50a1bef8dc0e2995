"""Limits from a file of house rules, and two sets of rules side by side."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import left_out
import pytest

import counting
from counting import InputError
from counting.bounds import Amount, Comparison, Estimate, Figure, HouseRules, Pit, load_house
from counting.reports.compare import _gains, differing, report
from counting.requests import LimitsRequest
from counting.requests.hosts import Host

PIT = """title = "Pit 3"
game = "ez-baccarat"
side_bets = ["dragon-7"]
main_bets = ["player", "banker"]
decks = 6
cut = 26
burn = "first-card"
after_cut = "1,1"
tie_in = 0.5
side_share = "1/2"
most_bet = 30
least_bet = 5
minimum = 25
maximum = 200
rebate = 0.005
bound_covers = "side"
coups_per_hour = 55
bound = "5/hour"
"""
pytestmark = pytest.mark.usefixtures("few_weighted", "limits_once")


@pytest.fixture(autouse=True)
def _no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out.figures(monkeypatch)


@pytest.fixture
def pit(tmp_path: Path) -> Path:
    file = tmp_path / "pit.toml"
    file.write_text(PIT)
    return file


def question(file: Path, **options: Any) -> Any:
    return LimitsRequest(file, **options).question(Host("counting limits pit.toml"))


def test_every_rule_of_the_file_is_a_term(pit: Path) -> None:
    asked, rules = question(pit, shoes=3000), load_house(pit)
    terms, plan = asked.terms, asked.plan
    assert (plan.game.digest, plan.dealing, plan.shoes) == (rules.game.digest, rules.dealing, 3000)
    assert (terms.bets, terms.main, terms.most_bets) == (rules.side_bets, rules.main, (30,))
    assert terms.limits(rules.limits.tie_in) == rules.limits
    assert (float(terms.rebate), asked.in_force, asked.coups_per_hour) == (0.005, 0.5, 55.0)
    assert [model.name for model in terms.models] == ["sit-out"]
    assert asked.bound == rules.house.bound
    stakes = terms.limits(rules.limits.tie_in).stakes(terms.bets, terms.main, terms.most_bets[0])
    assert stakes.key == rules.seat.stakes.key


def test_a_main_bet_with_any_side_bet_is_a_term(pit: Path) -> None:
    pit.write_text(PIT.replace("tie_in = 0.5", 'tie_in = "minimum"'))
    asked, rules = question(pit), load_house(pit)
    assert asked.in_force == 0
    assert asked.terms.limits(rules.limits.tie_in) == rules.limits
    assert asked.terms.table.main_needed


@pytest.mark.parametrize(("skipped", "model"), [("most_skipped = 3", "skip-3:any"), ("", "no-entry:any")])
def test_the_counter_is_that_of_the_file(pit: Path, skipped: str, model: str) -> None:
    pit.write_text(f'{PIT}mid_shoe_entry = false\nholds_seat = "main"\n{skipped}\n')
    asked, rules = question(pit), load_house(pit)
    assert [each.name for each in asked.terms.models] == [model]
    (seat,) = {case.player for case in asked.terms.cases(asked.plan) if case.tie_in == rules.limits.tie_in}
    assert seat == rules.seat


def test_an_option_overrides_the_file(pit: Path) -> None:
    given = {"minimum": 0, "rebate": 0, "cut": 14, "most_bet": [10, 20], "bound": "1/shoe", "model": "play-all",
             "in_force": 0, "coups_per_hour": 70, "bet": "panda-8", "side_share": "1/4"}  # fmt: skip
    asked = question(pit, **given)
    assert (asked.terms.table.minimum, asked.terms.rebate, asked.plan.dealing.cut) == (0, 0, 14)
    assert asked.plan.dealing.burn == "first-card"
    assert (asked.terms.most_bets, str(asked.bound), asked.in_force) == ((10, 20), "1/shoe", 0.0)
    assert (asked.coups_per_hour, asked.terms.bets, asked.terms.table.side_share) == (70.0, ("panda-8",), 0.25)
    assert [model.name for model in asked.terms.models] == ["play-all"]
    assert question(pit, dealing="seventh-last").plan.dealing == counting.Dealing(6, 7, "first-card", (0, 0))


@pytest.mark.long
def test_the_rule_in_force_has_the_figure_of_the_statement(pit: Path) -> None:
    limits, statement = counting.limits(pit, tie_in=0.5, deepest=26, shoes=2000), counting.statement(pit, shoes=2000)
    (row,) = limits.tables["frontier"].filter(tie_in=0.5, cut=26).to_dicts()
    (stated,) = statement.data["sides"]
    assert row["upper_money_per_hour"] == pytest.approx(stated["upper_money_per_hour"], rel=1e-6)
    assert limits.verdict == statement.verdict
    assert "counting limits pit.toml" in limits.to_html()


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (PIT.replace('bound = "5/hour"\n', ""), {}, "bound: missing, should be given, or GAME should be a file"),
        (PIT.replace('["dragon-7"]', "[]").replace("tie_in = 0.5\nside_share = \"1/2\"\nmost_bet = 30\nleast_bet = 5\n",
         "").replace('bound_covers = "side"\n', ""), {}, "side_bets = []: limits compares side bets"),
        (PIT + "loss_rebate = 0.1\nloss_rebate_above = 100\n", {}, "loss_rebate_above: limits supports a rebate"),
        (PIT.replace("cut = 26", "cut = -1"), {}, "pit.toml: cut"),
        (PIT, {"least_bet": 40}, "least-bet 40: should be 30 or less"),
    ],
)  # fmt: skip
def test_what_the_file_lacks_or_limits_does_not_take(pit: Path, text: str, options: Any, says: str) -> None:
    pit.write_text(text)
    with pytest.raises(InputError, match=re.escape(says)):
        question(pit, **options)


def test_a_game_s_file_is_still_a_game(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text((Path(counting.__file__).parent / "games" / "louisiana.toml").read_text())
    asked = question(file, bet="tie-9", bound="1/shoe")
    assert asked.plan.game.title == "Louisiana Baccarat"
    with pytest.raises(InputError, match=r"^bet: missing, should be given"):
        question(file, bound="1/shoe")


@pytest.fixture(scope="module")
def rules() -> dict[str, Any]:
    return {
        "title": "As now", "game": "ez-baccarat", "side_bets": ["dragon-7"], "cut": 14, "minimum": 25, "most_bet": 100,
        "currency": "$", "bound": "20/hour",
    }  # fmt: skip


def at_tables(compared: Comparison, **keys: Any) -> Comparison:
    """The comparison with the same figures, but with these keys of the second rules changed, and for three tables."""
    second = compared.second
    house = second.rules.house.model_copy(update=keys)
    changed = HouseRules(house, second.rules.game, second.rules.dealing)
    return replace(compared, second=replace(second, pit=Pit(3), rules=changed))


def test_the_change_lies_between_the_limits_of_both_statements(rules: dict[str, Any]) -> None:
    proposed = rules | {"title": "Proposed", "cut": 104, "most_bet": 50}
    answer = counting.compare(rules, proposed, shoes=2000)
    compared = answer.result
    assert isinstance(compared, Comparison)
    for given, of_it in ((rules, compared.first), (proposed, compared.second)):
        same = counting.statement(given, shoes=2000).result
        assert of_it.limits(of_it.judged) == same.limits(same.judged)
    first, second = compared.figures
    least, most = compared.change
    assert least == second.lower.limit - first.upper.limit
    assert most == second.upper.limit - first.lower.limit
    assert least < second.upper.value - first.upper.value < most < 0
    assert answer.answer.startswith(
        'The verdict is NOT MET with "As now" and MET with "Proposed". Counters at a table win less with "Proposed": '
    )
    assert [row[0] for row in differing(compared)] == ["dealing", "side bet at most, money"]
    assert answer.data["change"] == {"at_least": least, "at_most": most}
    apart = ", with the rebate settled at each table separately"
    for keys, of_least, of_most in (
        ({}, "", ""),
        ({"loss_rebate": Amount("0.1")}, apart, ""),
        ({"loss_rebate": Amount("0.1"), "loss_rebate_above": Amount("5")}, apart, apart),
    ):
        page = report(at_tables(compared, **keys))
        labels = [row[0] for section in page.sections for row in section.rows]
        assert f"a counter at each table{of_least}, at least (99%)" in labels
        assert f"a counter at each table, or one who moves{of_most}, at most (99%)" in labels
    back = counting.compare(proposed, rules, shoes=2000)
    assert back.result.change == pytest.approx((-most, -least))
    assert 'Counters at a table win more with "As now"' in back.answer


def test_rules_that_differ_in_their_title_alone_show_no_difference(rules: dict[str, Any]) -> None:
    answer = counting.compare(rules, rules | {"currency": "EUR"}, shoes=2000)
    assert "These shoes show no difference" in answer.answer
    assert differing(answer.result) == []
    assert answer.tables["comparison"]["rules"].to_list() == ["First rules", "Second rules"]
    assert "$" not in answer.answer, "the rules agree on no currency"
    least, most = answer.result.change
    assert least < 0 < most


def test_theoretical_win_is_that_of_the_same_players(rules: dict[str, Any]) -> None:
    """An earlier cut card reduces the number of coups. A lower largest bet caps the players' side bets."""
    proposed = rules | {"title": "Proposed", "most_bet": 5}
    kwargs: dict[str, Any] = {"shoes": 2000, "players": 2, "average_bet": 100, "average_side_bet": 10}
    first, second = counting.compare(rules, proposed, **kwargs).result.worths
    edges = counting.exact_edges(counting.load_game("ez-baccarat").also(["dragon-7"]), counting.Shoe.decks(8))
    main = -float(edges["player"] + edges["banker"]) / 2 * 100 * 2
    whole = main + 2 * -float(edges["dragon-7"]) * 10
    assert first.theo_per_shoe / first.coups_per_shoe == pytest.approx(whole, rel=1e-3)
    assert main < second.theo_per_shoe / second.coups_per_shoe < whole
    assert second.theo_per_hour == pytest.approx(70 * second.theo_per_shoe / second.coups_per_shoe)
    assert second.coups_per_shoe == first.coups_per_shoe


def test_rules_without_a_largest_bet_are_compared_in_units(rules: dict[str, Any]) -> None:
    units = {name: value for name, value in rules.items() if name != "most_bet"} | {
        "bound": "0.5/shoe",
        "title": "Units",
    }
    answer = counting.compare(rules, units, shoes=2000)
    assert answer.data["unit"] == "units_per_shoe"
    assert "units per shoe" in answer.answer


def test_a_counter_is_never_said_to_win_if_no_win_was_found(rules: dict[str, Any]) -> None:
    def figure(least: float, most: float) -> Figure:
        return Figure(Estimate(least, 0.1, least), Estimate(most, 0.1, most))

    compared = counting.compare(rules, rules | {"title": "Proposed"}, shoes=2000).result
    for first, second, said in (
        (figure(-0.5, 3), figure(-2, -1), "These shoes show no difference"),
        (
            figure(1, 3),
            figure(-2, -1),
            'more than $0 per hour with these rules. With "As now", a counter wins at least',
        ),
        (figure(-2, -1), figure(-0.5, 3), "These shoes show no difference"),
        (figure(-2, -1), figure(1, 3), 'With "As now", no counter wins more than $0.'),
    ):
        assert said in _gains(_Compared(compared, (first, second)))


class _Compared(Comparison):
    """A comparison with these figures in place of its own."""

    def __init__(self, compared: Comparison, figures: tuple[Figure, Figure]) -> None:
        super().__init__(compared.first, compared.second, compared.patronage)
        vars(self)["_figures"] = figures

    @property
    def figures(self) -> tuple[Figure, Figure]:
        return vars(self)["_figures"]  # type: ignore[no-any-return]
