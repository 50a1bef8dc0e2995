"""Every penetration from one sweep: what each bettor wins at each cut, from the sums that the coups' last cuts index.

A coup is dealt with c cards behind the cut card exactly when its last cut is c or more, so the sums of all coups from
c on are those of a sweep whose cut card stands there: the same shoes, and to the last bit the same integers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.cards import DECK
from counting.errors import InputError, written
from counting.sweep import PENETRATION, Plan, Sweep, TableSchema, part_path
from counting.systems import PERFECT

_SUMS = ("coups", "positive", "square", "gain")
_RATIOS = ("coups_per_shoe", "bets_per_shoe", "bet_share", "mean_edge", "truly_positive_share", "captured_share")
_ROUNDING = 1e-13  # of the squares: a spread below is rounding


class Totals(NamedTuple):
    """Sums over the parts of a sweep, by who bets and by cut, rows of `sums` (rows, cuts, columns) as Python integers.

    `coups` (cuts) are dealt. `gain` (rows, cuts) is in units staked; `coups_se` (cuts) and `counts_se` (rows, cuts,
    columns but the gain) are standard errors of coups and of the other sums per shoe; the others are sums over parts of
    products, by row and cut, by cut, or of the whole.
    """

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
    def per_shoe(self) -> tuple[Floats, Floats]:
        """Gains a shoe and their standard errors, from the spread between parts; not a number for one part."""
        return self.gain / self.shoes, self._error(self.gain_shoes, self.shoes_sq, self.shoes)

    @property
    def per_coup(self) -> tuple[Floats, Floats]:
        """Gains a coup dealt and their standard errors."""
        return self.gain / self.coups, self._error(self.gain_coups, self.coups_sq, self.coups)

    def _error(self, cross: Floats, base_sq: float | Floats, base: float | Ints) -> Floats:
        if self.parts == 1:
            return np.full(self.gain.shape, np.nan)
        ratio = self.gain / base
        spread = (self.gain_sq - 2 * ratio * cross + ratio**2 * base_sq).clip(0)
        found: Floats = np.sqrt(spread * self.parts / (self.parts - 1)) / base
        return found


def add_up(plan: Plan, places: NDArray[np.intp], parts: Iterable[tuple[Ints, Ints]], units: Floats) -> Totals:
    """Add up parts, each its sums (rows, cuts, columns) and the coups dealt (cuts), at these places of the cuts.

    The last column of sums is the gain, in `units` (rows).
    """
    high: Ints | int = 0  # an integer in two halves, so that no number of parts is too many
    low: Ints | int = 0
    coups: Ints | int = 0
    products = [np.zeros(1)] * 4
    shoes_sq = 0.0
    coups_ratio, counts_ratio = _Ratio(), _Ratio()
    for block, (sums, dealt) in enumerate(parts):
        shoes = plan.shoes_in(block)
        here, dealt = sums[:, places], dealt[places]
        high, low, coups = high + (here >> 32), low + (here & 0xFFFFFFFF), coups + dealt
        gain = here[:, :, -1] * units[:, np.newaxis]
        of_part = (gain**2, gain * shoes, gain * dealt, dealt.astype(float) ** 2)
        products = [x + y for x, y in zip(products, of_part, strict=True)]
        shoes_sq += shoes**2
        coups_ratio.add(dealt, np.full(dealt.shape, shoes))
        counts_ratio.add(here[:, :, :-1], np.full(here[:, :, :-1].shape, shoes))
    whole: NDArray[np.object_] = np.asarray(high).astype(object) * (1 << 32) + np.asarray(low)
    gain_sq, gain_shoes, gain_coups, coups_sq = products
    return Totals(
        plan.dealing.cuts[places], plan.shoes, plan.blocks, whole, np.asarray(coups),
        whole[:, :, -1].astype(float) * units[:, np.newaxis], gain_sq, gain_shoes, gain_coups, shoes_sq, coups_sq,
        coups_ratio.error, counts_ratio.error,
    )  # fmt: skip


def totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """Add up the table `penetration` at these cuts, by default all that it tells apart, a row for each of
    `sweep.plan.scoring.layout.keys`: coups bet on, those with a positive edge, mean squares and gains.

    Raises `InputError` for a sweep without the table, and for other cuts.
    """
    plan = sweep.plan
    units = plan.scoring.units[0][[plan.bets.index(bet) for _, _, bet in plan.scoring.layout.keys]]
    return add_up(plan, places(plan, cuts), _parts(sweep), units)


def places(plan: Plan, cuts: Sequence[int]) -> NDArray[np.intp]:
    """Where cuts stand among those that a sweep tells apart; all of them for none asked."""
    grid = plan.dealing.cuts
    for cut in cuts:
        if cut not in grid:
            half = DECK * plan.dealing.decks // 2
            told = written(cut) if isinstance(cut, int) else repr(cut)
            raise InputError(f"cut: {told}, should be from {grid[0]} to {half}, or a multiple of 8 up to {grid[-1]}")
    return np.searchsorted(grid, list(dict.fromkeys(cuts)) or grid)


def sums_by_cut(sweep: Sweep, table: TableSchema, rows: pl.DataFrame, columns: Sequence[str]) -> Iterator[Ints]:
    """For each part of a table by last cut its sums (rows, cuts, columns) as of sweeps with these cuts.

    `rows` are the keys of the table's rows, in their order.
    """
    sweep.scan(table)
    grid, keys, numbered = sweep.plan.dealing.cuts, rows.columns, rows.with_row_index("row")
    for block in range(sweep.plan.blocks):
        part = pl.read_parquet(part_path(sweep.folder, table, block))
        row = part.join(numbered, on=keys, how="left", maintain_order="left")["row"].to_numpy()
        sums = np.zeros((len(rows), len(grid), len(columns)), np.int64)
        sums[row, np.searchsorted(grid, part["cut"].to_numpy())] = part.select(columns).to_numpy()
        yield sums[:, ::-1].cumsum(axis=1)[:, ::-1]


def _parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """For each part the sums by bettor and cut, (keys, cuts, 4), and the coups dealt at each cut."""
    plan = sweep.plan
    layout, cuts = plan.scoring.layout, len(plan.dealing.cuts)
    systems, bins, _, bets = zip(*layout.keys_by_cut, strict=True)
    cells = pl.DataFrame({"system": systems, "bet": bets, "bin": pl.Series(bins, dtype=pl.UInt16)})
    for sums in sums_by_cut(sweep, PENETRATION, cells, _SUMS):
        perfect = sums[: 2 * len(plan.bets)].reshape(len(plan.bets), 2, cuts, len(_SUMS))
        found = [perfect[:, 1]]
        for k, first in enumerate(layout.first_by_cut[:-1]):
            scored = layout.start[k + 1] - layout.start[k]
            of_system = sums[first : layout.first_by_cut[k + 1]].reshape(-1, scored, cuts, len(_SUMS))
            from_trigger = of_system[::-1].cumsum(axis=0)[::-1][1:]
            found.append(from_trigger.reshape(-1, cuts, len(_SUMS)))
        yield np.concatenate(found), perfect[0, :, :, 0].sum(axis=0)


class _Ratio:
    """A ratio of two figures, each a sum over the parts of a sweep, by row and cut: sums of their products."""

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
        """The standard error of the ratio, linearised: its figures are both random, and move together. Not a number
        where fewer than two parts have any of the bottom, and where all parts have the same ratio."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = self.top / self.bottom
            spread = self.top_sq - 2 * ratio * self.cross + ratio**2 * self.bottom_sq
            told = (self.seen > 1) & (spread > _ROUNDING * self.top_sq)
            found: Floats = np.sqrt(np.where(told, spread, np.nan) * self.parts / (self.parts - 1)) / self.bottom
        return found


def by_penetration(sweep: Sweep, cuts: Sequence[int] = ()) -> pl.DataFrame:
    """A row a bettor, bet and cut: what he bets and wins when the cut card stands there, in exact edges.

    `penetration` is the share of the shoe before the cut card; `mean_edge` of his bets and `sd_per_bet` of their
    profit; `captured_share` of the perfect counter's gain, and `truly_positive_share` of his bets. Standard errors,
    `..._se`, are from the spread between the parts of the sweep, of ratios with the covariance of both figures. They
    are null for one part and where nothing varied, as for 0 of n coups, and 0 where a figure is one by definition (see
    `summary`). Raises `InputError` as `totals` does.
    """
    plan, keys = sweep.plan, sweep.plan.scoring.layout.keys
    at, cards = places(plan, cuts), DECK * plan.dealing.decks
    system, trigger, bet = zip(*keys, strict=True)
    is_perfect = np.array([name == PERFECT for name in system])[:, np.newaxis]
    of_bet = [plan.bets.index(name) for name in bet]
    gain_units, square_units = plan.scoring.units[:, of_bet]
    own = [keys.index((PERFECT, None, name)) for name in bet]
    ratios = {name: _Ratio() for name in _RATIOS}

    def noted(parts: Iterable[tuple[Ints, Ints]]) -> Iterator[tuple[Ints, Ints]]:
        for block, (sums, dealt) in enumerate(parts):
            shoes, coups = plan.shoes_in(block), dealt[at]
            bets, positive, _, gain = np.moveaxis(sums[:, at].astype(float), 2, 0)
            gain *= gain_units[:, np.newaxis]
            of_part = ((coups, shoes), (bets, shoes), (bets, coups), (gain, bets), (positive, bets), (gain, gain[own]))
            for name, (top, bottom) in zip(_RATIOS, of_part, strict=True):
                ratios[name].add(top, bottom)
            yield sums, dealt

    t = add_up(plan, at, noted(_parts(sweep)), gain_units)
    errors = {name: np.broadcast_to(ratio.error, t.gain.shape) for name, ratio in ratios.items()}
    bets, positive, square = (t.sums[:, :, i].astype(float) for i in range(3))
    square *= square_units[:, np.newaxis]
    best = t.gain[own]
    (per_shoe, per_shoe_se), (per_coup, per_coup_se) = t.per_shoe, t.per_coup
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = t.gain / bets
        columns = {
            "shoes": np.full(bets.shape, t.shoes),
            "coups": np.tile(t.coups, (len(keys), 1)),
            "bets": bets.astype(np.int64),
            "coups_per_shoe": np.tile(t.coups / t.shoes, (len(keys), 1)),
            "coups_per_shoe_se": errors["coups_per_shoe"],
            "bets_per_shoe": bets / t.shoes,
            "bets_per_shoe_se": errors["bets_per_shoe"],
            "bet_share": bets / t.coups,
            "bet_share_se": errors["bet_share"],
            "mean_edge": mean,
            "mean_edge_se": errors["mean_edge"],
            "sd_per_bet": np.sqrt((square / bets - mean**2).clip(0)),
            "units_per_shoe": per_shoe,
            "units_per_shoe_se": np.where(bets > 0, per_shoe_se, np.nan),
            "units_per_100_coups": 100 * per_coup,
            "units_per_100_coups_se": np.where(bets > 0, 100 * per_coup_se, np.nan),
            "truly_positive_share": positive / bets,
            "truly_positive_share_se": np.where(is_perfect & (bets > 0), 0.0, errors["truly_positive_share"]),
            "captured_share": np.where(best > 0, t.gain / best, np.nan),
            "captured_share_se": np.where(is_perfect & (best > 0), 0.0, errors["captured_share"]),
        }
    each = len(t.cuts)
    return pl.DataFrame(
        {
            "system": np.repeat(system, each).tolist(),
            "trigger": pl.Series(trigger, dtype=pl.Float64)[np.repeat(np.arange(len(keys)), each)],
            "bet": np.repeat(bet, each).tolist(),
            "cut": np.tile(t.cuts, len(keys)),
            "penetration": 1 - np.tile(t.cuts, len(keys)) / cards,
            **{name: column.reshape(-1) for name, column in columns.items()},
        }
    ).with_columns(pl.selectors.float().exclude("trigger").fill_nan(None))
