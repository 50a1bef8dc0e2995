"""The questions about a table. Their answers become the keys of a file of house rules."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counting.errors import InputError, printable

if TYPE_CHECKING:
    from counting.games import Game

Keys = dict[str, Any]  # the keys of a file of house rules, with their values

_AMOUNTS = ("minimum", "maximum", "most_bet", "tie_in", "least_bet", "rebate", "loss_rebate", "coups_per_hour", "hours")
_NONE = "none"
ASKED = 13
"""The number of questions that are asked. There are two questions on the largest bet, of which only one is asked."""

_NOTES = {
    "title": "words for the page",
    "casino": "words for the page",
    "table": "its number or name, for the page",
    "currency": "printed with the amounts in the statement's sentences",
    "date": "of the statement",
    "game": "a shipped game (counting games), or a TOML file beside this one",
    "side_bets": "from the game or the catalog (counting bets)",
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
MORE = {
    "after_cut": ('"1,0"', "further coups if the cut card comes out during a coup, and if it comes out as one begins"),
    "tie_in": ("0", "main-bet requirement: units on the main bets for each unit of the side bets"),
    "together": ("false", "true: all side bets share one requirement, the largest of their requirements"),
    "least_bet": ("1", "the least side bet, in money"),
    "stand": ("false", "true: main bets stay for the next coup after a push"),
    "rebate": ("0", 'the share of every unit staked that is paid back, as "0.5%"'),
    "loss_rebate": ("0", 'the share of a net loss that is paid back after each shoe, as "10%"'),
    "coups_per_hour": ("70", "for a bound per hour"),
    "hours": ("1", "hours of a shift, as 8: figures per hour are then given per shift too"),
    "tables": ("1", "tables that deal by these rules at the same time; a bound for all of them is given"),
}
"""The keys that no question asks for, each with its default in TOML and a remark."""
_HEADING_OF_MORE = "\n# More rules, each at its default. To set one, remove the # and change the value.\n"


@dataclass(frozen=True)
class Question:
    """A question: its key, its words, the default answer, and the keys that an answer sets. `asked`: whether the
    question is asked, given the earlier answers."""

    key: str
    words: str
    default: Callable[[Game], str]
    keys: Callable[[str], Keys]
    asked: Callable[[Keys], bool] = lambda _: True


def _side_bet(game: Game) -> str:
    """The game's first bet that is not a main bet, or the catalog's Dragon 7."""
    mains = {*game.mains(), "player", "banker"}
    sides = (name for name in game.bet_names if name not in mains and not re.fullmatch(r"(banker|tie)-[0-9]+", name))
    return next(sides, "dragon-7")


def _side_bets(answer: str) -> Keys:
    names = [] if answer == _NONE else [name for name in map(str.strip, answer.split(",")) if name]
    if not names and answer != _NONE:
        raise InputError("should be names of bets, with commas between them, or none")
    return {"side_bets": names}


def _named(key: str) -> Callable[[str], Keys]:
    """A function that takes an answer, and sets the key to it. For the answer "none", it sets no key."""
    return lambda answer: {} if answer == _NONE else {key: answer}


def _money(key: str) -> Callable[[str], Keys]:
    """A function that takes an amount of money as the answer, and sets the key to it. It raises `InputError` if a point
    in the amount may separate thousands, as in 1.000."""

    def keys(answer: str) -> Keys:
        if re.search(r"(?<![0-9.,])[1-9][0-9]{0,2}(\.[0-9]{3})+(?![0-9.])", answer):
            meant = answer.replace(".", "").replace(",", ".")
            raise InputError(f"{answer}: should be {meant}; a point begins decimals, as in 2.50")
        return {key: answer}

    return keys


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
    Question(
        "game", "Which game? (counting games lists them)", lambda _: "ez-baccarat", lambda answer: {"game": answer}
    ),
    Question(
        "side_bets",
        "Which side bets? Names with commas between them, or none (counting bets lists them)",
        _side_bet,
        _side_bets,
    ),
    Question("decks", "How many decks?", lambda game: str(game.decks), _decks),
    Question("cut", "How many cards behind the cut card? Or decks, as 1.5d", lambda _: "14", _cut),
    Question("minimum", "What is the least main bet, in money?", lambda _: "25", _money("minimum")),
    Question(
        "most_bet",
        "What is the largest side bet, in money?",
        lambda _: "100",
        _money("most_bet"),
        lambda keys: bool(keys["side_bets"]),
    ),
    Question(
        "maximum",
        "What is the largest main bet, in money?",
        lambda _: "5000",
        _money("maximum"),
        lambda keys: not keys["side_bets"],
    ),
    Question(
        "mid_shoe_entry",
        "May players sit down, or sit out coups, in the middle of a shoe? yes; no; or, if they may only sit out coups, "
        "how many in a row",
        lambda _: "yes",
        _entry,
    ),
    Question(
        "bound",
        "What is the most that a counter may win? As 10/hour in money, or 0.05/shoe in units",
        lambda _: "10/hour",
        lambda answer: {"bound": answer},
    ),
    Question(
        "burn",
        "Which cards are burned? none; first-card (it and its value in cards); or a number, as 3 (unseen) or 3-shown",
        lambda _: _NONE,
        lambda answer: {"burn": answer},
    ),
    Question("currency", "In which currency? As $ or EUR, or none", lambda _: _NONE, _named("currency")),
    Question("casino", "Which casino? A name for the page, or none", lambda _: _NONE, _named("casino")),
    Question("table", "Which table? A number or a name for the page, or none", lambda _: _NONE, _named("table")),
    Question(
        "date",
        "What is the statement's date? As 2027-01-31, today, or none; any other text is printed as it is typed",
        lambda _: _NONE,
        _date,
    ),
)


def checked(keys: Keys, question: Question, answer: str, file: Path) -> Keys:
    """The keys after one more answer, checked by the loader of house rules. Questions not yet asked get their default
    answers for the check."""
    from counting.games import load_game

    try:
        keys = {**keys, **question.keys(answer)}
    except ValueError as error:
        raise InputError(str(error)) from None
    keys.setdefault("title", "")
    game = load_game(game_file(keys["game"], file))
    keys["title"] = title_of(game, keys)
    rest: Keys = {}
    for later in QUESTIONS[QUESTIONS.index(question) + 1 :]:
        if later.asked({**rest, **keys}):
            rest |= later.keys(later.default(game))
    return loaded(keys, file, rest)


def loaded(keys: Keys, file: Path, rest: Mapping[str, Any] | None = None) -> Keys:
    """The keys with their values as read by the loader of house rules. `rest`: values of other keys, which the loader
    reads too. `file`: the path of the file that will have the keys."""
    from counting.bounds import house_of

    try:
        house = house_of({**(rest or {}), **keys}, file).house.model_dump(mode="json")
    except InputError as error:
        raise InputError(str(error).replace(f"{file}: ", "")) from None
    return {key: house[key] for key in keys}


def title_of(game: Game, keys: Keys) -> str:
    """The title of the rules: the game, and the casino and the table if they are named."""
    table = keys.get("table", "")
    named = table if not table or "table" in table.casefold() else f"table {table}"
    place = ", ".join(filter(None, (keys.get("casino"), named)))
    return f"{game.title}, {place}: house rules" if place else f"{game.title}, house rules"


def game_file(game: str, file: Path) -> str:
    """The path of a game's file, if it is in the folder of the file of house rules; otherwise the game's name."""
    beside = file.parent / game
    return str(beside) if beside.is_file() else game


def answers_of(keys: Mapping[str, Any]) -> dict[str, str]:
    """The reverse of the questions: the answers, as texts, that set these keys."""
    told = {key: _answer_of(value) for key, value in keys.items() if value is not None and key != "most_skipped"}
    if keys.get("mid_shoe_entry") is False:
        told["mid_shoe_entry"] = str(keys.get("most_skipped") or "no")
    return told


def _answer_of(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or _NONE
    return str(value)


def rules_text(file: Path, keys: Mapping[str, Any]) -> str:
    """The text of the file of house rules: a line with a remark for each key."""
    asked = [(f"{key} = {_value(key, keys[key])}", note) for key, note in _NOTES.items() if key in keys]
    more = [(f"{key} = {_value(key, keys[key])}", note) for key, (_, note) in MORE.items() if key in keys]
    rest = [(f"{key} = {_value(key, keys[key])}", "") for key in keys if key not in _NOTES and key not in MORE]
    unset = [(f"# {key} = {default}", note) for key, (default, note) in MORE.items() if key not in keys]
    text = _HEAD.format(file=printable(str(file))) + _remarked([*asked, *more, *rest])
    return text + (_HEADING_OF_MORE + _remarked(unset) if unset else "")


def _remarked(lines: Sequence[tuple[str, str]]) -> str:
    """Lines with their remarks, which are aligned."""
    left = max(len(line) for line, _ in lines)
    return "".join(f"{line:<{left}}  # {note}\n" if note else f"{line}\n" for line, note in lines)


def _value(key: str, value: object) -> str:
    """A value in TOML. A whole amount is written as a number, even if it is kept as text."""
    if isinstance(value, str) and key in _AMOUNTS and re.fullmatch(r"0|[1-9][0-9]*", value):
        return value
    return json.dumps(value, ensure_ascii=False)
