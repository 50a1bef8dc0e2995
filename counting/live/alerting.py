"""Where alerts go: standard error, a file of JSON lines, a local command, a URL.

Each alert has a number. With a journal, the watch keeps the numbers of three alerts: the last that was printed, the
last that was given to the command, and the last that was posted to the URL. After a restart, the watch sends only
alerts with higher numbers than these, so each alert is given once. After a kill, or if the file of these numbers is
damaged, an alert may be given a second time, under the same number."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from counting.errors import InputError, printable
from counting.io.outputs import Kind, Output
from counting.live.delivery import Command, Delivery, Tell, Webhook, finish
from counting.live.judging import IMPOSSIBLE
from counting.live.knowing import KNOWS
from counting.live.records import Record
from counting.numbers import many

_TIME = b', "time": '
_BEGIN = b'{"rule": '  # how an alert begins in the file
_LONGEST, _LOOKED_AT = 1 << 16, 16  # the most bytes of a line, and the most lines, read to recognise a file of alerts


def sentence(alert: Record, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """An alert in words. If `titles` has a title for the alert's bet, the title takes the place of the bet's name."""
    bet = str(alert.get("bet", ""))
    bet = f'"{titles[bet]}"' if titles.get(bet) else bet
    place = f"{table_name(alert)}, shoe {alert['shoe']}, "
    place += f"after coup {alert['after']}" if "after" in alert else f"coup {alert['coup']}"
    parts = []
    if alert["rule"] == KNOWS:
        parts.append(_who_knows(alert))
    elif "patron" in alert:
        parts.append(f"{alert['patron']} bets {alert['stake']:,.2f} on {bet}".replace(".00 ", " "))
    elif "bet" in alert:
        parts.append(bet)
    if "edge" in alert:
        parts.append(f"edge {100 * alert['edge']:+.2f}%")
    if "worth" in alert:
        parts.append(f"worth {alert['worth']:,.2f} at the largest bet")
    if "raise" in alert:
        parts.append(f"{alert['raise']:.1f} times the patron's median stake")
    parts += [f"count {name} {count:+.1f}" for name, count in alert.get("counts", {}).items()]
    if "left" in alert:
        parts.append(f"{alert['left']} cards unseen")
    parts += missing_cards(alert)
    if alert["rule"] != KNOWS:
        parts.append(alert["rule"] if alert["rule"] == IMPOSSIBLE else f"rule {alert['rule']}")
    kind = "withdrawn" if "withdrawn" in alert else "late, after a correction" if "corrected" in alert else ""
    head = f"ALERT {alert['alert']}{f' ({kind})' if kind else ''}"
    return printable(f"{head}: {place}: {', '.join(parts)}")


def _who_knows(alert: Record) -> str:
    if "withdrawn" in alert:
        return f"after a correction, {alert['patron']} does not seem to know the coming cards"
    return (
        f"{alert['patron']} seems to know the coming cards (the evidence is 10^{alert['evidence']:.1f}, most "
        f"of it from {alert['by']}; 10^{alert['needed']:.1f} is needed). If every bet was placed before its coup was "
        "dealt, the chance that this watch ever names anyone who knows only past cards is at most "
        f"{100 * alert['level']:g}%"
    )


def table_name(record: Record) -> str:
    """A table in words."""
    name = str(record["table"])
    return name if name.lower().startswith("table") else f"table {name}"


def missing_cards(record: Record) -> list[str]:
    """The missing coups and unread cards of the shoe, in words. The edges of an alert are for a counter who did not see
    these cards either."""
    words = {"missing": ("coup missing", "coups missing"), "unread": ("card unread", "cards unread")}
    return [
        f"{record[name]} {singular if record[name] == 1 else plural}"
        for name, (singular, plural) in words.items()
        if name in record
    ]


def command_of(text: str) -> list[str]:
    """The words of `--command`: a JSON list of texts, or the path of a program. Raises `InputError` for anything
    else."""
    if not text.lstrip().startswith("["):
        words = [text]
    else:
        try:
            words = json.loads(text)
        except ValueError:
            words = []
    if not words or not all(isinstance(word, str) and word and "\0" not in word for word in words):
        raise InputError(f'--command {text}: should be a program, or a list as ["notify", "--to", "pit"]')
    return list(words)


class Told(NamedTuple):
    """The numbers of the last alerts that were printed, given to the command, and posted to the URL."""

    words: int = 0
    command: int = 0
    webhook: int = 0

    def to_bytes(self) -> bytes:
        """The content of the file: the numbers and a checksum."""
        digits = b"%019d %019d %019d" % self
        return b"%s %08x\n" % (digits, crc32(digits))

    @classmethod
    def from_bytes(cls, text: bytes) -> Told:
        """The numbers in a file's content. If the content is damaged, all numbers are 0."""
        numbers = text.split()[:-1]
        told = cls(*map(int, numbers)) if len(numbers) == 3 and all(map(bytes.isdigit, numbers)) else cls()
        return told if told.to_bytes() == text else cls()


class Alerts:
    """Sends alerts. `file` receives them as JSON lines. `told` is the file for the numbers of the last alerts."""

    def __init__(
        self, file: Path | None, command: Sequence[str], told: Path | None, tell: Tell, clock: Callable[[], str],
        webhook: str | None = None, others: Iterable[Path | str] = (),
    ) -> None:  # fmt: skip
        """Raises `InputError` if the file is one of `others` or holds anything but alerts, and for an invalid
        `webhook`."""
        self._tell, self._lock = tell, Lock()
        hook = None if webhook is None else Webhook(webhook)
        self._file = None if file is None else _AlertFile(file, clock, others)
        self._told_file = None if told is None else _ToldFile(told)
        self.told = self._told_file.told if self._told_file is not None else Told()
        self._deliveries: dict[str, Delivery] = {}
        self._is_closed = False
        for name, channel in (("command", Command(command) if command else None), ("webhook", hook)):
            if channel is not None:
                self._deliveries[name] = Delivery(channel, self._given(name), tell)
            elif waited := self.told.words - getattr(self.told, name):
                waiting = f"{many(waited, 'alert')} waited for a {name}"
                tell(f"counting: {waiting}, but cannot be given, because this watch has none")

    def _given(self, name: str) -> Callable[[int], object]:
        return lambda number: self._keep(**{name: number})

    @property
    def least(self) -> int:
        """The number of the last alert up to which all alerts were printed and delivered."""
        told = self.told._asdict()
        return int(min(told[name] for name in ("words", *self._deliveries)))

    def again(self, alerts: Iterable[Record]) -> None:
        """Send the alerts of a journal that were not sent before the restart."""
        for alert in alerts:
            if self._file is not None:
                self._file.add(alert)
            self._send(alert)

    def begin(self, number: int) -> None:
        """Go on after the alert `number`, the journal's last. If more alerts were sent than the journal has, this is
        another journal, or the journal lost its end in a power cut. In both cases new alerts are sent all the same."""
        self._keep(**{name: min(last, number) for name, last in self.told._asdict().items()})
        self._flush()

    def send(self, alerts: Sequence[Record]) -> None:
        """Send new alerts."""
        if not alerts:
            return
        for alert in alerts:
            self._send(alert)
        if self._file is not None:
            for alert in alerts:
                self._file.add(alert)
        self._flush()

    def _send(self, alert: Record) -> None:
        number, text = alert["alert"], None
        for name, delivery in self._deliveries.items():
            if number > getattr(self.told, name):
                text = text or json.dumps(alert | {"text": sentence(alert)}, ensure_ascii=False)
                delivery.add(number, f"{text}\n".encode(errors="replace"))
        if number > self.told.words:
            self._tell(sentence(alert))
            with self._lock:
                self.told = self.told._replace(words=number)

    def _keep(self, **numbers: int) -> None:
        """Keep these numbers, also in the file if there is one. For a channel that this watch does not have, the number
        of the last printed alert is kept."""
        with self._lock:
            told = self.told._replace(**numbers)
            absent = {name: told.words for name in ("command", "webhook") if name not in self._deliveries}
            self.told = told._replace(**absent)
            if self._told_file is not None:
                self._told_file.keep(self.told)

    def _flush(self) -> None:
        if self._file is not None:
            self._file.flush()
        self._keep()

    def close(self, stop: Callable[[], bool] = lambda: True, hurry: Callable[[], bool] = lambda: False) -> None:
        """Give the waiting alerts to their receivers, then close the files. Alerts that could not be given are
        reported.

        Once `stop` returns true, no new try is begun, and tries that have begun are finished."""
        if self._is_closed:
            return
        self._is_closed = True
        deliveries = list(self._deliveries.values())
        finish(deliveries, stop, hurry, self._tell)
        for each in deliveries:
            if each.waiting:
                later = "the next watch with this journal gives them" if self._told_file is not None else "not given"
                self._tell(f"counting: {many(each.waiting, 'alert')} wait for {each.channel.name}: {later}")
            if each.failed:
                self._tell(f"counting: {many(each.failed, 'alert')} could not be given: {each.channel.name}")
        with self._lock:  # if a try is still going on, its alert is given again by a later watch
            for part in (self._file, self._told_file):
                if part is not None:
                    part.close()
            self._told_file = None


class _ToldFile:
    def __init__(self, path: Path) -> None:
        Output(path, Kind("the numbers that a watch keeps beside its journal", _is_told), "--journal")
        try:
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        self._kept = self._file.read()
        self.told = Told.from_bytes(self._kept)

    def keep(self, told: Told) -> None:
        text = told.to_bytes()
        if text != self._kept:
            self._file.seek(0)
            self._file.write(text)
            self._kept = text

    def close(self) -> None:
        self._file.close()


def _is_told(path: Path) -> bool:
    """Whether a file may hold the numbers of `Told`, even if some of its bytes are damaged."""
    with path.open("rb") as file:
        text = file.read(2 * len(Told().to_bytes()))
    return len(text) <= len(Told().to_bytes()) and len(re.findall(rb"[0-9a-f \n]", text)) >= 0.75 * len(text)


class _AlertFile:
    """Alerts as JSON lines with their times. An alert that the file had when it was opened is not added again."""

    def __init__(self, path: Path, clock: Callable[[], str], others: Iterable[Path | str]) -> None:
        self._clock = clock
        output = Output(path, Kind("a file of alerts", _is_of_alerts), "--alerts", others)
        try:
            self._file = output.path.open("ab+")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        self._file.seek(0)
        self._has, whole = set[int](), 0  # `whole`: how many bytes the whole lines have
        for line in self._file:
            is_torn = not line.endswith(b"\n")
            if is_torn and line.startswith(_BEGIN) and not _is_alert(line):  # cut short by a power cut or a full disk
                self._file.truncate(whole)
                break
            self._has.add(hash(line.rpartition(_TIME)[0]))
            whole += len(line)
            if is_torn:
                self._file.write(b"\n")

    def add(self, alert: Record) -> None:
        text = json.dumps(alert, ensure_ascii=False).encode(errors="replace")[:-1]
        if hash(text) not in self._has:
            self._file.write(b"%s%s%s}\n" % (text, _TIME, json.dumps(self._clock()).encode()))

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


def _is_of_alerts(path: Path) -> bool:
    """Whether a file is a file of alerts. This is so if one of its first lines is an alert, or if its only line is an
    alert that was cut short.

    Other lines may be damaged. They stay in the file: `_AlertFile` removes only a last alert that was cut short."""
    with path.open("rb") as file:
        lines = [file.readline(_LONGEST) for _ in range(_LOOKED_AT)]
    return any(map(_is_alert, lines)) or (lines[0].startswith(_BEGIN) and not lines[0].endswith(b"\n"))


def _is_alert(line: bytes) -> bool:
    try:
        alert = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(alert, dict) and {"alert", "rule", "time"} <= alert.keys()
