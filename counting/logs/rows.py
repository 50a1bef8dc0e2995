"""The columns of a log's coups and bets, and functions that find the shoe and the coup of each row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.logs.cards import NO_CARD, card_name
from counting.logs.fields import MOST_COUPS
from counting.logs.fitting import PLACES
from counting.logs.remarks import Schema

NAME = pl.Categorical()  # the type of names (tables, shoes, patrons, bets): each distinct name is stored once
COUPS: Schema = {
    "line": pl.Int32, "table": NAME, "shoe": NAME, "coup": pl.Int32, **dict.fromkeys(PLACES, pl.Int8),
    "more": pl.List(pl.Int8), "winner": pl.Enum(["player", "banker", "tie"]), "burn": pl.List(pl.Int8),
    "player_total": pl.Int8, "banker_total": pl.Int8, "player_pair": pl.Boolean, "banker_pair": pl.Boolean,
    "decks": pl.Int8, "dealer": NAME, "natural": pl.Boolean, "time": pl.Int16, "ruled": pl.Boolean,
}  # fmt: skip
BETS: Schema = {
    "line": pl.Int32, "table": NAME, "shoe": NAME, "coup": pl.Int32, "patron": NAME, "bet": NAME,
    "amount": pl.Int64, "won": pl.Int64,
}  # fmt: skip
SLICE = 1 << 18  # the number of rows that are looked up at a time
_OFTEN = 10  # lines; see `tables_once`


def card_codes(coups: pl.DataFrame) -> NDArray[np.int8]:
    """The codes of a log's cards (rows, 6), in the order of `PLACES`."""
    return coups.select(PLACES).to_numpy().astype(np.int8, copy=False).reshape(-1, len(PLACES))


def hand_text(row: Mapping[str, Any], hand: str) -> str:
    """The cards of a row's hand, `player` or `banker`, as `9h Kd`."""
    codes = (row[f"{hand}_{number}"] for number in (1, 2, 3))
    return " ".join(card_name(code) for code in codes if code != NO_CARD)


def shoe_numbers(coups: pl.DataFrame) -> NDArray[np.int64]:
    """For each row, the number of its shoe, counted from 0 in the order of the rows."""
    return coups.select(shoe_runs()).to_series().to_numpy().astype(np.int64)


def shoe_starts(shoe: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first row of each shoe. `shoe`: the number of each row's shoe."""
    return np.flatnonzero(np.diff(shoe, prepend=-1))


def decks_by_shoe(coups: pl.DataFrame, starts: NDArray[np.int64], decks: int) -> NDArray[np.int64]:
    """The number of decks of each shoe: as logged in its first row, otherwise `decks`. `starts`: the shoes' first
    rows."""
    return np.asarray(coups["decks"].gather(starts).fill_null(decks).to_numpy(), np.int64)


def tables_once(coups: pl.DataFrame) -> pl.DataFrame:
    """The tables that occur in one line only, if another table occurs in `_OFTEN` lines or more; otherwise no rows. The
    columns are `line` and `table`."""
    of_tables = coups.lazy().group_by("table").agg(pl.len(), pl.col("line").first()).collect()
    if not (of_tables["len"] >= _OFTEN).any():
        return of_tables.clear().select("line", "table")
    return of_tables.filter(pl.col("len") == 1).sort("line").select("line", "table")


def missing_coups(coups: pl.DataFrame, starts: NDArray[np.int64]) -> int:
    """How many coups a log lacks, judged by the gaps in the numbers of its coups. `starts`: the shoes' first rows. If a
    table occurs in a single line and another in ten lines or more, the single line counts as a mistyped name, and no
    gap is counted before it."""
    if not len(starts):
        return 0
    last = np.append(starts[1:], coups.height) - 1
    numbers = coups["coup"].gather(last).to_numpy().astype(np.int64)
    alone = coups["table"].gather(last).is_in(tables_once(coups)["table"].implode()).to_numpy()
    return int(np.where(alone, 1, numbers).sum()) - coups.height


def coup_rows(rows: pl.DataFrame, coups: pl.DataFrame) -> NDArray[np.int64]:
    """For each row of `rows`, the row of its coup in `coups`; -1 if the coup is not there."""
    shoes = shoe_heads(coups).unique(maintain_order=True).collect()
    has = coup_keys(coups, shoes)
    at = np.full(rows.height, -1)
    for part in _slices(rows):
        key = coup_keys(rows[part], shoes)
        place = np.searchsorted(has, key)
        place[place == len(has)] = 0
        at[part] = np.where(has[place] == key, place, -1) if len(has) else -1
    return at


def _slices(rows: pl.DataFrame) -> Iterator[slice]:
    for first in range(0, rows.height, SLICE):
        yield slice(first, min(first + SLICE, rows.height))


def repeated(rows: pl.DataFrame) -> NDArray[np.bool_]:
    """For each row, whether another row has the same values. Rows are compared by their hashes, so in a very large
    frame a row may be marked wrongly."""
    hashes = np.empty(rows.height, np.uint64)
    for part in _slices(rows):
        hashes[part] = rows[part].hash_rows().to_numpy()
    ordered = np.sort(hashes)
    return np.isin(hashes, ordered[1:][ordered[1:] == ordered[:-1]])


def is_head() -> pl.Expr:
    """An expression: whether a row begins a run of rows of the same shoe."""
    names = pl.col("table").to_physical(), pl.col("shoe").to_physical()
    return pl.any_horizontal(name != name.shift() for name in names).fill_null(True)


def shoe_runs() -> pl.Expr:
    """An expression: the number of the run that a row is in, from 0. A run is a stretch of rows of the same shoe."""
    return (is_head().cum_sum() - 1).cast(pl.Int64)


def shoe_heads(rows: pl.DataFrame) -> pl.LazyFrame:
    """The table and the shoe of each run (see `shoe_runs`)."""
    return rows.lazy().filter(is_head()).select("table", "shoe")


def coup_keys(rows: pl.DataFrame, shoes: pl.DataFrame) -> NDArray[np.int64]:
    """A number for each row's coup. It rises with the place of the shoe in `shoes` and, within a shoe, with the coup's
    number. It is below 0 if the shoe is not in `shoes`."""
    keys = np.empty(rows.height, np.int64)
    listed = shoes.lazy().with_row_index("at")
    for part in _slices(rows):
        some = rows[part]
        placed = shoe_heads(some).join(listed, on=["table", "shoe"], how="left", maintain_order="left")
        place = placed.select(pl.col("at").cast(pl.Int64).fill_null(-1)).collect().to_series()
        shoe = place.to_numpy()[some.select(shoe_runs()).to_series().to_numpy()]
        keys[part] = shoe * (MOST_COUPS + 1) + some["coup"].to_numpy()
    return keys
