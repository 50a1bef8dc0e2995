"""How much the tests look at: by default some cases of every class, with `--long` all sizes and more examples."""

import os
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeVar

from hypothesis import settings

T = TypeVar("T")

LONG = os.environ.get("COUNTING_LONG_TESTS") == "1"  # set by tests/conftest.py, for xdist's workers too


def long_or(long: T, short: T) -> T:
    """The first number with `--long`, the second without."""
    return long if LONG else short


def examples(long: int, short: int) -> settings:
    """The settings of a property with the first number of examples with `--long`, and the second without."""
    return settings(max_examples=long_or(long, short), deadline=None)


def crossed(*values: Iterable[Any]) -> list[tuple[Any, ...]]:
    """All combinations with `--long`. Without, as many as the longest list has values; each value is in at least
    one."""
    lists = [list(some) for some in values]
    if LONG:
        return list(product(*lists))
    return [tuple(some[i % len(some)] for some in lists) for i in range(max(map(len, lists)))]


def one_of_each(cases: Iterable[T], kind: Callable[[T], object]) -> list[T]:
    """All cases with `--long`; without, the first of each kind."""
    every = list(cases)
    return every if LONG else list({kind(case): case for case in reversed(every)}.values())[::-1]
