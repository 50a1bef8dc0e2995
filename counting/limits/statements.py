"""What a statement on house rules states: a bracket of each side bet and of all, and the verdict on the bound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.io.folders import Record
from counting.io.tables import as_json
from counting.limits.bounds import Bound, Verdict
from counting.limits.brackets import Bracket, bracket
from counting.limits.confidence_limits import Limits, Plain, least_bets, upper_limits
from counting.limits.frontiers import LEAST_SHOES, Rebated, refuse_few
from counting.limits.house_rules import Rules
from counting.limits.means import Z99, Mean
from counting.limits.terms import joint_name
from counting.simulation import Worth
from counting.sweep import Plan, Progress, Stakes
from counting.version import __version__

MOST_TO_FIT = 15_000


@dataclass(frozen=True)
class Statement:
    """What is stated: a bracket for each side bet by itself that can be made so, and last, where there are several, for
    all at once; and where bets are `rare` the limits from weighted shoes, by name of the bracket or main bet."""

    rules: Rules
    plan: Plan
    brackets: Mapping[str, Bracket] = field(repr=False)
    rare: Mapping[str, Limits] = field(default_factory=dict, repr=False)

    @property
    def bound(self) -> Bound | None:
        return Bound.parse(self.rules.house.bound) if self.rules.house.bound else None

    @property
    def judged(self) -> Bracket:
        """What the bound is held against: the counter who may make all bets."""
        return list(self.brackets.values())[-1]

    @property
    def per(self) -> str:
        """The unit of the verdict: the bound's own, money per hour, or units per shoe."""
        if self.bound:
            return self.bound.per
        return "shoe" if self.rules.stake is None else "hour"

    def figures(self, one: Bracket, per: str = "") -> tuple[Mean, Mean]:
        """The lower and the upper figure per shoe, per 100 coups, or in money per hour."""
        per = per or self.per
        factor = {"shoe": 1.0, "100-coups": 100.0}.get(per)
        if factor is None:
            factor = float(self.rules.stake or 1) * self.rules.house.per_hour
        if per == "shoe":
            lower, upper = one.lower, one.upper
        else:
            lower, upper = (one.per_coup(name).times(factor) for name in ("lower", "upper"))
        rare = next((self.rare.get(name) for name, other in self.brackets.items() if other is one), None)
        if rare is not None:
            upper = _from_rare(rare).times(factor / (1.0 if per == "shoe" else one.per_shoe("coups")))
            lower = Mean(upper.value, upper.error, 0.0) if one.exact else lower
        elif one.few:  # with a rebate on losses: nothing is known of bets too rare to be seen
            upper = Mean(upper.value, nan, nan)
        return lower, upper

    @cached_property
    def verdict(self) -> Verdict | None:
        if self.bound is None:
            return None
        lower, upper = self.figures(self.judged)
        return Verdict.of(self.bound.amount, lower.above, upper.below)

    @property
    def met(self) -> bool | None:
        """Whether the bound is met, with 99% confidence."""
        return None if self.verdict is None else self.verdict is Verdict.MET

    @cached_property
    def sides(self) -> pl.DataFrame:
        """A row for each bracket: both figures with errors and limits, in every unit."""
        rows = []
        for name, one in self.brackets.items():
            row: dict[str, Any] = {"bet": name, "shoes": len(one.shoes), "fitted": one.fitted, "exact": one.exact}
            units = {"shoe": "per_shoe", "100-coups": "per_100_coups"}
            if self.rules.stake is not None:
                units["hour"] = "money_per_hour"
            for per, unit in units.items():
                lower, upper = self.figures(one, per)
                row |= {f"lower_{unit}": lower.value, f"lower_{unit}_se": lower.error, f"lower_{unit}_99": lower.above}
                row |= {f"upper_{unit}": upper.value, f"upper_{unit}_se": upper.error, f"upper_{unit}_99": upper.below}
            for column in ("coups", "played", "sides"):
                counts = Mean.of(one.shoes[column].to_numpy())
                row |= {f"{column}_per_shoe": counts.value, f"{column}_per_shoe_se": counts.error}
            rows.append(row)
        return pl.DataFrame(rows)

    @cached_property
    def mains(self) -> pl.DataFrame:
        """What each main bet wins by itself, a unit whenever its edge is positive: a row a main bet."""
        rows, coups = [], self.judged.per_shoe("coups")
        for bet in self.rules.main:
            alone = Mean.of(self.judged.shoes[f"alone-{bet}"].to_numpy())
            if (rare := self.rare.get(f"alone-{bet}")) is not None:
                alone = _from_rare(rare)
            row = {"bet": bet, "units_per_shoe": alone.value, "units_per_shoe_se": alone.error}
            rows.append(row | {"units_per_shoe_99": alone.below, "units_per_100_coups_99": 100 * alone.below / coups})
        return pl.DataFrame(rows)


def statement_settings(rules: Rules, plan: Plan, fit: int | None) -> dict[str, Any]:
    """All that sets the brackets of a statement. Raises `InputError` for a plan of too few shoes."""
    refuse_few(plan)
    of_rules = rules.house.model_dump(mode="json", exclude_none=True, exclude={"title", "bound", "coups_per_hour"})
    of_rules["game"] = rules.game.digest
    return {**of_rules, "shoes": plan.shoes, "seed": plan.seed, "fit": fit, "version": __version__}


def state(
    rules: Rules, plan: Plan, folder: Path, progress: Progress | None = None, *, fit: int | None = None, **playing: Any
) -> Statement:
    """Work the brackets out in `folder/brackets`; `folder` was claimed with the `settings`.

    Where the seat must be held, a fifth of the shoes are played, and `fit` shoes fitted to, by default an eighth of
    them, 15,000 at most.
    """
    names: dict[str, tuple[str, ...]] = {bet: (bet,) for bet in rules.side_bets if rules.holds_seat(bet)}
    names |= {joint_name(rules.side_bets): rules.side_bets}
    brackets = {}
    for i, (name, side_bets) in enumerate(names.items()):
        seat = rules.seat_with(side_bets)
        played, fitted = plan.shoes, None
        if seat.hangs_together:
            played = max(plan.shoes // 5, min(plan.shoes, LEAST_SHOES))
            fitted = min(max(plan.shoes // 8, 500), MOST_TO_FIT) if fit is None else fit
        own = folder / "brackets" / str(i)
        own.parent.mkdir(exist_ok=True)
        brackets[name] = bracket(
            seat, played, plan.seed, own, stand=rules.house.stand, fitted=fitted, progress=progress, **playing
        )
    rare = {}
    for i, (name, one) in enumerate(brackets.items()):
        kept = folder / "brackets" / str(i) / "rare.json"
        if (limits := _rare(one, plan, kept, playing)) is not None:
            rare[name] = limits
    judged = list(brackets.values())[-1]
    for bet in rules.main:
        if judged.shoes[f"positive-{bet}"].sum() < least_bets(len(judged.shoes)):
            stakes = Stakes.of((), (bet,), least_main=Fraction(1), most_main=Fraction(1))
            own = folder / "brackets" / str(len(brackets) - 1) / f"alone-{bet}.json"
            rare[f"alone-{bet}"] = _limits_of(Rebated(stakes, judged.seat.rebate), judged, plan, own, playing)
    return Statement(rules, plan, brackets, rare)


def _rare(one: Bracket, plan: Plan, kept: Path, playing: Mapping[str, Any]) -> Limits | None:
    """Where too few coups had a bet, the limits from weighted shoes of the counter who may skip any coup: no other wins
    more. None with a rebate on a shoe's loss."""
    seat = one.seat
    if not one.few or seat.loss_rebate:
        return None
    worth = Rebated(seat.stakes, seat.rebate)
    return _limits_of(worth, one, plan, kept, playing)


def _from_rare(rare: Limits) -> Mean:
    """Their figure at the one cut, with their own upper limit."""
    gain, error, limit = (float(of[0]) for of in (rare.gain, rare.gain_se, rare.upper))
    return Mean(gain, error, limit - gain - Z99 * error)


def _limits_of(worth: Worth, one: Bracket, plan: Plan, kept: Path, playing: Mapping[str, Any]) -> Limits:
    """Limits from weighted shoes, the shoes of the bracket showing too few bets; kept for the next time."""
    record = Record(kept.parent)
    if (content := record.read(kept.name)) is not None:
        return Limits.from_dict(json.loads(content))
    none = np.zeros(1)
    cut, coups = np.array([one.seat.dealing.cut]), np.array([one.per_shoe("coups")])
    plain = Plain(cut, len(one.shoes), len(one.shoes), coups, none, none, none)
    workers = playing.get("workers")
    found = upper_limits(plan.game, one.seat.dealing, worth, plain, seed=plan.seed, workers=workers)
    record.write(kept.name, as_json(found.to_dict()).encode())
    return found
