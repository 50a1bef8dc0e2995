"""What a coup pays: stakes as written, shares, programmes and commissions, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from counting import InputError, Shoe, load_game, price_shoe
from counting.bounds.rebates import break_even
from counting.trips import Plays, Stake

GAME = load_game("punto-banco").also(("dragon-7", "player-pair"))
PRICED = price_shoe(GAME, Shoe.decks(8))


def plays(*texts: str, **rules: object) -> Plays:
    stakes = [stake for text in texts for stake in Stake.written(text, "bet")]
    return Plays(GAME, tuple(stakes), 8, **rules)  # type: ignore[arg-type]


@pytest.mark.parametrize("bet", ["player", "banker-5", "tie-8", "dragon-7", "player-pair"])
def test_a_flat_bet_has_its_exact_edge_and_variance(bet: str) -> None:
    coup = plays(f"{bet}:200").coup
    assert coup.mean == 200 * PRICED.edges[bet]
    assert float(coup.variance) == pytest.approx((200 * PRICED.standard_deviations[bet]) ** 2, rel=1e-12)
    assert coup.break_even == break_even(GAME, bet)


def test_bets_without_a_share_lie_together_and_those_with_one_apart() -> None:
    together, apart = plays("player:100", "banker-5:100").coup, plays("player:100@50%", "banker-5:100@50%").coup
    assert together.chances == {
        Fraction(0): 1 - PRICED.probabilities["banker-win"],
        Fraction(-5): PRICED.probabilities["banker-win"],
    }
    assert min(apart.chances) == -100
    assert together.mean == 2 * apart.mean == 100 * (PRICED.edges["player"] + PRICED.edges["banker-5"])


def test_coups_without_a_drawn_bet_have_the_others_alone() -> None:
    coup = plays("player:100", "dragon-7:10@25%").coup
    assert coup.staked == Fraction(205, 2)
    assert coup.mean == 100 * PRICED.edges["player"] + Fraction(10, 4) * PRICED.edges["dragon-7"]


def test_a_spread_is_its_amounts_equally_often() -> None:
    spread = plays("player:1000-5000/500@50%").stakes
    assert [stake.amount for stake in spread] == [*range(1000, 5001, 500)]
    assert {stake.share for stake in spread} == {Fraction(1, 18)}


def test_a_programme_pays_on_chips_lost() -> None:
    """Published as the edge per chip rolled, which is edge / P(lose): Banker 2.371%, Player 2.693%."""
    for bet, lost in (("banker-5", "player-win"), ("player", "banker-win")):
        before, after = plays(f"{bet}:100").coup, plays(f"{bet}:100", dead_chips=Fraction(12, 1000)).coup
        assert before.lost == 100 * PRICED.probabilities[lost]
        assert after.mean == before.mean + Fraction(12, 1000) * before.lost
        back = before.break_even
        assert plays(f"{bet}:100", dead_chips=back).coup.mean == 0
        rest = after.break_even
        assert Fraction(12, 1000) + rest * (1 - Fraction(12, 1000)) == back


@pytest.mark.parametrize(
    ("rounded", "amount", "kept"),
    [
        ("up", 25, 5),
        ("up", 110, 10),
        ("down", 110, 5),
        ("nearest", 110, 5),
        ("nearest", 150, 10),
        ("up", 100, 5),
        ("up", 3, 3),
    ],
)
def test_a_commission_is_rounded(rounded: str, amount: int, kept: int) -> None:
    coup = plays(f"banker-5:{amount}", commission_step=Fraction(5), commission_rounded=rounded).coup
    assert max(coup.chances) == amount - kept
    assert max(plays(f"player:{amount}", commission_step=Fraction(5)).coup.chances) == amount


@pytest.mark.parametrize(
    "text", ["banker-5", "banker-5:", ":5", "banker-5:0", "banker-5:x", "banker-5:5@0", "banker-5:5@101%",
             "banker-5:10-20", "banker-5:10-20/3", "banker-5:20-10/5", "banker-5:1-5000/1"],
)  # fmt: skip
def test_what_is_no_bet_with_an_amount_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^bet"):
        Stake.written(text, "bet")


def test_shares_of_more_than_all_coups_are_refused() -> None:
    with pytest.raises(InputError, match=r"1\.2 together"):
        plays("player:5@60%", "banker-5:5@60%")


@pytest.mark.parametrize(("amount", "share"), [(0, None), (-100, None), ("100", None), (5, 0), (5, -0.25), (5, 2)])
def test_a_stake_is_above_0_on_a_share_of_the_coups(amount: object, share: object) -> None:
    with pytest.raises(InputError, match=r"^bet player: (amount|share): .*, should be a number above 0"):
        Stake("player", amount, share)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("game", "punto-banco"),
        ("bet", Stake("player", Fraction(5))),
        ("bet", ("player",)),
        ("decks", 0),
        ("decks", "8"),
        ("dead_chips", Fraction(-1, 4)),
        ("commission_step", Fraction(-5)),
        ("commission_rounded", "upp"),
    ],
)
def test_what_is_no_rule_of_plays_is_refused(rule: str, value: object) -> None:
    rules = {"game": GAME, "bet": (Stake("player", Fraction(5)),), "decks": 8, rule: value}
    with pytest.raises(InputError, match=f"^{rule}: .*, should be "):
        Plays(rules.pop("game"), rules.pop("bet"), **rules)  # type: ignore[arg-type]


def test_a_chip_is_bet_2_211_times_before_it_is_lost() -> None:
    """E. Jacobson, "Risk Analysis of Baccarat Non-Negotiable Chip Programs: Confidence Intervals", 29 June 2014: 2.211
    times in the mean of Player and Banker, so that 500 chips take about 1,105 coups."""
    times = [float(coup.staked / coup.lost) for coup in (plays("player:1").coup, plays("banker-5:1").coup)]
    assert times == pytest.approx([2.1806, 2.2409], abs=5e-5)
    assert round(sum(times) / 2, 3) == 2.211
    assert round(500 * sum(times) / 2) == 1105
