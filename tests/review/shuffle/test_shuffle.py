"""Tests of shuffling: true p-values on shoes dealt by the real rules, and each fault caught by its test and named."""

from functools import cache
from math import comb
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or
from twins.shoe_logs import log_of_orders, log_of_table

from counting import load_game
from counting.cards import CARDS, DECK
from counting.errors import InputError
from counting.logs import BETS, NO_CARD, PLACES, UNREAD, Log
from counting.review.shuffle import order_tests as order_module
from counting.review.shuffle.discard_rack import gathering
from counting.review.shuffle.order_tests import OrderTests, order_tests
from counting.review.shuffle.repeated_stretches import chance_of_stretch, longest_stretch
from counting.review.shuffle.review import (
    TESTS,
    TOTAL_WEIGHT,
    ShuffleReview,
    ShuffleSettings,
    Statistics,
    _odd_card,
    compared,
    extra_cards,
    results_of,
    shuffle_review,
    simulated,
)
from counting.review.shuffle.shoe_counts import CountLayout, count_shoes, draw_counts
from counting.review.shuffle.shoe_orders import ShoeOrders, shoe_orders
from counting.review.significance import chi_squared_tail
from counting.review.synthetic import DealtTable, deal
from counting.simulation import Dealing
from experiments.shuffle import pit

PUNTO_BANCO = load_game("punto-banco")
NEW = CountLayout("card", 8).new
SEVEN = CARDS.index("7h")
# As few draws, at their level, as the weights of the tests allow.
TRIED: dict[str, Any] = long_or({}, {"level": 0.2, "draws": 209})
LAYOUT = cache(order_module.Successors)  # the columns are the same for every log of these decks


@pytest.fixture(autouse=True)
def _one_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_module, "Successors", LAYOUT)


def fair(shoes: int, seed: int = 1) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(NEW) for _ in range(shoes)]


def riffled(shoe: np.ndarray, riffles: int, rng: np.random.Generator) -> np.ndarray:
    after = np.empty_like(shoe)
    after[np.argsort(rng.integers(0, 2**riffles, len(shoe)), kind="stable")] = shoe
    return after


def reviewed(shoes: list[np.ndarray], **settings: float) -> ShuffleReview:
    return shuffle_review(log_of_orders(shoes), 8, ShuffleSettings(**{"draws": 839, **TRIED, **settings}))  # type: ignore[arg-type]


def flagged_by_counts(shoes: list[np.ndarray]) -> set[str]:
    """The tests that flag these shoes, of those that count cards shoe by shoe."""
    orders = shoe_orders(log_of_orders(shoes), 8, 1)
    layout = CountLayout("card", 8)
    p_values, _ = compared(layout, orders, count_shoes(layout, orders.cards), ShuffleSettings())
    return {result.test.name for result in results_of(p_values, 0.05)[0] if result.flagged}


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
    layout, follows = CountLayout("card", 1), np.zeros((shoes, 2), np.uint8)
    draws = np.concatenate(list(draw_counts(layout, shoes, long_or(3999, 299), 1)))
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
        own = count_shoes(layout, cards[some])
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
    logs = p_values(3, long_or(1000, 100), closing)
    for name, p in logs.items():
        assert max(far_out(p, at) for at in (0.02, 0.05, 0.2, 0.5)) < 4, name
        if name != "stretches":  # a bound
            assert (p <= 0.5).mean() > 0.3, name
    any_flagged = [results_of({name: p[i] for name, p in logs.items()}, 0.05)[0][0].flagged for i in range(len(p))]
    assert far_out(1.0 - np.array(any_flagged), 0.05) < 4


def test_the_bound_is_one_that_a_wrong_completion_breaks() -> None:
    logs = p_values(3, 30, sort_rest=True)
    assert max(far_out(p, 0.05) for p in logs.values()) > 8


def test_a_well_shuffled_log_is_not_flagged() -> None:
    review = reviewed(fair(3))
    assert not review.flagged
    assert {result.test.name for result in review.results} == {*TESTS}
    assert not review.findings
    assert not review.left_out
    assert not review.unread


def order_p(shoes: list[pit.Shoe], missing: float = 0.0, pickup: str | None = None) -> OrderTests:
    """The order tests of a log with 199 draws: none has a p-value of less than 0.005."""
    log = pit.table_log(shoes, missing, np.random.default_rng(7))
    return order_tests(shoe_orders(log, 8, 1), 199, 1, 1, None if pickup is None else gathering(pickup))


LEAST = 0.005


def reviewed_pit(shoes: list[pit.Shoe], missing: float = 0.0, **settings: object) -> ShuffleReview:
    log = pit.table_log(shoes, missing, np.random.default_rng(7))
    return shuffle_review(log, 8, ShuffleSettings(**{**TRIED, **settings}), allow_unread=0.05)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("gathered", "last_on_top", "riffles", "shoes"),
    [("hand by hand", True, 5, 2), ("Banker's hand first, turned", False, 4, 2), ("anyhow", True, 4, 3),
     ("third card in the middle", True, 4, 2), ("dealing order", False, 1, 2)],
)  # fmt: skip
def test_riffles_of_the_shoe_before_show_however_it_was_gathered(
    gathered: str, last_on_top: bool, riffles: int, shoes: int
) -> None:
    rng = np.random.default_rng([*gathered.encode()])
    log = pit.one_after_another(rng, shoes, pit.GATHERED[gathered], pit.riffles(riffles), last_on_top)
    tests = order_p(log, missing=0.02)
    assert tests.p_values["shoe-before"] == LEAST
    like = tests.likes["shoe-before"]
    if gathered == "hand by hand":
        assert like.riffles in (4, 5, 6)
        assert like.gathered is not None
        assert like.gathered.last_first == last_on_top
        assert like.gathered.name.startswith("P")


@pytest.mark.long
def test_seven_riffles_show_in_twelve_shoes_and_sooner_in_a_known_order() -> None:
    log = pit.one_after_another(np.random.default_rng(3), 12, pit.GATHERED["hand by hand"], pit.riffles(7))
    assert order_p(log[:6], pickup="P123-B123-last-on-top").p_values["shoe-before"] <= 2 * LEAST
    tests = order_p(log)
    assert tests.p_values["shoe-before"] == LEAST
    assert tests.likes["shoe-before"].kind == "orders"


def test_a_wash_before_one_riffle_shows_by_place() -> None:
    log = pit.one_after_another(np.random.default_rng(4), 4, pit.GATHERED["anyhow"], pit.washed(1))
    tests = order_p(log)
    assert tests.p_values["shoe-before"] == LEAST
    assert tests.likes["shoe-before"].kind == "places"


def test_two_batches_by_turns_show_in_the_shoe_before_that() -> None:
    rng = np.random.default_rng(3)
    log = pit.one_after_another(rng, 4, pit.GATHERED["hand by hand"], pit.riffles(4), batches=2)
    p_values = order_p(log).p_values
    assert p_values["two-before"] == LEAST
    assert p_values["shoe-before"] > 0.05


def with_slug(length: int, riffled: int = 0, seed: int = 1) -> tuple[list[pit.Shoe], list[int]]:
    """Random shoes; cards of the third stay together in the fourth."""
    rng = np.random.default_rng(seed)
    shoes = [pit.dealt(pit.at_random(rng)) for _ in range(3)]
    discards = pit.rack(rng, shoes[-1], pit.GATHERED["hand by hand"])
    shoes.append(pit.dealt(pit.slug(rng, discards, length, 150, riffled)))
    return [*shoes, pit.dealt(pit.at_random(rng))], discards[150 : 150 + length]


def test_a_slug_is_named_with_its_shoe_coups_places_and_former_coups() -> None:
    shoes, kept = with_slug(30)
    review = reviewed_pit(shoes[1:4])
    assert "slugs" in flagged(review)
    finding = review.findings[0]
    assert (finding.table, finding.shoe, finding.former, finding.known_by) == ("1", "3", "2", "card")
    assert 30 <= (finding.cards or 0) <= 33
    cards = review.orders.cards[2]
    first, last = finding.places or (0, 0)
    assert last - first + 1 == finding.cards
    middle = cards[first : last - 1].tolist()
    assert all(kept.count(card) >= middle.count(card) for card in middle)
    from_coup, to_coup = finding.coups or (0, 0)
    dealt = [card for p, b in shoes[3].coups[from_coup - 1 : to_coup] for card in (*p, *b)]
    assert all(dealt.count(card) >= middle.count(card) for card in middle)
    began, ended = finding.former_coups or (0, 0)
    assert began > ended  # the last coup lay on top
    former = [card for p, b in shoes[2].coups[ended - 1 : began] for card in (*p, *b)]
    assert all(former.count(card) >= middle.count(card) for card in middle)


def test_a_slug_that_was_riffled_with_others_is_named_by_its_part_of_the_pile() -> None:
    shoes, kept = with_slug(50, riffled=1, seed=2)
    review = reviewed_pit(shoes[2:4])
    (finding,) = [finding for finding in review.findings if finding.kind == "one-shoe"]
    assert (finding.shoe, finding.former) == ("2", "1")
    began, ended = finding.former_coups or (0, 0)
    there = [card for p, b in shoes[2].coups[began - 1 : ended] for card in (*p, *b)]
    assert (np.bincount(there, minlength=52) >= np.bincount(kept, minlength=52)).sum() > 40
    first, last = finding.places or (0, 0)
    order = [*shoes[3].burned, *(card for p, b in shoes[3].coups for card in (*p, *b))]
    assert last - first < 300
    assert sum(card in order[first - 1 : last] for card in kept) == 50


def test_arranged_coups_are_named_with_who_bet_there() -> None:
    rng = np.random.default_rng(5)
    shoes = [pit.dealt(pit.at_random(rng)), pit.dealt(pit.arranged(rng, 12, "natural"))]
    log = pit.table_log(shoes)
    bets = [("1", "2", coup, "P-1", 50_000, 47_500) for coup in range(2, 12)]
    bets += [("1", "2", 40, "P-2", 900_000, None), ("1", "1", 3, "P-3", 900_000, None), ("1", "2", 3, "P-4", 100, None)]
    frame = pl.DataFrame(
        [(i, *bet[:4], "banker", *bet[4:]) for i, bet in enumerate(bets)], schema=list(BETS), orient="row"
    ).cast(BETS)  # type: ignore[arg-type]
    review = shuffle_review(Log(log.coups, frame, log.remarks), 8, ShuffleSettings(**TRIED))
    (finding,) = review.findings
    assert (finding.kind, finding.shoe, finding.event) == ("coolers", "2", "natural wins of Banker")
    first, last = finding.coups or (0, 0)
    assert first == 1
    assert last >= 12
    assert finding.bettors == (("P-1", 10, 5000.0, 4750.0), ("P-4", 1, 1.0, None))


def test_a_single_shoe_has_a_verdict() -> None:
    rng = np.random.default_rng(6)
    assert not reviewed_pit([pit.dealt(pit.at_random(rng))]).findings
    new = reviewed_pit([pit.dealt(pit.riffles(6)(rng, pit.new_decks((True, True, False, False))))])
    assert "new-decks" in flagged(new)
    arranged = reviewed_pit([pit.dealt(pit.arranged(rng, 12, "natural"))])
    assert [(finding.kind, finding.shoe) for finding in arranged.findings] == [("coolers", "1")]


def test_coups_that_were_logged_twice_are_left_out() -> None:
    rng = np.random.default_rng(7)
    log = pit.table_log([pit.dealt(pit.at_random(rng)) for _ in range(2)])
    twice = log.coups.with_row_index("row")
    coups = pl.concat([twice, twice.filter(pl.col("row") % 20 == 3)]).sort("row", maintain_order=True).drop("row")
    coups = coups.with_columns(coup=(pl.int_range(pl.len()).over("shoe") + 1).cast(pl.Int32))
    review = shuffle_review(Log(coups, log.bets, log.remarks), 8)
    assert review.repeated == coups.height - log.coups.height > 5
    assert not review.findings


def test_new_decks_with_too_few_riffles_show() -> None:
    rng = np.random.default_rng(4)
    assert "new-decks" in flagged(reviewed([riffled(NEW, 6, rng)]))
    assert {"new-decks", "same-suit", "pairs", "runs"} <= flagged(reviewed([riffled(NEW, 1, rng)]))


def test_a_shoe_that_comes_again_shows_and_is_named() -> None:
    shoes = fair(3)
    shoes[2] = np.roll(shoes[0], 100)
    review = reviewed(shoes)
    assert "stretches" in flagged(review)
    assert review.stretch is not None
    assert review.stretch == (300, (0, 2), (1, 101))
    finding = next(finding for finding in review.findings if finding.kind == "stretches")
    assert (finding.shoe, finding.places, finding.coups) == ("2", (101, 400), (21, 80))
    assert (finding.former, finding.former_coups, finding.cards) == ("0", (1, 60), 300)


def test_tens_that_come_late_show_by_quarter() -> None:
    rng, shoes = np.random.default_rng(5), []
    for _ in range(6):
        late = rng.random(416) + 0.25 * (NEW >= 36)
        shoes.append(NEW[np.argsort(late)])
    assert "places" in flagged_by_counts(shoes)


def test_a_top_that_is_never_shuffled_shows() -> None:
    rng, shoes = np.random.default_rng(6), []
    for _ in range(8):
        rest = rng.permutation(NEW[6:])
        shoes.append(np.concatenate([rng.permutation(NEW[:6]), rest]))
    assert "first-cards" in flagged_by_counts(shoes)


def test_decks_shuffled_one_by_one_are_too_even() -> None:
    rng = np.random.default_rng(7)
    shoes = [np.concatenate([rng.permutation(DECK) for _ in range(8)]) for _ in range(8)]
    assert "evenness" in flagged_by_counts(shoes)


def test_cards_collected_by_rank_show_as_neighbours() -> None:
    rng, shoes = np.random.default_rng(8), []
    for _ in range(4):
        pairs = rng.permutation(np.sort(NEW).reshape(-1, 2)).ravel()
        shoes.append(riffled(pairs, 1, rng))
    assert {"same-rank", "pairs"} & flagged_by_counts(shoes)


def test_a_missing_card_shows_in_the_rest_and_is_named() -> None:
    shoes = []
    for shoe in fair(18):
        at = int(np.flatnonzero(shoe == SEVEN)[0])
        shoes.append(np.append(np.delete(shoe, at), SEVEN))
    assert flagged_by_counts(shoes) == {"rest"}
    layout, orders = CountLayout("card", 8), shoe_orders(log_of_orders(shoes), 8, 1)
    card, more = _odd_card(layout, count_shoes(layout, orders.cards), orders.number)
    assert card == "7h"
    assert more > 0.4


def test_an_extra_card_shows_in_shoes_that_cannot_be() -> None:
    rng = np.random.default_rng(9)
    shoes = [rng.permutation(np.append(NEW, SEVEN))[:416] for _ in range(3)]
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


@pytest.mark.parametrize(("most", "knows", "riffles", "number"), [(12, "rank", 2, 3), (9, "value", 1, 4)])
def test_a_log_without_suits_is_tested_without_the_test_of_suits(
    most: int, knows: str, riffles: int, number: int
) -> None:
    rng, shoes = np.random.default_rng(10), fair(1)
    for _ in range(number - 1):
        shoes.append(riffled(shoes[-1], riffles, rng))
    review = shuffle_review(without_suits(log_of_orders(shoes), most), 8, ShuffleSettings(**TRIED))
    assert review.orders.knows == knows
    assert set(review.left_out) == {"same-suit"}
    assert flagged(review) & {"shoe-before", "pairs"}


def test_one_shoe_has_no_shoe_before() -> None:
    assert set(reviewed(fair(1)).left_out) == {"shoe-before", "two-before", "stretches", "one-shoe"}
    assert set(reviewed(fair(2)).left_out) == {"two-before"}


def test_a_log_with_gaps_is_tested_on_both_sides_of_them() -> None:
    log = log_of_orders(fair(2))
    rows = log.coups.with_row_index("row")
    gaps = rows.filter(~((rows["shoe"].cast(str) == "1") & (rows["coup"] == 60))).drop("row")
    review = shuffle_review(Log(gaps, log.bets, log.remarks), 8, ShuffleSettings(**TRIED))
    assert review.orders.seen.tolist() == [400, 395]
    assert review.orders.hidden == 1
    assert not review.findings


def test_too_much_unread_has_no_verdict() -> None:
    log = log_of_orders(fair(2))
    unread = np.where(np.arange(log.coups.height) % 10 == 9, UNREAD, log.coups["player_1"].to_numpy())
    spoilt = Log(log.coups.with_columns(player_1=unread.astype(np.int8)), log.bets, log.remarks)
    review = shuffle_review(spoilt, 8)
    assert [part.what for part in review.unread] == ["cards not read"]
    assert not review.results
    assert not shuffle_review(spoilt, 8, ShuffleSettings(**TRIED), allow_unread=0.5).unread


def test_a_log_of_nothing_has_no_verdict() -> None:
    log = log_of_orders(fair(1))
    for empty in (log.coups.clear(), log.coups.with_columns(banker_1=np.int8(NO_CARD))):
        review = shuffle_review(Log(empty, log.bets, log.remarks), 8)
        assert review.orders.number == 0
        assert not review.results


def test_the_same_log_and_seed_give_the_same_p_values() -> None:
    first, again, other = (reviewed(fair(1), seed=seed) for seed in (1, 1, 2))
    assert first.results == again.results
    assert first.results != other.results


def test_shoes_share_the_weight_of_their_test() -> None:
    """Holm 1979: p / w in order, times the weights of those that are left."""
    results, _ = results_of({"rest": 0.01, "runs": 0.02, "pairs": 0.5}, 0.05)
    assert [(r.test.name, r.flagged) for r in results] == [("rest", True), ("runs", True), ("pairs", False)]
    assert [r.adjusted for r in results] == pytest.approx([0.03, 0.04, 0.5])
    results, shoes = results_of({"shoe-before": 0.02, "rest": 0.9}, 0.05, {"slugs": {0: 0.002, 1: 0.9, 2: 0.8}})
    assert [r.test.name for r in results] == ["slugs", "shoe-before", "rest"]
    assert [r.adjusted for r in results] == pytest.approx([0.002 * 1.5 * 7, 0.02 / 4 * (7 - 2 / 3), 1.0])
    assert shoes["slugs"] == pytest.approx({0: 0.021, 1: 1.0, 2: 1.0})
    assert results[0].p == pytest.approx(0.006)


def test_weighted_holm_keeps_its_level_for_any_weights() -> None:
    rng, flags = np.random.default_rng(1), []
    for _ in range(2000):
        p = dict(zip(("shoe-before", "rest", "pairs"), rng.random(3).tolist(), strict=True))
        results, _ = results_of(p, 0.2, {"slugs": dict(enumerate(rng.random(5).tolist()))})
        flags.append(any(result.flagged for result in results))
    assert abs(np.mean(flags) - 0.187) < 4 * np.sqrt(0.187 * 0.813 / 2000)  # 1 - (1 - 4a/8) (1 - a/8)^2 (1 - 2a/40)^5


def test_the_regulators_test_of_well_shuffled_shoes_fails_in_one_of_twenty_logs() -> None:
    """The chi-squared law holds, with its correction for cards that are not put back, in a small shoe too."""
    layout = CountLayout("rank", 1)
    tables = layout.read(np.concatenate(list(draw_counts(layout, 20, 1500, 3))))
    expected = 20 * layout.by_rank / 4
    squares = ((tables["quarters"] - expected) ** 2 / expected).sum(axis=(1, 2)) * (1 - 1 / 52)
    small = np.array([chi_squared_tail(square, 36) <= 0.05 for square in squares])
    assert abs(small.mean() - 0.05) < 4 * np.sqrt(0.05 * 0.95 / 1500)


@pytest.mark.parametrize(
    ("settings", "words"),
    [({"level": 0}, "level: 0, should be"), ({"seed": -1}, "seed: -1"), ({"draws": 99}, "draws at level 0.05: 99"),
     ({"draws": 10**6}, "draws at level 0.05: 1000000"), ({"pickup": "P12"}, "--pickup P12: should be the hand")],
)  # fmt: skip
def test_settings_that_cannot_be_are_one_line(settings: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ShuffleSettings(**settings)  # type: ignore[arg-type]


def test_a_lower_level_has_more_draws() -> None:
    assert ShuffleSettings().draws == 999
    assert ShuffleSettings(level=0.001).draws == 2 * TOTAL_WEIGHT * 1000 - 1


def test_every_pair_of_shoes_may_have_a_common_stretch() -> None:
    full = np.full(52, 8)
    assert chance_of_stretch(12, 10, full) == pytest.approx(comb(10, 2) * chance_of_stretch(12, 2, full))
