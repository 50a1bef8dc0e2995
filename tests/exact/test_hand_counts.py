"""Bets settled by the hands: conditions of every kind, compared with a separately written enumeration, on full and
partial shoes."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import perm
from typing import Any

import numpy as np
import pytest
from extent import long_or
from hypothesis import given
from hypothesis import strategies as st
from twins.lines import conditions

from counting import Bet, InputError, Shoe, exact_edges, load_game
from counting.cards import RANKS, WIDTH
from counting.exact import (
    _forms,
    deals,
    edges,
    hand_counts,
    probabilities,
    required_detail,
    settlement,
    with_replacement,
)
from counting.exact.hand_counts import hand_counter
from counting.exact.instruction_sets import LEVELS
from counting.exact.outcomes import counts_by_value
from counting.games import Game, Tableau
from counting.games.conditions import KEYS, PAIR_KINDS, SUIT_NAMES
from counting.games.hand_tables import hand_tables
from counting.simulation import Dealing, play
from counting.verify import pay_lines, reference

GAMES = [load_game(name) for name in ("punto-banco", "louisiana", "louisiana-stand-5")]
PUNTO = GAMES[0]

TIGER_PAIR = Bet.of("tiger-pair", {"pairs_of_one_rank=true": "100:1", "pairs=2": "20:1", "pairs=1": "4:1"})
BETS: dict[str, Any] = {
    "giving": [{"player_first_total": 3, "banker_third_value": 8, "odds": "200:1"}],
    "pairs of one rank": [{"pairs_of_one_rank": True, "odds": "100:1"}, {"pairs": 2, "odds": "20:1"}],
    "kinds of pairs": [
        {"player_pair_kind": kind, "odds": odds} for kind, odds in zip(PAIR_KINDS, ("6:1", "12:1", "25:1"), strict=True)
    ],
    "all red or black": [{"colour": "red", "odds": "22:1"}, {"colour": "black", "odds": "24:1"}],
    "a red pair that wins": [{"player_first_colour": "red", "player_pair": True, "winner": "player", "odds": "9:1"}],
    "three of a kind": [
        {"player_three_of_a_kind": True, "odds": "75:1"}, {"banker_three_of_a_kind": True, "odds": "68:1"},
    ],
    "straight and flush": [
        {"player_straight": True, "player_flush": True, "odds": "90:1"}, {"player_straight": True, "odds": "9:1"},
        {"player_flush": True, "odds": "5:1"},
    ],
    "both flush": [{"player_flush": True, "banker_flush": True, "odds": "200:1"}],
    "royal": [
        {"player_first_two": "K Q", "player_suited": True, "odds": "75:1"}, {"player_first_two": "Q K", "odds": "30:1"},
    ],
    "nines": [{"first_number_of": {"9": n}, "odds": f"{10 * n}:1"} for n in (4, 3, 2)],
    "aces and faces": [{"number_of": {"A": "1-2", "face": [2, 3, 4]}, "odds": "5:1"}],
    "third and suit": [{"player_third_suit": "hearts", "banker_suited": True, "odds": "9:1"}],
    "third cards": [{"player_third_rank": ["K", 8], "banker_third_colour": "red", "odds": "9:1"}],
    "six with a pair": [{"winner": "banker", "banker_total": 6, "banker_pair": True, "odds": "9:1"}],
    "distinct": [{"winner": "player", "player_different_cards": n, "odds": f"{4 - n}:1"} for n in (1, 2, 3)],
    "neither": [{"not": [{"winner": "tie"}, {"player_pair": True}, {"banker_suited": True}], "odds": "1:2"}],
    "either": [{"any": [{"player_natural": True, "player_suited": True}, {"banker_suit": "clubs"}], "odds": "3:1"}],
    "multiplied": [
        {"player_suited": True, "odds": "x3"}, {"banker_suited": True, "odds": "x2"},
        {"winner": "player", "odds": "1:1"}, {"winner": "tie", "odds": "push"},
    ],
    "one colour first": [{"first_colour": ["red", "black"], "odds": "6:1"}],
    "tens of two ranks": [{"banker_number_of": {"10": 1, "K": [1, 2]}, "odds": "9:1"}],
}  # fmt: skip


def bet(name: str, pays: Any = None) -> Bet:
    return Bet(name=name.replace(" ", "-"), pays=pays or BETS[name])


def shoe_of(rng: random.Random, knows: str) -> Shoe:
    """A random shoe of few different cards, on which rare hands are common."""
    pool = rng.sample(range(52), 4)
    if rng.random() < 0.5:  # cards of few values, so that hands of three are dealt
        pool = [4 * rng.choice([0, 1, 9, 10, 11, 12]) + rng.randrange(4) for _ in range(4)]
    if knows == "rank":
        pool = [card - card % 4 for card in pool]
    counts = [0] * 52
    for _ in range(rng.randint(6, 24)):
        counts[rng.choice(pool)] += 1
    return Shoe.from_cards(counts)


def equal_the_twin(game: Game, bets: list[Bet], shoe: Shoe) -> None:
    for each in bets:
        lines = [line.plain for line in each.pays]
        counter = hand_counter(each.conditions, game.tableau)
        wanted = reference.hands(shoe, game, lines)
        for knows, width in WIDTH.items():
            if [*WIDTH].index(counter.knows) <= [*WIDTH].index(knows):
                counts = np.array([shoe.counts if knows == "card" else shoe.ranks if knows == "rank" else shoe.values])
                assert counts.shape[1] == width
                assert counter.counts(counts.astype(np.int32))[0].tolist() == wanted, (each, shoe, knows)


@pytest.mark.parametrize("name", BETS)
def test_lines_equal_the_slow_twin(name: str) -> None:
    rng = random.Random(name)
    first = [*BETS].index(name)  # so that every game has its turn
    for i in range(long_or(50, 1)):
        equal_the_twin(GAMES[(first + long_or(i, 0)) % 3], [bet(name)], shoe_of(rng, "card"))


def test_random_conditions_equal_the_slow_twin() -> None:
    rng, tried, refused = random.Random(20), 0, 0
    while tried < long_or(1000, 6):
        lines = [{**conditions(rng, long_or(0, 1)), "odds": f"{i + 2}:1"} for i in range(rng.randint(1, long_or(3, 2)))]
        each, game = bet("random", lines), GAMES[tried % 3]
        try:
            hand_counter(each.conditions, game.tableau)
        except InputError:
            refused += 1
            continue
        tried += 1
        equal_the_twin(game, [each], shoe_of(rng, "card"))
    assert refused <= tried // 5  # because the conditions look at too much together


def test_lines_at_any_tableau_equal_the_slow_twin() -> None:
    """Totals and third cards share a label if the tableau treats them alike. In a random tableau, few share a label,
    and not the same ones as in baccarat. Naturals may be drawn on."""
    rng, letters = random.Random(23), lambda number: "".join(rng.choices("DS", k=number))
    for i in range(long_or(40, 4)):
        banker = [letters(11) for _ in range(8)]
        drawn_on = (None, "player", "banker", "both")[i % 4]
        tableau = Tableau(player=letters(8), banker=banker, drawn_on=drawn_on)
        name = ("third cards", "a red pair that wins", "three of a kind")[i % 3]
        equal_the_twin(replace(PUNTO, tableau=tableau), [bet(name)], shoe_of(rng, "card"))


def test_labels_are_of_what_lines_tell_apart() -> None:
    """Labels state whether a pair is of a rank that the lines name, and how third cards are drawn. They do not
    distinguish all ranks, totals and third cards."""
    each = bet("ranks", [{"player_pair_rank": ["K", 8], "banker_third_rank": ["K"], "odds": "9:1"}])
    player, banker = hand_tables(each.conditions, PUNTO.tableau).labels
    assert player.details.tolist() == [[0], [1]]
    # Player draws, stands or has a natural (3), with one of five classes of third cards or none (5 + 1). Banker has 0
    # to 2, 3, 4, 5, 6, 7 or a natural (7), with a third card or none (2). Combinations that no coup shows are counted
    # too.
    assert player.values.shape == (3 * (5 + 1), 2)
    assert banker.values.shape == (7 * 2, 2)


def test_every_key_is_tried() -> None:
    rng = random.Random(20)
    tried = {key for _ in range(400) for key in conditions(rng)}
    assert tried >= {*KEYS}


def test_a_bet_that_takes_too_many_draws_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_counts, "_MOST_DRAWS", 1000)
    game = PUNTO.with_bets(bet("both flush", [{**BETS["both flush"][0], "winner": "tie"}]))  # not cached yet
    for price in (lambda: exact_edges(game, Shoe.decks(8)), lambda: settlement(game).parts):
        with pytest.raises(InputError, match=r"^bet 'both-flush': pays: the lines look at too many cards"):
            price()


@pytest.mark.parametrize("level", LEVELS[: _forms.best_level() + 1])
@pytest.mark.parametrize("shoes", [1, 16, 37])
def test_every_instruction_set_counts_lines_alike(shoes: int, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of shoes are full or not full. The counts agree with a second way: each shoe's deals are counted by the
    number of cards dealt, and multiplied by the ways to deal the rest of six cards."""
    monkeypatch.setenv("COUNTING_ISA", level)
    rng = np.random.default_rng(5)
    many = (rng.integers(0, 9, (shoes, 52)) * rng.choice([1, 3], (shoes, 1))).astype(np.int32)
    for name in ("distinct", "third and suit", "nines", "kinds of pairs"):
        counter = hand_counter(bet(name).conditions, PUNTO.tableau)
        wanted = [
            [
                sum(int(n) * perm(int(row.sum()) - dealt, 6 - dealt) for dealt, n in enumerate(line, 2))
                for line in counter.by_cards_dealt(row[np.newaxis])[0]
            ]
            for row in many
        ]
        assert counter.counts(many).tolist() == wanted


def test_lines_that_cannot_happen_are_none_of_those_met() -> None:
    rng = random.Random(21)
    for _ in range(long_or(60, 10)):
        each = bet("random", [{**conditions(rng, 1), "odds": "2:1"}])
        try:
            met = hand_tables(each.conditions, PUNTO.tableau).lines_met
            counts = hand_counter(each.conditions, PUNTO.tableau).counts(np.full((1, 52), 8, np.int32))[0]
        except InputError:
            continue
        assert (counts[0] > 0) == (0 in met), each
        assert (counts[0] < deals(416)) == (1 in met), each


def test_bets_on_outcomes_and_first_cards_come_out_the_same() -> None:
    """The same bets get a further condition, which always holds, so that they are settled by the hands."""
    always = {"any": [{"player_first_total": "0-9"}]}
    lines = {
        "tie-8": [{"winner": "tie", "odds": "8:1"}],
        "lucky-6": [
            {"winner": "banker", "banker_total": 6, "banker_cards": n, "odds": f"{4 * n + 4}:1"} for n in (2, 3)
        ],
        "perfect-pairs-200": [{"perfect_pairs": 2, "odds": "200:1"}, {"perfect_pairs": 1, "odds": "25:1"}],
        "player-suited": [{"player_suited": True, "odds": "143:50"}],
    }
    shown = [bet(name, pays) for name, pays in lines.items()]
    by_hands = [bet(f"{name}-2", [{**line, **always} for line in pays]) for name, pays in lines.items()]
    assert {each.shows for each in by_hands} == {"hands"} != {each.shows for each in shown}
    game = PUNTO.only(["player"]).with_bets(*shown, *by_hands)
    names = game.bet_names[1:]
    rng = np.random.default_rng(2)
    shoes = rng.integers(0, 9, (200, 52)).astype(np.int32)
    priced, squares = settlement(game, names).moments(shoes)
    assert (priced[:, :4] == priced[:, 4:]).all()
    assert (squares[:, :4] == squares[:, 4:]).all()


@pytest.mark.long
def test_edges_are_those_of_the_fractions() -> None:
    game = PUNTO.with_bets(*map(bet, BETS))
    rng = np.random.default_rng(3)
    shoes = rng.integers(0, 9, (long_or(6, 1), 52))
    priced = edges(game, shoes)
    for row, counts in zip(priced, shoes, strict=True):
        exact = exact_edges(game, Shoe.from_cards(counts.tolist()))
        assert row == pytest.approx([float(edge) for edge in exact.values()], rel=1e-15, abs=1e-18)
        assert [np.sign(edge) for edge in row] == [(edge > 0) - (edge < 0) for edge in exact.values()]


@pytest.mark.long
def test_an_unseen_card_changes_nothing() -> None:
    """The mean edge after one unseen card is exactly the edge before it."""
    game = PUNTO.with_bets(*map(bet, BETS))
    rng = random.Random(4)
    counts = [rng.randrange(3) for _ in range(52)]
    before = exact_edges(game, Shoe.from_cards(counts))
    after = dict.fromkeys(before, Fraction())
    for card, n in enumerate(counts):
        if n:
            less = counts.copy()
            less[card] -= 1
            for name, edge in exact_edges(game, Shoe.from_cards(less)).items():
                after[name] += Fraction(n, sum(counts)) * edge
    assert after == before


@given(st.integers(0, 10**6))
def test_suits_that_change_places_change_nothing(seed: int) -> None:
    rng = random.Random(seed)
    name = rng.choice(["kinds of pairs", "straight and flush", "both flush", "distinct", "royal"])
    counts = np.array([rng.randrange(5) for _ in range(52)], np.int32).reshape(13, 4)
    swap = rng.choice([[1, 0, 3, 2], [0, 2, 1, 3], [3, 2, 1, 0]])  # suits of one colour still share a colour
    counter = hand_counter(bet(name).conditions, PUNTO.tableau)
    counted = counter.counts(np.stack([counts.reshape(-1), counts[:, swap].reshape(-1)]))
    assert (counted[0] == counted[1]).all()


def test_the_most_cards_do_not_overflow() -> None:
    shoe = Shoe.decks(27)
    game = PUNTO.with_bets(*map(bet, BETS))
    for name, chance in probabilities(game, shoe).items():
        assert 0 <= chance <= 1, name
    few = probabilities(game, Shoe.decks(8))
    many = with_replacement(game)
    for name, chance in probabilities(game, shoe).items():
        assert abs(chance - many[name]) <= abs(few[name] - many[name]) + Fraction(1, 10**9), name


def test_dealt_coups_are_paid_as_the_twin_pays() -> None:
    game = PUNTO.with_bets(*map(bet, BETS))
    coups = play(game.tableau, Dealing(1), 5, 0, 60, "card")
    pays = settlement(game).paid(coups.shown)
    for row, paid in zip(coups.shown.tolist(), pays.tolist(), strict=True):
        player, banker = reference.dealt_hands(game, row[5:])
        for name, pay in zip(game.bet_names, paid, strict=True):
            each = game.bet(name)
            if each.shows == "hands":
                line = pay_lines.first_met([line.plain for line in each.pays], player, banker)
                assert pay == (float(each.pays[line].pay) if line < len(each.pays) else -1.0)


def test_a_tiger_pair_of_a_small_shoe() -> None:
    """On a shoe of four aces of spades, two of hearts, two kings and a seven, a public calculator counts perfect pairs
    twice. The right chance that the bet wins is 46/63."""
    shoe = Shoe.from_cards([4, 2, *[0] * 25, 1, *[0] * 22, 2, 0])
    chances = probabilities(PUNTO.only(["player"]).with_bets(TIGER_PAIR), shoe)
    one_or_two = [chances[name] for name in ("pairs-of-one-rank", "pairs-2", "pairs-1")]
    assert sum(one_or_two) == 1 - chances_of_none(shoe) == Fraction(46, 63)
    assert required_detail(TIGER_PAIR) == "rank"


def chances_of_none(shoe: Shoe) -> Fraction:
    counts = reference.firsts(shoe)
    return Fraction(sum(n for first, n in counts.items() if not first.pairs), deals(shoe.cards_left))


def test_the_printed_edge_of_a_tiger_pair() -> None:
    shoe = Shoe.decks(8)
    game = PUNTO.only(["player"]).with_bets(TIGER_PAIR)
    assert f"{float(-exact_edges(game, shoe)['tiger-pair']):.6f}" == "0.161217"


def test_weights_of_lines_that_look_at_values() -> None:
    each = bet("giving")
    counter = hand_counter(each.conditions, PUNTO.tableau)
    assert counter.knows == "value"
    shoes = np.random.default_rng(6).integers(0, 40, (100, 10)).astype(np.int32)
    assert (counter.counts(shoes) == counter._by_trees(shoes)).all()
    cards = np.random.default_rng(7).integers(0, 9, (100, 52)).astype(np.int32)
    assert (counter.counts(cards) == counter.counts(counts_by_value(cards))).all()


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([{"player_first_two": "KQ", "odds": "2:1"}], r"player_first_two = \"KQ\": should be two ranks as 'K Q'"),
        ([{"player_third_rank": "1", "odds": "2:1"}], "player_third_rank = \"1\": should be a rank"),
        ([{"number_of": {"9s": 2}, "odds": "2:1"}], "'9s' should be a rank"),
        ([{"number_of": {"9": 7}, "odds": "2:1"}], "should be 0 to 6"),
        ([{"colour": "green", "odds": "2:1"}], "colour = \"green\": should be 'red', 'black' or a list of them"),
        ([{"any": [], "odds": "2:1"}], "should be a table of conditions or a list of tables"),
        ([{"any": [{"winer": "tie"}], "odds": "2:1"}], "pays 1, any 1, winer = .*did you mean 'winner'"),
        ([{"player_first_total": 3, "player_natural": True, "odds": "2:1"}], "pays 1: no coup meets this line"),
        ([{"player_flush": True, "player_cards": 2, "odds": "2:1"}], "pays 1: no coup meets this line"),
        ([{"winner": "tie", "odds": "x1000"}], "should be odds as"),
    ],
)  # fmt: skip
def test_a_mistaken_line_says_what_is_allowed(lines: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        PUNTO.with_bets(Bet(name="mistaken", pays=lines))


def test_lines_that_return_too_much_for_64_bits_together_are_refused() -> None:
    third = [*product(RANKS, SUIT_NAMES)]
    lines: Any = [
        {"player_first_total": a, "player_third_rank": rank, "player_third_suit": suit, "banker_first_total": b}
        | {"odds": "999999:1"}
        for a, (rank, suit), b in product(range(6), third, range(8))
    ]
    most = PUNTO.with_bets(Bet(name="big", pays=lines[:1073]))
    exact = float(exact_edges(most, Shoe.decks(8), bets="big")["big"])
    assert edges(most, np.full((1, 52), 8), ["big"])[0, 0] == pytest.approx(exact, rel=1e-15)
    says = (
        "^bet 'big': pays: 1,074 lines return 1,074,000,001 over their common denominator, .* at most 1,073,741,824: "
    )
    with pytest.raises(InputError, match=says):
        PUNTO.with_bets(Bet(name="big", pays=lines[:1074]))
