"""The watch itself. For each line of the inputs, the watch returns what the line did, and the alerts. If the line
changed a shoe, the watch also returns what every bet is worth now.

The watch reads no file and no clock. Once it is known how an input is read, its lines give the same records, however
they are divided into batches. With several inputs, the order of their lines depends on the batches. A watch that takes
up its journal goes on as if it had never stopped."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from zlib import crc32

from counting.errors import nearest
from counting.games import catalog
from counting.live.events import CoupPart, DealtCoup, Event, Frame, StakedBet, Undo
from counting.live.gathering import CoupGatherer, as_part, gathering_of, of_part
from counting.live.judging import Judge, JudgedLine, WatchSettings, fired, make_room
from counting.live.knowing import Knowing, Named, WatchedPatron
from counting.live.lines import events_of
from counting.live.prices import Prices
from counting.live.records import BETS, CARDS, COUPS, InputLine, LineAnswer, Record, described, recorded_event
from counting.live.shoes import LiveShoe, Seen, State
from counting.live.tables import Change, LiveTable, LiveTables
from counting.logs import Layout
from counting.logs.first_lines import bet_reading, card_reading, coup_reading
from counting.logs.reading import Reading, Wrong
from counting.logs.remarks import short
from counting.logs.shoe_lines import ShoeLine, Shoes

_NAMES = {COUPS: "coups", BETS: "bets", CARDS: "cards"}
_TOGETHER = 16  # lines that are priced together: about two milliseconds
_CORRECTS = frozenset(["replaced", "late", "undone"])
_MOVES = _CORRECTS | {"coup", "out"}


class Watch:
    """Tables under watch. `names` are the inputs' names in error lines."""

    def __init__(
        self, settings: WatchSettings, layout: Layout | None = None, names: Mapping[int, str] = _NAMES
    ) -> None:
        self.settings = settings
        self.prices = Prices(settings.game, settings.decks, settings.systems)
        self.tables = LiveTables()
        self.numbers: Counter[str] = Counter()  # the number of lines, by what they did
        self.alerts = 0
        self._layout, self._names = layout, {**_NAMES, **names}
        self._readings: dict[int, Reading] = {}
        self._gathering: CoupGatherer | None = None
        self._shoes = {of: Shoes() for of in _NAMES}  # for each input, the shoes that its lines started
        self._restored = 0  # the first record that the restored state does not include; below, the same for each table
        self._restored_tables: dict[str, int] = {}
        self._waiting: dict[int, list[InputLine]] = {COUPS: [], BETS: [], CARDS: []}
        self._within: dict[int, int] = {}  # for each input, how many events of its next line the journal has
        self._judge = Judge(settings, self.prices)
        self._knowing = Knowing(self.prices, settings.level) if settings.level else None

    # Lines

    def take(self, lines: Iterable[InputLine]) -> list[LineAnswer]:
        """The answers to lines; the answers to an input's lines are in the input's order. If it is not known yet how an
        input is read, its lines wait and are answered later."""
        return [answer for answers in self.turns(lines) for answer in answers]

    def turns(self, lines: Iterable[InputLine]) -> Iterator[list[LineAnswer]]:
        """The answers to lines, as `take` gives them, a few lines at a time, so that an alert need not wait for all
        lines. The iterator must be read to its end."""
        for line in lines:
            self._waiting[line.input].append(line)
        records = self._read()
        if records:
            yield list(map(LineAnswer, records))
        steps: list[JudgedLine] = []
        shoes = _Queue()
        for line, event in self._merged():
            for part_of, coup, part in self._whole(line, event):
                steps.append(self._step(part_of, coup, shoes))
                if part is not None:
                    steps[-1].record["part"] = part
            if len(steps) >= _TOGETHER:
                yield self._priced(steps, shoes)
                steps, shoes = [], _Queue()
        if steps:
            yield self._priced(steps, shoes)

    def _priced(self, steps: Sequence[JudgedLine], shoes: _Queue) -> list[LineAnswer]:
        states = self.prices.of(shoes.seen, shoes.decks)
        if self._knowing is not None:
            odds = iter(self._knowing.odds([coup for step in steps for coup in step.wagered]))
            for step in steps:
                step.odds = list(islice(odds, len(step.wagered)))
        return [self._answer(step, states) for step in steps]

    def end(self) -> None:
        """Take note that no more lines come. Raises `InputError` for an input that fits no layout."""
        for kind in _NAMES:
            self._reading(kind, is_over=True)

    def _read(self) -> list[Record]:
        """Find out how to read the inputs for which this is not known yet. Returns a record for each input for which it
        is now known."""
        records = []
        for kind in (COUPS, CARDS, BETS):
            reading = self._reading(kind)
            if reading is not None:
                self._take_reading(kind, reading)
                first = self._waiting[kind][0]
                start = first.end - len(first.raw or b"")
                records.append(
                    {
                        "did": "reads",
                        "input": kind,
                        "end": start,
                        "line": first.number - 1,
                        "reading": reading.to_dict(),
                    }
                )
        return records

    def _reading(self, kind: int, is_over: bool = False) -> Reading | None:
        """How to read an input, from its first lines. None if this is known already, or if the lines do not show it
        yet."""
        head = self._head(kind)
        if kind in self._readings or not head or (kind != COUPS and COUPS not in self._readings):
            return None
        if kind == COUPS:
            cards, tableau = (self._head(CARDS), self._names[CARDS]), self.settings.game.tableau
            return coup_reading(head, self._names[kind], self._layout, tableau, cards, is_over)
        read = bet_reading if kind == BETS else card_reading
        return read(head, self._names[kind], self._readings[COUPS])

    def waiting(self) -> int:
        """The number of coups of which some rows have come, but not all."""
        return 0 if self._gathering is None else self._gathering.waiting()

    def looks(self, kind: int) -> tuple[str, ...]:
        """In words, what an input looks like, or which of its columns were guessed."""
        reading = self._readings[kind]
        guessed = reading.bets.guessed if kind == BETS and reading.bets is not None else ()
        words = f"{self._names[kind]}: read by its headings: {', '.join(guessed)}"
        return (words,) if guessed else reading.fit.looks if kind == COUPS else ()

    def _head(self, kind: int) -> list[bytes]:
        return [line.raw for line in self._waiting[kind] if line.raw is not None]

    def _take_reading(self, kind: int, reading: Reading) -> None:
        self._readings[kind] = reading
        if kind == COUPS:
            self._gathering = gathering_of(reading, self.settings.game.tableau)

    def _merged(self) -> Iterable[tuple[InputLine, Event]]:
        """Lines with their events. If there are several inputs, cards come first, and bets come before their coup."""
        yield from self._events(CARDS)
        bets = deque(self._events(BETS))
        for line, event in self._events(COUPS):
            coup = event.coup if isinstance(event, CoupPart) else event
            while bets and isinstance(coup, DealtCoup) and self._comes_before(bets[0][1], coup):
                yield bets.popleft()
            yield line, event
        yield from bets

    def _events(self, kind: int) -> Iterable[tuple[InputLine, Event]]:
        if kind not in self._readings:
            return
        reading, tableau = self._readings[kind], self.settings.game.tableau
        waiting, self._waiting[kind] = self._waiting[kind], []
        for line in waiting:
            if line.raw is None:
                yield line, None
                continue
            begin, start = line.end - len(line.raw), 0
            for end in reading.ends(line.raw):
                raw, start = line.raw[start:end], end
                part = line._replace(raw=raw, end=begin + end)
                yield from self._parts(part, events_of(reading, raw, tableau, self._shoes[kind]) or [None])

    def _parts(self, line: InputLine, events: Sequence[Event]) -> Iterable[tuple[InputLine, Event]]:
        """A line's events. The last event is paired with the whole line, and each earlier event with a line that stands
        for it (`_beginning`). Events that the journal has already are left out."""
        *others, last = events
        done = self._within.pop(line.input, 0)
        begin = _beginning(line)
        for number, event in enumerate(others[done:], done + 1):
            yield begin._replace(within=number), event
        yield line, last

    def _whole(self, line: InputLine, event: Event) -> Iterable[tuple[InputLine, Event, Any]]:
        """The steps of a line. A step is a line, an event, and a part of a coup for the journal.

        If coups come in several rows, the events are the coups that the line completes. The last event is
        paired with the whole line and the line's part, and each earlier event with a line that stands for it."""
        gathering = self._gathering
        if gathering is not None and line.raw is None and line.input == COUPS:
            gathering.anew()
        if gathering is not None and isinstance(event, Undo):
            gathering.forget(event)
        if gathering is not None and isinstance(event, DealtCoup):
            gathering.over(event)
        if gathering is None or not isinstance(event, CoupPart | Frame):
            yield line, event, None
            return
        *others, last = gathering.add(event) or [event]
        for other in others:
            yield _beginning(line), other, None
        yield line, last, of_part(event)

    def _comes_before(self, event: Event, coup: DealtCoup) -> bool:
        if not isinstance(event, StakedBet):
            return True
        if self.tables.knows(event):
            return True
        at, now = (event.number, coup.number) if event.number is not None else (event.raw, coup.raw)
        return event.table == coup.table and event.shoe == coup.shoe and (at or 0) <= (now or 0)

    def _step(self, line: InputLine, event: Event, shoes: _Queue) -> JudgedLine:
        record: Record = {"did": "blank", "input": line.input, "end": line.end, "line": line.number}
        if line.raw is None:
            return JudgedLine(record | {"did": "anew"})
        record |= {"bytes": len(line.raw), "crc": crc32(line.raw)}
        if line.within:
            record["within"] = line.within
        if isinstance(event, StakedBet):
            event = self._of_game(event)
        if event is None:
            return JudgedLine(record)
        if isinstance(event, CoupPart | Frame):
            return JudgedLine(record | {"did": "part"})
        if isinstance(event, ShoeLine):
            self._shoes[line.input].begin(event)
            return JudgedLine(record | {"did": "shoe"} | event._asdict())
        if isinstance(event, Wrong):
            return JudgedLine(
                record | {"did": "bad"} | {name: of for name, of in event._asdict().items() if of is not None}
            )
        change = self.tables.change(event)
        record |= described(event, change)
        if change.aside is not None:
            record["aside"] = change.aside
        if change.over and any(shoe.again for shoe in change.over):
            record["shoes_again"] = [[shoe.name, *shoe.again] for shoe in change.over if shoe.again is not None]
        shoe = change.shoe
        lacks = {name: number for name, number in (("missing", shoe.missing), ("unread", shoe.unread)) if number}
        step = JudgedLine(record, change, shoe.last, len(shoe.bets) - 1, lacks)
        if self._knowing is not None:
            self._wager(self._knowing, step)
        if change.did in _MOVES:
            self._ask(step, event, shoes)
        elif change.stake is not None:
            make_room(shoe)
            if self._judge.looks_at_bets:
                step.judged[step.place] = shoes.add(shoe, shoe.before(change.number))
        return step

    def _wager(self, knowing: Knowing, step: JudgedLine) -> None:
        """Set what patrons wager on the coup of a line. After a correction, set it for all coups of the shoe."""
        change = step.change
        assert change is not None
        if change.stake is not None:
            knowing.bet(change.stake.patron)
        if change.did == "coup":
            step.wagered = knowing.wagered(change.table, change.shoe, [change.number])
        elif change.did in _CORRECTS:
            step.wagered = knowing.wagered(change.table, change.shoe, sorted(change.shoe.coups))

    def _of_game(self, event: StakedBet) -> StakedBet | Wrong:
        name = self.settings.game.main_bet(event.bet)
        if name in self.prices.place:
            return event._replace(bet=name)
        hint = "; to price it: --also" if name in catalog() else nearest(name, self.prices.place)
        return Wrong("bet", short(event.bet), f"{self.settings.game.name} has no such bet{hint}")

    def _ask(self, step: JudgedLine, event: Event, shoes: _Queue) -> None:
        """Queue the shoe to be priced as it is after this line, which is a coup, cards taken out, or a correction.
        After a correction, also queue the shoe after each coup that the correction reaches. If bets are judged again,
        also queue the shoe before the coup of each bet."""
        assert step.change is not None
        shoe, number = step.change.shoe, step.change.number
        step.now = shoes.add(shoe, shoe.seen.copy())
        corrects = step.change.did not in ("coup", "out")
        if corrects:
            step.replayed = {
                at: shoes.add(shoe, shoe.before(at + 1)) for at in sorted(shoe.coups) if number <= at < shoe.last
            }
        if self._judge.looks_at_bets and _reaches_bets(step.change, event):
            before = {coup: shoes.add(shoe, shoe.before(coup)) for coup in {bet.coup for bet in shoe.bets}}
            # All bets are judged again: what holds for a bet may depend on earlier bets.
            step.judged = {at: before[bet.coup] for at, bet in enumerate(shoe.bets)}

    # Answers

    def _answer(self, step: JudgedLine, states: Sequence[State]) -> LineAnswer:
        record, change = step.record, step.change
        self._count(record)
        if change is None:
            return LineAnswer(record)
        shoe, alerts = change.shoe, []
        state = None
        if step.now is not None:
            state = shoe.state = states[step.now]
            record |= {"left": state.left, "positive": self._judge.positive(state)}
            record |= step.lacks
            if step.replayed:
                record["replayed"] = [
                    [coup, states[at].left, self._judge.positive(states[at])] for coup, at in step.replayed.items()
                ]
            alerts += self._judge.of_shoe(step, state)
        if change.stake is not None and change.stake.factor is not None:
            record["raise"] = change.stake.factor
        if self._knowing is not None:
            alerts += self._judge.of_patrons(step, self._who_knows(self._knowing, step))
        if step.judged:
            alerts += self._judge.of_bets(step, {at: states[place] for at, place in step.judged.items()})
        if alerts:
            for alert in alerts:
                self.alerts += 1
                alert["alert"] = self.alerts
            record["alerts"] = alerts
        return LineAnswer(record, state)

    def _count(self, record: Record) -> None:
        self.numbers[record["did"]] += 1
        if "aside" in record:
            self.numbers["aside"] += 1
        if "shoes_again" in record:
            self.numbers["shoe again"] += len(record["shoes_again"])

    def _who_knows(self, knowing: Knowing, step: JudgedLine) -> list[Named]:
        """The patrons who are named, or no longer named, from this line on."""
        change = step.change
        assert change is not None
        for shoe in change.over:
            knowing.close(change.table, shoe)
        at, corrects = (change.table, change.shoe.name), change.did in _CORRECTS
        if corrects:
            knowing.anew(at)
        for coup, odds in zip(step.wagered, step.odds, strict=True):
            knowing.dealt(coup, odds)
        return knowing.named(at, corrects) if corrects or step.wagered else []

    # Taking up a journal

    @property
    def patrons(self) -> Mapping[str, WatchedPatron]:
        """The patrons whose capitals are carried, by name."""
        return {} if self._knowing is None else self._knowing.patrons

    @property
    def patrons_seen(self) -> int:
        """The number of patrons that the watch has had. A patron who was dropped and bets again counts again."""
        return 0 if self._knowing is None else self._knowing.number

    def replay(self, record: Record) -> None:
        """Take note of a record of the journal. The edges of the shoe are not priced: `settle` does this after the last
        record."""
        number = record.get("n", 0)
        is_new = number >= self._restored  # for everything but the tables
        if record["did"] == "reads":
            if is_new:
                self._take_reading(record["input"], Reading.from_dict(record["reading"]))
            return
        event = recorded_event(record)
        self._within[record["input"]] = record.get("within", 0)
        if is_new:
            self._count(record)
            self.alerts += len(record.get("alerts", ()))
            if record["did"] == "shoe":
                self._shoes[record["input"]].begin(ShoeLine(record["table"], record["shoe"]))
            if self._gathering is not None:
                self._replay_parts(self._gathering, record, event)
        if self._knowing is not None and is_new:
            self._knowing.replayed(record.get("alerts", ()))
        if event is not None and number >= self._restored_tables.get(event.table, 0):
            change = self.tables.change(event)
            if self._knowing is not None:
                for shoe in change.over:
                    self._knowing.replay(change.table, shoe, number)
                if change.stake is not None:
                    self._knowing.bet(change.stake.patron)
            if change.stake is not None:
                make_room(change.shoe)
            elif change.did in _MOVES and _reaches_bets(change, event):
                change.shoe.judged = 0

    def _replay_parts(self, gathering: CoupGatherer, record: Record, event: Event) -> None:
        if "part" in record:
            gathering.add(as_part(record["part"]))
        elif isinstance(event, DealtCoup):
            gathering.passed(event)
        elif isinstance(event, Undo):
            gathering.forget(event)
        elif record["did"] == "anew" and record["input"] == COUPS:
            gathering.anew()

    def kept(self) -> Record:
        """The state for `restore`, as JSON. Tables and patrons are kept separately."""
        return {
            "readings": {str(kind): reading.to_dict() for kind, reading in self._readings.items()},
            "numbers": dict(self.numbers), "alerts": self.alerts,
            "gathered": None if self._gathering is None else self._gathering.kept(),
            "shoes": {str(kind): shoes.kept() for kind, shoes in self._shoes.items()},
            "over": list(self.tables.over.items()),
        }  # fmt: skip

    def restore(self, kept: Record, number: int = 0, patrons_seen: int = 0) -> None:
        """Restore the state that was kept before the record `number`, except tables and patrons."""
        self._restored = number
        if self._knowing is not None:
            self._knowing.number = patrons_seen
        for kind, reading in kept["readings"].items():
            self._take_reading(int(kind), Reading.from_dict(reading))
        if self._gathering is not None:
            self._gathering.restore(kept["gathered"])
        for kind, shoes in kept["shoes"].items():
            self._shoes[int(kind)].restore(shoes)
        self.tables.over = {digest: (table, shoe) for digest, (table, shoe) in kept["over"]}
        self.numbers, self.alerts = Counter(kept["numbers"]), kept["alerts"]

    def restore_table(self, kept: list[Any], number: int = 0) -> None:
        """Restore a table that was kept before the record `number`. `settle` prices its shoes later."""
        table = LiveTable.restored(kept)
        self.tables.add(table)
        self._restored_tables[table.name] = number

    def restore_patron(self, name: str, kept: list[Any], number: int) -> None:
        """Restore a patron's capital that was kept before the record `number`."""
        if self._knowing is not None:
            self._knowing.restore(name, kept, number)

    def settle(self) -> None:
        """After the last record of the journal: price every table's shoes that are not over, and judge the bets on them
        that were not judged yet."""
        if self._knowing is not None:
            self._knowing.settle([(table.name, shoe) for table in self.tables for shoe in table.open])
        self._restored_tables.clear()
        shoes = [shoe for table in self.tables for shoe in table.open]
        queue = _Queue()
        for shoe in shoes:
            queue.add(shoe, shoe.seen)
        bets: dict[tuple[int, int], int] = {}
        for number, shoe in enumerate(shoes):
            if self._judge.looks_at_bets:
                coups = {bet.coup for bet in shoe.bets[shoe.judged :]}
                bets |= {(number, coup): queue.add(shoe, shoe.before(coup)) for coup in coups}
        states = self.prices.of(queue.seen, queue.decks)
        for number, shoe in enumerate(shoes):
            if shoe.coups:
                shoe.state = states[number]
                shoe.impossible = not states[number].possible
                shoe.holding = self._judge.holding(states[number])
            if self._judge.looks_at_bets:
                new = enumerate(shoe.bets[shoe.judged :], shoe.judged)
                self._judge.mark(shoe, {i: states[bets[number, bet.coup]] for i, bet in new})
                shoe.fired = fired(shoe)


def _beginning(line: InputLine) -> InputLine:
    """The beginning of a line, under which all of the line's events but the last are recorded."""
    return line._replace(raw=b"", end=line.end - len(line.raw or b""), number=line.number - 1)


def _reaches_bets(change: Change, event: Event) -> bool:
    """Whether a change alters the cards seen before the coup of some bet."""
    did, number = change.did, change.number
    burned = did not in ("coup", "out") or (isinstance(event, DealtCoup) and bool(event.burn))
    return any(bet.coup > number or (burned and bet.coup == number) for bet in change.shoe.bets)


class _Queue:
    """Shoes to be priced: the cards seen of each, and its decks."""

    def __init__(self) -> None:
        self.seen: list[Seen] = []
        self.decks: list[int | None] = []

    def add(self, shoe: LiveShoe, seen: Seen) -> int:
        """Add a shoe as it was when these cards were seen. Returns its place in the queue."""
        self.seen.append(seen)
        self.decks.append(shoe.decks)
        return len(self.seen) - 1
