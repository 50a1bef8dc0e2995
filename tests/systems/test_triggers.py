"""The triggers that many systems reach, found for all systems at once, are as numpy finds them system by system."""

import numpy as np
import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe, load_game
from counting.cards import DECK, WIDTH, Knows, coarser, finest
from counting.instruction_sets import LEVELS
from counting.simulation import Dealing, play
from counting.systems import System, Triggers, _triggers, library

TAGS = ("A", "2", "3", "4", "5", "6", "7", "8", "9")
FACES = ("10", "J", "Q", "K")
TAG, TRIGGER = st.integers(-100, 100), st.integers(-(10**11), 10**11).map(lambda millionths: millionths / 10**6)
DISTANCE = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "distance_from": st.one_of(TRIGGER, st.integers(-9, 9)),
            "trigger": TRIGGER.map(abs),
            "triggers": st.lists(
                st.one_of(TRIGGER, st.floats(0, 9).map(lambda near: round(near, 2))).map(abs), min_size=1
            ),
        }
    ),
)
NEAR = st.integers(-(10**7), 10**7).map(lambda millionths: millionths / 10**6)


@st.composite
def any_system(draw: st.DrawFn, ranks: bool) -> System:
    """A random system, such as a file may define."""
    tens = FACES if ranks and draw(st.booleans()) else ("T",)
    true = draw(st.booleans())
    return System.from_dict(
        {
            "name": "any",
            "title": "Any",
            "source": "here",
            "count": "true" if true else "running",
            "per": draw(st.sampled_from(["unseen", "undealt"])) if true else "unseen",
            "estimate": draw(st.sampled_from(["exact", "whole", "half", "quarter"])) if true else "exact",
            "rounding": draw(st.sampled_from(["nearest", "down"])) if true else "nearest",
            "start": draw(st.one_of(st.integers(-100_000, 100_000), st.just("to-zero"), st.just(0))),
            "trigger": draw(st.one_of(TRIGGER, NEAR, st.integers(-5, 5))),
            "triggers": draw(st.one_of(st.none(), st.lists(st.one_of(TRIGGER, NEAR), min_size=1, max_size=5))),
            **draw(DISTANCE),
            "tags": {rank: draw(TAG) for rank in (*TAGS, *tens)},
        }
    )


def assert_the_same(systems: list[System], decks: int, left: np.ndarray, undealt: np.ndarray) -> None:
    cards = left.sum(axis=1, dtype=np.int64)
    reached = Triggers(systems, decks, left.shape[1]).reached(left, cards, undealt)
    assert reached.dtype == np.int32
    for k, system in enumerate(systems):
        assert (reached[:, k] == system.reached(system.running(left, decks), cards, undealt)).all(), system


@given(st.data(), st.sampled_from([*WIDTH]), st.integers(1, 27))
@examples(long=100, short=12)
def test_many_systems_reach_the_triggers_that_each_reaches(data: st.DataObject, knows: str, decks: int) -> None:
    systems = data.draw(st.lists(any_system(knows != "value"), min_size=1, max_size=6))
    rows = data.draw(st.integers(1, 12))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    full = np.array(coarser(Shoe.decks(decks).counts, knows), np.int32)  # type: ignore[arg-type]
    left = random.integers(0, full + 1, (rows, len(full))).astype(np.int32)
    left[:, 0] += 6 * (left.sum(axis=1) < 6)
    undealt = random.integers(6, left.sum(axis=1) + 1).astype(np.uint16)
    assert_the_same(systems, decks, left, undealt)


@pytest.mark.parametrize("knows", ["rank", "card"])
def test_the_library_on_dealt_shoes(knows: Knows) -> None:
    coups = play(load_game("punto-banco").tableau, Dealing(8), 3, 0, 8, knows)
    known = [system for system in library() if finest((knows, system.knows)) == knows]
    assert len(known) > 600
    assert (len(known) == len(library())) == (knows == "card")
    assert_the_same(known, 8, coups.left, coups.undealt)


@pytest.mark.parametrize("level", LEVELS[: _triggers.best_level() + 1])
@pytest.mark.parametrize("rows", [1, 16, 37])
def test_every_instruction_set_reaches_the_same(rows: int, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compositions fill blocks, or leave a block partly empty."""
    monkeypatch.setenv("COUNTING_ISA", level)
    coups = play(load_game("punto-banco").tableau, Dealing(8), 4, 0, 1, "card")
    at_ends = {"distance_from": 1.5, "trigger": 1, "triggers": [0.5, 2]}
    at_both_ends = [System.from_dict(system.to_dict() | at_ends) for system in library()[:9]]
    assert_the_same([*library()[::20], *at_both_ends], 8, coups.left[:rows], coups.undealt[:rows])


def test_extreme_counts_stay_between_the_ends() -> None:
    # The largest count that a file and 27 decks can give, with the highest trigger and a trigger one millionth above.
    for sign in (-1, 1):
        tags = dict.fromkeys((*TAGS, "T"), 100 * sign)
        data = {"name": "far", "title": "Far", "source": "here", "count": "true", "tags": tags}
        data |= {"start": 100_000 * sign, "trigger": 99_999.999999 * sign, "triggers": [-100_000, 0, 0.000001, 100_000]}
        far = System.from_dict(data)
        apart = data | {"distance_from": -99_999.999999 * sign, "trigger": 99_999.999999, "triggers": [0, 0.000001]}
        left = np.array([Shoe.decks(27).values, (6, *[0] * 9), Shoe.decks(27).values], np.int32)
        assert_the_same([far, System.from_dict(apart)], 27, left, left.sum(axis=1).astype(np.uint16))


def test_a_system_of_ranks_needs_shoes_known_by_rank() -> None:
    kings = next(system for system in library() if system.knows == "rank")
    with pytest.raises(InputError, match="counts ranks, needs shoes known by rank"):
        Triggers([kings], 8, 10)
    suits = System(title="Suits", source="here", count="true", trigger=1, tags={"s": 1, "h": -1, "d": 0, "c": 0})
    with pytest.raises(InputError, match="counts suits, needs shoes known by card"):
        Triggers([suits], 8, 10)


def test_no_systems_and_no_coups() -> None:
    none = np.zeros((0, 10), np.int32)
    assert Triggers([], 8, 10).reached(none, none[:, 0].astype(np.int64), none[:, 0]).shape == (0, 0)
    shoe = np.full((1, DECK), 8, np.int32)
    assert Triggers([], 8, DECK).reached(shoe, np.array([416]), np.array([416])).shape == (1, 0)
    assert Triggers([*library()], 8, DECK).reached(shoe[:0], none[:, 0].astype(np.int64), none[:, 0]).shape[0] == 0
