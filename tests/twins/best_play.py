"""Best play under a table's rules, the slow way: the best stakes of one coup, the exact optimum of a short shoe, and
plain simulation of any player.

An independent check of whatever the package says about perfect counters. It takes from the package only the data
(games, `Dealing`) and the edges of bets (`counting.edges`): no dealing, no rule of staking and no plan of play.

Bets are in the order of `Rules.bets`. Amounts are money. Gains are stakes times exact edges, so chance is only in the
order of the cards.
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
_LONGEST = 1 << 22  # a table of all sets by number; beyond it they are searched for
_SLACK = 1e-7  # money; below any amount that matters, above the rounding of amounts


# The rules of staking


class StakeError(ValueError):
    """A stake that the table does not accept."""


@dataclass(frozen=True)
class Rules:
    """What may be staked, and who keeps the seat.

    A side bet is 0, or from `least_bet` to `most_bet`; a main bet is 0, or from `minimum` to `cap`. The main bets
    together are at least `tie_in` times the sum of the side bets (with `together`, times the largest of them), or,
    with `tie_in` "minimum", at least `minimum` as soon as there is a side bet. Each side bet is at most `side_share`
    times the main bets together. `covers`: with "all" a main bet may go to the table's `maximum`; with "side" it is at
    most the larger of the minimum and what `most_bet` on one side bet calls for, and never above a `maximum`.

    `rebate` is paid on every unit staked. Without `mid_shoe_entry`, a player who skips more than `most_skipped` coups
    in a row is away for the rest of the shoe. A coup counts as played when a bet that `holds_seat` is on: "any"
    bet, a "main" bet, or one of a list. A least amount of 0 stands for any amount above 0, however small.
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
        """Which bets hold a seat."""
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
        """Whether a side bet, however small, needs a main bet."""
        return self.side_share is not None or (self.minimum > 0 if self.tie_in == MINIMUM else self.tie_in > 0)

    def taken_together(self) -> Iterator[tuple[str, Floats]]:
        """The rules of how large the main bets together must be: the name of each, and a row. Stakes keep the rule if
        `row @ stakes >= 0`."""
        main = self.is_main.astype(float)
        each = [np.eye(len(self.bets))[i] for i in range(len(self.sides))]
        if self.tie_in != MINIMUM and self.tie_in:
            for x in each if self.together else [sum(each, np.zeros(len(self.bets)))]:
                yield "tie_in", main - self.tie_in * x
        if self.side_share is not None:
            for x in each:
                yield "side_share", self.side_share * main - x


def broken(stakes: Floats, rules: Rules) -> dict[str, Bools]:
    """For each rule of staking by name, which rows of stakes (coups, bets) break it."""
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
    """Raise `StakeError` if a row of stakes (coups, bets), or the one row (bets), is not allowed. To stake nothing is
    allowed."""
    rows = np.atleast_2d(np.asarray(stakes, float))
    for name, at in broken(rows, rules).items():
        if at.any():
            row = rows[np.flatnonzero(at)[0]]
            raise StakeError(f"{name}: {dict(zip(rules.bets, row.tolist(), strict=True))}")


# The best stakes of one coup


def limits(rules: Rules, on: Sequence[bool]) -> tuple[Floats, Floats] | None:
    """The stakes with exactly these bets on are those with `a @ stakes <= b`: a (rules, bets on), b (rules). None if
    only side bets are on, and need a main bet."""
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
    """The corners of the stakes allowed (corners, bets), and which of them have a bet on that holds the seat.

    For each choice of bets that are on, the stakes allowed are a polytope: a linear gain is largest at one of its
    corners. At a corner the number of rules that hold with equality is the number of bets that are on.
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
    """The largest gain of a coup (...), and stakes that have it (..., bets), for edges (..., bets), rebate not added.

    `must_play`: whether a bet that holds the seat has to be on. If not, the player may also stake nothing; with
    mid-shoe entry, bets that do not hold the seat may be on alone. A gain of -inf: there are no such stakes.
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
    """The state of a shoe between coups: the cards undealt, and, once the cut card is out, the coups still to come."""

    undealt: int
    more: int | None = None

    def begin(self, dealing: Dealing) -> Clock | None:
        """The clock as the next coup begins, which is no longer one to come. None if no coup begins."""
        more = self.more
        if more is None and self.undealt == dealing.cut:  # the coup begins with the cut card
            more = 1 + dealing.after_cut[1]
        if self.undealt < 6 or more == 0:
            return None
        return Clock(self.undealt, None if more is None else more - 1)

    def dealt(self, cards: int, dealing: Dealing) -> Clock:
        """The clock after a coup of this number of cards."""
        undealt, more = self.undealt - cards, self.more
        if more is None and undealt < dealing.cut:  # the cut card came out inside the coup
            more = dealing.after_cut[0]
        return Clock(undealt, more)


def burned(first: int) -> int:
    """The cards burned face down when the first card has this value."""
    return first or 10


# The exact optimum of a short shoe


@lru_cache(maxsize=8)
def removals(tableau: Tableau) -> dict[int, tuple[Ints, Floats]]:
    """The cards that a coup of 4, 5 or 6 cards takes out of the shoe: their counts by value (rows, 10), and the number
    of orders of values in which these cards are a whole coup."""
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
    """The largest expected gain per shoe of any player under the rules, by dynamic programming: exact but for rounding.

    `shoe` is the whole shoe, cards of values 0 to 9, dealt by the cut, burn and after-cut rules of `dealing`, whose
    decks play no part. The player sees every card dealt. The state is what the player knows before a coup: the unseen
    cards, the cards undealt, where the cut card is, and the coups skipped in a row. Every set of unseen cards of the
    right number is a state, whether or not coups lead to it. For shoes of two or three coups, or with few values; bets
    are settled by value.
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
    """The optimum of a shoe with these cards unseen, of which this number is undealt."""
    begun = _clocks(Clock(undealt), dealing)
    if not begun:
        return 0.0
    most_removed = undealt - min(clock.undealt for clock in begun.values())
    sets = _Sets(start, most_removed)
    values: dict[Clock, Floats] = {}  # before the coup, by skips so far and set of unseen cards: (skips, sets)
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
    """The value before a coup (skips, sets), from the gain of a stake on it, and the value after it by skips then."""
    skips = 1 if rules.mid_shoe_entry else rules.most_skipped + 1
    if ahead is None:
        ahead = np.zeros((skips, len(gain)))
    if rules.mid_shoe_entry:
        return gain + ahead
    value: Floats = np.maximum(np.tile(gain + ahead[0], (skips, 1)), 0)  # play, or leave
    value[:-1] = np.maximum(value[:-1], ahead[1:])  # skip
    return value


def _clocks(start: Clock, dealing: Dealing) -> dict[Clock, Clock]:
    """Every clock before a coup that is dealt, and the clock as this coup begins."""
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
    """Every set of cards that can have been taken out, by its size, and the place of each among them."""

    def __init__(self, start: Ints, most: int) -> None:
        self.start = start
        # The number of a set is made from its counts of values 1 to 9: the set's size then gives the count of value 0.
        spans = np.minimum(start, most)[1:] + 1
        self.steps = np.concatenate([[0], np.cumprod(np.concatenate([[1], spans[:0:-1]]))[::-1]])
        self.last = prod(spans.tolist())
        self._removed: dict[int, Ints] = {}
        self._places: dict[int, NDArray[np.int32]] = {}

    def removed(self, cards: int) -> Ints:
        """Every way to take out this number of cards, (sets, 10), in the order of their numbers."""
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
        """The places in `removed(cards)` of the sets of these numbers; of a number that no set has, any place."""
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
    """The mean value after the coup for each clock as it begins: by skips after the coup, and by the set of unseen
    cards before it, (skips, sets). None after the last coup."""
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
    """In how many ways cards of given values can be picked in a given order, (takings, sets): whole numbers."""
    orders = np.ones((len(taken), len(unseen)))
    for value in range(10):
        ways = np.ones(len(unseen))
        for k in range(int(taken[:, value].max())):
            ways = ways * np.maximum(unseen[:, value] - k, 0)
            orders[taken[:, value] == k + 1] *= ways
    return orders


# Plain simulation


class Dealt(NamedTuple):
    """The coups of one number, in the shoes that reach it: the shoes, unseen cards by value, and cards undealt."""

    shoes: Ints
    unseen: NDArray[np.int32]
    undealt: Ints


def shuffled(decks: int, shoes: int, seed: int) -> NDArray[np.uint8]:
    """Shoes in dealing order (shoes, cards), as values 0 to 9."""
    deck = np.repeat(np.arange(10), [16, *[4] * 9]).astype(np.uint8)
    return np.random.default_rng(seed).permuted(np.tile(deck, (shoes, decks)), axis=1)


def deal(game: Game, dealing: Dealing, cards: NDArray[np.uint8]) -> list[Dealt]:
    """The coups of shoes that lie in this order (shoes, cards): all first coups, all second coups, and so on.

    Coups are dealt one after another. Before and after each, the cut card is seen to be out or not.
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
    more = np.full(shoes, -1)  # coups still to come, once the cut card is out
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
    """What the players know before their coup of one number, a row for each shoe in which the player has not left."""

    shoes: Ints
    coup: int  # from 1
    edges: Floats  # (shoes, bets), without the rebate
    unseen: NDArray[np.int32]
    undealt: Ints
    before_cut: Ints  # cards left before the cut card; below 0 where it is out
    skipped: Ints  # coups in a row just before this one


Player = Callable[[View], Floats]
"""A player returns the stakes, (shoes, bets). A row of zeros skips the coup; with a row of NaN the player leaves the
shoe."""


class Played(NamedTuple):
    """Gains and coups dealt, by shoe."""

    gains: Floats
    coups: Ints

    @property
    def mean(self) -> float:
        """The mean gain per shoe."""
        return float(self.gains.mean())

    @property
    def error(self) -> float:
        """Its standard error."""
        return float(self.gains.std(ddof=1) / np.sqrt(len(self.gains)))

    @property
    def per_coup(self) -> tuple[float, float]:
        """The gain per coup dealt, and its standard error as a ratio."""
        rate, n = self.gains.sum() / self.coups.sum(), len(self.gains)
        error = (self.gains - rate * self.coups).std(ddof=1) / np.sqrt(n) / self.coups.mean()
        return float(rate), float(error)


def simulate(game: Game, dealing: Dealing, rules: Rules, player: Player, shoes: int, seed: int) -> Played:
    """What a player gains from shuffled shoes. Raises `StakeError` for a stake that the rules do not allow.

    Without mid-shoe entry, a player who skips one coup more in a row than the rules allow has left the shoe.
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
"""A player at one table: (memory, edges by bet, cards before the cut card, coups dealt so far in the shoe) gives stakes
by bet, None to skip or `LEAVE`. The memory is the player's to keep, empty when a shoe begins."""


def one_by_one(play: Alone, rules: Rules) -> Player:
    """A player for `simulate`, made from a player at one table, who is easier to write and slower."""
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
