"""The page of a watch: the tables now and the last alerts, in a file that a browser loads anew by itself."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

from counting.io.folders import write_text
from counting.reports.pages import Report, Section, render
from counting.version import __version__
from counting.watch import Said, Watch, as_cells, counted, rows, sentence

SHOWN, ALERTS = 200, 50
NOTE = (
    "Edges are the bettor's, exact for the cards that the log has: a coup that is missing or a card that was not read "
    "is counted as unseen, and the edge is then that of a counter who saw no more. A positive edge is an opportunity, "
    "not proof that anyone used it."
)


class Page:
    """The page of a watch, written anew whole."""

    def __init__(self, path: Path, seconds: int, clock: Callable[[], str]) -> None:
        self._path, self._seconds, self._clock = path, seconds, clock
        self._last: deque[str] = deque(maxlen=ALERTS)

    def add(self, said: Said) -> None:
        self._last.extend(map(sentence, said.alerts))

    def show(self, watch: Watch) -> None:
        write_text(self._path, self.drawn(watch))

    def drawn(self, watch: Watch) -> str:
        """The page as HTML."""
        listed = rows(watch)
        positive = sum(row.positive > 0 for row in listed)
        head = f"{positive:,} of {len(listed):,} tables have a bet with a positive edge."
        more = f"The {SHOWN} with the largest edge of {len(listed):,}." if len(listed) > SHOWN else ""
        game = watch.settings.game
        report = Report(
            title="Tables under watch",
            procedure=f"{game.title}, {watch.settings.decks} decks. As of {self._clock()}.",
            sentences=[head, counted(watch)],
            note=NOTE,
            sections=[
                Section(
                    "Tables", more,
                    columns=("table", "shoe", "coup", "unseen", "best bet", "edge", "worth at the largest bet",
                             "positive bets", "not in the log"),
                    rows=[as_cells(row) for row in listed[:SHOWN]],
                    labels=2,
                ),
                Section("Last alerts", columns=("",), rows=[[text] for text in reversed(self._last)], words=True),
                Section(
                    "Provenance", columns=("", ""), words=True,
                    rows=[
                        ("game", f"{game.title} ({game.name})"), ("digest of the game", game.digest),
                        ("rules of alerts", "; ".join(rule.text for rule in watch.settings.rules) or "none"),
                        ("made by", f"counting {__version__}"),
                    ],
                ),
            ],
            data={},
        )  # fmt: skip
        mark = '<meta charset="utf-8">\n'
        return render(report).replace(mark, f'{mark}<meta http-equiv="refresh" content="{self._seconds}">\n', 1)
