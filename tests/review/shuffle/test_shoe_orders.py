"""Shoes of a log in the order dealt: what is used of an incomplete log, and that nothing of it favours an order."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from twins.shoe_logs import log_of_rows, log_of_table

from counting import load_game
from counting.cards import DECK
from counting.logs import NO_CARD, UNREAD
from counting.review.shuffle.shoe_orders import completed, known_by, shoe_orders
from counting.review.synthetic import deal
from counting.simulation import Dealing

PUNTO_BANCO = load_game("punto-banco")
TABLE = deal(PUNTO_BANCO, Dealing(1, 8), 3, 0, 3)


def rows_of(shoes: int = 1, table: str = "1", coups: int = 6) -> list[dict[str, Any]]:
    """Coups of six cards that go through a deck in its order."""
    return [
        {"table": table, "shoe": shoe, "coup": coup + 1, "cards": [6 * coup + i for i in (0, 2, 4, 1, 3, 5)]}
        for shoe in range(shoes)
        for coup in range(coups)
    ]


def test_cards_are_in_the_order_player_banker_player_banker_third_cards() -> None:
    orders = shoe_orders(log_of_rows(rows_of()), 1, 1)
    assert orders.cards[0, :36].tolist() == [*range(36)]
    assert orders.seen.tolist() == [36]
    assert sorted(orders.cards[0].tolist()) == [*range(DECK)]


def test_a_coup_without_third_cards_takes_four() -> None:
    rows = rows_of()
    rows[1]["cards"] = [6, 8, NO_CARD, 7, 9, NO_CARD]
    rows[2]["cards"] = [10, 12, NO_CARD, 11, 13, 14]
    orders = shoe_orders(log_of_rows(rows[:3]), 1, 1)
    assert orders.cards[0, :15].tolist() == [*range(15)]


def test_dealt_shoes_are_read_in_their_order() -> None:
    orders = shoe_orders(log_of_table(TABLE), 1, 1)
    assert orders.number == 3
    assert orders.follows.tolist() == [[0, 0], [1, 0], [1, 1]]
    assert (np.sort(orders.cards, axis=1) == np.arange(DECK)).all()
    assert orders.seen.min() >= DECK - 8 - 6
    assert orders.name(2) == "shoe 2 of table 1"


def test_burned_cards_come_first_and_hidden_ones_are_unseen() -> None:
    rows = rows_of(coups=5)
    rows[0]["burn"] = [51, UNREAD, UNREAD]
    orders = shoe_orders(log_of_rows(rows), 1, 1)
    assert orders.known[0].tolist() == [True, False, False, *[True] * 30, *[False] * 19]
    assert orders.cards[0, 0] == 51
    assert orders.cards[0, 3:33].tolist() == [*range(30)]


@pytest.mark.parametrize(
    "fault",
    [{}, {"cards": [24, UNREAD, 28, 25, 27, 29]}, {"more": [30]}, {"burn": [50]},
     {"cards": [24, NO_CARD, 28, 25, 27, 29]}, {"cards": [24, 26, 28, 25, 52, 29]}],
)  # fmt: skip
def test_a_coup_that_is_missing_or_not_read_is_five_unseen_cards(fault: dict[str, Any]) -> None:
    rows = [*rows_of(coups=8), *rows_of(10)[6:]]  # of many shoes, so that nearly all cards have suits
    rows[4] |= fault
    if not fault:
        del rows[4]
    orders = shoe_orders(log_of_rows(rows), 1, 1)
    burned = "burn" in fault
    assert orders.knows == "card"
    assert orders.hidden == 1
    assert orders.known[0].tolist() == [*[True] * 24, *[False] * (5 + burned), *[True] * 18, *[False] * (5 - burned)]
    assert orders.cards[0, 29 + burned : 47 + burned].tolist() == [*range(30, 48)]
    assert sorted(orders.cards[0].tolist()) == [*range(DECK)]
    pile = orders.piles[0]
    assert pile.numbers.tolist() == [1, 2, 3, 4, 6, 7, 8]
    assert pile.linked.tolist() == [True, True, True, False, True, True, False]
    assert pile.first.tolist() == [0, 6, 12, 18, *(29 + burned + 6 * i for i in range(3))]
    assert pile.coups[4].tolist() == [30, 32, 34, 31, 33, 35]


def test_gaps_that_are_too_long_for_the_shoe_lose_unseen_places() -> None:
    rows = rows_of(coups=8)
    for row in rows[4:]:
        row["coup"] += 9
    orders = shoe_orders(log_of_rows(rows), 1, 1)
    assert orders.hidden == 9
    assert orders.seen.tolist() == [48]
    assert orders.cards[0, orders.known[0]].tolist() == [*range(48)]
    assert [orders.cards[0, first] for first in orders.piles[0].first] == [0, 6, 12, 18, 24, 30, 36, 42]


def test_a_shoe_of_which_little_is_seen_is_left_out_and_those_beside_it_are_not_neighbours() -> None:
    rows = rows_of(4)
    for row in rows[6:10]:
        row["cards"] = [UNREAD] * 4 + [NO_CARD] * 2
    orders = shoe_orders(log_of_rows(rows), 1, 1)
    assert orders.short == 1
    assert orders.shoes["shoe"].to_list() == ["0", "2", "3"]
    assert orders.follows.tolist() == [[0, 0], [0, 0], [1, 0]]


def test_shoes_of_two_tables_are_not_neighbours() -> None:
    orders = shoe_orders(log_of_rows([*rows_of(2), *rows_of(2, "2")]), 1, 1)
    assert orders.follows.tolist() == [[0, 0], [1, 0], [0, 0], [1, 0]]


def test_a_shoe_with_more_of_a_card_than_its_decks_have_is_left_out() -> None:
    rows = rows_of(2)
    rows[7]["cards"][0] = 0
    orders = shoe_orders(log_of_rows(rows), 1, 1)
    assert orders.number == 1
    assert orders.surplus == [("1", "1", 0, 2)]
    assert shoe_orders(log_of_rows(rows), 2, 1).surplus == []


def test_what_cards_are_known_by() -> None:
    cards = np.arange(DECK, dtype=np.int8)
    ranks = DECK + np.repeat(np.arange(13, dtype=np.int8), 4)
    values = np.where(ranks > DECK + 9, DECK + 9, ranks).astype(np.int8)
    assert known_by(cards) == "card"
    assert known_by(np.append(np.repeat(cards, 2), ranks[:1])) == "card"
    assert known_by(np.append(cards, ranks[:1])) == "rank"
    assert known_by(ranks) == "rank"
    assert known_by(values) == "value"
    assert known_by(values[:39]) == "rank"


def test_a_log_of_ranks_and_one_of_values() -> None:
    for most, width in ((12, 13), (9, 10)):
        rows = rows_of(2, coups=8)
        for row in rows:
            row["cards"] = [DECK + min(card // 4, most) for card in row["cards"]]
        orders = shoe_orders(log_of_rows(rows), 1, 1)
        assert orders.number == 2
        assert orders.cards.max() == width - 1


FULL = (2, 1, 1)
EVERY = sorted(set(permutations((0, 0, 1, 2))))


def by_the_cards_seen(order: tuple[int, ...]) -> int:
    return 2 if order[0] == 0 else 1 if order[0] == 1 else 3 - (order[1] == 0)


def by_the_next_card(order: tuple[int, ...]) -> int:
    return 2 if order[1] == 0 else 1


@pytest.mark.parametrize(("stop", "alike"), [(by_the_cards_seen, True), (by_the_next_card, False)])
def test_a_completed_shoe_is_in_every_order_alike_if_its_stop_depends_on_cards_seen_only(
    stop: Callable[[tuple[int, ...]], int], alike: bool
) -> None:
    rng, times, counts = np.random.default_rng(4), 300, dict.fromkeys(EVERY, 0)
    for order in EVERY * times:
        cards, known = completed(np.array(order[: stop(order)]), np.array(FULL), rng)
        assert known.tolist() == [i < stop(order) for i in range(4)]
        counts[tuple(cards.tolist())] += 1
    square = sum((n - times) ** 2 / times for n in counts.values())
    assert (square < 33) == alike  # of 11 degrees of freedom: one in 1,900


def test_unseen_cards_depend_on_the_seed_and_the_shoe() -> None:
    log = log_of_rows(rows_of(3))
    first, again, other = (shoe_orders(log, 1, seed).cards for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert not np.array_equal(first[0], first[1])


def test_an_empty_log_has_no_shoe() -> None:
    orders = shoe_orders(log_of_rows([]), 8, 1)
    assert orders.number == 0
    assert orders.cards.shape == (0, 416)
