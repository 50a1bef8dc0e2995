"""counting completion prints a script with which a shell completes commands, options, games, bets and counts."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from counting.cli import main

BASH = shutil.which("bash")


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the script for bash, a file of house rules, and the command as a program."""
    folder = tmp_path_factory.mktemp("bash")
    command = [sys.executable, "-P", "-m", "counting.cli"]
    done = subprocess.run([*command, "completion", "bash"], capture_output=True, text=True, check=True)
    (folder / "counting.bash").write_text(done.stdout)
    (folder / "pit.toml").write_text("")
    (folder / "counting").write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    (folder / "counting").chmod(0o755)
    return folder


def completed(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    script = f". ./counting.bash; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _counting; "
    script += 'printf "%s\\n" "${COMPREPLY[@]}"'
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    assert BASH is not None
    done = subprocess.run([BASH, "-c", script], capture_output=True, text=True, check=True, cwd=folder, env=environment)
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="needs bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("counting st", ["study", "statement"]),
        ("counting edges --kn", ["--known"]),
        ("counting edges lou", ["louisiana-stand-5", "louisiana"]),
        ("counting edges ez-baccarat --bet pand", ["panda-8"]),
        ("counting effects ez-baccarat dragon-7 --system dragon-7-u", ["dragon-7-unbalanced"]),
        ("counting statement pi", ["pit.toml"]),
        ("counting statement louisiana-45-q", ["louisiana-45-quarter"]),
        ("counting games --format j", ["json"]),
        ("counting chemin mac", ["macao"]),
    ],
)
def test_bash_completes(words: str, offered: list[str], bash: Path) -> None:
    assert sorted(completed(bash, *words.split())) == sorted(offered)


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_have_every_command_and_ask_for_games(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for name in ("statement", "vulnerability", "macao", "--after-cut", "__complete"):
        assert name.removeprefix("--") in script


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert 'Choose from: "bash", "zsh", "fish"' in capsys.readouterr().err
