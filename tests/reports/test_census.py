"""The sentence on the fundamental theorem of card counting is printed only if the census shows the theorem."""

from __future__ import annotations

from typing import Any

import pytest

import counting

pytestmark = pytest.mark.usefixtures("undrawn")
CLAIM = "fundamental theorem of card counting"


def said(bet: Any, cards: str = "6:8", **asked: Any) -> str:
    answer = counting.census("punto-banco", bet, cards=cards, decks=1, cache=False, **asked)
    rows = answer.tables["census"]
    if CLAIM in " ".join(answer.sentences):
        full = float(counting.exact_edges("punto-banco", "1d", bets=[bet])[bet])
        assert rows["mean_edge"].to_list() == pytest.approx([full] * rows.height, rel=1e-12)
        assert rows["sd"].is_sorted(descending=True)
    return " ".join(answer.sentences)


@pytest.mark.parametrize("bet", ["player", "tie-8"])
def test_the_mean_is_the_same_and_the_spread_grows(bet: str) -> None:
    assert CLAIM in said(bet)


def test_it_is_not_said_of_one_number_of_cards_or_of_the_best_of_several_bets() -> None:
    assert CLAIM not in said("player", "6")
    assert CLAIM not in said(["player", "tie-8"])
