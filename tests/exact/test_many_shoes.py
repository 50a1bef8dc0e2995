"""Edges of many shoes, compared with the reference implementation and with published figures. Properties of all shoes
are tested too."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from extent import LONG, examples, long_or
from hypothesis import given
from hypothesis import strategies as st

import counting
from counting import InputError, Shoe, edges, events, exact_edges, load_game
from counting.exact import LEVELS, _forms, _settle, counter, deals, instruction_set, settlement, with_replacement
from counting.exact.evaluators import ByDistribution, ByForms
from counting.exact.settlements import event_counter
from counting.games import Game
from counting.verify import reference

RULERS = Path(__file__).parents[1] / "games" / "rulers.toml"
GAMES = [load_game(name) for name in ("punto-banco", "louisiana", "louisiana-stand-5", RULERS)]
FULL = np.array(Shoe.decks(8).values)

games = st.sampled_from(GAMES)
scarce = st.lists(st.integers(0, 3), min_size=10, max_size=10)
usual = st.lists(st.integers(0, 128), min_size=10, max_size=10)
few_values = st.dictionaries(st.integers(0, 9), st.integers(1, 128), min_size=1, max_size=6).map(
    lambda counts: [counts.get(value, 0) for value in range(10)]
)
shoes = st.one_of(scarce, usual).filter(lambda counts: sum(counts) >= 6).map(Shoe.from_values)


def random_shoes(number: int, least: int = 6, most: int = 416, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array([rng.multivariate_hypergeometric(FULL, n) for n in rng.integers(least, most + 1, number)])


def equal_the_twins(game: Game, shoe: Shoe) -> None:
    """Assert that events and edges are the same as in the reference implementation, which counts the deals only
    once."""
    counted = reference.outcomes(game, shoe)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "outcomes", lambda *_: counted)
        assert events(game, shoe) == reference.events(game, shoe)
        assert exact_edges(game, shoe) == reference.exact_edges(game, shoe)


# The reference implementation deals the values one by one, so its time depends on how many different values a shoe has.
@given(games, st.one_of(scarce, usual if LONG else few_values).filter(lambda n: sum(n) >= 6).map(Shoe.from_values))
@examples(long=60, short=10)
def test_kernel_equals_the_slow_twin_integer_for_integer(game: Game, shoe: Shoe) -> None:
    equal_the_twins(game, shoe)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_kernel_equals_the_slow_twin_on_shoes_of_every_value(game: Game) -> None:
    for counts in random_shoes(2, 250, 416, seed=len(game.name)):
        equal_the_twins(game, Shoe.from_values(counts))


@given(games, st.lists(st.integers(0, 9), min_size=6, max_size=6))
@examples(long=40, short=8)
def test_kernel_equals_the_slow_twin_on_six_cards(game: Game, cards: list[int]) -> None:
    shoe = Shoe.from_values(np.bincount(cards, minlength=10))
    assert events(game, shoe) == reference.events(game, shoe)


@given(games, st.lists(st.integers(0, 40), min_size=10, max_size=10).filter(lambda n: sum(n) >= 7))
@examples(long=25, short=8)
def test_the_mean_over_one_random_removed_card_is_the_edge_before(game: Game, counts: list[int]) -> None:
    after: dict[str, Fraction] = dict.fromkeys(game.bet_names, Fraction())
    for value, n in enumerate(counts):
        if n:
            seen = [c - (v == value) for v, c in enumerate(counts)]
            for bet, edge in exact_edges(game, Shoe.from_values(seen)).items():
                after[bet] += Fraction(n, sum(counts)) * edge
    assert after == exact_edges(game, Shoe.from_values(counts))


@given(games, shoes)
@examples(long=30, short=10)
def test_somebody_wins_or_it_is_a_tie(game: Game, shoe: Shoe) -> None:
    counts = events(game, shoe)
    assert sum(counts[name] for name in ("player-win", "banker-win", "tie")) == deals(shoe.cards_left)


def test_edges_agree_with_the_fractions() -> None:
    values = random_shoes(200)
    for game in GAMES:
        priced = edges(game, values)
        assert priced.shape == (200, len(game.bets))
        for row, counts in zip(priced[:20], values, strict=False):
            fractions = exact_edges(game, Shoe.from_values(counts)).values()
            np.testing.assert_allclose(row, [float(f) for f in fractions], rtol=1e-14)


@pytest.mark.parametrize(("decks", "places"), [(1, 0), (8, 0), (24, 4)])
def test_edges_are_the_nearest_decimals_to_8_decks_and_within_four_last_places_above(decks: int, places: int) -> None:
    rng = np.random.default_rng(decks)
    full = np.array([16 * decks, *[4 * decks] * 9])
    some = [full, *(full - rng.binomial(full, rng.uniform(0, 0.3)) for _ in range(long_or(20, 300)))]
    off = [
        abs(Fraction(float(edge)) - fraction) / Fraction(float(np.spacing(abs(edge))))
        for game in map(load_game, ("punto-banco", "ez-baccarat", "louisiana"))
        for left, of_shoe in zip(some, edges(game, some).tolist(), strict=True)
        for edge, fraction in zip(of_shoe, exact_edges(game, Shoe.from_values(left.tolist())).values(), strict=True)
        if edge != float(fraction)
    ]
    assert (len(off) > 0) == (places > 0)
    assert max(off, default=0) <= places


def test_the_sign_of_an_edge_is_the_sign_of_the_fraction() -> None:
    game = load_game("louisiana")
    values = random_shoes(150, 6, 10)
    priced = edges(game, values)
    for row, counts in zip(priced, values, strict=True):
        fractions = exact_edges(game, Shoe.from_values(counts)).values()
        assert np.sign(row).tolist() == [(f > 0) - (f < 0) for f in fractions]
    assert (priced == 0).any()


def test_at_six_cards_nearly_half_of_players_edges_are_exactly_zero() -> None:
    priced = edges(load_game("punto-banco"), random_shoes(20_000, 6, 6), ["player"])
    assert abs((priced == 0).mean() - 0.44) < 0.02


@pytest.mark.parametrize("level", [name for i, name in enumerate(LEVELS) if i <= _forms.best_level()])
def test_every_instruction_set_gives_the_same_bits(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    values = random_shoes(333, seed=2)
    best = [edges(game, values) for game in GAMES]
    monkeypatch.setenv("COUNTING_ISA", level)
    assert instruction_set() == level
    for game, expected in zip(GAMES, best, strict=True):
        assert (edges(game, values) == expected).all()


def test_an_unknown_instruction_set_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTING_ISA", "avx")
    with pytest.raises(InputError, match=r"COUNTING_ISA = 'avx': should be one of plain"):
        edges("louisiana", random_shoes(1))


@pytest.mark.long
@pytest.mark.parametrize("decks", long_or([8, 9, 16, 27], [9, 27]))
def test_large_shoes_are_counted_in_integers(decks: int) -> None:
    shoe = Shoe.decks(decks).without("A 2 3 K K")
    for game in GAMES:
        assert events(game, shoe) == reference.events(game, shoe)
        priced = edges(game, [shoe.values])[0]
        np.testing.assert_allclose(priced, [float(f) for f in exact_edges(game, shoe).values()], rtol=1e-14)


def test_float_and_integer_counts_agree_up_to_458_cards() -> None:
    counter = event_counter(GAMES[1])
    program = counter.program
    values = np.array([[*(FULL + 4)[:9], 458 - int((FULL + 4)[:9].sum())], [458, *[0] * 9]], np.int32)
    large = np.empty((2, program.forms), np.int64)
    _forms.counts_int64(values, program.layout, *program.weights, large)
    assert values.sum(axis=1).tolist() == [458, 458]
    assert deals(458) < 2**53 < deals(459)
    assert (counter.as_kept(values) == large).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_form_that_is_counted_less_the_rest_is_the_form_itself(game: Game) -> None:
    """Player's wins minus Banker's, and the number of all deals, give both numbers of wins, with about half of the
    work. The numbers fit in 63 bits up to 27 decks, even if nearly all deals are in these two classes."""
    tableau = game.tableau
    counted = counter(tableau, [outcome.winner for outcome in tableau.outcomes])
    assert counted.less_rest is not None
    kept = counted.of_class[:, -1] == 0
    itself = replace(counted, kept=counted.weights[kept][counted.of_class[kept, :-1].argmax(axis=0)], less_rest=None)
    assert counted.work < 0.8 * itself.work
    ones = np.eye(10, dtype=np.int32)
    largest = [1300 * ones[low] + 103 * ones[high] + ones[high - 1] for low, high in ((0, 9), (1, 8), (6, 7), (0, 1))]
    values = np.array([*random_shoes(long_or(2000, 200)), *largest, Shoe.decks(27).values], np.int32)
    assert (counted.forms(values) == itself.forms(values)).all()


@pytest.mark.long
@pytest.mark.parametrize("game", long_or(GAMES, GAMES[:2]), ids=lambda game: game.name)
def test_coups_on_their_own_cards_are_counted_as_coups_on_six(game: Game) -> None:
    counted = counter(game.tableau, game.tableau.outcomes)
    cards = np.array([cls[0].player_cards + cls[0].banker_cards for cls in counted.outcomes])
    of_cards = np.split(counted.by_cards, [715, 2717], axis=1)  # multisets of four, of five and of six values
    for size, weights in zip((4, 5, 6), of_cards, strict=True):
        assert (weights[cards == size].any(axis=1)).all()
        assert not weights[cards != size].any()
    by_cards, on_six = (replace(counted, kept=kept, less_rest=None) for kept in (counted.by_cards, counted.weights))
    shoes = np.concatenate([random_shoes(20, 6, 60), random_shoes(20), 3 * random_shoes(2, 300)]).astype(np.int32)
    assert (by_cards.as_kept(shoes) == on_six.as_kept(shoes)).all()


def test_shoes_of_all_sizes_go_into_one_batch() -> None:
    values = np.concatenate([random_shoes(5), [Shoe.decks(12).values], random_shoes(5, seed=3)])
    one_by_one = np.concatenate([edges("louisiana", [row]) for row in values])
    assert (edges("louisiana", values) == one_by_one).all()


def test_chosen_bets_come_in_the_order_asked() -> None:
    values = random_shoes(10)
    every = edges("louisiana", values)
    assert (edges("louisiana", values, ["tie-9", "player"]) == every[:, [4, 0]]).all()
    assert edges("louisiana", np.empty((0, 10), int)).shape == (0, 13)
    assert edges("louisiana", values, []).shape == (10, 0)


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ([[1] * 9], r"shape \(1, 9\), should be \(shoes, 10\)"),
        ([1] * 10, r"shape \(10,\)"),
        ([[1] * 10, [1] * 9], "differ in length"),
        ([[1.0] * 10], "should be integers"),
        ([["1"] * 10], "should be integers"),
        ([[True] * 10], "should be integers"),
        ([[6] * 10, [-1, *[6] * 9]], "shoe 1 is .*counts should be 0 to 1404"),
        ([[5, *[0] * 9]], "shoe 0 has 5 cards, should have 6 to 1,404"),
        ([[0] * 10], "shoe 0 has 0 cards"),
        ([[1000, 1000, *[0] * 8]], "shoe 0 has 2000 cards"),
        ([[2**40, *[0] * 9]], "counts should be"),
    ],
)
def test_malformed_compositions_are_refused(values: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        edges("punto-banco", values)  # type: ignore[arg-type]


def test_shoes_without_a_coup_are_refused() -> None:
    for price in (events, exact_edges):
        with pytest.raises(ValueError, match="5 cards, should be 6 to 1,404"):
            price("punto-banco", Shoe.from_values([5, *[0] * 9]))
    with pytest.raises(ValueError, match="bet 'tie-7': punto-banco has"):
        edges("punto-banco", [[4] * 10], ["tie-7"])


def test_with_replacement_is_the_limit_of_many_decks() -> None:
    for game in GAMES:
        infinite = with_replacement(game)
        assert sum(infinite[name] for name in ("player-win", "banker-win", "tie")) == 1
        total = deals(27 * 52)
        for name, count in events(game, Shoe.decks(27)).items():
            assert abs(float(infinite[name] - Fraction(count, total))) < 2e-4


def test_with_replacement_equals_a_walk_through_the_rules() -> None:
    game = load_game("punto-banco")
    # A plain walk through the rules, in which each value keeps its share: dealt cards are not taken out.
    share = [Fraction(4 if v == 0 else 1, 13) for v in range(10)]
    pair = [sum(share[a] * share[(total - a) % 10] for a in range(10)) for total in range(10)]
    tie = Fraction()
    for p in range(10):
        for b in range(10):
            both = pair[p] * pair[b]
            if p >= 8 or b >= 8 or (not game.tableau.player[p] and not game.tableau.banker[b][10]):
                tie += both * (p == b)
            elif not game.tableau.player[p]:
                tie += both * share[(p - b) % 10]
            else:
                for third in range(10):
                    total = (p + third) % 10
                    drew = game.tableau.banker[b][third]
                    tie += both * share[third] * (share[(total - b) % 10] if drew else total == b)
    assert with_replacement(game)["tie"] == tie


def test_bets_that_no_rule_tells_apart_share_a_form() -> None:
    # Player's and Banker's natural wins have the same weights, and so share a form. The densest class is never counted.
    game = load_game("louisiana")
    counter = event_counter(game)
    assert counter.program.forms == len(counter.outcomes) - 2
    (settled,) = settlement(game, ["seven-seven-45"]).parts
    assert isinstance(settled.evaluator, ByForms)
    assert settled.evaluator.counter.program.forms == 1


@pytest.mark.parametrize(
    ("game", "bet"), [("ez-baccarat", "player"), ("ez-baccarat", "banker"), ("louisiana", "player")]
)
def test_a_bet_of_one_unit_has_one_form_and_the_same_edges(game: str, bet: str) -> None:
    (settled,) = settlement(load_game(game), [bet]).parts
    assert isinstance(settled.evaluator, ByForms)
    assert isinstance(settled.wins_less_losses, ByForms)
    assert settled.wins_less_losses.counter.program.forms == 1 < settled.evaluator.counter.program.forms
    some = random_shoes(long_or(20_000, 2000)).astype(np.int32)
    for shoes in (some, 3 * some):  # the larger shoes are counted in 64 bits
        assert (settled.edges(shoes) == settled.moments(shoes)[0]).all()


def test_a_bet_with_other_pays_has_its_forms() -> None:
    for game, bet in (("punto-banco", "banker-5"), ("ez-baccarat", "dragon-7")):
        (settled,) = settlement(load_game(game), [bet]).parts
        assert settled.wins_less_losses is None


def test_public_names() -> None:
    assert set(counting.__all__) >= {"Shoe", "load_game", "exact_edges", "events", "edges"}
    assert all(hasattr(counting, name) for name in counting.__all__)
    with pytest.raises(AttributeError):
        _ = counting.nothing


def test_every_game_that_loads_can_be_priced(tmp_path: Path) -> None:
    # The bet has a separate line for each outcome, at the largest odds that can be loaded. On the largest shoe, this
    # gives the largest possible sum.
    text = RULERS.read_text().split("bets =")[0]
    outcomes = GAMES[0].tableau.outcomes
    lines = [
        f"{{ player_total = {o.player_total}, banker_total = {o.banker_total}, player_cards = {o.player_cards}, "
        f'banker_cards = {o.banker_cards}, odds = "{999_999 - i}:1" }}'
        for i, o in enumerate(outcomes[1:])
    ]
    (tmp_path / "all.toml").write_text(text + '[[bets]]\nname = "all"\npays = [\n' + ",\n".join(lines) + "]\n")
    game = load_game(tmp_path / "all.toml")
    (settled,) = settlement(game, ["all"]).parts
    assert isinstance(settled.evaluator, ByDistribution)
    assert len(settled.evaluator.classes) == len(outcomes)
    for shoe in (Shoe.decks(27), Shoe.decks(8), Shoe.from_values([1, 0, 2, 0, 1, 0, 1, 0, 0, 1])):
        edge = edges(game, [shoe.values])[0, 0]
        assert edge == pytest.approx(float(reference.exact_edges(game, shoe)["all"]), rel=1e-14)


@pytest.mark.parametrize("units", [1, 20, 1000])
def test_a_sum_of_large_counts_has_its_sign_and_is_rounded_once(units: int) -> None:
    """Two terms of more than 64 bits cancel, and a small term remains."""
    cards, rng = 1404, np.random.default_rng(units)
    for size in rng.integers(1, 2**28, 20).tolist():
        many, least = rng.integers(0, 2**33, 50), rng.integers(-2, 3, 50)
        counts = np.stack([(size + 1) * many, size * many, np.maximum(least, 0), np.maximum(-least, 0)], axis=1)
        coefficients = np.array([[size, size + 1], [-size - 1, -size - 1], [1, 1], [-1, -1], [0, 0]])
        out = np.empty((50, 2))
        _settle.settle(np.full(50, cards), counts, coefficients, np.array([float(units), 1.0]), out)
        assert (out[:, 0] == least / (units * float(deals(cards)))).all()
        more = [
            float((size + 1) * n + small) / float(deals(cards))
            for n, small in zip(many.tolist(), least.tolist(), strict=True)
        ]
        assert out[:, 1].tolist() == more
