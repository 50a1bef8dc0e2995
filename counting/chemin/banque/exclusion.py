"""Banque with Players apart: every x at which an equilibrium of both Players and Banker cannot be excluded.

x is the first Player's probability of drawing on five. y is the second Player's probability of drawing on five in a
case. A case is what the second knows of the first's third card. q is Banker's probability of drawing in a cell.

The interval of x is halved again and again, and with it the interval of y in each case. A box is an interval of x with
an interval of y. On a box, Banker's cost of drawing in a cell is affine in x and in y. If the cost has the same sign
at all corners of the box, Banker's move is decided. In the other cells, which are `unsure`, q may be any number.

A box is dropped if the second Player's gain by drawing is nowhere 0. The single points y = 0 and y = 1 are exceptions:
y = 0 is dropped only if the gain is above 0 everywhere, and y = 1 only if it is below 0 everywhere. An interval of x is
dropped in the same way, according to the first Player's gain.

Weak duality bounds the first Player's gain where the second's gain is 0. There, subtracting a multiple of the second's
gain does not change the first's gain. The difference is affine in x, in y and in each q, so its values at corners bound
the first's gain. The multiple is the multiplier of the linear program in q at the middle of the box. It is rounded,
which makes the bound weaker but never wrong.

All numbers are whole: x is i / 2^k, and y is j / 2^k.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Literal, NamedTuple

from counting.chemin.banque.stakes import Affine, Cell, ThirdCardCase

Way = Literal[-1, 0, 1]  # never draws, mixes, always draws

_MOST_BOXES = 64  # with more boxes of y in a case, or more strips in which the first mixes, nothing is cut further
_FINE = 96  # binary digits of a multiple


class Box(NamedTuple):
    """The y from `low` / 2^k to `high` / 2^k. `low` equals `high` if the second Player never draws or always draws.
    `first` is the first Player's gain by drawing, affine in y; `second` is the second Player's gain, affine in x. In
    both, Banker moves as decided in the decided cells and stands in the `unsure` cells."""

    way: Way
    low: int
    high: int
    first: Affine
    second: Affine
    unsure: tuple[Cell, ...]


class Strip(NamedTuple):
    """The x from `low` / 2^k to `high` / 2^k, and the boxes of y that are left in each case."""

    way: Way
    low: int
    high: int
    boxes: tuple[tuple[Box, ...], ...]


def strips(cases: Sequence[ThirdCardCase], digits: int) -> tuple[list[Strip], int]:
    """Strips that together hold all equilibria, and k. k is `digits`, or less if there are too many strips to cut
    further."""
    whole = tuple(
        tuple(Box(way, int(way > 0), int(way >= 0), case.first, case.second, case.cells) for way in (-1, 0, 1))
        for case in cases
    )
    left = [strip for way in (-1, 0, 1) if (strip := _narrowed(Strip(way, int(way > 0), int(way >= 0), whole), 0))]
    for k in range(1, digits + 1):
        cut = [half for strip in left for half in _halves(strip, k)]
        if sum(half.way == 0 for half in cut) > _MOST_BOXES and k > _MOST_BOXES.bit_length():
            return left, k - 1
        left = cut
    return left, digits


def _halves(strip: Strip, k: int) -> Iterator[Strip]:
    """The halves of a strip of k - 1 digits, without the boxes that hold no equilibrium."""
    boxes = tuple(_cut(case) for case in strip.boxes)
    low, high = 2 * strip.low, 2 * strip.high
    for start, end in ((low, low + 1), (low + 1, high)) if high > low else ((low, high),):
        if narrowed := _narrowed(Strip(strip.way, start, end, boxes), k):
            yield narrowed


def _cut(case: Sequence[Box]) -> tuple[Box, ...]:
    """The halves of the boxes of a case. If the case has more than `_MOST_BOXES` boxes, they are kept whole. Ends are
    doubled, because k is now larger by 1."""
    cut = []
    for box in case:
        low, high = 2 * box.low, 2 * box.high
        ends = [low, (low + high) // 2, high] if high > low and len(case) <= _MOST_BOXES else [low, high]
        cut += [box._replace(low=start, high=end) for start, end in pairwise(ends)]
    return tuple(cut)


def _narrowed(strip: Strip, k: int) -> Strip | None:
    """A strip without the boxes that hold no equilibrium. None if a case has no box left, or if the first Player's gain
    excludes the whole strip."""
    left: list[tuple[Box, ...]] = []
    least = most = 0
    for case in strip.boxes:
        bounded = [part for box in case if (part := _bounded(box, strip, k))]
        if not bounded:
            return None
        left.append(tuple(box for box, _, _ in bounded))
        least += min(low for _, low, _ in bounded)
        most += max(high for _, _, high in bounded)
    if (strip.way >= 0 and most < 0) or (strip.way <= 0 and least > 0):
        return None
    return strip._replace(boxes=tuple(left))


def _bounded(box: Box, strip: Strip, k: int) -> tuple[Box, int, int] | None:
    """A box with Banker's move decided in every cell where it can be decided, and bounds of the first Player's gain.
    None if the box is dropped."""
    xs, ys, scale = {strip.low, strip.high}, {box.low, box.high}, 1 << k
    if not box.unsure:  # most boxes: both gains are affine
        seconds = [_at(box.second, x, scale) for x in xs]
        if (box.way >= 0 and max(seconds) < 0) or (box.way <= 0 and min(seconds) > 0):
            return None
        firsts = [_at(box.first, y, scale) for y in ys]
        return box, min(firsts), max(firsts)
    first, second, unsure = box.first, box.second, []
    for cell in box.unsure:
        a, b, c, d = cell.cost
        costs = [(a * scale + c * y) * scale + (b * scale + d * y) * x for x in xs for y in ys]
        low, high = min(costs), max(costs)
        if high < 0:
            first = first[0] + cell.first[0], first[1] + cell.first[1]
            second = second[0] + cell.second[0], second[1] + cell.second[1]
        elif low <= 0:
            unsure.append(cell)
    box = box._replace(first=first, second=second, unsure=tuple(unsure))
    gains = [(_at(second, x, scale), [_at(cell.second, x, scale) for cell in unsure]) for x in xs]
    if box.way >= 0 and max(gain + sum(s for s in steps if s > 0) for gain, steps in gains) < 0:
        return None
    if box.way <= 0 and min(gain + sum(s for s in steps if s < 0) for gain, steps in gains) > 0:
        return None
    worth = [(_at(first, y, scale), [_at(cell.first, y, scale) for cell in unsure]) for y in ys]
    corners = list(product(worth, gains))
    middle = _middle(worth), _middle(gains)
    return box, -_most(corners, middle, -1, box.way), _most(corners, middle, 1, box.way)


# a gain if Banker stands in the unsure cells, and what Banker's drawing in each of them adds
Form = tuple[int, list[int]]


def _at(form: Affine, end: int, scale: int) -> int:
    return form[0] * scale + form[1] * end


def _middle(forms: Sequence[Form]) -> Form:
    """Twice the form at the middle of a box's side, from the forms at its ends; a side may be a single point."""
    gains, steps = zip(*forms, strict=True)
    times = 2 // len(forms)
    return times * sum(gains), [times * sum(step) for step in zip(*steps, strict=True)]


def _most(corners: list[tuple[Form, Form]], middle: tuple[Form, Form], sign: int, way: Way) -> int:
    """An upper bound, by weak duality, of `sign` times the first Player's gain, where the second's gain is 0. If the
    second never draws, its gain may be below 0 too, and above 0 if it always draws."""
    (_, steps), (gain, moves) = middle
    multiple = _multiple([sign * step for step in steps], gain, moves)
    # At y = 0 the second's gain is at most 0, at y = 1 at least 0. So only one sign of the multiple is allowed.
    multiples = {0, multiple} if way * multiple <= 0 else {0}
    return min(_dual(corners, sign, n) for n in multiples)


def _dual(corners: list[tuple[Form, Form]], sign: int, multiple: int) -> int:
    """The largest value at the corners, over all q, of sign * (first's gain) - multiple / 2^_FINE * (second's gain),
    rounded up."""
    worst = []
    for (worth, steps), (gain, moves) in corners:
        total = (sign * worth << _FINE) - multiple * gain
        for step, move in zip(steps, moves, strict=True):
            total += max(0, (sign * step << _FINE) - multiple * move)
        worst.append(total)
    return -(-max(worst) >> _FINE)


def _multiple(worth: list[int], gain: int, moves: list[int]) -> int:
    """The problem is to maximize sum(worth * q) over the q from 0 to 1, where `gain` + sum(moves * q) = 0. Returns
    2^_FINE times the multiplier of this condition."""
    at = gain + sum(move for w, move in zip(worth, moves, strict=True) if w > 0)
    toward = -1 if at > 0 else 1
    ratios = sorted((abs(w / move), w, move) for w, move in zip(worth, moves, strict=True) if move)
    for _, w, move in ratios:
        if (w > 0) != (move * toward > 0):  # changing this q moves the sum to 0
            at += abs(move) * toward
            if at * toward >= 0:
                return (w << _FINE) // move
    return 0
