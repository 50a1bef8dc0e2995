"""The facts of a bet on a full shoe, against enumerated deals and against the edges of shoes with a card removed."""

from dataclasses import replace
from fractions import Fraction

import pytest

from counting import Shoe, exact_edges, load_game
from counting.games import Bet
from counting.reports.bet_facts import BetFacts, chance_text, edge_text
from counting.verify import reference

PUNTO = load_game("punto-banco")


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "bet"), [("ez-baccarat", "banker"), ("punto-banco", "dragon-bonus-player"), ("punto-banco", "super-6")]
)
def test_hit_frequency_and_chances_are_those_of_all_deals(game: str, bet: str) -> None:
    loaded = load_game(game).only([bet])
    deals = reference.outcomes(loaded, Shoe.decks(1))
    every, facts = sum(deals.values()), BetFacts.of(loaded, bet, 1)
    wins = sum(ways for outcome, ways in deals.items() if loaded.bet(bet).pay(outcome) > 0)
    assert facts.hit_frequency == Fraction(wins, every)
    for i, line in enumerate(facts.lines):
        settled = sum(ways for outcome, ways in deals.items() if loaded.bet(bet).line(outcome) == i)
        assert line.chance == Fraction(settled, every)
        assert line.odds == loaded.bet(bet).pays[i].odds
    lost = sum(ways for outcome, ways in deals.items() if loaded.bet(bet).line(outcome) is None)
    assert facts.other == Fraction(lost, every)


def test_a_push_is_no_hit() -> None:
    facts = BetFacts.of(PUNTO, "player", 8)
    assert [line.odds for line in facts.lines] == ["1:1", "push"]
    assert facts.hit_frequency == facts.lines[0].chance
    assert facts.hit_frequency + facts.lines[1].chance + facts.other == 1


def test_hit_frequencies_of_pairs_by_hand() -> None:
    assert BetFacts.of(PUNTO, "player-pair", 8).hit_frequency == Fraction(31, 415)
    # With two decks one card equals the first, so a hand is a perfect pair with chance 1/103. If it is one, the other
    # 102 cards make 51 perfect pairs, so the other hand is one too with chance 1/101.
    assert BetFacts.of(PUNTO, "perfect-pair", 2).hit_frequency == Fraction(2, 103) - Fraction(1, 103 * 101)


@pytest.mark.parametrize("bet", ["tie-8", "player", "cards-6"])
def test_why_names_the_cards_whose_loss_costs_and_helps_most(bet: str) -> None:
    facts, edge = BetFacts.of(PUNTO, bet, 8), exact_edges(PUNTO.only([bet]), Shoe.decks(8))[bet]
    without = {
        card: exact_edges(PUNTO.only([bet]), Shoe.decks(8).without(card))[bet] - edge
        for card in ("A", "2", "3", "4", "5", "6", "7", "8", "9", "K")
    }
    words = {"A": "an ace", "8": "an 8", "K": "a ten-value card"}
    worst, best = min(without, key=lambda card: without[card]), max(without, key=lambda card: without[card])
    costs = f"{words.get(worst, f'a {worst}')} out of the full 8-deck shoe costs the bettor most"
    assert f"taking {costs} ({edge_text(without[worst])} of" in facts.why
    assert f"taking out {words.get(best, f'a {best}')} helps most ({edge_text(without[best])})" in facts.why
    assert [effect for _, _, effect in facts.by_card] == list(without.values())


def test_why_names_suits_and_cards_of_suits() -> None:
    hearts = Bet(name="hearts", pays=[{"player_first_number_of": {"hearts": 2}, "odds": "15:1"}])  # type: ignore[arg-type]
    queen = Bet.of("queen", {"player_third_rank=Q player_third_suit=clubs": "90:1"})
    game = PUNTO.with_bets(hearts, queen)
    why = BetFacts.of(game, "hearts", 1).why
    assert "taking a heart out of the full 1-deck shoe costs the bettor most" in why
    assert "and taking out a spade, a diamond or a club helps most" in why
    assert "taking a Q of clubs out of the full 1-deck shoe costs the bettor most" in BetFacts.of(game, "queen", 1).why


def test_where_no_card_matters_the_page_does_not_name_one() -> None:
    for bet in ("player-pair", "perfect-pair"):
        facts = BetFacts.of(PUNTO, bet, 8)
        assert {effect for _, _, effect in facts.by_card} == {0}
        assert [card for card, _, _ in facts.by_card][:3] == ["A", "2", "3"]
        assert "taking any one card out of the full 8-deck shoe leaves the edge exactly as it is" in facts.why


def test_cards_of_one_effect_are_named_together() -> None:
    facts = BetFacts.of(PUNTO.with_bets(Bet.of("big-or-small", {"cards=4": "3:2"})), "big-or-small", 8)
    assert sum(count for _, count, _ in facts.by_card) == 416
    assert sum(count * effect for _, count, effect in facts.by_card) == 0
    alike = replace(facts, effects=replace(facts.effects, removal=(*[Fraction(1, 10)] * 2, *[Fraction(-1, 40)] * 8)))
    assert alike.why.endswith(
        "taking a 2, a 3, a 4, a 5, a 6, a 7, an 8 or a 9 out of the full 8-deck shoe costs the bettor most (-2.5000% "
        "of the stake), and taking out an ace or a ten-value card helps most (+10.0000%)."
    )


def test_small_percentages_keep_three_digits() -> None:
    assert chance_text(Fraction(225, 10_000)) == "2.2500%"
    assert chance_text(Fraction(123, 10**9)) == "0.0000123%"
    assert edge_text(Fraction(-1, 10**8)) == "-0.00000100%"
    assert edge_text(Fraction()) == "+0.0000%"
