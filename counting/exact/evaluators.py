"""Evaluators count the deals that settle bets. Each bet has an evaluator.

An evaluator sorts coups into classes by what they show. Its counts are exact whole numbers. The number of deals of each
class is a linear combination of the counts and the number of all deals. So is the sum over all deals of what a bet
pays.

There are four kinds of evaluators:

- `ByForms` for few classes of outcomes,
- `ByDistribution` for many classes of outcomes,
- `ByFirst` for pairs and suits of the first two cards of the hands,
- `ByHands` for lines with conditions of any kind.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Int32s, Ints
from counting.cards import COUP, Knows
from counting.errors import InputError
from counting.exact import _law, first_cards
from counting.exact.joint_distributions import JointDistribution, joint_distribution
from counting.exact.outcomes import OutcomeCounter, all_deals, counter, counts_by_value
from counting.games import FIRSTS, Bet, Outcome, Shown, Tableau

if TYPE_CHECKING:
    from counting.exact.hand_counts import HandCounter

_Number = TypeVar("_Number", np.int64, np.float64)

FIRST_TWO_EACH = 4  # the first two cards of both hands


@dataclass(frozen=True, eq=False)
class Evaluator(ABC):
    """Counts deals on shoes, and says how the number of deals of each class of coups follows from the counts.

    `shown` has an example of each class. `of_class` (classes, counts + 1) has the coefficients that turn the counts
    into each class's number of deals. The last column is for the number of all deals.
    """

    shown: tuple[Shown, ...]
    of_class: Ints

    @abstractmethod
    def counts(self, compositions: Int32s) -> Ints:
        """Exact counts (shoes, counts) for checked compositions, in the form that `taken` returns."""

    def taken(self, compositions: Int32s) -> Int32s:
        """The compositions in the form that `counts` needs: by value for classes of outcomes, otherwise unchanged."""
        return compositions

    def combined(self, amounts: NDArray[_Number]) -> NDArray[_Number]:
        """The coefficients (counts + 1, n) that turn counts into sums of amounts over all deals. `amounts` (classes, n)
        has the amounts of each class. The last row of the coefficients is for the number of all deals."""
        return np.asarray(self.of_class.T @ amounts)

    def totals(self, compositions: Int32s, made_of: Ints) -> Ints:
        """Sums over all deals (shoes, n), as whole numbers: the counts, combined by the coefficients `made_of`."""
        known = self.taken(compositions)
        return np.asarray(self.counts(known) @ made_of[:-1] + all_deals(known)[:, np.newaxis] * made_of[-1])


@dataclass(frozen=True, eq=False)
class ByFirst(Evaluator):
    """Counts pairs and suits of the hands' first two cards, by closed forms in the counts of ranks or cards."""

    def counts(self, compositions: Int32s) -> Ints:
        return first_cards.counts(compositions)


@dataclass(frozen=True, eq=False)
class ByHands(Evaluator):
    """Counts the deals of each line, for bets whose lines have the same conditions. The last class is for coups that
    meet no line."""

    counter: HandCounter

    def counts(self, compositions: Int32s) -> Ints:
        return self.counter.counts(compositions)


@dataclass(frozen=True, eq=False)
class ByForms(Evaluator):
    """Counts classes of outcomes by linear forms."""

    counter: OutcomeCounter

    def taken(self, compositions: Int32s) -> Int32s:
        return counts_by_value(compositions)

    def counts(self, compositions: Int32s) -> Ints:
        return self.counter.forms(compositions)


@dataclass(frozen=True, eq=False)
class ByDistribution(Evaluator):
    """Counts classes of outcomes by the joint distribution."""

    joint: JointDistribution
    classes: tuple[tuple[Outcome, ...], ...]

    def taken(self, compositions: Int32s) -> Int32s:
        return counts_by_value(compositions)

    def counts(self, compositions: Int32s) -> Ints:
        return self.joint.counts(compositions, self._apart, len(self.classes))

    def combined(self, amounts: NDArray[_Number]) -> NDArray[_Number]:
        """The coefficients, as in `Evaluator`. The coefficient of all deals is the commonest amount. The coefficient of
        a class is its amount less the commonest amount, which keeps the coefficients small."""
        commonest = [Counter(column.tolist()).most_common(1)[0][0] for column in amounts.T]
        return np.vstack([amounts - np.array(commonest, amounts.dtype), commonest]).astype(amounts.dtype)

    @cached_property
    def _apart(self) -> _law.Bets:
        return self.joint.settled(self.classes)


@lru_cache(maxsize=1)
def by_first() -> ByFirst:
    return ByFirst(FIRSTS, np.array([first_cards.combination([(first, 1)]) for first in FIRSTS], np.int64))


def by_outcomes(tableau: Tableau, keys: Sequence[Hashable]) -> ByForms | ByDistribution:
    """The evaluator for classes of outcomes. `keys` has a key for each outcome of the tableau; outcomes with equal keys
    are one class. The evaluator uses forms or the joint distribution, whichever takes less work."""
    counted, joint = counter(tableau, keys), joint_distribution(tableau)
    shown = tuple(cls[0] for cls in counted.outcomes)
    if counted.work <= joint.work:
        return ByForms(shown, counted.of_class, counted)
    return ByDistribution(shown, np.eye(len(shown), len(shown) + 1, dtype=np.int64), joint, counted.outcomes)


def by_hands(bet: Bet, tableau: Tableau) -> ByHands:
    counted = line_counter(bet, tableau)
    of_class = np.eye(counted.lines + 1, dtype=np.int64)
    of_class[-1, :-1] = -1
    return ByHands(bet.met, of_class, counted)


def line_counter(bet: Bet, tableau: Tableau) -> HandCounter:
    """A counter of the deals of each of a bet's lines, by the cards of the hands. Raises `InputError`, with the bet's
    name, if the lines look at too many cards."""
    from counting.exact.hand_counts import hand_counter  # few games have bets that need it

    try:
        return hand_counter(bet.conditions, tableau)
    except InputError as error:
        raise InputError(f"bet {bet.name!r}: {error}") from None


Amount = Callable[[Fraction], int]  # turns a bet's pay into a whole number, for example 1 if the bet wins


def evaluators_for(
    tableau: Tableau, bets: Sequence[Bet], amounts: Sequence[Amount]
) -> Iterator[tuple[list[int], Evaluator, Ints]]:
    """The evaluators that count these bets. For each bet, a function in `amounts` turns the bet's pay into the amount
    that is wanted. Each evaluator comes with the indices in `bets` of the bets that it counts, and with their amounts
    in each class (classes, these bets). A bet may occur several times, with different amounts."""
    places: dict[Hashable, list[int]] = {"outcome": [], "first": []}
    for i, bet in enumerate(bets):
        places.setdefault(bet.settled_by, []).append(i)
    for settled_by, some in places.items():
        if not some:
            continue

        def of(shown: Shown, some: Sequence[int] = some) -> tuple[int, ...]:
            return tuple(amounts[i](bets[i].pay(shown)) for i in some)

        evaluator: Evaluator
        match settled_by:
            case "outcome":
                evaluator = by_outcomes(tableau, [of(outcome) for outcome in tableau.outcomes])
            case "first":
                evaluator = by_first()
            case _:
                evaluator = by_hands(bets[some[0]], tableau)
        yield some, evaluator, np.array([of(shown) for shown in evaluator.shown], np.int64)


@lru_cache(maxsize=1024)
def required_detail(bet: Bet) -> Knows:
    """The coarsest kind of composition from which the bet can be priced."""
    if bet.shows == "hands":
        from counting.games.hands import needed

        return needed(bet.conditions)
    if bet.shows == "outcome":
        return "value"
    paid = by_first().combined(np.array([[int(bet.pay(first) * bet.denominator)] for first in FIRSTS], np.int64))
    return first_cards.combination_detail(paid)


def refuse_ranks_and_suits(bet: Bet) -> None:
    """Raise `InputError` unless the bet is settled by point values."""
    if (detail := required_detail(bet)) != "value":
        looks_at = "ranks" if detail == "rank" else "suits"
        raise InputError(f"bet {bet.name}: looks at {looks_at}, should be settled by point values")


def cards_looked_at(bet: Bet) -> int:
    """The number of a coup's cards, from the first card dealt, that can settle the bet: four for bets on pairs and
    suits of the first two cards, otherwise six."""
    return FIRST_TWO_EACH if bet.shows == "first" else COUP
