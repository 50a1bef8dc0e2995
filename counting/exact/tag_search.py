"""Search for the small whole tags that have the largest correlation with weights of the cards. The search is exact: no
fractions are rounded to tags.

Let t be a card's tag and r its weight; the mean weight is zero. Over the N cards, let S = sum t, Q = sum t^2,
R = sum t r and V = sum r^2. The correlation of the tags with the weights is

    R sqrt(N) / sqrt(V (N Q - S^2)).

Among tags with the same S and Q, the tags with the largest R are therefore best. A dynamic program over the kinds of
cards keeps one set of tags for each S and Q.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm

from counting.cards import DECK, MOST_DECKS
from counting.errors import InputError, several, whole

MOST_LEVEL = 4
# The most cards of the smallest shoe in which the kinds have the same proportions. For a deck known by value or by
# rank, that shoe has 13 cards.
_MOST_CARDS = 26


def best_tags(
    counts: Sequence[int], weights: Sequence[Fraction | int], level: int, balanced: bool = True
) -> tuple[int, ...] | None:
    """The whole tags from -level to level, one for each kind of card, with the largest correlation with the weights.

    `counts` are the numbers of cards of each kind; `weights` sum to zero over the cards. Balanced tags sum to zero too.
    Among equally good tags, the result has the smallest sum of squares.

    The result is None if no tags are correlated with the weights, for example if all weights are zero or if no tags of
    the level are balanced. It is also None if the counts are not in a simple proportion such as a deck's (4 : 1 : ... :
    1). The smallest shoe with the same proportions must have at most 26 cards.

    Raises `InputError` for a level that is not 1 to 4, for counts that are not whole numbers from 0 to 1,404, and for
    weights that are not one fraction or whole number for each kind.

    >>> from fractions import Fraction
    >>> from counting import best_tags
    >>> best_tags((4, 4, 4), (Fraction(-1), Fraction(0), Fraction(1)), 1)
    (-1, 0, 1)
    """
    level = whole(level, "level", 1, MOST_LEVEL)
    counts = tuple(whole(count, "counts", 0, DECK * MOST_DECKS) for count in several(counts, "counts"))
    weights = several(weights, "weights")
    if len(weights) != len(counts) or not all(isinstance(weight, Fraction | int) for weight in weights):
        raise InputError("weights: should be fractions, one for each of the counts")
    return _best_tags(counts, weights, level, bool(balanced))


@lru_cache(maxsize=64)
def _best_tags(
    counts: tuple[int, ...], weights: tuple[Fraction | int, ...], level: int, balanced: bool
) -> tuple[int, ...] | None:
    levels = range(-level, level + 1)
    scale = gcd(*counts)
    cards = [n // scale for n in counts] if scale else []
    if not 0 < sum(cards) <= _MOST_CARDS:
        return None
    unit = lcm(*(weight.denominator for weight in weights))
    best_of: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for n, weight in zip(cards, weights, strict=True):
        each = n * int(weight * unit)
        following: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        for (total, squares), (along, tags) in best_of.items():
            for tag in levels if n else (0,):
                state = total + n * tag, squares + n * tag * tag
                if state not in following or following[state][0] < along + each * tag:
                    following[state] = along + each * tag, (*tags, tag)
        best_of = following

    def merit(state: tuple[int, int]) -> tuple[Fraction, int]:
        total, squares = state
        return Fraction(best_of[state][0] ** 2, sum(cards) * squares - total**2), -squares

    fit = [state for state, (along, _) in best_of.items() if along > 0 and (state[0] == 0 or not balanced)]
    return best_of[max(fit, key=merit)][1] if fit else None
