"""The tables of an export for bets settled by the hands: the conditions of lines, and the sums that count the coups.

`export.tables` describes the tables.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from counting.cards import RANKS, SUITS
from counting.exact import ANY_CARD, HandCounter, line_counter, lines_of_events
from counting.games import Game, on_hands
from counting.io.tables import Rows

MOST_ROWS = 200_000  # the most rows of draws by kind and by value together


def line_tables(game: Game) -> dict[str, Rows]:
    """The rows of each file, by its name; no files for a game without bets settled by the hands."""
    if not on_hands(game.bets):
        return {}
    lines = [(name, on_hands(game.bets)[k].conditions[: i + 1]) for name, (k, i) in lines_of_events(game).items()]
    rows: dict[str, Rows] = {
        "lines.csv": [
            {"event": name, "line": _json(met[-1].plain), "before": _json([line.plain for line in met[:-1]])}
            for name, met in lines
        ]
    }
    counted = _counted(game)[0]
    if counted:
        rows["kinds.csv"] = [row for bet, counter, _ in counted for row in _kinds(bet, counter)]
        rows["draws_by_kind.csv"] = [row for bet, counter, events in counted for row in _by_kind(bet, counter, events)]
        rows["draws_by_value.csv"] = [
            row for bet, counter, events in counted for row in _by_value(bet, counter, events)
        ]
    return rows


def left_out(game: Game) -> list[dict[str, Any]]:
    """The bets that are left out of the tables of draws: name, events, and the number of rows that the bet would
    take."""
    return _counted(game)[1]


# A bet's name, its counter, and the events of its lines. An event that several bets share is listed for one of them.
_Counted = tuple[str, HandCounter, dict[int, str]]


@lru_cache(maxsize=4)
def _counted(game: Game) -> tuple[list[_Counted], list[dict[str, Any]]]:
    """The bets that look at ranks or suits: first those in the tables, then those left out. Bets with fewer rows are
    taken first, up to `MOST_ROWS` rows in all."""
    bets, needing = on_hands(game.bets), []
    for k, bet in enumerate(bets):
        counter = line_counter(bet, game.tableau)
        events = {i: name for name, (at, i) in lines_of_events(game).items() if at == k}
        if counter.knows != "value" and events:
            needing.append((bet.name, counter, events))
    rows, kept = 0, set()
    for name, counter, _ in sorted(needing, key=lambda each: _rows(each[1])):
        rows += _rows(counter)
        if rows <= MOST_ROWS:
            kept.add(name)
    long = [
        {"bet": name, "events": list(events.values()), "rows": _rows(counter)}
        for name, counter, events in needing
        if name not in kept
    ]
    return [each for each in needing if each[0] in kept], long


def _rows(counter: HandCounter) -> int:
    return len(counter.by_kind.slot) + len(counter.by_value.slot)


def _kinds(bet: str, counter: HandCounter) -> Rows:
    suits = SUITS if counter.knows == "card" else ("",)
    return [
        {"bet": bet, "rank": rank, "suit": suit, "kind": counter.kinds[len(SUITS) * i + j]}
        for i, rank in enumerate(RANKS)
        for j, suit in enumerate(suits)
    ]


def _by_kind(bet: str, counter: HandCounter, events: dict[int, str]) -> Rows:
    used = {term.base for term in counter.by_value.terms() if term.slot // counter.sizes in events}
    return [
        {"bet": bet, "sum": term.slot, "weight": term.weight, "kinds": _listed([kind for kind, _ in term.draws])}
        for term in counter.by_kind.terms()
        if term.slot in used
    ]


def _by_value(bet: str, counter: HandCounter, events: dict[int, str]) -> Rows:
    return [
        {
            "bet": bet,
            "event": events[line],
            "sum": term.base,
            "weight": term.weight,
            "values": _listed(["any" if value == ANY_CARD else value for value, _ in term.draws]),
            "drawn_before": _listed([before for _, before in term.draws]),
            "dealt": dealt + 2,
        }
        for term in counter.by_value.terms()
        for line, dealt in [divmod(term.slot, counter.sizes)]
        if line in events
    ]


def _listed(items: list[Any]) -> str:
    return " ".join(map(str, items))


def _json(data: object) -> str:
    return json.dumps(data, separators=(",", ":"))
