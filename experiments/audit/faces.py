"""Patrons who watch faces: how many are flagged, what the audit reports on them, and what stricter tests would cost.

`sizes`: fifteen habits of watching faces at 100 tables, after 40 and 200 shoes. `powers`: counters at 50 tables, after
1, 3, 10 and 40 shoes. Each patron is tested as in an audit. Then the patron is tested ten more times, once for each
point value. In these tests, hands with a card of the value stay in place when hands are rearranged. (For counters these
tests are made only if the first p-value is at most 1%.) `saids`: for both groups of patrons, the mean edges and the
count that the audit names. The results of each table are a file in FOLDER, so that an interrupted run can continue. At
the end, `audit-faces.csv`, `audit-faces-power.csv` and the tables of `notes.md` are written.

    python -m experiments.audit.faces FOLDER [PROCESSES [sizes | powers | saids]]
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each process needs only one thread

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from counting.games import Game
from counting.logs import Log
from counting.review import ARRANGED
from counting.review.patrons.arrangements import Arrangements, stream
from counting.review.patrons.best_count import Counts
from counting.review.patrons.edge_following import FEW_SHOES, Scored
from counting.review.patrons.kept_edges import KeptEdges
from counting.review.patrons.named_count import PricedStakes, named_count
from counting.review.synthetic import Counter, DealtTable, Facts, Patron, deal
from counting.review.synthetic.patrons import Floats
from counting.review.unseen_cards import UnseenCards
from counting.systems import load_system
from experiments._notes import put, put_frame
from experiments.audit.face_habits import FACES
from experiments.audit.run import as_log, played
from experiments.audit.tests import COUNTERS, DEALING, DRAWN, EZ, LOUISIANA, TESTS, limits

HERE = Path(__file__).parent
SIDE = "dragon-7"
SIZE_TABLES, SIZE_LOOKS, SIZE_SEED = 100, (40, 200), 4711
POWER_TABLES, POWER_LOOKS, POWER_SEED = 50, (1, 3, 10, 40), 3032
SAID_TABLES = 20  # tables of counters
LEVEL = 0.01
HELD = [f"v{value}" for value in range(10)]
GROUPS: tuple[tuple[Game, str, dict[str, Patron]], ...] = (
    (EZ, SIDE, {name: patron for name, patron in COUNTERS.items() if patron.bets == (SIDE,)}),
    (LOUISIANA, "tie-9", {"perfect on Tie 9:1": Counter("tie-9", 100)}),
    (EZ.also(["egalite-7"]), "egalite-7",
     {"tie-on-7 on egalite-7": Counter("egalite-7", 100, load_system("tie-on-7"))}),
    (EZ, "player", {"perfect on Player": Counter("player", 100)}),
)  # fmt: skip


class Look:
    """The first shoes of a table, as an audit sees them, for tests on one bet."""

    def __init__(self, table: DealtTable, game: Game, bet: str, shoes: int, seed: int) -> None:
        self.seen = np.flatnonzero(table.coups.shoe < shoes)
        log = as_log(table)
        log = Log(log.coups[self.seen], log.bets, log.remarks)
        self.unseen = UnseenCards(log, 8)
        self.arrangements = Arrangements(log, self.unseen, game, seed)
        self.bet, self.seed = bet, seed
        self.scored: dict[tuple[int | None, tuple[int, ...]], Scored] = {}

    def p(self, stakes: Floats, number: int, most: float) -> list[float | None]:
        """The audit's p-value, then ten p-values: for each value from 0 to 9, hands with this value stay in place. The
        ten are None if the audit's p-value is above `most`."""
        shoe, here = self.unseen.shoe, stakes[self.seen]
        shoes = np.unique(shoe[here > 0])
        if not len(shoes):
            return [1.0, *[None] * len(HELD)]
        rows = np.flatnonzero(np.isin(shoe, shoes))
        these = tuple((shoes if len(shoes) in FEW_SHOES else np.arange(len(self.unseen.start))).tolist())
        found: list[float | None] = []
        for held in (None, *range(len(HELD))):
            if found and found[0] is not None and found[0] > most:
                found.append(None)
                continue
            if (held, these) not in self.scored:
                arranged = self.arrangements if held is None else self.arrangements.holding(held)
                drawn = FEW_SHOES.get(len(these), ARRANGED)
                self.scored[held, these] = Scored(KeptEdges(arranged, [self.bet], these, drawn).of(self.bet))
            test = self.scored[held, these].tests(shoes, [here[rows]], DRAWN, self.seed, [number])[0]
            found.append(test.p)
        return found


def size(number: int) -> pl.DataFrame:
    """The p-values of patrons at one table, one for each habit."""
    table = deal(EZ, DEALING, SIZE_SEED, number * SIZE_LOOKS[-1], SIZE_LOOKS[-1])
    known = Facts(EZ, (SIDE,), table)
    stakes = [habit.stakes(table, known, np.random.default_rng(1))[:, 0] for habit in FACES.values()]
    rows: list[tuple[object, ...]] = []
    for shoes in SIZE_LOOKS:
        look = Look(table, EZ, SIDE, shoes, number)
        rows += [(name, shoes, number, *look.p(stakes[i], i, 1)) for i, name in enumerate(FACES)]
    return _frame(rows)


def power(number: int) -> pl.DataFrame:
    """The p-values of counters at one table."""
    rows: list[tuple[object, ...]] = []
    for game, side, patrons in GROUPS:
        bet = game.main_bet(side)
        table = deal(game, DEALING, POWER_SEED, number * POWER_LOOKS[-1], POWER_LOOKS[-1])
        known = Facts(game, (bet,), table)
        stakes = [
            p.stakes(table, known, np.random.default_rng([number, i]))[:, 0] for i, p in enumerate(patrons.values())
        ]
        for shoes in POWER_LOOKS:
            look = Look(table, game, bet, shoes, number)
            rows += [(name, shoes, number, *look.p(stakes[i], i, LEVEL)) for i, name in enumerate(patrons)]
    return _frame(rows)


def _frame(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    types = {"patron": pl.String, "shoes": pl.Int64, "number": pl.Int64, "base": pl.Float64}
    return pl.DataFrame(rows, types | dict.fromkeys(HELD, pl.Float64), orient="row")


def said(number: int) -> pl.DataFrame:
    """The mean edges of patrons who watch faces, at a table of `sizes`. If the number of the table is one of the first
    20, also the mean edges of counters, at a table of `powers`. For each patron there is also the count that the audit
    would name."""
    rows: list[dict[str, object]] = []
    parts = [(SIZE_SEED, SIZE_LOOKS[-1], EZ, SIDE, FACES)]
    if number < SAID_TABLES:
        parts.append((POWER_SEED, POWER_LOOKS[-1], *GROUPS[0]))
    for seed, shoes, game, bet, patrons in parts:
        table = deal(game, DEALING, seed, number * shoes, shoes)
        known, log = Facts(game, (bet,), table), as_log(table)
        unseen = UnseenCards(log, 8)
        arranged, counts = Arrangements(log, unseen, game, number), Counts(unseen)
        for i, (name, patron) in enumerate(patrons.items()):
            amounts = patron.stakes(table, known, np.random.default_rng([number, i]))[:, 0]
            here = np.flatnonzero(np.isin(unseen.shoe, unseen.shoe[amounts > 0]))
            staked = PricedStakes(here, amounts[here], known.edges[here, 0])
            usual = float(known.edges[:, 0].mean())
            count = named_count(bet, staked, usual, arranged, counts, number, stream(name, bet))
            positive = staked.edges[staked.edges > 0]
            rows.append({
                "patron": name, "shoes": shoes, "edge": float(staked.stakes @ staked.edges / staked.stakes.sum()),
                "edge_random": usual, "edge_counter": float(positive.mean()), "count_used": count.count_used or "",
            })  # fmt: skip
    return pl.DataFrame(rows)


WAYS = {  # for each test, the values whose hands stay in place, besides totals, pairs and third cards
    "as the audit": [],
    "tens in place": ["v0"],
    "each value but tens": HELD[1:],
    "each value": HELD,
}


def shares(frame: pl.DataFrame) -> Iterator[dict[str, object]]:
    """For each test of `WAYS`, the share of patrons with a small p-value. The test's p-value is the largest of the
    p-values that it uses."""
    for (patron, shoes), rows in frame.group_by("patron", "shoes", maintain_order=True):
        for way, held in WAYS.items():
            p = rows.select(pl.max_horizontal("base", *held))["base"]
            for level in (LEVEL, LEVEL / TESTS):
                small = int((p <= level).sum())
                low, high = limits(small, len(p))
                yield {"patron": patron, "shoes": shoes, "way": way, "level": level, "flagged": small, "of": len(p),
                       "low": low, "high": high}  # fmt: skip


def _percent(rows: pl.DataFrame) -> str:
    return " and ".join(f"{100 * hits / of:.0f}" for hits, of in rows.select("flagged", "of").rows()) + "%"


def sizes(folder: Path, processes: int) -> None:
    small = pl.DataFrame(list(shares(played(folder, size, SIZE_TABLES, processes))))
    small.write_csv(HERE / "audit-faces.csv", float_precision=5)
    alone = small.filter(level=LEVEL)
    table = []
    for name in FACES:
        row = [name]
        for shoes, way in ((40, "as the audit"), (200, "as the audit"), (200, "tens in place"), (200, "each value")):
            here = alone.filter(patron=name, shoes=shoes, way=way)
            low, high = here.select("low", "high").row(0)
            row.append(f"{_percent(here)} ({100 * low:.0f} to {100 * high:.0f})")
        table.append(row)
    put(HERE / "notes.md", ["patron", "40 shoes", "200 shoes", "200, tens in place", "200, each value"], table, "faces")


def powers(folder: Path, processes: int) -> None:
    small = pl.DataFrame(list(shares(played(folder, power, POWER_TABLES, processes))))
    small.write_csv(HERE / "audit-faces-power.csv", float_precision=5)
    table = []
    for name in [name for _, _, patrons in GROUPS for name in patrons]:
        row = [name]
        for shoes in POWER_LOOKS[1:]:
            row += [_percent(small.filter(patron=name, shoes=shoes, way=way)) for way in WAYS]
        table.append(row)
    columns = [f"{shoes}, {way}" for shoes in POWER_LOOKS[1:] for way in WAYS]
    put(HERE / "notes.md", ["patron", *columns], table, "faces-power")


def saids(folder: Path, processes: int) -> None:
    every = played(folder, said, SIZE_TABLES, processes).with_columns(pl.col("count_used").fill_null(""))
    named = every.filter(pl.col("count_used") != "").group_by("patron", "count_used").len().sort("len", "count_used")
    texts = {p: ", ".join(f"{c} {n}" for c, n in of.select("count_used", "len").reverse().rows())
             for (p,), of in named.group_by("patron")}  # fmt: skip
    means = every.group_by("patron", maintain_order=True).agg(
        pl.len(), *(pl.col(name).mean() * 100 for name in ("edge", "edge_random", "edge_counter"))
    )
    told = means.with_columns(named=pl.col("patron").replace_strict(texts, default="none"))
    columns = {"patron": "{patron}", "logs": "{len}", "mean edge of the stakes": "{edge:+.1f}%",
               "random stakes": "{edge_random:+.1f}%", "perfect counter": "{edge_counter:+.1f}%",
               "count named (logs)": "{named}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, told, "faces-said")


def main() -> None:
    folder, processes = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"sizes": sizes, "powers": powers, "saids": saids}
    for part in [parts[sys.argv[3]]] if len(sys.argv) > 3 else parts.values():
        part(folder, processes)


if __name__ == "__main__":
    main()
