"""What a patron stakes on each coup, and the exact distribution of a coup's pay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from typing import Literal, get_args

import numpy as np

from counting.cards import MOST_DECKS, Shoe
from counting.errors import InputError, instance, keyword, positive_real, real, several, whole_field
from counting.exact import JointPays, break_even_rebate, joint_pays
from counting.games import Game, is_written
from counting.numbers import MOST_MONEY, plain, positive, share

Rounding = Literal["up", "nearest", "down"]
MOST_AMOUNTS = 1000
"""The most amounts of a spread."""


@dataclass(frozen=True)
class Stake:
    """An amount that is staked on a bet on every coup. With a `share`, it is staked only on this share of coups, which
    are drawn at random.

    Raises `InputError` unless the amount is above 0, and the share above 0 and at most 1."""

    bet: str
    amount: Fraction
    share: Fraction | None = None

    def __post_init__(self) -> None:
        positive_real(self.amount, f"{keyword('bet')} {self.bet}: amount")
        if self.share is not None:
            positive_real(self.share, f"{keyword('bet')} {self.bet}: share", 1)

    @classmethod
    def written(cls, text: str, name: str) -> list[Stake]:
        """Read `BET:AMOUNT`, `BET:AMOUNT@25%` with a share, or a spread `BET:1000-5000/500`. This spread has the
        amounts 1,000, 1,500 and so on up to 5,000, each equally often. Raises `InputError` for other texts.

        A bet that is written out, as `Bet.written` reads it, comes before its amount."""
        bet, mark, rest = text.strip().rpartition(":") if is_written(text) else text.strip().partition(":")
        amounts, _, of_coups = rest.partition("@")
        if not mark or not bet or not amounts or is_written(text) != is_written(bet):
            raise InputError(f"{name}: {text}, should be a bet and an amount, as banker-5:30000 or player:500@25%")
        part = positive(of_coups, f"{name} {bet}", 1, share) if of_coups else None
        low, spread, rest = amounts.partition("-")
        if not spread:
            return [cls(bet, positive(low, f"{name} {bet}"), part)]
        high, _, step = rest.partition("/")
        if not step:
            raise InputError(f"{name}: {text}, should be a spread with its step, as {bet}:1000-5000/500")
        first, last, by = (positive(each, f"{name} {bet}") for each in (low, high, step))
        number = (last - first) / by + 1
        if number.denominator != 1 or not 2 <= number <= MOST_AMOUNTS:
            raise InputError(f"{name}: {text}, should be a spread of 2 to {MOST_AMOUNTS:,} amounts in equal steps")
        each = (part or Fraction(1)) / number
        return [cls(bet, first + i * by, each) for i in range(int(number))]

    def __str__(self) -> str:
        return f"{self.bet}:{plain(self.amount)}" + (f"@{plain(self.share)}" if self.share is not None else "")


@dataclass(frozen=True)
class CoupPay:
    """The exact distribution of a coup's pay in money.

    - `chances`: the chance of each pay
    - `staked` and `lost`: the mean of the money staked, and of the chips lost"""

    chances: Mapping[Fraction, Fraction]
    staked: Fraction
    lost: Fraction

    @property
    def mean(self) -> Fraction:
        return sum((pay * chance for pay, chance in self.chances.items()), Fraction())

    @property
    def variance(self) -> Fraction:
        return sum((pay * pay * chance for pay, chance in self.chances.items()), Fraction()) - self.mean**2

    @property
    def break_even(self) -> Fraction:
        """The rate up to which a rebate on the net loss gives no edge to a patron who does not count (see
        `break_even_rebate`)."""
        return break_even_rebate(self.chances.items())


@dataclass(frozen=True)
class Plays:
    """What a patron stakes on a game. Stakes without a share are made on every coup. At most one stake with a share is
    added on each coup.

    - `dead_chips`: the rate that a rolling-chip programme pays on each chip lost
    - `commission_step`: the commission on a win is rounded to a multiple of this amount; 0 if it is not rounded. The
      commission is the amount by which a win falls short of even money.

    Raises `InputError` without a stake, and for shares that add up to more than 1. Raises it too for decks, a
    programme's rate or a commission's step out of range, for an unknown rounding, and for bets whose pay table lines
    together depend on too much of the hands."""

    game: Game
    stakes: tuple[Stake, ...]
    decks: int
    dead_chips: Fraction = Fraction()
    commission_step: Fraction = Fraction()
    commission_rounded: Rounding = "up"

    def __post_init__(self) -> None:
        instance(self.game, Game, "game", "load_game('punto-banco')")
        object.__setattr__(self, "stakes", several(self.stakes, keyword("bet")))
        for stake in self.stakes:
            instance(stake, Stake, keyword("bet"), "Stake('player', Fraction(100))")
        whole_field(self, "decks", "decks", 1, MOST_DECKS)
        real(self.dead_chips, keyword("dead_chips"), 0, 1)
        real(self.commission_step, keyword("commission_step"), 0, MOST_MONEY)
        if self.commission_rounded not in get_args(Rounding):
            raise InputError(f"{keyword('commission_rounded')}: {self.commission_rounded!r}", "up, nearest or down")
        if not self.stakes:
            raise InputError("bet: should be one bet with its amount or several, as banker-5:30000")
        together = sum((stake.share for stake in self.stakes if stake.share is not None), Fraction())
        if together > 1:
            raise InputError(f"bet: shares of {float(together):.4g} together, should be at most 1")
        _ = self.joint

    @property
    def bets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(stake.bet for stake in self.stakes))

    @property
    def flat(self) -> bool:
        """Whether the same stakes are made on every coup."""
        return all(stake.share is None for stake in self.stakes)

    @cached_property
    def joint(self) -> JointPays:
        return joint_pays(self.game.also(self.bets), self.bets)

    @cached_property
    def chances(self) -> tuple[Fraction, ...]:
        """The chances of the classes of outcomes, on the full shoe."""
        counts = self.joint.counts(full_shoe(self.joint, self.decks))[0].tolist()
        return tuple(Fraction(count, sum(counts)) for count in counts)

    @cached_property
    def coup(self) -> CoupPay:
        """The pay of a coup on the full shoe. Stakes that are made together are weighted by their share of coups."""
        return self._coup(self._plays)

    def alone(self, stake: Stake) -> CoupPay:
        """The pay of a coup if only this stake is made, on every coup."""
        return self._coup([(Fraction(1), [stake])])

    @cached_property
    def by_class(self) -> tuple[float, ...]:
        """The mean pay of each class of outcomes. Stakes that are made together are weighted by their share of
        coups."""
        paid = [[part * pay for pay in self._paid(play)] for part, play in self._plays]
        return tuple(float(sum(of_class)) for of_class in zip(*paid, strict=True))

    @property
    def _plays(self) -> list[tuple[Fraction, list[Stake]]]:
        """The plays. A play is a list of stakes that are made together, with the share of coups on which they are
        made."""
        every = [stake for stake in self.stakes if stake.share is None]
        some = [(stake.share, [*every, stake]) for stake in self.stakes if stake.share is not None]
        rest = 1 - sum((part for part, _ in some), Fraction())
        return [*some, (rest, every)] if rest else some

    def _coup(self, plays: Iterable[tuple[Fraction, Sequence[Stake]]]) -> CoupPay:
        chances: dict[Fraction, Fraction] = {}
        staked = lost = Fraction()
        for part, play in plays:
            staked += part * sum(stake.amount for stake in play)
            for chance, of_class, pay in zip(self.chances, self.joint.pays, self._paid(play), strict=True):
                chances[pay] = chances.get(pay, Fraction()) + part * chance
                lost += part * chance * self._lost(play, of_class)
        return CoupPay({pay: chance for pay, chance in sorted(chances.items()) if chance}, staked, lost)

    def _paid(self, play: Sequence[Stake]) -> list[Fraction]:
        """For each class of outcomes: what the stakes of a play pay together, including what the programme pays."""
        place = {bet: i for i, bet in enumerate(self.bets)}
        return [
            sum((self._won(stake.amount, of_class[place[stake.bet]]) for stake in play), Fraction())
            + self.dead_chips * self._lost(play, of_class)
            for of_class in self.joint.pays
        ]

    def _lost(self, play: Sequence[Stake], of_class: Sequence[Fraction]) -> Fraction:
        """The chips that a play loses on a class of outcomes, which pays `of_class`."""
        place = {bet: i for i, bet in enumerate(self.bets)}
        return sum((stake.amount * max(-of_class[place[stake.bet]], Fraction()) for stake in play), Fraction())

    def _won(self, amount: Fraction, pay: Fraction) -> Fraction:
        if not (self.commission_step and 0 < pay < 1):
            return amount * pay
        steps = amount * (1 - pay) / self.commission_step
        whole = {"up": ceil(steps), "down": floor(steps), "nearest": floor(steps + Fraction(1, 2))}
        return amount - min(whole[self.commission_rounded] * self.commission_step, amount)


def full_shoe(joint: JointPays, decks: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """The composition of the full shoe by values, ranks or cards (1, 10, 13 or 52), whichever the bets need."""
    shoe = Shoe.decks(decks)
    return np.array([{"value": shoe.values, "rank": shoe.ranks, "card": shoe.counts}[joint.knows]], np.int32)
