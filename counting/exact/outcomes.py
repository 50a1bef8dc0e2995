"""Counting the classes of outcomes of a tableau on many shoes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, DECK, MOST_DECKS, SUITS, WIDTH
from counting.errors import whole
from counting.exact import _forms, _settle, linear_forms
from counting.exact.instruction_sets import level
from counting.games import NATURAL, Outcome, Tableau

MOST_CARDS = MOST_DECKS * DECK
FLOAT_CARDS = 458  # the most cards of a shoe whose event counts float64 holds exactly


def deals(cards_left: int) -> int:
    """The number of ordered six-card deals of `cards_left` cards."""
    left = whole(cards_left, "cards left", 0, MOST_CARDS)
    return prod(range(left - COUP + 1, left + 1)) if left >= COUP else 0


def cards_of(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of cards of each shoe (shoes,), from counts by value, by rank or by card."""
    cards = np.empty(len(compositions), np.int64)
    _settle.cards(np.ascontiguousarray(compositions, np.int32), cards)
    return cards


def counts_by_value(compositions: NDArray[np.int32]) -> NDArray[np.int32]:
    """Counts by value (shoes, 10) from counts by value, by rank (13) or by card (52)."""
    if compositions.shape[1] == WIDTH["value"]:
        return compositions
    if compositions.shape[1] == WIDTH["card"]:
        compositions = np.einsum("ijk->ij", compositions.reshape(-1, WIDTH["rank"], len(SUITS)))
    values = np.empty((len(compositions), WIDTH["value"]), np.int32)
    values[:, 0] = np.einsum("ij->i", compositions[:, 9:])
    values[:, 1:] = compositions[:, :9]
    return values


def all_deals(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of ordered six-card deals of each shoe."""
    cards = cards_of(compositions)
    products = cards.copy()
    for i in range(1, COUP):
        products *= cards - i
    return products


def counts_by_size(
    values: NDArray[np.int32],
    columns: int,
    most: int,
    in_floats: Callable[[NDArray[np.int32], NDArray[np.float64]], None],
    in_integers: Callable[[NDArray[np.int32], NDArray[np.int64]], None],
) -> NDArray[np.int64]:
    """Counts (shoes, columns): one kernel fills them in float64 for shoes of at most `most` cards, another in 64-bit
    integers for the other shoes."""
    if len(values) == 0 or columns == 0:
        return np.empty((len(values), columns), np.int64)
    small = cards_of(values) <= most
    if small.all():
        counted = np.empty((len(values), columns))
        in_floats(np.ascontiguousarray(values), counted)
        return counted.astype(np.int64)
    out = np.empty((len(values), columns), np.int64)
    if small.any():
        out[small] = counts_by_size(values[small], columns, most, in_floats, in_integers)
    large = np.empty((len(values) - np.count_nonzero(small), columns), np.int64)
    in_integers(np.ascontiguousarray(values[~small]), large)
    out[~small] = large
    return out


@dataclass(frozen=True, eq=False)
class OutcomeCounter:
    """Counts the classes of outcomes of a tableau on many shoes.

    Each class is counted by a linear form (`linear_forms`). Classes that have equal counts on every shoe share a form.
    One form is left uncounted: among the forms that belong to a single class, the form with the most weights other than
    0. The deals of this class are all deals less the deals of the other classes.

    - `of_class` (classes, forms + 1): turns the forms' counts into the classes' counts; its last column is for the
      number of all deals.
    - `kept`: the forms that the kernel counts. A form has weights for six cards, or for the cards that coups take (see
      `linear_forms`), whichever has fewer nonzero weights.
    - `less_rest`: the index of the form from which the uncounted form is subtracted. Player's and Banker's wins have
      most weights in common, so their difference has fewer weights. None if no difference has fewer weights.
    - `added` (forms,): how many times, 1, 0 or -1, each other form is added to the form at `less_rest`, because the sum
      has fewer weights. This helps if a bet tells some of Player's wins apart.
    - `weights` (classes, 5005): weights of each class's form for the multisets of six cards.
    - `by_cards` (classes, 7722): weights of each class's form for the multisets of the cards that coups take.
    """

    kept: NDArray[np.int32]
    of_class: NDArray[np.int64]
    outcomes: tuple[tuple[Outcome, ...], ...]
    class_of: NDArray[np.int32]
    weights: NDArray[np.int32]
    by_cards: NDArray[np.int32]
    less_rest: int | None = None
    added: NDArray[np.int64] | None = None

    @cached_property
    def program(self) -> linear_forms.Program:
        """The forms laid out for the kernel."""
        return linear_forms.pack(self.kept)

    @cached_property
    def work(self) -> int:
        """The number of vector operations that the forms of a block of shoes take."""
        return 2 * linear_forms.STORED + int(np.count_nonzero(self.kept))

    @cached_property
    def _classes_beside(self) -> NDArray[np.int64]:
        """The number of classes that have each form (forms,); 0 for the form at `less_rest`."""
        number: NDArray[np.int64] = np.count_nonzero(self.of_class[:, :-1] == 1, axis=0).astype(np.int64)
        number[self.less_rest] = 0
        return number

    def forms(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Counts of forms (shoes, forms) for checked compositions (shoes, 10)."""
        counts, place = self.as_kept(values), self.less_rest
        if place is not None:
            both = all_deals(values) - counts @ self._classes_beside  # this form plus the uncounted form
            less = counts[:, place] if self.added is None else counts[:, place] - counts @ self.added
            # Both are even, because a hand's first two cards come in either order. Their sum might pass 63 bits.
            counts[:, place] = (both >> 1) + (less >> 1)
        return counts

    def as_kept(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Counts (shoes, forms) of the forms in `kept`, as the kernel has them: the form at `less_rest` is still a
        difference, to which other forms are added as `added` says."""
        program = self.program

        def in_floats(part: NDArray[np.int32], out: NDArray[np.float64]) -> None:
            _forms.counts_float64(part, program.layout, *program.float_weights, out, level())

        def in_integers(part: NDArray[np.int32], out: NDArray[np.int64]) -> None:
            _forms.counts_int64(part, program.layout, *program.weights, out)

        return counts_by_size(values, program.forms, FLOAT_CARDS, in_floats, in_integers)

    def summed(self, factors: NDArray[np.int64]) -> OutcomeCounter | None:
        """A counter with a single form: the sum of the classes' forms, each times its factor of -1, 0 or 1. None for
        other factors, and if only one form is counted anyway. No deal is in two classes, so no partial sum exceeds the
        number of all deals."""
        if len(self.kept) < 2 or np.abs(factors).max() > 1:
            return None
        summed = (factors.astype(np.int32) @ weights for weights in (self.weights, self.by_cards))
        return replace(self, kept=_shorter(*summed)[np.newaxis], less_rest=None, added=None)

    def classes(self, values: Sequence[int]) -> list[int]:
        """The count of each class on one shoe, given its cards of each value."""
        counted = np.append(self.forms(np.array([values], np.int32))[0], deals(sum(values)))
        classes: list[int] = (self.of_class @ counted).tolist()
        return classes


@dataclass(frozen=True, eq=False)
class KnownCounter:
    """Counts the classes of outcomes on one shoe, among the deals that agree with what is known of the coup. The forms
    are not laid out for the kernel, because they are used on few shoes."""

    outcomes: tuple[tuple[Outcome, ...], ...]
    weights: NDArray[np.int32]

    def classes(self, values: Sequence[int]) -> list[int]:
        """The count of each class, given the shoe's cards of each value."""
        counts: list[int] = (self.weights @ linear_forms.deals_of_multisets(tuple(values))).tolist()
        return counts


def known_counter(tableau: Tableau, keys: Sequence[Hashable], known: Sequence[frozenset[int]]) -> KnownCounter:
    """A counter of the tableau's outcomes. `keys` has a key for each outcome; outcomes with equal keys are one class.
    `known`: the possible values of the card at each place."""
    classes, outcomes = _by_key(tableau, keys)
    allowed = np.array([[value in known[i] for value in range(10)] for i in range(COUP)], np.int32)
    return KnownCounter(outcomes, linear_forms.weigh(*tableau_arrays(tableau), classes, allowed))


def _by_key(tableau: Tableau, keys: Sequence[Hashable]) -> tuple[NDArray[np.int32], tuple[tuple[Outcome, ...], ...]]:
    """The class of each outcome (Player's total, Banker's, whether each draws), and the outcomes of each class."""
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    classes = np.zeros((10, 10, 2, 2), np.int32)
    outcomes: list[list[Outcome]] = [[] for _ in number]
    for outcome, key in zip(tableau.outcomes, keys, strict=True):
        place = outcome.player_total, outcome.banker_total, outcome.player_cards - 2, outcome.banker_cards - 2
        classes[place] = number[key]
        outcomes[number[key]].append(outcome)
    return classes, tuple(map(tuple, outcomes))


def counter(tableau: Tableau, keys: Sequence[Hashable]) -> OutcomeCounter:
    """A counter of the tableau's outcomes. `keys` has a key for each outcome; outcomes with equal keys are one
    class."""
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    return _counter(tableau, tuple(number[key] for key in keys))


@lru_cache(maxsize=64)  # games with different bets often have the same classes, and laying out forms takes long
def _counter(tableau: Tableau, numbers: tuple[int, ...]) -> OutcomeCounter:
    classes, outcomes = _by_key(tableau, numbers)
    weights, by_cards = linear_forms.weigh_by_cards(*tableau_arrays(tableau), classes)
    unique, form_of = _distinct(weights)
    alone = np.bincount(form_of) == 1
    densest = int(np.argmax(np.where(alone, (unique != 0).sum(axis=1), 0)))
    kept = [f for f in range(len(unique)) if f != densest or not alone[f]]
    counted, less_rest, place_of = unique[kept], None, [int(np.argmax(form_of == form)) for form in kept]
    counted_by_cards, added = by_cards[place_of], np.zeros(len(kept), np.int64)
    of_class = np.zeros((len(weights), len(kept) + 1), np.int64)
    for place, form in enumerate(kept):
        of_class[form_of == form, place] = 1
    for rest in np.flatnonzero(~np.isin(form_of, kept)):  # at most one class
        of_class[rest, :-1] = -of_class[:, :-1].sum(axis=0)
        of_class[rest, -1] = 1
        spared = np.count_nonzero(counted, axis=1) - np.count_nonzero(counted - weights[rest], axis=1)
        spared[~alone[kept]] = 0
        if spared.max(initial=0) > 0:  # no deal is in both forms, so no partial sum exceeds the number of all deals
            less_rest = int(spared.argmax())
            counted[less_rest] -= weights[rest]
            counted_by_cards[less_rest] -= by_cards[rest]
            # No deal is in two of the other forms either.
            for place in (place for place in range(len(kept)) if place != less_rest):
                fewer = {sign: np.count_nonzero(counted[less_rest] + sign * counted[place]) for sign in (0, 1, -1)}
                added[place] = sign = min(fewer, key=fewer.__getitem__)
                counted[less_rest] += sign * counted[place]
                counted_by_cards[less_rest] += sign * counted_by_cards[place]
    shorter = np.array([*map(_shorter, counted, counted_by_cards)], np.int32).reshape(-1, linear_forms.WEIGHTS)
    return OutcomeCounter(
        shorter,
        of_class,
        outcomes,
        classes,
        weights,
        by_cards,
        less_rest,
        added if added.any() else None,
    )


def _shorter(on_six: NDArray[np.int32], by_cards: NDArray[np.int32]) -> NDArray[np.int32]:
    """The weights (7722,) of a form, in whichever of its two layouts has more zeros."""
    if np.count_nonzero(by_cards) < np.count_nonzero(on_six):
        return by_cards
    return np.asarray(linear_forms.in_parts(on_six[np.newaxis])[0])


def _distinct(weights: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.intp]]:
    """The different rows in order, and the place of each row among them. numpy's `unique` by rows does the same, but
    takes 20 ms on rows of this length. Weights are not negative, so their bytes, highest byte first, sort in the same
    order as the weights."""
    rows = np.ascontiguousarray(weights, ">i4").view(np.dtype((np.void, 4 * weights.shape[1]))).reshape(-1)
    _, first, place = np.unique(rows, return_index=True, return_inverse=True)
    return weights[first], place.reshape(-1)


def tableau_arrays(tableau: Tableau) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The tableau for the kernels: player (10,) and banker (10, 11) are 1 if the hand draws, -1 if the hand ends the
    coup, else 0."""
    player, banker = np.zeros(10, np.int32), np.zeros((10, 11), np.int32)
    player[:NATURAL], player[NATURAL:] = tableau.player, -int(tableau.ending[0])
    banker[:NATURAL], banker[NATURAL:] = tableau.banker, -int(tableau.ending[1])
    return player, banker
