"""The shoe's memory: the covariance of two coups, from all hands of the first."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from extent import crossed

from counting import load_game
from counting.exact import edges, joint_pays
from counting.trips import Plays, Stake, covariance, shoe_memory
from counting.trips.plays import full_shoe

GAME = load_game("punto-banco").also(("dragon-7", "player-pair", "perfect-pair"))


def of(*bets: str) -> float | None:
    plays = Plays(GAME, tuple(Stake(bet, Fraction(1)) for bet in bets), 8)
    return covariance(plays.joint, np.array(plays.by_class), 8)


@pytest.mark.parametrize(
    ("bet", "joined"), [("player", -1.729e-6), ("banker-5", -1.676e-6), ("tie-8", -1.383e-4), ("dragon-7", -2.991e-3)]
)
def test_the_table_of_the_theory(bet: str, joined: float) -> None:
    assert of(bet) == pytest.approx(joined, rel=3e-4)


@pytest.mark.long
@pytest.mark.parametrize(
    ("bets", "decks"), crossed([("player", "player-pair"), ("banker-5", "dragon-7")], [1, 8])
)  # of one deck, a rank may run out
def test_the_hands_of_a_coup_have_the_chances_of_its_classes(bets: tuple[str, ...], decks: int) -> None:
    joint = joint_pays(GAME, bets)
    full = full_shoe(joint, decks)
    hands, chances = shoe_memory._first_coups(joint, full[0])
    classes = joint.classes(shoe_memory._shown(joint, hands))
    by_class = np.bincount(classes, chances, len(joint.pays))
    assert by_class == pytest.approx(joint.chances(full)[0], rel=1e-12)


@pytest.mark.long
def test_a_bet_known_by_rank_and_by_value_has_one_covariance() -> None:
    by_value, by_rank = joint_pays(GAME, ("player",)), joint_pays(GAME, ("player", "player-pair"))
    assert (by_value.knows, by_rank.knows) == ("value", "rank")
    player = [np.array([float(pays[0]) for pays in joint.pays]) for joint in (by_value, by_rank)]
    assert covariance(by_value, player[0], 8) == pytest.approx(covariance(by_rank, player[1], 8), rel=1e-6)


@pytest.mark.parametrize("decks", [1, 8])
def test_the_covariance_is_that_of_the_edges_after_each_first_coup(decks: int) -> None:
    joint = joint_pays(GAME, ("dragon-7",))
    paid = np.array([float(pays[0]) for pays in joint.pays])
    full = full_shoe(joint, decks)
    hands, chances = shoe_memory._first_coups(joint, full[0])
    left = full - np.column_stack([(hands == value).sum(axis=1) for value in range(10)])
    before, after = (edges(GAME, shoes, ["dragon-7"])[:, 0] for shoes in (full, left))
    first = paid[joint.classes(shoe_memory._shown(joint, hands))]
    assert covariance(joint, paid, decks) == pytest.approx(float(chances @ (first * (after - before))), rel=1e-9)


def test_bets_together_have_the_covariance_of_their_sum() -> None:
    """The sum and the difference of two bets: cov(P + D) + cov(P - D) = 2 cov(P) + 2 cov(D)."""
    joint = joint_pays(GAME, ("player", "dragon-7"))
    paid = np.array([[float(pay) for pay in of_class] for of_class in joint.pays])
    sides = [covariance(joint, paid @ np.array(weights), 8) for weights in ((1, 1), (1, -1), (1, 0), (0, 1))]
    both, less, player, dragon = map(float, sides)  # type: ignore[arg-type]
    assert both + less == pytest.approx(2 * player + 2 * dragon, rel=1e-9)


def test_a_bet_on_suits_has_none() -> None:
    assert of("perfect-pair") is None
