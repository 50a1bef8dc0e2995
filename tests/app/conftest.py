"""The application in a separate process, asked over its socket."""

import http.client
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote, urlencode, urlsplit

import lighter
import pytest


@dataclass
class Served:
    """A running application: its folder, its address with the token, and a browser's cookie."""

    folder: Path
    address: str
    process: subprocess.Popen[str]
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], str]:
        """The status, the headers and the text of an answer."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        sent = {"Cookie": self.cookie, **self.headers, **(headers or {})}
        try:
            connection.request(method, quote(path, safe="/?&=%+-._~"), body, {k: v for k, v in sent.items() if v})
            answer = connection.getresponse()
            return (
                answer.status,
                {k.lower(): v for k, v in answer.getheaders()},
                answer.read().decode("utf-8", "replace"),
            )
        finally:
            connection.close()

    def get(self, path: str) -> str:
        """The text of a page; the test fails if it is not there."""
        status, _, text = self.ask("GET", path)
        assert status == 200, (path, status, text)
        return text

    def post(self, path: str, form: dict[str, str]) -> tuple[int, str, str]:
        """The answer to a form sent as from the application's own page: the status, the address it leads to, and the
        text."""
        own = {"Origin": f"http://{self.host}", "Content-Type": "application/x-www-form-urlencoded"}
        status, headers, text = self.ask("POST", path, urlencode(form).encode(), own)
        return status, headers.get("location", ""), text

    def enter(self) -> None:
        """Keep the cookie that the application's first address gives."""
        status, headers, _ = self.ask("GET", self.address.removeprefix(f"http://{self.host}"))
        assert status == 303
        self.cookie = headers["set-cookie"].partition(";")[0]

    def finished(self, number: int, seconds: float = 60) -> str:
        """Wait until a job is over. Return its panel."""
        until = monotonic() + seconds
        while monotonic() < until:
            panel = self.get(f"/jobs/{number}")
            if 'data-state="waiting' not in panel and 'data-state="running' not in panel:
                return panel
            sleep(0.1)
        raise AssertionError(f"job {number} is not over after {seconds} s")


def printer(folder: Path) -> dict[str, str]:
    """Environment variables with which the browser that prints to PDF is a script that only copies the page. None on
    Windows, where a browser of the system prints."""
    if os.name != "posix":
        return {}
    copying = "import sys; from shutil import copy; from urllib.request import url2pathname as file; "
    copying += "copy(file(sys.argv[-1].removeprefix('file://')), sys.argv[-2].removeprefix('--print-to-pdf='))"
    script = folder / "chromium"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -c "{copying}" "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@contextmanager
def serving(folder: Path, *options: str, **environment: str) -> Iterator[Served]:
    """A running application on a folder; it is killed at the end. Its limits are from few weighted shoes.
    `environment`: variables besides the variables of this process."""
    words = [lighter.python(folder.parent), "-P", "-m", "counting.cli", "app", str(folder), "--no-open", *options]
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP")} | {"POLARS_MAX_THREADS": "1"}
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | threads | environment,
        cwd=folder.parent,
    ) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            address = next((line.strip() for line in lines if line.startswith("http://")), "")
            if not address:
                raise AssertionError((process.stderr or process.stdout).read())
            served = Served(folder, address, process)
            served.enter()
            yield served
        finally:
            process.kill()
            process.communicate()


Start = Callable[..., Served]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One application for the tests of this folder. It draws no figures, and a script replaces the browser that
    prints. Each test has its own names for what it keeps in the folder."""
    folder = tmp_path_factory.mktemp("app")
    with serving(folder / "Baccarat studies", **printer(folder), **{lighter.UNDRAWN: "1"}) as running:
        yield running
