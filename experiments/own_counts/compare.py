"""Two files of own counts on the same shoes: the share of the perfect gain that each level keeps at its trigger.

The shoes are neither those of the search nor those that it is checked on. Writes `compared.csv` beside this file and
the table of `notes.md`.

    python -m experiments.own_counts.compare BEFORE.toml counting/systems/searched/own.toml
"""

from __future__ import annotations

import sys
from pathlib import Path

import polars as pl

from counting.cards import DECK
from counting.io.toml import read_toml
from counting.systems.system import LEVELS
from experiments._notes import put
from experiments.own_counts.run import SHOES, games, together
from experiments.own_counts.samples import Sample, samples
from experiments.own_counts.search import lowest

HERE = Path(__file__).parent
SEED = 404


def kept(sample: Sample, counts: dict[int, tuple[list[int], int]]) -> dict[int, float]:
    """The share of the perfect gain of each level's tags at its trigger."""
    return {level: sample.gain(lowest(tags), -trigger - DECK * min(tags)) for level, (tags, trigger) in counts.items()}


def read(path: Path) -> dict[str, dict[int, tuple[list[int], int]]]:
    """Tags and trigger by bet and level."""
    counts: dict[str, dict[int, tuple[list[int], int]]] = {}
    for row in read_toml(path)["counts"]:
        counts.setdefault(row["bet"], {})[row["level"]] = row["tags"], row["trigger"]
    return counts


def main(before: Path, after: Path) -> None:
    files, rows = {"before": read(before), "now": read(after)}, []
    held = {bet: game for bet, game in games().items() if any(bet in counts for counts in files.values())}
    for bets in together(held):
        for bet, sample in samples(held[bets[0]], bets, SHOES, SEED).items():
            for name, counts in files.items():
                by_level = kept(sample, counts.get(bet, {}))
                rows.append({"bet": bet, "counts": name} | {f"level_{level}": by_level.get(level) for level in LEVELS})
    frame = pl.DataFrame(rows)
    order = {bet: i for i, bet in enumerate(held)}
    frame = frame.sort(pl.col("bet").replace_strict(order), "counts")
    frame.write_csv(HERE / "compared.csv", float_precision=5)
    both = [frame.filter(pl.col("counts") == name).sort(pl.col("bet").replace_strict(order)) for name in files]
    lines = [
        [bet, *(_change(*(part[f"level_{level}"][i] for part in both)) for level in LEVELS)]
        for i, bet in enumerate(both[0]["bet"])
    ]
    medians = [[part[f"level_{level}"].median() for part in both] for level in LEVELS]
    lines.append(["median", *(_change(*pair) for pair in medians)])
    put(HERE / "notes.md", ["bet", *(f"level {level}" for level in LEVELS)], lines, "compared")


def _change(before: float | None, now: float | None) -> str:
    return " → ".join("no count" if share is None else f"{100 * share:.1f}%" for share in (before, now))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
