"""How much the tests look at: of every class of cases some by default, all sizes and more examples with `--long`."""

import os
from typing import TypeVar

from hypothesis import settings

T = TypeVar("T")

LONG = os.environ.get("COUNTING_LONG_TESTS") == "1"  # set by tests/conftest.py, for xdist's workers too


def long_or(long: T, short: T) -> T:
    """How many or how large, with `--long` and without."""
    return long if LONG else short


def examples(long: int, short: int) -> settings:
    """So many examples of a property."""
    return settings(max_examples=long_or(long, short), deadline=None)
