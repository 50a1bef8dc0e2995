"""Frontiers: which cut card, main-bet requirement and largest bet keep what counters win under a bound.

A case is one kind of counter under one rule. Every case has two figures: what some counter of this kind wins, and an
amount that no counter of this kind exceeds. If each coup can be played on its own (the best stakes do not depend on the
rest of the shoe), the figures are equal, and the sweep gives them at every cut. If a seat must be kept, the figures are
a bracket (`counting.bounds.brackets`), worked out at some of the cuts. At any other cut, the lower figure is from the
nearest bracket with fewer coups, as a counter may leave at that bracket's cut. The upper figure is from the nearest
bracket with more coups."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import polars as pl

from counting.analysis import Totals
from counting.arrays import Bools, Floats, Ints
from counting.bounds.bounds import Bound, Per, Verdict
from counting.bounds.brackets import Bracket, bracket_settings, brackets
from counting.bounds.confidence_limits import student_99
from counting.bounds.evaluation import fit_costs
from counting.bounds.figures import Figure
from counting.bounds.means import Z995, Estimate, Mean
from counting.bounds.progress import WorkProgress, coup_cost, part_of
from counting.bounds.seats import Seat
from counting.bounds.terms import CounterCase, Terms
from counting.bounds.theoretical_win import TheoreticalWin
from counting.bounds.uppers import Free, Uppers, is_free
from counting.errors import InputError
from counting.io.folders import default_folder, refuse_other
from counting.io.toml import digest
from counting.sweep import Bettor, PerfectBettor, Plan, Sweep

_KEYS = {
    "bet": pl.String, "counter": pl.String, "model": pl.String, "tie_in": pl.Float64, "tied": pl.Float64,
    "most_bet": pl.Float64, "stake": pl.Float64, "by_minimum": pl.Boolean,
}  # fmt: skip
LEAST_SHOES = 2000  # these make ten parts, for which `student_99` is within 0.4% of Student's quantile
SOME_CUTS = 6  # the most cuts with brackets
_LEAST_IN_BRACKETS = 1000  # the fewest shoes of a bracket
_SECONDS = 2.2e-4  # the time to price one bet through one shoe of a bracket

Brackets = Mapping[int, Mapping[int, Bracket]]


def some_cuts(cuts: Sequence[int], most: int = SOME_CUTS) -> list[int]:
    """At most `most` of these cuts: the first and, if `most` is above 1, the last and some in between."""
    return sorted({cuts[i * (len(cuts) - 1) // max(most - 1, 1)] for i in range(most)})


_AtTable = dict[Hashable, list[tuple[int, int, Seat]]]


def held_tables(terms: Terms, plan: Plan, cuts: Sequence[int]) -> list[_AtTable]:
    """The seats that need a bracket. There is a mapping for each table. Each of its values is a list of seats.

    All seats of a list win the same on every coup. An entry of a list is the number of a case, a cut, and the seat of
    this case at this cut."""
    tables: dict[Hashable, _AtTable] = {}
    for i, case in enumerate(terms.cases(plan)):
        if isinstance(case.player, Seat):
            for cut in some_cuts(cuts):
                seat = replace(case.player, dealing=replace(case.player.dealing, cut=cut))
                stakes = seat.stakes
                wins = stakes.key if terms.stand else (stakes.best_of_all, stakes.best_holding_seat)
                rules = seat.most_skipped, seat.leaves, wins
                tables.setdefault((seat.table, seat.hangs_together), {}).setdefault(rules, []).append((i, cut, seat))
    return [*tables.values()]


def _shoes_of(terms: Terms, plan: Plan) -> int:
    return max(plan.shoes // (50 if terms.loss_rebate else 20), _LEAST_IN_BRACKETS)


def seconds_held(terms: Terms, plan: Plan, cuts: Sequence[int], workers: int) -> float:
    """About how many seconds all brackets take with this number of threads, as measured on one machine."""
    shoes, seconds = _shoes_of(terms, plan), 0.0
    for at_table in held_tables(terms, plan, cuts):
        (_, _, seat), *_ = next(iter(at_table.values()))
        number = len(at_table)
        work = sum(fit_costs(number, shoes, workers)) + number * shoes / workers
        seconds += len(seat.stakes.bets) * _SECONDS * work * (0.6 + 0.4 / number)  # all seats share the priced coups
    return seconds


def brackets_of(
    terms: Terms, plan: Plan, cuts: Sequence[int], folder: Path, progress: WorkProgress | None = None, **playing: Any
) -> Brackets:
    """The brackets of the cases that need them, kept in `folder`. The result is keyed by the number of the case, then
    by the cut.

    Each bracket is played on 1,000 shoes or more: a twentieth of the plan's shoes, or a fiftieth with a rebate on
    losses. A policy that must be fitted is fitted to the same number of other shoes. Cases share a bracket if their
    counters may skip the same coups and their stakes win the same on every coup."""
    shoes = _shoes_of(terms, plan)
    tables = held_tables(terms, plan, cuts)
    counts = [len(at_table) for at_table in tables]
    costs = [
        number * coup_cost(next(iter(at_table.values()))[0][-1])
        for number, at_table in zip(counts, tables, strict=True)
    ]
    made: dict[int, dict[int, Bracket]] = {}
    for number, at_table in enumerate(tables):
        seats, folders = [alike[0][-1] for alike in at_table.values()], []
        for (i, cut, seat), *_ in at_table.values():
            record = bracket_settings(seat, shoes, plan.seed, terms.stand)
            name = str(folder / f"{i:04d}-{cut}")
            folders.append(default_folder(name, digest(record), partial(refuse_other, kind="bracket", settings=record)))
        told = part_of(progress, number, costs, counts)
        of_seats = brackets(seats, shoes, plan.seed, folders, stand=terms.stand, progress=told, **playing)
        for alike, of_seat in zip(at_table.values(), of_seats, strict=True):
            for i, cut, seat in alike:
                made.setdefault(i, {})[cut] = replace(of_seat, seat=seat)
    return made


@dataclass(frozen=True, eq=False)
class ByCut:
    """What counters win at every cut (cuts,).

    - `figure`: what they win per shoe
    - `coups`, `played` and `sides`: coups dealt, coups played with any stake, and coups played with a side bet, per
      shoe; each with its standard error
    - `exact`: whether both estimates are for the best counter
    - `worked_out` (cuts,): whether the figure was worked out at this cut; otherwise it comes from the neighbouring
      cuts"""

    cuts: Ints
    figure: Figure
    coups: tuple[Floats, Floats]
    played: tuple[Floats, Floats]
    sides: tuple[Floats, Floats]
    exact: bool
    worked_out: Bools

    @property
    def per_100_coups(self) -> Figure:
        return self.figure.converted(Per.COUPS, lambda per_shoe: per_shoe / self.coups[0] * 100)

    @property
    def counts(self) -> dict[str, Floats]:
        """The columns of `coups`, `played` and `sides`."""
        counts = {"coups": self.coups, "played": self.played, "sides": self.sides}
        return {
            f"{name}_per_shoe{ending}": column
            for name, columns in counts.items()
            for ending, column in zip(("", "_se"), columns, strict=True)
        }


def by_case(uppers: Uppers, terms: Terms, brackets: Brackets | None = None) -> list[tuple[CounterCase, ByCut]]:
    """What counters win in every case of the terms. Raises `InputError` for a case without its bracket."""
    cases = []
    for i, case in enumerate(terms.cases(uppers.sweep.plan)):
        free = terms.free(case)
        if not isinstance(case.player, Seat):
            won = of_bettor(uppers, case.player, free)
        elif brackets and i in brackets:
            won = of_brackets(uppers.totals, brackets[i], None if free is None else uppers.free(free))
        else:
            raise InputError(f"{case.bet}, {case.model.name}: no bracket, should be worked out first")
        cases.append((case, won))
    return cases


def frontier(sweep: Sweep, terms: Terms, cuts: Sequence[int] = (), brackets: Brackets | None = None) -> pl.DataFrame:
    """What counters win at each cut and rule: a row for each case and cut.

    - `lower_units_per_shoe` and `upper_units_per_shoe`: the two figures, in units of the largest side bet; two more
      columns give them per 100 coups
    - `..._se`: their standard errors
    - `..._99`: their 99% limits; some counter wins more than the lower limit, and no counter more than the upper limit
    - `exact`: whether both figures are for the best counter
    - `worked_out`: whether the figures were worked out at this cut; otherwise they are bounds from the neighbouring
      cuts
    - `coups_per_shoe`: coups dealt; `played_per_shoe`: coups with any stake; `sides_per_shoe`: coups with the side bet
    - `stake` and `tied`: as in `CounterCase`

    A row's figures and limits are in order, as in a `Figure`. Raises `InputError` for a cut for which the sweep keeps
    no sums, and for a case without its bracket."""
    return frame_of(by_case(Uppers(sweep, cuts), terms, brackets))


def frame_of(cases: Iterable[tuple[CounterCase, ByCut]]) -> pl.DataFrame:
    """The frontier of these cases."""
    frames = [_frame(case, won) for case, won in cases]
    return pl.concat(frames).with_columns(pl.selectors.float().fill_nan(None))


def _frame(case: CounterCase, won: ByCut) -> pl.DataFrame:
    keys = {
        "bet": case.bet, "counter": case.counter, "model": case.model.name, "tie_in": float(case.tie_in),
        "tied": float(case.tied), "most_bet": None if case.most_bet is None else float(case.most_bet),
        "stake": None if case.stake is None else float(case.stake), "by_minimum": case.by_minimum,
    }  # fmt: skip
    head = [pl.Series(name, [value] * len(won.cuts), _KEYS[name]) for name, value in keys.items()]
    return pl.DataFrame([*head, pl.Series("cut", won.cuts)]).with_columns(
        exact=won.exact,
        worked_out=won.worked_out,
        **won.counts,
        **won.figure.columns(),
        **won.per_100_coups.columns(),
    )


def mains(uppers: Uppers, terms: Terms) -> pl.DataFrame:
    """For each main bet: what a bettor wins who makes only this bet, with one unit whenever its edge is positive. There
    is a row for each bet and cut."""
    frames = []
    for bet, bettor in zip(terms.main, terms.alone, strict=True):
        won = of_bettor(uppers, bettor)
        per_shoe, per_coup = (figure.upper.columns(figure.per.unit) for figure in (won.figure, won.per_100_coups))
        keys = pl.DataFrame({"bet": [bet] * len(won.cuts), "cut": won.cuts})
        frames.append(keys.with_columns(**won.counts, **per_shoe, **per_coup))
    return pl.concat(frames).with_columns(pl.selectors.float().fill_nan(None))


def of_bettor(uppers: Uppers, bettor: Bettor, free: PerfectBettor | None = None) -> ByCut:
    """What a bettor of the sweep wins. Both estimates are equal. `free` is as in `Uppers.of`."""
    sums, row = uppers.totals, uppers.row(bettor)
    figure = Figure.of_best(uppers.of(bettor, free), student_99(sums.parts), is_free(bettor))
    counts, errors = sums.sums[row, :, :2].astype(float) / sums.shoes, sums.counts_se[row]
    played, sides = ((counts[:, i], errors[:, i]) for i in range(2))
    coups = sums.coups_per_shoe, sums.coups_se
    return ByCut(sums.cuts, figure, coups, played, sides, True, np.ones(len(sums.cuts), bool))


def of_brackets(sums: Totals, brackets: Mapping[int, Bracket], free: Free | None) -> ByCut:
    """What is won at a seat at every cut, worked out from the brackets at some of the cuts.

    `free` is the gain of a counter who may skip any coup, if it is known. No counter at the seat wins more, so neither
    estimate is above it. The upper limit is the lesser of two limits with 99.5% confidence: the bracket's limit and the
    limit in `free`. If the bracket shows too few bets or gains (`Bracket.few`), the upper limit is just the 99% limit
    in `free`. Without `free`, it is the bracket's 99% limit, or infinite if the bracket shows too few bets or gains."""
    nothing = Mean(0.0, 0.0, 0.0)
    with_bracket = sorted(brackets)
    lowers, uppers = [], []
    counts: dict[str, list[tuple[float, float]]] = {"played": [], "sides": []}
    for i, cut in enumerate(sums.cuts):
        fewer = next((at for at in with_bracket if at >= cut), None)  # the nearest cut with fewer coups, or this cut
        more = max(at for at in with_bracket if at <= cut)
        lower = (nothing if fewer is None else brackets[fewer].lower).at_least
        mean, few = brackets[more].upper, brackets[more].few
        upper = Estimate(mean.value, np.nan, np.inf) if few else mean.at_most
        if free is not None:
            gain, beside = Estimate(*(float(column[i]) for column in free.gain)), float(free.beside[i])
            lesser = min(upper[:2], gain[:2])
            upper = gain if few else Estimate(*lesser, min(mean.upper(Z995), beside))
        if cut not in with_bracket and not brackets[more].seat.leaves:  # a bettor who may not leave can lose
            lower = lower if lower.value > 0 else Estimate(np.nan, np.nan, -np.inf)
            upper = Estimate(max(upper.value, 0.0), upper.error, max(upper.limit, 0.0))
        lowers.append(lower)
        uppers.append(upper)
        for name, means in counts.items():
            mean = nothing if fewer is None else Mean.of(brackets[fewer].shoes[name].to_numpy())
            means.append((mean.value, mean.error))
    lower, upper = (Estimate(*np.array(estimates).T) for estimates in (lowers, uppers))
    played, sides = (tuple(np.array(means).T) for means in counts.values())
    exact = all(bracket.exact for bracket in brackets.values())
    coups = sums.coups_per_shoe, sums.coups_se
    return ByCut(sums.cuts, Figure.of(lower, upper), coups, played, sides, exact, np.isin(sums.cuts, with_bracket))


def judged(frame: pl.DataFrame, bound: Bound, coups_per_hour: float, team: int = 1) -> pl.DataFrame:
    """The frontier with two more columns: `verdict`, and `met`, whether the bound is met. For a bound in money, the
    figures are also given in money per hour.

    `team` is the number of counters at one table, each of whom bets up to the stake. They do not hinder one another, so
    a team wins `team` times what one counter wins. The verdict and the money per hour are for the team; figures in
    units are for one counter. Raises `InputError` for a bound in money if there is no largest side bet."""
    if bound.per is Per.HOUR:
        if frame["stake"].null_count():
            raise InputError("largest side bet: none, should be an amount for a bound in money")
        per_coup, per_hour = (Figure.names(per.unit) for per in (Per.COUPS, Per.HOUR))
        frame = frame.with_columns(
            (team * coups_per_hour / 100 * pl.col("stake") * pl.col(units)).alias(money)
            for units, money in zip(per_coup, per_hour, strict=True)
        )
        team = 1
    lower, upper = (team * pl.col(name) for name in limits_in(bound.per))
    met, not_met, open_ = (verdict.value for verdict in Verdict)
    below = (upper < bound.amount) | (upper <= 0)  # if no counter wins anything, every bound is met
    verdict = pl.when(below).then(pl.lit(met)).when(lower > bound.amount).then(pl.lit(not_met))
    return frame.with_columns(verdict.otherwise(pl.lit(open_)).alias("verdict")).with_columns(
        (pl.col("verdict") == met).alias("met")
    )


def limits_in(per: Per) -> tuple[str, str]:
    """The columns of the lower and the upper limit in this unit."""
    _, _, lower, _, _, upper = Figure.names(per.unit)
    return lower, upper


def _most_of_all() -> pl.Expr:
    """The largest side bet at which every row meets the bound. It is null if, for some row whose counter may win, this
    bet is not known."""
    unknown = pl.col("most_side_bet").is_null() & (pl.col(limits_in(Per.COUPS)[1]) > 0)
    return pl.when(unknown.any()).then(None).otherwise(pl.col("most_side_bet").min())


def greatest_most_bet(rows: pl.DataFrame) -> float | None:
    """The greatest of the largest side bets in a frontier's rows. It is None if some row has no largest side bet."""
    most_bets = rows["most_bet"]
    return None if most_bets.null_count() else cast("float", most_bets.max())


def cheapest(
    frontier: pl.DataFrame, cut: int, tie_in: float, bound: Bound, team: int = 1, theo: TheoreticalWin | None = None
) -> pl.DataFrame:
    """For each side bet and counter: the rule in force, and the cheapest rule that meets the bound.

    There is a row for each side bet, counter and model. For each side bet, one more row is against `all` counters. The
    rule in force has the cut `cut`, the main-bet requirement `tie_in`, and the greatest of the largest side bets
    compared (`greatest_most_bet`).

    The cheapest rule gives up the least theoretical win per shoe or, without `theo`, the fewest coups. Among rules that
    cost the same, it is the one with the fewest cards behind the cut card, then the smallest main-bet requirement, then
    the largest side bet. Its cut and its requirement are at least the present ones. Among the columns are:

    - `limit`: the upper 99% limit in the bound's unit, for the whole team
    - `least`: the lower 99% limit, in the same unit
    - `new_...`: the cheapest rule and its figures; null if no rule of the frontier meets the bound with at least the
      present cut and requirement
    - `most_side_bet`, for a bound in money: the largest side bet that meets the bound if no other rule is changed

    Raises `InputError` if the frontier does not contain the rule in force."""
    rows = []
    for (bet,), of_bet in frontier.group_by("bet", maintain_order=True):
        in_force = {"cut": cut, "tie_in": tie_in, "most_bet": greatest_most_bet(of_bet)}
        against = of_bet.select("counter", "model").unique(maintain_order=True).rows()
        for counter, model in [*against, ("all", "all")]:
            these = pl.lit(True) if model == "all" else (pl.col("counter") == counter) & (pl.col("model") == model)
            by_rule = _by_rule(of_bet.filter(these), bound, team, str(bet), theo)
            now = _in_force(by_rule, in_force)
            best = _best(by_rule, now)
            gains = ("lower_units_per_shoe", "upper_units_per_shoe", "limit")
            rows.append(
                {
                    "bet": bet,
                    "counter": counter,
                    "model": model,
                    **in_force,
                    "verdict": (
                        Verdict.MET if now["met"] else Verdict.NOT_MET if now["broken"] else Verdict.UNDECIDED
                    ).value,
                    "least": now["least"],
                    **{name: now[name] for name in gains},
                    **{f"new_{name}": best[name] for name in (*in_force, *gains)},
                    **_cost(now, best, theo),
                    **({"most_side_bet": now["most"]} if bound.per is Per.HOUR else {}),
                }
            )
    return pl.DataFrame(rows, infer_schema_length=None)


def cheapest_by_most_bet(
    frontier: pl.DataFrame, cut: int, tie_in: float, bound: Bound, team: int, theo: TheoreticalWin
) -> pl.DataFrame:
    """The cheapest rule that keeps every counter under the bound, as in `cheapest`, and what it costs compared with the
    rule in force. There is a row for each side bet and each largest bet compared."""
    rows = []
    for (bet,), of_bet in frontier.group_by("bet", maintain_order=True):
        by_rule = _by_rule(of_bet, bound, team, str(bet), theo)
        now = _in_force(by_rule, {"cut": cut, "tie_in": tie_in, "most_bet": greatest_most_bet(of_bet)})
        for most_bet in of_bet["most_bet"].unique().sort(descending=True, nulls_last=False):
            best = _best(by_rule.filter(pl.col("most_bet").eq_missing(most_bet)), now)
            rule = {name: best[name] for name in ("cut", "tie_in", "limit")}
            rows.append({"bet": bet, "most_bet": most_bet, **rule, **_cost(now, best, theo)})
    return pl.DataFrame(rows, infer_schema_length=None)


def _in_force(by_rule: pl.DataFrame, rule: Mapping[str, float | None]) -> dict[str, Any]:
    """The row of the rule in force. Raises `InputError` if it is not among the rules compared."""
    rows = by_rule.filter(pl.col(name).eq_missing(value) for name, value in rule.items())
    if rows.is_empty():
        raise InputError(
            f"rule in force: cut {rule['cut']}, main-bet requirement {rule['tie_in']:g}", "one of the rules compared"
        )
    return rows.row(0, named=True)


def _by_rule(rows: pl.DataFrame, bound: Bound, team: int, bet: str, theo: TheoreticalWin | None) -> pl.DataFrame:
    """A row for each cut, requirement and largest bet: the most that any counter wins, the coups per shoe, and the
    theoretical win per shoe. Without the argument `theo`, the column `theo` gives the coups instead."""
    counters = 1 if bound.per is Per.HOUR else team  # figures in money are already the team's
    lower, upper = limits_in(bound.per)
    by_rule = rows.group_by("cut", "tie_in", "most_bet").agg(
        pl.col("met").all(),
        pl.col("verdict").is_in([Verdict.NOT_MET.value]).any().alias("broken"),
        pl.col("lower_units_per_shoe").max(),
        pl.col("upper_units_per_shoe").max(),
        (counters * pl.col(lower).max()).alias("least"),
        (counters * pl.col(upper).max()).alias("limit"),
        (_most_of_all() if bound.per is Per.HOUR else pl.lit(None, pl.Float64)).alias("most"),
        pl.col("coups_per_shoe").first().alias("coups"),
    )
    per_coup = [
        1.0 if theo is None else theo.per_coup(theo.terms.sides[bet], tie_in, most_bet)
        for tie_in, most_bet in by_rule.select("tie_in", "most_bet").rows()
    ]
    return by_rule.with_columns((pl.col("coups") * pl.Series(per_coup, dtype=pl.Float64)).alias("theo"))


def _best(by_rule: pl.DataFrame, now: Mapping[str, Any]) -> dict[str, Any]:
    """The cheapest rule that meets the bound. Its cut and its requirement are not below those in force. All values are
    None if no rule meets the bound."""
    stricter = (pl.col("cut") >= now["cut"]) & (pl.col("tie_in") >= now["tie_in"])
    order = by_rule.filter(pl.col("met") & stricter).sort(
        "theo", "cut", "tie_in", "most_bet", descending=[True, False, False, True]
    )
    return order.row(0, named=True) if len(order) else dict.fromkeys(by_rule.columns)


def _cost(now: Mapping[str, Any], best: Mapping[str, Any], theo: TheoreticalWin | None) -> dict[str, Any]:
    """How many coups per shoe the cheapest rule loses compared with the rule in force. With `theo`, also the
    theoretical win under the rule in force, and how much of it is given up, in money per shoe."""
    none = best["cut"] is None
    cost: dict[str, Any] = {"coups_lost_per_shoe": None if none else now["coups"] - best["coups"]}
    if theo is not None:
        cost["theo_per_shoe"] = now["theo"]
        cost["theo_given_up_per_shoe"] = None if none else now["theo"] - best["theo"]
    return cost


def refuse_few(plan: Plan) -> None:
    """Raise `InputError` for a plan with too few shoes for an upper 99% limit."""
    if plan.shoes < LEAST_SHOES:
        raise InputError(
            f"shoes: {plan.shoes}, should be {LEAST_SHOES:,} or more: fewer shoes do not show how large the error is"
        )
