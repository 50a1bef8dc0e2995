"""A discount on losses: its rates, and how much of a net loss it pays back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, get_args

import numpy as np

from counting.arrays import Floats
from counting.errors import InputError, instance, keyword, positive_real, real, several
from counting.numbers import MOST_MONEY, money, positive, share

Settled = Literal["trip", "day", "shoe"]


@dataclass(frozen=True)
class Tier:
    """A rate, and the net loss in money from which it is paid.

    Raises `InputError` unless the rate is above 0 and at most 1, and the loss from 0 to `MOST_MONEY`."""

    rate: Fraction
    loss: Fraction = Fraction()

    def __post_init__(self) -> None:
        positive_real(self.rate, f"{keyword('discount')}: rate", 1)
        real(self.loss, f"{keyword('discount')}: loss", 0, MOST_MONEY)

    @classmethod
    def written(cls, text: str, name: str) -> Tier:
        """Read `10%`, or `15%:300000` with the loss at which the rate begins. Raises `InputError` for other texts."""
        rate, mark, loss = text.strip().partition(":")
        return cls(positive(rate, name, 1, share), money(loss, name) if mark else Fraction())


@dataclass(frozen=True)
class Discount:
    """A discount on the net loss of a trip, a day or a shoe.

    Each tier's rate is paid on the part of the loss between the beginning of this tier and the beginning of the next.
    With `whole`, the rate of the highest tier that the loss reaches is paid on the whole loss. Raises `InputError`
    without a tier, for two tiers that begin at the same loss, and for an unknown value of `settled`."""

    tiers: tuple[Tier, ...]
    whole: bool = False
    settled: Settled = "trip"

    def __post_init__(self) -> None:
        tiers = several(self.tiers, keyword("discount"))
        for tier in tiers:
            instance(tier, Tier, keyword("discount"), "Tier(Fraction(1, 10))")
        if not tiers:
            raise InputError(f"{keyword('discount')}: none, should be one rate or several, as 10%")
        if self.settled not in get_args(Settled):
            raise InputError(f"settled: {self.settled!r}", "trip, day or shoe")
        object.__setattr__(self, "tiers", tuple(sorted(tiers, key=lambda tier: tier.loss)))
        if len({tier.loss for tier in self.tiers}) < len(self.tiers):
            raise InputError("discount: two rates begin at one loss, should be one for each")

    @property
    def convex(self) -> bool:
        """Whether what is paid back is convex in the loss: the marginal rate never falls, and the amount never jumps.
        If so, flat stakes at the maximum are best for a patron."""
        rates = [tier.rate for tier in self.tiers]
        return rates == sorted(rates) and not (self.whole and (len(rates) > 1 or self.tiers[0].loss))

    @property
    def most(self) -> Fraction:
        """The highest rate."""
        return max(tier.rate for tier in self.tiers)

    @property
    def deepest(self) -> Fraction:
        """The loss at which the last tier begins."""
        return self.tiers[-1].loss

    def paid(self, net: Floats) -> Floats:
        """What is paid back on each of these net results."""
        loss = np.maximum(-net, 0.0)
        back = np.zeros_like(loss)
        before = 0.0
        for tier in self.tiers:
            rate, begins = float(tier.rate), float(tier.loss)
            if self.whole:
                back = np.where((loss >= begins) & (loss > 0), rate * loss, back)
            else:
                back += (rate - before) * np.maximum(loss - begins, 0.0)
                before = rate
        return back

    def kept(self, net: Floats) -> Floats:
        """Each of these net results plus the money paid back on it."""
        return net + self.paid(net)

    def __str__(self) -> str:
        tiers = (f"{100 * float(t.rate):.10g}%{f' from {float(t.loss):,.10g}' * bool(t.loss)}" for t in self.tiers)
        *most, last = tiers
        return f"{', '.join(most)} and {last}" if most else last


def tiers_of(texts: Sequence[str], name: str) -> tuple[Tier, ...]:
    """The tiers that these texts describe."""
    return tuple(Tier.written(text, name) for text in texts)
