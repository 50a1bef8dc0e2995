"""The documents are as true as the code: the picture of the packages, and what CONTRIBUTING.md names."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_picture_of_the_packages_is_as_the_imports_are() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "packages.py", "--check"], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert done.returncode == 0


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
    """The validators of a game's file are given to the reader of TOML, which calls them."""
    walk = [sys.executable, ROOT / "docs" / "walks.py", "a shoe's text to an edge"]
    hops = subprocess.run(walk, capture_output=True, text=True, check=True).stdout.splitlines()
    backs = [hop.split()[0] for hop in hops if hop.endswith("(calls back)")]
    assert set(backs) == {"io.toml"}
    assert sum(" -> " in hop for hop in hops) > 30
    assert any(hop.split()[2].startswith("exact.one_shoe:") for hop in hops if " -> " in hop)
