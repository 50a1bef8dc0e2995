"""A statement's sentences on a rebate on losses."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property, lru_cache
from math import inf
from typing import Any

from counting.bounds import House, HouseRules
from counting.bounds.net_results import NetGame
from counting.bounds.rebates import WithoutCounting, break_even, without_counting
from counting.io.tables import percent
from counting.reports import pages
from counting.reports.numbers import amount, in_currency, money

HINDSIGHT = (
    "For the upper estimate, terms whose mean is exactly 0 for every counter are subtracted from the wins. Each "
    "shoe is then played with the schedule of bets that is best in hindsight. The upper estimate is the mean win "
    "over shoes. Its expectation is at least the expected win of every counter, whatever the counter plays."
)


class RebateFacts:
    """What the two theorems of `counting.bounds.rebates` say about a rebate on losses, for the bets of house rules."""

    def __init__(self, rules: HouseRules) -> None:
        self.rules, self.house = rules, rules.house

    @cached_property
    def break_even(self) -> dict[str, Fraction]:
        """For each bet, the largest rate of a rebate that gives no edge to a patron who does not count."""
        rules = self.rules
        bets = dict.fromkeys((*rules.side_bets, *rules.main))
        decks, rebate = rules.dealing.decks, self.house.rebate
        return {bet: break_even(rules.game, bet, decks, rebate) for bet in bets}

    @cached_property
    def without_counting(self) -> WithoutCounting:
        """What a patron who does not count, and may skip any coup, can expect to win until the rebate is paid."""
        seat = self.rules.seat
        return without_counting(NetGame.of(seat), seat.dealing.most_coups * seat.loss_over)

    @property
    def sentences(self) -> list[str]:
        """Sentences on what the theorems say about these rules."""
        names, seat = pages.labels(self.rules.game), self.rules.seat
        bet = min(self.break_even, key=self.break_even.__getitem__)
        least, given = self.break_even[bet], self.house.loss_rebate
        if least:
            line = (
                f"A rebate of up to {percent(float(least), 3)} on losses gives no edge to a patron who does not count. "
                f'This rate is the house edge of "{names[bet]}" divided by the mean loss of this bet.'
            )
        else:
            after = " with the rebate on every unit staked" if self.house.rebate else ""
            line = (
                f'"{names[bet]}" has no house edge{after}. So any rebate on losses, however small, may give an edge '
                "to a patron who does not count."
            )
        lines = [f"{line} The rebate of these rules is {percent(float(given), 2)}."]
        patron, shoes = self.without_counting, "shoe" if seat.loss_over == 1 else f"{seat.loss_over} shoes"
        ends = patron.win_exit < inf
        leaves = self._money(patron.win_exit, up=True) if ends else ""
        if patron.worth > 0:
            most = "at most about" if self.house.kept_up else "about"
            line = (
                f"A patron who does not count can win {most} {self._money(patron.worth)} per {shoes}, by choosing the "
                "size of the bets and when to leave."
            )
            if ends:
                line += f" If only the part of a loss above {leaves} got the rebate, this patron would win nothing."
            elif not least:
                line += " This patron would also win without the rebate on losses."
            lines.append(line)
        elif ends and patron.win_exit > 0:
            lines.append(
                f"The rebate is paid on the part of a loss above {self._money(seat.loss_above, whole=True)}. Even with "
                f"{leaves} in place of this amount, the rebate gives no edge to a patron who does not count."
            )
        else:
            lines.append("The rebate gives no edge to a patron who does not count.")
        return lines

    def _money(self, units: float, whole: bool = False, up: bool | None = None) -> str:
        """An amount in money; in units, if there is no largest bet. `whole`: with all its digits. `up`: rounded up."""
        stake = self.rules.stake
        if stake is None:
            return f"{amount(units, up)} units"
        value = units * float(stake)
        return in_currency(f"{value:,.10g}" if whole else money(value, None, up), self.house.currency or "")

    @property
    def computation(self) -> str:
        """Sentences on how the values were worked out."""
        text = (
            " With a rebate on the loss, the best bets depend on the result of the shoe so far. The lower estimate is "
            "what a counter wins who plays by the cards and by the results as they were dealt. This play was fitted to "
            f"other shoes. {HINDSIGHT} The figures for a patron who does not count assume independent coups with the "
            "chances of the full shoe."
        )
        if self.rules.seat.loss_over > 1:
            text += (
                f" The loss is added up over {self.rules.seat.loss_over} shoes. In the upper estimate, the net result "
                "at the end of the first shoe counts as the most that the later shoes are worth from there. This "
                "worth is a mean over other shoes, and the standard error includes its error."
            )
        return text

    @property
    def data(self) -> dict[str, Any]:
        """Data for the page's JSON file: rates as shares, amounts in units."""
        return {
            "break_even": {bet: float(rate) for bet, rate in self.break_even.items()},
            "without_counting": self.without_counting.worth,
            "win_exit": self.without_counting.win_exit if self.without_counting.win_exit < inf else None,
        }


@lru_cache(maxsize=1)
def rebate_facts(rules: HouseRules) -> RebateFacts:
    """The facts on these rules. They are worked out once for the sentences, the sections and the data of a page."""
    return RebateFacts(rules)


def paid_back(house: House) -> str | None:
    """The rebate on losses, in words for the page's list of rules; None without a rebate."""
    if not house.loss_rebate:
        return None
    over = house.loss_rebate_over or 1
    loss = f"the loss over {over} shoes" if over > 1 else "a shoe's loss"
    if house.loss_rebate_above:
        loss = f"the part above {float(house.loss_rebate_above):,.10g} of {loss}"
    return f"{house.loss_rebate.written} of {loss}"
