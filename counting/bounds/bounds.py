"""Bounds on what a counter may win, and the verdict on them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from fractions import Fraction

from counting.errors import InputError
from counting.numbers import exact, hint, plain, without_currency

_MOST = 10**9
_PLAIN = re.compile(r"\s*([0-9]{1,9}(?:\.[0-9]{1,9})?)\s*/\s*(shoe|100-coups|hour)\s*", re.ASCII)
_WRITTEN = re.compile(
    r"(?P<amount>.+?)\s*(?:/|\bper\b)\s*(?:(?P<shoe>shoe)|100[ -]?(?:coups|hands)|(?P<hour>hour|hr|h))", re.IGNORECASE
)


class Per(StrEnum):
    """How a gain is expressed: in units per shoe, in units per 100 coups, or in money per hour. One unit is the largest
    side bet or, without side bets, the largest main bet."""

    SHOE = "shoe"
    COUPS = "100-coups"
    HOUR = "hour"

    @property
    def unit(self) -> str:
        """The unit, as written in names of columns."""
        return {Per.SHOE: "units_per_shoe", Per.COUPS: "units_per_100_coups", Per.HOUR: "money_per_hour"}[self]

    @property
    def words(self) -> str:
        """The unit in words, as written after an amount."""
        return {Per.SHOE: "units per shoe", Per.COUPS: "units per 100 coups", Per.HOUR: "per hour"}[self]


@dataclass(frozen=True)
class Bound:
    """The most that a counter may win: in units per shoe, in units per 100 coups, or in money per hour.

    `written` is the bound as plain text, such as 25/hour. `parse` keeps a text in this form as it is, and rewrites any
    other spelling into this form. Digests of house rules depend on `written`.

    >>> from counting import Bound
    >>> Bound.parse("$25 / hour")
    Bound(amount=25.0, per=<Per.HOUR: 'hour'>)
    """

    amount: float
    per: Per
    written: str = field(default="", compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Bound:
        """Read `0.05/shoe`, `0.1/100-coups`, `25/hour`, or another spelling, such as `$25 per hour` or `0.1/100 hands`.

        Raises `InputError` for a text of another form, for a currency sign on an amount that is not per hour, for an
        amount of 10^9 or more, and for more than nine decimal places."""
        amount, per = _parts(text)
        return cls(float(amount), per, text if _PLAIN.fullmatch(text) else f"{plain(amount)}/{per}")

    def __str__(self) -> str:
        return f"{self.words}/{self.per}"

    @property
    def words(self) -> str:
        """The amount as a plain decimal: 0.0000001, and not 1e-07."""
        return plain(Fraction(repr(self.amount)))


def _parts(text: str) -> tuple[Fraction, Per]:
    allowed = "an amount per shoe, per 100 coups or, in money, per hour: 0.05/shoe, 0.1/100-coups, 25/hour"
    match = _WRITTEN.fullmatch(str(text).strip())
    amount = exact(without_currency(match["amount"])) if match and "/" not in match["amount"] else None
    if match is None or amount is None or amount >= _MOST or (amount * 10**9).denominator != 1:
        raise InputError(f"bound: {text!r}", allowed + (hint(match["amount"]) if match else ""))
    per = Per.HOUR if match["hour"] else Per.SHOE if match["shoe"] else Per.COUPS
    if per != Per.HOUR and without_currency(match["amount"]) != match["amount"].strip():
        raise InputError(f"bound: {text!r}", f"{allowed}; per {per.replace('-', ' ')} is in units, not in money")
    return amount, per


class Verdict(Enum):
    """Whether a bound on what counters win is met for all counters, not met for some counter, or undecided.

    >>> from counting.bounds import Verdict
    >>> [verdict.value for verdict in Verdict]
    ['MET', 'NOT MET', 'UNDECIDED']
    """

    MET = "MET"
    NOT_MET = "NOT MET"
    UNDECIDED = "UNDECIDED"

    @classmethod
    def of(cls, bound: float, lower: float, upper: float) -> Verdict:
        """The verdict on a bound, from a lower and an upper limit. Each limit holds with 99% confidence.

        Some counter wins more than `lower`, and no counter wins more than `upper`. If no counter wins anything, every
        bound is met."""
        if upper < bound or upper <= 0:
            return cls.MET
        return cls.NOT_MET if lower > bound else cls.UNDECIDED
