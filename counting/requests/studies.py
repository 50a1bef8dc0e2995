"""The requests for the study of a game, for its page, and for the vulnerability of a bet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import keyword, path
from counting.io.folders import alone, claimed
from counting.numbers import per_hour, positive
from counting.requests.answers import Answer, published
from counting.requests.pits import PitArguments, refuse_units
from counting.requests.played import PlayedArguments
from counting.requests.request import (
    Amount,
    BetName,
    BetNames,
    File,
    GameLike,
    Request,
    Written,
    as_whole,
    exact_text,
    given_values,
)

if TYPE_CHECKING:
    from counting.games import Game
    from counting.reports import Report
    from counting.requests.hosts import Host
    from counting.sweep import Plan, Sweep
else:
    Sweep = object


@dataclass(frozen=True, kw_only=True)
class StudyRequest(PlayedArguments, Request[Sweep]):
    """Study a game: exact edges, a sweep of shoes, its summary, figures, and a page to read.

    Example: counting study louisiana

    Example: counting study ez-baccarat --decks 6 --cut 0.5d --burn first-card --shoes 20k --open

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    out
        The folder for all results, as dragon-study. The command's default is the game's name with -study; if that
        folder has a study of another plan, digits are added to the name.
    bet
        Bets to study, as dragon-7 panda-8: from the game or the catalog (see `counting bets`), or written out; by
        default all bets of the game.
    rows
        Keep a row for every coup, about 20 bytes each. Later, other games can then be priced on the same coups.
    """

    game: GameLike = field(kw_only=False)
    bet: BetNames | None = None
    out: File | None = None
    rows: bool = False

    def answered(self, host: Host) -> Answer[Sweep]:
        from counting.reports.study import KIND, report

        bets = given_values(self.bet, "bet")
        plan = self.plan(self.game, bets, keep_rows=int(self.rows), spread=True)
        return _played(self, plan, host, f"{plan.game.name}-study", KIND, report)


@dataclass(frozen=True, kw_only=True)
class ReportRequest(Request[Sweep]):
    """Write the page of a finished sweep, with its tables, figures and JSON file, as `study` does.

    If the sweep kept neither rows nor the spread of edges, the page has no quantiles of edges. If it kept no sums by
    cut, the page has results for the sweep's cut card only.

    Example: counting report louisiana-sweep

    Example: counting report dragon-7-sweep --out dragon-7-page

    Parameters
    ----------
    dir
        The folder of a sweep, or of a study that holds one.
    out
        The folder for the page. The command's default is the sweep's or the study's folder.
    """

    dir: File = field(kw_only=False)
    out: File | None = None

    def answered(self, host: Host) -> Answer[Sweep]:
        from counting.analysis import widest
        from counting.reports.study import report
        from counting.sweep import open_sweep

        own = path(self.dir, "dir")
        sweep = widest(open_sweep(own))
        host.say(*choices_taken(sweep.plan.game))
        folder = host.folder(self.out, lambda: own)
        claim = partial(claimed, kind="report", settings={"sweep": sweep.plan.stamp})
        with alone(folder) if folder == own else claim(folder), host.stage("Reading the sweep", "sweeps", after=2):
            return published(host, folder, report(sweep, host.command), sweep, claim)


@dataclass(frozen=True, kw_only=True)
class VulnerabilityRequest(PitArguments, PlayedArguments, Request[Sweep]):
    """A bet's vulnerability report: every count for the bet side by side, with a plot.

    The counts are named with --system; by default all counts of the library for the bet. A published count is compared
    with its published figures, on shoes dealt as in the publication. The recommendation is a rule that keeps a
    counter's win with the bet under a bound (99% confidence).

    Example: counting vulnerability ez-baccarat dragon-7 --dealing jacobson

    Example: counting vulnerability louisiana seven-seven-45 --stake 50 --bound 10/hour

    Parameters
    ----------
    game
        A game's name, as punto-banco (see `counting games`), or the path of a TOML file.
    bet
        A bet, as dragon-7: from the game or the catalog (see `counting bets`), or written out as "name: conditions =
        odds".
    stake
        The counter's bet in money, for wins per hour and for the recommendation.
    coups_per_hour
        Coups per hour at one table, for wins per hour and for the recommendation.
    bound
        The most that a counter may win, for the recommendation: in money as 25/hour, or in units of the bet as
        0.05/shoe or 0.1/100-coups.
    out
        The folder for all results, as dragon-report. The command's default is the bet's name with -vulnerability; if
        that folder has a report of another plan, digits are added to the name.
    """

    game: GameLike = field(kw_only=False)
    bet: BetName = field(kw_only=False)
    stake: Written = "100"
    coups_per_hour: Amount = 70.0
    bound: str = "10/hour"
    out: File | None = None

    def answered(self, host: Host) -> Answer[Sweep]:
        from counting.bounds import Bound
        from counting.reports.recommendation import AssumedTable
        from counting.reports.vulnerability import KIND, report
        from counting.systems import counts_for

        table = AssumedTable(
            positive(exact_text(self.stake), keyword("stake")),
            per_hour(self.coups_per_hour, keyword("coups_per_hour")),
            Bound.parse(self.bound),
            self.pit(),
        )
        refuse_units(table.pit, table.bound.per, f"a bound per hour, as {keyword('bound')} 25/hour")
        plan = self.plan(self.game, [self.bet])
        if not plan.systems:
            plan = replace(plan, systems=counts_for(plan.bets[0]))
        of_bet = partial(report, table=table, workers=as_whole(self.workers, "workers"))
        return _played(self, plan, host, f"{plan.bets[0]}-vulnerability", KIND, of_bet)


def choices_taken(game: Game) -> list[str]:
    """A line that states which drawing choices the prices assume, if the game has choices; otherwise no line. Output
    whose heading does not state the choices needs this line."""
    return [f"{game.name}{game.tableau.taken}:{game.caveat}"] if game.tableau.choices else []


def playing(plan: Plan) -> str:
    """The words on the progress bar while a plan is played."""
    return f"Playing {plan.game.heading}"


def play(host: Host, plan: Plan, folder: Path, workers: Mapping[str, Any]) -> Sweep:
    """Play a plan into a folder with these workers. Returns the sweep."""
    from counting.sweep import run

    with host.stage(playing(plan)) as pace:
        return run(plan, folder, progress=pace, space=pace.space, **workers)


def widen(host: Host, sweep: Sweep, workers: Mapping[str, Any]) -> Sweep:
    """The sweep, scored with more triggers if a count's best trigger is at an end of the range. The host gets a line on
    each count that is scored again."""
    from counting.analysis import widened

    with host.stage("Scoring counts at more triggers", after=2) as pace:
        wider = widened(sweep, progress=pace, **workers)
    for own, other in zip(sweep.plan.systems, wider.plan.systems, strict=True):
        if own != other:
            low, high = other.scored[0], other.scored[-1]
            again = f"scored again at {len(other.scored)} triggers, {low:g} to {high:g}"
            host.say(f"{own.name}: its best trigger was the lowest or the highest scored; {again}")
    return wider


def _played(
    request: StudyRequest | VulnerabilityRequest,
    plan: Plan,
    host: Host,
    name: str,
    kind: str,
    report: Callable[[Sweep, str], Report],
) -> Answer[Sweep]:
    """Play the sweep of a plan into the folder of its page, and return the answer."""
    from counting.sweep import folder_for

    folder = host.folder(request.out, lambda: folder_for(plan, name, kind))
    host.say(*choices_taken(plan.game))
    with request.pool(host.say) as pool, claimed(folder, kind, {}, was="sweep"):
        sweep = widen(host, play(host, plan, folder / "sweep", pool), pool)
        return published(
            host, folder, report(sweep, host.command), sweep, partial(claimed, kind=kind, settings={}, was="sweep")
        )
