"""Tables that say which line of a bet two hands meet, indexed by the hands' labels. A hand's label is everything about
the hand that the bet's conditions look at.

A label consists of a value and a detail. The value follows from the point values of the hand's cards. It has the
totals, point values and numbers of cards that conditions look at and, if third cards matter, what decides whether they
are drawn. The detail has the ranks, suits and colours that conditions look at. So a table of lines has four axes: the
value and the detail of each hand. It is made once for each tableau.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Ints
from counting.cards import DECK
from counting.errors import InputError
from counting.games.conditions import SIDES, Conditions
from counting.games.hands import FIRST_TOTAL, THIRD_VALUE, VALUE, Feature, Look, Shown, alike, looks_of, meets
from counting.games.tableau import STOOD, Tableau

_MOST_CELLS = 1 << 24  # how many cells a table of lines may have
_MOST_TRIED = 1 << 28  # the largest allowed product of the number of cells and of the conditions tried on each cell
_MOST_LOOKS = 100
_ANY_CARD: Look = (0,) * DECK


def distinct(rows: Ints) -> tuple[Ints, Ints]:
    """The different rows in order, and for each row its index among them. It does the same as numpy's `unique` by rows,
    but is many times faster on rows of small numbers."""
    first, inverse = groups(rows.T, len(rows))
    return rows[first], inverse


def groups(columns: Iterable[NDArray[np.integer[Any]]], rows: int) -> tuple[Ints, Ints]:
    """The groups of equal rows in an array that is given by its columns, sorted by the numbers in the rows. Returns the
    index of one row of each group, and for each row the index of its group."""
    code = np.zeros(rows, np.int64)
    most = 1
    for column in columns if rows else ():
        low = column.min()
        span = int(column.max() - low) + 1
        if most * span >= 1 << 62:
            codes, code = np.unique(code, return_inverse=True)
            most = len(codes)
        code *= span
        code += column - low
        most *= span
    order = np.argsort(code)
    rising = code[order]
    is_new = np.ones(rows, bool)
    np.not_equal(rising[1:], rising[:-1], out=is_new[1:])
    inverse = np.empty(rows, np.int64)
    inverse[order] = is_new.cumsum() - 1
    return order[is_new], inverse


def joined(looks: Sequence[Look]) -> Look:
    """One look for several (a look is an attribute of cards, such as the suit; see `hands`). Two cards are equal in it
    exactly if they are equal in all of `looks`."""
    keys = list(zip(*looks, strict=True)) if looks else [()] * DECK
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return tuple(number[key] for key in keys)


@dataclass(frozen=True, eq=False)
class Side:
    """What conditions look at in a hand. `values` are features that follow from point values, `details` are other
    features. `thirds` says whether the third card matters, `by_value` whether point values matter."""

    values: tuple[Feature, ...]
    details: tuple[Feature, ...]
    thirds: bool
    by_value: bool

    @property
    def coarse(self) -> Look:
        """The look that says which cards the value of a label distinguishes: by point value, or not at all."""
        return VALUE if self.by_value else _ANY_CARD

    @cached_property
    def fine_first(self) -> tuple[Look, ...]:
        return tuple(dict.fromkeys(look for feature in self.details for look in feature.first))

    @cached_property
    def fine_third(self) -> tuple[Look, ...]:
        thirds = (look for feature in self.details for look in feature.third or ())
        return tuple(dict.fromkeys(thirds)) if self.thirds else ()


@dataclass(frozen=True, eq=False)
class Hands:
    """Hands, one in each row. `cards` (rows, 3) are the hand's cards, with one card standing for all cards of a kind,
    and -1 for no third card. `orders` (rows,) is the number of orders in which the first two cards can come: 1 if they
    are of the same kind, otherwise 2."""

    cards: Ints
    orders: Ints

    @classmethod
    def all(cls, first: Look, third: Look, thirds: bool) -> Hands:
        """Every hand of two cards and, with `thirds`, every hand of three. Cards of one kind count as the same card:
        the first two cards if they are equal in the look `first`, third cards if they are equal in the look `third`."""
        ones, threes = _one_of_each(first), _one_of_each(third)
        a, b = np.triu_indices(len(ones))
        pairs = np.stack([ones[a], ones[b]], axis=1)
        last = np.concatenate([[-1], threes]) if thirds else np.array([-1])
        cards = np.column_stack([np.repeat(pairs, len(last), axis=0), np.tile(last, len(pairs))])
        return cls(cards, np.repeat(np.where(a == b, 1, 2), len(last)))

    def shows(self, feature: Feature) -> Ints:
        return feature.of(*self.cards.T)


def _one_of_each(look: Look) -> Ints:
    return np.array([look.index(kind) for kind in sorted(set(look))], np.int64)


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels that a hand may have. Each row of `values` is a possible value of a label, and each row of `details` a
    possible detail; the columns are what the features show. `possible` (values, details) says which values and details
    occur together in some hand."""

    side: Side
    values: Ints
    details: Ints
    possible: Bools

    @classmethod
    def of(cls, side: Side, fine: Look) -> Labels:
        coarse = Hands.all(side.coarse, side.coarse, side.thirds)
        values, _ = distinct(_shown(coarse, side.values))
        third = fine if side.fine_third else side.coarse
        hands = Hands.all(fine if side.details else side.coarse, third, side.thirds)
        details, _ = distinct(_shown(hands, side.details))
        possible = np.zeros((len(values), len(details)), bool)
        labels = cls(side, values, details, possible)
        possible[labels.value_of(hands), labels.detail_of(hands)] = True
        return labels

    def value_of(self, hands: Hands) -> Ints:
        """For each hand, the index in `values` of its label's value."""
        return _places(self.values, _shown(hands, self.side.values))

    def detail_of(self, hands: Hands) -> Ints:
        return _places(self.details, _shown(hands, self.side.details))


def _shown(hands: Hands, features: Sequence[Feature]) -> Ints:
    columns = [hands.shows(feature) for feature in features]
    return np.stack(columns, axis=1) if columns else np.zeros((len(hands.cards), 0), np.int64)


def _places(of: Ints, rows: Ints) -> Ints:
    """For each of `rows`, its index in `of`, in which it occurs exactly once."""
    if not rows.shape[1]:
        return np.zeros(len(rows), np.int64)
    low, span = of.min(axis=0), np.ptp(of, axis=0) + 1
    code = np.concatenate([[1], np.cumprod(span[:-1])])
    keys = (of - low) @ code
    order = np.argsort(keys)
    return np.asarray(order[np.searchsorted(keys, (rows - low) @ code, sorter=order)])


@dataclass(frozen=True, eq=False)
class HandTables:
    """Tables of the line that settles a bet, indexed by both hands' labels.

    - `line[player value, player detail, banker value, banker detail]`: the index of the line, or the number of lines if
      the hands meet no line. Values and details are given by their indices in `Labels`.
    - `together[player value, banker value]`: whether hands with these values can occur in the same coup.
    - `fine`: one look from which every look that the bet uses follows, and the point values too if they matter.
    - `parts`: for each part (see `hand_tables`), the numbers that the features of `apart` show.
    """

    lines: int
    labels: tuple[Labels, Labels]
    fine: Look
    line: Ints
    together: Bools
    parts: tuple[tuple[int, ...], ...]

    @cached_property
    def lines_met(self) -> list[int]:
        """The lines that coups can meet, and the number of lines if a coup can meet no line."""
        cells = _cells(*self.labels, self.together)
        return [int(line) for line in np.unique(self.line[cells])]


@lru_cache(maxsize=128)
def hand_tables(
    conditions: tuple[Conditions, ...], tableau: Tableau, apart: tuple[tuple[str, Feature], ...] = ()
) -> HandTables:
    """The tables for a bet whose lines have these conditions. The first line that the hands meet settles the bet.

    With `apart`, the tables also distinguish what the features of `apart` show. A part is one combination of these
    features' numbers that can occur; `parts` lists the parts. Each line is then split into one line for each part: line
    i and part j give the line `i * len(parts) + j`. Raises `InputError` for lines that look at too much at once.
    """
    if len({look for table in conditions for look in looks_of(table)}) > _MOST_LOOKS:
        raise _too_much(f"more than {_MOST_LOOKS} features of the hands")
    sides = _sides(conditions, apart, tableau)
    fine_looks = [look for side in sides for look in (*side.fine_first, *side.fine_third)]
    by_value = [VALUE] if any(side.by_value for side in sides) else []
    fine = joined([*by_value, *fine_looks])
    player, banker = (Labels.of(side, fine) for side in sides)
    shape = (*player.possible.shape, *banker.possible.shape)
    size = prod(shape)
    if size > _MOST_CELLS or size * sum(map(_tried, conditions)) > _MOST_TRIED:
        raise _too_much("too many features of both hands")
    shown = _by_label(player, banker)
    line = np.full(shape, len(conditions), np.int16)
    for i in range(len(conditions) - 1, -1, -1):
        line[meets(conditions[i], shown, shape)] = i
    together = _together(player, banker, tableau)
    if not apart:
        return HandTables(len(conditions), (player, banker), fine, line, together, ((),))
    values = [np.unique(shown[look]) for look in apart]
    part = np.zeros(shape, np.int64)
    for look, kinds in zip(apart, values, strict=True):
        part = part * len(kinds) + np.searchsorted(kinds, shown[look])
    cells = _cells(player, banker, together)
    used = np.unique(part[cells])
    parts = tuple(
        tuple(
            int(kinds[i])
            for kinds, i in zip(values, np.unravel_index(code, [len(kinds) for kinds in values]), strict=True)
        )
        for code in used.tolist()
    )
    lines = len(conditions) * len(parts)
    met = cells & (line < len(conditions))
    settling = np.full(shape, lines, np.int32)
    settling[met] = line[met].astype(np.int32) * len(parts) + np.searchsorted(used, part[met])
    return HandTables(lines, (player, banker), fine, settling, together, parts)


def _cells(player: Labels, banker: Labels, together: Bools) -> Bools:
    """For each cell of a table of lines, whether the hands of a coup can have its labels."""
    both = player.possible[:, :, np.newaxis, np.newaxis] & banker.possible[np.newaxis, np.newaxis]
    return np.asarray(both & together[:, np.newaxis, :, np.newaxis])


def _too_much(looked_at: str) -> InputError:
    return InputError(f"pays: the lines look at {looked_at}, should look at fewer in one bet")


def _tried(conditions: Conditions) -> int:
    """How many tables and simple conditions a table of conditions consists of, including itself and inner tables."""
    return 1 + len(conditions.wanted) + sum(_tried(table) for _, tables in conditions.combined for table in tables)


def _sides(
    conditions: Sequence[Conditions], apart: Sequence[tuple[str, Feature]], tableau: Tableau
) -> tuple[Side, Side]:
    looks = dict.fromkeys([*(look for table in conditions for look in looks_of(table)), *apart])
    features = {side: [feature for of, feature in looks if of == side] for side in SIDES}
    final = {side: any(feature.third is not None for feature in features[side]) for side in SIDES}
    thirds = {"player": any(final.values()), "banker": final["banker"]}
    made = []
    for side in SIDES:
        side_features = features[side]
        deciding = _deciding(tableau, side)[: thirds["player"] + thirds[side]]
        values = dict.fromkeys([*deciding, *(feature for feature in side_features if feature.by_value)])
        details = [feature for feature in side_features if not feature.by_value]
        made.append(Side(tuple(values), tuple(details), thirds[side], any(f.first or f.third for f in values)))
    return made[0], made[1]


def _deciding(tableau: Tableau, side: str) -> tuple[Feature, Feature]:
    """The two features of a hand that decide, under this tableau, whether third cards are drawn: the hand's first total
    and its third card's value. Each total or value is replaced by the least one that has the same effect."""
    totals = range(10)
    of_player = [
        [tableau.player_draws(p, b), *(tableau.banker_draws(p, b, third) for third in range(11))]
        for p in totals
        for b in totals
    ]
    decides = np.array(of_player).reshape(10, 10, 11 + 1)
    if side == "banker":
        return alike(FIRST_TOTAL, _classes(decides.swapaxes(0, 1))), alike(THIRD_VALUE, [0] * 10)
    return alike(FIRST_TOTAL, _classes(decides)), alike(THIRD_VALUE, _classes(decides[:, :, 1:11].transpose(2, 0, 1)))


def _classes(rows: Bools) -> list[int]:
    """For each row, the index of the first row that equals it."""
    keys = [row.tobytes() for row in rows]
    return [keys.index(key) for key in keys]


def _by_label(player: Labels, banker: Labels) -> Shown:
    """For each feature, the number that each label shows, as an array that broadcasts to the table of lines."""
    shown = {}
    for name, labels, axis in (("player", player, 0), ("banker", banker, 2)):
        for features, of, along in (
            (labels.side.values, labels.values, axis),
            (labels.side.details, labels.details, axis + 1),
        ):
            for i, feature in enumerate(features):
                shown[name, feature] = of[:, i].reshape([-1 if k == along else 1 for k in range(4)])
    return shown


def _together(player: Labels, banker: Labels, tableau: Tableau) -> Bools:
    """For each value of Player's label and each value of Banker's: whether hands with these values can occur in the
    same coup under the tableau (player values, banker values)."""
    together = np.ones((len(player.values), len(banker.values)), bool)
    if not player.side.thirds:
        return together
    p, third = player.values[:, 0, np.newaxis], player.values[:, 1, np.newaxis]
    b = banker.values[np.newaxis, :, 0]
    totals = range(10)
    player_draws = np.array([[tableau.player_draws(p, b) for b in totals] for p in totals])
    banker_draws = np.array([[[tableau.banker_draws(p, b, z) for z in range(11)] for b in totals] for p in totals])
    together &= (third >= 0) == player_draws[p, b]
    if banker.side.thirds:
        drawn = banker.values[np.newaxis, :, 1] >= 0
        together &= drawn == banker_draws[p, b, np.where(third >= 0, third, STOOD)]
    return together
