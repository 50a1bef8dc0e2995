"""The archive: every answer in the folder, whether the application or a command asked for it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from counting.app.studies import Studies
from counting.errors import InputError
from counting.io.closing import differences, record_of
from counting.io.folders import digest_of

ROOMS = ("statements", "reports")
_PAGES = ("statement.html", "report.html")
_COMMAND = "to make it again"
_NAMED = ("casino", "table", _COMMAND)  # names whose values are read from a page


@dataclass(frozen=True)
class Answered:
    """An answer in the folder: what its page says, and its files, in the folder of `place`."""

    place: Path
    folder: str
    page: str
    date: str
    title: str
    verdict: str
    headline: str
    procedure: str
    table: str
    command: str
    digest: str
    closed: Mapping[str, Any] | None

    @cached_property
    def changed(self) -> Sequence[str]:
        """The files that changed since the answer was closed. All of its files are read for this."""
        return [] if self.closed is None else differences(self.place, self.closed)

    @property
    def file(self) -> str:
        return f"{self.folder}/{self.page}"

    @property
    def digests(self) -> Mapping[str, str]:
        """The SHA-256 of the page, and of the PDF if it was printed."""
        return {"page": self.digest} | ({"PDF": digest_of(self.printed)} if self.printed.is_file() else {})

    @property
    def printed(self) -> Path:
        """The path of its PDF, which is there if it was printed."""
        return (self.place / self.page).with_suffix(".pdf")

    @property
    def workbook(self) -> str:
        """The workbook beside the page; empty without one."""
        book = Path(self.page).with_suffix(".xlsx").name
        return f"{self.folder}/{book}" if (self.place / book).is_file() else ""

    @property
    def words(self) -> str:
        """The text that a search looks at."""
        parts = (
            self.folder,
            self.date,
            self.title,
            self.verdict,
            self.headline,
            self.procedure,
            self.table,
            self.command,
            f"closed {self.closed['name']} {self.closed.get('date', '')}" if self.closed else "",
        )
        return " ".join(parts).casefold()


def answered(studies: Studies, folder: str) -> Answered:
    """The answer in a folder. Raises `InputError` if it holds none."""
    for name in _PAGES:
        path = studies.folder / folder / name
        if path.is_file():
            break
    else:
        raise InputError(f"{folder}: holds no answer")
    file = studies.file(f"{folder}/{name}", *ROOMS)
    stat = path.stat()
    said, digest = _read(path, stat.st_mtime_ns, stat.st_size)
    return Answered(
        place=path.parent,
        folder=folder,
        page=file.name,
        date=datetime.fromtimestamp(stat.st_mtime).isoformat(" ", "minutes"),
        title=said.get("h1", ""),
        verdict=said.get("verdict", ""),
        headline=said.get("headline", ""),
        procedure=said.get("under", ""),
        table=" ".join(filter(None, (said.get("casino"), said.get("table")))),
        command=said.get(_COMMAND, ""),
        digest=digest,
        closed=record_of(path.parent),
    )


def refuse_closed(studies: Studies, path: str) -> None:
    """Refuse to change a file that a closed answer was made from."""
    for each in _answers(studies):
        if each.closed and path in shlex.split(each.command):
            raise InputError(f"name: {each.folder} is closed and was made from {path}, should be another name")


def all_answers(studies: Studies, words: str = "") -> list[Answered]:
    """The answers that have all of these words, the newest first."""
    wanted = words.casefold().split()
    found = [each for each in _answers(studies) if all(word in each.words for word in wanted)]
    return sorted(found, key=lambda each: each.date, reverse=True)


def _answers(studies: Studies) -> Iterator[Answered]:
    for room in ROOMS:
        for path in sorted((studies.folder / room).iterdir()):
            try:
                yield answered(studies, f"{room}/{path.name}")
            except (InputError, OSError):  # no answer yet, or a folder of another kind
                continue


class _Words(HTMLParser):
    """The title, verdict and headline of a page, its stamp, and the command that makes it again."""

    def __init__(self) -> None:
        super().__init__()
        self.said: dict[str, str] = {}
        self._into = self._name = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kind = dict(attrs).get("class") or ""
        if tag in ("dt", "th"):
            self._into, self._name = tag, ""
        elif tag in ("dd", "td"):
            self._into = self._name if self._name in _NAMED else ""
            self._name = ""
        elif tag == "h1" or kind in ("under", "verdict", "headline"):
            self._into = kind or tag

    def handle_data(self, data: str) -> None:
        if self._into in ("dt", "th"):
            self._name += data
        elif self._into:
            self.said[self._into] = self.said.get(self._into, "") + data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h1", "p", "dt", "dd", "th", "td"):
            self._into = ""


@lru_cache(maxsize=1000)
def _read(path: Path, _changed: int, _size: int) -> tuple[Mapping[str, str], str]:
    """The words of a page by name, and its digest."""
    parser = _Words()
    parser.feed(path.read_text(encoding="utf-8"))
    return parser.said, digest_of(path)
