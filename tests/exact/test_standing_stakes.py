"""Stakes that stand: a line pays, and the stake stays for the next coup."""

import random
from fractions import Fraction

import pytest

from counting import Bet, InputError, Shoe, exact_edges, load_game
from counting.exact import expected_standing, probabilities, with_replacement
from counting.games import Game

LINES = [
    {"winner": "player", "odds": "1:1"}, {"winner": "tie", "player_total": 7, "odds": "3:1", "stays": True},
    {"winner": "tie", "odds": "push", "stays": True},
]  # fmt: skip
STAYS = Bet(name="stays", pays=LINES)
RETURNS = Bet(name="returns", pays=[{k: v for k, v in line.items() if k != "stays"} for line in LINES])
GAME = load_game("punto-banco").with_bets(STAYS, RETURNS)


def few_cards(rng: random.Random) -> Shoe:
    """A shoe of a few different cards."""
    counts = [0] * 52
    for card in rng.sample(range(52), 4):
        counts[card] = rng.randint(2, 5)
    return Shoe.from_cards(counts)


def test_a_coup_has_the_edge_of_a_line_that_returns_the_stake() -> None:
    rng = random.Random(2)
    for shoe in (Shoe.decks(8), *(few_cards(rng) for _ in range(5))):
        edges = exact_edges(GAME, shoe)
        assert edges["stays"] == edges["returns"]


@pytest.mark.parametrize("shoe", [None, Shoe.decks(8), Shoe.parse("v:4,1,1,1,1,1,1,1,1,1")], ids=str)
def test_figures_are_those_of_adding_up_coups(shoe: Shoe | None) -> None:
    # A slow computation for comparison: follow the share of a stake that is still at risk, coup by coup.
    chance = with_replacement(GAME) if shoe is None else probabilities(GAME, shoe)
    seven, player = (
        next(p for p, line in zip(GAME.settlement["stays"], LINES, strict=True) if line.get("player_total")),
        chance["player-win"],
    )
    stays, banker = chance["tie"], chance["banker-win"]
    risked, coups, won = Fraction(1), Fraction(), Fraction()
    for _ in range(60):
        coups += risked
        won += risked * (player - banker + 3 * chance[seven[0]])
        risked = Fraction(round(risked * stays * 10**40), 10**40)
    stake = expected_standing(GAME, shoe)["stays"]
    assert stake.coups is not None
    assert stake.until_settled is not None
    assert abs(stake.coups - coups) < Fraction(1, 10**30)
    assert abs(stake.until_settled - won) < Fraction(1, 10**30)
    assert stake.coups == 1 / (1 - chance["tie"])


def test_only_bets_with_such_lines_have_figures() -> None:
    assert [*expected_standing(GAME)] == ["stays"]


def test_a_stake_that_no_coup_settles_has_no_figures() -> None:
    shoe = Shoe.parse("v:12,0,0,0,0,0,0,0,0,0")  # every coup is a tie at 0
    stake = expected_standing(GAME, shoe)["stays"]
    assert (stake.stays, stake.coups, stake.until_settled) == (1, None, None)


def test_stays_is_kept_as_data_and_false_is_as_left_out() -> None:
    assert Game.from_dict(GAME.to_dict()) == GAME
    assert GAME.to_dict()["bets"][-2]["pays"][1]["stays"] is True
    assert Bet(name="a", pays=[{"winner": "tie", "odds": "8:1", "stays": False}]) == Bet.of("a", {"tie": "8:1"})
    multiplied = Bet(name="x", pays=[{"player_pair": True, "odds": "x2"}, *LINES])
    assert [line.stays for line in multiplied.pays] == [None, None, True, True, True]


@pytest.mark.parametrize("odds", ["lose", "x2"])
def test_a_line_that_loses_or_multiplies_leaves_no_stake(odds: str) -> None:
    with pytest.raises(InputError, match=f"should be on a line with odds or \"push\", not '{odds}'"):
        Bet(name="a", pays=[{"winner": "tie", "odds": odds, "stays": True}])
