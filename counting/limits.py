"""Limits: which cut card, tie-in and largest bet keep what a counter wins under a bound.

Every counter and rule asked for is a bettor of one sweep (`bettors`), and the sweep has every cut. A bound counts as
met when the upper 99% limit of the gain is below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import product
from math import log
from typing import Any, Literal

import numpy as np
import polars as pl

from counting.bettors import MOST_UNITS, Bettor
from counting.errors import InputError, number
from counting.frames import BETTORS
from counting.penetration import Ints, Totals, add_up, places, sums_by_cut
from counting.plan import Plan
from counting.swept import Sweep
from counting.systems import PERFECT, System

Per = Literal["shoe", "100-coups", "hour"]

_LEAVES = "-0.2"  # a counter's edge on the side bet at which the rest of the shoe seldom pays for waiting
_IN_MONEY = ("most_bet", "stake")
_KEYS = {
    "bet": pl.String, "counter": pl.String, "model": pl.String, "tie_in": pl.Float64, "tied": pl.Float64,
    "most_bet": pl.Float64, "stake": pl.Float64, "by_minimum": pl.Boolean,
}  # fmt: skip
LEAST_SHOES = 2000  # ten parts: Student's quantile below is then right to a hundredth
_Z99 = 2.3263478740408408
_NONE_SEEN = log(100)  # of events of which none was seen, there are fewer than so many with 99% confidence


@dataclass(frozen=True)
class Bound:
    """The most that a counter may win: units a shoe or per 100 coups, or money an hour."""

    amount: float
    per: Per

    @classmethod
    def parse(cls, text: str) -> Bound:
        """Read `0.05/shoe`, `0.1/100-coups` or `25/hour`."""
        match = re.fullmatch(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*/\s*(shoe|100-coups|hour)\s*", text)
        if not match:
            raise InputError(f"bound: {text!r}, should be an amount a shoe, per 100 coups or, in money, an hour: "
                             "0.05/shoe, 0.1/100-coups, 25/hour")  # fmt: skip
        return cls(float(match[1]), match[2])  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.amount:g}/{self.per}"

    @property
    def judges(self) -> str:
        """The column of a frontier that must be below it (see `judged`)."""
        columns = {"shoe": "units_per_shoe_99", "100-coups": "units_per_100_coups_99", "hour": "money_per_hour_99"}
        return columns[self.per]


class Verdict(Enum):
    """Whether a bound on what a counter wins is met: by all, not by one, or not known."""

    MET = "MET"
    NOT_MET = "NOT MET"
    UNDECIDED = "UNDECIDED"

    @classmethod
    def of(cls, bound: float, lower: float, upper: float) -> Verdict:
        """From a limit that some counter's gain is above, and one that no counter's gain is above, each with 99%
        confidence."""
        if upper < bound:
            return cls.MET
        return cls.NOT_MET if lower > bound else cls.UNDECIDED


_LEAVING = r"(?:@(-(?:1|0(?:\.[0-9]{1,6})?)))?"
_MODEL = re.compile(
    rf"(?:(sit-out)|no-entry{_LEAVING}|(?:play-all|skip-([0-9]{{1,3}}))"
    rf"(?::(minimum|[0-9]{{1,4}}(?:\.[0-9]{{1,6}})?))?{_LEAVING})"
)


@dataclass(frozen=True)
class Model:
    """How a counter goes about it: how many coups in a row he may skip, and what he has on main bets meanwhile.

    `skips` None: any number, he sits out. `idle` None: the tie-in, or where there is none the table's minimum;
    "minimum": the table's minimum. `leaves`: nobody enters in
    mid-shoe, and he leaves for the rest of it when the best side bet's edge is at or below that.
    """

    name: str
    skips: int | None
    idle: Fraction | Literal["minimum"] | None = None
    leaves: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Model:
        """Read `sit-out`, `play-all`, `play-all:1` (one unit on main bets on other coups), `play-all:minimum`,
        `skip-3`, `skip-3:1`, `skip-3:minimum@-0.2` (who leaves), `no-entry`, `no-entry@-0.3` (play-all who leaves)."""
        match = _MODEL.fullmatch(text)
        if not match:
            raise InputError(
                f"model {text!r}: should be sit-out, play-all, skip-3 who skips at most three coups in a row, or "
                "no-entry who plays all coups till he leaves, with no-entry@-0.3 at an edge of -30%; with play-all:1 "
                "or skip-3:1 he has one unit on a main bet meanwhile, with play-all:minimum the table's minimum, "
                "else the tie-in"
            )
        sits, gone, skips, idle, leaves = match.groups()
        if text.startswith("no-entry"):
            return cls(text, 0, None, Fraction(gone or _LEAVES))
        units: Any = idle if idle in (None, "minimum") else number(idle, f"model {text}: units", MOST_UNITS)
        return cls(text, None if sits else int(skips or 0), units, Fraction(leaves) if leaves else None)


MODELS = tuple(map(Model.parse, ("sit-out", "play-all", "play-all:1")))


@dataclass(frozen=True)
class Table:
    """What a table allows beside the tie-in, in money: main bets from `minimum` to `maximum`, a side bet at most
    `side_share` times the main bets, and, where one is `main_needed`, no side bet without a main bet."""

    minimum: Fraction = Fraction()
    maximum: Fraction | None = None
    side_share: Fraction | None = None
    main_needed: bool = False

    def in_units(self, most_bet: Fraction | None, tie_in: Fraction) -> tuple[Fraction | None, Fraction, bool]:
        """The largest side bet, in money (None: any); the units that must stand on a main bet with each unit of it; and
        whether it is the minimum that sets them. To a side bet as large as one likes no minimum matters.
        """
        if self.side_share is not None:
            tie_in = max(tie_in, 1 / self.side_share)
        if not tie_in and not self.main_needed:
            return most_bet, tie_in, False
        stake = most_bet
        if self.maximum is not None and tie_in:
            stake = self.maximum / tie_in if most_bet is None else min(most_bet, self.maximum / tie_in)
        least = self.least(stake)
        return stake, max(tie_in, least), least > tie_in

    def least(self, stake: Fraction | None) -> Fraction:
        """The minimum in units of a side bet."""
        return Fraction() if stake is None else self.minimum / stake


@dataclass(frozen=True)
class Rule:
    """A row of a frontier but for its cut: a counter against a rule.

    `most_bet` is the largest side bet in money (None: any), `stake` the one he makes: less where the tie-in of it would
    pass the table's maximum. `tied` units stand on a main bet with each unit. `by_minimum`: these, or those on the
    other coups, are the table's minimum, so that they are others with another stake.
    """

    bet: str
    counter: str
    model: Model
    tie_in: Fraction
    most_bet: Fraction | None
    stake: Fraction | None
    tied: Fraction
    by_minimum: bool


@dataclass(frozen=True)
class Terms:
    """What is asked: of each side bet, or of all `together` under one tie-in, against which counters and models, for
    which tie-ins and largest side bets (money; None: any), at which table.

    Counters are the perfect one and those with a system, who miss the share `missed` of the cards; a system's counter
    has the first of `main`, with a side bet `main_on_count` where that is given. No system's counter plays `no-entry`.
    """

    bets: tuple[str, ...]
    main: tuple[str, ...]
    tie_ins: tuple[Fraction, ...]
    models: tuple[Model, ...] = MODELS
    together: bool = False
    most_bets: tuple[Fraction | None, ...] = (None,)
    table: Table = Table()
    systems: tuple[System, ...] = ()
    missed: Fraction = Fraction()
    main_on_count: str | None = None
    rebate: Fraction = Fraction()
    loss_rebate: Fraction = Fraction()
    stand: bool = False

    def __post_init__(self) -> None:
        for name in ("missed", "main_on_count"):
            if getattr(self, name) and not self.systems:
                raise InputError(f"{name.replace('_', ' ')}: {getattr(self, name)}, should be of one who has a system")
        for system in self.systems:
            if not any(system.name in self._counting(sides) for sides in self._sides):
                raise InputError(
                    f"system {system.name}: counts for {', '.join(system.bets or ())}, should for "
                    f"{' and '.join(self.bets) if self.together else ' or '.join(self.bets)}"
                )

    @property
    def _sides(self) -> list[tuple[str, ...]]:
        return [self.bets] if self.together else [(bet,) for bet in self.bets]

    def _counting(self, sides: Sequence[str]) -> list[str]:
        return [s.name for s in self.systems if s.bets is None or set(sides) <= {*s.bets}]

    def rules(self) -> Iterator[tuple[Rule, Bettor]]:
        """One for each side bet, counter, model, tie-in and largest side bet; equal bettors have equal names."""
        for sides in self._sides:
            for system, model in product((None, *self._counting(sides)), self.models):
                if system is None or model.leaves is None:
                    for tie_in, most_bet in product(self.tie_ins, self.most_bets):
                        yield self._rule(sides, system, model, tie_in, most_bet)

    def _rule(
        self, sides: tuple[str, ...], system: str | None, model: Model, tie_in: Fraction, most_bet: Fraction | None
    ) -> tuple[Rule, Bettor]:
        stake, tied, by_minimum = self.table.in_units(most_bet, tie_in)
        least = self.table.least(stake)
        idle = least if model.idle == "minimum" else model.idle
        if idle is None and not tied and model.skips is not None:
            idle = least  # with nothing tied in, a main bet is kept up at the minimum
        by_minimum = by_minimum or bool(least and idle == least and model.skips is not None)
        counter = system or PERFECT
        if system and self.missed:
            counter += f", misses {100 * float(self.missed):g}%"
        bettor = Bettor(
            " ".join(["+".join(sides), counter, model.name, str(tied), *([] if idle is None else [str(idle)])]),
            sides,
            tied,
            self.main,
            model.skips,
            idle,
            self.rebate,
            self.stand,
            system,
            model.leaves,
            self.loss_rebate,
            self.missed if system else Fraction(),
            self.main_on_count if system else None,
        )
        return Rule(" + ".join(sides), counter, model, tie_in, most_bet, stake, tied, by_minimum), bettor

    @property
    def bettors(self) -> tuple[Bettor, ...]:
        """Each bettor once: of two largest bets he is often the same."""
        return tuple(dict.fromkeys(bettor for _, bettor in self.rules()))

    @property
    def priced(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.bets, *self.main)))


def _parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """For each part, by bettor and cut, coups with any stake, coups with side bets, and gains; and the coups dealt."""
    names = pl.DataFrame({"bettor": [bettor.name for bettor in sweep.plan.bettors]})
    for sums in sums_by_cut(sweep, BETTORS, names, ("coups", "played", "sides", "gain")):
        yield sums[:, :, 1:], sums[0, :, 0]


def totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """Add up the table `bettors` at these cuts, by default all, a row for each of `sweep.plan.bettors`."""
    plan = sweep.plan
    return add_up(plan, places(plan, cuts), _parts(sweep), plan.scoring.bettor_units)


def upper_limit(t: Totals, gain: Any, error: Any, per: Any) -> Any:
    """The upper 99% limit of gains (rows, cuts) with these errors, `per` shoes or coups.

    Student's quantile for the number of parts (Abramowitz and Stegun 26.7.5), and beyond it what log(100) more side
    bets would have won: where none was seen there are fewer with 99% confidence.
    """
    z, n = _Z99, max(t.parts - 1, 1)
    quantile = z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
    sides = t.sums[:, :, 1].astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        won = np.where(sides > 0, np.abs(t.gain) / sides, np.nan)
    # Where no bet was seen, as much as each won at the deepest cut at which some were.
    for at in range(1, won.shape[1]):
        won[:, at] = np.where(np.isnan(won[:, at]), won[:, at - 1], won[:, at])
    return gain + quantile * error + _NONE_SEEN * np.nan_to_num(won) / per


def frontier(sweep: Sweep, terms: Terms, cuts: Sequence[int] = ()) -> pl.DataFrame:
    """What each counter wins at each cut and rule: a row a side bet, counter, model, tie-in, largest bet and cut.

    `units_per_shoe` and `units_per_100_coups` of the side bet's unit, with standard errors and upper 99% limits;
    `coups_per_shoe`, `played_per_shoe` with any stake, `sides_per_shoe` with the side bet; `stake` and `tied` as in
    `Rule`. Raises `InputError` for a cut that the sweep does not tell apart.
    """
    t = totals(sweep, cuts)
    names = [bettor.name for bettor in sweep.plan.bettors]
    rules, bettors = zip(*terms.rules(), strict=True)
    row = [names.index(bettor.name) for bettor in bettors]
    rows = np.repeat(np.arange(len(rules)), len(t.cuts))
    (per_shoe, per_shoe_se), (per_coup, per_coup_se) = t.per_shoe, t.per_coup
    columns = {
        "coups_per_shoe": np.tile(t.coups / t.shoes, (len(names), 1)),
        "played_per_shoe": t.sums[:, :, 0].astype(float) / t.shoes,
        "sides_per_shoe": t.sums[:, :, 1].astype(float) / t.shoes,
        "units_per_shoe": per_shoe,
        "units_per_shoe_se": per_shoe_se,
        "units_per_shoe_99": upper_limit(t, per_shoe, per_shoe_se, t.shoes),
        "units_per_100_coups": 100 * per_coup,
        "units_per_100_coups_se": 100 * per_coup_se,
        "units_per_100_coups_99": 100 * upper_limit(t, per_coup, per_coup_se, t.coups),
    }
    keys = {
        "bet": [rule.bet for rule in rules],
        "counter": [rule.counter for rule in rules],
        "model": [rule.model.name for rule in rules],
        **{name: [float(getattr(rule, name)) for rule in rules] for name in ("tie_in", "tied")},
        **{name: [x if x is None else float(x) for x in (getattr(rule, name) for rule in rules)] for name in _IN_MONEY},
        "by_minimum": [rule.by_minimum for rule in rules],
    }
    return pl.DataFrame(
        {
            **{name: pl.Series(values, dtype=_KEYS[name])[rows] for name, values in keys.items()},
            "cut": np.tile(t.cuts, len(rules)),
            **{name: column[row].reshape(-1) for name, column in columns.items()},
        }
    ).with_columns(pl.selectors.float().fill_nan(None))


def judged(found: pl.DataFrame, bound: Bound, coups_per_hour: float, team: int = 1) -> pl.DataFrame:
    """The frontier with `met`, whether the bound is, and for one in money `money_per_hour`, its 99% limit and
    `most_side_bet`, the largest side bet with which the bound is met. Raises `InputError` for a bound in money where
    the side bet may be as large as one likes.

    A team of so many bets at one table, each up to his stake. Where the table's minimum sets what stands on main bets,
    a larger side bet is another rule: there `most_side_bet` is at most the stake.
    """
    if bound.per != "hour":
        return found.with_columns((team * pl.col(bound.judges) < bound.amount).alias("met"))
    if found["stake"].null_count():
        raise InputError("largest side bet: none, should be an amount for a bound in money")
    each = team * coups_per_hour / 100
    upper, stake = each * pl.col("units_per_100_coups_99"), pl.col("stake")
    most = (
        pl.when(pl.col("by_minimum"))
        .then(pl.min_horizontal(bound.amount / upper, stake))
        .otherwise(bound.amount / upper)
    )
    return found.with_columns(
        (each * stake * pl.col("units_per_100_coups")).alias("money_per_hour"),
        (stake * upper).alias("money_per_hour_99"),
        pl.when(upper > 0).then(most).when("by_minimum").then(stake).alias("most_side_bet"),
        (stake * upper < bound.amount).alias("met"),
    )


def cheapest(frontier: pl.DataFrame, cut: int, tie_in: float, bound: Bound) -> pl.DataFrame:
    """From the rule in force to the cheapest that meets the bound, a row a side bet, counter and model, and one against
    `all`. In force are the cut, the tie-in, and of largest side bets asked for the largest.

    The cheapest loses the fewest coups a shoe, of those that lose as many it has the smallest tie-in, of those the
    largest bet: no cut less deep and no tie-in less than in force. `new_...` are null where none asked for meets it.
    `limit` and `new_limit` are the upper 99% limits in the bound's own unit; for one in money, `most_side_bet` is the
    largest that meets it with nothing else changed.
    """
    rows = []
    for (bet,), of_bet in frontier.group_by("bet", maintain_order=True):
        coups = dict(of_bet.select("cut", "coups_per_shoe").unique().rows())
        in_force = {"cut": cut, "tie_in": tie_in, "most_bet": of_bet["most_bet"].max()}
        against = of_bet.select("counter", "model").unique(maintain_order=True).rows()
        for counter, model in [*against, ("all", "all")]:
            these = pl.lit(True) if model == "all" else (pl.col("counter") == counter) & (pl.col("model") == model)
            by_rule = (
                of_bet.filter(these)
                .group_by(*in_force)
                .agg(
                    pl.col("met").all(),
                    pl.col("units_per_shoe").max(),
                    pl.col(bound.judges).max().alias("limit"),
                    (pl.col("most_side_bet") if bound.per == "hour" else pl.lit(None, pl.Float64)).min().alias("most"),
                )
            )
            stricter = (pl.col("cut") >= cut) & (pl.col("tie_in") >= tie_in)
            order = by_rule.filter(pl.col("met") & stricter).sort(*in_force, descending=[False, False, True])
            now = by_rule.filter(pl.col(name).eq_missing(value) for name, value in in_force.items()).row(0, named=True)
            gains = ("units_per_shoe", "limit")
            best = order.row(0, named=True) if len(order) else dict.fromkeys((*in_force, *gains))
            rows.append(
                {
                    "bet": bet,
                    "counter": counter,
                    "model": model,
                    **in_force,
                    **{name: now[name] for name in gains},
                    **{f"new_{name}": best[name] for name in (*in_force, *gains)},
                    "coups_lost_per_shoe": None if best["cut"] is None else coups[cut] - coups[best["cut"]],
                    **({"most_side_bet": now["most"]} if bound.per == "hour" else {}),
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def refuse_few(plan: Plan) -> None:
    """Raise `InputError` for a sweep of too few parts to say what the upper 99% limit is."""
    if plan.shoes < LEAST_SHOES:
        raise InputError(f"shoes: {plan.shoes}, should be {LEAST_SHOES:,} or more: fewer tell too little of the error")


def plan_of(plan: Plan, terms: Terms) -> Plan:
    """The sweep that answers: of the side and main bets alone, each counter of the terms a bettor, no rows."""
    return replace(
        plan, bets=terms.priced, keep_rows=0, penetration=False, systems=terms.systems, bettors=terms.bettors
    )
