"""Estimates for numbers of unseen cards that have too many compositions for a census: how often a bet is positive, and
what the bet is worth when it is.

Compositions are drawn by importance sampling: compositions that favour the bet are drawn more often and given less
weight."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import polars as pl

from counting.cards import DECK, MOST_DECKS, Shoe
from counting.errors import whole
from counting.exact import check_cards_left, exact_edges, settlement
from counting.games import Game, as_game
from counting.simulation.dealing import MOST_SEED
from counting.simulation.importance import COLUMNS, COUNTS, Sampler
from counting.workers import threads

LEAST_SAMPLES, MOST_SAMPLES = 1_000, 10**9

_SCHEMA = {name: pl.Int64 if name in COUNTS else pl.Float64 for name in COLUMNS}


def estimate(
    game: Game | str | Path,
    bet: str,
    cards_left: int | Iterable[int],
    decks: int | None = None,
    samples: int = 200_000,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pl.DataFrame:
    """How often a bet's edge is positive with n random cards unseen. There is a row for each n of `cards_left`, which
    is one number or several, from 6 to the full shoe's number of cards.

    The cards are left from a full shoe of `decks`, by default the game's. The figures are estimates by simulation
    (importance sampling).

    Columns:

    - cards_left
    - samples
    - positive_samples: samples with a positive edge; they are drawn more often on purpose, so their share does not
      estimate p_positive
    - p_positive: the probability of a positive edge
    - mean_positive_part: the expected win per coup of perfect play
    - mean_positive_edge: the mean edge when it is positive
    - p_positive_se, mean_positive_part_se and mean_positive_edge_se: standard errors
    - mean_edge: exact, because the mean over random cards is the full shoe's edge for every number of cards left

    For up to 60 cards, `census` gives the same figures without error.

    Each estimate is unbiased, except the ratio mean_positive_edge. A standard error comes from the samples, so it
    misses a region of positive edges in which no sample fell.

    If positive_samples is 0, p_positive is 0 and the standard errors are null. In this case no sample had a positive
    edge, and usually the search found no positive edge either. This does not prove that there is none. p_positive_se is
    also null if all samples are of the plain distribution and positive.

    A row depends only on game, bet, decks, samples, seed and its number of cards left, not on the workers. `progress`
    is called with the number of rows done and the number of all rows. Raises `InputError` for an unknown bet, a bet on
    ranks or suits, and numbers out of range.

    >>> from counting import estimate
    >>> estimate("ez-baccarat", "dragon-7", [100], samples=1000)["mean_edge"].round(6).item()
    -0.076113
    """
    loaded = as_game(game)
    loaded, (bet,) = loaded.asked([bet])
    decks = whole(loaded.decks if decks is None else decks, "decks", 1, MOST_DECKS)
    depths = cards_left if isinstance(cards_left, Iterable) else (cards_left,)
    numbers = [check_cards_left(loaded, [bet], number, decks, DECK * decks)[0] for number in depths]
    samples = whole(samples, "samples", LEAST_SAMPLES, MOST_SAMPLES)
    seed = whole(seed, "seed", 0, MOST_SEED)
    threads(workers)
    priced, shoe = settlement(loaded, (bet,)), Shoe.decks(decks)
    mean = float(exact_edges(loaded.only([bet]), shoe)[bet])
    full = np.array(shoe.values, np.int32)
    rows = []
    for n in numbers:
        rows.append(Sampler(priced, full, n, seed).row(samples, workers) | {"mean_edge": mean})
        if progress:
            progress(len(rows), len(numbers))
    return pl.DataFrame(rows, schema=_SCHEMA)
