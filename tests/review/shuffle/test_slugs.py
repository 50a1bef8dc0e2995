"""Coups of an earlier shoe that come again: chances against every sequence in plain Python, and slugs out of a pit."""

from collections import Counter
from itertools import permutations, product
from math import comb, exp, factorial, isclose, log, perm

import numpy as np
import pytest

from counting.cards import CARDS
from counting.review import _chains
from counting.review.shuffle.shoe_orders import Pile, ShoeOrders, shoe_orders
from counting.review.shuffle.slugs import Slug, slug
from experiments.shuffle import pit


def distinct_sequences(coup: list[int], cards: int) -> set[tuple[int, ...]]:
    return set(permutations(coup, cards))


@pytest.mark.parametrize("coup", [[3, 7, 9, 11], [3, 3, 9, 11, 9], [5, 5, 5, 5, 1, 2], [4, 4, 4, 4, 4, 4]])
def test_the_chance_of_a_coup_is_that_of_its_distinct_sequences(coup: list[int]) -> None:
    full = np.zeros(52, np.int32)
    full[:13] = [8, 2, 8, 3, 5, 8, 1, 8, 8, 4, 8, 8, 8]
    padded = np.array([[*coup, *[255] * (6 - len(coup))]], np.uint8)
    out = np.zeros((1, 7))
    _chains.sequences(padded, np.array([len(coup)], np.int32), full, out)
    for cards in range(len(coup) + 1):
        total = sum(
            np.prod([perm(int(full[kind]), times) for kind, times in Counter(sequence).items()] or [1])
            for sequence in distinct_sequences(coup, cards)
        )
        assert (total == 0 and out[0, cards] < -1e200) or isclose(exp(out[0, cards]), total, rel_tol=1e-9)


def plain_chains(coups: list[list[int]], linked: list[bool]) -> list[tuple[list[tuple[int, int]], int]]:
    """Every chain, as its coups with the number of cards of each, and how many of these are in the first coup."""
    chains = []
    for c, way in product(range(len(coups)), (1, -1)):
        for begun in range(1, len(coups[c]) + 1):
            parts, at = [(c, begun)], c
            while 0 <= at + way < len(coups) and linked[min(at, at + way)]:
                at += way
                parts.append((at, len(coups[at])))
            chains.append((parts, way))
    return chains


def length_matched(coups: list[list[int]], parts: list[tuple[int, int]], cards: list[int]) -> int:
    """How many of the next cards go along a chain; 0 if fewer than begin it."""
    matched = 0
    for number, (c, size) in enumerate(parts):
        left = Counter(coups[c])
        for used in range(size):
            card = cards[matched] if matched < len(cards) else 255
            if not left[card]:
                return 0 if number == 0 and used < size else matched
            left[card] -= 1
            matched += 1
    return matched


def chance(coups: list[list[int]], parts: list[tuple[int, int]], length: int, full: list[int]) -> float:
    total, left = 1.0, length
    for c, size in parts:
        cards = min(size, left)
        poly = [1]
        for kind, times in Counter(coups[c]).items():
            terms = [comb(full[kind], i) for i in range(times + 1)]
            poly = [sum(terms[i] * poly[t - i] for i in range(len(terms)) if 0 <= t - i < len(poly))
                    for t in range(len(poly) + times)]  # fmt: skip
        total *= poly[cards] * factorial(cards)
        left -= cards
        if not left:
            break
    return total / perm(sum(full), length)


def test_the_least_chance_is_that_of_every_chain_at_every_place() -> None:
    rng = np.random.default_rng(1)
    full = [4] * 13
    for _ in range(3):
        coups = [rng.integers(0, 13, rng.integers(4, 7)).tolist() for _ in range(9)]
        linked = [True, True, True, False, True, True, True, True, False]
        shoe = rng.permutation(np.repeat(np.arange(13), 4)).tolist()
        first = int(rng.integers(0, 30))
        shoe[first : first + 9] = [*rng.permutation(coups[5][:3]), *rng.permutation(coups[6]), *coups[7]][:9]
        shoe[int(rng.integers(45, 52))] = 255
        chains = plain_chains(coups, linked)
        chances = [
            [chance(coups, parts, n, full) for n in range(sum(size for _, size in parts) + 1)] for parts, _ in chains
        ]
        least = min(
            (of_chain[n] for (parts, _), of_chain in zip(chains, chances, strict=True) for at in range(52)
             if shoe[at] != 255 and (n := length_matched(coups, parts, shoe[at:]))),
        )  # fmt: skip
        cards = np.array([[*coup, *[255] * (6 - len(coup))] for coup in coups], np.uint8)
        sizes = np.array([len(coup) for coup in coups], np.int32)
        links = np.array(
            [[c + 1 if linked[c] else -1, c - 1 if c and linked[c - 1] else -1] for c in range(9)], np.int32
        )
        wide = np.array([*full, *[0] * 39], np.int32)
        logs, falling = np.zeros((9, 7)), np.array([log(perm(52, n)) for n in range(53)])
        _chains.sequences(cards, sizes, wide, logs)
        where = np.zeros(5, np.int32)
        by_kernel = _chains.least(
            np.array(shoe, np.uint8), cards, sizes, links, np.zeros(9, np.int32), wide, logs, falling, False, where
        )
        assert isclose(exp(by_kernel), least, rel_tol=1e-9)
        total = 0.0
        for x in (least, 1e-3, 1e-7):
            total = 0.0
            for (parts, _), of_chain in zip(chains, chances, strict=True):
                lengths = [n for n in range(1, len(of_chain)) if of_chain[n] <= x * (1 + 1e-9)]
                # A chain that is unlikely enough within its first coup is the same for all it may be begun with.
                if lengths and (lengths[0] > parts[0][1] or lengths[0] == parts[0][1]):
                    total += (53 - lengths[0]) * of_chain[lengths[0]]
            assert isclose(_chains.expected(log(x) + 1e-9, sizes, links, logs, falling), total, rel_tol=1e-6), x


def orders_of(shoes: list[pit.Shoe], missing: float = 0.0) -> ShoeOrders:
    return shoe_orders(pit.table_log(shoes, missing, np.random.default_rng(8)), 8, 1)


def found_in(orders: ShoeOrders, row: int) -> Slug | None:
    former: list[Pile] = [orders.piles[r] for r in range(row - 1, max(-1, row - 4), -1)]
    return slug(orders.cards[row], orders.known[row], orders.piles[row], former, 8, orders.knows)


@pytest.mark.parametrize("gathered", ["hand by hand", "Banker's hand first, turned", "dealing order", "anyhow"])
@pytest.mark.parametrize("last_on_top", [True, False])
def test_a_slug_is_found_however_its_coups_were_gathered(gathered: str, last_on_top: bool) -> None:
    rng = np.random.default_rng([*gathered.encode(), last_on_top])
    shoes = [pit.dealt(pit.at_random(rng)) for _ in range(3)]
    discards = pit.rack(rng, shoes[1], pit.GATHERED[gathered], last_on_top)
    shoes.append(pit.dealt(pit.slug(rng, discards, 12, 101)))
    slugs_found = found_in(orders_of(shoes), 3)
    assert slugs_found is not None
    assert slugs_found.p < 1e-6
    assert slugs_found.former == 1
    assert slugs_found.backwards == last_on_top
    assert 12 <= slugs_found.cards <= 14  # chance may add a card at an end
    slug_cards = sorted(discards[101:113])
    shoe = [*shoes[3].burned, *(card for coup in pit_cards(shoes[3]) for card in coup)]
    place = next(i for i in range(len(shoe)) if sorted(shoe[i : i + 12]) == slug_cards)
    assert abs(slugs_found.place - place) <= 2


def pit_cards(shoe: pit.Shoe) -> list[list[int]]:
    """The cards of coups in the order dealt."""
    return [[card for i in range(3) for hand in (p, b) for card in hand[i : i + 1]] for p, b in shoe.coups]


def test_a_slug_within_the_shoe_is_found_from_its_earlier_coups_alone() -> None:
    rng = np.random.default_rng(4)
    shoe = pit.dealt(pit.at_random(rng))
    again = [card for coup in pit_cards(shoe)[10:13] for card in coup]
    cards = [*shoe.burned, *(card for coup in pit_cards(shoe) for card in coup), *shoe.rest]
    rest = cards[:150]
    left = Counter(CARDS.index(name) for name in CARDS for _ in range(8))
    left.subtract(rest)
    left.subtract(again)
    assert min(left.values()) >= 0
    tail = rng.permutation(list(left.elements())).tolist()
    orders = orders_of([pit.dealt([*rest, *again, *tail])])
    slugs_found = found_in(orders, 0)
    assert slugs_found is not None
    assert (slugs_found.former, slugs_found.p < 1e-6) == (None, True)
    assert {orders.piles[0].numbers[slugs_found.first_coup], orders.piles[0].numbers[slugs_found.last_coup]} >= {11}
    assert abs(slugs_found.place - 150) <= 1


def test_p_values_of_random_shoes_are_upper_bounds_and_not_idle() -> None:
    rng = np.random.default_rng(5)
    orders = orders_of([pit.dealt(pit.at_random(rng)) for _ in range(60)], missing=0.01)
    p = np.array([found.p if (found := found_in(orders, row)) else 1.0 for row in range(orders.number)])
    assert orders.hidden > 20
    for level in (0.01, 0.05, 0.2):
        assert (p <= level).sum() <= len(p) * level + 4 * np.sqrt(len(p) * level)
    assert (p <= 0.5).mean() > 0.1
