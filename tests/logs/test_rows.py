"""Rows of a log: repeated ones, and the coup of each bet."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from counting.logs import BETS, COUPS, REMARKS, Log, coup_rows, repeated
from counting.logs import rows as rows_module

ROWS = st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 2), st.none() | st.booleans()), max_size=30)


@given(rows=ROWS, size=st.integers(1, 5))
def test_a_row_is_repeated_if_another_has_its_values(rows: list[tuple[str, int, bool | None]], size: int) -> None:
    frame = pl.DataFrame(rows, {"name": pl.Categorical(), "number": pl.Int32, "flag": pl.Boolean}, orient="row")
    whole, rows_module.SLICE = rows_module.SLICE, size
    try:
        assert repeated(frame).tolist() == [rows.count(row) > 1 for row in rows]
    finally:
        rows_module.SLICE = whole


def test_bets_find_their_coups_and_their_lines() -> None:
    coups = {"line": range(2, 8), "table": ["1"] * 6, "shoe": list("aaabbb"), "coup": [1, 2, 3, 1, 2, 4]}
    bets = {"line": [2, 3, 4, 5], "table": ["1", "1", "1", "2"], "shoe": list("bbac"), "coup": [4, 3, 2, 1]}
    log = Log(framed(coups, COUPS), framed(bets, BETS), pl.DataFrame(schema=REMARKS))
    assert log.bet_rows.tolist() == [5, -1, 1, -1] == coup_rows(log.bets, log.coups).tolist()
    assert log.bet_rows is log.bet_rows
    assert log.bet_rows.dtype == np.int32
    assert log.bets_on(pl.Series([5, 3, 3, 99], dtype=pl.Int32))["line"].to_list() == [3, 5]


def framed(columns: dict[str, object], schema: dict[str, object]) -> pl.DataFrame:
    """A frame with these columns. The other columns of the schema are null."""
    return pl.DataFrame(columns).select(
        (pl.col(name) if name in columns else pl.lit(None)).cast(kind).alias(name) for name, kind in schema.items()
    )
