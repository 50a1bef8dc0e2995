"""The loop: read what has come, say what it does, keep it, tell alerts."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from counting.io.folders import write_text
from counting.version import __version__
from counting.watch.alerting import Alerts
from counting.watch.following import Input
from counting.watch.journal import Journal
from counting.watch.records import Line, Record, Said
from counting.watch.watching import Watch

PAUSE = 0.002  # seconds between two looks at the inputs
SYNC = 0.25  # seconds at most until a record is on disk: what a power cut loses is read again from the input
MANY = 10_000  # records that are worth a file of the state
Show = Callable[[Watch], object]


def take_up(watch: Watch, journal: Journal, inputs: Mapping[int, Input], alerts: Alerts) -> int:
    """Go on where a journal stopped; the number of records that were taken up one by one."""
    after = _restored(watch, journal)
    number = 0

    def old() -> Iterable[Record]:
        nonlocal number
        for record in journal.records(after):
            watch.replay(record)
            number += 1
            yield from record.get("alerts", ())

    alerts.again(old())
    watch.settle()
    for of, record in journal.ends.items():
        if of in inputs:
            inputs[of].resume(record)
    if number >= MANY:
        keep(watch, journal)
    return number


def keep(watch: Watch, journal: Journal) -> None:
    """Keep the state of a watch beside its journal, so that the next need not read the whole journal."""
    state = {"size": journal.size, "ends": journal.ends, "watch": watch.kept(), "version": __version__}
    journal.close_to_disk()
    write_text(_state_of(journal), json.dumps(state, separators=(",", ":")))


def _restored(watch: Watch, journal: Journal) -> int:
    """The byte of the journal after which its records are to be taken up: after those in the state that was kept, if it
    is of this journal."""
    try:
        state = json.loads(_state_of(journal).read_text())
    except (OSError, ValueError):
        return 0
    if state["version"] != __version__ or not state["ends"]:
        return 0
    record = journal.last(state["size"])
    last = max(state["ends"].values(), key=lambda each: int(each["n"]))
    if record is None or {name: value for name, value in record.items() if name != "digest"} != last:
        return 0
    journal.ends = {int(of): each for of, each in state["ends"].items()}
    watch.restore(state["watch"])
    return int(state["size"])


def _state_of(journal: Journal) -> Path:
    return journal.path.with_name(f"{journal.path.name}.state")


def run(
    watch: Watch, inputs: Mapping[int, Input], alerts: Alerts, journal: Journal | None = None,
    say: Callable[[Said], object] | None = None, show: Sequence[Show] = (), every: float = 1.0, once: bool = False,
    pause: float = PAUSE, stop: Callable[[], bool] = lambda: False,
) -> None:  # fmt: skip
    """Watch until the inputs are over, or `stop` says so, or with `once` until all that is there is read.

    `show` is called with the watch when there was something new, at most once `every` so many seconds.
    """
    gc.collect()
    gc.freeze()
    gc.disable()  # a look for garbage in ten thousand tables takes a tenth of a second, and what goes has no cycles
    try:
        _loop(watch, inputs, alerts, journal, say, show, every, once, pause, stop)
    finally:
        gc.enable()
        gc.unfreeze()


def _loop(
    watch: Watch, inputs: Mapping[int, Input], alerts: Alerts, journal: Journal | None,
    say: Callable[[Said], object] | None, show: Sequence[Show], every: float, once: bool, pause: float,
    stop: Callable[[], bool],
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
        is_over = stop() or (not lines and (once or all(each.over for each in inputs.values())))
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
