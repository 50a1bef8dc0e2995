"""The events of a table that a line of a log reports."""

from __future__ import annotations

from counting.games import Tableau
from counting.live.events import CoupPart, DealtCoup, Event, Frame, Out, StakedBet, Undo
from counting.logs.reading import Reading, Said, Wrong
from counting.logs.shoe_lines import ShoeLine, Shoes


def events_of(reading: Reading, line: bytes, tableau: Tableau, shoes: Shoes | None = None) -> list[Event]:
    """The events of a line, in order. `shoes` has the shoes that earlier lines began."""
    return [event_of(reading, said) for said in reading.said(line, tableau, shoes)]


def event_of(reading: Reading, said: Said | Wrong) -> Event:
    """The event of one of the parts into which the reading has divided a line."""
    if isinstance(said, Wrong):
        return said
    key, values = said.key, said.values
    match said.kind:
        case "coup":
            coup = DealtCoup(*key, values["player"], values["banker"], values["burn"], values.get("decks"))
            if not (reading.gathers or values["progress"]):
                return coup
            of = values["id"] if reading.cards and "card" not in values else name_of(coup)
            return CoupPart(of, coup, values.get("card"), values.get("winner") is not None)
        case "bet":
            return StakedBet(*key, values["patron"], values["bet"], values["amount"])
        case "undo":
            return Undo(*key)
        case "out":
            return Out(*key, values["event"], values["cards"])
        case "shoe":
            return ShoeLine(key[0], str(key[1]))
        case "card":
            return CoupPart(values["of"], None, values["card"])
    return Frame(values["data"])


def name_of(coup: DealtCoup) -> str:
    """The key of a coup among the coups that may still get rows."""
    return " ".join(map(str, (coup.table, coup.shoe if isinstance(coup.shoe, str) else "", coup.number, coup.raw)))
