"""The bank's course: how long a bank lasts, and what it grows to.

A banker keeps the bank until he loses a coup. Those who play against it cover all of it, so that a win makes it
(2 - c) times as large under a commission c, a tie leaves it, and a loss takes it. Coups are taken to be independent,
each with the law of the shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from counting.chemin.commission import share
from counting.chemin.solution import Solution
from counting.errors import InputError, whole

MOST_WINS = 100


@dataclass(frozen=True)
class Course:
    """`wins`, `ties`: the probabilities of one coup for the bank; `growth`: what a win makes of it."""

    wins: Fraction
    ties: Fraction
    growth: Fraction

    @classmethod
    def of(cls, solution: Solution, commission: Fraction | str = Fraction(1, 20)) -> Course:
        """As both sides play in a solution. Raises `InputError` for a commission that is no share, and where
        Player can never win."""
        chances = solution.probabilities
        if not chances["player"]:
            raise InputError(f"shoe {solution.game.shoe}: Player can never win, should be a shoe that ends a bank")
        return cls(chances["banker"], chances["tie"], 2 - share(commission))

    @property
    def decided(self) -> Fraction:
        """The chance that a coup which is no tie is won."""
        return self.wins / (1 - self.ties)

    @property
    def mean_coups(self) -> Fraction:
        """How many coups it lasts on average, the one that ends it among them."""
        return 1 / (1 - self.ties - self.wins)

    def lasts(self, coups: int) -> Fraction:
        """The chance that it outlasts so many coups."""
        return (self.wins + self.ties) ** whole(coups, "coups", 0, 10_000)

    def after(self, wins: int) -> tuple[Fraction, Fraction, Fraction]:
        """The chance that it wins so often before it is lost; what it is then, in units of what it began with; and what
        a banker expects who passes it on then, beyond the unit that he put in."""
        k = whole(wins, "wins", 0, MOST_WINS)
        chance, size = self.decided**k, self.growth**k
        return chance, size, chance * size - 1
