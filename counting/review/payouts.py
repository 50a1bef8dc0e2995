"""What bets may have paid on the coups of a log, over every value of the unread cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats, Ints
from counting.games import Bet, First, Game, Shown, Tableau
from counting.review.hand_lines import possible_lines
from counting.review.hands import FIRST_TWO, SHAPE, CoupsShown, hand_class

_CLASSES = prod(SHAPE)  # the number of classes of coups by their totals and third cards


def classes_of(
    bet: Bet, shown: CoupsShown, rows: Ints | NDArray[np.bool_], tableau: Tableau
) -> tuple[Ints, Callable[[int], set[Fraction]]]:
    """The class of each of the coups at `rows`, as a number, and a function that gives the bet's possible pays for a
    class. Coups are in the same class if they look the same to the bet.

    The numbers are from 0. The possible pays cover every value that an unread card may have had."""
    if bet.shows == "hands":
        sets = possible_lines(bet, shown.codes[rows])
        number: dict[frozenset[int], int] = {}
        classes = np.array([number.setdefault(lines, len(number)) for lines in sets], np.int64)
        by_line, listed = [*(line.pay for line in bet.pays), Fraction(-1)], list(number)
        return classes, lambda code: {by_line[line] for line in listed[code]}

    classes = (shown.first_two if bet.shows == "first" else shown.classes)[rows].astype(np.int64)
    return classes, _pays_shown(bet, tableau)


@lru_cache(maxsize=64)
def _pays_shown(bet: Bet, tableau: Tableau) -> Callable[[int], set[Fraction]]:
    """A function that gives a bet's possible pays for a class of first cards or of outcomes."""

    @lru_cache(maxsize=_CLASSES)
    def may_pay(code: int) -> set[Fraction]:
        possible: Iterable[Shown] = hand_class(tableau, code).outcomes
        if bet.shows == "first":
            player, banker = divmod(code, len(FIRST_TWO))
            possible = [First(*a, *b) for a, b in product(FIRST_TWO[player], FIRST_TWO[banker])]
        return {bet.pay(each) for each in possible}

    return may_pay


def may_have_paid(shown: CoupsShown, rows: slice, game: Game, bet: str) -> tuple[Floats, Floats]:
    """The least and the most that a bet may have paid on some coups of a log, per unit staked, over every value that an
    unread card may have had.

    On a coup that is not `sized`, the bet may have paid any of its pays."""
    judged = shown.sized[rows]
    least, most = (np.full(len(judged), pay) for pay in _every_pay(game, bet))
    some = (rows.start or 0) + np.flatnonzero(judged)
    if len(some):
        chosen = game.bet(bet)
        if chosen.shows == "outcome":
            codes, place = np.unique(shown.classes[some], return_inverse=True)
            ranges = [pays_of_class(game, bet, code) for code in codes.tolist()]
        else:
            code, may_pay = classes_of(chosen, shown, some, game.tableau)
            codes, place = np.unique(code, return_inverse=True)
            ranges = [_range(may_pay(each)) for each in codes.tolist()]
        least[judged], most[judged] = np.array(ranges)[place].T
    return least, most


@lru_cache(maxsize=256)
def _every_pay(game: Game, bet: str) -> tuple[float, float]:
    chosen = game.bet(bet)
    return _range({chosen.pay(each) for each in chosen.happening(game.tableau)})


@lru_cache(maxsize=1 << 14)
def pays_of_class(game: Game, bet: str, code: int) -> tuple[float, float]:
    """The least and the most that a bet may pay on a class of hands. The bet must be one that the outcome alone
    settles."""
    chosen = game.bet(bet)
    return _range({chosen.pay(outcome) for outcome in hand_class(game.tableau, code).outcomes})


def _range(pays: set[Fraction]) -> tuple[float, float]:
    return float(min(pays)), float(max(pays))
