"""Coups of logs with a row for each card, in a separate table or in the coups' file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from counting.errors import InputError
from counting.logs.sources import Skip, Source, column_key
from counting.logs.values import without_points
from counting.logs.views import pairs

if TYPE_CHECKING:
    from counting.logs.layouts import CardRows

_OF = "of coup"  # the name of a helper column; no field has this name
SIDES = {"player": {"player", "p", "punto"}, "banker": {"banker", "b", "banco", "bank"}}


class Joined(Source):
    """A source of coups, completed from a second source with a row for each card: `player` and `banker` are added."""

    def __init__(self, coups: Source, cards: Source, form: CardRows) -> None:
        self.path, self.top, self.above, self.nested = coups.path, coups.top, coups.above, coups.nested
        self.names = _with_sides(coups)
        self._coups, self._id = coups, own_column(coups, form.id or "")
        self._hands = _hands(cards, form)

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._with_cards(self._coups.sample(self._own(columns)), columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        for texts in self._coups.pieces(self._own(columns), numbers | {"id"}, skip):
            yield self._with_cards(texts, columns)

    def _own(self, columns: Mapping[str, str]) -> dict[str, str]:
        return {"id": self._id, **{name: column for name, column in columns.items() if column not in SIDES}}

    def _with_cards(self, texts: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
        texts = texts.with_columns(without_points("id"))
        joined = texts.join(self._hands, on="id", how="left", maintain_order="left")
        named = {
            name: pl.col(f"cards of {column}").fill_null("") for name, column in columns.items() if column in SIDES
        }
        return joined.with_columns(**named).select("line", *columns)


class Grouped(Source):
    """A source of coups, made from a source with a row for each card: `player` and `banker` are added. Rows with equal
    texts in the columns `key` belong to the same coup."""

    def __init__(self, rows: Source, form: CardRows, key: Sequence[str]) -> None:
        self.path, self.top, self.above, self.nested = rows.path, rows.top, rows.above, rows.nested
        self.mark: str = getattr(rows, "mark", "")
        self.within: Sequence[Sequence[str]] = getattr(rows, "within", ())
        self.names = _with_sides(rows)
        self._rows, self._form = rows, form
        self._key = {f"key {number}": own_column(rows, column) for number, column in enumerate(key)}
        self._cards = {name: own_column(rows, column) for name, column in card_row_columns(form).items()}

    def column(self, name: str) -> str | None:
        return name if name in SIDES else self._rows.column(name)

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._coups_of(self._rows.sample(self._own(columns)), columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        columns_read = self._own(columns)
        rows = list(self._rows.pieces(columns_read, numbers | frozenset([*self._key, *map(_dealt, self._cards)]), skip))
        if rows:
            yield self._coups_of(pl.concat(rows), columns)

    def _own(self, columns: Mapping[str, str]) -> dict[str, str]:
        cards = {_dealt(name): column for name, column in self._cards.items()}
        return self._key | cards | {name: column for name, column in columns.items() if column not in SIDES}

    def _coups_of(self, rows: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
        """A row for each coup. A column other than the hands gets the last text that is not empty in the coup's
        rows."""
        rows = rows.with_columns(pl.struct(*self._key).rank("dense").cast(pl.String).alias(_OF))
        cards = rows.select(
            "line", pl.col(_OF).alias("of"), *(pl.col(_dealt(name)).alias(name) for name in self._cards)
        )
        others = [pl.col(name).filter(pl.col(name) != "").last().fill_null("").alias(name)
                  for name, column in columns.items() if column not in SIDES]  # fmt: skip
        coups = rows.group_by(_OF, maintain_order=True).agg(pl.col("line").min(), *others)
        hands = _joined_hands(cards, self._form).rename({"id": _OF})
        named = {name: pl.col(f"cards of {column}") for name, column in columns.items() if column in SIDES}
        joined = coups.join(hands, on=_OF, how="left", maintain_order="left").with_columns(**named)
        return joined.select("line", *columns)


def _with_sides(source: Source) -> list[str]:
    """The names of a source's columns, with `player` and `banker` at the end."""
    return [*(name for name in source.names if column_key(name) not in SIDES), *SIDES]


def _dealt(name: str) -> str:
    """The name for a column of cards. No column of coups has this name."""
    return f"dealt {name}"


def cards_beside(coups: Path, rows: CardRows) -> Path | None:
    """The path of the file of cards. The layout states its name. If there is no such file, a file with the same name
    and the ending of the coups' file is taken. None if the cards are in the coups' own file or database."""
    if rows.file is None:
        return None
    path = coups.parent / rows.file
    other = path.with_suffix(coups.suffix)
    return other if not path.exists() and other.exists() else path


def card_row_columns(form: CardRows) -> dict[str, str]:
    """The file's column for each field of a card."""
    wanted = {"of": form.of, "hand": form.hand, "place": form.place, "card": form.card, "rank": form.rank,
              "suit": form.suit}  # fmt: skip
    return {name: column for name, column in wanted.items() if column is not None}


def sides(form: CardRows | None) -> dict[str, str]:
    """The hand that each word means; words are in lower case."""
    from counting.logs.layouts import file_words

    words = {word: side for side, words in SIDES.items() for word in words} | file_words(form.hands if form else {})
    return {word.lower(): side for word, side in words.items()}


def own_column(source: Source, name: str) -> str:
    column = source.column(name)
    if column is None:
        raise InputError(f"{source.path}: column {column_key(name)} missing; the file has {source.has()}")
    return column


def _hands(cards: Source, form: CardRows) -> pl.DataFrame:
    """A row for each coup with its hands as texts, in the columns `id`, `cards of player` and `cards of banker`. A coup
    gets no hands if a card has no hand or place, or if two cards of a hand have the same place."""
    columns = {name: own_column(cards, column) for name, column in card_row_columns(form).items()}
    rows = pl.concat(cards.pieces(columns, frozenset(columns), lambda lines: None))
    return _joined_hands(rows.with_columns(without_points("of")), form)


def _joined_hands(rows: pl.DataFrame, form: CardRows) -> pl.DataFrame:
    card = pl.col("card" if "card" in rows.columns else "rank")
    if form.suit:
        rows = rows.with_columns(rank=pairs(rows["rank"], rows["suit"]))
    card = pl.when(card == "").then(pl.lit("?")).otherwise(card)
    place = pl.col("place").cast(pl.Float64, strict=False) if form.place else pl.col("line").cast(pl.Float64)
    rows = rows.select(
        "of",
        side=pl.col("hand").str.to_lowercase().replace_strict(sides(form), default=None, return_dtype=pl.String),
        card=card,
        place=place,
    ).sort("of", "place", maintain_order=True)
    astray = pl.any_horizontal(
        pl.col("side", "place").is_null().any(), pl.struct("side", "place").is_duplicated().any()
    )
    hands = rows.group_by("of", maintain_order=True).agg(
        pl.when(astray)
        .then(pl.lit(""))
        .otherwise(pl.col("card").filter(pl.col("side") == side).str.join(" "))
        .alias(f"cards of {side}")
        for side in SIDES
    )
    return hands.rename({"of": "id"})
