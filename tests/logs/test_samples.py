"""The samples in `tests/data/logs`: every card of every file is read."""

from functools import cache
from pathlib import Path

import polars as pl
import pytest

from counting.logs import PLACES, UNREAD, Log, load_layout, read_log

HERE = Path(__file__).parent.parent / "data" / "logs"
LAYOUTS = {"card-rows": "card-rows", "shoe.hex": "electronic-shoe"}
FILES = sorted(
    file for file in HERE.rglob("*.*")
    if file.is_file() and file.suffix not in (".toml", ".py", ".pyc") and file.name != "cards.parquet"
)  # fmt: skip
ALL = ["line", "player_total", "banker_total", "player_pair", "banker_pair", "table", "shoe", "winner"]


def values(log: Log) -> tuple[int, ...]:
    """The number of cards read at each place, over all coups."""
    return log.coups.select((pl.col(PLACES) >= 0).sum()).row(0)


@cache
def own_log() -> Log:
    return read_log(HERE / "same" / "own" / "own.csv")


@pytest.mark.usefixtures("undamaged")
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(HERE)))
def test_every_card_of_a_sample_is_read(file: Path) -> None:
    own = next(file.parent.glob("*.toml"), None) if file.parent != HERE else None
    layout = LAYOUTS.get(file.parent.name) or LAYOUTS.get(file.name) or own
    log = read_log(file, None, None if layout is None else load_layout(layout))
    assert log.coups.height == (20 if file.name == "shoe.hex" else 40)
    assert (log.coups.select(PLACES).to_numpy() != UNREAD).all()
    assert log.skipped["coups"] == 0
    if file.name != "shoe.hex":
        assert values(log) == values(own_log())
