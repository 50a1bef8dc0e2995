"""The game of a shoe: what each move is worth in each cell, summed over all deals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from counting.cards import COUP, Shoe
from counting.chemin import _deals
from counting.chemin.rules import HANDS, THIRDS, TOTALS, BankerCell, CheminRules, Hand, Model, PlayerCell, check_model

SIGN = np.sign(np.subtract.outer(np.arange(10), np.arange(10))).astype(np.int64)
_TIED = np.eye(10, dtype=np.int64)
_HANDS = np.array(HANDS, np.int32)
# With replacement, cards are drawn from half a deck. The number n of cards of each value is even, so that the number of
# hands that are a pair of this value, n * n / 2, is whole.
_HALF_DECK = np.array([8] + [2] * 9, np.int64)


class Cells(NamedTuple):
    """The cells of both sides under a model and rules. Hands are in the order of `HANDS`.

    - `player`: Player's cells with a choice.
    - `column` (hands,): for each hand, the index of its cell in `player`, plus 1. It is 0 if Player must draw, and -1
      if Player must stand or has a natural.
    - `banker`: all of Banker's cells. Each hand or total that Banker can distinguish has eleven consecutive cells, one
      for each case of Player's third card.
    - `row` (hands,): for each hand, the index of its row of eleven cells in `banker`, counted in rows. Naturals have no
      row; their entry is 0.
    - `free` (cells,): whether Banker has a choice in the cell.
    - `drawn` (cells,): whether Banker must draw in the cell.
    """

    player: tuple[PlayerCell, ...]
    column: NDArray[np.int32]
    banker: tuple[BankerCell, ...]
    row: NDArray[np.int32]
    free: NDArray[np.bool_]
    drawn: NDArray[np.bool_]


@lru_cache(maxsize=64)
def cells(model: Model, rules: CheminRules) -> Cells:
    choosing = [hand for hand in HANDS if _total(hand) < TOTALS]
    choices = [hand for hand in choosing if rules.player[_total(hand)] == "*"]
    player: tuple[PlayerCell, ...] = tuple(choices)
    if model.player_sees == "total":
        player = tuple(dict.fromkeys(map(_total, choices)))
    column = np.full(len(HANDS), -1, np.int32)
    for i, hand in enumerate(choosing):
        letter = rules.player[_total(hand)]
        if letter == "*":
            column[i] = 1 + player.index(hand if model.player_sees == "hand" else _total(hand))
        elif letter == "D":
            column[i] = 0
    seen: list[int | Hand] = [*choosing] if model.banker_sees == "hand" else [*range(TOTALS)]
    row = np.zeros(len(HANDS), np.int32)
    row[: len(choosing)] = [seen.index(hand if model.banker_sees == "hand" else _total(hand)) for hand in choosing]
    banker = tuple((own, third) for own in seen for third in range(THIRDS))
    letters = [rules.banker[own if isinstance(own, int) else _total(own)][third] for own, third in banker]
    free, drawn = (np.array([c == letter for c in letters]) for letter in "*D")
    for array in (column, row, free, drawn):
        array.flags.writeable = False
    return Cells(player, column, banker, row, free, drawn)


def dealt_from(shoe: Shoe, model: Model) -> tuple[NDArray[np.int64], int]:
    """The number of cards of each value to deal from, and how much each dealt card lowers the number of its value: 1,
    or 0 with replacement."""
    return (_HALF_DECK, 0) if model.with_replacement else (np.array(shoe.values, np.int64), 1)


def ways_to_deal(counts: NDArray[np.int64], taken: int, cards: int) -> int:
    """How many ways there are to deal `cards` cards in order."""
    n = sum(counts.tolist())
    return prod(n - i * taken for i in range(cards))


def _total(hand: tuple[int, int]) -> int:
    return sum(hand) % 10


@dataclass(frozen=True, eq=False)
class CheminGame:
    """A shoe's game. `counted` holds three arrays (cells, 1 + k), with a row for each of Banker's cells: `stand`,
    `draw` and `reach`. `stand` and `draw` are what Banker's standing and Banker's drawing are worth to Player, summed
    over deals. `reach` is the number of deals that reach the cell. All of them depend on Player's play, so a row is an
    affine form: a constant, then for each of Player's k cells the coefficient of the probability that Player draws.

    `deals` is the number of all deals, regardless of the order of a hand's two cards. `settled` is what the deals with
    a natural are worth to Player in total. It is 0 if a loss costs as much as a win pays.
    """

    shoe: Shoe
    model: Model
    rules: CheminRules
    cells: Cells
    deals: int
    counted: NDArray[np.int64]
    settled: int

    @classmethod
    def of(cls, shoe: Shoe, model: str, rules: CheminRules, score: NDArray[np.int64] = SIGN) -> CheminGame:
        """The game of a shoe. `score` (10, 10): what a coup is worth to Player. The rows are Player's totals, the
        columns Banker's totals. Raises `InputError` as `solve` does."""
        fitted = check_model(shoe, model, rules)
        seen = cells(fitted, rules)
        counted, settled = _counted(shoe, fitted, seen, score)
        return cls(shoe, fitted, rules, seen, ways_to_deal(*dealt_from(shoe, fitted), COUP) // 4, counted, settled)

    @property
    def stand(self) -> NDArray[np.int64]:
        stand: NDArray[np.int64] = self.counted[0]
        return stand

    @property
    def draw(self) -> NDArray[np.int64]:
        draw: NDArray[np.int64] = self.counted[1]
        return draw

    @property
    def reach(self) -> NDArray[np.int64]:
        reach: NDArray[np.int64] = self.counted[2]
        return reach

    @property
    def pure_strategies(self) -> tuple[int, int]:
        """How many pure strategies Player has, and how many Banker has. A pure strategy draws or stands in each cell
        with a choice."""
        return 1 << len(self.cells.player), 1 << int(self.cells.free.sum())

    def ties(self) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """How many deals end in a tie. The first number is for deals with a natural. For the other deals, there are two
        arrays like `stand` and `draw`: how many end in a tie if Banker stands, and if Banker draws."""
        counted, settled = _counted(self.shoe, self.model, self.cells, _TIED)
        return settled, counted[0], counted[1]


def _counted(shoe: Shoe, model: Model, seen: Cells, score: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    out = np.zeros((3, len(seen.banker) // THIRDS, THIRDS, 1 + len(seen.player)), np.int64)
    settled = _deals.count(*dealt_from(shoe, model), score, _HANDS, seen.column, seen.row, out)
    return out.reshape(3, len(seen.banker), -1), settled
