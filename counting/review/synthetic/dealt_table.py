"""A table of dealt shoes, and what is known about its coups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from counting.arrays import Floats
from counting.cards import DECK
from counting.errors import whole
from counting.exact import settlement
from counting.games import Game, as_game
from counting.simulation import BLOCK, MOST_BURNED, MOST_SEED, Coups, Dealing, _deal, play

NONE = -1  # stands for no card
FIRST_PLACE = {"player": 0, "banker": 3}  # places of a coup's cards


@dataclass(frozen=True, eq=False)
class DealtTable:
    """Dealt shoes of a table, a row per coup in the order dealt.

    - `cards` (rows, 6): Player's first, second and third card, then Banker's
    - `burned` (shoes, cards): the cards burned before the first coup, -1 after the last of them
    - `coups`: the other arrays of the coups; `left` counts the unseen cards of each of the 52 kinds"""

    dealing: Dealing
    coups: Coups
    cards: NDArray[np.int8]
    burned: NDArray[np.int8]

    @cached_property
    def shoe(self) -> NDArray[np.uint32]:
        """The shoe's number among all shoes of the seed (rows,)."""
        return self.coups.shoe.astype(np.uint32) + np.uint32(self.coups.first_shoe)

    @property
    def coup(self) -> NDArray[np.uint16]:
        """The coup's number in its shoe, from 1 (rows,)."""
        return self.coups.coup

    @property
    def left(self) -> NDArray[np.int32]:
        """How many cards of each kind are unseen at the coup's start (rows, 52)."""
        return self.coups.left

    @property
    def undealt(self) -> NDArray[np.uint16]:
        """The number of cards still in the shoe at the coup's start (rows,)."""
        return self.coups.undealt


def deal(game: Game | str | Path, dealing: Dealing, seed: int, first_shoe: int, shoes: int) -> DealtTable:
    """Deal the same shoes as `simulation.play` with this seed, and record every card of every coup.

    A shoe of 8 decks takes about 19 kB of memory. Raises `InputError` for more than `BLOCK` shoes, for a first shoe
    above 2^32 - `BLOCK`, and for a seed out of range.
    """
    game = as_game(game)
    first_shoe = whole(first_shoe, "first shoe", 0, 2**32 - BLOCK)
    shoes = whole(shoes, "shoes", 0, BLOCK)
    seed = whole(seed, "seed", 0, MOST_SEED)
    coups = play(game.tableau, dealing, seed, first_shoe, shoes, "card")
    size = DECK * dealing.decks
    order = np.empty((shoes, size), np.uint8)
    for i in range(shoes):
        _deal.order(seed, first_shoe + i, dealing.decks, order[i])
    player_drew, banker_drew = coups.shown[:, 2] == 3, coups.shown[:, 3] == 3
    places = (size - coups.undealt.astype(np.int64))[:, np.newaxis] + np.array([0, 2, 4, 1, 3, 4])
    places[:, 5] += player_drew
    cards = order[coups.shoe[:, np.newaxis], places].astype(np.int8)
    cards[~player_drew, 2] = cards[~banker_drew, 5] = NONE
    burned = size - coups.undealt[coups.coup == 1].astype(np.int64)
    most = max(MOST_BURNED, dealing.most_burned)
    hand = order[:, :most].astype(np.int8)
    return DealtTable(dealing, coups, cards, np.where(np.arange(most) < burned[:, np.newaxis], hand, np.int8(NONE)))


@dataclass(frozen=True, eq=False)
class Facts:
    """What patrons of a table may look at, for some bets of a game. Arrays have a row per coup, and a column per bet in
    the order of `bets`."""

    game: Game
    bets: tuple[str, ...]
    table: DealtTable

    @cached_property
    def edges(self) -> Floats:
        """The exact edge of each bet at the coup's start (rows, bets)."""
        return settlement(self.game, self.bets).edges(self.table.left)

    @cached_property
    def pays(self) -> Floats:
        """The pay of each bet by the dealt cards, per unit staked (rows, bets)."""
        return settlement(self.game, self.bets).paid(self.table.coups.shown)

    def place(self, bet: str) -> int:
        """The column of a bet. `player`, `banker` and `tie` name main bets."""
        return self.bets.index(self.game.main_bet(bet))

    def on(self, bet: str, stakes: NDArray[Any]) -> Floats:
        """Stakes on all bets (rows, bets): `stakes` (rows,) on one bet, and nothing on the others."""
        stakes_on = np.zeros((len(stakes), len(self.bets)))
        stakes_on[:, self.place(bet)] = stakes
        return stakes_on
