"""Compare two files of the project's counts on the same shoes: what share of a perfect counter's win the count of each
level wins at its trigger.

Neither the search nor its check used these shoes. Writes `compared.csv` in this folder, and the table of `notes.md`.

    python -m experiments.own_counts.compare BEFORE.toml counting/systems/searched/own.toml [BET ...]

If bets are named, the rows of other bets in `compared.csv` are not changed.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from counting.cards import DECK
from counting.io.toml import read_toml
from counting.systems.system import LEVELS
from experiments._notes import put
from experiments.own_counts.run import SHOES, games, together
from experiments.own_counts.samples import Sample, samples
from experiments.own_counts.search import lowest

HERE = Path(__file__).parent
TABLE = HERE / "compared.csv"
SEED = 404


def kept(sample: Sample, counts: dict[int, tuple[list[int], int]]) -> dict[int, float]:
    """The share of a perfect counter's win that the count of each level wins at its trigger."""
    return {level: sample.gain(lowest(tags), -trigger - DECK * min(tags)) for level, (tags, trigger) in counts.items()}


def read(path: Path) -> dict[str, dict[int, tuple[list[int], int]]]:
    """The tags and the trigger of each count in a file, by bet and level."""
    counts: dict[str, dict[int, tuple[list[int], int]]] = {}
    for row in read_toml(path)["counts"]:
        counts.setdefault(row["bet"], {})[row["level"]] = row["tags"], row["trigger"]
    return counts


def main(before: Path, after: Path, named: Sequence[str] = ()) -> None:
    files, rows = {"before": read(before), "now": read(after)}, list[dict[str, Any]]()
    held = {bet: game for bet, game in games().items() if any(bet in counts for counts in files.values())}
    if named:
        rows += pl.read_csv(TABLE).filter(~pl.col("bet").is_in(named)).to_dicts()
    for bets in together({bet: game for bet, game in held.items() if bet in (named or held)}):
        for bet, sample in samples(held[bets[0]], bets, SHOES, SEED).items():
            for name, counts in files.items():
                by_level = kept(sample, counts.get(bet, {}))
                rows.append({"bet": bet, "counts": name} | {f"level_{level}": by_level.get(level) for level in LEVELS})
    frame = pl.DataFrame(rows)
    order = {bet: i for i, bet in enumerate(held)}
    frame = frame.with_columns(pl.col("^level_.$").round(5)).sort(pl.col("bet").replace_strict(order), "counts")
    frame.write_csv(TABLE, float_precision=5)
    both = [frame.filter(pl.col("counts") == name) for name in files]
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
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:])
