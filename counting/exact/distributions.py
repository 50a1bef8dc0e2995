"""The exact distribution of a bet's edge if n random cards are unseen. There is no sampling error.

Every composition of n cards is priced and weighted with its probability, which is multivariate hypergeometric. For
fixed n, the numerator of a bet's edge is a polynomial in the counts of the nine values 1 to 9, of degree six at most.
Newton's forward differences give its 5,005 coefficients from the evaluator's prices of 5,005 shoes. `_census.pyx`
explains the summation.

For the best of several bets, the census takes the largest of the bets' polynomials on each composition. A side bet with
a main-bet requirement (`tie_in`) of r units is priced in the same way. The r units go on the main bet with the best
edge, and

    side + r * max(main) = max(side + r * main).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, fsum, lcm, sqrt
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError, several, whole
from counting.exact import _census, polynomials
from counting.exact.evaluators import refuse_ranks_and_suits
from counting.exact.instruction_sets import level
from counting.exact.one_shoe import exact_edges
from counting.exact.outcomes import deals
from counting.exact.settlements import settlement
from counting.games import Game, as_game
from counting.systems import System, best_trigger, gains_by_count
from counting.workers import threads

MOST_CARDS = 60  # 6 * 10^10 compositions: a minute on two cores
BINS = (1 << 16) + 1  # bins end at the least edge + range * odd / 2^17, where no simple fraction lies
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

FIGURES = (
    "cards_left",
    "p_positive",
    "p_zero",
    "mean_edge",
    "sd",
    "mean_positive_part",
    "mean_positive_edge",
    "max_edge",
    "max_composition",
)  # the columns of every distribution, in order
QUANTILE_NAMES = tuple(f"q{round(100 * q):02d}" for q in QUANTILES)
# further columns with a system
COUNTED = ("count_bets", "count_gain", "best_trigger", "best_count_gain", "most_count_gain")
_EXACT = 1 << 53
_SMALL = 10**6  # compositions; a census of this many takes a few hundredths of a second
_OTHERS = 7  # the values 1 to 7: a task fixes the nines and eights, and the tens make up the rest

_Sums = tuple[Floats, Floats, Floats]  # sums by bin, by a system's count, and by alternative


def check_cards_left(game: Game, bets: Iterable[str], cards_left: int, decks: int, most: int) -> tuple[int, int]:
    """Check the arguments of a census or an estimate, and return the cards left and the decks as ints. There may be 1
    to 27 decks, and 6 to `most` cards left, but no more than the whole shoe. The bets must be settled by point
    values."""
    decks = whole(decks, "decks", 1, MOST_DECKS)
    if isinstance(cards_left, Integral) and cards_left in range(most + 1, DECK * decks + 1):
        raise InputError(
            f"cards left: {cards_left}, should be a whole number from {COUP} to {most} for a census: "
            "`counting estimate` takes more"
        )
    cards_left = whole(cards_left, "cards left", COUP, min(most, DECK * decks))
    for bet in bets:
        refuse_ranks_and_suits(game.bet(bet))
    return cards_left, decks


@dataclass(frozen=True, init=False)
class Census:
    """The edges on all compositions of `cards_left` cards from a full shoe of `decks` decks. With one bet, the edge is
    the bet's edge; with several bets, it is the largest of their edges. A single bet may have a main-bet requirement:
    each unit on it then needs `tie_in` units on the best of the bets `main`."""

    game: Game
    bets: tuple[str, ...]
    cards_left: int
    decks: int
    tie_in: Fraction
    main: tuple[str, ...]

    def __init__(
        self,
        game: Game | str | Path,
        bets: Iterable[str],
        cards_left: int,
        decks: int,
        tie_in: Fraction = Fraction(),
        main: Iterable[str] = (),
    ) -> None:
        named = several(bets, "bets"), several(main, "main")
        vars(self).update(game=as_game(game), bets=named[0], tie_in=tie_in, main=named[1])
        if not self.bets:
            raise InputError("bets: none, should be one or more")
        if self.tie_in and len(self.bets) > 1:
            raise InputError(f"tie-in {float(self.tie_in):g}: needs a single bet, not {', '.join(self.bets)}")
        if not self.alternatives:
            raise InputError(f"tie-in {float(self.tie_in):g}: no main bets, should name one or more")
        cards_left, decks = check_cards_left(self.game, self.priced, cards_left, decks, MOST_CARDS)
        vars(self).update(cards_left=cards_left, decks=decks)

    @cached_property
    def alternatives(self) -> dict[str, dict[str, Fraction]]:
        """The stakes to compare: for each alternative, the units on each bet. The name of an alternative is the name of
        the bet or, with a main-bet requirement, of the main bet."""
        if not self.tie_in:
            return {bet: {bet: Fraction(1)} for bet in self.bets}
        (side,) = self.bets
        return {main: {side: Fraction(1), main: self.tie_in + (main == side)} for main in self.main}

    @cached_property
    def priced(self) -> tuple[str, ...]:
        """The bets that make up the alternatives."""
        return tuple(dict.fromkeys(bet for units in self.alternatives.values() for bet in units))

    @cached_property
    def _parts(self) -> tuple[NDArray[np.object_], int]:
        """Each alternative's units on each bet, divided by the bet's denominator. Returned as whole numbers (bets,
        alternatives) and their common denominator."""
        units = [[of.get(bet, Fraction()) for of in self.alternatives.values()] for bet in self.priced]
        per = [[u / self.game.bet(bet).denominator for u in row] for bet, row in zip(self.priced, units, strict=True)]
        common = lcm(*(share.denominator for row in per for share in row))
        return np.array([[int(share * common) for share in row] for row in per], object), common

    @cached_property
    def _unit(self) -> int:
        """The numerator of an edge of 1."""
        return deals(self.cards_left) * self._parts[1]

    @cached_property
    def coefficients(self) -> NDArray[np.int64]:
        """The numerators' coefficients (alternatives, 5005) in the order of `polynomials.orders()[9]`. Raises
        `InputError` if they are too large for exact sums in float64."""
        order = polynomials.orders()[polynomials.VALUES]
        degree = order.sum(axis=1)
        shoes = np.column_stack([self.cards_left - degree, order]).astype(np.int32)
        by_bet = polynomials.differences(settlement(self.game, self.priced).numerators(shoes))
        units = self._parts[0]
        fits = int(np.abs(by_bet).max()) * int(units.sum(axis=0).max()) < 1 << 63
        by_edge = by_bet @ units.astype(np.int64) if fits else by_bet.astype(object) @ units
        # For each degree, the products of the C(n_v, k_v) with this degree sum to at most C(n, degree). This bounds
        # every partial sum.
        by_degree = [np.abs(by_edge[degree == k]).max(axis=0).astype(object) for k in range(COUP + 1)]
        if max(sum(most * comb(self.cards_left, k) for k, most in enumerate(by_degree))) >= _EXACT:
            odds = f"odds with a tie-in of {float(self.tie_in):g}" if self.tie_in else "odds"
            raise InputError(f"bet {', '.join(self.bets)}: {odds} are too fine for a census of {self.cards_left} cards")
        return np.ascontiguousarray(by_edge.T.astype(np.int64))

    @cached_property
    def _bins(self) -> tuple[float, float]:
        """The least edge that the stakes allow, and the width of a bin. The least edge is the edge if every stake is
        lost; it is the middle of the first bin. The middle of the last bin is the largest edge that the pays allow, if
        every bet wins its highest pay."""
        pays = {bet: max(line.pay for line in self.game.bet(bet).pays) for bet in self.priced}
        low = max(-sum(of.values()) for of in self.alternatives.values())
        high = max(sum(units * pays[bet] for bet, units in of.items()) for of in self.alternatives.values())
        return float(low), float(high - low) / (BINS - 1)

    def figures(
        self,
        histogram: bool = True,
        workers: int | None = None,
        system: System | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> dict[str, Any]:
        """The figures of the distribution, which `census` explains. `histogram` adds the quantiles and the histogram
        (BINS,), and makes the computation about 1.5 times as long. `progress` is called after each task with the number
        of compositions in the task."""
        if system and len(self.alternatives) > 1:
            raise InputError(f"system {system.label}: needs a single bet, with a tie-in on one main bet at most")
        if system and system.bets is not None and self.bets[0] not in system.bets:
            raise InputError(f"system {system.label}: counts for {', '.join(system.bets)}, not for {self.bets[0]}")
        n, unit = self.cards_left, self._unit
        at_level = level()
        tables = polynomials.census_tables(n, self.decks, _census.lanes(at_level))
        coefficients = self.coefficients.astype(float)
        least, width = self._bins
        several = 3 * len(self.alternatives) + 1 if len(self.alternatives) > 1 else 0
        tags = np.array(system.by_value if system else [0] * 10, np.int32)
        above = tags - tags[0]
        lowest, size = n * int(above.min()), n * int(above.max() - above.min()) + 1 if system else 0
        pair_tags = above[1] * tables.pairs[:, 0] + above[2] * tables.pairs[:, 1]
        fixed = _census.Tables(
            n, tables.most, at_level, *polynomials.planes(), tables.choose, tables.choose_ways, tables.binomials,
            tables.lines, tables.start, tables.ways,
        )  # fmt: skip

        def nothing_yet() -> _Sums:
            return np.zeros(BINS if histogram else 0), np.zeros((size, 2)), np.zeros((several, 8))

        def visit(nine: int, eight: int, added: _Sums) -> tuple[Any, ...]:
            counted, by_count, shares = added
            low, scale = (least - width / 2) * unit, 1 / (width * unit)
            return _census.visit(
                fixed, coefficients, nine, eight, low, scale, counted, above, pair_tags, lowest, by_count, shares
            )

        most = tables.most
        tasks = [(i, j) for i, j in product(range(min(n, most) + 1), repeat=2) if i + j <= n]
        task_sums, added = _visited(n, tasks, visit, nothing_yet, threads(workers), progress)
        total = comb(DECK * self.decks, n)
        by_bin, by_count, shares = (array / total for array in added)
        chances = [comb(most, i) * comb(most, j) / total for i, j in tasks]
        mean, square, plus, positive, nothing = (
            fsum(chance * sums[k] for chance, sums in zip(chances, task_sums, strict=True)) for k in range(5)
        )
        top = max(range(len(tasks)), key=lambda i: task_sums[i][5])
        best = self._best(tasks[top], task_sums[top][6])
        row: dict[str, Any] = {
            "cards_left": n,
            "p_positive": positive,
            "p_zero": nothing,
            "mean_edge": mean / unit,
            "sd": sqrt(max(square / unit**2 - (mean / unit) ** 2, 0.0)),
            "mean_positive_part": plus / unit,
            "mean_positive_edge": plus / unit / positive if positive else None,
            "max_edge": self._exact(best),
            "max_composition": str(best),
        }
        if several:
            *by_best, tied = map(fsum, shares.tolist())
            for i, name in enumerate(self.alternatives):
                row[f"best_{name}"], row[f"bets_{name}"] = by_best[3 * i : 3 * i + 2]
                row[f"gain_{name}"] = by_best[3 * i + 2] / unit
            row["p_tied"] = tied
        if system:
            # the possible sums of the unseen cards' tags
            left = np.arange(size, dtype=np.int64) + lowest + n * int(tags[0])
            row |= self._counting(system, left, by_count / [1, unit])
        if histogram:
            up_to = by_bin.cumsum()
            places = np.searchsorted(up_to, QUANTILES).tolist()
            row |= {name: least + width * place for name, place in zip(QUANTILE_NAMES, places, strict=True)}
            row["histogram"] = by_bin
        return row

    def binned(self, histogram: Floats, bins: int) -> list[dict[str, float]]:
        """A histogram (BINS,) merged into `bins` wider bins: their lower ends and probabilities. The wider bins have
        equal widths, to within one bin of the histogram."""
        least, width = self._bins
        first = [-(-i * (BINS - 1) // bins) for i in range(bins)]
        return [
            {"edge_from": max(least, least + width * (i - 0.5)), "probability": float(p)}
            for i, p in zip(first, np.add.reduceat(histogram, first), strict=True)
        ]

    def _exact(self, shoe: Shoe) -> float:
        """The edge of the best alternative on this shoe, exact until it is rounded to a float."""
        edges = exact_edges(self.game.only(self.priced), shoe)
        return float(max(sum(units * edges[bet] for bet, units in of.items()) for of in self.alternatives.values()))

    def _counting(self, system: System, left: NDArray[np.int64], by_count: Floats) -> dict[str, Any]:
        """The figures for a counter who uses a system: the bet frequency, the wins per coup and the triggers. `left`
        has the possible sums of the unseen cards' tags. `by_count` has, for each sum, its probability and this
        probability times the expected edge given the sum."""
        n = np.full(len(left), self.cards_left)
        seen = system.running(np.zeros((1, 10), np.int32), self.decks)[0] - left
        reached = system.reached(seen.astype(np.int32), n, n)
        figures: dict[str, Any] = {}
        gains = [float(by_count[reached > i, 1].sum()) for i in range(len(system.scored))]
        own = system.scored.index(system.on(self.bets[0]))
        figures["count_bets"] = float(by_count[reached > own, 0].sum())
        figures["count_gain"] = gains[own]
        figures["best_trigger"], figures["best_count_gain"] = system.scored[int(np.argmax(gains))], max(gains)
        if system.is_end(figures["best_trigger"]):
            whole = gains_by_count(system.whole_count(seen.astype(np.int32), n, n), by_count[:, 1])
            better = best_trigger(*whole)
            if better is not None and better.gain > max(gains):
                figures["best_trigger"], figures["best_count_gain"] = float(better.trigger), better.gain
        # The most that the count can win with this number of unseen cards, at any trigger, scored or not.
        best = best_trigger(*gains_by_count(system.height(seen.astype(np.int32), n, n)[0], by_count[:, 1]))
        figures["most_count_gain"] = 0.0 if best is None else best.gain
        return figures

    def _best(self, task: tuple[int, int], digits: list[int]) -> Shoe:
        """The composition with the largest edge among the compositions with these counts of nines and eights (`task`)
        and of the values 3 to 7 (`digits`)."""
        outer = [*digits, task[1], task[0]]
        left, most = self.cards_left - sum(outer), 4 * self.decks
        shoes = [
            (left - a - b, a, b, *outer)
            for a in range(min(left, most) + 1)
            for b in range(min(left - a, most) + 1)
            if left - a - b <= 4 * most
        ]
        by_bet = settlement(self.game, self.priced).numerators(np.array(shoes, np.int32))
        return Shoe.from_values(shoes[int((by_bet.astype(object) @ self._parts[0]).max(axis=1).argmax())])


def _visited(
    cards_left: int,
    tasks: Sequence[tuple[int, int]],
    visit: Callable[[int, int, _Sums], tuple[Any, ...]],
    nothing_yet: Callable[[], _Sums],
    workers: int,
    progress: Callable[[int], None] | None,
) -> tuple[list[tuple[Any, ...]], _Sums]:
    """Call `visit` for each task. Each call is given arrays of zeros and adds to them. Returns what each call returned,
    and the sum of the calls' arrays, added up in the order of the tasks.

    A small census uses the same arrays for all tasks and starts no threads: new arrays or threads would take most of
    the time.
    """
    is_small = comb(cards_left + polynomials.VALUES, polynomials.VALUES) <= _SMALL
    room = nothing_yet()

    def visited(nine: int, eight: int) -> tuple[tuple[Any, ...], _Sums]:
        added = room if is_small else nothing_yet()
        for array in added if is_small else ():
            array.fill(0)
        return visit(nine, eight, added), added

    sums, total = [], nothing_yet()
    with nullcontext() if is_small else ThreadPoolExecutor(workers) as pool:
        visits = pool.map if pool else map
        for (i, j), (of_task, added) in zip(tasks, visits(visited, *zip(*tasks, strict=True)), strict=True):
            sums.append(of_task)
            if progress:
                progress(comb(cards_left - i - j + _OTHERS, _OTHERS))
            for array, part in zip(total, added, strict=True):
                array += part
    return sums, total
