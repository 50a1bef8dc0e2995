"""What --help shows: the commands by group, and two examples of each that can be typed as they stand."""

import inspect
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from counting.cli import app_for, main
from counting.cli.commands import COMMANDS, GROUPS

BRIEF = {"games", "layouts", "bets", "systems", "edges", "effects", "export", "chemin decks", "chemin bank",
         "chemin table", "chemin own", "chemin solve"}  # fmt: skip
"""Commands whose examples run in a second and need no file."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command by its words, with its function."""
    for name, (where, _) in COMMANDS.items():
        module, _, function = where.partition(":")
        found = getattr(import_module(f"counting.cli.{module}"), function)
        if name != "chemin":
            yield name, found
            continue
        for below in found:
            if not below.startswith("-"):
                yield f"chemin {below}", found[below].default_command


def examples(function: Callable[..., Any]) -> list[str]:
    """The examples in a command's help."""
    paragraphs = [" ".join(part.split()) for part in str(inspect.getdoc(function)).split("\n\n")]
    return [part.removeprefix("Example: ") for part in paragraphs if part.startswith("Example: ")]


def typed(example: str) -> list[str]:
    """The arguments of an example, without what a shell takes for itself."""
    words = shlex.split(example)
    return words[1 : next((i for i, word in enumerate(words) if word in "<>"), None)]


COMMANDS_BY_WORDS = dict(functions())


@pytest.mark.parametrize("name", COMMANDS_BY_WORDS)
def test_every_command_has_two_examples_that_parse(name: str) -> None:
    shown = examples(COMMANDS_BY_WORDS[name])
    assert len(shown) == 2
    for example in shown:
        assert example.startswith(f"counting {name}")
        argv = typed(example)
        app = app_for(argv[0])
        command, _, _ = app.parse_args(argv, exit_on_error=False, print_error=False)
        assert command is COMMANDS_BY_WORDS[name]


@pytest.mark.parametrize("name", sorted(BRIEF))
def test_examples_run_as_they_stand(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in examples(COMMANDS_BY_WORDS[name]):
        assert main(typed(example)) == 0, capsys.readouterr().err
        assert capsys.readouterr().out


def test_every_command_is_in_one_group() -> None:
    listed = [name for names in GROUPS.values() for name in names]
    assert sorted(listed) == sorted(COMMANDS)


def test_help_lists_the_groups_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    shown = capsys.readouterr().out
    titles = [shown.index(f" {title} ") for title in (*GROUPS, "Other")]
    assert titles == sorted(titles)
    places = [shown.index(f"\n│ {name} ") for names in GROUPS.values() for name in names]
    assert places == sorted(places)
    assert main(["--version"]) == 0


def test_every_line_of_help_is_the_commands_own() -> None:
    """Lines that stand in a list, so that --help imports no command."""
    for name, (where, line) in COMMANDS.items():
        module, _, function = where.partition(":")
        verb = getattr(import_module(f"counting.cli.{module}"), function)
        own = verb.help if name == "chemin" else " ".join(str(inspect.getdoc(verb)).split("\n\n")[0].split())
        assert line == own


def test_help_needs_neither_numpy_nor_pydantic() -> None:
    script = (
        "import sys; from counting.cli import main; main(['--help']); "
        "print({'numpy', 'pydantic', 'polars', 'matplotlib'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("set()\n")
