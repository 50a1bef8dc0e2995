"""Adjusting to the cards left, against a side that does not adjust: values agree with best replies by the certificate's
own dealing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import InputError, Shoe
from counting.chemin import CLASSICAL, MODERN, PUNTO_BANCO, CheminRules, adjusted, equilibria, solve
from counting.chemin.certificate import CheminDeals

FULL = {
    (model, rules.title): solve(Shoe.decks(6), model, rules)
    for model in ("B1", "B2", "B3")
    for rules in (CLASSICAL, MODERN)
}
shoes = st.lists(st.integers(0, 24), min_size=10, max_size=10).filter(lambda n: sum(n) >= 6).map(Shoe.from_values)


@pytest.mark.long
@given(shoe=shoes, model=st.sampled_from(["B1", "B2", "B3"]), rules=st.sampled_from([CLASSICAL, MODERN]))
@settings(max_examples=12)
def test_best_replies_are_those_of_the_certificate(shoe: Shoe, model: str, rules: CheminRules) -> None:
    full = FULL[model, rules.title]
    equilibrium, dealt = adjusted(shoe, full), CheminDeals(shoe, model, rules)
    assert equilibrium.banker == dealt.against_banker(full.player)
    assert equilibrium.player == dealt.against_player(full.banker)
    value = solve(shoe, model, rules).value
    assert equilibrium.banker <= equilibrium.value <= equilibrium.player
    assert equilibrium.banker <= value <= equilibrium.player
    assert equilibrium.bank <= equilibrium.bank_counts <= -equilibrium.banker
    free = adjusted(shoe, full, 0)
    assert (free.bank, free.bank_counts) == (-equilibrium.value, -equilibrium.banker)


@pytest.mark.parametrize("model", ["A1", "A3", "B2", "B3"])
def test_at_the_reference_nobody_gains(model: str) -> None:
    full = solve(Shoe.decks(6), model)
    worth = adjusted(Shoe.decks(6), full)
    assert worth.value == worth.player == worth.banker == full.value
    assert worth.bank == -full.value - full.probabilities["banker"] / 20
    (equilibrium,) = equilibria(Shoe.decks(8), "B1", PUNTO_BANCO, "0.05")
    fixed = adjusted(Shoe.decks(8), solve(Shoe.decks(8), "B1", PUNTO_BANCO))
    assert fixed.bank == fixed.bank_counts == equilibrium.banker[0]


def test_a_reference_that_is_none() -> None:
    with pytest.raises(InputError, match=r"^reference: 3, should be a Solution"):
        adjusted(Shoe.decks(6), 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^commission: 2, should be from 0 to less than 1"):
        adjusted(Shoe.decks(6), FULL["B3", CLASSICAL.title], 2)
    with pytest.raises(InputError, match="cards, should be 6 to"):
        adjusted(Shoe.from_values([1] + [0] * 9), FULL["B3", CLASSICAL.title])
