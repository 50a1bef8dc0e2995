"""The hands of a single coup are read as in a block of a million: the same words, the same cards, the same refusals."""

from __future__ import annotations

from typing import get_args

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from counting import load_game
from counting.logs import fields
from counting.logs.bets import bet_form
from counting.logs.cards import NO_CARD, PLAIN, UNREAD
from counting.logs.coups import coup_form
from counting.logs.deal_order import ListOrder
from counting.logs.events import Events
from counting.logs.fitting import PLACES, BetFit, Fit
from counting.logs.hands import FILLS, LISTED, OneByOne, hands_of_coups, list_columns, words_listed
from counting.logs.layouts import HANDS, Layout

TABLEAU = load_game("punto-banco").tableau
CODES = st.sampled_from([UNREAD, *range(0, 66)])
ORDERS: tuple[ListOrder, ...] = get_args(ListOrder)
MARKS = st.sampled_from(["9h", "Kd", "10", "?", "-1", "n/a", "<NA>", "-1.0", ",", ";", "|", "/", " ", "  ", "[", "]",
                         "'", '"', "-", "_", "(", "é", "♥", "\t", "\x1c", "\u00a0", "\n"])  # fmt: skip
EMPTY = Layout.model_validate({})


@given(st.lists(MARKS, max_size=14).map("".join), st.sampled_from([None, *ORDERS]))
def test_a_list_of_one_coup_has_the_words_of_a_block(text: str, order: ListOrder | None) -> None:
    assert tuple(words_listed(text, order)) == list_columns(pl.DataFrame({"cards": [text]}), order).row(0)


def _agree(columns: dict[str, int | None], has: set[str], order: ListOrder) -> None:
    """Check that one coup and a block of three like it have the same hands and refusals."""
    fit = Fit("", EMPTY, {}, {}, order=order)
    player, banker, refused = OneByOne(has, fit).hands(columns, TABLEAU)
    won = columns.get("winner") is not None
    arrays = {name: np.array([FILLS[name] if value is None else value] * 3)
              for name, value in columns.items() if name in FILLS}  # fmt: skip
    block = hands_of_coups(arrays | {"won": np.array([won] * 3)}, fit, TABLEAU)
    whole = block.whole[0]
    assert [why[1:] for why in refused] == [why[1:] for why in block.refused if why.rows[0]]
    if whole:
        assert (player, banker) == tuple(
            tuple(code for code in hand[0].tolist() if code != NO_CARD) for hand in block[:2]
        )


HAND = st.none() | st.lists(CODES, max_size=4).map(fields.packed)
WON = st.sampled_from([None, "player"])


@given(HAND, HAND, WON)
def test_hands_in_a_column_each(player: int | None, banker: int | None, winner: str | None) -> None:
    _agree({"player": player, "banker": banker, "winner": winner}, {"player", "banker", "winner"}, "dealt")  # type: ignore[dict-item]


@given(st.lists(st.sampled_from([None, NO_CARD, UNREAD, 0, 30, 60]), min_size=6, max_size=6), WON)
def test_hands_in_a_column_a_card(cards: list[int | None], winner: str | None) -> None:
    _agree(dict(zip(PLACES, cards, strict=True)) | {"winner": winner}, {*PLACES, "winner"}, "dealt")  # type: ignore[dict-item]


TOTAL = st.none() | st.integers(0, 9)


CARD = st.sampled_from([UNREAD, *range(0, 66, 5)])


@given(
    st.lists(CARD, min_size=5, max_size=5)
    | st.lists(CARD, min_size=8, max_size=8)
    | st.lists(st.just(NO_CARD) | CARD, min_size=3, max_size=8),
    TOTAL,
    TOTAL,
    st.sampled_from(ORDERS),
)
@example([*range(8)], None, None, "places")
def test_hands_in_one_list(cards: list[int], player: int | None, banker: int | None, order: ListOrder) -> None:
    listed_cards: list[int | None] = [*cards, *[None] * (len(LISTED) - len(cards))]
    totals = dict(zip([f"{name}_total" for name in HANDS], (player, banker), strict=True))
    _agree(dict(zip(LISTED, listed_cards, strict=True)) | totals, {"cards"}, order)


@pytest.mark.parametrize("of", ["coups", "bets"])
def test_a_field_that_may_be_lacking_is_no_value_where_it_is_empty(of: str) -> None:
    """`Form.row` calls no parser for an empty field, so the parser must give no value for it either."""
    fit = Fit("", EMPTY, {}, {})
    bets = BetFit({}, {}, False, False, 1, 1)
    form = coup_form(fit, Events((), {}, PLAIN)) if of == "coups" else bet_form(fit, bets)
    assert form.may_lack & form.types.keys()
    for name in form.may_lack & form.types.keys():
        assert form.parsers[name]("")[0] is None
        assert form.row({name: ""}) == {name: None}


def test_values_of_a_row_are_those_of_its_texts_however_often_they_come() -> None:
    form = bet_form(Fit("", EMPTY, {}, {}), BetFit({}, {}, False, False, 1, 1))
    long = "1" * 50
    for _ in range(2):
        assert form.row({"patron": "1.0", "amount": "12.50"}) == {"patron": "1", "amount": 1250}
        lost = form.row({"patron": "a", "amount": long})
        assert isinstance(lost, tuple)
        assert lost[:2] == ("amount", long)
