"""Synthetic logs: shoes with every card, each kind of patron against its definition, and the files read back."""

import csv
import io
from collections import Counter as Tally
from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from extent import long_or
from hypothesis import given, settings
from hypothesis import strategies as st

from counting import InputError, Shoe, exact_edges, load_game
from counting.cards import CARDS, VALUE_OF_RANK, card_of
from counting.games import STOOD, Game, Outcome
from counting.review.synthetic import (
    Counter,
    DealtTable,
    Facts,
    Flat,
    Patron,
    Progressive,
    Sorter,
    Trend,
    Visitor,
    deal,
    log_frames,
)
from counting.review.synthetic.log_of_table import random_of
from counting.simulation import Dealing, play
from counting.simulation.dealing import AFTER_CUT
from counting.systems import System, load_system
from counting.verify import reference

HERE = Path(__file__).parents[1]
PUNTO, LOUISIANA, EZ = (load_game(name) for name in ("punto-banco", "louisiana", "ez-baccarat"))
STAND_5 = load_game("louisiana-stand-5")
DRAGON = load_system("dragon-7")

dealings = st.builds(
    Dealing,
    decks=st.integers(1, 9),
    cut=st.integers(0, 41),
    burn=st.sampled_from(["none", "first-card"]),
    after_cut=st.sampled_from(AFTER_CUT),
)


@pytest.fixture(scope="module")
def table() -> DealtTable:
    """Shoes of EZ Baccarat."""
    return deal(EZ, Dealing.named("jacobson"), 3, 40, long_or(200, 60))


def known_of(table: DealtTable, game: Game, *bets: str) -> Facts:
    return Facts(game.also(bets), bets, table)


def staked(table: DealtTable, game: Game, patron: Patron, seed: int = 1, who: str = "anna") -> dict[str, list[float]]:
    """The stakes of a patron on each coup, by bet."""
    known = known_of(table, game, *dict.fromkeys(map(game.main_bet, patron.bets)))
    stakes = patron.stakes(table, known, random_of(seed, "table 1", who, table.coups.first_shoe))
    assert stakes.shape == (len(table.coup), len(known.bets))
    assert stakes.dtype == np.float64
    return dict(zip(known.bets, stakes.T.tolist(), strict=True))


def shoes_of(table: DealtTable) -> list[list[int]]:
    """The rows of the table that belong to each shoe."""
    return [[i for i, _ in rows] for _, rows in groupby(enumerate(table.shoe.tolist()), lambda row: row[1])]


def pays(table: DealtTable, game: Game, bet: str) -> list[Fraction]:
    own = game.also([bet]).bet(bet)
    return [own.pay(Outcome(*row[:4])) for row in table.coups.shown.tolist()]


def of_hand(cards: list[int]) -> list[int]:
    return [card for card in cards if card != -1]


# The dealing


def words(seed: int, shoe: int) -> Iterator[int]:
    numpys = np.random.Philox(key=np.array([seed, shoe], np.uint64))
    while True:
        word = int(numpys.random_raw())
        yield from (word % 2**32, word >> 32)


@given(st.sampled_from([PUNTO, LOUISIANA, STAND_5]), dealings, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_a_table_has_the_coups_of_the_shoes_that_are_played(game: Game, dealing: Dealing, seed: int) -> None:
    table, coups = deal(game, dealing, seed, 5, 3), play(game.tableau, dealing, seed, 5, 3, "card")
    assert table.shoe.dtype == np.uint32
    assert table.shoe.tolist() == (coups.shoe + 5).tolist()
    for ours, theirs in (
        (table.coup, coups.coup),
        (table.left, coups.left),
        (table.undealt, coups.undealt),
        (table.coups.last_cut, coups.last_cut),
        (table.coups.shown, coups.shown),
    ):
        assert ours.tolist() == theirs.tolist()


@given(st.sampled_from([PUNTO, LOUISIANA, STAND_5]), dealings, st.integers(0, 1000))
@settings(max_examples=60, deadline=None)
def test_the_cards_of_a_coup_are_those_by_hand(game: Game, dealing: Dealing, seed: int) -> None:
    table = deal(game, dealing, seed, 2**31, 2)
    assert table.cards.dtype == np.int8
    for shoe, rows in enumerate(shoes_of(table)):
        order = reference.shuffled(words(seed, 2**31 + shoe), dealing.decks)
        by_hand = list(reference.dealt_coups(game, order, dealing.burn))[: len(rows)]
        burned = len(order) - by_hand[0][0]
        assert of_hand(table.burned[shoe].tolist()) == order[:burned]
        assert (dealing.burn != "none") == (burned > 0)
        for row, (undealt, _, outcome, _) in zip(rows, by_hand, strict=True):
            player, banker = (of_hand(table.cards[row, at : at + 3].tolist()) for at in (0, 3))
            assert (len(player), len(banker)) == outcome[2:]
            # Put back in dealing order, the coup's cards are the next cards of the shoe.
            begun = len(order) - undealt
            dealt = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
            assert dealt == order[begun : begun + outcome.cards]


def test_the_unseen_cards_fall_by_those_of_each_coup_and_the_burned_one_seen(table: DealtTable) -> None:
    for shoe, rows in enumerate(shoes_of(table)[:50]):
        unseen = Tally(dict.fromkeys(range(52), 8)) - Tally([int(table.burned[shoe, 0])])
        for row in rows:
            assert table.left[row].tolist() == [unseen[card] for card in range(52)]
            unseen -= Tally(of_hand(table.cards[row].tolist()))


def test_shoes_are_numbered_as_a_log_can_write_them() -> None:
    assert deal(PUNTO, Dealing(), 1, 2**32 - 50_000, 1).shoe.tolist()[0] == 2**32 - 50_000
    with pytest.raises(InputError, match="first shoe: 4294967296, should be a whole number from 0 to 4,294,917,296"):
        deal(PUNTO, Dealing(), 1, 2**32, 1)


# What patrons know


def test_edges_and_pays_are_those_of_the_bets(table: DealtTable) -> None:
    known = known_of(table, EZ, "dragon-7", "banker", "player-pair")
    for row in (0, 40, 80, len(table.coup) - 1):
        edges = exact_edges(known.game, Shoe.from_cards(table.left[row].tolist()))
        assert known.edges[row].tolist() == pytest.approx([float(edges[bet]) for bet in known.bets], abs=1e-14)
    for bet in ("dragon-7", "banker"):
        assert known.pays[:, known.place(bet)].tolist() == [float(pay) for pay in pays(table, EZ, bet)]
    pair = [11.0 if cards[0] // 4 == cards[1] // 4 else -1.0 for cards in table.cards.tolist()]
    assert known.pays[:, known.place("player-pair")].tolist() == pair


# Patrons who do not count


def test_a_flat_bettor_is_there_in_every_coup_or_in_a_share_of_them(table: DealtTable) -> None:
    every = staked(table, EZ, Flat("player", 25))
    assert every == {"player": [25.0] * len(table.coup)}
    some = np.array(staked(table, EZ, Flat("dragon-7", 5, 0.3))["dragon-7"])
    assert set(some.tolist()) == {0.0, 5.0}
    assert abs((some > 0).mean() - 0.3) < 4 * (0.3 * 0.7 / len(some)) ** 0.5


@pytest.mark.parametrize(("first", "last"), [(1, None), (60, None), (60, 70), (5, 5)])
def test_a_visitor_bets_at_his_time_of_the_shoe(table: DealtTable, first: int, last: int | None) -> None:
    stakes = staked(table, EZ, Visitor("dragon-7", 5, first, last))
    stop = 10**6 if last is None else last
    assert stakes == {"dragon-7": [5.0 if first <= coup <= stop else 0.0 for coup in table.coup.tolist()]}
    assert 0 < sum(stakes["dragon-7"]) <= 5 * len(table.coup)


@pytest.mark.parametrize(
    ("bet", "stake", "factor", "most", "steps"),
    [
        ("player", 10, 2, 100, [10, 20, 40, 80]),
        ("banker", 10, 2, 80, [10, 20, 40, 80]),  # banker pushes on a Dragon 7
        ("tie", 5, 1.5, 30, [5, 7.5, 11.25, 16.88, 25.32]),
        ("player", 10, 3, 29.99, [10]),
    ],
)
def test_a_progressive_bettor_raises_after_each_loss(
    table: DealtTable, bet: str, stake: float, factor: float, most: float, steps: list[float]
) -> None:
    patron = Progressive(bet, stake, factor, most)
    assert list(patron.steps) == steps
    paid, expected = pays(table, EZ, EZ.main_bet(bet)), []
    for rows in shoes_of(table):
        next_stake = stake
        for row in rows:
            expected.append(next_stake)
            if paid[row] > 0:
                next_stake = stake
            elif paid[row] < 0:
                next_stake = round(next_stake * factor, 2)
                if next_stake > most:
                    next_stake = stake
    assert staked(table, EZ, patron) == {EZ.main_bet(bet): expected}
    assert set(expected) == set(steps)


@pytest.mark.parametrize("streak", [1, 2, 4])
def test_a_trend_bettor_follows_what_just_came(table: DealtTable, streak: int) -> None:
    bets = ("player", "banker", "dragon-7", "tie")
    stakes = staked(table, EZ, Trend(bets, 10, streak))
    assert list(stakes) == list(map(EZ.main_bet, bets))
    for bet in stakes:
        needed = 1 if bet == "dragon-7" else streak
        paid, expected = pays(table, EZ, bet), []
        for rows in shoes_of(table):
            came: list[float] = []
            for row in rows:
                expected.append(10.0 if len(came) >= needed and min(came[-needed:]) > 0 else 0.0)
                came += [paid[row]] if paid[row] != 0 else []
        assert stakes[bet] == expected
        assert bet == EZ.main_bet("tie") or 10.0 in expected


# Counters


def running_count(system: System, left: list[int]) -> int:
    return sum(system.by_rank[card // 4] * (8 - n) for card, n in enumerate(left))


@pytest.fixture(scope="module")
def counts(table: DealtTable) -> list[Fraction]:
    """The true count for Dragon 7 at each coup."""
    return [Fraction(52 * running_count(DRAGON, left), sum(left)) for left in table.left.tolist()]


@pytest.mark.long
@pytest.mark.parametrize("trigger", [None, 2.5, -1, 6])
def test_a_counter_bets_when_the_count_is_at_the_trigger_or_above(
    table: DealtTable, counts: list[Fraction], trigger: float | None
) -> None:
    at = 4 if trigger is None else trigger
    stakes = staked(table, EZ, Counter("dragon-7", 5, DRAGON, trigger))
    assert stakes == {"dragon-7": [5.0 if count >= at else 0.0 for count in counts]}
    assert 5.0 in stakes["dragon-7"]


@pytest.mark.long
def test_a_counter_with_a_running_count_reads_it_so(table: DealtTable) -> None:
    system = load_system(HERE / "systems" / "unbalanced.toml")
    expected = [5.0 if running_count(system, left) >= 20 else 0.0 for left in table.left.tolist()]
    assert staked(table, EZ, Counter("dragon-7", 5, system, 20))["dragon-7"] == expected
    assert {0.0, 5.0} == set(expected)


@pytest.mark.parametrize("above", [None, 0.05])
def test_a_perfect_counter_bets_when_the_edge_is_positive(table: DealtTable, above: float | None) -> None:
    stakes = staked(table, EZ, Counter("dragon-7", 5, None, above))["dragon-7"]
    edges = known_of(table, EZ, "dragon-7").edges[:, 0].tolist()
    assert stakes == [5.0 if edge > (above or 0) else 0.0 for edge in edges]
    assert 5.0 in stakes


@pytest.mark.parametrize(("hand", "place"), [("player", 0), ("banker", 3)])
def test_a_sorter_knows_the_first_card_of_a_hand(table: DealtTable, hand: str, place: int) -> None:
    """The sorter reads every first card rightly, reads a share of them wrongly, or sees one only in a share of the
    coups. In the other coups the sorter bets at random, just as often."""
    good = np.isin([VALUE_OF_RANK[card // 4] for card in table.cards[:, place].tolist()], (6, 7, 8, 9))
    assert staked(table, EZ, Sorter("player", 5, hand))["player"] == (5.0 * good).tolist()
    coups = len(good)
    taken = np.array(staked(table, EZ, Sorter("player", 5, hand, wrong=0.25))["player"]) > 0
    assert abs((taken != good).sum() - coups / 4) < 4 * (coups * 3 / 16) ** 0.5
    some = np.array(staked(table, EZ, Sorter("player", 5, hand, seen=0.5))["player"]) > 0
    share = good.mean()
    both = 0.5 * share + 0.5 * share**2
    assert abs((some & good).sum() - coups * both) < 4 * (coups * both * (1 - both)) ** 0.5
    assert abs(some.mean() - share) < 0.02


@pytest.mark.parametrize("cover", [0.1, 0.3, 0.6])
def test_so_much_of_a_counters_bets_is_cover(table: DealtTable, counts: list[Fraction], cover: float) -> None:
    stakes = staked(table, EZ, Counter("dragon-7", 5, DRAGON, cover=cover, cover_stake=2))["dragon-7"]
    reached = [count >= 4 for count in counts]
    assert all(stake == 5 for stake, on in zip(stakes, reached, strict=True) if on)
    others = [stake for stake, on in zip(stakes, reached, strict=True) if not on]
    assert set(others) == {0.0, 2.0}
    # Every coup below the trigger has the same chance of a cover bet, chosen to give the share `cover`.
    chance = cover / (1 - cover) * sum(reached) / len(others)
    covers = sum(stake == 2 for stake in others)
    assert abs(covers - chance * len(others)) < 4 * (chance * (1 - chance) * len(others)) ** 0.5
    share = covers / (covers + sum(reached))
    error = (1 - cover) ** 2 * (chance * (1 - chance) * len(others)) ** 0.5 / sum(reached)
    assert abs(share - cover) < 4 * error


def test_cover_falls_anywhere_in_the_shoe(table: DealtTable) -> None:
    stakes = np.array(staked(table, EZ, Counter("dragon-7", 5, DRAGON, cover=0.6, cover_stake=2))["dragon-7"])
    others = stakes != 5
    mean, error = table.coup[others].mean(), table.coup[others].std() / (stakes == 2).sum() ** 0.5
    assert abs(table.coup[stakes == 2].mean() - mean) < 4 * error


def test_a_tie_in_stands_with_every_side_bet_cover_too(table: DealtTable) -> None:
    patron = Counter("dragon-7", 5, DRAGON, cover=0.3, cover_stake=2, main="player", tie_in=4)
    stakes = staked(table, EZ, patron)
    assert stakes["player"] == [4 * stake for stake in stakes["dragon-7"]]
    assert set(stakes["player"]) == {0.0, 8.0, 20.0}


def test_a_counter_who_misses_cards_counts_those_he_saw(table: DealtTable) -> None:
    patron = Counter("dragon-7", 5, DRAGON, 3, missed=0.4)
    known = known_of(table, EZ, "dragon-7")
    stakes = patron.stakes(table, known, np.random.default_rng(8))[:, 0].tolist()
    rng = np.random.default_rng(8)
    rng.random(len(table.coup))  # the draws for cover come first
    left = table.coups.noticed(0.4, int(rng.integers(2**63)))
    full = np.full(52, table.dealing.decks)
    tags = [DRAGON.by_rank[card // 4] for card in range(52)]
    running = [sum(int(n) * tag for n, tag in zip(full - row, tags, strict=True)) for row in left]
    expected = [
        5.0 if Fraction(52 * count, int(table.left[row].sum())) >= 3 else 0.0 for row, count in enumerate(running)
    ]
    assert stakes == expected
    assert stakes != staked(table, EZ, Counter("dragon-7", 5, DRAGON, 3))["dragon-7"]
    assert 5.0 in stakes
    other = patron.stakes(table, known, np.random.default_rng(9))[:, 0].tolist()
    assert other != stakes  # another patron misses other cards


def test_who_misses_every_card_dealt_bets_as_at_the_first_coup(table: DealtTable) -> None:
    edge = float(exact_edges(EZ, Shoe.decks(8))["dragon-7"])
    for above, stake in ((edge + 0.006, 0.0), (edge - 0.006, 5.0)):  # no burned card moves the edge by 0.006
        assert set(staked(table, EZ, Counter("dragon-7", 5, None, above, missed=1))["dragon-7"]) == {stake}


# The log


def everyone() -> dict[str, Patron]:
    return {
        "flat": Flat("banker", 25.83, 0.5),
        "late": Visitor("dragon-7", 5, 60),
        "martingale": Progressive("player", 0.05, 1.5, 1),
        "trend": Trend(("player", "dragon-7", "tie"), 10),
        "counter": Counter("dragon-7", 10, DRAGON, 2, 0.3, 5, "banker", 2, 0.05),
        "perfect": Counter("tie", 10),
    }


@pytest.fixture(scope="module")
def punto() -> DealtTable:
    return deal(PUNTO, Dealing.named("jacobson"), 3, 7, 25)


def test_the_same_seed_writes_the_same_log_and_another_another(punto: DealtTable) -> None:
    coups, bets = log_frames(punto, everyone(), PUNTO, 1)
    again = log_frames(punto, everyone(), PUNTO, 1)
    assert coups.equals(again[0])
    assert bets.equals(again[1])
    other = log_frames(punto, everyone(), PUNTO, 2)
    assert coups.equals(other[0])
    elsewhere = log_frames(punto, everyone(), PUNTO, 1, "table 2")[1]
    for different in (other[1], elsewhere):
        for patron, by_chance in (("flat", True), ("counter", True), ("late", False), ("trend", False)):
            ours, theirs = (
                frame.filter(patron=patron).select("shoe", "coup", "bet", "amount") for frame in (bets, different)
            )
            assert ours.equals(theirs) is not by_chance


def test_a_patrons_chances_depend_on_no_other_patron(punto: DealtTable) -> None:
    bets = log_frames(punto, everyone(), PUNTO, 1)[1]
    for name, patron in everyone().items():
        alone = log_frames(punto, {name: patron}, PUNTO, 1)[1]
        ours = bets.filter(patron=name)
        assert len(ours) > 5
        assert alone.sort("shoe", "coup", "bet").equals(ours.sort("shoe", "coup", "bet"))
    twins = log_frames(punto, {"a": Flat("tie", 1, 0.5), "b": Flat("tie", 1, 0.5)}, PUNTO, 1)[1]
    a, b = (twins.filter(patron=name).select("shoe", "coup") for name in "ab")
    assert not a.equals(b)


def test_shoes_of_other_numbers_have_other_chances() -> None:
    coups = [
        np.array(staked(deal(PUNTO, Dealing(), 1, at, 1), PUNTO, Flat("player", 1, 0.5))["player"]) for at in (0, 1)
    ]
    assert (coups[0][:60] != coups[1][:60]).any()


def text_of(frame: pl.DataFrame) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(frame.write_csv())))


def card(text: str) -> int:
    rank, suit = card_of(text)
    assert suit is not None
    assert CARDS[4 * rank + suit] == text
    return 4 * rank + suit


def value(card: int) -> int:
    return card // 4 + 1 if card < 36 else 0


def dealt_again(game: Game, player: list[int], banker: list[int]) -> Outcome:
    """The outcome of the two hands. Fails if they do not follow the tableau."""
    p, b = (sum(map(value, hand[:2])) % 10 for hand in (player, banker))
    third, banker_draws = STOOD, False
    player_draws = p < 8 and b < 8 and game.tableau.player[p]
    if p < 8 and b < 8:
        third = value(player[2]) if player_draws else STOOD
        banker_draws = game.tableau.banker[b][third]
    assert (len(player), len(banker)) == (2 + player_draws, 2 + banker_draws)
    return Outcome(*(sum(map(value, hand)) % 10 for hand in (player, banker)), len(player), len(banker))


@pytest.mark.long
@pytest.mark.parametrize("game", [PUNTO, LOUISIANA, EZ, load_game("no-commission")], ids=lambda game: game.name)
def test_the_files_dealt_again_say_the_same(game: Game) -> None:
    table = deal(game, Dealing.named("jacobson"), 3, 7, long_or(25, 10))
    frames = log_frames(table, everyone(), game, 1, "No. 1")
    coups, bets = map(text_of, frames)
    assert list(coups[0]) == ["table", "shoe", "coup", "player", "banker", "winner", "burn"]
    assert list(bets[0]) == ["table", "shoe", "coup", "patron", "bet", "amount", "won"]
    shown: dict[tuple[str, str], Outcome] = {}
    for i, row in enumerate(coups):
        assert (row["table"], int(row["shoe"]), int(row["coup"])) == ("No. 1", table.shoe[i], table.coup[i])
        player, banker = ([card(text) for text in row[hand].split()] for hand in ("player", "banker"))
        outcome = dealt_again(game, player, banker)
        assert outcome.winner == row["winner"]
        assert tuple(table.coups.shown[i, :4].tolist()) == outcome
        if row["coup"] == "1":
            first, *hidden = row["burn"].split()
            assert hidden == ["?"] * (value(card(first)) or 10)
            assert card(first) == table.burned[int(row["shoe"]) - 7, 0]
        else:
            assert row["burn"] == ""
        shown[row["shoe"], row["coup"]] = outcome
    offered = game.also({row["bet"] for row in bets})
    for row in bets:
        pay = offered.bet(row["bet"]).pay(shown[row["shoe"], row["coup"]])
        won = Fraction(row["amount"]) * pay
        assert Fraction(row["won"]) == Fraction(round(100 * won), 100)
        assert Fraction(row["amount"]) > 0
        assert row["table"] == "No. 1"
    order = [(int(row["shoe"]), int(row["coup"]), list(everyone()).index(row["patron"])) for row in bets]
    assert all(a <= b for a, b in pairwise(order))
    assert {row["patron"] for row in bets} == set(everyone())


def test_the_bets_written_are_the_stakes(punto: DealtTable) -> None:
    bets = log_frames(punto, everyone(), PUNTO, 1)[1]
    for name, patron in everyone().items():
        written = {
            (shoe, coup, bet): amount
            for shoe, coup, bet, amount in bets.filter(patron=name).select("shoe", "coup", "bet", "amount").rows()
        }
        known = known_of(punto, PUNTO, *dict.fromkeys(map(PUNTO.main_bet, patron.bets)))
        stakes = patron.stakes(punto, known, random_of(1, "table 1", name, 7))
        expected = {
            (int(punto.shoe[row]), int(punto.coup[row]), known.bets[bet]): round(float(stakes[row, bet]), 2)
            for row, bet in zip(*np.nonzero(stakes), strict=True)
        }
        assert written == expected
        assert len(expected) > 5


@pytest.mark.parametrize("stake", ["0.29", "0.58", "0.30", "0.50", "1.30", "25.83"])
def test_stakes_and_results_are_exact_to_the_hundredth(punto: DealtTable, stake: str) -> None:
    # The float 0.29 times 100 is not exactly 29. A win at 19:20 can end in half a hundredth, which is rounded to an
    # even hundredth.
    bets = log_frames(punto, {"anna": Flat("banker", float(stake))}, PUNTO, 1)[1]
    assert set(bets["amount"].to_list()) == {float(stake)}
    win = Fraction(round(100 * Fraction(stake) * Fraction(19, 20)), 100)
    assert set(bets["won"].to_list()) == {float(win), -float(stake), 0.0}


def test_without_burned_cards_none_are_written() -> None:
    coups, _ = log_frames(deal(PUNTO, Dealing(), 1, 0, 2), {"anna": Flat("tie", 1)}, PUNTO, 1)
    assert coups["burn"].null_count() == len(coups)
    assert coups.schema["burn"] == pl.String


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Flat("tie", 0), "stake: 0, should be from 0.01 to 1,000,000,000"),
        (lambda: Flat("tie", float("nan"), 2), "stake: nan.*\nshare: 2, should be from 0 to 1"),
        (lambda: Visitor("tie", 1, 0), "first: 0"),
        (lambda: Visitor("tie", 1, 5, 4), "last: 4, should be a whole number from 5"),
        (lambda: Progressive("tie", 10, 1, 5), "factor: 1, should be from 1.1.*\nmost: 5, should be from 10"),
        (lambda: Progressive("tie", 0.01, 1.4, 5), "factor: 1.4, should raise a stake of 0.01 by a hundredth"),
        (lambda: Trend((), 1), "bets: none"),
        (lambda: Trend(("tie",), 1, 0), "streak: 0"),
        (lambda: Counter("tie", 1, cover=1), "cover: 1, should be from 0 to 0.99"),
        (lambda: Counter("tie", 1, tie_in=1), "main: none"),
        (lambda: Counter("tie", 1, DRAGON, 0.1234567), "trigger = 0.1234567.*at most 6 decimals"),
        (
            lambda: Counter("tie", 1, load_system("dragon-7").model_copy(update={"trigger": {"a": 1.0}})),
            "triggers for a",
        ),
        (lambda: Counter("tie", 1, cover_stake=0), "cover stake: 0"),
        (
            lambda: Sorter("tie", 1, "dealer", (), 2, -1),
            r"wrong: 2.*\nseen: -1.*\nhand: 'dealer', should be player or banker\ngood: \(\), should be values",
        ),
    ],
)
def test_malformed_patrons_are_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=says):
        make()


def test_a_log_of_nobody_or_of_an_unknown_bet_is_refused(punto: DealtTable) -> None:
    with pytest.raises(InputError, match="patrons: none"):
        log_frames(punto, {}, PUNTO, 1)
    with pytest.raises(InputError, match="bet 'dragon-8'"):
        log_frames(punto, {"anna": Flat("dragon-8", 1)}, PUNTO, 1)
