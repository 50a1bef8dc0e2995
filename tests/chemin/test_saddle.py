"""Saddle points of random bilinear forms, and all optimal strategies for them."""

from fractions import Fraction
from itertools import product, takewhile

import numpy as np
import pytest
from extent import examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counting.chemin import _guess
from counting.chemin.optima import optimal_faces
from counting.chemin.saddle import _Climb, against_banker, against_player, proved_saddle, saddle

entries = st.one_of(st.integers(-2, 2), st.sampled_from([-(3**200), 3**200]))
forms = st.tuples(st.integers(1, 5), st.integers(1, 6)).flatmap(
    lambda size: st.lists(st.lists(entries, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
)


@pytest.mark.long
@given(forms)
@examples(long=400, short=200)
def test_a_saddle_is_found_however_degenerate_the_form(a: list[list[int]]) -> None:
    solution = saddle(a)
    x, y = ([Fraction(v, solution.det) for v in side] for side in (solution.x, solution.y))
    assert all(0 <= p <= 1 for p in x + y)
    slopes = [sum(e * p for e, p in zip(column, [1, *x], strict=True)) for column in zip(*a, strict=True)]
    gains = [sum(e * p for e, p in zip(row, [1, *y], strict=True)) for row in a]
    assert slopes[0] + sum(min(0, w) for w in slopes[1:]) == gains[0] + sum(max(0, g) for g in gains[1:])


def test_a_form_on_which_long_steps_alone_go_round_in_a_circle() -> None:
    climb = _Climb(
        [
            [0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, -1, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0],
            [0, 1, 1, 0, 1, -1, 0, 0, -1, 1, 0, 0, 0],
            [-1, -1, 1, 0, 0, 0, 1, -1, -1, 0, 1, 0, 1],
            [0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0],
            [0, -1, 1, -1, 0, -1, 1, 0, 0, 1, -1, -1, 0],
            [0, 0, 0, 0, -1, 0, -1, 0, 1, 0, 1, 0, -1],
            [0, 0, 0, -1, -1, -1, 0, 0, 0, 1, 0, 0, 0],
        ]
    )
    assert sum(1 for _ in takewhile(bool, (climb.step() for _ in range(100)))) < 100


small = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(-4, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


@given(small)
@examples(long=200, short=100)
def test_a_guess_is_accepted_only_where_it_is_the_one_saddle_point(a: list[list[int]]) -> None:
    """All guesses are tried. At most one is accepted; it gives the saddle point that exact climbing finds, with equal
    bounds."""
    k, m = len(a) - 1, len(a[0]) - 1
    accepted = [
        found
        for guess in product((0, 1, 2), repeat=k + m)
        if (found := proved_saddle(a, guess[:k], guess[k:])) is not None
    ]
    assert len(accepted) <= 1
    for x, y, det, *bounds in accepted:
        exact = saddle(a)
        assert [Fraction(p, det) for p in x] == [Fraction(p, exact.det) for p in exact.x]
        assert [Fraction(p, det) for p in y] == [Fraction(p, exact.det) for p in exact.y]
        assert bounds == [against_banker(a, x, det)] * 2 == [against_player(a, y, det)] * 2
        mine, hers = optimal_faces(a, [Fraction(p, det) for p in x], [Fraction(p, det) for p in y])
        assert not mine.places
        assert not hers.places


@given(st.integers(2, 5), st.integers(2, 9), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_the_guess_is_accepted_on_forms_without_ties(k: int, m: int, seed: int) -> None:
    array = np.random.default_rng(seed).integers(-(10**9), 10**9, (k, m))
    guess = np.empty(k + m - 1, np.int8)
    form = array.tolist()
    exact = saddle(form)
    assume(sum(0 < x < exact.det for x in exact.x) <= 2)
    assert _guess.guess(array, m - 1, guess)
    accepted = proved_saddle(form, guess[1:k].tolist(), guess[k:].tolist())
    assert accepted is not None
    assert accepted.lower * exact.det == against_banker(form, exact.x, exact.det) * accepted.det


@given(st.integers(1, 14), st.integers(1, 20), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_mixes_in_floating_point_are_worth_what_the_exact_climb_finds(k: int, m: int, seed: int) -> None:
    array = np.random.default_rng(seed).integers(-(10**6), 10**6, (k, m))
    mix = np.empty(k + m - 1)
    assert _guess.mixes(array / 1e6, 2_000, mix)
    exact = saddle(array.tolist())
    worth = np.array([1, *mix[1:k]]) @ array
    left = array @ np.array([1, *mix[k:]])
    assert worth[0] + np.minimum(worth[1:], 0).sum() == pytest.approx(exact.lower / exact.det, abs=1e-2)
    assert left[0] + np.maximum(left[1:], 0).sum() == pytest.approx(exact.upper / exact.det, abs=1e-2)
    assert not _guess.mixes(array / 1e6, 0, mix)


@given(forms)
@examples(long=150, short=75)
def test_optima_inside_leave_just_one_of_each_pair_at_its_end(a: list[list[int]]) -> None:
    solution = saddle(a)
    mine, hers = optimal_faces(a, *([Fraction(v, solution.det) for v in side] for side in (solution.x, solution.y)))
    assume(mine.places or hers.places)
    slopes = [sum(e * p for e, p in zip(column, [1, *mine.point], strict=True)) for column in zip(*a, strict=True)]
    gains = [sum(e * p for e, p in zip(row, [1, *hers.point], strict=True)) for row in a]
    assert slopes[0] + sum(min(0, w) for w in slopes[1:]) == gains[0] + sum(max(0, g) for g in gains[1:])
    for own, worth in ((mine.point, gains[1:]), (hers.point, slopes[1:])):
        assert [0 < p < 1 for p in own] == [w == 0 for w in worth]
