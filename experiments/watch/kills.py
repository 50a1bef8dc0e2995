"""Is an alert lost if a watch with a command is killed at a random moment?

In each round, a log grows while `counting watch --journal --command` follows it. The watch is killed (SIGKILL) at
random moments, and started again. Every tenth time, it is ended by SIGTERM instead. The last watch reads to the end.
The command writes the alert to a file and takes 30 ms, so that alerts have to wait. Three things are compared with an
undisturbed watch: the text of each alert, how often it was given, and the bytes of the journal. Adds a row for each
round to `kills.csv`, and writes a table of `notes.md`.

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
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import numpy as np
import polars as pl

from counting.cli import main as main_of
from experiments._notes import put_frame

TABLES, KILLS, ENDED = 6, 50, 10  # tables and kills in a round; every tenth kill is a SIGTERM
COUPS = 60  # coups of each table
GIVE = ["sh", "-c", "tee -a given > /dev/null; sleep 0.03"]
HERE = Path(__file__).parent
ROWS = HERE / "kills.csv"
GAME = "ez-baccarat"
CARDS = range(60, 400, 20)  # an alert for each n, when fewer than n cards are unseen; this happens on one coup in five
RULES = ("edge > 2%", "trigger dragon-7", "stake > 500 and edge > 0", *(f"cards < {n} for player" for n in CARDS))


def command(journal: str, *more: str) -> list[str]:
    return [
        "watch", GAME, "--coups", "live.jsonl", "--system", "dragon-7",
        "--rule", *RULES, "--journal", journal, "--alerts", f"{journal}.alerts", "--format", "none", *more,
    ]  # fmt: skip


@cache
def shoes() -> list[list[str]]:
    """The coups of a hundred shoes. They are dealt in another process, which also returns the names of the modules that
    a watch imports. The calling process imports these modules and starts no thread, because watches are forked from
    it."""
    program = "from experiments.watch import kills; kills.deal_shoes()"
    told = subprocess.run([sys.executable, "-W", "ignore", "-c", program], stdout=subprocess.PIPE, check=True).stdout
    names, dealt = json.loads(told)
    for name in names:
        import_module(name)
    return cast("list[list[str]]", dealt)


def deal_shoes() -> None:
    from experiments.watch.latency import dealt

    coups = [[coup.decode() for coup in shoe[:COUPS]] for shoe in dealt()]
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("live.jsonl").write_text("".join(coups[0]).replace("TABLE", "1"))
        main_of(command("journal", "--once", "--command", json.dumps(["true"])))
    names = [name for name in sys.modules if name.partition(".")[0] in ("counting", "polars", "cyclopts", "pydantic")]
    print(json.dumps([names, coups]))


def lines(seed: int) -> list[bytes]:
    """The lines of a round: coups of six tables in turn, each after the bets on it."""
    each = [[coup.replace("TABLE", f"{table}").encode() for coup in shoes()[(seed + table) % len(shoes())]]
            for table in range(TABLES)]  # fmt: skip
    return [coup for together in zip(*each, strict=True) for coup in together]


def started(folder: Path, words: list[str]) -> int:
    """Start a watch, and return its process number. It is forked, so that a new start after a kill does not take a
    second for imports."""
    number = os.fork()
    if number:
        return number
    status = 1
    try:
        os.chdir(folder)
        os.dup2(os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.default_int_handler)
        status = main_of(words)
    finally:
        os._exit(status)


def ended(number: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def played(folder: Path, seed: int, kills: int) -> dict[str, Any]:
    """Play one round. Returns its row."""
    rng = np.random.default_rng([2029, seed])
    log, live, journal = lines(seed), folder / "live.jsonl", folder / "journal"
    live.write_bytes(b"")
    give = ("--command", json.dumps(GIVE))
    for kill in range(kills):
        watch = started(folder, command("journal", *give))
        size = journal.stat().st_size if journal.exists() else 0
        with live.open("ab") as file:
            file.write(b"".join(log[len(log) * kill // kills : len(log) * (kill + 1) // kills]))
        if rng.integers(4):  # three times out of four, after the first lines were read; otherwise at any moment
            until = time.monotonic() + 30
            while (not journal.exists() or journal.stat().st_size <= size + 300) and time.monotonic() < until:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.4))
        else:
            time.sleep(rng.uniform(0, 1.0))
        os.kill(watch, signal.SIGTERM if kill % ENDED == ENDED - 1 else signal.SIGKILL)
        ended(watch)
    for last in (command("journal", *give, "--once"), command("whole", "--once")):
        if ended(started(folder, last)):
            raise RuntimeError((folder / "stderr").read_text())
    return compared(folder) | {"kills": kills - kills // ENDED, "ended": kills // ENDED}


def compared(folder: Path) -> dict[str, Any]:
    """Compare the alerts that were given, and the journal, with the alerts and the journal of the undisturbed watch."""
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
    first = len(ROWS.read_text().splitlines()) - 1 if ROWS.exists() else 0
    for seed in range(first, first + rounds):
        with TemporaryDirectory() as folder:
            row = {"seed": seed, **played(Path(folder), seed, kills)}
        with ROWS.open("a") as file:
            if not ROWS.stat().st_size:
                file.write(",".join(row) + "\n")
            file.write(",".join(map(str, row.values())) + "\n")
        print(row, flush=True)


if __name__ == "__main__":
    main()
