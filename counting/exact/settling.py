"""Bets settled on many shoes: edges and means of squared profits, from exact counts.

A bet's numerator is an integer combination of counts of six-card deals, or of first cards, and of all deals. There are
three ways to count: `ByForms` for few classes of outcomes, `ByLaw` for many, where the kernel settles the bets too, and
`ByFirst` for first cards. A numerator is rounded once, before it is divided, so that the three give the same bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.exact import _law, _settle, first_cards
from counting.exact.coup_classes import coefficients_on_first, whole_pay
from counting.exact.instruction_sets import level
from counting.exact.joint_laws import JointLaw, in_floats, joint_law
from counting.exact.outcomes import OutcomeCounter, counter
from counting.games import Bet, Outcome, Tableau

_MOST_SIZES = 1 << 30  # see `_settle.pyx`: the sum of a bet's coefficients' sizes
_MOST_IN_LANES = 1 << 24, 1 << 27  # see `_law_settle.h`: the size of a coefficient, and their sum


@dataclass(frozen=True, eq=False)
class Settled(ABC):
    """Bets as combinations of counts.

    `coefficients` and `squares` are (counts + 1, bets), the last row for all deals: what makes the pay on the least
    stake that is paid in whole units, of which `denominators` is the number of units, and the pay's square.
    """

    coefficients: Ints
    squares: Floats
    denominators: Floats

    @abstractmethod
    def counts(self, compositions: Int32s) -> Ints:
        """Exact counts (shoes, counts) for checked compositions."""

    def edges(self, compositions: Int32s) -> Floats:
        """Edges (shoes, bets)."""
        return self._edges(compositions, self.counts(compositions))

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets)."""
        counts = self.counts(compositions)
        return self._edges(compositions, counts), self._squares(compositions, counts)

    @cached_property
    def _whole_squares(self) -> Bools:
        """Whether a bet's squares are summed in integers; where they are too large, they are summed in floats."""
        return np.asarray(np.abs(self.squares).sum(axis=0) <= _MOST_SIZES)

    def _edges(self, compositions: Int32s, counts: Ints) -> Floats:
        out = np.empty((len(counts), len(self.denominators)))
        _settle.settle(compositions.sum(axis=1, dtype=np.int64), counts, self.coefficients, self.denominators, out)
        return out

    def _squares(self, compositions: Int32s, counts: Ints) -> Floats:
        out = np.empty((len(counts), len(self.denominators)))
        cards, units = compositions.sum(axis=1, dtype=np.int64), self.denominators**2
        for chosen in (self._whole_squares, ~self._whole_squares):
            of_bets = np.ascontiguousarray(self.squares[:, chosen])
            part = np.empty((len(counts), of_bets.shape[1]))
            if chosen is self._whole_squares:
                _settle.settle(cards, counts, of_bets.astype(np.int64), units[chosen], part)
            else:
                _settle.settle_in_floats(cards, counts, of_bets, units[chosen], part)
            out[:, chosen] = part
        return out


@dataclass(frozen=True, eq=False)
class ByFirst(Settled):
    """Bets on first cards, by closed forms in the counts of ranks or cards."""

    def counts(self, compositions: Int32s) -> Ints:
        return first_cards.counts(compositions)


@dataclass(frozen=True, eq=False)
class ByForms(Settled):
    """Bets on outcomes, by linear forms."""

    counter: OutcomeCounter

    def counts(self, compositions: Int32s) -> Ints:
        return self.counter.forms(compositions)


@dataclass(frozen=True, eq=False)
class ByLaw(Settled):
    """Bets on outcomes, by the joint law; counts are of the classes of outcomes that no bet tells apart."""

    law: JointLaw
    classes: tuple[tuple[Outcome, ...], ...]

    def counts(self, compositions: Int32s) -> Ints:
        return self.law.counts(compositions, self._on_edges, len(self.classes))

    def edges(self, compositions: Int32s) -> Floats:
        if not (_in_lanes(self.coefficients) and in_floats(compositions).all()):
            return super().edges(compositions)
        return np.asarray(self._quotients(compositions, self._on_edges, 1)[0])

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        if not (_in_lanes(self.coefficients) and _in_lanes(self.squares) and in_floats(compositions).all()):
            return super().moments(compositions)
        edges, squares = self._quotients(compositions, self._on_both, 2)
        return edges, squares

    def _quotients(self, compositions: Int32s, of: _law.Bets, tables: int) -> Floats:
        out = np.empty((tables, len(compositions), len(self.denominators)))
        if out.size:
            _law.quotients(np.ascontiguousarray(compositions), self.law.program, of, out, level())
        return out

    @cached_property
    def _on_edges(self) -> _law.Bets:
        return self.law.settled(self.classes, self.coefficients, self.denominators)

    @cached_property
    def _on_both(self) -> _law.Bets:
        both = np.hstack([self.coefficients.astype(float), self.squares])
        return self.law.settled(self.classes, both, np.concatenate([self.denominators, self.denominators**2]))


def _in_lanes(coefficients: Ints | Floats) -> bool:
    sizes = np.abs(coefficients)
    return bool(sizes.max(initial=0) <= _MOST_IN_LANES[0] and sizes.sum(axis=0).max(initial=0) <= _MOST_IN_LANES[1])


def on_first_cards(bets: Sequence[Bet]) -> ByFirst:
    coefficients, squares = (
        np.array([coefficients_on_first(bet, power) for bet in bets], np.int64).T.copy() for power in (1, 2)
    )
    return ByFirst(_fitting(coefficients), squares.astype(float), _denominators(bets))


def on_outcomes(tableau: Tableau, bets: Sequence[Bet]) -> ByForms | ByLaw:
    """By forms or by the law, whichever takes less work."""
    counted = counter(tableau, [tuple(bet.pay(outcome) for bet in bets) for outcome in tableau.outcomes])
    pays = np.array([[whole_pay(bet, cls[0]) for bet in bets] for cls in counted.outcomes], np.int64)
    law = joint_law(tableau)
    if counted.work <= law.work:
        squares = np.ascontiguousarray(counted.of_class.T @ pays.astype(float) ** 2)
        return ByForms(_fitting(counted.of_class.T @ pays), squares, _denominators(bets), counted)
    coefficients = _beside_commonest(pays.astype(float)).astype(np.int64)
    squares = _beside_commonest(pays.astype(float) ** 2)
    return ByLaw(_fitting(coefficients), squares, _denominators(bets), law, counted.outcomes)


def _beside_commonest(pays: Floats) -> Floats:
    """The pays of the classes less that of the most classes, which all deals have, in a last row."""
    commonest = np.array([Counter(column.tolist()).most_common(1)[0][0] for column in pays.T], float)
    return np.vstack([pays - commonest, commonest])


def _fitting(coefficients: Ints) -> Ints:
    assert np.abs(coefficients).sum(axis=0).max(initial=0) <= _MOST_SIZES  # by bets.MOST_PAY
    return np.ascontiguousarray(coefficients)


def _denominators(bets: Sequence[Bet]) -> Floats:
    return np.array([bet.denominator for bet in bets], float)
