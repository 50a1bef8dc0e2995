"""Banque with Players apart, a game of three: each Player plays for the stake on their hand, Banker for both stakes.

In an equilibrium, none of the three gains by changing their play while the other two keep theirs. The first Player
draws on five with probability x. The second Player draws with a probability y for each case of the first's third card.
Banker draws with a probability q in each cell.

`exclusion` finds where equilibria can be: the possible x, and for each x the possible y and Banker's undecided cells.
`places` solves for these few numbers. Usually each x and y is 0, 1 or a value at which drawing and standing cost Banker
the same in some cell. In the cells in which both moves cost the same, Banker's q make each Player who mixes
indifferent. If all of this holds exactly, the equilibrium is exact.

If x or y is irrational, the numbers are fractions very near the equilibrium. What each of the three gains by the best
other play is then computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter

import numpy as np

from counting.cards import Shoe, as_shoe
from counting.chemin.banque.apart_certificate import ApartCertificate, check_apart
from counting.chemin.banque.coups_dealt import TwoCell, check_banque_model
from counting.chemin.banque.exclusion import strips
from counting.chemin.banque.places import Profile, places, profiles
from counting.chemin.banque.stakes import cases
from counting.chemin.banque.tableaux import Tableaux, tableaux

_BY_GAIN = attrgetter("epsilon")
_DIGITS = 56  # the binary digits of x and y
_NARROW = Fraction(1, 1 << 40)  # a place narrower than this counts as a single x
_NEAR = Fraction(1, 10**12)  # plays count as near an equilibrium if no side gains this much by another play


@dataclass(frozen=True, eq=False)
class ApartEquilibrium:
    """An exact equilibrium, or plays that are near an equilibrium.

    The certificate holds the plays, the profits, and the most that each of the three gains by another play. These gains
    are 0 in an exact equilibrium; otherwise they show how near the plays are to an equilibrium. In all equilibria near
    these plays, the first Player's probability of drawing is in `first_range`.
    """

    certificate: ApartCertificate
    first_range: tuple[Fraction, Fraction]

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of any of the three by another play."""
        return self.certificate.epsilon


@dataclass(frozen=True, eq=False)
class Apart:
    """A shoe at two tableaux with Players apart.

    `equilibria` are sorted by `first_range`. Let x be the first Player's probability of drawing. `is_all`: whether all
    other x are excluded. If they are, the x of every equilibrium is within 2^-40 of the x of a listed equilibrium. The
    plays of the second Player and of Banker may differ from the listed plays.
    """

    shoe: Shoe
    theta: Fraction
    model: str
    uses_third: bool
    equilibria: tuple[ApartEquilibrium, ...]
    is_all: bool

    def check(self) -> None:
        """Check each certificate by dealing the cards again, with code that shares nothing with the solver. Raises
        `InputError` for a wrong certificate."""
        for equilibrium in self.equilibria:
            check_apart(equilibrium.certificate, self.shoe, self.theta, self.model)


def apart(
    shoe: Shoe | str, theta: Fraction | str = Fraction(1, 2), model: str = "B2", *, uses_third: bool = True
) -> Apart:
    """The equilibria of a shoe at two tableaux, if each Player plays for the stake on their hand and mixes
    independently. The part `theta` of all stakes is on the first Player.

    A Player without a stake, at theta 0 or 1, plays like a Player with a very small stake. Raises `InputError` as
    `banque` does.
    """
    shoe = as_shoe(shoe)
    seen, stake = check_banque_model(shoe, theta, model, uses_third=uses_third)
    dealt = tableaux(shoe, seen)
    every = cases(dealt, stake, uses_third)
    left, digits = strips(every, _DIGITS)
    equilibria: list[ApartEquilibrium] = []
    is_all = True
    for place in places(every, left, digits):
        plays = [min((_measured(dealt, stake, play) for play in near), key=_BY_GAIN) for near in profiles(every, place)]
        is_all = is_all and place.high - place.low < _NARROW and bool(plays)
        is_near = [play for play in plays if play.epsilon < _NEAR]
        kept = _different(is_near)
        is_all = is_all and bool(kept)
        equilibria += [
            ApartEquilibrium(play, (place.low, place.high)) for play in kept or sorted(plays, key=_BY_GAIN)[:1]
        ]
    return Apart(shoe, stake, model, uses_third, tuple(equilibria), is_all)


def best_replies(
    shoe: Shoe | str,
    theta: Fraction | str,
    model: str,
    first: Fraction,
    second: Mapping[int | None, Fraction],
    banker: Mapping[TwoCell, Fraction],
) -> ApartCertificate:
    """A certificate of given plays of the first Player, the second Player and Banker: each Player's profit, and what
    each of the three gains by the best other play. These gains show how far the plays are from an equilibrium."""
    shoe = as_shoe(shoe)
    seen, stake = check_banque_model(shoe, theta, model)
    return _measured(tableaux(shoe, seen), stake, Profile(first, dict(second), dict(banker)))


def _different(plays: Iterable[ApartCertificate]) -> list[ApartCertificate]:
    """The plays without repeats, sorted by their largest gain, the smallest first. Two plays are the same if their y
    differ by less than `_NARROW` in each case."""
    kept: list[ApartCertificate] = []
    for play in sorted(plays, key=_BY_GAIN):
        if not any(all(abs(y - other.second[at]) < _NARROW for at, y in play.second.items()) for other in kept):
            kept.append(play)
    return kept


def _measured(dealt: Tableaux, theta: Fraction, profile: Profile) -> ApartCertificate:
    """The certificate of a profile (a play of each of the three): the profits, and what each of the three gains by the
    best other play."""
    x, first = profile.first, Fraction(0)
    stakes = theta.numerator, theta.denominator - theta.numerator
    profits, gains = [Fraction(0), Fraction(0)], [Fraction(0), Fraction(0), Fraction(0)]
    banker: dict[TwoCell, Fraction] = {}
    for state, y in profile.second.items():
        at = np.flatnonzero(dealt.possible if state is None else dealt.possible & (dealt.first == state))
        draws = [profile.banker.get(dealt.cells[i], Fraction(0)) for i in at]
        banker |= {dealt.cells[i]: q for i, q in zip(at, draws, strict=True)}
        q = np.array([int(p) if p in (0, 1) else p for p in draws], object)
        stand, drawing = dealt.worth[0][:, at], (dealt.worth[1] - dealt.worth[0])[:, at]
        form = [[Fraction(n) for n in row] for row in (stand + drawing * q[:, None]).sum(axis=1)]
        of = x.denominator * y.denominator
        plan = np.array([of, *(int(of * p) for p in (x, x * y, (1 - x) * y))], object)
        for i in (0, 1):
            profits[i] += sum(n * p for n, p in zip(form[i], plan, strict=True)) / of
        first += form[0][1] + (form[0][2] - form[0][3]) * y
        gains[1] += _best(form[1][2] * x + form[1][3] * (1 - x), y)
        costs = stakes[0] * (drawing[0] @ plan) + stakes[1] * (drawing[1] @ plan)
        gains[2] += Fraction(sum(_best(-cost, p) for cost, p in zip(costs, q, strict=True)), of * theta.denominator)
    gains[0] = Fraction(_best(first, x))
    to_first, to_second = (dealt.apart + profit / dealt.deals for profit in profits)
    of_first, of_second, of_banker = (gain / dealt.deals for gain in gains)
    return ApartCertificate(
        x,
        profile.second,
        banker,
        {hand: solution.certificate for hand, solution in dealt.solved.items()},
        (to_first, to_second),
        (of_first, of_second, of_banker),
    )


def _best(gain: Fraction | int, p: Fraction | int) -> Fraction | int:
    """What the better move gains over drawing with probability p. `gain` is how much more drawing is worth than
    standing."""
    return gain * (1 - p) if gain > 0 else -gain * p
