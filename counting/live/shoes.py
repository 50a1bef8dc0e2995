"""A shoe while it is watched: its coups, its bets, and the cards seen.

The cards seen of a shoe are the sum of its coups' cards and of the cards taken out between coups. If a coup is taken
back, replaced or late, its cards are subtracted or added. All later figures are then the same as for a log that was
right from the start."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, NamedTuple

from counting.live.events import Cards, DealtCoup, Out, StakedBet, Undo
from counting.logs import NO_CARD, TEN_OR_FACE, UNREAD
from counting.review import SURELY_AGAIN

Seen = list[int]  # for each code, 0 to 65, the number of cards seen

CODES = TEN_OR_FACE + 1
_HAND = 3  # the most cards of a hand
LEAST_STAKES = 3  # a median needs this number of earlier stakes of the patron on the bet in the shoe


class CoupCards(NamedTuple):
    """The cards of a coup."""

    player: Cards
    banker: Cards
    burn: Cards
    decks: int | None = None  # the decks of the shoe, if the log gives them

    @property
    def hands(self) -> Cards:
        return self.player + self.banker

    @property
    def codes(self) -> list[int]:
        """The codes of Player's three cards, then of Banker's."""
        return [(*hand, *[NO_CARD] * _HAND)[place] for hand in (self.player, self.banker) for place in range(_HAND)]

    @classmethod
    def restored(cls, kept: Sequence[Any]) -> CoupCards:
        """The coup from its JSON."""
        player, banker, burn, decks = kept
        return cls(tuple(player), tuple(banker), tuple(burn), decks)


class Stake(NamedTuple):
    """A bet. `median` is the median of the patron's earlier stakes on the same bet in the shoe, in hundredths. It is
    None if there are too few earlier stakes.

    `is_late`: whether the shoe, when the bet came, had already dealt the bet's coup or a later coup."""

    coup: int
    patron: str
    bet: str
    amount: int
    median: float | None
    is_late: bool = False

    @property
    def factor(self) -> float | None:
        return None if self.median is None else self.amount / self.median


class State(NamedTuple):
    """A priced shoe.

    - `left`: the number of unseen cards
    - `possible`: whether the shoe can have had the cards seen
    - `edges`: the edge of each bet
    - `reached`: whether each system's trigger on each bet is reached
    - `counts`: the count of each system"""

    left: int
    possible: bool
    edges: list[float]
    reached: list[bool]
    counts: list[float]


class Row(NamedTuple):
    """A table's figures for an overview."""

    table: str
    shoe: str
    coup: int
    left: int | None
    bet: str
    edge: float | None
    worth: float | None
    positive: int
    lacks: str


@dataclass(eq=False)
class LiveShoe:
    """A shoe: its coups by number, the bets in their order, and the rules that hold now. `Watch` keeps it up to
    date."""

    name: str
    coups: dict[int, CoupCards] = field(default_factory=dict)
    seen: Seen = field(default_factory=lambda: [0] * CODES)
    unread: int = 0
    out: list[tuple[int, int | None, str, Cards]] = field(default_factory=list)  # last coup, dead game, event, cards
    bets: list[Stake] = field(default_factory=list)
    in_time: dict[int, list[Stake]] = field(default_factory=dict)  # bets by coup, without late bets
    numbers: dict[int, int] = field(default_factory=dict)  # for each number of the log, the watch's number of the coup
    state: State | None = None  # the state of the shoe as it is now
    impossible: bool = False
    glance: tuple[State | None, Row] | None = None  # the row of the last overview, with the state it shows
    holding: set[tuple[int, str]] = field(default_factory=set)  # rules on the shoe that hold, each with the bet
    broken: list[frozenset[int]] = field(default_factory=list)  # for each bet, the rules that hold
    positive: list[bool] = field(default_factory=list)  # for each bet, whether the edge was positive before its coup
    again: tuple[str, str] | None = None  # if it has an earlier shoe's cards: that shoe's table and name
    judged: int = 0  # for this number of bets, from the first, the marks came from a kept state
    fired: set[tuple[int, int]] = field(default_factory=set)  # rules that fired for bets: the rule, the bet's place
    _stakes: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    _placed: set[tuple[int, str, str, int]] = field(default_factory=set)

    @property
    def last(self) -> int:
        """The number of the last coup."""
        return max(self.coups, default=0)

    @property
    def missing(self) -> int:
        """The number of missing coups: coup numbers that were skipped, apart from dead games. The cards of missing
        coups count as unseen."""
        return self.last - len(self.coups) - len({dead for _, dead, *_ in self.out if dead and dead < self.last})

    @property
    def decks(self) -> int | None:
        """The decks of the shoe, by its first coup. None if they are not logged."""
        return self.coups[min(self.coups)].decks if self.coups else None

    def take(self, event: DealtCoup | StakedBet | Undo | Out) -> tuple[str, int, Stake | None]:
        """Take note of a line. Returns what the line did (`Change.did`), the number of its coup and, for a line with a
        bet, the bet."""
        if isinstance(event, Out):
            return "out" if self.lose(event.number, event.word, event.cards) else "again", self.last, None
        number = _number(event, self)
        if isinstance(event, StakedBet):
            stake = self.place(number, event)
            return "bet" if stake else "again", number, stake
        was, dealt = self.coups.get(number), None
        if isinstance(event, DealtCoup):
            dealt = CoupCards(event.player, event.banker, event.burn, event.decks)
        if was == dealt:
            return "nothing" if dealt is None else "again", number, None
        did = "late" if number < self.last else "coup"
        if was is not None:
            did = "undone" if dealt is None else "replaced"
            self.add(number, was, -1)
        if dealt is not None:
            if event.number is None and event.raw is not None:
                self.numbers[event.raw] = number
            self.add(number, dealt)
        return did, number, None

    def add(self, number: int, dealt: CoupCards, times: int = 1) -> None:
        """Add a coup's cards to the cards seen. With `times` -1, subtract them."""
        if times > 0:
            self.coups[number] = dealt
        else:
            del self.coups[number]
        for code in dealt.hands + dealt.burn:
            if code >= 0:
                self.seen[code] += times
        self.unread += times * dealt.hands.count(UNREAD)

    def lose(self, dead: int | None, word: str, cards: Cards) -> bool:
        """Take cards out of the shoe now, outside a coup. False if the line repeats an earlier line since the last
        coup."""
        event = self.last, dead, word, cards
        if event in self.out:
            return False
        self.lost(event)
        return True

    def lost(self, event: tuple[int, int | None, str, Cards]) -> None:
        self.out.append(event)
        for code in event[3]:
            if code >= 0:
                self.seen[code] += 1

    def before(self, number: int) -> Seen:
        """The cards seen when a coup began: cards of the coups before, and cards burned or taken out by then."""
        if number > self.last:
            return self.seen.copy()
        seen = [0] * CODES
        for at, dealt in self.coups.items():
            for code in (dealt.hands if at < number else ()) + (dealt.burn if at <= number else ()):
                if code >= 0:
                    seen[code] += 1
        for after, _, _, cards in self.out:
            for code in cards:
                seen[code] += after < number and code >= 0
        return seen

    def unread_before(self, number: int) -> int:
        """The number of unread cards in the coups before this coup."""
        return sum(dealt.hands.count(UNREAD) for at, dealt in self.coups.items() if at < number)

    @property
    def digest(self) -> str | None:
        """A digest of the shoe's cards in their order. None if too few cards are known to distinguish the shoe from all
        other shoes."""
        hands = [self.coups[number][:2] for number in sorted(self.coups)]
        known = sum(code >= 0 for player, banker in hands for code in player + banker)
        return None if known < SURELY_AGAIN else blake2b(repr(hands).encode(), digest_size=8).hexdigest()

    def goes_on(self, event: DealtCoup | StakedBet | Undo | Out) -> bool:
        """Whether a line goes on with the shoe. This is so if the line has a coup after the shoe's last coup, or a bet
        on the last coup or a later coup."""
        if not isinstance(event, DealtCoup | StakedBet):
            return False
        number, last = event.number, self.last
        if number is None:
            number, last = event.raw, max(self.numbers, default=-1)
        return number is None or number > last - isinstance(event, StakedBet)

    def place(self, number: int, bet: StakedBet, is_late: bool | None = None) -> Stake | None:
        """Take note of a bet. None if it repeats an earlier bet. If `is_late` is not given, it is worked out from the
        shoe's last coup."""
        key = number, bet.patron, bet.bet, bet.amount
        if key in self._placed:
            return None
        self._placed.add(key)
        earlier = self._stakes.setdefault((bet.patron, bet.bet), [])
        late = number <= self.last if is_late is None else is_late
        stake = Stake(number, bet.patron, bet.bet, bet.amount, _median(earlier), late)
        insort(earlier, bet.amount)
        self.bets.append(stake)
        if not late:
            self.in_time.setdefault(number, []).append(stake)
        return stake

    def kept(self) -> list[Any]:
        """The state for `restored`, as JSON."""
        bets = [(*bet[:4], bet.is_late, positive, list(holds))
                for bet, positive, holds in zip(self.bets, self.positive, self.broken, strict=True)]  # fmt: skip
        return [self.name, list(self.coups.items()), self.out, list(self.numbers.items()), bets]

    @classmethod
    def restored(cls, table: str, kept: list[Any]) -> LiveShoe:
        """The shoe that `kept` wrote."""
        name, coups, out, numbers, bets = kept
        shoe = cls(name, numbers=dict(numbers))
        for number, dealt in coups:
            shoe.add(number, CoupCards.restored(dealt))
        for after, dead, word, cards in out:
            shoe.lost((after, dead, word, tuple(cards)))
        for number, patron, bet, amount, is_late, positive, holds in bets:
            shoe.place(number, StakedBet(table, name, number, None, patron, bet, amount), is_late)
            shoe.positive.append(positive)
            shoe.broken.append(frozenset(holds))
        shoe.judged = len(bets)
        return shoe


def _median(stakes: list[int]) -> float | None:
    number = len(stakes)
    return None if number < LEAST_STAKES else (stakes[(number - 1) // 2] + stakes[number // 2]) / 2


def _number(event: DealtCoup | StakedBet | Undo | Out, shoe: LiveShoe) -> int:
    """The number of an event's coup. If coups are numbered as they come, this is the number that the coup already has,
    or the next number for a new coup."""
    if event.number is not None:
        return event.number
    if event.raw is not None and event.raw in shoe.numbers:
        return shoe.numbers[event.raw]
    takes_back_last = isinstance(event, Undo) and event.raw is None
    return shoe.last if takes_back_last else shoe.last + 1
