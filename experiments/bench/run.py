"""Measure speed, as ratios of times within one run: `python -m experiments.bench.run [--long]`.

Times are compared with two yardsticks: a plain compiled loop over hands (`plain_loop.c`, built here with cc -O3), and a
numpy product of 2048 x 2048 matrices of float64 on one thread. For lines of a log, as a watch reads them, the yardstick
is Python's parser on the same lines. For an audit, it is the pricing of its arrangements. `--long` also measures the
time, the peak memory and the disk space of longer work: a sweep of 100,000 Louisiana shoes, the whole study, two sweeps
of a million shoes with five systems and sums by cut, summaries of 20 million rows, and audits of two logs.
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_variable] = "1"

import argparse
import ctypes
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from math import comb
from os import cpu_count
from pathlib import Path
from unittest.mock import patch

import numpy as np
import polars as pl

from counting import Shoe, exact_edges, load_game
from counting.bounds import Seat, bracket
from counting.bounds.continuation import Continuation
from counting.bounds.seats import SeatRows
from counting.chemin import CLASSICAL, solve
from counting.chemin.banque import banque
from counting.chemin.game import CheminGame
from counting.chemin.macao import best_reply, load_macao
from counting.chemin.saddle import saddle
from counting.chemin.solution import _CheminForm
from counting.exact import LEVELS, Census, counter, deals, instruction_set, joint_distribution, tableau_arrays
from counting.exact.settlements import event_counter
from counting.exact.settling import settled_bets
from counting.games import Outcome, catalog, unfit
from counting.logs import read_log
from counting.logs.first_lines import bet_reading, coup_reading
from counting.logs.sources import SAMPLE
from counting.review import audit
from counting.review.patrons import ARRANGED
from counting.review.patrons.arrangements import Arrangements
from counting.review.synthetic import Flat, deal, log_frames
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing, play
from counting.sweep import TableLimits
from counting.systems import Triggers, library
from counting.version import __version__

HERE = Path(__file__).parent
SHOES = 20_000
GAME = load_game("louisiana")


def best(action: Callable[[], object], times: int = 7) -> float:
    """The least of several timings, in seconds: the time when nothing disturbs the machine."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def plain_loop(folder: Path) -> Callable[[np.ndarray, np.ndarray], None]:
    library = folder / "plain_loop.so"
    command = ["cc", "-O3", "-shared", "-fPIC", "-o", str(library), str(HERE / "plain_loop.c")]
    subprocess.run(command, check=True)
    price = ctypes.CDLL(str(library)).price
    player, banker = tableau_arrays(GAME.tableau)

    def run(values: np.ndarray, out: np.ndarray) -> None:
        arrays = (a.ctypes.data_as(ctypes.c_void_p) for a in (player, banker, out))
        price(values.ctypes.data_as(ctypes.c_void_p), ctypes.c_long(len(values)), *arrays)

    return run


def kernels(folder: Path) -> None:
    rng = np.random.default_rng(1)
    full = np.array(Shoe.decks(8).values)
    values = np.array([rng.multivariate_hypergeometric(full, n) for n in rng.integers(6, 417, SHOES)], np.int32)

    slow, few = plain_loop(folder), values[:2000]
    settled = np.empty((len(few), 4))
    plain = best(lambda: slow(few, settled), 5) / len(few)
    print(f"plain -O3 loop, four events in one pass     {1e6 * plain:8.1f} us per shoe")

    matrix = rng.random((2048, 2048))
    product = best(lambda: matrix @ matrix, 3) / 2048**3
    print(f"numpy product, one thread                   {1 / product / 1e9:8.1f} G multiply-adds a second")

    # Four events are four classes. The class with most terms is counted as all deals less the other classes, so there
    # are three forms.
    four = counter(GAME.tableau, [(o.winner, o.winner == "tie" and o.player_total == 7) for o in GAME.tableau.outcomes])
    total = np.array([deals(int(n)) for n in few.sum(axis=1)])
    counts = np.column_stack([four.forms(few), total]) @ four.of_class.T
    order = [("player", "banker", "tie", "7-7").index(_name(cls[0])) for cls in four.outcomes]
    assert (counts == settled[:, order]).all(), "the kernel and the plain loop disagree"

    levels = LEVELS[: LEVELS.index(instruction_set()) + 1]
    for level in levels:
        os.environ["COUNTING_ISA"] = level
        one = best(lambda: four.forms(values)) / SHOES
        print(
            f"four events, {level:<8} {1e9 * one / 4:8.1f} ns an event and shoe, products included; "
            f"{plain / one:6.1f} times the plain loop; {4 * 5005 * product / one:5.2f} times the numpy product's rate "
            f"(5,005 multiply-adds an event)"
        )
    every = event_counter(GAME)
    one = best(lambda: every.forms(values)) / SHOES
    print(
        f"all {len(GAME.events)} events of Louisiana {1e6 * one:8.2f} us per shoe ({every.program.forms} forms); "
        f"{plain / one:6.1f} times the plain loop"
    )
    rows = [law_and_forms("louisiana", GAME.bet_names, values, plain, product)]
    cases = [(name, catalog_of(name)) for name in ("punto-banco", "louisiana")]
    cases += [("punto-banco", ("player",)), ("punto-banco", ("tie-8",)), ("ez-baccarat", ("dragon-7",))]
    rows += [law_and_forms(name, bets, values, plain, product) for name, bets in cases]
    census = Census(load_game("punto-banco"), "tie-8", 30, 8)
    _ = census.coefficients
    for histogram in (False, True):
        took = best(lambda histogram=histogram: census.figures(histogram=histogram), 3)
        print(
            f"census of 30 cards{', with quantiles' * histogram:<16}"
            f"{1e-6 * comb(39, 9) / took:8.0f} M compositions a second, {cpu_count()} cores"
        )
    history(rows)

    shoe = Shoe.decks(8).without("7 7 K")
    exact_edges(GAME, shoe)
    print(f"one exact_edges call       {1e3 * best(lambda: exact_edges(GAME, shoe)):8.2f} ms")
    command = [str(Path(sys.executable).with_name("counting")), "edges", "louisiana"]
    shell = best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 5)
    print(f"counting edges louisiana   {shell:8.2f} s from the shell")

    coups = len(play(GAME.tableau, Dealing(), 1, 0, 1000).shoe)
    one = best(lambda: play(GAME.tableau, Dealing(), 1, 0, 1000)) / coups
    print(f"dealing, rows included     {1 / one / 1e6:8.1f} M coups a second, one core")
    library_counts()


def library_counts() -> None:
    """Time the check of triggers for all counts of the library, on shoes known by card."""
    systems, coups = library(), play(GAME.tableau, Dealing(), 1, 0, 64, "card")
    triggers = Triggers(systems, 8, coups.left.shape[1])
    ours = best(lambda: triggers.reached(coups.left, coups.cards_left, coups.undealt))
    alone = best(
        lambda: [system.reached(system.running(coups.left, 8), coups.cards_left, coups.undealt) for system in systems]
    )
    print(
        f"counts of {len(systems)} systems      {1e6 * ours / len(coups.shoe):8.2f} us a coup; "
        f"{alone / ours:5.1f} times one by one with numpy"
    )


def catalog_of(name: str) -> tuple[str, ...]:
    """The names of the catalog's bets that the game can offer and that are settled by outcomes."""
    game = load_game(name)
    fitting = [bet.name for bet in catalog().values() if not unfit(bet, game.tableau) and bet.shows == "outcome"]
    return tuple(dict.fromkeys(fitting))


def law_and_forms(
    name: str, bets: tuple[str, ...], values: np.ndarray, plain: float, product: float
) -> dict[str, object]:
    """Time edges and mean squares, as they are priced now and by linear forms only, as they were priced before."""
    game = load_game(name).also(bets)
    priced = [game.bet(bet) for bet in bets]
    (chosen,) = settled_bets(game.tableau, priced)
    with patch(
        "counting.exact.evaluators.joint_distribution",
        lambda tableau: replace(joint_distribution(tableau), work=1 << 40),
    ):
        (forms,) = settled_bets(game.tableau, priced)
    times = 7 if len(bets) < 20 else 3
    ours, before = (best(lambda by=by: by.moments(values), times) / SHOES for by in (chosen, forms))
    edges = best(lambda: chosen.edges(values), times) / SHOES
    by = type(chosen.evaluator).__name__.removeprefix("By").lower()
    print(
        f"{name + ', ' + str(len(bets)) + (' bets' if len(bets) > 1 else ' bet'):<26}by {by:<6}"
        f"{1e6 * edges:6.2f} us a shoe, with squares {1e6 * ours:6.2f}; {before / ours:5.1f} times the forms alone, "
        f"{plain / ours:6.1f} times the plain loop"
    )
    return {
        "game": name,
        "bets": len(bets),
        "by": by,
        "instruction_set": instruction_set(),
        "us_per_shoe": round(1e6 * ours, 3),
        "forms_alone": round(before / ours, 2),
        "plain_loop": round(plain / ours, 1),
        "product_G": round(1e-9 / product, 1),
    }


def history(rows: list[dict[str, object]]) -> None:
    """Add the rows of this run to `history.csv`, with the version. Ratios, unlike times, can be compared with other
    runs."""
    path = HERE / "history.csv"
    lines = path.read_text().splitlines() if path.exists() else [",".join(["date", "version", *rows[0]])]
    lines += [",".join(map(str, [date.today().isoformat(), __version__, *row.values()])) for row in rows]
    path.write_text("\n".join(lines) + "\n")


def _name(outcome: Outcome) -> str:
    return "7-7" if outcome.winner == "tie" and outcome.player_total == 7 else outcome.winner


def strategy() -> None:
    """Print the median time to solve each game with choices. If both sides choose, the time includes the bounds that
    prove the solution."""
    rng, six = np.random.default_rng(3), Shoe.decks(6)
    partial = [
        Shoe.from_values(rng.multivariate_hypergeometric(six.values, int(cards)).tolist())
        for cards in rng.integers(6, 313, 200)
    ]
    hundred = [Shoe.from_values(rng.multivariate_hypergeometric(six.values, 100).tolist()) for _ in range(1000)]
    large = [shoe for shoe in partial if shoe.cards_left > 104][:40]
    rules = load_macao("macao")
    games: list[tuple[str, Callable[[Shoe], object], list[Shoe]]] = [
        ("chemin de fer, six decks", solve, [six] * 200),
        ("  random partial shoes", solve, partial),
        ("  shoes of 100 cards", solve, hundred),
        ("banque, partial shoes", banque, large),
        ("  third card left aside", lambda shoe: banque(shoe, uses_third=False), large),
        ("macao, best reply", lambda shoe: best_reply(shoe, rules), large),
    ]
    forms = [_CheminForm.of(CheminGame.of(shoe, "B3", CLASSICAL)) for shoe in hundred]
    for name, run, shoes in games:
        times = []
        for shoe in shoes:
            start = time.perf_counter()
            run(shoe)
            times.append(time.perf_counter() - start)
        median, rate = 1e3 * float(np.median(times)), len(shoes) / sum(times)
        print(f"{name:<39}{median:8.3f} ms, the slowest {1e3 * max(times):.2f} ms, {rate:,.0f} a second")
    climbs: tuple[Callable[[_CheminForm], object], ...] = (lambda form: saddle(form.form), _CheminForm.saddle)
    seconds = []
    for climb in climbs:
        start = time.process_time()
        for form in forms:
            climb(form)
        seconds.append(time.process_time() - start)
    print(f"  saddle points: a guess and its proof {seconds[0] / seconds[1]:.1f} times as fast as the exact climb")


def long(folder: Path) -> None:
    systems = [f"{bet}-level-{level}" for bet in ("seven-seven-45", "seven-seven-40") for level in (1, 2)]
    million = ["--shoes", "1000000", "--no-rows", "--system", *systems, "tie-9-level-1"]
    every = folder / "every.toml"  # a count that is scored on every bet
    every.write_text(EVERY_BET)
    deep = ["--shoes", "1000000", "--no-rows", "--system", *(_renamed(every, i) for i in range(5))]
    for name, verb, more in (
        ("100,000 shoes swept", "sweep", []),
        ("the whole study", "study", []),
        ("1,000,000 shoes, 5 systems", "sweep", million),
        ("the same, on every bet", "sweep", deep),
        ("20 million rows swept", "sweep", ["--shoes", "245000", "--no-penetration"]),
    ):
        out = folder / "out"
        _timed(name, [verb, "louisiana", "--out", str(out), *more], out)
        if name.startswith("20"):
            _timed("  summed up at three cuts", ["summary", str(out), "--cut", "14", "52", "104"], None)
            _timed("  quantiles of an edge", [str(out)], None, QUANTILES)
        shutil.rmtree(out)
    log = ["--coups", str(folder / "coups.csv"), "--bets", str(folder / "bets.csv")]
    for name, extent in (
        ("a log of 1,000,000 coups, 5 patrons", ["12400", "0"]),
        ("100,000 coups, 60 patrons", ["1230", "55"]),
    ):
        _timed(name, [str(folder), *extent], None, LOG)
        out = folder / "audit"
        _timed(
            "  audited", ["audit", "ez-baccarat", *log, "--cut", "14", "--burn", "first-card", "--out", str(out)], None
        )
        shutil.rmtree(out)


# Five patrons, one of whom counts, and further patrons who bet on the Dragon 7 at random.
LOG = """
import sys
from pathlib import Path
from counting import load_game
from counting.review.synthetic import Counter, Flat, Progressive, Trend, Visitor, deal, log_frames
from counting.simulation import Dealing
from counting.systems import load_system
game = load_game("ez-baccarat")
patrons = {
    "counts": Counter("dragon-7", 100, load_system("dragon-7")),
    "flat": Flat("dragon-7", 25, 0.1),
    "doubles": Progressive("banker", 25, 2, 800),
    "trend": Trend(("player", "dragon-7"), 25),
    "late": Visitor("dragon-7", 25, 60),
}
patrons |= {f"flat {i}": Flat("dragon-7", 25, 0.01 * i) for i in range(int(sys.argv[3]))}
frames = log_frames(deal(game, Dealing.named("jacobson"), 7, 0, int(sys.argv[2])), patrons, game, 1)
for name, frame in zip(("coups", "bets"), frames):
    frame.write_csv(Path(sys.argv[1]) / f"{name}.csv")
"""
# Quantiles of a bet's edge on all rows, for each four successive numbers of cards left.
QUANTILES = """
import sys
from pathlib import Path
from counting.analysis import price, quantiles
from counting.sweep import open_sweep
sweep = open_sweep(Path(sys.argv[1]))
rows = sweep.coups.select("cards_left", "^left_.*$")
print(quantiles(price(rows, sweep.plan.game, ["tie-9"]), ["tie-9"], (0.05, 0.5, 0.95), 4).collect())
"""
EVERY_BET = """
title = "A count scored on every bet"
source = "the project's own"
count = "true"
trigger = 3
[tags]
A = 1
2 = 0
3 = 0
4 = 1
5 = 0
6 = 1
7 = -4
8 = 1
9 = 0
T = 0
"""


def brackets() -> None:
    """Print the time for a shoe of a bracket, relative to dealing and pricing a shoe."""
    game = load_game("ez-baccarat")
    stakes = TableLimits(minimum=Fraction(25)).stakes(("dragon-7",), game.mains(None), Fraction(100))
    seat = Seat(game, Dealing(8, 20, "first-card"), stakes, 2)
    plain = best(lambda: SeatRows.play(seat, 1, 0, 500, further=False), 3) / 500
    rows = SeatRows.play(seat, 1, 0, 2000)
    fit = best(lambda: Continuation.fit(seat, rows), 1) / 2000
    played = (best(lambda: bracket(seat, 1002, 1, fitted=500, workers=1), 1)
              - best(lambda: bracket(seat, 2, 1, fitted=500, workers=1), 1)) / 1000  # fmt: skip
    print(f"bracket: a shoe dealt and priced {1e6 * plain:.0f} us; fitted to {fit / plain:.1f} times that, "
          f"played {played / plain:.1f} times")  # fmt: skip


def audits(folder: Path) -> None:
    """Print the time of an audit, relative to pricing the arrangements of its shoes."""
    game, shoes = load_game("ez-baccarat"), 40
    patrons = {f"flat {i}": Flat("dragon-7", 25, 0.02 * i) for i in range(1, 31)}
    frames = log_frames(deal(game, Dealing.named("jacobson"), 7, 0, shoes), patrons, game, 1)
    files = [folder / "few-coups.csv", folder / "few-bets.csv"]
    for frame, file in zip(frames, files, strict=True):
        frame.write_csv(file)
    read = best(lambda: read_log(*files), 3)
    log = read_log(*files)
    arranged = Arrangements(log, UnseenCards(log, 8), game, 1)
    priced = best(lambda: deque(arranged.edges("dragon-7", range(shoes), ARRANGED), maxlen=0), 3)
    audited = best(lambda: audit(log, game, 8), 3)
    print(f"audit of {log.coups.height:,} coups, {log.bets.height:,} bets: {1e3 * priced:.0f} ms to price the coups' "
          f"arrangements; read in {read / priced:.1f} times that, audited in {audited / priced:.1f} times")  # fmt: skip


def line_by_line() -> None:
    """Time lines of coups and bets as a watch reads them one by one, relative to parsing the same lines into fields."""
    coups, bets = log_frames(deal(GAME, Dealing(), 1, 0, 30), {"anyone": Flat("player", 25)}, GAME, 1)
    logs = {"coup": coups.select(pl.exclude("burn")), "bet": bets}
    lines = {name: frame.write_ndjson().encode().splitlines(keepends=True) for name, frame in logs.items()}
    csv_lines = {name: frame.write_csv().encode().splitlines(keepends=True) for name, frame in logs.items()}
    parted: tuple[Callable[[bytes], object], ...] = (json.loads, lambda line: line.decode().rstrip().split(","))
    for form, of, part in zip(("JSON", "CSV"), (lines, csv_lines), parted, strict=True):
        coup = coup_reading(of["coup"][:SAMPLE], "coups", None, GAME.tableau)
        assert coup is not None
        for name, reading in (("coup", coup), ("bet", bet_reading(of["bet"][:SAMPLE], "bets", coup))):
            assert reading is not None
            ours, plain = (
                best(partial(_each, work, of[name][-2000:]))
                for work in (partial(reading.said, tableau=GAME.tableau), part)
            )
            print(f"a {name} as a line of {form:<22}{1e6 * ours / 2000:8.1f} us, {ours / plain:.1f} times its parts")


def _each(work: Callable[[bytes], object], lines: list[bytes]) -> None:
    for line in lines:
        work(line)


def _renamed(system: Path, number: int) -> str:
    copy = system.with_stem(f"{system.stem}-{number}")
    shutil.copy(system, copy)
    return str(copy)


def _timed(name: str, arguments: list[str], out: Path | None, script: str | None = None) -> None:
    """Run a command or a script, and print its time and its peak memory."""
    called = [sys.executable, "-c", script] if script else [str(Path(sys.executable).with_name("counting"))]
    watch = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, "
    watch += "stderr=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    start = time.perf_counter()
    watched = subprocess.run([sys.executable, "-c", watch, *called, *arguments], check=True, capture_output=True)
    seconds, peak = time.perf_counter() - start, int(watched.stdout)
    disk = sum(f.stat().st_size for f in out.rglob("*") if f.is_file()) if out else 0
    space = f", {disk / 1e6:.0f} MB on disk" if out else ""
    print(f"{name:<27}{seconds:8.1f} s, peak memory {peak / 1e3:.0f} MB{space}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also measure the longer work")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernels(Path(folder))
        strategy()
        brackets()
        audits(Path(folder))
        line_by_line()
        if asked.long:
            long(Path(folder))


if __name__ == "__main__":
    main()
