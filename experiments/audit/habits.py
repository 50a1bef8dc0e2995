"""Patrons for experiments on the audit: honest patrons, who bet by what everyone at the table sees, and a patron with
tips.

An honest patron bets by a rule on what the table showed before the coup (results, totals, third cards or pairs), on the
time, or on the patron's own money.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from counting.cards import SUITS, VALUE_OF_RANK
from counting.review.synthetic import DealtTable, Facts
from counting.review.synthetic.patrons import Floats
from counting.review.winning_streaks import run_before
from counting.systems import load_system

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Habit:
    """Makes stakes on one bet, by a rule from earlier coups."""

    bet: str
    rule: Callable[[DealtTable, Floats], Floats]  # stakes from the table, and from what the bet paid on each coup

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        return known.on(self.bet, 25 * self.rule(table, known.pays[:, known.place(self.bet)]))


def before(table: DealtTable, happened: NDArray[np.generic], coups: int = 1) -> Floats:
    """For each coup (rows,): in how many of the last `coups` coups of the shoe something happened."""
    total = np.cumsum(happened) - happened
    first = np.searchsorted(table.coups.shoe, table.coups.shoe)
    back = np.maximum(np.arange(len(total)) - coups, first)
    found: Floats = (total - total[back]).astype(float)
    return found


def _natural(table: DealtTable) -> Bools:
    player, banker, *cards = table.coups.shown[:, :4].T
    found: Bools = (cards[0] + cards[1] == 4) & (np.maximum(player, banker) >= 8)
    return found


def naturals_run_hot(table: DealtTable, paid: Floats) -> Floats:
    """Bets if half or more of the last ten coups were naturals."""
    return (before(table, _natural(table), 10) >= 5).astype(float)


def after_a_natural(table: DealtTable, paid: Floats) -> Floats:
    return before(table, _natural(table))


def after_four_cards(table: DealtTable, paid: Floats) -> Floats:
    return before(table, table.coups.shown[:, 2:4].sum(axis=1) == 4)


def stops_after_a_win(table: DealtTable, paid: Floats) -> Floats:
    """A hit-and-run bettor: bets on every coup until a win, then leaves the shoe."""
    return (before(table, paid > 0, 1000) == 0).astype(float)


def doubles_while_behind(table: DealtTable, paid: Floats) -> Floats:
    """Doubles while behind in the shoe, up to 64 times the first stake."""
    found, first = np.zeros(len(paid)), (table.coup == 1).tolist()
    stake, money = 1.0, 0.0
    for i, pay in enumerate(paid.tolist()):
        if first[i] or money >= 0:
            stake, money = 1.0, 0.0
        found[i] = stake
        money += stake * pay
        stake = min(2 * stake, 64) if money < 0 else 1.0
    return found


def counts_the_record(table: DealtTable, paid: Floats) -> Floats:
    """Counts for the Dragon 7 by what a display shows: third cards and totals. Each hand of two cards counts as the
    mean tag of all hands with its total. The patron bets on the best tenth of all coups of the table."""
    tag = np.array(load_system("dragon-7").by_value, float)
    weight = np.bincount(VALUE_OF_RANK, minlength=10) / 13
    of_total = np.array([
        np.average(tag + tag[(t - np.arange(10)) % 10], weights=weight * weight[(t - np.arange(10)) % 10])
        for t in range(10)
    ])  # fmt: skip
    value = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), 0)[table.cards]
    totals = np.stack([value[:, [0, 1]].sum(axis=1), value[:, [3, 4]].sum(axis=1)]) % 10
    thirds = np.where(table.cards[:, [2, 5]] >= 0, tag[value[:, [2, 5]]], 0).sum(axis=1)
    running = before(table, of_total[totals].sum(axis=0) + thirds, 1000)
    true = running / (table.undealt / 52)
    return (true >= np.quantile(true, 0.9)).astype(float)


def after_a_pair(table: DealtTable, paid: Floats) -> Floats:
    first = table.coups.shown[:, 4]
    return before(table, ((first & 1) | (first >> 2 & 1)) > 0)


def after_a_high_third_card(table: DealtTable, paid: Floats) -> Floats:
    """Bets if an 8 or a 9 was drawn in the coup before."""
    value = np.append(np.repeat(VALUE_OF_RANK, len(SUITS)), 0)[table.cards[:, [2, 5]]]
    return before(table, (value >= 8).any(axis=1))


def doubles_after_losses(table: DealtTable, paid: Floats) -> Floats:
    lost = run_before(paid < 0, paid > 0, table.coup == 1)
    return np.asarray(2.0 ** (lost % 7))


def after_two_banker_wins(table: DealtTable, paid: Floats) -> Floats:
    won = table.coups.shown[:, 1] > table.coups.shown[:, 0]
    return (before(table, won, 2) == 2).astype(float)


def in_the_last_third(table: DealtTable, paid: Floats) -> Floats:
    return (table.undealt < 416 / 3).astype(float)


def when_it_is_due(table: DealtTable, paid: Floats) -> Floats:
    """Bets if the bet has not won in the last 40 coups of the shoe."""
    return ((before(table, paid > 0, 40) == 0) & (table.coup > 40)).astype(float)


def presses_his_luck(table: DealtTable, paid: Floats) -> Floats:
    """Stakes one unit, and one more for each win in the last 30 coups of the shoe."""
    return 1 + before(table, paid > 0, 30)


OWN = {
    "counts on the record alone": counts_the_record,
    "after a pair": after_a_pair,
    "after a third card of 8 or 9": after_a_high_third_card,
    "doubles after losses": doubles_after_losses,
    "after two Banker wins": after_two_banker_wins,
    "in the last third of the shoe": in_the_last_third,
    "when it is due": when_it_is_due,
    "presses his luck": presses_his_luck,
}
DRAGON: dict[str, Habit] = {
    name: Habit("dragon-7", rule)
    for name, rule in {
        "when naturals run hot": naturals_run_hot,
        "after a natural": after_a_natural,
        "after a coup of four cards": after_four_cards,
        "stops after a win (hit and run)": stops_after_a_win,
        **OWN,
    }.items()
}
SEVENS: dict[str, Habit] = {
    "7-7 at 45, stops after a win": Habit("seven-seven-45", stops_after_a_win),
    "7-7 at 45, doubles while behind": Habit("seven-seven-45", doubles_while_behind),
}


@dataclass(frozen=True)
class Tipped:
    """Knows before some coups that the bet will win, and bets only on these coups."""

    bet: str
    share: float

    @property
    def bets(self) -> tuple[str, ...]:
        return (self.bet,)

    def stakes(self, table: DealtTable, known: Facts, rng: np.random.Generator) -> Floats:
        wins = known.pays[:, known.place(self.bet)] > 0
        return known.on(self.bet, 100 * (wins & (rng.random(len(wins)) < self.share)))
