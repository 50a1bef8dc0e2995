"""JSON files: a single value that contains the records, or a record on each line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from counting.errors import InputError
from counting.logs.messages import records_at
from counting.logs.records import MOST_VALUES, field_text, record_of, text_of, value_of_file
from counting.logs.remarks import Reason
from counting.logs.sources import SAMPLE, Skip, Skipped, Source, column_key
from counting.logs.texts import first_lines, pieces_of, whole_text
from counting.logs.values import at_path, paths_of

_ROWS = 1 << 16  # records in a piece
_MOST_SHOWN = 80
_MOST_FILE = 1 << 28  # the largest file that may be one value, in bytes
_LOOKED_AT = 50  # if more than half of the first 50 lines are records, the file has a record on each line

_DEEPEST, _MOST_LISTS = 12, 100  # lists are looked at to this depth and up to this number
_MOST_PATHS = 500_000  # the most paths that are read to find the names of columns

Record = tuple[int, object]  # a record with its line, or with its number if the file is one value
Within = tuple[str, ...]  # the path of the records in a value


class Json(Source):
    """A source of records within JSON values. Records are found at the path `rows`, if it is stated. Otherwise the
    records are the values themselves or the items of lists within them, whichever have more known names. The fields
    around a list belong to each record in the list."""

    nested = True

    def __init__(
        self, path: Path, values: Iterator[Record | Skipped], rows: str | None = None, names: Sequence[str] = (),
        known: frozenset[str] = frozenset(), is_one: bool = False,
    ) -> None:  # fmt: skip
        """`is_one`: the file is one value. Its records are then numbered, because they have no lines."""
        self.path = path
        self._bad: list[Skipped] = []
        good = self._good(values)
        first = list(islice(good, SAMPLE))
        may_be_records = not is_one or len(first) != 1
        self.within = [tuple(rows.split("."))] if rows is not None else _where(first, known, may_be_records)
        self._records = self._within(chain(first, good), is_one)
        self._first = list(islice(self._records, SAMPLE))
        if not self._first and not self._bad:
            raise InputError(f"{path}: no records, should be JSON with one record for each coup")
        if not self._first:
            raise InputError(f"{path}: line {self._bad[0][0]}: {self._bad[0][2].text}")
        self._named = {name: str(at) for at, name in enumerate(names)}
        self.names = list(names) or _paths(record for _, record in self._first)

    def column(self, name: str) -> str | None:
        """The path with this name, or the only path with this ending."""
        exact = super().column(name)
        return self._ends.get(column_key(name)) if exact is None else exact

    @cached_property
    def _ends(self) -> dict[str, str | None]:
        """For each ending of a path, the path; None if several paths have this ending."""
        ends: dict[str, str | None] = {}
        for own, each in zip(self.names, self.plain_names, strict=True):
            end = each
            while "." in end:
                end = end.partition(".")[2]
                ends[end] = None if end in ends else own
        return ends

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(self._first, columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        records = chain(self._first, self._records)
        self._first = []
        while True:
            some = list(islice(records, _ROWS))
            if self._bad:
                skip(self._bad)
                self._bad = []
            if not some:
                return
            yield self._texts(some, columns)

    def _texts(self, records: Sequence[Record], columns: Mapping[str, str]) -> pl.DataFrame:
        lines = pl.Series("line", [line for line, _ in records], dtype=pl.Int32)
        paths = {name: self._named.get(column, column).split(".") for name, column in columns.items()}
        texts = [
            pl.Series(name, [field_text(at_path(record, path)) for _, record in records], dtype=pl.String)
            for name, path in paths.items()
        ]
        return pl.DataFrame([lines, *texts])

    def _good(self, values: Iterable[Record | Skipped]) -> Iterator[Record]:
        for value in values:
            if len(value) == 2:
                yield value
            else:
                self._bad.append(value)

    def _within(self, values: Iterable[Record], is_one: bool) -> Iterator[Record]:
        records = ((line, record) for line, value in values for record in records_in(value, self.within))
        return ((number, record) for number, (_, record) in enumerate(records, 1)) if is_one else records


class Values(NamedTuple):
    """The values of a file: one for each line or, if the file is one value (`is_one`), this value or the items of its
    list."""

    each: Iterator[Record | Skipped]
    is_one: bool


def open_json(
    path: Path, rows: str | None, encoding: str | None, names: Sequence[str], known: frozenset[str]
) -> Json:  # fmt: skip
    """A source for a JSON file, of either kind."""
    values = json_values(path, encoding)
    return Json(path, values.each, rows, names, known, values.is_one)


def json_values(path: Path, encoding: str | None, pieces: int | None = None) -> Values:
    """The values of a file. If `pieces` is a number and the file has a record on each line, only the first `pieces`
    pieces are read."""
    lines = list(islice(filter(bytes.strip, first_lines(path, encoding)), _LOOKED_AT))
    records = sum(not isinstance(record_of(text_of(line)[0]), Reason) for line in lines)
    if len(lines) > 1 and 2 * records > len(lines):
        return Values(json_lines(islice(pieces_of(path, encoding), pieces)), False)
    value = value_of_file(whole_text(path, encoding, _MOST_FILE))
    if isinstance(value, Reason):
        raise InputError(f"{path}: {value.text}")
    is_list = isinstance(value, list) and (not value or any(isinstance(each, dict | list) for each in value))
    values = value if is_list and isinstance(value, list) else [value]
    return Values(iter([(at, each) for at, each in enumerate(values, 1)]), True)


def json_lines(pieces: Iterable[bytes]) -> Iterator[Record | Skipped]:
    """The record on each line. A line that is not a record, or not UTF-8, gives its number, its first characters and
    the reason."""
    number = 0
    for piece in pieces:
        for line in piece.split(b"\n")[:-1]:
            number += 1
            if not line.strip():
                continue
            text, reason = text_of(line)
            record = record_of(text)
            if reason is not None and not isinstance(record, Reason):
                yield number, text[:_MOST_SHOWN], reason
            yield (number, text[:_MOST_SHOWN], record) if isinstance(record, Reason) else (number, record)


def records_in(value: object, within: Sequence[Within]) -> Iterator[object]:
    """The records in a value at the paths `within`, each with the fields around it. The empty path means the value
    itself."""
    for path in within:
        if path:
            yield from records_at(value, path)
        else:
            yield value


def _where(values: Sequence[Record], known: frozenset[str], may_be_records: bool) -> list[Within]:
    """The paths of the records, found from the first values. The paths with the most known names are candidates. The
    shortest candidate is taken, together with all others of the same length and the same known names."""
    names: dict[Within, frozenset[str]] = {}
    for _, value in values[:_LOOKED_AT]:
        own = {(): _names(value)} if may_be_records and isinstance(value, dict) else {}
        for path, inside in (*own.items(), *lists_of(value)):
            names[path] = names.get(path, frozenset()) | inside
    fits = {path: inside & known for path, inside in names.items()}
    most = max(map(len, fits.values()), default=0)
    best = sorted((path for path in fits if len(fits[path]) == most), key=len)
    return [path for path in best if len(path) == len(best[0]) and fits[path] == fits[best[0]]] or [()]


def lists_of(value: object) -> list[tuple[Within, frozenset[str]]]:
    """The lists of records in a value, outer lists before inner lists. For each list: its path, and the names in its
    first record and around the list, in lower case."""
    return _lists(value, [], frozenset(), [])


def _lists(
    value: object, path: Sequence[str], around: frozenset[str], lists: list[tuple[Within, frozenset[str]]]
) -> list[tuple[Within, frozenset[str]]]:
    if len(path) > _DEEPEST or len(lists) > _MOST_LISTS:
        return lists
    if isinstance(value, list):
        first = next((each for each in value if isinstance(each, dict)), None)
        if first is None:
            return lists
        lists.append((tuple(path), around | _names(first)))
        value = first
    if isinstance(value, dict):
        own = around | _names(value)
        for key, part in value.items():
            if isinstance(part, dict | list) and len(lists) <= _MOST_LISTS:
                _lists(part, [*path, key], own - {column_key(key)} if column_key(key) not in around else own, lists)
    return lists


def _paths(records: Iterable[object]) -> list[str]:
    """The paths of all values in the records, up to a limit."""
    paths: dict[str, None] = {}
    left = _MOST_PATHS
    for record in records:
        of_record = paths_of(record)[: MOST_VALUES // 4]  # one wide record does not use up the limit
        paths |= dict.fromkeys(of_record)
        left -= len(of_record)
        if len(paths) > 4 * MOST_VALUES or left < 0:
            break
    return list(paths)


def _names(record: Mapping[str, object]) -> frozenset[str]:
    """The paths of a record's values, and the first name of each path."""
    return frozenset(column_key(name) for path in paths_of(record) for name in (path, path.partition(".")[0]))
