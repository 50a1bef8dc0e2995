"""Choose the layout of a page's table by its width, so that every column fits on a screen and on paper. On a phone,
`page.css` shows every table as cards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from markupsafe import Markup, escape

PAPER = 112  # characters in a line of A4 paper
SCREEN = 128  # characters in a line of a screen 1,200 pixels wide
ASIDE = 165  # characters in a line of A4 paper in landscape
FEW = 12  # on paper, a wide table of up to this number of rows is printed as cards
_ARROW = 2  # characters beside a heading, for the arrow of sorting
_FIRST = 16  # the least width of the first column, in characters
_PAD = 2  # characters for the space around a cell's text
_LONG = 22  # a text longer than this is broken into lines
_ERROR = re.compile(r"^(.*?) (± .*)$")


def markup_cell(value: Any) -> Markup:
    """The HTML of a cell. A standard error is put in an element of its own. Two numbers with errors are put on separate
    lines."""
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
    """The CSS classes of a table. `tight` puts standard errors below their values; `tight-paper` does this only on
    paper. `aside` prints the table in landscape. `cards` shows a card for each row; `cards-paper` does this only on
    paper."""
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
    """The fewest characters that a row needs: the sum of the columns' least widths. `stacked`: standard errors are
    below their values."""
    width = 0
    for i, name in enumerate(columns):
        parts = [_longest_word(name) + _ARROW, 0 if i else _FIRST]
        parts += [_least(Markup(row[i]).striptags(), stacked) for row in rows]
        width += max(parts, default=0) + _PAD
    return width


def _longest_word(text: str) -> int:
    return max(map(len, text.split()), default=0)


def _least(text: str, stacked: bool) -> int:
    """The least width of a cell, if long texts are broken into lines."""
    if "±" in text:
        lines = [part for line in text.split("; ") for part in (line.split(" ±") if stacked else [line])]
        return max(map(len, lines))
    return len(text) if len(text) <= _LONG else _longest_word(text)
