"""Dealing: the random words, the shuffle, the tableau at the table, burn and cut card."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import InputError, load_game
from counting.cards import Knows, coarser
from counting.games import FIRSTS, STOOD, First, Game, Outcome
from counting.simulation import Coups, Dealing, _deal, as_after_cut, play
from counting.simulation.dealing import AFTER_CUT, PRESETS
from counting.simulation.shoes import play_with_replacement

GAMES = [load_game(name) for name in ("punto-banco", "louisiana", "louisiana-stand-5")]
LOUISIANA = GAMES[1]

dealings = st.builds(
    Dealing,
    decks=st.integers(1, 9),
    cut=st.integers(0, 41),
    burn=st.sampled_from(["none", "first-card", "1", "3", "3-shown", "9-shown"]),
    after_cut=st.sampled_from(AFTER_CUT),
)


def order(seed: int, shoe: int, decks: int) -> list[int]:
    cards = np.empty(52 * decks, np.uint8)
    _deal.order(seed, shoe, decks, cards)
    return cards.tolist()


def numpys_halves(seed: int, stream: int) -> Iterator[int]:
    words = np.random.Philox(key=np.array([seed, stream], np.uint64))
    while True:
        word = int(words.random_raw())
        yield from (word % 2**32, word >> 32)


def below(limit: int, halves: Iterator[int]) -> int:
    """Lemire's bounded draw: multiply a half by the limit, and draw again while the product's low half is below 2^32
    mod limit."""
    product = next(p for p in (half * limit for half in halves) if p % 2**32 >= 2**32 % limit)
    return product >> 32


def value(card: int) -> int:
    return card // 4 + 1 if card < 36 else 0


@dataclass
class Row:
    coup: int
    undealt: int
    unseen: list[int]  # how many of each of the 52 cards
    outcome: Outcome
    first: First


def by_hand(game: Game, dealing: Dealing, cards: list[int]) -> list[Row]:
    """The slow twin deals a shoe card by card, and counts the cards in front of the cut card."""
    unseen = [dealing.decks] * 52
    stack = list(cards)
    in_front = len(stack) - dealing.cut
    if dealing.burn == "first-card":
        unseen[stack[0]] -= 1
        burned = value(stack.pop(0))
        del stack[: burned or 10]
        in_front -= 1 + (burned or 10)
    elif dealing.burn != "none":
        number, _, shown = dealing.burn.partition("-")
        for card in stack[: int(number)] if shown else []:
            unseen[card] -= 1
        del stack[: int(number)]
        in_front -= int(number)
    more: int | None = None  # coups still to be dealt, once the cut card is out
    rows: list[Row] = []
    while len(stack) >= 6:
        if more is None and in_front == 0:  # the coup begins with the cut card
            more = dealing.after_cut[1] + 1
        if more is not None:
            if more == 0:
                break
            more -= 1
        taken: list[int] = []

        def draw(taken: list[int] = taken) -> int:
            taken.append(stack.pop(0))
            return value(taken[-1])

        start = len(stack)
        p1, b1, p2, b2 = draw(), draw(), draw(), draw()
        player, banker, drew = (p1 + p2) % 10, (b1 + b2) % 10, [2, 2]
        if player < 8 and banker < 8:
            third = STOOD
            if game.tableau.player[player]:
                third = draw()
                drew[0] = 3
            if game.tableau.banker[banker][third]:
                banker = (banker + draw()) % 10
                drew[1] = 3
            player = (player + third) % 10 if drew[0] == 3 else player
        ranks, suits = [card // 4 for card in taken], [card % 4 for card in taken]
        first = First(ranks[0] == ranks[2], suits[0] == suits[2], ranks[1] == ranks[3], suits[1] == suits[3])
        rows.append(Row(len(rows) + 1, start, list(unseen), Outcome(player, banker, *drew), first))
        for card in taken:
            unseen[card] -= 1
        in_front -= len(taken)
        if more is None and in_front < 0:  # the cut card came out inside the coup
            more = dealing.after_cut[0]
    return rows


def shown(coups: Coups) -> list[Outcome]:
    return [Outcome(*row[:4]) for row in coups.shown.tolist()]


@pytest.mark.parametrize(("seed", "stream"), [(0, 0), (1, 7), (2**63 - 1, 10**9), (12345, 2**40)])
def test_words_are_those_of_numpys_philox(seed: int, stream: int) -> None:
    halves = np.empty(2000, np.uint32)
    _deal.halves(seed, stream, halves)
    words = np.random.Philox(key=np.array([seed, stream], np.uint64)).random_raw(1000)
    assert (halves[::2] == words & 0xFFFFFFFF).all()
    assert (halves[1::2] == words >> 32).all()


@pytest.mark.parametrize("limit", [1, 52, 416, 2**31 + 1, 3 * 2**30, 2**32 - 1])
def test_bounded_draws_leave_no_value_favoured(limit: int) -> None:
    drawn, halves = np.empty(1000, np.uint32), numpys_halves(5, 6)
    _deal.below(5, 6, limit, drawn)
    assert drawn.tolist() == [below(limit, halves) for _ in range(1000)]


@pytest.mark.parametrize(("seed", "shoe", "decks"), [(0, 0, 1), (1, 7, 8), (2**63 - 1, 10**9, 27)])
def test_a_shoe_is_shuffled_from_the_first_card_on(seed: int, shoe: int, decks: int) -> None:
    cards, halves = [*range(52)] * decks, numpys_halves(seed, shoe)
    for i in range(len(cards)):
        j = i + below(len(cards) - i, halves)
        cards[i], cards[j] = cards[j], cards[i]
    assert order(seed, shoe, decks) == cards


@given(st.integers(0, 2**63 - 1), st.integers(0, 2**40), st.integers(1, 27))
@settings(max_examples=30, deadline=None)
def test_a_shuffle_keeps_every_card(seed: int, shoe: int, decks: int) -> None:
    assert Counter(order(seed, shoe, decks)) == Counter(range(52)) | Counter(dict.fromkeys(range(52), decks))


def test_every_card_comes_to_every_place_equally_often() -> None:
    first, last = np.zeros(52), np.zeros(52)
    for shoe in range(20_000):
        cards = order(3, shoe, 1)
        first[cards[0]] += 1
        last[cards[-1]] += 1
    for seen in (first, last):
        assert ((seen - 20_000 / 52) ** 2).sum() / (20_000 / 52) < 98  # chi-square, 51 degrees, p = 0.0001


@given(st.sampled_from(GAMES), dealings, st.integers(0, 1000), st.sampled_from(["value", "rank", "card"]))
@settings(max_examples=150, deadline=None)
def test_a_shoe_is_dealt_as_by_hand(game: Game, dealing: Dealing, seed: int, knows: Knows) -> None:
    coups = play(game.tableau, dealing, seed, 5, 2, knows)
    outcomes = shown(coups)
    for shoe in range(2):
        rows = np.flatnonzero(coups.shoe == shoe)
        expected = by_hand(game, dealing, order(seed, 5 + shoe, dealing.decks))
        assert coups.coup[rows].tolist() == [row.coup for row in expected]
        assert coups.undealt[rows].tolist() == [row.undealt for row in expected]
        assert coups.left[rows].tolist() == [list(coarser(tuple(row.unseen), knows)) for row in expected]
        assert coups.values[rows].tolist() == [list(coarser(tuple(row.unseen), "value")) for row in expected]
        assert [outcomes[i] for i in rows] == [row.outcome for row in expected]
        assert [FIRSTS[code] for code in coups.shown[rows, 4]] == [row.first for row in expected]


@given(dealings, st.integers(0, 41), st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_a_deeper_cut_deals_the_coups_whose_last_cut_allows_it(dealing: Dealing, deeper: int, seed: int) -> None:
    if deeper < dealing.cut:
        deeper, dealing = dealing.cut, replace(dealing, cut=deeper)
    every = play(LOUISIANA.tableau, dealing, seed, 0, 3)
    fewer = play(LOUISIANA.tableau, replace(dealing, cut=deeper), seed, 0, 3)
    kept = every.only(every.last_cut >= deeper)
    assert kept.values.tolist() == fewer.values.tolist()
    assert kept.coup.tolist() == fewer.coup.tolist()
    assert shown(kept) == shown(fewer)


def test_last_cut_falls_along_the_shoe() -> None:
    for after in AFTER_CUT:
        coups = play(LOUISIANA.tableau, Dealing(cut=0, after_cut=after), 1, 0, 1)
        assert all(a >= b for a, b in pairwise(coups.last_cut.tolist()))


@given(dealings, st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_every_shoe_reaches_the_certain_coups(dealing: Dealing, seed: int) -> None:
    coups = play(LOUISIANA.tableau, dealing, seed, 0, 20)
    reached = np.bincount(coups.shoe)
    assert reached.min() >= dealing.certain_coups


def test_certain_coups_are_those_of_six_cards_each() -> None:
    # Of 416 cards, at least 14 are left when coup 68 begins, and at least 8 when coup 69 begins.
    assert Dealing().certain_coups == 68
    assert Dealing(after_cut=(1, 1)).certain_coups == 69
    assert Dealing(after_cut="1,1") == Dealing(after_cut=(1, 1))  # type: ignore[arg-type]  # as on the command line
    assert Dealing(cut=0, after_cut=(2, 2)).certain_coups == 69
    assert Dealing(burn="first-card").certain_coups == 67
    assert Dealing(cut=416).certain_coups == 1


def test_a_procedure_in_words() -> None:
    said = {Dealing(after_cut=pair).words for pair in AFTER_CUT}
    assert len(said) == len(AFTER_CUT)
    assert Dealing(1, 14).words.startswith("1 deck, no burn cards, 14 cards behind the cut card; when it appears")
    assert Dealing(2, 1, "1").words.startswith("2 decks, 1 card burned unseen, 1 card behind the cut card; when it")
    assert Dealing(2, 1, "1").recorded.startswith("2 decks, 1 card burned unseen, 1 cards behind the cut card, ")


@pytest.mark.parametrize(("after", "extra"), [((0, 0), 0), ((1, 0), 1), ((1, 1), 1), ((2, 1), 2), ((2, 2), 2)])
def test_after_cut_adds_coups(after: tuple[int, int], extra: int) -> None:
    # With 60 cards behind the cut card, no shoe runs out before the added coups are dealt.
    inside, first = 0, 0
    for shoe in range(200):
        rows = play(LOUISIANA.tableau, Dealing(cut=60, after_cut=after), 1, shoe, 1).undealt.tolist()
        reached = sum(u >= 60 for u in rows)
        began_with_it = 60 in rows
        assert len(rows) - reached == (after[1] if began_with_it else extra)
        inside, first = inside + (not began_with_it), first + began_with_it
    assert inside > 100
    assert first > 20


def test_the_hidden_burn_cards_stay_unseen() -> None:
    coups = play(LOUISIANA.tableau, Dealing(burn="first-card"), 1, 0, 500)
    hidden = coups.cards_left - coups.undealt
    first = coups.coup == 1
    assert (coups.cards_left[first] == 415).all()
    assert set(hidden.tolist()) == set(range(1, 11))
    tens = (hidden[first] == 10).mean()
    assert abs(tens - 16 / 52) < 0.1


def test_no_coup_begins_with_fewer_than_six_cards() -> None:
    coups = play(LOUISIANA.tableau, Dealing(cut=0, after_cut=(2, 2)), 2, 0, 2000)
    assert coups.undealt.min() == 6
    assert (coups.cards_left == coups.undealt).all()


def test_a_shoes_cards_depend_on_seed_and_shoe_alone() -> None:
    together = play(LOUISIANA.tableau, Dealing(), 9, 100, 20)
    alone = play(LOUISIANA.tableau, Dealing(), 9, 107, 1)
    assert together.only(together.shoe == 7).values.tolist() == alone.values.tolist()
    assert play(LOUISIANA.tableau, Dealing(), 10, 107, 1).values.tolist() != alone.values.tolist()


def test_the_convention_of_the_field_deals_81_28_coups() -> None:
    # Jacobson's convention, recomputed on 3e7 shoes: 81.28 coups a shoe.
    coups = play(GAMES[0].tableau, Dealing.named("jacobson"), 1, 0, 20_000)
    by_shoe = np.bincount(coups.shoe)
    assert abs(by_shoe.mean() - 81.28) < 4 * by_shoe.std() / 20_000**0.5


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_with_replacement_coups_are_dealt_as_by_hand(game: Game) -> None:
    deck, halves, cards = [*range(52)], numpys_halves(4, 9), []
    for _ in range(6000):
        j = below(52, halves)
        deck[0], deck[j] = deck[j], deck[0]
        cards.append(deck[0])
    expected = by_hand(game, Dealing(decks=1, cut=0), cards)
    rows = play_with_replacement(game.tableau, 4, 9, len(expected)).tolist()
    assert [Outcome(*row[:4]) for row in rows] == [row.outcome for row in expected]
    assert [FIRSTS[row[4]] for row in rows] == [row.first for row in expected]


def test_with_replacement_cards_are_independent() -> None:
    game = load_game("punto-banco")
    rows = play_with_replacement(game.tableau, 1, 0, 200_000)
    tie = (rows[:, 0] == rows[:, 1]).mean()
    assert abs(tie - 0.0951) < 4 * (0.095 * 0.905 / 200_000) ** 0.5
    assert (play_with_replacement(game.tableau, 1, 0, 10) == rows[:10]).all()
    assert (play_with_replacement(game.tableau, 1, 1, 10) != rows[:10]).any()


def test_presets() -> None:
    seventh = Dealing.named("seventh-last")
    assert (seventh.cut, seventh.burn, seventh.after_cut) == (7, "first-card", (0, 0))
    assert Dealing.named("louisiana-75").penetration == Dealing.named("louisiana-75", 6).penetration == 0.75
    assert all(Dealing.named(name).decks == 8 for name in PRESETS)
    assert [Dealing.named("macau", decks).burn for decks in (6, 8, 12)] == ["6", "8", "12"]
    assert Dealing.named("macau-first-card") == Dealing(8, 12, "first-card", (1, 0))
    with pytest.raises(InputError, match="did you mean 'jacobson'"):
        Dealing.named("jacobsen")


def test_after_cut_texts() -> None:
    assert [as_after_cut(t) for t in ("0", "1", "2", " 1 , 1 ")] == [(0, 0), (1, 0), (2, 1), (1, 1)]


@pytest.mark.parametrize("text", ["0,1", "2,0", "1,2", "5,1"])
def test_pairs_under_which_the_cuts_are_no_range_are_refused_with_that_reason(text: str) -> None:
    with pytest.raises(
        InputError, match="0,0, 1,0, 1,1, 2,1, 2,2: for other pairs, the cuts that deal a coup do not form a range"
    ):
        as_after_cut(text)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: as_after_cut("one"), "should be one of"),
        (lambda: as_after_cut("3,2"), "at most two more coups"),
        (lambda: Dealing(after_cut=(0, 1)), "do not form a range"),
        (lambda: Dealing(decks=0), "decks: 0, should be a whole number from 1 to 27"),
        (lambda: Dealing(cut=417), "cut: 417, should be a whole number from 0 to 416"),
        (lambda: Dealing(cut=406, burn="first-card"), "from 0 to 405"),
        (lambda: Dealing(cut=-1), "cut: -1"),
        (
            lambda: Dealing(burn="first"),
            r"should be none, first-card, or 1 to 52 cards, as 3 \(unseen\) or 3-shown; did you mean 'first-card'",
        ),
        (lambda: Dealing(burn="53"), "burn: '53', should be none"),
        (lambda: Dealing(cut=414, burn="3"), "from 0 to 413"),
        (lambda: play(LOUISIANA.tableau, Dealing(), -1, 0, 1), "seed: -1"),
        (lambda: play(LOUISIANA.tableau, Dealing(), 2**63, 0, 1), "seed"),
    ],
)
def test_malformed_procedures_are_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=says):
        make()


@pytest.mark.parametrize("knows", ["value", "card"])
def test_cards_missed_are_of_the_shoe_alone_and_of_the_coups_before(knows: Knows) -> None:
    coups = play(LOUISIANA.tableau, Dealing(cut=200), 3, 0, 6, knows)
    for rate in (0.0, 0.3, 1.0):
        missed = coups.noticed(rate) - coups.left
        for row, (shoe, number) in enumerate(zip(coups.shoe.tolist(), coups.coup.tolist(), strict=True)):
            if number == 1:
                assert not missed[row].any()
                continue
            more, dealt = missed[row] - missed[row - 1], coups.left[row - 1] - coups.left[row]
            assert coups.shoe[row - 1] == shoe
            assert ((more >= 0) & (more <= dealt)).all()
            assert rate != 1 or (more == dealt).all()
        assert missed.any() == (rate > 0)


@pytest.mark.parametrize("decks", [1, 6, 7, 8])
@pytest.mark.parametrize("cut", [0, 7, 14, 25, 26, 27])
def test_usual_cuts_are_its_own_and_each_half_deck_beyond_to_half_of_the_shoe(decks: int, cut: int) -> None:
    beyond = [cards for cards in range(1, 52 * decks) if cards % 26 == 0 and cut < cards <= 26 * decks]
    assert Dealing(decks, cut).usual_cuts == [cut, *beyond]
