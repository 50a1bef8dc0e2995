"""Patrons who watch the faces of cards, with habits that people at tables talk about. One of them counts only the
sevens, and the others count nothing. None of them gains by the habit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from counting.cards import CARDS, SUITS, VALUE_OF_RANK
from counting.review.synthetic import DealtTable
from counting.review.synthetic.patrons import Floats
from experiments.audit.habits import Habit, before

Bools = NDArray[np.bool_]
_HANDS = ((0, 1), (3, 4))  # the places of each hand's first two cards
_WHOLE_SHOE = 1000  # more coups than a shoe has
_NO_RANK = 13


def _ranks(table: DealtTable) -> NDArray[np.int64]:
    """The ranks of the cards of each coup (rows, 6): 0 for an ace to 12 for a king, and 13 for no card."""
    return np.where(table.cards >= 0, table.cards.astype(np.int64) // len(SUITS), _NO_RANK)


def _values(table: DealtTable) -> NDArray[np.int64]:
    """The point values of the cards of each coup (rows, 6), with -1 for no card."""
    return np.append(VALUE_OF_RANK, -1)[_ranks(table)]


def _pictures(table: DealtTable) -> Bools:
    ranks = _ranks(table)
    return (ranks >= 10) & (ranks < _NO_RANK)


def _hand_of(table: DealtTable, first: Bools, second: Bools) -> Bools:
    """The coups in which a hand's first two cards are a card of one kind and a card of another, in either order.
    `first` and `second`: which cards are of the one and of the other kind (rows, 6)."""
    found = np.zeros(len(first), np.bool_)
    for a, b in _HANDS:
        found |= (first[:, a] & second[:, b]) | (first[:, b] & second[:, a])
    return found


def sevens_are_due(table: DealtTable, paid: Floats) -> Floats:
    """Bets if no seven came in the last three coups."""
    seen = before(table, (_values(table) == 7).any(axis=1), 3)
    return ((seen == 0) & (table.coup > 3)).astype(float)


def sevens_are_still_in_there(table: DealtTable, paid: Floats) -> Floats:
    """Counts only the sevens: bets if three fewer have come than a thirteenth of the cards."""
    sevens = before(table, (_values(table) == 7).sum(axis=1), _WHOLE_SHOE)
    cards = before(table, (table.cards >= 0).sum(axis=1), _WHOLE_SHOE)
    return (cards / 13 - sevens >= 3).astype(float)


def sevens_come_in_twos(table: DealtTable, paid: Floats) -> Floats:
    return before(table, (_values(table) == 7).sum(axis=1) >= 2)


def after_a_nine_with_a_picture(table: DealtTable, paid: Floats) -> Floats:
    return before(table, _hand_of(table, _values(table) == 9, _pictures(table)))


def pictures_run(table: DealtTable, paid: Floats) -> Floats:
    """Bets if the coup before had three pictures or more."""
    return before(table, _pictures(table).sum(axis=1) >= 3)


def after_two_pictures(table: DealtTable, paid: Floats) -> Floats:
    """Bets if a hand of the coup before had two pictures, because of the saying that a monkey is followed by money."""
    return before(table, _hand_of(table, _pictures(table), _pictures(table)))


def an_ace_is_lucky(table: DealtTable, paid: Floats) -> Floats:
    return before(table, (_values(table) == 1).any(axis=1))


def never_after_a_four(table: DealtTable, paid: Floats) -> Floats:
    """Makes no bet after a coup with a four, the number of death."""
    return 1 - before(table, (_values(table) == 4).any(axis=1))


def after_four_and_five(table: DealtTable, paid: Floats) -> Floats:
    """Bets if the small natural, a four with a five, came in one of the last three coups."""
    values = _values(table)
    return (before(table, _hand_of(table, values == 4, values == 5), 3) > 0).astype(float)


def the_queen_of_hearts(table: DealtTable, paid: Floats) -> Floats:
    """Bets for five coups after the queen of hearts came."""
    return (before(table, (table.cards == CARDS.index("Qh")).any(axis=1), 5) > 0).astype(float)


def the_same_card_on_both_sides(table: DealtTable, paid: Floats) -> Floats:
    ranks = _ranks(table)
    return before(table, ranks[:, 0] == ranks[:, 3])


def player_first_card_beat_banker_s(table: DealtTable, paid: Floats) -> Floats:
    values = _values(table)
    return before(table, values[:, 0] > values[:, 3])


def follows_the_red(table: DealtTable, paid: Floats) -> Floats:
    """Bets if three or more of the first four cards of the coup before were red."""
    red = np.isin(table.cards[:, [0, 1, 3, 4]] % len(SUITS), [SUITS.index("h"), SUITS.index("d")])
    return before(table, red.sum(axis=1) >= 3)


def eights_and_nines_are_due(table: DealtTable, paid: Floats) -> Floats:
    """Bets if neither an eight nor a nine came in the last two coups."""
    seen = before(table, (_values(table) >= 8).any(axis=1), 2)
    return ((seen == 0) & (table.coup > 2)).astype(float)


def small_cards_are_out(table: DealtTable, paid: Floats) -> Floats:
    """Bets if the last three coups had at least four more cards from ace to 4 than from 6 to 9, in the belief that big
    cards must then come."""
    values = _values(table)
    small, big = (((values >= low) & (values <= high)).sum(axis=1) for low, high in ((1, 4), (6, 9)))
    return (before(table, small, 3) - before(table, big, 3) >= 4).astype(float)


ONE_VALUE: dict[str, Callable[[DealtTable, Floats], Floats]] = {
    "sevens are due": sevens_are_due,
    "the sevens are still in there": sevens_are_still_in_there,
    "sevens come in twos": sevens_come_in_twos,
    "after a nine with a picture": after_a_nine_with_a_picture,
    "pictures run": pictures_run,
    "after two pictures": after_two_pictures,
    "an ace is lucky": an_ace_is_lucky,
    "never after a four": never_after_a_four,
    "after a four with a five": after_four_and_five,
    "the queen of hearts": the_queen_of_hearts,
}
SEVERAL: dict[str, Callable[[DealtTable, Floats], Floats]] = {
    "the same card on both sides": the_same_card_on_both_sides,
    "Player's first card beat Banker's": player_first_card_beat_banker_s,
    "follows the red": follows_the_red,
    "eights and nines are due": eights_and_nines_are_due,
    "small cards are out": small_cards_are_out,
}
FACES: dict[str, Habit] = {name: Habit("dragon-7", rule) for name, rule in {**ONE_VALUE, **SEVERAL}.items()}
