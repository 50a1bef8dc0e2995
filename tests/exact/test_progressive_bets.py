"""Progressive bets: lines that pay shares of a meter, and the edge as a function of it."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from counting import Bet, InputError, Shoe, exact_edges, load_game
from counting.cli import main
from counting.exact import Meter, meters
from counting.games import Game, Outcome
from counting.verify import reference

PUNTO = load_game("punto-banco")
HEAVENLY = Bet(
    name="heavenly",
    meter=6000,
    pays=[
        {"player_total": 9, "banker_total": 9, "cards": 6, "odds": "meter"},
        {"any": [{"player_total": 9, "player_cards": 3}, {"banker_total": 9, "banker_cards": 3}], "odds": "8:1"},
    ],
)
SHARES = {"tie player_total=9": "12.5% of meter", "tie player_total=8": "2% of meter", "tie": "push", "player": "1:2"}
THREE = Bet.of("three", SHARES, meter=801)
GAME = PUNTO.with_bets(HEAVENLY, THREE)


def few_cards(rng: random.Random) -> Shoe:
    """A shoe of a few different cards."""
    counts = [0] * 52
    for card in rng.sample(range(52), 4):
        counts[card] = rng.randint(2, 5)
    return Shoe.from_cards(counts)


def test_lines_pay_exact_shares_of_the_meter() -> None:
    assert [line.pay for line in THREE.pays] == [Fraction(801, 8), Fraction(801, 50), 0, Fraction(1, 2)]
    assert THREE.pay(Outcome(9, 9, 2, 2)) == Fraction(801, 8)
    assert THREE.denominator == 200
    assert [line.pay for line in THREE.at_meter(400).pays] == [50, 8, 0, Fraction(1, 2)]
    assert THREE.pays[0].pay == Fraction(801, 8)
    assert THREE.at_meter(400).at_meter(801) == THREE != THREE.at_meter(400)


def test_the_edge_at_a_meter_is_that_of_the_slow_twin_with_fixed_odds() -> None:
    rng = random.Random(631)
    for _ in range(12):
        shoe = few_cards(rng)
        meter = rng.randrange(1, 1000)
        three = THREE.at_meter(meter)
        fixed = Bet.of("three", {
            "tie player_total=9": f"{meter}:8", "tie player_total=8": f"{meter}:50", "tie": "push", "player": "1:2",
        })  # fmt: skip
        wanted = reference.exact_edges(PUNTO.with_bets(fixed), shoe)["three"]
        game = PUNTO.with_bets(three)
        assert exact_edges(game, shoe, bets=["three"])["three"] == wanted
        line = meters(game, shoe)["three"]
        assert line.edge(meter) == wanted
        for other in (1, 37, 5000):
            offered = PUNTO.with_bets(three.at_meter(other))
            assert line.edge(other) == exact_edges(offered, shoe)["three"] == meters(offered, shoe)["three"].edge(other)


def test_the_edge_is_zero_at_its_meter_and_no_earlier() -> None:
    for shoe in (Shoe.decks(8), Shoe.decks(6), Shoe.parse("8d-9-9-9-9-K-K")):
        line = meters(GAME, shoe)["heavenly"]
        assert line.zero is not None
        assert line.least is not None
        assert line.edge(line.zero) == 0
        at = {
            m: exact_edges(PUNTO.with_bets(HEAVENLY.at_meter(m)), shoe)["heavenly"]
            for m in (line.least - 1, line.least)
        }
        assert at[line.least - 1] < 0 <= at[line.least]


def test_the_printed_house_edge_of_heavenly_nine_at_sixty() -> None:
    line = meters(GAME, Shoe.decks(8))["heavenly"]
    assert round(float(-100 * line.edge(60)), 4) == 26.0432
    assert line.least == 187


def test_a_meter_that_no_coup_pays_has_no_zero() -> None:
    shoe = Shoe.parse("v:12,0,0,0,0,0,0,0,0,0")
    line = meters(GAME, shoe)["heavenly"]
    assert (line.slope, line.zero, line.least) == (0, None, None)
    assert Meter(Fraction(1, 10), Fraction()).least == 0
    assert Meter(Fraction(1, 10), Fraction(1, 10)).zero == -1
    assert Meter(Fraction(1, 10), Fraction(1, 10)).least == 0


def test_as_data_a_bet_keeps_its_words_and_one_without_a_meter_its_digest() -> None:
    again = Game.from_dict(GAME.to_dict())
    assert again == GAME
    assert again.bet("three").pays[0].pay == Fraction(801, 8)
    kept = GAME.to_dict()["bets"][-1]
    assert kept["meter"] == 801
    assert [line["odds"] for line in kept["pays"]] == list(SHARES.values())
    assert PUNTO.with_bets(THREE.at_meter(802)).digest != PUNTO.with_bets(THREE).digest
    assert not any(
        {"meter", "stays"} & {*bet, *(key for line in bet["pays"] for key in line)} for bet in PUNTO.to_dict()["bets"]
    )
    assert PUNTO.digest == "a35f61b515cfe6fc0138ab16f8cecf6fcb7b1ccd6dc1837501d62d4eb8a91cc6"


def test_copies_of_a_bet_keep_its_meter() -> None:
    renamed = THREE.model_copy(update={"pays": tuple(line.model_copy(update={"event": None}) for line in THREE.pays)})
    assert renamed == THREE
    assert renamed.pays[0].pay == Fraction(801, 8)


@pytest.mark.parametrize(
    ("bet", "mistake"),
    [
        ({"meter": 0}, "meter = 0: should be a whole number of units of the stake, 1 to 999,999"),
        ({"meter": 1_000_000}, "meter = 1000000: should be a whole number"),
        ({"meter": 12.5}, "meter = 12.5: should be a whole number"),
        ({"meter": True}, "meter = true: should be a whole number"),
        ({}, "meter: missing, should be the units of the stake that the meter shows"),
        ({"meter": 5, "odds": "8:1"}, "meter = 5: no line pays a share of it"),
        ({"meter": 5, "odds": "0% of meter"}, 'odds = "0% of meter": should be odds as'),
        ({"meter": 5, "odds": "100.01% of meter"}, "should be odds as"),
        ({"meter": 5, "odds": "1.234% of meter"}, "should be odds as"),
        ({"meter": 999_999, "odds": "1% of meter", "more": "meter"}, "a multiple of 100 are whole"),
    ],
)
def test_mistakes_have_one_line(bet: dict[str, object], mistake: str) -> None:
    lines = [{"winner": "tie", "odds": bet.pop("odds", "meter")}]
    if "more" in bet:
        lines.append({"winner": "player", "odds": bet.pop("more")})
    with pytest.raises(InputError) as error:
        PUNTO.with_bets(Bet(name="x", pays=lines, **bet))
    assert mistake in str(error.value)
    assert "\n" not in str(error.value)


def test_a_line_of_a_meter_does_not_multiply() -> None:
    with pytest.raises(InputError, match="should come before lines as 'x2'"):
        Bet.of("x", {"player_pair=true": "x2", "tie": "meter"}, meter=5)
    first = Bet.of("x", {"tie": "meter", "player_pair=true": "x2", "player": "1:1"}, meter=5)
    assert [line.pay for line in first.pays] == [5, 2, 1]


def test_edges_prints_the_meter_of_progressive_bets_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "game.toml").write_text(NINE)
    assert main(["edges", str(tmp_path / "game.toml")]) == 0
    shown = capsys.readouterr().out
    assert "zero_at" in shown
    assert main(["edges", str(tmp_path / "game.toml"), "--format", "csv"]) == 0
    zero = meters(load_game(tmp_path / "game.toml"), Shoe.decks(8))["nine"].zero
    assert capsys.readouterr().out.splitlines()[-1] == f"zero-edge meter,nine,{float(zero or 0)!r},{zero}"
    for form in ("table", "csv", "json"):
        assert main(["edges", "punto-banco", "--format", form]) == 0
        assert "meter" not in capsys.readouterr().out


NINE = """
title = "Progressive"
source = "our rule book"
decks = 8
tableau = "punto-banco"

[[bets]]
name = "nine"
meter = 90
pays = [{ winner = "tie", player_total = 9, odds = "meter" }]
"""
