"""Near cards of a pile in a shoe: against plain Python from the formulas, on every instruction set, and the physics."""

from functools import cache
from itertools import pairwise, product
from math import comb, exp
from typing import get_args

import numpy as np
import pytest

from counting.cards import WIDTH, Knows
from counting.errors import InputError
from counting.instruction_sets import LEVELS
from counting.review import _successors
from counting.review.shuffle import successors
from counting.review.shuffle.discard_rack import LAGS, Gathering, gathering, gatherings
from counting.review.shuffle.shoe_orders import Pile
from counting.review.shuffle.successors import STRENGTHS, Successors
from experiments.shuffle.pit import riffle

LOWER = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 240, 288)  # ends of the bins


def pile_of(rng: np.random.Generator, layout: Successors, coups: int, gap: int | None = None) -> Pile:
    """Coups of random shapes and cards; without the coup numbered `gap`."""
    cards = rng.permutation(np.repeat(np.arange(len(layout.full)), layout.full))
    rows, first, at = [], [], 0
    for _ in range(coups):
        thirds = rng.integers(0, 2, 2)
        row = np.full(6, -1)
        places = [0, 3, 1, 4, *([2] if thirds[0] else []), *([5] if thirds[1] else [])]
        row[places] = cards[at : at + len(places)]
        rows.append(row)
        first.append(at)
        at += len(places)
    numbers = np.arange(1, coups + 1)
    keep = numbers != gap
    linked = np.append(np.diff(numbers[keep]) == 1, False)
    return Pile(np.array(rows)[keep], numbers[keep], linked, np.array(first)[keep])


def plain_pile(pile: Pile, order: Gathering) -> list[int | None]:
    """The cards as they lie, None at a gap."""
    rows = list(zip(pile.coups.tolist(), pile.numbers.tolist(), strict=True))
    if order.last_first:
        rows.reverse()
    lying: list[int | None] = []
    for (row, number), (_, before) in zip(rows, [(None, rows[0][1]), *rows], strict=False):
        if abs(number - before) > 1:
            lying += [None] * 9
        lying += [row[place] for place in order.places if row[place] >= 0]
    return lying


@cache
def plain_bin(cards: int, distance: int) -> int:
    edges = [min(edge, cards) for edge in LOWER]
    return next((h for h, (a, b) in enumerate(pairwise(edges)) if a <= distance < b), 16)


def means(cards: int, of: list[float]) -> list[float]:
    """The mean over each bin of a function of the distances from 1, less its mean over the distances beyond the last
    bin."""
    bins: list[list[float]] = [[] for _ in range(17)]
    for distance in range(1, cards):
        bins[plain_bin(cards, distance)].append(of[distance - 1])
    every = [sum(values) / len(values) if values else 0.0 for values in bins]
    return [mean - every[16] for mean in every[:16]]


def binned(cards: int, of: list[float]) -> list[float]:
    return [round(256 * mean) for mean in means(cards, of)]


def likelihood(cards: int, riffles: int, apart: int) -> list[float]:
    q = 2.0**-riffles
    return [
        (cards - 1) * comb(d - 1, apart - 1) * q**apart * (1 - q) ** (d - apart) - 1 if d >= apart else -1.0
        for d in range(1, cards)
    ]


def plain_table(shoe: list[int]) -> dict[tuple[int, int], list[int]]:
    """By two kinds of cards: the numbers of ordered pairs of places by bin."""
    table: dict[tuple[int, int], list[int]] = {}
    for i, j in product(range(len(shoe)), repeat=2):
        if i != j and (h := plain_bin(len(shoe), (j - i) % len(shoe))) < 16:
            table.setdefault((shoe[i], shoe[j]), [0] * 16)[h] += 1
    return table


@pytest.mark.parametrize(("knows", "decks"), [("card", 2), ("rank", 1), ("value", 1), ("value", 6)])
def test_columns_are_the_sums_of_the_formula(knows: Knows, decks: int) -> None:
    rng, layout = np.random.default_rng(decks), Successors(knows, decks)
    pile = pile_of(rng, layout, 8 * decks if decks < 3 else 9, gap=4)
    shoe = rng.permutation(np.repeat(np.arange(len(layout.full)), layout.full)).astype(np.uint8)
    plan = layout.plan([pile], False)
    read = layout.read(plan, layout.columns(plan, shoe[np.newaxis]))[0]
    table, cards = plain_table(shoe.tolist()), layout.cards
    scores = {(k, m): binned(cards, likelihood(cards, k, m)) for k in (1, 4, 8) for m in range(1, 10)}

    def found(pairs: list[tuple[int, int]], weights: list[float]) -> float:
        return sum(w * n for pair in pairs for w, n in zip(weights, table.get(pair, [0] * 16), strict=True))

    for number in (0, 21, 40, 65) if cards < 300 else (21, 65):
        lying = plain_pile(pile, gatherings()[number])
        for k in (1, 4, 8):
            total = 0.0
            for m in range(1, LAGS + 1):
                pairs = [(a, b) for a, b in zip(lying, lying[m:], strict=False) if a is not None and b is not None]
                total += found(pairs, scores[k, m])
            assert read["orders"][0, number, k - 1] == total, (gatherings()[number], k)
    packets = [[card for card in row if card >= 0] for row in pile.coups.tolist()]
    within = [(a, b) for packet in packets for i, a in enumerate(packet) for j, b in enumerate(packet) if i != j]
    links = [(c, c + 1) for c in range(len(packets) - 1) if pile.numbers[c + 1] == pile.numbers[c] + 1]
    following = [(a, b) for c, d in links for a in packets[c] for b in packets[d]]
    for k in (1, 4, 8):
        by_lag = [np.array(means(cards, likelihood(cards, k, m))) for m in range(1, 10)]
        own = np.round(256 * sum(p * of for p, of in zip((0.4, 0.3, 0.2, 0.1), by_lag[:4], strict=True)) / 2)
        next_to = np.round(256 * sum(n / 25 * of for n, of in zip((1, 2, 3, 4, 5, 4, 3, 2, 1), by_lag, strict=True)))
        for way, pairs in enumerate((following, [(b, a) for a, b in following])):
            expected = found(within, own.tolist()) + found(pairs, next_to.tolist())
            assert read["coups"][0, way, k - 1] == expected


def test_columns_by_place_weigh_all_pairs_of_the_pile() -> None:
    rng, layout = np.random.default_rng(3), Successors("rank", 1)
    pile = pile_of(rng, layout, 7, gap=3)
    shoe = rng.permutation(np.repeat(np.arange(13), 4)).astype(np.uint8)
    plan = layout.plan([pile], False)
    read = layout.read(plan, layout.columns(plan, shoe[np.newaxis]))[0]["places"][0].reshape(3, 6)
    table = plain_table(shoe.tolist())
    middle, at, before = {}, 0.0, 0
    for row, number in zip(pile.coups.tolist(), pile.numbers.tolist(), strict=True):
        at += 5 * (number - before - 1)
        size = sum(card >= 0 for card in row)
        middle[number], at, before = at + size / 2, at + size, number
    cards = [(card, number) for row, number in zip(pile.coups.tolist(), pile.numbers.tolist(), strict=True)
             for card in row if card >= 0]  # fmt: skip
    for s, spread in enumerate((8, 24, 64)):
        for r, reach in enumerate((4, 8, 16, 32, 64, 128)):
            weights = binned(52, [exp(-distance / reach) for distance in range(1, 52)])
            total = 0.0
            for (i, (a, c)), (j, (b, d)) in product(enumerate(cards), repeat=2):
                if i != j:
                    near = round(8 * exp(-abs(middle[c] - middle[d]) / spread))
                    total += near * sum(w * n for w, n in zip(weights, table.get((a, b), [0] * 16), strict=True))
            assert read[s, r] == total


@pytest.mark.parametrize("knows", get_args(Knows))
def test_parts_of_a_pile_add_up_to_the_whole(knows: Knows) -> None:
    rng, layout = np.random.default_rng(4), Successors(knows, 4)
    piles = [pile_of(rng, layout, 38), pile_of(rng, layout, 33, gap=20)]
    whole, parts = layout.plan(piles, False), layout.plan(piles, True)
    read = [layout.read(plan, layout.drawn(plan, 1, 2, 3, 2)) for plan in (whole, parts)]
    assert (read[1][0]["parts"].shape[1], read[1][1]["parts"].shape[1]) == (2, 2)
    for a, b in zip(*read, strict=True):
        for kind, values in a.items():
            assert np.array_equal(values, b[kind])


def test_every_instruction_set_gives_the_same_whole_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = []
    for level in LEVELS[: _successors.best_level() + 1]:
        monkeypatch.setenv("COUNTING_ISA", level)
        layout = Successors("card", 8)
        plan = layout.plan([pile_of(np.random.default_rng(5), layout, 80)], True)
        rows.append(layout.drawn(plan, 1, 0, 0, 3))
        assert (rows[-1] == np.rint(rows[-1])).all()
        assert np.array_equal(rows[0], rows[-1])


def test_sums_are_below_what_a_float_holds_exactly() -> None:
    """The largest sums: 27 decks known by value, in which all pairs have the kind of tens and faces."""
    layout = Successors("value", 27)
    scores = max(np.abs(layout._scores).max(), np.abs(layout._reach).max())
    pairs, weight = layout.cards**2, 8
    assert pairs * weight * pairs * layout._reach.max() < 2**53  # every pair of the pile on every pair of places
    assert 2 * LAGS * layout.cards * pairs * scores < 2**53
    most, widest = int(layout.full.max()), max(b - a for a, b in pairwise(LOWER))
    assert most * widest < 2**16  # a cell of the table
    assert 6 * layout.cards * most * widest < 2**31  # a sum of cells: a card begins at most six pairs of a line


def test_a_draw_depends_on_the_seed_the_shoe_and_its_number() -> None:
    layout = Successors("value", 1)
    plan = layout.plan([], False)
    many = layout.drawn(plan, 3, 5, 0, 9)
    assert np.array_equal(layout.drawn(plan, 3, 5, 4, 2), many[4:6])
    assert not np.array_equal(layout.drawn(plan, 3, 6, 4, 2), many[4:6])
    assert len(np.unique(many, axis=0)) == 9


@pytest.mark.parametrize(("riffles", "apart", "cards", "times"), [(1, 1, 52, 400), (2, 2, 52, 400), (4, 3, 416, 60)])
def test_distances_after_riffles_have_the_law_of_the_scores(riffles: int, apart: int, cards: int, times: int) -> None:
    """A pit's riffles, a cut by coin tosses and packets that interleave, against the negative binomial law."""
    rng = np.random.default_rng(riffles)
    counts = np.zeros(cards)
    for _ in range(times):
        deck = list(range(cards))
        for _ in range(riffles):
            deck = riffle(rng, deck)
        cut = int(rng.integers(cards))
        place = np.argsort(deck[cut:] + deck[:cut])
        np.add.at(counts, (place[apart:] - place[:-apart]) % cards, 1)
    law = (np.array(likelihood(cards, riffles, apart)) + 1) / (cards - 1)
    expected = law * times * (cards - apart)
    far = (counts[1:] - expected) / np.sqrt(np.maximum(expected, 5))
    assert np.abs(far[: 12 * 2**riffles // 8]).max() < 5
    assert np.allclose(successors._after_riffles(cards, riffles, apart), likelihood(cards, riffles, apart))


def test_the_orders_are_66_and_the_other_end_of_each_is_one() -> None:
    orders = gatherings()
    assert len({(order.places, order.last_first) for order in orders}) == len(orders) == 66
    for order in orders:
        assert order.reverse.reverse == order
    assert gathering("P123-B123-last-on-top").places == (0, 1, 2, 3, 4, 5)
    assert gathering("B213-P312-in-order").places == (4, 3, 5, 2, 0, 1)
    assert gathering("dealt-in-order").places == (0, 3, 1, 4, 2, 5)
    assert gathering("P123-B123-last-on-top").words == "Player's hand first, with the last coup on top"


def test_an_order_that_is_not_one_lists_those_that_are() -> None:
    with pytest.raises(InputError, match=r"--pickup P132-B123-in-order: should be .* 123, 213, 312, 321, then"):
        gathering("P132-B123-in-order")


def test_a_known_order_has_its_columns_alone() -> None:
    order = gathering("B312-P213-in-order")
    layout, one = Successors("card", 1), Successors("card", 1, order)
    pile = pile_of(np.random.default_rng(6), layout, 9)
    rows = [of.read(plan := of.plan([pile], False), of.drawn(plan, 1, 0, 0, 2)) for of in (layout, one)]
    at = [gatherings().index(each) for each in (order, order.reverse)]
    assert set(rows[1][0]) == {"orders"}
    assert np.array_equal(rows[1][0]["orders"], rows[0][0]["orders"][:, at])


def test_new_decks_are_each_suit_up_or_down() -> None:
    layout = Successors("card", 1)
    plan = layout.plan([], False)
    ways = []
    for up in ((1, 1, 1, 1), (0, 0, 0, 0), (1, 1, 0, 0), (0, 1, 0, 1)):
        deck = [4 * rank + suit for suit in range(4) for rank in (range(13) if up[suit] else range(12, -1, -1))]
        read = layout.read(plan, layout.columns(plan, np.array([deck], np.uint8)))[-1]["orders"][0, :, 0]
        ways.append(int(read.argmax()))
    assert len(read) == 16
    assert ways == [0, 15, 12, 5]


def test_kinds_of_a_log_without_suits() -> None:
    for knows, columns in (("card", 16), ("rank", 3), ("value", 3)):
        layout = Successors(knows, 1)  # type: ignore[arg-type]
        plan = layout.plan([], False)
        table = layout.read(plan, layout.drawn(plan, 1, 0, 0, 1))[-1]["orders"]
        assert table.shape == (1, columns, STRENGTHS)
        assert len(layout.full) == WIDTH[knows]  # type: ignore[index]
