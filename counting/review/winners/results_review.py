"""Results alone: do they fit the exact chances of the game, and is their order random?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, sqrt
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np
import polars as pl

from counting.arrays import Bools, Floats, Ints
from counting.cards import MOST_DECKS
from counting.errors import InputError, whole
from counting.games import Game, as_game
from counting.logs import Log, decks_by_shoe, shoe_numbers, shoe_starts
from counting.numbers import many
from counting.review.coverage import ALLOWED, MISFITS, LogPart, allowed_share, coups_part, too_much
from counting.review.shifts import Shifts
from counting.review.significance import chi_squared_tail, holm, refuse_level, sequential_p
from counting.review.winners.dealt import dealt_shoes
from counting.review.winners.features import FEATURES, Feature, has_no_ties, logged_features, only_marks
from counting.review.winners.order import FIRST_DRAWS, LENGTHS, Order
from counting.review.winners.plan import Plan
from counting.simulation import MOST_SEED, Dealing

LEVEL, DRAWS, ENOUGH = 0.01, 9999, 20
LEAST = 50  # a table, dealer or shift with fewer coups is not tested
LARGE = 1000  # if every expected count is at least this, the p-value is from the chi-squared distribution
_FIRST_BATCH = 200
_CELLS = 1 << 20  # the most results that a batch of draws holds; a batch of four draws may hold more
_FIRST_CELLS = 20 * _CELLS  # the most results in the draws for means and spreads, except in very long logs
ALL = "all"
ORDER_TESTS = ("changes", "streaks", "longest streak", "repeat")


@dataclass(frozen=True, init=False)
class ResultsSettings:
    """Settings of the review.

    - `level`: the level of all tests together
    - `seed`: the seed of the draws
    - `change`: how large a change in a chance the plan should be able to detect
    - `shifts`: the parts of the day by which results are counted

    Raises `InputError` for a level, seed or change out of range."""

    level: float
    seed: int
    change: float
    shifts: Shifts

    def __init__(self, level: float = LEVEL, seed: int = 1, change: float = 0.01, shifts: Shifts | None = None) -> None:
        refuse_level(level)
        if not (isinstance(change, int | float) and 0.0001 <= change <= 0.05):
            raise InputError(f"change: {change!r}, should be from 0.0001 to 0.05")
        seed = whole(seed, "seed", 0, MOST_SEED)
        vars(self).update(level=level, seed=seed, change=float(change), shifts=shifts or Shifts())


class ResultTest(NamedTuple):
    """A test of a feature's counts, or of the order of results.

    - `by` and `group`: "all" for all coups; otherwise "table", "dealer" or "shift", and its name
    - `coups`: the number of coups tested
    - `p`: the p-value; `how`: how it was worked out
    - `p_holm`: the p-value adjusted for all tests (Holm's method)"""

    test: str
    by: str
    group: str
    coups: int
    p: float
    how: str
    p_holm: float = 1.0
    flagged: bool = False


class _Group(NamedTuple):
    by: str
    name: str
    rows: Bools


@dataclass(frozen=True, eq=False)
class ResultsReview:
    """What results alone show.

    - `tests`: the tests, the smallest p-value first
    - `counts`: a row for each category of each feature: first over all coups, then for each table, dealer and shift, if
      there are at least two of them. A row gives the observed count, the expected count, and the difference in standard
      deviations for independent coups. There is no row for the categories "no pair" and "no natural", and none for
      groups with fewer than `LEAST` coups.
    - `streaks`: how many streaks of each length came, and how many come on average in random arrangements
    - `missing`: the number of gaps in the coups' numbers; 0 if ties are not logged
    - `too_long`: the number of shoes whose last coup has a higher number than their decks allow
    - `contradictions`: lines whose winner or natural contradicts the recorded totals
    - `marks`: features whose blanks are read as "no"
    - `left_out`: what was not tested, and why
    - `allowed`: the largest share of coups or winners that may be unread"""

    game: Game
    decks: int
    settings: ResultsSettings
    log: Log
    coups: pl.DataFrame
    order: Order
    tests: Sequence[ResultTest]
    counts: pl.DataFrame
    streaks: pl.DataFrame
    features: Sequence[Feature]
    missing: int
    too_long: int
    contradictions: pl.DataFrame
    marks: Sequence[str]
    left_out: Sequence[str]
    allowed: float = ALLOWED

    @cached_property
    def unread(self) -> Sequence[LogPart]:
        """The parts of the log of which too much cannot be used. With any, there is no verdict."""
        read, winners = self.log.coups.height, self.log.remarked("winner")
        long = f"shoes with more coups than {many(self.decks, 'deck')} can have"
        parts = [
            coups_part(self.log, read, self.log.skipped.get("coups", 0)),
            LogPart("winners not read", winners, read),
            LogPart(long, self.too_long, self.shoes, MISFITS),
        ]
        return too_much(parts, self.allowed)

    @property
    def flagged(self) -> Sequence[ResultTest]:
        return [test for test in self.tests if test.flagged]

    @cached_property
    def shoes(self) -> int:
        return len(self.order.starts) - 1

    @property
    def has_ties(self) -> bool:
        """Whether ties are logged."""
        return not has_no_ties(self.coups)

    @cached_property
    def longest_streak(self) -> int:
        """The longest streak of one side, ties aside."""
        return int(self.order.streaks(self.order.codes[np.newaxis])[2][0])

    @cached_property
    def plan(self) -> Plan:
        """How many coups it takes to detect a fault."""
        return Plan(
            self.game.tableau, self.decks, self.features, self.settings.change, self.settings.level, len(self.tests)
        )


def review_results(
    log: Log,
    game: Game | str | Path,
    decks: int,
    settings: ResultsSettings | None = None,
    allow_unread: float = ALLOWED,
) -> ResultsReview:
    """Test the results of a log, with or without cards. `allow_unread`: the largest share of coups or winners that may
    be unread (see `ResultsReview.unread`). Raises `InputError` for a log without winners, and for decks or a share out
    of range."""
    game, decks = as_game(game), whole(decks, "decks", 1, MOST_DECKS)
    allowed = allowed_share(allow_unread)
    return replace(_Reviewing(log, game, decks, settings or ResultsSettings()).review, allowed=allowed)


class _Reviewing:
    """The tests of a log, while they are made."""

    def __init__(self, log: Log, game: Game, decks: int, settings: ResultsSettings) -> None:
        self.log, self.game, self.decks, self.settings = log, game, decks, settings
        self.coups = log.coups.filter(pl.col("winner").is_not_null())
        if not self.coups.height:
            raise InputError(
                "the log has no winner that can be read: should have a column winner, as player, banker, tie or P, B, T"
            )
        self.features = logged_features(self.coups)
        self.shoe = shoe_numbers(self.coups)
        self.starts = shoe_starts(self.shoe)
        of_shoe = decks_by_shoe(self.coups, self.starts, decks)
        self.dealt = {
            number: dealt_shoes(game.tableau, number, settings.seed) for number in np.unique(of_shoe).tolist()
        }
        self.decks_of = of_shoe
        self.left_out: list[str] = []
        others = [each.title for each in FEATURES[1:] if self.coups[each.name].count()]
        if has_no_ties(self.coups) and others:
            self.left_out.append(f"{', '.join(others)} (the exact chances are for all coups, but ties are not logged)")

    @property
    def review(self) -> ResultsReview:
        order = self._order()
        tests, counts = self._counted()
        of_order, streaks = self._ordered(order)
        tests += of_order
        adjusted = holm(np.array([test.p for test in tests]))
        level = self.settings.level
        tests = [
            test._replace(p_holm=float(p), flagged=bool(p <= level)) for test, p in zip(tests, adjusted, strict=True)
        ]
        return ResultsReview(
            self.game, self.decks, self.settings, self.log, self.coups, order,
            sorted(tests, key=lambda test: test.p), counts, streaks, self.features,
            int((~order.follows).sum()) - len(self.starts), self._too_long, contradictions(self.coups),
            [each.name for each in self.features if len(each.categories) == 2 and only_marks(self.coups, each.name)],
            self.left_out,
        )  # fmt: skip

    def _order(self) -> Order:
        coup = self.coups["coup"].to_numpy().astype(np.int64)
        first = np.diff(self.shoe, prepend=-1) != 0
        follows = ~first & ((np.diff(coup, prepend=0) == 1) | has_no_ties(self.coups))  # a gap may be an unlogged tie
        table = self.coups["table"].gather(self.starts).to_physical().to_numpy()
        before = np.full(len(self.starts), -1)
        before[1:] = np.where(table[1:] == table[:-1], np.arange(len(self.starts) - 1), -1)
        return Order(self.features[0].logged(self.coups).astype(np.int8), self.shoe, before[self.shoe], follows)

    @property
    def _too_long(self) -> int:
        last = self.coups["coup"].gather(np.append(self.starts[1:], self.coups.height) - 1).to_list()
        most = {decks: Dealing(decks, 0).most_coups for decks in self.dealt}
        return sum(coup > most[decks] for coup, decks in zip(last, self.decks_of.tolist(), strict=True))

    # Counts

    @property
    def _groups(self) -> list[_Group]:
        groups = [_Group(ALL, ALL, np.ones(self.coups.height, bool))]
        shift = self.settings.shifts.of(self.coups["time"])
        for by, names_of in {"table": self.coups["table"], "dealer": self.coups["dealer"], "shift": shift}.items():
            texts = names_of.cast(pl.String)
            each = texts.drop_nulls().unique(maintain_order=True).to_list()
            if len(each) > 1:
                groups += [_Group(by, name, (texts == name).fill_null(False).to_numpy()) for name in each]
        return groups

    def _counted(self) -> tuple[list[ResultTest], pl.DataFrame]:
        """The tests of counts, and the counts."""
        tests, rows, small = [], [], dict[str, int]()
        for feature in self.features:
            codes = feature.logged(self.coups)
            for group in self._groups:
                known = group.rows & (codes >= 0)
                coups = int(known.sum())
                if coups < LEAST and group.by != ALL:
                    small[group.by] = small.get(group.by, 0) + 1
                    continue
                if not coups:
                    continue
                sizes = np.bincount(self.shoe[known], minlength=len(self.starts))
                came = np.bincount(codes[known], minlength=len(feature.categories))
                expected, spread = self._expected(feature, sizes)
                rows += _rows(feature, group, came, expected)
                p, how = self._p(feature, sizes, came - expected, expected, spread)
                tests.append(ResultTest(feature.name, group.by, group.name, coups, p, how))
        for by, number in small.items():
            self.left_out.append(f"tests by {by} with fewer than {LEAST} coups ({number:,} in all)")
        return tests, pl.DataFrame(rows, infer_schema_length=None)

    def _expected(self, feature: Feature, sizes: Ints) -> tuple[Floats, Floats]:
        """The exact expected counts if shoes have `sizes` coups, and the covariance of the counts without the last
        category."""
        expected, spread = np.zeros(len(feature.categories)), np.zeros((len(feature.categories) - 1,) * 2)
        for decks, dealt in self.dealt.items():
            numbers, often = np.unique(sizes[(self.decks_of == decks) & (sizes > 0)], return_counts=True)
            expected += float(numbers @ often) * dealt.chances(feature)
            for number, times in zip(numbers.tolist(), often.tolist(), strict=True):
                spread += times * dealt.moments(feature, number)[1]
        return expected, spread

    def _p(self, feature: Feature, sizes: Ints, off: Floats, expected: Floats, spread: Floats) -> tuple[float, str]:
        """Two values. The first is the chance that counts are at least this far from the expected counts, in shoes that
        are dealt by the rules. The second says how this chance was worked out."""
        inverse = np.linalg.pinv(spread, hermitian=True)
        far = float(off[:-1] @ inverse @ off[:-1])
        if expected.min() >= LARGE:
            return chi_squared_tail(far, len(off) - 1), "chi-squared"

        def is_far(draws: int, rng: np.random.Generator) -> list[Bools]:
            counts = np.zeros((draws, len(off) - 1))
            for decks, dealt in self.dealt.items():
                some = sizes[(self.decks_of == decks) & (sizes > 0)]
                if len(some):
                    counts += dealt.drawn(feature, some, draws, rng)
            return [np.asarray(np.einsum("ij,jk,ik->i", counts, inverse, counts) >= far * (1 - 1e-9))]

        return self._sequential(is_far, 1, int((sizes > 0).sum()))[0], "dealt"

    def _sequential(
        self, are_far: Callable[[int, np.random.Generator], Sequence[Bools]], tests: int, cells: int
    ) -> list[float]:
        """The p-values of tests that share their draws, in batches. A test ends once `ENOUGH` draws are at least as
        extreme as the log."""
        rng, drawn, batch = self._random(), 0, _FIRST_BATCH
        far, p = [0] * tests, [0.0] * tests
        while drawn < self._draws and not all(p):
            batch = max(1, min(batch, self._draws - drawn, max(4, _CELLS // max(1, cells))))
            for at, is_far in enumerate(are_far(batch, rng)):
                hits = np.flatnonzero(is_far)
                if not p[at] and far[at] + len(hits) >= ENOUGH:
                    p[at] = sequential_p(ENOUGH, drawn + int(hits[ENOUGH - far[at] - 1]) + 1, ENOUGH)
                far[at] += len(hits)
            drawn, batch = drawn + batch, 2 * batch
        return [ended or sequential_p(number, drawn) for ended, number in zip(p, far, strict=True)]

    def _random(self, *more: int) -> np.random.Generator:
        """Random numbers that depend on the seed and on this log, so that other logs have other draws."""
        return np.random.default_rng([self.settings.seed, self._key, *more])

    @cached_property
    def _key(self) -> int:
        return crc32(self.features[0].logged(self.coups).astype(np.int8).tobytes())

    @cached_property
    def _draws(self) -> int:
        """The number of draws: enough for Holm's method to flag the smallest p-value, and at least `DRAWS`."""
        tests = len(self._groups) * len(self.features) + len(ORDER_TESTS)
        return max(DRAWS, ceil(2 * tests / self.settings.level))

    # Order

    def _ordered(self, order: Order) -> tuple[list[ResultTest], pl.DataFrame]:
        """The tests of the order of results, and the table of streaks."""
        came, lengths, longest_came = order.streaks(order.codes[np.newaxis])
        draws = min(max(_FIRST_CELLS // len(order.codes), FIRST_DRAWS // 5), FIRST_DRAWS)
        batches = max(1, min(draws, draws * len(order.codes) // _CELLS))
        rng = self._random(1)
        first = [order.streaks(order.arranged(draws // batches, rng)) for _ in range(batches)]
        changes, numbers = (np.concatenate([each[at] for each in first]) for at in (0, 1))
        streaks = pl.DataFrame({
            "length": [f"{at}" for at in range(1, LENGTHS)] + [f"{LENGTHS} or more"],
            "came": lengths[0], "expected": numbers.mean(axis=0),
        })  # fmt: skip
        if not changes.std():
            self.left_out.append("the order of results, because no shoe has enough coups whose places can change")
            return [], streaks
        middle, mean = changes.mean(), numbers.mean(axis=0)
        inverse = np.linalg.pinv(np.cov(numbers.T), hermitian=True)

        def square(of: Ints) -> Floats:
            return np.asarray(np.einsum("ij,jk,ik->i", of - mean, inverse, of - mean))

        repeat = order.longest_repeat

        def are_far(draws: int, rng: np.random.Generator) -> list[Bools]:
            codes = order.arranged(draws, rng)
            changes, numbers, longest = order.streaks(codes)
            far = [
                np.abs(changes - middle) >= abs(came[0] - middle) - 1e-9,
                square(numbers) >= square(lengths)[0] * (1 - 1e-9),
                longest >= longest_came[0],
            ]
            return far if repeat is None else [*far, order.has_repeat(codes, repeat.coups)]

        names = ORDER_TESTS if repeat is not None else ORDER_TESTS[:-1]
        p = self._sequential(are_far, len(names), len(order.codes))
        coups = self.coups.height
        return [
            ResultTest(name, ALL, ALL, coups, each, "arranged") for name, each in zip(names, p, strict=True)
        ], streaks


def _rows(feature: Feature, group: _Group, came: Ints, expected: Floats) -> list[dict[str, object]]:
    coups = int(came.sum())
    shown = len(came) if len(came) > 2 or feature.name == "winner" else 1
    return [
        {
            "by": group.by, "group": group.name, "what": feature.name, "category": feature.categories[at],
            "coups": coups, "came": int(came[at]), "expected": float(expected[at]),
            "z": float((came[at] - expected[at]) / sqrt(expected[at] * (1 - expected[at] / coups))),
        }
        for at in range(shown)
    ]  # fmt: skip


def contradictions(coups: pl.DataFrame) -> pl.DataFrame:
    """The lines whose recorded winner or natural contradicts their recorded totals.

    The columns are `line`, `table`, `shoe`, `coup`, `dealer`, `winner`, `player_total` and `banker_total`."""
    player, banker, won = pl.col("player_total"), pl.col("banker_total"), pl.col("winner").cast(pl.String)
    by_totals = (
        pl.when(player > banker)
        .then(pl.lit("player"))
        .when(player < banker)
        .then(pl.lit("banker"))
        .otherwise(pl.lit("tie"))
    )
    both = player.is_not_null() & banker.is_not_null()
    wrong = both & ((won != by_totals) | (pl.col("natural").fill_null(False) & (pl.max_horizontal(player, banker) < 8)))
    return coups.filter(wrong).select(
        "line", pl.col("table", "shoe").cast(pl.String), "coup", pl.col("dealer").cast(pl.String), won.alias("winner"),
        "player_total", "banker_total",
    )  # fmt: skip
