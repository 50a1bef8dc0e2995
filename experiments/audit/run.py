"""What an audit finds: how soon it flags counters among other patrons, and how often it flags an innocent patron.

`tables`: 15 tables of 200 shoes, audited after 5, 10, 20 ... shoes. Each table has 57 patrons with innocent habits, and
three who count for the Dragon 7. `errors`: eleven errors of dealing and paying are planted in each of 100 logs, one of
each kind. The results of each table are a file in FOLDER, so that an interrupted run can continue. At the end,
`audit.csv` and the tables of `notes.md` are written. `tests.py` measures the size and power of each single test.

    python -m experiments.audit.run FOLDER [PROCESSES]
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each process needs only one thread

import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from counting import load_game
from counting.io.outputs import write_bytes
from counting.logs import Log, read_log
from counting.review import PatronSettings, audit, dealing_errors
from counting.review.synthetic import Counter, DealtTable, Flat, Patron, Progressive, Trend, Visitor, deal, log_frames
from counting.simulation import Dealing
from counting.systems import load_system
from experiments._notes import put, put_frame

HERE = Path(__file__).parent
GAME, DEALING, SEED = load_game("ez-baccarat"), Dealing.named("jacobson", 8), 2027
SIDE = "dragon-7"
CHASED = ("banker", "player", SIDE, "small", "any-natural")  # the last two: losses in a row tell about cards
COUNT, LEVEL_1 = load_system("dragon-7"), load_system("dragon-7-level-1")
TABLES, SHOES, LEVEL = 15, 200, 0.01
LOOKS = (5, 10, 20, 40, 80, 200)  # shoes after which a table is audited
COUNTERS: dict[str, Patron] = {
    "a: bets only when it pays": Counter(SIDE, 100, COUNT),
    "b: 30% cover bets": Counter(SIDE, 100, COUNT, cover=0.3),
    "c: a level-1 count": Counter(SIDE, 100, LEVEL_1),
}


def innocents(rng: np.random.Generator) -> dict[str, Patron]:
    """57 patrons who do not count. They bet at random, come at the same time in each shoe, double after losses, or bet
    on what has just won."""
    found: dict[str, Patron] = {}
    for i in range(22):
        found[f"flat {i}"] = Flat(SIDE, 25, float(rng.uniform(0.02, 0.6)))
    for i in range(13):
        first = int(rng.integers(1, 75))
        found[f"visitor {i}"] = Visitor(SIDE, 25, first, first + int(rng.integers(1, 40)))
    for i in range(12):
        found[f"progressive {i}"] = Progressive(CHASED[i % len(CHASED)], 25, float(rng.uniform(1.5, 3)), 2000)
    for i in range(10):
        found[f"trend {i}"] = Trend(("player", "banker", SIDE), 25, int(rng.integers(1, 5)))
    return found


def as_log(table: DealtTable, bets: pl.DataFrame | None = None) -> Log:
    """The log of a table. It is written to files and read again, as the files of a pit are. `bets`: the bets, from
    `log_frames`."""
    with TemporaryDirectory() as folder:
        coups, placed = Path(folder) / "coups.csv", Path(folder) / "bets.csv"
        log_frames(table, {"nobody": Flat("player", 1)}, GAME, SEED)[0].write_csv(coups)
        if bets is not None:
            bets.write_csv(placed)
        return read_log(coups, placed if bets is not None else None)


def one_table(number: int) -> pl.DataFrame:
    """Audit one table after each number of shoes. Returns, for each of these audits, the rows of the patrons who are
    flagged and of the counters."""
    table = deal(GAME, DEALING, SEED, number * SHOES, SHOES)
    patrons = innocents(np.random.default_rng([SEED, number])) | COUNTERS
    log = as_log(table, log_frames(table, patrons, GAME, SEED, "table 1")[1])
    found = []
    for look in LOOKS:
        shoes = pl.Series([str(number * SHOES + i) for i in range(look)])
        coups = log.coups.filter(pl.col("shoe").is_in(shoes.implode()))
        so_far = Log(coups, log.bets.filter(pl.col("shoe").is_in(shoes.implode())), log.remarks)
        rows = audit(so_far, GAME, 8, None, PatronSettings(LEVEL, number)).patrons
        shown = rows.filter(pl.col("flagged") | pl.col("patron").is_in(list(COUNTERS)))
        shown = shown.select(
            "patron", "bet", "p_follows", "p_knows", "p_holm", "flagged", "gain_units", "count_used", "trigger"
        )
        found.append(shown.with_columns(table=pl.lit(number), shoes=pl.lit(look), coups=pl.lit(coups.height)))
    return pl.concat(found)


def _without_third(hand: str) -> str:
    return " ".join(hand.split()[:2])


Wrong = tuple[str, Callable[[dict[str, Any]], bool], Callable[[dict[str, Any]], dict[str, str]]]
PLANTED: tuple[Wrong, ...] = (
    ("Player stood", lambda c: len(c["player"].split()) == 3, lambda c: {"player": _without_third(c["player"])}),
    ("Player drew", lambda c: c["plain"] and len(c["player"].split()) == 2, lambda c: {"player": f"{c['player']} 2c"}),
    ("Banker stood", lambda c: len(c["banker"].split()) == 3, lambda c: {"banker": _without_third(c["banker"])}),
    ("Banker drew", lambda c: c["plain"] and len(c["banker"].split()) == 2, lambda c: {"banker": f"{c['banker']} 3h"}),
    ("drawn after a natural", lambda c: c["natural"], lambda c: {"banker": f"{c['banker']} Kd"}),
    ("the winner", lambda c: c["winner"] != "tie", lambda c: {"winner": "tie"}),
    ("a hand of four cards", lambda c: len(c["player"].split()) == 3, lambda c: {"player": f"{c['player']} 5s"}),
    ("a hand of one card", lambda c: c["plain"], lambda c: {"player": c["player"].split()[0]}),
)


def one_of_errors(number: int) -> pl.DataFrame:
    """Plant eleven errors in a log of ten shoes. The rows say which errors were found, and what was reported
    wrongly."""
    shoes = 10
    table = deal(GAME, DEALING, SEED + 2, number * shoes, shoes)
    coups, bets = log_frames(table, {"one": Flat(SIDE, 25, 0.3), "two": Flat("player", 10)}, GAME, SEED, "table 1")
    rng, rows = np.random.default_rng([SEED, 2, number]), coups.to_dicts()
    shown = table.coups.shown
    for i, row in enumerate(rows):
        player, banker, *cards = shown[i, :4].tolist()
        row["natural"] = cards == [2, 2] and max(player, banker) >= 8
        row["plain"] = not row["natural"]
    short, last, planted = rows[0]["shoe"], rows[-1]["shoe"], {}
    ended = max(row["coup"] for row in rows if row["shoe"] == short) - 4
    rows = [row for row in rows if row["shoe"] != short or row["coup"] <= ended]
    bets = bets.filter((pl.col("shoe") != short) | (pl.col("coup") <= ended))
    for kind, fits, change in PLANTED:
        free = (i for i in rng.permutation(len(rows)).tolist() if i not in planted and rows[i]["shoe"] != last)
        at = next(i for i in free if fits(rows[i]))
        rows[at] |= change(rows[at])
        planted[at] = kind
    rows.append(rows[-1] | {"coup": rows[-1]["coup"] + 1})
    paid = next(i for i in rng.permutation(bets.height).tolist() if bets["won"][i] != 0)
    spoiled = pl.DataFrame(rows, infer_schema_length=None).select(coups.columns)
    bets = bets.with_row_index("i").with_columns(
        won=pl.when(pl.col("i") == paid).then(pl.col("won") + 5).otherwise("won")
    )
    folder = Path(sys.argv[1]) / f"log-{number}"
    folder.mkdir(exist_ok=True)
    spoiled.write_csv(folder / "coups.csv")
    bets.drop("i").write_csv(folder / "bets.csv")
    found = dealing_errors(read_log(folder / "coups.csv", folder / "bets.csv"), GAME, 8, DEALING)
    # A planted card is a card too many in its shoe, and it moves the end of the shoe. Reports of these two effects are
    # right; all other reports in the shoe are wrong.
    moved, early = pl.col("rule").is_in(["after-cut", "too-many"]), pl.col("rule") == "early-end"
    found = found.filter((~moved | (pl.col("shoe") == str(last))) & (~early | (pl.col("shoe") == str(short))))
    right = {(str(rows[i]["shoe"]), rows[i]["coup"]): kind for i, kind in planted.items()}
    right |= {(str(last), rows[-1]["coup"]): "one coup too many", (str(short), ended): "a shoe ended early"}
    right |= {(str(bets["shoe"][paid]), bets["coup"][paid]): "a payment"}
    reported = {(shoe, coup) for shoe, coup in found.select("shoe", "coup").rows()}
    made = [(number, kind, place in reported, 0) for place, kind in right.items()]
    return pl.DataFrame(
        [*made, (number, "where nothing is wrong", True, len(reported - set(right)))],
        ["table", "kind", "found", "invented"], orient="row",
    )  # fmt: skip


def kept(folder: Path, work: Callable[[int], pl.DataFrame], number: int) -> None:
    path = folder / f"{work.__name__}-{number:03}.csv"
    if not path.exists():
        write_bytes(path, work(number).write_csv().encode())


def played(folder: Path, work: Callable[[int], pl.DataFrame], numbers: int, processes: int) -> pl.DataFrame:
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:  # polars' threads do not survive a fork
        for _ in pool.map(partial(kept, folder, work), range(numbers)):
            pass
    files = [folder / f"{work.__name__}-{i:03}.csv" for i in range(numbers)]
    names = ("trigger", "p_follows", "p_knows", "p_old", "base", *(f"v{value}" for value in range(10)))
    numbers_of = dict.fromkeys(names, pl.Float64)
    return pl.concat([pl.read_csv(file, schema_overrides=numbers_of) for file in files])


def looks(tables: pl.DataFrame) -> Iterator[Mapping[str, object]]:
    for (shoes,), rows in tables.group_by("shoes", maintain_order=True):
        innocent = ~pl.col("patron").is_in(list(COUNTERS))
        alarms = rows.filter(innocent & pl.col("flagged"))
        yield (
            {"shoes": shoes, "coups": rows["coups"].mean()}
            | {name: rows.filter(pl.col("patron") == name, pl.col("flagged"))["table"].n_unique() for name in COUNTERS}
            | {"alarms": alarms["table"].n_unique(), "tables": rows["table"].n_unique()}
        )


def main() -> None:
    folder, processes = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder.mkdir(parents=True, exist_ok=True)
    tables = pl.DataFrame(list(looks(played(folder, one_table, TABLES, processes))))
    tables.write_csv(HERE / "audit.csv")
    columns = ["shoes", "coups", *COUNTERS, "tables with another patron flagged"]
    shown = [[str(row[0]), f"{row[1]:.0f}", *map(str, row[2:-1])] for row in tables.rows()]
    put(HERE / "notes.md", columns, shown, "tables")

    errors = played(folder, one_of_errors, 100, processes)
    told = errors.group_by("kind", maintain_order=True).agg(pl.len(), pl.col("found").sum(), pl.col("invented").sum())
    put_frame(
        HERE / "notes.md",
        {"planted": "{kind}", "in logs": "{len}", "found": "{found}", "false alarms": "{invented}"},
        told, "errors",
    )  # fmt: skip


if __name__ == "__main__":
    main()
