"""How many cases the tests try. By default, they try some cases of every class; with `--long`, all sizes and more
examples."""

import os
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")

LONG = os.environ.get("COUNTING_LONG_TESTS") == "1"  # tests/conftest.py sets it, also for xdist's workers


def long_or(long: T, short: T) -> T:
    """The first value with `--long`, and the second without."""
    return long if LONG else short


def examples(long: int, short: int) -> settings:
    """Settings for a property: the number of examples is `long` with `--long`, and `short` without."""
    return settings(max_examples=long_or(long, short), deadline=None)


def crossed(*values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All combinations with `--long`. Without it, each value is in at least one combination, and their number is the
    length of the longest list."""
    lists = [list(some) for some in values]
    if LONG:
        return list(product(*lists))
    return [tuple(some[i % len(some)] for some in lists) for i in range(max(map(len, lists)))]


def one_of_each(cases: Iterable[T], kind: Callable[[T], object]) -> list[T]:
    """All cases with `--long`; without it, the first case of each kind."""
    every = list(cases)
    return every if LONG else list({kind(case): case for case in reversed(every)}.values())[::-1]
