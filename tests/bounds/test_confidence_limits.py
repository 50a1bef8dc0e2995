"""When plain shoes are enough for a limit, and the quantiles of these limits."""

import numpy as np
import pytest

from counting.bounds.confidence_limits import PlainShoes, _how, student_99, weighted_shoes
from counting.bounds.means import Z995


@pytest.mark.parametrize(("shoes", "least"), [(1, 1000), (99_999, 1000), (100_000, 1000), (250_000, 2500)])
def test_limits_from_plain_shoes_need_1_000_bets_and_one_per_100_shoes(shoes: int, least: int) -> None:
    bets = np.array([0.0, least - 1, least, least + 1])
    plain = PlainShoes(np.arange(4), shoes, 200, *np.ones((1, 4)), bets, *np.ones((2, 4)))
    assert plain.few.tolist() == [True, True, False, False]


def test_one_weighted_shoe_for_five_plain_ones_and_20_000_at_least() -> None:
    assert [weighted_shoes(shoes) for shoes in (1, 100_000, 100_009, 1_000_000)] == [20_000, 20_000, 20_001, 200_000]


# Abramowitz and Stegun, table 26.10: one-sided 99% and 99.5% for 30, 60 and 120 degrees of freedom.
@pytest.mark.parametrize(("freedom", "of_99", "of_995"), [(30, 2.457, 2.750), (60, 2.390, 2.660), (120, 2.358, 2.617)])
def test_students_quantiles_are_those_of_the_table(freedom: int, of_99: float, of_995: float) -> None:
    assert student_99(freedom + 1) == pytest.approx(of_99, abs=0.002)
    assert student_99(freedom + 1, Z995) == pytest.approx(of_995, abs=0.002)


def test_each_source_of_limits_has_one_sentence_with_all_its_cuts() -> None:
    """Cuts whose limits are from plain shoes and from weighted shoes may alternate."""
    cuts = np.array([14, 15, 16, 17, 20, 21])
    plain = PlainShoes(cuts, 1000, 200, *np.ones((1, 6)), np.full(6, 5.0), *np.ones((2, 6)))
    how = _how(plain, np.array(["plain", "weighted", "plain", "plain", "weighted", "weighted"]), 500)
    assert how.count("the upper bound comes from") == 2
    assert how.startswith("With 14 or 16 to 17 cards behind the cut card, the upper bound comes from the 1,000 shoes")
    assert "With 15 or 20 to 21 cards behind the cut card, the upper bound comes from 500 other shoes" in how
