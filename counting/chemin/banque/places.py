"""Equilibria at the places that `exclusion` leaves: x, y in each case and Banker's q, as fractions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import NamedTuple

from counting.chemin.banque.coups_dealt import TwoCell
from counting.chemin.banque.exclusion import Box, Strip, Way
from counting.chemin.banque.stakes import Affine, Cell, ThirdCardCase
from counting.chemin.mixes import best_mix

_MOST_COMBINED = 64  # how many ways to choose one span, or one reply, in every case are tried at most
_SIMPLE = 1 << 16  # an x whose denominator is at most this is tried

_LIMITS: Mapping[Way, tuple[int | None, int | None]] = {-1: (None, 0), 0: (0, 0), 1: (0, None)}


class Place(NamedTuple):
    """Strips of x that touch one another, joined into one interval, with the spans of y in each case."""

    ways: frozenset[Way]
    low: Fraction
    high: Fraction
    spans: tuple[tuple[Span, ...], ...]


class Span(NamedTuple):
    """Boxes of y in one case that touch one another, joined into one interval. `unsure` are Banker's cells that are
    undecided in any of these boxes. `decided` is Banker's play in the other cells. `first` and `second` are the
    Players' gains by drawing if Banker stands in the unsure cells."""

    ways: frozenset[Way]
    low: Fraction
    high: Fraction
    unsure: tuple[Cell, ...]
    decided: Mapping[TwoCell, Fraction]
    first: Affine
    second: Affine


class Profile(NamedTuple):
    """A play of each of the three: x, y for each case, and q for each of Banker's cells."""

    first: Fraction
    second: dict[int | None, Fraction]
    banker: dict[TwoCell, Fraction]


def places(cases: Sequence[ThirdCardCase], left: Sequence[Strip], digits: int) -> list[Place]:
    """All places, in the order of x."""
    groups: list[list[Strip]] = []
    for strip in sorted(left, key=lambda strip: (strip.low, strip.high)):
        if groups and strip.low <= groups[-1][-1].high:
            groups[-1].append(strip)
        else:
            groups.append([strip])
    return [
        Place(
            frozenset(strip.way for strip in group),
            Fraction(group[0].low, 1 << digits),
            Fraction(max(strip.high for strip in group), 1 << digits),
            tuple(
                tuple(_spans(case, group[0].low, [box for strip in group for box in strip.boxes[i]], digits))
                for i, case in enumerate(cases)
            ),
        )
        for group in groups
    ]


def _spans(case: ThirdCardCase, x: int, boxes: Sequence[Box], digits: int) -> Iterator[Span]:
    groups: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: (box.low, box.high)):
        if groups and box.low <= max(other.high for other in groups[-1]):
            groups[-1].append(box)
        else:
            groups.append([box])
    at = Fraction(x, 1 << digits)
    for group in groups:
        names = {cell.cells for box in group for cell in box.unsure}
        low, high = (Fraction(n, 1 << digits) for n in (group[0].low, max(box.high for box in group)))
        first, second = case.first, case.second
        decided: dict[TwoCell, Fraction] = {}
        for cell in case.cells:
            if cell.cells not in names:
                draws = _cost(cell, at, low) < 0
                decided |= dict.fromkeys(cell.cells, Fraction(draws))
                first = first[0] + draws * cell.first[0], first[1] + draws * cell.first[1]
                second = second[0] + draws * cell.second[0], second[1] + draws * cell.second[1]
        unsure = tuple(cell for cell in case.cells if cell.cells in names)
        yield Span(frozenset(box.way for box in group), low, high, unsure, decided, first, second)


def profiles(cases: Sequence[ThirdCardCase], place: Place) -> Iterator[list[Profile]]:
    """For each way to choose one span in every case, the profiles that may be an equilibrium. Only the first
    `_MOST_COMBINED` ways are tried. If an exact equilibrium is found, it is the only profile for this way. Otherwise
    there are up to two profiles, which may be near an equilibrium."""
    for spans in islice(product(*place.spans), _MOST_COMBINED):
        starts = list(_starts(place, spans))
        exact = (_solved(cases, spans, x, way, True) for x, way in starts)
        if proven := next((profile for profile, is_exact in filter(None, exact) if is_exact), None):
            yield [proven]
        else:
            near = [_solved(cases, spans, x, way, loose) for loose in (True, False) for x, way in starts[-1:]]
            yield [some[0] for some in near if some]


def _starts(place: Place, spans: Sequence[Span]) -> Iterator[tuple[Fraction, Way]]:
    """The x at which an exact equilibrium is looked for, each with whether the first Player never draws, mixes or
    always draws there (`Way`). If the first may mix, the last x is the middle of the place."""
    if -1 in place.ways:
        yield Fraction(0), -1
    if 1 in place.ways:
        yield Fraction(1), 1
    if 0 not in place.ways:
        return
    roots: set[Fraction] = set()
    for span in spans:
        ends = {Fraction(way > 0) for way in span.ways if way}
        for cell in span.unsure:
            a, b, c, d = cell.cost
            vertical = [Fraction(0)] if not c and not d else []
            roots |= {-(a + c * y) / (b + d * y) for y in (ends or vertical) if b + d * y}
        if span.second[1]:
            roots.add(Fraction(-span.second[0], span.second[1]))
    middle = (place.low + place.high) / 2
    roots.add(middle.limit_denominator(_SIMPLE))
    yield from ((x, 0) for x in sorted(roots) if place.low <= x <= place.high and 0 < x < 1)
    yield middle, 0


def _cost(cell: Cell, x: Fraction, y: Fraction) -> Fraction:
    a, b, c, d = cell.cost
    return a + b * x + c * y + d * x * y


def _at(form: tuple[int | Fraction, int | Fraction], p: Fraction) -> Fraction:
    return form[0] + form[1] * p


class _SecondReply(NamedTuple):
    """For one case and some x: the least and the largest gain of the first Player by drawing. `second` and `banker` are
    the second's y and Banker's q that lead to the least gain, and to the largest."""

    gains: tuple[Fraction, Fraction]
    second: tuple[Fraction, Fraction]
    banker: tuple[dict[TwoCell, Fraction], dict[TwoCell, Fraction]]


def _solved(
    cases: Sequence[ThirdCardCase], spans: Sequence[Span], x: Fraction, way: Way, strictly: bool
) -> tuple[Profile, bool] | None:
    """A profile with this x in which the first Player gains the least by another play, and whether this gain is 0. None
    if no profile is found. If `strictly`, Banker mixes only in cells in which drawing and standing cost the same."""
    by_case = [list(_replies(span, x, strictly)) for span in spans]
    best: tuple[Fraction, Profile] | None = None
    for replies in islice(product(*by_case), _MOST_COMBINED):
        low, high = (sum((reply.gains[end] for reply in replies), Fraction(0)) for end in (0, 1))
        if way < 0 or low >= 0 == way:
            share, left = Fraction(0), max(low, Fraction(0))
        elif way > 0 or high <= 0:
            share, left = Fraction(1), max(-high, Fraction(0))
        else:
            share, left = low / (low - high), Fraction(0)
        if best is None or left < best[0]:
            best = left, _between(cases, spans, x, replies, share)
    return best and (best[1], best[0] == 0)


def _between(
    cases: Sequence[ThirdCardCase], spans: Sequence[Span], x: Fraction, replies: Sequence[_SecondReply], share: Fraction
) -> Profile:
    banker: dict[TwoCell, Fraction] = {}
    for reply in replies:
        banker |= {cell: (1 - share) * p + share * reply.banker[1][cell] for cell, p in reply.banker[0].items()}
    for span in spans:
        banker |= span.decided
    second = {
        case.state: (1 - share) * reply.second[0] + share * reply.second[1]
        for case, reply in zip(cases, replies, strict=True)
    }
    return Profile(x, second, banker)


def _replies(span: Span, x: Fraction, strictly: bool) -> Iterator[_SecondReply]:
    """Pairs of a play of the second Player and a play of Banker in a span, each a best reply to the other. If not
    `strictly`, Banker may mix in every unsure cell."""
    for way in sorted(span.ways):
        if way:
            yield from _reply(span, (x, Fraction(way > 0)), way, strictly)
            continue
        costs = [(a + b * x, c + d * x) for a, b, c, d in (cell.cost for cell in span.unsure)]
        roots = sorted(y for y in {-level / slope for level, slope in costs if slope} if span.low <= y <= span.high)
        ys = sorted({span.low, *roots, span.high}) if strictly else roots or [(span.low + span.high) / 2]
        for y in ys:
            yield from _reply(span, (x, y), way, strictly)
        if strictly:
            for low, high in pairwise(ys):
                yield from _between_roots(span, x, low, high)


def _between_roots(span: Span, x: Fraction, low: Fraction, high: Fraction) -> Iterator[_SecondReply]:
    """Any y between two roots, if Banker's play between the roots makes the second Player indifferent."""
    for reply in _reply(span, (x, (low + high) / 2), 0, True):
        first: tuple[int | Fraction, int | Fraction] = span.first
        for cell in span.unsure:
            q = reply.banker[0][cell.cells[0]]
            first = first[0] + q * cell.first[0], first[1] + q * cell.first[1]
        ends = sorted((_at(first, y), y) for y in (low, high))
        yield _SecondReply((ends[0][0], ends[1][0]), (ends[0][1], ends[1][1]), (reply.banker[0], reply.banker[0]))


def _reply(span: Span, at: tuple[Fraction, Fraction], way: Way, strictly: bool) -> Iterator[_SecondReply]:
    x, y = at
    gain, first = _at(span.second, x), span.first
    banker: dict[TwoCell, Fraction] = {}
    open_cells = []
    for cell in span.unsure:
        cost = _cost(cell, x, y)
        if cost == 0 or not strictly:
            open_cells.append(cell)
            continue
        banker |= dict.fromkeys(cell.cells, Fraction(cost < 0))
        if cost < 0:
            gain += _at(cell.second, x)
            first = first[0] + cell.first[0], first[1] + cell.first[1]
    steps = [_at(cell.second, x) for cell in open_cells]
    low, high = (gain + sum((end(step, Fraction(0)) for step in steps), Fraction(0)) for end in (min, max))
    least, most = _LIMITS[way]
    if (least is not None and high < least) or (most is not None and low > most):
        return
    worth = [_at(cell.first, y) for cell in open_cells]
    mixes = [best_mix([sign * w for w in worth], gain, steps, least, most) for sign in (-1, 1)]
    sums = [_at(first, y) + sum((w * q for w, q in zip(worth, mix, strict=True)), Fraction(0)) for mix in mixes]
    plays = [
        banker | {name: q for cell, q in zip(open_cells, mix, strict=True) for name in cell.cells} for mix in mixes
    ]
    yield _SecondReply((sums[0], sums[1]), (y, y), (plays[0], plays[1]))
