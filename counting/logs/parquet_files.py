"""Parquet files: texts and numbers are turned into the texts that a CSV would have. Booleans of pairs and naturals
become 0 and 1. A list is joined by commas. Columns of other types are refused."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import polars as pl

from counting.errors import InputError, Mistakes
from counting.logs.apart import ROWS, refuse_deadly_parquet
from counting.logs.fields import MOST_TEXT
from counting.logs.remarks import short
from counting.logs.sources import SAMPLE, Skip, Source, column_key
from counting.logs.texts import unpacked
from counting.logs.values import digits

_ALONE = threading.Lock()  # all threads share stderr


class Parquet(Source):
    """A Parquet file as a source. A list in a column is read as its values, separated by commas."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._open = ExitStack()
        self._file = self._open.enter_context(unpacked(path))
        refuse_deadly_parquet(self._file, path)
        with _damaged(path):
            self._scan = pl.scan_parquet(self._file, glob=False)
            self._types = self._scan.collect_schema()
            self._height = self._scan.select(pl.len()).collect().item()
        self.names = self._types.names()

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(columns, 0, SAMPLE, None)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        with self._open:
            for first in range(0, max(1, self._height), ROWS):
                texts = self._texts(columns, first, ROWS, numbers)
                if first and not texts.height:  # the file states a wrong number of rows
                    return
                yield texts

    def _texts(self, columns: Mapping[str, str], first: int, most: int, numbers: frozenset[str] | None) -> pl.DataFrame:
        with _damaged(self.path):
            rows = self._scan.select(list(dict.fromkeys(columns.values()))).slice(first, most).collect()
        mistakes = Mistakes()
        texts = [pl.int_range(first + 1, first + rows.height + 1, dtype=pl.Int32, eager=True).alias("line")]
        for name, column in columns.items():
            with mistakes.gathered():
                may = numbers is None or name in numbers
                values = rows[column]
                is_flag = numbers is None or name == "natural" or name.endswith("_pair")
                if values.dtype == pl.Boolean and is_flag:  # in a sample, it is not yet known which columns are flags
                    values = values.cast(pl.Int8)
                texts.append(_as_texts(values, may, str(self.path)).alias(name))
        mistakes.report()
        return pl.DataFrame(texts)


def _as_texts(values: pl.Series, numbers: bool, where: str) -> pl.Series:
    """A column as the texts that a CSV would have. A null is an empty text."""
    dtype = values.dtype
    number = (dtype.is_numeric() or dtype.is_temporal()) and numbers
    if isinstance(dtype, pl.List | pl.Array) and not isinstance(dtype.inner, pl.List | pl.Struct):
        values = values.cast(pl.List(dtype.inner)).list.eval(pl.element().cast(pl.String).fill_null("")).list.join(",")
    elif dtype != pl.Null and not number and not isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        allowed = "String or a number" if numbers else "String"
        raise InputError(f"{where}: column {column_key(values.name)} is {dtype}, should be {allowed}")
    elif dtype.is_float():
        distinct = values.unique().drop_nulls()
        values = values.to_frame("value").join(
            pl.DataFrame({"value": distinct, "text": pl.Series(map(digits, distinct.to_list()), dtype=pl.String)}),
            on="value", how="left", maintain_order="left",
        )["text"]  # fmt: skip
    return values.cast(pl.String).fill_null("").str.strip_chars()


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep messages about a damaged file off the terminal. Polars' library writes them straight to stderr, not through
    Python, before it raises an error."""
    with ExitStack() as undo, _ALONE:
        with suppress(OSError):  # if there is no stderr or no file handle is left, the messages appear
            nowhere, kept = os.open(os.devnull, os.O_WRONLY), os.dup(2)
            undo.callback(os.close, nowhere)
            undo.callback(os.close, kept)
            undo.callback(os.dup2, kept, 2)
            os.dup2(nowhere, 2)
        yield


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """Turn polars' errors for a file that is damaged or not Parquet into an `InputError` of one line."""
    try:
        with _quiet():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, MemoryError) as error:
        reason = short((str(error).splitlines() or ["damaged"])[0], MOST_TEXT)
        raise InputError(f"{path}: not a Parquet file that can be read: {reason}") from None
