"""Read layouts of version 0.2. In that version, the keys of a table that translates words were the file's words; now
they are the toolkit's words. Old tables are reversed, each with a note."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from counting.cards import RANKS, SUITS
from counting.games import catalog

_MAIN = frozenset(["player", "banker", "tie"])


def _one_of(*words: str) -> Callable[[str], bool]:
    return frozenset(words).__contains__


def _is_bet(name: str) -> bool:
    return name in _MAIN or name in catalog()


# For each table: its path, and a function that tells whether a word is the toolkit's.
_MAPPINGS: Mapping[tuple[str, ...], Callable[[str], bool]] = {
    ("winner",): _MAIN.__contains__,
    ("bet_names",): _is_bet,
    ("events",): _one_of("dead", "other"),
    ("card_rows", "hands"): _one_of("player", "banker"),
    ("cards", "suits"): _one_of(*SUITS),
    ("cards", "ranks"): _one_of(*RANKS),
}


def mappings(data: Any) -> tuple[Any, tuple[str, ...]]:
    """A layout's data after old tables are reversed, and a note for each of them."""
    notes = []
    for path, is_own in _MAPPINGS.items():
        inner = data
        for key in path:
            inner = inner.get(key) if isinstance(inner, Mapping) else None
        if isinstance(inner, Mapping) and _is_old(inner, is_own):
            data = _with(data, path, _turned(inner))
            word, own = next(iter(inner.items()))
            notes.append(
                f'[{".".join(path)}]: {word} = "{own}" should be {own} = "{word}", the toolkit\'s word on the left; '
                "this version still reads the old order, a later one will not"
            )
    return data, tuple(notes)


def _is_old(mapping: Mapping[Any, Any], is_own: Callable[[str], bool]) -> bool:
    """Whether a table is old. True if some of its values, but not all of its keys, are the toolkit's words."""
    values = list(mapping.values())
    return (
        bool(values)
        and all(isinstance(value, str) for value in values)
        and any(map(is_own, values))
        and not all(is_own(str(key)) for key in mapping)
    )


def _turned(mapping: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    result: dict[str, tuple[str, ...]] = {}
    for word, own in mapping.items():
        result[own] = (*result.get(own, ()), word)
    return result


def _with(data: Mapping[str, Any], path: tuple[str, ...], value: object) -> dict[str, Any]:
    """The data, with `value` at a path."""
    first, *rest = path
    return {**data, first: _with(data[first], tuple(rest), value) if rest else value}
