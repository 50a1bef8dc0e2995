"""Shoes evaluated for a bracket: what a policy wins on each shoe, and what no counter can win more than.

The lower figure is what a policy wins. At every coup the policy makes the best stakes by the fitted continuations of
`counting.limits.continuation`. It is played on other shoes than it was fitted to, so its mean is unbiased.

The upper figure. Dealing does not depend on bets, so each shoe has a best schedule of bets in hindsight; its mean is
above every counter's. This stays true when increments of mean 0 are taken off, those of the states that the schedule
passes through: for any counter they have the mean 0, and the schedule is the best for what is left (Rogers 2002, Haugh
and Kogan 2004; Brown, Smith and Sun 2010). On each shoe this is a small dynamic program. The share of the increments
that is taken off, from none to all, is chosen beforehand on other shoes: taking off a part is often much tighter than
taking off all.

Both figures take off the same increments on the same shoes; from the lower figure, those along the policy's own path.
So the errors of both are small. On every shoe the lower figure is at most the upper one, for up to 16 coups skipped in
a row; beyond 16, the upper figure is that of a counter who may skip any coup.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.exact import paid, pricer
from counting.limits.continuation import Continuation
from counting.limits.seats import MOST_SKIPPED, Rows, Seat, Shared, priced_coups
from counting.simulation import PIECE

FIT_FROM = 1 << 40  # the number of the first shoe of a fit, above all shoes that are played
BLOCK = 500  # shoes evaluated at once
_CHOSEN_ON = 1000  # shoes after those of the fit, on which bound and policy are chosen
_SHARES = np.linspace(0, 1, 21)
_MOST_BY_COUP = 400_000  # coups whose figures are kept, some 40 MB


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is fixed before shoes are evaluated: the continuations of the bound and of the policy, the share of the
    increments that is taken off the bound, and whether the policy stays away from the table."""

    bound: Continuation
    policy: Continuation
    share: float = 1.0
    away: bool = False


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Figures of each shoe: the policy's `gain` and the increments `taken` along its path; `bounds` (shares, shoes),
    the best schedule's gain less a share of the increments and less the remaining share of `taken`; coups that the
    policy `played`, and with a side bet (`sides`); `coups` dealt; and `further` figures of a shoe."""

    gain: Floats
    taken: Floats
    bounds: Floats
    played: Floats
    sides: Floats
    coups: NDArray[np.int64]
    further: dict[str, Floats]

    @property
    def lower(self) -> Floats:
        """The policy's gain less the increments along its path."""
        return self.gain - self.taken


def evaluate(fitted: Fitted, seed: int, first: int, shoes: int, results: Results | None, shares: Floats) -> Evaluated:
    """Deal shoes `first`, `first + 1` ... and evaluate each from its last coup to its first, with a bound for each of
    the `shares` of the increments. `results` if the policy depends on them."""
    seat, continuation = fitted.bound.seat, fitted.bound
    rows = Rows.play(seat, seed, first, shoes)
    own = rows if fitted.policy is continuation else Rows.play(fitted.policy.seat, seed, first, shoes)
    states, count = seat.states, len(rows.held) + 1
    worth, all_increments = np.zeros((2, states, count))
    totals = np.zeros((4, states, count))  # gain, increments, coups played, with side bets
    bests = np.zeros((len(shares), states, count))
    stays_all = np.zeros((states, count), bool)
    with_side = _with_sides(seat, rows)
    for number, at in enumerate(rows.slices):
        if len(at) == 0:
            continue
        held = rows.held[at]
        fitted_values = continuation.values(rows, number, at)
        increments, values = continuation.increments(rows, number, at, fitted_values, worth, seed, first)
        worth[:, at] = continuation.worth(held, fitted_values)
        all_increments[:, at] = increments
        after = np.where(rows.more[at], at + 1, count - 1)  # the last column stays 0
        less = shares[:, np.newaxis, np.newaxis] * increments
        if own is not rows:
            held, values = own.held[at], fitted.policy.values(own, number, at)
        seated = np.stack([held, increments[0], np.ones(len(at)), with_side[at]]) + totals[:, 0, after]
        for k in range(states):
            last = k + 1 == states
            stays = held + values[0] > (0 if last else values[k + 1])
            skipped, best = np.zeros_like(seated), np.maximum(rows.held[at] - less[:, 0] + bests[:, 0, after], 0)
            if not last:
                skipped = totals[:, k + 1, after]
                skipped[1] += increments[k + 1]
                np.maximum(best, bests[:, k + 1, after] - less[:, k + 1], out=best)
            totals[:, k, at], stays_all[k, at] = np.where(stays, seated, skipped), stays
            bests[:, k, at] = best
    starts = rows.starts
    gain, taken, played, sides = totals[:, 0, starts]
    if results is not None:
        walked = results.walk(seat, own, stays_all, all_increments)
        gain, taken, played, sides = results.add_up(*(_by_shoe(own, figures) for figures in walked))
    bounds = bests[:, 0, starts] - (1 - shares)[:, np.newaxis] * taken
    if seat.skips > MOST_SKIPPED:  # the schedule may skip more
        bounds = np.tile(_by_shoe(rows, seat.stakes.free(rows.edges)), (len(shares), 1))
    coups = np.bincount(rows.shoe, minlength=shoes)
    further = _further(seat, rows.edges, _plain(seat, rows))
    by_shoe = {name: _by_shoe(rows, column) for name, column in further.items()}
    return Evaluated(gain, taken, bounds, played, sides, coups, by_shoe)


def _with_sides(seat: Seat, rows: Rows) -> Bools:
    """Whether the best stakes that hold the seat include a side bet."""
    gains = np.where(seat.stakes.seated, seat.stakes.gains(rows.edges), -np.inf)
    return np.asarray(seat.stakes.on_side[gains.argmax(axis=1)])


def _by_shoe(rows: Rows, figures: Floats | Bools) -> Floats:
    """Sums over the coups of each shoe."""
    return np.asarray(np.bincount(rows.shoe, figures, rows.shoes), np.float64)


@dataclass(frozen=True, eq=False)
class Results:
    """Play that depends on results: main bets that `stand` for the next coup after a push, and a `loss_rebate`, the
    share of a shoe's loss that is paid back at its end."""

    stand: bool
    loss_rebate: float

    @classmethod
    def of(cls, seat: Seat, stand: bool) -> Results | None:
        if not (stand or seat.loss_rebate):
            return None
        return cls(stand, seat.loss_rebate)

    def walk(self, seat: Seat, rows: Rows, stays: Bools, increments: Floats) -> tuple[Floats, ...]:
        """Play each shoe from its first coup on: of each coup (rows) the gain, the increments along the path, whether
        it is played and with a side bet, and what it wins as dealt. `stays` (states, rows): whether the policy makes
        stakes that hold its seat."""
        stakes, shoes = seat.stakes, rows.shoes
        plain = rows.edges
        if seat.loss_rebate:
            plain = pricer(seat.game, stakes.bets).edges(rows.left) + seat.rebate
        pays = paid(seat.game, stakes.bets, rows.shown)
        main, free = np.isin(stakes.bets, stakes.main), seat.most_skipped is None
        gain, taken, played, sides, net = np.zeros((5, len(rows.shoe)))
        state, present = np.zeros(shoes, np.int64), np.ones(shoes, bool)
        standing = np.zeros((shoes, len(stakes.bets)))
        for coup in range(1, int(rows.coup.max(initial=0)) + 1):
            at = np.flatnonzero(rows.coup == coup)
            at = at[present[rows.shoe[at]]]
            shoe = rows.shoe[at]
            kept = standing[shoe]
            must = (kept > 0).any(axis=1)
            gains = stakes.gains(rows.edges[at])
            if not free:
                gains = np.where(stakes.seated, gains, -np.inf)
            if must.any():
                fits = (stakes.vertices[np.newaxis] >= kept[must, np.newaxis] - 1e-9).all(axis=2)
                gains[must] = np.where(fits, gains[must], -np.inf)
            holds = stays[state[shoe], at] | must
            chosen = gains.argmax(axis=1)
            after = np.where(holds | free, 0, state[shoe] + 1)
            gone = after >= seat.states
            on = holds | (free & (gains[np.arange(len(at)), chosen] > 0))
            stake = np.where(on[:, np.newaxis], stakes.vertices[chosen], 0)
            after[gone] = 0
            gain[at] = (stake * plain[at]).sum(axis=1)
            taken[at] = np.where(gone, 0, increments[after, at])
            net[at] = (stake * pays[at]).sum(axis=1)
            played[at] = on
            sides[at] = on & stakes.on_side[chosen]
            state[shoe], present[shoe] = after, ~gone
            if self.stand:
                standing[shoe] = np.where(main & (pays[at] == 0), stake, 0)
        return gain, taken, played, sides, net

    def add_up(
        self, gain: Floats, taken: Floats, played: Floats, sides: Floats, net: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """The figures of shoes from the sums over their coups: with the rebate on what a shoe lost as dealt."""
        return gain + self.loss_rebate * np.maximum(-net, 0), taken, played, sides


def figures_of_shoes(fitted: Fitted, stand: bool, seed: int, first: int, shoes: int) -> pl.DataFrame:
    """A row for each shoe, with the columns of `brackets.Bracket.shoes`."""
    seat = fitted.bound.seat
    results = Results.of(seat, stand)
    if not seat.hangs_together:
        return _coup_by_coup(seat, fitted.policy.seat, results, seed, first, shoes)
    evaluated = evaluate(fitted, seed, first, shoes, results, np.array([fitted.share]))
    lower, upper, played, sides = evaluated.lower, evaluated.bounds[0], evaluated.played, evaluated.sides
    if fitted.away:
        lower, played, sides = np.zeros((3, shoes))
    figures = {"lower": lower, "upper": upper, "coups": evaluated.coups, "played": played, "sides": sides}
    return pl.DataFrame(figures | evaluated.further)


class _ByCoup(NamedTuple):
    """Coups of some shoes, and figures of those `at` some places, all others' being 0: see `_coup_by_coup`. `lower` are
    those of the play with results."""

    shoe: Ints
    last_cut: Ints
    at: Ints
    upper: tuple[Floats | Bools, ...]
    lower: tuple[Floats, ...]
    further: dict[str, Floats | Bools]


_BY_COUP: Shared[_ByCoup] = Shared(_MOST_BY_COUP)


def _coup_by_coup(seat: Seat, policy: Seat, results: Results | None, seed: int, first: int, shoes: int) -> pl.DataFrame:
    """The same where each coup is best by itself: any coup may be skipped, or no coup and nobody leaves. With results,
    the lower figure is the play of a `policy` by its own edges. What is done at a coup does not depend on the cut
    card, so shoes are played once for all of them."""

    def work() -> tuple[int, _ByCoup]:
        if results is None:
            coups = _best_coups(seat, seed, first, shoes)
            return len(coups.shoe), coups
        rows = Rows.play(seat, seed, first, shoes, further=False)
        upper = _best_of_coups(seat, rows.edges)
        own, stays = rows, upper[1][np.newaxis]
        if policy is not seat:
            own = Rows.play(policy, seed, first, shoes, further=False)
            stays = _best_of_coups(policy, own.edges)[1][np.newaxis]
        lower = results.walk(seat, own, stays, np.zeros(stays.shape))
        further = _further(seat, rows.edges, _plain(seat, rows))
        at = np.arange(len(rows.shoe))
        return len(at), _ByCoup(rows.shoe, rows.last_cut, at, upper, lower, further)

    stand = results is not None and results.stand
    rules = (seat.stakes.key, seat.most_skipped, seat.leaves, seat.rebate, seat.loss_rebate, policy.loss_rebate, stand)
    key = (seat.game.digest, replace(seat.dealing, cut=0), rules, seed, first, shoes)
    _, coups = _BY_COUP.of(key, seat.dealing.cut, work)
    is_dealt = coups.last_cut >= seat.dealing.cut
    dealt = is_dealt[coups.at]
    shoe = coups.shoe[coups.at[dealt]]

    def by_shoe(figures: Floats | Bools) -> Floats:
        return np.asarray(np.bincount(shoe, figures[dealt], shoes), np.float64)

    upper, played, sides = map(by_shoe, coups.upper)
    lower = upper
    if results is not None:
        lower, _, played, sides = results.add_up(*map(by_shoe, coups.lower))
    number = np.bincount(coups.shoe[is_dealt], minlength=shoes)
    figures = {"lower": lower, "upper": upper, "coups": number, "played": played, "sides": sides}
    return pl.DataFrame(figures | {name: by_shoe(column) for name, column in coups.further.items()})


def _best_coups(seat: Seat, seed: int, first: int, shoes: int) -> _ByCoup:
    """The coups of some shoes, without results. Where a coup may be skipped, all figures of one on which no bet has a
    positive edge are 0."""
    shoe, last_cut, at, kept, number = [], [], [], [], 0
    for start in range(first, first + shoes, PIECE):
        coups, edges = priced_coups(seat, seat.dealing, seed, start, min(PIECE, first + shoes - start))
        shoe.append(coups.shoe.astype(np.intp) + (start - first))
        last_cut.append(coups.last_cut)
        on = np.ones(len(edges), bool) if seat.most_skipped is not None else (edges > 0).any(axis=1)
        at.append(np.flatnonzero(on) + number)
        kept.append(edges[on])
        number += len(edges)
    edges = np.concatenate(kept)
    upper, further = _best_of_coups(seat, edges), _further(seat, edges, edges)
    return _ByCoup(np.concatenate(shoe), np.concatenate(last_cut), np.concatenate(at), upper, (), further)


def _best_of_coups(seat: Seat, edges: Floats) -> tuple[Floats, Bools, Bools]:
    """The best gain of each coup by itself; whether anything is staked, and whether a side bet is."""
    seated = seat.most_skipped is not None
    best, staked = seat.stakes.best(edges, seated=seated)
    return best, np.ones(len(best), bool) if seated else staked > 0, staked == 1


def policy_by_coup(seat: Seat, stand: bool, seed: int) -> Seat:
    """The seat whose edges the play uses. With a rebate on a shoe's loss there are two: the seat itself, whose edges
    count the rebate on every losing bet, and the seat without the rebate. The one that wins more on shoes that are
    never played is used."""
    if not seat.loss_rebate:
        return seat
    tried = (seat, replace(seat, loss_rebate=0.0))
    results = Results.of(seat, stand)
    tables = [_coup_by_coup(seat, policy, results, seed, FIT_FROM, _CHOSEN_ON) for policy in tried]
    return tried[int(np.argmax([table["lower"].to_numpy().sum() for table in tables]))]


def _plain(seat: Seat, rows: Rows) -> Floats:
    """The edges without a rebate on a shoe's loss."""
    return replace(seat, loss_rebate=0.0).edges(rows.left) if seat.loss_rebate else rows.edges


def _further(seat: Seat, edges: Floats, plain: Floats) -> dict[str, Floats | Bools]:
    """Further figures of each coup (rows): `chances`, `alone-BET` and `positive-BET` of `brackets.Bracket.shoes`.
    `plain` are the edges without a rebate on a shoe's loss."""
    staked = seat.stakes.best(edges)[1]
    figures: dict[str, Floats | Bools] = {"chances": staked == 1 if seat.stakes.sides else staked > 0}
    for bet in seat.stakes.main:
        alone = plain[:, seat.stakes.bets.index(bet)]
        figures |= {f"alone-{bet}": alone.clip(0), f"positive-{bet}": alone > 0}
    return figures


def fit_to_shoes(seat: Seat, stand: bool, seed: int, shoes: int, workers: int) -> Fitted:
    """Fit to shoes that are never played, and choose bound and policy on further such shoes."""

    def fitted_to(seat: Seat) -> Continuation:
        starts = range(0, shoes, BLOCK)
        with ThreadPoolExecutor(workers) as players:
            parts = players.map(lambda at: Rows.play(seat, seed, FIT_FROM + at, min(BLOCK, shoes - at)), starts)
            return Continuation.fit(seat, Rows.joined(list(parts)))

    bound = fitted_to(seat)
    tried = [Fitted(bound, bound)]
    if seat.loss_rebate:  # counting the rebate on every losing bet may lose
        tried.append(Fitted(bound, fitted_to(replace(seat, loss_rebate=0.0))))
    results = Results.of(seat, stand)
    evaluated = [evaluate(fitted, seed, FIT_FROM + shoes, _CHOSEN_ON, results, _SHARES) for fitted in tried]
    means = [float(figures.lower.mean()) for figures in evaluated]
    best = int(np.argmax(means))
    share = float(_SHARES[evaluated[best].bounds.mean(axis=1).argmin()])
    return replace(tried[best], share=share, away=means[best] <= 0)
