"""The table of dealing and payment errors, and how its rows are collected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from numpy.typing import NDArray

ERRORS = {
    "file": pl.String, "line": pl.Int32, "table": pl.String, "shoe": pl.String, "coup": pl.Int32, "rule": pl.String,
    "found": pl.String, "patron": pl.String, "off": pl.Float64,
}  # fmt: skip
RULES = {
    "record": "the recorded totals and pairs fit the recorded cards; if not, the record is at fault",
    "stale-card": "no third card of the record is left over from the line before",
    "repeat": "no more coups have exactly the cards of the coup before than chance explains",
    "hand-size": "every hand has two or three cards",
    "natural": "neither hand draws after a natural (8 or 9 on two cards) that ends the coup",
    "player-draws": "Player draws when the rules make it draw",
    "player-stands": "Player stands when the rules make it stand",
    "banker-draws": "Banker draws when the rules make it draw",
    "banker-stands": "Banker stands when the rules make it stand",
    "winner": "the recorded winner fits the cards",
    "too-many": "no card or rank comes out of a shoe more often than its decks have it",
    "shoe-exceeded": "a shoe deals no more cards than its decks have",
    "after-cut": "no coup is dealt after the last coup that the cut card allows",
    "early-end": "no shoe ends before the cut card is out; without --cut, no shoe ends a deck or more before the "
    "median shoe",
    "payment": "a bet is paid what its pay table line gives",
    "unknown-bet": "a bet is one of the game's or the catalog's bets",
}


@dataclass
class ErrorRows:
    """Collects the errors in a slice of a log that begins at row `first`. Each error has its row, its rule and a
    sentence. A wrong payment also has `off`, the amount by which it is wrong."""

    first: int = 0
    rows: list[int] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    sentences: list[str] = field(default_factory=list)
    off: list[float | None] = field(default_factory=list)

    def add(
        self, rule: str, rows: Iterable[int], sentence: Callable[[int], str], off: Callable[[int], float] | None = None
    ) -> None:
        for row in rows:
            self.rows.append(self.first + row)
            self.rules.append(rule)
            self.sentences.append(sentence(row))
            self.off.append(off and off(row))

    def frame(self, log: pl.DataFrame, file: str) -> pl.DataFrame:
        rows = np.array(self.rows, np.int64)
        return (
            log[rows]
            .with_columns(
                row=rows,
                file=pl.lit(file),
                rule=pl.Series(self.rules, dtype=pl.String),
                found=pl.Series(self.sentences, dtype=pl.String),
                off=pl.Series(self.off, dtype=pl.Float64),
                patron=pl.col("patron") if "patron" in log.columns else pl.lit(None, pl.String),
            )
            .select("row", *(pl.col(name).cast(dtype) for name, dtype in ERRORS.items()))
        )


def rows_where(rows: NDArray[np.bool_]) -> list[int]:
    return list(np.flatnonzero(rows).tolist())
