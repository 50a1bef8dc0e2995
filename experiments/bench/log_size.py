"""How much time and memory it takes to read a large log, to check its dealing and payouts, and to test its patrons.

    python -m experiments.bench.log_size FOLDER [COUPS] [BET]

About COUPS coups (default: ten million) are dealt, with a bet on each, and written to coups.csv and bets.csv in the
folder. A separate process reads and checks them. If BET is given (player, banker, dragon-7 or another bet of the game),
all bets are on it, and another process makes the whole audit, which also tests the patrons.

On two cores with AVX-512, 10,000,000 coups (849 MB) are read in 15 s (22 CPU seconds), and read and checked in 21 s (30
CPU seconds), with at most 2.1 GB. An older measurement is from a processor with AVX2. There, the tests of patrons on
Player took another 330 CPU seconds in two threads: 221 s for 39 arrangements of each shoe, and 92 s for first cards and
payouts. The whole audit took at most 1.85 GB.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

from counting import load_game
from counting.logs import read_log
from counting.review import audit, dealing_errors
from counting.review.synthetic import Flat, deal, log_frames
from counting.simulation import Dealing

GAME = load_game("ez-baccarat")
SHOES, COUPS_A_SHOE = 2000, 82.8
PATRONS = 50


def write(folder: Path, shoes: int, bets: tuple[str, ...] = ("player", "banker", "dragon-7")) -> None:
    """Write the log of one table, with a patron in each shoe who bets on every coup. If `bets` has a single bet, the
    stake is 25, and 50 on a fifth of the coups, drawn at random."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "coups.csv").open("wb") as coups, (folder / "bets.csv").open("wb") as placed_bets:
        for first in range(0, shoes, SHOES):
            table = deal(GAME, Dealing(), 1, first, min(SHOES, shoes - first))
            bet = bets[first // SHOES % len(bets)]
            dealt, placed = log_frames(table, {"anyone": Flat(bet, 25)}, GAME, 1)
            who = pl.Series([f"patron {number % PATRONS}" for number in range(shoes)])[table.shoe.astype(np.int64)]
            if len(bets) == 1:
                more = 1 + (np.random.default_rng(first).random(placed.height) < 1 / 5)
                placed = placed.with_columns(pl.col("amount", "won") * pl.Series(more))
            dealt.write_csv(coups, include_header=first == 0)
            placed.with_columns(who.alias("patron")).write_csv(placed_bets, include_header=first == 0)


def check(folder: Path, tested: bool) -> None:
    start, begun = time.perf_counter(), time.process_time()
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    read = f"{time.perf_counter() - start:.1f} s ({time.process_time() - begun:.1f} s of CPU)"
    size = sum(path.stat().st_size for path in folder.glob("*.csv")) / 1e6
    print(f"{log.coups.height:,} coups and {log.bets.height:,} bets, {size:,.0f} MB: read in {read}", end=", ")
    if tested:
        audited = audit(log, GAME, GAME.decks)
        done = f"audited after {{}}, {audited.errors.height} errors, {audited.patrons.height} patrons and bets tested"
    else:
        done = f"checked after {{}}, {dealing_errors(log, GAME, GAME.decks).height} errors"
    seconds = f"{time.perf_counter() - start:.1f} s ({time.process_time():.1f} s of CPU)"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{done.format(seconds)}, {peak:.2f} GB at most")


if __name__ == "__main__":
    place, number, *more = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000, *sys.argv[3:]
    if number:
        write(place, round(number / COUPS_A_SHOE), *[(bet,) for bet in more])
        for mode in ["check", *["test" for _ in more]]:
            subprocess.run([sys.executable, __file__, str(place), "0", mode], check=True)
    else:
        check(place, more == ["test"])
