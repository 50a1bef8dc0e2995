"""Pages in a real browser: Chromium, driven by Playwright. Tests are skipped if one of the two is missing.

`pip install '.[browser]'` installs Playwright and axe-core. The browser is the one whose path is in COUNTING_BROWSER,
or the first of `NAMES` that the system has. The headless shell (`apt install chromium-headless-shell`) takes a quarter
less processor time than Chromium itself (`apt install chromium`).
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.journeys import browsing, errors_of
from lighter import UNDRAWN

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
CHROMIUM = os.environ.get("COUNTING_BROWSER") or next(filter(None, map(shutil.which, NAMES)), None)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="module", autouse=True)
def _few_weighted(few_weighted_throughout: None) -> None:
    """The limits on the pages are from few weighted shoes."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser, one for all tests of a worker."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium on the path, nor in COUNTING_BROWSER")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Any) -> Iterator[Any]:
    """A window of 1200 pixels without a network. An error that its page prints fails the test."""
    context = chromium.new_context(viewport={"width": 1200, "height": 900}, offline=True)
    page = context.new_page()
    errors = errors_of(page)
    yield page
    context.close()
    assert not errors


@pytest.fixture(scope="session")
def printing(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Environment variables with which the toolkit prints by the browser of the tests. None on Windows, where it prints
    by the installed browser."""
    if os.name != "posix" or CHROMIUM is None:
        return {}
    script = tmp_path_factory.mktemp("printing") / "chromium"
    script.write_text(f'#!/bin/sh\nexec "{CHROMIUM}" "$@"\n')
    script.chmod(0o755)
    return {"PATH": f"{script.parent}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def application(tmp_path_factory: pytest.TempPathFactory, printing: dict[str, str]) -> Iterator[Any]:
    """The application, one for the journeys of a file. Its folder has a long name, which a phone must break into
    lines. It draws no figures, unless pictures are made."""
    from app.conftest import serving

    folder = tmp_path_factory.mktemp("application-" + "folder" * 10) / "Baccarat studies"
    undrawn = {} if os.environ.get("COUNTING_PICTURES") else {UNDRAWN: "1"}
    with serving(folder, **printing, **undrawn) as running:
        yield running


@pytest.fixture
def screen(chromium: Any, application: Any) -> Iterator[Any]:
    """The first screen of the application. An error that its pages print fails the test, unless it is about a refused
    form."""
    with browsing(chromium, application.address, refused=True) as page:
        yield page
