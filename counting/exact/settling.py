"""Bets settled on many shoes: edges and means of squared profits, from exact counts.

A bet's numerator is an integer combination of counts of six-card deals, or of first cards, and of all deals. There are
four ways to count: `ByForms` for few classes of outcomes, `ByLaw` for many, where the kernel settles the bets too,
`ByFirst` for pairs and suits of first cards, `ByHands` for lines with conditions of any kind. A numerator below 2^85,
as an edge's is, is rounded once, before it is divided, so that the four give the same bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from counting.arrays import Floats, Int32s, Ints
from counting.exact import _law, _settle, first_cards
from counting.exact.coup_classes import coefficients_on_first, line_counter, whole_pay
from counting.exact.instruction_sets import level
from counting.exact.joint_laws import LAW_CARDS, JointLaw, joint_law
from counting.exact.outcomes import OutcomeCounter, all_deals, cards_of, counter
from counting.games import FIRSTS, Bet, Outcome, Tableau

if TYPE_CHECKING:
    from counting.exact.hand_counts import HandCounter

_MOST_SIZES = 1 << 30  # see `_settle.pyx`: the sum of a bet's coefficients' sizes
_MOST_IN_LANES = 1 << 24, 1 << 27  # see `_law_settle.h`: the size of a coefficient, and their sum


@dataclass(frozen=True, eq=False)
class Settled(ABC):
    """Bets as combinations of counts.

    `coefficients` and `squares` are (counts + 1, bets), the last row for all deals: what makes the pay on the least
    stake that is paid in whole units, of which `denominators` is the number of units, and the pay's square. `by_pay`
    has the bets whose squares are too large for whole sums: each pay's square and the combination that counts it.
    """

    coefficients: Ints
    squares: Floats
    denominators: Floats
    by_pay: Mapping[int, Sequence[tuple[float, Ints]]]

    @abstractmethod
    def counts(self, compositions: Int32s) -> Ints:
        """Exact counts (shoes, counts) for checked compositions."""

    def edges(self, compositions: Int32s) -> Floats:
        """Edges (shoes, bets)."""
        return self._edges(compositions, self.counts(compositions))

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets), in either order in memory."""
        counts = self.counts(compositions)
        return self._edges(compositions, counts), self._squares(compositions, counts)

    def _edges(self, compositions: Int32s, counts: Ints) -> Floats:
        out = np.empty((len(counts), len(self.denominators)))
        _settle.settle(cards_of(compositions), counts, self.coefficients, self.denominators, out)
        return out

    def _squares(self, compositions: Int32s, counts: Ints) -> Floats:
        """Of squares too large for whole sums a sum of floats, none of them negative."""
        out = np.empty((len(counts), len(self.denominators)))
        cards, units = cards_of(compositions), self.denominators**2
        whole = [i for i in range(len(units)) if i not in self.by_pay]
        if whole:
            part = np.empty((len(counts), len(whole)))
            coefficients = np.ascontiguousarray(self.squares[:, whole].astype(np.int64))
            _settle.settle(cards, counts, coefficients, units[whole], part)
            out[:, whole] = part
        if self.by_pay:
            deals = all_deals(compositions)
            for i, pays in self.by_pay.items():
                total = np.zeros(len(counts))
                for square, paid in pays:
                    of_pay = paid[-1] * deals
                    for k in np.flatnonzero(paid[:-1]).tolist():
                        of_pay += paid[k] * counts[:, k]
                    total += square * of_pay
                out[:, i] = total / (units[i] * deals)
        return out


@dataclass(frozen=True, eq=False)
class ByFirst(Settled):
    """Bets on first cards, by closed forms in the counts of ranks or cards."""

    def counts(self, compositions: Int32s) -> Ints:
        return first_cards.counts(compositions)


@dataclass(frozen=True, eq=False)
class ByHands(Settled):
    """Bets on the hands; counts are of the lines of each counter in turn."""

    counters: tuple[HandCounter, ...]

    def counts(self, compositions: Int32s) -> Ints:
        return np.hstack([counter.counts(compositions) for counter in self.counters])


@dataclass(frozen=True, eq=False)
class ByForms(Settled):
    """Bets on outcomes, by linear forms; `wins_less_losses` is the one form of a bet alone that wins or loses one unit:
    half of the work, the same bits."""

    counter: OutcomeCounter
    wins_less_losses: OutcomeCounter | None

    def counts(self, compositions: Int32s) -> Ints:
        return self.counter.forms(compositions)

    def edges(self, compositions: Int32s) -> Floats:
        if self.wins_less_losses is None:
            return super().edges(compositions)
        counts = self.wins_less_losses.forms(compositions)
        out = np.empty((len(counts), 1))
        _settle.settle(cards_of(compositions), counts, np.array([[1], [0]]), self.denominators, out)
        return out


@dataclass(frozen=True, eq=False)
class ByLaw(Settled):
    """Bets on outcomes, by the joint law; counts are of the classes of outcomes that no bet tells apart."""

    law: JointLaw
    classes: tuple[tuple[Outcome, ...], ...]

    def counts(self, compositions: Int32s) -> Ints:
        return self.law.counts(compositions, self._on_edges, len(self.classes))

    def edges(self, compositions: Int32s) -> Floats:
        if not (self._edges_fit and _are_small(compositions)):
            return super().edges(compositions)
        out = np.empty((1, len(compositions), len(self.denominators)))
        return np.asarray(self._filled(out, compositions, self._on_edges)[0])

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        if not (self._edges_fit and self._squares_fit and _are_small(compositions)):
            return super().moments(compositions)
        out = np.empty((2, len(self.denominators), len(compositions))).transpose(0, 2, 1)
        edges, squares = self._filled(out, compositions, self._on_both)
        return edges, squares

    def _filled(self, out: Floats, compositions: Int32s, of: _law.Bets) -> Floats:
        """Tables (tables, shoes, bets) of quotients."""
        if out.size:
            _law.quotients(np.ascontiguousarray(compositions), self.law.in_floats, of, out, level())
        return out

    @cached_property
    def _edges_fit(self) -> bool:
        return _in_lanes(self.coefficients)

    @cached_property
    def _squares_fit(self) -> bool:
        return _in_lanes(self.squares)

    @cached_property
    def _on_edges(self) -> _law.Bets:
        return self.law.settled(self.classes, self.coefficients, self.denominators)

    @cached_property
    def _on_both(self) -> _law.Bets:
        both = np.hstack([self.coefficients.astype(float), self.squares])
        return self.law.settled(self.classes, both, np.concatenate([self.denominators, self.denominators**2]))


def _are_small(compositions: Int32s) -> bool:
    return bool((cards_of(compositions) <= LAW_CARDS).all())


def _in_lanes(coefficients: Ints | Floats) -> bool:
    sizes = np.abs(coefficients)
    return bool(sizes.max(initial=0) <= _MOST_IN_LANES[0] and sizes.sum(axis=0).max(initial=0) <= _MOST_IN_LANES[1])


def on_first_cards(bets: Sequence[Bet]) -> ByFirst:
    coefficients, squares = (
        np.array([coefficients_on_first(bet, power) for bet in bets], np.int64).T.copy() for power in (1, 2)
    )
    pays = np.array([[whole_pay(bet, first) for bet in bets] for first in FIRSTS], np.int64)
    apart = np.array([first_cards.combination([(first, 1)]) for first in FIRSTS], np.int64)
    by_pay = _by_pay(squares.astype(float), pays, apart)
    return ByFirst(_fitting(coefficients), squares.astype(float), _denominators(bets), by_pay)


def on_outcomes(tableau: Tableau, bets: Sequence[Bet]) -> ByForms | ByLaw:
    """By forms or by the law, whichever takes less work."""
    counted = counter(tableau, [tuple(whole_pay(bet, outcome) for bet in bets) for outcome in tableau.outcomes])
    pays = np.array([[whole_pay(bet, cls[0]) for bet in bets] for cls in counted.outcomes], np.int64)
    law, denominators = joint_law(tableau), _denominators(bets)
    if counted.work <= law.work:
        squares = np.ascontiguousarray(counted.of_class.T @ pays.astype(float) ** 2)
        by_pay = _by_pay(squares, pays, counted.of_class)
        alone = counted.summed(pays[:, 0]) if len(bets) == 1 else None
        return ByForms(_fitting(counted.of_class.T @ pays), squares, denominators, by_pay, counted, alone)
    coefficients = _beside_commonest(pays.astype(float)).astype(np.int64)
    squares = _beside_commonest(pays.astype(float) ** 2)
    by_pay = _by_pay(squares, pays, np.eye(len(pays), len(pays) + 1, dtype=np.int64))
    return ByLaw(_fitting(coefficients), squares, denominators, by_pay, law, counted.outcomes)


def on_hands(tableau: Tableau, bets: Sequence[Bet]) -> ByHands:
    counters = {bet.conditions: line_counter(bet, tableau) for bet in bets}
    start, lines = {}, 0
    for conditions, of in counters.items():
        start[conditions], lines = lines, lines + of.lines
    coefficients, squares = np.zeros((2, lines + 1, len(bets)), np.int64)
    by_pay: dict[int, list[tuple[float, Ints]]] = {}
    for i, bet in enumerate(bets):
        units, first = bet.denominator, start[bet.conditions]
        pays = np.array([int(line.pay * units) for line in bet.pays], np.int64)
        own = slice(first, first + len(pays))
        # Every deal loses the stake, but for those that a line pays.
        coefficients[own, i], coefficients[-1, i] = pays + units, -units
        squares[own, i], squares[-1, i] = pays**2 - units**2, units**2
        if np.abs(squares[:, i].astype(float)).sum() > _MOST_SIZES:
            apart = np.zeros((len(pays) + 1, lines + 1), np.int64)
            apart[np.arange(len(pays)), np.arange(first, first + len(pays))] = 1
            apart[-1] = -apart.sum(axis=0)
            apart[-1, -1] = 1
            by_pay |= _by_pay_of(i, np.append(pays, -units), apart)
    return ByHands(_fitting(coefficients), squares.astype(float), _denominators(bets), by_pay, tuple(counters.values()))


def _by_pay(squares: Floats, pays: Ints, apart: Ints) -> dict[int, list[tuple[float, Ints]]]:
    """For bets whose squares are too large: each pay's square, and how it is counted, from how each class (classes,
    counts + 1) is."""
    large = np.flatnonzero(np.abs(squares).sum(axis=0) > _MOST_SIZES).tolist()
    return {key: value for i in large for key, value in _by_pay_of(i, pays[:, i], apart).items()}


def _by_pay_of(i: int, pays: Ints, apart: Ints) -> dict[int, list[tuple[float, Ints]]]:
    return {i: [(float(pay) ** 2, apart[pays == pay].sum(axis=0)) for pay in sorted(set(pays.tolist()))]}


def _beside_commonest(pays: Floats) -> Floats:
    """The pays of the classes less that of the most classes, which all deals have, in a last row."""
    commonest = np.array([Counter(column.tolist()).most_common(1)[0][0] for column in pays.T], float)
    return np.vstack([pays - commonest, commonest])


def _fitting(coefficients: Ints) -> Ints:
    assert np.abs(coefficients).sum(axis=0).max(initial=0) <= _MOST_SIZES  # by bets.MOST_PAY
    return np.ascontiguousarray(coefficients)


def _denominators(bets: Sequence[Bet]) -> Floats:
    return np.array([bet.denominator for bet in bets], float)
