"""The sessions of tests and checks. `nox` runs test, lint and golden, `nox -s NAME` runs one session, and `nox -l`
lists all sessions.

Each session has a separate environment, and most sessions install the project into it. `beside` runs several sessions
in one environment, for `.ci/run`.
"""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import nox

HERE = Path(__file__).parent
KERNELS = sorted(path.relative_to(HERE / "ext") for path in HERE.glob("ext/counting/**/*.pyx"))
# This file lists the tests of the kernels, one on each line: tests of their arithmetic, their arrays and their callers.
# `.ci/sanitize` runs these tests too.
KERNEL_TESTS = "@tests/kernel-tests.txt"
WHEEL = os.environ.get("COUNTING_WHEEL", ".")  # a wheel that is built already; for `safe`, built with COUNTING_SAFE=1

nox.options.sessions = ["test", "lint", "golden"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def test(session: nox.Session) -> None:
    """The whole suite, on up to eight cores; arguments go to pytest."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """The whole suite at every size and with more examples; arguments go to pytest."""
    session.install(".[test]")
    session.run("pytest", "--long", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Pages in a headless Chromium: what they show on wide and narrow screens and on paper."""
    session.install(f"{WHEEL}[test,browser]")
    session.run("pytest", "-q", "-n1", "tests/browser", *session.posargs)  # one browser opens each page once


@nox.session
def scripts(session: nox.Session) -> None:
    """Check the pages' scripts with ESLint, which npm downloads."""
    rules, files = "tests/browser/eslint.config.mjs", ("counting/reports/templates", "counting/app/templates")
    session.run("npx", "--yes", "eslint@9", "--config", rules, *files, external=True)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style, types, the kernels' stubs, spelling, prose, and every documented call with two type checkers. If
    COUNTING_WHEEL names a wheel, check its contents too."""
    session.install(f"{WHEEL}[test,lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("cython-lint", "ext")
    session.run("codespell")
    session.run("python", "docs/prose.py")
    session.run("mypy")
    if WHEEL != ".":
        session.run("pytest", "-q", "-n0", "tests/test_wheel.py")
    names = [".".join(path.with_suffix("").parts) for path in KERNELS]
    with session.chdir(session.create_tmp()):  # here `counting` is the installed package
        session.run("python", "-m", "mypy.stubtest", *names)
        session.run("python", str(HERE / "docs" / "typed_calls.py"), "calls")
        session.run("mypy", "--config-file=", "--strict", "calls")  # as a user does: without pydantic's plugin
        session.run("basedpyright", "-p", "calls")


@nox.session
def safe(session: nox.Session) -> None:
    """The kernels' tests on a build that checks bounds, overflow and division. If COUNTING_WHEEL names a
    wheel, this wheel is the build."""
    session.install(f"{WHEEL}[test]", env={"COUNTING_SAFE": "1"})
    session.run("pytest", "-q", *(session.posargs or [KERNEL_TESTS]))


@nox.session
def sanitize(session: nox.Session) -> None:
    """The kernels' tests with the compiler's sanitizers; `nox -s sanitize -- --planted` must fail."""
    session.run(str(HERE / ".ci" / "sanitize"), *session.posargs, external=True)


@nox.session
def reproducible(session: nox.Session) -> None:
    """Build the sdist and the wheel of HEAD twice, in folders with different names, and with different times and
    permissions of the files. Both builds must have the same bytes."""
    session.install("build", *nox.project.load_toml("pyproject.toml")["build-system"]["requires"])
    epoch = str(session.run("git", "log", "-1", "--format=%ct", external=True, silent=True)).strip()
    digests = []
    for folder, umask in (("one", 0o022), ("another folder", 0o077)):
        work = Path(session.create_tmp()).resolve() / folder
        shutil.rmtree(work, ignore_errors=True)
        before = os.umask(umask)
        session.run("git", "clone", "--quiet", str(HERE), str(work / "tree"), external=True)
        command = ("python", "-m", "build", "--no-isolation", "--outdir", str(work / "dist"), str(work / "tree"))
        session.run(*command, env={"SOURCE_DATE_EPOCH": epoch}, silent=True)
        os.umask(before)
        digests.append({path.name: sha256(path.read_bytes()).hexdigest() for path in (work / "dist").iterdir()})
    if digests[0] != digests[1]:
        session.error(f"two builds differ: {digests}")
    for name, digest in sorted(digests[0].items()):
        print(f"{digest}  {name}")


@nox.session
def golden(session: nox.Session) -> None:
    """Check published figures, and outputs that must not change, with the slow outputs."""
    session.install(".[test]")
    session.run("pytest", "-q", "tests/golden")
    session.run("python", "tests/golden/outputs.py", "--slow", *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure speed, as ratios of times within one run."""
    session.install(".[test]")
    session.run("python", "-m", "experiments.bench.run", *session.posargs)


@nox.session
def references(session: nox.Session) -> None:
    """Check syntax and links of the documents with Sphinx. No notebook is run, and no page is written."""
    session.install(f"{WHEEL}[docs]")
    build = ("-b", "dummy", "-W", "--keep-going", "-q", "-D", "nb_execution_mode=off")
    session.run("sphinx-build", *build, "docs", "build/references")


@nox.session
def docs(session: nox.Session) -> None:
    """Write the picture of the packages and the generated references again, then the pages as HTML in `build/docs`."""
    session.install(".[docs]")
    for script in ("packages", "bets", "commands", "keys", "columns", "python_names"):
        session.run("python", f"docs/{script}.py", *session.posargs)
    session.run("sphinx-build", "-W", "--keep-going", "-q", "docs", "build/docs")


@nox.session
def beside(session: nox.Session) -> None:
    """Several sessions in one environment, with the wheel of the safe build. `.ci/run` runs them at the same time as
    the suite."""
    for what, run, needs in (
        ("linters and types", lint, ""),
        ("syntax and links of the documents", references, ""),
        ("the pages' scripts", scripts, "npx"),
        ("the pages in Chromium", browser, "chromium-headless-shell chromium chromium-browser google-chrome chrome"),
        ("the kernels' tests, bounds and overflow checked", safe, ""),
    ):
        if not needs or any(map(shutil.which, needs.split())):
            print(f"== {what}", flush=True)
            run(session)
