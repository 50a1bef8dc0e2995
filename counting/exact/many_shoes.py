"""Exact pricing of many shoes: compositions in, edges out.

Every coup is settled by at most the next six cards, so an event is counted over the N(N-1)...(N-5) ordered six-card
deals of the N unseen cards. Events are counted first, as integers. The numerator of a bet's edge is an integer
combination of these counts. It is divided once, at the end, and the division keeps its sign: a float64 edge is
positive, or zero, exactly if the true edge is.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counting.cards import COUP, WIDTH
from counting.errors import InputError, several
from counting.exact.outcomes import MOST_CARDS
from counting.exact.settlements import refuse_coarse, settlement
from counting.games import Game, as_game


def edges(game: Game | str | Path, values: ArrayLike, bets: Iterable[str] | None = None) -> NDArray[np.float64]:
    """The bettor's edges on many shoes: float64 of shape (shoes, bets).

    `values` is an integer array of cards left, with one of three shapes:

    - (shoes, 10): by value, 0, 1 ... 9
    - (shoes, 13): by rank, A, 2 ... K, which bets on pairs need
    - (shoes, 52): by card, rank by rank in the order spades, hearts, diamonds, clubs, which bets on suits need

    Each shoe has 6 to 1,404 cards (27 decks). `bets` names bets of the game or the catalog, or writes them out
    (`Game.asked`). A bet that is named twice has one column. By default the bets are all of the game's, in the game's
    order. An edge is correct to a few units in the last place. It is positive, or zero, exactly if the true edge is.

    Raises `InputError` for an unknown bet, for other shapes, numbers of cards or types, for counts below 0, and for a
    shape that is too coarse for a bet.

    >>> import counting
    >>> counting.edges("punto-banco", [[128, *[32] * 9]], ["player", "banker-5"]).round(6).tolist()
    [[-0.012351, -0.010579]]
    """
    game = as_game(game)
    game, names = game.asked(game.bet_names if bets is None else several(bets, "bets"))
    compositions = _compositions(values)
    kind = next(kind for kind, width in WIDTH.items() if width == compositions.shape[1])
    refuse_coarse([game.bet(name) for name in names], kind, f"values of shape {compositions.shape}")
    return settlement(game, names).edges(compositions)


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
