"""Lines of text that begin a shoe, such as `New shoe #3`. A pattern finds these lines, and they decide which shoe a
coup belongs to.

If a line does not name its shoe, the shoe's name is its number at the table, from 1. Coups before the first line that
begins a shoe belong to shoe 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import polars as pl

from counting.logs import fields
from counting.logs.patterns import Pattern, pattern_of
from counting.logs.values import without_point

SHOE = "shoe"  # the name of the group for the shoe, and of the column
_WHOLE, _FIRST, _ALL_TABLES = "shoe_line", "0", ""


class ShoeLine(NamedTuple):
    """A line that begins a shoe. `table` is empty if the shoe begins at all tables. `shoe` is the shoe's name; if it is
    empty, the shoe gets the next number."""

    table: str
    shoe: str


@lru_cache(maxsize=64)
def shoe_pattern_of(text: str, line: str) -> ShoePattern:
    """The `ShoePattern` made from the text of a regular expression, cached."""
    return ShoePattern(text, line)


class ShoePattern:
    """A regular expression for lines that begin a shoe. `table` is the group that names the table, or None if no group
    does."""

    def __init__(self, text: str, line: str | None) -> None:
        """`line`: the pattern for coups. Raises `ValueError` for an invalid pattern, if there is no `line`, or if the
        groups of both patterns do not fit together."""
        if line is None:
            raise ValueError("should have line, the pattern of the coups, beside shoe_line")
        self._pattern = Pattern(f"(?P<{_WHOLE}>{text})")
        of_coups = pattern_of(line).names
        others = [name for name in self._pattern.names if name not in (_WHOLE, SHOE)]
        if SHOE in of_coups:
            raise ValueError("should have a group shoe in line, or a shoe_line, and not both")
        if len(others) > 1 or not set(others).issubset(of_coups):
            raise ValueError(
                f"shoe_line: groups {', '.join(others)}: should be shoe, and the group of line that names the table"
            )
        self.table = others[0] if others else None

    def begun(self, texts: pl.Series) -> list[ShoeLine | None]:
        """For each text, its `ShoeLine`; None if the text begins no shoe."""
        parted = self._pattern.frame(texts)
        nothing = pl.Series([""]).new_from_index(0, len(texts))
        tables, names = (parted[name] if name in parted.columns else nothing for name in (self.table, SHOE))
        fits = parted[_WHOLE].is_not_null() & (tables.fill_null("") != "" if self.table else True)
        return [ShoeLine(table, name) if is_one else None
                for is_one, table, name in zip(fits, tables, names, strict=True)]  # fmt: skip


class Shoes:
    """The present shoe at each table, while lines that begin shoes are read."""

    def __init__(self) -> None:
        self._begun: dict[str, tuple[int, str]] = {}

    def begin(self, line: ShoeLine) -> None:
        """Read a line that begins a shoe."""
        table = without_point(line.table)
        number = 1 + self._begun.get(table, (0, ""))[0]
        self._begun[table] = number, fields.name(line.shoe)[0] or str(number)

    def at(self, table: str) -> str:
        """The name of the present shoe at a table."""
        _, name = self._begun.get(without_point(table)) or self._begun.get(_ALL_TABLES) or (0, _FIRST)
        return name

    def of(self, coups: Iterable[tuple[int, str]], begun: Sequence[tuple[int, ShoeLine]]) -> list[str]:
        """The name of each coup's shoe. `coups`: the line number and the table of each coup. `begun`: the lines that
        begin shoes, each with its line number. Coups and beginnings must be in the order of the lines."""
        names, at = [], 0
        for number, table in (*coups, (math.inf, "")):
            while at < len(begun) and begun[at][0] < number:
                self.begin(begun[at][1])
                at += 1
            names.append(self.at(table))
        return names[:-1]

    def kept(self) -> Any:
        """The state as JSON data, for `restore`."""
        return self._begun

    def restore(self, kept: Any) -> None:
        """Restore the state that `kept` returned."""
        self._begun = {table: (number, name) for table, (number, name) in kept.items()}
