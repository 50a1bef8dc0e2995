"""Coups whose cards are in a table of their own, a row a card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from counting.errors import InputError
from counting.logs.sources import Skip, Source, plain
from counting.logs.views import pairs

if TYPE_CHECKING:
    from counting.logs.layouts import CardRows

SIDES = {"player": {"player", "p", "punto"}, "banker": {"banker", "b", "banco", "bank"}}


class Joined(Source):
    """A source of coups with the columns `player` and `banker` added, from a source with a row a card."""

    def __init__(self, coups: Source, cards: Source, form: CardRows) -> None:
        self.path, self.top, self.nested = coups.path, coups.top, coups.nested
        self.names = [*coups.names, *SIDES]
        self._coups, self._id = coups, own_column(coups, form.id)
        self._hands = _hands(cards, form)

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._with_cards(self._coups.sample(self._own(columns)), columns)

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        for texts in self._coups.pieces(self._own(columns), numbers | {"id"}, skip):
            yield self._with_cards(texts, columns)

    def _own(self, columns: Mapping[str, str]) -> dict[str, str]:
        return {"id": self._id, **{name: own for name, own in columns.items() if own not in SIDES}}

    def _with_cards(self, texts: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
        joined = texts.join(self._hands, on="id", how="left", maintain_order="left")
        named = {name: pl.col(f"cards of {own}").fill_null("") for name, own in columns.items() if own in SIDES}
        return joined.with_columns(**named).select("line", *columns)


def cards_beside(coups: Path, rows: CardRows) -> Path | None:
    """The file of the cards: the one that the layout names, or where there is none one of that name with the ending of
    the coups' file; null where they are a table of the same database."""
    if rows.file is None:
        return None
    path = coups.parent / rows.file
    other = path.with_suffix(coups.suffix)
    return other if not path.exists() and other.exists() else path


def card_columns(form: CardRows) -> dict[str, str]:
    """The columns of a file with a row a card: of each field, how the file calls it."""
    wanted = {"of": form.of, "hand": form.hand, "place": form.place, "card": form.card, "rank": form.rank,
              "suit": form.suit}  # fmt: skip
    return {name: own for name, own in wanted.items() if own is not None}


def sides(form: CardRows) -> dict[str, str]:
    """Which hand a word means, in lower case or as the layout has it."""
    from counting.logs.layouts import words_of

    return {word: side for side, words in SIDES.items() for word in words} | words_of(form.hands)


def own_column(source: Source, name: str) -> str:
    own = source.column(name)
    if own is None:
        raise InputError(f"{source.path}: column {plain(name)} missing; the file has {source.has()}")
    return own


def _hands(cards: Source, form: CardRows) -> pl.DataFrame:
    """The cards of each hand as a text: `id`, `cards of player`, `cards of banker`; none for a coup with a card of no
    hand or place, or two at one."""
    columns = {name: own_column(cards, own) for name, own in card_columns(form).items()}
    rows = pl.concat(cards.pieces(columns, frozenset(columns), lambda lines: None))
    card = pl.col("card" if "card" in columns else "rank")
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
