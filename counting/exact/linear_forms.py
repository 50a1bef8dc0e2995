"""Rules compiled to linear forms: what the evaluator adds up.

A form has an integer weight w(m) for each of the 5,005 multisets m of six point values. w(m) is the number of orders of
these values in which an event happens. So the number of ordered six-card deals of a composition n in which the event
happens is

    sum over m of w(m) * prod_v n_v(n_v-1)...(n_v-m_v+1).

This exact integer is the form's count.

A coup of four cards has the same result whatever two cards follow. So in a shoe of N cards, (N-4)(N-5) six-card deals
begin with it. A form may therefore have weights for the multisets of the cards that coups take. There are 715 multisets
of four values, 2,002 of five and 5,005 of six, in this order. Such a form often has fewer nonzero weights.

`weigh` makes the forms of a tableau. `weigh_by_cards` makes the same forms with weights by the cards that coups take.
`pack` lays forms out for `counting.exact._forms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, reduce
from itertools import combinations_with_replacement, pairwise
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Int32s, Ints
from counting.cards import COUP
from counting.exact import _forms

MULTISETS, WEIGHTS = 5005, 7722
STORED, _FALLING = 126, 70  # as in `_forms.h`: multisets of at most four cards of five values, falling factorials
_SIZES = 4, 5, COUP  # the numbers of cards that a coup may take
_ROWS, _WIDE = 3, 5


class Halves(NamedTuple):
    """The multisets of at most six cards of five values, by size, then in lexicographic order. A multiset of cards of
    all ten values consists of two such halves: the low half has the values 0 to 4, and the high half has the values 5
    to 9.

    `first[k]` is the index of the first half of size k. `step[i, v]` is the index of the half that one more card of
    value v makes of half i, which has at most five cards. `low_base[i] + high_local[j]` is the index, among the 5,005
    multisets, of the multiset with low half i and high half j.
    """

    members: tuple[tuple[int, ...], ...]
    first: Int32s
    step: Int32s
    low_base: Int32s
    high_local: Int32s


@cache
def halves() -> Halves:
    members = tuple(m for size in range(7) for m in combinations_with_replacement(range(5), size))
    place = {m: i for i, m in enumerate(members)}
    sizes = [sum(len(m) == size for m in members) for size in range(7)]
    first = np.cumsum([0, *sizes])
    step = np.array([[place[tuple(sorted((*m, v)))] for v in range(5)] for m in members if len(m) < 6])
    block = np.cumsum([0] + [sizes[k] * sizes[6 - k] for k in range(7)])
    low_base = [block[len(m)] + (i - first[len(m)]) * sizes[6 - len(m)] for i, m in enumerate(members)]
    high_local = [i - first[len(m)] for i, m in enumerate(members)]
    ints = [np.asarray(a, np.int32) for a in (first, step, low_base, high_local)]
    return Halves(members, *ints)


def multisets() -> list[tuple[int, ...]]:
    """The 5,005 multisets in the order of a form's weights, each as six values in rising order."""
    h = halves()
    both: list[tuple[int, ...]] = []
    for k in range(7):
        highs = [tuple(v + 5 for v in m) for m in h.members if len(m) == 6 - k]
        both += [low + high for low in h.members if len(low) == k for high in highs]
    return both


@cache
def _factors() -> Ints:
    """For each value and each multiset (10, 5005): the place of the multiset's factor for this value in a table (10,
    7), which is indexed by the value and the number of cards."""
    held = np.array([np.bincount(multiset, minlength=10) for multiset in multisets()], np.int64)
    return np.ascontiguousarray((held + (COUP + 1) * np.arange(10)).T)


@lru_cache(maxsize=16)
def deals_of_multisets(values: tuple[int, ...]) -> Ints:
    """The number of ways to draw each multiset's values in a given order (5005,) from a shoe with `values[v]` cards of
    each value v. A form's weights multiply these numbers."""
    table = np.ones((10, COUP + 1), np.int64)
    table[:, 1:] = np.array(values)[:, np.newaxis] - np.arange(COUP)
    products = table.cumprod(axis=1).reshape(-1)
    return np.asarray(reduce(np.multiply, (products[places] for places in _factors())), np.int64)


def weigh(player: Int32s, banker: Int32s, classes: Int32s, allowed: Int32s, number: int | None = None) -> Int32s:
    """The form of each class of outcomes under a tableau (classes, 5005). If all cards are allowed, the forms' weights
    for a multiset m sum to 6!/prod m_v!.

    `player[total]` and `banker[total, third]` are 1 if the hand draws, and -1 if the hand's total ends the coup. The
    entry `third` = 10 is for a Player who stood. `classes[p, b, p_drew, b_drew]` is the index of the outcome's class,
    and `number` is how many classes there are. `allowed[place, value]` is 1 if the card at this place in dealing order
    may have this value.
    """
    h = halves()
    out = np.zeros((number or int(classes.max()) + 1, MULTISETS), np.int32)
    _forms.sequences(player, banker, classes, allowed, h.step, h.low_base, h.high_local, out)
    return out


def weigh_by_cards(player: Int32s, banker: Int32s, classes: Int32s) -> tuple[Int32s, Int32s]:
    """The forms of `weigh` if all cards are allowed (classes, 5005), and the same forms with weights for the multisets
    of four, five and six values (classes, 7722). In the latter forms, a coup counts for the multiset of the cards that
    it takes."""
    h, cards = halves(), np.array([[4, 5], [5, 6]])
    starts, ends = h.first[:-1], h.first[1:]
    number, anything = int(classes.max()) + 1, np.ones((COUP, 10), np.int32)
    by_six = np.where(cards == COUP, classes + number, classes).astype(np.int32)
    apart = weigh(player, banker, by_six, anything, 2 * number)
    parts = []
    for size in _SIZES[:-1]:
        # Here a card that the coup does not take may only have the value 0, which stands for any card.
        allowed, zeros = anything.copy(), (0,) * (COUP - size)
        allowed[size:, 1:] = 0
        of_size = weigh(player, banker, np.where(cards == size, classes, number).astype(np.int32), allowed, number + 1)
        places = [
            np.add.outer(
                h.low_base[[h.members.index(zeros + low) for low in h.members[starts[k] : ends[k]]]],
                h.high_local[starts[size - k] : ends[size - k]],
            ).reshape(-1)
            for k in range(size + 1)
        ]
        parts.append(of_size[:number, np.concatenate(places)])
    return apart[:number] + apart[number:], np.hstack([*parts, apart[number:]])


@dataclass(frozen=True, eq=False)
class Program:
    """Forms laid out for the kernel; see the head of `_forms_body.h`. `weights` are the weights of groups, of wide
    groups, and of multisets that lie in one half."""

    layout: _forms.Index
    weights: tuple[Ints, Ints, Ints]
    forms: int

    @cached_property
    def float_weights(self) -> tuple[Floats, Floats, Floats]:
        """The weights in float64, for the kernel. They are kept, because for one shoe the conversion may take as long
        as the counting."""
        groups, wide, single = self.weights
        return groups.astype(float), wide.astype(float), single.astype(float)


def in_parts(forms: Int32s) -> Int32s:
    """Forms (forms, 7722) from forms that have weights for six cards only (forms, 5005)."""
    return np.pad(forms, ((0, 0), (WEIGHTS - forms.shape[1], 0)))


def _grouped(matrix: Int32s) -> list[list[int]]:
    """The indices of the non-zero rows, in groups of up to three rows that share many non-zero columns."""
    bits = np.packbits(matrix != 0, axis=1)
    packed, wide = bits.tobytes(), bits.shape[1]
    # for each row, a whole number with a bit for each column
    columns = [int.from_bytes(packed[i : i + wide]) for i in range(0, len(packed), wide)]
    size = [row.bit_count() for row in columns]
    left = sorted((r for r, row in enumerate(columns) if row), key=lambda r: -size[r])
    groups = []
    while left:
        group = [left.pop(0)]
        union = columns[group[0]]
        while left and len(group) < _ROWS:
            # The next row is the row for which the number of columns that it adds, minus the number that it shares, is
            # least.
            extra = [size[r] - 2 * (columns[r] & union).bit_count() for r in left]
            group.append(left.pop(extra.index(min(extra))))
            union |= columns[group[-1]]
        groups.append(group)
    return groups


def _slot(half_multiset: int, high: bool) -> int:
    """The slot of a half-multiset of at most four cards."""
    return _FALLING + STORED * high + half_multiset


@cache
def _pairs(high: bool) -> list[tuple[int, int]]:
    """For each half-multiset, of low or of high values: the two slots whose numbers, multiplied, give the number of
    ways to draw it. One slot is for the cards of the commonest value. The other slot is for the other cards, at most
    four."""
    members = halves().members
    place = {m: i for i, m in enumerate(members)}
    pairs = [(0, 0)]  # for no cards: slot 0 twice, which is for no cards of value 0 and holds 1
    for m in members[1:]:
        most = max(m, key=m.count)
        others = tuple(value for value in m if value != most)
        pairs.append((_slot(place[others], high), 7 * (most + 5 * high) + m.count(most)))
    return pairs


def pack(forms: Int32s) -> Program:
    """Lay out weights (forms, 5005), or weights (forms, 7722) that begin with the weights for coups of four and of five
    cards. Columns without a weight are left out. Three rows share an inner loop. In a wide group, which has one card of
    one half and five of the other, five rows share an inner loop."""
    h = halves()
    of_size = [range(start, end) for start, end in pairwise(h.first.tolist())]  # half-multisets
    part_group, rows, group_start, inner, weights = [0], [], [0], [], []
    wide_start, wide, wide_weights = [0], [], []
    part_single, single, single_weights = [0], [], []
    for form in in_parts(forms):
        start = 0
        for size, k in ((cards, low) for cards in _SIZES for low in range(cards + 1)):
            fewer, more = of_size[min(k, size - k)], of_size[max(k, size - k)]
            matrix = form[start : start + len(fewer) * len(more)].reshape(len(of_size[k]), -1)
            start += matrix.size
            high = 2 * k <= size  # whether the columns are half-multisets of high values
            if not high:
                matrix = matrix.T
            used = np.flatnonzero(matrix.any(axis=0)).tolist()
            pairs = [_pairs(high)[more[i]] for i in used]
            if len(fewer) == 1:
                odd = len(used) % 2  # the kernel takes two products at a time
                single += pairs + [(0, 0)] * odd
                single_weights += [*matrix[0, used].tolist(), *[0] * odd]
            elif more == of_size[COUP - 1]:
                wide += pairs
                wide_weights.append(matrix[:, used].T)
                wide_start.append(len(wide))
            else:
                for group in _grouped(matrix):
                    chosen = matrix[group]
                    used = np.flatnonzero(chosen.any(axis=0)).tolist()
                    block = np.zeros((len(used) + len(used) % 2, _ROWS), np.int64)  # an even number of columns here too
                    block[: len(used), : len(group)] = chosen[:, used].T
                    inner += [*(_slot(more[i], high) for i in used), *[0] * (len(used) % 2)]
                    weights.append(block)
                    group_start.append(len(inner))
                    rows.append([*(_slot(fewer[r], not high) for r in group), *[0] * (_ROWS - len(group))])
            if k == size:
                part_group.append(len(rows))
                part_single.append(len(single))
    # A form may be empty. So each array that would then be empty gets one unused entry.
    weights.append(np.zeros((1, _ROWS), np.int64))
    wide_weights.append(np.zeros((1, _WIDE), np.int64))
    products = [pair for high in (False, True) for pair in _pairs(high)[:STORED]]
    groups = part_group, [*rows, [0] * _ROWS], group_start, [*inner, 0]
    index = products, *groups, wide_start, [*wide, (0, 0)], part_single, [*single, (0, 0)]
    return Program(
        _forms.Index(*(np.array(a, np.int32) for a in index)),
        (
            np.concatenate(weights),
            np.concatenate(wide_weights, dtype=np.int64),
            np.array([*single_weights, 0], np.int64),
        ),
        len(forms),
    )
