"""Hostile values in records of every form: does anything but a remark or one line of error come of them?

Files of 300 good coups and 1,000 hostile records (`tests/twins/hostile.py`) are read by `audit`, `shuffle` and `watch`,
and `layouts --draft` drafts a layout for each, all in this process, whose memory is measured. All good coups must be
read, no call may raise anything but `InputError`, take 20 seconds of CPU or 2 GB. Prints a line per file, and one per
form at the end; each file follows from its number.

    python -m experiments.attack.records [RECORDS [FIRST]]
"""

from __future__ import annotations

import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")

import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from twins.hostile import FORMS, a_record, written

from counting import InputError, load_game
from counting.audit import ShuffleSettings, audit, shuffle_review
from counting.logs import read_log
from counting.logs.drafting import draft
from counting.watch import COUPS, Settings, Watch, open_input

GAME = load_game("ez-baccarat")
HANDS = [("9h Kd", "5c 2s"), ("2h 3d 4s", "9c Kc 2d"), ("4h Ad 3s", "10c Js 2d"), ("8h 8d", "6c 2h 9s")]
GOOD = [{"table": "1", "shoe": str(at // 60), "coup": at % 60 + 1, "player": HANDS[at % 4][0],
         "banker": HANDS[at % 4][1]} for at in range(300)]  # fmt: skip
A_FILE = 1000  # hostile records
DRAWS = 83  # the fewest that shuffle takes at its level here
SECONDS = 20


def audited(file: Path) -> int:
    log = read_log(file)
    audit(log, GAME, 8)
    shoes = [str(shoe) for shoe in range(5)]
    return log.coups.filter(pl.col("table") == "1", pl.col("shoe").is_in(shoes)).height


def shuffled(file: Path) -> int:
    shuffle_review(read_log(file), 8, ShuffleSettings(0.5, DRAWS, 1), 0.9)
    return len(GOOD)


def watched(file: Path) -> int:
    """Good coups that were read: also as of a shoe that is over, where a hostile record begins another there."""
    watch = Watch(Settings(GAME, 8), None, {COUPS: file.name})
    source = open_input(str(file), COUPS)
    try:
        lines, read = source.read(), 0
        while lines or not source.idle:
            answers = (answer.record for answer in watch.take(lines))
            read += sum(each["did"] in ("coup", "late", "old") and each["table"] == "1" for each in answers)
            lines = source.read()
    finally:
        source.close()
    return read


def drafted(file: Path) -> int:
    draft(file)
    return len(GOOD)


CALLS: dict[str, Callable[[Path], int]] = {"audit": audited, "shuffle": shuffled, "watch": watched,
                                           "layouts": drafted}  # fmt: skip


def attack(folder: Path, form: str, number: int, counts: Counter[str]) -> float:
    """One file through all calls; the longest of them, in seconds of CPU."""
    rng = random.Random(f"{form} {number}")
    records: list[dict[str, Any]] = [dict(record) for record in GOOD]
    for _ in range(A_FILE):
        records.insert(rng.randrange(len(records)), a_record(rng))
    file = written(folder, form, records)
    longest = 0.0
    for name, call in CALLS.items():
        begun = time.process_time()
        try:
            read = call(file)
            counts[f"{name}: read"] += 1
            if read < len(GOOD):
                counts[f"{name}: GOOD COUPS LOST"] += 1
                print(f"{form} {number} {name}: {len(GOOD) - read} good coups lost", flush=True)
        except InputError as error:
            counts[f"{name}: refused"] += 1
            if name != "watch" or form in ("csv", "jsonl"):
                counts[f"{name}: GOOD FILE REFUSED"] += 1
                print(f"{form} {number} {name}: {str(error)[:300]}", flush=True)
        except BaseException as error:
            counts[f"{name}: FAILED"] += 1
            print(f"{form} {number} {name}: {type(error).__name__}", flush=True)
            print(traceback.format_exc()[-400:], flush=True)
            if isinstance(error, KeyboardInterrupt):
                raise
        spent = time.process_time() - begun
        longest = max(longest, spent)
        counts[f"{name}: SLOW"] += spent > SECONDS
    return longest


def main() -> None:
    records = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    files = -(-records // (A_FILE * len(FORMS)))
    counts: dict[str, Counter[str]] = {form: Counter() for form in FORMS}
    longest = dict.fromkeys(FORMS, 0.0)
    with TemporaryDirectory() as folder:
        for number in range(first, first + files):
            for form in FORMS:
                took = attack(Path(folder), form, number, counts[form])
                longest[form] = max(longest[form], took)
                print(f"{form} {number}: longest {took:.1f} s", flush=True)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    for form in FORMS:
        said = ", ".join(f"{name} {number}" for name, number in counts[form].items() if number)
        print(f"{form}: {files} files, {files * A_FILE:,} hostile records; {said}; longest {longest[form]:.1f} s")
    print(f"memory at most {memory:.2f} GB")


if __name__ == "__main__":
    main()
