"""Read tables of SQLite databases and Excel workbooks."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import polars as pl

from counting.errors import InputError, nearest
from counting.logs.apart import Stamp, most_rows, sheets_of
from counting.logs.heading_rows import TITLES, first_row, is_sound, lower_row
from counting.logs.records import LONGEST, field_text
from counting.logs.remarks import short
from counting.logs.sources import SAMPLE, Skip, Source, column_key, no_table
from counting.logs.texts import unpacked
from counting.logs.values import as_text

_ROWS = 1 << 16  # rows in a piece
_SECONDS, _SPEED = 8.0, 1 << 20  # seconds for all queries of a database; a further second for each MB
_STEPS = 10_000  # steps of a query between two checks of the time


class _Link:
    """An open database. All its queries together have a time limit, because a query of a view may never end."""

    def __init__(self, path: Path, undo: ExitStack) -> None:
        self.path = path
        file = undo.enter_context(unpacked(path))
        size = file.stat().st_size
        self.most_rows, self._left, self._until = most_rows(size), _SECONDS + size / _SPEED, 0.0
        self._stopped = False
        with self._bounded():
            link = sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)
        undo.callback(link.close)
        link.text_factory = lambda raw: raw.decode(errors="replace")
        link.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        link.set_progress_handler(self._must_stop, _STEPS)
        self._link = link

    def _must_stop(self) -> bool:
        """Whether SQLite should stop the query. SQLite calls this function, and would swallow a `KeyboardInterrupt`
        raised in it. So the interrupt is noted here, and raised later."""
        try:
            return time.monotonic() > self._until
        except KeyboardInterrupt:
            self._stopped = True
            return True

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """Stop queries at the time limit. Turn SQLite's errors into an `InputError` of one line."""
        begun = time.monotonic()
        self._until = begun + self._left
        try:
            yield
        except sqlite3.Error as error:
            if self._stopped:
                raise KeyboardInterrupt from None
            is_late = time.monotonic() > self._until
            reason = "it takes too long: a view without an end?" if is_late else error
            raise InputError(f"{self.path}: cannot be read as an SQLite database: {reason}") from None
        finally:
            self._left -= time.monotonic() - begun

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with self._bounded():
            return self._link.execute(query).fetchall()

    def pieces(self, query: str, most: int) -> Iterator[list[tuple[object, ...]]]:
        """The rows of a query, in pieces of at most `most` rows. The last piece is empty."""
        number = 0
        with self._bounded():
            cursor = self._link.execute(query)
        with closing(cursor):
            while True:
                with self._bounded():
                    rows = cursor.fetchmany(most)
                yield rows
                number += len(rows)
                if number > self.most_rows:
                    raise InputError(
                        f"{self.path}: a table of more than {self.most_rows:,} rows, should be fewer in a file of its "
                        "size"
                    )
                if not rows:
                    return


class _Database(Source):
    def __init__(self, link: _Link, undo: ExitStack, table: str) -> None:
        self.path, self._link, self._undo, self._table = link.path, link, undo, table
        self.names = [str(row[1]) for row in link.rows(f"PRAGMA table_info({_quoted(table)})")]

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return next(self._pieces(columns, SAMPLE))

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        with self._undo:
            yield from self._pieces(columns, _ROWS)

    def _pieces(self, columns: Mapping[str, str], most: int) -> Iterator[pl.DataFrame]:
        wanted = ", ".join(map(_quoted, columns.values()))
        line = 1
        for rows in self._link.pieces(f"SELECT {wanted} FROM {_quoted(self._table)}", most):
            if rows or line == 1:
                yield _frame(columns, rows, range(line, line + len(rows)), range(len(columns)))
            line += max(1, len(rows))


def _frame(
    columns: Iterable[str], rows: Sequence[tuple[object, ...]], lines: Sequence[int], places: Iterable[int]
) -> pl.DataFrame:  # fmt: skip
    """A frame with `line`, and the texts of each column. `places`: the index of each column in a row."""
    texts = [
        pl.Series(name, [field_text(row[at]) for row in rows], dtype=pl.String)
        for name, at in zip(columns, places, strict=True)
    ]
    return pl.DataFrame([pl.Series("line", lines, dtype=pl.Int32), *texts])


def database(path: Path, table: str | None, known: frozenset[str]) -> Source:
    """A source for a table of an SQLite database: the named table or, without a name, the table with the most known
    column names."""
    with ExitStack() as undo:
        link = _Link(path, undo)
        listed = link.rows("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        tables = [str(name) for (name,) in listed if not str(name).startswith("sqlite_")]
        if not tables:
            raise InputError(f"{path}: a database without a table")
        if table is not None and table not in tables:
            raise InputError(f"{path}: no table {table}, should be one of {', '.join(tables)}{nearest(table, tables)}")
        of_tables = {name: link.rows(f"PRAGMA table_info({_quoted(name)})") for name in tables}
        columns = {name: [column_key(str(row[1])) for row in of_table] for name, of_table in of_tables.items()}
        chosen = table or _fitting(path, columns, known, "tables")
        return _Database(link, undo.pop_all(), chosen)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _head(cells: pl.DataFrame, known: frozenset[str]) -> tuple[int, list[str], tuple[int, str]] | None:
    """The index of the row of column names, the names, and the line and the text of the first row above them. None if
    no cell has a text."""
    rows: dict[int, list[str]] = {}
    for at, row in enumerate(cells.iter_rows()):
        texts = list(map(as_text, row))
        if any(texts):
            rows[at] = texts
        if len(rows) == TITLES:
            break
    if not rows:
        return None
    heads = list(rows.values())
    found = first_row(heads, known)
    if not is_sound(found, heads):
        found = lower_row(heads, known) or found
    above = (next(iter(rows)) + 1, next(filter(None, heads[0]))) if found.at else (0, "")
    return list(rows)[found.last], found.names, above


class _Sheet(Source):
    def __init__(self, path: Path, cells: pl.DataFrame, known: frozenset[str]) -> None:
        self.path = path
        head = _head(cells, known)
        if head is None:
            raise InputError(f"{path}: empty, should begin with a row of column names")
        at, self.names, self.above = head
        self.top = at + 1
        self._cells = cells[at + 1 :]

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(columns, 0, SAMPLE)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        for first in range(0, max(1, self._cells.height), _ROWS):
            yield self._texts(columns, first, _ROWS)

    def _texts(self, columns: Mapping[str, str], first: int, most: int) -> pl.DataFrame:
        top = self.top + 1 + first
        rows = {top + at: row for at, row in enumerate(self._cells[first : first + most].iter_rows()) if any(row)}
        rows = {line: row for line, row in rows.items() if any(map(as_text, row))}
        return _frame(columns, list(rows.values()), list(rows), map(self.names.index, columns.values()))


def _fitting(path: Path, columns: Mapping[str, list[str]], known: frozenset[str], kind: str) -> str:
    """The table or sheet with the most known column names. Raises `InputError` if several are equally good and have
    known names."""
    fits = {name: len(known.intersection(columns[name])) for name in columns}
    best = [name for name in fits if fits[name] == max(fits.values())]
    if len(best) > 1 and fits[best[0]]:
        raise InputError(
            f"{path}: several {kind} fit, {short(', '.join(best))}, should be named in a layout, as [file] rows = "
            f"'{short(best[0])}'"
        )
    return best[0]


def _other_than_workbook(file: Path) -> str:
    """The kind of a zip archive that is not a workbook, as the list of parts at the archive's end shows it. Empty for a
    workbook, and for a file without such a list."""
    with file.open("rb") as archive:
        archive.seek(max(0, file.stat().st_size - _LIST_OF_PARTS))
        parts = archive.read()
    if b"PK\x01\x02" not in parts or any(part in parts for part in (b"xl/", b"content.xml")):
        return ""
    return "a Word document" if b"word/" in parts else "a zip archive"


_LIST_OF_PARTS = 1 << 20  # the list of parts is looked for in the last bytes of a file, up to this number


class _Workbook(NamedTuple):
    """A workbook that was read. `names`: the names of all sheets. `cells`: the cells of each sheet, or only of one
    sheet if `sheet` names it."""

    sheet: str | None
    names: list[str]
    cells: dict[str, pl.DataFrame]


_MOST_KEPT = 1 << 27  # a workbook whose cells take more bytes is not kept in memory
_kept: dict[Stamp, _Workbook] = {}  # the last workbook read, kept because a page reads it several times


def _workbook(path: Path, sheet: str | None) -> _Workbook:
    with unpacked(path) as file, TemporaryDirectory() as folder:
        stamp = Stamp.of(path)
        kept = _kept.get(stamp)
        if kept is not None and kept.sheet in (None, sheet):
            return kept
        if kind := _other_than_workbook(file):
            raise no_table(path, kind)
        names = sheets_of(file, path, sheet, Path(folder))
        cells = {name: pl.read_ipc((Path(folder) / f"{at}.arrow").read_bytes())
                 for at, name in enumerate(names) if sheet in (None, name)}  # fmt: skip
    read = _Workbook(sheet, names, cells)
    _kept.clear()
    if sum(of_sheet.estimated_size() for of_sheet in cells.values()) <= _MOST_KEPT:
        _kept[stamp] = read
    return read


def workbook_source(path: Path, sheet: str | None, known: frozenset[str]) -> Source:
    """A source for a sheet of an Excel workbook: the named sheet or, without a name, the sheet with the most known
    column names."""
    if find_spec("fastexcel") is None:
        raise InputError(f"{path}: a workbook; to read it: pip install fastexcel, or save it as a CSV in UTF-8")
    _, names, cells = _workbook(path, sheet)
    if sheet is not None:
        if sheet not in names:
            raise InputError(f"{path}: no sheet {sheet}, should be one of {', '.join(names)}{nearest(sheet, names)}")
        return _Sheet(path, cells[sheet], known)
    heads = {name: _head(of_sheet, known) for name, of_sheet in cells.items()}
    columns = {name: [] if head is None else list(map(column_key, head[1])) for name, head in heads.items()}
    return _Sheet(path, cells[_fitting(path, columns, known, "sheets")], known)
