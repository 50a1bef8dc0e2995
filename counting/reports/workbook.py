"""A report as an Excel workbook: the answer and its provenance on the first sheet, then a sheet for each table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile, ZipFile

import polars as pl

from counting.errors import keyword, printable
from counting.io.outputs import Kind, Output
from counting.reports.headings import headings
from counting.reports.pages import Report
from counting.version import __version__

if TYPE_CHECKING:
    import xlsxwriter  # type: ignore[import-untyped]

_MARK = "made by"  # the property by which the toolkit recognises its files
_CREATED = datetime(2000, 1, 1)  # a fixed time, so that the same answer has the same bytes
_SHARES = re.compile(
    r"(^|_)(share|edge|frequency|captured|penetration|probability|hold|effect|deviation|kept|at_trigger|ahead)(_se)?$"
    r"|_edge_|^edge_|^deviation_|^p_(positive|zero|tied)|^q\d\d$|^count_bets$|^(played_)?risk_"
)
_TESTS = re.compile(r"^p(_(?!positive|zero|tied)|$)|_p$")
_MONEY = re.compile(r"(^|_)(money|staked|won|amount|bankroll|theo|minimum|maximum|most_bet|stake)(_|$)")
_IN_PERCENT = re.compile(r"^(on_positive|coups_positive|allowed|chance)$")
_LIMITS = re.compile(r"(_99|^limit|^new_limit|^least)$")
_FEW_DIGITS = {"evidence": "0.0", "z": "0.00", "excess": "0.00", "trigger": "0.##"}
_NUMBERED = ("table", "shoe", "coup", "line", "seed")  # columns whose numbers are names, not quantities
_LINE = 15  # points: the height of a line
_MOST_ON_PAPER = 14  # a sheet with more columns is printed on several pages
_WIDEST = 60  # the largest width of a column, in characters
_MOST_ROWS = 1_048_575  # Excel's most rows of a sheet, without the headings


def tables(report: Report) -> dict[str, pl.DataFrame]:
    """A report's tables by name: first the tables of its CSV files, then tables that only its JSON file has."""
    named = {Path(place).name: frame for place, frame in report.tables.items()}
    written = {name.replace("_", "-") for name in named}
    for key, rows in report.data.items():
        name = key.replace("_", "-")
        if (
            name not in written
            and isinstance(rows, list | tuple)
            and rows
            and all(isinstance(r, Mapping) for r in rows)
        ):
            flat = [_flat(row, {k for each in rows for k, v in each.items() if isinstance(v, Mapping)}) for row in rows]
            named[name] = pl.DataFrame(flat, infer_schema_length=None, strict=False)
    return named


def _named(frame: pl.DataFrame, names: Mapping[str, Mapping[str, str]]) -> pl.DataFrame:
    """A table with the names in its cells replaced by the page's words."""
    written = [name for name in names if frame.schema.get(name) == pl.String]
    return frame.with_columns(pl.col(name).replace(dict(names[name])) for name in written)


def _flat(row: Mapping[str, Any], nested: Collection[str]) -> dict[str, Any]:
    """A row in which each field in `nested` is replaced by a field for each of its keys. Lists become JSON texts."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if name in nested:
            flat |= {f"{name}_{key}": part for key, part in (value or {}).items()}
        else:
            flat[name] = json.dumps(value) if isinstance(value, list | tuple) else value
    return flat


def write_workbook(report: Report, file: Path) -> Path:
    """Write the workbook. Raises `InputError` if the file exists and the toolkit did not write it."""
    output = Output(file, Kind("a workbook that counting wrote", _is_one), keyword("xlsx"))
    output.write(workbook(report))
    return file


def _is_one(file: Path) -> bool:
    try:
        with ZipFile(file) as archive:
            return _MARK.encode() in archive.read("docProps/custom.xml")
    except (BadZipFile, KeyError, OSError):
        return False


def workbook(report: Report) -> bytes:
    """The bytes of the workbook. Texts are never turned into formulas or links."""
    import xlsxwriter  # slow to load, and not needed for a table on a terminal

    buffer = BytesIO()
    book = xlsxwriter.Workbook(
        buffer, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": True}
    )
    book.set_properties({"title": report.title, "comments": report.procedure, "created": _CREATED})
    book.set_custom_property(_MARK, f"counting {__version__}")
    _Sheets(book).write(report)
    book.close()
    return buffer.getvalue()


class _Sheets:
    """Writes the sheets of a workbook, with shared formats."""

    def __init__(self, book: xlsxwriter.Workbook) -> None:
        self.book = book
        self.title = book.add_format({"bold": True, "font_size": 14})
        self.head = book.add_format({"bold": True, "text_wrap": True, "valign": "top", "bottom": 1})
        self.words = book.add_format({"text_wrap": True, "valign": "top"})
        self.bold = book.add_format({"bold": True, "text_wrap": True, "valign": "top"})
        self.numbers: dict[str, Any] = {}
        self.used: set[str] = set()

    def write(self, report: Report) -> None:
        self._answer(report)
        for name, frame in tables(report).items():
            self._table(name, _named(frame, report.names), headings(frame.columns, report.headings.get(name)))

    def _answer(self, report: Report) -> None:
        sheet = self._sheet("Answer")
        sheet.set_column(0, 0, 34)
        sheet.set_column(1, 1, 100)
        sheet.hide_gridlines(2)
        sheet.write_string(0, 0, printable(report.title), self.title)
        sheet.write_string(1, 0, printable(report.procedure))
        row = 3
        pairs: list[tuple[str, str]] = []
        if report.verdict:
            pairs.append(("Verdict", report.verdict))
        pairs += [("Answer" * (not i), line) for i, line in enumerate(report.sentences)]
        pairs += [("How to read it", report.note)] if report.note else []
        pairs += [(name.capitalize(), value) for name, value in report.stamp]
        for section in report.sections:
            if section.pairs:
                pairs += [("", ""), (section.title, "")]
                pairs += [(str(name).capitalize(), str(value)) for name, value in section.rows]
        for name, value in pairs:
            sheet.write_string(row, 0, printable(name), self.bold)
            sheet.write_string(row, 1, printable(value), self.bold if name == "Verdict" else self.words)
            sheet.set_row(row, _LINE * max(_lines(name, 30), _lines(value, 95)))
            row += 1
        _on_paper(sheet, landscape=False)

    def _table(self, name: str, frame: pl.DataFrame, columns: Mapping[str, str]) -> None:
        sheet = self._sheet(name.replace("-", " ").capitalize())
        shown, tallest = frame.head(_MOST_ROWS), 1
        for place, (column, title) in enumerate(columns.items()):
            values = shown[column].to_list()
            sheet.write_string(0, place, printable(title), self.head)
            style = self._number(number_format(column, values, title))
            width = max(8, *(len(word) for word in title.split()))
            for row, value in enumerate(values, 1):
                width = max(width, self._cell(sheet, row, place, value, style))
            sheet.set_column(place, place, min(width + 2, _WIDEST))
            tallest = max(tallest, _lines(title, min(width, _WIDEST)))
        sheet.set_row(0, _LINE * tallest)
        sheet.freeze_panes(1, 1)
        if columns:
            sheet.autofilter(0, 0, max(1, shown.height), len(columns) - 1)
        _on_paper(sheet, landscape=True, wide=len(columns) > _MOST_ON_PAPER)

    def _cell(self, sheet: Any, row: int, place: int, value: Any, style: Any) -> int:
        """Write a value. Returns its width in characters."""
        if value is None:
            return 0
        if isinstance(value, bool):
            sheet.write_boolean(row, place, value)
            return 5
        if isinstance(value, int | float):
            if math.isfinite(value) and abs(value) < 1e15:
                sheet.write_number(row, place, value, style)
                return 10
            value = str(value)
        text = printable(str(value))[:32_767]
        sheet.write_string(row, place, text)
        return len(text)

    def _sheet(self, name: str) -> Any:
        """A new sheet. Its name is made fit for Excel: unique, at most 31 characters, and without forbidden
        characters."""
        plain = re.sub(r"[\[\]:*?/\\']", " ", name)[:31].strip() or "Table"
        while plain.lower() in self.used:
            plain = plain[:28] + f" {len(self.used)}"
        self.used.add(plain.lower())
        return self.book.add_worksheet(plain)

    def _number(self, written: str) -> Any:
        if written not in self.numbers:
            self.numbers[written] = self.book.add_format({"num_format": written})
        return self.numbers[written]


def _lines(text: str, width: int) -> int:
    """The number of lines of a text in a cell that is `width` characters wide."""
    return max(1, len(wrap(text, width)))


def _on_paper(sheet: Any, landscape: bool, wide: bool = False) -> None:
    """Set a sheet up for printing on A4. A sheet in `landscape` has the headings on every page. A sheet is printed one
    page wide. A `wide` sheet is printed several pages wide instead, each with the first column."""
    sheet.set_paper(9)
    if wide:
        sheet.repeat_columns(0)
    else:
        sheet.fit_to_pages(1, 0)
    if landscape:
        sheet.set_landscape()
        sheet.repeat_rows(0)


def is_share(column: str) -> bool:
    """Whether a column's numbers are shares, which are shown in percent."""
    return _SHARES.search(column) is not None


def number_format(column: str, values: Sequence[Any], title: str = "") -> str:
    """Excel's format for the numbers of a column, by the column's name and its `title`:

    - shares in percent, money with hundredths, whole numbers in groups of three;
    - p-values with small values as powers of ten;
    - other numbers with about four significant digits.

    A limit has two more decimals than its estimate, because rounding must not move a limit to the wrong side."""
    numbers = [
        abs(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) and v
    ]
    if _TESTS.search(column):
        return "[<0.001]0.0E+00;0.0000"
    if column in _FEW_DIGITS:
        return _FEW_DIGITS[column]
    if numbers and max(numbers) <= 2 and (is_share(column) or _IN_PERCENT.search(column)):
        return f"0.{'0' * _decimals(numbers, -2)}%"
    if all(float(v).is_integer() for v in numbers):
        return "0" if column in _NUMBERED else "#,##0"
    decimals = 2 if _MONEY.search(column) or "money" in title else _decimals(numbers)
    return f"#,##0.{'0' * (decimals + 2 * bool(_LIMITS.search(column)))}"


def _decimals(numbers: Sequence[float], shift: int = 0) -> int:
    """The number of decimals that shows about four digits of the median of these numbers."""
    middle = sorted(numbers)[len(numbers) // 2]
    return min(max(3 - math.floor(math.log10(middle)) + shift, 2), 8)
