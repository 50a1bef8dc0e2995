"""The workers that play blocks of shoes on this machine: its threads, or an executor."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from counting.errors import InputError, whole

WAKE = 1  # second: an endless wait would go on after Ctrl-C

Result = TypeVar("Result")


def threads(workers: int | None) -> int:
    """The number of threads: `workers`, or one per core."""
    return whole(workers, "workers", 1, 1024) if workers is not None else (os.cpu_count() or 1)


def pool(executor: Executor | None, workers: int) -> AbstractContextManager[Executor]:
    """The executor, or threads. Raises `InputError` for processes that are started by fork. A child has this process's
    locks as they are, but none of the threads that would release them, and may wait for ever."""
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise InputError(
            f"executor: a {type(executor).__name__} that forks can wait for ever, should start its processes by spawn "
            "or forkserver: mp_context=multiprocessing.get_context('spawn')"
        )
    return nullcontext(executor) if executor else ThreadPoolExecutor(workers)


def in_order(executor: Executor, work: Callable[..., Result], *arguments: Iterable[Any]) -> Iterator[Result]:
    """The executor's `map`; Ctrl-C ends its waits."""
    futures = [executor.submit(work, *some) for some in zip(*arguments, strict=True)]
    try:
        for future in futures:
            while not wait([future], timeout=WAKE).done:
                pass
            yield future.result()
    finally:
        for future in futures:
            future.cancel()
