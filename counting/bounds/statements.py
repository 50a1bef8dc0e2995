"""Statements on house rules: a bracket for all side bets at once, one for each side bet that can be made alone, and the
verdict on the bound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from counting.bounds.bounds import Bound, Per, Verdict
from counting.bounds.brackets import Bracket, bracket
from counting.bounds.confidence_limits import Limits, PlainShoes, least_bets, upper_limits, weighted_shoes
from counting.bounds.counter_models import joint_name
from counting.bounds.deciding import Gap, deciding_shoes
from counting.bounds.figures import Figure
from counting.bounds.frontiers import LEAST_SHOES, refuse_few
from counting.bounds.house_rules import HouseRules
from counting.bounds.means import Z99, Mean
from counting.bounds.pits import AN_HOUR, Pit
from counting.bounds.progress import WorkProgress, coup_cost, part_of
from counting.bounds.seats import Seat
from counting.bounds.uppers import Rebated
from counting.io.folders import Record
from counting.io.tables import as_json
from counting.simulation import Worth
from counting.sweep import Plan, Stakes
from counting.version import __version__

if TYPE_CHECKING:
    from counting.bounds.remedies import Remedy

MOST_TO_FIT = 15_000  # the most shoes that a policy is fitted to by default
MOST_TO_FIT_NET = 4_000  # the most with a rebate on losses
_SHOWN = {"title", "bound", "coups_per_hour", "hours", "tables"}  # keys that no figure of a shoe depends on
_COLUMNS = {Per.SHOE: "per_shoe", Per.COUPS: "per_100_coups", Per.HOUR: "money_per_hour"}


@dataclass(frozen=True)
class Statement:
    """A statement on house rules.

    - `brackets`: one for each side bet that can be made alone and, last, one for all side bets at once. If there is
      only one side bet, a single bracket serves as both. `judge` works out only the last bracket.
    - `alone`: for each main bet on which the shoes show too few bets, the limits for a bettor who makes only this bet,
      with one unit whenever its edge is positive. They are from weighted shoes or, if these show too few bets too, from
      a proven bound.
    - `remedies`: changes that would meet a bound that is not met, if they were worked out (`counting.bounds.remedies`)
    - `pit`: the hours and tables for which further figures are stated"""

    rules: HouseRules
    plan: Plan
    brackets: tuple[Bracket, ...] = field(repr=False)
    alone: Mapping[str, Limits] = field(default_factory=dict, repr=False)
    remedies: tuple[Remedy, ...] = field(default=(), repr=False)
    pit: Pit = AN_HOUR

    @property
    def bound(self) -> Bound | None:
        return self.rules.house.bound

    @property
    def judged(self) -> Bracket:
        """The bracket of the counter who may make all bets. The verdict on the bound is from this bracket."""
        return self.brackets[-1]

    @property
    def per(self) -> Per:
        """The unit of the verdict: the bound's unit. Without a bound, it is money per hour if there is a largest bet in
        money, otherwise units per shoe."""
        if self.bound:
            return self.bound.per
        return Per.SHOE if self.rules.stake is None else Per.HOUR

    def figure(self, bracket: Bracket, per: Per | None = None) -> Figure:
        """What counters win in a bracket, by default in the unit of the verdict."""
        lower, upper = self.means(bracket, per)
        return Figure.of_means(lower, upper, per or self.per, seen=bracket.exact)

    def means(self, bracket: Bracket, per: Per | None = None) -> tuple[Mean, Mean]:
        """The lower and the upper figure of a bracket, from its shoes.

        If these show too few bets, or too few shoes with a gain, the upper figure is from weighted shoes. The lower
        figure of an exact bracket is then from weighted shoes too. With a rebate on losses no weighted shoes are dealt,
        so the upper figure's error is NaN instead."""
        lower, upper = self.plain_means(bracket, per)
        if bracket.rare is not None:
            coups = 1.0 if (per or self.per) is Per.SHOE else bracket.per_shoe("coups")
            upper = _from_rare(bracket.rare).times(self._factor(per) / coups)
            lower = Mean(upper.value, upper.error, 0.0) if bracket.exact else lower
        elif bracket.few:  # with a rebate on losses there are no weighted shoes
            upper = Mean(upper.value, nan, nan)
        return lower, upper

    def plain_means(self, bracket: Bracket, per: Per | None = None) -> tuple[Mean, Mean]:
        """The two figures of a bracket from its plain shoes, however few bets these show."""
        if (per or self.per) is Per.SHOE:
            return bracket.lower, bracket.upper
        lower, upper = (bracket.per_coup(name).times(self._factor(per)) for name in ("lower", "upper"))
        return lower, upper

    def _factor(self, per: Per | None = None) -> float:
        """The number that turns units per coup into this unit. For `Per.SHOE` it is 1, because these figures are per
        shoe already."""
        factor = {Per.SHOE: 1.0, Per.COUPS: 100.0}.get(per or self.per)
        return float(self.rules.stake or 1) * float(self.rules.house.coups_per_hour) if factor is None else factor

    @cached_property
    def verdict(self) -> Verdict | None:
        if self.bound is None:
            return None
        figure = self.figure(self.judged)
        return Verdict.of(self.bound.amount, figure.lower.limit, figure.upper.limit)

    @property
    def deciding(self) -> int | Gap:
        """What would decide a bound that is UNDECIDED: a number of shoes, or the reason why no number is advised."""
        return deciding_shoes(self)

    @property
    def met(self) -> bool | None:
        """Whether the verdict is MET, with 99% confidence. None without a bound."""
        return None if self.verdict is None else self.verdict is Verdict.MET

    def limits(self, bracket: Bracket) -> dict[str, Any]:
        """The two figures of a bracket, their limits and their unit."""
        lower, upper = (figure := self.figure(bracket)).lower, figure.upper
        limits = {"lower": lower.value, "lower_99": lower.limit, "upper": upper.value, "upper_99": upper.limit}
        return {"unit": figure.per.unit} | limits

    @cached_property
    def sides(self) -> pl.DataFrame:
        """One row per bracket. It gives both figures and their limits in the `unit` of the verdict, and the figures
        with their errors in every unit. Figures in money are given only if there is a largest bet."""
        rows = []
        for of_bets in self.brackets:
            row: dict[str, Any] = {
                "bet": joint_name(of_bets.bets),
                "shoes": of_bets.dealt,
                "fitted": of_bets.fitted,
                "exact": of_bets.exact,
            }
            row |= self.limits(of_bets)
            for per, unit in _COLUMNS.items():
                if per is not Per.HOUR or self.rules.stake is not None:
                    row |= self.figure(of_bets, per).columns(unit)
            for column in ("coups", "played", "sides"):
                counts = Mean.of(of_bets.shoes[column].to_numpy())
                row |= {f"{column}_per_shoe": counts.value, f"{column}_per_shoe_se": counts.error}
            rows.append(row)
        return pl.DataFrame(rows)

    @cached_property
    def mains(self) -> pl.DataFrame:
        """For each main bet, a row: what a bettor wins who makes only this bet, with one unit whenever its edge is
        positive."""
        rows, coups = [], self.judged.per_shoe("coups")
        for bet in self.rules.main:
            alone = Mean.of(self.judged.shoes[f"alone-{bet}"].to_numpy())
            if bet in self.alone:
                alone = _from_rare(self.alone[bet])
            row = {"bet": bet} | alone.at_most.columns(Per.SHOE.unit)
            rows.append(row | {"units_per_100_coups_99": 100 * alone.below / coups})
        return pl.DataFrame(rows)


def statement_settings(rules: HouseRules, plan: Plan, fit: int | None) -> dict[str, Any]:
    """Everything that a statement's brackets depend on. Raises `InputError` for a plan of too few shoes."""
    refuse_few(plan)
    of_rules = rules.house.model_dump(mode="json", exclude_none=True, exclude=_SHOWN)
    of_rules["game"] = rules.game.digest
    return {**of_rules, "shoes": plan.shoes, "seed": plan.seed, "fit": fit, "version": __version__}


def state(
    rules: HouseRules,
    plan: Plan,
    folder: Path,
    progress: WorkProgress | None = None,
    *,
    fit: int | None = None,
    **playing: Any,
) -> Statement:
    """The statement on house rules. Its brackets are worked out in `folder/brackets`. The caller must have claimed
    `folder` with the `statement_settings`.

    If the seat must be held, a fifth of the plan's shoes are played, but at least 2,000. The policy is fitted to `fit`
    other shoes. By default `fit` is an eighth of the plan's shoes, but at least 500 and at most 15,000.

    With a rebate on losses a tenth of the plan's shoes are played. This tenth is divided by the number of
    `Seat.states`, if a policy must know how many coups were just skipped, and by the number of shoes over which a loss
    is added up. At least 2,000 shoes are played, or 2,000 groups of shoes if a loss is added up over several shoes. The
    default of `fit` is then at least 1,000 and at most 4,000."""
    together = dict.fromkeys((*((bet,) for bet in rules.side_bets if rules.holds_seat(bet)), rules.side_bets))
    places = [folder / "brackets" / str(i) for i in range(len(together))]

    costs = [coup_cost(rules.seat_with(side_bets)) for side_bets in together]
    brackets = [
        _bracket(rules, plan, side_bets, place, fit, progress=part_of(progress, number, costs), **playing)
        for number, (side_bets, place) in enumerate(zip(together, places, strict=True))
    ]
    brackets = [
        replace(of_bets, rare=_rare(of_bets, plan, place / "rare.json", playing))
        for of_bets, place in zip(brackets, places, strict=True)
    ]
    judged, alone = brackets[-1], {}
    for bet in rules.main:
        if judged.shoes[f"positive-{bet}"].sum() < least_bets(len(judged.shoes)):
            stakes = Stakes.of((), (bet,), least_main=Fraction(1), most_main=Fraction(1))
            file = places[-1] / f"alone-{bet}.json"
            alone[bet] = _limits_of(Rebated(stakes, judged.seat.rebate), judged, plan, file, playing)
    return Statement(rules, plan, tuple(brackets), alone, pit=rules.pit)


def judge(
    rules: HouseRules, plan: Plan, place: Path | None = None, *, fit: int | None = None, **playing: Any
) -> Statement:
    """The statement that `state` gives, but with the judged bracket only, without the limits for single main bets and
    without the pit. The bracket is kept in the folder `place`, if it is given."""
    judged = _bracket(rules, plan, rules.side_bets, place, fit, **playing)
    return Statement(rules, plan, (replace(judged, rare=_rare(judged, plan, place and place / "rare.json", playing)),))


def _bracket(
    rules: HouseRules, plan: Plan, side_bets: tuple[str, ...], place: Path | None, fit: int | None, **playing: Any
) -> Bracket:
    """The bracket of these side bets, without limits from weighted shoes."""
    seat = rules.seat_with(side_bets)
    if place is not None:
        place.parent.mkdir(exist_ok=True)
    played, fitted = _sizes(seat, plan, fit) if seat.hangs_together else (plan.shoes, None)
    return bracket(seat, played, plan.seed, place, stand=rules.house.stand, fitted=fitted, **playing)


def _sizes(seat: Seat, plan: Plan, fit: int | None) -> tuple[int, int]:
    """Two numbers: how many shoes are played, and how many other shoes the policy is fitted to. If a loss is added up
    over several shoes, the first is the number of groups of shoes."""
    share, least, most = 5, 500, MOST_TO_FIT
    if seat.loss_rebate:
        share, least, most = 10 * seat.loss_over * seat.states, 1000, MOST_TO_FIT_NET
    played = max(plan.shoes // share, min(plan.shoes, LEAST_SHOES))
    return played, min(max(plan.shoes // 8, least), most) if fit is None else fit


def _rare(bracket: Bracket, plan: Plan, file: Path | None, playing: Mapping[str, Any]) -> Limits | None:
    """The limits of the counter who may skip any coup (`_limits_of`). No other counter wins more.

    None if the limit of the bracket's upper figure holds (`Bracket.few` is false), or if there is a rebate on
    losses."""
    seat = bracket.seat
    if not bracket.few or seat.loss_rebate:
        return None
    worth = Rebated(seat.stakes, seat.rebate)
    return _limits_of(worth, bracket, plan, file, playing)


def _from_rare(rare: Limits) -> Mean:
    """The gain of these limits at their single cut, as a mean with the same upper limit."""
    gain, error, limit = (float(column[0]) for column in rare.estimate)
    return Mean(gain, error, limit - gain - Z99 * error)


def _limits_of(worth: Worth, bracket: Bracket, plan: Plan, file: Path | None, playing: Mapping[str, Any]) -> Limits:
    """Limits from weighted shoes or, if these show too few bets too, from a proven bound, at the cut of the bracket. A
    `file` keeps them for the next time."""
    record = None if file is None else Record(file.parent)
    if record and file and (content := record.read(file.name)) is not None:
        return Limits.from_dict(json.loads(content))
    zero, shoes = np.zeros(1), len(bracket.shoes)
    cut, coups = np.array([bracket.seat.dealing.cut]), np.array([bracket.per_shoe("coups")])
    plain = PlainShoes(cut, shoes, shoes, coups, zero, zero, zero)
    workers = playing.get("workers")
    limits = upper_limits(
        plan.game, bracket.seat.dealing, worth, plain,
        shoes=weighted_shoes(plan.shoes), seed=plan.seed, workers=workers,
    )  # fmt: skip
    if record and file:
        record.write(file.name, as_json(limits.to_dict()).encode())
    return limits
