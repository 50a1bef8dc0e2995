"""Chemin de fer with a commission on Banker's wins: not a zero-sum game any more, so Nash equilibria.

A bank that wins pays the share `commission` of it to the house. Player maximizes wins less losses, and
Banker the same after commission. If Player has one cell with a choice, the mix is a number x, and everything is
affine in it: Banker's two moves in a cell cost the same at one x at most, or at all. Between those kinks Banker's best
reply is one pure strategy; so all equilibria follow from 0, 1, each kink, and the intervals between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.chemin.game import Game
from counting.chemin.rules import MODERN, BankerCell, Rules, part
from counting.errors import InputError

_MOST_MIXED = 12  # cells whose mixes are listed by their extreme ones

Mix = Mapping[BankerCell, Fraction]


@dataclass(frozen=True)
class Equilibrium:
    """Equilibria that differ in Banker's mixes alone, or that Player's mix joins: none gains by another play.

    Player draws with any probability from `draws[0]` to `draws[1]`, mostly one number; None without a choice. Banker
    draws in a cell with the probability of `replies`; in the `mixed` cells he is indifferent, and may draw with any
    others p for which `slope`, what drawing is worth to Player beyond standing per unit staked, is 0 where Player
    mixes, at most 0 where he never draws, at least 0 where he always does: a constant, then what each of those p's is
    times. `extremes` are the extreme ones, whose means are all others (None if they are too many to list). `player` and
    `banker` are the least and the largest expected profit per unit staked, pushes included, Banker's after commission.
    """

    draws: tuple[Fraction, Fraction] | None
    replies: Mix
    mixed: tuple[BankerCell, ...]
    slope: tuple[Fraction, ...]
    extremes: tuple[Mix, ...] | None
    player: tuple[Fraction, Fraction]
    banker: tuple[Fraction, Fraction]

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
    """All Nash equilibria, by x. Raises `InputError` where Player has more than one cell with a choice (model 3), for a
    commission that is no share, and as `solve` does."""
    game, rate = Game.of(shoe, model, rules), share(commission)
    if len(game.cells.player) > 1:
        raise InputError(
            f"model {model}: Player chooses in {len(game.cells.player)} cells, should be one with a commission, as in "
            "A1, A2, B1 and B2 where he chooses on one total"
        )
    return tuple(_Costs(game, rate).equilibria())


def share(commission: Fraction | str) -> Fraction:
    """A commission exactly as written; `InputError` if it is not a share."""
    return part(commission, "commission", "", whole=False)


Affine = tuple[int, int]  # a constant, and what x adds


class _Cell(NamedTuple):
    """A cell in which Banker chooses: the worth of standing and drawing to Player, and the cost of drawing to
    Banker beyond standing."""

    cell: BankerCell
    stand: Affine
    draw: Affine
    costs: Affine


class _Costs:
    """A game in whole numbers: `net`, Player's, and `cost`, Banker's, from cells without a choice; and the free
    cells."""

    def __init__(self, game: Game, rate: Fraction) -> None:
        a, b = rate.numerator, rate.denominator
        settled, *ties = game.ties()
        self.chooses = bool(game.reach[:, 1:].any())
        self.deals, self.scale = game.deals, 2 * b
        self.free: list[_Cell] = []
        reach = _affine(game.reach)
        moves = [
            [
                (net, _sum((2 * b - a, net), (a, reached), (-a, tie)))
                for net, reached, tie in zip(nets, reach, tied, strict=True)
            ]
            for nets, tied in ((_affine(game.stand), _affine(ties[0])), (_affine(game.draw), _affine(ties[1])))
        ]
        naturals = game.deals - sum(constant for constant, _ in reach)
        self.net: Affine = (0, 0)
        self.cost: Affine = (a * (naturals - settled), 0)
        for cell, free, drawn, (stand, if_stands), (draw, if_draws), there in zip(
            game.cells.banker, game.cells.free, game.cells.drawn, *moves, reach, strict=True
        ):
            net, cost = (draw, if_draws) if drawn and not free else (stand, if_stands)
            self.cost = _sum((1, self.cost), (1, cost))
            if free and there != (0, 0):
                self.free.append(_Cell(cell, stand, draw, _sum((1, if_draws), (-1, if_stands))))
            else:
                self.net = _sum((1, self.net), (1, net))

    def equilibria(self) -> Iterator[Equilibrium]:
        kinks = {Fraction(-c.costs[0], c.costs[1]) for c in self.free if c.costs[1]} if self.chooses else set()
        points = sorted({Fraction(0), *(x for x in kinks if 0 < x < 1), *([Fraction(1)] if self.chooses else [])})
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
        mixed: list[_Cell] = []
        slope = self.net[1]
        for cell in self.free:
            cost = cell.costs[0] + cell.costs[1] * x
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
        worth = [(c.draw[0] - c.stand[0]) * x.denominator + (c.draw[1] - c.stand[1]) * x.numerator for c in mixed]
        ends = [_best(worth, slope, steps, least, most), _best([-w for w in worth], slope, steps, least, most)]
        values = [self._values(at, sure, mixed, mix) for mix in ends for at in {low, high}]
        player, banker = zip(*values, strict=True)
        yield Equilibrium(
            (low, high) if self.chooses else None,
            {**sure, **dict(zip(cells, one, strict=True))},
            cells,
            tuple(Fraction(s, self.deals) for s in (slope, *steps)),
            None if extremes is None else tuple(dict(zip(cells, mix, strict=True)) for mix in extremes),
            (min(player), max(player)),
            (min(banker), max(banker)),
        )

    def _values(
        self, x: Fraction, sure: Mix, mixed: Sequence[_Cell], mix: Sequence[Fraction]
    ) -> tuple[Fraction, Fraction]:
        plays = {**sure, **{cell.cell: p for cell, p in zip(mixed, mix, strict=True)}}
        net, cost = (at[0] + at[1] * x for at in (self.net, self.cost))
        for cell in self.free:
            p = plays[cell.cell]
            net += (1 - p) * (cell.stand[0] + cell.stand[1] * x) + p * (cell.draw[0] + cell.draw[1] * x)
            cost += p * (cell.costs[0] + cell.costs[1] * x)
        return net / self.deals, -cost / (self.scale * self.deals)


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


def _affine(rows: NDArray[np.int64]) -> list[Affine]:
    return [(row[0], row[1] if len(row) > 1 else 0) for row in rows.tolist()]


def _sum(*terms: tuple[int, Affine]) -> Affine:
    return sum(n * at[0] for n, at in terms), sum(n * at[1] for n, at in terms)


def _within(
    slope: int, steps: Sequence[int], least: int | None, most: int | None
) -> tuple[list[tuple[Fraction, ...]] | None, tuple[Fraction, ...]] | None:
    """The p's from 0 to 1 with least <= slope + sum(steps * p) <= most: the extreme ones (None where they are too
    many), and one of them; None where there are none."""
    low, high = slope + sum(min(0, s) for s in steps), slope + sum(max(0, s) for s in steps)
    if (least is not None and high < least) or (most is not None and low > most):
        return None
    one = _best([-s for s in steps], slope, steps, least, most)  # of the least sum, or raised to the bound
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


def _best(
    worth: Sequence[int], slope: int, steps: Sequence[int], least: int | None, most: int | None
) -> tuple[Fraction, ...]:
    """The p's from 0 to 1 with least <= slope + sum(steps * p) <= most (there are some) that have the largest
    sum(worth * p): the largest of all, moved to the bounds where that costs the least for each step."""
    best = [Fraction(w > 0) for w in worth]
    at = slope + sum((s * p for s, p in zip(steps, best, strict=True)), Fraction())
    goal = least if least is not None and at < least else most if most is not None and at > most else at
    for i in sorted((i for i, s in enumerate(steps) if s), key=lambda i: Fraction(abs(worth[i]), abs(steps[i]))):
        p = min(max(best[i] + (goal - at) / steps[i], Fraction(0)), Fraction(1))
        at += steps[i] * (p - best[i])
        best[i] = p
    return tuple(best)
