"""A patron's trip: the house's theoretical win, how unusual a result is, and what offers cost."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import expm1, log1p, sqrt

import numpy as np

from counting.cards import MOST_COUPS_PER_DECK
from counting.errors import InputError, finite_real, instance, keyword, positive_real, whole
from counting.trips.discounts import Discount
from counting.trips.exits import BestExits, best_exits, worthless_from
from counting.trips.plays import Plays
from counting.trips.shoe_memory import covariance
from counting.trips.walks import Distribution, Ends, Walk

MOST_COUPS = 1_000_000
MOST_TRIPS = 10**9
_PER_DECK = 10


@dataclass(frozen=True)
class Unusual:
    """How unusual a result is, on its side of the mean.

    - `z`: how far the result is from the mean, in standard deviations
    - `above`: whether the result is at or above the mean. If it is, `p_at_end`, `p_ever` and `p_among` are chances of
      this result or more; otherwise they are chances of this result or less
    - `p_at_end`: the chance that the trip ends with this result, or farther out
    - `p_ever`: the chance that the patron is at this result, or farther out, at some time in the trip
    - `p_among`: the chance that at least one of several trips ends with this result, or farther out; None if their
      number is not given"""

    z: float
    p_at_end: float
    p_ever: float
    p_among: float | None
    above: bool


@dataclass(frozen=True)
class DiscountCost:
    """What a discount costs for a patron who plays all coups.

    - `cost`: the mean cost of a trip
    - `turns_at`: the multiple of the discount's rates at which the discount costs all of the theoretical win. None if
      this would need a rate above 100%, if there is no theoretical win, or if the discount costs nothing."""

    cost: float
    turns_at: float | None


@dataclass(frozen=True)
class Trip:
    """A patron's plays for a number of coups, and the figures on them. Amounts are in money.

    - `coups_per_shoe`: by default 10 per deck; coups of a shoe are correlated by the shoe's memory
    - `coups_per_day`: for a discount that is settled every day
    - `result`: the patron's actual net result
    - `among`: the number of trips like this one
    - `goal` and `bankroll`: the win and the loss at which the patron stops, both above 0

    Raises `InputError` for numbers of coups or trips out of range, for a result that is not a finite number, and for a
    goal or bankroll that is not above 0. Raises it too for stakes that pay the same on every coup, and for a discount
    per day if `coups_per_day` is not given.

    >>> from fractions import Fraction
    >>> from counting import load_game
    >>> from counting.trips import Plays, Stake, Trip
    >>> plays = Plays(load_game("punto-banco"), (Stake("banker-5", Fraction(30_000)),), 8)
    >>> trip = Trip(plays, 900, result=Fraction(2_300_000))
    >>> unusual = trip.unusual
    >>> assert unusual is not None  # as a result is given
    >>> round(trip.theoretical_win), round(unusual.p_at_end, 6), round(unusual.p_ever, 6)
    (285635, 0.000965, 0.002029)
    """

    plays: Plays
    coups: int
    coups_per_shoe: int = 0
    coups_per_day: int | None = None
    result: Fraction | None = None
    among: int | None = None
    goal: Fraction | None = None
    bankroll: Fraction | None = None
    discount: Discount | None = None

    def __post_init__(self) -> None:
        instance(self.plays, Plays, "plays", "Plays(load_game('punto-banco'), (Stake('player', Fraction(100)),), 8)")
        object.__setattr__(self, "coups", whole(self.coups, keyword("coups"), 1, MOST_COUPS))
        per_shoe, most = self.coups_per_shoe or _PER_DECK * self.plays.decks, MOST_COUPS_PER_DECK * self.plays.decks
        object.__setattr__(self, "coups_per_shoe", whole(per_shoe, keyword("coups_per_shoe"), 1, most))
        if self.coups_per_day is not None:
            object.__setattr__(
                self, "coups_per_day", whole(self.coups_per_day, keyword("coups_per_day"), 1, MOST_COUPS)
            )
        if self.among is not None:
            object.__setattr__(self, "among", whole(self.among, keyword("among"), 1, MOST_TRIPS))
        if self.result is not None:
            finite_real(self.result, keyword("result"))
        for name, stop in (("goal", self.goal), ("bankroll", self.bankroll)):
            if stop is not None:
                positive_real(stop, keyword(name))
        if self.discount is not None:
            instance(self.discount, Discount, keyword("discount"), "Discount((Tier(Fraction(1, 10)),))")
        if self.discount is not None and self.discount.settled == "day" and self.coups_per_day is None:
            raise InputError(f"{keyword('coups_per_day')}: missing, should be given for a discount per day")
        if not self.plays.coup.variance:
            raise InputError("bet: pays the same on every coup, should be a bet that wins or loses")

    @cached_property
    def walk(self) -> Walk:
        """The walk from which the distribution of the final result is computed."""
        return Walk.of(self.plays.coup.chances, self.coups, reach=None)

    @cached_property
    def path(self) -> Walk:
        """The walk from which events during the trip are computed, such as the loss of the bankroll."""
        places = [abs(amount) for amount in (self.result, self.goal, self.bankroll) if amount is not None]
        return Walk.of(self.plays.coup.chances, self.coups, max(places, default=Fraction()))

    @property
    def staked(self) -> float:
        return float(self.plays.coup.staked * self.coups)

    @property
    def theoretical_win(self) -> float:
        """The house's theoretical win, after a rolling-chip programme is paid."""
        return float(-self.plays.coup.mean * self.coups)

    @property
    def programme_cost(self) -> float:
        """What the programme pays on chips lost."""
        return float(self.plays.coup.lost * self.plays.dead_chips * self.coups)

    @cached_property
    def shoe_factor(self) -> float | None:
        """The factor by which the shoe's memory multiplies the standard deviation of the result. None if a bet depends
        on suits."""
        joined = covariance(self.plays.joint, np.array(self.plays.by_class), self.plays.decks)
        if joined is None:
            return None
        shoes, rest = divmod(self.coups, self.coups_per_shoe)
        pairs = shoes * self.coups_per_shoe * (self.coups_per_shoe - 1) + rest * (rest - 1)
        return sqrt(max(1 + pairs * joined / (self.coups * float(self.plays.coup.variance)), 0.0))

    @property
    def deviation_independent(self) -> float:
        """The standard deviation of the result if coups were independent."""
        return sqrt(float(self.plays.coup.variance * self.coups))

    @property
    def deviation(self) -> float:
        """The standard deviation of the result, with the shoe's memory if `shoe_factor` is known."""
        return self.deviation_independent * (1 if self.shoe_factor is None else self.shoe_factor)

    @cached_property
    def distribution(self) -> Distribution:
        return self.walk.after(self.coups)

    @cached_property
    def unusual(self) -> Unusual | None:
        """How unusual the result is. None if there is no result."""
        if self.result is None:
            return None
        z = (float(self.result) + self.theoretical_win) / self.deviation
        if z >= 0:
            at_end, ever = (of(self.result, self.coups) for of in (self.walk.at_least, self.path.ever_at_least))
        else:
            at_end, ever = (of(self.result, self.coups) for of in (self.walk.at_most, self.path.ever_at_most))
        among = None if self.among is None else -expm1(self.among * log1p(-at_end)) if at_end < 1 else 1.0
        return Unusual(z, at_end, ever, among, z >= 0)

    @cached_property
    def ends(self) -> Ends | None:
        """How the trip ends for a patron who stops at the goal, or once the bankroll is lost. None if there is
        neither."""
        if self.goal is None and self.bankroll is None:
            return None
        return self.path.ends(None if self.bankroll is None else -self.bankroll, self.goal, self.coups)

    @property
    def settlements(self) -> list[tuple[int, int]]:
        """The settlements of the discount: how many there are, and after how many coups each is. Whole shoes or days
        come first. Then comes a last, shorter settlement, if coups are left. Empty if there is no discount."""
        if self.discount is None:
            return []
        by = {"trip": self.coups, "day": self.coups_per_day, "shoe": self.coups_per_shoe}[self.discount.settled]
        assert by is not None
        number, rest = divmod(self.coups, by)
        return [(times, coups) for times, coups in ((number, by), (1, rest)) if times and coups]

    @cached_property
    def discount_cost(self) -> DiscountCost | None:
        """What the discount costs for a patron who plays all coups. None if there is no discount."""
        if self.discount is None:
            return None
        paid = self.discount.paid
        cost = sum(times * self.walk.after(coups).mean(paid) for times, coups in self.settlements)
        turns = self.theoretical_win / cost if cost > 0 and self.theoretical_win > 0 else None
        return DiscountCost(cost, turns if turns is not None and turns * float(self.discount.most) <= 1 else None)

    @cached_property
    def exits(self) -> BestExits | None:
        """The best exits of the first settlement; others of the same length have the same exits. None without a
        discount, or if the house has no theoretical win."""
        if self.discount is None or self.theoretical_win <= 0:
            return None
        return best_exits(self.path, self.discount, float(self.plays.coup.staked), self.settlements[0][1])

    @property
    def exact(self) -> bool:
        """Whether all amounts are multiples of one step that is not too small to compute with. If not, chances are
        approximate."""
        on_the_way = self.unusual is not None or self.ends is not None
        of_exits = self.exits is None or self.exits.exact
        return self.walk.exact and of_exits and (self.path.exact or not on_the_way)

    @cached_property
    def worthless_from(self) -> float | None:
        """The least threshold at which the discount gives the patron no edge, if its rate is paid only on the part of a
        loss above the threshold. None if the discount has several rates, or if `exits` is None."""
        if self.exits is None or self.discount is None or len(self.discount.tiers) > 1:
            return None
        return worthless_from(self.path, self.discount, float(self.plays.coup.staked), self.settlements[0][1])

    @cached_property
    def break_even(self) -> dict[str, Fraction]:
        """For each bet, the rate up to which a rebate on the net loss gives no edge to a patron who does not count.

        If there are several amounts on a bet, the rate is the least of the rates for these amounts."""
        rates: dict[str, Fraction] = {}
        for stake in self.plays.stakes:
            rate = self.plays.alone(stake).break_even
            rates[stake.bet] = min(rates.get(stake.bet, rate), rate)
        return rates
