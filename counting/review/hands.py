"""The hands of a log: classes of coups by their cards, the rules that they break, and their possible outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.cards import DECK, RANKS, SUITS, VALUE_OF_RANK
from counting.games import STOOD, Outcome, Tableau
from counting.logs import NO_CARD, TEN_OR_FACE, card_codes, card_name, shoe_numbers, shoe_starts

Codes = NDArray[np.int8]

SLICE = 1 << 18  # about the number of coups judged at a time; shoes stay whole

OPEN, NONE = 10, 11  # in a class, OPEN is an unknown total or value, and NONE is no third card
SHAPE = (11, 11, 12, 12)  # two-card totals of Player and Banker, then third cards of Player and Banker
DRAWS = ("natural", "player-draws", "player-stands", "banker-draws", "banker-stands")

NO_RANK = len(RANKS)  # the rank of a card that is known only as a ten or face
# Indexed by the code of a card, 0 to 65.
RANK_OF_CODE = np.array([*np.repeat(range(len(RANKS)), len(SUITS)), *range(len(RANKS)), NO_RANK])
VALUE_OF_CODE = np.array([*VALUE_OF_RANK, 0])[RANK_OF_CODE]
RANK = np.array([-1, -1, *RANK_OF_CODE])  # index: code + 2
VALUE = np.array([OPEN, NONE, *VALUE_OF_CODE], np.int8)  # index: code + 2

# The possible values of (pair, suited) for two cards, indexed by the number that `_first_two` gives. In the first four
# entries both values are known, in the next two only `pair`, in the last neither.
FIRST_TWO: list[tuple[tuple[bool, bool], ...]] = [
    *(((pair, suited),) for suited in (False, True) for pair in (False, True)),
    *(((pair, False), (pair, True)) for pair in (False, True)),
    tuple(product((False, True), (False, True))),
]


class HandClass(NamedTuple):
    """A class of coups: the rules that they break, and their possible outcomes. `broken` lists a rule only if it is
    broken whatever the unread cards are, and whatever a hand with a choice decides. If `natural` is broken, no other
    rule is listed."""

    broken: frozenset[str]
    outcomes: frozenset[Outcome]


@lru_cache(maxsize=1 << 16)
def hand_class(tableau: Tableau, code: int) -> HandClass:
    player, banker, player_third, banker_third = (int(i) for i in np.unravel_index(code, SHAPE))
    totals = ([*range(10)] if total == OPEN else [total] for total in (player, banker))
    thirds: Iterator[list[int | None]] = (
        [*range(10)] if third == OPEN else [None if third == NONE else third] for third in (player_third, banker_third)
    )
    broken, outcomes = set(DRAWS), set()
    for (p, b), (third, fourth) in product(product(*totals), product(*thirds)):
        for way in tableau.ways:
            broken &= _broken(way, p, b, third, fourth)
        cards = (2 + (third is not None), 2 + (fourth is not None))
        outcomes.add(Outcome((p + (third or 0)) % 10, (b + (fourth or 0)) % 10, *cards))
    if "natural" in broken:
        broken = {"natural"}
    return HandClass(frozenset(broken), frozenset(outcomes))


def _broken(tableau: Tableau, player: int, banker: int, third: int | None, fourth: int | None) -> set[str]:
    """The rules that Player and Banker break with these two-card totals and these third cards. None means no third
    card."""
    natural = tableau.ends(player, banker)
    draws = tableau.player_draws(player, banker)
    broken = {"natural"} if natural and (third, fourth) != (None, None) else set()
    if draws != (third is not None):
        broken.add("player-draws" if draws else "player-stands")
    draws = tableau.banker_draws(player, banker, STOOD if third is None else third)
    if draws != (fourth is not None):
        broken.add("banker-draws" if draws else "banker-stands")
    return broken


class CoupsShown(NamedTuple):
    """What the coups of a log show, in arrays by row.

    - `sized` (rows,): whether both hands have two or three cards, and the record does not contradict them
    - `classes` (rows,): the class of the coup, a code of `SHAPE`
    - `first_two` (rows,): what the first two cards of both hands may be
    - `codes` (rows, 6): the codes of Player's and Banker's cards"""

    sized: NDArray[np.bool_]
    classes: NDArray[np.int16]
    first_two: NDArray[np.int8]
    codes: Codes

    @classmethod
    def joined(cls, parts: Sequence[CoupsShown]) -> CoupsShown:
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    @classmethod
    def of_codes(cls, codes: Codes) -> CoupsShown:
        """What coups show, from the codes of their cards alone (rows, 6). No hand may have more than three cards."""
        values = VALUE[codes + 2]
        totals = [_total(values[:, at], values[:, at + 1]) for at in (0, 3)]
        classes = np.ravel_multi_index((*totals, values[:, 2], values[:, 5]), SHAPE).astype(np.int16)
        sized = (codes[:, [0, 1, 3, 4]] != NO_CARD).all(axis=1)
        return cls(sized, classes, _first_twos(codes), codes)

    @classmethod
    def of(cls, coups: pl.DataFrame, tableau: Tableau) -> CoupsShown:
        """What the coups of a log show, worked out for some shoes at a time."""
        parts = [LoggedCoups(coups[first:last], tableau).shown for first, last in slices(coups)]
        return cls.joined(parts or [LoggedCoups(coups, tableau).shown])


class LoggedCoups:
    """The coups of a log as arrays, and their classes."""

    def __init__(self, log: pl.DataFrame, tableau: Tableau) -> None:
        self.log = log
        self.tableau = tableau
        self.codes = card_codes(log)
        values = VALUE[self.codes + 2]
        self.more = log["more"].list.len().fill_null(0).to_numpy().astype(np.int64)
        two = (self.codes[:, [0, 1, 3, 4]] != NO_CARD).all(axis=1)
        self.sized = two & (self.more == 0)  # both hands have two or three cards
        self.totals = np.stack([_total(values[:, at], values[:, at + 1]) for at in (0, 3)])
        self.thirds = values[:, [2, 5]].T
        self.classes = np.ravel_multi_index((*self.totals, *self.thirds), SHAPE).astype(np.int16)
        self.left_over = np.zeros((len(values), 2), np.bool_)  # stale third cards: (rows, hands)
        self.stale, self.contradicted = self._faults(values)
        self.left_over &= self.stale[:, None]
        self.judged = self.sized & ~self.contradicted  # can be judged by the cards logged

    def _faults(self, values: Codes) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Two arrays (rows,): whether a stale third card is the record's only fault, and whether the record has any
        fault. Both are false for coups that are not `sized`.

        A stale third card is left over from the line before, and the hand's recorded total fits without it. The record
        of a coup contradicts itself if its cards do not make the recorded totals or pairs. A third card that counts 0
        does not change the total, so the total cannot show that the card is stale. Such a card is taken as stale only
        if it repeats the card of the line before, the coup breaks a drawing rule, and other third cards in these coups
        are stale."""
        rows = len(values)
        wrong, stale, fresh, nothing = (np.zeros(rows, np.bool_) for _ in range(4))
        for hand, (name, at) in enumerate((("player", 0), ("banker", 3))):
            logged = self.log[f"{name}_total"].fill_null(-1).to_numpy()
            two, third = self.totals[hand], values[:, at + 2]
            known = (logged >= 0) & (two < OPEN) & (third != OPEN)
            final = np.where(third == NONE, two, (two + third) % 10)
            off = known & (final != logged)
            last = np.roll(self.codes[:, at + 2], 1)
            again = known & (third != NONE) & (two == logged) & (self.codes[:, at + 2] == last) & (np.arange(rows) > 0)
            self.left_over[:, hand] = again
            of_last = off & again
            nothing |= again & ~off
            first, second = self.codes[:, at], self.codes[:, at + 1]
            sure = (first >= 0) & (second >= 0) & ~may_be_pair(first, second)
            flag = self.log[f"{name}_pair"]
            is_pair = RANK[first + 2] == RANK[second + 2]
            off_pair = sure & flag.is_not_null().to_numpy() & (flag.fill_null(False).to_numpy() != is_pair)
            wrong |= off | off_pair
            stale |= of_last
            fresh |= (off & ~of_last) | off_pair
        stale &= ~fresh
        if stale.any():
            stale |= nothing & ~fresh & self._unlawful()
        return stale & self.sized, (wrong | stale) & self.sized

    def _unlawful(self) -> NDArray[np.bool_]:
        """Whether each coup, as logged, breaks a drawing rule."""
        classes, inverse = np.unique(self.classes, return_inverse=True)
        broken = np.array([bool(hand_class(self.tableau, code).broken) for code in classes.tolist()])
        result: NDArray[np.bool_] = broken[inverse]
        return result

    @property
    def shown(self) -> CoupsShown:
        return CoupsShown(self.judged, self.classes, self.first_two, self.codes)

    def by_class(self) -> Iterator[tuple[int, HandClass]]:
        """Each class to which some judged coup belongs: its code, and the class."""
        for code in np.flatnonzero(np.bincount(self.classes[self.judged], minlength=1)).tolist():
            yield code, hand_class(self.tableau, code)

    def hand(self, row: int, place: int) -> str:
        """The first two cards of a hand, in words."""
        return " and ".join(card_name(code) for code in self.codes[row, place : place + 2].tolist())

    @cached_property
    def first_two(self) -> NDArray[np.int8]:
        """What the first two cards of both hands may be (rows,): len(FIRST_TWO) times Player's index in `FIRST_TWO`,
        plus Banker's index."""
        return _first_twos(self.codes)


def slices(coups: pl.DataFrame) -> list[tuple[int, int]]:
    """Slices of whole shoes: the first row of each, and the row after its last."""
    starts = shoe_starts(shoe_numbers(coups))
    at = np.searchsorted(starts, np.arange(SLICE, coups.height, SLICE))
    borders = [0, *np.unique(starts[at[at < len(starts)]]).tolist(), coups.height]
    return [(first, last) for first, last in pairwise(borders) if last > first]


def _total(first: Codes, second: Codes) -> Codes:
    return np.where((first < 10) & (second < 10), (first + second) % 10, OPEN)


def _first_twos(codes: Codes) -> NDArray[np.int8]:
    player, banker = (_first_two(codes[:, at], codes[:, at + 1]) for at in (0, 3))
    return (len(FIRST_TWO) * player + banker).astype(np.int8)


def _first_two(first: Codes, second: Codes) -> Codes:
    pair = RANK[first + 2] == RANK[second + 2]
    suited = first % len(SUITS) == second % len(SUITS)
    known = np.where(np.maximum(first, second) < DECK, pair + 2 * suited, 4 + pair)
    return np.where((np.minimum(first, second) >= 0) & ~may_be_pair(first, second), known, 6)


def may_be_pair(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether two read cards may be a pair, but need not be: both are tens or faces, and at least one has no known
    rank."""
    ten_or_face = (first == TEN_OR_FACE) | (second == TEN_OR_FACE)
    result: NDArray[np.bool_] = ten_or_face & (VALUE[first + 2] == 0) & (VALUE[second + 2] == 0)
    return result
