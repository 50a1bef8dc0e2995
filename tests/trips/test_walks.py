"""The net result of independent coups against rational arithmetic, path by path."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from extent import long_or

from counting import load_game
from counting.trips import Plays, Stake, Walk

GAME = load_game("punto-banco").also(("dragon-7",))
Chances = Mapping[Fraction, Fraction]


def pays(*texts: str) -> Chances:
    stakes = [stake for text in texts for stake in Stake.written(text, "bet")]
    return Plays(GAME, tuple(stakes), 8).coup.chances


def summed(chances: Chances, coups: int) -> Chances:
    results = {Fraction(): Fraction(1)}
    for _ in range(coups):
        after: dict[Fraction, Fraction] = {}
        for result, before in results.items():
            for pay, chance in chances.items():
                after[result + pay] = after.get(result + pay, Fraction()) + before * chance
        results = after
    return dict(sorted(results.items()))


def stopped(chances: Chances, coups: int, low: Fraction | None, high: Fraction | None) -> tuple[Fraction, ...]:
    """For paths that stop at `low` or `high`: the chances of the upper end, of the lower end and of neither, and the
    mean number of coups."""
    alive, lower, upper, played = {Fraction(): Fraction(1)}, Fraction(), Fraction(), Fraction()
    for _ in range(coups):
        played += sum(alive.values())
        after: dict[Fraction, Fraction] = {}
        for result, before in alive.items():
            for pay, chance in chances.items():
                moved, part = result + pay, before * chance
                if low is not None and moved <= low:
                    lower += part
                elif high is not None and moved >= high:
                    upper += part
                else:
                    after[moved] = after.get(moved, Fraction()) + part
        alive = after
    return upper, lower, sum(alive.values(), Fraction()), played


@pytest.mark.parametrize("texts", [("banker-5:1",), ("player:100@40%", "dragon-7:20"), ("dragon-7:25",)])
def test_tails_are_those_of_rational_arithmetic(texts: tuple[str, ...]) -> None:
    chances, coups = pays(*texts), long_or(60, 14)
    exact, walk = summed(chances, coups), Walk.of(chances, coups)
    assert walk.exact
    rising = [*accumulate(exact.values())]
    falling = [*accumulate(reversed(exact.values()))][::-1]
    for result, at_most, at_least in list(zip(exact, rising, falling, strict=True))[:: long_or(7, 5)]:
        assert walk.at_most(result, coups) == pytest.approx(float(at_most), rel=1e-12)
        assert walk.at_least(result, coups) == pytest.approx(float(at_least), rel=1e-12)
    best = max(exact)
    assert walk.at_least(best, coups) == pytest.approx(float(exact[best]), rel=1e-12)
    assert walk.at_least(best + 1, coups) == walk.at_most(min(exact) - 1, coups) == 0
    distribution = walk.after(coups)
    by_amount = dict(zip(distribution.amounts, distribution.chances, strict=True))
    assert max(abs(by_amount[float(result)] - float(chance)) for result, chance in exact.items()) < 1e-15


@pytest.mark.parametrize(("low", "high"), [(None, Fraction(5)), (Fraction(-7), None), (Fraction(-4), Fraction(3))])
def test_ends_are_those_of_every_path(low: Fraction | None, high: Fraction | None) -> None:
    chances, coups = pays("banker-5:1"), long_or(30, 20)
    ends = Walk.of(chances, coups).ends(low, high, coups)
    exact = stopped(chances, coups, low, high)
    assert [ends.upper, ends.lower, ends.neither, ends.coups] == pytest.approx([*map(float, exact)], rel=1e-12)


def test_a_chance_at_any_time_is_no_less_than_at_the_end() -> None:
    walk = Walk.of(pays("banker-5:1"), 200)
    for amount in (Fraction(1), Fraction(20), Fraction(60)):
        assert walk.ever_at_least(amount, 200) > walk.at_least(amount, 200) > 0
        assert walk.ever_at_most(-amount, 200) > walk.at_most(-amount, 200) > 0
    assert walk.ever_at_least(Fraction(0), 200) == walk.ever_at_most(Fraction(0), 200) == 1


def test_gamblers_ruin_is_that_of_the_formula() -> None:
    """For even money, the chance to win b before losing a is (1 - (q/p)^a) / (1 - (q/p)^(a + b))."""
    chances = pays("player:1")
    ratio = float(chances[Fraction(-1)] / chances[Fraction(1)])
    a, b = long_or((50, 25), (20, 10))
    ends = Walk.of(chances, 100_000).ends(Fraction(-a), Fraction(b), 100_000)
    assert ends.upper == pytest.approx((1 - ratio**a) / (1 - ratio ** (a + b)), rel=1e-10)


def test_a_long_trip_wraps_no_tail() -> None:
    """For many coups, the distribution that is kept is narrower than all possible results, but it has the tails of the
    whole distribution."""
    coups, high = long_or((20_000, Fraction(700)), (5000, Fraction(350)))
    walk = Walk.of(pays("player:1"), coups)
    narrow = walk.after(coups)
    assert len(narrow.chances) < 2 * coups
    assert narrow.chances.sum() == pytest.approx(1, abs=1e-11)
    assert narrow.mean(lambda net: net) == pytest.approx(coups * walk.mean, rel=1e-9)
    at_end = walk.at_least(high, coups)
    assert at_end < walk.ever_at_least(high, coups) < 3 * at_end


def test_amounts_without_a_common_step_keep_their_mean() -> None:
    chances = pays("banker-5:9999.99", "dragon-7:0.07")
    walk = Walk.of(chances, 3000)
    assert not walk.exact
    mean = float(sum(pay * chance for pay, chance in chances.items()))
    assert walk.mean * float(walk.step) == pytest.approx(mean, rel=1e-9)
    results = [w.after(3000) for w in (walk, Walk.of(pays("banker-5:10000"), 3000))]
    quantiles = np.array([[result.quantile(q) for q in (0.05, 0.5, 0.95)] for result in results])
    assert quantiles[0] == pytest.approx(quantiles[1], abs=1000)
