"""Where alerts go: standard error, a file of JSON lines, a local command. Each has a number; after a restart those not
yet sent are sent, so that each is sent once, or twice under the same number: at the moment of a kill, or where the file
that keeps the number of the last one is damaged."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from zlib import crc32

from counting.errors import InputError, printable
from counting.watch.judging import IMPOSSIBLE
from counting.watch.knowing import KNOWS
from counting.watch.records import Record

Tell = Callable[[str], object]

_MOST_WAITING = 1000  # alerts that wait for the command
_SECONDS = 10.0  # that a command may take
_TIME = b', "time": '


def sentence(alert: Record) -> str:
    """An alert in words."""
    place = f"{table_name(alert)}, shoe {alert['shoe']}, "
    place += f"after coup {alert['after']}" if "after" in alert else f"coup {alert['coup']}"
    parts = []
    if alert["rule"] == KNOWS:
        parts.append(_who_knows(alert))
    elif "patron" in alert:
        parts.append(f"{alert['patron']} bets {alert['stake']:,.2f} on {alert['bet']}".replace(".00 ", " "))
    elif "bet" in alert:
        parts.append(alert["bet"])
    if "edge" in alert:
        parts.append(f"edge {100 * alert['edge']:+.2f}%")
    if "worth" in alert:
        parts.append(f"worth {alert['worth']:,.2f} at the largest bet")
    if "raise" in alert:
        parts.append(f"{alert['raise']:.1f} times the patron's median")
    parts += [f"count {name} {count:+.1f}" for name, count in alert.get("counts", {}).items()]
    if "left" in alert:
        parts.append(f"{alert['left']} cards unseen")
    parts += lacking(alert)
    if alert["rule"] != KNOWS:
        parts.append(alert["rule"] if alert["rule"] == IMPOSSIBLE else f"rule {alert['rule']}")
    kind = "withdrawn" if "withdrawn" in alert else "late, after a correction" if "corrected" in alert else ""
    head = f"ALERT {alert['alert']}{f' ({kind})' if kind else ''}"
    return printable(f"{head}: {place}: {', '.join(parts)}")


def _who_knows(alert: Record) -> str:
    if "withdrawn" in alert:
        return f"after a correction, {alert['patron']} does not seem to know the coming cards"
    return (
        f"{alert['patron']} seems to know the coming cards (evidence 10^{alert['evidence']:.1f}, needed 10^"
        f"{alert['needed']:.1f}; most by {alert['by']}). If every bet was placed before its coup was dealt, the chance "
        f"that this watch ever says this of anyone who knows past cards only is at most {100 * alert['level']:g}%"
    )


def table_name(record: Record) -> str:
    """A table in words."""
    name = str(record["table"])
    return name if name.lower().startswith("table") else f"table {name}"


def lacking(record: Record) -> list[str]:
    """What a log does not say of the cards, in words: its edges are those of a counter who saw no more."""
    words = {"missing": ("coup missing", "coups missing"), "unread": ("card unread", "cards unread")}
    return [
        f"{record[name]} {singular if record[name] == 1 else plural}"
        for name, (singular, plural) in words.items()
        if name in record
    ]


def command_of(text: str) -> list[str]:
    """The arguments of `--command`: a JSON list of texts, or the path of a program."""
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


class Alerts:
    """Sends alerts; `last_sent` is the file that keeps the number of the last one sent."""

    def __init__(
        self, file: Path | None, command: Sequence[str], last_sent: Path | None, tell: Tell, clock: Callable[[], str]
    ) -> None:
        self._tell = tell
        self._command = _Command(command, tell) if command else None
        self._last_sent = _LastSent(last_sent) if last_sent is not None else None
        self._file = _AlertFile(file, clock) if file is not None else None
        self.last = self._last_sent.number if self._last_sent else 0

    def again(self, alerts: Iterable[Record]) -> None:
        """Send those of a journal's alerts that were not sent before a restart."""
        for alert in alerts:
            if self._file is not None:
                self._file.add(alert)
            if alert["alert"] > self.last:
                self._out(alert)

    def begin(self, number: int) -> None:
        """Go on after these alerts: a journal with fewer than were sent is another, or lost its end in a power cut."""
        self.last = min(self.last, number)
        self._kept()

    def send(self, alerts: Sequence[Record]) -> None:
        """Tell new alerts."""
        if not alerts:
            return
        for alert in alerts:
            self._out(alert)
        if self._file is not None:
            for alert in alerts:
                self._file.add(alert)
        self._kept()

    def _out(self, alert: Record) -> None:
        self._tell(sentence(alert))
        if self._command is not None:
            self._command.send(alert)
        self.last = alert["alert"]

    def _kept(self) -> None:
        if self._file is not None:
            self._file.flush()
        if self._last_sent is not None:
            self._last_sent.keep(self.last)

    def close(self) -> None:
        """Wait for the command, and close the files."""
        for part in (self._command, self._file, self._last_sent):
            if part is not None:
                part.close()


def as_last_sent(number: int) -> bytes:
    """The number of the last alert sent, as its file has it, with a checksum."""
    digits = b"%019d" % number
    return b"%s %08x\n" % (digits, crc32(digits))


class _LastSent:
    def __init__(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        text = os.pread(self._file, len(as_last_sent(0)), 0)
        digits = text.partition(b" ")[0]
        self.number = int(digits) if digits.isdigit() and as_last_sent(int(digits)) == text else 0

    def keep(self, number: int) -> None:
        if number != self.number:
            os.pwrite(self._file, as_last_sent(number), 0)
            self.number = number

    def close(self) -> None:
        os.close(self._file)


class _AlertFile:
    """Alerts as JSON lines with their times. One that was in the file when it was opened is not added again."""

    def __init__(self, path: Path, clock: Callable[[], str]) -> None:
        self._clock = clock
        try:
            self._file = path.open("ab+")
        except OSError as error:
            raise InputError(f"{path}: cannot be written: {error.strerror}") from None
        self._file.seek(0)
        data = self._file.read()
        self._file.truncate(data.rfind(b"\n") + 1)
        self._has = {hash(line.rpartition(_TIME)[0]) for line in data.split(b"\n")[:-1]}

    def add(self, alert: Record) -> None:
        text = json.dumps(alert, ensure_ascii=False).encode(errors="replace")[:-1]
        if hash(text) not in self._has:
            self._file.write(b"%s%s%s}\n" % (text, _TIME, json.dumps(self._clock()).encode()))

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()


class _Command:
    """A local command that gets each alert on its standard input, one after another."""

    def __init__(self, words: Sequence[str], tell: Tell) -> None:
        self._words, self._tell = list(words), tell
        self._queue: Queue[Record | None] = Queue(_MOST_WAITING)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def send(self, alert: Record) -> None:
        try:
            self._queue.put_nowait(alert)
        except Full:
            self._tell(f"counting: alert {alert['alert']}: not given to the command, {_MOST_WAITING} wait for it")

    def _run(self) -> None:
        while (alert := self._queue.get()) is not None:
            text = json.dumps(alert, ensure_ascii=False) + "\n"
            try:
                done = subprocess.run(
                    self._words, input=text.encode(errors="replace"), timeout=_SECONDS, check=False,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                failed = f"ended with status {done.returncode}" if done.returncode else ""
            except subprocess.TimeoutExpired:
                failed = f"took more than {_SECONDS:.0f} seconds"
            except OSError as error:
                failed = f"cannot be run: {error.strerror}"
            if failed:
                self._tell(f"counting: alert {alert['alert']}: the command {printable(self._words[0])} {failed}")

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
