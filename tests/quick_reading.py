"""What tests leave out if they only look at how logs and lines are read. With `--long`, nothing is left out."""

import json
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from math import nan
from pathlib import Path
from typing import Any

from extent import LONG

from counting.cards import DECK
from counting.live.prices import Prices
from counting.live.shoes import Seen, State
from counting.logs import apart

Put = Callable[[Any, Any], None]  # sets what a name stands for


def unprice(put: Put) -> None:
    """Watches do not work out what bets are worth: no edge is known, and no count."""
    if not LONG:
        put("counting.live.prices.Prices.of", _unpriced)


def _unpriced(self: Prices, shoes: Sequence[Seen], logged: Sequence[int | None] | None = None) -> list[State]:
    decks = logged or [None] * len(shoes)
    left = [DECK * (each or self.decks) - sum(seen) for seen, each in zip(shoes, decks, strict=True)]
    unknown = [nan] * len(self.bets), [False] * len(self.triggers), [nan] * len(self.systems)
    return [State(number, True, *unknown) for number in left]


def undamage(put: Put) -> None:
    """Parquet files and workbooks are not read in another process first, where damage would end only that process. A
    process takes a quarter of a second."""
    if not LONG:
        put("counting.logs.parquet_files.refuse_deadly_parquet", lambda file, path: None)
        put("counting.logs.tables.sheets_of", _sheets)


def _sheets(file: Path, path: Path, sheet: str | None, folder: Path) -> list[str]:
    with redirect_stdout(StringIO()) as said:
        apart._unpack(str(file), str(folder), *([] if sheet is None else [sheet]))
    names: list[str] = json.loads(said.getvalue())
    return names
