"""The tables of a sweep. Each has a declared schema, which is checked on write and on read. Every file records its
provenance.

A table on disk is a folder of Parquet parts. The metadata of every file has the name and version of the table, the
software's version, and the digest of the plan."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import gt, lt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import CARDS, COUP, RANKS, Knows
from counting.errors import InputError
from counting.version import __version__

_KEY = "counting"


@dataclass(frozen=True)
class Column:
    """A column's type, its meaning, and the range of its values."""

    dtype: type[pl.DataType]
    about: str
    low: float | None = None
    high: float | None = None
    nullable: bool = False


@dataclass(frozen=True)
class TableSchema:
    """A table's name, version and columns, in order."""

    name: str
    version: int
    columns: Mapping[str, Column]

    @property
    def schema(self) -> dict[str, type[pl.DataType]]:
        return {name: column.dtype for name, column in self.columns.items()}

    def tracking(self, knows: Knows, systems: Sequence[str], cards: bool = False) -> TableSchema:
        """The table of coups with further columns: the composition by value, rank or card, the running count of each
        system and, with `cards`, the cards."""
        about = "unseen cards {} at the coup's start"
        left = {name: Column(pl.UInt16, about.format(kind)) for name, kind in LEFT[knows].items()}
        before, after = [
            {name: column for name, column in self.columns.items() if (name in SHOWN) == shown}
            for shown in (False, True)
        ]
        if cards:
            places = ("first", "second", "third", "fourth", "fifth", "sixth")
            meanings = (f"the {place} card from the coup's start on, dealt or not, 4 * rank + suit" for place in places)
            after |= {
                name: Column(pl.UInt8, meaning, 0, 51) for name, meaning in zip(SHOWN_CARDS, meanings, strict=True)
            }
        counts = {f"count_{name}": Column(pl.Int32, f"running count of {name} at the coup's start") for name in systems}
        return replace(self, columns={**before, **left, **after, **counts})

    def check(self, frame: pl.DataFrame, where: str) -> None:
        """Raise `InputError` unless the frame has these columns and these types. Values must be in their ranges, and
        nulls only in columns that may have them."""
        _check_schema(self, dict(frame.schema), where)
        wrong = []
        for name, column in self.columns.items():
            values = frame[name]
            if values.null_count() and not column.nullable:
                wrong.append(f"{name} empty")
            if column.low is not None and _beyond(values.min(), column.low, lt):
                wrong.append(f"{name} below {column.low}")
            if column.high is not None and _beyond(values.max(), column.high, gt):
                wrong.append(f"{name} above {column.high}")
        if wrong:
            raise InputError(f"{where}: table {self.name}: {', '.join(wrong)}")


def _beyond(end: Any, bound: float, side: Callable[[Any, float], bool]) -> bool:
    """Whether `end`, the least or the largest value of a column, is beyond the bound. False if the column has no
    values."""
    return end is not None and side(end, bound)


# Columns of the table `coups`: the composition by what was tracked (point value, rank or card), and what the coup
# showed.
LEFT: dict[Knows, dict[str, str]] = {
    "value": {f"left_{value}": f"of value {value}" for value in range(10)},
    "rank": {f"left_{rank}": f"of rank {rank}" for rank in RANKS},
    "card": {f"left_{card}": f"that are {card}" for card in CARDS},
}
SHOWN = ["player_total", "banker_total", "player_cards", "banker_cards", "first_cards"]
SHOWN_CARDS = [f"card_{place}" for place in range(1, COUP + 1)]

_PART = {
    "part": Column(pl.UInt32, "number of the block of shoes"),
    "cut": Column(pl.UInt16, "cards behind the cut card"),
}

COUPS = TableSchema(
    "coups",
    2,
    {
        "shoe": Column(pl.UInt32, "number of the shoe; with the seed it sets the cards"),
        "coup": Column(pl.UInt16, "number of the coup in its shoe, from 1", 1),
        "cards_left": Column(pl.UInt16, "unseen cards at the coup's start, hidden burn cards among them", 6),
        "undealt": Column(pl.UInt16, "cards in the shoe at the coup's start", 6),
        "last_cut": Column(pl.UInt16, "most cards behind the cut card at which the coup is still dealt"),
        "player_total": Column(pl.UInt8, "Player's total when the coup is over", 0, 9),
        "banker_total": Column(pl.UInt8, "Banker's total when the coup is over", 0, 9),
        "player_cards": Column(pl.UInt8, "number of Player's cards", 2, 3),
        "banker_cards": Column(pl.UInt8, "number of Banker's cards", 2, 3),
        "first_cards": Column(
            pl.UInt8, "a sum: 1 if Player's first two cards have one rank, 2 if one suit; 4 and 8 for Banker's", 0, 15
        ),
    },
)

LEDGER = TableSchema(
    "ledger",
    2,
    {
        **_PART,
        "system": Column(pl.String, "the counting system, or `perfect`, which bets when the edge is positive"),
        "trigger": Column(pl.Float64, "the system bets at this count or above; null for `perfect`", nullable=True),
        "bet": Column(pl.String, "the bet"),
        "shoes": Column(pl.Int64, "shoes played", 0),
        "coups": Column(pl.Int64, "coups dealt", 0),
        "coups_sq": Column(pl.Int64, "sum over shoes of coups squared", 0),
        "bets": Column(pl.Int64, "coups on which the counter bets", 0),
        "positive_bets": Column(pl.Int64, "of these, coups with a positive edge", 0),
        "gain": Column(pl.Float64, "sum of the edges of the counter's bets, units"),
        "shoes_betting": Column(pl.Int64, "shoes in which the counter bets at least once", 0),
        "first_coup": Column(pl.Int64, "sum over these shoes of the number of the coup with the first bet", 0),
        "bets_sq": Column(pl.Int64, "sum over shoes of bets squared", 0),
        "gain_sq": Column(pl.Float64, "sum over shoes of gain squared", 0),
        "bets_gain": Column(pl.Float64, "sum over shoes of bets times gain"),
        "bets_coups": Column(pl.Int64, "sum over shoes of bets times coups", 0),
        "gain_coups": Column(pl.Float64, "sum over shoes of gain times coups"),
        "square": Column(pl.Float64, "sum of the means of the squared profit of the counter's bets", 0),
        "won": Column(pl.Float64, "win of these bets as dealt, units"),
        "won_sq": Column(pl.Float64, "sum over shoes of won squared", 0),
    },
)

DEPTH = TableSchema(
    "depth",
    1,
    {
        **_PART,
        "bet": Column(pl.String, "the bet"),
        "cards_left": Column(pl.UInt16, "unseen cards at the coup's start"),
        "coups": Column(pl.Int64, "coups that began with this number of unseen cards", 1),
        "positive_coups": Column(pl.Int64, "of these, with a positive edge", 0),
        "gain": Column(pl.Float64, "sum of the positive edges, units", 0),
        "gain_sq": Column(pl.Float64, "sum of their squares", 0),
        "edge": Column(pl.Float64, "sum of the edges"),
        "first_positive": Column(pl.Int64, "shoes in which the bet first turned positive here", 0),
    },
)

DEALT = TableSchema(
    "dealt",
    1,
    {
        **_PART,
        "coup": Column(pl.UInt16, "number of the coup in its shoe, from 1", 1),
        "event": Column(pl.String, "an event of the game"),
        "coups": Column(pl.Int64, "coups dealt with this number", 1),
        "happened": Column(pl.Int64, "of these, coups in which the event happened", 0),
    },
)


# Sums are integers, so they are the same in any order. Adding up the rows of a cut and of all larger cuts gives exactly
# the sums of a sweep with that cut. Let the bet's best odds be below 2^b. A gain is in units of 2^-(37 - b), or of
# 2^-40 if that is more. A mean square is in units of 2^-(37 - 2b), or of 2^-40 if that is more. An edge lies between -1
# and the best odds, and a part has at most 50,000 shoes of 350 coups, fewer than 2^25 coups. So no sum of a part passes
# 2^62.
PENETRATION = TableSchema(
    "penetration",
    1,
    {
        "part": _PART["part"],
        "system": Column(pl.String, "the counting system, or `perfect`"),
        "bet": Column(pl.String, "the bet"),
        "bin": Column(
            pl.UInt16, "how many triggers the system's count has reached; for `perfect`, 1 if the edge is positive"
        ),
        "trigger": Column(pl.Float64, "the highest trigger reached; null if none is, and for `perfect`", nullable=True),
        "cut": Column(pl.UInt16, "the most cards behind the cut card at which these coups are still dealt"),
        "coups": Column(pl.Int64, "coups", 1),
        "positive": Column(pl.Int64, "of these, with a positive edge", 0),
        "gain": Column(pl.Int64, "sum of their edges, in units of gain_unit"),
        "square": Column(pl.Int64, "sum of the means of the squared profit, in units of square_unit", 0),
        "gain_unit": Column(pl.Float64, "a power of two", 0),
        "square_unit": Column(pl.Float64, "a power of two", 0),
    },
)


# Sums are integers, as in `penetration`. Let 2^b be more than a bettor can win or lose on a coup. A gain is in units of
# 2^-(37 - b), or of 2^-40 if that is more.
BETTORS = TableSchema(
    "bettors",
    1,
    {
        "part": _PART["part"],
        "bettor": Column(pl.String, "the bettor's name in the plan"),
        "cut": Column(pl.UInt16, "the most cards behind the cut card at which these coups are still dealt"),
        "coups": Column(pl.Int64, "coups dealt", 1),
        "played": Column(pl.Int64, "of these, with any stake", 0),
        "sides": Column(pl.Int64, "of these, with a side bet", 0),
        "gain": Column(pl.Int64, "sum of edges times stakes, in units of gain_unit"),
        "gain_unit": Column(pl.Float64, "a power of two", 0),
    },
)


SPREAD = TableSchema(
    "spread",
    1,
    {
        **_PART,
        "bet": Column(pl.String, "the bet"),
        "cards_left": Column(pl.UInt16, "unseen cards at the coup's start: the lowest of four numbers"),
        "step": Column(pl.Int32, "the edge to one part in 64: see `counting.sweep.spread`"),
        "coups": Column(pl.Int64, "coups that began with one of these numbers of cards, at this step of the edge", 1),
    },
)


Columns = Mapping[str, "pl.Series | NDArray[Any] | list[str] | int"]


def frame(table: TableSchema, columns: Columns, block: int, cut: int) -> pl.DataFrame:
    """A block's rows of a table. They have the table's columns and types, in its order. A column given as a number has
    this number in every row."""
    columns = {"part": block, "cut": cut, **columns}
    rows = max(len(column) for column in columns.values() if not isinstance(column, int))
    made = []
    for name, dtype in table.schema.items():
        column = columns[name]
        values = np.full(rows, column) if isinstance(column, int) else column
        made.append(pl.Series(name, values, dtype=dtype if isinstance(values, list) else None).cast(dtype))
    return pl.DataFrame(made)


def _check_schema(table: TableSchema, columns: Mapping[str, Any], where: str) -> None:
    expected = table.schema
    problems = [f"column {name} is missing" for name in expected if name not in columns]
    problems += [f"column {name} is not the table's" for name in columns if name not in expected]
    problems += [
        f"column {name} is {columns[name]}, should be {dtype.__name__}"
        for name, dtype in expected.items()
        if name in columns and columns[name] != dtype
    ]
    if not problems and list(columns) != list(expected):
        problems = [f"columns are in the order {', '.join(columns)}"]
    if problems:
        raise InputError(f"{where}: not a {table.name} table of version {table.version}: {'; '.join(problems)}")


def encode(frame: pl.DataFrame, table: TableSchema, where: str, plan: str) -> bytes:
    """A part as a Parquet file. The part is checked first. `plan` is the digest in its stamp."""
    table.check(frame, where)
    stamp = {"table": table.name, "table_version": table.version, "version": __version__, "plan": plan}
    buffer = io.BytesIO()
    frame.write_parquet(buffer, compression="zstd", metadata={_KEY: json.dumps(stamp)})
    return buffer.getvalue()


def stamp(path: Path) -> dict[str, Any] | None:
    """The stamp of a part: where it comes from. None if the file is not a part, or is damaged."""
    try:
        return dict(json.loads(pl.read_parquet_metadata(path)[_KEY]))
    except (OSError, KeyError, ValueError, pl.exceptions.PolarsError):
        return None


def scan(paths: Sequence[Path], table: TableSchema) -> pl.LazyFrame:
    """The parts of a table as one frame, in the order of `paths`. Raises `InputError` for a part of another table."""
    for path in paths:
        stamped = stamp(path)
        if stamped is None or (stamped["table"], stamped["table_version"]) != (table.name, table.version):
            raise InputError(f"{path}: not a part of a {table.name} table of version {table.version}")
    if not paths:
        return pl.LazyFrame(schema=table.schema)
    frame = pl.scan_parquet(list(paths))
    _check_schema(table, dict(frame.collect_schema()), str(paths[0].parent))
    return frame
