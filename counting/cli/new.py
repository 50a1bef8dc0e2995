"""The command that writes house rules from answers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from counting.errors import InputError, printable
from counting.io.outputs import Kind, Output


def new(file: Path) -> None:
    """Ask thirteen questions about a table, and write its house rules as a TOML file with remarks.

    Each answer is checked at once; an empty line takes the default. Answers may also come through a pipe, one per line;
    later questions then get their defaults. An existing file is not overwritten.

    Example: counting new pit.toml

    Example: counting new high-limit.toml < answers.txt

    Parameters
    ----------
    file
        The file to write, as pit.toml.
    """
    from counting.requests.table_questions import rules_text

    if file.suffix != ".toml":
        raise InputError(f"{file}: should be a name that ends in .toml, as {file.name or 'pit'}.toml")
    if os.path.lexists(file):
        raise InputError(f"{file}: is there already, should be a new file")
    output = Output(file, Kind("a new file", lambda _: False), "FILE")
    text = rules_text(file, _answers(file))
    output.write(text.encode())
    print(f"{file} is written. For the statement on these rules: counting statement {file}")


def _answers(file: Path) -> dict[str, Any]:
    """Ask all questions. Returns the keys for the file of house rules."""
    from counting.games import load_game
    from counting.requests.table_questions import ASKED, QUESTIONS, checked, game_file

    asks = sys.stdin.isatty()
    keys: dict[str, Any] = {}
    number = 0
    for question in QUESTIONS:
        if not question.asked(keys):
            continue
        game = load_game(game_file(keys["game"], file) if number else "ez-baccarat")
        default = question.default(game)
        while True:
            answer = _answer(f"{number + 1} of {ASKED}. {question.words} [{default}]: ", asks) or default
            try:
                keys = checked(keys, question, answer, file)
                break
            except InputError as error:
                if not asks:
                    raise InputError(f"answer {number + 1}, {answer}: {error}") from None
                print(*map(printable, str(error).split("\n")), sep="\n", file=sys.stderr)
        number += 1
    return keys


def _answer(words: str, asks: bool) -> str:
    """The next line of standard input. `asks`: print the question first, as on a terminal."""
    if asks:
        print(words, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if asks and not line:
        raise InputError("no answer: nothing is written")
    return line.strip()
