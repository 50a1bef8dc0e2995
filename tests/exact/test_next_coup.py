"""What bets may pay on the next coup, compared with the counts of their lines on one shoe."""

from fractions import Fraction

import numpy as np
import pytest

from counting import Shoe, load_game
from counting.exact import deals, price_shoe
from counting.exact.next_coup import pay_distribution, win_ways

BETS = ("tie-8", "player", "banker-5", "dragon-bonus-player", "player-pair", "perfect-pair")
GAME = load_game("punto-banco").also(BETS)
SHOES = [Shoe.decks(8), Shoe.decks(1).without("9h 9d 8c Kd 5s 5h 5c 5d")]


@pytest.fixture(scope="module", params=range(len(SHOES)), ids=["full", "partial"])
def shoe(request: pytest.FixtureRequest) -> tuple[Shoe, dict[str, dict[Fraction, int]]]:
    """A shoe and, for each bet, the number of deals with each pay."""
    cards = SHOES[request.param]
    priced = price_shoe(GAME, cards)
    ways: dict[str, dict[Fraction, int]] = {}
    for bet in BETS:
        of_bet = ways.setdefault(bet, {})
        for event, pay in GAME.settlement[bet]:
            of_bet[pay] = of_bet.get(pay, 0) + priced.counts[event]
        rest = deals(cards.cards_left) - sum(of_bet.values())
        of_bet[Fraction(-1)] = of_bet.get(Fraction(-1), 0) + rest
    return cards, ways


def test_ways_to_win_are_those_of_the_lines_that_pay_as_much(shoe: tuple[Shoe, dict[str, dict[Fraction, int]]]) -> None:
    cards, ways = shoe
    least = {bet: sorted({*map(float, pays), *(float(pay) + 0.25 for pay in pays)}) for bet, pays in ways.items()}
    wins = tuple((bet, pay) for bet, pays in least.items() for pay in pays)
    expected = [sum(n for pay, n in ways[bet].items() if float(pay) >= at) for bet, at in wins]
    compositions = np.array([cards.counts] * 2, np.int32)
    assert win_ways(GAME, wins, compositions).tolist() == [expected] * 2


@pytest.mark.parametrize("bet", BETS)
def test_the_distribution_of_a_pay_is_exact(bet: str, shoe: tuple[Shoe, dict[str, dict[Fraction, int]]]) -> None:
    cards, ways = shoe
    pays = pay_distribution(GAME, bet, np.array([cards.counts], np.int32))
    happens = {float(pay): n / deals(cards.cards_left) for pay, n in ways[bet].items()}
    assert pays.pays.tolist() == sorted(happens)
    assert pays.chances[0].tolist() == pytest.approx([happens[pay] for pay in sorted(happens)], rel=1e-12, abs=0)
