"""Split lines and fields by a pattern, a regular expression whose named groups are the columns.

Polars matches patterns with a finite automaton, without backtracking (Thompson 1968). The time grows at most with the
length of the text times the size of the automaton. Three things are bounded: the length of a line, the length of a
pattern, and the counts of its groups, as in `(ab){5}`, which multiply the size.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property, lru_cache
from math import prod

import polars as pl

from counting.logs.remarks import short

WINNER, WINNERS = "winner", ("player", "banker", "tie")
LONGEST = 1000  # the longest line or field that is split, in characters
_LONGEST_PATTERN, _MOST_REPEATED = 1000, 20
_TEXT, _FITS = pl.col("text"), " fits"  # the second name has a blank, so it is no group's name
_NAMED = re.compile(r"\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>")
_COUNTS = re.compile(r"\)\s*\{\s*([0-9]+)?\s*,?\s*([0-9]+)?\s*\}")  # counts of groups


def groups_in(pattern: str) -> tuple[str, ...]:
    """The names of a pattern's groups. Raises `ValueError` for an invalid pattern."""
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"should be a pattern of at most {_LONGEST_PATTERN:,} characters")
    if prod(max(int(count or 1) for count in counts) for counts in _COUNTS.findall(pattern)) > _MOST_REPEATED:
        raise ValueError(f"should repeat groups at most {_MOST_REPEATED} times, as (..){{3}}, all counts multiplied")
    try:
        names = _parted(pl.Series([""], dtype=pl.String), pattern).columns
    except pl.exceptions.PolarsError as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        why = said[-1].removeprefix("error: ")
        raise ValueError(f"should be a regular expression: {short(why, 120)}") from None
    named = tuple(name for name in names if name in _NAMED.findall(pattern))
    if not named:
        raise ValueError("should have named groups, as (?P<coup>[0-9]+)")
    return named


def _parted(texts: pl.Series, pattern: str, text: pl.Expr = _TEXT) -> pl.DataFrame:
    return texts.alias("text").to_frame().select(text.str.extract_groups(pattern)).to_series().struct.unnest()


@lru_cache(maxsize=64)
def pattern_of(text: str) -> Pattern:
    """The `Pattern` made from the text of a regular expression, cached."""
    return Pattern(text)


class Pattern:
    """A regular expression with named groups. `names` are its columns: the groups' names, with `winner` in place of the
    groups `player_won`, `banker_won` and `tie_won`. A text in which no group matches does not fit."""

    def __init__(self, text: str) -> None:
        self._text, groups = text, groups_in(text)
        self._marks = {won: name for won in WINNERS if (name := f"{won}_won") in groups}
        self._groups = [name for name in groups if name not in self._marks.values()]
        self.names = (*self._groups, *([WINNER] if self._marks else []))

    def frame(self, texts: pl.Series) -> pl.DataFrame:
        """A row for each text, with a column for each name. The row is null if the text does not fit or is too long."""
        bounded = pl.when(_TEXT.str.len_chars() <= LONGEST).then(_TEXT)
        parted = _parted(texts, self._text, bounded)
        return parted.with_columns(pl.any_horizontal(pl.all().is_not_null()).alias(_FITS)).select(self._columns)

    @cached_property
    def _columns(self) -> list[pl.Expr]:
        """The expressions of the pattern's columns; null for a text that does not fit."""
        chosen = [*(pl.col(name).str.strip_chars() for name in self._groups), *self._winner()]
        return [
            pl.when(pl.col(_FITS)).then(each.fill_null("")).alias(name)
            for name, each in zip(self.names, chosen, strict=True)
        ]

    def _winner(self) -> list[pl.Expr]:
        """The expression of the winner, if the pattern has groups that mark the winner. It is a tie if the tie or both
        hands are marked, and null if nothing is marked."""
        if not self._marks:
            return []
        is_marked = {won: pl.col(name).fill_null("") != "" for won, name in self._marks.items()}
        player, banker, tie = (is_marked.get(won, pl.lit(False)) for won in WINNERS)
        won = pl.when(tie | (player & banker)).then(pl.lit("tie"))
        return [won.when(player).then(pl.lit("player")).when(banker).then(pl.lit("banker")).alias(WINNER)]

    def rows(self, texts: Sequence[str]) -> list[dict[str, str] | None]:
        """The columns of each text as a dictionary; None for a text that does not fit or is too long."""
        rows = self.frame(pl.Series(texts, dtype=pl.String)).rows(named=True)
        return [None if None in row.values() else row for row in rows]

    def groups(self, text: str) -> dict[str, str] | None:
        """The columns of one text; None if the text does not fit or is too long."""
        (row,) = self.rows([text])
        return row
