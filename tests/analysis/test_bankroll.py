"""Bankrolls: against the gambler's ruin, against every path, and against simulated walks."""

from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np
import pytest
from extent import long_or

from counting import InputError
from counting.analysis import Bankroll
from counting.analysis.bankroll import FOLLOWED, Walk

COIN = {"bets": 1, "bet_share": 1.0, "mean_edge": 0.1, "sd_per_bet": sqrt(1 - 0.01)}
SESSIONS, NEAR = long_or((20_000, 0.012), (6_000, 0.022))  # 3.4 standard errors of a share
COIN |= {"sd_bets_per_shoe": 0.0, "shoes": 1, "coups": 80}


def walks(share: float, coups: int, sessions: int) -> np.ndarray:
    """Results of an even-money bet with an edge of 10%, staked at a share of coups."""
    rng, of = np.random.default_rng(5), 1 << 16
    won = np.where(rng.integers(0, of, coups * sessions, np.uint16) < round(0.55 * of), 1.0, -1.0)
    if share < 1:
        won *= rng.integers(0, of, coups * sessions, np.uint16) < round(share * of)
    return won


def test_ruin_of_the_gambler() -> None:
    assert Walk(1, 0.55, 9).ruin == pytest.approx((0.45 / 0.55) ** 10)
    assert Walk(1, 0.5, 9).ruin == Walk(40, 0.02, 9).ruin == 1
    # A bet at 40 to 1: the chance r of ever falling by one stake solves r = (1 - p) + p r^41.
    down = Walk(40, 0.027, 0).ruin
    assert down == pytest.approx(0.973 + 0.027 * down**41)
    assert Walk(40, 0.027, 199.5).ruin == pytest.approx(down**200)
    assert (Walk(5, 1.0, 3).ruin, Walk(5, 0.0, 3).ruin) == (0, 1)


@pytest.mark.parametrize(("win", "p", "stakes"), [(0.95, 0.53, 1), (0.95, 0.53, 5), (1.7, 0.39, 20)])
def test_wins_that_are_not_whole(win: float, p: float, stakes: int) -> None:
    # A counter with less than one stake left cannot bet.
    walk, rng = Walk(win, p, stakes - 1), np.random.default_rng(7)
    path = np.where(rng.random((SESSIONS, 400)) < p, win, -1.0).cumsum(axis=1)
    ruined = (path < 1 - stakes - 1e-9).any(axis=1)
    shares = ruined.mean(), (path[:, -1] > 0).mean()
    assert walk.within(400, 0, 400) == pytest.approx(shares, abs=NEAR)


@pytest.mark.parametrize(("win", "p", "lose", "bets"), [(1, 0.55, 3, 9), (4, 0.25, 5, 14), (2, 0.3, 4, 12)])
def test_every_path_of_a_few_bets(win: int, p: float, lose: int, bets: int) -> None:
    chance = Fraction(p)

    @cache
    def gone(money: int, left: int) -> Fraction:
        if money <= -lose:
            return Fraction(1)
        return chance * gone(money + win, left - 1) + (1 - chance) * gone(money - 1, left - 1) if left else Fraction()

    @cache
    def ahead(money: int, left: int) -> Fraction:
        if not left:
            return Fraction(money > 0)
        return chance * ahead(money + win, left - 1) + (1 - chance) * ahead(money - 1, left - 1)

    walk = Walk(win, p, lose - 1)
    assert walk.within(bets, 0, 99) == pytest.approx((float(gone(0, bets)), float(ahead(0, bets))), rel=1e-12)
    two = [walk.within(n, 0, 99) for n in (bets - 1, bets)]
    between = walk.within(bets - 0.5, 0.1, 99)  # a normal number of bets, rounded to one of the two
    assert between == pytest.approx(tuple(np.mean(two, axis=0)), rel=1e-9)


@pytest.mark.parametrize(
    ("win", "p", "beyond"),
    [(1, 0.505, 59), (12, 0.0775, 59), (0.95, 0.5, 700), (1, 0.495, 399), (1, 0.499, 99)][: long_or(5, 2)],
)
def test_many_bets_are_a_brownian_motion(win: float, p: float, beyond: int) -> None:
    walk = Walk(win, p, beyond)
    few, many = (walk.within(FOLLOWED + extra, 0, 10**6) for extra in (-10, 10))
    assert many == pytest.approx(few, abs=0.012)
    assert walk.within(10 * FOLLOWED, 0, 10**6)[0] >= many[0]


def test_who_may_never_bet() -> None:
    assert Walk(40, 0.027, 199).within(0, 0, 100) == (0, 0)
    # The number of bets is normal, with mean 0.2 and spread 0.5. Below a half, no bet is made at all.
    risk, ahead = Walk(1, 0.6, 0).within(0.2, 0.5, 1)
    assert risk + ahead == pytest.approx(0.2743, abs=1e-4)
    assert ahead == pytest.approx(0.6 * 0.2743, abs=1e-4)


def test_flat_stakes_on_a_biased_coin() -> None:
    purse = Bankroll(1000, 800, stake=100)
    prospects = purse.prospects(COIN)
    assert prospects["risk_of_ruin"] == pytest.approx((0.45 / 0.55) ** 10)
    assert prospects["kelly_stake"] == pytest.approx(100)
    played = purse.played(walks(1, 800, SESSIONS), COIN)
    assert played["sessions"] == SESSIONS
    for name in ("risk_by_horizon", "chance_ahead"):
        assert played[f"played_{name}"] == pytest.approx(prospects[name], abs=NEAR), name


def test_kelly_stakes_on_a_biased_coin() -> None:
    # Half of the coups are bet on. 800 coups have 400 +- 14 bets, as 10 shoes of 80 coups with a spread of sqrt(20)
    # each.
    row, won = {**COIN, "bet_share": 0.5, "sd_bets_per_shoe": sqrt(20)}, walks(0.5, 800, SESSIONS)
    for share in (1.0, 0.5):
        purse = Bankroll(1000, 800, kelly=share)
        prospects = purse.prospects(row)
        up, down = log(1 + 0.1 * share), -log(1 - 0.1 * share)
        assert prospects["risk_of_ruin"] == pytest.approx(Walk(up / down, 0.55, log(2) / down).ruin)
        played = purse.played(won, row)
        for name in ("risk_by_horizon", "chance_ahead"):
            assert played[f"played_{name}"] == pytest.approx(prospects[name], abs=NEAR), name


def test_a_bet_of_several_prices_keeps_its_mean_and_its_spread() -> None:
    # The bet is like a Lucky 6 on a rich shoe. The bet of one price that stands for it has the same mean and second
    # moment.
    law = {23: 0.02, 12: 0.05, -1: 0.93}
    mean, square = (sum(chance * pay**power for pay, chance in law.items()) for power in (1, 2))
    row = {**COIN, "mean_edge": mean, "sd_per_bet": sqrt(square - mean**2)}
    purse = Bankroll(10_000, 1000, stake=100)
    prospects = purse.prospects(row)
    drawn = np.random.default_rng(3).random(1000 * long_or(8000, 4000))
    pays = np.array([*law], float)[np.searchsorted(np.cumsum([*law.values()][:-1]), drawn, side="right")]
    played = purse.played(pays, row)
    for name in ("risk_by_horizon", "chance_ahead"):
        assert played[f"played_{name}"] == pytest.approx(prospects[name], abs=long_or(0.02, 0.028)), name


def test_who_never_bets_and_who_has_no_edge() -> None:
    purse = Bankroll(1000, 1000, stake=10)
    assert set(purse.prospects({**COIN, "bets": 0}).values()) == {None}
    losing = {**COIN, "mean_edge": -0.1}
    assert purse.prospects(losing)["risk_of_ruin"] == 1
    assert purse.prospects(losing)["kelly_stake"] == 0
    assert Bankroll(1000, 1000, kelly=1).prospects(losing)["risk_of_ruin"] == 0
    assert purse.played(np.zeros(50), COIN)["played_chance_ahead"] is None


def test_who_always_wins_and_who_always_loses() -> None:
    sure = {**COIN, "mean_edge": 9.0, "sd_per_bet": 0.0}
    lost = {**COIN, "mean_edge": -1.0, "sd_per_bet": 0.0}
    for purse in (Bankroll(1000, 1000, stake=10), Bankroll(1000, 1000, kelly=1)):
        prospects = purse.prospects(sure)
        assert (prospects["risk_of_ruin"], prospects["risk_by_horizon"], prospects["chance_ahead"]) == (0, 0, 1)
    prospects = Bankroll(1000, 1000, stake=10).prospects(lost)
    assert (prospects["risk_of_ruin"], prospects["risk_by_horizon"], prospects["chance_ahead"]) == (1, 1, 0)


def test_the_kelly_stake_grows_fastest() -> None:
    # A bet at 45 to 1 with an edge of 22%.
    p = 1.22 / 46
    row = {**COIN, "mean_edge": 0.22, "sd_per_bet": sqrt(p * 45**2 + 1 - p - 0.22**2)}
    growth = {f: p * log(1 + 45 * f) + (1 - p) * log(1 - f) for f in np.linspace(0.001, 0.02, 1901).tolist()}
    best = max(growth, key=lambda f: growth[f])
    assert Bankroll(1000, 1000, kelly=1).prospects(row)["kelly_stake"] == pytest.approx(1000 * best, abs=0.02)


ONE_OF_TWO = "^stake and kelly: should be one of the two: a stake in money, or a share of the Kelly stake$"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((1000, 10), ONE_OF_TWO),
        ((1000, 10, 5, 0.5), ONE_OF_TWO),
        ((1000, 10, 2000), "stake: 2000, should be above 0 and at most 1,000"),
        ((-1, 10, 1), "bankroll: -1, should be above 0"),
        ((1000, 10, None, 3), "kelly: 3, should be above 0 and at most 2"),
        ((1000, 10, 1e-9), "stake: 1e-09, should be at least a 1,000,000,000th of the bankroll"),
        ((1000, 0, 1), "horizon: 0, should be a whole number from 1 to 1,000,000,000"),
    ],
)
def test_a_bankroll_that_makes_no_sense(given: tuple[Any, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Bankroll(*given)


def test_a_horizon_of_a_few_shoes_is_refused() -> None:
    with pytest.raises(InputError, match="horizon: 799 coups, should be 800 or more, 10 shoes"):
        Bankroll(1000, 799, stake=10).prospects(COIN)
