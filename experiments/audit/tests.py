"""Size and power of the test for following the edge: how many honest patrons are flagged, and how soon counters are
flagged.

`sizes`: a patron of each honest habit and some counters at 300 tables of 200 shoes, tested after 60 and 200 shoes. They
are also tested on a log with 2% of its cards unread and 3% of its coups missing. `powers`: counters and teams at 100
tables. The results of each table are a file in FOLDER, so that an interrupted run can continue. At the end,
`audit-sizes.csv`, `audit-power.csv` and the tables of `notes.md` are written. For comparison, the tables also give
results of the test of version 0.1.0, whose p-value is the largest p-value of three permutation tests. `knowers.py`
tries the test for knowledge of coming cards.

    python -m experiments.audit.tests FOLDER [PROCESSES [sizes | powers]]
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # each process needs only one thread

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from counting import load_game
from counting.cards import DECK
from counting.games import Game
from counting.logs import NO_CARD, PLACES, UNREAD, Log
from counting.reports import drawing
from counting.review import ARRANGED
from counting.review.patrons.arrangements import Arrangements
from counting.review.patrons.edge_following import FEW_SHOES, Scored
from counting.review.patrons.kept_edges import KeptEdges
from counting.review.patrons.permutation_test import PermutationTest
from counting.review.synthetic import Counter, DealtTable, Facts, Patron, deal
from counting.review.synthetic.patrons import Floats
from counting.review.unseen_cards import UnseenCards
from counting.review.winning_streaks import streaks
from counting.simulation import Dealing
from counting.systems import load_system
from counting.verify.tails import binomial
from experiments import _plots
from experiments._notes import put_frame
from experiments.audit.habits import DRAGON, SEVENS
from experiments.audit.run import as_log, played

HERE = Path(__file__).parent
EZ, LOUISIANA = load_game("ez-baccarat"), load_game("louisiana")
DEALING, SEED = Dealing.named("jacobson", 8), 3031
TABLES, SHOES, LOOKS = 300, 200, (60, 200)
OLD_TABLES = 100  # tables with the test of version 0.1.0
UNREAD_CARDS, MISSING_COUPS = 0.02, 0.03
DRAWN, TESTS = 24_000, 80  # random sums for a p-value, and the number of tests in a log
POWER_TABLES, POWER_LOOKS = 100, (1, 3, 10, 40)
OLD_LOOK = 10  # shoes after which the test of version 0.1.0 is made
COUNT, LEVEL_1 = load_system("dragon-7"), load_system("dragon-7-level-1")


class Spread:
    """Bets on half of the coups, at random. The stake is 1, and 2 at a count of +4 or more."""

    bets = ("dragon-7",)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        wants = Counter("dragon-7", 1, COUNT).wants(table, known, rng)
        return known.on("dragon-7", (rng.random(len(wants)) < 0.5) * (1.0 + wants))


class BigPlayer:
    """One of the three big players of a team, who each play every third shoe. A spotter calls the player in at a count
    of +4."""

    bets = ("dragon-7",)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        wants = Counter("dragon-7", 100, COUNT).wants(table, known, rng)
        return known.on("dragon-7", 100 * (wants & (table.coups.shoe % 3 == 0)))


COUNTERS: dict[str, Patron] = {
    "counts the Dragon 7, bets at +4": Counter("dragon-7", 100, COUNT),
    "level-1 count": Counter("dragon-7", 100, LEVEL_1),
    "perfect": Counter("dragon-7", 100),
    "30% cover bets": Counter("dragon-7", 100, COUNT, cover=0.3),
    "60% cover bets": Counter("dragon-7", 100, COUNT, cover=0.6),
    "90% cover bets": Counter("dragon-7", 100, COUNT, cover=0.9),
    "1 to 2 at +4, on half of the coups": Spread(),
    "bets above an edge of -4%": Counter("dragon-7", 100, trigger=-0.04),
    "misses a quarter of the cards": Counter("dragon-7", 100, COUNT, missed=0.25),
    "misses half of the cards": Counter("dragon-7", 100, COUNT, missed=0.5),
    "team: one of three big players": BigPlayer(),
    "perfect on Tie 9:1": Counter("tie-9", 100),
}


class Look:
    """The first shoes of a table, as an audit sees them, for tests on one bet. `seen`: the rows of the coups that were
    logged."""

    def __init__(self, table: DealtTable, game: Game, bet: str, shoes: int, seed: int, spoiled: bool = False):
        every = np.flatnonzero(table.coups.shoe < shoes)
        log = as_log(table)
        log = Log(log.coups[every], log.bets, log.remarks)
        self.seen = every
        if spoiled:
            log, kept = _spoiled(log, np.random.default_rng(seed))
            self.seen = every[kept]
        self.unseen = UnseenCards(log, 8)
        self.scored: dict[tuple[int, ...], Scored] = {}
        self.arrangements = Arrangements(log, self.unseen, game, seed)
        self.bet, self.seed = bet, seed

    def p(self, stakes: Floats, stream: int) -> float:
        """The p-value of a patron; 1 if the patron made no bet."""
        shoe, here = self.unseen.shoe, stakes[self.seen]
        shoes = np.unique(shoe[here > 0])
        if not len(shoes):
            return 1.0
        rows = np.flatnonzero(np.isin(shoe, shoes))
        few = len(shoes) in FEW_SHOES
        these = tuple((shoes if few else np.arange(len(self.unseen.start))).tolist())
        if these not in self.scored:
            self.scored[these] = Scored(
                KeptEdges(self.arrangements, [self.bet], these, FEW_SHOES.get(len(these), ARRANGED)).of(self.bet)
            )
        scored = self.scored[these]
        follows = scored.tests(shoes, [here[rows]], DRAWN, self.seed, [stream])[0]
        return follows.p


def _spoiled(log: Log, rng: np.random.Generator) -> tuple[Log, np.ndarray]:
    """The log after some cards are unread and some coups removed, and the rows of the coups that remain."""
    coups = log.coups
    kept = np.flatnonzero(rng.random(coups.height) >= MISSING_COUPS)
    codes = coups.select(PLACES).to_numpy().copy()
    codes[(codes != NO_CARD) & (rng.random(codes.shape) < UNREAD_CARDS)] = UNREAD
    read = coups.with_columns(pl.Series(name, codes[:, i], dtype=pl.Int8) for i, name in enumerate(PLACES))
    return Log(read[kept], log.bets, log.remarks), kept


def _old(table: DealtTable, known: Facts, bet: str, stakes: Floats, shoes: int, seed: int, most: int = 1000) -> float:
    """The largest p-value of the three permutation tests of version 0.1.0."""
    place, shoe = known.place(bet), table.coups.shoe.astype(np.int64)
    here = (shoe < shoes) & np.isin(shoe, shoe[(shoe < shoes) & (stakes > 0)])
    if not here.any():
        return 1.0
    run = streaks(known.pays[:, place], table.coup == 1)
    dealt = DECK * 8 - table.coups.cards_left
    return PermutationTest.of(
        stakes[here], known.edges[here, place], shoe[here], dealt[here], run[here], most, seed, 1
    ).p


class Group(NamedTuple):
    """A group of patrons who make the same bet at tables of the same game."""

    game: Game
    bet: str
    patrons: Mapping[str, Patron]


SIZED = (
    Group(EZ, "dragon-7", {**DRAGON, "(perfect counter)": Counter("dragon-7", 100)}),
    Group(LOUISIANA, "seven-seven-45", SEVENS),
    Group(EZ, "player", {"(perfect counter on Player)": Counter("player", 100)}),
)


def size(number: int) -> pl.DataFrame:
    """The p-values of patrons at one table, one for each habit, after each number of shoes. They are from the whole log
    and from the spoiled log."""
    found: list[tuple[object, ...]] = []
    for game, bet, patrons in SIZED:
        table = deal(game, DEALING, SEED, number * SHOES, SHOES)
        known = Facts(game.also([bet]), (game.main_bet(bet),), table)
        stakes = {
            name: patron.stakes(table, known, np.random.default_rng([number, i]))[:, 0]
            for i, (name, patron) in enumerate(patrons.items())
        }
        for shoes, spoiled in ((LOOKS[0], False), (LOOKS[1], False), (LOOKS[1], True)):
            look = Look(table, known.game, known.bets[0], shoes, number, spoiled)
            for i, (name, amounts) in enumerate(stakes.items()):
                old = None if spoiled or number >= OLD_TABLES else _old(table, known, bet, amounts, shoes, number)
                found.append((name, shoes, spoiled, look.p(amounts, i), old))
    return _frame(found)


def power(number: int) -> pl.DataFrame:
    """The p-values of counters at one table after each number of shoes."""
    found: list[tuple[object, ...]] = []
    by_bet: dict[tuple[Game, str], dict[str, Patron]] = {}
    for name, patron in COUNTERS.items():
        game = LOUISIANA if patron.bets[0] in LOUISIANA.bet_names else EZ
        by_bet.setdefault((game, game.main_bet(patron.bets[0])), {})[name] = patron
    for (game, bet), patrons in by_bet.items():
        table = deal(game, DEALING, SEED + 1, number * POWER_LOOKS[-1], POWER_LOOKS[-1])
        known = Facts(game, (bet,), table)
        stakes = {
            name: patron.stakes(table, known, np.random.default_rng([number, i]))[:, 0]
            for i, (name, patron) in enumerate(patrons.items())
        }
        for shoes, spoiled in [*((shoes, False) for shoes in POWER_LOOKS), (POWER_LOOKS[-1], True)]:
            look = Look(table, game, bet, shoes, number, spoiled)
            for i, (name, amounts) in enumerate(stakes.items()):
                asked = shoes == OLD_LOOK and number < OLD_TABLES
                old = _old(table, known, bet, amounts, shoes, number, DRAWN) if asked else None
                found.append((name, shoes, spoiled, look.p(amounts, i), old))
    return _frame(found)


def _frame(rows: list[tuple[object, ...]]) -> pl.DataFrame:
    types = {"patron": pl.String, "shoes": pl.Int64, "spoiled": pl.Boolean}
    return pl.DataFrame(rows, types | dict.fromkeys(("p_follows", "p_old"), pl.Float64), orient="row")


def limits(misses: int, of: int) -> tuple[float, float]:
    """The exact 99% limits of a share (Clopper and Pearson 1934). Each limit is the share at which one tail has a
    chance of half a percent."""

    def end(near: float, far: float) -> float:
        for _ in range(60):
            middle = (near + far) / 2
            near, far = (middle, far) if binomial(misses, of, middle) > 0.01 else (near, middle)
        return far

    return end(misses / of, 0.0), end(misses / of, 1.0)


def shares(frame: pl.DataFrame, level: float, tests: tuple[str, ...]) -> Iterator[dict[str, object]]:
    for (patron, shoes, spoiled), rows in frame.group_by("patron", "shoes", "spoiled", maintain_order=True):
        for test in tests:
            p = rows[f"p_{test}"].drop_nulls()
            if len(p):
                hits = int((p <= level).sum())
                low, high = limits(hits, len(p))
                yield {
                    "patron": patron, "shoes": shoes, "spoiled": spoiled, "test": test, "level": level,
                    "flagged": hits, "of": len(p), "low": low, "high": high,
                }  # fmt: skip


def sizes(folder: Path, processes: int) -> None:
    """Honest patrons: how many are flagged."""
    sized = pl.DataFrame(list(shares(played(folder, size, TABLES, processes), 0.01, ("follows", "old"))))
    sized.write_csv(HERE / "audit-sizes.csv", float_precision=5)
    told = sized.with_columns(
        text=pl.format(
            "{}% ({} to {})",
            *((100 * e).round(1) for e in (pl.col("flagged") / pl.col("of"), pl.col("low"), pl.col("high"))),
        ),
        column=pl.format("{} {}{}", "test", "shoes", pl.when("spoiled").then(pl.lit(" spoiled")).otherwise(pl.lit(""))),
    )
    columns = {"patron": "{patron}", "60 shoes": "{follows 60}", "200 shoes": "{follows 200}",
               "200, spoiled": "{follows 200 spoiled}", "0.1.0, 60": "{old 60}", "0.1.0, 200": "{old 200}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, told.pivot("column", index="patron", values="text"), "sizes")


def powers(folder: Path, processes: int) -> None:
    """Counters: how soon they are flagged."""
    found = played(folder, power, POWER_TABLES, processes).filter(~pl.col("patron").str.starts_with("("))
    both = pl.concat([pl.DataFrame(list(shares(found, level, ("follows", "old")))) for level in (0.01, 0.01 / TESTS)])
    both.write_csv(HERE / "audit-power.csv", float_precision=5)
    rows = []
    for name in COUNTERS:
        row: dict[str, str] = {"patron": name}
        for shoes, spoiled, of in [
            *((s, False, "follows") for s in POWER_LOOKS),
            (POWER_LOOKS[-1], True, "follows"),
            (OLD_LOOK, False, "old"),
        ]:
            here = both.filter(patron=name, shoes=shoes, spoiled=spoiled, test=of)
            pair = [f"{100 * hits / number:.0f}" for hits, number in here.select("flagged", "of").rows()]
            row[f"{of} {shoes}{' spoiled' * spoiled}"] = " and ".join(pair) + "%"
        rows.append(row)
    columns = {"patron": "{patron}", **{f"{s} shoe{'s' * (s > 1)}": f"{{follows {s}}}" for s in POWER_LOOKS}}
    columns |= {
        f"{POWER_LOOKS[-1]}, spoiled": f"{{follows {POWER_LOOKS[-1]} spoiled}}",
        f"0.1.0, {OLD_LOOK}": f"{{old {OLD_LOOK}}}",
    }
    put_frame(HERE / "notes.md", columns, pl.DataFrame(rows), "power")
    drawn = both.filter(~pl.col("spoiled"), test="follows", level=0.01 / TESTS).filter(
        pl.col("patron").is_in(list(COUNTERS))
    )
    caught = drawn.select("shoes", kind="patron", share=pl.col("flagged") / pl.col("of"))
    figure = drawing.single(_plots.power, caught, "share", size=(10, 4.5))
    (HERE / "audit-power.svg").write_text(drawing.svg(figure))


def main() -> None:
    folder, processes = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    folder.mkdir(parents=True, exist_ok=True)
    parts = {"sizes": sizes, "powers": powers}
    for part in [parts[sys.argv[3]]] if len(sys.argv) > 3 else parts.values():
        part(folder, processes)


if __name__ == "__main__":
    main()
