"""Known cards, compared with the reference implementation. The law of total probability and some figures are tested
too."""

import random
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import pytest
from extent import examples, long_or, one_of_each
from hypothesis import assume, given
from hypothesis import strategies as st

from counting import Bet, InputError, Shoe, events, exact_edges, load_game
from counting.cards import CARDS, RANKS, VALUE_OF_CARD
from counting.exact import PLACES, KnownCards, edges_after_seeing, known_hands, probabilities
from counting.exact.known_cards import ANY, MOST_CASES, ways_to_draw
from counting.games import Game, catalog, unfit
from counting.verify import reference

PUNTO = load_game("punto-banco")
MIXED = PUNTO.also(["dragon-7", "either-pair", "perfect-pair", "player-suited"])
MAIN = PUNTO.only(["player", "banker-5"])

cards = st.integers(0, 51)
sets = st.one_of(
    st.just(ANY),
    st.sets(st.sampled_from(range(13)), min_size=1).map(lambda rs: frozenset(4 * r + s for r in rs for s in range(4))),
)


def values_of(*of: int) -> frozenset[int]:
    """All cards that have the value of one of these cards."""
    return frozenset(c for c in range(52) if VALUE_OF_CARD[c] in {VALUE_OF_CARD[card] for card in of})


@st.composite
def deals(draw: st.DrawFn) -> tuple[Shoe, KnownCards]:
    """A shoe of few different cards, and known cards that it can deal."""
    kinds = draw(st.lists(cards, min_size=3, max_size=long_or(5, 3), unique=True))
    counts = draw(st.lists(st.integers(2, 4), min_size=len(kinds), max_size=len(kinds)))
    partial = st.frozensets(st.sampled_from(kinds), min_size=1)
    apart = draw(st.sets(st.integers(0, 5), max_size=3))
    known = [draw(partial if place in apart else sets) for place in range(6)]
    known = [cards if cards & set(kinds) else cards | values_of(kinds[0]) for cards in known]
    shoe = [0] * 52
    for kind, n in zip(kinds, counts, strict=True):
        shoe[kind] = n + 4  # enough for every place to hold the same card
    known_cards = KnownCards(tuple(map(frozenset, known)))
    assume(prod(map(_cases, known_cards.cards)) <= MOST_CASES)
    return Shoe.from_cards(shoe), known_cards


def _cases(known: frozenset[int]) -> int:
    """The number of cases for a place: one for each value of which only some cards are possible, and one for all other
    possible values together."""
    partial = {VALUE_OF_CARD[c] for c in known if not values_of(c) <= known}
    return len(partial) + any(values_of(c) <= known for c in known)


@given(deals())
@examples(long=40, short=10)
def test_what_is_known_equals_the_slow_twin(deal: tuple[Shoe, KnownCards]) -> None:
    shoe, known = deal
    assert events(MIXED, shoe, known) == reference.known_events(MIXED, shoe, known.cards)


@given(deals(), st.integers(0, 5))
@examples(long=4, short=2)
def test_the_mean_over_what_a_card_may_be_is_the_edge_before(deal: tuple[Shoe, KnownCards], place: int) -> None:
    shoe, known = deal
    game = PUNTO.also(["either-pair"])
    before = exact_edges(game, shoe, known)
    after = edges_after_seeing(game, shoe, place, known)
    assert sum(chance for chance, _ in after.values()) == 1
    for bet in game.bet_names:
        assert sum(chance * edges[bet] for chance, edges in after.values()) == before[bet]


def test_nothing_known_changes_nothing() -> None:
    shoe = Shoe.parse("2d-7h-7s-K")
    assert events(PUNTO, shoe, KnownCards()) == events(PUNTO, shoe)


def test_the_worth_of_one_known_card() -> None:
    # For each place: the edge of the best of Player, Banker (5%) and no bet, averaged over the rank of the known card.
    # The shoe is full, with 8 decks.
    worth = []
    for place in range(6):
        after = edges_after_seeing(MAIN, Shoe.decks(8), place)
        assert list(after) == list(RANKS)
        average = sum((chance * max(Fraction(), *edges.values()) for chance, edges in after.values()), Fraction())
        worth.append(f"{100 * float(average):.4f}")
    assert worth == ["6.7647", "6.4057", "6.7647", "6.4057", "8.9732", "9.0976"]


def test_a_known_nine_in_full() -> None:
    # Player's first card is a nine. The reference implementation deals the other five cards one by one.
    nine = frozenset(range(32, 36))
    shoe = Shoe.from_cards([2 if c in (0, 20, 32, 40, 48) else 0 for c in range(52)])
    assert events(PUNTO, shoe, "P1=9") == reference.known_events(PUNTO, shoe, [nine, *[ANY] * 5])
    assert exact_edges(PUNTO, shoe, "1=9") == exact_edges(PUNTO, shoe, "P1 = 9")


def test_ways_count_draws_of_different_cards() -> None:
    counts = [3, 1, 2]
    sets = [frozenset({0, 1}), frozenset({1, 2}), frozenset({0, 2})]
    brute = 0
    physical = [(kind, i) for kind, n in enumerate(counts) for i in range(n)]
    for a in physical:
        for b in physical:
            for c in physical:
                drawn = (a, b, c)
                brute += len(set(drawn)) == 3 and all(x[0] in s for x, s in zip(drawn, sets, strict=True))
    assert ways_to_draw(counts, sets) == brute == 38


def test_a_king_is_a_ten_to_every_outcome() -> None:
    shoe = Shoe.decks(8)
    assert (
        probabilities(PUNTO, shoe, "P1=K")
        == probabilities(PUNTO, shoe, "P1=10-K")
        == probabilities(PUNTO, shoe, "P1=Kh")
    )
    by_value = Shoe.from_values(shoe.values)
    assert probabilities(PUNTO, by_value, "P1=K") == probabilities(PUNTO, shoe, "P1=J")
    assert probabilities(PUNTO, shoe, "P1=9-J") != probabilities(PUNTO, shoe, "P1=9-K")


def test_what_is_known_can_be_written_and_read() -> None:
    known = KnownCards.parse("p1=6-9  b2=K,Ah 6=T")
    assert str(known) == "P1=6,7,8,9 B2=K,Ah 6=10"
    assert KnownCards.parse(str(known)) == known
    assert [len(c) for c in known.cards] == [16, 52, 52, 5, 52, 4]
    assert KnownCards.asked(["P1=9", "B1 = ?"]) == (PLACES.index("B1"), KnownCards.parse("P1=9"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "P3=9",
            "places are P1, B1, P2, B2, 5, 6 .* the fifth card is Player's third, or Banker's where Player stands",
        ),
        ("P1", "should be a place and its cards"),
        ("P1=", "known 'P1=': card ''"),
        ("P1=11", "known 'P1=11': card '11'"),
        ("P1=9-6", "range '9-6' should rise"),
        ("P1=7h-9", "without suits"),
        ("P1=9 1=8", "P1 occurs twice"),
        (7, "should be a text"),
    ],
)
def test_malformed_knowledge_says_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as error:
        KnownCards.parse(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("place", [-1, 6, "P1"])
def test_a_place_that_no_coup_has_is_refused(place: Any) -> None:
    with pytest.raises(InputError, match=r"^place: .*, should be a whole number from 0 to 5$"):
        edges_after_seeing("punto-banco", Shoe.decks(8), place)


def test_too_many_cases_are_refused() -> None:
    with pytest.raises(InputError, match="more than 100 cases"):
        exact_edges(PUNTO, Shoe.decks(8), " ".join(f"{i}=Ah,2h,3h,4h,5h" for i in range(1, 5)))


@pytest.mark.parametrize(
    ("shoe", "known", "game", "says"),
    [
        ("1d-9-9-9-9", "P1=9", PUNTO, "has no such cards"),
        (
            "v:20,20,20,20,20,20,20,20,20,20",
            "P1=9-J",
            PUNTO,
            "needs a shoe known by rank; .* knows values only",
        ),
        ("8d-7", "P1=9h,10h", PUNTO, "known by card; 8d-7 knows ranks only"),
        ("8d-7", "P1=7h", PUNTO.only(["player-pair"]), "known by card"),
    ],
)
def test_knowledge_that_a_shoe_cannot_tell_is_refused(shoe: str, known: str, game: object, says: str) -> None:
    with pytest.raises(InputError, match=says):
        exact_edges(game, Shoe.parse(shoe), known)  # type: ignore[arg-type]


ON_HANDS = [
    Bet.of("kinds", {"player_pair_kind=mixed": "6:1", "player_pair_kind=perfect winner=player": "25:1"}),
    Bet.of("flush", {"player_flush=true banker_cards=3": "9:1"}),
    Bet.of("giving", {"player_first_total=3 banker_third_value=8": "200:1", "player_third_rank=K,9": "2:1"}),
    Bet.of("red", {"colour=red": "22:1"}),
    Bet.of("first-two", {"player_pair_kind=mixed banker_first_total=3": "40:1", "player_suited=true": "2:1"}),
]


@pytest.mark.parametrize("bet", ON_HANDS)
def test_bets_settled_by_the_hands_equal_the_slow_twin(bet: Bet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways to count of `known_hands` are tried: the way for many ends of a coup, and the way for few ends."""
    game, few = load_game("punto-banco").only(["player"]).with_bets(bet), known_hands._FEW
    rng, refused = random.Random(bet.name), 0
    for i in range(long_or(40, 2)):
        pool = [*rng.sample(range(52), 3), 4 * rng.choice([0, 2, 9, 12]) + rng.randrange(4)]
        counts = [0] * 52
        for _ in range(rng.randint(7, 16)):
            counts[rng.choice(pool)] += 1
        present = [card for card, n in enumerate(counts) if n]
        allowed = [ANY] * 6
        for place in rng.sample(range(4 if bet.name == "red" else 6), rng.randint(1, 2)):
            some = set(rng.sample(present, rng.randint(1, 2))) | {rng.randrange(52)}
            if i % 2:
                some = {card for card in range(52) for one in some if card // 4 == one // 4}
            allowed[place] = frozenset(some)
        shoe = Shoe.from_cards(counts)
        wanted = reference.known_events(game, shoe, allowed)
        if not any(wanted.values()):
            continue
        for most in (0, few):
            monkeypatch.setattr(known_hands, "_FEW", most)
            agreeing = counted(game, shoe, KnownCards(tuple(allowed)))
            refused += agreeing is None
            assert agreeing in (wanted, None), (shoe, allowed, most)
    assert refused == 0


@pytest.mark.parametrize("known", ["5=9s,Kh", "6=9s,Kh", "5=9s 6=9s,Kh"])
def test_later_cards_told_apart_by_the_hands_equal_the_slow_twin(known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coups have four, five or six cards, with a third card in either hand or in both."""
    game = PUNTO.only(["player"]).with_bets(Bet.of("third", {"player_third_rank=9": "2:1", "player_cards=2": "1:1"}))
    allowed, rng = KnownCards.parse(known), random.Random(known)
    monkeypatch.setattr(known_hands, "_FEW", 0)
    few = (["Kh", "2s"], ["2h", "3s"])  # the third cards of both hands, of Player's alone and of Banker's alone
    for others in (*few, *long_or((["Kh"], ["2s", "6h"], ["2s", "Ks"]), ())):
        shoe = Shoe.from_cards([rng.randint(2, 4) if card in ("9s", *others) else 0 for card in CARDS])
        wanted = reference.known_events(game, shoe, allowed.cards)
        assert events(game, shoe, allowed) == wanted, shoe
        assert any(wanted.values())


def test_a_bet_on_the_hands_may_have_more_than_255_lines() -> None:
    # Each line is for one way to give Player a third card, the last line is for all other coups, and every line pushes.
    ways = [*product(range(6), range(8), range(10))][-256:]
    lines: list[dict[str, Any]] = [
        {"player_first_total": player, "banker_first_total": banker, "player_third_value": third, "odds": "push"}
        for player, banker, third in ways
    ]
    bet = Bet(name="many", pays=[*lines, {"player_first_total": "0-9", "odds": "push"}])  # type: ignore[arg-type]
    assert len(bet.pays) == 257
    assert exact_edges(PUNTO.with_bets(bet), "8d", "P1=9")["many"] == 0


@pytest.mark.long
def test_a_bet_on_first_two_cards_takes_any_later_card() -> None:
    """By exchangeability, a known fifth card is the same as a card removed from the shoe, and a place that may have any
    card changes nothing."""
    game = PUNTO.also(["majestic-match-player"])
    shoe, bet = Shoe.decks(8), ["majestic-match-player"]
    assert exact_edges(game, shoe, "5=10c", bets=bet) == exact_edges(game, shoe.without("10c"), bets=bet)
    assert exact_edges(game, shoe, "5=10c 6=Kh", bets=bet) == exact_edges(game, shoe.without(["10c", "Kh"]), bets=bet)
    assert exact_edges(game, shoe, "6=A-K", bets=bet) == exact_edges(game, shoe, bets=bet)


HANDS = [bet for bet in catalog().values() if bet.shows == "hands" and not unfit(bet, PUNTO.tableau)]


def conditions(bet: Bet) -> frozenset[str]:
    """The keys of a bet's lines. Keys of Banker's hand are replaced by keys of Player's."""
    return frozenset(key.replace("banker", "player") for line in bet.pays for key in line.plain)


@pytest.mark.parametrize("bet", [bet.name for bet in one_of_each(HANDS, conditions)])
def test_known_later_cards_price_every_bet_of_the_catalog(bet: str) -> None:
    """A small shoe is compared with all its deals. On the full shoe, the events with a ten of clubs and with any other
    ten add up to the events with a ten."""
    game, rng = PUNTO.only([bet]), random.Random(bet)
    counts = [0] * 52
    for card in (CARDS.index("10c"), CARDS.index("Kh"), *rng.sample(range(52), long_or(6, 4))):
        counts[card] += rng.randint(1, 2)
    shoe = Shoe.from_cards(counts)
    known = KnownCards.parse(f"5=10c 6=Kh,{CARDS[next(card for card in range(51) if counts[card])]}")
    assert events(game, shoe, known) == reference.known_events(game, shoe, known.cards)
    one, others, every = (events(game, Shoe.decks(8), f"5={cards} 6=Kh") for cards in ("10c", "10s,10h,10d", "10"))
    assert {name: one[name] + others[name] for name in one} == every


def test_a_refusal_names_the_bet_and_what_to_type() -> None:
    with pytest.raises(InputError, match=r"^known 6=A,2.*: too much to count with bet lucky-8-player, .*, as 5=10c$"):
        exact_edges(PUNTO.only(["lucky-8-player"]), Shoe.decks(8), "6=A-Q")


def counted(game: Game, shoe: Shoe, known: KnownCards) -> dict[str, int] | None:
    """The events; None if the known cards are refused because they are too much to count."""
    try:
        return events(game, shoe, known)
    except InputError:
        with pytest.raises(InputError, match="too much to count"):
            events(game, shoe, known)
        return None
