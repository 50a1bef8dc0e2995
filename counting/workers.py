"""The workers of this machine: its threads, whose kernels release the interpreter's lock, or an executor."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from counting.errors import InputError, whole

WAKE = 1  # second: an endless wait would go on after Ctrl-C

Part = TypeVar("Part")
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


def in_threads(work: Callable[[Part], Result], parts: Iterable[Part]) -> Iterator[Result]:
    """The results of the parts, in their order. Only a few more results than threads wait in memory."""
    number = threads(None)
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(number) as started:
        for part in parts:
            waiting.append(started.submit(work, part))
            if len(waiting) > 2 * number:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
