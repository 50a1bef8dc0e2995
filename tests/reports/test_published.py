"""A published figure is compared only with play under the published dealing and rules."""

from pathlib import Path

import polars as pl
import pytest
from extent import long_or

from counting import load_game
from counting.analysis import score
from counting.games import Bet
from counting.reports.published import MOST_SHOES, PROCEDURES, compare_with_published, published_gain, sentences
from counting.simulation import Dealing
from counting.sweep import Plan, run
from counting.systems import library, load_system

EZ = load_game("ez-baccarat")
DRAGON, UNBALANCED = load_system("dragon-7"), load_system("dragon-7-unbalanced")
NO_SCORES = pl.DataFrame()


def plan_of(dealing: Dealing, **other: object) -> Plan:
    values = {"game": EZ, "shoes": long_or(20_000, 4_000), "systems": (DRAGON,), "bets": ("dragon-7",), **other}
    return Plan(dealing=dealing, keep_rows=0, **values)  # type: ignore[arg-type]


def test_where_the_dealing_differs_the_published_is_played() -> None:
    """The default dealing burns no card, and under it the same count would win 0.71 units per shoe."""
    (count,) = compare_with_published(plan_of(Dealing()), NO_SCORES)
    assert count.row is not None
    assert count.shoes == min(MOST_SHOES, long_or(20_000, 4_000))
    assert count.row["trigger"] == 4
    assert abs(count.row["units_per_shoe"] - 0.597) < 4 * count.row["units_per_shoe_se"] + 0.005 * 0.597
    ((name, trigger, figure, as_published, played),) = count.cells()
    assert (name, trigger, figure, as_published) == ("dragon-7", "4", "units per shoe", "0.597")
    assert played.startswith("0.5") or played.startswith("0.6")
    assert "first card shown and a number of cards equal to its value burned, 14 cards behind" in sentences([count])


def test_where_the_dealing_is_the_published_its_own_scores_serve(tmp_path: Path) -> None:
    plan = plan_of(Dealing.named("jacobson", 8), shoes=400)
    scored = score(run(plan, tmp_path).ledger).collect()
    (count,) = compare_with_published(plan, scored)
    (row,) = scored.filter((pl.col("system") == "dragon-7") & (pl.col("trigger") == 4)).to_dicts()
    assert count.row == row
    assert count.shoes == 400


def test_other_shoes_or_decks_are_another_dealing() -> None:
    (count,) = compare_with_published(plan_of(Dealing.named("jacobson", 6), shoes=400), NO_SCORES)
    assert count.row is not None
    assert count.shoes == 400


@pytest.mark.parametrize(
    ("changes", "why_not"),
    [
        ({"systems": (UNBALANCED,)}, "the source does not give the whole dealing procedure"),
        ({"game": load_game("louisiana")}, "the game's drawing rules differ from the source"),
        (
            {
                "game": load_game("punto-banco").with_bets(
                    Bet.of("dragon-7", {"banker banker_total=7 banker_cards=3": "50:1"})
                )
            },
            "the bet's pay table may differ from the source",
        ),
    ],
)
def test_what_was_published_for_something_else_is_not_compared(changes: dict[str, object], why_not: str) -> None:
    (count,) = compare_with_published(plan_of(Dealing(), shoes=400, **changes), NO_SCORES)
    assert count.why_not == why_not
    assert count.row is None
    assert [row[-1] for row in count.cells()] == ["not compared"]
    assert f"is not compared, because {why_not}." in sentences([count])


def test_every_published_figure_of_the_library_has_a_procedure_or_says_that_it_has_none() -> None:
    for system in library():
        if system.published is not None:
            dealing = system.published.dealing
            assert (dealing in PROCEDURES) == ("first card burned" in dealing)
            assert published_gain(system).endswith((" per shoe", " per 100 coups"))
    assert published_gain(load_system("dragon-7-level-1")) == ""
