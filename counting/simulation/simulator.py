"""The plain simulator: deal coups, count the winners, and compare the fractions with the exact values."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.errors import whole
from counting.exact import (
    bet_edges,
    classify,
    event_classes,
    events_by_class,
    pays,
    probabilities,
    with_replacement,
)
from counting.games import Game
from counting.simulation.dealing import MOST_SEED, Dealing
from counting.simulation.shoes import play, play_with_replacement

_BLOCK_COUPS = 1_000_000
_BLOCK_SHOES = 2_000
_LEAST_CLUSTERS = 100


@dataclass(frozen=True)
class Simulated:
    """`events` and `bets`: name -> (simulated, standard error, exact); the figure of a bet is its edge."""

    coups: int
    shoes: int | None
    events: dict[str, tuple[float, float, float]]
    bets: dict[str, tuple[float, float, float]]


def simulate(game: Game, coups: int, decks: int | None = 8, seed: int = 1) -> Simulated:
    """Deal `coups` coups, from shoes of `decks` decks with 14 cards behind the cut card, or with replacement (None).

    Standard errors are clustered by shoe from 100 shoes on; with fewer shoes coups count as independent, which
    they nearly are. The exact values are the first coup's; over whole shoes the cut card moves the edges by
    parts in a million with 8 decks, by some parts in a hundred thousand with one.
    """
    coups = whole(coups, "coups", 1, 10**11)
    seed = whole(seed, "seed", 0, MOST_SEED)
    classes_told = len(event_classes(game))
    counts = np.zeros(classes_told, np.int64)
    # Second moments by shoe of the class counts: the variance of any bet or event is a quadratic form.
    moments = np.zeros((classes_told, classes_told))
    shoes = 0
    if decks is None:
        for stream, done in enumerate(range(0, coups, _BLOCK_COUPS)):
            shown = play_with_replacement(game.tableau, seed, stream, min(_BLOCK_COUPS, coups - done))
            counts += np.bincount(classify(game, shown), minlength=classes_told)
        moments = np.diag(counts.astype(float))
        exact = with_replacement(game)
    else:
        dealing = Dealing(decks)
        exact = probabilities(game, Shoe.decks(dealing.decks))
        while (left := coups - int(counts.sum())) > 0:
            block = min(_BLOCK_SHOES, left // 8 + 1)
            played = play(game.tableau, dealing, seed, shoes, block)
            classes = classify(game, played.shown)[:left]
            shoe = played.shoe[:left].astype(np.int64)
            used = int(shoe[-1]) + 1
            by_shoe = np.bincount(shoe * classes_told + classes, minlength=used * classes_told)
            table = by_shoe.reshape(used, classes_told)
            counts += table.sum(axis=0)
            moments += table.T.astype(float) @ table
            shoes += used
        if shoes < _LEAST_CLUSTERS:
            moments = np.diag(counts.astype(float))
        else:
            moments *= shoes / (shoes - 1)
    edges = bet_edges(game, exact)
    happens = dict(zip(game.events, events_by_class(game).T.astype(float), strict=True))
    paid = dict(zip(game.bet_names, pays(game, game.bet_names).T, strict=True))
    return Simulated(
        coups,
        None if decks is None else shoes,
        {name: _estimate(x, counts, moments, float(exact[name])) for name, x in happens.items()},
        {name: _estimate(x, counts, moments, float(edges[name])) for name, x in paid.items()},
    )


def _estimate(
    x: NDArray[np.float64], counts: NDArray[np.int64], moments: NDArray[np.float64], exact: float
) -> tuple[float, float, float]:
    coups = int(counts.sum())
    mean = float(x @ counts) / coups
    residual = x - mean
    return mean, sqrt(max(float(residual @ moments @ residual), 0.0)) / coups, exact
