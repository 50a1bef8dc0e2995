"""Who plays the blocks of shoes: the threads of this machine, an executor, or a Dask cluster (the extra `cluster`)."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext

from counting.errors import InputError, whole

_RETRIES = 10  # of a block whose workers die
_SECONDS = 10  # to find the scheduler


def threads(workers: int | None) -> int:
    """So many as asked for, or one a core."""
    return whole(workers, "workers", 1, 1024) if workers is not None else (os.cpu_count() or 1)


def pool(executor: Executor | None, workers: int) -> AbstractContextManager[Executor]:
    """The executor, or threads. Raises `InputError` for processes that are started by fork: a child has the locks of
    this process as they are, but none of the threads that would release them, and may wait for ever."""
    context = getattr(executor, "_mp_context", None)
    if context is not None and context.get_start_method() == "fork":
        raise InputError(
            f"executor: a {type(executor).__name__} that forks can wait for ever, should start its processes by spawn "
            "or forkserver: mp_context=multiprocessing.get_context('spawn')"
        )
    return nullcontext(executor) if executor else ThreadPoolExecutor(workers)


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The cluster of a scheduler's address, such as tcp://10.0.0.1:8786, and how many threads it has.

    A block whose worker is lost goes to another. Raises `InputError` where the extra is not installed, or nobody
    answers at the address, or nobody works there.
    """
    try:
        from distributed import Client
    except ImportError:
        raise InputError("--cluster: needs the extra cluster: pip install 'counting[cluster]'") from None
    said = None
    try:
        client = Client(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        said = " ".join(str(error).split())
    if said is not None:
        # The client that failed must be gone before another starts: collected in the midst of that, it would wait for
        # a lock that its own thread holds.
        gc.collect()
        raise InputError(f"--cluster {address}: should be a scheduler's address, as tcp://host:8786: {said}")
    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise InputError(f"--cluster {address}: has no workers")
        with client.get_executor(pure=False, retries=_RETRIES) as executor:
            yield executor, threads
