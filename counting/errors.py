"""`InputError`, the error for bad input, and functions that check values and raise it."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from fractions import Fraction
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar, cast

from counting.synonyms import meant

MOST_MISTAKES = 100  # the most mistakes that are reported at once
_MOST_FLOAT = sys.float_info.max
_LONG = 256  # numbers with this many bits or more are not written out


class InputError(ValueError):
    """Bad input. The message has a line for each mistake, which names the place and, as a rule, the value and what is
    allowed.

    >>> from counting import Shoe
    >>> Shoe.decks(28)
    Traceback (most recent call last):
    counting.errors.InputError: decks: 28, should be a whole number from 1 to 27

    `allowed`: what is allowed; it is added to the message after "should be".
    """

    def __init__(self, message: str = "", allowed: str = "") -> None:
        super().__init__(f"{message}, should be {allowed}" if allowed else message)
        self.allowed = allowed


class Mistakes(list[str]):
    """A list of mistakes, which are reported together."""

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """A context manager. If its block raises an `InputError`, the mistakes in that error are added to the list, and
        work continues after the block."""
        try:
            yield
        except InputError as error:
            self.extend(str(error).split("\n"))

    def report(self) -> None:
        """If there are mistakes, raise `InputError` with a line for each. Equal mistakes get one line. If there are
        more than `MOST_MISTAKES` lines, a last line gives the number of the others."""
        lines = list(dict.fromkeys(self))
        if len(lines) > MOST_MISTAKES:
            lines[MOST_MISTAKES:] = [beyond_most(len(lines))]
        if lines:
            raise InputError("\n".join(lines))


def beyond_most(mistakes: int) -> str:
    """The line printed in place of the mistakes after the first `MOST_MISTAKES`. `mistakes`: how many mistakes there
    are altogether."""
    more = mistakes - MOST_MISTAKES
    return f"and {more:,} more mistake{'s' * (more != 1)}"


def printable(text: str) -> str:
    """A text on one line. Characters that cannot be printed, such as line breaks and terminal codes, are written as
    escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def refuse_other_encoding(name: str) -> None:
    """Raise `InputError` for a file's name that is not UTF-8, because results could not record the name."""
    if name.encode(errors="replace").decode() != name:
        raise InputError(f"{name!a}: should be a name in UTF-8")


def nearest(word: str, allowed: Iterable[str]) -> str:
    """A hint, `"; did you mean 'x'?"`, if an allowed name means the same as the word or is spelled nearly the same;
    otherwise empty."""
    allowed = list(allowed)
    near = meant(word, allowed) or closest(word, allowed)
    return "" if near is None else f"; did you mean '{near}'?"


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed name whose spelling is closest to the word; None if none is close."""
    return next(iter(get_close_matches(word, list(allowed), n=1, cutoff=0.6)), None)


def written(number: int) -> str:
    """A whole number in digits. A very long number becomes the words "a longer number"."""
    return str(number) if number.bit_length() < _LONG else "a longer number"


def whole(value: object, name: str, low: int, high: int) -> int:
    """Check that a value is a whole number from `low` to `high`, and return it as an int. Raises `InputError`
    otherwise.

    Use the returned number in arithmetic, because `value` may be a numpy integer, which could overflow.
    """
    try:
        number: int | None = None if isinstance(value, bool) else operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = None
    if number is None or not low <= number <= high:
        shown = repr(value) if number is None else written(number)
        raise InputError(f"{name}: {shown}", f"a whole number from {low:,} to {high:,}")
    return number


def real(value: object, name: str, low: float, high: float) -> float:
    """Check that a value is a number from `low` to `high`, and return it as a float. Raises `InputError` otherwise."""
    is_number = _is_number(value)
    if not is_number or not low <= cast("float", value) <= high:
        raise InputError(f"{name}: {value if is_number else repr(value)}", f"a number from {low:,} to {high:,}")
    return float(cast("float", value))


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def finite_real(value: object, name: str) -> None:
    """Check that a value is a finite number that a float can hold. Raises `InputError` otherwise."""
    is_number = _is_number(value)
    if not is_number or not abs(cast("float", value)) <= _MOST_FLOAT:
        raise InputError(f"{name}: {_number(value) if is_number else repr(value)}", "a finite number")


def _number(value: object) -> str:
    """A number as a text. A number too large for a float becomes the words "a longer number"."""
    exact = Fraction(value) if isinstance(value, int | Fraction) else Fraction()
    return "a longer number" if abs(exact) > Fraction(_MOST_FLOAT) else str(value)


def positive_real(value: object, name: str, most: float = inf) -> None:
    """Check that a value is a finite number above 0, and at most `most`. Raises `InputError` otherwise."""
    is_number = _is_number(value)
    if not is_number or not 0 < cast("float", value) <= min(most, _MOST_FLOAT):
        upto = f", at most {most:,}" if most < inf else ""
        raise InputError(f"{name}: {_number(value) if is_number else repr(value)}", f"a number above 0{upto}")


def several(values: object, name: str) -> tuple[Any, ...]:
    """The values of an argument, as a tuple. They are given as a list or another iterable, or as a single text, path or
    object with a name. Raises `InputError` for anything else, and for bytes."""
    if isinstance(values, str) or hasattr(values, "name"):
        return (values,)
    if not isinstance(values, Iterable) or isinstance(values, bytes):
        raise InputError(f"{name}: {values!r}", "a list")
    return tuple(values)


def text(value: object, name: str, example: str) -> str:
    """Check that a value is a text, and return it. Otherwise, raise `InputError` with `example` in its message."""
    if not isinstance(value, str):
        raise InputError(f"{name}: {value!r}", f"a text, as {example}")
    return value


def texts(values: object, name: str) -> tuple[str, ...]:
    """The values of an argument, as from `several`. Raises `InputError` if one of them is not a text."""
    given = several(values, name)
    for value in given:
        if not isinstance(value, str):
            raise InputError(f"{name}: {value!r}", "a text")
    return given


def one_text(values: object, name: str) -> str:
    """The only value of an argument: a text, or a list with one text. Raises `InputError` otherwise."""
    given = texts(values, name)
    if len(given) != 1:
        raise InputError(f"{name}: {list(given)}", "one text")
    return given[0]


_Kind = TypeVar("_Kind")


def instance(value: object, kind: type[_Kind], name: str, made: str) -> _Kind:
    """Check that a value is an instance of `kind`, and return it. Otherwise, raise `InputError` with a message that
    names `made`, a call that makes such an object."""
    if not isinstance(value, kind):
        article = "an" if kind.__name__[0] in "AEIOU" else "a"
        raise InputError(f"{name}: {value!r}", f"{article} {kind.__name__}, as {made} makes")
    return value


def path(value: object, name: str) -> Path:
    """Check that a value is a text or a path, and return it as a `Path`. The file need not exist. Raises `InputError`
    otherwise."""
    if writer := frame_writer(value):
        raise InputError(f"{name}: a {type(value).__name__}", f"a file: frame.{writer}('{name}.csv')")
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name}: {value!r}", "a path")
    return Path(value)


def frame_writer(value: object) -> str:
    """If a value is a frame of polars or pandas, the name of its method that writes CSV; otherwise empty."""
    writers = ("write_csv", "to_csv") if hasattr(value, "columns") else ()
    return next((writer for writer in writers if hasattr(value, writer)), "")


_options: ContextVar[bool] = ContextVar("options", default=False)


@contextmanager
def on_the_command_line() -> Iterator[None]:
    """A context manager. In its block, errors name options: `--most-bet` for the argument `most_bet`."""
    before = _options.set(True)
    try:
        yield
    finally:
        _options.reset(before)


def keyword(name: str) -> str:
    """The name of an argument as the user writes it: `most_bet` in Python, `--most-bet` on the command line."""
    return f"--{name.replace('_', '-')}" if _options.get() else name


def whole_field(record: object, field: str, name: str, low: int, high: int) -> None:
    """Check a field of a dataclass with `whole`, and store the int that it returns in the field, even if the dataclass
    is frozen."""
    object.__setattr__(record, field, whole(getattr(record, field), name, low, high))
