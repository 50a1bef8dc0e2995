"""A bet on Player with n cards left: how often it has an edge, and what it wins if it is made only when it has an edge.
The bet is on the table's hand, or on a hand that the bettor plays. The figures are exact, over all compositions.

The bank draws by the tableau. So a composition's edge is a sum: the worth of standing on every hand, and what drawing
adds in each cell in which the hand draws. A cell is a hand of two cards that is not a natural. A bettor who plays the
hand draws where drawing adds more than 0. This is decided for each cell or, in play by totals, for all cells of a total
together. Each term of the sum is a linear form of the cards left. Compositions are equally likely if they have the same
number of tens, and their counts of the values 1 to 9 are the same numbers in another order. The edges of equally likely
compositions are added up before they are weighted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, prod
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError, whole
from counting.exact import _forms
from counting.exact.instruction_sets import level
from counting.exact.linear_forms import MULTISETS, Program, pack, weigh
from counting.exact.outcomes import tableau_arrays
from counting.games import Game, Tableau, as_game

MOST_CARDS = 20
_ABREAST = 200_000  # shoes priced at once
_TOTALS = 8  # the totals 0 to 7 of hands that are not naturals
_HANDS = [(a, b) for a in range(10) for b in range(a, 10)]
_CELLS = [hand for hand in _HANDS if sum(hand) % 10 < _TOTALS]
_VALUES = np.arange(10)
_OUTCOME = np.sign(np.subtract.outer(_VALUES, _VALUES)) + 1  # 0 lost, 1 tied, 2 won

Hand = Literal["table", "total", "hand"]
HANDS: tuple[Hand, ...] = ("table", "total", "hand")


@dataclass(frozen=True)
class OwnHandGains:
    """The gains of a bet on Player at even money, with `cards_left` cards left.

    `on` says how the hand is played: by the table's rule ("table"), or by a bettor who looks at the hand's total
    ("total") or at its two cards ("hand"). The bettor draws in the best way for the cards left. `positive` is the
    probability of an edge above 0, and `mean` the mean edge. `gain` is the win per coup of a bettor who stakes one unit
    only when the edge is above 0, pushes included.
    """

    cards_left: int
    on: Hand
    positive: Fraction
    mean: Fraction
    gain: Fraction


def own_hand_gains(
    game: Game | str | Path, cards: int, decks: int | None = None, progress: Callable[[int, int], None] | None = None
) -> list[OwnHandGains]:
    """The gains on each of `HANDS`, with `cards` random cards left of `decks` full decks. The default of `decks` is the
    game's number of decks. `progress` is called with the number of compositions priced so far and the number of all
    compositions, C(cards + 9, 9).

    Raises `InputError` for fewer than 6 or more than 20 cards, for decks from which the game is not dealt, and for a
    game that draws on naturals.
    """
    game = as_game(game)
    if game.tableau.drawn_on is not None:
        raise InputError(f"{game.title}: drawn_on = {game.tableau.drawn_on!r}, should be a game that leaves it out")
    decks = game.dealt_from(None if decks is None else whole(decks, "decks", 1, MOST_DECKS))
    whole(cards, "cards", COUP, min(MOST_CARDS, DECK * decks))
    full = Shoe.decks(decks).values
    sums = [[0, 0, 0] for _ in HANDS]  # ways with an edge above 0; all edges times ways; edges above 0 times ways
    priced = 0
    for zeros in range(cards + 1):
        others = _compositions(cards - zeros, 9)
        codes = np.sort(others, axis=1).astype(np.int64) @ 32 ** np.arange(9)
        _, first, of_class = np.unique(codes, return_index=True, return_inverse=True)
        ways = [prod(map(comb, full, (zeros, *others[i].tolist()))) for i in first]
        for start in range(0, len(others), _ABREAST):
            some = slice(start, start + _ABREAST)
            worth = _edges(game.tableau, np.insert(others[some], 0, zeros, axis=1).astype(np.int32))
            for of, edge in zip(sums, worth, strict=True):
                for i, parts in enumerate((edge > 0, edge, np.maximum(edge, 0))):
                    by_class = np.bincount(of_class[some], parts)  # whole numbers below 2^53
                    of[i] += sum(w * int(n) for w, n in zip(ways, by_class, strict=False) if n)
            priced += len(others[some])
            if progress is not None:
                progress(priced, comb(cards + 9, 9))
    draws, deals = comb(DECK * decks, cards), prod(cards - i for i in range(COUP))
    return [
        OwnHandGains(cards, on, Fraction(above, draws), Fraction(mean, draws * deals), Fraction(gain, draws * deals))
        for on, (above, mean, gain) in zip(HANDS, sums, strict=True)
    ]


def _compositions(cards: int, values: int) -> NDArray[np.int8]:
    """All compositions (compositions, values) of this number of cards."""
    bars = np.zeros((1, 1), np.int8)  # the number of cards before each bar
    for _ in range(values - 1):
        steps = cards + 1 - bars[:, -1].astype(np.int64)
        rows = np.repeat(bars, steps, axis=0)
        more = np.arange(len(rows)) - np.repeat(np.cumsum(steps) - steps, steps)
        bars = np.concatenate([rows, (rows[:, -1] + more)[:, None].astype(np.int8)], axis=1)
    return np.diff(bars, axis=1, append=np.int8(cards))


class _Forms(NamedTuple):
    """`program` has the forms: the worth of standing on every hand, and what drawing adds in each of `_CELLS`. `drawn`:
    whether the tableau draws in each cell."""

    program: Program
    drawn: list[bool]


@lru_cache(maxsize=4)
def _forms_of(tableau: Tableau) -> _Forms:
    stand = [_net(hand, tableau, draws=False) for hand in _HANDS]
    draw = [_net(hand, tableau, draws=True) - stand[_HANDS.index(hand)] for hand in _CELLS]
    return _Forms(pack(np.array([sum(stand), *draw], np.int32)), [bool(tableau.player[sum(h) % 10]) for h in _CELLS])


def _net(hand: tuple[int, int], tableau: Tableau, draws: bool) -> NDArray[np.int32]:
    """The bettor's wins minus losses with this hand, as a form. `draws` says whether the hand draws or stands."""
    player, banker = tableau_arrays(tableau)
    player[:_TOTALS] = draws
    classes = np.broadcast_to(_OUTCOME[:, :, None, None], (10, 10, 2, 2)).astype(np.int32)
    form = np.zeros(MULTISETS, np.int32)
    for first, second in {hand, hand[::-1]}:
        allowed = np.ones((6, 10), np.int32)
        allowed[0], allowed[2] = first == _VALUES, second == _VALUES
        by_class = weigh(player, banker, classes, allowed)
        form += by_class[2] - by_class[0]
    return form


def _edges(tableau: Tableau, counts: NDArray[np.int32]) -> NDArray[np.float64]:
    """The edges (3, shoes) on each of `HANDS`, times the number of ordered deals. They are exact whole numbers."""
    forms, drawn = _forms_of(tableau)
    out = np.empty((len(counts), forms.forms))
    _forms.counts_float64(np.ascontiguousarray(counts), forms.layout, *forms.float_weights, out, level())
    stand, draw = out[:, 0], out[:, 1:]
    totals = np.array([sum(hand) % 10 for hand in _CELLS])
    by_total = np.stack([draw[:, totals == total].sum(axis=1) for total in range(_TOTALS)], axis=1)
    best = (np.maximum(by, 0).sum(axis=1) for by in (by_total, draw))
    return np.stack([stand + part for part in (draw[:, np.array(drawn)].sum(axis=1), *best)])
