"""A Dask cluster as an executor, with the extra `cluster`: blocks of shoes are played there and parts sent back."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from counting.errors import InputError

_RETRIES = 10  # of a block whose workers die
_SECONDS = 10  # to find the scheduler


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
