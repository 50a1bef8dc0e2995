"""Workers: threads on this machine, or an executor. Threads work in parallel, because the compiled kernels release the
interpreter's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from counting.errors import InputError, whole

WAKE = 1  # the most seconds of one wait; Ctrl-C cannot end a wait that has no limit

Part = TypeVar("Part")
Result = TypeVar("Result")


def threads(workers: int | None) -> int:
    """The number of threads: `workers` or, if it is None, one per core."""
    return whole(workers, "workers", 1, 1024) if workers is not None else (os.cpu_count() or 1)


def pool(executor: Executor | None, workers: int) -> AbstractContextManager[Executor]:
    """The executor or, if it is None, a pool of threads. Raises `InputError` for an executor that starts processes by
    fork. A forked process may inherit locks that are held, but not the threads that would release them, and so may wait
    forever."""
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise InputError(
            f"executor: a {type(executor).__name__} that forks can wait for ever, should start its processes by spawn "
            "or forkserver: mp_context=multiprocessing.get_context('spawn')"
        )
    return nullcontext(executor) if executor else ThreadPoolExecutor(workers)


def in_order(executor: Executor, work: Callable[..., Result], *arguments: Iterable[Any]) -> Iterator[Result]:
    """The results in order, as from the executor's `map`. Ctrl-C ends the wait."""
    futures = [executor.submit(work, *some) for some in zip(*arguments, strict=True)]
    try:
        yield from map(_awaited, futures)
    finally:
        for future in futures:
            future.cancel()


def in_threads(work: Callable[[Part], Result], parts: Iterable[Part], workers: int | None = None) -> Iterator[Result]:
    """The results of `work` for each part, in order. At most about two results per thread wait in memory."""
    number = threads(workers)
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(number) as started:
        for part in parts:
            waiting.append(started.submit(work, part))
            if len(waiting) > 2 * number:
                yield _awaited(waiting.popleft())
        while waiting:
            yield _awaited(waiting.popleft())


def _awaited(future: Future[Result]) -> Result:
    """The result of a future. Ctrl-C ends the wait."""
    while not wait([future], timeout=WAKE).done:
        pass
    return future.result()
