"""Bankrolls: risk of ruin, chance to be ahead and Kelly stake of a counter, from the counter's score.

In the model, a bet wins `a` with probability p, or loses 1. It has the same mean m and the same second moment s as the
counter's bets:

    a = 1 + (s - 1)/(1 + m), p = (1 + m)/(1 + a)

If the counter's bet either pays one price or loses, the model's bet is exactly this bet. The model keeps the skew of a
long shot, which a normal approximation loses. If the bet has several prices, the model keeps only a part of the skew,
and its risk is a little too high. Bets are taken to be independent. The number of bets within the horizon is taken to
be normal, with the spread that the sweep shows from shoe to shoe."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import ceil, erfc, exp, floor, log, log1p, pi, sqrt
from typing import Any

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError, whole_field

MOST_HORIZON = 10**9  # the longest horizon, in coups
MOST_STAKES = 10**9  # the largest bankroll, in stakes
LEAST_SHOES = 10  # the shortest horizon, in shoes: within fewer, the number of bets is not normal
FOLLOWED = 20_000  # with more bets, the distribution of the result is normal to within a percent

_ROUNDING = 1e-9
_ALL = 1 - 1e-9  # the largest share of the money that may be staked
_AT_ONCE = 1 << 19  # coups played at a time: their results fit in the processor's cache


@dataclass(frozen=True)
class Bankroll:
    """Money, a stake rule, and how many coups are dealt.

    Give either `stake` or `kelly`:

    - `stake`: the money on every bet. Ruin means that less than one stake is left.
    - `kelly`: the multiple of the Kelly stake to bet, at most 2. Each bet is then a fixed share of the money that is
      left. Ruin means that half of the bankroll is lost.

    Raises `InputError` unless exactly one of the two is given, and for numbers out of range.

    >>> from counting import Bankroll, Dealing, Plan
    >>> from counting.analysis import score
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40), "forty-shoes")
    >>> row = score(sweep.tallies[0]).collect().row(0, named=True)
    >>> sorted(Bankroll(20_000, horizon=10_000, stake=100).prospects(row))
    ['chance_ahead', 'kelly_stake', 'risk_by_horizon', 'risk_of_ruin']
    """

    money: float
    horizon: int
    stake: float | None = None
    kelly: float | None = None

    def __post_init__(self) -> None:
        if (self.stake is None) == (self.kelly is None):
            raise InputError(
                "stake and kelly: should be one of the two: a stake in money, or a share of the Kelly stake"
            )
        for name, value, most in (
            ("bankroll", self.money, 1e12),
            ("stake", self.stake, self.money),
            ("kelly", self.kelly, 2.0),
        ):
            if value is not None and not (isinstance(value, int | float) and 0 < value <= most):
                raise InputError(f"{name}: {value!r}, should be above 0 and at most {most:,.15g}")
        if self.stake is not None and self.money > MOST_STAKES * self.stake:
            raise InputError(f"stake: {self.stake:g}, should be at least a {MOST_STAKES:,}th of the bankroll")
        whole_field(self, "horizon", "horizon", 1, MOST_HORIZON)

    def prospects(self, row: dict[str, Any]) -> dict[str, float | None]:
        """What a row of `scores.score` means for this bankroll.

        - `kelly_stake`: the whole Kelly stake, in money, whatever `kelly` is
        - `risk_of_ruin` and `risk_by_horizon`: the chance of ruin at any time, and by the horizon
        - `chance_ahead`: the chance to be ahead at the horizon, whether ruined on the way or not

        All are None for a row without bets. If `kelly` is given and the bets have no edge, nothing is staked, and all
        are 0. Raises `InputError` for a horizon of fewer than ten shoes."""
        if not row["bets"]:
            return dict.fromkeys(("kelly_stake", "risk_of_ruin", "risk_by_horizon", "chance_ahead"))
        least = ceil(LEAST_SHOES * row["coups"] / row["shoes"])
        if self.horizon < least:
            raise InputError(f"horizon: {self.horizon:,} coups, should be {least:,} or more, {LEAST_SHOES} shoes")
        win, p = _win(row)
        share = _share(row)
        prospects: dict[str, float | None] = {"kelly_stake": share * self.money}
        if self.stake is not None:
            walk = Walk(win, p, self.money / self.stake - 1)
        else:
            assert self.kelly is not None
            if share == 0:  # without an edge, nothing is staked
                return prospects | {"risk_of_ruin": 0.0, "risk_by_horizon": 0.0, "chance_ahead": 0.0}
            staked = min(self.kelly * share, _ALL)
            lost = -log1p(-staked)  # the walk's unit: what a loss takes off the logarithm of the money
            walk = Walk(log1p(staked * win) / lost, p, log(2) / lost)
        prospects["risk_of_ruin"] = walk.ruin
        number = row["bet_share"] * self.horizon
        spread = row["sd_bets_per_shoe"] * sqrt(self.horizon * row["shoes"] / row["coups"])
        prospects["risk_by_horizon"], prospects["chance_ahead"] = walk.within(number, spread, self.horizon)
        return prospects

    def played(self, won: Floats, row: dict[str, Any]) -> dict[str, float | None]:
        """The risk of ruin by the horizon and the chance to be ahead, from results as dealt, with standard errors.

        `won` is the result of each coup, in units (`scores.results`), and `row` is the bettor's row of `scores.score`.
        `won` is split into sessions of `horizon` coups, and coups beyond the last whole session are left out. The entry
        `sessions` is the number of sessions. The other entries are None without a whole session, and for a row without
        bets."""
        sessions = len(won) // self.horizon
        shares: dict[str, float | None] = {"sessions": sessions}
        names = ("played_risk_by_horizon", "played_chance_ahead")
        if sessions == 0 or not row["bets"]:
            return shares | dict.fromkeys(name + end for name in names for end in ("", "_se"))
        results = won[: sessions * self.horizon].reshape(sessions, self.horizon)
        ruined = ahead = 0
        for some in np.array_split(results, -(-len(won) // _AT_ONCE)):
            if self.stake is not None:
                path = some.cumsum(axis=1)
                gone = path < 1 - self.money / self.stake - _ROUNDING
            else:
                assert self.kelly is not None
                path = np.log1p(min(self.kelly * _share(row), _ALL) * some).cumsum(axis=1)
                gone = path <= -log(2)
            ruined += int(gone.any(axis=1).sum())
            ahead += int((path[:, -1] > _ROUNDING).sum())
        for name, happened in zip(names, (ruined, ahead), strict=True):
            chance = happened / sessions
            shares[name] = chance
            shares[name + "_se"] = sqrt(chance * (1 - chance) / sessions)
        return shares


def _win(row: dict[str, Any]) -> tuple[float, float]:
    """What the model's bet wins, and the probability that it wins."""
    mean, square = float(row["mean_edge"]), float(row["sd_per_bet"] ** 2 + row["mean_edge"] ** 2)
    if mean <= -1:  # the bet always loses
        return 1.0, 0.0
    win = 1 + (square - 1) / (1 + mean)
    return win, min((1 + mean) / (1 + win), 1.0)


def _share(row: dict[str, Any]) -> float:
    """The share of the money to stake for the fastest growth: the edge divided by the win, or 0 without an edge."""
    return max(float(row["mean_edge"]) / _win(row)[0], 0.0)


@dataclass(frozen=True)
class Walk:
    """A random walk whose steps are +`win`, with probability p, or -1. It is ruined once it is more than `beyond` below
    the start."""

    win: float
    p: float
    beyond: float

    @property
    def mean(self) -> float:
        return self.p * self.win - (1 - self.p)

    @cached_property
    def rate(self) -> float:
        """The r other than 0 that solves p exp(-r win) + (1 - p) exp(r) = 1; 0 if the mean is 0. It has the sign of the
        mean."""
        if self.mean == 0:
            return 0.0
        # The left side is convex in r, and 1 at r = 0. It is above 1 where one of its two terms alone is 1. So the
        # solution lies between 0 and that r.
        low, high = (0.0, -log1p(-self.p)) if self.mean > 0 else (log(self.p) / self.win, 0.0)
        for _ in range(200):
            middle = (low + high) / 2
            inside = self.p * exp(-middle * self.win) + (1 - self.p) * exp(middle) < 1
            low, high = (middle, high) if inside == (self.mean > 0) else (low, middle)
        return (low + high) / 2

    @property
    def fall(self) -> float:
        """How far below the start the walk is when it is ruined: the exact distance if wins are whole, otherwise
        roughly the mean distance."""
        whole_wins = abs(self.win - round(self.win)) < _ROUNDING
        return floor(self.beyond + _ROUNDING) + 1 if whole_wins else self.beyond + 0.5

    @property
    def ruin(self) -> float:
        """The chance of ruin at any time: exp(-r fall), the gambler's ruin. It is 1 if the mean is not above 0."""
        if self.p in (0, 1):
            return 1 - self.p
        return exp(-max(self.rate, 0.0) * self.fall)

    def within(self, number: float, spread: float, most: int) -> tuple[float, float]:
        """The chance of ruin within a number of bets, and the chance to be ahead after them.

        The number of bets is taken to be normal, with the mean `number` and the standard deviation `spread`, but at
        most `most`. After n bets with k wins the walk is at k win - (n - k). The distribution of k is followed bet by
        bet, and ruined walks are taken out. If the number of bets is large, a Brownian motion takes the place of the
        walk."""
        first, last = max(floor(number - 4 * spread), 0), min(floor(number + 4 * spread) + 1, most)
        if last > FOLLOWED and 0 < self.p < 1:
            return self._brownian(number, spread)
        size = floor(last * self.p + 8 * sqrt(last * self.p * (1 - self.p)) + 10)
        alive, everyone = both = np.zeros((2, size + 1))
        both[:, 0] = 1
        ruined = risk = ahead = 0.0
        below = 0.0  # the chance that there are fewer than n bets
        for n in range(last + 1):
            if n:
                most_wins = min(n, size)
                won = both[:, :most_wins] * self.p
                both[:, : most_wins + 1] *= 1 - self.p
                both[:, 1 : most_wins + 1] += won
            # The walk is ruined with `few` wins or fewer: n - (1 + win) k > beyond.
            few = ceil((n - self.beyond) / (1 + self.win) - _ROUNDING) - 1
            if few >= 0:
                ruined += float(alive[: few + 1].sum())
                alive[: few + 1] = 0
            if n >= first:
                up_to = (
                    1.0 if n == last else _normal((n + 0.5 - number) / spread) if spread else float(n + 0.5 > number)
                )
                enough = floor(n / (1 + self.win) + _ROUNDING) + 1
                risk += (up_to - below) * ruined
                ahead += (up_to - below) * float(everyone[enough:].sum())
                below = up_to
        return risk, ahead

    def _brownian(self, number: float, spread: float) -> tuple[float, float]:
        drift = self.mean * number
        variance = self.p * self.win**2 + 1 - self.p - self.mean**2
        sd = sqrt(number * variance + (self.mean * spread) ** 2)
        back = -self.rate * self.fall + _log_normal((-self.fall + drift) / sd)
        return min(_normal((-self.fall - drift) / sd) + exp(min(back, 0.0)), 1.0), _normal(drift / sd)


def _normal(z: float) -> float:
    return erfc(-z / sqrt(2)) / 2


def _log_normal(z: float) -> float:
    return log(_normal(z)) if z > -35 else -z * z / 2 - log(-z * sqrt(2 * pi))
