"""Remedies: which change of a single rule would meet the bound, if the verdict of a statement is NOT MET or UNDECIDED.

Three rules are tried, each by itself, but the third only if there are side bets:

- a lower maximum for the side bet, or for the main bet if there is no side bet, in whole money
- more cards behind the cut card, up to half of the shoe
- a larger main-bet requirement, in whole units

Each value of a rule is judged by a statement on the rules with this value, on the same shoes. The remedy is the value
nearest to the rule in force at which the bound is MET.

If a seat must be held or bets stand after a push, a bracket takes long to work out. So the value is found for counters
who may skip any coup and take any bet down, on the number of shoes that the bracket plays. Counters under the house's
rules win no more than these counters. One bracket then confirms the value. With a rebate on losses only the largest bet
is tried, as the gain is about in proportion to it. In both cases the value need not be the nearest, and
`Remedy.nearest` is false."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache
from math import ceil, floor, isfinite
from pathlib import Path
from typing import Any, Literal

from counting.bounds.bounds import Per, Verdict
from counting.bounds.house_rules import HouseRules
from counting.bounds.progress import WorkProgress, part_of
from counting.bounds.statements import Statement, judge
from counting.cards import DECK

MOST_TIED = 8  # the largest main-bet requirement that is tried, in units
Rule = Literal["most_bet", "maximum", "cut", "tie_in"]
_RULES: tuple[Rule, ...] = ("most_bet", "cut", "tie_in")
_OF_MAINS: tuple[Rule, ...] = ("maximum", "cut")  # the rules to try if there are no side bets


class Lack(Enum):
    """Why no value of a rule is named."""

    UNITS = auto()  # the bound is in units of the largest bet, so the size of this bet does not matter
    LEAST_BET = auto()  # even the least bet does not meet the bound
    HALF_OF_SHOE = auto()  # even half of the shoe behind the cut card does not meet the bound
    MOST_TIED = auto()  # even the largest requirement that is tried does not meet the bound
    REBATE = auto()  # with a rebate on losses this rule is not tried
    NOT_CONFIRMED = auto()  # the bracket of the value does not show that the bound is met
    NO_CHANGE = auto()  # counters who may skip any coup meet the bound already


@dataclass(frozen=True)
class Remedy:
    """A change of one `rule` of the house.

    - `value`: the value at which the bound is met if no other rule is changed; None if no such value is known
    - `limit`: the upper 99% limit of what counters then win, in the unit of the bound
    - `lack`: why no value is known
    - `nearest`: whether the same test shows that the next value towards the rule in force does not meet the bound"""

    rule: Rule
    value: int | None
    limit: float | None = None
    lack: Lack | None = None
    nearest: bool = True


def with_remedies(
    statement: Statement,
    folder: Path | None = None,
    progress: WorkProgress | None = None,
    *,
    fit: int | None = None,
    **playing: Any,
) -> Statement:
    """The statement with a remedy for each rule. It is unchanged if its bound is met or it has no bound.

    `fit` is as for `state`. Brackets are kept in `folder/remedies`; `folder` is the statement's."""
    if statement.met is not False:
        return statement
    search = _RemedySearch(statement, folder, fit, playing)
    rules = _RULES if statement.rules.side_bets else _OF_MAINS
    values = [(rule, *search.value(rule)) for rule in rules]
    costs = [1.0 for _, value, _ in values if value is not None]  # one bracket each; the search costs little
    remedies: list[Remedy] = []
    for rule, value, lack in values:
        if value is None:
            remedies.append(Remedy(rule, None, lack=lack))
        else:
            search.progress = part_of(progress, search.confirmed, costs)
            remedies.append(search.confirm(rule, value))
    return replace(statement, remedies=tuple(remedies))


class _RemedySearch:
    """The search for remedies. It judges changed rules with the seed and the number of shoes of the statement's plan.
    Rules under which counters may skip any coup are judged on the number of shoes that the statement's bracket
    played."""

    def __init__(self, statement: Statement, folder: Path | None, fit: int | None, playing: dict[str, Any]) -> None:
        self.statement, self.rules, self.folder = statement, statement.rules, folder
        self.fit, self.playing = fit, playing
        free = self.rules.free
        self.held = free.house != self.rules.house
        self.free = free if self.held else self.rules
        self.judged = cache(self._judged)
        self.progress: WorkProgress | None = None
        self.confirmed = 0

    def value(self, rule: Rule) -> tuple[int | None, Lack]:
        """The value of a rule at which the bound is met for counters who may skip any coup, or None. The second item is
        the reason to give if the value is None."""
        assert self.statement.bound is not None
        of_bets = rule in ("most_bet", "maximum")
        if of_bets and self.statement.bound.per is not Per.HOUR:
            return None, Lack.UNITS
        if self.rules.house.loss_rebate:
            if not of_bets:
                return None, Lack.REBATE
            most = self._in_proportion
            return None if most < self._least_bet else most, Lack.LEAST_BET
        if self.held and self.judged(self.free).met:
            return None, Lack.NO_CHANGE
        return self._largest(rule) if of_bets else self._cut() if rule == "cut" else self._tie_in()

    def confirm(self, rule: Rule, value: int) -> Remedy:
        """The remedy with this value, if a statement on the changed rules meets the bound."""
        judged = self.judged(self.rules, rule, value)
        self.confirmed += 1
        if not judged.met:
            return Remedy(rule, None, lack=Lack.NOT_CONFIRMED)
        limit, nearest = judged.figure(judged.judged).upper.limit, not (self.held or self.rules.house.loss_rebate)
        return Remedy(rule, value, float(limit), nearest=nearest)

    def _judged(self, rules: HouseRules, rule: Rule | None = None, value: int = 0) -> Statement:
        """The statement on these rules, with `value` for the `rule` if it is given."""
        shoes, seed = self.statement.plan.shoes, self.statement.plan.seed
        if self.held and rules is self.free:
            shoes = self.statement.judged.dealt  # on more shoes, the bracket would often not confirm the value
        rules = rules if rule is None else rules.changed(rule, value)
        place = None
        if self.folder is not None and rules.seat.hangs_together:
            place = self.folder / "remedies" / f"{rule}-{value}"
        return judge(rules, rules.plan(shoes, seed), place, fit=self.fit, progress=self.progress, **self.playing)

    def _meets(self, rule: Rule) -> Callable[[int], bool]:
        """A function that tests whether a value of the rule meets the bound for counters who may skip any coup."""
        return lambda value: self.judged(self.free, rule, value).verdict is Verdict.MET

    @property
    def _least_bet(self) -> int:
        limits = self.rules.limits
        return max(1, ceil(limits.least_bet if self.rules.side_bets else limits.minimum))

    @property
    def _in_proportion(self) -> int:
        """The largest bet, in whole money, at which the limit is not above the bound. Gains are taken to be in
        proportion to the bet. It is 0 if the limit is not known."""
        statement = self.statement
        assert statement.bound is not None
        assert self.rules.stake is not None
        limit = float(statement.figure(statement.judged).upper.limit)
        return floor(float(self.rules.stake) * statement.bound.amount / limit) if isfinite(limit) else 0

    def _largest(self, rule: Rule) -> tuple[int | None, Lack]:
        assert self.rules.stake is not None
        in_force, least = ceil(self.rules.stake), self._least_bet
        if in_force <= least or not self._meets(rule)(least):
            return None, Lack.LEAST_BET
        about = self._in_proportion
        return _nearest(self._meets(rule), least, in_force, (about, about + 1, about - 1)), Lack.LEAST_BET

    def _cut(self) -> tuple[int | None, Lack]:
        dealing = self.rules.dealing
        half = DECK * dealing.decks // 2
        if half <= dealing.cut or not self._meets("cut")(half):
            return None, Lack.HALF_OF_SHOE
        return _nearest(self._meets("cut"), half, dealing.cut), Lack.HALF_OF_SHOE

    def _tie_in(self) -> tuple[int | None, Lack]:
        return next(filter(self._meets("tie_in"), self._requirements), None), Lack.MOST_TIED

    @property
    def _requirements(self) -> Iterator[int]:
        """Requirements above the one in force. The table's maximum still allows a side bet with each of them."""
        for units in range(floor(self.rules.house.units_needed) + 1, MOST_TIED + 1):
            stake = self.rules.changed("tie_in", units).stake
            if stake is None or stake >= self.rules.limits.least_bet:
                yield units


def _nearest(meets: Callable[[int], bool], inside: int, outside: int, tries: tuple[int, ...] = ()) -> int:
    """The last value that meets the bound, on the way from `inside`, which meets it, to `outside`, which does not.
    `tries` are likely values, which are judged first."""
    likely = list(tries)
    while abs(outside - inside) > 1:
        value = likely.pop(0) if likely else (inside + outside) // 2
        if min(inside, outside) < value < max(inside, outside):
            inside, outside = (value, outside) if meets(value) else (inside, value)
    return inside
