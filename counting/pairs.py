"""Bets on the first two cards: events of pairs and suits as integer combinations of closed forms.

On one hand, cards are related by rank (R), by suit (S) or by both (Q). Any event is a combination of
"Player's are related so, Banker's so", by inclusion and exclusion, and those have closed forms
(see `_pairs.pyx`). Which hand is which does not matter to a count.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from counting import _pairs
from counting.cards import WIDTH, Knows
from counting.coup import First

# What the kernel counts, in its order; "" is: whatever the hand holds.
BY_RANK = (("", "R"), ("R", "R"))
BY_CARD = (*(("", a) for a in "RSQ"), *combinations_with_replacement("RSQ", 2))

# A hand's pair and suit, (pair, suited), made of relations that include one another.
_MADE_OF = {
    (True, True): {"Q": 1},
    (True, False): {"R": 1, "Q": -1},
    (False, True): {"S": 1, "Q": -1},
    (False, False): {"": 1, "R": -1, "S": -1, "Q": 1},
}
_ORDER = "RSQ"
_BY_RANK_ORDER = [BY_CARD.index(pair) for pair in (("", "R"), ("R", "R"))]


def combination(amount_of: Iterable[tuple[First, int]]) -> NDArray[np.int64]:
    """Coefficients (10,) over `BY_CARD` and, last, all deals, of a sum of amounts on what first cards show.

    Amounts of at most 2^20 in size give coefficients whose sizes sum to at most 81 times that.
    """
    found = np.zeros(len(BY_CARD) + 1, np.int64)
    for first, amount in amount_of:
        player = _MADE_OF[first.player_pair, first.player_suited]
        banker = _MADE_OF[first.banker_pair, first.banker_suited]
        for a, x in player.items():
            for b, y in banker.items():
                pair = tuple(sorted((a, b), key=("", *_ORDER).index))
                found[BY_CARD.index(pair) if b or a else -1] += x * y * amount
    return found


def needs(coefficients: NDArray[np.int64]) -> Knows:
    """Whether a combination (10, ...) can be counted by rank, or needs suits."""
    suits = [i for i in range(len(BY_CARD)) if i not in _BY_RANK_ORDER]
    return "card" if coefficients[suits].any() else "rank"


def counts(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The closed forms (shoes, 9) in the order of `BY_CARD`; by rank (13 counts), those with suits are zero."""
    out = np.zeros((len(compositions), len(BY_CARD)), np.int64)
    if len(out) == 0:
        return out
    if compositions.shape[1] == WIDTH["card"]:
        _pairs.by_card(compositions, out)
    else:
        ranks = np.empty((len(out), len(BY_RANK)), np.int64)
        _pairs.by_rank(compositions, ranks)
        out[:, _BY_RANK_ORDER] = ranks
    return out


def ways_with_replacement(first: First) -> int:
    """In how many of the 52^2 ways first cards drawn from full decks show this, either hand's first card given."""
    ways = {(True, True): 1, (True, False): 3, (False, True): 12, (False, False): 36}
    return ways[first.player_pair, first.player_suited] * ways[first.banker_pair, first.banker_suited]
