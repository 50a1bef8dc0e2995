"""Read numbers exactly, as people write them: `100,000`, `1e5`, `100k`, `2.5M`, `1/3`, `75%`, `$25`, `1.5 decks`.

This module reads numbers in options, and in texts of TOML files. It also writes sizes, times and numbers of things in
words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import ceil

from counting.cards import DECK
from counting.errors import InputError

MOST_MONEY = 10**9
MOST_DIGITS = 19  # the most digits of a whole number
_MOST_PARTS = 10**6  # the largest denominator
_LONGEST = 40  # the most characters of a number
_SCALE = {"": Fraction(1), "k": Fraction(1000), "m": Fraction(10**6), "%": Fraction(1, 100)}
_WRITTEN = re.compile(
    r"(?P<whole>[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+)?(?:\.(?P<decimals>[0-9]+))?(?:e(?P<power>[+-]?[0-9]{1,2}))?"
    r"\s*(?P<scale>[km%]?)",
    re.IGNORECASE | re.ASCII,
)
_RATIO = re.compile(r"([0-9]+)\s*/\s*([0-9]+)", re.ASCII)
_PLAIN = re.compile(r"[0-9]{1,9}(\.[0-9]{1,6}|/[1-9][0-9]{0,5})?", re.ASCII)
_WITH_CURRENCY = re.compile(  # $25, HK$ 25, HKD 25, 25 EUR; but M alone means million
    r"((?P<sign>[A-Z]{0,3}[$€£]|[A-Z]{3})\s*)?(?P<amount>.*?)(?(sign)|(\s*(([A-Z]{2,3})?[$€£]|[A-Z]{3}))?)", re.DOTALL
)
_GROUPED = re.compile(  # marks other than a comma between thousands, or groups of two digits
    r"([0-9]{1,3}(?:[ '’_\u00a0\u202f][0-9]{3})+|[0-9]{1,3}(?:\.[0-9]{3}){2,}|[0-9]{1,3}(?:\.[0-9]{3})+(?=,)"
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3})([.,][0-9]+)?",
    re.ASCII,
)
_CARDS = re.compile(r"\s*cards?$", re.IGNORECASE)
_DECKS = re.compile(r"(.+?)\s*(?:d|decks?)", re.IGNORECASE)
_ADJECTIVES = ("wrong", "other", "independent", "unknown")  # the words before the noun in `many`


def exact(text: str, percent: bool = False) -> Fraction | None:
    """The number in a text, 0 or more. None for any other text, and for a text of more than 40 characters. `percent`:
    read 75% as three quarters; without it, 75% is no number."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    if ratio := _RATIO.fullmatch(text):
        return Fraction(int(ratio[1]), int(ratio[2])) if int(ratio[2]) else None
    match = _WRITTEN.fullmatch(text)
    if match is None or (match["whole"] is None and match["decimals"] is None):
        return None
    scale, decimals = match["scale"].lower(), match["decimals"] or ""
    if scale == "%" and not percent:
        return None
    digits = int((match["whole"] or "0").replace(",", "") + decimals)
    return digits * Fraction(10) ** (int(match["power"] or 0) - len(decimals)) * _SCALE[scale]


def hint(text: str, percent: bool = False) -> str:
    """A hint for a text with a decimal comma, or with marks other than commas between thousands. The text may have a
    currency. A percentage gets a hint if `percent` is false. For any other text the hint is empty."""
    text = without_currency(text).strip()
    if re.fullmatch(r"[0-9]+,[0-9]+\s*%?", text):
        read = "" if exact(text, percent=True) is None else f"; {text} is read as {text.replace(',', '')}"
        return f"{read}; a decimal has a point: {text.replace(',', '.')}"
    if len(text) <= _LONGEST and (grouped := _GROUPED.fullmatch(text)):
        whole, decimals = f"{int(re.sub('[^0-9]', '', grouped[1])):,}", grouped[2] or ""
        point = ", a decimal has a point" * bool(decimals)
        return f"; thousands have a comma{point}: {whole}{decimals.replace(',', '.')}"
    if not percent and text.endswith("%") and exact(text, percent=True) is not None:
        return "; no percentage is allowed here"
    return ""


def number(text: object, name: str, most: int, what: str = "number") -> Fraction:
    """A number from 0 to `most`, read exactly: 0.1 is a tenth, 1/3 is a third, and 2.5k is 2,500. Raises `InputError`
    otherwise, and for a denominator above a million."""
    return _limited(exact(str(text)), text, name, most, what, "as 1, 0.5 or 1/3")


def share(text: object, name: str, most: int = 1, what: str = "number") -> Fraction:
    """A share from 0 to `most`, written as a number or in percent: 5% is a twentieth."""
    return _limited(exact(str(text), percent=True), text, name, most, what, "as 0.05, 5% or 1/20", percent=True)


def money(text: object, name: str, most: int = MOST_MONEY) -> Fraction:
    """An amount of money, written as a number, with or without a currency sign."""
    return _limited(exact(without_currency(str(text))), text, name, most, "number", "as 1, 0.5 or 1/3")


def positive(
    text: str, name: str, most: int = MOST_MONEY, read: Callable[[object, str, int], Fraction] = money
) -> Fraction:
    """A number above 0 and at most `most`. The function `read` reads the text; by default it is `money`."""
    amount = read(text, name, most)
    if not amount:
        raise InputError(f"{name}: {text}, should be more than 0")
    return amount


def _limited(
    value: Fraction | None, text: object, name: str, most: int, what: str, examples: str, percent: bool = False
) -> Fraction:
    if value is not None and value <= most and value.denominator <= _MOST_PARTS:
        return value
    fewer = " with fewer digits" if value is not None and value <= most else ""
    raise InputError(f"{name}: {text}", f"a {what} from 0 to {most:,}{fewer}, {examples}{hint(str(text), percent)}")


def without_currency(text: str) -> str:
    """A text without its currency, such as $, HK$ or EUR, which may be before or after the amount."""
    match = _WITH_CURRENCY.fullmatch(text.strip())
    return match["amount"] if match else text


def per_hour(coups: float, name: str) -> float:
    """Check that the coups per hour are above 0 and at most `MOST_MONEY`, and return them. Raises `InputError`
    otherwise."""
    if not 0 < coups <= MOST_MONEY:
        raise InputError(f"{name} {coups:g}: should be more than 0, at most {MOST_MONEY:,}")
    return coups


def whole_number(text: str) -> int:
    """A whole number with at most 19 digits; it may be negative. Raises `ValueError` for any other text: 14.5 cards are
    a mistake, not 14 cards."""
    sign, unsigned = (-1, text[1:]) if text[:1] == "-" else (1, text.removeprefix("+"))
    value = exact(unsigned)
    if value is None or value.denominator != 1 or value >= 10**MOST_DIGITS:
        raise ValueError(f"{text!r} should be a whole number, of at most {MOST_DIGITS} digits{hint(text)}")
    return sign * value.numerator


def number_of_cards(text: str) -> int:
    """A number of cards, written in cards, as 20 or "20 cards", or in decks, as 1.5d or "1.5 decks"."""
    match = _DECKS.fullmatch(text.strip())
    if match is None:
        try:
            return whole_number(_CARDS.sub("", text.strip()))
        except ValueError:
            raise ValueError(f"{text!r} should be a number of cards, as 20, or of decks, as 1.5d{hint(text)}") from None
    decks = exact(match[1])
    if decks is None or decks >= 10**MOST_DIGITS or (DECK * decks).denominator != 1:
        is_no = "" if decks is None else f": at {DECK} cards a deck, this is {float(DECK * decks):g} cards"
        raise ValueError(f"{text!r} should be a whole number of cards, or decks as 1.5d{is_no}{hint(match[1])}")
    return int(DECK * decks)


def plain(value: Fraction) -> str:
    """A number, 0 or more, as plain text: `2500`, `0.05`, or `1/3` if it needs more than 19 decimals."""
    decimals = next((n for n in range(20) if (value * 10**n).denominator == 1), None)
    if decimals is None:
        return str(value)
    digits = str(int(value * 10**decimals)).rjust(decimals + 1, "0")
    return f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits


def stated(value: float | Fraction) -> str:
    """A number that a user stated, such as an amount or the coups per hour, as a text of up to ten digits: `12345678`,
    not 1.23457e+07. The number is from 0.0001 to `MOST_MONEY`."""
    return f"{float(value):.10g}"


def as_plain(text: str, value: Fraction) -> str:
    """`value` as plain text. If `text` is plain already, it is returned unchanged, so that digests of files stay the
    same."""
    return text if _PLAIN.fullmatch(text) else plain(value)


def in_bytes(number: int) -> str:
    """A number of bytes in words, as 12 MB, to three digits."""
    for unit, size in (("kB", 10**3), ("MB", 10**6), ("GB", 10**9)):
        if number < 999.5 * size:
            return f"{number / size:.3g} {unit}"
    return f"{float(f'{number / 10**12:.3g}'):,.10g} TB"


def duration(seconds: float) -> str:
    """A time in words, as 40 s, 3 min or 1 h 20 min. Below ten seconds it is rounded up. Longer times are rounded to a
    step that grows with the time, from five seconds to five minutes."""
    if seconds < 10:
        return f"{ceil(seconds)} s"
    if seconds < 57.5:
        return f"{5 * round(seconds / 5)} s"
    if seconds < 570:
        minutes, rest = divmod(10 * round(seconds / 10), 60)
        return f"{minutes} min" + f" {rest} s" * (rest > 0)
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, rest = divmod(5 * round(seconds / 300), 60)
    return f"{hours} h" + f" {rest} min" * (rest > 0)


def many(number: int, what: str) -> str:
    """A number of things, as 1 coup, 2 coups, 3 errors of dealing."""
    first, _, rest = what.partition(" ")
    plural = f"{what}s" if first in _ADJECTIVES else f"{first}s{' ' * bool(rest)}{rest}"
    return f"{number:,} {what if number == 1 else plural}"
