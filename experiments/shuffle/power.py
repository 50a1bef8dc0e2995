"""The power of the order tests, estimated from many pairs of shoes. The columns of each pair, which are sums of scores
of its cards' distances, are computed once, and all logs use the same null distribution.

For every pile of discards, the columns of a shoe have a known mean, which is subtracted. After that, their distribution
hardly depends on the pile. So random pairs are drawn once, and the null distribution for logs is made from sums over
these pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from counting.arrays import Floats
from counting.cards import Knows
from counting.review.shuffle.discard_rack import gathering
from counting.review.shuffle.order_tests import _Scale
from counting.review.shuffle.shoe_orders import ShoeOrders, shoe_orders
from counting.review.shuffle.successors import ColumnPlan, Successors
from experiments.shuffle.pit import DECKS, Shoe, at_random, dealt, table_log, without_suits

NULL_PAIRS, NULL_LOGS = 1500, 3000


def orders_of(shoes: Sequence[Shoe], knows: Knows, missing: float = 0.0, seed: int = 1) -> ShoeOrders:
    log = table_log(shoes, missing, np.random.default_rng([seed, 77]))
    return shoe_orders(log if knows == "card" else without_suits(log, knows == "value"), DECKS, seed)


def expected(layout: Successors, plan: ColumnPlan) -> Floats:
    """The means of the columns (columns,) over all orders of a shoe."""
    full, cards, bins = layout.full, layout.cards, 16
    of = layout._lines
    pair = (np.outer(full, full) - np.diag(full)) / (cards - 1)
    widths = np.diff(layout._edges)
    by_lag = np.einsum("smhk,h->smk", layout._scores, widths)
    row, begin = [], 0
    for end, (first, last) in zip(plan.ends, plan.groups, strict=True):
        some = plan.pairs[begin:end]
        begin = end
        classes = np.bincount(some[:, 1] // bins, pair.ravel()[some[:, 0] // bins], of.classes).tolist()
        for a, b in (of.shared // bins).tolist():
            classes.append(classes[a] + classes[b])
        sums = np.concatenate([[0.0], np.cumsum(np.array(classes)[of.members // bins])])
        lines = (sums[of.begins[1:]] - sums[of.begins[:-1]]).reshape(-1, 4)[first:last]
        row.append(np.einsum("gm,gmk->gk", lines, by_lag[of.scored_by[first:last]]).ravel())
    both = np.triu(pair + pair.T)
    near = layout._reach @ widths
    row += [(weights * both).sum() * near for pile in plan.local for weights in pile]
    return np.concatenate(row)


def pair_columns(layout: Successors, orders: ShoeOrders, lag: int = 1) -> dict[str, Floats]:
    """For each kind of test: the centred columns (shoes, columns) of all shoes that have a shoe `lag` places before
    them. With a lag of 0, shoes are compared with new decks."""
    tables: dict[str, list[Floats]] = {}
    for row in range(orders.number):
        if lag and not orders.follows[row, lag - 1]:
            continue
        plan = layout.plan([orders.piles[row - lag]] if lag else [], False)
        values = layout.columns(plan, orders.cards[row : row + 1]) - expected(layout, plan)
        read = layout.read(plan, values)
        for kind, table in (read[0] if lag else {"new": read[0]["orders"]}).items():
            tables.setdefault(kind, []).append(table.reshape(-1))
    return {kind: np.array(rows) for kind, rows in tables.items()}


@cache
def null_pairs(knows: Knows, lag: int, pickup: str | None) -> dict[str, Floats]:
    rng = np.random.default_rng([3, lag])
    layout = layout_of(knows, pickup)
    parts = [
        pair_columns(layout, orders_of([dealt(at_random(rng)) for _ in range(30 + lag)], knows), lag)
        for _ in range(NULL_PAIRS // 30)
    ]
    return {kind: np.concatenate([part[kind] for part in parts]).astype(np.float32) for kind in parts[0]}


@cache
def layout_of(knows: Knows, pickup: str | None) -> Successors:
    return Successors(knows, DECKS, None if pickup is None else gathering(pickup))


@cache
def null(knows: Knows, lag: int, pairs: int, pickup: str | None = None) -> tuple[_Scale, Floats]:
    """The null distribution of a log with `pairs` pairs: the scale of sums, and the sorted statistics of random
    logs."""
    pool = null_pairs(knows, lag, pickup)
    rng = np.random.default_rng([5, pairs])
    size = len(next(iter(pool.values())))
    take = rng.integers(0, size, (NULL_LOGS, pairs))
    sums = []
    for table in pool.values():
        total = np.zeros((NULL_LOGS, table.shape[1]))
        for column in take.T:
            total += table[column]
        sums.append(total)
    scale = _Scale.of(sums)
    return scale, np.sort(scale.largest(sums))


def shares(
    knows: Knows,
    columns: Sequence[dict[str, Floats]],
    lag: int,
    shoes: int,
    levels: Sequence[float],
    pickup: str | None = None,
) -> tuple[int, list[float]]:
    """Cut chains of shoes into logs of `shoes` shoes. Returns the number of logs, and the share of them that is flagged
    at each level."""
    pairs = shoes - lag
    scale, random = null(knows, lag, pairs, pickup)
    statistics = []
    for chain in columns:
        count = len(next(iter(chain.values()))) // pairs
        sums = [table[: count * pairs].reshape(count, pairs, -1).sum(axis=1) for table in chain.values()]
        if count:
            statistics.append(scale.largest(sums))
    values = np.concatenate(statistics)
    p = (1 + len(random) - np.searchsorted(random, values)) / (1 + len(random))
    return len(values), [float((p <= level).mean()) for level in levels]
