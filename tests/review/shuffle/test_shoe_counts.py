"""What is counted in shoes, against the same in plain Python."""

from typing import get_args

import numpy as np
import pytest
from twins.shoe_logs import counts

from counting.cards import Knows
from counting.review import _shoe_counts
from counting.review.shuffle.shoe_counts import CountLayout, count_shoes, draw_counts


def shoes_of(layout: CountLayout, number: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.permutation(layout.new) for _ in range(number)], np.uint8)


@pytest.mark.parametrize("knows", get_args(Knows))
@pytest.mark.parametrize("decks", [1, 3])
def test_counts_are_those_of_the_twin(knows: Knows, decks: int) -> None:
    layout = CountLayout(knows, decks)
    shoes = shoes_of(layout, 4, decks)
    own = layout.read(count_shoes(layout, shoes)[np.newaxis])
    for name, table in counts(layout, shoes.tolist()).items():
        assert np.array_equal(own[name][0], table), name


@pytest.mark.parametrize("knows", get_args(Knows))
def test_draws_are_of_shuffled_shoes_of_these_decks(knows: Knows) -> None:
    layout = CountLayout(knows, 2)
    rows = np.concatenate(list(draw_counts(layout, 3, 45, 7, workers=1)))
    tables = layout.read(rows)
    assert (tables["quarters"].sum(axis=1) == 3 * layout.by_rank).all()
    assert (tables["tails"][:, :, :].sum(axis=2) == 3 * layout.tails).all()
    assert (tables["pairs"].sum(axis=(1, 2)) == 3 * (layout.cards - 1)).all()
    assert len(np.unique(rows, axis=0)) == 45


def test_a_draw_depends_on_the_seed_and_its_number_alone() -> None:
    layout = CountLayout("card", 1)
    few = np.concatenate(list(draw_counts(layout, 2, 5, 3, workers=1)))
    many = np.concatenate(list(draw_counts(layout, 2, 50, 3, workers=2)))
    assert np.array_equal(few, many[:5])
    assert not np.array_equal(few, np.concatenate(list(draw_counts(layout, 2, 5, 4, workers=1))))


def test_draws_of_a_shoe_have_the_means_of_chance() -> None:
    """Every place has every rank alike, and a neighbour of the same rank comes as often as it should."""
    layout, draws = CountLayout("card", 1), 4000
    tables = layout.read(np.concatenate(list(draw_counts(layout, 1, draws, 11))))
    first = tables["first"].sum(axis=0)
    assert abs((first - draws / 13) / np.sqrt(draws / 13 * 12 / 13)).max() < 4.5
    same = np.trace(tables["pairs"], axis1=1, axis2=2)
    assert same.mean() == pytest.approx(3, abs=4.5 * same.std() / draws**0.5)
    assert tables["suits"].mean() == pytest.approx(12, abs=4.5 * tables["suits"].std() / draws**0.5)


@pytest.mark.parametrize("width", [0, 1])
def test_a_row_of_another_width_is_refused(width: int) -> None:
    layout = CountLayout("card", 1)
    tails, row = layout.tails, np.zeros(width, np.int64)
    with pytest.raises(ValueError, match="out"):
        _shoe_counts.counts(shoes_of(layout, 1, 1), layout.rank, 13, 10, True, tails, row)
