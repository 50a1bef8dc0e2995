"""The lists of which fields are completed: games, bets, counts, rules, logs and layouts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from counting.app.forms import Field
from counting.app.studies import Studies
from counting.io.toml import shipped


def offers(studies: Studies, fields: list[Field]) -> dict[str, dict[str, str]]:
    """The lists of which these fields are completed: what can be typed, each with its title."""
    return {kind: _OFFERED[kind](studies) for kind in {each.offers for each in fields} if kind}


def _games(studies: Studies) -> dict[str, str]:
    from counting.games import load_game

    return {name: load_game(name).title for name in shipped("games")} | dict.fromkeys(
        studies.files("games", ".toml"), ""
    )


@cache
def _bets() -> dict[str, str]:
    from counting.games import catalog, load_game

    own = {bet.name: bet.title or "" for game in shipped("games") for bet in load_game(game).bets}
    return own | {name: bet.title or "" for name, bet in catalog().items()}


@cache
def _systems() -> dict[str, str]:
    from counting.systems import library

    return {system.name: "" for system in library()}


def rules_offered(studies: Studies) -> dict[str, str]:
    """The rules that can be named: the folder's, then those that come with the toolkit."""
    return dict.fromkeys([*studies.files("rules", ".toml"), *shipped("bounds/houses")], "")


_OFFERED: Mapping[str, Callable[[Studies], dict[str, str]]] = {
    "games": _games,
    "bets": lambda _: _bets(),
    "systems": lambda _: _systems(),
    "rules": rules_offered,
    "logs": lambda studies: dict.fromkeys(studies.files("logs"), ""),
    "layouts": lambda studies: dict.fromkeys([*studies.files("layouts", ".toml"), *shipped("logs/layouts")], ""),
}
