"""Remarks on the counts that a sweep scored: an unbalanced count that starts at 0, a count that wins most by betting
every coup, and a count whose best trigger is the lowest or highest that was scored. The sweep's first shoes are dealt
again to find what another start or trigger would win."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from counting.analysis.scores import at_best, score
from counting.analysis.widening import whole_counts
from counting.arrays import Floats
from counting.exact import edges
from counting.io.tables import percent
from counting.simulation import Coups, play
from counting.sweep import Plan, Sweep
from counting.systems import TO_ZERO, BestTrigger, System, best_trigger, gains_by_count

FIRST_SHOES = 2_000  # how many of the sweep's shoes are dealt again; all of them if the sweep has fewer


def remarks(sweep: Sweep, of_bettors: bool = False) -> list[str]:
    """A line for each count and bet in three cases: the count was scored from a wrong start, it wins most by betting
    every coup, or its best trigger is the lowest or the highest one scored.

    `of_bettors`: true if the lines go with figures of bettors, who bet at the count's own trigger. Scoring more
    triggers would change none of these figures, so the lines do not suggest it."""
    if not sweep.plan.systems:
        return []
    return remarks_on(sweep.plan, at_best(score(sweep.ledger)).collect().to_dicts(), of_bettors)


def remarks_on(plan: Plan, best: Sequence[Mapping[str, Any]], of_bettors: bool = False) -> list[str]:
    """The lines of `remarks`. `best` holds the rows of `at_best`."""
    first, lines = _FirstShoes(plan), []
    for system in plan.systems:
        for row in (row for row in best if row["system"] == system.name):
            if system.drifts(plan.dealing.decks):
                lines.append(_on_start(system, row, first))
            elif row["bets"] == row["coups"] and row["units_per_shoe"] > 0:
                lines.append(f"{system.name}: on {row['bet']}, no trigger scored wins more than betting every coup.")
            elif system.is_end(row["trigger"]):
                lines += _on_trigger(system, row, first, of_bettors)
    return lines


class _FirstShoes:
    """The first shoes of a sweep, and what any count gains on them."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.shoes = plan, min(plan.shoes, FIRST_SHOES)

    @cached_property
    def coups(self) -> Coups:
        plan = self.plan
        return play(plan.game.tableau, plan.dealing, plan.seed, 0, self.shoes, plan.knows)

    @cached_property
    def edges(self) -> Mapping[str, Floats]:
        return dict(zip(self.plan.bets, edges(self.plan.game, self.coups.left, self.plan.bets).T, strict=True))

    def best(self, system: System, bet: str) -> BestTrigger | None:
        """The best of all whole-number triggers, with its gain as a share of the perfect counter's gain; None if no
        trigger wins."""
        counts, gains = gains_by_count(whole_counts(system, self.coups, self.plan.dealing.decks), self.edges[bet])
        return best_trigger(counts, gains / (self.edges[bet].clip(0).sum() or 1))

    @property
    def where(self) -> str:
        return f"on the first {self.shoes:,} shoes" if self.shoes < self.plan.shoes else "on these shoes"


def _on_start(system: System, row: Mapping[str, Any], first: _FirstShoes) -> str:
    """A remark on an unbalanced count: what it won as it was scored, and what it would win from a start at which it
    ends at 0. A running count keeps its start; the remark says what it would win at its best whole-number trigger."""
    bet, end = row["bet"], system.end(first.plan.dealing.decks)
    scored = (
        f"{system.drift(first.plan.dealing.decks)}. On {bet} it wins {percent(row['captured_share'] or 0.0, 1)} of "
        f"what perfect play wins, at its best trigger, {row['trigger']:g}."
    )
    if system.count == "running":
        better, change = first.best(system, bet), f"At its pivot, a running count near {end},"
    else:
        better, change = first.best(system.to_zero(), bet), f'With start = "{TO_ZERO}"'
    if better is None:
        return f"{scored} {change} it would win nothing at any trigger {first.where}."
    return f"{scored} {change} it would win {percent(better.gain, 1)}, at trigger {better.trigger} {first.where}."


def _on_trigger(system: System, row: Mapping[str, Any], first: _FirstShoes, of_bettors: bool) -> list[str]:
    """A remark that the best trigger is the lowest or highest that was scored. It also names the best whole-number
    trigger if this is another one. If no trigger wins, the remark says only this.

    There is no remark on a count that never bets and wins at no trigger."""
    bet, lowest, highest = row["bet"], system.scored[0], system.scored[-1]
    better = first.best(system, bet)
    if better is None and row["units_per_shoe"] <= 0:
        return (
            [f"{system.name}: this count wins nothing on {bet} at any whole-number trigger {first.where}."]
            if row["bets"]
            else []
        )
    which = "only" if lowest == highest else "lowest" if row["trigger"] == lowest else "highest"
    line = f"{system.name}: its best trigger for {bet}, {row['trigger']:g}, is the {which} one scored."
    if not row["bets"]:
        line = f"{system.name}: this count never bets on {bet} at the triggers scored, {lowest:g} to {highest:g}."
    what_to_do = "To score it, list it in triggers."
    if of_bettors:
        what_to_do = f"This counter bets at {system.at(system.on(bet))}; change the count's trigger to play another."
    if better is None or better.trigger == row["trigger"]:
        return [f"{line} Another trigger may win more. {what_to_do}"]
    return [
        f"{line} Of all whole-number triggers, {better.trigger} wins most {first.where}: {percent(better.gain, 1)} of "
        f"what perfect play wins. {what_to_do}"
    ]
