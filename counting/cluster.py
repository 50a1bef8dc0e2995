"""A Dask cluster as an executor, with the extra `cluster`: blocks of shoes are played there and parts sent back.

Dask runs on an event loop in a thread of its own. Whoever waits for it waits elsewhere, so that a server that never
answers cannot hold a command beyond its deadlines, nor at its end.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from textwrap import shorten
from threading import Thread
from time import monotonic
from typing import Any

from counting.errors import InputError
from counting.version import __version__

_RETRIES = 10  # of a block that fails on its worker
_SECONDS = 10  # for a scheduler to answer
_CONNECT = 8  # of these, for a connection
_CLOSING = 3  # seconds to take leave of it
_LOOK = 1  # seconds between looks at its number of workers
_TELL = 20  # seconds without any until that is told; it is told again after twice the time
_VERSION = "counting:__version__"
_SHOWN = 200  # characters of an error of Dask's

Tell = Callable[[str], None]


class ClusterError(InputError):
    """The cluster failed after work had begun."""


@contextmanager
def cluster(address: str, tell: Tell = lambda _: None) -> Iterator[tuple[Executor, int]]:
    """The cluster of a scheduler's address, such as tcp://10.0.0.1:8786, and how many threads it has.

    A block whose worker is lost goes to another. While there is no worker left, or the scheduler does not answer, work
    waits, and `tell` is told so; nothing is logged. Raises `InputError` where the extra is not installed, or no
    scheduler answers at the address, or nobody works there; work that the cluster fails to do ends in `ClusterError`.
    """
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise InputError("--cluster: needs the extra cluster: pip install 'counting[cluster]'") from None
    with _quiet(), _loop() as loop:
        connecting = asyncio.run_coroutine_threadsafe(_connect(address), loop)
        try:
            client, threads = connecting.result(_SECONDS + 1)
        except Exception as error:
            said = f"no answer within {_SECONDS} s" if isinstance(error, TimeoutError) else _in_short(error)
            raise InputError(
                f"--cluster {address}: should be a scheduler's address, as tcp://host:8786: {said}"
            ) from None
        try:
            if not threads:
                raise InputError(f"--cluster {address}: has no workers; to start one: dask worker {address}")
            asyncio.run_coroutine_threadsafe(_check_versions(client, address), loop).result()
            asyncio.run_coroutine_threadsafe(_watch(client, address, tell), loop)
            yield _Workers(client, address, loop), threads
        finally:
            with suppress(Exception):
                asyncio.run_coroutine_threadsafe(client.close(), loop).result(_CLOSING)


class _Workers(Executor):
    """The workers of a scheduler."""

    def __init__(self, client: Any, address: str, loop: asyncio.AbstractEventLoop) -> None:
        self._client, self._address, self._loop = client, address, loop

    def submit(self, call: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(self._result(call, args, named), self._loop)

    async def _result(self, call: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
        try:
            return await self._client.submit(call, *args, **named, pure=False, retries=_RETRIES)
        except InputError:
            raise
        except Exception as error:
            lost = self._client.status != "running"
            said = "lost the scheduler" if lost else f"work failed there: {_in_short(error)}"
            raise ClusterError(f"--cluster {self._address}: {said}") from error


async def _connect(address: str) -> tuple[Any, int]:
    """A client of the scheduler, and how many threads its workers have.

    A client is made only for an address where a scheduler answers. The host's name is looked up here first, as Dask
    does that in a thread that a process waits for when it ends.
    """
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port
    from distributed.core import rpc
    from distributed.security import Security

    socket.getaddrinfo(*get_address_host_port(address))
    security = Security().get_connection_args("client")
    async with asyncio.timeout(_SECONDS):
        async with rpc(address, timeout=_CONNECT, connection_args=security) as there:
            found = await there.identity()
        if found.get("type") != "Scheduler":
            raise ValueError(f"a {found.get('type')} answers there")
        client = Client(address, asynchronous=True, timeout=_CONNECT, set_as_default=False)
        try:
            await client
        except BaseException:
            await client.close()
            raise
    return client, found["total_threads"]


async def _check_versions(client: Any, address: str) -> None:
    """Raise `InputError` where the scheduler or a worker lacks the package or has another version: a worker without it
    would die of its first block. Who does not answer in time is trusted."""
    asked = (resolve_name, _VERSION)  # of the standard library, so that it can be called there
    found: Any = None
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS):
            found = await asyncio.gather(
                client.run_on_scheduler(*asked), client.run(*asked, on_error="return"), return_exceptions=True
            )
    of_all = {"the scheduler": found[0], **found[1]} if found and isinstance(found[1], dict) else {}
    for who, version in of_all.items():
        if isinstance(version, ImportError):
            raise InputError(f"--cluster {address}: {who} lacks counting {__version__}: {_in_short(version)}")
        if isinstance(version, str) and version != __version__:
            raise InputError(f"--cluster {address}: {who} has version {version}, should be {__version__}")


async def _watch(client: Any, address: str, tell: Tell) -> None:
    """Tell what is waited for; close the client, and so end what it waits for, where the scheduler is gone."""
    good, patience = monotonic(), _TELL
    while True:
        try:
            # Where it is gone, connecting anew fails before the time is up.
            there = await asyncio.wait_for(client.scheduler.identity(n_workers=0), _SECONDS)
            missing = "" if there["n_workers"] else "it has no workers"
        except TimeoutError:
            missing = "it does not answer"
        except OSError:
            await client.close()
            return
        waited = monotonic() - good
        if not missing:
            good, patience = monotonic(), _TELL
        elif waited >= patience:
            tell(f"waiting for {address}: {missing} since {waited:.0f} s")
            patience *= 2
        await asyncio.sleep(_LOOK)


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a thread of its own. At the end what still runs there is cancelled, and not waited for long: a
    name server may be silent."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        with suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(_cancel_others(), loop).result(_CLOSING)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSING)
        if not thread.is_alive():
            loop.close()


async def _cancel_others() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Dask's log and warnings: what matters of them is an error's or told."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        logging.disable(before)


def _in_short(error: BaseException) -> str:
    """An error's first cause, in a line."""
    while error.__cause__:
        error = error.__cause__
    return shorten(f"{type(error).__name__}: {error}", _SHOWN, placeholder=" ...")
