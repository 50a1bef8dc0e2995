"""Alerts given to a local command or posted to a URL, in order, with at most three tries each.

An alert counts as given when its command has ended with status 0, or the server has answered with status 200 to 299. An
alert for which all tries failed counts as given too. If too many alerts wait, further alerts are dropped; a dropped
alert counts as given once all alerts before it count as given. Failed and dropped alerts are reported. If an alert
still waits when the watch ends, the next watch gives it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from threading import Event, Lock, Thread, Timer
from time import monotonic, sleep
from typing import Any, NamedTuple, Protocol
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from counting.errors import InputError, printable
from counting.version import __version__

TRIES = 3
SECONDS = 10.0  # the most seconds that a try may take
PAUSE = 1.0  # seconds between the first try and the second; between the second and the third, twice this
MOST_WAITING = 100_000  # the most alerts that wait: about 40 MB
_LOOK = 0.05  # seconds between two checks whether all alerts are given

Tell = Callable[[str], object]


class Channel(Protocol):
    """A receiver of alerts. `name` is for messages."""

    name: str

    def give(self, alert: bytes) -> str:
        """Try once, for `SECONDS` at most. Returns why the try failed, or an empty text."""
        ...


class Command:
    """A local program. It reads the alert from its standard input."""

    def __init__(self, words: Sequence[str]) -> None:
        self.name = f"the command {printable(words[0])}"
        self._words = list(words)

    def give(self, alert: bytes) -> str:
        try:
            process = subprocess.Popen(
                self._words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C stops only the watch
            )  # fmt: skip
        except OSError as error:
            return f"cannot be run: {error.strerror}"
        with process:
            try:
                process.communicate(alert, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                _kill(process)
                return f"took more than {SECONDS:.0f} seconds"
        return f"ended with status {process.returncode}" if process.returncode else ""


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program and the programs that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


class Webhook:
    """A URL to which the alert is posted as JSON."""

    def __init__(self, url: str) -> None:
        """Raises `InputError` for anything but an http or https URL, and for a URL with a user or a password."""
        try:
            parts = urlsplit(url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            parts, host = urlsplit(""), None
        is_plain = url.isascii() and url.isprintable() and " " not in url
        if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc or not is_plain:
            raise InputError(
                f"--webhook {printable(url[:30])}: should be a URL as https://chat.example/hooks/pit, without a user "
                "and password"
            )
        self.name = f"the webhook at {host}"  # the rest of the URL is often a secret
        self._url, self._scheme, self._connection = url, parts.scheme, None

    def give(self, alert: bytes) -> str:
        headers = {"Content-Type": "application/json", "User-Agent": f"counting/{__version__}"}
        request = Request(self._url, alert, headers, method="POST")
        connections = _Connections()
        late = Timer(SECONDS, connections.cut)
        late.daemon = True
        late.start()
        try:
            with connections.opener().open(request, timeout=SECONDS) as answer:
                return "" if 200 <= answer.status < 300 else f"answered with status {answer.status}"
        except HTTPError as error:
            error.close()
            where = " (redirects are not followed)" if 300 <= error.code < 400 else ""
            return f"answered with status {error.code}{where}"
        except (OSError, HTTPException, ValueError) as error:
            if connections.is_cut or isinstance(error, TimeoutError):
                return f"took more than {SECONDS:.0f} seconds"
            reason = error.reason if isinstance(error, URLError) else error
            return f"cannot be reached: {printable(str(reason))[:80]}"
        finally:
            late.cancel()


class _Connections:
    """The connections of one try. They are closed if the try takes too long, because a socket's timeout limits only
    each single read."""

    def __init__(self) -> None:
        self._made: list[HTTPConnection] = []
        self.is_cut = False

    def opener(self) -> OpenerDirector:
        """An opener for http and https. It uses the proxy that the environment names, and follows no redirect."""
        made = self._made

        class Plain(HTTPHandler):
            def http_open(self, request: Request) -> Any:
                return self.do_open(_kept(HTTPConnection, made), request)

        class Secure(HTTPSHandler):
            def https_open(self, request: Request) -> Any:
                return self.do_open(_kept(HTTPSConnection, made), request)

        opener = OpenerDirector()
        for handler in (ProxyHandler(), Plain(), Secure(), HTTPDefaultErrorHandler(), HTTPErrorProcessor()):
            opener.add_handler(handler)
        return opener

    def cut(self) -> None:
        self.is_cut = True
        for connection in self._made:
            if connection.sock is not None:
                with suppress(OSError):
                    connection.sock.shutdown(2)


def _kept(kind: type[HTTPConnection], made: list[HTTPConnection]) -> Callable[..., HTTPConnection]:
    def make(*args: Any, **how: Any) -> HTTPConnection:
        made.append(kind(*args, **how))
        return made[-1]

    return make


class _Waiting(NamedTuple):
    """An alert that waits. `last` is the number of the last alert that was dropped right after it; if none was dropped,
    it is the alert's own number."""

    number: int
    alert: bytes
    last: int


class Delivery:
    """Gives alerts to a channel, in their order and in a separate thread. `given` is called with the number of each
    alert that was given or that failed in all tries. If the alerts after it were dropped because too many waited,
    `given` is then called with the number of the last dropped alert."""

    def __init__(self, channel: Channel, given: Callable[[int], object], tell: Tell) -> None:
        self.channel = channel
        self.failed = 0  # the number of alerts that were given up
        self._given, self._tell = given, tell
        self._waiting: deque[_Waiting] = deque()
        self._lock = Lock()
        self._new, self._stopped = Event(), Event()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def add(self, number: int, alert: bytes) -> None:
        with self._lock:
            if is_dropped := len(self._waiting) >= MOST_WAITING:
                self._waiting[-1] = self._waiting[-1]._replace(last=number)
            else:
                self._waiting.append(_Waiting(number, alert, number))
        if is_dropped:
            self._give_up(number, f"has {MOST_WAITING:,} alerts waiting for it")
        else:
            self._new.set()

    def _run(self) -> None:
        while True:
            self._new.wait()
            self._new.clear()
            while self._waiting and not self._stopped.is_set():
                number, alert, _ = self._waiting[0]
                if not self._is_given(number, alert):
                    break  # the alert waits for the next watch
                self._settle(number)
            if self._stopped.is_set():
                return

    def _settle(self, number: int) -> None:
        """Count the first alert as given, and then the alerts that were dropped right after it."""
        while True:
            with suppress(OSError):  # if the number cannot be kept, the alert may be given again
                self._given(number)
            with self._lock:
                last = self._waiting[0].last
                if last == number:
                    self._waiting.popleft()
                    return
            number = last

    def _is_given(self, number: int, alert: bytes) -> bool:
        reason = ""
        for at in range(TRIES):
            if at and self._stopped.wait(PAUSE * at):
                return False
            reason = self.channel.give(alert)
            if not reason:
                return True
        self._give_up(number, f"{reason}; this was the last of {TRIES} tries")
        return True

    def _give_up(self, number: int, why: str) -> None:
        self.failed += 1
        with suppress(OSError):  # alerts are given even if nobody reads stderr
            self._tell(f"counting: alert {number} was not given: {self.channel.name} {why}")

    def stop(self) -> None:
        """End after the try that has begun."""
        self._stopped.set()
        self._new.set()

    def join(self, seconds: float) -> bool:
        """Wait for the try that has begun, for at most `seconds` seconds. Returns whether it has ended."""
        self._thread.join(max(seconds, 0.0))
        return not self._thread.is_alive()


def finish(deliveries: Sequence[Delivery], stop: Callable[[], bool], hurry: Callable[[], bool], tell: Tell) -> None:
    """Wait until all alerts are given.

    Once `stop` returns true, wait only for the tries that have begun. This wait ends after `SECONDS` and one more
    second, or when `hurry` returns true."""
    begun, told = monotonic(), False
    while any(each.waiting for each in deliveries) and not stop():
        if not told and monotonic() - begun > 2:
            told = True
            waiting = max(each.waiting for each in deliveries)
            tell(f"counting: giving {waiting:,} waiting alert{'s' * (waiting != 1)}; Ctrl-C stops this")
        sleep(_LOOK)
    for each in deliveries:
        each.stop()
    until = monotonic() + SECONDS + 1
    while not all(each.join(_LOOK) for each in deliveries) and monotonic() < until and not hurry():
        pass
