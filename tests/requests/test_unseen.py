"""Shoes, and ranges of numbers of cards, as people write them."""

from __future__ import annotations

import re

import pytest

from counting import InputError, Shoe, load_game
from counting.requests import card_numbers, shoe_of


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("30", [30]),
        ("6:9", [6, 7, 8, 9]),
        ("8:8", [8]),
        ("60:200:70", [60, 130, 200]),
        ("60:199:70", [60, 130]),
        ("9999", [9999]),
        *((text, "should be a number of cards, or a range") for text in ("", "6.5", "10000", "1:2:3:4", "6:", "-6")),
        *((text, "should rise, like") for text in ("9:8", "6:9:0")),
    ],
)
def test_numbers_of_cards_are_one_or_a_range_with_both_ends(text: str, numbers: list[int] | str) -> None:
    if isinstance(numbers, str):
        with pytest.raises(InputError, match=f"^cards {re.escape(text)}: {numbers}"):
            card_numbers(text)
    else:
        assert [*card_numbers(text)] == numbers


def test_several_numbers_and_ranges_are_taken_once_each() -> None:
    assert [*card_numbers(["6:8", 8, "20:40:20"])] == [6, 7, 8, 20, 40]
    assert [*card_numbers(range(6, 9))] == [6, 7, 8]


def test_a_shoe_is_a_text_a_value_or_full_decks() -> None:
    game = load_game("louisiana")
    assert shoe_of(game, "8d-7-7-K", None) == shoe_of(game, Shoe.parse("8d-7-7-K"), None)
    assert shoe_of(game, None, 6) == Shoe.decks(6)
    assert shoe_of(game, None, None) == Shoe.decks(game.decks)
    with pytest.raises(InputError, match=r"^decks 6 and shoe 8d: should be one or the other"):
        shoe_of(game, "8d", 6)
