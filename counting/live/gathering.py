"""Coups that come in several rows: the parts of each coup are kept until it is whole.

If a coup comes in frames, it ends with the frame of its result. If it comes in rows, it is passed on as soon as the
drawing rules deal no further card, or the row with its winner has come. If the watch can know neither, for example
after a card that was not read, the coup is passed on when cards of the table's next coup come. If a later row changes
the coup, it is passed on again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from counting.games import Tableau
from counting.live.events import CoupPart, DealtCoup, Event, Frame, Out, Undo
from counting.live.lines import event_of, name_of
from counting.logs.deal_order import is_dealt_out
from counting.logs.frames import ROUTINE, FrameCoups
from counting.logs.hands import LEAST_HAND
from counting.logs.layouts import HANDS
from counting.logs.reading import Reading

KEPT = 30  # how many of a table's last coups may still get rows


class CoupGatherer:
    """Puts parts of coups together."""

    def add(self, part: CoupPart | Frame) -> list[Event]:
        """The coups that this part makes whole, in order: usually none or one. A frame may also give another event."""
        raise NotImplementedError

    def passed(self, coup: DealtCoup) -> None:
        """Take note that this coup is in the journal, which means that it was passed on."""

    def over(self, coup: DealtCoup) -> None:
        """Take note that a coup came whole in one line. Parts of it that came earlier are dropped."""

    def forget(self, coup: Undo) -> None:
        """Take note that the log takes this coup back."""

    def anew(self) -> None:
        """Take note that the input begins anew."""

    def waiting(self) -> int:
        """The number of coups that have begun and were not passed on yet."""
        raise NotImplementedError

    def kept(self) -> Any:
        """The state for `restore`, as JSON."""
        raise NotImplementedError

    def restore(self, kept: Any) -> None:
        """Restore the state that `kept` returned."""
        raise NotImplementedError


def gathering_of(reading: Reading, tableau: Tableau) -> CoupGatherer:
    """The gatherer for the coups of this reading. If each coup is one line, it gathers only rows of hands in
    progress."""
    return _OfFrames(reading, tableau) if reading.holds == "frames" else _OfRows(tableau)


class _OfFrames(CoupGatherer):
    """Frames of one table. When the file begins anew, the next shoe begins."""

    def __init__(self, reading: Reading, tableau: Tableau) -> None:
        assert reading.fit.layout.frames is not None
        self._reading, self._tableau, self._form = reading, tableau, reading.fit.layout.frames
        self._coups, self._shoe = FrameCoups(self._form), 1

    def add(self, part: CoupPart | Frame) -> list[Event]:
        assert isinstance(part, Frame)
        events = [event_of(self._reading, self._reading.coup(texts, self._tableau))
                  for texts in self._coups.add(part.data) if texts["event"] not in ROUTINE]  # fmt: skip
        return [event._replace(shoe=self._name(event.shoe)) if isinstance(event, DealtCoup | Out) else event
                for event in events]  # fmt: skip

    def _name(self, shoe: str | int) -> str:
        return str(shoe) if self._shoe == 1 else f"{shoe} ({self._shoe})"

    def anew(self) -> None:
        self._coups, self._shoe = FrameCoups(self._form), self._shoe + 1

    def waiting(self) -> int:
        return int(bool(self._coups.cards))

    def kept(self) -> Any:
        return [self._shoe, *self._coups.kept()]

    def restore(self, kept: Any) -> None:
        self._shoe, *of_coups = kept
        self._coups.restore(of_coups)


@dataclass
class _Begun:
    """A coup of which rows have come.

    - `coup`: the coup as its own row gives it
    - `cards`: its cards by hand and place
    - `won`: whether its winner has come
    - `first`: its place in the order in which coups got their first cards
    - `passed`: the coup as it was last passed on"""

    coup: DealtCoup | None = None
    cards: dict[str, dict[int, int]] = field(default_factory=lambda: {hand: {} for hand in HANDS})
    won: bool = False
    first: int | None = None
    passed: DealtCoup | None = None

    def whole(self) -> DealtCoup:
        assert self.coup is not None
        player, banker = (tuple(card for _, card in sorted(self.cards[hand].items())) for hand in HANDS)
        return self.coup._replace(player=player, banker=banker)

    def has_hands(self) -> bool:
        return all(len(cards) >= LEAST_HAND for cards in self.cards.values())


class _OfRows(CoupGatherer):
    """Rows of coups and cards."""

    def __init__(self, tableau: Tableau) -> None:
        self._tableau = tableau
        self._begun: dict[str, _Begun] = {}
        self._of_table: dict[str, list[str]] = {}
        self._number = 0  # the number of coups of which a card has come

    def add(self, part: CoupPart | Frame) -> list[Event]:
        assert isinstance(part, CoupPart)
        begun = self._begun.setdefault(part.of, _Begun())
        if part.coup is not None:
            self._take(begun, part, part.coup)
        if part.card is not None:
            hand, place, code = part.card
            cards = begun.cards[hand]
            cards[place or len(cards) + 1] = code
        if begun.first is None and any(begun.cards.values()):
            self._number += 1
            begun.first = self._number
        if begun.coup is None or begun.first is None:
            return []
        before = [each for each in map(self._begun.__getitem__, self._of_table[begun.coup.table])
                  if each.passed is None and each.first is not None and each.first < begun.first]  # fmt: skip
        events: list[Event] = [self._tell(each) for each in before if each.has_hands()]
        if (begun.passed is not None and begun.whole() != begun.passed) or (
            begun.passed is None and self._is_whole(begun)
        ):
            events.append(self._tell(begun))
        return events

    def _take(self, begun: _Begun, part: CoupPart, coup: DealtCoup) -> None:
        """Take the coup's own row. For each hand, this row has all cards or none."""
        if begun.coup is None:
            of_table = self._of_table.setdefault(coup.table, [])
            of_table.append(part.of)
            for old in of_table[:-KEPT]:
                del self._begun[old]
            del of_table[:-KEPT]
        begun.coup, begun.won = coup, part.won
        for hand, codes in zip(HANDS, (coup.player, coup.banker), strict=True):
            if codes:
                begun.cards[hand] = dict(enumerate(codes, 1))

    def _is_whole(self, begun: _Begun) -> bool:
        coup = begun.whole()
        is_won = begun.won and min(len(coup.player), len(coup.banker)) >= LEAST_HAND
        return is_won or is_dealt_out(coup.player, coup.banker, self._tableau)

    def _tell(self, begun: _Begun) -> DealtCoup:
        begun.passed = begun.whole()
        return begun.passed

    def passed(self, coup: DealtCoup) -> None:
        for key in self._of(coup):
            self._tell(self._begun[key])

    def forget(self, coup: Undo) -> None:
        for key in self._of(coup):
            self._of_table[coup.table].remove(key)
            del self._begun[key]

    def over(self, coup: DealtCoup) -> None:
        key = name_of(coup)
        if key in self._begun:
            self._of_table[coup.table].remove(key)
            del self._begun[key]

    def _of(self, coup: DealtCoup | Undo) -> list[str]:
        """The keys of this coup among the coups that have begun."""
        return [key for key in self._of_table.get(coup.table, ()) if _is_same(self._begun[key].coup, coup)]

    def waiting(self) -> int:
        return sum(begun.passed is None for begun in self._begun.values())

    def kept(self) -> Any:
        parts = [[key, begun.coup, [[hand, *card] for hand, cards in begun.cards.items() for card in cards.items()],
                  begun.won, begun.first, begun.passed] for key, begun in self._begun.items()]  # fmt: skip
        return [self._number, parts, self._of_table]

    def restore(self, kept: Any) -> None:
        self._number, parts, of_table = kept
        self._of_table = {table: list(keys) for table, keys in of_table.items()}
        for key, coup, cards, won, first, passed in parts:
            begun = self._begun[key] = _Begun(as_coup(coup), won=won, first=first, passed=as_coup(passed))
            for hand, place, code in cards:
                begun.cards[hand][place] = code


def _is_same(coup: DealtCoup | None, other: DealtCoup | Undo) -> bool:
    return coup is not None and (coup.number, coup.raw) == (other.number, other.raw)


def as_coup(values: Any) -> DealtCoup | None:
    """A coup from its JSON. None for null."""
    if values is None:
        return None
    table, shoe, number, raw, player, banker, burn, decks = values
    return DealtCoup(table, shoe, number, raw, tuple(player), tuple(banker), tuple(burn), decks)


def as_part(values: Any) -> CoupPart | Frame:
    """The part that `of_part` wrote to the journal."""
    if isinstance(values, str):
        return Frame(bytes.fromhex(values))
    key, coup, card, won = values
    return CoupPart(key, as_coup(coup), None if card is None else tuple(card), won)


def of_part(part: CoupPart | Frame) -> Any:
    """A part as JSON."""
    return part.data.hex() if isinstance(part, Frame) else list(part)
