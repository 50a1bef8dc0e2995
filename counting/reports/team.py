"""The page of a team of counters: the simulated time to a target."""

from __future__ import annotations

from math import isfinite

import polars as pl

from counting.analysis import Estimated, TeamTime
from counting.numbers import many
from counting.reports import pages
from counting.reports.numbers import figure, money, share, unrounded
from counting.reports.pages import Report, Section

HOURS, TEAM = "The time to the target", "What the team does"
PRINTED = (HOURS, TEAM)  # the tables on a terminal
_SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
_NO_BOUND = (
    "This is simulated, with one standard error after ±. It is not a bound: a team that plays otherwise may win more."
)
_NOTE = (
    "Each run plays the team once, with its own shoes, and with bets settled as dealt. The team finds each table at a "
    "random coup of a shoe and counts from the next shoe on. All tables deal at the same pace. A call that comes while "
    "the player bets elsewhere waits as long as its trigger holds. The team's expected win per hour is the sum of the "
    "exact edges of its bets. A run whose time is over has neither reached the target nor lost the bankroll."
)
_WORDS = {
    "chance_over": "runs whose time is over",
    "mean_hours": "mean hours of the runs that reached the target",
    "money_per_hour": "expected win of the team, money per hour",
    "bets_per_hour": "bets per hour",
    "missed_share": "coups with a trigger that the player misses",
}
_ENDS = {"target": "target reached", "lost": "bankroll lost", "over": "time over"}


def report(time: TeamTime, command: str = "") -> Report:
    """The page of a team; `command`: the command that makes it again."""
    team, lines, figures = time.team, sentences(time), _figures(time)
    frame = pl.DataFrame([{"figure": name, **each._asdict()} for name, each in figures.items()])
    runs = pl.DataFrame([run._asdict() for run in time.runs]).with_columns(hours=pl.col("coups") / team.coups_per_hour)
    names = {f"chance_{ended}": f"runs that end with the {words}" for ended, words in _ENDS.items()} | _WORDS
    names |= {f"hours_q{100 * share:.0f}": f"hours in which {share:.0%} of runs reach the target" for share in _SHARES}
    return Report(
        title=f"The time that a team at {_tables(time)} takes to win {money(team.target)}",
        procedure=f"{team.game.heading}. {team.dealing.words}. {many(team.runs, 'run')}.",
        sentences=lines,
        note=_NOTE,
        sections=[
            Section(
                HOURS, columns=("share of runs that have reached the target", "within hours"),
                rows=[(f"{share:.0%}", _hours(time, time.quantile(share))) for share in _SHARES],
            ),
            Section(
                TEAM, columns=("figure", "value"), words=True,
                rows=[
                    (names[name], (_share if name.startswith(("chance", "missed")) else _figure)(each))
                    for name, each in figures.items() if not name.startswith("hours")
                ],
            ),
            Section("The team", columns=("", ""), rows=_terms(time), words=True),
            Section(
                "Provenance", columns=("", ""), words=True,
                rows=pages.provenance_of_game(
                    team.game, command, ("runs and seed", f"{many(team.runs, 'run')} from seed {team.seed}")
                ),
            ),
        ],
        data={
            "game": team.game.name, "bet": team.bet, "answer": lines, "simulated": True, "bound": None,
            "tables": team.tables, "stake": team.stake, "target": team.target, "bankroll": team.bankroll,
            "system": team.system.name if team.system else None, "walk": team.walk,
            "coups_per_hour": team.coups_per_hour, "most_hours": team.hours, "runs": team.runs, "seed": team.seed,
            "figures": frame.to_dicts(),
        },
        tables={"figures": frame, "runs": runs},
        names={"figure": names, "ended": _ENDS},
        headings={"figures": {"figure": "figure", "value": "simulated", "error": "standard error"}},
        sheets=1,
    )  # fmt: skip


def _figures(time: TeamTime) -> dict[str, Estimated]:
    """The results by name, each with its standard error. Infinite hours are null in JSON."""
    quantiles = {f"hours_q{100 * share:.0f}": time.quantile(share) for share in _SHARES}
    chances = {f"chance_{ended}": time.chance(ended) for ended in _ENDS}
    return chances | {"mean_hours": time.mean_hours} | quantiles | {
        "money_per_hour": time.per_hour, "bets_per_hour": time.bets_per_hour, "missed_share": time.missed,
    }  # fmt: skip


def sentences(time: TeamTime) -> list[str]:
    """Sentences: the time to the target, which is not a bound, what the team wins per hour, and the assumptions."""
    team, half = time.team, time.quantile(0.5)
    names = pages.labels(team.game)
    reached = f"{_share(time.chance('target'))} of runs"
    if isfinite(half.value):
        in_half = f"within {_figure(half)} hours in half of the runs"
        line = f"wins {money(team.target)} {in_half}, and sooner or later in {reached}"
    else:
        line = f"wins {money(team.target)} within {_count(team.hours)} hours in {reached}"
    if team.bankroll is not None:
        line += f". It loses its bankroll of {money(team.bankroll)} first in {_share(time.chance('lost'))} of runs"
    where, bound = "the table", "For the bound on a counter at this table, see counting vulnerability."
    if team.tables > 1:
        where = "one of the tables"
        bound = "For the bound on counters at these tables, which is the sum of the tables' bounds, see counting "
        bound += f"vulnerability --tables {team.tables}."
    return [
        f'Simulated: a team at {_tables(time)} makes bets of {money(team.stake)} on "{names[team.bet]}". It {line}.',
        _NO_BOUND,
        f"The team is expected to win {_figure(time.per_hour)} per hour with {_figure(time.bets_per_hour)} bets per "
        f"hour. Its player misses {_share(time.missed)} of the coups at which the trigger holds at {where}.",
        f"It is assumed that {_spotters(time)}. The player misses {many(team.walk, 'coup')} on the way to another "
        "table, stays at a table as long as its trigger holds, and is never refused a bet.",
        bound,
    ]


def _spotters(time: TeamTime) -> str:
    team = time.team
    if team.system is not None:
        return f"the spotters count {team.system.name} without a mistake and call the player at {_at(time)}"
    return f"the spotters know every edge and call the player at an edge above {100 * team.least_edge:g}%"


def _at(time: TeamTime) -> str:
    team = time.team
    return "" if team.system is None else team.system.at(team.system.on(team.bet))


def _terms(time: TeamTime) -> list[tuple[str, str]]:
    team = time.team
    return [
        ("tables", str(team.tables)),
        ("bet", pages.labels(team.game)[team.bet]),
        ("stake", money(team.stake)),
        ("target", money(team.target)),
        ("bankroll", "unlimited" if team.bankroll is None else money(team.bankroll)),
        ("spotters", f"{team.system.name}, call at {_at(time)}" if team.system else "know every edge"),
        ("coups missed on the way", str(team.walk)),
        ("coups per hour at each table", _count(team.coups_per_hour)),
        ("a run ends after hours", _count(team.hours)),
    ]


def _hours(time: TeamTime, hours: Estimated) -> str:
    return _figure(hours) if isfinite(hours.value) else f"not within {_count(time.team.hours)}"


def _figure(estimated: Estimated) -> str:
    if not isfinite(estimated.value):
        return "not known"
    if not isfinite(estimated.error):
        return f"{figure(estimated.value, None)} ± not known"
    return figure(estimated.value, estimated.error)


def _share(estimated: Estimated) -> str:
    return share(estimated.value, estimated.error, 1)


def _tables(time: TeamTime) -> str:
    return many(time.team.tables, "table")


def _count(value: float) -> str:
    return unrounded(value)
