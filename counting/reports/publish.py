"""Write the files of a report into a folder."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from counting.io.outputs import write_text
from counting.io.tables import as_csv, as_json
from counting.reports.pages import Report, render

_MARK = "\ufeff"


def publish(report: Report, folder: Path, name: str = "report", data: str = "") -> None:
    """Write a report into a folder that was claimed for it: tables and figures, then the page `NAME.html` and its JSON
    file. This file is `NAME.json`, or `DATA.json` if `data` is set."""
    for place, frame in report.tables.items():
        _write(folder, f"{place}.csv", _csv(frame, report.quoted))
    for place, drawing in report.figures.items():
        _write(folder, f"{place}.svg", drawing)
    _write(folder, f"{name}.html", render(report))
    _write(folder, f"{data or name}.json", as_json(report.data))


def _write(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    write_text(path, text)


def _csv(frame: pl.DataFrame, quoted: bool) -> str:
    """A table as CSV, with a byte-order mark by which Excel recognises UTF-8. `quoted`: protect texts that a
    spreadsheet would take for formulas."""
    return _MARK + (as_csv(frame.to_dicts(), frame.columns) if quoted else frame.write_csv())
