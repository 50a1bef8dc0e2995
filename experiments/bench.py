"""Speed, as ratios within one run: `python experiments/bench.py [--long]`.

The yardsticks are a plain compiled loop over hands (`plain_loop.c`, built here with cc -O3) and a
2048 x 2048 x 2048 float64 numpy product on one thread. `--long` also times the sweep of 100,000
Louisiana shoes and the whole study, with their peak memory and the space they leave.
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_variable] = "1"

import argparse
import ctypes
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from counting import Shoe, exact_edges, load_game
from counting.counter import LEVELS, counter, deals, instruction_set, tableau_arrays
from counting.coup import Outcome
from counting.exact import _event_counter, pricer
from counting.shoe import Dealing, play

HERE = Path(__file__).parent
SHOES = 20_000
GAME = load_game("louisiana")


def best(action: Callable[[], object], times: int = 7) -> float:
    """The least of several timings, seconds: what the machine can do when nothing disturbs it."""
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
    print(f"plain -O3 loop, four events in one pass     {1e6 * plain:8.1f} us a shoe")

    matrix = rng.random((2048, 2048))
    product = best(lambda: matrix @ matrix, 3) / 2048**3
    print(f"numpy product, one thread                   {1 / product / 1e9:8.1f} G multiply-adds a second")

    # Four events as four classes; the densest is what is left of all deals, so three forms are counted.
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
    every = _event_counter(GAME)
    one = best(lambda: every.forms(values)) / SHOES
    print(
        f"all {len(GAME.events)} events of Louisiana {1e6 * one:8.2f} us a shoe ({every.program.forms} forms); "
        f"{plain / one:6.1f} times the plain loop"
    )
    priced = pricer(GAME, GAME.bet_names)
    one = best(lambda: priced.edges(values)) / SHOES
    print(f"all {len(GAME.bets)} edges of Louisiana  {1e6 * one:8.2f} us a shoe")

    shoe = Shoe.decks(8).without("7 7 K")
    exact_edges(GAME, shoe)
    print(f"one exact_edges call       {1e3 * best(lambda: exact_edges(GAME, shoe)):8.2f} ms")
    command = [str(Path(sys.executable).with_name("counting")), "edges", "louisiana"]
    shell = best(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), 5)
    print(f"counting edges louisiana   {shell:8.2f} s from the shell")

    coups = len(play(GAME.tableau, Dealing(), 1, 0, 1000).shoe)
    one = best(lambda: play(GAME.tableau, Dealing(), 1, 0, 1000)) / coups
    print(f"dealing, rows included     {1 / one / 1e6:8.1f} M coups a second, one core")


def _name(outcome: Outcome) -> str:
    return "7-7" if outcome.winner == "tie" and outcome.player_total == 7 else outcome.winner


def long(folder: Path) -> None:
    program = str(Path(sys.executable).with_name("counting"))
    for verb, name in (("sweep", "100,000 shoes swept"), ("study", "the whole study")):
        out = folder / verb
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        start = time.perf_counter()
        subprocess.run([program, verb, "louisiana", "--out", str(out)], check=True, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        disk = sum(f.stat().st_size for f in out.rglob("*") if f.is_file())
        at_most = "at most " if peak == before else ""
        print(f"{name:<27}{seconds:8.1f} s, peak memory {at_most}{peak / 1e3:.0f} MB, {disk / 1e6:.0f} MB on disk")
        shutil.rmtree(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also time the sweep and the study")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernels(Path(folder))
        if asked.long:
            long(Path(folder))


if __name__ == "__main__":
    main()
