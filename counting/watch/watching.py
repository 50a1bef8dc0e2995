"""The watch itself: lines in, and for each what it did, what every bet is worth now, and the alerts.

It reads no file and no clock: the same lines give the same records, however they come in batches, and a watch that
takes up its journal goes on as one that never stopped.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from zlib import crc32

from counting.errors import nearest
from counting.games import catalog
from counting.logs import Layout
from counting.logs.remarks import short
from counting.watch.judging import Judge, Settings, Step, fired, make_room
from counting.watch.lines import Bad, Bet, Coup, Event, Reading
from counting.watch.prices import Prices
from counting.watch.readings import bet_reading_of, reading_of
from counting.watch.records import BETS, COUPS, Line, Record, Said, described, event_of, of_bad
from counting.watch.tables import State, Tables

_MOVES = frozenset(["coup", "replaced", "late", "undone", "out"])


class Watch:
    """Tables under watch."""

    def __init__(
        self, settings: Settings, layout: Layout | None = None, names: Sequence[str] = ("coups", "bets")
    ) -> None:
        self.settings = settings
        self.prices = Prices(settings.game, settings.decks, settings.systems)
        self.tables = Tables()
        self.numbers: Counter[str] = Counter()  # of lines, by what they did
        self.alerts = 0
        self._layout, self._names = layout, tuple(names)
        self._readings: dict[int, Reading] = {}
        self._waiting: dict[int, list[Line]] = {COUPS: [], BETS: []}
        self.judge = Judge(settings, self.prices)

    # Lines

    def take(self, lines: Iterable[Line]) -> list[Said]:
        """What is said of lines, in their order; of those that wait for a reading, later."""
        for line in lines:
            self._waiting[line.input].append(line)
        records = self._read()
        steps: list[Step] = []
        shoes: list[list[int]] = []
        for line, event in self._merged():
            steps.append(self._step(line, event, shoes))
        states = self.prices.of(shoes)
        return [*map(Said, records), *(self._said(step, states) for step in steps)]

    def _read(self) -> list[Record]:
        """Find out how inputs are read of which this is not known; the records that say so."""
        records = []
        for of in (COUPS, BETS):
            waiting = self._waiting[of]
            head = [line.raw for line in waiting if line.raw is not None]
            if of in self._readings or not head or (of == BETS and COUPS not in self._readings):
                continue
            if of == COUPS:
                reading = reading_of(head, self._names[of], self._layout, self.settings.game.tableau)
            else:
                reading = bet_reading_of(head, self._names[of], self._readings[COUPS])
            if reading is not None:
                self._readings[of] = reading
                first = waiting[0]
                start = first.end - len(first.raw or b"")
                records.append(
                    {"did": "reads", "input": of, "end": start, "line": first.number - 1, "reading": reading.to_dict()}
                )
        return records

    def _merged(self) -> Iterable[tuple[Line, Event]]:
        """Lines with what they say; of two inputs bets stand before the coup that they are on."""
        ready = {of: deque(self._events(of)) for of in (COUPS, BETS)}
        bets = ready[BETS]
        for line, event in ready[COUPS]:
            while bets and isinstance(event, Coup) and self._comes_before(bets[0][1], event):
                yield bets.popleft()
            yield line, event
        yield from bets

    def _events(self, of: int) -> Iterable[tuple[Line, Event]]:
        if of not in self._readings:
            return
        reading, tableau = self._readings[of], self.settings.game.tableau
        waiting, self._waiting[of] = self._waiting[of], []
        for line in waiting:
            yield line, None if line.raw is None else reading.event(line.raw, tableau)

    def _comes_before(self, event: Event, coup: Coup) -> bool:
        if not isinstance(event, Bet):
            return True
        if self.tables.knows(event):
            return True
        at, now = (event.number, coup.number) if event.number is not None else (event.raw, coup.raw)
        return event.table == coup.table and event.shoe == coup.shoe and (at or 0) <= (now or 0)

    def _step(self, line: Line, event: Event, shoes: list[list[int]]) -> Step:
        record: Record = {"did": "blank", "input": line.input, "end": line.end, "line": line.number}
        if line.raw is None:
            return Step(record | {"did": "anew"})
        record |= {"bytes": len(line.raw), "crc": crc32(line.raw)}
        if isinstance(event, Bet):
            event = self._of_game(event)
        if event is None:
            return Step(record)
        if isinstance(event, Bad):
            return Step(record | {"did": "bad"} | of_bad(event))
        change = self.tables.change(event)
        record |= described(event, change)
        shoe = change.shoe
        lacks = {name: number for name, number in (("missing", shoe.missing), ("unread", shoe.unread)) if number}
        step = Step(record, change, shoe.last, len(shoe.bets) - 1, lacks)
        if change.did in _MOVES:
            self._ask(step, event, shoes)
        elif change.stake is not None:
            make_room(shoe)
            if self.judge.looks_at_bets:
                step.judged[step.place] = _queued(shoes, shoe.before(change.number))
        return step

    def _of_game(self, event: Bet) -> Bet | Bad:
        name = self.settings.game.main_bet(event.bet)
        if name in self.prices.place:
            return event._replace(bet=name)
        hint = "; to price it: --also" if name in catalog() else nearest(name, self.prices.place)
        return Bad("bet", short(event.bet), f"{self.settings.game.name} has no such bet{hint}")

    def _ask(self, step: Step, event: Event, shoes: list[list[int]]) -> None:
        """The shoes to be priced after a coup: now, and after a correction each coup and bet that it reaches."""
        assert step.change is not None
        shoe, number = step.change.shoe, step.change.number
        step.now = _queued(shoes, shoe.seen.copy())
        corrects = step.change.did not in ("coup", "out")
        if corrects:
            step.replayed = {
                at: _queued(shoes, shoe.before(at + 1)) for at in sorted(shoe.coups) if number <= at < shoe.last
            }
        if self.judge.looks_at_bets:
            burned = corrects or (isinstance(event, Coup) and bool(event.burn))
            reached = [at for at, bet in enumerate(shoe.bets) if bet.coup > number or (burned and bet.coup == number)]
            if reached:  # then all anew: what holds of a bet may rest on those before
                before = {coup: _queued(shoes, shoe.before(coup)) for coup in {bet.coup for bet in shoe.bets}}
                step.judged = {at: before[bet.coup] for at, bet in enumerate(shoe.bets)}

    # What is said

    def _said(self, step: Step, states: Sequence[State]) -> Said:
        record, change = step.record, step.change
        self.numbers[record["did"]] += 1
        if change is None:
            return Said(record)
        shoe, alerts = change.shoe, []
        state = None
        if step.now is not None:
            state = shoe.state = states[step.now]
            record |= {"left": state.left, "positive": self.judge.positive(state)}
            record |= step.lacks
            if step.replayed:
                record["replayed"] = [
                    [coup, states[at].left, self.judge.positive(states[at])] for coup, at in step.replayed.items()
                ]
            alerts += self.judge.of_shoe(step, state)
        if change.stake is not None and change.stake.factor is not None:
            record["raise"] = change.stake.factor
        if step.judged:
            alerts += self.judge.of_bets(step, {at: states[place] for at, place in step.judged.items()})
        if alerts:
            for alert in alerts:
                self.alerts += 1
                alert["alert"] = self.alerts
            record["alerts"] = alerts
        return Said(record, state)

    # Taking up a journal

    def replay(self, record: Record) -> None:
        """Take a record of the journal into account, without pricing; `settle` does that after the last."""
        if record["did"] == "reads":
            self._readings[record["input"]] = Reading.from_dict(record["reading"])
            return
        self.numbers[record["did"]] += 1
        self.alerts += len(record.get("alerts", ()))
        event = event_of(record)
        if event is not None:
            change = self.tables.change(event)
            if change.stake is not None:
                make_room(change.shoe)

    def kept(self) -> Record:
        """All that `restore` needs, as JSON has it."""
        return {
            "readings": {str(of): reading.to_dict() for of, reading in self._readings.items()},
            "numbers": dict(self.numbers), "alerts": self.alerts, "tables": self.tables.kept(),
        }  # fmt: skip

    def restore(self, kept: Record) -> None:
        """Be as the watch was that kept this; `settle` prices the shoes."""
        self._readings = {int(of): Reading.from_dict(reading) for of, reading in kept["readings"].items()}
        self.numbers, self.alerts = Counter(kept["numbers"]), kept["alerts"]
        self.tables.restore(kept["tables"])
        for table in self.tables:
            for _ in table.shoe.bets:
                make_room(table.shoe)

    def settle(self) -> None:
        """Price what a journal left: every table's shoe, and the bets placed on it."""
        shoes = [table.shoe for table in self.tables]
        seen: list[list[int]] = [shoe.seen for shoe in shoes]
        bets: dict[tuple[int, int], int] = {}
        for at, shoe in enumerate(shoes):
            if self.judge.looks_at_bets:
                bets |= {(at, coup): _queued(seen, shoe.before(coup)) for coup in {bet.coup for bet in shoe.bets}}
        states = self.prices.of(seen)
        for at, shoe in enumerate(shoes):
            if shoe.coups:
                shoe.state = states[at]
                shoe.impossible = not states[at].possible
                shoe.holding = self.judge.holding(states[at])
            if self.judge.looks_at_bets:
                self.judge.judge(shoe, {i: states[bets[at, bet.coup]] for i, bet in enumerate(shoe.bets)})
                shoe.fired = fired(shoe)


def _queued(shoes: list[list[int]], seen: list[int]) -> int:
    shoes.append(seen)
    return len(shoes) - 1
