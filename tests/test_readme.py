"""The README is correct, and short."""

import re
import shlex

import pytest
from documents import ROOT, of_kind

from counting.cli import app_for

README = ROOT / "README.md"


def test_it_is_a_page_long() -> None:
    assert len(README.read_text().splitlines()) <= 90


def test_the_first_screen_has_the_commands_a_line_each() -> None:
    install = "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/counting"
    assert of_kind(README, "sh")[0] == f"{install} app\n{install} study louisiana\n"
    assert of_kind(README, "sh")[1] == (
        "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest\n"
    )


COMMANDS = re.findall(r"`(counting [a-z]+[^`\n]*)`", README.read_text())


def test_it_has_a_command_for_each_kind_of_user() -> None:
    assert len(COMMANDS) >= 9


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_in_it_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, bound, _ = app_for().parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
    assert command.__name__ in line.split()[1:3]
    assert bound.arguments


def test_it_shows_two_pictures() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+\.svg)\)", README.read_text())
    assert len(pictures) == 2
    assert all((ROOT / picture).is_file() for picture in pictures)
