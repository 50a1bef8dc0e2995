"""How the cards of coups lie in the discard rack: the orders of gathering that are tried, and which cards lie near each
other in each order.

A dealer may gather a coup hand by hand. Player's cards or Banker's come first. The first two cards of a hand are in the
order dealt or reversed, and a third card is last or first. Or the dealer gathers all cards as they were dealt, Player's
and Banker's by turns. The coups are in order, or the last coup is on top. That makes 66 orders. The reverse of each
order is among them.

For a given order, the distance of two cards that are near each other in a pile depends on three things:

- whether the cards are in one coup or in neighbouring coups
- which third cards these coups have
- the places of the cards in their coups

Each combination is a type of pair. For an order, `lines_of` gives the types of pairs at each distance up to `LAGS`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from counting.arrays import Bools, Ints
from counting.errors import InputError, nearest

LAGS = 4  # cards at this distance or less are near each other
_PLAYER, _BANKER = (0, 1, 2), (3, 4, 5)  # places of a coup: P1 P2 P3, B1 B2 B3
_AS_DEALT = (0, 3, 1, 4, 2, 5)
_HANDS = {"123": (0, 1, 2), "213": (1, 0, 2), "312": (2, 0, 1), "321": (2, 1, 0)}
_COUPS = ("last-on-top", "in-order")
THIRDS = tuple(product((False, True), repeat=2))  # shapes of a coup: whether Player and Banker drew
_PLACES = [[p for p in range(6) if (p != 2 or drew[0]) and (p != 5 or drew[1])] for drew in THIRDS]


class Gathering(NamedTuple):
    """An order in which coups are gathered: its name, the places of a coup's cards in this order, and whether the last
    coup comes first."""

    name: str
    places: tuple[int, ...]
    last_first: bool

    @property
    def words(self) -> str:
        """The order in words, such as "Player's hand first, with the last coup on top"."""
        hands = "in the order dealt"
        if self.name[:1] in "PB":
            hands = ("Player's hand first" if self.name[0] == "P" else "Banker's hand first") + _turned(self.name)
        return f"{hands}, with {'the last coup on top' if self.last_first else 'the coups in order'}"

    @property
    def reverse(self) -> Gathering:
        """The order of the same pile, read from its other end."""
        places, last_first = self.places[::-1], not self.last_first
        return next(order for order in gatherings() if (order.places, order.last_first) == (places, last_first))


def _turned(name: str) -> str:
    first, second = (part[1:] for part in name.split("-")[:2])
    other = "Banker's" if name[0] == "P" else "Player's"
    return "" if first == second == "123" else f" (its cards in the order {first}, {other} in the order {second})"


@cache
def gatherings() -> tuple[Gathering, ...]:
    """All orders that are tried."""
    coups: dict[str, tuple[int, ...]] = {}
    for first, second in (("P", "B"), ("B", "P")):
        for a, b in product(_HANDS, repeat=2):
            hands = {"P": _PLAYER, "B": _BANKER}
            coups[f"{first}{a}-{second}{b}"] = tuple(
                hands[hand][i] for hand, way in ((first, a), (second, b)) for i in _HANDS[way]
            )
    coups["dealt"], coups["dealt-turned"] = _AS_DEALT, _AS_DEALT[::-1]
    return tuple(
        Gathering(f"{name}-{how}", places, how == "last-on-top")
        for name, places in coups.items()
        for how in _COUPS
        if (name, how) not in (("dealt", "last-on-top"), ("dealt-turned", "in-order"))
    )


def gathering(name: str) -> Gathering:
    """The order of this name. Raises `InputError` for another name."""
    for order in gatherings():
        if order.name == name:
            return order
    hint = nearest(name, [order.name for order in gatherings()])
    raise InputError(
        f"--pickup {name}: should be the hand that is picked up first with its cards, then the other hand, each as "
        f"{', '.join(_HANDS)}, then {' or '.join(_COUPS)}, as P123-B123-last-on-top; or dealt-in-order or "
        f"dealt-turned-last-on-top{hint}"
    )


# The code of each type of pair, indexed by the shapes of the coups and the places of the cards. The second card is in
# the same coup (`WITHIN`), in the coup dealt next (`NEXT`) or in the coup dealt before (`BEFORE`).
WITHIN = np.full((4, 6, 6), -1, np.int32)
NEXT, BEFORE = (np.full((4, 6, 4, 6), -1, np.int32) for _ in range(2))
for _shape, _own in enumerate(_PLACES):
    for _u, _v in product(_own, repeat=2):
        if _u != _v:
            WITHIN[_shape, _u, _v] = WITHIN.max() + 1
_first = int(WITHIN.max()) + 1
for _table in (NEXT, BEFORE):
    for (_s, _own), (_t, _others) in product(enumerate(_PLACES), repeat=2):
        for _u, _v in product(_own, _others):
            _table[_s, _u, _t, _v] = _first
            _first += 1
TYPES = _first


def lines_of(order: Gathering) -> Iterator[list[int]]:
    """For each distance from 1 to `LAGS`, the types of pairs that this order puts at this distance."""
    lines: list[list[int]] = [[] for _ in range(LAGS)]
    read = [[p for p in order.places if p in places] for places in _PLACES]
    follows = BEFORE if order.last_first else NEXT
    for s, own in enumerate(read):
        for (i, u), (j, v) in product(enumerate(own), repeat=2):
            if 1 <= j - i <= LAGS:
                lines[j - i - 1].append(int(WITHIN[s, u, v]))
        for t, others in enumerate(read):
            for (i, u), (j, v) in product(enumerate(own), enumerate(others)):
                if (lag := len(own) - i + j) <= LAGS:
                    lines[lag - 1].append(int(follows[s, u, t, v]))
    return iter(lines)


def pairs_of(coups: Ints, linked: Bools) -> Ints:
    """The pairs of cards that are near each other in a pile, one pair a row (pairs, 4): the kinds of both cards, the
    type of the pair, and the row of the coup dealt earlier.

    `coups` (coups, 6) has the kinds at the places P1 P2 P3 B1 B2 B3, -1 for no card. `linked` (coups,): whether the
    next row is the coup dealt next."""
    some = coups >= 0
    shapes = 2 * some[:, 2] + some[:, 5]
    rows = np.arange(len(coups))
    parts = []
    places = np.arange(6)
    within = WITHIN[shapes]
    c, u, v = np.nonzero(within >= 0)
    parts.append(np.column_stack([coups[c, u], coups[c, v], within[c, u, v], c]))
    a = rows[:-1][linked[:-1]] if len(coups) > 1 else rows[:0]
    for table, first, second in ((NEXT, a, a + 1), (BEFORE, a + 1, a)):
        of = table[shapes[first][:, None, None], places[None, :, None], shapes[second][:, None, None], places]
        c, u, v = np.nonzero(of >= 0)
        parts.append(np.column_stack([coups[first[c], u], coups[second[c], v], of[c, u, v], a[c]]))
    return np.concatenate(parts).astype(np.int64)
