"""Alert rules: what they mean, and one clear line for each text that is not a rule."""

import math

import pytest
from twins.streams import GAME

from counting import InputError, load_game
from counting.live import parse_rules
from counting.live.rules import parse_rule
from counting.systems import load_system

SYSTEMS = (load_system("dragon-7"), load_system("panda-8"))


@pytest.mark.parametrize(
    ("text", "bets", "of_bets"),
    [
        ("edge > 0.02", GAME.bet_names, False),
        ("edge >= 2% and cards < 100 for dragon-7, tie", ("dragon-7", "tie-8"), False),
        ("trigger dragon-7", ("dragon-7",), False),
        ("stake > 500 and edge > 0", GAME.bet_names, True),
        ("raise >= 5 and trigger panda-8", ("panda-8",), True),
        ("worth > 12.50 for panda-8", ("panda-8",), False),
        ("edge > 0.99 and edge < 100%", GAME.bet_names, False),
    ],
)
def test_a_rule_is_for_bets(text: str, bets: tuple[str, ...], of_bets: bool) -> None:
    rule = parse_rule(text, GAME, SYSTEMS)
    assert (rule.text, rule.bets, rule.of_bets) == (text, bets, of_bets)


def test_all_conditions_must_hold_and_what_is_not_known_does_not() -> None:
    rule = parse_rule("edge > 2% and cards <= 60 and trigger dragon-7", GAME, SYSTEMS)
    values = {"edge": 0.021, "cards": 60.0}
    assert rule.holds(values, {"dragon-7"})
    assert not rule.holds(values, set())
    assert not rule.holds(values | {"edge": 0.02}, {"dragon-7"})
    assert not rule.holds(values | {"cards": 61.0}, {"dragon-7"})
    assert not rule.holds(values | {"edge": math.nan}, {"dragon-7"})
    assert not parse_rule("raise < 5", GAME).holds({"stake": 5.0}, set())


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "'': should be as edge > 0.02 or trigger dragon-7"),
        ("edge", "'edge': should be as edge > 0.02"),
        ("edg > 0.02", "'edg': should be edge, worth, cards, stake, raise, bets, positive; did you mean 'edge'?"),
        ("edge = 0.02", "'=': should be >, >=, < or <="),
        ("edge > two", "'two': should be a number, as 0.02 or 2%"),
        ("edge > 2", "2 is 200%, should be written with the sign, as 2%"),
        ("edge > 1", "1 is 100%, should be written with the sign, as 1%"),
        ("edge > -1", "-1 is -100%, should be written with the sign, as -1%"),
        ("positive >= 1.5", "1.5 is 150%, should be written with the sign, as 1.5%"),
        ("edge > 1e9", "'1e9': should be a number"),
        ("edge > 0 for dragon7", "bet 'dragon7': ez-baccarat has player"),
        ("edge > 0 for ", "should name a bet after for"),
        ("trigger dragn-7", "system 'dragn-7': should be given by system; did you mean 'dragon-7'?"),
        ("trigger dragon-7 for tie-8", "system dragon-7 has no trigger for tie-8"),
        ("edge > 0 or cards < 9", "'edge > 0 or cards < 9': should be as"),
    ],
)
def test_what_is_no_rule_gets_one_line(text: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        parse_rules([text], GAME, SYSTEMS, True)
    assert str(error.value).startswith(f"rule {text!r}")
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_each_mistake_is_reported_and_worth_needs_a_largest_bet() -> None:
    with pytest.raises(InputError) as error:
        parse_rules(["edge", "worth > 1", "cards < 9"], GAME, SYSTEMS, False)
    assert len(str(error.value).split("\n")) == 2
    assert "worth: needs most_bet" in str(error.value)
    with pytest.raises(InputError, match="punto-banco has no bet for which dragon-7 has a trigger"):
        parse_rule("trigger dragon-7", load_game("punto-banco"), SYSTEMS)
