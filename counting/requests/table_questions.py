"""The questions about a table, whose answers are the keys of its house rules, and the file that they make."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import InputError, printable

if TYPE_CHECKING:
    from counting.games import Game

Keys = dict[str, Any]  # of a file of house rules, with their values

_AMOUNTS = ("minimum", "maximum", "most_bet")
_NONE = "none"
ASKED = 13
"""Questions that are asked: one of two on the largest bet is not."""

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
class Question:
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


QUESTIONS = (
    Question("Which game? (counting games lists them)", lambda _: "ez-baccarat", lambda answer: {"game": answer}),
    Question(
        "Which side bets? Several by commas, or none (counting bets lists them)",
        _side_bet,
        _side_bets,
    ),
    Question("How many decks?", lambda game: str(game.decks), _decks),
    Question("How many cards behind the cut card? Or decks, as 1.5d", lambda _: "14", _cut),
    Question("What is the least main bet, in money?", lambda _: "25", lambda answer: {"minimum": answer}),
    Question(
        "What is the largest side bet, in money?",
        lambda _: "100",
        lambda answer: {"most_bet": answer},
        lambda keys: bool(keys["side_bets"]),
    ),
    Question(
        "What is the largest main bet, in money?",
        lambda _: "5000",
        lambda answer: {"maximum": answer},
        lambda keys: not keys["side_bets"],
    ),
    Question(
        "May players sit down, or sit out, in the middle of a shoe? yes; no; or, without sitting down, the coups in a "
        "row that may be sat out",
        lambda _: "yes",
        _entry,
    ),
    Question(
        "What is the most that a counter may win? As 10/hour in money, or 0.05/shoe in units",
        lambda _: "10/hour",
        lambda answer: {"bound": answer},
    ),
    Question(
        "Which cards are burned? none; first-card, and its value in cards; or a number, as 3 (unseen) or 3-shown",
        lambda _: _NONE,
        lambda answer: {"burn": answer},
    ),
    Question("In which currency? As $ or EUR, or none", lambda _: _NONE, _named("currency")),
    Question("Which casino? A name for the page, or none", lambda _: _NONE, _named("casino")),
    Question("Which table? A number or a name for the page, or none", lambda _: _NONE, _named("table")),
    Question("Of which date is the statement? As 2027-01-31, today, or none", lambda _: _NONE, _date),
)


def checked(keys: Keys, question: Question, answer: str, file: Path) -> Keys:
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
    game = load_game(game_file(keys["game"], file))
    keys["title"] = f"{game.title}, house rules"
    rest: Keys = {}
    for later in QUESTIONS[QUESTIONS.index(question) + 1 :]:
        if later.asked({**rest, **keys}):
            rest |= later.keys(later.default(game))
    try:
        house = house_of({**rest, **keys}, file).house.model_dump(mode="json")
    except InputError as error:
        raise InputError(str(error).replace(f"{file}: ", "")) from None
    return {key: house[key] for key in keys}


def game_file(game: str, file: Path) -> str:
    """A game's file beside the file of house rules, or the game's name."""
    beside = file.parent / game
    return str(beside) if beside.is_file() else game


def rules_text(file: Path, keys: Mapping[str, Any]) -> str:
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
