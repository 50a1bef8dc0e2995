"""Counting systems as data: tags, how the count is read, a trigger, and a source.

A system is a TOML file (see `systems/dragon-7.toml`). The running count is the sum of the tags of the
seen cards; the true count is that per 52 unseen cards, burned face-down cards being unseen.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from counting.bets import NAME, Text
from counting.cards import DECK
from counting.config import find, read_toml, validated
from counting.errors import Mistakes
from counting.rules import Decks

PERFECT = "perfect"  # the name in tables of the counter who bets when the exact edge is positive

_MOST_TAG = 100
_MOST_TRIGGER = 100_000
_DECIMALS = 6


def _tag(given: object) -> int:
    if type(given) is int and abs(given) <= _MOST_TAG:
        return given
    raise ValueError(f"should be a whole number from -{_MOST_TAG} to {_MOST_TAG}")


def _trigger(given: object) -> float:
    """Few enough decimals that a trigger compares with a count in 64 bits, exactly."""
    if isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= _MOST_TRIGGER:
        exactly = _exactly(given)
        if exactly == round(exactly, _DECIMALS):
            return float(given)
    raise ValueError(
        f"should be a number from -{_MOST_TRIGGER:,} to {_MOST_TRIGGER:,} with at most {_DECIMALS} decimals"
    )


def _exactly(number: float) -> Decimal:
    """The number as it is written."""
    return Decimal(str(number))


def _listed(given: object) -> object:
    if not isinstance(given, list) or not given:
        raise ValueError("should be a list in brackets, of one or more")
    return tuple(given)


Tag = Annotated[int, BeforeValidator(_tag)]
Trigger = Annotated[float, BeforeValidator(_trigger)]


class _Tags(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    ace: Tag = Field(alias="A")
    two: Tag = Field(alias="2")
    three: Tag = Field(alias="3")
    four: Tag = Field(alias="4")
    five: Tag = Field(alias="5")
    six: Tag = Field(alias="6")
    seven: Tag = Field(alias="7")
    eight: Tag = Field(alias="8")
    nine: Tag = Field(alias="9")
    ten: Tag = Field(alias="T")


class System(BaseModel):
    """A counting system. A counter bets when the count is at or above the trigger."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: str = ""
    title: Text
    source: Text
    decks: Decks | None = None
    bets: Annotated[tuple[str, ...], BeforeValidator(_listed)] | None = None
    count: Literal["true", "running"]
    start: Annotated[int, BeforeValidator(_tag)] = 0
    trigger: Trigger
    triggers: Annotated[tuple[Trigger, ...], BeforeValidator(_listed)] | None = None
    tags: _Tags

    @property
    def by_value(self) -> tuple[int, ...]:
        """Ten tags in the order of point values: tens and faces, aces, 2 ... 9."""
        t = self.tags
        return (t.ten, t.ace, t.two, t.three, t.four, t.five, t.six, t.seven, t.eight, t.nine)

    @property
    def scored(self) -> tuple[float, ...]:
        """The triggers to score, rising: those given, or whole steps around the system's own."""
        around = self.triggers or tuple(float(_exactly(self.trigger) + step) for step in range(-4, 7))
        return tuple(sorted({*around, self.trigger}))

    def running(self, values: NDArray[np.int32], decks: int) -> NDArray[np.int32]:
        """The running count for each composition of unseen cards (rows, 10) of a shoe of so many decks."""
        tags = np.array(self.by_value, np.int32)
        full = 4 * decks * np.array([4, 1, 1, 1, 1, 1, 1, 1, 1, 1], np.int32)
        return (self.start + full @ tags - values @ tags).astype(np.int32)

    def reached(self, running: NDArray[np.int32], cards_left: NDArray[np.int64]) -> NDArray[np.int32]:
        """How many of the scored triggers the count is at or above, in exact arithmetic.

        With counts of at most 100 a card and triggers of at most 10^5 in millionths, both sides stay
        below 2^53.
        """
        found = np.zeros(len(running), np.int32)
        for trigger in self.scored:
            exact = Fraction(_exactly(trigger))
            per = cards_left if self.count == "true" else 1
            scale = DECK if self.count == "true" else 1
            found += running.astype(np.int64) * (scale * exact.denominator) >= exact.numerator * per
        return found

    def to_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> System:
        return _system(data, data["name"], Mistakes())


def load_system(name_or_path: str | Path) -> System:
    """A shipped system by name, or a user's own by the path of its TOML file.

    Raises `InputError` with a line for every mistake: file, key, value and what is allowed.
    """
    path = find(name_or_path, "systems")
    data = read_toml(path)
    mistakes = Mistakes()
    if "name" in data:
        mistakes.append(f"{path}: name = {data['name']!r}: unknown key, the file's name is the system's")
    if not NAME.fullmatch(path.stem):
        mistakes.append(f"{path}: the file's name should be lower case letters and digits with hyphens")
    if path.stem == PERFECT:
        mistakes.append(f"{path}: the file's name should be another: {PERFECT} is the counter who knows every edge")
    return _system({**data, "name": path.stem}, str(path), mistakes)


def _system(data: dict[str, Any], where: str, mistakes: Mistakes) -> System:
    system = validated(System, data, [], lambda mistake: mistakes.append(f"{where}: {mistake}"))
    mistakes.report()
    assert system is not None
    return system
