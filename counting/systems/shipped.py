"""Counting systems by name: published systems, and counts that the project searched for."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from counting.cards import RANKS, SUITS
from counting.errors import Mistakes, one_text
from counting.games import NAME
from counting.io.toml import find, read_toml, shipped
from counting.synonyms import letters
from counting.systems.system import PERFECT, TO_ZERO, System, system_of


def load_system(name_or_path: str | Path) -> System:
    """A system of the library by its name, or your own system by the path of its TOML file. Capitals, blanks and
    hyphens in a name do not matter.

    Raises `InputError` for an unknown name, and for mistakes in a file, with a line for each mistake. A line gives the
    file, the key and, where they help, the value and what is allowed.

    >>> from counting import load_system
    >>> load_system("dragon-7").by_rank
    (0, 0, 0, -1, -1, -1, -1, 2, 2, 0, 0, 0, 0)
    """
    own, text = own_counts(), str(name_or_path)
    if text in own:
        return own[text]
    if (path := shipped("systems").get(text)) is not None:
        return _shipped(path)
    alike = [system for name, system in own.items() if letters(name) == letters(text)]
    return alike[0] if alike and not os.path.exists(text) else _read(find(text, "systems", own))


@lru_cache
def _shipped(path: Path) -> System:
    return _read(path)


def _read(path: Path) -> System:
    data = read_toml(path)
    mistakes = Mistakes()
    if "name" in data:
        mistakes.append(f"{path}: name = {data['name']!r}: unknown key, the system's name is the file's")
    if not NAME.fullmatch(path.stem):
        mistakes.append(f"{path}: the file's name should be lower case letters and digits with hyphens")
    if path.stem == PERFECT:
        mistakes.append(f"{path}: the file needs another name: {PERFECT} is reserved for the perfect counter")
    return system_of({**data, "name": path.stem}, str(path), mistakes)


def as_system(system: System | str | Path) -> System:
    """The system itself, if `system` is a `System`; otherwise the system of a name or of a file's path. Errors are as
    for `load_system`."""
    return system if isinstance(system, System) else load_system(system)


@lru_cache(maxsize=1)
def own_counts() -> dict[str, System]:
    """The project's own counts by name, such as `dragon-7-level-2`. For each bet on which the search found a count that
    wins, there is one count for each level."""
    counts: dict[str, System] = {}
    kinds_of = {len(kinds): kinds for kinds in ((*RANKS[:9], "T"), RANKS, SUITS)}
    for path, data in _searched():
        for row in data["counts"]:
            name = f"{row['bet']}-level-{row['level']}"
            whole = {
                "name": name,
                "title": f"{row['bet']}, own count of level {row['level']}",
                "source": data["source"],
                "decks": data["decks"],
                "bets": [row["bet"]],
                "count": "true",
                "start": TO_ZERO,
                "trigger": row["trigger"],
                "tags": dict(zip(kinds_of[len(row["tags"])], row["tags"], strict=True)),
            }
            counts[name] = system_of(whole, str(path), Mistakes())
    return counts


@lru_cache(maxsize=1)
def without_counts() -> frozenset[str]:
    """Bets on which the project's search found no count that wins anything."""
    return frozenset(bet for _, data in _searched() for bet in data["without"])


def _searched() -> list[tuple[Path, dict[str, Any]]]:
    return [(path, read_toml(path)) for path in shipped("systems/searched").values()]


def library() -> list[System]:
    """The published systems, then the project's own counts.

    >>> from counting import library
    >>> "dragon-7" in [system.name for system in library()]
    True
    """
    return [*map(_shipped, shipped("systems").values()), *own_counts().values()]


def counts_for(bet: str) -> tuple[System, ...]:
    """The library's counts that name this bet. Of several counts with the same tags, start, kind of count and trigger,
    only the first is included, even if they estimate the cards left differently.

    Raises `InputError` unless the bet is one text.

    >>> from counting import counts_for
    >>> [system.name for system in counts_for("dragon-7")][:2]
    ['dragon-7-unbalanced', 'dragon-7']
    """
    counts: dict[tuple[object, ...], System] = {}
    bet = one_text(bet, "bet")
    for system in library():
        if system.bets is not None and bet in system.bets:
            read_as = (system.start, system.count, system.per, system.distance_from)
            counts.setdefault((system.by_card, read_as, system.on(bet)), system)
    return tuple(counts.values())
