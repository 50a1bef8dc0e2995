"""Banque in which the Players share a plan, compared with coups dealt card by card, with a linear program in floats,
and with chemin de fer."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from extent import LONG, crossed, examples, long_or
from hypothesis import given
from hypothesis import strategies as st
from twins.linear_programs import NO_LIMIT, least
from twins.three_players import Three, dealt

from counting import InputError, Shoe
from counting.chemin import solve
from counting.chemin.banque import PlayersMix, banque, check_banque
from counting.chemin.banque.certificate import TableauxDealt
from counting.chemin.banque.coups_dealt import TwoCell
from counting.chemin.certificate import check_certificate
from counting.games import STOOD

MODELS = ("A1", "A2", "B1", "B2")
THETAS = ("0", "1/5", "1/2", "2/3", "1")
TINY = ("v:3,0,0,0,1,3,2,0,0,1", "v:2,0,0,2,0,3,2,0,1,0", "v:3,2,0,0,3,0,2,0,0,0")
SMALL = ("v:3,1,0,1,1,3,1,0,0,1", "v:2,0,2,0,1,2,2,1,0,0", "v:4,1,1,0,0,4,0,1,1,0")

few = st.dictionaries(st.integers(0, 9), st.integers(1, 9), min_size=3, max_size=long_or(6, 5)).filter(
    lambda counts: sum(counts.values()) >= 9
)
Net = tuple[Fraction, Fraction]


def net(twin: Three, players: Mapping[int | None, PlayersMix], banker: Mapping[TwoCell, Fraction]) -> Net:
    """The expected result of each Player. Before the coup, the Players choose at random what both do on five. The first
    Player acts before the state (what the second sees of the first) is known, and so draws with the same probability in
    all states."""
    assert len({mix.both + mix.first for mix in players.values()}) == 1
    assert {sum(mix) for mix in players.values()} == {1}
    sums = list(twin.settled)
    for cell, by_plays in twin.worth.items():
        mix, q = players[None if None in players else cell[1]], banker[cell]
        lot = {(True, True): mix.both, (True, False): mix.first, (False, True): mix.second, (False, False): mix.neither}
        for plays, worth in by_plays.items():
            for i in range(2):
                sums[i] += lot[plays] * ((1 - q) * worth[i] + q * worth[2 + i]) / twin.scale
    return sums[0], sums[1]


def in_all(net: Net, theta: Fraction) -> Fraction:
    return theta * net[0] + (1 - theta) * net[1]


@pytest.mark.parametrize(("shoe", "model", "uses_third"), crossed(TINY[: long_or(3, 2)], ["B1", "B2"], [False, True]))
def test_coups_dealt_card_by_card_are_worth_what_was_solved(shoe: str, model: str, uses_third: bool) -> None:
    solution = banque(Shoe.parse(shoe), "2/5", model, uses_third=uses_third)
    worth = net(dealt(shoe, model), solution.players, solution.banker)
    assert worth == solution.tableaux
    assert in_all(worth, solution.theta) == solution.value
    counts = Shoe.parse(shoe).values
    hands = combinations([value for value, n in enumerate(counts) for _ in range(n)], 2)
    assert set(solution.naturals) == {hand for hand in hands if sum(hand) % 10 >= 8}
    for hand, apart in solution.naturals.items():
        left = Shoe.from_values([n - hand.count(value) for value, n in enumerate(counts)])
        check_certificate(apart.certificate, left, model)
        proof = solution.certificate.naturals[hand]
        assert (proof.player, proof.banker) == (apart.player, apart.banker)
        assert Fraction(proof.lower, proof.denominator) == Fraction(proof.upper, proof.denominator) == apart.value


@pytest.mark.parametrize("uses_third", [False, True])
@pytest.mark.parametrize("model", ["B1", "B2"])
def test_no_other_play_does_better(model: str, uses_third: bool) -> None:
    rng = np.random.default_rng([6, uses_third, model == "B1"])
    changed = 0
    for shoe in TINY[: long_or(2, 1)]:
        solution = banque(Shoe.parse(shoe), "2/5", model, uses_third=uses_third)
        for _ in range(long_or(3, 2)):
            banker = {cell: Fraction(int(rng.integers(5)), 4) for cell in solution.banker}
            worth = in_all(net(dealt(shoe, model), solution.players, banker), solution.theta)
            assert worth >= solution.value
            x = Fraction(int(rng.integers(5)), 4)
            players = {}
            for state in solution.players:
                both, second = x * Fraction(int(rng.integers(5)), 4), (1 - x) * Fraction(int(rng.integers(5)), 4)
                players[state] = PlayersMix(both, x - both, second, 1 - x - second)
            other = in_all(net(dealt(shoe, model), players, solution.banker), solution.theta)
            assert other <= solution.value
            changed += (worth != solution.value) + (other != solution.value)
    assert changed > long_or(6, 2)  # most of these plays are worse


@pytest.mark.parametrize(("model", "uses_third"), crossed(MODELS, [False, True]))
def test_the_proof_is_found_good_by_a_check_that_deals_again(model: str, uses_third: bool) -> None:
    for text in (
        SMALL[: long_or(None, 1)] if model.startswith("B") else SMALL[:1]
    ):  # with replacement the shoe does not matter
        solution = banque(Shoe.parse(text), "2/7", model, uses_third=uses_third)
        check_banque(solution.certificate, Shoe.parse(text), "2/7", model)


def test_the_proof_of_six_decks_is_found_good() -> None:
    """By default, the six decks lack four of the values, because the check deals every hand to all three sides."""
    shoe = Shoe.decks(6) if LONG else Shoe.parse("v:96,24,0,24,0,24,24,0,24,0")
    solution = banque(shoe, "1/2", "B2")
    check_banque(solution.certificate, shoe, "1/2", "B2")


@pytest.mark.parametrize(("model", "uses_third"), crossed(["A1", "A2"], [True, False]))
def test_one_sided_stakes_give_chemin_de_fer_back(model: str, uses_third: bool) -> None:
    for theta in (0, 1):
        solution = banque(Shoe.decks(1), Fraction(theta), model, uses_third=uses_third)
        assert solution.value == solve(Shoe.decks(1), model).value == Fraction(-679568, 53094899)
        assert solution.tableaux[1 - theta] == solution.value
        drawn = [mix[0] + mix[2 - theta] for mix in solution.players.values()]
        assert set(drawn) == {Fraction(9, 11)}


every_value = st.lists(st.integers(0, 4), min_size=10, max_size=10).filter(lambda counts: sum(counts) >= 9)
few_values = few.map(lambda counts: [counts.get(value, 0) for value in range(10)])


@pytest.mark.long
@given(every_value if LONG else few_values, st.data())
@examples(long=25, short=4)
def test_the_tableaux_are_alike_where_nobody_uses_the_first_third_card(counts: list[int], data: st.DataObject) -> None:
    shoe, theta = Shoe.from_values(counts), data.draw(st.fractions(0, 1, max_denominator=20))
    model = data.draw(st.sampled_from(MODELS))
    found, mirrored = (banque(shoe, t, model, uses_third=False) for t in (theta, 1 - theta))
    assert found.value == mirrored.value
    assert found.value <= banque(shoe, theta, model).value  # the second Player may ignore the third card


@given(few, st.data())
@examples(long=15, short=4)
def test_a_linear_program_in_floats_agrees(given_counts: dict[int, int], data: st.DataObject) -> None:
    """The Players have four plans for each case that the second Player can see. The program uses the probabilities of
    these plans, and counts from hands that are dealt again."""
    shoe = Shoe.from_values([given_counts.get(value, 0) for value in range(10)])
    theta = data.draw(st.fractions(0, 1, max_denominator=9))
    uses_third, model = data.draw(st.booleans()), data.draw(st.sampled_from(["B1", "B2"]))
    deals = TableauxDealt(shoe, theta, model)
    if not deals.net:
        return
    states = sorted({first for _, first, _ in deals.net}) if uses_third else [None]
    n, m = 4 * len(states), len(deals.net)
    # Variables: the probabilities of the plans; then, for each of Banker's cells, a number that is at most what either
    # move of Banker's is worth to the Players.
    upper, rows = np.zeros((2 * m, n + m)), []
    for i, ((_, first, _), parts) in enumerate(deals.net.items()):
        at = 4 * states.index(first if uses_third else None)
        for (one, two), worth in parts.items():
            for k, plan in enumerate(((True, True), (True, False), (False, True), (False, False))):
                if one in (None, plan[0]) and two in (None, plan[1]):
                    upper[2 * i : 2 * i + 2, at + k] -= [w / deals.deals for w in worth]
        upper[2 * i : 2 * i + 2, n + i] = 1
    for i in range(len(states)):
        rows.append([*[0] * (4 * i), 1, 1, 1, 1, *[0] * (n + m - 4 * i - 4)])
        if i:
            same = [0] * (n + m)
            same[0] = same[1] = 1
            same[4 * i] = same[4 * i + 1] = -1
            rows.append(same)
    right = [1, *[1, 0] * (len(states) - 1)]
    lost = least(
        [0] * n + [-1] * m,
        at_most=(upper, np.zeros(2 * m)),
        equal=(rows, right),
        ranges=[(0, 1)] * n + [(-NO_LIMIT, NO_LIMIT)] * m,
    )
    solved = banque(shoe, theta, model, uses_third=uses_third)
    apart = sum(Fraction(ways, deals.pairs) * solved.naturals[hand].value for hand, ways in deals.naturals.items())
    assert lost == pytest.approx(-float(solved.value - apart), abs=1e-10)


def test_naturals_alone_are_worth_nothing() -> None:
    """Every hand has two nines, a natural eight, so every coup is a tie."""
    solution = banque(Shoe.parse("v:0,0,0,0,0,0,0,0,0,9"), "1/3")
    assert (solution.value, solution.tableaux) == (0, (0, 0))
    check_banque(solution.certificate, solution.shoe, "1/3")


def test_independent_is_a_plan_that_each_can_follow_for_himself() -> None:
    plans = {theta: banque(Shoe.decks(1), theta, "A1", uses_third=False) for theta in ("3/20", "1/4", "1/2")}
    assert {theta: found.independent for theta, found in plans.items()} == {"3/20": True, "1/4": False, "1/2": False}
    for found in plans.values():
        (mix,) = found.players.values()
        first, second = mix.both + mix.first, mix.both + mix.second
        assert found.independent == (mix.both == first * second)


def test_both_draw_or_both_stand_where_the_stakes_are_equal() -> None:
    """With replacement and equal stakes, the Players' best common plan lets both draw or both stand."""
    (mix,) = banque(Shoe.decks(1), "1/2", "A1", uses_third=False).players.values()
    assert mix.first == mix.second == 0
    assert 0 < mix.both < 1


def test_a_wrong_strategy_is_rejected() -> None:
    shoe = Shoe.parse(SMALL[0])
    proof = banque(shoe, "1/2", "B2").certificate
    cell = next(cell for cell, p in proof.banker.items() if p == 1)
    state, mix = next(iter(proof.players.items()))
    hand = next(iter(proof.naturals))
    wrong: dict[str, Any] = {
        "lower bound": replace(proof, lower=proof.lower - 1),
        "upper bound": replace(proof, banker=proof.banker | {c: 1 - p for c, p in proof.banker.items()}),
        "from 0 to 1": replace(proof, banker=proof.banker | {cell: Fraction(3, 2)}),
        "is missing": replace(proof, banker={c: p for c, p in proof.banker.items() if c != cell}),
        "the shoe can deal": replace(proof, banker=proof.banker | {(7, 11, 0): Fraction(0)}),
        "sum to 1": replace(proof, players=proof.players | {state: mix._replace(both=mix.both + 1)}),
        "before the second": replace(proof, players=proof.players | {state: PlayersMix(*map(Fraction, _other(mix)))}),
        "naturals": replace(proof, naturals={h: p for h, p in proof.naturals.items() if h != hand}),
        "denominator 0": replace(proof, denominator=0),
        "denominator x": replace(proof, denominator="x"),
        "BanqueCertificate": None,
        "should be a PlayersMix": replace(proof, players=proof.players | {state: tuple(mix)}),
        "draws with 'x'": replace(proof, banker=proof.banker | {cell: "x"}),
    }
    for said, certificate in wrong.items():
        with pytest.raises(InputError, match=said):
            check_banque(certificate, shoe, "1/2", "B2")


def _other(mix: PlayersMix) -> tuple[int, int, int, int]:
    """A mix in which the first Player draws with another probability."""
    return (1, 0, 0, 0) if mix.both + mix.first != 1 else (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("shoe", "theta", "model", "said"),
    [
        (Shoe.parse("v:8,0,0,0,0,0,0,0,0,0"), "1/2", "B2", "8 cards, should be 9 to 1,404"),
        (Shoe.decks(6), "3/2", "B2", "theta: '3/2', the first Player's part of the stakes, should be from 0 to 1"),
        (Shoe.decks(6), "x", "B2", "theta: 'x'"),
        (Shoe.decks(6), "1/0", "B2", "theta: '1/0'"),
        (Shoe.decks(6), True, "B2", "theta: True"),
        (Shoe.decks(6), "1e-99999", "B2", "theta: '1e-99999'"),
        (Shoe.decks(6), Fraction(-1, 2), "B2", "theta: Fraction(-1, 2)"),
        (Shoe.decks(6), 0.5, "B2", "theta: 0.5"),
        (
            Shoe.decks(6),
            "1/2",
            "B3",
            "model 'B3': should be one of A1, A2, B1, B2, in which the Players see their totals",
        ),
        (6, "1/2", "B2", "shoe: 6, should be a Shoe"),
    ],
)
def test_what_is_no_question_gets_one_line(shoe: Shoe, theta: str, model: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        banque(shoe, theta, model)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_stake_is_as_fine_as_it_is_written_and_the_assumption_said() -> None:
    fine = banque(Shoe.parse("v:9,2,1,2,3,4,2,1,1,2"), "1/1000003", "B1")
    assert fine.theta == Fraction(1, 1_000_003)
    with pytest.raises(InputError, match="uses_third: 'no', should be True or False"):
        banque(Shoe.decks(6), "1/2", "B1", uses_third="no")  # type: ignore[arg-type]


def test_nine_cards_with_which_the_players_have_an_edge() -> None:
    """Stakes are equal, and the second Player uses the third card. With the first of these shoes, the first Player
    always draws on five, and the second Player draws unless the first stood."""
    shoe = Shoe.parse("v:4,1,1,0,2,1,0,0,0,0")
    solution = banque(shoe, "1/2", "B1")
    assert solution.value == Fraction(1, 3780)
    assert solution.independent
    assert {state: mix.both for state, mix in solution.players.items()} == dict.fromkeys((0, 1, 2, 4, 5), 1) | {
        STOOD: 0
    }
    check_banque(solution.certificate, shoe, "1/2", "B1")
    for model in ("B1", "B2"):
        assert banque(Shoe.parse("v:0,0,0,0,1,0,6,0,0,2"), "1/2", model).value == Fraction(5, 252)


@given(few, st.data())
@examples(long=60, short=8)
def test_without_the_first_third_card_the_players_have_no_edge(
    given_counts: dict[int, int], data: st.DataObject
) -> None:
    shoe = Shoe.from_values([given_counts.get(value, 0) for value in range(10)])
    theta, model = data.draw(st.fractions(0, 1, max_denominator=9)), data.draw(st.sampled_from(["B1", "B2"]))
    assert banque(shoe, theta, model, uses_third=False).value <= 0
    assert banque(shoe, 1, model).value <= 0
