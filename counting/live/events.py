"""The events that the lines of a log report: a coup or a part of a coup, a bet, a correction, cards that left the shoe,
or a new shoe. If a line cannot be read, its event is the reason."""

from __future__ import annotations

from typing import NamedTuple

from counting.logs.reading import Wrong
from counting.logs.shoe_lines import ShoeLine

Cards = tuple[int, ...]
Key = tuple[str, str | int, int | None, int | None]  # table, shoe, number, and the log's own number


class DealtCoup(NamedTuple):
    """A coup that was dealt. If the watch numbers coups in the order in which they come, `number` is None, and `raw` is
    the number in the log, or None if the log has no number."""

    table: str
    shoe: str | int  # a number if shoes have no names; when the number falls, a new shoe begins
    number: int | None
    raw: int | None
    player: Cards
    banker: Cards
    burn: Cards = ()
    decks: int | None = None  # the decks of the shoe, if the log gives them


class StakedBet(NamedTuple):
    """A bet that was placed. `amount` is in hundredths."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None
    patron: str
    bet: str
    amount: int


class Undo(NamedTuple):
    """A coup that the log takes back."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None


class Out(NamedTuple):
    """Cards that left the shoe outside a coup: burned, exposed, or dealt in a dead game. `number` is the dead game's
    number, None for other events."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None
    word: str
    cards: Cards


class CoupPart(NamedTuple):
    """A part of a coup that comes in several rows.

    - `of`: the coup's key
    - `coup`: the coup, as far as this row has it
    - `card`: if the row has a single card, the card's hand, its place in the hand (0 for the next free place) and its
      code
    - `won`: whether the row has the winner"""

    of: str
    coup: DealtCoup | None
    card: tuple[str, int, int] | None = None
    won: bool = False


class Frame(NamedTuple):
    """A frame of an electronic shoe."""

    data: bytes


Event = (
    DealtCoup | StakedBet | Undo | Out | CoupPart | Frame | ShoeLine | Wrong | None
)  # None for a blank line or a line of column names
