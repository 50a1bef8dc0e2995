"""The command that writes house rules from answers."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import InputError, printable
from counting.io.outputs import Kind, Output

if TYPE_CHECKING:
    from counting.games import Game

Keys = dict[str, Any]  # of a file of house rules, with their values

_AMOUNTS = ("minimum", "maximum", "most_bet")
_NONE = "none"
_ASKED = 13  # questions: one of two on the largest bet is not asked

_NOTES = {
    "title": "words for the page",
    "casino": "words for the page",
    "table": "its number or name, for the page",
    "currency": "stands on every amount of the statement",
    "date": "of the statement",
    "game": "a shipped game (counting games), or a TOML file beside this one",
    "side_bets": "the game's or the catalog's (counting bets)",
    "decks": "in the shoe",
    "cut": "cards behind the cut card",
    "burn": '"none", "first-card", or a number of cards as "3" (unseen) or "3-shown"',
    "minimum": "the least main bet, in money",
    "maximum": "the largest main bet, in money",
    "most_bet": "the largest side bet, in money",
    "mid_shoe_entry": "false: nobody sits down, or comes back, in the middle of a shoe",
    "most_skipped": "coups in a row that a player may sit out and keep the seat",
    "bound": "the most that a counter may win",
}
_HEAD = """\
# House rules of a table. Change a value, save, and write the statement again:
#
#     counting statement {file}
#
# A line that begins with # is a remark. Texts have quotes around them; numbers, true and false have none.

"""
_MORE = """
# More rules, each at its default. To set one, remove the # and change the value.
# after_cut = "1,0"         # coups after that in which the cut card comes out, and after one that begins with it
# tie_in = 0                # main-bet requirement: units on the main bets for each unit of the side bets
# least_bet = 1             # the least side bet, in money
# rebate = 0                # the share paid back of every unit staked, as "0.5%"
# coups_per_hour = 70
"""


@dataclass(frozen=True)
class _Question:
    """One question: its words, the answer for an empty line, the keys that an answer sets, and, for a question that
    depends on earlier answers, whether it is asked after these."""

    words: str
    default: Callable[[Game], str]
    keys: Callable[[str], Keys]
    asked: Callable[[Keys], bool] = lambda _: True


def _side_bet(game: Game) -> str:
    """The game's first bet that is no main bet, or the catalog's Dragon 7."""
    mains = {*game.mains(), "player", "banker"}
    sides = (name for name in game.bet_names if name not in mains and not re.fullmatch(r"(banker|tie)-[0-9]+", name))
    return next(sides, "dragon-7")


def _side_bets(answer: str) -> Keys:
    names = [] if answer == _NONE else [name for name in map(str.strip, answer.split(",")) if name]
    if not names and answer != _NONE:
        raise InputError("should be names of bets, by commas, or none")
    return {"side_bets": names}


def _named(key: str) -> Callable[[str], Keys]:
    """A key with the answer as it is, left out for none."""
    return lambda answer: {} if answer == _NONE else {key: answer}


def _date(answer: str) -> Keys:
    return _named("date")(date.today().isoformat() if answer == "today" else answer)


def _cut(answer: str) -> Keys:
    from counting.numbers import number_of_cards

    return {"cut": number_of_cards(answer)}


def _decks(answer: str) -> Keys:
    from counting.numbers import whole_number

    return {"decks": whole_number(answer)}


def _entry(answer: str) -> Keys:
    from counting.numbers import whole_number

    if answer.lower() in ("yes", "y"):
        return {"mid_shoe_entry": True}
    try:
        return {"mid_shoe_entry": False, "most_skipped": 0 if answer.lower() in ("no", "n") else whole_number(answer)}
    except ValueError:
        raise InputError(f"{answer}: should be yes, no, or the coups in a row that may be sat out") from None


_QUESTIONS = (
    _Question("Which game? (counting games lists them)", lambda _: "ez-baccarat", lambda answer: {"game": answer}),
    _Question(
        "Which side bets? Several by commas, or none (counting bets lists them)",
        _side_bet,
        _side_bets,
    ),
    _Question("How many decks?", lambda game: str(game.decks), _decks),
    _Question("How many cards behind the cut card? Or decks, as 1.5d", lambda _: "14", _cut),
    _Question("What is the least main bet, in money?", lambda _: "25", lambda answer: {"minimum": answer}),
    _Question(
        "What is the largest side bet, in money?",
        lambda _: "100",
        lambda answer: {"most_bet": answer},
        lambda keys: bool(keys["side_bets"]),
    ),
    _Question(
        "What is the largest main bet, in money?",
        lambda _: "5000",
        lambda answer: {"maximum": answer},
        lambda keys: not keys["side_bets"],
    ),
    _Question(
        "May players sit down, or sit out, in the middle of a shoe? yes; no; or, without sitting down, the coups in a "
        "row that may be sat out",
        lambda _: "yes",
        _entry,
    ),
    _Question(
        "What is the most that a counter may win? As 10/hour in money, or 0.05/shoe in units",
        lambda _: "10/hour",
        lambda answer: {"bound": answer},
    ),
    _Question(
        "Which cards are burned? none; first-card, and its value in cards; or a number, as 3 (unseen) or 3-shown",
        lambda _: _NONE,
        lambda answer: {"burn": answer},
    ),
    _Question("In which currency? As $ or EUR, or none", lambda _: _NONE, _named("currency")),
    _Question("Which casino? A name for the page, or none", lambda _: _NONE, _named("casino")),
    _Question("Which table? A number or a name for the page, or none", lambda _: _NONE, _named("table")),
    _Question("Of which date is the statement? As 2027-01-31, today, or none", lambda _: _NONE, _date),
)


def new(file: Path) -> None:
    """Ask thirteen questions about a table, and write its house rules as a TOML file with remarks.

    Each answer is checked at once; an empty line takes the default. Answers may also come through a pipe, a line each;
    where they end, the rest take their defaults. A file that is there already stays as it is.

    Example: counting new pit.toml

    Example: counting new high-limit.toml < answers.txt

    Parameters
    ----------
    file
        The file to write, as pit.toml.
    """
    if file.suffix != ".toml":
        raise InputError(f"{file}: should be a name that ends in .toml, as {file.name or 'pit'}.toml")
    if os.path.lexists(file):
        raise InputError(f"{file}: is there already, should be a new file")
    output = Output(file, Kind("a new file", lambda _: False), "FILE")
    text = _text(file, _answers(file))
    output.write(text.encode())
    print(f"{file} is written. The statement on it: counting statement {file}")


def _answers(file: Path) -> Keys:
    """The keys from the answers to all questions, as the loader of house rules reads them."""
    from counting.games import load_game

    asks = sys.stdin.isatty()
    keys: Keys = {}
    number = 0
    for question in _QUESTIONS:
        if not question.asked(keys):
            continue
        game = load_game(_game_file(keys["game"], file) if number else "ez-baccarat")
        default = question.default(game)
        while True:
            answer = _answer(f"{number + 1} of {_ASKED}. {question.words} [{default}]: ", asks) or default
            try:
                keys = _checked(keys, question, answer, file)
                break
            except InputError as error:
                if not asks:
                    raise InputError(f"answer {number + 1}, {answer}: {error}") from None
                print(*map(printable, str(error).split("\n")), sep="\n", file=sys.stderr)
        number += 1
    return keys


def _answer(words: str, asks: bool) -> str:
    """The next line of standard input; on a terminal after the question."""
    if asks:
        print(words, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if asks and not line:
        raise InputError("no answer: nothing is written")
    return line.strip()


def _checked(keys: Keys, question: _Question, answer: str, file: Path) -> Keys:
    """The keys with those of one more answer, checked by the loader of house rules with defaults for the rest."""
    from counting.bounds import house_of
    from counting.games import load_game

    try:
        keys = {**keys, **question.keys(answer)}
    except InputError:
        raise
    except ValueError as error:
        raise InputError(str(error)) from None
    keys.setdefault("title", "")
    game = load_game(_game_file(keys["game"], file))
    keys["title"] = f"{game.title}, house rules"
    rest: Keys = {}
    for later in _QUESTIONS[_QUESTIONS.index(question) + 1 :]:
        if later.asked({**rest, **keys}):
            rest |= later.keys(later.default(game))
    try:
        house = house_of({**rest, **keys}, file).house.model_dump(mode="json")
    except InputError as error:
        raise InputError(str(error).replace(f"{file}: ", "")) from None
    return {key: house[key] for key in keys}


def _game_file(game: str, file: Path) -> str:
    """A game's file beside the file of house rules, or the game's name."""
    beside = file.parent / game
    return str(beside) if beside.is_file() else game


def _text(file: Path, keys: Mapping[str, Any]) -> str:
    """The file: a line for each key, with a remark."""
    lines = [f"{key} = {_value(key, keys[key])}" for key in _NOTES if key in keys]
    left = max(map(len, lines))
    notes = (note for key, note in _NOTES.items() if key in keys)
    body = "".join(f"{line:<{left}}  # {note}\n" for line, note in zip(lines, notes, strict=True))
    return _HEAD.format(file=printable(str(file))) + body + _MORE


def _value(key: str, value: object) -> str:
    """A value as TOML has it; an amount that is kept as text without quotes if it is whole."""
    if isinstance(value, str) and key in _AMOUNTS and re.fullmatch(r"0|[1-9][0-9]*", value):
        return value
    return json.dumps(value, ensure_ascii=False)
