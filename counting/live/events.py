"""What a line of a log says as it comes: a coup or a part of one, a bet or a correction, or why it cannot be read."""

from __future__ import annotations

from typing import NamedTuple

from counting.logs.reading import Wrong
from counting.logs.shoe_lines import ShoeLine

Cards = tuple[int, ...]
Key = tuple[str, str | int, int | None, int | None]  # table, shoe, number and the log's own number


class DealtCoup(NamedTuple):
    """A coup that was dealt. `number` is null where coups are numbered as they come, and `raw` then the log's own."""

    table: str
    shoe: str | int  # a number where a new shoe is known by its fall
    number: int | None
    raw: int | None
    player: Cards
    banker: Cards
    burn: Cards = ()
    decks: int | None = None  # of the shoe, where it is logged


class StakedBet(NamedTuple):
    """A bet that was placed; `amount` in hundredths."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None
    patron: str
    bet: str
    amount: int


class Undo(NamedTuple):
    """A coup taken back."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None


class Out(NamedTuple):
    """Cards that left the shoe in no coup: burned or exposed, or those of a dead game; `number` is that of the dead
    game, null of other events."""

    table: str
    shoe: str | int
    number: int | None
    raw: int | None
    word: str
    cards: Cards


class CoupPart(NamedTuple):
    """A part of a coup that comes in several rows: which coup it is of, the coup as this row has it, or a card with its
    hand and place (0 for the next), and whether the winner is there."""

    of: str
    coup: DealtCoup | None
    card: tuple[str, int, int] | None = None
    won: bool = False


class Frame(NamedTuple):
    """A frame of an electronic shoe."""

    data: bytes


Event = (
    DealtCoup | StakedBet | Undo | Out | CoupPart | Frame | ShoeLine | Wrong | None
)  # None for a line of column names or a blank one
