"""Best exits and values against an exhaustive search, and the tables of the theory."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from extent import long_or

from counting import load_game
from counting.trips import Discount, Plays, Stake, Tier, Walk, best_exits
from counting.trips.exits import worthless_from

GAME = load_game("punto-banco").also(("dragon-7",))
FOREVER = 100_000


def walk_of(bet: str, amount: int = 1) -> tuple[Walk, dict[Fraction, Fraction]]:
    coup = Plays(GAME, (Stake(bet, Fraction(amount)),), 8).coup
    return Walk.of(coup.chances, 80), dict(coup.chances)


def searched(pays: dict[Fraction, Fraction], discount: Discount, coups: int, amounts: tuple[Fraction, ...]) -> Fraction:
    """The best value by trying every amount, or none, at every net result."""

    def kept(net: Fraction) -> Fraction:
        loss, back = max(-net, Fraction()), Fraction()
        for tier, after in zip(discount.tiers, [*discount.tiers[1:], None], strict=True):
            if discount.whole:
                back = tier.rate * loss if loss >= tier.loss else back
            else:
                back += tier.rate * max(min(loss, after.loss if after else loss) - tier.loss, Fraction())
        return net + back

    @cache
    def best(net: Fraction, left: int) -> Fraction:
        worth = kept(net)
        if left:
            for amount in amounts:
                worth = max(worth, sum(c * best(net + amount * pay, left - 1) for pay, c in pays.items()))
        return worth

    return best(Fraction(), coups)


DISCOUNTS = {
    "10%": Discount((Tier(Fraction(1, 10)),)),
    "50% above 2": Discount((Tier(Fraction(1, 2), Fraction(2)),)),
    "5%, 30% from 2": Discount((Tier(Fraction(1, 20)), Tier(Fraction(3, 10), Fraction(2)))),
    "5%, 30% from 2, whole": Discount((Tier(Fraction(1, 20)), Tier(Fraction(3, 10), Fraction(2))), whole=True),
}


@pytest.mark.parametrize("rule", DISCOUNTS)
@pytest.mark.parametrize(("bet", "coups"), [("banker-5", 7), ("player", 9), ("dragon-7", 4)])
def test_the_value_is_that_of_an_exhaustive_search(rule: str, bet: str, coups: int) -> None:
    walk, pays = walk_of(bet)
    exact = searched(pays, DISCOUNTS[rule], coups, (Fraction(1),))
    assert best_exits(walk, DISCOUNTS[rule], 1.0, coups, least=False).value == pytest.approx(float(exact), abs=1e-9)


@pytest.mark.parametrize("rule", ["10%", "50% above 2", "5%, 30% from 2"])
def test_no_smaller_amounts_do_better_under_a_convex_rule(rule: str) -> None:
    _, pays = walk_of("player")
    amounts = Fraction(1), Fraction(1, 2), Fraction(1, 3)
    assert DISCOUNTS[rule].convex
    assert searched(pays, DISCOUNTS[rule], 5, amounts) == searched(pays, DISCOUNTS[rule], 5, amounts[:1])


def test_smaller_amounts_may_do_better_where_the_whole_loss_is_paid() -> None:
    rule, (_, pays) = DISCOUNTS["5%, 30% from 2, whole"], walk_of("player")
    assert not rule.convex
    amounts = Fraction(3, 2), Fraction(1)
    assert searched(pays, rule, 3, amounts) > searched(pays, rule, 3, amounts[:1])


def test_the_exits_are_those_where_one_more_coup_gains_nothing() -> None:
    """The value of each pair of exits is from the linear equations of a walk that stops at them."""
    walk, _ = walk_of("banker-5")
    rule = Discount((Tier(Fraction(1, 5)),))
    found = best_exits(walk, rule, 1.0, FOREVER, least=False)

    def value(win: float, loss: float) -> float:
        low, high = round(-loss * 20), round(win * 20)
        inside = np.arange(low + 1, high)
        matrix, ends = np.eye(len(inside)), np.zeros(len(inside))
        for jump, chance in zip(walk.jumps, walk.chances, strict=True):
            to = inside + jump
            here = (to > low) & (to < high)
            matrix[np.flatnonzero(here), to[here] - low - 1] -= chance
            ends[~here] += chance * rule.kept(to[~here] / 20)
        return float(np.linalg.solve(matrix, ends)[-low - 1])

    assert found.win is not None
    assert found.loss is not None
    best = value(found.win, found.loss)
    assert best == pytest.approx(found.value, abs=1e-8)
    for win, loss in ((0.05, 0), (-0.05, 0), (0, 0.05), (0, -0.05)):
        assert value(found.win + win, found.loss + loss) < best + 1e-12


@pytest.mark.parametrize(
    ("bet", "rate", "value", "win", "loss", "least"),
    [
        ("banker-5", "1/40", 0.00064, None, None, None),
        ("banker-5", "1/20", 0.01297, 0.60, 0.60, 7),
        ("banker-5", "1/10", 0.05296, 1.70, 1.75, 32),
        ("banker-5", "1/5", 0.22532, 3.95, 4.25, 158),
        ("player", "1/20", 0.01169, 1, 1, 5),
        ("player", "1/10", 0.04814, 2, 2, 25),
        ("player", "1/5", 0.20363, 4, 4, 121),
        ("dragon-7", "1/10", 0.10778, 2, 10, 23),
        ("dragon-7", "1/5", 1.36758, 15, 28, 127),
        ("tie-8", "1/5", 0.05397, 1, 2, None),
    ],
)
def test_the_table_of_the_theory(
    bet: str, rate: str, value: float, win: float | None, loss: float | None, least: int | None
) -> None:
    walk, _ = walk_of(bet)
    rule = Discount((Tier(Fraction(rate)),))
    exits = best_exits(walk, rule, 1.0, FOREVER)
    assert exits.value == pytest.approx(value, abs=6e-6)
    if win is not None:
        assert (exits.win, exits.loss) == pytest.approx((win, loss))
        assert worthless_from(walk, rule, 1.0, FOREVER) == exits.win
    if least is not None:
        assert exits.least_coups == least


@pytest.mark.parametrize(
    ("bet", "rate"), [("banker-5", "0.0237"), ("player", "0.0269"), ("dragon-7", "0.0778"), ("tie-8", "0.1586")]
)
def test_up_to_the_break_even_rate_nothing_is_won_and_just_above_it_something(bet: str, rate: str) -> None:
    walk, _ = walk_of(bet)
    below = best_exits(walk, Discount((Tier(Fraction(rate)),)), 1.0, FOREVER)
    assert (below.value, below.win, below.least_coups) == (0, None, 0)
    assert best_exits(walk, Discount((Tier(Fraction(rate) + Fraction(1, 5000)),)), 1.0, FOREVER, least=False).value > 0


def test_a_threshold_at_the_win_exit_leaves_nothing_and_one_below_it_something() -> None:
    walk, _ = walk_of("banker-5")
    for loss, left in (("1.65", True), ("1.7", False)):
        rule = Discount((Tier(Fraction(1, 10), Fraction(loss)),))
        assert (best_exits(walk, rule, 1.0, FOREVER, least=False).value > 0) == left


def test_the_least_number_of_coups_is_for_trips_longer_than_this_one() -> None:
    """One coup cannot reach the threshold, so nothing is won in it; a longer trip wins."""
    rule = Discount((Tier(Fraction(1, 2), Fraction(2)),))
    short, long = (best_exits(walk_of("player")[0], rule, 1.0, coups) for coups in (1, FOREVER))
    assert short.value == 0 < long.value
    assert short.least_coups == long.least_coups
    assert short.least_coups


def test_value_and_exits_grow_with_the_amount() -> None:
    small, large = (
        best_exits(walk_of("banker-5", amount)[0], Discount((Tier(Fraction(1, 10)),)), float(amount), 80)
        for amount in (1, 10_000)
    )
    assert (large.value, large.win, large.loss) == pytest.approx(
        tuple(10_000 * x for x in (small.value, small.win, small.loss))
    )
    assert large.least_coups == small.least_coups


@pytest.mark.long
def test_the_second_and_third_loss_rebate_theorems_are_the_limit_of_small_steps() -> None:
    """E. Jacobson, "The Third Loss Rebate Theorem", 16 February 2014, example 1: mean -0.0029036, standard deviation
    1.1417, rebate 20%, coefficient 0.0055690; the win is sigma^2 / (2 mu) times the coefficient."""
    mean, deviation = 0.0029036, 1.1417
    published = deviation**2 / (2 * mean) * 0.0055690
    rule = Discount((Tier(Fraction(1, 5)),))
    values = []
    for parts in (1, long_or(4, 2)):
        step = Fraction(deviation) / parts
        up = 0.5 - mean / (2 * deviation) / parts
        walk = Walk(step, np.array([-1, 1]), np.array([1 - up, up]))
        values.append(best_exits(walk, rule, float(step), FOREVER, least=False).value)
    assert values == pytest.approx([published, published], rel=0.003)
    assert abs(values[1] - published) < abs(values[0] - published)


def test_a_lattice_that_is_too_fine_is_made_coarser_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.trips.exits._MOST_HALF", long_or(1 << 16, 1 << 13))
    walk, _ = walk_of("banker-5")
    fine = Walk(walk.step / 5000, 5000 * walk.jumps, walk.chances)
    rule = Discount((Tier(Fraction(1, 5)),))
    exact, near = (best_exits(each, rule, 1.0, 80) for each in (walk, fine))
    assert exact.exact
    assert not near.exact
    assert near.value == pytest.approx(exact.value, rel=2e-3)
    assert near.least_coups == pytest.approx(exact.least_coups, abs=1)
