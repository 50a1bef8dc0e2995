"""The test of `edge_following` on a log too large to keep the edges of all arrangements: each shoe is priced once.

A shoe's sums of residual times score are linear in the residual, and the residual is the stake less the regressors
times their coefficients. So of each shoe the sums of score times stake and of score times each regressor are kept, and
of each bettor the normal equations; the coefficients come last.

One thing differs from a log that is kept whole: the score's scale `sd` is not the deviation of all edges of the
bettor's shoes but of those of the first shoes, about `FIRST` edges. Every arrangement of these shoes counts alike in
it, whichever was dealt, so that the test is exact as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from counting.arrays import Floats, Ints
from counting.audit.arrangements import Arrangements
from counting.audit.edge_following import (
    NOTHING,
    TOLERANCE,
    Found,
    Stakes,
    least_squares,
    picked,
    regressors_of,
    score_of,
)
from counting.audit.threads import in_threads

FIRST = 1 << 22
_REGRESSORS = 7


class _Visits(NamedTuple):
    """The shoes of all bettors, by shoe: its number, the bettor's place, and where its coups begin in their amounts."""

    shoe: Ints
    bettor: Ints
    at: Ints

    @classmethod
    def of(cls, staked: Sequence[Stakes], coups: Ints) -> _Visits:
        shoe = np.concatenate([one.shoes for one in staked])
        bettor = np.repeat(np.arange(len(staked)), [len(one.shoes) for one in staked])
        at = np.concatenate([np.cumsum(coups[one.shoes]) - coups[one.shoes] for one in staked])
        order = np.argsort(shoe, kind="stable")
        return cls(shoe[order], bettor[order], at[order])


class _Part(NamedTuple):
    """Some shoes, and of each visit: the sums over its coups of score times stake (arrangements), the products of
    regressors and stakes, what the stakes come to, and the coups; of each shoe the sums of score times regressor."""

    first: int  # visit
    last: int
    with_stake: Floats  # (visits, arrangements)
    with_regressor: Floats  # (visits, arrangements, regressors)
    products: Floats  # (visits, regressors, regressors + 1)
    staked: Floats
    coups: Ints


class _Sums:
    """The sums of all visits of the bettors of one bet, with so many arrangements of each shoe."""

    def __init__(self, arrangements: Arrangements, bet: str, staked: Sequence[Stakes], number: int, sd: float) -> None:
        self.arrangements, self.bet, self.staked, self.number, self.sd = arrangements, bet, staked, number, sd
        unseen = arrangements.unseen
        self.most_cards = float(unseen.cards.max())
        self.visits = _Visits.of(staked, unseen.end - unseen.start)
        self.with_stake = np.zeros((len(self.visits.shoe), number + 1))
        self.with_regressor = np.zeros((len(self.visits.shoe), number + 1, _REGRESSORS))
        self.products = np.zeros((len(staked), _REGRESSORS, _REGRESSORS + 1))
        self.total, self.coups = np.zeros(len(staked)), np.zeros(len(staked), np.int64)
