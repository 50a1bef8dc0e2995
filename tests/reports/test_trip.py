"""The sentences on a patron's trip, each in the cases that could make it false."""

from __future__ import annotations

from typing import Any

import pytest

import counting

pytestmark = pytest.mark.usefixtures("undrawn")
_PAGES: dict[str, str] = {}


def page(*bets: str, coups: int = 80, **asked: Any) -> str:
    """The sentences on a trip, worked out only once for each question."""
    key = repr((bets, coups, asked))
    if key not in _PAGES:
        _PAGES[key] = " ".join(counting.trip("punto-banco", bet=[*bets], coups=coups, **asked).sentences)
    return _PAGES[key]


def test_both_chances_of_a_result_are_printed_and_in_json() -> None:
    answer = counting.trip("punto-banco", bet="banker-5:30000", coups=900, result=2_300_000)
    assert "0.09651% (1 in 1,036)" in answer.answer
    assert "0.2029% (1 in 493)" in answer.answer
    assert answer.data["p_at_end"] < answer.data["p_ever"]
    assert [*answer.figures] == ["distribution"]
    assert answer.tables["distribution"]["probability"].sum() == pytest.approx(1, abs=2e-4)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (-900, "a loss of 900 or more"), (-1, "a loss of 1.00 or less"), (0, "an even result or a win"),
        (900, "a win of 900 or more"),
    ],
)  # fmt: skip
def test_a_result_is_named_by_its_side_of_the_mean(result: int, words: str) -> None:
    assert words in page("banker-5:100", result=result)
    assert ("at some time" in page("banker-5:100", result=result)) == (abs(result) > 1)


def test_smaller_amounts_are_ruled_out_only_where_that_is_proved() -> None:
    claim = 'Smaller amounts on "Banker'
    assert claim in page("banker-5:100", discount="10%")
    assert claim in page("banker-5:100", discount=["5%", "10%:500"])
    for bets, asked in (
        (["banker-5:100"], {"discount": ["5%", "10%:500"], "discount_on": "whole"}),
        (["banker-5:100"], {"discount": ["20%", "10%:500"]}),
        (["banker-5:100"], {"discount": "10%", "commission_step": 5}),
        (["banker-5:100", "dragon-7:5"], {"discount": "10%"}),
        (["banker-5:100@50%", "banker-5:500@50%"], {"discount": "10%"}),
    ):
        assert claim not in page(*bets, **asked)


def test_drawn_amounts_are_said_to_be_drawn() -> None:
    assert "whose amounts are drawn" in page("banker-5:100-500/100", discount="10%")
    assert "whose amounts are drawn" not in page("banker-5:100", discount="10%")


def test_a_discount_below_break_even_is_worth_nothing() -> None:
    text = page("banker-5:100", discount="2.3%")
    assert "gives no edge to a patron with these stakes" in text
    assert "Up to a rate of 2.371%" in text
    assert "stops at the best moment" not in text


def test_a_patron_with_the_edge_has_no_break_even() -> None:
    text = page("banker-5:100", dead_chips="5%", discount="10%")
    assert "The patron has the edge" in text
    assert "Up to" not in text


def test_turnover_is_named_only_if_the_settlement_has_the_coups() -> None:
    assert "paid only after 32 coups" in page("banker-5:100", discount="10%", coups=80)
    assert "paid only after" not in page("banker-5:100", discount="10%", coups=30)


def test_suits_and_fine_amounts_are_owned_up_to() -> None:
    assert "not worked out for bets that depend on suits" in page("perfect-pair:100", coups=20)
    assert "chances are approximate" in page("banker-5:999983", "dragon-7:0.01", coups=20, goal=10**7)
    assert "chances are approximate" not in page("banker-5:100")


def test_amounts_scale() -> None:
    small, large = (
        counting.trip("punto-banco", bet=f"banker-5:{n}", coups=80, discount="10%", result=9 * n).data
        for n in (1, 1000)
    )
    for name in ("theoretical_win", "sd", "discount_cost", "best_value", "best_win_exit"):
        assert large[name] == pytest.approx(1000 * small[name])
    for name in ("p_at_end", "p_ever", "hold", "least_coups", "z"):
        assert large[name] == pytest.approx(small[name])
