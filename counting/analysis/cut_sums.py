"""Sums by cut: totals of a sweep at each cut that the sweep distinguishes. They are added up from the sweep's parts,
its blocks of shoes.

A coup's last cut is the largest number of cards behind the cut card at which the coup is still dealt. So a coup is
dealt with c cards behind the cut card if and only if its last cut is c or more, and the sums over all coups with a last
cut of c or more are the sums of a sweep with c cards behind the cut card. The two sweeps have the same shoes, and their
integer sums are the same to the last bit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import DECK
from counting.errors import InputError, written
from counting.sweep import Plan, Sweep, TableSchema, part_path
from counting.workers import in_threads

_AT_A_TIME = 16  # blocks that are read together, while earlier blocks are added up
_ROUNDING = 1e-13  # a spread of at most this share of the sum of squares is only rounding error


class Totals(NamedTuple):
    """Sums over the parts of a sweep, for each bettor and cut.

    - `sums` (rows, cuts, columns): Python integers
    - `coups` (cuts,): coups dealt
    - `gain` (rows, cuts): in units staked
    - `coups_se` (cuts,): standard errors of the coups per shoe
    - `counts_se` (rows, cuts, columns without the gain): standard errors of the other sums per shoe

    `cuts`, `shoes` and `parts` describe the sweep. The other fields are sums of products over the parts, for the
    standard errors of gains: `gain_sq`, `gain_shoes` and `gain_coups` for each row and cut, `coups_sq` for each cut,
    and `shoes_sq` for the whole sweep."""

    cuts: Ints
    shoes: int
    parts: int
    sums: NDArray[np.object_]
    coups: Ints
    gain: Floats
    gain_sq: Floats
    gain_shoes: Floats
    gain_coups: Floats
    shoes_sq: float
    coups_sq: Floats
    coups_se: Floats
    counts_se: Floats

    @property
    def coups_per_shoe(self) -> Floats:
        return np.asarray(self.coups / self.shoes, float)

    @property
    def per_shoe(self) -> tuple[Floats, Floats]:
        """Gains per shoe and their standard errors, from the spread between parts. The errors are NaN if the sweep has
        only one part."""
        return self.gain / self.shoes, self._error(self.gain_shoes, self.shoes_sq, self.shoes)

    @property
    def per_coup(self) -> tuple[Floats, Floats]:
        """Gains per coup dealt and their standard errors."""
        return self.gain / self.coups, self._error(self.gain_coups, self.coups_sq, self.coups)

    def _error(self, cross: Floats, base_sq: float | Floats, base: float | Ints) -> Floats:
        if self.parts == 1:
            return np.full(self.gain.shape, np.nan)
        ratio = self.gain / base
        spread = (self.gain_sq - 2 * ratio * cross + ratio**2 * base_sq).clip(0)
        error: Floats = np.sqrt(spread * self.parts / (self.parts - 1)) / base
        return error


class CutSums:
    """Sums over the parts of a sweep, added one after another.

    Each part gives sums (rows, cuts, columns) and the coups dealt (cuts,). The last column of the sums is the gain as
    an integer, which is multiplied by `units` (rows,) to give units staked. `places` are the indices of the cuts to
    keep, among the cuts that the sweep distinguishes."""

    def __init__(self, plan: Plan, places: NDArray[np.intp], units: Floats) -> None:
        self.plan, self.places, self.units = plan, places, units
        self.parts, self.shoes_sq = 0, 0.0
        self.high: Ints | int = 0  # upper and lower 32 bits are added apart, so that no number of parts overflows
        self.low: Ints | int = 0
        self.coups: Ints | int = 0
        self.products = [np.zeros(1)] * 4
        self.coups_ratio, self.counts_ratio = Ratio(), Ratio()

    def add(self, sums: Ints, dealt: Ints) -> None:
        """Add the next part."""
        shoes = self.plan.shoes_in(self.parts)
        chosen, dealt = sums[:, self.places], dealt[self.places]
        self.high, self.low = self.high + (chosen >> 32), self.low + (chosen & 0xFFFFFFFF)
        self.coups = self.coups + dealt
        gain = chosen[:, :, -1] * self.units[:, np.newaxis]
        of_part = (gain**2, gain * shoes, gain * dealt, dealt.astype(float) ** 2)
        self.products = [x + y for x, y in zip(self.products, of_part, strict=True)]
        self.shoes_sq += shoes**2
        self.coups_ratio.add(dealt, shoes)
        self.counts_ratio.add(chosen[:, :, :-1], shoes)
        self.parts += 1

    @property
    def totals(self) -> Totals:
        plan = self.plan
        whole: NDArray[np.object_] = np.asarray(self.high).astype(object) * (1 << 32) + np.asarray(self.low)
        gain_sq, gain_shoes, gain_coups, coups_sq = self.products
        return Totals(
            plan.dealing.cuts[self.places], plan.shoes, plan.blocks, whole, np.asarray(self.coups),
            whole[:, :, -1].astype(float) * self.units[:, np.newaxis], gain_sq, gain_shoes, gain_coups, self.shoes_sq,
            coups_sq, self.coups_ratio.error, self.counts_ratio.error,
        )  # fmt: skip


def add_up(plan: Plan, places: NDArray[np.intp], parts: Iterable[tuple[Ints, Ints]], units: Floats) -> Totals:
    """The totals of all parts, as `CutSums` adds them."""
    sums = CutSums(plan, places, units)
    for part, dealt in parts:
        sums.add(part, dealt)
    return sums.totals


def cut_places(plan: Plan, cuts: Sequence[int]) -> NDArray[np.intp]:
    """The indices of these cuts among the cuts that a sweep distinguishes, each index once. Without cuts, all indices.

    Raises `InputError` for a cut that the sweep does not distinguish."""
    grid = plan.dealing.cuts
    for cut in cuts:
        if not np.isscalar(cut) or cut not in grid:
            half = DECK * plan.dealing.decks // 2
            value = written(cut) if isinstance(cut, int) else repr(cut)
            raise InputError(f"cut: {value}, should be from {grid[0]} to {half}, or a multiple of 8 up to {grid[-1]}")
    return np.searchsorted(grid, list(dict.fromkeys(cuts)) or grid)


def sums_by_cut(sweep: Sweep, table: TableSchema, rows: pl.DataFrame, columns: Sequence[str]) -> Iterator[Ints]:
    """For each part of a sweep: the sums (rows, cuts, columns) at each cut that the sweep distinguishes. They are made
    from the figures in `table`, which has a row for each last cut.

    `rows` gives the keys of the rows, in the order of the result."""
    sweep.scan(table)
    plan, grid, numbered = sweep.plan, sweep.plan.dealing.cuts, rows.with_row_index("row").lazy()
    many = max(1, _AT_A_TIME // plan.batches.step)
    batches = [plan.batches[at : at + many] for at in range(0, len(plan.batches), many)]

    def read(some: range) -> pl.DataFrame:
        parts = pl.scan_parquet([part_path(sweep.folder, table, batch) for batch in some])
        parts = parts.join(numbered, on=rows.columns, how="left", maintain_order="left")
        return parts.select("part", "row", "cut", *columns).collect()

    for some, frame in zip(batches, in_threads(read, batches, workers=1), strict=True):
        blocks = range(some[0], plan.blocks_in(some[-1]).stop)
        ends = np.searchsorted(frame["part"].to_numpy(), blocks, side="right")
        row, cut, values = frame["row"].to_numpy(), frame["cut"].to_numpy(), frame.select(columns).to_numpy()
        at = np.searchsorted(grid, cut)
        for start, end in pairwise([0, *ends]):
            sums = np.zeros((len(rows), len(grid), len(columns)), np.int64)
            sums[row[start:end], at[start:end]] = values[start:end]
            yield sums[:, ::-1].cumsum(axis=1)[:, ::-1]


class Ratio:
    """A ratio of two figures, for each row and cut. It keeps the sums of both figures and of their products over the
    parts of a sweep."""

    def __init__(self) -> None:
        self.parts = 0
        self.top, self.bottom, self.seen = np.zeros(1), np.zeros(1), np.zeros(1)
        self.top_sq, self.cross, self.bottom_sq = np.zeros(1), np.zeros(1), np.zeros(1)

    def add(self, top: Any, bottom: Any) -> None:
        top, bottom = np.asarray(top, float), np.asarray(bottom, float)
        self.parts += 1
        self.top, self.bottom, self.seen = self.top + top, self.bottom + bottom, self.seen + (bottom > 0)
        self.top_sq, self.bottom_sq = self.top_sq + top**2, self.bottom_sq + bottom**2
        self.cross = self.cross + top * bottom

    @property
    def error(self) -> Floats:
        """The standard error of the ratio, linearised, since both figures vary from part to part.

        NaN if fewer than two parts have a denominator above 0, or if all parts have the same ratio."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self.top / self.bottom
            spread = self.top_sq - 2 * ratio * self.cross + ratio**2 * self.bottom_sq
            known = (self.seen > 1) & (spread > _ROUNDING * self.top_sq)
            error: Floats = np.sqrt(np.where(known, spread, np.nan) * self.parts / (self.parts - 1)) / self.bottom
        return error
