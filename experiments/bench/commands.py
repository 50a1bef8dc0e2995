"""Compare the times of commands with version 0.2: `python -m experiments.bench.commands FOLDER [NAME ...]`.

Version 0.2 is built once from its commit, in a separate environment in FOLDER. Then both versions run each command in
turn, `--rounds` times, always with an empty cache. NAME: run only these commands. For each version, the least wall
time, the least CPU time and the peak memory of a process are printed, and the ratio of this version's times to version
0.2's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from experiments.bench.run import LOG

ROOT = Path(__file__).parent.parent.parent
OLD = "f6a5864ba8ee357fe8df9969cc770edc28d8200f"  # the last commit of version 0.2
_LIMITS = "limits ez-baccarat --bet dragon-7 --bound 10/hour --most-bet 25 50 100"
COMMANDS = {
    "limits": _LIMITS,
    "held-seat": f"{_LIMITS} --system dragon-7 --missed 0.05 --model sit-out skip-3 --shoes 4000",
    "study": "study louisiana",
    "statement": "statement louisiana-45-quarter",
    "vulnerability": "vulnerability louisiana seven-seven-45",
    "audit": "audit ez-baccarat --coups coups.csv --bets bets.csv --cut 14 --burn first-card",
    "sweep": "sweep louisiana --no-rows --shoes 1000000",
}
# A script that runs a command, and prints its seconds, its CPU seconds, and the megabytes of its largest process.
_WATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.perf_counter() - start, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e3)
"""


class Cost(NamedTuple):
    """The cost of a command: seconds of wall time, seconds of CPU time, and megabytes."""

    wall: float
    cpu: float
    memory: float

    @classmethod
    def least(cls, costs: Sequence[Cost]) -> Cost:
        return cls(*map(min, zip(*costs, strict=True)))


def build_old(folder: Path) -> Path:
    """The path of version 0.2's `counting` command. It is built in the folder if it is not there yet."""
    command = folder / "environment" / "bin" / "counting"
    if not command.exists():
        tree = folder / "tree"
        tree.mkdir(parents=True)
        archive = subprocess.run(["git", "-C", str(ROOT), "archive", OLD], check=True, stdout=subprocess.PIPE)
        subprocess.run(["tar", "-x", "-C", str(tree)], check=True, input=archive.stdout)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "environment")], check=True)
        subprocess.run([str(command.with_name("pip")), "install", "--quiet", str(tree)], check=True)
    return command


def measured(command: Path, arguments: Sequence[str], work: Path) -> Cost:
    """Run a command once, in the folder with the log, after removing the results of earlier runs."""
    out, cache = work / "out", work / "cache"
    for kept in (out, cache):
        shutil.rmtree(kept, ignore_errors=True)
    called = [sys.executable, "-c", _WATCH, str(command), *arguments, "--out", str(out)]
    environment = os.environ | {"COUNTING_CACHE": str(cache)}
    ran = subprocess.run(called, check=True, cwd=work, env=environment, stdout=subprocess.PIPE, text=True)
    return Cost(*map(float, ran.stdout.split()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(COMMANDS)}; by default all")
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if unknown := [name for name in asked.names if name not in COMMANDS]:
        parser.error(f"{unknown[0]}: no such command, should be {', '.join(COMMANDS)}")
    folder = asked.folder.resolve()
    both = [build_old(folder / "version-0.2"), Path(sys.executable).with_name("counting")]
    work = folder / "work"
    if not (work / "bets.csv").exists():
        work.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-c", LOG, str(work), "1230", "55"], check=True)
    print(f"{'':<14} {'version 0.2: wall, CPU, memory':>32} {'this version':>28} {'ratio: wall, CPU':>18}")
    for name in asked.names or COMMANDS:
        costs: list[list[Cost]] = [[], []]
        for _ in range(asked.rounds):
            for version, command in zip(costs, both, strict=True):
                version.append(measured(command, COMMANDS[name].split(), work))
        old, new = map(Cost.least, costs)
        shown = [f"{cost.wall:.1f} s, {cost.cpu:.1f} s, {cost.memory:.0f} MB" for cost in (old, new)]
        ratio = f"{new.wall / old.wall:.2f}, {new.cpu / old.cpu:.2f}"
        print(f"{name:<14} {shown[0]:>32} {shown[1]:>28} {ratio:>18}", flush=True)


if __name__ == "__main__":
    main()
