"""The order of results: streaks, repeats and arrangements, against plain loops."""

from itertools import groupby

import numpy as np
import pytest

from counting.arrays import Ints
from counting.review.winners.order import IN_PLACE, LENGTHS, MOST_REPEATED, Order

SHOES = (30, 25, 1, 40)
RNG = np.random.default_rng(4)


def order_of(sizes: tuple[int, ...] = SHOES, missing: float = 0.1, seed: int = 1) -> Order:
    rng = np.random.default_rng(seed)
    shoe = np.repeat(range(len(sizes)), sizes)
    follows = (np.diff(shoe, prepend=-1) == 0) & (rng.random(len(shoe)) > missing)
    codes = rng.choice(3, len(shoe), p=[0.45, 0.45, 0.1]).astype(np.int8)
    return Order(codes, shoe, shoe - 1, follows)


def segments(order: Order, codes: Ints) -> list[list[int]]:
    """The results between gaps."""
    parts: list[list[int]] = []
    for code, follows in zip(codes.tolist(), order.follows, strict=True):
        parts = parts if follows else [*parts, []]
        parts[-1].append(code)
    return parts


@pytest.mark.parametrize("seed", range(5))
def test_streaks_are_those_of_a_plain_loop(seed: int) -> None:
    order = order_of(seed=seed)
    codes = order.arranged(7, RNG)
    changes, numbers, longest = order.streaks(codes)
    for row, of_row in enumerate(codes):
        runs = [
            [len([*run]) for _, run in groupby(code for code in part if code != 2)] for part in segments(order, of_row)
        ]
        lengths = [length for part in runs for length in part]
        assert changes[row] == sum(max(0, len(part) - 1) for part in runs)
        assert numbers[row].tolist() == [sum(min(n, LENGTHS) == k for n in lengths) for k in range(1, LENGTHS + 1)]
        assert longest[row] == max(lengths, default=0)


def longest_common(order: Order, codes: Ints) -> int:
    """The longest stretch of a shoe that is one of the shoe before, both without a gap."""
    best = 0
    parts: dict[int, list[list[int]]] = {}
    for row, code in enumerate(codes.tolist()):
        of_shoe = parts.setdefault(int(order.shoe[row]), [])
        if not order.follows[row]:
            of_shoe.append([])
        of_shoe[-1].append(code)
    for shoe, now in parts.items():
        for one in parts.get(shoe - 1, []):
            for other in now:
                for size in range(best + 1, min(len(one), len(other)) + 1):
                    earlier = {tuple(one[at : at + size]) for at in range(len(one) - size + 1)}
                    if not any(tuple(other[at : at + size]) in earlier for at in range(len(other) - size + 1)):
                        break
                    best = size
    return best


@pytest.mark.parametrize("seed", range(3))
def test_repeats_are_those_of_a_plain_loop(seed: int) -> None:
    order = order_of((20, 25, 30), 0.05, seed)
    codes = order.arranged(5, RNG)
    most = [longest_common(order, of_row) for of_row in codes]
    for size in range(1, 12):
        assert order.has_repeat(codes, size).tolist() == [size <= best for best in most]
    repeat = order.longest_repeat
    assert repeat is not None
    assert repeat.coups == longest_common(order, order.codes)
    stretches = [order.codes[first : first + repeat.coups].tolist() for first in (repeat.before, repeat.after)]
    assert stretches[0] == stretches[1]
    assert order.shoe[repeat.before] == order.shoe[repeat.after] - 1


def test_a_shoe_that_comes_again_is_found_whole() -> None:
    codes = np.random.default_rng(2).integers(0, 3, 60).astype(np.int8)
    shoe = np.repeat([0, 1], 60)
    order = Order(np.tile(codes, 2), shoe, shoe - 1, np.diff(shoe, prepend=-1) == 0)
    assert order.longest_repeat == (0, 60, MOST_REPEATED)


def test_arrangements_keep_each_shoe_and_its_last_results() -> None:
    order = order_of()
    codes = order.arranged(200, RNG)
    for shoe in range(len(SHOES)):
        rows = np.flatnonzero(order.shoe == shoe)
        assert (np.sort(codes[:, rows], axis=1) == np.sort(order.codes[rows])).all()
        assert (codes[:, rows[-IN_PLACE:]] == order.codes[rows[-IN_PLACE:]]).all()
    first = codes[:, 0]
    share = (order.codes[: SHOES[0] - IN_PLACE] == 0).mean()
    assert (first == 0).mean() == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 200))
