"""The exact distribution of what is about to be dealt: a bet's pay, and a hand's first card with the edge after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
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


Wins = tuple[tuple[str, float], ...]  # bets, each with a pay per unit staked


def win_ways(game: Game, wins: Wins, compositions: NDArray[np.int32]) -> Ints:
    """In how many ordered six-card deals of each shoe each bet pays at least as much as stands beside it (shoes, wins),
    in whole numbers; shoes know the ranks or suits that the bets need."""
    deals = all_deals(compositions)[:, np.newaxis]
    ways = np.empty((len(compositions), len(wins)), np.int64)
    for places, counts, made_of in _winning(game, wins):
        ways[:, places] = np.concatenate([counts(compositions), deals], axis=1) @ made_of
    return ways


Winning = tuple[list[int], Callable[[NDArray[np.int32]], Ints], Ints]


@lru_cache(maxsize=256)
def _winning(game: Game, wins: Wins) -> list[Winning]:
    """The places of wins that are counted together, what is counted (shoes, counts), and how the wins are made of these
    counts and of all deals (counts + 1, wins)."""
    groups: dict[str, list[int]] = {}
    for place, (bet, _) in enumerate(wins):
        shows = game.bet(bet).shows
        groups.setdefault(f"{shows} {bet}" if shows == "hands" else shows, []).append(place)
    return [(places, *_counted(game, [wins[place] for place in places])) for places in groups.values()]


def _counted(game: Game, wins: Sequence[tuple[str, float]]) -> tuple[Callable[[NDArray[np.int32]], Ints], Ints]:
    bets = [(game.bet(bet), least) for bet, least in wins]
    shows = bets[0][0].shows
    if shows == "first":
        made = [first_cards.combination((f, 1) for f in FIRSTS if float(bet.pay(f)) >= least) for bet, least in bets]
        return first_cards.counts, np.array(made).T
    if shows == "hands":
        chosen = bets[0][0]
        pays = [*(line.pay for line in chosen.pays), Fraction(-1)]
        made_of = np.array([[float(pay) >= least for _, least in bets] for pay in pays], np.int64)
        made_of[:-1] -= made_of[-1]
        return line_counter(chosen, game.tableau).counts, made_of
    won = [tuple(float(bet.pay(outcome)) >= least for bet, least in bets) for outcome in game.tableau.outcomes]
    classes = counter(game.tableau, won)
    of_class = dict(zip(game.tableau.outcomes, won, strict=True))
    has = np.array([of_class[each[0]] for each in classes.outcomes], np.int64)
    return lambda compositions: classes.forms(values_of(compositions)), classes.of_class.T @ has


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
