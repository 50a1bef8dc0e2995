"""Split a coup that is logged as one list of cards into its two hands.

Five cards are three of Player's and two of Banker's, or two of Player's and three of Banker's. If only one split fits
the logged totals, it is taken. Otherwise the drawing rules decide, as far as they can, and a drawing error in this coup
cannot be detected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.games import STOOD, Tableau
from counting.logs.cards import MOST_CODE, NO_CARD, value_of

ListOrder = Literal["dealt", "places", "player-first"]
Codes = NDArray[np.int8]

LEAST, MOST = 4, 6
_OPEN = 100  # stands for the value of an unknown card, so that a sum with it fits no total
_VALUE = np.array([_OPEN if value_of(code) is None else value_of(code) for code in range(-2, MOST_CODE + 1)], np.int16)
# The places of Player's and Banker's cards in a list of five: first if Player has three cards, then if Banker has
# three.
_FIVE: dict[str, tuple[tuple[list[int], list[int]], tuple[list[int], list[int]]]] = {
    "dealt": (([0, 2, 4], [1, 3]), ([0, 2], [1, 3, 4])),
    "player-first": (([0, 1, 2], [3, 4]), ([0, 1], [2, 3, 4])),
}
_SIX = {"dealt": ([0, 2, 4], [1, 3, 5]), "player-first": ([0, 1, 2], [3, 4, 5])}
_FOUR = {"dealt": ([0, 2], [1, 3]), "player-first": ([0, 1], [2, 3])}


class PartedHands(NamedTuple):
    """Player's and Banker's cards, each (rows, 3), and three answers for each row. `read`: the number of cards allows a
    split. `by_rules`: the totals did not decide the split of five cards. `open`: the drawing rules did not decide it
    either."""

    player: Codes
    banker: Codes
    read: NDArray[np.bool_]
    by_rules: NDArray[np.bool_]
    open: NDArray[np.bool_]


def hands_of(codes: Codes, order: ListOrder, totals: NDArray[np.int8], tableau: Tableau) -> PartedHands:
    """Split coups into hands. `codes` (rows, places): the list of each coup's cards. `totals` (rows, 2): the logged
    totals of Player and Banker; a number below 0 means that no total is logged."""
    rows = len(codes)
    player, banker = (np.full((rows, 3), NO_CARD, np.int8) for _ in range(2))
    read, by_rules, unsure = (np.zeros(rows, np.bool_) for _ in range(3))
    if order == "places":
        player[:], banker[:] = _closed(codes[:, [0, 2, 4]]), _closed(codes[:, [1, 3, 5]])
        read[:] = (codes[:, 6:] == NO_CARD).all(axis=1) & (player[:, 1] != NO_CARD) & (banker[:, 1] != NO_CARD)
        return PartedHands(player, banker, read, by_rules, unsure)
    codes = _closed(codes)
    number = (codes != NO_CARD).sum(axis=1)
    read[:] = (number >= LEAST) & (number <= MOST)
    for cards, (of_player, of_banker) in ((4, _FOUR[order]), (6, _SIX[order])):
        some = number == cards
        player[some, : len(of_player)] = codes[some][:, of_player]
        banker[some, : len(of_banker)] = codes[some][:, of_banker]
    five = np.flatnonzero(number == 5)
    third, ruled, unsure[five] = _with_three(_VALUE[codes[five] + 2], order, totals[five], tableau)
    by_rules[five] = ruled
    for which, (of_player, of_banker) in enumerate(_FIVE[order]):
        some = five[third == which]
        player[some, : len(of_player)] = codes[some][:, of_player]
        banker[some, : len(of_banker)] = codes[some][:, of_banker]
    return PartedHands(player, banker, read, by_rules, unsure)


def plain_hands(
    codes: Sequence[int], order: ListOrder, totals: tuple[int, int], tableau: Tableau
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Both hands of one coup, as `hands_of` splits them. None if the list has too few or too many cards, or if the
    split is uncertain."""
    cards = [code for code in codes if code != NO_CARD]
    if order == "places":
        player, banker = (tuple(code for code in codes[of:MOST:2] if code != NO_CARD) for of in range(2))
        return (player, banker) if min(len(player), len(banker)) >= 2 and len(cards) == len(player + banker) else None
    if len(cards) not in range(LEAST, MOST + 1):
        return None
    places = (_FOUR if len(cards) == LEAST else _SIX)[order]
    if len(cards) == LEAST + 1:
        third = _third_hand(tuple(_VALUE[np.array(cards) + 2].tolist()), order, totals, tableau)
        if third is None:
            return None
        places = _FIVE[order][third]
    of_player, of_banker = places
    return tuple(cards[at] for at in of_player), tuple(cards[at] for at in of_banker)


@lru_cache(maxsize=1 << 15)
def _third_hand(values: tuple[int, ...], order: ListOrder, totals: tuple[int, int], tableau: Tableau) -> int | None:
    """The hand that has three of the five cards: 0 for Player, 1 for Banker, None if uncertain."""
    both = np.array([totals], np.int8)
    third, _, unsure = _with_three(np.array([values], np.int16), order, both, tableau)
    return None if unsure[0] else int(third[0])


def _closed(codes: Codes) -> Codes:
    """The cards of each row in the same order, with the empty places moved to the end."""
    first = np.argsort(codes == NO_CARD, axis=1, kind="stable")
    return np.take_along_axis(codes, first, axis=1)


def _with_three(
    values: NDArray[np.int16], order: ListOrder, totals: NDArray[np.int8], tableau: Tableau
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Three answers for each row of five cards.

    - the hand with three cards: 0 for Player, 1 for Banker
    - whether the totals left this undecided
    - whether the drawing rules leave it undecided too"""
    fits, lawful = [], []
    for of_player, of_banker in _FIVE[order]:
        player, banker = values[:, of_player], values[:, of_banker]
        sums = np.stack([player.sum(axis=1), banker.sum(axis=1)], axis=1)
        logged = totals >= 0
        fits.append(((sums < _OPEN) & (sums % 10 == totals) | ~logged).all(axis=1) & logged.any(axis=1))
        lawful.append(_lawful(player, banker, tableau))
    by_totals = fits[0] != fits[1]
    ruled = ~by_totals & (lawful[0] != lawful[1])
    # In dealing order, the fifth card is Player's if Player draws, and Banker's otherwise. The first two cards of both
    # hands decide this, unless Player may choose.
    first = values[:, _FIVE[order][1][0]], values[:, _FIVE[order][0][1]]
    draws = [_player_draws(*first, tableau=way) for way in tableau.ways]
    guess = np.where(draws[0], 0, 1)
    third = np.where(by_totals, np.where(fits[0], 0, 1), np.where(ruled, np.where(lawful[0], 0, 1), guess))
    chosen = np.any(draws, axis=0) & ~np.all(draws, axis=0)
    unsure = ~by_totals & ~ruled & (chosen | (order == "player-first"))
    return third, ~by_totals, unsure


def _total(values: NDArray[np.int16]) -> NDArray[np.int16]:
    sums = values.sum(axis=1, dtype=np.int16)
    return np.where(sums < _OPEN, sums % 10, -1).astype(np.int16)


def _player_draws(player: NDArray[np.int16], banker: NDArray[np.int16], tableau: Tableau) -> NDArray[np.bool_]:
    """Whether Player draws, from the first two cards of both hands."""
    p, b = _total(player[:, :2]), _total(banker[:, :2])
    result: NDArray[np.bool_] = _drawing(tableau)[0][p, b]
    return result


@lru_cache(maxsize=64)
def _drawing(tableau: Tableau) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Two tables: whether Player draws, indexed by both totals (11, 11); and whether Banker draws, indexed by both
    totals and Player's third card (10, 10, 11). Index 10 of the first table stands for an unknown total. Player does
    not draw on an unknown total, and an unknown total of Banker's does not stop Player."""
    totals = [*range(10), -1]
    player = [[p >= 0 and tableau.player_draws(p, b) for b in totals] for p in totals]
    banker = [[[tableau.banker_draws(p, b, third) for third in range(11)] for b in range(10)] for p in range(10)]
    return np.array(player), np.array(banker)


def _lawful(player: NDArray[np.int16], banker: NDArray[np.int16], tableau: Tableau) -> NDArray[np.bool_]:
    """Whether the drawing rules allow hands with these values and numbers of cards."""
    by_way = [_lawful_by(way, player, banker) for way in tableau.ways]
    result: NDArray[np.bool_] = np.any(by_way, axis=0)
    return result


def _lawful_by(tableau: Tableau, player: NDArray[np.int16], banker: NDArray[np.int16]) -> NDArray[np.bool_]:
    """`_lawful` for a tableau without choices."""
    drew = player.shape[1] == 3, banker.shape[1] == 3
    p, b = _total(player[:, :2]), _total(banker[:, :2])
    known = (p >= 0) & (b >= 0)
    draws = _player_draws(player, banker, tableau)
    third = player[:, 2].astype(np.int64) if drew[0] else np.full(len(p), STOOD)
    known &= third < _OPEN
    answer = _drawing(tableau)[1][p.clip(0), b.clip(0), np.minimum(third, STOOD)]
    result: NDArray[np.bool_] = known & (draws == drew[0]) & (answer == drew[1])
    return result


def is_dealt_out(player: Sequence[int], banker: Sequence[int], tableau: Tableau) -> bool:
    """Whether both hands are complete by the drawing rules. False if the rules cannot decide, because a card was not
    read or a hand may choose."""
    if min(len(player), len(banker)) < 2:
        return False
    if min(len(player), len(banker)) > 2:
        return True
    values = [[value_of(code) for code in hand] for hand in (player, banker)]
    if any(value is None for hand in values for value in hand):
        return False
    p, b = (sum(value or 0 for value in hand[:2]) % 10 for hand in values)
    if len(player) == 2 and any(way.player_draws(p, b) for way in tableau.ways):
        return False
    third = STOOD if len(player) == 2 else values[0][2] or 0
    return len(banker) > 2 or not any(way.banker_draws(p, b, third) for way in tableau.ways)


def places_of(player: Sequence[Sequence[int]], banker: Sequence[Sequence[int]]) -> Codes:
    """Both hands of each coup, of which at most three cards are taken, as a list of cards in the order "places"."""
    codes = np.full((len(player), MOST), NO_CARD, np.int8)
    for side, hands in enumerate((player, banker)):
        for row, hand in enumerate(hands):
            for place, code in enumerate(hand[:3]):
                codes[row, 2 * place + side] = code
    return codes


def lawful_share(codes: Codes, order: ListOrder, tableau: Tableau) -> float:
    """The share of coups that agree with the drawing rules if their lists of cards are read in this order."""
    nothing = np.full((len(codes), 2), -1, np.int8)
    hands = hands_of(codes, order, nothing, tableau)
    good = np.zeros(len(codes), np.bool_)
    sizes = [(hand != NO_CARD).sum(axis=1) for hand in hands[:2]]
    for p in (2, 3):
        for b in (2, 3):
            some = hands.read & (sizes[0] == p) & (sizes[1] == b)
            player, banker = _VALUE[hands.player[some][:, :p] + 2], _VALUE[hands.banker[some][:, :b] + 2]
            good[some] = _lawful(player, banker, tableau)
    return float(good.mean()) if len(good) else 0.0
