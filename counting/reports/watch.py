"""The page of a watch: the tables now and the last alerts, in a file that a browser loads anew by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

from counting.io.folders import write_text
from counting.reports.pages import Report, Section, render
from counting.version import __version__
from counting.watch import Answer, Row, Settings, Watch, as_cells, counted, rows, sentence

SHOWN, ALERTS = 200, 50
NOTE = (
    "Edges are the bettor's, exact for the cards that the log has: a coup that is missing or a card that was not read "
    "is counted as unseen, and the edge is then that of a counter who saw no more. A positive edge is an opportunity, "
    "not proof that anyone used it."
)


def _best(listed: Sequence[Row]) -> str:
    """The best bet of all tables, if it is positive; what it is worth where the largest bet is known."""
    best = listed[0] if listed else None
    if best is None or best.edge is None or best.edge <= 0:
        return ""
    worth = "" if best.worth is None else f", worth {best.worth:,.2f} at the largest bet"
    return f"; the best is {best.bet} at {best.table}, {100 * best.edge:+.2f}%{worth}"


class Page:
    """The page of a watch, written anew whole, beside what goes on: a page that is not ready is not waited for."""

    def __init__(self, path: Path, seconds: int, clock: Callable[[], str]) -> None:
        self._path, self._seconds, self._clock = path, seconds, clock
        self._last: deque[str] = deque(maxlen=ALERTS)
        self._thread = ThreadPoolExecutor(1)
        self._writing: Future[None] | None = None
        self._next: Callable[[], None] | None = None

    def add(self, answer: Answer) -> None:
        self._last.extend(map(sentence, answer.alerts))

    def show(self, watch: Watch) -> None:
        """Write the page of the watch as it is now; raises what the one before met."""
        self._next = partial(self._write, watch.settings, rows(watch), counted(watch), list(self._last))
        if self._writing is None or self._writing.done():
            if self._writing is not None:
                self._writing.result()
            self._writing, self._next = self._thread.submit(self._next), None

    def close(self) -> None:
        """Write the last page."""
        self._thread.shutdown()
        if self._writing is not None:
            self._writing.result()
        if self._next is not None:
            self._next()

    def _write(self, settings: Settings, listed: Sequence[Row], numbers: str, alerts: Sequence[str]) -> None:
        write_text(self._path, self._drawn(settings, listed, numbers, alerts))

    def _drawn(self, settings: Settings, listed: Sequence[Row], numbers: str, alerts: Sequence[str]) -> str:
        positive = sum(row.positive > 0 for row in listed)
        of = f"{len(listed):,} table{'s' * (len(listed) != 1)}"
        head = f"{positive:,} of {of} {'has' if positive == 1 else 'have'} a bet with a positive edge{_best(listed)}."
        more = f"The {SHOWN} with the largest edge of {len(listed):,}." if len(listed) > SHOWN else ""
        game = settings.game
        report = Report(
            title="Tables under watch",
            procedure=f"{game.heading}, {settings.decks} decks. As of {self._clock()}.",
            sentences=[head, numbers],
            note=NOTE,
            sections=[
                Section(
                    "Tables", more,
                    columns=("table", "shoe", "coup", "unseen", "best bet", "edge", "worth at the largest bet",
                             "positive bets", "not in the log"),
                    rows=[as_cells(row) for row in listed[:SHOWN]],
                    labels=2,
                ),
                Section(
                    "Last alerts", "" if alerts else "None so far.", columns=("",), words=True,
                    rows=[[text] for text in reversed(alerts)],
                ),
                Section(
                    "Provenance", columns=("", ""), words=True,
                    rows=[
                        ("game", f"{game.heading} ({game.name})"), ("digest of the game", game.digest),
                        ("rules of alerts", "; ".join(rule.text for rule in settings.rules) or "none"),
                        ("made by", f"counting {__version__}"),
                    ],
                ),
            ],
            data={},
            refresh=self._seconds,
        )  # fmt: skip
        return render(report)
