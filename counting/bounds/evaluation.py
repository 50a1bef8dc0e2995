"""Shoes evaluated for a bracket: what a policy wins on each shoe, and an amount that no counter can exceed.

The lower figure is what a policy wins. At every coup the policy compares stakes by the fitted continuations of
`counting.bounds.continuation`, and makes the best stakes. The policy plays shoes that it was not fitted to. So the mean
of its gain is unbiased.

The upper figure is a gain in hindsight. Dealing does not depend on bets. So each shoe has a best schedule of bets,
which is known once all its cards are known. The mean gain of this schedule is at least the mean gain of any counter.

The increments of `counting.bounds.continuation` make the upper figure tighter. They have a mean of 0 for every counter.
They are subtracted along the states that a schedule passes through. After this subtraction the mean gain of the best
schedule is still at least the mean gain of any counter (Rogers 2002; Haugh and Kogan 2004; Brown, Smith and Sun 2010).
A small dynamic program finds the best schedule of each shoe. The bound subtracts a share (0 to 1) of each increment.
Subtracting only a part of the increments often gives a much better bound than subtracting all of them. So the share is
chosen beforehand, on other shoes.

The lower figure subtracts the same increments on the same shoes, along the policy's path. This makes the errors of both
figures small. If up to 16 coups in a row may be skipped, the lower figure is at most the upper figure on every shoe.
There is one exception: for a policy that stays away from the table, the lower figure is 0 on every shoe. If more than
16 coups in a row may be skipped, the upper figure is for a counter who may skip any coup."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Bools, Floats, Ints
from counting.bounds.continuation import Continuation
from counting.bounds.seats import MOST_SKIPPED, Seat, SeatRows, Shared, priced_coups
from counting.exact import settlement
from counting.simulation import PIECE

FIT_FROM = 1 << 40  # the number of the first shoe of a fit, above the numbers of all shoes that are played
BLOCK = 500  # shoes evaluated at once
_CHOSEN_ON = 1000  # the share, and whether to stay away, are chosen on this many shoes after the fitted ones
_CHOSEN_BLOCK = 125  # shoes of `_CHOSEN_ON` that are evaluated at once
_SHARES = np.linspace(0, 1, 21)
_TAKEN = 1  # the index of the increments among a policy's figures
_MOST_BY_COUP = 400_000  # the most coups whose figures are kept: some 40 MB
_MOST_OFFERED = 20_000_000  # the most coups and edges that are kept: some 150 MB, for 100,000 shoes


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is fixed before shoes are evaluated.

    - `continuation`: the fitted continuations
    - `share`: the share of the increments that the bound subtracts
    - `away`: whether the policy stays away from the table"""

    continuation: Continuation
    share: float = 1.0
    away: bool = False


@dataclass(frozen=True, eq=False)
class Evaluated:
    """The figures of each shoe.

    - `gain`: what the policy wins
    - `taken`: the sum of the increments along the policy's path
    - `bounds` (shares, shoes): for each share s, the maximum over all schedules of: the schedule's gain, minus s times
      its increments, minus (1 - s) times `taken`
    - `coups`: coups dealt; `played`: coups that the policy plays; `sides`: coups that it plays with a side bet
    - `further`: the figures of `figures_of_edges`, added up over each shoe"""

    gain: Floats
    taken: Floats
    bounds: Floats
    played: Floats
    sides: Floats
    coups: NDArray[np.int64]
    further: dict[str, Floats]

    @property
    def lower(self) -> Floats:
        """The policy's gain minus the increments along its path."""
        return self.gain - self.taken


def evaluate(fitted: Fitted, rows: SeatRows, seed: int, first: int, stand: bool, shares: Floats) -> Evaluated:
    """Evaluate the shoes `first`, `first + 1` ..., whose coups at the seat are `rows`.

    There is a bound for each of the `shares` of the increments. `stand`: the policy's main bets stay for the next coup
    after a push."""
    seat = fitted.continuation.seat
    increments, stays = _increments(fitted.continuation, rows, seed, first)
    if stand:
        walked = with_standing(seat, rows, stays, increments)
        gain, taken, played, sides = (_by_shoe(rows, figures) for figures in walked)
    else:
        gain, taken, played, sides = _policy(seat, rows, increments, stays)
    bounds = _hindsight(seat, rows, increments, shares) - (1 - shares)[:, np.newaxis] * taken
    if seat.skips > MOST_SKIPPED:  # the bound is then for a counter who may skip any coup
        bounds = np.tile(_by_shoe(rows, seat.stakes.free(rows.edges)), (len(shares), 1))
    coups = np.bincount(rows.shoe, minlength=rows.shoes)
    further = figures_of_edges(seat, rows.edges, rows.edges)
    by_shoe = {name: _by_shoe(rows, column) for name, column in further.items()}
    return Evaluated(gain, taken, bounds, played, sides, coups, by_shoe)


def _increments(continuation: Continuation, rows: SeatRows, seed: int, first: int) -> tuple[Floats, Bools]:
    """Two arrays (states, rows + 1). The first gives the increment of a coup for each state after it. The second says,
    for each state before a coup, whether the policy makes stakes that hold the seat."""
    shape = continuation.seat.states, len(rows.held) + 1  # the last column is for the case that no coup follows
    worth, increments, stays = np.zeros(shape), np.zeros(shape), np.zeros(shape, bool)
    for number, coup_rows in _slices(rows):
        held = rows.held[coup_rows]
        fitted_values = continuation.values(rows, number, coup_rows)
        increments[:, coup_rows], values = continuation.increments(
            rows, number, coup_rows, fitted_values, worth, seed, first
        )
        worth[:, coup_rows] = continuation.worth(held, fitted_values)
        stays[:-1, coup_rows] = held + values[0] > values[1:]
        stays[-1, coup_rows] = held + values[0] > 0
    return increments, stays


def _policy(seat: Seat, rows: SeatRows, increments: Floats, stays: Bools) -> tuple[Floats, Floats, Floats, Floats]:
    """Four arrays (shoes,) for the policy, if no bets stand after a push:

    - its gain
    - the sum of the increments along its path
    - the coups played
    - the coups played with a side bet"""
    figures = np.zeros((4, *stays.shape))
    gain, taken, played, sides = figures
    with_side = _with_sides(seat, rows)
    for _, coup_rows in _slices(rows):
        after = _after(rows, coup_rows)
        seated = (
            np.stack([rows.held[coup_rows], increments[0, coup_rows], np.ones(len(coup_rows)), with_side[coup_rows]])
            + figures[:, 0, after]
        )
        for k in range(seat.states):
            skipped = np.zeros_like(seated)
            if k + 1 < seat.states:
                skipped = figures[:, k + 1, after]
                skipped[_TAKEN] += increments[k + 1, coup_rows]
            figures[:, k, coup_rows] = np.where(stays[k, coup_rows], seated, skipped)
    starts = rows.starts
    return gain[0, starts], taken[0, starts], played[0, starts], sides[0, starts]


def _hindsight(seat: Seat, rows: SeatRows, increments: Floats, shares: Floats) -> Floats:
    """An array (shares, shoes): the maximum, over all schedules of bets, of the schedule's gain minus this share of its
    increments."""
    best = np.zeros((len(shares), *increments.shape))
    for _, coup_rows in _slices(rows):
        after, held = _after(rows, coup_rows), rows.held[coup_rows]
        less = shares[:, np.newaxis, np.newaxis] * increments[:, coup_rows]
        for k in range(seat.states):
            of_state = np.maximum(held - less[:, 0] + best[:, 0, after], 0)
            if k + 1 < seat.states:
                np.maximum(of_state, best[:, k + 1, after] - less[:, k + 1], out=of_state)
            best[:, k, coup_rows] = of_state
    return best[:, 0, rows.starts]


def _slices(rows: SeatRows) -> Iterator[tuple[int, Ints]]:
    return ((number, coup_rows) for number, coup_rows in enumerate(rows.slices) if len(coup_rows))


def _after(rows: SeatRows, coup_rows: Ints) -> Ints:
    """The row of the coup that follows each of these rows. If no coup follows, the result is the number of rows: the
    index of the arrays' last column, which stays 0."""
    return np.where(rows.more[coup_rows], coup_rows + 1, len(rows.held))


def _with_sides(seat: Seat, rows: SeatRows) -> Bools:
    """For each row, whether the best stakes that hold the seat include a side bet."""
    gains = np.where(seat.stakes.seated, seat.stakes.gains(rows.edges), -np.inf)
    return np.asarray(seat.stakes.on_side[gains.argmax(axis=1)])


def _by_shoe(rows: SeatRows, figures: Floats | Bools) -> Floats:
    """The sum of the figures (rows,) over the coups of each shoe."""
    return np.asarray(np.bincount(rows.shoe, figures, rows.shoes), np.float64)


def with_standing(seat: Seat, rows: SeatRows, stays: Bools, increments: Floats) -> tuple[Floats, ...]:
    """Play each shoe from its first coup on, with main bets that stand for the next coup after a push.

    Returns four arrays (rows,): the gain, the increments along the path, whether the coup is played, and whether it is
    played with a side bet. `stays` (states, rows): whether the policy makes stakes that hold the seat."""
    stakes, shoes = seat.stakes, rows.shoes
    pays = settlement(seat.game, stakes.bets).paid(rows.shown)
    main, free = np.isin(stakes.bets, stakes.main), seat.most_skipped is None
    gain, taken, played, sides = np.zeros((4, len(rows.shoe)))
    state, present = np.zeros(shoes, np.int64), np.ones(shoes, bool)
    standing = np.zeros((shoes, len(stakes.bets)))
    for coup in range(1, int(rows.coup.max(initial=0)) + 1):
        coup_rows = np.flatnonzero(rows.coup == coup)
        coup_rows = coup_rows[present[rows.shoe[coup_rows]]]
        shoe = rows.shoe[coup_rows]
        kept = standing[shoe]
        must = (kept > 0).any(axis=1)
        gains = stakes.gains(rows.edges[coup_rows])
        if not free:
            gains = np.where(stakes.seated, gains, -np.inf)
        if must.any():
            fits = (stakes.vertices[np.newaxis] >= kept[must, np.newaxis] - 1e-9).all(axis=2)
            gains[must] = np.where(fits, gains[must], -np.inf)
        holds = stays[state[shoe], coup_rows] | must
        chosen = gains.argmax(axis=1)
        after = np.where(holds | free, 0, state[shoe] + 1)
        gone = after >= seat.states
        on = holds | (free & (gains[np.arange(len(coup_rows)), chosen] > 0))
        stake = np.where(on[:, np.newaxis], stakes.vertices[chosen], 0)
        after[gone] = 0
        gain[coup_rows] = (stake * rows.edges[coup_rows]).sum(axis=1)
        taken[coup_rows] = np.where(gone, 0, increments[after, coup_rows])
        played[coup_rows] = on
        sides[coup_rows] = on & stakes.on_side[chosen]
        state[shoe], present[shoe] = after, ~gone
        standing[shoe] = np.where(main & (pays[coup_rows] == 0), stake, 0)
    return gain, taken, played, sides


def figures_of_shoes(fits: Sequence[Fitted], stand: bool, seed: int, first: int, shoes: int) -> list[pl.DataFrame]:
    """A frame for each fit, in order. A frame has a row for each shoe, with the columns of `brackets.Bracket.shoes`."""
    seats = [fitted.continuation.seat for fitted in fits]
    if not seats[0].hangs_together:
        return [_coup_by_coup(seat, stand, seed, first, shoes) for seat in seats]
    rows = SeatRows.play(seats[0], seed, first, shoes)
    return [_figures(fitted, rows.at(seat), stand, seed, first) for fitted, seat in zip(fits, seats, strict=True)]


def _figures(fitted: Fitted, rows: SeatRows, stand: bool, seed: int, first: int) -> pl.DataFrame:
    evaluated = evaluate(fitted, rows, seed, first, stand, np.array([fitted.share]))
    lower, upper, played, sides = evaluated.lower, evaluated.bounds[0], evaluated.played, evaluated.sides
    if fitted.away:
        lower, played, sides = np.zeros((3, rows.shoes))
    figures = {"lower": lower, "upper": upper, "coups": evaluated.coups, "played": played, "sides": sides}
    return pl.DataFrame(figures | evaluated.further)


class _ByCoup(NamedTuple):
    """The coups of some shoes and their figures, for `_coup_by_coup`. `at` lists the rows of the coups that have
    figures; all other coups have figures of 0. `lower`: the figures with standing bets; empty if bets do not stand."""

    shoe: NDArray[np.integer]
    last_cut: NDArray[np.uint16]
    at: Ints
    upper: tuple[Floats | Bools, ...]
    lower: tuple[Floats, ...]
    further: dict[str, Floats | Bools]


class _Offered(NamedTuple):
    """The coups of some shoes and their edges. `at` lists the rows of the coups that have `edges` (coups, bets). On all
    other coups no bet is made, whatever the stakes."""

    shoe: NDArray[np.int32]
    last_cut: NDArray[np.uint16]
    at: Ints
    edges: Floats


_BY_COUP: Shared[_ByCoup] = Shared(_MOST_BY_COUP)
_OFFERED: Shared[_Offered] = Shared(_MOST_OFFERED)


def _coup_by_coup(seat: Seat, stand: bool, seed: int, first: int, shoes: int) -> pl.DataFrame:
    """The figures of `figures_of_shoes` at a seat where each coup can be played on its own.

    Each coup can be played on its own if any coup may be skipped, or if no coup may be skipped and the counter never
    leaves. Play at a coup does not depend on the cut card, so shoes are played once for all cut cards."""
    coups = _standing_coups(seat, seed, first, shoes) if stand else _best_coups(seat, seed, first, shoes)
    is_dealt = coups.last_cut >= seat.dealing.cut
    dealt = is_dealt[coups.at]
    shoe = coups.shoe[coups.at[dealt]]

    def by_shoe(figures: Floats | Bools) -> Floats:
        return np.asarray(np.bincount(shoe, figures[dealt], shoes), np.float64)

    upper, played, sides = map(by_shoe, coups.upper)
    lower = upper
    if stand:
        lower, _, played, sides = map(by_shoe, coups.lower)
    number = np.bincount(coups.shoe[is_dealt], minlength=shoes)
    figures = {"lower": lower, "upper": upper, "coups": number, "played": played, "sides": sides}
    return pl.DataFrame(figures | {name: by_shoe(column) for name, column in coups.further.items()})


def _standing_coups(seat: Seat, seed: int, first: int, shoes: int) -> _ByCoup:
    """The coups of some shoes, with main bets that stand after a push."""

    def work() -> tuple[int, _ByCoup]:
        rows = SeatRows.play(seat, seed, first, shoes, further=False)
        upper = _best_of_coups(seat, rows.edges)
        stays = upper[1][np.newaxis]
        lower = with_standing(seat, rows, stays, np.zeros(stays.shape))
        further = figures_of_edges(seat, rows.edges, rows.edges)
        at = np.arange(len(rows.shoe))
        return len(at), _ByCoup(rows.shoe, rows.last_cut.astype(np.uint16), at, upper, lower, further)

    rules = (seat.stakes.key, seat.most_skipped, seat.leaves, seat.rebate)
    key = (seat.game.digest, replace(seat.dealing, cut=0), rules, seed, first, shoes)
    return _BY_COUP.of(key, seat.dealing.cut, work)[1]


def _best_coups(seat: Seat, seed: int, first: int, shoes: int) -> _ByCoup:
    """The coups of some shoes, if bets do not stand. If coups may be skipped, all figures of a coup are 0 unless some
    bet has a positive edge. Seats with other amounts on the same bets, or with another cut card, share these coups,
    which are priced once."""
    plays = seat.most_skipped is not None

    def work() -> tuple[int, _Offered]:
        shoe, last_cut, at, kept, number = [], [], [], [], 0
        for start in range(first, first + shoes, PIECE):
            coups, edges = priced_coups(seat, seat.dealing, seed, start, min(PIECE, first + shoes - start))
            shoe.append(coups.shoe.astype(np.int32) + (start - first))
            last_cut.append(coups.last_cut)
            on = np.ones(len(edges), bool) if plays else (edges > 0).any(axis=1)
            at.append(np.flatnonzero(on) + number)
            kept.append(edges[on])
            number += len(edges)
        offered = _Offered(np.concatenate(shoe), np.concatenate(last_cut), np.concatenate(at), np.concatenate(kept))
        return number + offered.edges.size, offered

    key = (seat.game.digest, seat.stakes.bets, plays, seat.rebate, replace(seat.dealing, cut=0), seed, first, shoes)
    offered = _OFFERED.of(key, seat.dealing.cut, work)[1]
    dealt = offered.last_cut[offered.at] >= seat.dealing.cut
    edges = offered.edges[dealt]
    upper, further = _best_of_coups(seat, edges), figures_of_edges(seat, edges, edges)
    return _ByCoup(offered.shoe, offered.last_cut, offered.at[dealt], upper, (), further)


def _best_of_coups(seat: Seat, edges: Floats) -> tuple[Floats, Bools, Bools]:
    """Three arrays (rows,): the best gain of the coup on its own, whether anything is staked, and whether a side bet is
    staked."""
    seated = seat.most_skipped is not None
    best, staked = seat.stakes.best(edges, seated=seated)
    return best, np.ones(len(best), bool) if seated else staked > 0, staked == 1


def figures_of_edges(seat: Seat, edges: Floats, most: Floats) -> dict[str, Floats | Bools]:
    """Further figures of each coup (rows,): `chances`, `alone-BET` and `positive-BET` of `brackets.Bracket.shoes`.

    `most` (rows, bets): the most that one unit on each bet can win on average: the bet's edge or, with a rebate on
    losses, more."""
    staked = seat.stakes.best(most)[1]
    figures: dict[str, Floats | Bools] = {"chances": staked == 1 if seat.stakes.sides else staked > 0}
    for bet in seat.stakes.main:
        alone = edges[:, seat.stakes.bets.index(bet)]
        figures |= {f"alone-{bet}": alone.clip(0), f"positive-{bet}": alone > 0}
    return figures


def fit_costs(seats: int, shoes: int, workers: int) -> tuple[float, float, float]:
    """Three costs of a fit: dealing the shoes, fitting a table's seats to them, and choosing the share.

    The costs are measured. Their unit is the time in which one thread plays one shoe at one seat."""
    return 0.15 * shoes / workers, 0.4 * shoes * seats / min(seats, workers), 1.2 * _CHOSEN_ON * seats / workers


def fit_to_shoes(
    seats: Sequence[Seat],
    stand: bool,
    seed: int,
    shoes: int,
    workers: int,
    tick: Callable[[float], object] = lambda _: None,
) -> list[Fitted]:
    """Fit the seats of a table to some shoes. Then choose, on further shoes, the share of the increments and whether
    the policy stays away.

    None of these shoes is played later. `tick` is called with the work done so far, in the unit of `fit_costs`."""
    base = seats[0]
    dealt, fitting, choosing = fit_costs(len(seats), shoes, workers)
    with ThreadPoolExecutor(workers) as players:
        starts = range(FIT_FROM, FIT_FROM + shoes, BLOCK)
        parts = players.map(
            lambda first: SeatRows.play(base, seed, first, min(BLOCK, FIT_FROM + shoes - first)), starts
        )
        rows = SeatRows.joined(list(parts))
        tick(dealt)
        fits = []
        for fit in players.map(lambda seat: Fitted(Continuation.fit(seat, rows.at(seat))), seats):
            fits.append(fit)
            tick(dealt + fitting * len(fits) / len(seats))
        end = FIT_FROM + shoes

        def tried(first: int) -> list[Evaluated]:
            tried_on = SeatRows.play(base, seed, first, min(_CHOSEN_BLOCK, end + _CHOSEN_ON - first))
            return [
                evaluate(fitted, tried_on.at(seat), seed, first, stand, _SHARES)
                for fitted, seat in zip(fits, seats, strict=True)
            ]

        tries = []
        for of_block in players.map(tried, range(end, end + _CHOSEN_ON, _CHOSEN_BLOCK)):
            tries.append(of_block)
            tick(dealt + fitting + choosing * len(tries) * _CHOSEN_BLOCK / _CHOSEN_ON)
    return [_chosen(fitted, of_seat) for fitted, *of_seat in zip(fits, *tries, strict=True)]


def _chosen(fitted: Fitted, tries: Sequence[Evaluated]) -> Fitted:
    """The fit with the share of the increments that gives the least bound, and with `away` set if the mean of
    `Evaluated.lower` is not above 0."""
    bounds = np.concatenate([each.bounds for each in tries], axis=1).mean(axis=1)
    lower = np.concatenate([each.lower for each in tries])
    return replace(fitted, share=float(_SHARES[bounds.argmin()]), away=float(lower.mean()) <= 0)
