"""Weighted shoes: weights against all possible last cards of a deck, gains and bounds against all possible first coups
of a deck, and limits by their rule."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb, inf, prod, sqrt

import numpy as np
import pytest
from extent import long_or
from mpmath import betainc, findroot

from counting import InputError, load_game
from counting.bounds import PlainShoes, upper_limits
from counting.bounds.confidence_limits import plain_limit
from counting.cards import Knows
from counting.exact import settlement
from counting.simulation import (
    Aim,
    Dealing,
    Rare,
    _deal,
    _tilts,
    aim_at,
    deal_weighted,
    deal_weighted_together,
    depths_for,
    importance,
    play,
    prove_bound,
    rare_gains,
)
from counting.simulation.aims import PLAIN, Unit, height
from counting.simulation.dealing import AFTER_CUT
from counting.simulation.importance import Mixture, Sampler
from counting.simulation.rare_gains import Proof, least_start, on_the_table, order_weights
from counting.simulation.shoes import arranged, kinds_of, play_orders
from counting.simulation.tilts import Tilt, Tilts, even

PUNTO = load_game("punto-banco").also(["dragon-7", "player-pair"])
DECK = np.array([16, 4, 4, 4, 4, 4, 4, 4, 4, 4], np.int32)
LEAN = np.array([0.3, 0.1, 0.5, 0.3, 0.3, 0.3, 0.9, 0.05, 0.2, 0.3])


def mixture(depth: int, *chances: np.ndarray, curves: tuple[float, ...] = ()) -> Mixture:
    """A mixture for one deck's last cards: the plain law, which gets half of the samples, and tilts of it."""
    plain = even(DECK, depth)
    tilts = [Tilt(DECK, plain, depth), *(Tilt(DECK, c, depth) for c in chances)]
    tilts += [Tilt(DECK, plain, depth, curve) for curve in curves]
    return Mixture(tuple(tilts), np.array([0.5] + [0.5 / (len(tilts) - 1)] * (len(tilts) - 1)))


def law(tilt: Tilt) -> dict[tuple[int, ...], float]:
    """Every composition of a deck's last cards, with its probability under a tilt by the definition."""
    depth = tilt.cards_left
    means = DECK * depth / 52
    chances = {}
    for cards in product(range(10), repeat=depth):
        counts = np.bincount(cards, minlength=10)
        weight = prod(comb(int(m), int(k)) for m, k in zip(DECK, counts, strict=True))
        odds = ((tilt.chances / (1 - tilt.chances)) ** counts).prod()
        chances[tuple(counts.tolist())] = weight * odds * np.exp(tilt.curve * ((counts - means) ** 2).sum())
    total = sum(chances.values())
    return {counts: weight / total for counts, weight in chances.items()}


def ending(values: tuple[int, ...]) -> np.ndarray | None:
    """A deck whose last cards have these values; None if it has too few cards of a value."""
    cards, last = list(range(52)), []
    for value in values:
        of = [card for card in cards if (card // 4 + 1 if card < 36 else 0) == value]
        if not of:
            return None
        cards.remove(of[0])
        last.append(of[0])
    return np.array(cards + last, np.uint8)


def test_the_weight_of_an_order_is_its_probability_over_that_of_the_mixture() -> None:
    mixtures = (mixture(2, LEAN, curves=(0.4,)), mixture(3, LEAN[::-1].copy()))
    aim = Aim(PUNTO, Unit("tie-8"), 1, mixtures)
    laws = [[law(tilt) for tilt in m.tilts] for m in mixtures]
    values = list(product(range(10), repeat=3))
    orders = np.array([ending(v) for v in values])
    weights = order_weights(aim, orders)
    total = 0.0
    for v, weight in zip(values, weights, strict=True):
        counts = [tuple(np.bincount(v[3 - depth :], minlength=10).tolist()) for depth in (2, 3)]
        two, three = ([tilt[n] / of[0][n] for tilt in of[1:]] for of, n in zip(laws, counts, strict=True))
        likelier = PLAIN + (1 - PLAIN) / 2 * (np.mean(two) + np.mean(three))
        assert weight == pytest.approx(1 / likelier, rel=1e-11)
        left, chance = DECK.copy(), 1.0
        for value in v:
            chance *= left[value] / left.sum()
            left[value] -= 1
        total += chance * likelier
    assert total == pytest.approx(1, rel=1e-11)
    assert weights.max() <= 1 / PLAIN


@pytest.mark.parametrize("curve", [0.0, 0.3])
def test_compositions_are_drawn_by_their_law(curve: float) -> None:
    tilts = [Tilt(DECK, even(DECK, 2), 2), Tilt(DECK, even(DECK, 3) if curve else LEAN, 3, curve)]
    side_by_side = Tilts.of(tilts, np.array([0.25, 0.75]))
    stream = np.random.Generator(np.random.Philox(key=3))
    size = 60_000
    which = side_by_side.spread(0, size, size, stream)
    assert np.abs(np.bincount(which) - [size / 4, 3 * size / 4]).max() <= 2
    drawn = side_by_side.draw(which, stream)
    for i, tilt in enumerate(tilts):
        of, expected = drawn[which == i], law(tilt)
        assert (of.sum(axis=1) == tilt.cards_left).all()
        seen: dict[tuple[int, ...], int] = dict.fromkeys(expected, 0)
        for row in of.tolist():
            seen[tuple(row)] += 1
        often = {n: p * len(of) for n, p in expected.items() if p * len(of) >= 10}
        square = sum((seen[n] - e) ** 2 / e for n, e in often.items())
        assert abs(square - len(often)) < 5 * sqrt(2 * len(often))


def drawn_by_numpy(tilts: Tilts, which: np.ndarray, stream: np.random.Generator, rows: int) -> np.ndarray:
    """What `Tilts.draw` draws, by NumPy. The running sums of `rows` cells at a time form one rising table, in which the
    random numbers are looked up."""
    (kinds, _, counts), width = tilts.binomials.shape, tilts.rest.shape[2]
    drawn, left = np.empty((len(which), kinds), np.int32), tilts.cards[which]
    for kind in range(kinds - 1):
        chance = stream.random(len(which))
        cells, row = np.unique(which * width + left, return_inverse=True)
        for start in range(0, len(cells), rows):
            tilt, cards = np.divmod(cells[start : start + rows], width)
            after = cards[:, np.newaxis] - np.arange(counts)
            later = tilts.rest[kind + 1, tilt[:, np.newaxis], np.maximum(after, 0)]
            up_to = (np.where(after >= 0, later, 0) * tilts.binomials[kind, tilt]).cumsum(axis=1)
            up_to /= np.where(up_to[:, -1:] > 0, up_to[:, -1:], 1)
            some = np.flatnonzero((row >= start) & (row < start + rows))
            place = row[some] - start
            table = (up_to + np.arange(len(tilt))[:, np.newaxis]).ravel()
            sought = place + chance[some] * (1 - 2**-40)
            drawn[some, kind] = np.searchsorted(table, sought, side="right") - place * counts
        left = left - drawn[:, kind]
    drawn[:, -1] = left
    return drawn


@pytest.mark.parametrize("rows", [3, 1 << 12])
def test_draws_are_those_of_one_table_searched(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("counting.simulation.tilts._CELLS", rows)
    tilts = Tilts.of([Tilt(DECK, even(DECK, 20), 20), Tilt(DECK, LEAN, 30), Tilt(DECK, LEAN, 9, 0.3)], np.ones(3))
    which = np.random.Generator(np.random.Philox(key=1)).integers(0, 3, 3_000)
    streams = [np.random.Generator(np.random.Philox(key=5)) for _ in range(2)]
    assert (tilts.draw(which, streams[0]) == drawn_by_numpy(tilts, which, streams[1], rows)).all()


def test_chains_exchange_cards_by_the_ratio_of_chances() -> None:
    cards = np.eye(len(DECK), dtype=np.int32)
    given, taken = np.nonzero(1 - cards)
    stream = np.random.Generator(np.random.Philox(key=7))
    at = Tilt(DECK, even(DECK, 9), 9).draw(stream, 500)
    chain, tried, moved = np.arange(500), np.empty(500, np.int32), np.empty_like(at)
    for _ in range(9):
        which, chance = stream.random(500), stream.random(500)
        pair = (which * len(given)).astype(np.intp)
        had, has = at[chain, given[pair]], at[chain, taken[pair]]
        ratio = had / (DECK[given[pair]] - had + 1) * (DECK[taken[pair]] - has) / (has + 1)
        expected = np.flatnonzero(chance < ratio)
        number = _tilts.exchanges(at, DECK, which, chance, tried, moved)
        assert tried[:number].tolist() == expected.tolist()
        at[expected] += (cards[taken] - cards[given])[pair[expected]]
        assert (moved[:number] == at[expected]).all()


def test_draws_do_not_depend_on_how_many_distributions_are_searched_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tilts = Tilts.of([Tilt(DECK, even(DECK, 20), 20), Tilt(DECK, LEAN, 30), Tilt(DECK, LEAN, 9, 0.3)], np.ones(3))
    which = np.random.Generator(np.random.Philox(key=1)).integers(0, 3, 2_000)

    def drawn() -> np.ndarray:
        return tilts.draw(which, np.random.Generator(np.random.Philox(key=3)))

    together = drawn()
    monkeypatch.setattr("counting.simulation.tilts._CELLS", 4)
    assert (drawn() == together).all()
    alone = [Tilts.of([tilt], np.ones(1)) for tilt in (Tilt(DECK, even(DECK, 20), 20),)]
    stream = np.random.Generator(np.random.Philox(key=3))
    assert (alone[0].draw(np.zeros(2_000, np.intp), stream)[which == 0] == together[which == 0]).all()


@pytest.mark.parametrize("knows", ["value", "rank", "card"])
def test_an_arranged_shoe_has_its_last_cards_and_any_order_of_them(knows: Knows) -> None:
    full = np.bincount(kinds_of(np.arange(52, dtype=np.uint8), knows))
    last = np.zeros((6_000, len(full)), np.int32)
    last[:, [0, 2, 5]] = [1, 1, 1]
    orders = arranged(4, 10, last, 1, knows)
    assert (np.sort(orders, axis=1) == np.arange(52)).all()
    kinds = kinds_of(orders, knows)
    assert (np.sort(kinds[:, -3:], axis=1) == [0, 2, 5]).all()
    in_order = [tuple(row) for row in kinds[:, -3:].tolist()]
    for order in permutations((0, 2, 5)):
        assert abs(in_order.count(order) - 1000) < 5 * sqrt(1000)
    assert (arranged(4, 12, last[:3], 1, knows) == orders[2:5]).all()
    # Every card of a kind is equally likely to be at the back, and every card in front is equally likely to be the
    # first.
    back = np.bincount(orders[:, -3:][kinds[:, -3:] == 0], minlength=52)
    assert np.abs(back[back > 0] - 6000 / full[0]).max() < 5 * sqrt(6000 / full[0]) + 1
    assert (back > 0).sum() == full[0]
    first = np.bincount(orders[:, 0], minlength=52) / 6000
    assert abs(first[kinds_of(np.arange(52, dtype=np.uint8), knows) == 0].sum() - (full[0] - 1) / 49) < 0.03


def by_twin(seed: int, shoe: int, last: list[int], decks: int) -> list[int]:
    """The slow twin of a shoe, with the number of last cards of each value given. It takes Philox's words in halves,
    for Lemire's bounded draw."""
    words = np.random.Philox(key=np.array([seed, 2**63 + shoe], np.uint64))
    halves = (half for _ in range(10**6) for word in [int(words.random_raw())] for half in (word % 2**32, word >> 32))

    def draw(cards: list[int], at: int) -> None:
        """Swap the card at this place with a random card from this place on."""
        among = len(cards) - at
        product = next(p for p in (half * among for half in halves) if p % 2**32 >= 2**32 % among)
        place = at + (product >> 32)
        cards[at], cards[place] = cards[place], cards[at]

    front, back = [], []
    for value, size in enumerate(last):
        cards = [card % 52 for card in range(52 * decks) if (card % 52 // 4 + 1) * (card % 52 < 36) == value]
        for i in range(size):
            draw(cards, i)
        back, front = cards[:size][::-1] + back, front + cards[size:]
    for part in (front, back):
        for i in range(len(part)):
            draw(part, i)
    return front + back


def test_an_arranged_shoe_is_its_slow_twins() -> None:
    stream = np.random.default_rng(8)
    for decks in (1, 3):
        last = stream.multivariate_hypergeometric(DECK * decks, 20 * decks, 5).astype(np.int32)
        orders = arranged(6, 40, last, decks)
        for i, row in enumerate(last.tolist()):
            assert orders[i].tolist() == by_twin(6, 40 + i, row, decks)


def test_given_orders_are_played_as_shuffled_ones() -> None:
    dealing = Dealing(2, 20, "first-card", (2, 1))
    orders = np.empty((30, 104), np.uint8)
    for shoe in range(30):
        _deal.order(5, 100 + shoe, 2, orders[shoe])
    shuffled, given = play(PUNTO.tableau, dealing, 5, 100, 30), play_orders(PUNTO.tableau, dealing, orders, 100)
    for name in ("first_shoe", "shoe", "coup", "undealt", "last_cut", "left", "shown"):
        assert np.array_equal(getattr(shuffled, name), getattr(given, name)), name


def test_the_unseen_cards_are_the_last_of_the_weighted_order_burned_ones_too() -> None:
    dealing = Dealing(1, 10, "first-card")
    orders = arranged(2, 0, np.zeros((200, 10), np.int32), 1)
    assert on_the_table(orders, Dealing(1, 10)) is orders
    coups = play_orders(PUNTO.tableau, dealing, on_the_table(orders, dealing))
    for shoe, left in zip(coups.shoe.tolist(), coups.left, strict=True):
        unseen = kinds_of(orders[shoe, 52 - left.sum() :], "value")
        assert (np.bincount(unseen, minlength=10) == left).all()


def by_hand(bet: str) -> float:
    """The worth of a deck with 46 cards behind the cut card and no coup after it comes out: the first coup's, plus the
    second coup's, averaged over every first one. For each six cards in order: how many are used, and what the rest is
    worth."""
    tableau, worth = PUNTO.tableau, Unit(bet)
    values = np.indices((10,) * 6, np.int8).reshape(6, -1)
    chance = np.ones(values.shape[1])
    for i, value in enumerate(values):
        before = (values[:i] == value).sum(axis=0, dtype=np.int8)
        chance *= (DECK[value] - before).clip(0) / (52 - i)
    player, banker = (values[0] + values[2]) % 10, (values[1] + values[3]) % 10
    ends = (player > 7) | (banker > 7)
    draws = ~ends & np.array([*tableau.player, False, False])[player]
    third = np.where(draws, values[4], 10)
    table = np.array([*tableau.banker, (False,) * 11, (False,) * 11])
    used = 4 + draws + (~ends & table[banker, third])
    # The cards gone, as one number: each card adds seven to the power of its value.
    gone = sum(7 ** values[i].astype(np.int64) * (used > i) for i in range(6))
    numbers, place = np.unique(gone, return_inverse=True)
    rest = (DECK - numbers[:, np.newaxis] // 7 ** np.arange(10) % 7).astype(np.int32)
    of_rest = np.bincount(place, chance)
    possible, priced = of_rest > 0, settlement(PUNTO, (bet,))
    worths = worth.free(priced.edges(np.ascontiguousarray(rest[possible])))
    return float(worth.free(priced.edges(DECK[np.newaxis]))[0] + of_rest[possible] @ worths)


@pytest.fixture
def few_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use fewer tilts, fitted to fewer chains, for tests that do not depend on how good the tilts are."""
    monkeypatch.setattr(importance, "_TILTS", long_or(32, 6))
    monkeypatch.setattr(importance, "_CHAINS", long_or(2_000, 300))
    monkeypatch.setattr(importance, "_PILOT", long_or(30_000, 4_000))


@pytest.fixture(scope="module")
def dragon() -> Aim:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importance, "_CHAINS", long_or(2_000, 800))
        patch.setattr(importance, "_PILOT", long_or(30_000, 10_000))
        return aim_at(PUNTO, Unit("dragon-7"), [40, 46], 1)


def test_weighted_shoes_have_the_exact_gain_and_the_bound_is_above_it(dragon: Aim) -> None:
    exact = by_hand("dragon-7")
    dealing = Dealing(1, 46, after_cut=(0, 0))
    gains = deal_weighted(dragon, dealing, shoes=20_000)
    assert 0 < gains.share[0] < 0.3
    assert abs(gains.gain[0] - exact) < 5 * gains.gain_se[0]
    assert gains.gain_se[0] < 0.03 * exact
    assert gains.limit[0] > exact
    bound = prove_bound(dragon, dealing)
    assert exact < bound.bound[0] - 3 * bound.bound_se[0]
    assert bound.bound[0] < 2 * exact
    assert bound.limit[0] == bound.bound[0] + rare_gains.Z999 * bound.bound_se[0]


@pytest.mark.parametrize("burn", ["none", "first-card", "5", "5-shown"])
def test_weighted_shoes_agree_with_plain_ones_at_every_cut(dragon: Aim, burn: str) -> None:
    cuts, shoes = [8, 20, 30, 38], 20_000
    dealing = Dealing(1, 8, burn)
    coups = play(PUNTO.tableau, dealing, 9, 0, shoes)
    worths = dragon.worths(coups.left)
    weighted = deal_weighted(dragon, dealing, cuts, 6_000)
    bounds = prove_bound(dragon, dealing, cuts)
    for i, cut in enumerate(cuts):
        dealt = coups.last_cut >= cut
        gains = np.bincount(coups.shoe[dealt], worths[dealt], shoes)
        error = sqrt(gains.var() / shoes + weighted.gain_se[i] ** 2)
        assert abs(weighted.gain[i] - gains.mean()) < 5 * error, cut
        share = (gains > 0).mean()
        assert abs(weighted.share[i] - share) < 5 * sqrt(share / shoes + 4 * share / 6_000), cut
        assert weighted.coups[i] == pytest.approx(dealt.sum() / shoes, rel=0.02)
        assert gains.mean() < bounds.bound[i] + 3 * bounds.bound_se[i] < 3 * gains.mean(), cut


@pytest.mark.parametrize("burn", ["none", "first-card"])
def test_counters_weighted_together_have_the_figures_of_each_by_itself(dragon: Aim, burn: str) -> None:
    dealing = Dealing(1, 20, burn)
    tied = Unit("dragon-7", ("player", "banker-5"), Fraction(1, 2))
    counters = [(dragon.worth, [30, 38]), (tied, [24, 40, 46]), (dragon.worth, None)]
    for (worth, cuts), rare in zip(counters, deal_weighted_together(dragon, dealing, counters, 1_300, 5), strict=True):
        alone = deal_weighted(dragon.serving(worth), dealing, cuts, 1_300, 5)
        for name in vars(alone):
            assert np.array_equal(getattr(rare, name), getattr(alone, name)), (worth, name)


def test_errors_are_the_spread_between_seeds(dragon: Aim) -> None:
    weighted = [deal_weighted(dragon, Dealing(1, 40), [40, 46], 1_000, seed) for seed in range(30)]
    gains, errors = np.array([f.gain for f in weighted]), np.array([f.gain_se for f in weighted])
    assert (np.abs(gains.std(axis=0) / errors.mean(axis=0) - 0.95) < 0.4).all()


def test_nothing_depends_on_the_workers_and_all_on_the_seed(few_chains: None) -> None:
    dealing = Dealing(1, 40, "first-card")
    aim, again = (aim_at(PUNTO, Unit("dragon-7"), [40, 46], 1, workers) for workers in (1, 2))
    for find in (
        lambda a, s, w: deal_weighted(a, dealing, [40, 44], 1_500, s, w),
        lambda a, s, w: prove_bound(a, dealing, [40, 44], 1_000, s, w),
    ):
        one, two, other = find(aim, 3, 1), find(again, 3, 2), find(aim, 4, 1)
        for name in vars(one):
            assert np.array_equal(getattr(one, name), getattr(two, name)), name
        assert not np.array_equal(list(vars(one).values())[-1], list(vars(other).values())[-1])


def test_a_bound_falls_with_the_cut_and_counts_every_fourth_depth(dragon: Aim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Aim, "worths", lambda self, compositions: np.ones(len(compositions)))
    cuts = [40, 41, 44, 45]
    ones = prove_bound(dragon, Dealing(1, 40, after_cut=(0, 0)), cuts)
    assert (np.abs(ones.bound - [4, 3, 3, 2]) < 4 * ones.bound_se).all()
    assert (ones.bound_se < 0.1).all()
    with_burn = prove_bound(dragon, Dealing(1, 30, "first-card", (0, 0)), [30])
    burned = [Fraction(4 * (1 + 3 * (b == 10)), 52) * len(range(30 + b, 52, 4)) for b in range(1, 11)]
    assert abs(with_burn.bound[0] - float(sum(burned))) < 4 * with_burn.bound_se[0] < 0.5


@pytest.mark.long
def test_a_bound_that_draws_too_few_gains_is_summed_over_all_compositions(
    dragon: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 9 cards or fewer, each composition is weighted by its chance. The bound agrees with plain draws and, for a
    worth of 1, with the exact number of coups."""
    monkeypatch.setattr("counting.simulation.rare_gains.ENOUGH", inf)  # no number of draws is enough
    monkeypatch.setattr("counting.simulation.rare_gains._MOST_TRIED", 50_000)
    deck = np.array([16] + [4] * 9)
    worths = dragon.worths(np.random.default_rng(3).multivariate_hypergeometric(deck, 9, 200_000).astype(np.int32))
    twice = prove_bound(dragon, Dealing(1, 46, after_cut=(0, 0)))  # coups with 46 and with 50 cards
    assert twice.bound_se.tolist() == [0]
    assert abs(twice.bound[0] / 2 - worths.mean()) < 4 * worths.std() / sqrt(len(worths)) < 0.02 * worths.mean()

    monkeypatch.setattr(Aim, "worths", lambda self, compositions: np.ones(len(compositions)))
    cuts = [40, 41, 44, 45]
    assert prove_bound(dragon, Dealing(1, 40, after_cut=(0, 0)), cuts).limit == pytest.approx([4, 3, 3, 2])
    burned = [Fraction(4 * (1 + 3 * (b == 10)), 52) * len(range(30 + b, 52, 4)) for b in range(1, 11)]
    with_burn = prove_bound(dragon, Dealing(1, 30, "first-card", (0, 0)))
    assert with_burn.bound == pytest.approx([float(sum(burned))])


@pytest.mark.parametrize("burn", ["none", "first-card"])
def test_a_bet_that_is_never_positive_has_a_bound_of_0(burn: str) -> None:
    game, (bet,) = PUNTO.asked(["never: tie player_total=9 = 1 to 1"])
    assert prove_bound(Aim(game, Unit(bet), 8, ()), Dealing(8, 14, burn)).limit.tolist() == [0]


@pytest.mark.parametrize("after", AFTER_CUT)
def test_no_coup_begins_with_fewer_cards_than_the_least(after: tuple[int, int]) -> None:
    for cut in (0, 7, 30):
        dealing = Dealing(1, 0, after_cut=after)
        coups = play(PUNTO.tableau, dealing, 1, 0, 3_000)
        least = int(coups.undealt[coups.last_cut >= cut].min())
        assert least_start(dealing, cut) <= least
        assert least <= least_start(dealing, cut) + 6


def test_how_far_a_coup_is_from_a_bet() -> None:
    edges = np.random.default_rng(1).uniform(-1, 0.3, (500, 3))
    assert height(Unit("a"), edges[:, :1]) == pytest.approx(edges[:, 0], abs=1e-9)
    tied = Unit("a", ("b", "c"), Fraction(2))
    joint = edges[:, 0] + 2 * edges[:, 1:].max(axis=1)
    assert tied.bets == ("a", "b", "c")
    assert tied.free(edges) == pytest.approx(joint.clip(0))
    assert height(tied, edges) == pytest.approx(np.where(joint > 0, joint, joint / 3), abs=1e-9)

    class Either:
        bets = ("a", "b", "c")

        def free(self, edges: np.ndarray) -> np.ndarray:
            return np.maximum(0, np.maximum(edges[:, 0] + 2 * edges[:, 1], 3 * edges[:, 2] + edges[:, 0]))

    either = np.maximum((edges[:, 0] + 2 * edges[:, 1]) / 3, (3 * edges[:, 2] + edges[:, 0]) / 4)
    below = either < 0
    assert height(Either(), edges)[below] == pytest.approx(either[below], abs=1e-9)


def test_a_search_by_height_is_that_of_the_estimate(few_chains: None) -> None:
    """For one bet the height is the edge, so both searches find the same tilts but for rounding."""
    aim = aim_at(PUNTO, Unit("tie-8"), [30], 1)
    sampler = Sampler(settlement(PUNTO, ("tie-8",)), DECK, 30, 1)
    for a, b in zip(aim.mixtures[0].tilts, sampler.mixture().tilts, strict=True):
        assert a.chances == pytest.approx(b.chances, abs=0.2)


def test_pairs_are_aimed_at_by_uneven_ranks() -> None:
    aim = aim_at(PUNTO, Unit("player-pair"), [26], 1)
    assert aim.knows == "rank"
    assert [tilt.curve > 0 for tilt in aim.mixtures[0].tilts] == [False, True, True]
    dealing = Dealing(1, 20)
    coups = play(PUNTO.tableau, dealing, 9, 0, 20_000, "rank")
    gains = np.bincount(coups.shoe, aim.worths(coups.left), 20_000)
    weighted = deal_weighted(aim, dealing, shoes=4_000)
    assert abs(weighted.gain[0] - gains.mean()) < 5 * sqrt(gains.var() / 20_000 + weighted.gain_se[0] ** 2)


def test_suits_are_leaned_to_where_cards_are_not() -> None:
    game = PUNTO.also(["player-suited"])
    aim = aim_at(game, Unit("player-suited"), [26], 1)
    assert aim.knows == "card"
    (mixture,) = aim.mixtures
    assert len(mixture.tilts) == 1 + 2 * 14
    assert mixture.shares.sum() == pytest.approx(1)
    by_suit = np.array([tilt.chances.reshape(13, 4) for tilt in mixture.tilts[1:]])
    assert (by_suit == by_suit[:, :1]).all()
    gains = []
    for seed in (1, 2):
        coups = play(game.tableau, Dealing(1, 20), seed, 0, 10_000, "card")
        gains.append(np.bincount(coups.shoe, aim.worths(coups.left), 10_000))
    plain, weighted = np.concatenate(gains), deal_weighted(aim, Dealing(1, 20), shoes=4_000)
    assert abs(weighted.gain[0] - plain.mean()) < 5 * sqrt(plain.var() / 20_000 + weighted.gain_se[0] ** 2)


def test_depths_are_as_near_as_they_must_be() -> None:
    assert depths_for([156]) == [156]
    assert depths_for([104, 104, 110]) == [104, 110]
    depths = depths_for(range(20, 209))
    assert (depths[0], depths[-1]) == (20, 208)
    near = [sqrt(d * (416 - e) / (e * (416 - d))) for d, e in pairwise(depths)]
    assert min(near) > 0.83
    assert len(depths) == 11
    assert depths_for([0, 50], 1)[:: len(depths_for([0, 50], 1)) - 1] == [12, 40]


def plain(bets: list[float], shoes: int = 2_000) -> PlainShoes:
    cuts = np.array([40, 44, 46])
    gain = np.array([0.05, 0.03, 0.02])
    return PlainShoes(cuts, shoes, 10, np.array([3.0, 2.5, 2.0]), np.array(bets), gain, gain / 10)


def test_a_plain_limit_is_students_and_more_the_fewer_bets() -> None:
    def student(freedom: int) -> float:
        """The value that Student's t exceeds once in a hundred times."""
        above = lambda t: betainc(freedom / 2, 0.5, 0, freedom / (freedom + t**2), regularized=True) / 2  # noqa: E731
        return float(findroot(lambda t: above(t) - 0.01, 2.5))

    assert plain_limit(1.0, 0.1, 10, np.inf) == pytest.approx(1 + 0.1 * student(9), rel=2e-3)
    assert plain_limit(1.0, 0.1, 251, 400) == pytest.approx(1 + 0.1 * (student(250) + 1), rel=1e-4)


def test_limits_are_from_plain_shoes_where_these_have_a_thousand_bets(dragon: Aim) -> None:
    dealing = Dealing(1, 40)
    enough = upper_limits(PUNTO, dealing, Unit("dragon-7"), plain([5000, 2000, 1000]))
    assert enough.source == ("plain",) * 3
    assert enough.upper == pytest.approx(plain_limit(enough.gain, enough.gain_se, 10, [5000, 2000, 1000]))
    assert enough.how == (
        "With 40 to 46 cards behind the cut card, the upper bound comes from the 2,000 shoes of the sweep. It is the "
        "gain plus some standard errors. Their number is Student's quantile plus a margin, which is larger if fewer "
        "coups have a bet."
    )
    limits = upper_limits(PUNTO, dealing, Unit("dragon-7"), plain([5000, 999, 0]), 2_000, aim=dragon)
    rest = deal_weighted(dragon, dealing, [44, 46], 2_000)
    assert limits.source == ("plain", "weighted", "weighted")
    assert np.array_equal(limits.upper[1:], rest.limit)
    assert np.array_equal(limits.gain[1:], rest.gain)
    assert np.isnan(limits.share[0])
    assert np.array_equal(limits.share[1:], rest.share)
    assert (
        "With 44 to 46 cards behind the cut card, the upper bound comes from 2,000 other shoes, because" in limits.how
    )
    assert "fewer than 1,000 coups of the sweep" in limits.how
    # With a million shoes, 10,000 coups with a bet are needed: one per hundred shoes.
    assert plain([20_000, 9_999, 10_000], 10**6).few.tolist() == [False, True, False]


def test_where_weighted_shoes_have_too_few_bets_the_bound_is_taken(
    dragon: Aim, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Rare, "enough", property(lambda self: self.cuts == 44))
    dealing = Dealing(1, 40)
    limits = upper_limits(PUNTO, dealing, Unit("dragon-7"), plain([0, 0, 0]), 1_000, aim=dragon)
    assert limits.source == ("proved", "weighted", "proved")
    assert limits.upper[0] == prove_bound(dragon, dealing, [40]).limit[0]
    assert limits.upper[2] == limits.upper[1]
    assert "With 40 or 46 cards behind the cut card, the upper bound is a proven bound" in limits.how


def test_a_cut_that_no_shoe_reaches_is_worth_nothing(dragon: Aim) -> None:
    dealing = Dealing(1, 40, "first-card")
    gains = deal_weighted(dragon, dealing, [45, 52], 1_000)
    assert gains.gain[0] > gains.gain[1] == 0
    assert gains.coups[1] == 0
    assert (
        deal_weighted(dragon, dealing, [52], 1_000).gain,
        prove_bound(dragon, replace(dealing, after_cut=(0, 0)), [52]).bound,
    ) == (0, 0)


def test_beyond_half_of_the_shoe_the_limit_is_that_at_half(dragon: Aim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Rare, "enough", property(lambda self: self.cuts > 100))
    few = PlainShoes(np.array([22, 26, 44]), 2_000, 10, np.ones(3), np.zeros(3), np.zeros(3), np.zeros(3))
    limits = upper_limits(PUNTO, Dealing(1, 22), Unit("dragon-7"), few, 1_000, aim=dragon)
    assert limits.source == ("proved",) * 3
    assert limits.upper[:2] == pytest.approx(prove_bound(dragon, Dealing(1, 22), [22, 26]).limit, rel=0)
    assert limits.upper[2] == limits.upper[1] < limits.upper[0]


def test_an_aim_serves_a_worth_that_is_less(dragon: Aim) -> None:
    tied = Unit("dragon-7", ("player", "banker-5"), Fraction(1))
    aim = dragon.serving(tied)
    dealing = Dealing(1, 40)
    weighted, own = (
        deal_weighted(aim, dealing, shoes=4_000),
        deal_weighted(aim_at(PUNTO, tied, [40], 1), dealing, shoes=4_000),
    )
    assert 0 < weighted.gain[0] < deal_weighted(dragon, dealing, shoes=4_000).gain[0]
    assert abs(weighted.gain[0] - own.gain[0]) < 5 * sqrt(weighted.gain_se[0] ** 2 + own.gain_se[0] ** 2)


def test_where_a_worth_is_common_or_never_there_no_tilts_are_found(few_chains: None) -> None:
    common = aim_at(PUNTO, Unit("player"), [8], 1)
    assert isinstance(deal_weighted(common, Dealing(1, 8), shoes=1_000), Rare)
    assert isinstance(prove_bound(common, Dealing(1, 20), compositions=2_000), Proof)
    assert Aim(PUNTO, Unit("player"), 1, ()).along.shares.tolist() == [1]


def test_mistakes_are_said(dragon: Aim, monkeypatch: pytest.MonkeyPatch) -> None:
    one_deck = Dealing(1, 40)
    for call, says in (
        (lambda: deal_weighted(dragon, Dealing(8)), "aim: of 1 decks, should be of the 8 that are dealt"),
        (lambda: deal_weighted(dragon, one_deck, []), "cuts: none, should be one or more"),
        (lambda: deal_weighted(dragon, one_deck, [53]), "cut: 53, should be a whole number from 0 to 52"),
        (lambda: deal_weighted(dragon, one_deck, shoes=999), "shoes: 999, should be a whole number from 1,000 to"),
        (lambda: deal_weighted(dragon, one_deck, seed=-1), "seed: -1, should be"),
        (lambda: deal_weighted(dragon, one_deck, workers=0), "workers: 0, should be"),
        (
            lambda: prove_bound(dragon, one_deck, compositions=10),
            "compositions: 10, should be a whole number from 1,000 to",
        ),
        (lambda: prove_bound(dragon, Dealing(2)), "aim: of 1 decks, should be of the 2"),
        (lambda: aim_at(PUNTO, Unit("dragon-8"), [40], 1), "dragon-8"),
        (lambda: aim_at(PUNTO, Unit("dragon-7"), [5], 1), "depth: 5, should be a whole number from 6 to 52"),
        (lambda: depths_for([]), "cuts: none, should be one or more"),
        (
            lambda: play_orders(PUNTO.tableau, one_deck, np.zeros((2, 50), np.uint8)),
            r"orders: shape \(2, 50\), should be",
        ),
    ):
        with pytest.raises(InputError, match=says):
            call()
    suits = Aim(PUNTO.also(["perfect-pair"]), Unit("perfect-pair"), 1, ())
    monkeypatch.setattr(Aim, "worths", lambda self, compositions: np.zeros(len(compositions)))
    with pytest.raises(InputError, match="worth: of perfect-pair: with 6 to 35 cards it is above 0 on too few of the"):
        prove_bound(suits, one_deck)


def test_figures_of_weighted_shoes_are_those_of_their_gains_one_by_one() -> None:
    """For shoes in two blocks, at two cuts: the mean and its error are a sample's, and the effective number is
    Kish's."""
    rng = np.random.default_rng(7)
    weights, gains = rng.random(12), rng.random((12, 2)) * (rng.random((12, 2)) < 0.7)
    coups, won = rng.integers(60, 80, (12, 2)), weights[:, np.newaxis] * gains
    parts = [
        rare_gains._WeightedSums(w.sum(), w @ n, g.sum(axis=0), (g**2).sum(axis=0), w @ (g > 0))
        for w, n, g in ((weights[own], coups[own], won[own]) for own in (slice(0, 7), slice(7, 12)))
    ]
    rare = rare_gains._rare(np.array([14, 26]), 12, parts)
    assert rare.gain == pytest.approx(won.mean(axis=0))
    assert rare.gain_se == pytest.approx(won.std(axis=0, ddof=1) / sqrt(12))
    assert rare.share == pytest.approx((weights[:, np.newaxis] * (gains > 0)).mean(axis=0))
    assert rare.coups == pytest.approx(weights @ coups / weights.sum())
    assert rare.effective == pytest.approx(won.sum(axis=0) ** 2 / (won**2).sum(axis=0))
