"""Stakes: the best that may be staked is among the vertices, by a twin that tries every pattern of bets."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st
from twins.best_play import Rules, best_stakes, check

from counting import InputError
from counting.sweep import Stakes, TableLimits

SIDES, MAINS = ("one", "two"), ("player", "banker", "tie")
amounts = st.sampled_from([Fraction(x) for x in ("1/2", "1", "2", "5", "10")])
any_amounts = st.one_of(amounts, amounts, st.just(Fraction(0)))  # 0: an amount as small as one likes


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rules, Stakes, Fraction]:
    """The same random rules twice: for the twin, in money, and as stakes, in units of the largest side bet. The unit
    comes last."""
    sides = SIDES[: draw(st.integers(1, 2))]
    most = draw(amounts) * 5
    minimum = draw(any_amounts)
    covers = draw(st.sampled_from(["all", "side"]))
    rules: dict[str, Any] = {
        "minimum": minimum,
        "maximum": (minimum or 5) * draw(st.sampled_from([1, 3, 20]))
        if covers == "all" or draw(st.booleans())
        else None,
        "least_bet": min(draw(any_amounts), most),
        "side_share": draw(st.sampled_from([None, Fraction(1, 4), Fraction(2)])),
        "together": draw(st.booleans()),
        "covers": covers,
    }
    tie_in = draw(st.sampled_from([Fraction(0), Fraction(1, 2), Fraction(3), "minimum"]))
    seat = draw(st.sampled_from(["any", "main", ("one",), ("two", "tie")]))
    if isinstance(seat, tuple):
        seat = tuple(bet for bet in seat if bet in (*sides, *MAINS))
    table = TableLimits(
        **rules, tie_in=Fraction(0) if tie_in == "minimum" else tie_in, main_needed=tie_in == "minimum", seat=seat
    )
    unit = table.unit(most, len(MAINS))
    assert unit is not None
    plain = {key: float(value) if isinstance(value, Fraction) else value for key, value in rules.items()}
    plain["least_bet"] = min(plain["least_bet"], float(unit))
    tie = tie_in if tie_in == "minimum" else float(tie_in)
    twin = Rules(sides, MAINS, most_bet=float(unit), tie_in=tie, holds_seat=seat, mid_shoe_entry=True, **plain)
    return twin, table.stakes(sides, MAINS, most), unit


@given(tables(), st.integers(0, 2**32))
@examples(long=60, short=25)
def test_no_stakes_are_better_than_the_best_vertex(table: tuple[Rules, Stakes, Fraction], seed: int) -> None:
    twin, stakes, unit = table
    random = np.random.default_rng(seed)
    edges = random.normal(-0.03, 0.1, (40, len(twin.bets)))
    cap = float(max(twin.most[len(twin.sides) :]))
    if twin.covers == "side" and len(twin.sides) > 1:
        # The twin's largest main bet is what a single side bet calls for; ours is what all side bets together call for.
        object.__setattr__(twin, "maximum", float(stakes.most_main * unit))
        object.__setattr__(twin, "covers", "all")
    else:
        assert float(stakes.most_main * unit) == pytest.approx(cap)
    free, _ = best_stakes(edges, twin)
    assert float(unit) * stakes.free(edges) == pytest.approx(free, abs=1e-9)
    held, _ = best_stakes(edges, twin, must_play=True)
    assert float(unit) * stakes.held(edges) == pytest.approx(held, abs=1e-9)


@given(tables())
@examples(long=40, short=20)
def test_every_vertex_may_be_staked(table: tuple[Rules, Stakes, Fraction]) -> None:
    twin, stakes, unit = table
    object.__setattr__(twin, "maximum", float(stakes.most_main * unit))
    object.__setattr__(twin, "covers", "all")
    check(stakes.vertices * float(unit), twin)
    places = [stakes.bets.index(bet) for bet in twin.bets]
    on = stakes.vertices[:, places] > 0
    by_what_is_on = on[:, twin.is_seat].any(axis=1)
    if twin.minimum and twin.least_bet:
        assert (stakes.seated == by_what_is_on).all()
    assert (stakes.seated >= by_what_is_on).all()  # a bet as small as one likes may also hold the seat
    assert (stakes.on_side == on[:, : len(twin.sides)].any(axis=1)).all()


@given(tables(), st.integers(0, 2**32))
def test_the_vertices_that_can_be_best_win_what_all_do(table: tuple[Rules, Stakes, Fraction], seed: int) -> None:
    _, stakes, _ = table
    edges = np.random.default_rng(seed).normal(-0.02, 0.1, (50, len(stakes.bets)))
    for seated, best in ((False, stakes.best_of_all), (True, stakes.best_holding_seat)):
        rows = np.array(sorted(best)).reshape(len(best), len(stakes.bets) + 1)
        these = Stakes(stakes.bets, (), rows[:, :-1], np.ones(len(best), bool), rows[:, -1] == 1)
        for own, of_all in zip(these.best(edges, seated=seated), stakes.best(edges, seated=seated), strict=True):
            assert (own == of_all).all()


def test_the_least_side_bet_matters_only_where_it_holds_the_seat() -> None:
    kept_up, any_bet = (
        [
            Stakes.of(("one",), MAINS, least=Fraction(1, n), most_main=Fraction(2), tie_in=Fraction(2), kept_up=amount)
            for n in (25, 50)
        ]
        for amount in (Fraction(2), None)
    )
    for stakes in (kept_up, any_bet):
        assert stakes[0].best_of_all == stakes[1].best_of_all
        assert len(stakes[0].best_of_all) < len(stakes[0].vertices)
    assert kept_up[0].best_holding_seat == kept_up[1].best_holding_seat
    assert any_bet[0].best_holding_seat != any_bet[1].best_holding_seat


def test_the_vertices_by_hand() -> None:
    """The minimum is 100, and a side bet of 1 to 25 may be at most a quarter of the main bets. So each vertex has 4
    units of 25 on one main bet, or on both."""
    table = TableLimits(minimum=Fraction(100), side_share=Fraction(1, 4))
    stakes = table.stakes(("side",), ("player", "banker"), Fraction(25))
    assert stakes.bets == ("side", "player", "banker")
    assert sorted(map(tuple, stakes.vertices.tolist())) == [
        (0, 0, 4), (0, 4, 0), (0, 4, 4), (1, 0, 4), (1, 4, 0), (1, 4, 4),
    ]  # fmt: skip


def test_a_bet_that_is_a_side_and_a_main_bet_adds_up() -> None:
    stakes = Stakes.of(("tie",), ("player", "tie"), most_main=Fraction(2))
    assert stakes.bets == ("tie", "player")
    assert stakes.vertices.max(axis=0).tolist() == [3, 2]


def test_a_seat_as_a_list_is_one_as_a_tuple() -> None:
    one, other = (Stakes.of(("tie",), ("player",), most_main=Fraction(2), seat=seat) for seat in (("tie",), ["tie"]))  # type: ignore[arg-type]
    assert one == other
    assert one.seated.tolist() == other.seated.tolist()


def test_what_keeps_a_model_in_its_seat() -> None:
    table = TableLimits(minimum=Fraction(25))
    kept = table.stakes(("side",), ("player",), Fraction(100), "minimum")
    seated = {tuple(row) for row, held in zip(kept.vertices.tolist(), kept.seated, strict=True) if held}
    assert seated == {(0, 0.25), (1, 0), (1, 0.25)}
    least = table.stakes(("side",), ("player",), Fraction(100), Fraction(1))
    assert (0, 1) in {tuple(row) for row, held in zip(least.vertices.tolist(), least.seated, strict=True) if held}
    free = table.stakes(("side",), ("player",), Fraction(100))
    assert free.seated.all()
    assert 0.01 in free.vertices[:, 0]


def test_to_a_side_bet_as_large_as_one_likes_no_minimum_matters() -> None:
    table = TableLimits(minimum=Fraction(25), tie_in=Fraction(1))
    stakes = table.stakes(("side",), ("player",), None)
    assert {tuple(row) for row in stakes.vertices.tolist()} >= {(1, 1), (0, 1)}
    assert table.unit(None) is None


def test_a_seat_held_by_as_little_as_one_likes_costs_nothing() -> None:
    edges = np.array([[-0.05, -0.01], [-0.05, 0.02], [0.01, -0.01]])
    for table, most, kept in (
        (TableLimits(minimum=Fraction(25)), None, None),
        (TableLimits(), None, "needed"),
        (TableLimits(tie_in=Fraction(2)), None, None),
    ):
        stakes = table.stakes(("side",), ("player",), most, kept)
        assert stakes.held(edges)[0] == 0
        assert (stakes.held(edges) == stakes.free(edges)).all()
    needed = TableLimits(minimum=Fraction(25), main_needed=True, least_bet=Fraction(5))
    assert needed.stakes(("side",), ("player",), Fraction(50)).held(edges)[0] == pytest.approx(-0.005)


@pytest.mark.parametrize("seat", ["main", ("side",), ("player",), ("side", "player")])
def test_a_named_seat_is_held_by_as_little_as_one_likes(seat: Any) -> None:
    """If no least amount matters, holding the seat costs nothing. Otherwise it takes a main bet of the minimum, and a
    side bet as small as one likes beside it."""
    edges = np.array([[-0.05, -0.01], [-0.05, 0.02], [0.01, -0.03]])
    for table, most in (
        (TableLimits(minimum=Fraction(25), seat=seat), None),
        (TableLimits(minimum=Fraction(25), tie_in=Fraction(2), seat=seat), None),
        (TableLimits(least_bet=Fraction(), seat=seat), Fraction(50)),
    ):
        stakes = table.stakes(("side",), ("player",), most)
        assert stakes.costless
        assert (stakes.held(edges) == stakes.free(edges)).all()
    tied = TableLimits(minimum=Fraction(25), least_bet=Fraction(), tie_in=Fraction(1), seat=seat)
    stakes = tied.stakes(("side",), ("player",), Fraction(50))
    assert not stakes.costless
    assert stakes.held(edges)[0] == pytest.approx(-0.005)


@pytest.mark.parametrize(("most", "minimum"), [(None, 25), (50, 0)])
def test_a_main_bet_with_any_side_bet_costs_nothing_where_it_may_be_small(most: int | None, minimum: int) -> None:
    """The main bet is as good as nothing beside a side bet without a maximum, and may be nearly nothing if there is no
    minimum."""
    table = TableLimits(minimum=Fraction(minimum), main_needed=True)
    stakes = table.stakes(("side",), ("player",), None if most is None else Fraction(most))
    edges = np.array([[0.02, -0.01]])
    assert stakes.free(edges)[0] == stakes.held(edges)[0] == pytest.approx(0.02)
    needed = replace(table, minimum=Fraction(25)).stakes(("side",), ("player",), Fraction(50))
    assert needed.free(edges)[0] == pytest.approx(0.02 - 0.01 * 25 / 50)


def test_what_is_kept_up_is_within_the_maximum() -> None:
    """If 150 must be kept up and the maximum is 100, at least 50 are on a second main bet, and no main bet is above
    100."""
    table = TableLimits(minimum=Fraction(25), maximum=Fraction(100))
    stakes = table.stakes(("side",), ("player", "banker"), Fraction(100), Fraction(3, 2))
    held = stakes.vertices[stakes.seated & ~stakes.on_side]
    assert sorted(map(tuple, held.tolist())) == [(0, 0.5, 1), (0, 1, 0.5), (0, 1, 1)]
    assert stakes.vertices.max() == 1
    with pytest.raises(InputError, match=r"^main bets: 1.5 units must be kept up, more than the maximum allows$"):
        table.stakes(("side",), ("player",), Fraction(100), Fraction(3, 2))
    without = replace(table, maximum=None).stakes(("side",), ("player", "banker"), Fraction(100), Fraction(3, 2))
    assert without.vertices[:, 1:].max() == 1.5


def test_stakes_survive_as_data() -> None:
    stakes = TableLimits(minimum=Fraction(10), tie_in=Fraction(1), seat="main").stakes(SIDES, MAINS, Fraction(30))
    again = Stakes.from_dict(stakes.to_dict())
    assert again == stakes
    assert (again.vertices == stakes.vertices).all()


def test_too_many_side_bets_at_once() -> None:
    table = TableLimits(minimum=Fraction(10), maximum=Fraction(500), tie_in=Fraction(1), covers="all")
    with pytest.raises(InputError, match=r"^side bets: 8 at once, with 3 main bets, should be fewer"):
        table.stakes([f"b{i}" for i in range(8)], MAINS, Fraction(30))
