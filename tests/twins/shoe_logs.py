"""Logs of shoes with given orders of cards, and counts of such shoes, in plain Python."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl

from counting.logs import COUPS, NO_CARD, PLACES, Log
from counting.review.shuffle.shoe_counts import FIRST, CountLayout
from counting.review.synthetic.dealt_table import DealtTable


def log_of_rows(rows: Sequence[dict[str, Any]]) -> Log:
    """A log of coups. A row has `table`, `shoe`, `coup` and `cards`, in the order of `PLACES`, and perhaps `burn` and
    `more`."""
    columns = {
        "line": range(1, len(rows) + 1),
        **{name: [str(row[name]) for row in rows] for name in ("table", "shoe")},
        "coup": [row["coup"] for row in rows],
        **{place: [row["cards"][i] for row in rows] for i, place in enumerate(PLACES)},
        "more": [row.get("more") for row in rows],
        "winner": [None] * len(rows),
        "burn": [row.get("burn") for row in rows],
    }
    frame = pl.DataFrame({name: pl.Series(name, values, COUPS[name]) for name, values in columns.items()})
    more = [pl.Series(name, [None] * len(rows), of) for name, of in COUPS.items() if name not in columns]
    return Log(frame.with_columns(more).select(list(COUPS)), pl.DataFrame(), pl.DataFrame())


def log_of_table(table: DealtTable, shoes: slice = slice(None)) -> Log:
    """The log of the shoes of a dealt table, without their burned cards."""
    numbers = np.unique(table.shoe)[shoes]
    rows = np.isin(table.shoe, numbers)
    cards = table.cards[rows]
    frame = pl.DataFrame({"shoe": table.shoe[rows], "coup": table.coup[rows]}).with_columns(
        pl.col("shoe").cast(pl.String), line=pl.int_range(1, pl.len() + 1), table=pl.lit("1"), more=None, winner=None,
        burn=None, **{place: pl.Series(cards[:, i]) for i, place in enumerate(PLACES)},
    )  # fmt: skip
    return Log(
        frame.select(
            (pl.col(name) if name in frame.columns else pl.lit(None)).cast(of).alias(name) for name, of in COUPS.items()
        ),
        pl.DataFrame(),
        pl.DataFrame(),
    )


def log_of_orders(orders: Sequence[Sequence[int]], cut: int = 14, table: str = "1") -> Log:
    """A log of shoes with these orders of cards. Every coup has five cards, P1 B1 P2 B2 P3. Coups are dealt while at
    least `cut` cards are left after them."""
    rows = []
    for shoe, order in enumerate(orders):
        for coup in range((len(order) - cut) // 5):
            p1, b1, p2, b2, p3 = (int(card) for card in order[5 * coup : 5 * coup + 5])
            cards = [p1, p2, p3, b1, b2, NO_CARD]
            rows.append({"table": table, "shoe": shoe, "coup": coup + 1, "cards": cards})
    return log_of_rows(rows)


def counts(layout: CountLayout, shoes: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The same counts as `shoe_counts.count_shoes` has, by name."""
    rank, size = layout.rank.tolist(), layout.cards
    of = {name: np.zeros(shape, np.int64) for name, shape in layout.shapes.items()}
    for shoe in shoes:
        ranks = [rank[card] for card in shoe]
        quarters = np.zeros_like(of["quarters"])
        for i, a in enumerate(ranks):
            quarters[4 * i // size, a] += 1
            if i < FIRST:
                of["first"][i, a] += 1
        of["quarters"] += quarters
        of["squares"] += (quarters**2).sum(axis=0)
        for t, last in enumerate(layout.tails):
            for card in shoe[size - last :]:
                of["tails"][t, card] += 1
        for a, b in pairwise(ranks):
            of["pairs"][a, b] += 1
        steps = [b > a for a, b in pairwise(ranks) if a != b]
        of["turns"] += sum(a != b for a, b in pairwise(steps))
        if layout.knows == "card":
            of["suits"] += sum(a % 4 == b % 4 for a, b in pairwise(shoe))
    return of
