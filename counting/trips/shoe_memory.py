"""How the shoe's memory changes the standard deviation of a patron's result.

Cards are exchangeable: given only the cards of coup i, coup j of the same shoe is dealt from the shoe without these
cards. So the pays of any two coups that every shoe reaches have the covariance of the pays X_1 and X_2 of the first two
coups. Call this covariance c, and the variance of a coup v. The variance of the sum of n coups of a shoe is exactly

    n v + n (n - 1) c, with c = E[X_1 (edge after coup 1 - edge)]

Here `edge` is the edge on the full shoe. The mean E is a sum over all hands of the first coup. Hands are distinguished
by value, or by rank if a bet looks at ranks."""

from __future__ import annotations

from functools import lru_cache
from math import perm
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.cards import COUP, RANKS, VALUE_OF_RANK
from counting.exact import JointPays, tableau_arrays
from counting.games import STOOD
from counting.trips.plays import full_shoe

_BY_VALUE = (9, 0, 1, 2, 3, 4, 5, 6, 7, 8)  # for each value, one rank that has it
_AT_ONCE = 1 << 14  # compositions priced at a time


def covariance(joint: JointPays, by_class: Floats, decks: int) -> float | None:
    """The covariance of the pays of two coups of the same shoe. `by_class` (classes,) is the mean pay of each class of
    outcomes.

    None if a bet depends on suits."""
    if joint.knows == "card":
        return None
    coups = _two_coups(joint, decks)
    mean = float(coups.full @ by_class)
    weighted = np.bincount(coups.place, coups.ways * by_class[coups.first])
    change = np.concatenate([chances @ by_class - mean for chances in coups.second])
    return float(weighted @ change)


class _TwoCoups(NamedTuple):
    """The hands of a first coup, and the chances of a second coup after each.

    - `ways` (hands,): the probabilities of the hands
    - `first` (hands,): the classes of the hands
    - `place` (hands,): which set of cards the two hands use, as an index of the sets in `second`
    - `second`: the chances of the classes of a second coup after each set of cards, in blocks (sets, classes)
    - `full` (classes,): the chances of the classes on the full shoe"""

    ways: Floats
    first: Int32s
    place: Ints
    second: tuple[Floats, ...]
    full: Floats


@lru_cache(maxsize=4)
def _two_coups(joint: JointPays, decks: int) -> _TwoCoups:
    full = full_shoe(joint, decks)
    hands, ways = _first_coups(joint, full[0])
    dealt = _composition(hands, len(full[0]))
    _, first, place = np.unique(dealt @ (COUP + 1) ** np.arange(len(full[0])), return_index=True, return_inverse=True)
    removed = dealt[first]
    blocks = (removed[i : i + _AT_ONCE] for i in range(0, len(removed), _AT_ONCE))
    second = tuple(joint.chances(np.ascontiguousarray(full - block, np.int32)) for block in blocks)
    return _TwoCoups(ways, joint.classes(_shown(joint, hands)), place.reshape(-1), second, joint.chances(full)[0])


def _first_coups(joint: JointPays, full: Int32s) -> tuple[Ints, Floats]:
    """The hands of a coup (rows, 6) and their probabilities (rows,). A card is given by its place in the composition.

    The columns are Player's two cards in order of place, Banker's two, then Player's and Banker's third card, -1 for
    none."""
    value = np.arange(10) if len(full) == 10 else np.array(VALUE_OF_RANK)
    pairs = np.column_stack(np.triu_indices(len(full)))
    player, banker = (index.reshape(-1) for index in np.indices((len(pairs), len(pairs))))
    hands = np.column_stack([pairs[player], pairs[banker], np.full((len(player), 2), -1)])
    of_player, of_banker = tableau_arrays(joint.game.tableau)
    totals = value[hands[:, :4]].reshape(-1, 2, 2).sum(axis=2).T % 10
    goes_on = (of_player[totals[0]] >= 0) & (of_banker[totals[1], 0] >= 0)
    hands = _with_third(hands, goes_on & (of_player[totals[0]] == 1), 4, len(full))
    totals = value[hands[:, :4]].reshape(-1, 2, 2).sum(axis=2).T % 10
    goes_on = (of_player[totals[0]] >= 0) & (of_banker[totals[1], 0] >= 0)
    third = np.where(hands[:, 4] < 0, STOOD, value[hands[:, 4]])
    hands = _with_third(hands, goes_on & (of_banker[totals[1], third] == 1), 5, len(full))
    ways = (1.0 + (hands[:, 0] != hands[:, 1])) * (1 + (hands[:, 2] != hands[:, 3]))
    for column in range(6):
        card = hands[:, column, np.newaxis]
        drawn_before = (hands[:, :column] == card).sum(axis=1)
        ways *= np.where(card[:, 0] < 0, 1, np.maximum(full[card[:, 0]] - drawn_before, 0))
    dealt = np.array([float(perm(int(full.sum()), cards)) for cards in range(7)])
    chances = ways / dealt[(hands >= 0).sum(axis=1)]
    return hands[ways > 0], chances[ways > 0]


def _with_third(hands: Ints, draws: Bools, column: int, kinds: int) -> Ints:
    """The hands, but each hand that draws is replaced by a copy for each possible third card. The third card is written
    in this column."""
    drawn = np.repeat(hands[draws], kinds, axis=0)
    drawn[:, column] = np.tile(np.arange(kinds), int(draws.sum()))
    return np.vstack([hands[~draws], drawn])


def _composition(hands: Ints, kinds: int) -> Ints:
    """The number of cards of each kind in the hands (rows, kinds)."""
    return np.column_stack([(hands == kind).sum(axis=1) for kind in range(kinds)])


def _shown(joint: JointPays, hands: Ints) -> NDArray[np.uint8]:
    """What hands show (rows, 11), as in `simulation.Coups`. All cards are given the same suit, but none are marked as
    suited, as no bet here looks at suits."""
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
