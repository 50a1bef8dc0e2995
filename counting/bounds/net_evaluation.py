"""Shoes evaluated under a rebate on the net loss: what a policy wins, and an amount that no counter can exceed.

Before coup t, let w be the net result so far and v the stakes. Let p_t(x) be the exact chance of the outcome x, and X_t
the outcome dealt. Let C_t(w) be any function and a_t(w) any coefficients that are known before the coup. Let D_t be the
increments of any martingales. Then let

    Z_t(w, v) = C_t(w + v.X_t) - sum over x of p_t(x) C_t(w + v.x) + (sum over x of p_t(x) a_t(w + v.x)) . D_t

Given what is known before the coup, the mean of Z_t is 0. Let G(w) be what a net result w is worth at the end, in
money. For a schedule of vertices v_t on the shoe as dealt, let W_t be its net results. H is the largest value over all
schedules of

    G(W_T) - sum over t of Z_t(W_t, v_t)

The upper figure is the mean of H. A dynamic program over the net results that can be reached on the shoe finds H. The
lower figure is what a policy wins on the shoe as dealt, minus the sum of the policy's Z. This policy makes the stakes
with the greatest mean of C. If a seat must be held, the state is w and the number of coups just skipped.
`docs/methods.md` has the proof.

If a rebate is settled over several shoes, the worth of the next shoe takes the place of G at the end of every shoe but
the last. This worth is the mean of the next shoe's H, over shoes that are never played. H is convex in the worth. So by
Jensen's inequality the noise of this worth can only raise the mean of H."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace

import numpy as np
import polars as pl

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.bounds import _net_results
from counting.bounds.evaluation import FIT_FROM, figures_of_edges
from counting.bounds.net_results import NetGame
from counting.bounds.net_values import NetValues
from counting.bounds.seats import Seat, SeatRows
from counting.exact.instruction_sets import level

BLOCK = 250  # shoes, or groups of `loss_over` shoes, that are evaluated at once
# How many shoes, dealt after the fitted shoes, give the worth of a later shoe. `away` is decided on the next 1,000
# shoes or more.
_CHOSEN_ON = 1000


@dataclass(frozen=True, eq=False)
class NetFitted:
    """What is fixed before shoes are played.

    - `values`: the fitted values for each shoe, from the first to the last before the rebate is paid
    - `error`: the standard error of the later shoes' worth, in units
    - `away`: whether the policy stays away from the table"""

    values: tuple[NetValues, ...]
    error: float = 0.0
    away: bool = False

    @property
    def game(self) -> NetGame:
        return self.values[0].game

    @property
    def shoes(self) -> int:
        """The number of shoes over which a loss is added up."""
        return len(self.values)

    def arrays(self) -> dict[str, Floats]:
        """The fit as plain arrays."""
        arrays = {"error": np.array(self.error), "away": np.array(float(self.away))}
        for i, values in enumerate(self.values):
            columns = {"coefs": values.coefs, "centre": values.centre, "scale": values.scale, "end": values.end}
            arrays |= {f"{i}-{name}": column for name, column in columns.items()}
        return arrays

    @classmethod
    def from_arrays(cls, seat: Seat, arrays: Mapping[str, Floats]) -> NetFitted:
        """The fit that `arrays` wrote."""
        game = NetGame.of(seat)
        of = [[arrays[f"{i}-{name}"] for name in ("coefs", "centre", "scale", "end")] for i in range(seat.loss_over)]
        return cls(tuple(NetValues(game, *columns) for columns in of), float(arrays["error"]), bool(arrays["away"]))


def fit_net(seat: Seat, stand: bool, seed: int, shoes: int, workers: int) -> NetFitted:
    """The values, fitted to shoes that are never played. The last shoe before the rebate is fitted first, and the first
    shoe last."""
    game = NetGame.of(seat)
    starts = range(0, shoes, BLOCK)
    with ThreadPoolExecutor(workers) as players:
        parts = players.map(lambda at: SeatRows.play(seat, seed, FIT_FROM + at, min(BLOCK, shoes - at)), starts)
        rows = SeatRows.joined(list(parts))
        values = [NetValues.fit(game, rows, workers)]
        first, variance = FIT_FROM + shoes, 0.0
        for _ in range(1, seat.loss_over):
            further = range(first, first + _CHOSEN_ON, BLOCK)
            ends = np.vstack(
                [*players.map(lambda at: _upper(values[0], SeatRows.play(seat, seed, at, BLOCK), whole=True), further)]
            )
            variance += (ends.std(axis=0, ddof=1) / np.sqrt(len(ends))).max() ** 2
            values.insert(0, NetValues.fit(game, rows, workers, ends.mean(axis=0)))
            first += _CHOSEN_ON
        fitted = NetFitted(tuple(values), float(np.sqrt(variance)) * game.step)
        days = range(0, _CHOSEN_ON // seat.loss_over, BLOCK)
        first += -first % seat.loss_over
        lower = players.map(
            lambda at: evaluate_net(fitted, stand, seed, first // seat.loss_over + at, BLOCK).lower, days
        )
        return replace(fitted, away=not seat.plays_all and bool(np.concatenate([*lower]).mean() <= 0))


@dataclass(frozen=True, eq=False)
class NetEvaluated:
    """The figures of each day (days,), in units. A day is the shoes over which a loss is added up.

    - `gain`: what the policy wins as dealt
    - `taken`: the sum of the increments Z along the policy's path
    - `upper`: H of the day's first shoe
    - `played` and `sides` (rows,): whether a coup is played, and whether it is played with a side bet"""

    rows: SeatRows
    gain: Floats
    taken: Floats
    upper: Floats
    played: Bools
    sides: Bools

    @property
    def lower(self) -> Floats:
        return self.gain - self.taken


def evaluate_net(fitted: NetFitted, stand: bool, seed: int, first: int, days: int) -> NetEvaluated:
    """Deal the shoes of the days `first`, `first + 1` ... and evaluate each day."""
    game, over = fitted.game, fitted.shoes
    seat, bets = game.seat, game.seat.stakes.bets
    rows = SeatRows.play(seat, seed, first * over, days * over)
    of_main = np.isin(bets, seat.stakes.main) & stand
    standing = np.ascontiguousarray(game.stakes[:, of_main])
    pushed = np.array([[float(pay == 0) for pay in of_class] for of_class in game.pays.pays])[:, of_main]
    net, taken = np.full(days, float(game.zero)), np.empty(len(rows.shoe))
    chosen = np.empty(len(rows.shoe), np.int32)
    upper = np.empty(0)
    for i, values in enumerate(fitted.values):
        at, these = _of_day(rows, i, over)
        table = values.table(game.policy)
        coups = values.coups(table, these)
        path, increments = np.empty(len(at), np.int32), np.empty(len(at))
        pays = np.ascontiguousarray(game.paid / game.step)
        _net_results.lower(
            table, coups, starts_of(these), pays, standing, np.ascontiguousarray(pushed), net, path, increments, level()
        )
        chosen[at], taken[at] = path, increments
        if i == 0:
            upper = _upper(values, these)[:, 0]
    gain = game.ended((net - game.zero) * game.step)
    played = (chosen >= 0) & game.stakes[chosen].any(axis=1)
    by_day = np.asarray(np.bincount(rows.shoe // over, taken, days) * game.step, np.float64)
    return NetEvaluated(rows, gain, by_day, upper * game.step, played, played & game.on_side[chosen])


def _upper(values: NetValues, rows: SeatRows, whole: bool = False) -> Floats:
    """H of each shoe (shoes, 1), in steps of the lattice, if the net result before the shoe is 0. With `whole`, H for
    every net result of the lattice before the shoe (shoes, points)."""
    game = values.game
    low, high = (0, game.points - 1) if whole else (game.zero, game.zero)
    table = values.table(game.next)
    out = np.empty((rows.shoes, high - low + 1))
    _net_results.upper(table, values.coups(table, rows), starts_of(rows), low, high, out, level())
    return out


def starts_of(rows: SeatRows) -> Int32s:
    """The first row of each shoe and, last, the number of rows."""
    return np.append(rows.starts, len(rows.shoe)).astype(np.int32)


def _of_day(rows: SeatRows, number: int, over: int) -> tuple[Ints, SeatRows]:
    """The coups of each day's shoe `number`: their places in `rows`, and new rows with only these coups, one shoe a
    day."""
    at = np.flatnonzero(rows.shoe % over == number)
    columns = {column.name: getattr(rows, column.name) for column in fields(SeatRows)[1:]}
    some = {name: array[:, at] if name in ("before", "after") else array[at] for name, array in columns.items()}
    return at, SeatRows(rows.shoes // over, **{**some, "shoe": some["shoe"] // over})


def figures_of_days(fitted: NetFitted, stand: bool, seed: int, first: int, days: int) -> pl.DataFrame:
    """A row for each day, with the columns of `brackets.Bracket.shoes`. The values are means over the day's shoes."""
    evaluated = evaluate_net(fitted, stand, seed, first, days)
    rows, over = evaluated.rows, fitted.shoes
    lower, played, sides = evaluated.lower, evaluated.played, evaluated.sides
    if fitted.away:
        lower, played, sides = np.zeros(days), np.zeros_like(played), np.zeros_like(sides)

    def by_day(figures: Floats | Bools) -> Floats:
        return np.asarray(np.bincount(rows.shoe // over, figures, days) / over)

    columns: dict[str, Floats] = {"lower": lower / over, "upper": evaluated.upper / over}
    game = fitted.game
    edges = rows.before[: len(game.seat.stakes.bets)].T
    most = edges + game.seat.loss_rebate * game.losing(game.pays.chances(rows.left))
    further = figures_of_edges(game.seat, edges, most)
    counted = {"coups": np.ones(len(rows.shoe)), "played": played, "sides": sides, **further}
    return pl.DataFrame(columns | {name: by_day(column) for name, column in counted.items()})
