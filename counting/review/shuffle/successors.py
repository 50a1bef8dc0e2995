"""Whether cards are near one another in a shoe because they were in an earlier pile, or in new decks.

Take k riffles of a pile (Gilbert, Shannon and Reeds) and any cut. Two cards at distance m in the pile then have
distance d, round the shoe, with the probability C(d - 1, m - 1) q^m (1 - q)^(d - m), q = 2^-k. The inverse shuffle
gives every place one of 2^k digits, all with the same chance, and places with equal digits hold successive cards of the
pile. From this the probability follows (Bayer and Diaconis, Annals of Applied Probability 2, 1992, p. 294).

The score of a distance is this probability over the probability in a random order, less 1. A column is a sum of
scores. Each pair of cards that is near in the pile adds the scores of the distances at which such cards lie in the
shoe. There is a column for each order in which the pile may have been gathered (`discard_rack`) and each k from 1 to 8.

There are three kinds of columns:

- by order of gathering;
- by coups alone, with any order within them;
- by place alone, for cards that stayed near one another.

A pile is also read in parts of ten coups, two parts at a time.
"""

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

STRENGTHS = 8  # riffles, 1 to 8
PART = 10  # coups of a part of a pile; two neighbouring parts are read together
_BINS = 16
_LINE = 64  # bytes of a line of a cache
_ROUNDS, _CANDIDATES = 4, 2000  # rounds of the search for sums that lines share, and pairs tried in each round
_EDGES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 240, 288)  # ends of bins; beyond the last: not stored
_UNIT = 256  # the whole number that stands for a score of 1
_WITHIN = np.array([4, 3, 2, 1]) / 10  # the shares of a coup's pairs at distance 1, 2, 3 and 4, in random order
_ACROSS = np.array([1, 2, 3, 4, 5, 4, 3, 2, 1]) / 25  # the shares of pairs of neighbouring coups at distance 1 to 9
_SPREADS = (8, 24, 64)  # cards over which weights of a pile's pairs fall by the factor e
_REACHES = (4, 8, 16, 32, 64, 128)  # cards over which scores of a shoe's distances fall by the factor e
_WEIGHT = 8  # the weight of two cards at the same place
_STREAM = 2**62 + 2**60  # first random stream of these draws
_STREAMS = 2**32  # the streams of each shoe
_FREE = 2  # the number of groups by coups alone: with the next coup, and with the coup before


class ColumnPlan(NamedTuple):
    """What the kernel reads of the piles with which a shoe is compared.

    `piles`: the number of parts of each pile. The other fields, from `pairs` to `groups`, and `local`, are arguments of
    `_successors.columns`.
    """

    piles: tuple[int, ...]
    pairs: Int32s
    ends: Int32s
    groups: Int32s
    local: Floats


class _SummedLines(NamedTuple):
    """A line is a list of types of pairs that are added up (`discard_rack.lines_of`). Types that are in the same lines
    make a class, which is added up once. Sums that lines share are added up once too.

    `begins`, `members`: for each line, the classes and sums that it adds up, each given by the place of its first bin.
    `scored_by`: the kind of scores of each group, 0 by order of gathering, 1 by coups alone. `shared` (sums, 2): the
    two terms of each sum; sums come after the classes. `class_of`: the class of each type, or -1.
    """

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
    """The columns of shoes of `decks` decks whose cards are known by card, rank or value (`knows`). With `pickup`, only
    this order of gathering is tried, from either end of the pile."""

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
        """The number of groups of a pile."""
        return len(self.orders) + (0 if self.pickup else _FREE)

    @cached_property
    def of_decks(self) -> int:
        """The number of groups of new decks: each suit up and down; without suits, up and down."""
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
        if not classes[0].any():  # the first class has the types that are in no line, if there are any
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
        """The scores (2, LAGS, bins, STRENGTHS): by order of gathering, and by coups alone."""
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
        """The mean over each bin of a function of the distance (its values at 1, 2, 3 and so on), less its mean over
        the distances that are not stored."""
        edges, values = self._edges, np.asarray(by_distance)
        means = np.array([values[a - 1 : b - 1].mean() if b > a else 0.0 for a, b in pairwise(edges.tolist())])
        return means - (values[edges[-1] - 1 :].mean() if edges[-1] < self.cards else 0.0)

    def plan(self, piles: Sequence[Pile], in_parts: bool) -> ColumnPlan:
        """The plan for reading these piles, whole or in parts, and new decks."""
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
        """Pairs with the class in place of the type, without pairs whose type is in no line."""
        class_of = self._lines.class_of[pairs[:, 2]]
        return np.column_stack([pairs[:, :2], class_of, pairs[:, 3:]])[class_of >= 0]

    def _new(self) -> Ints:
        """The pairs (pairs, 3) of new decks: each suit from ace to king, and from king to ace."""
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
        """A row of columns for each shoe (shoes, cards): for each part of each pile, for new decks, and by place."""
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
        """The columns of `number` draws of a shoe, from draw `first` on. A draw depends only on the seed, the shoe and
        the draw's number."""
        rows = np.empty((number, self.cards), np.uint8)
        new = np.repeat(np.arange(len(self.full), dtype=np.uint8), self.full)
        _successors.shuffled(seed, _STREAM + shoe * _STREAMS + first, new, rows)
        return self.columns(plan, rows)

    def read(self, plan: ColumnPlan, rows: Floats) -> list[dict[str, Floats]]:
        """Rows of columns by pile, and last for new decks: `orders` (rows, orders, strengths), `coups`, `places`, and
        `parts` (rows, pairs of parts, groups, strengths), each if there are any."""
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
    """The lines (lines, classes), with pairs of members that many lines share replaced by their sum; a sum may be a
    member of a further sum. Returns the lines (lines, classes and sums), and the two members of each sum."""
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
    """Working space that begins at the start of a cache line, so that a row of bins never crosses a line."""
    size = number * np.dtype(of).itemsize
    room = np.empty(size + _LINE, np.uint8)
    begin = -room.ctypes.data % _LINE
    return room[begin : begin + size].view(of)


def _directions(suits: int) -> list[list[tuple[int, int]]]:
    """The orders of new decks that are tried: each suit up or down; without suits, up, down or both."""
    ways = [(1, 0), (0, 1)]
    if suits == 1:
        return [[way] for way in (*ways, (1, 1))]
    return [[ways[number >> suit & 1] for suit in range(suits)] for number in range(2**suits)]


@cache
def _after_riffles(cards: int, riffles: int, apart: int) -> Floats:
    """The score of each distance from 1 to cards - 1. It is the probability that two cards at distance `apart` in a
    pile have this distance after these riffles, over the probability in a random order, less 1."""
    q = 2.0**-riffles
    chance = np.zeros(cards - 1)
    value = q**apart
    for distance in range(apart, cards):
        chance[distance - 1] = value
        value *= distance / (distance - apart + 1) * (1 - q)
    return (cards - 1) * chance - 1


def _near(pile: Pile, kinds: int) -> Floats:
    """The weights (spreads, kinds, kinds) of a pile's pairs of cards, by the distance of their coups."""
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
        weights[number] -= np.diag(_WEIGHT * counts.sum(axis=0))  # a card and itself are not a pair
        weights[number][np.diag_indices(kinds)] /= 2  # the kernel reads each pair of kinds in both orders
    return np.rint(weights)
