"""counting completion prints a script with which a shell completes commands, options, games, bets and counts."""

import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from extent import long_or

from counting.cli import main

BASH = shutil.which("bash")


@cache
def script(shell: str) -> str:
    """What `counting completion` prints for a shell."""
    with redirect_stdout(StringIO()) as printed:
        assert main(["completion", shell]) == 0
    return printed.getvalue()


@pytest.fixture
def bash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the script for bash, a file of house rules, and the command as a program."""
    (tmp_path / "counting.bash").write_text(script("bash"))
    (tmp_path / "pit.toml").write_text("")
    program(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def completed(folder: Path, *words: str) -> list[str]:
    """What bash offers for the last of these words."""
    asked = f". ./counting.bash; COMP_WORDS=({shlex.join(words)}); COMP_CWORD={len(words) - 1}; _counting; "
    asked += 'printf "%s\\n" "${COMPREPLY[@]}"'
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    assert BASH is not None
    done = subprocess.run([BASH, "-c", asked], capture_output=True, text=True, check=True, cwd=folder, env=environment)
    return done.stdout.split()


@pytest.mark.skipif(BASH is None, reason="needs bash")
def test_bash_completes_by_the_command(bash: Path) -> None:
    assert completed(bash, "counting", "edges", "ez-baccarat", "--bet", "pand") == ["panda-8"]


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
    """What bash asks the command is answered in this process. Then bash is asked again, and gets this answer."""
    asked, answer = bash / "asked", bash / "answer"
    answer.touch()
    (bash / "counting").write_text("#!/bin/sh\nprintf '%s\\0' \"$@\" > asked\nexec cat answer\n")
    found = completed(bash, *words.split())
    if asked.exists():
        with redirect_stdout(StringIO()) as printed:
            assert main(asked.read_text().split("\0")[:-1]) == 0
        answer.write_text(printed.getvalue())
        found = completed(bash, *words.split())
    assert sorted(found) == sorted(offered)


FISH, ZSH = shutil.which("fish"), shutil.which("zsh")


def program(folder: Path) -> dict[str, str]:
    """Write the command as a program into this folder. Returns the environment of a shell that finds it there."""
    command = [sys.executable, "-P", "-m", "counting.cli"]
    (folder / "counting").write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
    (folder / "counting").chmod(0o755)
    own = {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "ZDOTDIR": str(folder), "TERM": "dumb"}
    return os.environ | own


@pytest.mark.skipif(FISH is None, reason="needs fish")
def test_fish_completes(tmp_path: Path) -> None:
    (tmp_path / "counting.fish").write_text(script("fish"))
    for words, offered in (("counting st", "study"), ("counting vulnerability ez-baccarat pand", "panda-8")):
        asked = f"source counting.fish; complete -C '{words}'"
        done = subprocess.run(
            [str(FISH), "--no-config", "-c", asked], capture_output=True, text=True, check=True, cwd=tmp_path,
            env=program(tmp_path),
        )  # fmt: skip
        assert offered in done.stdout.split()


@pytest.mark.skipif(ZSH is None, reason="needs zsh")
@pytest.mark.parametrize("sourced", [False, True])
def test_zsh_completes(sourced: bool, tmp_path: Path) -> None:
    """At a terminal, with the script in a folder of `fpath` or sourced by `.zshrc`."""
    (tmp_path / "_counting").write_text(script("zsh"))
    loaded = "autoload -Uz compinit; compinit -u -D"
    if sourced:
        loaded += "; source ./_counting; fpath=()"
    (tmp_path / ".zshrc").write_text(f"fpath=({tmp_path} $fpath)\n{loaded}\nPS1='ready> '\n")
    shell, terminal = pty.fork()
    if not shell:
        os.chdir(tmp_path)
        os.execve(str(ZSH), ["zsh", "-i"], program(tmp_path))
    try:
        seen = b""
        for typed, shown in ((b"", b"ready> "), (b"counting vulnerability ez-baccarat pand\t", b"panda-8")):
            os.write(terminal, typed)
            until = time.monotonic() + 60
            while shown not in seen and time.monotonic() < until:
                if select.select([terminal], [], [], 1)[0]:
                    seen += os.read(terminal, 4096)
            assert shown in seen, seen
    finally:
        os.kill(shell, signal.SIGKILL)
        os.waitpid(shell, 0)
        os.close(terminal)


@pytest.mark.long
@pytest.mark.parametrize("shell", long_or(["zsh", "fish"], ["fish"]))
def test_other_shells_have_every_command_and_ask_for_games(shell: str) -> None:
    for name in ("statement", "vulnerability", "macao", "--after-cut", "__complete"):
        assert name.removeprefix("--") in script(shell)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert 'Choose from: "bash", "zsh", "fish"' in capsys.readouterr().err
