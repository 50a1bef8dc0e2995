"""The archive: all answers in the folder, from the application and from commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache
from html import unescape
from pathlib import Path
from typing import Any

from counting.app.studies import Studies
from counting.errors import InputError
from counting.io.closing import differences, record_of
from counting.io.folders import digest_of

ROOMS = ("statements", "reports")
_PAGES = ("statement.html", "report.html")
_SAID = re.compile(
    r'<(?:h1|p class="(?P<part>under|verdict|headline)")>(?P<text>.*?)</(?:h1|p)>'
    r"|<(?:dt|th[^>]*)>(?P<name>casino|table|to make it again)</(?:dt|th)><(?:dd|td[^>]*)>(?P<value>.*?)</(?:dd|td)>",
    re.DOTALL,
)
"""Finds the parts of a page that the archive shows: the title and the line under it, the verdict, the headline, the
casino, the table, and the command that makes the page again."""
_FIELDS = {"": "title", "under": "procedure", "to make it again": "command"}
"""For the parts of a page that are not named like their field of `Answered`: the field, by the part's name on the
page."""


@dataclass(frozen=True, kw_only=True)
class Answered:
    """An answer in the application's folder. `place` is the path of the answer's own folder, and `page` is the name of
    its page. The text fields are parts of the page."""

    place: Path
    folder: str
    page: str
    date: str
    digest: str
    closed: Mapping[str, Any] | None
    title: str = ""
    verdict: str = ""
    headline: str = ""
    procedure: str = ""
    casino: str = ""
    table: str = ""
    command: str = ""

    @cached_property
    def changed(self) -> Sequence[str]:
        """A line for each file of the answer that was changed or removed since the answer was closed. This reads all of
        the answer's files."""
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
        """The path of the answer's PDF. The file exists only if the page was printed."""
        return (self.place / self.page).with_suffix(".pdf")

    @property
    def workbook(self) -> str:
        """The path of the answer's workbook; empty if there is none."""
        book = Path(self.page).with_suffix(".xlsx").name
        return f"{self.folder}/{book}" if (self.place / book).is_file() else ""

    @property
    def words(self) -> str:
        """The text in which a search looks for words."""
        said = (self.title, self.verdict, self.headline, self.procedure, self.casino, self.table, self.command)
        closed = f"closed {self.closed['name']} {self.closed.get('date', '')}" if self.closed else ""
        return " ".join((self.folder, self.date, *said, closed)).casefold()


def answered(studies: Studies, folder: str) -> Answered:
    """The answer in a folder. Raises `InputError` if the folder has no answer."""
    page = next((name for name in _PAGES if (studies.folder / folder / name).is_file()), None)
    if page is None:
        raise InputError(f"{folder}: holds no answer")
    path = studies.folder / studies.file(f"{folder}/{page}", *ROOMS)
    stat = path.stat()
    said, digest = _read(path, stat.st_mtime_ns, stat.st_size)
    date = datetime.fromtimestamp(stat.st_mtime).isoformat(" ", "minutes")
    closed = record_of(path.parent)
    return Answered(place=path.parent, folder=folder, page=page, date=date, digest=digest, closed=closed, **said)


def refuse_closed(studies: Studies, path: str) -> None:
    """Raise `InputError` if a closed answer was made from this file. Such a file must not change."""
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
            except (InputError, OSError):  # the folder has no answer, or not yet
                continue


@lru_cache(maxsize=1000)
def _read(path: Path, _changed: int, _size: int) -> tuple[Mapping[str, str], str]:
    """The text fields of an answer from its page, each from the first match, and the page's digest."""
    said = {}
    for each in reversed([*_SAID.finditer(path.read_text(encoding="utf-8"))]):
        name = each["part"] or each["name"] or ""
        said[_FIELDS.get(name, name)] = unescape(each["text"] or each["value"] or "")
    return said, digest_of(path)
