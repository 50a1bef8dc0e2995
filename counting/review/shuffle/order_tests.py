"""Does the order of a shoe keep something of the order of the shoe before, of the second shoe before, or of new decks?

A shoe is compared with the piles of earlier shoes, which gives columns of scores (`successors`). Random shoes are
compared with the same piles, and their columns show what chance gives. Only the later shoe is drawn anew, never the
piles. The columns are of four kinds: by order of gathering, by coups, by place, and by part of the pile. The statistic
is worked out in three steps:

1. Each column is measured in standard deviations from its mean.
2. The largest column of each kind is measured in the same way.
3. The largest of these is the statistic.

For the log, columns are added up over its shoes before step 1, because a pit is expected to gather and shuffle in the
same way each time. For one shoe, draws go on until `_ENOUGH` of them are at least as extreme, or until the largest
allowed number of draws is made. The p-value is the sequential p-value of Besag and Clifford (Biometrika 78, 1991, p.
301). It is exact for each shoe, given all shoes before it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats
from counting.review.shuffle.discard_rack import Gathering
from counting.review.shuffle.shoe_orders import ShoeOrders
from counting.review.shuffle.successors import PART, STRENGTHS, ColumnPlan, Successors
from counting.review.significance import monte_carlo_p, sequential_p
from counting.workers import in_threads

SHOE_BEFORE, TWO_BEFORE, NEW_DECKS = ORDER_TESTS = ("shoe-before", "two-before", "new-decks")
PILOT = 80  # draws that set the means and standard deviations of one shoe's columns
_ENOUGH = 10  # draws of a shoe end once this number of them is at least as extreme as the shoe
_FIRST = 399  # the most draws of each shoe at first; a few shoes then get more
_FOLLOWED = 3  # the number of shoes that get all draws that the level needs
_CHUNK = 25  # draws at a time
_OF_SHOES = 2**31  # draws numbered from here on are for single shoes

Tables = dict[str, dict[str, Floats]]  # rows of columns, by test and kind of column


class Likeness(NamedTuple):
    """What an order is most like.

    - `test`: the order of the shoe before, of the second shoe before, or of new decks
    - `kind`: the kind of column
    - `gathered` and `riffles`: the order of gathering and the number of riffles
    - `coups`: rows of the former shoe's coups, from the first to the row after the last"""

    test: str
    kind: str
    gathered: Gathering | None
    riffles: int | None
    coups: tuple[int, int] | None


class ShoeOrder(NamedTuple):
    """The result for one shoe.

    - `p` and `draws`: its p-value, and the number of draws
    - `cut_short`: whether drawing stopped too early: with fewer than `_ENOUGH` extreme draws, and before the number of
      draws that the level needs
    - `like`: what the shoe's order is most like"""

    p: float
    draws: int
    cut_short: bool
    like: Likeness


@dataclass(frozen=True, eq=False)
class OrderTests:
    """The results for a log.

    - `p_values`: the p-value of each order test that could be made
    - `likes`: what the log's order is most like, for the same tests
    - `shoes`: the result for each shoe, keyed by its row; empty for a log of one shoe"""

    p_values: dict[str, float]
    likes: dict[str, Likeness]
    shoes: dict[int, ShoeOrder]


def order_tests(
    orders: ShoeOrders,
    draws: int,
    most: int,
    seed: int,
    pickup: Gathering | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> OrderTests:
    """Compare each shoe with `draws` random shoes for the tests of the log, and with at most `most` for the shoe's own
    test. If `most` is above `_FIRST`, only the `_FOLLOWED` most unusual shoes get more than `_FIRST` draws.

    `progress` is called with the number of steps done and the number of all steps."""
    layout, rows = Successors(orders.knows, orders.decks, pickup), range(orders.number)
    single = rows if orders.number > 1 else range(0)
    steps = len(rows) + len(single)

    def tick(done: int) -> None:
        if progress is not None:
            progress(done, steps)

    def drawn(row: int) -> Tables:
        tests, plan = _plan(layout, orders, row, False)
        own = layout.columns(plan, orders.cards[row : row + 1])
        return _by_test(layout, tests, plan, np.concatenate([own, layout.drawn(plan, seed, row, 0, draws)]))

    def compared(some: Sequence[int], most: int) -> Iterator[tuple[int, tuple[ShoeOrder, float]]]:
        """The results of some single shoes and their statistics. Each shoe is compared with at most `most` random
        shoes."""
        yield from zip(some, in_threads(lambda row: _shoe_order(layout, orders, row, seed, most), some), strict=True)

    sums: Tables = {}
    for done, tables in enumerate(in_threads(drawn, rows)):
        for name, kinds in tables.items():
            of_test = sums.setdefault(name, {})
            for kind, values in kinds.items():
                of_test[kind] = of_test[kind] + values if kind in of_test else values
        tick(done + 1)
    p_values, likes = {}, {}
    for name, kinds in sums.items():
        values = _Scale.of(kinds.values()).largest(kinds.values())
        p_values[name] = monte_carlo_p(values)
        likes[name] = _like(layout, {name: kinds}, _Scale.of(kinds.values()), {})
    shoes = {}
    for done, (row, result) in enumerate(compared(single, min(most, _FIRST))):
        shoes[row] = result
        tick(len(rows) + done + 1)
    unusual = sorted((row for row in single if shoes[row][0].cut_short), key=lambda row: (-shoes[row][1], row))
    followed = unusual[:_FOLLOWED] if most > _FIRST else []
    shoes |= compared(followed, most)
    done_with = followed if most > _FIRST else single
    short = {row for row, (order, _) in shoes.items() if order.cut_short} - set(done_with)
    return OrderTests(
        p_values, likes, {row: order._replace(cut_short=row in short) for row, (order, _) in shoes.items()}
    )


def _plan(layout: Successors, orders: ShoeOrders, row: int, in_parts: bool) -> tuple[list[str], ColumnPlan]:
    """The tests for which a shoe has an earlier pile, and the plan for reading these piles."""
    lags = [lag for lag in (1, 2) if orders.follows[row, lag - 1]]
    plan = layout.plan([orders.piles[row - lag] for lag in lags], in_parts)
    return [ORDER_TESTS[lag - 1] for lag in lags], plan


def _by_test(layout: Successors, tests: list[str], plan: ColumnPlan, rows: Floats) -> Tables:
    """The tables of each test, from rows of columns."""
    tables = layout.read(plan, rows)
    return {
        name: {kind: values.reshape(len(rows), -1) for kind, values in kinds.items()}
        for name, kinds in zip([*tests, NEW_DECKS], tables, strict=True)
    }


class _Scale(NamedTuple):
    """The mean and the standard deviation of each column of each table, and of each table's largest column."""

    columns: list[tuple[Floats, Floats]]
    largests: list[tuple[float, float]]

    @classmethod
    def of(cls, tables: Iterable[Floats]) -> _Scale:
        columns, largests = [], []
        for table in tables:
            spread = table.std(axis=0)
            columns.append((table.mean(axis=0), np.where(spread > 0, spread, np.inf)))
            largest = ((table - columns[-1][0]) / columns[-1][1]).max(axis=1)
            largests.append((float(largest.mean()), float(largest.std()) or 1.0))
        return cls(columns, largests)

    def by_table(self, tables: Iterable[Floats]) -> Floats:
        """The largest column of each table, in standard deviations from its mean (rows, tables)."""
        values = [
            (((table - mean) / spread).max(axis=1) - centre) / width
            for table, (mean, spread), (centre, width) in zip(tables, self.columns, self.largests, strict=True)
        ]
        return np.column_stack(values)

    def largest(self, tables: Iterable[Floats]) -> Floats:
        """The statistic (rows,): the largest of `by_table` over all tables."""
        return np.asarray(self.by_table(tables).max(axis=1))


def _shoe_order(layout: Successors, orders: ShoeOrders, row: int, seed: int, most: int) -> tuple[ShoeOrder, float]:
    """A shoe's result with at most `most` draws, and its statistic."""
    tests, plan = _plan(layout, orders, row, True)

    def tables(rows: Floats) -> Tables:
        return _by_test(layout, tests, plan, rows)

    pilot = tables(layout.drawn(plan, seed, row, _OF_SHOES, PILOT))
    scale = _Scale.of(_flat(pilot))
    own = tables(layout.columns(plan, orders.cards[row : row + 1]))
    size = float(scale.largest(_flat(own))[0])
    done = above = 0
    while done < most:
        number = min(_CHUNK, most - done)
        drawn = tables(layout.drawn(plan, seed, row, _OF_SHOES + PILOT + done, number))
        as_large = scale.largest(_flat(drawn)) >= size - 1e-9
        if above + int(as_large.sum()) >= _ENOUGH:
            done += int(np.flatnonzero(as_large)[_ENOUGH - above - 1]) + 1
            above = _ENOUGH
            break
        above += int(as_large.sum())
        done += number
    like = _like(layout, own, scale, _coups_of_piles(orders, row))
    return ShoeOrder(sequential_p(above, done, _ENOUGH), done, above < _ENOUGH, like), size


def _flat(tables: Tables) -> list[Floats]:
    return [values for kinds in tables.values() for values in kinds.values()]


def _coups_of_piles(orders: ShoeOrders, row: int) -> dict[str, int]:
    """For each test with an earlier pile, the number of coups in the pile."""
    return {
        ORDER_TESTS[lag - 1]: len(orders.piles[row - lag].numbers) for lag in (1, 2) if orders.follows[row, lag - 1]
    }


def _like(layout: Successors, tables: Tables, scale: _Scale, coups: dict[str, int]) -> Likeness:
    """What the first row's order is most like."""
    named = [(test, kind, values[:1]) for test, kinds in tables.items() for kind, values in kinds.items()]
    best = int(scale.by_table([values for _, _, values in named])[0].argmax())
    test, kind, values = named[best]
    mean, spread = scale.columns[best]
    column = int(((values[0] - mean) / spread).argmax())
    group, strength = divmod(column, STRENGTHS)
    part = None
    if kind == "places":
        return Likeness(test, kind, None, None, None)
    if kind == "parts":
        first, group = divmod(group, layout.of_pile)
        last = first + 2 if (first + 2) * PART + PART <= coups[test] else None
        part = (first * PART, coups[test] if last is None else last * PART)
        kind = "orders" if group < len(layout.orders) else "coups"
    gathered = layout.orders[group] if kind == "orders" and test != NEW_DECKS else None
    return Likeness(test, kind, gathered, strength + 1, part)
