"""The question of limits and its answer: which rules keep what counters win under a bound, and the cheapest of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from counting.errors import whole_field
from counting.limits.bounds import Bound
from counting.limits.frontiers import Uppers, brackets_of, cheapest, frontier, judged, mains, refuse_few, totals
from counting.limits.largest_bets import Ladder, largest
from counting.limits.terms import Terms, plan_of
from counting.sweep import Plan, Progress, Sweep


@dataclass(frozen=True)
class LimitsQuestion:
    """What a frontier is to answer: the terms, the bound, and the rule in force, from which changes are counted."""

    plan: Plan
    terms: Terms
    bound: Bound
    in_force: float
    cuts: tuple[int, ...]
    coups_per_hour: float = 70.0
    team: int = 1

    def __post_init__(self) -> None:
        whole_field(self, "team", "--team", 1, 1000)

    @cached_property
    def ladder(self) -> Ladder:
        """The largest bets that are tried for a bound in money."""
        return Ladder.of(self.terms, self.plan) if self.bound.per == "hour" else Ladder({})

    @cached_property
    def played(self) -> Plan:
        """The plan with every bettor of the terms. Raises `InputError` for one of too few shoes."""
        plan = plan_of(self.plan, self.terms, self.ladder.bettors)
        refuse_few(plan)
        return plan


@dataclass(frozen=True)
class LimitsAnswer:
    """The answer: a row for each counter, rule and cut (`frontiers.judged`), `mains` by themselves, `how` upper limits
    were found, and the changes that meet the bound."""

    asked: LimitsQuestion
    found: pl.DataFrame
    mains: pl.DataFrame
    how: tuple[str, ...] = ()

    @cached_property
    def changes(self) -> pl.DataFrame:
        asked = self.asked
        return cheapest(self.found, asked.plan.dealing.cut, asked.in_force, asked.bound, asked.team)

    @property
    def units_differ(self) -> bool:
        """Whether what is won in units depends on the largest bet, as the table's minimum or maximum can make it."""
        differ = pl.col("tied").ne_missing(pl.col("tie_in")) | pl.col("stake").ne_missing(pl.col("most_bet"))
        return bool(self.found.select(differ.any()).item())


def answer(
    asked: LimitsQuestion, sweep: Sweep, folder: Path, progress: Progress | None = None, **playing: Any
) -> LimitsAnswer:
    """From the sweep of `asked.played`; brackets are played into `folder/brackets`."""
    terms, bound, plan = asked.terms, asked.bound, sweep.plan
    playing.pop("shared", None)
    brackets = brackets_of(terms, plan, asked.cuts, folder / "brackets", progress, **playing)
    uppers = Uppers(sweep, totals(sweep, asked.cuts), playing.get("workers"))
    rows = frontier(sweep, terms, asked.cuts, brackets, uppers)
    rows = judged(rows, bound, asked.coups_per_hour, asked.team)
    if bound.per == "hour":
        most = largest(rows, sweep, asked.ladder, uppers, bound, asked.coups_per_hour, asked.team)
        rows = rows.with_columns(most)
    alone = mains(sweep, terms, asked.cuts, uppers)
    return LimitsAnswer(replace(asked, plan=plan), rows, alone, tuple(dict.fromkeys(uppers.how.values())))
