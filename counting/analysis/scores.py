"""What each counter bets and wins, by system and bet, and how far the results swing.

Gains and second moments are exact at every coup; their errors come from the spread between shoes. Results as dealt are
a check on the gains."""

from __future__ import annotations

import warnings
from typing import cast

import numpy as np
import polars as pl

from counting.analysis.summary import mean_se, scores, varied
from counting.arrays import Floats
from counting.errors import InputError, instance, one_text
from counting.exact import settlement
from counting.sweep import Sweep, triggers_reached
from counting.systems import PERFECT


def score(sweep: Sweep | pl.LazyFrame) -> pl.LazyFrame:
    """One row per bettor, bet and cut: the perfect counter, and every system at every trigger.

    `sweep` is a finished sweep, or its `ledger` alone. A sweep that was played again with wider triggers is scored at
    the wider triggers. For a sweep, each line of `remarks` is issued as a warning. A line is about a wrong start, a
    count that wins most by betting every coup, or a best trigger that is the lowest or highest that was scored.

    >>> from counting import Dealing, Plan, run
    >>> from counting.analysis import score
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 200, 1, ["dragon-7"], ["dragon-7"]), "scored")
    >>> score(sweep).filter(best=True).select("system", "trigger", "bets").collect().row(0)
    ('dragon-7', 4.0, 1560)

    Columns:

    - `coups_per_shoe`
    - `bet_share`: bet frequency, the share of coups with a bet
    - `mean_edge` and `sd_per_bet`: mean edge of the bettor's bets, and standard deviation of the profit of a bet
    - `truly_positive_share`: share of the bettor's bets with a positive edge
    - `units_per_shoe` and `units_per_100_coups`: the gain
    - `captured_share`: share of the perfect counter's gain
    - `sd_bets_per_shoe`: standard deviation of the number of bets per shoe
    - `sd_per_100_coups`: the standard deviation of the result of 100 coups, if they were uncorrelated: ten times the
      standard deviation of one coup's result
    - `desirability_index`: `units_per_100_coups` divided by `sd_per_100_coups`, times 100
    - `n0`: the number of coups after which the expected gain equals one standard deviation of the result
    - `best`: marks each system's trigger with the largest gain or least loss; of several equal triggers, the highest
    - `played_units_per_shoe`: what the bets won as dealt

    Standard errors, `..._se`, are as in `summary.scores`. The error of `played_units_per_shoe` is from the spread
    between shoes."""
    ledger = sweep if isinstance(sweep, pl.LazyFrame) else _ledger(sweep)
    coups, bets, gain, square = (pl.col(name) for name in ("coups", "bets", "gain", "square"))
    variance = (square / coups - (gain / coups) ** 2).clip(0)
    top = gain.max().over("cut", "system", "bet")
    best = pl.when(gain == top).then(pl.col("trigger")).max().over("cut", "system", "bet")
    spread, won = variance.sqrt(), pl.col("won")
    in_shoe = (pl.col("bets_sq") / pl.col("shoes") - (bets / pl.col("shoes")) ** 2).clip(0)
    return (
        scores(ledger)
        .with_columns(
            pl.when(bets > 0).then((square / bets - (gain / bets) ** 2).clip(0).sqrt()).alias("sd_per_bet"),
            (10 * spread).alias("sd_per_100_coups"),
            in_shoe.sqrt().alias("sd_bets_per_shoe"),
            pl.when(spread > 0).then(1000 * gain / coups / spread).alias("desirability_index"),
            pl.when(gain > 0).then(variance / (gain / coups) ** 2).alias("n0"),
            (best == pl.col("trigger")).fill_null(False).alias("best"),
            (won / pl.col("shoes")).alias("played_units_per_shoe"),
            varied(mean_se(pl.col("won_sq"), won, pl.col("shoes"))).alias("played_units_per_shoe_se"),
        )
        .select(
            "bet", "system", "trigger", "best", "cut", "shoes", "coups", "coups_per_shoe", "coups_per_shoe_se", "bets",
            "bet_share", "bet_share_se", "mean_edge", "mean_edge_se", "units_per_shoe", "units_per_shoe_se",
            "units_per_100_coups", "units_per_100_coups_se", "captured_share", "captured_share_se",
            "truly_positive_share", "truly_positive_share_se", "sd_per_bet", "sd_bets_per_shoe", "sd_per_100_coups",
            "desirability_index", "n0", "played_units_per_shoe", "played_units_per_shoe_se",
        )
        .sort("cut", "bet", maintain_order=True)
    )  # fmt: skip


def _ledger(sweep: Sweep) -> pl.LazyFrame:
    """The ledger of a sweep. If the sweep was played again with wider triggers, it is the ledger at the wider triggers.
    Each line of `remarks` is issued as a warning."""
    from counting.analysis.count_remarks import remarks
    from counting.analysis.widening import widest

    finished = widest(instance(sweep, Sweep, "sweep", "counting.run(plan, 'folder')"))
    for line in remarks(finished):
        warnings.warn(line, stacklevel=3)
    return finished.ledger


def results(sweep: Sweep, system: str, trigger: float | None, bet: str) -> Floats:
    """What a bettor won at each coup as dealt, in units, in the order dealt. Only coups whose rows the sweep kept are
    included. Coups without a bet have 0.

    The trigger of the perfect counter is ignored. Raises `InputError` for a sweep that kept no rows, a bet that the
    sweep's game lacks, and a system or a trigger that the sweep lacks.

    >>> from counting import Dealing, Plan, results
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40), "forty-shoes")
    >>> float(results(sweep, "perfect", None, "tie-8").sum())
    -8.0
    """
    plan = sweep.plan
    plan.game.bet(bet)
    system = one_text(system, "system")
    counter = next((s for s in plan.systems if s.name == system), None)
    if not isinstance(trigger, int | float | None):
        raise InputError(f"trigger: {trigger!r}", "a number, or None for the perfect counter")
    if counter is None and system != PERFECT:
        raise InputError(f"system {system!r}: should be one of {', '.join([PERFECT, *(s.name for s in plan.systems)])}")
    if counter is not None and trigger not in counter.scored:
        raise InputError(f"trigger: {trigger}, should be one of {', '.join(f'{t:g}' for t in counter.scored)}")
    won, settled = [], settlement(plan.game, [bet])
    for coups in sweep.blocks():
        if counter is None:
            betting = settled.edges(coups.left)[:, 0] > 0
        else:
            betting = triggers_reached(counter, coups, plan.dealing.decks) > counter.scored.index(cast(float, trigger))
        won.append(np.where(betting, settled.paid(coups.shown)[:, 0], 0.0))
    return np.concatenate(won)


def at_best(scored: pl.LazyFrame) -> pl.LazyFrame:
    """The rows of the perfect counter, and the rows of each system at its best trigger."""
    return scored.filter((pl.col("system") == PERFECT) | pl.col("best"))
