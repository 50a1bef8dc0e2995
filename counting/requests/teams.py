"""The request for a team of counters: how long it takes to win a target."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from counting.errors import InputError, keyword
from counting.numbers import per_hour, positive, share
from counting.requests.answers import Answer
from counting.requests.played import DealtArguments, PlayedArguments
from counting.requests.request import Amount, BetName, File, GameLike, Request, Whole, Written, as_whole, exact_text
from counting.requests.studies import choices_taken

if TYPE_CHECKING:
    from counting.analysis import TeamTime
    from counting.requests.hosts import Host
    from counting.systems import System
else:
    TeamTime = object


@dataclass(frozen=True, kw_only=True)
class TeamRequest(DealtArguments, Request[TeamTime]):
    """A team that counts at several tables and calls a player in at a trigger: how long does it take to win a target?

    The figures are simulated, with standard errors; they prove no bound. Spotters bet nothing. The player bets the same
    stake on every coup while the trigger holds at the table, then goes to the next table that calls.

    Example: counting team ez-baccarat dragon-7 --tables 3 --target 10000 --bankroll 20000 --burn first-card

    Example: counting team ez-baccarat dragon-7 --dealing jacobson --system dragon-7 --stake 50 --target 5000 --walk 2

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        The bet that the player makes: from the game or the catalog, or written out.
    target
        The win, in money, at which the team stops.
    tables
        Tables at which a spotter counts.
    stake
        Money on each bet.
    bankroll
        The money that the team can lose. The team stops when less than one stake is left. By default no loss stops the
        team.
    system
        The spotters' count: its name or a TOML file; by default spotters know every edge.
    trigger
        The count from which spotters call, as 4; by default the system's own trigger. Without --system, the edge above
        which spotters call, as 1%; by default 0.
    walk
        Coups that the player misses on the way to another table.
    coups_per_hour
        Coups per hour at each table.
    most_hours
        Hours after which a run ends.
    runs
        Simulated runs; more runs give smaller errors.
    seed
        Seed of the shoes.
    out
        A folder for a page: report.html, report.json and tables.
    """

    holds: ClassVar[str] = "team"
    game: GameLike = field(kw_only=False)
    bet: BetName = field(kw_only=False)
    target: Written
    tables: Whole = 3
    stake: Written = "100"
    bankroll: Written | None = None
    trigger: Written | None = None
    walk: Whole = 1
    coups_per_hour: Amount = 70.0
    most_hours: Amount = 500.0
    runs: Whole = 2000
    seed: Whole = 1
    out: File | None = None

    def answered(self, host: Host) -> Answer[TeamTime]:
        from counting.analysis import Team
        from counting.reports.team import report

        dealt: dict[str, Any] = {name: getattr(self, name) for name in DealtArguments.arguments()}
        plan = PlayedArguments(**dealt, seed=self.seed).plan(self.game, [self.bet])
        host.say(*choices_taken(plan.game))
        if len(plan.systems) > 1:
            raise InputError(f"{keyword('system')}: {len(plan.systems)} counts, should be one")
        system, least = self._trigger(plan.systems[0] if plan.systems else None)
        team = Team(
            plan.game,
            plan.dealing,
            plan.bets[0],
            as_whole(self.tables, "tables"),
            self._money("stake"),
            self._money("target"),
            None if self.bankroll is None else self._money("bankroll"),
            system,
            least,
            as_whole(self.walk, "walk"),
            per_hour(self.coups_per_hour, keyword("coups_per_hour")),
            per_hour(self.most_hours, keyword("most_hours")),
            as_whole(self.runs, "runs"),
            plan.seed,
        )
        with host.stage("Playing the team", "runs", after=2) as progress:
            time = team.simulated(progress)
        settings = {"plan": plan.digest, "tables": team.tables, "runs": team.runs}
        return self.published(host, report(time, host.command), time, settings)

    def _trigger(self, system: System | None) -> tuple[System | None, float]:
        """The counting system with the trigger that the arguments give, or None without a system. The second value is
        the edge above which spotters call if there is no system."""
        if self.trigger is None:
            return system, 0.0
        if system is None:
            return None, float(share(exact_text(self.trigger), keyword("trigger")))
        from counting.systems import System

        try:
            trigger = float(exact_text(self.trigger))
        except ValueError:
            raise InputError(f"{keyword('trigger')}: {self.trigger}, should be a number") from None
        return System.from_dict(system.to_dict() | {"trigger": trigger, "triggers": [trigger]}), 0.0

    def _money(self, name: str) -> float:
        return float(positive(exact_text(getattr(self, name)), keyword(name)))
