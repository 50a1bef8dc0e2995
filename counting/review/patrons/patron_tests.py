"""Tests of the patrons of a log: whose stakes follow the edge, and who knows the coming cards.

For each patron and bet, a test asks whether the stakes follow the edge (`edge_following`). For each patron, another
test asks whether the patron knows the coming cards (`foreknowledge`). All tests of one kind together get half of the
level (`significance`).

If stakes follow the edge, two questions remain. Do the cards of one value explain it? The same test is done again for
each point value, with the hands that have a card of this value kept in place (`one_value`). And which count do the
stakes follow (`named_count`)?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import polars as pl

from counting.arrays import Floats, Int32s, Ints
from counting.cards import DECK, Knows
from counting.errors import whole_field
from counting.exact import required_detail
from counting.logs import Log
from counting.review.patrons.arrangements import Arrangements, stream
from counting.review.patrons.best_count import Counts
from counting.review.patrons.edge_following import ARRANGED, NOTHING, EdgeTest, Scored, tiers
from counting.review.patrons.informed import Informed, informed
from counting.review.patrons.kept_edges import KeptEdges
from counting.review.patrons.named_count import PricedStakes, named_count
from counting.review.patrons.patron_stakes import PatronStakes, stakes_of
from counting.review.patrons.permutation_test import PermutationTest, beyond
from counting.review.patrons.streamed_edges import streamed
from counting.review.significance import FAMILIES, holm, refuse_level
from counting.review.unseen_cards import UnseenCards, unseen_edges
from counting.review.winning_streaks import Streaks
from counting.simulation import MOST_SEED
from counting.systems import System
from counting.workers import in_threads

Progress = Callable[[int, int], object]
FOLLOWS, KNOWS = "follows the edge", "knows the coming cards"
_MOST_DRAWN = 10**7
_AS_EXPLANATION = 1000  # sums drawn for a test that is only an explanation
KEPT = 1 << 24  # the most edges of a bet over all arrangements that are kept at a time
_MOST_TOGETHER = 1 << 25  # the most edges of bets that are priced together: 268 MB, nearly all in a temporary file
TOGETHER = 8  # patrons in the same shoes that one thread tests
_NOTABLE = 2.0  # permutation tests are made only for a `z` above this
_SHOES = 100  # tests with the hands of one value kept in place use at most this number of a patron's first shoes
_VALUES = range(10)


@dataclass(frozen=True)
class PatronSettings:
    """How patrons are tested. `level`: the largest allowed chance that the log's tests flag any patron who bets by the
    record alone. `seed`: the seed of the random draws. Raises `InputError` if either is out of range."""

    level: float = 0.01
    seed: int = 1
    systems: tuple[System, ...] = ()  # counts to look for, besides the library's counts for the bet

    def __post_init__(self) -> None:
        refuse_level(self.level)
        whole_field(self, "seed", "seed", 0, MOST_SEED)

    def most(self, tests: int) -> int:
        """The most sums to draw for each of `tests` tests. It is 10,000, or more if a single test could not be flagged
        otherwise, but at most 10 million."""
        return min(max(10_000, ceil(3 * tests / self.level)), _MOST_DRAWN)


PATRONS = {
    "patron": pl.String, "bet": pl.String, "shoes": pl.Int64, "coups": pl.Int64, "bets": pl.Int64,
    "staked": pl.Float64, "won": pl.Float64, "gain": pl.Float64, "gain_units": pl.Float64,
    "edge": pl.Float64, "edge_random": pl.Float64, "edge_counter": pl.Float64,
    "p_follows": pl.Float64, "least_p": pl.Float64, "excess": pl.Float64,
    "p_knows": pl.Float64, "evidence": pl.Float64, "knows_by": pl.String, "flagged_with": pl.String,
    "p_one_value": pl.Float64, "one_value": pl.Int64,
    "random": pl.Float64, "z": pl.Float64, "p_within": pl.Float64, "p_across": pl.Float64, "p_results": pl.Float64,
    "correlation": pl.Float64, "on_positive": pl.Float64, "coups_positive": pl.Float64, "count_used": pl.String,
    "trigger": pl.Float64, "bets_at_trigger": pl.Float64, "coups_at_trigger": pl.Float64, "p_count": pl.Float64,
    "edge_count": pl.Float64,
}  # fmt: skip


def patrons(
    log: Log, arrangements: Arrangements, settings: PatronSettings, progress: Progress | None = None
) -> tuple[pl.DataFrame, Informed]:
    """One row per patron and bet, the smallest `p_holm` first; and who knows the coming cards.

    `progress` is called with the number of steps done and the number of all steps. A step is a shoe in the tests of
    knowledge, or a shoe in the tests of one bet. The columns are:

    Play, in the shoes in which the patron made any bet:

    - `coups` and `shoes`: how many coups can be priced, and in how many shoes they are
    - `bets`: the number of coups with a stake on this bet
    - `staked` and `won`, in money: the stakes and the actual win; `won` is null if some result is not logged
    - `gain`, in money: the sum of stake times edge over the coups that can be priced
    - `gain_units`: the gain in units of the mean stake

    Size of the edge:

    - `edge`: the mean edge of the stakes
    - `edge_random`: the mean edge of stakes at random times, on any coups of the log
    - `edge_counter`: the mean edge of a perfect counter who makes equal bets in the same shoes, on every coup with a
      positive edge; null if no edge is positive

    Do the stakes follow the edge?

    - `p_follows` and `least_p`: the p-value and its least possible value
    - `excess`: how far the observed sum is above its mean, in standard deviations
    - `can_be_flagged`: whether this test can flag the row; false with too few shoes for the number of tests

    If `p_follows` is at most the level:

    - `p_one_value` and `one_value`: the largest p-value over the tests that keep the hands of one point value in place,
      and this value
    - `beyond_one_value`: whether the stakes follow the edge more than the cards of one value explain
    - the fields of `named_count`: the count that the stakes follow, if one is named

    Does the patron know the coming cards? These columns are the same on each row of the patron:

    - `evidence`: the decimal logarithm of E (see `foreknowledge`)
    - `p_knows`: 1 / E, at most 1
    - `knows_by`: what the patron knows, in words; null if `evidence` is 0 or below

    Verdict:

    - `p`: the smaller of the two p-values
    - `p_holm`: the least level of all tests of the log together at which the row would be flagged
    - `flagged` and `flagged_for`: whether the row is flagged, and why
    - `flagged_with`: the other members of the patron's flagged team; null if there is none

    The last columns are no evidence, since stakes and edges both drift within a shoe:

    - `random`: the gain of the same stakes at random times within the same shoes
    - `z`: how far `gain` is above `random`, in standard deviations
    - `p_within`, `p_across` and `p_results`, if z is above 2: the p-values of three permutation tests
      (`permutation_test`)
    - `correlation`: the correlation of stake and edge within shoes
    - `on_positive` and `coups_positive`: the share of the stakes that are on coups with a positive edge, and the share
      of the coups that have a positive edge"""
    unseen, game = arrangements.unseen, arrangements.game
    staked = list(stakes_of(log, unseen, game))
    most = settings.most(FAMILIES * len(staked))
    results, counts = Streaks(log, unseen, game), Counts(unseen, settings.systems)
    by_bet: dict[str, list[PatronStakes]] = {}
    for patron_stakes in staked:
        by_bet.setdefault(patron_stakes.bet, []).append(patron_stakes)
    shoes = [_number_of_shoes(each) for each in (staked, *by_bet.values())]
    steps = _Steps(progress, sum(shoes))
    knowing = informed(log, unseen, game, staked, settings.level, steps.within(shoes[0]))
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    arrangements.seen = steps.within(sum(shoes[1:]))
    tested = _edge_tests(by_bet, arrangements, most, settings.seed)
    for bet, of_bet in by_bet.items():
        watched = _one_value(of_bet, tested[bet], arrangements, most, settings)
        edge = unseen_edges(unseen, game, bet)
        described = _described(of_bet, edge, results.of(bet), unseen, settings.seed)
        for own, result, of_value, row in zip(of_bet, tested[bet], watched, described, strict=True):
            row |= {"p_follows": result.p, "least_p": result.least_p, "excess": result.excess}
            row |= of_value | _knows(knowing, own.patron)
            if result.p <= settings.level:
                row |= _count_followed(own, edge, row["edge_random"], arrangements, counts, settings.seed)
            rows[own.patron, own.bet] = row
    steps.within(0)
    frame = pl.DataFrame([rows[patron_stakes.patron, patron_stakes.bet] for patron_stakes in staked], schema=PATRONS)
    return beyond_one_value(flagged(frame, knowing, settings.level), settings.level), knowing


class _Steps:
    """Counts the steps done in several parts. The most steps that a part can have are known when it begins."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress, self._total, self._end = progress, total, 0

    def within(self, most: int) -> Callable[[int], None]:
        """Begin a part of at most `most` steps. All earlier parts are then done. The returned function is to be called
        with the number of steps done since its last call."""
        first = done = self._end
        self._end += most
        self._tell(first)

        def seen(steps: int) -> None:
            nonlocal done
            done = min(done + steps, first + most)
            self._tell(done)

        return seen

    def _tell(self, done: int) -> None:
        if self._progress is not None and self._total:
            self._progress(done, self._total)


def _number_of_shoes(staked: Sequence[PatronStakes]) -> int:
    return len(np.unique(np.concatenate([each.shoes for each in staked]))) if staked else 0


def _knows(knowing: Informed, patron: str) -> dict[str, Any]:
    """A patron's columns on knowledge of the coming cards."""
    found = knowing.evidence[patron]
    team = knowing.team_of(patron)
    return {
        "p_knows": found.p,
        "evidence": found.log10,
        "knows_by": f"most by {found.channel}" if found.log10 > 0 else None,
        "flagged_with": ", ".join(one for one in team.patrons if one != patron) if team is not None else None,
    }


def _edge_tests(
    staked: Mapping[str, Sequence[PatronStakes]], arrangements: Arrangements, most: int, seed: int
) -> dict[str, list[EdgeTest]]:
    """The test of each patron on each bet. `staked`: by bet, what the patrons staked.

    Shoes are priced once for all patrons whose tests draw the same number of arrangements, and once for all bets with
    such patrons in the same shoes. If there are too many edges to keep, patrons with few shoes form groups, and shoes
    are priced once for each group."""
    results = {bet: [NOTHING] * len(of_bet) for bet, of_bet in staked.items()}
    coups = arrangements.unseen.end - arrangements.unseen.start
    together: dict[tuple[Knows, int, bytes], list[tuple[str, list[int]]]] = {}
    for bet, of_bet in staked.items():
        knows = required_detail(arrangements.game.bet(bet))
        for number, places in tiers([one.shoes for one in of_bet]).items():
            edges_in, shoes = coups * (number + 1), [of_bet[i].shoes for i in places]
            if number == ARRANGED and edges_in[np.unique(np.concatenate(shoes))].sum() > KEPT:
                own = [of_bet[i] for i in places]
                streams = [stream(one.patron, bet) for one in own]
                tested = streamed(arrangements, bet, own, number, most, seed, streams)
                for i, result in zip(places, tested, strict=True):
                    results[bet][i] = result
                continue
            for group in ([places[i] for i in group] for group in _groups(shoes, edges_in)):
                these = np.unique(np.concatenate([of_bet[i].shoes for i in group]))
                together.setdefault((knows, number, these.tobytes()), []).append((bet, group))
    for (_, number, packed), groups in together.items():
        these = np.frombuffer(packed, np.int64)
        at_once = max(_MOST_TOGETHER // max(int(coups[these].sum()) * (number + 1), 1), 1)
        for some in (groups[first : first + at_once] for first in range(0, len(groups), at_once)):
            with closing(KeptEdges(arrangements, [bet for bet, _ in some], these, number)) as kept:
                for bet, group in some:
                    for i, result in _tested(Scored(kept.of(bet)), group, staked[bet], most, seed):
                        results[bet][i] = result
    return results


def _tested(
    scored: Scored, places: Sequence[int], staked: Sequence[PatronStakes], most: int, seed: int
) -> Iterator[tuple[int, EdgeTest]]:
    """The tests of the patrons at these `places` in `staked`, each with the patron's place."""

    def tests(alike: Sequence[int]) -> list[EdgeTest]:
        stakes = [staked[i].stakes for i in alike]
        of_draws = [stream(staked[i].patron, staked[i].bet) for i in alike]
        return scored.tests(staked[alike[0]].shoes, stakes, most, seed, of_draws)

    parts = _in_same_shoes(places, staked)
    for alike, results in zip(parts, in_threads(tests, parts), strict=True):
        yield from zip(alike, results, strict=True)


def _in_same_shoes(places: Sequence[int], staked: Sequence[PatronStakes]) -> list[list[int]]:
    """The places of bettors, in groups of a few bettors who bet in the same shoes."""
    by_shoes: dict[bytes, list[int]] = {}
    for i in places:
        by_shoes.setdefault(staked[i].shoes.tobytes(), []).append(i)
    return [alike[first : first + TOGETHER] for alike in by_shoes.values() for first in range(0, len(alike), TOGETHER)]


def _one_value(
    staked: Sequence[PatronStakes],
    follows: Sequence[EdgeTest],
    arrangements: Arrangements,
    most: int,
    settings: PatronSettings,
) -> list[dict[str, Any]]:
    """The columns of `one_value`, for each patron on one bet. They are empty if the stakes do not follow the edge at
    the level.

    The test is done again for each point value, with the hands that have a card of this value kept in place. The value
    with the largest p-value explains the stakes best."""
    places = [i for i, result in enumerate(follows) if result.p <= settings.level]
    bet, first_shoes = staked[0].bet, [staked[i].of_first(_SHOES) for i in places]
    by_value = [
        _edge_tests({bet: first_shoes}, arrangements.holding(value), most, settings.seed)[bet]
        for value in _VALUES
        if first_shoes
    ]
    found: list[dict[str, Any]] = [{} for _ in staked]
    for i, results in zip(places, zip(*by_value, strict=True), strict=True):
        largest = max(_VALUES, key=[result.p for result in results].__getitem__)
        found[i] = {"p_one_value": results[largest].p, "one_value": largest}
    return found


def _groups(shoes: Sequence[Ints], edges_in: Ints) -> list[list[int]]:
    """Groups of bettors. The edges of a group's shoes are few enough to keep, unless the group has only one bettor.
    `shoes` has the shoes of each bettor, and `edges_in` the number of edges in each shoe."""
    groups: list[list[int]] = []
    kept: set[int] = set()
    size = 0
    for i in sorted(range(len(shoes)), key=lambda i: int(shoes[i][0])):
        size += int(edges_in[[shoe for shoe in shoes[i].tolist() if shoe not in kept]].sum())
        if size > KEPT or not groups:
            groups.append([])
            kept, size = set(), int(edges_in[shoes[i]].sum())
        kept.update(shoes[i].tolist())
        groups[-1].append(i)
    return groups


def _described(
    staked: Sequence[PatronStakes], every_edge: Floats, run: Int32s, unseen: UnseenCards, seed: int
) -> list[dict[str, Any]]:
    """For each patron on one bet, the columns on what the patron did, and on what may explain it."""
    usual = None if np.isnan(every_edge).all() else float(np.nanmean(every_edge))

    def described(own: PatronStakes) -> dict[str, Any]:
        priced = _priced(own, every_edge)
        shoe = unseen.shoe[priced.rows]
        return _row(own, priced, shoe, usual) | _explained(own, priced, shoe, run, unseen, seed)

    return list(in_threads(described, staked))


def _row(own: PatronStakes, priced: PricedStakes, shoe: Ints, usual: float | None) -> dict[str, Any]:
    rows, stakes, edge = priced
    bets, total, of_priced = int((own.stakes > 0).sum()), float(own.stakes.sum()), float(stakes.sum())
    gain, positive = float(stakes @ edge), edge > 0
    return {
        "patron": own.patron,
        "bet": own.bet,
        "shoes": int(np.count_nonzero(np.diff(shoe, prepend=-1))),
        "coups": len(rows),
        "bets": bets,
        "staked": total,
        "won": own.won,
        "gain": gain,
        "gain_units": gain / (total / bets) if bets else 0.0,
        "edge": gain / of_priced if of_priced else None,
        "edge_random": usual if len(edge) else None,
        "edge_counter": float(edge[positive].mean()) if positive.any() else None,
        "on_positive": float(stakes @ positive) / of_priced if of_priced else None,
        "coups_positive": float(positive.mean()) if len(rows) else None,
    }


def _priced(patron_stakes: PatronStakes, every_edge: Floats) -> PricedStakes:
    """The stakes at the coups that can be priced. `every_edge` has the edge at every coup of the log."""
    known = ~np.isnan(every_edge[patron_stakes.rows])
    return PricedStakes(patron_stakes.rows[known], patron_stakes.stakes[known], every_edge[patron_stakes.rows[known]])


def _count_followed(
    patron_stakes: PatronStakes,
    every_edge: Floats,
    usual: float | None,
    arrangements: Arrangements,
    counts: Counts,
    seed: int,
) -> dict[str, Any]:
    """The columns on the count that the stakes follow. They are empty if the mean edge of random stakes, `usual`, is
    not known."""
    if usual is None:
        return {}
    staked, random = _priced(patron_stakes, every_edge), stream(patron_stakes.patron, patron_stakes.bet, "count")
    return named_count(patron_stakes.bet, staked, usual, arrangements, counts, seed, random)._asdict()


def _explained(
    own: PatronStakes, priced: PricedStakes, shoe: Ints, run: Int32s, unseen: UnseenCards, seed: int
) -> dict[str, Any]:
    rows, stakes, edge = priced
    usual, p_values = beyond(stakes, edge, shoe), {}
    if usual.z > _NOTABLE:
        dealt, results = DECK * unseen.decks_of[shoe] - unseen.cards[rows], run[rows].astype(np.int64)
        number = stream(own.patron, own.bet)
        tests = PermutationTest.of(stakes, edge, shoe, dealt, results, _AS_EXPLANATION, seed, number)
        p_values = {"p_within": tests.p_within, "p_across": tests.p_across, "p_results": tests.p_results}
    return {"random": usual.random, "z": usual.z, **p_values, "correlation": _correlation(stakes, edge, shoe)}


def _correlation(stakes: Floats, edge: Floats, shoe: Ints) -> float | None:
    """The correlation of stakes and edges, after the shoe's mean is taken from each. None if either does not vary."""
    at = np.cumsum(np.diff(shoe, prepend=shoe[:1]) != 0)
    number = np.bincount(at)
    a, b = (x - (np.bincount(at, x) / number)[at] for x in (stakes, edge))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 1e-12 else None


def flagged(frame: pl.DataFrame, knowing: Informed, level: float) -> pl.DataFrame:
    """The rows with `p`, `p_holm`, `flagged`, `flagged_for` and `can_be_flagged`, the smallest `p_holm` first.

    `p_holm` is the least level of all tests of the log together at which a row would be flagged."""
    knows = [
        min((team.p for team in (knowing.team_of(name),) if team), default=knowing.p[name]) for name in frame["patron"]
    ]
    by_test = FAMILIES * np.stack([holm(frame["p_follows"].to_numpy()), np.array(knows, float)])
    reasons = [
        ", ".join(word for word, is_so in zip((FOLLOWS, KNOWS), each, strict=True) if is_so)
        for each in (by_test <= level).T
    ]
    return frame.with_columns(
        p=pl.min_horizontal("p_follows", "p_knows"),
        p_holm=pl.Series(by_test.min(axis=0).clip(max=1)),
        flagged=pl.Series((by_test <= level).any(axis=0), dtype=pl.Boolean),
        flagged_for=pl.Series([text or None for text in reasons], dtype=pl.String),
        can_be_flagged=pl.col("least_p") * FAMILIES * frame.height <= level,
    ).sort("p_holm", "p", "excess", descending=[False, False, True], maintain_order=True)


def beyond_one_value(frame: pl.DataFrame, level: float) -> pl.DataFrame:
    """The rows with `beyond_one_value`: whether stakes follow the edge more than the cards of one point value explain.

    It is null if `p_follows` is above the level. Here, an honest patron is a patron who bets only by the record and by
    the hands with a card of one value. The chance that the column is true for any honest patron is at most half of the
    level (Bonferroni)."""
    each = level / (FAMILIES * max(frame.height, 1))
    return frame.with_columns(beyond_one_value=pl.col("p_one_value") <= each)
