"""What the rest of a shoe is worth to a bettor who must keep a seat: fitted values, and martingale increments.

There is no mid-shoe entry, and a bettor who skips more than K coups in a row is out till the next shoe. Before a coup
the bettor's state is the number of coups just skipped, 0 to K. Let a be the largest gain of stakes that hold the seat,
and C_k the continuation, the mean of what follows in state k. Then the rest of the shoe is worth

    V_k = max(0, a + C_0, C_(k+1) for k < K):

leave, hold the seat, or skip. The continuations are fitted from the end of the shoe on, four cards before the cut card
at a time, by least squares of the next coup's V on the composition: edges and the gain a with kinks, shares of
point values, and U-statistics (fitted value iteration, Tsitsiklis and Van Roy 2001). Any continuations make a policy,
and what a policy gains bounds the best from below; nothing is claimed of the fit itself.

An increment is a quantity known after a coup whose mean before it is exactly 0. A bound from above may take off any
increments (`counting.limits.brackets`); it is tight where they are near V less its mean. Two kinds are used:

1. c * (phi after - phi before), c any function of what is known before the coup, phi a martingale: every bet's edge,
   the shares of point values among unseen cards, and the mean over pairs and triples of unseen cards of products of
   the side bet's effects of removal. Cards are exchangeable, and a coup's end is a stopping time of their order.
2. f(after) less the mean of f over random next coups dealt from the same unseen cards, f being V less its linear part
   c * phi. As long as they are dealt alike its mean is 0 whatever f is; few are needed, as little is left of V.

The coefficients of a fit may differ in the last digits from machine to machine; what is bounded with them is bounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.cards import VALUE_OF_RANK, WIDTH
from counting.exact import _next_coup, tableau_arrays
from counting.limits.seats import WIDE, Rows, Seat, slice_of

DEEP = 120  # cards before the cut card from which random next coups are dealt
COPIES = 16  # of the next coup, for increments
LOOKED = 8  # others of it, for what a policy takes the continuation to be: it must not know the luck of the first
_STREAMS = np.uint64(1 << 63)  # of random next coups: above the numbers of all shoes
_LEAST_ROWS = 200  # of a slice that is fitted

# Where kinks and steps are, as quantiles over a slice: the upper tail decides.
_KINKS = np.array([0.01, 0.05, 0.15, 0.3, 0.5, 0.65, 0.78, 0.87, 0.93, 0.97, 0.99])
_STEPS = np.array([0.05, 0.2, 0.4, 0.55, 0.7, 0.8, 0.88, 0.94, 0.98])
_FEW_STEPS = np.array([0.2, 0.7, 0.94])  # with several side bets
_FIRST, _SECOND, _RIDGE = 1e-4, 1e-5, 1e-3  # penalties: values, values again, increments towards the slice before


@dataclass(frozen=True)
class _Slice:
    """What is fitted of a slice: kinks and steps (side bets and the gain held, each), `centre` (values 1 to 9), and
    coefficients: `values` (features, states) and `increments` (steps, martingales, states)."""

    kinks: Floats
    steps: Floats
    centre: Floats
    values: Floats
    increments: Floats


def _kinked(known: Floats, kinks: Floats) -> Floats:
    return np.maximum(known[np.newaxis] - kinks[:, np.newaxis], 0)


class Continuation:
    """Continuations of a seat, fitted to shoes; see the head of this module."""

    def __init__(self, seat: Seat, fitted: list[_Slice | None]) -> None:
        self.seat, self.fitted = seat, fitted

    @classmethod
    def fit(cls, seat: Seat, rows: Rows) -> Continuation:
        """Fit to these shoes, some thousand or more."""
        found = cls(seat, [])
        worth = np.zeros((seat.states, len(rows.held) + 1))
        before: _Slice | None = None
        for number, at in enumerate(rows.slices):
            if len(at) >= _LEAST_ROWS:
                target = np.where(rows.more[at], worth[:, at + 1], 0)
                before = found._fit_slice(rows, number, at, target, before)
            found.fitted.append(before)
            worth[:, at] = found.worth(rows.held[at], found.values(rows, number, at))
        return found

    def arrays(self, name: str) -> dict[str, Floats]:
        """The fit as plain arrays, to be kept under names that begin with `name`."""
        found: dict[str, Floats] = {f"{name}-slices": np.array(len(self.fitted), float)}
        for number, one in enumerate(self.fitted):
            if one is not None and (number == 0 or one is not self.fitted[number - 1]):
                found |= {
                    f"{name}-{number}-{one_field.name}": getattr(one, one_field.name) for one_field in fields(one)
                }
        return found

    @classmethod
    def from_arrays(cls, seat: Seat, arrays: Mapping[str, Floats], name: str) -> Continuation:
        """The way back from `arrays`."""
        fitted: list[_Slice | None] = []
        for number in range(int(arrays[f"{name}-slices"])):
            there = f"{name}-{number}-values" in arrays
            kept = {one.name: arrays[f"{name}-{number}-{one.name}"] for one in fields(_Slice)} if there else None
            fitted.append(_Slice(**kept) if kept else fitted[-1] if fitted else None)
        return cls(seat, fitted)

    def _fit_slice(self, rows: Rows, number: int, at: Ints, target: Floats, prior: _Slice | None) -> _Slice:
        sides = self.seat.sides
        known = [*(rows.before[side, at] for side in sides), rows.held[at]]
        kinks = np.array([np.quantile(one, _KINKS) for one in known])
        steps = np.array([np.quantile(one, _STEPS if len(sides) == 1 else _FEW_STEPS) for one in known])
        bets = len(self.seat.stakes.bets)
        centre = rows.before[bets : bets + 9, at].mean(axis=1)
        empty = _Slice(kinks, steps, centre, np.empty(0), np.empty(0))
        features = self._features(empty, rows.before[:, at], rows.held[at], rows.ahead[at] - number * WIDE)
        values = _ridge(features, target, _FIRST)
        certain = rows.certain[at]
        change = rows.after[:, at[certain]] - rows.before[:, at[certain]]
        local = self._local(empty, rows.before[:, at[certain]], rows.held[at[certain]])
        both = (local[:, np.newaxis] * change[np.newaxis]).reshape(len(local) * len(change), change.shape[1])
        shape = (len(local), len(change), self.seat.states)
        near = prior.increments.reshape(-1, self.seat.states) if prior and prior.increments.shape == shape else None
        increments = _ridge(both, (target - values.T @ features)[:, certain], _RIDGE, near)
        # What the increments explain of the next coup's worth is no noise to a second fit of the values.
        explained = np.zeros_like(target)
        explained[:, certain] = increments.T @ both
        values = _ridge(features, target - explained, _SECOND)
        return _Slice(kinks, steps, centre, values, increments.reshape(shape))

    def _features(self, one: _Slice, known: Floats, held: Floats, ahead: Ints) -> Floats:
        """What a slice's values are linear in, (features, rows)."""
        sides, bets = self.seat.sides, len(self.seat.stakes.bets)
        parts = [np.ones((1, len(held))), known[:bets], held[np.newaxis], known[bets : bets + 9] - one.centre[:, None]]
        parts += [_kinked(known[side], one.kinks[i]) for i, side in enumerate(sides)]
        parts += [_kinked(held, one.kinks[-1]), known[bets + 9 :]]
        step = ahead.astype(np.float64)[np.newaxis]
        parts += [step, step * held, *(step * known[side] for side in sides)]
        return np.concatenate(parts)

    def _local(self, one: _Slice, known: Floats, held: Floats) -> Floats:
        """What the coefficients of increments are linear in, (steps, rows)."""
        sides = self.seat.sides
        parts = [np.ones((1, len(held)))]
        parts += [(known[side] > one.steps[i][:, np.newaxis]).astype(float) for i, side in enumerate(sides)]
        parts += [known[side][np.newaxis] - one.kinks[i, 0] for i, side in enumerate(sides)]
        parts.append((held > one.steps[-1][:, np.newaxis]).astype(float))
        return np.concatenate(parts)

    def values(self, rows: Rows, number: int, at: Ints) -> Floats:
        """The continuations (states, rows) of rows of a slice, at least 0."""
        return self._values(number, rows.before[:, at], rows.held[at], rows.ahead[at])

    def _values(self, number: int, known: Floats, held: Floats, ahead: Ints) -> Floats:
        one = self.slice(number)
        if one is None:
            return np.zeros((self.seat.states, len(held)))
        return np.maximum(one.values.T @ self._features(one, known, held, ahead - number * WIDE), 0)

    def slice(self, number: int) -> _Slice | None:
        return self.fitted[min(number, len(self.fitted) - 1)] if number >= 0 else None

    def worth(self, held: Floats, values: Floats) -> Floats:
        """V (states, rows) from the gain of a coup and the continuations after it."""
        stays = np.maximum(held + values[0], 0)
        found = np.repeat(stays[np.newaxis], self.seat.states, axis=0)
        np.maximum(found[:-1], values[1:], out=found[:-1])
        return found

    def increments(
        self, rows: Rows, number: int, at: Ints, worth: Floats, seed: int, first: int
    ) -> tuple[Floats, Floats]:
        """The increments (states, rows) of a slice's coups, by the state after the coup, and the continuations (states,
        rows) as a policy had better take them: where random next coups are dealt, the mean of V after some, which the
        increments do not look at.

        `worth` (states, all rows + 1) is V, filled for later slices. Random next coups are addressed by (seed, number
        of the shoe, coup).
        """
        one, states = self.slice(number), self.seat.states
        found, ahead = np.zeros((states, len(at))), self.values(rows, number, at)
        if one is None:
            return found, ahead
        certain = np.flatnonzero(rows.certain[at])
        known = at[certain]
        local = self._local(one, rows.before[:, known], rows.held[known])
        steps, martingales, _ = one.increments.shape
        linear = (one.increments.reshape(steps, -1).T @ local).reshape(martingales, states, len(known))
        found[:, certain] = np.einsum("mkr,mr->kr", linear, rows.after[:, known] - rows.before[:, known])
        dealt = np.flatnonzero((rows.ahead[known] <= DEEP) & self._may_follow(rows, known))
        if len(dealt):
            chosen, linear = known[dealt], np.ascontiguousarray(linear[:, :, dealt])
            before, after = rows.before[:, chosen], rows.after[:, chosen]
            (looked, looked_known), (mean_worth, mean_known) = self._next_coups(rows, chosen, seed, first)
            rest = np.where(rows.more[chosen], worth[:, chosen + 1], 0) - mean_worth
            rest -= np.einsum("mkr,mr->kr", linear, after - mean_known)
            found[:, certain[dealt]] += COPIES / (COPIES + 1) * rest
            # What the linear part of V is on the average is known: only the rest has the luck of these coups.
            look = looked - np.einsum("mkr,mr->kr", linear, looked_known - before)
            ahead[:, certain[dealt]] = np.maximum(look, 0)
        return found, ahead

    def _may_follow(self, rows: Rows, at: Ints) -> Bools:
        """Whether another coup may follow, as known before the coup."""
        if self.seat.dealing.after_cut[0]:
            return rows.more[at]  # it is known by the cards dealt before
        return rows.undealt[at] - self.seat.dealing.cut >= WIDE

    def _next_coups(
        self, rows: Rows, at: Ints, seed: int, first: int
    ) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """The means over random next coups of V (states, rows) and of the martingales (martingales, rows), over the
        first `LOOKED` of them and over the others."""
        seat, left, dealt = self.seat, np.ascontiguousarray(rows.left[at]), LOOKED + COPIES
        after = np.empty((len(at) * dealt, left.shape[1]), np.int32)
        used = np.empty(len(after), np.uint8)
        shoe = rows.shoe[at].astype(np.uint64) + np.uint64(first)
        streams = _STREAMS + (shoe << np.uint64(10)) + rows.coup[at].astype(np.uint64)
        _next_coup.deal(
            left, dealt, seed, streams, _point_values(left.shape[1]), *tableau_arrays(seat.game.tableau), after, used
        )
        edges = seat.edges(after)
        known = seat.martingales(after, edges)
        held = seat.stakes.held(edges)
        ahead = np.repeat(rows.ahead[at], dealt) - used
        number = slice_of(ahead)
        worth = np.empty((seat.states, len(after)))
        for one in np.unique(number):
            of_slice = np.flatnonzero(number == one)
            values = self._values(int(one), known[:, of_slice], held[of_slice], ahead[of_slice])
            worth[:, of_slice] = self.worth(held[of_slice], values)
        if not seat.dealing.after_cut[0]:
            worth[:, ahead < 0] = 0
        parts = [part.reshape(-1, len(at), dealt) for part in (worth, known)]
        looked, others = (
            [part[:, :, some].mean(axis=2) for part in parts] for some in (slice(LOOKED), slice(LOOKED, None))
        )
        return (looked[0], looked[1]), (others[0], others[1])


def _point_values(kinds: int) -> NDArray[np.uint8]:
    """The point value of a card of each kind, by value, rank or card."""
    if kinds == WIDTH["value"]:
        return np.arange(10, dtype=np.uint8)
    return np.repeat(np.array(VALUE_OF_RANK, np.uint8), kinds // WIDTH["rank"])


def _ridge(features: Floats, target: Floats, penalty: float, prior: Floats | None = None) -> Floats:
    """Coefficients (features, targets) of least squares, drawn to 0 or to a prior; features and targets by rows."""
    gram: Floats = features @ features.T
    scale: Floats = np.diag(gram).copy()
    scale[scale <= 0] = 1
    sums: Floats = features @ target.T
    if prior is not None:
        sums += np.asarray(penalty * scale[:, np.newaxis] * prior, np.float64)
    gram[np.diag_indices_from(gram)] += penalty * scale + 1e-12
    return np.asarray(np.linalg.solve(gram, sums), np.float64)
