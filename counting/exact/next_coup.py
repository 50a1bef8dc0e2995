"""What bets may pay on the next coup: the exact distribution, and the ways to win."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Int32s, Ints
from counting.exact.evaluators import Evaluator, evaluators_for
from counting.exact.outcomes import all_deals
from counting.games import Game


class PayDistribution(NamedTuple):
    """What a bet may pay per unit staked, and the probability of each pay on each shoe (shoes, pays)."""

    pays: Floats
    chances: Floats


def pay_distribution(game: Game, bet: str, compositions: Int32s) -> PayDistribution:
    """The exact distribution of a bet's pay on shoes (shoes, 10, 13 or 52). A bet that looks at ranks needs shoes known
    by rank or by card. A bet that looks at suits needs shoes known by card."""
    pays, evaluator, made_of = _by_pay(game, bet)
    chances = evaluator.totals(compositions, made_of) / all_deals(compositions).astype(float)[:, np.newaxis]
    return PayDistribution(np.array(pays, float), chances)


@lru_cache(maxsize=256)
def _by_pay(game: Game, bet: str) -> tuple[list[Fraction], Evaluator, Ints]:
    """The possible pays of the bet, in rising order, and the evaluator that counts them. Also the coefficients (counts
    + 1, pays) that turn the counts into the number of deals with each pay."""
    chosen = game.bet(bet)
    units = chosen.denominator
    ((_, evaluator, paid),) = evaluators_for(game.tableau, [chosen], [lambda pay: int(pay * units)])
    pays = sorted({*paid[:, 0].tolist()})
    is_pay = (paid == np.array(pays)).astype(np.int64)
    return [Fraction(pay, units) for pay in pays], evaluator, evaluator.combined(is_pay)


Wins = tuple[tuple[str, float], ...]  # bets, each with the least pay per unit staked that counts as a win


def win_ways(game: Game, wins: Wins, compositions: Int32s) -> Ints:
    """For each shoe and each bet (shoes, wins): the number of ordered six-card deals in which the bet pays at least the
    amount given with it. A bet that looks at ranks needs shoes known by rank or by card. A bet that looks at suits
    needs shoes known by card."""
    ways = np.empty((len(compositions), len(wins)), np.int64)
    for places, evaluator, made_of in _winning(game, wins):
        ways[:, places] = evaluator.totals(compositions, made_of)
    return ways


@lru_cache(maxsize=256)
def _winning(game: Game, wins: Wins) -> Sequence[tuple[list[int], Evaluator, Ints]]:
    """The evaluators that count winning deals. Each comes with the indices in `wins` of the wins that it counts, and
    with the coefficients (counts + 1, these wins) that turn its counts into the numbers of winning deals."""
    bets = [game.bet(bet) for bet, _ in wins]
    wanted = [lambda pay, least=least: int(float(pay) >= least) for _, least in wins]
    parts = evaluators_for(game.tableau, bets, wanted)
    return [(places, evaluator, evaluator.combined(is_win)) for places, evaluator, is_win in parts]
