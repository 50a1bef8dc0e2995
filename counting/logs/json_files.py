"""JSON: a single value that contains the records, or a record per line."""

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

_ROWS = 1 << 16  # at a time
_MOST_SHOWN = 80
_MOST_FILE = 1 << 28  # bytes of a file that is one value
_LOOKED_AT = 50  # lines: in a file with a record per line, more than half of them are records

_DEEPEST, _MOST_LISTS = 12, 100  # lists of records that are looked at
_MOST_PATHS = 500_000  # of the first records, from which the names of columns are taken

Record = tuple[int, object]  # the record's line, or its number if the file is a single value
Within = tuple[str, ...]  # the path of records in a value


class Json(Source):
    """Records within values: the values themselves, the records of the lists at `rows`, or the records of the lists
    with most known names. The fields around a list belong to each of its records."""

    nested = True

    def __init__(
        self, path: Path, values: Iterator[Record | Skipped], rows: str | None = None, names: Sequence[str] = (),
        known: frozenset[str] = frozenset(), is_one: bool = False,
    ) -> None:  # fmt: skip
        """`is_one`: the file is one value, and its records are numbered."""
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
        """The path of a value: the path as written, or the only path that ends like this."""
        exact = super().column(name)
        return self._ends.get(column_key(name)) if exact is None else exact

    @cached_property
    def _ends(self) -> dict[str, str | None]:
        """The path for each end of a path; None if several paths have this end."""
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
    """The values of a file, in order: a value for each line, or a single value, the whole file (`is_one`)."""

    each: Iterator[Record | Skipped]
    is_one: bool


def open_json(
    path: Path, rows: str | None, encoding: str | None, names: Sequence[str], known: frozenset[str]
) -> Json:  # fmt: skip
    """Open a file that has a record on each line, or that is a single value."""
    values = json_values(path, encoding)
    return Json(path, values.each, rows, names, known, values.is_one)


def json_values(path: Path, encoding: str | None, pieces: int | None = None) -> Values:
    """The values of a file; if it has a record on each line, only the values of its first `pieces`, if this is a
    number."""
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
    """The records of pieces of whole lines, each with its line; for lines that are no records, how they begin, and why
    they are no records."""
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
    """The records of a value, each with the fields around it. If the path is empty, the value is the record."""
    for path in within:
        if path:
            yield from records_at(value, path)
        else:
            yield value


def _where(values: Sequence[Record], known: frozenset[str], may_be_records: bool) -> list[Within]:
    """The paths of the records, from the first values. Of the paths with most known names the shortest is taken, with
    every other path of the same length and the same known names."""
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
    """The path of each list of records in a value, outer lists before inner lists. With each path come the names in the
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
    """The paths of the records' values, as far as there is room."""
    paths: dict[str, None] = {}
    left = _MOST_PATHS
    for record in records:
        of_record = paths_of(record)[: MOST_VALUES // 4]  # a wide record leaves room for others
        paths |= dict.fromkeys(of_record)
        left -= len(of_record)
        if len(paths) > 4 * MOST_VALUES or left < 0:
            break
    return list(paths)


def _names(record: Mapping[str, object]) -> frozenset[str]:
    """The paths in a record, and the names with which they begin."""
    return frozenset(column_key(name) for path in paths_of(record) for name in (path, path.partition(".")[0]))
