"""The longest stretch of cards that two shoes have in common, and a bound on its probability.

A batch that was never shuffled, or was prepared, comes again card for card. For well-shuffled shoes, the expected
number of stretches of n cards that two shoes share is computed exactly. The probability that there is any such stretch
is at most this number."""

from __future__ import annotations

from math import comb, exp, lgamma, log
from typing import NamedTuple

import numpy as np

from counting.arrays import Ints
from counting.review.shuffle.shoe_orders import ShoeOrders

_LONGEST = 60  # cards: longer stretches get the bound for this length


class Stretch(NamedTuple):
    """A stretch of `cards` cards in the same order in two `shoes`, which are given as rows of `ShoeOrders`. `places`:
    where the stretch begins in each shoe, from 1."""

    cards: int
    shoes: tuple[int, int]
    places: tuple[int, int]


def longest_stretch(orders: ShoeOrders) -> Stretch | None:
    """The longest stretch of seen cards that two shoes have in common. None if there is none."""
    size = orders.cards.shape[1]
    flat = np.where(orders.known, orders.cards, 255).ravel().astype(np.int64)
    shoe, place = np.divmod(np.arange(flat.size), size)
    unseen = np.concatenate([[0], np.cumsum(flat == 255)])

    def common(length: int, key: Ints, at: Ints) -> Stretch | None:
        """A stretch of this length that begins at two places, in two shoes. None if there is none."""
        whole = (place[at] + length <= size) & (unseen[np.minimum(at + length, flat.size)] == unseen[at])
        at, key = at[whole], key[whole]
        order = np.argsort(key, kind="stable")  # by key, then by shoe and place
        key, at = key[order], at[order]
        other = np.flatnonzero((key[1:] == key[:-1]) & (shoe[at[1:]] != shoe[at[:-1]]))
        if not len(other):
            return None
        a, b = int(at[other[0]]), int(at[other[0] + 1])
        return Stretch(length, (int(shoe[a]), int(shoe[b])), (int(place[a]) + 1, int(place[b]) + 1))

    every = np.arange(flat.size)
    keys, stretch = [flat], common(1, flat, every)
    while stretch is not None and 2 * stretch.cards <= size:
        longer = common(2 * stretch.cards, *_joined(keys[-1], keys[-1], every, stretch.cards))
        if longer is None:
            break
        keys.append(_joined(keys[-1], keys[-1], every, stretch.cards)[0])
        stretch = longer
    if stretch is None:
        return None
    key = keys[-1]
    for half in reversed(range(len(keys) - 1)):
        joined, at = _joined(key, keys[half], every, stretch.cards)
        longer = common(stretch.cards + 2**half, joined, at)
        if longer is not None:
            key, stretch = joined, longer
    return stretch


def _joined(key: Ints, more: Ints, every: Ints, by: int) -> tuple[Ints, Ints]:
    """Number the joined stretch at each place. `key` and `more` have the numbers of two shorter stretches that begin at
    each place. The joined stretch is the stretch in `key`, followed by the stretch in `more` that begins `by` cards
    later. Equal stretches have equal numbers. Returns the numbers, and all places (`every`)."""
    rest = np.append(more[by:], np.full(min(by, len(more)), -1))
    _, numbers = np.unique(key * (int(more.max()) + 2) + rest + 1, return_inverse=True)
    return numbers.astype(np.int64), every


def chance_of_stretch(cards: int, shoes: int, full: Ints) -> float:
    """An upper bound on the probability that two of `shoes` well-shuffled shoes have `cards` cards in a row in common.

    `full` says how many cards of each kind a shoe has. The bound is the expected number of pairs of places, in two
    shoes, at which the same `cards` cards begin, but at most 1. With fewer than two shoes it is 1, and above 60 cards
    it is the bound for 60."""
    size, cards = int(full.sum()), min(cards, _LONGEST)
    pairs = comb(shoes, 2) * (size - cards + 1) ** 2
    if not pairs:
        return 1.0
    # Let (x)_m be the falling factorial, N the cards of a shoe and n_k the cards of kind k. The probability that n
    # given places of one shoe have the same cards as n given places of another is n! / ((N)_n)^2 times the coefficient
    # of z^n in the product, over the kinds, of sum_m ((n_k)_m)^2 z^m / m!. To keep numbers small, z^m is divided by
    # N^(2m).
    product = np.ones(1)
    for number in full.tolist():
        terms = [
            exp(2 * (lgamma(number + 1) - lgamma(number - m + 1) - m * log(size)) - lgamma(m + 1))
            for m in range(min(number, cards) + 1)
        ]
        product = np.convolve(product, terms)[: cards + 1]
    falling = lgamma(size + 1) - lgamma(size - cards + 1) - cards * log(size)
    return min(1.0, exp(min(0.0, log(pairs) + lgamma(cards + 1) + log(product[cards]) - 2 * falling)))
