"""What known cards are worth, compared with all orders of six point values, which are dealt by the plain rules."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from extent import long_or
from numpy.typing import NDArray

from counting import InputError, Shoe, exact_edges, load_game
from counting.exact import KnownCards, KnownCardsWorth
from counting.games import Bet

PUNTO = load_game("punto-banco")
BETS = ("player", "banker-5", "tie-8")
SIX_TO_NINE = KnownCards.parse("P1=6-9").cards[0]
SHOES = {"full": "8d", "partial": "v:61,9,13,20,7,15,11,18,6,14"}


class Twin:
    """All 10^6 orders of the values of six cards, each with its chance and with what each bet pays."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.cards = np.indices((10,) * 6).reshape(6, -1)
        p1, b1, p2, b2, fifth, sixth = self.cards
        ways = np.ones(10**6)
        for i, card in enumerate(self.cards):
            ways *= np.array(values)[card] - sum((self.cards[j] == card).astype(int) for j in range(i))
        player, banker = (p1 + p2) % 10, (b1 + b2) % 10
        plays_on = (player < 8) & (banker < 8)
        draws = plays_on & (player < 6)
        answers = np.select(
            [banker <= 2, banker == 3, banker == 4, banker == 5, banker == 6],
            [True, fifth != 8, (fifth >= 2) & (fifth <= 7), (fifth >= 4) & (fifth <= 7), (fifth == 6) | (fifth == 7)],
            False,
        )
        banker_draws = plays_on & np.where(draws, answers, banker < 6)
        player_end = (player + draws * fifth) % 10
        banker_end = (banker + banker_draws * np.where(draws, sixth, fifth)) % 10
        won, lost = player_end > banker_end, player_end < banker_end
        self.share = ways / ways.sum()
        self.pays = {
            "player": won * 1.0 - lost, "banker-5": 0.95 * lost - won, "tie-8": np.where(won | lost, -1.0, 8.0),
        }  # fmt: skip

    def gain(self, seen: NDArray[np.int64], bets: tuple[str, ...]) -> tuple[float, float]:
        """The gain per coup and the share of coups with a bet, for a bettor who knows `seen`, a number for each
        order."""
        chance = np.bincount(seen, self.share)
        sums = np.array([np.bincount(seen, self.share * self.pays[bet]) for bet in bets]).max(axis=0)
        return sums[sums > 0].sum(), chance[sums > 1e-12].sum()


@pytest.fixture(scope="module", params=long_or([*SHOES], ["partial"]))
def both(request: pytest.FixtureRequest) -> tuple[KnownCardsWorth, Twin]:
    shoe = Shoe.parse(SHOES[request.param])
    return KnownCardsWorth(PUNTO, shoe, BETS, SIX_TO_NINE, 80), Twin(shoe.values)


@pytest.mark.parametrize("bets", [BETS, *((bet,) for bet in BETS)], ids="-".join)
def test_one_card_is_worth_what_all_orders_say(both: tuple[KnownCardsWorth, Twin], bets: tuple[str, ...]) -> None:
    worth, twin = both
    for place, known in enumerate(worth.cards):
        own = known.worth(bets)
        assert (float(own.gain), float(own.frequency)) == pytest.approx(twin.gain(twin.cards[place], bets), abs=1e-10)
        assert sum(case.chance for case in known.cases) == 1


def test_sorted_backs_are_worth_what_all_orders_say(both: tuple[KnownCardsWorth, Twin]) -> None:
    worth, twin = both
    high = (twin.cards >= 6).astype(int)
    for known, places in zip(worth.sorts, ((0,), (0, 1), (0, 2), (0, 1, 2, 3), range(6)), strict=True):
        seen = sum(high[place] << i for i, place in enumerate(places))
        own = known.worth(BETS)
        assert (float(own.gain), float(own.frequency)) == pytest.approx(twin.gain(seen, BETS), abs=1e-10)
        assert sum(case.chance for case in known.cases) == 1
        for bet, edge in exact_edges(PUNTO, worth.shoe, bets=BETS).items():  # the mean edge is unchanged
            assert sum(case.chance * case.edges[bet] for case in known.cases) == edge


def test_the_case_of_both_hands_that_is_worth_most() -> None:
    worth = KnownCardsWorth(PUNTO, Shoe.decks(8), BETS, SIX_TO_NINE, 80)
    both = worth.sorts[3]
    case, bet, edge = both.most(BETS)
    assert (case.seen, bet) == ("Player 1 of 2, Banker 0 of 2", "player")
    assert (f"{float(edge):.5f}", f"{float(case.chance):.5f}") == ("0.36332", "0.20502")
    assert len(both.cases) == 9


def test_a_bet_on_suits_may_be_known_too() -> None:
    worth = KnownCardsWorth(PUNTO.also(["player-pair"]), Shoe.decks(1), ("player-pair",), SIX_TO_NINE, 10)
    same = {known.worth(worth.bets).gain for known in worth.cards}
    assert same == {Fraction()}  # a single card tells nothing about a pair
    nine = KnownCards.parse("P1=9").cards[0]
    marked = KnownCardsWorth(PUNTO.also(["player-pair"]), Shoe.decks(1), ("player-pair",), nine, 10).sorts[2]
    assert {case.seen: case.edges["player-pair"] for case in marked.cases}["Player 2 of 2"] == 11


def test_a_slug_is_a_shoe_of_its_own() -> None:
    slug = Shoe.parse("v:6,0,2,4,6,8,8,6,0,0")
    worth = KnownCardsWorth(PUNTO, Shoe.decks(8), BETS, SIX_TO_NINE, 80, slug).slug_worth
    assert worth is not None
    assert worth.edges == exact_edges(PUNTO, slug, bets=BETS)
    assert worth.coups == 6
    game = PUNTO.with_bets(*(Bet.of(f"of-{n}", {f"cards={n}": "1:1"}) for n in (4, 5, 6)))
    chances = [(edge + 1) / 2 for edge in exact_edges(game, slug, bets=["of-4", "of-5", "of-6"]).values()]
    assert sum(chances) == 1
    assert worth.cards == sum(n * chance for n, chance in zip((4, 5, 6), chances, strict=True))


@pytest.mark.parametrize(
    ("group", "slug", "said"),
    [
        ("9", "v:0,0,0,0,0,0,0,0,0,33", "slug v:0,0,0,0,0,0,0,0,0,33: more cards of a kind than the shoe has"),
        ("9", "v:5,0,0,0,0,0,0,0,0,0", "slug v:5,0,0,0,0,0,0,0,0,0: 5 cards, should be 6 or more"),
        ("A,2,3,4,5,6,7,8,9,10,J,Q,K", None, "sorted: should be some of the shoe's cards, and not all"),
    ],
)
def test_what_cannot_be_known_is_refused(group: str, slug: str | None, said: str) -> None:
    cards = KnownCards.parse(f"P1={group}").cards[0]
    with pytest.raises(InputError, match=said):
        _ = KnownCardsWorth(PUNTO, Shoe.decks(8), BETS, cards, 80, None if slug is None else Shoe.parse(slug)).sorts


@pytest.mark.parametrize("by_card", [False, True])
def test_a_slug_in_finer_detail_than_the_shoe_is_of_its_cards(by_card: bool) -> None:
    """The shoe is known by value, and has eights but no nines."""
    shoe, each = Shoe.from_values([128, *[32] * 8, 0]), 4 if by_card else 1
    eights, nines = ([0] * each * at + [8 // each] * each + [0] * each * (12 - at) for at in (7, 8))
    slug = Shoe.from_cards if by_card else Shoe.from_ranks
    worth = KnownCardsWorth(PUNTO, shoe, BETS, SIX_TO_NINE, 80, slug(eights))
    assert worth.slug_worth is not None
    with pytest.raises(InputError, match="more cards of a kind than the shoe has, should be cards of v:128,32"):
        KnownCardsWorth(PUNTO, shoe, BETS, SIX_TO_NINE, 80, slug(nines))


def test_the_bets_of_one_table() -> None:
    assert PUNTO.offered == BETS
    assert load_game("louisiana").offered == ("player", "banker", "tie-9", "seven-seven-40", "big-win-player-25",
                                              "big-win-banker-25")  # fmt: skip
    assert load_game("ez-baccarat").offered == ("player", "banker", "tie-8", "dragon-7", "panda-8")
