"""Numbers as a page prints them: one formatter, by unit and standard error. `explorer.js` does the same in
JavaScript."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from math import floor, log10

from counting.io.tables import percent

CURRENCY_SIGNS = ("", "$", "€", "£")
LEAST = 0.0001  # smaller figures are printed as less than this
_MOST_DIGITS = 9
_MOST_BESIDE_A_BOUND = 30  # the most digits: enough to tell any two floats above 1e-9 apart


def figure(value: float, error: float | None) -> str:
    """A figure with its standard error, to the error's first two digits: `2.349 ± 0.011`. Without a known error, four
    significant digits. A figure that is within two errors of 0 and smaller than 0.0001 is printed as `< 0.0001`."""
    if value == 0:
        return "0"
    if error is None or not error > 0:
        return _small(value) or _fixed(value, 3 - floor(log10(abs(value))))
    if abs(value) + 2 * error < LEAST:
        return _small(value)
    digits = 1 - floor(log10(error))
    return f"{_fixed(value, digits)} ± {_fixed(error, digits)}"


def amount(value: float, up: bool | None = None, bound: float | None = None) -> str:
    """A figure with two decimals, or more below 1. `up`: whether a limit is rounded up or down. The figure has enough
    decimals to stay on its side of the `bound`."""
    if up is None and 0 < abs(value) < LEAST:
        return f"less than {LEAST}" if value > 0 else _small(value)
    digits = 2 if abs(value) >= 1 else 3 if abs(value) >= 0.1 else 4
    shown = _at(value, digits, up)
    while bound is not None and digits < _MOST_BESIDE_A_BOUND and _crosses(shown, value, bound):
        digits += 1
        shown = _at(value, digits, up) if digits < _MOST_BESIDE_A_BOUND else value
    return f"{shown:,.{digits}f}"


def at_least(value: float, bound: float | None = None, currency: str | None = None) -> str:
    """A lower limit above 0 in words, rounded down: `at least 2.34`, or `more than 0` for a limit that is too small to
    print and not above the `bound`. With a `currency`, which may be empty, it is money."""
    if value < LEAST and (bound is None or not 0 < bound < value):
        return "more than 0"
    return f"at least {_limit(value, bound, False, currency)}"


def at_most(value: float, bound: float | None = None, currency: str | None = None) -> str:
    """An upper limit, rounded up. With a `currency`, which may be empty, it is money."""
    return _limit(value, bound, True, currency)


def _limit(value: float, bound: float | None, up: bool, currency: str | None) -> str:
    return amount(value, up, bound) if currency is None else in_currency(money(value, bound, up), currency)


def in_currency(text: str, currency: str) -> str:
    """A printed amount with its currency: $25, HK$25, 25 EUR, or 25 without a currency."""
    return f"{currency}{text}" if currency[-1:] in CURRENCY_SIGNS else f"{text} {currency}"


def unrounded(value: float) -> str:
    """A given number, as a bound or a stake, with all its digits and without an exponent."""
    return f"{Decimal(repr(value)):,f}".removesuffix(".0")


def money(value: float, bound: float | None = None, up: bool | None = None) -> str:
    """Money: whole from 10 on, unless it is within 1 of the `bound`; otherwise like `amount`."""
    near = bound is not None and abs(value - bound) < 1
    return amount(value, up, bound) if abs(value) < 10 or near else f"{_at(value, 0, up):,.0f}"


def _at(value: float, digits: int, up: bool | None) -> float:
    """A figure rounded to these decimals."""
    return round(value if up is None else _rounded(value, digits, up), digits)


def _crosses(shown: float, value: float, bound: float) -> bool:
    """Whether a rounded figure is on another side of a bound than the figure."""
    return (value > bound) != (shown > bound) or (value < bound) != (shown < bound)


def share(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share in percent with its standard error, to the error's first two digits: `18.934 ± 0.021%`."""
    if value is None or not error:
        return percent(value, digits)
    return f"{figure(100 * value, 100 * error)}%"


def number(value: float | None) -> str:
    """A figure without a standard error; empty for None."""
    return "" if value is None else figure(value, None)


def in_percent(value: float | None) -> str:
    """A share without a standard error, in percent to four significant digits; empty for None."""
    return "" if value is None else f"{figure(100 * value, None)}%"


def of_shoes(coups: int) -> str:
    """The unit of a chance that is printed per this number of coups (`coups_for`); per 100 it is in percent."""
    return "% of shoes" if coups == 100 else f"shoes in {coups:,}"


def coups_for(per_coup: Iterable[float]) -> int:
    """The coups per which figures are printed: 100, or a million if a figure other than 0 would be too small to
    print."""
    least = min((abs(value) for value in per_coup if value), default=1.0)
    return 100 if 100 * least >= LEAST else 1_000_000


def _fixed(value: float, digits: int) -> str:
    return f"{value:,.{min(max(digits, 0), _MOST_DIGITS)}f}"


def _small(value: float) -> str:
    """The text for a figure that is too small to print; empty for other figures."""
    if not 0 < abs(value) < LEAST:
        return ""
    return f"< {LEAST}" if value > 0 else f"> -{LEAST}"


def _rounded(value: float, digits: int, up: bool) -> float:
    """A value rounded up or down to these decimals. A value that is on a step, up to the last bits of a float,
    stays."""
    step = 10.0**-digits
    steps, bits = value / step, min(1e-9, 2e-15 * abs(value / step))
    return (-floor(bits - steps) if up else floor(steps + bits)) * step
