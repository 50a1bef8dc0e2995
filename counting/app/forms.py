"""Make forms from requests. Each argument has a field with its meaning, unit and default. Lists of games, bets, counts,
rules, logs and layouts complete what is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, fields
from functools import cache
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from counting.app.studies import Studies
from counting.errors import InputError, Mistakes
from counting.games import Bet, bet_texts, catalog, load_game
from counting.io.toml import read_toml, shipped
from counting.numbers import exact, hint, without_currency
from counting.requests import Arguments

_UNITS = {"cards": "cards, or decks as 1.5d", "share": "a share, as 0.05 or 5%"}
_UNIT_OF = {
    "stake": "money", "coups_per_hour": "coups", "hours": "hours", "tables": "tables", "minimum": "money",
    "maximum": "money", "most_bet": "money", "least_bet": "money", "average_bet": "money", "average_side_bet": "money",
    "bound": "as 10/hour or 0.05/shoe",
}  # fmt: skip
_USUAL = re.compile("by default ((?:[^.;:]|[.:](?=[0-9]))+)")
"""Finds the default in the meaning of an argument."""
_LISTS = ("bets", "systems", "several")
_LISTED = {"game": "games", "bet": "bets", "bets": "bets", "systems": "systems", "rules": "rules"}
_LISTED_FILES = {"coups": "logs", "bets": "logs", "layout": "layouts"}


@dataclass(frozen=True, kw_only=True)
class Field:
    """A field of a form.

    `kind`: a kind of `counting.requests.KINDS`, or bool, choice or text. `help` and `more`: the first sentence of the
    argument's meaning, and the other sentences. `offers`: the name of the list that completes the field. `value`: the
    text in the field. `usual`: what an empty field means."""

    name: str
    label: str
    help: str
    kind: str = "text"
    more: str = ""
    unit: str = ""
    choices: Sequence[str] = ()
    offers: str = ""
    default: str = ""
    usual: str = ""
    value: str = ""
    needed: bool = False
    mistake: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether the field shows a mistake, or a value other than its default."""
        return bool(self.mistake) or self.value not in ("", self.default)


def kinds_of(kind: type[Arguments]) -> Mapping[str, tuple[str, Sequence[str]]]:
    """For each argument, its kind and, for a choice, its values."""
    return {name: _kind(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}


def form_of(
    kind: type[Arguments], names: Iterable[str], values: Mapping[str, str], mistakes: Sequence[str] = ()
) -> list[Field]:
    """The fields for arguments. `values`: the typed values. `mistakes`: all mistakes; each field gets the mistakes
    about its argument."""
    kinds, meanings = kinds_of(kind), kind.meanings()
    known = {each.name: each for each in fields(kind)}
    made = []
    for name in names:
        default = known[name].default
        of_kind, choices = kinds[name]
        meaning = in_words(meanings[name])
        first, _, rest = meaning.partition(". ")
        made.append(
            Field(
                name=name,
                label=label_of(name),
                kind=of_kind,
                help=first.rstrip(".") + ".",
                more=rest,
                unit=_UNIT_OF.get(name, _UNITS.get(of_kind, "")),
                choices=choices,
                offers=(_LISTED_FILES.get(name, "") if of_kind == "file" else _LISTED.get(of_kind, "")),
                default=_default(default),
                value=values.get(name, ""),
                needed=default is MISSING,
                mistake=mistake_of(name, mistakes),
                usual=usual[1] if (usual := _USUAL.search(meaning)) else "",
            )
        )
    return made


def asked_values(kind: type[Arguments], given: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of a request, from typed values. Empty values and defaults are left out. Raises `InputError` for
    all mistakes at once."""
    kinds, known = kinds_of(kind), {each.name: each.default for each in fields(kind)}
    values, mistakes = {}, Mistakes()
    for name in kind.arguments():
        text = given.get(name, "").strip()
        if text and text != _default(known[name]):
            with mistakes.gathered():
                values[name] = _value(name, kinds[name][0], text)
        elif known[name] is MISSING:
            mistakes.append(f"{name}: missing, should be given")
    mistakes.report()
    return values


def typed_values(values: Mapping[str, Any]) -> dict[str, str]:
    """The texts that a person would type for these arguments."""
    return {
        name: ", ".join(map(str, value)) if isinstance(value, list) else "on" if value is True else str(value)
        for name, value in values.items()
    }


def unplaced(mistakes: Sequence[str], made: Iterable[Field]) -> list[str]:
    """The mistakes that no field shows."""
    shown = [field.name for field in made]
    return [line for line in mistakes if not any(_is_about(line, name) for name in shown)]


def _default(default: Any) -> str:
    """The text of a default in its field; empty without a default."""
    if default in (None, MISSING, False):
        return ""
    return f"{default:g}" if isinstance(default, float) else str(default)


def in_words(meaning: str) -> str:
    """The meaning of an argument, reworded for a form: options are replaced by labels of fields, and words about
    commands and paths are left out."""
    named = re.sub("--([a-z][a-z-]*)", lambda option: f"“{label_of(option[1].replace('-', '_'))}”", meaning)
    return _OF_COMMANDS.sub("", named).replace("`", "").strip()


_OF_COMMANDS = re.compile(
    r" \((?:see )?(?:`?counting [a-z]|docs/)[^)]*\)"  # (see `counting bets`)
    r"|,? as (?:for|by) (?:`[a-z ]+`|the commands [a-z ]+)"
    r"|(?:: its name|: names|,)? or (?:the |a )?(?:paths? of )?(?:a )?TOML files?(?:, of a game or of house rules)?"
    r"|: the path of a TOML file(?:, or the name of shipped rules)?"
    r"|, or - for standard input"
    r"|(?<=[.] )[^.]*\berror line\b[^.]*[.] ?"
)
"""Finds the words in an argument's meaning that a form does not need, because they are about commands, paths and
printed lines."""


def label_of(name: str) -> str:
    """The label of the field for an argument or a rule."""
    return _LABELS.get(name, name.replace("_", " ").capitalize())


_LABELS = {
    "decks": "Decks in the shoe", "cut": "Behind the cut card", "burn": "Burned cards",
    "after_cut": "Coups after the cut card", "minimum": "Least main bet", "maximum": "Largest main bet",
    "most_bet": "Largest side bet", "least_bet": "Least side bet", "stake": "Largest bet", "fit": "Shoes to fit",
    "bound": "The most that a counter may win", "tie_in": "Main-bet requirement", "system": "Counts",
    "together": "One main-bet requirement for all side bets?", "stand": "Do main bets stay after a push?",
    "rebate": "Rebate on every bet", "loss_rebate": "Rebate on losses", "rules": "House rules",
    "first": "Rules as they are", "second": "Rules to compare", "allow_unread": "Allowed unread",
    "draws": "Random shoes", "sorted": "Cards whose backs differ", "slug": "A slug that was seen",
    "coups_per_shoe": "Coups in a shoe",
}  # fmt: skip


def _kind(hint: Any) -> tuple[str, Sequence[str]]:
    """An argument's kind and, for a choice, its values."""
    if get_origin(hint) in (Union, UnionType):
        return _kind(next(each for each in get_args(hint) if each is not type(None)))
    if get_origin(hint) is Annotated:
        return get_args(hint)[1], ()
    if get_origin(hint) is Literal:
        return "choice", get_args(hint)
    return ("bool" if hint is bool else "text"), ()


def _value(name: str, kind: str, text: str) -> Any:
    if kind == "bool":
        return True
    if kind == "bets":
        return bet_texts(text)
    if kind in _LISTS:
        return [part.strip() for part in text.replace("\n", ",").split(",") if part.strip()]
    if kind in ("amount", "share"):
        number = exact(without_currency(text.removeprefix("-")), kind == "share")
        if number is None:
            what = "a share, as 0.05 or 5%" if kind == "share" else "a number"
            raise InputError(f"{name}: {text!a}, should be {what}{hint(text, kind == 'share')}")
        return -float(number) if text.startswith("-") else float(number)
    return text


def mistake_of(name: str, mistakes: Sequence[str]) -> str:
    """The mistakes about an argument, as one line for its field."""
    return "; ".join(line for line in mistakes if _is_about(line, name))


def _is_about(line: str, name: str) -> bool:
    """Whether an error line is about an argument: it begins with the argument's name."""
    names = {name, name.replace("_", "-")}
    return line.startswith(
        (*(f"{each}{after}" for each in names for after in ": "), *(("bet '",) if name == "side_bets" else ()))
    )


def offers(
    studies: Studies, fields: Sequence[Field], also: Mapping[str, dict[str, str]] | None = None
) -> dict[str, dict[str, str]]:
    """The lists that complete these fields: for each list, its values with their titles. Entries in `also` come first.
    In the list of bets, the bets of the typed game come first."""
    listed = dict(also or {})
    for kind in dict.fromkeys(each.offers for each in fields if each.offers in _OFFERED):
        listed[kind] = listed.get(kind, {}) | _OFFERED[kind](studies)
    game = next((each.value or each.default for each in fields if each.offers == "games"), "")
    if "bets" in listed and game in listed["games"]:
        listed["bets"] = bet_titles(game)
    return listed


def bet_titles(game: str) -> dict[str, str]:
    """The titles of a game's bets, then of all other bets."""
    with suppress(InputError):  # the name may be of a file that is no valid game
        return _titles(load_game(game).bets) | _bets()
    return _bets()


def _games(studies: Studies) -> dict[str, str]:
    return {name: load_game(name).title for name in shipped("games")} | _titled(studies, "games")


def _titled(studies: Studies, room: str, also: Mapping[str, Path] | None = None) -> dict[str, str]:
    """Labels for the TOML files of a room and for the files in `also`: each file's name and title."""
    labels = {}
    for value, path in (
        {file: studies.folder / file for file in studies.files(room, ".toml")} | dict(also or {})
    ).items():
        labels[value] = path.stem
        with suppress(InputError, KeyError):  # a file may be invalid
            labels[value] += f": {read_toml(path)['title']}"
    return labels


@cache
def _bets() -> dict[str, str]:
    own = (bet for game in shipped("games") for bet in load_game(game).bets)
    return _titles([*own, *catalog().values()])


def _titles(bets: Iterable[Bet]) -> dict[str, str]:
    return {bet.name: bet.title or "" for bet in bets}


@cache
def _systems() -> dict[str, str]:
    from counting.systems import library

    return {system.name: system.title for system in library()}


def rules_offered(studies: Studies) -> dict[str, str]:
    """Labels for house rules: first the folder's files, then the shipped rules."""
    return _titled(studies, "rules", shipped("bounds/houses"))


_OFFERED: Mapping[str, Callable[[Studies], dict[str, str]]] = {
    "games": _games,
    "bets": lambda _: _bets(),
    "systems": lambda _: _systems(),
    "rules": rules_offered,
    "logs": lambda studies: dict.fromkeys(studies.files("logs"), ""),
    "layouts": lambda studies: dict.fromkeys([*studies.files("layouts", ".toml"), *shipped("logs/layouts")], ""),
}
