"""Bets on the first two cards: pairs and suits, on any partial shoe."""

from fractions import Fraction

import numpy as np
import pytest
from extent import examples
from hypothesis import given
from hypothesis import strategies as st

from counting import InputError, Shoe, edges, events, exact_edges, load_game
from counting.cards import CARDS, RANKS
from counting.exact import deals, probabilities, required_detail, settlement, with_replacement
from counting.exact.evaluators import ByFirst
from counting.games import FIRSTS, Game, Outcome, catalog, unfit
from counting.simulation import Dealing, play
from counting.verify import reference

PUNTO = load_game("punto-banco")
ON_FIRST = [name for name, bet in catalog().items() if bet.shows == "first"]
BY_RANK = [name for name in ON_FIRST if required_detail(catalog()[name]) == "rank"]
EVERY = PUNTO.only(name for name, bet in catalog().items() if not unfit(bet, PUNTO.tableau))
PAIRS, SUITS = PUNTO.only(BY_RANK), PUNTO.only(ON_FIRST)

few = st.integers(0, 3)
ranks = st.one_of(st.lists(few, min_size=13, max_size=13), st.lists(st.integers(0, 32), min_size=13, max_size=13))
some_cards = st.dictionaries(st.integers(0, 51), st.integers(1, 8), min_size=1, max_size=7)


def of_cards(counts: dict[int, int]) -> Shoe:
    return Shoe.from_cards([counts.get(i, 0) for i in range(52)])


def test_which_bets_look_at_first_cards() -> None:
    assert set(BY_RANK) == {"player-pair", "player-pair-12", "banker-pair", "banker-pair-12", "either-pair"}
    assert set(ON_FIRST) - set(BY_RANK) == {
        "perfect-pair", "perfect-pair-26", "perfect-pairs-200", "perfect-pairs-250", "player-suited", "banker-suited",
        "fabulous-pair-player", "fabulous-pair-banker",
    }  # fmt: skip


def test_the_figures_of_a_shoe_with_ranks_run_low() -> None:
    # A public analyzer gets the either-pair wrong on shoes like this one.
    chances = probabilities(PAIRS, Shoe.from_ranks([4, 1, 3, 2, 5, 0, 3, 2, 4, 2, 3, 1, 4]))
    assert f"{float(chances['player-pair']):.12f}" == "0.071301247772"
    assert f"{float(chances['either-pair']):.12f}" == "0.137535219366"
    assert chances["player-pair"] == chances["banker-pair"] if "banker-pair" in chances else True


def equal_the_twins(game: Game, shoe: Shoe) -> None:
    """Assert that events and edges are the same as in the reference implementation, which counts the deals only
    once."""
    counted = reference._all_shown(game, shoe)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "_all_shown", lambda *_: counted)
        assert events(game, shoe) == reference.events(game, shoe)
        assert exact_edges(game, shoe) == reference.exact_edges(game, shoe)


@given(ranks.filter(lambda counts: sum(counts) >= 6))
@examples(long=15, short=4)
def test_pairs_equal_the_slow_twin(counts: list[int]) -> None:
    equal_the_twins(PAIRS, Shoe.from_ranks(counts))


@given(some_cards.filter(lambda counts: sum(counts.values()) >= 6))
@examples(long=60, short=8)
def test_mean_squares_of_every_bet(counts: dict[int, int]) -> None:
    shoe = of_cards(counts)
    chances = probabilities(EVERY, shoe)
    _, squares = settlement(EVERY, EVERY.bet_names).moments(np.array([shoe.cards], np.int32))
    for bet, square in zip(EVERY.bet_names, squares[0], strict=True):
        exact = 1 + sum((pay * pay - 1) * chances[event] for event, pay in EVERY.settlement[bet])
        assert square == pytest.approx(float(exact), rel=1e-11), bet


@given(some_cards.filter(lambda counts: sum(counts.values()) >= 6))
@examples(long=60, short=12)
def test_suits_equal_the_slow_twin(counts: dict[int, int]) -> None:
    equal_the_twins(SUITS, of_cards(counts))


@given(some_cards.filter(lambda counts: sum(counts.values()) >= 6), st.sets(st.sampled_from(FIRSTS), min_size=1))
@examples(long=60, short=20)
def test_any_event_of_first_cards_equals_the_slow_twin(counts: dict[int, int], event: set) -> None:
    from counting.exact import first_cards

    shoe = of_cards(counts)
    combined = first_cards.combination((first, 1) for first in event)
    counted = [*map(int, first_cards.counts(np.array([shoe.cards], np.int32))[0]), deals(shoe.cards_left)]
    twin = reference.firsts(shoe)
    assert sum(int(c) * n for c, n in zip(combined, counted, strict=True)) == sum(twin[first] for first in event)


@given(st.lists(st.integers(0, 3), min_size=52, max_size=52).filter(lambda counts: sum(counts) >= 7))
@examples(long=15, short=5)
def test_the_mean_over_one_random_removed_card_is_the_edge_before(counts: list[int]) -> None:
    shoe = Shoe.from_cards(counts)
    after: dict[str, Fraction] = dict.fromkeys(SUITS.bet_names, Fraction())
    for card, n in zip(CARDS, counts, strict=True):
        if n:
            for bet, edge in exact_edges(SUITS, shoe.without([card])).items():
                after[bet] += Fraction(n, shoe.cards_left) * edge
    assert after == exact_edges(SUITS, shoe)


@given(ranks.filter(lambda counts: sum(counts) >= 6), st.permutations(range(13)))
@examples(long=20, short=6)
def test_no_rank_is_different_to_a_pair(counts: list[int], order: list[int]) -> None:
    assert exact_edges(PAIRS, Shoe.from_ranks(counts)) == exact_edges(
        PAIRS, Shoe.from_ranks([counts[i] for i in order])
    )


@given(st.lists(st.integers(0, 5), min_size=52, max_size=52).filter(lambda counts: sum(counts) >= 6))
@examples(long=40, short=13)
def test_what_is_known_beyond_need_changes_nothing(counts: list[int]) -> None:
    by_card = Shoe.from_cards(counts)
    by_rank = Shoe.from_ranks(by_card.ranks)
    assert exact_edges(PAIRS, by_card) == exact_edges(PAIRS, by_rank)
    assert exact_edges(PUNTO, by_card) == exact_edges(PUNTO, Shoe.from_values(by_card.values))
    names = ("tie-9", *BY_RANK, "banker-5")
    exactly = [float(exact_edges(PUNTO.only(names), by_card)[name]) for name in names]
    np.testing.assert_allclose(edges(PUNTO, [by_card.cards], names)[0], exactly, rtol=1e-14)
    assert (edges(PUNTO, [by_rank.ranks], names) == edges(PUNTO, [by_card.cards], names)).all()


def test_the_sign_of_an_edge_is_the_sign_of_the_fraction() -> None:
    rng = np.random.default_rng(3)
    cards = rng.integers(0, 2, (100, 52)) * rng.integers(0, 3, (100, 52))
    cards[:, :6] += 1
    priced = edges(SUITS, cards)
    for row, counts in zip(priced, cards, strict=True):
        fractions = exact_edges(SUITS, Shoe.from_cards(counts)).values()
        assert np.sign(row).tolist() == [(f > 0) - (f < 0) for f in fractions]


def test_counts_are_exact_at_27_decks() -> None:
    shoe = Shoe.decks(27)
    counts = events(SUITS, shoe)
    n = shoe.cards_left
    assert counts["player-pair"] == deals(n) * 107 // (n - 1)
    assert counts["player-suited"] == deals(n) * 350 // (n - 1)
    np.testing.assert_allclose(
        edges(SUITS, [shoe.cards])[0], [float(e) for e in exact_edges(SUITS, shoe).values()], rtol=1e-14
    )


def test_an_infinite_shoe_is_the_limit_of_many_decks() -> None:
    infinite, many = with_replacement(SUITS), probabilities(SUITS, Shoe.decks(27))
    assert infinite["player-pair"] == Fraction(1, 13)
    assert infinite["two-perfect-pairs"] == Fraction(1, 52**2)
    for name, p in infinite.items():
        assert abs(float(p / many[name]) - 1) < 0.08


@pytest.mark.parametrize(
    ("shoe", "game", "says"),
    [
        (Shoe.from_values([20] * 10), PAIRS, r"knows point values only, not ranks, and player-pair, .* known by rank"),
        (Shoe.from_values([20] * 10), SUITS, r"knows point values only, not ranks, .* known by card, rank and suit"),
        (
            Shoe.from_ranks([20] * 13),
            SUITS,
            r"ranks only, not suits, and perfect-pair, .* known by card, rank and suit",
        ),
        (Shoe.parse("8d-7"), SUITS, "ranks only, not suits"),
    ],
)
def test_a_shoe_that_knows_too_little_is_refused(shoe: Shoe, game: object, says: str) -> None:
    for refused in (lambda: exact_edges(game, shoe), lambda: events(game, shoe), lambda: edges(game, [shoe.counts])):  # type: ignore[arg-type]
        with pytest.raises(InputError, match=says) as error:
            refused()
        assert "\n" not in str(error.value)


def test_a_suit_can_be_written() -> None:
    shoe = Shoe.parse("8d-7h-10s-Kc")
    assert str(shoe) == "8d-7h-10s-Kc"
    assert shoe == Shoe.decks(8).without("7H Ts kC")
    assert shoe.ranks == Shoe.parse("8d-7-10-K").ranks
    assert Shoe.from_cards(shoe.cards) == shoe
    assert Shoe.parse(str(Shoe.from_cards(range(52)))) == Shoe.from_cards(range(52))
    assert Shoe.from_ranks(shoe.ranks).without("7h").ranks[RANKS.index("7")] == shoe.ranks[RANKS.index("7")] - 1
    for wrong, says in (("8d-7x", "card '7x'"), ("1d-7h-7h", "none is left"), ("c:1,2", "should be 52")):
        with pytest.raises(InputError, match=says):
            Shoe.parse(wrong)
    with pytest.raises(InputError, match="its suits are not known"):
        _ = Shoe.parse("8d-7").cards


def test_a_sweep_of_value_bets_counts_nothing_finer() -> None:
    assert not any(isinstance(settled.evaluator, ByFirst) for settled in settlement(PUNTO).parts)


def test_what_dealt_coups_paid_looks_only_at_what_the_bets_need() -> None:
    game = PUNTO.only(["player", "either-pair", "perfect-pairs-200", "majestic-match-player"])
    shown = play(game.tableau, Dealing(), 1, 0, 40).shown
    every, alone = settlement(game), [settlement(game, [bet]).paid(shown)[:, 0] for bet in game.bet_names]
    assert every.sizes[1:] == (len(FIRSTS), len(game.bet("majestic-match-player").pays) + 1)
    assert (every.paid(shown) == np.column_stack(alone)).all()
    for row, paid in zip(shown[:200].tolist(), every.paid(shown).tolist(), strict=False):
        by_hand = [
            game.bet("player").pay(Outcome(*row[:4])),
            *(game.bet(bet).pay(FIRSTS[row[4]]) for bet in ("either-pair", "perfect-pairs-200")),
            game.bet("majestic-match-player").pay(
                reference.hands_met(game, game.bet("majestic-match-player"), row[5:])
            ),
        ]
        assert paid == [float(pay) for pay in by_hand]
    without_cards = settlement(game, ["player", "perfect-pairs-200"]).paid(shown[:, :5])
    assert (without_cards == every.paid(shown)[:, [0, 2]]).all()
