"""Is an alert lost where a watch with a command is killed at any moment?

Rounds of one log that grows while `counting watch --journal --command` follows it. The watch is killed (SIGKILL) at a
random moment, or every tenth time ended by SIGTERM, and started again; the last start reads to the end. The command
writes the alert to a file and takes 30 ms, so that alerts wait. Compared with a watch that nobody disturbed: each
alert's text and how often it was given, and the journal byte for byte. Adds a row a round to `kills.csv`, and writes a
table of `notes.md`.

    python -m experiments.watch.kills [ROUNDS] [KILLS]
    python -m experiments.watch.kills table
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from experiments._notes import put_frame
from experiments.watch.latency import GAME, HERE, RULES, dealt

TABLES, KILLS, ENDED = 6, 50, 10  # of a round; every tenth stop is by SIGTERM
COUPS = 60  # of each table
GIVE = ["sh", "-c", "tee -a given > /dev/null; sleep 0.03"]
ROWS = HERE / "kills.csv"


def command(journal: str, *more: str) -> list[str]:
    return [
        sys.executable, "-P", "-m", "counting.cli", "watch", GAME.name, "--coups", "live.jsonl", "--system", "dragon-7",
        "--rule", *RULES, "--journal", journal, "--alerts", f"{journal}.alerts", "--format", "none", *more,
    ]  # fmt: skip


@cache
def _shoes() -> list[list[bytes]]:
    return dealt()


def lines(seed: int) -> list[bytes]:
    """The lines of a round: coups of six tables in turn, with the bets on each before it."""
    shoes = _shoes()
    each = [[coup.replace(b"TABLE", b"%d" % table) for coup in shoes[(seed + table) % len(shoes)][:COUPS]]
            for table in range(TABLES)]  # fmt: skip
    return [coup for together in zip(*each, strict=True) for coup in together]


def started(folder: Path, words: list[str]) -> subprocess.Popen[bytes]:
    with (folder / "stderr").open("ab") as stderr:
        return subprocess.Popen(words, cwd=folder, stderr=stderr, stdout=subprocess.DEVNULL)


def played(folder: Path, seed: int, kills: int) -> dict[str, Any]:
    """One round."""
    rng = np.random.default_rng([2029, seed])
    log, live, journal = lines(seed), folder / "live.jsonl", folder / "journal"
    live.write_bytes(b"")
    give = ("--command", json.dumps(GIVE))
    for kill in range(kills):
        watch = started(folder, command("journal", *give))
        size = journal.stat().st_size if journal.exists() else 0
        with live.open("ab") as file:
            file.write(b"".join(log[len(log) * kill // kills : len(log) * (kill + 1) // kills]))
        if rng.integers(4):  # after the first lines were read, else at any moment, the start of the program included
            until = time.monotonic() + 30
            while (not journal.exists() or journal.stat().st_size <= size + 300) and time.monotonic() < until:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.4))
        else:
            time.sleep(rng.uniform(0, 2.0))
        watch.send_signal(signal.SIGTERM if kill % ENDED == ENDED - 1 else signal.SIGKILL)
        watch.wait()
    subprocess.run(command("journal", *give, "--once"), cwd=folder, check=True, stderr=subprocess.DEVNULL)
    subprocess.run(command("whole", "--once"), cwd=folder, check=True, stderr=subprocess.DEVNULL)
    return compared(folder) | {"kills": kills - kills // ENDED, "ended": kills // ENDED}


def compared(folder: Path) -> dict[str, Any]:
    """What was given, beside the alerts of the watch that nobody disturbed."""
    whole = (folder / "whole").read_bytes()
    alerts = [alert for line in whole.splitlines() for alert in json.loads(line).get("alerts", ())]
    texts = {json.dumps(alert, ensure_ascii=False) for alert in alerts}
    given = Counter(re.sub(r', "text": "[^"]*"}$', "}", line) for line in (folder / "given").read_text().splitlines())
    in_file = Counter(json.loads(line)["alert"] for line in (folder / "journal.alerts").read_text().splitlines())
    times = Counter(given[text] for text in texts)
    return {
        "alerts": len(texts), "lost": times[0], "once": times[1], "twice": times[2],
        "more": len(texts) - times[0] - times[1] - times[2], "others": len(given.keys() - texts),
        "in_file_once": sum(number == 1 for number in in_file.values()),
        "journal_same": int((folder / "journal").read_bytes() == whole),
    }  # fmt: skip


def table() -> None:
    frame = pl.read_csv(ROWS)
    total = frame.select(pl.exclude("seed").sum(), rounds=pl.len())
    put_frame(
        HERE / "notes.md",
        {
            "killed": "{kills:,}", "ended by SIGTERM": "{ended:,}", "alerts": "{alerts:,}", "never given": "{lost:,}",
            "given once": "{once:,}", "twice": "{twice:,}", "more often": "{more:,}",
            "once in the file of alerts": "{in_file_once:,}", "journals as undisturbed": "{journal_same} of {rounds}",
        },
        total, "kills",
    )  # fmt: skip


def main() -> None:
    if sys.argv[1:] == ["table"]:
        table()
        return
    rounds, kills = (int(sys.argv[at]) if len(sys.argv) > at else usual for at, usual in ((1, 20), (2, KILLS)))
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "POLARS_MAX_THREADS": "1"}
    first = pl.read_csv(ROWS).height if ROWS.exists() else 0
    for seed in range(first, first + rounds):
        with TemporaryDirectory() as folder:
            row = {"seed": seed, **played(Path(folder), seed, kills)}
        with ROWS.open("a") as file:
            pl.DataFrame([row]).write_csv(file, include_header=not ROWS.stat().st_size)
        print(row, flush=True)


if __name__ == "__main__":
    main()
