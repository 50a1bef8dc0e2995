"""How long it takes, and how much memory, to read a large log and to check its dealing and payouts.

    python -m experiments.bench.log_size FOLDER [COUPS]

deals about COUPS coups (default: ten million) with a bet on each, writes coups.csv and bets.csv into the folder,
and reads and checks them in a process of its own.
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
from counting.audit import dealing_errors
from counting.audit.synthetic import Flat, deal, log_frames
from counting.logs import read_log
from counting.simulation import Dealing

GAME = load_game("ez-baccarat")
SHOES, COUPS_A_SHOE = 2000, 82.8
PATRONS = 50


def write(folder: Path, shoes: int) -> None:
    """Shoes of one table, in each a patron who bets on every coup."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "coups.csv").open("wb") as coups, (folder / "bets.csv").open("wb") as bets:
        for first in range(0, shoes, SHOES):
            table = deal(GAME, Dealing(), 1, first, min(SHOES, shoes - first))
            bet = ("player", "banker", "dragon-7")[first // SHOES % 3]
            dealt, placed = log_frames(table, {"anyone": Flat(bet, 25)}, GAME, 1)
            who = pl.Series([f"patron {number % PATRONS}" for number in range(shoes)])[table.shoe.astype(np.int64)]
            dealt.write_csv(coups, include_header=first == 0)
            placed.with_columns(who.alias("patron")).write_csv(bets, include_header=first == 0)


def check(folder: Path) -> None:
    start = time.perf_counter()
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    read = time.perf_counter() - start
    errors = dealing_errors(log, GAME, GAME.decks)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    size = sum(path.stat().st_size for path in folder.glob("*.csv")) / 1e6
    print(
        f"{log.coups.height:,} coups and {log.bets.height:,} bets, {size:,.0f} MB: read in {read:.1f} s, checked after "
        f"{seconds:.1f} s ({time.process_time():.1f} s of CPU), {errors.height} errors, {peak:.2f} GB at most"
    )


if __name__ == "__main__":
    place, number = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
    if number:
        write(place, round(number / COUPS_A_SHOE))
        subprocess.run([sys.executable, __file__, str(place), "0"], check=True)
    else:
        check(place)
