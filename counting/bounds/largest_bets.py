"""The largest side bet that meets a bound in money, with the rest of the rule unchanged.

Without a table minimum or maximum all gains are in proportion to the side bet, and one figure gives the largest bet.
With a minimum or a maximum they are not: if the side bet is smaller, it gains less, but the minimum costs the same.

The gain in money at each coup is the largest of the gains at the vertices of the allowed stakes
(`counting.sweep.stakes`). As the largest side bet b grows, each vertex moves in a straight line. A vertex appears or
disappears only at a value of b for which the required main bets equal a sum of main bets that are each at the minimum
or the maximum. Between two such values of b the gain is convex in b, so it lies below its chords.

The sweep plays the rule at these values of b and at some others. If at some b the chord of the upper limits is below
the bound, the bound is met at this b."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isfinite, log10, nan

import numpy as np
import polars as pl

from counting.bounds.bounds import Bound
from counting.bounds.frontiers import ByCut, of_bettor
from counting.bounds.terms import CounterCase, Terms
from counting.bounds.uppers import Uppers
from counting.sweep import PerfectBettor, Plan

_TIMES = tuple(Fraction(2) ** k for k in range(-5, 4))  # the bets to play, as multiples of the case's largest bet


@dataclass(frozen=True)
class Ladder:
    """Further values of the largest side bet, which the sweep plays. `cases` maps the number of a case to its values,
    which are in money and in rising order. Each value comes with the bettor who plays it."""

    cases: Mapping[int, tuple[tuple[Fraction, PerfectBettor], ...]]

    @classmethod
    def of(cls, terms: Terms, plan: Plan) -> Ladder:
        """The ladder of every case where the table's minimum or maximum matters to a perfect counter who can play each
        coup on its own."""
        ladder = {}
        for i, case in enumerate(terms.cases(plan)):
            if case.by_minimum and isinstance(case.player, PerfectBettor):
                rungs = []
                for stake in _rungs(terms, case):
                    sides = case.player.sides
                    at = terms.case(plan, sides, None, case.model, case.tie_in, stake)
                    if isinstance(at.player, PerfectBettor) and at.stake == stake:
                        rungs.append((stake, at.player))
                ladder[i] = tuple(rungs)
        return cls(ladder)

    @property
    def bettors(self) -> tuple[PerfectBettor, ...]:
        return tuple(dict.fromkeys(bettor for rungs in self.cases.values() for _, bettor in rungs))


def _rungs(terms: Terms, case: CounterCase) -> Sequence[Fraction]:
    """The largest side bets to play. Among them are the bets whose requirement equals a sum of main bets, each at the
    minimum or the maximum."""
    assert case.stake is not None
    limits = terms.limits(case.tie_in)
    totals = {limits.minimum}
    if limits.maximum is not None:
        mains = range(len(terms.main) + 1)
        totals = {i * limits.minimum + j * limits.maximum for i in mains for j in mains if 0 < i + j < len(mains)}
    needs = {limits.needed, limits.tie_in}
    if isinstance(case.model.idle, Fraction):
        needs.add(case.model.idle)
    several = range(1, len(terms.bets) + 1)
    turns = {total / (need * k) for total in totals for need in needs for k in several if need}
    most = case.stake * _TIMES[-1]
    rungs = {case.stake * times for times in _TIMES} | turns | {limits.least_bet}
    return sorted(rung for rung in rungs if limits.least_bet <= rung <= most)


def largest_side_bets(
    cases: Sequence[tuple[CounterCase, ByCut]],
    ladder: Ladder,
    uppers: Uppers,
    bound: Bound,
    coups_per_hour: float,
    team: int = 1,
) -> pl.Series:
    """For each row of the frontier of these cases, the largest side bet that meets a bound in money.

    It is 0 if no side bet of the ladder meets the bound. It is null in three cases:

    - no minimum or maximum matters and the counter can only lose, so that every side bet meets the bound
    - it is not known what the counter wins
    - the case's largest bet does not meet the bound, and smaller bets are not worked out

    Smaller bets are not worked out if the minimum or maximum matters to a counter with a system or with a seat to
    keep."""
    factor = team * coups_per_hour / 100  # from units per 100 coups to money per hour, for a bet of 1
    most = []
    for i, (case, won) in enumerate(cases):
        upper = won.per_100_coups.upper.limit
        if not case.by_minimum:
            wins = (upper > 0) & np.isfinite(upper)
            most.append(np.where(wins, bound.amount / (factor * np.maximum(upper, 1e-300)), np.nan))
        elif rungs := ladder.cases.get(i):
            money = [
                factor * float(stake) * of_bettor(uppers, bettor).per_100_coups.upper.limit for stake, bettor in rungs
            ]
            bets = [float(stake) for stake, _ in rungs]
            most.append(np.array([crossing(bets, column, bound.amount) for column in np.array(money).T]))
        else:
            assert case.stake is not None
            stake = float(case.stake)
            most.append(np.where(factor * stake * upper < bound.amount, stake, np.nan))
    return pl.Series("most_side_bet", np.concatenate(most)).fill_nan(None)


def rounded_down(bet: float, digits: int = 4) -> float:
    """The bet rounded down to `digits` significant digits, as a larger bet may not meet the bound. A bet less than a
    billionth of a step below the next step is rounded up to it, since that gap is only floating-point error."""
    if bet <= 0:
        return bet
    step = 10.0 ** (floor(log10(bet)) - digits + 1)
    return round(floor(bet / step + 1e-9) * step, max(0, digits - 1 - floor(log10(bet))))


def crossing(bets: Sequence[float], money: Sequence[float], bound: float) -> float:
    """The last bet at which the chords through the points (bet, money) cross the bound.

    If no point is below the bound, the result is 0, or NaN if the money of the first point is not known. If the last
    point is below the bound, the result is the last bet, as nothing is known beyond it."""
    above = [i for i, value in enumerate(money) if value >= bound]
    below = [i for i, value in enumerate(money) if value < bound]
    if not below:
        return 0.0 if isfinite(money[0]) else nan
    last = below[-1]
    if not above or above[-1] < last:
        return bets[last]
    share = (bound - money[last]) / (money[last + 1] - money[last])
    return bets[last] + share * (bets[last + 1] - bets[last])
