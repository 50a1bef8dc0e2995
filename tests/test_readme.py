"""The README is true."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from counting.cli import app, main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def test_python_examples_print_what_they_say() -> None:
    examples = [block for block in blocks("python") if ">>>" in block]
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "README", "README.md", 0)
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.attempted >= 7
    assert results.failed == 0


def test_the_first_screen_has_the_two_commands_a_line_each() -> None:
    assert blocks("sh")[0] == (
        "python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/counting study louisiana\n"
    )
    assert blocks("sh")[1] == "python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/pytest\n"


@pytest.mark.parametrize("line", re.findall(r"^(?:\| `)?(counting [a-z]+[^`\n]*)", README, re.MULTILINE))
def test_every_command_in_it_is_understood(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command, bound, _ = app.parse_args(shlex.split(line)[1:], exit_on_error=False, print_error=False)
    assert command.__name__ in line.split()[1:3]
    assert bound.arguments or line == "counting games"


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_the_error_message_is_the_real_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "counting" / "games" / "punto-banco.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace('"19:20"', '"5%"'))
    assert main(["edges", "mine.toml"]) == 2
    assert capsys.readouterr().err in "".join(blocks("text"))
