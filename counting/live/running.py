"""The loop: read new lines, record in the journal what they did, send alerts, and show the tables."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress

from counting.live.alerting import Alerts
from counting.live.following import Input
from counting.live.journal import Journal
from counting.live.keeping import Keeper, restored
from counting.live.records import InputLine, LineAnswer, Record
from counting.live.watching import Watch

PAUSE = 0.002  # seconds between two looks at the inputs
SYNC = 0.25  # seconds between two writes to the disk; if a power cut loses records, their lines are read again
Show = Callable[[Watch], object]


def take_up(watch: Watch, journal: Journal, inputs: Mapping[int, Input], alerts: Alerts) -> int:
    """Go on where a journal stopped. Returns the number of records that had to be read one by one."""

    def old() -> Iterable[Record]:
        after = restored(watch, journal)
        if after is not None and alerts.least < watch.alerts:
            yield from journal.alerts_before(after, alerts.least)
        for record in journal.records(after):
            watch.replay(record)
            yield from record.get("alerts", ())

    with _no_collection():
        alerts.again(old())
        alerts.begin(watch.alerts)
        watch.settle()
    for of, record in journal.ends.items():
        if of in inputs:
            inputs[of].resume(record, journal.lines.get(of, ()))
    return journal.read


@contextmanager
def _no_collection() -> Iterator[None]:
    """Switch off automatic garbage collection for the duration of the block. With ten thousand tables a collection
    takes a tenth of a second. It would free little, because few of the objects that the watch drops are in reference
    cycles."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


@_no_collection()
def run_watch(
    watch: Watch, inputs: Mapping[int, Input], alerts: Alerts, journal: Journal | None = None,
    say: Callable[[LineAnswer], object] | None = None, show: Sequence[Show] = (),
    every: float = 1.0, once: bool = False,
    pause: float = PAUSE, stop: Callable[[], bool] = lambda: False,
) -> None:  # fmt: skip
    """Watch until the inputs are over or `stop` returns true. With `once`, also stop when all lines that have come so
    far are read.

    Each function of `show` is called with the watch when something is new: at most once in `every` seconds, and at the
    end."""
    synced = shown = time.monotonic()
    keeper = Keeper(watch, journal) if journal is not None else None
    fresh = True
    while True:
        lines: list[InputLine] = []
        for source in inputs.values():
            lines += source.read()
        for answers in watch.turns(lines):
            if journal is not None:
                journal.append([answer.record for answer in answers])
            for answer in answers:
                alerts.send(answer.alerts)
                if say is not None:
                    say(answer)
            fresh = True
        if lines:
            gc.collect(0)  # only the objects of these lines: 12 milliseconds for the lines of two seconds
        now = time.monotonic()
        if journal is not None and now - synced > SYNC:
            journal.sync()
            synced = now
        if keeper is not None:
            keeper.turn()
        is_over = stop() or (not lines and all(each.over or (once and each.idle) for each in inputs.values()))
        if fresh and (now - shown >= every or is_over):
            for each in show:
                each(watch)
            shown, fresh = now, False
        if is_over:
            if keeper is not None:
                keeper.close()
            break
        if not lines:
            with suppress(InterruptedError):
                time.sleep(pause)
