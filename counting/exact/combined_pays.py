"""What several bets pay together on one coup: the exact chance of each combination of pays, on many shoes.

A class consists of all coups on which the bets pay the same amounts. If every bet is settled by the outcome alone, a
class is a set of outcomes. If a bet looks at first cards or hands, the bets' pay table lines are combined instead. A
combined line takes one line or none from each bet, and has the conditions of all the lines taken. The combined lines
keep the order of the bets' lines. So the first combined line that a coup meets consists of the lines on which the bets
are paid. `hand_counts` counts the combined lines exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Int32s, Ints
from counting.cards import Knows
from counting.errors import InputError
from counting.exact.hand_counts import hand_counter
from counting.exact.outcomes import all_deals, counter, counts_by_value
from counting.exact.settlements import settlement
from counting.games import Bet, Game, Tableau, lines_of_outcomes
from counting.games.conditions import Conditions
from counting.games.hand_tables import hand_tables


@dataclass(frozen=True, eq=False)
class JointPays:
    """The combinations of pays that some bets may have on one coup. `pays` (classes, bets) lists the combinations, in
    fractions per unit staked. No two classes have the same pays."""

    game: Game
    bets: tuple[str, ...]
    pays: tuple[tuple[Fraction, ...], ...]
    _lines: tuple[Conditions, ...]  # the combined lines; empty if the outcome settles all bets
    _of_class: Ints  # (classes, counts + 1): turns the kernel's counts and the number of all deals into classes' counts

    @property
    def knows(self) -> Knows:
        """How the cards must be known to count the classes: by value, by rank or by card."""
        return settlement(self.game, self.bets).knows

    def chances(self, compositions: Int32s) -> Floats:
        """The probability of each class (shoes, classes) for checked compositions (shoes, 10, 13 or 52)."""
        return np.asarray(self.counts(compositions) / all_deals(compositions)[:, np.newaxis])

    def counts(self, compositions: Int32s) -> Ints:
        """The number of ordered six-card deals in each class (shoes, classes)."""
        if self._lines:
            counted = hand_counter(self._lines, self.game.tableau).counts(compositions)
        else:
            counted = counter(self.game.tableau, _keys(self.game, self.bets)).forms(counts_by_value(compositions))
        deals = all_deals(compositions)
        return np.asarray(counted @ self._of_class[:, :-1].T + deals[:, np.newaxis] * self._of_class[:, -1])

    def classes(self, shown: NDArray[np.uint8]) -> Int32s:
        """The class of each dealt coup (rows), from what the coups showed (rows, 11), as in `shoes.Coups`."""
        rows = settlement(self.game, self.bets).paid(shown)
        table = np.array([[float(pay) for pay in of_class] for of_class in self.pays])
        place = np.full(len(rows), -1, np.int32)
        for i, of_class in enumerate(table):
            place[(rows == of_class).all(axis=1)] = i
        assert (place >= 0).all()
        return place


@lru_cache(maxsize=32)
def joint_pays(game: Game, bets: tuple[str, ...]) -> JointPays:
    """The joint pays of these bets of a game. Raises `InputError` for an unknown bet, and if their lines together
    look at too much of the hands."""
    chosen = [game.bet(bet) for bet in bets]
    if all(lines_of_outcomes(bet, game.tableau) is not None for bet in chosen):
        counted = counter(game.tableau, _keys(game, bets))
        pays = [tuple(bet.pay(outcomes[0]) for bet in chosen) for outcomes in counted.outcomes]
        return _merged(game, bets, pays, (), counted.of_class)
    try:
        lines = _combined(chosen, game.tableau)
        conditions = tuple(_all_of(of) for of, _ in lines)
        hand_counter(conditions, game.tableau)
    except InputError as error:
        raise InputError(f"bets {', '.join(bets)}, together: {error}") from None
    return _merged(game, bets, [pays for _, pays in lines], conditions, np.eye(len(lines), len(lines) + 1, dtype=int))


def _keys(game: Game, bets: tuple[str, ...]) -> list[tuple[Fraction, ...]]:
    """For each outcome, what the bets pay on it."""
    return [tuple(game.bet(bet).pay(outcome) for bet in bets) for outcome in game.tableau.outcomes]


_Line = tuple[tuple[Conditions, ...], tuple[Fraction, ...]]


def _combined(bets: Sequence[Bet], tableau: Tableau) -> list[_Line]:
    """The combinations of lines that coups can meet. Each comes with its conditions and with what the bets pay."""
    lines: list[_Line] = [((), ())]
    for bet in bets:
        of_bet = [((line,), pay.pay) for line, pay in zip(bet.conditions, bet.pays, strict=True)]
        each = [*of_bet, ((), Fraction(-1))]
        lines = [((*of, *line), (*pays, pay)) for of, pays in lines for line, pay in each]
        conditions = tuple(_all_of(of) for of, _ in lines)
        met = {i for way in tableau.ways for i in hand_tables(conditions, way).lines_met}
        lines = [line for i, line in enumerate(lines) if i in met]
    return lines


def _all_of(conditions: tuple[Conditions, ...]) -> Conditions:
    return Conditions(all=conditions) if conditions else Conditions()


def _merged(
    game: Game,
    bets: tuple[str, ...],
    pays: Sequence[tuple[Fraction, ...]],
    lines: tuple[Conditions, ...],
    of_class: Ints,
) -> JointPays:
    """The joint pays, with classes of equal pays merged into one."""
    place = {different: i for i, different in enumerate(dict.fromkeys(pays))}
    merged = np.zeros((len(place), of_class.shape[1]), np.int64)
    np.add.at(merged, [place[row] for row in pays], of_class)
    return JointPays(game, bets, tuple(place), lines, merged)
