"""Honest patrons, to measure how often the test for knowledge of coming cards is wrong. They have 26 habits, and none
of them knows a coming card.

A habit makes stakes from earlier coups: their results, their cards, exact edges from the cards seen, money, time or
chance. Stakes may depend on all earlier shoes. "Over all shoes" means that a habit keeps its money or progression from
one shoe to the next.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from counting.cards import SUITS, VALUE_OF_RANK
from counting.review.synthetic import DealtTable, Facts

Floats = NDArray[np.float64]
Rule = Callable[["Seen", np.random.Generator], Floats]
PLAYER, BANKER, DRAGON, PANDA, TIE = range(5)
UNIT = 25.0


class Seen:
    """What a table showed. `pays`: (coups, bets). `edges`: the exact edges before each coup. The numbers of shoes and
    coups begin at 0. The other fields are the share of the shoe that was dealt, and the values of the cards, with -1
    for no card."""

    def __init__(self, table: DealtTable, facts: Facts) -> None:
        self.pays, self.edges = facts.pays, facts.edges
        self.shoe = table.coups.shoe.astype(np.int64)
        self.coup = table.coup.astype(np.int64) - 1
        self.dealt = 1 - table.undealt / table.undealt.max()
        self.values = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), -1)[table.cards.astype(np.int64)]
        self.winner = np.where(self.pays[:, TIE] > 0, -1, np.where(self.pays[:, PLAYER] > 0, PLAYER, BANKER))

    def on(self, bet: int | NDArray[np.int64], stakes: Floats | float) -> Floats:
        placed = np.zeros(self.pays.shape)
        placed[np.arange(len(placed)), bet] = stakes
        return placed


def _each(seen: Seen, first: object, step: Callable[..., tuple[int, float, object]], over_shoes: bool) -> Floats:
    """The stakes of a rule with a memory. `step(memory, row)` returns the bet, the stake, and a function that makes the
    next memory from what the bet paid. `first`: the memory at the beginning."""
    placed = np.zeros(seen.pays.shape)
    memory = first
    for row in range(len(placed)):
        if row and not over_shoes and seen.coup[row] == 0:
            memory = first
        bet, stake, after = step(memory, row)
        placed[row, bet] = stake
        memory = after(float(seen.pays[row, bet])) if callable(after) else after
    return placed


def doubles(bet: int, most: int, over_shoes: bool) -> Rule:
    """Doubles after a loss, up to 2^most."""

    def rule(seen: Seen, rng: np.random.Generator) -> Floats:
        def step(lost: object, row: int) -> tuple[int, float, object]:
            assert isinstance(lost, int)
            return bet, UNIT * 2**lost, lambda pay: lost if pay == 0 else 0 if pay > 0 or lost == most else lost + 1

        return _each(seen, 0, step, over_shoes)

    return rule


def doubles_on_a_random_side(seen: Seen, rng: np.random.Generator) -> Floats:
    side = rng.integers(0, 2, len(seen.pays))
    lost, placed = 0, np.zeros(seen.pays.shape)
    for row, bet in enumerate(side.tolist()):
        placed[row, bet] = UNIT * 2**lost
        pay = seen.pays[row, bet]
        lost = lost if pay == 0 else 0 if pay > 0 or lost == 12 else lost + 1
    return placed


def oscar(bet: int) -> Rule:
    """Raises the stake by a unit after each win until one unit is won in all, and then starts again; over all shoes."""

    def rule(seen: Seen, rng: np.random.Generator) -> Floats:
        placed, stake, won = np.zeros(seen.pays.shape), 1.0, 0.0
        for row in range(len(placed)):
            stake = min(stake, 1 - won) if won < 0 else 1.0
            placed[row, bet] = UNIT * stake
            pay = float(seen.pays[row, bet])
            won += stake * pay
            stake = min(stake + 1, 500) if pay > 0 else stake
            if won >= 1:
                stake, won = 1.0, 0.0
        return placed

    return rule


def _last(seen: Seen) -> NDArray[np.int64]:
    """The winner of the last coup that was not a tie; Player before the first coup."""
    last, found = PLAYER, []
    for winner in seen.winner.tolist():
        found.append(last)
        last = winner if winner >= 0 else last
    return np.array(found)


def chases(seen: Seen, rng: np.random.Generator) -> Floats:
    return seen.on(_last(seen), UNIT)


def bets_against_the_last(seen: Seen, rng: np.random.Generator) -> Floats:
    return seen.on(1 - _last(seen), UNIT)


def high_after_three(seen: Seen, rng: np.random.Generator) -> Floats:
    """After a side has won three times in a row, bets fifty times the usual stake on it."""
    run, last, stakes = 0, -1, []
    for winner in seen.winner.tolist():
        stakes.append(UNIT * (50 if run >= 3 else 1))
        if winner >= 0:
            run, last = (run + 1 if winner == last else 1), winner
    return seen.on(_last(seen), np.array(stakes))


def flat(bet: int) -> Rule:
    return lambda seen, rng: seen.on(bet, UNIT)


def random_side(seen: Seen, rng: np.random.Generator) -> Floats:
    return seen.on(rng.integers(0, 2, len(seen.pays)), UNIT)


def at_times_fifty(seen: Seen, rng: np.random.Generator) -> Floats:
    side = rng.integers(0, 2, len(seen.pays))
    return seen.on(side, np.where(rng.random(len(side)) < 0.04, 50 * UNIT, UNIT))


def three_large_a_shoe(seen: Seen, rng: np.random.Generator) -> Floats:
    side, stakes = rng.integers(0, 2, len(seen.pays)), np.full(len(seen.pays), UNIT)
    for shoe in np.unique(seen.shoe):
        stakes[rng.choice(np.flatnonzero(seen.shoe == shoe), 3, replace=False)] = 50 * UNIT
    return seen.on(side, stakes)


def late_twenty(seen: Seen, rng: np.random.Generator) -> Floats:
    return seen.on(rng.integers(0, 2, len(seen.pays)), np.where(seen.dealt > 2 / 3, 20 * UNIT, UNIT))


def perfect_on_the_dragon(seen: Seen, rng: np.random.Generator) -> Floats:
    return seen.on(DRAGON, np.where(seen.edges[:, DRAGON] > 0, UNIT, 0))


def perfect_on_three(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets on Player or Banker at random on every coup. Makes each of three side bets if it has a positive edge, and as
    cover also on a tenth of the other coups."""
    placed = seen.on(rng.integers(0, 2, len(seen.pays)), UNIT)
    for bet in (DRAGON, PANDA, TIE):
        placed[:, bet] = UNIT * ((seen.edges[:, bet] > 0) | (rng.random(len(placed)) < 0.1))
    return placed


def perfect_on_the_main_bets(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets on Player or Banker, whichever has the better exact edge. On the best tenth of all coups of the table, the
    stake is forty times the usual stake."""
    side = seen.edges[:, :2].argmax(axis=1)
    best = seen.edges[:, :2].max(axis=1)
    return seen.on(side, np.where(best >= np.quantile(best, 0.9), 40 * UNIT, UNIT))


def after_nines(seen: Seen, rng: np.random.Generator) -> Floats:
    nines = np.append(False, (seen.values[:-1] == 9).any(axis=1))
    return seen.on(PLAYER, np.where(nines, 50 * UNIT, UNIT))


def share_of_the_bank(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets 5% of the patron's money on Banker, over all shoes."""
    money, placed = 10_000.0, np.zeros(seen.pays.shape)
    for row in range(len(placed)):
        placed[row, BANKER] = round(max(money / 20, 1), 2)
        money += placed[row, BANKER] * float(seen.pays[row, BANKER])
    return placed


def doubles_till_a_win(seen: Seen, rng: np.random.Generator) -> Floats:
    """Doubles until the first win of the shoe, then leaves it."""
    placed, stake, gone = np.zeros(seen.pays.shape), UNIT, False
    for row in range(len(placed)):
        if seen.coup[row] == 0:
            stake, gone = UNIT, False
        if not gone:
            placed[row, PLAYER] = stake
            gone, stake = (
                seen.pays[row, PLAYER] > 0,
                min(stake * (2 if seen.pays[row, PLAYER] < 0 else 1), 2**12 * UNIT),
            )
    return placed


def raises_on_the_dragon(seen: Seen, rng: np.random.Generator) -> Floats:
    """Raises the stake by 5% after each loss, over all shoes."""
    stake, placed = UNIT, np.zeros(seen.pays.shape)
    for row in range(len(placed)):
        placed[row, DRAGON] = round(stake, 2)
        stake = UNIT if seen.pays[row, DRAGON] > 0 else min(stake * 1.05, 1e6)
    return placed


def tie_is_due(seen: Seen, rng: np.random.Generator) -> Floats:
    since, stakes = 0, []
    for row, winner in enumerate(seen.winner.tolist()):
        since = 0 if seen.coup[row] == 0 else since
        stakes.append(UNIT * (since >= 12))
        since = 0 if winner < 0 else since + 1
    return seen.on(TIE, np.array(stakes))


def paroli(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets on Player, and doubles after a win, at most three times."""
    won, placed = 0, np.zeros(seen.pays.shape)
    for row in range(len(placed)):
        placed[row, PLAYER] = UNIT * 2**won
        pay = seen.pays[row, PLAYER]
        won = won if pay == 0 else (won + 1) % 4 if pay > 0 else 0
    return placed


def dalembert(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets on Banker, one unit more after a loss and one unit less after a win, over all shoes."""
    units, placed = 1, np.zeros(seen.pays.shape)
    for row in range(len(placed)):
        placed[row, BANKER] = UNIT * units
        pay = seen.pays[row, BANKER]
        units = max(1, units + (1 if pay < 0 else -1 if pay > 0 else 0))
    return placed


def as_the_shoe_before(seen: Seen, rng: np.random.Generator) -> Floats:
    """Bets on the winner of the same coup in the shoe before. The stake grows with the number of hits in this shoe."""
    placed, before, now, hits = np.zeros(seen.pays.shape), {}, {}, 0
    for row, (coup, winner) in enumerate(zip(seen.coup.tolist(), seen.winner.tolist(), strict=True)):
        if coup == 0:
            before, now, hits = now, {}, 0
        bet = before.get(coup, -1)
        if bet >= 0:
            placed[row, bet] = UNIT * (1 + hits)
            hits += bool(seen.pays[row, bet] > 0)
        now[coup] = winner
    return placed


def leaves_ahead(seen: Seen, rng: np.random.Generator) -> Floats:
    """Leaves the shoe when five units ahead or twenty behind. After a winning shoe, bets twenty times the usual
    stake."""
    placed, money, stake, side = np.zeros(seen.pays.shape), 0.0, UNIT, rng.integers(0, 2, len(seen.pays))
    for row in range(len(placed)):
        if seen.coup[row] == 0:
            stake, money = (20 * UNIT if money > 0 else UNIT), 0.0
        if -20 < money < 5:
            placed[row, side[row]] = stake
            money += float(seen.pays[row, side[row]])
    return placed


def copies_the_winner(seen: Seen, rng: np.random.Generator) -> Floats:
    """From the eleventh coup on, bets on the side that has paid more in the shoe, with a stake in proportion to its
    lead."""
    paid = seen.pays[:, :2]
    total = np.cumsum(paid, axis=0) - paid
    first = np.searchsorted(seen.shoe, seen.shoe)
    ahead = total - total[first]
    lead = ahead[:, PLAYER] - ahead[:, BANKER]
    return seen.on((lead < 0).astype(np.int64), np.where(seen.coup >= 10, UNIT * np.abs(lead).round(), 0))


HABITS: dict[str, Rule] = {
    "flat on Player": flat(PLAYER),
    "on a side at random": random_side,
    "doubles after losses over all shoes, on Player": doubles(PLAYER, 12, True),
    "doubles after losses, anew in each shoe, on Banker": doubles(BANKER, 6, False),
    "doubles up to 4,096 times, on a side at random": doubles_on_a_random_side,
    "Oscar's grind on Player": oscar(PLAYER),
    "Oscar's grind on Banker": oscar(BANKER),
    "bets on the last winner": chases,
    "bets against the last winner": bets_against_the_last,
    "50 times as much after three in a row": high_after_three,
    "50 times as much now and then": at_times_fifty,
    "three large bets in each shoe": three_large_a_shoe,
    "20 times as much late in the shoe": late_twenty,
    "perfect counter of the Dragon 7": perfect_on_the_dragon,
    "perfect counter of three side bets, with cover": perfect_on_three,
    "perfect counter of Player and Banker": perfect_on_the_main_bets,
    "50 times as much after a nine": after_nines,
    "5% of the bank, over all shoes": share_of_the_bank,
    "doubles till a win, then leaves": doubles_till_a_win,
    "5% more on the Dragon 7 after each loss": raises_on_the_dragon,
    "on a tie that is due": tie_is_due,
    "doubles after wins, three times": paroli,
    "d'Alembert over all shoes": dalembert,
    "as at this coup of the shoe before": as_the_shoe_before,
    "leaves ahead, more after a good shoe": leaves_ahead,
    "on the side that won more so far": copies_the_winner,
}
