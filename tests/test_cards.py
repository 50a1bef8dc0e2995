"""Cards and shoes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe, events
from counting.cards import RANKS

ranks = st.lists(st.integers(0, 40), min_size=13, max_size=13)
values = st.lists(st.integers(0, 160), min_size=10, max_size=10)


def test_a_full_shoe_has_sixteen_tens_and_four_of_each_other_value_a_deck() -> None:
    assert Shoe.decks(8).values == (128, *[32] * 9)
    assert Shoe.decks(8).cards_left == 416


def test_text_forms() -> None:
    assert str(Shoe.decks(8)) == "8d"
    assert str(Shoe.parse("8d-7-7-K")) == "8d-7-7-K"
    assert Shoe.parse("8d-7-7-K") == Shoe.decks(8).without("7 7 K") == Shoe.decks(8).without(["7", "7", "k"])
    assert str(Shoe.from_values([128, *[32] * 9])) == "v:128,32,32,32,32,32,32,32,32,32"
    assert Shoe.parse(" 1D - t - 10 ") == Shoe.decks(1).without("10,T")


def test_a_shoe_is_one_short_line_wherever_it_is_shown() -> None:
    assert repr(Shoe.decks(8)) == "<Shoe 8d: 416 cards, known by card>"
    assert repr(Shoe.parse("8d-7-7-K")) == "<Shoe 8d-7-7-K: 413 cards, known by rank>"
    assert repr(Shoe.from_values([128, *[32] * 9])) == (
        "<Shoe v:128,32,32,32,32,32,32,32,32,32: 416 cards, known by value>"
    )
    assert repr(Shoe.from_cards([8, *[3] * 51])) == "<Shoe of 161 cards, known by card>"


@given(ranks)
def test_a_shoe_by_rank_survives_its_text(counts: list[int]) -> None:
    shoe = Shoe.from_ranks(counts)
    assert Shoe.parse(str(shoe)) == shoe
    assert sum(shoe.values) == shoe.cards_left == sum(counts)


@given(values)
def test_a_shoe_by_value_survives_its_text(counts: list[int]) -> None:
    assert Shoe.parse(str(Shoe.from_values(counts))) == Shoe.from_values(counts)


@given(ranks, st.sampled_from(RANKS))
def test_seeing_a_card_takes_one_card(counts: list[int], card: str) -> None:
    shoe = Shoe.from_ranks(counts)
    if shoe.ranks[RANKS.index(card)] == 0:
        with pytest.raises(InputError, match="none is left"):
            shoe.without(card)
    else:
        seen = shoe.without(card)
        assert seen.cards_left == shoe.cards_left - 1
        assert seen.ranks[RANKS.index(card)] == shoe.ranks[RANKS.index(card)] - 1


def test_what_a_shoe_knows_is_part_of_it() -> None:
    by_value = Shoe.from_values(Shoe.decks(1).values)
    assert by_value != Shoe.decks(1)
    assert by_value.knows == "value"
    assert (Shoe.decks(1).knows, Shoe.decks(1).without("7h").knows) == ("card", "card")
    assert Shoe.decks(1).without("7h 7").knows == Shoe.from_ranks([4] * 13).knows == "rank"
    with pytest.raises(InputError, match="ranks are not known"):
        _ = by_value.ranks
    assert by_value.without("K").values[0] == 15


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "should be decks"),
        ("8", "should be decks"),
        ("0d", "should be a whole number from 1 to 27"),
        ("28d", "should be a whole number from 1 to 27"),
        ("8d-", "card ''"),
        ("8d-11", "card '11'"),
        ("1d-7-7-7-7-7", "none is left"),
        ("v:1,2,3", "3 counts, should be 10"),
        ("v:1,2,3,4,5,6,7,8,9,x", "'x' should be a whole number"),
        ("v:-1,2,3,4,5,6,7,8,9,0", "'-1' should be a whole number"),
        ("v:1000000,2,3,4,5,6,7,8,9,0", "'1000000' should be a whole number from 0 to 999,999$"),
        ("r:1,2,3,4,5,6,7,8,9,0", "10 counts, should be 13"),
        ("w:1", "should be decks"),
    ],
)
def test_a_malformed_shoe_says_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        Shoe.parse(text)
    assert "\n" not in str(error.value)


def test_text_of_more_than_27_decks_lists_the_ranks() -> None:
    shoe = Shoe.from_ranks([120] * 13)
    assert str(shoe).startswith("r:120,")
    assert Shoe.parse(str(shoe)) == shoe


def test_things_that_are_no_shoe_or_card_are_refused() -> None:
    for wrong in (
        lambda: Shoe.parse(None),  # type: ignore[arg-type]
        lambda: Shoe.decks(1).without([7]),  # type: ignore[list-item]
        lambda: Shoe.decks(1).without(7),  # type: ignore[arg-type]
        lambda: Shoe("value", (1, 2)),
        lambda: Shoe("suit", (1, 2)),  # type: ignore[arg-type]
        lambda: events("louisiana", 8),  # type: ignore[arg-type]
    ):
        with pytest.raises(InputError, match="should be"):
            wrong()


@pytest.mark.parametrize("decks", [-1, 0, 28, 1.5, "8", True])
def test_decks_must_be_a_whole_number(decks: object) -> None:
    with pytest.raises(ValueError, match=r"^decks: .*, should be a whole number from 1 to 27$"):
        Shoe.decks(decks)  # type: ignore[arg-type]


@pytest.mark.parametrize("counts", [[1.5] * 10, ["1"] * 10, [-1] * 10, [1] * 9, 7, [None] * 10])
def test_counts_must_be_whole_numbers_of_the_right_length(counts: object) -> None:
    with pytest.raises(ValueError, match="counts by value"):
        Shoe.from_values(counts)  # type: ignore[arg-type]
