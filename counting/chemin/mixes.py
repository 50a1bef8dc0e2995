"""The best of the mixes that keep the other side where it is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Number = int | Fraction


def best_mix(
    worth: Sequence[Number], slope: Number, steps: Sequence[Number], least: int | None, most: int | None
) -> tuple[Fraction, ...]:
    """The p's from 0 to 1 with least <= slope + sum(steps * p) <= most (there are some) that have the largest
    sum(worth * p): the largest of all, moved to the bounds where that costs the least for each step."""
    best = [Fraction(w > 0) for w in worth]
    at = slope + sum((s * p for s, p in zip(steps, best, strict=True)), Fraction())
    goal = least if least is not None and at < least else most if most is not None and at > most else at
    for i in sorted((i for i, s in enumerate(steps) if s), key=lambda i: abs(Fraction(worth[i]) / steps[i])):
        p = min(max(best[i] + (goal - at) / steps[i], Fraction(0)), Fraction(1))
        at += steps[i] * (p - best[i])
        best[i] = p
    return tuple(best)
