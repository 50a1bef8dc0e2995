"""The watch itself: lines in, and for each what it did, what every bet is worth now, and the alerts.

It reads no file and no clock: the same lines give the same records, however they come in batches, and a watch that
takes up its journal goes on as one that never stopped.
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from zlib import crc32

from counting.errors import nearest
from counting.games import Game, catalog
from counting.logs import UNREAD, Layout, card_name
from counting.logs.cards import MOST_CODE
from counting.logs.remarks import short
from counting.systems import System
from counting.watch.lines import Bad, Bet, Cards, Coup, Event, Key, Out, Reading, Undo
from counting.watch.prices import Prices
from counting.watch.readings import bet_reading_of, reading_of
from counting.watch.rules import OF_PAST, Rule
from counting.watch.tables import Change, Shoe, Stake, State, Tables

Record = dict[str, Any]

COUPS, BETS = 0, 1  # inputs
IMPOSSIBLE = "more of a card seen than the shoe has"
_CODE = {card_name(code): code for code in (UNREAD, *range(MOST_CODE + 1))}
_MOVES = frozenset(["coup", "replaced", "late", "undone", "out"])


class Line(NamedTuple):
    """A line of an input: its bytes, the place in the input where it ends, and its number; no bytes where the input
    begins anew."""

    input: int
    raw: bytes | None
    end: int
    number: int


@dataclass(frozen=True)
class Settings:
    """What is watched: `most_bet` is the largest allowed bet on each bet, in the log's money; a stake of `raised` times
    the median of the patron's own is a raise."""

    game: Game
    decks: int
    systems: tuple[System, ...] = ()
    rules: tuple[Rule, ...] = ()
    most_bet: Mapping[str, float] = field(default_factory=dict)
    raised: float = 2.0

    def to_dict(self) -> Record:
        """As the journal has them."""
        return {
            "game": self.game.digest, "decks": self.decks, "systems": [system.to_dict() for system in self.systems],
            "rules": [rule.text for rule in self.rules], "most_bet": dict(self.most_bet), "raised": self.raised,
        }  # fmt: skip


class Said(NamedTuple):
    """What is said of a line: its record, and the shoe's state where it changed."""

    record: Record
    state: State | None = None

    @property
    def alerts(self) -> list[Record]:
        return self.record.get("alerts") or []


@dataclass
class _Step:
    """A line on its way: what it did, and the states it needs, each the place of a shoe among those to be priced.

    Later lines of the same batch have changed the shoe before this is priced, so that what is said of it is kept:
    `last`, the number of its last coup, `lacks`, its missing coups and unread cards, and `place`, that of a bet."""

    record: Record
    change: Change | None = None
    last: int = 0
    place: int = -1
    lacks: dict[str, int] = field(default_factory=dict)
    now: int | None = None
    replayed: dict[int, int] = field(default_factory=dict)  # by coup
    judged: dict[int, int] = field(default_factory=dict)  # by place of a bet


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
        self._of_shoes = [(at, rule) for at, rule in enumerate(settings.rules) if not rule.of_bets]
        self._of_bets = [(at, rule) for at, rule in enumerate(settings.rules) if rule.of_bets]
        self._of_past = any(term.quantity in OF_PAST for rule in settings.rules for term in rule.terms)
        self._place = {bet: at for at, bet in enumerate(self.prices.bets)}

    # Lines

    def take(self, lines: Iterable[Line]) -> list[Said]:
        """What is said of lines, in their order; of those that wait for a reading, later."""
        for line in lines:
            self._waiting[line.input].append(line)
        records = self._read()
        steps: list[_Step] = []
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

    def _step(self, line: Line, event: Event, shoes: list[list[int]]) -> _Step:
        record: Record = {"did": "blank", "input": line.input, "end": line.end, "line": line.number}
        if line.raw is None:
            return _Step(record | {"did": "anew"})
        record |= {"bytes": len(line.raw), "crc": crc32(line.raw)}
        if isinstance(event, Bet):
            event = self._of_game(event)
        if event is None:
            return _Step(record)
        if isinstance(event, Bad):
            return _Step(record | {"did": "bad"} | _bad(event))
        change = self.tables.change(event)
        record |= _described(event, change)
        shoe = change.shoe
        lacks = {name: number for name, number in (("missing", shoe.missing), ("unread", shoe.unread)) if number}
        step = _Step(record, change, shoe.last, len(shoe.bets) - 1, lacks)
        if change.did in _MOVES:
            self._ask(step, event, shoes)
        elif change.stake is not None:
            _kept(shoe)
            if self._of_bets:
                step.judged[step.place] = _queued(shoes, shoe.before(change.number))
        return step

    def _of_game(self, event: Bet) -> Bet | Bad:
        name = self.settings.game.main_bet(event.bet)
        if name in self._place:
            return event._replace(bet=name)
        hint = "; to price it: --also" if name in catalog() else nearest(name, self._place)
        return Bad("bet", short(event.bet), f"{self.settings.game.name} has no such bet{hint}")

    def _ask(self, step: _Step, event: Event, shoes: list[list[int]]) -> None:
        """The shoes to be priced after a coup: now, and after a correction each coup and bet that it reaches."""
        assert step.change is not None
        shoe, number = step.change.shoe, step.change.number
        step.now = _queued(shoes, shoe.seen.copy())
        corrects = step.change.did not in ("coup", "out")
        if corrects:
            step.replayed = {
                at: _queued(shoes, shoe.before(at + 1)) for at in sorted(shoe.coups) if number <= at < shoe.last
            }
        if self._of_bets:
            burned = corrects or (isinstance(event, Coup) and bool(event.burn))
            reached = [at for at, bet in enumerate(shoe.bets) if bet.coup > number or (burned and bet.coup == number)]
            if reached:  # then all anew: what holds of a bet may rest on those before
                before = {coup: _queued(shoes, shoe.before(coup)) for coup in {bet.coup for bet in shoe.bets}}
                step.judged = {at: before[bet.coup] for at, bet in enumerate(shoe.bets)}

    # What is said

    def _said(self, step: _Step, states: Sequence[State]) -> Said:
        record, change = step.record, step.change
        self.numbers[record["did"]] += 1
        if change is None:
            return Said(record)
        shoe, alerts = change.shoe, []
        state = None
        if step.now is not None:
            state = shoe.state = states[step.now]
            record |= {"left": state.left, "positive": self._positive(state)}
            record |= step.lacks
            if step.replayed:
                record["replayed"] = [
                    [coup, states[at].left, self._positive(states[at])] for coup, at in step.replayed.items()
                ]
            alerts += self._of_shoe(step, state)
        if change.stake is not None and change.stake.factor is not None:
            record["raise"] = change.stake.factor
        if step.judged:
            alerts += self._judged(step, {at: states[place] for at, place in step.judged.items()})
        if alerts:
            for alert in alerts:
                self.alerts += 1
                alert["alert"] = self.alerts
            record["alerts"] = alerts
        return Said(record, state)

    def _positive(self, state: State) -> dict[str, float]:
        return {bet: edge for bet, edge in zip(self.prices.bets, state.edges, strict=True) if edge > 0}

    def _of_shoe(self, step: _Step, state: State) -> list[Record]:
        """Alerts on the shoe: of rules that hold now and did not before, and of cards that it cannot have had."""
        assert step.change is not None
        shoe = step.change.shoe
        alerts = []
        if not state.possible and not shoe.impossible:
            alerts.append(self._alert(IMPOSSIBLE, step, state))
        shoe.impossible = not state.possible
        holding = self._holding(state) if step.last else set()
        for at, bet in sorted(holding - shoe.holding, key=lambda each: (each[0], self._place[each[1]])):
            alerts.append(self._alert(self.settings.rules[at].text, step, state, bet))
        shoe.holding = holding
        return alerts

    def _holding(self, state: State) -> set[tuple[int, str]]:
        return {(at, bet) for at, rule in self._of_shoes for bet in rule.bets
                if rule.holds(self._values(bet, state), self._reached(bet, state))}  # fmt: skip

    def _judged(self, step: _Step, states: Mapping[int, State]) -> list[Record]:
        """Alerts on bets: of rules that hold of a bet and did not of the patron's bet before; after a correction those
        that should not have been are withdrawn."""
        assert step.change is not None
        shoe, placed = step.change.shoe, step.change.stake
        self._judge(shoe, states)
        was = shoe.fired
        shoe.fired = _fired(shoe) if placed is None else was | {(rule, step.place) for rule in _newly(shoe, step.place)}
        alerts = []
        for rule, at in sorted(shoe.fired ^ was, key=lambda each: (each[1], each[0])):
            alert = self._of_bet(rule, shoe.bets[at], step, states.get(at))
            if (rule, at) in was:
                alert["withdrawn"] = True
            elif placed is None:
                alert["corrected"] = True
            alerts.append(alert)
        return alerts

    def _judge(self, shoe: Shoe, states: Mapping[int, State]) -> None:
        """Which rules hold of each bet at these places, in their order, at the states before their coups."""
        for at, state in states.items():
            shoe.positive[at] = state.edges[self._place[shoe.bets[at].bet]] > 0
            shoe.broken[at] = self._broken(shoe, at, state)

    def _broken(self, shoe: Shoe, at: int, state: State) -> frozenset[int]:
        bet = shoe.bets[at]
        values = self._values(bet.bet, state) | {"stake": bet.amount / 100}
        if self._of_past:
            own = [good for other, good in zip(shoe.bets[: at + 1], shoe.positive, strict=False)
                   if other.patron == bet.patron and other.bet == bet.bet]  # fmt: skip
            values |= {"bets": float(len(own)), "positive": sum(own) / len(own)}
        if bet.factor is not None:
            values["raise"] = bet.factor
        reached = self._reached(bet.bet, state)
        return frozenset(at for at, rule in self._of_bets if bet.bet in rule.bets and rule.holds(values, reached))

    def _values(self, bet: str, state: State) -> dict[str, float]:
        edge = state.edges[self._place[bet]]
        return {"edge": edge, "worth": edge * self.settings.most_bet.get(bet, math.nan), "cards": float(state.left)}

    def _reached(self, bet: str, state: State) -> set[str]:
        systems = self.settings.systems
        return {systems[at].name for (at, of), reached in zip(self.prices.triggers, state.reached, strict=True)
                if reached and of == bet}  # fmt: skip

    def _alert(self, rule: str, step: _Step, state: State | None, bet: str | None = None) -> Record:
        assert step.change is not None
        change = step.change
        alert: Record = {"rule": rule, "table": change.table, "shoe": change.shoe.name, "after": step.last}
        if bet is not None:
            alert["bet"] = bet
        if state is not None:
            alert["left"] = state.left
            if bet is not None:
                values = self._values(bet, state)
                alert |= {name: values[name] for name in ("edge", "worth") if not math.isnan(values[name])}
                of_bet = [at for at, of in self.prices.triggers if of == bet and not math.isnan(state.counts[at])]
                counts = {self.settings.systems[at].name: state.counts[at] for at in of_bet}
                if counts:
                    alert["counts"] = counts
        return alert | step.lacks

    def _of_bet(self, rule: int, bet: Stake, step: _Step, state: State | None) -> Record:
        alert = self._alert(self.settings.rules[rule].text, step, state, bet.bet)
        del alert["after"]
        alert |= {"coup": bet.coup, "patron": bet.patron, "stake": bet.amount / 100}
        return alert if bet.factor is None else alert | {"raise": bet.factor}

    # Taking up a journal

    def replay(self, record: Record) -> None:
        """Take a record of the journal into account, without pricing; `settle` does that after the last."""
        if record["did"] == "reads":
            self._readings[record["input"]] = Reading.from_dict(record["reading"])
            return
        self.numbers[record["did"]] += 1
        self.alerts += len(record.get("alerts", ()))
        event = _event(record)
        if event is not None:
            change = self.tables.change(event)
            if change.stake is not None:
                _kept(change.shoe)

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
                _kept(table.shoe)

    def settle(self) -> None:
        """Price what a journal left: every table's shoe, and the bets placed on it."""
        shoes = [table.shoe for table in self.tables]
        seen: list[list[int]] = [shoe.seen for shoe in shoes]
        bets: dict[tuple[int, int], int] = {}
        for at, shoe in enumerate(shoes):
            if self._of_bets:
                bets |= {(at, coup): _queued(seen, shoe.before(coup)) for coup in {bet.coup for bet in shoe.bets}}
        states = self.prices.of(seen)
        for at, shoe in enumerate(shoes):
            if shoe.coups:
                shoe.state = states[at]
                shoe.impossible = not states[at].possible
                shoe.holding = self._holding(states[at])
            if self._of_bets:
                self._judge(shoe, {i: states[bets[at, bet.coup]] for i, bet in enumerate(shoe.bets)})
                shoe.fired = _fired(shoe)


def _queued(shoes: list[list[int]], seen: list[int]) -> int:
    shoes.append(seen)
    return len(shoes) - 1


def _kept(shoe: Shoe) -> None:
    """Room for what is known of a bet that was placed."""
    shoe.broken.append(frozenset())
    shoe.positive.append(False)


def _fired(shoe: Shoe) -> set[tuple[int, int]]:
    """Rules and places of bets of which they hold, where they did not of the same patron's bet before."""
    fired, before = set(), dict[tuple[str, str], frozenset[int]]()
    for at, (bet, holds) in enumerate(zip(shoe.bets, shoe.broken, strict=True)):
        key = bet.patron, bet.bet
        fired |= {(rule, at) for rule in holds - before.get(key, frozenset())}
        before[key] = holds
    return fired


def _newly(shoe: Shoe, place: int) -> frozenset[int]:
    """The rules that hold of a bet and did not of the same patron's bet before."""
    own, holds = shoe.bets[place], shoe.broken[place]
    if not holds:
        return holds
    for at in range(place - 1, -1, -1):
        if shoe.bets[at].patron == own.patron and shoe.bets[at].bet == own.bet:
            return holds - shoe.broken[at]
    return holds


def _bad(event: Bad) -> Record:
    return {name: value for name, value in event._asdict().items() if value is not None}


def _words(cards: Cards) -> str:
    return " ".join(map(card_name, cards))


def _described(event: Coup | Bet | Undo | Out, change: Change) -> Record:
    """What a record says of an event; `_event` reads it."""
    record: Record = {"did": change.did, "is": "coup", "table": event.table, "shoe": event.shoe, "coup": change.number}
    if isinstance(event.shoe, int):
        record |= {"shoe": change.shoe.name, "counter": event.shoe}
    if event.number is None:
        record |= {"raw": event.raw}
    if isinstance(event, Coup):
        record |= {"player": _words(event.player), "banker": _words(event.banker)}
        return record | {"burn": _words(event.burn)} if event.burn else record
    if isinstance(event, Bet):
        return record | {"is": "bet", "patron": event.patron, "bet": event.bet, "amount": event.amount}
    if isinstance(event, Out):
        return record | {"is": "out", "dead": event.number, "event": event.word, "out": _words(event.cards)}
    return record | {"is": "undo"}


def _event(record: Record) -> Coup | Bet | Undo | Out | None:
    if "is" not in record:
        return None
    number, raw = (None, record["raw"]) if "raw" in record else (record["coup"], None)
    key: Key = record["table"], record["counter"] if "counter" in record else record["shoe"], number, raw
    match record["is"]:
        case "coup":
            hands = [
                tuple(_CODE[word] for word in record.get(name, "").split()) for name in ("player", "banker", "burn")
            ]
            return Coup(*key, *hands)
        case "bet":
            return Bet(*key, patron=record["patron"], bet=record["bet"], amount=record["amount"])
        case "out":
            cards = tuple(_CODE[word] for word in record["out"].split())
            return Out(key[0], key[1], record["dead"], None, record["event"], cards)
    return Undo(*key)
