"""The sentences on error rates, each for a log that could make it false; and the sentences on planning a review."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import counting
from counting.cards import CARDS
from counting.requests import Answer
from counting.review import Audit

Ask = Callable[..., Answer[Audit]]
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """A function that audits a log of coups. In the coups `wrong` Banker draws against a natural; all others follow
    the rules."""
    monkeypatch.chdir(tmp_path)

    def audited(coups: int, wrong: set[int] = frozenset(), more: Callable[[int], str] = lambda n: ",",
                bets: str = "", **asked: str) -> Answer[Audit]:  # fmt: skip
        rng, rows = random.Random(1), []
        nines, others = ([card for card in CARDS if card[:-1] in of] for of in (("9",), ("10", "J", "Q", "K")))
        for n in range(coups):
            hands = [rng.choice(nines), rng.choice(others)], [rng.choice(others), rng.choice(others)]
            if n in wrong:
                hands[1].append("2s")
            rows.append(f"T1,{n // 8},{n % 8 + 1},{' '.join(hands[0])},{' '.join(hands[1])},{more(n)}")
        Path("coups.csv").write_text("table,shoe,coup,player,banker,dealer,time\n" + "\n".join(rows))
        Path("bets.csv").write_text("table,shoe,coup,patron,bet,amount,won\n" + bets)
        if bets:
            asked["bets"] = "bets.csv"
        return counting.audit("punto-banco", coups="coups.csv", **asked)

    return audited


def page(answer: Answer[Audit]) -> str:
    return " ".join(answer.sentences)


def test_a_dealer_with_more_errors_is_named_first(asked: Ask) -> None:
    answer = asked(240, {*range(0, 80, 4)}, lambda n: f"{'ABC'[n // 80]},{n % 24}:30")
    text = page(answer)
    assert "20 of 240 coups that can be judged have an error of dealing. This is 8,333 per 100,000 coups" in text
    assert (
        "Dealer A has more errors of dealing per coup than the other dealers together: 25,000 per 100,000 coups "
        "against 0" in text
    )
    assert "has fewer" not in text
    assert answer.tables["rates"].height == 1 + 3 + 3
    assert answer.data["costs"][0]["kind"] == "card-drawn"
    assert "How often errors occur" in answer.to_html()
    assert "What errors cost" in answer.to_html()


def test_without_errors_the_rule_of_three_is_in_words(asked: Ask) -> None:
    text = page(asked(60, more=lambda n: f"{'AB'[n % 2]},"))
    assert "None of 60 coups that can be judged has an error of dealing" in text
    assert "the rate is at most 4,871 per 100,000 coups. (This is the rule of three" in text  # 1 - 0.05 ** (1 / 60)
    assert "differ" not in text
    assert "per unit on Player" not in asked(60).to_html()


def test_few_coups_are_no_proof_of_equal_rates(asked: Ask) -> None:
    text = page(asked(40, {1, 7}, lambda n: f"{'AB'[n % 2]},"))
    assert "Among dealers, no rate differs significantly from the rate of the others, at a level of 0.01" in text
    assert "this does not prove that the rates are equal" in text
    left_out = "Of 40 coups, the comparison by time of day leaves out 40 without a readable time of day."
    assert left_out in text


def test_one_dealer_or_none_is_said(asked: Ask) -> None:
    assert "The log names only one dealer, so dealers cannot be compared." in page(asked(40, {1}, lambda n: "A,"))
    without = "leaves out 40 without a dealer's name, and the comparison by time of day leaves out 40 without"
    assert without in page(asked(40, {1}))


def test_shifts_are_those_asked_for(asked: Ask) -> None:
    answer = asked(48, {0}, lambda n: f",{n % 24}:00", shifts="07:00,19:00")
    names = answer.tables["rates"].filter(by="shift")["name"].to_list()
    assert names == ["07:00-19:00", "19:00-07:00"]
    with pytest.raises(counting.InputError, match="shifts: 'noon'"):
        asked(8, shifts="noon")


def test_money_is_summed_over_the_bets_of_the_log(asked: Ask) -> None:
    text = page(asked(16, {0}, bets="T1,0,1,X,player,100,\n"))
    assert "Each error that is priced changed what the patrons in the log could expect to win" in text
    assert " from what they could expect under the rules" in text
    assert "could expect to win" not in page(asked(16, {0}))


def test_coups_without_a_rate_are_counted(asked: Ask) -> None:
    answer = asked(40, {1})
    lines = Path("coups.csv").read_text().replace("9", "?", 1)
    Path("coups.csv").write_text(lines)
    text = page(counting.audit("punto-banco", coups="coups.csv"))
    assert "In 1 of 40 coups the log cannot show an error of dealing" in text
    assert "cannot show" not in page(answer)


# Plans


def test_a_plan_says_how_long_and_what_it_does_not_allow() -> None:
    answer = counting.sample(rate=10)
    text = " ".join(answer.sentences)
    assert "must see 29,956 coups and find no error. This takes 428 hours at 70 coups (hands) per hour" in text
    assert "a dealer whose rate is 10 with a chance of 10.8%. With a fixed row, this chance is at most 5%" in text
    assert "74.1% if no error is allowed, and of 99.2% if up to 3 errors may be found" in text
    assert answer.tables["bounds"].columns == ["errors", "coups", "hours", "confidence", "p_pass"]
    assert "goes on" not in " ".join(counting.sample(rate=10, errors=0).sentences)
    assert "rule of three" not in " ".join(counting.sample(rate=10, confidence=0.9).sentences)


def test_a_pace_of_many_tables_has_no_exponent() -> None:
    page = counting.sample(rate=100, coups_per_hour=12_345).report
    assert page.procedure.endswith(". One table deals 12,345 coups (hands) per hour.")
    assert "hours at 12345 coups per hour" in page.sections[0].columns


def test_a_comparison_states_the_level_and_power_that_it_reaches() -> None:
    answer = counting.sample(compare=(10, 30))
    text = " ".join(answer.sentences)
    assert "84,332 coups of each" in text
    assert "80.00% (power)" in text
    assert "3.22% (actual level)" in text
    assert [*answer.tables] == ["comparison"]


@pytest.mark.parametrize(
    "asked",
    [
        {}, {"rate": 0}, {"rate": "ten"}, {"rate": 60_000}, {"compare": 10}, {"compare": (10, 10)}, {"compare": (0, 5)},
        {"rate": 10, "confidence": 1.0}, {"rate": 10, "errors": -1}, {"rate": 10, "coups_per_hour": 0},
        {"compare": (10, 30), "power": 0.05}, {"rate": 10, "true_rate": "-1"},
    ],
)  # fmt: skip
def test_what_is_no_plan_is_a_line(asked: dict[str, object]) -> None:
    with pytest.raises(counting.InputError, match=r"rate|compare|confidence|errors|coups_per_hour|power"):
        counting.sample(**asked)
