"""Remedies of a statement: each, fed back as a house rule, meets the bound, and the value next to it does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from extent import LONG, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting.bounds import (
    Lack,
    Statement,
    Verdict,
    judge,
    load_house,
    with_remedies,
)
from counting.bounds.remedies import _RULES, MOST_TIED, Rule, _nearest
from counting.requests import StatementRequest
from counting.requests.hosts import Host

PIT = {
    "title": "Pit 3", "game": "ez-baccarat", "side_bets": ["dragon-7", "panda-8"], "cut": 14, "minimum": 25,
    "most_bet": 100, "bound": "30/hour",
}  # fmt: skip
HELD = {"mid_shoe_entry": False, "most_skipped": 3}
SHOES, OTHERS = 2000, long_or(40_000, 3_000)
pytestmark = pytest.mark.usefixtures("few_weighted", "limits_once")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats that must be held are worked out on few shoes, so that tests are quick."""
    monkeypatch.setattr("counting.bounds.statements.LEAST_SHOES", long_or(600, 400))
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_BETS", 0)
    monkeypatch.setattr("counting.bounds.confidence_limits.FEW_PER_SHOE", 0.0)
    monkeypatch.setattr("counting.bounds.evaluation._CHOSEN_ON", long_or(200, 125))
    monkeypatch.setattr("counting.bounds.continuation.COPIES", long_or(16, 4))
    monkeypatch.setattr("counting.bounds.continuation.POLICY_COPIES", long_or(8, 2))


def stated(shoes: int = SHOES, seed: int = 1, place: Path | None = None, **changes: Any) -> Statement:
    """The statement on the house rules with these changes, as read from a file. None leaves a rule out. `place`: the
    folder of its bracket."""
    rules = load_house({name: value for name, value in {**PIT, **changes}.items() if value is not None})
    return judge(rules, rules.plan(shoes, seed), place, fit=300)


def values(statement: Statement) -> dict[Rule, int | None]:
    return {remedy.rule: remedy.value for remedy in statement.remedies}


CASES: list[dict[str, Any]] = [
    {"bound": "0.6/shoe"}, {"cut": 200, "bound": "0.001/shoe", "tie_in": 4},
    {"maximum": 200, "bound": "60/hour"}, {"minimum": 1, "least_bet": 5, "bound": "1/100-coups"},
    {"side_bets": [], "most_bet": None, "maximum": 5000, "bound": "10/hour"},
]  # fmt: skip
MORE: list[dict[str, Any]] = [
    {}, {"tie_in": 1}, {"side_bets": ["panda-8"], "bound": "25/hour"}, {"cut": 200, "bound": "0.001/shoe"},
]  # fmt: skip


@pytest.mark.parametrize("changes", CASES + long_or(MORE, []))
def test_each_remedy_fed_back_meets_the_bound_and_the_next_value_does_not(changes: dict[str, Any]) -> None:
    statement = with_remedies(stated(**changes))
    assert statement.met is False
    known = [remedy for remedy in statement.remedies if remedy.value is not None]
    assert known, "nothing is shown by this case"
    assert statement.bound is not None
    for remedy in known:
        assert remedy.value is not None
        back = stated(**changes | {remedy.rule: remedy.value})
        assert back.verdict is Verdict.MET, remedy
        assert back.figure(back.judged).upper.limit == remedy.limit
        assert remedy.limit is not None
        assert remedy.limit < statement.bound.amount
        assert remedy.nearest
        step = 1 if remedy.rule in ("most_bet", "maximum") else -1
        assert stated(**changes | {remedy.rule: remedy.value + step}).verdict is not Verdict.MET, remedy
        if remedy is not known[0] and not LONG:
            continue
        others = stated(OTHERS, 7, **changes | {remedy.rule: remedy.value})
        assert others.figure(others.judged).upper.value < statement.bound.amount
        assert others.met or back.judged.few, "more shoes of another seed show it too, where bets are no rare thing"


def test_a_rule_without_a_remedy_has_none_among_its_values() -> None:
    statement = with_remedies(stated())
    (lacking,) = (remedy for remedy in statement.remedies if remedy.value is None)
    assert (lacking.rule, lacking.lack) == ("tie_in", Lack.MOST_TIED)
    assert all(not stated(tie_in=units).met for units in range(MOST_TIED + 1))


@pytest.mark.long
def test_where_a_seat_is_held_one_bracket_confirms_what_counters_who_skip_allow(
    quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = {"decks": 4, "bound": "60/hour"}
    held = HELD | free | {"most_skipped": 0}
    before = stated(**held)
    statement = with_remedies(before, tmp_path, fit=300)
    known = {rule: value for rule, value in values(statement).items() if value is not None}
    assert known.keys() == {"most_bet", "cut"}
    assert not any(remedy.nearest for remedy in statement.remedies if remedy.value is not None)
    for rule, value in known.items():
        kept = tmp_path / "remedies" / f"{rule}-{value}"  # another bracket than that of these rules is refused
        assert stated(place=kept, **held | {rule: value}).met
        assert stated(before.judged.dealt, **free | {rule: value}).met, "they are those of counters who may skip any"
        assert not stated(before.judged.dealt, **free | {rule: value + (1 if rule == "most_bet" else -1)}).met
    folders = sorted(folder.name for folder in (tmp_path / "remedies").iterdir())
    assert folders == sorted(f"{rule}-{value}" for rule, value in known.items()), "a bracket for each remedy, no more"

    def again(*_: object) -> None:
        raise AssertionError("a bracket that is kept is worked out again")

    monkeypatch.setattr("counting.bounds.evaluation.evaluate", again)
    assert with_remedies(before, tmp_path, fit=300).remedies == statement.remedies


@pytest.mark.long
def test_a_remedy_that_its_bracket_does_not_confirm_is_not_named(quick: None) -> None:
    """The bracket here is from few shoes, and so it is wide."""
    free = {"decks": 4, "bound": "50/hour"}
    statement = with_remedies(stated(**HELD | free), fit=300)
    assert stated(statement.judged.dealt, **free | {"most_bet": 22}).met
    assert {remedy.rule: remedy.lack for remedy in statement.remedies} == {
        "most_bet": Lack.NOT_CONFIRMED, "cut": Lack.NOT_CONFIRMED, "tie_in": Lack.MOST_TIED,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "lacks"),
    [
        ({"bound": "0.1/100-coups"}, {"most_bet": Lack.UNITS}),
        ({"bound": "0.001/shoe"}, {"cut": Lack.HALF_OF_SHOE}),
        ({"cut": 208, "bound": "0.001/shoe"}, {"cut": Lack.HALF_OF_SHOE}),
        ({"least_bet": 60}, {"most_bet": Lack.LEAST_BET}),
        ({"tie_in": 8}, {"tie_in": Lack.MOST_TIED}),
        (
            {"side_bets": [], "most_bet": None, "maximum": 5000, "bound": "0.001/100-coups"},
            {"maximum": Lack.UNITS},
        ),
    ],
)
def test_why_there_is_no_remedy(
    changes: dict[str, Any], lacks: dict[str, Lack], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("counting.bounds.remedies._RULES", long_or(_RULES, tuple(lacks)))
    statement = with_remedies(stated(**changes))
    assert {remedy.rule: remedy.lack for remedy in statement.remedies if remedy.lack in lacks.values()} == lacks


def test_a_rebate_on_losses_has_its_largest_bet_confirmed_and_no_more(quick: None) -> None:
    changes = {"loss_rebate": 0.05, "minimum": None, "side_bets": ["panda-8"], "decks": 1, "bound": "40/hour"}
    statement = with_remedies(stated(**changes), fit=300)
    most, cut, tie_in = statement.remedies
    assert (cut.lack, tie_in.lack) == (Lack.REBATE, Lack.REBATE)
    assert most.value is not None
    assert not most.nearest
    assert stated(**changes | {"most_bet": most.value}).met


def test_no_remedy_where_the_bound_is_met_or_there_is_none() -> None:
    for bound in ("500/hour", None):
        statement = stated(bound=bound)
        assert with_remedies(statement) is statement


def test_counters_who_may_skip_any_coup_may_meet_the_bound_as_it_is(quick: None) -> None:
    """If counters who may skip any coup meet the bound, no counter who must hold the seat breaks it. The bracket alone
    leaves that open."""
    held = stated(**HELD, decks=2)
    free = stated(held.judged.dealt, decks=2)
    most = held.figure(held.judged).upper.limit
    assert free.figure(free.judged).upper.limit < most
    bound = f"{(free.figure(free.judged).upper.limit + most) / 2:.2f}/hour"
    statement = with_remedies(stated(**HELD, decks=2, bound=bound), fit=300)
    assert statement.verdict is Verdict.UNDECIDED
    assert {remedy.lack for remedy in statement.remedies} == {Lack.NO_CHANGE}


@pytest.mark.parametrize(("rule", "value"), [("most_bet", 12), ("cut", 90), ("tie_in", 3)])
def test_a_changed_rule_is_that_of_the_file(rule: Rule, value: int) -> None:
    changed = load_house(PIT).changed(rule, value)
    loaded = load_house(PIT | {rule: value})
    assert (changed.house, changed.dealing, changed.limits) == (loaded.house, loaded.dealing, loaded.limits)
    assert changed.seat == loaded.seat


def test_counters_who_may_do_anything_are_those_without_a_seat_and_standing_bets() -> None:
    bound_by = load_house(PIT | HELD | {"holds_seat": "main", "stand": True})
    assert bound_by.free.house == load_house(PIT).house
    assert bound_by.free.seat == load_house(PIT).seat


@pytest.mark.long
@pytest.mark.usefixtures("undrawn")
def test_the_verdict_is_told_before_remedies_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Watching(Host):
        def tell(self, line: str) -> None:
            told.append(line)

    def looked(statement: Statement, *_: object, **__: object) -> Statement:
        told.append("remedies")
        return statement

    monkeypatch.setattr("counting.bounds.with_remedies", looked)
    StatementRequest(PIT, shoes=SHOES).answered(Watching("counting statement"))
    assert told[0].startswith("NOT MET. Under these rules ")
    assert told[1:] == ["remedies"]
    StatementRequest(PIT | {"bound": "500/hour"}, shoes=SHOES).answered(Watching("counting statement"))
    assert told[2:] == ["remedies"], "a bound that is met is told with the answer"


def _all(meets: Any, inside: int, outside: int) -> Iterator[int]:
    """All values, from `inside` on, that meet the bound while the next value towards `outside` does not."""
    step = 1 if outside > inside else -1
    return (value for value in range(inside, outside, step) if meets(value) and not meets(value + step))


@given(st.integers(-50, 50), st.integers(-50, 50), st.integers(0, 100), st.lists(st.integers(-60, 60), max_size=4))
def test_the_nearest_value_is_where_the_bound_begins_to_be_met(a: int, b: int, share: int, tries: list[int]) -> None:
    inside, outside = a, b if b != a else a + 1
    last = inside + (outside - inside) * share // 101

    def meets(value: int) -> bool:
        return value <= last if outside > inside else value >= last

    nearest = _nearest(meets, inside, outside, tuple(tries))
    assert meets(nearest) or nearest == inside
    assert abs(nearest - outside) == 1 or nearest in _all(meets, inside, outside)
