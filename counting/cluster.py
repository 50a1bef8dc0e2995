"""A Dask cluster as an executor. This needs the extra `cluster`. The cluster's workers play blocks of shoes and send
back the results.

Dask runs on an event loop in a separate thread, while the command waits. So even if a scheduler never answers, the
command can end within the time limits below.
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

_RETRIES = 10  # the most times that a block is tried again after it fails on a worker
_SECONDS = 10  # seconds within which a scheduler must answer
_CONNECT = 8  # seconds to make a connection, within `_SECONDS`
_CLOSING = 3  # the most seconds to close the client, to cancel tasks, or to stop the loop
_LOOK = 1  # seconds between two checks of the scheduler
_STILL = 40  # a worker without a message for this number of seconds is reported
_TELL = 20  # missing workers or answers are reported after this number of seconds, then after twice as long, and so on
_VERSION = "counting:__version__"
_SHOWN = 200  # the most characters of a Dask error that are shown

Tell = Callable[[str], None]


class ClusterError(InputError):
    """The cluster, or work on it, failed after work had begun."""


@contextmanager
def cluster(address: str, tell: Tell = lambda _: None) -> Iterator[tuple[Executor, int]]:
    """Connect to the scheduler at an address such as tcp://10.0.0.1:8786. Gives an executor, and the number of the
    cluster's threads.

    If a worker is lost, its block goes to another worker, unless several workers have already been lost while they
    played this block (Dask's allowed-failures). If no worker is left, or the scheduler does not answer, the work waits.
    `tell` is called with a line about each such wait, and with a line about each silent worker.

    Raises `InputError` if the extra is not installed, no scheduler answers, or there are no workers. It is also raised
    if the scheduler or a worker lacks this version of the package. Work that fails on the cluster raises
    `ClusterError`, except that an `InputError` raised by the work is passed on unchanged.
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
            reason = f"no answer within {_SECONDS} s" if isinstance(error, TimeoutError) else _in_short(error)
            raise InputError(
                f"--cluster {address}: should be a scheduler's address, as tcp://host:8786: {reason}"
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
    """An executor that submits work to a scheduler."""

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
            from distributed.comm import CommClosedError
            from tornado.iostream import StreamClosedError

            lost = self._client.status != "running" or isinstance(error, CommClosedError | StreamClosedError)
            reason = "lost the scheduler" if lost else f"work failed there: {_in_short(error)}"
            raise ClusterError(f"--cluster {self._address}: {reason}") from error


async def _connect(address: str) -> tuple[Any, int]:
    """A client of the scheduler, and the number of threads of the scheduler's workers.

    A client is made only after a scheduler has answered. The host's name is looked up here first. If Dask looked it up,
    it would do so in a thread, and the process could not end before that thread.
    """
    from distributed import Client
    from distributed.comm.addressing import get_address_host_port
    from distributed.core import rpc
    from distributed.security import Security

    socket.getaddrinfo(*get_address_host_port(address))
    security = Security().get_connection_args("client")
    async with asyncio.timeout(_SECONDS):
        async with rpc(address, timeout=_CONNECT, connection_args=security) as scheduler:
            identity = await scheduler.identity()
        if identity.get("type") != "Scheduler":
            raise ValueError(f"a {identity.get('type')} answers there")
        client = Client(address, asynchronous=True, timeout=_CONNECT, set_as_default=False)
        try:
            await client
        except BaseException:
            await client.close()
            raise
    return client, identity["total_threads"]


async def _check_versions(client: Any, address: str) -> None:
    """Raise `InputError` if the scheduler or a worker lacks the package or has another version of it. A worker without
    the package would fail at its first block. If one of them does not answer in time, nothing is checked."""
    question = (resolve_name, _VERSION)  # a function of the standard library, so that any worker can call it
    answers: Any = None
    with suppress(TimeoutError):
        async with asyncio.timeout(_SECONDS):
            answers = await asyncio.gather(
                client.run_on_scheduler(*question), client.run(*question, on_error="return"), return_exceptions=True
            )
    of_all = {"the scheduler": answers[0], **answers[1]} if answers and isinstance(answers[1], dict) else {}
    for where, version in of_all.items():
        if isinstance(version, ImportError):
            raise InputError(f"--cluster {address}: {where} lacks counting {__version__}: {_in_short(version)}")
        if isinstance(version, str) and version != __version__:
            raise InputError(f"--cluster {address}: {where} has version {version}, should be {__version__}")


class _Beats:
    """Finds silent workers. The scheduler states the time of each worker's last message; if a worker is silent, this
    time does not change."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[float, float]] = {}
        self._told: dict[str, float] = {}

    def silent(self, workers: dict[str, Any]) -> list[tuple[str, float]]:
        """The silent workers to report now, each with the seconds since its last message. A worker is reported after
        `_STILL` seconds, and again each time its silence has doubled."""
        now = monotonic()
        before, self._last = self._last, {}
        found = []
        for name, worker in workers.items():
            beat, since = worker["last_seen"], now
            if name in before and before[name][0] == beat:
                since = before[name][1]
            else:
                self._told.pop(name, None)
            self._last[name] = beat, since
            if now - since >= self._told.get(name, _STILL):
                self._told[name] = 2 * (now - since)
                found.append((name, now - since))
        return found


async def _watch(client: Any, address: str, tell: Tell) -> None:
    """Report silent or missing workers, and a scheduler that does not answer. If the scheduler is gone, close the
    client, so that the work fails instead of waiting."""
    good, patience, beats = monotonic(), _TELL, _Beats()
    while True:
        try:
            # If the scheduler is gone, the connection fails before this time is up.
            identity = await asyncio.wait_for(client.scheduler.identity(), _SECONDS)
            missing = "" if identity["n_workers"] else "it has had no workers"
            for worker, seconds in beats.silent(identity["workers"]):
                tell(
                    f"waiting for {address}: its worker {worker} has been silent for {seconds:.0f} s; end it, and its "
                    "work goes to another"
                )
        except TimeoutError:
            missing = "it has not answered"
        except OSError:
            await client.close()
            return
        waited = monotonic() - good
        if not missing:
            good, patience = monotonic(), _TELL
        elif waited >= patience:
            tell(f"waiting for {address}: {missing} for {waited:.0f} s")
            patience *= 2
        await asyncio.sleep(_LOOK)


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """An event loop in a separate thread. At the end, unfinished tasks are cancelled. They get only a short time to
    end, because a task may hang while it asks a name server."""
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
    """Turn off all logging, and Dask's warnings. Failures are raised or reported instead."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="distributed")
            yield
    finally:
        logging.disable(before)


def _in_short(error: BaseException) -> str:
    """The original cause of an error, on one line, shortened."""
    while error.__cause__:
        error = error.__cause__
    return shorten(f"{type(error).__name__}: {error}", _SHOWN, placeholder=" ...")
