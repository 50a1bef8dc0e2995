"""Bets written out in one line, other commissions, and games defined by the key `like`."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from counting import Bet, Dealing, Game, Plan, Shoe, exact_edges, load_game
from counting.analysis import by_bet
from counting.errors import InputError
from counting.games import bet_texts
from counting.requests import asked_game
from counting.sweep import open_sweep, run

PUNTO = load_game("punto-banco")
TIE = "big-tie: tie player_total=8-9 = 30 to 1; tie = push"
TIE_TOML = """name = "big-tie"
pays = [{ winner = "tie", player_total = [8, 9], odds = "30:1" }, { winner = "tie", odds = "push" }]
"""


@pytest.fixture
def like(tmp_path: Path):
    """A function that writes the file of a game like another game, and loads it."""

    def load(text: str, name: str = "mine.toml") -> Game:
        (tmp_path / name).write_text(text)
        return load_game(tmp_path / name)

    return load


def test_a_bet_written_out_is_the_bet_of_a_file(like) -> None:
    written = PUNTO.asked([TIE, "Tie, 8 to 1"])
    assert written[1] == ("big-tie", "tie-8")
    assert written[0] == like(f'like = "punto-banco"\n[[bets]]\n{TIE_TOML}', "punto-banco.toml")
    assert PUNTO.only([TIE, TIE]).bet_names == ("big-tie",)
    assert written[0].asked([TIE]) == (written[0], ("big-tie",))


def test_a_text_has_names_and_then_perhaps_a_bet_written_out() -> None:
    assert bet_texts("player, tie-8") == ["player", "tie-8"]
    assert bet_texts(f" player,tie-8, {TIE}") == ["player", "tie-8", TIE]
    assert bet_texts("x: tie player_total=1,3 = 9:1") == ["x: tie player_total=1,3 = 9:1"]
    assert bet_texts("tie player_total=1,3 = 9:1") == ["tie player_total=1,3 = 9:1"]
    assert bet_texts(" ") == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("tie = 9:1", "bet 'tie = 9:1', should be a name, conditions and odds, as 'big-tie: "),
        ("x: tie", "bet x, 'tie', should be conditions and odds, as 'big-tie: "),
        ("x: tie = 9", 'bet x, pays 1, odds = "9": should be odds as "40:1"'),
        ("X: tie = 9:1", 'bet X, name = "X": should be lower case letters'),
        ("x: tie margin=3 = 9:1", "bet 'x': punto-banco: pays 1: no coup meets this line"),
        ("x: tie = 9:1; tie = 8:1", "bet x, 'tie': occurs twice, should occur once"),
        ("x: ties = 9:1", "bet x, 'ties': should be player, banker, tie, or one of winner, margin"),
        (
            "player: tie = 9:1",
            "bet 'player: tie = 9:1': punto-banco has another bet 'player', should have another name",
        ),
        ("dragon-7: tie = 9:1", "bet 'dragon-7: tie = 9:1': the catalog has another bet 'dragon-7', should"),
    ],
)
def test_a_mistake_in_a_bet_written_out_is_one_line(text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        PUNTO.asked([text])
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_sweep_keeps_a_bet_that_was_written_out(tmp_path: Path) -> None:
    plan = Plan(asked_game(PUNTO, "2.5%"), Dealing(cut=14), 40, bets=["banker-2-5", TIE], keep_rows=0)
    sweep = run(plan, tmp_path / "sweep")
    again = open_sweep(tmp_path / "sweep")
    assert again.plan == plan
    assert again.plan.game.bet("big-tie") == Bet.written(TIE)
    assert by_bet(again.ledger).collect().equals(by_bet(sweep.ledger).collect())
    assert json.loads((tmp_path / "sweep" / "plan.json").read_text())["bets"] == ["banker-2-5", "big-tie"]


def test_a_bet_at_another_commission_is_named() -> None:
    with pytest.raises(InputError, match=r"; at 2\.5% commission it is 'banker-2-5'$"):
        load_game("punto-banco").at_commission("2.5%").also(["banker-5"])


@pytest.mark.parametrize("percent", ["0", "0.5", "2.5", "7"])
@pytest.mark.parametrize("game", ["punto-banco", "louisiana", "ez-baccarat"])
def test_a_commission_costs_its_share_of_what_even_money_would_pay(game: str, percent: str) -> None:
    """The edge at a commission is the edge at even money, less the commission times the chance of a win."""
    loaded, shoe = load_game(game), Shoe.decks(8)
    name = f"banker-{percent.replace('.', '-')}"
    edges = [exact_edges(loaded.at_commission(rate), shoe) for rate in (Fraction(), Fraction(percent) / 100)]
    won = exact_edges(loaded.asked(["won: banker = push"])[0], shoe)["won"] + 1
    if game == "ez-baccarat":
        won -= exact_edges(loaded.asked(["seven: banker banker_total=7 banker_cards=3 = push"])[0], shoe)["seven"] + 1
    assert edges[1][name] == edges[0]["banker-0"] - Fraction(percent) / 100 * won


def test_a_commission_replaces_the_bets_that_pay_one() -> None:
    assert PUNTO.at_commission(Fraction(1, 40)).bet_names == ("player", "banker-2-5", "tie-8", "tie-9")
    five = PUNTO.at_commission(Fraction(1, 20))
    assert five.bet("banker-5").pays == PUNTO.bet("banker-5").pays
    assert load_game("louisiana").at_commission(Fraction(3, 100)).bet_names[:4] == (
        "player", "banker", "banker-3", "tie-9",
    )  # fmt: skip
    for rate, said in (
        ("100%", "should be less than 100%"),
        ("-1%", "should be a number from 0"),
        ("x", "should be a number"),
        ("1/3", "should be a percentage with at most three decimals, as 5% or 2.125%"),
        ("99.9999%", "should be a percentage with at most three decimals, as 5% or 2.125%"),
        ("5.000001%", "should be a number from 0 to 1 with fewer digits, as 0.05, 5% or 1/20"),
    ):
        with pytest.raises(InputError, match=f"^commission: {rate}, {said}"):
            PUNTO.at_commission(rate)
    with pytest.raises(InputError, match="no-commission has no bet on Banker that pays every win at one price"):
        asked_game("no-commission", "2%")


def test_a_file_changes_only_what_it_says(like) -> None:
    game = like(f'like = "punto-banco"\ncommission = "2.5%"\nwithout = ["tie-9"]\n[[bets]]\n{TIE_TOML}')
    assert game.bet_names == ("player", "banker-2-5", "tie-8", "big-tie")
    assert (game.decks, game.tableau, game.source) == (PUNTO.decks, PUNTO.tableau, PUNTO.source)
    assert game.title == "Punto banco, 2.5% commission"
    assert Game.from_dict(game.to_dict()) == game
    other = like('like = "mine.toml"\ntitle = "Six decks"\ndecks = 6\ncommission = 0.03\n', "other.toml")
    assert (other.title, other.decks) == ("Six decks", 6)
    assert other.bet_names == ("player", "banker-3", "tie-8", "big-tie")
    at_nine = like('like = "punto-banco"\n[[bets]]\nname = "tie-8"\npays = [{ winner = "tie", odds = "9:1" }]')
    assert at_nine.bet_names == PUNTO.bet_names
    assert at_nine.bet("tie-8").pays == PUNTO.bet("tie-9").pays


def test_a_file_like_another_is_the_full_game(like) -> None:
    full = like("".join(f"{line}\n" for line in _toml(PUNTO)), "same.toml")
    assert like('like = "punto-banco"', "same.toml").digest == full.digest


def _toml(game: Game) -> list[str]:
    lines = [f"{key} = {json.dumps(game.to_dict()[key])}" for key in ("title", "source", "decks")]
    lines.append('tableau = "punto-banco"')
    for bet in game.bets:
        pays = ", ".join(f'{{ winner = "{line.winner[0]}", odds = "{line.odds}" }}' for line in bet.pays)
        title = f"title = {json.dumps(bet.title)}" if bet.title else ""
        lines += ["[[bets]]", f"name = {json.dumps(bet.name)}", title, f"pays = [{pays}]"]
    return lines


FULL = 'title = "a"\nsource = "b"\ndecks = 8\ntableau = "punto-banco"\nbets = [{name="dragon-7"}]'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('like = "punto-bancko"', r"mine.toml: like = \"punto-bancko\", should be .*; did you mean 'punto-banco'\?"),
        ('like = "../mine.toml"', r"like = \"\.\./mine.toml\", should be the name of a shipped game, or of a"),
        ("like = 5", "like = 5, should be the name of a shipped game"),
        ('like = "none.toml"', r"like = \"none.toml\", should be the name of a shipped game"),
        ('like = "mine.toml"', r"like = \"mine.toml\": leads back to this file, should be another game"),
        ('like = "punto-banco"\nwithout = ["banker"]', r"without: \"banker\", should be a bet of punto-banco: player"),
        ('like = "punto-banco"\ncommission = "200%"', r"commission = \"200%\": should be a share below 1, as"),
        ('like = "punto-banco"\ncommissions = "2%"', "commissions = \"2%\": unknown key, .*did you mean 'commission'"),
        ('like = "no-commission"\ncommission = "2%"', "mine.toml: commission 2%: mine has no bet on Banker that pays"),
        ('like = "punto-banco"\nwithout = ["player", "banker-5", "banker-4", "tie-8", "tie-9"]', "should leave one"),
        (f'without = ["tie-9"]\n{FULL}', "mine.toml: without: should be in a file that has like"),
        ('like = "punto-banco"\n[[bets]]\nname = "x"\ntitle = "Tie, 8 to 1"\npays = [{ winner = "tie", odds = "8:1" }]',
         "title = 'Tie, 8 to 1': two bets have this title"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_like_another_is_one_line(like, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as error:
        like(text)
    assert "\n" not in str(error.value)


def test_two_files_like_each_other_are_a_mistake(like) -> None:
    with pytest.raises(InputError):
        like('like = "b.toml"', "a.toml")
    with pytest.raises(InputError, match=r"a.toml: like = \"b.toml\": leads back to this file"):
        like('like = "a.toml"', "b.toml")


def test_data_have_no_base() -> None:
    with pytest.raises(InputError, match="x: like: should be in a file"):
        Game.from_dict({**PUNTO.to_dict(), "name": "x", "like": "punto-banco"})
