"""Limits: which cut card, tie-in and largest bet keep what a counter wins under a bound.

Every tie-in and way to bet asked for is a bettor of one sweep (`bettors`), and the sweep has every cut. A bound counts
as met when the upper 99% limit of the gain is below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log
from typing import Any, Literal

import numpy as np
import polars as pl

from counting.bettors import Bettor
from counting.errors import InputError
from counting.frames import BETTORS
from counting.penetration import Ints, Totals, add_up, places, sums_by_cut
from counting.sweep import Plan, Sweep

Per = Literal["shoe", "100-coups", "hour"]

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


@dataclass(frozen=True)
class Model:
    """How a counter goes about it: how many coups in a row he may skip, and what he has on main bets meanwhile.

    `skips` None: any number, he sits out. `idle` None: the tie-in.
    """

    name: str
    skips: int | None
    idle: Fraction | None = None

    @classmethod
    def parse(cls, text: str) -> Model:
        """Read `sit-out`, `play-all`, `play-all:1` (one unit on main bets on other coups), `skip-3`, `skip-3:1`."""
        match = re.fullmatch(r"(sit-out|play-all|skip-([0-9]{1,3}))(?::([0-9]{1,4}(?:\.[0-9]{1,6})?))?", text)
        if not match or (match[1] == "sit-out" and match[3]):
            raise InputError(
                f"model {text!r}: should be sit-out, play-all, or skip-3 who skips at most three coups in a row; "
                "with play-all:1 or skip-3:1 he has one unit on a main bet meanwhile, else the tie-in"
            )
        skips = None if match[1] == "sit-out" else 0 if match[1] == "play-all" else int(match[2])
        return cls(text, skips, None if match[3] is None else Fraction(match[3]))


MODELS = tuple(map(Model.parse, ("sit-out", "play-all", "play-all:1")))


@dataclass(frozen=True)
class Terms:
    """What is asked of each side bet: against which models of a counter, for which tie-ins, with which main bets."""

    bets: tuple[str, ...]
    main: tuple[str, ...]
    tie_ins: tuple[Fraction, ...]
    models: tuple[Model, ...] = MODELS

    def bettors(self) -> Iterator[tuple[str, Model, Fraction, Bettor]]:
        """One for each side bet, model and tie-in."""
        for bet in self.bets:
            for model in self.models:
                for tie_in in self.tie_ins:
                    name = f"{bet} {model.name} {tie_in}"
                    yield bet, model, tie_in, Bettor(name, (bet,), tie_in, self.main, model.skips, model.idle)

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
    """What each counter wins at each cut and tie-in: a row a side bet, model, tie-in and cut.

    `units_per_shoe` and `units_per_100_coups` of the side bet's unit, with standard errors and upper 99% limits;
    `coups_per_shoe`, `played_per_shoe` with any stake, `sides_per_shoe` with the side bet. Raises `InputError` for a
    cut that the sweep does not tell apart.
    """
    t = totals(sweep, cuts)
    keys = [(bet, model.name, float(tie_in)) for bet, model, tie_in, _ in terms.bettors()]
    bet, model, tie_in = zip(*keys, strict=True)
    each = len(t.cuts)
    (per_shoe, per_shoe_se), (per_coup, per_coup_se) = t.per_shoe, t.per_coup
    columns = {
        "coups_per_shoe": np.tile(t.coups / t.shoes, (len(keys), 1)),
        "played_per_shoe": t.sums[:, :, 0].astype(float) / t.shoes,
        "sides_per_shoe": t.sums[:, :, 1].astype(float) / t.shoes,
        "units_per_shoe": per_shoe,
        "units_per_shoe_se": per_shoe_se,
        "units_per_shoe_99": upper_limit(t, per_shoe, per_shoe_se, t.shoes),
        "units_per_100_coups": 100 * per_coup,
        "units_per_100_coups_se": 100 * per_coup_se,
        "units_per_100_coups_99": 100 * upper_limit(t, per_coup, per_coup_se, t.coups),
    }
    return pl.DataFrame(
        {
            "bet": np.repeat(bet, each).tolist(),
            "model": np.repeat(model, each).tolist(),
            "tie_in": np.repeat(tie_in, each),
            "cut": np.tile(t.cuts, len(keys)),
            **{name: column.reshape(-1) for name, column in columns.items()},
        }
    ).with_columns(pl.selectors.float().fill_nan(None))


def judged(found: pl.DataFrame, bound: Bound, most_bet: float, coups_per_hour: float, team: int = 1) -> pl.DataFrame:
    """The frontier with `met`, whether the bound is, and for one in money `money_per_hour`, its 99% limit and
    `most_side_bet`, the largest side bet with which the bound is met.

    A team of so many bets at one table, each up to `most_bet`.
    """
    if bound.per != "hour":
        return found.with_columns((team * pl.col(bound.judges) < bound.amount).alias("met"))
    each = team * coups_per_hour / 100
    upper = each * pl.col("units_per_100_coups_99")
    return found.with_columns(
        (each * most_bet * pl.col("units_per_100_coups")).alias("money_per_hour"),
        (most_bet * upper).alias("money_per_hour_99"),
        pl.when(upper > 0).then(bound.amount / upper).alias("most_side_bet"),
        (most_bet * upper < bound.amount).alias("met"),
    )


def cheapest(frontier: pl.DataFrame, cut: int, tie_in: float) -> pl.DataFrame:
    """From the rule in force to the cheapest that meets the bound, a row a side bet and model, and one against `all`.

    The cheapest loses the fewest coups a shoe, and of those that lose as many has the smallest tie-in: no cut less deep
    and no tie-in less than in force. `new_cut` and `new_tie_in` are null where none asked for meets it.
    """
    rows = []
    for (bet,), of_bet in frontier.group_by("bet", maintain_order=True):
        names = of_bet["model"].unique(maintain_order=True).to_list()
        coups = dict(of_bet.select("cut", "coups_per_shoe").unique().rows())
        for name in [*names, "all"]:
            of_model = of_bet if name == "all" else of_bet.filter(pl.col("model") == name)
            by_rule = of_model.group_by("cut", "tie_in").agg(pl.col("met").all(), pl.col("units_per_shoe").max())
            stricter = (pl.col("cut") >= cut) & (pl.col("tie_in") >= tie_in)
            best = by_rule.filter(pl.col("met") & stricter).sort("cut", "tie_in").head(1)
            now = by_rule.filter((pl.col("cut") == cut) & (pl.col("tie_in") == tie_in))["units_per_shoe"].item()
            new = best.row(0, named=True) if len(best) else {"cut": None, "tie_in": None, "units_per_shoe": None}
            rows.append(
                {
                    "bet": bet,
                    "model": name,
                    "cut": cut,
                    "tie_in": tie_in,
                    "units_per_shoe": now,
                    "new_cut": new["cut"],
                    "new_tie_in": new["tie_in"],
                    "new_units_per_shoe": new["units_per_shoe"],
                    "coups_lost_per_shoe": None if new["cut"] is None else coups[cut] - coups[new["cut"]],
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def plan_of(plan: Plan, terms: Terms) -> Plan:
    """The sweep that answers: of the side and main bets alone, each counter of the terms a bettor, no rows."""
    bettors = tuple(bettor for *_, bettor in terms.bettors())
    return replace(plan, bets=terms.priced, keep_rows=0, penetration=False, bettors=bettors)
