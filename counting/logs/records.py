"""Turn lines into records, with limits on length, depth and number of values.

The result for a line is a record, or a `Reason` for a remark. No line raises an error.
"""

from __future__ import annotations

import json
import re
from typing import Any

from counting.logs.remarks import Reason
from counting.logs.values import as_text

LONGEST = 1 << 20  # the longest line, in bytes
DEEPEST = 32  # the deepest nesting of lists and objects
MOST_VALUES = 10_000  # the most values of a record; it also limits the columns that are looked for in a file
MOST_TEXT = 10_000  # the most characters kept of a field
# If `json` refuses a text, whole numbers with more digits than this become null. The largest float has 309 digits.
_MOST_DIGITS = 400
# The most bytes of memory for a JSON value, for a character of an ASCII text, and for a character of another text.
_OF_A_VALUE, _OF_A_SIGN, _OF_A_WIDE_SIGN = 80, 3, 10
_MOST_MEMORY = 3 << 29  # bytes, for a file that is one value
_NO_BRACKETS, _ALIKE = re.compile(r"[^\[\]{}]+"), str.maketrans("{}", "[]")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_PARTS = re.compile(rf"{_STRING}|[\[{{]|[\]}}]", re.DOTALL)
_STRINGS = re.compile(_STRING, re.DOTALL)
# Escapes in JSON: a surrogate pair, an escaped backslash, a lone surrogate.
_HALVES = re.compile(r"(?i)\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\\\|(\\ud[89a-f][0-9a-f]{2})")
_MARK = "\\ufffd"

Record = dict[str, Any] | list[Any]


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) <= _MOST_DIGITS else None


_LENIENT = json.JSONDecoder(parse_int=_whole, strict=False)


def text_of(line: bytes) -> tuple[str, Reason | None]:
    """The text of a line in UTF-8. A line that is not UTF-8 is read as Windows-1252, with a remark. If it is neither,
    its bad bytes become replacement marks."""
    try:
        return line.decode(), None
    except UnicodeDecodeError as error:
        wrong = f"not UTF-8: byte {error.start} is {line[error.start]:#04x}"
    try:
        return line.decode("cp1252"), Reason("windows-1252", f"{wrong}; read as Windows-1252", kept=True)
    except UnicodeDecodeError:
        return line.decode(errors="replace"), Reason("encoding", wrong)


def record_of(text: str) -> Record | Reason:
    """The record on a line of JSON, or the reason why there is none."""
    if len(text) > LONGEST:
        return too_long()
    if _shallow(text) is not text:
        return Reason("json", f"nested deeper than {DEEPEST} levels")
    if text.count(",") > MOST_VALUES and _STRINGS.sub("", text).count(",") > MOST_VALUES:
        return Reason("json", f"more than {MOST_VALUES:,} values")
    value = _value(text)
    if not isinstance(value, dict | list | Reason):
        return Reason("json", "not a record, should be an object or a list")
    if isinstance(value, list) and any(isinstance(each, dict) for each in value):
        return Reason("json", "one JSON value of several records, should be one record on each line")
    return value


def too_long() -> Reason:
    return Reason("length", f"is too long, should be at most {LONGEST:,} bytes")


def value_of_file(text: str) -> Any:
    """The value of a file that is one JSON value, or a `Reason`. Parts that are nested too deep become null."""
    values = sum(text.count(sign) for sign in ",[{")
    if values * _OF_A_VALUE + len(text) * (_OF_A_SIGN if text.isascii() else _OF_A_WIDE_SIGN) > _MOST_MEMORY:
        return Reason("json", f"one JSON value of {values:,} values, should be JSON lines")
    return _value(_shallow(text))


def _value(text: str) -> Any:
    """The value of a JSON text. Half of an emoji's surrogate pair, as in a text cut in two, becomes a replacement
    mark."""
    if "\\ud" in text or "\\uD" in text:
        text = _HALVES.sub(lambda match: _MARK if match[1] else match[0], text)
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        try:
            return _LENIENT.decode(text)
        except (ValueError, RecursionError):
            return Reason("json", f"not JSON: {error}")


def _shallow(text: str) -> str:
    """A JSON text, with null in place of everything nested deeper than `DEEPEST`."""
    if text.count("[") + text.count("{") <= DEEPEST or _is_shallow(text):
        return text
    parts, depth, start = [], 0, 0
    for match in _PARTS.finditer(text):
        sign = match[0][0]
        if sign in "[{":
            depth += 1
            if depth == DEEPEST + 1:
                parts += [text[start : match.start()], "null"]
        elif sign in "]}":
            if depth == DEEPEST + 1:
                start = match.end()
            depth -= 1
    return "".join([*parts, text[start:] if depth <= DEEPEST else ""]) if parts else text


def _is_shallow(text: str) -> bool:
    """Whether the brackets of a JSON text are in pairs, and nested at most `DEEPEST` deep."""
    brackets = _NO_BRACKETS.sub("", _STRINGS.sub("", text)).translate(_ALIKE)
    for _ in range(DEEPEST):
        if not brackets:
            break
        brackets = brackets.replace("[]", "")
    return not brackets


def field_text(value: object) -> str:
    """A value as the text of a field, cut to `MOST_TEXT` characters."""
    text = value.strip() if type(value) is str else as_text(value)
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT]
