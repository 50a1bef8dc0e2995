"""The page of a watch: the present state of the tables and the last alerts. The page reloads itself in a browser."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread

from counting.errors import InputError
from counting.io.outputs import Output, marked
from counting.live import LineAnswer, Row, Watch, WatchSettings, lines_counted, row_cells, sentence, table_rows
from counting.live.records import Record
from counting.numbers import many
from counting.reports import pages
from counting.reports.pages import Report, Section, render
from counting.version import __version__

SHOWN, ALERTS = 200, 50
KIND = marked("a page of counting watch", '<meta name="generator" content="counting watch">')
NOTE = (
    "Edges are the bettor's, and exact for the cards in the log. Unread cards and the cards of missing coups count as "
    "unseen, so the edge is right for a counter who did not see them either. A positive edge is an opportunity, not "
    "proof that anyone used it."
)


def _best(listed: Sequence[Row], titles: Mapping[str, str]) -> str:
    """Words on the best bet of all tables, with its worth in money if the largest bet is known; empty if no edge is
    positive."""
    best = listed[0] if listed else None
    if best is None or best.edge is None or best.edge <= 0:
        return ""
    worth = "" if best.worth is None else f", worth {best.worth:,.2f} to a counter who makes the largest bet"
    return f'; the best is "{titles[best.bet]}" at {best.table}, with an edge of {100 * best.edge:+.2f}%{worth}'


class Page:
    """Writes the page of a watch, in a thread. If the page cannot be written, this is reported once, and the thread
    tries again every few seconds."""

    def __init__(
        self, path: Path, seconds: int, clock: Callable[[], str], tell: Callable[[str], object],
        others: Iterable[Path | str] = (),
    ) -> None:  # fmt: skip
        """Raises `InputError` if the file exists and is not a page of a watch, or if it is among `others`, the watch's
        other files."""
        self._output = Output(path, KIND, "--page", others)
        self._seconds, self._clock, self._tell = seconds, clock, tell
        self._last: deque[Record] = deque(maxlen=ALERTS)
        self._next: Callable[[], str] | None = None  # makes the newest page
        self._new, self._over = Event(), False
        self._fault = ""  # the reason if the last page could not be written
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def add(self, answer: LineAnswer) -> None:
        self._last.extend(answer.alerts)

    def show(self, watch: Watch) -> None:
        """Request the page of the watch as it is now."""
        self._next = partial(self._drawn, watch.settings, table_rows(watch), lines_counted(watch), list(self._last))
        self._new.set()

    def close(self) -> None:
        """Write the last page, and end the thread."""
        self._over = True
        self._new.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over:
            self._new.wait(self._seconds if self._fault else None)
            self._new.clear()
            if self._next is not None:
                self._write(self._next())

    def _write(self, drawn: str) -> None:
        fault = ""
        try:
            self._output.write(drawn.encode())
        except (InputError, OSError) as error:
            fault = str(error) if isinstance(error, InputError) else f"--page {self._output.path}: {error.strerror}"
        if fault and (not self._fault or self._over):
            again = "" if self._over else "; it is tried again"
            with suppress(OSError):
                self._tell(f"counting: the page cannot be written: {fault}{again}")
        self._fault = fault

    def _drawn(self, settings: WatchSettings, listed: Sequence[Row], numbers: str, alerts: Sequence[Record]) -> str:
        game, titles = settings.game, pages.labels(settings.game)
        positive = sum(row.positive > 0 for row in listed)
        of = many(len(listed), "table")
        has = "has" if 1 in (positive, len(listed)) else "have"
        head = f"{positive:,} of {of} {has} a bet with a positive edge{_best(listed, titles)}."
        more = (
            f"The {SHOWN} tables with the largest edges are shown, of {len(listed):,} tables."
            if len(listed) > SHOWN
            else ""
        )
        report = Report(
            title="Tables under watch",
            procedure=f"{game.heading}, {many(settings.decks, 'deck')}. As of {self._clock()}.",
            sentences=[head, f"Counted so far: {numbers}."],
            note=NOTE,
            sections=[
                Section(
                    "Tables", more,
                    columns=("table", "shoe", "coup", "unseen", "best bet", "edge", "worth at the largest bet",
                             "positive bets", "not in the log"),
                    rows=[row_cells(row._replace(bet=titles.get(row.bet, ""))) for row in listed[:SHOWN]],
                    labels=2,
                ),
                Section(
                    "Last alerts", "" if alerts else "There are no alerts so far.", columns=("",), words=True,
                    rows=[[sentence(alert, titles)] for alert in reversed(alerts)],
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
