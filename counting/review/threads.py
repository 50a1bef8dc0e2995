"""Work on the parts of a log in threads: kernels release the interpreter's lock."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Part = TypeVar("_Part")
_Result = TypeVar("_Result")


def in_threads(work: Callable[[_Part], _Result], parts: Iterable[_Part]) -> Iterator[_Result]:
    """The results of the parts, in their order. Only a few more results than threads wait in memory."""
    threads = os.cpu_count() or 1
    waiting: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for part in parts:
            waiting.append(pool.submit(work, part))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
