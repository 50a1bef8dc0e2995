"""Chemin de fer with a commission on Banker's wins: not a zero-sum game any more, so Nash equilibria.

A bank that wins pays the share `commission` of it to the house. Player maximizes wins less losses, and
Banker the same after commission. If Player has one cell with a choice, the mix is a number x, and everything is
affine in it: Banker's two moves in a cell cost the same at one x at most, or at all. Between those kinks Banker's best
reply is one pure strategy; so all equilibria follow from 0, 1, each kink, and the intervals between them. If Player
has several, `regions` finds the edges of Player's cube on which equilibria can be, and on an edge one number is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal

from counting.cards import Shoe
from counting.chemin.charged import Affine, Charged, Group, Line
from counting.chemin.game import Game
from counting.chemin.mixes import best_mix
from counting.chemin.regions import Region, regions
from counting.chemin.rules import MODERN, BankerCell, PlayerCell, Rules, part
from counting.errors import InputError

_MOST_MIXED = 12  # cells whose mixes are listed by their extreme ones

Mix = Mapping[BankerCell, Fraction]


@dataclass(frozen=True)
class Equilibrium:
    """Equilibria that differ in Banker's mixes alone, or that Player's mix joins: none gains by another play.

    Player draws in the cells of `group` with any probability from `draws[0]` to `draws[1]`, mostly one number; None
    without a choice. Where the group is of several cells, this is their mean probability by its weights. In the
    `others` Player never or always draws. Banker draws in a cell with the probability of `replies`; in the `mixed`
    cells Banker is indifferent, and may draw with other probabilities p. Then `slope`, what drawing is worth to Player
    beyond standing per unit staked, must be 0 where Player mixes, at most 0 where Player never draws, at least 0 where
    Player always does. `slope` is a constant, then the coefficient of each p. `extremes` are the extreme ones, whose
    means are all others (None if they are too many to list). `player`, `banker` and `house` are the least and the
    largest expected profit per unit staked, pushes included, Banker's after the commission, which the house has.
    """

    draws: tuple[Fraction, Fraction] | None
    replies: Mix
    mixed: tuple[BankerCell, ...]
    slope: tuple[Fraction, ...]
    extremes: tuple[Mix, ...] | None
    player: tuple[Fraction, Fraction]
    banker: tuple[Fraction, Fraction]
    house: tuple[Fraction, Fraction]
    group: Group
    others: Mapping[PlayerCell, Fraction]

    @property
    def plays(self) -> dict[PlayerCell, Fraction]:
        """Player's play in each cell that can be dealt: of several plays the one with the fewest draws, alike in all
        cells of the group."""
        return {**(dict.fromkeys(self.group.cells, self.draws[0]) if self.draws else {}), **self.others}

    @property
    def relation(self) -> Literal["=", "<=", ">="] | None:
        """The relation of `slope` to 0; None if Player has no choice."""
        if self.draws is None:
            return None
        low, high = self.draws
        return "<=" if high == 0 else ">=" if low == 1 else "="

    @property
    def _reach(self) -> tuple[Fraction, Fraction]:
        """The least and the largest that `slope` is for any p's."""
        constant, *steps = self.slope
        low, high = (sum((end(step, Fraction()) for step in steps), constant) for end in (min, max))
        return low, high

    @property
    def _level(self) -> bool:
        """Whether `slope` is 0 in all of them."""
        low, high = self._reach
        return self.relation == "=" or (self.relation == "<=" and low == 0) or (self.relation == ">=" and high == 0)

    @property
    def loose(self) -> tuple[BankerCell, ...]:
        """The mixed cells in which Banker does not draw with the same probability in all of them."""
        steps = self.slope[1:]
        is_fixed = self._level and (0 in self._reach or sum(map(bool, steps)) == 1)
        return tuple(cell for cell, step in zip(self.mixed, steps, strict=True) if not (is_fixed and step))

    @property
    def binds(self) -> bool:
        """Whether what `slope` has to be leaves out any probabilities in the loose cells."""
        low, high = self._reach
        meets = self.relation is None or (self.relation == "<=" and high <= 0) or (self.relation == ">=" and low >= 0)
        steps = dict(zip(self.mixed, self.slope[1:], strict=True))
        return not meets and any(steps[cell] for cell in self.loose)


def equilibria(
    shoe: Shoe, model: str = "A1", rules: Rules = MODERN, commission: Fraction | str = Fraction(1, 20)
) -> tuple[Equilibrium, ...]:
    """All Nash equilibria, by x. Raises `InputError` where they are not known to be all, which happens only if Player
    chooses in several cells (model 3, or own rules), for a commission that is not a share, and as `solve` does."""
    found = all_equilibria(Charged(Game.of(shoe, model, rules), share(commission)))
    if found is None:
        raise InputError(
            f"model {model}, shoe {shoe}: too many mixes of Player's to search for all equilibria; "
            "counting.chemin.under_commission finds one"
        )
    return found


def all_equilibria(charged: Charged) -> tuple[Equilibrium, ...] | None:
    """All of a game; None if Player's mixes are too many to search."""
    if len(charged.groups) < 2:
        return tuple(_Costs(charged, 0 if charged.groups else None, {}).equilibria(Fraction(0), Fraction(1)))
    searched = regions(charged)
    if searched is None:
        return None
    found: list[Equilibrium] = []
    for at in searched:
        for one in _Costs(charged, at.open, at.others).equilibria(at.low, at.high):
            kept = _others_answer(charged, at, one)
            if kept is None:
                return None
            if kept and not any(_same(one, other) for other in found):
                found.append(one)
    return tuple(found)


def _others_answer(charged: Charged, region: Region, one: Equilibrium) -> bool | None:
    """Whether Player's other plays are best replies to Banker's; None if to some of Banker's mixes only."""
    by_cell = {cell.cell: cell for cell in charged.free}
    least, most = {"=": (0, 0), "<=": (None, 0), ">=": (0, None), None: (None, None)}[one.relation]
    constant, *steps = (int(e * charged.deals) for e in one.slope)
    is_best = True
    for i, p in region.others.items():
        sure = charged.net[1 + i] + sum((cell.stand[1 + i] for cell in charged.free), Fraction())
        sure += sum(by_cell[at].gains[1 + i] * q for at, q in one.replies.items() if q and at not in one.mixed)
        gains = [by_cell[at].gains[1 + i] for at in one.mixed]
        ends = [best_mix([way * g for g in gains], constant, steps, least, most) for way in (-1, 1)]
        low, high = (sure + sum(g * q for g, q in zip(gains, mix, strict=True)) for mix in ends)
        if (high < 0) if p else (low > 0):
            return False
        is_best = is_best and (low >= 0 if p else high <= 0)
    return is_best or None


def _same(one: Equilibrium, other: Equilibrium) -> bool:
    """Whether two are one corner of Player's cube, on two edges, with the same replies."""
    ends = [e.draws is not None and e.draws[0] == e.draws[1] for e in (one, other)]
    return all(ends) and one.plays == other.plays and one.replies == other.replies and one.mixed == other.mixed


def share(commission: Fraction | str) -> Fraction:
    """A commission exactly as written; `InputError` if it is not a share."""
    return part(commission, "commission", "", whole=False)


class _Costs:
    """A game where Player has one number x to choose, or none: `net`, Player's, and `cost`, Banker's, from cells
    without a choice; and the free cells."""

    def __init__(self, charged: Charged, group: int | None, others: Mapping[int, Fraction]) -> None:
        self.chooses = group is not None
        self.deals, self.scale = charged.deals, charged.scale
        self.net, self.cost, self.free = charged.along(group, others)
        self.group = Group((), ()) if group is None else charged.groups[group]
        self.others = {cell: p for i, p in others.items() for cell in charged.groups[i].cells}

    def equilibria(self, least: Fraction, most: Fraction) -> Iterator[Equilibrium]:
        """Those with x in this range."""
        kinks = {Fraction(-c.costs[0], c.costs[1]) for c in self.free if c.costs[1]} if self.chooses else set()
        points = sorted({least, *(x for x in kinks if least < x < most), *([most] if self.chooses else [])})
        between = [one for low, high in pairwise(points) for one in self._at(low, high)]
        for x in points:
            for one in self._at(x, x):
                if not any(_covers(wider, one) for wider in between):
                    yield one
        yield from between

    def _at(self, low: Fraction, high: Fraction) -> Iterator[Equilibrium]:
        """The equilibria with this x, or with any x between two kinks."""
        x = (low + high) / 2
        sure: dict[BankerCell, Fraction] = {}
        mixed: list[Line] = []
        slope = self.net[1]
        for cell in self.free:
            cost = _along(cell.costs, x)
            if cost:
                sure[cell.cell] = Fraction(cost < 0)
            else:
                mixed.append(cell)
            slope += (cell.draw if cost < 0 else cell.stand)[1]
        steps = [cell.draw[1] - cell.stand[1] for cell in mixed]
        least, most = _bounds(x) if self.chooses else (None, None)
        mixes = _within(slope, steps, least, most)
        if mixes is None:
            return
        cells = tuple(cell.cell for cell in mixed)
        extremes, one = mixes
        # What drawing in each mixed cell is worth to Player, at x; times the denominator of x.
        worth = [_along(c.draw, x) - _along(c.stand, x) for c in mixed]
        ends = [best_mix(worth, slope, steps, least, most), best_mix([-w for w in worth], slope, steps, least, most)]
        values = [self._values(at, sure, mixed, mix) for mix in ends for at in {low, high}]
        player, banker = zip(*values, strict=True)
        house = [-p - b for p, b in values]
        yield Equilibrium(
            (low, high) if self.chooses else None,
            {**sure, **dict(zip(cells, one, strict=True))},
            cells,
            tuple(Fraction(s, self.deals) for s in (slope, *steps)),
            None if extremes is None else tuple(dict(zip(cells, mix, strict=True)) for mix in extremes),
            (min(player), max(player)),
            (min(banker), max(banker)),
            (min(house), max(house)),
            self.group,
            self.others,
        )

    def _values(
        self, x: Fraction, sure: Mix, mixed: Sequence[Line], mix: Sequence[Fraction]
    ) -> tuple[Fraction, Fraction]:
        plays = {**sure, **{cell.cell: p for cell, p in zip(mixed, mix, strict=True)}}
        net, cost = Fraction(_along(self.net, x)), Fraction(_along(self.cost, x))
        for cell in self.free:
            stand = _along(cell.stand, x)
            net += stand
            if p := plays[cell.cell]:
                net += p * (_along(cell.draw, x) - stand)
                cost += p * _along(cell.costs, x)
        return net / (x.denominator * self.deals), -cost / (x.denominator * self.scale * self.deals)


def _along(line: Affine, x: Fraction) -> int:
    """A line's height at x, times the denominator of x."""
    return line[0] * x.denominator + line[1] * x.numerator


def _bounds(x: Fraction) -> tuple[int | None, int | None]:
    """The bounds of Player's slope at this probability of drawing: 0 if Player mixes, at most 0 if Player always
    stands, at least 0 if Player always draws."""
    return (0, 0) if 0 < x < 1 else (None, 0) if x == 0 else (0, None)


def _covers(wider: Equilibrium, one: Equilibrium) -> bool:
    """Whether all equilibria with one probability of Player's are among those of an interval."""
    if one.draws is None or wider.draws is None or one.draws[0] not in wider.draws or not one._level:
        return False
    fixed = {cell: p for cell, p in one.replies.items() if cell not in wider.mixed}
    return not any(cell in one.loose or wider.replies[cell] != p for cell, p in fixed.items())


def _within(
    slope: int, steps: Sequence[int], least: int | None, most: int | None
) -> tuple[list[tuple[Fraction, ...]] | None, tuple[Fraction, ...]] | None:
    """The p's from 0 to 1 with least <= slope + sum(steps * p) <= most: the extreme ones (None where they are too
    many), and one of them; None where there are none."""
    low, high = slope + sum(min(0, s) for s in steps), slope + sum(max(0, s) for s in steps)
    if (least is not None and high < least) or (most is not None and low > most):
        return None
    one = best_mix([-s for s in steps], slope, steps, least, most)  # of the least sum, or raised to the bound
    if len(steps) > _MOST_MIXED:
        return None, one
    corners: dict[tuple[Fraction, ...], None] = {}
    for corner in product((Fraction(0), Fraction(1)), repeat=len(steps)):
        at = slope + sum(s * p for s, p in zip(steps, corner, strict=True))
        if (least is None or at >= least) and (most is None or at <= most):
            corners[corner] = None
        for i, step in enumerate(steps):
            for bound in {b for b in (least, most) if b is not None}:
                p = corner[i] + Fraction(bound - at, step) if step else Fraction(-1)
                if 0 < p < 1:
                    corners[(*corner[:i], p, *corner[i + 1 :])] = None
    return list(corners), one
