"""The joint distribution, compared with the reference implementation, with linear forms and with a plain loop, for any
tableau and on every instruction set."""

import subprocess
from collections.abc import Sequence
from ctypes import CDLL, c_long, c_void_p
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb, factorial, perm
from pathlib import Path
from shutil import which

import numpy as np
import pytest
from extent import LONG, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import Shoe, load_game
from counting.exact import (
    JOINT_CARDS,
    LEVELS,
    _forms,
    all_deals,
    counter,
    deals,
    evaluators,
    joint_distribution,
    settlement,
    tableau_arrays,
)
from counting.exact.evaluators import ByDistribution, ByForms
from counting.exact.settling import Settled, settled_bets
from counting.games import Bet, Game, Tableau, catalog, unfit
from counting.verify import reference

PUNTO, LOUISIANA = load_game("punto-banco"), load_game("louisiana")
SHIPPED = [PUNTO.tableau, LOUISIANA.tableau, load_game("louisiana-stand-5").tableau]
MACHINE = LEVELS[: _forms.best_level() + 1]
FULL = Shoe.decks(8).values

letters = st.sampled_from("DS")
tableaux = st.builds(
    lambda player, banker: Tableau(player=player, banker=banker),
    st.text(letters, min_size=8, max_size=8),
    st.lists(st.text(letters, min_size=11, max_size=11), min_size=8, max_size=8),
)
shoes = st.one_of(
    st.lists(st.integers(0, 3), min_size=10, max_size=10),
    st.lists(st.integers(0, 45), min_size=10, max_size=10),
    st.integers(0, 9).flatmap(lambda v: st.integers(6, 455).map(lambda n: [n * (v == i) for i in range(10)])),
).filter(lambda counts: sum(counts) >= 6)


def random_tableau(rng: np.random.Generator) -> Tableau:
    """A random tableau, in which Banker's moves distinguish a random number of classes of third cards."""
    player = "".join(rng.choice(["D", "S"], 8, p=[0.7, 0.3]))
    columns = rng.choice(["D", "S"], (8, int(rng.integers(1, 11))))
    of_third = np.concatenate([rng.integers(0, columns.shape[1], 10), [0]])
    return Tableau(player=player, banker=["".join(row) for row in columns[:, of_third]])


def random_shoes(number: int, most: int, seed: int, decks: int = 9) -> np.ndarray:
    rng, full = np.random.default_rng(seed), Shoe.decks(decks).values
    return np.array([rng.multivariate_hypergeometric(full, n) for n in rng.integers(6, most + 1, number)], np.int32)


def of_few_values(counts: Sequence[int]) -> list[int]:
    """The shoe with at most six of its values, so that the slow twin deals it fast. No coup has more values. Which
    values are kept depends on the number of cards. A shoe with too few cards of these values stays as it is."""
    there = [value for value, n in enumerate(counts) if n]
    first = sum(counts) % len(there)
    kept = [*there[first:], *there[:first]][:6]
    few = [n if value in kept else 0 for value, n in enumerate(counts)]
    return few if sum(few) >= 6 else [*counts]


def by_forms(tableau: Tableau, values: np.ndarray) -> np.ndarray:
    apart = counter(tableau, tableau.outcomes)
    return np.column_stack([apart.forms(values), all_deals(values)]) @ apart.of_class.T


@given(tableaux, shoes)
@examples(long=60, short=4)
def test_law_equals_the_slow_twin_on_any_tableau(tableau: Tableau, counts: list[int]) -> None:
    shoe = Shoe.from_values(counts if LONG else of_few_values(counts))
    counted = reference.outcomes(replace(PUNTO, tableau=tableau), shoe)
    joint = joint_distribution(tableau).outcomes(np.array([shoe.values], np.int32))[0]
    assert dict(zip(tableau.outcomes, joint.tolist(), strict=True)) == {o: counted.get(o, 0) for o in tableau.outcomes}


@pytest.mark.parametrize("level", MACHINE)
def test_law_equals_forms_at_every_instruction_set(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTING_ISA", level)
    rng = np.random.default_rng(7)
    values = random_shoes(long_or(20_000, 101), JOINT_CARDS, seed=2)
    for tableau in [*SHIPPED, *(random_tableau(rng) for _ in range(long_or(50, 1)))]:
        assert (joint_distribution(tableau).outcomes(values) == by_forms(tableau, values)).all()


def test_law_equals_forms_in_integers_to_27_decks() -> None:
    values = random_shoes(40, 27 * 52, seed=3, decks=27)
    values[0] = Shoe.decks(27).values
    for tableau in SHIPPED:
        assert (joint_distribution(tableau).outcomes(values) == by_forms(tableau, values)).all()


@pytest.mark.long
@pytest.mark.parametrize(("i", "drawing"), [*enumerate(["DDDDDDSS", "SSSSSSSS", "DDDDDDDD", "DSDSDSDS", "SDDDDDDD"])])
def test_tableaux_at_the_ends(i: int, drawing: str) -> None:
    values = random_shoes(60, 416, seed=4)
    rows = ["D" * 11, "S" * 11, "S" * 10 + "D", "D" * 10 + "S", "DSDSDSDSDSD"]
    for row in long_or(rows, [rows[i - 2]]):
        tableau = Tableau(player=drawing, banker=[row, "D" * 11, "S" * 11, row, row, "S" * 5 + "D" * 6, row, "S" * 11])
        assert (joint_distribution(tableau).outcomes(values) == by_forms(tableau, values)).all()


def test_all_deals_end_somehow() -> None:
    values = random_shoes(200, 416, seed=5)
    assert (joint_distribution(PUNTO.tableau).outcomes(values).sum(axis=1) == all_deals(values)).all()


def test_the_bound_of_float64_is_at_455_cards() -> None:
    """No partial sum of a cell is larger than the number of pairs of three-card hands, each weighted by 2^(cards in
    common). Up to 455 cards, this number is below 2^53."""

    def bound(cards: int) -> int:
        return sum(comb(3, k) ** 2 * factorial(k) * 2**k * perm(cards, 6 - k) for k in range(4))

    assert bound(JOINT_CARDS) < 2**53 < bound(JOINT_CARDS + 1)
    assert bound(27 * 52) < 2**63
    assert joint_distribution(PUNTO.tableau) is joint_distribution(PUNTO.tableau)


@pytest.mark.parametrize("cards", [455, 456, 458, 459])
def test_shoes_at_the_bound(cards: int) -> None:
    """Nearly all cards have the same value, which gives the largest cell that is possible."""
    values = np.array([[cards, *[0] * 9], [0, 0, cards - 1, *[0] * 6, 1], [cards - 40, *[5] * 8, 0]], np.int32)
    values = np.concatenate([values, np.roll(values, 3, axis=1), random_shoes(5, 9 * 52, seed=cards)])
    for tableau in SHIPPED:
        assert (joint_distribution(tableau).outcomes(values) == by_forms(tableau, values)).all()


@pytest.mark.skipif(not which("cc"), reason="needs a C compiler")
def test_law_equals_a_plain_loop(tmp_path: Path) -> None:
    """The loop is the yardstick of the benchmarks. It uses neither linear forms nor joint distributions."""
    library = tmp_path / "plain_loop.so"
    source = Path(__file__).parents[2] / "experiments" / "bench" / "plain_loop.c"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    values = random_shoes(long_or(1_000_000, 300), JOINT_CARDS, seed=6)
    for tableau in SHIPPED:
        arrays, settled = tableau_arrays(tableau), np.empty((len(values), 4))
        pointers = [a.ctypes.data_as(c_void_p) for a in (values, *arrays, settled)]
        CDLL(str(library)).price(pointers[0], c_long(len(values)), *pointers[1:])
        won = np.array(
            [
                ["player", "banker", "tie"].index(o.winner) + (o.winner == "tie" and o.player_total == 7)
                for o in tableau.outcomes
            ]
        )
        joint = joint_distribution(tableau).outcomes(values)
        assert (np.column_stack([joint[:, won == i].sum(axis=1) for i in range(4)]) == settled).all()


def every_bet(game: Game) -> list[Bet]:
    return [bet for bet in catalog().values() if bet.shows == "outcome" and not unfit(bet, game.tableau)]


@cache
def either_way(game: Game) -> tuple[Settled, Settled]:
    """Two evaluators of every bet: by linear forms and by the joint distribution, regardless of which is less work."""
    bets = every_bet(game)
    made = []
    for work in (0, 1 << 40):
        with pytest.MonkeyPatch.context() as patch:
            joint = joint_distribution(game.tableau)
            patch.setattr(
                evaluators,
                "joint_distribution",
                lambda _, joint=joint, work=work: replace(joint, work=1 << 40 if not work else 0),
            )
            made += settled_bets(game.tableau, bets)
    forms, by_distribution = made
    assert isinstance(forms.evaluator, ByForms)
    assert isinstance(by_distribution.evaluator, ByDistribution)
    return forms, by_distribution


@pytest.mark.parametrize("level", MACHINE)
@pytest.mark.parametrize("game", [PUNTO, LOUISIANA], ids=lambda game: game.name)
def test_bets_are_settled_to_the_same_bits_either_way(game: Game, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTING_ISA", level)
    forms, joint = either_way(game)
    values = random_shoes(long_or(5_000, 120), 455, seed=8)
    assert (joint.edges(values) == forms.edges(values)).all()
    assert (joint.edges(values) == joint.moments(values)[0]).all()
    assert (joint.moments(values)[1] == forms.moments(values)[1]).all()
    large = np.array([*values[:3], Shoe.decks(12).values], np.int32)
    assert (joint.edges(large) == forms.edges(large)).all()
    assert (joint.edges(large)[:3] == joint.edges(values[:3])).all()


@pytest.mark.long
def test_squares_are_the_fractions_rounded_once() -> None:
    bets = every_bet(PUNTO)
    values = np.array([of_few_values(counts) for counts in random_shoes(long_or(6, 2), 300, seed=9).tolist()], np.int32)
    squares = settlement(PUNTO.also([bet.name for bet in bets]), tuple(bet.name for bet in bets)).moments(values)[1]
    for row, counts in zip(squares, values, strict=True):
        counted = reference.outcomes(PUNTO, Shoe.from_values(counts))
        for square, bet in zip(row, bets, strict=True):
            paid = sum((bet.pay(o) * bet.denominator).numerator ** 2 * n for o, n in counted.items())
            mean = Fraction(paid, bet.denominator**2 * deals(int(counts.sum())))
            assert square == pytest.approx(float(mean), rel=3e-16)


def test_odds_too_long_for_lanes_are_settled_all_the_same() -> None:
    outcomes = PUNTO.tableau.outcomes
    condition = (
        "player_total={0.player_total} banker_total={0.banker_total} player_cards={0.player_cards} banker_cards="
    )
    odds = {f"{condition.format(o)}{o.banker_cards}": f"{999_999 - i}:1" for i, o in enumerate(outcomes[1:])}
    values = np.array([of_few_values(counts) for counts in random_shoes(3, 416, seed=10).tolist()], np.int32)
    of_shoes = [reference.outcomes(PUNTO, Shoe.from_values(counts)) for counts in values]
    for bets in ([Bet.of("long", odds)], [Bet.of("long", odds), PUNTO.bet("player")]):
        (by_distribution,) = settlement(PUNTO.with_bets(*bets[:1]), [bet.name for bet in bets]).parts
        assert isinstance(by_distribution.evaluator, ByDistribution)
        edges, squares = by_distribution.moments(values)
        for row, square, counted in zip(edges, squares, of_shoes, strict=True):
            total = sum(counted.values())
            for place, bet in enumerate(bets):
                for power, number in ((1, row), (2, square)):
                    mean = sum((bet.pay(o) ** power * n for o, n in counted.items()), Fraction()) / total
                    assert number[place] == pytest.approx(float(mean), rel=1e-13)


@cache
def settled_long(line: str, beside: bool) -> Settled:
    """An evaluator of a bet that pays 999,999, alone or beside every bet of the catalog."""
    bets = [Bet.of("long", {line: "999999:1"}), *(every_bet(PUNTO) if beside else ())]
    (settled,) = settled_bets(PUNTO.tableau, bets)
    return settled


@pytest.mark.parametrize("line", ["player_cards=3", "player_cards=3 banker_cards=3"])
@pytest.mark.parametrize("values", [[0] * 8 + [455, 0], [0, 0, 0, 0, 1, 0, 0, 0, 32, 32]])
def test_large_squares_do_not_cancel(values: list[int], line: str) -> None:
    """On shoes with cards of few values, a bet that pays 999,999 is settled alone, and together with every bet of the
    catalog."""
    bet = Bet.of("long", {line: "999999:1"})
    counted = reference.outcomes(PUNTO, Shoe.from_values([min(n, 9) for n in values]))
    few = np.array([[min(n, 9) for n in values]], np.int32)
    exact = sum((bet.pay(o) ** 2 * n for o, n in counted.items()), Fraction()) / sum(counted.values())
    for beside in (False, True):
        by_distribution = settled_long(line, beside)
        assert by_distribution.moments(few)[1][0, 0] == pytest.approx(float(exact), rel=1e-15)
        edge, square = (numbers[0, 0] for numbers in by_distribution.moments(np.array([values], np.int32)))
        assert square >= edge**2


def test_large_squares_of_first_cards_do_not_cancel() -> None:
    bet = Bet.of("long", {"player_pair=true": "999999:1"})
    game = PUNTO.with_bets(bet)
    shoe = Shoe.from_ranks([1, 1, 0, 0, 0, 2, 1, 1, 1, 0, 0, 0, 0])
    edge, square = (numbers[0, 0] for numbers in settlement(game, ("long",)).moments(np.array([shoe.ranks], np.int32)))
    chance = Fraction(2, 7 * 6)
    assert edge == pytest.approx(float(chance * 999_999 - (1 - chance)), rel=1e-15)
    assert square == pytest.approx(float(chance * 999_999**2 + (1 - chance)), rel=1e-15)
