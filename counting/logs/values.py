"""Turn the values of files that are not CSV into the texts that a CSV file would have."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal

import polars as pl

from counting.logs.card_words import object_text


def digits(value: float) -> str:
    """The shortest text, without an exponent, that gives the same float when it is read. A whole number has no
    point."""
    number = Decimal(str(value))
    whole = number.is_finite() and number == number.to_integral_value()
    return format(number, ".0f" if whole else "f") if number.is_finite() else str(value)


def as_text(value: object) -> str:
    """The text of a value from JSON, a database or a sheet. The items of a list are separated by commas. A card that is
    an object becomes one word. A missing value becomes an empty text."""
    match value:
        case str():
            return value.strip()
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return digits(value)
        case bytes():
            return value.decode(errors="replace").strip()
        case datetime.datetime():
            return value.isoformat(" ")
        case list() | tuple():
            return ",".join(map(as_text, value))
        case dict():
            card = object_text(value, as_text)
            return str(value) if card is None else card
    return str(value)


def without_point(text: str) -> str:
    """A name, without the point that a spreadsheet adds: 3.0 becomes 3."""
    return re.sub(r"\A([0-9]+)\.0+\Z", r"\1", text) if ".0" in text else text


def without_points(*columns: str) -> pl.Expr:
    """An expression that applies `without_point` to the texts in these columns."""
    return pl.col(columns).str.replace(r"\A([0-9]+)\.0+\z", "$1")


def at_path(record: object, path: Sequence[str]) -> object:
    """The value at a path in nested records. A number in the path is a place in a list. If the path leads through a
    list without a number, the result is a list of the values from all items."""
    for i, part in enumerate(path):
        if isinstance(record, dict):
            record = record.get(part)
        elif isinstance(record, list) and part.isdecimal():
            record = record[int(part)] if int(part) < len(record) else None
        elif isinstance(record, list):
            return [at_path(each, path[i:]) for each in record]
        else:
            return None
    return record


def paths_of(record: object, before: str = "") -> list[str]:
    """The paths of all values in a record, in order. A list has a path, and each of its items has one too. If the items
    are records, paths lead to the values in the records, and not to the items."""
    if isinstance(record, dict):
        return [path for key, value in record.items() for path in paths_of(value, f"{before}{key}.")]
    paths = [before[:-1]]
    if isinstance(record, list):
        if any(isinstance(each, dict) for each in record):
            inner = [path for each in record if isinstance(each, dict) for path in paths_of(each, before)]
            return list(dict.fromkeys([*paths, *inner]))
        paths += [f"{before}{at}" for at in range(len(record))]
    return paths
