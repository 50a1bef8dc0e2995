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

from counting.cards import COUP, WIDTH
from counting.errors import InputError
from counting.exact.coup_classes import refuse_coarse
from counting.exact.outcomes import MOST_CARDS, all_deals, values_of
from counting.exact.settling import ByFirst, ByHands, Settled, on_first_cards, on_hands, on_outcomes
from counting.games import Game, as_game


@dataclass(frozen=True, eq=False)
class Pricer:
    """Edges of some bets of a game on many shoes: `parts` are the places of bets and how these are settled."""

    game: Game
    bets: tuple[str, ...]
    parts: tuple[tuple[list[int], Settled], ...]

    def edges(self, compositions: NDArray[np.int32]) -> NDArray[np.float64]:
        """Edges (shoes, bets) for checked compositions (shoes, 10, 13 or 52)."""
        if len(self.parts) == 1:
            return self.parts[0][1].edges(_known_to(self.parts[0][1], compositions))
        out = np.empty((len(compositions), len(self.bets)))
        for places, settled in self.parts:
            out[:, places] = settled.edges(_known_to(settled, compositions))
        return out

    def numerators(self, compositions: NDArray[np.int32]) -> NDArray[np.int64]:
        """Edges times deals and the bets' denominators (shoes, bets), of bets that need point values only, on shoes by
        value.

        Raises `InputError` where they might not fit in 64 bits.
        """
        deals_of = all_deals(compositions)
        numerators = np.empty((len(compositions), len(self.bets)), np.int64)
        for places, settled in self.parts:
            sizes = np.abs(settled.coefficients).sum(axis=0)
            if isinstance(settled, ByFirst) or int(sizes.max()) * int(deals_of.max(initial=0)) >= 1 << 62:
                raise InputError(f"bets {', '.join(self.bets)}: should need point values only, on shoes of fewer cards")
            coefficients, counts = settled.coefficients, settled.counts(compositions)
            numerators[:, places] = counts @ coefficients[:-1] + deals_of[:, np.newaxis] * coefficients[-1]
        return numerators

    def moments(self, compositions: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets).

        Both come from exact counts, with one rounding before the division; squares too large for 64 bits are sums of
        floats, to some 13 digits. In memory they stand shoe by shoe or bet by bet.
        """
        if len(self.parts) == 1:
            return self.parts[0][1].moments(_known_to(self.parts[0][1], compositions))
        edges, squares = np.empty((2, len(self.bets), len(compositions)))
        for places, settled in self.parts:
            of_edges, of_squares = settled.moments(_known_to(settled, compositions))
            edges[places], squares[places] = of_edges.T, of_squares.T
        return edges.T, squares.T


def _known_to(settled: Settled, compositions: NDArray[np.int32]) -> NDArray[np.int32]:
    return compositions if isinstance(settled, ByFirst | ByHands) else values_of(compositions)


@lru_cache(maxsize=32)
def pricer(game: Game, bets: tuple[str, ...]) -> Pricer:
    places: dict[str, list[int]] = {"outcome": [], "first": [], "hands": []}
    for i, name in enumerate(bets):
        places[game.bet(name).shows].append(i)
    parts: list[tuple[list[int], Settled]] = []
    for shows, of in places.items():
        chosen = [game.bet(bets[i]) for i in of]
        if chosen:
            match shows:
                case "outcome":
                    parts.append((of, on_outcomes(game.tableau, chosen)))
                case "first":
                    parts.append((of, on_first_cards(chosen)))
                case _:
                    parts.append((of, on_hands(game.tableau, chosen)))
    return Pricer(game, bets, tuple(parts))


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
