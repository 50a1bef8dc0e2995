"""The watched tables: for each, the shoe that it deals, the shoes that may go on, and the shoes that are over.

A line with another shoe's name begins a shoe, but the name may be mistyped. So the earlier shoe is over only when the
new shoe has dealt two coups in a row. Until then, a line with the earlier shoe's name and a later coup goes on with the
earlier shoe. At most three shoes of a table wait in this way. If there are more, the shoes with the fewest coups count
as over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from counting.live.events import DealtCoup, Out, StakedBet, Undo
from counting.live.shoes import CoupCards, LiveShoe, Stake

_OVER = 2  # once a shoe has this number of new coups in a row, earlier shoes are over
_MOST_ASIDE = 3  # the most shoes of a table that are set aside and may go on
_MOST_OVER = 10_000  # repeats of a shoe are looked for among this number of the shoes that ended last


class Change(NamedTuple):
    """What a line did.

    - `did`: one of the words below
    - `number`: the coup's number
    - `stake`: the bet
    - `aside`: if the line goes on with an earlier shoe, the name of the shoe that is set aside for it
    - `over`: the shoes that are over now

    The words of `did`:

    - "coup": a new coup
    - "late": a new coup with a smaller number than the shoe's last coup
    - "replaced": a coup with other cards than before
    - "undone": a coup taken back
    - "out": cards that left the shoe outside a coup
    - "bet": a new bet
    - "again": a repeat, which is not counted
    - "old": a line of an earlier shoe that does not go on with this shoe
    - "nothing": taking back a coup that was not there"""

    did: str
    table: str
    shoe: LiveShoe
    number: int
    stake: Stake | None = None
    aside: str | None = None
    over: Sequence[LiveShoe] = ()


@dataclass(eq=False)
class LiveTable:
    """A table.

    - `shoe`: the shoe that it deals
    - `together`: how many new coups of this shoe came in a row
    - `aside`: the shoes that were set aside and may go on
    - `past`: the first coup of each earlier shoe, by the shoe's name
    - `counter`: if shoes have no names, the last number that came in place of a name; when this number falls, a new
      shoe begins
    - `shoes`: the number of shoes so far, if shoes have no names"""

    name: str
    shoe: LiveShoe
    past: dict[str, CoupCards | None] = field(default_factory=dict)
    counter: int | None = None
    shoes: int = 1
    aside: list[LiveShoe] = field(default_factory=list)
    together: int = 0

    @property
    def open(self) -> list[LiveShoe]:
        """The table's shoes that are not over."""
        return [self.shoe, *self.aside]

    def turn_to(self, shoe: LiveShoe) -> list[LiveShoe]:
        """Deal from this shoe, and set the previous shoe aside. Returns the shoes that are over now."""
        self.past[self.shoe.name] = self.shoe.coups.get(1)
        others = [each for each in self.open if each is not shoe and each.name != shoe.name]
        others.sort(key=lambda each: -len(each.coups))
        over = [each for each in self.open if each is not shoe and each not in others[:_MOST_ASIDE]]
        self.shoe, self.aside, self.together = shoe, others[:_MOST_ASIDE], 0
        return over

    def kept(self) -> list[Any]:
        """The state for `restored`, as JSON."""
        return [
            self.name, self.counter, self.shoes, list(self.past.items()), self.together,
            [shoe.kept() for shoe in self.open],
        ]  # fmt: skip

    @classmethod
    def restored(cls, kept: list[Any]) -> LiveTable:
        """The table that `kept` wrote."""
        name, counter, shoes, past, together, of_shoes = kept
        shoe, *aside = (LiveShoe.restored(name, each) for each in of_shoes)
        before = {each: None if dealt is None else CoupCards.restored(dealt) for each, dealt in past}
        return cls(name, shoe, before, counter, shoes, aside, together)


class LiveTables:
    """All tables by name."""

    def __init__(self) -> None:
        self._tables: dict[str, LiveTable] = {}
        self.over: dict[str, tuple[str, str]] = {}  # of the shoes ended last: table and name, by digest of the cards

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(self._tables.values())

    def __len__(self) -> int:
        return len(self._tables)

    def add(self, table: LiveTable) -> None:
        """Add a table that was kept."""
        self._tables[table.name] = table

    def of(self, name: str) -> LiveTable:
        """The table with this name."""
        return self._tables[name]

    def knows(self, event: StakedBet) -> bool:
        """Whether the coup of a bet was dealt already, or the bet is in an earlier shoe of the table. Always true for a
        known table whose shoes have no names."""
        table = self._tables.get(event.table)
        if table is None or table.counter is not None:
            return table is not None
        if str(event.shoe) != table.shoe.name:
            return str(event.shoe) in table.past
        if event.number is None:
            return event.raw in table.shoe.numbers
        return event.number <= table.shoe.last

    def change(self, event: DealtCoup | StakedBet | Undo | Out) -> Change:
        """Take note of a line. Returns what it did."""
        table, shoe, aside, over = self._shoe(event)
        if shoe is None:
            return Change("old", event.table, table.shoe, event.number or 0)
        did, number, stake = shoe.take(event)
        if did == "coup":
            table.together += 1
            if table.aside and table.together >= _OVER:
                over, table.aside = [*over, *table.aside], []
        for each in over:
            digest, at = each.digest, (table.name, each.name)
            if digest is not None and (earlier := self.over.setdefault(digest, at)) != at:
                each.again = earlier
            if len(self.over) > _MOST_OVER:
                del self.over[next(iter(self.over))]
        return Change(did, table.name, shoe, number, stake, aside, over)

    def _shoe(
        self, event: DealtCoup | StakedBet | Undo | Out
    ) -> tuple[LiveTable, LiveShoe | None, str | None, Sequence[LiveShoe]]:
        """Returns four values:

        - the table of a line
        - its shoe; None if the line is of an earlier shoe and does not go on with it
        - the name of the shoe that is set aside for an earlier shoe
        - the shoes that are over now

        A name that is new to the table begins a shoe. A line with the name of an earlier shoe goes on with that shoe,
        if the shoe is not over and the line comes after its last coup (`LiveShoe.goes_on`). Otherwise the line is too
        late. But if the line is a first coup, and not the same as that shoe's first coup, it begins a new shoe of the
        same name."""
        name = str(event.shoe)
        table = self._tables.get(event.table)
        if table is None:
            counter = event.shoe if isinstance(event.shoe, int) else None
            table = LiveTable(event.table, LiveShoe("1" if counter is not None else name), counter=counter)
            self._tables[event.table] = table
            return table, table.shoe, None, ()
        if table.counter is not None:
            if not isinstance(event, DealtCoup) or not isinstance(event.shoe, int):
                return table, table.shoe, None, ()
            falls, table.counter = event.shoe < table.counter, event.shoe
            if not falls:
                return table, table.shoe, None, ()
            table.shoes += 1
            name = str(table.shoes)
        if name == table.shoe.name:
            return table, table.shoe, None, ()
        for shoe in table.aside:
            if shoe.name == name and shoe.goes_on(event):
                return table, shoe, table.shoe.name, table.turn_to(shoe)
        if name in table.past and not _begins(event, table.past[name]):
            return table, None, None, ()
        new = LiveShoe(name)
        return table, new, None, table.turn_to(new)


def _begins(event: DealtCoup | StakedBet | Undo | Out, first: CoupCards | None) -> bool:
    """Whether a line begins a new shoe under the name of an earlier shoe. `first` is the first coup of the earlier
    shoe."""
    if not isinstance(event, DealtCoup) or event.number != 1:
        return False
    return first != CoupCards(event.player, event.banker, event.burn, event.decks)
