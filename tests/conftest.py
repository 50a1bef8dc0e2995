"""Settings for every run of the tests, and fixtures that several files use."""

import gc
import os

for _variable in ("OPENBLAS_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_variable, "1")  # each worker has one core

import re
import signal
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from counting import load_game
from counting.simulation import Dealing
from counting.sweep import Plan, Sweep, run
from counting.systems import load_system

HERE = Path(__file__).parent
_NUMBER = count()  # the numbers of tests

sys.path.append(str(HERE.parent))  # for `experiments`; at the end, so that the installed `counting` is imported


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="all sizes and many examples (tests/extent.py), some minutes")


def _not_waiting(file: int) -> None:
    """Replaces `os.fsync`, which waits for the disk. No test cuts the power, and a file that a killed process wrote is
    kept without the wait."""
    os.fstat(file)  # fails if the file is closed, as fsync does


def pytest_configure(config: pytest.Config) -> None:
    os.fsync = _not_waiting
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell turns SIGINT off for background processes
    os.environ["COUNTING_LONG_TESTS"] = str(int(config.getoption("--long")))
    from extent import long_or

    # Every run has the same examples; `pytest --hypothesis-profile=explore` draws new examples.
    settings.register_profile("repeat", derandomize=True, deadline=None, max_examples=long_or(100, 40))
    settings.register_profile("explore", derandomize=False, deadline=None)
    settings.load_profile(config.getoption("--hypothesis-profile") or "repeat")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without `--long`, tests marked `long` are left out. A test that is named by its file and function runs."""
    if config.getoption("--long"):
        return
    named = {str(each).partition("[")[0] for each in config.args}
    left_out = {
        item for item in items
        if item.get_closest_marker("long") and item.nodeid.partition("[")[0] not in named
    }  # fmt: skip
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


def _kept_frozen() -> None:
    """Replaces `gc.unfreeze`. No test needs the memory that a watch froze."""


def pytest_collection_finish() -> None:
    gc.freeze()  # modules stay in memory, so the collector need not go through them again
    gc.unfreeze = _kept_frozen  # a watch unfreezes everything at its end, and each collection would then go through it
    gc.set_threshold(20_000, 20, 20)  # collect less often than after every 700 new objects


@pytest.fixture(autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has a separate cache."""
    monkeypatch.setenv("COUNTING_CACHE", str(tmp_path_factory.getbasetemp() / f"cache-{next(_NUMBER)}"))


@pytest.fixture
def undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures are set up, but not drawn, as drawing takes most of the time for a page. For tests that do not look at
    figures. Tests marked `drawn` draw figures; with --long, all tests do."""
    from extent import LONG
    from lighter import closed

    if not LONG and request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr("counting.reports.drawing.svg", closed)


@pytest.fixture
def few_weighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of rare bets are from few weighted shoes. For tests that do not look at these limits."""
    from lighter import lighten

    lighten(monkeypatch.setattr)


_LIMITS: dict[str, Any] = {}


@pytest.fixture
def limits_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of statements from weighted shoes are worked out only once for each question. For tests that ask a
    question again."""
    from counting.bounds import confidence_limits

    def once(game: Any, dealing: Any, worth: Any, plain: Any, **how: Any) -> Any:
        constants = {name: value for name, value in vars(confidence_limits).items() if name.isupper()}
        key = repr((game.digest, dealing, worth.stakes.key, worth.rebate, plain, how, constants))
        if key not in _LIMITS:
            _LIMITS[key] = confidence_limits.upper_limits(game, dealing, worth, plain, **how)
        return _LIMITS[key]

    monkeypatch.setattr("counting.bounds.statements.upper_limits", once)


@pytest.fixture(scope="module")
def few_weighted_throughout() -> Iterator[None]:
    """`few_weighted` for all tests and fixtures of a file."""
    from lighter import lighten

    with pytest.MonkeyPatch.context() as patch:
        lighten(patch.setattr)
        yield


@pytest.fixture(scope="session")
def louisiana_sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """A sweep of Louisiana, with a system on every bet. It has several blocks, and the last block is short."""
    from extent import long_or

    plan = Plan(
        load_game("louisiana"), Dealing(), long_or(2500, 1300), 1, (load_system(HERE / "systems" / "sevens.toml"),)
    )
    return run(plan, tmp_path_factory.mktemp("louisiana"))


@pytest.fixture(scope="session")
def rulers_sweep(tmp_path_factory: pytest.TempPathFactory) -> Sweep:
    """A sweep of 1,200 shoes with three side bets, the published counts for Dragon 7 and Panda 8, and a system made for
    tests. The first card is burned."""
    systems = (load_system("dragon-7"), load_system("panda-8"), load_system(HERE / "systems" / "unbalanced.toml"))
    game = load_game(HERE / "games" / "rulers.toml")
    plan = Plan(game, Dealing(burn="first-card"), 1200, 4, systems, ("dragon-7", "panda-8", "super-6"))
    return run(plan, tmp_path_factory.mktemp("rulers"))


class Balanced(HTMLParser):
    """Checks that every opened element is closed, in the right order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "path", "use", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "path", "use", "br"):
            assert self.open.pop() == tag


@pytest.fixture
def whole_page() -> Callable[[str], None]:
    """A function that asserts that an HTML page is well-formed and loads nothing."""

    def check(html: str) -> None:
        assert '<meta http-equiv="Content-Security-Policy" content="default-src \'none\';' in html
        assert not re.search(r"<script[^>]*\bsrc\b", html)
        html = re.sub(r"(<script[^>]*>).*?</script>", r"\1</script>", html, flags=re.S)  # the policy limits scripts
        parser = Balanced()
        parser.feed(html)
        assert parser.open == []
        without_namespaces = re.sub(r'xmlns(:\w+)?="[^"]*"', "", html)
        assert not re.search(
            r"(src|href)\s*=\s*[\"'](?!#)|url\((?!#)|@import|<link|https?://(?!www\.w3\.org|purl\.org|creativecommons)",
            without_namespaces,
        )

    return check
