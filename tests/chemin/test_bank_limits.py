"""Bounds on a bank's profit in equilibrium after commission: all equilibria are between the bounds, and coups dealt
again give the same upper bound."""

from fractions import Fraction
from itertools import product

import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe
from counting.chemin import (
    CLASSICAL,
    MODERN,
    CheminRules,
    equilibria,
    least_bank_profit,
    most_bank_profit,
    solve,
    under_commission,
)
from counting.chemin.certificate import CheminDeals

shoes = (
    st.lists(st.integers(0, 9), min_size=10, max_size=10).filter(lambda counts: sum(counts) >= 6).map(Shoe.from_values)
)


@given(shoes, st.sampled_from(["B1", "B2"]), st.sampled_from([CLASSICAL, MODERN]), st.sampled_from(["0.05", "1/4"]))
@examples(long=60, short=8)
def test_all_equilibria_are_between_the_bounds(shoe: Shoe, model: str, rules: CheminRules, commission: str) -> None:
    most = most_bank_profit(shoe, commission, model, rules)
    assert least_bank_profit(shoe, commission, model, rules) <= most
    for equilibrium in equilibria(shoe, model, rules, commission):
        assert equilibrium.banker[1] <= most


def twin(shoe: Shoe, rate: Fraction) -> Fraction:
    """The upper bound, from coups that the certificate's check deals. For each of Player's pure plays, Banker's cells
    are added up one by one."""
    pays, has = rate.denominator, rate.denominator - rate.numerator
    lost = CheminDeals(shoe, "B3", CLASSICAL, lambda d: pays * (d > 0) - has * (d < 0))
    tied = CheminDeals(shoe, "B3", CLASSICAL, lambda d: int(d == 0))
    hands = sorted(lost.player_cells, key=str)
    plays = [dict(zip(hands, draws, strict=True)) for draws in product((False, True), repeat=len(hands))]
    sums = [tied.naturals] * len(plays)
    for cell, moves in lost.net.items():
        worth, ties = [], []
        for play in plays:
            for of, to in ((lost, worth), (tied, ties)):
                parts = [nets for (hand, draws), nets in of.net[cell].items() if hand is None or play[hand] == draws]
                to.append([sum(nets[move] for nets in parts) for move in (0, 1)])
        assert moves
        draws = all(draw < stand for stand, draw in worth)
        stands = all(draw > stand for stand, draw in worth)
        for i, (stood, drew) in enumerate(ties):
            sums[i] += drew if draws else stood if stands else max(stood, drew)
    ties_most = Fraction(max(sums), tied.deals)
    return -(1 - rate / 2) * solve(shoe).value - rate * (1 - ties_most) / 2


@pytest.mark.long
@pytest.mark.parametrize("shoe", ["v:3,1,0,2,1,2,1,0,1,1", "v:9,2,3,2,2,3,2,2,1,2"])
def test_the_bound_is_that_of_coups_dealt_again(shoe: str) -> None:
    for rate in (Fraction(1, 20), Fraction(1, 4)):
        assert most_bank_profit(Shoe.parse(shoe), rate) == twin(Shoe.parse(shoe), rate)


def test_without_commission_the_bounds_are_the_value() -> None:
    for model in ("A1", "B3"):
        assert (
            most_bank_profit(Shoe.decks(6), 0, model)
            == least_bank_profit(Shoe.decks(6), 0, model)
            == -solve(Shoe.decks(6), model).value
        )


def test_six_decks_leave_little_between_the_bounds() -> None:
    least, most = least_bank_profit(Shoe.decks(6)), most_bank_profit(Shoe.decks(6))
    assert 0 < most - least < Fraction(1, 10_000)


def test_where_player_has_more_choices_the_bound_is_cell_by_cell() -> None:
    shoe, rules = Shoe.parse("v:3,1,0,2,1,2,1,0,1,1"), CheminRules("free", "test", "DD****SS", ("*" * 11,) * 8)
    least, most = least_bank_profit(shoe, "0.05", "B3", rules), most_bank_profit(shoe, "0.05", "B3", rules)
    (certificate,) = under_commission(shoe, "B3", rules, search=False).certificates
    assert least <= certificate.to_banker <= most < least + Fraction(1, 50)
    assert most_bank_profit(shoe, 0, "B3", rules) == least_bank_profit(shoe, 0, "B3", rules)


def test_a_commission_of_too_many_digits_is_refused() -> None:
    with pytest.raises(InputError, match="too many digits for 1,404 cards, should have a denominator of at most 1, or"):
        most_bank_profit(Shoe.decks(27), "0.333333333")


def test_with_replacement_the_shoe_does_not_limit_the_digits() -> None:
    few, many = Shoe.parse("v:1,1,1,1,1,1,0,0,0,0"), Shoe.decks(27)
    assert least_bank_profit(few, "0.01", "A1") == least_bank_profit(many, "0.01", "A1")
    for shoe in (few, many):  # sums of larger scores would overflow with any shoe
        with pytest.raises(InputError, match=r"with replacement, should have a denominator of at most 29,857,238,617$"):
            least_bank_profit(shoe, "0.999999999999", "A1")
    with pytest.raises(InputError, match="model 'A7'"):
        least_bank_profit(many, "0.01", "A7")
