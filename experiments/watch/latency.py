"""How long does an alert take after its line, and how much of a core does a watch need, with ten thousand tables and a
coup at each table every 30 seconds?

`counting watch` is started on a file that has the first 0 to 40 coups of every table. When the watch has read them,
coups are added at random times, each just after the bets on it. The time from writing a coup's line to its alert on
standard error is measured. If the machine has other work, the watch waits for a core; this time is measured separately.
In another process, the watch's time for many lines at once is measured. Writes `latency.csv`, `together.csv` and tables
of `notes.md`. This program needs two free cores; `core_time.py` does not.

    python -m experiments.watch.latency [TABLES] [SECONDS]
"""

from __future__ import annotations

import gc
import json
import os
import re
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO

import numpy as np
import polars as pl

from counting import load_game
from counting.live import InputLine, Watch, WatchSettings, parse_rules
from counting.review.synthetic import Counter, Flat, deal, log_frames
from counting.simulation import Dealing
from counting.systems import load_system
from experiments._notes import put_frame

HERE = Path(__file__).parent
GAME, DEALING, SEED = load_game("ez-baccarat"), Dealing.named("jacobson", 8), 2029
PATRONS = {"a": Flat("dragon-7", 25, 0.5), "b": Flat("player", 100), "c": Flat("tie", 10, 0.3),
           "d": Counter("dragon-7", 100, load_system("dragon-7"))}  # fmt: skip
EVERY = 30.0  # seconds between a table's coups
CARDS = range(60, 400, 20)  # an alert for each n, when fewer than n cards are unseen; this happens on one coup in five
RULES = ("edge > 2%", "trigger dragon-7", "stake > 500 and edge > 0", *(f"cards < {n} for player" for n in CARDS))
SHOES = 100  # the number of shoes, which the tables share
ALERT = re.compile(r"ALERT \d+: table (\d+), shoe \d+, after coup (\d+): player")


def settings() -> WatchSettings:
    """The settings of the watch, the same as in `command`."""
    system = load_system("dragon-7")
    return WatchSettings(GAME, GAME.decks, (system,), parse_rules(RULES, GAME, (system,), False))


def dealt() -> list[list[bytes]]:
    """The coups of each shoe. A coup is a list of lines, which do not name a table: first the bets on it, then the
    coup."""
    shoes = []
    for shoe in range(SHOES):
        coups, bets = log_frames(deal(GAME, DEALING, SEED, shoe, 1), PATRONS, GAME, SEED, "TABLE")
        of_coup: dict[int, bytes] = {}
        for bet in bets.drop("won").to_dicts():
            of_coup[bet["coup"]] = of_coup.get(bet["coup"], b"") + json.dumps(bet).encode() + b"\n"
        shoes.append([of_coup.get(coup["coup"], b"") + json.dumps(coup).encode() + b"\n" for coup in coups.to_dicts()])
    return shoes


def command(live: Path, journal: Path) -> list[str]:
    return [
        sys.executable, "-P", "-m", "counting.cli", "watch", GAME.name, "--coups", str(live), "--system", "dragon-7",
        "--rule", *RULES, "--journal", str(journal), "--format", "none",
    ]  # fmt: skip


def heard(stream: IO[bytes], at: dict[tuple[int, int], float]) -> None:
    """Store the time of the alert on each coup in `at`."""
    for line in stream:
        now = time.perf_counter()
        if match := ALERT.match(line.decode()):
            at[int(match[1]), int(match[2])] = now


def core_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def core_waits(pid: int) -> float:
    """The seconds in which a process was ready to run but had no core."""
    return float(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9


def caught_up(journal: Path, size: int) -> None:
    """Wait until the journal has the last line of the input."""
    while not journal.exists() or f'"end":{size},'.encode() not in journal.read_bytes()[-5000:]:
        time.sleep(0.2)


def measure(folder: Path, tables: int, seconds: float) -> dict[str, float]:
    shoes, rng = dealt(), np.random.default_rng(SEED)
    begun = rng.integers(0, 40, tables)
    live, journal = folder / "live.jsonl", folder / "journal"
    for path in (journal, folder / "journal.told"):
        path.unlink(missing_ok=True)

    def line(table: int, coup: int) -> bytes:
        return shoes[table % SHOES][coup].replace(b"TABLE", b"%d" % table)

    with live.open("wb") as file:
        for coup in range(40):
            for table in np.flatnonzero(begun > coup).tolist():
                file.write(line(table, coup))
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    watch = subprocess.Popen(command(live, journal), stderr=subprocess.PIPE, env=environment)
    assert watch.stderr is not None
    came: dict[tuple[int, int], float] = {}
    listener = Thread(target=heard, args=(watch.stderr, came), daemon=True)
    listener.start()
    started = time.perf_counter()
    caught_up(journal, live.stat().st_size)
    behind = time.perf_counter() - started
    wrote: dict[tuple[int, int], float] = {}
    number = int(tables * seconds / EVERY)
    times = np.sort(rng.uniform(0, seconds, number))
    turn = rng.permutation(np.arange(number) % tables)
    at, used, waited, lines = begun.copy(), core_seconds(watch.pid), core_waits(watch.pid), 0
    started = time.perf_counter()
    with live.open("ab", buffering=0) as file:
        for when, table in zip(times.tolist(), turn.tolist(), strict=True):
            coup = int(at[table])
            if coup >= len(shoes[table % SHOES]):
                continue
            at[table] += 1
            data = line(table, coup)
            pause = started + when - time.perf_counter()
            if pause > 0:
                time.sleep(pause)
            wrote[table, coup + 1] = time.perf_counter()
            file.write(data)
            lines += data.count(b"\n")
    time.sleep(1)
    spent = time.perf_counter() - started
    used, waited = core_seconds(watch.pid) - used, core_waits(watch.pid) - waited
    watch.terminate()
    watch.wait()
    listener.join()
    delays = np.array([1000 * (came[key] - wrote[key]) for key in wrote if key in came])
    return {
        "tables": tables, "seconds": seconds, "coups": len(wrote), "lines": lines, "alerts": len(delays),
        "lines_per_second": lines / spent, "of_one_core": used / spent, "p50_ms": float(np.quantile(delays, 0.5)),
        "p99_ms": float(np.quantile(delays, 0.99)), "max_ms": float(delays.max()),
        "over_10_ms": int((delays > 10).sum()), "catching_up_seconds": behind, "load_average": os.getloadavg()[0],
        "waited_for_a_core": waited / spent,
    }  # fmt: skip


def together(tables: int, batches: int = 300) -> pl.DataFrame:
    """The watch's CPU time, in milliseconds, from n lines that come at once to the first and to the last alert on them,
    with `tables` tables in play."""
    shoes, watch = dealt(), Watch(settings())
    lines = (
        InputLine(0, raw, 0, 0) for coup in range(60) for table in range(tables) if coup < len(shoes[table % SHOES])
        for raw in shoes[table % SHOES][coup].replace(b"TABLE", b"%d" % table).splitlines(keepends=True)
    )  # fmt: skip
    for _ in range(20 * tables // 100):
        watch.take(islice(lines, 100))
    gc.collect()
    gc.freeze()
    gc.disable()
    rows = []
    for size in (1, 4, 16, 64, 256):
        first, last = [], []
        for _ in range(batches):
            some = list(islice(lines, size))
            begun = time.thread_time()
            ends = [time.thread_time() - begun for _ in watch.turns(some)]
            first.append(1000 * ends[0])
            last.append(1000 * ends[-1])
        rows.append({"lines": size, "first_p50_ms": float(np.quantile(first, 0.5)), "first_max_ms": max(first),
                     "last_p50_ms": float(np.quantile(last, 0.5)), "last_max_ms": max(last)})  # fmt: skip
    gc.enable()
    gc.unfreeze()
    return pl.DataFrame(rows)


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 45
    with TemporaryDirectory() as folder:
        rows = [measure(Path(folder), tables, seconds) for tables in dict.fromkeys((most // 100, most // 10, most))]
    frame = pl.DataFrame(rows)
    frame.write_csv(HERE / "latency.csv", float_precision=3)
    own = together(most)
    own.write_csv(HERE / "together.csv", float_precision=3)
    note(frame, own)
    print(frame, own)


def note(frame: pl.DataFrame, own: pl.DataFrame) -> None:
    """Write the tables of the notes."""
    columns = {
        "tables": "{tables:,}", "lines per second": "{lines_per_second:.0f}", "share of a core": "{of_one_core:.0%}",
        "alerts": "{alerts:,}", "p50, ms": "{p50_ms:.1f}", "p99, ms": "{p99_ms:.1f}", "largest, ms": "{max_ms:.0f}",
        "over 10 ms": "{over_10_ms}", "had to wait for a core": "{waited_for_a_core:.0%} of the time",
        "load": "{load_average:.0f}",
    }  # fmt: skip
    put_frame(HERE / "notes.md", columns, frame, "latency")
    columns = {
        "lines": "{lines}", "first, median": "{first_p50_ms:.1f}", "first, longest": "{first_max_ms:.1f}",
        "last, median": "{last_p50_ms:.1f}", "last, longest": "{last_max_ms:.1f}",
    }  # fmt: skip
    put_frame(HERE / "notes.md", columns, own, "together")


if __name__ == "__main__":
    main()
