"""Tables with typed cells: of an SQLite database, or of a workbook of Excel."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import polars as pl

from counting.errors import InputError, nearest
from counting.logs.remarks import short
from counting.logs.sources import SAMPLE, Skip, Source, plain
from counting.logs.texts import unpacked
from counting.logs.values import as_text

_ROWS = 1 << 16  # at a time


@contextmanager
def _damaged(path: Path) -> Iterator[None]:
    """The error of SQLite for a damaged file, in one line."""
    try:
        yield
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be read as an SQLite database: {error}") from None


class _Database(Source):
    def __init__(self, path: Path, file: Path, undo: ExitStack, table: str) -> None:
        self.path, self._undo = path, undo
        self._link = undo.enter_context(closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)))
        self._table = table
        self.names = [row[1] for row in self._link.execute(f"PRAGMA table_info({_quoted(table)})")]

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return next(self._pieces(columns, SAMPLE))

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        with self._undo:
            yield from self._pieces(columns, _ROWS)

    def _pieces(self, columns: Mapping[str, str], most: int) -> Iterator[pl.DataFrame]:
        wanted = ", ".join(map(_quoted, columns.values()))
        line = 1
        with _damaged(self.path):
            rows = self._link.execute(f"SELECT {wanted} FROM {_quoted(self._table)}")
        with closing(rows):
            while True:
                with _damaged(self.path):
                    some = rows.fetchmany(most)
                if not some and line > 1:
                    return
                numbered = pl.int_range(line, line + len(some), dtype=pl.Int32, eager=True).alias("line")
                texts = [
                    pl.Series(name, [as_text(row[at]) for row in some], dtype=pl.String)
                    for at, name in enumerate(columns)
                ]
                yield pl.DataFrame([numbered, *texts])
                line += max(1, len(some))


def database(path: Path, table: str | None, known: frozenset[str]) -> Source:
    """A table of an SQLite database: the one named, or else the one with most columns of known names."""
    undo = ExitStack()
    file = undo.enter_context(unpacked(path))
    try:
        with closing(sqlite3.connect(f"{file.resolve().as_uri()}?mode=ro", uri=True)) as link:
            listed = link.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
            tables = [str(name) for (name,) in listed if not str(name).startswith("sqlite_")]
            if not tables:
                raise InputError(f"{path}: a database without a table")
            if table is not None and table not in tables:
                raise InputError(
                    f"{path}: no table {table}, should be one of {', '.join(tables)}{nearest(table, tables)}"
                )
            columns = {
                name: [plain(row[1]) for row in link.execute(f"PRAGMA table_info({_quoted(name)})")] for name in tables
            }
        chosen = table or _fitting(path, columns, known, "tables")
        return _Database(path, file, undo, chosen)
    except sqlite3.Error as error:
        undo.close()
        raise InputError(f"{path}: cannot be read as an SQLite database: {error}") from None
    except InputError:
        undo.close()
        raise


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class _Sheet(Source):
    def __init__(self, path: Path, rows: list[tuple[object, ...]]) -> None:
        self.path = path
        at = next((i for i, row in enumerate(rows) if any(as_text(cell) for cell in row)), None)
        if at is None:
            raise InputError(f"{path}: empty, should begin with a row of column names")
        self.top = at + 1
        self.names = [as_text(cell) for cell in rows[at]]
        self._rows = rows[at + 1 :]

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(columns, self._rows[:SAMPLE])

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        yield self._texts(columns, self._rows)

    def _texts(self, columns: Mapping[str, str], rows: list[tuple[object, ...]]) -> pl.DataFrame:
        numbered = [(self.top + i, row) for i, row in enumerate(rows, 1) if any(as_text(cell) for cell in row)]
        places = {name: self.names.index(column) for name, column in columns.items()}
        lines = pl.Series("line", [line for line, _ in numbered], dtype=pl.Int32)
        texts = [
            pl.Series(name, [as_text(row[at]) for _, row in numbered], dtype=pl.String) for name, at in places.items()
        ]
        return pl.DataFrame([lines, *texts])


def _fitting(path: Path, columns: Mapping[str, list[str]], known: frozenset[str], kind: str) -> str:
    """The table or sheet with most columns of known names; refused where several have the most."""
    fits = {name: len(known.intersection(columns[name])) for name in columns}
    best = [name for name in fits if fits[name] == max(fits.values())]
    if len(best) > 1 and fits[best[0]]:
        raise InputError(f"{path}: several {kind} fit, {short(', '.join(best))}: name one in a layout, as [file] rows")
    return best[0]


@contextmanager
def _unreadable(path: Path) -> Iterator[None]:
    """The error of the workbooks' reader, which has no public base, in one line."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = short((str(error).splitlines() or ["damaged"])[0], 80)
        raise InputError(f"{path}: not a workbook that can be read: {reason}") from None


def workbook(path: Path, sheet: str | None, known: frozenset[str]) -> Source:
    """A sheet of an Excel workbook: the one named, or else the one with most columns of known names."""
    try:
        import fastexcel
    except ImportError:
        raise InputError(
            f"{path}: a workbook; to read it: pip install 'counting[excel]', or save it as a CSV in UTF-8"
        ) from None
    with unpacked(path) as file, _unreadable(path):
        book = fastexcel.read_excel(file.read_bytes())
        names = book.sheet_names
        if sheet is not None and sheet not in names:
            raise InputError(f"{path}: no sheet {sheet}, should be one of {', '.join(names)}{nearest(sheet, names)}")
        wanted = [sheet] if sheet is not None else names
        rows = {name: book.load_sheet(name, header_row=None, dtypes="string").to_polars().rows() for name in wanted}
    heads = {
        name: [plain(as_text(cell)) for cell in next(filter(any, of_sheet), ())] for name, of_sheet in rows.items()
    }
    return _Sheet(path, rows[_fitting(path, heads, known, "sheets")])
