"""The table of coups: rows from dealt coups, and coups from rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.simulation import Coups
from counting.sweep.scoring import running_count
from counting.sweep.tables import LEFT, SHOWN, SHOWN_CARDS
from counting.systems import System


def rows_of_coups(coups: Coups, systems: Sequence[System], decks: int, cards: bool = False) -> pl.DataFrame:
    """The table `coups`: a row per coup, with the running count of each system. With `cards`, also the cards."""
    shown = SHOWN + SHOWN_CARDS * cards
    frame: dict[str, Any] = {
        "shoe": coups.shoe.astype(np.uint32) + np.uint32(coups.first_shoe),
        "coup": coups.coup,
        "cards_left": coups.cards_left.astype(np.uint16),
        "undealt": coups.undealt,
        "last_cut": coups.last_cut,
        **{name: coups.left[:, i].astype(np.uint16) for i, name in enumerate(LEFT[coups.knows])},
        **{name: np.ascontiguousarray(coups.shown[:, i]) for i, name in enumerate(shown)},
    }
    frame |= {f"count_{system.name}": running_count(system, coups, decks) for system in systems}
    return pl.DataFrame(frame)


def coups_of_rows(frame: pl.DataFrame) -> Coups:
    """The coups of a part of the table `coups`."""
    first = int(frame["shoe"].min() or 0)  # type: ignore[arg-type]
    shown = np.zeros((frame.height, len(SHOWN) + len(SHOWN_CARDS)), np.uint8)
    for i, name in enumerate(SHOWN + SHOWN_CARDS):
        if name in frame.columns:
            shown[:, i] = frame[name].to_numpy()
    return Coups(
        first,
        (frame["shoe"].to_numpy() - np.uint32(first)).astype(np.uint16),
        frame["coup"].to_numpy(),
        frame["undealt"].to_numpy(),
        frame["last_cut"].to_numpy(),
        left_of(frame),
        shown,
    )


def left_of(frame: pl.DataFrame) -> NDArray[np.int32]:
    """The compositions (rows, 10, 13 or 52) of the table `coups`."""
    names = next(names for names in LEFT.values() if set(names) <= set(frame.columns))
    return np.stack([frame[name].to_numpy() for name in names], axis=1).astype(np.int32)
