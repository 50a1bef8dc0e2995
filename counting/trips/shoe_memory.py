"""What the shoe's memory does to the deviation of a patron's result.

Cards are exchangeable: given the cards of coup i alone, coup j of the same shoe is dealt from the shoe without them. So
the pays of any two coups that a shoe is sure to have are correlated as those of coups 1 and 2, and the variance of n
coups of a shoe is exactly n v + n (n - 1) c, with v the variance of a coup and

    c = E[X_1 (edge after coup 1 - edge)],

summed over the hands of the first coup: all of them by value, or by rank where a bet looks at ranks.
"""

from __future__ import annotations

from math import perm

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.cards import RANKS, VALUE_OF_RANK
from counting.exact import JointPays, tableau_arrays
from counting.trips.plays import full_shoe

_BY_VALUE = (9, 0, 1, 2, 3, 4, 5, 6, 7, 8)  # a rank of each value
_AT_ONCE = 1 << 14  # compositions


def covariance(joint: JointPays, by_class: Floats, decks: int) -> float | None:
    """The covariance of what two coups of a shoe pay, `by_class` (classes,) for each class of outcomes; None where a
    bet looks at suits."""
    if joint.knows == "card":
        return None
    full = full_shoe(joint, decks)
    mean = float(joint.chances(full)[0] @ by_class)
    hands, ways = _first_coups(joint, full[0])
    removed, place = np.unique(_composition(hands, len(full[0])), axis=0, return_inverse=True)
    paid = by_class[joint.classes(_shown(joint, hands))]
    weighted = np.bincount(place.reshape(-1), ways * paid, len(removed))
    change = np.concatenate(
        [
            joint.chances(np.ascontiguousarray(full - removed[i : i + _AT_ONCE], np.int32)) @ by_class - mean
            for i in range(0, len(removed), _AT_ONCE)
        ]
    )
    return float(weighted @ change)


def _first_coups(joint: JointPays, full: Int32s) -> tuple[Ints, Floats]:
    """The hands of a coup (rows, 6), by place in the composition: Player's two cards in order of place, Banker's, then
    the third cards, -1 for none; and their probabilities (rows,)."""
    kinds = len(full)
    value = np.arange(kinds) if kinds == 10 else np.array(VALUE_OF_RANK)
    low, high = np.triu_indices(kinds)
    pairs = np.column_stack([low, high])
    first, second = (index.reshape(-1) for index in np.indices((len(pairs), len(pairs))))
    hands = np.full((len(first), 6), -1)
    hands[:, :2], hands[:, 2:4] = pairs[first], pairs[second]
    orders = (1.0 + (hands[:, 0] != hands[:, 1])) * (1 + (hands[:, 2] != hands[:, 3]))
    player, banker = value[hands[:, 0]] + value[hands[:, 1]], value[hands[:, 2]] + value[hands[:, 3]]
    of_player, of_banker = tableau_arrays(joint.game.tableau)
    player, banker = player % 10, banker % 10
    over = (of_player[player] < 0) | (of_banker[banker, 0] < 0)
    draws = ~over & (of_player[player] == 1)
    hands, orders = _with_third(hands, orders, draws, 4, kinds)
    banker = (value[hands[:, 2]] + value[hands[:, 3]]) % 10
    player = (value[hands[:, 0]] + value[hands[:, 1]]) % 10
    over = (of_player[player] < 0) | (of_banker[banker, 0] < 0)
    third = np.where(hands[:, 4] < 0, 10, value[hands[:, 4]])
    draws = ~over & (of_banker[banker, third] == 1)
    hands, orders = _with_third(hands, orders, draws, 5, kinds)
    chances = orders.copy()
    for column in range(6):
        card = hands[:, column]
        before = (hands[:, :column] == card[:, np.newaxis]).sum(axis=1)
        chances *= np.where(card < 0, 1, np.maximum(full[card] - before, 0))
    cards = (hands >= 0).sum(axis=1)
    dealt = np.array([float(perm(int(full.sum()), n)) for n in range(7)])
    chances /= dealt[cards]
    return hands[chances > 0], chances[chances > 0]


def _with_third(hands: Ints, orders: Floats, draws: NDArray[np.bool_], column: int, kinds: int) -> tuple[Ints, Floats]:
    """The hands with each third card for those that draw it."""
    drawn = np.repeat(hands[draws], kinds, axis=0)
    drawn[:, column] = np.tile(np.arange(kinds), int(draws.sum()))
    return np.vstack([hands[~draws], drawn]), np.concatenate([orders[~draws], np.repeat(orders[draws], kinds)])


def _composition(hands: Ints, kinds: int) -> Ints:
    """The cards of hands by kind (rows, kinds)."""
    return np.column_stack([(hands == kind).sum(axis=1) for kind in range(kinds)])


def _shown(joint: JointPays, hands: Ints) -> NDArray[np.uint8]:
    """What hands show, (rows, 11) as in `simulation.Coups`, all cards of one suit."""
    ranks = np.arange(len(RANKS)) if joint.knows == "rank" else np.array(_BY_VALUE)
    value = np.array(VALUE_OF_RANK)
    cards = np.where(hands < 0, -1, ranks[hands])
    points = np.where(cards < 0, 0, value[cards])
    drew = hands[:, 4:] >= 0
    shown = np.zeros((len(hands), 11), np.uint8)
    shown[:, 0] = points[:, [0, 1, 4]].sum(axis=1) % 10
    shown[:, 1] = points[:, [2, 3, 5]].sum(axis=1) % 10
    shown[:, 2:4] = 2 + drew
    shown[:, 4] = (cards[:, 0] == cards[:, 1]) + 4 * (cards[:, 2] == cards[:, 3])
    third = np.where(drew[:, :1], hands[:, 4:], hands[:, [5, 5]])
    order = [cards[:, 0], cards[:, 2], cards[:, 1], cards[:, 3]]
    of_third = np.where(third < 0, 0, ranks[third])
    shown[:, 5:] = 4 * np.column_stack([*order, of_third])
    return shown
