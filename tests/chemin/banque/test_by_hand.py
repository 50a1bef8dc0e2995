"""Banque in which each Player sees two cards, compared with a linear program over all pure plans of tiny shoes, and
with models in which the Players see less."""

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from extent import LONG, crossed, examples, long_or
from hypothesis import given
from hypothesis import strategies as st
from twins.linear_programs import NO_LIMIT, least

from counting import InputError, Shoe
from counting.chemin import solve
from counting.chemin.banque import BanqueByHand, TeamPlan, banque, banque_by_hand, check_banque
from counting.games import STOOD

# Each shoe of TINY has four values, which make two different hands of five.
TINY = ("v:3,2,0,0,2,3,0,0,0,0", "v:0,0,3,2,0,0,2,0,0,2", "v:2,0,0,0,0,3,0,2,2,0")
SMALL = ("v:3,1,0,1,1,3,1,0,0,1", "v:2,1,2,2,1,2,1,1,2,1")

Hand = tuple[int, int]
Seen = tuple[Hand, bool] | None  # a hand of five, and whether it draws; None for other hands
Nets = list[Fraction]  # results: the first Player's if Banker stands and if Banker draws, then the second Player's


def sign(difference: int) -> int:
    return (difference > 0) - (difference < 0)


def pairs(left: list[int]) -> list[tuple[Hand, int, list[int]]]:
    """For each two cards, in the order dealt: the sorted hand, the number of ways to deal them, and the cards left."""
    result = []
    for a, b in product(range(10), repeat=2):
        fewer = list(left)
        ways = fewer[a]
        fewer[a] -= 1
        ways *= fewer[b]
        fewer[b] -= 1
        if ways > 0:
            result.append(((min(a, b), max(a, b)), ways, fewer))
    return result


def options(hand: Hand, left: list[int]) -> list[tuple[Seen, int, Fraction, int, list[int]]]:
    """What can happen to a Player's hand. Each possibility has the choice (`Seen`), the third card or STOOD, its
    chance, the final total, and the cards left."""
    total = sum(hand) % 10
    result: list[tuple[Seen, int, Fraction, int, list[int]]] = []
    if total >= 5:
        result.append(((hand, False) if total == 5 else None, STOOD, Fraction(1), total, left))
    for card in range(10) if total <= 5 else ():
        if left[card]:
            fewer = [n - (value == card) for value, n in enumerate(left)]
            p = Fraction(left[card], sum(left))
            result.append(((hand, True) if total == 5 else None, card, p, (total + card) % 10, fewer))
    return result


@cache
def coups(values: tuple[int, ...]) -> dict[tuple[Hand, int, int], dict[tuple[Seen, Seen], Nets]]:
    """The Players' mean results in coups without a natural, by what Banker sees and by the Players' choices. Each coup
    is weighted by its chance if the Players make these choices."""
    found: Any = defaultdict(lambda: defaultdict(lambda: [Fraction(0)] * 4))
    n = sum(values)
    orders = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) * (n - 5)
    for one, ways, left in pairs(list(values)):
        for two, more, fewer in pairs(left):
            for banker, most, last in pairs(fewer):
                t = sum(banker) % 10
                if max(sum(one) % 10, sum(two) % 10, t) >= 8:
                    continue
                dealt = Fraction(ways * more * most, orders)
                for a, card_one, p, total_one, after in options(one, last):
                    for b, card_two, q, total_two, rest in options(two, after):
                        at = found[banker, card_one, card_two][a, b]
                        for i, total in enumerate((total_one, total_two)):
                            drawn = sum(m * sign(total - (t + card) % 10) for card, m in enumerate(rest))
                            at[2 * i] += dealt * p * q * sign(total - t)
                            at[2 * i + 1] += dealt * p * q * Fraction(drawn, sum(rest))
    return {cell: dict(parts) for cell, parts in found.items()}


def apart(shoe: Shoe) -> Fraction:
    """The worth to one Player of the coups in which the other Player has a natural. The rest of such a coup is solved
    as chemin de fer."""
    worth = Fraction(0)
    for hand, ways, left in pairs(list(shoe.values)):
        if sum(hand) % 10 >= 8:
            n = shoe.cards_left
            worth += Fraction(ways, n * (n - 1)) * solve(Shoe.from_values(left), "B3").value
    return worth


def choice(seen: Seen, p: Fraction) -> Fraction:
    return Fraction(1) if seen is None else p if seen[1] else 1 - p


def together(found: BanqueByHand, seen: tuple[Seen, Seen], card: int) -> Fraction:
    """The probability of the Players' choices `seen` under the plans of a solution. `card`: the first Player's third
    card, or STOOD."""
    state = card if found.uses_third else None
    one, two = seen
    return sum(
        (
            plan.chance
            * choice(one, Fraction(one is not None and one[0] in plan.first))
            * (choice(two, plan.second[two[0], state]) if two else 1)
            for plan in found.plans
        ),
        Fraction(0),
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("shoe", "uses_third"), crossed([*TINY[: long_or(3, 2)], *SMALL[: long_or(1, 0)]], [False, True])
)
def test_coups_dealt_card_by_card_are_worth_what_was_solved(shoe: str, uses_third: bool) -> None:
    solution = banque_by_hand(Shoe.parse(shoe), "2/5", uses_third=uses_third)
    sums = [apart(solution.shoe)] * 2
    for cell, parts in coups(solution.shoe.values).items():
        q = solution.banker[cell]
        for seen, nets in parts.items():
            p = together(solution, seen, cell[1])
            for i in range(2):
                sums[i] += p * ((1 - q) * nets[2 * i] + q * nets[2 * i + 1])
    assert tuple(sums) == solution.tableaux
    assert Fraction(2, 5) * sums[0] + Fraction(3, 5) * sums[1] == solution.value


@pytest.mark.parametrize(("shoe", "uses_third"), crossed(TINY[: long_or(3, 2)], [True, False]))
def test_a_linear_program_over_all_pure_plans_agrees(shoe: str, uses_third: bool) -> None:
    """A pure plan is a set of hands on which the first Player draws, with a set of cells in which the second Player
    draws."""
    dealt, theta = coups(Shoe.parse(shoe).values), Fraction(1, 3)
    of_first = sorted({first[0] for parts in dealt.values() for first, _ in parts if first})
    of_second = sorted(
        {(two[0], card if uses_third else None) for (_, card, _), parts in dealt.items() for _, two in parts if two}
    )
    assert len(of_first) == 2
    plans = list(product(product((False, True), repeat=2), product((False, True), repeat=len(of_second))))
    first = np.array([plan[0] for plan in plans])
    two = np.array([plan[1] for plan in plans])
    worth = np.zeros((2, len(dealt), len(plans)))  # of each plan in each cell, if Banker stands and if Banker draws
    for i, ((_, card, _), parts) in enumerate(dealt.items()):
        for (a, b), nets in parts.items():
            does = np.ones(len(plans), bool)
            if a:
                does &= first[:, of_first.index(a[0])] == a[1]
            if b:
                does &= two[:, of_second.index((b[0], card if uses_third else None))] == b[1]
            for move in range(2):
                worth[move, i] += does * float(theta * nets[move] + (1 - theta) * nets[2 + move])
    # Variables: Banker's mixes, and an upper bound on what any plan is worth against them. The least possible bound is
    # the value.
    stand, draw = worth
    most = least(
        [0] * len(dealt) + [1],
        at_most=(np.hstack([(draw - stand).T, -np.ones((len(plans), 1))]), -stand.sum(axis=0)),
        ranges=[(0, 1)] * len(dealt) + [(-NO_LIMIT, NO_LIMIT)],
    )
    solved = banque_by_hand(Shoe.parse(shoe), theta, uses_third=uses_third)
    assert most == pytest.approx(float(solved.value - apart(solved.shoe)), abs=1e-10)


@pytest.mark.parametrize("uses_third", [False, True])
@pytest.mark.parametrize("shoe", SMALL[: long_or(2, 1)])
def test_the_proof_is_found_good_by_a_check_that_deals_again(shoe: str, uses_third: bool) -> None:
    solution = banque_by_hand(Shoe.parse(shoe), "2/7", uses_third=uses_third)
    check_banque(solution.certificate, Shoe.parse(shoe), "2/7", "B3")


def test_the_proof_of_six_decks_is_found_good() -> None:
    """By default, the six decks lack some of the values, because the check deals every hand to all three sides."""
    shoe = Shoe.decks(6) if LONG else Shoe.parse("v:96,24,0,24,0,24,0,0,24,0")
    check_banque(banque_by_hand(shoe, "1/2").certificate, shoe, "1/2", "B3")


@cache
def with_replacement(theta: str, uses_third: bool) -> BanqueByHand:
    return banque_by_hand(Shoe.decks(1), theta, "A3", uses_third=uses_third)


@pytest.mark.skipif(not LONG, reason="deals all hands of ten values to three sides")
def test_the_proof_with_replacement_is_found_good() -> None:
    check_banque(with_replacement("1/4", True).certificate, Shoe.decks(1), "1/4", "A3")


@pytest.mark.long
@pytest.mark.parametrize("uses_third", [False, True])
def test_with_replacement_two_cards_say_no_more_than_their_total(uses_third: bool) -> None:
    """The two cards of a five tell nothing about the other cards, and the Players can make a common random choice
    without them."""
    for theta in long_or(("0", "1/4", "1"), ("1/4",) if uses_third else ("0",)):
        solution = with_replacement(theta, uses_third)
        assert solution.value == banque(Shoe.decks(1), theta, "A2", uses_third=uses_third).value
        if theta in ("0", "1"):
            assert solution.value == solve(Shoe.decks(1), "A3").value == Fraction(-679568, 53094899)


few = st.dictionaries(st.integers(0, 9), st.integers(1, 9), min_size=4, max_size=7).filter(
    lambda counts: sum(counts.values()) >= 9
)


@given(few, st.data())
@examples(long=60, short=5)
def test_players_who_see_more_have_no_less(counts: dict[int, int], data: st.DataObject) -> None:
    shoe = Shoe.from_values([counts.get(value, 0) for value in range(10)])
    theta, uses_third = data.draw(st.fractions(0, 1, max_denominator=2_000)), data.draw(st.booleans())
    solution = banque_by_hand(shoe, theta, uses_third=uses_third)
    assert solution.value >= banque(shoe, theta, "B2", uses_third=uses_third).value
    assert theta * solution.tableaux[0] + (1 - theta) * solution.tableaux[1] == solution.value
    if not uses_third:
        assert solution.value <= 0
        assert solution.value <= banque_by_hand(shoe, theta).value
        assert solution.value == banque_by_hand(shoe, 1 - theta, uses_third=False).value


@pytest.mark.long
def test_six_decks_are_worth_more_to_players_who_see_two_cards() -> None:
    shoe = Shoe.decks(6)
    solution = banque_by_hand(shoe)
    assert solution.value > banque(shoe).value
    assert f"{float(solution.value):.10f}" == "-0.0085136913"  # by HiGHS: -0.0085136912505
    apart = sum(share * solution.naturals[hand].value for hand, share in _shares(shoe).items())
    assert float(solution.value - apart) == pytest.approx(-0.006081962460318787, abs=1e-14)


def _shares(shoe: Shoe) -> dict[Hand, Fraction]:
    n = shoe.cards_left
    shares: dict[Hand, Fraction] = defaultdict(Fraction)
    for hand, ways, _ in pairs(list(shoe.values)):
        if sum(hand) % 10 >= 8:
            shares[hand] += Fraction(ways, n * (n - 1))
    return shares


def test_nobody_has_five() -> None:
    shoe = Shoe.parse("v:5,0,0,0,0,0,3,0,2,0")
    solution = banque_by_hand(shoe)
    assert solution.plans == (TeamPlan(Fraction(1), frozenset(), {}),)
    check_banque(solution.certificate, shoe, "1/2", "B3")
    naturals = banque_by_hand(Shoe.parse("v:0,0,0,0,0,0,0,0,0,9"))
    assert (naturals.value, naturals.banker) == (0, {})
    check_banque(naturals.certificate, naturals.shoe, "1/2", "B3")


def test_a_wrong_strategy_is_rejected() -> None:
    shoe = Shoe.parse(SMALL[0])
    proof = banque_by_hand(shoe).certificate
    banker, plan = dict(proof.banker), proof.plans[0]
    banker_cell = next(cell for cell, p in banker.items() if p == 1)
    second_cell = next(iter(plan.second))
    hand = second_cell[0]

    def with_plan(**changed: Any) -> Any:
        return replace(proof, plans=(plan._replace(**changed), *proof.plans[1:]))

    wrong: list[tuple[str, Any]] = [
        ("lower bound", replace(proof, lower=proof.lower - 1)),
        ("upper bound", replace(proof, upper=proof.upper + 1)),
        ("upper bound", replace(proof, banker={cell: 1 - p for cell, p in banker.items()})),
        ("lower bound", with_plan(first=frozenset({hand}) ^ plan.first)),
        ("lower bound", with_plan(second={cell: 1 - p for cell, p in plan.second.items()})),
        ("banker: .* from 0 to 1", replace(proof, banker=banker | {banker_cell: Fraction(3, 2)})),
        ("second: .* from 0 to 1", with_plan(second={**plan.second, second_cell: 0.5})),
        ("is missing", replace(proof, banker={c: p for c, p in banker.items() if c != banker_cell})),
        ("is missing", with_plan(second={c: p for c, p in plan.second.items() if c != second_cell})),
        ("the shoe can deal", replace(proof, banker=banker | {((2, 4), 11, 0): Fraction(0)})),
        ("the shoe can deal", with_plan(first=plan.first | {(7, 8)})),
        ("the shoe can deal", with_plan(second={**plan.second, ((7, 8), 1): Fraction(0)})),
        ("sum to 1", with_plan(chance=plan.chance / 2)),
        ("sum to 1", replace(proof, plans=())),
        ("TeamPlans", replace(proof, plans=[*proof.plans])),
        ("TeamPlans", replace(proof, plans=(tuple(plan), *proof.plans[1:]))),
        ("naturals", replace(proof, naturals={})),
        ("denominator 0", replace(proof, denominator=0)),
        ("bounds .* should be equal|lower bound", replace(proof, lower=proof.lower - 1, upper=proof.upper - 1)),
        ("ByHandCertificate", banque(shoe).certificate),
    ]
    for said, certificate in wrong:
        with pytest.raises(InputError, match=said):
            check_banque(certificate, shoe, "1/2", "B3")
    for other in ("1/3", "2/3"):
        with pytest.raises(InputError, match="bound"):
            check_banque(proof, shoe, other, "B3")


def test_what_is_no_question_gets_one_line() -> None:
    for shoe, theta, model, said in (
        (Shoe.parse("v:8,0,0,0,0,0,0,0,0,0"), "1/2", "B3", "8 cards, should be 9 to 1,404"),
        (Shoe.decks(6), "3/2", "B3", "theta: '3/2'"),
        (Shoe.decks(6), "1/2", "B2", "model 'B2': should be one of A3, B3, in which the Players see their hands"),
    ):
        with pytest.raises(InputError, match=said):
            banque_by_hand(shoe, theta, model)
    with pytest.raises(InputError, match="uses_third: 'no', should be True or False"):
        banque_by_hand(Shoe.decks(6), uses_third="no")  # type: ignore[arg-type]
