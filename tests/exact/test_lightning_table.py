"""Tables with lightning multipliers, read from files: prices are for what the file states, and every mistake gets an
error line."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from counting import InputError, Shoe, load_game
from counting.cli import main
from counting.exact import Lightning, LightningBet, lightning_prices, load_lightning

TABLE = """title = "Lightning, table 4"
source = "a rule sheet"
game = "punto-banco"
fee = "20%"
cards = { 1 = "50%", 2 = 0.3, 3 = "1/5" }
multipliers = { 2 = "7/10", 5 = 0.2, 8 = "10%" }

[[bets]]
name = "player"
on = "player"
odds = 1

[[bets]]
name = "banker"
on = "banker"
odds = 1
commission = "5%"

[[bets]]
name = "tie"
on = "tie"
odds = 5
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "table.toml").write_text(TABLE)
    return tmp_path / "table.toml"


def test_a_file_is_priced_as_it_is_written(table: Path) -> None:
    loaded = load_lightning(table)
    lightning = Lightning.of({1: "1/2", 2: "3/10", 3: "1/5"}, {2: "7/10", 5: "1/5", 8: "1/10"}, Fraction(1, 5))
    bets = {
        "player": LightningBet.of("player", 1),
        "banker": LightningBet.of("banker", 1, "1/20"),
        "tie": LightningBet.of("tie", 5),
    }
    shoe = Shoe.parse("8d-7h-7s-Kd")
    assert loaded.lightning == lightning
    assert loaded.prices(shoe) == lightning_prices(load_game("punto-banco"), shoe, lightning, bets)


def test_the_command_prints_the_exact_prices(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    prices = load_lightning(table).prices(Shoe.parse("6d-7h"))
    assert main(["lightning", str(table), "--shoe", "6d-7h", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["fee"] == 0.2
    for row in data["bets"]:
        price = prices[row["bet"]]
        assert Fraction(row["exact_edge"]) == price.edge
        assert row["return_to_player"] == pytest.approx(float(price.returned))
        assert row["standard_deviation"] == pytest.approx(price.deviation)
    assert main(["lightning", str(table)]) == 0
    out = capsys.readouterr().out
    assert "416 unseen cards (8d), a fee of 20.00% on each unit" in out
    full = load_lightning(table).prices(Shoe.decks(8))
    assert all(f"{100 * float(price.edge):+.4f}%" in out for price in full.values())


def test_a_game_beside_the_file_is_found(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = Path(__file__).parents[2] / "counting" / "games" / "louisiana.toml"
    (table.parent / "mine.toml").write_text(shipped.read_text())
    table.write_text(TABLE.replace("punto-banco", "mine.toml"))
    monkeypatch.chdir("/")
    assert load_lightning(table).game.tableau == load_game("louisiana").tableau


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('"20%"', '"x"', ', fee = "x": should be a number from 0 to 1, as 0.05, 5% or 1/20'),
        ('"20%"', "2", ", fee = 2: should be a number from 0 to 1, as 0.05, 5% or 1/20"),
        ('"50%"', '"60%"', ": cards: chances add up to 11/10, should add up to 1"),
        ("{ 2 =", "{ 2000 =", ": multipliers: 2000, should be a whole number from 1 to 1000"),
        ('{ 1 = "50%"', '{ 11 = "50%"', ": cards: 11, should be a whole number from 0 to 10"),
        ('{ 1 = "50%"', '{ x = "50%"', "'x': should be a whole number, with its chance"),
        ('{ 1 = "50%"', '{ 1 = "half"', "the chance of 1 should be a number from 0 to 1, as 0.05, 5% or 1/20"),
        ("odds = 5", "odds = -1", ", bets 3, odds = -1: should be a number from 0 to 1,000,000, as 1, 0.5 or 1/3"),
        ("odds = 5", "odds = true", ", bets 3, odds = true: should be a number from 0 to 1,000,000, as 1, 0.5 or 1/3"),
        ('on = "tie"', 'on = "ties"', "should be 'player', 'banker', 'tie', 'player-pair' or 'banker-pair'"),
        ('name = "tie"', 'name = "player"', ', bets 3, name = "player": is the name of another bet'),
        ("punto-banco", "punto-bancos", ": game 'punto-bancos': should be one of ez-baccarat"),
        ("cards =", "card =", "unknown key, should be one of title, source, game, fee, cards, multipliers, bets"),
    ],
)
def test_a_mistake_has_one_line(old: str, new: str, line: str, table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table.write_text(TABLE.replace(old, new, 1))
    with pytest.raises(InputError) as failed:
        load_lightning(table)
    assert any(each.startswith(str(table)) and line in each for each in str(failed.value).split("\n"))
    assert main(["lightning", str(table)]) == 2
    assert line[:60] in capsys.readouterr().err


def test_every_mistake_is_named_at_once(table: Path) -> None:
    table.write_text(TABLE.replace("punto-banco", "no-such").replace('"50%"', '"60%"'))
    with pytest.raises(InputError) as failed:
        load_lightning(table)
    assert len(str(failed.value).split("\n")) == 2


def test_no_file_and_no_card(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lightning", "nosuch"]) == 2
    assert "lightning table 'nosuch': should be the path of a TOML file" in capsys.readouterr().err
    assert main(["lightning", str(table), "--shoe", "v:1,2,3,4,5,6,7,8,9,10"]) == 2
    assert "multipliers need a shoe known by card" in capsys.readouterr().err
