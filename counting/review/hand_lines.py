"""The pay table lines that a log's coups meet, for bets that the hands settle, as far as the cards were read."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import prod

import numpy as np

from counting.arrays import Ints
from counting.cards import DECK, SUITS, Knows
from counting.exact import required_detail
from counting.games import Bet
from counting.games.hands import first_met
from counting.logs import NO_CARD
from counting.review.hands import NO_RANK, RANK, Codes

_MOST_WAYS = 1 << 14  # if the codes of a coup may stand for more deals than this, every line counts as possible
_KNOWN_TO: dict[Knows, int] = {"card": DECK, "rank": DECK + NO_RANK, "value": DECK + NO_RANK + 1}


def possible_lines(bet: Bet, codes: Codes) -> list[frozenset[int]]:
    """For each coup, the pay table lines that it may meet. `codes` (rows, 6) are the codes of Player's and Banker's
    cards.

    If the cards are known in the detail that the bet needs, there is only one possible line. Lines are numbered from 0.
    The number `len(bet.pays)` means that the coup meets no line."""
    knows = required_detail(bet)
    sure = ((codes >= 0) & (codes < _KNOWN_TO[knows]) | (codes == NO_CARD)).all(axis=1)
    met = np.full(len(codes), -1, np.int64)
    cards = card_of_code(codes[sure])
    met[sure] = first_met(bet.conditions, [*cards[:, :3].T], [*cards[:, 3:].T])
    known = [frozenset([line]) for line in range(len(bet.pays) + 1)]
    return [
        known[line] if line >= 0 else _lines(bet, tuple(codes[row].tolist())) for row, line in enumerate(met.tolist())
    ]


def card_of_code(codes: Codes) -> Ints:
    """For each code, a card that fits it: of the first suit if the suit is not known, and a ten if the rank is not
    known. Codes below 0 stay as they are."""
    ranks = RANK[codes + 2].astype(np.int64)
    return np.where(codes < DECK, codes.astype(np.int64), len(SUITS) * np.where(ranks == NO_RANK, 9, ranks))


@lru_cache(maxsize=1 << 14)
def _lines(bet: Bet, codes: tuple[int, ...]) -> frozenset[int]:
    """The lines that a coup with these codes may meet, over all cards that the codes may stand for."""
    choices = [_cards(code) for code in codes]
    if prod(map(len, choices)) > _MOST_WAYS:
        return frozenset(range(len(bet.pays) + 1))
    cards = np.array(list(product(*choices)), np.int64).T
    return frozenset(first_met(bet.conditions, [*cards[:3]], [*cards[3:]]).tolist())


def _cards(code: int) -> list[int]:
    if code == NO_CARD:
        return [-1]
    if code < 0:
        return list(range(DECK))
    if code < DECK:
        return [code]
    rank = int(RANK[code + 2])
    first = len(SUITS) * (9 if rank == NO_RANK else rank)
    return list(range(first, DECK if rank == NO_RANK else first + len(SUITS)))
