"""The value of a shoe and both sides' optimal play, computed in whole numbers and proved by equal bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import Shoe, as_shoe
from counting.chemin import _guess
from counting.chemin.certificate import Certificate, check_certificate
from counting.chemin.game import CheminGame, cells
from counting.chemin.optima import Cell, Optima, OptimalFace, optimal_faces
from counting.chemin.rules import CLASSICAL, BankerCell, CheminRules, Model, PlayerCell
from counting.chemin.saddle import Saddle, proved_saddle, saddle

_NEVER, _ALWAYS = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class Solution:
    """A solved shoe.

    `value` is Player's expected profit per unit staked, pushes included, before any commission. The certificate proves
    the value. It gives an optimal strategy of each side, `player` and `banker`: the probability of drawing in each cell
    that has a choice and that the shoe can deal. `undecided` are Banker's cells in which the better move depends on
    Player's play.
    """

    game: CheminGame
    value: Fraction
    _form: _CheminForm
    _saddle: Saddle

    @cached_property
    def certificate(self) -> Certificate:
        form, (x, y, det, *_) = self._form, self._saddle
        seen = self.game.cells
        player = dict(zip(compress(seen.player, form.dealable), _over(det, x), strict=True))
        banker = _standing(self.game.model, self.game.rules).copy()  # a copy keeps the cells' hashes, which saves time
        banker.update(dict.fromkeys(compress(seen.banker, form.drawn.tolist()), _ALWAYS))
        banker.update(zip((seen.banker[i] for i in form.open), _over(det, y), strict=True))
        if not form.choosing.all():
            for i in np.flatnonzero(~form.choosing).tolist():
                del banker[seen.banker[i]]
        return Certificate(player, banker, self.value.numerator, self.value.numerator, self.value.denominator)

    @property
    def undecided(self) -> tuple[BankerCell, ...]:
        return tuple(self.game.cells.banker[i] for i in self._form.open)

    def check(self) -> None:
        """Compute both bounds of the certificate again, from the shoe, model and rules that were solved. The code for
        this shares nothing with the solver. Raises `InputError` if a bound is wrong."""
        check_certificate(self.certificate, self.game.shoe, self.game.model.name, self.game.rules)

    @property
    def player(self) -> Mapping[PlayerCell, Fraction]:
        return self.certificate.player

    @property
    def banker(self) -> Mapping[BankerCell, Fraction]:
        return self.certificate.banker

    @property
    def undealable(self) -> tuple[tuple[PlayerCell, ...], tuple[BankerCell, ...]]:
        """Player's and Banker's cells with a choice that no deal reaches, for lack of cards."""
        cells = self.game.cells
        return (
            tuple(cell for cell in cells.player if cell not in self.player),
            tuple(
                cell for cell, free in zip(cells.banker, cells.free, strict=True) if free and cell not in self.banker
            ),
        )

    @cached_property
    def probabilities(self) -> dict[str, Fraction]:
        """The probabilities that Player wins, that Banker wins and that they tie, with the strategies `player` and
        `banker`."""
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
        form = _CheminForm.of(self.game, strictly=True)
        cells = [self.game.cells.banker[i] for i in form.open]
        both = optimal_faces(form.form, list(self.player.values()), [self.banker[cell] for cell in cells])
        return _optima(self.player, list(self.player), both[0]), _optima(self.banker, cells, both[1])

    @property
    def player_optima(self) -> Optima[PlayerCell]:
        """All optimal strategies of Player."""
        return self._optima[0]

    @property
    def banker_optima(self) -> Optima[BankerCell]:
        """All optimal strategies of Banker."""
        return self._optima[1]


def _optima(strategy: Mapping[Cell, Fraction], cells: list[Cell], face: OptimalFace) -> Optima[Cell]:
    return Optima(
        {**strategy, **dict(zip(cells, face.point, strict=True))},
        tuple(cells[i] for i in face.places),
        len(face.places) - len(face.equations),
        tuple(face.equations),
        tuple(face.inequalities),
    )


class _CheminForm(NamedTuple):
    """A game as a bilinear form, of which `saddle` finds the saddle point. After the row and the column of constants,
    the form has a row for each of Player's cells that the shoe can deal, and a column for each of Banker's `open`
    cells. `dealable` (k,) says which of Player's cells the shoe can deal. `choosing` marks the cells that leave Banker
    a choice and that the shoe can deal, `drawn` the cells in which Banker always draws. `array` holds the form in the
    layout that the kernel takes. It leaves out what naturals are worth, and its last columns are not used."""

    form: list[list[int]]
    dealable: list[bool]
    open: list[int]
    choosing: NDArray[np.bool_]
    drawn: NDArray[np.bool_]
    array: NDArray[np.int64]

    @classmethod
    def of(cls, game: CheminGame, strictly: bool = False) -> _CheminForm:
        """The form in which Banker's undecided cells are open. With `strictly`, a cell is also open if one move is
        never better than the other but is equally good against some play of Player's."""
        _, cells, columns = game.counted.shape
        array = np.empty((columns, cells + 1), np.int64)
        opened = np.empty(cells, np.int32)
        state = np.empty((3, max(cells, columns)), np.bool_)
        free, drawn = game.cells.free.view(np.uint8), game.cells.drawn.view(np.uint8)
        m = _guess.reduce(game.counted, free, drawn, strictly, array, opened, state.view(np.uint8))
        dealable = state[2, 1:columns].tolist()
        if not all(dealable):
            array = np.ascontiguousarray(array[[True, *dealable]])
        form: list[list[int]] = array[:, : m + 1].tolist()
        form[0][0] += game.settled
        return cls(form, dealable, opened[:m].tolist(), state[0, :cells], state[1, :cells], array)

    def saddle(self) -> Saddle:
        """The saddle point. A guess is used if it is proved to be the only saddle point; otherwise the exact climb
        finds one."""
        moves = np.empty(len(self.form) + len(self.open), np.int8)
        if not _guess.guess(self.array, len(self.open), moves):
            return saddle(self.form)
        return proved_saddle(self.form, moves[1 : len(self.form)].tolist(), moves[len(self.form) :].tolist()) or saddle(
            self.form
        )


@lru_cache(maxsize=8)
def _standing(model: Model, rules: CheminRules) -> dict[BankerCell, Fraction]:
    """Banker's strategy that never draws."""
    return dict.fromkeys(cells(model, rules).banker, _NEVER)


def _over(det: int, parts: Iterable[int]) -> list[Fraction]:
    return [_NEVER if p == 0 else _ALWAYS if p == det else Fraction(p, det) for p in parts]


def solve(shoe: Shoe | str, model: str = "B3", rules: CheminRules = CLASSICAL) -> Solution:
    """Solve a shoe: its value, and an optimal strategy of each side. The A models draw with replacement from full
    decks, whatever the shoe.

    Raises `InputError` for a shoe of fewer than six cards or more than 27 decks, a model not in `MODELS`, or
    invalid rules.
    """
    shoe = as_shoe(shoe)
    game = CheminGame.of(shoe, model, rules)
    return Solution(game, *certified(game))


def certified(game: CheminGame) -> tuple[Fraction, _CheminForm, Saddle]:
    """A game's value to Player, in the units of the game's score. Also the form and the saddle point that prove the
    value. Raises `ArithmeticError` if the saddle point's two bounds differ."""
    form = _CheminForm.of(game)
    optimum = form.saddle()
    deals = optimum.det * game.deals
    if optimum.lower != optimum.upper:
        raise ArithmeticError(
            f"shoe {game.shoe}, {game.model.name}: bounds {optimum.lower} and {optimum.upper} over {deals} should be "
            "equal"
        )
    return Fraction(optimum.lower, deals), form, optimum
