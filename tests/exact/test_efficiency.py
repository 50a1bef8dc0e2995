"""Betting efficiency: gains by count, compared with every composition, with the census and with played sweeps."""

import csv
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import comb, prod
from pathlib import Path

import numpy as np
import pytest
from extent import LONG, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe, exact_edges, load_game
from counting.exact import Effects, Efficiencies, census, exact_gain, has_exact_gain, perfect_gain
from counting.exact.efficiency import NODES, _between, by_count, decks_of, gain_at_trigger, whole_tags
from counting.systems import load_system

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
DRAGON = Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8))
TIE = Effects.of("punto-banco", "tie-9", Shoe.decks(8))


def of(bet: str) -> Effects:
    return Effects.of(load_game("punto-banco").also([bet]), bet, Shoe.decks(8))


def by_hand(effects: Effects, tags: tuple[int, ...], cards_left: int) -> dict[int, Fraction]:
    """For each sum of tags: chance times edge, summed over all compositions that have this sum. The result is exact."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    total = comb(effects.shoe.cards_left, cards_left)
    for left in product(*(range(n + 1) for n in effects.counts)):
        if sum(left) == cards_left:
            chance = Fraction(prod(comb(n, k) for n, k in zip(effects.counts, left, strict=True)), total)
            edge = exact_edges(effects.game, Shoe.from_values(left))[effects.bet]
            found[sum(t * k for t, k in zip(tags, left, strict=True))] += chance * edge
    return found


@pytest.mark.long
@pytest.mark.parametrize("cards_left", [6, 7, 10, 14])
@pytest.mark.parametrize("tags", [(0, 1, 1, 0, -1, 0, 2, 0, -2, 0), (3, 1, 4, 1, 5, 9, 2, 6, 5, -3), (1,) * 10])
def test_edges_by_count_are_those_of_every_composition(tags: tuple[int, ...], cards_left: int) -> None:
    effects = Effects.of("punto-banco", "tie-9", Shoe.from_values([3, 1, 0, 2, 1, 1, 2, 1, 2, 1]))
    expected = by_hand(effects, tags, cards_left)
    sums, edges = by_count(effects, tags, cards_left)
    edge_of = dict(zip(sums.tolist(), edges.tolist(), strict=True))
    assert {s for s in expected if expected[s]} <= set(edge_of)
    for s, edge in edge_of.items():
        assert edge == pytest.approx(float(expected.get(s, 0)), abs=1e-13)
    most = max(sum((e for t, e in expected.items() if t <= s), Fraction()) for s in [*expected, -999])
    assert exact_gain(effects, tags, cards_left) == pytest.approx(float(most), abs=1e-13)


@pytest.mark.parametrize(
    ("game", "bet", "system"),
    [
        ("ez-baccarat", "dragon-7", "dragon-7"),
        ("punto-banco", "tie-9", "tie-9-level-2"),
        ("punto-banco", "tie-8", "tie-8-level-4"),
        ("louisiana", "seven-seven-40", "seven-seven-40-level-3"),
    ],
)
def test_a_counts_gain_is_that_of_the_census(game: str, bet: str, system: str) -> None:
    effects, counter = Effects.of(load_game(game).also([bet]), bet, Shoe.decks(8)), load_system(system)
    for row in census(game, bet, [6, 9, 14], system=counter).to_dicts():
        n = row["cards_left"]
        assert exact_gain(effects, counter, n) == pytest.approx(row["most_count_gain"], rel=1e-9, abs=1e-12)
        assert gain_at_trigger(effects, counter, n) == pytest.approx(row["count_gain"], rel=1e-9, abs=1e-12)


@given(st.integers(6, 416), st.lists(st.integers(-4, 4), min_size=10, max_size=10))
@examples(long=15, short=5)
def test_edges_by_count_add_up_to_the_full_shoes(cards_left: int, tags: list[int]) -> None:
    assert by_count(DRAGON, tuple(tags), cards_left)[1].sum() == pytest.approx(float(DRAGON.edge), abs=1e-11)


def test_perfect_play_is_the_census_to_20_cards_and_beyond_within_its_error() -> None:
    with (EXPERIMENTS / "thorp" / "thorp.csv").open() as file:
        exact = {(row["bet"], int(row["cards_left"])): float(row["mean_positive_part"]) for row in csv.DictReader(file)}
    for effects in (DRAGON, TIE):
        for n in (14, 20):
            assert perfect_gain(effects, n) == (pytest.approx(exact[effects.bet, n], rel=1e-9), 0)
        for n in (26, 38, 52):
            won, error = perfect_gain(effects, n)
            assert error is not None
            assert abs(won - exact[effects.bet, n]) < 3.5 * error < 0.1 * won
    assert perfect_gain(DRAGON, 416) == (0, 0)
    rare = of("tie-8")
    assert perfect_gain(rare, 300) == (pytest.approx(0, abs=1e-12), None)


def test_sums_over_depths_need_few_nodes() -> None:
    # The gain of a count is used in place of perfect play's, because it is exact here.
    count = load_system("dragon-7-level-2")
    step = long_or(1, 3)
    every = np.array([exact_gain(DRAGON, count, n) for n in range(NODES[0], 416, step)])
    between = _between(NODES, [exact_gain(DRAGON, count, n) for n in NODES], 416)
    assert between[::step].sum() == pytest.approx(every.sum(), rel=2e-3)
    assert between[np.array(NODES) - NODES[0]] == pytest.approx([exact_gain(DRAGON, count, n) for n in NODES])


def coups_at(cards_left: int) -> float:
    """About how many coups of a shoe begin with this number of unseen cards, times 4.94, under the rules of
    `counts.csv`. After the first card, as many cards as its value are burned unseen. With 14 cards behind the cut card,
    the last coup begins with 8 to 13 undealt cards."""
    undealt = [cards_left - burned for burned in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)]
    return sum((n >= 10 and n != 14) + {9: 0.62, 8: 0.32}.get(n, 0.0) for n in undealt) / 13


@pytest.mark.parametrize("bet", long_or(["dragon-7", "88-89-98-99", "big", "banker-natural-8"], ["dragon-7", "big"]))
def test_efficiencies_of_common_bets_agree_with_played_sweeps(bet: str) -> None:
    with (EXPERIMENTS / "ranking" / "counts.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["bet"] == bet]
    effects = of(bet)
    nodes = (10, *NODES)
    by_depth = _between(nodes, [perfect_gain(effects, n)[0] for n in nodes], 416)
    deep = range(62, 320, 5) if LONG else range(64, 320, 9)  # each of these depths stands for those around it
    depths = [*range(10, 60), *deep]
    weights = np.array([coups_at(n) for n in depths]) * ([1] * 50 + [deep.step] * len(deep))
    best = float(weights @ by_depth[np.array(depths) - 10])
    for row in rows[: long_or(3, 1)]:
        system = load_system(row["system"]).model_copy(update={"trigger": float(row["trigger"])})
        won = float(weights @ [gain_at_trigger(effects, system, n) for n in depths])
        assert won / best == pytest.approx(float(row["captured_share"]), abs=0.005)
        assert won / 4.94 == pytest.approx(float(row["units_per_shoe"]), abs=3.5 * float(row["units_per_shoe_se"]))


def test_shares_between_the_depths_worked_out() -> None:
    count, efficiencies = load_system("dragon-7"), Efficiencies(DRAGON)
    every = efficiencies.share(lambda n: exact_gain(DRAGON, count, n), range(14, 416, long_or(1, 2)))
    few = efficiencies.of(count)
    assert every is not None
    assert few is not None
    assert few.share == pytest.approx(every.share, abs=1e-3)


def test_shares_are_the_same_in_any_order_of_depths_and_need_depths_that_exist() -> None:
    count, efficiencies = load_system("dragon-7"), Efficiencies(DRAGON)
    rising, falling = (efficiencies.share(lambda n: exact_gain(DRAGON, count, n), NODES[::k]) for k in (1, -1))
    assert rising == falling
    for depths, says in (
        (range(6, 300, 10), "^depth: 6, should be a whole number from 14 to 415$"),
        ([416], "^depth: 416, should be a whole number from 14 to 415$"),
        ([400], "^depths: none, should be one or more from 14 to "),
        ([], "^depths: none, should be one or more from 14 to "),
    ):
        with pytest.raises(InputError, match=says):
            efficiencies.share(lambda n: exact_gain(DRAGON, count, n), depths)


@pytest.mark.long
def test_the_ranking_of_counts_of_rare_bets_is_that_of_played_sweeps() -> None:
    tie = Efficiencies(TIE)
    order = [tie.of(load_system(f"tie-9-level-{level}")) for level in (1, 2, 3)]
    assert [ranked.share for ranked in order if ranked] == sorted(ranked.share for ranked in order if ranked)
    assert len([ranked for ranked in order if ranked]) == 3
    eight = Efficiencies(of("tie-8"))
    best, own = eight.of(eight.effects.best), eight.of(load_system("tie-8-level-2"))
    assert best is not None
    assert own is not None
    assert best.share < 0.001
    assert own.share > 0.15


def test_what_has_exact_gains() -> None:
    assert has_exact_gain(DRAGON)
    assert not has_exact_gain(Effects.of("punto-banco", "player-pair", Shoe.decks(8)))
    assert not has_exact_gain(Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8), "rank"))
    assert decks_of(Shoe.decks(6)) == 6
    assert decks_of(Shoe.decks(8).without("A")) is None
    assert whole_tags(DRAGON, load_system("dragon-7"), 52) == (0, 0, 0, 0, -1, -1, -1, -1, 2, 2)
    assert max(map(abs, whole_tags(DRAGON, DRAGON.best, 52))) == 8


def test_perfect_play_of_a_bet_on_values_is_the_same_with_effects_by_rank() -> None:
    by_value, by_rank = (Effects.of("ez-baccarat", "panda-8", "1d", knows) for knows in ("value", "rank"))
    for n in (14, 30, 52):
        assert perfect_gain(by_rank, n) == perfect_gain(by_value, n)


def test_gains_of_effects_by_rank_and_of_bets_on_ranks_are_refused() -> None:
    by_rank, pair = Effects.of("ez-baccarat", "dragon-7", "1d", "rank"), Effects.of("punto-banco", "player-pair", "1d")
    count = load_system("dragon-7")
    by_rank_says = r"^effects of dragon-7: by rank, should be by value, as Effects.of\(game, 'dragon-7', '1d'\) makes$"
    for effects, says in (
        (by_rank, by_rank_says),
        (pair, "^bet player-pair: looks at ranks, should be settled by point values$"),
    ):
        for call in (
            lambda effects: exact_gain(effects, effects.best, 30),
            lambda effects: exact_gain(effects, count, 30),
            lambda effects: by_count(effects, (1,) * 13, 30),
            lambda effects: gain_at_trigger(effects, count, 30),
            Efficiencies,
        ):
            with pytest.raises(InputError, match=says):
                call(effects)
    with pytest.raises(InputError, match="looks at ranks"):
        perfect_gain(pair, 30)
    suited = Effects.of("punto-banco", "player-suited", "1d")
    with pytest.raises(InputError, match="bet player-suited: looks at suits"):
        perfect_gain(suited, 30)
    assert perfect_gain(pair, 52) == (0, 0)
    with pytest.raises(InputError, match=r"^shoe 1d-7, should be of whole decks, as 8d$"):
        gain_at_trigger(Effects.of("ez-baccarat", "dragon-7", "1d-7"), count, 30)


def test_shoes_of_few_cards_and_bets_that_are_good_from_the_start() -> None:
    few = Effects.of("punto-banco", "tie-9", Shoe.decks(1))
    efficiency = Efficiencies(few).of(few.best)
    assert efficiency is not None
    assert 0 < efficiency.share <= 1
    assert Efficiencies(Effects.of("punto-banco", "tie-9", Shoe.from_values([1] * 10))).of([1] * 10) is None
    good = Effects.of("ez-baccarat", "dragon-7", Shoe.decks(8).without(["8", "9"] * 24))
    assert good.edge > 0
    share = Efficiencies(good).of(good.best)
    assert share is not None
    assert 0.9 < share.share <= 1
    assert Efficiencies(good).at_trigger(load_system("dragon-7")) is None
