"""The serial frames of an electronic shoe, as hex text: a card a frame, then the result of the coup.

A frame is 05, a running number, a letter and what it tells: `I`, the place (81 to 83 Banker's cards, 91 to 93 Player's)
and the card, a nibble of the suit and one of the rank; `G`, the result; `E`, an error of the shoe. A check byte ends
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from counting.cards import RANKS
from counting.errors import InputError
from counting.logs.remarks import Reason
from counting.logs.sources import SAMPLE, Skip, Source
from counting.logs.texts import pieces_of

if TYPE_CHECKING:
    from counting.logs.layouts import FrameForm

_START = 0x05
_LENGTH = {ord("I"): 6, ord("G"): 5, ord("E"): 5}
_BANKER, _PLAYER = 8, 9
NAMES = ("coup", "player", "banker", "winner", "event")
_BYTE = re.compile("(?:0x)?[0-9a-fA-F]{2}")
_CHECKS: dict[str, Callable[[bytes], int]] = {
    "xor": lambda data: reduce(xor, data),
    "sum": lambda data: sum(data) & 0xFF,
}


class Frames(Source):
    """A file of frames in hex, several or one a line: a row a coup, its `event` the errors of the shoe in it."""

    nested = True

    def __init__(self, path: Path, form: FrameForm) -> None:
        self.path, self._form = path, form
        self.names = list(NAMES)
        self._bad: list[tuple[int, str, Reason]] = []
        self._rows = list(self._coups())
        if not self._rows and not self._bad:
            raise InputError(f"{path}: no frames, should be hex as 05 01 49 91 17 .., a card each")

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(columns, self._rows[:SAMPLE])

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        if self._bad:
            skip(self._bad)
        yield self._texts(columns, self._rows)

    def _texts(self, columns: Mapping[str, str], rows: Sequence[tuple[int, dict[str, str]]]) -> pl.DataFrame:
        lines = pl.Series("line", [line for line, _ in rows], dtype=pl.Int32)
        texts = [
            pl.Series(name, [row.get(own, "") for _, row in rows], dtype=pl.String) for name, own in columns.items()
        ]
        return pl.DataFrame([lines, *texts])

    def _coups(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The coups, each with the line of its result; cards after the last result are no coup."""
        coups = FrameCoups(self._form)
        for line, frame in self._frames():
            coup = coups.add(frame)
            if coup is not None:
                yield line, coup

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        line = 0
        for piece in pieces_of(self.path):
            for raw in piece.split(b"\n")[:-1]:
                line += 1
                text = raw.decode(errors="replace").strip()
                for _, frame, wrong in frames_in(text, self._form):
                    if wrong is None:
                        yield line, frame
                    else:
                        self._bad.append((line, frame.hex(" ")[:80] or text[:80], wrong))


class FrameCoups:
    """The coup that the frames so far have begun: `cards` by place, `events` of the shoe in it, and the `number` of the
    coup before."""

    def __init__(self, form: FrameForm) -> None:
        self._form = form
        self.cards: dict[int, str] = {}
        self.events: list[str] = []
        self.number = 0

    def add(self, frame: bytes) -> dict[str, str] | None:
        """Take a frame; the coup, as the texts of its fields, which a result ends."""
        kind = chr(frame[2])
        if kind == "I":
            self.cards[frame[3]] = self._card(frame[4])
            return None
        if kind == "E":
            self.events.append(self._form.errors.get(f"{frame[3]:02x}", f"error {frame[3]:02x}"))
            return None
        self.number += 1
        hands = {
            name: " ".join(self.cards[at] for at in sorted(self.cards) if at >> 4 == side)
            for name, side in (("player", _PLAYER), ("banker", _BANKER))
        }
        result = chr(frame[3]) if chr(frame[3]).isalnum() else f"{frame[3]:02x}"
        coup = {"coup": str(self.number), **hands, "winner": result, "event": ", ".join(self.events)}
        self.cards, self.events = {}, []
        return coup

    def _card(self, code: int) -> str:
        suit, rank = divmod(code, 16)
        suit -= self._form.first_suit
        return f"{RANKS[rank - 1]}{self._form.suits[suit]}" if 1 <= rank <= 13 and 0 <= suit < 4 else "?"


def frames_in(text: str, form: FrameForm) -> Iterator[tuple[int, bytes, Reason | None]]:
    """The frames of a line: where each ends in the text, its bytes, and what is wrong with it."""
    ends = [match.end() for match in _BYTE.finditer(text)]
    try:
        data = bytes.fromhex(text.replace(",", " ").replace("0x", ""))
    except ValueError:
        yield len(text), b"", Reason("hex", "not bytes in hex")
        return
    at = 0
    while at < len(data):
        length = _LENGTH.get(data[at + 2], 0) if at + 2 < len(data) and data[at] == _START else 0
        frame = data[at : at + length]
        if not length or len(frame) < length:
            yield len(text), data[at:], Reason("frame", "not a frame: 05, number, I, G or E")
            return
        check = _CHECKS.get(form.check)
        is_wrong = check is not None and check(frame[:-1]) != frame[-1]
        at += length
        end = ends[at - 1] if at < len(data) else len(text)
        yield end, frame, Reason("check", "a frame with a wrong check byte") if is_wrong else None
