"""A trip's figures: the worked examples of the theory, and plain simulation."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest
from extent import long_or

from counting import InputError, load_game
from counting.trips import Discount, Plays, Stake, Tier, Trip
from experiments.trips import run as experiment

GAME = load_game("punto-banco").also(("dragon-7",))


def trip(*texts: str, coups: int = 900, **asked: object) -> Trip:
    stakes = [stake for text in texts for stake in Stake.written(text, "bet")]
    return Trip(Plays(GAME, tuple(stakes), 8), coups, **asked)  # type: ignore[arg-type]


def tiers(*texts: str) -> tuple[Tier, ...]:
    return tuple(Tier.written(text, "discount") for text in texts)


def test_a_patron_who_won_2_3_million_in_three_days() -> None:
    won = trip("banker-5:30000", result=Fraction(2_300_000), among=100)
    assert won.unusual is not None
    assert won.theoretical_win == pytest.approx(285_634.56, abs=0.01)
    assert won.deviation_independent == pytest.approx(834_634.82, abs=0.01)
    assert won.unusual.z == pytest.approx(3.098, abs=5e-4)
    assert won.unusual.p_at_end == pytest.approx(9.65e-4, rel=5e-4)
    assert won.unusual.p_ever == pytest.approx(2.03e-3, rel=2e-3)
    assert won.unusual.p_among == pytest.approx(1 - (1 - won.unusual.p_at_end) ** 100, rel=1e-10)
    assert [won.distribution.quantile(q) for q in (0.05, 0.5, 0.95)] == [-1_660_500, -286_500, 1_086_000]
    assert won.distribution.above_zero == pytest.approx(0.367, abs=5e-4)
    skewed = trip("banker-5:30000", "dragon-7:3000", result=Fraction(2_300_000)).unusual
    assert skewed is not None
    assert (skewed.z, skewed.p_at_end) == pytest.approx((2.614, 5.12e-3), rel=1e-3)


def test_a_loss_is_as_unusual_as_its_lower_tail() -> None:
    lost = trip("banker-5:30000", result=Fraction(-2_900_000)).unusual
    assert lost is not None
    assert not lost.above
    assert lost.p_at_end < lost.p_ever < 2.5 * lost.p_at_end
    better = trip("banker-5:30000", result=Fraction(-100_000)).unusual
    assert better is not None
    assert better.above
    assert better.p_ever == 1


def test_ends_of_a_bankroll_and_a_goal() -> None:
    ends = trip("banker-5:1", coups=240, goal=Fraction(20), bankroll=Fraction(20)).ends
    assert ends is not None
    assert (ends.lower, ends.upper, ends.neither) == pytest.approx((0.1979, 0.1198, 0.682), abs=5e-4)
    ends = trip("banker-5:1", coups=20_000, goal=Fraction(25), bankroll=Fraction(50)).ends
    assert ends is not None
    assert ends.upper == pytest.approx(0.44996, abs=1e-5)


@pytest.mark.parametrize("stop", ["goal", "bankroll"])
@pytest.mark.parametrize("amount", [Fraction(), Fraction(-500), "500", True, float("nan")])
def test_a_patron_stops_at_an_amount_above_0(stop: str, amount: object) -> None:
    with pytest.raises(InputError, match=rf"^{stop}: .*, should be a number above 0$"):
        trip("player:100", coups=10, **{stop: amount})


@pytest.mark.parametrize("result", ["500", True, float("nan"), float("inf"), [1], Fraction(10) ** 400])
def test_a_result_is_a_finite_number(result: object) -> None:
    with pytest.raises(InputError, match=r"^result: .*, should be a finite number$"):
        trip("player:100", coups=10, result=result)
    with pytest.raises(InputError, match=r"^goal: a longer number, should be a number above 0$"):
        trip("player:100", coups=10, goal=Fraction(10**5000))


def test_without_a_discount_there_is_no_settlement() -> None:
    plain = trip("player:100", coups=10)
    assert (plain.settlements, plain.discount_cost, plain.exits, plain.worthless_from) == ([], None, None, None)


@pytest.mark.parametrize(
    ("rates", "whole", "at_end", "each_shoe"),
    [
        (("10%",), False, 15_236, 37_514),
        (("10%:50000",), False, 12_288, 16_423),
        (("5%", "10%:100000", "15%:300000"), False, 13_995, 21_593),
        (("5%", "10%:100000", "15%:300000"), True, 19_460, 28_262),
    ],
)
def test_a_discount_costs_what_the_theory_says(
    rates: tuple[str, ...], whole: bool, at_end: int, each_shoe: int
) -> None:
    for settled, cost in (("trip", at_end), ("shoe", each_shoe)):
        rule = Discount(tiers(*rates), whole, settled)  # type: ignore[arg-type]
        played = trip("banker-5:10000", coups=800, discount=rule)
        assert played.discount_cost is not None
        assert played.discount_cost.cost == pytest.approx(cost, abs=0.6)
        turns = played.discount_cost.turns_at
        if turns is not None:
            scaled = tuple(Tier(tier.rate * Fraction(turns), tier.loss) for tier in rule.tiers)
            taken = trip("banker-5:10000", coups=800, discount=Discount(scaled, whole, settled)).discount_cost  # type: ignore[arg-type]
            assert taken is not None
            assert taken.cost == pytest.approx(played.theoretical_win)


@pytest.mark.parametrize(
    ("rates", "settled"),
    [((), "trip"), (Tier(Fraction(1, 10)), "trip"), ((Fraction(1, 10),), "trip"), (tiers("10%"), "week")],
)
def test_a_discount_has_tiers_and_a_settlement(rates: object, settled: object) -> None:
    with pytest.raises(InputError, match=r"^(discount|settled): .*, should be "):
        Discount(rates, settled=settled)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^discount: '10%', should be a Discount, "):
        trip("player:100", discount="10%")


@pytest.mark.parametrize(("rate", "loss"), [(0, 0), (-0.1, 0), (2, 0), ("10%", 0), (0.1, -5), (0.1, "5")])
def test_a_tier_has_a_rate_and_a_loss(rate: object, loss: object) -> None:
    with pytest.raises(InputError, match=r"^discount: (rate|loss): .*, should be a number "):
        Tier(rate, loss)  # type: ignore[arg-type]


def test_a_last_day_of_fewer_coups_is_settled_too() -> None:
    rule = Discount(tiers("10%"), settled="day")
    whole, rest = (trip("banker-5:100", coups=n, discount=rule, coups_per_day=300) for n in (600, 700))
    last = trip("banker-5:100", coups=100, discount=Discount(tiers("10%")))
    assert rest.settlements == [(2, 300), (1, 100)]
    costs = [each.discount_cost.cost for each in (rest, whole, last) if each.discount_cost is not None]
    assert costs[0] == pytest.approx(costs[1] + costs[2])
    with pytest.raises(InputError, match="coups_per_day"):
        trip("banker-5:100", discount=rule)


@pytest.mark.parametrize(("stake", "edge"), [(25, 0.0794), (30, 0.0641), (110, 0.0293)])
def test_a_commission_rounded_up_to_5_costs_what_the_theory_says(stake: int, edge: float) -> None:
    plays = Plays(GAME, (Stake("banker-5", Fraction(stake)),), 8, commission_step=Fraction(5))
    assert Trip(plays, 100).theoretical_win / Trip(plays, 100).staked == pytest.approx(edge, abs=5e-5)


def test_the_shoe_lowers_the_deviation_by_the_published_factor() -> None:
    for bet, less in (("banker-5", 7.7e-5), ("player", 7.5e-5), ("tie-8", 7.8e-4), ("dragon-7", 3.2e-3)):
        factor = trip(f"{bet}:100", coups=80).shoe_factor
        assert factor is not None
        assert 1 - factor == pytest.approx(less, rel=0.01)
    assert trip("banker-5:100", coups=1).shoe_factor == 1


@pytest.mark.long
@pytest.mark.parametrize("case", experiment.CASES)
def test_figures_are_those_of_plain_simulation(case: str) -> None:
    """A small run of the experiment, in which each figure is within 4.5 standard errors."""
    rows = experiment.compared(case, long_or(1_000_000, 15_000), seed=5)
    assert len(rows) > 10
    assert {row["figure"] for row in rows if abs(row["z"]) > 4.5} == set()
    assert sqrt(np.mean([row["z"] ** 2 for row in rows])) < 2


@cache
def after_25_coups() -> dict[Fraction, Fraction]:
    """The chance of each net result of 25 bets of 100 on Banker."""
    pays = Plays(GAME, (Stake("banker-5", Fraction(100)),), 8).coup.chances
    results = {Fraction(): Fraction(1)}
    for _ in range(25):
        after: dict[Fraction, Fraction] = {}
        for result, before in results.items():
            for pay, chance in pays.items():
                after[result + pay] = after.get(result + pay, Fraction()) + before * chance
        results = after
    return results


@pytest.mark.parametrize("rule", experiment.DISCOUNTS)
def test_a_discount_of_a_few_coups_costs_what_rational_arithmetic_says(rule: str) -> None:
    discount = experiment.DISCOUNTS[rule]

    def back(loss: Fraction) -> Fraction:
        tiers, ends = discount.tiers, [*(tier.loss for tier in discount.tiers[1:]), Fraction(10**9)]
        if discount.whole:
            return max((tier.rate for tier in tiers if loss >= tier.loss), default=Fraction()) * loss
        return sum(
            (t.rate * max(min(loss, end) - t.loss, Fraction()) for t, end in zip(tiers, ends, strict=True)), Fraction()
        )

    exact = sum(chance * back(max(-result, Fraction())) for result, chance in after_25_coups().items())
    asked = Discount(discount.tiers, discount.whole)
    cost = trip("banker-5:100", coups=25, discount=asked).discount_cost
    assert cost is not None
    assert cost.cost == pytest.approx(float(exact), rel=1e-12)
