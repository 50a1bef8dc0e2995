"""A slow reference implementation of best play under a table's rules: the best stakes of one coup, the exact optimum of
a short shoe, and plain simulation of any player.

It checks the package's results on perfect counters independently. From the package it takes only data (games,
`Dealing`) and the edges of bets (`counting.edges`). Dealing, rules of staking and plans of play are written again here.

Bets are in the order of `Rules.bets`. Amounts are money. A gain is the sum of stakes times exact edges, so only the
order of the cards is random.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from math import inf, prod
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from counting import Game, edges
from counting.games import STOOD, Tableau
from counting.simulation import Dealing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MINIMUM: Literal["minimum"] = "minimum"
_LONGEST = 1 << 22  # the longest table of sets by number; larger numbers are searched for
_SLACK = 1e-7  # money: more than rounding errors, less than any amount that matters


# The rules of staking


class StakeError(ValueError):
    """A stake that the table does not accept."""


@dataclass(frozen=True)
class Rules:
    """Which stakes are allowed, and which bets hold the seat.

    A side bet is 0, or from `least_bet` to `most_bet`. A main bet is 0, or from `minimum` to `cap`. The main bets
    together are at least `tie_in` times the sum of the side bets; with `together`, they are at least `tie_in` times the
    largest side bet. If `tie_in` is "minimum" and there is a side bet, the main bets together are at least `minimum`.
    Each side bet is at most `side_share` times the main bets together. If `covers` is "all", a main bet may be as large
    as the table's `maximum`. If it is "side", a main bet is at most the larger of two amounts: the minimum, and the
    main bet that a side bet of `most_bet` requires. It is never above `maximum`.

    `rebate` is paid on every unit staked. Without `mid_shoe_entry`, a player who skips more than `most_skipped` coups
    in a row is out for the rest of the shoe. A coup is played if the player makes a bet that `holds_seat` names: "any"
    bet, a "main" bet, or a bet in a list. A least amount of 0 means any amount above 0.
    """

    sides: tuple[str, ...]
    mains: tuple[str, ...]
    most_bet: float
    least_bet: float = 0
    minimum: float = 0
    maximum: float | None = None
    tie_in: float | Literal["minimum"] = 0
    together: bool = False
    side_share: float | None = None
    covers: Literal["all", "side"] = "side"
    rebate: float = 0
    mid_shoe_entry: bool = True
    most_skipped: int = 0
    holds_seat: Literal["any", "main"] | tuple[str, ...] = "any"

    def __post_init__(self) -> None:
        if len({*self.bets}) < len(self.bets):
            raise ValueError(f"bets {', '.join(self.bets)}: should each be a side bet or a main bet, once")
        if self.covers == "all" and self.maximum is None:
            raise ValueError("maximum: missing, without it there is no largest gain")
        if not 0 <= self.least_bet <= self.most_bet < inf:
            raise ValueError(f"least_bet: {self.least_bet}, should be from 0 to most_bet, {self.most_bet}, an amount")

    @property
    def bets(self) -> tuple[str, ...]:
        return (*self.sides, *self.mains)

    @property
    def is_main(self) -> Bools:
        return np.array([bet in self.mains for bet in self.bets])

    @property
    def is_seat(self) -> Bools:
        """Which bets hold the seat, as a mask (bets,)."""
        if self.holds_seat == "any":
            return np.ones(len(self.bets), bool)
        names = self.mains if self.holds_seat == "main" else self.holds_seat
        unknown = {*names} - {*self.bets}
        if unknown:
            raise ValueError(f"holds_seat: {', '.join(sorted(unknown))}, should be of {', '.join(self.bets)}")
        return np.array([bet in names for bet in self.bets])

    @property
    def least(self) -> Floats:
        return np.where(self.is_main, self.minimum, self.least_bet)

    @property
    def most(self) -> Floats:
        return np.where(self.is_main, self.cap, self.most_bet)

    @property
    def cap(self) -> float:
        """The largest main bet."""
        if self.covers == "all":
            assert self.maximum is not None
            return self.maximum
        calls_for = [self.minimum]
        if self.tie_in != MINIMUM:
            calls_for.append(self.tie_in * self.most_bet)
        if self.side_share is not None:
            calls_for.append(self.most_bet / self.side_share)
        return min(max(calls_for), inf if self.maximum is None else self.maximum)

    @property
    def main_needed(self) -> bool:
        """Whether every side bet, even the smallest, needs a main bet."""
        return self.side_share is not None or (self.minimum > 0 if self.tie_in == MINIMUM else self.tie_in > 0)

    def taken_together(self) -> Iterator[tuple[str, Floats]]:
        """The rules on the sum of the main bets: for each, its name and a row (bets,). Stakes obey the rule if `row @
        stakes >= 0`."""
        main = self.is_main.astype(float)
        each = [np.eye(len(self.bets))[i] for i in range(len(self.sides))]
        if self.tie_in != MINIMUM and self.tie_in:
            for x in each if self.together else [sum(each, np.zeros(len(self.bets)))]:
                yield "tie_in", main - self.tie_in * x
        if self.side_share is not None:
            for x in each:
                yield "side_share", self.side_share * main - x


def broken(stakes: Floats, rules: Rules) -> dict[str, Bools]:
    """For each rule of staking, by its name: a mask (coups,) of the rows of stakes (coups, bets) that break it."""
    on = stakes > 0
    side, main = on[:, ~rules.is_main].any(axis=1), stakes[:, rules.is_main].sum(axis=1)
    breaks = {
        "amount": (~np.isfinite(stakes) | (stakes < 0)).any(axis=1),
        "least": (on & (stakes < rules.least - _SLACK)).any(axis=1),
        "most": (stakes > rules.most + _SLACK).any(axis=1),
    }
    for name, row in rules.taken_together():
        breaks[name] = (stakes @ row < -_SLACK) | breaks.get(name, np.zeros(len(stakes), bool))
    if rules.tie_in == MINIMUM:
        breaks["tie_in"] = side & (main < rules.minimum - _SLACK)
    if not rules.mid_shoe_entry:
        breaks["holds_seat"] = on.any(axis=1) & ~on[:, rules.is_seat].any(axis=1)
    return breaks


def check(stakes: ArrayLike, rules: Rules) -> None:
    """Raise `StakeError` if a row of `stakes` is not allowed. Stakes are (coups, bets), or (bets,) for a single row.
    Zero stakes are allowed."""
    rows = np.atleast_2d(np.asarray(stakes, float))
    for name, at in broken(rows, rules).items():
        if at.any():
            row = rows[np.flatnonzero(at)[0]]
            raise StakeError(f"{name}: {dict(zip(rules.bets, row.tolist(), strict=True))}")


# The best stakes of one coup


def limits(rules: Rules, on: Sequence[bool]) -> tuple[Floats, Floats] | None:
    """The allowed stakes if exactly the bets in the mask `on` are made: those with `a @ stakes <= b`. Returns `a`
    (rules, bets made) and `b` (rules,). None if only side bets are made and they need a main bet."""
    chosen = np.array(on, bool)
    main = rules.is_main
    side_on = bool((chosen & ~main).any())
    if side_on and rules.main_needed and not (chosen & main).any():
        return None
    eye = np.eye(len(chosen))[chosen]
    rows = [*eye, *-eye, *(-row for _, row in rules.taken_together())]
    bounds = [*rules.most[chosen], *-rules.least[chosen], *(0.0 for _ in rules.taken_together())]
    if side_on and rules.tie_in == MINIMUM:
        rows.append(-main.astype(float))
        bounds.append(-rules.minimum)
    return np.array(rows)[:, chosen], np.array(bounds)


@lru_cache(maxsize=64)
def corners(rules: Rules) -> tuple[Floats, Bools]:
    """The corners of the allowed stakes (corners, bets), and a mask of the corners with a bet that holds the seat.

    For each choice of bets to make, the allowed stakes are a polytope, and a linear gain is largest at a corner. At a
    corner, as many rules hold with equality as bets are made.
    """
    allowed, held = [np.zeros(len(rules.bets))], [False]
    for on in product((False, True), repeat=len(rules.bets)):
        chosen = np.flatnonzero(on)
        bounded = limits(rules, on) if len(chosen) else None
        if bounded is None:
            continue
        a, b = bounded
        tight = np.array(list(combinations(range(len(b)), len(chosen))))
        tight = tight[np.abs(np.linalg.det(a[tight])) > 1e-9]
        points = np.linalg.solve(a[tight], b[tight][..., np.newaxis])[..., 0]
        points = np.unique(np.round(points[(points @ a.T <= b + _SLACK).all(axis=1)], 9), axis=0)
        for point in points:
            allowed.append(np.zeros(len(rules.bets)))
            allowed[-1][chosen] = point
            held.append(bool(rules.is_seat[chosen].any()))
    return np.array(allowed), np.array(held)


def best_stakes(edges: ArrayLike, rules: Rules, must_play: bool = False) -> tuple[Floats, Floats]:
    """The largest gain of a coup (...), and stakes with this gain (..., bets). `edges` (..., bets) are without the
    rebate.

    `must_play`: a bet that holds the seat must be made. Otherwise the player may also stake nothing and, with mid-shoe
    entry, may make only bets that do not hold the seat. A gain of -inf means that no stakes are allowed.
    """
    points, held = corners(rules)
    if must_play:
        usable = points[held]
    elif rules.mid_shoe_entry:
        usable = points
    else:
        usable = points[held | (points == 0).all(axis=1)]
    worth = np.asarray(edges, float) + rules.rebate
    if not len(usable):
        return np.full(worth.shape[:-1], -inf), np.full(worth.shape, np.nan)
    gains = worth @ usable.T
    best = gains.argmax(axis=-1)
    return np.take_along_axis(gains, best[..., np.newaxis], axis=-1)[..., 0], usable[best]


# The dealing procedure


class Clock(NamedTuple):
    """The state of a shoe between coups. `undealt`: the cards not yet dealt. `more`: the coups still to come after the
    cut card came out; None before."""

    undealt: int
    more: int | None = None

    def begin(self, dealing: Dealing) -> Clock | None:
        """The state when the next coup begins. This coup no longer counts as one to come. None if no further coup is
        dealt."""
        more = self.more
        if more is None and self.undealt == dealing.cut:  # the cut card is the first card of the coup
            more = 1 + dealing.after_cut[1]
        if self.undealt < 6 or more == 0:
            return None
        return Clock(self.undealt, None if more is None else more - 1)

    def dealt(self, cards: int, dealing: Dealing) -> Clock:
        """The state after a coup with `cards` cards."""
        undealt, more = self.undealt - cards, self.more
        if more is None and undealt < dealing.cut:  # the cut card came out during the coup
            more = dealing.after_cut[0]
        return Clock(undealt, more)


def burned(first: int) -> int:
    """The number of cards burned unseen if the first card has this value."""
    return first or 10


# The exact optimum of a short shoe


@lru_cache(maxsize=8)
def removals(tableau: Tableau) -> dict[int, tuple[Ints, Floats]]:
    """For coups of 4, 5 and 6 cards: the cards that a coup can take out of the shoe, as counts by value (rows, 10), and
    for each row the number of orders of these values that are a whole coup."""
    hands = [(a, b, 1 + (a != b)) for a in range(10) for b in range(a, 10)]
    orders: dict[int, Counter[tuple[int, ...]]] = {4: Counter(), 5: Counter(), 6: Counter()}
    for (p1, p2, n), (b1, b2, m) in product(hands, hands):
        player, banker, ways = (p1 + p2) % 10, (b1 + b2) % 10, n * m
        first = (p1, p2, b1, b2)
        if max(player, banker) >= 8:
            orders[4][tuple(sorted(first))] += ways
            continue
        for third in range(10) if tableau.player[player] else [STOOD]:
            taken = first if third == STOOD else (*first, third)
            if tableau.banker[banker][third]:
                for last in range(10):
                    orders[len(taken) + 1][tuple(sorted((*taken, last)))] += ways
            else:
                orders[len(taken)][tuple(sorted(taken))] += ways
    return {
        size: (
            np.array([np.bincount(cards, minlength=10) for cards in counted]).reshape(-1, 10),
            np.array(list(counted.values()), float),
        )
        for size, counted in orders.items()
    }


def optimum(game: Game, shoe: Sequence[int], rules: Rules, dealing: Dealing) -> float:
    """The largest expected gain per shoe of any player under the rules, by dynamic programming. It is exact, except for
    rounding.

    `shoe` has the number of cards of each value, 0 to 9. It is dealt by the cut, burn and after-cut rules of `dealing`;
    the number of decks in `dealing` is not used. The player sees every card dealt. A state is what the player knows
    before a coup: the unseen cards, the number of undealt cards, where the cut card is, and the coups skipped in a row.
    Every set of unseen cards with the right size is a state, even if no coups lead to it. The function is for shoes of
    two or three coups, or with few values. Bets must be settled by values.
    """
    whole = np.array(shoe, np.int64)
    if dealing.burn == "none":
        return _from(game, whole, int(whole.sum()), rules, dealing)
    total = 0.0
    for first in np.flatnonzero(whole).tolist():
        unseen = whole.copy()
        unseen[first] -= 1
        chance = whole[first] / whole.sum()
        total += chance * _from(game, unseen, int(unseen.sum()) - burned(first), rules, dealing)
    return float(total)


def _from(game: Game, start: Ints, undealt: int, rules: Rules, dealing: Dealing) -> float:
    """The optimum from the unseen cards `start` on, of which `undealt` are still to be dealt."""
    begun = _clocks(Clock(undealt), dealing)
    if not begun:
        return 0.0
    most_removed = undealt - min(clock.undealt for clock in begun.values())
    sets = _Sets(start, most_removed)
    values: dict[Clock, Floats] = {}  # the value before a coup, by coups skipped and set of unseen cards: (skips, sets)
    for left in sorted({clock.undealt for clock in begun}):
        clocks = [clock for clock in begun if clock.undealt == left]
        unseen = start - sets.removed(undealt - left)
        ahead = _expected(game, unseen, undealt - left, [begun[clock] for clock in clocks], values, sets, dealing)
        priced = edges(game, unseen, rules.bets)
        gain, _ = best_stakes(priced, rules, must_play=not rules.mid_shoe_entry)
        for clock in clocks:
            values[clock] = _chosen(gain, ahead[begun[clock]], rules)
    return float(values[Clock(undealt)][0, 0])


def _chosen(gain: Floats, ahead: Floats | None, rules: Rules) -> Floats:
    """The value before a coup (skips, sets). `gain`: the best gain on this coup (sets,). `ahead`: the value after the
    coup (skips, sets), by coups skipped then; None after the last coup."""
    skips = 1 if rules.mid_shoe_entry else rules.most_skipped + 1
    if ahead is None:
        ahead = np.zeros((skips, len(gain)))
    if rules.mid_shoe_entry:
        return gain + ahead
    value: Floats = np.maximum(np.tile(gain + ahead[0], (skips, 1)), 0)  # play, or leave
    value[:-1] = np.maximum(value[:-1], ahead[1:])  # skip
    return value


def _clocks(start: Clock, dealing: Dealing) -> dict[Clock, Clock]:
    """Every state before a coup that is dealt, with the state when this coup begins."""
    clocks: dict[Clock, Clock] = {}
    waiting = [start]
    while waiting:
        clock = waiting.pop()
        begun = clock.begin(dealing)
        if begun is not None and clock not in clocks:
            clocks[clock] = begun
            waiting += [begun.dealt(cards, dealing) for cards in (4, 5, 6)]
    return clocks


class _Sets:
    """The sets of cards that can have been taken out of the shoe, by the size of the set."""

    def __init__(self, start: Ints, most: int) -> None:
        self.start = start
        # A set's number is made from its counts of values 1 to 9. The count of value 0 follows from the size.
        spans = np.minimum(start, most)[1:] + 1
        self.steps = np.concatenate([[0], np.cumprod(np.concatenate([[1], spans[:0:-1]]))[::-1]])
        self.last = prod(spans.tolist())
        self._removed: dict[int, Ints] = {}
        self._places: dict[int, NDArray[np.int32]] = {}

    def removed(self, cards: int) -> Ints:
        """All sets of `cards` cards, as counts by value (sets, 10), in the order of their numbers."""
        if cards not in self._removed:
            rows = np.zeros((1, 0), np.int64)
            for count in self.start[1:].tolist():
                taken = np.arange(min(count, cards) + 1)
                rows = np.column_stack([np.repeat(rows, len(taken), axis=0), np.tile(taken, len(rows))])
                rows = rows[rows.sum(axis=1) <= cards]
            rows = np.column_stack([cards - rows.sum(axis=1), rows])
            self._removed[cards] = rows[rows[:, 0] <= self.start[0]]
        return self._removed[cards]

    def places(self, cards: int, numbers: Ints) -> NDArray[np.int32]:
        """The places in `removed(cards)` of the sets with these numbers. For a number that no set has, the place is
        arbitrary."""
        if self.last > _LONGEST:
            known = self.removed(cards) @ self.steps
            return np.searchsorted(known, numbers).clip(max=len(known) - 1).astype(np.int32)
        if cards not in self._places:
            self._places[cards] = np.zeros(self.last, np.int32)
            self._places[cards][self.removed(cards) @ self.steps] = np.arange(len(self.removed(cards)))
        return self._places[cards].take(numbers, mode="clip")


def _expected(
    game: Game,
    unseen: Ints,
    removed: int,
    begun: list[Clock],
    values: Mapping[Clock, Floats],
    sets: _Sets,
    dealing: Dealing,
) -> dict[Clock, Floats | None]:
    """For each state when a coup begins: the mean value after the coup (skips, sets), by coups skipped after the coup
    and by the set of unseen cards before it. None if this is the last coup."""
    ahead: dict[Clock, Floats | None] = dict.fromkeys(begun)
    total = int(unseen[0].sum())
    numbers = (sets.start - unseen) @ sets.steps
    for size, (taken, orders) in removals(game.tableau).items():
        after = {clock: clock.dealt(size, dealing) for clock in begun}
        after = {clock: later for clock, later in after.items() if later in values}
        possible = (taken <= sets.start).all(axis=1)
        taken, orders = taken[possible], orders[possible]
        if not after or not len(taken):
            continue
        deals = prod(range(total - size + 1, total + 1))
        chance, steps = (orders / deals)[:, np.newaxis], (taken @ sets.steps)[:, np.newaxis]
        for rows in np.array_split(np.arange(len(unseen)), 1 + len(unseen) * len(taken) // (1 << 20)):
            chances = _orders(unseen[rows], taken) * chance
            places = sets.places(removed + size, numbers[rows] + steps)
            for clock, later in after.items():
                if ahead[clock] is None:
                    ahead[clock] = np.zeros((len(values[later]), len(unseen)))
                for skips, value in enumerate(values[later]):
                    ahead[clock][skips, rows] += np.einsum("ij,ij->j", chances, value.take(places))  # type: ignore[index]
    return ahead


def _orders(unseen: Ints, taken: Ints) -> Floats:
    """The number of ways to pick the cards `taken`, in a given order of values, from each set `unseen`: (takings,
    sets). All are whole numbers."""
    orders = np.ones((len(taken), len(unseen)))
    for value in range(10):
        ways = np.ones(len(unseen))
        for k in range(int(taken[:, value].max())):
            ways = ways * np.maximum(unseen[:, value] - k, 0)
            orders[taken[:, value] == k + 1] *= ways
    return orders


# Plain simulation


class Dealt(NamedTuple):
    """The first, second, ... coup of all shoes that reach it. `shoes`: these shoes. `unseen`: the unseen cards by
    value. `undealt`: the numbers of undealt cards."""

    shoes: Ints
    unseen: NDArray[np.int32]
    undealt: Ints


def shuffled(decks: int, shoes: int, seed: int) -> NDArray[np.uint8]:
    """Shuffled shoes (shoes, cards), as values 0 to 9 in the order dealt."""
    deck = np.repeat(np.arange(10), [16, *[4] * 9]).astype(np.uint8)
    return np.random.default_rng(seed).permuted(np.tile(deck, (shoes, decks)), axis=1)


def deal(game: Game, dealing: Dealing, cards: NDArray[np.uint8]) -> list[Dealt]:
    """Deal shoes with the cards in this order (shoes, cards). Returns all first coups, then all second coups, and so
    on.

    Before and after each coup, it is checked whether the cut card has come out.
    """
    inside, beginning = dealing.after_cut
    draws = np.zeros(10, bool)
    draws[:8] = game.tableau.player
    answers = np.zeros((10, 11), bool)
    answers[:8] = game.tableau.banker
    shoes, size = cards.shape
    unseen = np.stack([(cards == value).sum(axis=1) for value in range(10)], axis=1).astype(np.int32)
    at = np.zeros(shoes, np.int64)
    if dealing.burn == "first-card":
        first = cards[:, 0].astype(np.int64)
        unseen[np.arange(shoes), first] -= 1
        at = 1 + np.where(first == 0, burned(0), first)
    more = np.full(shoes, -1)  # coups still to come after the cut card came out; -1 before
    active = np.arange(shoes)
    coups: list[Dealt] = []
    while True:
        more[active[(more[active] < 0) & (size - at[active] == dealing.cut)]] = 1 + beginning
        active = active[(more[active] != 0) & (size - at[active] >= 6)]
        if not len(active):
            return coups
        coups.append(Dealt(active, unseen[active], size - at[active]))
        six = cards[active[:, np.newaxis], at[active, np.newaxis] + np.arange(6)].astype(np.int64)
        player, banker = (six[:, 0] + six[:, 2]) % 10, (six[:, 1] + six[:, 3]) % 10
        goes_on = np.maximum(player, banker) < 8
        player_draws = goes_on & draws[player]
        banker_draws = goes_on & answers[banker, np.where(player_draws, six[:, 4], STOOD)]
        used = 4 + player_draws + banker_draws
        for place in range(6):
            rows = used > place
            unseen[active[rows], six[rows, place]] -= 1
        at[active] += used
        more[active] -= more[active] > 0
        more[active[(more[active] < 0) & (size - at[active] < dealing.cut)]] = inside


class View(NamedTuple):
    """What players know before a coup, with a row for each shoe in which the player has not left."""

    shoes: Ints
    coup: int  # the coup's number, from 1
    edges: Floats  # exact edges (shoes, bets), without the rebate
    unseen: NDArray[np.int32]
    undealt: Ints
    before_cut: Ints  # cards before the cut card; below 0 if it is out
    skipped: Ints  # coups skipped in a row just before this one


Player = Callable[[View], Floats]
"""A player is a function that returns the stakes (shoes, bets). A row of zeros skips the coup, and with a row of NaN
the player leaves the shoe."""


class Played(NamedTuple):
    """The gain and the number of coups dealt, for each shoe."""

    gains: Floats
    coups: Ints

    @property
    def mean(self) -> float:
        """The mean gain per shoe."""
        return float(self.gains.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean gain."""
        return float(self.gains.std(ddof=1) / np.sqrt(len(self.gains)))

    @property
    def per_coup(self) -> tuple[float, float]:
        """The gain per coup dealt, and its standard error, for a ratio of means."""
        rate, n = self.gains.sum() / self.coups.sum(), len(self.gains)
        error = (self.gains - rate * self.coups).std(ddof=1) / np.sqrt(n) / self.coups.mean()
        return float(rate), float(error)


def simulate(game: Game, dealing: Dealing, rules: Rules, player: Player, shoes: int, seed: int) -> Played:
    """Play shuffled shoes. Raises `StakeError` if the player makes a stake that the rules do not allow.

    Without mid-shoe entry, a player who skips more coups in a row than the rules allow has left the shoe.
    """
    coups = deal(game, dealing, shuffled(dealing.decks, shoes, seed))
    priced = edges(game, np.concatenate([coup.unseen for coup in coups]), rules.bets)
    ends = np.cumsum([len(coup.shoes) for coup in coups])
    gains, skipped, away = np.zeros(shoes), np.zeros(shoes, np.int64), np.zeros(shoes, bool)
    for number, (coup, of_coup) in enumerate(zip(coups, np.split(priced, ends[:-1]), strict=True), 1):
        stay = ~away[coup.shoes]
        active, undealt = coup.shoes[stay], coup.undealt[stay]
        if not len(active):
            continue
        view = View(active, number, of_coup[stay], coup.unseen[stay], undealt, undealt - dealing.cut, skipped[active])
        stakes = np.asarray(player(view), float)
        if stakes.shape != view.edges.shape:
            raise ValueError(f"stakes: of shape {stakes.shape}, should be {view.edges.shape}")
        leaves = np.isnan(stakes).all(axis=1)
        check(stakes[~leaves], rules)
        stakes = np.where(leaves[:, np.newaxis], 0, stakes)
        gains[active] += (stakes * (view.edges + rules.rebate)).sum(axis=1)
        skipped[active] = np.where(stakes.any(axis=1), 0, skipped[active] + 1)
        away[active] = leaves | (not rules.mid_shoe_entry) & (skipped[active] > rules.most_skipped)
    return Played(gains, np.bincount(np.concatenate([coup.shoes for coup in coups]), minlength=shoes))


LEAVE = "leave"
Alone = Callable[[dict[str, object], dict[str, float], int, int], Mapping[str, float] | Literal["leave"] | None]
"""A player at one table, as a function of four arguments: a memory, the edges by bet, the cards before the cut card,
and the coups dealt so far in the shoe. It returns the stakes by bet, None to skip the coup, or `LEAVE`. The memory is a
dictionary for the player's use, which is empty when a shoe begins."""


def one_by_one(play: Alone, rules: Rules) -> Player:
    """Make a player for `simulate` from a player at one table, which is easier to write, but slower."""
    memories: dict[int, dict[str, object]] = {}

    def player(view: View) -> Floats:
        if view.coup == 1:
            memories.clear()
        return np.array([_row(view, i) for i in range(len(view.shoes))]).reshape(view.edges.shape)

    def _row(view: View, i: int) -> Iterable[float]:
        memory = memories.setdefault(int(view.shoes[i]), {})
        by_bet = dict(zip(rules.bets, view.edges[i].tolist(), strict=True))
        stakes = play(memory, by_bet, int(view.before_cut[i]), view.coup - 1)
        if stakes == LEAVE:
            return [np.nan] * len(rules.bets)
        assert not isinstance(stakes, str)
        unknown = {*(stakes or {})} - {*rules.bets}
        if unknown:
            raise StakeError(f"bets {', '.join(sorted(unknown))}: should be of {', '.join(rules.bets)}")
        return [float((stakes or {}).get(bet, 0)) for bet in rules.bets]

    return player
