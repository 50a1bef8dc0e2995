"""A patron's trip: every exact result is compared with a plain simulation.

Coups are drawn one by one, with the chances of the full shoe, and this program settles the stakes. When a case is done,
its rows are added to `trips.csv`, and the table of `notes.md` is written. This takes about a quarter of an hour on one
core.

    python -m experiments.trips.run [TRIPS]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting import Shoe, load_game, price_shoe
from counting.arrays import Floats, Ints
from counting.trips import Discount, Plays, Stake, Tier, Trip
from experiments._notes import put_frame

HERE = Path(__file__).parent
CSV = HERE / "trips.csv"
TRIPS, AT_ONCE = 10_000_000, 20_000
COUPS, PER_SHOE, PER_DAY = 100, 25, 40
GAME = load_game("punto-banco").also(("dragon-7",))
PLAYER, BANKER, DRAGON, TIE = range(4)
CHANCES = price_shoe(GAME, Shoe.decks(8)).probabilities
DRAGON_7 = next(chance for name, chance in CHANCES.items() if name not in ("player-win", "banker-win", "tie"))
OUTCOMES = [CHANCES["player-win"], CHANCES["banker-win"] - DRAGON_7, DRAGON_7, CHANCES["tie"]]

Settle = Callable[[np.random.Generator, Ints], Floats]


def flat(_: np.random.Generator, outcomes: Ints) -> Floats:
    return np.array([-100.0, 95, 95, 0])[outcomes]


def with_dragon(_: np.random.Generator, outcomes: Ints) -> Floats:
    """Bets 100 on Player and 10 on the Dragon 7, in dead chips. 1% of a lost chip is paid back."""
    return np.array([100 - 9.9, -99 - 9.9, -99 + 400, -9.9])[outcomes]


def mixed(rng: np.random.Generator, outcomes: Ints) -> Floats:
    """Bets 100 on Banker on half of the coups, 500 on Banker on a quarter of the coups, and 20 on the Tie on the
    others."""
    drawn = rng.integers(0, 4, outcomes.shape)
    return np.array([[-100.0, 95, 95, 0], [-100.0, 95, 95, 0], [-500.0, 475, 475, 0], [-20.0, -20, -20, 160]])[
        drawn, outcomes
    ]


def spread(rng: np.random.Generator, outcomes: Ints) -> Floats:
    """Bets 100, 200, 300, 400 or 500 on Player."""
    return 100.0 * rng.integers(1, 6, outcomes.shape) * np.array([1, -1, -1, 0])[outcomes]


def rounded(_: np.random.Generator, outcomes: Ints) -> Floats:
    """Bets 110 on Banker. The commission of 5.50 is rounded up to 10."""
    return np.array([-110.0, 100, 100, 0])[outcomes]


@dataclass(frozen=True)
class Case:
    stakes: tuple[str, ...]
    settle: Settle
    rules: dict[str, Any] = field(default_factory=dict)

    def trip(self, **asked: Any) -> Trip:
        stakes = tuple(stake for text in self.stakes for stake in Stake.written(text, "bet"))
        return Trip(Plays(GAME, stakes, 8, **self.rules), COUPS, PER_SHOE, PER_DAY, **asked)


CASES = {
    "Banker 100": Case(("banker-5:100",), flat),
    "Player 100, Dragon 7 10, programme of 1%": Case(
        ("player:100", "dragon-7:10"), with_dragon, {"dead_chips": Fraction(1, 100)}
    ),
    "Banker 100 or 500, Tie 20": Case(("banker-5:100@50%", "banker-5:500@25%", "tie-8:20@25%"), mixed),
    "Player 100 to 500": Case(("player:100-500/100",), spread),
    "Banker 110, commission up to 5": Case(("banker-5:110",), rounded, {"commission_step": Fraction(5)}),
}
TIERS = Tier(Fraction(1, 20)), Tier(Fraction(1, 10), Fraction(700)), Tier(Fraction(3, 20), Fraction(1500))
DISCOUNTS = {
    "10% of a trip": Discount((Tier(Fraction(1, 10)),)),
    "20% above 500, of each shoe": Discount((Tier(Fraction(1, 5), Fraction(500)),), settled="shoe"),
    "5, 10, 15%, of each day": Discount(TIERS, settled="day"),
    "5, 10, 15% of the whole loss": Discount(TIERS, whole=True),
}
_DEVIATIONS = (-3.0, -1.5, 1.5, 3.0)  # the results whose chances are compared, in standard deviations from the mean


def paid_back(rule: Discount, loss: Floats) -> Floats:
    """What a discount pays back on a loss, worked out tier by tier."""
    back = np.zeros_like(loss)
    ends = [*(float(tier.loss) for tier in rule.tiers[1:]), np.inf]
    for tier, end in zip(rule.tiers, ends, strict=True):
        begins, rate = float(tier.loss), float(tier.rate)
        if rule.whole:
            back[(loss > 0) & (loss >= begins)] = rate * loss[(loss > 0) & (loss >= begins)]
        else:
            back += rate * np.clip(loss - begins, 0, end - begins)
    return back


class Paths:
    """Simulated trips: their net results (trips, coups + 1) in whole money, and what is computed from them."""

    def __init__(self, net: Floats) -> None:
        self.net, self.end = net, net[:, -1]

    @cached_property
    def top(self) -> Floats:
        return self.net.max(axis=1)

    @cached_property
    def bottom(self) -> Floats:
        return self.net.min(axis=1)

    @lru_cache(maxsize=2)  # noqa: B019
    def stopped(self, loss: float, win: float) -> tuple[Ints, Floats]:
        """For each trip: the coup at which its net result reaches `-loss` or `win`, or at which the trip is over, and
        the net result then."""
        when = np.full(len(self.net), COUPS)
        some = np.flatnonzero((self.top >= win - _NEAR) | (self.bottom <= _NEAR - loss))
        outside = (self.net[some] >= win - _NEAR) | (self.net[some] <= _NEAR - loss)
        when[some] = outside.argmax(axis=1)
        return when, self.net[np.arange(len(self.net)), when]


@dataclass
class Figure:
    """A result to compare: its exact value, and sums of its values in the simulated trips."""

    exact: float
    of: Callable[[Paths], Any]
    total: float = 0.0
    squares: float = 0.0


_NEAR = 1e-6  # an amount of money, larger than rounding errors


def figures(case: Case) -> dict[str, Figure]:
    plain = case.trip()
    mean, deviation, result = -plain.theoretical_win, plain.deviation_independent, plain.distribution
    made = {
        "mean result": Figure(mean, lambda paths: paths.end),
        "variance": Figure(deviation**2, lambda paths: (paths.end - mean) ** 2),
        "ahead at the end": Figure(result.above_zero, lambda paths: paths.end > _NEAR),
    }
    for share in (0.01, 0.25, 0.5, 0.95):
        at = result.quantile(share)
        below = float(result.chances[result.amounts <= at + _NEAR].sum())
        made[f"at most the {100 * share:g}% quantile"] = Figure(below, lambda paths, at=at: paths.end <= at + _NEAR)
    for number in _DEVIATIONS:
        made |= _unusual(case, number, round(mean + number * deviation))
    made |= _ends(case, round(deviation))
    for name, rule in DISCOUNTS.items():
        cost = case.trip(discount=rule).discount_cost
        assert cost is not None
        made[f"cost of {name}"] = Figure(cost.cost, lambda paths, rule=rule: _cost(rule, paths.net))
    return made | _exits(case)


def _unusual(case: Case, number: float, result: int) -> dict[str, Figure]:
    unusual = case.trip(result=Fraction(result)).unusual
    assert unusual is not None
    at_end, ever = f"{number:+g} sd at the end", f"{number:+g} sd at any time"
    if unusual.above:
        return {
            at_end: Figure(unusual.p_at_end, lambda paths: paths.end >= result - _NEAR),
            ever: Figure(unusual.p_ever, lambda paths: paths.top >= result - _NEAR),
        }
    return {
        at_end: Figure(unusual.p_at_end, lambda paths: paths.end <= result + _NEAR),
        ever: Figure(unusual.p_ever, lambda paths: paths.bottom <= result + _NEAR),
    }


def _ends(case: Case, reach: int) -> dict[str, Figure]:
    ends = case.trip(goal=Fraction(reach), bankroll=Fraction(reach)).ends
    assert ends is not None
    return {
        "goal reached": Figure(ends.upper, lambda paths: paths.stopped(reach, reach)[1] >= reach - _NEAR),
        "bankroll lost": Figure(ends.lower, lambda paths: paths.stopped(reach, reach)[1] <= _NEAR - reach),
        "coups until an end": Figure(ends.coups, lambda paths: paths.stopped(reach, reach)[0]),
    }


def _cost(rule: Discount, net: Floats) -> Floats:
    by = {"trip": COUPS, "day": PER_DAY, "shoe": PER_SHOE}[rule.settled]
    marks = [*range(0, COUPS, by), COUPS]
    return np.sum([paid_back(rule, net[:, a] - net[:, b]) for a, b in pairwise(marks)], axis=0)


def _exits(case: Case) -> dict[str, Figure]:
    """Results of trips that end at the best exits for a discount of 10%. Trips are so long that the exits do not depend
    on the number of coups left."""
    rule = DISCOUNTS["10% of a trip"]
    exits = case.trip(discount=rule).exits
    if exits is None or exits.win is None or exits.loss is None:
        return {}
    win, loss = exits.win, exits.loss

    def won(paths: Paths) -> Floats:
        net = paths.stopped(loss, win)[1]
        return net + paid_back(rule, np.maximum(-net, 0))

    return {
        "best exits' value": Figure(exits.value, won),
        "best exits' coups": Figure(exits.coups, lambda paths: paths.stopped(loss, win)[0]),
    }


def compared(case: str, trips: int, seed: int) -> list[dict[str, Any]]:
    """For each result of a case: the exact value, the simulated value with its standard error, and the difference in
    standard errors."""
    chosen, rng = CASES[case], np.random.default_rng(seed)
    made = figures(chosen)
    bounds = np.cumsum([float(chance) for chance in OUTCOMES])[:-1]
    for begin in range(0, trips, AT_ONCE):
        number = min(AT_ONCE, trips - begin)
        drawn = rng.random((number, COUPS))
        outcomes = sum((drawn >= bound).view(np.int8) for bound in bounds)
        net = np.zeros((number, COUPS + 1))
        np.cumsum(chosen.settle(rng, outcomes), axis=1, out=net[:, 1:])
        paths = Paths(net)
        for each in made.values():
            shown = np.asarray(each.of(paths), float)
            each.total += float(shown.sum())
            each.squares += float((shown**2).sum())
    rows = []
    for name, each in made.items():
        mean = each.total / trips
        error = float(np.sqrt(max(each.squares / trips - mean**2, 1e-300) / trips))
        rows.append(
            {"case": case, "figure": name, "exact": each.exact, "simulated": mean, "error": error,
             "z": (mean - each.exact) / error}
        )  # fmt: skip
    return rows


def main(trips: int) -> None:
    """Run each case twice, with different seeds. A difference that is not due to chance then occurs twice."""
    done = set(pl.read_csv(CSV).select("run", "case").unique().rows()) if CSV.is_file() else set()
    for run in (1, 2):
        for number, case in enumerate(CASES):
            if (run, case) not in done:
                frame = pl.DataFrame(compared(case, trips, number + 100 * (run - 1)))
                with CSV.open("a") as file:
                    frame.insert_column(0, pl.lit(run).alias("run")).write_csv(file, include_header=file.tell() == 0)
                print(run, case, frame["z"].abs().max())
    put_table()


def put_table() -> None:
    """Write the table of `notes.md` with the cases that are done."""
    frame, on = pl.read_csv(CSV), ["case", "figure"]
    both = frame.filter(run=1).join(frame.filter(run=2), on=on, how="left", suffix="_2", maintain_order="left")
    both = both.with_columns(both_z=(pl.col("z") + pl.col("z_2")) / 2**0.5)
    columns = {"case": "{case}", "figure": "{figure}", "exact": "{exact:.7g}", "simulated": "{simulated:.7g}",
               "error": "{error:.2g}", "z": "{z:+.2f}", "again": "{z_2:+.2f}", "both": "{both_z:+.2f}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, both)
    for name in ("z", "z_2", "both_z"):
        print(f"{both[name].count()} figures, {name}: the largest {both[name].abs().max():.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIPS)
