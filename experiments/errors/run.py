"""Check the statistics of error rates: the coverage of intervals, the level of the test that compares two dealers, and
plans of reviews in exact fractions.

Every result is a sum over all possible numbers of errors; nothing is simulated. This takes about a minute on one core.

    python -m experiments.errors.run
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from math import comb, lcm, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from counting.review import coups_to_bound, coups_to_compare
from counting.review.dealing.samples import rejects
from counting.review.significance import binomial_sum, rate_interval
from experiments._notes import put, put_frame

HERE = Path(__file__).parent
NOTES = HERE / "notes.md"
PER = 100_000
COUPS = (1000, 3000, 10_000, 30_000, 100_000)
RATES = (1, 3, 10, 30, 100, 300)  # errors per 100,000 coups
_NEAR = 1e-9  # rates are tried this close to the ends of intervals, as a share of the end

Interval = Callable[[int, int], tuple[float, float]]


@cache
def exact(errors: int, coups: int) -> tuple[float, float]:
    return rate_interval(errors, coups)


def normal(errors: int, coups: int) -> tuple[float, float]:
    rate = errors / coups
    reach = 1.959964 * sqrt(rate * (1 - rate) / coups)
    return rate - reach, rate + reach


INTERVALS: dict[str, Interval] = {"exact": exact, "normal": normal}


def coverage(interval: Interval, coups: int, rate: float) -> float:
    """The chance that the interval contains the rate, summed over the numbers of errors."""
    mean = coups * rate
    most = int(mean + 9 * sqrt(mean) + 20)
    least = max(0, int(mean - 9 * sqrt(mean) - 20))
    inside = [low <= rate <= high for low, high in (interval(errors, coups) for errors in range(least, most + 1))]
    changes = np.flatnonzero(np.diff([0, *inside, 0]))
    return sum(
        binomial_sum(least + int(first), least + int(end) - 1, coups, rate)
        for first, end in zip(changes[::2], changes[1::2], strict=True)
    )


def coverages() -> Iterable[dict[str, Any]]:
    for coups in COUPS:
        for rate in RATES:
            yield {"coups": coups, "rate": rate} | {
                name: coverage(interval, coups, rate / PER) for name, interval in INTERVALS.items()
            }


def least_coverages() -> Iterable[dict[str, Any]]:
    """The least coverage over all rates from 1 to 300 per 100,000. Only these rates need be tried: 1, 300, and rates
    just beside an end of some interval."""
    least, most = RATES[0] / PER, RATES[-1] / PER
    for coups in COUPS:
        for name, interval in INTERVALS.items():
            ends = [end for errors in range(int(0.004 * coups) + 20) for end in interval(errors, coups)]
            inside = [end * (1 + side * _NEAR) for end in ends if least < end < most for side in (-1, 1)]
            rates = [least, *inside, most]
            yield {"coups": coups, "interval": name} | dict(
                zip(
                    ("least", "rate"), min((coverage(interval, coups, rate), PER * rate) for rate in rates), strict=True
                )
            )


def levels() -> Iterable[dict[str, Any]]:
    """How often two dealers with equal rates and equal numbers of coups are found to differ at a level of 5%."""
    for coups in (1000, 10_000, 100_000):
        for rate in RATES:
            yield {"coups": coups, "rate": rate, "level": rejects(coups, rate / PER, rate / PER, 0.05)}


# Plans in exact fractions, by code that shares nothing with the package


def at_most(errors: int, coups: int, rate: Fraction) -> Fraction:
    top, rest, whole = rate.numerator, rate.denominator - rate.numerator, rate.denominator
    return Fraction(sum(comb(coups, n) * top**n * rest ** (coups - n) for n in range(errors + 1)), whole**coups)


def fisher(first: int, both: int, coups: int) -> Fraction:
    ways = [comb(coups, n) * comb(coups, both - n) for n in range(both + 1)]
    return min(Fraction(1), 2 * Fraction(min(sum(ways[: first + 1]), sum(ways[first:])), sum(ways)))


def power(coups: int, one: Fraction, other: Fraction, level: Fraction, most: int) -> Fraction:
    """The power, summed over all pairs of numbers of errors up to `most`. In the cases below, more errors have a chance
    below 1e-11."""
    whole = lcm(one.denominator, other.denominator)
    ways = [
        [comb(coups, n) * (whole * rate).numerator ** n * (whole * (1 - rate)).numerator ** (coups - n)
         for n in range(most + 1)]
        for rate in (one, other)
    ]  # fmt: skip
    found = 0
    for both in range(2 * most + 1):
        first = next((n for n in range(both // 2 + 1) if fisher(n, both, coups) > level), both // 2 + 1)
        found += sum(
            ways[0][n] * ways[1][both - n]
            for n in range(max(0, both - most), min(both, most) + 1)
            if min(n, both - n) < first and fisher(n, both, coups) <= level
        )
    return Fraction(found, whole ** (2 * coups))


def plans() -> Iterable[dict[str, Any]]:
    for rate, confidence in ((10, Fraction(19, 20)), (100, Fraction(19, 20)), (10, Fraction(99, 100))):
        for errors in (0, 1, 3):
            coups = coups_to_bound(errors, rate / PER, float(confidence))
            chances = [at_most(errors, n, Fraction(rate, PER)) for n in (coups, coups - 1)]
            found = f"{errors or 'no'} error{'s' * (errors != 1)}"
            yield {
                "plan": f"rule out {rate} with {100 * float(confidence):g}%, {found}", "coups": coups,
                "reached": float(1 - chances[0]), "one_less": float(1 - chances[1]),
                "least": "yes" if chances[0] <= 1 - confidence < chances[1] else "no",
            }  # fmt: skip
    for one, other in ((1000, 4000), (2000, 5000)):
        plan = coups_to_compare(one / PER, other / PER, 0.05, 0.8)
        exactly = [
            power(n, Fraction(one, PER), Fraction(other, PER), Fraction(1, 20), 75)
            for n in (plan.coups, plan.coups - 1)
        ]
        yield {
            "plan": f"tell {one} from {other}, level 5%, power 80%", "coups": plan.coups, "reached": float(exactly[0]),
            "one_less": float(exactly[1]), "least": "yes" if exactly[0] >= Fraction(4, 5) > exactly[1] else "no",
            "off": abs(plan.power - float(exactly[0])),
        }  # fmt: skip


def written(name: str, rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    frame = pl.DataFrame(list(rows), infer_schema_length=None)
    frame.write_csv(HERE / f"{name}.csv")
    return frame


def main() -> None:
    covered = written("coverage", coverages())
    heads = ["coups", *(f"{rate:,}" for rate in RATES)]
    put(NOTES, heads, ([f"{coups:,}", *(f"{100 * row['exact']:.2f}" for row in of.to_dicts())]
                       for (coups,), of in covered.group_by("coups", maintain_order=True)), "coverage")  # fmt: skip
    least = written("least", least_coverages())
    put(NOTES, ["coups", *(f"{name}, least (at the rate)" for name in INTERVALS)],
        ([f"{coups:,}", *(f"{100 * row['least']:.2f}% ({row['rate']:.3g})" for row in of.to_dicts())]
         for (coups,), of in least.group_by("coups", maintain_order=True)), "least")  # fmt: skip
    level = written("levels", levels())
    put(NOTES, ["coups each", *heads[1:]], ([f"{coups:,}", *(f"{100 * row['level']:.2f}" for row in of.to_dicts())]
        for (coups,), of in level.group_by("coups", maintain_order=True)), "levels")  # fmt: skip
    put_frame(NOTES, {"plan": "{plan}", "coups": "{coups:,}", "reached, exactly": "{reached:.8f}",
                      "with one coup less": "{one_less:.8f}", "the fewest": "{least}"}, written("plans", plans()),
              "plans")  # fmt: skip


if __name__ == "__main__":
    main()
