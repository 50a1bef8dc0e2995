"""A side bet bounded by a main bet, as Lucky Bonus at Pala: at most a tenth of the Banker bet."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from counting import Shoe, exact_edges
from counting.bounds import load_house

LUCKY = """
title = "No-commission table with Lucky Bonus"
game = "no-commission"
side_bets = ["lucky-bonus"]
main_bets = ["banker"]
cut = 14
{bound}

[[bets]]
name = "lucky-bonus"
pays = [{{ winner = "banker", banker_total = 6, odds = "18:1" }}]
"""


@pytest.mark.parametrize("bound", ["tie_in = 10", 'side_share = "1/10"'])
def test_both_bets_together_have_the_printed_house_edge(bound: str, tmp_path: Path) -> None:
    (tmp_path / "pala.toml").write_text(LUCKY.format(bound=bound))
    rules = load_house(tmp_path / "pala.toml")
    edges = exact_edges(rules.game, Shoe.decks(8))
    assert round(float(100 * edges["lucky-bonus"]), 4) == 2.3411  # for the bettor
    stakes = rules.seat.stakes
    assert rules.limits.needed == 10
    # The stakes allowed: the side bet with ten times as much on Banker, or Banker alone.
    both = [i for i in range(len(stakes.vertices)) if stakes.on_side[i]]
    assert [stakes.vertices[i].tolist() for i in both] == [[1.0, 10.0]]
    assert stakes.bets == ("lucky-bonus", "banker")
    together = (edges["lucky-bonus"] + 10 * edges["banker"]) / 11
    assert round(float(-100 * together), 4) == 1.1127
    gains = stakes.gains(np.array([[float(edges[bet]) for bet in stakes.bets]]))[0]
    assert gains[both[0]] / 11 == pytest.approx(float(together), rel=1e-12)
    assert gains.max() <= 0  # no allowed stakes win off the top


def test_without_the_bound_the_side_bet_wins_off_the_top(tmp_path: Path) -> None:
    (tmp_path / "free.toml").write_text(LUCKY.format(bound=""))
    rules = load_house(tmp_path / "free.toml")
    edges = exact_edges(rules.game, Shoe.decks(8))
    gains = rules.seat.stakes.gains(np.array([[float(edges[bet]) for bet in rules.seat.stakes.bets]]))
    assert gains.max() == pytest.approx(float(edges["lucky-bonus"]))
    assert edges["lucky-bonus"] > Fraction(2, 100)
