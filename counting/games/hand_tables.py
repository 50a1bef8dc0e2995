"""Which line of a bet two hands meet, by the hands' labels. A label is everything about a hand that the bet's
conditions look at.

A hand's label has two parts. The first part follows from the point values of the hand's cards. It has the totals,
values and numbers of cards that conditions look at and, if third cards matter, what decides whether they are drawn. The
second part has the ranks, suits and colours that conditions look at. So the line is a function of four parts of labels,
two for each hand. The function is tabulated once for each tableau.
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

_MOST_CELLS = 1 << 24  # the most cells of a table of lines
_MOST_TRIED = 1 << 28  # the most cells, times the number of conditions tried on each cell
_MOST_LOOKS = 100
_ANY_CARD: Look = (0,) * DECK


def distinct(rows: Ints) -> tuple[Ints, Ints]:
    """The different rows in order, and for each row its index among them. It does the same as numpy's `unique` by rows,
    but is many times faster on rows of small numbers."""
    first, inverse = groups(rows.T, len(rows))
    return rows[first], inverse


def groups(columns: Iterable[NDArray[np.integer[Any]]], rows: int) -> tuple[Ints, Ints]:
    """Sets of equal rows, sorted by the numbers in the rows. For each set, the index of one of its rows; for each row,
    the index of its set."""
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
    """The coarsest look that determines all of these looks. It numbers the kinds of cards that these looks tell
    apart."""
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
        """The look at a card on which the first part of the label depends."""
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
    and -1 for no third card. `orders` (rows,) is the number of orders of the first two cards."""

    cards: Ints
    orders: Ints

    @classmethod
    def all(cls, first: Look, third: Look, thirds: bool) -> Hands:
        """Every hand of two cards and, with `thirds`, of three cards. Cards that are equal in a look are of one kind.
        The look `first` is for the first two cards, the look `third` for the third card."""
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
    """The labels that a hand may have. `values` (labels, features) lists the first parts of labels, and `details` the
    second parts; a row gives what the features show. `possible` (values, details) says whether some hand has both
    parts."""

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
        """The first part of the label of each hand."""
        return _places(self.values, _shown(hands, self.side.values))

    def detail_of(self, hands: Hands) -> Ints:
        return _places(self.details, _shown(hands, self.side.details))


def _shown(hands: Hands, features: Sequence[Feature]) -> Ints:
    columns = [hands.shows(feature) for feature in features]
    return np.stack(columns, axis=1) if columns else np.zeros((len(hands.cards), 0), np.int64)


def _places(of: Ints, rows: Ints) -> Ints:
    """The index in `of` of each of these rows. Each occurs exactly once in `of`."""
    if not rows.shape[1]:
        return np.zeros(len(rows), np.int64)
    low, span = of.min(axis=0), np.ptp(of, axis=0) + 1
    code = np.concatenate([[1], np.cumprod(span[:-1])])
    keys = (of - low) @ code
    order = np.argsort(keys)
    return np.asarray(order[np.searchsorted(keys, (rows - low) @ code, sorter=order)])


@dataclass(frozen=True, eq=False)
class HandTables:
    """The line that settles a bet, by the labels of both hands.

    - `line[player value, player detail, banker value, banker detail]`: the line, or the number of lines if the hands
      meet no line. A value and a detail are the two parts of a label.
    - `together[player value, banker value]`: whether a coup may deal both hands.
    - `fine`: one look that determines all looks of the bet at cards, and the point values if they matter.
    - `parts`: what the features of `apart` show, for each part (see `hand_tables`).
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
    """The tables of lines with these conditions. The first line that is met counts.

    Hands that differ in a feature of `apart` are counted separately. A part is what these features show together;
    `parts` lists the parts, and each line becomes one line for each part. Raises `InputError` for lines that look at
    too much at once.
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
    """Whether a coup can show each cell of a table of lines."""
    both = player.possible[:, :, np.newaxis, np.newaxis] & banker.possible[np.newaxis, np.newaxis]
    return np.asarray(both & together[:, np.newaxis, :, np.newaxis])


def _too_much(looked_at: str) -> InputError:
    return InputError(f"pays: the lines look at {looked_at}, should look at fewer in one bet")


def _tried(conditions: Conditions) -> int:
    """The number of conditions and of tables, including inner tables and their conditions."""
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
    """What decides under this tableau whether third cards are drawn: the hand's first total and the value of its third
    card. Each number is replaced by the least number that decides in the same way."""
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
    """What labels show, as arrays that broadcast to the table of lines."""
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
    """Whether the tableau can deal hands with these first parts of labels in one coup (player values, banker
    values)."""
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
