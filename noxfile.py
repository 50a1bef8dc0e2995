"""What is run on a change: `nox` runs test, lint and golden; `nox -s NAME` one session, `nox -l` lists them.

Each session installs the project into an environment of its own; `beside` runs several in one, for `.ci/run`.
"""

from __future__ import annotations

import os
import shutil
from hashlib import sha256
from pathlib import Path

import nox

HERE = Path(__file__).parent
KERNELS = sorted(path.relative_to(HERE / "ext") for path in HERE.glob("ext/counting/**/*.pyx"))
# The tests of kernels, one a line: their arithmetic, their arrays, and their callers. `.ci/sanitize` runs them too.
KERNEL_TESTS = "@tests/kernel-tests.txt"
WHEEL = os.environ.get("COUNTING_WHEEL", ".")  # one that is built already, with COUNTING_SAFE=1 for `safe`

nox.options.sessions = ["test", "lint", "golden"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def test(session: nox.Session) -> None:
    """The whole suite, on every core; arguments go to pytest."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def nightly(session: nox.Session) -> None:
    """The whole suite at every size and with more examples; arguments go to pytest."""
    session.install(".[test]")
    session.run("pytest", "--long", *session.posargs)


@nox.session
def browser(session: nox.Session) -> None:
    """Pages in a headless Chromium: what they show, wide, narrow and on paper."""
    session.install("--no-compile", f"{WHEEL}[test,browser]")
    session.run("pytest", "-q", "-n1", "tests/browser", *session.posargs)  # one browser, and each page once


@nox.session
def scripts(session: nox.Session) -> None:
    """The pages' scripts by ESLint, which npm has."""
    rules, files = "tests/browser/eslint.config.mjs", ("counting/reports/templates", "counting/app/templates")
    session.run("npx", "--yes", "eslint@9", "--config", rules, *files, external=True)


@nox.session
def lint(session: nox.Session) -> None:
    """Style, types, the kernels' stubs, spelling, prose, every documented call under two type checkers, and what the
    wheel holds where one is named."""
    session.install("--no-compile", f"{WHEEL}[test,lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("cython-lint", "ext")
    session.run("codespell")
    session.run("python", "docs/prose.py")
    session.run("mypy")
    if WHEEL != ".":
        session.run("pytest", "-q", "-n0", "tests/test_wheel.py")
    names = [".".join(path.with_suffix("").parts) for path in KERNELS]
    with session.chdir(session.create_tmp()):  # where the package is the installed one
        session.run("python", "-m", "mypy.stubtest", *names)
        session.run("python", str(HERE / "docs" / "typed_calls.py"), "calls")
        session.run("mypy", "--config-file=", "--strict", "calls")  # as outside: without pydantic's plugin
        session.run("basedpyright", "-p", "calls")


@nox.session
def safe(session: nox.Session) -> None:
    """The kernels' tests on a build that checks bounds, overflow and division: the wheel, where one is named."""
    session.install("--no-compile", f"{WHEEL}[test]", env={"COUNTING_SAFE": "1"})
    session.run("pytest", "-q", *(session.posargs or [KERNEL_TESTS]))


@nox.session
def sanitize(session: nox.Session) -> None:
    """The kernels' tests under the compiler's sanitizers; `nox -s sanitize -- --planted` must fail."""
    session.run(str(HERE / ".ci" / "sanitize"), *session.posargs, external=True)


@nox.session
def reproducible(session: nox.Session) -> None:
    """Builds the sdist and the wheel of HEAD twice, in folders of other names, with other times and permissions of the
    files: each has the same bytes both times."""
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
def references(session: nox.Session) -> None:
    """Syntax and links of the documents, notebooks not run, by Sphinx without writing a page."""
    session.install("--no-compile", f"{WHEEL}[docs]")
    build = ("-b", "dummy", "-W", "--keep-going", "-q", "-D", "nb_execution_mode=off")
    session.run("sphinx-build", *build, "docs", "build/references")


@nox.session
def docs(session: nox.Session) -> None:
    """The picture of the packages and the generated references anew, then the pages, as HTML in `build/docs`."""
    session.install(".[docs]")
    for script in ("packages", "bets", "commands", "keys", "columns", "python_names"):
        session.run("python", f"docs/{script}.py", *session.posargs)
    session.run("sphinx-build", "-W", "--keep-going", "-q", "docs", "build/docs")


@nox.session
def beside(session: nox.Session) -> None:
    """What `.ci/run` runs beside the suite, in one environment with one wheel, of the safe build."""
    for what, run, needs in (
        ("linters and types", lint, ""),
        ("syntax and links of the documents", references, ""),
        ("the pages' scripts", scripts, "npx"),
        ("the pages in Chromium", browser, "chromium chromium-browser google-chrome chrome"),
        ("the kernels' tests, bounds and overflow checked", safe, ""),
    ):
        if not needs or any(map(shutil.which, needs.split())):
            print(f"== {what}", flush=True)
            run(session)
