"""All penetrations from one sweep: what each bettor bets and wins at each cut, from the sums by cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from counting.analysis.cut_sums import CutSums, Ratio, Totals, add_up, cut_places, sums_by_cut
from counting.analysis.summary import scores
from counting.arrays import Ints
from counting.cards import DECK
from counting.errors import several
from counting.sweep import PENETRATION, Sweep
from counting.systems import PERFECT

_SUMS = ("coups", "positive", "square", "gain")
_RATIOS = ("coups_per_shoe", "bets_per_shoe", "bet_share", "mean_edge", "truly_positive_share", "captured_share")


def totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """The sums of the table `penetration` at these cuts, by default at all cuts that the sweep distinguishes.

    There is a row for each of `sweep.plan.scoring.layout.keys`. The columns are coups with a bet, coups with a bet at a
    positive edge, second moments of the profit, and gains. Raises `InputError` for a sweep without the table, and for a
    cut that the sweep does not distinguish."""
    plan = sweep.plan
    units = plan.scoring.units[0][[plan.bets.index(bet) for _, _, bet in plan.scoring.layout.keys]]
    return add_up(plan, cut_places(plan, cuts), _parts(sweep), units)


def perfect_totals(sweep: Sweep, cuts: Sequence[int] = ()) -> Totals:
    """`totals` for the perfect counter alone: a row for each of `sweep.plan.bets`. The columns are coups with a bet,
    and gains. Other figures are not read."""
    plan = sweep.plan
    return add_up(plan, cut_places(plan, cuts), _perfect_parts(sweep), plan.scoring.units[0])


def _perfect_parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """`_parts` for the perfect counter alone: sums (bets, cuts, 2), and the coups dealt at each cut."""
    plan = sweep.plan
    bets, cuts = {bet: i for i, bet in enumerate(plan.bets)}, plan.dealing.cuts
    rows, columns = sweep.penetration.filter(pl.col("system") == PERFECT), (_SUMS[0], _SUMS[-1])
    frame = rows.select("part", "bin", "cut", pl.col("bet").replace_strict(bets), *columns).collect()
    by_part = frame.partition_by("part", as_dict=True)
    for block in range(plan.blocks):
        part = by_part[block,]
        last = np.zeros((len(bets), 2, len(cuts), len(columns)), np.int64)
        place = np.searchsorted(cuts, part["cut"].to_numpy())
        last[part["bet"].to_numpy(), part["bin"].to_numpy(), place] = part.select(columns).to_numpy()
        sums = last[:, :, ::-1].cumsum(axis=2)[:, :, ::-1]
        yield sums[:, 1], sums[0, :, :, 0].sum(axis=0)


def _parts(sweep: Sweep) -> Iterator[tuple[Ints, Ints]]:
    """For each part: sums for each bettor and cut (keys, cuts, 4), and the coups dealt at each cut."""
    plan = sweep.plan
    layout, cuts = plan.scoring.layout, len(plan.dealing.cuts)
    systems, bins, _, bets = zip(*layout.keys_by_cut, strict=True)
    cells = pl.DataFrame({"system": systems, "bet": bets, "bin": pl.Series(bins, dtype=pl.UInt16)})
    for sums in sums_by_cut(sweep, PENETRATION, cells, _SUMS):
        perfect = sums[: 2 * len(plan.bets)].reshape(len(plan.bets), 2, cuts, len(_SUMS))
        by_bettor = [perfect[:, 1]]
        for k, first in enumerate(layout.first_by_cut[:-1]):
            scored = layout.start[k + 1] - layout.start[k]
            of_system = sums[first : layout.first_by_cut[k + 1]].reshape(-1, scored, cuts, len(_SUMS))
            from_trigger = of_system[::-1].cumsum(axis=0)[::-1][1:]
            by_bettor.append(from_trigger.reshape(-1, cuts, len(_SUMS)))
        yield np.concatenate(by_bettor), perfect[0, :, :, 0].sum(axis=0)


def by_penetration(sweep: Sweep, cuts: Sequence[int] = (), triggers: Mapping[str, float] | None = None) -> pl.DataFrame:
    """One row per bettor, bet and cut: what the bettor bets and wins with that cut, in exact edges.

    `triggers` maps systems to triggers: only the perfect counter and these systems are kept, each system at its
    trigger. Some of the columns are:

    - `penetration`: the share of the shoe before the cut card
    - `mean_edge` and `sd_per_bet`: the mean edge of the bettor's bets, and the standard deviation of their profit
    - `captured_share`: the bettor's share of the perfect counter's gain
    - `truly_positive_share`: the share of the bettor's bets with a positive edge

    Standard errors, `..._se`, are from the spread between the parts of the sweep. The error of a ratio includes the
    covariance of both figures. Errors are null for a sweep of one part and where nothing varied, as for 0 of n coups.
    They are 0 if a figure is 1 by definition (see `summary`). At the cut in the sweep's plan, errors are from
    `summary.scores`, so that a figure has the same error in every table; most of these errors are from the spread
    between shoes. Raises `InputError` as `totals` does.

    >>> from counting import Dealing, Plan, by_penetration
    >>> from counting.sweep import run
    >>> sweep = run(Plan("ez-baccarat", Dealing(), 40), "forty-shoes")
    >>> by_penetration(sweep, [14, 52])["cut"].unique().sort().to_list()
    [14, 52]
    """
    plan, cards = sweep.plan, DECK * sweep.plan.dealing.decks
    at = cut_places(plan, several(cuts, "cuts"))
    bettors = [
        (i, key)
        for i, key in enumerate(plan.scoring.layout.keys)
        if triggers is None or key[0] == PERFECT or triggers.get(key[0]) == key[1]
    ]
    chosen, keys = [i for i, _ in bettors], [key for _, key in bettors]
    system, trigger, bet = zip(*keys, strict=True)
    is_perfect = np.array([name == PERFECT for name in system])[:, np.newaxis]
    of_bet = [plan.bets.index(name) for name in bet]
    gain_units, square_units = plan.scoring.units[:, of_bet]
    best_rows = [keys.index((PERFECT, None, name)) for name in bet]
    ratios = {name: Ratio() for name in _RATIOS}

    added = CutSums(plan, at, gain_units)
    for block, (all_sums, dealt) in enumerate(_parts(sweep)):
        sums = all_sums[chosen]
        added.add(sums, dealt)
        shoes, coups = plan.shoes_in(block), dealt[at]
        bets, positive, _, gain = np.moveaxis(sums[:, at].astype(float), 2, 0)
        gain *= gain_units[:, np.newaxis]
        of_part = (
            (coups, shoes),
            (bets, shoes),
            (bets, coups),
            (gain, bets),
            (positive, bets),
            (gain, gain[best_rows]),
        )
        for name, (top, bottom) in zip(_RATIOS, of_part, strict=True):
            ratios[name].add(top, bottom)
    totals = added.totals
    errors = {name: np.broadcast_to(ratio.error, totals.gain.shape) for name, ratio in ratios.items()}
    bets, positive, square = (totals.sums[:, :, i].astype(float) for i in range(3))
    square *= square_units[:, np.newaxis]
    best = totals.gain[best_rows]
    (per_shoe, per_shoe_se), (per_coup, per_coup_se) = totals.per_shoe, totals.per_coup
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = totals.gain / bets
        columns = {
            "shoes": np.full(bets.shape, totals.shoes),
            "coups": np.tile(totals.coups, (len(keys), 1)),
            "bets": bets.astype(np.int64),
            "coups_per_shoe": np.tile(totals.coups / totals.shoes, (len(keys), 1)),
            "coups_per_shoe_se": errors["coups_per_shoe"],
            "bets_per_shoe": bets / totals.shoes,
            "bets_per_shoe_se": errors["bets_per_shoe"],
            "bet_share": bets / totals.coups,
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
            "captured_share": np.where(best > 0, totals.gain / best, np.nan),
            "captured_share_se": np.where(is_perfect & (best > 0), 0.0, errors["captured_share"]),
        }
    each = len(totals.cuts)
    by_cut = pl.DataFrame(
        {
            "system": np.repeat(system, each).tolist(),
            "trigger": pl.Series(trigger, dtype=pl.Float64)[np.repeat(np.arange(len(keys)), each)],
            "bet": np.repeat(bet, each).tolist(),
            "cut": np.tile(totals.cuts, len(keys)),
            "penetration": 1 - np.tile(totals.cuts, len(keys)) / cards,
            **{name: column.reshape(-1) for name, column in columns.items()},
        }
    ).with_columns(pl.selectors.float().exclude("trigger").fill_nan(None))
    return _with_errors_of(sweep, by_cut)


def _with_errors_of(sweep: Sweep, by_cut: pl.DataFrame) -> pl.DataFrame:
    """The rows of `by_cut`. At the cut in the sweep's plan, and at other cuts at which the same coups are dealt, the
    errors are replaced by the errors from the sweep's ledger.

    Every coup that is dealt at a greater cut is also dealt at a lesser cut. So if the number of coups is the same at
    two cuts, the coups are the same."""
    keys, errors = ["system", "trigger", "bet"], [name for name in by_cut.columns if name.endswith("_se")]
    own = scores(sweep.ledger).filter(pl.col("cut") == sweep.plan.dealing.cut)
    ledger = own.select(*keys, "coups", *errors).collect()
    joined = by_cut.join(ledger, on=keys, how="left", nulls_equal=True, maintain_order="left", suffix="_own")
    same = pl.col("coups") == pl.col("coups_own")
    return joined.with_columns(
        pl.when(same).then(pl.col(f"{name}_own")).otherwise(pl.col(name)).alias(name) for name in errors
    ).select(by_cut.columns)
