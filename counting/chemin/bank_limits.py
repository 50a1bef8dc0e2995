"""A bank's profit after commission if both sides count: the profit that the bank can be sure of, and an upper bound on
its profit in any equilibrium."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, Shoe, as_shoe
from counting.chemin.commission import commission_share
from counting.chemin.game import CheminGame, dealt_from, ways_to_deal
from counting.chemin.rules import CLASSICAL, CheminRules, check_model
from counting.chemin.solution import certified
from counting.errors import InputError

# The product of the largest score and the number of ordered deals of six cards stays below this, as `_deals.pyx` needs.
_MOST_WORTH = 2**63
_MOST_CELLS = 10  # if Player has a choice in at most this many cells, all pure plays are tried


def least_bank_profit(
    shoe: Shoe | str, commission: Fraction | str = Fraction(1, 20), model: str = "B3", rules: CheminRules = CLASSICAL
) -> Fraction:
    """The profit that a bank can be sure of after commission, per unit staked, whatever Player does. It is the value to
    the bank of the zero-sum game in which Player only wants the bank to lose. No equilibrium gives the bank less.

    Raises `InputError` as `solve` does, for a commission that is not a share, and for a commission with too many digits
    for the number of cards. With replacement, the number of cards does not matter.
    """
    shoe = as_shoe(shoe)
    rate = commission_share(commission)
    return -certified(_charged(shoe, rate, model, rules))[0] / bank_payoffs(rate)[0]


def most_bank_profit(
    shoe: Shoe | str, commission: Fraction | str = Fraction(1, 20), model: str = "B3", rules: CheminRules = CLASSICAL
) -> Fraction:
    """An upper bound for the bank's profit after commission in any equilibrium, per unit staked.

    In an equilibrium, Player wins the shoe's value v or more, because Player can be sure of v. Let c be the commission,
    and T the chance of a tie. The bank wins -(1 - c/2) times what Player wins, minus c (1 - T) / 2. Banker never makes
    a move that is worse than the other move against every play of Player's. So T is at most the largest chance of a tie
    that a pure play of Player's gives if Banker makes none of these moves. If there are too many pure plays, the
    largest chance is taken in each of Banker's cells separately.

    Raises `InputError` as `least_bank_profit` does.
    """
    shoe = as_shoe(shoe)
    rate = commission_share(commission)
    charged, game = _charged(shoe, rate, model, rules), CheminGame.of(shoe, model, rules)
    seen = game.cells
    beyond = charged.draw - charged.stand  # how much more drawing costs the bank than standing
    draws = np.where(seen.free, _highest(beyond) < 0, seen.drawn)
    stands = np.where(seen.free, _highest(-beyond) < 0, ~seen.drawn)
    settled, stand, draw = game.ties()
    if len(seen.player) > _MOST_CELLS:
        stood, drew = _highest(stand), _highest(draw)
    else:
        plays = np.array([[1, *moves] for moves in product((0, 1), repeat=len(seen.player))])
        stood, drew = plays @ stand.T, plays @ draw.T
    tied = np.where(draws, drew, np.where(stands, stood, np.maximum(stood, drew)))
    ties = Fraction(settled + int(tied.sum(axis=-1).max()), game.deals)
    return -(1 - rate / 2) * certified(game)[0] - rate * (1 - ties) / 2


def _highest(forms: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each affine form (cells, 1 + k): its largest value over all of Player's plays (cells,)."""
    highest: NDArray[np.int64] = forms[:, 0] + np.maximum(forms[:, 1:], 0).sum(axis=1)
    return highest


def _charged(shoe: Shoe, rate: Fraction, model: str, rules: CheminRules) -> CheminGame:
    """The game in which Player wins what the bank loses after commission, times the rate's denominator."""
    win, lose = bank_payoffs(rate)
    dealt = check_model(shoe, model, rules)
    most = (_MOST_WORTH - 1) // ways_to_deal(*dealt_from(shoe, dealt), COUP)
    if win > most:
        cards = "draws with replacement" if dealt.with_replacement else f"{shoe.cards_left:,} cards"
        fewer = "" if dealt.with_replacement else ", or the shoe fewer cards"
        raise InputError(
            f"commission {rate}: has too many digits for {cards}, should have a denominator of at most {most:,}{fewer}"
        )
    return CheminGame.of(shoe, model, rules, matrix(win, lose))


def bank_payoffs(rate: Fraction) -> tuple[int, int]:
    """What the bank pays if Player wins, and what it receives after commission if it wins: both times the rate's
    denominator."""
    return rate.denominator, rate.denominator - rate.numerator


def matrix(win: int, lose: int) -> NDArray[np.int64]:
    """What Player wins in a coup (`win`, 0 or -`lose`), as an array (10, 10). The rows are Player's totals, the columns
    Banker's totals."""
    above = np.tri(10, 10, -1, np.int64)
    return win * above - lose * above.T
