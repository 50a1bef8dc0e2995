"""What is run on a change: `nox` runs test, lint and golden; `nox -s NAME` one session, `nox -l` lists them.

Each session installs the project into an environment of its own. `.ci/run` calls them, so that nothing is said twice.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nox

HERE = Path(__file__).parent
KERNELS = sorted(path.relative_to(HERE / "ext") for path in HERE.glob("ext/counting/**/*.pyx"))
# The tests of kernels, which the safe build runs: their arithmetic, their arrays, and who calls them.
KERNEL_TESTS = [
    "tests/test_room.py",
    "tests/exact/test_pricing.py",
    "tests/exact/test_censuses.py",
    "tests/simulation/test_dealing.py",
    "tests/simulation/test_simulator.py",
    "tests/simulation/test_rare_gains.py",
    "tests/sweep/test_bettor.py",
    "tests/analysis/test_summary.py",
    "tests/analysis/test_penetration.py",
    "tests/audit/test_permutation_test.py",
    "tests/audit/test_edge_following.py::test_every_permutation_of_like_hands_is_as_likely",
    "tests/audit/test_edge_following.py::test_edges_of_arrangements_are_exact",
    "tests/audit/test_edge_following.py::test_picked_against_every_way_to_pick",
    "tests/limits/test_brackets.py::test_random_next_coups_are_coups",
    "tests/chemin/test_solution.py",
    "tests/chemin/banque/test_banque.py",
]
WHEEL = os.environ.get("COUNTING_WHEEL", ".")  # a wheel that is built already, for linting

nox.options.sessions = ["test", "lint", "golden"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def test(session: nox.Session) -> None:
    """The whole suite, on every core; arguments go to pytest."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Pages in a headless Chromium, wide, narrow and on paper."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
    if found is None:
        session.error("no Chromium on the path")
    session.install(".[test]")
    session.run("pytest", "-q", "tests/browser", *session.posargs, env={"COUNTING_BROWSER": str(found)})


@nox.session
def lint(session: nox.Session) -> None:
    """Style, types, the kernels' stubs, spelling."""
    session.install("--no-compile", f"{WHEEL}[test,lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("cython-lint", "ext")
    session.run("codespell")
    session.run("mypy")
    names = [".".join(path.with_suffix("").parts) for path in KERNELS]
    with session.chdir(session.create_tmp()):  # where the package is the installed one
        session.run("python", "-m", "mypy.stubtest", *names)


@nox.session
def safe(session: nox.Session) -> None:
    """The kernels' tests on a build that checks bounds, overflow and division."""
    session.install(".[test]", env={"COUNTING_SAFE": "1"})
    session.run("pytest", "-q", *(session.posargs or KERNEL_TESTS))


@nox.session
def sanitize(session: nox.Session) -> None:
    """The kernels' tests under the compiler's sanitizers; `nox -s sanitize -- --planted` must fail."""
    session.run(str(HERE / ".ci" / "sanitize"), *session.posargs, external=True)


@nox.session
def golden(session: nox.Session) -> None:
    """Figures that were published, and outputs that must not change, the slow ones too."""
    session.install(".[test]")
    session.run("pytest", "-q", "tests/golden")
    session.run("python", "tests/golden/outputs.py", "--slow", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Speed as ratios within one run."""
    session.install(".[test]")
    session.run("python", "-m", "experiments.bench.run", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The picture of the packages, drawn anew from the imports."""
    session.install(".")
    session.run("python", "docs/packages.py", *session.posargs)
