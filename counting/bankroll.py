"""Bankrolls: risk of ruin, chance to be ahead and the Kelly stake of a counter, from his score.

His bet is taken as one that wins `a` with probability p or loses 1, with his mean m and second moment s:

    a = 1 + (s - 1)/(1 + m),  p = (1 + m)/(1 + a),

which is the bet itself where it pays one price or loses, and keeps the skew of a long shot, that a normal
approximation loses (of a bet at several prices only a part: its risk comes out a little high). Bets are taken as
independent; how many there are in so many coups as normal, with the spread of a shoe's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, exp, floor, log, log1p, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.errors import InputError, whole

MOST_HORIZON = 10**9  # coups
FOLLOWED = 20_000  # bets: of more, the law of the result is normal to within a percent

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Bankroll:
    """Money, a stake rule, and how many coups are dealt.

    Either `stake` is money on every bet, and ruin is less money than a stake; or `kelly` is the share of the
    Kelly stake that is staked, a fixed share of the money there is, and ruin is half of the bankroll lost.
    """

    money: float
    horizon: int
    stake: float | None = None
    kelly: float | None = None

    def __post_init__(self) -> None:
        if (self.stake is None) == (self.kelly is None):
            raise InputError("stake rule: should be a stake in money, or a share of the Kelly stake, and not both")
        for name, value, most in (
            ("bankroll", self.money, 1e12),
            ("stake", self.stake, self.money),
            ("kelly", self.kelly, 2.0),
        ):
            if value is not None and not 0 < value <= most:
                raise InputError(f"{name}: {value:g}, should be above 0 and at most {most:,g}")
        whole(self.horizon, "horizon", 1, MOST_HORIZON)

    def prospects(self, row: dict[str, Any]) -> dict[str, float | None]:
        """What a row of `score.score` means to it.

        `kelly_stake` in money; `risk_of_ruin` ever and `risk_by_horizon`; `chance_ahead` at the horizon, ruined on
        the way or not.
        """
        if not row["bets"]:
            return dict.fromkeys(("kelly_stake", "risk_of_ruin", "risk_by_horizon", "chance_ahead"))
        win, p = _law(row)
        share = _share(row)
        found: dict[str, float | None] = {"kelly_stake": share * self.money}
        if self.stake is not None:
            lose = float(floor(self.money / self.stake))
        else:
            assert self.kelly is not None
            staked = self.kelly * share
            if not 0 < staked < 1:  # who has no edge stakes nothing
                return found | {"risk_of_ruin": 0.0, "risk_by_horizon": 0.0, "chance_ahead": 0.0}
            lost = -log1p(-staked)  # the unit: what a loss takes off the logarithm of the money
            win, lose = log1p(staked * win) / lost, log(2) / lost
        found["risk_of_ruin"] = ruin(win, p, lose)
        number = row["bet_share"] * self.horizon
        spread = row["sd_bets_per_shoe"] * sqrt(self.horizon * row["shoes"] / row["coups"])
        found["risk_by_horizon"], found["chance_ahead"] = within(win, p, lose, number, spread)
        return found

    def played(self, won: Floats, row: dict[str, Any]) -> dict[str, float | None]:
        """The same from results as dealt, a coup each: `won` is cut into sessions of `horizon` coups. With errors."""
        sessions = len(won) // self.horizon
        found: dict[str, float | None] = {"sessions": sessions}
        names = ("played_risk_by_horizon", "played_chance_ahead")
        if sessions == 0 or not row["bets"]:
            return found | dict.fromkeys(name + end for name in names for end in ("", "_se"))
        results = won[: sessions * self.horizon].reshape(sessions, self.horizon)
        if self.stake is not None:
            path = results.cumsum(axis=1)
            ruined = (path < 1 - self.money / self.stake - 1e-9).any(axis=1)
        else:
            assert self.kelly is not None
            path = np.log1p(min(self.kelly * _share(row), 1 - 1e-9) * results).cumsum(axis=1)
            ruined = (path <= -log(2)).any(axis=1)
        for name, happened in zip(names, (ruined, path[:, -1] > 1e-9), strict=True):
            chance = float(happened.mean())
            found[name] = chance
            found[name + "_se"] = sqrt(chance * (1 - chance) / sessions)
        return found


def _square(row: dict[str, Any]) -> float:
    return float(row["sd_per_bet"] ** 2 + row["mean_edge"] ** 2)


def _share(row: dict[str, Any]) -> float:
    """The share of the money that makes it grow fastest: Kelly's, mean over second moment."""
    return max(float(row["mean_edge"]) / _square(row), 0.0)


def _law(row: dict[str, Any]) -> tuple[float, float]:
    """The win and its probability."""
    mean = float(row["mean_edge"])
    win = 1 + (_square(row) - 1) / (1 + mean)
    return win, (1 + mean) / (1 + win)


def ruin(win: float, p: float, lose: float) -> float:
    """The chance ever to be so much below the start: exp(-r lose), where p exp(-r win) + (1 - p) exp(r) = 1."""
    if p * win <= 1 - p:
        return 1.0
    low, high = 0.0, -log1p(-p)  # beyond, a loss alone is above 1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if p * exp(-middle * win) + (1 - p) * exp(middle) < 1 else (low, middle)
    return exp(-low * lose)


def _normal(z: float) -> float:
    return (1 + erf(z / sqrt(2))) / 2


def within(win: float, p: float, lose: float, number: float, spread: float) -> tuple[float, float]:
    """The chance to be so much below the start within a normal number of bets, and that to be ahead after them.

    After n bets with k wins the money has moved by k win - (n - k). The law of k is followed bet by bet, and
    what is too far below taken out; many bets are a Brownian motion.
    """
    least, most = max(floor(number - 4 * spread), 0), floor(number + 4 * spread) + 1
    if most > FOLLOWED:
        mean = p * win - (1 - p)
        drift, sd = mean * number, sqrt(number * (p * win**2 + 1 - p - mean**2) + (mean * spread) ** 2)
        risk = _normal((-lose - drift) / sd) + ruin(win, p, lose) * _normal((-lose + drift) / sd)
        return min(risk, 1.0), _normal(drift / sd)
    size = floor(most * p + 8 * sqrt(most * p * (1 - p)) + 10)
    alive, anyhow = np.zeros(size + 1), np.zeros(size + 1)
    alive[0] = anyhow[0] = 1
    gone, risk, ahead, weights = 0.0, 0.0, 0.0, 0.0
    for n in range(1, most + 1):
        for law in (alive, anyhow):
            law[1:] = law[1:] * (1 - p) + law[:-1] * p
            law[0] *= 1 - p
        # k wins are too few where n - (1 + win) k >= lose.
        few = floor((n - lose) / (1 + win) + 1e-9)
        if few >= 0:
            gone += float(alive[: few + 1].sum())
            alive[: few + 1] = 0
        if n >= least:
            weight = exp(-(((n - number) / spread) ** 2) / 2) if spread else float(n == round(number))
            enough = floor(n / (1 + win) + 1e-9) + 1
            weights, risk, ahead = weights + weight, risk + weight * gone, ahead + weight * float(anyhow[enough:].sum())
    return (risk / weights, ahead / weights) if weights else (0.0, 0.0)
