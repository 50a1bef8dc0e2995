"""Own cards at Louisiana Baccarat: what a counter wins who bets on Player only when it pays.

On the house's hand, and on a hand of his own that he plays by its cards as the shoe stands, by its total, or as the
full shoe asks for. Shoes of 8 decks, 14 cards behind the cut card; an own hand takes two or three more cards a coup.
Writes `own-cards.csv` and the table of `own-cards.md`.

    python experiments/own_cards.py [SHOES]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import polars as pl
from markdown import put_frame

from counting import Shoe, _deal, load_game
from counting.cards import DECK, VALUE_OF_RANK
from counting.chemin import adjusted, own_cards
from counting.coup import STOOD
from counting.exact import pricer

HERE = Path(__file__).parent
GAME, DECKS, CUT, SEED = load_game("louisiana"), 8, 14, 77

FULL = own_cards(GAME, Shoe.decks(DECKS))


def total(*cards: int) -> int:
    return sum(cards) % 10


def banks(bank: list[int], player: list[int]) -> bool:
    """Whether the bank draws, by the tableau, against a hand that has been played."""
    third = player[2] if len(player) > 2 else STOOD
    return max(total(*player[:2]), total(*bank)) < 8 and GAME.tableau.banker[total(*bank)][third]


def played(shoe: int, own: bool) -> tuple[int, list[float]]:
    """One shoe dealt to the cut card: coups, and the edge of Player at each, own or the house's hand's, and of an own
    hand by total and as at the full shoe."""
    order = np.empty(DECKS * DECK, np.uint8)
    _deal.order(SEED, shoe, DECKS, order)
    cards = np.array(VALUE_OF_RANK)[order // 4].tolist()
    left, at, sums, coups = list(Shoe.decks(DECKS).values), 0, [0.0] * 3, 0
    more = None  # coups to be dealt, once the cut card is out: none after one that begins with it, else one
    while len(cards) - at >= 9 and more != 0:
        more = 0 if more is None and len(cards) - at == CUT else more and more - 1
        unseen = Shoe.from_values(left)
        coups += 1
        if own:
            best = own_cards(GAME, unseen)
            edges = [best.value, own_cards(GAME, unseen, "total").value, adjusted(unseen, FULL).value]
        else:
            edges = [float(pricer(GAME, ("player",)).edges(np.array([left], np.int32))[0, 0])] * 3
        sums = [s + max(0.0, float(e)) for s, e in zip(sums, edges, strict=True)]
        start = at

        def draw() -> int:
            nonlocal at
            at += 1
            return cards[at - 1]

        house, bank = [draw(), 0], [draw(), 0]
        house[1], bank[1] = draw(), draw()
        mine = [draw(), draw()] if own else []
        ended = max(total(*house), total(*bank)) >= 8
        if not ended and GAME.tableau.player[total(*house)]:
            house.append(draw())
        if mine and total(*mine) < 8 and total(*bank) < 8 and best.player.get(tuple(sorted(mine)), 0):
            mine.append(draw())
        if banks(bank, house):
            draw()
        for card in cards[start:at]:
            left[card] -= 1
        if more is None and len(cards) - at < CUT:
            more = 1
    return coups, sums


def main() -> None:
    shoes = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    rows = []
    for own in (False, True):
        found = [played(shoe, own) for shoe in range(shoes)]
        coups, gains = np.array([c for c, _ in found]), np.array([g for _, g in found])
        names = ["own hand, by its cards", "own hand, by its total", "own hand, as the full shoe asks for"]
        for i, name in enumerate(names if own else ["the house's hand"]):
            gain = gains[:, i]
            rows.append(
                {
                    "bet": name, "coups": coups.mean(), "units": gain.mean(),
                    "units_se": gain.std(ddof=1) / shoes**0.5,
                }
            )  # fmt: skip
    table = pl.DataFrame(rows)
    table.write_csv(HERE / "own-cards.csv", float_precision=6)
    how = {"bet on Player": "{bet}", "coups a shoe": "{coups:.2f}", "units a shoe": "{units:.5f} ± {units_se:.5f}"}
    put_frame(HERE / "own-cards.md", how, table)


if __name__ == "__main__":
    main()
