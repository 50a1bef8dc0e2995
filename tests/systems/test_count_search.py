"""The search for the project's own counts: gains equal a plain loop's, no neighbour is better, no level is worse."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from extent import long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import Shoe, load_game
from counting.arrays import Floats, Int32s
from counting.cards import DECK
from counting.exact import Effects, edges, required_detail
from counting.io.toml import read_toml
from counting.simulation import Dealing, play
from counting.systems import load_system, own_counts
from experiments.own_counts import groups, run, samples, search
from experiments.own_counts.samples import Counts, Sample

PUNTO = load_game("punto-banco")


def dealt(bet: str, shoes: int, seed: int) -> tuple[Int32s, Floats]:
    """Two arrays for the coups of some shoes: the unseen cards, in the order of the tags, and the edge."""
    game = PUNTO.only([bet])
    knows = required_detail(game.bet(bet))
    left = play(game.tableau, Dealing.named("jacobson", 8), seed, 0, shoes, knows).left
    return samples.by_kind(left, samples.counted(knows)[0]), edges(game, left, [bet])[:, 0]


@cache
def few(bet: str, shoes: int = 20, seed: int = 5) -> Sample:
    return Sample(*dealt(bet, shoes, seed))


@cache
def coups(bet: str) -> list[tuple[list[int], int, float]]:
    """For each coup: the unseen cards, their number, and the edge."""
    left, priced = dealt(bet, 20, 5)
    return list(zip(left.tolist(), left.sum(axis=1).tolist(), priced.tolist(), strict=True))


def slow(bet: str, tags: Counts) -> float:
    """The gain of these tags at their best whole trigger, worked out coup by coup in whole numbers."""
    by_count: dict[int, float] = {}
    for left, cards, edge in coups(bet):
        count = -DECK * sum(map(int.__mul__, tags, left)) // cards
        by_count[count] = by_count.get(count, 0.0) + edge
    gain = best = 0.0
    for count in sorted(by_count, reverse=True):
        gain += by_count[count]
        best = max(best, gain)
    return best


@given(st.lists(st.integers(0, 8), min_size=10, max_size=10))
def test_gains_are_those_of_a_plain_loop(tags: list[int]) -> None:
    sample = few("egalite-0")
    gain, _ = sample.best(sample.load(tuple(tags)))
    assert max(gain, 0) * sample.perfect == pytest.approx(slow("egalite-0", tuple(tags)), abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize(("bet", "level"), [("egalite-0", 1), ("egalite-0", 3), ("banker-pair-12", 1)])
def test_no_neighbour_of_the_result_wins_more_on_its_shoes(
    bet: str, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "KICKS", 1)
    sample = few(bet)
    knows = required_detail(PUNTO.only([bet]).bet(bet))
    top = search.Search(sample, Effects.of(PUNTO, bet, Shoe.decks(8), knows))
    tags = top.best(level, [])
    won = slow(bet, tags)
    assert 0 < max(tags) <= 2 * level
    assert won == pytest.approx(top.gain(tags) * sample.perfect, abs=1e-9)
    around = [*search.neighbours(tags, level)]
    assert len({*around}) > 50
    step = 1 if level == 1 else 5
    assert max(slow(bet, other) for other in around[::step]) <= won + 1e-6
    assert max(map(top.gain, around)) * sample.perfect <= won + 1e-6


def test_tags_are_written_as_the_same_count() -> None:
    for tags, most in (((1, 1, 0, 2, 2, 1, 0, 0, 4, 3), 70), ((0,) * 9 + (1,), 9), ((2, 0) * 5, 50)):
        listed, trigger = search.written(tags, most)
        assert max(map(abs, listed)) == -(-max(tags) // 2)
        for left, cards, _ in coups("egalite-0")[::50]:
            count = Fraction(-DECK * sum(map(int.__mul__, listed, left)), cards)
            load = Fraction(DECK * sum(map(int.__mul__, tags, left)), cards)
            assert (count >= trigger) == (load <= most)


def test_neighbours_are_one_or_two_tags_away_or_scaled() -> None:
    around = {*search.neighbours((2, 1, 0, 1), 1)}
    assert {(1, 1, 0, 1), (2, 2, 0, 1), (1, 0, 0, 1), (2, 0, 0, 2)} <= around
    assert (3, 1, 0, 1) not in around  # a tag of 3 exceeds the level
    assert (4, 2, 0, 2) in {*search.neighbours((2, 1, 0, 1), 2)}


@pytest.mark.long
@pytest.mark.parametrize("bet", ["tie-9", "dragon-7", "banker-pair"])
def test_kept_coups_stand_for_all_of_them(bet: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "BLOCK", 2000)
    monkeypatch.setattr(samples, "ROWS_OF", (5000, 4000, 1000))
    kept, every = samples.samples(PUNTO, [bet], samples.BLOCK, 8)[bet], few(bet, samples.BLOCK, 8)
    assert 5_000 < len(kept.worth) < 12_000 < len(every.worth)
    assert kept.perfect == pytest.approx(every.perfect, rel=0.03)
    assert kept.worth.sum() == pytest.approx(every.worth.sum(), rel=0.2)
    tags = {"tie-9": (2, 2, 2, 2, 2, 1, 1, 3, 3, 3), "dragon-7": (1, 1, 1, 0, 0, 0, 0, 2, 2, 1)}
    count = tags.get(bet, (1,) * 9 + (0, 1, 1, 1))
    for most in (every.best(every.load(count))[1], 70):
        assert kept.gain(count, most) == pytest.approx(every.gain(count, most), abs=0.06, rel=0.1)


@pytest.mark.long
def test_a_level_wins_no_less_than_the_one_below_on_the_checking_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "KICKS", 0)
    for bet in ("tie-9", "monkey"):  # one is searched by value, the other by rank
        rows = run.search(PUNTO, bet, few(bet, 20, 6), few(bet, 20, 7))
        gains = [row["checked"] for row in rows]
        assert gains == sorted(gains)
        assert [row["level"] for row in rows] == [1, 2, 3, 4]


def test_counts_of_suits_are_searched_where_a_bet_looks_at_suits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bets are on two red cards. So only the colours matter, and no count of ranks wins anything."""
    monkeypatch.setattr(search, "KICKS", 0)
    monkeypatch.setattr(run, "LEVELS", (1,))
    monkeypatch.setattr(samples, "BLOCK", long_or(1000, 400))
    monkeypatch.setattr(run, "SHOES", run.FEWER * samples.BLOCK)
    monkeypatch.setattr(samples, "ROWS_OF", (3000, 2000, 1000))
    held = dict.fromkeys(("player-red", "banker-red"), ())
    counts = dict(run.searched(PUNTO, [*held], held))
    assert [row["tags"] for row in counts["player-red"]] == [[1, -1, -1, 1]]
    assert counts["player-red"][0]["checked"] > 0.9
    assert counts["banker-red"] == [row | {"bet": "banker-red"} for row in counts["player-red"]]


def test_the_better_kind_of_count_is_taken_at_each_level() -> None:
    rows = [
        {"level": level, "checked": checked} for level, checked in ((1, 0.2), (2, 0.4), (1, 0.3), (2, 0.3), (3, 0.1))
    ]
    assert run.better(rows) == [rows[2], rows[1], rows[4]]


def test_bets_are_added_to_the_file_and_those_held_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "KICKS", 0)
    monkeypatch.setattr(run, "LEVELS", (1,))
    monkeypatch.setattr(samples, "BLOCK", 500)
    monkeypatch.setattr(run, "SHOES", samples.BLOCK)
    monkeypatch.setattr(samples, "ROWS_OF", (3000, 2000, 1000))
    out = tmp_path / "own.toml"
    held = [{"bet": "dragon-7", "level": 1, "trigger": 5, "tags": [1] * 10}]
    out.write_text(run.text(held, [bet for bet in run.games() if bet not in ("dragon-7", "panda-8")]))
    run.main(out)
    assert set(read_toml(out)["without"]) == {*run.games()} - {"dragon-7", "panda-8"}
    rows = {row["bet"]: row for row in read_toml(out)["counts"]}
    assert [*rows] == sorted(rows, key=[*run.games()].index)
    assert rows["dragon-7"]["trigger"] == 5
    assert len(rows["panda-8"]["tags"]) == 10


@pytest.mark.long
def test_tie_8_has_the_count_that_the_approximation_missed() -> None:
    """The best tags of level 1 keep more than a fifth of perfect play's gain. The tags that the betting
    correlation, an approximation, finds keep 15%."""
    count = load_system("tie-8-level-1")
    sample = samples.samples(PUNTO, ["tie-8"], 2 * samples.BLOCK, 31)["tie-8"]
    known, trigger = (1, 1, 0, 0, 1, 0, -1, 1, 1, 0), 1
    gains = [sample.gain(search.lowest(tags), -at - DECK * min(tags))
             for tags, at in ((count.by_rank[:10], int(count.on("tie-8"))), (known, trigger))]  # fmt: skip
    assert gains[0] >= gains[1] > 0.18


def test_shipped_levels_win_no_less_than_the_one_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tested on shoes that neither the search nor its check used, and within the error of this small sample."""
    monkeypatch.setattr(samples, "BLOCK", long_or(samples.BLOCK, 1500))
    for bet, sample in samples.samples(PUNTO, ["tie-9", "dragon-7"], samples.BLOCK, 32).items():
        gains = []
        for level in (1, 2, 3, 4):
            count = own_counts()[f"{bet}-level-{level}"]
            tags = count.by_rank[:10]
            gains.append(sample.gain(search.lowest(tags), -int(count.on(bet)) - DECK * min(tags)))
        assert gains == pytest.approx(sorted(gains), abs=0.005)


def test_the_chance_of_two_alike_is_exact_where_all_kinds_are_known_and_else_its_mean() -> None:
    rng = np.random.default_rng(3)
    left = rng.multivariate_hypergeometric([8] * DECK, 120, 400).astype(np.int32)
    ranks = tuple(tuple(range(4 * rank, 4 * rank + 4)) for rank in range(13))
    exact = groups.chance(left, ranks, 4)
    priced = edges(PUNTO.only(["player-pair"]), left, ["player-pair"])[:, 0]
    assert exact == pytest.approx((priced + 1) / 12)
    # Of the 120 cards it is known that 9 are of one rank. The mean is over what the other 111 cards may be.
    others = rng.multivariate_hypergeometric([32] * 12, 111, 20_000)
    alike = (9 * 8 + (others * (others - 1)).sum(axis=1)) / (120 * 119)
    shoe = np.zeros((1, DECK), np.int32)
    shoe[0, :8] = [3, 3, 2, 1, 50, 50, 11, 0]
    (known,) = groups.chance(shoe, (ranks[0], tuple(range(4, DECK))), 4)
    assert known == pytest.approx(alike.mean(), abs=5 * alike.std() / 20_000**0.5)
