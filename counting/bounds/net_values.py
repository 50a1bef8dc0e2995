"""What the rest of a shoe is worth, for each net result so far: values fitted to shoes that are never played.

C_t(w) is what a net result w after coup t is worth, including what the coups that follow win. V is the mean of C after
a coup with the best stakes. C is fitted from the end of the shoe, in slices of four cards. In each slice, V of the coup
that follows is regressed on features of what is known before the slice's own coup. If no coup follows, the worth of w
at the end takes the place of V. One regression serves every w of the lattice, as only its right-hand side depends on w.
The features are:

- the cards ahead modulo 4
- the edges and their squares
- kinks of the edges, at 0 and at the mean edge of the first coup
- products of the first bet's edge with every other bet's edge

A ridge penalty draws a slice's coefficients towards the coefficients of the slice that follows in the shoe. Without the
penalty they would be noise early in the shoe, where edges hardly vary. If it is known before a coup that the after-cut
rule deals no coup after it, C is the worth of w at the end.

Any C makes a bound and a policy. A poor fit makes the bound less tight and the policy weaker, but neither becomes
wrong. A bound subtracts increments whose mean is 0, given what is known before the coup. They are made from C and from
its derivative with respect to the edges (`counting.bounds.net_evaluation`). The edges are martingales."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from counting.arrays import Bools, Floats, Int32s, Ints
from counting.bounds import _net_results
from counting.bounds.net_results import NetGame
from counting.bounds.seats import WIDE, SeatRows, slice_of
from counting.exact.instruction_sets import level

_RIDGE = 0.02
_LEAST_ROWS = 200  # a slice with fewer rows is not fitted
_PIECE = 512  # rows whose worth is worked out at once


@dataclass(frozen=True, eq=False)
class NetValues:
    """The fitted values of the rest of a shoe.

    - `coefs` (slices, states, features, points): the coefficients
    - `centre` and `scale` (bets,): the mean edge at the first coup of a shoe, and the standard deviation of the edge
    - `end` (points,): what a net result is worth after the shoe"""

    game: NetGame
    coefs: Floats
    centre: Floats
    scale: Floats
    end: Floats

    @classmethod
    def fit(cls, game: NetGame, rows: SeatRows, workers: int, end: Floats | None = None) -> NetValues:
        """Fit to the coups of some shoes. A good fit needs a few thousand shoes or more.

        `end` (points,) is the worth of a net result after the shoe. By default it includes the rebate."""
        bets = len(game.seat.stakes.bets)
        edges = rows.before[:bets].T
        centre, scale = edges[rows.coup == 1].mean(axis=0), np.maximum(edges.std(axis=0), 1e-12)
        end = game.end if end is None else end
        features = _features(bets)
        slices = rows.slices
        coefs = np.zeros((len(slices) + 1, game.states, features, game.points))
        coefs[:, :, 0] = end
        fit = cls(game, coefs, centre, scale, end)
        known = fit.features(rows)[0]
        chances = game.pays.chances(rows.left)
        with ThreadPoolExecutor(workers) as threads:
            for number, at in enumerate(slices):
                if number:
                    coefs[number] = coefs[number - 1]
                at = at[~fit.last(rows)[at]]
                if len(at) < _LEAST_ROWS:
                    continue
                follow = at[rows.more[at]] + 1
                pieces = [follow[i : i + _PIECE] for i in range(0, len(follow), _PIECE)]
                sums = np.zeros((features, game.states * game.points))
                before = known[at]
                for piece, worth in zip(
                    pieces, threads.map(lambda p: fit._worth(rows, known, chances, p), pieces), strict=True
                ):
                    sums += known[piece - 1].T @ worth
                ended = known[at[~rows.more[at]]].sum(axis=0)
                sums += np.multiply.outer(ended, np.tile(end, game.states))
                coefs[number] = fit._solved(before, sums, coefs[number])
        return fit

    def _solved(self, known: Floats, sums: Floats, prior: Floats) -> Floats:
        """Ridge least squares coefficients (states, features, points), drawn towards the coefficients `prior`. The
        intercept is not drawn."""
        gram = known.T @ known
        ridge = np.full(len(gram), _RIDGE * len(known))
        ridge[0] = 0
        near = np.moveaxis(prior, 1, 0).reshape(len(gram), -1)
        gram[np.diag_indices_from(gram)] += ridge + 1e-9
        solved = np.asarray(np.linalg.solve(gram, sums + ridge[:, np.newaxis] * near), np.float64)
        return np.moveaxis(solved.reshape(len(gram), self.game.states, self.game.points), 0, 1)

    def _worth(self, rows: SeatRows, known: Floats, chances: Floats, at: Ints) -> Floats:
        """V before these coups (rows, states * points)."""
        out = np.empty((len(at), self.game.states, self.game.points))
        table = self.table(self.game.next)
        coups = self._coups(
            table,
            self.slices(rows)[at],
            np.zeros(len(at), np.int32),
            known[at],
            np.zeros_like(known[at]),
            chances[at],
        )
        _net_results.worth(table, coups, out, level())
        return out.reshape(len(at), -1)

    def features(self, rows: SeatRows) -> tuple[Floats, Floats]:
        """Two arrays (rows, features): the features before each coup, and their increments.

        The increment of a feature is its change over the coup, to first order in the edges. It is 0 if too few cards
        are left for the edges after the coup to be known for certain."""
        bets = len(self.centre)
        edges = rows.before[:bets].T
        change = (rows.after[:bets].T - edges) / self.scale
        z, wins = (edges - self.centre) / self.scale, (edges > 0).astype(float)
        step = (rows.ahead % WIDE - (WIDE - 1) / 2)[:, np.newaxis]
        known = [np.ones_like(step), step, z, z**2, np.abs(z), wins * edges / self.scale, z[:, :1] * z[:, 1:]]
        products = change[:, :1] * z[:, 1:] + z[:, :1] * change[:, 1:]
        moved = [np.zeros((len(z), 2)), change, 2 * z * change, np.sign(z) * change, wins * change, products]
        return np.ascontiguousarray(np.hstack(known)), np.ascontiguousarray(np.hstack(moved))

    def last(self, rows: SeatRows) -> Bools:
        """Whether it is known before each coup (rows,) that the after-cut rule deals no coup after it.

        The cut card must have come out in an earlier coup, or be the next card. The case that too few cards are left
        for a further coup is ignored."""
        inside, first = self.game.seat.dealing.after_cut
        out = rows.ahead <= 0
        begins = out & ~np.append(False, out[:-1] & (rows.shoe[1:] == rows.shoe[:-1]))  # the first `out` of each shoe
        coup, further = np.zeros((2, rows.shoes), np.int64)
        coup[rows.shoe[begins]] = rows.coup[begins]
        further[rows.shoe[begins]] = np.where(rows.ahead[begins] == 0, first, inside - 1)
        return np.asarray(out & (rows.coup - coup[rows.shoe] >= further[rows.shoe]))

    def slices(self, rows: SeatRows) -> Int32s:
        """The slice of each coup (rows,). The last slice is for the coups of `last`."""
        after_all = len(self.coefs) - 1
        return np.where(self.last(rows), after_all, np.clip(slice_of(rows.ahead), 0, after_all - 1)).astype(np.int32)

    def table(self, after: Int32s) -> _net_results.Table:
        game = self.game
        return _net_results.Table(
            game.first, game.low, game.rest, game.jump_of, after, game.slope, self.coefs, self.end
        )

    def coups(self, table: _net_results.Table, rows: SeatRows) -> _net_results.Coups:
        """All rows, in the form that the kernel takes."""
        known, moved = self.features(rows)
        return self._coups(
            table,
            self.slices(rows),
            self.game.pays.classes(rows.shown),
            known,
            moved,
            self.game.pays.chances(rows.left),
        )

    def _coups(
        self, table: _net_results.Table, slices: Int32s, classes: Int32s, known: Floats, moved: Floats, chances: Floats
    ) -> _net_results.Coups:
        return _net_results.Coups(table, slices, classes, known, moved, np.ascontiguousarray(chances))


def _features(bets: int) -> int:
    return 2 + 4 * bets + (bets - 1)
