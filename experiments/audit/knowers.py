"""Patrons who know coming cards: how soon an audit flags them, compared with version 0.2, and how often it flags an
honest patron.

- `power`: patrons who know something about 1, 3, 8 or 20 coups of each shoe, at 40 tables, after 3, 10 and 40 shoes.
  Edge sorters and patrons with tips are tested too.
- `old`: the same stakes, judged by the wager of version 0.2. Copy this file into a checkout of that version, and run it
  there.
- `size`: honest patrons of 26 habits at 120 tables. They are tested on the log as it is, with its shoes in reverse
  order, with 2% of the cards unread, and with cards unread depending on their values or on the patron's results.
- `notes`: writes `knowers.csv`, `knowers-size.csv` and the tables of `notes.md`.

The results of each table are a file in FOLDER, so that an interrupted run can continue.

    python -m experiments.audit.knowers FOLDER power|old|size|notes
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["POLARS_MAX_THREADS"] = "1"

import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting import Shoe, exact_edges, load_game
from counting.cards import SUITS, VALUE_OF_RANK
from counting.io.folders import write_bytes
from counting.logs import NO_CARD, PLACES, UNREAD, Log
from counting.review.synthetic import DealtTable, Facts, Patron, Sorter, deal
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing
from experiments._notes import put_frame
from experiments.audit.habits import Tipped
from experiments.audit.honest import HABITS, Seen
from experiments.audit.run import as_log

HERE = Path(__file__).parent
EZ, DEALING, SEED = load_game("ez-baccarat"), Dealing.named("jacobson", 8), 4041
TABLES, SHOES, LOOKS, INFORMED = 40, 40, (3, 10, 40), (1, 3, 8, 20)
SORTER_LOOKS = (1, 3, 10, 40)
SIZE_TABLES = 120
PLAYED = {"power": "new", "old": "0.2"}
LOST_CARDS = (
    "flat on Player", "on a side at random", "doubles after losses over all shoes, on Player",
    "50 times as much now and then",
)  # fmt: skip
BETS = ("player", "banker", "dragon-7", "panda-8", "tie-8")
PLAYER, BANKER, DRAGON, PANDA, TIE = range(len(BETS))
SMALL, LARGE = 100.0, 5000.0

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Knows(NamedTuple):
    """What a patron knows on some coups of each shoe (the informed coups), and how the patron bets. `channel` is a key
    of `right_sides`, or a bet whose result the patron knows. `small`: on all other coups, the patron bets 100 on this
    bet or, without such a bet, on Player or Banker at random."""

    channel: str
    small: bool = True
    large: float = LARGE
    wrong: float = 0.0  # the share of informed coups on which the patron bets on the wrong side
    seen: float = 1.0  # the share of informed coups on which the patron knows; on the others the patron guesses
    cover: float = 0.0  # the share of other coups with a large bet on a side at random
    shoes: float = 1.0  # the share of shoes in which the patron knows anything


KNOWING = {
    "Player's first card, only those bets": Knows("P1", small=False),
    "Player's first card": Knows("P1"),
    "the same, 3 in 10 of all coups bet as high at random": Knows("P1", cover=0.3),
    "the same, 200 beside 100": Knows("P1", large=200.0),
    "the same, one in three wrong": Knows("P1", wrong=1 / 3),
    "the same, a quarter seen, else a guess": Knows("P1", seen=0.25),
    "the same, in one shoe of five": Knows("P1", shoes=0.2),
    "that Player's first card is 8 or 9, on Player only": Knows("P1 high"),
    "Banker's first card": Knows("B1"),
    "the fifth card": Knows("5"),
    "the sixth card": Knows("6"),
    "Player's two cards": Knows("P"),
    "all four cards": Knows("PB"),
    "the winner": Knows("winner"),
    "that the Dragon 7 wins": Knows("dragon-7"),
    "Banker's first card, on the Dragon 7": Knows("B1 dragon"),
    "that the Panda 8 wins": Knows("panda-8"),
    "that a tie comes": Knows("tie-8"),
}
SORTERS: dict[str, Patron] = {
    "knows whether Player's first card is 6 to 9": Sorter("player", 100),
    "reads one in three wrongly": Sorter("player", 100, wrong=1 / 3),
    "sees a quarter of them": Sorter("player", 100, seen=0.25),
    "sees a tenth of them": Sorter("player", 100, seen=0.1),
    "knows whether Banker's first card is 6 to 9, bets on Banker": Sorter("banker", 100, "banker"),
    "knows Player's first card, bets on the Dragon 7 if it is 0 to 6": Sorter(
        "dragon-7", 100, good=(0, 1, 2, 3, 4, 5, 6)
    ),
    "is told of a tenth of Player's wins": Tipped("player", 0.1),
}


@lru_cache(maxsize=1)
def right_sides() -> dict[str, Ints]:
    """For each thing that a patron may know: the better side for each of its values, by the exact edges on a full
    shoe."""
    full = Shoe.decks(8)

    def better(known: str) -> int:
        edges = exact_edges(EZ, full, known, ["player", "banker"])
        return PLAYER if edges["player"] > edges["banker"] else BANKER

    def card(value: int) -> str:
        return "10,J,Q,K" if value == 0 else "A" if value == 1 else str(value)

    one = {place: np.array([better(f"{place}={card(v)}") for v in range(10)]) for place in ("P1", "B1", "5", "6")}
    # A total of two cards is priced as the commonest hand with this total, a ten and a card of the total. Other hands
    # with the total differ only in the cards that they leave in the shoe.
    player = np.array([better(f"P1={card(0)} P2={card(t)}") for t in range(10)])
    both = [better(f"P1={card(0)} P2={card(t)} B1={card(0)} B2={card(u)}") for t, u in product(range(10), repeat=2)]
    return one | {"P": player, "PB": np.array(both)}


def known_of(table: DealtTable) -> dict[str, Ints]:
    """For each thing that a patron may know: its value on each coup, with -1 if it was not dealt."""
    values = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), -1)[table.cards.astype(np.int64)]
    p1, p2, p3, b1, b2, b3 = values.T
    fifth = np.where(p3 >= 0, p3, b3)
    sixth = np.where(p3 >= 0, b3, -1)
    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
    return {"P1": p1, "B1": b1, "5": fifth, "6": sixth, "P": player, "PB": 10 * player + banker}


def stakes_of_knower(who: Knows, informed: int, table: DealtTable, pays: Floats, rng: np.random.Generator) -> Floats:
    """The stakes (coups, bets) of a patron with `informed` informed coups in each shoe, or with the most that are
    possible."""
    coups = len(table.coup)
    stakes = np.zeros((coups, len(BETS)))
    values, right = known_of(table), right_sides()
    told = {"dragon-7": DRAGON, "panda-8": PANDA, "tie-8": TIE, "B1 dragon": DRAGON}.get(who.channel)
    side = rng.integers(0, 2, coups)
    fits = np.ones(coups, np.bool_)
    if who.channel in right:
        known = values[who.channel]
        fits = known >= 0
        chosen = right[who.channel][known.clip(0)]
    elif who.channel == "winner":
        fits = pays[:, TIE] < 0
        chosen = np.where(pays[:, PLAYER] > 0, PLAYER, BANKER)
    elif who.channel == "P1 high":
        fits, chosen = values["P1"] >= 8, np.full(coups, PLAYER)
    elif who.channel == "B1 dragon":
        fits, chosen = values["B1"] <= 3, np.full(coups, DRAGON)
    else:
        assert told is not None
        fits, chosen = pays[:, told] > 0, np.full(coups, told)
    chosen = np.where(rng.random(coups) < who.wrong, 1 - chosen, chosen) if who.wrong else chosen
    chosen = np.where(rng.random(coups) < who.seen, chosen, rng.integers(0, 2, coups)) if who.seen < 1 else chosen
    if who.small:
        stakes[np.arange(coups), side if told is None else told] = SMALL
    if who.cover:
        high = rng.random(coups) < who.cover
        stakes[high, side[high]] = who.large
    for shoe in np.unique(table.coups.shoe):
        if rng.random() >= who.shoes:
            continue
        rows = np.flatnonzero((table.coups.shoe == shoe) & fits)
        rows = rng.choice(rows, min(informed, len(rows)), replace=False)
        stakes[rows] = 0
        stakes[rows, chosen[rows]] = who.large
    return stakes


def cells(number: int) -> Iterator[tuple[str, int, tuple[int, ...], DealtTable, Floats]]:
    """For each patron: the name, the number of informed coups per shoe (0 if the patron's rule decides), the numbers of
    shoes after which the patron is tested, the table, and the stakes."""
    table = deal(EZ, DEALING, SEED, number * SHOES, SHOES)
    facts = Facts(EZ, BETS, table)
    for i, (name, who) in enumerate(KNOWING.items()):
        for informed in INFORMED:
            rng = np.random.default_rng([SEED, number, i, informed])
            yield name, informed, LOOKS, table, stakes_of_knower(who, informed, table, facts.pays, rng)
    for i, (name, patron) in enumerate(SORTERS.items()):
        yield name, 0, SORTER_LOOKS, table, patron.stakes(table, facts, np.random.default_rng([SEED, number, 99, i]))


def log_of(table: DealtTable) -> tuple[Log, UnseenCards]:
    log = as_log(table)
    return log, UnseenCards(log, 8)


class Evidence:
    """The e-value of the audit at a table, after its first shoes."""

    def __init__(self, log: Log, unseen: UnseenCards) -> None:
        self.channels = import_module("counting.review.patrons.channels")
        self.module = import_module("counting.review.patrons.foreknowledge")
        bets = self.channels.Bets(BETS[:2], tuple(sorted(BETS[2:])))
        self.unseen, self.bets = unseen, bets
        self.odds = self.channels.Channels(log, unseen, EZ, bets).odds(slice(0, len(unseen.shoe)))

    def after(self, stakes: Floats, looks: tuple[int, ...]) -> list[float]:
        """log10 E after each number of shoes in `looks`."""
        module, unseen = self.module, self.unseen
        hundredths = np.rint(100 * stakes)
        main = module.main_part(hundredths[:, PLAYER] - hundredths[:, BANKER])
        side = module.side_part([(i, hundredths[:, BETS.index(bet)]) for i, bet in enumerate(self.bets.side)])
        capitals, found, first = [module.Capital(part) for part in range(2)], [], 0
        for look in looks:
            shoes = np.arange(first, look)
            shoes = shoes[[bool(stakes[unseen.start[s] : unseen.end[s]].any()) for s in shoes]]
            rows = [slice(int(unseen.start[s]), int(unseen.end[s])) for s in shoes]
            for capital, ratios, part in zip(capitals, self.odds, (main, side), strict=True):
                if rows:
                    wagers = module.Wagers(*(np.concatenate([column[row] for row in rows]) for column in part))
                    capital.add(ratios, unseen.start[shoes], unseen.end[shoes] - unseen.start[shoes], wagers)
            first = look
            found.append(float(module.evidence_of(capitals).log10))
        return found


class Wager:
    """The test of version 0.2 for knowledge of coming cards, at one table. Its p-value is the least p-value of a single
    bet."""

    def __init__(self, log: Log, unseen: UnseenCards) -> None:
        known = import_module("counting.review.patrons.foreknowledge").known
        self.unseen = unseen
        self.known = {bet: known(log, unseen, EZ, bet) for bet in BETS}

    def after(self, stakes: Floats, looks: tuple[int, ...]) -> list[float]:
        shoe, found = self.unseen.shoe, []
        for look in looks:
            here = np.unique(shoe[(shoe < look) & stakes.any(axis=1)])
            rows = np.flatnonzero(np.isin(shoe, here))
            p = [self.known[bet].law(rows, stakes[rows, i]).p for i, bet in enumerate(BETS) if stakes[rows, i].any()]
            found.append(float(-np.log10(min(p, default=1.0))))
        return found


def _tested(number: int, test: Callable[[Log, UnseenCards], Any]) -> pl.DataFrame:
    """A row for each patron, number of informed coups and number of shoes: log10 of the evidence, or of 1 / p."""
    found, asked = [], None
    for name, informed, looks, table, stakes in cells(number):
        asked = asked or test(*log_of(table))
        for look, value in zip(looks, asked.after(stakes, looks), strict=True):
            found.append((name, informed, look, value))
    return pl.DataFrame(found, ["patron", "informed", "shoes", "log10"], orient="row")


def power(number: int) -> pl.DataFrame:
    return _tested(number, Evidence)


def old(number: int) -> pl.DataFrame:
    return _tested(number, Wager)


def size(number: int) -> pl.DataFrame:
    """log10 E of honest patrons at one table: on the log as it is, with its shoes in reverse order, and with cards
    unread."""
    table = deal(EZ, DEALING, SEED + 1, number * SHOES, SHOES)
    seen = Seen(table, Facts(EZ, BETS, table))
    stakes = {
        name: rule(seen, np.random.default_rng([SEED, number, i])) for i, (name, rule) in enumerate(HABITS.items())
    }
    log, _ = log_of(table)
    rng = np.random.default_rng([SEED, number])
    found = []
    back = np.argsort(-seen.shoe, kind="stable")
    logs = {"as it is": (log, slice(None)), "reversed": (Log(log.coups[back.tolist()], log.bets, log.remarks), back)}
    value = seen.values
    for name, share, of in (
        ("2% unread", 0.02, value >= 0), ("a tenth of 8s and 9s unread", 0.1, value >= 8),
        ("half of 8s and 9s unread", 0.5, value >= 8),
    ):  # fmt: skip
        logs[name] = _unread(log, of & (rng.random(value.shape) < share)), slice(None)
    for name, (kept_log, order) in logs.items():
        asked = Evidence(kept_log, UnseenCards(kept_log, 8))
        looks = (SHOES,) if name == "reversed" else (10, SHOES)
        for habit, amounts in stakes.items():
            found += [(habit, name, look, e) for look, e in zip(looks, asked.after(amounts[order], looks), strict=True)]
    if number < TABLES:
        for habit in LOST_CARDS:  # cards that are unread depending on the patron's results
            lost = np.zeros(value.shape, np.bool_)
            lost[:, 0] = ((stakes[habit] * seen.pays).sum(axis=1) < 0) & (rng.random(len(value)) < 0.3)
            spoiled = _unread(log, lost)
            e = Evidence(spoiled, UnseenCards(spoiled, 8)).after(stakes[habit], (10, SHOES))
            name = "Player's first card unread in 30% of the coups the patron lost"
            found += [(habit, name, look, one) for look, one in zip((10, SHOES), e, strict=True)]
    return pl.DataFrame(found, ["patron", "log", "shoes", "log10"], orient="row")


def _unread(log: Log, lost: NDArray[np.bool_]) -> Log:
    """The log with these cards (coups, 6) unread."""
    codes = log.coups.select(PLACES).to_numpy().copy()
    codes[(codes != NO_CARD) & lost] = UNREAD
    read = log.coups.with_columns(pl.Series(name, codes[:, i], dtype=pl.Int8) for i, name in enumerate(PLACES))
    return Log(read, log.bets, log.remarks)


def kept(folder: Path, work: Callable[[int], pl.DataFrame], numbers: int) -> None:
    for number in range(numbers):
        path = folder / f"{work.__name__}-{number:03}.csv"
        if not path.exists():
            write_bytes(path, work(number).write_csv().encode())


def read(folder: Path, part: str) -> pl.DataFrame:
    return pl.concat(
        [pl.read_csv(file, schema_overrides={"log10": pl.Float64}) for file in sorted(folder.glob(f"{part}-*.csv"))]
    )


def shares(frame: pl.DataFrame, *by: str) -> pl.DataFrame:
    """For each group of rows: the median and the largest log10 E, the mean E, and how many patrons reach an E of 100
    and an E of 8,000. At a level of 1%, the largest E of a table with 80 tests must reach 8,000."""
    return frame.group_by(*by, maintain_order=True).agg(
        median=pl.col("log10").median(),
        hundred=(pl.col("log10") >= 2).sum(),
        eight_thousand=(pl.col("log10") >= np.log10(8000)).sum(),
        largest=pl.col("log10").max(),
        mean=(10 ** pl.col("log10").clip(upper_bound=300)).mean(),
        of=pl.len(),
    )


def notes(folder: Path) -> None:
    """Write the tables of `notes.md` from the files of all tables."""
    cell = ["patron", "informed", "shoes"]
    new, wager = (shares(read(folder, part), *cell).with_columns(version=pl.lit(name)) for part, name in PLAYED.items())
    both = new.join(wager, on=cell, suffix="_old", maintain_order="left")
    both.drop("version", "version_old", "mean", "mean_old", "of_old").write_csv(HERE / "knowers.csv", float_precision=3)
    told = both.with_columns(
        text=pl.format(
            "{} ({}/{}) : {} ({}/{})",
            *(
                part
                for end in ("", "_old")
                for part in (
                    pl.col(f"median{end}").round(1),
                    *((100 * pl.col(f"{name}{end}") / pl.col("of")).round(0).cast(pl.Int64)
                      for name in ("hundred", "eight_thousand")),
                )
            ),
        )
    )  # fmt: skip
    told = told.with_columns(pl.col("text").str.replace_all("-0.0 ", "0.0 ", literal=True))
    for mark, looks, rows in (
        ("knowers", LOOKS, told.filter(pl.col("informed") > 0)),
        ("knowers-sorters", SORTER_LOOKS, told.filter(informed=0)),
    ):
        wide = rows.with_columns(look=pl.format("after {}", "shoes")).pivot(
            "look", index=["patron", "informed"], values="text", maintain_order=True
        )
        columns = {"patron": "{patron}", **({"informed coups a shoe": "{informed}"} if mark == "knowers" else {})}
        columns |= {f"{look} shoe{'s' * (look > 1)}": f"{{after {look}}}" for look in looks}
        put_frame(HERE / "notes.md", columns, wide, mark)
    sized = shares(read(folder, "size"), "log", "shoes").sort("log", "shoes")
    sized.write_csv(HERE / "knowers-size.csv", float_precision=3)
    columns = {"log": "{log}", "shoes": "{shoes}", "patrons": "{of}", "E of 100 or more": "{hundred}",
               "largest log10 E": "{largest}", "mean E": "{mean}"}  # fmt: skip
    put_frame(HERE / "notes.md", columns, sized.with_columns(pl.col("largest", "mean").round(2)), "knowers-size")


def main() -> None:
    folder, part = Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    if part == "notes":
        notes(folder)
        return
    parts = {"power": (power, TABLES), "old": (old, TABLES), "size": (size, SIZE_TABLES)}
    kept(folder, *parts[part])


if __name__ == "__main__":
    main()
