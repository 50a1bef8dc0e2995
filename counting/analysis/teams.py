"""Simulate how long a team that calls a player in takes to win a target sum of money.

Spotters count at several tables and bet nothing. When a trigger holds, a spotter calls the player. The player walks to
the table and, if it is another table, misses some coups on the way. The player bets a fixed stake on every coup while
the trigger holds, and is then free for the next call. If the player is betting elsewhere, the call waits as long as its
trigger holds. If several calls wait, the player takes the call from the table where the player is, or the oldest call
if there is none from this table.

All tables deal at the same pace, each from separate shoes, and bets are settled as dealt. The team finds each table at
a random coup of a shoe, and counts from the next shoe on. A run ends when the target is reached, less than one stake is
left, or the time is over."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from counting.arrays import Bools, Floats
from counting.cards import finest
from counting.errors import InputError, whole_field
from counting.exact import settlement
from counting.games import Game
from counting.simulation import Coups, Dealing, play
from counting.sweep import triggers_reached
from counting.systems import System

MOST_TABLES, MOST_RUNS, MOST_WALK = 100, 100_000, 1000
LEAST_RUNS = 20
_AT_ONCE = 2048  # shoes that are dealt at a time

Progress = Callable[[int, int], object]


class Estimated(NamedTuple):
    """A simulated figure with its standard error."""

    value: float
    error: float

    @classmethod
    def mean(cls, values: Floats) -> Estimated:
        if len(values) < 2:
            return cls(float("nan"), float("nan"))
        return cls(float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)))

    @classmethod
    def share(cls, happened: int, of: int) -> Estimated:
        """The share of runs in which an event happened. If it never or always happened, the error is computed as if
        there were two further runs, one with the event and one without."""
        p = (happened + 1) / (of + 2) if happened in (0, of) else happened / of
        return cls(happened / of, sqrt(p * (1 - p) / of))

    @classmethod
    def ratio(cls, over: Floats, under: Floats) -> Estimated:
        """The ratio of the sums of two figures over the runs."""
        ratio = over.sum() / under.sum() if under.sum() else float("nan")
        return cls(float(ratio), float(np.std(over - ratio * under, ddof=1) / under.mean() / sqrt(len(over))))

    @classmethod
    def quantile(cls, values: Floats, share: float) -> Estimated:
        """A quantile. Its error is half of the distance between the values whose ranks are one standard error below and
        above; NaN if the upper value is infinite."""
        ordered, n = np.sort(values), len(values)
        spread = sqrt(n * share * (1 - share))
        low, middle, high = (
            ordered[min(max(int(np.ceil(place)) - 1, 0), n - 1)]
            for place in (n * share - spread, n * share, n * share + spread)
        )
        return cls(float(middle), float((high - low) / 2) if np.isfinite(high) else float("nan"))


class Call(NamedTuple):
    """Successive coups of a table on which the trigger holds: from `start` up to, but not including, `end`. For each of
    these coups, `paid` is what the bet paid per unit, and `edges` is the bet's exact edge."""

    start: int
    end: int
    paid: Floats
    edges: Floats


class TeamRun(NamedTuple):
    """One simulated run of a team.

    - `ended`: how it ended: target, lost or over
    - `coups`: the coups that each table had dealt when the run ended
    - `bets`, `won` and `expected`: the number of bets, what they won, and what they were expected to win, from the
      exact edges
    - `missed`: the coups, at any table, on which a trigger held and the player did not bet; coups of calls that still
      wait at the end are left out"""

    ended: str
    coups: int
    bets: int
    won: float
    expected: float
    missed: int


@dataclass(frozen=True)
class Team:
    """A team at `tables` tables, with its stakes, target and rules.

    - `stake`, `target` and `bankroll`: in money; a `bankroll` of None is unlimited
    - `system`: the spotters' counting system, which has a trigger for the bet; None for spotters who know every edge,
      and who call at an edge above `least_edge`
    - `walk`: the coups missed on the way to another table
    - `hours`: the time after which a run ends

    Raises `InputError` for `tables`, `runs` or `walk` out of range, for a bankroll below the stake, and for a system
    that does not count for the bet."""

    game: Game
    dealing: Dealing
    bet: str
    tables: int
    stake: float
    target: float
    bankroll: float | None = None
    system: System | None = None
    least_edge: float = 0.0
    walk: int = 1
    coups_per_hour: float = 70.0
    hours: float = 500.0
    runs: int = 1000
    seed: int = 1

    def __post_init__(self) -> None:
        whole_field(self, "tables", "tables", 1, MOST_TABLES)
        whole_field(self, "walk", "walk", 0, MOST_WALK)
        whole_field(self, "runs", "runs", LEAST_RUNS, MOST_RUNS)
        if self.bankroll is not None and self.bankroll < self.stake:
            raise InputError(f"bankroll: {self.bankroll:g}, should be the stake, {self.stake:g}, or more")
        if self.system is not None and self.bet not in (self.system.bets or [self.bet]):
            raise InputError(
                f"system {self.system.label}: for {', '.join(self.system.bets or ())}, should be for {self.bet}"
            )

    @property
    def most_coups(self) -> int:
        return int(self.hours * self.coups_per_hour)

    def simulated(self, progress: Progress | None = None) -> TeamTime:
        """The runs, one after another. The same seed gives the same runs."""
        shoes, rng, runs = self._shoes(), np.random.default_rng([self.seed, self.tables]), []
        for number in range(self.runs):
            if progress is not None:
                progress(number, self.runs)
            runs.append(self.played([shoes] * self.tables, rng))
        return TeamTime(self, tuple(runs))

    def _shoes(self) -> Iterator[tuple[int, list[Call]]]:
        """An endless stream of shoes: the number of coups of each, and its calls."""
        settled = settlement(self.game, [self.bet])
        knows = settled.knows if self.system is None else finest([settled.knows, self.system.knows])
        for first in count(0, _AT_ONCE):
            coups = play(self.game.tableau, self.dealing, self.seed, first, _AT_ONCE, knows)
            betting = self._betting(coups)
            paid, edges = np.zeros((2, len(betting)))
            paid[betting] = settled.paid(coups.shown[betting])[:, 0]
            edges[betting] = settled.edges(coups.left[betting])[:, 0]
            ends = np.flatnonzero(np.diff(coups.shoe)) + 1
            for parts in zip(*(np.split(column, ends) for column in (betting, paid, edges)), strict=True):
                yield len(parts[0]), _calls(*parts)

    def _betting(self, coups: Coups) -> Bools:
        if self.system is None:
            return np.asarray(settlement(self.game, [self.bet]).edges(coups.left)[:, 0] > self.least_edge)
        own = self.system.scored.index(self.system.on(self.bet))
        return np.asarray(triggers_reached(self.system, coups, self.dealing.decks) > own)

    def played(self, shoes: Sequence[Iterator[tuple[int, list[Call]]]], rng: np.random.Generator) -> TeamRun:
        """One run, with an iterator of shoes for each table. A table's first shoe is the shoe that is being dealt when
        the team comes to the table."""
        tables = [_Table(each, rng, self.most_coups) for each in shoes]
        bankroll = inf if self.bankroll is None else self.bankroll
        now, at, bets, won, expected, missed = 0, -1, 0, 0.0, 0.0, 0
        while now < self.most_coups:
            missed += sum(table.over(now) for table in tables)
            waiting = [
                (table.calls[0].start, number) for number, table in enumerate(tables) if table.calls[0].start <= now
            ]
            if not waiting:
                now = min(table.calls[0].start for table in tables)
                continue
            number = at if any(place == at for _, place in waiting) else min(waiting)[1]
            call = tables[number].calls.popleft()
            begin = now if number == at else now + self.walk
            missed += min(begin, call.end) - call.start
            at = number
            for coup in range(begin, min(call.end, self.most_coups)):
                won += self.stake * float(call.paid[coup - call.start])
                expected += self.stake * float(call.edges[coup - call.start])
                bets += 1
                if won >= self.target:
                    return TeamRun("target", coup + 1, bets, won, expected, missed)
                if won + bankroll < self.stake:
                    return TeamRun("lost", coup + 1, bets, won, expected, missed)
            now = max(now, call.end)
        return TeamRun("over", self.most_coups, bets, won, expected, missed)


class _Table:
    """One table during a run. `calls` has the table's next calls in order. If no further call begins in time, it has an
    empty call, which begins when the time is over."""

    def __init__(self, shoes: Iterator[tuple[int, list[Call]]], rng: np.random.Generator, most_coups: int) -> None:
        self._shoes, self._most = shoes, most_coups
        self.calls: deque[Call] = deque()
        coups, _ = next(shoes)  # the shoe that the team finds
        self._begins = int(rng.integers(coups))
        self._fill()

    def _fill(self) -> None:
        """Deal shoes until there is a call, or the time is over."""
        while not self.calls:
            if self._begins >= self._most:
                self.calls.append(Call(self._most, self._most + 1, np.empty(0), np.empty(0)))
                return
            coups, calls = next(self._shoes)
            self.calls.extend(
                call._replace(start=self._begins + call.start, end=self._begins + call.end) for call in calls
            )
            self._begins += coups

    def over(self, now: int) -> int:
        """Drop the calls that are over. Returns the number of their coups."""
        lost = 0
        self._fill()
        while self.calls[0].end <= now:
            call = self.calls.popleft()
            lost += call.end - call.start
            self._fill()
        return lost


def _calls(betting: Bools, paid: Floats, edges: Floats) -> list[Call]:
    """The stretches of a shoe's coups on which the trigger holds."""
    steps = np.flatnonzero(np.diff(betting, prepend=False, append=False)).tolist()
    return [
        Call(start, end, paid[start:end], edges[start:end]) for start, end in zip(steps[::2], steps[1::2], strict=True)
    ]


@dataclass(frozen=True, eq=False)
class TeamTime:
    """The simulated runs of a team, and what they show, each figure with its standard error."""

    team: Team
    runs: Sequence[TeamRun]

    @cached_property
    def hours(self) -> Floats:
        """The hours of each run (runs,)."""
        return np.array([run.coups for run in self.runs]) / self.team.coups_per_hour

    def chance(self, ended: str) -> Estimated:
        """The chance that a run ends in this way: target, lost or over."""
        return Estimated.share(sum(run.ended == ended for run in self.runs), len(self.runs))

    @cached_property
    def to_target(self) -> Floats:
        """The hours of each run until the target (runs,). Infinite for a run that did not reach it."""
        reached = np.array([run.ended == "target" for run in self.runs])
        return np.where(reached, self.hours, inf)

    @property
    def mean_hours(self) -> Estimated:
        """The mean hours of the runs that reached the target. NaN for fewer than two of these."""
        return Estimated.mean(self.to_target[np.isfinite(self.to_target)])

    def quantile(self, share: float) -> Estimated:
        """The hours within which the share `share` of all runs reached the target. Infinite if a smaller share reached
        it."""
        return Estimated.quantile(self.to_target, share)

    def within(self, hours: float) -> Estimated:
        """The chance to reach the target within `hours` hours."""
        return Estimated.share(int((self.to_target <= hours).sum()), len(self.runs))

    @property
    def per_hour(self) -> Estimated:
        """What the team is expected to win per hour, from the exact edges of its bets and the time of all runs."""
        return Estimated.ratio(np.array([run.expected for run in self.runs]), self.hours)

    @property
    def bets_per_hour(self) -> Estimated:
        return Estimated.ratio(np.array([run.bets for run in self.runs], float), self.hours)

    @property
    def missed(self) -> Estimated:
        """Among the coups on which a trigger held, the share on which the player did not bet."""
        lost, bets = (np.array([getattr(run, name) for run in self.runs], float) for name in ("missed", "bets"))
        return Estimated.ratio(lost, lost + bets)
