"""Naturals that are drawn on: each method of counting, dealing and judging against a separate enumeration."""

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from extent import examples, long_or
from hypothesis import given
from hypothesis import strategies as st

from counting import Shoe, load_game
from counting.cards import CARDS, VALUE_OF_CARD
from counting.chemin import CheminRules
from counting.errors import InputError
from counting.exact import _next_coup, all_deals, counter, joint_distribution, price_shoe, tableau_arrays
from counting.exact.lightning import _thirds
from counting.games import Game, Outcome, Tableau, catalog, unfit
from counting.io.toml import shipped
from counting.logs.deal_order import is_dealt_out
from counting.reports.export import tables
from counting.review.hands import NONE, SHAPE, hand_class
from counting.review.repeats import chance_of_repeat
from counting.simulation import Dealing
from counting.simulation.shoes import play_orders, play_with_replacement
from counting.verify import reference

PUNTO = load_game("punto-banco")
WHOSE = ("player", "banker", "both")
EACH = pytest.mark.parametrize("whose", WHOSE)


def drawn_on(whose: str, **how: object) -> Tableau:
    return Tableau.model_validate(PUNTO.tableau.model_dump() | _letters(PUNTO.tableau) | {"drawn_on": whose, **how})


def _letters(tableau: Tableau) -> dict[str, object]:
    rows = ["".join("SD"[draws] for draws in row) for row in (tableau.player, *tableau.banker)]
    return {"player": rows[0], "banker": rows[1:]}


def game_of(whose: str, bets: tuple[str, ...] = ()) -> Game:
    return replace(PUNTO, name=f"drawn-on-{whose}", tableau=drawn_on(whose)).also(bets)


def coup(values: tuple[int, ...], whose: str) -> tuple[int, int, int, int]:
    """Deal six cards by punto banco's rules in words, except that a natural of `whose` does not end the coup.
    Returns both totals and how many cards each hand has."""
    player, banker, rest = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10, [*values[4:]]
    if (player > 7 and whose == "banker") or (banker > 7 and whose == "player"):
        return player, banker, 2, 2
    third, cards = None, [2, 2]
    final = [player, banker]
    if player < 6:
        third = rest.pop(0)
        final[0], cards[0] = (player + third) % 10, 3
    if third is None:
        draws = banker < 6
    elif banker == 3:
        draws = third != 8
    elif banker in (4, 5, 6):
        draws = 2 * (banker - 3) <= third <= 7
    else:
        draws = banker < 3
    if draws:
        final[1], cards[1] = (banker + rest.pop(0)) % 10, 3
    return final[0], final[1], cards[0], cards[1]


@EACH
@given(st.lists(st.integers(0, 9), min_size=6, max_size=7))
@examples(long=60, short=4)
def test_outcomes_are_those_of_an_enumeration(whose: str, values: list[int]) -> None:
    game, shoe = game_of(whose), Shoe.from_values([values.count(value) for value in range(10)])
    deals = Counter[Outcome]()
    for six, ways in Counter(permutations(values, 6)).items():
        deals[Outcome(*coup(six, whose))] += ways
    apart, of_values = counter(game.tableau, game.tableau.outcomes), np.array([shoe.values], np.int32)
    assert set(deals) <= {*game.tableau.outcomes}
    expected = [deals[outcome] for outcome in game.tableau.outcomes]
    assert apart.classes(shoe.values) == expected
    assert joint_distribution(game.tableau).outcomes(of_values)[0].tolist() == expected
    assert reference.outcomes(game, shoe) == +deals


@pytest.mark.long
@EACH
def test_the_law_is_the_forms_on_any_tableau(whose: str) -> None:
    rng = np.random.default_rng(8)
    shoes = np.array([rng.multivariate_hypergeometric(Shoe.decks(8).values, n) for n in (6, 9, 40, 200, 416)], np.int32)
    for _ in range(long_or(30, 1)):
        player = "".join(rng.choice(["D", "S"], 8))
        rows = ["".join(rng.choice(["D", "S"], 11)) for _ in range(8)]
        ends: list[tuple[str, list[str]]] = [("S" * 8, rows), (player, ["D" * 11] * 8), (player, ["S" * 11] * 8)]
        for letters in ((player, rows), *long_or(ends, [ends[WHOSE.index(whose)]])):
            tableau = drawn_on(whose, player=letters[0], banker=letters[1])
            apart = counter(tableau, tableau.outcomes)
            by_forms = np.column_stack([apart.forms(shoes), all_deals(shoes)]) @ apart.of_class.T
            assert (joint_distribution(tableau).outcomes(shoes) == by_forms).all()


@pytest.mark.long
@EACH
def test_every_bet_of_the_catalog_is_priced_as_dealt(whose: str) -> None:
    game = game_of(whose)
    bets = [name for name, bet in catalog().items() if not unfit(bet, game.tableau)]
    bets = long_or(bets, bets[8 * WHOSE.index(whose) :: 24])  # by default, every eighth bet is priced once
    bets = [*bets, "88-89-98-99", "banker-natural-win", "super-6", "perfect-9"]
    wide = game.also(dict.fromkeys(bets))
    cards = [3, 29, 33, 30, 20, 44, 12][: long_or(7, 6)]  # two 8s, a 9, an A, a 6, a Q and a 4
    shoe = Shoe.from_cards([cards.count(card) for card in range(52)])
    for six in permutations(cards, 6):
        assert reference._shown(wide, six)[0] == coup(tuple(VALUE_OF_CARD[card] for card in six), whose)
    assert price_shoe(wide, shoe).edges == reference.exact_edges(wide, shoe)


@EACH
def test_shoes_are_dealt_by_the_rules(whose: str) -> None:
    tableau, rng = drawn_on(whose), np.random.default_rng(4)
    orders = np.array([rng.permutation(np.repeat(np.arange(52, dtype=np.uint8), 2)) for _ in range(30)])
    coups = play_orders(tableau, Dealing(2, 6, "none"), orders, knows="card")
    drawn = 0
    for shown in coups.shown.tolist():
        values = tuple(VALUE_OF_CARD[card] for card in shown[5:])
        assert tuple(shown[:4]) == coup(values, whose)
        drawn += max((values[0] + values[2]) % 10, (values[1] + values[3]) % 10) > 7 and sum(shown[2:4]) > 4
    assert drawn > 20
    used = coups.shown[:, 2:4].sum(axis=1)
    same = coups.shoe[1:] == coups.shoe[:-1]
    assert (coups.undealt[:-1].astype(int) - coups.undealt[1:])[same].tolist() == used[:-1][same].tolist()
    for shown in play_with_replacement(tableau, 3, 0, 400).tolist():
        assert tuple(shown[:4]) == coup(tuple(VALUE_OF_CARD[card] for card in shown[5:]), whose)


@cache
def _deals_of(cards: tuple[int, ...]) -> Counter[tuple[int, ...]]:
    """For each sequence of values, how many ordered deals of six of these cards have it."""
    return Counter(permutations(cards, 6))


@EACH
def test_the_next_coup_takes_as_many_cards(whose: str) -> None:
    values = np.arange(10, dtype=np.uint8)
    left = np.array([[1, 0, 2, 0, 2, 0, 1, 0, 3, 2]] * 3, np.int32)
    after, used = np.empty((3000, 10), np.int32), np.empty(3000, np.uint8)
    streams = np.arange(3, dtype=np.uint64)
    _next_coup.deal(left, 1000, 9, streams, values, *tableau_arrays(drawn_on(whose)), after, used)
    cards = [value for value, n in enumerate(left[0].tolist()) for _ in range(n)]
    sizes = Counter[int]()
    for six, ways in _deals_of(tuple(cards)).items():
        sizes[sum(coup(six, whose)[2:])] += ways
    for size in (4, 5, 6):
        share = sizes[size] / sum(sizes.values())
        assert (used == size).mean() == pytest.approx(share, abs=5 * (share / 3000) ** 0.5)
    assert (after.sum(axis=1) + used == left[0].sum()).all()


@EACH
def test_logs_are_read_and_judged_by_the_rules(whose: str) -> None:
    """All pairs of first totals with all third cards: hands that the rules deal break no rule; all other hands break
    one."""
    tableau = drawn_on(whose)
    assert _thirds(tableau, 8, 3) == (((None, None),) if whose == "banker" else tuple((None, z) for z in range(10)))
    for p, b, third, fourth in product(range(10), range(10), (*range(10), NONE), (4, NONE)):
        drawn = [z for z in (third, fourth) if z != NONE]
        sizes = (2 + (third != NONE), 2 + (fourth != NONE))
        lawful = coup((p, b, 0, 0, *drawn, *[0] * (2 - len(drawn))), whose)[2:] == sizes
        code = int(np.ravel_multi_index((p, b, third, fourth), SHAPE))
        assert (not hand_class(tableau, code).broken) == lawful, (p, b, third, fourth)
    for p, b in product(range(10), range(10)):
        player, banker = ([CARDS.index(f"{'TA23456789'[v]}s".replace("T", "K")), CARDS.index("Ks")] for v in (p, b))
        assert is_dealt_out(player, banker, tableau) == (coup((p, b, 0, 0, 0, 0), whose)[2:] == (2, 2))


@EACH
def test_repeats_are_as_likely_as_two_like_coups(whose: str) -> None:
    rng = np.random.default_rng(2)
    values = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0])[rng.integers(0, 13, (40_000, 6))]
    sizes = np.array([sum(coup(tuple(six), whose)[2:]) for six in values.tolist()])
    squares = np.where(values == 0, 4 / 13, 1 / 13)
    mean = float(squares.cumprod(axis=1)[np.arange(len(sizes)), sizes - 1].mean())
    assert chance_of_repeat("value", drawn_on(whose)) == pytest.approx(mean, rel=0.2)


def test_a_game_says_so_in_its_file_and_its_digest(tmp_path: Path) -> None:
    text = shipped("games")["punto-banco"].read_text()
    path = tmp_path / "wrong.toml"
    path.write_text(text.replace("[tableau]\n", '[tableau]\ndrawn_on = "both"\n'))
    game = load_game(path)
    assert game.tableau == drawn_on("both")
    assert Game.from_dict(game.to_dict()) == game
    assert "drawn_on" not in PUNTO.to_dict()["tableau"]
    assert game.digest != PUNTO.digest
    path.write_text(text.replace("[tableau]\n", '[tableau]\ndrawn_on = "dealer"\n'))
    with pytest.raises(InputError, match=r"drawn_on = \"dealer\": should be 'player', 'banker' or 'both'"):
        load_game(path)


def test_an_export_has_a_letter_for_each_natural() -> None:
    rows = tables(game_of("player"), Shoe.decks(8))["tableau.csv"]
    naturals = {row["hand"]: (row["total_8"], row["total_9"]) for row in rows}
    assert naturals == {"player": ("S", "S"), "banker": ("E", "E")}


def test_where_a_hand_may_choose_it_is_refused() -> None:
    with pytest.raises(InputError, match=r"^Mine: drawn_on = 'both': naturals end the coup where a hand may choose"):
        CheminRules.of(drawn_on("both"), "Mine", "here")
