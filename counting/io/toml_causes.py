"""Explain why a line is not TOML, if its mistake is a usual one, for example a text without quotes, a decimal comma, a
word processor's quotes, a colon in place of `=`, or a key that occurs twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from counting.errors import printable

_LONG = 80  # a line is shown up to this number of characters
_LONGEST = 300  # no cause is looked for in a line with more characters
_PLACE = re.compile(r"\(at line ([0-9]+), column [0-9]+\)")
_QUOTES = "“”„«»‟‘’‚‛"
_KEY = re.compile(r"\s*([\w.-]+)\s*=\s*(.*?)\s*(?:#.*)?", re.ASCII)


class _Fault(NamedTuple):
    """A line that is not TOML. `number`: its number, from 1. `message`: the parser's message. `before`: the lines
    before it."""

    line: str
    number: int
    message: str
    before: Sequence[str]

    @property
    def value(self) -> str:
        """The text after the key and its `=`."""
        match = _KEY.fullmatch(self.line)
        return match[2] if match else ""

    @property
    def key(self) -> str:
        match = _KEY.fullmatch(self.line)
        return match[1] if match else ""


def explained(text: str, message: str) -> str:
    """The parser's message, followed by the line at which the parser stopped and, if the line has a usual mistake, by
    what is wrong."""
    lines = text.split("\n")
    place = _PLACE.search(message)
    number = int(place[1]) if place else max((i for i, line in enumerate(lines, 1) if line.strip()), default=0)
    if not 1 <= number <= len(lines):
        return printable(message)
    fault = _Fault(lines[number - 1].rstrip("\r"), number, message, lines[: number - 1])
    causes = (look(fault) for look in _CAUSES if len(fault.line) <= _LONGEST)
    cause = next(filter(None, causes), "")
    shown = printable(fault.line.strip())
    where = "" if place else f", line {number}"
    return f"{printable(message)}{where}: {shown[:_LONG]}{' ...' * (len(shown) > _LONG)}" + f"; {cause}" * bool(cause)


def _twice(fault: _Fault) -> str:
    if "overwrite" not in fault.message and "twice" not in fault.message:
        return ""
    name = fault.key or fault.line.strip().strip("[]").strip()
    heading = rf"\s*\[+\s*{re.escape(name)}\s*\]+|\s*{re.escape(name)}\s*=.*"
    earlier = [i for i, line in enumerate(fault.before, 1) if re.fullmatch(heading, line.rstrip("\r"))]
    return f"{name} is in line {earlier[-1]} already" if earlier else ""


def _curly(fault: _Fault) -> str:
    sign = next((each for each in fault.line if each in _QUOTES), None)
    return f"{sign} is a word processor's quote, should be a straight quote" if sign else ""


def _blank(fault: _Fault) -> str:
    sign = next((each for each in fault.line if each.isspace() and each not in " \t"), None)
    return "there is a special space, as web pages and word processors insert: type a plain space" if sign else ""


def _no_equals(fault: _Fault) -> str:
    if "Expected '='" not in fault.message:
        return ""
    colon = re.fullmatch(r"\s*([\w-]+)\s*:\s*(.+?)\s*", fault.line, re.ASCII)
    if colon:
        return f"put = between a key and its value: {colon[1]} = {printable(colon[2])}"
    key, mark, value = fault.line.partition("=")
    words = key.split()
    if mark and len(words) > 1 and not re.search("[\"']", key):
        return f"a key is one word: {printable('_'.join(words))} = {printable(value.strip())}"
    if len(words) > 1:
        return f"put = between a key and its value: {printable(words[0])} = {printable(' '.join(words[1:]))}"
    return "a key is followed by = and its value"


def _numeral(fault: _Fault) -> str:
    value = fault.value
    if re.fullmatch(r"[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]+)?", value):
        return f"thousands have no comma: {fault.key} = {value.replace(',', '')}"
    if re.fullmatch(r"[0-9]+,[0-9]+", value):
        return f"a decimal has a point: {fault.key} = {value.replace(',', '.')}"
    if re.fullmatch(r"\.[0-9]+", value):
        return f"a decimal has a digit before its point: {fault.key} = 0{value}"
    if re.fullmatch(r"[0-9]+\.", value):
        return f"a decimal has a digit after its point: {fault.key} = {value}0"
    if re.fullmatch(r"0[0-9]+", value):
        return f"a whole number has no leading 0: {fault.key} = {value.lstrip('0') or '0'}"
    return ""


def _truth(fault: _Fault) -> str:
    meant = {"yes": "true", "no": "false", "on": "true", "off": "false", "true": "true", "false": "false"}
    word = meant.get(fault.value.lower())
    return f"write true or false in small letters, without quotes: {fault.key} = {word}" if word else ""


def _no_value(fault: _Fault) -> str:
    return f"{fault.key} has no value" if fault.key and not fault.value else ""


def _open_list(fault: _Fault) -> str:
    if "Unclosed array" not in fault.message:
        return ""
    return "the entries of a list have commas between them, and ] comes after the last"


def _quotes(fault: _Fault) -> str:
    value = fault.value
    if not value or value[0] in "[{":
        return ""
    if re.search(r"\s=\s", value):
        return "each key and its value have a line of their own"
    if value[0] not in "\"'":
        return f'a text has quotes around it: {fault.key} = "{printable(value)}"' if '"' not in value else ""
    if "\\" in value and value[0] == '"':
        if "'" in value:
            twice = printable(value.replace("\\", "\\\\"))
            return f"a \\ within double quotes is written twice: {fault.key} = {twice}"
        return f"a text with \\ has single quotes around it: {fault.key} = '{printable(value.strip(chr(34)))}'"
    if value.count(value[0]) % 2:
        return f"the quotes do not come in pairs: a text needs {value[0]} before and after it, and has none inside"
    return "a text has quotes before it and after it, and none inside" if value.count(value[0]) > 2 else ""


_CAUSES: tuple[Callable[[_Fault], str], ...] = (
    _twice,
    _curly,
    _blank,
    _no_equals,
    _numeral,
    _truth,
    _no_value,
    _open_list,
    _quotes,
)
