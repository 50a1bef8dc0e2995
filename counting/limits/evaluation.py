"""Shoes evaluated for a bracket: what a policy wins on each shoe, and what no counter can win more than.

The lower figure is a policy's: at every coup the best stakes by the fitted continuations of
`counting.limits.continuation`. The shoes that it is played on are others than those of the fit, so that its mean is
unbiased for what it wins.

The upper one. Dealing does not depend on bets, so each shoe has a best schedule in hindsight; its mean is above every
counter's. It is so too when increments of mean 0 are taken off, those of the state that the schedule goes through:
what is taken off any counter has the mean 0, and the schedule is the best for what is left (Rogers 2002, Haugh and
Kogan 2004; Brown, Smith and Sun 2010). On each shoe it is a small dynamic program. Which share of the increments is
taken off, none to all, is chosen on other shoes, before: a part of them is often much tighter than all.

Both figures take off the same increments on the same shoes, those along the policy's own way from the lower one. So the
errors of both are small, and the lower one is never above the upper one, shoe by shoe, to 16 coups skipped in a row;
beyond, the upper one is that of a counter who may skip any coup.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats
from counting.exact import classify, pays, pricer
from counting.limits.continuation import Continuation
from counting.limits.seats import MOST_SKIPPED, Rows, Seat

FIT_FROM = 1 << 40  # the number of the first shoe fitted to: no shoe that is played has it
BLOCK = 500  # shoes evaluated at once
_CHOSEN_ON = 1000  # shoes after those of the fit, on which the bound is chosen
_SHARES = np.linspace(0, 1, 21)


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is fixed before shoes are evaluated: continuations, those that the policy goes by, where these are others;
    the share of increments that is taken off the bound; and whether the policy is to stay away."""

    bound: Continuation
    policy: Continuation
    share: float = 1.0
    away: bool = False


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Figures of each shoe: the policy's `gain` and the increments `taken` along its way; `bounds` (shares, shoes), the
    best schedule's gain with shares of the increments off, and what is left of those taken besides; the policy's coups
    `played` and with `sides`; `coups` dealt; what else is kept of a shoe, `beside` these."""

    gain: Floats
    taken: Floats
    bounds: Floats
    played: Floats
    sides: Floats
    coups: NDArray[np.int64]
    beside: dict[str, Floats]

    @property
    def lower(self) -> Floats:
        """The policy's gain, its luck taken off."""
        return self.gain - self.taken


def evaluate(fitted: Fitted, seed: int, first: int, shoes: int, results: Results | None, shares: Floats) -> Evaluated:
    """Deal shoes `first`, `first + 1` ... and go through them from behind, with bounds by `shares` of the increments;
    `results` where the policy's way hangs on them."""
    seat, continuation = fitted.bound.seat, fitted.bound
    rows = Rows.play(seat, seed, first, shoes)
    own = rows if fitted.policy is continuation else Rows.play(fitted.policy.seat, seed, first, shoes)
    states, count = seat.states, len(rows.held) + 1
    worth, off_all = np.zeros((2, states, count))
    totals = np.zeros((4, states, count))  # gain, increments, coups played, with side bets
    bests = np.zeros((len(shares), states, count))
    stays_all = np.zeros((states, count), bool)
    with_side = _with_sides(seat, rows)
    for number, at in enumerate(rows.slices):
        if len(at) == 0:
            continue
        held = rows.held[at]
        off, values = continuation.increments(rows, number, at, worth, seed, first)
        worth[:, at] = continuation.worth(held, continuation.values(rows, number, at))
        off_all[:, at] = off
        after = np.where(rows.more[at], at + 1, count - 1)  # the last column stays 0
        less = shares[:, np.newaxis, np.newaxis] * off
        if own is not rows:
            held, values = own.held[at], fitted.policy.values(own, number, at)
        seated = np.stack([held, off[0], np.ones(len(at)), with_side[at]]) + totals[:, 0, after]
        for k in range(states):
            last = k + 1 == states
            stays = held + values[0] > (0 if last else values[k + 1])
            skipped, best = np.zeros_like(seated), np.maximum(rows.held[at] - less[:, 0] + bests[:, 0, after], 0)
            if not last:
                skipped = totals[:, k + 1, after]
                skipped[1] += off[k + 1]
                np.maximum(best, bests[:, k + 1, after] - less[:, k + 1], out=best)
            totals[:, k, at], stays_all[k, at] = np.where(stays, seated, skipped), stays
            bests[:, k, at] = best
    starts = rows.starts
    gain, taken, played, sides = totals[:, 0, starts]
    if results is not None:
        gain, taken, played, sides = results.walk(seat, own, stays_all, off_all)
    bounds = bests[:, 0, starts] - (1 - shares)[:, np.newaxis] * taken
    if seat.skips > MOST_SKIPPED:  # the schedule may skip more
        bounds = np.tile(_by_shoe(rows, seat.stakes.free(rows.edges)), (len(shares), 1))
    coups = np.bincount(rows.shoe, minlength=shoes)
    return Evaluated(gain, taken, bounds, played, sides, coups, _beside(seat, rows))


def _with_sides(seat: Seat, rows: Rows) -> Bools:
    """Whether the best stakes that hold the seat have a side bet."""
    gains = np.where(seat.stakes.seated, seat.stakes.gains(rows.edges), -np.inf)
    return np.asarray(seat.stakes.on_side[gains.argmax(axis=1)])


def _by_shoe(rows: Rows, figures: Floats | Bools) -> Floats:
    """Sums over the coups of each shoe."""
    return np.asarray(np.bincount(rows.shoe, figures, rows.shoes), np.float64)


@dataclass(frozen=True, eq=False)
class Results:
    """Play that hangs on results: main bets that `stand` for the next coup after a push, and `loss_rebate` of what a
    shoe has lost when it ends."""

    stand: bool
    loss_rebate: float
    pays: Floats

    @classmethod
    def of(cls, seat: Seat, stand: bool) -> Results | None:
        if not (stand or seat.loss_rebate):
            return None
        return cls(stand, seat.loss_rebate, pays(seat.game, seat.stakes.bets))

    def walk(self, seat: Seat, rows: Rows, stays: Bools, off: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Play each shoe from its first coup on: the gain, the increments along the way, the coups played and those
        with side bets. `stays` (states, rows) is whether the policy holds its seat there."""
        stakes, shoes = seat.stakes, rows.shoes
        plain = pricer(seat.game, stakes.bets).edges(rows.left) + seat.rebate
        paid = self.pays[classify(seat.game, rows.shown)]
        main, free = np.isin(stakes.bets, stakes.main), seat.most_skipped is None
        gain, taken, played, sides, net = np.zeros((5, shoes))
        state, here = np.zeros(shoes, np.int64), np.ones(shoes, bool)
        standing = np.zeros((shoes, len(stakes.bets)))
        for coup in range(1, int(rows.coup.max(initial=0)) + 1):
            at = np.flatnonzero(rows.coup == coup)
            at = at[here[rows.shoe[at]]]
            shoe = rows.shoe[at]
            kept = standing[shoe]
            must = (kept > 0).any(axis=1)
            gains = stakes.gains(rows.edges[at])
            fits = (stakes.vertices[np.newaxis] >= kept[:, np.newaxis] - 1e-9).all(axis=2)
            holds = stays[state[shoe], at] | must
            gains = np.where(fits if free else fits & stakes.seated, gains, -np.inf)
            chosen = gains.argmax(axis=1)
            after = np.where(holds | free, 0, state[shoe] + 1)
            gone = after >= seat.states
            on = holds | (free & (gains.max(axis=1) > 0))
            stake = np.where(on[:, np.newaxis], stakes.vertices[chosen], 0)
            after[gone] = 0
            gain[shoe] += (stake * plain[at]).sum(axis=1)
            taken[shoe] += np.where(gone, 0, off[after, at])
            net[shoe] += (stake * paid[at]).sum(axis=1)
            played[shoe] += on
            sides[shoe] += on & stakes.on_side[chosen]
            state[shoe], here[shoe] = after, ~gone
            if self.stand:
                standing[shoe] = np.where(main & (paid[at] == 0), stake, 0)
        return gain + self.loss_rebate * np.maximum(-net, 0), taken, played, sides


def figures_of_shoes(fitted: Fitted, stand: bool, seed: int, first: int, shoes: int) -> pl.DataFrame:
    """A row for each shoe; see `Bracket`."""
    seat = fitted.bound.seat
    results = Results.of(seat, stand)
    if not seat.hangs_together:
        return _coup_by_coup(seat, fitted.policy.seat, results, seed, first, shoes)
    found = evaluate(fitted, seed, first, shoes, results, np.array([fitted.share]))
    lower, upper, played, sides = found.lower, found.bounds[0], found.played, found.sides
    if fitted.away:
        lower, played, sides = np.zeros((3, shoes))
    figures = {"lower": lower, "upper": upper, "coups": found.coups, "played": played, "sides": sides}
    return pl.DataFrame(figures | found.beside)


def _coup_by_coup(seat: Seat, policy: Seat, results: Results | None, seed: int, first: int, shoes: int) -> pl.DataFrame:
    """The same where any coup may be skipped, or none and nobody leaves: the best of every coup by itself, and with
    results the play of a `policy` that goes by its own edges."""
    rows = Rows.play(seat, seed, first, shoes, further=False)
    best, on, with_side = _best_of_coups(seat, rows)
    upper, played, sides = (_by_shoe(rows, one) for one in (best, on, with_side))
    lower = upper
    if results is not None:
        own = rows if policy is seat else Rows.play(policy, seed, first, shoes, further=False)
        stays = _best_of_coups(policy, own)[1][np.newaxis]
        lower, _, played, sides = results.walk(seat, own, stays, np.zeros(stays.shape))
    coups = np.bincount(rows.shoe, minlength=shoes)
    figures = {"lower": lower, "upper": upper, "coups": coups, "played": played, "sides": sides}
    return pl.DataFrame(figures | _beside(seat, rows))


def _best_of_coups(seat: Seat, rows: Rows) -> tuple[Floats, Bools, Bools]:
    """The best gain of each coup by itself, whether there are stakes, and whether a side bet is among them."""
    gains = seat.stakes.gains(rows.edges)
    if seat.most_skipped is None:
        best = np.maximum(gains.max(axis=1), 0)
        on = best > 0
    else:
        gains = np.where(seat.stakes.seated, gains, -np.inf)
        best, on = gains.max(axis=1), np.ones(len(gains), bool)
    return best, on, on & seat.stakes.on_side[gains.argmax(axis=1)]


def policy_by_coup(seat: Seat, stand: bool, seed: int) -> Seat:
    """Whose edges the play goes by: with a rebate on a shoe's loss the seat's own, which take every loss for one of
    the shoe, or those without, whichever wins more on some shoes that are never played."""
    if not seat.loss_rebate:
        return seat
    tried = (seat, replace(seat, loss_rebate=0.0))
    results = Results.of(seat, stand)
    figures = [_coup_by_coup(seat, one, results, seed, FIT_FROM, _CHOSEN_ON) for one in tried]
    return tried[int(np.argmax([one["lower"].to_numpy().sum() for one in figures]))]


def _beside(seat: Seat, rows: Rows) -> dict[str, Floats]:
    """What else is kept of each shoe: see `Bracket`."""
    gains = seat.stakes.gains(rows.edges)
    on_side = seat.stakes.on_side[gains.argmax(axis=1)] if seat.stakes.sides else np.ones(len(gains), bool)
    found = {"chances": _by_shoe(rows, (gains.max(axis=1) > 0) & on_side)}
    plain = rows.edges
    if seat.loss_rebate:
        plain = replace(seat, loss_rebate=0.0).edges(rows.left)
    for bet in seat.stakes.main:
        edges = plain[:, seat.stakes.bets.index(bet)]
        found |= {f"alone-{bet}": _by_shoe(rows, edges.clip(0)), f"positive-{bet}": _by_shoe(rows, edges > 0)}
    return found


def fit_to_shoes(seat: Seat, stand: bool, seed: int, shoes: int, workers: int) -> Fitted:
    """Fit to shoes that are never played, and choose the bound and the policy on some more such shoes."""

    def fitted_to(seat: Seat) -> Continuation:
        starts = range(0, shoes, BLOCK)
        with ThreadPoolExecutor(workers) as players:
            parts = players.map(lambda at: Rows.play(seat, seed, FIT_FROM + at, min(BLOCK, shoes - at)), starts)
            return Continuation.fit(seat, Rows.joined(list(parts)))

    bound = fitted_to(seat)
    tried = [Fitted(bound, bound)]
    if seat.loss_rebate:  # a policy that takes every loss for one of the shoe may lose by it
        tried.append(Fitted(bound, fitted_to(replace(seat, loss_rebate=0.0))))
    results = Results.of(seat, stand)
    found = [evaluate(one, seed, FIT_FROM + shoes, _CHOSEN_ON, results, _SHARES) for one in tried]
    means = [float(one.lower.mean()) for one in found]
    best = int(np.argmax(means))
    share = float(_SHARES[found[best].bounds.mean(axis=1).argmin()])
    return replace(tried[best], share=share, away=means[best] <= 0)
