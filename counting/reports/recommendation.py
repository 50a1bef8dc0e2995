"""The recommendation on a bet: the cut card, the largest bet, and whether to forbid mid-shoe entry.

It follows from limits on what counters win (`counting.bounds`), on the sweep's own shoes. For each cut, there is a
limit for the perfect counter who may skip any coup. A ban on mid-shoe entry has its own limit, for a counter who must
bet on every coup until leaving. This limit comes from a bracket, which is a lower and an upper estimate.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from counting.analysis import perfect_totals
from counting.arrays import Floats, Ints
from counting.bounds import (
    AN_HOUR,
    LEAST_SHOES,
    Bound,
    Estimate,
    Figure,
    Limits,
    Per,
    Pit,
    PlainShoes,
    Rebated,
    Seat,
    Verdict,
    bracket,
    rounded_down,
    student_99,
    upper_limits,
)
from counting.cards import DECK
from counting.reports.numbers import at_most, unrounded
from counting.reports.verdicts import behind, unit_after, winnings
from counting.sweep import Plan, Stakes, Sweep, TableLimits

TEN_PER_HOUR = Bound(10.0, Per.HOUR)
_WEIGHTED = 5_000  # shoes by importance sampling, if the sweep's shoes show too few bets
_IN_BRACKET = 1_000  # shoes on which the bracket is measured
_FITTED = 200  # further shoes, to which the play is fitted; more shoes give closer limits, but take much longer


@dataclass(frozen=True)
class AssumedTable:
    """The table for which money is worked out. `stake`: the money on each bet. `bound`: the most that a counter may
    win. `pit`: the hours and tables."""

    stake: Fraction = Fraction(100)
    coups_per_hour: float = 70.0
    bound: Bound = TEN_PER_HOUR
    pit: Pit = AN_HOUR

    @property
    def per_100_coups(self) -> float:
        """What a win of one unit per 100 coups is in money per hour."""
        return float(self.stake) * self.coups_per_hour / 100

    def in_units_of_the_bound(self, per_shoe: Any, coups: Any) -> Any:
        """Convert wins from units per shoe to the bound's unit. `coups`: the number of coups per shoe."""
        if self.bound.per is Per.SHOE:
            return per_shoe
        return (self.per_100_coups if self.bound.per is Per.HOUR else 1) * 100 * per_shoe / coups

    @property
    def words(self) -> str:
        """The bound in words."""
        return f"{unrounded(self.bound.amount)} {unit_after(self.bound.amount, self.bound.per)}"


@dataclass(frozen=True)
class Recommendation:
    """What keeps the best counter under the bound. Wins are in the bound's unit.

    - `gain`: the win of the perfect counter who may skip any coup, at the cut in force; `least` and `limit`: its 99%
      limits.
    - `new_cut`: the least cut that meets the bound; the limit is below the bound at all cuts from this one to
      `last_cut`. None if there is no such cut.
    - `most_bet`: the largest stake that meets a bound in money, if no other rule changes; None for a bound in units,
      and if the upper limit is infinite or not above 0.
    - `entry_limit`: the upper 99% limit without mid-shoe entry, for a counter who bets on every coup until leaving;
      None if the game has no main bet.
    - `how`: a sentence on how the upper limits were worked out.
    """

    table: AssumedTable
    cut: int
    gain: float
    least: float
    limit: float
    verdict: Verdict
    last_cut: int
    new_cut: int | None
    new_limit: float | None
    coups_lost: float | None
    most_bet: float | None
    entry_limit: float | None
    entry_shoes: int
    how: str

    def to_dict(self) -> dict[str, Any]:
        """The recommendation as plain data, for the page's JSON file."""
        return {
            "stake": float(self.table.stake),
            "coups_per_hour": self.table.coups_per_hour,
            "bound": str(self.table.bound),
            "verdict": self.verdict.value,
            "gain": self.gain,
            "least": self.least,
            "limit": self.limit,
            "cut": self.cut,
            "last_cut": self.last_cut,
            "new_cut": self.new_cut,
            "new_limit": self.new_limit,
            "coups_lost_per_shoe": self.coups_lost,
            "most_side_bet": self.most_bet,
            "no_entry_limit": self.entry_limit,
            "no_entry_shoes": self.entry_shoes,
            "upper_limits": self.how,
        }


def recommend(sweep: Sweep, table: AssumedTable, workers: int | None = None) -> Recommendation | None:
    """The recommendation from a finished sweep of one bet; None if the sweep has too few shoes for an upper limit."""
    plan = sweep.plan
    if plan.shoes < LEAST_SHOES:
        return None
    limits = limits_by_cut(sweep, workers)
    upper = table.in_units_of_the_bound(limits.upper, limits.coups)
    at_cut = Estimate(limits.gain[0], limits.gain_se[0], limits.upper[0])
    figure = Figure.of_best(at_cut, student_99(plan.blocks), True).converted(
        table.bound.per, lambda per_shoe: float(table.in_units_of_the_bound(per_shoe, limits.coups[0]))
    )
    place = least_cut(upper, table.bound)
    met = None if place is None else int(limits.cuts[place])
    entry, shoes = entry_limit(plan, table, workers)
    return Recommendation(
        table=table,
        cut=plan.dealing.cut,
        gain=figure.lower.value,
        least=figure.lower.limit,
        limit=figure.upper.limit,
        verdict=Verdict.of(table.bound.amount, figure.lower.limit, figure.upper.limit),
        last_cut=int(limits.cuts[-1]),
        new_cut=met,
        new_limit=None if place is None else float(upper[place]),
        coups_lost=None if place is None else float(limits.coups[0] - limits.coups[place]),
        most_bet=most_bet(table, figure.upper.limit),
        entry_limit=entry,
        entry_shoes=shoes,
        how=limits.how,
    )


def limits_by_cut(sweep: Sweep, workers: int | None = None) -> Limits:
    """The perfect counter's limits, in units per shoe. There is a limit for each cut that leaves at most half of the
    shoe behind the cut card, and at which the sweep has enough bets. If there are too few bets even at the cut in
    force, there is a limit for this cut only, from importance sampling."""
    plan, sums = sweep.plan, perfect_totals(sweep)
    gain, error = sums.per_shoe
    plain = PlainShoes(
        sums.cuts, sums.shoes, sums.parts, sums.coups_per_shoe,
        sums.sums[0, :, 0].astype(float), gain[0], error[0],
    )  # fmt: skip
    known = int((~plain.few & (plain.cuts <= DECK * plan.dealing.decks // 2)).sum())
    kept = slice(max(known, 1))
    shown = PlainShoes(
        plain.cuts[kept], plain.shoes, plain.parts, plain.coups[kept], plain.bets[kept], plain.gain[kept],
        plain.gain_se[kept],
    )  # fmt: skip
    worth = Rebated(Stakes.of(plan.bets, ()), 0.0)
    return upper_limits(plan.game, plan.dealing, worth, shown, _WEIGHTED, plan.seed, workers)


def least_cut(upper: Floats, bound: Bound) -> int | None:
    """The index of the least cut such that its upper limit, and the upper limits of all larger cuts, are below the
    bound; None if the limit of the last cut is not below the bound.

    Cuts are tested in a fixed sequence, from the last cut down, until a limit is not below the bound. So all statements
    that a win is below the bound hold together with the confidence of a single statement.
    """
    not_met: Ints = np.flatnonzero(~(upper < bound.amount))
    place = int(not_met[-1]) + 1 if len(not_met) else 0
    return place if place < len(upper) else None


def most_bet(table: AssumedTable, limit: float) -> float | None:
    """The largest stake that meets a bound per hour. `limit`: the upper limit with the table's stake. None for a bound
    in units, and if the limit is infinite or not above 0."""
    if table.bound.per is not Per.HOUR or not 0 < limit < inf:
        return None
    return float(table.stake) * table.bound.amount / limit


def entry_limit(plan: Plan, table: AssumedTable, workers: int | None = None) -> tuple[float | None, int]:
    """Two results: the upper 99% limit without mid-shoe entry, with main bets included, and the number of shoes behind
    this limit.

    The counter bets one unit on every coup, on the side bet or on a main bet, until leaving for the rest of the shoe.
    The limit is infinite if the shoes show too few bets, and None if the game has no main bets.
    """
    mains = plan.game.mains()
    if not mains:
        return None, 0
    stakes = TableLimits().stakes(plan.bets, mains, None, Fraction(1))
    seat = Seat(plan.game, plan.dealing, stakes, 0)
    shoes = min(plan.shoes, _IN_BRACKET)
    played = bracket(seat, shoes, plan.seed, fitted=_FITTED, workers=workers)
    if played.few:
        return inf, shoes
    if table.bound.per is Per.SHOE:
        return played.upper.below, shoes
    return float(table.in_units_of_the_bound(played.per_coup("upper").below, 1)), shoes


def verdict(advice: Recommendation) -> str:
    """A sentence with the verdict on the table as it is."""
    table, bound = advice.table, advice.table.bound
    pace = f" at {unrounded(table.coups_per_hour)} coups per hour" if bound.per is Per.HOUR else ""
    won = winnings(
        advice.least, advice.limit, bound.per.words, bound.amount,
        met=advice.verdict is Verdict.MET, counter="the perfect counter", others="no counter of this bet",
    )  # fmt: skip
    return (
        f"{advice.verdict.value}. With {behind(advice.cut)} and bets of {unrounded(float(table.stake))}{pace}, {won}. "
        f"The limit is {table.words}.{_met_up_to(advice)}"
    )


def _met_up_to(advice: Recommendation) -> str:
    if advice.most_bet is None or advice.verdict is Verdict.MET:
        return ""
    return f" It is met with bets of up to {unrounded(rounded_down(advice.most_bet))}."


def rows(recommendation: Recommendation) -> list[tuple[str, str]]:
    """The recommendation in sentences: cut card, largest bet, mid-shoe entry."""
    return [
        ("cut card", _cut_card(recommendation)),
        *([("largest bet", _largest_bet(recommendation))] if recommendation.table.bound.per is Per.HOUR else []),
        ("mid-shoe entry", _entry(recommendation)),
        ("how the bounds were worked out", recommendation.how),
    ]


def _cut_card(advice: Recommendation) -> str:
    words, stake = advice.table.words, f"bets of {unrounded(float(advice.table.stake))}"
    if advice.new_cut is None:
        return (
            f"No cut card compared meets the limit. Even with {behind(advice.last_cut)}, the most that were compared, "
            f"the upper bound is not below {words} with {stake}."
        )
    if advice.new_cut == advice.cut:
        up_to = f"With {advice.new_cut} to {behind(advice.last_cut)}, the most that were compared"
        if advice.new_cut == advice.last_cut:
            up_to = f"With {behind(advice.last_cut)}"
        return f"No change is needed. {up_to}, no counter wins {words} or more with {stake}."
    assert advice.new_limit is not None
    limit = at_most(advice.new_limit, advice.table.bound.amount)
    more = "" if advice.new_cut == advice.last_cut else f" or more (up to {advice.last_cut} were compared)"
    return (
        f"Place {behind(advice.new_cut)}, instead of {advice.cut}. With {advice.new_cut} cards{more}, no counter wins "
        f"{words} or more with {stake}. With {advice.new_cut} cards, counters win at most {limit}. This change costs "
        f"{advice.coups_lost:.1f} coups per shoe."
    )


def _largest_bet(advice: Recommendation) -> str:
    if advice.most_bet is None:
        return "Bets of any size, because no counter wins anything." if advice.limit <= 0 else "Not known."
    return (
        f"Up to {unrounded(rounded_down(advice.most_bet))}. With bets of up to this amount and {behind(advice.cut)}, "
        f"no counter wins {advice.table.words} or more."
    )


def _entry(advice: Recommendation) -> str:
    """A sentence on what a counter can still win if mid-shoe entry is forbidden."""
    line = "A ban on mid-shoe entry costs nothing to a counter who may stay at the table without a bet."
    if advice.entry_limit is None:
        return line
    rule = (
        "Suppose instead that the counter must hold the seat on every coup, by this bet or by the same amount on the "
        "main bets, until leaving for the rest of the shoe."
    )
    if advice.entry_limit >= advice.limit:
        return f"{line} {rule} The {advice.entry_shoes:,} shoes played do not show that this lowers what counters win."
    limit = at_most(advice.entry_limit, advice.table.bound.amount)
    verdict = "The limit is met" if advice.entry_limit < advice.table.bound.amount else "This is not below the limit"
    return (
        f"{line} {rule} Then no counter wins more than {limit} {advice.table.bound.per.words} at this table, including "
        f"wins on main bets of up to the same amount (99% confidence, from {advice.entry_shoes:,} shoes). {verdict}."
    )
