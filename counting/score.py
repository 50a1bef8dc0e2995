"""Systems against bets: what a counter bets and wins, how it swings, and what that does to a bankroll.

Gains and second moments are exact at every coup; their errors come from the spread between shoes. What the
bets won as dealt stands beside them as a check.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erf, exp, log, sqrt
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.errors import InputError
from counting.exact import classify, pricer
from counting.summary import mean_se, scores
from counting.sweep import Sweep
from counting.systems import PERFECT
from counting.tally import pays, triggers_reached

Floats = NDArray[np.float64]


def score(ledger: pl.LazyFrame) -> pl.LazyFrame:
    """A row a bettor, bet and cut: the perfect counter, and every system at every trigger.

    `bet_share` of coups; `mean_edge`, `sd_per_bet` and `truly_positive_share` of his bets; `units_per_shoe` and
    `units_per_100_coups`; `captured_share` of the perfect counter's gain; `sd_per_100_coups`, the standard
    deviation of what 100 coups win; `desirability_index`, 100 `units_per_100_coups` over it; `n0`, the coups after
    which the gain expected is one standard deviation. `best` marks a system's trigger of the largest gain.
    `played_units_per_shoe` is what the bets won as dealt.
    """
    coups, bets, gain, square = (pl.col(name) for name in ("coups", "bets", "gain", "square"))
    perfect = pl.col("gain").filter(pl.col("system") == PERFECT).first().over("cut", "bet")
    variance = (square / coups - (gain / coups) ** 2).clip(0)
    spread = variance.sqrt()
    won = pl.col("won")
    return (
        scores(ledger)
        .with_columns(
            pl.when(perfect > 0).then(gain / perfect).alias("captured_share"),
            pl.when(bets > 0).then((square / bets - (gain / bets) ** 2).clip(0).sqrt()).alias("sd_per_bet"),
            (10 * spread).alias("sd_per_100_coups"),
            pl.when(spread > 0).then(1000 * gain / coups / spread).alias("desirability_index"),
            pl.when(gain > 0).then(variance / (gain / coups) ** 2).alias("n0"),
            ((gain == gain.max().over("cut", "system", "bet")) & (gain > 0)).alias("best"),
            (won / pl.col("shoes")).alias("played_units_per_shoe"),
            mean_se(pl.col("won_sq"), won, pl.col("shoes")).alias("played_units_per_shoe_se"),
        )
        .select(
            "bet", "system", "trigger", "best", "cut", "shoes", "coups", "bets", "bet_share", "bet_share_se",
            "mean_edge", "mean_edge_se", "units_per_shoe", "units_per_shoe_se", "units_per_100_coups",
            "units_per_100_coups_se", "captured_share", "truly_positive_share", "sd_per_bet", "sd_per_100_coups",
            "desirability_index", "n0", "played_units_per_shoe", "played_units_per_shoe_se",
        )
        .sort("cut", "bet", maintain_order=True)
    )  # fmt: skip


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
        if not 1 <= self.horizon <= 10**9:
            raise InputError(f"horizon: {self.horizon}, should be 1 to 1,000,000,000 coups")

    def prospects(self, row: dict[str, Any]) -> dict[str, float | None]:
        """What a row of `score` means to it, by the normal approximation.

        `kelly_stake` in money; `risk_of_ruin` ever and `risk_by_horizon`; `chance_ahead` at the horizon, ruined on
        the way or not.
        With drift m and standard deviation s a coup and b to lose, the risk within h coups is that of a Brownian
        motion: N((-b - mh) / s sqrt(h)) + exp(-2mb / s^2) N((-b + mh) / s sqrt(h)).
        """
        if not row["bets"]:
            return dict.fromkeys(("kelly_stake", "risk_of_ruin", "risk_by_horizon", "chance_ahead"))
        edge, square = row["mean_edge"], row["sd_per_bet"] ** 2 + row["mean_edge"] ** 2
        share = edge / square  # of the money, which makes it grow fastest
        if self.stake is not None:
            mean, sd = row["units_per_100_coups"] / 100, row["sd_per_100_coups"] / 10
            lose = self.money / self.stake
        else:
            assert self.kelly is not None
            rate = row["bet_share"] * edge * share
            mean, sd = (self.kelly - self.kelly**2 / 2) * rate, self.kelly * sqrt(rate)
            lose = log(2)
            if edge <= 0:
                mean, sd = 0.0, 0.0  # who has no edge stakes nothing
        root = sd * sqrt(self.horizon)
        fate = exp(min(-2 * mean * lose / sd**2, 700)) if sd else 0.0
        by_then = 0.0
        if sd:
            drift = mean * self.horizon
            by_then = min(_normal((-lose - drift) / root) + fate * _normal((-lose + drift) / root), 1.0)
        return {
            "kelly_stake": max(share, 0.0) * self.money,
            "risk_of_ruin": min(fate, 1.0),
            "risk_by_horizon": by_then,
            "chance_ahead": _normal(mean * self.horizon / root) if root else 0.0,
        }

    def played(self, won: Floats, row: dict[str, Any]) -> dict[str, float | None]:
        """The same from results as dealt, a coup each: `won` is cut into sessions of `horizon` coups. With errors."""
        sessions = len(won) // self.horizon
        found: dict[str, float | None] = {"sessions": sessions}
        names = ("played_risk_by_horizon", "played_chance_ahead")
        if sessions == 0 or not row["bets"]:
            return found | dict.fromkeys(name + end for name in names for end in ("", "_se"))
        results = won[: sessions * self.horizon].reshape(sessions, self.horizon)
        if self.stake is not None:
            path, lose = results.cumsum(axis=1), self.money / self.stake
            lost = path < 1 - lose - 1e-9
        else:
            assert self.kelly is not None
            share = self.kelly * max(row["mean_edge"], 0) / (row["sd_per_bet"] ** 2 + row["mean_edge"] ** 2)
            path = np.log1p(share * results).cumsum(axis=1)
            lost = path <= -log(2)
        ruined = lost.any(axis=1)
        for name, happened in zip(names, (ruined, path[:, -1] > 1e-9), strict=True):
            chance = float(happened.mean())
            found[name] = chance
            found[name + "_se"] = sqrt(chance * (1 - chance) / sessions)
        return found


def _normal(z: float) -> float:
    return (1 + erf(z / sqrt(2))) / 2


def results(sweep: Sweep, system: str, trigger: float | None, bet: str) -> Floats:
    """What a bettor won at each coup as dealt, in units, in the order dealt: 0 where he did not bet.

    Needs a sweep that kept its rows.
    """
    plan = sweep.plan
    paid = pays(plan.game, [bet])[:, 0]
    counter = next((s for s in plan.systems if s.name == system), None)
    found = []
    for coups in sweep.blocks():
        if counter is None:
            betting = pricer(plan.game, (bet,)).edges(coups.left)[:, 0] > 0
        else:
            assert trigger is not None
            betting = triggers_reached(counter, coups, plan.dealing.decks) > counter.scored.index(trigger)
        found.append(np.where(betting, paid[classify(plan.game, coups.shown)], 0.0))
    return np.concatenate(found)


def at_best(scored: pl.LazyFrame) -> pl.LazyFrame:
    """The perfect counter's rows, and each system's at its best trigger."""
    return scored.filter((pl.col("system") == PERFECT) | pl.col("best"))
