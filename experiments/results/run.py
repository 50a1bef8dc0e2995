"""The tests of results without cards: their size on honest logs, and their power against planted faults.

Logs are dealt by `plain.py`, which shares no code with the package. They are written to a file, and read like any log.
When a case is done, its rows are added to `results.csv`, and the tables of `notes.md` are written.

    python -m experiments.results.run [LOGS [CASE]]
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from counting.logs import read_log
from counting.review import ResultsSettings, ResultTest, review_results
from experiments._notes import put
from experiments.results import plain

HERE = Path(__file__).parent
CSV = HERE / "results.csv"
LOGS, POWER_LOGS = 2000, 60
LEVELS = (0.01, 0.05)
HEAD = ("table", "shoe", "coup", "dealer", "winner")
MORE = ("player_pair", "banker_pair", "natural", "player_total", "banker_total")
Row = tuple[Any, ...]
Shoe = list[int]


@dataclass(frozen=True)
class Case:
    """A kind of log: its numbers of shoes, tables and dealers, and whether more than winners is recorded. It may have a
    fault of the shoe, the deal or the record. Then `aimed` names the test and the group that should find the fault."""

    name: str
    shoes: int
    tables: int = 1
    dealers: int = 1
    full: bool = False
    missing: float = 0.0
    most: int = 999
    faulty: Callable[[Case, random.Random, int, list[Shoe]], Shoe] | None = None
    draws: Callable[[str], plain.Draws] | None = None
    record: Callable[[random.Random, str, str], str] | None = None
    aimed: tuple[str, str] = ("", "")
    cut: int = 14

    def rows(self, rng: random.Random) -> Iterator[Row]:
        """The rows of the log, one for each coup."""
        for table in range(1, self.tables + 1):
            past: list[Shoe] = []
            for number in range(1, self.shoes + 1):
                cards = plain.shoe(rng) if self.faulty is None else self.faulty(self, rng, table, past)
                past.append(cards)
                dealer = f"D{rng.randrange(self.dealers) + 1}"
                draws = plain.banker_draws if self.draws is None else self.draws(dealer)
                for at, coup in enumerate(plain.dealt(cards, self.cut, True, draws)[: self.most], 1):
                    if rng.random() < self.missing:
                        continue
                    winner = coup.winner if self.record is None else self.record(rng, dealer, coup.winner)
                    row = (table, number, at, dealer, winner)
                    more = (coup.player_pair, coup.banker_pair, coup.natural, coup.player, coup.banker)
                    yield (*row, *map(int, more)) if self.full else row


def ties_as_player(rng: random.Random, dealer: str, winner: str) -> str:
    """Dealer D2 records three ties in ten as Player's wins."""
    return "player" if winner == "tie" and dealer == "D2" and rng.random() < 0.3 else winner


def short_of_nines(case: Case, rng: random.Random, table: int, _: list[Shoe]) -> Shoe:
    """The shoes of table 2 lack 16 of their 32 nines."""
    return plain.shoe(rng, without=[9] * 16 if table == 2 else ())


def cut_only(case: Case, rng: random.Random, _: int, past: list[Shoe]) -> Shoe:
    """One shoe in ten is the previous shoe in its old order, cut once."""
    if past and rng.random() < 0.1:
        at = rng.randrange(len(past[-1]))
        return past[-1][at:] + past[-1][:at]
    return plain.shoe(rng)


def stands_on_five(dealer: str) -> plain.Draws:
    """With dealer D2, Banker always stands on 5."""
    return plain.never_on_five if dealer == "D2" else plain.banker_draws


HONEST = (
    Case("winners of 4 shoes, 2 tables, 2 dealers", 2, 2, 2),
    Case("all that boards show of 6 shoes", 6, full=True),
    Case("60 coups of one shoe", 1, most=60),
    Case("winners of 6 shoes, 1 coup in 10 not logged", 6, missing=0.1),
)
FAULTS = (
    Case("ties recorded as Player's by a dealer, 3 in 10", 36, 1, 2, record=ties_as_player, aimed=("winner", "D2")),
    Case("half of the nines missing at a table, all that boards show", 60, 2, full=True, faulty=short_of_nines,
         aimed=("natural", "2")),
    Case("half of the nines missing at a table, winners alone", 60, 2, faulty=short_of_nines, aimed=("winner", "2")),
    Case("one shoe in ten cut, not shuffled", 24, faulty=cut_only, aimed=("repeat", "all")),
    Case("Banker stands on 5 with a dealer, all that boards show", 60, 1, 2, True, draws=stands_on_five,
         aimed=("banker_total", "D2")),
    Case("Banker stands on 5 with a dealer, winners alone", 60, 1, 2, draws=stands_on_five, aimed=("winner", "D2")),
)  # fmt: skip


def reviewed(case: Case, first: int, logs: int, folder: Path) -> Iterator[list[ResultTest]]:
    """The tests of `logs` logs of a case, with seeds from `first` on. All logs are in one file, as different tables, so
    that the file is read once."""
    file = folder / "log.csv"
    rows = [
        ",".join(map(str, (f"{seed}-{table}", *row)))
        for seed in range(first, first + logs)
        for table, *row in case.rows(random.Random(seed))
    ]
    file.write_text("\n".join([",".join(HEAD + MORE * case.full), *rows]) + "\n")
    every = read_log(file)
    of_log = every.coups["table"].cast(pl.String).str.split("-").list.first()
    for seed in range(first, first + logs):
        log = replace(every, coups=every.coups.filter(of_log == str(seed)))
        yield review_results(log, "punto-banco", 8, ResultsSettings(0.05)).tests


def interval(hits: int, of: int) -> tuple[float, float]:
    """The 95% interval of a share, by Clopper and Pearson."""

    def solved(number: int, tail: float) -> float:
        """The share at which the chance of at most `number` hits is `tail`."""
        low, high = 0.0, 1.0
        for _ in range(40):
            p = (low + high) / 2
            term = below = (1 - p) ** of
            for i in range(number):
                term *= (of - i) / (i + 1) * p / (1 - p)
                below += term
            low, high = (p, high) if below > tail else (low, p)
        return low

    low = 0.0 if not hits else solved(hits - 1, 0.975)
    return low, 1.0 if hits == of else solved(hits, 0.025)


def run(case: Case, logs: int, first: int) -> None:
    """Review `logs` logs of a case, and add the rows."""
    single: Counter[tuple[str, float]] = Counter()
    tests: Counter[str] = Counter()
    family: Counter[float] = Counter()
    aimed: Counter[float] = Counter()
    with TemporaryDirectory() as folder:
        for of_log in reviewed(case, first, logs, Path(folder)):
            for test in of_log:
                tests[test.test] += 1
                group = test.group.rpartition("-")[2]
                for level in LEVELS:
                    single[test.test, level] += test.p <= level
                    aimed[level] += (test.test, group) == case.aimed and test.p_holm <= level
            for level in LEVELS:
                family[level] += any(test.p_holm <= level for test in of_log)
    rows = [
        (case.name, logs, test, number, *(single[test, level] for level in LEVELS)) for test, number in tests.items()
    ]
    rows.append((case.name, logs, "any test, Holm", logs, *(family[level] for level in LEVELS)))
    if case.aimed[0]:
        rows.append((case.name, logs, f"{' of '.join(case.aimed)}, Holm", logs, *(aimed[level] for level in LEVELS)))
    schema = ["case", "logs", "test", "tests", "rejected_1", "rejected_5"]
    frame = pl.DataFrame(rows, schema, orient="row")
    if CSV.exists():
        frame = pl.concat([pl.read_csv(CSV).filter(pl.col("case") != case.name), frame])
    frame.write_csv(CSV)


def share(hits: int, of: int) -> str:
    low, high = interval(hits, of)
    return f"{hits:,} of {of:,}: {hits / of:.2%} ({low:.2%} to {high:.2%})"


def note() -> None:
    """Write the tables of `notes.md`."""
    frame = pl.read_csv(CSV)
    for name, cases in (("size", HONEST), ("power", FAULTS)):
        rows = [
            (case.name, row["test"], *(share(row[f"rejected_{level * 100:.0f}"], row["tests"]) for level in LEVELS))
            for case in cases
            for row in frame.filter(case=case.name).iter_rows(named=True)
            if name == "size" or "Holm" in row["test"]
        ]
        put(HERE / "notes.md", ("log", "test", *(f"rejected at {level:.0%}" for level in LEVELS)), rows, name)


def main() -> None:
    logs = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    for cases, usual, first in ((HONEST, LOGS, 100_000), (FAULTS, POWER_LOGS, 900_000)):
        for at, case in enumerate(cases):
            if wanted in case.name:
                run(case, logs or usual, first + 10_000 * at)
                note()


if __name__ == "__main__":
    main()
