"""The law of what is about to be dealt: of a bet's pay, and of a hand's first card with the edge that it leaves."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP
from counting.exact import first_cards
from counting.exact.outcomes import counter
from counting.exact.pricing import all_deals, values_of
from counting.games import FIRSTS, Game

Floats = NDArray[np.float64]

PLAYER, BANKER = 0, 1  # places of the hands' first cards, in dealing order
_ANY = frozenset(range(10))


class PayLaw(NamedTuple):
    """What a bet may pay per unit staked, and the probability of each on shoes (shoes, pays)."""

    pays: Floats
    chances: Floats


def pay_law(game: Game, bet: str, compositions: NDArray[np.int32]) -> PayLaw:
    """The exact law of a bet's pay on shoes (shoes, 10, 13 or 52) that know what it needs."""
    chosen = game.bet(bet)
    deals = all_deals(compositions)
    if chosen.shows == "first":
        levels = sorted({chosen.pay(first) for first in FIRSTS})
        made = np.array([first_cards.combination((f, 1) for f in FIRSTS if chosen.pay(f) == level) for level in levels])
        counted = np.column_stack([first_cards.counts(compositions), deals]).astype(float)
    else:
        outcomes = game.tableau.outcomes
        found = counter(game.tableau, [chosen.pay(outcome) for outcome in outcomes])
        levels = [chosen.pay(of[0]) for of in found.outcomes]
        made = found.of_class
        counted = np.column_stack([found.forms(values_of(compositions)), deals]).astype(float)
    return PayLaw(np.array(levels, float), counted @ made.T / deals.astype(float)[:, np.newaxis])


def given_first(game: Game, bet: str, hand: int, compositions: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """The probability of each value (0 to 9) of a hand's first card, and the bet's edge once it is known, each
    (shoes, 10) for shoes by value, rank or card; 0 where there is no such card. Of a bet settled by outcome."""
    values = values_of(compositions)
    counted, pays = _given(game, bet, hand)
    rest = all_deals(compositions).astype(float) / compositions.sum(axis=1)
    edges = np.zeros(values.shape)
    for value, (of_class, forms) in enumerate(counted):
        found = forms(values).astype(float) @ of_class[:, :-1].T @ pays
        np.divide(found, rest * values[:, value], out=edges[:, value], where=values[:, value] > 0)
    return values / values.sum(axis=1, keepdims=True), edges


@lru_cache(maxsize=64)
def _given(game: Game, bet: str, hand: int):  # type: ignore[no-untyped-def]
    chosen = game.bet(bet)
    outcomes = game.tableau.outcomes
    keys = [chosen.pay(outcome) for outcome in outcomes]
    counted = []
    for value in range(10):
        known = [frozenset({value}) if place == hand else _ANY for place in range(COUP)]
        found = counter(game.tableau, keys, known)
        counted.append((found.of_class, found.forms))
    return counted, np.array([float(chosen.pay(of[0])) for of in found.outcomes])
