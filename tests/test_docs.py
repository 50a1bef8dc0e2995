"""Documents agree with the code: the figure of the packages, and the names in CONTRIBUTING.md."""

import re
import runpy
import subprocess
import sys
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def packages() -> dict[str, Any]:
    """The names of `docs/packages.py` after its check of the picture, among them the text of the picture."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["packages.py", "--check"])
        return runpy.run_path(str(ROOT / "docs" / "packages.py"), run_name="__main__")  # exits if it disagrees


def test_the_picture_of_the_packages_is_as_the_imports_are(packages: dict[str, Any]) -> None:
    assert (ROOT / "docs" / "packages.svg").read_text() == packages["text"]


def test_a_package_is_drawn_above_those_that_it_imports(packages: dict[str, Any]) -> None:
    arrows = re.findall(r"<title>(\w+) imports (\w+) in", packages["text"])
    drawn = re.findall(r'y="(\d+)" font-weight="bold">(\w+)<', packages["text"])
    place = {name: int(y) for y, name in drawn}
    assert len(arrows) > len(place)
    assert [(own, other) for own, other in arrows if place[own] >= place[other]] == []


def test_every_file_that_the_guide_names_is_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    named = re.findall(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:py|toml|md|svg|yaml))`", text)
    assert len(named) >= 15
    for name in sorted({*named} - {"__init__.py"}):
        assert (ROOT / name).exists(), name


def test_every_session_that_the_guide_names_is_there() -> None:
    sessions = set(re.findall(r"@nox\.session\ndef (\w+)", (ROOT / "noxfile.py").read_text()))
    named = set(re.findall(r"nox -s (\w+)", (ROOT / "CONTRIBUTING.md").read_text()))
    assert named <= sessions
    assert len(named) >= 6


def test_a_walk_goes_down_but_for_what_was_handed_down() -> None:
    """A walk lists calls between packages. Only the reader of TOML calls back to a higher package: it calls validators
    of games, which were passed to it."""
    walk = [sys.executable, ROOT / "docs" / "walks.py", "a shoe's text to an edge"]
    hops = subprocess.run(walk, capture_output=True, text=True, check=True).stdout.splitlines()
    backs = [hop.split()[0] for hop in hops if hop.endswith("(calls back)")]
    assert set(backs) == {"io.toml"}
    assert sum(" -> " in hop for hop in hops) > 30
    assert any(hop.split()[2].startswith("exact.one_shoe:") for hop in hops if " -> " in hop)


def test_every_column_of_a_frontier_has_its_functions() -> None:
    """The page has the same columns as the reference, in the same order, and names functions that exist."""
    columns = (ROOT / "docs" / "reference" / "columns.md").read_text()
    _, _, after = columns.partition("## counting limits, frontier.csv\n")
    section, _, _ = after.partition("\n## ")
    rows = [line.split("|")[1:4] for line in (ROOT / "docs" / "reference" / "frontier.md").read_text().splitlines()
            if line.startswith("| `")]  # fmt: skip
    named = [name for cells in rows for name in re.findall(r"`(\w+)`", cells[0])]
    assert named == re.findall(r"^\| `(\w+)`", section, re.MULTILINE)
    for _, functions, source in rows:
        for name in re.findall(r"`(\w+\.\w+(?:\.\w+)?)`", functions + source):
            module, *path = name.split(".")
            attrgetter(".".join(path))(import_module(f"counting.bounds.{module}"))


def test_every_column_of_standard_errors_is_one() -> None:
    """Every column whose name ends with `_se` is described as a standard error, even if the name begins like another
    pattern, such as `played_`."""
    rows = re.findall(r"(?m)^\| `(\w+_se)` \| (.*) \|$", (ROOT / "docs" / "reference" / "columns.md").read_text())
    assert len(rows) > 50
    assert {name: words for name, words in rows if not words.startswith("the standard error")} == {}
