"""Rates of dealing and paying errors for each dealer, table and shift: their exact intervals, and which of them differ.

A coup has an error or none, and the number of coups is known. If every coup has an error with the same chance,
independently of the others, the number of coups in error is binomial. The interval is Clopper and Pearson's, which
holds for every rate and number of coups. A Poisson interval would count several errors of one coup, and is exact only
in the limit of many coups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.logs import UNREAD, Log, card_codes, coup_rows
from counting.review.hands import DRAWS
from counting.review.shifts import Shifts
from counting.review.significance import holm, rate_above, rate_interval, same_rate_p

CONFIDENCE = 0.95
PER = 100_000  # rates are per this number of coups
DEALING = ("hand-size", *DRAWS, "winner")
OF_RECORD = ("record", "stale-card", "repeat")
RATES = {
    "by": pl.String, "name": pl.String, "of": pl.String, "coups": pl.Int64, "errors": pl.Int64,
    "per_100k": pl.Float64, "low": pl.Float64, "high": pl.Float64, "at_most": pl.Float64,
    "others_per_100k": pl.Float64, "p": pl.Float64, "p_holm": pl.Float64, "differs": pl.String,
}  # fmt: skip


@dataclass(frozen=True)
class ErrorRates:
    """How often a log's coups have errors of `dealing` and of `paying`.

    An error of dealing is a hand of a wrong size, a third card wrongly drawn or not drawn, or a wrong winner recorded.
    An error of paying is a wrong payout.

    `rows` has the columns of `RATES`. The first rows are for all coups. Then come rows for each dealer if there are at
    least two dealers, and likewise for each table and each shift:

    - `coups`: the number of coups that can be judged; `errors`: the number of these that are in error
    - `per_100k`, `low` and `high`: the rate per 100,000 coups with its exact interval
    - `at_most`: if no coup is in error, the one-sided upper limit
    - `others_per_100k`: the rate of all other dealers, tables or shifts together
    - `p`: the exact p-value of equal rates; `p_holm`: the p-value adjusted for all tests (Holm's method)
    - `differs`: "more" or "fewer", if `p_holm` is at most the level

    `unseen`: the number of coups in which the log cannot show an error of dealing. `lacks`: the number of coups without
    a named dealer and the number of coups without a shift, each only if it is above 0."""

    rows: pl.DataFrame
    unseen: int
    lacks: Mapping[str, int]

    @property
    def of_all(self) -> list[dict[str, Any]]:
        """The rows for all coups: one for errors of dealing and one for errors of paying. A row is left out if no coup
        can be judged for its errors."""
        return self.rows.filter(by="all").to_dicts()


def rates_of_errors(log: Log, errors: pl.DataFrame, shifts: Shifts | None = None, level: float = 0.05) -> ErrorRates:
    """The rates of errors in a log. `errors` is the result of `dealing_errors`, and `level` the level of all tests
    together.

    A coup can be judged for dealing under these conditions:

    - every card was read
    - the record does not contradict itself
    - the coup does not repeat the coup before
    - the log shows which hand drew the fifth card, and this was not inferred from the drawing rules

    It can be judged for paying if the first three conditions hold and a bet on it has a result."""
    codes, more = card_codes(log.coups), log.coups["more"].list.contains(UNREAD).fill_null(False)

    name = log.coups.schema["table"]

    def marked(at: NDArray[Any]) -> pl.Series:
        """For each coup of the log, whether `at` has its row."""
        has = np.zeros(log.coups.height, np.bool_)
        has[at[at >= 0]] = True
        return pl.Series(has)

    def by_rules(*rules: str) -> pl.Series:
        found = errors.filter(pl.col("rule").is_in(rules)).with_columns(pl.col("table", "shoe").cast(name))
        return marked(coup_rows(found, log.coups))

    judged = pl.Series((codes != UNREAD).all(axis=1)) & ~more & ~by_rules(*OF_RECORD)
    of = {
        "dealing": (judged & ~log.coups["ruled"].fill_null(False), by_rules(*DEALING)),
        "paying": (judged & marked(log.bet_rows[log.bets["won"].is_not_null().to_numpy()]), by_rules("payment")),
    }
    parts = log.coups.select("dealer", "table", shift=(shifts or Shifts()).of(log.coups["time"]))
    parts = parts.select(pl.all().cast(pl.String))
    rows = []
    for what, (seen, wrong) in of.items():
        coups = parts.with_columns(wrong=wrong).filter(seen)
        if coups.height:
            rows.append(_row("all", None, what, coups.height, int(coups["wrong"].sum())))
        for by in parts.columns:
            named = coups.drop_nulls(by)
            sums = named.group_by(by).agg(pl.len(), pl.col("wrong").sum()).sort(by).rows()
            if len(sums) > 1:
                every = named.height, int(named["wrong"].sum())
                rows += [_row(by, name, what, number, wrongly, every) for name, number, wrongly in sums]
    nameless = {name: int(parts[name].null_count()) for name in ("dealer", "shift")}
    unseen = log.coups.height - int(of["dealing"][0].sum())
    return ErrorRates(
        _adjusted(pl.DataFrame(rows, RATES, orient="row"), level),
        unseen,
        {name: number for name, number in nameless.items() if number},
    )


def _row(
    by: str, name: str | None, what: str, coups: int, errors: int, every: tuple[int, int] | None = None
) -> tuple[object, ...]:
    """A row of `RATES`. `coups` is the number of coups, and `errors` the number of coups in error. `every` has both
    numbers for all dealers, all tables or all shifts together."""
    low, high = (PER * end for end in rate_interval(errors, coups, CONFIDENCE))
    at_most = None if errors else PER * rate_above(0, coups, 1 - CONFIDENCE)
    others = p = side = None
    if every is not None:
        others = PER * (every[1] - errors) / (every[0] - coups)
    if every is not None and every[1]:
        p = same_rate_p(errors, coups, every[1], every[0])
        side = "more" if errors * every[0] > every[1] * coups else "fewer"
    return by, name, what, coups, errors, PER * errors / coups, low, high, at_most, others, p, None, side


def _adjusted(rows: pl.DataFrame, level: float) -> pl.DataFrame:
    """The rows with p-values adjusted for all tests. If there are only two dealers, tables or shifts, one test compares
    them, and both rows have its p-value."""
    rows = rows.with_columns(second=(pl.len().over("by", "of") == 2) & (pl.int_range(pl.len()).over("by", "of") == 1))
    tested = rows["p"].is_not_null() & ~rows["second"]
    over_all = np.full(rows.height, np.nan)
    over_all[tested.to_numpy()] = holm(rows.filter(tested)["p"].to_numpy())
    p_holm = pl.Series("p_holm", over_all).fill_nan(None)
    rows = rows.with_columns(p_holm).with_columns(
        p_holm=pl.when("second").then(pl.col("p_holm").shift()).otherwise("p_holm")
    )
    return rows.with_columns(differs=pl.when(pl.col("p_holm") <= level).then(pl.col("differs"))).drop("second")
