"""Whether cards are near one another in a shoe because they were near one another in an earlier pile, or in new decks.

Let a pile be shuffled by k riffles (Gilbert, Shannon and Reeds) and any cut. Two cards at distance m in the pile then
have distance d in the shoe, counted round the shoe, with the probability

    C(d - 1, m - 1) q^m (1 - q)^(d - m), with q = 2^-k

Proof: the inverse shuffle gives every place one of 2^k digits, all with the same chance. Places with equal digits hold
successive cards of the pile (Bayer and Diaconis, Annals of Applied Probability 2, 1992, p. 294).

The score of a distance is this probability divided by the probability in a random order, less 1. A column adds up, over
all pairs of cards that are near each other in the pile, the scores of their distances in the shoe. There is a column
for each k from 1 to 8 and each order in which the pile may have been gathered (`discard_rack`).

There are three kinds of columns:

- by order of gathering
- by coups alone, with any order within a coup
- by place alone, for cards that stayed near one another

A pile is also read in parts of ten coups, two neighbouring parts at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.cards import DECK, RANKS, SUITS, WIDTH, Knows, Shoe, coarser
from counting.instruction_sets import chosen
from counting.review import _successors
from counting.review.shuffle.discard_rack import (
    BEFORE,
    LAGS,
    NEXT,
    TYPES,
    WITHIN,
    Gathering,
    gatherings,
    lines_of,
    pairs_of,
)
from counting.review.shuffle.shoe_orders import COUP_CARDS, Pile
from counting.review.unseen_cards import KIND

STRENGTHS = 8  # numbers of riffles: 1 to 8
PART = 10  # coups of a part of a pile; two neighbouring parts are read together
_BINS = 16
_LINE = 64  # bytes of a cache line
_ROUNDS, _CANDIDATES = 4, 2000  # the search for shared sums (`_shared`): its rounds, and the pairs that a round tries
# Distances in a shoe are put into bins. A bin begins at an edge and ends before the next edge. Distances from the last
# edge on are not stored.
_EDGES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 240, 288)
_UNIT = 256  # the whole number that stands for a score of 1
_WITHIN = np.array([4, 3, 2, 1]) / 10  # in random order, the shares of a coup's pairs at distance 1 to 4
_ACROSS = np.array([1, 2, 3, 4, 5, 4, 3, 2, 1]) / 25  # the same for pairs of neighbouring coups, at distance 1 to 9
_SPREADS = (8, 24, 64)  # distances in cards over which the weight of a pair in the pile falls by the factor e
_REACHES = (4, 8, 16, 32, 64, 128)  # distances in cards over which a score falls by the factor e
_WEIGHT = 8  # the weight of two cards at the same place of a pile
_STREAM = 2**62 + 2**60  # the first random stream of these draws
_STREAMS = 2**32  # the number of streams of each shoe
_FREE = 2  # groups of columns by coups alone: for pairs with the next coup, and for pairs with the coup before


class ColumnPlan(NamedTuple):
    """What the kernel reads of the piles that a shoe is compared with.

    `piles`: the number of parts of each pile. The other fields are arguments of `_successors.columns`."""

    piles: tuple[int, ...]
    pairs: Int32s
    ends: Int32s
    groups: Int32s
    local: Floats


class _SummedLines(NamedTuple):
    """The sums from which the columns are made. Each sum is worked out only once.

    A line is a list of types of pairs that are added up (`discard_rack.lines_of`). Types that are in the same lines
    make a class, whose pairs are added up once. A sum that several lines share is added up once too.

    - `begins` and `members`: for each line, the classes and sums that it adds up, each given by the place of its first
      bin
    - `scored_by`: which scores each group has: 0 for scores by order of gathering, 1 for scores by coups alone
    - `shared` (sums, 2): the two terms of each sum; sums are numbered after the classes
    - `class_of`: the class of each type; -1 for a type that is in no line"""

    begins: Int32s
    members: Int32s
    scored_by: Int32s
    shared: Int32s
    class_of: Ints

    @property
    def classes(self) -> int:
        return int(self.class_of.max()) + 1


@dataclass(frozen=True)
class Successors:
    """The columns of shoes of `decks` decks. `knows`: what is known of each card, which is the card itself, its rank or
    its value. With `pickup`, only this order of gathering is tried, from either end of the pile."""

    knows: Knows
    decks: int
    pickup: Gathering | None = None

    @cached_property
    def orders(self) -> tuple[Gathering, ...]:
        return gatherings() if self.pickup is None else (self.pickup, self.pickup.reverse)

    @cached_property
    def full(self) -> Ints:
        return np.array(coarser(Shoe.decks(self.decks).counts, self.knows))

    @property
    def cards(self) -> int:
        return DECK * self.decks

    @cached_property
    def _edges(self) -> Int32s:
        return np.minimum(_EDGES, self.cards).astype(np.int32)

    @cached_property
    def of_pile(self) -> int:
        """The number of groups of columns for a pile: one for each order of gathering, and `_FREE` by coups alone. A
        group has a column for each number of riffles."""
        return len(self.orders) + (0 if self.pickup else _FREE)

    @cached_property
    def of_decks(self) -> int:
        """The number of groups of columns for new decks: one for each direction, up and down, of each suit. Without
        suits, two in all."""
        return 2 * (len(SUITS) if self.knows == "card" else 1)

    @cached_property
    def _lines(self) -> _SummedLines:
        lists = [line for order in self.orders for line in lines_of(order)]
        scored = [0] * len(self.orders)
        if self.pickup is None:
            within = WITHIN[WITHIN >= 0].tolist()
            for table in (NEXT, BEFORE):
                lists += [within, table[table >= 0].tolist(), [], []]
                scored.append(1)
        lists += [[TYPES + group * LAGS + lag] for group in range(self.of_decks) for lag in range(LAGS)]
        scored += [0] * self.of_decks
        comes = np.zeros((TYPES + LAGS * self.of_decks, len(lists)), bool)
        for number, line in enumerate(lists):
            comes[line, number] = True
        bits, class_of = np.unique(np.packbits(comes, axis=1), axis=0, return_inverse=True)
        classes, class_of = np.unpackbits(bits, axis=1, count=len(lists)).astype(bool), class_of.ravel()
        if not classes[0].any():  # types that are in no line, if any, are the first class
            classes, class_of = classes[1:], class_of - 1
        members, shared = _shared(classes.T)
        rows, member = np.nonzero(members)
        begins = np.searchsorted(rows, np.arange(len(lists) + 1)).astype(np.int32)
        return _SummedLines(
            begins, (_BINS * member).astype(np.int32), np.array(scored, np.int32), (_BINS * shared).astype(np.int32),
            class_of,
        )  # fmt: skip

    @cached_property
    def _scores(self) -> Floats:
        """The scores (2, LAGS, bins, STRENGTHS), first by order of gathering, then by coups alone."""
        scores = np.zeros((2, LAGS, _BINS, STRENGTHS))
        for k in range(STRENGTHS):
            by_lag = np.array([self._binned(_after_riffles(self.cards, k + 1, m)) for m in range(1, 10)])
            scores[0, :, :, k] = by_lag[:LAGS]
            scores[1, 0, :, k] = _WITHIN @ by_lag[:LAGS] / 2
            scores[1, 1, :, k] = _ACROSS @ by_lag
        return np.ascontiguousarray(np.round(_UNIT * scores))

    @cached_property
    def _reach(self) -> Floats:
        distance = np.arange(1, self.cards)
        return np.round(_UNIT * np.array([self._binned(np.exp(-distance / reach)) for reach in _REACHES]))

    def _binned(self, by_distance: Floats) -> Floats:
        """The mean of a function over each bin of distances, less its mean over the distances that are not stored.
        `by_distance` has the function's values at the distances 1, 2, 3 and so on."""
        edges, values = self._edges, np.asarray(by_distance)
        means = np.array([values[a - 1 : b - 1].mean() if b > a else 0.0 for a, b in pairwise(edges.tolist())])
        return means - (values[edges[-1] - 1 :].mean() if edges[-1] < self.cards else 0.0)

    def plan(self, piles: Sequence[Pile], in_parts: bool) -> ColumnPlan:
        """The plan for reading these piles, and new decks. With `in_parts`, the piles are read in parts."""
        kinds = WIDTH[self.knows]
        pairs: list[Ints] = []
        ends: list[int] = []
        groups: list[tuple[int, int]] = []
        parts: list[int] = []
        local = np.zeros((len(piles) * (self.pickup is None), len(_SPREADS), kinds, kinds))
        for number, pile in enumerate(piles):
            each = self._of_classes(pairs_of(pile.coups, pile.linked))
            last = max(0, len(pile.coups) // PART - 1) if in_parts else 0
            part = np.minimum(each[:, 3] // PART, last)
            pairs.append(each[np.lexsort((each[:, 1], each[:, 0], part)), :3])  # in the order of the kernel's table
            ends += [len(each)] if not in_parts else np.bincount(part, minlength=last + 1).tolist()
            groups += [(0, self.of_pile)] * (last + 1)
            parts.append(last + 1)
            if len(local):
                local[number] = _near(pile, kinds)
        new = self._of_classes(self._new())
        pairs.append(new)
        ends.append(len(new))
        groups.append((self.of_pile, self.of_pile + self.of_decks))
        every = np.concatenate(pairs)
        cells = np.column_stack([(every[:, 0] * kinds + every[:, 1]) * _BINS, every[:, 2] * _BINS])
        return ColumnPlan(
            tuple(parts),
            np.ascontiguousarray(cells, np.int32),
            np.cumsum(ends).astype(np.int32),
            np.array(groups, np.int32).reshape(-1, 2),
            local,
        )

    def _of_classes(self, pairs: Ints) -> Ints:
        """The pairs with their class in place of their type. Pairs whose type is in no line are left out."""
        class_of = self._lines.class_of[pairs[:, 2]]
        return np.column_stack([pairs[:, :2], class_of, pairs[:, 3:]])[class_of >= 0]

    def _new(self) -> Ints:
        """The pairs (pairs, 3) of cards that are near each other in new decks, each suit from ace to king and from king
        to ace."""
        kind, pairs = KIND[self.knows], []
        for suit in range(len(SUITS)):
            cards = [int(kind[len(SUITS) * rank + suit]) for rank in range(len(RANKS))]
            of_suit = suit if self.knows == "card" else 0
            for way, run in enumerate((cards, cards[::-1])):
                for lag in range(LAGS):
                    name = TYPES + (2 * of_suit + way) * LAGS + lag
                    pairs += [(a, b, name) for a, b in zip(run, run[lag + 1 :], strict=False)]
        return np.array(pairs, np.int64)

    def columns(self, plan: ColumnPlan, shoes: NDArray[np.uint8]) -> Floats:
        """A row of columns for each of the shoes (shoes, cards). First come the columns for the parts of each pile,
        then the columns for new decks, then the columns by place."""
        kinds = WIDTH[self.knows]
        lines = self._lines
        spans = plan.groups[:, 1] - plan.groups[:, 0]
        width = STRENGTHS * int(spans.sum()) + len(plan.local) * len(_SPREADS) * len(_REACHES)
        out = np.zeros((len(shoes), width))
        running = _room((3 * self.cards + 1) * _BINS, np.uint16)
        table = _room(kinds * kinds * _BINS, np.uint16)
        sums = _room((lines.classes + len(lines.shared)) * _BINS, np.int32)
        _successors.columns(
            np.ascontiguousarray(shoes), self._edges, plan.pairs, plan.ends, plan.groups, lines.begins, lines.members,
            lines.scored_by, lines.shared, self._scores, plan.local, self._reach, running, table, sums, out,
            chosen(_successors.best_level()),
        )  # fmt: skip
        return out

    def drawn(self, plan: ColumnPlan, seed: int, shoe: int, first: int, number: int) -> Floats:
        """The columns of `number` draws of a shoe, beginning with draw `first`. A draw depends only on the seed, the
        shoe and the draw's number."""
        rows = np.empty((number, self.cards), np.uint8)
        new = np.repeat(np.arange(len(self.full), dtype=np.uint8), self.full)
        _successors.shuffled(seed, _STREAM + shoe * _STREAMS + first, new, rows)
        return self.columns(plan, rows)

    def read(self, plan: ColumnPlan, rows: Floats) -> list[dict[str, Floats]]:
        """Rows of columns as tables: a mapping for each pile and, last, one for new decks. Tables that do not apply are
        left out.

        - `orders` (rows, orders, strengths)
        - `coups` (rows, groups by coups alone, strengths)
        - `parts` (rows, pairs of parts, groups, strengths)
        - `places` (rows, columns by place)"""
        tables, at = [], 0
        for parts in plan.piles:
            size = parts * self.of_pile * STRENGTHS
            of_parts = rows[:, at : at + size].reshape(len(rows), parts, self.of_pile, STRENGTHS)
            whole = of_parts.sum(axis=1)
            table = {"orders": whole[:, : len(self.orders)]}
            if self.pickup is None:
                table["coups"] = whole[:, len(self.orders) :]
            if parts > 2:
                table["parts"] = of_parts[:, 1:] + of_parts[:, :-1]
            tables.append(table)
            at += size
        suits = self.of_decks // 2
        new = rows[:, at : at + self.of_decks * STRENGTHS].reshape(len(rows), suits, 2, STRENGTHS)
        at += self.of_decks * STRENGTHS
        ways = np.array(_directions(suits))
        tables.append({"orders": np.einsum("nswk,dsw->ndk", new, ways)})
        for number in range(len(plan.local)):
            size = len(_SPREADS) * len(_REACHES)
            tables[number]["places"] = rows[:, at : at + size]
            at += size
        return tables


def _shared(lines: Bools) -> tuple[Bools, Ints]:
    """The lines (lines, classes), in which each pair of members that many lines share is replaced by its sum.

    A sum may be a member of a further sum. Returns the lines (lines, classes and sums) and the two members of each
    sum."""
    sums: list[tuple[int, int]] = []
    for _ in range(_ROUNDS):
        together = np.triu(lines.T.astype(np.float32) @ lines.astype(np.float32), 1).ravel()
        most = np.argsort(-together, kind="stable")[:_CANDIDATES]
        free, pairs = np.ones(lines.shape[1], bool), []
        for at in most[2 * together[most] > max(together.max(), 4)].tolist():
            a, b = divmod(at, lines.shape[1])
            if free[a] and free[b]:
                free[a] = free[b] = False
                pairs.append((a, b))
        if not pairs:
            break
        first, second = np.array(pairs).T
        both = lines[:, first] & lines[:, second]
        lines = lines.copy()
        lines[:, first] &= ~both
        lines[:, second] &= ~both
        lines = np.hstack([lines, both])
        sums += pairs
    return lines, np.array(sums, np.int64).reshape(-1, 2)


def _room(number: int, of: type[Any]) -> NDArray[Any]:
    """Working space for `number` items that begins at the start of a cache line. So no row of bins crosses a cache
    line."""
    size = number * np.dtype(of).itemsize
    room = np.empty(size + _LINE, np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + size].view(of)


def _directions(suits: int) -> list[list[tuple[int, int]]]:
    """For each order of new decks that is tried, the weights of up and of down for each suit. Without suits, the orders
    are up, down and both."""
    ways = [(1, 0), (0, 1)]
    if suits == 1:
        return [[way] for way in (*ways, (1, 1))]
    return [[ways[number >> suit & 1] for suit in range(suits)] for number in range(2**suits)]


@cache
def _after_riffles(cards: int, riffles: int, apart: int) -> Floats:
    """The scores of the distances 1 to cards - 1, for two cards at distance `apart` in a pile, after these riffles."""
    q = 2.0**-riffles
    chance = np.zeros(cards - 1)
    value = q**apart
    for distance in range(apart, cards):
        chance[distance - 1] = value
        value *= distance / (distance - apart + 1) * (1 - q)
    return (cards - 1) * chance - 1


def _near(pile: Pile, kinds: int) -> Floats:
    """The weights (spreads, kinds, kinds) of a pile's pairs of cards, which fall with the distance of their coups."""
    some = pile.coups >= 0
    sizes = pile.sizes
    gaps = COUP_CARDS * (np.diff(pile.numbers, prepend=pile.numbers[:1] - 1) - 1)
    middle = np.cumsum(sizes + gaps) - sizes / 2
    coup, place = np.nonzero(some)
    kind = pile.coups[coup, place]
    weights = np.zeros((len(_SPREADS), kinds, kinds))
    apart = np.abs(middle[:, np.newaxis] - middle)
    counts = np.zeros((len(sizes), kinds))
    np.add.at(counts, (coup, kind), 1)
    for number, spread in enumerate(_SPREADS):
        near = np.round(_WEIGHT * np.exp(-apart / spread))
        weights[number] = counts.T @ near @ counts
        weights[number] -= np.diag(_WEIGHT * counts.sum(axis=0))  # a card does not pair with itself
        weights[number][np.diag_indices(kinds)] /= 2  # the kernel reads each pair of kinds in both orders
    return np.rint(weights)
