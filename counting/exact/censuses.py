"""Census: the exact distribution of a bet's edge with n random cards left unseen, without sampling error.

Every composition of n cards is priced, each with its multivariate hypergeometric probability. At fixed n a bet's
numerator is a polynomial of degree six in the counts of the nine values 1 to 9; its 5,005 coefficients follow from
5,005 shoes, priced by the evaluator, by Newton's forward differences (`_census.pyx` explains the summation).

The best of several bets is the largest of their polynomials over one unit. So is a side bet with a main-bet
requirement (`tie_in`) of r units, staked on the main bet where they cost least: side + r * max(main) = max(side + r *
main).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, fsum, isfinite, lcm, sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import COUP, DECK, MOST_DECKS, Shoe
from counting.errors import InputError, whole
from counting.exact import _census, polynomials
from counting.exact.coup_classes import needs
from counting.exact.instruction_sets import level
from counting.exact.many_shoes import pricer
from counting.exact.one_shoe import exact_edges
from counting.exact.outcomes import deals
from counting.games import Game, as_game, units_of
from counting.io.folders import write_text
from counting.io.toml import digest
from counting.systems import System
from counting.version import __version__
from counting.workers import threads

MOST_CARDS = 60  # 6 * 10^10 compositions: a minute on two cores
BINS = (1 << 16) + 1  # of a histogram; bins end at odd multiples of 2^-17 of the range, where no simple fraction lies
QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

_LAW = 3  # version of a kept result
_FIGURES = (
    "cards_left",
    "p_positive",
    "p_zero",
    "mean_edge",
    "sd",
    "mean_positive_part",
    "mean_positive_edge",
    "max_edge",
    "max_composition",
)  # of every distribution, in the order of its columns
_QUANTILES = tuple(f"q{round(100 * q):02d}" for q in QUANTILES)
_COUNTED = ("count_bets", "count_gain", "best_trigger", "best_count_gain", "most_count_gain")  # with a system
_EXACT = 1 << 53
_OTHERS = 7  # values beside nines, eights and tens


def check(game: Game, bets: Iterable[str], cards_left: int, decks: int, most: int) -> tuple[int, int]:
    """Check the arguments of a census or an estimate: 1 to 27 decks, 6 cards to `most` or the whole shoe, and bets on
    point values."""
    decks = whole(decks, "decks", 1, MOST_DECKS)
    if cards_left in range(most + 1, DECK * decks + 1):
        raise InputError(
            f"cards left: {cards_left}, should be a whole number from {COUP} to {most} for a census: "
            "`counting estimate` takes more"
        )
    cards_left = whole(cards_left, "cards left", COUP, min(most, DECK * decks))
    for bet in bets:
        if needs(game.bet(bet)) != "value":
            raise InputError(f"bet {bet}: looks at ranks, should be settled by point values")
    return cards_left, decks


@dataclass(frozen=True)
class Census:
    """The edge over every composition of `cards_left` cards of a full shoe of `decks` decks: of one bet, of the best of
    several, or of one bet with `tie_in` units for each of its own on the best of the bets `main`."""

    game: Game
    bet: str | tuple[str, ...]
    cards_left: int
    decks: int
    tie_in: Fraction = Fraction()
    main: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.bets:
            raise InputError("bets: none, should be one or more")
        if self.tie_in and len(self.bets) > 1:
            raise InputError(f"tie-in {float(self.tie_in):g}: needs a single bet, not {', '.join(self.bets)}")
        if not self.alternatives:
            raise InputError(f"tie-in {float(self.tie_in):g}: no main bets, should name one or more")
        for field, number in zip(
            ("cards_left", "decks"), check(self.game, self.priced, self.cards_left, self.decks, MOST_CARDS), strict=True
        ):
            object.__setattr__(self, field, number)

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,) if isinstance(self.bet, str) else self.bet

    @cached_property
    def alternatives(self) -> dict[str, dict[str, Fraction]]:
        """The stakes to compare, by the bet in which they differ: units on each bet."""
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
        """Units of the bets priced in each alternative: whole numbers (bets, alternatives) over a common
        denominator."""
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
        """The numerators' coefficients (alternatives, 5005) in the order of `polynomials.orders()[9]`."""
        order = polynomials.orders()[polynomials.VALUES]
        shoes = np.column_stack([self.cards_left - order.sum(axis=1), order]).astype(np.int32)
        by_bet = polynomials.differences(pricer(self.game, self.priced).numerators(shoes))
        by_edge = by_bet.astype(object) @ self._parts[0]
        # Of one degree the products of C(n_v, k_v) sum to C(n, degree), which bounds every partial sum.
        by_degree = [np.abs(by_edge[order.sum(axis=1) == k]).max(axis=0) for k in range(COUP + 1)]
        if max(sum(most * comb(self.cards_left, k) for k, most in enumerate(by_degree))) >= _EXACT:
            odds = f"odds with a tie-in of {float(self.tie_in):g}" if self.tie_in else "odds"
            raise InputError(f"bet {', '.join(self.bets)}: {odds} are too fine for a census of {self.cards_left} cards")
        return np.ascontiguousarray(by_edge.T.astype(np.int64))

    @cached_property
    def _bins(self) -> tuple[float, float]:
        """The least possible edge, which is the middle of the first bin, and a bin's width; the last bin has the
        largest."""
        pays = {bet: max(line.pay for line in self.game.bet(bet).pays) for bet in self.priced}
        low = max(-sum(of.values()) for of in self.alternatives.values())
        high = max(sum(units * pays[bet] for bet, units in of.items()) for of in self.alternatives.values())
        return float(low), float(high - low) / (BINS - 1)

    def law(
        self,
        histogram: bool = True,
        workers: int | None = None,
        system: System | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> dict[str, Any]:
        """The distribution's figures, with quantiles and the histogram (BINS,) from the least edge up if `histogram`,
        which takes half the time again; see `census`. `progress` is called with numbers of compositions."""
        if system and len(self.alternatives) > 1:
            raise InputError(f"system {system.name}: needs a single bet, with a tie-in on one main bet at most")
        if system and system.bets is not None and self.bets[0] not in system.bets:
            raise InputError(f"system {system.name}: counts for {', '.join(system.bets)}, not for {self.bets[0]}")
        n, unit = self.cards_left, self._unit
        at_level = level()
        tables = polynomials.tables(n, self.decks, _census.lanes(at_level))
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

        def nothing_yet() -> tuple[Floats, Floats, Floats]:
            return np.zeros(BINS if histogram else 0), np.zeros((size, 2)), np.zeros((several, 8))

        def visit(nine: int, eight: int) -> tuple[tuple[Any, ...], tuple[Floats, Floats, Floats]]:
            counted, by_count, shares = added = nothing_yet()
            low, scale = (least - width / 2) * unit, 1 / (width * unit)
            sums = _census.visit(
                fixed, coefficients, nine, eight, low, scale, counted, above, pair_tags, lowest, by_count, shares
            )
            return sums, added

        most = tables.most
        tasks = [(i, j) for i, j in product(range(min(n, most) + 1), repeat=2) if i + j <= n]
        task_sums, added = [], nothing_yet()
        with ThreadPoolExecutor(threads(workers)) as pool:
            for (i, j), (sums, more) in zip(tasks, pool.map(visit, *zip(*tasks, strict=True)), strict=True):
                task_sums.append(sums)
                if progress:
                    progress(comb(n - i - j + _OTHERS, _OTHERS))
                for array, part in zip(added, more, strict=True):
                    array += part
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
            left = np.arange(size, dtype=np.int64) + lowest + n * int(tags[0])  # sums of tags of the unseen
            row |= self._counting(system, left, by_count / [1, unit])
        if histogram:
            up_to = by_bin.cumsum()
            places = np.searchsorted(up_to, QUANTILES).tolist()
            row |= {name: least + width * place for name, place in zip(_QUANTILES, places, strict=True)}
            row["histogram"] = by_bin
        return row

    def binned(self, histogram: Floats, bins: int) -> list[dict[str, float]]:
        """A histogram (BINS,) added up to `bins` wider bins of equal width: lower ends and probabilities."""
        least, width = self._bins
        first = [-(-i * (BINS - 1) // bins) for i in range(bins)]
        return [
            {"edge_from": max(least, least + width * (i - 0.5)), "probability": float(p)}
            for i, p in zip(first, np.add.reduceat(histogram, first), strict=True)
        ]

    def _exact(self, shoe: Shoe) -> float:
        """The best alternative's edge."""
        edges = exact_edges(self.game.only(self.priced), shoe)
        return float(max(sum(units * edges[bet] for bet, units in of.items()) for of in self.alternatives.values()))

    def _counting(self, system: System, left: NDArray[np.int64], by_count: Floats) -> dict[str, Any]:
        """What a counter bets and wins, by the sum of tags unseen: its probabilities and the expected edges."""
        n = np.full(len(left), self.cards_left)
        seen = system.running(np.zeros((1, 10), np.int32), self.decks)[0] - left
        reached = system.reached(seen.astype(np.int32), n, n)
        figures: dict[str, Any] = {}
        gains = [float(by_count[reached > i, 1].sum()) for i in range(len(system.scored))]
        own = system.scored.index(system.on(self.bets[0]))
        figures["count_bets"] = float(by_count[reached > own, 0].sum())
        figures["count_gain"] = gains[own]
        figures["best_trigger"] = system.scored[int(np.argmax(gains))]
        figures["best_count_gain"] = max(gains)
        # At any count, not only at a scored trigger: the most that the count can win with these unseen cards.
        figures["most_count_gain"] = max(0.0, float(by_count[:, 1].cumsum().max()))
        return figures

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
        by_bet = pricer(self.game, self.priced).numerators(np.array(shoes, np.int32))
        return Shoe.from_values(shoes[int((by_bet.astype(object) @ self._parts[0]).max(axis=1).argmax())])


def cache_folder() -> Path:
    """The folder of kept results: COUNTING_CACHE, or `counting` in the user's cache folder."""
    named = os.environ.get("COUNTING_CACHE")
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "counting"


def census(
    game: Game | str | Path,
    bet: str | Sequence[str],
    cards_left: Iterable[int],
    decks: int | None = None,
    workers: int | None = None,
    cache: bool = True,
    system: System | None = None,
    *,
    tie_in: int | float | str | Fraction | Decimal | None = None,
    main: str | Sequence[str] | None = None,
    histogram: int | None = None,
    quantiles: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> pl.DataFrame:
    """The exact distribution of a bet's edge by unseen cards: one row for each number in `cards_left`, 6 to 60.

    The cards are left of a full shoe of `decks`, by default the game's.

    Columns: cards_left; p_positive and p_zero, the probabilities that the edge is positive and that
    it is zero; mean_edge, which is the full shoe's edge at every depth; sd; mean_positive_part, the expected win
    per coup of perfect play; mean_positive_edge, the mean edge when it is positive; max_edge with max_composition,
    which attains it; and q01 to q99, unless `quantiles` is false, to within a bin's half width of 1/131072 of the
    range of edges.

    With several bets the edge is the largest of them: the counter puts one unit on the best bet. With a main-bet
    requirement `tie_in` of r units, 0 to 1,000 in decimals or as a fraction, each unit of the one bet needs r units on
    the `main` bets, and the counter puts them on the best of these: the edge is edge + r * max(main edges), profit per
    unit of the side bet. The main bets are by default the game's `main_bets`; "player", "banker" and "tie" name them.
    With two or more bets to choose from (with a `tie_in`: main bets), mean_edge is no longer the full shoe's, and each
    of them has three more columns: best_BET, the probability that it is the best (of equal ones the first); bets_BET,
    that it is the best and positive, so that the counter bets it; gain_BET, the expected win per coup on it. best_BET
    sum to 1, bets_BET to p_positive, gain_BET to mean_positive_part. p_tied is the probability that two or more are
    best. The probability that both of two bets are positive is the sum of their own p_positive less that of the two
    together.

    With a counting system (by value): its counter's bet frequency and win per coup, count_bets and count_gain at the
    system's trigger, best_count_gain at best_trigger, the best one scored, and most_count_gain at the best trigger for
    this number of cards. Divide by mean_positive_part for the betting efficiency. The counter does not know which main
    bet is best, so a `tie_in` is on one main bet.

    `histogram` adds the whole distribution in that many bins, 1 to 65,536, whose width is equal to within a 65,536th of
    the range of edges: a column of lists of edge_from, a bin's lower end, and probability
    (`.explode("histogram").unnest("histogram")`). `progress` is called with the compositions visited and all of them.

    Results are kept in `cache_folder()`, by the digest of game, bets, decks, cards left and all else that changes
    them, and read again unless `cache` is false. Raises `InputError` for an unknown bet, one on ranks or suits,
    odds and a tie-in too fine to compare exactly, a system for other bets, and numbers of cards, units, bins or workers
    out of range.

    >>> from counting import census
    >>> census("ez-baccarat", "dragon-7", [6], cache=False)["p_positive"].round(6).item()
    0.335049
    """
    loaded = as_game(game)
    decks = loaded.decks if decks is None else decks
    bets, units = _names(bet), Fraction() if tie_in is None else units_of(tie_in)
    if main is not None and tie_in is None:
        raise InputError(f"main {', '.join(_names(main))}: needs a tie-in")
    on = loaded.mains(None if main is None else _names(main))
    loaded = loaded.also([*bets, *on])
    if histogram is not None:
        histogram = whole(histogram, "histogram", 1, BINS - 1)
    threads(workers)  # a mistake is reported before the work begins
    censuses = [Census(loaded, bets, n, decks, units, on) for n in cards_left]
    find = _kept if cache else _figures
    of_each = [comb(one.cards_left + polynomials.VALUES, polynomials.VALUES) for one in censuses]
    rows, before = [], 0
    for one, compositions in zip(censuses, of_each, strict=True):
        tick = None if progress is None else _Tick(progress, before, sum(of_each))
        rows.append(find(one, _Wanted(system, histogram, quantiles), workers, tick))
        before += compositions
        if progress:
            progress(before, sum(of_each))
    return pl.DataFrame(rows)


class _Tick:
    """Adds up the compositions of a census's tasks after those of the censuses before it."""

    def __init__(self, progress: Callable[[int, int], None], done: int, of: int) -> None:
        self.progress, self.done, self.of = progress, done, of

    def __call__(self, compositions: int) -> None:
        self.done += compositions
        self.progress(self.done, self.of)


def _names(bets: str | Sequence[str]) -> tuple[str, ...]:
    return (bets,) if isinstance(bets, str) else tuple(dict.fromkeys(bets))


class _Wanted(NamedTuple):
    """What the rows of a census show beside the distribution's own figures."""

    system: System | None
    bins: int | None
    quantiles: bool


_Ticks = Callable[[int], None]


def _figures(one: Census, wanted: _Wanted, workers: int | None, tick: _Ticks | None) -> dict[str, Any]:
    figures = one.law(wanted.quantiles or bool(wanted.bins), workers, wanted.system, tick)
    histogram = figures.pop("histogram", None)
    if not wanted.quantiles:
        figures = {name: figure for name, figure in figures.items() if name not in _QUANTILES}
    return figures | ({"histogram": one.binned(histogram, wanted.bins)} if wanted.bins else {})


def _kept(one: Census, wanted: _Wanted, workers: int | None, tick: _Ticks | None) -> dict[str, Any]:
    """The distribution's figures from the cache, or worked out and put into the cache if it can be written."""
    key = {
        "version": __version__,
        "law": _LAW,
        "game": one.game.only(one.priced).digest,
        "alternatives": [
            [name, {bet: str(units) for bet, units in of.items()}] for name, of in one.alternatives.items()
        ],
        "decks": one.decks,
        "n": one.cards_left,
        "system": wanted.system.to_dict() if wanted.system else None,
        "bins": wanted.bins,
        "quantiles": wanted.quantiles,
    }
    key = json.loads(json.dumps(key))  # as JSON reads it again
    path = cache_folder() / f"census-{digest(key)}.json"
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(path.read_bytes())
        if isinstance(kept, dict) and kept.get("key") == key and _whole_law(one, kept, wanted):
            return dict(kept["figures"])
    figures = _figures(one, wanted, workers, tick)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for stray in path.parent.glob(f".{path.name}.*"):  # half-written by a process that was killed
            stray.unlink(missing_ok=True)
        write_text(path, json.dumps({"key": key, "figures": figures, "digest": digest(figures)}))
    return figures


def _whole_law(one: Census, kept: dict[str, Any], wanted: _Wanted) -> bool:
    """Whether a cache entry has every figure of this distribution, each of its type, with the digest it was written
    with."""
    figures = kept.get("figures")
    if not isinstance(figures, dict) or kept.get("digest") != digest(figures):
        return False
    several = list(one.alternatives) if len(one.alternatives) > 1 else []
    shares = [f"{what}_{name}" for name in several for what in ("best", "bets", "gain")] + ["p_tied"] * bool(several)
    columns = [*_FIGURES, *shares, *(_COUNTED if wanted.system else ()), *(_QUANTILES if wanted.quantiles else ())]
    columns += ["histogram"] * bool(wanted.bins)
    histogram = figures.get("histogram", [])
    return (
        list(figures) == columns
        and figures["cards_left"] == one.cards_left
        and isinstance(figures["max_composition"], str)
        and all(_is_figure(figures[name], name) for name in columns if name not in ("max_composition", "histogram"))
        and isinstance(histogram, list)
        and len(histogram) == (wanted.bins or 0)
        and all(
            isinstance(row, dict) and list(row) == ["edge_from", "probability"] and all(map(_is_figure, row.values()))
            for row in histogram
        )
    )


def _is_figure(value: object, name: str = "") -> bool:
    """Whether this is a finite number, or None in a column that may be null."""
    if name == "cards_left":
        return type(value) is int
    return (isinstance(value, float) and isfinite(value)) or (value is None and name == "mean_positive_edge")
