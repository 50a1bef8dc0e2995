"""Remarks on the lines and values of a file. The first hundred of each kind in each column are listed; all are
counted."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

Schema = dict[str, pl.DataType | type[pl.DataType]]
REMARKS: Schema = {"file": pl.String, "line": pl.Int32, "column": pl.String, "value": pl.String, "reason": pl.String}
COUNTS: Schema = {"file": pl.String, "column": pl.String, "kind": pl.String, "number": pl.Int64, "listed": pl.Int64}
MOST_LISTED = 100  # for each kind and column, remarks up to this number are listed
SKIPPED = "line skipped"
MOST_SHOWN = 40


class Reason(NamedTuple):
    """The reason for a remark: its `kind`, in a word, and a `text`, which may name the value. `kept`: the line is read
    all the same, and the text says how."""

    kind: str
    text: str
    kept: bool = False


class Remarks:
    """The remarks on one file. `skipped` is the number of lines that are lost."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.skipped = 0
        self._numbers: dict[tuple[str | None, str], int] = {}
        self._listed: list[pl.DataFrame] = []

    def add(
        self, rows: pl.DataFrame, column: str | None, kind: str, value: pl.Expr | str, reason: pl.Expr | str
    ) -> None:
        """Add a remark for each row. The rows are in the order of the file. A row has the column `line`, and the
        columns that the expressions `value` and `reason` use."""
        if not rows.height:
            return
        before = self._numbers.get((column, kind), 0)
        self._numbers[column, kind] = before + rows.height
        cells = {"file": pl.lit(self.file), "line": pl.col("line"), "column": pl.lit(column, pl.String)}
        cells["value"] = pl.lit(value) if isinstance(value, str) else value
        cells["reason"] = pl.lit(reason) if isinstance(reason, str) else reason
        listed = rows.head(max(0, MOST_LISTED - before))
        self._listed.append(listed.select(expr.cast(REMARKS[name]).alias(name) for name, expr in cells.items()))

    def add_each(self, rows: pl.DataFrame, column: str | None) -> None:
        """Add a remark for each row. The columns of `rows` are `line`, `text`, the `kind` of remark and the
        `reason`."""
        for kind in rows["kind"].unique(maintain_order=True):
            self.add(rows.filter(pl.col("kind") == kind), column, kind, pl.col("text"), pl.col("reason"))

    def listed(self) -> pl.DataFrame:
        """The listed remarks in the order of lines, with the columns `REMARKS`. Long values are shortened."""
        if not self._listed:
            return pl.DataFrame(schema=REMARKS)
        every = pl.concat(self._listed)
        return every.with_columns(value=pl.Series(map(short, every["value"]), dtype=pl.String)).sort(
            "line", maintain_order=True
        )

    def counts(self) -> pl.DataFrame:
        """The number of remarks of each kind, the most frequent kind first, with the columns `COUNTS`."""
        rows = [
            (self.file, column, kind, number, min(number, MOST_LISTED))
            for (column, kind), number in sorted(
                self._numbers.items(), key=lambda item: (-item[1], item[0][0] or "", item[0][1])
            )
        ]
        return pl.DataFrame(rows, COUNTS, orient="row")


def short(text: str, most: int = MOST_SHOWN) -> str:
    """A text, shortened to at most `most` characters. Characters that cannot be printed are replaced."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: most + 1])
    return text if len(text) <= most else text[: most - 3] + "..."
