"""The bank's course: how long a bank lasts, and how large it grows.

A banker keeps the bank until a coup is lost. The players cover all of the bank. So with a commission c, a win
multiplies the bank by 2 - c, a tie leaves it unchanged, and a loss takes all of it. Coups are assumed to be
independent, each with the probabilities of the shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from counting.chemin.commission import commission_share
from counting.chemin.solution import Solution
from counting.errors import InputError, whole

MOST_WINS = 100


@dataclass(frozen=True)
class BankCourse:
    """The course of a bank. `wins` is the probability that the bank wins a coup, `ties` the probability of a tie. A win
    multiplies the bank by `growth`."""

    wins: Fraction
    ties: Fraction
    growth: Fraction

    @classmethod
    def of(cls, solution: Solution, commission: Fraction | str = Fraction(1, 20)) -> BankCourse:
        """The course of the bank if both sides play as in a solution. Raises `InputError` for a commission that is not
        a share, and if Player never wins."""
        chances = solution.probabilities
        if not chances["player"]:
            raise InputError(f"shoe {solution.game.shoe}: Player can never win, should be a shoe that ends a bank")
        return cls(chances["banker"], chances["tie"], 2 - commission_share(commission))

    @property
    def decided(self) -> Fraction:
        """The probability that the bank wins, if the coup is not a tie."""
        return self.wins / (1 - self.ties)

    @property
    def mean_coups(self) -> Fraction:
        """The mean number of coups that the bank lasts, including the coup that ends it."""
        return 1 / (1 - self.ties - self.wins)

    def lasts(self, coups: int) -> Fraction:
        """The probability that the bank outlasts this number of coups, from 0 to 10,000."""
        return (self.wins + self.ties) ** whole(coups, "coups", 0, 10_000)

    def after(self, wins: int) -> tuple[Fraction, Fraction, Fraction]:
        """The probability that the bank wins `wins` times before it is lost, and the size of the bank after these wins,
        in units of the initial bank. Also the expected profit of a banker who passes the bank after these wins: the
        probability times the size, minus the initial unit. There may be at most 100 wins."""
        k = whole(wins, "wins", 0, MOST_WINS)
        chance, size = self.decided**k, self.growth**k
        return chance, size, chance * size - 1
