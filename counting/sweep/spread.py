"""How a bet's edges are spread. Coups are counted by the number of cards left (four successive numbers make a group)
and by the step of the edge.

A step is a 64th of the way from one power of two to the next. So an edge is known to one part in 64. For example, an
edge of 0.1 is in the step from about 0.0996 to 0.1006. Edges below 2^-14 in size, of either sign, are step 0. Counts of
coups are integers, so they add up to the same in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import ceil

import numpy as np
import polars as pl

from counting.arrays import Floats, Int32s, Ints
from counting.cards import DECK
from counting.exact import settlement
from counting.games import Game
from counting.sweep import _tally

_SMALLEST, _FINE, _FOURS = _tally.steps()
GROUP = 1 << _FOURS
"""How many successive numbers of unseen cards make one group. For example, coups that begin with 4, 5, 6 or 7 unseen
cards are counted together."""


def steps(edges: Floats) -> Ints:
    """The steps of edges. A step is 0 for an edge below 2^-14 in size. Any other step has the edge's sign; its size is
    1, 2, 3 and so on, rising with the edge's size."""
    size = np.abs(edges)
    step = (size.view(np.int64) >> (52 - _FINE)) - ((1023 - _SMALLEST) << _FINE) + 1
    return np.where(size < 2.0**-_SMALLEST, 0, np.where(edges < 0, -step, step))


def step_ends(step: Ints) -> tuple[Floats, Floats]:
    """The lower and the upper end of each step."""
    places = np.abs(step) + (((1023 - _SMALLEST) << _FINE) - 1)
    near, far = ((places + i) << (52 - _FINE) for i in (0, 1))
    near, far = np.where(step == 0, 0.0, near.view(float)), np.where(step == 0, 2.0**-_SMALLEST, far.view(float))
    return np.where(step > 0, near, -far), np.where(step < 0, -near, far)


LOWEST = int(steps(np.array([-1.0]))[0])
"""The step of a sure loss, the lowest edge of all."""


def number_of_steps(game: Game, bets: Sequence[str]) -> int:
    """How many steps there are, from the lowest step to the step of these bets' best odds. Every edge is in one of
    them."""
    best = max((ceil(max(line.pay for line in game.bet(bet).pays)) for bet in bets), default=1)
    return int(steps(np.array([float(max(best, 1))]))[0]) - LOWEST + 1


def no_coups(game: Game, bets: Sequence[str], decks: int) -> Int32s:
    """Counts of coups (bets, groups of four numbers of cards, steps), all 0 at first, to which coups are added."""
    return np.zeros((len(bets), DECK * decks // GROUP + 1, number_of_steps(game, bets)), np.int32)


def columns(counts: Int32s, bets: Sequence[str]) -> dict[str, pl.Series | Int32s]:
    """The cells of `counts` (bets, groups of four numbers of cards, steps) that have coups, as columns. The cells are
    in the order of bet, cards left and step."""
    bet, group, step, coups = cells = np.empty((4, _tally.cells(counts)), np.int32)
    if cells.size:
        _tally.gather(counts, cells)
    return {
        "bet": pl.Series(bets, dtype=pl.String)[bet],
        "cards_left": group * GROUP,
        "step": step + LOWEST,
        "coups": coups,
    }


def of_rows(
    game: Game, bets: Sequence[str], decks: int, pieces: Iterable[tuple[Ints, Int32s]]
) -> Iterator[pl.DataFrame]:
    """The spread of these bets over coups that were kept as rows. `pieces` are cards left and compositions."""
    for cards_left, left in pieces:
        counts = no_coups(game, bets, decks)
        _, groups, number = counts.shape
        edges = settlement(game, tuple(bets)).edges(left)
        for i in range(len(bets)):
            places = (cards_left // GROUP) * number + steps(np.ascontiguousarray(edges[:, i])) - LOWEST
            counts[i] = np.bincount(places, minlength=groups * number).reshape(groups, number)
        yield pl.DataFrame(columns(counts, bets))
