"""Two sets of house rules side by side: what counters win under each, and the theoretical win from ordinary players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from counting.bounds.bounds import Per
from counting.bounds.figures import Figure
from counting.bounds.statements import Statement
from counting.bounds.terms import Terms
from counting.bounds.theoretical_win import Patronage, TheoreticalWin


class HouseWin(NamedTuple):
    """What the casino wins without counters under a set of rules: coups per shoe, and the theoretical win in money per
    shoe and per hour."""

    coups_per_shoe: float
    theo_per_shoe: float
    theo_per_hour: float


@dataclass(frozen=True)
class Comparison:
    """Two sets of house rules compared: a statement on each, and the ordinary players for whom the theoretical win is
    worked out."""

    first: Statement
    second: Statement
    patronage: Patronage

    @property
    def per(self) -> Per:
        """The unit in which counters' gains are compared. It is money per hour if both sets of rules have a largest bet
        in money, otherwise units per shoe."""
        return Per.SHOE if None in (self.first.rules.stake, self.second.rules.stake) else Per.HOUR

    @property
    def figures(self) -> tuple[Figure, Figure]:
        """What counters win under the first rules and under the second."""
        first, second = (each.figure(each.judged, self.per) for each in (self.first, self.second))
        return first, second

    @property
    def change(self) -> tuple[float, float]:
        """The least and the greatest change in the best counter's gain, if the second rules replace the first.

        Each is the difference of two 99% limits, so it holds with 98% confidence."""
        first, second = self.figures
        return float(second.lower.limit - first.upper.limit), float(second.upper.limit - first.lower.limit)

    @property
    def worths(self) -> tuple[HouseWin, HouseWin]:
        """What the casino wins without counters, under the first rules and under the second."""
        return self._worth(self.first), self._worth(self.second)

    def _worth(self, statement: Statement) -> HouseWin:
        rules, coups = statement.rules, statement.judged.per_shoe("coups")
        tie_in = rules.limits.tie_in
        terms = Terms(
            bets=rules.side_bets, main=rules.main, tie_ins=(tie_in,), together=rules.house.together, table=rules.limits
        )
        most = rules.house.most_bet
        win = TheoreticalWin(self.patronage, statement.plan, terms)
        per_coup = win.per_coup(rules.side_bets, float(tie_in), None if most is None else float(most))
        return HouseWin(coups, coups * per_coup, float(rules.house.coups_per_hour) * per_coup)
