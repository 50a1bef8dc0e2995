"""Bets settled by the hands where cards of the coup are known before it is dealt.

What is known of a hand's first two cards leaves some of their two orders; what is known of the fifth and sixth card is
known of third cards, or of cards that are not dealt. So hands that have other orders, or other numbers of the cards
that are known to lie there, are counted apart. A bet on the first two cards of the hands alone is not changed by where
the fifth and sixth card lie: they are taken out of the shoe before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import perm, prod

import numpy as np

from counting.cards import COUP, Shoe
from counting.errors import InputError
from counting.exact.hand_counts import counter_of
from counting.exact.known_cards import ANY, Known
from counting.games import Bet, Tableau
from counting.games.conditions import SIDES
from counting.games.hand_tables import hand_tables
from counting.games.hands import CARD, CARDS, RANK, VALUE, Feature, looks_of, number_in, orders_in, third_in


def known_lines(bet: Bet, tableau: Tableau, shoe: Shoe, known: Known) -> list[int]:
    """The number of ordered six-card deals of each line that agree with what is known. Raises `InputError` where that
    is too much to count."""
    first_two = all(feature.third is None for line in bet.conditions for _, feature in looks_of(line))
    if first_two and shoe.cards_left >= COUP + 2:
        totals = [0] * len(bet.conditions)
        for ways, rest in _taken_out(shoe, known.cards[4:]):
            of_rest = _lines(bet, tableau, rest, Known((*known.cards[:4], ANY, ANY)))
            for line, deals in enumerate(of_rest):
                totals[line] += ways * (deals // perm(rest.cards_left - 4, 2))
        return totals
    return _lines(bet, tableau, shoe, known)


def _taken_out(shoe: Shoe, later: Sequence[frozenset[int]]) -> Iterator[tuple[int, Shoe]]:
    """The shoes without the fifth and the sixth card, and in how many ways they are left so. What is not known of a
    card is not taken out: it may be any of those that the first four and the other leave."""
    if not later:
        yield 1, shoe
    elif later[0] == ANY:
        for ways, rest in _taken_out(shoe, later[1:]):
            yield ways * (rest.cards_left - 4 - sum(cards == ANY for cards in later[1:])), rest
    else:
        for kind in sorted({_kind(shoe, card) for card in later[0]}):
            if number := shoe.counts[kind]:
                rest = Shoe(shoe.knows, (*shoe.counts[:kind], number - 1, *shoe.counts[kind + 1 :]))
                for ways, left in _taken_out(rest, later[1:]):
                    yield number * ways, left


def _kind(shoe: Shoe, card: int) -> int:
    """The place of a card in the shoe's counts."""
    return {"card": CARD, "rank": RANK, "value": VALUE}[shoe.knows][card]


def _lines(bet: Bet, tableau: Tableau, shoe: Shoe, known: Known) -> list[int]:
    """The same for a bet on any cards of the hands."""
    conditions = bet.conditions
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
            f"known {known}: too much to count with bet {bet.name}, which is settled by the hands; should be fewer "
            "places or ranks"
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
    return sum(shoe.counts[kind] for kind in {_kind(shoe, card) for card in cards})
