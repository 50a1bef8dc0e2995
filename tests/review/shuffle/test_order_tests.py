"""Order tests: true p-values of random logs and single shoes, and draws that depend on nothing else."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from extent import long_or
from twins.shoe_logs import log_of_table

from counting import load_game
from counting.review.shuffle import order_tests as module
from counting.review.shuffle.order_tests import order_tests
from counting.review.shuffle.shoe_orders import ShoeOrders, shoe_orders
from counting.review.synthetic import deal
from counting.simulation import Dealing

PUNTO_BANCO = load_game("punto-banco")
LAYOUT = cache(module.Successors)  # the columns are the same for every log of these decks


@pytest.fixture(autouse=True)
def _short_pilot_and_one_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PILOT", long_or(module.PILOT, 25))
    monkeypatch.setattr(module, "Successors", LAYOUT)


def random_orders(shoes: int, seed: int) -> ShoeOrders:
    """Random shoes of one deck, dealt by the rules to a cut card 12 cards from the end, as one log."""
    return shoe_orders(log_of_table(deal(PUNTO_BANCO, Dealing(1, 12, "first-card"), seed, 0, shoes)), 1, seed)


def part(orders: ShoeOrders, rows: slice) -> ShoeOrders:
    follows = orders.follows[rows].copy()
    follows[0] = 0
    follows[:2, 1] = 0
    return replace(orders, cards=orders.cards[rows], known=orders.known[rows], piles=orders.piles[rows],
                   follows=follows, shoes=orders.shoes[rows])  # fmt: skip


def far_out(p: np.ndarray, level: float) -> float:
    return float(((p <= level).sum() - len(p) * level) / np.sqrt(len(p) * level * (1 - level)))


def test_p_values_of_random_logs_and_of_their_shoes_are_true_and_not_idle() -> None:
    """The levels are multiples of the least p-value, so that the share of p-values at a level is the level."""
    logs, p_values, single = long_or(1000, 30), {name: [] for name in module.ORDER_TESTS}, []
    orders = random_orders(3 * logs, 1)
    for log in range(logs):
        tests = order_tests(part(orders, slice(3 * log, 3 * log + 3)), *long_or((99, 99), (19, 39)), log)
        for name, p in tests.p_values.items():
            p_values[name].append(p)
        single += [shoe.p for shoe in tests.shoes.values()]
    for values in (*p_values.values(), single):
        p = np.array(values)
        for level in (0.05, 0.2, 0.5):
            assert abs(far_out(p, level)) < 4


def test_a_shoe_that_is_never_exceeded_is_drawn_to_the_most_and_others_stop_at_ten() -> None:
    orders = random_orders(6, 2)
    cards = orders.cards.copy()
    pile = orders.piles[3].coups
    lying = pile[pile >= 0]
    cards[4, : len(lying)] = lying
    cards[4, len(lying) :] = np.setdiff1d(np.arange(52), lying)
    tests = order_tests(replace(orders, cards=cards), 99, 1500, 1)
    shoes = tests.shoes
    assert (shoes[4].p, shoes[4].draws) == (1 / 1501, 1500)
    assert (shoes[4].like.test, shoes[4].like.riffles) == ("shoe-before", 1)
    for row in (1, 2, 3, 5):
        assert shoes[row].p == 10 / shoes[row].draws
        assert shoes[row].draws < 999


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    orders = random_orders(4, 3)
    found = []
    for threads in (1, 2, 3):
        monkeypatch.setattr("os.cpu_count", lambda threads=threads: threads)
        tests = order_tests(orders, 59, 99, 7)
        found.append((tests.p_values, tests.likes, tests.shoes))
    assert found[0] == found[1] == found[2]
    assert order_tests(orders, 59, 1, 8).p_values != found[0][0]
