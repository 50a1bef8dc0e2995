"""A hand of your own at Louisiana Baccarat: how much does a counter win by betting on Player only if the bet has an
edge?

The bet is on the table's hand or on a separate hand, which the counter plays. The counter plays it by its cards or by
its total, in the best way for the current shoe, or by the full shoe's strategy. There are 8 decks, and 14 cards behind
the cut card. The separate hand is dealt only if the counter bets on it. It takes two more cards from the shoe, a third
card if the counter draws, and one more if the bank draws against this hand but not against the table's. Writes
`own-cards.csv` and the table of `notes.md`. This takes a few minutes.

    python -m experiments.own_cards.run [SHOES]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from counting import Shoe, load_game
from counting.cards import COUP, DECK, VALUE_OF_RANK
from counting.chemin import adjusted, own_cards
from counting.exact import settlement
from counting.games import STOOD
from counting.simulation import _deal
from experiments._notes import put_frame

HERE = Path(__file__).parent
GAME, DECKS, CUT, SEED = load_game("louisiana"), 8, 14, 77

MOST = 9  # the most cards of a coup with the separate hand; with fewer left it is not dealt
FULL = own_cards(GAME, Shoe.decks(DECKS))
PRICER = settlement(GAME, ("player",))


def total(*cards: int) -> int:
    return sum(cards) % 10


def banks(bank: list[int], player: list[int]) -> bool:
    """Whether the bank draws against a finished hand, by the tableau."""
    third = player[2] if len(player) > 2 else STOOD
    return max(total(*player[:2]), total(*bank)) < 8 and GAME.tableau.banker[total(*bank)][third]


Draws = Callable[[list[int]], bool]  # whether the counter draws to a hand of two cards
Bettor = Callable[[Shoe], tuple[float, Draws]]  # from the unseen cards: the edge, and how the hand is played


def by_hand(unseen: Shoe) -> tuple[float, Draws]:
    found = own_cards(GAME, unseen)
    return float(found.value), lambda hand: bool(found.player.get(tuple(sorted(hand)), 0))


def by_total(unseen: Shoe) -> tuple[float, Draws]:
    found = own_cards(GAME, unseen, "total")
    return float(found.value), lambda hand: bool(found.player.get(total(*hand), 0))


def as_full(unseen: Shoe) -> tuple[float, Draws]:
    return float(adjusted(unseen, FULL).value), lambda hand: bool(FULL.player.get(tuple(sorted(hand)), 0))


def house(unseen: Shoe) -> tuple[float, Draws]:
    return float(PRICER.edges(np.array([unseen.values], np.int32))[0, 0]), lambda hand: False


def played(shoe: int, bettor: Bettor) -> tuple[int, int, float]:
    """Play one shoe to the cut card: the number of coups, the number of bets, and the sum of the bets' edges."""
    order = np.empty(DECKS * DECK, np.uint8)
    _deal.order(SEED, shoe, DECKS, order)
    cards = np.array(VALUE_OF_RANK)[order // 4].tolist()
    left, at, coups, bets, won = list(Shoe.decks(DECKS).values), 0, 0, 0, 0.0
    more = None  # coups to deal after the cut card came out: 0 after a coup that began with it, otherwise 1
    while len(cards) - at >= COUP and more != 0:
        more = 0 if more is None and len(cards) - at == CUT else more and more - 1
        edge, draws = bettor(Shoe.from_values(left))
        bet = edge > 0 and (bettor is house or len(cards) - at >= MOST)
        coups, bets, won, start = coups + 1, bets + bet, won + edge * bet, at

        def draw() -> int:
            nonlocal at
            at += 1
            return cards[at - 1]

        player, bank = [draw(), 0], [draw(), 0]
        player[1], bank[1] = draw(), draw()
        mine = [draw(), draw()] if bet and bettor is not house else []
        if max(total(*player), total(*bank)) < 8 and GAME.tableau.player[total(*player)]:
            player.append(draw())
        if mine and max(total(*mine), total(*bank)) < 8 and draws(mine):
            mine.append(draw())
        if banks(bank, player) or (mine and banks(bank, mine)):
            draw()
        for card in cards[start:at]:
            left[card] -= 1
        if more is None and len(cards) - at < CUT:
            more = 1
    return coups, bets, won


def main() -> None:
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rows = []
    for name, bettor in BETTORS.items():
        coups, bets, won = map(np.array, zip(*(played(shoe, bettor) for shoe in range(shoes)), strict=True))
        error = won.std(ddof=1) / shoes**0.5
        rows.append({"bet": name, "coups": coups.mean(), "bets": bets.mean(), "units": won.mean(), "units_se": error})
    table = pl.DataFrame(rows)
    table.write_csv(HERE / "own-cards.csv", float_precision=6)
    how = {
        "bet on Player": "{bet}",
        "coups per shoe": "{coups:.2f}",
        "bets per shoe": "{bets:.2f}",
        "units per shoe": "{units:.5f} ± {units_se:.5f}",
    }
    put_frame(HERE / "notes.md", how, table)


BETTORS: dict[str, Bettor] = {
    "the house's hand": house,
    "own hand, by its cards": by_hand,
    "own hand, by its total": by_total,
    "own hand, as the full shoe asks for": as_full,
}

if __name__ == "__main__":
    main()
