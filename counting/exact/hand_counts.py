"""For bets settled by the hands: the exact number of deals that meet each pay table line.

Each hand has two labels (`games.hand_tables`), and the labels decide whether a coup meets a line. The first labels, v
for Player and w for Banker, depend on point values. The second labels, d and e, depend on the ranks, suits and colours
that the bet looks at. The commonest second label is 0. Let L(v, d; w, e) be 1 for labels that meet the line, and 0
otherwise. Let [d] be 1 if Player's second label is d and 0 otherwise, and [e] the same for Banker's. Then

    L(v, d; w, e) = L(v, 0; w, 0) + sum over d of [d] (L(v, d; w, 0) - L(v, 0; w, 0)), the same for e,
                    + sum over d, e of [d] [e] (L(v, d; w, e) - L(v, d; w, 0) - L(v, 0; w, e) + L(v, 0; w, 0)).

In the first three parts of this sum, the cards of at most one hand are told apart by more than their values. In the
last part, the cards of both hands are told apart in this way. That part is still small: its terms are 0 unless both
hands have an uncommon second label, and few pairs of hands do.

Cards that the bet does not tell apart are of one kind. Each part is a sum over sequences of draws, in which the cards
known by kind come first and the cards known by value follow. A term is a product with one factor for each draw: the
number of cards that the draw can still take. A tree adds up the terms (`_trees.pyx`). Draws by kind with the same
values are followed by the same draws by value, so they are added up first. If the hands have fewer than six cards, a
term's last factor counts the ways to choose the other cards of the six.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from math import factorial, prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.cards import COUP, DECK, WIDTH, Knows
from counting.errors import InputError
from counting.exact import _trees
from counting.exact.instruction_sets import level
from counting.exact.linear_forms import multisets
from counting.exact.outcomes import OutcomeCounter, cards_of, counts_by_value
from counting.games import Tableau
from counting.games.conditions import Conditions
from counting.games.hand_tables import Hands, HandTables, Labels, distinct, groups, hand_tables
from counting.games.hands import CARD, RANK, VALUE, Look, knows_of

_MOST_DRAWS = 1 << 24  # the most draws by kind in one part of a bet's sum
ANY_CARD = 10  # the code for a draw of any card; the codes for draws by value are 0 to 9
_NONE = 11  # no draw


class TreeTerm(NamedTuple):
    """A term of a tree: a product that is added to the sum with the index `slot`. Its factors are the weight, the base
    (a number given for each shoe) with the index `base` and, for each draw, the number of cards left to draw from.
    `draws` has pairs: what is drawn, and how many of these cards have been drawn before."""

    base: int
    draws: tuple[tuple[int, int], ...]
    slot: int
    weight: int


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree for the kernel: nodes and terms as `_trees.sums` takes them."""

    depth: NDArray[np.uint8]
    less: NDArray[np.uint8]
    draw: Int32s
    first: Ints
    slot: Int32s
    weight: Ints
    slots: int

    @cached_property
    def program(self) -> _trees.Program:
        return _trees.Program(self.depth, self.less, self.draw, self.first, self.slot, self.weight, self.slots)

    def sums(self, counts: Ints, bases: Ints) -> Ints:
        """The sums (shoes, slots), from the number of cards that each draw can take (shoes, draws) and the bases
        (shoes, bases)."""
        out = np.empty((len(counts), self.slots), np.int64)
        _trees.sums(self.program, counts, bases, out, level())
        return out

    def terms(self) -> Iterator[TreeTerm]:
        """The terms one by one, in the order of the tree."""
        path = [(0, 0)] * (COUP + 1)
        nodes = (self.depth.tolist(), self.draw.tolist(), self.less.tolist())
        of_node = [*zip(self.first[:-1].tolist(), self.first[1:].tolist(), strict=True)]
        slots, weights = self.slot.tolist(), self.weight.tolist()
        for depth, draw, less, (first, last) in zip(*nodes, of_node, strict=True):
            path[depth] = draw, less
            for i in range(first, last):
                yield TreeTerm(path[0][0], tuple(path[1 : depth + 1]), slots[i], weights[i])


@dataclass(frozen=True, eq=False)
class HandCounter:
    """Counts the deals of each line of a bet, on many shoes. The tree `by_kind` adds up draws by kind. Its sums are the
    bases of the tree `by_value`. The sums of `by_value` are the numbers of deals of each line, separately for each
    number of cards dealt."""

    kinds: Look
    by_kind: Tree
    by_value: Tree
    lines: int

    @cached_property
    def knows(self) -> Knows:
        """The least detail of a composition (value, rank or card) that tells the kinds of cards apart."""
        return knows_of([self.kinds])

    @property
    def sizes(self) -> int:
        """The number of slots of each line in `by_value`: one for each number of dealt cards, two to six."""
        return self.by_value.slots // self.lines

    @property
    def work(self) -> int:
        """The number of nodes and terms of the trees."""
        return sum(len(tree.depth) + len(tree.slot) for tree in (self.by_kind, self.by_value))

    @cached_property
    def weights(self) -> Int32s:
        """For each line and each multiset of six values (lines, 5005): the number of orders of the values in which the
        line is met. The bet must not tell cards of equal value apart.

        For each multiset, deals are counted on a shoe of just these six cards. This counts an order of the values once
        for every way to arrange the cards of equal value among themselves, so the count is divided by the number of
        these ways.
        """
        held = np.array([[m.count(value) for value in range(10)] for m in multisets()], np.int32)
        places = np.array([prod(map(factorial, row)) for row in held.tolist()])
        weights: Int32s = (self._by_trees(held) // places[:, np.newaxis]).T.astype(np.int32)
        return np.ascontiguousarray(weights)

    def with_replacement(self) -> list[Fraction]:
        """The probability of each line if every card is drawn from a full deck."""
        trees = [replace(tree, less=np.zeros_like(tree.less)) for tree in (self.by_kind, self.by_value)]
        deck = np.ones((1, DECK), np.int32)
        sums = trees[0].sums(_kinds_of(deck, self.kinds), np.ones((1, 1), np.int64))
        values = np.column_stack([counts_by_value(deck), [[DECK]]]).astype(np.int64)
        by_dealt = trees[1].sums(values, sums).reshape(self.lines, -1).tolist()
        return [sum((Fraction(n, DECK ** (2 + i)) for i, n in enumerate(row)), Fraction()) for row in by_dealt]

    def counts(self, compositions: Int32s) -> Ints:
        """The number of ordered six-card deals of each line (shoes, lines), for checked compositions (shoes, 10, 13 or
        52)."""
        return (
            self._forms.forms(counts_by_value(compositions)) if self.knows == "value" else self._by_trees(compositions)
        )

    @cached_property
    def _forms(self) -> OutcomeCounter:
        """The lines as linear forms (`linear_forms`), which are faster than trees."""
        nothing = np.zeros(0, np.int64)
        return OutcomeCounter(self.weights, nothing, (), nothing.astype(np.int32), self.weights, self.weights)

    def _by_trees(self, compositions: Int32s) -> Ints:
        out = np.empty((len(compositions), self.lines), np.int64)
        kind, value = (_by_entry(look, compositions.shape[1]) for look in (self.kinds, VALUE))
        compositions = np.ascontiguousarray(compositions)
        _trees.lines(self.by_kind.program, self.by_value.program, kind, value, compositions, out, level())
        return out

    def by_cards_dealt(self, compositions: Int32s) -> Ints:
        """For each line, the number of ordered deals of two, three, four, five and six cards (shoes, lines, 5). A deal
        here consists of only the cards that the line's hands take, and not always of six."""
        sums = self.by_kind.sums(_kinds_of(compositions, self.kinds), np.ones((len(compositions), 1), np.int64))
        values = np.column_stack([counts_by_value(compositions), cards_of(compositions)])
        return self.by_value.sums(values, sums).reshape(len(compositions), self.lines, -1)


def _kinds_of(compositions: Int32s, look: Look) -> Ints:
    """The number of cards of each kind (shoes, kinds). They are added up in floats, which are fast, and exact for sums
    as small as these."""
    return np.asarray(compositions.astype(float) @ _members(look, compositions.shape[1]), np.int64)


@lru_cache(maxsize=64)
def _members(look: Look, width: int) -> Floats:
    """An array (width, kinds): 1 if this entry of a composition counts cards of this kind, otherwise 0."""
    members = np.zeros((width, max(look) + 1))
    members[np.arange(width), _by_entry(look, width)] = 1
    return members


@lru_cache(maxsize=128)
def _by_entry(look: Look, width: int) -> Int32s:
    """For each entry of a composition, the kind of the cards that it counts (width,). The composition must tell the
    look's kinds apart."""
    entry = {WIDTH["card"]: CARD, WIDTH["rank"]: RANK, WIDTH["value"]: VALUE}[width]
    shown = np.zeros(width, np.int32)
    shown[list(entry)] = look
    shown.flags.writeable = False
    return shown


@lru_cache(maxsize=256)
def hand_counter(lines: tuple[Conditions, ...], tableau: Tableau) -> HandCounter:
    """A counter of the deals of each line of a bet. A deal counts for the first line that it meets.

    Raises `InputError` for lines that look at too many cards at once.
    """
    return counter_of(hand_tables(lines, tableau))


def counter_of(tables: HandTables) -> HandCounter:
    """A counter of the deals of each line of these tables. Raises `InputError` for lines that look at too many cards at
    once."""
    return _laid_out(tables, [part for part in _parts(tables) if len(part.weight)])


class _Drawn(NamedTuple):
    """The hands of Player or of Banker in one part of the sum. Hands with the same values and labels share a row. A row
    has

    - `group`: the number of the group of draws by kind to which the row belongs,
    - `u`: the values of the cards drawn by kind,
    - `rest`: the values of the other cards,
    - `orders`: the number of orders in which the other cards are drawn,
    - `value` and `detail`: the first and the second label,
    - `cards`: the number of cards in the hand.

    `u` and `rest` are sorted and padded with `_NONE`. The other three arrays have a row for each draw by kind:
    `drawn_group` is its group, `drawn` are its kinds of cards, and `drawn_orders` is its number of orders.
    """

    group: Ints
    u: Ints
    rest: Ints
    orders: Ints
    value: Ints
    detail: Ints
    cards: Ints
    drawn_group: Ints
    drawn: Ints
    drawn_orders: Ints


def _drawn(labels: Labels, fine: Look, plain: Look, by_kind: bool, usual: int) -> _Drawn:
    side = labels.side
    first_fine, third_fine = by_kind and bool(side.fine_first), by_kind and bool(side.fine_third)
    first, third = (fine if known else side.coarse for known in (first_fine, third_fine))
    hands = Hands.all(first, third, side.thirds)
    detail = labels.detail_of(hands) if by_kind else np.full(len(hands.cards), usual)
    value = labels.value_of(hands)
    dealt = hands.cards >= 0
    is_fine = dealt & np.array([first_fine, first_fine, third_fine])
    of_value = np.where(dealt, np.array([*plain, 0])[hands.cards], _NONE)
    rest = np.where(dealt & ~is_fine, of_value if side.by_value else ANY_CARD, _NONE)
    u = np.where(is_fine, of_value, _NONE)
    kinds = np.where(is_fine, np.array([*fine, 0])[hands.cards], DECK)
    keep = (detail != usual) | (not by_kind)
    u, rest = u.T[:, keep], rest.T[:, keep]
    for places in (u[:2], rest[:2]):
        _put_in_order(places)
    # Draws of a group have the same second label and, card by card, the same values of the cards known by kind.
    _, group = groups([detail[keep], *u], int(keep.sum()))
    orders = hands.orders[keep]
    once = np.ones(len(orders), np.int64)
    shown = [value[keep], detail[keep], dealt[keep].sum(axis=1)]
    rows, _ = distinct(np.column_stack([group, *u, *rest, *shown, once if first_fine else orders]))
    # Merge hands with the same values, labels and number of cards, whichever card is the third.
    for places in (rows.T[1:4], rows.T[4:7]):
        _put_in_order(places)
    ways = rows[:, 10]
    rows, inverse = distinct(rows[:, :10])
    rows = np.column_stack([rows, np.bincount(inverse, ways, len(rows)).astype(np.int64)])
    draws, _ = distinct(np.column_stack([group, kinds[keep], orders if first_fine else once]))
    return _Drawn(
        rows[:, 0], rows[:, 1:4], rows[:, 4:7], rows[:, 10], rows[:, 7], rows[:, 8], rows[:, 9],
        draws[:, 0], draws[:, 1:4], draws[:, 4],
    )  # fmt: skip


class _HandSum(NamedTuple):
    """One part of the sum over both hands. `pairs` lists pairs of groups of draws by kind, one group of Player's and
    one of Banker's. The other arrays have a row for each draw by value:

    - `pair`: the index in `pairs` of the two groups of the draws by kind before it,
    - `values`: the values drawn, sorted,
    - `dealt`: the number of cards dealt,
    - `line` and `weight`: the line that counts the draw, and the factor by which the line counts it.
    """

    player: _Drawn
    banker: _Drawn
    pairs: Ints
    pair: Ints
    values: Ints
    dealt: Ints
    line: Ints
    weight: Ints


def _parts(tables: HandTables) -> Iterator[_HandSum]:
    player, banker = tables.labels
    plain = VALUE if player.side.by_value or banker.side.by_value else (0,) * DECK
    usual = _usual(player, tables.fine), _usual(banker, tables.fine)
    for by_kind in ((False, False), (True, False), (False, True), (True, True)):
        if (by_kind[0] and not player.side.details) or (by_kind[1] and not banker.side.details):
            continue
        drawn = [
            _drawn(labels, tables.fine, plain, of, label)
            for labels, of, label in zip((player, banker), by_kind, usual, strict=True)
        ]
        yield _part(tables, drawn[0], drawn[1], by_kind, usual)


def _usual(labels: Labels, fine: Look) -> int:
    """The commonest second label of a side's two-card hands; 0 if the bet has no second label for this side."""
    side = labels.side
    if not side.details:
        return 0
    hands = Hands.all(fine, fine, False)
    size = np.bincount(fine)[np.array(fine)]
    ways = hands.orders * size[hands.cards[:, 0]] * size[hands.cards[:, 1]]
    return int(np.bincount(labels.detail_of(hands), ways).argmax())


def _part(
    tables: HandTables, player: _Drawn, banker: _Drawn, by_kind: tuple[bool, bool], usual: tuple[int, int]
) -> _HandSum:
    i, j = np.nonzero(tables.together[player.value][:, banker.value])
    # Each second label either stays or is replaced by the usual label. Every combination makes a term, with a minus
    # sign for each replaced label.
    added, taken_off = list[Ints](), list[Ints]()
    for by_detail in product(*((True, False) if kinds else (False,) for kinds in by_kind)):
        d = player.detail[i] if by_detail[0] else usual[0]
        e = banker.detail[j] if by_detail[1] else usual[1]
        (taken_off if (sum(by_kind) - sum(by_detail)) % 2 else added).append(
            tables.line[player.value[i], d, banker.value[j], e]
        )
    if taken_off:
        differs = (_in_order(added) != _in_order(taken_off)).any(axis=0)
        i, j = i[differs], j[differs]
        added, taken_off = ([column[differs] for column in columns] for columns in (added, taken_off))
    of_line = np.concatenate([*added, *taken_off])
    sign = np.repeat([1] * len(added) + [-1] * len(taken_off), len(i))
    i, j = (np.tile(rows, len(added) + len(taken_off)) for rows in (i, j))
    won = of_line < tables.lines
    i, j, of_line, sign = i[won], j[won], of_line[won], sign[won]
    values = np.empty((6, len(i)), np.uint8)
    values[:3] = player.rest.astype(np.uint8).T[:, i]
    values[3:] = banker.rest.astype(np.uint8).T[:, j]
    _put_in_order(values)
    pairs, pair = distinct(np.column_stack([player.group[i], banker.group[j]]))
    dealt = player.cards[i] + banker.cards[j]
    first, inverse = groups([pair, *values, dealt, of_line], len(pair))
    weight = np.bincount(inverse, sign * player.orders[i] * banker.orders[j], len(first)).astype(np.int64)
    first, weight = first[weight != 0], weight[weight != 0]
    return _HandSum(
        player, banker, pairs, pair[first], values[:, first].T.astype(np.int64), dealt[first],
        of_line[first].astype(np.int64), weight,
    )  # fmt: skip


def _in_order(columns: Sequence[Ints]) -> Ints:
    rows = np.array(columns)
    _put_in_order(rows)
    return rows


class _Roots:
    """The roots of the tree of draws by value. A root stands for a sum over draws by kind, together with the draws by
    value that follow them. Roots with the same values and the same draws after them are merged."""

    def __init__(self) -> None:
        self.places: dict[bytes, int] = {}
        self.held: list[Ints] = []  # the values of the cards drawn by kind
        self.after: list[Ints] = []  # rows: six values drawn, number of cards dealt, line, weight

    def place(self, u: Ints, after: Ints) -> int:
        key = u.tobytes() + after.tobytes()
        if key not in self.places:
            self.places[key] = len(self.held)
            self.held.append(u)
            self.after.append(after)
        return self.places[key]

    def of_pairs(self, part: _HandSum) -> Ints:
        """For each pair of groups in `part.pairs`: the number of its root, or -1 for a pair that no line needs."""
        u = np.sort(np.column_stack([_by_group(side)[part.pairs[:, i]] for i, side in enumerate(part[:2])]))
        after = np.column_stack([part.values, part.dealt, part.line, part.weight])
        start = np.searchsorted(part.pair, np.arange(len(part.pairs) + 1))
        rows = np.diff(start)
        by_value = np.zeros(len(part.pairs), bool)
        by_value[part.pair[part.values[:, 0] < ANY_CARD]] = True
        u[~by_value] = np.where(u[~by_value] == _NONE, _NONE, 0)  # only the number of draws matters
        roots = np.full(len(part.pairs), -1, np.int64)
        (alone,) = np.nonzero(rows == 1)
        if len(alone):
            keys, inverse = distinct(np.column_stack([u[alone], after[start[alone]]]))
            roots[alone] = np.array([self.place(key[:6], key[np.newaxis, 6:]) for key in keys])[inverse]
        for k in np.flatnonzero(rows > 1).tolist():
            roots[k] = self.place(u[k], after[start[k] : start[k + 1]])
        return roots


def _laid_out(tables: HandTables, parts: Sequence[_HandSum]) -> HandCounter:
    roots = _Roots()
    drawn = [_joined(part, roots.of_pairs(part)) for part in parts]
    return HandCounter(tables.fine, _by_kind(drawn, len(roots.held)), _by_value(roots, tables.lines), tables.lines)


def _by_group(drawn: _Drawn) -> Ints:
    """For each group, the values of the cards drawn by kind."""
    values = np.full((int(drawn.group.max(initial=-1)) + 1, 3), _NONE)
    values[drawn.group] = drawn.u
    return values


class _JointDraws(NamedTuple):
    """The draws by kind of both hands together: each draw's root (draws,), its kinds (6, draws) sorted, and its number
    of orders (draws,)."""

    root: Ints
    kinds: NDArray[np.uint8]
    orders: Ints


def _joined(part: _HandSum, root_of: Ints) -> _JointDraws:
    used = np.flatnonzero(root_of >= 0)
    starts = [np.searchsorted(side.drawn_group, np.arange(side.drawn_group.max(initial=-1) + 2)) for side in part[:2]]
    begin = [start[part.pairs[used, i]] for i, start in enumerate(starts)]
    sizes = [np.diff(start)[part.pairs[used, i]] for i, start in enumerate(starts)]
    each = sizes[0] * sizes[1]
    if each.sum() > _MOST_DRAWS:
        raise InputError("pays: the lines look at too many cards of both hands, should look at fewer in one bet")
    number = np.arange(each.sum()) - np.repeat(each.cumsum() - each, each)
    i, j = np.divmod(number, np.repeat(sizes[1], each))
    i, j = i + np.repeat(begin[0], each), j + np.repeat(begin[1], each)
    kinds = np.empty((6, len(number)), np.uint8)
    kinds[:3] = part.player.drawn.astype(np.uint8).T[:, i]
    kinds[3:] = part.banker.drawn.astype(np.uint8).T[:, j]
    _put_in_order(kinds)
    return _JointDraws(np.repeat(root_of[used], each), kinds, part.player.drawn_orders[i] * part.banker.drawn_orders[j])


def _put_in_order(rows: NDArray[np.integer[Any]]) -> None:
    """Sort each column in place. For few rows this is many times faster than numpy's sort."""
    for end in range(len(rows) - 1, 0, -1):
        for k in range(end):
            rows[k], rows[k + 1] = np.minimum(rows[k], rows[k + 1]), np.maximum(rows[k], rows[k + 1])


def _by_kind(drawn: Sequence[_JointDraws], roots: int) -> Tree:
    if not drawn:
        return _tree(np.zeros((0, 7), np.int64), np.zeros(0, np.int64), np.zeros(0, np.int64), DECK, roots, {})
    root, kinds, orders = (np.concatenate(parts, axis=-1) for parts in zip(*drawn, strict=True))
    first, inverse = groups([*kinds, root], len(root))
    weight = np.bincount(inverse, orders).astype(np.int64)
    draws = np.column_stack([np.zeros(len(first), np.int64), kinds[:, first].T])
    return _tree(draws, root[first], weight, DECK, roots, {})


def _by_value(roots: _Roots, lines: int) -> Tree:
    """A tree with five slots for each line: one for each number of cards dealt, two to six."""
    root = np.repeat(np.arange(len(roots.after)), [len(after) for after in roots.after])
    after = np.concatenate([np.zeros((0, 9), np.int64), *roots.after])
    order = np.lexsort([*after[:, 5::-1].T, root])
    drawn, (dealt, line, weight) = np.column_stack([root, after[:, :6]])[order], after[order, 6:].T
    before = {i: u[u != _NONE] for i, u in enumerate(roots.held)}
    return _tree(drawn, line * (COUP - 1) + dealt - 2, weight, _NONE, lines * (COUP - 1), before)


def _tree(drawn: Ints, slot: Ints, weight: Ints, none: int, slots: int, before: dict[int, Ints]) -> Tree:
    """A tree made from its terms. A row of `drawn` (terms, 7) has a term's base and then its draws, padded with `none`.
    The rows are in rising order. `before` has, for each base, the values of the cards that the sum in the base has
    drawn already."""
    terms = len(drawn)
    drawn_to = (drawn[:, 1:] != none).sum(axis=1)
    new = np.ones((terms, 7), bool)  # whether a term's draws up to a depth differ from the previous term's
    if terms:
        new[1:] = np.logical_or.accumulate(drawn[1:] != drawn[:-1], axis=1)
    new[:, 1:] &= drawn[:, 1:] != none
    row, depth = np.nonzero(new)
    less = np.zeros(len(row), np.int64)
    draw = drawn[row, depth]
    for back in range(1, 7):
        earlier = depth - back
        same = (earlier >= 1) & ((drawn[row, np.maximum(earlier, 0)] == draw) | ((none == _NONE) & (draw == ANY_CARD)))
        less += same
    if before:
        held = np.zeros((len(before), _NONE), np.int64)
        for base, values in before.items():
            held[base, :10] = np.bincount(values, minlength=10)[:10]
            held[base, ANY_CARD] = len(values)
        less += np.where(depth > 0, held[drawn[row, 0], np.minimum(draw, ANY_CARD)], 0)
    # A node is made for the first term that needs it. So a term's node is the latest node made at the depth of its last
    # draw.
    number = np.full((terms, 7), -1, np.int64)
    number[row, depth] = np.arange(len(row))
    number = np.maximum.accumulate(number, axis=0) if terms else number
    node = number[np.arange(terms), drawn_to]
    order = np.argsort(node, kind="stable")
    first = np.searchsorted(node[order], np.arange(len(row) + 1))
    return Tree(
        depth.astype(np.uint8),
        less.astype(np.uint8),
        draw.astype(np.int32),
        first.astype(np.int64),
        slot[order].astype(np.int32),
        weight[order].astype(np.int64),
        slots,
    )
