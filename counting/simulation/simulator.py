"""The plain simulator: deal coups, count the winners, and compare their shares with the exact values."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.errors import whole
from counting.exact import (
    bet_edges,
    probabilities,
    settlement,
    with_replacement,
)
from counting.games import Game, as_game
from counting.simulation.dealing import MOST_SEED, Dealing
from counting.simulation.shoes import play, play_with_replacement

_BLOCK_COUPS = 1_000_000
_BLOCK_SHOES = 2_000
_LEAST_CLUSTERS = 100


@dataclass(frozen=True)
class Simulated:
    """Simulated probabilities of `events` and edges of `bets`, by name. Each is (simulated value, standard error, exact
    value)."""

    coups: int
    shoes: int | None
    events: dict[str, tuple[float, float, float]]
    bets: dict[str, tuple[float, float, float]]


def simulate(game: Game | str | Path, coups: int, decks: int | None = 8, seed: int = 1) -> Simulated:
    """Deal `coups` coups from shoes of `decks` decks, with 14 cards behind the cut card. Without decks (None), deal
    with replacement.

    From 100 shoes on, standard errors are clustered by shoe. With fewer shoes, coups count as independent, which they
    nearly are. The exact values are for a shoe's first coup or, without decks, for every coup. Over whole shoes, the
    cut card changes the edges by a few millionths with 8 decks, and by some hundred-thousandths with one deck. Raises
    `InputError` for numbers out of range.

    >>> from counting import simulate
    >>> simulate("punto-banco", 1000).coups
    1000
    """
    game = as_game(game)
    coups = whole(coups, "coups", 1, 10**11)
    seed = whole(seed, "seed", 0, MOST_SEED)
    settled = settlement(game)
    tallies = [_ClassCounts(classes) for classes in settled.sizes]
    shoes = 0
    if decks is None:
        for stream, done in enumerate(range(0, coups, _BLOCK_COUPS)):
            shown = play_with_replacement(game.tableau, seed, stream, min(_BLOCK_COUPS, coups - done))
            for tally, classes in zip(tallies, settled.classes(shown).T, strict=True):
                tally.add(classes)
        exact = with_replacement(game)
    else:
        dealing = Dealing(decks)
        exact = probabilities(game, Shoe.decks(dealing.decks))
        while (left := coups - tallies[0].coups) > 0:
            block = min(_BLOCK_SHOES, left // 8 + 1)
            played = play(game.tableau, dealing, seed, shoes, block)
            shoe = played.shoe[:left].astype(np.int64)
            for tally, classes in zip(tallies, settled.classes(played.shown[:left]).T, strict=True):
                tally.add_by_shoe(classes, shoe)
            shoes += int(shoe[-1]) + 1
    if shoes >= _LEAST_CLUSTERS:
        for tally in tallies:
            tally.moments *= shoes / (shoes - 1)
    else:
        for tally in tallies:
            tally.moments = np.diag(tally.counts.astype(float))
    edges = bet_edges(game, exact)
    paid = {
        bet: (k, settled.pays[: settled.sizes[k], i])
        for i, (bet, k) in enumerate(zip(game.bet_names, settled.column.tolist(), strict=True))
    }
    return Simulated(
        coups,
        None if decks is None else shoes,
        {name: _estimate(x.astype(float), tallies[k], float(exact[name])) for name, (k, x) in settled.events.items()},
        {name: _estimate(x, tallies[k], float(edges[name])) for name, (k, x) in paid.items()},
    )


class _ClassCounts:
    """How many coups were of each class, with the second moments of these counts by shoe. The variance of any bet or
    event is a quadratic form in the moments."""

    def __init__(self, classes: int) -> None:
        self.counts = np.zeros(classes, np.int64)
        self.moments = np.zeros((classes, classes))

    @property
    def coups(self) -> int:
        return int(self.counts.sum())

    def add(self, classes: NDArray[np.int32]) -> None:
        self.counts += np.bincount(classes, minlength=len(self.counts))

    def add_by_shoe(self, classes: NDArray[np.int32], shoe: NDArray[np.int64]) -> None:
        used, width = int(shoe[-1]) + 1, len(self.counts)
        table = np.bincount(shoe * width + classes, minlength=used * width).reshape(used, width)
        self.counts += table.sum(axis=0)
        self.moments += table.T.astype(float) @ table


def _estimate(x: NDArray[np.float64], tally: _ClassCounts, exact: float) -> tuple[float, float, float]:
    coups = tally.coups
    mean = float(x @ tally.counts) / coups
    residual = x - mean
    return mean, sqrt(max(float(residual @ tally.moments @ residual), 0.0)) / coups, exact
