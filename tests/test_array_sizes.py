"""Compiled modules refuse arrays whose sizes do not fit together, so they never write beyond an array."""

from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import counting
from counting.bounds import Seat, bracket
from counting.cards import Shoe
from counting.chemin import _deals, _guess, counting_gains, solve
from counting.chemin import _law as _gains
from counting.chemin.banque import banque, banque_by_hand, by_hand
from counting.chemin.banque.tableaux import tableaux
from counting.exact import (
    Effects,
    _census,
    _first_cards,
    _forms,
    _law,
    _next_coup,
    _settle,
    _trees,
    joint_distribution,
    settlement,
    with_replacement,
)
from counting.exact.linear_forms import pack, weigh
from counting.logs import read_log
from counting.review import _chains, _permute, _runs, _scores, _shoe_counts, _successors, audit, shuffle_review
from counting.review.patrons.permutation_test import PermutationTest
from counting.review.synthetic import Counter, deal, log_frames
from counting.simulation import Dealing, _deal, _fits, _tilts
from counting.simulation.importance import Sampler, _Sampled
from counting.simulation.shoes import arranged, play_with_replacement
from counting.simulation.tilts import Tilt, even
from counting.sweep import CountingBettor, PerfectBettor, Plan, Stakes, _bettor, _tally, run
from counting.systems import _triggers, load_system

KERNELS: dict[str, Any] = {
    "bettors.Allowed": _bettor, "bettors.best": _bettor, "bettors.add": _bettor, "bettors.add_best": _bettor,
    "bettors.follow": _bettor, "census.Tables": _census,
    "census.visit": _census,
    "chemin.count": _deals, "chemin.banque": _deals, "guess.reduce": _guess, "guess.guess": _guess,
    "guess.mixes": _guess,
    "gains.Law": _gains, "fits.sums": _fits, "tilts.tables": _tilts, "tilts.sums": _tilts,
    "tilts.counts": _tilts, "tilts.exchanges": _tilts,
    "coming.deal": _next_coup, "deal.play": _deal, "deal.play_with_replacement": _deal, "deal.order": _deal,
    "deal.arrange": _deal, "forms.sequences": _forms, "forms.Index": _forms, "forms.counts_float64": _forms,
    "forms.counts_int64": _forms, "pairs.by_rank": _first_cards, "pairs.by_card": _first_cards,
    "law.Program": _law, "law.Bets": _law, "law.counts_float64": _law, "law.counts_int64": _law, "law.quotients": _law,
    "permute.within": _permute, "permute.across": _permute, "permute.rearrange": _permute, "permute.picked": _permute,
    "chains.sequences": _chains, "chains.least": _chains, "chains.expected": _chains, "runs.greatest": _runs,
    "scores.sums": _scores, "successors.columns": _successors, "successors.shuffled": _successors,
    "shoe_counts.counts": _shoe_counts, "shoe_counts.drawn": _shoe_counts,
    "settle.cards": _settle, "settle.settle": _settle, "tally.Layout": _tally, "tally.tally": _tally,
    "tally.gather": _tally, "trees.Program": _trees, "trees.sums": _trees, "trees.lines": _trees,
    "triggers.reached": _triggers,
}  # fmt: skip
Calls = dict[str, list[tuple[Any, tuple[Any, ...]]]]
PUNTO = counting.load_game("punto-banco").also(["tie-8"])
# Arrays, by kernel, place of the argument and axis, that may be shorter: this only means fewer coups, cards, shoes,
# draws, bins, arrangements, stages, classes or bets.
FREE = {
    ("bettors.add", 4, 1), ("bettors.add_best", 6, 2), ("settle.cards", 0, 1),
    ("deal.play_with_replacement", 4, 0), ("deal.order", 3, 0), ("census.visit", 1, 0), ("census.visit", 6, 0),
    ("tally.tally", 15, 2), ("law.Program", 2, 0), ("law.Bets", 0, 0), ("law.Bets", 2, 0), ("law.Bets", 4, 0),
    ("permute.picked", 2, 0), ("permute.picked", 2, 1), ("permute.across", 3, 0), ("permute.rearrange", 8, 0),
    ("guess.guess", 0, 0), ("guess.guess", 0, 1), ("gains.Law", 3, 0),
    ("shoe_counts.drawn", 2, 0), ("shoe_counts.drawn", 9, 0), ("shoe_counts.counts", 0, 0),
    ("shoe_counts.counts", 0, 1),
    ("tilts.sums", 2, 1),
    ("tilts.counts", 3, 1), ("tilts.counts", 4, 1),  # the entries left out are for counts that no draw has
    ("chains.expected", 4, 0), ("runs.greatest", 3, 1), ("scores.sums", 0, 0), ("scores.sums", 2, 1),
    ("successors.columns", 8, 0), ("successors.columns", 11, 0), ("successors.shuffled", 3, 0),
}  # fmt: skip


def work(folder: Path) -> None:
    """Do some small work that calls every kernel."""
    systems = (load_system("dragon-7"),)
    game = counting.load_game("ez-baccarat")
    bettor = CountingBettor("a", ("dragon-7",), "dragon-7", tie_in=Fraction(1), main=("banker",))
    perfect = PerfectBettor("b", Stakes.of(("dragon-7",), ("banker",), tie_in=Fraction(1)))
    run(Plan(game, Dealing(2), 9, 1, systems, bettors=(bettor, perfect), spread=True), folder / "sweep", workers=1)
    counting.exact.census(PUNTO, ["tie-8", "player"], [7], 1, 1, cache=False)
    counting.exact.census(game, "dragon-7", [7], 1, 1, cache=False, system=systems[0], histogram=9)
    solve(Shoe.parse("1d-A-3-8"), "A1")
    counting_gains(6, 1, 0)
    for cached in (tableaux, by_hand._tableaux):  # an earlier test may have filled these caches
        cached.cache_clear()
    banque(Shoe.parse("1d-A-3-8"))
    banque_by_hand(Shoe.parse("1d-A-3-8"))
    bracket(Seat(PUNTO, Dealing(1), Stakes.of(("tie-8",), ("player",)), 1), 40, 1, fitted=200, workers=1)
    play_with_replacement(PUNTO.tableau, 1, 0, 9)
    arranged(1, 0, np.ones((3, 10), np.int32), 1)
    values = np.array([Shoe.decks(8).values, Shoe.decks(9).values], np.int32)
    settlement(PUNTO, ("tie-8",)).moments(values)
    sampler = Sampler(settlement(PUNTO, ("tie-8",)), values[0], 20, 1)
    at = Tilt(values[0], even(values[0], 20), 20).draw(sampler.stream(1), 9)
    sampler._step(sampler.stream(2), at, sampler.edges(at), -1.0, 1)
    sampler._fit(_Sampled(at, np.ones(9), np.ones(9)), sampler._chances(at[:2]), np.ones(2), 1)
    joint_distribution.__wrapped__(PUNTO.tableau).outcomes(values)  # without the cache of other tests
    louisiana = counting.load_game("louisiana")
    settlement(louisiana).edges(values[:1])
    tableau, classes = (np.ones(10, np.int32), np.ones((10, 11), np.int32)), np.zeros((10, 10, 2, 2), np.int32)
    pack(weigh(*tableau, classes, np.ones((6, 10), np.int32)))
    Effects.of(PUNTO, "player-pair", Shoe.decks(1))
    counting.edges(PUNTO.also(["perfect-pair"]), [Shoe.decks(1).cards])
    straight = counting.Bet.of("straight", {"player_straight=true": "9:1"})
    counting.edges(PUNTO.with_bets(straight), [Shoe.decks(1).cards])
    with_replacement(PUNTO.with_bets(straight))
    rng = np.random.default_rng(1)
    shoe, dealt = np.repeat(np.arange(5), 8), np.tile(5 * np.arange(8), 5)
    PermutationTest.of(rng.random(40), rng.random(40), shoe, dealt, np.zeros(40, np.int64), 99, 1, 1)
    table = deal(PUNTO, Dealing(1), 1, 0, 12)
    coups, bets = log_frames(table, {"a": Counter("tie-8", 5.0, trigger=-0.1)}, PUNTO, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    log = read_log(folder / "coups.csv", folder / "bets.csv")
    audit(log, PUNTO, 1)
    shuffle_review(log, 1)


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory, few_weighted_throughout: None) -> Calls:
    """The first and the last call of each kernel, with copies of the arguments made before the call."""
    found: Calls = {}

    def kept(name: str, kernel: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            made = found.setdefault(name, [])
            made[1:] = [(kernel, tuple(x.copy() if isinstance(x, np.ndarray) else x for x in given))]
            return kernel(*given)

        return call

    with ExitStack() as stack:
        for name, module in KERNELS.items():
            function = name.partition(".")[2]
            stack.enter_context(patch.object(module, function, kept(name, getattr(module, function))))
        work(tmp_path_factory.mktemp("work"))
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_an_array_that_is_too_short_is_refused(name: str, calls: Calls) -> None:
    for kernel, given in calls[name]:
        for i, array in enumerate(given):
            if not isinstance(array, np.ndarray) or array.size == 0:
                continue
            for axis, length in enumerate(array.shape):
                if (name, i, axis) not in FREE:
                    short = np.ascontiguousarray(np.take(array, range(length // 2), axis))
                    with pytest.raises(ValueError, match="should fit the other arrays"):
                        kernel(*given[:i], short, *given[i + 1 :])
