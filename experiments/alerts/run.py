"""Are the p-values in reports on alerts uniform if shoes are dealt at random?

Each journal is from one table and four shoes, watched with the rules below, and gets a separate report. Two faults are
planted as well. For the first, a few coups on which a rule holds are turned into wins of the Dragon 7. For the second,
a journal is cut off at the coup after which the wins are furthest above the expected number. This takes about five
minutes on one core.

    python -m experiments.alerts.run [JOURNALS]
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting import load_game
from counting.arrays import Floats
from counting.live import AlertHits, InputLine, Journal, Watch, WatchSettings, alert_hits, parse_rules
from counting.review import wins_tails
from counting.review.synthetic import Flat, deal, log_frames
from counting.simulation import Dealing
from counting.systems import load_system
from experiments._notes import put_frame

HERE = Path(__file__).parent
CSV = HERE / "alerts.csv"
JOURNALS, SHOES, SEED = 600, 4, 77
LEVELS = (0.01, 0.05, 0.1, 0.25, 0.5)
GAME = load_game("ez-baccarat")
DRAGON = load_system("dragon-7")
RULES = ("edge > 0 for dragon-7", "trigger dragon-7", "edge > 0 for player", "cards < 200 for player")
SETTINGS = WatchSettings(GAME, 8, (DRAGON,), parse_rules(RULES, GAME, (DRAGON,), False), level=0)
COLUMNS = {
    "journals": "{journals}", "rule": "{rule}", "number": "{number:,}",
    **{f"p at most {level:g}": f"{{at_most_{level:g}:.3f}}".replace("{at_most_0.", "{at_most_0_") for level in LEVELS},
    "off uniform": "{off}",
}  # fmt: skip
FAULT, MADE = "edge > 0 for dragon-7", 0.05  # the rule, and the share of its coups that become wins


def records(seed: int) -> list[dict[str, Any]]:
    """The coups of a table, as records of a log."""
    dealt = deal(GAME, Dealing.named("jacobson", GAME.decks), SEED, seed * SHOES, SHOES)
    coups, _ = log_frames(dealt, {"Ann": Flat("dragon-7", 25.0, 0.3)}, GAME, SEED + seed, "T1")
    return [{name: value for name, value in coup.items() if value is not None} for coup in coups.to_dicts()]


def reported(folder: Path, coups: list[dict[str, Any]]) -> AlertHits:
    """Watch these coups, and make the report on the journal."""
    path = folder / "journal"
    path.unlink(missing_ok=True)
    with closing(Journal(path, SETTINGS.to_dict())) as journal:
        list(journal.records())
        watch, end = Watch(SETTINGS), 0
        lines = []
        for number, coup in enumerate(coups, 1):
            raw = json.dumps(coup).encode() + b"\n"
            end += len(raw)
            lines.append(InputLine(0, raw, end, number))
        journal.append(answer.record for answer in watch.take(lines))
    return alert_hits(GAME, [path])


def of_rules(hits: AlertHits, rng: np.random.Generator) -> dict[str, tuple[float, float]]:
    """For each rule that held, two p-values: the reported one, and the p-value of a one-sided test for too many wins.
    The second counts only a random part of the probability of the observed number of wins. So it is exactly uniform if
    the chances are right and the coups are independent."""
    found = {}
    for row in hits.by_rule.filter(pl.col("coups") > 0).iter_rows(named=True):
        chances = hits.coups.filter(pl.col("rule") == row["rule"])["chance"].to_numpy()
        below, above = wins_tails(chances, row["wins"])
        found[row["rule"]] = row["p"], above - rng.random() * (below + above - 1)
    return found


def with_made_wins(coups: list[dict[str, Any]], hits: AlertHits, rng: np.random.Generator) -> list[dict[str, Any]]:
    """The coups, but a few of the coups on which the rule holds get the hands of a Dragon 7 win."""
    held = hits.coups.filter(pl.col("rule") == FAULT).select("shoe", "coup").rows()
    made = {key for key in held if rng.random() < MADE}
    win = {"player": "2h 3d Tc", "banker": "2s 3c 2d"}
    return [{**coup, **win} if (str(coup["shoe"]), coup["coup"]) in made else coup for coup in coups]


def luckiest(hits: AlertHits) -> float:
    """The rule's reported p-value if the journal is cut off at the coup after which the wins are furthest above the
    expected number, in standard deviations."""
    of_rule = hits.coups.filter(pl.col("rule") == FAULT)
    if not len(of_rule):
        return float("nan")
    chances, won = of_rule["chance"].to_numpy(), of_rule["won"].to_numpy()
    ahead = np.cumsum(won - chances) / np.sqrt(np.cumsum(chances * (1 - chances)))
    last = int(ahead.argmax()) + 1
    return min(1.0, 2 * min(wins_tails(chances[:last], int(won[:last].sum()))))


def shares(p: Floats) -> dict[str, float]:
    return {f"at_most_{level:g}".replace(".", "_"): float((p <= level + 1e-12).mean()) for level in LEVELS}


def uniform_off(p: Floats) -> float:
    """How far p-values are from uniform: the largest difference between their distribution and the uniform distribution
    (Kolmogorov and Smirnov), times the square root of their number. For uniform p-values, this is above 1.63 in one of
    a hundred cases."""
    ordered, n = np.sort(p), len(p)
    steps = np.arange(n + 1) / n
    return float(np.sqrt(n) * max((steps[1:] - ordered).max(), (ordered - steps[:-1]).max()))


def main(number: int) -> None:
    rng = np.random.default_rng(SEED)
    found: dict[str, list[tuple[float, float]]] = {}
    made, lucky = [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for seed in range(number):
            coups = records(seed)
            hits = reported(folder, coups)
            for rule, both in of_rules(hits, rng).items():
                found.setdefault(rule, []).append(both)
            lucky.append(luckiest(hits))
            faulty = of_rules(reported(folder, with_made_wins(coups, hits, rng)), rng)
            if FAULT in faulty:
                made.append(faulty[FAULT][0])
    rows: list[Mapping[str, Any]] = []
    for rule, both in found.items():
        p, split = np.array(both).T
        rows.append({"journals": "honest", "rule": rule, "number": len(p), **shares(p), "off_uniform": None})
        rows.append(
            {"journals": "honest, ties split", "rule": rule, "number": len(p), **shares(split)}
            | {"off_uniform": uniform_off(split)}
        )
    for name, values in ((f"{MADE:.0%} of the coups made wins", made), ("ended at the luckiest coup", lucky)):
        p = np.array(values)[~np.isnan(values)]
        rows.append({"journals": name, "rule": FAULT, "number": len(p), **shares(p), "off_uniform": None})
    frame = pl.DataFrame(rows, infer_schema_length=None)
    frame.write_csv(CSV)
    put_frame(
        HERE / "notes.md", COLUMNS, frame.with_columns(off=pl.col("off_uniform").round(2).cast(pl.String).fill_null(""))
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else JOURNALS)
