"""The page of a review's plan: how many coups are needed to bound a rate of errors, or to tell two dealers apart."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import polars as pl

from counting.io.tables import percent
from counting.numbers import many, stated
from counting.reports.numbers import unrounded
from counting.reports.pages import Report, Section
from counting.review import ComparisonPlan, SamplePlan
from counting.version import __version__

BOUNDS, COMPARISON = "Coups that bound the rate", "Coups that tell two dealers apart"
PRINTED = (BOUNDS, COMPARISON)  # the tables on a terminal
_NOTE = (
    "Rates are given as errors per 100,000 coups; a coup has an error or none. The figures hold if errors are "
    "independent and occur at one constant rate, and if the review finds every error. If errors come in streaks, as "
    "when a dealer is tired, the review needs more coups."
)


def report(plan: SamplePlan, command: str = "") -> Report:
    """The page of a plan."""
    return _Page(plan, command).report


class _Page:
    def __init__(self, plan: SamplePlan, command: str) -> None:
        self.plan, self.command = plan, command
        self.per_hour = f"{unrounded(plan.coups_per_hour)} coups (hands) per hour"

    @property
    def report(self) -> Report:
        return Report(
            title="The plan of a review of dealing errors",
            procedure=f"{self._asked} One table deals {self.per_hour}.",
            sentences=self.sentences,
            note=_NOTE,
            sections=self.sections,
            data=self.data,
            tables=self.tables,
            sheets=1,
        )

    @property
    def _asked(self) -> str:
        plan, parts = self.plan, []
        if plan.rate is not None:
            parts.append(
                f"rule out a rate of {plan.rate:g} errors per 100,000 coups with {_share(plan.confidence)} confidence"
            )
        if plan.compare is not None:
            first, second = plan.compare
            parts.append(f"tell {first:g} from {second:g} errors per 100,000 coups at a level of {_share(plan.level)}")
        return f"The review should {', and '.join(parts)}."

    # Sentences

    @property
    def sentences(self) -> list[str]:
        lines = [*self._of_bounds]
        if (comparison := self.plan.comparison) is not None:
            lines += self._of_comparison(comparison)
        assumed = (
            "All this holds if errors are independent and occur at one constant rate, and the review finds every error."
        )
        return [*lines, assumed]

    @property
    def _of_bounds(self) -> list[str]:
        plan = self.plan
        if not plan.bounds:
            return []
        none, *more = plan.bounds
        lines = [
            f"To rule out a rate of {plan.rate:g} or more errors per 100,000 coups with {_share(plan.confidence)} "
            f"confidence, a review must see {many(none.coups, 'coup')} and find no error. This takes "
            f"{self._hours(none.coups)} at {self.per_hour}.",
        ]
        if plan.rate is not None and abs(plan.confidence - 0.95) < 1e-9:
            three = 300_000 / plan.rate
            lines.append(f"The rule of three (coups = 3 / rate) gives {three:,.0f}; the figure above is exact.")
        if more:
            last = more[-1]
            lines.append(
                f"A review that allows up to {many(last.errors, 'error')} must see {last.coups:,} "
                f"coups, which takes {self._hours(last.coups)}."
            )
            lines.append(
                "Choose the row before the review. A review that instead goes on to the next row whenever it finds too "
                f"many errors is too lenient: it passes a dealer whose rate is {plan.rate:g} with a chance of "
                f"{_share(plan.passes_extended, 1)}. With a fixed row, this chance is at most "
                f"{_share(1 - plan.confidence)}."
            )
        true = f"{plan.rate_to_pass:g}"
        passing = f"{_share(none.passes, 1)} if no error is allowed"
        if more:
            passing += f", and of {_share(more[-1].passes, 1)} if up to {many(more[-1].errors, 'error')} may be found"
        lines.append(f"A dealer whose true rate is {true} passes with a chance of {passing}.")
        return lines

    def _of_comparison(self, comparison: ComparisonPlan) -> list[str]:
        plan = self.plan
        assert plan.compare is not None
        first, second = plan.compare
        return [
            f"To tell a dealer with {first:g} errors per 100,000 coups from a dealer with {second:g}, the review must "
            f"see {comparison.coups:,} coups of each dealer. This takes {self._hours(comparison.coups)} for each "
            f"dealer at {self.per_hour}.",
            "With this number of coups, the exact test finds the difference with a chance of "
            f"{_share(comparison.power, 2)} (power). With one coup fewer of each dealer, this chance would be below "
            f"{_share(plan.power)}.",
            f"If both dealers have a rate of {(first + second) / 2:g}, the test finds a difference with a chance of "
            f"{_share(comparison.level, 2)} (actual level). This chance is at most {_share(plan.level)} at every "
            "rate that the two dealers may have in common.",
        ]

    def _hours(self, coups: int) -> str:
        hours = coups / self.plan.coups_per_hour
        return f"{hours:,.0f} hours" if hours >= 10 else f"{hours:.1f} hours"

    # Tables

    @cached_property
    def tables(self) -> dict[str, pl.DataFrame]:
        plan, tables = self.plan, {}
        if plan.bounds:
            tables["bounds"] = pl.DataFrame(
                [
                    {
                        "errors": each.errors, "coups": each.coups, "hours": each.coups / plan.coups_per_hour,
                        "confidence": each.confidence, "p_pass": each.passes,
                    }
                    for each in plan.bounds
                ]
            )  # fmt: skip
        if (comparison := plan.comparison) is not None and plan.compare is not None:
            tables["comparison"] = pl.DataFrame(
                [
                    {
                        "first": plan.compare[0], "second": plan.compare[1], "coups": comparison.coups,
                        "hours": comparison.coups / plan.coups_per_hour, "power": comparison.power,
                        "level": comparison.level,
                    }
                ]
            )  # fmt: skip
        return tables

    @cached_property
    def data(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "rate": plan.rate,
            "confidence": plan.confidence,
            "true_rate": plan.rate_to_pass,
            "compare": None if plan.compare is None else [*plan.compare],
            "level": plan.level,
            "power": plan.power,
            "coups_per_hour": plan.coups_per_hour,
            "p_pass_if_extended": plan.passes_extended if plan.bounds else None,
            **{name: frame.to_dicts() for name, frame in self.tables.items()},
        }

    @property
    def sections(self) -> list[Section]:
        plan, sections = self.plan, []
        if plan.bounds:
            sections.append(
                Section(
                    BOUNDS,
                    "Before the review, choose the number of errors allowed.",
                    columns=(
                        "errors found", "coups", f"hours at {stated(plan.coups_per_hour)} coups per hour",
                        "confidence reached", f"chance that a dealer whose rate is {plan.rate_to_pass:g} passes",
                    ),
                    rows=[
                        (
                            f"at most {each.errors:,}" if each.errors else "none", f"{each.coups:,}",
                            f"{each.coups / plan.coups_per_hour:,.1f}", percent(each.confidence, 3),
                            percent(each.passes, 1),
                        )
                        for each in plan.bounds
                    ],
                )
            )  # fmt: skip
        if (comparison := plan.comparison) is not None and plan.compare is not None:
            first, second = plan.compare
            sections.append(
                Section(
                    COMPARISON,
                    "The test is Fisher's exact test, two-sided. It takes the total of both dealers' errors as given.",
                    columns=("figure", "value"),
                    rows=[
                        ("Rates per 100,000 coups", f"{first:g} and {second:g}"),
                        ("Coups of each dealer", f"{comparison.coups:,}"),
                        (
                            f"Hours of each dealer at {stated(plan.coups_per_hour)} coups per hour",
                            f"{comparison.coups / plan.coups_per_hour:,.1f}",
                        ),
                        ("Power reached", percent(comparison.power, 3)),
                        (f"Actual level if both rates are {(first + second) / 2:g}", percent(comparison.level, 3)),
                    ],
                    words=True,
                )
            )
        made = [("made by", f"counting {__version__}"), ("to make it again", self.command)]
        return [*sections, Section("Provenance", columns=("", ""), rows=made, words=True)]


def _share(value: float, digits: int | None = None) -> str:
    """A share in percent, with `digits` digits; by default with all digits that the user stated."""
    return f"{round(100 * value, 6):g}%" if digits is None else percent(value, digits)
