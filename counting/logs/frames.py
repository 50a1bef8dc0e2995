"""The serial frames of an electronic shoe, as hex text: a frame for each card, then the result of the coup.

A frame has these parts:

- the byte 05
- an ASCII digit, which counts the frames from 0 to 9 and then begins again
- a letter, which states the kind of frame
- the data
- the byte 03
- two check digits: the XOR of all bytes from the counting digit to 03, as two upper-case hex digits in ASCII

The frame `05 36 49 81 b2 03 34 46` is a card, letter I. The data of a card are its place and the card itself. The
places are 81 to 83 for Player's cards and 91 to 93 for Banker's. The first hex digit of the card is the suit, 9 to c,
and the second digit is the rank, 1 to d.

Letter G is the result: the first hex digit of its data is c for Banker, 9 for Player and a for a tie. Other capital
letters are events of the shoe. A frame with a small letter repeats the frame with the same capital letter.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import xor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from counting.cards import RANKS
from counting.errors import InputError
from counting.logs.remarks import Reason
from counting.logs.sources import SAMPLE, Skip, Source
from counting.logs.texts import pieces_of

if TYPE_CHECKING:
    from counting.logs.layouts import FrameForm

_START, _END = 0x05, 0x03
_MOST_DATA = 16  # the most bytes between the letter and 03
_SIDES = {"player": 8, "banker": 9}  # the high half byte of a card's place
_PLACES = frozenset(16 * side + place for side in _SIDES.values() for place in (1, 2, 3))
_FIRST_PLACE, _LEAST_CARDS = 0x81, 4
_FIRST_SUIT = 9
_WINNERS = {0xC: "banker", 0x9: "player", 0xA: "tie"}
_EVENTS = {"D": "place asked for", "S": "start", "P": "coup over", "R": "card returned", "E": "error"}
ROUTINE = frozenset(_EVENTS[letter] for letter in "DSP")  # events that occur in every coup
_AGAIN = 4  # a frame equal to one of the last four is the same frame, sent again
NAMES = ("coup", "player", "banker", "winner", "event")
EXAMPLE = "05 36 49 81 b2 03 34 46"
_BYTE = re.compile("(?:0x)?[0-9a-fA-F]{2}")
_HEX = frozenset(b"0123456789ABCDEFabcdef")
_UNFINISHED = "cards without a result; not read as a coup"

Texts = dict[str, str]  # the texts of the fields of a coup or an event


class Frames(Source):
    """A file of frames in hex, one or several on a line, read as a source with a row for each coup or event of the
    shoe."""

    nested = True

    def __init__(self, path: Path, form: FrameForm) -> None:
        self.path, self._form = path, form
        self.names = list(NAMES)
        self._bad: list[tuple[int, str, Reason]] = []
        self._rows = list(self._read())
        if not self._rows and not self._bad:
            raise InputError(f"{path}: no frames, should be hex as {EXAMPLE}, a card each")

    def sample(self, columns: Mapping[str, str]) -> pl.DataFrame:
        return self._texts(columns, self._rows[:SAMPLE])

    def pieces(self, columns: Mapping[str, str], numbers: frozenset[str], skip: Skip) -> Iterator[pl.DataFrame]:
        if self._bad:
            skip(self._bad)
        yield self._texts(columns, self._rows)

    def _texts(self, columns: Mapping[str, str], rows: Sequence[tuple[int, Texts]]) -> pl.DataFrame:
        lines = pl.Series("line", [line for line, _ in rows], dtype=pl.Int32)
        texts = [
            pl.Series(name, [row.get(own, "") for _, row in rows], dtype=pl.String) for name, own in columns.items()
        ]
        return pl.DataFrame([lines, *texts])

    def _read(self) -> Iterator[tuple[int, Texts]]:
        """The coups and events, each with the line of its last frame. Cards after the last result get a remark."""
        coups, line = FrameCoups(self._form), 0
        for line, frame in self._frames():
            for texts in coups.add(frame):
                yield line, texts
        if coups.cards:
            self._bad.append((line, " ".join(coups.cards.values()), Reason("unfinished", _UNFINISHED, kept=True)))

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        line = 0
        for piece in pieces_of(self.path):
            for raw in piece.split(b"\n")[:-1]:
                line += 1
                text = raw.decode(errors="replace").strip()
                for _, frame, wrong in frames_in(text):
                    if wrong is None:
                        yield line, frame
                    else:
                        self._bad.append((line, frame.hex(" ")[:80] or text[:80], wrong))


class FrameCoups:
    """Builds coups from frames. `cards`: the cards of the coup in progress, indexed by their places. `number`: the
    number of the last coup that ended."""

    def __init__(self, form: FrameForm) -> None:
        self._form = form
        self.cards: dict[int, str] = {}
        self.number = 0
        self._last: deque[bytes] = deque(maxlen=_AGAIN)

    def add(self, frame: bytes) -> list[Texts]:
        """Take a frame. Returns the texts of the coup that the frame ends, or of the event that it reports; otherwise
        an empty list.

        If both hands have been dealt and a new first card for Player comes, the coup's result was lost. The coup then
        ends without a result.
        """
        kind = chr(frame[2])
        if kind.islower() or frame in self._last:
            return []
        self._last.append(frame)
        data = frame[3:-3]
        if kind == "I":
            return self._card(*data)
        if kind == "G":
            if not self.cards:
                return [_event("result without cards")]
            return [self._coup(_WINNERS.get(data[0] >> 4, f"{data[0]:02x}"))]
        word = _EVENTS.get(kind, f"frame {kind}")
        code = data.hex()
        return [_event(self._form.errors.get(code, f"{word} {code}") if kind == "E" else word)]

    def _card(self, place: int, code: int) -> list[Texts]:
        rows: list[Texts] = []
        card = self._name(code)
        if place in self.cards and (place != _FIRST_PLACE or len(self.cards) < _LEAST_CARDS):
            if self.cards[place] != card:
                rows = [_event(f"{card} in place of {self.cards[place]}")]
        elif place in self.cards:
            rows = [self._coup("")]
        self.cards[place] = card
        return rows

    def _name(self, code: int) -> str:
        suit, rank = divmod(code, 16)
        suit -= _FIRST_SUIT
        known = 1 <= rank <= len(RANKS) and 0 <= suit < 4
        return RANKS[rank - 1] + self._form.suits[suit : suit + 1] if known else "?"

    def _coup(self, winner: str) -> Texts:
        self.number += 1
        hands = {
            name: " ".join(self.cards[at] for at in sorted(self.cards) if at >> 4 == side)
            for name, side in _SIDES.items()
        }
        self.cards = {}
        return {"coup": str(self.number), **hands, "winner": winner, "event": ""}

    def kept(self) -> Any:
        """The state as JSON data, for `restore`."""
        return [self.number, list(self.cards.items()), [frame.hex() for frame in self._last]]

    def restore(self, kept: Any) -> None:
        self.number, cards, last = kept
        self.cards = dict(map(tuple, cards))
        self._last.extend(map(bytes.fromhex, last))


def _event(word: str) -> Texts:
    return {**dict.fromkeys(NAMES, ""), "event": word}


def frames_in(text: str) -> Iterator[tuple[int, bytes, Reason | None]]:
    """For each frame in a line of hex: its end in the text, its bytes, and its mistake or None. After a frame with
    wrong check digits, place or result, reading goes on at the frame's end; after any other mistake, at the next 05. If
    a good frame begins within a damaged frame, the damaged frame ends there."""
    ends = [match.end() for match in _BYTE.finditer(text)]
    try:
        data = bytes.fromhex(text.replace(",", " ").replace("0x", ""))
    except ValueError:
        yield len(text), b"", Reason("hex", "not bytes in hex")
        return
    at = 0
    while at < len(data):
        length, wrong = _frame_at(data, at)
        frame = data[at : at + length]
        at += length
        yield ends[at - 1] if at < len(data) else len(text), frame, wrong


def _frame_at(data: bytes, at: int) -> tuple[int, Reason | None]:
    """The length of the frame that begins at `at`, and its mistake or None. If no frame begins there, or the frame does
    not end, the length is the number of bytes to the next 05."""
    following = data.find(_START, at + 1)
    rest = (following if following > 0 else len(data)) - at
    if not _is_head(data, at):
        return rest, Reason("frame", f"not a frame, should be as {EXAMPLE}")
    checked = _checked_end(data, at)
    if checked is not None and not _has_good(data, at, checked):
        return checked - at, _strange(data[at + 2 : checked - 3])
    end = next((end for end in _ends(data, at) if _looks_over(data, end)), None)
    if end is not None and not _has_good(data, at, end):
        return end - at, Reason("check", "a frame with wrong check digits")
    return rest, Reason("frame", f"a frame that does not end, should be as {EXAMPLE}")


def _is_head(data: bytes, at: int) -> bool:
    head = data[at : at + 3]
    return len(head) == 3 and head[0] == _START and head[1:2].isdigit() and head[2:].isalpha()


def _ends(data: bytes, at: int) -> Iterator[int]:
    """The places where the frame that begins at `at` may end: after two bytes that follow a byte 03."""
    for place in range(at + 3, min(at + 4 + _MOST_DATA, len(data) - 2)):
        if data[place] == _END:
            yield place + 3


def _checked_end(data: bytes, at: int) -> int | None:
    """The end of the frame that begins at `at`, found by its check digits; None if no check digits are right."""
    for end in _ends(data, at):
        if data[end - 2 : end] == b"%02X" % reduce(xor, data[at + 1 : end - 2]):
            return end
    return None


def _has_good(data: bytes, at: int, end: int) -> bool:
    """Whether a frame with right check digits begins after `at` and before `end`."""
    starts = range(at + 1, end) if _START in data[at + 1 : end] else ()
    return any(_is_head(data, start) and _checked_end(data, start) for start in starts)


def _looks_over(data: bytes, end: int) -> bool:
    """Whether a frame with wrong check digits may end here: the check digits are hex digits, or the next frame begins
    here, or the data end."""
    return _HEX.issuperset(data[end - 2 : end]) or data[end : end + 1] in (b"", b"\5")


def _strange(frame: bytes) -> Reason | None:
    """The mistake in a frame's letter or data; None if there is none."""
    if frame[:1] == b"I" and (len(frame) != 3 or frame[1] not in _PLACES):
        return Reason("place", "a card at no place, should be 81 to 83 or 91 to 93")
    if frame[:1] == b"G" and len(frame) != 2:
        return Reason("result", "a result without its byte")
    return None
