"""The records of the journal: what a watch keeps of a line and of what the line did. Events are written as records, and
are read back from them."""

from __future__ import annotations

from typing import Any, NamedTuple

from counting.live.events import Cards, DealtCoup, Key, Out, StakedBet, Undo
from counting.live.shoes import State
from counting.live.tables import Change
from counting.logs import UNREAD, card_name
from counting.logs.cards import MOST_CODE

Record = dict[str, Any]

COUPS, BETS, CARDS = 0, 1, 2  # numbers of the inputs
_CODE = {card_name(code): code for code in (UNREAD, *range(MOST_CODE + 1))}


class InputLine(NamedTuple):
    """A line of an input.

    - `raw`: its bytes; None if the input begins anew
    - `end`: the place in the input where the line ends
    - `number`: the line's number
    - `within`: 0 for the line's last event; for any other event, its number among the line's events"""

    input: int
    raw: bytes | None
    end: int
    number: int
    within: int = 0


class LineAnswer(NamedTuple):
    """The answer to a line: its record, and the shoe's state if the line changed it."""

    record: Record
    state: State | None = None

    @property
    def alerts(self) -> list[Record]:
        return self.record.get("alerts") or []


def _words(cards: Cards) -> str:
    return " ".join(map(card_name, cards))


def described(event: DealtCoup | StakedBet | Undo | Out, change: Change) -> Record:
    """The record of an event and of what it did. `recorded_event` reads it."""
    record: Record = {"did": change.did, "is": "coup", "table": event.table, "shoe": event.shoe, "coup": change.number}
    if isinstance(event.shoe, int):
        record |= {"shoe": change.shoe.name, "counter": event.shoe}
    if event.number is None:
        record |= {"raw": event.raw}
    if isinstance(event, DealtCoup):
        record |= {"player": _words(event.player), "banker": _words(event.banker)}
        if event.burn:
            record |= {"burn": _words(event.burn)}
        return record | {"decks": event.decks} if event.decks else record
    if isinstance(event, StakedBet):
        return record | {"is": "bet", "patron": event.patron, "bet": event.bet, "amount": event.amount}
    if isinstance(event, Out):
        return record | {"is": "out", "dead": event.number, "event": event.word, "out": _words(event.cards)}
    return record | {"is": "undo"}


def recorded_event(record: Record) -> DealtCoup | StakedBet | Undo | Out | None:
    """The event of a record. None if the line had no event, could not be read, was a part of a coup, or began a
    shoe."""
    if "is" not in record:
        return None
    number, raw = (None, record["raw"]) if "raw" in record else (record["coup"], None)
    key: Key = record["table"], record["counter"] if "counter" in record else record["shoe"], number, raw
    match record["is"]:
        case "coup":
            player, banker, burn = (
                tuple(_CODE[word] for word in record.get(name, "").split()) for name in ("player", "banker", "burn")
            )
            return DealtCoup(*key, player, banker, burn, record.get("decks"))
        case "bet":
            return StakedBet(*key, patron=record["patron"], bet=record["bet"], amount=record["amount"])
        case "out":
            cards = tuple(_CODE[word] for word in record["out"].split())
            return Out(key[0], key[1], record["dead"], None, record["event"], cards)
    return Undo(*key)
