"""A team that calls a player in: runs against a twin that goes coup by coup, and the errors of the figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

import numpy as np
import pytest
from extent import long_or

import counting
from counting import Dealing, InputError, load_game, load_system
from counting.analysis import Estimated, Team
from counting.analysis.teams import Call, TeamRun
from counting.cli import main

GAME = load_game("ez-baccarat")
FIGURES = {"stake": 10.0, "target": 80.0, "bankroll": 60.0, "walk": 2, "hours": 3.0, "coups_per_hour": 100.0}


def a_team(**given: Any) -> Team:
    return Team(GAME, Dealing(), "dragon-7", **{"tables": 3, **FIGURES, **given})


def random_shoes(rng: np.random.Generator, shoes: int = 200) -> list[tuple[int, list[Call]]]:
    """Shoes with stretches of coups on which a trigger holds, and the results of even-money bets there."""
    dealt = []
    for _ in range(shoes):
        coups = int(rng.integers(5, 15))
        holds, paid = rng.random(coups) < 0.4, rng.choice([-1.0, 1.0], coups)
        steps = np.flatnonzero(np.diff(holds, prepend=False, append=False)).tolist()
        stretches = zip(steps[::2], steps[1::2], strict=True)
        dealt.append((coups, [Call(begin, end, paid[begin:end], paid[begin:end]) for begin, end in stretches]))
    return dealt


def coup_by_coup(team: Team, shoes: Iterator[tuple[int, list[Call]]], begins: Sequence[int]) -> TeamRun:
    """A team's run by the words of the module, a coup at a time, from the shoes that each table deals."""
    lines: list[dict[int, tuple[int, float]]] = []  # by coup: where its call began, what the bet pays
    for begin in begins:
        line, at = {}, begin
        for coups, calls in [next(shoes) for _ in range(60)]:
            for call in calls:
                line |= {at + k: (at + call.start, call.paid[k - call.start]) for k in range(call.start, call.end)}
            at += coups
        lines.append(line)
    place, ready, follows, bets, won, missed = -1, 0, -1, 0, 0.0, 0
    for coup in range(team.most_coups):
        held = [line.get(coup, (-1, 0.0)) for line in lines]
        if place < 0 or follows < 0 or held[place][0] != follows:
            waiting = [(held[k][0], k) for k in range(team.tables) if held[k][0] >= 0]
            follows = -1
            if waiting:
                own = place >= 0 and held[place][0] >= 0
                number = place if own else min(waiting)[1]
                ready = coup if own else coup + team.walk
                place, follows = number, held[number][0]
        if follows >= 0 and ready <= coup:
            won, bets = won + team.stake * held[place][1], bets + 1
            missed += sum(of >= 0 for of, _ in held) - 1
            if won >= team.target:
                return TeamRun("target", coup + 1, bets, won, won, missed)
            if won + (inf if team.bankroll is None else team.bankroll) < team.stake:
                return TeamRun("lost", coup + 1, bets, won, won, missed)
        else:
            missed += sum(of >= 0 for of, _ in held)
    return TeamRun("over", team.most_coups, bets, won, won, missed)


@pytest.mark.long
def test_a_run_is_that_of_the_words() -> None:
    rng, ends = np.random.default_rng(3), set()
    for number in range(long_or(40, 16)):
        hours = 3.0 if number % 4 else 0.37  # some runs end in the middle of a call
        team, dealt = a_team(walk=number % 5, tables=1 + number % 4, hours=hours), random_shoes(rng, 300)
        begins = rng.integers(0, 5, team.tables)
        # In a run, each table deals shoe after shoe until one has a call. Here each table has shoes of its own.
        by_table = np.array_split(np.arange(len(dealt)), team.tables)
        own = [iter([dealt[i] for i in part]) for part in by_table]
        run = _with_tables(team, [iter([(5, []), *[dealt[i] for i in part]]) for part in by_table], begins)
        other = coup_by_coup(team, _in_turn(own, 60), begins.tolist())
        assert run[:5] == other[:5], number
        ends.add(run.ended)
    assert ends == {"target", "lost", "over"}


def _in_turn(each: Sequence[Iterator[tuple[int, list[Call]]]], number: int) -> Iterator[tuple[int, list[Call]]]:
    for shoes in each:
        yield from (next(shoes) for _ in range(number))


def _with_tables(team: Team, shoes: Sequence[Iterator[tuple[int, list[Call]]]], begins: Sequence[int]) -> TeamRun:
    """A run whose tables have these shoes and begin at these coups."""

    class Begins:
        def __init__(self) -> None:
            self.left = list(begins)

        def integers(self, _: int) -> int:
            return int(self.left.pop(0))

    return team.played(shoes, Begins())  # type: ignore[arg-type]


def test_a_team_is_the_same_for_the_same_seed_and_errors_fall_with_the_root_of_the_runs() -> None:
    team = a_team(stake=100.0, target=2000.0, bankroll=3000.0, hours=200.0, runs=60, system=load_system("dragon-7"))
    first, again = team.simulated(), team.simulated()
    assert first.runs == again.runs
    assert first.chance("target").value + first.chance("lost").value + first.chance("over").value == pytest.approx(1)
    assert first.within(200.0).value == first.chance("target").value
    assert first.per_hour.value > 0


def test_the_player_pair_has_a_team_too_as_its_edge_needs_ranks() -> None:
    game = load_game("punto-banco").also(["player-pair"])
    team = Team(game, Dealing(), "player-pair", 2, 10.0, 50.0, 60.0, runs=20, hours=40)
    assert {run.ended for run in team.simulated().runs} <= {"target", "lost", "over"}


def test_a_bet_that_never_pays_ends_with_the_time() -> None:
    team = Team(load_game("punto-banco"), Dealing(cut=200), "tie-8", 2, 10.0, 50.0, runs=20, hours=4)
    time = team.simulated()
    assert {(run.ended, run.coups, run.bets, run.missed) for run in time.runs} == {("over", 280, 0, 0)}
    assert time.quantile(0.5).value == inf


def test_errors_of_figures() -> None:
    values = np.arange(1.0, 101)
    assert Estimated.mean(values).error == pytest.approx(values.std(ddof=1) / 10)
    assert Estimated.share(25, 100) == (0.25, pytest.approx(0.0433, abs=1e-4))
    assert Estimated.share(0, 100).error > 0
    assert Estimated.quantile(values, 0.5) == (50, 5)
    assert Estimated.quantile(np.full(9, inf), 0.5).value == inf
    assert Estimated.ratio(2 * values, values) == (2, 0)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"tables": 0}, "tables: 0"),
        ({"walk": -1}, "walk: -1"),
        ({"runs": 1}, "runs: 1"),
        ({"bankroll": 5.0}, "bankroll: 5, should be the stake, 10, or more"),
        ({"system": load_system("panda-8")}, "system panda-8: for panda-8, should be for dragon-7"),
    ],
)
def test_a_team_that_cannot_be_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        a_team(**given)


def test_a_team_is_asked_in_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["team", "ez-baccarat", "dragon-7", "--target", "1000", "--bankroll", "2000", "--runs", "30", "--walk", "2"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert "It is not a bound" in said
    assert "misses 2 coups on the way" in said
    answer = counting.team("ez-baccarat", "dragon-7", target=1000, bankroll=2000, runs=30, walk=2)
    assert answer.data["bound"] is None
    assert answer.answer in said
    assert answer.tables["figures"].columns == ["figure", "value", "error"]


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (["--system", "dragon-7", "dragon-7-unbalanced"], "--system: 2 counts, should be one"),
        (["--trigger", "x", "--system", "dragon-7"], "--trigger: x, should be a number"),
        (["--trigger", "x"], "--trigger: x"),
        (["--stake", "0"], "--stake: 0, should be more than 0"),
    ],
)
def test_mistakes_are_named(capsys: pytest.CaptureFixture[str], option: list[str], says: str) -> None:
    assert main(["team", "ez-baccarat", "dragon-7", "--target", "100", *option]) == 2
    assert says in capsys.readouterr().err
