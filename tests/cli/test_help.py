"""What --help shows: the commands by group, and two examples of each that can be typed as they stand."""

import inspect
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import left_out
import pytest
from extent import crossed, long_or
from rich.console import Console

from counting.cli import app_for, main
from counting.cli.commands import COMMANDS, GROUPS
from counting.cli.help import GROUPS as SHARED
from counting.cli.help import MOST_BRIEF

BRIEF = {"games", "layouts", "bets", "systems", "edges", "effects", "export", "chemin decks", "chemin bank",
         "chemin table", "chemin own", "chemin solve", "help"}  # fmt: skip
"""Commands whose examples run in a second and need no file."""


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every command: its words, and its function."""
    for name, (where, _) in COMMANDS.items():
        module, _, function = where.partition(":")
        command = getattr(import_module(f"counting.cli.{module}"), function)
        if name != "chemin":
            yield name, command
            continue
        for below in command:
            if not below.startswith("-"):
                yield f"chemin {below}", command[below].default_command


def examples(function: Callable[..., Any]) -> list[str]:
    """The examples in a command's help."""
    paragraphs = [" ".join(part.split()) for part in str(inspect.getdoc(function)).split("\n\n")]
    return [part.removeprefix("Example: ") for part in paragraphs if part.startswith("Example: ")]


def typed(example: str) -> list[str]:
    """The arguments of an example, up to a redirection."""
    words = shlex.split(example)
    return words[1 : next((i for i, word in enumerate(words) if word in "<>"), None)]


COMMANDS_BY_WORDS = dict(functions())


@pytest.mark.long
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


@pytest.mark.parametrize("name", sorted(BRIEF - long_or(set(), {"effects", "chemin own"})))  # these two take longest
def test_examples_run_as_they_stand(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    left_out.figures(monkeypatch)
    left_out.depths(monkeypatch)
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
    """The lines are kept in a list, so that --help imports no command."""
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


def help_of(words: str, width: int, brief: bool = False) -> str:
    """What --help of a command prints on a terminal of this width. `brief`: what -h prints."""
    written = io.StringIO()
    argv = words.split()
    app_for(*argv[:1], brief=brief).help_print(argv, console=Console(file=written, width=width))
    return written.getvalue()


@pytest.mark.long
@pytest.mark.parametrize(("name", "width"), crossed(COMMANDS_BY_WORDS, [60, 80, 120]))
def test_help_fills_its_lines_at_any_width(name: str, width: int) -> None:
    """Each line is full: the first word of the next line does not fit, in paragraphs and in the column of meanings."""
    words, box, options = help_of(name, width).partition("╭")
    for line, following in pairwise(words.split("\n")):
        if line.strip() and following.strip():
            assert len(line.rstrip()) + 1 + len(following.split()[0]) > width, line
    for line, following in pairwise((box + options).split("\n")):
        continued = re.match("│ {20,}(?=[^ ])", following)
        if line.startswith("│") and continued:
            begin, end = continued.end(), width - 2
            text, first = line[begin:end].rstrip(), following[begin:end].split()[0]
            assert not line[begin - 2 : begin].strip(), line
            assert begin + len(text) + 1 + len(first) > end, line


def test_brief_help_has_ten_options_and_names_the_others() -> None:
    brief, full = help_of("limits", 80, brief=True), help_of("limits", 80)
    rows = [line for line in brief.split("\n") if re.match("│ [* ] {1,3}[A-Z-]", line)]
    assert len(rows) == MOST_BRIEF
    for name in ("GAME", "--bet", "--bound", "--most-bet", "--shoes", "--cut"):
        assert any(name in row for row in rows)
    assert brief.rstrip().endswith("--help has all 44 options.")
    assert "--help has all" not in full
    titles = [full.index(f"╭─ {title} ") for title in ("Parameters", *SHARED)]
    assert titles == sorted(titles)


def test_a_command_of_few_options_has_all_in_brief() -> None:
    assert help_of("games", 80, brief=True) == help_of("games", 80)


def test_help_as_a_command_and_the_version_by_a_letter(capsys: pytest.CaptureFixture[str]) -> None:
    for asked, as_flag in ((["help", "chemin", "own"], ["chemin", "own", "--help"]), (["help"], ["--help"])):
        assert main(asked) == main(as_flag) == 0
        shown = capsys.readouterr().out
        assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]
    assert main(["help", "limits", "--brief"]) == main(["limits", "-h"]) == 0
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]
    assert main(["-V"]) == main(["--version"]) == 0
    assert len(set(capsys.readouterr().out.split())) == 1
    assert main(["help", "nonesuch"]) == 2
    assert "nonesuch" in capsys.readouterr().err
