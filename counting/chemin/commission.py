"""Chemin de fer with a commission on Banker's wins. The game is no longer zero-sum, so its solutions are Nash
equilibria.

A bank that wins pays the share `commission` of the win to the house. Player maximizes wins minus losses. Banker
maximizes wins minus losses after commission.

Player's plays are the points of a cube: each coordinate is the probability of drawing in a group of cells. Against a
given play, Banker has one best move in each cell, or is indifferent, whatever Banker does in other cells. `regions`
finds the parts of the cube that can have equilibria. `faces` cuts these parts into faces on which Banker's best replies
are the same.

On a face, what drawing is worth to Player is affine in Banker's probabilities in the cells in which Banker is
indifferent. In an equilibrium, drawing is worth 0 where Player mixes, at most 0 where Player stands, and at least 0
where Player draws. The equilibria on the face are all pairs of a point of the face and probabilities of Banker's that
meet these conditions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from counting.cards import Shoe, as_shoe
from counting.chemin.charged import CellGroup, Charged
from counting.chemin.faces import Face, faces, value_at
from counting.chemin.game import CheminGame
from counting.chemin.mixes import Condition, Mixes, Number, Relation, TooManyError
from counting.chemin.regions import regions
from counting.chemin.rules import MODERN, BankerCell, CheminRules, PlayerCell, part
from counting.errors import InputError

Mix = Mapping[BankerCell, Fraction]


@dataclass(frozen=True)
class Equilibrium:
    """A set of equilibria: pairs of plays in which neither side gains by another play. They can differ only in Banker's
    mixes and in Player's play.

    Player has a probability of drawing for each of the `groups` of cells; usually there are at most two groups.
    Player's play is any of the `corners`, or a weighted mean of corners. For a group of several cells, the probability
    is the weighted mean of the cells' probabilities. In the cells of `others`, Player never draws or always draws.

    Banker draws in each cell with the probability in `replies`, and is indifferent in the `mixed` cells. The `loose`
    cells are some of the mixed cells. In these, Banker may also draw with any other probabilities p that meet the
    `conditions`. Each condition is about one group. It limits how much more drawing is worth to Player than standing,
    per unit staked. This difference is 0 where Player mixes, at most 0 where Player never draws, and at least 0 where
    Player always draws. `extremes` are the extreme p; every other p is a weighted mean of them. `extremes` is None if
    there are too many to list.

    `player`, `banker` and `house` each give the least and the largest expected profit per unit staked, pushes included.
    Banker's profit is after the commission, which goes to the house.
    """

    groups: tuple[CellGroup, ...]
    corners: tuple[tuple[Fraction, ...], ...]
    others: Mapping[PlayerCell, Fraction]
    replies: Mix
    mixed: tuple[BankerCell, ...]
    loose: tuple[BankerCell, ...]
    conditions: tuple[Condition, ...]
    extremes: tuple[Mix, ...] | None
    player: tuple[Fraction, Fraction]
    banker: tuple[Fraction, Fraction]
    house: tuple[Fraction, Fraction]

    @property
    def draws(self) -> tuple[Fraction, Fraction] | None:
        """The least and the largest probability of drawing in the only group; None if there is not exactly one
        group."""
        if len(self.groups) != 1:
            return None
        return self.corners[0][0], self.corners[-1][0]

    @property
    def extreme_plays(self) -> tuple[dict[PlayerCell, Fraction], ...]:
        """Player's play at each corner, in each cell that can be dealt. It is the same in all cells of a group."""
        return tuple(
            {cell: p for group, p in zip(self.groups, corner, strict=True) for cell in group.cells} | dict(self.others)
            for corner in self.corners
        )

    @property
    def plays(self) -> dict[PlayerCell, Fraction]:
        """The first of the extreme plays; if there is one group, the play with the fewest draws."""
        return self.extreme_plays[0]


def equilibria(
    shoe: Shoe | str, model: str = "A1", rules: CheminRules = MODERN, commission: Fraction | str = Fraction(1, 20)
) -> tuple[Equilibrium, ...]:
    """All Nash equilibria of a shoe with a commission on Banker's wins, in the order of Player's plays.

    Raises `InputError` as `solve` does, for a commission that is not a share, and if the search cannot show that it has
    found all equilibria. The search can fail only if Player chooses in several cells (models A3 and B3, or rules of
    your own).
    """
    shoe = as_shoe(shoe)
    every = all_equilibria(Charged(CheminGame.of(shoe, model, rules), commission_share(commission)))
    if every is None:
        raise InputError(
            f"model {model}, shoe {shoe}: too many mixes of Player's to search for all equilibria; "
            "counting.chemin.under_commission finds one"
        )
    return every


def all_equilibria(charged: Charged) -> tuple[Equilibrium, ...] | None:
    """All equilibria of a game; None if there are too many to search."""
    try:
        places = [
            _HeldFace(charged, face, mixes)
            for face in {frozenset(f.corners): f for r in regions(charged) for f in faces(charged, r)}.values()
            if (mixes := Mixes.of(_conditions(charged, face), len(face.mixed))) is not None
        ]
    except TooManyError:
        return None
    whole = [place for place in places if not any(other.covers(place) for other in places)]
    return tuple(place.equilibria() for place in sorted(whole, key=lambda place: place.face.corners))


def commission_share(commission: Fraction | str) -> Fraction:
    """A commission as an exact fraction. Raises `InputError` if it is not a share below 1 (see `part`)."""
    return part(commission, "commission", "", whole=False)


def _conditions(charged: Charged, face: Face) -> list[Condition]:
    """The conditions on Banker's mixes: what drawing in each of Player's groups has to be worth."""
    return [
        Condition(face.worth[1 + i], tuple(cell.gains[1 + i] for cell in face.mixed), _relation(face, i))
        for i in range(len(charged.groups))
    ]


def _relation(face: Face, group: int) -> Relation:
    ends = {corner[group] for corner in face.corners}
    return "<=" if ends == {0} else ">=" if ends == {1} else "="


@dataclass(frozen=True)
class _HeldFace:
    """A face, and the mixes of Banker's against which Player does not gain by leaving the face."""

    charged: Charged
    face: Face
    mixes: Mixes

    def covers(self, other: _HeldFace) -> bool:
        """Whether the other's face is part of this face, and all of the other's mixes are among this face's mixes."""
        if not {*other.face.corners} < {*self.face.corners}:
            return False
        for cell, ends in zip(other.face.mixed, other.reach(), strict=True):
            if cell.cell in self.face.sure and {*ends} != {self.face.sure[cell.cell]}:
                return False
        worth = _conditions(self.charged, other.face)
        mixing = [c for i, c in enumerate(worth) if _relation(self.face, i) == "="]
        return all({c.constant + end for end in other.mixes.reach(c.steps)} == {0} for c in mixing)

    def reach(self) -> list[tuple[Number, Number]]:
        """The least and the largest probability of drawing in each mixed cell."""
        cells = range(len(self.face.mixed))
        return [self.mixes.reach([int(i == cell) for i in cells]) for cell in cells]

    def equilibria(self) -> Equilibrium:
        charged, face, mixes, groups = self.charged, self.face, self.mixes, self.charged.groups
        first = face.corners[0]
        opened = [i for i in range(len(groups)) if _relation(face, i) == "=" or len(groups) == 1]
        closed = {cell: first[i] for i, group in enumerate(groups) if i not in opened for cell in group.cells}
        cells = tuple(cell.cell for cell in face.mixed)
        loose = [low < high for low, high in self.reach()]
        # Player's profit is the same at every corner, and Banker's is the same with every mix.
        worth = mixes.reach([value_at(cell.gains, first) for cell in face.mixed])
        player = [(value_at(face.worth, first) + end) / charged.deals for end in worth]
        drawn = (cell.costs for cell in charged.free if face.sure.get(cell.cell))
        cost = [sum(column) for column in zip(charged.cost, *drawn, strict=True)]
        banker = [-value_at(cost, corner) / (charged.scale * charged.deals) for corner in face.corners]
        ends = [(min(profits), max(profits)) for profits in (player, banker)]
        return Equilibrium(
            groups=tuple(groups[i] for i in opened),
            corners=tuple(tuple(corner[i] for i in opened) for corner in face.corners),
            others=closed,
            replies={cell: Fraction(draws) for cell, draws in face.sure.items()}
            | dict(zip(cells, mixes.some, strict=True)),
            mixed=cells,
            loose=tuple(cell for cell, is_loose in zip(cells, loose, strict=True) if is_loose),
            conditions=tuple(
                condition.over(charged.deals)
                for condition in mixes.conditions
                if any(step and is_loose for step, is_loose in zip(condition.steps, loose, strict=True))
            ),
            extremes=None
            if mixes.extremes is None
            else tuple(dict(zip(cells, mix, strict=True)) for mix in mixes.extremes),
            player=ends[0],
            banker=ends[1],
            house=(-ends[0][1] - ends[1][1], -ends[0][0] - ends[1][0]),
        )
