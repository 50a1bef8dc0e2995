"""When to stop under a discount on losses: the best exits, their value, and how much turnover must be required to make
the discount worthless.

Let G(w) be what a patron who stops at the net result w has in the end, discount included. Let X be the pay of a coup.
The value of the best play with up to n coups left is

    V_0 = G, V_n(w) = max(G(w), E V_(n-1)(w + X))

**When a discount is worthless.** Let w^- be max(-w, 0), and let the discount be r w^-, so that G(w) = w + r w^-. If a
coup's theoretical win is at least r times its mean loss, G is superharmonic, because (w + X)^- - w^- <= X^-. So
stopping at once is best, however many coups are left. At a higher rate, a single coup from 0 wins on average.

**Threshold.** With a discount on the part of the loss above T, a net result w leaves the patron with G(w + T) - T, and
the discount is worth V(T) - T. It gives the patron no edge if and only if T is at least the win exit of the same
discount without a threshold.

**Turnover.** Let a discount be paid only after k coups. It is worth U_k(0), with

    U_0 = V, U_j(w) = max(w, E U_(j-1)(w + X))

The w in the maximum is for leaving earlier, without the discount.

If what is paid back is convex in the loss (`Discount.convex`), G and V are convex in w. Then flat stakes at the maximum
are the best stakes."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log, sqrt

import numpy as np

from counting.arrays import Floats
from counting.trips.discounts import Discount, Tier
from counting.trips.walks import MOST_MOVES, Walk, money

_NEAR = 1e-9  # values that differ by less than this share of a mean bet count as equal
_SETTLED = 1e-3  # values are final once one more coup changes them by less than this share of _NEAR
_MOST_HALF = 1 << 16  # the most points on each side of 0
_BEYOND = 1.5  # the lattice reaches this multiple of the exits of a Brownian motion
_SEEN = 14  # standard deviations: the lattice reaches at most this far, and some coups more, beyond the mean result
_ENDLESS = 100_000  # a trip without an end is computed as a trip of this many coups


@dataclass(frozen=True)
class BestExits:
    """What a discount is worth to a patron who stops at the best moment. Amounts are in money.

    - `value`: what the discount is worth per settlement, from a net result of 0
    - `win` and `loss`: the least win and the least loss at which stopping is best, with all coups left; None if the
      value is 0
    - `coups`: the mean number of coups until the patron stops
    - `least_coups`: on a trip without an end, the discount gives the patron no edge if it is paid only after this
      number of coups. None if it was not asked for, if the discount is not convex, or if too many coups would have to
      be followed.
    - `exact`: whether the lattice contains all pays, and no coup was left out"""

    value: float
    win: float | None
    loss: float | None
    coups: float
    least_coups: int | None
    exact: bool


def best_exits(walk: Walk, discount: Discount, staked: float, coups: int, least: bool = True) -> BestExits:
    """The best exits of a patron with these stakes, within `coups` coups until the discount is settled.

    `staked` is the mean of the stakes on a coup. `least`: whether to work out `least_coups` too."""
    lattice, near = _Lattice.of(walk, discount, coups), _NEAR * staked
    value, played, settled = lattice.best(coups, near)
    exact = lattice.walk.exact and (settled or coups <= lattice.most_sweeps)
    at, going = lattice.zero, value > lattice.end + near
    waits = None
    if least and discount.convex:  # `least_coups` is for a trip without an end, on which the discount may be worth more
        waits = _Lattice.of(walk, discount, _ENDLESS).least_coups(near, 1 - float(discount.tiers[-1].rate))
    if not going[at]:
        return BestExits(0.0, None, None, 0.0, waits, exact)
    win = float(lattice.net[at + int(np.argmin(going[at:]))])
    loss = float(-lattice.net[at - int(np.argmin(going[at::-1]))])
    return BestExits(float(value[at]), win, loss, float(played[at]), waits, exact)


def worthless_from(walk: Walk, discount: Discount, staked: float, coups: int) -> float:
    """The least threshold at which the discount gives the patron no edge, if its highest rate is paid, but only on the
    part of a loss above the threshold. It is the win exit of a discount that pays this rate on the whole loss."""
    plain = Discount((Tier(discount.most),), settled=discount.settled)
    return best_exits(walk, plain, staked, coups, least=False).win or 0.0


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The net results (points,) at which playing on is considered. Beyond them is a padding, where the patron stops."""

    walk: Walk
    net: Floats
    end: Floats
    padded: Floats
    pad: int

    @classmethod
    def of(cls, walk: Walk, discount: Discount, coups: int) -> _Lattice:
        rate = min(float(discount.most), 0.999)
        while True:
            pad = int(np.abs(walk.jumps).max())
            k = max(-2 * walk.mean, 1e-12) / walk.deviation**2  # exits of a Brownian motion, in steps
            exits = (1 + (1 - rate) / rate * log(1 - rate)) / k, (-log(1 - rate) / rate - 1) / k
            reach = coups * abs(walk.mean) + _SEEN * walk.deviation * sqrt(coups)
            half = min(_BEYOND * max(exits) + float(discount.deepest / walk.step), reach) + 20 * pad
            if half <= _MOST_HALF:
                break
            walk = walk.coarser()
        size = ceil(half)
        wide = money(np.arange(-size - pad, size + pad + 1), walk.step)
        padded = discount.kept(wide)
        return cls(walk, wide[pad:-pad], padded[pad:-pad], padded, pad)

    @property
    def zero(self) -> int:
        return len(self.net) // 2

    @property
    def most_sweeps(self) -> int:
        return MOST_MOVES // (len(self.net) * len(self.walk.jumps))

    def mean(self, table: Floats) -> Floats:
        """The mean value after a coup, at each point. `table` has the values on points and padding (points + 2
        pad,)."""
        size = len(self.net)
        total = np.zeros(size)
        for jump, chance in zip(self.walk.jumps.tolist(), self.walk.chances.tolist(), strict=True):
            total += chance * table[self.pad + jump : self.pad + jump + size]
        return total

    def best(self, coups: int, near: float) -> tuple[Floats, Floats, bool]:
        """V with `coups` coups left, the mean number of coups until the patron stops, and whether further coups would
        change nothing."""
        inside = slice(self.pad, -self.pad)
        value, played = self.padded.copy(), np.zeros_like(self.padded)
        for _ in range(min(coups, self.most_sweeps)):
            on = self.mean(value)
            going = on > self.end + near
            played[inside] = np.where(going, 1 + self.mean(played), 0.0)
            better = np.where(going, on, self.end)
            moved = float(np.abs(better - value[inside]).max())
            value[inside] = better
            if moved < _SETTLED * near:
                return value[inside], played[inside], True
        return value[inside], played[inside], False

    def least_coups(self, near: float, slope: float) -> int | None:
        """The least number of coups that must be required before the discount is paid, so that the discount gives the
        patron no edge.

        `slope` is the share of each further unit of a large loss that the patron bears. None if there are too many
        coups to follow."""
        value, inside = self.padded.copy(), slice(self.pad, -self.pad)
        value[inside], _, settled = self.best(_ENDLESS, near)
        deeper = slope * (np.arange(-self.pad, 0) * float(self.walk.step))
        for coups in range(self.most_sweeps if settled else 0):
            if value[self.pad + self.zero] <= near:
                return coups
            value[inside] = np.maximum(self.net, self.mean(value))
            value[: self.pad] = value[self.pad] + deeper
        return None
