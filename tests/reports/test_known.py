"""The page of known cards: its sentences, each in a case that could make it false, and the published figures."""

from __future__ import annotations

import re
from typing import Any

import pytest
from extent import long_or

import counting
from counting import InputError
from counting.reports.known import BEST

SORTED: dict[str, Any] = long_or({}, {"sorted": "9"})  # for tests that do not look at sorted backs
pytestmark = pytest.mark.usefixtures("undrawn")


@pytest.fixture(scope="module")
def punto() -> Any:
    return counting.known("punto-banco")


@pytest.fixture(scope="module")
def lucky() -> Any:
    return counting.known("punto-banco", bet="lucky-6")


def test_the_published_figures_are_found_to_the_last_digit(punto: Any) -> None:
    (section,) = (section for section in punto.report.sections if section.title == "Published figures")
    assert [row[2] for row in section.rows] == [row[3] for row in section.rows]
    assert len(section.rows) == 10


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [{"commission": "4%"}, {"decks": 6}, {"bet": ["player", "banker-5"]}, {"shoe": "8d-9"}], ids=str
)
def test_other_bets_and_shoes_have_no_published_figures(asked: dict[str, Any]) -> None:
    assert "Published figures" not in [each.title for each in counting.known("punto-banco", **asked).report.sections]


@pytest.mark.long
def test_a_back_is_worth_as_much_as_the_card_only_where_it_is(punto: Any, lucky: Any) -> None:
    claim = "is worth as much as the card itself"
    assert claim in " ".join(punto.sentences)
    assert claim not in " ".join(counting.known("punto-banco", sorted="7-9").sentences)
    assert claim not in " ".join(counting.known("ez-baccarat").sentences)
    assert claim not in " ".join(lucky.sentences)  # both are worth nothing


def test_the_first_sentence_is_of_a_card_that_is_worth_something(punto: Any, lucky: Any) -> None:
    assert punto.answer.startswith("A patron who knows the first card of every coup (hand) gains 6.765% of a stake")
    assert "the sixth card of every coup (hand) gains 13.634%" in lucky.answer


def test_each_bet_alone_and_the_best_of_all(punto: Any) -> None:
    cards = punto.tables["cards"]
    assert cards["bet"].unique(maintain_order=True).to_list() == [BEST, "player", "banker-5", "tie-8"]
    for (_,), rows in cards.group_by("known"):
        best, *alone = rows["gain"].to_list()
        assert max(alone) <= best <= sum(alone) + 1e-12
    assert cards["units_per_shoe"].to_list() == pytest.approx([80 * gain for gain in cards["gain"]])
    assert (
        (cards["frequency"] > 0).to_list()
        == (cards["gain"] > 0).to_list()
        == cards["mean_edge"].is_not_null().to_list()
    )


def test_a_dragon_seven_by_the_sixth_card() -> None:
    cards = counting.known("ez-baccarat", bet="dragon-7", coups_per_shoe=1, **SORTED).tables["cards"].filter(bet=BEST)
    assert f"{cards['gain'][5]:.3f}" == "0.392"
    assert cards["units_per_shoe"].to_list() == cards["gain"].to_list()


def test_a_bet_that_one_card_does_not_move_is_worth_nothing() -> None:
    answer = counting.known("punto-banco", bet="player-pair", decks=1, sorted="9")
    assert answer.answer == "No single known card makes any of these bets worth making."


def test_what_a_slug_is_worth_says_what_is_assumed() -> None:
    slug = counting.known("ez-baccarat", slug="v:6,0,2,4,6,8,8,6,0,0", **SORTED)
    (line,) = (line for line in slug.sentences if line.startswith("A slug"))
    assert "79.447% of a stake per coup" in line
    assert "but not the order of the cards" in line
    assert "at least 6 coups" in line
    assert slug.data["slug_certain_coups"] == 6
    poor = counting.known("punto-banco", bet="tie-8", slug="A 3 5 7 9 K", **SORTED)
    assert re.search("gives no edge on its first coup", " ".join(poor.sentences))
    same = [
        counting.known("punto-banco", bet="player", slug=text, **SORTED).data["slug"]
        for text in ("K K 9 9 8 8 7", "v:2,0,0,0,0,0,0,1,2,2")
    ]
    assert same[0] == same[1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"sorted": "6-"}, "sorted: '6-', should be cards, as 6-9 or 7,8,9"),
        ({"sorted": "A-K"}, "sorted: should be some of the shoe's cards, and not all"),
        ({"slug": "9 9 X"}, "X"),
        ({"slug": "9 9"}, "slug r:0,0,0,0,0,0,0,0,2,0,0,0,0: 2 cards, should be 6 or more"),
        ({"slug": "v:0,0,0,0,0,0,0,0,0,40"}, "more cards of a kind than the shoe has"),
        ({"coups_per_shoe": 0}, "coups per shoe: 0, should be a whole number from 1 to 10,000"),
        ({"bet": "nines"}, "nines"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        counting.known("punto-banco", **asked)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
