"""Bets settled by the hands where cards of the coup are known before it is dealt.

What is known of a hand's first two cards leaves some of their two orders; what is known of the fifth and sixth card is
known of third cards, or of cards that are not dealt. So hands that have other orders, or other numbers of the cards
that are known to lie there, are counted apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import perm, prod

import numpy as np

from counting.cards import COUP, SUITS, VALUE_OF_CARD, Shoe
from counting.errors import InputError
from counting.exact.hand_counts import counter_of
from counting.exact.known_cards import ANY, Known
from counting.games import Tableau
from counting.games.conditions import SIDES, Conditions
from counting.games.hand_tables import hand_tables
from counting.games.hands import CARDS, Feature, number_in, orders_in, third_in


def known_lines(conditions: tuple[Conditions, ...], tableau: Tableau, shoe: Shoe, known: Known) -> list[int]:
    """The number of ordered six-card deals of each line that agree with what is known."""
    p1, b1, p2, b2, fifth, sixth = known.cards
    orders = {"player": orders_in(p1, p2), "banker": orders_in(b1, b2)}
    wanted = {("player", orders["player"]), ("banker", orders["banker"])} if {p1, p2, b1, b2} != {ANY} else set()
    later = fifth != ANY or sixth != ANY
    of_fifth, of_sixth, of_both = (number_in(cards) for cards in (fifth, sixth, fifth & sixth))
    if later:
        wanted |= {("player", third_in(fifth)), ("banker", third_in(fifth)), ("banker", third_in(sixth))}
        wanted |= {(side, feature) for side in SIDES for feature in (CARDS, of_fifth, of_sixth, of_both)}
    apart = tuple(sorted(wanted, key=lambda look: (look[0], look[1].name)))
    try:
        tables = hand_tables(conditions, tableau, apart)
        counter = counter_of(tables)
    except InputError:
        raise InputError(
            f"known {known}: too much to count with a bet that is settled by the hands, should be fewer places or ranks"
        ) from None
    by_dealt = counter.by_cards_dealt(np.array([shoe.counts], np.int32))[0]
    by_dealt = by_dealt.reshape(len(conditions), len(tables.parts), -1)
    totals = [0] * len(conditions)
    for j, part in enumerate(tables.parts):
        shown = dict(zip(apart, part, strict=True))
        agreeing = prod(shown.get((side, orders[side]), 2) for side in SIDES)  # of four orders of the first two cards
        for dealt in range(2, COUP + 1):
            undealt = _undealt(shoe, known, shown, dealt) if later else perm(shoe.cards_left - dealt, COUP - dealt)
            for line in range(len(conditions)):
                totals[line] += int(by_dealt[line, j, dealt - 2]) * agreeing * undealt
    return [total // 4 for total in totals]


def _undealt(shoe: Shoe, known: Known, shown: dict[tuple[str, Feature], int], dealt: int) -> int:
    """In how many ways the fifth and sixth card agree with what is known, after the third cards, which do if they are
    dealt."""
    fifth, sixth = known.cards[4:]
    player_drew, banker_drew = (shown[side, CARDS] == 3 for side in SIDES)
    if dealt != 4 + player_drew + banker_drew:
        return 0
    thirds: Sequence[int] = ()
    if player_drew:
        thirds = [shown["player", third_in(fifth)], *([shown["banker", third_in(sixth)]] if banker_drew else [])]
    elif banker_drew:
        thirds = [shown["banker", third_in(fifth)]]
    if not all(thirds):
        return 0

    def left(cards: frozenset[int]) -> int:
        return _number(shoe, cards) - sum(shown[side, number_in(cards)] for side in SIDES)

    if dealt == COUP:
        return 1
    if dealt == COUP - 1:
        return left(sixth)
    return left(fifth) * left(sixth) - left(fifth & sixth)


def _number(shoe: Shoe, cards: frozenset[int]) -> int:
    """The cards of a shoe that are among these: whole kinds of those that it knows."""
    if shoe.knows == "card":
        return sum(shoe.counts[card] for card in cards)
    if shoe.knows == "rank":
        return sum(shoe.counts[rank] for rank in {card // len(SUITS) for card in cards})
    return sum(shoe.counts[value] for value in {VALUE_OF_CARD[card] for card in cards})
