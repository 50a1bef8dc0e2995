"""A count that is kept on its key cards alone bets at the same coups as the count that it is made of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from extent import long_or

from counting import Dealing, Plan, load_game, run
from counting.analysis import by_system
from counting.systems import System, library, load_system

RNG = np.random.default_rng(3)
UNSEEN = RNG.multivariate_hypergeometric([8] * 52, 60, 400).astype(np.int32)  # counts by card
SHIFTED = [system for system in library() if system.key_cards]
TAGS = dict.fromkeys("A234567", 0) | {"8": 1, "9": 1, "T": -1}


def bets(system: System) -> list[bool]:
    """For each composition in `UNSEEN`, whether the counter bets at the system's own trigger."""
    (bet, *_) = system.bets or ("",)
    left = UNSEEN.sum(axis=1).astype(np.int64)
    place = system.scored.index(system.on(bet))
    return (system.reached(system.running(UNSEEN, 8), left, left) > place).tolist()


def test_a_count_on_key_cards_bets_at_the_same_coups() -> None:
    assert len(SHIFTED) > 400
    for system in SHIFTED[::7]:
        kept = system.on_key_cards
        assert bets(kept) == bets(system), system.name
        tags = kept.by_card
        assert max({*tags}, key=tags.count) == 0
        assert (kept.bets, kept.name, kept.start) == (system.bets, system.name, "to-zero")


def test_what_a_count_of_nines_says_at_a_table() -> None:
    assert load_system("player-natural-9-level-1").key_cards == "9 -1; start at 32, bet at 4.5"
    assert load_system("thorp-nines").key_cards == "9 -13; start at 416, bet at 59"
    assert load_system("three-giving-8-level-1").key_cards == "3 -1, 8 -2; start at 96, bet at 13"


@pytest.mark.parametrize(
    "keys",
    [
        {"count": "running"}, {"count": "true", "start": 7}, {"count": "true", "estimate": "half"},
        {"count": "true", "per": "undealt"}, {"count": "true", "distance_from": 0},
        {"count": "true", "tags": TAGS},
    ],
    ids=str,
)  # fmt: skip
def test_other_counts_stay_as_they_are(keys: dict[str, object]) -> None:
    tags = dict.fromkeys("A2345678T", 1) | {"9": -12}
    system = System(**{"name": "mine", "title": "Mine", "source": "notes", "trigger": 3, "tags": tags, **keys})
    assert system.on_key_cards is system
    assert system.key_cards == ""


@pytest.mark.parametrize(
    "keys",
    [
        {"trigger": 99_999},
        {"trigger": 99_999.999999},
        {"trigger": 1, "triggers": [1, 99_990]},
        {"trigger": {"player-natural-9": 7, "tie-8": 99_999}},
        {"trigger": 1, "tags": dict.fromkeys("A2345678T", 51) | {"9": -50}},
    ],
    ids=str,
)
def test_a_count_stays_as_it_is_if_a_tag_or_trigger_would_be_out_of_range(keys: dict[str, object]) -> None:
    tags = dict.fromkeys("A2345678T", 1) | {"9": -2}
    data = {"name": "mine", "title": "Mine", "source": "notes", "count": "true", "start": "to-zero", "tags": tags}
    system = System(**{**data, **keys})
    assert system.on_key_cards is system
    assert system.key_cards == ""


def test_no_words_for_a_count_without_key_cards() -> None:
    tags = dict.fromkeys("A23456789T", 1)
    assert System(title="Mine", source="notes", count="true", start="to-zero", trigger=1, tags=tags).key_cards == ""


def test_triggers_of_several_bets_rise_alike() -> None:
    tags = dict.fromkeys("A2345678T", 1) | {"9": -12}
    by_bet = {"player-natural-9": 7, "tie-8": 20}
    system = System(
        name="mine", title="Mine", source="notes", count="true", trigger=by_bet, triggers=[1, 7, 20], tags=tags
    )
    kept = system.on_key_cards
    assert kept.trigger == {"player-natural-9": 59.0, "tie-8": 72.0}
    assert kept.triggers == (53.0, 59.0, 72.0)


def test_thorps_count_of_nines_keeps_92_percent_of_perfect_play(tmp_path: Path) -> None:
    bet = "player-natural-9"
    plan = Plan("punto-banco", Dealing.named("jacobson", 8), 4000, 1, ["thorp-nines"], [bet], 0, False)
    row = by_system(run(plan, tmp_path / "nines").ledger).collect().filter(system="thorp-nines", trigger=7.0)
    assert row["captured_share"].item() == pytest.approx(0.92, abs=0.006)


def test_the_two_person_count_of_panda_8_wins_what_was_printed(tmp_path: Path) -> None:
    plan = Plan(
        load_game("ez-baccarat"),
        Dealing(cut=20, burn="first-card"),
        long_or(8000, 3000),
        1,
        ["panda-8-two-person"],
        ["panda-8"],
        0,
        False,
    )
    row = by_system(run(plan, tmp_path / "panda").ledger).collect().filter(system="panda-8-two-person", trigger=35.0)
    said = load_system("panda-8-two-person").published
    assert said is not None
    assert row["bets_per_shoe"].item() == pytest.approx(3.6, abs=4 * row["bets_per_shoe_se"].item())
    assert row["units_per_shoe"].item() == pytest.approx(said.units_per_shoe, abs=4 * row["units_per_shoe_se"].item())
