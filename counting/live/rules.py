"""Alert rules, from text: `edge > 0.02 for dragon-7`, `trigger dragon-7`, `stake > 500 and edge > 0`."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from counting.errors import InputError, Mistakes, keyword, nearest
from counting.games import Game
from counting.numbers import exact, hint, without_currency
from counting.systems import System

QUANTITIES = {
    "edge": "the bet's exact edge",
    "worth": "the edge times the largest allowed bet (--most-bet)",
    "cards": "the number of unseen cards",
    "stake": "a patron's stake on the bet",
    "raise": "the stake divided by the median of the patron's three or more earlier stakes on the bet in the shoe",
    "bets": "the number of the patron's stakes on the bet in the shoe, including this one",
    "positive": "the share of the patron's stakes on the bet in the shoe that were placed at a positive edge",
}
OF_BETS = frozenset(["stake", "raise", "bets", "positive"])
OF_PAST = frozenset(["bets", "positive"])
_OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le,
}  # fmt: skip
_MOST = 10**9
_TERM = re.compile(r"([a-z-]+)\s*(>=|<=|>|<|==|=|!=)\s*(\S+)")


class RuleTerm(NamedTuple):
    """A condition: a quantity, a comparison and a number."""

    quantity: str
    sign: str
    number: float

    def holds(self, values: Mapping[str, float]) -> bool:
        """Whether the condition holds. It does not hold for a value that is not known."""
        value = values.get(self.quantity, math.nan)
        return _OPERATORS[self.sign](value, self.number)


@dataclass(frozen=True)
class Rule:
    """A rule.

    - `terms`: conditions that must all hold
    - `systems`: systems whose triggers must all be reached
    - `bets`: the bets that the rule is for"""

    text: str
    terms: tuple[RuleTerm, ...]
    systems: tuple[str, ...]
    bets: tuple[str, ...]

    @property
    def of_bets(self) -> bool:
        """Whether the rule is about the bets that patrons place, and not about the shoe."""
        return any(term.quantity in OF_BETS for term in self.terms)

    def holds(self, values: Mapping[str, float], reached: frozenset[str] | set[str]) -> bool:
        """Whether the rule holds for these values. `reached` are the systems whose triggers are reached on the bet."""
        return all(name in reached for name in self.systems) and all(term.holds(values) for term in self.terms)


def parse_rules(texts: Sequence[str], game: Game, systems: Sequence[System], has_limit: bool) -> tuple[Rule, ...]:
    """The rules that these texts describe. Raises `InputError`, with a line for each invalid rule."""
    mistakes, rules = Mistakes(), []
    for text in texts:
        with mistakes.gathered():
            rules.append(parse_rule(text, game, systems, has_limit))
    mistakes.report()
    return tuple(rules)


def parse_rule(text: str, game: Game, systems: Sequence[System] = (), has_limit: bool = True) -> Rule:
    """The rule that a text describes. Raises `InputError` for an invalid rule."""
    where = f"{keyword('rule')} {text!r}"
    body, bets = _parted(" ".join(text.split()), where, game)
    terms, wanted = [], []
    for part in body.split(" and "):
        words = part.split()
        if words[:1] == ["trigger"] and len(words) == 2:
            wanted.append(_system(words[1], where, systems))
            continue
        match = _TERM.fullmatch(part.strip())
        if match is None:
            raise InputError(f"{where}: {part.strip()!r}: should be as edge > 0.02 or trigger dragon-7")
        terms.append(_term(match[1], match[2], match[3], where))
    if any(term.quantity == "worth" for term in terms) and not has_limit:
        raise InputError(f"{where}: worth: needs {keyword('most_bet')}, the largest allowed bet")
    of = [system for system in systems if system.name in wanted and system.bets is not None]
    for system in of:
        lacking = [bet for bet in bets if bet not in (system.bets or ())]
        if lacking:
            raise InputError(f"{where}: system {system.label} has no trigger for {', '.join(lacking)}")
    named = bets or tuple(bet for bet in game.bet_names if all(bet in (system.bets or ()) for system in of))
    if not named:
        why = f"{game.name} has no bet for which {' and '.join(wanted)} has a trigger"
        raise InputError(f"{where}: {why}; see {keyword('also')}")
    return Rule(text, tuple(terms), tuple(wanted), named)


def _parted(text: str, where: str, game: Game) -> tuple[str, tuple[str, ...]]:
    """The conditions of a rule's text, and the bets that it names."""
    body, _, names = text.partition(" for ")
    bets = tuple(game.main_bet(name) for name in re.split(r"[ ,]+", names.strip()) if name)
    for bet in bets:
        if bet not in game.bet_names:
            raise InputError(
                f"{where}: bet {bet!r}: {game.name} has {', '.join(game.bet_names)}{nearest(bet, game.bet_names)}"
            )
    if text.endswith(" for") or (" for " in text and not bets):
        raise InputError(f"{where}: should name a bet after for")
    return body, bets


def _system(name: str, where: str, systems: Sequence[System]) -> str:
    names = [system.name for system in systems]
    if name not in names:
        raise InputError(f"{where}: system {name!r}: should be given by {keyword('system')}{nearest(name, names)}")
    return name


def _term(quantity: str, sign: str, number: str, where: str) -> RuleTerm:
    if quantity not in QUANTITIES:
        raise InputError(f"{where}: {quantity!r}: should be {', '.join(QUANTITIES)}{nearest(quantity, QUANTITIES)}")
    if sign not in _OPERATORS:
        raise InputError(f"{where}: {sign!r}: should be >, >=, < or <=")
    value = exact(without_currency(number.lstrip("+-")), percent=True)
    if value is None or value >= _MOST:
        raise InputError(f"{where}: {number!r}: should be a number, as 0.02 or 2%{hint(number, percent=True)}")
    if quantity in ("edge", "positive") and value >= 1 and not number.endswith("%"):
        share = f"{'-' * number.startswith('-')}{float(100 * value):g}%"
        raise InputError(f"{where}: {number} is {share}, should be written with the sign, as {number}%")
    return RuleTerm(quantity, sign, float(value) * (-1 if number.startswith("-") else 1))
