"""The lists that complete fields: games, bets, counts, rules, logs and layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path

from counting.app.forms import Field
from counting.app.studies import Studies
from counting.errors import InputError
from counting.games import Bet, catalog, load_game
from counting.io.toml import read_toml, shipped


def offers(studies: Studies, fields: list[Field]) -> dict[str, dict[str, str]]:
    """The lists that complete these fields: each value that can be typed, with its title. The bets of the game that a
    field shows come first."""
    listed = {kind: _OFFERED[kind](studies) for kind in {each.offers for each in fields} if kind}
    game = next((each.value or each.default for each in fields if each.offers == "games"), "")
    if "bets" in listed and game in listed["games"]:
        listed["bets"] = bet_titles(game)
    return listed


def bet_titles(game: str) -> dict[str, str]:
    """The titles of a game's bets, then of all other bets."""
    with suppress(InputError):  # a file of the folder need not be a game
        return _titles(load_game(game).bets) | _bets()
    return _bets()


def _games(studies: Studies) -> dict[str, str]:
    return {name: load_game(name).title for name in shipped("games")} | _titled(studies, "games")


def _titled(studies: Studies, room: str, also: Mapping[str, Path] | None = None) -> dict[str, str]:
    """Each TOML file of a room, and each of the files `also`, with its name and title."""
    labels = {}
    for value, path in (
        {file: studies.folder / file for file in studies.files(room, ".toml")} | dict(also or {})
    ).items():
        labels[value] = path.stem
        with suppress(InputError, KeyError):  # a file of the folder need not be whole
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

    return {system.name: "" for system in library()}


def rules_offered(studies: Studies) -> dict[str, str]:
    """The rules that can be named: the folder's, then those that come with the toolkit."""
    return _titled(studies, "rules", shipped("bounds/houses"))


_OFFERED: Mapping[str, Callable[[Studies], dict[str, str]]] = {
    "games": _games,
    "bets": lambda _: _bets(),
    "systems": lambda _: _systems(),
    "rules": rules_offered,
    "logs": lambda studies: dict.fromkeys(studies.files("logs"), ""),
    "layouts": lambda studies: dict.fromkeys([*studies.files("layouts", ".toml"), *shipped("logs/layouts")], ""),
}
