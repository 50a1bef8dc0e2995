"""Patrons who seem to know the coming cards: the audit's evidence, carried from coup to coup.

Each patron has a capital. At the patron's larger stakes the capital is wagered, at exact odds, on cards that are good
for the patron's bet (`counting.review.patrons.foreknowledge`). A bet counts only if the log has it before its coup,
because a bet that is logged later may have been placed with the cards in view. Take a patron who knows only past cards,
and whose stakes do not depend on a coup that is still being dealt at another table. The capital of this patron is a
martingale, so the chance that it ever reaches c is at most 1 / c (Ville 1939). If a shoe has the same cards as an
earlier shoe, it is taken to be logged twice, and counts once.

The level is a limit on the chance that any patron of this kind is ever named. All patrons of the watch share it. The
k-th patron is named at a capital of

    pi^2 k^2 / (6 level)

The shares of the level, 6 / (pi^2 k^2), add up to 1. So the chance that any patron of this kind is ever named is at
most the level."""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from counting.arrays import Floats
from counting.cards import Knows
from counting.exact import required_detail
from counting.live.prices import Prices
from counting.live.records import Record
from counting.live.shoes import CoupCards, LiveShoe, Seen, Stake
from counting.review import (
    ROUNDING,
    Bets,
    Capital,
    CapitalBound,
    CoupsDealt,
    CoupsShown,
    Evidence,
    ShoeCapital,
    capital_log,
    deal_coup,
    evidence_of,
    odds_of,
    surely_paid,
    values_of_codes,
)

KNOWS = "knows the coming cards"  # the name of the rule in these alerts
MOST_PATRONS = 5000  # at a time; if one more comes, the patron whose last bet is oldest is dropped, and may start anew
_TOGETHER = 100  # shoes played at a time
_NOTHING = -1, 0.0

At = tuple[str, str]  # a table, and the name of a shoe
Wager = tuple[tuple[int, float], tuple[int, float]]  # main and side bets: each the bet's place (-1: none), the stake


class Wagered(NamedTuple):
    """A coup of a shoe in which patrons bet, with the patrons' wagers.

    `seen` and `unread`: the cards seen before the coup, and the number of unread cards before it."""

    table: str
    shoe: LiveShoe
    seen: Seen
    unread: int
    dealt: CoupCards
    wagers: Mapping[str, Wager]


class Named(NamedTuple):
    """A patron who is named now or, after a correction, no longer named (`is_named`).

    - `number`: the patron's number in the watch
    - `needed`: the decimal logarithm of the capital that was needed"""

    patron: str
    number: int
    evidence: Evidence
    needed: float
    is_named: bool


@dataclass(eq=False)
class WatchedPatron:
    """A patron of the watch.

    - `number`: the patron's number
    - `capitals`: the capital on main bets and the capital on side bets, after the shoes that are over
    - `shoes`: the shoes being dealt in which the patron bets"""

    number: int
    capitals: tuple[Capital, Capital] = field(default_factory=lambda: (Capital(0), Capital(1)))
    shoes: set[At] = field(default_factory=set)
    is_named: bool = False
    bound: CapitalBound | None = None  # a bound on the capital now; None if it must be worked out
    log: float = 0.0  # the logarithm of the bound

    def kept(self) -> list[Any]:
        """The patron as JSON, without the shoes that are being dealt."""
        arrays = [array for capital in self.capitals for array in (capital.through, capital.apart)]
        return [self.number, self.is_named, b64encode(b"".join(array.tobytes() for array in arrays)).decode()]

    @classmethod
    def restored(cls, kept: Sequence[Any]) -> WatchedPatron:
        number, is_named, text = kept
        patron, data = cls(number, is_named=is_named), np.frombuffer(b64decode(text))
        for capital in patron.capitals:
            for name in ("through", "apart"):
                array: Floats = getattr(capital, name)
                setattr(capital, name, data[: array.size].reshape(array.shape).copy())
                data = data[array.size :]
        return patron


class Knowing:
    """The capitals of the patrons of a watch. `level` is an upper limit on the chance that any patron who knows only
    past cards is ever named."""

    def __init__(self, prices: Prices, level: float) -> None:
        self._prices, self._level = prices, level
        game = prices.game
        self._bets = Bets.of(game, game.bet_names)
        self._place = {bet: column for column, bet in enumerate(self._bets.side)}
        self._shoes: dict[At, dict[str, ShoeCapital]] = {}  # for each shoe being dealt, the patrons who bet in it
        self.patrons: dict[str, WatchedPatron] = {}  # in the order of the patrons' last bets
        self.number = 0  # the number of patrons so far
        self._restored: dict[str, int] = {}  # for each restored patron, the first record not yet in the capital

    # Bets and coups

    def bet(self, patron: str) -> None:
        """Take note of a patron who bets."""
        watched = self.patrons.pop(patron, None)
        if watched is None:
            self.number += 1
            watched = WatchedPatron(self.number)
            if len(self.patrons) >= MOST_PATRONS:
                self._drop(next(iter(self.patrons)))
        self.patrons[patron] = watched

    def _drop(self, patron: str) -> None:
        for at in self.patrons.pop(patron).shoes:
            del self._shoes[at][patron]

    def wagered(self, table: str, shoe: LiveShoe, numbers: Iterable[int]) -> list[Wagered]:
        """These coups of a shoe with the patrons' wagers. Coups before the first coup with a bet that came in time are
        left out."""
        first = min(shoe.in_time, default=math.inf)
        return [
            Wagered(table, shoe, shoe.before(number), shoe.unread_before(number), shoe.coups[number],
                    self._wagers(shoe.in_time.get(number, ())))
            for number in numbers if number >= first
        ]  # fmt: skip

    def _wagers(self, bets: Iterable[Stake]) -> dict[str, Wager]:
        """The wager of each patron, from all bets on a coup."""
        stakes: dict[str, dict[str, int]] = {}
        for bet in bets:
            by_bet = stakes.setdefault(bet.patron, {})
            by_bet[bet.bet] = by_bet.get(bet.bet, 0) + bet.amount
        return {patron: self._wager(by_bet) for patron, by_bet in stakes.items()}

    def _wager(self, stakes: Mapping[str, int]) -> Wager:
        net = 0
        if self._bets.main:
            player, banker = (stakes.get(bet, 0) for bet in self._bets.main)
            net = player - banker
        side = _NOTHING
        for bet, column in self._place.items():
            if stakes.get(bet, 0) > side[1]:
                side = column, float(stakes[bet])
        return (int(net < 0), float(abs(net))) if net else _NOTHING, side

    def odds(self, coups: Sequence[Wagered]) -> list[tuple[Floats, Floats]]:
        """The odds of each coup, for the main bets and for the side bets. Side bets that nobody makes in the shoes of
        these coups have the odds 1."""
        if not coups:
            return []
        taken = {bet.bet for coup in coups for bet in coup.shoe.bets}
        bets = Bets(self._bets.main, tuple(bet for bet in self._bets.side if bet in taken))
        named = [bet for part in bets for bet in part]
        prices, game = self._prices, self._prices.game
        seen = np.array([coup.seen for coup in coups], np.int32)
        decks = np.array([coup.shoe.decks or prices.decks for coup in coups], np.int32)
        kinds: dict[Knows, None] = {"value": None, **{required_detail(game.bet(bet)): None for bet in named}}
        cards_left = {knows: prices.left(seen, decks, knows) for knows in kinds}
        fits = {knows: prices.fits(seen, each, knows) for knows, each in cards_left.items()}
        codes = np.array([coup.dealt.codes for coup in coups], np.int8)
        shown, every = CoupsShown.of_codes(codes), slice(0, len(codes))
        paid = {bet: surely_paid(shown, every, game, bet, prices.decks) for bet in named}
        unread = np.array([coup.unread for coup in coups], np.int32)
        odds = odds_of(CoupsDealt(cards_left, fits, values_of_codes(codes), unread, paid), game, bets, prices.decks)
        side = np.ones((len(coups), len(self._bets.side), *odds.side.shape[2:]))
        side[:, [self._place[bet] for bet in bets.side]] = odds.side
        return list(zip(odds.main, side, strict=True))

    def dealt(self, coup: Wagered, odds: tuple[Floats, Floats]) -> None:
        """Take note of a dealt coup, and change the capitals of all patrons who bet in its shoe."""
        at = coup.table, coup.shoe.name
        opened = self._shoes.setdefault(at, {})
        for patron in coup.wagers:
            if patron in self.patrons and patron not in opened:
                opened[patron] = ShoeCapital()
                self.patrons[patron].shoes.add(at)
        if not opened:
            return
        bounds = [self._bound(patron) for patron in opened]
        wagers = np.array([coup.wagers.get(patron, (_NOTHING, _NOTHING)) for patron in opened])
        taken, size = np.moveaxis(wagers, -1, 0)
        logs = deal_coup(odds, list(opened.values()), bounds, taken.astype(np.int16), np.ascontiguousarray(size))
        for patron, log in zip(opened, logs.tolist(), strict=True):
            self.patrons[patron].log = log

    def _bound(self, patron: str) -> CapitalBound:
        watched = self.patrons[patron]
        if watched.bound is None:
            watched.bound = CapitalBound(watched.capitals, self._dealing(patron))
        return watched.bound

    def close(self, table: str, shoe: LiveShoe, number: float = math.inf) -> None:
        """Take note that a shoe is over. `number` is the number of the journal's record that ends it.

        A capital that was kept after this record includes the shoe already. A shoe that repeats an earlier shoe is no
        evidence, and is left out."""
        for patron, dealt in self._shoes.pop((table, shoe.name), {}).items():
            watched = self.patrons[patron]
            watched.shoes.discard((table, shoe.name))
            if shoe.again is None and number >= self._restored.get(patron, 0):
                for capital, part in zip(watched.capitals, dealt.parts, strict=True):
                    capital.close(part)
            else:
                watched.bound = None

    def anew(self, at: At) -> None:
        """Take note that a correction changes a shoe: its coups are to be dealt again."""
        for patron in self._shoes.pop(at, {}):
            self.patrons[patron].shoes.discard(at)
            self.patrons[patron].bound = None

    # Who is named

    def named(self, at: At, corrects: bool) -> list[Named]:
        """The patrons in a shoe who are named now and were not before. With `corrects`, also the patrons who were named
        before and are not now."""
        changed = []
        for patron in self._shoes.get(at, {}):
            watched = self.patrons[patron]
            if watched.is_named and not corrects:
                continue
            needed = self.needed(watched.number)
            if not corrects and watched.log < needed * math.log(10) - ROUNDING:
                continue
            is_named = self.log(patron) >= needed * math.log(10)
            if is_named != watched.is_named:
                watched.is_named = is_named
                shoes = [shoe.parts for shoe in self._dealing(patron)]
                now = [capital.after(*(shoe[part] for shoe in shoes)) for part, capital in enumerate(watched.capitals)]
                changed.append(Named(patron, watched.number, evidence_of(now), needed, is_named))
        return changed

    def log(self, patron: str) -> float:
        """The logarithm of a patron's capital now."""
        return capital_log(self.patrons[patron].capitals, [shoe.parts for shoe in self._dealing(patron)])

    def _dealing(self, patron: str) -> list[ShoeCapital]:
        return [self._shoes[at][patron] for at in sorted(self.patrons[patron].shoes)]

    def needed(self, number: int) -> float:
        """The decimal logarithm of the capital at which the patron with this number is named."""
        return math.log10(math.pi**2 * number**2 / (6 * self._level))

    # Taking up a journal

    def restore(self, name: str, kept: Sequence[Any], number: int) -> None:
        """Restore a patron that was kept before the record `number`."""
        self.patrons[name] = WatchedPatron.restored(kept)
        self._restored[name] = number

    def replayed(self, alerts: Iterable[Record]) -> None:
        """Take note of which patrons were named, or no longer named, by these alerts in the journal."""
        for alert in alerts:
            if alert["rule"] == KNOWS and alert["patron"] in self.patrons:
                self.patrons[alert["patron"]].is_named = "withdrawn" not in alert

    def replay(self, table: str, shoe: LiveShoe, number: int) -> None:
        """Take note that the record `number` ended a shoe."""
        self._play([(table, shoe)])
        self.close(table, shoe, number)

    def settle(self, shoes: Sequence[tuple[str, LiveShoe]]) -> None:
        """Play the shoes that were being dealt when the journal ended."""
        self._restored.clear()
        for first in range(0, len(shoes), _TOGETHER):
            self._play(shoes[first : first + _TOGETHER])

    def _play(self, shoes: Iterable[tuple[str, LiveShoe]]) -> None:
        coups = [coup for table, shoe in shoes for coup in self.wagered(table, shoe, sorted(shoe.coups))]
        for coup, odds in zip(coups, self.odds(coups), strict=True):
            self.dealt(coup, odds)
