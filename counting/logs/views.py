"""A layout's view of a file, like a view in a database. A view can leave out rows by the words in a column, split a
column by a pattern, and join columns of rank and suit.

A `FieldPlan` does this for a block of rows or for one record. A `LayoutView` is a source that uses a plan.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from counting.errors import InputError, nearest
from counting.logs.card_words import pair
from counting.logs.pattern_lines import PatternLines
from counting.logs.patterns import pattern_of
from counting.logs.remarks import short
from counting.logs.sources import AND, Skip, Source, column_key, open_source, source_of
from counting.logs.texts import pieces_of

if TYPE_CHECKING:
    from counting.logs.layouts import FileForm

SOME = "*"  # stands for any text that is not empty, among the words that a column must have
_ONLY = "only "

Resolve = Callable[[str], str | None]  # a function that gives the file's name of a column, or None


def pairs(ranks: pl.Series, suits: pl.Series) -> pl.Series:
    """The words for cards, from the texts of their ranks and their suits."""
    return pl.Series(ranks.name, map(pair, ranks.fill_null(""), suits.fill_null("")), dtype=pl.String)


@dataclass(frozen=True)
class FieldPlan:
    """How to make the texts of fields from a file's columns. `base`: the columns to read; the keys are names within the
    plan, and the values are the file's names. `only`: for some columns, a set of words in lower case, one of which a
    row must have there. `split`: for a field that comes from a split column, the column, the pattern and the group.
    `cards`: for a field made of a rank and a suit, both columns."""

    fields: Sequence[str]
    base: Mapping[str, str]
    only: Mapping[str, frozenset[str]]
    split: Mapping[str, tuple[str, str, str]]
    cards: Mapping[str, tuple[str, str]]

    @cached_property
    def is_plain(self) -> bool:
        """Whether every field is an unchanged column of the file, and no row is left out."""
        return not (self.only or self.split or self.cards)

    def frame(self, texts: pl.DataFrame) -> pl.DataFrame:
        """The rows of a block that are not left out: `line`, then a column of texts for each field."""
        if self.is_plain:
            return texts
        for name, words in self.only.items():
            text = pl.col(name)
            texts = texts.filter(text != "" if SOME in words else text.str.to_lowercase().is_in(list(words)))
        made = [self._made(texts, name).alias(name) for name in self.fields]
        return pl.DataFrame([texts["line"], *made])

    def _made(self, texts: pl.DataFrame, name: str) -> pl.Series:
        if name in self.split:
            column, pattern, group = self.split[name]
            return pattern_of(pattern).frame(texts[column])[group].fill_null("")
        if name in self.cards:
            rank, suit = self.cards[name]
            return pairs(texts[rank], texts[suit])
        return texts[name]

    def record(self, texts: Mapping[str, str]) -> dict[str, str] | None:
        """The texts of one record's fields; None for a record that is left out."""
        if self.is_plain:
            return {name: texts[name] for name in self.fields if name in texts}
        for name, words in self.only.items():
            text = texts.get(name, "").lower()
            if not text if SOME in words else text not in words:
                return None
        made = dict(texts)
        for name, (column, pattern, group) in self.split.items():
            made[name] = (pattern_of(pattern).groups(texts.get(column, "")) or {}).get(group, "")
        for name, (rank, suit) in self.cards.items():
            made[name] = pair(texts.get(rank, ""), texts.get(suit, ""))
        return {name: made[name] for name in self.fields if name in made}


def field_plan(form: FileForm, columns: Mapping[str, str], resolve: Resolve) -> FieldPlan:
    """The plan for these fields. A field is a column of the file, a group of a split column, or two columns joined by a
    plus."""
    base: dict[str, str] = {}
    split: dict[str, tuple[str, str, str]] = {}
    cards: dict[str, tuple[str, str]] = {}
    only: dict[str, frozenset[str]] = {}
    for column, words in form.only.items():
        base[_ONLY + column] = resolve(column) or column
        only[_ONLY + column] = frozenset(word.lower() for word in words)
    groups = {group: (column, text) for column, text in form.split.items() for group in pattern_of(text).names}
    for field, name in columns.items():
        if name in groups:
            column, text = groups[name]
            base[f"split {column}"] = resolve(column) or column
            split[field] = f"split {column}", text, name
        elif AND in name and resolve(name) is None:
            rank, _, suit = name.partition(AND)
            base |= {f"rank {field}": resolve(rank.strip()) or rank, f"suit {field}": resolve(suit.strip()) or suit}
            cards[field] = f"rank {field}", f"suit {field}"
        else:
            base[field] = resolve(name) or name
    return FieldPlan(tuple(columns), base, only, split, cards)


class LayoutView(Source):
    """A source with a layout's plan: rows are left out, columns are split, and ranks and suits are joined."""

    def __init__(self, source: Source, form: FileForm, is_begun: bool = False) -> None:
        """`is_begun`: more lines will come, and may have columns that these lines lack."""
        self._source, self._form = source, form
        self.path, self.top, self.above, self.nested = source.path, source.top, source.above, source.nested
        self.look, self.mark = source.look, str(getattr(source, "mark", ""))
        self.within: Sequence[Sequence[str]] = getattr(source, "within", ())
        for column in (*form.only, *form.split):
            if source.column(column) is None and not (is_begun and source.nested):
                hint = nearest(column, [column_key(name) for name in source.names])
                raise InputError(f"{source.path}: column {column} missing; the file has {source.has()}{hint}")
        self._groups = [group for text in form.split.values() for group in pattern_of(text).names]
        self.names = [*source.names, *(group for group in self._groups if group not in source.names)]
        if form.only and not is_begun:
            self.refuse_none()

    def refuse_none(self) -> None:
        """Raise `InputError` if all of the first thousand rows are left out."""
        plan = self._plan({})
        texts = self._source.sample(plan.base)
        if texts.height and not plan.frame(texts).height:
            seen = {column: texts[_ONLY + column].unique(maintain_order=True).to_list() for column in self._form.only}
            words = "; ".join(f"{column} is {short(', '.join(each), 80)}" for column, each in seen.items())
            raise InputError(f"{self.path}: only: picks none of the first {texts.height:,} records; {words}")

    def column(self, name: str) -> str | None:
        if name in self._groups:
            return name
        own = self._source.column(name)
        if own is not None or AND not in name:
            return own
        parts = [self._source.column(part.strip()) for part in name.split(AND)]
        return AND.join(part or "" for part in parts) if len(parts) == 2 and None not in parts else None

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        plan = self._plan(columns)
        return plan.frame(self._source.sample(plan.base))

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        plan = self._plan(columns)
        made = frozenset(plan.base) - frozenset(plan.fields)
        for texts in self._source.pieces(plan.base, numbers | made, skip):
            yield plan.frame(texts)

    def _plan(self, columns: Mapping[str, str]) -> FieldPlan:
        return field_plan(self._form, columns, self._source.column)


def open_log(path: Path, form: FileForm, known: frozenset[str]) -> Source:
    """A view of the file at `path`. Its lines are split by the layout's pattern, if there is one. Otherwise the file's
    form is recognised from its content."""
    if form.line is not None:
        return LayoutView(PatternLines(path, pieces_of(path, form.encoding), form.line, form.shoe_line), form)
    return LayoutView(open_source(path, known, form.rows, form.separator, form.encoding, form.names), form)


def view_of(name: str, lines: Sequence[bytes], form: FileForm, known: frozenset[str]) -> LayoutView:
    """A view of an input's first lines, in UTF-8. `name`: the input's name in error lines."""
    if form.line is not None:
        pieces = iter([b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines)])
        return LayoutView(PatternLines(Path(name), pieces, form.line, form.shoe_line), form, is_begun=True)
    source = source_of(name, lines, known, form.separator, form.names, form.rows)
    return LayoutView(source, form, is_begun=True)
