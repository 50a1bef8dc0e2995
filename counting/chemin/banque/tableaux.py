"""The coups of a shoe at two tableaux: what each of Banker's moves is worth to each Player. This does not depend on the
stakes, so each shoe is counted only once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.chemin import _deals
from counting.chemin.banque.coups_dealt import MOST_CARDS, TwoCell
from counting.chemin.game import SIGN, cells, dealt_from, ways_to_deal
from counting.chemin.rules import CLASSICAL, HANDS, THIRDS, TOTALS, Hand, Model
from counting.chemin.solution import Solution, solve
from counting.games import STOOD

LOW: tuple[Hand, ...] = tuple(hand for hand in HANDS if sum(hand) % 10 < TOTALS)
LOW_HANDS = np.array(LOW, np.int32)

# The chance of each pair of the Players' moves: True to draw, False to stand, None for a Player whose total leaves no
# choice. A chance is an affine form in (x, u, v), the constant first. `solution` explains x, u and v.
_ONE, _X, _U, _V = np.eye(4, dtype=np.int64)
_CHANCE = {
    (None, None): _ONE,
    (None, True): _U + _V,
    (None, False): _ONE - _U - _V,
    (True, None): _X,
    (False, None): _ONE - _X,
    (True, True): _U,
    (True, False): _X - _U,
    (False, True): _V,
    (False, False): _ONE - _X - _V,
}
# These chances as an array. The axes: whether the first Player stood; whether the second stood; which Players had a
# choice (neither, the second, the first, both); the form.
_AFFINE = np.array(
    [
        [[_CHANCE[a, b] for a in (None, first) for b in (None, second)] for second in (True, False)]
        for first in (True, False)
    ]
).astype(object)


@dataclass(frozen=True, eq=False)
class ShownNaturals:
    """What follows a Player's natural. `naturals` gives the chance that a given Player is dealt each natural. `solved`
    gives, for each natural, the solution of the other tableau, which continues as chemin de fer with the cards left."""

    shoe: Shoe
    model: Model

    @cached_property
    def naturals(self) -> dict[Hand, Fraction]:
        counts, taken = dealt_from(self.shoe, self.model)
        left: list[int] = counts.tolist()
        chances = ((hand, _ways_to(hand, left, taken)) for hand in HANDS[len(LOW) :])
        return {hand: Fraction(2 * pairs, ways_to_deal(counts, taken, 2)) for hand, pairs in chances if pairs}

    @cached_property
    def solved(self) -> dict[Hand, Solution]:
        _, taken = dealt_from(self.shoe, self.model)
        return {hand: solve(_without(self.shoe, hand, taken), self.model.name) for hand in self.naturals}

    @property
    def apart(self) -> Fraction:
        """If one Player has a natural, the other still plays: what these coups are worth to the other, per unit staked
        on the other's hand."""
        return sum((share * self.solved[hand].value for hand, share in self.naturals.items()), Fraction(0))


@dataclass(frozen=True, eq=False)
class Tableaux(ShownNaturals):
    """A shoe's coups without a natural, for any stakes.

    - `worth` (moves, tableaux, cells, form): what Banker's standing and Banker's drawing are worth to each Player,
      summed over `deals`, as affine forms in (x, u, v).
    - `first` (cells,): the first Player's third card in the cell, or STOOD.
    - `possible` (cells,): whether a deal reaches the cell.
    """

    cells: list[TwoCell]
    first: NDArray[np.intp]
    possible: NDArray[np.bool_]
    worth: NDArray[np.object_]
    deals: int

    @classmethod
    def of(cls, shoe: Shoe, model: Model) -> Tableaux:
        counts, taken = dealt_from(shoe, model)
        seen = cells(model, CLASSICAL)
        n = len(LOW)
        counted = np.zeros((3, 2, n, THIRDS, THIRDS, 2, 2), np.int64)
        _deals.banque(counts, taken, SIGN, LOW_HANDS, seen.column[:n], counted)
        by_hand = counted.reshape(3, 2, n, THIRDS, THIRDS, 4)
        # Hands that Banker cannot distinguish are added up.
        worth = np.zeros((2, 2, len(seen.banker) // THIRDS, THIRDS, THIRDS, 4), object)
        possible = np.zeros(worth.shape[2:5], bool)
        stood = [slice(0, STOOD), slice(STOOD, None)]
        for hand, row in enumerate(seen.row[:n].tolist()):
            before = ways_before(counts, taken, LOW[hand])
            dealt = by_hand[2, 0, hand].any(axis=-1) & (before != 0)
            possible[row] |= dealt
            for a, first in enumerate(stood):
                for b, second in enumerate(stood):
                    at = worth[:, :, row, first, second]
                    some = dealt[first, second]
                    ways_to = by_hand[:2, :, hand, first, second][:, :, some] * before[first, second][some, None]
                    at[:, :, some] += ways_to @ _AFFINE[a, b]
        own = [cell for cell, third in seen.banker if third == 0]
        every = [(cell, first, second) for cell in own for first in range(THIRDS) for second in range(THIRDS)]
        return cls(
            shoe,
            model,
            every,
            np.array([first for _, first, _ in every]),
            possible.ravel(),
            worth.reshape(2, 2, -1, 4),
            ways_to_deal(counts, taken, MOST_CARDS) // 8,
        )

    def by_tableau(self, plans: Mapping[int | None, list[int]], draws: NDArray[np.object_], det: int) -> list[int]:
        """What each Player wins, summed over `deals` and times the square of det. `plans` gives 1, x, u and v for each
        case, and `draws` gives Banker's probability of drawing in each cell, all times det."""
        stand, draw = self.worth
        worth = det * stand + (draw - stand) * draws[:, None]
        sums = [0, 0]
        for state, plan in plans.items():
            at = worth if state is None else worth[:, self.first == state]
            sums = [total + int(at[i].sum(axis=0) @ plan) for i, total in enumerate(sums)]
        return sums


def ways_before(counts: NDArray[np.int64], taken: int, hand: Hand) -> NDArray[np.object_]:
    """How many ways there are to deal these cards: this hand to Banker, the Players' third cards, and an unused card
    for each Player who stands. The entry [i, j] of the array (11, 11) is for third cards i of the first Player and j of
    the second; i and j may be STOOD. Banker's third card is not counted here, because `_deals.banque` counts it, even
    if Banker stands."""
    left: list[int] = counts.tolist()
    n, dealt = sum(left), np.zeros((THIRDS, THIRDS), object)
    pair = _ways_to(hand, left, taken)
    if not pair:
        return dealt
    for card in hand:
        left[card] -= taken
    for of_first in range(THIRDS):
        for of_second in range(THIRDS):
            first = 1 if of_first == STOOD else left[of_first]
            second = 1 if of_second == STOOD else left[of_second] - taken * (of_first == of_second)
            idle = prod(
                n - taken * i for i in range(MOST_CARDS - (of_first == STOOD) - (of_second == STOOD), MOST_CARDS)
            )
            dealt[of_first, of_second] = pair * first * second * idle
    return dealt


def _ways_to(hand: Hand, left: Sequence[int], taken: int) -> int:
    """How many ways there are to deal this hand, regardless of the order of its two cards."""
    a, b = hand
    return left[a] * (left[a] - taken) // 2 if a == b else left[a] * left[b]


def _without(shoe: Shoe, hand: Hand, taken: int) -> Shoe:
    left = list(shoe.values)
    for card in hand:
        left[card] -= taken
    return Shoe.from_values(left)


tableaux = lru_cache(maxsize=4)(Tableaux.of)
