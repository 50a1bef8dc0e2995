"""What several bets pay together on one coup, compared with every deal and with the edge of each bet."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from counting import InputError, load_game
from counting.exact import joint_pays, settlement
from counting.games import STOOD
from counting.simulation import Dealing, play

PUNTO = load_game("punto-banco")
SETS = {
    "outcomes": ("player", "banker-5", "tie-8", "dragon-7"),
    "pairs": ("player", "banker-5", "tie-8", "player-pair", "banker-pair"),
    "suits": ("banker-5", "perfect-pairs-200", "dragon-7"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_marginals_are_the_edges_and_classes_what_is_paid(name: str) -> None:
    game, bets = PUNTO.also(SETS[name]), SETS[name]
    joint = joint_pays(game, bets)
    coups = play(game.tableau, Dealing(2, 14), 3, 0, 8, joint.knows)
    chances = joint.chances(coups.left)
    pays = np.array([[float(pay) for pay in of_class] for of_class in joint.pays])
    assert len({*joint.pays}) == len(joint.pays)
    assert chances.min() >= 0
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert chances @ pays == pytest.approx(settlement(game, bets).edges(coups.left), abs=1e-12)
    assert (pays[joint.classes(coups.shown)] == settlement(game, bets).paid(coups.shown)).all()


def test_every_deal_of_eight_cards() -> None:
    """Bets on Player, Player's pair and the tie, which are not independent. The deals follow the tableau."""
    game = PUNTO.also(("player", "player-pair", "tie-8"))
    ranks = (0, 0, 1, 3, 5, 6, 8, 10)  # A A 2 4 6 7 9 J
    counts: Counter[tuple[Fraction, ...]] = Counter()
    for deal in permutations(range(8), 6):
        values = [(ranks[card] + 1) % 10 if ranks[card] < 9 else 0 for card in deal]
        player, banker, at = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10, 4
        if max(player, banker) < 8:
            third = STOOD
            if game.tableau.player[player]:
                third, at = values[4], 5
            draws = game.tableau.banker[banker][third]
            player = player if third == STOOD else (player + third) % 10
            banker = (banker + values[at]) % 10 if draws else banker
        pair = ranks[deal[0]] == ranks[deal[2]]
        wins = Fraction(1 if player > banker else -1 if banker > player else 0)
        counts[wins, Fraction(11 if pair else -1), Fraction(-1 if wins else 8)] += 1
    joint = joint_pays(game, ("player", "player-pair", "tie-8"))
    chances = joint.chances(np.array([[ranks.count(rank) for rank in range(13)]], np.int32))[0]
    total = sum(counts.values())
    assert {pays: chance for pays, chance in zip(joint.pays, chances.tolist(), strict=True) if chance} == {
        pays: pytest.approx(count / total, abs=1e-14) for pays, count in counts.items()
    }


def test_bets_that_together_look_at_too_much_are_refused() -> None:
    bets = ("player", "banker-5", "tie-8", "tiger-pair", "lucky-7", "dragon-7")
    with pytest.raises(InputError, match=r"^bets player, .*, together: pays: the lines look at too many features"):
        joint_pays(PUNTO.also(bets), bets)
