"""A few of the random command lines and calls of `experiments/attack/run.py`. Each must end as documented.

With COUNTING_ATTACKS=2000, 2000 command lines and 2000 calls are tried.
"""

import os
import random
import shutil
import time
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from attack_inputs import DOORS, call, command_line, put_files

from counting import chemin
from counting.analysis import by_penetration, price, quantiles, results
from counting.cards import Shoe
from counting.cli import main
from counting.errors import InputError
from counting.exact import Effects, best_tags, census, exact_gain
from counting.exact.efficiency import by_count
from counting.games import load_game
from counting.simulation import Dealing, depths_for, play
from counting.simulation.shoes import arranged, play_orders
from counting.sweep import Plan, Stakes, Sweep
from counting.sweep.runner import encode_batch, play_batch

CASES = int(os.environ.get("COUNTING_ATTACKS", "40"))
ROUNDS = 4  # the number of tests among which the cases are divided
GAME = load_game("punto-banco").also(["tie-8"])
ONE = Dealing(1)


@pytest.fixture
def _files(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path_factory.getbasetemp() / "attacked"
    if not made.exists():
        put_files(made)
    shutil.copytree(made, tmp_path / "in")
    monkeypatch.chdir(tmp_path / "in")


@pytest.mark.usefixtures("_files")
@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_random_command_line_ends_as_documented(turn: int, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(turn, CASES, ROUNDS):
        line = command_line(random.Random(number))
        try:
            status = main(line)
        except SystemExit as stop:
            status = int(stop.code or 0)
        except BaseException as error:
            raise AssertionError(f"command line {number}: {line}") from error
        out, err = capsys.readouterr()
        assert status in (0, 1, 2), line
        assert status != 2 or out or err, line
        assert all(one.isprintable() for one in err.split("\n")), line


@pytest.mark.usefixtures("_files")
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("turn", range(ROUNDS))
def test_a_random_call_returns_or_is_refused(turn: int) -> None:
    for number in range(turn, CASES, ROUNDS):
        words, made = call(random.Random(number))
        try:
            made()
        except (InputError, TypeError):
            pass
        except BaseException as error:
            named = isinstance(error, OSError) and error.filename  # the file does not exist, or cannot exist
            if not named:
                raise AssertionError(f"call {number}: {words}") from error


@pytest.mark.usefixtures("_files")
def test_each_function_that_is_called_exists_and_its_parameters_have_values(monkeypatch: pytest.MonkeyPatch) -> None:
    for door in DOORS:
        monkeypatch.setattr("attack_inputs.DOORS", [door])
        for number in range(10):
            assert call(random.Random(number))[0].startswith(f"{door}(")


# Faults that random command lines and calls have found


@pytest.mark.parametrize("knows", ["values", "", "x" * 999])
def test_what_no_composition_is_known_by_is_refused(knows: Any) -> None:
    deck = np.arange(52, dtype=np.uint8)[np.newaxis]
    for made in (
        lambda: Effects.of(GAME, "tie-8", Shoe.decks(1), knows),
        lambda: play(GAME.tableau, ONE, 1, 0, 2, knows),
        lambda: play_orders(GAME.tableau, ONE, deck, 0, knows),
        lambda: arranged(1, 0, np.zeros((1, 10), np.int32), 1, knows),
    ):
        with pytest.raises(InputError, match=r"^knows: .*, should be value, rank or card$"):
            made()


@pytest.mark.parametrize(
    "last",
    [np.zeros(10), np.zeros((2, 13)), np.full((2, 10), 5), np.full((2, 10), -1), np.zeros((1, 10, 1)), [[1] * 9]],
)
def test_last_cards_of_no_shoe_are_refused(last: Any) -> None:
    with pytest.raises(InputError, match=r"^(last: should be counts|dimensions of the last cards' counts: )"):
        arranged(1, 0, last, 1)


def test_orders_may_be_a_list() -> None:
    deck = np.arange(52, dtype=np.uint8)[np.newaxis]
    assert (play_orders(GAME.tableau, ONE, deck.tolist()).shown == play_orders(GAME.tableau, ONE, deck).shown).all()


@pytest.mark.parametrize("batch", [-1, 1, 10**30])
def test_a_batch_beyond_the_plan_is_refused(batch: int, tmp_path: Path) -> None:
    plan = Plan(GAME, ONE, 3)
    for made in (lambda: encode_batch(plan, batch), lambda: play_batch(plan, tmp_path, batch)):
        with pytest.raises(InputError, match=r"^batch: -?[0-9]+, should be a whole number from 0 to 0$"):
            made()


@pytest.mark.parametrize("tags", [(), (0,) * 9, (0,) * 13, (10**30, *(0,) * 9), (101, *(0,) * 9), (0.5, *(0,) * 9)])
def test_tags_of_no_count_are_refused(tags: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"^tags?: "):
        by_count(Effects.of(GAME, "tie-8", Shoe.decks(1)), tags, 20)


@pytest.mark.parametrize("amount", [-1, 10**400, float("nan"), float("inf")])
def test_units_beyond_measure_are_refused(amount: Any) -> None:
    for name in ("least", "least_main", "most_main", "tie_in", "side_tie_in", "kept_up"):
        with pytest.raises(InputError, match=rf"^{name}: should be a number of units from 0 to "):
            Stakes.of(("tie-8",), ("player",), **{name: amount})


@pytest.mark.parametrize(
    ("bets", "levels", "every"),
    [((), (0.5,), 1), (("a",), (2,), 1), (("a",), (float("nan"),), 1), (("a",), (0.5,), 0), (("a",), (0.5,), 10**30)],
)
def test_quantiles_of_nothing_are_refused(bets: tuple[str, ...], levels: tuple[float, ...], every: int) -> None:
    with pytest.raises(InputError, match=r"^(quantiles: should have one bet or more, and levels from 0 to 1|every: )"):
        quantiles(pl.LazyFrame({"cards_left": [6], "a": [0.5]}), bets, levels, every)


def test_cuts_that_are_no_numbers_are_refused() -> None:
    for cuts in ((14, ()), (14, "x"), ([14],)):
        with pytest.raises(InputError, match=r"^cut: "):
            depths_for(cuts)  # type: ignore[arg-type]


def test_what_a_killed_census_left_half_written_is_cleared(tmp_path: Path) -> None:
    """The half-written file is in the folder that all processes share."""
    census(GAME, "tie-8", [6], 1)
    (kept,) = Path(os.environ["COUNTING_CACHE"]).iterdir()
    kept.unlink()
    (stray := kept.with_name(f".counting-{kept.name}.4711.part")).write_text("{")
    os.utime(stray, (0, 0))  # another process may still be writing a younger file
    census(GAME, "tie-8", [6], 1)
    assert kept.exists()
    assert not stray.exists()


def test_a_count_of_too_many_digits_is_refused() -> None:
    for made in (Shoe.from_ranks, Shoe.from_values):
        with pytest.raises(InputError, match=r"count 0 is a longer number, should be 0 or more$"):
            made([-(10**5000)] + [0] * (12 if made == Shoe.from_ranks else 9))


@pytest.mark.parametrize("tag", [float("nan"), float("inf"), 10**400])
def test_tags_beyond_measure_are_refused(tag: float) -> None:
    effects = Effects.of(GAME, "tie-8", Shoe.decks(1))
    for made in (effects.correlation, effects.break_even, lambda tags: exact_gain(effects, tags, 20)):
        with pytest.raises(InputError, match=r"^tags: should be numbers from -1,000,000 to 1,000,000$"):
            made([tag] + [0.0] * 9)
    assert exact_gain(effects, [0.0] * 10, 20) == exact_gain(effects, [0] * 10, 20)


@pytest.mark.parametrize("changes", [{}, {"tie_in": 0.5}, {"side_tie_in": 0.5}, {"least": 2, "tie_in": 1}])
@pytest.mark.parametrize(("sides", "mains"), [(13, 3), (5, 12), (40, 40), (0, 30), (30, 0), (13, 1), (16, 1)])
def test_stakes_too_many_to_go_through_are_refused_at_once(sides: int, mains: int, changes: dict[str, Any]) -> None:
    begun = time.process_time()
    names = [f"bet {i}" for i in range(sides + mains)]
    with pytest.raises(InputError, match=r"should be fewer: their stakes are too many to go through$"):
        Stakes.of(names[:sides], names[sides:], **{"least": 0.5, "least_main": 1, "most_main": 2} | changes)
    assert time.process_time() - begun < 5


def test_a_part_of_very_many_digits_is_refused() -> None:
    """Exact solutions would have as many digits, and would take forever."""
    for tiny in (Fraction(1, 10**400), Fraction(1, 10**12 + 1), 10**5000, -(10**5000)):
        with pytest.raises(InputError, match=r"^theta: a number of more digits, .* in at most 12 digits$"):
            chemin.banque.banque(Shoe.decks(1), tiny)  # type: ignore[arg-type]


def test_cuts_and_bets_that_a_sweep_lacks_are_told_in_a_line(louisiana_sweep: Sweep) -> None:
    with pytest.raises(InputError, match=r"^cut: a longer number, should be from 14 to 208, or a multiple of 8 up to"):
        by_penetration(louisiana_sweep, [10**5000])
    with pytest.raises(InputError, match=r"^bet '\\udcff': not priced in this table, should be a bet that was priced$"):
        quantiles(price(louisiana_sweep.coups, louisiana_sweep.plan.game, ["tie-9"]), ["\udcff"], [0.5])


def test_a_bet_that_the_game_lacks_is_refused_before_it_is_priced(louisiana_sweep: Sweep) -> None:
    for name in ("\udcff", "dragon-seven"):
        with pytest.raises(InputError, match=r"^bet '.*': louisiana has player, "):
            price(louisiana_sweep.coups, louisiana_sweep.plan.game, [name])


@pytest.mark.parametrize(
    ("counts", "weights", "line"),
    [
        ((2**63, 52), (Fraction(1), Fraction(1)), "counts: 9223372036854775808, should be a whole number"),
        ((14, 2), (0.5, Fraction(1)), "weights: should be fractions, one for each of the counts"),
        ((4, 4), (Fraction(1),), "weights: should be fractions, one for each of the counts"),
    ],
)
def test_tags_are_searched_for_counts_and_fractions(counts: Any, weights: Any, line: str) -> None:
    with pytest.raises(InputError, match=line):
        best_tags(counts, weights, 1)
    assert best_tags((np.int8(4), np.int8(4)), (Fraction(1), Fraction(-1)), 1) == (1, -1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("system", "trigger", "line"),
    [
        ("dragon-7", None, "^trigger: None, should be one of "),
        ("dragon-7", 1e9, "^trigger: 1000000000.0, should be one of "),
        ("dragon-8", 4.0, "^system 'dragon-8': should be one of perfect, dragon-7, "),
    ],
)
def test_results_are_of_a_system_and_trigger_of_the_sweep(
    system: str, trigger: float | None, line: str, rulers_sweep: Sweep
) -> None:
    with pytest.raises(InputError, match=line):
        results(rulers_sweep, system, trigger, "dragon-7")
