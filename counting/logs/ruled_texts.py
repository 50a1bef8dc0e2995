"""Texts with columns in fixed places, as database clients and report programs print them: under the headings, a line of
dashes shows how wide each column is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from unicodedata import east_asian_width

from counting.logs.csv_files import is_no_row
from counting.logs.records import text_of

MARK = "\x1f"  # separates the fields after `parted`; the separator of units in ASCII
_RULER = re.compile(r"\s*-+(?: +-+){2,}\s*")
_LONGEST = 10_000
_MOST_ABOVE = 40  # the line of dashes is looked for in this number of lines


class Ruler(NamedTuple):
    """Where the columns of a text begin. `headings`: the index of the line of headings."""

    headings: int
    begins: Sequence[int]


def ruler_of(start: bytes) -> Ruler | None:
    """The ruler in the first lines of a text in UTF-8: a line of three or more groups of dashes below headings, which
    have no marks between them. None for any other text."""
    lines = start.split(b"\n", _MOST_ABOVE)[:_MOST_ABOVE]
    for at, line in enumerate(lines[1:]):
        text = text_of(line)[0] if len(line) < _LONGEST else ""
        if _RULER.fullmatch(text) and "---" in text:
            begins = [0, *[dashes.start() for dashes in re.finditer("-+", text)][1:]]
            heads = _fields(text_of(lines[at])[0], begins)
            is_table = any(mark in lines[at] for mark in (b",", b";", b"\t", b"|")) or any(map(str.isdigit, heads))
            return None if is_table or 2 * sum(map(bool, heads)) <= len(heads) else Ruler(at, begins)
    return None


def parted(pieces: Iterator[bytes], ruler: Ruler) -> Iterator[bytes]:
    """The same pieces, with `MARK` between the fields of a line. Lines above the headings and lines that are no rows
    stay as they are."""
    above = ruler.headings
    for piece in pieces:
        lines = piece.split(b"\n")
        yield b"\n".join([*lines[:above], *(_parted(line, ruler.begins) for line in lines[above:])])
        above = max(0, above - len(lines) + 1)


def _parted(line: bytes, begins: Sequence[int]) -> bytes:
    text = text_of(line)[0]
    if not text.strip() or is_no_row(text):
        return line
    return MARK.join(_fields(text, begins)).encode()


def _fields(text: str, begins: Sequence[int]) -> list[str]:
    """The texts in the columns. A wide letter, as 桌, takes two places."""
    if not text.isascii():
        text = "".join(f"{sign}\0" if east_asian_width(sign) in "WF" else sign for sign in text)
    return [text[a:b].replace("\0", "").strip() for a, b in zip(begins, [*begins[1:], None], strict=True)]
