"""Bets on the first two cards: events of pairs and suits as integer combinations of closed forms.

A hand's two cards may share their rank (R), their suit (S) or both (Q). Any event is a combination of simple events, by
inclusion and exclusion. A simple event requires one of these relations, or none, between Player's two cards, and one or
none between Banker's two cards. Simple events have closed forms (see `_first_cards.pyx`). Exchanging the hands does not
change a count.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from math import prod

import numpy as np
from numpy.typing import NDArray

from counting.cards import RANKS, SUITS, WIDTH, Knows, Shoe
from counting.exact import _first_cards
from counting.exact.known_cards import ANY, KnownCards, ways_to_draw
from counting.games import First

# The events that the kernel counts, in its order: the relation in each hand, where "" stands for any hand.
BY_RANK = (("", "R"), ("R", "R"))
BY_CARD = (*(("", a) for a in "RSQ"), *combinations_with_replacement("RSQ", 2))

# What a hand shows, (pair, suited), as a sum of relations; a hand related by Q is also related by R and by S.
_MADE_OF = {
    (True, True): {"Q": 1},
    (True, False): {"R": 1, "Q": -1},
    (False, True): {"S": 1, "Q": -1},
    (False, False): {"": 1, "R": -1, "S": -1, "Q": 1},
}
_ORDER = "RSQ"
_BY_RANK_ORDER = [BY_CARD.index(pair) for pair in (("", "R"), ("R", "R"))]


def combination(amount_of: Iterable[tuple[First, int]]) -> NDArray[np.int64]:
    """The coefficients (10,) that turn counts into the sum of an amount over all deals. `amount_of` has pairs: what the
    first cards show, and the amount for it. Nine coefficients are for the counts of `BY_CARD`, and the last is for the
    number of all deals.

    The sizes of the coefficients sum to at most 81 times the largest amount.
    """
    coefficients = np.zeros(len(BY_CARD) + 1, np.int64)
    for first, amount in amount_of:
        player = _MADE_OF[first.player_pair, first.player_suited]
        banker = _MADE_OF[first.banker_pair, first.banker_suited]
        for a, x in player.items():
            for b, y in banker.items():
                pair = tuple(sorted((a, b), key=("", *_ORDER).index))
                coefficients[BY_CARD.index(pair) if b or a else -1] += x * y * amount
    return coefficients


def known_count(shoe: Shoe, known: KnownCards, event: Iterable[First]) -> int:
    """The number of ordered six-card deals that agree with what is known and whose first cards show the event.

    The shoe must be known by card, or by rank if neither the event nor the knowledge looks at suits.
    """
    suits = len(SUITS) if shoe.knows == "card" else 1
    sets = [frozenset(card // (len(SUITS) // suits) for card in cards) for cards in known.cards]
    kinds = range(len(shoe.counts))
    related = {
        "": [frozenset(kinds)],
        "R": [frozenset(k for k in kinds if k // suits == rank) for rank in range(len(RANKS))],
        "S": [frozenset(k for k in kinds if k % suits == suit) for suit in range(suits)],
        "Q": [frozenset({k}) for k in kinds],
    }
    needed: dict[tuple[str, str], int] = {}
    for first in event:
        for a, x in _MADE_OF[first.player_pair, first.player_suited].items():
            for b, y in _MADE_OF[first.banker_pair, first.banker_suited].items():
                needed[a, b] = needed.get((a, b), 0) + x * y
    seen = 4 + max((i - 3 for i in (4, 5) if known.cards[i] != ANY), default=0)  # the number of places that matter
    unseen = prod(range(shoe.cards_left - 5, shoe.cards_left - seen + 1))
    return unseen * sum(
        amount
        * sum(
            ways_to_draw(shoe.counts, (sets[0] & p, sets[1] & b, sets[2] & p, sets[3] & b, *sets[4:seen]))
            for p in related[of_player]
            for b in related[of_banker]
        )
        for (of_player, of_banker), amount in needed.items()
        if amount
    )


def combination_detail(coefficients: NDArray[np.int64]) -> Knows:
    """The detail that a combination (10, ...) needs: "rank", or "card" if it needs suits."""
    suits = [i for i in range(len(BY_CARD)) if i not in _BY_RANK_ORDER]
    return "card" if coefficients[suits].any() else "rank"


def counts(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The closed forms (shoes, 9) in the order of `BY_CARD`. For compositions by rank (13 counts), the forms that need
    suits are zero."""
    out = np.zeros((len(compositions), len(BY_CARD)), np.int64)
    if len(out) == 0:
        return out
    if compositions.shape[1] == WIDTH["card"]:
        _first_cards.by_card(compositions, out)
    else:
        ranks = np.empty((len(out), len(BY_RANK)), np.int64)
        _first_cards.by_rank(compositions, ranks)
        out[:, _BY_RANK_ORDER] = ranks
    return out


def ways_with_replacement(first: First) -> int:
    """How many of the 52^2 pairs of second cards (one for each hand, each from a full deck) make the hands' first two
    cards show `first`."""
    ways = {(True, True): 1, (True, False): 3, (False, True): 12, (False, False): 36}
    return ways[first.player_pair, first.player_suited] * ways[first.banker_pair, first.banker_suited]
