"""Tests of shuffling: true p-values on shoes dealt by the real rules, and each fault caught by its test and named."""

from math import comb

import numpy as np
import pytest
from extent import long_or
from mpmath import gammainc, inf
from twins.shoe_logs import log_of_orders, log_of_table

from counting import load_game
from counting.audit.repeated_stretches import chance_of_stretch, longest_stretch
from counting.audit.shoe_counts import Layout, counted, drawn
from counting.audit.shoe_orders import ShoeOrders, shoe_orders
from counting.audit.shuffle import (
    TESTS,
    ShuffleReview,
    ShuffleSettings,
    Statistics,
    chi_squared_tail,
    extra_cards,
    holm,
    p_value,
    shuffle_review,
    simulated,
)
from counting.audit.synthetic import DealtTable, deal
from counting.cards import CARDS, DECK
from counting.errors import InputError
from counting.logs import NO_CARD, PLACES, UNREAD, Log
from counting.simulation import Dealing

PUNTO_BANCO = load_game("punto-banco")
NEW = Layout("card", 8).new
SEVEN = CARDS.index("7h")


def fair(shoes: int, seed: int = 1) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(NEW) for _ in range(shoes)]


def riffled(shoe: np.ndarray, riffles: int, rng: np.random.Generator) -> np.ndarray:
    after = np.empty_like(shoe)
    after[np.argsort(rng.integers(0, 2**riffles, len(shoe)), kind="stable")] = shoe
    return after


def reviewed(shoes: list[np.ndarray], **settings: float) -> ShuffleReview:
    return shuffle_review(log_of_orders(shoes), 8, ShuffleSettings(**{"draws": 599, **settings}))  # type: ignore[arg-type]


def flagged(review: ShuffleReview) -> set[str]:
    return {result.test.name for result in review.flagged}


def closing_on_tens(table: DealtTable) -> np.ndarray:
    """The coups (rows) of a dealer who closes a shoe, after four coups, once a third of its cards were tens."""
    keep, tens, dealt, over = [], 0, 0, False
    for coup, cards in zip(table.coup, table.cards, strict=True):
        if coup == 1:
            tens = dealt = 0
            over = False
        keep.append(not over)
        tens += int((cards >= 36).sum())
        dealt += int((cards >= 0).sum())
        over |= bool(coup >= 4 and 3 * tens > dealt)
    return np.array(keep)


def p_values(shoes: int, logs: int, closing: bool = False, sort_rest: bool = False) -> dict[str, np.ndarray]:
    """Of logs of well-shuffled shoes of one deck, dealt by the rules to a cut card 12 cards from the end, with burned
    cards that are not logged. `closing`: to where a dealer closes them. `sort_rest`: with the unseen cards in order, as
    a test that is wrong."""
    table = deal(PUNTO_BANCO, Dealing(1, 12, "first-card"), 17, 0, shoes * logs)
    layout, follows = Layout("card", 1), np.zeros((shoes, 2), np.uint8)
    draws = np.concatenate(list(drawn(layout, shoes, long_or(3999, 299), 1)))
    log = log_of_table(table)
    if closing:
        log = Log(log.coups.filter(closing_on_tens(table)), log.bets, log.remarks)
    orders = shoe_orders(log, 1, 1)
    assert orders.number == shoes * logs
    cards = orders.cards
    if sort_rest:
        cards = np.where(orders.known, cards, 0)
        for row, known in zip(cards, orders.known, strict=True):
            row[~known] = np.setdiff1d(np.arange(DECK), row[known])
    found: list[dict[str, float]] = []
    for i in range(logs):
        some = slice(i * shoes, (i + 1) * shoes)
        own = counted(layout, cards[some])
        found.append(simulated(Statistics(layout, shoes), own, [draws]))
        part = ShoeOrders(1, "card", cards[some], orders.known[some], [], follows, orders.shoes[some], [], 0, 0, [])
        stretch = longest_stretch(part)
        found[-1]["stretches"] = chance_of_stretch(stretch.cards if stretch else 0, shoes, layout.full)
    return {name: np.array([p[name] for p in found]) for name in found[0]}


def far_out(p: np.ndarray, at: float) -> float:
    """How many p-values are at most `at`, in standard deviations above what is right."""
    return float(((p <= at).sum() - len(p) * at) / np.sqrt(len(p) * at * (1 - at)))


@pytest.mark.parametrize("closing", [False, True])
def test_p_values_of_well_shuffled_shoes_are_true_and_not_idle(closing: bool) -> None:
    logs = p_values(3, long_or(1000, 120), closing)
    for name, p in logs.items():
        assert max(far_out(p, at) for at in (0.02, 0.05, 0.2, 0.5)) < 4, name
        if name != "stretches":  # a bound
            assert (p <= 0.5).mean() > 0.3, name
    any_flagged = [holm({name: p[i] for name, p in logs.items()}, 0.05)[0][0].flagged for i in range(len(p))]
    assert far_out(1.0 - np.array(any_flagged), 0.05) < 4


def test_the_bound_is_one_that_a_wrong_completion_breaks() -> None:
    logs = p_values(3, 30, sort_rest=True)
    assert max(far_out(p, 0.05) for p in logs.values()) > 8


def test_a_well_shuffled_log_is_not_flagged() -> None:
    review = reviewed(fair(6))
    assert not review.flagged
    assert {result.test.name for result in review.results} == {*TESTS}
    assert not review.left_out
    assert not review.unread


@pytest.mark.parametrize(("riffles", "shoes"), [(1, 2), (3, 2), (5, 3), (7, 13)])
def test_riffles_of_the_shoe_before_show(riffles: int, shoes: int) -> None:
    rng = np.random.default_rng(riffles)
    dealt = fair(1)
    for _ in range(shoes - 1):
        dealt.append(riffled(dealt[-1], riffles, rng))
    assert "shoe-before" in flagged(reviewed(dealt))


def test_an_order_turned_round_shows() -> None:
    rng, shoes = np.random.default_rng(2), fair(1)
    for _ in range(3):
        shoes.append(riffled(shoes[-1][::-1], 4, rng))
    assert "shoe-before" in flagged(reviewed(shoes))


def test_two_batches_by_turns_show_in_the_shoe_before_that() -> None:
    rng, shoes = np.random.default_rng(3), fair(2)
    for i in range(6):
        shoes.append(riffled(shoes[i], 5, rng))
    names = flagged(reviewed(shoes))
    assert "two-before" in names
    assert "shoe-before" not in names


def test_new_decks_with_too_few_riffles_show() -> None:
    rng = np.random.default_rng(4)
    assert "new-decks" in flagged(reviewed([riffled(NEW, 6, rng) for _ in range(2)]))
    assert {"new-decks", "same-suit", "pairs", "runs"} <= flagged(reviewed([riffled(NEW, 1, rng) for _ in range(2)]))


def test_a_shoe_that_comes_again_shows_and_is_named() -> None:
    shoes = fair(6)
    shoes[4] = np.roll(shoes[1], 100)
    review = reviewed(shoes)
    assert "stretches" in flagged(review)
    assert review.stretch is not None
    assert review.stretch == (300, (1, 4), (1, 101))


def test_tens_that_come_late_show_by_quarter() -> None:
    rng, shoes = np.random.default_rng(5), []
    for _ in range(6):
        late = rng.random(416) + 0.25 * (NEW >= 36)
        shoes.append(NEW[np.argsort(late)])
    assert "places" in flagged(reviewed(shoes))


def test_a_top_that_is_never_shuffled_shows() -> None:
    rng, shoes = np.random.default_rng(6), []
    for _ in range(8):
        rest = rng.permutation(NEW[6:])
        shoes.append(np.concatenate([rng.permutation(NEW[:6]), rest]))
    assert "first-cards" in flagged(reviewed(shoes))


def test_decks_shuffled_one_by_one_are_too_even() -> None:
    rng = np.random.default_rng(7)
    shoes = [np.concatenate([rng.permutation(DECK) for _ in range(8)]) for _ in range(8)]
    assert "evenness" in flagged(reviewed(shoes))


def test_cards_collected_by_rank_show_as_neighbours() -> None:
    rng, shoes = np.random.default_rng(8), []
    for _ in range(4):
        pairs = rng.permutation(np.sort(NEW).reshape(-1, 2)).ravel()
        shoes.append(riffled(pairs, 1, rng))
    assert {"same-rank", "pairs"} & flagged(reviewed(shoes))


def test_a_missing_card_shows_in_the_rest_and_is_named() -> None:
    shoes = []
    for shoe in fair(18):
        at = int(np.flatnonzero(shoe == SEVEN)[0])
        shoes.append(np.append(np.delete(shoe, at), SEVEN))
    review = reviewed(shoes)
    assert flagged(review) == {"rest"}
    card, more = review.odd_card or ("", 0)
    assert card == "7h"
    assert more > 0.4


def test_an_extra_card_shows_in_shoes_that_cannot_be() -> None:
    rng = np.random.default_rng(9)
    shoes = [rng.permutation(np.append(NEW, SEVEN))[:416] for _ in range(6)]
    review = reviewed(shoes)
    assert extra_cards(review.orders)[0][0] == "7h"
    assert not review.unread  # one card explains them: it is not the number of decks


def test_a_wrong_number_of_decks_has_no_verdict() -> None:
    review = shuffle_review(log_of_orders(fair(3)), 6)
    assert review.unread[0].what == "shoes with more of a card than 6 decks have"
    assert not review.results


def without_suits(log: Log, most: int = 12) -> Log:
    places = list(PLACES)
    codes = log.coups.select(places).to_numpy()
    ranks = np.where(codes >= 0, DECK + np.minimum(codes // 4, most), codes).astype(np.int8)
    coups = log.coups.with_columns(**{name: ranks[:, i] for i, name in enumerate(places)})
    return Log(coups, log.bets, log.remarks)


@pytest.mark.parametrize(("most", "knows", "riffles"), [(12, "rank", 2), (9, "value", 1)])
def test_a_log_without_suits_is_tested_without_the_test_of_suits(most: int, knows: str, riffles: int) -> None:
    rng, shoes = np.random.default_rng(10), fair(1)
    for _ in range(8):
        shoes.append(riffled(shoes[-1], riffles, rng))
    review = shuffle_review(without_suits(log_of_orders(shoes), most), 8)
    assert review.orders.knows == knows
    assert set(review.left_out) == {"same-suit"}
    assert "shoe-before" in flagged(review)


def test_one_shoe_has_no_shoe_before() -> None:
    assert set(reviewed(fair(1)).left_out) == {"shoe-before", "two-before", "stretches"}
    assert set(reviewed(fair(2)).left_out) == {"two-before"}


def test_a_log_with_gaps_is_tested_on_what_comes_before_them() -> None:
    log = log_of_orders(fair(4))
    rows = log.coups.with_row_index("row")
    gaps = rows.filter(~((rows["shoe"].cast(str) == "1") & (rows["coup"] == 60))).drop("row")
    review = shuffle_review(Log(gaps, log.bets, log.remarks), 8)
    assert review.orders.seen.tolist() == [400, 295, 400, 400]
    assert review.orders.after == 100
    assert not review.flagged


def test_too_much_unread_has_no_verdict() -> None:
    log = log_of_orders(fair(2))
    unread = np.where(np.arange(log.coups.height) % 10 == 9, UNREAD, log.coups["player_1"].to_numpy())
    spoilt = Log(log.coups.with_columns(player_1=unread.astype(np.int8)), log.bets, log.remarks)
    review = shuffle_review(spoilt, 8)
    assert [part.what for part in review.unread] == ["cards not read"]
    assert not review.results
    assert not shuffle_review(spoilt, 8, allow_unread=0.5).unread


def test_a_log_of_nothing_has_no_verdict() -> None:
    log = log_of_orders(fair(1))
    for empty in (log.coups.clear(), log.coups.with_columns(banker_1=np.int8(NO_CARD))):
        review = shuffle_review(Log(empty, log.bets, log.remarks), 8)
        assert review.orders.number == 0
        assert not review.results


def test_the_same_log_and_seed_give_the_same_p_values() -> None:
    first, again, other = (reviewed(fair(3), seed=seed) for seed in (1, 1, 2))
    assert first.results == again.results
    assert first.results != other.results


def test_holm_raises_each_p_value_by_the_tests_left() -> None:
    results = holm({"rest": 0.01, "runs": 0.02, "pairs": 0.5}, 0.05)
    assert [(r.test.name, r.flagged) for r in results] == [("rest", True), ("runs", True), ("pairs", False)]
    assert [r.adjusted for r in results] == pytest.approx([0.03, 0.04, 0.5])


def test_a_p_value_is_the_share_of_values_as_extreme_the_log_among_them() -> None:
    values = np.array([3.0, 1, 2, 3, 4])
    assert p_value(values, both_sides=False) == 0.6
    assert p_value(values, both_sides=True) == 1
    assert p_value(np.array([9.0, 1, 2, 3]), both_sides=True) == 0.5
    assert p_value(np.array([0.0, 1, 2, 3]), both_sides=True) == 0.5


@pytest.mark.parametrize("freedom", [1, 2, 27, 36])
def test_the_tail_of_chi_squared(freedom: int) -> None:
    for square in (0.0, 0.5, 10.0, 36.0, 100.0, 5000.0):
        tail = float(gammainc(freedom / 2, square / 2, inf, regularized=True))
        assert chi_squared_tail(square, freedom) == pytest.approx(tail, abs=1e-12)


def test_the_regulators_test_of_well_shuffled_shoes_fails_in_one_of_twenty_logs() -> None:
    """The chi-squared law holds, with its correction for cards that are not put back, in a small shoe too."""
    layout = Layout("rank", 1)
    tables = layout.read(np.concatenate(list(drawn(layout, np.zeros((20, 2), np.uint8), 1500, 3))))
    expected = 20 * layout.by_rank / 4
    squares = ((tables["quarters"] - expected) ** 2 / expected).sum(axis=(1, 2)) * (1 - 1 / 52)
    small = np.array([chi_squared_tail(square, 36) <= 0.05 for square in squares])
    assert abs(small.mean() - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"level": 0}, "level: 0, should be"), ({"seed": -1}, "seed: -1"), ({"draws": 99}, "draws at level 0.05: 99"),
     ({"draws": 10**6}, "draws at level 0.05: 1000000")],
)  # fmt: skip
def test_settings_that_cannot_be_are_one_line(settings: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ShuffleSettings(**settings)  # type: ignore[arg-type]


def test_a_lower_level_has_more_draws() -> None:
    assert ShuffleSettings().drawn == 999
    assert ShuffleSettings(level=0.001).drawn == 2 * len(TESTS) * 1000 - 1


def test_every_pair_of_shoes_may_have_a_common_stretch() -> None:
    full = np.full(52, 8)
    assert chance_of_stretch(12, 10, full) == pytest.approx(comb(10, 2) * chance_of_stretch(12, 2, full))
