"""The value of a shoe and both sides' optimal play, computed in whole numbers and proved by equal bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import compress
from math import gcd
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe
from counting.chemin.certificate import Certificate, check
from counting.chemin.game import Game
from counting.chemin.optima import Cell, Face, Optima, faces
from counting.chemin.rules import CLASSICAL, BankerCell, PlayerCell, Rules
from counting.chemin.saddle import saddle

_NEVER, _ALWAYS = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved shoe.

    `value` is Player's expected profit per unit staked, pushes included, before any commission. The certificate proves
    it, and holds an optimal strategy of each side: the probability of drawing in each cell where it has a choice that
    can come to be made, `player` and `banker`. `undecided` are the cells of Banker's in which neither move is as good
    as the other whatever Player does.
    """

    game: Game
    value: Fraction
    certificate: Certificate
    undecided: tuple[BankerCell, ...]

    def check(self) -> None:
        """Compute both bounds of the certificate again, from the shoe, model and rules that were solved, by code that
        shares none with the solver. Raises `InputError` if they are wrong."""
        check(self.certificate, self.game.shoe, self.game.model.name, self.game.rules)

    @property
    def player(self) -> Mapping[PlayerCell, Fraction]:
        return self.certificate.player

    @property
    def banker(self) -> Mapping[BankerCell, Fraction]:
        return self.certificate.banker

    @property
    def undealable(self) -> tuple[tuple[PlayerCell, ...], tuple[BankerCell, ...]]:
        """The cells of Player's and of Banker's with a choice that no deal reaches, for lack of cards."""
        cells = self.game.cells
        return (
            tuple(cell for cell in cells.player if cell not in self.player),
            tuple(
                cell for cell, free in zip(cells.banker, cells.free, strict=True) if free and cell not in self.banker
            ),
        )

    @cached_property
    def probabilities(self) -> dict[str, Fraction]:
        """How often Player wins, Banker wins, and they tie, by these strategies."""
        settled, stand, draw = self.game.ties()
        cells = self.game.cells
        x = [_ALWAYS, *(self.player.get(cell, _NEVER) for cell in cells.player)]
        ties = Fraction(settled)
        for i, cell in enumerate(cells.banker):
            q = self.banker.get(cell, _NEVER) if cells.free[i] else Fraction(int(cells.drawn[i]))
            ties += sum(
                ((1 - q) * s + q * d) * p for s, d, p in zip(stand[i].tolist(), draw[i].tolist(), x, strict=True)
            )
        tie = ties / self.game.deals
        return {"player": (1 - tie + self.value) / 2, "banker": (1 - tie - self.value) / 2, "tie": tie}

    @cached_property
    def _optima(self) -> tuple[Optima[PlayerCell], Optima[BankerCell]]:
        form = _Form.of(self.game, strictly=True)
        cells = [self.game.cells.banker[i] for i in form.open]
        both = faces(form.form, list(self.player.values()), [self.banker[cell] for cell in cells])
        return _optima(self.player, list(self.player), both[0]), _optima(self.banker, cells, both[1])

    @property
    def player_optima(self) -> Optima[PlayerCell]:
        """All optimal strategies of Player."""
        return self._optima[0]

    @property
    def banker_optima(self) -> Optima[BankerCell]:
        """All optimal strategies of Banker."""
        return self._optima[1]


def _optima(strategy: Mapping[Cell, Fraction], cells: list[Cell], face: Face) -> Optima[Cell]:
    return Optima(
        {**strategy, **dict(zip(cells, face.point, strict=True))},
        tuple(cells[i] for i in face.places),
        len(face.places) - len(face.equations),
        tuple(face.equations),
        tuple(face.inequalities),
    )


class _Form(NamedTuple):
    """A game as the bilinear form of `saddle`: a row for each cell of Player's that can be dealt, `dealable` (k,), and
    a column for each of Banker's `open` cells. Banker chooses in the `choosing` cells, and draws in the `drawn`."""

    form: list[list[int]]
    dealable: list[bool]
    open: list[int]
    choosing: NDArray[np.bool_]
    drawn: NDArray[np.bool_]

    @classmethod
    def of(cls, game: Game, strictly: bool = False) -> _Form:
        """Open are the undecided cells; `strictly`, those too in which a move is never better, but may be as good."""
        choosing = game.cells.free & game.reach.any(axis=1)
        dealable = np.asarray(game.reach[:, 1:].any(axis=0), np.bool_)
        drawing = game.draw - game.stand
        low = drawing[:, 0] + np.minimum(drawing[:, 1:], 0).sum(axis=1)
        high = drawing[:, 0] + np.maximum(drawing[:, 1:], 0).sum(axis=1)
        unsure = (low <= 0) & (high >= 0) if strictly else (low < 0) & (high > 0)
        drawn = game.cells.drawn | (choosing & ~unsure & (low < 0))
        opened = np.flatnonzero(choosing & unsure)
        fixed = game.stand.sum(axis=0) + drawing[drawn].sum(axis=0)
        form = np.column_stack([fixed, drawing[opened].T])
        rows: list[list[int]] = form[np.append(True, dealable)].tolist()
        return cls(rows, dealable.tolist(), opened.tolist(), choosing, drawn)


def solve(shoe: Shoe, model: str = "B3", rules: Rules = CLASSICAL) -> Solution:
    """Solve a shoe; the A models draw with replacement from full decks, whatever the shoe.

    Raises `InputError` for a shoe of fewer than six cards or more than 27 decks, a model not in `MODELS`, or
    invalid rules.
    """
    game = Game.of(shoe, model, rules)
    form, dealable, opened, choosing, drawn = _Form.of(game)
    x, y, det = saddle(form)
    constant, *slopes = zip(*form, strict=True)
    lower = _at(constant, x, det) + sum(min(0, _at(slope, x, det)) for slope in slopes)
    upper = _at(form[0], y, det) + sum(max(0, _at(row, y, det)) for row in form[1:])
    common = gcd(lower, upper, det * game.deals)
    lower, upper, denominator = lower // common, upper // common, det * game.deals // common
    if lower != upper:
        raise ArithmeticError(f"shoe {shoe}, {model}: bounds {lower} and {upper} over {denominator} should be equal")
    cells = game.cells.banker
    plays = [_ALWAYS if draws else _NEVER for draws in drawn.tolist()]
    for i, p in zip(opened, y, strict=True):
        plays[i] = Fraction(p, det)
    player = dict(zip(compress(game.cells.player, dealable), (Fraction(p, det) for p in x), strict=True))
    banker = {cells[i]: plays[i] for i in np.flatnonzero(choosing).tolist()}
    certificate = Certificate(player, banker, lower, upper, denominator)
    return Solution(game, Fraction(lower, denominator), certificate, tuple(cells[i] for i in opened))


def _at(coefficients: Sequence[int], point: Sequence[int], det: int) -> int:
    """An affine form, times det, at a point that is times det."""
    return coefficients[0] * det + sum(c * p for c, p in zip(coefficients[1:], point, strict=True))
