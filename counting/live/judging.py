"""Alerts about shoes, bets and patrons. Rules about shoes look at a shoe as it is now. Rules about bets look at the
shoe as it was before the bet's coup."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from counting.arrays import Floats
from counting.games import Game
from counting.live.knowing import KNOWS, Named, Wagered
from counting.live.prices import Prices
from counting.live.records import Record
from counting.live.rules import OF_PAST, Rule
from counting.live.shoes import LiveShoe, Stake, State
from counting.live.tables import Change
from counting.systems import System

IMPOSSIBLE = "more of a card seen than the shoe has"


@dataclass(frozen=True)
class WatchSettings:
    """The settings of a watch: what it watches, and what it reports.

    - `most_bet`: the largest stake that is allowed on each bet, in the log's money
    - `raised`: a stake of at least this multiple of the patron's median stake is a raise
    - `level`: an upper limit on the chance that any patron who knows only past cards is ever named (`knowing`); 0 if
      nobody is to be named"""

    game: Game
    decks: int
    systems: tuple[System, ...] = ()
    rules: tuple[Rule, ...] = ()
    most_bet: Mapping[str, float] = field(default_factory=dict)
    raised: float = 2.0
    level: float = 0.01

    def to_dict(self) -> Record:
        """The settings in the journal's form."""
        return {
            "game": self.game.digest, "decks": self.decks, "systems": [system.to_dict() for system in self.systems],
            "rules": [rule.text for rule in self.rules], "most_bet": dict(self.most_bet), "raised": self.raised,
            "level": self.level,
        }  # fmt: skip


@dataclass
class JudgedLine:
    """A line that is being judged: what it did, and what the answer needs.

    Shoes are priced only after several lines have been read, and the later ones may change a shoe before it is priced.
    So these figures are kept as they were at the line:

    - `now`: the place of the shoe, as it is at this line, in the queue of shoes to be priced
    - `last`: the number of the shoe's last coup
    - `lacks`: the shoe's missing coups and unread cards
    - `place`: if the line is a bet, its place among the shoe's bets"""

    record: Record
    change: Change | None = None
    last: int = 0
    place: int = -1
    lacks: dict[str, int] = field(default_factory=dict)
    now: int | None = None
    wagered: list[Wagered] = field(default_factory=list)  # the coups whose wagers this line settles
    odds: list[tuple[Floats, Floats]] = field(default_factory=list)  # the odds of each of these coups
    replayed: dict[int, int] = field(default_factory=dict)  # for each coup, the place of the state after it
    judged: dict[int, int] = field(default_factory=dict)  # by a bet's place, the place of the state before its coup


class Judge:
    """Finds which rules hold for a shoe and for the bets on it, and the alerts that follow."""

    def __init__(self, settings: WatchSettings, prices: Prices) -> None:
        self._settings, self._prices = settings, prices
        self._of_shoes = [(number, rule) for number, rule in enumerate(settings.rules) if not rule.of_bets]
        self._of_bets = [(number, rule) for number, rule in enumerate(settings.rules) if rule.of_bets]
        self._of_past = any(term.quantity in OF_PAST for rule in settings.rules for term in rule.terms)
        self.looks_at_bets = bool(self._of_bets)

    def positive(self, state: State) -> dict[str, float]:
        return {bet: edge for bet, edge in zip(self._prices.bets, state.edges, strict=True) if edge > 0}

    def of_shoe(self, step: JudgedLine, state: State) -> list[Record]:
        """The alerts on the shoe after this line: for rules that hold now and did not before, and for a shoe that
        cannot have had the cards seen."""
        assert step.change is not None
        shoe = step.change.shoe
        alerts = []
        if not state.possible and not shoe.impossible:
            alerts.append(self._alert(IMPOSSIBLE, step, state))
        shoe.impossible = not state.possible
        holding = self.holding(state) if step.last else set()
        for number, bet in sorted(holding - shoe.holding, key=lambda each: (each[0], self._prices.place[each[1]])):
            alerts.append(self._alert(self._settings.rules[number].text, step, state, bet))
        shoe.holding = holding
        return alerts

    def holding(self, state: State) -> set[tuple[int, str]]:
        return {(number, bet) for number, rule in self._of_shoes for bet in rule.bets
                if rule.holds(self._values(bet, state), self._reached(bet, state))}  # fmt: skip

    def of_bets(self, step: JudgedLine, states: Mapping[int, State]) -> list[Record]:
        """Alerts on bets. A rule fires if it holds for a bet, and did not hold for the patron's previous bet of the
        same name.

        After a correction, alerts that should not have been given are withdrawn."""
        assert step.change is not None
        shoe, placed = step.change.shoe, step.change.stake
        self.mark(shoe, states)
        was = shoe.fired
        shoe.fired = fired(shoe) if placed is None else was | {(rule, step.place) for rule in _newly(shoe, step.place)}
        alerts = []
        for rule, number in sorted(shoe.fired ^ was, key=lambda each: (each[1], each[0])):
            alert = self._of_bet(rule, shoe.bets[number], step, states.get(number))
            if (rule, number) in was:
                alert["withdrawn"] = True
            elif placed is None:
                alert["corrected"] = True
            alerts.append(alert)
        return alerts

    def of_patrons(self, step: JudgedLine, named: Sequence[Named]) -> list[Record]:
        """Alerts on patrons who seem to know the coming cards."""
        alerts = []
        for each in named:
            alert = self._alert(KNOWS, step, None) | {
                "patron": each.patron, "patrons": each.number, "evidence": each.evidence.log10, "needed": each.needed,
                "by": each.evidence.channel, "level": self._settings.level,
            }  # fmt: skip
            alerts.append(alert if each.is_named else alert | {"withdrawn": True})
        return alerts

    def mark(self, shoe: LiveShoe, states: Mapping[int, State]) -> None:
        """Mark which rules hold for bets. `states` maps the place of each of these bets to the shoe's state before the
        bet's coup. Places are in rising order."""
        for number, state in states.items():
            shoe.positive[number] = state.edges[self._prices.place[shoe.bets[number].bet]] > 0
            shoe.broken[number] = self._broken(shoe, number, state)

    def _broken(self, shoe: LiveShoe, number: int, state: State) -> frozenset[int]:
        bet = shoe.bets[number]
        values = self._values(bet.bet, state) | {"stake": bet.amount / 100}
        if self._of_past:
            earlier = [good for other, good in zip(shoe.bets[: number + 1], shoe.positive, strict=False)
                   if other.patron == bet.patron and other.bet == bet.bet]  # fmt: skip
            values |= {"bets": float(len(earlier)), "positive": sum(earlier) / len(earlier)}
        if bet.factor is not None:
            values["raise"] = bet.factor
        reached = self._reached(bet.bet, state)
        return frozenset(
            number for number, rule in self._of_bets if bet.bet in rule.bets and rule.holds(values, reached)
        )

    def _values(self, bet: str, state: State) -> dict[str, float]:
        edge = state.edges[self._prices.place[bet]]
        return {"edge": edge, "worth": edge * self._settings.most_bet.get(bet, math.nan), "cards": float(state.left)}

    def _reached(self, bet: str, state: State) -> set[str]:
        systems = self._settings.systems
        return {systems[i].name for (i, trigger_bet), reached in zip(self._prices.triggers, state.reached, strict=True)
                if reached and trigger_bet == bet}  # fmt: skip

    def _alert(self, rule: str, step: JudgedLine, state: State | None, bet: str | None = None) -> Record:
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
                of_bet = [
                    number
                    for number, trigger_bet in self._prices.triggers
                    if trigger_bet == bet and not math.isnan(state.counts[number])
                ]
                counts = {self._settings.systems[number].name: state.counts[number] for number in of_bet}
                if counts:
                    alert["counts"] = counts
        return alert | step.lacks

    def _of_bet(self, rule: int, bet: Stake, step: JudgedLine, state: State | None) -> Record:
        alert = self._alert(self._settings.rules[rule].text, step, state, bet.bet)
        del alert["after"]
        alert |= {"coup": bet.coup, "patron": bet.patron, "stake": bet.amount / 100}
        return alert if bet.factor is None else alert | {"raise": bet.factor}


def make_room(shoe: LiveShoe) -> None:
    """Make room for the marks of a new bet."""
    shoe.broken.append(frozenset())
    shoe.positive.append(False)


def fired(shoe: LiveShoe) -> set[tuple[int, int]]:
    """The rules that fire, each with the place of its bet. A rule fires if it holds for the bet, and did not hold for
    the patron's previous bet of the same name in the shoe."""
    alerts, before = set(), dict[tuple[str, str], frozenset[int]]()
    for number, (bet, holds) in enumerate(zip(shoe.bets, shoe.broken, strict=True)):
        key = bet.patron, bet.bet
        alerts |= {(rule, number) for rule in holds - before.get(key, frozenset())}
        before[key] = holds
    return alerts


def _newly(shoe: LiveShoe, number: int) -> frozenset[int]:
    """The rules that fire for the bet at the place `number`, as in `fired`."""
    bet, holds = shoe.bets[number], shoe.broken[number]
    if not holds:
        return holds
    for earlier in range(number - 1, -1, -1):
        if shoe.bets[earlier].patron == bet.patron and shoe.bets[earlier].bet == bet.bet:
            return holds - shoe.broken[earlier]
    return holds
