"""The exact distribution of what is about to be dealt: a bet's pay, and a hand's first card with the edge after it."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import COUP
from counting.exact import first_cards
from counting.exact.coup_classes import line_counter
from counting.exact.outcomes import OutcomeCounter, all_deals, counter, values_of
from counting.games import FIRSTS, Game

PLAYER, BANKER = 0, 1  # places of the hands' first cards, in dealing order
_ANY = frozenset(range(10))


class PayLaw(NamedTuple):
    """What a bet may pay per unit staked, and the probability of each pay on each shoe (shoes, pays)."""

    pays: Floats
    chances: Floats


def pay_law(game: Game, bet: str, compositions: NDArray[np.int32]) -> PayLaw:
    """The exact distribution of a bet's pay on shoes (shoes, 10, 13 or 52) that know the ranks or suits it needs."""
    chosen = game.bet(bet)
    deals = all_deals(compositions)
    if chosen.shows == "first":
        levels = sorted({chosen.pay(first) for first in FIRSTS})
        made = np.array([first_cards.combination((f, 1) for f in FIRSTS if chosen.pay(f) == level) for level in levels])
        counted = np.column_stack([first_cards.counts(compositions), deals]).astype(float)
    elif chosen.shows == "hands":
        lines = line_counter(chosen, game.tableau).counts(compositions)
        by_line = [*(line.pay for line in chosen.pays), Fraction(-1)]
        levels = sorted(set(by_line))
        made = np.array([[pay == level for pay in by_line] for level in levels], np.int64)
        counted = np.column_stack([lines, deals - lines.sum(axis=1)]).astype(float)
    else:
        classes, levels = _by_pay(game, bet)
        made = classes.of_class
        counted = np.column_stack([classes.forms(values_of(compositions)), deals]).astype(float)
    return PayLaw(np.array(levels, float), counted @ made.T / deals.astype(float)[:, np.newaxis])


@lru_cache(maxsize=256)
def _by_pay(game: Game, bet: str) -> tuple[OutcomeCounter, list[Fraction]]:
    """The outcomes of a coup by what a bet pays on them, and these pays."""
    chosen = game.bet(bet)
    classes = counter(game.tableau, [chosen.pay(outcome) for outcome in game.tableau.outcomes])
    return classes, [chosen.pay(of[0]) for of in classes.outcomes]


def given_first(game: Game, bet: str, hand: int, compositions: NDArray[np.int32]) -> tuple[Floats, Floats]:
    """The probability of each value (0 to 9) of a hand's first card, and the bet's edge once it is known, each
    (shoes, 10) for shoes by value, rank or card; 0 for a card that the shoe lacks. For a bet settled by outcome."""
    values = values_of(compositions)
    rest = all_deals(compositions).astype(float) / compositions.sum(axis=1)
    edges = np.zeros(values.shape)
    for value, (of_class, forms, pays) in enumerate(_given(game, bet, hand)):
        won = forms(values).astype(float) @ of_class.T @ pays
        np.divide(won, rest * values[:, value], out=edges[:, value], where=values[:, value] > 0)
    return values / values.sum(axis=1, keepdims=True), edges


@lru_cache(maxsize=64)
def _given(game: Game, bet: str, hand: int):  # type: ignore[no-untyped-def]
    chosen = game.bet(bet)
    outcomes = game.tableau.outcomes
    keys = [chosen.pay(outcome) for outcome in outcomes]
    counted = []
    for value in range(10):
        known = [frozenset({value}) if place == hand else _ANY for place in range(COUP)]
        classes = counter(game.tableau, keys, known)
        pays = np.array([float(chosen.pay(of[0])) for of in classes.outcomes])
        summed = classes.summed(pays.astype(np.int64)) if (pays == pays.round()).all() else None
        if summed is None:
            counted.append((classes.of_class[:, :-1], classes.forms, pays))
        else:
            counted.append((np.ones((1, 1), np.int64), summed.forms, np.ones(1)))
    return counted
