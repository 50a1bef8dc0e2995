"""Rows of a CSV with line breaks within quotes, as spreadsheets write a note of several lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

import numpy as np

MOST = 12  # lines within quotes that are looked through for the closing quote


def joined(pieces: Iterator[bytes], mark: str, width: int) -> Iterator[bytes]:
    """The same pieces, with each such row on its first line. Blank lines follow it, so that every other line keeps its
    number. `width`: the number of fields. A quote that is never closed affects no other line: lines are a row only if
    they have the right number of fields together, and none of the lines after the first has that number alone."""
    held = b""
    for piece in pieces:
        whole, held = _joined(held + piece, mark, width, is_last=False)
        if whole:
            yield whole
    if held:
        yield _joined(held, mark, width, is_last=True)[0]


def _joined(data: bytes, mark: str, width: int, is_last: bool) -> tuple[bytes, bytes]:
    """A piece with its rows joined, and its last lines, if they may be the beginning of a row."""
    if b'"' not in data or not _odd(data):
        return data, b""
    ends = data.endswith(b"\n")
    lines = data.removesuffix(b"\n").split(b"\n")
    odd = [at for at, line in enumerate(lines) if line.count(b'"') % 2]
    after = 0  # the line after the last row that was joined
    for opening, closing in zip(odd, [*odd[1:], len(lines)], strict=True):
        if opening < after or quoted_fields(_text(lines[opening]), mark) is not None:
            continue
        if closing == len(lines) and closing - opening <= MOST and not is_last:
            held = b"\n".join(lines[opening:]) + b"\n" * ends
            return b"\n".join([*lines[:opening], b""]), held
        row = b" ".join(line.rstrip(b"\r") for line in lines[opening : closing + 1])
        if closing - opening <= MOST and _is_row(row, lines[opening + 1 : closing + 1], mark, width):
            lines[opening : closing + 1] = [row, *[b""] * (closing - opening)]
            after = closing + 1
    return b"\n".join(lines) + b"\n" * ends, b""


def _odd(data: bytes) -> bool:
    """Whether a line has an odd number of quotes."""
    read = np.frombuffer(data, np.uint8)
    quotes, ends = np.flatnonzero(read == ord('"')), np.flatnonzero(read == ord("\n"))
    before = np.searchsorted(quotes, np.append(ends, len(read)))
    return bool((before % 2).any())


def _is_row(row: bytes, more: Sequence[bytes], mark: str, width: int) -> bool:
    """Whether a text of several lines is a row, and none of its lines after the first could be one."""
    fields = quoted_fields(_text(row), mark)
    alone = (quoted_fields(_text(line), mark) or [] for line in more)
    return fields is not None and len(fields) == width and all(len(each) != width for each in alone)


def _text(line: bytes) -> str:
    return line.decode(errors="replace")


def quoted_fields(text: str, mark: str) -> list[str] | None:
    """The fields of a line; None if a quote is not closed on it, or has text beside it."""
    try:
        return next(csv.reader([text], delimiter=mark, strict=True, skipinitialspace=True))
    except (csv.Error, StopIteration):
        return None
