"""Censuses: the distribution of a bet's edge for each number of unseen cards. Results are kept in the user's cache
folder.

`counting.exact.distributions` computes the distributions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from math import comb, isfinite
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from counting.errors import InputError, several, texts, whole
from counting.exact import polynomials
from counting.exact.distributions import BINS, COUNTED, FIGURES, QUANTILE_NAMES, Census
from counting.games import Game, as_game, units_of
from counting.io.outputs import clear_temporary, write_text
from counting.io.toml import digest
from counting.systems import System, as_system
from counting.version import __version__
from counting.workers import threads

_LAW = 5  # version of the results in the cache


def cache_folder() -> Path:
    """The folder in which results are kept. The environment variable COUNTING_CACHE names it; by default it is
    `counting` in the user's cache folder."""
    named = os.environ.get("COUNTING_CACHE")
    return Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "counting"


def census(
    game: Game | str | Path,
    bet: str | Sequence[str],
    cards_left: int | Iterable[int],
    decks: int | None = None,
    workers: int | None = None,
    cache: bool = True,
    system: System | str | Path | None = None,
    *,
    tie_in: int | float | str | Fraction | Decimal | None = None,
    main: str | Sequence[str] | None = None,
    histogram: int | None = None,
    quantiles: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> pl.DataFrame:
    """The exact distribution of a bet's edge: one row for each number of unseen cards in `cards_left`, from 6 to 60.

    `cards_left` may be a single number too. The cards are left from a full shoe of `decks` decks; the default is the
    game's number of decks.

    Columns:

    - cards_left
    - p_positive and p_zero: the probabilities that the edge is positive and that it is zero
    - mean_edge: the mean edge, which is the full shoe's edge at every depth; sd: the edge's standard deviation
    - mean_positive_part: the expected win per coup of perfect play; mean_positive_edge: the mean edge when it is
      positive, null if it never is
    - max_edge: the largest edge, attained by max_composition
    - q01 to q99, unless `quantiles` is false: quantiles, correct to within half a bin, which is 1/131072 of the range
      of edges

    With several bets, the edge is the largest of the bets' edges: the counter puts one unit on the best bet.

    With a main-bet requirement `tie_in` of r units, each unit on the bet needs r units on the `main` bets, where r is 0
    to 1,000, as a decimal or a fraction. The counter puts these units on the best main bet. The edge in the table is
    then the side bet's edge + r * max(main edges), which is the expected profit per unit staked on the side bet. The
    main bets are by default the game's `main_bets`; "player", "banker" and "tie" name them.

    With two or more bets to choose from (with a `tie_in`, two or more main bets), mean_edge is not the full shoe's
    edge, and there are three more columns for each of these bets:

    - best_BET: the probability that the bet is the best (if several are equally good, the first of them); the sum over
      the bets is 1
    - bets_BET: the probability that the bet is the best and positive, so that the counter makes it; the sum is
      p_positive
    - gain_BET: the expected win per coup on the bet; the sum is mean_positive_part

    p_tied is the probability that two or more bets are equally best. The probability that both of two bets are positive
    follows from three censuses: one of each bet, and one of the two bets together. Add p_positive of the first two
    censuses, and subtract p_positive of the third.

    A counting system, which must count by value, adds columns for a counter who uses it. count_bets and count_gain are
    the bet frequency and the win per coup at the system's trigger. best_trigger is the best of the scored triggers, and
    best_count_gain is the win per coup at best_trigger. If the lowest or the highest of the scored triggers is the
    best, all whole triggers are searched too, and best_trigger may be one of them. most_count_gain is the most that the
    count wins at any trigger. Divide a gain by mean_positive_part for the betting efficiency. The counter does not know
    which main bet is best, so with a system, a `tie_in` must be on one main bet.

    `histogram`, a number of bins from 1 to 65,536, adds a column with the whole distribution in this number of bins.
    The bins have equal widths, to within a 65,536th of the range of edges. The column holds a list of bins, each with
    edge_from (the bin's lower end) and probability; unpack it with `.explode("histogram").unnest("histogram")`.
    `progress` is called with the number of compositions visited so far and the number of all compositions.

    Results are kept in `cache_folder()`, and read from there the next time, unless `cache` is false. The key of a
    result is the digest of the game, the bets, the decks, the cards left and everything else that changes the result.

    Raises `InputError` for

    - no bet, an unknown bet, and a bet on ranks or suits
    - odds that are too fine to compare exactly, alone or together with the `tie_in`
    - a `tie_in` above 0 with several bets or without main bets, and `main` without a `tie_in`
    - a system for other bets, a system that counts ranks or suits, and a system with two or more bets to choose from
    - numbers of cards, decks, units, bins or workers out of range

    >>> from counting.exact import census
    >>> census("ez-baccarat", "dragon-7", [6], cache=False)["p_positive"].round(6).item()
    0.335049
    """
    loaded = as_game(game)
    decks = loaded.decks if decks is None else decks
    loaded, bets = loaded.asked(several(bet, "bets"))
    units = Fraction() if tie_in is None else units_of(tie_in)
    if main is not None and tie_in is None:
        raise InputError(f"main {', '.join(map(str, _names(main)))}: needs a main-bet requirement (tie_in), as 1")
    on = loaded.mains(None if main is None else _names(main))
    loaded = loaded.also(on)
    if histogram is not None:
        histogram = whole(histogram, "histogram", 1, BINS - 1)
    counter = None if system is None else as_system(system)
    threads(workers)  # a mistake is reported before the work begins
    depths = cards_left if isinstance(cards_left, Iterable) else (cards_left,)
    censuses = [Census(loaded, bets, n, decks, units, on) for n in depths]
    find = _kept if cache else _figures
    of_each = [comb(distribution.cards_left + polynomials.VALUES, polynomials.VALUES) for distribution in censuses]
    rows, before = [], 0
    for distribution, compositions in zip(censuses, of_each, strict=True):
        tick = None if progress is None else _Tick(progress, before, sum(of_each))
        rows.append(find(distribution, _Wanted(counter, histogram, quantiles), workers, tick))
        before += compositions
        if progress:
            progress(before, sum(of_each))
    return pl.DataFrame(rows)


class _Tick:
    """Reports progress over several censuses. It adds the compositions visited in this census to the compositions of
    the earlier censuses."""

    def __init__(self, progress: Callable[[int, int], None], done: int, of: int) -> None:
        self.progress, self.done, self.of = progress, done, of

    def __call__(self, compositions: int) -> None:
        self.done += compositions
        self.progress(self.done, self.of)


def _names(bets: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts(bets, "main")))


class _Wanted(NamedTuple):
    """What a user wants in the rows of a census besides the figures of the distribution."""

    system: System | None
    bins: int | None
    quantiles: bool


_Ticks = Callable[[int], None]
_HOUR = 3600  # seconds; another process may still be using a temporary file in the cache that is younger than this


def _figures(distribution: Census, wanted: _Wanted, workers: int | None, tick: _Ticks | None) -> dict[str, Any]:
    figures = distribution.figures(wanted.quantiles or bool(wanted.bins), workers, wanted.system, tick)
    histogram = figures.pop("histogram", None)
    if not wanted.quantiles:
        figures = {name: figure for name, figure in figures.items() if name not in QUANTILE_NAMES}
    return figures | ({"histogram": distribution.binned(histogram, wanted.bins)} if wanted.bins else {})


def _kept(distribution: Census, wanted: _Wanted, workers: int | None, tick: _Ticks | None) -> dict[str, Any]:
    """The distribution's figures, read from the cache. If the cache does not have them, they are computed and, if
    possible, written into the cache."""
    key = {
        "version": __version__,
        "law": _LAW,
        "game": distribution.game.only(distribution.priced).digest,
        "alternatives": [
            [name, {bet: str(units) for bet, units in of.items()}] for name, of in distribution.alternatives.items()
        ],
        "decks": distribution.decks,
        "n": distribution.cards_left,
        "system": wanted.system.to_dict() if wanted.system else None,
        "bins": wanted.bins,
        "quantiles": wanted.quantiles,
    }
    key = json.loads(json.dumps(key))  # as JSON reads it back, so that it can be compared with a key from a file
    path = cache_folder() / f"census-{digest(key)}.json"
    with suppress(OSError, ValueError, RecursionError):
        kept = json.loads(path.read_bytes())
        if isinstance(kept, dict) and kept.get("key") == key and _whole_law(distribution, kept, wanted):
            return dict(kept["figures"])
    figures = _figures(distribution, wanted, workers, tick)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        clear_temporary(path.parent, _HOUR)
        write_text(path, json.dumps({"key": key, "figures": figures, "digest": digest(figures)}))
    return figures


def _whole_law(distribution: Census, kept: dict[str, Any], wanted: _Wanted) -> bool:
    """Whether a cache entry is complete: its digest fits, and it has every figure of this distribution, of the right
    type."""
    figures = kept.get("figures")
    if not isinstance(figures, dict) or kept.get("digest") != digest(figures):
        return False
    several = list(distribution.alternatives) if len(distribution.alternatives) > 1 else []
    shares = [f"{what}_{name}" for name in several for what in ("best", "bets", "gain")] + ["p_tied"] * bool(several)
    columns = [*FIGURES, *shares, *(COUNTED if wanted.system else ()), *(QUANTILE_NAMES if wanted.quantiles else ())]
    columns += ["histogram"] * bool(wanted.bins)
    histogram = figures.get("histogram", [])
    return (
        list(figures) == columns
        and figures["cards_left"] == distribution.cards_left
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
