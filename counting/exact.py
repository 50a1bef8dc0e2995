"""Exact pricing: compositions in; counts, edges and probabilities out.

Every coup is settled by the first six cards of the remaining order, so an event is counted over the
N(N-1)...(N-5) ordered six-card deals of the N unseen cards. Events are counted first, as integers;
a bet's edge is an integer combination of such counts over one denominator, divided once at the end.
Its sign is the integer's: an edge is positive, or zero, exactly when the fraction is.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import prod
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counting import _forms, _settle, forms
from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError
from counting.rules import Game, Outcome, Tableau, load_game

FLOAT_CARDS = 458  # float64 holds every event count of a shoe of at most so many cards
MOST_CARDS = MOST_DECKS * DECK
LEVELS = ("plain", "avx2", "avx512")

_MOST_COEFFICIENTS = 1 << 30  # see `_settle.pyx`: the sum of their sizes


def deals(cards_left: int) -> int:
    """The number of ordered six-card deals of so many cards."""
    return prod(range(cards_left - COUP + 1, cards_left + 1)) if cards_left >= COUP else 0


def instruction_set() -> str:
    """The kernel's instruction set: the best this machine has, or a lesser one named in COUNTING_ISA."""
    best = _forms.best_level()
    asked = os.environ.get("COUNTING_ISA", LEVELS[best])
    if asked not in LEVELS[: best + 1]:
        raise InputError(f"COUNTING_ISA = {asked!r}: should be one of {', '.join(LEVELS[: best + 1])}")
    return asked


@dataclass(frozen=True, eq=False)
class Counter:
    """Counts the classes of outcomes of a tableau on many shoes.

    The kernel counts `program.forms` forms; `of_class` (classes, forms + 1) makes the classes of
    them and, in its last column, of the number of all deals. Classes that no rule tells apart on
    any shoe share a form, and the form with the most weights is never counted: it is what is left.
    """

    program: forms.Program
    of_class: NDArray[np.int64]
    outcomes: tuple[tuple[Outcome, ...], ...]
    class_of: NDArray[np.int32]
    weights: NDArray[np.int32]

    def forms(self, values: NDArray[np.int32]) -> NDArray[np.int64]:
        """Counts of forms (shoes, forms) for checked compositions (shoes, 10)."""
        program = self.program
        out = np.empty((len(values), program.forms), np.int64)
        if out.size == 0:
            return out
        small = values.sum(axis=1) <= FLOAT_CARDS
        for fits in (True, False):
            chosen = np.flatnonzero(small == fits)
            if len(chosen) == 0:
                continue
            part = values if len(chosen) == len(values) else np.ascontiguousarray(values[chosen])
            if fits:
                counted = np.empty((len(part), program.forms))
                weights, single = program.weights.astype(float), program.single_weights.astype(float)
                level = LEVELS.index(instruction_set())
                _forms.counts_float64(part, program.layout, weights, single, counted, level)
                out[chosen] = counted
            else:
                large = np.empty((len(part), program.forms), np.int64)
                _forms.counts_int64(part, program.layout, program.weights, program.single_weights, large)
                out[chosen] = large
        return out

    def classes(self, shoe: Shoe) -> list[int]:
        """The count of each class on one shoe."""
        values = _values([shoe.values])
        counted = [*map(int, self.forms(values)[0]), deals(shoe.cards_left)]
        return [sum(int(c) * n for c, n in zip(row, counted, strict=True)) for row in self.of_class]


def _counter(tableau: Tableau, keys: Sequence[Hashable]) -> Counter:
    """Count apart the outcomes of the tableau that have different keys."""
    number = {key: i for i, key in enumerate(dict.fromkeys(keys))}
    classes = np.zeros((10, 10, 2, 2), np.int32)
    outcomes: list[list[Outcome]] = [[] for _ in number]
    for outcome, key in zip(tableau.outcomes, keys, strict=True):
        classes[outcome.player_total, outcome.banker_total, outcome.player_cards - 2, outcome.banker_cards - 2] = (
            number[key]
        )
        outcomes[number[key]].append(outcome)
    weights = forms.weigh(*tableau_arrays(tableau), classes)
    unique, form_of = np.unique(weights, axis=0, return_inverse=True)
    form_of = form_of.reshape(-1)
    alone = np.bincount(form_of) == 1
    densest = int(np.argmax(np.where(alone, (unique != 0).sum(axis=1), 0)))
    kept = [f for f in range(len(unique)) if f != densest or not alone[f]]
    of_class = np.zeros((len(weights), len(kept) + 1), np.int64)
    for place, form in enumerate(kept):
        of_class[form_of == form, place] = 1
    for rest in np.flatnonzero(~np.isin(form_of, kept)):  # one class, or none
        of_class[rest, :-1] = -of_class[:, :-1].sum(axis=0)
        of_class[rest, -1] = 1
    return Counter(forms.pack(unique[kept]), of_class, tuple(map(tuple, outcomes)), classes, weights)


def tableau_arrays(tableau: Tableau) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The tableau for the kernels: player[10] and banker[10, 11], 1 where the hand draws."""
    player, banker = np.zeros(10, np.int32), np.zeros((10, 11), np.int32)
    player[:8] = tableau.player
    banker[:8] = tableau.banker
    return player, banker


@lru_cache(maxsize=32)
def _event_counter(game: Game) -> Counter:
    sets = list(game.events.values())
    return _counter(game.tableau, [tuple(o in s for s in sets) for o in game.tableau.outcomes])


def event_classes(game: Game) -> tuple[tuple[Outcome, ...], ...]:
    """The outcomes in classes that no event, and so no bet, of the game tells apart."""
    return _event_counter(game).outcomes


def classify(game: Game, shown: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The class, a place in `event_classes`, of each of (rows, 4) outcomes."""
    player, banker, player_cards, banker_cards = shown.T.astype(np.intp)
    found: NDArray[np.int32] = _event_counter(game).class_of[player, banker, player_cards - 2, banker_cards - 2]
    return found


@dataclass(frozen=True, eq=False)
class Pricer:
    """Edges of some bets of a game on many shoes: form counts times `coefficients`, over `denominators`."""

    game: Game
    bets: tuple[str, ...]
    counter: Counter
    coefficients: NDArray[np.int64]
    denominators: NDArray[np.float64]

    def edges(self, values: NDArray[np.int32]) -> NDArray[np.float64]:
        """Edges (shoes, bets) for compositions (shoes, 10) that are known to be good."""
        out = np.empty((len(values), len(self.bets)))
        counts = self.counter.forms(values)
        _settle.settle(values, counts, self.coefficients, self.denominators, out)
        return out


@lru_cache(maxsize=32)
def pricer(game: Game, bets: tuple[str, ...]) -> Pricer:
    chosen = [game.bet(name) for name in bets]
    counter = _counter(game.tableau, [tuple(bet.pay(o) for bet in chosen) for o in game.tableau.outcomes])
    pays = [[int(bet.pay(c[0]) * bet.denominator) for bet in chosen] for c in counter.outcomes]
    coefficients = counter.of_class.T @ np.array(pays, np.int64).reshape(len(counter.outcomes), len(chosen))
    assert np.abs(coefficients).sum(axis=0).max(initial=0) <= _MOST_COEFFICIENTS  # by rules.MOST_PAY
    denominators = np.array([bet.denominator for bet in chosen], float)
    return Pricer(game, bets, counter, np.ascontiguousarray(coefficients), denominators)


def _game(game: Game | str | Path) -> Game:
    return game if isinstance(game, Game) else load_game(game)


def events(game: Game | str | Path, shoe: Shoe) -> dict[str, int]:
    """The number of ordered six-card deals in which each event of the game happens.

    Dividing by `deals(shoe.cards_left)` gives the probability. The first three are `player-win`,
    `banker-win` and `tie`; the others are what the game's pay lines pay on. Raises `InputError`
    for fewer than six cards or more than 27 decks.
    """
    game = _game(game)
    if not isinstance(shoe, Shoe):
        raise InputError(f"shoe: {shoe!r}, should be a Shoe, as Shoe.parse('8d') makes")
    if not COUP <= shoe.cards_left <= MOST_CARDS:
        raise InputError(f"shoe {shoe}: {shoe.cards_left} cards, should be {COUP} to {MOST_CARDS:,}")
    counter = _event_counter(game)
    counts = counter.classes(shoe)
    return {
        name: sum(n for n, cls in zip(counts, counter.outcomes, strict=True) if cls[0] in happening)
        for name, happening in game.events.items()
    }


def probabilities(game: Game | str | Path, shoe: Shoe) -> dict[str, Fraction]:
    """The exact probability of each of the game's events; errors as for `events`."""
    counts, total = events(game, shoe), deals(shoe.cards_left)
    return {name: Fraction(count, total) for name, count in counts.items()}


def bet_edges(game: Game, probabilities: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """The edges of the bets from the probabilities of the game's events."""
    return {
        bet: sum(((pay + 1) * probabilities[event] for event, pay in lines), Fraction(-1))
        for bet, lines in game.settlement.items()
    }


def exact_edges(game: Game | str | Path, shoe: Shoe) -> dict[str, Fraction]:
    """The bettor's exact edge of each bet: expected profit per unit staked, pushes included.

    Raises `InputError` for fewer than six cards or more than 27 decks.
    """
    game = _game(game)
    return bet_edges(game, probabilities(game, shoe))


def edges(game: Game | str | Path, values: ArrayLike, bets: Iterable[str] | None = None) -> NDArray[np.float64]:
    """The bettor's edges on many shoes: float64 of shape (shoes, bets).

    `values` is an integer array of shape (shoes, 10): cards left of values 0, 1 ... 9; each shoe
    6 to 1,404 cards (27 decks). `bets` are names, by default all of the game's in its order. An edge
    is correct to a few units in the last place; it is exactly zero, or positive, when the fraction is.
    """
    game = _game(game)
    if isinstance(bets, str):
        raise InputError(f"bets: {bets!r} should be a list of names")
    names = game.bet_names if bets is None else tuple(bets)
    return pricer(game, names).edges(_values(values))


def _values(values: ArrayLike) -> NDArray[np.int32]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError("values: rows differ in length, each should have 10 counts") from None
    if array.ndim != 2 or array.shape[1] != 10:
        raise InputError(f"values: shape {array.shape}, should be (shoes, 10)")
    if array.dtype.kind not in "iu" and array.size:
        raise InputError(f"values: of type {array.dtype}, should be integers")
    wrong = np.flatnonzero(((array < 0) | (array > MOST_CARDS)).any(axis=1))
    if len(wrong):
        counts = array[wrong[0]].tolist()
        raise InputError(f"values: shoe {wrong[0]} is {counts}, counts should be 0 to {MOST_CARDS}")
    array = np.ascontiguousarray(array, np.int32)
    cards = array.sum(axis=1)
    wrong = np.flatnonzero((cards < COUP) | (cards > MOST_CARDS))
    if len(wrong):
        raise InputError(
            f"values: shoe {wrong[0]} has {cards[wrong[0]]} cards, should have {COUP} to {MOST_CARDS:,} (27 decks)"
        )
    return array


def with_replacement(game: Game | str | Path) -> dict[str, Fraction]:
    """The exact probability of each event when every card is drawn from a full deck: the infinite shoe."""
    game = _game(game)
    counter = _event_counter(game)
    orders = [prod(4 if v == 0 else 1 for v in m) for m in forms.multisets()]
    ways = [sum(int(w) * n for w, n in zip(row, orders, strict=True)) for row in counter.weights]
    return {
        name: Fraction(sum(n for n, cls in zip(ways, counter.outcomes, strict=True) if cls[0] in happening), 13**COUP)
        for name, happening in game.events.items()
    }
