"""Synthetic logs of a table: shoes dealt card by card, and patrons who bet on them in known ways.

The logs serve to measure what a review detects, because it is known which of their patrons count. Cards come from
`dealt_table.deal`. They are numbered 0 to 51 as in `cards.CARDS`; -1 stands for no card. Money is in the table's unit,
to hundredths. The patrons' habits were made up for this project and are not taken from publications. Each class states
its assumptions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from counting.arrays import Bools, Floats
from counting.cards import SUITS, VALUE_OF_RANK
from counting.errors import InputError, Mistakes, several, text, whole, whole_field
from counting.exact import settlement
from counting.games import MOST_UNITS
from counting.review.synthetic.dealt_table import FIRST_PLACE, DealtTable, Facts
from counting.review.winning_streaks import run_before
from counting.systems import System

LEAST_STAKE, MOST_STAKE = 0.01, 10**9
MOST_COVER = 0.99
MOST_COUP = 1000  # more than the coups of any shoe


class Patron(Protocol):
    """A patron who bets at a table by a rule."""

    @property
    def bets(self) -> tuple[str, ...]:
        """The bets, by their names or as `player`, `banker` and `tie`."""

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        """The stakes in money (rows, bets of `known`), 0 for no bet."""


_Range = tuple[str, float, float, float]  # a number's name and value, and the least and the largest value allowed


def _check(*ranges: _Range) -> None:
    mistakes = Mistakes()
    for name, value, low, high in ranges:
        if not (isinstance(value, int | float) and low <= value <= high):
            mistakes.append(f"{name}: {value!r}, should be from {low:,} to {high:,}")
    mistakes.report()


def _stake(value: float, name: str = "stake") -> _Range:
    return name, value, LEAST_STAKE, MOST_STAKE


@dataclass(frozen=True)
class Flat(Patron):
    """Stakes the same amount on one bet, in a share of the coups. The coups are chosen at random."""

    bet: str
    stake: float
    share: float = 1.0

    def __post_init__(self) -> None:
        text(self.bet, "bet", "'tie-9'")
        _check(_stake(self.stake), ("share", self.share, 0, 1))

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        return known.on(self.bet, self.stake * (rng.random(len(table.coup)) < self.share))


@dataclass(frozen=True)
class Visitor(Patron):
    """Stakes the same amount on one bet in every coup of a shoe from the `first` to the `last`, or to the end. Such
    bets may be late in the shoe, as a counter's are, but only the time decides them."""

    bet: str
    stake: float
    first: int = 1
    last: int | None = None

    def __post_init__(self) -> None:
        text(self.bet, "bet", "'tie-9'")
        whole_field(self, "first", "first", 1, MOST_COUP)
        if self.last is not None:
            whole_field(self, "last", "last", self.first, MOST_COUP)
        _check(_stake(self.stake))

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        last = MOST_COUP if self.last is None else self.last
        return known.on(self.bet, self.stake * ((table.coup >= self.first) & (table.coup <= last)))


@dataclass(frozen=True)
class Progressive(Patron):
    """Makes one bet in every coup, and multiplies the stake after a loss, like a martingale. Stakes are rounded to
    hundredths.

    The stake goes back to `stake` after a win, and at the start of each shoe. It also goes back after the loss of a
    stake whose multiple would be above `most`. After a push it stays the same."""

    bet: str
    stake: float
    factor: float
    most: float

    def __post_init__(self) -> None:
        text(self.bet, "bet", "'tie-9'")
        _check(_stake(self.stake), ("factor", self.factor, 1.1, 100), ("most", self.most, self.stake, MOST_STAKE))
        if round(self.stake * self.factor, 2) <= self.stake:
            raise InputError(f"factor: {self.factor!r}, should raise a stake of {self.stake!r} by a hundredth or more")

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    @property
    def steps(self) -> tuple[float, ...]:
        """The stakes after 0, 1, 2 ... losses."""
        steps = [self.stake]
        while (step := round(steps[-1] * self.factor, 2)) <= self.most:
            steps.append(step)
        return tuple(steps)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        paid = known.pays[:, known.place(self.bet)]
        lost = run_before(paid < 0, paid > 0, table.coup == 1)
        return known.on(self.bet, np.array(self.steps)[lost % len(self.steps)])


@dataclass(frozen=True)
class Trend:  # no subclass of Patron, whose property `bets` would hide the field
    """Bets on what just came. The patron makes a main bet if it has won at least `streak` coups of the shoe since its
    last loss. For any other bet, one win is enough. Pushes neither make a streak nor break it."""

    bets: tuple[str, ...]
    stake: float
    streak: int = 2

    def __post_init__(self) -> None:
        if not self.bets:
            raise InputError("bets: none, should be one or more")
        if not isinstance(self.bets, tuple):
            raise InputError(f"bets: {self.bets!r}", "a tuple of names, as ('player', 'banker')")
        whole_field(self, "streak", "streak", 1, MOST_COUP)
        _check(_stake(self.stake))

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        stakes = np.zeros((len(table.coup), len(known.bets)))
        for bet in map(known.game.main_bet, self.bets):
            paid = known.pays[:, known.place(bet)]
            needed = self.streak if bet in known.game.main_bets.values() else 1
            stakes[:, known.place(bet)] = self.stake * (run_before(paid > 0, paid < 0, table.coup == 1) >= needed)
        return stakes


@dataclass(frozen=True)
class Counter(Patron):
    """Bets `stake` on a side bet when the count is at or above `trigger`, by default the system's own trigger.

    Without a system, a perfect counter bets when the exact edge is above the trigger, by default 0. With each side bet,
    the counter stakes `tie_in` times its amount on the main bet `main`.

    On average, the share `cover` of the side bets are cover bets of `cover_stake`, by default `stake`. They are made in
    other coups, which are chosen at random. If these coups are too few for the share, all of them have a cover bet.

    The counter misses a share `missed` of the dealt cards, chosen at random. Missed cards stay unseen in the count. The
    number of cards left is still known."""

    bet: str
    stake: float
    system: System | None = None
    trigger: float | None = None
    cover: float = 0.0
    cover_stake: float | None = None
    main: str | None = None
    tie_in: float = 0.0
    missed: float = 0.0

    def __post_init__(self) -> None:
        text(self.bet, "bet", "'tie-9'")
        mistakes = Mistakes()
        with mistakes.gathered():
            _check(
                _stake(self.stake),
                _stake(self.stake if self.cover_stake is None else self.cover_stake, "cover stake"),
                ("cover", self.cover, 0, MOST_COVER),
                ("tie-in", self.tie_in, 0, MOST_UNITS),
                ("missed", self.missed, 0, 1),
                ("trigger", self.trigger or 0, -MOST_STAKE, MOST_STAKE),
            )
        if self.tie_in and self.main is None:
            mistakes.append("main: none, should be the main bet of the main-bet requirement")
        with mistakes.gathered():
            self._reading  # noqa: B018  # raises for a trigger that the system cannot have
        mistakes.report()

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,) if self.main is None else (self.bet, self.main)

    @cached_property
    def _reading(self) -> System | None:
        """The counter's system, with the counter's trigger as its only trigger."""
        if self.system is None:
            return None
        trigger = self.system.on(self.bet) if self.trigger is None else self.trigger
        return System.from_dict(self.system.to_dict() | {"trigger": trigger, "triggers": [trigger]})

    def wants(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Bools:
        """Whether the count, or the edge, signals a bet in each coup (rows,)."""
        left = table.coups.noticed(self.missed, int(rng.integers(2**63))) if self.missed else table.left
        if self._reading is None:
            bet = known.game.main_bet(self.bet)
            edges = known.edges[:, known.place(bet)]
            if self.missed:
                edges = settlement(known.game, (bet,)).edges(left)[:, 0]
            positive: Bools = edges > (self.trigger or 0)
            return positive
        running = self._reading.running(left, table.dealing.decks)
        return self._reading.reached(running, table.coups.cards_left, table.undealt) > 0

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        chances = rng.random(len(table.coup))
        wants = self.wants(table, known, rng)
        as_cover = self.cover / (1 - self.cover) * wants.sum()  # the number of cover bets
        covers = ~wants & (chances * (~wants).sum() < as_cover)
        stake = self.stake if self.cover_stake is None else self.cover_stake
        side = self.stake * wants + stake * covers
        stakes = known.on(self.bet, side)
        return stakes if self.main is None else stakes + known.on(self.main, self.tie_in * side)


@dataclass(frozen=True, init=False)
class Sorter(Patron):
    """Reads the backs of cards, and makes the bet if they show that the first card of `hand` has one of the values
    `good`. The hand is `player` or `banker`.

    A share `wrong` of the cards is misread: a good card as not good, or another card as good. The card can be seen in a
    share `seen` of the coups, chosen at random. In the other coups the sorter bets at random, with the same
    frequency."""

    bet: str
    stake: float
    hand: str = "player"
    good: tuple[int, ...] = (6, 7, 8, 9)
    wrong: float = 0.0
    seen: float = 1.0

    def __init__(
        self,
        bet: str,
        stake: float,
        hand: str = "player",
        good: Iterable[int] = (6, 7, 8, 9),
        wrong: float = 0.0,
        seen: float = 1.0,
    ) -> None:
        mistakes, values = Mistakes(), several(good, "good")
        text(bet, "bet", "'tie-9'")
        with mistakes.gathered():
            _check(_stake(stake), ("wrong", wrong, 0, 1), ("seen", seen, 0, 1))
        if hand not in tuple(FIRST_PLACE):
            mistakes.append(f"hand: {hand!r}, should be {' or '.join(FIRST_PLACE)}")
        with mistakes.gathered():
            values = tuple(whole(value, "good", 0, 9) for value in values)
        if not values:
            mistakes.append("good: (), should be values from 0 to 9")
        mistakes.report()
        vars(self).update(bet=bet, stake=stake, hand=hand, good=values, wrong=wrong, seen=seen)

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        first = table.cards[:, FIRST_PLACE[self.hand]].astype(np.int64)
        good = np.isin(np.array(VALUE_OF_RANK)[first // len(SUITS)], self.good)
        taken = good ^ (rng.random(len(good)) < self.wrong)
        blind = rng.random(len(good)) >= self.seen
        return known.on(self.bet, self.stake * np.where(blind, rng.random(len(good)) < taken.mean(), taken))
