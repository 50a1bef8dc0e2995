"""The data of a page's explorer (`counting.reports.explorer`): what each counter wins at each cut. The data come from a
sweep's sums by cut, or from the frontier of limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from counting.analysis import by_penetration
from counting.bounds import Estimate, Figure, LimitsAnswer, Per, greatest_most_bet
from counting.cards import DECK
from counting.reports.explorer import Course, Explorer
from counting.sweep import Plan, Sweep
from counting.systems import PERFECT

MOST_BETS = 20  # the most bets on a page: each counter on a bet adds about 14 kB to the file
_ONE = ("value", "error")  # the script's names for an estimate
_TWO = ("lower", "lower_error", "least", "upper", "upper_error", "most")  # the script's names for two limits
_BY_ITSELF = (
    "Each limit holds with 99% confidence for its own rule. If you try many rules, one limit in a hundred may fail."
)
_HINDSIGHT = (
    "A counter who uses a counting system bets from a trigger on. The trigger is the one that won most on these shoes "
    "with the cut card of this report."
)


def at_every_cut(sweep: Sweep, triggers: Mapping[str, float]) -> pl.DataFrame:
    """The rows of `by_penetration` at every cut from the sweep's own cut to half of the shoe. If more than half of the
    shoe is behind the sweep's cut card, only this cut is included. `triggers`: the trigger of each system. No rows for
    a sweep without sums by cut."""
    dealing = sweep.plan.dealing
    if not sweep.plan.penetration:
        return pl.DataFrame()
    most = max(DECK * dealing.decks // 2, dealing.cut)
    return by_penetration(sweep, [int(cut) for cut in dealing.cuts if cut <= most], triggers)


def of_sweep(
    plan: Plan,
    by_cut: pl.DataFrame,
    names: Mapping[str, str],
    stake: float = 100.0,
    coups_per_hour: float = 70.0,
) -> Explorer | None:
    """The explorer of what the perfect counter and each system win on each bet. `by_cut`: the rows of `at_every_cut`;
    with fewer than two cuts, the result is None. `names`: the page's names of bets."""
    cuts = by_cut["cut"].n_unique() if len(by_cut) else 0
    if cuts < 2:
        return None
    first, systems = by_cut.head(cuts), {system.name: system for system in plan.systems}
    courses = [
        Course(
            str(bet),
            "perfect counter" if system == PERFECT else f"{system}, bet at {systems[str(system)].at(trigger)}",
            _columns(of_counter, _ONE, Estimate.names(Per.SHOE.unit)[:2]),
            _columns(of_counter, _ONE, Estimate.names(Per.COUPS.unit)[:2]),
            frequency=of_counter["bet_share"].to_list(),
        )
        for (bet, system, trigger), of_counter in by_cut.group_by("bet", "system", "trigger", maintain_order=True)
    ]
    order = sorted(courses, key=lambda course: -(course.per_shoe["value"][0] or 0))
    bets = list(dict.fromkeys(course.bet for course in order))
    left_out = len(bets) - len(bets[:MOST_BETS])
    return Explorer(
        cards=DECK * plan.dealing.decks,
        cuts=first["cut"].to_list(),
        coups=first["coups_per_shoe"].to_list(),
        courses=[course for bet in bets[:MOST_BETS] for course in courses if course.bet == bet],
        cut=plan.dealing.cut,
        names=names,
        stake=stake,
        coups_per_hour=coups_per_hour,
        notes=(
            *((_HINDSIGHT,) if (by_cut["system"] != PERFECT).any() else ()),
            *(
                (f"Only the {MOST_BETS} bets worth most to counters can be chosen. The tables have {left_out} more.",)
                if left_out
                else ()
            ),
        ),
    )


def best_triggers(scored: pl.DataFrame) -> dict[str, float]:
    """For each system, the trigger with the largest win per shoe on any bet. `scored` has the columns `system`,
    `trigger` and `units_per_shoe`."""
    best = scored.filter(pl.col("system") != PERFECT).sort("units_per_shoe", descending=True, maintain_order=True)
    return dict(best.group_by("system", maintain_order=True).first().select("system", "trigger").rows())


def of_limits(answer: LimitsAnswer, names: Mapping[str, str]) -> Explorer | None:
    """The explorer of what counters win at every cut under every rule of a frontier, with the verdict on the bound;
    None for a single cut. If several largest bets are compared and the win in units is the same for all, as it usually
    is, the explorer has only the largest."""
    question, frontier = answer.question, answer.frontier
    if len(question.cuts) < 2:
        return None
    rows = frontier
    if not answer.units_differ:
        rows = rows.filter(pl.col("most_bet").eq_missing(greatest_most_bet(rows)))
    courses = []
    keys = ("bet", "counter", "model", "tie_in", "most_bet")
    for (bet, counter, model, tie_in, most_bet), of_rule in rows.group_by(keys, maintain_order=True):
        rule = of_rule.sort("cut")
        courses.append(
            Course(
                str(bet),
                f"{counter}, {model}",
                _columns(rule, _TWO, Figure.names(Per.SHOE.unit)),
                _columns(rule, _TWO, Figure.names(Per.COUPS.unit)),
                requirement=float(str(tie_in)),
                stake=float(str(most_bet)) if answer.units_differ and most_bet is not None else None,
                unit=rule["stake"][0] if answer.units_differ else None,
                worked_out=rule["worked_out"].to_list(),
            )
        )
    at = frontier.select("cut", "coups_per_shoe").unique("cut").sort("cut")
    largest = max(frontier["most_bet"].drop_nulls().to_list(), default=100.0)
    return Explorer(
        cards=DECK * question.plan.dealing.decks,
        cuts=at["cut"].to_list(),
        coups=at["coups_per_shoe"].to_list(),
        courses=courses,
        cut=question.plan.dealing.cut,
        names=names,
        stake=largest,
        coups_per_hour=question.coups_per_hour,
        team=question.team,
        bound=(question.bound.amount, question.bound.per.value),
        requirement=question.in_force,
        notes=(_BY_ITSELF,),
    )


def _columns(rows: pl.DataFrame, keys: Sequence[str], names: Sequence[str]) -> dict[str, list[float | None]]:
    """The columns `names` as lists, under the script's `keys`."""
    return {key: rows[name].to_list() for key, name in zip(keys, names, strict=True)}
