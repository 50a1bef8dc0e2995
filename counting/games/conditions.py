"""Conditions of a pay table line: what a coup's totals, numbers of cards, ranks, suits and colours must be.

A table of conditions holds when all of its conditions hold; `any`, `all` and `not` combine tables. The conditions of
`BY_OUTCOME` are tried on a coup's outcome (`coup.Outcome`), and the conditions of `BY_FIRST` on what the first two
cards show (`coup.First`). All other conditions, and all conditions of a bet that mixes these kinds, are tried on the
cards of the hands (`hands`).
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from counting.cards import RANKS
from counting.errors import InputError, nearest
from counting.games.coup import First, Outcome
from counting.io.toml import Frozen

Shows = Literal["outcome", "first", "hands"]

WINNERS = ("player", "banker", "tie")
SIDES = ("player", "banker")
COLOURS = ("red", "black")
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")  # in the order of `cards.SUITS`
FACE = "face"
PAIR_KINDS = ("mixed", "coloured", "perfect")
CARD_CLASSES = (*RANKS, FACE, *COLOURS, *SUIT_NAMES)

BY_OUTCOME = ("winner", "margin", "player_total", "banker_total", "player_cards", "banker_cards", "cards", "natural")
BY_FIRST = (*First._fields, "pairs", "perfect_pairs")
_COMBINED = ("any", "all", "not_")
_DEEPEST = 4  # how deep tables of conditions may be nested


def _numbers(low: int, high: int) -> BeforeValidator:
    allowed = f'should be {low} to {high}, a list as [{low}, {high}] or a range as "{low}-{high}"'

    def check(value: object) -> tuple[int, ...]:
        if isinstance(value, str) and (match := re.fullmatch(r"\s*([0-9])\s*-\s*([0-9])\s*", value)):
            numbers: list[Any] = list(range(int(match[1]), int(match[2]) + 1))
        else:
            numbers = list(value) if isinstance(value, list | tuple) else [value]
        if not numbers or not all(type(n) is int and low <= n <= high for n in numbers):
            raise ValueError(allowed)
        return tuple(sorted(set(numbers)))

    return BeforeValidator(check)


def _words(words: tuple[str, ...]) -> BeforeValidator:
    """A validator for one of these words, or a list of them. It returns a tuple in the order of `words`."""

    def check(value: object) -> tuple[str, ...]:
        listed = value if isinstance(value, list | tuple) else [value]
        if not listed or not all(isinstance(word, str) and word in words for word in listed):
            raise ValueError(f"should be {', '.join(map(repr, words))} or a list of them")
        return tuple(word for word in words if word in listed)

    return BeforeValidator(check)


def _rank(value: object) -> str:
    text = str(value).strip().upper() if type(value) in (str, int) else ""
    text = "10" if text == "T" else text
    if text in RANKS:
        return text
    raise ValueError(f"should be a rank ({' '.join(RANKS)}) or a list of ranks")


def _ranks(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list | tuple) else [value]
    if not listed:
        raise ValueError(f"should be a rank ({' '.join(RANKS)}) or a list of ranks")
    ranks = {_rank(rank) for rank in listed}
    return tuple(rank for rank in RANKS if rank in ranks)


def _two_ranks(value: object) -> tuple[str, ...]:
    """Check `K Q`, or a list of such texts. The two ranks of each text are put in the order A to K."""
    two = []
    for item in value if isinstance(value, list | tuple) else [value]:
        ranks = item.split() if isinstance(item, str) else []
        if len(ranks) != 2:
            raise ValueError("should be two ranks as 'K Q', or a list of these")
        two.append(" ".join(sorted(map(_rank, ranks), key=RANKS.index)))
    if not two:
        raise ValueError("should be two ranks as 'K Q', or a list of these")
    return tuple(dict.fromkeys(two))


Numbers = Annotated[tuple[int, ...] | None, _numbers(0, 9)]
_Ranks = Annotated[tuple[str, ...] | None, BeforeValidator(_ranks)]
_TwoRanks = Annotated[tuple[str, ...] | None, BeforeValidator(_two_ranks)]
_Colour = Annotated[tuple[str, ...] | None, _words(COLOURS)]
_Suit = Annotated[tuple[str, ...] | None, _words(SUIT_NAMES)]
_PairKind = Annotated[tuple[str, ...] | None, _words(PAIR_KINDS)]
_Two = Annotated[tuple[int, ...] | None, _numbers(0, 2)]


_Counts = tuple[tuple[str, tuple[int, ...]], ...]


def _number_of(most: int) -> BeforeValidator:
    check_numbers = _numbers(0, most).func
    classes = "a rank (A, 2 ... K), face (J, Q or K), a colour (red, black) or a suit (spades, hearts, diamonds, clubs)"

    def check(value: object) -> tuple[tuple[str, tuple[int, ...]], ...]:
        pairs = list(value.items()) if isinstance(value, Mapping) else value
        if not isinstance(pairs, list | tuple) or not pairs or not builtins.all(len(pair) == 2 for pair in pairs):
            raise ValueError(f"should be a table of numbers by {classes}, as {{ 9 = 2 }}")
        numbers: dict[str, tuple[int, ...]] = {}
        for key, number in pairs:
            name = str(key).strip()
            name = name.lower() if name.lower() in CARD_CLASSES else "10" if name.upper() == "T" else name.upper()
            if name not in CARD_CLASSES or name in numbers:
                raise ValueError(f"{key!r} should be {classes}, each once")
            numbers[name] = check_numbers(number)  # type: ignore[call-arg]
        return tuple((name, numbers[name]) for name in CARD_CLASSES if name in numbers)

    return BeforeValidator(check)


class Conditions(Frozen):
    """Conditions that all must hold. Numbers are sorted tuples. Words are in the order of the tuple that lists them,
    such as `WINNERS`. Pairs of ranks stay in the order written."""

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ((name, value) for name, value in super().__repr_args__() if value is not None)

    winner: Annotated[tuple[str, ...] | None, _words(WINNERS)] = None
    margin: Numbers = None
    player_total: Numbers = None
    banker_total: Numbers = None
    player_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    banker_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    cards: Annotated[tuple[int, ...] | None, _numbers(4, 6)] = None
    natural: bool | None = None
    player_pair: bool | None = None
    player_suited: bool | None = None
    banker_pair: bool | None = None
    banker_suited: bool | None = None
    pairs: _Two = None
    perfect_pairs: _Two = None
    player_natural: bool | None = None
    banker_natural: bool | None = None
    player_first_total: Numbers = None
    banker_first_total: Numbers = None
    player_third_value: Numbers = None
    banker_third_value: Numbers = None
    player_third_rank: _Ranks = None
    banker_third_rank: _Ranks = None
    player_third_suit: _Suit = None
    banker_third_suit: _Suit = None
    player_third_colour: _Colour = None
    banker_third_colour: _Colour = None
    player_pair_kind: _PairKind = None
    banker_pair_kind: _PairKind = None
    player_pair_rank: _Ranks = None
    banker_pair_rank: _Ranks = None
    player_first_two: _TwoRanks = None
    banker_first_two: _TwoRanks = None
    player_first_colour: _Colour = None
    banker_first_colour: _Colour = None
    first_colour: _Colour = None
    player_colour: _Colour = None
    banker_colour: _Colour = None
    colour: _Colour = None
    player_suit: _Suit = None
    banker_suit: _Suit = None
    player_number_of: Annotated[_Counts | None, _number_of(3)] = None
    banker_number_of: Annotated[_Counts | None, _number_of(3)] = None
    number_of: Annotated[_Counts | None, _number_of(6)] = None
    player_first_number_of: Annotated[_Counts | None, _number_of(2)] = None
    banker_first_number_of: Annotated[_Counts | None, _number_of(2)] = None
    first_number_of: Annotated[_Counts | None, _number_of(4)] = None
    player_three_of_a_kind: bool | None = None
    banker_three_of_a_kind: bool | None = None
    player_straight: bool | None = None
    banker_straight: bool | None = None
    player_flush: bool | None = None
    banker_flush: bool | None = None
    player_different_cards: Annotated[tuple[int, ...] | None, _numbers(1, 3)] = None
    banker_different_cards: Annotated[tuple[int, ...] | None, _numbers(1, 3)] = None
    pairs_of_one_rank: bool | None = None
    any: Annotated[tuple[Conditions, ...] | None, BeforeValidator(lambda v: _tables(v, "any"))] = None
    all: Annotated[tuple[Conditions, ...] | None, BeforeValidator(lambda v: _tables(v, "all"))] = None
    not_: Annotated[tuple[Conditions, ...] | None, BeforeValidator(lambda v: _tables(v, "not"))] = Field(
        None, alias="not"
    )

    @cached_property
    def wanted(self) -> tuple[tuple[str, Any], ...]:
        """The simple conditions that are given: key and wanted value."""
        return tuple(
            (key, wanted) for key in CONDITIONS if key not in _COMBINED and (wanted := getattr(self, key)) is not None
        )

    @property
    def combined(self) -> Iterator[tuple[str, tuple[Conditions, ...]]]:
        """The tables of conditions under `any`, `all` and `not_`, as pairs of key and tables."""
        return ((key, tables) for key in _COMBINED if (tables := getattr(self, key)) is not None)

    @cached_property
    def looks_at(self) -> frozenset[Shows]:
        """What the conditions look at: the outcome, pairs and suits of the first two cards, or anything else."""
        return frozenset(
            [_looks_at(key) for key, _ in self.wanted]
            + [look for _, tables in self.combined for table in tables for look in table.looks_at]
        )

    def fits(self, shown: Outcome | First) -> bool:
        """Whether an outcome, or what first cards show, meets the conditions. The conditions must look at nothing
        else."""
        for key, wanted in self._sets:  # a third faster than `all`; most of a game's loading time is spent here
            if getattr(shown, key) not in wanted:
                return False
        return not self._are_combined or self._fits_combined(shown)

    def _fits_combined(self, shown: Outcome | First) -> bool:
        return (
            (self.any is None or builtins.any(table.fits(shown) for table in self.any))
            and (self.all is None or builtins.all(table.fits(shown) for table in self.all))
            and (self.not_ is None or not builtins.any(table.fits(shown) for table in self.not_))
        )

    @cached_property
    def _are_combined(self) -> bool:
        return bool([*self.combined])

    @cached_property
    def _sets(self) -> list[tuple[str, tuple[Any, ...]]]:
        return [(key, wanted if isinstance(wanted, tuple) else (wanted,)) for key, wanted in self.wanted]

    @property
    def plain(self) -> dict[str, Any]:
        """The conditions as plain data."""
        return self.model_dump(exclude_none=True, mode="json", by_alias=True, include=set(CONDITIONS))

    @property
    def words(self) -> list[str]:
        """The conditions as the words of an event's name."""
        words = []
        if self.winner:
            words.append("-or-".join(w if w == "tie" else f"{w}-win" for w in self.winner))
        for key, wanted in sorted(self.wanted, key=lambda pair: (not _is_numbers(pair[1]), 0)):
            name = _NAMES.get(key, key.replace("_", "-"))
            if key == "winner":
                continue
            if isinstance(wanted, bool):
                words.append(name if wanted else f"no-{name}")
            elif key.endswith("number_of"):
                words += [f"{name}-{of.lower()}-{_spelled(numbers)}" for of, numbers in wanted]
            else:
                words.append(f"{name}-{_spelled(wanted)}")
        for key, tables in self.combined:
            inner = ["-".join(table.words) or "any" for table in tables]
            words.append("not-" * (key == "not_") + ("-" if key == "all" else "-or-").join(inner))
        return words


CONDITIONS = tuple(Conditions.model_fields)
KEYS = tuple(key for key in CONDITIONS if key not in _COMBINED)
_NAMES = {"margin": "by", "player_total": "player", "banker_total": "banker"}


def _is_numbers(wanted: object) -> bool:
    return isinstance(wanted, tuple) and type(wanted[0]) is int


def _spelled(wanted: tuple[Any, ...]) -> str:
    run = _is_numbers(wanted) and len(wanted) > 2 and wanted[-1] - wanted[0] == len(wanted) - 1
    spelled = f"{wanted[0]}-to-{wanted[-1]}" if run else "-or-".join(map(str, wanted))
    return spelled.lower().replace(" ", "")


def _looks_at(key: str) -> Shows:
    return "outcome" if key in BY_OUTCOME else "first" if key in BY_FIRST else "hands"


def _tables(value: object, key: str) -> object:
    """The tables under `any`, `all` or `not`, as a tuple; the value is one table or a list."""
    tables = value if isinstance(value, list | tuple) else [value]
    if not tables or not all(isinstance(table, dict | Conditions) and table for table in tables):
        raise ValueError(f'should be a table of conditions or a list of tables, as {key} = [{{ winner = "tie" }}]')
    if _depth(list(tables)) > _DEEPEST:
        raise ValueError(f"should have at most {_DEEPEST} tables in one another")
    return tuple(tables)


def _depth(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return max(map(_depth, value), default=0) if isinstance(value, list | tuple) else 0


def conditions_of(words: str, where: str) -> dict[str, Any]:
    """The conditions of a pay table line from words: a winner, and `key=value` with values as 7, 2-5, 1,3,8, K or
    red."""
    conditions: dict[str, Any] = {}
    for word in words.split():
        key, _, value = word.partition("=")
        if not value and key in WINNERS:
            key, value = "winner", key
        if key not in KEYS or not value or key.endswith("number_of"):
            allowed = [key for key in KEYS if not key.endswith("number_of")]
            raise InputError(
                f"{where}, {word!r}: should be {', '.join(WINNERS)}, or one of {', '.join(allowed)} "
                f"with = and a value{nearest(key, allowed)}"
            )
        if key in conditions:
            raise InputError(f"{where}, {words!r}: {key} occurs twice, should occur once")
        conditions[key] = condition_value(key, value)
    return conditions


def condition_value(key: str, words: str) -> Any:
    """The value that a condition wants, from words in any case: 7, 2-5, 1,3,8, K, red or true. A condition on numbers
    of cards is written as 9=2 red=1-3: two nines, and one to three red cards."""
    if key.endswith("number_of"):
        pairs = (part.partition("=") for part in words.split())
        return [(of, condition_value("", numbers)) for of, _, numbers in pairs]
    spelled = [_canonical().get(part.casefold(), part) for part in map(str.strip, words.split(","))]
    parts = [int(part) if re.fullmatch("[0-9]", part) else part for part in spelled]
    return {"true": True, "false": False}.get(words.lower(), parts if len(parts) > 1 else parts[0])


@lru_cache(maxsize=1)
def _canonical() -> dict[str, str]:
    """The words that conditions know, by their lower-case forms."""
    return {word.casefold(): word for word in (*WINNERS, *RANKS, *COLOURS, *SUIT_NAMES, *PAIR_KINDS)}


@lru_cache(maxsize=1)
def condition_choices() -> dict[str, tuple[str, ...]]:
    """The simple conditions by their keys, each with words for values that it may have, as `condition_value` reads
    them. For pairs of ranks and for numbers of cards, the words are only examples."""
    words = [
        "true", "false", *map(str, range(10)), *WINNERS, *RANKS, *COLOURS, *SUIT_NAMES, *PAIR_KINDS,
        *map(" ".join, pairwise(RANKS)), *(f"{of}=2" for of in CARD_CLASSES),
    ]  # fmt: skip
    return {key: tuple(word for word in dict.fromkeys(words) if _can_want(key, word)) for key in KEYS}


def _can_want(key: str, words: str) -> bool:
    try:
        return bool(Conditions(**{key: condition_value(key, words)}))
    except InputError:
        return False
