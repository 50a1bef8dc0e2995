"""The features of hands that conditions look at, such as a hand's total: functions of its first two cards and its third
card. Also the attributes of cards on which these features depend.

A look is an attribute of cards: a number for each of the 52 cards. If two cards are equal in every look that some
conditions use, they are of one kind: these conditions do not tell them apart. Cards are arrays of 0 to 51
(4 * rank + suit); a third card that was not dealt is -1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from operator import or_
from typing import Any

import numpy as np

from counting.arrays import Bools, Ints
from counting.cards import DECK, RANKS, SUITS, VALUE_OF_CARD, Knows
from counting.games.conditions import COLOURS, FACE, PAIR_KINDS, SIDES, SUIT_NAMES, Conditions

Look = tuple[int, ...]

VALUE: Look = VALUE_OF_CARD
RANK: Look = tuple(card // len(SUITS) for card in range(DECK))
SUIT: Look = tuple(card % len(SUITS) for card in range(DECK))
COLOUR: Look = tuple(0 if SUITS[suit] in "hd" else 1 for suit in SUIT)  # indices in `COLOURS`
CARD: Look = tuple(range(DECK))


def _cards_of(name: str) -> frozenset[int]:
    """The cards of a rank, face, colour or suit."""
    if name == FACE:
        return frozenset(card for card in CARD if RANKS[RANK[card]] in ("J", "Q", "K"))
    if name in COLOURS:
        return frozenset(card for card in CARD if COLOURS[COLOUR[card]] == name)
    if name in SUIT_NAMES:
        return frozenset(card for card in CARD if SUIT_NAMES[SUIT[card]] == name)
    return frozenset(card for card in CARD if RANKS[RANK[card]] == name)


@dataclass(frozen=True)
class Feature:
    """A number that a hand shows. `of(first, second, third)` works it out from arrays of cards. `first` lists the looks
    of the first two cards that matter, and `third` the looks of the third card that matter. `third` is None if the
    third card does not matter. It is empty if it matters only whether there is a third card."""

    name: str
    first: tuple[Look, ...]
    third: tuple[Look, ...] | None
    of: Callable[[Ints, Ints, Ints], Ints] = field(compare=False)

    @property
    def by_value(self) -> bool:
        """Whether the feature depends on point values only."""
        return all(follows(VALUE, look) for look in (*self.first, *(self.third or ())))


def follows(coarse: Look, look: Look) -> bool:
    """Whether cards that are equal in `coarse` are always equal in `look`."""
    return len(set(zip(coarse, look, strict=True))) == len(set(coarse))


def _table(look: Look, none: int = -1) -> Ints:
    """A look as an array indexed by card. The last entry, at index -1, is for a third card that was not dealt."""
    return np.array([*look, none], np.int64)


_VALUES, _RANKS, _SUITS, _COLOURS = _table(VALUE, 0), _table(RANK), _table(SUIT), _table(COLOUR)


def _same(of: Ints, a: Ints, b: Ints) -> Bools:
    return np.asarray(of[a] == of[b])


def _three_alike(of: Ints) -> Callable[[Ints, Ints, Ints], Ints]:
    return lambda a, b, c: ((c >= 0) & _same(of, a, b) & _same(of, a, c)).astype(np.int64)


def _pair_kind(a: Ints, b: Ints, _: Ints) -> Ints:
    """0 for no pair; otherwise 1 plus the index of the pair's kind in `PAIR_KINDS`."""
    kind = 1 + _same(_COLOURS, a, b).astype(np.int64) + _same(_SUITS, a, b)
    return np.asarray(np.where(_same(_RANKS, a, b), kind, 0))


def _straight(a: Ints, b: Ints, c: Ints) -> Ints:
    ranks: Ints = np.sort(np.stack(np.broadcast_arrays(_RANKS[a], _RANKS[b], _RANKS[c])), axis=0)
    running = (ranks[1] == ranks[0] + 1) & (ranks[2] == ranks[1] + 1)
    high = (ranks[0] == 0) & (ranks[1] == 11) & (ranks[2] == 12)  # Q K A
    return np.asarray((c >= 0) & (running | high), np.int64)


def _different(a: Ints, b: Ints, c: Ints) -> Ints:
    return np.asarray(1 + (a != b).astype(np.int64) + ((c >= 0) & (c != a) & (c != b)))


TOTAL = Feature("total", (VALUE,), (VALUE,), lambda a, b, c: (_VALUES[a] + _VALUES[b] + _VALUES[c]) % 10)
CARDS = Feature("cards", (), (), lambda a, b, c: 2 + (c >= 0).astype(np.int64) + 0 * a)
FIRST_TOTAL = Feature("first total", (VALUE,), None, lambda a, b, c: (_VALUES[a] + _VALUES[b]) % 10 + 0 * c)
THIRD_VALUE = Feature("third value", (), (VALUE,), lambda a, b, c: np.where(c >= 0, _VALUES[c], -1) + 0 * a)
PAIR = Feature("pair", (RANK,), None, lambda a, b, c: _same(_RANKS, a, b).astype(np.int64))
PAIR_RANK = Feature("pair rank", (RANK,), None, lambda a, b, c: np.where(_same(_RANKS, a, b), _RANKS[a], -1))
PAIR_KIND = Feature("pair kind", (CARD,), None, _pair_kind)
SUITED = Feature("suited", (SUIT,), None, lambda a, b, c: _same(_SUITS, a, b).astype(np.int64))
THREE_OF_A_KIND = Feature("three of a kind", (RANK,), (RANK,), _three_alike(_RANKS))
FLUSH = Feature("flush", (SUIT,), (SUIT,), _three_alike(_SUITS))
STRAIGHT = Feature("straight", (RANK,), (RANK,), _straight)
DIFFERENT = Feature("different cards", (CARD,), (CARD,), _different)


def _among(x: Ints, wanted: Sequence[int]) -> Bools:
    """Whether each number is one of a few numbers. It is many times as fast as numpy's `isin`."""
    return reduce(or_, (x == number for number in wanted))


def alike(feature: Feature, of: Sequence[int]) -> Feature:
    """The feature with its values 0 to 9 replaced by the numbers in `of`; -1 is left unchanged."""
    instead = np.array([*of, -1])
    name = f"{feature.name} as {tuple(of)}"
    return Feature(name, feature.first, feature.third, lambda a, b, c: instead[feature.of(a, b, c)])


def one_of(feature: Feature, wanted: Sequence[int]) -> Feature:
    """A feature that is 1 if another feature is one of these numbers, and 0 if not. If a condition only asks for one of
    these numbers, hands that it does not tell apart then show the same number."""
    name = f"{feature.name} one of {sorted(wanted)}"
    return Feature(
        name, feature.first, feature.third, lambda a, b, c: _among(feature.of(a, b, c), wanted).astype(np.int64)
    )


def third_in(cards: frozenset[int]) -> Feature:
    inside = _inside(cards)
    of = _table(inside, 0)
    return Feature(f"third in {sorted(cards)}", (), (inside,), lambda a, b, c: of[c] + 0 * a)


def number_in(cards: frozenset[int], first: bool = False) -> Feature:
    """A feature: how many of the hand's cards, or of its first two cards, are in a set of cards."""
    inside = _inside(cards)
    of = _table(inside, 0)
    if first:
        return Feature(f"of first two in {sorted(cards)}", (inside,), None, lambda a, b, c: of[a] + of[b] + 0 * c)
    return Feature(f"number in {sorted(cards)}", (inside,), (inside,), lambda a, b, c: of[a] + of[b] + of[c])


def _first_two(pairs: tuple[str, ...]) -> Feature:
    """A feature that is 1 if the first two cards have one of these pairs of ranks."""
    wanted = [sorted(RANKS.index(rank) for rank in pair.split()) for pair in pairs]
    listed = sorted({rank for pair in wanted for rank in pair})
    look = tuple(listed.index(rank) if rank in listed else -1 for rank in RANK)

    def of(a: Ints, b: Ints, _: Ints) -> Ints:
        low, high = np.minimum(_RANKS[a], _RANKS[b]), np.maximum(_RANKS[a], _RANKS[b])
        met = np.zeros(low.shape, np.int64)
        for pair in wanted:
            met |= (low == pair[0]) & (high == pair[1])
        return met

    return Feature(f"first two {pairs}", (look,), None, of)


def orders_in(first: frozenset[int], second: frozenset[int]) -> Feature:
    """A feature: how many of the two orders of a hand's first two cards have one card in the set `first` followed by a
    card in the set `second`."""
    of_first, of_second = _inside(first), _inside(second)
    held, other = _table(of_first, 0), _table(of_second, 0)
    name = f"orders in {sorted(first)} and {sorted(second)}"
    return Feature(name, (of_first, of_second), None, lambda a, b, c: held[a] * other[b] + held[b] * other[a] + 0 * c)


def _inside(cards: frozenset[int]) -> Look:
    return tuple(int(card in cards) for card in CARD)


Shown = Mapping[tuple[str, Feature], Ints]  # the numbers that hands show, by hand ("player", "banker") and feature


@dataclass(frozen=True)
class Atom:
    """A condition, given by the features that it looks at, each with its hand (`looks`), and by a function of their
    numbers that says whether the condition is met (`holds`)."""

    looks: tuple[tuple[str, Feature], ...]
    holds: Callable[..., Any]

    def meets(self, shown: Shown) -> Bools:
        return np.asarray(self.holds(*(shown[look] for look in self.looks)), bool)


def _is(wanted: bool) -> Callable[[Ints], Bools]:
    return lambda x: (x > 0) == wanted


_OF_HAND: dict[str, Feature] = {
    "total": TOTAL,
    "cards": CARDS,
    "first_total": FIRST_TOTAL,
    "third_value": THIRD_VALUE,
    "different_cards": DIFFERENT,
}
_SHOWN_OR_NOT: dict[str, Feature] = {
    "pair": PAIR,
    "suited": SUITED,
    "three_of_a_kind": THREE_OF_A_KIND,
    "straight": STRAIGHT,
    "flush": FLUSH,
}


def _union(names: tuple[str, ...]) -> frozenset[int]:
    return frozenset().union(*map(_cards_of, names))


@lru_cache(maxsize=1024)
def atoms(key: str, wanted: Any) -> list[Atom]:
    """The atoms of a simple condition. The condition holds if all of them hold."""
    side, _, of_hand = key.partition("_")
    if side in SIDES:
        return _of_hand(side, of_hand, wanted)
    match key:
        case "winner":
            signs = tuple({"player": 1, "banker": -1, "tie": 0}[winner] for winner in wanted)
            return [_on_both(TOTAL, lambda p, b: _among(np.sign(p - b), signs))]
        case "margin":
            return [_on_both(TOTAL, lambda p, b: _among(abs(p - b), wanted))]
        case "cards":
            return [_on_both(CARDS, lambda p, b: _among(p + b, wanted))]
        case "natural":
            return [_on_both(FIRST_TOTAL, lambda p, b: (np.maximum(p, b) >= 8) == wanted)]
        case "pairs":
            return [_on_both(PAIR, lambda p, b: _among(p + b, wanted))]
        case "perfect_pairs":
            perfect = 1 + PAIR_KINDS.index("perfect")
            return [_on_both(PAIR_KIND, lambda p, b: _among((p == perfect) + 0 + (b == perfect), wanted))]
        case "pairs_of_one_rank":
            return [_on_both(PAIR_RANK, lambda p, b: ((p == b) & (p >= 0)) == wanted)]
        case "colour" | "first_colour":
            return _any_of([_no_others(side, _cards_of(c), key != "colour") for side in SIDES] for c in wanted)
        case "number_of" | "first_number_of":
            first = key == "first_number_of"
            return [
                _on_both(number_in(_cards_of(name), first), lambda p, b, numbers=numbers: _among(p + b, numbers))
                for name, numbers in wanted
            ]
    raise NotImplementedError(f"condition {key!r}: what it looks at is not written here")


def _of_hand(side: str, key: str, wanted: Any) -> list[Atom]:
    def atom(feature: Feature, holds: bool = True) -> list[Atom]:
        return [Atom(((side, feature),), _is(holds))]

    if key in _OF_HAND:
        return atom(one_of(_OF_HAND[key], wanted))
    if key in _SHOWN_OR_NOT:
        return atom(_SHOWN_OR_NOT[key], wanted)
    match key:
        case "natural":
            return atom(one_of(FIRST_TOTAL, (8, 9)), wanted)
        case "pair_kind":
            return atom(one_of(PAIR_KIND, [1 + PAIR_KINDS.index(kind) for kind in wanted]))
        case "pair_rank":
            return atom(one_of(PAIR_RANK, [RANKS.index(rank) for rank in wanted]))
        case "first_two":
            return atom(_first_two(wanted))
        case "third_rank" | "third_suit" | "third_colour":
            return atom(third_in(_union(wanted)))
        case "colour" | "first_colour" | "suit":
            return _any_of([_no_others(side, _cards_of(name), key == "first_colour")] for name in wanted)
        case "number_of" | "first_number_of":
            first = key == "first_number_of"
            return [a for name, numbers in wanted for a in atom(one_of(number_in(_cards_of(name), first), numbers))]
    raise NotImplementedError(f"condition '{side}_{key}': what it looks at is not written here")


def _on_both(feature: Feature, holds: Callable[..., Any]) -> Atom:
    return Atom(tuple((side, feature) for side in SIDES), holds)


def _no_others(side: str, cards: frozenset[int], first: bool) -> Atom:
    """The condition that every card of a hand, or each of its first two cards, is in the set `cards`."""
    return Atom(((side, one_of(number_in(frozenset(CARD) - cards, first), (0,))),), _is(True))


def _any_of(choices: Any) -> list[Atom]:
    """One atom made from several lists of atoms. It holds if, in at least one list, all atoms hold."""
    choices = list(choices)
    looks = tuple(dict.fromkeys(look for atoms in choices for atom in atoms for look in atom.looks))

    def holds(*shown: Ints) -> Bools:
        by_look = dict(zip(looks, shown, strict=True))
        met = np.zeros(np.broadcast_shapes(*(x.shape for x in shown)), bool)
        for atoms in choices:
            every = np.ones(met.shape, bool)
            for atom in atoms:
                every &= atom.meets(by_look)
            met |= every
        return met

    return [Atom(looks, holds)]


@lru_cache(maxsize=1024)
def looks_of(conditions: Conditions) -> dict[tuple[str, Feature], None]:
    """The features that the conditions look at, each with its hand, in order and without repeats."""
    looks = [look for key, wanted in conditions.wanted for atom in atoms(key, wanted) for look in atom.looks]
    looks += [look for _, tables in conditions.combined for table in tables for look in looks_of(table)]
    return dict.fromkeys(looks)


def meets(conditions: Conditions, shown: Shown, shape: tuple[int, ...]) -> Bools:
    """Whether what hands show meets the conditions. The arrays of `shown` broadcast to `shape`."""
    met = np.ones(shape, bool)
    for key, wanted in conditions.wanted:
        for atom in atoms(key, wanted):
            met &= atom.meets(shown)
    for key, tables in conditions.combined:
        each = [meets(table, shown, shape) for table in tables]
        met &= np.any(each, axis=0) if key == "any" else np.all(each, axis=0) if key == "all" else ~np.any(each, axis=0)
    return met


class DealtHands(dict[tuple[str, Feature], Ints]):
    """The numbers that dealt hands show, each computed when it is first needed. `player` and `banker` each have three
    arrays (rows,): the first, the second and the third cards, with -1 for no third card."""

    def __init__(self, player: Sequence[Ints], banker: Sequence[Ints]) -> None:
        super().__init__()
        self.rows = len(player[0])
        self._of = {
            side: [np.asarray(cards, np.int64) for cards in of]
            for side, of in zip(SIDES, (player, banker), strict=True)
        }

    def __missing__(self, look: tuple[str, Feature]) -> Ints:
        side, feature = look
        self[look] = feature.of(*self._of[side])
        return self[look]

    def first_met(self, conditions: Sequence[Conditions]) -> Ints:
        """The index of the first of these conditions that the hands meet (rows); the number of conditions if they meet
        none."""
        first = np.full(self.rows, len(conditions), np.int64)
        for i in range(len(conditions) - 1, -1, -1):
            first[meets(conditions[i], self, first.shape)] = i
        return first


def first_met(conditions: Sequence[Conditions], player: Sequence[Ints], banker: Sequence[Ints]) -> Ints:
    """The index of the first of these conditions that dealt hands meet, as from `DealtHands.first_met`."""
    return DealtHands(player, banker).first_met(conditions)


def knows_of(looks: Iterable[Look]) -> Knows:
    """The coarsest kind of composition (by value, rank or card) that is fine enough for these looks: cards that it does
    not distinguish are equal in all of them."""
    needed = list(looks)
    by_width: dict[Knows, Look] = {"value": VALUE, "rank": RANK, "card": CARD}
    return next(kind for kind, by_kind in by_width.items() if all(follows(by_kind, look) for look in needed))


@lru_cache(maxsize=1024)
def needed(conditions: tuple[Conditions, ...]) -> Knows:
    """The coarsest kind of composition (by value, rank or card) that is fine enough for what the conditions look at."""
    features = [feature for table in conditions for _, feature in looks_of(table)]
    return knows_of(look for feature in features for look in (*feature.first, *(feature.third or ())))
