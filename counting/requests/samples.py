"""The request for how many coups a review must see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from counting.errors import InputError, keyword, real, whole
from counting.numbers import number, per_hour, positive
from counting.requests.answers import Answer
from counting.requests.request import (
    Amount,
    File,
    Request,
    Several,
    Share,
    Whole,
    Written,
    as_whole,
    exact_text,
    given_texts,
)

if TYPE_CHECKING:
    from counting.requests.hosts import Host
    from counting.review import SamplePlan
else:
    SamplePlan = object

_MOST_RATE = 50_000  # the largest rate, in errors per 100,000 coups
_MOST_ERRORS = 200  # the largest number of errors that a review may find


@dataclass(frozen=True, kw_only=True)
class SampleRequest(Request[SamplePlan]):
    """How many coups must a review see to bound a rate of dealing errors, or to tell two dealers apart?

    With --rate, gives how many coups rule out this rate with the given --confidence if the review finds no error, if it
    finds one, and so on. With --compare, gives how many coups each of two dealers must deal before an exact test can
    tell the dealers apart. Both numbers are exact, from binomial distributions.

    Example: counting sample --rate 10

    Example: counting sample --compare 10 30 --power 0.9 --coups-per-hour 60

    Parameters
    ----------
    rate
        Errors per 100,000 coups that the review should rule out.
    errors
        The most errors that the review may find; there is a row for each number of errors from 0 to this.
    confidence
        The confidence of the bound on the rate, as 0.95.
    true_rate
        The error rate, per 100,000 coups, of a dealer who should pass the review; by default a tenth of --rate.
    compare
        Two rates per 100,000 coups, one for each dealer, that a test should tell apart.
    level
        The level of the two-sided test that compares two dealers.
    power
        The chance that the test finds the difference.
    coups_per_hour
        Coups per hour at one table; the hours of a review are worked out from it.
    out
        A folder for a page: report.html, report.json and tables.
    """

    holds: ClassVar[str] = "sample"
    rate: Written | None = None
    errors: Whole = 3
    confidence: Share = 0.95
    true_rate: Written | None = None
    compare: Several | None = None
    level: Share = 0.05
    power: Share = 0.8
    coups_per_hour: Amount = 70
    out: File | None = None

    def answered(self, host: Host) -> Answer[SamplePlan]:
        from counting.reports.sample import report
        from counting.review import SamplePlan

        if self.rate is None and self.compare is None:
            raise InputError(
                f"{keyword('rate')}: missing, should be errors per 100,000 coups, as 10; or {keyword('compare')} with "
                "two rates"
            )
        plan = SamplePlan(
            rate=self._rate("rate"),
            errors=whole(as_whole(self.errors, "errors"), keyword("errors"), 0, _MOST_ERRORS),
            confidence=self._chance("confidence"),
            true_rate=None if self.true_rate is None else float(number(exact_text(self.true_rate), keyword("true_rate"),
                                                                       _MOST_RATE)),
            compare=self._two_rates(),
            level=self._chance("level"),
            power=self._chance("power"),
            coups_per_hour=per_hour(self.coups_per_hour, keyword("coups_per_hour")),
        )  # fmt: skip
        if plan.compare is not None and plan.power <= plan.level:
            raise InputError(f"{keyword('power')}: {plan.power:g}, should be above the level, {plan.level:g}")
        page = report(plan, host.command)
        settings = {"rate": plan.rate, "compare": None if plan.compare is None else list(plan.compare)}
        return self.published(host, page, plan, settings)

    def _rate(self, name: str) -> float | None:
        value = getattr(self, name)
        return None if value is None else _rate_of(exact_text(value), name)

    def _two_rates(self) -> tuple[float, float] | None:
        texts = given_texts(self.compare, "compare")
        rates = [_rate_of(word, "compare") for text in texts for word in text.split()]
        if not rates:
            return None
        if len(rates) != 2 or rates[0] == rates[1]:
            raise InputError(
                f"{keyword('compare')}: {', '.join(f'{rate:g}' for rate in rates)}, should be two different rates per "
                "100,000 coups, as 10 30"
            )
        return rates[0], rates[1]

    def _chance(self, name: str) -> float:
        return real(getattr(self, name), keyword(name), 0.001, 0.999)


def _rate_of(text: str, name: str) -> float:
    return float(positive(text, keyword(name), _MOST_RATE, read=number))
