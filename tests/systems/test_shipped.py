"""The library of counts: it is complete, its counts are as good as it says, and published figures are reproduced."""

from pathlib import Path

import polars as pl
import pytest
from extent import long_or

from counting import load_game
from counting.analysis import at_best, score
from counting.games import catalog
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.systems import counts_for, library, load_system, own_counts, without_counts
from counting.systems.system import LEVELS

PUNTO = load_game("punto-banco")
JACOBSON = "8 decks, first card burned, 14 cards behind the cut card"
WRONG = ("three-giving-8",)  # wrong in print: see docs/research/errata.md
PUBLISHED = [
    system
    for system in library()
    if system.published and system.published.dealing == JACOBSON and system.name not in WRONG
]
RIVALS = {"dragon-7": "dragon-7-level-2", "panda-8": "panda-8-level-4"}  # our counts of the same levels


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> pl.DataFrame:
    systems = (*PUBLISHED, *map(load_system, RIVALS.values()))
    bets = tuple(dict.fromkeys(bet for system in systems for bet in system.bets or ()))
    plan = Plan(PUNTO, Dealing.named("jacobson", 8), long_or(12_000, 3_000), 9, systems, bets, keep_rows=False)
    return score(run(plan, tmp_path_factory.mktemp("library")).ledger).collect()


def test_every_bet_that_was_searched_has_counts_of_four_levels() -> None:
    bets = {bet for count in own_counts().values() for bet in count.bets or ()}
    assert len(bets) == 176
    assert bets - set(catalog()) == {*PUNTO.bet_names, "seven-seven-40", "seven-seven-45"}
    for bet in bets:
        for level in LEVELS:
            count = own_counts()[f"{bet}-level-{level}"]
            assert count.bets == (bet,)
            assert 1 <= count.level <= level
            assert count.count == "true"
            assert count.trigger == round(count.on(bet))


def test_a_bet_without_counts_has_none_and_is_played_by_the_perfect_counter(tmp_path: Path) -> None:
    bet = "fortune-4-pair-player"
    assert bet in without_counts()
    assert counts_for(bet) == ()
    plan = Plan(PUNTO, Dealing.named("jacobson", 8), 50, 1, counts_for(bet), (bet,), keep_rows=False)
    assert score(run(plan, tmp_path).ledger).collect()["system"].unique().to_list() == ["perfect"]


def test_a_bet_of_colours_has_a_count_of_suits() -> None:
    count = load_system("player-red-level-1")
    assert count.knows == "card"
    assert count.by_tag == {"s": 1, "h": -1, "d": -1, "c": 1}


def test_names_of_the_library_are_different() -> None:
    names = [system.name for system in library()]
    assert len(names) == len(set(names)) == 15 + 4 * 176


@pytest.mark.parametrize("system", PUBLISHED, ids=lambda system: system.name)
def test_what_was_published_comes_out(system: object, scored: pl.DataFrame) -> None:
    rows = scored.filter((pl.col("system") == system.name) & (pl.col("trigger") == system.trigger))  # type: ignore[attr-defined]
    row, said = rows.row(0, named=True), system.published  # type: ignore[attr-defined]
    for name in ("units_per_shoe", "units_per_100_coups", "bet_share", "mean_edge"):
        printed = getattr(said, name)
        if printed is not None:
            assert abs(row[name] - printed) < 4 * row[f"{name}_se"] + 0.005 * printed, name


@pytest.mark.parametrize("published", RIVALS)
def test_own_counts_beat_the_published_at_their_level_on_the_same_shoes(published: str, scored: pl.DataFrame) -> None:
    best = {row["system"]: row for row in at_best(scored.lazy()).collect().to_dicts() if row["system"] != "perfect"}
    own = RIVALS[published]
    assert load_system(own).level == load_system(published).level
    assert best[own]["units_per_shoe"] > best[published]["units_per_shoe"]


def test_the_shipped_file_is_where_the_package_looks() -> None:
    assert [file.name for file in (Path(__file__).parents[2] / "counting" / "systems" / "searched").glob("*")] == [
        "own.toml"
    ]
