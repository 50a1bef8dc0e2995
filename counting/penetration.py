"""Every penetration from one sweep: what each bettor wins at each cut, from the sums that the coups' last cuts index.

A coup is dealt with c cards behind the cut card exactly when its last cut is c or more, so the sums of all coups from
c on are those of a sweep whose cut card stands there: the same shoes, and to the last bit the same integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK
from counting.errors import InputError
from counting.frames import PENETRATION
from counting.sweep import Plan, Sweep, part_path
from counting.systems import PERFECT

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_COUPS, _POSITIVE, _GAIN, _SQUARE = range(4)
_SUMS = ("coups", "positive", "gain", "square")


class Totals(NamedTuple):
    """Sums over the parts of a sweep, by bettor and cut: `keys` are (system, trigger, bet).

    `sums` (keys, cuts, 4) are coups bet on, those with a positive edge, gains and mean squares, as Python integers
    in the units of the table, `units` (keys, 2) of the last two; `coups` (cuts) are dealt. The others are sums over
    parts of products, gains in units staked: by key and cut, by cut, or of the whole.
    """

    keys: list[tuple[str, float | None, str]]
    cuts: Ints
    shoes: int
    parts: int
    sums: NDArray[np.object_]
    coups: Ints
    units: Floats
    gain_sq: Floats
    gain_shoes: Floats
    gain_coups: Floats
    shoes_sq: float
    coups_sq: Floats


def totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """Add up the parts of the table `penetration` for these cuts, by default all that it tells apart.

    Raises `InputError` for a sweep without the table, and for other cuts.
    """
    plan = sweep.plan
    places = _places(plan, cuts)
    keys = plan.scoring.layout.keys
    bet_of = [plan.bets.index(bet) for _, _, bet in keys]
    units = plan.scoring.units[0][bet_of][:, np.newaxis]
    shape = (len(keys), len(places))
    # An integer in two halves, so that no number of parts is too many.
    high, low = np.zeros((*shape, 4), np.int64), np.zeros((*shape, 4), np.int64)
    coups = np.zeros(len(places), np.int64)
    gain_sq, gain_shoes, gain_coups = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    shoes_sq, coups_sq = 0.0, np.zeros(len(places))
    for block, (sums, dealt) in enumerate(_parts(sweep)):
        shoes = min(plan.block, plan.shoes - block * plan.block)
        here, dealt = sums[:, places], dealt[places]
        high += here >> 32
        low += here & 0xFFFFFFFF
        coups += dealt
        gain = here[:, :, _GAIN] * units
        gain_sq += gain**2
        gain_shoes += gain * shoes
        gain_coups += gain * dealt
        shoes_sq += shoes**2
        coups_sq += dealt.astype(float) ** 2
    whole: NDArray[np.object_] = high.astype(object) * (1 << 32) + low  # type: ignore[assignment]
    at = plan.dealing.cuts[places]
    return Totals(
        keys, at, plan.shoes, plan.blocks, whole, coups, plan.scoring.units[:, bet_of].T, gain_sq, gain_shoes,
        gain_coups, shoes_sq, coups_sq,
    )  # fmt: skip


def _places(plan: Plan, cuts: Sequence[int]) -> NDArray[np.intp]:
    grid = plan.dealing.cuts
    for cut in cuts:
        if cut not in grid:
            half = DECK * plan.dealing.decks // 2
            raise InputError(f"cut: {cut}, should be from {grid[0]} to {half}, or a multiple of 8 up to {grid[-1]}")
    return np.searchsorted(grid, list(dict.fromkeys(cuts)) or grid)


def _parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """For each part the sums by bettor and cut, (keys, cuts, 4), and the coups dealt at each cut."""
    plan = sweep.plan
    sweep.scan(PENETRATION)
    layout, grid = plan.scoring.layout, plan.dealing.cuts
    systems, bins, _, bets = zip(*layout.keys_by_cut, strict=True)
    cells = pl.DataFrame(
        {"system": systems, "bet": bets, "bin": pl.Series(bins, dtype=pl.UInt16), "cell": range(len(bets))}
    )
    for block in range(plan.blocks):
        part = pl.read_parquet(part_path(sweep.folder, PENETRATION, block))
        cell = part.join(cells, on=["system", "bet", "bin"], how="left", maintain_order="left")["cell"].to_numpy()
        sums = np.zeros((len(cells), len(grid), len(_SUMS)), np.int64)
        sums[cell, np.searchsorted(grid, part["cut"].to_numpy())] = part.select(_SUMS).to_numpy()
        sums = sums[:, ::-1].cumsum(axis=1)[:, ::-1]
        perfect = sums[: 2 * len(plan.bets)].reshape(len(plan.bets), 2, len(grid), len(_SUMS))
        found = [perfect[:, 1]]
        for k, first in enumerate(layout.first_by_cut[:-1]):
            scored = layout.start[k + 1] - layout.start[k]
            of_system = sums[first : layout.first_by_cut[k + 1]].reshape(-1, scored, len(grid), len(_SUMS))
            from_trigger = of_system[::-1].cumsum(axis=0)[::-1][1:]
            found.append(from_trigger.reshape(-1, len(grid), len(_SUMS)))
        yield np.concatenate(found), perfect[0, :, :, _COUPS].sum(axis=0)


def by_penetration(sweep: Sweep, cuts: Sequence[int] = ()) -> pl.DataFrame:
    """A row a bettor, bet and cut: what he bets and wins when the cut card stands there, in exact edges.

    `penetration` is the share of the shoe before the cut card; `mean_edge` of his bets and `sd_per_bet` of their
    profit; `captured_share` of the perfect counter's gain, and `truly_positive_share` of his bets. Standard errors
    are from the spread between the parts of the sweep, none for one part. Raises `InputError` as `totals` does.
    """
    t = totals(sweep, cuts)
    cards = DECK * sweep.plan.dealing.decks
    system, trigger, bet = zip(*t.keys, strict=True)
    at = np.tile(t.cuts, len(t.keys))
    bets, positive, gain, square = (t.sums[:, :, i].astype(float) for i in range(4))
    gain, square = gain * t.units[:, :1], square * t.units[:, 1:]
    perfect = {key[2]: i for i, key in enumerate(t.keys) if key[0] == PERFECT}
    best = gain[[perfect[name] for name in bet]]

    def error(cross: Floats, base_sq: float | Floats, base: float | Ints) -> Floats:
        """Of a gain per shoe or coup, parts being the clusters."""
        ratio = gain / base
        spread = (t.gain_sq - 2 * ratio * cross + ratio**2 * base_sq).clip(0)
        return np.sqrt(spread * t.parts / (t.parts - 1)) / base if t.parts > 1 else np.full(gain.shape, np.nan)

    with np.errstate(divide="ignore", invalid="ignore"):
        mean = gain / bets
        columns = {
            "shoes": np.full(gain.shape, t.shoes),
            "coups": np.tile(t.coups, (len(t.keys), 1)),
            "bets": bets.astype(np.int64),
            "coups_per_shoe": np.tile(t.coups / t.shoes, (len(t.keys), 1)),
            "bets_per_shoe": bets / t.shoes,
            "bet_share": bets / t.coups,
            "mean_edge": mean,
            "sd_per_bet": np.sqrt((square / bets - mean**2).clip(0)),
            "units_per_shoe": gain / t.shoes,
            "units_per_shoe_se": error(t.gain_shoes, t.shoes_sq, t.shoes),
            "units_per_100_coups": 100 * gain / t.coups,
            "units_per_100_coups_se": 100 * error(t.gain_coups, t.coups_sq, t.coups),
            "truly_positive_share": positive / bets,
            "captured_share": np.where(best > 0, gain / best, np.nan),
        }
    each = len(t.cuts)
    return pl.DataFrame(
        {
            "system": np.repeat(system, each).tolist(),
            "trigger": pl.Series(trigger, dtype=pl.Float64)[np.repeat(np.arange(len(t.keys)), each)],
            "bet": np.repeat(bet, each).tolist(),
            "cut": at,
            "penetration": 1 - at / cards,
            **{name: column.reshape(-1) for name, column in columns.items()},
        }
    ).with_columns(pl.selectors.float().exclude("trigger").fill_nan(None))
