"""The net result of a shoe as a state, for a rebate on the shoe's loss: which stakes must be compared, and the lattice
of net results.

With a rebate r on a shoe's net loss, a net result w at the end is worth G(w) = w + r max(-w, 0) to a counter. G is
convex, so the best stakes depend on the net result so far. Let V(w) be the best value of the rest of a shoe from the
net result w. V is a supremum of convex functions of w with slopes from 1 - r to 1. So V itself is convex, with slopes
from 1 - r to 1. Hence:

1. Stakes at vertices are best: the mean of V(w + stakes . pays) is convex in the stakes.
2. A vertex is never needed if another pays at least the same on every outcome and holds the seat no worse. An example
   of a vertex that is not needed is a bet on Player and Banker at once, which wins nothing and pays the commission.
3. A pay between two points of the lattice may be replaced by a random draw of one of these two points, if the draw's
   mean is the pay. As V is convex, the game is then worth no less. So any step of the lattice gives an upper figure.
   The policy of the lower figure is played with the true pays."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, gcd, lcm

import numpy as np

from counting.arrays import Bools, Floats, Int32s
from counting.bounds.seats import MOST_SKIPPED, Seat
from counting.cards import Shoe
from counting.exact import JointPays, joint_pays

_STAKES, _DEVIATIONS = 20, 8  # how far the lattice reaches: in largest stakes, and in standard deviations of a coup
_HALF = 500  # the most steps of the lattice on each side of 0
_EXACT = 10**9  # the largest denominator of an amount
_NEAR = 1e-9


@dataclass(frozen=True, eq=False)
class NetGame:
    """What a seat's stakes do to the net result, for `_net_results`.

    - `stakes` (vertices, bets) and `paid` (vertices, classes of outcomes), in units
    - `seated` and `on_side`: as in `Stakes`
    - `points`: the number of points of the lattice, which are `step` units apart; the net result 0 is point `zero`
    - `first`, `low`, `rest` and `jump_of`: the jumps of each vertex on the lattice (`_jumps`)
    - `next` and `policy` (states, vertices): the state after the coup, for the bound and for the policy (`_next`)"""

    seat: Seat
    pays: JointPays
    stakes: Floats
    seated: Bools
    on_side: Bools
    paid: Floats
    step: float
    points: int
    first: Int32s
    low: Int32s
    rest: Floats
    jump_of: Int32s
    next: Int32s
    policy: Int32s

    @classmethod
    def of(cls, seat: Seat) -> NetGame:
        """The game of a seat with a rebate on a shoe's loss. Raises `InputError` if the bets' pay table lines, taken
        together, look at too many cards of both hands."""
        pays = joint_pays(seat.game, seat.stakes.bets)
        stakes, seated, on_side = _with_none(seat)
        rebate = Fraction(seat.rebate).limit_denominator(_EXACT)
        amounts = [[Fraction(stake).limit_denominator(_EXACT) for stake in vertex] for vertex in stakes.tolist()]
        per_unit = [[pay + rebate for pay in of_class] for of_class in pays.pays]
        paid = [[sum(map(_times, vertex, of_class), Fraction()) for of_class in per_unit] for vertex in amounts]
        ranks = np.zeros_like(seated) if _is_free(seat) else seated
        kept = _extreme(stakes, ranks) & _undominated(np.array(paid, float), ranks)
        paid = [paid[i] for i in np.flatnonzero(kept)]
        amounts = [amounts[i] for i in np.flatnonzero(kept)]
        stakes, seated, on_side = stakes[kept], seated[kept], on_side[kept]
        step, half = _lattice(paid, full_chances(seat, pays), max(map(max, amounts)), seat.loss_above)
        first, low, rest, jump_of = _jumps([[pay / step for pay in of] for of in paid])
        after, policy = _next(seat, seated)
        as_floats = np.array(paid, float)
        return cls(
            seat, pays, stakes, seated, on_side, as_floats, float(step), 2 * half + 1, first, low, rest, jump_of, after,
            policy,
        )  # fmt: skip

    @property
    def zero(self) -> int:
        return self.points // 2

    @property
    def states(self) -> int:
        return len(self.next)

    @property
    def slope(self) -> float:
        """The slope of G far below 0: what one more unit of the net result is then worth."""
        return 1 - self.seat.loss_rebate

    @cached_property
    def end(self) -> Floats:
        """What each point of the lattice is worth at the end of the shoe (points,), in steps."""
        net = np.arange(self.points, dtype=np.float64) - self.zero
        return self.ended(net * self.step) / self.step

    def ended(self, net: Floats) -> Floats:
        """G of net results in units: what they are worth at the end, with the rebate."""
        return net + self.seat.loss_rebate * np.maximum(-net - self.seat.loss_above, 0)

    @property
    def on_lattice(self) -> bool:
        """Whether all pays are whole steps. The lower figure is then at most the upper figure on every shoe, if a loss
        is settled after each shoe and the policy plays."""
        return not self.rest.any()

    def losing(self, chances: Floats) -> Floats:
        """The mean loss of a unit on each bet (rows, bets), from the chances of the classes (rows, classes)."""
        lost = np.array([[max(-float(pay), 0.0) for pay in of_class] for of_class in self.pays.pays])
        return np.asarray(chances @ lost)


def _times(stake: Fraction, pay: Fraction) -> Fraction:
    return stake * pay if stake else Fraction()


def full_chances(seat: Seat, pays: JointPays) -> Floats:
    """The chances of the classes of outcomes on the full shoe."""
    shoe = Shoe.decks(seat.dealing.decks)
    counts = {"value": shoe.values, "rank": shoe.ranks, "card": shoe.counts}[pays.knows]
    return np.asarray(pays.chances(np.array([counts], np.int32))[0])


def _with_none(seat: Seat) -> tuple[Floats, Bools, Bools]:
    """The stakes of a seat. If the seat must be held, stakes that do not hold it are left out. The choice to stake
    nothing is added, unless no coup may be skipped and the bettor may not leave."""
    stakes = seat.stakes
    some = stakes.seated if seat.most_skipped is not None else np.ones(len(stakes.seated), bool)
    vertices, seated, on_side = stakes.vertices[some], stakes.seated[some], stakes.on_side[some]
    if seat.plays_all:
        return vertices, seated, on_side
    if not (~vertices.any(axis=1)).any():
        vertices = np.vstack([np.zeros(vertices.shape[1]), vertices])
        seated, on_side = np.append(False, seated), np.append(False, on_side)
    return vertices, seated, on_side


def _is_free(seat: Seat) -> bool:
    """Whether any coup may be skipped."""
    return seat.most_skipped is None


def _extreme(stakes: Floats, seated: Bools) -> Bools:
    """Whether each vertex (vertices, bets) is extreme.

    A vertex is not extreme if it lies between two others that differ from it only in the stake on one and the same bet,
    and that hold the seat no worse."""
    kept = np.ones(len(stakes), bool)
    for bet in range(stakes.shape[1]):
        rest = np.delete(stakes, bet, axis=1)
        for i in np.flatnonzero(kept):
            line = stakes[(np.abs(rest - rest[i]) < _NEAR).all(axis=1) & (seated >= seated[i]), bet]
            kept[i] = not (line.min() < stakes[i, bet] - _NEAR and line.max() > stakes[i, bet] + _NEAR)
    return kept


def _undominated(paid: Floats, seated: Bools) -> Bools:
    """Whether each of these vertices (vertices, classes) is needed.

    A vertex is not needed if another pays at least the same on every outcome and holds the seat no worse. Of equal
    vertices, only the first can be needed."""
    kept = np.ones(len(paid), bool)
    for i in range(len(paid)):
        better = (paid >= paid[i]).all(axis=1) & (seated >= seated[i])
        equal = better & (paid == paid[i]).all(axis=1) & (seated == seated[i])
        kept[i] = not (better & ~equal).any() and np.flatnonzero(equal)[0] == i
    return kept


def _lattice(paid: list[list[Fraction]], chances: Floats, most: Fraction, above: float) -> tuple[Fraction, int]:
    """The step of the lattice, and the number of steps on each side of 0.

    The step divides every pay or, if that would take too many steps, the largest stake. `above` is the part of a loss,
    in units, that no rebate is paid on."""
    floats = np.array(paid, float)
    deviation = np.sqrt(np.maximum(floats**2 @ chances - (floats @ chances) ** 2, 0).max())
    reach = max(Fraction(_STAKES) * most, Fraction(float(_DEVIATIONS * deviation))) + Fraction(above)
    amounts = {abs(pay) for of_vertex in paid for pay in of_vertex if pay}
    step = Fraction(gcd(*(a.numerator for a in amounts)), lcm(*(a.denominator for a in amounts)))
    if not amounts or reach / step > _HALF:
        step = most / max(1, int(_HALF * most / reach)) if most else Fraction(1)
    return step, min(ceil(reach / step), _HALF)


def _jumps(paid: list[list[Fraction]]) -> tuple[Int32s, Int32s, Floats, Int32s]:
    """`first`, `low`, `rest` and `jump_of`, in the layout that the kernel takes. `paid` is in steps. Equal pays of a
    vertex share one jump."""
    first, jump_of = [0], []
    low: list[int] = []
    rest: list[float] = []
    for of_vertex in paid:
        place = {pay: len(low) + i for i, pay in enumerate(dict.fromkeys(of_vertex))}
        low += [pay.numerator // pay.denominator for pay in place]
        rest += [float(pay - pay.numerator // pay.denominator) for pay in place]
        jump_of.append([place[pay] for pay in of_vertex])
        first.append(len(low))
    return np.array(first, np.int32), np.array(low, np.int32), np.array(rest, float), np.array(jump_of, np.int32)


def _next(seat: Seat, seated: Bools) -> tuple[Int32s, Int32s]:
    """Two arrays (states, vertices), which give the state after a coup: for the bound, and for the policy.

    A state is the number of coups just skipped. One more state, numbered last, means that the counter has left. If more
    than 16 coups in a row may be skipped, the bound allows any number of skips, and the policy leaves after 16."""
    if seat.most_skipped is None or not seat.leaves:
        free = np.zeros((1, len(seated)), np.int32)
        return free, free
    states = seat.states
    after = np.where(seated, 0, np.arange(1, states + 1)[:, np.newaxis]).astype(np.int32)
    bound = after.copy()
    if seat.skips > MOST_SKIPPED:
        bound[-1, ~seated] = states - 1
    return bound, after
