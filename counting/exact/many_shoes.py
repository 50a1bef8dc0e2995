"""Exact pricing: compositions in; counts, edges and probabilities out.

Every coup is settled by the first six cards of the remaining order, so an event is counted over the
N(N-1)...(N-5) ordered six-card deals of the N unseen cards. Events are counted first, as integers;
a bet's edge is an integer combination of such counts over one denominator, divided once at the end.
Its sign is the integer's: an edge is positive, or zero, exactly when the fraction is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counting.cards import COUP, DECK, MOST_DECKS, SUITS, WIDTH
from counting.errors import InputError
from counting.exact import _settle, first_cards
from counting.exact.coup_classes import coefficients_on_first, refuse_coarse, whole_pay
from counting.exact.outcomes import OutcomeCounter, counter
from counting.games import Game, as_game

MOST_CARDS = MOST_DECKS * DECK

_MOST_COEFFICIENTS = 1 << 30  # see `_settle.pyx`: the sum of their sizes


# Places of bets, counts of forms on shoes, and coefficients of the bets' pays and of their squares.
_Counted = tuple[list[int], NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Pricer:
    """Edges of some bets of a game on many shoes.

    The bets settled by outcomes are form counts of `outcomes` times `coefficients`; those settled by
    first cards, the closed forms of `first_cards` times `first_coefficients`. `by_outcome` and `by_first` are the
    bets' places; `squares` and `first_squares` are coefficients of squared pays.
    """

    game: Game
    bets: tuple[str, ...]
    counter: OutcomeCounter
    coefficients: NDArray[np.int64]
    first_coefficients: NDArray[np.int64]
    squares: NDArray[np.float64]
    first_squares: NDArray[np.float64]
    denominators: NDArray[np.float64]
    by_outcome: list[int]
    by_first: list[int]

    def edges(self, compositions: NDArray[np.int32]) -> NDArray[np.float64]:
        """Edges (shoes, bets) for checked compositions (shoes, 10, 13 or 52)."""
        return self._edges(compositions, self._counts(compositions))

    def numerators(self, compositions: NDArray[np.int32]) -> NDArray[np.int64]:
        """Edges times deals and the bets' denominators (shoes, bets), of bets by outcome on shoes by value.

        Raises `InputError` where they might not fit in 64 bits.
        """
        deals_of = all_deals(compositions)
        sizes = np.abs(self.coefficients).sum(axis=0)
        if self.by_first or int(sizes.max()) * int(deals_of.max(initial=0)) >= 1 << 62:
            raise InputError(f"bets {', '.join(self.bets)}: should be settled by outcome, on shoes of fewer cards")
        forms = self.counter.forms(compositions)
        numerators: NDArray[np.int64] = forms @ self.coefficients[:-1] + deals_of[:, np.newaxis] * self.coefficients[-1]
        return numerators

    def moments(self, compositions: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets).

        Both come from exact counts; a mean square is a sum of floats, to some 13 digits.
        """
        counted = self._counts(compositions)
        squares = np.empty((len(compositions), len(self.bets)))
        cards = compositions.sum(axis=1, dtype=np.int64)
        for places, counts, _, of_squares in counted:
            part = np.empty((len(squares), len(places)))
            _settle.square(cards, counts, of_squares, self.denominators[places], part)
            squares[:, places] = part
        return self._edges(compositions, counted), squares

    def _counts(self, compositions: NDArray[np.int32]) -> list[_Counted]:
        parts = []
        if self.by_outcome:
            forms = self.counter.forms(values_of(compositions))
            parts.append((self.by_outcome, forms, self.coefficients, self.squares))
        if self.by_first:
            parts.append((self.by_first, first_cards.counts(compositions), self.first_coefficients, self.first_squares))
        return parts

    def _edges(self, compositions: NDArray[np.int32], counted: list[_Counted]) -> NDArray[np.float64]:
        out = np.empty((len(compositions), len(self.bets)))
        cards = compositions.sum(axis=1, dtype=np.int64)
        for places, counts, coefficients, _ in counted:
            part = np.empty((len(out), len(places)))
            _settle.settle(cards, counts, coefficients, self.denominators[places], part)
            out[:, places] = part
        return out


def all_deals(compositions: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of ordered six-card deals of each shoe."""
    cards = compositions.sum(axis=1, dtype=np.int64)
    products: NDArray[np.int64] = np.prod([cards - i for i in range(COUP)], axis=0)
    return products


@lru_cache(maxsize=32)
def pricer(game: Game, bets: tuple[str, ...]) -> Pricer:
    chosen = [game.bet(name) for name in bets]
    places: dict[str, list[int]] = {"outcome": [], "first": []}
    for i, bet in enumerate(chosen):
        places[bet.shows].append(i)
    on_outcome, on_first = ([chosen[i] for i in of] for of in places.values())
    counted = counter(game.tableau, [tuple(bet.pay(o) for bet in on_outcome) for o in game.tableau.outcomes])
    pays = [[whole_pay(bet, cls[0]) for bet in on_outcome] for cls in counted.outcomes]
    by_class = np.array(pays, np.int64).reshape(len(counted.outcomes), len(on_outcome))
    coefficients = counted.of_class.T @ by_class
    squares = np.ascontiguousarray(counted.of_class.T @ by_class.astype(float) ** 2)
    first_coefficients, first_squares = (
        np.array([coefficients_on_first(bet, power) for bet in on_first], np.int64)
        .reshape(len(on_first), len(first_cards.BY_CARD) + 1)
        .T
        for power in (1, 2)
    )
    for table in (coefficients, first_coefficients):
        assert np.abs(table).sum(axis=0).max(initial=0) <= _MOST_COEFFICIENTS  # by bets.MOST_PAY
    return Pricer(
        game,
        bets,
        counted,
        np.ascontiguousarray(coefficients),
        np.ascontiguousarray(first_coefficients),
        squares,
        np.ascontiguousarray(first_squares, float),
        np.array([bet.denominator for bet in chosen], float),
        places["outcome"],
        places["first"],
    )


def values_of(compositions: NDArray[np.int32]) -> NDArray[np.int32]:
    """Counts by value (shoes, 10) from counts by value, by rank (13) or by card (52)."""
    if compositions.shape[1] == WIDTH["value"]:
        return compositions
    if compositions.shape[1] == WIDTH["card"]:
        compositions = compositions.reshape(-1, WIDTH["rank"], len(SUITS)).sum(axis=2, dtype=np.int32)
    values = np.empty((len(compositions), WIDTH["value"]), np.int32)
    values[:, 0] = compositions[:, 9:].sum(axis=1)
    values[:, 1:] = compositions[:, :9]
    return values


def edges(game: Game | str | Path, values: ArrayLike, bets: Iterable[str] | None = None) -> NDArray[np.float64]:
    """The bettor's edges on many shoes: float64 of shape (shoes, bets).

    `values` is an integer array of shape (shoes, 10): cards left of values 0, 1 ... 9; or (shoes, 13):
    of ranks A, 2 ... K, which bets on pairs need; or (shoes, 52): of each card, rank by rank in the order
    spades, hearts, diamonds, clubs, which bets on suits need. Each shoe has 6 to 1,404 cards (27 decks).
    `bets` names bets of the game or the catalog, by default all of the game's in its order. An edge is
    correct to a few units in the last place; it is exactly zero, or positive, when the fraction is.

    >>> import counting
    >>> counting.edges("punto-banco", [[128, *[32] * 9]], ["player", "banker-5"]).round(6).tolist()
    [[-0.012351, -0.010579]]
    """
    game = as_game(game)
    if isinstance(bets, str):
        raise InputError(f"bets: {bets!r} should be a list of names")
    names = game.bet_names if bets is None else tuple(bets)
    game = game.also(names)
    compositions = _compositions(values)
    kind = next(kind for kind, width in WIDTH.items() if width == compositions.shape[1])
    refuse_coarse([game.bet(name) for name in names], kind, f"values of shape {compositions.shape}")
    return pricer(game, names).edges(compositions)


def _compositions(values: ArrayLike) -> NDArray[np.int32]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InputError("values: rows differ in length, each should have 10 counts (or 13, or 52)") from None
    if array.ndim != 2 or array.shape[1] not in WIDTH.values():
        raise InputError(
            f"values: shape {array.shape}, should be (shoes, 10), by rank (shoes, 13), by card (shoes, 52)"
        )
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
