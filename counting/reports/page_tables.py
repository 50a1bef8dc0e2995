"""A page's tables: their width, and the layout that shows every column on a screen, on a phone and on paper."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

PAPER = 112  # characters in a line of A4, at the size in print
SCREEN = 128  # characters in a line of a page of 1,200 pixels
ASIDE = 165  # characters in a line of A4 turned
FEW = 12  # the most rows for which the paper is not turned
_ARROW = 2  # characters beside a heading, for the sign of sorting
_FIRST = 16  # the fewest characters for a row's name
_PAD = 2  # characters of a cell beyond its text
_LONG = 22  # a text longer than this is broken into lines
_ERROR = re.compile(r"^(.*?) (± .*)$")


def markup_cell(value: Any) -> Markup:
    """A cell: a standard error is a separate part, and two figures are on separate lines."""
    if isinstance(value, Markup):
        return value
    parts = str(value).split("; ") if "±" in str(value) else [str(value)]
    return Markup("<br>").join(_with_error(part) for part in parts)


def _with_error(text: str) -> Markup:
    split = _ERROR.match(text)
    if split is None:
        return escape(text)
    return Markup('{} <span class="se">{}</span>').format(*split.groups())


def layout(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """The classes of a table. `tight` puts standard errors below their figures, everywhere; `tight-paper` only on
    paper. `aside` turns the paper, for a table of many rows. `cards` shows a card for each row; `cards-paper` prints
    cards."""
    plain, tight = (_width(columns, rows, stacked) for stacked in (False, True))
    screen = "" if plain <= SCREEN else "tight" if tight <= SCREEN else "cards"
    paper = next(
        name
        for name, fits in (
            ("", plain <= PAPER), ("tight-paper", tight <= PAPER), ("cards-paper", len(rows) <= FEW),
            ("aside", plain <= ASIDE), ("aside tight-paper", tight <= ASIDE), ("cards-paper", True),
        )
        if fits
    )  # fmt: skip
    return f"{screen} {paper}".strip()


def _width(columns: Sequence[str], rows: Sequence[Sequence[Any]], stacked: bool) -> int:
    """The fewest characters that a row needs: for each column, its longest part that is not broken into lines."""
    width = 0
    for i, name in enumerate(columns):
        parts = [_longest_word(name) + _ARROW, 0 if i else _FIRST]
        parts += [_least(Markup(row[i]).striptags(), stacked) for row in rows]
        width += max(parts, default=0) + _PAD
    return width


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _least(text: str, stacked: bool) -> int:
    """The least width of a cell's text."""
    if "±" in text:
        lines = [part for line in text.split("; ") for part in (line.split(" ±") if stacked else [line])]
        return max(map(len, lines))
    return len(text) if len(text) <= _LONG else _longest_word(text)
