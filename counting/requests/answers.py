"""An answer: its sentences, tables and figures, on a page, in a workbook, on paper or in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from counting.errors import path
from counting.numbers import many

if TYPE_CHECKING:
    import polars as pl

    from counting.reports import Report
    from counting.requests.hosts import Host

Result = TypeVar("Result")

_SHORT = 240  # the most characters of the first sentence that an answer shows


class Drawing(str):
    """A figure as the text of an SVG file. A notebook draws it."""

    def _repr_svg_(self) -> str:
        return str(self)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Answer(Generic[Result]):
    """The answer to a request.

    - `report`: the page. `result`: the values behind the page, for example a `Sweep` or an `Audit`.
    - `remarks`: lines that a person should read.
    - `folder`: where the results are; None if nothing has been written yet. Without `out`, results that need a folder
      are in a temporary folder, which is removed when the answer and its result are gone; `save` keeps them.
    - `named`: the names of the page's file and of its JSON file, without endings.
    - `claim`: a function that reserves a folder for results of this kind.
    - `kept`: an object that must last as long as the answer or its result, for example a temporary folder.

    >>> import counting
    >>> answer = counting.study("punto-banco", shoes=300)
    >>> answer.tables["bets"].height, answer.save("punto-banco-study").name
    (5, 'punto-banco-study')
    """

    report: Report
    result: Result
    remarks: Sequence[str] = ()
    folder: Path | None = None
    named: tuple[str, str] = ("report", "report")
    claim: Callable[[Path], AbstractContextManager[None]]
    kept: object = None

    def __post_init__(self) -> None:
        if self.kept is not None and self.kept is not self.result:
            vars(self.result)["_kept"] = self.kept  # a sweep reads its folder after the answer is gone

    @property
    def verdict(self) -> str:
        """The verdict. On a bound: MET, NOT MET or UNDECIDED. On results without cards: FLAGGED or NOT FLAGGED. Empty
        for all other answers, for rules without a bound, if too few shoes were dealt to judge the bound, and if too
        much of a log of results could not be read."""
        return self.report.verdict

    @property
    def answer(self) -> str:
        """The first sentence."""
        return self.report.sentences[0]

    @property
    def sentences(self) -> Sequence[str]:
        """All sentences, the answer first."""
        return self.report.sentences

    @property
    def page(self) -> Path | None:
        """The page's file, if it was written."""
        return None if self.folder is None else self.folder / f"{self.named[0]}.html"

    @cached_property
    def tables(self) -> Mapping[str, pl.DataFrame]:
        """The tables by name: first the tables of the folder's CSV files, then the tables that only the page's JSON
        file has."""
        from counting.reports.workbook import tables

        return tables(self.report)

    @cached_property
    def figures(self) -> Mapping[str, Drawing]:
        """The figures by name, as SVG."""
        return {Path(place).name: Drawing(svg) for place, svg in self.report.figures.items()}

    @property
    def data(self) -> Mapping[str, Any]:
        """The contents of the page's JSON file."""
        return self.report.data

    def to_html(self) -> str:
        """The page: one file, which needs no network."""
        from counting.reports import render

        return render(self.report)

    def to_xlsx(self, file: Path | str) -> Path:
        """Write an Excel workbook: the answer and its provenance on the first sheet, then a sheet for each table.
        Raises `InputError` for an existing file that is not a workbook written by this package."""
        from counting.reports.workbook import write_workbook

        return write_workbook(self.report, path(file, "file"))

    def to_pdf(self, file: Path | str) -> Path:
        """Print the page to a PDF file, with Chrome, Chromium or Edge. Raises `InputError` if no such browser is
        installed, if it prints nothing, and for an existing file that is not a PDF printed by this package."""
        from counting.reports.paper import print_pdf

        return print_pdf(self.to_html(), path(file, "file"))

    def save(self, folder: Path | str) -> Path:
        """Write the files of the command into a folder: the page, its JSON file, tables and figures, and the shoes that
        were played. Raises `InputError` for a folder that holds something else."""
        into = path(folder, "folder")
        if self.folder is not None and "\0" not in str(into) and into.resolve() == self.folder.resolve():
            return into
        with self.claim(into):
            if self.folder is not None:
                shutil.copytree(self.folder, into, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".lock"))
            else:
                self.publish(into)
        return into

    def publish(self, folder: Path) -> None:
        """Write the page, its JSON file, tables and figures into a claimed folder."""
        from counting.reports.publish import publish

        page, data = self.named
        publish(self.report, folder, page, data)

    def __repr__(self) -> str:
        numbers = (len(self.tables), "table"), (len(self.figures), "figure")
        holds = ", ".join(many(number, what) for number, what in numbers if number)
        short = self.verdict or shorten(self.answer.rstrip("."), _SHORT, placeholder=" ...")
        title = self.report.title.rstrip(".")
        return f"<{title}{':' * (not title.endswith('?'))} {short}; {holds}>"

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.sentences)
        return f"<h4>{escape(self.report.title)}</h4><p>{escape(self.report.procedure)}</p><ul>{lines}</ul>"


def published(
    host: Host,
    folder: Path,
    report: Report,
    result: Result,
    claim: Callable[[Path], AbstractContextManager[None]],
    named: tuple[str, str] = ("report", "report"),
) -> Answer[Result]:
    """An answer, written into the folder; `claim` reserves the folder first."""
    answer = Answer(
        report=report, result=result, remarks=host.said, folder=folder, named=named, claim=claim, kept=host.kept
    )
    answer.publish(folder)
    return answer
