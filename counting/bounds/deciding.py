"""What would decide a bound that lies between the two limits of a statement: a number of shoes, or the reason why no
number would.

A number of shoes is advised if it gives the verdict MET or NOT MET with a chance of 90% or more. The chance is worked
out from the statement's present errors. `experiments/statements/notes.md` shows how often the advice held."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum, auto
from math import ceil, erf, floor, inf, log10, sqrt
from typing import TYPE_CHECKING, NamedTuple

from counting.bounds.confidence_limits import least_bets, weighted_shoes
from counting.bounds.means import LEAST_GAINING, Z99, Mean

if TYPE_CHECKING:
    from counting.bounds.brackets import Bracket
    from counting.bounds.statements import Statement

MOST_ADVISED = 10_000_000  # the most shoes that are advised
LIKELY = 0.9
_SPARE = 1.2  # plain shoes almost surely give a limit if they should show this multiple of the bets needed
_STEP = 1.15


class Gap(Enum):
    """Why no number of shoes is advised."""

    UNSEEN = auto()  # no limit is known, as bets are too rare
    PROVED = auto()  # the upper limit is a proven bound
    SEAT = auto()  # the upper limit is for a counter who need not hold the seat
    METHOD = auto()  # the bound is between the figures themselves, or too close to one of them
    CLOSE = auto()  # the bound is too close to the figure


class Sample(NamedTuple):
    """The figures that a statement is expected to have with another number of shoes.

    The values are the statement's present values. The errors and the shifts (see `Mean`) are what they are expected to
    be with the other number of shoes. `drift` is the standard deviation of the change in the values from the present
    sample to the other."""

    lower: Mean
    upper: Mean
    drift: float

    def decides(self, bound: float) -> float:
        """The chance that these figures decide the bound. Both figures change by the same amount, as they come from the
        same shoes."""
        above = self.lower.value - Z99 * self.lower.error - bound
        below = bound - self.upper.below
        return sum((1 + erf(margin / max(self.drift, 1e-300) / sqrt(2))) / 2 for margin in (above, below))


def deciding_shoes(statement: Statement) -> int | Gap:
    """The number of shoes that is advised to decide the bound of an UNDECIDED statement, or the `Gap` that says why no
    number is advised.

    Numbers of two significant digits are tried. They rise by 15% a step, rounded up, from the statement's number of
    shoes. The first number that is likely to decide the bound is advised."""
    assert statement.bound is not None
    bound = statement.bound.amount
    for shoes in _numbers(statement.plan.shoes):
        sample = _sample(statement, shoes)
        if sample is not None and sample.decides(bound) >= LIKELY:
            return shoes
    bracket, rare = statement.judged, statement.judged.rare
    if statement.figure(bracket).upper.limit == inf:
        return Gap.UNSEEN
    if rare is not None and rare.source[0] == "proved":
        return Gap.PROVED
    if bracket.exact:
        return Gap.CLOSE
    if rare is not None:
        return Gap.SEAT
    at_last = _sample(statement, 10**15)
    return Gap.CLOSE if at_last is not None and at_last.decides(bound) >= LIKELY else Gap.METHOD


def _numbers(shoes: int) -> Iterator[int]:
    """Rising numbers of shoes above this number, of two significant digits each, up to `MOST_ADVISED`."""
    while (shoes := _two_digits(shoes * _STEP)) <= MOST_ADVISED:
        yield shoes


def _two_digits(value: float) -> int:
    step: int = 10 ** max(0, floor(log10(value)) - 1)
    return step * ceil(value / step)


def _sample(statement: Statement, shoes: int) -> Sample | None:
    """The figures with this number of shoes; None if this number would give no limit."""
    bracket, times = statement.judged, shoes / statement.plan.shoes
    rare, (lower, upper) = bracket.rare, statement.plain_means(bracket)
    error = upper.error
    if rare is None and not bracket.few:
        fixed = sqrt(max(error**2 - statement.plain_means(replace(bracket, error=0.0))[1].error ** 2, 0.0))
        lower, upper = _with(lower, times), _with(upper, times, fixed)
        return Sample(lower, upper, sqrt(max(error**2 - upper.error**2, 0.0)))
    if _shows_enough(bracket, times):  # the expected limit is from plain shoes, but the present limit is not
        best = statement.means(bracket)[1].value
        lower, upper = (_with(mean, times) for mean in (lower, upper))
        if bracket.exact:
            lower, upper = lower._replace(value=best), upper._replace(value=best)
        return Sample(lower, upper, sqrt(error**2 + upper.error**2))
    if rare is None or rare.source[0] == "proved":
        return None
    lower, upper = statement.means(bracket)
    error, more = upper.error, weighted_shoes(shoes) / weighted_shoes(statement.plan.shoes)
    upper = Mean(upper.value, error / sqrt(more), upper.shift / sqrt(more))  # the limit scales with the error
    lower = _with(lower, more if bracket.exact else times)
    return Sample(lower, upper, sqrt(max(error**2 - upper.error**2, 0.0)))


def _shows_enough(bracket: Bracket, times: float) -> bool:
    """Whether plain shoes would almost surely give a limit if the number of a bracket's shoes were multiplied by
    `times`."""
    chances, gaining = float(bracket.shoes["chances"].sum()), float((bracket.shoes["upper"] > 0).sum())
    return times * chances >= _SPARE * least_bets(int(times * len(bracket.shoes))) and (
        times * gaining >= _SPARE * LEAST_GAINING
    )


def _with(mean: Mean, times: float, fixed: float = 0.0) -> Mean:
    """The mean that is expected if the number of shoes is multiplied by `times`. The `fixed` part of its error stays
    the same, because it comes from other shoes, whose number does not grow."""
    sampled = sqrt(max(mean.error**2 - fixed**2, 0.0))
    return Mean(mean.value, sampled / sqrt(times), mean.shift / times).beside(fixed)
