"""What a statement says about remedies, about counting on main bets alone, and about money."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lighter import lighten

import counting
from counting import InputError
from counting.bounds import HouseRules
from counting.cli import main
from counting.reports.statement import sentences

PIT: dict[str, Any] = {
    "title": "Pit 3", "game": "ez-baccarat", "side_bets": ["dragon-7", "panda-8"], "cut": 14, "minimum": 25,
    "most_bet": 100, "bound": "30/hour",
}  # fmt: skip
MAINS = {"title": "Pit 4", "game": "no-commission", "side_bets": [], "cut": 14, "minimum": 25, "maximum": 5000}
pytestmark = pytest.mark.usefixtures("few_weighted", "limits_once", "undrawn")


@pytest.mark.long
def test_the_answer_names_each_change_that_meets_the_bound() -> None:
    answer = counting.statement(PIT, shoes=2000)
    remedies = answer.data["remedies"]
    assert answer.verdict == "NOT MET"
    assert answer.answer.endswith(
        f"Each of these changes alone meets the limit: side bets of up to {remedies['most_bet']}; {remedies['cut']} "
        "cards behind the cut card."
    )
    assert remedies["tie_in"] is None
    assert remedies["reasons"] == {"tie_in": "no larger requirement up to 8 units is shown to meet the limit"}
    assert all(0 < limit < 30 for limit in remedies["upper_99"].values())
    (shown,) = (section for section in answer.report.sections if section.title == "What would meet the limit")
    assert [row[2] for row in shown.rows] == [
        str(remedies["most_bet"]), str(remedies["cut"]),
        "none: no larger requirement up to 8 units is shown to meet the limit",
    ]  # fmt: skip
    for change in ({"most_bet": remedies["most_bet"]}, {"cut": remedies["cut"]}):
        again = counting.statement(PIT | change, shoes=2000)
        assert again.verdict == "MET"
        assert "remedies" not in again.data


def test_where_no_change_meets_it_the_answer_says_so() -> None:
    answer = counting.statement(PIT | {"bound": "0.001/shoe", "tie_in": 8, "decks": 1, "cut": 26}, shoes=2000)
    assert answer.answer.endswith("No change of a single rule is known to meet the limit.")
    reason = "the limit is in units of the side bet, so the size of this bet does not matter"
    assert answer.data["remedies"]["reasons"]["most_bet"] == reason


_NO_MONEY = re.compile(
    r"Panda 8|[0-9]+ to 1\b|[0-9.]+%|[0-9]+ (?:decks?|cards behind|tables|hours)|card [0-9]\b"
)  # numbers that are not money, with the words around them


@pytest.fixture(scope="module")
def bare() -> counting.Answer:
    """A statement without a currency, whose sentences have many amounts of money."""
    held = {"mid_shoe_entry": False, "maximum": 5000, "loss_rebate": 0.05, "loss_rebate_above": 1000}
    rules = PIT | {"bound": "20/hour", "side_bets": ["panda-8"], "decks": 1, "hours": 8, "tables": 2} | held
    with pytest.MonkeyPatch.context() as patch:
        lighten(patch.setattr)
        return counting.statement(rules, shoes=2000, fit=300)


@pytest.mark.usefixtures("worth_once")
@pytest.mark.parametrize(("currency", "money"), [("$", r"\$([0-9][0-9,.]*)"), ("EUR", r"([0-9][0-9,.]*) EUR")])
def test_the_currency_stands_on_every_amount_of_the_sentences(currency: str, money: str, bare: counting.Answer) -> None:
    statement = bare.result
    house = statement.rules.house.model_copy(update={"currency": currency})
    rules = HouseRules(house, statement.rules.game, statement.rules.dealing)
    priced = sentences(replace(statement, rules=rules))
    assert [re.sub(money, r"\1", line) for line in priced] == list(bare.sentences)
    for line in priced:
        left = _NO_MONEY.sub("", re.sub(money, "", line))
        assert not re.search("[0-9]", left), f"a number without its currency: {left}"
    verdict = re.sub(money, "M", priced[0])
    assert "at least M per hour" in verdict
    assert "more than M (each" in verdict
    assert "The limit is M per hour" in verdict
    assert sum(bool(re.search(money, line)) for line in priced[1:]) > 4


@pytest.mark.long
def test_main_bets_alone_are_stated_in_units_of_the_largest() -> None:
    answer = counting.statement(MAINS | {"decks": 2, "bound": "10/hour", "currency": "EUR"}, shoes=2000)
    assert "Under these rules with main bets of up to 5,000 EUR, " in answer.answer
    assert f"main bets of up to {answer.data['remedies']['maximum']} EUR" in answer.answer
    assert answer.data["bound_covers"] == "all"
    assert answer.data["remedies"]["most_bet"] is None
    assert answer.data["remedies"]["reasons"]["tie_in"] == "there is no side bet"
    (row,) = answer.data["sides"]
    assert (row["bet"], row["sides_per_shoe"]) == ("player + banker + tie-8", 0)
    assert row["upper_money_per_hour"] / row["upper_per_100_coups"] == pytest.approx(5000 * 70 / 100)
    units = counting.statement(MAINS | {"decks": 2, "bound": "0.05/shoe"}, shoes=2000)
    assert "units of the main bet per shoe" in units.answer


def test_main_bets_alone_win_what_each_wins() -> None:
    """Any main bets may be made together, so the best counter wins the sum of what each wins alone."""
    shoes = counting.statement(MAINS | {"decks": 1}, shoes=2000).result.judged.shoes
    each = [shoes[f"alone-{bet}"] for bet in ("player", "banker", "tie-8")]
    assert shoes["upper"].to_list() == pytest.approx(sum(each[1:], each[0]).to_list())
    assert shoes["upper"].sum() > 0


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"maximum": None}, "maximum: missing, should be the largest main bet, in money, where there are no side bets"),
        ({"most_bet": 100}, "most_bet: needs side_bets, should be left out where there are none"),
        ({"tie_in": 1}, "tie_in: needs side_bets, should be left out where there are none"),
        ({"bound_covers": "side"}, "bound_covers: needs side_bets, should be left out where there are none"),
        ({"side_bets": "none"}, "side_bets = \"none\": should be a list of names of bets, one or more"),
    ],
)  # fmt: skip
def test_rules_on_side_bets_need_side_bets(changes: dict[str, Any], says: str) -> None:
    rules = {name: value for name, value in (MAINS | changes).items() if value is not None}
    with pytest.raises(InputError, match=re.escape(says)):
        counting.statement(rules, shoes=2000)


def test_casino_table_and_date_stand_below_the_title(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = {"casino": "Grand Casino", "table": "12", "currency": "EUR", "date": "2027-01-31"}
    file = tmp_path / "pit.toml"
    file.write_text("\n".join(f"{key} = {json.dumps(value)}" for key, value in (PIT | names).items()))
    assert main(["statement", str(file), "--shoes", "2000", "--out", str(tmp_path / "out"), "--format", "json"]) == 0
    shown = capsys.readouterr()
    assert shown.err.startswith("NOT MET. Under these rules with bets of up to "), "the verdict comes first"
    assert "Each of these changes" not in shown.err
    page = (tmp_path / "out" / "statement.html").read_text()
    for name, value in names.items():
        assert f"<dt>{name}</dt><dd>{value}</dd>" in page
