"""The events that a log records besides coups: cards burned or exposed, errors of the shoe, a dead game.

An event is a line without hands that has a word in the column `event`. A line with a word for a dead game is an event
even if it has hands. The cards of an event left the shoe before the next coup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from counting.logs.cards import CardWords, hand_codes
from counting.logs.fields import Parser
from counting.logs.layouts import KEY
from counting.logs.remarks import Schema
from counting.logs.values import without_points

_DEAD = frozenset(["void", "dead", "dead game", "dead-game", "misdeal", "cancelled", "canceled"])
EVENTS: Schema = {
    "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.String, "event": pl.String,
    "cards": pl.List(pl.Int8), "dead": pl.Boolean,
}  # fmt: skip
_CARDS = ("burn", "exposed")
_OF_COUP = ("winner", "card", "rank")  # if a file has no columns of hands, a coup has a text in one of these


def dead_words(kinds: Mapping[Any, Sequence[str]]) -> frozenset[str]:
    """The words for a dead game, in lower case: the usual words, and the log's own words in `kinds`."""
    return _DEAD | {word.lower() for word in kinds.get("dead", ())}


def all_cards(*columns: str) -> pl.Expr:
    """The cards of several columns in one list; null where there are none."""
    both = pl.concat_list(pl.col(name).fill_null([]) for name in columns)
    return pl.when(both.list.len() > 0).then(both)


class Events:
    """Collects the events of a file of coups while its pieces are read."""

    def __init__(self, hands: Sequence[str], kinds: Mapping[Any, Sequence[str]], by: CardWords) -> None:
        """`hands` are the columns of cards; `kinds` have the log's own words for kinds of events."""
        self._hands, self._by = hands, by
        self._shown = hands or _OF_COUP
        self._dead = dead_words(kinds)
        self._rows: list[pl.DataFrame] = []

    def takes_out(self, texts: Mapping[str, str]) -> bool:
        """Whether a line with these texts is an event."""
        word = texts.get("event", "").lower()
        return word != "" and (word in self._dead or not any(texts.get(name) for name in self._shown))

    def taken_out(self, texts: pl.DataFrame) -> pl.DataFrame:
        """The lines that are coups. The events among the lines are collected."""
        if "event" not in texts.columns:
            return texts
        word = pl.col("event").str.to_lowercase()
        shown = [name for name in self._shown if name in texts.columns]
        empty = pl.all_horizontal(pl.lit(True), *(pl.col(name) == "" for name in shown))
        is_event = (word != "") & (empty | word.is_in(list(self._dead)))
        if not texts.select(is_event.any()).item():
            return texts
        names = [name for name in (*self._hands, *_CARDS) if name in texts.columns]
        events = texts.filter(is_event).select(
            "line",
            *(pl.col(name) if name in texts.columns else pl.lit("").alias(name) for name in KEY),
            event=word,
            dead=word.is_in(list(self._dead)),
            cards=pl.concat_str(pl.lit(""), *names, separator=" "),
        )
        self._rows.append(events)
        return texts.filter(~is_event)

    def frame(self) -> pl.DataFrame:
        """The collected events in the order of the file, with the columns `EVENTS`."""
        if not self._rows:
            return pl.DataFrame(schema=EVENTS)
        rows = pl.concat(self._rows)
        cards = [hand_codes(text, self._by)[0] for text in rows["cards"]]
        return rows.with_columns(cards=pl.Series(cards, dtype=EVENTS["cards"])).select(
            pl.col(name).cast(dtype) for name, dtype in EVENTS.items()
        )


def without_dead(coups: pl.DataFrame, events: pl.DataFrame, number: Parser) -> pl.DataFrame:
    """The coups, numbered as if dead games had not been counted: a coup's number is lowered by 1 for each dead game
    before it in the shoe."""
    if not events["dead"].any():
        return coups
    dead = events.filter("dead").with_columns(
        without_points("shoe", "table"),
        coup=pl.Series([number(text)[0] for text in events.filter("dead")["coup"]], dtype=pl.Int64),
    )
    if not dead.drop_nulls("coup").height:
        return coups
    key = ["table", "shoe"]
    gone = dead.drop_nulls("coup").unique([*key, "coup"]).select(*key, number="coup", dead=pl.lit(1))
    rows = coups.select(pl.col(key).cast(pl.String), number="coup", dead=pl.lit(0)).with_row_index("at")
    both = pl.concat([rows, gone.with_columns(at=pl.lit(None, pl.UInt32)).select(rows.columns)]).sort("number", "dead")
    lower = both.with_columns(lower=pl.col("dead").cum_sum().over(key)).drop_nulls("at").sort("at")["lower"]
    return coups.with_columns(coup=pl.col("coup") - lower)


def with_events(coups: pl.DataFrame, events: pl.DataFrame) -> pl.DataFrame:
    """The coups, with the cards of each event added to `burn` of the shoe's next coup in the file. An event without a
    table or shoe belongs to the table or shoe of the coup before it in the file; if it comes before the first coup, it
    is left out."""
    shown = events.filter(pl.col("cards").list.len() > 0) if events.height else events
    if not shown.height:
        return coups
    at = coups.select("line", pl.col("table", "shoe").cast(pl.String)).sort("line")
    for name in ("table", "shoe"):
        before = shown.select("line").join_asof(at, on="line", strategy="backward")[name]
        shown = shown.with_columns(pl.when(pl.col(name) != "").then(name).otherwise(before).alias(name))
    shown = shown.with_columns(without_points("table", "shoe"))
    after = shown.join_asof(
        at.with_columns(coup_line="line"), on="line", by=["table", "shoe"], strategy="forward", check_sortedness=False
    ).drop_nulls("coup_line")
    gone = after.group_by("coup_line", maintain_order=True).agg(pl.col("cards").explode().alias("gone"))
    joined = coups.join(gone, left_on="line", right_on="coup_line", how="left", maintain_order="left")
    return joined.with_columns(burn=all_cards("burn", "gone")).drop("gone")
