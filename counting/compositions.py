"""Census: the exact law of a bet's edge when so many random cards are left unseen, with no sampling error.

Every composition of n cards is priced, each with its multivariate hypergeometric probability. At fixed n a bet's
numerator is a polynomial of degree six in the counts of the nine values 1 to 9; its 5,005 coefficients follow from
as many shoes, priced by the evaluator, by Newton's forward differences (`_census.pyx` says how it is added up).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from math import comb, fsum, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting import _census
from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.config import digest
from counting.counter import LEVELS, deals, instruction_set
from counting.errors import InputError, whole
from counting.exact import exact_edges, needs, pricer
from counting.folders import write_text
from counting.rules import Game, load_game
from counting.sweep import threads
from counting.systems import System

MOST_CARDS = 60  # 6 * 10^10 compositions: a minute on two cores
BINS = 1 << 16  # of a histogram, over all edges that a bet can have
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

_LAW = 1  # version of a kept result
_VALUES, _DEGREE = 9, COUP
_EXACT = 1 << 53

Floats = NDArray[np.float64]


@lru_cache(maxsize=1)
def _orders() -> list[NDArray[np.int64]]:
    """For r = 0 to 9 values the exponents (coefficients, r) of a polynomial of degree six, by rising degree."""
    found = [np.zeros((1, 0), np.int64)]
    for _ in range(_VALUES):
        below = found[-1]
        pairs = [(*row, k) for row in below.tolist() for k in range(_DEGREE - sum(row) + 1)]
        found.append(np.array(sorted(pairs, key=lambda e: (sum(e), e)), np.int64))
    return found


@lru_cache(maxsize=1)
def _planes() -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each r the places of its coefficients by the exponent of the last value, then in the order of r - 1."""
    parts, start = [np.zeros(0, np.int32)], [0, 0]
    for order, below in zip(_orders()[1:], _orders(), strict=False):
        place = {tuple(e): i for i, e in enumerate(order.tolist())}
        parts.append(
            np.array(
                [place[(*e, k)] for k in range(_DEGREE + 1) for e in below.tolist() if sum(e) + k <= _DEGREE], np.int32
            )
        )
        start.append(start[-1] + len(parts[-1]))
    return np.concatenate(parts), np.array(start, np.int32)


class _Tables(NamedTuple):
    """What `_census.visit` looks up: the cards of a value, binomials, and pairs of counts by rising sum."""

    most: int
    choose: Floats
    choose_ways: Floats
    pair_counts: NDArray[np.int32]
    pairs: NDArray[np.int32]
    basis: Floats
    ways: Floats
    ways_start: NDArray[np.int64]


@lru_cache(maxsize=8)
def _tables(cards: int, decks: int) -> _Tables:
    most, order = 4 * decks, _orders()[2].tolist()
    choose = np.array([[comb(d, k) for k in range(_DEGREE + 1)] for d in range(most + 1)], float)
    choose_ways = np.array([comb(most, d) for d in range(most + 1)], float)
    pairs = [(s - b, b) for s in range(cards + 1) for b in range(s + 1)]
    basis = np.zeros((-(-len(pairs) // 8), len(order), 8))
    for i, (a, b) in enumerate(pairs):
        basis[i // 8, :, i % 8] = [comb(a, x) * comb(b, y) for x, y in order]
    up_to = np.cumsum([s + 1 for s in range(cards + 1)]).astype(np.int32)
    ways, start = [], [0]
    for left, end in enumerate(up_to):
        here = [comb(most, a) * comb(most, b) * comb(4 * most, left - a - b) for a, b in pairs[:end]]
        ways.append(np.array(here + [0] * (-len(here) % 8), float))
        start.append(start[-1] + len(ways[-1]))
    counts = np.zeros((8 * len(basis), 2), np.int32)
    counts[: len(pairs)] = pairs
    return _Tables(most, choose, choose_ways, counts, up_to, basis, np.concatenate(ways), np.array(start, np.int64))


@lru_cache(maxsize=1)
def _steps() -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The steps of forward differences, a value after the other: from which places to take the values at which."""
    order = _orders()[_VALUES]
    place = {tuple(e): i for i, e in enumerate(order.tolist())}
    found = []
    for v in range(_VALUES):
        below = np.array([place.get((*e[:v], e[v] - 1, *e[v + 1 :]), -1) for e in map(tuple, order.tolist())])
        for k in range(1, _DEGREE + 1):
            above = np.flatnonzero(order[:, v] >= k)
            found.append((above, below[above]))
    return found


def _differences(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """Newton's coefficients of a polynomial from its values at the exponents of `_orders()[9]`."""
    found = values.copy()
    for above, below in _steps():
        found[above] = found[above] - found[below]
    return found


def check(game: Game, bet: str, cards_left: int, decks: int, most: int) -> None:
    """What a census and an estimate take: 1 to 27 decks, 6 cards to `most` or all of them, a bet on point values."""
    whole(decks, "decks", 1, MOST_DECKS)
    if cards_left in range(most + 1, DECK * decks + 1):
        raise InputError(
            f"cards left: {cards_left}, should be a whole number from {COUP} to {most} for a census: "
            "`counting estimate` takes more"
        )
    whole(cards_left, "cards left", COUP, min(most, DECK * decks))
    if needs(game.bet(bet)) != "value":
        raise InputError(f"bet {bet}: looks at ranks, should be settled by point values")


@dataclass(frozen=True)
class Census:
    """A bet's edge over every composition of `cards_left` cards of a full shoe of `decks` decks."""

    game: Game
    bet: str
    cards_left: int
    decks: int

    def __post_init__(self) -> None:
        check(self.game, self.bet, self.cards_left, self.decks, MOST_CARDS)

    @cached_property
    def _unit(self) -> int:
        """The numerator of an edge of one."""
        return deals(self.cards_left) * self.game.bet(self.bet).denominator

    @cached_property
    def coefficients(self) -> NDArray[np.int64]:
        """The numerator's coefficients (5005,) in the order of `_orders()[9]`."""
        order = _orders()[_VALUES]
        shoes = np.column_stack([self.cards_left - order.sum(axis=1), order]).astype(np.int32)
        numerators = pricer(self.game, (self.bet,)).numerators(shoes)[:, 0]
        found = _differences(numerators)
        # Of one degree the products of C(n_v, k_v) sum to C(n, degree), which bounds every partial sum.
        by_degree = [int(np.abs(found[order.sum(axis=1) == k]).max()) for k in range(_DEGREE + 1)]
        if sum(most * comb(self.cards_left, k) for k, most in enumerate(by_degree)) >= _EXACT:
            raise InputError(f"bet {self.bet}: its odds are too fine for a census of {self.cards_left} cards")
        return found

    def law(self, histogram: bool = True, workers: int | None = None, system: System | None = None) -> dict[str, Any]:
        """The law as plain figures, with the histogram (BINS,) from an edge of -1 up if asked; see `census`."""
        n, unit, bet = self.cards_left, self._unit, self.game.bet(self.bet)
        tables = _tables(n, self.decks)
        coefficients = self.coefficients.astype(float)
        high = float(max(line.pay for line in bet.pays))
        width = (high + 1) / (BINS - 1)  # of a bin, whose middle is a whole number of widths above -1
        tags = np.array(system.by_value if system else [0] * 10, np.int32)
        above = tags - tags[0]
        lowest, size = n * int(above.min()), n * int(above.max() - above.min()) + 1 if system else 0
        pair_tags = above[1] * tables.pair_counts[:, 0] + above[2] * tables.pair_counts[:, 1]
        level, (planes, start) = LEVELS.index(instruction_set()), _planes()

        def visit(nine: int, eight: int) -> tuple[tuple[Any, ...], Floats, Floats]:
            counted, by_count = np.zeros(BINS if histogram else 0), np.zeros((size, 2))
            low, scale = (-1 - width / 2) * unit, 1 / (width * unit)
            sums = _census.visit(
                coefficients, planes, start, level, n, nine, eight, tables.most, tables.choose, tables.choose_ways,
                tables.pairs, tables.basis, tables.ways, tables.ways_start, low, scale, counted, above, pair_tags,
                lowest, by_count,
            )  # fmt: skip
            return sums, counted, by_count

        most = tables.most
        tasks = [(i, j) for i, j in product(range(min(n, most) + 1), repeat=2) if i + j <= n]
        found, by_bin, by_count = [], np.zeros(BINS if histogram else 0), np.zeros((size, 2))
        with ThreadPoolExecutor(threads(workers)) as pool:
            for sums, counted, also in pool.map(visit, *zip(*tasks, strict=True)):
                found.append(sums)
                by_bin += counted
                by_count += also
        total = comb(DECK * self.decks, n)
        shares = [comb(most, i) * comb(most, j) / total for i, j in tasks]
        mean, square, plus, positive, nothing = (
            fsum(share * sums[k] for share, sums in zip(shares, found, strict=True)) for k in range(5)
        )
        top = max(range(len(tasks)), key=lambda i: found[i][5])
        best = self._best(tasks[top], found[top][6])
        row: dict[str, Any] = {
            "cards_left": n,
            "p_positive": positive,
            "p_zero": nothing,
            "mean_edge": mean / unit,
            "sd": sqrt(max(square / unit**2 - (mean / unit) ** 2, 0.0)),
            "mean_positive_part": plus / unit,
            "mean_positive_edge": plus / unit / positive if positive else None,
            "max_edge": float(exact_edges(self.game.only([self.bet]), best)[self.bet]),
            "max_composition": str(best),
        }
        if system:
            left = np.arange(size, dtype=np.int64) + lowest + n * int(tags[0])  # sums of tags of the unseen
            row |= self._counting(system, left, by_count / total / [1, unit])
        if histogram:
            up_to = (by_bin / total).cumsum()
            row |= {f"q{round(100 * q):02d}": -1 + width * int(np.searchsorted(up_to, q)) for q in QUANTILES}
            row["histogram"] = by_bin / total
        return row

    def _counting(self, system: System, left: NDArray[np.int64], by_count: Floats) -> dict[str, Any]:
        """What a counter bets and wins, by the sum of tags unseen: chances and the edges that go with them."""
        n = np.full(len(left), self.cards_left)
        seen = system.running(np.zeros((1, 10), np.int32), self.decks)[0] - left
        reached = system.reached(seen.astype(np.int32), n, n)
        here: dict[str, Any] = {}
        gains = [float(by_count[reached > i, 1].sum()) for i in range(len(system.scored))]
        own = system.scored.index(system.on(self.bet))
        here["count_bets"] = float(by_count[reached > own, 0].sum())
        here["count_gain"] = gains[own]
        here["best_trigger"] = system.scored[int(np.argmax(gains))]
        here["best_count_gain"] = max(gains)
        # At any count, not only at a trigger scored: the most that so many unseen cards let it win.
        here["most_count_gain"] = max(0.0, float(by_count[:, 1].cumsum().max()))
        return here

    def _best(self, task: tuple[int, int], digits: list[int]) -> Shoe:
        """The composition with the largest edge, from the counts of values 3 to 9."""
        outer = [*digits, task[1], task[0]]
        left, most = self.cards_left - sum(outer), 4 * self.decks
        shoes = [
            (left - a - b, a, b, *outer)
            for a in range(min(left, most) + 1)
            for b in range(min(left - a, most) + 1)
            if left - a - b <= 4 * most
        ]
        numerators = pricer(self.game, (self.bet,)).numerators(np.array(shoes, np.int32))[:, 0]
        return Shoe.from_values(shoes[int(numerators.argmax())])


def cache_folder() -> Path:
    """Where results are kept: COUNTING_CACHE, or `counting` in the user's folder for caches."""
    named = os.environ.get("COUNTING_CACHE")
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "counting"


def census(
    game: Game | str | Path,
    bet: str,
    cards_left: Iterable[int],
    decks: int = 8,
    workers: int | None = None,
    cache: bool = True,
    system: System | None = None,
) -> pl.DataFrame:
    """The exact law of a bet's edge by unseen cards: a row for each number of them, 6 to 60.

    Columns: cards_left; p_positive and p_zero, the probabilities that the edge is positive and that
    it is zero; mean_edge, which is the full shoe's edge whatever the cards left; sd; mean_positive_part, what a perfect
    counter wins a coup there; mean_positive_edge, that given that it is positive; max_edge with max_composition, which
    attains it; quantiles q01 to q99, to within a bin's half width of 1/131072 of the range of edges.

    With a counting system (by value), what its counter bets there and wins a coup: count_bets and count_gain at his
    own trigger, best_trigger of those scored with best_count_gain, and most_count_gain with a trigger for these cards
    left alone. mean_positive_part is what they are a share of.

    Results are kept in `cache_folder()`, by the digest of game, bet, decks and cards left, and read from there
    unless `cache` is false. Raises `InputError` for an unknown bet, one on ranks or suits, a system for other bets, and
    numbers of cards or workers out of range.
    """
    loaded = game if isinstance(game, Game) else load_game(game)
    loaded = loaded.also([bet])
    if system and system.bets is not None and bet not in system.bets:
        raise InputError(f"system {system.name}: counts for {', '.join(system.bets)}, not for {bet}")
    threads(workers)  # a mistake is told before the work begins
    asked = [Census(loaded, bet, n, decks) for n in cards_left]
    return pl.DataFrame([_kept(one, workers, system) if cache else _figures(one, workers, system) for one in asked])


def _figures(one: Census, workers: int | None, system: System | None) -> dict[str, Any]:
    return {name: figure for name, figure in one.law(workers=workers, system=system).items() if name != "histogram"}


def _kept(one: Census, workers: int | None, system: System | None) -> dict[str, Any]:
    """The law's figures from the cache; or else worked out and, where that can be, put there."""
    key = {
        "law": _LAW,
        "game": one.game.only([one.bet]).digest,
        "bet": one.bet,
        "decks": one.decks,
        "n": one.cards_left,
        "system": system.to_dict() if system else None,
    }
    path = cache_folder() / f"census-{digest(key)}.json"
    try:
        return dict(json.loads(path.read_text()))
    except (OSError, ValueError, TypeError):
        found = _figures(one, workers, system)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(found))
    return found
