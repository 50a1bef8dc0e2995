"""The question of limits and its answer: which rules keep counters under a bound, and which of them is the cheapest."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from counting.bounds.bounds import Bound, Per
from counting.bounds.frontiers import (
    Brackets,
    brackets_of,
    by_case,
    cheapest,
    cheapest_by_most_bet,
    frame_of,
    judged,
    mains,
    refuse_few,
    seconds_held,
)
from counting.bounds.largest_bets import Ladder, largest_side_bets
from counting.bounds.pits import AN_HOUR, Pit
from counting.bounds.progress import WorkProgress
from counting.bounds.terms import Terms, plan_of
from counting.bounds.theoretical_win import Patronage, TheoreticalWin, ordinary_main_bets
from counting.bounds.uppers import Uppers
from counting.errors import instance, whole_field
from counting.sweep import Plan, Sweep
from counting.workers import threads

_DEEPEST = 156  # cards behind the cut card: three decks


@dataclass(frozen=True, kw_only=True)
class LimitsQuestion:
    """The question of limits: how much counters win at each cut under the given terms, and which rules keep all of them
    under the bound.

    - `in_force`: the main-bet requirement of the rule in force, in units; the rule's cut is the plan's. The costs of
      other rules are measured from the rule in force.
    - `compared`: the cuts to compare. By default these are all cuts for which the plan's sweep keeps sums, from the cut
      in force to three decks behind the cut card. If the cut in force is beyond three decks, only this cut is compared
    - `coups_per_hour`: the pace, for a bound in money
    - `team`: the number of counters at one table
    - `pit`: the hours and tables for which the figures under the rule in force are also given

    Raises `InputError` for a plan of another type, for a `team` out of range, and if there is no main bet."""

    plan: Plan
    terms: Terms
    bound: Bound
    in_force: float = 0.0
    compared: tuple[int, ...] = ()
    coups_per_hour: float = 70.0
    team: int = 1
    patronage: Patronage = field(default_factory=Patronage)
    pit: Pit = AN_HOUR

    def __post_init__(self) -> None:
        instance(self.plan, Plan, "plan", "Plan('ez-baccarat', Dealing(), 1000)")
        whole_field(self, "team", "--team", 1, 1000)
        ordinary_main_bets(self.plan.game, self.terms.main)  # refuses a game without a main bet

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """The cuts that are compared."""
        dealing = self.plan.dealing
        last = max(_DEEPEST, dealing.cut)
        return self.compared or tuple(int(cut) for cut in dealing.cuts if cut <= last)

    @property
    def held_seconds(self) -> float:
        """About how many seconds the brackets take with this machine's number of cores, as measured on one machine. It
        is 0 if no counter needs a bracket."""
        return seconds_held(self.terms, self.plan, self.cuts, threads(None))

    @cached_property
    def theo(self) -> TheoreticalWin:
        """The theoretical win under the rules that are compared."""
        return TheoreticalWin(self.patronage, self.plan, self.terms)

    @cached_property
    def ladder(self) -> Ladder:
        """The further values of the largest side bet that the sweep also plays if the bound is in money. For other
        bounds there are none."""
        return Ladder.of(self.terms, self.plan) if self.bound.per is Per.HOUR else Ladder({})

    @cached_property
    def played(self) -> Plan:
        """The plan of the sweep: the counters of the terms that a sweep can play, and the bettors of the ladder
        (`terms.plan_of`). Raises `InputError` for a plan with too few shoes."""
        plan = plan_of(self.plan, self.terms, self.ladder.bettors)
        refuse_few(plan)
        return plan


@dataclass(frozen=True)
class LimitsAnswer:
    """The answer to a `LimitsQuestion`.

    - `frontier`: a row for each side bet, counter, rule and cut, with its verdict (`frontiers.judged`)
    - `mains`: for each main bet, what a bettor wins who makes only this bet
    - `how`: how the upper limits were worked out"""

    question: LimitsQuestion
    frontier: pl.DataFrame
    mains: pl.DataFrame
    how: tuple[str, ...] = ()

    @cached_property
    def changes(self) -> pl.DataFrame:
        """The cheapest rule that meets the bound, compared with the rule in force (`frontiers.cheapest`)."""
        question = self.question
        cut, in_force = question.plan.dealing.cut, question.in_force
        return cheapest(self.frontier, cut, in_force, question.bound, question.team, question.theo)

    @cached_property
    def by_most_bet(self) -> pl.DataFrame:
        """The cheapest rule for each largest bet (`frontiers.cheapest_by_most_bet`)."""
        question = self.question
        cut, in_force = question.plan.dealing.cut, question.in_force
        return cheapest_by_most_bet(self.frontier, cut, in_force, question.bound, question.team, question.theo)

    @property
    def units_differ(self) -> bool:
        """Whether gains in units may depend on the largest bet, as they can with a table minimum or maximum. It is also
        true with a `side_share`."""
        differ = pl.col("tied").ne_missing(pl.col("tie_in")) | pl.col("stake").ne_missing(pl.col("most_bet"))
        differ |= pl.col("by_minimum")
        return bool(self.frontier.select(differ.any()).item())


def held_brackets(
    question: LimitsQuestion, plan: Plan, folder: Path, progress: WorkProgress | None = None, **playing: Any
) -> Brackets:
    """The brackets of counters who must hold a seat, or whose play depends on earlier results, kept in
    `folder/brackets`."""
    playing.pop("shared", None)
    return brackets_of(question.terms, plan, question.cuts, folder / "brackets", progress, **playing)


def answer(question: LimitsQuestion, sweep: Sweep, brackets: Brackets, workers: int | None = None) -> LimitsAnswer:
    """The answer from the sweep of `question.played` and the brackets (`held_brackets`)."""
    terms, bound, plan = question.terms, question.bound, sweep.plan
    uppers = Uppers(sweep, question.cuts, workers)
    cases = by_case(uppers, terms, brackets)
    rows = judged(frame_of(cases), bound, question.coups_per_hour, question.team)
    if bound.per is Per.HOUR:
        rows = rows.with_columns(
            largest_side_bets(cases, question.ladder, uppers, bound, question.coups_per_hour, question.team)
        )
    main_bets = mains(uppers, terms)
    return LimitsAnswer(replace(question, plan=plan), rows, main_bets, tuple(dict.fromkeys(uppers.how.values())))
