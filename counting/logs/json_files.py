"""JSON: one value with the records in it, or a record a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

import polars as pl

from counting.errors import InputError
from counting.logs.messages import records_at
from counting.logs.remarks import Reason
from counting.logs.sources import SAMPLE, Skip, Source, plain
from counting.logs.texts import pieces_of
from counting.logs.values import as_text, at_path, paths_of

_ROWS = 1 << 16  # at a time
_MOST_SHOWN, _DEEPEST = 80, 12
_MOST_FILE = 1 << 30  # bytes of a file that is one value

Record = tuple[int, object]  # its line, or its number where the file is one value


class Json(Source):
    """JSON lines, or a file that is one value: its records are the list at `rows`, or those lists of records in it
    whose names are most known; what stands around a list belongs to each of its records."""

    nested = True

    def __init__(
        self, path: Path, rows: str | None, encoding: str | None, names: Sequence[str],
        known: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.path, self._known = path, known
        self._rows = rows
        self._pieces = pieces_of(path, encoding)
        self._bad: list[tuple[int, str, Reason]] = []
        self._records = self._read()
        self._first = list(islice(self._records, SAMPLE))
        if not self._first and not self._bad:
            raise InputError(f"{path}: no records, should be JSON with a record a coup")
        if not self._first:
            raise InputError(f"{path}: not JSON: line {self._bad[0][0]}: {self._bad[0][2].text}")
        paths = dict.fromkeys(path for _, record in self._first for path in paths_of(record))
        self._named = {name: str(at) for at, name in enumerate(names)}
        self.names = list(names) or list(paths)

    def column(self, name: str) -> str | None:
        """The path of a value: as it is written, or the one path that ends so."""
        exact = super().column(name)
        if exact is not None:
            return exact
        ends = [own for own in self.names if plain(own).endswith(f".{plain(name)}")]
        return ends[0] if len(ends) == 1 else None

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
            pl.Series(name, [as_text(at_path(record, path)) for _, record in records], dtype=pl.String)
            for name, path in paths.items()
        ]
        return pl.DataFrame([lines, *texts])

    def _read(self) -> Iterator[Record]:
        first = next(self._pieces, b"")
        lines = [line for line in first.split(b"\n") if line.strip()]
        if len(lines) > 1 and _is_record(lines[0]):
            yield from self._of_lines(chain([first], self._pieces))
            return
        data = [first]
        for piece in self._pieces:
            data.append(piece)
            if sum(map(len, data)) > _MOST_FILE:
                raise InputError(f"{self.path}: one JSON value of more than {_MOST_FILE:,} bytes, should be JSON lines")
        try:
            value = json.loads(b"".join(data))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{self.path}: not JSON: {error}") from None
        yield from enumerate(self._within(value), 1)

    def _of_lines(self, pieces: Iterator[bytes]) -> Iterator[Record]:
        line = 0
        for piece in pieces:
            for raw in piece.split(b"\n")[:-1]:
                line += 1
                if not raw.strip():
                    continue
                try:
                    record = json.loads(raw)
                except (ValueError, RecursionError) as error:
                    record, reason = None, Reason("json", f"not JSON: {error}")
                else:
                    reason = Reason("json", "not a record, should be an object or a list")
                if self._rows is not None and isinstance(record, dict | list):
                    yield from ((line, inner) for inner in records_at(record, self._rows.split(".")))
                elif isinstance(record, dict | list):
                    yield line, record
                else:
                    self._bad.append((line, raw[:_MOST_SHOWN].decode(errors="replace"), reason))

    def _within(self, value: object) -> Iterator[object]:
        """The records in a value; each with what stands around it."""
        if self._rows is not None:
            yield from records_at(value, self._rows.split("."))
            return
        if isinstance(value, list) and not any(isinstance(each, dict) for each in value):
            yield from value if any(isinstance(each, list) for each in value) else filter(None, [value])
            return
        lists = dict(_lists(value, [], frozenset(), []))
        most = max((len(names & self._known) for names in lists.values()), default=0)
        best = [path for path, names in lists.items() if len(names & self._known) == most]
        alike = [path for path in best if lists[path] & self._known == lists[best[0]] & self._known]
        if not lists:
            yield value
        for path in alike if len({len(path) for path in alike}) == 1 else alike[:1]:
            yield from records_at(value, path)


def _is_record(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def _lists(
    value: object, path: Sequence[str], around: frozenset[str], lists: list[tuple[tuple[str, ...], frozenset[str]]]
) -> list[tuple[tuple[str, ...], frozenset[str]]]:
    """The path of each list of records, the outer before the inner, and the names in its first record and around it."""
    if len(path) > _DEEPEST:
        return lists
    if isinstance(value, list):
        first = next((each for each in value if isinstance(each, dict)), None)
        if first is None:
            return lists
        lists.append((tuple(path), around | _names(first)))
        value = first
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, dict | list):
                _lists(inner, [*path, key], around | _names(value) - {plain(key)}, lists)
    return lists


def _names(record: dict[str, object]) -> frozenset[str]:
    """The names in a record, and their paths."""
    return frozenset(plain(name) for path in paths_of(record) for name in (path, path.partition(".")[0]))
