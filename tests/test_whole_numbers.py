"""Arguments that are numpy integers, of every width, are stored as Python's int and give the same results."""

import dataclasses
import json
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or
from hypothesis import given
from hypothesis import strategies as st

import counting
from counting.analysis import Bankroll
from counting.bounds import CounterModel, Seat, brackets
from counting.cards import Shoe
from counting.chemin import BankCourse
from counting.chemin.macao import best_reply, load_macao
from counting.chemin.macao import simulate as macao_played
from counting.errors import InputError, whole
from counting.exact import Census, Effects, best_tags, exact_gain, perfect_gain
from counting.exact.efficiency import by_count
from counting.logs import Log, read_log
from counting.reports.chemin import course_rows
from counting.reports.effects import profile
from counting.review import PatronSettings, audit, dealing_errors
from counting.review.synthetic import dealt_table, log_of_table, patrons
from counting.simulation import Dealing, aims, importance, play, rare_gains, simulate
from counting.simulation.shoes import arranged, play_orders, play_with_replacement
from counting.sweep import CountingBettor, Plan, Stakes, run
from counting.sweep.scoring import Scoring
from counting.systems import load_system
from counting.verify import Extent
from counting.workers import threads

WIDTHS = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
PUNTO = counting.load_game("punto-banco").also(["tie-8"])
EFFECTS = Effects.of(PUNTO, "tie-8", Shoe.decks(1))
ONE = Dealing(1)
MACAO = load_macao("macao")
COURSE = BankCourse(Fraction(1, 2), Fraction(1, 10), Fraction(2))
FLAT = {"a": patrons.Flat("player", 5.0, 0.5)}
TAGS = (0, -1, 1, 1, 1, 1, 0, 0, -1, -2)


@cache
def table() -> dealt_table.DealtTable:
    return dealt_table.deal(PUNTO, ONE, 1, 0, 3)


@cache
def log(folder: Path) -> Log:
    coups, bets = log_of_table.log_frames(table(), FLAT, PUNTO, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    return read_log(folder / "coups.csv", folder / "bets.csv")


@cache
def aim() -> aims.Aim:
    return aims.aim_at(PUNTO, aims.Unit("tie-8"), [30], 1)


@cache
def reply() -> object:
    return best_reply(MACAO.shoe, MACAO)


# Exceptions: these functions take fractions, or counts that may be bools, or cache the result for 1, which equals True.
TAKE_MORE = (
    "Shoe.from_ranks", "Shoe.from_values", "edges", "Plan keep rows", "Effects correlation", "Bettor tie-in",
    "Effects tags", "tags search", "play orders",
)  # fmt: skip
SLOW = {
    "aim", "aim, decks", "estimate, cards left", "estimate, samples", "estimate, seed", "audit", "profile",
    "proof, compositions", "proof, seed",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _few_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates are from few chains, as their quality does not matter here."""
    monkeypatch.setattr(importance, "_CHAINS", long_or(2_000, 200))
    monkeypatch.setattr(importance, "_PILOT", long_or(30_000, 1_000))


def flat(result: object) -> object:
    """A result as plain data, for comparisons. Asserts that it has no numpy integer."""
    assert not isinstance(result, np.integer), repr(result)
    if isinstance(result, pl.DataFrame):
        return result.to_dicts()
    if isinstance(result, np.ndarray):
        return result.tolist()
    if isinstance(result, dict):
        return {key: flat(value) for key, value in result.items()}
    if isinstance(result, list | tuple):
        return [flat(value) for value in result]
    if dataclasses.is_dataclass(result):
        return {field.name: flat(getattr(result, field.name)) for field in dataclasses.fields(result) if field.compare}
    return repr(result)


def retallied(n: int, folder: Path) -> object:
    plan = Plan(PUNTO, ONE, 4)
    return [flat(list(tally)) for tally in run(plan, folder / "sweep").retallied(cuts=[n])]


# Calls that take a whole number, each with a valid number.
CASES: dict[str, tuple[Callable[[int, Path], object], int]] = {
    "Shoe.decks": (lambda n, _: Shoe.decks(n), 8),
    "Shoe.from_ranks": (lambda n, _: Shoe.from_ranks([n] * 13).cards_left, 100),
    "Shoe.from_values": (lambda n, _: Shoe.from_values([n] * 10).cards_left, 100),
    "edges": (lambda n, _: counting.exact_edges(PUNTO, Shoe.from_ranks([n] * 13)), 108),
    "Dealing decks": (lambda n, _: Dealing(n), 27),
    "Dealing cut": (lambda n, _: Dealing(8, n), 100),
    "Dealing after cut": (lambda n, _: Dealing(8, 14, "none", (n, n)), 1),
    "dealt decks": (lambda n, _: play(PUNTO.tableau, Dealing(n), 1, 0, 2), 8),
    "dealt to a cut": (lambda n, _: play(PUNTO.tableau, Dealing(8, n), 1, 0, 2), 100),
    "preset": (lambda n, _: Dealing.named("louisiana-75", n), 8),
    "play shoes": (lambda n, _: play(PUNTO.tableau, Dealing(), 1, 0, n), 8),
    "play seed": (lambda n, _: play(PUNTO.tableau, Dealing(), n, 0, 2), 100),
    "play first shoe": (lambda n, _: play(PUNTO.tableau, Dealing(), 1, n, 8), 127),
    "play noticed": (lambda n, _: play(PUNTO.tableau, Dealing(), 1, n, 8).noticed(0.3), 127),
    "play orders": (lambda n, _: play_orders(PUNTO.tableau, ONE, np.arange(52, dtype=np.uint8)[np.newaxis], n), 9),
    "play with replacement, coups": (lambda n, _: play_with_replacement(PUNTO.tableau, 1, 2, n), 100),
    "play with replacement, stream": (lambda n, _: play_with_replacement(PUNTO.tableau, 1, n, 9), 100),
    "arranged decks": (lambda n, _: arranged(1, 2, np.zeros((2, 10), np.int32), n), 8),
    "arranged first shoe": (lambda n, _: arranged(1, n, np.zeros((2, 10), np.int32), 1), 100),
    "deal shoes": (lambda n, _: dealt_table.deal(PUNTO, ONE, 1, 0, n), 8),
    "deal first shoe": (lambda n, _: dealt_table.deal(PUNTO, ONE, 1, n, 3), 127),
    "deal seed": (lambda n, _: dealt_table.deal(PUNTO, ONE, n, 0, 3), 100),
    "log frames": (lambda n, _: log_of_table.log_frames(table(), FLAT, PUNTO, n), 100),
    "Visitor": (lambda n, _: patrons.Visitor("player", 1.0, n, n), 100),
    "Trend": (lambda n, _: patrons.Trend(("player",), 1.0, n), 100),
    "Sorter": (lambda n, _: patrons.Sorter("player", 1.0, good=(n,)), 9),
    "simulate coups": (lambda n, _: simulate(PUNTO, n, 1), 100),
    "simulate decks": (lambda n, _: simulate(PUNTO, 200, n), 8),
    "simulate seed": (lambda n, _: simulate(PUNTO, 200, 1, n), 100),
    "simulate with replacement": (lambda n, _: simulate(PUNTO, n, None), 100),
    "Plan shoes": (lambda n, _: Plan(PUNTO, ONE, n).to_dict(), 100),
    "Plan seed": (lambda n, _: Plan(PUNTO, ONE, 9, n).digest, 100),
    "Plan keep rows": (lambda n, _: Plan(PUNTO, ONE, 9, keep_rows=n).digest, 100),
    "Plan decks": (lambda n, _: Plan(PUNTO, Dealing(n), 9).digest, 8),
    "Plan after cut": (lambda n, _: Plan(PUNTO, Dealing(8, 14, "none", (n, n)), 9).digest, 1),
    "threads": (lambda n, _: threads(n), 2),
    "sweep, again under a cut": (retallied, 20),
    "Scoring": (lambda n, _: Scoring(PUNTO, ("tie-8",), (), n).decks, 8),
    "census, cards left": (lambda n, _: counting.exact.census(PUNTO, "tie-8", [n], 1, cache=False), 6),
    "census, decks": (lambda n, _: counting.exact.census(PUNTO, "tie-8", [6], n, cache=False), 8),
    "census, workers": (lambda n, _: counting.exact.census(PUNTO, "tie-8", [6], 1, n, cache=False), 2),
    "census, histogram": (lambda n, _: counting.exact.census(PUNTO, "tie-8", [6], 1, cache=False, histogram=n), 100),
    "census, kept": (lambda n, _: counting.exact.census(PUNTO, "tie-8", [n], 1), 6),
    "Census": (lambda n, _: Census(PUNTO, "tie-8", 6, n), 8),
    "estimate, cards left": (lambda n, _: counting.estimate(PUNTO, "tie-8", [n], 1, 1000), 20),
    "estimate, samples": (lambda n, _: counting.estimate(PUNTO, "tie-8", [20], 1, n), 1000),
    "estimate, seed": (lambda n, _: counting.estimate(PUNTO, "tie-8", [20], 1, 1000, n), 100),
    "Effects variance": (lambda n, _: EFFECTS.variance(n), 40),
    "Effects variance, order": (lambda n, _: EFFECTS.variance(20, n), 2),
    "Effects gain": (lambda n, _: EFFECTS.gain(n), 40),
    "Effects kept": (lambda n, _: EFFECTS.kept(0.5, n), 40),
    "Effects tags": (lambda n, _: EFFECTS.tags(n), 2),
    "Effects correlation": (lambda n, _: EFFECTS.correlation([n * (v == 8) for v in range(10)]), 50),
    "Effects break-even": (lambda n, _: EFFECTS.break_even(load_system("tie-on-7"), n), 40),
    "by count": (lambda n, _: by_count(EFFECTS, TAGS, n), 40),
    "efficiency gain": (lambda n, _: exact_gain(EFFECTS, TAGS, n), 40),
    "efficiency, perfect": (lambda n, _: perfect_gain(EFFECTS, n), 10),
    "profile": (lambda n, _: profile(EFFECTS, (), [n])["depths"], 52),
    "tags search": (lambda n, _: best_tags((1, 1, 1), (Fraction(1), Fraction(-1), Fraction(0)), n), 3),
    "depths for cuts": (lambda n, _: aims.depths_for([n], 1), 14),
    "depths for cuts, decks": (lambda n, _: aims.depths_for([14], n), 8),
    "aim": (lambda n, _: aims.aim_at(PUNTO, aims.Unit("tie-8"), [n], 1).depths, 30),
    "aim, decks": (lambda n, _: aims.aim_at(PUNTO, aims.Unit("tie-8"), [40], n).decks, 1),
    "weighted, shoes": (lambda n, _: rare_gains.deal_weighted(aim(), ONE, [14], n), 1000),
    "weighted, cuts": (lambda n, _: rare_gains.deal_weighted(aim(), ONE, [n], 1000), 20),
    "weighted, seed": (lambda n, _: rare_gains.deal_weighted(aim(), ONE, [14], 1000, n), 100),
    "proof, compositions": (lambda n, _: rare_gains.prove_bound(aim(), ONE, [14], n), 1000),
    "proof, seed": (lambda n, _: rare_gains.prove_bound(aim(), ONE, [14], 1000, n), 100),
    "bracket, shoes": (
        lambda n, _: brackets.bracket(Seat(PUNTO, ONE, Stakes.of(("tie-8",), ()), None), n, 1).shoes, 100,
    ),
    "bracket, seed": (
        lambda n, _: brackets.bracket(Seat(PUNTO, ONE, Stakes.of(("tie-8",), ()), None), 9, n).shoes, 100,
    ),
    "Seat": (lambda n, _: Seat(PUNTO, ONE, Stakes.of(("tie-8",), ("player",)), n).most_skipped, 3),
    "CounterModel": (lambda n, _: CounterModel("skip", n), 3),
    "Bettor skips": (lambda n, _: CountingBettor("a", ("tie-8",), "tie-on-7", skips=n).to_dict(), 3),
    "Bettor tie-in": (
        lambda n, _: CountingBettor("a", ("tie-8",), "tie-on-7", tie_in=Fraction(n), main=("player",)), 100,
    ),
    "Bankroll": (lambda n, _: Bankroll(100.0, n, 1.0), 100),
    "Extent": (lambda n, _: Extent(n), 100_000),
    "dealing errors": (lambda n, folder: dealing_errors(log(folder), PUNTO, n), 1),
    "audit": (lambda n, folder: audit(log(folder), PUNTO, n).coverage, 1),
    "audit settings": (lambda n, _: PatronSettings(seed=n), 100),
    "macao coups": (lambda n, _: macao_played(MACAO.shoe, MACAO, reply(), n), 100),
    "macao decks": (lambda n, _: MACAO.varied(decks=n).shoe, 8),
    "course lasts": (lambda n, _: COURSE.lasts(n), 100),
    "course after": (lambda n, _: COURSE.after(n), 50),
    "course rows": (lambda n, _: course_rows(COURSE, n), 5),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_numpys_whole_numbers_of_every_width_give_what_pythons_give(name: str, tmp_path: Path) -> None:
    call, number = CASES[name]
    expected = flat(call(number, tmp_path))
    for width in WIDTHS:
        if number <= np.iinfo(width).max and not (name in SLOW and width is not np.uint16):
            assert flat(call(width(number), tmp_path)) == expected, width


@pytest.mark.parametrize("name", [name for name in CASES if name not in TAKE_MORE])
def test_no_bool_text_or_fraction_is_a_whole_number(name: str, tmp_path: Path) -> None:
    call, _ = CASES[name]
    for wrong in (True, np.True_, "8", 7.5, np.float64(7), 10**5000, -(10**5000)):
        with pytest.raises(InputError, match="should"):
            call(wrong, tmp_path)  # type: ignore[arg-type]


@given(st.integers(-300, 300), st.integers(0, 127), st.integers(0, 127), st.sampled_from(WIDTHS))
def test_a_whole_number_is_pythons_or_one_line(number: int, low: int, span: int, width: type[np.integer]) -> None:  # type: ignore[type-arg]
    if not np.iinfo(width).min <= number <= np.iinfo(width).max:
        return
    messages = []
    for given_as in (number, width(number)):
        try:
            kept = whole(given_as, "n", low, low + span)
            assert type(kept) is int
            assert kept == number
            messages.append("")
        except InputError as error:
            messages.append(str(error))
    assert messages[0] == messages[1]


def test_a_plan_of_numpys_numbers_is_json() -> None:
    plan = Plan(PUNTO, Dealing(np.uint8(8), np.int64(14)), np.int64(9), np.uint64(3))
    assert json.loads(json.dumps(plan.to_dict()))["shoes"] == 9


def test_orders_of_what_is_no_card_are_refused() -> None:
    for orders in (np.full((1, 52), 52, np.uint8), np.full((1, 52), 256 + 3), np.full((1, 52), -1)):
        with pytest.raises(InputError, match="orders: should be of cards from 0 to 51"):
            play_orders(PUNTO.tableau, ONE, orders)
