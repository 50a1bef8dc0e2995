"""Bets: pay table lines with conditions on what a coup shows, and the catalog of bets that tables offer.

A bet is settled by the outcome of the coup (totals and numbers of cards) or by the first two cards of the
hands (pairs and suits). The catalog is data too: `catalog/*.toml`, one file per family of bets.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache
from math import lcm
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from counting.errors import InputError, Mistakes, nearest, number
from counting.games.coup import FIRSTS, First, Outcome
from counting.games.tableau import Tableau
from counting.io.toml import Frozen, Text, read_toml, shipped, validated

# Largest pay of a bet in units of the common denominator of its odds. No tableau has more than 400 classes of
# outcomes, so twice that many such pays stay below 2^30, which pricing in 64 bits needs (`_settle.pyx`);
# a bet on first cards has at most 81 of them (`first_cards.combination`).
MOST_PAY = 1 << 20
MOST_UNITS = 1000  # of a main-bet requirement
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

Shows = Literal["outcome", "first"]
Shown = Outcome | First

_WINNERS = ("player", "banker", "tie")
_BY_OUTCOME = ("winner", "margin", "player_total", "banker_total", "player_cards", "banker_cards", "cards", "natural")
_BY_FIRST = (*First._fields, "pairs", "perfect_pairs")


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


def _winners(value: object) -> tuple[str, ...]:
    winners = value if isinstance(value, list | tuple) else [value]
    if not winners or not all(w in _WINNERS for w in winners):
        raise ValueError(f"should be {', '.join(map(repr, _WINNERS))} or a list of them")
    return tuple(w for w in _WINNERS if w in winners)


def _odds(value: object) -> str:
    text = value if isinstance(value, str) else ""
    if text in ("push", "lose") or re.fullmatch(r"[1-9][0-9]{0,5}:[1-9][0-9]{0,5}", text):
        return text
    raise ValueError('should be odds as "40:1" or "19:20", "push" or "lose"')


@lru_cache(maxsize=1024)
def _pay(odds: str) -> Fraction:
    if ":" in odds:
        won, staked = map(int, odds.split(":"))
        return Fraction(won, staked)
    return Fraction(0 if odds == "push" else -1)


def _name(value: object) -> str:
    if isinstance(value, str) and NAME.fullmatch(value) and len(value) <= 64:
        return value
    raise ValueError("should be lower case letters and digits with hyphens, as 'seven-seven-40'")


class Line(Frozen):
    """A pay table line: conditions that a coup must all meet, and the odds. Sets of numbers are sorted tuples."""

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return ((name, value) for name, value in super().__repr_args__() if value is not None)

    winner: Annotated[tuple[str, ...] | None, BeforeValidator(_winners)] = None
    margin: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    player_total: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    banker_total: Annotated[tuple[int, ...] | None, _numbers(0, 9)] = None
    player_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    banker_cards: Annotated[tuple[int, ...] | None, _numbers(2, 3)] = None
    cards: Annotated[tuple[int, ...] | None, _numbers(4, 6)] = None
    natural: bool | None = None
    player_pair: bool | None = None
    player_suited: bool | None = None
    banker_pair: bool | None = None
    banker_suited: bool | None = None
    pairs: Annotated[tuple[int, ...] | None, _numbers(0, 2)] = None
    perfect_pairs: Annotated[tuple[int, ...] | None, _numbers(0, 2)] = None
    odds: Annotated[str, BeforeValidator(_odds)]
    event: Annotated[str | None, BeforeValidator(_name)] = None

    @property
    def pay(self) -> Fraction:
        """Profit per unit staked: 40 for "40:1", 0 for a push, -1 for a loss."""
        return _pay(self.odds)

    def fits(self, shown: Shown) -> bool:
        for key, wanted in self._wanted:  # noqa: SIM110  # a third faster than `all`, where most of a game's load goes
            if getattr(shown, key) not in wanted:
                return False
        return True

    @property
    def looks_at(self) -> set[Shows]:
        """What the conditions look at: the outcome, the first two cards of the hands, or both."""
        return {"outcome" if key in _BY_OUTCOME else "first" for key, _ in self._wanted}

    @cached_property
    def _wanted(self) -> list[tuple[str, tuple[Any, ...]]]:
        conditions = ((key, getattr(self, key)) for key in (*_BY_OUTCOME, *_BY_FIRST))
        return [
            (key, wanted if isinstance(wanted, tuple) else (wanted,))
            for key, wanted in conditions
            if wanted is not None
        ]

    @property
    def label(self) -> str:
        """The line's event: its own name, or one made from its conditions."""
        if self.event:
            return self.event
        words = []
        if self.winner:
            words.append("-or-".join(w if w == "tie" else f"{w}-win" for w in self.winner))
        for key, word in (
            ("margin", "by"),
            ("player_total", "player"),
            ("banker_total", "banker"),
            ("player_cards", "player-cards"),
            ("banker_cards", "banker-cards"),
            ("cards", "cards"),
            ("pairs", "pairs"),
            ("perfect_pairs", "perfect-pairs"),
        ):
            numbers = getattr(self, key)
            if numbers:
                run = len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1
                ends = f"{numbers[0]}-to-{numbers[-1]}"
                words.append(f"{word}-{ends if run else '-or-'.join(map(str, numbers))}")
        for key in ("natural", *First._fields):
            wanted = getattr(self, key)
            if wanted is not None:
                words.append(key.replace("_", "-") if wanted else f"no-{key.replace('_', '-')}")
        return "-".join(words) or "any"


class Bet(Frozen):
    """A bet: the first pay table line that a coup meets pays; a coup that meets none loses the stake.

    A bet made in Python raises `InputError`, one line per mistake, as one from a file does.

    >>> from counting import Bet
    >>> Bet(name="tie-9", pays=[{"winner": "tie", "odds": "9:1"}]).pays[0].pay
    Fraction(9, 1)
    """

    name: Annotated[str, BeforeValidator(_name)]
    title: Text | None = None
    source: Text | None = None
    pays: Annotated[tuple[Line, ...], BeforeValidator(lambda lines: tuple(lines) if isinstance(lines, list) else lines)]

    @classmethod
    def of(cls, name: str, pays: Mapping[str, str]) -> Bet:
        """A bet from its odds by condition: a winner, or `key=value` of the keys of a pay line, or both, separated
        by blanks; values as 7, 2-5 or 1,3,8.

        >>> from counting import Bet
        >>> Bet.of("lucky-6", {"banker banker_total=6 banker_cards=2": "12:1", "banker banker_total=6": "20:1"}).pays[1]
        Line(winner=('banker',), banker_total=(6,), odds='20:1')
        """
        if not isinstance(pays, Mapping):
            raise InputError(f"bet {name}: pays = {pays!r}, should be odds by condition, as {{'tie': '8:1'}}")
        lines: Any = [{**_conditions(name, str(line)), "odds": odds} for line, odds in pays.items()]
        return cls(name=name, pays=lines)

    @cached_property
    def shows(self) -> Shows:
        """What settles it: the outcome of the coup, or the first two cards of the hands."""
        return "first" if any("first" in line.looks_at for line in self.pays) else "outcome"

    def line(self, shown: Shown) -> int | None:
        """The number of the line that settles the bet, or None if the coup meets none and the bet loses."""
        for i, line in enumerate(self.pays):
            if line.fits(shown):
                return i
        return None

    def pay(self, shown: Shown) -> Fraction:
        i = self.line(shown)
        return Fraction(-1) if i is None else self.pays[i].pay

    @property
    def denominator(self) -> int:
        """The least whole stake that every line pays in whole units."""
        return lcm(*(line.pay.denominator for line in self.pays))

    def happening(self, tableau: Tableau) -> tuple[Shown, ...]:
        """All that a coup can show of what settles the bet."""
        return FIRSTS if self.shows == "first" else tableau.outcomes


def _conditions(name: str, text: str) -> dict[str, Any]:
    """The conditions of a pay line from words."""
    conditions: dict[str, Any] = {}
    for word in text.split():
        key, _, value = word.partition("=")
        if not value and key in _WINNERS:
            key, value = "winner", key
        allowed = (*_BY_OUTCOME, *_BY_FIRST)
        if key not in allowed or not value:
            raise InputError(
                f"bet {name}, {word!r}: should be {', '.join(_WINNERS)}, or one of {', '.join(allowed)} "
                f"with = and a value{nearest(key, allowed)}"
            )
        if key in conditions:
            raise InputError(f"bet {name}, {text!r}: {key} occurs twice, should occur once")
        parts = [int(part) if re.fullmatch("[0-9]", part) else part for part in value.split(",")]
        conditions[key] = {"true": True, "false": False}.get(value, parts if len(parts) > 1 else parts[0])
    return conditions


@lru_cache(maxsize=4096)
def settled(bet: Bet, tableau: Tableau) -> tuple[frozenset[Shown], ...]:
    """For each line the event that it settles: what meets it and no earlier line."""
    events: list[set[Shown]] = [set() for _ in bet.pays]
    for shown in bet.happening(tableau):
        i = bet.line(shown)
        if i is not None:
            events[i].add(shown)
    return tuple(frozenset(s) for s in events)


def unfit(bet: Bet, tableau: Tableau | None) -> list[str]:
    """The mistakes in a bet with valid keys, in a game with this tableau."""
    if not bet.pays:
        return ["pays: should be one line or more"]
    wrong = []
    if max(Fraction(1), *(line.pay for line in bet.pays)) * bet.denominator > MOST_PAY:
        wrong.append(f"pays: odds over their common denominator should be at most {MOST_PAY:,}")
    if len(set().union(*(line.looks_at for line in bet.pays))) > 1:
        wrong.append(
            "pays: mixes conditions on first cards (pairs, suits) and on outcomes (totals), should have one kind"
        )
    elif tableau is not None:
        wrong += [
            f"pays {j}: no coup meets this line, should be a line that can happen"
            for j, shown in enumerate(settled(bet, tableau), 1)
            if not shown
        ]
    return wrong


@lru_cache(maxsize=1)
def catalog() -> dict[str, Bet]:
    """The bets that tables offer, by name, each with its source, for any game whose coups can meet each line."""
    return {name: bet for bets in catalog_families().values() for name, bet in bets.items()}


@lru_cache(maxsize=1)
def catalog_families() -> dict[str, dict[str, Bet]]:
    """The catalog by family of bets: a family is a file, and has the file's name."""
    families: dict[str, dict[str, Bet]] = {}
    mistakes = Mistakes()
    for family, path in shipped("games/catalog").items():
        read = (validated(Bet, raw, [str(path)], mistakes.append) for raw in read_toml(path)["bets"])
        families[family] = {bet.name: bet for bet in read if bet is not None}
    mistakes.report()
    return families


def units_of(tie_in: object) -> Fraction:
    """A main-bet requirement (`tie_in`) in units, exactly as written."""
    return number(tie_in, "tie-in", MOST_UNITS, "number of units")
