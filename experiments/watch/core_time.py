"""How much time does the watch itself take from a line to its alert, with ten thousand tables, and what do late alerts
wait for?

The loop of `counting watch` runs in this process. Its clock is the CPU time of its thread, and a pause only advances
the clock. So other work of the machine does not count, nor do waits for the disk or a pipe. Lines come at times of this
clock, drawn as in `latency.py`. The state of the tables is also saved during the run. Writes tables of `notes.md`.

    python -m experiments.watch.core_time [TABLES] [SECONDS]
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl

from counting.live import Alerts, InputLine, Journal, Watch, keeping, run_watch, running
from counting.live.records import Record
from experiments._notes import put_frame
from experiments.watch.latency import ALERT, EVERY, HERE, SEED, dealt, settings

WAKING = 5e-5  # seconds that a pause takes in addition to its length


@dataclass
class Clock:
    """A clock: the CPU time of this thread, plus the pauses."""

    begun: float = 0.0
    slept: float = 0.0

    def begin(self) -> None:
        self.begun, self.slept = time.thread_time(), 0.0

    def now(self) -> float:
        return time.thread_time() - self.begun + self.slept

    def sleep(self, seconds: float) -> None:
        self.slept += seconds + WAKING


@dataclass
class Feed:
    """An input whose lines come at set times of the clock. Each coup has a time and lines."""

    coups: list[tuple[float, list[InputLine]]]
    clock: Clock
    until: float
    over: bool = False
    waits: bool = False
    at: int = 0

    def read(self) -> list[InputLine]:
        now, lines = self.clock.now(), list[InputLine]()
        while self.at < len(self.coups) and self.coups[self.at][0] <= now:
            lines += self.coups[self.at][1]
            self.at += 1
        self.over = now > self.until
        return lines

    def resume(self, record: Record) -> None:
        raise NotImplementedError("there is no restart")

    def close(self) -> None:
        self.over = True


def numbered() -> Callable[[bytes], Iterator[InputLine]]:
    """A function that numbers the lines of one input."""
    end = number = 0

    def lines(raw: bytes) -> Iterator[InputLine]:
        nonlocal end, number
        for line in raw.splitlines(keepends=True):
            end, number = end + len(line), number + 1
            yield InputLine(0, line, end, number)

    return lines


def measure(folder: Path, tables: int, seconds: float) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Two frames: the delays of alerts, and the times of each part of the loop."""
    shoes, rng, lines = dealt(), np.random.default_rng(SEED), numbered()

    def coup(table: int, at: int) -> list[InputLine]:
        return list(lines(shoes[table % len(shoes)][at].replace(b"TABLE", b"%d" % table)))

    watch, journal = Watch(settings()), Journal(folder / "journal", settings().to_dict())
    list(journal.records())
    begun = rng.integers(0, 40, tables)
    for at in range(40):
        first = [line for table in np.flatnonzero(begun > at).tolist() for line in coup(table, at)]
        for some in watch.turns(first):
            journal.append([said.record for said in some])
    number, at = int(tables * seconds / EVERY), begun.copy()
    came, coups = dict[tuple[int, int], float](), list[tuple[float, list[InputLine]]]()
    for when, table in zip(np.sort(rng.uniform(0, seconds, number)).tolist(), rng.integers(0, tables, number).tolist(),
                           strict=True):  # fmt: skip
        if at[table] < len(shoes[table % len(shoes)]):
            coups.append((when, coup(table, int(at[table]))))
            at[table] += 1
            came[table, int(at[table])] = when
    delays, parts, clock = list[float](), dict[str, list[float]](), Clock()

    def tell(text: str) -> None:
        if match := ALERT.match(text):
            delays.append(1000 * (clock.now() - came[int(match[1]), int(match[2])]))

    def timed(name: str, of: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            before = clock.now()
            result = of(*given)
            parts.setdefault(name, []).append(1000 * (clock.now() - before))
            return result

        return call

    alerts = Alerts(None, (), folder / "told", tell, lambda: "now")
    its_time = SimpleNamespace(sleep=clock.sleep, monotonic=clock.now, perf_counter=clock.now)
    with (
        patch.object(running, "time", its_time), patch.object(keeping, "time", its_time),
        patch.object(keeping, "EVERY", number), patch.object(gc, "collect", timed("garbage", gc.collect)),
        patch.object(Watch, "_priced", timed("16 lines priced", Watch._priced)),
        patch.object(Journal, "append", timed("journal", Journal.append)),
        patch.object(keeping.Keeper, "turn", timed("a piece of the state", keeping.Keeper.turn)),
    ):  # fmt: skip
        gc.collect()
        gc.freeze()  # as in `run`, so that it takes no time later
        parts.clear()
        clock.begin()
        run_watch(watch, {0: Feed(coups, clock, seconds + 1)}, alerts, journal, every=2.0)
    for each in (alerts, journal):
        each.close()
    ms = np.array(delays)
    frame = pl.DataFrame({
        "tables": [tables], "alerts": [len(ms)], "p50": [float(np.quantile(ms, 0.5))],
        "p99": [float(np.quantile(ms, 0.99))], "longest": [ms.max()], "late": [int((ms > 10).sum())],
    })  # fmt: skip
    rows = [{"part": name, "times": len(each), "total": sum(each), "p99": float(np.quantile(each, 0.99)),
             "longest": max(each)} for name, each in parts.items()]  # fmt: skip
    return frame, pl.DataFrame(rows)


def main() -> None:
    tables = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 45
    with TemporaryDirectory() as folder:
        frame, parts = measure(Path(folder), tables, seconds)
    columns = {"tables": "{tables:,}", "alerts": "{alerts:,}", "p50, ms": "{p50:.1f}", "p99, ms": "{p99:.1f}",
               "longest, ms": "{longest:.1f}", "over 10 ms": "{late}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, frame, "core-time")
    columns = {"part of the loop": "{part}", "times": "{times:,}", "in all, ms": "{total:,.0f}",
               "p99, ms": "{p99:.2f}", "longest, ms": "{longest:.1f}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, parts, "parts")
    print(frame, parts)


if __name__ == "__main__":
    main()
