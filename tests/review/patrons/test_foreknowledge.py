"""Who knows the coming cards: the e-value against plain loops from its definition, and that nobody honest has one.

The reference deals cards in loops and takes chances from `counting.verify.reference`, in fractions; It shares with the
module only the weights, which are tested by hand, and the sets of good values, which are tested against exact edges.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from math import exp, log, log10, prod
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from extent import long_or

from counting import Shoe, exact_edges, load_game
from counting.arrays import Floats, Ints
from counting.cards import VALUE_OF_RANK
from counting.exact import all_deals, edges, pay_distribution, win_ways
from counting.games import STOOD, Game, Outcome
from counting.logs import Log, read_log
from counting.review import _foreknowledge
from counting.review.patrons import foreknowledge
from counting.review.patrons.channels import (
    AGAINST,
    CHANNELS,
    RIGHT,
    TOLD,
    TOP,
    TOWARDS,
    Bets,
    Channels,
    good_pays,
    good_values,
)
from counting.review.patrons.foreknowledge import (
    CHANNEL_WEIGHTS,
    GUESS_WEIGHTS,
    GUESSES,
    ONE_SIDED,
    ONE_SIDED_WEIGHTS,
    SCALE_WEIGHTS,
    SCALES,
    SET_WEIGHTS,
    WEIGHTS,
    Bettor,
    Capital,
    by_patron,
    capital_log,
    capitals_of,
    evidence_of,
    main_part,
    side_part,
)
from counting.review.patrons.patron_stakes import stakes_of
from counting.review.patrons.running_capital import CapitalBound, ShoeCapital, deal_coup
from counting.review.synthetic import Flat, Patron, deal, log_frames
from counting.review.unseen_cards import UnseenCards
from counting.simulation import Dealing
from counting.verify.reference import outcomes

EZ, LOUISIANA, PUNTO = map(load_game, ("ez-baccarat", "louisiana", "punto-banco"))
JACOBSON = Dealing.named("jacobson", 8)
SIDES = ("player", "banker")
COUPS = long_or(8, 5)  # of each of the two shoes of the short log


def shoes(number: int, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array(
        [rng.multivariate_hypergeometric([128] + [32] * 9, n) for n in rng.integers(7, 416, number)], np.int32
    )


@pytest.mark.parametrize("bet", ["dragon-7", "banker", "player-pair", "perfect-pair"])
def test_the_law_of_a_pay(bet: str) -> None:
    """It sums to 1 and has the edge for its mean; on one shoe each pay has the chance of its events."""
    game = EZ.also([bet] if bet not in EZ.bet_names else [])
    rng = np.random.default_rng(2)
    some = np.array([rng.multivariate_hypergeometric([8] * 52, n) for n in (60, 200, 400)], np.int32)
    pays, chances = pay_distribution(game, bet, some)
    assert chances.sum(axis=1) == pytest.approx(1)
    assert (chances >= 0).all()
    assert chances @ pays == pytest.approx(edges(game, some, [bet])[:, 0], abs=1e-13)
    assert set(pays.tolist()) == {float(line.pay) for line in game.bet(bet).pays} | {-1.0}


def test_the_ways_to_win_are_those_of_the_law() -> None:
    """Of all kinds of bets at once, at each pay, in whole numbers: the same on a shoe alone as among others."""
    names = ["player", "banker", "dragon-7", "player-pair", "perfect-pair", "big", "player-red", "lucky-8-player"]
    game = EZ.also([bet for bet in names if bet not in EZ.bet_names])
    rng = np.random.default_rng(3)
    some = np.array([rng.multivariate_hypergeometric([8] * 52, n) for n in (6, 7, 60, 200, 416)], np.int32)
    laws = {bet: pay_distribution(game, bet, some) for bet in names}
    wins = tuple((bet, least) for bet, law in laws.items() for least in (-1.0, *law.pays.tolist(), 1e9))
    ways = win_ways(game, wins, some)
    for (bet, least), got in zip(wins, ways.T, strict=True):
        chance = (laws[bet].chances * (laws[bet].pays >= least)).sum(axis=1)
        assert got / all_deals(some) == pytest.approx(chance, abs=1e-13)
    for row in range(len(some)):
        assert (win_ways(game, wins, some[row : row + 1]) == ways[row]).all()


# What is good to know


def card(value: int) -> str:
    return "10,J,Q,K" if value == 0 else "A" if value == 1 else str(value)


@pytest.mark.long
@pytest.mark.parametrize(("game", "bet"), [(EZ, "player"), (PUNTO, "banker-5"), (EZ, "dragon-7"), (LOUISIANA, "tie-9")])
def test_good_values_follow_from_exact_edges(game: Game, bet: str) -> None:
    """Checked for single cards by their place, for Player's total over the pairs of cards that make it, and for all
    four cards of one pair of totals. Good values make this bet the better of Player and Banker, or better than without
    the knowledge; the top values are the best sixth."""
    full = Shoe.decks(8)
    main = game.main_bets
    other = {main["player"]: main["banker"], main["banker"]: main["player"]}.get(bet)
    good = good_values(game, bet, 8)
    usual = exact_edges(game, full, None, [bet])[bet]

    def gain(known: str) -> tuple[Fraction, Fraction]:
        exact = exact_edges(game, full, known, [bet, other or bet])
        return exact[bet], exact[bet] - (exact[other] if other else usual)

    for channel, place in ((0, "P1"), (1, "P2"), (2, "B1"), (3, "B2"), (7, "5"), (8, "6")):
        gains = [gain(f"{place}={card(v)}") for v in range(10)]
        assert np.flatnonzero(good[channel, RIGHT]).tolist() == [v for v in range(10) if gains[v][1] > 0]
        best, together, top = sorted(range(10), key=lambda v: -gains[v][0]), Fraction(), []
        for value in best:
            together += Fraction(4 if value == 0 else 1, 13)
            if top and together > Fraction(1, 6):
                break
            top.append(value)
        assert np.flatnonzero(good[channel, TOP]).tolist() == sorted(top)
    for total in (0, 5, 8):
        pairs = [(a, (total - a) % 10) for a in range(10)]
        ways = [(128 if a == 0 else 32) * ((128 if b == 0 else 32) - (a == b)) for a, b in pairs]
        each = [gain(f"P1={card(a)} P2={card(b)}")[1] for a, b in pairs]
        assert good[4, RIGHT, total] == (sum(w * x for w, x in zip(ways, each, strict=True)) > 0)
    assert not good[:, :, 10:][[0, 1, 2, 3, 4, 5, 7, 8]].any()
    assert good[6, RIGHT, 95] == (gain("P1=9 P2=10 B1=5 B2=10")[1] > 0)  # clear whatever makes the totals


def test_good_pays() -> None:
    assert good_pays(EZ, "player", 8) == (1.0, 1.0)
    assert good_pays(EZ, "dragon-7", 8) == (40.0, 40.0)
    pair = EZ.also(["perfect-pair"])
    assert good_pays(pair, "perfect-pair", 8) == (25.0, 25.0)  # one pair; both, at 200, come beside it in a sixth


def test_the_weights() -> None:
    for weights in (CHANNEL_WEIGHTS, SET_WEIGHTS, GUESS_WEIGHTS):
        assert weights.sum() == pytest.approx(1)
    assert SCALE_WEIGHTS.sum() + ONE_SIDED_WEIGHTS.sum() == pytest.approx(1)
    assert [of.shape for of in WEIGHTS] == [(9, 100), (7, 100)]
    assert [float(of.sum()) for of in WEIGHTS] == pytest.approx([1, 1])
    # Banker's side, scale 4; a share of 0.5; both totals; the top.
    assert WEIGHTS[0][8, 2 * 20 + 2 * 6 + 1] == pytest.approx(0.055 * 0.2 * 0.13 / 3)


# Factors have the mean 1


@pytest.mark.parametrize("game", [EZ, LOUISIANA], ids=["ez", "louisiana"])
def test_every_ratio_has_the_mean_1_over_all_orders(game: Game) -> None:
    """Every order of the eight cards that are left, dealt by the rules: the ratios of cards and totals, towards the
    good values and against them."""
    rng = np.random.default_rng(3)
    bets = (game.main_bets["player"], game.main_bets["banker"], game.bet_names[3])
    good = np.array([good_values(game, bet, 8) for bet in bets])
    for _ in range(3):
        left = rng.multivariate_hypergeometric([4] + [2] * 9, 8).astype(np.int32)
        cards = [value for value, number in enumerate(left) for _ in range(number)]
        dealt = [deal_by_rules(game, order) for order in sorted(set(permutations(cards, 6)))]
        weights = np.array([prod(_falling(left, order)) for order, _ in dealt], float)
        rows = np.array([hands for _, hands in dealt], np.int8)
        ratios = np.empty((len(rows), len(bets), 2, 20))
        _foreknowledge.ratios(np.tile(left, (len(rows), 1)), rows, np.zeros(len(rows), np.int32), good, ratios)
        mean = np.tensordot(weights / weights.sum(), ratios[..., : 2 * TOLD], 1)
        assert mean == pytest.approx(np.ones(mean.shape), abs=1e-12)
        assert (ratios[..., : 2 * TOLD].std(axis=0) > 0.1).mean() > 0.5  # most are wagers


def _falling(left: Ints, order: tuple[int, ...]) -> list[int]:
    """In how many ways each card of an order of values comes."""
    return [int(left[value]) - order[:i].count(value) for i, value in enumerate(order)]


def deal_by_rules(game: Game, order: tuple[int, ...]) -> tuple[tuple[int, ...], list[int]]:
    """The hands of six cards in the order P1, P2, B1, B2, fifth, sixth, as a log has them; -1 for none."""
    p1, p2, b1, b2, fifth, sixth = order
    player, banker = (p1 + p2) % 10, (b1 + b2) % 10
    third = fifth if game.tableau.player_draws(player, banker) else -1
    draws = game.tableau.banker_draws(player, banker, STOOD if third < 0 else third)
    fourth = (fifth if third < 0 else sixth) if draws else -1
    return order, [p1, p2, third, b1, b2, fourth]


def test_what_is_told_has_the_mean_1(tmp_path: Path) -> None:
    """Over the pays of each bet at each coup, with their exact chances."""
    game = EZ.also(["perfect-pair"])
    log_, unseen = logged(tmp_path, {"one": Flat("player", 5)}, 1)
    for bet in ("player", "dragon-7", "perfect-pair"):
        channels = Channels(log_, unseen, game, Bets((), (bet,)))
        ratios = channels.odds(slice(0, len(unseen.shoe))).side[:, 0, :, 2 * TOLD :]
        for row in range(0, len(unseen.shoe), 9):
            left = unseen.left("card" if bet == "perfect-pair" else "value")[row : row + 1]
            pays, chances = pay_distribution(game, bet, left)
            for which, threshold in enumerate(good_pays(game, bet, 8)):
                inside = float(chances[0] @ (pays >= threshold))
                assert sorted({0.0, *ratios[row, :, which].tolist()})[-1] in (
                    pytest.approx(1 / inside), pytest.approx(1 / (1 - inside)),
                )  # fmt: skip
                assert (ratios[row, :, which] == 0).sum() == 1


# The e-value in plain loops


def plain_e(
    game: Game, bets: Bets, coups: list[dict[str, Any]], by_bet: dict[str, Floats], good: Callable[..., Any]
) -> float:
    """E of one patron from its definition: `coups` have the shoe, the unseen cards, the hands by value, the unread
    cards before in the shoe, and for each bet the pays that it may have had; `by_bet` the stakes."""
    shoes_of = sorted({coup["shoe"] for coup in coups})
    total = 0.0
    for part, share in (("main", 2 / 3), ("side", 1 / 3)):
        names = getattr(bets, part)
        taken = []
        for i in range(len(coups)):
            amounts = {bet: float(by_bet[bet][i]) if bet in by_bet else 0.0 for bet in names}
            if part == "main":
                net = amounts.get(names[0], 0) - amounts.get(names[1], 0) if names else 0
                taken.append((names[0] if net > 0 else names[1], abs(net)) if net else (None, 0))
            else:
                best = max(amounts.values(), default=0)
                taken.append((next(bet for bet in names if amounts[bet] == best), best) if best else (None, 0))
        logs: dict[tuple[Any, ...], dict[int, float]] = {}
        weight: dict[tuple[Any, ...], float] = {}
        sides: tuple[Any, ...] = tuple(names) if part == "main" else ("last",)
        scales = [(k, None, w) for k, w in zip(SCALES, SCALE_WEIGHTS, strict=True)]
        scales += [(k, d, w / len(sides)) for d in sides for k, w in zip(ONE_SIDED, ONE_SIDED_WEIGHTS, strict=True)]
        for (k, side, w_scale), channel, which, (e, w_e) in product(
            scales, range(len(CHANNELS)), (RIGHT, TOP), zip(GUESSES, GUESS_WEIGHTS, strict=True)
        ):
            key = (k, side, channel, which, e)
            weight[key] = w_scale * w_e * CHANNEL_WEIGHTS[channel] * SET_WEIGHTS[which]
            logs[key] = {}
            for shoe in shoes_of:
                grown, low, last = 0.0, 0.0, None
                for coup, (bet, size) in zip(coups, taken, strict=True):
                    if coup["shoe"] != shoe:
                        continue
                    if bet is not None:
                        low, last = min(low or size, size), bet
                    of = last if side == "last" else side
                    wager = None
                    if side is None:
                        wager = (bet, TOWARDS) if bet is not None and size >= k * low else None
                    elif bet == of and bet is not None and size >= k * low:
                        wager = (bet, TOWARDS)
                    elif low and (bet is None or bet == of):
                        wager = (of, AGAINST)
                    if wager is not None:
                        grown += log(max(e + (1 - e) * ratio(game, coup, *wager, channel, which, good), 1e-300))
                logs[key][shoe] = grown
        through = sum(weight[key] * exp(sum(of.values())) for key, of in logs.items())
        mean = {shoe: sum(weight[key] * exp(of[shoe]) for key, of in logs.items()) for shoe in shoes_of}
        apart = [prod(1 - r + r * mean[shoe] for shoe in shoes_of) for r in (1 / 4, 1 / 32)]
        total += share * (3 / 4 * through + 1 / 4 * sum(apart) / 2)
    return total


def ratio(
    game: Game, coup: dict[str, Any], bet: str, towards: int, channel: int, which: int, good: Callable[..., Any]
) -> float:
    """1{X in A} / P(A), at its worst over unread cards, kept with the coup."""
    key = (bet, towards, channel, which)
    if key not in coup["kept"]:
        coup["kept"][key] = _ratio(game, coup, bet, towards, channel, which, good)
    return float(coup["kept"][key])


def _ratio(
    game: Game, coup: dict[str, Any], bet: str, towards: int, channel: int, which: int, good: Callable[..., Any]
) -> float:
    left, unread = list(coup["left"]), coup["unread"]
    p1, p2, p3, b1, b2, b3 = coup["cards"]  # None: not dealt, -2: not read
    if channel == TOLD:
        threshold = good(game, bet, None, which)
        counts = coup["outcomes"]
        ways = {True: 0, False: 0}
        for outcome, number in counts.items():
            ways[float(game.bet(bet).pay(outcome)) >= threshold] += number
        pays = coup["pays"](bet)
        happened = {True: min(pays) >= threshold, False: max(pays) < threshold}
        cards = 6
    else:
        values = good(game, bet, channel, which)
        ways = {True: 0, False: 0}
        if channel <= 3:
            x, cards = (p1, p2, b1, b2)[channel], 1
            for value, number in enumerate(left):
                ways[value in values] += number
        elif channel <= 5:
            first, second = ((p1, p2), (b1, b2))[channel - 4]
            x, cards = -2 if -2 in (first, second) else (first + second) % 10, 2
            for a, b in product(range(10), repeat=2):
                ways[(a + b) % 10 in values] += left[a] * (left[b] - (a == b))
        elif channel == 6:
            x, cards = -2 if -2 in (p1, p2, b1, b2) else 10 * ((p1 + p2) % 10) + (b1 + b2) % 10, 4
            for t, number in four(tuple(left)).items():
                ways[t in values] += number
        else:
            thirds = [card for card in (p3, b3) if card is not None]
            if len(thirds) < channel - 6:
                return 1.0
            known = [p1, p2, b1, b2, *thirds[: channel - 7]]
            for value in known:
                if value != -2:
                    left[value] -= 1
            unread += known.count(-2)
            x, cards = thirds[channel - 7], 1
            for value, number in enumerate(left):
                ways[value in values] += number
        happened = {inside: x != -2 and (x in values) == inside for inside in (True, False)}
    if not ways[True] or not ways[False]:
        return 1.0
    inside = towards == TOWARDS
    number = sum(left) - unread
    deals = prod(max(number - i, 0) for i in range(cards))
    return happened[inside] / min(Fraction(ways[inside], deals), 1) if deals else float(happened[inside])


def four(left: tuple[int, ...]) -> dict[int, int]:
    """The ordered ways of both two-card totals."""
    cards = np.indices((10,) * 4).reshape(4, -1)
    ways = np.prod([np.array(left)[card] - (cards[:i] == card).sum(axis=0) for i, card in enumerate(cards)], axis=0)
    totals = 10 * ((cards[0] + cards[1]) % 10) + (cards[2] + cards[3]) % 10
    return dict(enumerate(np.bincount(totals, ways.clip(0), 100).astype(int).tolist()))


def logged(folder: Path, patrons: dict[str, Patron], number: int, seed: int = 7) -> tuple[Log, UnseenCards]:
    coups, bets = log_frames(deal(EZ, JACOBSON, seed, 0, number), patrons, EZ, 1)
    coups.write_csv(folder / "coups.csv")
    bets.write_csv(folder / "bets.csv")
    log_ = read_log(folder / "coups.csv", folder / "bets.csv")
    return log_, UnseenCards(log_, 8)


def good_in_words(game: Game, bet: str, channel: int | None, which: int) -> Any:
    """The threshold of a channel, or the set of values."""
    if channel is None:
        return good_pays(game, bet, 8)[which]
    return set(np.flatnonzero(good_values(game, bet, 8)[channel, which]).tolist())


def spoiled(log_: Log, lost: dict[int, list[int]]) -> tuple[Log, UnseenCards]:
    """A log with cards unread: places by row."""
    places = ["p1", "p2", "p3", "b1", "b2", "b3"]
    names = [name for name in log_.coups.columns if log_.coups[name].dtype == pl.Int8][:6]
    assert len(names) == len(places)
    columns = {name: log_.coups[name].to_list() for name in names}
    for row, of in lost.items():
        for place in of:
            assert columns[names[place]][row] >= 0
            columns[names[place]][row] = -2
    coups = log_.coups.with_columns(pl.Series(name, values, dtype=pl.Int8) for name, values in columns.items())
    spoiled_log = Log(coups, log_.bets, log_.remarks)
    return spoiled_log, UnseenCards(spoiled_log, 8)


def facts_of(log_: Log, unseen: UnseenCards) -> list[dict[str, Any]]:
    """The coups for the reference, from the log's cards alone."""
    coups: list[dict[str, Any]] = []
    left: list[int] = []
    unread = 0
    value = [*np.repeat(VALUE_OF_RANK, 4)]
    for row, shoe in enumerate(unseen.shoe.tolist()):
        if row == 0 or shoe != unseen.shoe[row - 1]:
            left, unread = unseen.left("value")[row].tolist(), 0
        hands = [-2 if code == -2 else None if code == -1 else int(value[code]) for code in unseen.codes[row].tolist()]
        shown = outcomes(EZ, Shoe.from_values(left))

        def pays(bet: str, hands: list[int | None] = hands) -> list[float]:
            return [float(EZ.bet(bet).pay(outcome)) for outcome in may_be(hands)]

        coups.append({
            "shoe": shoe, "left": list(left), "unread": unread, "cards": hands, "outcomes": shown, "pays": pays,
            "kept": {},
        })  # fmt: skip
        for one in hands:
            unread += one == -2
            if one is not None and one >= 0:
                left[one] -= 1
    return coups


def may_be(hands: list[int | None]) -> set[Outcome]:
    """Every outcome that unread cards allow."""
    outcomes = set()
    for values in product(*([*range(10)] if card == -2 else [card] for card in hands)):
        p1, p2, p3, b1, b2, b3 = values
        player, banker = (p1 + p2 + (p3 or 0)) % 10, (b1 + b2 + (b3 or 0)) % 10
        outcomes.add(Outcome(player, banker, 2 + (p3 is not None), 2 + (b3 is not None)))
    return outcomes


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> tuple[Log, UnseenCards]:
    """Two shoes of a few coups."""
    log_, _ = logged(tmp_path_factory.mktemp("short"), {"one": Flat("player", 5)}, 2)
    rows = np.concatenate([np.arange(COUPS), np.flatnonzero(log_.coups["shoe"] == "1")[:COUPS]])
    log_ = Log(log_.coups[rows], log_.bets, log_.remarks)
    return log_, UnseenCards(log_, 8)


@pytest.mark.long
@pytest.mark.parametrize("unread", [False, True])
def test_the_evidence_by_the_definition(short: tuple[Log, UnseenCards], unread: bool) -> None:
    """Random stakes on all bets at once, on Player and Banker alone, on other bets alone; with cards unread."""
    log_, unseen = short
    if unread:
        third = int(np.flatnonzero(unseen.codes[:, 2] >= 0)[1])
        fourth = int(np.flatnonzero(unseen.codes[:, 5] >= 0)[-1])
        log_, unseen = spoiled(log_, {1: [0], third: [2], COUPS + 1: [4], fourth: [5], COUPS + 3: [0, 1]})
    rng = np.random.default_rng(5)
    bets = Bets(SIDES, ("dragon-7", "tie-8"))
    coups = facts_of(log_, unseen)
    rows = len(unseen.shoe)
    stakes = {
        "player": np.where(rng.random(rows) < 0.5, rng.choice([1.0, 1.5, 4.0, 70.0], rows), 0),
        "banker": np.where(rng.random(rows) < 0.4, rng.choice([1.0, 2.0, 20.0], rows), 0),
        "dragon-7": np.where(rng.random(rows) < 0.4, rng.choice([1.0, 4.0, 5.0], rows), 0),
        "tie-8": np.where(rng.random(rows) < 0.3, rng.choice([1.0, 3.0], rows), 0),
    }
    channels = Channels(log_, unseen, EZ, bets)
    shoes_of = np.arange(len(unseen.start))
    for names in (tuple(stakes), SIDES if unread else ("dragon-7", "tie-8")):
        own = {bet: 100 * stakes[bet] for bet in names}
        main = main_part(own["player"] - own["banker"]) if "player" in own else None
        side = side_part([(0, own["dragon-7"]), (1, own["tie-8"])]) if "tie-8" in own else None
        bettor = Bettor(shoes_of, unseen.end - unseen.start, main, side)
        capital = evidence_of(capitals_of(channels, [bettor])[0])
        assert capital.log10 == pytest.approx(log10(plain_e(EZ, bets, coups, own, good_in_words)), abs=1e-9)


def test_coup_by_coup_is_as_shoe_by_shoe(short: tuple[Log, UnseenCards]) -> None:
    """The live capital after each coup, shoes open at the same time, and after the last coup the log's capital."""
    log_, unseen = short
    bets = Bets(SIDES, ("dragon-7",))
    odds = Channels(log_, unseen, EZ, bets).odds(slice(0, len(unseen.shoe)))
    rng = np.random.default_rng(2)
    net = rng.choice([-300.0, -100.0, 0.0, 100.0, 500.0], len(unseen.shoe))
    wagers = main_part(net)
    whole, live = Capital(0), Capital(0)
    whole.add(odds.main, unseen.start, unseen.end - unseen.start, wagers)
    dealing, nothing = [ShoeCapital(), ShoeCapital()], Capital(1)
    bound = CapitalBound([live, nothing], dealing)
    for coup in range(COUPS):  # both tables at once
        for table, shoe in enumerate(dealing):
            row = COUPS * table + coup
            taken, size = np.array([[wagers.taken[row], -1]], np.int16), np.array([[wagers.size[row], 0.0]])
            (log,) = deal_coup([odds.main[row], odds.side[row]], [shoe], [bound], taken, size)
            now = capital_log([live, nothing], [each.parts for each in dealing])
            assert log == pytest.approx(now, abs=1e-9)
    first, second = (shoe.parts[0] for shoe in dealing)
    assert live.log(first, second) == pytest.approx(whole.log(), abs=1e-9)
    live.close(second)
    assert live.log(first) == pytest.approx(whole.log(), abs=1e-9)
    live.close(first)
    assert live.through == pytest.approx(whole.through, abs=1e-9)
    assert live.apart == pytest.approx(whole.apart, abs=1e-9)
    assert live.without(whole).log() == pytest.approx(0, abs=1e-9)


def test_the_order_of_shoes_and_blocks_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    patrons: dict[str, Patron] = {"a": Flat("player", 5, 0.4), "b": Flat("dragon-7", 5, 0.2)}
    log_, unseen = logged(tmp_path, patrons, 12)
    number = np.repeat(np.arange(12)[::-1], unseen.end - unseen.start)
    back = Log(log_.coups[np.argsort(number, kind="stable").tolist()], log_.bets, log_.remarks)
    capitals = [evidence(log_), evidence(back)]
    monkeypatch.setattr(foreknowledge, "BLOCK", 100)
    capitals.append(evidence(log_))
    for other in capitals[1:]:
        assert other == pytest.approx(capitals[0], abs=1e-9)


def evidence(log_: Log) -> dict[str, float]:
    """log10 E of each patron."""
    unseen = UnseenCards(log_, 8)
    staked = list(stakes_of(log_, unseen, EZ))
    bets = Bets.of(EZ, [own.bet for own in staked])
    own = by_patron(staked)
    capitals = capitals_of(Channels(log_, unseen, EZ, bets), [Bettor.of(of, bets) for of in own.values()])
    return {name: evidence_of(of).log10 for name, of in zip(own, capitals, strict=True)}


# Honest patrons, with cards unread for a reason


def of_first_card(log_: Log) -> np.ndarray:
    return np.array([*VALUE_OF_RANK])[log_.coups.to_series(4).to_numpy() // 4]


@pytest.fixture(scope="module")
def of_honest(tmp_path_factory: pytest.TempPathFactory) -> tuple[Log, UnseenCards]:
    """Forty shoes of honest patrons on Player: flat, doubling after losses, at times fifty times as much."""

    class Doubles:
        bets = ("player",)

        def stakes(self, table: Any, known: Any, rng: Any) -> Any:
            lost, stakes = 0, []
            for pay in known.pays[:, known.place("player")].tolist():
                stakes.append(2.0 ** (lost % 8))
                lost = lost + 1 if pay < 0 else lost if pay == 0 else 0
            return known.on("player", np.array(stakes))

    class AtTimes:
        bets = ("player",)

        def stakes(self, table: Any, known: Any, rng: Any) -> Any:
            return known.on("player", np.where(rng.random(len(table.coup)) < 0.05, 500.0, 10.0))

    patrons: dict[str, Any] = {"flat": Flat("player", 5), "doubles": Doubles(), "at times": AtTimes()}
    return logged(tmp_path_factory.mktemp("honest"), patrons, 40, 19)


@pytest.mark.parametrize("reason", ["at random", "a tenth of the 8s and 9s", "half of the 8s and 9s", "coups he lost"])
def test_cards_unread_for_a_reason_accuse_nobody(of_honest: tuple[Log, UnseenCards], reason: str) -> None:
    log_, unseen = of_honest
    rng = np.random.default_rng(4)
    codes = unseen.codes
    value = np.where(codes >= 0, np.array([*np.repeat(VALUE_OF_RANK, 4), 0])[codes.clip(-1)], -1)
    player, banker = (value[:, [i, i + 1, i + 2]].clip(0).sum(axis=1) % 10 for i in (0, 3))
    if reason == "coups he lost":
        lost = np.zeros(codes.shape, np.bool_)
        lost[:, 0] = (player < banker) & (rng.random(len(codes)) < 0.3)
    else:
        share = {"at random": 0.02, "a tenth of the 8s and 9s": 0.1, "half of the 8s and 9s": 0.5}[reason]
        lost = (codes >= 0) & (rng.random(codes.shape) < share) & ((value >= 8) | (reason == "at random"))
    rows = {int(row): np.flatnonzero(lost[row]).tolist() for row in np.flatnonzero(lost.any(axis=1))}
    assert len(rows) > 100
    capital = evidence(spoiled(log_, rows)[0])
    assert max(capital.values()) < 1
