"""Bets settled on many shoes: edges and means of squared profits, from exact counts.

Each figure is a fraction. Its numerator is an integer combination of an evaluator's counts and the number of all deals.
The numerator of an edge is below 2^85. Numerators below 2^85 are rounded once, before the division, so that all
evaluators give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from counting.arrays import Floats, Int32s, Ints
from counting.exact import _law, _settle
from counting.exact.evaluators import ByDistribution, ByForms, Evaluator, evaluators_for
from counting.exact.instruction_sets import level
from counting.exact.joint_distributions import JOINT_CARDS
from counting.exact.outcomes import all_deals, cards_of
from counting.games import Bet, Tableau

_MOST_SIZES = 1 << 30  # the most that the sizes of a bet's coefficients may add up to, see `_settle.pyx`
_MOST_IN_LANES = 1 << 24, 1 << 27  # the most for a coefficient's size, and for the sum of sizes, see `_law_settle.h`


@dataclass(frozen=True, eq=False)
class Settled:
    """Bets that one evaluator counts, as combinations of its counts.

    - `places`: the indices of these bets among the bets asked for.
    - `coefficients` (counts + 1, bets): the combinations that add up a bet's pays over all deals, on the bet's least
      stake that is paid in whole units. The last row is for the number of all deals.
    - `squares` (counts + 1, bets): the same for the square of this pay.
    - `denominators`: this least stake of each bet, in units.
    - `by_pay`: for each bet whose squares are too large for sums of whole numbers, the square of each pay and the
      combination that counts the deals with this pay.
    - `wins_less_losses`: an evaluator for a single bet whose pays are among 1, 0 and -1. It counts a single form, the
      wins less the losses. The result has the same bits, with half of the work.
    """

    places: list[int]
    evaluator: Evaluator
    coefficients: Ints
    squares: Floats
    denominators: Floats
    by_pay: Mapping[int, Sequence[tuple[float, Ints]]]
    wins_less_losses: Evaluator | None = None

    def counts(self, compositions: Int32s) -> Ints:
        """Exact counts (shoes, counts) for checked compositions."""
        return self.evaluator.counts(self.evaluator.taken(compositions))

    def edges(self, compositions: Int32s) -> Floats:
        """Edges (shoes, bets)."""
        known = self.evaluator.taken(compositions)
        if self.wins_less_losses is None:
            return _quotients(known, self.evaluator.counts(known), self.coefficients, self.denominators)
        return _quotients(known, self.wins_less_losses.counts(known), _FORM_ALONE, self.denominators)

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        """Edges, and the means of the squared profit per unit staked, each (shoes, bets). The arrays may be in either
        order in memory. Squares that are too large for sums of whole numbers are added up in floats, of which none is
        negative."""
        known = self.evaluator.taken(compositions)
        counts = self.evaluator.counts(known)
        edges, squares = np.hsplit(_quotients(known, counts, *self._edges_and_squares), 2)
        if self.by_pay:
            deals = all_deals(known)
            for i, pays in self.by_pay.items():
                total = np.zeros(len(counts))
                for square, paid in pays:
                    of_pay = paid[-1] * deals
                    for k in np.flatnonzero(paid[:-1]).tolist():
                        of_pay += paid[k] * counts[:, k]
                    total += square * of_pay
                squares[:, i] = total / (self.denominators[i] ** 2 * deals)
        return edges, squares

    @cached_property
    def _edges_and_squares(self) -> tuple[Ints, Floats]:
        """The coefficients of all edges, then of all squares, and their denominators. Squares that `by_pay` adds up
        have coefficients of 0."""
        squares = self.squares.copy()
        squares[:, [*self.by_pay]] = 0
        units = self.denominators
        return np.hstack([self.coefficients, squares.astype(np.int64)]), np.concatenate([units, units**2])


def _quotients(compositions: Int32s, counts: Ints, coefficients: Ints, denominators: Floats) -> Floats:
    """Combinations of the counts, divided by the denominators and by the number of deals (shoes, columns)."""
    out = np.empty((len(counts), len(denominators)))
    _settle.settle(cards_of(compositions), counts, coefficients, denominators, out)
    return out


_FORM_ALONE = np.array([[1], [0]])


@dataclass(frozen=True, eq=False)
class SettledByDistribution(Settled):
    """Bets that the joint distribution's kernel settles while it counts. If coefficients or shoes are too large for the
    kernel, the bets are settled as in `Settled`."""

    def edges(self, compositions: Int32s) -> Floats:
        known = self.evaluator.taken(compositions)
        if not (self._edges_fit and _are_small(known)):
            return super().edges(known)
        out = np.empty((1, len(known), len(self.denominators)))
        return np.asarray(self._filled(out, known, self._on_edges)[0])

    def moments(self, compositions: Int32s) -> tuple[Floats, Floats]:
        known = self.evaluator.taken(compositions)
        if not (self._edges_fit and self._squares_fit and _are_small(known)):
            return super().moments(known)
        out = np.empty((2, len(self.denominators), len(known))).transpose(0, 2, 1)
        edges, squares = self._filled(out, known, self._on_both)
        return edges, squares

    def _filled(self, out: Floats, compositions: Int32s, of: _law.Bets) -> Floats:
        """Fill `out` with tables (tables, shoes, bets) of quotients, and return it."""
        if out.size:
            _law.quotients(np.ascontiguousarray(compositions), self._by_distribution.joint.in_floats, of, out, level())
        return out

    @property
    def _by_distribution(self) -> ByDistribution:
        assert isinstance(self.evaluator, ByDistribution)
        return self.evaluator

    @cached_property
    def _edges_fit(self) -> bool:
        return _in_lanes(self.coefficients)

    @cached_property
    def _squares_fit(self) -> bool:
        return _in_lanes(self.squares)

    @cached_property
    def _on_edges(self) -> _law.Bets:
        return self._by_distribution.joint.settled(self._by_distribution.classes, self.coefficients, self.denominators)

    @cached_property
    def _on_both(self) -> _law.Bets:
        both = np.hstack([self.coefficients.astype(float), self.squares])
        denominators = np.concatenate([self.denominators, self.denominators**2])
        return self._by_distribution.joint.settled(self._by_distribution.classes, both, denominators)


def _are_small(compositions: Int32s) -> bool:
    return bool((cards_of(compositions) <= JOINT_CARDS).all())


def _in_lanes(coefficients: Ints | Floats) -> bool:
    sizes = np.abs(coefficients)
    return bool(sizes.max(initial=0) <= _MOST_IN_LANES[0] and sizes.sum(axis=0).max(initial=0) <= _MOST_IN_LANES[1])


def settled_bets(tableau: Tableau, bets: Sequence[Bet]) -> Iterator[Settled]:
    """The bets in groups, one group for each evaluator."""
    whole = [lambda pay, units=bet.denominator: int(pay * units) for bet in bets]
    for places, evaluator, pays in evaluators_for(tableau, bets, whole):
        coefficients = np.ascontiguousarray(evaluator.combined(pays))
        assert np.abs(coefficients).sum(axis=0).max(initial=0) <= _MOST_SIZES  # `games.unfit` checks it
        squares = np.ascontiguousarray(evaluator.combined(pays.astype(float) ** 2))
        denominators = np.array([bets[i].denominator for i in places], float)
        large = np.flatnonzero(np.abs(squares).sum(axis=0) > _MOST_SIZES).tolist()
        by_pay = {
            i: [(float(pay) ** 2, evaluator.of_class[pays[:, i] == pay].sum(axis=0)) for pay in np.unique(pays[:, i])]
            for i in large
        }
        made = (places, evaluator, coefficients, squares, denominators, by_pay)
        yield (
            SettledByDistribution(*made)
            if isinstance(evaluator, ByDistribution)
            else Settled(*made, _alone(evaluator, pays))
        )


def win_chances(tableau: Tableau, bets: Sequence[Bet]) -> Iterator[Settled]:
    """The bets, in one group for each evaluator, settled as if a bet paid 1 when it wins and 0 otherwise. The edges of
    the result are the chances to win."""
    for places, evaluator, wins in evaluators_for(tableau, bets, [lambda pay: int(pay > 0)] * len(bets)):
        coefficients = np.ascontiguousarray(evaluator.combined(wins))
        yield Settled(places, evaluator, coefficients, coefficients.astype(float), np.ones(len(places)), {})


def _alone(evaluator: Evaluator, pays: Ints) -> Evaluator | None:
    """An evaluator with one form that settles a single bet whose pays are among 1, 0 and -1. None for other bets, and
    if the evaluator does not count forms or counts only one form."""
    if not isinstance(evaluator, ByForms) or pays.shape[1] > 1:
        return None
    summed = evaluator.counter.summed(pays[:, 0])
    return None if summed is None else ByForms((), np.zeros((0, 2), np.int64), summed)
