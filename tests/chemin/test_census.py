"""What counting gains over all compositions, compared, for small numbers of cards, with shoes that are solved one by
one."""

from fractions import Fraction
from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from counting import InputError, Shoe
from counting.chemin import (
    CLASSICAL,
    MODERN,
    CheminRules,
    _law,
    adjusted,
    counting_gains,
    equilibria,
    least_bank_profit,
    solve,
)
from counting.chemin.census import Kernel, classes, composition_weight, value_orders
from counting.chemin.certificate import CheminDeals
from counting.cli import main
from counting.instruction_sets import LEVELS

RATE = Fraction(1, 20)
MACHINE = LEVELS[: _law.best_level() + 1]
FULL = {(m, rules.title): solve(Shoe.decks(6), m, rules) for m in ("B2", "B3") for rules in (CLASSICAL, MODERN)}


def compositions(cards: int, values: int = 10) -> list[tuple[int, ...]]:
    if values == 1:
        return [(cards,)]
    return [(n, *rest) for n in range(cards + 1) for rest in compositions(cards - n, values - 1)]


@pytest.mark.long
def test_a_census_is_every_shoe_solved_by_itself() -> None:
    """One deck has only four cards of each value except tens, so some compositions cannot be drawn."""
    full, deck, total = solve(Shoe.decks(1)), Shoe.decks(1).values, comb(52, 6)
    names = ("player", "bank", "both_player", "both_bank")
    sums: dict[str, list[Any]] = {name: [0] * 4 for name in names}
    drawn = 0
    for counts in compositions(6):
        ways = prod(map(comb, deck, counts))
        if not ways:
            continue
        drawn += 1
        shoe = Shoe.from_values(counts)
        solved = adjusted(shoe, full, RATE)
        for name, edge in zip(
            names, (solved.player, solved.bank_counts, solve(shoe).value, least_bank_profit(shoe, RATE)), strict=True
        ):
            parts = (edge > 0, edge == 0, edge, max(edge, 0)) if edge else (0, 1, 0, 0)
            sums[name] = [s + ways * part for s, part in zip(sums[name], parts, strict=True)]
    gains = counting_gains(6, 1, RATE)
    assert gains.compositions == drawn < comb(15, 9)
    for name, of_all in sums.items():
        of, (positive, even, mean, gain) = getattr(gains, name), (Fraction(s, total) for s in of_all)
        assert (of.positive, of.even) == (positive, even), name
        for (least, most), exact in ((of.mean, mean), (of.gain, gain)):
            assert least <= exact <= most, name
            assert most - least < Fraction(1, 10**12), name
    assert gains.player.mean[0] == gains.player.mean[1]  # a best reply is exact
    assert gains.bank.gain[0] == gains.bank.gain[1]


def test_the_play_for_any_number_of_decks_is_compared_with_exactly() -> None:
    """A census has at most 26 cards. With 26, the denominator of Banker's mix needs two words from seven decks on."""
    counts = [9, 2, 1, 3, 2, 1, 3, 2, 1, 2]
    for decks in (1, 6, 7, 8, 16, 27):
        full = solve(Shoe.decks(decks))
        kernel = Kernel(26, full)
        replied = int(kernel.rows(np.array([counts]))[0, 2])
        assert Fraction(replied, kernel.units[1]) == CheminDeals(
            Shoe.from_values(counts), "B3", CLASSICAL
        ).against_player(full.banker)


def test_without_commission_a_bank_is_sure_of_what_player_loses() -> None:
    calls: list[tuple[int, int]] = []
    gains = counting_gains(7, 6, 0, progress=lambda *call: calls.append(call))
    assert gains.both_player.mean == tuple(-e for e in reversed(gains.both_bank.mean))
    assert gains.both_player.positive == 0
    assert gains.both_player.gain == (0, 0)
    assert gains.both_bank.positive + gains.both_bank.even == 1
    assert calls == sorted(set(calls))
    assert {of for _, of in calls} == {calls[-1][0]} == {comb(16, 9)}
    assert gains.both_bank.mean == gains.both_bank.gain
    assert gains.both_player.even == gains.both_bank.even


@pytest.mark.parametrize(("cards", "decks"), [(6, 1), (9, 2), (13, 6)])
def test_classes_are_all_compositions_and_their_weights_all_draws(cards: int, decks: int) -> None:
    every = list(classes(cards))
    assert sum(map(value_orders, every)) == comb(cards + 9, 9)
    assert sum(value_orders(counts) * composition_weight(counts, decks) for counts in every) == comb(52 * decks, cards)


def test_every_order_of_a_class_is_added_up_once() -> None:
    kernel = Kernel(8, FULL["B3", CLASSICAL.title])
    tallies = kernel.tallies()
    assert tallies.shoes.tolist() == [value_orders(tuple(counts)) for counts in tallies.classes.tolist()]
    (at,) = np.flatnonzero((tallies.classes == [2, 0, 0, 0, 0, 0, 1, 1, 2, 2]).all(axis=1))
    shoes = [c for c in product((0, 1, 2), repeat=9) if sorted(c) == [0, 0, 0, 0, 0, 1, 1, 2, 2]]
    low, high, player, banker = kernel.rows(np.array([[2, *c] for c in shoes])).astype(np.int64).T
    assert len(shoes) == tallies.shoes[at]
    for quantity, (least, most) in enumerate([(low, high), (player, player), (banker, banker)]):
        known, above, below, even, *words = tallies.tallies[at, quantity].tolist()
        assert known == (least == most).sum()
        assert (above, below, even) == ((least > 0).sum(), (most < 0).sum(), ((least == 0) & (most == 0)).sum())
        sums = [int(of.sum()) for of in (least, most, np.maximum(least, 0), np.maximum(most, 0))]
        assert [left * 2**26 + right for left, right in zip(words[::2], words[1::2], strict=True)] == sums


@given(
    counts=st.lists(st.integers(0, 5), min_size=10, max_size=10).filter(lambda counts: 6 <= sum(counts) <= 26),
    model=st.sampled_from(["B2", "B3"]), rules=st.sampled_from([CLASSICAL, MODERN]),
    level=st.sampled_from(MACHINE), decks=st.sampled_from([6, 8, 27]),
)  # fmt: skip
@settings(max_examples=15, deadline=None)
def test_bounds_hold_the_value_and_best_replies_are_exact(
    counts: list[int], model: str, rules: CheminRules, level: str, decks: int
) -> None:
    """The kernel agrees with the certificate's dealing on every instruction set. With 27 decks, the bank's mix has a
    denominator of 77,281,744,896."""
    assume(decks < 27 or sum(counts) <= 18)  # with more cards, exact numbers would be too large
    shoe, full = Shoe.from_values(counts), solve(Shoe.decks(decks), model, rules)
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("COUNTING_ISA", level)
        kernel, charged = Kernel(shoe.cards_left, full), Kernel(shoe.cards_left, full, (20, 19))
        assert (kernel.law.level, charged.law.level) == (LEVELS.index(level),) * 2
    one, player, banker = kernel.units
    low, high, replied, answered = kernel.rows(np.array([counts])).astype(np.int64)[0].tolist()
    dealt = CheminDeals(shoe, model, rules)
    known = {cell: full.player.get(cell, Fraction()) for cell in dealt.player_cells}
    assert Fraction(replied, player) == dealt.against_player(full.banker)
    assert Fraction(answered, banker) == dealt.against_banker(known)
    assert Fraction(low, one) <= solve(shoe, model, rules).value <= Fraction(high, one)
    assert Fraction(high - low, one) < Fraction(1, 10**6)
    low, high, _, answered = charged.rows(np.array([counts])).astype(np.int64)[0].tolist()
    assert Fraction(-answered, charged.units[2]) == adjusted(shoe, full, RATE).bank_counts
    assert (
        Fraction(-high, charged.units[0])
        <= least_bank_profit(shoe, RATE, model, rules)
        <= Fraction(-low, charged.units[0])
    )


@pytest.mark.long
@given(
    st.lists(st.integers(0, 9), min_size=10, max_size=10).filter(lambda counts: sum(counts) >= 6).map(Shoe.from_values)
)
@settings(max_examples=15, deadline=None)
def test_no_equilibrium_gives_a_bank_less_than_it_can_be_sure_of(shoe: Shoe) -> None:
    assert least_bank_profit(shoe, 0, "B2") == -solve(shoe, "B2").value
    for commission in ("0.05", "1/4"):
        sure = least_bank_profit(shoe, commission, "B2")
        assert sure <= least_bank_profit(shoe, 0, "B2")
        assert sure <= min(equilibrium.banker[0] for equilibrium in equilibria(shoe, "B2", CLASSICAL, commission))


def test_what_cannot_be_counted_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InputError, match=r"^cards: 5, should be "):
        counting_gains(5)
    with pytest.raises(InputError, match=r"^26 cards: too many for exact numbers"):
        counting_gains(26, 6, "0.333333333")
    with pytest.raises(InputError, match=r"^model B1"):
        counting_gains(6, 6, RATE, "B1")
    with pytest.raises(InputError, match=r"too many digits"):
        least_bank_profit(Shoe.decks(27), "0.333333333")
    assert main(["chemin", "gains", "27"]) == 2
    assert capsys.readouterr().err == "counting: cards: 27, should be a whole number from 6 to 26\n"
    assert main(["chemin", "gains", "6", "--format", "csv"]) == 0
    head, row = capsys.readouterr().out.splitlines()
    assert head.startswith("cards_left,player_edge,player_gain")
    assert float(row.split(",")[1]) == float(counting_gains(6).player.positive)
