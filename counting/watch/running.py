"""The loop: read what has come, say what it does, keep it, tell alerts."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from counting.watch.alerting import Alerts
from counting.watch.following import Input
from counting.watch.journal import Journal
from counting.watch.watching import Line, Record, Said, Watch

PAUSE = 0.002  # seconds between two looks at the inputs
SYNC = 0.25  # seconds at most until a record is on disk: what a power cut loses is read again from the input
Show = Callable[[Watch], object]


def take_up(watch: Watch, journal: Journal, inputs: Mapping[int, Input], alerts: Alerts) -> int:
    """Go on where a journal stopped; the number of records in it."""
    ends: dict[int, Record] = {}
    number = 0

    def old() -> Iterable[Record]:
        nonlocal number
        for record in journal.records():
            watch.replay(record)
            ends[record["input"]] = record
            number += 1
            yield from record.get("alerts", ())

    alerts.again(old())
    watch.settle()
    for of, record in ends.items():
        if of in inputs:
            inputs[of].resume(record)
    return number


def run(
    watch: Watch, inputs: Mapping[int, Input], alerts: Alerts, journal: Journal | None = None,
    say: Callable[[Said], object] | None = None, show: Sequence[Show] = (), every: float = 1.0, once: bool = False,
    pause: float = PAUSE,
) -> None:  # fmt: skip
    """Watch until the inputs are over, or with `once` until all that is there is read; `show` is called with the watch
    when there was something new, at most once `every` so many seconds."""
    gc.collect()
    gc.freeze()
    gc.disable()  # a look for garbage in ten thousand tables takes a tenth of a second, and what goes has no cycles
    try:
        _loop(watch, inputs, alerts, journal, say, show, every, once, pause)
    finally:
        gc.enable()
        gc.unfreeze()


def _loop(
    watch: Watch, inputs: Mapping[int, Input], alerts: Alerts, journal: Journal | None,
    say: Callable[[Said], object] | None, show: Sequence[Show], every: float, once: bool, pause: float,
) -> None:  # fmt: skip
    synced = shown = time.monotonic()
    fresh = True
    while True:
        lines: list[Line] = []
        for source in inputs.values():
            lines += source.read()
        if lines:
            said = watch.take(lines)
            if journal is not None:
                journal.append([one.record for one in said])
            for one in said:
                alerts.send(one.alerts)
                if say is not None:
                    say(one)
            fresh = True
        now = time.monotonic()
        if journal is not None and now - synced > SYNC:
            journal.sync()
            synced = now
        is_over = not lines and (once or all(each.over for each in inputs.values()))
        if fresh and (now - shown >= every or is_over):
            for each in show:
                each(watch)
            shown, fresh = now, False
            gc.collect(0)
        if is_over:
            break
        if not lines:
            with suppress(InterruptedError):
                time.sleep(pause)
