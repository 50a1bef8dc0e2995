"""What a person sees: a line for each coup, and an overview of the tables, the largest edge first."""

from __future__ import annotations

import math
import sys
from collections import deque
from types import TracebackType
from typing import TYPE_CHECKING

from counting.errors import printable
from counting.live.alerting import missing_cards, sentence, table_name
from counting.live.judging import WatchSettings
from counting.live.records import LineAnswer, Record
from counting.live.shoes import Row
from counting.live.tables import LiveTable
from counting.live.watching import Watch
from counting.numbers import many

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_SHOWN, _ALERTS = 30, 8
_SHOWN_NAME = 24


def line_words(answer: LineAnswer, settings: WatchSettings) -> str | None:
    """What a line of the log did, as a line of text for a person. None if there is nothing to report."""
    text, record = _did(answer.record, settings), answer.record
    more = []
    if "aside" in record:
        more.append(f"shoe {record['shoe']} goes on after a line of shoe {record['aside']}: a mistyped name?")
    for shoe, table, earlier in record.get("shoes_again", ()):
        of = table_name({"table": table})
        more.append(
            f"shoe {shoe} had the same cards as {of}, shoe {earlier}, in the same order: logged twice? It is not used "
            "as evidence"
        )
    if not more:
        return text
    return printable("; ".join([text if text is not None else table_name(record), *more]))


def _did(record: Record, settings: WatchSettings) -> str | None:
    did = record["did"]
    if did == "bad":
        column = f"{record['column']}: " if "column" in record else ""
        return printable(f"line {record['line']}: {column}{record['value']!r}: {record['reason']}")
    if did == "anew":
        return "the input begins anew"
    if did == "shoe":
        where = table_name(record) if record["table"] else "all tables"
        what = f"shoe {record['shoe']}" if record["shoe"] else "a new shoe"
        return printable(f"{where}: {what} begins")
    if did in ("blank", "reads", "part"):
        return None
    place = f"{table_name(record)}, shoe {record['shoe']}, coup {record['coup']}"
    if did in ("again", "old", "nothing"):
        reason = {
            "again": "the same as before, not counted", "old": "a line of a shoe that is over, not counted",
            "nothing": "taken back, but it was not in the log",
        }[did]  # fmt: skip
        return printable(f"{place}: {reason}")
    if did == "bet":
        factor = record.get("raise", 0.0)
        if factor < settings.raised:
            return None
        amount = f"{record['amount'] / 100:,.2f}".removesuffix(".00")
        return printable(
            f"{place}: {record['patron']} raises: {amount} on {record['bet']}, {factor:.1f} times the median"
        )
    of = {"replaced": "replaced", "late": "late", "undone": "taken back", "out": record.get("event")}.get(did)
    corrected = f" ({of})" if of else ""
    parts = [f"{record['left']} cards unseen", *_bets(record, settings)]
    return printable(f"{place}{corrected}: {', '.join(parts)}")


def _bets(record: Record, settings: WatchSettings) -> list[str]:
    if record["left"] < 0:
        return ["no edges"]
    best = sorted(record["positive"].items(), key=lambda each: -each[1])
    parts = []
    for bet, edge in best:
        worth = f" (worth {edge * settings.most_bet[bet]:,.2f})" if bet in settings.most_bet else ""
        parts.append(f"{bet} {100 * edge:+.2f}%{worth}")
    return [*(parts or ["no bet has a positive edge"]), *missing_cards(record)]


def answer_data(answer: LineAnswer, watch: Watch) -> Record:
    """The data of an answer to a line. If the line changed a shoe, the data have the edge of every bet; an edge that
    cannot be known is null."""
    data = {name: value for name, value in answer.record.items() if name not in ("bytes", "crc", "end", "input", "is")}
    if "amount" in data:
        data["amount"] /= 100
    if answer.state is None:
        return data
    edges = dict(zip(watch.prices.bets, answer.state.edges, strict=True))
    data["edges"] = {bet: None if math.isnan(edge) else edge for bet, edge in edges.items()}
    most = watch.settings.most_bet
    data["worth"] = {bet: edge * most[bet] for bet, edge in data["positive"].items() if bet in most}
    names = [system.name for system in watch.settings.systems]
    data["counts"] = {
        name: None if math.isnan(count) else count for name, count in zip(names, answer.state.counts, strict=True)
    }
    return data


def table_rows(watch: Watch) -> list[Row]:
    """The tables, with the largest edge first."""
    shown = []
    for table in watch.tables:
        shoe = table.shoe
        if shoe.glance is None or shoe.glance[0] is not shoe.state:
            shoe.glance = shoe.state, _row(watch, table)
        shown.append(shoe.glance[1])
    return sorted(shown, key=lambda row: -math.inf if row.edge is None else row.edge, reverse=True)


def _row(watch: Watch, table: LiveTable) -> Row:
    most, shoe, state = watch.settings.most_bet, table.shoe, table.shoe.state
    edges = {} if state is None else dict(zip(watch.prices.bets, state.edges, strict=True))
    known = {bet: edge for bet, edge in edges.items() if not math.isnan(edge)}
    bet = max(known, key=lambda name: known[name], default="")
    edge = known.get(bet)
    lacks = missing_cards({name: n for name, n in (("missing", shoe.missing), ("unread", shoe.unread)) if n})
    lacks += ["more cards than the shoe has"] * shoe.impossible
    worth = edge * most[bet] if edge is not None and edge > 0 and bet in most else None
    positive = sum(edge > 0 for edge in known.values())
    left = None if state is None else state.left
    return Row(table.name, shoe.name, shoe.last, left, bet, edge, worth, positive, ", ".join(lacks))


def lines_counted(watch: Watch) -> str:
    """The numbers of tables, coups, corrections, bets and alerts, and how many lines could not be read or placed."""
    numbers = watch.numbers
    each = {
        "table": len(watch.tables), "coup": numbers["coup"] + numbers["late"],
        "correction": numbers["replaced"] + numbers["undone"], "bet": numbers["bet"], "alert": watch.alerts,
    }  # fmt: skip
    parts = [many(number, name) for name, number in each.items()
             if number or name != "correction"]  # fmt: skip
    lost = {
        "bad": "not read", "again": "repeated", "old": "of shoes that are over",
        "nothing": "taking back what was not in the log",
        "aside": "after which an earlier shoe went on (mistyped name?)",
    }  # fmt: skip
    if again := numbers["shoe again"]:
        parts.append(f"{many(again, 'shoe')} that {'are' if again != 1 else 'is'} the same as an earlier shoe")
    parts += [f"{many(numbers[did], 'line')} {text}" for did, text in lost.items() if numbers[did]]
    return ", ".join(parts)


class TerminalView:
    """The tables on a terminal, while they are watched."""

    def __init__(self, settings: WatchSettings, console: Console | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self._settings = settings
        self._last: deque[Record] = deque(maxlen=_ALERTS)
        self._live = Live(console=console or Console(file=sys.stderr), auto_refresh=False, transient=False)

    def __enter__(self) -> TerminalView:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def add(self, answer: LineAnswer) -> None:
        self._last.extend(answer.alerts)

    def show(self, watch: Watch) -> None:
        self._live.update(self._drawn(watch), refresh=True)

    def _drawn(self, watch: Watch) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        listed = table_rows(watch)
        drawn = Table(title=lines_counted(watch), title_justify="left", expand=False)
        for name, justify in (("table", "left"), ("shoe", "left"), ("coup", "right"), ("unseen", "right"),
                              ("best bet", "left"), ("edge", "right"), ("worth", "right"), ("positive", "right"),
                              ("", "left")):  # fmt: skip
            drawn.add_column(name, justify=justify)  # type: ignore[arg-type]
        for row in listed[:_SHOWN]:
            style = "bold" if row.positive else ""
            cells = [cell if len(cell) <= _SHOWN_NAME else cell[: _SHOWN_NAME - 1] + "…" for cell in row_cells(row)[:2]]
            drawn.add_row(*(Text(printable(cell), style) for cell in (*cells, *row_cells(row)[2:])))
        more = [Text(f"and {len(listed) - _SHOWN:,} more tables")] if len(listed) > _SHOWN else []
        return Group(drawn, *more, *(Text(sentence(alert)) for alert in self._last))


def row_cells(row: Row) -> list[str]:
    """A table's row of the overview, as texts."""
    return [
        row.table, row.shoe, str(row.coup), "" if row.left is None else str(row.left), row.bet,
        "" if row.edge is None else f"{100 * row.edge:+.2f}%", "" if row.worth is None else f"{row.worth:,.2f}",
        str(row.positive), row.lacks,
    ]  # fmt: skip
