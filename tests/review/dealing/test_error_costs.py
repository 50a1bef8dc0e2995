"""What errors cost, against the evaluator of shoes with known cards, whose tableau makes the same wrong move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from counting import Shoe, exact_edges, load_game
from counting.cards import VALUE_OF_CARD
from counting.exact import KnownCards, required_detail
from counting.games import STOOD, Choice
from counting.logs import read_log
from counting.review import UnseenCards, dealing_errors
from counting.review.dealing import ErrorCosts, costs_of_errors
from counting.review.dealing.error_costs import Change, DealtCoup
from counting.review.hands import CoupsShown, hand_class

GAME = load_game("punto-banco").also(["dragon-7", "player-pair", "dragon-bonus-player", "flame-7s", "player-suited"])
BETS = ("player", "banker-5", "tie-8", "dragon-7", "player-pair", "dragon-bonus-player", "flame-7s", "player-suited")


def wrongly_dealt(number: int, seed: int) -> Iterator[tuple[str, DealtCoup, list[int], tuple[bool, bool], list[int]]]:
    """Coups of whole shoes in which hands draw by the toss of a coin. Each has the rules that it breaks, the six cards
    in dealing order, who drew, and the number of each card before the coup."""
    rng = random.Random(seed)
    for _ in range(number):
        shoe = [card for card in range(52) for _ in range(8)]
        rng.shuffle(shoe)
        begin = rng.randrange(380)
        six, drew = shoe[begin : begin + 6], (rng.random() < 0.5, rng.random() < 0.5)
        third = six[4] if drew[0] else -1
        fourth = (six[5] if drew[0] else six[4]) if drew[1] else -1
        codes = np.array([six[0], six[2], third, six[1], six[3], fourth], np.int8)
        broken = hand_class(GAME.tableau, int(CoupsShown.of_codes(codes[None]).classes[0])).broken
        before = Counter(shoe[begin:])
        for rule in sorted(broken):
            yield rule, DealtCoup(codes, GAME.tableau), six, drew, [before[card] for card in range(52)]


def change(coup: DealtCoup, rule: str, bet: str, before: list[int]) -> Change:
    knows = required_detail(GAME.bet(bet))
    shoe = Shoe("card", tuple(before))
    counts = {"value": shoe.values, "rank": shoe.ranks, "card": shoe.counts}[knows]
    return coup.change(GAME.bet(bet), rule, knows, np.array(counts, np.int64))


def test_both_expectations_are_those_of_the_evaluator() -> None:
    seen: Counter[str] = Counter()
    for rule, coup, six, drew, before in wrongly_dealt(34, seed=3):
        by_player, after_third = rule.startswith("player"), rule.startswith("banker") and drew[0]
        if rule.startswith("banker") and GAME.tableau.player_draws(*coup.totals) != drew[0]:
            continue  # Player's error came first, and the evaluator's tableau makes none of Player's
        known = KnownCards()
        for place, card in enumerate(six[: 5 if after_third else 4]):
            known = known.also(place, frozenset([card]))
        cell = Choice(coup.totals[1], VALUE_OF_CARD[six[4]] if drew[0] else STOOD)
        if by_player:
            cell = Choice(coup.totals[0])
        wrongly = (
            replace(GAME, tableau=GAME.tableau.playing({cell: drew[not by_player]})) if rule != "natural" else None
        )
        for bet in BETS if seen[rule] < 2 else ("player", "flame-7s"):
            got = change(coup, rule, bet, before)
            assert got.rules == exact_edges(GAME.only([bet]), Shoe("card", tuple(before)), known)[bet]
            if wrongly is not None:
                assert got.error == exact_edges(wrongly.only([bet]), Shoe("card", tuple(before)), known)[bet]
        seen[rule] += 1
    assert {*seen} == {"natural", "player-draws", "player-stands", "banker-draws", "banker-stands"}


def test_after_a_natural_the_hands_that_drew_take_any_of_the_cards_left() -> None:
    """The evaluator deals no card after a natural: every order of the cards drawn, one by one."""
    some = [each for each in wrongly_dealt(40, seed=4) if each[0] == "natural" and sum(each[3]) == 2][:2]
    for rule, coup, six, _, before in some:
        left = Counter({card: n - six[:4].count(card) for card, n in enumerate(before)})
        values = Counter[int]()
        for card, n in left.items():
            values[VALUE_OF_CARD[card]] += n
        worth, ways = Fraction(), 0
        for third, fourth in product(range(10), repeat=2):
            n = values[third] * (values[fourth] - (third == fourth))
            player, banker = (coup.totals[0] + third) % 10, (coup.totals[1] + fourth) % 10
            worth, ways = worth + n * ((player > banker) - (player < banker)), ways + n
        assert change(coup, rule, "player", before).error == worth / ways


def test_the_mean_of_what_an_error_gave_is_the_change_of_the_expectation() -> None:
    """Over the third card that Banker drew wrongly, in a shoe of which a few cards are left."""
    codes = np.array([8, 40, -1, 24, 44, 0], np.int8)  # Player 3 and J stands wrongly; Banker 7 and Q draws wrongly
    coup = DealtCoup(codes, GAME.tableau)
    left = np.zeros(10, np.int64)
    left[[0, 3, 7]] = 3, 1, 1  # the coup's own four
    left[[1, 4, 6, 8]] += (2, 1, 3, 1)
    drawn = []
    for value in (1, 4, 6, 8, 0):
        number = int(left[value]) - (2 if value == 0 else 0)
        other = DealtCoup(np.array([*codes[:5], 4 * ((value - 1) % 10)], np.int8), GAME.tableau)
        got = other.change(GAME.bet("banker-5"), "banker-stands", "value", left)
        drawn += [got.dealt - got.rules] * number
    assert sum(drawn) / len(drawn) == got.error - got.rules
    assert coup.change(GAME.bet("banker-5"), "banker-stands", "value", left).rules == Fraction(19, 20)  # 7 beats 3


def costs(folder: Path, coups: str, bets: str = "") -> ErrorCosts:
    (folder / "coups.csv").write_text("table,shoe,coup,player,banker,winner\n" + coups)
    (folder / "bets.csv").write_text("table,shoe,coup,patron,bet,amount,won\n" + bets)
    log = read_log(folder / "coups.csv", folder / "bets.csv" if bets else None)
    return costs_of_errors(log, GAME, UnseenCards(log, 8), dealing_errors(log, GAME, 8))


def test_a_card_not_drawn_costs_the_same_expected_and_as_dealt(tmp_path: Path) -> None:
    """Player 9 against Banker 3 to a third card of 2: Banker should draw, and did not."""
    found = costs(tmp_path, "T,1,1,2h 3d 4s,3c Kd,player\n", "T,1,1,X,player,100,100\nT,1,1,X,tie,50,-50\n")
    (row,) = found.rows.to_dicts()
    known = KnownCards.parse("P1=2h B1=3c P2=3d B2=Kd 5=4s")
    edges = exact_edges("punto-banco", Shoe.decks(8), known)
    assert (row["kind"], row["errors"], row["priced"]) == ("card-not-drawn", 1, 1)
    assert row["player"] == pytest.approx(float(1 - edges["player"]))
    assert row["banker"] == pytest.approx(float(-1 - edges["banker-5"]))
    assert row["expected"] == pytest.approx(float(100 * (1 - edges["player"]) + 50 * (-1 - edges["tie-8"])))
    assert row["dealt"] == pytest.approx(row["expected"])


def test_two_errors_of_a_coup_add_up_to_what_the_coup_gave(tmp_path: Path) -> None:
    """Player 5 stands and should draw; Banker 7 draws a 6 and should stand."""
    found = costs(tmp_path, "T,1,1,2h 3d,3c 4d 6s,player\n", "T,1,1,X,banker,100,-100\n")
    assert found.rows["kind"].to_list() == ["card-drawn", "card-not-drawn"]
    rules = exact_edges("punto-banco", Shoe.decks(8), KnownCards.parse("P1=2h B1=3c P2=3d B2=4d"))["banker-5"]
    assert found.rows["dealt"].sum() == pytest.approx(float(100 * (-1 - rules)))


def test_cards_seen_before_are_known_and_those_that_were_not_are_unseen(tmp_path: Path) -> None:
    wrong = "T,1,2,2h 3d 4s,3c Kd,player\n"
    before = costs(tmp_path, "T,1,1,9h 9d,9s 9c,tie\n" + wrong).rows["player"][0]
    known = KnownCards.parse("P1=2h B1=3c P2=3d B2=Kd 5=4s")
    assert before == pytest.approx(float(1 - exact_edges("punto-banco", "8d-9h-9d-9s-9c", known)["player"]))
    assert before != costs(tmp_path, wrong).rows["player"][0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("bet", "won", "kind"),
    [
        ("banker", 100, "commission"), ("banker", 96, "odds"), ("banker", 50, "odds"), ("banker", -100, "winner-paid"),
        ("banker", 0, "winner-paid"), ("player", 100, "winner-paid"), ("player", 0, "winner-paid"),
        ("player", 30, "paid-otherwise"), ("tie", 800, "winner-paid"), ("dragon-7", 4000, "paid-otherwise"),
    ],
)  # fmt: skip
def test_a_wrong_payout_costs_what_was_paid_too_much(tmp_path: Path, bet: str, won: int, kind: str) -> None:
    """Banker won with 8 on two cards."""
    found = costs(tmp_path, "T,1,1,2h 4d,8c Kd,banker\n", f"T,1,1,X,{bet},100,{won}\n")
    (row,) = found.rows.to_dicts()
    due = {"banker": 95}.get(bet, -100)
    assert (row["kind"], row["expected"], row["dealt"]) == (kind, won - due, won - due)


def test_a_wrong_winner_counts_in_money_where_no_result_is_logged(tmp_path: Path) -> None:
    coups = "T,1,1,2h 4d,8c Kd,player\n"
    (row,) = costs(tmp_path, coups, "T,1,1,X,player,10,\nT,1,1,Y,banker,10,\n").rows.to_dicts()
    assert (row["kind"], row["player"], row["banker"]) == ("winner-recorded", 2.0, -1.95)
    assert row["expected"] == pytest.approx(20 - 19.5)
    (row,) = costs(tmp_path, coups, "T,1,1,X,player,10,-10\n").rows.to_dicts()
    assert (row["player"], row["expected"]) == (2.0, 0.0)


def test_what_cannot_be_priced_is_named(tmp_path: Path) -> None:
    hand_size = costs(tmp_path, "T,1,1,2h 4d 5c 6c,8c Kd,\n")
    assert (hand_size.rows["kind"].to_list(), hand_size.rows["priced"].to_list()) == (["hand-size"], [0])
    assert [*hand_size.reasons] == ["a hand has a wrong size, so the rules do not say how the coup goes on"]
    unread = costs(tmp_path, "T,1,1,9h Kd ?,8s 9d,\n")
    assert (unread.rows["priced"].to_list(), [*unread.reasons]) == ([0], ["a card of the coup was not read"])
    suits = costs(tmp_path, "T,1,1,2 3 4,3 K,player\n", "T,1,1,X,flame-7s,100,\nT,1,1,X,who-knows,100,\n")
    assert suits.rows["priced"].to_list() == [1]
    assert sum(suits.reasons.values()) == 2 - (required_detail(GAME.bet("flame-7s")) != "card")
    assert costs(tmp_path, "T,1,1,9h Kd,8s 9d,player\n").rows.is_empty()


def test_a_shoe_that_cannot_have_the_cards_is_not_priced(tmp_path: Path) -> None:
    nines = "".join(f"T,1,{n},9h 9d,9s 9c,tie\n" for n in range(1, 10))
    found = costs(tmp_path, nines + "T,1,10,2h 3d 4s,3c Kd,player\n")
    assert found.reasons == {"the cards seen cannot all be from this shoe": 1}
    assert pl.Series(found.rows["player"]).null_count() == 1
