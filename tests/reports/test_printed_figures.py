"""Figures as pages print them: on the correct side of a bound, and limits rounded away from what they limit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.reports import numbers

positive = st.floats(1e-9, 1e9)


@pytest.mark.parametrize(
    ("value", "bound", "text"),
    [
        (9.994, None, "9.99"),
        (25.4, None, "25"),
        (1234.5, None, "1,234"),
        (25.4, 25.0, "25.40"),
        (25.999, 25.0, "26.00"),
        (26.0, 25.0, "26"),
        (24.0, 25.0, "24"),
        (24.004, 25.0, "24.00"),
    ],
)
def test_money_is_whole_from_10_on_unless_it_is_within_1_of_its_bound(value: float, bound: float, text: str) -> None:
    assert numbers.money(value, bound) == text


@given(positive, st.one_of(st.none(), positive))
def test_limits_are_rounded_away_and_never_past_a_bound(value: float, bound: float | None) -> None:
    for up, text in ((True, numbers.at_most(value, bound)), (False, numbers.at_least(value, bound))):
        if text == "more than 0":
            assert not up
            assert value < numbers.LEAST
            continue
        shown = float(text.removeprefix("at least ").replace(",", ""))
        slack = 1e-9 * value
        assert shown >= value - slack if up else shown <= value + slack
        if bound is not None and value != bound:
            assert (shown > bound) == (value > bound)
            assert (shown < bound) == (value < bound)
        if bound is None:
            assert abs(shown - value) <= (0.01 if value >= 1 else 0.001 if value >= 0.1 else 0.0001) + slack


@given(st.floats(-1e6, 1e6), st.floats(1e-7, 1e4))
def test_a_figure_is_printed_to_two_digits_of_its_error(value: float, error: float) -> None:
    text = numbers.figure(value, error)
    if " ± " not in text:
        assert abs(value) + 2 * error < numbers.LEAST or value == 0
        return
    shown, of = (part.replace(",", "") for part in text.split(" ± "))
    assert shown.partition(".")[2].__len__() == of.partition(".")[2].__len__()
    if 1e-7 < error < 9.5:
        assert of.replace(".", "").lstrip("0")[2:] in ("", "0")  # 0.0996 is printed as 0.100
    assert abs(float(shown) - value) <= max(error, 0.5) / 2


@given(st.lists(st.floats(0, 1), max_size=5))
def test_coups_are_a_hundred_unless_a_figure_would_be_too_small_to_print(per_coup: list[float]) -> None:
    above = [value for value in per_coup if value]
    fits = all(not numbers.figure(100 * value, None).startswith("<") for value in above)
    assert numbers.coups_for(per_coup) == (100 if fits else 1_000_000)
