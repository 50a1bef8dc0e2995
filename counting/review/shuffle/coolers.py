"""Runs of coups in a shoe with too many wins of one side, too many naturals or too many ties: a sign of arranged cards.

The statistic is the scan statistic of Bernoulli trials over runs of 4 to 40 coups (Naus, Journal of the American
Statistical Association 60, 1965, p. 532). It uses Kulldorff's likelihood ratio (Communications in Statistics 26, 1997,
p. 1481). Let k of the n coups of a run have an event of probability p. The ratio's logarithm is 0 for k up to np, and
for k > np

    k ln(k / np) + (n - k) ln((n - k) / (n - np))

A shoe's statistic is compared with the statistics of random shoes dealt by the drawing rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import VALUE_OF_CARD, VALUE_OF_RANK, Knows
from counting.games import Tableau
from counting.review import _runs
from counting.review.shuffle.shoe_orders import Pile
from counting.review.significance import sequential_p
from counting.simulation import Dealing, play

SHORTEST, LONGEST = 4, 40  # the fewest and the most coups of a run
EVENTS = (
    "Player wins", "Banker wins", "natural wins of Player", "natural wins of Banker", "coups with a natural", "ties",
)  # fmt: skip
# The probability p that the statistic uses for each event. It is within 0.0003 of the event's chance in a full shoe of
# 8 decks. It need not be exact, as random shoes are scored with the same p. With another p, the p-values and the
# experiments' figures would be different.
_CHANCES = (0.4462, 0.4586, 0.1627, 0.1626, 0.3433, 0.0952)
_CUT = 7  # cards behind the cut card of random shoes: few, so that random shoes have no fewer coups than logged ones
_PIECE = 1000  # random shoes dealt at a time


class Cooler(NamedTuple):
    """The run of a shoe that stands out most.

    - `first` and `last`: its first coup, and the coup after its last, as rows of the shoe's coups
    - `event`: the event; `number`: how many coups of the run have it
    - `p`: the shoe's p-value over all runs"""

    first: int
    last: int
    event: str
    number: int
    p: float


def coolers(piles: Sequence[Pile], decks: int, knows: Knows, tableau: Tableau, shoes: int, seed: int) -> list[Cooler]:
    """For each shoe, the run that stands out most. Its statistic is compared with the largest statistics of `shoes`
    random shoes."""
    random = np.sort(_random_scores(decks, tableau, shoes, seed))
    result = []
    for pile in piles:
        events = _events(*_totals(pile, knows))
        starts = np.concatenate([[0], np.flatnonzero(~pile.linked) + 1])
        scores, where = _greatest(events, starts)
        at = int(scores.argmax()) if len(scores) else 0
        event, first, last = where[at].tolist()
        above = len(random) - int(np.searchsorted(random, scores[at] - 1e-9))
        number = int(events[first:last, event].sum())
        result.append(Cooler(first, last, EVENTS[event], number, sequential_p(above, len(random))))
    return result


def _totals(pile: Pile, knows: Knows) -> tuple[Ints, Ints, Bools]:
    """The totals of Player and of Banker (coups,), and whether one of the hands is a natural."""
    values = np.append({"card": VALUE_OF_CARD, "rank": VALUE_OF_RANK, "value": range(10)}[knows], 0)[pile.coups]
    player, banker = values[:, :3].sum(axis=1) % 10, values[:, 3:].sum(axis=1) % 10
    two = np.maximum(values[:, :2].sum(axis=1) % 10, values[:, 3:5].sum(axis=1) % 10)
    return player, banker, np.asarray(two >= 8)


def _events(player: Ints, banker: Ints, natural: Bools) -> NDArray[np.uint8]:
    """Which of the `EVENTS` each coup has (coups, events)."""
    wins, loses = player > banker, player < banker
    events = (wins, loses, wins & natural, loses & natural, natural, player == banker)
    return np.column_stack(events).astype(np.uint8)


@cache
def _scores() -> Floats:
    """The statistic, indexed by the event, the length of a run, and how many of its coups have the event."""
    n, k = np.arange(LONGEST + 1)[:, np.newaxis], np.arange(LONGEST + 1)
    tables = []
    for chance in _CHANCES:
        with np.errstate(divide="ignore", invalid="ignore"):
            hits = np.where(k > 0, k * np.log(k / (n * chance)), 0.0)
            rest = np.where(n > k, (n - k) * np.log((n - k) / (n * (1 - chance))), 0.0)
        tables.append(np.where((k <= n) & (k > n * chance), hits + rest, 0.0))
    scores = np.ascontiguousarray(tables)
    scores.flags.writeable = False
    return scores


def _greatest(events: NDArray[np.uint8], starts: Ints) -> tuple[Floats, NDArray[np.int32]]:
    sections = len(starts) - 1
    out, where = np.zeros(sections), np.zeros((sections, 3), np.int32)
    _runs.greatest(np.ascontiguousarray(events), starts.astype(np.int32), SHORTEST, _scores(), out, where)
    return out, where


@cache
def _random_scores(decks: int, tableau: Tableau, shoes: int, seed: int) -> Floats:
    """The largest statistic of each random shoe."""
    parts = []
    for first in range(0, shoes, _PIECE):
        coups = play(tableau, Dealing(decks, _CUT), seed, first, min(_PIECE, shoes - first))
        player, banker = (coups.shown[:, i].astype(np.int64) for i in (0, 1))
        natural = (coups.shown[:, 2] + coups.shown[:, 3] == 4) & (np.maximum(player, banker) >= 8)
        starts = np.append(np.flatnonzero(coups.coup == 1), len(player))
        parts.append(_greatest(_events(player, banker, natural), starts)[0])
    return np.concatenate(parts)
