"""Arguments as people write them: a shoe as a text, or one name in place of a list. Each wrong argument gives an error
of one line."""

import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from counting import (
    Bet,
    Dealing,
    Effects,
    InputError,
    Plan,
    Shoe,
    Sweep,
    best_tags,
    counts_for,
    edges,
    estimate,
    events,
    exact_edges,
    load_game,
    load_system,
    open_sweep,
    perfect_gain,
)
from counting.chemin import solve
from counting.exact import census, edges_after_seeing, exact_gain, price_shoe, probabilities
from counting.logs import read_log
from counting.review import audit
from counting.simulation import simulate
from counting.sweep import CountingBettor, Stakes, run
from counting.verify import verify
from experiments.attack import arguments

EZ, SHOE, VALUES = "ez-baccarat", Shoe.parse("8d-7-7"), [[128, *[32] * 9]]
SEEN = Shoe.parse("8d-7")


@pytest.mark.long
@pytest.mark.parametrize(
    ("plainly", "fully"),
    [
        (lambda: exact_edges(EZ, "8d-7-7"), lambda: exact_edges(load_game(EZ), SHOE)),
        (lambda: events(EZ, "8d-7-7", "P1=9"), lambda: events(load_game(EZ), SHOE, "P1=9")),
        (lambda: price_shoe(EZ, "8d-7-7").edges, lambda: price_shoe(EZ, SHOE).edges),
        (lambda: probabilities(EZ, "8d-7-7"), lambda: probabilities(EZ, SHOE)),
        (lambda: edges_after_seeing(EZ, "8d-7-7", 0, "B1=9"), lambda: edges_after_seeing(EZ, SHOE, 0, "B1=9")),
        (lambda: Effects.of(EZ, "tie-8", "8d"), lambda: Effects.of(EZ, "tie-8", Shoe.decks(8))),
        (lambda: exact_edges(EZ, SHOE, bets="player"), lambda: exact_edges(EZ, SHOE, bets=["player"])),
        (lambda: edges(EZ, VALUES, "tie-8").tolist(), lambda: edges(EZ, VALUES, ["tie-8"]).tolist()),
        (lambda: load_game(EZ).also("big").bet_names, lambda: load_game(EZ).also(["big"]).bet_names),
        (lambda: census(EZ, "player", 6).equals(census(EZ, "player", [6])), lambda: True),
        (lambda: solve("1d", "A1").value, lambda: solve(Shoe.decks(1), "A1").value),
        (
            lambda: estimate(EZ, "tie-8", 60, samples=1000).equals(estimate(EZ, "tie-8", [60], samples=1000)),
            lambda: True,
        ),
        (lambda: simulate("punto-banco", 9).coups, lambda: simulate(load_game("punto-banco"), 9).coups),
        (lambda: Dealing(after_cut="1").after_cut, lambda: Dealing(after_cut=(1, 0)).after_cut),
        (lambda: Dealing(burn=3).burn, lambda: Dealing(burn="3").burn),
        (lambda: Stakes.of("tie-8", "player").key, lambda: Stakes.of(["tie-8"], ["player"]).key),
        (
            lambda: CountingBettor("a", "tie-8", "x", main="player", tie_in="1/2").to_dict(),
            lambda: CountingBettor("a", ("tie-8",), "x", main=("player",), tie_in=Fraction(1, 2)).to_dict(),
        ),
        (lambda: Effects.of(EZ, "tie-8", "8d").estimate("8d-7"), lambda: Effects.of(EZ, "tie-8", "8d").estimate(SEEN)),
        (lambda: counts_for(["dragon-7"]), lambda: counts_for("dragon-7")),
        (lambda: best_tags([4, 4, 4], [1, 0, -1], 1), lambda: best_tags((4, 4, 4), (Fraction(1), 0, Fraction(-1)), 1)),
        (
            lambda: Plan(EZ, Dealing(), 9, systems="dragon-7", bets="dragon-7"),
            lambda: Plan(load_game(EZ), Dealing(), 9, systems=[load_system("dragon-7")], bets=["dragon-7"]),
        ),
    ],
)
def test_what_is_written_plainly_is_the_same(plainly: Callable[[], Any], fully: Callable[[], Any]) -> None:
    assert plainly() == fully()


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: exact_edges(EZ, 8), r"^shoe: 8, should be a Shoe, as Shoe.parse\('8d'\) makes$"),
        (lambda: exact_edges(EZ, "8d-X"), "card 'X'"),
        (lambda: exact_edges(EZ, SHOE, 5), "^known 5: should be a text, as P1=9$"),
        (lambda: exact_edges(EZ, SHOE, bets=5), "^bets: 5, should be a list$"),
        (lambda: edges(EZ, VALUES, 5), "^bets: 5, should be a list$"),
        (lambda: census(EZ, 5, [10]), "^bets: 5, should be a list$"),
        (lambda: census(EZ, "player", "six"), "^cards left: 's', should be a whole number"),
        (lambda: census(EZ, "player", 61.5), "^cards left: 61.5, should be a whole number"),
        (lambda: Effects.of(EZ, 5, SHOE), "^bets: 5, should be a list$|^bet 5: "),
        (
            lambda: Plan(EZ, "jacobson", 9),
            r"^dealing: 'jacobson', should be a Dealing, as Dealing\(cut=14\) or Dealing.named",
        ),
        (
            lambda: Plan(EZ, Dealing(), 9, bettors=["me"]),
            "^bettors: 'me', should be a bettor, as",
        ),
        (lambda: Plan(EZ, Dealing(), 9, spread="yes"), "^spread: 'yes', should be True or False$"),
        (lambda: Plan(EZ, Dealing(), 9, systems=5), "^systems: 5, should be a list$"),
        (
            lambda: run("plan", "folder"),
            r"^plan: 'plan', should be a Plan, as Plan\('ez-baccarat'",
        ),
        (lambda: run(Plan(EZ, Dealing(), 9), 5), "^folder: 5, should be a path$"),
        (lambda: open_sweep(5), "^folder: 5, should be a path$"),
        (lambda: Dealing.named(5), "^dealing 5: should be one of "),
        (lambda: read_log(5), "^coups: 5, should be a path$"),
        (lambda: read_log(Path("nothing.csv"), 5), "should be a path"),
        (lambda: audit("coups.csv", EZ, 8), r"^log: 'coups.csv', should be a Log, as read_log\('coups.csv'\) makes$"),
        (lambda: verify(5), "^games: 5, should be a list$"),
        (lambda: verify("roulette"), "^game 'roulette': should be one of "),
        (lambda: load_game(EZ).bet(5), "^bet 5: ez-baccarat has "),
        (lambda: load_game(EZ).also([[1]]), r"^bet \[1\]: ez-baccarat has "),
        (lambda: load_game(EZ).mains([5]), "^bet 5, should be a name$"),
        (lambda: load_game(EZ).dealt_from("eight"), "^decks: 'eight', should be a whole number from 1 to 27$"),
        (lambda: load_system("dragon-7").on(7), "^bet 7, should be a name$"),
        (
            lambda: Effects.of(EZ, "tie-8", "8d").gain(100, float("nan")),
            "^correlation: nan, should be a number from -1",
        ),
        (lambda: Effects.of(EZ, "tie-8", "8d").correlation(5), "^tags: 5, should be a System, or 10 tags$"),
        (lambda: census(EZ, "player", 6, system=5), "should be one of .*or the path of a TOML file"),
        (lambda: Stakes.of("tie-8", ["player"], tie_in="one"), "^tie_in: should be a number of units from 0"),
        (lambda: CountingBettor(5, "tie-8", "dragon-7"), "^name: 5, should be a text, as 'counter'$"),
        (lambda: Sweep("folder", 5), "^plan: 5, should be a Plan, as Plan"),
        (lambda: counts_for(["a", "b"]), r"^bet: \['a', 'b'\], should be one text$"),
        (lambda: counts_for([]), r"^bet: \[\], should be one text$"),
        (lambda: Bet.written(5), "^bet 5, should be a text, as 'big-tie: "),
        (lambda: Bet.written(["a"]), r"^bet \['a'\], should be a text, as 'big-tie: "),
        (lambda: best_tags(5, [1], 1), "^counts: 5, should be a list$"),
        (lambda: best_tags([4, 4], [1, "x"], 1), "^weights: should be fractions, one for each of the counts$"),
        (lambda: best_tags([4, 4], None, 1), "^weights: None, should be a list$"),
        (lambda: best_tags([4, 4], [1, -1], [1]), r"^level: \[1\], should be a whole number from 1 to 4$"),
        (lambda: perfect_gain(EZ, 30), r"^effects: 'ez-baccarat', should be an Effects, as Effects.of\("),
        (lambda: perfect_gain(Effects.of(EZ, "tie-8", "1d"), [30]), r"^cards left: \[30\], should be a whole number"),
        (
            lambda: exact_gain(Effects.of(EZ, "tie-8", "1d"), [1] * 10, [30]),
            r"^cards left: \[30\], should be a whole number",
        ),
        (lambda: SHOE.without(np.zeros((2, 3))), "^card array.*: should be one of A 2 3 "),
        (lambda: census(EZ, "dragon-7", np.zeros((2, 3))), "^cards left: array.*, should be a whole number"),
        (lambda: census(EZ, "dragon-7", 6, tie_in=1, main=[["player"]]), r"^main: \['player'\], should be a text$"),
    ],
)
def test_a_wrong_argument_is_one_line(call: Callable[[], Any], says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        call()
    assert len(str(error.value).splitlines()) <= 2


def test_no_documented_call_takes_a_wrong_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    shown = [target for target, is_documented in arguments.targets() if is_documented]
    assert len(shown) > 50
    assert [outcome for target in shown for outcome in arguments.outcomes(target) if outcome.fault] == []


def test_a_call_that_takes_anything_is_named() -> None:
    def half(number: int) -> float:
        return 0.5 * number

    faults = [outcome.fault[:9] for outcome in arguments.outcomes(arguments.Target("half", half, {"number": int}, {}))]
    assert "taken" in faults
    assert "TypeError" in faults
