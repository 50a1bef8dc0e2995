"""Bankrolls: against the gambler's ruin, against every path, and against walks played."""

from fractions import Fraction
from functools import cache
from math import log, sqrt
from typing import Any

import numpy as np
import pytest

from counting import InputError
from counting.bankroll import FOLLOWED, Bankroll, ruin, within

COIN = {"bets": 1, "bet_share": 1.0, "mean_edge": 0.1, "sd_per_bet": sqrt(1 - 0.01)}
COIN |= {"sd_bets_per_shoe": 0.0, "shoes": 1, "coups": 80}


def walks(share: float, coups: int, sessions: int) -> np.ndarray:
    """Results of an even-money bet with an edge of 10%, staked at a share of coups."""
    rng = np.random.default_rng(5)
    won = np.where(rng.random(coups * sessions) < 0.55, 1.0, -1.0)
    return np.where(rng.random(coups * sessions) < share, won, 0.0)


def test_ruin_of_the_gambler() -> None:
    assert ruin(1, 0.55, 10) == pytest.approx((0.45 / 0.55) ** 10)
    assert ruin(1, 0.5, 10) == ruin(40, 0.02, 10) == 1
    # A bet at 40 to 1: one step down is survived with a chance that solves r = (1 - p) + p r^41.
    down = ruin(40, 0.027, 1)
    assert down == pytest.approx(0.973 + 0.027 * down**41)
    assert ruin(40, 0.027, 200) == pytest.approx(down**200)


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

    assert within(win, p, lose, bets, 0) == pytest.approx((float(gone(0, bets)), float(ahead(0, bets))), rel=1e-12)
    two = [within(win, p, lose, n, 0) for n in (bets - 1, bets)]
    between = within(win, p, lose, bets - 0.5, 0.1)  # a normal number near the two whole ones
    assert between == pytest.approx(tuple(np.mean(two, axis=0)), rel=1e-9)


def test_many_bets_are_a_brownian_motion() -> None:
    for win, p in ((1.0, 0.505), (12.0, 0.0775)):
        few, many = (within(win, p, 60, FOLLOWED + extra, 0) for extra in (-10, 10))
        assert few == pytest.approx(many, abs=0.012)
    assert within(40, 0.027, 200, 0, 0) == (0, 0)


def test_flat_stakes_on_a_biased_coin() -> None:
    purse = Bankroll(1000, 400, stake=100)
    found = purse.prospects(COIN)
    assert found["risk_of_ruin"] == pytest.approx((0.45 / 0.55) ** 10)
    assert found["kelly_stake"] == pytest.approx(100)
    played = purse.played(walks(1, 400, 20_000), COIN)
    assert played["sessions"] == 20_000
    for name in ("risk_by_horizon", "chance_ahead"):
        assert played[f"played_{name}"] == pytest.approx(found[name], abs=0.012), name


def test_kelly_stakes_on_a_biased_coin() -> None:
    # Half of the coups are bet on: in 400 coups 200 +- 10 bets, as in 5 shoes of 80 with a spread of sqrt(20).
    row = {**COIN, "bet_share": 0.5, "sd_bets_per_shoe": sqrt(20)}
    for share in (1.0, 0.5):
        purse = Bankroll(1000, 400, kelly=share)
        found = purse.prospects(row)
        up, down = log(1 + 0.1 * share), -log(1 - 0.1 * share)
        assert found["risk_of_ruin"] == pytest.approx(ruin(up / down, 0.55, log(2) / down))
        played = purse.played(walks(0.5, 400, 20_000), row)
        for name in ("risk_by_horizon", "chance_ahead"):
            assert played[f"played_{name}"] == pytest.approx(found[name], abs=0.012), name


def test_a_bet_of_several_prices_keeps_its_mean_and_its_spread() -> None:
    # As a Lucky 6 on a rich shoe: the bet that stands for it has the same mean and second moment.
    law = {23: 0.02, 12: 0.05, -1: 0.93}
    mean, square = (sum(chance * pay**power for pay, chance in law.items()) for power in (1, 2))
    row = {**COIN, "mean_edge": mean, "sd_per_bet": sqrt(square - mean**2)}
    purse = Bankroll(10_000, 1000, stake=100)
    found = purse.prospects(row)
    pays = np.random.default_rng(3).choice([*law], p=[*law.values()], size=1000 * 8000).astype(float)
    played = purse.played(pays, row)
    for name in ("risk_by_horizon", "chance_ahead"):
        assert played[f"played_{name}"] == pytest.approx(found[name], abs=0.02), name


def test_who_never_bets_and_who_has_no_edge() -> None:
    purse = Bankroll(1000, 100, stake=10)
    assert set(purse.prospects({**COIN, "bets": 0}).values()) == {None}
    losing = {**COIN, "mean_edge": -0.1}
    assert purse.prospects(losing)["risk_of_ruin"] == 1
    assert purse.prospects(losing)["kelly_stake"] == 0
    assert Bankroll(1000, 100, kelly=1).prospects(losing)["risk_of_ruin"] == 0
    assert purse.played(np.zeros(50), COIN)["played_chance_ahead"] is None


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((1000, 10), "should be a stake in money, or a share of the Kelly stake"),
        ((1000, 10, 5, 0.5), "and not both"),
        ((1000, 10, 2000), "stake: 2000, should be above 0 and at most 1,000"),
        ((-1, 10, 1), "bankroll: -1, should be above 0"),
        ((1000, 10, None, 3), "kelly: 3, should be above 0 and at most 2"),
        ((1000, 0, 1), "horizon: 0, should be a whole number from 1 to 1,000,000,000"),
    ],
)
def test_a_bankroll_that_makes_no_sense(given: tuple[Any, ...], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Bankroll(*given)
