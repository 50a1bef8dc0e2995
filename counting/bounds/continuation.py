"""What the rest of a shoe is worth to a bettor who must keep a seat: fitted values, and martingale increments.

Without mid-shoe entry, a bettor who skips more than K coups in a row is out until the next shoe. The bettor's state
before a coup is the number of coups just skipped, 0 to K. Let a be the largest gain that any stakes holding the seat
have on this coup. Let C_k be the continuation: the mean gain of the coups that follow, if the state is k after this
coup. Then, in state k, the rest of the shoe is worth

    V_k = max(0, a + C_0, C_(k+1))

The three terms are for leaving, for holding the seat, and for skipping. The third term is left out if k is K.

The continuations are fitted backwards from the end of the shoe, in slices of four cards. In each slice, the next coup's
V is regressed by penalized least squares (fitted value iteration, Tsitsiklis and Van Roy 2001). The features are:

- the edge of every bet, and the gain a
- kinks max(0, x - level) at several levels, where x is the gain a or a side bet's edge
- the shares of point values among the unseen cards
- for each side bet that point values settle: the mean, over all pairs of unseen cards, of the product of the two cards'
  effects of removal; and the same mean over all triples
- the number of cards ahead, and its products with the gain a and with the side bets' edges

Any continuations, well fitted or not, make a policy, and no policy wins more than the best one. A poor fit makes the
bounds less tight, but not wrong.

An increment is a quantity that is known after a coup, and whose mean before the coup is exactly 0. Any increments may
be subtracted from an upper bound (`counting.bounds.evaluation`). The bound is tight if the increments are near V minus
the mean of V, given what is known before the coup. Two kinds are used:

1. c * (phi after the coup - phi before it), where phi is a martingale, and c is any function of what is known before
   the coup. The martingales are every bet's edge, the shares of point values among the unseen cards, and the means of
   products over pairs and over triples of cards. They are martingales because the unseen cards are exchangeable, and
   because the cards already dealt settle whether a coup has ended.
2. f after the coup, minus the mean of f over random next coups dealt from the same unseen cards. Here f is V minus its
   linear part c * phi. As the random coups are dealt like the real coup, the mean of this increment is 0 for every f.
   Few random coups are needed, as f is a small part of V.

The coefficients of a fit may differ in the last digits between machines, but the bounds made with them still hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.bounds.seats import WIDE, NextCoups, Seat, SeatRows, slice_of
from counting.cards import VALUE_OF_RANK, WIDTH
from counting.exact import _next_coup, tableau_arrays

DEEP = 120  # random next coups are dealt only if at most this many cards are before the cut card
COPIES = 16  # random next coups for each coup, for the increments
POLICY_COPIES = 8  # further random next coups, for the policy, which must not see the increments' coups
_STREAMS = np.uint64(1 << 63)  # the number of the first stream of random next coups, above every shoe's number
_LEAST_ROWS = 200  # a slice with fewer rows is not fitted

# The kinks are at these quantiles of a slice's figures, and so are the jumps of the step features. Most of the
# quantiles are above the median, as the large gains matter most.
_KINKS = np.array([0.01, 0.05, 0.15, 0.3, 0.5, 0.65, 0.78, 0.87, 0.93, 0.97, 0.99])
_STEPS = np.array([0.05, 0.2, 0.4, 0.55, 0.7, 0.8, 0.88, 0.94, 0.98])
_FEW_STEPS = np.array([0.2, 0.7, 0.94])  # used instead of _STEPS unless there is exactly one side bet
_FIRST, _SECOND, _RIDGE = 1e-4, 1e-5, 1e-3  # penalties for the first and second fit of values, and for increments


@dataclass(frozen=True)
class _SliceFit:
    """The fit of a slice.

    - `kinks` and `steps`: the levels for each side bet's edge and, last, for the gain of holding the seat
    - `centre`: the mean share of each of the point values 1 to 9
    - `values` (features, states) and `increments` (steps, martingales, states): coefficients"""

    kinks: Floats
    steps: Floats
    centre: Floats
    values: Floats
    increments: Floats


def _kinked(known: Floats, kinks: Floats) -> Floats:
    return np.maximum(known[np.newaxis] - kinks[:, np.newaxis], 0)


class Continuation:
    """The continuations of a seat, fitted to shoes. The docstring of this module explains the method."""

    def __init__(self, seat: Seat, fitted: list[_SliceFit | None]) -> None:
        self.seat, self.fitted = seat, fitted

    @classmethod
    def fit(cls, seat: Seat, rows: SeatRows) -> Continuation:
        """Fit to the coups of some shoes. A good fit needs a few thousand shoes or more."""
        fit = cls(seat, [])
        worth = np.zeros((seat.states, len(rows.held) + 1))
        before: _SliceFit | None = None
        for number, at in enumerate(rows.slices):
            if len(at) >= _LEAST_ROWS:
                target = np.where(rows.more[at], worth[:, at + 1], 0)
                before = fit._fit_slice(rows, number, at, target, before)
            fit.fitted.append(before)
            worth[:, at] = fit.worth(rows.held[at], fit.values(rows, number, at))
        return fit

    def arrays(self, name: str) -> dict[str, Floats]:
        """The fit as plain arrays, with names that begin with `name`."""
        arrays: dict[str, Floats] = {f"{name}-slices": np.array(len(self.fitted), float)}
        for number, part in enumerate(self.fitted):
            if part is not None and (number == 0 or part is not self.fitted[number - 1]):
                arrays |= {f"{name}-{number}-{column.name}": getattr(part, column.name) for column in fields(part)}
        return arrays

    @classmethod
    def from_arrays(cls, seat: Seat, arrays: Mapping[str, Floats], name: str) -> Continuation:
        """The fit that `arrays` wrote."""
        fitted: list[_SliceFit | None] = []
        for number in range(int(arrays[f"{name}-slices"])):
            if f"{name}-{number}-values" in arrays:
                fitted.append(_SliceFit(*(arrays[f"{name}-{number}-{column.name}"] for column in fields(_SliceFit))))
            else:  # the same fit as in the slice before
                fitted.append(fitted[-1] if fitted else None)
        return cls(seat, fitted)

    def _fit_slice(self, rows: SeatRows, number: int, at: Ints, target: Floats, prior: _SliceFit | None) -> _SliceFit:
        sides = self.seat.sides
        known = [*(rows.before[side, at] for side in sides), rows.held[at]]
        kinks = np.array([np.quantile(figure, _KINKS) for figure in known])
        steps = np.array([np.quantile(figure, _STEPS if len(sides) == 1 else _FEW_STEPS) for figure in known])
        bets = len(self.seat.stakes.bets)
        centre = rows.before[bets : bets + 9, at].mean(axis=1)
        empty = _SliceFit(kinks, steps, centre, np.empty(0), np.empty(0))
        features = self._features(empty, rows.before[:, at], rows.held[at], rows.ahead[at] - number * WIDE)
        values = _ridge(features, target, _FIRST)
        certain = rows.certain[at]
        change = rows.after[:, at[certain]] - rows.before[:, at[certain]]
        local = self._local(empty, rows.before[:, at[certain]], rows.held[at[certain]])
        both = (local[:, np.newaxis] * change[np.newaxis]).reshape(len(local) * len(change), change.shape[1])
        shape = (len(local), len(change), self.seat.states)
        near = prior.increments.reshape(-1, self.seat.states) if prior and prior.increments.shape == shape else None
        increments = _ridge(both, (target - values.T @ features)[:, certain], _RIDGE, near)
        # In the fit of the values, the part of the next coup's worth that the increments explain is only noise. The
        # second fit leaves this part out.
        explained = np.zeros_like(target)
        explained[:, certain] = increments.T @ both
        values = _ridge(features, target - explained, _SECOND)
        return _SliceFit(kinks, steps, centre, values, increments.reshape(shape))

    def _features(self, part: _SliceFit, known: Floats, held: Floats, ahead: Ints) -> Floats:
        """The features (features, rows) in which the values of a slice are linear."""
        sides, bets = self.seat.sides, len(self.seat.stakes.bets)
        parts = [np.ones((1, len(held))), known[:bets], held[np.newaxis], known[bets : bets + 9] - part.centre[:, None]]
        parts += [_kinked(known[side], part.kinks[i]) for i, side in enumerate(sides)]
        parts += [_kinked(held, part.kinks[-1]), known[bets + 9 :]]
        step = ahead.astype(np.float64)[np.newaxis]
        parts += [step, step * held, *(step * known[side] for side in sides)]
        return np.concatenate(parts)

    def _local(self, part: _SliceFit, known: Floats, held: Floats) -> Floats:
        """The features (steps, rows) in which the coefficients of a slice's increments are linear."""
        sides = self.seat.sides
        parts = [np.ones((1, len(held)))]
        parts += [(known[side] > part.steps[i][:, np.newaxis]).astype(float) for i, side in enumerate(sides)]
        parts += [known[side][np.newaxis] - part.kinks[i, 0] for i, side in enumerate(sides)]
        parts.append((held > part.steps[-1][:, np.newaxis]).astype(float))
        return np.concatenate(parts)

    def values(self, rows: SeatRows, number: int, at: Ints) -> Floats:
        """The continuations (states, rows) of these rows of a slice. A fitted value below 0 is replaced by 0."""
        return self._values(number, rows.before[:, at], rows.held[at], rows.ahead[at])

    def _values(self, number: int, known: Floats, held: Floats, ahead: Ints) -> Floats:
        part = self.slice(number)
        if part is None:
            return np.zeros((self.seat.states, len(held)))
        return np.maximum(part.values.T @ self._features(part, known, held, ahead - number * WIDE), 0)

    def slice(self, number: int) -> _SliceFit | None:
        return self.fitted[min(number, len(self.fitted) - 1)] if number >= 0 else None

    def worth(self, held: Floats, values: Floats) -> Floats:
        """V, what the rest of the shoe is worth (states, rows). `held` is the gain of stakes that hold the seat;
        `values` are the continuations after the coup."""
        stays = np.maximum(held + values[0], 0)
        worth = np.repeat(stays[np.newaxis], self.seat.states, axis=0)
        np.maximum(worth[:-1], values[1:], out=worth[:-1])
        return worth

    def increments(
        self, rows: SeatRows, number: int, at: Ints, values: Floats, worth: Floats, seed: int, first: int
    ) -> tuple[Floats, Floats]:
        """Two arrays (states, rows) for a slice's coups: the increments, and the continuations that a policy should
        use. The first index is the state after the coup.

        At a coup without random next coups, the policy uses the fitted `values`. Otherwise it uses the mean of V after
        some of the random next coups; the increments use the others. `worth` (states, all rows + 1) is V, already
        filled for the slices nearer the end of the shoe. The random numbers for the next coups depend only on the seed
        and on the numbers of the shoe and the coup."""
        part, states = self.slice(number), self.seat.states
        increments, ahead = np.zeros((states, len(at))), values.copy()
        if part is None:
            return increments, ahead
        certain = np.flatnonzero(rows.certain[at])
        known = at[certain]
        local = self._local(part, rows.before[:, known], rows.held[known])
        steps, martingales, _ = part.increments.shape
        linear = (part.increments.reshape(steps, -1).T @ local).reshape(martingales, states, len(known))
        increments[:, certain] = np.einsum("mkr,mr->kr", linear, rows.after[:, known] - rows.before[:, known])
        dealt = np.flatnonzero((rows.ahead[known] <= DEEP) & self._may_follow(rows, known))
        if len(dealt):
            chosen, linear = known[dealt], np.ascontiguousarray(linear[:, :, dealt])
            before, after = rows.before[:, chosen], rows.after[:, chosen]
            (firsts, firsts_known), (mean_worth, mean_known) = self._next_coups(rows, number, chosen, seed, first)
            rest = np.where(rows.more[chosen], worth[:, chosen + 1], 0) - mean_worth
            rest -= np.einsum("mkr,mr->kr", linear, after - mean_known)
            increments[:, certain[dealt]] += COPIES / (COPIES + 1) * rest
            # The mean of V's linear part is known exactly, so only the rest of V is averaged over the random coups.
            better = firsts - np.einsum("mkr,mr->kr", linear, firsts_known - before)
            ahead[:, certain[dealt]] = np.maximum(better, 0)
        return increments, ahead

    def _may_follow(self, rows: SeatRows, at: Ints) -> Bools:
        """Whether another coup may follow each coup, as far as this is known before the coup."""
        if self.seat.dealing.after_cut[0]:
            return rows.more[at]  # known from the cards dealt before
        return rows.undealt[at] - self.seat.dealing.cut >= WIDE

    def _next_coups(
        self, rows: SeatRows, number: int, at: Ints, seed: int, first: int
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """The means of V (states, rows) and of the martingales (martingales, rows) over random next coups.

        There are two pairs of means: over the first `POLICY_COPIES` random coups of a row, and over its other random
        coups."""
        seat = self.seat
        if number not in rows.next_coups:
            rows.next_coups[number] = self._dealt(rows, at, seed, first)
        coups = rows.next_coups[number]
        held = seat.stakes.held(np.ascontiguousarray(coups.known[: len(seat.stakes.bets)].T))
        numbers = slice_of(coups.ahead)
        worth = np.empty((seat.states, len(coups.ahead)))
        for slice_number in np.unique(numbers):
            these = np.flatnonzero(numbers == slice_number)
            values = self._values(int(slice_number), coups.known[:, these], held[these], coups.ahead[these])
            worth[:, these] = self.worth(held[these], values)
        if not seat.dealing.after_cut[0]:
            worth[:, coups.ahead < 0] = 0
        firsts, others = _means(worth)
        return (firsts, coups.means[0]), (others, coups.means[1])

    def _dealt(self, rows: SeatRows, at: Ints, seed: int, first: int) -> NextCoups:
        """Random next coups of some rows, which all seats at the table share."""
        seat, left, dealt = self.seat, np.ascontiguousarray(rows.left[at]), POLICY_COPIES + COPIES
        after = np.empty((len(at) * dealt, left.shape[1]), np.int32)
        used = np.empty(len(after), np.uint8)
        shoe = rows.shoe[at].astype(np.uint64) + np.uint64(first)
        streams = _STREAMS + (shoe << np.uint64(10)) + rows.coup[at].astype(np.uint64)
        _next_coup.deal(
            left, dealt, seed, streams, _point_values(left.shape[1]), *tableau_arrays(seat.game.tableau), after, used
        )
        known = seat.martingales(after, seat.edges(after))
        return NextCoups(np.repeat(rows.ahead[at], dealt) - used, known, _means(known))


def _means(figures: Floats) -> tuple[Floats, Floats]:
    """Two means of each figure (figures, rows): over the first `POLICY_COPIES` copies of a row, and over the row's
    other copies. The argument `figures` is (figures, rows * copies)."""
    by_copy = figures.reshape(len(figures), -1, POLICY_COPIES + COPIES)
    return by_copy[:, :, :POLICY_COPIES].mean(axis=2), by_copy[:, :, POLICY_COPIES:].mean(axis=2)


def _point_values(kinds: int) -> NDArray[np.uint8]:
    """The point value of each kind of card. The kinds are the point values, the ranks, or the ranks with their
    suits."""
    if kinds == WIDTH["value"]:
        return np.arange(10, dtype=np.uint8)
    return np.repeat(np.array(VALUE_OF_RANK, np.uint8), kinds // WIDTH["rank"])


def _ridge(features: Floats, target: Floats, penalty: float, prior: Floats | None = None) -> Floats:
    """Least squares coefficients (features, targets), shrunk towards 0 or towards `prior`. `features` is an array
    (features, rows), and `target` an array (targets, rows)."""
    gram: Floats = features @ features.T
    scale: Floats = np.diag(gram).copy()
    scale[scale <= 0] = 1
    sums: Floats = features @ target.T
    if prior is not None:
        sums += np.asarray(penalty * scale[:, np.newaxis] * prior, np.float64)
    gram[np.diag_indices_from(gram)] += penalty * scale + 1e-12
    return np.asarray(np.linalg.solve(gram, sums), np.float64)
