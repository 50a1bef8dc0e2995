"""The only error that a user can cause. Its message names what is wrong, where, and what is allowed."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from numbers import Real
from pathlib import Path
from typing import Any, TypeVar, cast

from counting.synonyms import meant

MOST_MISTAKES = 100  # reported at once
_LONG = 256  # a number of this length in bits, or longer, is not written out


class InputError(ValueError):
    """Bad input. Each line of the message stands alone and names the place, the value and what is allowed.

    >>> from counting import Shoe
    >>> Shoe.decks(28)
    Traceback (most recent call last):
    counting.errors.InputError: decks: 28, should be a whole number from 1 to 27

    `allowed`: what is allowed, in words that follow "should be" in the message.
    """

    def __init__(self, message: str = "", allowed: str = "") -> None:
        super().__init__(f"{message}, should be {allowed}" if allowed else message)
        self.allowed = allowed


class Mistakes(list[str]):
    """A list of mistakes, reported all at once."""

    @contextmanager
    def gathered(self) -> Iterator[None]:
        """Gather the mistakes of an `InputError` raised in this block, and go on after the block."""
        try:
            yield
        except InputError as error:
            self.extend(str(error).split("\n"))

    def report(self) -> None:
        """Raise `InputError` with the mistakes, if there are any, one per line. Only the first `MOST_MISTAKES` are
        listed."""
        lines = list(dict.fromkeys(self))
        if len(lines) > MOST_MISTAKES:
            lines[MOST_MISTAKES:] = [f"and {len(lines) - MOST_MISTAKES:,} more mistakes"]
        if lines:
            raise InputError("\n".join(lines))


def printable(text: str) -> str:
    """A text on one line: characters that do not print, as line breaks and terminal codes, are written as escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def refuse_other_encoding(name: str) -> None:
    """Refuse a file's name that is not UTF-8: no result could record it."""
    if name.encode(errors="replace").decode() != name:
        raise InputError(f"{name!a}: should be a name in UTF-8")


def nearest(word: str, allowed: Iterable[str]) -> str:
    """`"; did you mean 'x'?"` if an allowed name means the same or is near in spelling, otherwise empty."""
    allowed = list(allowed)
    near = meant(word, allowed) or closest(word, allowed)
    return "" if near is None else f"; did you mean '{near}'?"


def closest(word: str, allowed: Iterable[str]) -> str | None:
    """The allowed spelling nearest to a word, if one is near."""
    return next(iter(get_close_matches(word, list(allowed), n=1, cutoff=0.6)), None)


def written(number: int) -> str:
    """A whole number in digits; a very long number as "a longer number"."""
    return str(number) if number.bit_length() < _LONG else "a longer number"


def whole(value: object, name: str, low: int, high: int) -> int:
    """A whole number in a range, or an `InputError` that names it.

    The result is always a Python int. Callers keep the returned number, because a numpy number could overflow in later
    arithmetic.
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
    """A number in a range, whole or not, or an `InputError` that names it."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not low <= cast("float", value) <= high:
        raise InputError(f"{name}: {value!r}", f"a number from {low:,} to {high:,}")
    return float(cast("float", value))


def several(values: object, name: str) -> tuple[Any, ...]:
    """The values given for an argument, as a tuple. They may be given as a list, or as a single text, path or object
    with a name. Raises `InputError` for anything else."""
    if isinstance(values, str) or hasattr(values, "name"):
        return (values,)
    if not isinstance(values, Iterable) or isinstance(values, bytes):
        raise InputError(f"{name}: {values!r}", "a list")
    return tuple(values)


def text(value: object, name: str, example: str) -> str:
    """A text, or an `InputError` with an example."""
    if not isinstance(value, str):
        raise InputError(f"{name}: {value!r}", f"a text, as {example}")
    return value


def texts(values: object, name: str) -> tuple[str, ...]:
    """The texts given for an argument, as for `several`. Raises `InputError` if a value is not a text."""
    given = several(values, name)
    for value in given:
        if not isinstance(value, str):
            raise InputError(f"{name}: {value!r}", "a text")
    return given


_Kind = TypeVar("_Kind")


def instance(value: object, kind: type[_Kind], name: str, made: str) -> _Kind:
    """The value, if it is of this kind; otherwise an `InputError` that shows a call that makes one."""
    if not isinstance(value, kind):
        raise InputError(f"{name}: {value!r}", f"a {kind.__name__}, as {made} makes")
    return value


def path(value: object, name: str) -> Path:
    """A file's or a folder's path."""
    if writer := frame_writer(value):
        raise InputError(f"{name}: a {type(value).__name__}", f"a file: frame.{writer}('{name}.csv')")
    if not isinstance(value, str | os.PathLike):
        raise InputError(f"{name}: {value!r}", "a path")
    return Path(value)


def frame_writer(value: object) -> str:
    """The name of the method that writes a polars or pandas frame as CSV; empty for other values."""
    writers = ("write_csv", "to_csv") if hasattr(value, "columns") else ()
    return next((writer for writer in writers if hasattr(value, writer)), "")


_options: ContextVar[bool] = ContextVar("options", default=False)


@contextmanager
def on_the_command_line() -> Iterator[None]:
    """Errors in this block name options: `--most-bet` for the argument `most_bet`."""
    before = _options.set(True)
    try:
        yield
    finally:
        _options.reset(before)


def keyword(name: str) -> str:
    """An argument as its user writes it: `most_bet` in Python, `--most-bet` on the command line."""
    return f"--{name.replace('_', '-')}" if _options.get() else name


def whole_field(record: object, field: str, name: str, low: int, high: int) -> None:
    """Check a field of a dataclass, frozen or not, as `whole` does, and keep the number there."""
    object.__setattr__(record, field, whole(getattr(record, field), name, low, high))
