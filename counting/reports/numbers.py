"""Format numbers for pages, by their unit and standard error. `templates/numbers.js` does the same in JavaScript."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from math import floor, log10

from counting.io.tables import percent

CURRENCY_SIGNS = ("", "$", "€", "£")
LEAST = 0.0001  # smaller numbers are printed as "less than 0.0001"
_MOST_DIGITS = 9
_MOST_BESIDE_A_BOUND = 30  # the most decimals; enough to distinguish any two floats above 1e-9


def figure(value: float, error: float | None) -> str:
    """A number with its standard error, both rounded to two digits of the error: `2.349 ± 0.011`. Without an error, the
    number has four significant digits. If the absolute value plus two errors is below 0.0001, `< 0.0001` is printed, or
    `> -0.0001` for a negative number."""
    if value == 0:
        return "0"
    if error is None or not error > 0:
        return _small(value) or _fixed(value, 3 - floor(log10(abs(value))))
    if abs(value) + 2 * error < LEAST:
        return _small(value)
    digits = 1 - floor(log10(error))
    return f"{_fixed(value, digits)} ± {_fixed(error, digits)}"


def amount(value: float, up: bool | None = None, bound: float | None = None) -> str:
    """A number with two decimals, or with more if its absolute value is below 1; 0 has none. Without `up`, a number
    above 0 and below 0.0001 is `less than 0.0001`. `up`: round a limit up (True) or down (False). The number gets more
    decimals, if necessary, so that rounding does not move it past the `bound`."""
    if value == 0:
        return "0"
    if up is None and 0 < abs(value) < LEAST:
        return f"less than {LEAST}" if value > 0 else _small(value)
    digits = 2 if abs(value) >= 1 else 3 if abs(value) >= 0.1 else 4
    shown = _at(value, digits, up)
    while bound is not None and digits < _MOST_BESIDE_A_BOUND and _crosses(shown, value, bound):
        digits += 1
        shown = _at(value, digits, up) if digits < _MOST_BESIDE_A_BOUND else value
    return f"{shown:,.{digits}f}"


def at_least(value: float, bound: float | None = None, currency: str | None = None) -> str:
    """A lower limit in words, rounded down: `at least 2.34`. A limit below 0.0001 is `more than 0`, unless it is above
    the `bound`. With a `currency`, which may be empty, the limit is money."""
    if value < LEAST and (bound is None or not 0 < bound < value):
        return "more than 0"
    return f"at least {_limit(value, bound, False, currency)}"


def at_most(value: float, bound: float | None = None, currency: str | None = None) -> str:
    """An upper limit, rounded up. With a `currency`, which may be empty, the limit is money."""
    return _limit(value, bound, True, currency)


def _limit(value: float, bound: float | None, up: bool, currency: str | None) -> str:
    return amount(value, up, bound) if currency is None else in_currency(money(value, bound, up), currency)


def in_currency(text: str, currency: str) -> str:
    """A printed amount with its currency: $25, HK$25, 25 EUR, or 25 without a currency."""
    return f"{currency}{text}" if currency[-1:] in CURRENCY_SIGNS else f"{text} {currency}"


def unrounded(value: float) -> str:
    """A number that the user stated, such as a bound or a stake, with all its digits and without an exponent."""
    return f"{Decimal(repr(value)):,f}".removesuffix(".0")


def money(value: float, bound: float | None = None, up: bool | None = None) -> str:
    """An amount of money. From 10 on it is rounded to a whole number, unless it is within 1 of the `bound`. Other
    amounts are printed by `amount`."""
    near = bound is not None and abs(value - bound) < 1
    return amount(value, up, bound) if abs(value) < 10 or near else f"{_at(value, 0, up):,.0f}"


def _at(value: float, digits: int, up: bool | None) -> float:
    """A number rounded to `digits` decimals: up, down or, if `up` is None, to the nearest."""
    return round(value if up is None else _rounded(value, digits, up), digits)


def _crosses(shown: float, value: float, bound: float) -> bool:
    """Whether rounding moves a number past a bound."""
    return (value > bound) != (shown > bound) or (value < bound) != (shown < bound)


def share(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share in percent with its standard error, both rounded to two digits of the error: `18.934 ± 0.021%`. Without
    an error, the share has `digits` decimals."""
    if value is None or not error:
        return percent(value, digits)
    return f"{figure(100 * value, 100 * error)}%"


def number(value: float | None) -> str:
    """A number without a standard error; empty for None."""
    return "" if value is None else figure(value, None)


def in_percent(value: float | None) -> str:
    """A share without a standard error, in percent to four significant digits; empty for None."""
    return "" if value is None else f"{figure(100 * value, None)}%"


def of_shoes(coups: int) -> str:
    """A heading's words for a share of shoes: `% of shoes` if `coups` is 100, otherwise `shoes in 1,000,000`. `coups`:
    the result of `coups_for`."""
    return "% of shoes" if coups == 100 else f"shoes in {coups:,}"


def coups_for(per_coup: Iterable[float]) -> int:
    """The number of coups for which values are printed: 100, or a million if a value per 100 coups would be too small
    to print. Values of 0 do not count."""
    least = min((abs(value) for value in per_coup if value), default=1.0)
    return 100 if 100 * least >= LEAST else 1_000_000


def _fixed(value: float, digits: int) -> str:
    return f"{value:,.{min(max(digits, 0), _MOST_DIGITS)}f}"


def _small(value: float) -> str:
    """The text for a number that is too small to print; empty for other numbers."""
    if not 0 < abs(value) < LEAST:
        return ""
    return f"< {LEAST}" if value > 0 else f"> -{LEAST}"


def _rounded(value: float, digits: int, up: bool) -> float:
    """A value rounded up or down to `digits` decimals. A value such as 0.30000000000000004, whose excess is only a
    float's rounding error, is not moved to the next step."""
    step = 10.0**-digits
    steps, bits = value / step, min(1e-9, 2e-15 * abs(value / step))
    return (-floor(bits - steps) if up else floor(steps + bits)) * step
